//! `queries`: every ray query instruction names its query directly.
//!
//! References to ray queries are values like any other until everything is inlined. Then each must turn out to
//! stand for one declared query: the pass looks through results, loop state and parameters on which all sources
//! agree. A query that is reached that way is allocated at the start of the function, where every use sees it.
//! [`unresolved`] tells what is left: references that control flow or an index decides.

use rtc_base::{PackedOption, SecondaryMap, Span};
use rtc_ir::{
    Builder, Function, Inst, InstData, Module, Opcode, Region, Slot, SlotRole, Type, Value,
    ValueDef,
};

use crate::util::{Exits, Rename, all_insts, results_start};
use crate::{Changed, PassCtx, PassError, dce};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let mut changed = false;
    for id in m.funcs.keys() {
        if !has_queries(&m.funcs[id]) {
            continue;
        }
        let empty = Function::new("", rtc_ir::Stage::Library);
        let mut f = std::mem::replace(&mut m.funcs[id], empty);
        changed |= function(m, &mut f);
        m.funcs[id] = f;
    }
    if changed {
        dce::run(m, cx)?;
    }
    Ok(changed.into())
}

fn has_queries(f: &Function) -> bool {
    f.slots.values().any(|s| s.role == SlotRole::RayQuery)
}

/// Uses of ray queries of which it is not known which query they mean: the function's name and the place.
pub fn unresolved(m: &Module) -> Vec<Span> {
    let mut out = Vec::new();
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if let Some(v) = query_operand(m, f, i)
                && allocated(f, v).is_none()
            {
                out.push(f.spans[i]);
            }
        });
    }
    out
}

/// The query that an instruction works on.
fn query_operand(m: &Module, f: &Function, i: Inst) -> Option<Value> {
    match f.insts[i] {
        InstData::Many { args, .. } => {
            let &first = f.get(args).first()?;
            m.types.is_ray_query(f.ty(first)).then_some(first)
        }
        _ => None,
    }
}

/// The slot that `v` directly is.
fn allocated(f: &Function, v: Value) -> Option<Slot> {
    match f.insts[f.def_inst(v)?] {
        InstData::Slot {
            op: Opcode::allocate_ray_query,
            slot,
            ..
        } => Some(slot),
        _ => None,
    }
}

/// What is known of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Known {
    /// Nothing yet.
    #[default]
    Any,
    /// It is this query.
    One(Slot),
    /// It may be one or the other, or comes from memory.
    Several,
}

impl Known {
    fn meet(self, other: Known) -> Known {
        match (self, other) {
            (Known::Any, x) | (x, Known::Any) => x,
            (a, b) if a == b => a,
            _ => Known::Several,
        }
    }
}

fn function(m: &mut Module, f: &mut Function) -> bool {
    let indirect: Vec<(Inst, Value)> = all_insts(f)
        .into_iter()
        .filter_map(|i| Some((i, query_operand(m, f, i)?)))
        .filter(|&(_, v)| allocated(f, v).is_none())
        .collect();
    if indirect.is_empty() {
        return false;
    }
    let known = resolve(m, f);
    let mut homes: SecondaryMap<Slot, PackedOption<Value>> = SecondaryMap::new();
    let mut changed = false;
    for (i, v) in indirect {
        let Known::One(slot) = known[v] else { continue };
        let home = match homes[slot].expand() {
            Some(home) => home,
            None => {
                let home = allocate_first(m, f, slot);
                homes[slot] = Some(home).into();
                home
            }
        };
        f.map_operands(i, |x| if x == v { home } else { x });
        changed = true;
    }
    // One query, one allocation.
    let mut rename = Rename::new();
    for i in all_insts(f) {
        if let Some(&v) = f.results(i).first()
            && let Some(slot) = allocated(f, v)
            && let Some(home) = homes[slot].expand()
        {
            rename.set(v, home);
        }
    }
    rename.apply(f);
    changed
}

/// The query, allocated at the start of the function.
fn allocate_first(m: &mut Module, f: &mut Function, slot: Slot) -> Value {
    let body = f.body;
    let v = Builder::at(&mut m.types, f, body).allocate_ray_query(slot);
    let insts = &mut f.regions[body].insts;
    insts.rotate_right(1);
    v
}

/// What each reference is: as optimistic as possible, so that loop state which is only handed on is what it
/// began as.
fn resolve(m: &Module, f: &Function) -> SecondaryMap<Value, Known> {
    let exits = Exits::of(f);
    let mut sources: Vec<(Value, SourceList)> = Vec::new();
    let is_query = |t: Type| m.types.is_ray_query(t);
    let mut known: SecondaryMap<Value, Known> = SecondaryMap::new();
    for (v, data) in &f.values {
        if !is_query(data.ty) {
            continue;
        }
        match data.def {
            ValueDef::Undef | ValueDef::Const(_) => {}
            ValueDef::Param(r, n) => match param_sources(f, &exits, r, n) {
                Some(list) => sources.push((v, list)),
                None => known[v] = Known::Several,
            },
            ValueDef::Result(i, n) => {
                if let Some(slot) = allocated(f, v) {
                    known[v] = Known::One(slot);
                } else if f.regions_of(i).is_empty() {
                    known[v] = Known::Several;
                } else {
                    let value = |&e: &Inst| {
                        let at = results_start(f, e) + n as usize;
                        f.operands(e).get(at).copied()
                    };
                    sources.push((v, exits.leave[i].iter().filter_map(value).collect()));
                }
            }
        }
    }
    loop {
        let mut again = false;
        for (v, list) in &sources {
            let new = list.iter().fold(known[*v], |k, s| k.meet(known[*s]));
            again |= new != known[*v];
            known[*v] = new;
        }
        if !again {
            return known;
        }
    }
}

type SourceList = Vec<Value>;

/// The values that become parameter `n` of a loop's region; `None` for a function's parameter.
fn param_sources(f: &Function, exits: &Exits, r: Region, n: u32) -> Option<SourceList> {
    let owner = f.regions[r].owner?;
    let InstData::Loop { init, body, .. } = f.insts[owner] else {
        return None;
    };
    let n = n as usize;
    let operand = |e: Inst, at: usize| f.operands(e).get(at).copied();
    if r != body {
        let all = exits.continues[owner].iter();
        return Some(all.filter_map(|&e| operand(e, n)).collect());
    }
    let mut list: SourceList = f.get(init).get(n).copied().into_iter().collect();
    for &e in &exits.nexts[owner] {
        let first = usize::from(f.op(e) == Opcode::next_if);
        list.extend(operand(e, first + n));
    }
    Some(list)
}
