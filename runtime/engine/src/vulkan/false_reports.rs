//! What validation layers report about this crate's calls and is not so: one row each, with the reason.
//!
//! All of it comes from layers that are older than a part of Vulkan. Tests that listen to the layer pass over these alone.

/// Reports that contain both texts are false.
const ROWS: &[(&str, &str)] = &[
    // Layers before 1.3.243 do not know position fetch: its capability and SPIR-V extension, its structure, its build flag.
    ("VUID-VkShaderModuleCreateInfo-pCode-01090", ""),
    ("VUID-VkShaderModuleCreateInfo-pCode-01091", ""),
    ("VUID-VkShaderModuleCreateInfo-pCode-04146", ""),
    ("VUID-VkShaderModuleCreateInfo-pCode-04147", ""),
    ("SPIR-V module not valid", "Invalid capability operand: 5336"),
    ("-pNext-pNext", "1000481000"),
    ("VUID-VkDeviceCreateInfo-pNext-pNext", "VkPhysicalDeviceRayTracingPositionFetch"),
    ("VUID-VkAccelerationStructureBuildGeometryInfoKHR-flags-parameter", "flag bits that are not recognized members"),
    // No layer knows the structures of extensions that came after it.
    ("-pNext-pNext", "unknown VkStructureType"),
    // Layers before 1.3.250 do not count the groups that a pipeline has from its libraries.
    ("VUID-vkGetRayTracingShaderGroupStackSizeKHR-group-03608", ""),
];

/// Whether a report of a validation layer is one of those that are known to be false.
pub fn is_false_report(text: &str) -> bool {
    ROWS.iter().any(|(a, b)| text.contains(a) && text.contains(b))
}
