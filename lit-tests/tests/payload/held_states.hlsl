// States of more than three values in loops, vectors that are stored to as wholes and by components, and what remains of a payload whose field is an argument, too.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
enum State { First, Second, Third, Fourth, Last };
#define OWN read(caller, closesthit) : write(caller, closesthit)
struct [raypayload] P
{
    float a : read(caller) : write(closesthit);
    float o : read(caller) : write(closesthit);
    State e : OWN;
    uint n : OWN;
};
cbuffer C { float2 g; int n; int3 u; }
StructuredBuffer<float> Fixed : register(t1);
typedef BuiltInTriangleIntersectionAttributes A;

void both(inout P p, inout uint k) { if (g.x > 2) { p.a = 1; k = 1; } }
void sets(inout P p, inout uint k) { if (g.x > 2) p.a = 1; k = 1; }
void returns(inout P p, inout uint k) { if (g.x > 2) { p.a = 1; k = 1; return; } if (g.y > 2) k = 2; }
void component(inout P p, inout int k) { if (g.x > 2) { p.a = 1; k = 1; } }

#define SHADER(name, ...) [shader("closesthit")] void name(inout P p, in A t) { bool c = g.x > 1, d = g.y > 1; __VA_ARGS__ p.a = p.o = 1; }
SHADER(FiveStates, p.e = First; for (int i = 0; i < n; ++i) { switch (p.e) { case First: p.e = Second; break; case Second: p.e = Third; break; case Third: p.e = Fourth; break; case Fourth: p.a = 1; p.e = Last; break; } } if (p.e == Last) p.o = p.a;)
SHADER(FourNumbers, p.n = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 3) { p.a = 1; p.n = 3; } else if (Fixed[i] > 2) p.n = 2; else if (Fixed[i] > 1) p.n = 1; } if (p.n == 3) p.o = p.a;)
SHADER(WholeAndComponent, int2 v = u.xy; v.x = 0; if (c) { p.a = 1; v.x = 1; } if (v.x) p.o = p.a;)
SHADER(WholeInArm, int2 v = 0; if (c) { p.a = 1; v = int2(1, n); } else v.y = n; if (v.x == 1) p.o = p.a;)
SHADER(Bools, bool2 v = false; if (c) { p.a = 1; v.y = true; } if (d) v.x = true; if (v.y) p.o = p.a;)
SHADER(Moved, int3 v = u; v.y = 0; if (c) { p.a = 1; v.y = 1; } v = v.yzx; if (v.x) p.o = p.a;)
SHADER(FieldGiven, p.n = 0; both(p, p.n); if (p.n) p.o = p.a;)
SHADER(LocalGiven, uint k = 0; both(p, k); if (k) p.o = p.a;)
SHADER(Returns, uint k = 0; returns(p, k); if (k == 1) p.o = p.a;)
SHADER(ComponentGiven, int2 v = 0; v.y = n; component(p, v.x); if (v.x) p.o = p.a;)

// CHECK: held_states.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(FiveStatesBefore, p.e = First; for (int i = 0; i < n; ++i) { switch (p.e) { case First: p.e = Second; break; case Second: p.e = Third; break; case Third: p.e = Fourth; break; case Fourth: p.a = 1; p.e = Last; break; } } if (p.e == Fourth) p.o = p.a;)
// CHECK: held_states.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherComponent, int2 v = u.xy; v.x = 0; if (c) { p.a = 1; v.x = 1; } if (v.y) p.o = p.a;)
// CHECK: held_states.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(WholeAfter, int2 v = u.xy; v.x = 0; if (c) { p.a = 1; v.x = 1; } v = u.yz; if (v.x) p.o = p.a;)
// CHECK: held_states.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(MovedAway, int3 v = u; v.y = 0; if (c) { p.a = 1; v.y = 1; } v = v.yzx; if (v.y) p.o = p.a;)
// CHECK: held_states.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SetGiven, p.n = 0; sets(p, p.n); if (p.n) p.o = p.a;)
// CHECK: held_states.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SetLocal, uint k = 0; sets(p, k); if (k) p.o = p.a;)
// CHECK: held_states.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherReturn, uint k = 0; returns(p, k); if (k) p.o = p.a;)
// CHECK: held_states.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherComponentGiven, int2 v = 0; v.y = n; component(p, v.x); if (v.y) p.o = p.a;)
// CHECK-NOT: warning
