// Numbers of threads have three components; as a vector of four the last one is zero.
// RUN: %rtc -T cs_6_6 -E Main -validator-version 1.6 -WX %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %dxil-dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_6 -E Main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: define void @Main()
// CHECK-NOT: @dx.op.threadId.i32(i32 93, i32 3)
// CHECK: rawBufferStore.i32({{.*}}, i32 0, i32 0, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
// CHECK: ret void
RWStructuredBuffer<uint4> R;
struct Ids { uint4 group : SV_GroupID; int2 inner : SV_GroupThreadID; };
[numthreads(8, 1, 1)]
void Main(uint4 id : SV_DispatchThreadID, Ids ids)
{
    R[id.x] = id + ids.group + ids.inner.xyxy;
    R[id.x + 8].x = id.w;
}
