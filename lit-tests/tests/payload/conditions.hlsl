// A path that makes a warning true takes equal conditions to the same side: of variables set on the way, of constant buffers, payloads, attributes
// and functions, and in whichever way a comparison is written.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
struct [raypayload] P
{
    float a : read(caller) : write(closesthit);
    float o : read(caller) : write(closesthit);
    uint kind : read(caller, closesthit) : write(caller, closesthit);
};
cbuffer C { float2 g; int n; uint u; }
StructuredBuffer<float> Fixed : register(t1);
StructuredBuffer<float3> Vectors : register(t2);
RWStructuredBuffer<float> Buffer : register(u1);
typedef BuiltInTriangleIntersectionAttributes A;
bool both(bool x, bool y) { return x && y; }
float square(float x) { return x * x; }
void get(out bool k) { k = g.x > 1; }
struct State { bool k; int n; };

#define SHADER(name, ...) [shader("closesthit")] void name(inout P p, in A t) { bool c = g.x > 1, d = g.y > 1; __VA_ARGS__ p.a = p.o = 1; }
// Joins of variables.
SHADER(Same, int k = 0; if (c) k = 1; else k = 1; if (k == 1) p.a = 1; p.o = p.a;)
SHADER(SameAgain, bool k; if (c) k = true; else k = true; if (k) p.a = 1; p.o = p.a;)
SHADER(Number, int k = 0; if (c) k = 1; if (k == 1) p.a = 1; if (c) p.o = p.a;)
SHADER(Other, int k = 5; if (c) k = 6; else k = 7; if (k != 5) p.a = 1; p.o = p.a;)
SHADER(Nested, bool k = false; if (c) { if (d) k = true; } if (k) p.a = 1; if (c && d) p.o = p.a;)
SHADER(Chain, uint k; if (c) k = 1; else if (d) k = 2; else k = 3; if (k) p.a = 1; p.o = p.a;)
SHADER(Switch, int k; switch (n) { case 0: k = 1; break; case 1: k = 2; break; default: k = 0; } if (k > 0) p.a = 1; if (k == 2) p.o = p.a;)
SHADER(Chosen, int k = c ? 1 : 0; if (k) p.a = 1; if (c) p.o = p.a;)
SHADER(Added, int k = 0; k += c; if (k) p.a = 1; if (k) p.o = p.a;)
SHADER(Float, float w = 0; if (c) w = 1; if (w > 0) p.a = 1; if (w > 0) p.o = p.a;)
SHADER(Unknown, float w = -1; if (c) w = g.x; if (w > 0) p.a = 1; if (w > 0) p.o = p.a;)
SHADER(Member, State s = { false, 3 }; if (c) s.k = true; else s.n = 4; if (s.k) p.a = 1; if (c) p.o = p.a;)
SHADER(Flags, uint f = 0; if (c) f |= 1; if (d) f |= 2; if (f & 2) p.a = 1; if (f == 3) p.o = p.a;)
SHADER(Loop, int k = -1; for (int i = 0; i < 3; ++i) if (Fixed[i] > i) k = i; if (k >= 0) p.a = 1; if (k >= 0) p.o = p.a;)
SHADER(Vector, float3 v = g.xyx; v *= 2; if (v.x > 0.5f) p.a = 1; if (v.x > 0.5f) p.o = p.a;)
// Components of comparisons.
SHADER(AnyOfThem, float3 v = g.xyx; if (any(v > 1)) p.a = 1; if (v.y > 1) p.o = p.a;)
SHADER(AllOfThem, int3 v = int3(n, u, 3); if (v.y > 2) p.a = 1; if (all(v > 2)) p.o = p.a;)
SHADER(NotAll, float3 v = Vectors[n]; if (!all(v == 0)) p.a = 1; if (v.z != 0) p.o = p.a;)
SHADER(AnyOther, uint3 v = asuint(Vectors[n]); if (any(v != uint3(1, 2, 3))) p.a = 1; if (v.z != 3) p.o = p.a;)
SHADER(AnyConstant, if (any(g > 1)) p.a = 1; if (g.y > 1) p.o = p.a;)
// Counters and searches: what is no longer as it was.
SHADER(Counted, uint k = 0; if (Fixed[0] > 1) { p.a = 1; k++; } if (k > 0) p.o = p.a;)
SHADER(CountedInLoop, uint k = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; k += 2; } if (k != 0) p.o = p.a;)
SHADER(CountedInLoops, uint k = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) if (Fixed[i] > j) { p.a = 1; k++; } if (k) p.o = p.a;)
SHADER(Least, float k = 1e30f; for (int i = 0; i < n; ++i) { float x = Fixed[i]; if (x < k) { k = x; p.a = i; } } if (k < 1e30f) p.o = p.a;)
SHADER(Found, int k = -1; for (int i = 0; i < n; ++i) if (Fixed[i] > 2) { k = i; p.a = 1; } if (k >= 0) p.o = p.a;)
SHADER(FoundFirst, int k = -1; for (int i = 0; i < n; ++i) if (Fixed[i] > 2) { k = i; p.a = 1; break; } if (k >= 0) p.o = p.a;)
SHADER(Maybe, int k = -1; if (c) { k = n; p.a = 1; } if (k != -1) p.o = p.a;)
SHADER(MaybeElse, float k = 0; if (c) k = 0; else { k = g.y; p.a = 1; } if (k > 2) p.o = p.a;)
// What is read again.
SHADER(Constants, if (g.x > 1) p.a = 1; if (g.x > 1) p.o = p.a;)
SHADER(ReadOnly, if (Fixed[n] > 1) p.a = 1; if (Fixed[n] > 1) p.o = p.a;)
SHADER(Payload, if (p.kind == 1) p.a = 1; if (p.kind == 1) p.o = p.a;)
SHADER(PayloadSet, p.kind = n; if (n == 1) p.a = 1; if (c) { if (p.kind == 1) p.o = p.a; })
SHADER(Passed, bool k; get(k); if (k) p.a = 1; if (k) p.o = p.a;)
SHADER(Function, if (both(c, d)) p.a = 1; if (c && d) p.o = p.a;)
int kind(float x) { if (x > 3) return 1; if (x > 2) return 2; return 0; }
bool large(float x) { if (x > 3) { return true; } else { return x > 2; } }
SHADER(Early, if (kind(g.x) == 1) p.a = 1; if (kind(g.x) == 1) p.o = p.a;)
SHADER(EarlyInside, if (large(g.x)) p.a = 1; if (kind(g.x) != 0) p.o = p.a;)
SHADER(FunctionAgain, if (square(g.x) > 2) p.a = 1; if (square(g.x) > 2) p.o = p.a;)
void use(inout P p, float a) { if (p.kind == 2) p.o = a; }
SHADER(InFunction, if (p.kind == 2) p.a = 1; if (p.kind == 2) use(p, p.a);)
// Comparisons.
SHADER(Turned, if (g.x > 1) p.a = 1; if (1 < g.x) p.o = p.a;)
SHADER(Equal, if (n == (int)u) p.a = 1; if ((int)u == n) p.o = p.a;)
SHADER(Negated, if (g.x > 1) p.a = 1; if (!(g.x > 1)) p.o = 2; else p.o = p.a;)
SHADER(Less, if (n > 5) p.a = 1; if (n > 7) p.o = p.a;)
SHADER(LessEqual, if (n > 1) p.a = 1; if (n >= 2) p.o = p.a;)
SHADER(Between, if (g.x > 1) p.a = 1; if (g.x > 1.5f) p.o = p.a;)
SHADER(Zero, if (u) p.a = 1; if (u > 0) p.o = p.a;)
SHADER(Bit, if (u & 1) p.a = 1; if ((u & 1) == 1) p.o = p.a;)
SHADER(Below, if (u < 4) p.a = 1; if (u == 3) p.o = p.a;)
SHADER(OneOf, if (n == 1 || n == 2) p.a = 1; if (n == 2) p.o = p.a;)
SHADER(All, switch (u & 3) { case 0: case 1: case 2: case 3: p.a = 1; } p.o = p.a;)
// And true ones.
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherCondition, int k = 0; if (c) k = 1; if (k == 1) p.a = 1; if (d) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherSide, int k = 0; if (c) k = 1; if (k == 0) p.a = 1; if (c) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherFlag, uint f = 0; if (c) f |= 1; if (d) f |= 2; if (f & 2) p.a = 1; if (f & 1) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Written, if (Buffer[0] > 2) p.a = 1; Buffer[0] = 3; if (Buffer[0] > 2) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Changed, if (p.kind == 1) p.a = 1; p.kind = n; if (p.kind == 1) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(NoNumber, if (g.x > 1) p.a = 1; if (!(g.x <= 1)) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(More, if (n > 7) p.a = 1; if (n > 5) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SignedOrNot, if (u > 2147483647) p.a = 1; if ((int)u < 1) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherResult, if (kind(g.x) == 1) p.a = 1; if (kind(g.x) == 2) p.o = p.a;)
void change(inout bool k) { k = !k; }
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ByReference, bool k = c; change(k); if (k) p.a = 1; if (c) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Iterations, for (int i = 0; i < n; ++i) { p.kind = i; if (p.kind == 1) p.a = 1; } if (p.kind != 1) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(AllForOne, float3 v = Vectors[n]; if (all(v > 1)) p.a = 1; if (v.x > 1) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(AnyOfOthers, float3 v = Vectors[n]; if (any(v.xy > 1)) p.a = 1; if (v.z > 1) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(CountedAlways, uint k = 0; for (int i = 0; i < n; ++i) { k++; if (Fixed[i] > 1) p.a = 1; } if (k > 0) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(CountedFromOne, uint k = 1; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; k++; } if (k > 0) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(LeastOrAsBefore, float k = 9; for (int i = 0; i < n; ++i) { float x = Fixed[i]; if (x < k) { k = x; p.a = i; } } if (k <= 9) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(CountedElsewhere, uint k = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { if (d) p.a = 1; k++; } if (k > 0) p.o = p.a;)
// CHECK: conditions.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(VectorChanged, float3 v = g.xyx; if (v.x > 1) p.a = 1; v.x = g.y; if (v.x > 1) p.o = p.a;)
// CHECK-NOT: warning
