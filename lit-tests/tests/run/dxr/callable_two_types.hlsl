// Callable shaders with parameters of different types and sizes, one of them large.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Small { uint n; };
struct Large { float4 rows[16]; uint last; };
[shader("callable")] void CallSmall(inout Small c) { c.n = c.n ^ 0xff; }
[shader("callable")] void CallLarge(inout Large c)
{
    for (uint i = 0; i < 8; ++i)
    {
        float4 row = c.rows[i];
        c.rows[i] = c.rows[15 - i];
        c.rows[15 - i] = row;
    }
    Small s = { c.last };
    CallShader(0, s);
    c.last = s.n;
}
[shader("raygeneration")] void Main()
{
    Small s = { thread() };
    CallShader(0, s);
    IS(s.n, thread() ^ 0xff);
    Large l;
    for (uint i = 0; i < 16; ++i)
        l.rows[i] = float4(i, i * 2, i * 3, thread());
    l.last = 1000 + thread();
    CallShader(1, l);
    for (uint k = 0; k < 16; ++k)
        IS3(l.rows[k].xyw, float3(15 - k, 30 - 2.0 * k, thread()));
    IS(l.last, (1000 + thread()) ^ 0xff);
    done(50);
}
