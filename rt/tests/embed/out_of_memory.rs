//! Memory that ends at each allocation in turn, the engine's and the driver's: an error each time, and nothing leaks.

use crate::engine::{ALL_USES, Engine, base};
use crate::scene::{FLAGS, tables};
use crate::{ONE, open};
use rtc_rt::vulkan::accel::{Accel, Inputs, PostbuildInfo, SizeQueries};
use rtc_rt::vulkan::memory::HostAccess;
use rtc_rt::vulkan::{
    Allocate, Allocation, Buffer, Device, FrameTables, Layout, LayoutOptions, MemoryRequest, OwnMemory, Pipeline, PipelineOptions,
    Requirements,
};
use rtc_rt::{Error, ErrorKind, Result};
use std::alloc::Layout as Block;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use vulkanalia::vk;

/// An allocator that counts, and refuses when its budget is used up.
struct Counting {
    inner: Arc<dyn Allocate>,
    budget: AtomicI64,
    live: AtomicI64,
}

// SAFETY: the memory is that of the inner allocator.
unsafe impl Allocate for Counting {
    fn allocate(&self, request: &MemoryRequest) -> Result<Allocation> {
        assert!(request.size > 0 && request.alignment.is_power_of_two() && request.memory_types != 0, "{request:?}");
        if self.budget.fetch_sub(1, Ordering::Relaxed) <= 0 {
            return Err(Error::new(ErrorKind::Device, "the engine's memory is used up"));
        }
        self.live.fetch_add(1, Ordering::Relaxed);
        self.inner.allocate(request)
    }

    fn free(&self, allocation: Allocation) {
        self.live.fetch_sub(1, Ordering::Relaxed);
        self.inner.free(allocation);
    }
}

/// Makes one of everything that has memory.
fn make_all(device: &Device, memory: &Arc<dyn Allocate>) -> Result<()> {
    let library = base();
    let layout = Layout::new(device, &[&library], LayoutOptions::default())?;
    let pipeline = Pipeline::new(&library, &layout, &PipelineOptions::default())?;
    let _tables = FrameTables::new(&pipeline, memory, tables(), 3)?;
    let inputs = Inputs::Top { instances: 256, count: 4, pointers: false, flags: FLAGS };
    let _accel = Accel::new(device, memory, true, inputs.sizes(device)?.result)?;
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER.bits();
    let _buffers =
        [Buffer::new(device, memory, 100, usage, HostAccess::None)?, Buffer::new(device, memory, 100, usage, HostAccess::Write)?];
    let _queries = SizeQueries::new(device, PostbuildInfo::CompactedSize, 4)?;
    Ok(())
}

#[test]
fn the_memory_of_the_engine_ends() {
    let Some((_one, engine)) = open() else { return };
    let counting = Arc::new(Counting { inner: OwnMemory::shared(&engine.device), budget: AtomicI64::new(0), live: AtomicI64::new(0) });
    let memory: Arc<dyn Allocate> = counting.clone();
    let mut refused = 0;
    for budget in 0..100 {
        counting.budget.store(budget, Ordering::Relaxed);
        let made = make_all(&engine.device, &memory);
        assert_eq!(counting.live.load(Ordering::Relaxed), 0, "with {budget} allocations");
        match made {
            Ok(()) => break,
            Err(e) => {
                assert_eq!((e.kind, e.message.as_str()), (ErrorKind::Device, "the engine's memory is used up"));
                refused += 1;
            }
        }
    }
    // Three frames, a structure, two buffers.
    assert_eq!(refused, 6);
}

/// Counts what a driver allocates on the host, through `VkAllocationCallbacks`.
#[derive(Default)]
struct Host {
    live: AtomicI64,
    all: AtomicI64,
}

/// Each block begins with its size and alignment, in front of what the driver sees.
const HEAD: usize = 64;

unsafe extern "system" fn allocate(user: *mut c_void, size: usize, align: usize, _: vk::SystemAllocationScope) -> *mut c_void {
    let align = align.max(HEAD);
    // SAFETY: `user` is the counter; the block has room for the two numbers before what is returned.
    unsafe {
        let host = &*user.cast::<Host>();
        host.live.fetch_add(1, Ordering::Relaxed);
        host.all.fetch_add(1, Ordering::Relaxed);
        let block = std::alloc::alloc(Block::from_size_align(size + align, align).expect("a block"));
        let at = block.add(align);
        at.sub(16).cast::<usize>().write(size);
        at.sub(8).cast::<usize>().write(align);
        at.cast()
    }
}

unsafe extern "system" fn free(user: *mut c_void, at: *mut c_void) {
    if at.is_null() {
        return;
    }
    // SAFETY: it is what `allocate` returned.
    unsafe {
        (*user.cast::<Host>()).live.fetch_sub(1, Ordering::Relaxed);
        let at = at.cast::<u8>();
        let (size, align) = (at.sub(16).cast::<usize>().read(), at.sub(8).cast::<usize>().read());
        std::alloc::dealloc(at.sub(align), Block::from_size_align(size + align, align).expect("a block"));
    }
}

unsafe extern "system" fn reallocate(
    user: *mut c_void,
    old: *mut c_void,
    size: usize,
    align: usize,
    scope: vk::SystemAllocationScope,
) -> *mut c_void {
    // SAFETY: as Vulkan prescribes it: a null block is allocated, a size of zero frees.
    unsafe {
        if size == 0 {
            free(user, old);
            return std::ptr::null_mut();
        }
        let new = allocate(user, size, align, scope);
        if !old.is_null() {
            let had = old.cast::<u8>().sub(16).cast::<usize>().read();
            std::ptr::copy_nonoverlapping(old.cast::<u8>(), new.cast::<u8>(), had.min(size));
            free(user, old);
        }
        new
    }
}

/// The engine's `VkAllocationCallbacks` are used for every object, and everything that is allocated is freed.
#[test]
fn host_allocations_are_the_engines() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let host = Box::new(Host::default());
    let callbacks = vk::AllocationCallbacks {
        user_data: std::ptr::from_ref(&*host).cast_mut().cast(),
        allocation: Some(allocate),
        reallocation: Some(reallocate),
        free: Some(free),
        internal_allocation: None,
        internal_free: None,
    };
    // The device has the same callbacks, because lavapipe frees pipelines with those of the device.
    let engine = match Engine::with(&Requirements::of(&[&base()], ALL_USES), false, Some(callbacks)) {
        Ok(engine) => engine,
        Err(why) => return rtc_oracles::skip::skip(why),
    };
    let before = (host.all.load(Ordering::Relaxed), host.live.load(Ordering::Relaxed));
    make_all(&engine.device, &engine.memory).expect("everything");
    let after = (host.all.load(Ordering::Relaxed), host.live.load(Ordering::Relaxed));
    assert!(after.0 > before.0 + 10, "the driver used the callbacks: {before:?}, {after:?}");
    assert_eq!(after.1, before.1, "host allocations that were not freed");
    drop(engine);
    assert_eq!(host.live.load(Ordering::Relaxed), 0, "host allocations of the device that were not freed");
}
