// rtc -T cs_6_6 -E main -HV 2021
// Members of a cbuffer that begin at one place are the same bits, of any types.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/members_at_one_place.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/members_at_one_place.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: not %rtc -T cs_6_6 -E main -HV 2021 -spirv %s 2>&1 | FileCheck --check-prefix=SPIRV %s
// SPIRV: E0502
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}1065353216,
// CHECK-NEXT: {{^}}1,
// CHECK-NEXT: {{^}}5,
// CHECK-NEXT: {{^}}1077936128,
// CHECK-NEXT: {{^}}4,
// CHECK-NEXT: {{^}}11,
// CHECK-NEXT: {{^}}9,
cbuffer C : register(b0)
{
    float a : packoffset(c0.x);
    uint b : packoffset(c0.x);
    float4 v : packoffset(c1);
    uint2 w : packoffset(c1.x);
    struct { float x, y, z; } s : packoffset(c1);
    uint array[2] : packoffset(c2);
    uint4 whole : packoffset(c2);
};
RWByteAddressBuffer Out : register(u0);
[numthreads(1, 1, 1)] void main()
{
    Out.Store4(0, uint4(b, (uint)a, (uint)v.w, w.y));
    Out.Store3(16, uint3((uint)s.z, array[1], whole.z));
}
