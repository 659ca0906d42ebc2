//! What D3D12 and Vulkan demand of the inputs of a structure.

use super::super::device::Device;
use super::{Geometry, Inputs, build_flag, vk};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::InstanceV1_0;

impl Inputs {
    /// Checks what D3D12 and Vulkan demand.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: inputs that are not valid. [`ErrorKind::Limit`]: more than the device allows.
    pub fn check(&self, device: &Device) -> Result<()> {
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        let too_much = |why: String| Err(Error::new(ErrorKind::Limit, why));
        let limits = device.limits();
        let flags = self.flags();
        if flags & build_flag::PREFER_FAST_TRACE != 0 && flags & build_flag::PREFER_FAST_BUILD != 0 {
            return wrong("a structure prefers both fast rays and a fast build".into());
        }
        let known = 0x1f | build_flag::PERFORM_UPDATE | build_flag::ALLOW_DATA_ACCESS;
        if flags & !known != 0 {
            return wrong(format!("unknown build flags {:#x}", flags & !known));
        }
        if flags & build_flag::ALLOW_DATA_ACCESS != 0 && !device.enabled().has("rayTracingPositionFetch") {
            return too_much(format!("{} cannot give shaders positions of hits (VK_KHR_ray_tracing_position_fetch)", device.name()));
        }
        match self {
            Inputs::Top { instances, count, .. } => {
                if u64::from(*count) > limits.max_instances {
                    return too_much(format!("a top-level structure of {count} instances, the device takes {}", limits.max_instances));
                }
                if *count > 0 && (*instances == 0 || !instances.is_multiple_of(16)) {
                    return wrong(format!("instances at {instances:#x}, which is not a multiple of 16 or is null"));
                }
            }
            Inputs::Bottom { geometries, .. } => {
                let is_boxes = |g: &Geometry| matches!(g, Geometry::Boxes { .. });
                if geometries.windows(2).any(|w| is_boxes(&w[0]) != is_boxes(&w[1])) {
                    return wrong("a bottom-level structure mixes triangles and boxes".into());
                }
                if geometries.len() as u64 > limits.max_geometries {
                    return too_much(format!("{} geometries, the device takes {}", geometries.len(), limits.max_geometries));
                }
                let total: u64 = geometries.iter().map(|g| u64::from(g.primitives())).sum();
                if total > limits.max_primitives {
                    return too_much(format!("{total} primitives, the device takes {}", limits.max_primitives));
                }
                for (i, g) in geometries.iter().enumerate() {
                    check_geometry(device, g).map_err(|e| e.at(format!("geometry {i}")))?;
                }
            }
        }
        Ok(())
    }
}

fn check_geometry(device: &Device, g: &Geometry) -> Result<()> {
    let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
    match *g {
        Geometry::Triangles { vertices, stride, format, vertex_count, indices, transform, flags } => {
            let corners = indices.map_or(vertex_count, |i| i.count);
            if corners % 3 != 0 {
                return wrong(format!("{corners} corners are not a multiple of 3"));
            }
            if flags & !3 != 0 {
                return wrong(format!("unknown geometry flags {:#x}", flags & !3));
            }
            if corners > 0 && vertices == 0 {
                return wrong("triangles without vertices".into());
            }
            if u32::try_from(stride).is_err() {
                return wrong(format!("a vertex stride of {stride}"));
            }
            if transform.is_some_and(|t| t == 0 || !t.is_multiple_of(16)) {
                return wrong("the address of the transform is not a multiple of 16 or is null".into());
            }
            if let Some(i) = indices {
                let size = if i.wide { 4 } else { 2 };
                if i.count > 0 && (i.address == 0 || !i.address.is_multiple_of(size)) {
                    return wrong(format!("indices at {:#x}, which is not a multiple of {size} or is null", i.address));
                }
            }
            let (instance, physical) = device.physical();
            // SAFETY: plain query.
            let can = unsafe { instance.get_physical_device_format_properties(physical, vk::Format::from_raw(format)) };
            if !can.buffer_features.contains(vk::FormatFeatureFlags::ACCELERATION_STRUCTURE_VERTEX_BUFFER_KHR) {
                let why = format!("{} takes no vertices of format {:?}", device.name(), vk::Format::from_raw(format));
                return Err(Error::new(ErrorKind::Limit, why));
            }
        }
        Geometry::Boxes { address, stride, count, flags } => {
            if flags & !3 != 0 {
                return wrong(format!("unknown geometry flags {:#x}", flags & !3));
            }
            if !stride.is_multiple_of(8) || u32::try_from(stride).is_err() {
                return wrong(format!("a stride of {stride} bytes between boxes, which must be a multiple of 8"));
            }
            if count > 0 && (address == 0 || !address.is_multiple_of(8)) {
                return wrong(format!("boxes at {address:#x}, which is not a multiple of 8 or is null"));
            }
        }
    }
    Ok(())
}
