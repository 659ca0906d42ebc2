// Programs that the reference compiler takes: names before `::` that are functions too, constants for `inout` parameters of functions named
// with a qualifier, characters of string literals, arrays of resources as parameters, `select` of structures, limits of Direct3D.
// RUN: %rtc -T lib_6_6 -WX -Wno-conversion %s -validator-version 1.6 -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_6 -WX -Wno-conversion -Od %s -validator-version 1.6 -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_6 -WX -Wno-conversion -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_6 -WX -Wno-conversion -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T lib_6_6 -Werror=direct3d-limits -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=LIMITS
// RUN: %rtc -T lib_6_6 -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=WARN
RWByteAddressBuffer O : register(u0);
cbuffer CB { int k; bool which; };

enum class E { A = 1 };
struct S { int v; E E() { return E::A; } };
namespace N { static const int X = 3; int N() { return N::X; } }

namespace M { void f(inout int x) { x = x + 3; } }
struct T { int v; void f(inout int x) { x = x + 1; } };

ByteAddressBuffer All[] : register(t0, space1);
ByteAddressBuffer Many[2000] : register(t0, space2);
ByteAddressBuffer Three[3] : register(t0, space3);
globallycoherent RWByteAddressBuffer Two[2] : register(u0, space1);
uint get(uint i, ByteAddressBuffer b[]) { return b[i].Load(0); }
uint again(uint i, ByteAddressBuffer b[]) { return get(NonUniformResourceIndex(i + 1), b); }
uint three(uint i, ByteAddressBuffer b[3]) { return b[i].Load(0); }
void put(inout RWByteAddressBuffer b[2], uint i) { b[i].Store(0, 1); }
void put2(const RWByteAddressBuffer b[2], uint i) { b[i].Store(4, 1); }

uint length()
{
    uint n = 0;
    [unroll] for (uint i = 0; i < 6; ++i)
        if ("hello"[i] != "\0"[0]) ++n;
    return n;
}

// LIMITS: error: the largest recursion depth is at most 31 in Direct3D, found 32
// WARN: warning: the largest recursion depth is at most 31 in Direct3D, found 32 [-Wdirect3d-limits] [W0602]
RaytracingPipelineConfig Depth = { 32 };
RaytracingShaderConfig Sizes = { 32, 40 };
struct A { float a[9]; };
// WARN: warning: `A` has 36 bytes; attributes have at most 32 in Direct3D
[shader("intersection")] void I() { A a = (A)0; ReportHit(1, 0, a); }

// WARN: payload access qualifiers, but `P` is not declared `[raypayload]`{{.*}}[-Wpayload-access-outside]
struct P { float a : write(caller) : read(caller); };
[shader("miss")] void Away(inout P p) { p.a = 1; }

[shader("raygeneration")] void Main()
{
    uint t = DispatchRaysIndex().x;
    S s = { 1 }, other = { 2 };
    O.Store(0, (int)s.E() + N::N() + length());
    const int c = k;
    M::f(c);
    T m = { 1 };
    m.f(c);
    // What the functions wrote.
    O.Store(4, c);
    // WARN: warning: a member of a constant buffer is passed to the inout parameter `x`, which may write it [-Wconst-argument]
    M::f(k);
    O.Store(8, get(t, All) + again(t, All) + again(t, Many) + three(t % 3, Three) + three(t % 3, All));
    // WARN: warning: this resource is `globallycoherent`, and what it becomes is not [-Wconversion] [W0314]
    put(Two, t & 1);
    put2(Two, t & 1);
    S chosen = select(which, s, other);
    O.Store(12, chosen.v);
    uint64_t v = O.Load<uint64_t>(16);
    O.Store2(24, uint2(v & 0xffffffff, v >> 32));
    const S unset;
    O.Store(32, "text"[t & 3]);
}
