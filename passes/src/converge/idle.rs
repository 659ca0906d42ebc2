//! What a lane without work traces: a ray that meets nothing, and a row of the miss table without a shader. What it invokes: a miss of that row.

use rtc_ir::{Builder, Function, Inst, InstData, Module, Opcode, Region, Type, TypeTable, Value};
use rtc_tables::hit_lowering as tables;

use crate::util::all_regions;

/// Operands of a trace.
const MASK: usize = 2;
const MISS: usize = 5;
const ORIGIN: usize = 6;
const TMIN: usize = 7;
const DIRECTION: usize = 8;
const TMAX: usize = 9;

/// Where the ray of an idle lane begins, on each axis: far from all that is traced, so that it meets no box of an acceleration structure.
const FAR: f32 = 1e18;

/// Whether the miss table has a row without a shader anyway: that which recording traces name, where hit objects are lowered.
pub(super) fn has_null_row(m: &Module) -> bool {
    m.globals.values().any(|g| g.name == tables::TAIL)
}

/// The index of a miss shader that an idle lane names before rows are shifted: the one that becomes [`tables::NULL_MISS_ROW`].
pub(super) fn null_index(m: &Module) -> u32 {
    if has_null_row(m) { tables::RECORDING_ROW } else { tables::NULL_MISS_ROW.wrapping_sub(1) & 0xffff }
}

/// Makes each row of the miss table that the module names the one after it, of which a trace takes 16 bits.
pub(super) fn shift_rows(m: &mut Module) {
    for id in m.funcs.keys().collect::<Vec<_>>() {
        let f = &mut m.funcs[id];
        for r in all_regions(f) {
            for i in std::mem::take(&mut f.regions[r].insts) {
                let at = match f.op(i) {
                    Opcode::trace_ray | Opcode::hit_trace => Some(MISS),
                    Opcode::hit_make_miss => Some(1),
                    _ => None,
                };
                if let Some(at) = at {
                    let mut args = f.operands(i).to_vec();
                    let mut b = Builder::at(&mut m.types, f, r);
                    b.span = b.func.spans[i];
                    let (one, mask) = (b.func.const_u32(1), b.func.const_u32(0xffff));
                    let next = b.binary(Opcode::iadd, args[at], one);
                    args[at] = b.binary(Opcode::and, next, mask);
                    set_operands(f, i, &args);
                    f.settled = false;
                }
                f.regions[r].insts.push(i);
            }
        }
    }
}

/// Gives an instruction of formats `Slot` and `Many` other operands.
pub(super) fn set_operands(f: &mut Function, i: Inst, values: &[Value]) {
    let list = f.list(values);
    match &mut f.insts[i] {
        InstData::Slot { args, .. } | InstData::Many { args, .. } | InstData::Loop { init: args, .. } => *args = list,
        _ => rtc_base::bug!("{i} has no list of operands"),
    }
}

/// For each operand of trace or invocation `i`, what an idle lane has in its place; nothing for what all lanes have. Instructions that make it go to the end of
/// `region`.
pub(super) fn operands(types: &mut TypeTable, f: &mut Function, region: Region, i: Inst, null: u32) -> Vec<Option<Value>> {
    let args = f.operands(i).to_vec();
    match f.op(i) {
        // Not a nop, which SPIR-V does not define the invocation of.
        Opcode::hit_invoke => vec![Some(miss(types, f, region, null))],
        _ => of_trace(types, f, region, &args, null),
    }
}

/// A hit object that is a miss of a row without a shader.
fn miss(types: &mut TypeTable, f: &mut Function, region: Region, null: u32) -> Value {
    let mut b = Builder::at(types, f, region);
    let (flags, row) = (b.func.const_u32(0), b.func.const_u32(null));
    let (zero, one) = (b.func.const_f32(0.0), b.func.const_f32(1.0));
    let (origin, direction) = (b.splat(zero, 3), b.construct(&[zero, zero, one]));
    b.many_value(Opcode::hit_make_miss, 0, &[flags, row, origin, zero, direction, one], Type::HIT_OBJECT)
}

fn of_trace(types: &mut TypeTable, f: &mut Function, region: Region, args: &[Value], null: u32) -> Vec<Option<Value>> {
    let constant = |f: &Function, n: usize| f.as_const(args[n]).is_some();
    let extent = constant(f, TMIN) && constant(f, TMAX);
    let mut b = Builder::at(types, f, region);
    let mut out = Vec::with_capacity(args.len());
    for n in 0..args.len() {
        let (zero, float, one) = (b.func.const_u32(0), b.func.const_f32(0.0), b.func.const_f32(1.0));
        out.push(match n {
            // The plan knows that it is the same in all lanes.
            0 => None,
            MASK if b.func.as_const(args[n]) == Some(0) => None,
            MASK => Some(zero),
            MISS => Some(b.func.const_u32(null)),
            ORIGIN => {
                let far = b.func.const_f32(FAR);
                Some(b.splat(far, 3))
            }
            DIRECTION if is_fixed(b.func, args[n]) => None,
            DIRECTION => Some(b.construct(&[float, float, one])),
            TMIN => (!extent).then_some(float),
            TMAX => (!extent).then_some(one),
            _ => (!constant(b.func, n)).then_some(zero),
        });
    }
    out
}

/// The most instructions that a number is from constants.
const MAX_STEPS: u32 = 4;

/// Whether a number follows from constants in a few steps, such as a vector of them.
pub(super) fn is_fixed(f: &Function, v: Value) -> bool {
    fn within(f: &Function, v: Value, steps: u32) -> bool {
        let made = || {
            let i = f.def_inst(v).filter(|_| steps > 0)?;
            let plain = !f.owns_regions(i) && f.results(i).len() == 1 && !makes_handle(f, i) && f.op(i).effects().is_pure();
            let of = f.operands(i);
            Some(plain && !of.is_empty() && of.iter().all(|&o| within(f, o, steps - 1)))
        };
        f.as_const(v).is_some() || made() == Some(true)
    }
    within(f, v, MAX_STEPS)
}

/// Whether an instruction makes a handle out of numbers.
pub(super) fn makes_handle(f: &Function, i: Inst) -> bool {
    matches!(f.insts[i], InstData::Resource { .. } | InstData::Many { op: Opcode::heap_resource, .. })
}
