//! Memory: the caller's allocator, or one `vkAllocateMemory` for each request; and buffers in it.

use crate::boundary::{Failure, HasSize, Of, bytes, free, get, give, guarded, invalid, object, structure, variant};
use crate::device::rtcrt_device;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::memory::HostAccess;
use rtc_engine::vulkan::{Allocate, Allocation, Buffer, MemoryRequest, OwnMemory};
use rtc_engine::{Error, ErrorKind};
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// How the host uses memory.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_host_access {
    /// Not at all.
    None = 0,
    /// It writes: memory must be mapped and coherent.
    Write = 1,
    /// It reads: memory must be mapped and coherent, and should be cached.
    Read = 2,
}

fn read_host_access(number: u32) -> Result<HostAccess, Failure> {
    use rtcrt_host_access::{None, Read, Write};
    Ok(match variant(&[None, Write, Read], number, |a| a as u32, "host_access")? {
        None => HostAccess::None,
        Write => HostAccess::Write,
        Read => HostAccess::Read,
    })
}

/// Memory to find.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_memory_request {
    /// Bytes.
    pub size: u64,
    /// The offset is a multiple of this.
    pub alignment: u64,
    /// A bit for each memory type that will do.
    pub memory_types: u32,
    /// `rtcrt_host_access`: whether and how it is mapped.
    pub host_access: u32,
    /// Not 0: the memory is allocated with `VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT`.
    pub device_address: u32,
}

/// Memory that was found.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_allocation {
    /// `VkDeviceMemory`.
    pub memory: u64,
    /// Where it begins.
    pub offset: u64,
    /// Where the host sees it (the byte at `offset`), or null.
    pub mapped: *mut c_void,
    /// Whatever the allocator expects back.
    pub token: u64,
}

/// Finds memory as `request` demands, for nothing else until it is freed, and stores it in `allocation`. Returns 0, or something else if
/// there is none. It must not unwind.
pub type rtcrt_allocate_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, request: *const rtcrt_memory_request, allocation: *mut rtcrt_allocation) -> c_int>;

/// Takes memory back. It must not unwind.
pub type rtcrt_free_callback = Option<unsafe extern "C" fn(user: *mut c_void, allocation: *const rtcrt_allocation)>;

/// An allocator of device memory. Its functions may be called from every thread.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_allocator {
    /// `sizeof(rtcrt_allocator)`.
    pub size: usize,
    /// Finds memory.
    pub allocate: rtcrt_allocate_callback,
    /// Takes memory back.
    pub free: rtcrt_free_callback,
    /// The first argument of both.
    pub user: *mut c_void,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_allocator {}

/// Memory for buffers and structures.
pub struct rtcrt_memory {
    pub(crate) memory: Arc<dyn Allocate>,
}

struct Callbacks {
    allocate: unsafe extern "C" fn(*mut c_void, *const rtcrt_memory_request, *mut rtcrt_allocation) -> c_int,
    free: unsafe extern "C" fn(*mut c_void, *const rtcrt_allocation),
    user: *mut c_void,
}

// SAFETY: `rtcrt_memory_new` demands that both may be called with `user` by any thread.
unsafe impl Send for Callbacks {}
// SAFETY: likewise, by several at once.
unsafe impl Sync for Callbacks {}

// SAFETY: `rtcrt_memory_new` demands what the trait does.
unsafe impl Allocate for Callbacks {
    fn allocate(&self, request: &MemoryRequest) -> rtc_engine::Result<Allocation> {
        let requested = rtcrt_memory_request {
            size: request.size,
            alignment: request.alignment,
            memory_types: request.memory_types,
            host_access: match request.host {
                HostAccess::None => rtcrt_host_access::None,
                HostAccess::Write => rtcrt_host_access::Write,
                HostAccess::Read => rtcrt_host_access::Read,
            } as u32,
            device_address: request.device_address.into(),
        };
        let mut found = rtcrt_allocation { memory: 0, offset: 0, mapped: std::ptr::null_mut(), token: 0 };
        // SAFETY: `rtcrt_memory_new` demands a function of this type; request and answer live until it returns.
        let answer = unsafe { (self.allocate)(self.user, &raw const requested, &raw mut found) };
        let wrong = |why: String| Err(Error::new(ErrorKind::Device, why));
        if answer != 0 {
            return wrong(format!("the caller's allocator has no {} bytes (it returned {answer})", request.size));
        }
        if found.memory == 0 || !found.offset.is_multiple_of(request.alignment.max(1)) {
            // It is not what was requested, but it was allocated.
            self.free(Allocation { memory: found.memory, offset: found.offset, mapped: found.mapped.cast(), token: found.token });
            return wrong(format!(
                "the caller's allocator gave memory {:#x} at offset {}, which is null or not a multiple of {}",
                found.memory, found.offset, request.alignment
            ));
        }
        Ok(Allocation { memory: found.memory, offset: found.offset, mapped: found.mapped.cast(), token: found.token })
    }

    fn free(&self, a: Allocation) {
        let back = rtcrt_allocation { memory: a.memory, offset: a.offset, mapped: a.mapped.cast(), token: a.token };
        // SAFETY: as above.
        unsafe { (self.free)(self.user, &raw const back) };
    }
}

/// Memory from functions of the caller.
///
/// # Safety
/// `allocator` points to an allocator, whose functions may be called by any thread, by several at once, until the memory and everything in
/// it are freed, and do what they say. `memory` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_memory_new(
    allocator: *const rtcrt_allocator,
    memory: *mut *mut rtcrt_memory,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let a = structure(allocator, "allocator")?;
            let (Some(allocate), Some(free)) = (a.allocate, a.free) else {
                return Err(invalid("`allocator` has a null function"));
            };
            give(memory, rtcrt_memory { memory: Arc::new(Callbacks { allocate, free, user: a.user }) }, "memory")
        })
    }
}

/// Memory from one `vkAllocateMemory` for each request.
///
/// # Safety
/// `device` is a device; `memory` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_memory_own(
    device: *const rtcrt_device,
    memory: *mut *mut rtcrt_memory,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || give(memory, rtcrt_memory { memory: OwnMemory::shared(&object(device).of("device")?.device) }, "memory")) }
}

/// Frees memory; what is in it stays valid.
///
/// # Safety
/// `memory` is null, or memory that is not used again by the caller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_memory_free(memory: *mut rtcrt_memory) {
    // SAFETY: this function's contract.
    unsafe { free(memory) };
}

/// A buffer with its memory, and a device address.
pub struct rtcrt_buffer {
    pub(crate) buffer: Buffer,
}

/// A buffer of at least `size` bytes for uses that `VkBufferUsageFlags` name, which the host uses as `host_access` (`rtcrt_host_access`)
/// says.
///
/// # Safety
/// `device` is a device, `memory` is memory of it; `buffer` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_buffer_new(
    device: *const rtcrt_device,
    memory: *const rtcrt_memory,
    size: u64,
    usage: u32,
    host_access: u32,
    buffer: *mut *mut rtcrt_buffer,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (device, memory) = (object(device).of("device")?, object(memory).of("memory")?);
            let made = Buffer::new(&device.device, &memory.memory, size, usage, read_host_access(host_access)?)?;
            give(buffer, rtcrt_buffer { buffer: made }, "buffer")
        })
    }
}

/// `VkBuffer`.
///
/// # Safety
/// `buffer` is null or a buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_buffer_handle(buffer: *const rtcrt_buffer) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(buffer, 0, |b| b.buffer.handle()) }
}

/// Its device address.
///
/// # Safety
/// `buffer` is null or a buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_buffer_address(buffer: *const rtcrt_buffer) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(buffer, 0, |b| b.buffer.address()) }
}

/// Bytes that were requested.
///
/// # Safety
/// `buffer` is null or a buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_buffer_size(buffer: *const rtcrt_buffer) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(buffer, 0, |b| b.buffer.size()) }
}

/// Writes bytes; seen by work that is submitted afterwards.
///
/// # Safety
/// `buffer` is a buffer, whose bytes at `offset` neither the device nor another thread uses now; `data` points to `size` bytes; `error` is
/// null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_buffer_write(
    buffer: *const rtcrt_buffer,
    offset: u64,
    data: *const c_void,
    size: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let data = bytes(data.cast(), size).of("data")?;
            Ok(object(buffer).of("buffer")?.buffer.write(offset, data)?)
        })
    }
}

/// Reads bytes, after the device wrote them and the caller waited for it.
///
/// # Safety
/// `buffer` is a buffer, whose bytes at `offset` neither the device nor another thread writes now; `data` points to `size` bytes that can
/// be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_buffer_read(
    buffer: *const rtcrt_buffer,
    offset: u64,
    data: *mut c_void,
    size: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let buffer = object(buffer).of("buffer")?;
            if data.is_null() && size != 0 {
                return Err(invalid("`data` is null"));
            }
            let read = buffer.buffer.read(offset, size as u64)?;
            std::ptr::copy_nonoverlapping(read.as_ptr(), data.cast::<u8>(), read.len().min(size));
            Ok(())
        })
    }
}

/// Frees a buffer.
///
/// # Safety
/// `buffer` is null, or a buffer that neither the caller nor the device uses again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_buffer_free(buffer: *mut rtcrt_buffer) {
    // SAFETY: this function's contract.
    unsafe { free(buffer) };
}
