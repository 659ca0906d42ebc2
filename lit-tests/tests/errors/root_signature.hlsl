GlobalRootSignature Root = { "CBV(b0), CBVX(b1)" }; [shader("raygeneration")] void Main() { }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: root_signature.hlsl:1:30: error: this is no root signature: `CBVX` is no part of a root signature [E0607]
