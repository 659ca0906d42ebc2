// Exports name functions that are not `static`, with all their overloads, without or with namespaces, or mangled; they are in the order of the source.
// RUN: %rtc -T lib_6_6 -exports "Far=Miss;helper;Other=inner;ns::inner;again=\01?over@@YAMM@Z;over" %s | FileCheck %s
// RUN: %rtc -T lib_6_6 -export-shaders-only -exports "helper;Miss" %s | FileCheck -check-prefix=SHADERS %s
// RUN: not %rtc -T lib_6_6 -exports hidden %s 2>&1 | FileCheck -check-prefix=HIDDEN %s
struct P { float x; };
float helper(float a) { return a * 2; }
float over(float a) { return a; }
float over(int a) { return a + 1; }
static float hidden(float a) { return a; }
namespace ns { float inner(float a) { return a + 3; } }
[shader("miss")] void Miss(inout P p) { p.x = hidden(helper(2)); }
// CHECK: define float @"\01?helper@@YAMM@Z"
// CHECK: define float @"\01?again@@YAMM@Z"
// CHECK: define float @"\01?over@@YAMM@Z"
// CHECK: define float @"\01?over@@YAMH@Z"
// CHECK: define float @"\01?Other@ns@@YAMM@Z"
// CHECK: define float @"\01?inner@ns@@YAMM@Z"
// CHECK: define void @"\01?Far@@YAXUP@@@Z"
// CHECK-NOT: define
// SHADERS: define void @"\01?Miss@@YAXUP@@@Z"
// SHADERS-NOT: define
// HIDDEN: E0644
