// Halves and short integers in texture buffers: a texel is four words, with two of them in each.
// rtc -T lib_6_6
// scene: Inputs/constants.toml
// RUN: %rtc -T lib_6_6 -validator-version 1.6 -no-warnings -enable-16bit-types %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -enable-16bit-types
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -enable-16bit-types -Od
#include "Inputs/resources.hlsli"

tbuffer Narrow : register(t1)
{
    half2 h; half2 h2; uint16_t2 u; int16_t2 i;
    half after[2];
    double d;
    uint64_t wide;
};

[shader("raygeneration")] void Main()
{
    if (thread() > 0) { done(0); return; }
    ISF(h.x, 1); ISF(h.y, 2); ISF(h2.x, 3); ISF(h2.y, 4);
    IS(u.x, 1); IS(u.y, 2); IS(i.x, -1); IS(i.y, -2);
    uint n = one();
    ISF(after[0], 0.5); ISF(after[n], 1.5);
    IS(d == 0.1L, 1); IS(uint(wide >> 32), 7); IS(uint(wide), 8);
    done(13);
}
