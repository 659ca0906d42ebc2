// Every operator, on scalars and vectors.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
RWByteAddressBuffer Out : register(u0);

[shader("raygeneration")]
void Main()
{
    uint3 i = DispatchRaysIndex();
    int a = int(i.x), b = int(i.y) + 1;
    uint u = i.x, v = i.y | 1;
    float f = float(a), g = f + 0.5;
    int r = a + b - a * b / b % b;
    r += (a << 3) >> 1;
    r ^= a & b | ~a;
    u = u / v + u % v - (u >> 2) + (u << 1);
    bool p = a < b && f <= g || !(u > v);
    bool q = a == b || f != g;
    r += p ? 1 : 0;
    r -= q ? a++ : --b;
    float h = f * g - f / g + -f;
    h += fmod(f, g);
    bool3 w = i > 3;
    float3 x = float3(w.x ? i.x : 1, w.y ? i.y : 1, w.z ? i.z : 1);
    int2 m = (int2)x.zy * 2 - int2(1, 2);
    r = (r, m.x);
    Out.Store(0, asuint(r));
    Out.Store(4, u);
    Out.Store(8, asuint(h));
    Out.Store3(16, asuint(x));
    Out.Store2(32, asuint(m));
}
