// Matrices of hits that differ between threads, used as matrices.
// rtc -T lib_6_9
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_9 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    uint i = thread() % 9;
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    float3 moved = mul(h.GetObjectToWorld3x4(), float4(1, 2, 3, 1));
    float3 back = mul(float4(1, 2, 3, 1), h.GetWorldToObject4x3());
    float at = i == NOTHING ? 0 : 10.0 * i;
    IS3(moved, i == TURNED ? float3(6, 3, 15) : float3(1 + at, 2, 3)); IS3(back, i == TURNED ? float3(0.5, 4.5, 0) : float3(1 - at, 2, 3));
    uint row = thread() & 1;
    ISF(h.GetObjectToWorld3x4()[row][3], i == TURNED ? (row == 0 ? 10 : 1) : row == 0 ? at : 0);
    done(7);
}
