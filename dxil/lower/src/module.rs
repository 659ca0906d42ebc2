//! Lowering of a whole module: declarations, function bodies, metadata.

use rtc_ir::{self as ir, Root, SlotRole};
use rustc_hash::FxHashMap;

use super::control::{Joins, reordering};
use super::dx_break::WaveRegions;
use super::facts::{Facts, FunctionFacts};
use super::func::Writer;
use super::globals::Globals;
use super::jump_threading::single_use_conditions;
use super::pointers::Memory;
use super::signature::{self, Declared, INCOMING, Signature};
use super::types::TypeCache;
use super::vectors::Deferred;
use super::{DxilOptions, LowerError, Profile, metadata};
use crate::debug::plan::Plan;
use rtc_base::SecondaryMap;
use rtc_dxil_container::rdat::Subobject;
use rtc_dxil_container::recompute::Recomputed;
use rtc_dxil_module::{Func, LAYOUT_NATIVE_16BIT, Module, ValueNumbers};

/// What is shared while a module is written.
pub struct Cx<'m> {
    /// The IR.
    pub m: &'m ir::Module,
    /// Its facts.
    pub facts: &'m Facts,
    /// What is made.
    pub out: Module,
    /// What is compiled.
    pub profile: Profile,
    /// What went wrong.
    pub errors: Vec<LowerError>,
    /// What is noted for debug information: of each function that is finished.
    pub plans: Vec<Plan>,
}

impl Cx<'_> {
    /// Whether a library is compiled.
    pub fn is_library(&self) -> bool {
        self.profile == Profile::Library
    }
}

/// A module in DXIL.
pub struct Lowered {
    /// The code with the metadata of the `DXIL` part.
    pub module: Module,
    /// The functions of [`Facts::functions`], in that order.
    pub funcs: Vec<Func>,
    /// Flags, RDAT and PSV0, which follow from the code and its metadata.
    pub found: Recomputed,
    /// The records of each for debug information, if it is requested.
    pub plans: Vec<Plan>,
}

/// Writes the module of which `facts` are known. `subobjects` are those of its RDAT.
///
/// # Errors
/// Everything that has no DXIL form.
pub fn lower(m: &ir::Module, facts: &Facts, options: &DxilOptions, subobjects: &[Subobject]) -> Result<Lowered, Vec<LowerError>> {
    let mut out = Module::new();
    if m.native_16bit {
        out.data_layout = LAYOUT_NATIVE_16BIT.into();
    }
    let mut cx = Cx { m, facts, out, profile: options.profile, errors: Vec::new(), plans: Vec::new() };
    let (mut types, mut globals) = (TypeCache::default(), Globals::default());
    globals.declare(&mut cx, &mut types);
    let mut funcs = Vec::new();
    let plain = signature::of_functions(&mut cx.out, m, true);
    for known in &facts.functions {
        let f = &m.funcs[known.func];
        let sig = Signature::new(&mut cx, &mut types, f);
        let func = cx.out.add_function(symbol(&cx, f), sig.ty);
        let attrs = sig.attrs(&mut cx.out, plain);
        cx.out.funcs[func].attrs = attrs.into();
        funcs.push((func, sig));
    }
    let declared = Declared::new(&mut cx, &mut types);
    for (known, (func, sig)) in facts.functions.iter().zip(&funcs) {
        body(&mut cx, &mut types, &mut globals, &declared, known, *func, sig);
    }
    let funcs: Vec<Func> = funcs.into_iter().map(|f| f.0).collect();
    if !cx.errors.is_empty() {
        return Err(cx.errors);
    }
    let found = metadata::write(&mut cx, &mut types, &globals, &funcs, &declared, options, subobjects).map_err(|e| vec![e])?;
    Ok(Lowered { module: cx.out, funcs, found, plans: cx.plans })
}

/// The name of a function in the module: libraries keep the mangled one.
pub fn symbol<'a>(cx: &Cx<'a>, f: &'a ir::Function) -> &'a str {
    if cx.is_library() { &f.symbol } else { &f.name }
}

fn body<'m>(
    cx: &mut Cx<'m>,
    types: &mut TypeCache,
    globals: &mut Globals,
    declared: &Declared,
    known: &'m FunctionFacts,
    func: Func,
    sig: &Signature,
) {
    let f = &cx.m.funcs[known.func];
    let entry = cx.out.define(func).block();
    let around = reordering(cx.m, f);
    let wave_regions = WaveRegions::new(cx.m, f);
    let cx_debug = cx.m.debug.is_some();
    let mut w = Writer {
        cx,
        globals,
        declared,
        f,
        facts: known,
        func,
        block: entry,
        components: SecondaryMap::new(),
        component_pool: Vec::new(),
        pointers: FxHashMap::default(),
        result: None,
        scalar_allocas: FxHashMap::default(),
        allocas: 0,
        joins: Joins::default(),
        available: ValueNumbers::default(),
        single_use_conditions: single_use_conditions(f),
        available_in_entry: ValueNumbers::default(),
        deferred: Deferred::default(),
        exact: false,
        reordering: around,
        wave_regions,
        plan: cx_debug.then(|| Box::new(Plan::new(known.func, func))),
    };
    w.parameters(sig);
    for (slot, data) in &f.slots {
        if INCOMING.contains(&data.role) || data.role == SlotRole::RayQuery {
            continue;
        }
        let ty = types.memory(w.cx.m, &mut w.cx.out, data.ty);
        let room = w.alloca(ty, 8);
        w.set_pointer(Root::Slot(slot), Memory::at(room), true);
    }
    w.passed_variables(types);
    w.region(f.body);
    w.finish();
    let plan = w.plan.take();
    cx.plans.extend(plan.map(|p| *p));
}
