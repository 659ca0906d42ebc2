//! Resource bindings of a program: descriptors of registers, descriptor heaps, and local root arguments of shader records.
//!
//! Each declared resource is a [`Range`] of descriptors, and after the last range comes a null descriptor for all elements out of
//! range. A register may belong to several ranges (separately compiled libraries declare their own); binding it binds it in all
//! of them. Local root arguments are descriptors too ([`Record`]): while a shader runs with a record, registers that the record
//! assigns are looked up there first.
//!
//! An unbound descriptor is a null descriptor in Direct3D's terms: reads return zero, writes are dropped. A lookup returns
//! [`Missing`], which names it for messages.

mod record;

use super::feedback::FeedbackMap;
use super::handle::{Handle, Table, ViewDesc};
use super::image::Image;
use super::memory::Memory;
use crate::device::{Accel, FeedbackKind, Format, SamplerDesc, Slot as Name};
use crate::error::{ErrorKind, Result, RunError, list};
use rtc_dxil_container::metadata::Resource;
use rtc_dxil_container::{ResourceClass, ResourceKind};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

pub use record::{Record, SharedHandles};

/// Default number of elements of an unbounded array.
const DEFAULT_UNBOUNDED: u32 = 1024;
/// Maximum number of descriptors of a range or heap: the size of Direct3D's largest heap.
const MAX_DESCRIPTORS: u32 = 1_000_000;
/// The names of the heaps.
const HEAPS: [(&str, Table); 2] = [("ResourceDescriptorHeap", Table::Resources), ("SamplerDescriptorHeap", Table::Samplers)];

/// A descriptor.
#[derive(Clone, Debug, Default)]
pub enum Descriptor {
    /// Null.
    #[default]
    Null,
    /// A buffer from a byte offset on, raw or structured by the shader's view.
    Buffer(Arc<Memory>, u64),
    /// A typed buffer.
    Texels(Arc<Memory>, Format),
    /// An image.
    Image(Arc<Image>),
    /// A sampler.
    Sampler(Arc<SamplerDesc>),
    /// A top-level acceleration structure of the device.
    Accel(Accel),
    /// A feedback map.
    Feedback(Arc<FeedbackMap>),
}

impl Descriptor {
    /// Its type in words.
    pub fn what(&self) -> &'static str {
        match self {
            Descriptor::Null => "nothing",
            Descriptor::Buffer(..) => "a buffer",
            Descriptor::Texels(..) => "a buffer of texels",
            Descriptor::Image(_) => "an image",
            Descriptor::Sampler(_) => "a sampler",
            Descriptor::Accel(_) => "an acceleration structure",
            Descriptor::Feedback(_) => "a feedback map",
        }
    }
}

/// A descriptor with its cached addresses for compiled code, which reads the first fields ([`layout`]).
#[derive(Debug, Default)]
#[repr(C)]
pub struct Slot {
    /// Address of the buffer bytes that compiled code may access directly.
    data: usize,
    /// Their number; 0 if it may not.
    size: u64,
    /// Address of the texels of a 2D image that compiled code may store to directly.
    texels: usize,
    /// Its width and height; 0 if it may not.
    extent: [u32; 2],
    /// Index of its format in [`layout::WRITTEN`].
    format: u32,
    descriptor: Descriptor,
    /// The hidden counter of a structured buffer. It survives rebinding.
    pub counter: AtomicU32,
}

/// Byte offsets of the fields of a [`Slot`] for compiled code.
pub mod layout {
    use super::{Format, Slot, Slots};
    use std::mem::offset_of;

    /// Size of a slot.
    pub const SIZE: usize = size_of::<Slot>();
    /// [`Slot::data`].
    pub const DATA: usize = offset_of!(Slot, data);
    /// [`Slot::size`].
    pub const BYTES: usize = offset_of!(Slot, size);
    /// [`Slot::texels`].
    pub const TEXELS: usize = offset_of!(Slot, texels);
    /// [`Slot::extent`].
    pub const EXTENT: usize = offset_of!(Slot, extent);
    /// [`Slot::format`].
    pub const FORMAT: usize = offset_of!(Slot, format);
    /// Size of a [`Slots`].
    pub const TABLE: usize = size_of::<Slots>();
    /// [`Slots::first`].
    pub const FIRST: usize = offset_of!(Slots, first);
    /// [`Slots::count`].
    pub const COUNT: usize = offset_of!(Slots, count);
    /// Formats of four channels that compiled code stores.
    pub const WRITTEN: [Format; 2] = [Format::Rgba8Unorm, Format::Rgba32Float];
}

impl Slot {
    /// A slot with a descriptor.
    pub fn new(descriptor: Descriptor) -> Slot {
        let mut slot = Slot::default();
        slot.set(descriptor);
        slot
    }

    /// The descriptor.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// Rebinds it. The memory lives as long as the descriptor, which shares ownership of it.
    fn set(&mut self, descriptor: Descriptor) {
        (self.data, self.size) = match &descriptor {
            Descriptor::Buffer(memory, at) if at.is_multiple_of(4) && *at < memory.size() => {
                (memory.words().as_ptr() as usize + *at as usize, memory.size() - at)
            }
            _ => (0, 0),
        };
        (self.texels, self.extent, self.format) = match &descriptor {
            Descriptor::Image(image) => image.flat().and_then(|(first, extent)| {
                let format = layout::WRITTEN.iter().position(|&f| f == image.desc().format)?;
                Some((first, extent, format as u32))
            }),
            _ => None,
        }
        .unwrap_or_default();
        self.descriptor = descriptor;
    }
}

/// A descriptor array for compiled code: base and length. It has at least one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Slots {
    first: usize,
    count: u64,
}

/// The only element of an empty table.
static NOTHING: Slot =
    Slot { data: 0, size: 0, texels: 0, extent: [0; 2], format: 0, descriptor: Descriptor::Null, counter: AtomicU32::new(0) };

impl Slots {
    /// One null descriptor.
    pub fn none() -> Slots {
        Slots { first: &raw const NOTHING as usize, count: 1 }
    }

    fn of(slots: &[Slot]) -> Slots {
        match slots.is_empty() {
            true => Slots::none(),
            false => Slots { first: slots.as_ptr() as usize, count: slots.len() as u64 },
        }
    }
}

/// A declared resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Its name.
    pub name: String,
    /// Register class.
    pub class: ResourceClass,
    /// First register; `u32::MAX` if unassigned.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Elements; `u32::MAX` if unbounded.
    pub count: u32,
    /// The view of the shader.
    pub view: ViewDesc,
    /// Size of a constant buffer in bytes.
    pub size: u32,
    /// Type of a feedback map, as its number in DXIL.
    pub feedback: Option<u32>,
    /// Index in its class and library.
    pub id: u32,
    /// Index of its first descriptor.
    first: u32,
    /// Number of its descriptors. The one after them stays null.
    len: u32,
}

impl Range {
    /// Its element at a register.
    fn element(&self, class: ResourceClass, register: u32, space: u32) -> Option<u32> {
        let here = self.class == class && self.space == space && self.has_register();
        let at = register.checked_sub(self.register).filter(|_| here)?;
        (self.count == u32::MAX || at < self.count).then_some(at)
    }

    fn has_register(&self) -> bool {
        self.register != u32::MAX
    }

    /// `name` (t0)
    fn describe(&self) -> String {
        match self.has_register() {
            true => {
                let (class, register, space) = (self.class.letter(), self.register, self.space);
                format!("`{}` ({})", self.name, Name::Register { class, register, space })
            }
            false => format!("`{}`", self.name),
        }
    }
}

/// An access to a null descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The name of the resource or heap.
    pub name: String,
    /// Class, register and space, if it has them.
    pub register: Option<(char, u32, u32)>,
    /// The element, if it is an array or heap.
    pub element: Option<u32>,
    /// The number of elements, if the element is out of range.
    pub beyond: Option<u32>,
}

impl Missing {
    /// The description of the resource.
    fn resource(&self) -> String {
        let mut out = match (self.beyond, self.element) {
            (Some(n), _) => format!("an element out of range of the {n} of "),
            (None, Some(i)) => format!("element {i} of "),
            (None, None) => String::new(),
        };
        out += &format!("`{}`", self.name);
        if let Some((class, register, space)) = self.register {
            out += &format!(" ({})", Name::Register { class, register, space });
        }
        out
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is accessed, but not bound", self.resource())
    }
}

/// The resource bindings of a program.
#[derive(Debug, Default)]
pub struct Bindings {
    ranges: Vec<Range>,
    registers: Vec<Slot>,
    heap: Vec<Slot>,
    samplers: Vec<Slot>,
}

fn error(why: impl Into<String>) -> RunError {
    RunError::new(ErrorKind::Binding, why)
}

impl Bindings {
    /// Initial bindings of the declared resources: null, except for static samplers (register, space, description). Unbounded
    /// arrays get `unbounded` elements; 0: 1024.
    ///
    /// # Errors
    /// Too many descriptors.
    pub fn new(resources: &[Resource], samplers: &[(u32, u32, SamplerDesc)], unbounded: u32) -> Result<Bindings> {
        let unbounded = if unbounded == 0 { DEFAULT_UNBOUNDED } else { unbounded };
        let mut bindings = Bindings::default();
        let mut first = 0u32;
        for r in resources {
            let len = if r.count == u32::MAX { unbounded } else { r.count };
            let next = first.checked_add(len).and_then(|n| n.checked_add(1)).filter(|_| len <= MAX_DESCRIPTORS);
            let next = next.filter(|&n| n <= 4 * MAX_DESCRIPTORS).ok_or_else(|| {
                let text = format!("`{}` has {len} elements; the maximum is {MAX_DESCRIPTORS} descriptors", r.name);
                RunError::new(ErrorKind::Limit, text)
            })?;
            bindings.ranges.push(Range {
                name: r.name.clone(),
                class: r.class,
                register: r.lower,
                space: r.space,
                count: r.count,
                view: ViewDesc::declared(r),
                size: if r.kind == ResourceKind::CBuffer { r.size } else { 0 },
                feedback: r.feedback,
                id: r.id,
                first,
                len,
            });
            first = next;
        }
        bindings.registers.resize_with(first as usize, Slot::default);
        for (register, space, desc) in samplers {
            let sampler = Arc::new(*desc);
            bindings.fill(ResourceClass::Sampler, *register, *space, &Descriptor::Sampler(sampler));
        }
        Ok(bindings)
    }

    /// The declared resources, in program order.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// Sets the descriptor of a register in all ranges that contain it; returns their number.
    fn fill(&mut self, class: ResourceClass, register: u32, space: u32, descriptor: &Descriptor) -> usize {
        let mut count = 0;
        for range in &self.ranges {
            if let Some(at) = range.element(class, register, space).filter(|&at| at < range.len) {
                self.registers[(range.first + at) as usize].set(descriptor.clone());
                count += 1;
            }
        }
        count
    }

    /// Binds an element of a resource, by name or register, or of a heap (`ResourceDescriptorHeap`, optionally with the class of
    /// a view after a dot, or `SamplerDescriptorHeap`).
    ///
    /// # Errors
    /// The resource or element does not exist, or has another type.
    pub fn set(&mut self, slot: &Name, element: u32, descriptor: Descriptor) -> Result<()> {
        if let Name::Name(name) = slot {
            let plain = name.split_once('.').map_or(name.as_str(), |(heap, _)| heap);
            if let Some((heap, table)) = HEAPS.into_iter().find(|h| h.0 == plain) {
                return self.set_heap(heap, table, element, descriptor);
            }
        }
        let found = self.ranges.iter().position(|r| match slot {
            Name::Name(name) => r.name == *name,
            Name::Register { class, register, space } => r.class.letter() == *class && r.element(r.class, *register, *space).is_some(),
        });
        let Some(i) = found else {
            let names = self.ranges.iter().map(Range::describe);
            return Err(error(format!("unknown resource `{slot}`")).note(format!("resources: {}", list(names))));
        };
        let range = &self.ranges[i];
        // A register may be in the middle of an array.
        let start = match slot {
            Name::Register { register, .. } => register.wrapping_sub(range.register),
            Name::Name(_) => 0,
        };
        let at = start.checked_add(element).filter(|&at| at < range.len);
        let Some(at) = at else {
            return Err(error(format!("`{}` has {} element(s); element {element} is out of range", range.name, range.len)));
        };
        fits(range, &descriptor)?;
        if range.has_register() {
            let (class, register, space) = (range.class, range.register.saturating_add(at), range.space);
            self.fill(class, register, space, &descriptor);
        } else {
            let same = self.ranges.iter().filter(|r| r.name == range.name && r.class == range.class && at < r.len);
            for r in same {
                self.registers[(r.first + at) as usize].set(descriptor.clone());
            }
        }
        Ok(())
    }

    fn set_heap(&mut self, name: &str, table: Table, element: u32, descriptor: Descriptor) -> Result<()> {
        let sampler = matches!(descriptor, Descriptor::Sampler(_));
        if sampler != (table == Table::Samplers) {
            return Err(error(format!("`{name}` cannot hold {}", descriptor.what())));
        }
        if element >= MAX_DESCRIPTORS {
            return Err(error(format!("`{name}` has at most {MAX_DESCRIPTORS} element(s); element {element} is out of range")));
        }
        let heap = if table == Table::Samplers { &mut self.samplers } else { &mut self.heap };
        if heap.len() <= element as usize {
            heap.resize_with(element as usize + 1, Slot::default);
        }
        heap[element as usize].set(descriptor);
        Ok(())
    }

    /// `createHandleForLib`: an element of a declared resource, with the running shader's record.
    pub fn handle(&self, resource: usize, element: u64, record: Option<&Record>) -> Handle {
        let Some(range) = self.ranges.get(resource) else { return Handle::default() };
        let beyond = u64::from(range.len);
        if let Some(record) = record.filter(|_| range.has_register()) {
            let register = u64::from(range.register).saturating_add(element);
            let register = u32::try_from(register).unwrap_or(u32::MAX);
            if let Some(handle) = record.find(range.class, register, range.space, range.view) {
                return handle;
            }
        }
        let at = element.min(beyond) as u32;
        Handle::new(Table::Registers, range.first + at, range.view)
    }

    /// The handles of the first elements of all declared resources, with the running shader's record.
    pub fn handles(&self, record: Option<&Record>) -> Vec<Handle> {
        (0..self.ranges.len()).map(|i| self.handle(i, 0, record)).collect()
    }

    /// The descriptors of a table; those of records are [`Record::descriptors`].
    pub fn descriptors(&self, table: Table) -> Slots {
        match table {
            Table::Registers => Slots::of(&self.registers),
            Table::Resources => Slots::of(&self.heap),
            Table::Samplers => Slots::of(&self.samplers),
            Table::Records => Slots::none(),
        }
    }

    /// `createHandle`: by class, index in the class, and register.
    pub fn handle_of(&self, class: ResourceClass, id: u32, register: u32) -> Handle {
        let own = |r: &&Range| r.class == class && r.id == id;
        let mut here = (0..).zip(&self.ranges).filter(|(_, r)| own(r));
        // Separately compiled containers number their resources from zero.
        let fits = here.clone().find(|(_, r)| r.element(class, register, r.space).is_some());
        match fits.or_else(|| here.next()) {
            Some((i, r)) => self.handle(i, register.wrapping_sub(r.register).into(), None),
            None => Handle::default(),
        }
    }

    /// `createHandleFromBinding`: by the range's first and last register, space and class, and a register.
    pub fn handle_at(&self, lower: u32, class: ResourceClass, space: u32, register: u32, record: Option<&Record>) -> Handle {
        let own = |r: &&Range| r.class == class && r.space == space && r.register == lower;
        let element = register.wrapping_sub(lower);
        let mut here = (0..).zip(&self.ranges).filter(|(_, r)| own(r));
        let fits = here.clone().find(|(_, r)| element < r.len);
        match fits.or_else(|| here.next()) {
            Some((i, _)) => self.handle(i, element.into(), record),
            None => Handle::default(),
        }
    }

    /// `createHandleFromHeap`.
    pub fn handle_in_heap(&self, index: u32, sampler: bool) -> Handle {
        let table = if sampler { Table::Samplers } else { Table::Resources };
        Handle::new(table, index, ViewDesc::annotated(0, 0))
    }

    #[inline]
    fn find<'a>(&'a self, handle: Handle, record: Option<&'a Record>) -> Option<&'a Slot> {
        let (table, index) = handle.descriptor()?;
        let slots = match table {
            Table::Registers => &self.registers,
            Table::Resources => &self.heap,
            Table::Samplers => &self.samplers,
            Table::Records => &record?.slots,
        };
        slots.get(index as usize).filter(|s| !matches!(s.descriptor, Descriptor::Null))
    }

    /// The descriptor of a handle, with the running shader's record.
    ///
    /// # Errors
    /// It is null.
    #[inline]
    pub fn get<'a>(&'a self, handle: Handle, record: Option<&'a Record>) -> std::result::Result<&'a Slot, Missing> {
        self.find(handle, record).ok_or_else(|| self.missing(handle, record))
    }

    /// The description of a handle's descriptor: the resource's name and register, and its array element.
    pub fn name_of(&self, handle: Handle, record: Option<&Record>) -> String {
        self.missing(handle, record).resource()
    }

    /// The description of a null descriptor.
    #[cold]
    fn missing(&self, handle: Handle, record: Option<&Record>) -> Missing {
        let named = |name: &str, element| Missing { name: name.into(), register: None, element, beyond: None };
        match handle.descriptor() {
            None => named("a resource that is not declared", None),
            Some((Table::Registers, index)) => {
                let after = self.ranges.partition_point(|r| r.first <= index);
                let Some(r) = after.checked_sub(1).map(|i| &self.ranges[i]) else { return named("", None) };
                let element = index - r.first;
                Missing {
                    name: r.name.clone(),
                    register: r.has_register().then(|| (r.class.letter(), r.register, r.space)),
                    element: (r.count != 1).then_some(element),
                    beyond: (element >= r.len).then_some(r.len),
                }
            }
            Some((Table::Records, index)) => {
                let name = record.map_or("", |r| &r.name);
                let register = record.and_then(|r| r.register(index));
                Missing { register, ..named(name, None) }
            }
            Some((table, index)) => {
                let name = HEAPS.into_iter().find(|h| h.1 == table).map_or("", |h| h.0);
                named(name, Some(index))
            }
        }
    }
}

/// Checks that a descriptor has the type of a resource.
fn fits(range: &Range, descriptor: &Descriptor) -> Result<()> {
    use ResourceKind as K;
    let name = &range.name;
    let kind = range.view.kind;
    let good = match (kind, descriptor) {
        (K::CBuffer, Descriptor::Buffer(memory, _)) => {
            let (size, given) = (u64::from(range.size), memory.size());
            if given < size {
                return Err(error(format!("constant buffer `{name}` has {size} bytes, {given} are given")));
            }
            true
        }
        (K::RawBuffer | K::StructuredBuffer | K::TBuffer, Descriptor::Buffer(..)) => true,
        (K::TypedBuffer, Descriptor::Texels(memory, format)) => {
            if memory.size() < u64::from(format.texel_size()) {
                return Err(error(format!("`{name}` is set to a buffer smaller than a texel")));
            }
            true
        }
        (kind, Descriptor::Image(image)) if kind.is_texture() => {
            if range.view.writable && !image.desc().writable {
                return Err(error(format!("`{name}` is writable, but its image is read-only")));
            }
            if !image.is_viewable_as(kind) {
                let is = image.desc().kind;
                return Err(error(format!("`{name}` is a {kind} and cannot be set to a {is}")));
            }
            true
        }
        (K::FeedbackTexture2D | K::FeedbackTexture2DArray, Descriptor::Feedback(map)) => {
            if range.feedback.is_some_and(|kind| kind != map.kind() as u32) {
                let (expected, is) = match map.kind() {
                    FeedbackKind::MinMip => ("used mip regions", "minimum mips"),
                    FeedbackKind::MipRegionUsed => ("minimum mips", "used mip regions"),
                };
                return Err(error(format!("`{name}` is a feedback map of {expected} and cannot be set to one of {is}")));
            }
            map.is_viewable_as(kind)
        }
        (K::Sampler, Descriptor::Sampler(_)) | (K::AccelerationStructure, Descriptor::Accel(_)) => true,
        (_, Descriptor::Null) => true,
        _ => false,
    };
    match good {
        true => Ok(()),
        false => Err(error(format!("`{name}` is a {kind} and cannot be set to {}", descriptor.what()))),
    }
}

#[cfg(test)]
mod tests;
