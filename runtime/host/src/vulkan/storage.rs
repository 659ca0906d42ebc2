//! Buffers, images and samplers, and copies between host and device.

use super::context::Context;
use super::memory::{Holds, Piece, Use};
use super::vk;
use crate::device::{Compare, Format, ImageDesc};
use crate::error::{ErrorKind, Result, RunError};
use rtc_dxil_container::ResourceKind;
use rtc_engine::vulkan::accel::Scratch;
use rtc_engine::vulkan::{Device, failed};
use vulkanalia::vk::{DeviceV1_0, DeviceV1_2, Handle, HasBuilder};

/// Bytes that go through one staging buffer at most.
const STAGING: u64 = 64 << 20;

/// A buffer with its memory. Must be freed with [`GpuBuffer::destroy`].
#[derive(Debug)]
pub(super) struct GpuBuffer {
    /// The buffer.
    pub raw: vk::Buffer,
    /// Requested size in bytes.
    pub size: u64,
    /// Its device address; 0 for staging buffers.
    pub address: u64,
    piece: Piece,
}

/// What device buffers may be used for: everything that a shader or a build reads.
fn device_usage(micromaps: bool) -> vk::BufferUsageFlags {
    use vk::BufferUsageFlags as U;
    let usual = U::STORAGE_BUFFER
        | U::UNIFORM_BUFFER
        | U::STORAGE_TEXEL_BUFFER
        | U::UNIFORM_TEXEL_BUFFER
        | U::VERTEX_BUFFER
        | U::INDEX_BUFFER
        | U::TRANSFER_SRC
        | U::TRANSFER_DST
        | U::SHADER_DEVICE_ADDRESS
        | U::SHADER_BINDING_TABLE_KHR
        | U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR;
    if micromaps { usual | U::MICROMAP_BUILD_INPUT_READ_ONLY_EXT } else { usual }
}

impl GpuBuffer {
    /// A buffer that the device uses; its contents are undefined.
    ///
    /// # Errors
    /// No memory.
    pub fn device(context: &mut Context, size: u64) -> Result<GpuBuffer> {
        let usage = device_usage(context.has("micromap"));
        GpuBuffer::make(context, size, usage, Use::Device)
    }

    fn staging(context: &mut Context, size: u64, how: Use) -> Result<GpuBuffer> {
        let usage = match how {
            Use::Readback => vk::BufferUsageFlags::TRANSFER_DST,
            _ => vk::BufferUsageFlags::TRANSFER_SRC,
        };
        GpuBuffer::make(context, size, usage, how)
    }

    fn make(context: &mut Context, size: u64, usage: vk::BufferUsageFlags, how: Use) -> Result<GpuBuffer> {
        // Whole words, so that fills reach the end and no view of a struct is cut; and never empty.
        let padded = size.max(16).checked_next_multiple_of(16).ok_or_else(|| too_large(size))?;
        let info = vk::BufferCreateInfo::builder().size(padded).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: destroyed in `destroy`, or here when there is no memory for it.
        unsafe {
            let raw = context.raw.create_buffer(&info, None).map_err(failed("make a buffer"))?;
            let need = context.raw.get_buffer_memory_requirements(raw);
            let piece = match context.memory.allocate(&context.raw, &need, Holds::Buffers, how) {
                Ok(piece) => piece,
                Err(e) => {
                    context.raw.destroy_buffer(raw, None);
                    return Err(e);
                }
            };
            let mut buffer = GpuBuffer { raw, size, address: 0, piece };
            let bound = context.raw.bind_buffer_memory(raw, buffer.piece.memory, buffer.piece.offset);
            if let Err(code) = bound {
                buffer.destroy(context);
                return Err(failed("bind memory to a buffer")(code));
            }
            if usage.contains(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS) {
                let info = vk::BufferDeviceAddressInfo::builder().buffer(raw);
                buffer.address = context.raw.get_buffer_device_address(&info);
            }
            Ok(buffer)
        }
    }

    /// Frees it. Nothing on the device may use it any more.
    pub fn destroy(&mut self, context: &mut Context) {
        if context.alive() {
            // SAFETY: by the caller's promise; nothing is in flight between calls.
            unsafe { context.raw.destroy_buffer(self.raw, None) };
            context.memory.free(&self.piece);
            self.raw = vk::Buffer::null();
        }
    }

    /// A device buffer of `size` bytes that begins with `data`, the rest zero.
    ///
    /// # Errors
    /// No memory; a failure of the device.
    pub fn filled(context: &mut Context, size: u64, data: &[u8]) -> Result<GpuBuffer> {
        if data.len() as u64 > size {
            return Err(RunError::new(ErrorKind::Binding, format!("{} bytes do not fit a buffer of {size}", data.len())));
        }
        let mut buffer = GpuBuffer::device(context, size)?;
        let done = buffer.fill_and_write(context, data);
        if done.is_err() {
            buffer.destroy(context);
        }
        done.map(|()| buffer)
    }

    fn fill_and_write(&self, context: &mut Context, data: &[u8]) -> Result<()> {
        if (data.len() as u64) < self.size.max(1) {
            context.run("clear a buffer", |raw, cmd| {
                // SAFETY: the buffer is idle and lives through the wait.
                unsafe { raw.cmd_fill_buffer(cmd, self.raw, 0, vk::WHOLE_SIZE, 0) };
            })?;
        }
        self.write(context, 0, data)
    }

    /// Overwrites part of a device buffer.
    ///
    /// # Errors
    /// It does not fit; a failure of the device.
    pub fn write(&self, context: &mut Context, offset: u64, data: &[u8]) -> Result<()> {
        let end = offset.checked_add(data.len() as u64);
        if end.is_none_or(|end| end > self.size) {
            return Err(RunError::new(
                ErrorKind::Binding,
                format!("writing {} bytes at {offset} leaves a buffer of {} bytes", data.len(), self.size),
            ));
        }
        for (i, chunk) in data.chunks(STAGING as usize).enumerate() {
            let at = offset + i as u64 * STAGING;
            with_upload(context, chunk, "copy to a buffer", |raw, cmd, staging| {
                let region = vk::BufferCopy { src_offset: 0, dst_offset: at, size: chunk.len() as u64 };
                // SAFETY: both buffers live through the wait, the range was checked.
                unsafe { raw.cmd_copy_buffer(cmd, staging, self.raw, &[region]) };
            })?;
        }
        Ok(())
    }

    /// Reads a device buffer back.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn read(&self, context: &mut Context) -> Result<Vec<u8>> {
        let size = usize::try_from(self.size).map_err(|_| too_large(self.size))?;
        let mut out = Vec::with_capacity(size);
        let mut at = 0;
        while at < self.size {
            let len = STAGING.min(self.size - at);
            with_readback(context, len, &mut out, "copy from a buffer", |raw, cmd, staging| {
                let region = vk::BufferCopy { src_offset: at, dst_offset: 0, size: len };
                // SAFETY: both buffers live through the wait, the range lies inside.
                unsafe { raw.cmd_copy_buffer(cmd, self.raw, staging, &[region]) };
            })?;
            at += len;
        }
        Ok(out)
    }
}

fn too_large(size: u64) -> RunError {
    RunError::new(ErrorKind::Limit, format!("{size} bytes are too many for one resource"))
}

/// Everything that was written is seen by everything that follows. Between whole operations of a runtime
/// that waits for each, finer distinctions buy nothing.
pub(super) fn full_barrier(raw: &vulkanalia::Device, cmd: vk::CommandBuffer) {
    let barrier = vk::MemoryBarrier::builder()
        .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
        .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE);
    let none: [vk::BufferMemoryBarrier; 0] = [];
    let no_image: [vk::ImageMemoryBarrier; 0] = [];
    let all = vk::PipelineStageFlags::ALL_COMMANDS | vk::PipelineStageFlags::HOST;
    // SAFETY: plain command.
    unsafe {
        raw.cmd_pipeline_barrier(cmd, all, all, vk::DependencyFlags::empty(), &[barrier], &none, &no_image);
    }
}

/// Runs commands that read a staging buffer with `data`.
fn with_upload(
    context: &mut Context,
    data: &[u8],
    what: &str,
    record: impl FnOnce(&vulkanalia::Device, vk::CommandBuffer, vk::Buffer),
) -> Result<()> {
    let mut staging = GpuBuffer::staging(context, data.len() as u64, Use::Upload)?;
    // SAFETY: the piece is mapped, coherent, at least as large as `data` and not in use yet.
    unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), staging.piece.mapped, data.len()) };
    let ran = context.run(what, |raw, cmd| {
        record(raw, cmd, staging.raw);
        full_barrier(raw, cmd);
    });
    staging.destroy(context);
    ran.map(|_| ())
}

/// Runs commands that write `len` bytes of a staging buffer, and appends those to `out`.
pub(super) fn with_readback(
    context: &mut Context,
    len: u64,
    out: &mut Vec<u8>,
    what: &str,
    record: impl FnOnce(&vulkanalia::Device, vk::CommandBuffer, vk::Buffer),
) -> Result<()> {
    let mut staging = GpuBuffer::staging(context, len, Use::Readback)?;
    let ran = context.run(what, |raw, cmd| {
        full_barrier(raw, cmd);
        record(raw, cmd, staging.raw);
        full_barrier(raw, cmd);
    });
    if ran.is_ok() {
        // SAFETY: mapped and coherent, `len` bytes long, and the device is done with it.
        out.extend_from_slice(unsafe { std::slice::from_raw_parts(staging.piece.mapped.cast_const(), len as usize) });
    }
    staging.destroy(context);
    ran.map(|_| ())
}

/// Records builds with so much scratch memory, runs them and waits.
///
/// # Errors
/// Those of `record`; no memory; a failure of the device.
pub(super) fn with_scratch(
    context: &mut Context,
    size: u64,
    what: &str,
    record: impl FnOnce(&Device, u64, Scratch) -> Result<()>,
) -> Result<()> {
    let mut memory = GpuBuffer::device(context, size)?;
    let scratch = Scratch { address: memory.address, size };
    let device = context.device.clone();
    let mut recorded = Ok(());
    let ran = context.run(what, |raw, cmd| {
        full_barrier(raw, cmd);
        recorded = record(&device, cmd.as_raw() as u64, scratch);
        full_barrier(raw, cmd);
    });
    memory.destroy(context);
    ran.and(recorded)
}

/// An image with its memory and a view of all of it. Its layout is always `GENERAL`.
#[derive(Debug)]
pub(super) struct GpuImage {
    raw: vk::Image,
    /// The view that shaders get.
    pub view: vk::ImageView,
    /// What it was made from.
    pub desc: ImageDesc,
    piece: Piece,
}

/// The Vulkan format.
pub(super) fn format(f: Format) -> vk::Format {
    match f {
        Format::R8Unorm => vk::Format::R8_UNORM,
        Format::Rg8Unorm => vk::Format::R8G8_UNORM,
        Format::Rgba8Unorm => vk::Format::R8G8B8A8_UNORM,
        Format::Rgba8UnormSrgb => vk::Format::R8G8B8A8_SRGB,
        Format::R16Float => vk::Format::R16_SFLOAT,
        Format::Rgba16Float => vk::Format::R16G16B16A16_SFLOAT,
        Format::R32Float => vk::Format::R32_SFLOAT,
        Format::Rg32Float => vk::Format::R32G32_SFLOAT,
        Format::Rgba32Float => vk::Format::R32G32B32A32_SFLOAT,
        Format::R32Uint => vk::Format::R32_UINT,
        Format::Rg32Uint => vk::Format::R32G32_UINT,
        Format::Rgba32Uint => vk::Format::R32G32B32A32_UINT,
        Format::R32Sint => vk::Format::R32_SINT,
        Format::Rgba32Sint => vk::Format::R32G32B32A32_SINT,
    }
}

/// The Vulkan types of an image and its view.
fn shape(kind: ResourceKind) -> (vk::ImageType, vk::ImageViewType) {
    use ResourceKind as K;
    use vk::{ImageType as T, ImageViewType as V};
    match kind {
        K::Texture1D => (T::_1D, V::_1D),
        K::Texture1DArray => (T::_1D, V::_1D_ARRAY),
        K::Texture3D => (T::_3D, V::_3D),
        K::TextureCube => (T::_2D, V::CUBE),
        K::TextureCubeArray => (T::_2D, V::CUBE_ARRAY),
        K::Texture2DArray | K::Texture2DMSArray => (T::_2D, V::_2D_ARRAY),
        _ => (T::_2D, V::_2D),
    }
}

/// All of an image.
fn whole(desc: &ImageDesc) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        base_mip_level: 0,
        level_count: desc.levels,
        base_array_layer: 0,
        layer_count: layers(desc),
    }
}

/// Layers as Vulkan counts them: slices of a volume are none.
fn layers(desc: &ImageDesc) -> u32 {
    if desc.kind == ResourceKind::Texture3D { 1 } else { desc.depth }
}

/// Bytes of an image, and where in the image they belong, relative to the first of them.
type Batch = (std::ops::Range<usize>, Vec<vk::BufferImageCopy>);

/// An image and memory that it is not bound to yet, both the caller's to destroy; `what` is what fails if it cannot be made.
pub(super) fn image_memory(context: &mut Context, info: &vk::ImageCreateInfo, what: &'static str) -> Result<(vk::Image, Piece)> {
    // SAFETY: destroyed by the caller, or here when there is no memory.
    unsafe {
        let raw = context.raw.create_image(info, None).map_err(failed(what))?;
        let need = context.raw.get_image_memory_requirements(raw);
        match context.memory.allocate(&context.raw, &need, Holds::Images, Use::Device) {
            Ok(piece) => Ok((raw, piece)),
            Err(e) => {
                context.raw.destroy_image(raw, None);
                Err(e)
            }
        }
    }
}

impl GpuImage {
    /// An image with `data`, as [`ImageDesc::bytes`] lays it out, or zeros when that is empty.
    ///
    /// # Errors
    /// Contents of another size, a format that the device lacks, no memory.
    pub fn make(context: &mut Context, desc: &ImageDesc, data: &[u8]) -> Result<GpuImage> {
        desc.check(data)?;
        within_limits(context, desc)?;
        let mut need = vk::FormatFeatureFlags::SAMPLED_IMAGE;
        let mut usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        if desc.writable {
            need |= vk::FormatFeatureFlags::STORAGE_IMAGE;
            usage |= vk::ImageUsageFlags::STORAGE;
        }
        if !context.format_features(format(desc.format)).contains(need) {
            let verb = if desc.writable { "written" } else { "read" };
            return Err(RunError::new(
                ErrorKind::Limit,
                format!("on this device images of format {} cannot be {verb} by shaders", desc.format.name()),
            ));
        }
        let volume = desc.kind == ResourceKind::Texture3D;
        let info = vk::ImageCreateInfo::builder()
            .flags(match desc.kind {
                ResourceKind::TextureCube | ResourceKind::TextureCubeArray => vk::ImageCreateFlags::CUBE_COMPATIBLE,
                _ => vk::ImageCreateFlags::empty(),
            })
            .image_type(shape(desc.kind).0)
            .format(format(desc.format))
            .extent(vk::Extent3D { width: desc.width, height: desc.height, depth: if volume { desc.depth } else { 1 } })
            .mip_levels(desc.levels)
            .array_layers(layers(desc))
            .samples(vk::SampleCountFlags::from_bits_truncate(desc.samples))
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        let (raw, piece) = image_memory(context, &info, "make an image")?;
        let mut image = GpuImage { raw, view: vk::ImageView::null(), desc: *desc, piece };
        match image.fill(context, data) {
            Ok(()) => Ok(image),
            Err(e) => {
                image.destroy(context);
                Err(e)
            }
        }
    }

    fn fill(&mut self, context: &mut Context, data: &[u8]) -> Result<()> {
        let view = vk::ImageViewCreateInfo::builder()
            .image(self.raw)
            .view_type(shape(self.desc.kind).1)
            .format(format(self.desc.format))
            .subresource_range(whole(&self.desc));
        // SAFETY: the image is new and its memory fits it.
        unsafe {
            context.raw.bind_image_memory(self.raw, self.piece.memory, self.piece.offset).map_err(failed("bind memory to an image"))?;
            self.view = context.raw.create_image_view(&view, None).map_err(failed("make an image view"))?;
        }
        context.run("clear an image", |raw, cmd| {
            let to_general = vk::ImageMemoryBarrier::builder()
                .dst_access_mask(vk::AccessFlags::TRANSFER_WRITE)
                .old_layout(vk::ImageLayout::UNDEFINED)
                .new_layout(vk::ImageLayout::GENERAL)
                .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .image(self.raw)
                .subresource_range(whole(&self.desc));
            let none: [vk::MemoryBarrier; 0] = [];
            let no_buffer: [vk::BufferMemoryBarrier; 0] = [];
            // SAFETY: the image lives through the wait and nothing uses it yet.
            unsafe {
                raw.cmd_pipeline_barrier(
                    cmd,
                    vk::PipelineStageFlags::TOP_OF_PIPE,
                    vk::PipelineStageFlags::TRANSFER,
                    vk::DependencyFlags::empty(),
                    &none,
                    &no_buffer,
                    &[to_general],
                );
                let zero = vk::ClearColorValue { uint32: [0; 4] };
                raw.cmd_clear_color_image(cmd, self.raw, vk::ImageLayout::GENERAL, &zero, &[whole(&self.desc)]);
            }
            full_barrier(raw, cmd);
        })?;
        if data.is_empty() {
            return Ok(());
        }
        for (bytes, places) in self.batches() {
            with_upload(context, &data[bytes], "copy to an image", |raw, cmd, staging| {
                // SAFETY: buffer and image live through the wait; the places lie inside of both.
                unsafe {
                    raw.cmd_copy_buffer_to_image(cmd, staging, self.raw, vk::ImageLayout::GENERAL, &places);
                }
            })?;
        }
        Ok(())
    }

    /// The image in pieces that fit a staging buffer.
    fn batches(&self) -> Vec<Batch> {
        let mut out: Vec<Batch> = Vec::new();
        let mut at = 0;
        for level in 0..self.desc.levels {
            let [width, height, depth] = self.desc.size(level);
            let row = width as usize * self.desc.format.texel_size() as usize;
            let rows = (STAGING as usize / row).clamp(1, height as usize);
            for z in 0..depth {
                for y in (0..height).step_by(rows) {
                    let n = (rows as u32).min(height - y);
                    let len = n as usize * row;
                    let first = match out.last_mut() {
                        Some((bytes, _)) if at + len - bytes.start <= STAGING as usize => {
                            bytes.end = at + len;
                            bytes.start
                        }
                        _ => {
                            out.push((at..at + len, Vec::new()));
                            at
                        }
                    };
                    let place = self.place(level, z, y, [width, n], (at - first) as u64);
                    if let Some((_, places)) = out.last_mut() {
                        places.push(place);
                    }
                    at += len;
                }
            }
        }
        out
    }

    /// Rows of a slice or layer of a level.
    fn place(&self, level: u32, z: u32, y: u32, size: [u32; 2], offset: u64) -> vk::BufferImageCopy {
        let volume = self.desc.kind == ResourceKind::Texture3D;
        vk::BufferImageCopy {
            buffer_offset: offset,
            buffer_row_length: 0,
            buffer_image_height: 0,
            image_subresource: vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                mip_level: level,
                base_array_layer: if volume { 0 } else { z },
                layer_count: 1,
            },
            image_offset: vk::Offset3D { x: 0, y: y as i32, z: if volume { z as i32 } else { 0 } },
            image_extent: vk::Extent3D { width: size[0], height: size[1], depth: 1 },
        }
    }

    /// Reads it back, as [`ImageDesc::bytes`] lays it out.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn read(&self, context: &mut Context) -> Result<Vec<u8>> {
        self.desc.check_read()?;
        let mut out = Vec::with_capacity(self.desc.bytes() as usize);
        for (bytes, places) in self.batches() {
            with_readback(context, bytes.len() as u64, &mut out, "copy from an image", |raw, cmd, staging| {
                // SAFETY: buffer and image live through the wait; the places lie inside of both.
                unsafe {
                    raw.cmd_copy_image_to_buffer(cmd, self.raw, vk::ImageLayout::GENERAL, staging, &places);
                }
            })?;
        }
        Ok(out)
    }

    /// Frees it. Nothing on the device may use it any more.
    pub fn destroy(&mut self, context: &mut Context) {
        if context.alive() {
            // SAFETY: by the caller's promise; nothing is in flight between calls.
            unsafe {
                context.raw.destroy_image_view(self.view, None);
                context.raw.destroy_image(self.raw, None);
            }
            context.memory.free(&self.piece);
        }
    }
}

/// Nothing if the device can make such an image, which Direct3D has.
fn within_limits(context: &Context, desc: &ImageDesc) -> Result<()> {
    let limits = &context.candidate.properties.limits;
    let layers = limits.max_image_array_layers;
    let (side, deepest) = match desc.kind {
        ResourceKind::Texture1D | ResourceKind::Texture1DArray => (limits.max_image_dimension_1d, layers),
        ResourceKind::Texture3D => (limits.max_image_dimension_3d, limits.max_image_dimension_3d),
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray => (limits.max_image_dimension_cube, layers),
        _ => (limits.max_image_dimension_2d, layers),
    };
    desc.within(side, deepest, "on this device: ")?;
    let counts = limits.sampled_image_color_sample_counts
        & if desc.writable { limits.storage_image_sample_counts } else { vk::SampleCountFlags::all() };
    if counts.bits() & desc.samples == 0 {
        let text = format!("on this device `{}` of {} samples is not possible", desc.kind, desc.samples);
        return Err(RunError::new(ErrorKind::Limit, text));
    }
    Ok(())
}

/// The Vulkan comparison.
pub(super) fn compare_op(c: Compare) -> vk::CompareOp {
    match c {
        Compare::Never => vk::CompareOp::NEVER,
        Compare::Less => vk::CompareOp::LESS,
        Compare::Equal => vk::CompareOp::EQUAL,
        Compare::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
        Compare::Greater => vk::CompareOp::GREATER,
        Compare::NotEqual => vk::CompareOp::NOT_EQUAL,
        Compare::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
        Compare::Always => vk::CompareOp::ALWAYS,
    }
}
