// Components of a mesh shader's outputs: each is a store of its own; those of indices in Vulkan alone, since DXIL stores the indices of a primitive together.
// RUN: %rtc -spirv -T ms_6_5 -fspv-target-env=vulkan1.3 %s | FileCheck %s --check-prefix=SPV
// RUN: %rtc -spirv -T ms_6_5 -fspv-target-env=vulkan1.3 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T ms_6_5 -fspv-target-env=vulkan1.3 %s -Od -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -spirv -T ms_6_5 -E points -fspv-target-env=vulkan1.3 %s -Fo %t.points.spv
// RUN: %spirv-val %t.points.spv
// RUN: %rtc -T ms_6_5 -D DXIL -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: not %rtc -T ms_6_5 %s 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: the indices of a primitive must be written together [E0683]
struct V { float4 at : SV_Position; float4 c : C; float2 a[2] : A; };

// The counts are set once.
// SPV-COUNT-1: OpSetMeshOutputsEXT
// SPV-NOT: OpSetMeshOutputsEXT
// CHECK: call void @dx.op.setMeshOutputCounts(i32 168, i32 4, i32 2)
// CHECK: call void @dx.op.storeVertexOutput.f32(i32 171, i32 1, i32 0, i8 0, float 1.000000e+00
// CHECK: call void @dx.op.storeVertexOutput.f32(i32 171, i32 1, i32 0, i8 3, float 4.000000e+00
// CHECK: call void @dx.op.storeVertexOutput.f32(i32 171, i32 1, i32 0, i8 1, float 2.000000e+00
void both(out float x, out float y) { y = 6; x = 5; }
[numthreads(4, 1, 1)] [outputtopology("triangle")]
void main(uint i : SV_GroupIndex, out indices uint3 t[2], out vertices V v[4])
{
    SetMeshOutputCounts(4, 2);
    v[i].at = 0;
    v[i].c.x = 1;
    v[i].c.wy = float2(4, 2);
    v[i].c[2] = 3;
    v[i].c[i] = i;
    v[i].a[i & 1][1 - (i & 1)] = i;
    both(v[i].a[0].y, v[i].a[1].x);
#ifdef DXIL
    t[i & 1] = uint3(0, 1, 2);
    t[i & 1].xyz = uint3(0, 1, 2);
#else
    SetMeshOutputCounts(4, 2);
    // SPV: [[ONE:%[0-9A-Za-z_]+]] = OpAccessChain %{{[0-9A-Za-z_]+}} [[INDICES:%[0-9A-Za-z_]+]] %{{[0-9A-Za-z_]+}} %{{[0-9A-Za-z_]+}}
    // SPV-NEXT: OpStore [[ONE]]
    t[0].x = 0;
    t[0].zy = uint2(2, 1);
    t[1][i % 3] = i;
    if (i == 3) t[1].yxz = uint3(1, 2, 3);
#endif
}

[numthreads(1, 1, 1)] [outputtopology("point")]
void points(out indices uint t[2], out vertices V v[2])
{
    SetMeshOutputCounts(2, 2);
    v[0] = v[1] = (V)0;
    t[0] = 0;
    t[1].x = 1;
}
