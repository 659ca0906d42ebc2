//! `texel_offsets`: makes the texel offsets of samples constant that are only constant after unrolling and folding.
//!
//! Direct3D before shader model 6.7 and Vulkan want constants, and HLSL lets a program compute them, also of the counter of a loop. Where an
//! offset is no constant yet, the loops around the sample are unrolled as if `[unroll]` were written there, and the function is folded, at every
//! level. What is no constant then is the program's mistake, and the target says so.

use rtc_ir::analysis::RegionTree;
use rtc_ir::{Func, Function, Hint, Inst, InstData, Module, Opcode, Stage, Value};
use rtc_tables::resources::TexOperands;

use crate::pipeline::optimize_these;
use crate::{Changed, PassCtx, PassError, mem2reg, sroa, unroll};

/// The pass.
pub(crate) fn run(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let todo: Vec<Func> = m.funcs.iter().filter(|(_, f)| !computed_offsets(f).is_empty()).map(|(id, _)| id).collect();
    if todo.is_empty() {
        return Ok(Changed::No);
    }
    let mut out = Function::new("", Stage::Library);
    for &id in &todo {
        std::mem::swap(&mut out, &mut m.funcs[id]);
        let samples = computed_offsets(&out);
        unroll_around(&mut out, &samples);
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

/// The instructions with an offset that is no constant.
fn computed_offsets(f: &Function) -> Vec<Inst> {
    let mut found = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Many { op, imm, .. } = f.insts[i]
            && op.takes_tex_operands()
            && !matches!(op, Opcode::gather | Opcode::gather_cmp | Opcode::gather_raw)
            && TexOperands::from_bits_retain(imm).contains(TexOperands::OFFSET)
            && let Some(&offset) = f.operands(i).get(op.fixed_operands())
            && !is_constant(f, offset)
        {
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
