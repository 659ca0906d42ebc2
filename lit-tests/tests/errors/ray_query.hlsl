struct P { float4 a; RayQuery<0> q; };
RaytracingAccelerationStructure Scene : register(t0); RWByteAddressBuffer Out : register(u0);
RayQuery<0> Global;
groupshared RayQuery<0> Shared;
cbuffer C { RayQuery<0> InBuffer; };
RayQuery<0, 1> pick(RayQuery<0, 1> q) { return q; }
[shader("raygeneration")] void Main()
{
    RayQuery<0> q; RayQuery<1> w = q;
    const RayQuery<0> c = q; c.Proceed();
    q.CandidateClusterID();
    RayQuery<Out.Load(0)> unknown;
}
[shader("miss")] void Miss(inout P p) {}
// RUN: not %rtc -T lib_6_6 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not %rtc -T lib_6_4 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=OLD %s
// RUN: not test -e %t.dxil
// CHECK: ray_query.hlsl:3:13: error: a variable of type `RayQuery<0>` outside of functions must be `static` [E0307]
// CHECK: ray_query.hlsl:4:25: error: `RayQuery<0>` cannot be groupshared [E0505]
// CHECK: ray_query.hlsl:5:25: error: `RayQuery<0>` cannot be in a constant buffer: it is or contains an object [E0504]
// CHECK: ray_query.hlsl:6:13: error: `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS` requires shader model 6.9, but the target is 6.6 [E0604]
// CHECK: ray_query.hlsl:9:36: error: there is no implicit conversion from `RayQuery<0>` to `RayQuery<1>` [E0312]
// CHECK: ray_query.hlsl:10:30: error: cannot call `Proceed` on: this is a constant [E0317]
// CHECK: ray_query.hlsl:12:14: error: expected a constant expression [E0324]
// CHECK: ray_query.hlsl:14:28: error: the payload must consist of numbers; `P` contains an object [E0601]
// CHECK: ray_query.hlsl:11:5: error: `CandidateClusterID` requires shader model 6.10, but the target is 6.6 [E0604]
// OLD: error: `RayQuery` requires shader model 6.5, but the target is 6.4 [E0604]
