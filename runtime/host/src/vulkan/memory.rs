//! The device memory allocator: first-fit in large blocks.
//!
//! A block belongs to one memory type and to either buffers or images, so the granularity rule between
//! the two never applies. Free ranges of a block are kept by offset and merged when memory is freed;
//! a request that is as large as a block gets one of its own. Acceleration structures are those of the layer below, which
//! takes memory from here.

use super::vk;
use crate::error::{ErrorKind, Result, RunError};
use rtc_engine::vulkan::memory::HostAccess;
use rtc_engine::vulkan::{Allocate, Allocation, MemoryRequest, failed};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder, InstanceV1_0};

/// Bytes of an ordinary block.
const BLOCK: u64 = 32 << 20;
/// Everything begins at a multiple of this, which satisfies every acceleration structure rule.
const ALIGNMENT: u64 = 256;

/// Which side reads and writes the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// The device alone.
    Device,
    /// The host writes it once.
    Upload,
    /// The host reads it.
    Readback,
}

/// What lies in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Buffers.
    Buffers,
    /// Optimally tiled images.
    Images,
}

/// A piece of memory. Returned with [`Memory::free`].
#[derive(Debug)]
pub(super) struct Piece {
    block: usize,
    /// The memory object.
    pub memory: vk::DeviceMemory,
    /// Where in it.
    pub offset: u64,
    size: u64,
    /// Where the host sees it; null for [`Use::Device`].
    pub mapped: *mut u8,
}

struct Block {
    memory: vk::DeviceMemory,
    kind: u32,
    holds: Holds,
    mapped: *mut u8,
    ranges: Ranges,
}

// SAFETY: the pointer is a number here; pieces alone are read and written.
unsafe impl Send for Block {}

/// All memory of a device.
pub(super) struct Memory {
    raw: vulkanalia::Device,
    blocks: Mutex<Blocks>,
}

impl Memory {
    /// No memory yet.
    pub fn new(instance: &vulkanalia::Instance, device: vk::PhysicalDevice, raw: &vulkanalia::Device) -> Memory {
        // SAFETY: plain query.
        let properties = unsafe { instance.get_physical_device_memory_properties(device) };
        Memory { raw: raw.clone(), blocks: Mutex::new(Blocks { properties, blocks: Vec::new() }) }
    }

    /// Bytes of the largest heap of the device's own memory.
    pub fn largest_heap(&self) -> u64 {
        let blocks = self.blocks();
        let heaps = blocks.properties.memory_heaps.iter().take(blocks.properties.memory_heap_count as usize);
        heaps.filter(|h| h.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL)).map(|h| h.size).max().unwrap_or(0)
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory for something with these requirements.
    ///
    /// # Errors
    /// The device has no such memory left.
    pub fn allocate(&self, raw: &vulkanalia::Device, need: &vk::MemoryRequirements, holds: Holds, how: Use) -> Result<Piece> {
        self.blocks().allocate(raw, need, holds, how)
    }

    /// Returns a piece.
    pub fn free(&self, piece: &Piece) {
        self.blocks().free(piece.block, piece.offset, piece.size);
    }

    /// Gives all memory back to the device.
    ///
    /// # Safety
    /// Nothing that lies in it may be used any more.
    pub unsafe fn free_all(&self, raw: &vulkanalia::Device) {
        for block in self.blocks().blocks.drain(..) {
            // SAFETY: by the caller's promise.
            unsafe { raw.free_memory(block.memory, None) };
        }
    }
}

/// Bits of [`Allocation::token`] for the size, in units of [`ALIGNMENT`]; the others are the block.
const SIZE_BITS: u32 = 40;

// SAFETY: pieces are disjoint parts of memory objects of this device, with addresses; mapped and coherent where the host uses them.
unsafe impl Allocate for Memory {
    fn allocate(&self, request: &MemoryRequest) -> Result<Allocation> {
        let need = vk::MemoryRequirements { size: request.size, alignment: request.alignment, memory_type_bits: request.memory_types };
        let how = match request.host {
            HostAccess::None => Use::Device,
            HostAccess::Write => Use::Upload,
            HostAccess::Read => Use::Readback,
        };
        let piece = self.blocks().allocate(&self.raw, &need, Holds::Buffers, how)?;
        let token = ((piece.block as u64) << SIZE_BITS) | (piece.size / ALIGNMENT);
        Ok(Allocation { memory: piece.memory.as_raw(), offset: piece.offset, mapped: piece.mapped, token })
    }

    fn free(&self, allocation: Allocation) {
        let size = (allocation.token & ((1 << SIZE_BITS) - 1)) * ALIGNMENT;
        self.blocks().free((allocation.token >> SIZE_BITS) as usize, allocation.offset, size);
    }
}

/// Blocks of memory.
struct Blocks {
    properties: vk::PhysicalDeviceMemoryProperties,
    blocks: Vec<Block>,
}

impl Blocks {
    fn allocate(&mut self, raw: &vulkanalia::Device, need: &vk::MemoryRequirements, holds: Holds, how: Use) -> Result<Piece> {
        let align = need.alignment.max(ALIGNMENT);
        let size = need.size.max(1).next_multiple_of(ALIGNMENT);
        let kind = self.kind(need.memory_type_bits, how)?;
        for (i, block) in self.blocks.iter_mut().enumerate() {
            if (block.kind, block.holds, block.mapped.is_null()) == (kind, holds, how == Use::Device)
                && let Some(offset) = block.ranges.take(size, align)
            {
                return Ok(piece(i, block, offset, size));
            }
        }
        let mut flags = vk::MemoryAllocateFlagsInfo::builder();
        if holds == Holds::Buffers {
            flags = flags.flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        }
        let total = size.max(BLOCK);
        let info = vk::MemoryAllocateInfo::builder().allocation_size(total).memory_type_index(kind).push_next(&mut flags);
        // SAFETY: freed in `free_all`; mapped memory is unmapped by freeing it.
        let (memory, mapped) = unsafe {
            let memory = raw.allocate_memory(&info, None).map_err(|code| {
                RunError::new(ErrorKind::Device, format!("the device has no {} MiB of memory left: {code}", total >> 20))
            })?;
            let mapped = if how == Use::Device {
                std::ptr::null_mut()
            } else {
                match raw.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()) {
                    Ok(p) => p.cast(),
                    Err(code) => {
                        raw.free_memory(memory, None);
                        return Err(failed("map memory")(code));
                    }
                }
            };
            (memory, mapped)
        };
        let mut block = Block { memory, kind, holds, mapped, ranges: Ranges::new(total) };
        let offset = block.ranges.take(size, align).unwrap_or(0);
        let got = piece(self.blocks.len(), &block, offset, size);
        self.blocks.push(block);
        Ok(got)
    }

    fn free(&mut self, block: usize, offset: u64, size: u64) {
        self.blocks[block].ranges.put(offset, size);
    }

    fn kind(&self, allowed: u32, how: Use) -> Result<u32> {
        use vk::MemoryPropertyFlags as P;
        let host = P::HOST_VISIBLE | P::HOST_COHERENT;
        let wishes = match how {
            Use::Device => [P::DEVICE_LOCAL, P::empty()],
            Use::Upload => [host, host],
            Use::Readback => [host | P::HOST_CACHED, host],
        };
        for wish in wishes {
            for i in 0..self.properties.memory_type_count {
                let has = self.properties.memory_types[i as usize].property_flags;
                if allowed & (1 << i) != 0 && has.contains(wish) {
                    return Ok(i);
                }
            }
        }
        Err(RunError::new(ErrorKind::Device, "the device has no memory of the kind that is needed"))
    }
}

fn piece(block: usize, b: &Block, offset: u64, size: u64) -> Piece {
    let mapped = if b.mapped.is_null() { b.mapped } else { b.mapped.wrapping_add(offset as usize) };
    Piece { block, memory: b.memory, offset, size, mapped }
}

/// The free ranges of a block: offset → size, never adjacent.
#[derive(Debug, PartialEq)]
struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    fn new(size: u64) -> Ranges {
        Ranges(BTreeMap::from([(0, size)]))
    }

    fn take(&mut self, size: u64, align: u64) -> Option<u64> {
        let (&start, &len, at) = self.0.iter().find_map(|(start, len)| {
            let at = start.next_multiple_of(align);
            (at + size <= start + len).then_some((start, len, at))
        })?;
        self.0.remove(&start);
        if at > start {
            self.0.insert(start, at - start);
        }
        if at + size < start + len {
            self.0.insert(at + size, start + len - (at + size));
        }
        Some(at)
    }

    fn put(&mut self, mut at: u64, mut size: u64) {
        if let Some((&before, &len)) = self.0.range(..at).next_back()
            && before + len == at
        {
            self.0.remove(&before);
            at = before;
            size += len;
        }
        if let Some(len) = self.0.remove(&(at + size)) {
            size += len;
        }
        self.0.insert(at, size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_aligned_and_merged() {
        let mut r = Ranges::new(1024);
        assert_eq!(r.take(100, 1), Some(0));
        assert_eq!(r.take(256, 256), Some(256));
        assert_eq!(r.take(150, 1), Some(100));
        assert_eq!(r.take(600, 1), None);
        assert_eq!(r.take(512, 256), Some(512));
        r.put(256, 256);
        r.put(0, 100);
        r.put(100, 150);
        r.put(512, 512);
        assert_eq!(r, Ranges::new(1024));
    }

    #[test]
    fn nothing_overlaps() {
        // A fixed walk of takes and puts, checked against a map of bytes.
        let mut r = Ranges::new(1 << 14);
        let mut live: Vec<(u64, u64)> = Vec::new();
        let mut seed = 12345u64;
        for _ in 0..4000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let n = seed >> 33;
            if n.is_multiple_of(3) && !live.is_empty() {
                let (at, size) = live.swap_remove((n / 3) as usize % live.len());
                r.put(at, size);
            } else if let Some(at) = r.take(1 + n % 700, 1 << (n % 9)) {
                let size = 1 + n % 700;
                assert_eq!(at % (1 << (n % 9)), 0);
                assert!(at + size <= 1 << 14);
                assert!(live.iter().all(|&(a, s)| at + size <= a || a + s <= at));
                live.push((at, size));
            }
        }
        for (at, size) in live {
            r.put(at, size);
        }
        assert_eq!(r, Ranges::new(1 << 14));
    }
}
