//! Draws on the Vulkan device: what a draw asks for against what there is, then one pipeline and one command.
//!
//! A driver checks nothing of this, so the checks are here: vertex and index buffers are long enough, every input that the vertex
//! shader reads has an attribute of its type, targets fit to each other and to the pixel shader's outputs. [`super::interface`] has those of the shaders
//! against each other.

use super::graphics::{self, Targets, attribute_format, missing, stages};
use super::subgroups;
use super::target::{GpuTarget, target_format};
use super::{VulkanDevice, all_stages, binding_error, known, vk};
use crate::device::{
    AttributeType, Channel, DrawDesc, DrawSize, IndexBuffer, Program, RenderTarget, TargetDesc, TargetFormat, Timing, Topology,
    VertexAttribute,
};
use crate::error::{ErrorKind, Result, RunError};
use rtc_dxil_container::{ComponentType, ShaderKind};
use rtc_package::InterfaceElement;
use vulkanalia::vk::{DeviceV1_0, ExtMeshShaderExtensionDeviceCommands};

/// What the numbers of an input, an output, an attribute or a texel are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Float,
    Int,
    Uint,
}

impl Class {
    pub(super) fn name(self) -> &'static str {
        match self {
            Class::Float => "floats",
            Class::Int => "signed integers",
            Class::Uint => "unsigned integers",
        }
    }

    fn of_channel(channel: Channel) -> Class {
        match channel {
            Channel::Uint32 => Class::Uint,
            Channel::Sint32 => Class::Int,
            Channel::Unorm8 | Channel::Float16 | Channel::Float32 => Class::Float,
        }
    }

    fn of_attribute(kind: AttributeType) -> Class {
        match kind {
            AttributeType::Float(_) => Class::Float,
            AttributeType::Int(_) => Class::Int,
            AttributeType::Uint(_) => Class::Uint,
            AttributeType::Texel(format) => Class::of_channel(format.channel()),
        }
    }

    pub(super) fn of_element(e: &InterfaceElement) -> Class {
        match e.component {
            ComponentType::I16 | ComponentType::I32 => Class::Int,
            ComponentType::I1 | ComponentType::U16 | ComponentType::U32 => Class::Uint,
            _ => Class::Float,
        }
    }
}

/// The semantic of the `n`th location of an element.
pub(super) fn semantic(e: &InterfaceElement, n: u32) -> String {
    match e.index + n {
        0 => e.semantic.clone(),
        index => format!("{}{index}", e.semantic),
    }
}

impl VulkanDevice {
    /// See [`crate::Device::create_target`].
    pub(super) fn make_target(&mut self, desc: &TargetDesc) -> Result<RenderTarget> {
        self.can_draw()?;
        let target = GpuTarget::make(&mut self.context, desc)?;
        Ok(self.targets.push(target))
    }

    fn can_draw(&mut self) -> Result<()> {
        if !self.context.candidate.graphics {
            return Err(missing(&self.context, "graphics pipelines", "a queue that also computes"));
        }
        match self.context.has("dynamicRendering") {
            true => Ok(()),
            false => Err(missing(&self.context, "rendering without render passes", "dynamicRendering")),
        }
    }

    /// See [`crate::Device::draw`].
    pub(super) fn run_draw(&mut self, program: Program, desc: &DrawDesc) -> Result<Timing> {
        self.can_draw()?;
        self.check_shaders(program, desc)?;
        self.check_interface(program, desc)?;
        self.check_features(desc)?;
        self.check_targets(program, desc)?;
        self.check_attributes(program, desc)?;
        self.check_ranges(desc)?;
        let own = stages(desc).iter().fold(0, |bits, s| bits | 1u32 << s.0.as_u32());
        self.check_bindings(program, own)?;
        let push = self.push_constants(program)?;
        let (context, p) = (&mut self.context, &self.programs[program]);
        let targets =
            Targets { colors: desc.targets.iter().map(|t| &self.targets[t.0]).collect(), depth: desc.depth.map(|t| &self.targets[t]) };
        let pipeline = graphics::pipeline(context, p, desc, &targets)?;
        // Which shader uses waves was checked with their interface.
        context.forget(subgroups::is_false_report);
        let (layout, sets) = (p.descriptors.layout(), &p.descriptors.sets);
        let (buffers, offsets): (Vec<_>, Vec<_>) = desc.attributes.iter().map(|a| (self.buffers[a.buffer].raw, a.offset)).unzip();
        let indices = desc.indices.map(|i| {
            let kind = if i.short { vk::IndexType::UINT16 } else { vk::IndexType::UINT32 };
            (self.buffers[i.buffer].raw, i.offset, kind)
        });
        let done = graphics::render(context, &targets, desc.view_mask, |raw, cmd| {
            // SAFETY: pipeline, sets, what is bound to them, and buffers live through the wait; ranges and bindings were checked above.
            unsafe {
                let point = vk::PipelineBindPoint::GRAPHICS;
                raw.cmd_bind_pipeline(cmd, point, pipeline);
                if !sets.is_empty() {
                    raw.cmd_bind_descriptor_sets(cmd, point, layout, 0, sets, &[]);
                }
                if !push.is_empty() {
                    raw.cmd_push_constants(cmd, layout, all_stages(), 0, &push);
                }
                if !buffers.is_empty() {
                    raw.cmd_bind_vertex_buffers(cmd, 0, &buffers, &offsets);
                }
                match (desc.size, indices) {
                    (DrawSize::Groups([x, y, z]), _) => raw.cmd_draw_mesh_tasks_ext(cmd, x, y, z),
                    (DrawSize::Vertices { count, instances, first, base_vertex, first_instance }, Some((buffer, offset, kind))) => {
                        raw.cmd_bind_index_buffer(cmd, buffer, offset, kind);
                        raw.cmd_draw_indexed(cmd, count, instances, first, base_vertex, first_instance);
                    }
                    (DrawSize::Vertices { count, instances, first, first_instance, .. }, None) => {
                        raw.cmd_draw(cmd, count, instances, first, first_instance);
                    }
                }
            }
        });
        graphics::destroy(context, pipeline);
        done
    }

    /// The shaders are there and make a pipeline.
    fn check_shaders(&self, program: Program, desc: &DrawDesc) -> Result<()> {
        let library = &known(&self.programs, program)?.library;
        for (kind, name) in stages(desc) {
            library.graphics(kind, name)?;
        }
        let s = &desc.shaders;
        let wrong = |why: &str| Err(RunError::new(ErrorKind::StateObject, why));
        if s.vertex.is_some() == s.mesh.is_some() {
            return wrong("a draw has a vertex shader or a mesh shader, one of them");
        }
        if s.mesh.is_some() && (s.hull.is_some() || s.domain.is_some() || s.geometry.is_some()) {
            return wrong("hull, domain and geometry shaders follow a vertex shader, not a mesh shader");
        }
        if s.amplification.is_some() && s.mesh.is_none() {
            return wrong("an amplification shader precedes a mesh shader, and the draw has none");
        }
        if s.hull.is_some() != s.domain.is_some() {
            return wrong("a hull shader and a domain shader belong together: the draw has one of them");
        }
        match desc.topology {
            Topology::Patches(_) if s.hull.is_none() => wrong("patches require a hull and a domain shader"),
            Topology::Patches(n) => {
                let most = self.context.candidate.properties.limits.max_tessellation_patch_size;
                match (1..=most).contains(&n) {
                    true => Ok(()),
                    false => wrong(&format!("patches of {n} control points, the device allows 1 to {most}")),
                }
            }
            _ if s.hull.is_some() => wrong("a hull shader requires a topology of patches"),
            _ => match (desc.size, s.mesh.is_some()) {
                (DrawSize::Groups(_), false) => wrong("groups of threads require a mesh shader"),
                (DrawSize::Vertices { .. }, true) => wrong("a mesh shader draws groups of threads, not vertices"),
                _ => Ok(()),
            },
        }
    }

    /// The device has what the state asks for. What the shaders ask for was checked when they were loaded.
    fn check_features(&mut self, desc: &DrawDesc) -> Result<()> {
        let limits = &self.context.candidate.properties.limits;
        let most = limits.max_color_attachments;
        if desc.targets.len() > most as usize {
            let why = format!("a draw into {} targets, the device allows {most}", desc.targets.len());
            return Err(RunError::new(ErrorKind::Limit, why));
        }
        let first = desc.targets.first().map(|t| t.1);
        let r = &desc.rasterizer;
        let needs = [
            (desc.targets.iter().any(|t| Some(t.1) != first), "blending that differs between targets", "independentBlend"),
            (desc.targets.iter().any(|t| t.1.is_dual()), "blending with two colours", "dualSrcBlend"),
            (r.wireframe, "triangles that are drawn as edges", "fillModeNonSolid"),
            (!r.depth_clip, "clamped depths", "depthClamp"),
            (r.depth_bias.is_some_and(|b| b[2] != 0.0), "clamped depth bias", "depthBiasClamp"),
            (desc.viewports.len() > 1, "several viewports", "multiViewport"),
            (desc.view_mask != 0, "several views in one draw", "multiview"),
            (desc.shaders.amplification.is_some(), "amplification shaders", "taskShader"),
            (desc.shaders.mesh.is_some(), "mesh shaders", "meshShader"),
        ];
        for (needed, what, feature) in needs {
            if needed && !self.context.has(feature) {
                return Err(missing(&self.context, what, feature));
            }
        }
        let most = self.context.candidate.properties.limits.max_viewports;
        if desc.viewports.len() > most as usize {
            return Err(RunError::new(ErrorKind::Limit, format!("{} viewports, the device allows {most}", desc.viewports.len())));
        }
        Ok(())
    }

    /// Targets fit to each other, to the tests, and to what the pixel shader gives.
    fn check_targets(&self, program: Program, desc: &DrawDesc) -> Result<()> {
        let mut all = Vec::new();
        for (id, blend) in &desc.targets {
            let target = known(&self.targets, *id)?;
            let TargetFormat::Color(color) = target.desc.format else {
                return Err(binding_error(format!("a target of colours has the format {}", target.desc.format)));
            };
            let can = self.context.format_features(target_format(target.desc.format));
            if blend.equations.is_some() && !can.contains(vk::FormatFeatureFlags::COLOR_ATTACHMENT_BLEND) {
                return Err(RunError::new(
                    ErrorKind::Limit,
                    format!("on this device targets of format {} cannot be blended", color.name()),
                ));
            }
            all.push(target);
        }
        if let Some(id) = desc.depth {
            let target = known(&self.targets, id)?;
            let TargetFormat::Depth(depth) = target.desc.format else {
                return Err(binding_error(format!("a depth target has the format {}", target.desc.format)));
            };
            if desc.stencil_test.is_some() && !depth.has_stencil() {
                return Err(binding_error(format!("the stencil test needs a target with stencil values, not {}", target.desc.format)));
            }
            all.push(target);
        } else if desc.depth_test.is_some() || desc.stencil_test.is_some() {
            return Err(binding_error("the depth or stencil test needs a depth target"));
        }
        let Some(first) = all.first() else {
            return Err(binding_error("a draw needs a target, of colours or of depth"));
        };
        if let Some(other) = all.iter().find(|t| t.desc.samples != first.desc.samples) {
            return Err(binding_error(format!("targets of {} and of {} samples in one draw", first.desc.samples, other.desc.samples)));
        }
        let views = u32::BITS - desc.view_mask.leading_zeros();
        if let Some(short) = all.iter().find(|t| t.desc.layers < views) {
            return Err(binding_error(format!("{views} views are drawn into a target of {} layers", short.desc.layers)));
        }
        let Some(pixel) = &desc.shaders.pixel else { return Ok(()) };
        let outputs = &known(&self.programs, program)?.library.graphics(ShaderKind::Pixel, pixel)?.elements;
        for e in outputs.iter().filter(|e| e.output) {
            for n in 0..e.locations {
                let Some((id, _)) = desc.targets.get((e.location + n) as usize) else { continue };
                let TargetFormat::Color(color) = self.targets[*id].desc.format else { continue };
                let (gives, holds) = (Class::of_element(e), Class::of_channel(color.channel()));
                if gives != holds {
                    let (name, gives, holds) = (semantic(e, n), gives.name(), holds.name());
                    return Err(binding_error(format!(
                        "the pixel shader `{pixel}` gives {gives} as `{name}`, and its target's format {} holds {holds}",
                        color.name()
                    )));
                }
            }
        }
        Ok(())
    }

    /// Every input that the vertex shader reads has an attribute of its type.
    fn check_attributes(&self, program: Program, desc: &DrawDesc) -> Result<()> {
        let limits = &self.context.candidate.properties.limits;
        for a in &desc.attributes {
            let buffer = known(&self.buffers, a.buffer)?;
            if a.stride > limits.max_vertex_input_binding_stride || a.location >= limits.max_vertex_input_attributes {
                let (stride, location) = (limits.max_vertex_input_binding_stride, limits.max_vertex_input_attributes);
                return Err(RunError::new(
                    ErrorKind::Limit,
                    format!("vertex attributes of the device have strides up to {stride} bytes and locations below {location}"),
                ));
            }
            if a.offset >= buffer.size {
                return Err(binding_error(format!("a vertex attribute begins at byte {} of a buffer of {} bytes", a.offset, buffer.size)));
            }
            if !self.context.vertex_format(attribute_format(a.kind)) {
                return Err(RunError::new(ErrorKind::Limit, "the device has no vertex attributes of this format"));
            }
        }
        let Some(vertex) = &desc.shaders.vertex else { return Ok(()) };
        let inputs = &known(&self.programs, program)?.library.graphics(ShaderKind::Vertex, vertex)?.elements;
        for e in inputs.iter().filter(|e| !e.output && e.used) {
            for n in 0..e.locations {
                let location = e.location + n;
                let name = semantic(e, n);
                let Some(a) = desc.attributes.iter().find(|a| a.location == location) else {
                    return Err(binding_error(format!("the vertex shader `{vertex}` reads `{name}`, and no attribute gives it")));
                };
                let (reads, has) = (Class::of_element(e), Class::of_attribute(a.kind));
                if reads != has {
                    let (reads, has) = (reads.name(), has.name());
                    return Err(binding_error(format!(
                        "the vertex shader `{vertex}` reads `{name}` as {reads}, and its attribute has {has}"
                    )));
                }
            }
        }
        Ok(())
    }

    /// No vertex and no index lies outside of its buffer.
    fn check_ranges(&mut self, desc: &DrawDesc) -> Result<()> {
        let DrawSize::Vertices { count, instances, first, base_vertex, first_instance } = desc.size else {
            return self.check_groups(desc);
        };
        let (low, end) = match desc.indices {
            None => (0, u64::from(first) + u64::from(count)),
            Some(indices) => self.index_range(indices, first, count, base_vertex)?,
        };
        if low < 0 {
            return Err(binding_error(format!("an index plus the base vertex is {low}")));
        }
        for a in &desc.attributes {
            let end = if a.per_instance { u64::from(first_instance) + u64::from(instances) } else { end };
            let room = fitting(a, self.buffers[a.buffer].size);
            if end > room && count > 0 && instances > 0 {
                let what = if a.per_instance { "instance" } else { "vertex" };
                return Err(binding_error(format!(
                    "{what} {} is drawn, and the attribute at location {} has room for {room}",
                    end - 1,
                    a.location
                )));
            }
        }
        Ok(())
    }

    /// The least index with the base vertex, and one more than the largest.
    fn index_range(&mut self, i: IndexBuffer, first: u32, count: u32, base: i32) -> Result<(i64, u64)> {
        let buffer = known(&self.buffers, i.buffer)?;
        let size = if i.short { 2 } else { 4 };
        if !i.offset.is_multiple_of(size) {
            return Err(binding_error(format!("indices begin at byte {}, which is no multiple of {size}", i.offset)));
        }
        let (begin, end) = (i.offset + u64::from(first) * size, i.offset + (u64::from(first) + u64::from(count)) * size);
        if end > buffer.size {
            let room = buffer.size.saturating_sub(i.offset) / size;
            return Err(binding_error(format!(
                "indices {first} to {} are drawn, and there are {room}",
                u64::from(first) + u64::from(count)
            )));
        }
        let bytes = buffer.read(&mut self.context)?;
        let bytes = &bytes[begin as usize..end as usize];
        let wide = |c: &[u8]| c.iter().rev().fold(0u32, |n, b| n << 8 | u32::from(*b));
        let restart = if i.short { 0xffff } else { u32::MAX };
        let used = || bytes.chunks_exact(size as usize).map(wide).filter(|n| !i.restart || *n != restart);
        let (Some(low), Some(high)) = (used().min(), used().max()) else { return Ok((0, 0)) };
        let high = i64::from(high) + i64::from(base) + 1;
        Ok((i64::from(low) + i64::from(base), u64::try_from(high).unwrap_or(0)))
    }

    /// The device runs so many groups of threads.
    fn check_groups(&self, desc: &DrawDesc) -> Result<()> {
        let DrawSize::Groups(groups) = desc.size else { return Ok(()) };
        let mesh = &self.context.candidate.mesh;
        let (most, total) = match desc.shaders.amplification {
            Some(_) => (mesh.max_task_work_group_count, mesh.max_task_work_group_total_count),
            None => (mesh.max_mesh_work_group_count, mesh.max_mesh_work_group_total_count),
        };
        let product: u64 = groups.iter().map(|n| u64::from(*n)).fold(1, u64::saturating_mul);
        if groups.iter().zip(most).any(|(n, most)| *n > most) || product > u64::from(total) {
            let [x, y, z] = most;
            let why = format!("a draw of {groups:?} groups of threads, the device allows {x}, {y} and {z}, together {total}");
            return Err(RunError::new(ErrorKind::Limit, why));
        }
        Ok(())
    }
}

/// How many attributes lie in a buffer of `size` bytes.
fn fitting(a: &VertexAttribute, size: u64) -> u64 {
    let one = u64::from(a.kind.size());
    match size.checked_sub(a.offset + one) {
        None => 0,
        Some(_) if a.stride == 0 => u64::MAX,
        Some(rest) => rest / u64::from(a.stride) + 1,
    }
}
