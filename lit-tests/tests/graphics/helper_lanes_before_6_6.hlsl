// IsHelperLane before shader model 6.6: a pixel shader's thread is a helper if it covers nothing or discarded its pixel; no other thread is one.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %rtc dis %t.od.dxil | FileCheck %s
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T vs_6_0 -E Vs -validator-version 1.6 %s -Fo %t.vs.dxil
// RUN: %rtc dis %t.vs.dxil | FileCheck %s --check-prefix=VS
// RUN: %dxil-val %t.vs.dxil
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.lib.dxil
// RUN: %dxil-val %t.lib.dxil

// CHECK: [[VARIABLE:%[0-9]+]] = alloca i32
// CHECK: [[COVERED:%[0-9]+]] = call i32 @dx.op.coverage.i32(i32 91)
// CHECK: [[NONE:%[0-9]+]] = icmp eq i32 [[COVERED]], 0
// CHECK: [[HELPER:%[0-9]+]] = zext i1 [[NONE]] to i32
// CHECK: store i32 [[HELPER]], i32* [[VARIABLE]]
// CHECK: store i32 {{%[0-9]+}}, i32* [[VARIABLE]]
// CHECK-NEXT: call void @dx.op.discard
// CHECK: load i32, i32* [[VARIABLE]]
// VS-NOT: coverage
// VS: storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float 0.000000e+00)
[shader("pixel")] float4 main(float f : F) : SV_Target
{
    clip(f);
    float4 r = IsHelperLane();
    return ddx(r);
}
[shader("vertex")] float4 Vs() : SV_Position { return IsHelperLane(); }
