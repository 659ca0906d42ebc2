GlobalRootSignature Root = { "CBV(b0), CBVX(b1)" }; [shader("raygeneration")] void Main() { }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: root_signature.hlsl:1:40: error: in this root signature: expected RootFlags, RootConstants, CBV, SRV, UAV, DescriptorTable or StaticSampler, found 'CBVX' [E0643]
