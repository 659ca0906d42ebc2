//! The caller's device, from its handles.

use crate::boundary::{HasSize, Of, free, get, give, guarded, invalid, number, object, put, slice, structure, texts};
use crate::library::rtcrt_library;
use crate::types::{rtcrt_bytes, rtcrt_error, rtcrt_status};
use rtc_c_common::Text;
use rtc_engine::vulkan::{Device, EnabledFeatures, Handles};
use std::ffi::{c_char, c_void};

/// `PFN_vkVoidFunction`: any function, for a cast.
pub type rtcrt_function = Option<unsafe extern "C" fn()>;

pub(crate) fn address(function: rtcrt_function) -> *const c_void {
    function.map_or(std::ptr::null(), |f| f as *const c_void)
}

/// A device of the caller, which is never destroyed here.
pub struct rtcrt_device {
    pub(crate) device: Device,
    name: Text,
}

/// A device of the caller. Set all members to zero and `size` to `sizeof(rtcrt_device_handles)` first. The features that are on are those
/// of `next` and `core`, or, if `feature_names` is not null, those with these names.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_device_handles {
    /// `sizeof(rtcrt_device_handles)`.
    pub size: usize,
    /// `vkGetInstanceProcAddr` of the loader or of a layer of the caller.
    pub get_instance_proc_addr: rtcrt_function,
    /// `VkInstance`.
    pub instance: *mut c_void,
    /// `VkPhysicalDevice`.
    pub physical_device: *mut c_void,
    /// `VkDevice`.
    pub device: *mut c_void,
    /// The version of Vulkan that the caller uses, of its `VkApplicationInfo`. 0: that of the physical device.
    pub api_version: u32,
    /// The queue families in whose command buffers commands are recorded.
    pub queue_families: *const u32,
    /// How many.
    pub queue_family_count: usize,
    /// The device extensions that are on.
    pub extensions: *const *const c_char,
    /// How many.
    pub extension_count: usize,
    /// `VkDeviceCreateInfo::pNext` with which the device was made; read during the call alone.
    pub next: *const c_void,
    /// `VkDeviceCreateInfo::pEnabledFeatures`.
    pub core: *const c_void,
    /// Names of the members of Vulkan's structures that are on.
    pub feature_names: *const *const c_char,
    /// How many.
    pub feature_name_count: usize,
    /// `VkAllocationCallbacks` for every object that is made here, or null. They are copied; what they point to must live as long as the
    /// objects.
    pub allocation_callbacks: *const c_void,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_device_handles {}

/// Limits of a device that concern ray tracing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_limits {
    /// Bytes of a shader group handle.
    pub handle_size: u32,
    /// Strides of shader tables are multiples of this.
    pub handle_alignment: u32,
    /// Shader tables begin at multiples of this.
    pub base_alignment: u32,
    /// Largest stride of a shader table.
    pub max_stride: u32,
    /// Deepest recursion.
    pub max_recursion: u32,
    /// Largest hit attributes in bytes.
    pub max_attribute_size: u32,
    /// Most rays of a dispatch.
    pub max_rays: u32,
    /// Bytes of push constants.
    pub max_push_constants: u32,
    /// Descriptor sets of a pipeline.
    pub max_sets: u32,
    /// Scratch memory begins at multiples of this.
    pub scratch_alignment: u32,
    /// Most rays of a dispatch along each axis.
    pub max_size: [u64; 3],
    /// Most geometries of a bottom-level structure.
    pub max_geometries: u64,
    /// Most primitives of a bottom-level structure.
    pub max_primitives: u64,
    /// Most instances of a top-level structure.
    pub max_instances: u64,
}

/// Takes over the description of a device of the caller.
///
/// # Safety
/// `handles` points to handles that are what they are called, belong together, and outlive the device and everything made from it.
/// Extensions and features that are listed as on are on. The callbacks may be called from every thread. `device` can be written; `error` is
/// null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_device_new(
    handles: *const rtcrt_device_handles,
    device: *mut *mut rtcrt_device,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let h = structure(handles, "handles")?;
            let has_structures = !h.next.is_null() || !h.core.is_null();
            if !h.feature_names.is_null() && has_structures {
                return Err(invalid("features are given both by their names and by structures"));
            }
            let names = texts(h.feature_names, h.feature_name_count, "feature_names")?;
            let made = Device::new(&Handles {
                get_instance_proc_addr: address(h.get_instance_proc_addr),
                instance: number(h.instance),
                physical_device: number(h.physical_device),
                device: number(h.device),
                api_version: h.api_version,
                queue_families: slice(h.queue_families, h.queue_family_count).of("queue_families")?,
                extensions: &texts(h.extensions, h.extension_count, "extensions")?,
                features: match h.feature_names.is_null() {
                    true => EnabledFeatures::Chain { next: h.next, core: h.core },
                    false => EnabledFeatures::Names(&names),
                },
                allocation_callbacks: h.allocation_callbacks,
            })?;
            let name = Text::new(made.name());
            give(device, rtcrt_device { device: made, name }, "device")
        })
    }
}

/// The device's own name: text that belongs to it.
///
/// # Safety
/// `device` is null or a device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_device_name(device: *const rtcrt_device) -> rtcrt_bytes {
    // SAFETY: this function's contract.
    unsafe { get(device, rtcrt_bytes::EMPTY, |d| rtcrt_bytes::of_text(&d.name)) }
}

/// Its limits.
///
/// # Safety
/// `device` is a device; `limits` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_device_limits(
    device: *const rtcrt_device,
    limits: *mut rtcrt_limits,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let l = object(device).of("device")?.device.limits();
            let all = rtcrt_limits {
                handle_size: l.handle_size,
                handle_alignment: l.handle_alignment,
                base_alignment: l.base_alignment,
                max_stride: l.max_stride,
                max_recursion: l.max_recursion,
                max_attribute_size: l.max_attribute_size,
                max_rays: l.max_rays,
                max_push_constants: l.max_push_constants,
                max_sets: l.max_sets,
                scratch_alignment: l.scratch_alignment,
                max_size: l.max_size,
                max_geometries: l.max_geometries,
                max_primitives: l.max_primitives,
                max_instances: l.max_instances,
            };
            put(limits, all, "limits")
        })
    }
}

/// Checks whether the device has what a library needs. The error says what is missing and which package needs it.
///
/// # Safety
/// `device` is a device, `library` is a library; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_device_check(
    device: *const rtcrt_device,
    library: *const rtcrt_library,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || Ok(object(device).of("device")?.device.check_library(&object(library).of("library")?.library)?)) }
}

/// Frees the description of a device; the device itself is the caller's.
///
/// # Safety
/// `device` is null, or a device that is not used again by the caller. What was made from it stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_device_free(device: *mut rtcrt_device) {
    // SAFETY: this function's contract.
    unsafe { free(device) };
}
