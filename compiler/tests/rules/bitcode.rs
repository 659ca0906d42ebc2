//! Cases of the bitcode rules, which correspond to LLVM's verifier.

use super::Case;
use super::edit::Edit;
use rtc_dxil_module::{
    Attr, AttrKind, BinOp, Block, CastOp, ConstKind, DebugLoc, FUNCTION_INDEX, Fields, Inst, Linkage, MetaNode, Op, TypeKind, Value,
};
use rtc_tables::validation::rule;

/// A loop, a branch, groupshared memory, an atomic operation, conversions.
const CODE: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer b;
groupshared uint g[64];
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex) {
    g[i] = b.Load(4 * i);
    GroupMemoryBarrierWithGroupSync();
    uint s = 0;
    [loop] for (uint k = 0; k < b.Load(0); ++k) s += g[(i + k) & 63];
    if (s > 5) s = asuint(float(s) * sqrt(float(i)));
    uint old;
    InterlockedAdd(g[i], s, old);
    b.Store(4 * i, s < 7 ? s + old : i);
}";

fn find(e: &Edit, kind: impl Fn(&Op) -> bool) -> (rtc_dxil_module::Func, Inst) {
    e.find(kind)
}

const fn case(edit: fn(&mut Edit)) -> Case {
    Case { rule: rule::BITCODE_VALID, source: CODE, edit, reference: "" }
}

/// Lets the reference pass, with the reason.
const fn lenient(edit: fn(&mut Edit), reference: &'static str) -> Case {
    Case { rule: rule::BITCODE_VALID, source: CODE, edit, reference }
}

pub const CASES: &[Case] = &[
    // Operands of an operation.
    case(|e| {
        let at = find(e, |o| matches!(o, Op::Binary { op: BinOp::Add, .. }));
        let bad = e.m.const_int(64, 3);
        if let Op::Binary { rhs, .. } = e.op(at) {
            *rhs = bad;
        }
    }),
    // An integer operation on floats.
    case(|e| {
        let (func, inst) = find(e, |o| matches!(o, Op::Cast { op: CastOp::UiToFp, .. }));
        let (float, x) = (e.m.types.float(), Value::Inst(inst));
        e.insert(func, float, Op::Binary { op: BinOp::Mul, flags: 0, lhs: x, rhs: x });
        let body = e.body(func);
        let last = *body.blocks[Block::from_u32(0)].iter().rev().nth(1).expect("it");
        let block = body.blocks.iter().find(|(_, b)| b.contains(&inst)).expect("a block").0;
        body.blocks[Block::from_u32(0)].retain(|&i| i != last);
        let at = body.blocks[block].iter().position(|&i| i == inst).expect("there");
        body.blocks[block].insert(at + 1, last);
        if let Op::Binary { op, .. } = &mut body.insts[last].op {
            *op = BinOp::Xor;
        }
    }),
    case(|e| {
        let at = find(e, |o| matches!(o, Op::Cast { op: CastOp::UiToFp, .. }));
        if let Op::Cast { op, .. } = e.op(at) {
            *op = CastOp::FpExt;
        }
    }),
    case(|e| {
        let at = find(e, |o| matches!(o, Op::Select { .. }));
        let bad = e.m.i32(1);
        if let Op::Select { cond, .. } = e.op(at) {
            *cond = bad;
        }
    }),
    case(|e| {
        let at = find(e, |o| matches!(o, Op::CondBr { .. }));
        let bad = e.m.i32(1);
        if let Op::CondBr { cond, .. } = e.op(at) {
            *cond = bad;
        }
    }),
    case(|e| {
        let at = e.call("RawBufferStore");
        let bad = e.m.i1(true);
        e.set_arg(at, 4, bad);
    }),
    case(|e| {
        let at = find(e, |o| matches!(o, Op::Store { .. }));
        let bad = e.m.f32(1.5);
        if let Op::Store { value, .. } = e.op(at) {
            *value = bad;
        }
    }),
    case(|e| {
        let (func, inst) = find(e, |o| matches!(o, Op::Load { .. }));
        let float = e.m.types.float();
        e.body(func).insts[inst].ty = float;
    }),
    case(|e| {
        let at = find(e, |o| matches!(o, Op::AtomicRmw { .. }));
        let bad = e.m.const_int(64, 1);
        if let Op::AtomicRmw { value, .. } = e.op(at) {
            *value = bad;
        }
    }),
    case(|e| {
        let at = find(e, |o| matches!(o, Op::Ret(_)));
        let bad = e.m.i32(1);
        *e.op(at) = Op::Ret(Some(bad));
    }),
    case(|e| {
        let (func, inst) = find(e, |o| matches!(o, Op::ExtractValue { .. }));
        let path = e.body(func).indices(&[9]);
        if let Op::ExtractValue { path: p, .. } = e.op((func, inst)) {
            *p = path;
        }
    }),
    case(|e| {
        let (func, inst) = find(e, |o| matches!(o, Op::Gep { .. }));
        let bad = e.m.f32(0.0);
        if let Op::Gep { operands, .. } = *e.op((func, inst)) {
            e.body(func).values_mut(operands)[2] = bad;
        }
    }),
    // The same case twice.
    case(|e| {
        let (func, inst) = find(e, |o| matches!(o, Op::CondBr { .. }));
        let (value, one) = (e.m.i32(5), e.m.i32(1));
        let Op::CondBr { then, other, .. } = *e.op((func, inst)) else { unreachable!() };
        let cases = e.body(func).list(&[one, Value::Block(then), one, Value::Block(then)]);
        *e.op((func, inst)) = Op::Switch { value, default: other, cases };
    }),
    // Order.
    case(|e| {
        let func = e.main();
        let insts = &mut e.body(func).blocks[Block::from_u32(0)];
        let end = insts.len() - 1;
        insts[..end].reverse();
    }),
    // A value of the loop is used before it.
    case(|e| {
        let (func, phi) = find(e, |o| matches!(o, Op::Phi(_)));
        let i32 = e.m.types.i32();
        let (lhs, rhs) = (Value::Inst(phi), Value::Inst(phi));
        e.insert(func, i32, Op::Binary { op: BinOp::Add, flags: 0, lhs, rhs });
    }),
    // Phis.
    case(|e| {
        let (func, phi) = find(e, |o| matches!(o, Op::Phi(_)));
        let Op::Phi(list) = *e.op((func, phi)) else { unreachable!() };
        let body = e.body(func);
        let pairs = body.values(list)[2..].to_vec();
        let list = body.list(&pairs);
        *e.op((func, phi)) = Op::Phi(list);
    }),
    case(|e| {
        let (func, phi) = find(e, |o| matches!(o, Op::Phi(_)));
        let Op::Phi(list) = *e.op((func, phi)) else { unreachable!() };
        let last = Block::from_u32(e.body(func).blocks.len() as u32 - 1);
        e.body(func).values_mut(list)[1] = Value::Block(last);
    }),
    case(|e| {
        let (func, phi) = find(e, |o| matches!(o, Op::Phi(_)));
        let bad = e.m.i1(true);
        let Op::Phi(list) = *e.op((func, phi)) else { unreachable!() };
        e.body(func).values_mut(list)[0] = bad;
    }),
    // Back to the first block.
    case(|e| {
        let func = e.main();
        let entry = Block::from_u32(0);
        let body = e.body(func);
        let last = body.blocks.keys().next_back().expect("blocks");
        let ret = *body.blocks[last].last().expect("an end");
        body.insts[ret].op = Op::Br(entry);
    }),
    // Declarations.
    case(|e| {
        let g = e.m.globals.keys().next().expect("groupshared memory");
        let bad = e.m.i32(1);
        e.m.globals[g].init = Some(bad);
    }),
    case(|e| {
        let g = e.m.globals.keys().next().expect("groupshared memory");
        e.m.globals[g].init = None;
        e.m.globals[g].linkage = Linkage::Internal;
    }),
    case(|e| {
        let func = e.m.funcs.iter().find(|(_, f)| f.body.is_none()).expect("a declaration").0;
        e.m.funcs[func].linkage = Linkage::Internal;
    }),
    case(|e| {
        let func = e.main();
        let group = e.m.attrs.group(FUNCTION_INDEX, &[Attr::Flag(AttrKind::ReadNone), Attr::Flag(AttrKind::ReadOnly)]);
        e.m.funcs[func].attrs = e.m.attrs.list(&[group]).into();
    }),
    case(|e| {
        let func = e.main();
        let group = e.m.attrs.group(FUNCTION_INDEX, &[Attr::Flag(AttrKind::ByVal)]);
        e.m.funcs[func].attrs = e.m.attrs.list(&[group]).into();
    }),
    lenient(
        |e| {
            let g = e.m.globals.keys().next().expect("groupshared memory");
            let name = e.m.globals[g].name.clone();
            let func = e.main();
            e.m.funcs[func].name = name;
        },
        "gives the second one another name",
    ),
    // A structure inside itself, in an allocation.
    case(|e| {
        let ty = e.m.types.new_unnamed();
        e.m.types.set_name(ty, "struct.endless");
        let ptr = e.m.types.ptr(ty);
        e.m.types.set_body(ty, Fields { types: [ty].into(), packed: false });
        let (func, count) = (e.main(), e.m.i32(1));
        e.insert(func, ptr, Op::Alloca { allocated: ty, count, align: 4 });
    }),
    // A structure without fields known, in an allocation.
    case(|e| {
        let ty = e.m.types.named("struct.opaque");
        let ptr = e.m.types.ptr(ty);
        let (func, count) = (e.main(), e.m.i32(1));
        e.insert(func, ptr, Op::Alloca { allocated: ty, count, align: 4 });
    }),
    // Metadata.
    case(|e| {
        let one = e.m.meta_i32(1);
        let node = e.m.meta.node(&[Some(one)]);
        e.set_named("llvm.ident", &[node]);
    }),
    case(|e| {
        let text = e.m.meta.string("one");
        let (one, two) = (e.m.meta_i32(1), e.m.meta_i32(2));
        let node = e.m.meta.node(&[Some(one), Some(text), Some(two)]);
        e.set_named("llvm.module.flags", &[node, node]);
    }),
    case(|e| {
        let at = e.call("RawBufferLoad");
        let node = e.numbers(&[3]);
        e.attach(at, "range", node);
    }),
    // A position in a lexical block that lies in a string.
    case(|e| {
        let text = u64::from(e.m.meta.string("nowhere").as_u32()) + 1;
        let scope = e.m.meta.push(MetaNode::Debug { code: 22, fields: [0, text, 0, 1, 1].into() });
        let (func, inst) = e.call("RawBufferLoad");
        let loc = e.body(func).locs.push(DebugLoc { line: 1, column: 1, scope: Some(scope), inlined_at: None });
        e.body(func).insts[inst].loc = loc.into();
    }),
    // A constant of another type than it says.
    case(|e| {
        let float = e.m.types.float();
        let three = e.m.i32(3);
        let bad = e.m.consts.intern(float, ConstKind::Cast { op: CastOp::ZExt, value: three });
        let at = find(e, |o| matches!(o, Op::Binary { op: BinOp::Mul, .. }));
        if let Op::Binary { rhs, .. } = e.op(at) {
            *rhs = Value::Const(bad);
        }
    }),
    // A structure constant with an element of another type.
    case(|e| {
        let i32 = e.m.types.i32();
        let ty = e.m.types.intern(TypeKind::Struct(Fields { types: [i32].into(), packed: false }));
        let g = e.m.add_global("constant", ty, true);
        let bad = e.m.f32(1.5);
        let c = e.m.consts.intern(ty, ConstKind::Aggregate([bad].into()));
        e.m.globals[g].init = Some(Value::Const(c));
    }),
];
