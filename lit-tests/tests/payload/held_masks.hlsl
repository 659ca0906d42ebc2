// Flags in one number that a loop sets and clears: whether the bits of which a branch asks are set tells paths apart, whatever the others are; and
// conditions of several parts.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
#define OWN read(caller, closesthit) : write(caller, closesthit)
struct [raypayload] P
{
    float a : read(caller) : write(closesthit);
    float o : read(caller) : write(closesthit);
    uint n : OWN;
    uint2 k : OWN;
    uint low : 3 : OWN;
    uint high : 5 : OWN;
};
enum Flags { Found = 1, Shadow = 2, Both = 3 };
cbuffer C { float2 g; int n; uint u; }
StructuredBuffer<float> Fixed : register(t1);
typedef BuiltInTriangleIntersectionAttributes A;
static uint flags;
void set(inout uint k, uint b) { k |= b; }
bool has(uint k, uint b) { return (k & b) != 0; }

#define SHADER(name, ...) [shader("closesthit")] void name(inout P p, in A t) { bool c = g.x > 1, d = g.y > 1; __VA_ARGS__ p.a = p.o = 1; }
SHADER(Set, uint k = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; k |= 2; } if (k & 2) p.o = p.a;)
SHADER(SetOrOther, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= 2; } else k |= 4; } if (k & 2) p.o = p.a;)
SHADER(Member, p.n = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; p.n |= 2; } if (Fixed[i] < 0) p.n |= 8; } if (p.n & 2) p.o = p.a;)
SHADER(Cleared, uint k = 1; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k &= ~1u; } } if (!(k & 1)) p.o = p.a;)
SHADER(AllOfThem, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= 1; } if (Fixed[i] > 5) k |= 2; } if (k == 3) p.o = p.a;)
SHADER(SetAtTheEnd, uint k = 0; int i = 0; while (i < n) { if (Fixed[i] > 1) { p.a = 1; k |= 1; break; } k |= 4; i++; } if (k & 1) p.o = p.a;)
SHADER(Until, uint k = 0; while (!(k & 1)) { if (Fixed[n] > g.x) { p.a = 1; k |= 1; } k ^= 4; } p.o = p.a;)
SHADER(ByFunction, uint k = 0; for (int i = 0; i < n; ++i) if (Fixed[i] > 1) { p.a = 1; set(k, 2); } else set(k, 1); if (has(k, 2)) p.o = p.a;)
SHADER(Static, flags = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; flags |= 2; } else flags |= 1; } if (flags & 2) p.o = p.a;)
SHADER(Component, uint2 k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k.y |= 2; } else k.x |= 1; } if (k.y & 2) p.o = p.a;)
SHADER(BitField, p.low = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; p.low |= 2; } else p.low |= 1; } if (p.low & 2) p.o = p.a;)
SHADER(ContinuesThen, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= Found; continue; } k |= Shadow; } if (k & Found) p.o = p.a;)
SHADER(AllCleared, uint k = Both; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k &= ~Found; } if (Fixed[i] > 2) k &= ~Shadow; } if (k == 0) p.o = p.a;)
SHADER(DoUntil, int i = 0; uint k = 0; do { if (Fixed[i] > 1) { p.a = 1; k |= Found; } else k |= Shadow; } while (!(k & Found)); p.o = p.a;)
SHADER(InnerLoop, uint k = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) { if (Fixed[i + j] > 1) { p.a = 1; k |= 4; } if (j > 3) k |= 8; } if (k & 4) p.o = p.a;)
SHADER(MemberComponent, p.k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; p.k.y |= 4; } else p.k.y |= 1; } if (p.k.y & 4) p.o = p.a;)
SHADER(InSwitch, uint k = 0; for (int i = 0; i < n; ++i) { switch (int(Fixed[i])) { case 0: k |= 1; p.a = 1; break; case 1: k |= 2; break; default: k |= 4; } } if (k & 1) p.o = p.a;)
SHADER(ChosenFlag, uint k = 0; for (int i = 0; i < n; ++i) { k |= Fixed[i] > 1 ? 1 : 2; if (k & 1) p.a = 1; } if (k & 1) p.o = p.a;)
SHADER(ReadInTheLoop, uint k = 0; for (int i = 0; i < n; ++i) { if (k & 1) { p.o = p.a; break; } if (Fixed[i] > 1) { p.a = 1; k |= 1; } else k |= 2; })
SHADER(ShiftedDown, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= 1u << 5; } else k |= 1u << 6; } if ((k >> 5) & 1) p.o = p.a;)
SHADER(Counted, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k += 1; } } if (k) p.o = p.a;)
SHADER(HighBitField, p.high = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; p.high |= 4; } else p.high |= 1; } if (p.high & 4) p.o = p.a;)
// Conditions of several parts.
SHADER(Greater, if (n > 3) p.a = 1; if (n > 5) p.o = p.a;)
SHADER(GreaterOrEqual, if (n >= 4) p.a = 1; if (n > 3) p.o = p.a;)
SHADER(PartsApart, if (n > 3 && u < 5) p.a = 1; if (u < 5) { if (n > 4) p.o = p.a; })
SHADER(NotEqual, if (c != d) p.a = 1; if (c && !d) p.o = p.a;)
SHADER(Equal, if (c == d) p.a = 1; if (c && d) p.o = p.a;)
SHADER(Exclusive, if (c ^ d) p.a = 1; if (c && !d) p.o = p.a;)
// And what is undefined on a path.
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherFlag, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= 2; } else k |= 4; } if (k & 4) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(NotWritten, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { k |= 2; } if (Fixed[i] > 3) { p.a = 1; } } if (k & 2) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(AlwaysSet, uint k = 2; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= 1; } } if (k & 2) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SetInEach, p.n = 0; for (int i = 0; i < n; ++i) { p.n |= 1; if (Fixed[i] > 1) p.a = 1; } if (p.n & 1) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(AnyOfTwo, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= 1; } k |= 2; } if (k & 3) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ShiftedOut, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= 1; } k <<= 1; } if (k == 0) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(NotCleared, uint k = 3; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k &= ~1u; } } if (k & 1) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ContinuesWithOther, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= 1; continue; } k |= 2; } if (k & 2) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherCleared, uint k = 3; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k &= ~1; } if (Fixed[i] < 0) k &= ~2; } if (!(k & 2)) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherAlone, uint k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; k |= 1; } if (Fixed[i] < 0) k |= 2; } if (k == 2) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherInSwitch, uint k = 0; for (int i = 0; i < n; ++i) { switch (int(Fixed[i])) { case 0: k |= 1; p.a = 1; break; case 1: k |= 2; break; default: k |= 4; } } if (k & 4) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherComponent, p.k = 0; for (int i = 0; i < n; ++i) { if (Fixed[i] > 1) { p.a = 1; p.k.y |= 4; } else p.k.y |= 1; } if (p.k.y & 1) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OnePart, if (c && d) p.a = 1; if (c) p.o = p.a;)
// CHECK: held_masks.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherSide, if (c != d) p.a = 1; if (c) p.o = p.a;)
// CHECK-NOT: warning
