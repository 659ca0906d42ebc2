// With -spirv the shader model does not limit what a program uses: SPIR-V has capabilities. DXIL refuses it.
// RUN: %rtc -T lib_6_3 -spirv -WX %s -Fo %t.spv -Fc - | FileCheck %s
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=DXIL
// CHECK: OpCapability RayTracingKHR
// CHECK: RayGeometryIndexKHR
// DXIL: error: `GeometryIndex` requires shader model 6.5, but the target is 6.3 [E0604]
struct P { uint a; };
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) { p.a = GeometryIndex(); }
