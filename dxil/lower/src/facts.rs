//! Facts about a module that lowering needs before there is code: used resources, liveness, sizes of payloads.
//!
//! Flags, feature bits, RDAT and PSV0 are not among them: they follow from the code ([`rtc_dxil_container::recompute`]). What
//! packages need of a module for which no code is written is in [`super::requirements`].

use rtc_base::EntitySet;
use rtc_ir::{ElementRole, Func, Function, InstData, Module, Opcode, SlotRole, Value};
use rtc_tables::resources::ResourceClass;

use super::live::Live;
use super::resources::{self, Resource, from_heap};
use super::{LowerError, Profile, layout};

/// The facts of one function with a body.
pub struct FunctionFacts {
    /// The function.
    pub func: Func,
    /// Its liveness.
    pub live: Live,
    /// Handles whose hidden counters it updates.
    counted: EntitySet<Value>,
    /// One of these handles may be any of several.
    counts_any: bool,
    /// Bytes of payload or callable parameter.
    pub payload: u32,
    /// Bytes of hit attributes.
    pub attributes: u32,
}

/// The facts of a module.
pub struct Facts {
    /// Used resources: constant buffers, samplers, SRVs, UAVs.
    pub resources: Vec<Resource>,
    /// Entry points and exported functions, in module order; in a library those with signatures come last.
    pub functions: Vec<FunctionFacts>,
    /// Groupshared variables that are passed to mesh shaders.
    pub payloads: Vec<rtc_ir::Global>,
    /// Whether all of these are copies, which are local variables then. The declaration of the operation has one type of pointer for
    /// each type of payload, so a library that passes groupshared memory too has all of them there.
    pub copied_payloads: bool,
}

impl Facts {
    /// Computes them for `profile`.
    pub fn new(m: &Module, profile: Profile, errors: &mut Vec<LowerError>) -> Facts {
        let chosen = |f: &Function| match profile {
            Profile::Library => f.is_entry() || f.exported,
            Profile::Shader(stage) => f.stage == stage,
        };
        let mut functions: Vec<FunctionFacts> =
            m.funcs.iter().filter(|(_, f)| chosen(f)).map(|(func, f)| FunctionFacts::new(m, func, f)).collect();
        if let (Profile::Shader(_), Some(first)) = (profile, functions.first()) {
            let patch_constants = m.funcs[first.func].state.patch_constants();
            let first = first.func;
            functions.retain(|f| f.func == first || Some(f.func) == patch_constants);
            // As the reference compiler does: it makes functions that have signatures anew, in the order of the source, and they come last.
            let main = m.funcs[first].elements.values().any(|e| e.role != ElementRole::Patch && e.interpretation.is_in_signature());
            functions.sort_by_key(|f| (f.func != first || main, m.funcs[f.func].span.lo));
        } else {
            // The order of RDAT: the reference compiler makes entry points that have signatures anew, and they come last.
            // A patch constant function comes before the first hull shader that has it.
            let with_constants = |f: &FunctionFacts| Some((m.funcs[f.func].state.patch_constants()?, f.func));
            let hulls: Vec<(Func, Func)> = functions.iter().filter_map(with_constants).collect();
            functions.sort_by_cached_key(|f| {
                let hull = hulls.iter().find(|h| h.0 == f.func).map(|h| h.1);
                (has_signature(&m.funcs[f.func]), hull.unwrap_or(f.func), hull.is_none())
            });
        }
        let lives = functions.iter().map(|f| (&m.funcs[f.func], &f.live));
        let resources = resources::used(m, lives, profile, errors);
        let payloads = super::task_payload::payloads(m);
        let copied_payloads = payloads.iter().all(|&g| m.globals[g].is_copied_payload());
        Facts { resources, functions, payloads, copied_payloads }
    }

    /// The row of a resource.
    pub fn resource(&self, global: rtc_ir::Global) -> Option<&Resource> {
        self.resources.iter().find(|r| r.global == global)
    }

    /// The resources of one class, in the order of their numbers.
    pub fn of_class(&self, class: ResourceClass) -> impl Iterator<Item = &Resource> {
        self.resources.iter().filter(move |r| r.class == class)
    }
}

/// Whether it is an entry point, or the patch constant function of one, with an element in one of its signatures.
pub fn has_signature(f: &Function) -> bool {
    f.is_entry() && f.elements.values().any(|e| e.interpretation.is_in_signature())
}

impl FunctionFacts {
    fn new(m: &Module, func: Func, f: &Function) -> Self {
        let size = |role| f.slot_of(role).map(|s| layout::slot_bytes(m, f.slots[s].ty));
        let live = Live::new(m, f);
        let (mut counted, mut counts_any) = (EntitySet::new(), false);
        for i in live.iter() {
            if let InstData::Many { op: Opcode::counter_add, args, .. } = f.insts[i] {
                let handle = f.get(args)[0];
                counted.insert(handle);
                counts_any |= !from_heap(f, handle) && resources::declaration_of(f, handle).is_none();
            }
        }
        FunctionFacts {
            func,
            live,
            counted,
            counts_any,
            payload: size(SlotRole::PayloadIn).or(size(SlotRole::CallableIn)).unwrap_or(0),
            attributes: size(SlotRole::AttrIn).unwrap_or(0),
        }
    }

    /// Whether it updates, or may update, the hidden counter of the resource of `handle`, which comes from a descriptor heap.
    pub fn counts(&self, handle: Value) -> bool {
        self.counts_any || self.counted.contains(handle)
    }
}
