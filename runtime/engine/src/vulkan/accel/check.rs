//! What D3D12 and Vulkan demand of the inputs of a structure.

use super::super::device::Device;
use super::demand::aligned;
use super::formats::component;
use super::{Geometry, Inputs, Triangles, build_flag, micromaps, vk};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::InstanceV1_0;

fn wrong<T>(why: String) -> Result<T> {
    Err(Error::new(ErrorKind::Binding, why))
}

fn too_much<T>(why: String) -> Result<T> {
    Err(Error::new(ErrorKind::Limit, why))
}

impl Inputs {
    /// Checks what D3D12 and Vulkan demand.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: inputs that are not valid. [`ErrorKind::Limit`]: more than the device allows.
    pub fn check(&self, device: &Device) -> Result<()> {
        let limits = device.limits();
        check_flags(device, self.flags())?;
        match self {
            Inputs::Top { instances, count, pointers, .. } => {
                if u64::from(*count) > limits.max_instances {
                    return too_much(format!("a top-level structure of {count} instances, the device takes {}", limits.max_instances));
                }
                let (alignment, what) = if *pointers { (8, "pointers to instances") } else { (16, "instances") };
                if *count > 0 {
                    aligned(*instances, alignment, what)?;
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

fn check_flags(device: &Device, flags: u32) -> Result<()> {
    use build_flag::{ALLOW_DATA_ACCESS, ALLOW_DISABLE_OMMS, ALLOW_OMM_LINKAGE_UPDATE, ALLOW_UPDATE, PREFER_FAST_BUILD, PREFER_FAST_TRACE};
    if flags & PREFER_FAST_TRACE != 0 && flags & PREFER_FAST_BUILD != 0 {
        return wrong("a structure prefers both fast rays and a fast build".into());
    }
    if flags & !build_flag::ALL != 0 {
        return wrong(format!("unknown build flags {:#x}", flags & !build_flag::ALL));
    }
    if flags & ALLOW_OMM_LINKAGE_UPDATE != 0 && flags & ALLOW_UPDATE == 0 {
        return wrong("updates may change micromaps, but there are no updates".into());
    }
    if flags & ALLOW_DATA_ACCESS != 0 && !device.enabled().has("rayTracingPositionFetch") {
        return too_much(format!("{} cannot give shaders positions of hits (VK_KHR_ray_tracing_position_fetch)", device.name()));
    }
    if flags & (ALLOW_DISABLE_OMMS | ALLOW_OMM_LINKAGE_UPDATE) != 0 {
        micromaps::need_micromaps(device)?;
    }
    Ok(())
}

fn check_geometry_flags(flags: u32) -> Result<()> {
    match flags & !3 {
        0 => Ok(()),
        unknown => wrong(format!("unknown geometry flags {unknown:#x}")),
    }
}

fn check_geometry(device: &Device, g: &Geometry) -> Result<()> {
    match (*g, g.triangles()) {
        (Geometry::Boxes { address, stride, count, flags }, _) => {
            check_geometry_flags(flags)?;
            if !stride.is_multiple_of(8) || u32::try_from(stride).is_err() {
                return wrong(format!("a stride of {stride} bytes between boxes, which must be a multiple of 8"));
            }
            if count > 0 {
                aligned(address, 8, "boxes")?;
            }
        }
        (_, Some((triangles, micromaps))) => {
            check_triangles(device, &triangles)?;
            if let Some(m) = micromaps {
                micromaps::check_linkage(device, &m)?;
            }
        }
        (_, None) => {}
    }
    Ok(())
}

fn check_triangles(device: &Device, t: &Triangles) -> Result<()> {
    let corners = t.corners();
    if !corners.is_multiple_of(3) {
        return wrong(format!("{corners} corners are not a multiple of 3"));
    }
    check_geometry_flags(t.flags)?;
    if corners > 0 && (t.vertices == 0 || t.vertex_count == 0) {
        return wrong("triangles without vertices".into());
    }
    if u32::try_from(t.stride).is_err() {
        return wrong(format!("a vertex stride of {}", t.stride));
    }
    let component = component(t.format);
    if !t.stride.is_multiple_of(component) {
        return wrong(format!("a vertex stride of {}, which is not a multiple of {component}, the size of a component", t.stride));
    }
    if corners > 0 {
        aligned(t.vertices, component, "vertices")?;
    }
    if t.transform.is_some_and(|t| t == 0 || !t.is_multiple_of(16)) {
        return wrong("the address of the transform is not a multiple of 16 or is null".into());
    }
    if let Some(i) = t.indices.filter(|i| i.count > 0) {
        aligned(i.address, if i.wide { 4 } else { 2 }, "indices")?;
    }
    let (instance, physical) = device.physical();
    let format = vk::Format::from_raw(t.format);
    // SAFETY: plain query.
    let can = unsafe { instance.get_physical_device_format_properties(physical, format) };
    match can.buffer_features.contains(vk::FormatFeatureFlags::ACCELERATION_STRUCTURE_VERTEX_BUFFER_KHR) {
        true => Ok(()),
        false => too_much(format!("{} takes no vertices of format {format:?}", device.name())),
    }
}
