// A member of a groupshared structure that DispatchMesh passes is a variable of its own: its address is passed, nothing is copied. An element of an array and a local variable are copied by every thread.
// RUN: %rtc -T as_6_5 -E Member %s -validator-version 1.6 -no-warnings -Fo %t.dxil -Fc %t.txt
// RUN: FileCheck %s --check-prefix=MEMBER --input-file=%t.txt
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T as_6_5 -E Member %s -validator-version 1.6 -no-warnings -Od -Zi -Fo %t.od.dxil -Fc %t.txt
// RUN: FileCheck %s --check-prefix=MEMBER --input-file=%t.txt
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T as_6_5 -E Nested %s -validator-version 1.6 -no-warnings -Fo %t.nested.dxil -Fc %t.txt
// RUN: FileCheck %s --check-prefix=NESTED --input-file=%t.txt
// RUN: %dxil-val %t.nested.dxil
// RUN: %rtc -T as_6_5 -E Element %s -validator-version 1.6 -no-warnings -Fo %t.element.dxil -Fc %t.txt
// RUN: FileCheck %s --check-prefix=COPY --input-file=%t.txt
// RUN: %dxil-val %t.element.dxil
// RUN: %rtc -T as_6_5 -E Local %s -validator-version 1.6 -no-warnings -Fo %t.local.dxil -Fc %t.txt
// RUN: FileCheck %s --check-prefix=COPY --input-file=%t.txt
// RUN: %dxil-val %t.local.dxil
// RUN: %rtc -T lib_6_5 %s -validator-version 1.6 -no-warnings -Fo %t.lib.dxil
// RUN: %rtc validate %t.lib.dxil
// RUN: %rtc -spirv -T as_6_5 -E Member %s -no-warnings -Fo %t.spv -Fc %t.txt
// RUN: FileCheck %s --check-prefix=SPIRV --input-file=%t.txt
// RUN: %spirv-val %t.spv
struct Load { uint4 data; };
struct Inner { float before; Load load; };
struct Both { uint i; Load load; Inner inner; };
groupshared Both both;
groupshared Load many[2];

// The copy of the whole structure writes the payload as well.
[shader("amplification")] [numthreads(4, 1, 1)] void Member(uint g : SV_GroupIndex)
{
    if (g == 0) { Both b = { g, { uint4(1, 2, 3, 4) }, { 1, { uint4(5, 6, 7, 8) } } }; both = b; }
    GroupMemoryBarrierWithGroupSync();
    both.load.data[g] = g + both.i;
    DispatchMesh(1, 1, 1, both.load);
}
// MEMBER-NOT: alloca
// MEMBER-COUNT-2: store i32 {{.*}} addrspace(3)
// MEMBER: call void @dx.op.dispatchMesh.struct.Load{{[^(]*}}(i32 173, i32 1, i32 1, i32 1, %struct.Load{{[^ ]*}} addrspace(3)* @
// SPIRV: OpVariable {{.*}} TaskPayloadWorkgroupEXT
// SPIRV: OpEmitMeshTasksEXT

[shader("amplification")] [numthreads(4, 1, 1)] void Nested(uint g : SV_GroupIndex) { both.inner.load.data[g] = g; DispatchMesh(1, 1, 1, both.inner.load); }
// NESTED-NOT: alloca
// NESTED: call void @dx.op.dispatchMesh.struct.Load{{[^(]*}}(i32 173, i32 1, i32 1, i32 1, %struct.Load{{[^ ]*}} addrspace(3)* @

[shader("amplification")] [numthreads(4, 1, 1)] void Element(uint g : SV_GroupIndex) { many[1].data[g] = g; DispatchMesh(1, 1, 1, many[1]); }
[shader("amplification")] [numthreads(4, 1, 1)] void Local(uint g : SV_GroupIndex) { Load l; l.data = g; DispatchMesh(1, 1, 1, l); }
// COPY: alloca %struct.Load
// COPY-NOT: br i1
// COPY: call void @dx.op.dispatchMesh.struct.Load{{[^(]*}}(i32 173, i32 1, i32 1, i32 1, %struct.Load{{[^ ]*}}* %
