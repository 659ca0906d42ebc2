// Forms that dxc takes: constant buffers of one name, booleans in order, several root signatures, derivatives in exported functions of
// early models, arrays of one-component vectors, static constants without value.
// RUN: %rtc -T lib_6_3 -HV 2018 %s -validator-version 1.6 -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_3 -HV 2018 -no-warnings -spirv -fspv-target-env=vulkan1.2 -DNO_TEXTURE %s -Fo %t.spv
// RUN: %spirv-val %t.spv
RWByteAddressBuffer O : register(u0);
cbuffer C : register(b0) { float4 a; }
cbuffer C : register(b1) { float4 b; }
cbuffer C : register(b2) { float4 c; }
// CHECK: @C = external constant
// CHECK: @C.1 = external constant
// CHECK: @C.2 = external constant
struct P { float x; };
#if __HLSL_VERSION == 2018
float1 sum(float1 v[3]) { return v[0] + v[1] + v[2]; }
[shader("miss")] void m(inout P p)
{
    // WARN: warning: the constant `none` is not initialised
    static const float none;
    float three[3] = { p.x, 2, 3 };
    bool before = a.x < b.y, after = b.x > a.y;
    O.Store4(0, asuint(a + b + c));
    O.Store2(16, uint2(before < after, before >= after));
    O.Store(24, asuint(sum(three) + none));
}
#endif
#ifndef NO_TEXTURE
Texture2D<float4> T : register(t0);
SamplerState S : register(s0);
export float4 sampled(float2 at) { return T.Sample(S, at) + ddx(at.x); }
#endif

// Of several root signatures, the last counts.
// RUN: %rtc -T cs_6_0 -E rooted -DCOMPUTE %s -no-warnings -Fo %t.cs.dxil
// RUN: not %rtc -T cs_6_0 -E unbound -DCOMPUTE %s -no-warnings 2>&1 | FileCheck %s --check-prefix=UNBOUND
// UNBOUND: error: the shader uses u0, which the root signature does not bind
#ifdef COMPUTE
[RootSignature("")] [RootSignature("UAV(u0)")] [numthreads(1, 1, 1)] void rooted() { O.Store(0, 1); }
[RootSignature("UAV(u0)")] [RootSignature("")] [numthreads(1, 1, 1)] void unbound() { O.Store(0, 1); }
#endif

// Group-shared memory above the common limit, and below one that is given.
// RUN: %rtc -T cs_6_10 -E large -DSHARED=36864 -DLIMIT=36864 %s -no-warnings -Fo %t.large.dxil
// RUN: not %rtc -T cs_6_10 -E large -DSHARED=4096 -DLIMIT=1024 %s -no-warnings 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not %rtc -T cs_6_9 -E large -DSHARED=4096 -DLIMIT=4096 %s -no-warnings 2>&1 | FileCheck %s --check-prefix=OLD
// SMALL: error: `large` uses 4096 bytes of groupshared memory; a thread group has at most 1024
// OLD: error: `GroupSharedLimit` requires shader model 6.10
#ifdef SHARED
groupshared uint Memory[SHARED / 4];
[GroupSharedLimit(LIMIT)] [numthreads(64, 1, 1)] void large(uint i : SV_GroupIndex)
{
    Memory[i] = i;
    GroupMemoryBarrierWithGroupSync();
    O.Store(i * 4, Memory[i ^ 1]);
}
#endif

// One wave size.
// RUN: not %rtc -T cs_6_6 -E sizes -DSIZES %s -no-warnings 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: the attribute `WaveSize` takes one size; another one is given before
#ifdef SIZES
[WaveSize(32)] [WaveSize(32)] [WaveSize(64)] [numthreads(1, 1, 1)] void sizes() { O.Store(0, 1); }
#endif

// A compute shader among others: their thread groups and types do not matter, its own do.
// RUN: %rtc -T cs_6_0 -E small -DOTHERS %s -no-warnings -Fo %t.others.dxil
// RUN: not %rtc -T cs_6_0 -E streams -DOTHERS %s -no-warnings 2>&1 | FileCheck %s --check-prefix=OTHERS
// OTHERS: error: a variable of type `TriangleStream<V>` is not allowed here
#ifdef OTHERS
struct V { float4 position : SV_Position; };
[maxvertexcount(3)] void geometry(triangle V input[3], inout TriangleStream<V> stream) { stream.Append(input[0]); }
[numthreads(64, 64, 64)] void huge() { O.Store(0, 2); }
[numthreads(8, 8, 1)] void small() { O.Store(0, 1); }
[numthreads(8, 8, 1)] void streams() { TriangleStream<V> s; O.Store(0, 1); }
#endif

// Libraries for linking export what is not `static`, but for what cannot be passed.
// RUN: %rtc -T lib_6_x -DPARTS %s -no-warnings -Fo %t.parts.dxil
// RUN: %rtc dis %t.parts.dxil | FileCheck %s --check-prefix=PARTS
// PARTS-NOT: passed
// PARTS-NOT: hidden
// PARTS: define i32 @"\01?twice@@YAHH@Z"
// RUN: not %rtc -T lib_6_x -DPARTS -DENDLESS %s -no-warnings 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: %rtc -T lib_6_x -default-linkage internal -DPARTS -DENDLESS %s -no-warnings -Fo %t.internal.dxil
// ENDLESS: error: recursive call of `endless`
#ifdef PARTS
static int hidden(int n) { return n * 2; }
int twice(int n) { return hidden(n); }
uint passed(ByteAddressBuffer b) { return b.Load(0); }
#ifdef ENDLESS
int endless(int n) { return endless(n - 1); }
#endif
#endif

// Flags of later shader models are a warning. `using namespace` ends with its block. Only writable resources are coherent, in templates too.
// RUN: %rtc -T lib_6_8 -DLATER %s -Fo %t.later.dxil 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: not %rtc -T lib_6_9 -DLATER -DOUTSIDE %s 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not %rtc -T lib_6_6 -DCOHERENT %s 2>&1 | FileCheck %s --check-prefix=COHERENT
// LATER: warning: `RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS` requires shader model 6.9, but the target is 6.8
// OUTSIDE: error: use of undeclared identifier `MaybeReorderThread`
// COHERENT: error: `globallycoherent` is not allowed on a variable that is not a writable resource
#ifdef LATER
RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS };
[shader("raygeneration")] void generate()
{
#ifdef OUTSIDE
    { using namespace dx; MaybeReorderThread(1, 1); }
    MaybeReorderThread(1, 1);
#endif
}
#endif
#ifdef COHERENT
template<typename T> void keep() { globallycoherent T all = O; globallycoherent uint n = 0; all.Store(0, n); }
[shader("raygeneration")] void coherent() { keep<RWByteAddressBuffer>(); }
#endif
