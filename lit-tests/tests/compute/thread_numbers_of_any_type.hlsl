// rtc -T cs_6_6 -E main -HV 2021
// The numbers of a thread are integers, which are converted to what a shader declares.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}9,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct Numbers { float3 local : SV_GroupThreadID; bool index : SV_GroupIndex; };

[numthreads(3, 2, 1)] void main(float2 at : SV_DispatchThreadID, bool3 some : SV_GroupThreadID, float index : SV_GroupIndex, Numbers n)
{
    if (at.x < 1.5 || at.y < 0.5) return;
    IS(at.x, 2.0f); IS(at.y, 1.0f);
    IS((uint)some.x, 1u); IS((uint)some.y, 1u); IS((uint)some.z, 0u);
    IS(index, 5.0f);
    IS(n.local.x, 2.0f); IS(n.local.y, 1.0f); IS((uint)n.index, 1u);
    done();
}
