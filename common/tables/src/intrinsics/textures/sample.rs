//! Overloads of the methods that take a sampler.

/// By itself; with a texel offset of `$o` components; with a level clamp; with the residency status.
#[rustfmt::skip]
macro_rules! offsets {
    ($make:ident $(($alternative:ident))?, $t:ident, $name:literal, $names:literal, [$($p:expr),*], $o:literal, $ret:expr, $x:expr) => { &[
        $make($($alternative,)? O::$t, $name, $names, const { &[$($p),*] }, $ret, $x),
        $make($($alternative,)? O::$t, $name, concat!($names, " o"), const { &[$($p,)* iv($o)] }, $ret, $x),
        $make($($alternative,)? O::$t, $name, concat!($names, " o clamp"), const { &[$($p,)* iv($o), F] }, $ret, $x),
        $make($($alternative,)? O::$t, $name, concat!($names, " o clamp status"), const { &[$($p,)* iv($o), F, UINT_OUT] }, $ret, $x),
    ] };
}
/// By itself; with a level clamp; with the residency status.
#[rustfmt::skip]
macro_rules! clamps {
    ($make:ident $(($alternative:ident))?, $t:ident, $name:literal, $names:literal, [$($p:expr),*], $ret:expr, $x:expr) => { &[
        $make($($alternative,)? O::$t, $name, $names, const { &[$($p),*] }, $ret, $x),
        $make($($alternative,)? O::$t, $name, concat!($names, " clamp"), const { &[$($p,)* F] }, $ret, $x),
        $make($($alternative,)? O::$t, $name, concat!($names, " clamp status"), const { &[$($p,)* F, UINT_OUT] }, $ret, $x),
    ] };
}
/// By itself; with a texel offset; with the residency status. From shader model 6.`$sm`.
#[rustfmt::skip]
macro_rules! statuses {
    ($t:ident, $name:literal, $names:literal, [$($p:expr),*], $o:expr, $ret:expr, $x:expr, $sm:literal) => { &[
        m(O::$t, $name, $names, const { &[$($p),*] }, $ret, $x).sm($sm),
        m(O::$t, $name, concat!($names, " o"), const { &[$($p,)* $o] }, $ret, $x).sm($sm),
        m(O::$t, $name, concat!($names, " o status"), const { &[$($p,)* $o, UINT_OUT] }, $ret, $x).sm($sm),
    ] };
}
/// By itself; with the residency status.
#[rustfmt::skip]
macro_rules! cmp_statuses {
    ($t:ident, $name:literal, $names:literal, [$($p:expr),*], $ret:expr, $x:expr, $sm:literal) => { &[
        m(O::$t, $name, $names, const { &[$($p),*] }, $ret, $x).sm($sm),
        m(O::$t, $name, concat!($names, " status"), const { &[$($p,)* UINT_OUT] }, $ret, $x).sm($sm),
    ] };
}
/// Comparison with cubes.
#[rustfmt::skip]
macro_rules! cmp_clamps {
    ($t:ident, $names:literal, [$($p:expr),*]) => { &[
        derived(CMP, O::$t, "SampleCmp", $names, const { &[$($p),*] }, FLOAT, X::SampleCmp),
        derived(CMP, O::$t, "SampleCmp", concat!($names, " clamp"), const { &[$($p,)* F] }, FLOAT, X::SampleCmp),
        derived(CMP, O::$t, "SampleCmp", concat!($names, " clamp status"), const { &[$($p,)* F, UINT_OUT] }, FLOAT, X::SampleCmp),
        derived8(CMP, O::$t, "SampleCmpBias", concat!($names, " bias"), const { &[$($p,)* F] }, FLOAT, X::SampleCmpBias),
        derived8(CMP, O::$t, "SampleCmpBias", concat!($names, " bias clamp"), const { &[$($p,)* F, F] }, FLOAT, X::SampleCmpBias),
        derived8(CMP, O::$t, "SampleCmpBias", concat!($names, " bias clamp status"), const { &[$($p,)* F, F, UINT_OUT] }, FLOAT, X::SampleCmpBias),
        m8(O::$t, "SampleCmpGrad", concat!($names, " ddx ddy"), const { &[$($p,)* fv(3), fv(3)] }, FLOAT, X::SampleCmpGrad),
        m8(O::$t, "SampleCmpGrad", concat!($names, " ddx ddy clamp"), const { &[$($p,)* fv(3), fv(3), F] }, FLOAT, X::SampleCmpGrad),
        m8(O::$t, "SampleCmpGrad", concat!($names, " ddx ddy clamp status"), const { &[$($p,)* fv(3), fv(3), F, UINT_OUT] }, FLOAT, X::SampleCmpGrad),
    ] };
}
/// The mip level that sampling would select. `$g` coordinates: slices have none.
#[rustfmt::skip]
macro_rules! lods {
    ($t:ident, $g:literal) => { &[
        derived(LEVEL, O::$t, "CalculateLevelOfDetail", "s x", const { &[i(Pat::AnySampler), fv($g)] }, FLOAT, X::TexLod(true)),
        derived(LEVEL, O::$t, "CalculateLevelOfDetailUnclamped", "s x", const { &[i(Pat::AnySampler), fv($g)] }, FLOAT, X::TexLod(false)),
    ] };
}
/// Gathering one channel.
#[rustfmt::skip]
macro_rules! gathers {
    (flat $t:ident, $c:literal, $($name:literal $cmp:literal $channel:literal),*) => { &[$(
        m(O::$t, $name, "s x", const { &[SAMPLER, fv($c)] }, FOUR, X::Gather($channel)),
        m(O::$t, $name, "s x o", const { &[SAMPLER, fv($c), iv(2)] }, FOUR, X::Gather($channel)),
        m(O::$t, $name, "s x o status", const { &[SAMPLER, fv($c), iv(2), UINT_OUT] }, FOUR, X::Gather($channel)),
        m(O::$t, $name, "s x o1 o2 o3 o4", const { &[SAMPLER, fv($c), iv(2), iv(2), iv(2), iv(2)] }, FOUR, X::Gather($channel)),
        m(O::$t, $name, "s x o1 o2 o3 o4 status", const { &[SAMPLER, fv($c), iv(2), iv(2), iv(2), iv(2), UINT_OUT] }, FOUR, X::Gather($channel)),
        gather_cmp($channel, m(O::$t, $cmp, "s x compareValue", const { &[COMPARER, fv($c), F] }, FOUR, X::GatherCmp($channel))),
        gather_cmp($channel, m(O::$t, $cmp, "s x compareValue o", const { &[COMPARER, fv($c), F, iv(2)] }, FOUR, X::GatherCmp($channel))),
        gather_cmp($channel, m(O::$t, $cmp, "s x compareValue o status", const { &[COMPARER, fv($c), F, iv(2), UINT_OUT] }, FOUR, X::GatherCmp($channel))),
        gather_cmp($channel, m(O::$t, $cmp, "s x compareValue o1 o2 o3 o4", const { &[COMPARER, fv($c), F, iv(2), iv(2), iv(2), iv(2)] }, FOUR, X::GatherCmp($channel))),
        gather_cmp($channel, m(O::$t, $cmp, "s x compareValue o1 o2 o3 o4 status", const { &[COMPARER, fv($c), F, iv(2), iv(2), iv(2), iv(2), UINT_OUT] }, FOUR, X::GatherCmp($channel))),
    )*] };
    (cube $t:ident, $c:literal, $($name:literal $cmp:literal $channel:literal),*) => { &[$(
        m(O::$t, $name, "s x", const { &[SAMPLER, fv($c)] }, FOUR, X::Gather($channel)),
        m(O::$t, $name, "s x status", const { &[SAMPLER, fv($c), UINT_OUT] }, FOUR, X::Gather($channel)),
        gather_cmp($channel, m(O::$t, $cmp, "s x compareValue", const { &[COMPARER, fv($c), F] }, FOUR, X::GatherCmp($channel))),
        gather_cmp($channel, m(O::$t, $cmp, "s x compareValue status", const { &[COMPARER, fv($c), F, UINT_OUT] }, FOUR, X::GatherCmp($channel))),
    )*] };
}
/// Gathering whole texels.
#[rustfmt::skip]
macro_rules! raw_gathers {
    ($t:ident, $c:literal) => {
        statuses!($t, "GatherRaw", "s x", [SAMPLER, fv($c)], iv(2), FOUR, X::GatherRaw, 7)
    };
}
pub(super) use {clamps, cmp_clamps, cmp_statuses, gathers, lods, offsets, raw_gathers, statuses};
