// Barriers: flags are constants and mean something; group barriers belong to shaders with groups; REORDER_SCOPE to ray generation.
// RUN: not %rtc -T lib_6_8 %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s
// RUN: not %rtc -T lib_6_7 -DOLD %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s --check-prefix=OLD
RWStructuredBuffer<uint> U : register(u0);
StructuredBuffer<uint> S : register(t0);

#ifdef OLD
// OLD: error[E0604]: `Barrier` requires shader model 6.8, but the target is 6.7
[shader("compute")] [numthreads(1, 1, 1)] void C() { Barrier(UAV_MEMORY, DEVICE_SCOPE); }
#else
[shader("compute")]
[numthreads(1, 1, 1)]
void C()
{
// CHECK: error[E0620]: invalid memory types of `Barrier`: 16
// CHECK: [[#@LINE+1]]:13
    Barrier(16, DEVICE_SCOPE);
// CHECK: error[E0620]: invalid semantics of `Barrier`: 32
// CHECK: [[#@LINE+1]]:25
    Barrier(UAV_MEMORY, 32);
// CHECK: error[E0620]: only node shaders
// CHECK: [[#@LINE+1]]:13
    Barrier(NODE_INPUT_MEMORY, GROUP_SCOPE);
    uint x = U[0];
// CHECK: error[{{.*}}]: {{.*}}constant
// CHECK: [[#@LINE+1]]:13
    Barrier(x, GROUP_SCOPE);
// CHECK: error[E0313]
// CHECK: [[#@LINE+1]]:5
    Barrier(S, GROUP_SCOPE);
// CHECK: error[E0604]: `REORDER_SCOPE` requires shader model 6.9
    Barrier(U, REORDER_SCOPE);
}
void helper() { Barrier(GROUP_SHARED_MEMORY, 0); }
[shader("raygeneration")]
void R()
{
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    Barrier(ALL_MEMORY, DEVICE_SCOPE);
// CHECK: error[E0602]: `Barrier`
// CHECK: [[#@LINE+1]]:5
    Barrier(U, GROUP_SYNC | DEVICE_SCOPE);
    helper();
}
#endif
