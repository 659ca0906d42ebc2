//! Extensions that no device here has, before a real device: functions that write down what they are called with.
//!
//! [`device`] looks functions up through this file, which answers for the extensions' functions itself and passes on all others. What it
//! gives back is made up; what is tested is that Vulkan is called as it should be.

use crate::engine::Engine;
use rtc_engine::vulkan::{Device, EnabledFeatures, Handles};
use std::ffi::{CStr, c_char, c_void};
use std::sync::Mutex;
use vulkanalia::vk::{self, DeviceV1_0, Handle, InstanceV1_0};

/// What the functions were called with, as text.
static CALLS: Mutex<Vec<String>> = Mutex::new(Vec::new());
static REAL: Mutex<Option<(vk::PFN_vkGetInstanceProcAddr, usize)>> = Mutex::new(None);

/// Sizes and limits that the functions tell.
pub const RESULT: u64 = 1024;
pub const SCRATCH: u64 = 512;
pub const MAX_LEVELS: [u32; 2] = [8, 4];

const EXTENSIONS: &[&str] = &[
    "VK_KHR_acceleration_structure",
    "VK_KHR_ray_tracing_pipeline",
    "VK_KHR_deferred_host_operations",
    "VK_EXT_opacity_micromap",
    "VK_NV_cluster_acceleration_structure",
    "VK_NV_partitioned_acceleration_structure",
];
const FEATURES: &[&str] = &[
    "accelerationStructure",
    "accelerationStructureIndirectBuild",
    "accelerationStructureHostCommands",
    "rayTracingPipeline",
    "bufferDeviceAddress",
    "runtimeDescriptorArray",
    "descriptorBindingPartiallyBound",
    "micromap",
    "clusterAccelerationStructure",
    "partitionedAccelerationStructure",
];

/// The device of an engine, with extensions that it does not have.
pub fn device(engine: &Engine) -> Device {
    // SAFETY: it is this function.
    let real = unsafe { std::mem::transmute::<*const c_void, vk::PFN_vkGetInstanceProcAddr>(engine.get) };
    *REAL.lock().expect("the real function") = Some((real, InstanceV1_0::handle(&engine.instance).as_raw()));
    calls();
    // SAFETY: the handles are those of the engine; functions of extensions that are not on are answered for here.
    let made = unsafe {
        Device::new(&Handles {
            get_instance_proc_addr: get_instance as *const c_void,
            instance: InstanceV1_0::handle(&engine.instance).as_raw() as u64,
            physical_device: engine.physical.as_raw() as u64,
            device: DeviceV1_0::handle(&engine.raw).as_raw() as u64,
            api_version: 0,
            queue_families: &[0],
            extensions: EXTENSIONS,
            features: EnabledFeatures::Names(FEATURES),
            allocation_callbacks: std::ptr::null(),
        })
    };
    made.expect("a device")
}

/// The calls since the last question.
pub fn calls() -> Vec<String> {
    std::mem::take(&mut *CALLS.lock().expect("the calls"))
}

fn called(what: String) {
    CALLS.lock().expect("the calls").push(what);
}

fn real(instance: vk::Instance, name: *const c_char) -> vk::PFN_vkVoidFunction {
    let (get, _) = (*REAL.lock().expect("the real function")).expect("a device was made");
    // SAFETY: the loader's function.
    unsafe { get(instance, name) }
}

unsafe extern "system" fn get_instance(instance: vk::Instance, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: the caller passes a name.
    let text = unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default();
    let own = match text {
        "vkGetDeviceProcAddr" => get_device as *const c_void,
        "vkGetPhysicalDeviceProperties2" => properties as *const c_void,
        _ => return real(instance, name),
    };
    // SAFETY: a function pointer.
    unsafe { std::mem::transmute::<*const c_void, vk::PFN_vkVoidFunction>(own) }
}

unsafe extern "system" fn get_device(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: the caller passes a name.
    let text = unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default();
    if let Some((_, own)) = OWN.iter().find(|(n, _)| *n == text) {
        // SAFETY: a function pointer.
        return unsafe { std::mem::transmute::<*const c_void, vk::PFN_vkVoidFunction>(own.0) };
    }
    let (_, instance) = (*REAL.lock().expect("the real function")).expect("a device was made");
    let get = real(vk::Instance::from_raw(instance), c"vkGetDeviceProcAddr".as_ptr());
    // SAFETY: it is this function, and the device is real.
    unsafe { std::mem::transmute::<vk::PFN_vkVoidFunction, vk::PFN_vkGetDeviceProcAddr>(get)(device, name) }
}

unsafe extern "system" fn properties(physical: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties2) {
    // SAFETY: the caller passes a chain; what is not real is filled in here and taken out of it.
    unsafe {
        let next = (*out).next.cast::<vk::BaseOutStructure>();
        match next.as_ref().map(|n| n.s_type) {
            Some(vk::StructureType::PHYSICAL_DEVICE_OPACITY_MICROMAP_PROPERTIES_EXT) => {
                let limits = &mut *next.cast::<vk::PhysicalDeviceOpacityMicromapPropertiesEXT>();
                [limits.max_opacity2_state_subdivision_level, limits.max_opacity4_state_subdivision_level] = MAX_LEVELS;
            }
            Some(vk::StructureType::PHYSICAL_DEVICE_CLUSTER_ACCELERATION_STRUCTURE_PROPERTIES_NV) => {
                let limits = &mut *next.cast::<vk::PhysicalDeviceClusterAccelerationStructurePropertiesNV>();
                limits.max_vertices_per_cluster = 256;
                limits.max_triangles_per_cluster = 256;
                limits.cluster_scratch_byte_alignment = 256;
                limits.cluster_byte_alignment = 128;
                limits.cluster_template_byte_alignment = 32;
                limits.cluster_bottom_level_byte_alignment = 256;
                limits.cluster_template_bounds_byte_alignment = 32;
                limits.max_cluster_geometry_index = 0x00ff_ffff;
            }
            Some(vk::StructureType::PHYSICAL_DEVICE_PARTITIONED_ACCELERATION_STRUCTURE_PROPERTIES_NV) => {
                (*next.cast::<vk::PhysicalDevicePartitionedAccelerationStructurePropertiesNV>()).max_partition_count = 100;
            }
            _ => {
                let (_, instance) = (*REAL.lock().expect("the real function")).expect("a device was made");
                let get = real(vk::Instance::from_raw(instance), c"vkGetPhysicalDeviceProperties2".as_ptr());
                std::mem::transmute::<vk::PFN_vkVoidFunction, vk::PFN_vkGetPhysicalDeviceProperties2>(get)(physical, out);
            }
        }
    }
}

struct Function(*const c_void);
// SAFETY: the address of a function.
unsafe impl Sync for Function {}

/// A function of each extension, after its type.
macro_rules! own {
    ($($name:literal: $type:ident = $function:ident;)*) => {
        static OWN: &[(&str, Function)] = &[$(($name, {
            const TYPED: vk::$type = $function;
            Function(TYPED as *const c_void)
        })),*];
    };
}

own! {
    "vkGetAccelerationStructureBuildSizesKHR": PFN_vkGetAccelerationStructureBuildSizesKHR = structure_sizes;
    "vkGetMicromapBuildSizesEXT": PFN_vkGetMicromapBuildSizesEXT = micromap_sizes;
    "vkCreateMicromapEXT": PFN_vkCreateMicromapEXT = create_micromap;
    "vkDestroyMicromapEXT": PFN_vkDestroyMicromapEXT = destroy_micromap;
    "vkCmdBuildMicromapsEXT": PFN_vkCmdBuildMicromapsEXT = build_micromaps;
    "vkCmdCopyMicromapEXT": PFN_vkCmdCopyMicromapEXT = copy_micromap;
    "vkCmdCopyMicromapToMemoryEXT": PFN_vkCmdCopyMicromapToMemoryEXT = micromap_to_memory;
    "vkCmdCopyMemoryToMicromapEXT": PFN_vkCmdCopyMemoryToMicromapEXT = memory_to_micromap;
    "vkCmdWriteMicromapsPropertiesEXT": PFN_vkCmdWriteMicromapsPropertiesEXT = micromap_queries;
    "vkGetDeviceMicromapCompatibilityEXT": PFN_vkGetDeviceMicromapCompatibilityEXT = micromap_compatibility;
    "vkCreateQueryPool": PFN_vkCreateQueryPool = create_queries;
    "vkDestroyQueryPool": PFN_vkDestroyQueryPool = destroy_queries;
    "vkCmdResetQueryPool": PFN_vkCmdResetQueryPool = reset_queries;
    "vkCmdCopyQueryPoolResults": PFN_vkCmdCopyQueryPoolResults = copy_queries;
    "vkCmdBuildAccelerationStructuresKHR": PFN_vkCmdBuildAccelerationStructuresKHR = build;
    "vkCmdBuildAccelerationStructuresIndirectKHR": PFN_vkCmdBuildAccelerationStructuresIndirectKHR = build_indirect;
    "vkBuildAccelerationStructuresKHR": PFN_vkBuildAccelerationStructuresKHR = build_on_host;
    "vkCopyAccelerationStructureKHR": PFN_vkCopyAccelerationStructureKHR = copy_on_host;
    "vkCopyAccelerationStructureToMemoryKHR": PFN_vkCopyAccelerationStructureToMemoryKHR = to_memory_on_host;
    "vkCopyMemoryToAccelerationStructureKHR": PFN_vkCopyMemoryToAccelerationStructureKHR = from_memory_on_host;
    "vkWriteAccelerationStructuresPropertiesKHR": PFN_vkWriteAccelerationStructuresPropertiesKHR = info_on_host;
    "vkGetClusterAccelerationStructureBuildSizesNV": PFN_vkGetClusterAccelerationStructureBuildSizesNV = cluster_sizes;
    "vkCmdBuildClusterAccelerationStructureIndirectNV": PFN_vkCmdBuildClusterAccelerationStructureIndirectNV = clusters;
    "vkGetPartitionedAccelerationStructuresBuildSizesNV": PFN_vkGetPartitionedAccelerationStructuresBuildSizesNV = partitioned_sizes;
    "vkCmdBuildPartitionedAccelerationStructuresNV": PFN_vkCmdBuildPartitionedAccelerationStructuresNV = partitioned;
}

fn usages(counts: *const vk::MicromapUsageEXT, n: u32) -> String {
    // SAFETY: there are so many, or none.
    let list = (0..n as usize).map(|i| unsafe { *counts.add(i) });
    let text: Vec<_> = list.map(|u| format!("{}x level {} format {}", u.count, u.subdivision_level, u.format)).collect();
    format!("[{}]", text.join(", "))
}

fn address(a: vk::DeviceOrHostAddressConstKHR) -> u64 {
    // SAFETY: all bits are one number.
    unsafe { a.device_address }
}

fn address_mut(a: vk::DeviceOrHostAddressKHR) -> u64 {
    // SAFETY: as above.
    unsafe { a.device_address }
}

unsafe extern "system" fn micromap_sizes(
    _: vk::Device,
    place: vk::AccelerationStructureBuildTypeKHR,
    info: *const vk::MicromapBuildInfoEXT,
    out: *mut vk::MicromapBuildSizesInfoEXT,
) {
    assert_eq!(place, vk::AccelerationStructureBuildTypeKHR::DEVICE);
    // SAFETY: valid by Vulkan's rules.
    unsafe {
        called(format!("micromap sizes {:?} {}", (*info).flags, usages((*info).usage_counts, (*info).usage_counts_count)));
        (*out).micromap_size = RESULT;
        (*out).build_scratch_size = SCRATCH;
        (*out).discardable = vk::TRUE;
    }
}

/// Drivers that know no micromaps may crash when they get triangles that have some.
unsafe extern "system" fn structure_sizes(
    _: vk::Device,
    _: vk::AccelerationStructureBuildTypeKHR,
    _: *const vk::AccelerationStructureBuildGeometryInfoKHR,
    _: *const u32,
    out: *mut vk::AccelerationStructureBuildSizesInfoKHR,
) {
    // SAFETY: valid by Vulkan's rules.
    let out = unsafe { &mut *out };
    (out.acceleration_structure_size, out.build_scratch_size, out.update_scratch_size) = (RESULT, SCRATCH, SCRATCH);
}

unsafe extern "system" fn create_micromap(
    _: vk::Device,
    info: *const vk::MicromapCreateInfoEXT,
    _: *const vk::AllocationCallbacks,
    out: *mut vk::MicromapEXT,
) -> vk::Result {
    // SAFETY: valid by Vulkan's rules.
    unsafe {
        assert_eq!(((*info).type_, (*info).offset), (vk::MicromapTypeEXT::OPACITY_MICROMAP, 0));
        called(format!("create micromap of {}", (*info).size));
        *out = vk::MicromapEXT::from_raw(0x77);
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_micromap(_: vk::Device, micromap: vk::MicromapEXT, _: *const vk::AllocationCallbacks) {
    called(format!("destroy micromap {:#x}", micromap.as_raw()));
}

unsafe extern "system" fn build_micromaps(_: vk::CommandBuffer, n: u32, infos: *const vk::MicromapBuildInfoEXT) {
    for i in 0..n as usize {
        // SAFETY: there are so many.
        let info = unsafe { &*infos.add(i) };
        assert_eq!(info.mode, vk::BuildMicromapModeEXT::BUILD);
        called(format!(
            "build micromap {:#x} {i} of {n}: data {:#x} entries {:#x}+{} scratch {} {}",
            info.dst_micromap.as_raw(),
            address(info.data),
            address(info.triangle_array),
            info.triangle_array_stride,
            address_mut(info.scratch_data) % 256,
            usages(info.usage_counts, info.usage_counts_count),
        ));
    }
}

unsafe extern "system" fn copy_micromap(_: vk::CommandBuffer, info: *const vk::CopyMicromapInfoEXT) {
    // SAFETY: valid by Vulkan's rules.
    called(format!("copy micromap {:?}", unsafe { (*info).mode }));
}

unsafe extern "system" fn micromap_to_memory(_: vk::CommandBuffer, info: *const vk::CopyMicromapToMemoryInfoEXT) {
    // SAFETY: as above.
    unsafe { called(format!("copy micromap {:?} to {:#x}", (*info).mode, address_mut((*info).dst))) };
}

unsafe extern "system" fn memory_to_micromap(_: vk::CommandBuffer, info: *const vk::CopyMemoryToMicromapInfoEXT) {
    // SAFETY: as above.
    unsafe { called(format!("copy micromap {:?} from {:#x}", (*info).mode, address((*info).src))) };
}

unsafe extern "system" fn micromap_queries(
    _: vk::CommandBuffer,
    n: u32,
    _: *const vk::MicromapEXT,
    kind: vk::QueryType,
    _: vk::QueryPool,
    _: u32,
) {
    called(format!("query {n} micromaps {kind:?}"));
}

unsafe extern "system" fn micromap_compatibility(
    _: vk::Device,
    info: *const vk::MicromapVersionInfoEXT,
    out: *mut vk::AccelerationStructureCompatibilityKHR,
) {
    // SAFETY: the version has 32 bytes.
    unsafe {
        let fits = *(*info).version_data.add(31) == 9;
        *out = match fits {
            true => vk::AccelerationStructureCompatibilityKHR::COMPATIBLE,
            false => vk::AccelerationStructureCompatibilityKHR::INCOMPATIBLE,
        };
    }
}

unsafe extern "system" fn create_queries(
    _: vk::Device,
    info: *const vk::QueryPoolCreateInfo,
    _: *const vk::AllocationCallbacks,
    out: *mut vk::QueryPool,
) -> vk::Result {
    // SAFETY: valid by Vulkan's rules.
    unsafe {
        called(format!("create queries {:?}", (*info).query_type));
        *out = vk::QueryPool::from_raw(0x99);
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_queries(_: vk::Device, _: vk::QueryPool, _: *const vk::AllocationCallbacks) {}

unsafe extern "system" fn reset_queries(_: vk::CommandBuffer, _: vk::QueryPool, _: u32, _: u32) {}

unsafe extern "system" fn copy_queries(
    _: vk::CommandBuffer,
    _: vk::QueryPool,
    first: u32,
    n: u32,
    _: vk::Buffer,
    offset: u64,
    stride: u64,
    flags: vk::QueryResultFlags,
) {
    called(format!("copy answers {first}..{n} to {offset}+{stride} {flags:?}"));
}

/// What a build is made of, with the micromaps of its geometries.
fn described(info: &vk::AccelerationStructureBuildGeometryInfoKHR) -> String {
    let mut out = format!("{:?} {:?}", info.mode, info.flags);
    for i in 0..info.geometry_count as usize {
        // SAFETY: there are so many.
        let geometry = unsafe { &*info.geometries.add(i) };
        if geometry.geometry_type == vk::GeometryTypeKHR::TRIANGLES {
            // SAFETY: triangles, whose next structure is about micromaps if there is one.
            let next = unsafe { geometry.geometry.triangles.next.cast::<vk::AccelerationStructureTrianglesOpacityMicromapEXT>().as_ref() };
            if let Some(m) = next {
                out += &format!(
                    " micromap {:#x} {:?} {:#x}+{} base {} {}",
                    m.micromap.as_raw(),
                    m.index_type,
                    address(m.index_buffer),
                    m.index_stride,
                    m.base_triangle,
                    usages(m.usage_counts, m.usage_counts_count)
                );
            }
        }
    }
    out
}

unsafe extern "system" fn build(
    _: vk::CommandBuffer,
    n: u32,
    infos: *const vk::AccelerationStructureBuildGeometryInfoKHR,
    ranges: *const *const vk::AccelerationStructureBuildRangeInfoKHR,
) {
    for i in 0..n as usize {
        // SAFETY: there are so many, with at least one geometry each here.
        let (info, range) = unsafe { (&*infos.add(i), **ranges.add(i)) };
        called(format!("build {} of {} primitives", described(info), range.primitive_count));
    }
}

unsafe extern "system" fn build_indirect(
    _: vk::CommandBuffer,
    n: u32,
    infos: *const vk::AccelerationStructureBuildGeometryInfoKHR,
    addresses: *const u64,
    strides: *const u32,
    counts: *const *const u32,
) {
    for i in 0..n as usize {
        // SAFETY: as above.
        let (info, address, stride, count) = unsafe { (&*infos.add(i), *addresses.add(i), *strides.add(i), **counts.add(i)) };
        called(format!("build indirect {} ranges {address:#x}+{stride} of {count}", described(info)));
    }
}

unsafe extern "system" fn build_on_host(
    _: vk::Device,
    deferred: vk::DeferredOperationKHR,
    n: u32,
    infos: *const vk::AccelerationStructureBuildGeometryInfoKHR,
    ranges: *const *const vk::AccelerationStructureBuildRangeInfoKHR,
) -> vk::Result {
    assert_eq!(deferred, vk::DeferredOperationKHR::null());
    for i in 0..n as usize {
        // SAFETY: as above.
        let (info, range) = unsafe { (&*infos.add(i), **ranges.add(i)) };
        called(format!("build on host {} of {} primitives", described(info), range.primitive_count));
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn copy_on_host(
    _: vk::Device,
    _: vk::DeferredOperationKHR,
    info: *const vk::CopyAccelerationStructureInfoKHR,
) -> vk::Result {
    // SAFETY: valid by Vulkan's rules.
    called(format!("copy on host {:?}", unsafe { (*info).mode }));
    vk::Result::SUCCESS
}

/// A serialised structure that the mock takes for one of the device's.
pub const SERIALIZED: u64 = 60;

unsafe extern "system" fn to_memory_on_host(
    _: vk::Device,
    _: vk::DeferredOperationKHR,
    info: *const vk::CopyAccelerationStructureToMemoryInfoKHR,
) -> vk::Result {
    // SAFETY: there is room for what the query said, at a multiple of 16.
    unsafe {
        assert_eq!(address_mut((*info).dst) % 16, 0);
        let bytes = std::slice::from_raw_parts_mut((*info).dst.host_address.cast::<u8>(), SERIALIZED as usize);
        bytes.fill(1);
        called(format!("serialise on host {:?}", (*info).mode));
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn from_memory_on_host(
    _: vk::Device,
    _: vk::DeferredOperationKHR,
    info: *const vk::CopyMemoryToAccelerationStructureInfoKHR,
) -> vk::Result {
    // SAFETY: as above.
    unsafe { called(format!("deserialise on host {:?} at {}", (*info).mode, address((*info).src) % 16)) };
    vk::Result::SUCCESS
}

unsafe extern "system" fn info_on_host(
    _: vk::Device,
    n: u32,
    _: *const vk::AccelerationStructureKHR,
    kind: vk::QueryType,
    size: usize,
    data: *mut c_void,
    _: usize,
) -> vk::Result {
    assert_eq!((n, size), (1, 8));
    called(format!("info on host {kind:?}"));
    // SAFETY: there is room for 8 bytes.
    unsafe { data.cast::<u64>().write(SERIALIZED) };
    vk::Result::SUCCESS
}

fn cluster_input(info: &vk::ClusterAccelerationStructureInputInfoNV) -> String {
    use vk::ClusterAccelerationStructureOpTypeNV as T;
    let head = format!("{:?} {:?} {:?} {}", info.op_type, info.op_mode, info.flags, info.max_acceleration_structure_count);
    // SAFETY: the structure is that of the operation.
    let rest = unsafe {
        match info.op_type {
            T::MOVE_OBJECTS => {
                let m = *info.op_input.move_objects;
                format!("{:?} no overlap {} of {}", m.type_, m.no_move_overlap, m.max_moved_bytes)
            }
            T::BUILD_CLUSTERS_BOTTOM_LEVEL => {
                let b = *info.op_input.clusters_bottom_level;
                format!("{} in all, {} in one", b.max_total_cluster_count, b.max_cluster_count_per_acceleration_structure)
            }
            _ => {
                let t = *info.op_input.triangle_clusters;
                format!(
                    "{:?} {} triangles {} vertices {} geometries up to {}",
                    t.vertex_format,
                    t.max_cluster_triangle_count,
                    t.max_cluster_vertex_count,
                    t.max_cluster_unique_geometry_count,
                    t.max_geometry_index_value
                )
            }
        }
    };
    format!("{head}: {rest}")
}

unsafe extern "system" fn cluster_sizes(
    _: vk::Device,
    info: *const vk::ClusterAccelerationStructureInputInfoNV,
    out: *mut vk::AccelerationStructureBuildSizesInfoKHR,
) {
    // SAFETY: valid by Vulkan's rules.
    unsafe {
        called(format!("cluster sizes {}", cluster_input(&*info)));
        (*out).acceleration_structure_size = RESULT;
        (*out).build_scratch_size = SCRATCH;
    }
}

unsafe extern "system" fn clusters(_: vk::CommandBuffer, info: *const vk::ClusterAccelerationStructureCommandsInfoNV) {
    // SAFETY: as above.
    let info = unsafe { &*info };
    let region = |r: vk::StridedDeviceAddressRegionKHR| format!("{:#x}+{}({})", r.device_address, r.stride, r.size);
    called(format!(
        "clusters {} | result {:#x} scratch {:#x} addresses {} sizes {} arguments {} count {:#x} {:?}",
        cluster_input(&info.input),
        info.dst_implicit_data,
        info.scratch_data,
        region(info.dst_addresses_array),
        region(info.dst_sizes_array),
        region(info.src_infos_array),
        info.src_infos_count,
        info.address_resolution_flags
    ));
}

fn partitioned_input(i: &vk::PartitionedAccelerationStructureInstancesInputNV) -> String {
    // SAFETY: the next structure is this one.
    let translation = unsafe { (*i.next.cast::<vk::PartitionedAccelerationStructureFlagsNV>()).enable_partition_translation };
    format!(
        "{:?} {} instances, {} in {} partitions, {} global, translation {translation}",
        i.flags, i.instance_count, i.max_instance_per_partition_count, i.partition_count, i.max_instance_in_global_partition_count
    )
}

unsafe extern "system" fn partitioned_sizes(
    _: vk::Device,
    info: *const vk::PartitionedAccelerationStructureInstancesInputNV,
    out: *mut vk::AccelerationStructureBuildSizesInfoKHR,
) {
    // SAFETY: valid by Vulkan's rules.
    unsafe {
        called(format!("partitioned sizes {}", partitioned_input(&*info)));
        (*out).acceleration_structure_size = RESULT;
        (*out).build_scratch_size = SCRATCH;
    }
}

unsafe extern "system" fn partitioned(_: vk::CommandBuffer, info: *const vk::BuildPartitionedAccelerationStructureInfoNV) {
    // SAFETY: as above.
    let info = unsafe { &*info };
    called(format!(
        "partitioned {} | {:#x} to {:#x} scratch {:#x} operations {:#x} count {:#x}",
        partitioned_input(&info.input),
        info.src_acceleration_structure_data,
        info.dst_acceleration_structure_data,
        info.scratch_data,
        info.src_infos,
        info.src_infos_count
    ));
}
