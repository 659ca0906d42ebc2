//! Descriptor bindings: the set and binding of each resource in Vulkan.
//!
//! DXC's rules: `[[vk::binding(b, s)]]` if given; else set = register space, binding = register + the class's
//! shift; a resource without register takes the next free binding of set 0. In addition, where two resources would
//! share a binding (Vulkan has one number space where HLSL has four), the later one moves to the next free
//! binding, since such a module could not be used at all; the binding map has all descriptor slots.
//!
//! Registers that a local root signature fills, for the entry points that it is associated with, come from the
//! shader record instead (DXR specification, local root signatures); those of its descriptor tables from the
//! descriptor heaps, at the index that the record holds.

use std::collections::BTreeSet;

use rtc_base::Span;
use rtc_dxil_container::rdat::Rdat;
use rtc_dxil_container::rdat::associate::resolve;
use rtc_ir::{BindPlace, Function, Global, InstData, Module, Opcode, ResourceDecl};
use rtc_package::RecordLayout;
use rtc_package::records::{LibraryRecords, RecordRegister};
use rtc_rootsig::RecordParamKind;
use rtc_tables::resources::ResourceClass;
use rustc_hash::FxHashMap;

use crate::Options;
use crate::error::Error;

/// Additions to register numbers: `-fvk-t-shift N space`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shifts {
    /// Class, amount, and the space it is for; `None` for all spaces.
    pub list: Vec<(ResourceClass, u32, Option<u32>)>,
}

impl Shifts {
    fn of(&self, class: ResourceClass, space: u32) -> u32 {
        let fits = |s: &&(ResourceClass, u32, Option<u32>)| s.0 == class && s.2.is_none_or(|n| n == space);
        // A shift for one space wins over one for all.
        let mut best = self.list.iter().filter(fits).collect::<Vec<_>>();
        best.sort_by_key(|s| s.2.is_some());
        best.last().map_or(0, |s| s.1)
    }
}

/// The binding of one register: `-fvk-bind-register t3 1 0 2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterBinding {
    /// Class of the register.
    pub class: ResourceClass,
    /// Its number.
    pub register: u32,
    /// Its space.
    pub space: u32,
    /// Binding.
    pub binding: u32,
    /// Descriptor set.
    pub set: u32,
}

/// Where the contents of a resource come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// A descriptor.
    Descriptor {
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
    },
    /// Constants in the shader record, at this byte.
    RecordConstants {
        /// Byte offset after the shader group handle.
        offset: u32,
    },
    /// A 64-bit address in the shader record, at this byte.
    RecordAddress {
        /// Byte offset after the shader group handle.
        offset: u32,
    },
    /// Push constants.
    Push,
    /// The shader record, which the source describes itself.
    Record,
    /// A descriptor table in the shader record: Vulkan's records hold the number of its first descriptor in the heap.
    RecordTable {
        /// The location of that number: byte offset after the shader group handle.
        offset: u32,
        /// The descriptor's place in the table.
        plus: u32,
        /// Of the heap of samplers, not of resources.
        sampler: bool,
    },
    /// A descriptor heap.
    Heap {
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
    },
}

/// All bindings of a module.
pub struct Bindings {
    descriptors: FxHashMap<Global, (u32, u32)>,
    counters: FxHashMap<Global, (u32, u32)>,
    /// The heaps of resources and of samplers.
    heaps: [(u32, u32); 2],
    /// The shader records of the library's local root signatures.
    pub records: LibraryRecords,
    /// Of a library with lowered hit objects, where the tail of its shader records is: byte offset after the shader group
    /// handle, and size.
    pub tail: Option<(u32, u32)>,
}

impl Bindings {
    /// Works out all bindings. `rdat` is the library's: it holds the root signatures and associations.
    pub fn new(m: &Module, rdat: &Rdat, options: &Options, errors: &mut Vec<Error>) -> Self {
        let records = LibraryRecords::new(rdat, &resolve(rdat)).unwrap_or_else(|e| {
            let at = m.subobjects.iter().find(|s| s.name == e.part).map_or(Span::NONE, |s| s.span);
            errors.push(Error::new(at, format!("local root signature: {e}")));
            LibraryRecords::default()
        });
        let (descriptors, counters, heaps) = assign(m, &records, options);
        let tail = tail_size(m).map(|size| {
            let longest = records.layouts.iter().map(|l| l.size).max().unwrap_or(0);
            (longest.next_multiple_of(4), size)
        });
        Bindings { descriptors, counters, heaps, records, tail }
    }

    /// Bytes of the shader record of an entry point, as far as shaders read it.
    pub fn record_size(&self, f: &Function) -> u32 {
        match self.tail {
            Some((offset, size)) => offset + size,
            None => self.record(f).map_or(0, |layout| layout.size),
        }
    }

    /// Set and binding of a resource's hidden counter.
    pub fn counter(&self, g: Global) -> Option<(u32, u32)> {
        self.counters.get(&g).copied()
    }

    /// Set and binding of the heap of resources or of samplers.
    pub fn heap(&self, sampler: bool) -> (u32, u32) {
        self.heaps[usize::from(sampler)]
    }

    /// Set and binding of a resource.
    pub fn descriptor(&self, g: Global) -> (u32, u32) {
        self.descriptors.get(&g).copied().unwrap_or_default()
    }

    /// The shader record of an entry point.
    pub fn record(&self, f: &Function) -> Option<&RecordLayout> {
        self.records.of(&f.name).map(|i| &self.records.layouts[i as usize])
    }

    /// Where `g` comes from in entry point `f`.
    pub fn home(&self, g: Global, f: &Function, m: &Module) -> Home {
        let (set, binding) = self.descriptor(g);
        let descriptor = Home::Descriptor { set, binding };
        match m.globals[g].resource().map(|d| d.binding.place) {
            Some(BindPlace::Push) => return Home::Push,
            Some(BindPlace::Record) => return Home::Record,
            Some(BindPlace::Tail) => {
                let offset = self.tail.map_or(0, |t| t.0);
                return Home::RecordConstants { offset };
            }
            _ => {}
        }
        let Some(found) = in_record(&self.records, g, f, m) else { return descriptor };
        let offset = found.param.offset;
        match found.param.kind {
            RecordParamKind::Constants => Home::RecordConstants { offset },
            RecordParamKind::Table => {
                let sampler = found.bind.class == ResourceClass::Sampler;
                Home::RecordTable { offset, plus: found.table_index, sampler }
            }
            _ => Home::RecordAddress { offset },
        }
    }
}

/// Bytes of the tail of shader records, if the library's hit objects are lowered.
fn tail_size(m: &Module) -> Option<u32> {
    let mut all = m.globals.values().filter_map(|g| g.resource());
    let decl = all.find(|r| r.binding.place == BindPlace::Tail)?;
    Some(m.types.as_resource(decl.ty)?.stride)
}

/// Where the shader record of entry point `f` has resource `g`.
fn in_record<'a>(records: &'a LibraryRecords, g: Global, f: &Function, m: &Module) -> Option<RecordRegister<'a>> {
    let layout = &records.layouts[records.of(&f.name)? as usize];
    let decl = m.globals[g].resource()?;
    layout.find(class_of(m, decl), decl.binding.register?, decl.binding.space)
}

/// The register class of a resource.
fn class_of(m: &Module, decl: &ResourceDecl) -> ResourceClass {
    m.types.as_resource(decl.ty).expect("resources have resource types").class
}

type Places = FxHashMap<Global, (u32, u32)>;

/// Descriptor bindings by DXC's rules, without collisions.
fn assign(m: &Module, records: &LibraryRecords, options: &Options) -> (Places, Places, [(u32, u32); 2]) {
    let shifts = &options.shifts;
    let mut taken: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut out = FxHashMap::default();
    let next_free = |taken: &BTreeSet<(u32, u32)>, set: u32, from: u32| {
        (from..=u32::MAX).find(|&b| !taken.contains(&(set, b))).expect("fewer resources than numbers")
    };
    let resources = || {
        let all = m.globals.iter().filter_map(|(g, d)| d.resource().map(|r| (g, r)));
        all.filter(|(_, r)| r.binding.place == BindPlace::Registers)
    };
    let used = heaps_used(m, records);
    let wanted = [options.resource_heap, options.sampler_heap];
    let mut heaps = wanted.map(|w| w.map_or((0, 0), |(binding, set)| (set, binding)));
    for (n, heap) in heaps.iter().enumerate() {
        if used[n] && wanted[n].is_some() {
            taken.insert(*heap);
        }
    }
    for (g, r) in resources() {
        if let Some((binding, set)) = r.binding.vk {
            taken.insert((set, binding));
            out.insert(g, (set, binding));
        }
    }
    for (g, r) in resources() {
        let given =
            |b: &&RegisterBinding| Some(b.register) == r.binding.register && b.space == r.binding.space && b.class == class_of(m, r);
        let named = options.registers.iter().find(given).map(|b| (b.binding, b.set));
        let loose = options.globals.filter(|_| m.globals[g].name == "$Globals");
        if let (None, Some((binding, set))) = (r.binding.vk, named.or(loose)) {
            taken.insert((set, binding));
            out.insert(g, (set, binding));
        }
    }
    for (g, r) in resources() {
        let (None, Some(register)) = (r.binding.vk, r.binding.register) else { continue };
        if out.contains_key(&g) {
            continue;
        }
        let set = r.binding.space;
        let wanted = register.saturating_add(shifts.of(class_of(m, r), set));
        let binding = next_free(&taken, set, wanted);
        taken.insert((set, binding));
        out.insert(g, (set, binding));
    }
    for (g, r) in resources() {
        if r.binding.vk.is_none() && r.binding.register.is_none() && !out.contains_key(&g) {
            let set = r.binding.space;
            let from = if options.auto_shift { shifts.of(class_of(m, r), set) } else { 0 };
            let binding = next_free(&taken, set, from);
            taken.insert((set, binding));
            out.insert(g, (set, binding));
        }
    }
    for (n, heap) in heaps.iter_mut().enumerate() {
        if used[n] && wanted[n].is_none() {
            *heap = (0, next_free(&taken, 0, 0));
            taken.insert(*heap);
        }
    }
    let mut counters = Places::default();
    for g in counted(m) {
        let Some(decl) = m.globals[g].resource() else { continue };
        let set = out.get(&g).map_or(0, |p: &(u32, u32)| p.0);
        let binding = decl.binding.counter.unwrap_or_else(|| next_free(&taken, set, 0));
        taken.insert((set, binding));
        counters.insert(g, (set, binding));
    }
    (out, counters, heaps)
}

/// The resources whose hidden counters are used, in source order.
fn counted(m: &Module) -> Vec<Global> {
    let mut all = Vec::new();
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if f.op(i) == Opcode::counter_add
                && let Some(by) = f.def_inst(f.operands(i)[0])
                && let InstData::Resource { global, .. } = f.insts[by]
            {
                all.push(global);
            }
        });
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether entry points take resources and samplers from the heaps, themselves or through tables of their records.
fn heaps_used(m: &Module, records: &LibraryRecords) -> [bool; 2] {
    let mut used = [false; 2];
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            let from_heap = match f.insts[i] {
                InstData::Many { op: Opcode::heap_resource, .. } => true,
                InstData::Resource { global, .. } => {
                    in_record(records, global, f, m).is_some_and(|r| r.param.kind == RecordParamKind::Table)
                }
                _ => false,
            };
            if from_heap && let Some(r) = m.types.as_resource(f.ty(f.result(i))) {
                used[usize::from(r.class == ResourceClass::Sampler)] = true;
            }
        });
    }
    used
}
