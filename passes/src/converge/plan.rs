//! Which traces are under divergent control flow, what diverges there, and obstacles to moving them.
//!
//! A trace may be executed by lanes that do not trace in the source wherever that shows nowhere. It would show
//!
//! * in closest-hit and miss shaders at the largest depth of recursion, where the source's condition may be what ends the recursion; so another trace
//!   must have been executed before, at the same depth;
//! * where lanes name different acceleration structures, because that of an idle lane may not be one;
//! * where something asks for the numbers of miss records, which grow by one, or traces without the compiler knowing it.

use rtc_base::Span;
use rtc_ir::analysis::{Exits, RegionTree};
use rtc_ir::{Function, Inst, InstData, Module, Opcode, Region, SlotRole, Stage, SubobjectKind, Value};

use super::cost;
use crate::uniformity::Uniformity;

/// A trace, a call of a shader or a reorder point that not all lanes of a wave execute together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The instruction.
    pub trace: Inst,
    /// Where it is.
    pub span: Span,
    /// What diverges, outermost first.
    pub causes: Vec<Cause>,
    /// Instructions that are executed afterwards while the wave is split, in a rough count in which a loop repeats its body.
    pub work: u64,
    /// The region in which all lanes would trace: the one around the outermost of the causes.
    pub(super) target: Region,
    /// The outermost construct, if it is a loop whose iterations all lanes have, but which some of them continue before they come to the trace.
    pub(super) continued: Option<Inst>,
    /// Why lanes without work cannot trace there.
    pub obstacle: Option<String>,
}

/// A construct in which lanes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// `if`, `switch`, `loop`, or `block`.
    pub kind: &'static str,
    /// Where it is.
    pub span: Span,
    /// The expression whose value differs between lanes; of a loop or block, the condition of the first exit that not all of them take together.
    pub value: Span,
}

/// Why no trace of a module can be moved.
pub(super) fn of_module(m: &Module) -> Option<String> {
    let depth = m.subobjects.iter().find_map(|s| match s.kind {
        SubobjectKind::PipelineConfig(depth) | SubobjectKind::PipelineConfig1(depth, _) => Some(depth),
        _ => None,
    });
    if depth == Some(0) {
        return Some("the library declares a recursion depth of 0".into());
    }
    let mut why = None;
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            let runs = |func| m.funcs[func].inline.as_ref().is_none_or(|i| i.runs_shaders());
            let found = match f.insts[i] {
                InstData::Call { func, .. } if runs(func) => {
                    Some("functions of other libraries or inline SPIR-V may trace, with their own rows of the miss table")
                }
                _ if matches!(f.op(i), Opcode::hit_get_shader_table_index | Opcode::hit_set_shader_table_index) => {
                    Some("the library asks for numbers of shader records, which would be others")
                }
                _ => None,
            };
            why = why.or(found);
        });
    }
    why.map(str::to_owned)
}

/// The traces, calls and reorder points of `f` under divergent control flow, in the order of the text.
pub fn divergences(m: &Module, f: &Function) -> Vec<Divergence> {
    let mut traces = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if matches!(f.op(i), Opcode::trace_ray | Opcode::hit_trace | Opcode::hit_invoke | Opcode::call_shader | Opcode::reorder) {
            traces.push(i);
        }
    });
    if traces.is_empty() || !f.stage.is_raytracing() {
        return Vec::new();
    }
    let facts = Facts { f, uniform: Uniformity::in_step(m, f), tree: RegionTree::of(f), exits: Exits::of(f) };
    traces.into_iter().filter_map(|i| divergence(&facts, i)).collect()
}

/// Analyses of a function.
struct Facts<'a> {
    f: &'a Function,
    uniform: Uniformity,
    tree: RegionTree,
    exits: Exits,
}

impl Facts<'_> {
    /// The value by which lanes part in construct `c`.
    fn decides(&self, c: Inst) -> Option<Value> {
        let f = self.f;
        let varying = |v: Value| (!self.uniform.is_uniform(f, v)).then_some(v);
        match f.insts[c] {
            InstData::If { cond, .. } => varying(cond),
            InstData::Switch { on, .. } => varying(on),
            _ => self.exits.leave[c].iter().find_map(|&e| {
                let own = (f.op(e) == Opcode::next_if).then(|| varying(f.operands(e)[0])).flatten();
                let inside = around(f, &self.tree, e).into_iter().map(|p| p.1).take_while(|&i| i != c);
                own.or_else(|| {
                    inside.into_iter().find_map(|i| match f.insts[i] {
                        InstData::If { cond: v, .. } | InstData::Switch { on: v, .. } => varying(v),
                        _ => None,
                    })
                })
            }),
        }
    }

    /// If some lanes skip instruction `i`, which is in the body `r` of loop `c`, by an earlier `continue`: the branch that parts them.
    fn skips(&self, r: Region, c: Inst, i: Inst) -> Option<Inst> {
        let f = self.f;
        if !matches!(f.insts[c], InstData::Loop { body, .. } if body == r) {
            return None;
        }
        let earlier = self.exits.continues[c].iter().filter(|&&e| self.tree.number(e) < self.tree.number(i));
        earlier.into_iter().find_map(|&e| {
            let around = around(f, &self.tree, e).into_iter().map(|p| p.1).take_while(|&o| o != c);
            around.into_iter().find(|&o| self.uniform.diverges(f, o))
        })
    }

    fn cause(&self, c: Inst) -> Cause {
        let f = self.f;
        let value = self.decides(c).and_then(|v| f.def_inst(v)).map_or(Span::NONE, |i| f.spans[i]);
        Cause { kind: f.op(c).name(), span: f.spans[c], value }
    }
}

/// The regions from that of `i` to the body, each with the construct that owns it.
fn around(f: &Function, tree: &RegionTree, i: Inst) -> Vec<(Region, Inst)> {
    let mut out = Vec::new();
    let mut at = tree.region(i);
    while let Some((r, owner)) = at.and_then(|r| Some((r, f.regions[r].owner?))) {
        out.push((r, owner));
        at = tree.region(owner);
    }
    out
}

fn divergence(facts: &Facts, trace: Inst) -> Option<Divergence> {
    let Facts { f, uniform, tree, .. } = facts;
    let path = around(f, tree, trace);
    let parts = |&(r, c): &(Region, Inst)| {
        let own = uniform.diverges(f, c).then_some(c);
        own.or_else(|| facts.skips(r, c, trace))
    };
    let last = path.iter().rposition(|p| parts(p).is_some())?;
    let (body, outermost) = path[last];
    let continued = (!uniform.diverges(f, outermost)).then_some(outermost);
    let target = if continued.is_some() { body } else { tree.region(outermost)? };
    let mut causes: Vec<Inst> = path[..=last].iter().rev().filter_map(parts).collect();
    causes.dedup();
    let causes = causes.into_iter().map(|c| facts.cause(c)).collect();
    let continues = |&(r, c): &(Region, Inst)| matches!(f.insts[c], InstData::Loop { continuing, .. } if continuing == r);
    let obstacle = if let Some(why) = immovable(f, trace) {
        Some(why)
    } else if path[..=last].iter().any(continues) {
        Some("it is in what a loop does between two iterations")
    } else if f.op(trace) != Opcode::hit_invoke && !same_scene(f, f.operands(trace)[0]) {
        Some("the acceleration structure may differ by lane")
    } else if f.stage != Stage::RayGeneration && !traced_before(f, tree, outermost) {
        Some(
            "a lane without work may be at the largest depth of recursion, where it may not trace; a trace before it by all lanes would say that it is not",
        )
    } else {
        None
    };
    let in_loop = path[..=last].iter().rev().map(|p| p.1).find(|&c| matches!(f.insts[c], InstData::Loop { .. }));
    let work = cost::work_after(f, tree, outermost, in_loop);
    Some(Divergence { trace, span: f.spans[trace], causes, work, target, continued, obstacle: obstacle.map(str::to_owned) })
}

/// Why an instruction of this kind stays where it is.
fn immovable(f: &Function, i: Inst) -> Option<&'static str> {
    let InstData::Slot { op, slot, .. } = f.insts[i] else {
        return Some("a thread that does not come to a reorder point stays where it is");
    };
    if op == Opcode::call_shader {
        return Some("a record without a shader is defined for miss shaders, and not for callable shaders");
    }
    if f.slots[slot].role != SlotRole::PayloadOut {
        return Some("its payload is that of the shader, which all lanes have");
    }
    // Threads part at the reorder, and a trace that is next to it may be one instruction with it.
    let hit = match op {
        Opcode::hit_trace => f.results(i).first().copied(),
        Opcode::hit_invoke => f.operands(i).first().copied(),
        _ => None,
    };
    let mut reordered = false;
    f.for_each_inst(f.body, |_, j| reordered |= f.op(j) == Opcode::reorder && f.operands(j).first().copied() == hit);
    reordered.then_some("threads are reordered by its hit object, which parts them anyway")
}

/// Whether a handle is that of one resource for all lanes.
fn same_scene(f: &Function, scene: Value) -> bool {
    let Some(i) = f.def_inst(scene) else { return false };
    match f.insts[i] {
        InstData::Resource { index, nonuniform, .. } => !nonuniform && index.expand().is_none_or(|v| f.as_const(v).is_some()),
        InstData::Many { op: Opcode::heap_resource, args, .. } => f.get(args).iter().all(|&v| f.as_const(v).is_some()),
        _ => false,
    }
}

/// Whether each lane that comes to `c` has traced before.
fn traced_before(f: &Function, tree: &RegionTree, c: Inst) -> bool {
    let regions = tree.region(c).into_iter().chain(around(f, tree, c).into_iter().filter_map(|(_, owner)| tree.region(owner)));
    regions.into_iter().any(|r| {
        let earlier = f.regions[r].insts.iter().take_while(|&&i| tree.number(i) < tree.number(c) && tree.end_of(f, i) <= tree.number(c));
        earlier.into_iter().any(|&i| matches!(f.op(i), Opcode::trace_ray | Opcode::hit_trace))
    })
}
