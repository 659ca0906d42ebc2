//! Memory for the buffers of this crate: from the caller's allocator, or one `vkAllocateMemory` for each.

use super::device::Device;
use super::{failed, vk};
use crate::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use vulkanalia::vk::{DeviceV1_0, DeviceV1_2, Handle, HasBuilder, InstanceV1_0};

/// How the host uses memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostAccess {
    /// Not at all.
    None,
    /// It writes: memory must be mapped and coherent.
    Write,
    /// It reads: memory must be mapped and coherent, and should be cached.
    Read,
}

/// Memory to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryRequest {
    /// Bytes.
    pub size: u64,
    /// The offset is a multiple of this.
    pub alignment: u64,
    /// A bit for each memory type that will do.
    pub memory_types: u32,
    /// Whether and how it is mapped.
    pub host: HostAccess,
    /// Always true: the memory is allocated with `VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT`.
    pub device_address: bool,
}

/// Memory that was found.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    /// `VkDeviceMemory`.
    pub memory: u64,
    /// Where it begins.
    pub offset: u64,
    /// Where the host sees it (the byte at `offset`), or null.
    pub mapped: *mut u8,
    /// Whatever the allocator expects back.
    pub token: u64,
}

// SAFETY: plain values; the pointer is used by the buffer that owns the allocation alone.
unsafe impl Send for Allocation {}
// SAFETY: as above.
unsafe impl Sync for Allocation {}

/// An allocator of device memory. Functions may be called from every thread.
///
/// # Safety
/// What [`Allocate::allocate`] returns is as the request demands, of the device that it is used with, and in no other use until
/// [`Allocate::free`].
pub unsafe trait Allocate: Send + Sync {
    /// Finds memory.
    ///
    /// # Errors
    /// There is none.
    fn allocate(&self, request: &MemoryRequest) -> Result<Allocation>;

    /// Takes memory back.
    fn free(&self, allocation: Allocation);
}

/// One `vkAllocateMemory` for each request.
pub struct OwnMemory {
    device: Device,
}

impl OwnMemory {
    /// The simple allocator of a device, for all that is made from it.
    pub fn shared(device: &Device) -> Arc<dyn Allocate> {
        Arc::new(OwnMemory { device: device.clone() })
    }
}

// SAFETY: each allocation is a memory object of its own.
unsafe impl Allocate for OwnMemory {
    fn allocate(&self, request: &MemoryRequest) -> Result<Allocation> {
        let (instance, physical) = self.device.physical();
        // SAFETY: plain query.
        let types = unsafe { instance.get_physical_device_memory_properties(physical) };
        use vk::MemoryPropertyFlags as P;
        let mapped = P::HOST_VISIBLE | P::HOST_COHERENT;
        // The best first.
        let wishes = match request.host {
            HostAccess::None => [P::DEVICE_LOCAL, P::empty()],
            HostAccess::Write => [mapped | P::DEVICE_LOCAL, mapped],
            HostAccess::Read => [mapped | P::HOST_CACHED, mapped],
        };
        let count = types.memory_type_count as usize;
        let fits = |wish: &P| {
            let mut all = types.memory_types[..count].iter().enumerate();
            all.position(|(i, t)| request.memory_types & (1 << i) != 0 && t.property_flags.contains(*wish))
        };
        let Some(index) = wishes.iter().find_map(fits) else {
            return Err(Error::new(ErrorKind::Device, "the device has no memory of a suitable type"));
        };
        let mut address = vk::MemoryAllocateFlagsInfo::builder().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut info = vk::MemoryAllocateInfo::builder().allocation_size(request.size).memory_type_index(index as u32);
        if request.device_address {
            info = info.push_next(&mut address);
        }
        let raw = self.device.raw();
        // SAFETY: the type exists; freed in `free`, or here if it cannot be mapped.
        unsafe {
            let memory = raw
                .allocate_memory(&info, self.device.callbacks())
                .map_err(|code| failed("allocate memory")(code).note(format!("{} bytes", request.size)))?;
            let mut mapped = std::ptr::null_mut();
            if request.host != HostAccess::None {
                match raw.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()) {
                    Ok(at) => mapped = at.cast(),
                    Err(code) => {
                        raw.free_memory(memory, self.device.callbacks());
                        return Err(failed("map memory")(code));
                    }
                }
            }
            Ok(Allocation { memory: memory.as_raw(), offset: 0, mapped, token: 0 })
        }
    }

    fn free(&self, allocation: Allocation) {
        // SAFETY: it was made above, and its owner has let it go.
        unsafe { self.device.raw().free_memory(vk::DeviceMemory::from_raw(allocation.memory), self.device.callbacks()) };
    }
}

/// A buffer with its memory, and a device address. Drop it when the device no longer uses it.
pub struct Buffer {
    device: Device,
    memory: Arc<dyn Allocate>,
    allocation: Allocation,
    raw: vk::Buffer,
    size: u64,
    address: u64,
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({} bytes at {:#x})", self.size, self.address)
    }
}

impl Buffer {
    /// A buffer of at least `size` bytes for uses that `VkBufferUsageFlags` name.
    ///
    /// # Errors
    /// No memory; a failure of the device.
    pub fn new(device: &Device, memory: &Arc<dyn Allocate>, size: u64, usage: u32, host: HostAccess) -> Result<Buffer> {
        let Some(padded) = size.max(16).checked_next_multiple_of(16) else {
            return Err(Error::new(ErrorKind::Limit, format!("{size} bytes are too many for one buffer")));
        };
        let usage = vk::BufferUsageFlags::from_bits_truncate(usage) | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let families = device.queue_families();
        let mut info = vk::BufferCreateInfo::builder().size(padded).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
        if families.len() > 1 {
            info = info.sharing_mode(vk::SharingMode::CONCURRENT).queue_family_indices(families);
        }
        let raw = device.raw();
        // SAFETY: destroyed in `drop`, or here if there is no memory for it; the memory is as requested by the promise of `Allocate`.
        unsafe {
            let buffer = raw.create_buffer(&info, device.callbacks()).map_err(failed("make a buffer"))?;
            let need = raw.get_buffer_memory_requirements(buffer);
            let request = MemoryRequest {
                size: need.size,
                alignment: need.alignment,
                memory_types: need.memory_type_bits,
                host,
                device_address: true,
            };
            let allocation = match memory.allocate(&request) {
                Ok(allocation) => allocation,
                Err(e) => {
                    raw.destroy_buffer(buffer, device.callbacks());
                    return Err(e);
                }
            };
            let mut made = Buffer { device: device.clone(), memory: memory.clone(), allocation, raw: buffer, size, address: 0 };
            if host != HostAccess::None && allocation.mapped.is_null() {
                return Err(Error::new(ErrorKind::Device, "the allocator gave memory that is not mapped for a buffer that the host uses"));
            }
            raw.bind_buffer_memory(buffer, vk::DeviceMemory::from_raw(allocation.memory), allocation.offset)
                .map_err(failed("bind memory to a buffer"))?;
            made.address = raw.get_buffer_device_address(&vk::BufferDeviceAddressInfo::builder().buffer(buffer));
            Ok(made)
        }
    }

    /// `VkBuffer`.
    pub fn handle(&self) -> u64 {
        self.raw.as_raw()
    }

    /// Its device address.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Bytes that were requested.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Writes bytes; seen by work that is submitted afterwards.
    ///
    /// # Errors
    /// They leave the buffer, or the host cannot write it.
    ///
    /// # Safety
    /// The device does not use these bytes now.
    pub unsafe fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let at = self.mapped(offset, bytes.len() as u64)?;
        // SAFETY: the range lies in the mapping, which has no other user.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
        Ok(())
    }

    /// Reads bytes, after the device wrote them and the caller waited for it.
    ///
    /// # Errors
    /// They leave the buffer, or the host cannot read it.
    ///
    /// # Safety
    /// The device does not write these bytes now.
    pub unsafe fn read(&self, offset: u64, len: u64) -> Result<Vec<u8>> {
        let at = self.mapped(offset, len)?;
        let mut out = vec![0; len as usize];
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(at, out.as_mut_ptr(), out.len()) };
        Ok(out)
    }

    fn mapped(&self, offset: u64, len: u64) -> Result<*mut u8> {
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        if self.allocation.mapped.is_null() {
            return wrong("the host has no access to this buffer".to_string());
        }
        if offset.checked_add(len).is_none_or(|end| end > self.size) {
            return wrong(format!("{len} bytes at {offset} leave a buffer of {} bytes", self.size));
        }
        // SAFETY: inside of the mapping.
        Ok(unsafe { self.allocation.mapped.add(offset as usize) })
    }

    pub(super) fn raw(&self) -> vk::Buffer {
        self.raw
    }

    /// The device that it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: by the caller's promise the device no longer uses it.
        unsafe { self.device.raw().destroy_buffer(self.raw, self.device.callbacks()) };
        self.memory.free(self.allocation);
    }
}
