// What hosts see of declarations: structures without a name are `anon`, or have the name of their first alias; loose variables are qualified, resources are not; matrices of buffers have the order that they are declared with; texture buffers come after other views.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc reflect -text %t.dxil | FileCheck %s --check-prefix=TEXT
// RUN: %rtc -T ps_6_0 -validator-version 1.6 -Zi -Qembed_debug %s -Fo %t.debug.dxil
// RUN: %dxil-val %t.debug.dxil
// RUN: %rtc -spirv -T ps_6_0 %s | FileCheck %s --check-prefix=SPV
typedef struct { float a; float3 b; } Named, Again;
Named named;
Again again;
struct Outer { struct { float x; } inner; struct Inner { float y; } other; };
Outer outer;
struct { struct Member { float z; } member; float k; } unnamed;
namespace ns
{
    float loose;
    struct { float q; } also;
    Texture2D<float4> T;
    tbuffer Texels { float4 texel; }
    struct S { float4 v; };
    ConstantBuffer<S> C;
}
Buffer<float> B;
TextureBuffer<ns::S> Typed;
StructuredBuffer<Named> Structs;
StructuredBuffer<row_major float2x3> Rows;
StructuredBuffer<column_major float2x3> Columns;
StructuredBuffer<float2x3> Plain;

// CHECK: cbuffer $Globals
// CHECK: struct {{(hostlayout[.])?}}struct.Named
// CHECK: } named;
// CHECK: struct {{(hostlayout[.])?}}struct.Named
// CHECK: } again;
// CHECK: struct struct.Outer
// CHECK: struct struct.anon
// CHECK: } inner;
// CHECK: struct struct.Outer::Inner
// CHECK: struct struct.anon.0
// CHECK: struct struct.(anonymous struct)::Member
// CHECK: } unnamed;
// CHECK: float ns::loose;
// CHECK: struct struct.anon.1
// CHECK: } ns::also;
// CHECK: cbuffer C
// CHECK: Resource bind info for Structs
// CHECK: struct struct.Named
// CHECK: Resource bind info for Rows
// CHECK: row_major float2x3 $Element;
// CHECK: Resource bind info for Columns
// CHECK: column_major float2x3 $Element;
// CHECK: Resource bind info for Plain
// CHECK: column_major float2x3 $Element;
// CHECK: tbuffer Texels
// CHECK: tbuffer Typed
// CHECK: $Globals cbuffer NA NA CB0 cb0 1
// CHECK: C cbuffer NA NA CB1 cb1 1
// CHECK: T texture f32 2d T0 t0 1
// CHECK: B texture f32 buf T1 t1 1
// CHECK: Structs texture struct r/o T2 t2 1
// CHECK: Rows texture struct r/o T3 t3 1
// CHECK: Columns texture struct r/o T4 t4 1
// CHECK: Plain texture struct r/o T5 t5 1
// CHECK: Texels texture u32 tbuffer T6 t6 1
// CHECK: Typed texture u32 tbuffer T7 t7 1
// TEXT: main: pixel
// TEXT: outputs:
// TEXT: name {{ *}}type {{ *}}register
// TEXT: SV_Target0 {{ *}}f32 x 4
// TEXT: Typed
// SPV: OpMemberName {{.*}} "loose"
// SPV: OpName {{.*}} "T"
float4 main(uint i : I) : SV_Target
{
    return named.a + again.b.x + outer.inner.x + outer.other.y + unnamed.member.z + unnamed.k + ns::loose + ns::also.q + ns::T.Load(i) + ns::texel + ns::C.v + B[i] + Typed.v
        + Structs[i].b.x + Rows[i][1].z + Columns[i][1].z + Plain[i][1].z;
}
