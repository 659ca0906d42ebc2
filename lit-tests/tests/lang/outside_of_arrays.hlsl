// A constant index outside of a local array or table, which the program may never reach: an undefined value, no invalid module.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T ps_6_0 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
static const uint T[4] = { 1, 2, 3, 4 };
struct S { float2 v[2]; uint n; };

float4 main(uint c : C) : SV_Target
{
    int k = -1;
    float r = 0;
    uint a[4] = { c, 2, 3, c };
    S s[2] = { { { float2(c, 1), float2(2, 3) }, 4 }, { { float2(c, 1), float2(2, 3) }, 4 } };
    if (c > 3) {
        r = T[k];
        r += a[k] + T[k + 5] + s[c & 1].v[k + 3].y;
        a[k] = 3;
        s[k + 3].v[c & 1].x = 2;
    }
    return r + a[c & 3] + s[c & 1].v[c & 1].x;
}
