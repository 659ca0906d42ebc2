// Order and number of side effects.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

static int Calls = 0;
int next(int by) { Calls += by; return Calls; }
int bump(inout int x) { x += 2; return x; }
[shader("raygeneration")]
void Main()
{
    int a[6] = { 1, 2, 3, 4, 5, 6 };
    int i = 0;
    a[i++] += next(3);
    putI(i); putI(a[0]); putI(Calls);
    a[i++] *= 5;
    a[++i] -= 7;
    putI(i); putI(a[1]); putI(a[2]); putI(a[3]);
    int j = i++ + 10;
    putI(j); putI(i);
    int k = --i;
    putI(k);
    a[next(1) & 3] = 9;
    a[next(1) % 6]++;
    for (int q = 0; q < 6; ++q) putI(a[q]);
    putI(Calls);
    int b = 1, c;
    c = b = 7;
    putI(b + c);
    b += c -= 3;
    putI(b); putI(c);
    int d = bump(b) + bump(b) * 100;
    putI(d); putI(b);
    int x = 3;
    x ^= x << 2;
    x |= 0x40;
    x <<= 1;
    x >>= 2;
    x &= 0x3f;
    x %= 7;
    putI(x);
    int3 v = int3(1, 2, 3);
    v.x++;
    --v.z;
    v.yz += v.zy;
    putI3(v++);
    putI3(v);
    putI3(-v--);
    float f = 1.5;
    putF(f++); putF(++f); putF(f--); putF(f);
    int comma = (next(1), next(1), 42);
    putI(comma); putI(Calls);
    uint un = 0;
    un--;
    putU(un);
    for (int lo = 0, hi = 10; lo < hi; ++lo, hi -= 2) putI(lo * 100 + hi);
    putI(Calls);
}
