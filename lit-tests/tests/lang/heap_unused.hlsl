// An element of a descriptor heap that nothing takes as a resource: its index is evaluated; and a heap itself.
// RUN: %rtc -T cs_6_6 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -no-warnings %s -Fc - | FileCheck %s
RWByteAddressBuffer o : register(u0);
uint next() { o.Store(0, 7); return 1; }
// CHECK-LABEL: define void @main
// CHECK-NOT: createHandleFromHeap
// CHECK: rawBufferStore{{.*}} i32 7,
[numthreads(1, 1, 1)]
void main(uint3 i : SV_DispatchThreadID)
{
    ResourceDescriptorHeap[i.x];
    (void)SamplerDescriptorHeap[i.y];
    ResourceDescriptorHeap[next()];
    ResourceDescriptorHeap;
    (void)SamplerDescriptorHeap;
}
