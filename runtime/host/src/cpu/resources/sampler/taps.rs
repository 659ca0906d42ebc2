//! Filter taps: texels and weights for a texture position.

use super::{Coords, Texel, address, cube};
use crate::cpu::resources::format;
use crate::cpu::resources::image::ImageView;
use crate::device::{Border, SamplerDesc};
use rtc_dxil_container::ResourceKind;

/// Coordinates are clamped to this, in texels: further than any texture is large.
const FAR: f64 = (1u64 << 40) as f64;

/// A sampling position in a texture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position<'a> {
    /// The texture.
    pub view: ImageView<'a>,
    /// The sampler.
    pub sampler: &'a SamplerDesc,
    /// Number of dimensions that are interpolated.
    pub dims: usize,
    /// The direction, for a cube.
    pub direction: Option<[f64; 3]>,
    /// Normalised coordinates in each dimension.
    at: [f64; 3],
    /// Texel offsets.
    offset: [i64; 3],
    /// Array slice or face.
    layer: u32,
}

/// A texel that a filter reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fetch {
    /// A texel of the level: column, row, slice.
    Texel([u32; 3]),
    /// The border colour.
    Border,
    /// The corner of a cube, the mean of three texels.
    Corner([[u32; 3]; 3]),
}

impl<'a> Position<'a> {
    /// The position for the coordinates of an operation.
    pub fn new(view: ImageView<'a>, sampler: &'a SamplerDesc, coords: Coords, offset: [i32; 3]) -> Position<'a> {
        use ResourceKind as K;
        let layers = view.image.desc().depth;
        // Rounded to nearest even and clamped; NaN becomes 0.
        let slice = |x: f32, n: u32| (x.round_ties_even() as u32).min(n.max(1) - 1);
        let [x, y, z, w] = coords;
        let (dims, layer) = match view.kind {
            K::Texture1D => (1, 0),
            K::Texture1DArray => (1, slice(y, layers)),
            K::Texture2DArray | K::Texture2DMSArray => (2, slice(z, layers)),
            K::Texture3D => (3, 0),
            K::TextureCubeArray => (2, 6 * slice(w, layers / 6)),
            _ => (2, 0),
        };
        let mut p = Position { view, sampler, dims, direction: None, at: [x, y, z].map(f64::from), offset: [0; 3], layer };
        if matches!(view.kind, K::TextureCube | K::TextureCubeArray) {
            let there = cube::project(p.at);
            p.direction = Some(p.at);
            p.at = [there.uv[0], there.uv[1], 0.0];
            p.layer += there.face;
        } else {
            p.offset[..dims].copy_from_slice(&offset.map(i64::from)[..dims]);
        }
        p
    }

    /// The position moved by a step.
    pub fn moved(&self, step: [f64; 2]) -> Position<'a> {
        let at = [self.at[0] + step[0], self.at[1] + step[1], self.at[2]];
        Position { at, ..*self }
    }

    /// The size of a level.
    pub fn size(&self, level: usize) -> [u32; 3] {
        self.view.image.levels()[level].size
    }

    /// The coordinate in texels of a level along one axis.
    #[inline]
    fn texels(&self, axis: usize, size: u32) -> f64 {
        let x = self.at[axis] * f64::from(size) + self.offset[axis] as f64;
        // NaN becomes 0.
        if x.is_nan() { 0.0 } else { x.clamp(-FAR, FAR) }
    }

    /// The texel for indices that may be out of range.
    #[inline]
    fn fetch(&self, level: usize, at: [i64; 3]) -> Fetch {
        let size = self.size(level);
        if self.direction.is_some() {
            return self.on_cube(size[0], [at[0], at[1]]);
        }
        let mut texel = [0, 0, self.layer];
        for axis in 0..self.dims {
            match address::texel(self.sampler.address[axis], at[axis], size[axis]) {
                Some(i) => texel[axis] = i,
                None => return Fetch::Border,
            }
        }
        Fetch::Texel(texel)
    }

    fn on_cube(&self, size: u32, at: [i64; 2]) -> Fetch {
        let n = i64::from(size);
        let face = self.layer % 6;
        let first = self.layer - face;
        let inside = at.map(|x| x.clamp(0, n - 1));
        let here = |at: [i64; 2]| {
            if at == inside {
                return [at[0] as u32, at[1] as u32, self.layer];
            }
            let (face, [x, y]) = cube::neighbour(face, at, size);
            [x, y, first + face]
        };
        // Filters read at most one texel out of range.
        let near = at.map(|x| x.clamp(-1, n));
        match (near[0] == inside[0], near[1] == inside[1]) {
            (false, false) => Fetch::Corner([here(inside), here([near[0], inside[1]]), here([inside[0], near[1]])]),
            _ => Fetch::Texel(here(near)),
        }
    }

    /// The texel nearest to the position.
    fn nearest_fetch(&self, level: usize) -> Fetch {
        let size = self.size(level);
        let mut at = [0; 3];
        for axis in 0..self.dims {
            at[axis] = self.texels(axis, size[axis]).floor() as i64;
        }
        if self.direction.is_some() {
            // The edge itself belongs to the face.
            at = at.map(|x| x.clamp(0, i64::from(size[0]) - 1));
        }
        self.fetch(level, at)
    }

    /// The nearest texel of a level, as bits.
    pub fn nearest(&self, level: usize) -> Texel {
        self.value_in(level, self.nearest_fetch(level))
    }

    /// The filtered value of `of` over texels of a level.
    #[inline]
    pub fn filtered(&self, level: usize, linear: bool, of: &impl Fn(Texel) -> [f32; 4]) -> [f32; 4] {
        if !linear {
            return self.one(level, self.nearest_fetch(level), of);
        }
        let (first, weight) = self.corner(level);
        // Interpolates one dimension after the other, from the first on.
        let mut corners = [[0.0; 4]; 8];
        let count = 1usize << self.dims;
        for (corner, value) in corners.iter_mut().enumerate().take(count) {
            let second = |axis: usize| corner >> axis & 1 != 0;
            // Texels without weight are not read.
            if (0..self.dims).any(|axis| second(axis) && weight[axis] == 0.0) {
                continue;
            }
            let mut at = first;
            for (axis, x) in at.iter_mut().enumerate() {
                *x += i64::from(second(axis));
            }
            *value = self.one(level, self.fetch(level, at), of);
        }
        let mut left = count;
        for t in &weight[..self.dims] {
            left /= 2;
            for i in 0..left {
                corners[i] = super::mix(corners[2 * i], corners[2 * i + 1], *t);
            }
        }
        corners[0]
    }

    /// Visits the texels of a level that have a weight: column, row, slice or layer.
    pub fn each(&self, level: usize, linear: bool, found: &mut impl FnMut(usize, [u32; 3])) {
        let mut tell = |fetch| match fetch {
            Fetch::Texel(at) => found(level, at),
            Fetch::Border => {}
            Fetch::Corner(three) => three.into_iter().for_each(|at| found(level, at)),
        };
        if !linear {
            return tell(self.nearest_fetch(level));
        }
        let (first, weight) = self.corner(level);
        for corner in 0..1usize << self.dims {
            let second = |axis: usize| corner >> axis & 1 != 0;
            if (0..self.dims).all(|axis| !second(axis) || weight[axis] != 0.0) {
                tell(self.fetch(level, std::array::from_fn(|axis| first[axis] + i64::from(second(axis)))));
            }
        }
    }

    /// The first of the texels that linear filtering interpolates, and the weights of the second ones.
    #[inline]
    fn corner(&self, level: usize) -> ([i64; 3], [f32; 3]) {
        let size = self.size(level);
        let (mut first, mut weight) = ([0i64; 3], [0f32; 3]);
        for axis in 0..self.dims {
            let x = self.texels(axis, size[axis]) - 0.5;
            let low = x.floor();
            (first[axis], weight[axis]) = (low as i64, (x - low) as f32);
        }
        (first, weight)
    }

    fn one(&self, level: usize, fetch: Fetch, of: &impl Fn(Texel) -> [f32; 4]) -> [f32; 4] {
        match fetch {
            Fetch::Texel(at) => of(self.view.image.texel(&self.view.image.levels()[level], at)),
            Fetch::Border => of(self.border()),
            Fetch::Corner(three) => {
                let mut sum = [0.0; 4];
                for at in three {
                    super::add(&mut sum, self.one(level, Fetch::Texel(at), of), 1.0 / 3.0);
                }
                sum
            }
        }
    }

    /// The four texels of the first level around the position: lower left, lower right, upper right, upper left.
    pub fn footprint(&self) -> [Fetch; 4] {
        let size = self.size(0);
        let first: [i64; 2] = std::array::from_fn(|axis| match axis < self.dims {
            true => (self.texels(axis, size[axis]) - 0.5).floor() as i64,
            false => 0,
        });
        [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[x, y]| self.fetch(0, [first[0] + x, first[1] + y, 0]))
    }

    /// A texel of the first level as bits.
    pub fn value(&self, fetch: Fetch) -> Texel {
        self.value_in(0, fetch)
    }

    fn value_in(&self, level: usize, fetch: Fetch) -> Texel {
        let image = self.view.image;
        match fetch {
            Fetch::Texel(at) => image.texel(&image.levels()[level], at),
            Fetch::Border => self.border(),
            // Integers are not averaged.
            Fetch::Corner(three) if image.desc().format.is_integer() => image.texel(&image.levels()[level], three[0]),
            Fetch::Corner(_) => self.one(level, fetch, &|t| t.map(f32::from_bits)).map(f32::to_bits),
        }
    }

    /// All bits of a texel of the first level, up to 64.
    pub fn raw(&self, fetch: Fetch) -> u64 {
        match fetch {
            Fetch::Texel(at) | Fetch::Corner([at, ..]) => self.view.image.texel_bits(&self.view.image.levels()[0], at),
            Fetch::Border => 0,
        }
    }

    /// The border colour; channels that the format lacks have their defaults.
    fn border(&self) -> Texel {
        let format = self.view.image.desc().format;
        let one = if format.is_integer() { 1 } else { 1f32.to_bits() };
        let colour = match self.sampler.border {
            Border::TransparentBlack => [0; 4],
            Border::OpaqueBlack => [0, 0, 0, one],
            Border::OpaqueWhite => [one; 4],
        };
        let mut texel = format::outside(format);
        let channels = format.channels() as usize;
        texel[..channels].copy_from_slice(&colour[..channels]);
        texel
    }
}
