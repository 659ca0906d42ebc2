//! What each physical device can do, as records for people and programs.

use super::choose::{self, Candidate};
use super::{instance, vk};
use crate::capabilities::{DeviceRecord, of_vulkan};
use crate::error::Result;
use rtc_engine::vulkan::features::ROWS;
use rtc_tables::devices::{DeviceFacts, of_driver};

/// A record for each physical device.
///
/// # Errors
/// No Vulkan on this machine.
pub fn records() -> Result<Vec<DeviceRecord>> {
    let instance = instance::instance(false)?;
    let list = choose::survey(&instance, None, &[])?;
    Ok(list.into_iter().enumerate().map(|(index, (c, verdict))| record(index, c, verdict.reasons)).collect())
}

fn record(index: usize, mut c: Candidate, reasons: Vec<String>) -> DeviceRecord {
    let api = c.properties.api_version;
    let mut features = c.features;
    let row = |extension: &str, name: &str| ROWS.iter().find(|r| r.name == name && (r.extension == extension || r.extension.is_empty()));
    let extensions = &mut c.extensions;
    let capabilities = of_vulkan(|name| extensions.contains(name), |extension, name| row(extension, name).is_some_and(|r| features.has(r)));
    let facts = of_driver(c.driver_id).map_or(Vec::new(), DeviceFacts::lines);
    let all = ROWS.iter().map(|r| (r.name, r.extension, features.has(r))).collect();
    DeviceRecord {
        id: index.to_string(),
        name: c.name,
        api: format!("Vulkan {}.{}.{}", vk::version_major(api), vk::version_minor(api), vk::version_patch(api)),
        driver: c.driver,
        reasons,
        limits: vec![
            ("max_recursion", c.pipeline.max_ray_recursion_depth.into()),
            ("max_attribute_size", c.pipeline.max_ray_hit_attribute_size.into()),
            ("max_record_size", c.pipeline.max_shader_group_stride.into()),
            ("max_rays", c.pipeline.max_ray_dispatch_invocation_count.into()),
            ("identifier_size", c.pipeline.shader_group_handle_size.into()),
            ("table_alignment", c.pipeline.shader_group_base_alignment.into()),
            ("max_geometries", c.accel.max_geometry_count),
            ("max_instances", c.accel.max_instance_count),
            ("max_primitives", c.accel.max_primitive_count),
            ("wave_lanes", c.waves.subgroup_size.into()),
        ],
        facts,
        capabilities,
        features: all,
    }
}
