//! Images of every dimension as bytes: mip levels, slices and samples.
//!
//! Texels are stored as [`ImageDesc::bytes`] defines: rows, then slices or layers, then levels; the samples of a texel are
//! adjacent. A cube is an array of its six faces.

use super::format;
use super::memory::Memory;
use crate::device::ImageDesc;
use crate::error::{ErrorKind, Result, RunError};
use rtc_dxil_container::ResourceKind;
use rtc_tables::resources::AtomicOp;

/// Maximum number of samples, the largest with standard positions in Direct3D.
const MAX_SAMPLES: u32 = 16;

/// A mip level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Width, height, depth or layers.
    pub size: [u32; 3],
    /// Byte offset.
    offset: u64,
}

/// An image.
#[derive(Debug)]
pub struct Image {
    desc: ImageDesc,
    levels: Vec<Level>,
    memory: Memory,
    /// Size of a texel with all its samples in bytes.
    pitch: u64,
}

/// The result of `GetDimensions`: three sizes, of which a dimension uses the first ones, then levels or samples.
pub type Dimensions = [u32; 4];

impl Image {
    /// An image with `data`, in the layout of [`ImageDesc::bytes`], or zeros if that is empty.
    ///
    /// # Errors
    /// The description is invalid, `data` has another size, or memory is exhausted.
    pub fn new(desc: &ImageDesc, data: &[u8]) -> Result<Image> {
        desc.check(data)?;
        if desc.samples > MAX_SAMPLES {
            return Err(RunError::new(ErrorKind::Limit, format!("{} samples per texel; the maximum is {MAX_SAMPLES}", desc.samples)));
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

    /// The description.
    pub fn desc(&self) -> &ImageDesc {
        &self.desc
    }

    /// Its levels, largest first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Its texels in the layout of [`ImageDesc::bytes`].
    ///
    /// # Errors
    /// It is multisampled.
    pub fn read(&self) -> Result<Vec<u8>> {
        self.desc.check_read()?;
        Ok(self.memory.to_vec())
    }

    /// Whether a shader's view of that kind is compatible: the same dimensions and samples, as array or not, and as cubes if it
    /// is square and has enough layers.
    pub fn is_viewable_as(&self, kind: ResourceKind) -> bool {
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

    /// The view of a shader that declares that kind; a view of the image's own kind if that is incompatible.
    #[inline]
    pub fn view(&self, kind: ResourceKind) -> ImageView<'_> {
        ImageView { image: self, kind: if kind == self.desc.kind || self.is_viewable_as(kind) { kind } else { self.desc.kind } }
    }

    /// Address of its first texel, and width and height, of a writable single-sampled 2D image, whose first level shaders store
    /// to.
    pub fn flat(&self) -> Option<(usize, [u32; 2])> {
        let flat = self.desc.writable && self.desc.kind == ResourceKind::Texture2D && self.desc.samples == 1;
        let level = self.levels.first().filter(|l| flat && l.offset == 0)?;
        Some((self.memory.words().as_ptr() as usize, [level.size[0], level.size[1]]))
    }

    /// The byte offset of a texel in bounds of a level.
    #[inline]
    fn byte_offset(&self, level: &Level, [x, y, z]: [u32; 3]) -> u64 {
        let [width, height, _] = level.size;
        let texel = (u64::from(z) * u64::from(height) + u64::from(y)) * u64::from(width) + u64::from(x);
        level.offset + texel * self.pitch
    }

    /// A texel of the first sample in bounds: `at` is column, row, and slice or layer.
    #[inline]
    pub fn texel(&self, level: &Level, at: [u32; 3]) -> [u32; 4] {
        format::load(&self.memory, self.byte_offset(level, at), self.desc.format)
    }

    /// All bits of a texel of up to 64 bits in bounds.
    pub fn texel_bits(&self, level: &Level, at: [u32; 3]) -> u64 {
        let bytes = self.desc.format.texel_size().min(8);
        self.memory.bits(self.byte_offset(level, at), bytes).unwrap_or(0)
    }
}

/// An image view.
#[derive(Clone, Copy, Debug)]
pub struct ImageView<'a> {
    /// The image.
    pub image: &'a Image,
    /// The texture kind of the view.
    pub kind: ResourceKind,
}

impl ImageView<'_> {
    /// Column, row and slice or layer for coordinates in the order of this kind's operations.
    #[inline]
    fn texel_of(&self, coords: [i64; 3]) -> [i64; 3] {
        match self.kind {
            ResourceKind::Texture1D => [coords[0], 0, 0],
            ResourceKind::Texture1DArray => [coords[0], 0, coords[1]],
            ResourceKind::Texture2D | ResourceKind::Texture2DMS => [coords[0], coords[1], 0],
            _ => coords,
        }
    }

    /// The byte offset of the texel with these coordinates, if in bounds.
    #[inline]
    fn find(&self, level: u32, sample: u32, coords: [i64; 3]) -> Option<u64> {
        let level = self.image.levels.get(level as usize).filter(|_| sample < self.image.desc.samples)?;
        let (at, size) = (self.texel_of(coords), level.size);
        // Negative ones become large.
        if (0..3).any(|i| at[i] as u64 >= size[i].into()) {
            return None;
        }
        let at = [at[0] as u32, at[1] as u32, at[2] as u32];
        Some(self.image.byte_offset(level, at) + u64::from(sample) * u64::from(self.image.desc.format.texel_size()))
    }

    /// Whether the coordinates are in bounds of a level or a sample.
    pub fn contains(&self, level_or_sample: u32, coords: [i64; 3]) -> bool {
        let (level, sample) = self.part(level_or_sample);
        self.find(level, sample, coords).is_some()
    }

    /// The level and the sample of the combined argument.
    fn part(&self, level_or_sample: u32) -> (u32, u32) {
        match self.kind.is_multisampled() {
            true => (0, level_or_sample),
            false => (level_or_sample, 0),
        }
    }

    /// The sum of coordinates and offset; an array slice has no offset.
    pub fn moved(&self, coords: [i32; 3], offset: [i32; 3]) -> [i64; 3] {
        let sizes = self.offsets();
        std::array::from_fn(|i| i64::from(coords[i]) + if i < sizes { i64::from(offset[i]) } else { 0 })
    }

    /// `textureLoad`: the texel at `coords` (columns first, the array slice last; others are ignored) plus `offset`, of a level,
    /// or of a sample of a multisampled texture. [`format::outside`] out of bounds.
    pub fn load(&self, level_or_sample: u32, coords: [i32; 3], offset: [i32; 3]) -> [u32; 4] {
        let (level, sample) = self.part(level_or_sample);
        let at = self.moved(coords, offset);
        match self.find(level, sample, at) {
            Some(at) => format::load(&self.image.memory, at, self.image.desc.format),
            None => format::outside(self.image.desc.format),
        }
    }

    /// The number of coordinates with offsets: not an array slice, none for cubes.
    pub fn offsets(&self) -> usize {
        match self.kind {
            ResourceKind::TextureCube | ResourceKind::TextureCubeArray => 0,
            kind => kind.coords() as usize - usize::from(kind.is_array()),
        }
    }

    /// `textureStore`, `textureStoreSample`: writes the channels of `mask` to the texel at `coords` of the first level; does
    /// nothing out of bounds or if the image is read-only.
    #[inline]
    pub fn store(&self, sample: u32, coords: [u32; 3], value: [u32; 4], mask: u8) {
        let at = self.find(0, sample, coords.map(i64::from)).filter(|_| self.image.desc.writable);
        if let Some(at) = at {
            format::store(&self.image.memory, at, self.image.desc.format, value, mask);
        }
    }

    /// The byte offset of an atomic operation on a texel of `bytes`.
    fn atomic(&self, coords: [u32; 3], bytes: u32) -> Option<u64> {
        let fits = self.image.desc.writable && self.image.desc.format.texel_size() == bytes;
        self.find(0, 0, coords.map(i64::from)).filter(|_| fits)
    }

    /// Applies an operation to a 32-bit texel; returns the old value, 0 out of bounds.
    pub fn atomic_u32(&self, coords: [u32; 3], op: AtomicOp, operand: u32) -> u32 {
        self.atomic(coords, 4).and_then(|at| self.image.memory.atomic_u32(at, op, operand)).unwrap_or(0)
    }

    /// Applies an operation to a 64-bit texel; returns the old value, 0 out of bounds.
    pub fn atomic_u64(&self, coords: [u32; 3], op: AtomicOp, operand: u64) -> u64 {
        self.atomic(coords, 8).and_then(|at| self.image.memory.atomic_u64(at, op, operand)).unwrap_or(0)
    }

    /// Replaces a 32-bit texel by `new` if it equals `compare`; returns the old value, 0 out of bounds.
    pub fn compare_exchange_u32(&self, coords: [u32; 3], compare: u32, new: u32) -> u32 {
        let at = self.atomic(coords, 4);
        at.and_then(|at| self.image.memory.compare_exchange_u32(at, compare, new)).unwrap_or(0)
    }

    /// Replaces a 64-bit texel by `new` if it equals `compare`; returns the old value, 0 out of bounds.
    pub fn compare_exchange_u64(&self, coords: [u32; 3], compare: u64, new: u64) -> u64 {
        let at = self.atomic(coords, 8);
        at.and_then(|at| self.image.memory.compare_exchange_u64(at, compare, new)).unwrap_or(0)
    }

    /// `getDimensions` of a level: its sizes in the order of the coordinates (a cube array counts cubes), then the number of
    /// levels or samples. A level out of range has size zero.
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

/// Standard sample positions of Direct3D, in sixteenths of a texel from the centre.
#[rustfmt::skip]
const POSITIONS: [&[[i8; 2]]; 5] = [
    &[[0, 0]],
    &[[4, 4], [-4, -4]],
    &[[-2, -6], [6, -2], [-6, 2], [2, 6]],
    &[[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]],
    &[[1, 1], [-1, -3], [-3, 2], [4, -1], [-5, -2], [2, 5], [5, 3], [3, -5],
      [-2, 6], [0, -7], [-4, -6], [-6, 4], [-8, 0], [7, -4], [6, 7], [-7, -8]],
];

/// `texture2DMSGetSamplePosition`: from the centre of a texel, in texels; the centre for a sample out of range.
pub fn sample_position(samples: u32, index: u32) -> [f32; 2] {
    let row = POSITIONS.iter().find(|row| row.len() as u32 == samples);
    let found = row.and_then(|row| row.get(index as usize));
    found.map_or([0.0; 2], |p| p.map(|x| f32::from(x) / 16.0))
}

#[cfg(test)]
mod tests;
