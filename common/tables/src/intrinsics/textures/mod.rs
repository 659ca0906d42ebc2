//! Methods of textures, one list for each type. Overloads differ in a few trailing parameters (texel offset, level
//! clamp, residency status) and in the numbers of coordinates, of gradient components and of offset components;
//! macros write them out.

mod feedback;
mod read;
mod sample;

use super::objects::Object as O;
use super::pattern::*;
use super::{Expander as X, Intrinsic, Lower, Target, method};
use crate::stages::StageMask;
use read::{levels, loads, ms_loads, rw_loads, rw_ms_loads, sample_position, sizes};
use sample::{clamps, cmp_clamps, cmp_statuses, gathers, lods, offsets, raw_gathers, statuses};

pub use feedback::ROWS as FEEDBACK;

const UINT_OUT: Param = o(Pat::Num(Shape::Scalar, Class::UintOnly));
const FLOAT_OUT: Param = o(Pat::Num(Shape::Scalar, Class::FloatLike));
const SAMPLER: Param = i(Pat::Object(O::SamplerState));
const COMPARER: Param = i(Pat::Object(O::SamplerComparisonState));
const F: Param = i(FLOAT);
/// Four values of one channel.
const FOUR: Pat = Pat::Num(Shape::Vec(Dim::N(4)), Class::Elem);

const fn fv(n: u8) -> Param {
    i(vec(n, Class::Float))
}
const fn iv(n: u8) -> Param {
    i(vec(n, Class::Int))
}
const fn m(object: O, name: &'static str, names: &'static str, params: &'static [Param], ret: Pat, x: X) -> Intrinsic {
    method(object, name, names, params, ret, Lower::Expand(x))
}
/// Vulkan compares the first channel alone.
const fn gather_cmp(channel: u8, row: Intrinsic) -> Intrinsic {
    match channel {
        0 => row,
        _ => row.missing(Target::Spirv, "Vulkan compares the red channel alone"),
    }
}

/// The alternative to a method that takes derivatives.
type Alternative = &'static str;
const PLAIN: Alternative = "`SampleLevel` or `SampleGrad`";
const CMP: Alternative = "`SampleCmpLevelZero`, `SampleCmpLevel` or `SampleCmpGrad`";
const LEVEL: Alternative = "a level from a ray cone or ray differentials";

/// A method that takes derivatives between threads: not in the ray-tracing stages.
const fn derived(
    alternative: Alternative,
    object: O,
    name: &'static str,
    names: &'static str,
    params: &'static [Param],
    ret: Pat,
    x: X,
) -> Intrinsic {
    m(object, name, names, params, ret, x).stages(StageMask::QUADS.with_library()).without_derivatives(alternative).sm(6)
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
        out[n] = lists[list][at];
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

/// Everything that samples a texture with texel offsets: `$c` coordinates, `$g` gradient and offset components.
macro_rules! sampled {
    ($(#[$doc:meta])* $name:ident = $t:ident, $c:literal, $g:literal, $($more:expr,)*) => {
        rows! {
            $(#[$doc])*
            $name =
            offsets!(derived(PLAIN), $t, "Sample", "s x", [SAMPLER, fv($c)], $g, Pat::Elem, X::Sample),
            offsets!(derived(PLAIN), $t, "SampleBias", "s x bias", [SAMPLER, fv($c), F], $g, Pat::Elem, X::SampleBias),
            offsets!(m, $t, "SampleGrad", "s x ddx ddy", [SAMPLER, fv($c), fv($g), fv($g)], $g, Pat::Elem, X::SampleGrad),
            statuses!($t, "SampleLevel", "s x lod", [SAMPLER, fv($c), F], iv($g), Pat::Elem, X::SampleLevel, 0),
            lods!($t, $g),
            $($more,)*
        }
    };
}
/// Comparison with texel offsets.
macro_rules! compared {
    ($(#[$doc:meta])* $name:ident = $t:ident, $c:literal, $g:literal) => {
        rows! {
            $(#[$doc])*
            $name =
            offsets!(derived(CMP), $t, "SampleCmp", "s x compareValue", [COMPARER, fv($c), F], $g, FLOAT, X::SampleCmp),
            offsets!(derived8(CMP), $t, "SampleCmpBias", "s x compareValue bias", [COMPARER, fv($c), F, F], $g, FLOAT, X::SampleCmpBias),
            offsets!(m8, $t, "SampleCmpGrad", "s x compareValue ddx ddy", [COMPARER, fv($c), F, fv($g), fv($g)], $g, FLOAT, X::SampleCmpGrad),
            statuses!($t, "SampleCmpLevel", "s x compareValue lod", [COMPARER, fv($c), F, F], iv($g), FLOAT, X::SampleCmpLevel, 7),
            statuses!($t, "SampleCmpLevelZero", "s x compareValue", [COMPARER, fv($c), F], iv($g), FLOAT, X::SampleCmpLevelZero, 0),
        }
    };
}
/// Sampling and comparison of cubes, which have no offsets.
macro_rules! cube {
    ($(#[$doc:meta])* $name:ident = $t:ident, $c:literal, $($more:expr,)*) => {
        rows! {
            $(#[$doc])*
            $name =
            clamps!(derived(PLAIN), $t, "Sample", "s x", [SAMPLER, fv($c)], Pat::Elem, X::Sample),
            clamps!(derived(PLAIN), $t, "SampleBias", "s x bias", [SAMPLER, fv($c), F], Pat::Elem, X::SampleBias),
            clamps!(m, $t, "SampleGrad", "s x ddx ddy", [SAMPLER, fv($c), fv(3), fv(3)], Pat::Elem, X::SampleGrad),
            cmp_statuses!($t, "SampleLevel", "s x lod", [SAMPLER, fv($c), F], Pat::Elem, X::SampleLevel, 0),
            lods!($t, 3),
            cmp_clamps!($t, "s x compareValue", [COMPARER, fv($c), F]),
            cmp_statuses!($t, "SampleCmpLevel", "s x compareValue lod", [COMPARER, fv($c), F, F], FLOAT, X::SampleCmpLevel, 7),
            cmp_statuses!($t, "SampleCmpLevelZero", "s x compareValue", [COMPARER, fv($c), F], FLOAT, X::SampleCmpLevelZero, 0),
            gathers!(cube $t, $c, "Gather" "GatherCmp" 0, "GatherRed" "GatherCmpRed" 0, "GatherGreen" "GatherCmpGreen" 1,
                "GatherBlue" "GatherCmpBlue" 2, "GatherAlpha" "GatherCmpAlpha" 3),
            $($more,)*
        }
    };
}
macro_rules! flat_gathers {
    ($t:ident, $c:literal) => {
        gathers!(flat $t, $c, "Gather" "GatherCmp" 0, "GatherRed" "GatherCmpRed" 0, "GatherGreen" "GatherCmpGreen" 1,
            "GatherBlue" "GatherCmpBlue" 2, "GatherAlpha" "GatherCmpAlpha" 3)
    };
}
const fn derived8(a: Alternative, o: O, name: &'static str, names: &'static str, p: &'static [Param], ret: Pat, x: X) -> Intrinsic {
    derived(a, o, name, names, p, ret, x).sm(8)
}
const fn m8(o: O, name: &'static str, names: &'static str, p: &'static [Param], ret: Pat, x: X) -> Intrinsic {
    m(o, name, names, p, ret, x).sm(8)
}

sampled! {
    /// `Texture1D`.
    TEXTURE_1D = Texture1D, 1, 1, loads!(Texture1D, 2, 1),
    sizes!(Texture1D, "width", w), levels!(Texture1D, "mip width levels", w),
}
compared! {
    /// Comparison with `Texture1D`.
    TEXTURE_1D_CMP = Texture1D, 1, 1
}
sampled! {
    /// `Texture1DArray`.
    TEXTURE_1D_ARRAY = Texture1DArray, 2, 1, loads!(Texture1DArray, 3, 1),
    sizes!(Texture1DArray, "width elements", w, e), levels!(Texture1DArray, "mip width elements levels", w, e),
}
compared! {
    /// Comparison with `Texture1DArray`.
    TEXTURE_1D_ARRAY_CMP = Texture1DArray, 2, 1
}
sampled! {
    /// `Texture2D`.
    TEXTURE_2D = Texture2D, 2, 2, loads!(Texture2D, 3, 2), flat_gathers!(Texture2D, 2), raw_gathers!(Texture2D, 2),
    sizes!(Texture2D, "width height", w, h), levels!(Texture2D, "mip width height levels", w, h),
}
compared! {
    /// Comparison with `Texture2D`.
    TEXTURE_2D_CMP = Texture2D, 2, 2
}
sampled! {
    /// `Texture2DArray`.
    TEXTURE_2D_ARRAY = Texture2DArray, 3, 2, loads!(Texture2DArray, 4, 2), flat_gathers!(Texture2DArray, 3), raw_gathers!(Texture2DArray, 3),
    sizes!(Texture2DArray, "width height elements", w, h, e), levels!(Texture2DArray, "mip width height elements levels", w, h, e),
}
compared! {
    /// Comparison with `Texture2DArray`.
    TEXTURE_2D_ARRAY_CMP = Texture2DArray, 3, 2
}
sampled! {
    /// `Texture3D`.
    TEXTURE_3D = Texture3D, 3, 3, loads!(Texture3D, 4, 3),
    sizes!(Texture3D, "width height depth", w, h, d), levels!(Texture3D, "mip width height depth levels", w, h, d),
}
cube! {
    /// `TextureCube`.
    TEXTURE_CUBE = TextureCube, 3,
    sizes!(TextureCube, "width height", w, h), levels!(TextureCube, "mip width height levels", w, h),
}
cube! {
    /// `TextureCubeArray`.
    TEXTURE_CUBE_ARRAY = TextureCubeArray, 4,
    sizes!(TextureCubeArray, "width height elements", w, h, e), levels!(TextureCubeArray, "mip width height elements levels", w, h, e),
}
const NO_SUBPASSES: &str = "input attachments are of Vulkan's render passes, which Direct3D has not";
const fn subpass(object: O, names: &'static str, params: &'static [Param]) -> Intrinsic {
    m(object, "SubpassLoad", names, params, Pat::Elem, X::SubpassLoad)
        .stages(StageMask::PS.with_library())
        .missing(Target::Dxil, NO_SUBPASSES)
}
/// Input attachments of Vulkan.
pub const SUBPASSES: &[Intrinsic] = &[subpass(O::SubpassInput, "", &[]), subpass(O::SubpassInputMS, "sample", &[i(INT)])];
rows! {
    /// Multisampled and writable textures.
    OTHERS = ms_loads!(Texture2DMS, 2), sizes!(Texture2DMS, "width height samples", w, h, s), sample_position!(Texture2DMS),
    ms_loads!(Texture2DMSArray, 3), sizes!(Texture2DMSArray, "width height elements samples", w, h, e, s), sample_position!(Texture2DMSArray),
    rw_loads!(RWTexture1D, 1), sizes!(RWTexture1D, "width", w),
    rw_loads!(RWTexture1DArray, 2), sizes!(RWTexture1DArray, "width elements", w, e),
    rw_loads!(RWTexture2D, 2), sizes!(RWTexture2D, "width height", w, h),
    rw_loads!(RWTexture2DArray, 3), sizes!(RWTexture2DArray, "width height elements", w, h, e),
    rw_loads!(RWTexture3D, 3), sizes!(RWTexture3D, "width height depth", w, h, d),
    rw_ms_loads!(RWTexture2DMS, 2), sizes!(RWTexture2DMS, "width height samples", w, h, s), sample_position!(RWTexture2DMS),
    rw_ms_loads!(RWTexture2DMSArray, 3), sizes!(RWTexture2DMSArray, "width height elements samples", w, h, e, s), sample_position!(RWTexture2DMSArray),
}
