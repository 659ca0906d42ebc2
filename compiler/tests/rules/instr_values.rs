//! Cases of rules for instructions, opcodes, arithmetic, memory and barriers.

use super::Case;
use super::edit::Edit;
use rtc_dxil_module::{BinOp, CastOp, Func, Inst, Op, Ordering, Type, Value};
use rtc_tables::validation::rule;

const PLAIN: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer o; RWBuffer<float> f;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  float x = f[i];
  f[i] = log(x) + asin(x) + acos(x) + ddx(x) + sqrt(x);
  o.Store(4 * i, (int(i) - 7) / int(i + 9) + (i + 3) / (i + 5));
}";

const SHARED: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer o;
groupshared uint g[16]; groupshared uint n;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  g[i] = i; InterlockedAdd(n, i); GroupMemoryBarrierWithGroupSync(); o.Store(4 * i, g[i ^ 1] + n);
}";

const SMALL: &str = "// rtc -T cs_6_5 -E main
RWBuffer<min16float> f;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { min16float x = f[i]; f[i] = x * x; }";

const BARRIERS: &str = "// rtc -T cs_6_8 -E main
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  o.Store(4 * i, i); Barrier(UAV_MEMORY, GROUP_SYNC | GROUP_SCOPE); o.Store(4 * i + 128, i);
}";

const GENERATE: &str = "// rtc -T lib_6_6
RWByteAddressBuffer o;
[shader(\"raygeneration\")] void Gen() { o.Store(0, 1); DeviceMemoryBarrier(); o.Store(4, 1); }";

fn binary(e: &Edit, wanted: BinOp) -> (Func, Inst) {
    e.find(|op| matches!(op, Op::Binary { op, .. } if *op == wanted))
}

/// Makes the divisor of a division zero.
fn divide_by_zero(e: &mut Edit, op: BinOp) {
    let zero = e.m.i32(0);
    let at = binary(e, op);
    if let Op::Binary { rhs, .. } = e.op(at) {
        *rhs = zero;
    }
}

/// Gives the first call of an operation another opcode.
fn opcode(e: &mut Edit, op: &str, code: u32) {
    e.give_i32(op, 0, code as i32);
}

/// A pointer type.
fn pointer(e: &mut Edit, to: Type, space: u32) -> Type {
    e.m.types.ptr_in(to, space)
}

/// The address of the first groupshared variable that is an array, or that is none.
fn shared(e: &Edit, array: bool) -> Value {
    let is = |ty: Type| matches!(e.m.types[ty], rtc_dxil_module::TypeKind::Array { .. });
    let (g, _) = e.m.globals.iter().find(|(_, g)| g.space == 3 && is(g.ty) == array).expect("a variable");
    Value::Global(g)
}

fn cast(e: &mut Edit, op: CastOp, value: Value, to: Type) {
    let func = e.main();
    e.insert(func, to, Op::Cast { op, value });
}

/// Reinterprets the address of a structure.
fn bitcast_struct(e: &mut Edit) {
    let (func, i32) = (e.main(), e.m.types.i32());
    let one = e.m.i32(1);
    let record = e.m.types.named_struct("struct.Record", &[i32]);
    let ptr = pointer(e, record, 0);
    let room = e.insert(func, ptr, Op::Alloca { allocated: record, count: one, align: 4 });
    let to = pointer(e, i32, 0);
    cast(e, CastOp::BitCast, Value::Inst(room), to);
}

/// Takes a constant element out of a groupshared array that it does not have.
fn far_element(e: &mut Edit) {
    let array = shared(e, true);
    let far = e.m.i32(16);
    let (func, gep) = e.find(|op| matches!(op, Op::Gep { .. }));
    let Op::Gep { operands, .. } = *e.op((func, gep)) else { panic!("no address") };
    assert_eq!(e.body(func).values(operands)[0], array);
    *e.body(func).values_mut(operands).last_mut().expect("an index") = far;
}

/// Adds to a variable on the stack.
fn atomic_on_stack(e: &mut Edit) {
    let (func, i32) = (e.main(), e.m.types.i32());
    let (one, ptr) = (e.m.i32(1), e.m.types.ptr(i32));
    let room = e.insert(func, ptr, Op::Alloca { allocated: i32, count: one, align: 4 });
    let op = rtc_dxil_module::RmwOp::Add;
    let (ordering, ptr) = (Ordering::Monotonic, Value::Inst(room));
    e.insert(func, i32, Op::AtomicRmw { op, ptr, value: one, ordering, volatile: false, cross_thread: true });
}

/// Takes a number that is no constant for argument `n` of an operation.
fn vary(e: &mut Edit, op: &str, n: usize) {
    let value = Value::Inst(e.call("FlattenedThreadIdInGroup").1);
    e.give(op, n, value);
}

/// Marks a multiplication as precise.
fn precise(e: &mut Edit) {
    let at = binary(e, BinOp::Mul);
    let node = e.numbers(&[1]);
    e.attach(at, "dx.precise", node);
}

/// An operation on a type that it does not have, by a function that would be right.
fn square_root_of_integer(e: &mut Edit) {
    let (i32, four) = (e.m.types.i32(), e.m.i32(4));
    e.insert_call("Sqrt", "dx.op.unary.i32", i32, &[four]);
}

/// An operation with a parameter too few.
fn group_without_component(e: &mut Edit) {
    let i32 = e.m.types.i32();
    e.insert_call("GroupId", "dx.op.groupId.i32", i32, &[]);
}

/// A field of a structure that no operation made.
fn field_of_record(e: &mut Edit) {
    let (func, i32) = (e.main(), e.m.types.i32());
    let record = e.m.types.anon_struct(&[i32, i32]);
    let value = e.m.null(record);
    let path = e.body(func).indices(&[0]);
    e.insert(func, i32, Op::ExtractValue { value, path });
}

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case {
        rule: rule::INSTR_ALLOWED,
        source: PLAIN,
        edit: |e| {
            let (func, void) = (e.main(), e.m.types.void());
            e.insert(func, void, Op::Fence { ordering: Ordering::AcqRel, cross_thread: true });
        },
        reference: "",
    },
    Case {
        rule: rule::INSTR_ALLOWED,
        source: PLAIN,
        edit: |e| {
            let (float, one) = (e.m.types.float(), e.m.f32(1.0));
            let vector = e.m.types.vector(float, 2);
            let (vector, index, func) = (e.m.null(vector), e.m.i32(0), e.main());
            let ty = e.m.value_type(None, vector).expect("a type");
            e.insert(func, ty, Op::InsertElement { vector, value: one, index });
        },
        reference: "",
    },
    Case { rule: rule::INSTR_OP_CONST, source: SHARED, edit: |e| vary(e, "Barrier", 1), reference: "" },
    Case { rule: rule::INSTR_OP_CONST, source: PLAIN, edit: |e| vary(e, "Sqrt", 0), reference: "" },
    Case { rule: rule::INSTR_OPCODE_RESERVED, source: PLAIN, edit: |e| opcode(e, "Sqrt", 230), reference: "" },
    Case { rule: rule::INSTR_OPCODE_ILLEGAL, source: PLAIN, edit: |e| opcode(e, "Sqrt", 5000), reference: "" },
    Case { rule: rule::INSTR_OP_FUNCTION, source: PLAIN, edit: |e| opcode(e, "Sqrt", 46), reference: "" },
    Case { rule: rule::INSTR_OVERLOAD, source: PLAIN, edit: square_root_of_integer, reference: "" },
    Case { rule: rule::INSTR_CALL_OVERLOAD, source: PLAIN, edit: group_without_component, reference: "" },
    Case {
        rule: rule::INSTR_UNINITIALIZED,
        source: PLAIN,
        edit: |e| {
            let i32 = e.m.types.i32();
            let undef = e.m.undef(i32);
            let at = binary(e, BinOp::SDiv);
            if let Op::Binary { lhs, .. } = e.op(at) { *lhs = undef; }
        },
        reference: "",
    },
    Case { rule: rule::INSTR_EXTRACT_VALUE, source: PLAIN, edit: field_of_record, reference: "" },
    Case { rule: rule::INSTR_SDIV_ZERO, source: PLAIN, edit: |e| divide_by_zero(e, BinOp::SDiv), reference: "" },
    Case { rule: rule::INSTR_UDIV_ZERO, source: PLAIN, edit: |e| divide_by_zero(e, BinOp::UDiv), reference: "" },
    Case { rule: rule::INSTR_LOG, source: PLAIN, edit: |e| e.give_f32("Log", 1, f32::INFINITY), reference: "" },
    Case { rule: rule::INSTR_ASIN, source: PLAIN, edit: |e| e.give_f32("Asin", 1, f32::NEG_INFINITY), reference: "" },
    Case { rule: rule::INSTR_ACOS, source: PLAIN, edit: |e| e.give_f32("Acos", 1, f32::INFINITY), reference: "" },
    Case { rule: rule::INSTR_DERIVATIVE, source: PLAIN, edit: |e| e.give_f32("DerivCoarseX", 1, f32::INFINITY), reference: "" },
    Case { rule: rule::INSTR_IN_BOUNDS, source: SHARED, edit: far_element, reference: "" },
    Case {
        rule: rule::INSTR_TGSM_POINTER,
        source: SHARED,
        edit: |e| {
            let (then, cond, func) = (shared(e, true), e.m.i1(true), e.main());
            let ty = e.m.value_type(None, then).expect("a type");
            e.insert(func, ty, Op::Select { cond, then, other: then });
        },
        reference: "",
    },
    Case {
        rule: rule::INSTR_PTR_BITCAST,
        source: SHARED,
        edit: |e| {
            let i32 = e.m.types.i32();
            let (value, to) = (shared(e, true), pointer(e, i32, 3));
            cast(e, CastOp::BitCast, value, to);
        },
        reference: "",
    },
    Case { rule: rule::INSTR_STRUCT_BITCAST, source: PLAIN, edit: bitcast_struct, reference: "" },
    Case {
        rule: rule::INSTR_SPACE_CAST,
        source: SHARED,
        edit: |e| {
            let i32 = e.m.types.i32();
            let (value, to) = (shared(e, false), pointer(e, i32, 0));
            cast(e, CastOp::AddrSpaceCast, value, to);
        },
        reference: "",
    },
    Case {
        rule: rule::INSTR_MIN_PRECISION_BITCAST,
        source: SMALL,
        edit: |e| {
            let (value, to) = (e.m.const_int(16, 3), e.m.types.half());
            cast(e, CastOp::BitCast, value, to);
        },
        reference: "",
    },
    Case { rule: rule::INSTR_MIN_PRECISION_PRECISE, source: SMALL, edit: precise, reference: "" },
    Case { rule: rule::INSTR_ATOMIC_MEMORY, source: SHARED, edit: atomic_on_stack, reference: "" },
    Case {
        rule: rule::INSTR_ATOMIC_CONST,
        source: SHARED,
        edit: |e| {
            let Value::Global(g) = shared(e, false) else { return };
            e.m.globals[g].constant = true;
        },
        reference: "",
    },
    Case { rule: rule::INSTR_BARRIER_GROUP, source: SHARED, edit: |e| e.give_i32("Barrier", 1, 15), reference: "" },
    Case { rule: rule::INSTR_BARRIER_MEMORY, source: SHARED, edit: |e| e.give_i32("Barrier", 1, 1), reference: "" },
    Case { rule: rule::INSTR_BARRIER_STAGE, source: GENERATE, edit: |e| e.give_i32("Barrier", 1, 8), reference: "" },
    Case { rule: rule::INSTR_BARRIER_FLAG, source: BARRIERS, edit: |e| e.give_i32("BarrierByMemoryType", 1, 17), reference: "" },
    Case { rule: rule::INSTR_BARRIER_FLAG, source: BARRIERS, edit: |e| e.give_i32("BarrierByMemoryType", 2, 16), reference: "" },
    Case { rule: rule::INSTR_BARRIER_CONST, source: BARRIERS, edit: |e| vary(e, "BarrierByMemoryType", 2), reference: "" },
    Case { rule: rule::INSTR_BARRIER_NODE, source: BARRIERS, edit: |e| e.give_i32("BarrierByMemoryType", 1, 5), reference: "" },
];
