//! Methods of textures. The sampled ones share their overloads, which differ in the number of coordinates,
//! of gradient components and of offset components only; a macro writes them out for each texture type.

use super::objects::Object as O;
use super::pattern::*;
use super::{Expander as X, Intrinsic, Lower, method};
use crate::stages::StageMask;

const FLOATS_LIKE: Pat = Pat::Num(Shape::Scalar, Class::FloatLike);
/// Four values of one channel.
const FOUR: Pat = Pat::Num(Shape::Vec(Dim::N(4)), Class::Elem);
const UINT_OUT: Param = o(Pat::Num(Shape::Scalar, Class::UintOnly));
const FLOAT_OUT: Param = o(FLOATS_LIKE);
const SAMPLER: Param = i(Pat::Object(O::SamplerState));
const COMPARER: Param = i(Pat::Object(O::SamplerComparisonState));
const F: Param = i(FLOAT);

const fn fv(n: u8) -> Param {
    i(vec(n, Class::Float))
}
const fn iv(n: u8) -> Param {
    i(vec(n, Class::Int))
}
const fn m(
    object: O,
    name: &'static str,
    names: &'static str,
    params: &'static [Param],
    ret: Pat,
    x: X,
) -> Intrinsic {
    method(object, name, names, params, ret, Lower::Expand(x))
}
/// A method that takes derivatives between threads: not in the ray-tracing stages.
const fn derived(
    object: O,
    name: &'static str,
    names: &'static str,
    params: &'static [Param],
    ret: Pat,
    x: X,
) -> Intrinsic {
    let mut row = m(object, name, names, params, ret, x);
    row.stages = StageMask::CS.union(StageMask::LIB);
    row.sm(6)
}

/// Sampling with offsets. `$c` coordinates, `$g` gradient components, `$o` offset components.
macro_rules! sampling {
    ($t:ident, $c:literal, $g:literal, $o:literal) => {
        &[
            derived(
                O::$t,
                "Sample",
                "s x",
                &[SAMPLER, fv($c)],
                Pat::Elem,
                X::Sample,
            ),
            derived(
                O::$t,
                "Sample",
                "s x o",
                &[SAMPLER, fv($c), iv($o)],
                Pat::Elem,
                X::Sample,
            ),
            derived(
                O::$t,
                "Sample",
                "s x o clamp",
                &[SAMPLER, fv($c), iv($o), F],
                Pat::Elem,
                X::Sample,
            ),
            derived(
                O::$t,
                "Sample",
                "s x o clamp status",
                &[SAMPLER, fv($c), iv($o), F, UINT_OUT],
                Pat::Elem,
                X::Sample,
            ),
            derived(
                O::$t,
                "SampleBias",
                "s x bias",
                &[SAMPLER, fv($c), F],
                Pat::Elem,
                X::SampleBias,
            ),
            derived(
                O::$t,
                "SampleBias",
                "s x bias o",
                &[SAMPLER, fv($c), F, iv($o)],
                Pat::Elem,
                X::SampleBias,
            ),
            derived(
                O::$t,
                "SampleBias",
                "s x bias o clamp",
                &[SAMPLER, fv($c), F, iv($o), F],
                Pat::Elem,
                X::SampleBias,
            ),
            derived(
                O::$t,
                "SampleBias",
                "s x bias o clamp status",
                &[SAMPLER, fv($c), F, iv($o), F, UINT_OUT],
                Pat::Elem,
                X::SampleBias,
            ),
            m(
                O::$t,
                "SampleLevel",
                "s x lod",
                &[SAMPLER, fv($c), F],
                Pat::Elem,
                X::SampleLevel,
            ),
            m(
                O::$t,
                "SampleLevel",
                "s x lod o",
                &[SAMPLER, fv($c), F, iv($o)],
                Pat::Elem,
                X::SampleLevel,
            ),
            m(
                O::$t,
                "SampleLevel",
                "s x lod o status",
                &[SAMPLER, fv($c), F, iv($o), UINT_OUT],
                Pat::Elem,
                X::SampleLevel,
            ),
            m(
                O::$t,
                "SampleGrad",
                "s x ddx ddy",
                &[SAMPLER, fv($c), fv($g), fv($g)],
                Pat::Elem,
                X::SampleGrad,
            ),
            m(
                O::$t,
                "SampleGrad",
                "s x ddx ddy o",
                &[SAMPLER, fv($c), fv($g), fv($g), iv($o)],
                Pat::Elem,
                X::SampleGrad,
            ),
            m(
                O::$t,
                "SampleGrad",
                "s x ddx ddy o clamp",
                &[SAMPLER, fv($c), fv($g), fv($g), iv($o), F],
                Pat::Elem,
                X::SampleGrad,
            ),
            m(
                O::$t,
                "SampleGrad",
                "s x ddx ddy o clamp status",
                &[SAMPLER, fv($c), fv($g), fv($g), iv($o), F, UINT_OUT],
                Pat::Elem,
                X::SampleGrad,
            ),
        ]
    };
}

/// Sampling of cubes, which have no offsets.
macro_rules! cube_sampling {
    ($t:ident, $c:literal) => {
        &[
            derived(
                O::$t,
                "Sample",
                "s x",
                &[SAMPLER, fv($c)],
                Pat::Elem,
                X::Sample,
            ),
            derived(
                O::$t,
                "Sample",
                "s x clamp",
                &[SAMPLER, fv($c), F],
                Pat::Elem,
                X::Sample,
            ),
            derived(
                O::$t,
                "Sample",
                "s x clamp status",
                &[SAMPLER, fv($c), F, UINT_OUT],
                Pat::Elem,
                X::Sample,
            ),
            derived(
                O::$t,
                "SampleBias",
                "s x bias",
                &[SAMPLER, fv($c), F],
                Pat::Elem,
                X::SampleBias,
            ),
            derived(
                O::$t,
                "SampleBias",
                "s x bias clamp",
                &[SAMPLER, fv($c), F, F],
                Pat::Elem,
                X::SampleBias,
            ),
            derived(
                O::$t,
                "SampleBias",
                "s x bias clamp status",
                &[SAMPLER, fv($c), F, F, UINT_OUT],
                Pat::Elem,
                X::SampleBias,
            ),
            m(
                O::$t,
                "SampleLevel",
                "s x lod",
                &[SAMPLER, fv($c), F],
                Pat::Elem,
                X::SampleLevel,
            ),
            m(
                O::$t,
                "SampleLevel",
                "s x lod status",
                &[SAMPLER, fv($c), F, UINT_OUT],
                Pat::Elem,
                X::SampleLevel,
            ),
            m(
                O::$t,
                "SampleGrad",
                "s x ddx ddy",
                &[SAMPLER, fv($c), fv(3), fv(3)],
                Pat::Elem,
                X::SampleGrad,
            ),
            m(
                O::$t,
                "SampleGrad",
                "s x ddx ddy clamp",
                &[SAMPLER, fv($c), fv(3), fv(3), F],
                Pat::Elem,
                X::SampleGrad,
            ),
            m(
                O::$t,
                "SampleGrad",
                "s x ddx ddy clamp status",
                &[SAMPLER, fv($c), fv(3), fv(3), F, UINT_OUT],
                Pat::Elem,
                X::SampleGrad,
            ),
            derived(
                O::$t,
                "SampleCmp",
                "s x compareValue",
                &[COMPARER, fv($c), F],
                FLOAT,
                X::SampleCmp,
            ),
            derived(
                O::$t,
                "SampleCmp",
                "s x compareValue clamp",
                &[COMPARER, fv($c), F, F],
                FLOAT,
                X::SampleCmp,
            ),
            derived(
                O::$t,
                "SampleCmp",
                "s x compareValue clamp status",
                &[COMPARER, fv($c), F, F, UINT_OUT],
                FLOAT,
                X::SampleCmp,
            ),
            m(
                O::$t,
                "SampleCmpLevel",
                "s x compareValue lod",
                &[COMPARER, fv($c), F, F],
                FLOAT,
                X::SampleCmpLevel,
            )
            .sm(7),
            m(
                O::$t,
                "SampleCmpLevel",
                "s x compareValue lod status",
                &[COMPARER, fv($c), F, F, UINT_OUT],
                FLOAT,
                X::SampleCmpLevel,
            )
            .sm(7),
            m(
                O::$t,
                "SampleCmpLevelZero",
                "s x compareValue",
                &[COMPARER, fv($c), F],
                FLOAT,
                X::SampleCmpLevelZero,
            ),
            m(
                O::$t,
                "SampleCmpLevelZero",
                "s x compareValue status",
                &[COMPARER, fv($c), F, UINT_OUT],
                FLOAT,
                X::SampleCmpLevelZero,
            ),
            m(
                O::$t,
                "Gather",
                "s x",
                &[SAMPLER, fv($c)],
                FOUR,
                X::Gather(0),
            ),
            m(
                O::$t,
                "Gather",
                "s x status",
                &[SAMPLER, fv($c), UINT_OUT],
                FOUR,
                X::Gather(0),
            ),
            m(
                O::$t,
                "GatherRed",
                "s x",
                &[SAMPLER, fv($c)],
                FOUR,
                X::Gather(0),
            ),
            m(
                O::$t,
                "GatherGreen",
                "s x",
                &[SAMPLER, fv($c)],
                FOUR,
                X::Gather(1),
            ),
            m(
                O::$t,
                "GatherBlue",
                "s x",
                &[SAMPLER, fv($c)],
                FOUR,
                X::Gather(2),
            ),
            m(
                O::$t,
                "GatherAlpha",
                "s x",
                &[SAMPLER, fv($c)],
                FOUR,
                X::Gather(3),
            ),
            m(
                O::$t,
                "GatherCmp",
                "s x compareValue",
                &[COMPARER, fv($c), F],
                FOUR,
                X::GatherCmp(0),
            ),
            m(
                O::$t,
                "GatherCmpRed",
                "s x compareValue",
                &[COMPARER, fv($c), F],
                FOUR,
                X::GatherCmp(0),
            ),
        ]
    };
}

/// Comparison sampling.
macro_rules! comparing {
    ($t:ident, $c:literal, $o:literal) => {
        &[
            derived(
                O::$t,
                "SampleCmp",
                "s x compareValue",
                &[COMPARER, fv($c), F],
                FLOAT,
                X::SampleCmp,
            ),
            derived(
                O::$t,
                "SampleCmp",
                "s x compareValue o",
                &[COMPARER, fv($c), F, iv($o)],
                FLOAT,
                X::SampleCmp,
            ),
            derived(
                O::$t,
                "SampleCmp",
                "s x compareValue o clamp",
                &[COMPARER, fv($c), F, iv($o), F],
                FLOAT,
                X::SampleCmp,
            ),
            derived(
                O::$t,
                "SampleCmp",
                "s x compareValue o clamp status",
                &[COMPARER, fv($c), F, iv($o), F, UINT_OUT],
                FLOAT,
                X::SampleCmp,
            ),
            m(
                O::$t,
                "SampleCmpLevel",
                "s x compareValue lod",
                &[COMPARER, fv($c), F, F],
                FLOAT,
                X::SampleCmpLevel,
            )
            .sm(7),
            m(
                O::$t,
                "SampleCmpLevel",
                "s x compareValue lod o",
                &[COMPARER, fv($c), F, F, iv($o)],
                FLOAT,
                X::SampleCmpLevel,
            )
            .sm(7),
            m(
                O::$t,
                "SampleCmpLevel",
                "s x compareValue lod o status",
                &[COMPARER, fv($c), F, F, iv($o), UINT_OUT],
                FLOAT,
                X::SampleCmpLevel,
            )
            .sm(7),
            m(
                O::$t,
                "SampleCmpLevelZero",
                "s x compareValue",
                &[COMPARER, fv($c), F],
                FLOAT,
                X::SampleCmpLevelZero,
            ),
            m(
                O::$t,
                "SampleCmpLevelZero",
                "s x compareValue o",
                &[COMPARER, fv($c), F, iv($o)],
                FLOAT,
                X::SampleCmpLevelZero,
            ),
            m(
                O::$t,
                "SampleCmpLevelZero",
                "s x compareValue o status",
                &[COMPARER, fv($c), F, iv($o), UINT_OUT],
                FLOAT,
                X::SampleCmpLevelZero,
            ),
        ]
    };
}

/// Gathering one channel.
macro_rules! gathering {
    ($t:ident, $c:literal, $($name:literal $cmp:literal $channel:literal),*) => {
        &[$(
            m(O::$t, $name, "s x", &[SAMPLER, fv($c)], FOUR, X::Gather($channel)),
            m(O::$t, $name, "s x o", &[SAMPLER, fv($c), iv(2)], FOUR, X::Gather($channel)),
            m(O::$t, $name, "s x o status", &[SAMPLER, fv($c), iv(2), UINT_OUT], FOUR, X::Gather($channel)),
            m(O::$t, $name, "s x o1 o2 o3 o4", &[SAMPLER, fv($c), iv(2), iv(2), iv(2), iv(2)], FOUR, X::Gather($channel)),
            m(O::$t, $name, "s x o1 o2 o3 o4 status", &[SAMPLER, fv($c), iv(2), iv(2), iv(2), iv(2), UINT_OUT], FOUR, X::Gather($channel)),
            m(O::$t, $cmp, "s x compareValue", &[COMPARER, fv($c), F], FOUR, X::GatherCmp($channel)),
            m(O::$t, $cmp, "s x compareValue o", &[COMPARER, fv($c), F, iv(2)], FOUR, X::GatherCmp($channel)),
            m(O::$t, $cmp, "s x compareValue o status", &[COMPARER, fv($c), F, iv(2), UINT_OUT], FOUR, X::GatherCmp($channel)),
            m(O::$t, $cmp, "s x compareValue o1 o2 o3 o4", &[COMPARER, fv($c), F, iv(2), iv(2), iv(2), iv(2)], FOUR, X::GatherCmp($channel)),
            m(O::$t, $cmp, "s x compareValue o1 o2 o3 o4 status", &[COMPARER, fv($c), F, iv(2), iv(2), iv(2), iv(2), UINT_OUT], FOUR, X::GatherCmp($channel)),
        )*]
    };
}
macro_rules! all_channels {
    ($t:ident, $c:literal) => {
        gathering!($t, $c, "Gather" "GatherCmp" 0, "GatherRed" "GatherCmpRed" 0, "GatherGreen" "GatherCmpGreen" 1,
            "GatherBlue" "GatherCmpBlue" 2, "GatherAlpha" "GatherCmpAlpha" 3)
    };
}

/// `Load` with `$l` integers, the last of which is the mip level.
macro_rules! loading {
    ($t:ident, $l:literal, $o:literal) => {
        &[
            m(O::$t, "Load", "x", &[iv($l)], Pat::Elem, X::TexLoad),
            m(
                O::$t,
                "Load",
                "x o",
                &[iv($l), iv($o)],
                Pat::Elem,
                X::TexLoad,
            ),
            m(
                O::$t,
                "Load",
                "x o status",
                &[iv($l), iv($o), UINT_OUT],
                Pat::Elem,
                X::TexLoad,
            ),
        ]
    };
}
/// `Load` of what has no mip levels.
macro_rules! rw_loading {
    ($t:ident, $l:literal) => {
        &[
            m(O::$t, "Load", "x", &[iv($l)], Pat::Elem, X::TexLoad),
            m(
                O::$t,
                "Load",
                "x status",
                &[iv($l), UINT_OUT],
                Pat::Elem,
                X::TexLoad,
            ),
        ]
    };
}
/// `Load` of a sample.
macro_rules! ms_loading {
    ($t:ident, $l:literal) => {
        &[
            m(
                O::$t,
                "Load",
                "x s",
                &[iv($l), i(INT)],
                Pat::Elem,
                X::TexLoad,
            ),
            m(
                O::$t,
                "Load",
                "x s o",
                &[iv($l), i(INT), iv(2)],
                Pat::Elem,
                X::TexLoad,
            ),
            m(
                O::$t,
                "Load",
                "x s o status",
                &[iv($l), i(INT), iv(2), UINT_OUT],
                Pat::Elem,
                X::TexLoad,
            ),
        ]
    };
}
/// `GetDimensions` of the sizes named.
macro_rules! sizes {
    ($t:ident, $names:literal $(, $x:ident)*) => {
        &[
            m(O::$t, "GetDimensions", $names, &[$(sizes!(@u $x)),*], VOID, X::TexSize),
            m(O::$t, "GetDimensions", $names, &[$(sizes!(@f $x)),*], VOID, X::TexSize),
        ]
    };
    (@u $x:ident) => { UINT_OUT };
    (@f $x:ident) => { FLOAT_OUT };
}
/// The same with a mip level before and the number of levels after.
macro_rules! level_sizes {
    ($t:ident, $names:literal $(, $x:ident)*) => {
        &[
            m(O::$t, "GetDimensions", $names, &[i(UINT), $(sizes!(@u $x),)* UINT_OUT], VOID, X::TexSize),
            m(O::$t, "GetDimensions", $names, &[i(UINT), $(sizes!(@f $x),)* FLOAT_OUT], VOID, X::TexSize),
        ]
    };
}

/// Rows of several lists in one.
const fn join<const N: usize>(lists: &[&[Intrinsic]]) -> [Intrinsic; N] {
    let mut out = [const { m(O::Texture1D, "", "", &[], VOID, X::NotYet) }; N];
    let (mut list, mut at, mut n) = (0, 0, 0);
    while list < lists.len() {
        if at == lists[list].len() {
            (list, at) = (list + 1, 0);
            continue;
        }
        let r = &lists[list][at];
        out[n] = Intrinsic {
            scope: r.scope,
            name: r.name,
            param_names: r.param_names,
            params: r.params,
            ret: r.ret,
            shader_model: r.shader_model,
            stages: r.stages,
            lowers: r.lowers,
        };
        (at, n) = (at + 1, n + 1);
    }
    assert!(n == N);
    out
}
const fn count(lists: &[&[Intrinsic]]) -> usize {
    let (mut n, mut list) = (0, 0);
    while list < lists.len() {
        n += lists[list].len();
        list += 1;
    }
    n
}
macro_rules! rows {
    ($(#[$doc:meta])* $name:ident = $($list:expr,)*) => {
        $(#[$doc])*
        pub const $name: &[Intrinsic] = {
            const LISTS: &[&[Intrinsic]] = &[$($list),*];
            const ALL: [Intrinsic; count(LISTS)] = join(LISTS);
            &ALL
        };
    };
}

rows! {
    /// `Texture1D`.
    TEXTURE_1D = sampling!(Texture1D, 1, 1, 1), comparing!(Texture1D, 1, 1), loading!(Texture1D, 2, 1),
    sizes!(Texture1D, "width", w), level_sizes!(Texture1D, "mip width levels", w),
}
rows! {
    /// `Texture1DArray`.
    TEXTURE_1D_ARRAY = sampling!(Texture1DArray, 2, 1, 1), comparing!(Texture1DArray, 2, 1), loading!(Texture1DArray, 3, 1),
    sizes!(Texture1DArray, "width elements", w, e), level_sizes!(Texture1DArray, "mip width elements levels", w, e),
}
rows! {
    /// `Texture2D`.
    TEXTURE_2D = sampling!(Texture2D, 2, 2, 2), comparing!(Texture2D, 2, 2), loading!(Texture2D, 3, 2), all_channels!(Texture2D, 2),
    sizes!(Texture2D, "width height", w, h), level_sizes!(Texture2D, "mip width height levels", w, h),
}
rows! {
    /// `Texture2DArray`.
    TEXTURE_2D_ARRAY = sampling!(Texture2DArray, 3, 2, 2), comparing!(Texture2DArray, 3, 2), loading!(Texture2DArray, 4, 2),
    all_channels!(Texture2DArray, 3),
    sizes!(Texture2DArray, "width height elements", w, h, e), level_sizes!(Texture2DArray, "mip width height elements levels", w, h, e),
}
rows! {
    /// `Texture3D`.
    TEXTURE_3D = sampling!(Texture3D, 3, 3, 3), loading!(Texture3D, 4, 3),
    sizes!(Texture3D, "width height depth", w, h, d), level_sizes!(Texture3D, "mip width height depth levels", w, h, d),
}
rows! {
    /// `TextureCube`.
    TEXTURE_CUBE = cube_sampling!(TextureCube, 3),
    sizes!(TextureCube, "width height", w, h), level_sizes!(TextureCube, "mip width height levels", w, h),
}
rows! {
    /// `TextureCubeArray`.
    TEXTURE_CUBE_ARRAY = cube_sampling!(TextureCubeArray, 4),
    sizes!(TextureCubeArray, "width height elements", w, h, e), level_sizes!(TextureCubeArray, "mip width height elements levels", w, h, e),
}
rows! {
    /// Multisampled and writable textures.
    OTHERS = ms_loading!(Texture2DMS, 2), sizes!(Texture2DMS, "width height samples", w, h, s),
    ms_loading!(Texture2DMSArray, 3), sizes!(Texture2DMSArray, "width height elements samples", w, h, e, s),
    rw_loading!(RWTexture1D, 1), sizes!(RWTexture1D, "width", w),
    rw_loading!(RWTexture1DArray, 2), sizes!(RWTexture1DArray, "width elements", w, e),
    rw_loading!(RWTexture2D, 2), sizes!(RWTexture2D, "width height", w, h),
    rw_loading!(RWTexture2DArray, 3), sizes!(RWTexture2DArray, "width height elements", w, h, e),
    rw_loading!(RWTexture3D, 3), sizes!(RWTexture3D, "width height depth", w, h, d),
    ms_loading!(RWTexture2DMS, 2), sizes!(RWTexture2DMS, "width height samples", w, h, s),
    ms_loading!(RWTexture2DMSArray, 3), sizes!(RWTexture2DMSArray, "width height elements samples", w, h, e, s),
}
