// The clock: in SPIR-V only; two readings are two, and memory accesses stay between them.
// RUN: %rtc -T lib_6_6 -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T lib_6_6 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T lib_6_6 -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=DXIL
// RUN: not %rtc -T lib_6_6 -spirv -DBAD -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=BAD
// CHECK: OpCapability ShaderClockKHR
// CHECK: OpExtension "SPV_KHR_shader_clock"
// CHECK: OpReadClockKHR
// CHECK: OpLoad
// CHECK: OpReadClockKHR
// CHECK: OpReadClockKHR
// CHECK-NOT: OpReadClockKHR
RWByteAddressBuffer Out : register(u0);
RWByteAddressBuffer In : register(u1);
static const uint Scope = 3;
[shader("raygeneration")] void Main()
{
    // DXIL: clock.hlsl:[[@LINE+1]]:{{[0-9]+}}: error: `vk::ReadClock` exists in SPIR-V only [E0902]
    uint64_t before = vk::ReadClock(vk::DeviceScope);
    uint work = In.Load(0);
    uint64_t after = vk::ReadClock(1);
    Out.Store<uint64_t>(0, after - before);
    Out.Store<uint64_t>(8, vk::ReadClock(Scope) + work);
#ifdef BAD
    // BAD: clock.hlsl:[[@LINE+1]]:{{[0-9]+}}: error: `vk::ReadClock` does not accept 2 for `clockScope` [E0645]
    vk::ReadClock(vk::WorkgroupScope);
    // BAD: clock.hlsl:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}constant
    vk::ReadClock(work);
#endif
}
