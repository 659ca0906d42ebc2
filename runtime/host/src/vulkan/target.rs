//! Render targets: images that a graphics pipeline writes, cleared when they are made and read back when all is drawn.

use super::context::Context;
use super::memory::Piece;
use super::storage::{format, full_barrier, image_memory, with_readback};
use super::vk;
use crate::device::{Clear, DepthFormat, TargetDesc, TargetFormat};
use crate::error::{ErrorKind, Result, RunError};
use rtc_engine::vulkan::failed;
use vulkanalia::vk::{DeviceV1_0, HasBuilder};

/// A render target with its memory. Its layout is always `GENERAL`. Must be freed with [`GpuTarget::destroy`].
#[derive(Debug)]
pub(super) struct GpuTarget {
    raw: vk::Image,
    /// The view that pipelines write.
    pub attachment: vk::ImageView,
    /// The view that shaders read: without the stencil values.
    pub view: vk::ImageView,
    /// What it was made from.
    pub desc: TargetDesc,
    piece: Piece,
}

/// The Vulkan format of a target.
pub(super) fn target_format(f: TargetFormat) -> vk::Format {
    match f {
        TargetFormat::Color(color) => format(color),
        TargetFormat::Depth(DepthFormat::D16Unorm) => vk::Format::D16_UNORM,
        TargetFormat::Depth(DepthFormat::D32Float) => vk::Format::D32_SFLOAT,
        TargetFormat::Depth(DepthFormat::D32FloatS8Uint) => vk::Format::D32_SFLOAT_S8_UINT,
    }
}

fn aspects(f: TargetFormat) -> vk::ImageAspectFlags {
    match f {
        TargetFormat::Color(_) => vk::ImageAspectFlags::COLOR,
        TargetFormat::Depth(d) if d.has_stencil() => vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL,
        TargetFormat::Depth(_) => vk::ImageAspectFlags::DEPTH,
    }
}

/// The aspect that is read.
fn main_aspect(f: TargetFormat) -> vk::ImageAspectFlags {
    match f {
        TargetFormat::Color(_) => vk::ImageAspectFlags::COLOR,
        TargetFormat::Depth(_) => vk::ImageAspectFlags::DEPTH,
    }
}

fn limit(why: String) -> RunError {
    RunError::new(ErrorKind::Limit, why)
}

/// Nothing if the device can make such a target.
fn check(context: &Context, desc: &TargetDesc) -> Result<()> {
    let limits = &context.candidate.properties.limits;
    let most =
        (limits.max_framebuffer_width.min(limits.max_image_dimension_2d), limits.max_framebuffer_height.min(limits.max_image_dimension_2d));
    if !(1..=most.0).contains(&desc.width) || !(1..=most.1).contains(&desc.height) {
        let size = format!("{} x {}", desc.width, desc.height);
        return Err(limit(format!("a target of {size} texels, the device allows 1 x 1 to {} x {}", most.0, most.1)));
    }
    let layers = limits.max_framebuffer_layers.min(limits.max_image_array_layers);
    if !(1..=layers).contains(&desc.layers) {
        return Err(limit(format!("a target of {} layers, the device allows 1 to {layers}", desc.layers)));
    }
    let (need, samples) = match desc.format {
        TargetFormat::Color(_) => (vk::FormatFeatureFlags::COLOR_ATTACHMENT, limits.framebuffer_color_sample_counts),
        TargetFormat::Depth(_) => (vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT, limits.framebuffer_depth_sample_counts),
    };
    if !context.format_features(target_format(desc.format)).contains(need | vk::FormatFeatureFlags::SAMPLED_IMAGE) {
        return Err(RunError::new(
            ErrorKind::NoDevice,
            format!("on this device nothing can be drawn into targets of format {}", desc.format),
        ));
    }
    if !desc.samples.is_power_of_two() || samples.bits() & desc.samples == 0 {
        return Err(limit(format!("on this device a target of {} samples is not possible", desc.samples)));
    }
    Ok(())
}

impl GpuTarget {
    /// A target with its clear value everywhere.
    ///
    /// # Errors
    /// A format, size or number of samples that the device lacks; no memory.
    pub fn make(context: &mut Context, desc: &TargetDesc) -> Result<GpuTarget> {
        check(context, desc)?;
        let attachment = match desc.format {
            TargetFormat::Color(_) => vk::ImageUsageFlags::COLOR_ATTACHMENT,
            TargetFormat::Depth(_) => vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
        };
        let copies = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        let info = vk::ImageCreateInfo::builder()
            .image_type(vk::ImageType::_2D)
            .format(target_format(desc.format))
            .extent(vk::Extent3D { width: desc.width, height: desc.height, depth: 1 })
            .mip_levels(1)
            .array_layers(desc.layers)
            .samples(vk::SampleCountFlags::from_bits_truncate(desc.samples))
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(attachment | copies | vk::ImageUsageFlags::SAMPLED)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        let (raw, piece) = image_memory(context, &info, "make a render target")?;
        let mut target = GpuTarget { raw, attachment: vk::ImageView::default(), view: vk::ImageView::default(), desc: *desc, piece };
        match target.prepare(context) {
            Ok(()) => Ok(target),
            Err(e) => {
                target.destroy(context);
                Err(e)
            }
        }
    }

    fn range(&self, aspect_mask: vk::ImageAspectFlags) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange { aspect_mask, base_mip_level: 0, level_count: 1, base_array_layer: 0, layer_count: self.desc.layers }
    }

    /// Binds its memory, makes its views and clears it.
    fn prepare(&mut self, context: &mut Context) -> Result<()> {
        let kind = if self.desc.layers > 1 { vk::ImageViewType::_2D_ARRAY } else { vk::ImageViewType::_2D };
        let view = |range| {
            vk::ImageViewCreateInfo::builder()
                .image(self.raw)
                .view_type(kind)
                .format(target_format(self.desc.format))
                .subresource_range(range)
        };
        let all = self.range(aspects(self.desc.format));
        // SAFETY: the image is new and its memory fits it; the views are destroyed with it.
        unsafe {
            context
                .raw
                .bind_image_memory(self.raw, self.piece.memory, self.piece.offset)
                .map_err(failed("bind memory to a render target"))?;
            let made = context.raw.create_image_view(&view(all), None);
            let read = context.raw.create_image_view(&view(self.range(main_aspect(self.desc.format))), None);
            self.attachment = made.map_err(failed("make an image view"))?;
            self.view = read.map_err(failed("make an image view"))?;
        }
        let clear = self.desc.clear;
        context.run("clear a render target", |raw, cmd| {
            let to_general = vk::ImageMemoryBarrier::builder()
                .dst_access_mask(vk::AccessFlags::TRANSFER_WRITE)
                .old_layout(vk::ImageLayout::UNDEFINED)
                .new_layout(vk::ImageLayout::GENERAL)
                .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .image(self.raw)
                .subresource_range(all);
            let none: [vk::MemoryBarrier; 0] = [];
            let no_buffer: [vk::BufferMemoryBarrier; 0] = [];
            let (from, to) = (vk::PipelineStageFlags::TOP_OF_PIPE, vk::PipelineStageFlags::TRANSFER);
            let layout = vk::ImageLayout::GENERAL;
            // SAFETY: the image lives through the wait and nothing uses it yet.
            unsafe {
                raw.cmd_pipeline_barrier(cmd, from, to, vk::DependencyFlags::empty(), &none, &no_buffer, &[to_general]);
                match clear {
                    Clear::Float(float32) => raw.cmd_clear_color_image(cmd, self.raw, layout, &vk::ClearColorValue { float32 }, &[all]),
                    Clear::Uint(uint32) => raw.cmd_clear_color_image(cmd, self.raw, layout, &vk::ClearColorValue { uint32 }, &[all]),
                    Clear::Depth(depth, stencil) => {
                        let value = vk::ClearDepthStencilValue { depth, stencil };
                        raw.cmd_clear_depth_stencil_image(cmd, self.raw, layout, &value, &[all]);
                    }
                }
            }
            full_barrier(raw, cmd);
        })?;
        Ok(())
    }

    /// Reads it back: rows of texels, then layers.
    ///
    /// # Errors
    /// It is a multisampled depth target; a failure of the device.
    pub fn read(&self, context: &mut Context) -> Result<Vec<u8>> {
        if self.desc.samples == 1 {
            return self.read_single(context);
        }
        if matches!(self.desc.format, TargetFormat::Depth(_)) {
            return Err(limit("a multisampled depth target cannot be read back; read its samples in a shader".into()));
        }
        let mut resolved = GpuTarget::make(context, &TargetDesc { samples: 1, ..self.desc })?;
        let layers = self.layers(0, self.desc.layers);
        let region = vk::ImageResolve {
            src_subresource: layers,
            dst_subresource: layers,
            extent: vk::Extent3D { width: self.desc.width, height: self.desc.height, depth: 1 },
            ..Default::default()
        };
        let ran = context.run("resolve the samples of a target", |raw, cmd| {
            full_barrier(raw, cmd);
            let layout = vk::ImageLayout::GENERAL;
            // SAFETY: both images have this size and format and live through the wait.
            unsafe { raw.cmd_resolve_image(cmd, self.raw, layout, resolved.raw, layout, &[region]) };
            full_barrier(raw, cmd);
        });
        let out = ran.and_then(|_| resolved.read_single(context));
        resolved.destroy(context);
        out
    }

    fn layers(&self, first: u32, count: u32) -> vk::ImageSubresourceLayers {
        vk::ImageSubresourceLayers { aspect_mask: main_aspect(self.desc.format), mip_level: 0, base_array_layer: first, layer_count: count }
    }

    fn read_single(&self, context: &mut Context) -> Result<Vec<u8>> {
        let texel = match self.desc.format {
            TargetFormat::Color(color) => color.texel_size(),
            TargetFormat::Depth(DepthFormat::D16Unorm) => 2,
            TargetFormat::Depth(_) => 4,
        };
        let bytes = u64::from(self.desc.width) * u64::from(self.desc.height) * u64::from(texel);
        let mut out = Vec::new();
        for layer in 0..self.desc.layers {
            let place = vk::BufferImageCopy {
                image_subresource: self.layers(layer, 1),
                image_extent: vk::Extent3D { width: self.desc.width, height: self.desc.height, depth: 1 },
                ..Default::default()
            };
            with_readback(context, bytes, &mut out, "copy from a render target", |raw, cmd, staging| {
                // SAFETY: buffer and image live through the wait; the layer lies inside of both.
                unsafe { raw.cmd_copy_image_to_buffer(cmd, self.raw, vk::ImageLayout::GENERAL, staging, &[place]) };
            })?;
        }
        if self.desc.format == TargetFormat::Depth(DepthFormat::D16Unorm) {
            let float = |c: &[u8; 2]| (f32::from(u16::from_le_bytes(*c)) / 65535.0).to_le_bytes();
            out = out.as_chunks::<2>().0.iter().flat_map(float).collect();
        }
        Ok(out)
    }

    /// Frees it. Nothing on the device may use it any more.
    pub fn destroy(&mut self, context: &mut Context) {
        if context.alive() {
            // SAFETY: by the caller's promise; nothing is in flight between calls.
            unsafe {
                context.raw.destroy_image_view(self.attachment, None);
                context.raw.destroy_image_view(self.view, None);
                context.raw.destroy_image(self.raw, None);
            }
            context.memory.free(&self.piece);
        }
    }
}
