//! Legalisation of hit objects: from SSA values to variables.
//!
//! HLSL's hit objects are values: they are copied, joined, stored in arrays. SPIR-V's are variables that can be neither
//! loaded nor stored. Here every value gets a variable (slots of role `hit object`): an instruction that returns a hit
//! object is followed by its `store`, and one that uses a hit object takes a `load` right before it, which the emitter reads
//! as the name of the variable. Other facts about a value (which variable of its pool, its table index, what
//! the extension does not store) become numbers. Where HLSL defines the behaviour of NOPs, misses and hits without a record,
//! and SPIR-V does not, there are branches, unless the state of the object is known.

mod families;
mod getters;
mod liveness;
mod parts;
mod record;
mod rewrite;
mod states;

use rtc_ir::{Func, Function, Inst, InstData, Module, Opcode, Stage, Type, Value};
use rtc_passes::pipeline::{FOLD_HIT_OBJECT_STATE, SHARE_PAYLOADS};
use rtc_passes::{PassCtx, share_payloads};

use crate::Error;
use families::Families;

/// Which extension has the instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ser {
    /// `SPV_NV_shader_invocation_reorder`.
    Nv,
    /// `SPV_EXT_shader_invocation_reorder`.
    Ext,
}

impl Ser {
    /// The extension's name.
    pub fn extension(self) -> &'static str {
        match self {
            Ser::Nv => "SPV_NV_shader_invocation_reorder",
            Ser::Ext => "SPV_EXT_shader_invocation_reorder",
        }
    }
}

/// Whether a function has hit objects.
pub fn any(f: &Function) -> bool {
    let mut found = false;
    f.for_each_inst(f.body, |_, i| {
        let hit = |v: &Value| f.ty(*v) == Type::HIT_OBJECT;
        found |= f.results(i).iter().any(hit) || f.operands(i).iter().any(hit);
    });
    found
}

/// The flags of a ray are not in NV's hit objects: a shader that one of them runs gets what the device has at hand, other
/// values on different ones.
fn no_flags_of_invoked(m: &Module, errors: &mut Vec<Error>) {
    let entries = || m.funcs.values().filter(|f| f.is_entry());
    if !entries().any(|f| has(f, Opcode::hit_invoke).is_some()) {
        return;
    }
    for f in entries().filter(|f| matches!(f.stage, Stage::ClosestHit | Stage::Miss)) {
        let Some(i) = has(f, Opcode::ray_flags) else { continue };
        let message = "SPV_NV_shader_invocation_reorder does not give the flags of the ray to a shader that a hit object runs; \
                       -fspv-ser=ext and -fspv-ser=lower do";
        errors.push(Error::coded(&rtc_tables::diagnostics::E0920, f.spans[i], message));
    }
}

/// The first instruction of this kind.
fn has(f: &Function, op: Opcode) -> Option<Inst> {
    let mut found = None;
    f.for_each_inst(f.body, |_, i| {
        if found.is_none() && f.op(i) == op {
            found = Some(i);
        }
    });
    found
}

/// Puts the hit objects of all entry points into variables; where something about that is questionable, `warnings`
/// says so.
pub fn run(m: &mut Module, ser: Ser, errors: &mut Vec<Error>, warnings: &mut Vec<Error>) {
    let ids: Vec<_> = m.funcs.iter().filter(|(_, f)| f.is_entry() && any(f)).map(|(id, _)| id).collect();
    if ids.is_empty() {
        return;
    }
    let before = errors.len();
    if ser == Ser::Nv {
        no_flags_of_invoked(m, errors);
    }
    if ser == Ser::Ext {
        share(m, &ids, errors);
    }
    for id in ids {
        let mut f = std::mem::replace(&mut m.funcs[id], Function::new("", Stage::Library));
        split_nops(&mut f);
        let families = Families::of(&m.types, &f);
        rewrite::run(m, &mut f, families, ser, errors, warnings);
        m.funcs[id] = f;
    }
    if errors.len() > before {
        return;
    }
    if let Err(e) = FOLD_HIT_OBJECT_STATE.run(m, &PassCtx::default()) {
        errors.push(Error::internal(e));
    }
}

/// Where one payload goes from a trace to an invocation it becomes one variable, for the sake of fused instructions.
fn share(m: &mut Module, ids: &[Func], errors: &mut Vec<Error>) {
    let mut changed = false;
    for &id in ids {
        let mut f = std::mem::replace(&mut m.funcs[id], Function::new("", Stage::Library));
        changed |= share_payloads::share(m, &mut f);
        m.funcs[id] = f;
    }
    if changed && let Err(e) = SHARE_PAYLOADS.run(m, &PassCtx::default()) {
        errors.push(Error::internal(e));
    }
}

/// Gives every use of a nop a nop of its own: it costs nothing to record, and so none is alive for long.
fn split_nops(f: &mut Function) {
    let mut regions = Vec::new();
    f.for_each_region(f.body, |r| regions.push(r));
    for r in regions {
        let old = std::mem::take(&mut f.regions[r].insts);
        let mut new = Vec::with_capacity(old.len());
        for i in old {
            if matches!(f.insts[i], InstData::Nullary { op: rtc_ir::Opcode::hit_make_nop }) {
                continue;
            }
            let uses = f.operands(i);
            if !uses.iter().any(|&v| liveness::is_hit(f, v) && liveness::is_nop(f, v)) {
                new.push(i);
                continue;
            }
            let mut own: Vec<Option<Value>> = Vec::with_capacity(uses.len());
            for &v in &uses {
                own.push((liveness::is_hit(f, v) && liveness::is_nop(f, v)).then(|| {
                    let data = InstData::Nullary { op: rtc_ir::Opcode::hit_make_nop };
                    let n = f.make(data, &[Type::HIT_OBJECT], f.spans[i]);
                    new.push(n);
                    f.result(n)
                }));
            }
            let mut at = 0;
            f.map_operands(i, |v| {
                at += 1;
                own[at - 1].unwrap_or(v)
            });
            new.push(i);
        }
        f.regions[r].insts = new;
    }
}
