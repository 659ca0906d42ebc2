// Components of vectors in groupshared memory that are written and read one after the other become accesses of the vector: where all are written, where only some are, with
// writes by other paths, other threads and barriers between.
// RUN: %rtc-run %S/Inputs/shared_components.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %S/Inputs/shared_components.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T cs_6_6 -spirv -D ALONE %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=ALONE --input-file=%t.txt
RWStructuredBuffer<uint> Out : register(u0);
groupshared float4 F[64];
groupshared uint3 U[2][64];
groupshared bool4 B[64];
groupshared float3x4 M[64];
#ifdef ALONE
// One load and one store of the vector for each time, and none of a component.
// ALONE-NOT: OpAccessChain {{ *}}%_ptr_Workgroup_float {{ *}}%F
// ALONE: OpLoopMerge
// ALONE: [[AT:%[0-9]+]] = OpAccessChain {{ *}}%_ptr_Workgroup_v4float {{ *}}%F
// ALONE-NEXT: OpLoad {{ *}}%v4float {{ *}}[[AT]]
// ALONE-NOT: OpLoad {{ *}}%float
// ALONE: OpStore {{%[0-9]+}} {{%[0-9]+}}
// ALONE-NOT: OpStore
// ALONE: OpBranch
cbuffer C : register(b0) { uint Trips; };
[numthreads(64, 1, 1)] void main(uint at : SV_GroupIndex)
{
    F[at] = at;
    for (uint i = 0; i < Trips; ++i) { F[at].zx = frac(F[at].yw * 1.3 + 0.1); F[at].yw = F[at].xz; }
    float4 f = F[at];
    Out[at] = asuint(dot(f, 1));
}
#else
groupshared uint Failed, Passed;
void IS(uint found, uint must)
{
    uint n;
    if (found == must) { InterlockedAdd(Passed, 1u); return; }
    InterlockedAdd(Failed, 1u, n);
    Out[2 + min(n, 20u)] = must << 16 | found & 0xffff;
}
void ISF(float found, float must) { IS(uint(int(found * 4)), uint(int(must * 4))); }
void IS4(float4 f, float4 m) { ISF(f.x, m.x); ISF(f.y, m.y); ISF(f.z, m.z); ISF(f.w, m.w); }
float change(inout float2 v) { v += 10; return v.x; }

[numthreads(64, 1, 1)] void main(uint at : SV_GroupIndex)
{
    if (at == 0) Failed = Passed = 0;
    GroupMemoryBarrierWithGroupSync();
    float x = float(at);
    // All components, one of them twice, read between.
    F[at].zx = float2(x, x + 1); F[at].yw = F[at].xz + 1; IS4(F[at], float4(x + 1, x + 2, x, x + 1));
    F[at].x = 7; F[at].x = 8; F[at].y = F[at].x + x; F[at].zw = F[at].yx; IS4(F[at], float4(8, 8 + x, 8 + x, 8));
    // The whole is read or written between.
    F[at].xy = 1; float4 w = F[at]; F[at].zw = 2; IS4(w, float4(1, 1, 8 + x, 8)); IS4(F[at], float4(1, 1, 2, 2));
    F[at].xy = 5; F[at] = 6; F[at].zw = 7; IS4(F[at], float4(6, 6, 7, 7));
    // Only some.
    F[at].xw = 3; IS4(F[at], float4(3, 6, 7, 3)); F[at].y += F[at].x; F[at].x += F[at].y; IS4(F[at], float4(12, 9, 7, 3));
    change(F[at].zy); IS4(F[at], float4(12, 19, 17, 3));
    // By another path, which may be the same, and by a component that is chosen.
    uint n = at ^ (F[at].x > 99 ? 1 : 0), c = at & 3;
    F[at].x = 1; F[n].x = 2; F[at].yzw = 3; F[n].y = 4; IS4(F[at], float4(2, 4, 3, 3));
    F[at].xy = 20; F[at][c] = 30; F[at].zw = 40; IS4(F[at], float4(c == 0 ? 30 : 20, c == 1 ? 30 : 20, 40, 40));
    F[at].xyz = 0; F[at].w = c; ISF(F[at][c], c == 3 ? 3 : 0);
    // In branches and loops.
    F[at].x = 1; if (at & 1) F[at].x = 2; F[at].yzw = 5; ISF(F[at].x, at & 1 ? 2 : 1);
    for (uint i = 0; i < c; ++i) { F[at].xy += F[at].yx; F[at].zw = F[at].xy; }
    uint a = at & 1 ? 2 : 1, b = 5;
    for (uint k = 0; k < c; ++k) { uint s = a + b; a = s; b = s; }
    IS4(F[at], float4(a, b, c ? a : 5, c ? b : 5));
    // Atomics and other types.
    U[c & 1][at].xz = 1; InterlockedAdd(U[c & 1][at].x, at); U[c & 1][at].y = 9; IS(U[c & 1][at].x, at + 1); IS(U[c & 1][at].y * 10 + U[c & 1][at].z, 91);
    B[at].xz = at & 1; B[at].yw = !B[at].zx; IS(B[at].x * 8 + B[at].y * 4 + B[at].z * 2 + B[at].w, at & 1 ? 10 : 5);
    for (uint r = 0; r < 3; ++r) { M[at][r].wx = r; M[at][r].zy = M[at][r].xw + x; }
    IS4(M[at][2], float4(2, 2 + x, 2 + x, 2));
    GroupMemoryBarrierWithGroupSync();
    // Threads write components of vectors that others write, too.
    uint half_ = at / 2;
    if (at & 1) F[half_].xz = float2(x, -x); else F[half_].yw = float2(x, -x);
    GroupMemoryBarrierWithGroupSync();
    IS4(F[half_], float4(half_ * 2 + 1, half_ * 2, -float(half_ * 2 + 1), -float(half_ * 2)));
    GroupMemoryBarrierWithGroupSync();
    // A barrier between the components: another thread reads the vector there.
    F[at].xy = x; GroupMemoryBarrierWithGroupSync(); float2 other = F[at ^ 1].xy; GroupMemoryBarrierWithGroupSync(); F[at].zw = x + 1; F[at].xy = x + 2;
    ISF(other.x, at ^ 1); ISF(other.y, at ^ 1); IS4(F[at], float4(x + 2, x + 2, x + 1, x + 1));
    GroupMemoryBarrierWithGroupSync();
    if (at == 0) { Out[0] = Passed; Out[1] = Failed; }
}
#endif
// CHECK: [
// CHECK-NEXT: 4032,
// CHECK-NEXT: 0,
