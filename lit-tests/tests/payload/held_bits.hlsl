// Bits, comparisons and components of what payloads hold: what is under a mask or in a bit-field is known though the other bits are not.
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
    uint wide : 31 : OWN;
    uint top : 1 : OWN;
};
cbuffer C { float2 g; int n; uint u; }
StructuredBuffer<float> Fixed : register(t1);
typedef BuiltInTriangleIntersectionAttributes A;

#define SHADER(name, ...) [shader("closesthit")] void name(inout P p, in A t) { bool c = g.x > 1, d = g.y > 1; __VA_ARGS__ p.a = p.o = 1; }
SHADER(SameBits, p.three = u; if (p.three == 5) p.a = 1; p.one = 1; p.four = n; if (p.three == 5) p.o = p.a;)
SHADER(SameSigned, p.four = n; if (p.four == -3) p.a = 1; p.bit = true; if (p.four == -3) p.o = p.a;)
SHADER(SameBoolean, p.bit = u > 7; if (p.bit) p.a = 1; p.three = u; if (p.bit) p.o = p.a;)
SHADER(SignExtends, p.four = 8; if (p.four > 0) p.o = p.a;)
SHADER(SignStays, p.four = 15; if (p.four != -1) p.o = p.a;)
SHADER(NoSign, p.three = 7; if (p.three != 7) p.o = p.a;)
SHADER(Widest, p.wide = 0x7fffffff; if (p.wide != 0x7fffffff) p.o = p.a;)
SHADER(TopBit, p.top = 3; if (!p.top) p.o = p.a;)
SHADER(Neighbours, p.one = 1; p.three = 2; p.four = -8; p.bit = false; if (p.one != 1 || p.three != 2 || p.four != -8 || p.bit) p.o = p.a;)
SHADER(InArms, if (c) { p.a = 1; p.four = -5; } else { p.o = 1; p.four = 5; } if (p.four < 0) p.o = p.a;)
SHADER(OfTwoFlags, p.three = 0; if (c) { p.a = 1; p.three |= 1; } if (d) p.three |= 4; if (p.three & 1) p.o = p.a;)
SHADER(Counted, p.three = 0; if (c) { p.a = 1; p.three++; } if (d) { p.a = 1; p.three++; } if (p.three) p.o = p.a;)
SHADER(Overflows, p.three = 7; p.three++; if (p.three) p.o = p.a;)
SHADER(NoMask, if (p.n & 0) p.o = p.a;)
SHADER(AllMask, p.n = u; if (u == 3) p.a = 1; if ((p.n & 0xffffffff) == 3) p.o = p.a;)
SHADER(MaskOfMask, if (((u & 12) & 4) == 4) p.a = 1; if ((u & 4) == 4) p.o = p.a;)
SHADER(MaskOnTheLeft, if (4 & u) p.a = 1; if (u & 4) p.o = p.a;)
SHADER(SetInUnknown, p.n = u | 4; if (p.n & 4) p.a = 1; p.o = p.a;)
SHADER(SetOnTheLeft, p.n = 4 | u; if (p.n & 4) p.a = 1; p.o = p.a;)
SHADER(ClearedInUnknown, p.n = u & ~6; if (p.n & 2) p.o = p.a;)
SHADER(TwoBits, p.n = u & ~12; if (c) { p.n |= 4; p.a = 1; } if (d) p.n |= 8; if ((p.n & 12) == 4) p.o = p.a;)
SHADER(ShiftedAway, p.n = u << 4; if (p.n & 15) p.o = p.a;)
SHADER(ShiftedFlag, p.n = 0; if (c) { p.a = 1; p.n = 1 << 3; } if ((p.n >> 3) & 1) p.o = p.a;)
SHADER(LeftConstant, p.n = 0; if (c) { p.a = 1; p.n = 1; } if (2 - p.n == 1) p.o = p.a;)
SHADER(Compared, p.n = 0; if (c) { p.a = 1; p.n = 4; } if (3 < p.n) p.o = p.a;)
SHADER(ComparedUnknown, p.n = 2; if (c) { p.a = 1; p.n = u; } if (p.n >= 3) p.o = p.a;)
SHADER(Negative, p.k = int2(-1, 0); if (c) { p.a = 1; p.k.x = n; } if (p.k.x >= 0) p.o = p.a;)
SHADER(FloatSum, p.x = 1; if (c) { p.a = 1; p.x *= 3; } if (p.x + 1 > 3) p.o = p.a;)
SHADER(SameAsMasked, p.three = u; if ((u & 7) == 5) p.a = 1; if (p.three == 5) p.o = p.a;)
SHADER(SetAndShifted, p.n = (u | 4) << 4; if (!(p.n & 64)) p.o = p.a;)
SHADER(SetAndShiftedUp, p.n = (u | 1) << 31; if (!(p.n & 0x80000000)) p.o = p.a;)
// And what is undefined on a path.
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherBits, p.three = u; if (p.three == 5) p.a = 1; p.three = n; if (p.three == 5) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherSigned, p.four = n; if (p.four == -3) p.a = 1; p.four = n + 1; if (p.four == -3) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SignedSmall, p.four = 7; if (p.four > 0) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SignedOnes, p.four = 15; if (p.four == -1) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(Seven, p.three = 7; if (p.three == 7) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(WideIs, p.wide = 0x7fffffff; if (p.wide == 0x7fffffff) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(TopBitSet, p.top = 3; if (p.top) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(NeighbourSet, p.one = 1; p.three = 2; p.four = -8; p.bit = true; if (p.bit) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherArm, if (c) { p.a = 1; p.four = -5; } else { p.o = 1; p.four = -6; } if (p.four < 0) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherOfTwoFlags, p.three = 0; if (c) { p.a = 1; p.three |= 1; } if (d) p.three |= 4; if (p.three & 4) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(MaskOfMore, if ((u & 12) == 4) p.a = 1; if ((u & 4) == 4) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SetMayNotBe, p.n = u | 4; if ((p.n & 6) == 6) p.a = 1; if (p.n & 4) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(NotCleared, p.n = u & ~6; if (p.n & 8) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherOfTwoBits, p.n = u & ~12; if (c) { p.n |= 4; p.a = 1; } if (d) p.n |= 8; if ((p.n & 12) == 8) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ShiftedTo, p.n = u << 4; if (p.n & 16) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(LeftConstantIs, p.n = 0; if (c) { p.a = 1; p.n = 1; } if (2 - p.n == 2) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ComparedEqual, p.n = 3; if (c) { p.a = 1; p.n = 4; } if (3 <= p.n) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ComparedUnknownEqual, p.n = 2; if (c) { p.a = 1; p.n = u; } if (p.n >= 2) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(FloatSumIs, p.x = 1; if (c) { p.a = 1; p.x *= 3; } if (p.x + 1 > 1) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(InsertedElsewhere, int2 v = int2(n, n); v.x = 0; if (c) { p.a = 1; v.y = 1; } if (v.y) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(OtherMasked, p.three = u; if ((u & 7) == 4) p.a = 1; if (p.three == 5) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(SetAndShiftedIs, p.n = (u | 4) << 4; if (p.n & 64) p.o = p.a;)
// CHECK: held_bits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.a` is undefined when it is read {{.*}} [W0710]
SHADER(ShiftedElsewhere, p.n = (u | 4) << 4; if (!(p.n & 32)) p.o = p.a;)
// CHECK-NOT: warning
