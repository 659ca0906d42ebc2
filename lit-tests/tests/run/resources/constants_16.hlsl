// Halves and short integers in constants, native and as smallest types; rows, and the members at their ends.
// rtc -T lib_6_6
// scene: Inputs/constants_16.toml
// RUN: %rtc -T lib_6_6 -validator-version 1.6 -no-warnings -enable-16bit-types -DNATIVE %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -enable-16bit-types -DNATIVE
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -enable-16bit-types -DNATIVE -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/resources.hlsli"

#ifdef NATIVE
cbuffer Narrow : register(b1)
{
    half2 h; half2 h2; uint16_t2 u; int16_t2 i;
    half after[2];
    double d;
    uint64_t wide;
};
#else
cbuffer Smallest : register(b2)
{
    min16float4 f;
    min16int4 m;
    min16uint last;
};
#endif

[shader("raygeneration")] void Main()
{
    if (thread() > 0) { done(0); return; }
#ifdef NATIVE
    ISF(h.x, 1); ISF(h.y, 2); ISF(h2.x, 3); ISF(h2.y, 4);
    IS(u.x, 1); IS(u.y, 2); IS(i.x, -1); IS(i.y, -2);
    uint n = one();
    ISF(after[0], 0.5); ISF(after[n], 1.5);
    IS(d == 0.1L, 1); IS(uint(wide >> 32), 7); IS(uint(wide), 8);
    done(13);
#else
    ISF(f.x, 0.5); ISF(f.y, 1.5); ISF(f.z, -2.5); ISF(f.w, 4);
    IS(int(m.x), -1); IS(int(m.y), 2); IS(int(m.z), -300); IS(int(m.w), 4); IS(uint(last), 65535);
    done(9);
#endif
}
