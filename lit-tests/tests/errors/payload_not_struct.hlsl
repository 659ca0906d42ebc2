[shader("miss")] void Sky(inout float3 p) { p = 0; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: payload_not_struct.hlsl:1:27: error: the payload must be a structure, not `float3` [E0601]
