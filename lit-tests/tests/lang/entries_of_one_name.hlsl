// Entry points of different stages may have one name in a SPIR-V module, where the stage distinguishes them; not in a library, nor in a package.
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: not %rtc -T lib_6_3 %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %rtc -T lib_6_3 -spirv %s -Fo %t.rtp 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %rtc -T lib_6_3 -spirv -DSAME %s 2>&1 | FileCheck %s --check-prefix=TWICE
// CHECK-DAG: OpEntryPoint Callable{{.*}} "Main"
// CHECK-DAG: OpEntryPoint RayGeneration{{.*}} "Main"
// TWICE: error: duplicate entry point `Main` [E0605]
RWByteAddressBuffer O;
struct P { float4 a; };
struct Q { float4 a; float4 b; };
[shader("callable")] void Main(inout P p) { p.a = 1; }
#ifdef SAME
[shader("callable")] void Main(inout Q q) { q.a = 2; }
#endif
[shader("raygeneration")] void Main() { O.Store(0, 1); }
