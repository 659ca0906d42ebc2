//! Descriptor sets of any layout, and an image of two texels: what root signatures describe.

use crate::engine::Engine;
use rtc_engine::library::Library;
use rtc_engine::slot::Slot;
use rtc_engine::vulkan::{Accel, Buffer, Layout};
use vulkanalia::vk::{self, DeviceV1_0, Handle, HasBuilder, InstanceV1_0};

/// What a descriptor is of.
#[derive(Clone, Copy)]
pub enum Of<'a> {
    /// A storage buffer.
    Storage(&'a Buffer),
    /// A uniform buffer.
    Uniform(&'a Buffer),
    /// A sampled image.
    Image(vk::ImageView),
    /// A sampler.
    Sampler(vk::Sampler),
    /// An acceleration structure.
    Accel(&'a Accel),
    /// Nothing, as a type.
    Null(vk::DescriptorType),
}

/// The sets of a layout.
pub struct Sets {
    raw: Vec<vk::DescriptorSet>,
    pool: vk::DescriptorPool,
}

impl Sets {
    /// Sets with descriptors in elements of resources, and the static samplers that are not immutable.
    pub fn new(engine: &Engine, layout: &Layout, library: &Library, descriptors: &[(&str, u32, Of)]) -> Sets {
        let sizes: Vec<_> = layout
            .pool_sizes()
            .into_iter()
            .map(|(kind, n)| vk::DescriptorPoolSize { type_: vk::DescriptorType::from_raw(kind), descriptor_count: n })
            .collect();
        let layouts: Vec<_> = layout.sets().into_iter().map(vk::DescriptorSetLayout::from_raw).collect();
        // SAFETY: what is pointed to lives during the calls.
        unsafe {
            let pool = vk::DescriptorPoolCreateInfo::builder().max_sets(layouts.len() as u32).pool_sizes(&sizes);
            let pool = engine.raw.create_descriptor_pool(&pool, None).expect("a pool");
            let info = vk::DescriptorSetAllocateInfo::builder().descriptor_pool(pool).set_layouts(&layouts);
            let made = Sets { raw: engine.raw.allocate_descriptor_sets(&info).expect("sets"), pool };
            for w in layout.samplers() {
                made.write(engine, (w.set, w.binding), w.element, Of::Sampler(vk::Sampler::from_raw(w.sampler)));
            }
            for (slot, element, of) in descriptors {
                let place = layout.place(library, &Slot::parse(slot)).expect("a resource");
                made.write(engine, (place.set, place.binding), *element, *of);
            }
            made
        }
    }

    unsafe fn write(&self, engine: &Engine, (set, binding): (u32, u32), element: u32, of: Of) {
        use vk::DescriptorType as T;
        let buffer = |b: &Buffer| vk::DescriptorBufferInfo { buffer: vk::Buffer::from_raw(b.handle()), offset: 0, range: vk::WHOLE_SIZE };
        let mut info = vk::DescriptorBufferInfo { range: vk::WHOLE_SIZE, ..Default::default() };
        let mut image = vk::DescriptorImageInfo::default();
        let view = vk::BufferView::null();
        let mut structure = vk::AccelerationStructureKHR::null();
        let kind = match of {
            Of::Storage(b) => {
                info = buffer(b);
                T::STORAGE_BUFFER
            }
            Of::Uniform(b) => {
                info = buffer(b);
                T::UNIFORM_BUFFER
            }
            Of::Image(view) => {
                image = vk::DescriptorImageInfo { image_view: view, image_layout: vk::ImageLayout::GENERAL, ..Default::default() };
                T::SAMPLED_IMAGE
            }
            Of::Sampler(sampler) => {
                image.sampler = sampler;
                T::SAMPLER
            }
            Of::Accel(accel) => {
                structure = vk::AccelerationStructureKHR::from_raw(accel.handle());
                T::ACCELERATION_STRUCTURE_KHR
            }
            Of::Null(kind) => kind,
        };
        let mut next = vk::WriteDescriptorSetAccelerationStructureKHR {
            acceleration_structure_count: 1,
            acceleration_structures: &structure,
            ..Default::default()
        };
        let mut write = vk::WriteDescriptorSet {
            dst_set: self.raw[set as usize],
            dst_binding: binding,
            dst_array_element: element,
            descriptor_count: 1,
            descriptor_type: kind,
            buffer_info: &info,
            image_info: &image,
            texel_buffer_view: &view,
            ..Default::default()
        };
        if kind == T::ACCELERATION_STRUCTURE_KHR {
            write.next = std::ptr::from_mut(&mut next).cast();
        }
        let none: [vk::CopyDescriptorSet; 0] = [];
        // SAFETY: as in `new`.
        unsafe { engine.raw.update_descriptor_sets(&[write], &none) };
    }

    pub fn bind(&self, engine: &Engine, layout: &Layout, cmd: u64) {
        let cmd = vk::CommandBuffer::from_raw(cmd as usize);
        let layout = vk::PipelineLayout::from_raw(layout.handle());
        // SAFETY: the sets are of this layout.
        unsafe { engine.raw.cmd_bind_descriptor_sets(cmd, vk::PipelineBindPoint::RAY_TRACING_KHR, layout, 0, &self.raw, &[]) };
    }

    pub fn destroy(&self, engine: &Engine) {
        // SAFETY: the device is done with them.
        unsafe { engine.raw.destroy_descriptor_pool(self.pool, None) };
    }
}

/// An image of two texels: red, and green.
pub struct Image {
    raw: vk::Image,
    memory: vk::DeviceMemory,
    pub view: vk::ImageView,
}

impl Image {
    pub fn new(engine: &Engine) -> Image {
        let extent = vk::Extent3D { width: 2, height: 1, depth: 1 };
        let format = vk::Format::R8G8B8A8_UNORM;
        let info = vk::ImageCreateInfo {
            image_type: vk::ImageType::_2D,
            format,
            extent,
            mip_levels: 1,
            array_layers: 1,
            samples: vk::SampleCountFlags::_1,
            usage: vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST,
            ..Default::default()
        };
        let range =
            vk::ImageSubresourceRange { aspect_mask: vk::ImageAspectFlags::COLOR, level_count: 1, layer_count: 1, ..Default::default() };
        let texels = engine.buffer(8, &[255, 0, 0, 255, 0, 255, 0, 255]);
        // SAFETY: made, bound and filled here; destroyed in `destroy`.
        unsafe {
            let raw = engine.raw.create_image(&info, None).expect("an image");
            let need = engine.raw.get_image_memory_requirements(raw);
            let types = engine.instance.get_physical_device_memory_properties(engine.physical);
            let index = (0..types.memory_type_count).find(|i| need.memory_type_bits & (1 << i) != 0).expect("memory");
            let info = vk::MemoryAllocateInfo::builder().allocation_size(need.size).memory_type_index(index);
            let memory = engine.raw.allocate_memory(&info, None).expect("memory");
            engine.raw.bind_image_memory(raw, memory, 0).expect("a binding");
            let view =
                vk::ImageViewCreateInfo::builder().image(raw).view_type(vk::ImageViewType::_2D).format(format).subresource_range(range);
            let view = engine.raw.create_image_view(&view, None).expect("a view");
            engine.run(|cmd| {
                let cmd = vk::CommandBuffer::from_raw(cmd as usize);
                let to_general = vk::ImageMemoryBarrier {
                    dst_access_mask: vk::AccessFlags::TRANSFER_WRITE,
                    old_layout: vk::ImageLayout::UNDEFINED,
                    new_layout: vk::ImageLayout::GENERAL,
                    src_queue_family_index: vk::QUEUE_FAMILY_IGNORED,
                    dst_queue_family_index: vk::QUEUE_FAMILY_IGNORED,
                    image: raw,
                    subresource_range: range,
                    ..Default::default()
                };
                let (a, b): ([vk::MemoryBarrier; 0], [vk::BufferMemoryBarrier; 0]) = ([], []);
                let (top, copy) = (vk::PipelineStageFlags::TOP_OF_PIPE, vk::PipelineStageFlags::TRANSFER);
                engine.raw.cmd_pipeline_barrier(cmd, top, copy, vk::DependencyFlags::empty(), &a, &b, &[to_general]);
                let layers = vk::ImageSubresourceLayers { aspect_mask: vk::ImageAspectFlags::COLOR, layer_count: 1, ..Default::default() };
                let region = vk::BufferImageCopy { image_subresource: layers, image_extent: extent, ..Default::default() };
                engine.raw.cmd_copy_buffer_to_image(cmd, vk::Buffer::from_raw(texels.handle()), raw, vk::ImageLayout::GENERAL, &[region]);
            });
            Image { raw, memory, view }
        }
    }

    pub fn destroy(&self, engine: &Engine) {
        // SAFETY: the device is done with it.
        unsafe {
            engine.raw.destroy_image_view(self.view, None);
            engine.raw.destroy_image(self.raw, None);
            engine.raw.free_memory(self.memory, None);
        }
    }
}
