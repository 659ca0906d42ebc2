//! What exact instructions ask of an entry point besides `NoContraction`: that NaN, infinities and the sign of zero are kept.

use rtc_ir::{Function, Module, Scalar};
use spirv::{Capability, ExecutionMode};

use super::Emitter;
use crate::words::Id;

/// Declares for entry point `f`, which is function `id`, that numbers of the widths of its exact instructions are kept as they are.
pub(crate) fn keep_special_numbers(e: &mut Emitter<'_>, f: &Function, id: Id) {
    let mut widths = widths(e.m, f);
    if let Some(patch) = f.state.patch_constants() {
        widths.extend(self::widths(e.m, &e.m.funcs[patch]));
    }
    widths.sort_unstable();
    widths.dedup();
    for bits in widths {
        let mode = ExecutionMode::SignedZeroInfNanPreserve;
        // The source may ask for it, too.
        let known = [id.word(), mode as u32, bits];
        if e.w.modes.windows(known.len()).any(|words| words == known) {
            continue;
        }
        e.w.capability(Capability::SignedZeroInfNanPreserve, || format!("`{}` computes something `precise`", f.name));
        e.w.execution_mode(id, mode, &[bits]);
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
