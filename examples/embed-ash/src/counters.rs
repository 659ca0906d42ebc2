//! What the engine holds: Vulkan objects, memory of the device, and of the host.

use ash::vk;
use rtc_engine::vulkan::{Allocate, Allocation, MemoryRequest};
use rtc_oracles::vulkan_calls::{self, host};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// What the engine's allocators count: memory of the device, and of the host through `VkAllocationCallbacks`.
#[derive(Default)]
pub struct Counters {
    device: Arc<DeviceBytes>,
    host: host::Counts,
}

#[derive(Default)]
struct DeviceBytes {
    bytes: AtomicI64,
    blocks: AtomicI64,
}

impl Counters {
    /// Callbacks that count here. The counters must outlive them.
    pub fn callbacks(&self) -> vk::AllocationCallbacks<'static> {
        // SAFETY: both are the structure of Vulkan.
        unsafe { std::mem::transmute::<host::Callbacks, vk::AllocationCallbacks<'static>>(self.host.callbacks()) }
    }

    /// What is held now.
    pub(crate) fn now(&self) -> Held {
        Held {
            objects: vulkan_calls::live(),
            device_bytes: self.device.bytes.load(Ordering::SeqCst),
            device_blocks: self.device.blocks.load(Ordering::SeqCst),
            host_bytes: self.host.bytes(),
            host_blocks: self.host.blocks(),
        }
    }
}

/// The engine's allocator: another one that is counted.
pub(crate) struct EngineMemory {
    inner: Arc<dyn Allocate>,
    counted: Arc<DeviceBytes>,
}

impl EngineMemory {
    pub fn shared(inner: Arc<dyn Allocate>, counters: &Counters) -> Arc<dyn Allocate> {
        Arc::new(EngineMemory { inner, counted: counters.device.clone() })
    }
}

// SAFETY: the memory is that of the inner allocator. Its tokens are 0, so that they can hold the size.
unsafe impl Allocate for EngineMemory {
    fn allocate(&self, request: &MemoryRequest) -> rtc_engine::Result<Allocation> {
        let found = self.inner.allocate(request)?;
        self.counted.bytes.fetch_add(request.size as i64, Ordering::SeqCst);
        self.counted.blocks.fetch_add(1, Ordering::SeqCst);
        Ok(Allocation { token: request.size, ..found })
    }

    fn free(&self, allocation: Allocation) {
        self.counted.bytes.fetch_sub(allocation.token as i64, Ordering::SeqCst);
        self.counted.blocks.fetch_sub(1, Ordering::SeqCst);
        self.inner.free(Allocation { token: 0, ..allocation });
    }
}

/// What is held at a moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Vulkan objects by kind.
    pub objects: BTreeMap<&'static str, u64>,
    /// Bytes of the engine's allocator.
    pub device_bytes: i64,
    /// Its allocations.
    pub device_blocks: i64,
    /// Bytes that the driver holds on the host.
    pub host_bytes: i64,
    /// Its blocks.
    pub host_blocks: i64,
}
