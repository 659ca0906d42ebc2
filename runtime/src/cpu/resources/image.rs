//! Textures of every kind as bytes: levels, slices and samples.
//!
//! Texels lie as [`ImageDesc::bytes`] says: rows, then slices or layers, then levels; the samples of a texel stand side by side. A
//! cube is an array of its six faces.

use super::format;
use super::memory::Memory;
use crate::device::ImageDesc;
use crate::error::{ErrorKind, Result, RunError};
use rtc_dxil_container::ResourceKind;
use rtc_tables::resources::AtomicOp;

/// Most samples of a texel: as many as Direct3D prescribes places for.
const MAX_SAMPLES: u32 = 16;

/// A level of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Width, height, depth or layers.
    pub size: [u32; 3],
    /// Where it begins.
    offset: u64,
}

/// An image.
#[derive(Debug)]
pub struct Image {
    desc: ImageDesc,
    levels: Vec<Level>,
    memory: Memory,
    /// Bytes of a texel with all its samples.
    pitch: u64,
}

/// What `GetDimensions` gives: three sizes, of which a kind of texture has the first ones, then levels or samples.
pub type Dimensions = [u32; 4];

impl Image {
    /// An image with `data`, laid out as [`ImageDesc::bytes`] says, or zeros when that is empty.
    ///
    /// # Errors
    /// There can be no such image, `data` has another size, or there is not that much memory.
    pub fn new(desc: &ImageDesc, data: &[u8]) -> Result<Image> {
        desc.check(data)?;
        if desc.samples > MAX_SAMPLES {
            return Err(RunError::new(
                ErrorKind::Limit,
                format!("the CPU device has up to {MAX_SAMPLES} samples of a texel, not {}", desc.samples),
            ));
        }
        let pitch = u64::from(desc.format.texel_size()) * u64::from(desc.samples);
        let mut offset = 0;
        let mut levels = Vec::with_capacity(desc.levels as usize);
        for i in 0..desc.levels {
            let size = desc.size(i);
            levels.push(Level { size, offset });
            offset += size.iter().map(|&n| u64::from(n)).product::<u64>() * pitch;
        }
        Ok(Image { desc: *desc, levels, memory: Memory::filled(offset, data)?, pitch })
    }

    /// What it was made from.
    pub fn desc(&self) -> &ImageDesc {
        &self.desc
    }

    /// Its levels, the largest first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Its texels as [`ImageDesc::bytes`] lays them out.
    ///
    /// # Errors
    /// It is multisampled.
    pub fn read(&self) -> Result<Vec<u8>> {
        self.desc.check_read()?;
        Ok(self.memory.to_vec())
    }

    /// Whether a shader may see it as a texture of that kind: with the same dimensions and samples, as array or not, and if it is
    /// square and has enough layers, as cubes.
    pub fn seen_as(&self, kind: ResourceKind) -> bool {
        use ResourceKind as K;
        let family = |kind| match kind {
            K::Texture1D | K::Texture1DArray => 1,
            K::Texture2D | K::Texture2DArray | K::TextureCube | K::TextureCubeArray => 2,
            K::Texture2DMS | K::Texture2DMSArray => 3,
            K::Texture3D => 4,
            _ => 0,
        };
        let cube = matches!(kind, K::TextureCube | K::TextureCubeArray);
        let faces = self.desc.depth >= 6 && self.desc.width == self.desc.height;
        kind.is_texture() && family(kind) == family(self.desc.kind) && (!cube || faces)
    }

    /// It as a shader sees it that declares a texture of that kind; as what it is, if that is not possible.
    #[inline]
    pub fn view(&self, kind: ResourceKind) -> View<'_> {
        View { image: self, kind: if kind == self.desc.kind || self.seen_as(kind) { kind } else { self.desc.kind } }
    }

    /// Where its first texel lies, and its width and height: of a writable flat texture without samples, of which the first level
    /// is what shaders write.
    pub fn flat(&self) -> Option<(usize, [u32; 2])> {
        let flat = self.desc.writable && self.desc.kind == ResourceKind::Texture2D && self.desc.samples == 1;
        let level = self.levels.first().filter(|l| flat && l.offset == 0)?;
        Some((self.memory.words().as_ptr() as usize, [level.size[0], level.size[1]]))
    }

    /// Where a texel is that lies inside of a level.
    #[inline]
    fn place(&self, level: &Level, [x, y, z]: [u32; 3]) -> u64 {
        let [width, height, _] = level.size;
        let texel = (u64::from(z) * u64::from(height) + u64::from(y)) * u64::from(width) + u64::from(x);
        level.offset + texel * self.pitch
    }

    /// A texel of the first sample that is known to be inside: `at` is column, row, and slice or layer.
    #[inline]
    pub fn texel(&self, level: &Level, at: [u32; 3]) -> [u32; 4] {
        format::load(&self.memory, self.place(level, at), self.desc.format)
    }

    /// All bits of a texel of up to 64 bits that is known to be inside.
    pub fn texel_bits(&self, level: &Level, at: [u32; 3]) -> u64 {
        let bytes = self.desc.format.texel_size().min(8);
        self.memory.bits(self.place(level, at), bytes).unwrap_or(0)
    }
}

/// An image as a shader sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The image.
    pub image: &'a Image,
    /// What texture it is to the shader.
    pub kind: ResourceKind,
}

impl View<'_> {
    /// Column, row and slice or layer of the coordinates that an operation on a texture of this kind has, in order.
    #[inline]
    fn texel_of(&self, coords: [i64; 3]) -> [i64; 3] {
        match self.kind {
            ResourceKind::Texture1D => [coords[0], 0, 0],
            ResourceKind::Texture1DArray => [coords[0], 0, coords[1]],
            ResourceKind::Texture2D | ResourceKind::Texture2DMS => [coords[0], coords[1], 0],
            _ => coords,
        }
    }

    /// Where the texel with these coordinates is, if there is one.
    #[inline]
    fn find(&self, level: u32, sample: u32, coords: [i64; 3]) -> Option<u64> {
        let level = self.image.levels.get(level as usize).filter(|_| sample < self.image.desc.samples)?;
        let (at, size) = (self.texel_of(coords), level.size);
        // Negative ones are large.
        if (0..3).any(|i| at[i] as u64 >= size[i].into()) {
            return None;
        }
        let at = [at[0] as u32, at[1] as u32, at[2] as u32];
        Some(self.image.place(level, at) + u64::from(sample) * u64::from(self.image.desc.format.texel_size()))
    }

    /// Whether there is a texel with these coordinates, of a level or of a sample.
    pub fn contains(&self, level_or_sample: u32, coords: [i64; 3]) -> bool {
        let (level, sample) = self.part(level_or_sample);
        self.find(level, sample, coords).is_some()
    }

    /// The level and the sample that the one number stands for.
    fn part(&self, level_or_sample: u32) -> (u32, u32) {
        match self.kind.is_multisampled() {
            true => (0, level_or_sample),
            false => (level_or_sample, 0),
        }
    }

    /// The sum of coordinates and offset, which an array slice does not have.
    pub fn moved(&self, coords: [i32; 3], offset: [i32; 3]) -> [i64; 3] {
        let sizes = self.offsets();
        std::array::from_fn(|i| i64::from(coords[i]) + if i < sizes { i64::from(offset[i]) } else { 0 })
    }

    /// `textureLoad`: the texel at `coords` (columns first, the array slice last; others are not looked at) plus `offset`, of a level, or of
    /// a sample of a multisampled texture. Outside, what [`format::outside`] says.
    pub fn load(&self, level_or_sample: u32, coords: [i32; 3], offset: [i32; 3]) -> [u32; 4] {
        let (level, sample) = self.part(level_or_sample);
        let at = self.moved(coords, offset);
        match self.find(level, sample, at) {
            Some(at) => format::load(&self.image.memory, at, self.image.desc.format),
            None => format::outside(self.image.desc.format),
        }
    }

    /// How many of the coordinates offsets are added to: none for an array slice, nor for cubes.
    pub fn offsets(&self) -> usize {
        match self.kind {
            ResourceKind::TextureCube | ResourceKind::TextureCubeArray => 0,
            kind => kind.coords() as usize - usize::from(kind.is_array()),
        }
    }

    /// `textureStore`, `textureStoreSample`: writes the channels of `mask` to the texel at `coords` of the first level; nothing if
    /// it lies outside or the image is not writable.
    #[inline]
    pub fn store(&self, sample: u32, coords: [u32; 3], value: [u32; 4], mask: u8) {
        let at = self.find(0, sample, coords.map(i64::from)).filter(|_| self.image.desc.writable);
        if let Some(at) = at {
            format::store(&self.image.memory, at, self.image.desc.format, value, mask);
        }
    }

    /// The place of an atomic operation on a texel of `bytes`.
    fn atomic(&self, coords: [u32; 3], bytes: u32) -> Option<u64> {
        let fits = self.image.desc.writable && self.image.desc.format.texel_size() == bytes;
        self.find(0, 0, coords.map(i64::from)).filter(|_| fits)
    }

    /// Combines a texel of 32 bits with `operand`; what it was, 0 outside.
    pub fn atomic_u32(&self, coords: [u32; 3], op: AtomicOp, operand: u32) -> u32 {
        self.atomic(coords, 4).and_then(|at| self.image.memory.atomic_u32(at, op, operand)).unwrap_or(0)
    }

    /// Combines a texel of 64 bits with `operand`; what it was, 0 outside.
    pub fn atomic_u64(&self, coords: [u32; 3], op: AtomicOp, operand: u64) -> u64 {
        self.atomic(coords, 8).and_then(|at| self.image.memory.atomic_u64(at, op, operand)).unwrap_or(0)
    }

    /// Replaces a texel of 32 bits by `new` if it is `compare`; what it was, 0 outside.
    pub fn compare_exchange_u32(&self, coords: [u32; 3], compare: u32, new: u32) -> u32 {
        let at = self.atomic(coords, 4);
        at.and_then(|at| self.image.memory.compare_exchange_u32(at, compare, new)).unwrap_or(0)
    }

    /// Replaces a texel of 64 bits by `new` if it is `compare`; what it was, 0 outside.
    pub fn compare_exchange_u64(&self, coords: [u32; 3], compare: u64, new: u64) -> u64 {
        let at = self.atomic(coords, 8);
        at.and_then(|at| self.image.memory.compare_exchange_u64(at, compare, new)).unwrap_or(0)
    }

    /// `getDimensions` of a level: its sizes in the order of the coordinates (cubes of a cube array counted as cubes), then the number
    /// of levels or samples. A level that there is not has the size zero.
    pub fn dimensions(&self, level: u32) -> Dimensions {
        let [width, height, depth] = self.image.levels.get(level as usize).map_or([0; 3], |l| l.size);
        let last = match self.kind.is_multisampled() {
            true => self.image.desc.samples,
            false => self.image.desc.levels,
        };
        match self.kind {
            ResourceKind::Texture1D => [width, 0, 0, last],
            ResourceKind::Texture1DArray => [width, depth, 0, last],
            ResourceKind::Texture2D | ResourceKind::Texture2DMS | ResourceKind::TextureCube => [width, height, 0, last],
            ResourceKind::TextureCubeArray => [width, height, depth / 6, last],
            _ => [width, height, depth, last],
        }
    }
}

/// Positions of the samples of a texel in sixteenths from its centre, where Direct3D prescribes them.
#[rustfmt::skip]
const POSITIONS: [&[[i8; 2]]; 5] = [
    &[[0, 0]],
    &[[4, 4], [-4, -4]],
    &[[-2, -6], [6, -2], [-6, 2], [2, 6]],
    &[[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]],
    &[[1, 1], [-1, -3], [-3, 2], [4, -1], [-5, -2], [2, 5], [5, 3], [3, -5],
      [-2, 6], [0, -7], [-4, -6], [-6, 4], [-8, 0], [7, -4], [6, 7], [-7, -8]],
];

/// `texture2DMSGetSamplePosition`: from the centre of a texel, in texels; the centre for a sample that there is not.
pub fn sample_position(samples: u32, index: u32) -> [f32; 2] {
    let row = POSITIONS.iter().find(|row| row.len() as u32 == samples);
    let found = row.and_then(|row| row.get(index as usize));
    found.map_or([0.0; 2], |p| p.map(|x| f32::from(x) / 16.0))
}

#[cfg(test)]
mod tests;
