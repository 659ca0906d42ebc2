// Casts between structures and arrays that have resources in the same places; numbers are converted, and what is left over is dropped.
// options: -T cs_6_6 -E Main -D COMPUTE
// reference: no, the pinned one refuses such casts
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T cs_6_6 -E Main -D COMPUTE -D WRONG=1 %s 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rtc -T cs_6_6 -E Main -D COMPUTE -D WRONG=2 %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: E0323
#include "Inputs/out.hlsli"

RWByteAddressBuffer A[2] : register(u30);
RWByteAddressBuffer B : register(u40);

struct First { RWByteAddressBuffer b; float2 n; };
struct Same { RWByteAddressBuffer c; uint m[2]; };
struct Outer { struct Inner { RWByteAddressBuffer d; } inner; int k; };
struct One { RWByteAddressBuffer e; };
struct Two { RWByteAddressBuffer f, g; };
struct Pair { RWByteAddressBuffer h[2]; };
struct Turned { uint2 m; RWByteAddressBuffer c; };
struct Other { ByteAddressBuffer c; uint2 m; };

First make() { First f; f.b = B; f.n = float2(3.75, 9.5); return f; }
uint at() { return Thread() * 4; }

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    const int zero = inI(0) - inI(0);
    A[0].Store(at(), 10 + zero); A[1].Store(at(), 20 + zero); B.Store(at(), 30 + zero);
    const First f = make();
    const Same s = (Same)f;
    expect(s.c.Load(at()), 30); expect(s.m[0], 3); expect(s.m[1], 9);
    const Outer o = (Outer)make();
    expect(o.inner.d.Load(at()), 30); expect(o.k, 3);
    expect(((One)f).e.Load(at()), 30); expect(((One)B).e.Load(at()), 30);
    const Two t = (Two)A;
    expect(t.f.Load(at()), 10); expect(t.g.Load(at()), 20);
    const Pair p = (Pair)t;
    expect(p.h[0].Load(at()), 10); expect(p.h[1].Load(at()), 20);
    expect(((One)((Pair)A)).e.Load(at()), 10);
#if WRONG == 1
    expect(((Turned)f).m.x, 3);
#elif WRONG == 2
    expect(((Other)f).m.x, 3);
#endif
}
