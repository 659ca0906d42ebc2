//! Texture sampling: selection and weighting of texels.
//!
//! ```text
//! coordinates ─► layer, face, position ──┐
//! gradients or level ─► LOD ─► mip levels ─┴─► texels by address mode ─► weights ─► sum
//! ```
//!
//! Implements Direct3D's functional specification (7.18) and, where that leaves a choice, Vulkan's chapter on image operations:
//! the nearest level is the LOD rounded to nearest even, LODs up to 0 magnify, array layers are rounded to nearest even and
//! clamped. Weights are not quantised. Cube edges are seamless whatever the address modes; a texel at a corner of a cube is the
//! mean of the three adjacent ones. Integer formats are not filtered.
//!
//! Anisotropic filtering averages as many samples along the longer gradient as the ratio of the gradients, up to the sampler's
//! limit, all of the level in which the shorter gradient is one texel. It requires two dimensions and gradients; all other cases
//! are filtered linearly.

mod address;
mod cube;
mod lod;
mod taps;

use super::image::ImageView;
use crate::device::{Channel, Compare, SamplerDesc};
use lod::{Chosen, Levels};
use taps::Position;

pub use lod::{Gradients, level_of_detail};

/// The source of the level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lod {
    /// Explicit.
    Level(f32),
    /// From gradients of the coordinates, plus a bias, clamped to at least `clamp`.
    Gradients {
        /// The gradients.
        of: Gradients,
        /// The shader's bias.
        bias: f32,
        /// Minimum level.
        clamp: f32,
    },
}

/// Four values of a texel, as defined in [`super::format`].
pub type Texel = [u32; 4];

/// Coordinates of a texture operation, the array slice last.
pub type Coords = [f32; 4];

/// A filtered texel: `sample`, `sampleBias`, `sampleLevel`, `sampleGrad`.
pub fn sample(view: ImageView<'_>, sampler: &SamplerDesc, coords: Coords, offset: [i32; 3], lod: Lod) -> Texel {
    let at = Position::new(view, sampler, coords, offset);
    let chosen = lod::choose(&at, lod);
    if view.image.desc().format.is_integer() {
        return at.nearest(chosen.levels.nearest());
    }
    filter(&at, &chosen, &|texel| texel.map(f32::from_bits)).map(f32::to_bits)
}

/// Reports every texel that [`sample`] would read, with its level, for sampler feedback.
pub fn wanted(view: ImageView<'_>, sampler: &SamplerDesc, coords: Coords, lod: Lod, found: &mut impl FnMut(usize, [u32; 3])) {
    let at = Position::new(view, sampler, coords, [0; 3]);
    let chosen = lod::choose(&at, lod);
    if view.image.desc().format.is_integer() {
        return at.each(chosen.levels.nearest(), false, found);
    }
    let mut levels = |at: &Position<'_>| {
        at.each(chosen.levels.first, chosen.linear, found);
        if chosen.levels.blend != 0.0 {
            at.each(chosen.levels.first + 1, chosen.linear, found);
        }
    };
    match chosen.along.is_empty() {
        true => levels(&at),
        false => chosen.along.steps().for_each(|step| levels(&at.moved(step))),
    }
}

/// The weight of the filter's footprint that passes the comparison with `reference`: `sampleCmp` and variants.
pub fn compare(view: ImageView<'_>, sampler: &SamplerDesc, coords: Coords, offset: [i32; 3], lod: Lod, reference: f32) -> f32 {
    let at = Position::new(view, sampler, coords, offset);
    let chosen = lod::choose(&at, lod);
    let passes = passes(view, sampler, reference);
    filter(&at, &chosen, &|texel| [passes(f32::from_bits(texel[0])), 0.0, 0.0, 0.0])[0]
}

/// One channel of the four texels of linear filtering in the first level, counter-clockwise from the lower left: `textureGather`.
pub fn gather(view: ImageView<'_>, sampler: &SamplerDesc, coords: Coords, offset: [i32; 2], channel: u32) -> Texel {
    let at = Position::new(view, sampler, coords, [offset[0], offset[1], 0]);
    let channel = channel.min(3) as usize;
    at.footprint().map(|fetch| at.value(fetch)[channel])
}

/// [`gather`] of the comparison results: `textureGatherCmp`.
pub fn gather_compare(view: ImageView<'_>, sampler: &SamplerDesc, coords: Coords, offset: [i32; 2], channel: u32, reference: f32) -> Texel {
    let passes = passes(view, sampler, reference);
    gather(view, sampler, coords, offset, channel).map(|x| passes(f32::from_bits(x)).to_bits())
}

/// All bits of the four texels, up to 64 each: `textureGatherRaw`. Zero out of bounds.
pub fn gather_raw(view: ImageView<'_>, sampler: &SamplerDesc, coords: Coords, offset: [i32; 2]) -> [u64; 4] {
    let at = Position::new(view, sampler, coords, [offset[0], offset[1], 0]);
    at.footprint().map(|fetch| at.raw(fetch))
}

/// The comparison result of a texel: 1 or 0. Normalised formats clamp the reference to their range.
fn passes(view: ImageView<'_>, sampler: &SamplerDesc, reference: f32) -> impl Fn(f32) -> f32 + use<> {
    let reference = match view.image.desc().format.channel() {
        Channel::Unorm8 => reference.clamp(0.0, 1.0),
        _ => reference,
    };
    let compare = sampler.compare.unwrap_or(Compare::Never);
    move |texel| {
        let pass = match compare {
            Compare::Never => false,
            Compare::Less => reference < texel,
            Compare::Equal => reference == texel,
            Compare::LessEqual => reference <= texel,
            Compare::Greater => reference > texel,
            Compare::NotEqual => reference != texel,
            Compare::GreaterEqual => reference >= texel,
            Compare::Always => true,
        };
        f32::from(u8::from(pass))
    }
}

/// The weighted sum of `of` over the texels.
fn filter(at: &Position<'_>, chosen: &Chosen, of: &impl Fn(Texel) -> [f32; 4]) -> [f32; 4] {
    if chosen.along.is_empty() {
        return levels(at, &chosen.levels, chosen.linear, of);
    }
    let mut sum = [0.0; 4];
    let share = 1.0 / chosen.along.count() as f32;
    for step in chosen.along.steps() {
        add(&mut sum, levels(&at.moved(step), &chosen.levels, chosen.linear, of), share);
    }
    sum
}

fn levels(at: &Position<'_>, levels: &Levels, linear: bool, of: &impl Fn(Texel) -> [f32; 4]) -> [f32; 4] {
    let first = at.filtered(levels.first, linear, of);
    if levels.blend == 0.0 {
        return first;
    }
    mix(first, at.filtered(levels.first + 1, linear, of), levels.blend)
}

/// Interpolates from `a` to `b`. Equal values stay exact, and a value without weight is ignored, even if infinite.
#[inline]
fn mix(a: [f32; 4], b: [f32; 4], t: f32) -> [f32; 4] {
    if t == 0.0 {
        return a;
    }
    std::array::from_fn(|i| {
        let way = b[i] - a[i];
        if way.is_finite() { a[i] + way * t } else { a[i] * (1.0 - t) + b[i] * t }
    })
}

fn add(sum: &mut [f32; 4], x: [f32; 4], weight: f32) {
    for (s, x) in sum.iter_mut().zip(x) {
        *s += x * weight;
    }
}

#[cfg(test)]
mod tests;
