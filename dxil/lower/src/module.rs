//! Lowering of a whole module: declarations, function bodies, metadata.

use std::rc::Rc;

use rtc_base::timing::phase_of;
use rtc_ir::{self as ir, Root, SlotRole};

use super::context::{Cx, symbol};
use super::emitter::Emitter;
use super::facts::{Facts, FunctionFacts};
use super::flow::Flow;
use super::frame::{Frame, Memory};
use super::func::Writer;
use super::globals::Globals;
use super::select::accesses_vectors;
use super::signature::{self, Declared, INCOMING, Signature};
use super::types::TypeCache;
use super::values::Values;
use super::{DxilOptions, LowerError, Profile, metadata};
use crate::debug::plan::Plan;
use rtc_dxil_container::rdat::Subobject;
use rtc_dxil_container::recompute::Recomputed;
use rtc_dxil_module::{Func, LAYOUT_NATIVE_16BIT, Module};

/// A module in DXIL.
pub struct Lowered {
    /// The code with the metadata of the `DXIL` part.
    pub module: Module,
    /// The functions of [`Facts::functions`], in that order.
    pub funcs: Vec<Func>,
    /// Flags, RDAT and PSV0, which follow from the code and its metadata.
    pub found: Rc<Recomputed>,
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
    let contract = !options.unoptimized && m.denormals != Some(ir::Denormals::Flush);
    let vectors = !options.unoptimized && accesses_vectors(m);
    let mut cx = Cx { m, facts, out, profile: options.profile, contract, vectors, errors: Vec::new(), plans: Vec::new() };
    let (mut types, mut globals) = (TypeCache::default(), Globals::default());
    globals.declare(&mut cx, &mut types);
    let mut funcs = Vec::new();
    for known in &facts.functions {
        let f = &m.funcs[known.func];
        let sig = Signature::new(&mut cx, &mut types, f);
        let plain = signature::of_function(&mut cx, f);
        let func = cx.out.add_function(symbol(&cx, f), sig.ty);
        let attrs = sig.attrs(&mut cx.out, plain);
        cx.out.funcs[func].attrs = attrs.into();
        funcs.push((func, sig));
    }
    let declared = Declared::new(&mut cx, &mut types);
    for (known, (func, sig)) in facts.functions.iter().zip(&funcs) {
        body(&mut cx, &mut types, &mut globals, &declared, known, *func, sig);
    }
    if vectors {
        cx.out.remove_unused_operations();
    }
    let funcs: Vec<Func> = funcs.into_iter().map(|f| f.0).collect();
    if !cx.errors.is_empty() {
        return Err(cx.errors);
    }
    let found = metadata::write(&mut cx, &mut types, &globals, &funcs, &declared, options, subobjects).map_err(|e| vec![e])?;
    Ok(Lowered { module: cx.out, funcs, found: Rc::new(found), plans: cx.plans })
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
    let _phase = phase_of("lower to DXIL", || f.name.clone().into());
    let entry = cx.out.define(func).block();
    let plan = cx.m.debug.is_some().then(|| Box::new(Plan::new(known.func, func)));
    let mut w = Writer {
        m: cx.m,
        module_facts: cx.facts,
        profile: cx.profile,
        errors: &mut cx.errors,
        globals,
        declared,
        f,
        facts: known,
        e: Emitter::new(&mut cx.out, func, entry, plan),
        values: Values::default(),
        frame: Frame::default(),
        flow: Flow::new(cx.m, f),
        vertices: None,
    };
    w.parameters(sig);
    for (slot, data) in &f.slots {
        if INCOMING.contains(&data.role) || matches!(data.role, SlotRole::RayQuery | SlotRole::MeshIn) {
            continue;
        }
        let ty = types.memory(w.m, w.e.out, data.ty);
        let room = w.e.alloca(ty, 8);
        w.set_pointer(Root::Slot(slot), Memory::at(room), true);
    }
    w.passed_variables(types);
    for done in [w.helper_variable(), w.get_payload()] {
        if let Err(e) = done {
            w.error(e.code, f.span, e.message);
        }
    }
    w.region(f.body);
    // Inputs and outputs of the graphics pipeline are scalars.
    let vectors = cx.vectors && !f.stage.has_signature();
    let plan = w.e.finish(cx.contract, vectors.then_some((&w.values, cx.profile == Profile::Library)));
    cx.plans.extend(plan.map(|p| *p));
}
