//! Graphics pipelines: one for each draw, from its shaders and its state.

use super::context::Context;
use super::program::{GpuProgram, c_name, only_pipeline};
use super::target::{GpuTarget, target_format};
use super::vk;
use crate::device::{
    AttributeType, Blend, BlendEquation, BlendFactor, BlendOp, Cull, DrawDesc, StencilFace, StencilOp, TargetFormat, Topology,
};
use crate::error::{ErrorKind, Result, RunError};
use rtc_dxil_container::ShaderKind;
use vulkanalia::vk::{DeviceV1_0, HasBuilder};

/// The shaders of a draw that are there, with their stages.
pub(super) fn stages(desc: &DrawDesc) -> Vec<(ShaderKind, &str)> {
    let s = &desc.shaders;
    let all = [
        (ShaderKind::Vertex, &s.vertex),
        (ShaderKind::Hull, &s.hull),
        (ShaderKind::Domain, &s.domain),
        (ShaderKind::Geometry, &s.geometry),
        (ShaderKind::Amplification, &s.amplification),
        (ShaderKind::Mesh, &s.mesh),
        (ShaderKind::Pixel, &s.pixel),
    ];
    all.into_iter().filter_map(|(kind, name)| Some((kind, name.as_deref()?))).collect()
}

/// The stage of a shader of the graphics pipeline.
pub(super) fn stage(kind: ShaderKind) -> vk::ShaderStageFlags {
    match kind {
        ShaderKind::Vertex => vk::ShaderStageFlags::VERTEX,
        ShaderKind::Hull => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        ShaderKind::Domain => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        ShaderKind::Geometry => vk::ShaderStageFlags::GEOMETRY,
        ShaderKind::Amplification => vk::ShaderStageFlags::TASK_EXT,
        ShaderKind::Mesh => vk::ShaderStageFlags::MESH_EXT,
        _ => vk::ShaderStageFlags::FRAGMENT,
    }
}

fn topology(t: Topology) -> vk::PrimitiveTopology {
    use vk::PrimitiveTopology as V;
    match t {
        Topology::Points => V::POINT_LIST,
        Topology::Lines => V::LINE_LIST,
        Topology::LineStrip => V::LINE_STRIP,
        Topology::Triangles => V::TRIANGLE_LIST,
        Topology::TriangleStrip => V::TRIANGLE_STRIP,
        Topology::LinesAdjacency => V::LINE_LIST_WITH_ADJACENCY,
        Topology::LineStripAdjacency => V::LINE_STRIP_WITH_ADJACENCY,
        Topology::TrianglesAdjacency => V::TRIANGLE_LIST_WITH_ADJACENCY,
        Topology::TriangleStripAdjacency => V::TRIANGLE_STRIP_WITH_ADJACENCY,
        Topology::Patches(_) => V::PATCH_LIST,
    }
}

/// The format of a vertex attribute.
pub(super) fn attribute_format(kind: AttributeType) -> vk::Format {
    let of = |n: u32, formats: [vk::Format; 4]| formats[(n.clamp(1, 4) - 1) as usize];
    match kind {
        AttributeType::Float(n) => {
            of(n, [vk::Format::R32_SFLOAT, vk::Format::R32G32_SFLOAT, vk::Format::R32G32B32_SFLOAT, vk::Format::R32G32B32A32_SFLOAT])
        }
        AttributeType::Int(n) => {
            of(n, [vk::Format::R32_SINT, vk::Format::R32G32_SINT, vk::Format::R32G32B32_SINT, vk::Format::R32G32B32A32_SINT])
        }
        AttributeType::Uint(n) => {
            of(n, [vk::Format::R32_UINT, vk::Format::R32G32_UINT, vk::Format::R32G32B32_UINT, vk::Format::R32G32B32A32_UINT])
        }
        AttributeType::Texel(format) => super::storage::format(format),
    }
}

fn factor(f: BlendFactor) -> vk::BlendFactor {
    use vk::BlendFactor as V;
    match f {
        BlendFactor::Zero => V::ZERO,
        BlendFactor::One => V::ONE,
        BlendFactor::SrcColor => V::SRC_COLOR,
        BlendFactor::InvSrcColor => V::ONE_MINUS_SRC_COLOR,
        BlendFactor::SrcAlpha => V::SRC_ALPHA,
        BlendFactor::InvSrcAlpha => V::ONE_MINUS_SRC_ALPHA,
        BlendFactor::DestColor => V::DST_COLOR,
        BlendFactor::InvDestColor => V::ONE_MINUS_DST_COLOR,
        BlendFactor::DestAlpha => V::DST_ALPHA,
        BlendFactor::InvDestAlpha => V::ONE_MINUS_DST_ALPHA,
        BlendFactor::SrcAlphaSaturated => V::SRC_ALPHA_SATURATE,
        BlendFactor::Constant => V::CONSTANT_COLOR,
        BlendFactor::InvConstant => V::ONE_MINUS_CONSTANT_COLOR,
        BlendFactor::Src1Color => V::SRC1_COLOR,
        BlendFactor::InvSrc1Color => V::ONE_MINUS_SRC1_COLOR,
        BlendFactor::Src1Alpha => V::SRC1_ALPHA,
        BlendFactor::InvSrc1Alpha => V::ONE_MINUS_SRC1_ALPHA,
    }
}

fn blend_op(op: BlendOp) -> vk::BlendOp {
    match op {
        BlendOp::Add => vk::BlendOp::ADD,
        BlendOp::Subtract => vk::BlendOp::SUBTRACT,
        BlendOp::RevSubtract => vk::BlendOp::REVERSE_SUBTRACT,
        BlendOp::Min => vk::BlendOp::MIN,
        BlendOp::Max => vk::BlendOp::MAX,
    }
}

fn attachment(b: &Blend) -> vk::PipelineColorBlendAttachmentState {
    const KEEP: BlendEquation = (BlendFactor::One, BlendOp::Add, BlendFactor::Zero);
    let [color, alpha] = b.equations.unwrap_or([KEEP; 2]);
    vk::PipelineColorBlendAttachmentState {
        blend_enable: u32::from(b.equations.is_some()),
        src_color_blend_factor: factor(color.0),
        dst_color_blend_factor: factor(color.2),
        color_blend_op: blend_op(color.1),
        src_alpha_blend_factor: factor(alpha.0),
        dst_alpha_blend_factor: factor(alpha.2),
        alpha_blend_op: blend_op(alpha.1),
        color_write_mask: vk::ColorComponentFlags::from_bits_truncate(u32::from(b.write_mask)),
    }
}

fn stencil_op(op: StencilOp) -> vk::StencilOp {
    match op {
        StencilOp::Keep => vk::StencilOp::KEEP,
        StencilOp::Zero => vk::StencilOp::ZERO,
        StencilOp::Replace => vk::StencilOp::REPLACE,
        StencilOp::IncrSat => vk::StencilOp::INCREMENT_AND_CLAMP,
        StencilOp::DecrSat => vk::StencilOp::DECREMENT_AND_CLAMP,
        StencilOp::Invert => vk::StencilOp::INVERT,
        StencilOp::Incr => vk::StencilOp::INCREMENT_AND_WRAP,
        StencilOp::Decr => vk::StencilOp::DECREMENT_AND_WRAP,
    }
}

fn rect(r: [u32; 4]) -> vk::Rect2D {
    let offset = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    vk::Rect2D { offset: vk::Offset2D { x: offset(r[0]), y: offset(r[1]) }, extent: vk::Extent2D { width: r[2], height: r[3] } }
}

/// The targets of a draw: of colours, in order, and of depth.
pub(super) struct Targets<'a> {
    /// The colour targets.
    pub colors: Vec<&'a GpuTarget>,
    /// The depth target.
    pub depth: Option<&'a GpuTarget>,
}

impl<'a> Targets<'a> {
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &'a GpuTarget> {
        self.colors.iter().copied().chain(self.depth)
    }

    /// Width, height and layers that all have.
    pub fn size(&self) -> [u32; 3] {
        let least = |of: fn(&GpuTarget) -> u32| self.all().map(of).min().unwrap_or(1);
        [least(|t| t.desc.width), least(|t| t.desc.height), least(|t| t.desc.layers)]
    }

    fn depth_format(&self) -> vk::Format {
        self.depth.map_or(vk::Format::UNDEFINED, |t| target_format(t.desc.format))
    }

    /// Whether the depth target has stencil values.
    pub fn has_stencil(&self) -> bool {
        self.depth.is_some_and(|t| matches!(t.desc.format, TargetFormat::Depth(d) if d.has_stencil()))
    }
}

/// Makes the pipeline of a draw, which was checked.
///
/// # Errors
/// A shader that the program lacks; a failure of the device.
pub(super) fn pipeline(context: &mut Context, program: &GpuProgram, desc: &DrawDesc, targets: &Targets<'_>) -> Result<vk::Pipeline> {
    let mut shaders = Vec::new();
    for (kind, export) in stages(desc) {
        let entry = program.library.graphics(kind, export)?;
        shaders.push((stage(kind), program.modules[program.library.module_of(export)], c_name(&entry.spirv_name)?));
    }
    let shaders: Vec<_> = shaders
        .iter()
        .map(|(stage, module, name)| {
            vk::PipelineShaderStageCreateInfo::builder().stage(*stage).module(*module).name(name.as_bytes_with_nul())
        })
        .collect();
    let numbered = || desc.attributes.iter().enumerate();
    let bindings: Vec<_> = numbered()
        .map(|(i, a)| vk::VertexInputBindingDescription {
            binding: i as u32,
            stride: a.stride,
            input_rate: if a.per_instance { vk::VertexInputRate::INSTANCE } else { vk::VertexInputRate::VERTEX },
        })
        .collect();
    let attributes: Vec<_> = numbered()
        .map(|(i, a)| vk::VertexInputAttributeDescription {
            location: a.location,
            binding: i as u32,
            format: attribute_format(a.kind),
            offset: 0,
        })
        .collect();
    let input =
        vk::PipelineVertexInputStateCreateInfo::builder().vertex_binding_descriptions(&bindings).vertex_attribute_descriptions(&attributes);
    let restart = desc.indices.is_some_and(|i| i.restart);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::builder().topology(topology(desc.topology)).primitive_restart_enable(restart);
    let points = if let Topology::Patches(n) = desc.topology { n } else { 0 };
    let tessellation = vk::PipelineTessellationStateCreateInfo::builder().patch_control_points(points);

    let [width, height, _] = targets.size();
    let whole = crate::device::Viewport { rect: [0.0, 0.0, width as f32, height as f32], depth: [0.0, 1.0], y_up: true, scissor: None };
    let all = if desc.viewports.is_empty() { std::slice::from_ref(&whole) } else { &desc.viewports };
    let viewports: Vec<_> = all
        .iter()
        .map(|v| {
            let [x, y, w, h] = v.rect;
            let (y, h) = if v.y_up { (y + h, -h) } else { (y, h) };
            vk::Viewport { x, y, width: w, height: h, min_depth: v.depth[0], max_depth: v.depth[1] }
        })
        .collect();
    let scissors: Vec<_> = all.iter().map(|v| rect(v.scissor.unwrap_or([0, 0, width, height]))).collect();
    let viewport = vk::PipelineViewportStateCreateInfo::builder().viewports(&viewports).scissors(&scissors);

    let r = &desc.rasterizer;
    let [bias, slope, clamp] = r.depth_bias.unwrap_or_default();
    let rasterization = vk::PipelineRasterizationStateCreateInfo::builder()
        .depth_clamp_enable(!r.depth_clip)
        .polygon_mode(if r.wireframe { vk::PolygonMode::LINE } else { vk::PolygonMode::FILL })
        .cull_mode(match r.cull {
            Cull::None => vk::CullModeFlags::NONE,
            Cull::Front => vk::CullModeFlags::FRONT,
            Cull::Back => vk::CullModeFlags::BACK,
        })
        .front_face(if r.front_counter_clockwise { vk::FrontFace::COUNTER_CLOCKWISE } else { vk::FrontFace::CLOCKWISE })
        .depth_bias_enable(r.depth_bias.is_some())
        .depth_bias_constant_factor(bias)
        .depth_bias_slope_factor(slope)
        .depth_bias_clamp(clamp)
        .line_width(1.0);
    let samples = targets.all().next().map_or(1, |t| t.desc.samples);
    let mask = [vk::SampleMask::from(r.sample_mask)];
    let multisample = vk::PipelineMultisampleStateCreateInfo::builder()
        .rasterization_samples(vk::SampleCountFlags::from_bits_truncate(samples))
        .alpha_to_coverage_enable(r.alpha_to_coverage)
        .sample_mask(&mask);
    let face = |f: StencilFace| {
        let test = desc.stencil_test.as_ref();
        vk::StencilOpState {
            fail_op: stencil_op(f.fail),
            pass_op: stencil_op(f.pass),
            depth_fail_op: stencil_op(f.depth_fail),
            compare_op: super::storage::compare_op(f.compare),
            compare_mask: test.map_or(0, |t| t.read_mask),
            write_mask: test.map_or(0, |t| t.write_mask),
            reference: test.map_or(0, |t| t.reference),
        }
    };
    let mut depth = vk::PipelineDepthStencilStateCreateInfo::builder();
    if let Some(test) = desc.depth_test {
        depth = depth.depth_test_enable(true).depth_write_enable(test.write).depth_compare_op(super::storage::compare_op(test.compare));
    }
    if let Some(test) = desc.stencil_test {
        depth = depth.stencil_test_enable(true).front(face(test.front)).back(face(test.back));
    }
    let attachments: Vec<_> = desc.targets.iter().map(|t| attachment(&t.1)).collect();
    let blend = vk::PipelineColorBlendStateCreateInfo::builder().attachments(&attachments).blend_constants(desc.blend_constant);
    let formats: Vec<_> = targets.colors.iter().map(|t| target_format(t.desc.format)).collect();
    let stencil_format = if targets.has_stencil() { targets.depth_format() } else { vk::Format::UNDEFINED };
    let mut rendering = vk::PipelineRenderingCreateInfo::builder()
        .view_mask(desc.view_mask)
        .color_attachment_formats(&formats)
        .depth_attachment_format(targets.depth_format())
        .stencil_attachment_format(stencil_format);
    let mut info = vk::GraphicsPipelineCreateInfo::builder()
        .stages(&shaders)
        .viewport_state(&viewport)
        .rasterization_state(&rasterization)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .layout(program.descriptors.layout())
        .push_next(&mut rendering);
    if desc.shaders.mesh.is_none() {
        info = info.vertex_input_state(&input).input_assembly_state(&assembly);
    }
    if points > 0 {
        info = info.tessellation_state(&tessellation);
    }
    // SAFETY: everything that `info` points to lives until the call returns.
    let made = unsafe { context.raw.create_graphics_pipelines(vk::PipelineCache::default(), &[info], None) };
    only_pipeline(context, made)
}

/// The error of a draw that needs what the device lacks.
pub(super) fn missing(context: &Context, what: &str, feature: &str) -> RunError {
    RunError::new(ErrorKind::NoDevice, format!("{} has no {what} ({feature})", context.info.name))
}

/// Runs `record` inside of rendering to targets.
///
/// # Errors
/// A failure of the device.
pub(super) fn render(
    context: &mut Context,
    targets: &Targets<'_>,
    view_mask: u32,
    record: impl FnOnce(&vulkanalia::Device, vk::CommandBuffer),
) -> Result<crate::device::Timing> {
    use vulkanalia::vk::KhrDynamicRenderingExtensionDeviceCommands;
    let attachment = |t: &GpuTarget| vk::RenderingAttachmentInfo {
        image_view: t.attachment,
        image_layout: vk::ImageLayout::GENERAL,
        load_op: vk::AttachmentLoadOp::LOAD,
        store_op: vk::AttachmentStoreOp::STORE,
        ..Default::default()
    };
    let colors: Vec<_> = targets.colors.iter().map(|t| attachment(t)).collect();
    let depth = targets.depth.map(attachment);
    let [width, height, layers] = targets.size();
    let mut info = vk::RenderingInfo {
        render_area: rect([0, 0, width, height]),
        layer_count: if view_mask == 0 { layers } else { 1 },
        view_mask,
        color_attachment_count: colors.len() as u32,
        color_attachments: colors.as_ptr(),
        ..Default::default()
    };
    if let Some(depth) = &depth {
        info.depth_attachment = depth;
        if targets.has_stencil() {
            info.stencil_attachment = depth;
        }
    }
    context.run("finish the draw", |raw, cmd| {
        super::storage::full_barrier(raw, cmd);
        // SAFETY: the views and what `record` uses live through the wait; `info` and what it points to until the call returns.
        unsafe { raw.cmd_begin_rendering_khr(cmd, &info) };
        record(raw, cmd);
        // SAFETY: it was begun above.
        unsafe { raw.cmd_end_rendering_khr(cmd) };
        super::storage::full_barrier(raw, cmd);
    })
}

/// Frees the pipeline of a draw that is finished.
pub(super) fn destroy(context: &mut Context, pipeline: vk::Pipeline) {
    if context.alive() {
        // SAFETY: nothing is in flight between calls.
        unsafe { context.raw.destroy_pipeline(pipeline, None) };
    }
}
