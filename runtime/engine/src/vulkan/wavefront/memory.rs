//! The buffers of a dispatch of a divided shader, in memory of the caller.

use super::plan::{Plan, Sizes};
use crate::error::Result;
use crate::vulkan::device::Device;
use crate::vulkan::memory::{Allocate, Buffer, HostAccess};
use crate::vulkan::vk;
use rtc_tables::wavefront::{BUFFERS, CONTROL_WORDS};
use std::sync::Arc;
use vk::BufferUsageFlags as Usage;

/// Words of progress, as the kernels have them.
pub(super) mod progress {
    /// Rays of the launch before, and rays that go on; which is which alternates.
    pub const COUNT: u64 = 0;
    /// Groups of threads for each of the two counts: three words, and one that is free.
    pub const GROUPS: u64 = 4;
    /// How many sorts of the tile had a ray that goes on, then the sum of these rays in two words.
    pub const STATISTICS: u64 = 12;
    /// The sizes of the launch of each point: three words.
    pub const LAUNCHES: u64 = 48;
}

/// The buffers of a dispatch. Drop them when the device no longer uses them.
#[derive(Debug)]
pub struct Memory {
    /// Those that shaders use, in the order of [`BUFFERS`].
    named: [Buffer; 4],
    pub(super) scratch: Buffer,
    pub(super) progress: Buffer,
    sizes: Sizes,
}

impl Memory {
    /// Buffers that [`Plan::sizes`] needs.
    ///
    /// # Errors
    /// No memory.
    pub fn new(device: &Device, memory: &Arc<dyn Allocate>, plan: &Plan) -> Result<Memory> {
        Memory::of(device, memory, plan.sizes())
    }

    fn of(device: &Device, memory: &Arc<dyn Allocate>, sizes: Sizes) -> Result<Memory> {
        let make = |size, usage: Usage| Buffer::new(device, memory, size, (usage | Usage::STORAGE_BUFFER).bits(), HostAccess::None);
        Ok(Memory {
            named: [
                make(sizes.control, Usage::TRANSFER_DST)?,
                make(sizes.state, Usage::empty())?,
                make(sizes.keys, Usage::empty())?,
                make(sizes.slots, Usage::empty())?,
            ],
            scratch: make(sizes.scratch, Usage::empty())?,
            progress: make(sizes.progress, Usage::INDIRECT_BUFFER | Usage::TRANSFER_DST | Usage::TRANSFER_SRC)?,
            sizes,
        })
    }

    /// The buffers that shaders use with the names of their resources ([`BUFFERS`]): what the caller binds.
    pub fn named(&self) -> [(&'static str, &Buffer); 4] {
        std::array::from_fn(|i| (BUFFERS[i], &self.named[i]))
    }

    /// Their sizes.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Whether a dispatch fits into them.
    pub fn holds(&self, plan: &Plan) -> bool {
        let (need, have) = (plan.sizes(), self.sizes);
        need.state <= have.state && need.keys <= have.keys && need.slots <= have.slots && need.scratch <= have.scratch
    }

    pub(super) fn control(&self) -> &Buffer {
        &self.named[0]
    }

    pub(super) fn keys(&self) -> &Buffer {
        &self.named[2]
    }

    pub(super) fn slots(&self) -> &Buffer {
        &self.named[3]
    }
}

/// Bytes of a control block, and of each of the other buffers, for a package with divided shaders that is dispatched as any other: bind
/// buffers of this many zeros in the order of [`BUFFERS`], and no point stops.
pub const PLAIN_SIZES: [u64; 4] = [4 * CONTROL_WORDS as u64, 4, 4, 4];
