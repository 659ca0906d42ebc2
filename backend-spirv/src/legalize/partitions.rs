//! Legalisation of operations over lanes with the same value or mask, as loops over the sets of such lanes.
//!
//! SPIR-V has them in an extension that few devices support. Each iteration takes the first lane that is left and
//! all that equal it: those lanes execute an ordinary wave operation among themselves, and leave. Values are
//! compared by their bits, so that every lane leaves once.

use rtc_base::Span;
use rtc_ir::{Builder, Function, Inst, InstData, Opcode, Region, Scalar, TypeTable, Value};

/// Replaces `wave_match`, `wave_multi_prefix_op` and `wave_multi_prefix_bit_count` in `f`.
pub fn run(types: &mut TypeTable, f: &mut Function) {
    let mut found: Vec<(Region, Inst)> = Vec::new();
    f.for_each_inst(f.body, |r, i| {
        let op = f.op(i);
        if matches!(op, Opcode::wave_match | Opcode::wave_multi_prefix_op | Opcode::wave_multi_prefix_bit_count) {
            found.push((r, i));
        }
    });
    for (r, i) in found {
        let at = f.regions[r].insts.iter().position(|&x| x == i).expect("it was found there");
        let after = f.regions[r].insts.split_off(at + 1);
        f.regions[r].insts.pop();
        replace(types, f, r, i);
        f.regions[r].insts.extend(after);
    }
}

/// Appends what stands for `i` to region `r`.
fn replace(types: &mut TypeTable, f: &mut Function, r: Region, i: Inst) {
    let (data, span) = (f.insts[i], f.spans[i]);
    let args = f.operands(i);
    let result = f.result(i);
    let ty = f.ty(result);
    let (body, continuing) = (f.add_region(), f.add_region());
    let (then_, else_) = (f.add_region(), f.add_region());
    let mut b = at(types, f, r, span);
    let key = bits(&mut b, *args.last().expect("it has operands"));
    b.region = body;
    let first = b.unary(Opcode::wave_read_lane_first, key);
    let same = b.binary(Opcode::ieq, key, first);
    let same = all(&mut b, same);
    b.if_(same, then_, else_, &[]);
    b.exit_to(Opcode::continue_, body, &[]);
    b.region = then_;
    let x = match data {
        InstData::Many { imm, .. } => b.many_value(Opcode::wave_prefix_op, imm, &args[..1], ty),
        InstData::Binary { .. } => b.unary(Opcode::wave_prefix_bit_count, args[0]),
        _ => {
            let yes = b.func.const_bool(true);
            b.unary(Opcode::wave_ballot, yes)
        }
    };
    b.exit_to(Opcode::break_, body, &[x]);
    b.region = else_;
    b.exit(Opcode::yield_, &[]);
    b.region = continuing;
    b.exit(Opcode::next, &[]);
    b.region = r;
    let made = b.loop_(&[], body, continuing, &[ty]);
    f.set_results(made, &[result]);
}

fn at<'a>(types: &'a mut TypeTable, f: &'a mut Function, r: Region, span: Span) -> Builder<'a> {
    let mut b = Builder::at(types, f, r);
    b.span = span;
    b
}

/// A value as integers.
fn bits(b: &mut Builder, v: Value) -> Value {
    let ty = b.func.ty(v);
    let (s, n) = b.types.numeric(ty).expect("a number");
    let int = match s {
        Scalar::Bool => Scalar::I32,
        _ => Scalar::int(s.bits()).unwrap_or(s),
    };
    if int == s {
        return v;
    }
    let to = b.types.vector(int, n);
    let op = if s == Scalar::Bool { Opcode::zext } else { Opcode::bitcast };
    b.convert(op, v, to)
}

/// Whether all components hold.
fn all(b: &mut Builder, v: Value) -> Value {
    let n = b.types.lanes(b.func.ty(v));
    let mut out = b.extract(v, 0);
    for c in 1..n {
        let x = b.extract(v, c);
        out = b.binary(Opcode::and, out, x);
    }
    out
}
