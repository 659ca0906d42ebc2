//! Tests of lowering: every DXIL operation is supported or excluded, data layout, memory bounds.

use super::layout;
use super::*;
use crate::cpu::ops as runtime;
use rtc_dxil_module::Module;
use rtc_dxil_module::{Builder, CastOp, Op, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{DxilOp, OPS, OpTy, op, stage};

/// Unsupported operations of the supported stages, by prefix of their names, with the reason.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("TempReg", "no compiler writes them"),
    ("MinPrecXReg", "no compiler writes them"),
    ("LoadInput", "only shaders with signatures have inputs"),
    ("StoreOutput", "only shaders with signatures have outputs"),
];

/// The supported stages.
const STAGES: u16 = stage::CS | stage::LIB | stage::RG | stage::IS | stage::AH | stage::CH | stage::MISS | stage::CL;

/// Whether an operation is lowered to instructions.
fn is_inline(op: &DxilOp) -> bool {
    let mut m = Module::new();
    let (void, byte, float, int, bit) = (m.types.void(), m.types.i8(), m.types.float(), m.types.i32(), m.types.i1());
    let (thread, floats) = (m.types.ptr(byte), m.types.vector(float, 2));
    let whole = [op::BFREV, op::IMAX, op::IMIN, op::UMAX, op::UMIN, op::IMAD, op::UMAD, op::COUNTBITS].contains(&op.opcode);
    let ty = if whole {
        int
    } else if op.opcode == op::FDOT {
        floats
    } else {
        float
    };
    let mut params = vec![thread];
    params.extend(op.params.iter().map(|p| if p.1 == OpTy::I1 { bit } else { ty }));
    let of = m.types.function(void, &params);
    let func = m.add_function("f", of);
    let block = m.define(func).block();
    let index = vec![m.i32(0); op.params.len()];
    if system_values::value(&mut m, func, block, op, &index, float).is_ok_and(|v| v.is_some()) {
        return true;
    }
    let args: Vec<Value> = (1..params.len()).map(|n| Value::Arg(n as u32)).collect();
    let result = if op.name.starts_with("Is") {
        bit
    } else if op.opcode == op::FDOT {
        float
    } else {
        ty
    };
    m.edit(func, block).is_some_and(|mut b| arithmetic::inline(op, &mut b, &args, result).is_some())
}

#[test]
fn every_operation_is_supported_or_excluded() {
    let mut unsupported: Vec<&str> = Vec::new();
    for op in OPS.iter().filter(|op| op.stages & STAGES != 0) {
        let there = runtime::has(op.opcode) || is_inline(op);
        let why = UNSUPPORTED.iter().find(|n| op.name.starts_with(n.0));
        assert!(!there || why.is_none(), "{} is supported", op.name);
        if !there && why.is_none() {
            unsupported.push(op.name);
        }
    }
    assert!(unsupported.is_empty(), "{} operations are neither supported nor excluded: {unsupported:#?}", unsupported.len());
    for (name, _) in UNSUPPORTED {
        assert!(OPS.iter().any(|op| op.name.starts_with(name)), "{name}");
    }
}

#[test]
fn types_have_the_layout_of_dxil() {
    let sizes = |data_layout: &str| {
        let mut m = Module::new();
        m.data_layout = data_layout.into();
        let (bit, half, short, float, double) = (m.types.i1(), m.types.half(), m.types.i16(), m.types.float(), m.types.double());
        let rows = m.types.vector(half, 3);
        let rows = m.types.array(rows, 3);
        let list = [bit, half, short, float, double, m.types.vector(float, 3), m.types.vector(double, 3), m.types.vector(bit, 3), rows];
        let mixed = m.types.named_struct("mixed", &[half, double, bit, list[5]]);
        let many = m.types.array(mixed, u64::MAX / 8);
        assert_eq!(layout::size(&m, many), u64::MAX);
        let fields: Vec<u64> = (0..4).filter_map(|n| layout::field(&m, mixed, n)).collect();
        (list.map(|t| layout::of(&m, t)), layout::of(&m, mixed), fields)
    };
    let (list, mixed, fields) = sizes("e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64");
    assert_eq!(list, [(4, 4), (4, 4), (4, 4), (4, 4), (8, 8), (12, 4), (24, 8), (12, 4), (36, 4)]);
    assert_eq!((mixed, fields), ((32, 8), vec![0, 8, 16, 20]));
    let (list, mixed, fields) = sizes("e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64");
    assert_eq!(list, [(4, 4), (2, 2), (2, 2), (4, 4), (8, 8), (12, 4), (24, 8), (12, 4), (18, 2)]);
    assert_eq!((mixed, fields), ((32, 8), vec![0, 8, 16, 20]));
    // Malformed data layouts cause no failure.
    assert_eq!(sizes("i1:0-f16:junk-i16-f64:99999999").0[0], (1, 1));
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
    let info = Info::read(&m);
    let why = super::memory::confine(&mut m, func, &info, [0; 2], &Default::default()).expect_err("too large");
    assert!(why.to_string().contains("stack"), "{why}");
}

/// Lowers a shader with a variable of two floats, whose address `code` gets, and a payload of eight bytes.
fn confined(code: impl FnOnce(&mut Builder<'_>, Value)) -> Result<Module, super::Refusal> {
    let mut m = Module::new();
    let (void, byte) = (m.types.void(), m.types.i8());
    let bytes = m.types.ptr(byte);
    let ty = m.types.function(void, &[bytes; 3]);
    let func = m.add_function("Main", ty);
    let float = m.types.float();
    let two = m.types.array(float, 2);
    let mut b = m.define(func);
    let there = b.alloca(two, 4);
    code(&mut b, there);
    b.ret(None);
    let info = Info::read(&m);
    super::memory::confine(&mut m, func, &info, [8, 0], &Default::default())?;
    Ok(m)
}

/// Casts an address.
fn cast(b: &mut Builder<'_>, at: Value, to: impl FnOnce(&mut Builder<'_>) -> Type) -> Value {
    let ty = to(b);
    let ty = b.module.types.ptr(ty);
    b.cast(CastOp::BitCast, at, ty)
}

fn floats(len: u64) -> impl Fn(&mut Builder<'_>) -> Type {
    move |b| {
        let float = b.module.types.float();
        b.module.types.array(float, len)
    }
}

fn store(b: &mut Builder<'_>, at: Value) {
    let one = b.module.f32(1.0);
    b.store(one, at, 4);
}

#[test]
fn addresses_stay_inside_of_variables() {
    let index = |b: &mut Builder<'_>, at: Value, n: Value| {
        let zero = b.module.i32(0);
        b.gep(true, at, &[zero, n])
    };
    // Any index is clamped to the array.
    for n in [0, 1, 2, -1, i32::MAX] {
        let made = confined(|b, two| {
            let n = b.module.i32(n);
            let at = index(b, two, n);
            store(b, at);
        });
        assert!(made.is_ok(), "{n}");
    }
    // Casts, pointer arithmetic and selects do not extend the accessible bytes.
    type Code = fn(&mut Builder<'_>, Value) -> Value;
    let wrong: [(Code, &str); 8] = [
        (
            |b, two| {
                let many = cast(b, two, floats(64));
                let (zero, n) = (b.module.i32(0), b.module.i32(63));
                b.gep(true, many, &[zero, n])
            },
            "0 bytes are accessible",
        ),
        (
            |b, two| {
                let next = cast(b, two, floats(1));
                let (two, zero) = (b.module.i32(2), b.module.i32(0));
                b.gep(true, next, &[two, zero])
            },
            "0 bytes are accessible",
        ),
        (
            |b, two| {
                let next = cast(b, two, floats(1));
                let (back, zero) = (b.module.i32(-1), b.module.i32(0));
                b.gep(true, next, &[back, zero])
            },
            "leaves its variable",
        ),
        (
            |b, two| {
                let byte = cast(b, two, |b| b.module.types.i8());
                let far = b.module.i32(1 << 20);
                let at = b.gep(false, byte, &[far]);
                cast(b, at, |b| b.module.types.float())
            },
            "0 bytes are accessible",
        ),
        (
            |b, _| {
                let float = b.module.types.float();
                let ty = b.module.types.ptr(float);
                b.module.null(ty)
            },
            "0 bytes are accessible",
        ),
        (
            |b, _| {
                let float = b.module.types.float();
                let ty = b.module.types.ptr(float);
                b.module.undef(ty)
            },
            "0 bytes are accessible",
        ),
        (
            |b, two| {
                let (one, float) = (b.module.i1(true), b.module.types.float());
                let ty = b.module.types.ptr(float);
                let (unsupported, here) = (b.module.null(ty), cast(b, two, |b| b.module.types.float()));
                b.select(one, here, unsupported)
            },
            "0 bytes are accessible",
        ),
        (
            |b, _| {
                let float = b.module.types.float();
                let ty = b.module.types.ptr(float);
                let n = b.module.const_int(64, 4096);
                b.cast(CastOp::IntToPtr, n, ty)
            },
            "from an integer",
        ),
    ];
    for (n, (code, why)) in wrong.into_iter().enumerate() {
        let error = confined(|b, two| {
            let at = code(b, two);
            store(b, at);
        });
        let error = error.err().unwrap_or_else(|| panic!("case {n} is accepted"));
        assert!(error.to_string().contains(why), "case {n}: {error}");
    }
    // A payload has the size that the shader declares.
    let payload = |n: i32| {
        confined(|b, _| {
            let all = cast(b, Value::Arg(1), floats(3));
            let n = b.module.i32(n);
            let at = index(b, all, n);
            store(b, at);
        })
    };
    assert!(payload(1).is_ok());
    assert_eq!(payload(2).err().map(|e| e.to_string()).as_deref(), Some("an access of 4 bytes where 0 bytes are accessible"));
    // A value larger than the variable.
    let wide = confined(|b, two| {
        let float = b.module.types.float();
        let four = b.module.types.vector(float, 4);
        let at = cast(b, two, |_| four);
        b.load(at, 4);
    });
    assert_eq!(wide.err().map(|e| e.to_string()).as_deref(), Some("an access of 16 bytes where 8 bytes are accessible"));
}

/// No type whose layout differs in LLVM stays in memory accesses.
#[test]
fn vectors_with_gaps_are_read_and_written_by_component() {
    let made = confined(|b, _| {
        let (bit, half) = (b.module.types.i1(), b.module.types.half());
        for ty in [b.module.types.vector(bit, 3), b.module.types.vector(half, 3)] {
            let matrix = b.module.types.array(ty, 2);
            let at = b.alloca(matrix, 4);
            let (zero, one) = (b.module.i32(0), b.module.i32(1));
            let (from, to) = (b.gep(true, at, &[zero, one]), b.gep(true, at, &[zero, zero]));
            let row = b.load(from, 4);
            b.store(row, to, 4);
            // A whole matrix at once, and structures.
            let all = b.load(at, 4);
            b.store(all, at, 4);
        }
    })
    .expect("it is inside");
    let body = made.funcs.values().find_map(|f| f.body.as_ref()).expect("code");
    let (mut loads, mut stores) = (0, 0);
    for &i in body.blocks.values().flatten() {
        match body.insts[i].op {
            Op::Load { .. } => {
                loads += 1;
                assert!(matches!(made.types[body.insts[i].ty], TypeKind::Int(32) | TypeKind::Half));
            }
            Op::Store { .. } => stores += 1,
            Op::Alloca { allocated, .. } => assert_eq!(made.types[allocated], TypeKind::Int(64)),
            Op::Gep { source, .. } => assert_eq!(made.types[source], TypeKind::Int(8)),
            _ => {}
        }
    }
    assert_eq!((loads, stores), (18, 18));
}
