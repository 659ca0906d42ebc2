// Denormal 32-bit floats that are computed with are zeros where `-denorm ftz` says so, numbers that a compiler knows as all others;
// under `-denorm preserve` they are kept.
// rtc -T lib_6_3 -denorm ftz
// scene: Inputs/yard.toml
// RUN: %rtc -T lib_6_3 -denorm ftz -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -denorm ftz -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -O1
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -denorm preserve -DPRESERVED
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -denorm preserve -DPRESERVED -Od
#include "Inputs/dxr.hlsli"

// A number that is zero where denormals are.
#ifdef PRESERVED
static const bool FLUSHED = false;
#else
static const bool FLUSHED = true;
#endif
#define KEPT(bits) (FLUSHED ? 0 : (bits))
// That many, which no compiler knows.
uint unknown(uint n) { return n + number(0); }
static const float LEAST = 1.17549435e-38f;
static const float HALVED = LEAST * 0.5f;
static const float LIST[2] = { LEAST * 0.25f, LEAST };
static const float LESSER = min(asfloat(0x00400000), 1.0f);
static const bool POSITIVE = asfloat(0x00400000) > 0;

int halvings(float x)
{
    int n = 0;
    for (; x > 0 && n < 100; x *= 0.5f)
        ++n;
    return n;
}

void computes(float least, float small)
{
    IS(asuint(least * 0.5f), KEPT(0x00400000));
    IS(asuint(-least * 0.5f), FLUSHED ? 0x80000000 : 0x80400000);
    IS(asuint(least - least * 0.5f), FLUSHED ? 0x00800000 : 0x00400000);
    IS(asuint(small * 2), KEPT(0x00800000));
    IS(asuint(small * 1), KEPT(0x00400000));
    precise float whole = small * 1;
    IS(asuint(whole), KEPT(0x00400000));
    IS(asuint(small + 0), KEPT(0x00400000));
    IS(asuint(mad(small, 1, 0)), KEPT(0x00400000));
    IS(asuint(min(small, 1)), KEPT(0x00400000));
    IS(asuint(max(small, small)), KEPT(0x00400000));
    IS(asuint(saturate(small)), KEPT(0x00400000));
    IS(asuint((least * float3(0.5f, 1, 0.25f)).z), KEPT(0x00200000));
    IS(small > 0, !FLUSHED);
    IS(small == 0, FLUSHED);
    IS(halvings(least * 4), FLUSHED ? 3 : 26);
    IS(asuint((float)((double)least * 0.5L)), KEPT(0x00400000));
    // What is no computation, and other numbers.
    IS(asuint(small), 0x00400000);
    IS(asuint(least > 0 ? small : least), 0x00400000);
    IS(asuint(abs(small)), 0x00400000);
    IS(((double)least * 0.5L) > 0, 1);
    IS(f32tof16(f16tof32(unknown(1)) * 2), 2);
    IS(asuint(least * 2), 0x01000000);
}

struct Payload { uint ran; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.ran = 1; }
[shader("miss")] void Miss(inout Payload p) { p.ran = 2; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")]
void Main()
{
    computes(asfloat(0x00800000), asfloat(0x00400000));
    computes(asfloat(unknown(0x00800000)), asfloat(unknown(0x00400000)));
    IS(asuint(HALVED), KEPT(0x00400000));
    IS(asuint(LIST[unknown(0)]), KEPT(0x00200000));
    IS(asuint(LESSER), KEPT(0x00400000));
    IS(POSITIVE, !FLUSHED);
    IS(asuint(1.17549435e-38f * 0.5f), KEPT(0x00400000));
    IS(1.17549435e-38f * 0.5f == 0, FLUSHED);
    IS(asuint((float)5.8774717541114375e-39L), KEPT(0x00400000));
    // What is written so is not computed.
    IS(asuint(5.877471754e-39f), 0x00400000);
    IS(asuint(1.17549435e-38 * 0.5), 0x00400000);
    done(53);
}
