//! `constant_operands`: makes operands constant that are only constant after unrolling and folding: the texel offsets of samples, the vertices of
//! attributes.
//!
//! Direct3D before shader model 6.7 and Vulkan require constant offsets, Direct3D requires constant vertices, and HLSL lets a program compute them, also of
//! the counter of a loop. Where one is no constant yet, the loops around the operation are unrolled as if `[unroll]` were written there, and the
//! function is folded, at every level. An offset that is no constant then is the program's mistake, and the target says so; of a vertex, the target
//! chooses among all.

use rtc_ir::analysis::RegionTree;
use rtc_ir::{Func, Function, Hint, Inst, InstData, Module, Opcode, Stage, Value};
use rtc_tables::resources::TexOperands;

use crate::pipeline::optimize_these;
use crate::{Changed, PassCtx, PassError, mem2reg, sroa, unroll};

/// The pass.
pub(crate) fn run(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let todo: Vec<Func> = m.funcs.iter().filter(|(_, f)| !computed_operands(f).is_empty()).map(|(id, _)| id).collect();
    if todo.is_empty() {
        return Ok(Changed::No);
    }
    let mut out = Function::new("", Stage::Library);
    for &id in &todo {
        std::mem::swap(&mut out, &mut m.funcs[id]);
        let found = computed_operands(&out);
        unroll_around(&mut out, &found);
        unroll::function(m, &mut out);
        out.settled = false;
        std::mem::swap(&mut out, &mut m.funcs[id]);
    }
    optimize_these(m, cx, todo.clone())?;
    let mut split = Vec::new();
    for id in todo {
        // Constant indices split what the loops indexed.
        if sroa::function(m, id) | mem2reg::function(m, id) {
            split.push(id);
        }
    }
    optimize_these(m, cx, split)?;
    Ok(Changed::Yes)
}

/// The instructions with such an operand that is no constant.
fn computed_operands(f: &Function) -> Vec<Inst> {
    let mut found = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        let InstData::Many { op, imm, .. } = f.insts[i] else { return };
        let offset = op.takes_tex_operands()
            && !matches!(op, Opcode::gather | Opcode::gather_cmp | Opcode::gather_raw)
            && TexOperands::from_bits_retain(imm).contains(TexOperands::OFFSET);
        let number = match op {
            Opcode::attribute_at_vertex => 1,
            _ if offset => op.fixed_operands(),
            _ => return,
        };
        if f.operands(i).get(number).is_some_and(|&v| !is_constant(f, v)) {
            found.push(i);
        }
    });
    found
}

/// Whether every component is a constant.
fn is_constant(f: &Function, v: Value) -> bool {
    match f.def_inst(v).map(|d| f.insts[d]) {
        Some(InstData::Many { op: Opcode::construct, args, .. }) => f.get(args).iter().all(|&a| f.as_const(a).is_some()),
        _ => f.as_const(v).is_some(),
    }
}

/// Asks for the loops around some instructions to be unrolled, if they do not say that they stay loops.
fn unroll_around(f: &mut Function, insts: &[Inst]) {
    let tree = RegionTree::of(f);
    for &i in insts {
        let mut at = i;
        while let Some(around) = tree.loop_around(at) {
            if f.hints[around] == Hint::None {
                f.hints[around] = Hint::Unroll(unroll::MAX_ITERATIONS);
            }
            at = around;
        }
    }
}
