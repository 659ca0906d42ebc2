//! Level of detail: mip levels, filter and anisotropic samples from gradients or an explicit level.

use super::taps::Position;
use super::{Lod, cube};
use crate::cpu::resources::image::ImageView;
use crate::device::SamplerDesc;

/// Derivatives of coordinates in x and y.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Gradients {
    /// In x.
    pub x: [f32; 3],
    /// In y.
    pub y: [f32; 3],
}

/// Maximum number of anisotropic samples, the limit of Direct3D.
const MAX_ANISOTROPY: u32 = 16;

/// The mip levels to blend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Levels {
    /// The more detailed one.
    pub first: usize,
    /// The weight of the next level, in [0, 1); 0 if there is none.
    pub blend: f32,
}

impl Levels {
    /// The level with the larger weight.
    pub fn nearest(&self) -> usize {
        (self.first as f32 + self.blend).round_ties_even() as usize
    }
}

/// Anisotropic samples along a line, by distance from its centre in coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Along {
    line: [f64; 2],
    count: u32,
}

impl Along {
    /// Whether there is a single sample, at the centre.
    pub fn is_empty(&self) -> bool {
        self.count < 2
    }
    /// The number of samples.
    pub fn count(&self) -> u32 {
        self.count
    }
    /// Their offsets.
    pub fn steps(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let n = f64::from(self.count);
        (0..self.count).map(move |i| self.line.map(|x| x * ((f64::from(i) + 0.5) / n - 0.5)))
    }
}

/// The parameters of filtering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chosen {
    /// The mip levels.
    pub levels: Levels,
    /// Whether texels of a level are interpolated.
    pub linear: bool,
    /// The sample positions.
    pub along: Along,
}

/// A footprint: its LOD before bias and clamping, and its major axis.
#[derive(Clone, Copy, Debug)]
struct Footprint {
    lod: f32,
    along: Along,
}

/// The footprint of gradients in texels of the first level, in f64 so that no texture is too large.
fn footprint(at: &Position<'_>, of: Gradients) -> Footprint {
    let size = at.size(0).map(f64::from);
    let gradient = |g: [f32; 3]| -> [f64; 3] {
        let g = g.map(f64::from);
        match at.direction {
            Some(d) => {
                let [u, v] = cube::derivative(d, g);
                [u, v, 0.0]
            }
            None => g,
        }
    };
    let (x, y) = (gradient(of.x), gradient(of.y));
    let length = |g: [f64; 3]| (0..at.dims).map(|i| (g[i] * size[i]).powi(2)).sum::<f64>().sqrt();
    let (long_x, long_y) = (length(x), length(y));
    let (longest, shortest) = (long_x.max(long_y), long_x.min(long_y));
    let most = at.sampler.max_anisotropy.min(MAX_ANISOTROPY);
    if most < 2 || at.dims != 2 || at.direction.is_some() || !longest.is_finite() || longest <= 0.0 {
        return Footprint { lod: longest.log2() as f32, along: Along::default() };
    }
    // Infinite if one gradient is zero, and then clamped to the maximum.
    let ratio = (longest / shortest).ceil().min(f64::from(most)).max(1.0);
    let major = if long_x >= long_y { x } else { y };
    let along = Along { line: [major[0], major[1]], count: ratio as u32 };
    Footprint { lod: (longest / ratio).log2() as f32, along }
}

/// `max` and `min` instead of `clamp`, to accept NaN and inverted limits.
fn limit(x: f32, low: f32, high: f32) -> f32 {
    x.max(low).min(high)
}

/// The mip levels, filter and sample positions of a sample.
pub(super) fn choose(at: &Position<'_>, lod: Lod) -> Chosen {
    let s = at.sampler;
    let (lod, along) = match lod {
        Lod::Level(lod) => (limit(lod + s.mip_bias, s.min_lod, s.max_lod), Along::default()),
        Lod::Gradients { of, bias, clamp } => {
            let f = footprint(at, of);
            let bias = limit(s.mip_bias + bias, -16.0, 15.99);
            (limit(f.lod + bias, s.min_lod, s.max_lod).max(clamp), f.along)
        }
    };
    let magnified = lod <= 0.0;
    let linear = s.max_anisotropy > 1 || if magnified { s.mag_linear } else { s.min_linear };
    let last = at.view.image.levels().len() - 1;
    let lod = limit(lod, 0.0, last as f32);
    let levels = if s.mip_linear || s.max_anisotropy > 1 {
        let first = lod.floor();
        Levels { first: first as usize, blend: lod - first }
    } else {
        Levels { first: lod.round_ties_even() as usize, blend: 0.0 }
    };
    Chosen { levels, linear, along: if magnified { Along::default() } else { along } }
}

/// `calculateLOD`: the LOD of sampling with these gradients; with `clamped`, clamped by sampler and image.
pub fn level_of_detail(view: ImageView<'_>, sampler: &SamplerDesc, coords: [f32; 3], of: Gradients, clamped: bool) -> f32 {
    let [x, y, z] = coords;
    let at = Position::new(view, sampler, [x, y, z, 0.0], [0; 3]);
    let lod = footprint(&at, of).lod + sampler.mip_bias;
    let last = (view.image.levels().len() - 1) as f32;
    match clamped {
        true => limit(limit(lod, sampler.min_lod, sampler.max_lod), 0.0, last),
        false => lod,
    }
}
