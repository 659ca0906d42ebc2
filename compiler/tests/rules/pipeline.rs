//! Cases of rules for geometry, hull, domain, mesh and amplification shaders, and for what pixel shaders read.

use super::Case;
use super::edit::Edit;
use rtc_dxil_container::metadata::signature::SignatureElement;
use rtc_dxil_container::metadata::tag;
use rtc_dxil_module::{Func, Value};
use rtc_tables::dxil_ops::op;
use rtc_tables::signature::{Interpolation, Semantic};
use rtc_tables::validation::{Rule, rule};

const HULL: &str = "// rtc -T hs_6_6 -E main
struct C { float4 a : A; };
struct K { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
K patch() { K k; k.e[0] = k.e[1] = k.e[2] = k.i = 2; return k; }
[domain(\"tri\")] [partitioning(\"integer\")] [outputtopology(\"triangle_cw\")] [outputcontrolpoints(3)] [patchconstantfunc(\"patch\")]
C main(InputPatch<C, 3> x, uint i : SV_OutputControlPointID) { return x[i]; }";

const HULL_IN_LIBRARY: &str = "// rtc -T lib_6_6
struct C { float4 a : A; };
struct K { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
K patch() { K k; k.e[0] = k.e[1] = k.e[2] = k.i = 2; return k; }
[shader(\"hull\")] [domain(\"tri\")] [partitioning(\"integer\")] [outputtopology(\"triangle_cw\")] [outputcontrolpoints(3)] [patchconstantfunc(\"patch\")]
C main(InputPatch<C, 3> x, uint i : SV_OutputControlPointID) { C c; c.a = 1; return c; }";

const ISOLINES: &str = "// rtc -T hs_6_6 -E main
struct C { float4 a : A; };
struct K { float e[2] : SV_TessFactor; };
K patch() { K k; k.e[0] = k.e[1] = 2; return k; }
[domain(\"isoline\")] [partitioning(\"integer\")] [outputtopology(\"line\")] [outputcontrolpoints(2)] [patchconstantfunc(\"patch\")]
C main(InputPatch<C, 2> x, uint i : SV_OutputControlPointID) { return x[i]; }";

const PATCH_READS: &str = "// rtc -T hs_6_6 -E main
struct C { float4 a : A; };
struct K { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
K patch(OutputPatch<C, 3> p) { K k; k.e[0] = k.e[1] = k.e[2] = 2; k.i = p[1].a.x; return k; }
[domain(\"tri\")] [partitioning(\"integer\")] [outputtopology(\"triangle_cw\")] [outputcontrolpoints(3)] [patchconstantfunc(\"patch\")]
C main(InputPatch<C, 3> x, uint i : SV_OutputControlPointID) { return x[i]; }";

const DOMAIN: &str = "// rtc -T ds_6_6 -E main
struct C { float4 a : A; };
struct K { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
[domain(\"tri\")] float4 main(K k, const OutputPatch<C, 3> x, float3 at : SV_DomainLocation) : SV_Position { return x[2].a * at.x; }";

const GEOMETRY: &str = "// rtc -T gs_6_6 -E main
struct V { float4 at : SV_Position; float4 c : COLOR; };
[maxvertexcount(3)] void main(triangle V i[3], inout TriangleStream<V> s) { s.Append(i[0]); s.Append(i[1]); s.Append(i[2]); }";

const VERTEX: &str = "// rtc -T vs_6_6 -E main
float4 main(float4 a : A) : SV_Position { return a; }";

const VERTEX_IN_LIBRARY: &str = "// rtc -T lib_6_6
[shader(\"vertex\")] float4 main(float4 a : A) : SV_Position { return a; }";

const COVERAGE: &str = "// rtc -T ps_6_6 -E main
float4 main(uint c : SV_Coverage) : SV_Target { return c; }";

const EVALUATE: &str = "// rtc -T ps_6_6 -E main
float4 main(float4 at : SV_Position, float4 c : COLOR) : SV_Target { return EvaluateAttributeCentroid(c) + at; }";

const AT_VERTEX: &str = "// rtc -T ps_6_6 -E main
float4 main(nointerpolation float4 c : COLOR) : SV_Target { return GetAttributeAtVertex(c, 1); }";

const MESH: &str = "// rtc -T ms_6_6 -E main
struct P { float4 a; };
struct V { float4 at : SV_Position; float4 d[7] : D; };
struct Q { uint id : SV_PrimitiveID; };
[numthreads(3, 1, 1)] [outputtopology(\"triangle\")]
void main(uint i : SV_GroupIndex, in payload P p, out vertices V v[3], out indices uint3 t[1]) {
    SetMeshOutputCounts(3, 1);
    V o = (V)0;
    if (p.a.x > 2) { v[i] = o; }
    if (p.a.y > 2) { t[0] = uint3(0, 1, 2); }
}";

const PRIMITIVES: &str = "// rtc -T ms_6_6 -E main
struct V { float4 at : SV_Position; float4 d : D; };
struct Q { float4 c : COLOR; };
[numthreads(3, 1, 1)] [outputtopology(\"triangle\")]
void main(uint i : SV_GroupIndex, out vertices V v[3], out primitives Q q[1], out indices uint3 t[1]) {
    SetMeshOutputCounts(3, 1);
    v[i].at = i;
    v[i].d = i;
    if (i == 0) { t[0] = uint3(0, 1, 2); q[0].c = 1; }
}";

const AMPLIFICATION: &str = "// rtc -T as_6_6 -E main
struct P { float4 a; };
groupshared P p;
RWByteAddressBuffer b;
[numthreads(1, 1, 1)] void main(uint3 g : SV_GroupID) {
    p.a = g.x;
    if (g.x > 3) { b.Store(4 * g.x, 1); }
    DispatchMesh(1, 1, 1, p);
}";

const fn case(rule: &'static Rule, source: &'static str, edit: fn(&mut Edit)) -> Case {
    Case { rule, source, edit, reference: "" }
}

/// Changes an element of the patch constants.
fn patch(e: &mut Edit, n: usize, change: impl Fn(&mut SignatureElement)) {
    e.signatures(|s| change(&mut s.patch[n]));
}

/// The function of the last entry point.
fn entry(e: &Edit) -> Func {
    let record = *e.m.meta.named("dx.entryPoints").last().expect("an entry point");
    let function = e.m.meta.elems(record)[0].expect("a function");
    match e.m.meta[function] {
        rtc_dxil_module::MetaNode::Value(Value::Func(f)) => f,
        _ => panic!("no function"),
    }
}

pub const CASES: &[Case] = &[
    // Tessellation.
    case(rule::META_PARTITIONING, HULL, |e| e.state(tag::HULL, 4, 0)),
    case(rule::META_TESSELLATOR_OUTPUT, HULL, |e| e.state(tag::HULL, 5, 0)),
    case(rule::META_FACTOR_LIMIT, HULL, |e| {
        let factor = e.m.f32(65.0);
        let factor = e.m.meta.value(factor);
        e.set_state(tag::HULL, 6, factor);
    }),
    case(rule::SM_DOMAIN, HULL, |e| e.state(tag::HULL, 3, 0)),
    case(rule::SM_DOMAIN, DOMAIN, |e| e.state(tag::DOMAIN, 0, 0)),
    case(rule::SM_FACTORS, HULL, |e| patch(e, 1, |i| (i.semantic, i.name) = (Semantic::Arbitrary, "INSIDE".into()))),
    case(rule::SM_EDGE_FACTORS, HULL, |e| {
        patch(e, 1, |i| i.row = Some(9));
        patch(e, 0, |edges| edges.indices.push(3));
    }),
    case(rule::SM_INSIDE_FACTORS, HULL, |e| patch(e, 1, |i| i.indices.push(1))),
    case(rule::SM_INSIDE_FACTORS, DOMAIN, |e| patch(e, 1, |i| i.indices.push(1))),
    case(rule::SM_DOMAIN_LOCATION, DOMAIN, |e| e.give_i8("DomainLocation", 1, 3)),
    case(rule::SM_PASS_THROUGH_POINTS, HULL_IN_LIBRARY, |e| {
        let main = entry(e);
        e.m.funcs[main].body = None;
        e.state(tag::HULL, 1, 2);
    }),
    case(rule::SM_PASS_THROUGH_SCALARS, HULL_IN_LIBRARY, |e| {
        let main = entry(e);
        e.m.funcs[main].body = None;
        e.state(tag::HULL, 1, 32);
        e.state(tag::HULL, 2, 32);
        e.signatures(|s| s.outputs[0].indices = (0..32).collect());
    }),
    case(rule::SM_ISOLINE_OUTPUT, ISOLINES, |e| e.state(tag::HULL, 5, 3)),
    case(rule::SM_TRIANGLE_OUTPUT, HULL, |e| e.state(tag::HULL, 5, 2)),
    case(rule::SM_DOMAIN_POINTS, DOMAIN, |e| e.state(tag::DOMAIN, 1, 33)),
    case(rule::SM_HULL_POINTS, HULL, |e| e.state(tag::HULL, 1, 33)),
    case(rule::SM_HULL_NO_POINTS, HULL, |e| e.state(tag::HULL, 1, 0)),
    case(rule::SM_HULL_OUTPUT_POINTS, HULL, |e| e.state(tag::HULL, 2, 0)),
    case(rule::SM_HULL_OUTPUT_POINTS, HULL, |e| e.state(tag::HULL, 2, 33)),
    case(rule::SM_OPCODE_FUNCTION, PATCH_READS, |e| {
        // What the patch constant function does, the hull shader does not.
        let main = entry(e);
        let entry = e.body(main).blocks.keys().next().expect("a block");
        let float = e.m.types.float();
        let (row, column) = (e.m.i32(0), e.m.i8(0));
        let mut b = e.m.edit(main, entry).expect("a body");
        b.dx_call(op::LOAD_OUTPUT_CONTROL_POINT, &[float], &[row, row, column, row]);
        let list = &mut e.body(main).blocks[entry];
        let call = list.pop().expect("the call");
        list.insert(0, call);
    }),
    // Geometry.
    case(rule::SM_GEOMETRY_VERTICES, GEOMETRY, |e| e.state(tag::GEOMETRY, 1, 1025)),
    case(rule::SM_GEOMETRY_INSTANCES, GEOMETRY, |e| e.state(tag::GEOMETRY, 4, 0)),
    case(rule::SM_GEOMETRY_INSTANCES, GEOMETRY, |e| e.state(tag::GEOMETRY, 4, 33)),
    case(rule::SM_GEOMETRY_INPUT, GEOMETRY, |e| e.state(tag::GEOMETRY, 0, 4)),
    case(rule::SM_GEOMETRY_OUTPUT, GEOMETRY, |e| e.state(tag::GEOMETRY, 3, 2)),
    case(rule::SM_GEOMETRY_SCALARS, GEOMETRY, |e| e.state(tag::GEOMETRY, 1, 129)),
    case(rule::INSTR_OPERAND_RANGE, GEOMETRY, |e| e.give_i32("LoadInput", 4, 3)),
    case(rule::INSTR_OPERAND_RANGE, GEOMETRY, |e| e.give_i8("EmitStream", 1, 1)),
    case(rule::INSTR_OPERAND_RANGE, DOMAIN, |e| e.give_i32("LoadInput", 4, 3)),
    // What vertex and pixel shaders read.
    case(rule::INSTR_CONST_RANGE, VERTEX, |e| e.give_i32("LoadInput", 1, 1)),
    case(rule::INSTR_OPERAND_RANGE, VERTEX, |e| e.give_i32("LoadInput", 2, 1)),
    case(rule::SM_OPERAND, VERTEX, |e| e.give_i32("LoadInput", 4, 0)),
    case(rule::SM_COVERAGES, COVERAGE, |e| {
        let i32 = e.m.types.i32();
        e.insert_call("InnerCoverage", "dx.op.innerCoverage.i32", i32, &[]);
    }),
    case(rule::INSTR_SIGNATURE_ENTRY, VERTEX_IN_LIBRARY, |e| {
        let (void, float, i32) = (e.m.types.void(), e.m.types.float(), e.m.types.i32());
        let ty = e.m.types.function(void, &[]);
        let f = e.m.add_function("f", ty);
        let (zero, first, none) = (e.m.i32(0), e.m.i8(0), e.m.undef(i32));
        let mut b = e.m.define(f);
        b.dx_call(op::LOAD_INPUT, &[float], &[zero, zero, first, none]);
        b.ret(None);
    }),
    case(rule::INSTR_EVALUATE_POSITION, EVALUATE, |e| e.give_i32("EvalCentroid", 1, 0)),
    case(rule::INSTR_EVALUATE_MODE, EVALUATE, |e| e.signatures(|s| s.inputs[1].interpolation = Interpolation::Constant)),
    case(rule::INSTR_AT_VERTEX_MODE, AT_VERTEX, |e| e.signatures(|s| s.inputs[0].interpolation = Interpolation::Linear)),
    // Mesh shaders.
    case(rule::SM_MESH_VERTICES, PRIMITIVES, |e| e.state(tag::MESH, 1, 257)),
    case(rule::SM_MESH_PRIMITIVES, PRIMITIVES, |e| e.state(tag::MESH, 2, 257)),
    case(rule::SM_MESH_PAYLOAD, MESH, |e| e.state(tag::MESH, 4, 20000)),
    case(rule::SM_MESH_PAYLOAD_DECLARED, MESH, |e| e.state(tag::MESH, 4, 12)),
    case(rule::SM_MESH_OUTPUT, MESH, |e| {
        e.state(tag::MESH, 1, 256);
        e.signatures(|s| s.outputs[1].indices.push(7));
    }),
    case(rule::SM_MESH_IN_AND_OUT, MESH, |e| {
        e.state(tag::MESH, 1, 256);
        e.state(tag::MESH, 4, 16384);
    }),
    case(rule::SM_MESH_VERTEX_ROWS, PRIMITIVES, |e| e.signatures(|s| s.outputs[1].row = Some(32))),
    case(rule::SM_MESH_PRIMITIVE_ROWS, PRIMITIVES, |e| e.signatures(|s| s.patch[0].row = Some(32))),
    case(rule::SM_MESH_ROWS, PRIMITIVES, |e| e.signatures(|s| s.patch[0].row = Some(31))),
    case(rule::SM_THREAD_GROUP_RANGE, PRIMITIVES, |e| {
        let threads = e.numbers(&[129, 1, 1]);
        e.set_state(tag::MESH, 0, threads);
    }),
    case(rule::SM_MAX_THREAD_GROUP, AMPLIFICATION, |e| {
        let threads = e.numbers(&[64, 3, 1]);
        e.set_state(tag::AMPLIFICATION, 0, threads);
    }),
    case(rule::INSTR_MESH_COUNTS_TWICE, MESH, |e| e.repeat("SetMeshOutputCounts")),
    case(rule::INSTR_MESH_COUNTS_MISSING, MESH, |e| {
        let counts = e.call("SetMeshOutputCounts");
        e.take(counts);
    }),
    case(rule::INSTR_MESH_COUNTS_PATH, MESH, |e| {
        let (counts, store) = (e.call("SetMeshOutputCounts"), e.call("StoreVertexOutput"));
        e.move_to_block_of(counts, store.1);
    }),
    case(rule::INSTR_MESH_PAYLOAD_TWICE, MESH, |e| e.repeat("GetMeshPayload")),
    // Amplification shaders.
    case(rule::SM_AMPLIFICATION_PAYLOAD, AMPLIFICATION, |e| e.state(tag::AMPLIFICATION, 1, 20000)),
    Case {
        rule: rule::SM_AMPLIFICATION_PAYLOAD_DECLARED,
        source: AMPLIFICATION,
        edit: |e| e.state(tag::AMPLIFICATION, 1, 12),
        reference: "compares the size of a pointer",
    },
    case(rule::SM_AMPLIFICATION_PAYLOAD_DECLARED, AMPLIFICATION, |e| e.state(tag::AMPLIFICATION, 1, 0)),
    case(rule::INSTR_DISPATCH_MESH, AMPLIFICATION, |e| e.repeat("DispatchMesh")),
    case(rule::INSTR_DISPATCH_MESH_PATH, AMPLIFICATION, |e| {
        let (dispatch, store) = (e.call("DispatchMesh"), e.call("RawBufferStore"));
        e.move_to_block_of(dispatch, store.1);
    }),
    case(rule::META_NO_ENTRY_PROPS, GEOMETRY, |e| e.set_prop(tag::GEOMETRY, None)),
    case(rule::META_WELL_FORMED, GEOMETRY, |e| {
        let list = e.numbers(&[3, 3, 1, 5]);
        e.set_prop(tag::GEOMETRY, Some(list));
    }),
];
