[shader("node")] void Main() { }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: unknown_stage.hlsl:1:2: error: node shaders are not compiled by this compiler [E0608]
// CHECK: note: it compiles compute shaders, ray-tracing shaders and those of the graphics pipeline
