struct Q { Texture2D t; }; [shader("miss")] void Sky(inout Q q) { }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: resource_in_payload.hlsl:1:54: error: the payload must consist of numbers; `Q` contains an object [E0601]
