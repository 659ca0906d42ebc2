//! Which traces are under divergent control flow, what diverges there, and obstacles to moving them.
//!
//! A trace may be executed by lanes that do not trace in the source wherever that shows nowhere. It would show
//!
//! * in closest-hit and miss shaders at the largest depth of recursion, where the source's condition may be what ends the recursion; so another trace
//!   must have been executed before, at the same depth;
//! * where lanes name different acceleration structures, because that of an idle lane may not be one;
//! * where something asks for the numbers of miss records, which grow by one, or traces without the compiler knowing it.

use rtc_base::Span;
use rtc_ir::analysis::RegionTree;
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
    let (uniform, tree) = (Uniformity::of(m, f), RegionTree::of(f));
    traces.into_iter().filter_map(|i| divergence(f, &uniform, &tree, i)).collect()
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

fn divergence(f: &Function, uniform: &Uniformity, tree: &RegionTree, trace: Inst) -> Option<Divergence> {
    let path = around(f, tree, trace);
    let last = path.iter().rposition(|&(_, c)| uniform.diverges(f, c))?;
    let outermost = path[last].1;
    let target = tree.region(outermost)?;
    let causes = path[..=last].iter().rev().filter(|p| uniform.diverges(f, p.1));
    let causes = causes.map(|&(_, c)| Cause { kind: f.op(c).name(), span: f.spans[c] }).collect();
    let continues = |&(r, c): &(Region, Inst)| matches!(f.insts[c], InstData::Loop { continuing, .. } if continuing == r);
    let plain = matches!(f.insts[trace], InstData::Slot { op: Opcode::trace_ray, slot, .. } if f.slots[slot].role == SlotRole::PayloadOut);
    let obstacle = if !plain {
        Some("only plain traces are moved")
    } else if path[..=last].iter().any(continues) {
        Some("it is in what a loop does between two iterations")
    } else if !same_scene(f, f.operands(trace)[0]) {
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
    Some(Divergence { trace, span: f.spans[trace], causes, work, target, obstacle: obstacle.map(str::to_owned) })
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
