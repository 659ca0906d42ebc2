//! Descriptors in memory, over `VK_EXT_descriptor_buffer`, in place of descriptor sets.

use crate::boundary::{Failure, HasSize, Of, free, get, give, guarded, invalid, number, object, put, put_list, structure};
use crate::device::rtcrt_device;
use crate::layout::{make_layout, rtcrt_layout, rtcrt_layout_options};
use crate::library::rtcrt_library;
use crate::memory::rtcrt_memory;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::{Descriptor, DescriptorBuffer, Layout};
use std::ffi::c_void;

/// As `rtcrt_layout_new`, for descriptors in memory. No sampler is immutable; pipelines that are made with it get the flag that they need.
/// Needs `RTCRT_USE_DESCRIPTOR_BUFFERS`.
///
/// # Safety
/// As `rtcrt_layout_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_for_descriptor_buffers(
    device: *const rtcrt_device,
    libraries: *const *const rtcrt_library,
    count: usize,
    options: *const rtcrt_layout_options,
    layout: *mut *mut rtcrt_layout,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || make_layout(device, libraries, count, options, layout, Layout::for_descriptor_buffers)) }
}

/// Bytes of each set in memory. `count` says for how many sets there is room in `sizes`, and then how many there are.
///
/// # Safety
/// `layout` is a layout; `sizes` points to `count` numbers that can be written; `count` can be read and written; `error` is null or can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_set_sizes(
    layout: *const rtcrt_layout,
    sizes: *mut u64,
    count: *mut usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || put_list(sizes, count, &object(layout).of("layout")?.layout.set_sizes()?, "sizes")) }
}

/// Where the first descriptor of a binding is in the memory of its set.
///
/// # Safety
/// `layout` is a layout; `offset` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_binding_offset(
    layout: *const rtcrt_layout,
    set: u32,
    binding: u32,
    offset: *mut u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || put(offset, object(layout).of("layout")?.layout.binding_offset(set, binding)?, "offset")) }
}

/// A descriptor to write. Set all members to zero and `size` to `sizeof(rtcrt_descriptor)` first; members that the type has no use for do
/// not count.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_descriptor {
    /// `sizeof(rtcrt_descriptor)`.
    pub size: usize,
    /// `VkDescriptorType`: what it is, also in a heap, which takes several types.
    pub descriptor_type: u32,
    /// Not 0: nothing, so that reads give zero. Needs `nullDescriptor`.
    pub null: u32,
    /// Of a buffer and of a top-level structure: its device address.
    pub address: u64,
    /// Of a buffer: bytes.
    pub range: u64,
    /// Of a typed buffer: `VkFormat`.
    pub format: u32,
    /// Of an image: `VkImageLayout`.
    pub image_layout: u32,
    /// `VkImageView`, `VkSampler`.
    pub handle: u64,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_descriptor {}

impl rtcrt_descriptor {
    fn read(&self) -> Result<Descriptor, Failure> {
        let rtcrt_descriptor { address, range: size, handle: view, .. } = *self;
        let (format, layout) = (self.format.cast_signed(), self.image_layout.cast_signed());
        // The numbers are those of `VkDescriptorType`.
        Ok(match self.descriptor_type {
            kind if self.null != 0 => Descriptor::Null(kind.cast_signed()),
            0 => Descriptor::Sampler(view),
            2 => Descriptor::SampledImage { view, layout },
            3 => Descriptor::StorageImage { view, layout },
            4 => Descriptor::UniformTexelBuffer { address, size, format },
            5 => Descriptor::StorageTexelBuffer { address, size, format },
            6 => Descriptor::UniformBuffer { address, size },
            7 => Descriptor::StorageBuffer { address, size },
            1_000_150_000 => Descriptor::AccelerationStructure(address),
            other => return Err(invalid(format!("`descriptor_type` is {other}, which descriptors here cannot be"))),
        })
    }
}

/// Memory for all sets of a layout, several times.
pub struct rtcrt_descriptor_buffer {
    buffer: DescriptorBuffer,
}

/// Room for `copies` of the sets of a layout, one for each frame in flight, with the static samplers in their places.
///
/// # Safety
/// `layout` is a layout, `memory` is memory of its device; `buffer` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_descriptor_buffer_new(
    layout: *const rtcrt_layout,
    memory: *const rtcrt_memory,
    copies: u32,
    buffer: *mut *mut rtcrt_descriptor_buffer,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (layout, memory) = (object(layout).of("layout")?, object(memory).of("memory")?);
            let made = DescriptorBuffer::new(&layout.layout, &memory.memory, copies)?;
            give(buffer, rtcrt_descriptor_buffer { buffer: made }, "buffer")
        })
    }
}

/// Writes a descriptor into an element of a binding of a copy: set and binding are those of `rtcrt_layout_place`, of its hidden counter
/// too.
///
/// # Safety
/// `buffer` is a descriptor buffer; `descriptor` points to a descriptor, whose handles and addresses are what they are called, of this
/// device, and live as long as the descriptor is used. Neither the device nor another thread uses the element now. `error` is null or can
/// be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_descriptor_buffer_write(
    buffer: *const rtcrt_descriptor_buffer,
    copy: u32,
    set: u32,
    binding: u32,
    element: u32,
    descriptor: *const rtcrt_descriptor,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let buffer = object(buffer).of("buffer")?;
            let descriptor = structure(descriptor, "descriptor")?.read()?;
            Ok(buffer.buffer.write(copy, (set, binding), element, &descriptor)?)
        })
    }
}

/// Records the binding of all sets of a copy for ray tracing. Other descriptor buffers are not bound afterwards.
///
/// # Safety
/// `buffer` is a descriptor buffer; `command_buffer` is a `VkCommandBuffer` of its device that records. The buffer and everything that its
/// descriptors are of live until the work ends. `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_descriptor_buffer_bind(
    buffer: *const rtcrt_descriptor_buffer,
    command_buffer: *mut c_void,
    copy: u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || Ok(object(buffer).of("buffer")?.buffer.bind(number(command_buffer), copy)?)) }
}

/// How many copies there are.
///
/// # Safety
/// `buffer` is null or a descriptor buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_descriptor_buffer_copies(buffer: *const rtcrt_descriptor_buffer) -> u32 {
    // SAFETY: this function's contract.
    unsafe { get(buffer, 0, |b| b.buffer.copies()) }
}

/// Frees a descriptor buffer.
///
/// # Safety
/// `buffer` is null, or a descriptor buffer that neither the caller nor the device uses again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_descriptor_buffer_free(buffer: *mut rtcrt_descriptor_buffer) {
    // SAFETY: this function's contract.
    unsafe { free(buffer) };
}
