// Compute shaders of a library have their own names as symbols, ray-tracing shaders mangled ones. What other functions call is
// another function.
// RUN: %rtc -T lib_6_5 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_5 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
RWStructuredBuffer<uint> Out : register(u0);

// CHECK-DAG: define void @Halve()
[shader("compute")]
[numthreads(8, 1, 1)]
void Halve(uint3 id : SV_DispatchThreadID)
{
    Out[id.x] /= 2;
}

// CHECK-DAG: define void @Twice()
[shader("compute")]
[numthreads(8, 1, 1)]
void Twice(uint3 id : SV_DispatchThreadID)
{
    Halve(id);
    Halve(id + 1);
}

// CHECK-DAG: define void @"\01?Rays@@YAXXZ"()
[shader("raygeneration")]
void Rays()
{
    Halve(DispatchRaysIndex());
}
