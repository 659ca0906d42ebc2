//! Selection of the physical device: the first that supports ray tracing and the package's requirements, with the reason why each
//! other device is rejected.

use super::instance::Instance;
use super::vk;
use crate::error::{ErrorKind, Result, RunError};
use rtc_engine::vulkan::features::{Chain, Enabled, MESH, NEEDED_EXTENSIONS, Need, ROWS, SUBGROUP_SIZE};
use rtc_package::Requirement;
use rustc_hash::FxHashSet;
use vulkanalia::vk::{InstanceV1_0, InstanceV1_1};

/// The properties of a physical device.
pub(super) struct Candidate {
    /// Its handle.
    pub handle: vk::PhysicalDevice,
    /// Its name.
    pub name: String,
    /// Core properties.
    pub properties: vk::PhysicalDeviceProperties,
    /// Ray-tracing pipeline limits.
    pub pipeline: vk::PhysicalDeviceRayTracingPipelinePropertiesKHR,
    /// Limits of acceleration structures.
    pub accel: vk::PhysicalDeviceAccelerationStructurePropertiesKHR,
    /// Fewest and most lanes that a compute shader may ask for; zero where it cannot.
    pub wave_range: (u32, u32),
    /// Operations of waves: in which stages, which ones, and the default number of lanes.
    pub waves: vk::PhysicalDeviceSubgroupProperties,
    /// Driver name and version text.
    pub driver: String,
    /// `VkDriverId`.
    pub driver_id: u32,
    /// Its extensions.
    pub extensions: FxHashSet<String>,
    /// Its features.
    pub features: Chain,
    /// Mesh shader limits; zero where there are none.
    pub mesh: vk::PhysicalDeviceMeshShaderPropertiesEXT,
    /// The queue family to use.
    pub family: u32,
    /// Whether it draws.
    pub graphics: bool,
    /// How many bits of a timestamp mean something on that family; 0: it has no clock.
    pub timestamp_bits: u32,
}

impl Candidate {
    /// Whether it is a GPU.
    pub fn is_gpu(&self) -> bool {
        rank(self.properties.device_type) < PROCESSOR
    }
}

/// One line for each physical device: its name, and why it is refused or that it is usable.
pub(super) struct Verdict {
    /// `0: llvmpipe (LLVM 15.0.6, 256 bits)`
    pub title: String,
    /// Reasons to refuse it; none: usable.
    pub reasons: Vec<String>,
}

/// Lists the physical devices and checks each.
pub(super) fn survey(instance: &Instance, filter: Option<&str>, requirements: &[Requirement]) -> Result<Vec<(Candidate, Verdict)>> {
    // SAFETY: plain query.
    let handles = unsafe { instance.raw.enumerate_physical_devices() }
        .map_err(|e| RunError::new(ErrorKind::NoDevice, format!("cannot list Vulkan devices: {e}")))?;
    let mut out = Vec::new();
    for (index, handle) in handles.into_iter().enumerate() {
        let mut candidate = describe(instance, handle);
        let mut reasons = reject_reasons(&mut candidate, requirements);
        if let Some(filter) = filter
            && !matches(filter, index, &candidate.name)
        {
            reasons.insert(0, format!("`--device {filter}` does not name it"));
        }
        let title = format!("{index}: {}", candidate.name);
        out.push((candidate, Verdict { title, reasons }));
    }
    Ok(out)
}

/// The device to use.
///
/// # Errors
/// There is no device, or each is rejected; the notes have the reasons.
pub(super) fn choose(instance: &Instance, filter: Option<&str>, requirements: &[Requirement]) -> Result<Candidate> {
    let mut refusals = Vec::new();
    let mut usable = Vec::new();
    for (candidate, verdict) in survey(instance, filter, requirements)? {
        if verdict.reasons.is_empty() {
            usable.push(candidate);
        } else {
            refusals.push(format!("{}: {}", verdict.title, verdict.reasons.join("; ")));
        }
    }
    // A GPU before a CPU; otherwise in the order of the loader.
    usable.sort_by_key(|c| rank(c.properties.device_type));
    usable.into_iter().next().ok_or_else(|| {
        let mut e = RunError::new(
            ErrorKind::NoDevice,
            if refusals.is_empty() {
                "no Vulkan device on this machine".to_string()
            } else {
                "no Vulkan device on this machine can run this".to_string()
            },
        );
        if refusals.is_empty() {
            e = e.note("without a GPU, Mesa's lavapipe is one (Debian: mesa-vulkan-drivers 25 or newer)");
        }
        e.notes.extend(refusals);
        e
    })
}

/// The rank of what is no GPU.
const PROCESSOR: u32 = 3;

fn rank(kind: vk::PhysicalDeviceType) -> u32 {
    match kind {
        vk::PhysicalDeviceType::DISCRETE_GPU => 0,
        vk::PhysicalDeviceType::INTEGRATED_GPU => 1,
        vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
        _ => PROCESSOR,
    }
}

/// A filter is an index, or part of a name in any case.
fn matches(filter: &str, index: usize, name: &str) -> bool {
    match filter.parse::<usize>() {
        Ok(wanted) => wanted == index,
        Err(_) => name.to_lowercase().contains(&filter.to_lowercase()),
    }
}

fn describe(instance: &Instance, handle: vk::PhysicalDevice) -> Candidate {
    let raw = &instance.raw;
    // SAFETY: plain queries of one of the instance's devices. An error of the extension query leaves the
    // list empty, and the device is then refused for lack of extensions.
    let extensions: FxHashSet<String> = unsafe { raw.enumerate_device_extension_properties(handle, None) }
        .unwrap_or_default()
        .iter()
        .map(|e| e.extension_name.to_string_lossy().into_owned())
        .collect();
    // SAFETY: as above.
    let plain = unsafe { raw.get_physical_device_properties(handle) };
    let mut pipeline = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
    let mut accel = vk::PhysicalDeviceAccelerationStructurePropertiesKHR::default();
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    let mut waves = vk::PhysicalDeviceSubgroupProperties::default();
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    let mut mesh = vk::PhysicalDeviceMeshShaderPropertiesEXT::default();
    let mut head = vk::PhysicalDeviceProperties2::default();
    let new_enough = plain.api_version >= vk::make_version(1, 2, 0);
    if new_enough {
        head.next = std::ptr::from_mut(&mut driver).cast();
        waves.next = head.next;
        head.next = std::ptr::from_mut(&mut waves).cast();
        if extensions.contains(SUBGROUP_SIZE) {
            sizes.next = head.next;
            head.next = std::ptr::from_mut(&mut sizes).cast();
        }
        if extensions.contains(MESH) {
            mesh.next = head.next;
            head.next = std::ptr::from_mut(&mut mesh).cast();
        }
        if NEEDED_EXTENSIONS.iter().all(|e| extensions.contains(*e)) {
            pipeline.next = head.next;
            accel.next = std::ptr::from_mut(&mut pipeline).cast();
            head.next = std::ptr::from_mut(&mut accel).cast();
        }
        // SAFETY: the chain holds structures that the device knows, each once, alive until the call returns.
        unsafe { raw.get_physical_device_properties2(handle, &mut head) };
        mesh.next = std::ptr::null_mut();
        waves.next = std::ptr::null_mut();
        pipeline.next = std::ptr::null_mut();
        accel.next = std::ptr::null_mut();
    }
    let features = if new_enough { Chain::query(raw, handle, &extensions) } else { Chain::default() };
    // SAFETY: plain query.
    let families = unsafe { raw.get_physical_device_queue_family_properties(handle) };
    let with = |flags| families.iter().position(|f| f.queue_flags.contains(flags));
    let draws = with(vk::QueueFlags::COMPUTE | vk::QueueFlags::GRAPHICS);
    let family = draws.or_else(|| with(vk::QueueFlags::COMPUTE));
    Candidate {
        handle,
        name: plain.device_name.to_string_lossy().into_owned(),
        properties: plain,
        pipeline,
        accel,
        wave_range: if sizes.required_subgroup_size_stages.contains(vk::ShaderStageFlags::COMPUTE) {
            (sizes.min_subgroup_size, sizes.max_subgroup_size)
        } else {
            (0, 0)
        },
        waves,
        driver: format!("{} {}", driver.driver_name.to_string_lossy(), driver.driver_info.to_string_lossy()).trim().to_string(),
        driver_id: driver.driver_id.as_raw() as u32,
        extensions,
        features,
        mesh,
        graphics: draws.is_some(),
        family: family.map_or(u32::MAX, |i| i as u32),
        timestamp_bits: family.map_or(0, |i| families[i].timestamp_valid_bits),
    }
}

fn reject_reasons(c: &mut Candidate, requirements: &[Requirement]) -> Vec<String> {
    let api = c.properties.api_version;
    if api < vk::make_version(1, 2, 0) {
        return vec![format!("the device supports Vulkan {}.{}; 1.2 is required", vk::version_major(api), vk::version_minor(api))];
    }
    let mut reasons = Vec::new();
    let missing: Vec<&str> = NEEDED_EXTENSIONS.iter().copied().filter(|e| !c.extensions.contains(*e)).collect();
    if !missing.is_empty() {
        reasons.push(format!("no ray tracing: missing {}", missing.join(", ")));
    }
    if c.family == u32::MAX {
        reasons.push("no queue family supports compute".to_string());
    }
    for row in ROWS.iter().filter(|r| r.need == Need::Always) {
        let told = missing.contains(&row.extension);
        if !told && !c.features.has(row) {
            reasons.push(format!("feature {} is missing", row.name));
        }
    }
    if reasons.is_empty() {
        reasons.extend(Enabled::new(&mut c.features, c.extensions.clone()).unmet(requirements));
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters() {
        assert!(matches("1", 1, "llvmpipe"));
        assert!(!matches("1", 0, "card 1"));
        assert!(matches("LLVM", 3, "llvmpipe (256 bits)"));
        assert!(!matches("nvidia", 0, "llvmpipe"));
    }
}
