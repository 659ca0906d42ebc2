[shader("raygeneration")] void Main(uint3 id) { }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: raygen_parameter.hlsl:1:37: error: invalid raygeneration shader: it has no parameters [E0601]
// CHECK: note: DXR, shader entry points
