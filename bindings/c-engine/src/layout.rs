//! Descriptor set layouts and the pipeline layout of libraries.

use crate::boundary::{Failure, HasSize, Of, free, get, give, guarded, object, objects, put, structure, text};
use crate::device::rtcrt_device;
use crate::library::rtcrt_library;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::library::Library;
use rtc_engine::slot::Slot;
use rtc_engine::vulkan::{Device, Layout, LayoutOptions};
use std::ffi::c_char;

/// The layouts of libraries.
pub struct rtcrt_layout {
    pub(crate) layout: Layout,
    sets: Vec<u64>,
    pool_sizes: Vec<rtcrt_pool_size>,
    samplers: Vec<rtcrt_static_sampler>,
}

/// How to make a layout. Set all members to zero and `size` to `sizeof(rtcrt_layout_options)` first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_layout_options {
    /// `sizeof(rtcrt_layout_options)`.
    pub size: usize,
    /// How many elements each unbounded resource array gets; 0: 1024.
    pub unbounded: u32,
    /// `VkShaderStageFlags` that see the resources beyond those of ray tracing and compute.
    pub more_stages: u32,
    /// Not 0: no sampler is immutable, so that the caller writes all static ones.
    pub mutable_samplers: u32,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_layout_options {}

/// `VkDescriptorPoolSize`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_pool_size {
    /// `VkDescriptorType`.
    pub descriptor_type: u32,
    /// How many descriptors one of each set has.
    pub count: u32,
}

/// A static sampler that the caller writes into its sets.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_static_sampler {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Array element.
    pub element: u32,
    /// `VkSampler`, owned by the layout.
    pub sampler: u64,
}

/// Where a resource is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_place {
    /// Descriptor set.
    pub set: u32,
    /// Binding; of push constants: the first byte.
    pub binding: u32,
    /// Not 0: push constants, which have no descriptor.
    pub push_constants: u32,
    /// `VkDescriptorType` of descriptors to write.
    pub descriptor_type: u32,
    /// Descriptors; of push constants: bytes.
    pub count: u32,
    /// Not 0: it has hidden counters, one storage buffer of four bytes for each element.
    pub has_counter: u32,
    /// The set of the counters.
    pub counter_set: u32,
    /// Their binding.
    pub counter_binding: u32,
}

/// Options of the caller; null is none.
///
/// # Safety
/// `at` is null or points to options.
unsafe fn read_options(at: *const rtcrt_layout_options) -> Result<LayoutOptions, Failure> {
    if at.is_null() {
        return Ok(LayoutOptions::default());
    }
    // SAFETY: this function's contract.
    let o = unsafe { structure(at, "options") }?;
    Ok(LayoutOptions { unbounded: o.unbounded, more_stages: o.more_stages, mutable_samplers: o.mutable_samplers != 0 })
}

/// The layout of libraries that are used together: at once, or one after the other as additions. `options` may be null.
///
/// # Safety
/// `device` is a device; `libraries` points to `count` libraries; `options` is null or points to options; `layout` can be written; `error`
/// is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_new(
    device: *const rtcrt_device,
    libraries: *const *const rtcrt_library,
    count: usize,
    options: *const rtcrt_layout_options,
    layout: *mut *mut rtcrt_layout,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || make_layout(device, libraries, count, options, layout, Layout::new)) }
}

/// Makes a layout of either kind.
///
/// # Safety
/// As `rtcrt_layout_new`.
pub(crate) unsafe fn make_layout(
    device: *const rtcrt_device,
    libraries: *const *const rtcrt_library,
    count: usize,
    options: *const rtcrt_layout_options,
    layout: *mut *mut rtcrt_layout,
    new: fn(&Device, &[&Library], LayoutOptions) -> rtc_engine::Result<Layout>,
) -> Result<(), Failure> {
    // SAFETY: this function's contract.
    unsafe {
        let device = object(device).of("device")?;
        let libraries: Vec<_> = objects(libraries, count, "libraries")?.into_iter().map(|l| &*l.library).collect();
        let made = new(&device.device, &libraries, read_options(options)?)?;
        let size = |(kind, count): (i32, u32)| rtcrt_pool_size { descriptor_type: kind as u32, count };
        let sampler = |s: &rtc_engine::vulkan::layout::StaticSamplerWrite| rtcrt_static_sampler {
            set: s.set,
            binding: s.binding,
            element: s.element,
            sampler: s.sampler,
        };
        let own = rtcrt_layout {
            sets: made.sets(),
            pool_sizes: made.pool_sizes().into_iter().map(size).collect(),
            samplers: made.samplers().iter().map(sampler).collect(),
            layout: made,
        };
        give(layout, own, "layout")
    }
}

/// `VkPipelineLayout`.
///
/// # Safety
/// `layout` is null or a layout.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_handle(layout: *const rtcrt_layout) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(layout, 0, |l| l.layout.handle()) }
}

/// A list that belongs to a layout.
///
/// # Safety
/// `layout` is null or a layout; `count` can be written.
unsafe fn list<T: 'static>(layout: *const rtcrt_layout, count: *mut usize, of: impl FnOnce(&rtcrt_layout) -> &[T]) -> *const T {
    // SAFETY: this function's contract.
    unsafe {
        let found = get(layout, &[][..], |l: &'static rtcrt_layout| of(l));
        match put(count, found.len(), "count") {
            Ok(()) => found.as_ptr(),
            Err(_) => std::ptr::null(),
        }
    }
}

/// `VkDescriptorSetLayout`, one for each set; the list belongs to the layout.
///
/// # Safety
/// `layout` is null or a layout; `count` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_sets(layout: *const rtcrt_layout, count: *mut usize) -> *const u64 {
    // SAFETY: this function's contract.
    unsafe { list(layout, count, |l| &l.sets) }
}

/// Descriptors of all sets by type: what a pool needs for one of each set. The list, `VkDescriptorPoolSize`s, belongs to the layout.
///
/// # Safety
/// `layout` is null or a layout; `count` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_pool_sizes(layout: *const rtcrt_layout, count: *mut usize) -> *const rtcrt_pool_size {
    // SAFETY: this function's contract.
    unsafe { list(layout, count, |l| &l.pool_sizes) }
}

/// Static samplers that the caller writes; the list belongs to the layout.
///
/// # Safety
/// `layout` is null or a layout; `count` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_samplers(layout: *const rtcrt_layout, count: *mut usize) -> *const rtcrt_static_sampler {
    // SAFETY: this function's contract.
    unsafe { list(layout, count, |l| &l.samplers) }
}

/// Bytes of push constants.
///
/// # Safety
/// `layout` is null or a layout.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_push_size(layout: *const rtcrt_layout) -> u32 {
    // SAFETY: this function's contract.
    unsafe { get(layout, 0, |l| l.layout.push_size()) }
}

/// `VkShaderStageFlags` of the push constant range.
///
/// # Safety
/// `layout` is null or a layout.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_push_stages(layout: *const rtcrt_layout) -> u32 {
    // SAFETY: this function's contract.
    unsafe { get(layout, 0, |l| l.layout.push_stages()) }
}

/// Where a resource of a library is: by its name in HLSL, or its register as `t0` or `t0,space1`.
///
/// # Safety
/// `layout` is a layout, `library` is a library; `slot` is a text; `place` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_place(
    layout: *const rtcrt_layout,
    library: *const rtcrt_library,
    slot: *const c_char,
    place: *mut rtcrt_place,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (layout, library) = (object(layout).of("layout")?, object(library).of("library")?);
            let p = layout.layout.place(&library.library, &Slot::parse(text(slot).of("slot")?))?;
            let (counter_set, counter_binding) = p.counter.unwrap_or_default();
            let found = rtcrt_place {
                set: p.set,
                binding: p.binding,
                push_constants: p.descriptor_type.is_none().into(),
                descriptor_type: p.descriptor_type.unwrap_or(0) as u32,
                count: p.count,
                has_counter: p.counter.is_some().into(),
                counter_set,
                counter_binding,
            };
            put(place, found, "place")
        })
    }
}

/// Frees a layout. What was made with it stays valid.
///
/// # Safety
/// `layout` is null, or a layout that is not used again by the caller, and whose handles the device does not use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_layout_free(layout: *mut rtcrt_layout) {
    // SAFETY: this function's contract.
    unsafe { free(layout) };
}
