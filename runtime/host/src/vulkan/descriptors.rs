//! Descriptor sets from the binding map of a package.
//!
//! The map has the set, binding, descriptor kind and count of each HLSL resource; [`rtc_engine::vulkan::Layout`] follows from it. Hidden counters get buffers of their own here, static samplers are
//! bound here, and a push constant block is kept as bytes that the dispatch pushes.

use super::context::Context;
use super::storage::GpuBuffer;
use super::vk;
use crate::error::{ErrorKind, Result, RunError};
use crate::library::Library;
use rtc_dxil_container::ResourceClass;
use rtc_engine::vulkan::failed;
use rtc_engine::vulkan::layout::{self, HEAP_TYPES, Layout, LayoutOptions, Slots, descriptor_type};
use rtc_package::{Binding, UNBOUNDED};
use std::collections::BTreeMap;
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder};

/// The feature of devices whose descriptors can be null.
pub(super) const NULL_DESCRIPTORS: &str = "nullDescriptor";

/// Every supported stage.
pub(super) fn all_stages() -> vk::ShaderStageFlags {
    layout::all_stages() | drawing_stages()
}

/// The stages of the graphics pipeline.
fn drawing_stages() -> vk::ShaderStageFlags {
    vk::ShaderStageFlags::ALL_GRAPHICS | vk::ShaderStageFlags::TASK_EXT | vk::ShaderStageFlags::MESH_EXT
}

/// What is bound to an element of a binding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// A range of a buffer.
    Buffer {
        /// The buffer.
        buffer: vk::Buffer,
        /// Bytes from its beginning.
        size: u64,
    },
    /// A formatted view of a buffer, which the sets own from now on.
    View(vk::BufferView),
    /// A view of an image in layout `GENERAL`.
    Image(vk::ImageView),
    /// A sampler.
    Sampler(vk::Sampler),
    /// A top-level structure.
    Accel(vk::AccelerationStructureKHR),
}

/// Nothing, in a descriptor of this type; there are no null samplers.
fn null(kind: vk::DescriptorType) -> Option<Bound> {
    Some(match kind {
        vk::DescriptorType::UNIFORM_BUFFER | vk::DescriptorType::STORAGE_BUFFER => {
            Bound::Buffer { buffer: vk::Buffer::null(), size: vk::WHOLE_SIZE }
        }
        vk::DescriptorType::UNIFORM_TEXEL_BUFFER | vk::DescriptorType::STORAGE_TEXEL_BUFFER => Bound::View(vk::BufferView::null()),
        vk::DescriptorType::SAMPLED_IMAGE | vk::DescriptorType::STORAGE_IMAGE => Bound::Image(vk::ImageView::null()),
        vk::DescriptorType::ACCELERATION_STRUCTURE_KHR => Bound::Accel(vk::AccelerationStructureKHR::null()),
        _ => return None,
    })
}

/// The sets of a program. Must be freed with [`Descriptors::destroy`].
pub(super) struct Descriptors {
    /// The layouts.
    pub layouts: Option<Layout>,
    /// The sets, in order.
    pub sets: Vec<vk::DescriptorSet>,
    /// The buffer with the contents of the push constant block, and the block's size.
    pub push: Option<(crate::device::Buffer, u32)>,
    /// Bytes of the push constant block; 0: there is none.
    pub push_size: u32,
    pool: vk::DescriptorPool,
    slots: Slots,
    /// For each resource of the binding map the elements that are bound, and the view each owns.
    bound: Vec<BTreeMap<u32, vk::BufferView>>,
    counters: Vec<GpuBuffer>,
}

impl Descriptors {
    /// Layouts, sets, counters and static samplers for a library.
    ///
    /// # Errors
    /// More sets or bytes than the device allows; a failure of the device.
    pub fn new(context: &mut Context, library: &Library, unbounded: u32) -> Result<Descriptors> {
        let bindings = &library.package.map.bindings;
        // Samplers are written into the sets, so that those of a partly static array can be set.
        let options = LayoutOptions { unbounded, more_stages: drawing_stages().bits(), mutable_samplers: true };
        let layouts = Layout::new(&context.device, &[library], options)?;
        let mut d = Descriptors {
            sets: Vec::new(),
            push: None,
            push_size: layouts.push_size(),
            pool: vk::DescriptorPool::null(),
            slots: layouts.slots().clone(),
            layouts: Some(layouts),
            bound: vec![BTreeMap::new(); bindings.len()],
            counters: Vec::new(),
        };
        let made = d.make(context).and_then(|()| d.fill(context, library));
        match made {
            Ok(()) => Ok(d),
            Err(e) => {
                d.destroy(context);
                Err(e)
            }
        }
    }

    /// The pipeline layout.
    pub fn layout(&self) -> vk::PipelineLayout {
        self.layouts.as_ref().map_or(vk::PipelineLayout::null(), |l| vk::PipelineLayout::from_raw(l.handle()))
    }

    fn make(&mut self, context: &mut Context) -> Result<()> {
        let layouts = self.layouts.iter().flat_map(|l| l.sets());
        let set_layouts: Vec<_> = layouts.map(vk::DescriptorSetLayout::from_raw).collect();
        if set_layouts.is_empty() {
            return Ok(());
        }
        let pool_sizes = self.layouts.iter().flat_map(|l| l.pool_sizes());
        let sizes: Vec<_> =
            pool_sizes.map(|(kind, n)| vk::DescriptorPoolSize { type_: vk::DescriptorType::from_raw(kind), descriptor_count: n }).collect();
        let lists: Vec<_> = sizes
            .iter()
            .map(|s| {
                let mutable = s.type_ == vk::DescriptorType::MUTABLE_EXT;
                let types: &[vk::DescriptorType] = if mutable { &HEAP_TYPES } else { &[] };
                vk::MutableDescriptorTypeListEXT::builder().descriptor_types(types)
            })
            .collect();
        let heap = sizes.iter().any(|s| s.type_ == vk::DescriptorType::MUTABLE_EXT);
        let mut mutable = vk::MutableDescriptorTypeCreateInfoEXT::builder().mutable_descriptor_type_lists(&lists);
        let mut info = vk::DescriptorPoolCreateInfo::builder().max_sets(set_layouts.len() as u32).pool_sizes(&sizes);
        if heap {
            info = info.push_next(&mut mutable);
        }
        // SAFETY: as above; the pool has room for just these sets.
        unsafe {
            self.pool = context.raw.create_descriptor_pool(&info, None).map_err(failed("make a descriptor pool"))?;
            let info = vk::DescriptorSetAllocateInfo::builder().descriptor_pool(self.pool).set_layouts(&set_layouts);
            self.sets = context.raw.allocate_descriptor_sets(&info).map_err(failed("make descriptor sets"))?;
        }
        Ok(())
    }

    /// Makes the elements of arrays null, where the device has null descriptors: what is not bound reads as zero. (The CPU device reports such accesses.)
    fn clear(&self, context: &Context, library: &Library) {
        if !context.has(NULL_DESCRIPTORS) {
            return;
        }
        for b in library.package.map.bindings.iter().filter(|b| b.count != 1 && !b.heap) {
            let at = (b.set, b.binding);
            let Some((kind, null)) = descriptor_type(b.descriptor).and_then(|kind| Some((kind, null(kind)?))) else { continue };
            for element in 0..self.slots.get(&at).map_or(0, |p| p.count) {
                self.write(context, at, element, kind, null);
            }
        }
    }

    /// Binds hidden counters and static samplers.
    fn fill(&mut self, context: &mut Context, library: &Library) -> Result<()> {
        self.clear(context, library);
        for b in &library.package.map.bindings {
            if let Some(at) = b.counter {
                let count = self.slots.get(&at).map_or(0, |p| p.count);
                for element in 0..count {
                    let buffer = GpuBuffer::filled(context, 4, &[])?;
                    let bound = Bound::Buffer { buffer: buffer.raw, size: 4 };
                    self.counters.push(buffer);
                    self.write(context, at, element, vk::DescriptorType::STORAGE_BUFFER, bound);
                }
            }
        }
        let layouts = self.layouts.clone();
        for w in layouts.iter().flat_map(|l| l.samplers()) {
            let owns = |b: &Binding| (b.set, b.binding) == (w.set, w.binding) && b.class == ResourceClass::Sampler;
            let all = &library.package.map.bindings;
            for (i, b) in all.iter().enumerate().filter(|(_, b)| owns(b)) {
                self.set(context, i, b, w.element, Bound::Sampler(vk::Sampler::from_raw(w.sampler)))?;
            }
        }
        Ok(())
    }

    /// Binds something to an element of resource `i` of the binding map, which is `b`.
    ///
    /// # Errors
    /// The resource has no such element. The sets own a view in `bound` in any case.
    pub fn set(&mut self, context: &mut Context, i: usize, b: &Binding, element: u32, bound: Bound) -> Result<()> {
        let at = (b.set, b.binding);
        let count = self.slots.get(&at).map_or(0, |p| p.count);
        let own = if b.count == UNBOUNDED { count } else { b.count.max(1) };
        if element >= own {
            if let (Bound::View(view), true) = (bound, context.alive()) {
                // SAFETY: it was never used.
                unsafe { context.raw.destroy_buffer_view(view, None) };
            }
            return Err(RunError::new(ErrorKind::Binding, format!("`{}` has {own} element(s), {element} is not one of them", b.name)));
        }
        if let Some(kind) = descriptor_type(b.descriptor) {
            self.write(context, at, element, kind, bound);
        }
        let view = match bound {
            Bound::View(view) => view,
            _ => vk::BufferView::null(),
        };
        if let Some(old) = self.bound[i].insert(element, view)
            && context.alive()
        {
            // SAFETY: no descriptor refers to it any more, and nothing is in flight.
            unsafe { context.raw.destroy_buffer_view(old, None) };
        }
        Ok(())
    }

    /// Whether anything is bound to resource `i` of the binding map.
    pub fn is_bound(&self, i: usize) -> bool {
        !self.bound[i].is_empty()
    }

    /// The first element of resource `i`, which is `b`, that nothing is bound to: in an array of known size.
    pub fn missing(&self, i: usize, b: &Binding) -> Option<u32> {
        let own = if b.count == UNBOUNDED { 0 } else { b.count.max(1) };
        (0..own).find(|element| !self.bound[i].contains_key(element))
    }

    /// Records that the push constant block `i` of the binding map is given.
    pub fn set_push(&mut self, i: usize, buffer: crate::device::Buffer) {
        self.push = Some((buffer, self.push_size));
        self.bound[i].insert(0, vk::BufferView::null());
    }

    fn write(&self, context: &Context, at: (u32, u32), element: u32, kind: vk::DescriptorType, bound: Bound) {
        let Some(&set) = self.sets.get(at.0 as usize) else {
            return;
        };
        let mut write = vk::WriteDescriptorSet {
            dst_set: set,
            dst_binding: at.1,
            dst_array_element: element,
            descriptor_count: 1,
            descriptor_type: kind,
            ..Default::default()
        };
        let mut buffer = vk::DescriptorBufferInfo::default();
        let mut image = vk::DescriptorImageInfo::default();
        let mut view = vk::BufferView::null();
        let mut accel = vk::AccelerationStructureKHR::null();
        let mut accels = vk::WriteDescriptorSetAccelerationStructureKHR {
            acceleration_structure_count: 1,
            acceleration_structures: &accel,
            ..Default::default()
        };
        match bound {
            Bound::Buffer { buffer: raw, size } => {
                buffer = vk::DescriptorBufferInfo { buffer: raw, offset: 0, range: size };
                write.buffer_info = &buffer;
            }
            Bound::View(raw) => {
                view = raw;
                write.texel_buffer_view = &view;
            }
            Bound::Image(view) => {
                image.image_view = view;
                image.image_layout = vk::ImageLayout::GENERAL;
                write.image_info = &image;
            }
            Bound::Sampler(raw) => {
                image.sampler = raw;
                write.image_info = &image;
            }
            Bound::Accel(raw) => {
                accel = raw;
                accels.acceleration_structures = &accel;
                write.next = std::ptr::from_mut(&mut accels).cast();
            }
        }
        let none: [vk::CopyDescriptorSet; 0] = [];
        // SAFETY: the set is idle, its binding has this element and this type, and the structures that `write`
        // points to live in this function.
        unsafe { context.raw.update_descriptor_sets(&[write], &none) };
        let _ = (&buffer, &image, &view, &accel, &accels);
    }

    /// Frees everything. Nothing on the device may use it any more.
    pub fn destroy(&mut self, context: &mut Context) {
        if context.alive() {
            // SAFETY: by the caller's promise.
            unsafe {
                for view in self.bound.iter().flat_map(|b| b.values()) {
                    context.raw.destroy_buffer_view(*view, None);
                }
                context.raw.destroy_descriptor_pool(self.pool, None);
            }
        }
        match self.layouts.take() {
            // Nothing of a device that did not answer is touched.
            Some(layouts) if !context.alive() => std::mem::forget(layouts),
            layouts => drop(layouts),
        }
        for mut counter in self.counters.drain(..) {
            counter.destroy(context);
        }
    }
}
