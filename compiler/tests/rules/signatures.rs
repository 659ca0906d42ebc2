//! Cases of rules for signatures: elements, registers, and what is written.

use super::Case;
use super::edit::Edit;
use rtc_dxil_container::metadata::signature::{SignatureElement, Signatures, field};
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Interpolation, Semantic};
use rtc_tables::validation::{Rule, rule};

const VERTEX: &str = "// rtc -T vs_6_6 -E main
struct O { float4 at : SV_Position; float4 c : COLOR; float2 uv : TEXCOORD; float f : F; nointerpolation uint k : K; nointerpolation uint layer : SV_RenderTargetArrayIndex; };
O main(float4 p : POSITION, uint i : SV_VertexID) {
    O o;
    o.at = p; o.c = p.wzyx; o.uv = p.xy; o.f = p.z; o.k = i; o.layer = i & 3;
    return o;
}";

const INDEXED: &str = "// rtc -T vs_6_6 -E main
struct O { float4 at : SV_Position; nointerpolation uint k[2] : K; nointerpolation uint layer : SV_RenderTargetArrayIndex; };
O main(float4 p : POSITION, uint i : SV_VertexID) {
    O o;
    o.at = p; o.k[0] = i; o.k[1] = i * 2; o.layer = i & 3;
    return o;
}";

const SMALL: &str = "// rtc -T vs_6_6 -E main -enable-16bit-types
struct O { float4 at : SV_Position; nointerpolation uint16_t h : H; nointerpolation uint k : K; };
O main(float4 p : POSITION, uint i : SV_VertexID) {
    O o;
    o.at = p; o.h = (uint16_t)i; o.k = i;
    return o;
}";

const DISTANCES: &str = "// rtc -T vs_6_6 -E main
struct O { float4 at : SV_Position; float4 a : SV_ClipDistance0; float4 b : SV_ClipDistance1; float c : C; };
O main(float4 p : POSITION) {
    O o;
    o.at = p; o.a = p.x; o.b = p.y; o.c = p.z;
    return o;
}";

const THREE_DISTANCES: &str = "// rtc -T vs_6_6 -E main
struct O { float4 at : SV_Position; float a : SV_ClipDistance0; float b : SV_ClipDistance1; float c : SV_CullDistance0; };
O main(float4 p : POSITION) {
    O o;
    o.at = p; o.a = p.x; o.b = p.y; o.c = p.z;
    return o;
}";

const PIXEL: &str = "// rtc -T ps_6_6 -E main
float2 main(float4 at : SV_Position, float4 c : COLOR, nointerpolation uint k : K, float3 b : SV_Barycentrics) : SV_Target {
    return c.xy + k + b.x + at.z;
}";

const TWO_BARYCENTRICS: &str = "// rtc -T ps_6_6 -E main
float4 main(float3 a : SV_Barycentrics, noperspective float3 b : SV_Barycentrics1) : SV_Target { return (a - b).xyzz; }";

const DEPTH: &str = "// rtc -T ps_6_6 -E main
float4 main(centroid float4 at : SV_Position, out float d : SV_DepthGreaterEqual, out uint s : SV_StencilRef) : SV_Target {
    d = at.z;
    s = 1;
    return at;
}";

const VIEW: &str = "// rtc -T ps_6_6 -E main
float4 main(float4 a[31] : A, uint v : SV_ViewID) : SV_Target { return a[3] * v; }";

const GEOMETRY: &str = "// rtc -T gs_6_6 -E main
struct V { float4 at : SV_Position; float4 c : COLOR; };
[maxvertexcount(3)] void main(triangle V i[3], inout TriangleStream<V> s) { s.Append(i[0]); s.Append(i[1]); s.Append(i[2]); }";

const MESH: &str = "// rtc -T ms_6_6 -E main
struct V { float4 at : SV_Position; };
struct Q { float4 c : COLOR; };
[numthreads(3, 1, 1)] [outputtopology(\"triangle\")]
void main(uint i : SV_GroupIndex, out vertices V v[3], out primitives Q q[1], out indices uint3 t[1]) {
    SetMeshOutputCounts(3, 1);
    v[i].at = i;
    if (i == 0) { t[0] = uint3(0, 1, 2); q[0].c = 1; }
}";

const fn case(rule: &'static Rule, source: &'static str, edit: fn(&mut Edit)) -> Case {
    Case { rule, source, edit, reference: "" }
}

/// Changes the element of an output.
fn output(e: &mut Edit, n: usize, change: impl Fn(&mut SignatureElement)) {
    e.signatures(|s: &mut Signatures| change(&mut s.outputs[n]));
}

/// Changes the element of an input.
fn input(e: &mut Edit, n: usize, change: impl Fn(&mut SignatureElement)) {
    e.signatures(|s: &mut Signatures| change(&mut s.inputs[n]));
}

/// Makes an element a system value.
fn becomes(e: &mut SignatureElement, semantic: Semantic) {
    e.semantic = semantic;
    e.name = semantic.info().name.into();
}

pub const CASES: &[Case] = &[
    case(rule::META_SEMANTIC_LEN, VERTEX, |e| output(e, 1, |o| o.name = "N".repeat(65))),
    case(rule::META_SEMANTIC_LEN, VERTEX, |e| output(e, 1, |o| o.name = String::new())),
    case(rule::META_SEMANTIC_KIND, VERTEX, |e| e.set_input_field(0, field::SEMANTIC, 60)),
    case(rule::META_SEMANTIC_NAME, VERTEX, |e| output(e, 0, |o| o.name = "POSITION".into())),
    case(rule::META_SEMANTIC_OVERLAP, VERTEX, |e| output(e, 2, |o| o.name = "color".into())),
    case(rule::META_SEMANTIC_DUPLICATE, VERTEX, |e| {
        output(e, 1, |o| {
            becomes(o, Semantic::Position);
            (o.indices, o.interpolation) = (vec![1], Interpolation::LinearNoperspective);
        });
    }),
    case(rule::META_SEMANTIC_INDEX, VERTEX, |e| output(e, 0, |o| o.indices = vec![1])),
    case(rule::META_SEMANTIC_ROWS, VERTEX, |e| input(e, 1, |i| i.indices = vec![0, 1])),
    case(rule::META_SEMANTIC_PLACED, VERTEX, |e| output(e, 1, |o| o.row = None)),
    case(rule::META_SEMANTIC_NOT_PLACED, PIXEL, |e| input(e, 3, |i| i.row = Some(9))),
    case(rule::META_SEMANTIC_TYPE, VERTEX, |e| {
        output(e, 0, |o| (o.component, o.interpolation) = (CompType::I32, Interpolation::Constant));
    }),
    case(rule::META_SEMANTIC_TYPE, DEPTH, |e| output(e, 1, |o| o.component = CompType::U32)),
    case(rule::META_ELEMENT_TYPE, VERTEX, |e| e.set_input_field(0, field::COMPONENT, 17)),
    case(rule::META_ELEMENT_OVERLAP, VERTEX, |e| output(e, 2, |o| o.row = Some(1))),
    case(rule::META_ELEMENT_RANGE, VERTEX, |e| output(e, 1, |o| o.row = Some(32))),
    case(rule::META_ELEMENT_RANGE, VERTEX, |e| output(e, 2, |o| (o.row, o.column) = (Some(20), 3))),
    case(rule::META_ELEMENT_INDEXED, INDEXED, |e| output(e, 2, |o| (o.row, o.column) = (Some(1), 1))),
    case(rule::META_ELEMENT_ORDER, VERTEX, |e| {
        output(e, 4, |o| o.column = 1);
        output(e, 5, |o| o.column = 0);
    }),
    case(rule::META_ELEMENT_WIDTH, SMALL, |e| output(e, 2, |o| (o.row, o.column) = (Some(1), 1))),
    case(rule::META_ELEMENT_INTERPOLATION, VERTEX, |e| output(e, 4, |o| (o.row, o.column) = (Some(2), 3))),
    case(rule::META_INTERPOLATION, VERTEX, |e| e.set_input_field(0, field::INTERPOLATION, 9)),
    case(rule::META_INTERPOLATION_INTEGER, PIXEL, |e| input(e, 2, |i| i.interpolation = Interpolation::Linear)),
    case(rule::META_DISTANCE_ROWS, THREE_DISTANCES, |e| {
        for n in 1..4 {
            output(e, n, |o| (o.row, o.column) = (Some(9 + n as u32), 0));
        }
    }),
    case(rule::META_DISTANCE_COMPONENTS, DISTANCES, |e| {
        output(e, 3, |o| {
            becomes(o, Semantic::CullDistance);
        });
    }),
    case(rule::META_BARYCENTRICS_MODE, PIXEL, |e| input(e, 3, |i| i.interpolation = Interpolation::Constant)),
    case(rule::META_BARYCENTRICS_TYPE, PIXEL, |e| input(e, 3, |i| i.columns = 2)),
    case(rule::META_BARYCENTRICS_TWO, TWO_BARYCENTRICS, |e| input(e, 1, |i| i.interpolation = Interpolation::LinearCentroid)),
    case(rule::SM_SEMANTIC, VERTEX, |e| {
        output(e, 3, |o| {
            becomes(o, Semantic::Depth);
            o.row = None;
        });
    }),
    case(rule::SM_NO_INTERPOLATION, VERTEX, |e| input(e, 0, |i| i.interpolation = Interpolation::Linear)),
    case(rule::SM_NO_INTERPOLATION, PIXEL, |e| output(e, 0, |o| o.interpolation = Interpolation::Linear)),
    case(rule::SM_CONSTANT_INTERPOLATION, MESH, |e| e.signatures(|s| s.patch[0].interpolation = Interpolation::Linear)),
    case(rule::SM_STREAM, VERTEX, |e| output(e, 1, |o| o.stream = 1)),
    case(rule::SM_STREAMS_OF_POINTS, GEOMETRY, |e| output(e, 1, |o| o.stream = 1)),
    case(rule::SM_PATCH_SIGNATURE, VERTEX, |e| {
        e.signatures(|s| {
            s.patch = vec![SignatureElement { id: 0, interpolation: Interpolation::Undefined, ..s.outputs[1].clone() }];
        });
    }),
    case(rule::SM_TARGET_ROWS, PIXEL, |e| output(e, 0, |o| o.indices = vec![0, 1])),
    case(rule::SM_TARGET_ROW, PIXEL, |e| output(e, 0, |o| o.row = Some(1))),
    case(rule::SM_TARGET_COLUMN, PIXEL, |e| output(e, 0, |o| o.column = 1)),
    case(rule::SM_PIXEL_OUTPUT, PIXEL, |e| output(e, 0, |o| (o.semantic, o.name) = (Semantic::Arbitrary, "COLOR".into()))),
    case(rule::SM_PIXEL_DEPTHS, DEPTH, |e| {
        output(e, 2, |o| {
            becomes(o, Semantic::DepthLessEqual);
            o.component = CompType::F32;
        });
    }),
    case(rule::SM_PIXEL_POSITION, DEPTH, |e| input(e, 0, |i| i.interpolation = Interpolation::LinearNoperspective)),
    case(rule::SM_VIEW_SLOT, VIEW, |e| input(e, 0, |i| i.indices.push(31))),
    case(rule::SM_UNDEFINED_OUTPUT, VERTEX, |e| e.give_i8("StoreOutput", 3, 1)),
    case(rule::SM_COMPLETE_POSITION, VERTEX, |e| e.give_i8("StoreOutput", 3, 1)),
];
