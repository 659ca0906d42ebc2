// What payloads hold, through functions and around loops: what they store and return, and what they leave alone.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
enum State { Nothing, Started, Done = 7 };
struct Inner { bool done; int n; int2 pair; };
#define OWN read(caller, closesthit) : write(caller, closesthit)
struct [raypayload] P
{
    float a : read(caller) : write(closesthit);
    float o : read(caller) : write(closesthit);
    uint n : OWN;
    bool b : OWN;
    State e : OWN;
    float x : OWN;
    int2 k : OWN;
    int list[3] : OWN;
    float2x2 m : OWN;
    Inner inner : OWN;
    uint one : 1 : OWN;
    uint three : 3 : OWN;
    int four : 4 : OWN;
    bool bit : 1 : OWN;
};
cbuffer C { float2 g; int n; uint u; }
StructuredBuffer<float> Fixed : register(t1);
typedef BuiltInTriangleIntersectionAttributes A;

#define SHADER(name, ...) [shader("closesthit")] void name(inout P p, in A t) { bool c = g.x > 1, d = g.y > 1; __VA_ARGS__ p.a = p.o = 1; }
bool tested(inout bool b) { return b; }
bool greater(inout int k) { return k > 1; }
bool larger(inout uint k) { return k > 1; }
bool large(inout uint k) { return larger(k); }
void reset(inout Inner i) { i.done = false; i.n = 0; i.pair = 0; }
void put(out uint k) { k = 4; }
void set(out int k) { k = 4; }
void deep(inout P p) { put(p.n); }
void copy(inout P p, P q) { p = q; }
uint choose() { if (g.x > 3) return 1; if (g.y > 3) return 2; return u; }
uint classify(inout P p) { if (g.x > 3) { p.a = 1; return 1; } if (g.y > 3) return 2; return 3; }
float distance(inout P p) { if (g.x > 3) { p.a = 1; return 2; } return -1; }
bool step(inout P p) { if (g.x > 2) { p.a = 1; p.n = 1; return true; } p.a = 2; return false; }
RaytracingAccelerationStructure Scene : register(t3);
void trace(inout P p) { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; TraceRay(Scene, 0, 0xff, 0, 1, 0, r, p); }
SHADER(Tested, p.b = false; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.b = true; } if (tested(p.b)) p.o = p.a;)
SHADER(TestedTwice, p.n = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.n = 2; } if (large(p.n)) p.o = p.a;)
SHADER(Nested, reset(p.inner); for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.inner.done = true; } if (p.inner.done) p.o = p.a;)
SHADER(Sets, p.n = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; deep(p); } if (p.n == 4) p.o = p.a;)
SHADER(ByTheWay, p.n = 0; p.b = false; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.b = true; } deep(p); if (p.b) p.o = p.a;)
SHADER(Value, p.n = choose(); if (p.n == 1) p.a = 1; if (p.n == 1) p.o = p.a;)
SHADER(ValueChosen, p.n = classify(p); if (p.n == 1) p.o = p.a;)
SHADER(FloatResult, p.x = distance(p); if (p.x > 0) p.o = p.a;)
SHADER(Either, p.n = 0; if (c) { if (!step(p)) { p.o = 1; return; } } else { p.a = 1; p.n = 1; } if (p.n == 1) p.o = p.a;)
SHADER(TracesOther, P q = (P)0; p.n = 0; if (c) { p.a = 1; p.n = 1; } for (int i = 0; i < n; ++i) { q.x = i; trace(q); } if (p.n) p.o = p.a;)
SHADER(CopiesOther, P q = p; p.n = 0; if (c) { p.a = 1; p.n = 1; } for (int i = 0; i < n; ++i) q = p; if (p.n) p.o = p.a;)
SHADER(OtherElements, p.list[0] = p.list[1] = 0; if (c) { p.a = 1; p.list[0] = 1; } for (int i = 0; i < n; ++i) p.list[1] = i; if (p.list[0]) p.o = p.a;)
SHADER(ThreeStates, p.e = Nothing; for (int i = 0; i < n; ++i) { switch (p.e) { case Nothing: p.e = Started; break; case Started: p.a = 1; p.e = Done; break; } } if (p.e == Done) p.o = p.a;)
SHADER(InnerLoop, for (int i = 0; i < n; ++i) { p.b = false; for (int j = 0; j < n; ++j) if (Fixed[j] > i) { p.a = 1; p.b = true; } if (p.b) p.o = p.a; })
SHADER(OuterFlag, p.b = false; for (int i = 0; i < n; ++i) { if (p.b) p.o = p.a; for (int j = 0; j < n; ++j) if (Fixed[j] > i) { p.a = 1; p.b = true; } })
SHADER(Until, p.n = 1; while (p.n != 0) { if (Fixed[n] > p.x) { p.a = 1; p.n = 0; } p.x += 1; } p.o = p.a;)
SHADER(UntilFound, p.x = -1; for (int i = 0; i < n; ++i) { if (Fixed[i] < 0) continue; p.x = Fixed[i]; p.a = 1; break; } if (p.x >= 0) p.o = p.a;)
SHADER(BreaksFar, p.n = 0; for (int i = 0; i < n; ++i) { for (int j = 0; j < n; ++j) { if (Fixed[j] > i) { p.a = 1; p.n = 1; break; } } if (p.n) break; } if (p.n) p.o = p.a;)
SHADER(SwitchInLoop, p.n = 0; for (int i = 0; i < n; ++i) { switch (int(Fixed[i])) { case 0: p.a = 1; p.n = 1; break; case 1: continue; default: break; } } if (p.n) p.o = p.a;)
SHADER(FirstTime, p.n = 0; while (Fixed[n] > p.x) { if (p.n == 2) p.o = p.a; p.a = 1; p.n = u; p.x += 1; })
SHADER(NestedNumber, p.inner.n = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.inner.n = 1; } if (p.inner.n) p.o = p.a;)
SHADER(Given, set(p.inner.n);)
SHADER(OnlyGiven, p.inner.pair = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.inner.pair.y = 2; } if (greater(p.inner.pair.y)) p.o = p.a;)
// And what is undefined on a path.
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(EachTimeOther, p.n = 0; for (int i = 0; i < n; ++i) { p.n = 1; p.x += i; } if (p.n == 1) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SecondTime, p.n = 0; while (Fixed[n] > p.x) { if (p.n == 2) p.o = p.a; p.n = u; p.x += 1; })
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(TestedOther, p.b = false; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.b = true; } if (!tested(p.b)) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SetsNothing, p.n = 4; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; deep(p); } if (p.n == 4) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Deep, p.n = 0; if (c) { p.a = 1; p.n = 4; } for (int i = 0; i < n; ++i) deep(p); if (p.n == 4) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(DeepCopy, P q = p; q.n = 4; p.n = 0; if (c) { p.a = 1; p.n = 4; } for (int i = 0; i < n; ++i) p.n = q.n; if (p.n == 4) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(WholeCopy, P q = p; q.n = 4; p.n = 0; if (c) { p.a = 1; p.n = 4; } for (int i = 0; i < n; ++i) copy(p, q); if (p.n == 4) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ValueOther, p.n = choose(); if (p.n == 1) p.a = 1; p.n = choose(); if (p.n == 2) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ValueChosenOther, p.n = classify(p); if (p.n == 2) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(FloatResultOther, p.x = distance(p); if (p.x < 0) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SameElements, p.list[0] = p.list[1] = 0; if (c) { p.a = 1; p.list[0] = 1; } for (int i = 0; i < n; ++i) p.list[i] = 1; if (p.list[0]) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(StateBefore, p.e = Nothing; for (int i = 0; i < n; ++i) { switch (p.e) { case Nothing: p.e = Started; break; case Started: p.a = 1; p.e = Done; break; } } if (p.e != Nothing) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(InnerLoopReset, for (int i = 0; i < n; ++i) { p.b = true; for (int j = 0; j < n; ++j) if (Fixed[j] > i) { p.a = 1; p.b = true; } if (p.b) p.o = p.a; })
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OuterFlagSet, p.b = false; for (int i = 0; i < n; ++i) { if (p.b) p.o = p.a; for (int j = 0; j < n; ++j) if (Fixed[j] > i) p.a = 1; p.b = true; })
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(UntilElse, p.n = 1; while (p.n != 0) { if (Fixed[n] > p.x) p.n = 0; else p.a = 1; p.x += 1; } p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SwitchInLoopOther, p.n = 0; for (int i = 0; i < n; ++i) { switch (int(Fixed[i])) { case 0: p.a = 1; p.n = 1; break; case 1: p.n = 1; continue; default: break; } } if (p.n) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SkippedLoop, bool k = c; if (c) p.a = 1; for (int i = 0; i < n; ++i) if (Fixed[i] > 2) k = true; if (k) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SkippedStores, int k = 0; if (c) { p.a = 1; k = 1; } for (int i = 0; i < n; ++i) { if (Fixed[i] > 2) break; k = 1; } if (k) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OneOfTwo, P q[2]; q[0] = p; q[1] = p; q[0].n = 0; q[1].n = 1; P r = q[n & 1]; if (r.n == 0) p.o = p.a;)
// CHECK: held_calls.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OneOfTwoOther, P q[2]; q[0] = p; q[1] = p; q[0].n = 0; q[1].n = 1; P r = q[n & 1]; if (r.n == 1) p.o = p.a;)
// CHECK-NOT: warning
