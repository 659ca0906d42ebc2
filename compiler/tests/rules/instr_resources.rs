//! Cases of rules for handles and buffers.

use super::Case;
use super::edit::Edit;
use rtc_dxil_module::{CmpPred, Op, Value};
use rtc_tables::validation::rule;

const BUFFERS: &str = "// rtc -T cs_6_6 -E main
ByteAddressBuffer raw; StructuredBuffer<uint4> structured; Buffer<float4> typed;
RWByteAddressBuffer o; RWBuffer<float4> to; AppendStructuredBuffer<uint> list;
cbuffer C { uint4 a; uint4 b; }
groupshared uint g[16];
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  o.Store(4 * i, raw.Load(4 * i) + a.x);
  to[i] = typed[i];
  o.Store(128 + 4 * i, structured[i].y);
  list.Append(i);
}";

const RAW: &str = "// rtc -T cs_6_6 -E main
ByteAddressBuffer raw; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { o.Store2(8 * i, raw.Load2(8 * i)); }";

const VECTORS: &str = "// rtc -T cs_6_9 -E main
ByteAddressBuffer raw; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  o.Store<vector<uint, 8> >(32 * i, raw.Load<vector<uint, 8> >(32 * i));
}";

const COUNTERS: &str = "// rtc -T cs_6_5 -E main
RWStructuredBuffer<uint> a, b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { a[a.IncrementCounter()] = i; b[a.IncrementCounter()] = 1; }";

const DIMENSIONS: &str = "// rtc -T cs_6_6 -E main
Texture2D<float4> t; ByteAddressBuffer b; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  uint w, h, n; t.GetDimensions(w, h); b.GetDimensions(n); o.Store(0, w + h + n);
}";

const BUFFER_DIMENSIONS: &str = "// rtc -T cs_6_6 -E main
ByteAddressBuffer b; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { uint n; b.GetDimensions(n); o.Store(0, n); }";

const LIBRARY: &str = "// rtc -T lib_6_6
RWByteAddressBuffer o : register(u0); RWByteAddressBuffer p : register(u1);
[shader(\"raygeneration\")] void Gen() { o.Store(0, 1); p.Store(0, 2); }";

const STATUS: &str = "// rtc -T cs_6_6 -E main
ByteAddressBuffer raw; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  uint s; uint v = raw.Load(4 * i, s); if (CheckAccessFullyMapped(s)) o.Store(4 * i, v);
}";

const UAV: i64 = 1 << 12;
const COUNTER: i64 = 1 << 15;
const REORDER_COHERENT: i64 = 1 << 16;

/// Lets two records of UAVs name the same global, which takes the place of the other.
fn share_global(e: &mut Edit) {
    let node = e.m.meta.named("dx.resources")[0];
    let uavs = e.m.meta.elems(node)[1].expect("UAVs");
    let first = e.m.meta.elems(uavs)[0].expect("a record");
    let symbol = e.m.meta.elems(first)[1];
    e.set_resource(1, 1, 1, symbol);
    let one = e.m.meta_i1(true);
    e.set_resource(1, 1, 7, Some(one));
    let globals: Vec<_> = e.m.globals.keys().collect();
    let func = e.main();
    let body = e.body(func);
    body.map_values(|v| match v {
        Value::Global(g) if globals.contains(&g) => Value::Global(globals[0]),
        v => v,
    });
}

/// Compares the global of a resource with itself.
fn compare_globals(e: &mut Edit) {
    let g = Value::Global(e.m.globals.keys().next().expect("a global"));
    let i1 = e.m.types.i1();
    let func = e.main();
    e.insert(func, i1, Op::Cmp { pred: CmpPred::IEq, flags: 0, lhs: g, rhs: g });
}

/// Lets an operation use a handle that was chosen.
fn choose_handle(e: &mut Edit) {
    let (func, inst) = e.call("BufferLoad");
    let handle = e.arg("BufferLoad", 1);
    let ty = e.m.value_type(Some(func), handle).expect("a handle");
    let cond = e.m.i1(true);
    let body = e.body(func);
    let chosen = body.append(rtc_dxil_module::Block::number(0), ty, Op::Select { cond, then: handle, other: handle });
    let insts = &mut body.blocks[rtc_dxil_module::Block::number(0)];
    insts.pop();
    let at = insts.iter().position(|&i| i == inst).expect("the call");
    insts.insert(at, chosen);
    e.set_arg((func, inst), 1, Value::Inst(chosen));
}

/// A value that is no constant.
fn varying(e: &mut Edit) -> Value {
    Value::Inst(e.call("FlattenedThreadIdInGroup").1)
}

pub const CASES: &[Case] = &[
    Case { rule: rule::INSTR_CONST_RANGE, source: BUFFERS, edit: |e| e.give_i32("CreateHandleFromBinding", 2, 50), reference: "" },
    Case { rule: rule::INSTR_CONST_RANGE, source: COUNTERS, edit: |e| e.give_i32("CreateHandle", 3, 50), reference: "" },
    Case { rule: rule::INSTR_HANDLE_SOURCE, source: BUFFERS, edit: choose_handle, reference: "" },
    Case { rule: rule::INSTR_UNINITIALIZED, source: BUFFERS, edit: |e| e.undefine("BufferLoad", 1), reference: "" },
    Case { rule: rule::INSTR_REORDER_COHERENT, source: BUFFERS, edit: |e| e.flip("BufferStore", 1, REORDER_COHERENT), reference: "" },
    Case { rule: rule::INSTR_RESOURCE_SINGLE_ENTRY, source: LIBRARY, edit: share_global, reference: "" },
    Case { rule: rule::INSTR_RESOURCE_USER, source: LIBRARY, edit: compare_globals, reference: "" },
    Case { rule: rule::INSTR_CHECK_ACCESS, source: STATUS, edit: |e| e.give_i32("CheckAccessFullyMapped", 1, 0), reference: "" },
    Case { rule: rule::INSTR_STORE_CLASS, source: RAW, edit: |e| e.flip("RawBufferStore", 1, UAV), reference: "" },
    Case { rule: rule::INSTR_LOAD_CLASS, source: RAW, edit: |e| e.kind("RawBufferLoad", 1, 14), reference: "" },
    Case { rule: rule::INSTR_BUFFER_KIND, source: RAW, edit: |e| e.kind("RawBufferLoad", 1, 2), reference: "" },
    Case { rule: rule::INSTR_BUFFER_KIND, source: BUFFERS, edit: |e| e.kind("BufferStore", 1, 2), reference: "" },
    Case { rule: rule::INSTR_RAW_COORD, source: RAW, edit: |e| e.give_i32("RawBufferLoad", 3, 0), reference: "" },
    Case { rule: rule::INSTR_RAW_COORD, source: BUFFERS, edit: |e| e.give_i32("BufferLoad", 3, 0), reference: "" },
    Case { rule: rule::INSTR_RAW_COORD, source: VECTORS, edit: |e| e.give_i32("RawBufferVectorStore", 3, 0), reference: "" },
    Case {
        rule: rule::INSTR_STRUCT_COORD,
        source: "// rtc -T cs_6_6 -E main
StructuredBuffer<uint4> s; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { o.Store(4 * i, s[i].y); }",
        edit: |e| e.undefine("RawBufferLoad", 3),
        reference: "",
    },
    Case {
        rule: rule::INSTR_RAW_ALIGN,
        source: RAW,
        edit: |e| {
            let v = varying(e);
            e.give("RawBufferLoad", 5, v);
        },
        reference: "",
    },
    Case {
        rule: rule::INSTR_TYPED_STORE_MASK,
        source: BUFFERS,
        edit: |e| {
            e.give_i8("BufferStore", 8, 7);
            e.undefine("BufferStore", 7);
        },
        reference: "",
    },
    Case {
        rule: rule::INSTR_STORE_MASK_GAP,
        source: RAW,
        edit: |e| {
            let v = e.arg("RawBufferStore", 5);
            e.give("RawBufferStore", 6, v);
            e.undefine("RawBufferStore", 5);
            e.give_i8("RawBufferStore", 8, 5);
        },
        reference: "",
    },
    Case { rule: rule::INSTR_STORE_MASK_MATCH, source: RAW, edit: |e| e.give_i8("RawBufferStore", 8, 1), reference: "" },
    Case { rule: rule::INSTR_STORE_UNDEF, source: RAW, edit: |e| e.undefine("RawBufferStore", 5), reference: "" },
    Case { rule: rule::INSTR_STORE_UNDEF, source: VECTORS, edit: |e| e.undefine("RawBufferVectorStore", 4), reference: "" },
    Case { rule: rule::INSTR_CBUFFER_CLASS, source: BUFFERS, edit: |e| e.kind("CBufferLoadLegacy", 1, 11), reference: "" },
    Case { rule: rule::INSTR_CBUFFER_BOUNDS, source: BUFFERS, edit: |e| e.give_i32("CBufferLoadLegacy", 2, 2), reference: "" },
    Case { rule: rule::INSTR_COUNTER_HAS, source: BUFFERS, edit: |e| e.flip("BufferUpdateCounter", 1, COUNTER), reference: "" },
    Case {
        rule: rule::INSTR_COUNTER_UAV,
        source: "// rtc -T cs_6_6 -E main
RWStructuredBuffer<uint> a; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { o.Store(4 * i, a.IncrementCounter()); }",
        edit: |e| e.flip("BufferUpdateCounter", 1, UAV),
        reference: "",
    },
    Case { rule: rule::INSTR_COUNTER_ONE_WAY, source: COUNTERS, edit: |e| e.give_i8("BufferUpdateCounter", 2, -1), reference: "" },
    Case { rule: rule::INSTR_GET_DIM_KIND, source: DIMENSIONS, edit: |e| e.kind("GetDimensions", 1, 16), reference: "" },
    Case { rule: rule::INSTR_GET_DIM_MIP, source: BUFFER_DIMENSIONS, edit: |e| e.give_i32("GetDimensions", 2, 0), reference: "" },
    Case {
        rule: rule::INSTR_GET_DIM_RESULT,
        source: BUFFER_DIMENSIONS,
        edit: |e| {
            let (func, call) = e.call("GetDimensions");
            let at = e.find(|op| matches!(op, Op::ExtractValue { value, .. } if *value == Value::Inst(call)));
            let path = e.body(func).indices(&[1]);
            *e.op(at) = Op::ExtractValue { value: Value::Inst(call), path };
        },
        reference: "",
    },
    Case {
        rule: rule::INSTR_DXIL_STRUCT_USER,
        source: DIMENSIONS,
        edit: |e| {
            let (func, call) = e.call("GetDimensions");
            let ty = e.body(func).insts[call].ty;
            let (cond, v) = (e.m.i1(true), Value::Inst(call));
            e.insert(func, ty, Op::Select { cond, then: v, other: v });
        },
        reference: "",
    },
    Case {
        rule: rule::INSTR_ATOMIC_UAV,
        source: "// rtc -T cs_6_6 -E main
RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { o.InterlockedAdd(0, i); }",
        edit: |e| e.flip("AtomicBinOp", 1, UAV),
        reference: "",
    },
];
