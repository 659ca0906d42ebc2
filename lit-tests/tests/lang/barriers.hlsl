// The barriers of shader model 6.8, in both forms, and the classic ones.
// RUN: %rtc -T lib_6_9 %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_9 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s --check-prefix=SPIRV
RWStructuredBuffer<uint> U : register(u0);
RWTexture2D<float> T : register(u1);
groupshared uint G;

[shader("compute")]
[numthreads(8, 1, 1)]
void C(uint i : SV_GroupIndex)
{
    G = i;
    // CHECK: call void @dx.op.barrierByMemoryType(i32 244, i32 2, i32 3)
    // SPIRV: OpControlBarrier
    Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    U[i] = G;
    // CHECK: call void @dx.op.barrierByMemoryType(i32 244, i32 3, i32 5)
    Barrier(ALL_MEMORY, GROUP_SYNC | DEVICE_SCOPE);
    // CHECK: call void @dx.op.barrierByMemoryHandle(i32 245, %dx.types.Handle %{{.*}}, i32 4)
    // SPIRV: OpMemoryBarrier
    Barrier(U, DEVICE_SCOPE);
    Barrier(T, GROUP_SCOPE);
    // CHECK: call void @dx.op.barrier(i32 80, i32 11)
    AllMemoryBarrierWithGroupSync();
    U[i + 8] = G;
}

[shader("raygeneration")]
void R()
{
    U[0] = 1;
    // CHECK: call void @dx.op.barrierByMemoryType(i32 244, i32 1, i32 8)
    // SPIRV: OpMemoryBarrier
    Barrier(UAV_MEMORY, REORDER_SCOPE);
    // CHECK: call void @dx.op.barrierByMemoryType(i32 244, i32 1, i32 4)
    Barrier(ALL_MEMORY, DEVICE_SCOPE);
    // CHECK: call void @dx.op.barrier(i32 80, i32 2)
    DeviceMemoryBarrier();
    U[1] = 2;
}
