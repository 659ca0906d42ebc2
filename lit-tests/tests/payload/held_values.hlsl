// What payloads hold tells paths apart: fields that are flags, counters and states of the shader, however they are stored and where paths meet.
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
static P kept;

#define SHADER(name, ...) [shader("closesthit")] void name(inout P p, in A t) { bool c = g.x > 1, d = g.y > 1; __VA_ARGS__ p.a = p.o = 1; }
// One branch.
SHADER(Number, p.n = 0; if (c) { p.a = 1; p.n = 1; } if (p.n == 1) p.o = p.a;)
SHADER(Boolean, p.b = false; if (c) { p.a = 1; p.b = true; } if (p.b) p.o = p.a;)
SHADER(Enumerator, p.e = Nothing; if (c) { p.a = 1; p.e = Done; } if (p.e == Done) p.o = p.a;)
SHADER(Float, p.x = -1; if (c) { p.a = 1; p.x = 5; } if (p.x > 0) p.o = p.a;)
SHADER(Unknown, p.x = -1; if (c) { p.a = 1; p.x = g.y; } if (p.x > 0) p.o = p.a;)
SHADER(UnknownNumber, p.n = 0; if (c) { p.a = 1; p.n = u; } if (p.n > 2) p.o = p.a;)
SHADER(Element, p.list[1] = 0; if (c) { p.a = 1; p.list[1] = 2; } if (p.list[1]) p.o = p.a;)
SHADER(Matrix, p.m = 0; if (c) { p.a = 1; p.m[1][0] = 2; } if (p.m[1][0] > 1) p.o = p.a;)
SHADER(Nested, p.inner.done = false; if (c) { p.a = 1; p.inner.done = true; } if (p.inner.done) p.o = p.a;)
SHADER(NestedPair, p.inner.pair = 0; if (c) { p.a = 1; p.inner.pair.y = 1; } if (p.inner.pair.y) p.o = p.a;)
SHADER(Chosen, p.n = c ? 1 : 0; if (c) p.a = 1; if (p.n) p.o = p.a;)
SHADER(Negated, p.b = true; if (c) p.a = 1; else p.b = false; if (!p.b) p.o = 1; else p.o = p.a;)
SHADER(OfCondition, p.b = c; if (c) p.a = 1; if (p.b) p.o = p.a;)
SHADER(Received, if (c) { if (p.n == 1) p.a = 1; } if (c) { if (p.n == 1) p.o = p.a; })
SHADER(Kept, kept.n = 0; if (c) { p.a = 1; kept.n = 1; } if (kept.n) p.o = p.a;)
SHADER(Local, P q = p; q.n = 0; if (c) { p.a = 1; q.n = 1; } if (q.n) p.o = p.a;)
SHADER(Copied, p.n = 0; if (c) { p.a = 1; p.n = 1; } P q = p; if (q.n) p.o = q.a;)
// Vectors.
SHADER(Never, p.k = int2(3, 4); if (p.k.x == 4) p.o = p.a;)
SHADER(Component, p.k = 0; if (c) { p.a = 1; p.k.y = 1; } if (p.k.y == 1) p.o = p.a;)
SHADER(Whole, p.k = int2(0, 7); if (c) { p.a = 1; p.k = int2(1, 7); } if (all(p.k == int2(1, 7))) p.o = p.a;)
SHADER(AnyOfThem, p.k = 0; if (c) { p.a = 1; p.k = int2(0, 1); } if (any(p.k)) p.o = p.a;)
SHADER(Swizzled, p.k.yx = int2(1, 2); if (p.k.x == 2) p.a = 1; p.o = p.a;)
SHADER(Loaded, p.k = int2(1, 2); int2 k = p.k; p.k = 5; if (k.x == 1) p.a = 1; p.o = p.a;)
SHADER(Variable, int2 v; if (c) { p.a = 1; v = int2(1, 2); } else { p.o = 2; v = int2(3, 4); } if (v.x == 1) p.o = p.a;)
// Bit-fields.
SHADER(Bit, p.one = 0; if (c) { p.a = 1; p.one = 1; } if (p.one) p.o = p.a;)
SHADER(BitBoolean, p.bit = false; if (c) { p.a = 1; p.bit = true; } if (p.bit) p.o = p.a;)
SHADER(Bits, p.three = 4; if (c) { p.a = 1; p.three = 6; } if (p.three > 4) p.o = p.a;)
SHADER(SignedBits, p.four = -1; if (c) { p.a = 1; p.four = 2; } if (p.four >= 0) p.o = p.a;)
SHADER(BitsApart, p.one = 0; p.three = 5; if (c) { p.a = 1; p.one = 1; p.four = 3; } p.three = u; if (p.one) p.o = p.a;)
SHADER(BitsAgain, if (p.three == 5) p.a = 1; p.one = 1; if (p.three == 5) p.o = p.a;)
SHADER(Truncated, p.one = 0; if (c) p.one = 2; if (p.one) p.o = p.a;)
SHADER(Masks, p.n = 0; if (c) { p.n |= 1; p.a = 1; } if (d) p.n |= 2; if (p.n & 1) p.o = p.a; if (p.n == 3) p.o = p.a;)
SHADER(MaskOfReceived, if (c) { p.n |= 4; p.a = 1; } else p.n &= ~4; if (d) p.n |= 8; if (p.n & 4) p.o = p.a;)
// More arms, and several.
SHADER(BothArms, if (c) { p.a = 1; p.n = 1; } else p.n = 2; if (p.n != 2) p.o = p.a;)
SHADER(Chain, if (c) { p.a = 1; p.n = 1; } else if (d) { p.a = 2; p.n = 2; } else p.n = 0; if (p.n) p.o = p.a;)
SHADER(InArms, p.n = 0; if (c) { if (d) { p.a = 1; p.n = 5; } } if (p.n == 5) p.o = p.a;)
SHADER(Switch, switch (n) { case 0: p.a = 1; p.n = 1; break; case 1: p.n = 2; break; default: p.n = 3; } if (p.n == 1) p.o = p.a;)
SHADER(SwitchLess, switch (n) { case 0: p.a = 1; p.n = 1; break; case 1: case 4: p.a = 2; p.n = 2; break; default: p.n = 3; } if (p.n < 3) p.o = p.a;)
SHADER(SwitchEnds, p.n = 0; switch (n) { case 0: p.a = 1; p.n = 1; break; case 1: p.a = p.o = 2; return; case 2: if (c) { p.a = 1; p.n = 2; break; } p.n = 0; break; } if (p.n) p.o = p.a;)
SHADER(SwitchOnIt, p.e = Nothing; if (c) { p.a = 1; p.e = Started; } switch (p.e) { case Started: p.o = p.a; break; default: break; })
SHADER(Two, p.b = false; p.n = 0; if (c) { p.a = 1; p.b = true; } if (d) p.n = 3; if (p.b && p.n == 3) p.o = p.a;)
SHADER(Three, p.b = p.inner.done = p.bit = false; if (c) p.b = true; if (d) p.inner.done = true; if (p.b && p.inner.done) { p.bit = true; p.a = 1; } if (p.bit) p.o = p.a; if (c && d) p.o = p.a;)
SHADER(Sum, p.n = 0; if (c) { p.a = 1; p.n += 1; } if (d) { p.a = 2; p.n += 2; } if (p.n) p.o = p.a;)
// Functions.
void mark(inout bool b) { b = true; }
void number(out uint n) { n = 2; }
void shade(inout P p, bool c) { p.n = 0; if (!c) return; p.a = 1; p.n = 1; }
void pick(inout P p) { if (g.x > 3) { p.a = 1; p.n = 1; return; } if (g.x > 2) { p.n = 2; return; } p.n = 3; }
bool found(inout P p) { for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = i; p.e = Started; return true; } p.e = Done; return false; }
uint of(P p) { return p.n; }
void touch() { kept.n = 1; }
void search(inout P p) { for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = i; p.b = true; return; } }
SHADER(ByReference, p.b = false; if (c) { p.a = 1; mark(p.b); } if (p.b) p.o = p.a;)
SHADER(Out, p.n = 0; if (c) { p.a = 1; number(p.n); } if (p.n == 2) p.o = p.a;)
SHADER(Early, shade(p, c); if (p.n) p.o = p.a;)
SHADER(Returns, pick(p); if (p.n == 1) p.o = p.a;)
SHADER(FoundIt, found(p); if (p.e == Started) p.o = p.a;)
SHADER(ByValue, p.n = 0; if (c) { p.a = 1; p.n = 1; } if (of(p)) p.o = p.a;)
SHADER(EarlyEnd, p.n = 0; if (c) { if (d) { p.a = p.o = 1; return; } p.a = 1; p.n = 1; } if (p.n) p.o = p.a;)
// Loops.
SHADER(Loop, p.n = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.n = 1; } if (p.n == 1) p.o = p.a;)
SHADER(LoopBoolean, p.b = false; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.b = true; } if (p.b) p.o = p.a;)
SHADER(LoopEnds, p.b = false; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.b = true; break; } if (p.b) p.o = p.a;)
SHADER(LoopUntil, p.b = false; p.n = 0; while (!p.b) { if (Fixed[p.n] > 1) { p.a = 1; p.b = true; } p.n++; } p.o = p.a;)
SHADER(LoopDo, do { p.b = Fixed[n] > g.x; if (p.b) p.a = 1; } while (!p.b); p.o = p.a;)
SHADER(LoopCounts, p.n = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.n++; } if (p.n > 0) p.o = p.a;)
SHADER(LoopLeast, p.x = 1e30f; for (int i = 0; i < n; ++i) { float y = Fixed[i]; if (y < p.x) { p.a = i; p.x = y; } } if (p.x < 1e30f) p.o = p.a;)
SHADER(LoopStates, p.e = Nothing; for (int i = 0; i < n; ++i) { if (p.e == Nothing) { if (Fixed[i] > 1) p.e = Started; } else if (p.e == Started) { p.a = 1; p.e = Done; } } if (p.e == Done) p.o = p.a;)
SHADER(LoopComponent, p.k = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.k.y = 1; } if (p.k.y) p.o = p.a;)
SHADER(LoopElsewhere, p.n = 0; if (c) { p.a = 1; p.n = 1; } for (int i = 0; i < n; ++i) p.x += Fixed[i]; if (p.n) p.o = p.a;)
SHADER(LoopInLoop, p.n = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) if (Fixed[i] > j) { p.a = 1; p.n = 1; } if (p.n) p.o = p.a;)
SHADER(LoopCalls, p.b = false; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; mark(p.b); } if (p.b) p.o = p.a;)
SHADER(LoopContinues, p.n = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] < 1) continue; p.a = 1; p.n = 1; } if (p.n) p.o = p.a;)
SHADER(LoopGlobals, kept.n = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; touch(); } if (kept.n) p.o = p.a;)
SHADER(LoopKeepsGlobals, kept.b = false; if (c) { p.a = 1; kept.b = true; } for (int i = 0; i < n; ++i) touch(); if (kept.b) p.o = p.a;)
SHADER(LoopInFunction, p.b = false; search(p); if (p.b) p.o = p.a;)
SHADER(ScalarContinues, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] < 1) continue; p.a = 1; k = 1; } if (k) p.o = p.a;)
// Variables of the shader that hold no part of a payload: locals, statics, what functions do with these.
static bool flag;
static uint bits;
static float2 pair;
static bool flags[2];
static struct { bool found; int at; } result;
void raise() { flag = true; }
bool raised() { return flag; }
SHADER(LocalMasks, uint k = 0; if (c) { p.a = 1; k |= 2; } if (d) k |= 4; if (k & 2) p.o = p.a;)
SHADER(LocalMaskIsZero, uint k = 1; if (c) { p.a = 1; k &= ~1; } if (d) k |= 4; if ((k & 1) == 0) p.o = p.a;)
SHADER(LocalSum, uint k = 0; if (c) { p.a = 1; k += 2; } if (d) k += 4; if (k == 2 || k == 6) p.o = p.a;)
SHADER(Flag, flag = false; if (c) { p.a = 1; flag = true; } if (flag) p.o = p.a;)
SHADER(FlagOfFunction, flag = false; if (c) { p.a = 1; raise(); } if (raised()) p.o = p.a;)
SHADER(SetOfFlags, bits = 0; if (c) { p.a = 1; bits |= 2; } if (d) bits |= 4; if (bits & 2) p.o = p.a;)
SHADER(ComponentOfStatic, pair = 0; if (c) { p.a = 1; pair.y = 1; } if (pair.y == 1) p.o = p.a;)
SHADER(ElementOfStatic, flags[0] = flags[1] = false; if (c) { p.a = 1; flags[1] = true; } if (flags[1]) p.o = p.a;)
SHADER(MemberOfStatic, result.found = false; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; result.found = true; break; } if (result.found) p.o = p.a;)
struct Tracker { bool hit; uint mask; void clear() { hit = false; mask = 0; } void set(uint bit) { hit = true; mask |= bit; } bool ok() { return hit; } };
static Tracker tracker;
void trackIn(inout P p) { for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; tracker.set(1); return; } }
SHADER(Methods, tracker.clear(); if (c) { p.a = 1; tracker.set(1); } if (tracker.ok()) p.o = p.a;)
SHADER(MethodsInLoop, tracker.clear(); trackIn(p); if (tracker.hit) p.o = p.a;)
SHADER(MaskOfMethods, tracker.clear(); if (c) { p.a = 1; tracker.set(2); } if (d) tracker.set(1); if (tracker.mask & 2) p.o = p.a;)
SHADER(FlagInLoop, flag = false; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; flag = true; break; } if (flag) p.o = p.a;)
SHADER(FlagEndsLoop, flag = false; int i = 0; while (!flag) if (i++ == n) { p.a = 1; flag = true; } p.o = p.a;)
SHADER(LocalInLoop, float k = -1; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { k = i; p.a = 1; } if (k >= 0) p.o = p.a;)
// And what is undefined on a path.
void flip(inout bool b) { b = !b; }
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherSide, p.n = 0; if (c) { p.a = 1; p.n = 1; } if (p.n == 0) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherCondition, p.n = 0; if (c) p.n = 1; if (d) p.a = 1; if (p.n == 1) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherBoolean, p.b = false; if (c) { p.a = 1; p.b = true; } if (!p.b) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherEnumerator, p.e = Nothing; if (c) { p.a = 1; p.e = Done; } else if (d) p.e = Started; if (p.e != Nothing) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Overwritten, p.n = 0; if (c) { p.a = 1; p.n = 1; } p.n = n; if (p.n == 1) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(AsBefore, p.x = -1; if (c) { p.a = 1; p.x = g.y; } if (p.x >= -1) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(MayBeZero, p.n = 0; if (c) p.n = u; else p.a = 1; if (p.n == 2) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherElement, p.list[0] = p.list[1] = 0; if (c) { p.a = 1; p.list[0] = 2; } p.list[1] = n; if (p.list[1]) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(DynamicElement, p.list[0] = 0; if (c) { p.a = 1; p.list[0] = 2; } p.list[n] = 2; if (p.list[0]) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherComponent, p.k = int2(3, 4); if (p.k.y == 4) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(DynamicComponent, p.k = 0; if (c) { p.a = 1; p.k = 1; } p.k[n & 1] = 1; if (p.k.x) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OneOfTwo, p.k = 0; if (c) { p.a = 1; p.k.x = 1; } if (d) p.k.y = 1; if (any(p.k)) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(LoadedBefore, p.k = int2(1, 2); int2 k = p.k; p.k = 5; if (k.x == 1) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherBit, p.one = 0; p.bit = false; if (c) { p.a = 1; p.one = 1; } if (d) p.bit = true; if (p.bit) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(TruncatedToZero, p.one = 1; if (c) { p.a = 1; p.one = 2; } if (p.one) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SignedNumber, p.four = 9; if (p.four < 0) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(BitsOverwritten, p.three = 0; if (c) { p.a = 1; p.three = 1; } p.three = u; if (p.three == 1) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherMask, p.n = 0; if (c) { p.n |= 1; p.a = 1; } if (d) p.n |= 2; if (p.n & 2) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(MaskMayBeSet, if (c) { p.n |= 4; p.a = 1; } if (p.n & 4) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ReceivedOrSet, if (p.n == 1) p.a = 1; if (c) p.n = 1; if (p.n == 1) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherArm, if (c) { p.a = 1; p.n = 1; } else if (d) p.n = 1; else p.n = 0; if (p.n) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherCase, switch (n) { case 0: p.a = 1; p.n = 1; break; case 1: p.n = 1; break; default: p.n = 0; } if (p.n == 1) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Default, switch (n) { case 0: p.a = 1; p.n = 1; break; case 1: p.a = 1; p.n = 2; break; default: p.n = 2; } if (p.n == 2) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OneOfThree, p.b = p.inner.done = false; if (c) { p.b = true; p.a = 1; } if (d) p.inner.done = true; if (p.b || p.inner.done) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Flipped, p.b = false; if (c) { p.a = 1; p.b = true; } flip(p.b); if (p.b) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherReturn, pick(p); if (p.n == 2) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(NotFound, found(p); if (p.e == Done) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Touched, kept.n = 0; if (c) { p.a = 1; kept.n = 1; } touch(); if (kept.n) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(TouchedInLoop, kept.n = 0; if (c) { p.a = 1; kept.n = 1; } for (int i = 0; i < n; ++i) touch(); if (kept.n) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(AlwaysSet, p.n = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) p.a = 1; p.n = 1; } if (p.n) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SetBefore, p.n = 1; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; p.n = 1; } if (p.n == 1) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Reset, for (int i = 0; i < n; ++i) { p.n = 0; if (Fixed[i] > 1) { p.a = 1; p.n = 1; } } if (p.n == 0) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(LastIteration, p.n = 1; for (int i = 0; i < n; ++i) { p.n = 0; if (Fixed[i] > 1) { p.a = 1; p.n = 1; } } if (p.n) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Until, p.b = false; while (!p.b) { p.b = Fixed[n] > g.x; if (c) p.a = 1; } p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(FewIterations, p.n = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) p.n = 1; else if (p.n) p.a = 1; } if (p.n) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(NextState, p.e = Nothing; for (int i = 0; i < n; ++i) { if (p.e == Nothing) { if (Fixed[i] > 1) p.e = Started; } else if (p.e == Started) { p.a = 1; p.e = Done; } } if (p.e == Started) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(CountedElsewhere, p.n = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { if (d) p.a = 1; p.n++; } if (p.n > 0) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(InOuterLoop, p.n = 0; for (int i = 0; i < n; ++i) { for (int j = 0; j < n; ++j) if (Fixed[j] > i) { p.a = 1; p.n = 1; } if (d) p.n = 1; } if (p.n) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ChangedInLoop, p.n = 0; if (c) { p.a = 1; p.n = 1; } for (int i = 0; i < n; ++i) number(p.n); if (p.n) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherLocalMask, uint k = 0; if (c) { p.a = 1; k |= 2; } if (d) k |= 4; if (k & 4) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherFlag, flag = false; if (c) { p.a = 1; flag = true; } if (!flag) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(FlagRaisedElsewhere, flag = false; if (c) p.a = 1; if (d) raise(); if (raised()) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherElementOfStatic, flags[0] = flags[1] = false; if (c) { p.a = 1; flags[0] = true; } if (d) flags[1] = true; if (flags[1]) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherMaskOfMethods, tracker.clear(); if (c) { p.a = 1; tracker.set(2); } if (d) tracker.set(1); if (tracker.mask & 1) p.o = p.a;)
// CHECK: held_values.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ClearedByMethod, tracker.clear(); if (c) p.a = 1; if (d) tracker.set(2); if (tracker.ok()) p.o = p.a;)
// CHECK-NOT: warning
