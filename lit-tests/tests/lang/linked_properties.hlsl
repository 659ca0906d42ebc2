// What handles and entry points of libraries say in a linked shader: the properties of all sorts of resources, and the size of waves, which 6.8 says in
// another way. The constants are those of the shader that is compiled whole.
// RUN: %rtc -T cs_6_6 -E main -DA -DB %s -Fo %t.whole.dxil
// RUN: %rtc dis %t.whole.dxil | FileCheck %s --check-prefixes=CHECK,OLDER
// RUN: %rtc -T lib_6_x -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_x -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefixes=CHECK,OLDER
// RUN: %rtc link -T cs_6_7 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefixes=CHECK,OLDER
// RUN: %rtc -T lib_6_8 -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_8 -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_7 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefixes=CHECK,OLDER
// RUN: %rtc link -T cs_6_8 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefixes=CHECK,NEWER
// RUN: %rtc -T lib_6_6 -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: %rtc link -T cs_6_9 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefixes=CHECK,NEWER
// RUN: %rtc -T lib_6_5 -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefixes=CHECK,OLDER
// CHECK-DAG: %dx.types.ResourceProperties { i32 20491, i32 0 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 37388, i32 24 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 524, i32 24 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 3, i32 263177 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 2, i32 521 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 32782, i32 0 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 14, i32 0 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 10, i32 772 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 4098, i32 261 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 4113, i32 1 }
// CHECK-DAG: %dx.types.ResourceProperties { i32 13, i32 80 }
// OLDER: i32 11, ![[SIZE:[0-9]+]]}
// OLDER: ![[SIZE]] = !{i32 32}
// NEWER: i32 23, ![[SIZE:[0-9]+]]}
// NEWER: ![[SIZE]] = !{i32 32, i32 0, i32 0}
struct S { float3 a; uint b[3]; };
globallycoherent RWByteAddressBuffer Out : register(u0);
RWStructuredBuffer<S> Counted : register(u1);
StructuredBuffer<S> Read : register(t0);
Texture2DMS<float4, 4> Samples : register(t1);
Texture2D<float2> Image : register(t2);
SamplerComparisonState Compare : register(s0);
SamplerState Plain : register(s1);
Buffer<int3> Typed : register(t3);
RWTexture2D<uint> Pixels : register(u2);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIP_REGION_USED> Feedback : register(u3);
cbuffer C : register(b0) { float4 c[5]; };
float sum(uint k);
#ifdef A
[shader("compute")] [WaveSize(32)] [numthreads(4, 1, 1)] void main(uint k : SV_GroupIndex)
{
    Out.Store(4 * k, asuint(sum(k)));
    Counted.IncrementCounter();
    Counted[k].b[1] = Typed[k].z;
    Pixels[uint2(k, 1)] = 3;
}
#endif
#ifdef B
float sum(uint k)
{
    Feedback.WriteSamplerFeedbackLevel(Image, Plain, float2(0, 0), 1);
    return Read[k].a.y + Samples.Load(int2(k, 0), 1).x + Image.SampleCmpLevelZero(Compare, float2(0, 0), 0.5) + Image.SampleLevel(Plain, float2(0, 1), 0).y + c[k].x;
}
#endif
