//! Buffer views: raw, structured, typed and constant buffers, bounds-checked.
//!
//! A [`BufferView`] is a range of a memory as a shader accesses it. Bounds checks are those of Direct3D's functional specification
//! (5.3.9, 7.17): a raw load or store is checked word by word, a structured one by its element first, a typed one by its texel.
//! Reads out of bounds return zero, writes are dropped. Where Direct3D leaves the result undefined (an offset beyond the end of
//! an element) the access uses the computed address, if that is inside of the view. Root descriptors have no size in Direct3D;
//! here they end where the buffer ends.

use super::format;
use super::memory::Memory;
use crate::device::Format;
use rtc_tables::resources::AtomicOp;

/// A raw, structured or constant buffer view.
#[derive(Clone, Copy, Debug)]
pub struct BufferView<'a> {
    /// The memory.
    pub memory: &'a Memory,
    /// Offset of the view in the memory.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// Element size of a structured buffer in bytes; 0: raw.
    pub stride: u32,
}

impl<'a> BufferView<'a> {
    /// A view of a memory from `offset` to its end.
    pub fn from(memory: &'a Memory, offset: u64, stride: u32) -> BufferView<'a> {
        BufferView { memory, offset, size: memory.size().saturating_sub(offset), stride }
    }

    /// Number of elements of a structured buffer.
    pub fn elements(&self) -> u32 {
        self.size.checked_div(self.stride.into()).map_or(0, |n| u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// Stores a number of `bytes` (1, 2, 4 or 8), by byte address of the view; nothing out of bounds.
    pub fn set_bits(&self, at: u64, bytes: u32, value: u64) {
        if let Some(at) = self.memory_offset(at, bytes) {
            self.memory.set_bits(at, bytes, value);
        }
    }

    /// Changes a number of `bytes` (1, 2, 4 or 8) atomically, by byte address of the view; nothing out of bounds, or where it is not aligned.
    pub fn update(&self, at: u64, bytes: u32, change: impl Fn(u64) -> u64) {
        if let Some(at) = self.memory_offset(at, bytes) {
            self.memory.update(at, bytes, change);
        }
    }

    /// The result of `GetDimensions`: bytes of a raw buffer, elements of a structured one.
    pub fn dimension(&self) -> u32 {
        match self.stride {
            0 => u32::try_from(self.size & !3).unwrap_or(!3),
            _ => self.elements(),
        }
    }

    /// The start of an access in the view: `index` is a byte address of a raw buffer, or an element of a structured one, in which
    /// `offset` is a byte offset. `None`: the element does not exist.
    #[inline]
    fn start(&self, index: u32, offset: u32) -> Option<u64> {
        match self.stride {
            0 => Some(index.into()),
            stride => {
                let inside = u64::from(index) * u64::from(stride) + u64::from(stride) <= self.size;
                inside.then(|| u64::from(index) * u64::from(stride) + u64::from(offset))
            }
        }
    }

    /// The offset in the memory of the `bytes` at `at` of the view, if in bounds.
    #[inline]
    fn memory_offset(&self, at: u64, bytes: u32) -> Option<u64> {
        let inside = at.checked_add(bytes.into())? <= self.size;
        inside.then(|| self.offset.checked_add(at)).flatten()
    }

    /// A number of `bytes` (1, 2, 4 or 8), by byte address of the view; 0 out of bounds.
    #[inline]
    pub fn bits(&self, at: u64, bytes: u32) -> u64 {
        self.memory_offset(at, bytes).and_then(|at| self.memory.bits(at, bytes)).unwrap_or(0)
    }

    /// Loads consecutive numbers of `bytes` (2, 4 or 8) into `out`: `rawBufferLoad`, `rawBufferVectorLoad`. A component that is
    /// not entirely in bounds is zero.
    #[inline]
    pub fn load(&self, index: u32, offset: u32, bytes: u32, out: &mut [u64]) {
        match self.start(index, offset) {
            None => out.fill(0),
            Some(start) => {
                for (i, out) in (0u64..).zip(out) {
                    *out = self.bits(start + i * u64::from(bytes), bytes);
                }
            }
        }
    }

    /// Stores those of `values` whose bit is set in `mask` as consecutive numbers of `bytes` (2, 4 or 8): `rawBufferStore`,
    /// `rawBufferVectorStore`. A component that is not entirely in bounds is not written. Components from 64 on are always
    /// written.
    #[inline]
    pub fn store(&self, index: u32, offset: u32, bytes: u32, values: &[u64], mask: u64) {
        let Some(start) = self.start(index, offset) else { return };
        for (i, &value) in (0u64..).zip(values) {
            let wanted = i >= 64 || mask >> i & 1 != 0;
            if let Some(at) = self.memory_offset(start + i * u64::from(bytes), bytes).filter(|_| wanted) {
                self.memory.set_bits(at, bytes, value);
            }
        }
    }

    /// The offset in the memory of an atomic operation.
    fn atomic(&self, index: u32, offset: u32, bytes: u32) -> Option<u64> {
        self.memory_offset(self.start(index, offset)?, bytes)
    }

    /// Applies a 32-bit operation; returns the old value, 0 out of bounds.
    pub fn atomic_u32(&self, index: u32, offset: u32, op: AtomicOp, operand: u32) -> u32 {
        self.atomic(index, offset, 4).and_then(|at| self.memory.atomic_u32(at, op, operand)).unwrap_or(0)
    }

    /// Applies a 64-bit operation; returns the old value, 0 out of bounds.
    pub fn atomic_u64(&self, index: u32, offset: u32, op: AtomicOp, operand: u64) -> u64 {
        self.atomic(index, offset, 8).and_then(|at| self.memory.atomic_u64(at, op, operand)).unwrap_or(0)
    }

    /// Replaces 32 bits by `new` if they equal `compare`; returns the old value, 0 out of bounds.
    pub fn compare_exchange_u32(&self, index: u32, offset: u32, compare: u32, new: u32) -> u32 {
        let at = self.atomic(index, offset, 4);
        at.and_then(|at| self.memory.compare_exchange_u32(at, compare, new)).unwrap_or(0)
    }

    /// Replaces 64 bits by `new` if they equal `compare`; returns the old value, 0 out of bounds.
    pub fn compare_exchange_u64(&self, index: u32, offset: u32, compare: u64, new: u64) -> u64 {
        let at = self.atomic(index, offset, 8);
        at.and_then(|at| self.memory.compare_exchange_u64(at, compare, new)).unwrap_or(0)
    }

    /// A row of a constant buffer as numbers of `bytes` (2, 4 or 8), 16 / `bytes` of them: `cbufferLoadLegacy`.
    #[inline]
    pub fn row(&self, row: u32, bytes: u32, out: &mut [u64]) {
        for (i, out) in (0u64..).zip(out).take((16 / bytes.max(1)) as usize) {
            *out = self.bits(u64::from(row) * 16 + i * u64::from(bytes), bytes);
        }
    }
}

/// A typed buffer view.
#[derive(Clone, Copy, Debug)]
pub struct Texels<'a> {
    /// The memory, viewed as a whole.
    pub memory: &'a Memory,
    /// The format of its texels.
    pub format: Format,
}

impl Texels<'_> {
    /// The number of texels, the result of `GetDimensions`.
    pub fn count(&self) -> u32 {
        u32::try_from(self.memory.size() / u64::from(self.format.texel_size())).unwrap_or(u32::MAX)
    }

    fn memory_offset(&self, index: u32) -> u64 {
        u64::from(index) * u64::from(self.format.texel_size())
    }

    /// A texel, encoded as [`super::format`] defines: `bufferLoad`.
    pub fn load(&self, index: u32) -> [u32; 4] {
        format::load(self.memory, self.memory_offset(index), self.format)
    }

    /// Writes the channels of `mask`: `bufferStore`.
    pub fn store(&self, index: u32, value: [u32; 4], mask: u8) {
        format::store(self.memory, self.memory_offset(index), self.format, value, mask);
    }

    /// The memory of a texel for an atomic operation, as a view with one element. `None`: the texel size is not `bytes`; Direct3D
    /// has no atomics for it.
    pub fn atomic(&self, bytes: u32) -> Option<BufferView<'_>> {
        (self.format.texel_size() == bytes).then(|| BufferView::from(self.memory, 0, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(words: &[u32]) -> Memory {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        Memory::filled(bytes.len() as u64, &bytes).expect("memory")
    }

    #[test]
    fn raw_accesses_are_checked_by_component() {
        let m = memory(&[1, 2, 3, 4]);
        let v = BufferView::from(&m, 0, 0);
        let mut out = [9; 4];
        v.load(8, 0, 4, &mut out);
        assert_eq!(out, [3, 4, 0, 0]);
        v.load(u32::MAX, 77, 4, &mut out);
        assert_eq!(out, [0; 4]);
        v.store(12, 0, 4, &[40, 50], 0xf);
        assert_eq!(m.u32(12), Some(40));
        v.load(8, 0, 8, &mut out[..2]);
        assert_eq!(out[..2], [3 | 40 << 32, 0]);
        v.load(12, 0, 8, &mut out[..1]);
        assert_eq!(out[..1], [0], "half of it is out of bounds");
        // Two of three halves are in bounds.
        v.load(12, 0, 2, &mut out[..3]);
        assert_eq!(out[..3], [40, 0, 0]);
        assert_eq!(v.dimension(), 16);
    }

    #[test]
    fn masks_choose_components() {
        let m = memory(&[0; 4]);
        BufferView::from(&m, 0, 0).store(0, 0, 4, &[1, 2, 3, 4], 0b1010);
        assert_eq!((0..4).map(|i| m.u32(i * 4).unwrap_or(9)).collect::<Vec<_>>(), [0, 2, 0, 4]);
        let m = memory(&[0; 70]);
        BufferView::from(&m, 0, 0).store(0, 0, 4, &[7; 70], u64::MAX);
        assert_eq!(m.u32(69 * 4), Some(7));
    }

    #[test]
    fn structured_accesses_are_checked_by_element() {
        // Two whole elements of 12 bytes and a part of a third.
        let m = memory(&[1, 2, 3, 4, 5, 6, 7, 8]);
        let v = BufferView::from(&m, 0, 12);
        assert_eq!((v.elements(), v.dimension()), (2, 2));
        let mut out = [9; 3];
        v.load(1, 0, 4, &mut out);
        assert_eq!(out, [4, 5, 6]);
        v.load(2, 0, 4, &mut out);
        assert_eq!(out, [0; 3], "the third element is not whole");
        v.store(2, 0, 4, &[9; 3], 7);
        v.store(u32::MAX, u32::MAX, 4, &[9; 3], 7);
        assert_eq!(m.u32(24), Some(7));
        assert_eq!(v.atomic_u32(1, 4, AtomicOp::Add, 10), 5);
        assert_eq!(v.atomic_u32(2, 0, AtomicOp::Add, 10), 0);
        assert_eq!((m.u32(16), m.u32(24)), (Some(15), Some(7)));
    }

    #[test]
    fn a_view_ends_before_its_memory() {
        let m = memory(&[1, 2, 3, 4]);
        let v = BufferView { memory: &m, offset: 4, size: 8, stride: 0 };
        let mut out = [9; 4];
        v.load(0, 0, 4, &mut out);
        assert_eq!(out, [2, 3, 0, 0]);
        v.store(8, 0, 4, &[9], 1);
        assert_eq!(v.compare_exchange_u64(4, 0, 3 | 4 << 32, 9), 0);
        assert_eq!(v.compare_exchange_u64(0, 0, 2 | 3 << 32, 9), 2 | 3 << 32);
        assert_eq!((m.u32(4), m.u32(8), m.u32(12)), (Some(9), Some(0), Some(4)));
        // A root descriptor that starts after its buffer's end.
        let nothing = BufferView::from(&m, 100, 0);
        nothing.load(0, 0, 4, &mut out);
        assert_eq!((out, nothing.dimension()), ([0; 4], 0));
    }

    #[test]
    fn rows_of_constants() {
        let m = memory(&[0x0001_0002, 2, 3, 4, 5]);
        let v = BufferView::from(&m, 0, 0);
        let mut out = [9; 8];
        v.row(0, 4, &mut out);
        assert_eq!(out[..5], [0x0001_0002, 2, 3, 4, 9]);
        v.row(0, 2, &mut out);
        assert_eq!(out, [2, 1, 2, 0, 3, 0, 4, 0]);
        v.row(1, 8, &mut out);
        assert_eq!(out[..2], [0, 0], "half of the first is out of bounds");
        v.row(1, 4, &mut out);
        assert_eq!(out[..4], [5, 0, 0, 0]);
        v.row(u32::MAX, 4, &mut out);
        assert_eq!(out[..4], [0; 4]);
        assert_eq!((v.bits(4, 4), v.bits(18, 2), v.bits(19, 2)), (2, 0, 0));
    }

    #[test]
    fn texels_are_converted_and_bounded() {
        let m = memory(&[0xff00_80ff, 0]);
        let t = Texels { memory: &m, format: Format::Rgba8Unorm };
        assert_eq!(t.count(), 2);
        assert_eq!(t.load(0).map(f32::from_bits), [1.0, 128.0 / 255.0, 0.0, 1.0]);
        t.store(1, [1.0f32.to_bits(); 4], 0xf);
        t.store(2, [1.0f32.to_bits(); 4], 0xf);
        assert_eq!((t.load(2), t.load(u32::MAX)), ([0; 4], [0; 4]));
        assert_eq!(m.u32(4), Some(u32::MAX));
        let t = Texels { memory: &m, format: Format::R32Uint };
        assert_eq!((t.load(1), t.load(2)), ([u32::MAX, 0, 0, 1], [0, 0, 0, 1]));
        let words = t.atomic(4).expect("words");
        assert_eq!(words.atomic_u32(1, 0, AtomicOp::Add, 1), u32::MAX);
        assert!(t.atomic(8).is_none());
    }
}
