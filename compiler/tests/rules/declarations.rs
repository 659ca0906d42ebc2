//! Cases of rules for declarations.

use super::Case;
use super::edit::Edit;
use rtc_dxil_module::{Attr, AttrKind, CastOp, FUNCTION_INDEX, Func, Linkage, Op, Tail, Type, Value};
use rtc_tables::dxil_ops::DxilOp;
use rtc_tables::validation::{Rule, rule};

const COMPUTE: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { b.Store(4 * i, i); }";

const LIB: &str = "// rtc -T lib_6_6
[shader(\"raygeneration\")] void Gen() {}";

const STAGES: &str = "// rtc -T lib_6_6
struct P { float4 a; };
struct C { float4 a; };
[shader(\"closesthit\")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) {}
[shader(\"miss\")] void Miss(inout P p) {}
[shader(\"callable\")] void Call(inout C c) {}";

const QUERY: &str = "// rtc -T cs_6_6 -E main
RaytracingAccelerationStructure s;
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
    RayQuery<RAY_FLAG_NONE> q;
    RayDesc r;
    r.Origin = 0; r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = i;
    q.TraceRayInline(s, 0, 255, r);
    q.Proceed();
    b.Store(0, q.CommittedStatus());
}";

const QUERY_2: &str = "// rtc -T cs_6_9 -E main
RaytracingAccelerationStructure s;
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
    RayQuery<RAY_FLAG_FORCE_OMM_2_STATE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS> q;
    RayDesc r;
    r.Origin = 0; r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = i;
    q.TraceRayInline(s, 0, 255, r);
    q.Proceed();
    b.Store(0, q.CommittedStatus());
}";

const fn case(rule: &'static Rule, source: &'static str, edit: fn(&mut Edit)) -> Case {
    Case { rule, source, edit, reference: "" }
}

/// The function whose name has this in it.
fn named(e: &Edit, part: &str) -> Func {
    e.m.funcs.iter().find(|(_, f)| f.body.is_some() && f.name.contains(part)).expect("the function").0
}

/// Defines a function that does nothing.
fn helper(e: &mut Edit, params: &[Type]) -> Func {
    let void = e.m.types.void();
    let ty = e.m.types.function(void, params);
    let f = e.m.add_function("helper", ty);
    e.m.define(f).ret(None);
    f
}

fn call(e: &mut Edit, callee: Func, args: &[Value]) {
    let (main, void) = (e.main(), e.m.types.void());
    let ty = e.m.funcs[callee].ty;
    let args = e.body(main).list(args);
    e.insert(main, void, Op::Call { callee: Value::Func(callee), ty, attrs: None.into(), args, cc: 0, tail: Tail::No });
}

/// An argument that is the group index in place of a constant.
fn by_thread(e: &mut Edit, op: &str, n: usize) {
    let (_, index) = e.call("FlattenedThreadIdInGroup");
    let at = e.call(op);
    let main = e.main();
    let entry = rtc_dxil_module::Block::from_u32(0);
    let insts = &mut e.body(main).blocks[entry];
    insts.retain(|&i| i != index);
    insts.insert(0, index);
    e.set_arg(at, n, Value::Inst(index));
}

pub const CASES: &[Case] = &[
    case(rule::DECL_RESERVED_NAME, COMPUTE, |e| {
        let i32 = e.m.types.i32();
        let ty = e.m.types.named_struct("dx.mine", &[i32]);
        e.allocate(ty);
    }),
    case(rule::DECL_EXTERNAL, COMPUTE, |e| {
        let void = e.m.types.void();
        let ty = e.m.types.function(void, &[]);
        let f = e.m.add_function("elsewhere", ty);
        call(e, f, &[]);
    }),
    case(rule::DECL_UNUSED_VARIABLE, COMPUTE, |e| {
        let i32 = e.m.types.i32();
        let g = e.m.add_global("lonely", i32, false);
        e.m.globals[g].linkage = Linkage::Internal;
        let zero = e.m.i32(0);
        e.m.globals[g].init = Some(zero);
    }),
    case(rule::DECL_EXTERNAL_VARIABLE, COMPUTE, |e| {
        let i32 = e.m.types.i32();
        let g = e.m.add_global("shared", i32, false);
        let main = e.main();
        e.insert(main, i32, Op::Load { ptr: Value::Global(g), align: 4, volatile: false });
    }),
    case(rule::DECL_UNUSED_FUNCTION, COMPUTE, |e| {
        let float = e.m.types.float();
        let opcode = DxilOp::by_name("Sqrt").expect("an operation").opcode;
        e.m.dx_op(opcode, &[float]).expect("a declaration");
    }),
    case(rule::DECL_ONLY_CALLED, COMPUTE, |e| {
        let i32 = e.m.types.i32();
        let (main, _) = e.call("RawBufferStore");
        let used = e.m.funcs.keys().find(|&f| f != main && e.m.is_dx_op(f)).expect("an operation");
        let number = e.m.const_cast(CastOp::PtrToInt, Value::Func(used), i32);
        let g = e.m.add_global("address", i32, true);
        e.m.globals[g].init = Some(number);
    }),
    case(rule::DECL_FLAT_PARAMETERS, COMPUTE, |e| {
        let i32 = e.m.types.i32();
        let ty = e.m.types.named_struct("struct.S", &[i32]);
        let ptr = e.m.types.ptr(ty);
        let s = e.allocate(ty);
        let f = helper(e, &[ptr]);
        call(e, f, &[Value::Inst(s)]);
    }),
    case(rule::DECL_ATTRIBUTE, COMPUTE, |e| {
        let group = e.m.attrs.group(FUNCTION_INDEX, &[Attr::Text("mine".into(), Some("yes".into()))]);
        let main = e.main();
        e.m.funcs[main].attrs = e.m.attrs.list(&[group]).into();
    }),
    case(rule::DECL_ATTRIBUTE, COMPUTE, |e| {
        let text = Attr::Text("fp32-denorm-mode".into(), Some("maybe".into()));
        let group = e.m.attrs.group(FUNCTION_INDEX, &[Attr::Flag(AttrKind::NoUnwind), text]);
        let main = e.main();
        e.m.funcs[main].attrs = e.m.attrs.list(&[group]).into();
    }),
    case(rule::DECL_RESOURCE_PARAMETER, LIB, |e| {
        let handle = e.m.handle_type();
        helper(e, &[handle]);
    }),
    Case {
        rule: rule::DECL_RAY_QUERY_PARAMETER,
        source: LIB,
        edit: |e| {
            let i32 = e.m.types.i32();
            let query = e.m.types.named_struct("class.RayQuery<0, 0>", &[i32]);
            helper(e, &[query]);
        },
        reference: "has the rule and does not look",
    },
    case(rule::DECL_RAY_QUERY_FLAGS, QUERY, |e| by_thread(e, "AllocateRayQuery", 1)),
    case(rule::DECL_RAY_QUERY_2_FLAGS, QUERY_2, |e| by_thread(e, "AllocateRayQuery2", 2)),
    case(rule::DECL_RAY_QUERY_MICROMAPS, QUERY_2, |e| {
        let none = e.m.i32(0);
        let at = e.call("AllocateRayQuery2");
        e.set_arg(at, 2, none);
    }),
    // What entry points take.
    case(rule::DECL_PAYLOAD_STRUCT, STAGES, |e| {
        let (f, void, i32) = (named(e, "Miss"), e.m.types.void(), e.m.types.i32());
        let ptr = e.m.types.ptr(i32);
        e.retype(f, void, &[ptr]);
    }),
    case(rule::DECL_ATTRIBUTES_STRUCT, STAGES, |e| {
        let (f, void, i32) = (named(e, "Hit"), e.m.types.void(), e.m.types.i32());
        let payload = e.m.types.signature(e.m.funcs[f].ty).expect("a function").1[0];
        let ptr = e.m.types.ptr(i32);
        e.retype(f, void, &[payload, ptr]);
    }),
    case(rule::DECL_PARAMETER_STRUCT, STAGES, |e| {
        let (f, void, i32) = (named(e, "Call"), e.m.types.void(), e.m.types.i32());
        let ptr = e.m.types.ptr(i32);
        e.retype(f, void, &[ptr]);
    }),
    case(rule::DECL_EXTRA_PARAMETERS, STAGES, |e| {
        let (f, void) = (named(e, "Miss"), e.m.types.void());
        let payload = e.m.types.signature(e.m.funcs[f].ty).expect("a function").1[0];
        e.retype(f, void, &[payload, payload]);
    }),
    case(rule::DECL_MISSING_PARAMETER, STAGES, |e| {
        let (f, void) = (named(e, "Hit"), e.m.types.void());
        let payload = e.m.types.signature(e.m.funcs[f].ty).expect("a function").1[0];
        e.retype(f, void, &[payload]);
        e.body(f).names.remove(&Value::Arg(1));
        e.m.funcs[f].attrs = None.into();
    }),
    case(rule::DECL_RETURN_VOID, STAGES, |e| {
        let (f, i32) = (named(e, "Miss"), e.m.types.i32());
        let payload = e.m.types.signature(e.m.funcs[f].ty).expect("a function").1[0];
        e.retype(f, i32, &[payload]);
        let zero = e.m.i32(0);
        let last = *e.body(f).blocks.values().flatten().last().expect("an end");
        *e.op((f, last)) = Op::Ret(Some(zero));
    }),
];
