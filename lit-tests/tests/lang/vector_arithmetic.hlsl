// Arithmetic on vectors since shader model 6.9: what loads and stores vectors computes vectors, what scalars go in and out of stays scalar, and before 6.9 all does.
// RUN: %rtc -T cs_6_9 -E main %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_9 -E main -Zi -Qembed_debug %s -Fo %t.zi.dxil -Fc - | FileCheck %s --check-prefixes=CHECK,DEBUG
// RUN: %llvm-verify %t.zi.dxil
// RUN: %rtc -T cs_6_8 -E main %s -Fc - | FileCheck %s --check-prefixes=SCALAR,OLD
// RUN: %rtc -T cs_6_9 -E main -Od %s -Fc - | FileCheck %s --check-prefix=SCALAR
// RUN: %rtc -T lib_6_9 -D LIBRARY %s -Fc - | FileCheck %s --check-prefix=LIB
StructuredBuffer<float4> In;
StructuredBuffer<uint3> Words;
RWStructuredBuffer<float4> Out;
RWStructuredBuffer<uint3> OutWords;
RWStructuredBuffer<float> One;
cbuffer Scale { float4 k; float s; };

// SCALAR-NOT: {{(fadd|fsub|fmul|fcmp|select|phi|add|xor) .*<[234] x}}
// OLD-NOT: .v4f32
float4 compute(uint t)
{
    // CHECK: define void @main()
    float4 a = In[t], b = In[t + 1];
    // CHECK: [[A:%[0-9]+]] = extractvalue %dx.types.ResRet.v4f32
    // CHECK: [[B:%[0-9]+]] = extractvalue %dx.types.ResRet.v4f32
    // DEBUG: call void @llvm.dbg.value(metadata <4 x float> [[B]], {{.*}}var:"b"
    // CHECK-NOT: extractelement
    // CHECK: insertelement <4 x float>
    // CHECK: [[R:%[0-9]+]] = call <4 x float> @dx.op.tertiary.v4f32(i32 46, <4 x float> [[A]], <4 x float> [[B]], <4 x float> %{{[0-9]+}})
    // DEBUG: call void @llvm.dbg.value(metadata <4 x float> [[R]], i64 0, metadata !{{[0-9]+}}, metadata !{{[0-9]+}}), !dbg {{.*}}var:"r"
    float4 r = a * b + k;
    // CHECK: [[D:%[0-9]+]] = fsub fast <4 x float> [[B]], [[A]]
    // CHECK: [[M:%[0-9]+]] = call <4 x float> @dx.op.binary.v4f32(i32 35, <4 x float> [[R]], <4 x float> [[D]])
    r = max(r, b - a);
    // One scalar for all components.
    // CHECK: [[S:%[0-9]+]] = shufflevector <4 x float> %{{[0-9]+}}, <4 x float> undef, <4 x i32> zeroinitializer
    // CHECK: fmul fast <4 x float> [[M]], [[S]]
    r *= s;
    // CHECK: [[C:%[0-9]+]] = fcmp fast olt <4 x float> [[A]], <float 1.000000e+00, float 2.000000e+00, float 3.000000e+00, float 4.000000e+00>
    // CHECK: select <4 x i1> [[C]], <4 x float>
    r = select(a < float4(1, 2, 3, 4), r, b.wzyx);
    // CHECK: phi <4 x float>
    for (uint i = 0; i < t; ++i) r = r * a + b;
    return r;
}

uint3 words(uint t)
{
    // CHECK: call void @dx.op.rawBufferVectorStore.v4f32(i32 304,
    uint3 a = Words[t], b = Words[t + 1];
    // CHECK: add <3 x i32>
    // CHECK: xor <3 x i32>
    // CHECK: call <3 x i32> @dx.op.unaryBits.v3i32(i32 31,
    return countbits((a + b) ^ b);
}

float4 exact(uint t)
{
    // CHECK: call void @dx.op.rawBufferVectorStore.v3i32(i32 304,
    // CHECK: call <4 x float> @dx.op.binary.v4f32(i32 35, <4 x float> %{{[0-9]+}}, <4 x float> %{{[0-9]+}}){{.*}}!dx.precise
    // CHECK-NOT: extractelement {{.*}}!dx.precise
    // CHECK: call void @dx.op.rawBufferStore.f32
    precise float4 r = max(In[t + 2], In[t + 3]);
    One[t + 1] = r.y;
    return r;
}

float product(uint t)
{
    // CHECK: call float @dx.op.dot.v4f32(i32 311, <4 x float> %{{[0-9]+}}, <4 x float> %{{[0-9]+}})
    return dot(In[t + 4], In[t + 5]);
}

// A part of a vector, constants, and components of two vectors.
float4 parts(uint t)
{
    float4 a = In[t + 6], b = In[t + 7];
    // CHECK: [[X:%[0-9]+]] = shufflevector <4 x float> %{{[0-9]+}}, <4 x float> undef, <3 x i32> <i32 0, i32 1, i32 2>
    // CHECK: [[P:%[0-9]+]] = fmul fast <3 x float> [[X]], %{{[0-9]+}}
    // CHECK: shufflevector <3 x float> [[P]], <3 x float> <float 1.000000e+00, float undef, float undef>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
    Out[t + 2] = float4(a.xyz * b.zyx, 1);
    // CHECK: shufflevector <4 x float> %{{[0-9]+}}, <4 x float> %{{[0-9]+}}, <4 x i32> <i32 0, i32 5, i32 1, i32 7>
    return float4(a.x, b.y, a.y, b.w);
}

#ifdef LIBRARY
RaytracingAccelerationStructure Scene;
RWTexture2D<float4> Image;
struct [raypayload] P { float4 c : read(caller, miss) : write(caller, closesthit, miss); };
// What requires 6.9 already computes vectors; what does not stays what an older library is linked with.
// LIB-LABEL: define void @"\01?Vectors
// LIB: call <4 x float> @dx.op.tertiary.v4f32
[shader("raygeneration")] void Vectors() { Out[0] = compute(DispatchRaysIndex().x); }
// LIB-LABEL: define void @"\01?Scalars
// LIB-NOT: {{fadd|fsub|fmul}} fast <
// LIB: ret void
[shader("miss")] void Scalars(inout P p) { float4 c = p.c * k + s; p.c = c * c; }
#else
[numthreads(64, 1, 1)]
void main(uint t : SV_DispatchThreadID)
{
    Out[t] = compute(t);
    OutWords[t] = words(t);
    Out[t + 1] = exact(t);
    One[t + 2] = product(t);
    Out[t + 3] = parts(t);
    // Scalars that come from one place and go to others are not put together.
    // CHECK-NOT: insertelement
    // CHECK: ret void
    One[t] = k.x * s + k.y * s;
}
#endif
