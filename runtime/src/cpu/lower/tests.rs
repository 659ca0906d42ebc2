//! What becomes of each DXIL operation.

use super::layout;
use rtc_dxil::module::Module;
use super::*;
use crate::cpu::ops as runtime;
use rtc_dxil::module::Value;
use rtc_tables::dxil_ops::{DxilOp, OPS, OpTy, op, stage};

/// Operations of the stages that run here which are nowhere, by how their names begin, and why.
const NOWHERE: &[(&str, &str)] = &[
    ("TempReg", "no compiler writes them"),
    ("MinPrecXReg", "no compiler writes them"),
    ("LoadInput", "only shaders with signatures have inputs"),
    ("StoreOutput", "only shaders with signatures have outputs"),
    ("WriteSamplerFeedback", "there are no feedback maps here"),
    ("LinAlg", "there are no matrices of waves here"),
];

/// The stages that run here.
const STAGES: u16 = stage::CS | stage::LIB | stage::RG | stage::IS | stage::AH | stage::CH | stage::MISS | stage::CL;

/// Whether an operation becomes instructions of the processor.
fn is_inline(op: &DxilOp) -> bool {
    let mut m = Module::new();
    let (void, byte, float, int, bit) = (m.types.void(), m.types.i8(), m.types.float(), m.types.i32(), m.types.i1());
    let (thread, floats) = (m.types.ptr(byte), m.types.vector(float, 2));
    let whole = [op::BFREV, op::IMAX, op::IMIN, op::UMAX, op::UMIN, op::IMAD, op::UMAD, op::COUNTBITS].contains(&op.opcode);
    let ty = if whole { int } else if op.opcode == op::FDOT { floats } else { float };
    let mut params = vec![thread];
    params.extend(op.params.iter().map(|p| if p.1 == OpTy::I1 { bit } else { ty }));
    let of = m.types.function(void, &params);
    let func = m.add_function("f", of);
    let block = m.define(func).block();
    let index = vec![m.i32(0); op.params.len()];
    if system::value(&mut m, func, block, op, &index, float).is_ok_and(|v| v.is_some()) {
        return true;
    }
    let args: Vec<Value> = (1..params.len()).map(|n| Value::Arg(n as u32)).collect();
    let result = if op.name.starts_with("Is") { bit } else if op.opcode == op::FDOT { float } else { ty };
    m.edit(func, block).is_some_and(|mut b| math::inline(op, &mut b, &args, result).is_some())
}

#[test]
fn every_operation_is_somewhere_or_says_why_not() {
    let mut nowhere: Vec<&str> = Vec::new();
    for op in OPS.iter().filter(|op| op.stages & STAGES != 0) {
        let there = runtime::has(op.opcode) || is_inline(op);
        let why = NOWHERE.iter().find(|n| op.name.starts_with(n.0));
        assert!(!there || why.is_none(), "{} is there", op.name);
        if !there && why.is_none() {
            nowhere.push(op.name);
        }
    }
    assert!(nowhere.is_empty(), "{} operations are nowhere: {nowhere:#?}", nowhere.len());
    for (name, _) in NOWHERE {
        assert!(OPS.iter().any(|op| op.name.starts_with(name)), "{name}");
    }
}

#[test]
fn types_lie_as_llvm_puts_them() {
    let mut m = Module::new();
    let (byte, half, float, double, word) = (m.types.i8(), m.types.half(), m.types.float(), m.types.double(), m.types.i64());
    assert_eq!([byte, half, float, double, word].map(|t| layout::of(&m, t)), [(1, 1), (2, 2), (4, 4), (8, 8), (8, 8)]);
    let three = m.types.vector(float, 3);
    assert_eq!(layout::of(&m, three), (16, 16));
    let bit = m.types.i1();
    let bits = m.types.vector(bit, 9);
    assert_eq!((layout::of(&m, bit), layout::of(&m, bits)), ((1, 1), (2, 2)));
    let mixed = m.types.named_struct("mixed", &[byte, double, half]);
    assert_eq!(layout::of(&m, mixed), (24, 8));
    let many = m.types.array(mixed, u64::MAX / 8);
    assert_eq!(layout::size(&m, many), u64::MAX);
}

#[test]
fn a_variable_larger_than_a_stack_is_refused() {
    let mut m = Module::new();
    let void = m.types.void();
    let ty = m.types.function(void, &[]);
    let func = m.add_function("Main", ty);
    let float = m.types.float();
    let huge = m.types.array(float, 1 << 30);
    let mut b = m.define(func);
    b.alloca(huge, 4);
    b.ret(None);
    let why = super::safety::make_safe(&mut m, func).expect_err("too large");
    assert!(why.contains("stack"), "{why}");
}
