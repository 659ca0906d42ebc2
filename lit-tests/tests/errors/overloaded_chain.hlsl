// Chains of operators may be long; where each is a call of an overload, they are calls in calls.
// RUN: not %rtc -T lib_6_6 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK: overloaded_chain.hlsl:{{.*}}: error: {{.*}} [E0340]
// CHECK-NOT: error:
#define X4(t) t t t t
struct S { float x; S operator+(S o) { o.x += x; return o; } };
RWStructuredBuffer<S> R;
[shader("raygeneration")] void Main() {
    S s = R[0];
    R[1] = s X4(X4(X4(X4(X4(+ s)))));
}
