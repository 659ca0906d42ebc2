// A variable that is passed to a function of another library stays in memory for the call, and no longer than that: branches and loops
// that are not taken go, and their calls with them.
// RUN: %rtc -T lib_6_6 %s | FileCheck %s
// RUN: %rtc -T lib_6_6 -Od %s -Fo %t.dxil
void other(inout int3 v);
// CHECK-LABEL: define i32 @"\01?branch
// CHECK-NOT: alloca
// CHECK: ret i32
export int branch(int n)
{
    int3 v = int3(n, 1, 2);
    if ((n ^ n) == 1) other(v);
    return v.x + v.z;
}
// CHECK-LABEL: define i32 @"\01?never
// CHECK-NOT: alloca
// CHECK: ret i32
export int never(int n)
{
    int3 v = int3(n, 1, 2);
    [unroll] for (int i = 3; i < 3; ++i) other(v);
    v.y += n;
    return v.x + v.y;
}
// CHECK-LABEL: define i32 @"\01?stays
// CHECK: alloca <3 x i32>
// CHECK: call void @"\01?other
export int stays(int n)
{
    int3 v = int3(n, 1, 2);
    if (n == 7) other(v);
    return v.x + v.z;
}
