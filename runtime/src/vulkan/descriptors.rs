//! Descriptor sets from the binding map of a package.
//!
//! The map has the set, binding, descriptor kind and count of each HLSL resource; the set layouts follow from it. Hidden counters get buffers of their own here, static samplers are made and
//! bound here, and a push constant block is kept as bytes that the dispatch pushes.

use super::context::Context;
use super::failure::failed;
use super::storage::{GpuBuffer, sampler};
use super::vk;
use crate::error::{ErrorKind, Result, RunError};
use crate::library::Library;
use rtc_dxil_container::ResourceClass;
use rtc_package::{Binding, DescriptorKind, UNBOUNDED};
use std::collections::BTreeMap;
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder};

/// Default number of elements of an unbounded array.
const DEFAULT_UNBOUNDED: u32 = 1024;

/// Every supported stage.
pub(super) fn all_stages() -> vk::ShaderStageFlags {
    vk::ShaderStageFlags::RAYGEN_KHR
        | vk::ShaderStageFlags::ANY_HIT_KHR
        | vk::ShaderStageFlags::CLOSEST_HIT_KHR
        | vk::ShaderStageFlags::MISS_KHR
        | vk::ShaderStageFlags::INTERSECTION_KHR
        | vk::ShaderStageFlags::CALLABLE_KHR
        | vk::ShaderStageFlags::COMPUTE
        | vk::ShaderStageFlags::ALL_GRAPHICS
        | vk::ShaderStageFlags::TASK_EXT
        | vk::ShaderStageFlags::MESH_EXT
}

/// A descriptor slot: one binding of one set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DescriptorSlot {
    kind: vk::DescriptorType,
    count: u32,
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

/// The sets of a program. Must be freed with [`Descriptors::destroy`].
pub(super) struct Descriptors {
    /// The pipeline layout.
    pub layout: vk::PipelineLayout,
    /// The sets, in order.
    pub sets: Vec<vk::DescriptorSet>,
    /// The buffer with the contents of the push constant block, and the block's size.
    pub push: Option<(crate::device::Buffer, u32)>,
    /// Bytes of the push constant block; 0: there is none.
    pub push_size: u32,
    set_layouts: Vec<vk::DescriptorSetLayout>,
    pool: vk::DescriptorPool,
    slots: BTreeMap<(u32, u32), DescriptorSlot>,
    /// For each resource of the binding map the elements that are bound, and the view each owns.
    bound: Vec<BTreeMap<u32, vk::BufferView>>,
    counters: Vec<GpuBuffer>,
    samplers: Vec<vk::Sampler>,
}

fn descriptor_type(kind: DescriptorKind) -> Option<vk::DescriptorType> {
    Some(match kind {
        DescriptorKind::SampledImage => vk::DescriptorType::SAMPLED_IMAGE,
        DescriptorKind::StorageImage => vk::DescriptorType::STORAGE_IMAGE,
        DescriptorKind::UniformTexelBuffer => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        DescriptorKind::StorageTexelBuffer => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        DescriptorKind::UniformBuffer => vk::DescriptorType::UNIFORM_BUFFER,
        DescriptorKind::StorageBuffer => vk::DescriptorType::STORAGE_BUFFER,
        DescriptorKind::Sampler => vk::DescriptorType::SAMPLER,
        DescriptorKind::AccelerationStructure => vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
        DescriptorKind::PushConstants => return None,
    })
}

/// The descriptors that a heap of resources may hold.
const HEAP_TYPES: [vk::DescriptorType; 7] = [
    vk::DescriptorType::SAMPLED_IMAGE,
    vk::DescriptorType::STORAGE_IMAGE,
    vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
    vk::DescriptorType::STORAGE_TEXEL_BUFFER,
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::STORAGE_BUFFER,
    vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
];

/// The type of the binding that a resource is in.
fn slot_type(b: &Binding) -> Option<vk::DescriptorType> {
    if b.heap && b.descriptor != DescriptorKind::Sampler {
        return Some(vk::DescriptorType::MUTABLE_EXT);
    }
    descriptor_type(b.descriptor)
}

fn elements(b: &Binding, unbounded: u32) -> u32 {
    if b.count == UNBOUNDED { unbounded } else { b.count.max(1) }
}

/// Which bindings the sets have.
///
/// # Errors
/// Two resources share a descriptor slot but not a kind of descriptor.
fn slots(bindings: &[Binding], unbounded: u32) -> Result<BTreeMap<(u32, u32), DescriptorSlot>> {
    let mut slots: BTreeMap<(u32, u32), (DescriptorSlot, &str)> = BTreeMap::new();
    for b in bindings {
        let Some(kind) = slot_type(b) else {
            continue;
        };
        let count = elements(b, unbounded);
        let own = ((b.set, b.binding), DescriptorSlot { kind, count });
        let counter = b.counter.map(|c| (c, DescriptorSlot { kind: vk::DescriptorType::STORAGE_BUFFER, count }));
        for (at, slot) in std::iter::once(own).chain(counter) {
            let (there, name) = slots.entry(at).or_insert((slot, &b.name));
            if there.kind != slot.kind {
                return Err(RunError::new(
                    ErrorKind::Package,
                    format!(
                        "`{name}` and `{}` are both bound to set {}, binding {}, but as different kinds of descriptor",
                        b.name, at.0, at.1
                    ),
                )
                .note("move one class of registers away with -fvk-b-shift, -fvk-t-shift, -fvk-s-shift or -fvk-u-shift"));
            }
            there.count = there.count.max(slot.count);
        }
    }
    Ok(slots.into_iter().map(|(at, (slot, _))| (at, slot)).collect())
}

impl Descriptors {
    /// Layouts, sets, counters and static samplers for a library.
    ///
    /// # Errors
    /// More sets or bytes than the device allows; a failure of the device.
    pub fn new(context: &mut Context, library: &Library, unbounded: u32) -> Result<Descriptors> {
        let bindings = &library.package.map.bindings;
        let unbounded = if unbounded == 0 { DEFAULT_UNBOUNDED } else { unbounded };
        let push_size = bindings
            .iter()
            .filter(|b| b.descriptor == DescriptorKind::PushConstants)
            .map(|b| b.binding.saturating_add(b.stride_or_size))
            .max()
            .unwrap_or(0);
        let limits = context.candidate.properties.limits;
        if push_size > limits.max_push_constants_size {
            return Err(RunError::new(
                ErrorKind::Limit,
                format!("{push_size} bytes of push constants, the device has {}", limits.max_push_constants_size),
            ));
        }
        let slots = slots(bindings, unbounded)?;
        let last = slots.keys().map(|at| at.0).max();
        let sets = last.map_or(0, |s| s.saturating_add(1));
        if sets > limits.max_bound_descriptor_sets {
            return Err(RunError::new(
                ErrorKind::Limit,
                format!(
                    "register spaces up to {} need {sets} descriptor sets, the device has {}",
                    sets - 1,
                    limits.max_bound_descriptor_sets
                ),
            ));
        }
        let mut d = Descriptors {
            layout: vk::PipelineLayout::null(),
            sets: Vec::new(),
            push: None,
            push_size,
            set_layouts: Vec::new(),
            pool: vk::DescriptorPool::null(),
            slots,
            bound: vec![BTreeMap::new(); bindings.len()],
            counters: Vec::new(),
            samplers: Vec::new(),
        };
        let made = d.make(context, sets).and_then(|()| d.fill(context, library));
        match made {
            Ok(()) => Ok(d),
            Err(e) => {
                d.destroy(context);
                Err(e)
            }
        }
    }

    fn make(&mut self, context: &mut Context, sets: u32) -> Result<()> {
        for set in 0..sets {
            let own = self.slots.range((set, 0)..=(set, u32::MAX));
            let bindings: Vec<_> = own
                .map(|(at, slot)| {
                    vk::DescriptorSetLayoutBinding::builder()
                        .binding(at.1)
                        .descriptor_type(slot.kind)
                        .descriptor_count(slot.count)
                        .stage_flags(all_stages())
                })
                .collect();
            let flags = vec![vk::DescriptorBindingFlags::PARTIALLY_BOUND; bindings.len()];
            let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::builder().binding_flags(&flags);
            let lists: Vec<_> = bindings
                .iter()
                .map(|b| {
                    let mutable = b.descriptor_type == vk::DescriptorType::MUTABLE_EXT;
                    let types: &[vk::DescriptorType] = if mutable { &HEAP_TYPES } else { &[] };
                    vk::MutableDescriptorTypeListEXT::builder().descriptor_types(types)
                })
                .collect();
            let heap = bindings.iter().any(|b| b.descriptor_type == vk::DescriptorType::MUTABLE_EXT);
            let mut mutable = vk::MutableDescriptorTypeCreateInfoEXT::builder().mutable_descriptor_type_lists(&lists);
            let mut info = vk::DescriptorSetLayoutCreateInfo::builder().bindings(&bindings).push_next(&mut flags);
            if heap {
                info = info.push_next(&mut mutable);
            }
            // SAFETY: everything that `info` points to lives until the call returns.
            let made = unsafe { context.raw.create_descriptor_set_layout(&info, None) };
            self.set_layouts.push(made.map_err(failed("make a descriptor set layout"))?);
        }
        let ranges = [vk::PushConstantRange { stage_flags: all_stages(), offset: 0, size: self.push_size.next_multiple_of(4) }];
        let info = vk::PipelineLayoutCreateInfo::builder().set_layouts(&self.set_layouts).push_constant_ranges(if self.push_size > 0 {
            &ranges
        } else {
            &[]
        });
        // SAFETY: as above.
        self.layout = unsafe { context.raw.create_pipeline_layout(&info, None) }.map_err(failed("make the pipeline layout"))?;
        if self.set_layouts.is_empty() {
            return Ok(());
        }
        let mut counts: BTreeMap<i32, u32> = BTreeMap::new();
        for slot in self.slots.values() {
            let n = counts.entry(slot.kind.as_raw()).or_default();
            *n = n.saturating_add(slot.count);
        }
        let sizes: Vec<_> = counts
            .into_iter()
            .map(|(kind, n)| vk::DescriptorPoolSize { type_: vk::DescriptorType::from_raw(kind), descriptor_count: n })
            .collect();
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
        let mut info = vk::DescriptorPoolCreateInfo::builder().max_sets(sets).pool_sizes(&sizes);
        if heap {
            info = info.push_next(&mut mutable);
        }
        // SAFETY: as above; the pool has room for just these sets.
        unsafe {
            self.pool = context.raw.create_descriptor_pool(&info, None).map_err(failed("make a descriptor pool"))?;
            let info = vk::DescriptorSetAllocateInfo::builder().descriptor_pool(self.pool).set_layouts(&self.set_layouts);
            self.sets = context.raw.allocate_descriptor_sets(&info).map_err(failed("make descriptor sets"))?;
        }
        Ok(())
    }

    /// Binds hidden counters and static samplers.
    fn fill(&mut self, context: &mut Context, library: &Library) -> Result<()> {
        for (i, b) in library.package.map.bindings.iter().enumerate() {
            if let Some(at) = b.counter {
                let count = self.slots.get(&at).map_or(0, |p| p.count);
                for element in 0..count {
                    let buffer = GpuBuffer::filled(context, 4, &[])?;
                    let bound = Bound::Buffer { buffer: buffer.raw, size: 4 };
                    self.counters.push(buffer);
                    self.write(context, at, element, vk::DescriptorType::STORAGE_BUFFER, bound);
                }
            }
            if b.class == ResourceClass::Sampler {
                let last = b.register.saturating_add(elements(b, DEFAULT_UNBOUNDED) - 1);
                for (register, space, desc) in &library.static_samplers {
                    if *space == b.space && (b.register..=last).contains(register) {
                        let raw = sampler(context, desc)?;
                        self.samplers.push(raw);
                        self.set(context, i, b, register - b.register, Bound::Sampler(raw))?;
                    }
                }
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
                for sampler in &self.samplers {
                    context.raw.destroy_sampler(*sampler, None);
                }
                context.raw.destroy_descriptor_pool(self.pool, None);
                context.raw.destroy_pipeline_layout(self.layout, None);
                for layout in &self.set_layouts {
                    context.raw.destroy_descriptor_set_layout(*layout, None);
                }
            }
        }
        for mut counter in self.counters.drain(..) {
            counter.destroy(context);
        }
    }
}
