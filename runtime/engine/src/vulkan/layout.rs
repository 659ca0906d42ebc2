//! Descriptor set layouts and the pipeline layout, from the binding maps of packages.
//!
//! A binding map has set, binding, descriptor kind and count of each HLSL resource, so that register spaces are sets. The caller
//! allocates and writes the sets. Static samplers are immutable where a root signature declares all samplers of a
//! binding; the others are for the caller to write ([`Layout::samplers`]).

use super::device::Device;
use super::requirements::Requirements;
use super::{failed, vk};
use crate::error::{Error, ErrorKind, Result};
use crate::library::Library;
use crate::sampler::{Address, Border, Compare, SamplerDesc};
use crate::slot::Slot;
use rtc_dxil_container::ResourceClass;
use rtc_package::{Binding, DescriptorKind, UNBOUNDED};
use std::collections::BTreeMap;
use std::sync::Arc;
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder};

/// Default number of elements of an unbounded array.
pub const DEFAULT_UNBOUNDED: u32 = 1024;

/// Every stage whose shaders packages have.
pub fn all_stages() -> vk::ShaderStageFlags {
    vk::ShaderStageFlags::RAYGEN_KHR
        | vk::ShaderStageFlags::ANY_HIT_KHR
        | vk::ShaderStageFlags::CLOSEST_HIT_KHR
        | vk::ShaderStageFlags::MISS_KHR
        | vk::ShaderStageFlags::INTERSECTION_KHR
        | vk::ShaderStageFlags::CALLABLE_KHR
        | vk::ShaderStageFlags::COMPUTE
}

/// The descriptor type of a kind; none of push constants.
pub fn descriptor_type(kind: DescriptorKind) -> Option<vk::DescriptorType> {
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
pub const HEAP_TYPES: [vk::DescriptorType; 7] = [
    vk::DescriptorType::SAMPLED_IMAGE,
    vk::DescriptorType::STORAGE_IMAGE,
    vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
    vk::DescriptorType::STORAGE_TEXEL_BUFFER,
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::STORAGE_BUFFER,
    vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
];

/// A descriptor slot: one binding of one set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DescriptorSlot {
    /// Type of its descriptors.
    pub kind: vk::DescriptorType,
    /// How many.
    pub count: u32,
}

/// The descriptor slots of a binding map, by set and binding.
pub type Slots = BTreeMap<(u32, u32), DescriptorSlot>;

/// The type of the binding that a resource is in.
fn slot_type(b: &Binding) -> Option<vk::DescriptorType> {
    if b.heap && b.descriptor != DescriptorKind::Sampler {
        return Some(vk::DescriptorType::MUTABLE_EXT);
    }
    descriptor_type(b.descriptor)
}

/// How many descriptors a resource has when unbounded arrays have `unbounded`.
pub fn elements(b: &Binding, unbounded: u32) -> u32 {
    if b.count == UNBOUNDED { unbounded } else { b.count.max(1) }
}

/// Which bindings the sets have.
///
/// # Errors
/// Two resources share a descriptor slot but not a kind of descriptor.
pub fn slots<'a>(bindings: impl IntoIterator<Item = &'a Binding>, unbounded: u32) -> Result<Slots> {
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
                return Err(Error::new(
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

/// How to make a [`Layout`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayoutOptions {
    /// How many elements each unbounded resource array gets; 0: [`DEFAULT_UNBOUNDED`].
    pub unbounded: u32,
    /// `VkShaderStageFlags` that see the resources beyond those of ray tracing and compute.
    pub more_stages: u32,
    /// Make no sampler immutable, so that the caller writes all static ones.
    pub mutable_samplers: bool,
}

/// A static sampler that the caller writes into its sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaticSamplerWrite {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Array element.
    pub element: u32,
    /// `VkSampler`, owned by the layout.
    pub sampler: u64,
}

/// Static samplers by register and space: what each is, and its set, binding and element.
type Declared = BTreeMap<(u32, u32), (SamplerDesc, (u32, u32, u32))>;

/// Where a resource is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourcePlace {
    /// Descriptor set.
    pub set: u32,
    /// Binding; of push constants: the first byte.
    pub binding: u32,
    /// `VkDescriptorType` of descriptors to write; none of push constants.
    pub descriptor_type: Option<i32>,
    /// Descriptors; of push constants: bytes.
    pub count: u32,
    /// Set and binding of its hidden counters, one storage buffer of four bytes for each element.
    pub counter: Option<(u32, u32)>,
}

/// The layouts of packages. Drop it when nothing that was made with it is used any more.
pub struct Layout(Arc<Inner>);

struct Inner {
    device: Device,
    slots: Slots,
    push_size: u32,
    stages: vk::ShaderStageFlags,
    unbounded: u32,
    /// Descriptors are in memory, not in sets.
    in_memory: bool,
    sets: Vec<vk::DescriptorSetLayout>,
    raw: vk::PipelineLayout,
    samplers: Vec<vk::Sampler>,
    writes: Vec<StaticSamplerWrite>,
}

impl Clone for Layout {
    fn clone(&self) -> Layout {
        Layout(self.0.clone())
    }
}

impl std::fmt::Debug for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Layout({} sets)", self.0.sets.len())
    }
}

impl Layout {
    /// The layout of libraries that are used together: at once, or one after the other as additions.
    ///
    /// # Errors
    /// Two of them conflict; more sets or bytes than the device allows; a failure of the device.
    pub fn new(device: &Device, libraries: &[&Library], options: LayoutOptions) -> Result<Layout> {
        Layout::make(device, libraries, options, false)
    }

    fn make(device: &Device, libraries: &[&Library], options: LayoutOptions, in_memory: bool) -> Result<Layout> {
        let unbounded = if options.unbounded == 0 { DEFAULT_UNBOUNDED } else { options.unbounded };
        let bindings = || libraries.iter().flat_map(|l| &l.package.map.bindings);
        let push_size = bindings()
            .filter(|b| b.descriptor == DescriptorKind::PushConstants)
            .map(|b| b.binding.saturating_add(b.stride_or_size))
            .max()
            .unwrap_or(0);
        let limits = device.limits();
        if push_size > limits.max_push_constants {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("{push_size} bytes of push constants, the device has {}", limits.max_push_constants),
            ));
        }
        let slots = slots(bindings(), unbounded)?;
        let sets = slots.keys().map(|at| at.0).max().map_or(0, |s| s.saturating_add(1));
        if sets > limits.max_sets {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("register spaces up to {} need {sets} descriptor sets, the device has {}", sets - 1, limits.max_sets),
            ));
        }
        let mut inner = Inner {
            device: device.clone(),
            slots,
            push_size,
            stages: all_stages() | vk::ShaderStageFlags::from_bits_truncate(options.more_stages),
            unbounded,
            in_memory,
            sets: Vec::new(),
            raw: vk::PipelineLayout::null(),
            samplers: Vec::new(),
            writes: Vec::new(),
        };
        let immutable = inner.make_samplers(libraries, options.mutable_samplers)?;
        inner.make(sets, &immutable)?;
        Ok(Layout(Arc::new(inner)))
    }

    /// The same for descriptors in memory ([`DescriptorBuffer`](super::descriptor_buffer::DescriptorBuffer)) in place of descriptor sets. No
    /// sampler is immutable; pipelines that are made with it get the flag that they need.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: the device was made without `descriptorBuffer`. See [`Layout::new`].
    pub fn for_descriptor_buffers(device: &Device, libraries: &[&Library], options: LayoutOptions) -> Result<Layout> {
        device.check(&Requirements::default().with_descriptor_buffers(), "has no descriptor buffers")?;
        Layout::make(device, libraries, LayoutOptions { mutable_samplers: true, ..options }, true)
    }

    /// `VkPipelineLayout`.
    pub fn handle(&self) -> u64 {
        self.0.raw.as_raw()
    }

    /// `VkDescriptorSetLayout`, one for each set.
    pub fn sets(&self) -> Vec<u64> {
        self.0.sets.iter().map(|s| s.as_raw()).collect()
    }

    /// Descriptors of all sets by `VkDescriptorType`: what a pool needs for one of each set. Mutable ones need the types of
    /// [`HEAP_TYPES`].
    pub fn pool_sizes(&self) -> Vec<(i32, u32)> {
        let mut counts: BTreeMap<i32, u32> = BTreeMap::new();
        for slot in self.0.slots.values() {
            let n = counts.entry(slot.kind.as_raw()).or_default();
            *n = n.saturating_add(slot.count);
        }
        counts.into_iter().collect()
    }

    /// Bytes of push constants.
    pub fn push_size(&self) -> u32 {
        self.0.push_size
    }

    /// `VkShaderStageFlags` of the push constant range.
    pub fn push_stages(&self) -> u32 {
        self.0.stages.bits()
    }

    /// Static samplers that the caller writes.
    pub fn samplers(&self) -> &[StaticSamplerWrite] {
        &self.0.writes
    }

    /// Where a resource of a library is.
    ///
    /// # Errors
    /// The library has no such resource.
    pub fn place(&self, library: &Library, slot: &Slot) -> Result<ResourcePlace> {
        let b = &library.package.map.bindings[library.binding(slot)?];
        let push = b.descriptor == DescriptorKind::PushConstants;
        Ok(ResourcePlace {
            set: b.set,
            binding: b.binding,
            descriptor_type: descriptor_type(b.descriptor).map(vk::DescriptorType::as_raw),
            count: if push { b.stride_or_size } else { elements(b, self.0.unbounded) },
            counter: b.counter,
        })
    }

    /// The descriptor slots.
    pub fn slots(&self) -> &Slots {
        &self.0.slots
    }

    /// The device that it belongs to.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// An error unless every resource of a library is in the layout.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`] for the first that is not.
    pub fn covers(&self, library: &Library) -> Result<()> {
        for b in &library.package.map.bindings {
            let need = slots([b], self.0.unbounded)?;
            let missing = need.iter().find(|(at, slot)| self.0.slots.get(at).is_none_or(|s| s.kind != slot.kind || s.count < slot.count));
            let push = b.descriptor == DescriptorKind::PushConstants && b.binding.saturating_add(b.stride_or_size) > self.0.push_size;
            if missing.is_some() || push {
                return Err(Error::new(ErrorKind::Binding, format!("the layout has no room for the resource `{}`", b.name))
                    .note("make the layout of all libraries that the pipeline will get"));
            }
        }
        Ok(())
    }

    pub(super) fn raw(&self) -> vk::PipelineLayout {
        self.0.raw
    }

    pub(super) fn raw_sets(&self) -> &[vk::DescriptorSetLayout] {
        &self.0.sets
    }

    /// Whether descriptors are in memory, not in sets.
    pub(super) fn in_memory(&self) -> bool {
        self.0.in_memory
    }
}

impl Inner {
    /// Makes the static samplers; returns those that are immutable, by set and binding.
    fn make_samplers(&mut self, libraries: &[&Library], mutable: bool) -> Result<BTreeMap<(u32, u32), Vec<vk::Sampler>>> {
        let mut immutable = BTreeMap::new();
        let mut made: Vec<(SamplerDesc, vk::Sampler)> = Vec::new();
        let mut declared: Declared = BTreeMap::new();
        for library in libraries {
            for b in library.package.map.bindings.iter().filter(|b| b.class == ResourceClass::Sampler && !b.heap) {
                let count = elements(b, self.unbounded);
                for (register, space, desc) in &library.static_samplers {
                    let inside = register.checked_sub(b.register).filter(|i| *space == b.space && *i < count);
                    let Some(element) = inside else { continue };
                    let entry = declared.entry((*register, *space)).or_insert((*desc, (b.set, b.binding, element)));
                    if entry.0 != *desc {
                        return Err(Error::new(
                            ErrorKind::StateObject,
                            format!("static sampler s{register} of space {space} is declared in two ways by the libraries of a layout"),
                        ));
                    }
                }
            }
        }
        for (desc, (set, binding, element)) in declared.values() {
            let raw = match made.iter().find(|m| m.0 == *desc) {
                Some(m) => m.1,
                None => {
                    let raw = sampler(&self.device, desc)?;
                    self.samplers.push(raw);
                    made.push((*desc, raw));
                    raw
                }
            };
            self.writes.push(StaticSamplerWrite { set: *set, binding: *binding, element: *element, sampler: raw.as_raw() });
        }
        for (at, slot) in &self.slots {
            let of = |w: &&StaticSamplerWrite| (w.set, w.binding) == *at;
            let mut all: Vec<StaticSamplerWrite> = self.writes.iter().filter(of).copied().collect();
            if !mutable && slot.kind == vk::DescriptorType::SAMPLER && all.len() == slot.count as usize {
                all.sort_by_key(|w| w.element);
                immutable.insert(*at, all.iter().map(|w| vk::Sampler::from_raw(w.sampler)).collect());
            }
        }
        self.writes.retain(|w| !immutable.contains_key(&(w.set, w.binding)));
        Ok(immutable)
    }

    fn make(&mut self, sets: u32, immutable: &BTreeMap<(u32, u32), Vec<vk::Sampler>>) -> Result<()> {
        let raw = self.device.raw();
        for set in 0..sets {
            let bindings: Vec<_> = self
                .slots
                .range((set, 0)..=(set, u32::MAX))
                .map(|(at, slot)| {
                    let binding = vk::DescriptorSetLayoutBinding::builder()
                        .binding(at.1)
                        .descriptor_type(slot.kind)
                        .descriptor_count(slot.count)
                        .stage_flags(self.stages);
                    match immutable.get(at) {
                        Some(samplers) => binding.immutable_samplers(samplers),
                        None => binding,
                    }
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
            if self.in_memory {
                info = info.flags(vk::DescriptorSetLayoutCreateFlags::DESCRIPTOR_BUFFER_EXT);
            }
            if heap {
                info = info.push_next(&mut mutable);
            }
            // SAFETY: everything that `info` points to lives until the call returns.
            let made = unsafe { raw.create_descriptor_set_layout(&info, self.device.callbacks()) };
            self.sets.push(made.map_err(failed("make a descriptor set layout"))?);
        }
        let ranges = [vk::PushConstantRange { stage_flags: self.stages, offset: 0, size: self.push_size.next_multiple_of(4) }];
        let ranges: &[_] = if self.push_size > 0 { &ranges } else { &[] };
        let info = vk::PipelineLayoutCreateInfo::builder().set_layouts(&self.sets).push_constant_ranges(ranges);
        // SAFETY: as above.
        self.raw = unsafe { raw.create_pipeline_layout(&info, self.device.callbacks()) }.map_err(failed("make the pipeline layout"))?;
        Ok(())
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let (raw, callbacks) = (self.device.raw(), self.device.callbacks());
        // SAFETY: by the caller's promise nothing that was made with them is used any more.
        unsafe {
            raw.destroy_pipeline_layout(self.raw, callbacks);
            for set in &self.sets {
                raw.destroy_descriptor_set_layout(*set, callbacks);
            }
            for sampler in &self.samplers {
                raw.destroy_sampler(*sampler, callbacks);
            }
        }
    }
}

/// `VkSamplerCreateInfo` of a description. Anisotropy is capped at `max_anisotropy`; 0: the device has none.
fn sampler_info(desc: &SamplerDesc, max_anisotropy: f32) -> vk::SamplerCreateInfo {
    let filter = |linear| if linear { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
    let address = |a| match a {
        Address::Wrap => vk::SamplerAddressMode::REPEAT,
        Address::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
        Address::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        Address::Border => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        Address::MirrorOnce => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
    };
    let compare = match desc.compare {
        None | Some(Compare::Never) => vk::CompareOp::NEVER,
        Some(Compare::Less) => vk::CompareOp::LESS,
        Some(Compare::Equal) => vk::CompareOp::EQUAL,
        Some(Compare::LessEqual) => vk::CompareOp::LESS_OR_EQUAL,
        Some(Compare::Greater) => vk::CompareOp::GREATER,
        Some(Compare::NotEqual) => vk::CompareOp::NOT_EQUAL,
        Some(Compare::GreaterEqual) => vk::CompareOp::GREATER_OR_EQUAL,
        Some(Compare::Always) => vk::CompareOp::ALWAYS,
    };
    let anisotropy = (desc.max_anisotropy as f32).min(max_anisotropy);
    vk::SamplerCreateInfo {
        mag_filter: filter(desc.mag_linear),
        min_filter: filter(desc.min_linear),
        mipmap_mode: if desc.mip_linear { vk::SamplerMipmapMode::LINEAR } else { vk::SamplerMipmapMode::NEAREST },
        address_mode_u: address(desc.address[0]),
        address_mode_v: address(desc.address[1]),
        address_mode_w: address(desc.address[2]),
        mip_lod_bias: desc.mip_bias,
        anisotropy_enable: vk::Bool32::from(anisotropy > 1.0),
        max_anisotropy: anisotropy.max(1.0),
        compare_enable: vk::Bool32::from(desc.compare.is_some()),
        compare_op: compare,
        min_lod: desc.min_lod,
        max_lod: desc.max_lod,
        border_color: match desc.border {
            Border::TransparentBlack => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            Border::OpaqueBlack => vk::BorderColor::FLOAT_OPAQUE_BLACK,
            Border::OpaqueWhite => vk::BorderColor::FLOAT_OPAQUE_WHITE,
        },
        ..Default::default()
    }
}

/// Makes a sampler, which the caller destroys.
///
/// # Errors
/// The device cannot mirror a texture once; a failure of the device.
pub fn sampler(device: &Device, desc: &SamplerDesc) -> Result<vk::Sampler> {
    if desc.address.contains(&Address::MirrorOnce) && !device.enabled().has("samplerMirrorClampToEdge") {
        return Err(Error::new(ErrorKind::Limit, "this device cannot mirror a texture once (samplerMirrorClampToEdge)"));
    }
    let limits = &device.properties().limits;
    let most = if device.enabled().has("samplerAnisotropy") { limits.max_sampler_anisotropy } else { 0.0 };
    // SAFETY: plain values.
    unsafe { device.raw().create_sampler(&sampler_info(desc, most), device.callbacks()) }.map_err(failed("make a sampler"))
}
