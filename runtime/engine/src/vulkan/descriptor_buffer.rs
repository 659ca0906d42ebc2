//! Descriptors in memory: `VK_EXT_descriptor_buffer` in place of pools and sets.
//!
//! A layout of [`Layout::for_descriptor_buffers`] says how large each of its sets is and where bindings are in it. [`DescriptorBuffer`] is memory
//! for such sets, into which the host writes descriptors and which a command buffer binds. Pipelines of the layout get the flag that they need.

use super::device::Device;
use super::dispatch::command_buffer;
use super::layout::{HEAP_TYPES, Layout};
use super::memory::{Allocate, Buffer, HostAccess};
use super::vk;
use crate::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use vulkanalia::vk::{ExtDescriptorBufferExtensionDeviceCommands, Handle, InstanceV1_1};

/// A descriptor to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Descriptor {
    /// A constant buffer.
    UniformBuffer {
        /// Its device address.
        address: u64,
        /// Bytes.
        size: u64,
    },
    /// A structured or byte-address buffer.
    StorageBuffer {
        /// Its device address.
        address: u64,
        /// Bytes.
        size: u64,
    },
    /// A typed buffer.
    UniformTexelBuffer {
        /// Its device address.
        address: u64,
        /// Bytes.
        size: u64,
        /// `VkFormat`.
        format: i32,
    },
    /// A typed buffer that shaders write.
    StorageTexelBuffer {
        /// Its device address.
        address: u64,
        /// Bytes.
        size: u64,
        /// `VkFormat`.
        format: i32,
    },
    /// A texture.
    SampledImage {
        /// `VkImageView`.
        view: u64,
        /// `VkImageLayout`.
        layout: i32,
    },
    /// A texture that shaders write.
    StorageImage {
        /// `VkImageView`.
        view: u64,
        /// `VkImageLayout`.
        layout: i32,
    },
    /// `VkSampler`.
    Sampler(u64),
    /// The device address of a top-level structure.
    AccelerationStructure(u64),
    /// Nothing, of a `VkDescriptorType`: reads give zero. Needs `nullDescriptor`.
    Null(i32),
}

impl Descriptor {
    fn kind(&self) -> vk::DescriptorType {
        use vk::DescriptorType as T;
        match self {
            Descriptor::UniformBuffer { .. } => T::UNIFORM_BUFFER,
            Descriptor::StorageBuffer { .. } => T::STORAGE_BUFFER,
            Descriptor::UniformTexelBuffer { .. } => T::UNIFORM_TEXEL_BUFFER,
            Descriptor::StorageTexelBuffer { .. } => T::STORAGE_TEXEL_BUFFER,
            Descriptor::SampledImage { .. } => T::SAMPLED_IMAGE,
            Descriptor::StorageImage { .. } => T::STORAGE_IMAGE,
            Descriptor::Sampler(_) => T::SAMPLER,
            Descriptor::AccelerationStructure(_) => T::ACCELERATION_STRUCTURE_KHR,
            Descriptor::Null(kind) => T::from_raw(*kind),
        }
    }
}

/// What a device says about descriptors in memory.
#[derive(Clone, Copy)]
struct Properties {
    alignment: u64,
    raw: vk::PhysicalDeviceDescriptorBufferPropertiesEXT,
    robust: bool,
}

// SAFETY: plain values; the pointer is null.
unsafe impl Send for Properties {}
// SAFETY: as above.
unsafe impl Sync for Properties {}

impl Properties {
    fn of(device: &Device) -> Properties {
        let mut raw = vk::PhysicalDeviceDescriptorBufferPropertiesEXT::default();
        let mut head = vk::PhysicalDeviceProperties2 { next: std::ptr::from_mut(&mut raw).cast(), ..Default::default() };
        let (instance, physical) = device.physical();
        // SAFETY: the extension is on, so the device knows its structure, which outlives the call.
        unsafe { instance.get_physical_device_properties2(physical, &mut head) };
        raw.next = std::ptr::null_mut();
        Properties { alignment: raw.descriptor_buffer_offset_alignment.max(1), raw, robust: device.enabled().has("robustBufferAccess") }
    }

    /// Bytes of a descriptor; 0: a type that this crate does not use.
    fn size(&self, kind: vk::DescriptorType) -> usize {
        use vk::DescriptorType as T;
        let p = &self.raw;
        let robust = |usual, robust| if self.robust { robust } else { usual };
        match kind {
            T::SAMPLER => p.sampler_descriptor_size,
            T::SAMPLED_IMAGE => p.sampled_image_descriptor_size,
            T::STORAGE_IMAGE => p.storage_image_descriptor_size,
            T::UNIFORM_TEXEL_BUFFER => robust(p.uniform_texel_buffer_descriptor_size, p.robust_uniform_texel_buffer_descriptor_size),
            T::STORAGE_TEXEL_BUFFER => robust(p.storage_texel_buffer_descriptor_size, p.robust_storage_texel_buffer_descriptor_size),
            T::UNIFORM_BUFFER => robust(p.uniform_buffer_descriptor_size, p.robust_uniform_buffer_descriptor_size),
            T::STORAGE_BUFFER => robust(p.storage_buffer_descriptor_size, p.robust_storage_buffer_descriptor_size),
            T::ACCELERATION_STRUCTURE_KHR => p.acceleration_structure_descriptor_size,
            // Each element has room for the largest.
            T::MUTABLE_EXT => HEAP_TYPES.iter().map(|kind| self.size(*kind)).max().unwrap_or(0),
            _ => 0,
        }
    }
}

/// The error of a layout that was made for descriptor sets.
fn not_in_memory() -> Error {
    Error::new(ErrorKind::Binding, "the layout was made for descriptor sets, not for descriptor buffers")
}

impl Layout {
    /// Bytes of each set in a descriptor buffer.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: the layout was made for descriptor sets.
    pub fn set_sizes(&self) -> Result<Vec<u64>> {
        if !self.in_memory() {
            return Err(not_in_memory());
        }
        // SAFETY: the layouts have the flag that the call demands.
        let size = |set: &vk::DescriptorSetLayout| unsafe { self.device().raw().get_descriptor_set_layout_size_ext(*set) };
        Ok(self.raw_sets().iter().map(size).collect())
    }

    /// Where the first descriptor of a binding is in its set.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: the layout was made for descriptor sets, or has no such binding.
    pub fn binding_offset(&self, set: u32, binding: u32) -> Result<u64> {
        if !self.in_memory() {
            return Err(not_in_memory());
        }
        let raw = self.raw_sets().get(set as usize).filter(|_| self.slots().contains_key(&(set, binding)));
        let Some(raw) = raw else {
            return Err(Error::new(ErrorKind::Binding, format!("the layout has no binding {binding} of set {set}")));
        };
        // SAFETY: as above; the binding exists.
        Ok(unsafe { self.device().raw().get_descriptor_set_layout_binding_offset_ext(*raw, binding) })
    }
}

/// Memory for all sets of a layout, several times. Drop it when the device no longer uses it.
pub struct DescriptorBuffer {
    layout: Layout,
    buffer: Buffer,
    properties: Properties,
    /// Where the sets are in each copy.
    sets: Vec<u64>,
    /// From copy to copy.
    stride: u64,
    copies: u32,
    usage: vk::BufferUsageFlags,
}

impl std::fmt::Debug for DescriptorBuffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DescriptorBuffer({} copies of {} sets)", self.copies, self.sets.len())
    }
}

impl DescriptorBuffer {
    /// Room for `copies` of the sets of a layout, one for each frame in flight, with the static samplers in their places.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: the layout was made for descriptor sets, or there is no copy. No memory; a failure of the device.
    pub fn new(layout: &Layout, memory: &Arc<dyn Allocate>, copies: u32) -> Result<DescriptorBuffer> {
        if copies == 0 {
            return Err(Error::new(ErrorKind::Binding, "a descriptor buffer for no copy of the sets"));
        }
        let device = layout.device();
        let sizes = layout.set_sizes()?;
        let properties = Properties::of(device);
        let mut sets = Vec::with_capacity(sizes.len());
        let mut stride = 0u64;
        for size in sizes {
            sets.push(stride);
            stride = stride.saturating_add(size).next_multiple_of(properties.alignment);
        }
        let has = |sampler: bool| layout.slots().values().any(|s| (s.kind == vk::DescriptorType::SAMPLER) == sampler);
        let mut usage = vk::BufferUsageFlags::empty();
        if has(true) {
            usage |= vk::BufferUsageFlags::SAMPLER_DESCRIPTOR_BUFFER_EXT;
        }
        if has(false) || usage.is_empty() {
            usage |= vk::BufferUsageFlags::RESOURCE_DESCRIPTOR_BUFFER_EXT;
        }
        // The address of the memory may not be aligned as sets must be.
        let Some(size) = stride.checked_mul(copies.into()).and_then(|n| n.checked_add(properties.alignment)) else {
            return Err(Error::new(ErrorKind::Limit, format!("{copies} copies of {stride} bytes of descriptors are too many")));
        };
        let buffer = Buffer::new(device, memory, size, usage.bits(), HostAccess::Write)?;
        let made = DescriptorBuffer { layout: layout.clone(), buffer, properties, sets, stride, copies, usage };
        for copy in 0..copies {
            for s in layout.samplers() {
                // SAFETY: the buffer has no user yet; the samplers are the layout's.
                unsafe { made.write(copy, (s.set, s.binding), s.element, &Descriptor::Sampler(s.sampler))? };
            }
        }
        Ok(made)
    }

    /// Where a set of a copy is in the buffer, at an aligned address.
    fn set(&self, copy: u32, set: u32) -> u64 {
        let aligned = self.buffer.address().next_multiple_of(self.properties.alignment) - self.buffer.address();
        aligned + u64::from(copy) * self.stride + self.sets[set as usize]
    }

    /// Writes a descriptor into an element of a binding of a copy: set and binding are those of
    /// [`ResourcePlace`](super::layout::ResourcePlace), of its hidden counter too.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: there is no such copy, binding or element, or it takes descriptors of another type. [`ErrorKind::Limit`]: a
    /// null descriptor, and the device was made without `nullDescriptor`.
    ///
    /// # Safety
    /// Handles and addresses are what they are called, of this device, and live as long as the descriptor is used. The device does not use this
    /// element now.
    pub unsafe fn write(&self, copy: u32, (set, binding): (u32, u32), element: u32, descriptor: &Descriptor) -> Result<()> {
        use vk::DescriptorType as T;
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        if copy >= self.copies {
            return wrong(format!("copy {copy} of {}", self.copies));
        }
        let device = self.layout.device();
        let kind = descriptor.kind();
        let Some(slot) = self.layout.slots().get(&(set, binding)) else {
            return wrong(format!("the layout has no binding {binding} of set {set}"));
        };
        if element >= slot.count {
            return wrong(format!("element {element} of {} of set {set}, binding {binding}", slot.count));
        }
        if slot.kind != kind && !(slot.kind == T::MUTABLE_EXT && HEAP_TYPES.contains(&kind)) {
            return wrong(format!("set {set}, binding {binding} takes descriptors of {:?}, not of {kind:?}", slot.kind));
        }
        if matches!(descriptor, Descriptor::Null(_)) && !device.enabled().has("nullDescriptor") {
            let why = format!("{} was made without nullDescriptor (VK_EXT_robustness2)", device.name());
            return Err(Error::new(ErrorKind::Limit, why));
        }
        let image = |view, layout| vk::DescriptorImageInfo {
            image_view: vk::ImageView::from_raw(view),
            image_layout: vk::ImageLayout::from_raw(layout),
            ..Default::default()
        };
        let memory = |address, range, format| vk::DescriptorAddressInfoEXT {
            address,
            range,
            format: vk::Format::from_raw(format),
            ..Default::default()
        };
        let (mut address, mut view, mut sampler) =
            (vk::DescriptorAddressInfoEXT::default(), vk::DescriptorImageInfo::default(), vk::Sampler::null());
        let mut data = vk::DescriptorDataEXT::default();
        match *descriptor {
            Descriptor::UniformBuffer { address: a, size } | Descriptor::StorageBuffer { address: a, size } => address = memory(a, size, 0),
            Descriptor::UniformTexelBuffer { address: a, size, format } | Descriptor::StorageTexelBuffer { address: a, size, format } => {
                address = memory(a, size, format);
            }
            Descriptor::SampledImage { view: v, layout } | Descriptor::StorageImage { view: v, layout } => view = image(v, layout),
            Descriptor::Sampler(raw) => sampler = vk::Sampler::from_raw(raw),
            Descriptor::AccelerationStructure(_) | Descriptor::Null(_) => {}
        }
        match *descriptor {
            Descriptor::Null(_) => {}
            Descriptor::AccelerationStructure(at) => data.acceleration_structure = at,
            Descriptor::Sampler(_) => data.sampler = &sampler,
            Descriptor::SampledImage { .. } | Descriptor::StorageImage { .. } => data.sampled_image = &view,
            _ => data.storage_buffer = &address,
        }
        let info = vk::DescriptorGetInfoEXT { type_: kind, data, ..Default::default() };
        let mut bytes = vec![0u8; self.properties.size(kind)];
        // SAFETY: what `info` points to lives until the call returns; the room is as large as a descriptor of this type.
        unsafe { device.raw().get_descriptor_ext(&info, &mut bytes) };
        let stride = self.properties.size(slot.kind) as u64;
        let at = self.set(copy, set) + self.layout.binding_offset(set, binding)? + u64::from(element) * stride;
        // SAFETY: by the caller's promise.
        unsafe { self.buffer.write(at, &bytes) }
    }

    /// Records the binding of all sets of a copy for ray tracing. Other descriptor buffers are not bound afterwards.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: there is no such copy, or the command buffer is null.
    ///
    /// # Safety
    /// `command_buffer` is a `VkCommandBuffer` of this device that records. The buffer and everything that its descriptors are of live until its
    /// work ends.
    pub unsafe fn bind(&self, command_buffer_raw: u64, copy: u32) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        if copy >= self.copies {
            return Err(Error::new(ErrorKind::Binding, format!("copy {copy} of {}", self.copies)));
        }
        let first = self.buffer.address().next_multiple_of(self.properties.alignment);
        let info = vk::DescriptorBufferBindingInfoEXT { address: first, usage: self.usage, ..Default::default() };
        let offsets: Vec<u64> = self.sets.iter().map(|set| u64::from(copy) * self.stride + set).collect();
        let buffers = vec![0u32; offsets.len()];
        let raw = self.layout.device().raw();
        // SAFETY: by the caller's promise; the offsets are aligned and inside of the buffer.
        unsafe {
            raw.cmd_bind_descriptor_buffers_ext(cmd, &[info]);
            if !offsets.is_empty() {
                let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
                raw.cmd_set_descriptor_buffer_offsets_ext(cmd, point, self.layout.raw(), 0, &buffers, &offsets);
            }
        }
        Ok(())
    }

    /// How many copies there are.
    pub fn copies(&self) -> u32 {
        self.copies
    }

    /// The layout of its sets.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}
