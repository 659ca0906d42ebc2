//! What exact instructions ask of an entry point besides `NoContraction`: that NaN, infinities and the sign of zero are kept.

use rtc_ir::{Function, Module, Scalar};
use spirv::{Capability, ExecutionMode, Op};

use super::Emitter;
use crate::words::put;

/// Declares for entry point `f`, which is function `id`, that numbers of the widths of its exact instructions are kept as they are.
pub(crate) fn keep_special_numbers(e: &mut Emitter<'_>, f: &Function, id: u32) {
    let mut widths = widths(e.m, f);
    if let Some(patch) = f.state.patch_constants() {
        widths.extend(self::widths(e.m, &e.m.funcs[patch]));
    }
    widths.sort_unstable();
    widths.dedup();
    for bits in widths {
        let mode = [id, ExecutionMode::SignedZeroInfNanPreserve as u32, bits];
        // The source may ask for it, too.
        if e.w.modes.windows(mode.len()).any(|words| words == mode) {
            continue;
        }
        e.w.capability(Capability::SignedZeroInfNanPreserve, || format!("`{}` computes something `precise`", f.name));
        put(&mut e.w.modes, Op::ExecutionMode, &mode);
    }
}

/// The widths of the numbers that exact instructions compute with.
fn widths(m: &Module, f: &Function) -> Vec<u32> {
    let mut out = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if f.is_precise(i)
            && let Some(&x) = f.operands(i).first()
            && let Some((s @ (Scalar::F16 | Scalar::F32 | Scalar::F64), _)) = m.types.numeric(f.ty(x))
            && !out.contains(&s.bits())
        {
            out.push(s.bits());
        }
    });
    out
}
