//! A physical device of the caller: its limits, and what could be switched on.

use super::features::{Chain, Enabled, ROWS};
use super::{failed, vk};
use crate::error::{Error, ErrorKind, Result};
use rtc_tables::devices::{DeviceFacts, of_driver};
use rustc_hash::FxHashSet;
use std::ffi::c_void;
use vulkanalia::vk::{Handle, InstanceV1_0, InstanceV1_1};

/// Limits of a device that concern ray tracing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Bytes of a shader group handle; 32 everywhere.
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
    /// Most rays of a dispatch along each axis; those that its driver is known to run, where it claims more ([`rtc_tables::devices`]).
    pub max_size: [u64; 3],
    /// Bytes of push constants.
    pub max_push_constants: u32,
    /// Descriptor sets of a pipeline.
    pub max_sets: u32,
    /// Scratch memory begins at multiples of this.
    pub scratch_alignment: u32,
    /// Most geometries of a bottom-level structure.
    pub max_geometries: u64,
    /// Most primitives of a bottom-level structure.
    pub max_primitives: u64,
    /// Most instances of a top-level structure.
    pub max_instances: u64,
}

/// A physical device, for questions.
pub(super) struct PhysicalDevice {
    pub raw: vk::PhysicalDevice,
    pub instance: vulkanalia::Instance,
    pub properties: vk::PhysicalDeviceProperties,
}

/// A handle with a dispatch table, from the number that the caller gave.
pub(super) fn dispatchable<H: Handle<Repr = usize>>(raw: u64, what: &str) -> Result<H> {
    let handle = usize::try_from(raw).unwrap_or(0);
    match handle {
        0 => Err(Error::new(ErrorKind::Binding, format!("{what} is null"))),
        _ => Ok(H::from_raw(handle)),
    }
}

/// The functions of an instance.
///
/// # Safety
/// The pointer is `vkGetInstanceProcAddr`, the handles are what they are called.
pub(super) unsafe fn get_physical_device(get: *const c_void, instance: u64, physical_device: u64) -> Result<PhysicalDevice> {
    if get.is_null() {
        return Err(Error::new(ErrorKind::Binding, "vkGetInstanceProcAddr is null"));
    }
    let instance: vk::Instance = dispatchable(instance, "VkInstance")?;
    let raw: vk::PhysicalDevice = dispatchable(physical_device, "VkPhysicalDevice")?;
    // SAFETY: by the caller's promise the pointer is this function.
    let get = unsafe { std::mem::transmute::<*const c_void, vk::PFN_vkGetInstanceProcAddr>(get) };
    let table = vk::StaticCommands { get_instance_proc_addr: get };
    // SAFETY: the instance was made with the functions that `get` finds.
    let instance = unsafe { vulkanalia::Instance::from_created(&table, &vk::InstanceCreateInfo::default(), instance) }
        .map_err(failed("say its version"))?;
    // SAFETY: plain query.
    let properties = unsafe { instance.get_physical_device_properties(raw) };
    Ok(PhysicalDevice { raw, instance, properties })
}

impl PhysicalDevice {
    /// The reason to refuse a device of an older version.
    pub fn too_old(&self, needed: u32) -> Vec<String> {
        let has = self.properties.api_version;
        let words = |v: u32| format!("{}.{}", vk::version_major(v), vk::version_minor(v));
        match (vk::version_major(has), vk::version_minor(has)) < (vk::version_major(needed), vk::version_minor(needed)) {
            true => vec![format!("the device supports Vulkan {}; {} is required", words(has), words(needed))],
            false => Vec::new(),
        }
    }

    /// Everything that could be switched on.
    pub fn abilities(&self) -> Result<Enabled> {
        // SAFETY: plain query.
        let extensions = unsafe { self.instance.enumerate_device_extension_properties(self.raw, None) };
        let extensions = extensions.map_err(failed("list its extensions"))?;
        let extensions: FxHashSet<String> = extensions.iter().map(|e| e.extension_name.to_string_lossy().into_owned()).collect();
        let mut chain = Chain::query(&self.instance, self.raw, &extensions);
        Ok(Enabled::new(&mut chain, extensions))
    }

    /// Whether it reorders threads at reorder points of hit objects, by an extension that is on. A device may have the extensions and never do.
    pub fn reorders(&self, on: &Enabled) -> bool {
        let mut ext = vk::PhysicalDeviceRayTracingInvocationReorderPropertiesEXT::default();
        let mut nv = vk::PhysicalDeviceRayTracingInvocationReorderPropertiesNV::default();
        let mut head = vk::PhysicalDeviceProperties2::default();
        for row in ROWS.iter().filter(|row| row.name == "rayTracingInvocationReorder" && on.has_row(row)) {
            if row.extension == "VK_EXT_ray_tracing_invocation_reorder" {
                ext.next = head.next;
                head.next = std::ptr::from_mut(&mut ext).cast();
            } else {
                nv.next = head.next;
                head.next = std::ptr::from_mut(&mut nv).cast();
            }
        }
        // SAFETY: the device has the extensions of these structures, each is in the chain once, and they outlive the call.
        unsafe { self.instance.get_physical_device_properties2(self.raw, &mut head) };
        let reorders = vk::RayTracingInvocationReorderModeEXT::REORDER;
        [ext.ray_tracing_invocation_reorder_reordering_hint, nv.ray_tracing_invocation_reorder_reordering_hint].contains(&reorders)
    }

    /// Facts about its driver that Vulkan does not tell.
    pub fn facts(&self) -> Option<&'static DeviceFacts> {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut head = vk::PhysicalDeviceProperties2 { next: std::ptr::from_mut(&mut driver).cast(), ..Default::default() };
        // SAFETY: the structure is of Vulkan 1.2, which the device must have, and outlives the call.
        unsafe { self.instance.get_physical_device_properties2(self.raw, &mut head) };
        of_driver(driver.driver_id.as_raw() as u32)
    }

    /// Its limits; both extensions must be on.
    pub fn limits(&self) -> Limits {
        let mut pipeline = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
        let mut accel =
            vk::PhysicalDeviceAccelerationStructurePropertiesKHR { next: std::ptr::from_mut(&mut pipeline).cast(), ..Default::default() };
        let mut head = vk::PhysicalDeviceProperties2 { next: std::ptr::from_mut(&mut accel).cast(), ..Default::default() };
        let max_depth = self.facts().and_then(|f| f.max_depth).map_or(u64::MAX, u64::from);
        // SAFETY: both extensions are on, so the device knows their structures, which outlive the call.
        unsafe { self.instance.get_physical_device_properties2(self.raw, &mut head) };
        let core = &self.properties.limits;
        let axis = |i: usize| u64::from(core.max_compute_work_group_count[i]) * u64::from(core.max_compute_work_group_size[i]);
        Limits {
            handle_size: pipeline.shader_group_handle_size,
            handle_alignment: pipeline.shader_group_handle_alignment.max(1),
            base_alignment: pipeline.shader_group_base_alignment.max(1),
            max_stride: pipeline.max_shader_group_stride,
            max_recursion: pipeline.max_ray_recursion_depth,
            max_attribute_size: pipeline.max_ray_hit_attribute_size,
            max_rays: pipeline.max_ray_dispatch_invocation_count,
            max_size: [axis(0), axis(1), axis(2).min(max_depth)],
            max_push_constants: core.max_push_constants_size,
            max_sets: core.max_bound_descriptor_sets,
            scratch_alignment: accel.min_acceleration_structure_scratch_offset_alignment.max(1),
            max_geometries: accel.max_geometry_count,
            max_primitives: accel.max_primitive_count,
            max_instances: accel.max_instance_count,
        }
    }
}
