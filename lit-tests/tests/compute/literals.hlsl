// rtc -T cs_6_6 -E main -HV 2021
// Literals: their types, what intrinsics compute of them, and their conversions, which are those of run time.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}41,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

static const float Rounded = (float)9007199791611905ll;
static const int Clamped = (int)3e9;
static const uint2 Both = uint2(-1.5, 5e9);

[numthreads(1, 1, 1)] void main()
{
    // 32 bits whatever the number is.
    IS((int)(0xFFFFFFFFL >> 40), 16777215); IS((int)(4294967295L >> 4), -1); IS(0x123456789AUL, 0x3456789Au); IS((int)(0xFFFFFFFFLL >> 40), 0);
    IS((int)(3000000000L >> 36), -80935456); IS(0x123456789AU, 0x3456789Au);
    // Intrinsics of literals have 64 bits.
    IS(asint((float)frac(100.000002)), 906377149); IS((int)max(3000000000, 1), -1294967296); IS((int)(max(3000000000, 1) >> 4), 187500000);
    IS((int)(abs(-3000000000) >> 4), 187500000); IS((int)(clamp(3000000000, 1, 4000000000) >> 4), 187500000); IS((int)(mad(3000000000, 2, 1) >> 4), 375000000);
    IS((float)(sqrt(2.0) * sqrt(2.0) - 2.0), 4.440892e-16f); IS(floor(1e9 + 0.5) == 1e9 ? 1u : 0u, 1u); IS((float)pow(2.1, 2.0), 4.41f);
    IS((float)lerp(0.1, 0.2, 0.3), 0.13f); IS((int)sign(-2.5), -1); IS((float)min(1.1, 3), 1.1f); IS((int)round(2.5), 2); IS((int)round(0.5), 0);
    IS((float)step(1.1, 2.2), 1.0f); IS((int)(abs(-5) / 2), 2); IS((float)saturate(2), 1.0f); IS((float)rcp(4), 0.25f); IS((float)fmod(5.5, 3), 2.5f);
    // One rounding.
    IS(asuint((float)9007199791611905ll), 0x5a000001u); IS(asuint(Rounded), 0x5a000001u); IS(asuint(1.00000005960464484f), 0x3f800001u);
    IS(asuint(1.000000059604644775390625f), 0x3f800000u); IS(asuint(0x1.00000100000001p0f), 0x3f800001u); IS(asuint((float)0x8000008000000001ull), 0x5f000001u);
    // A number beyond the range of an integer becomes the nearest one.
    IS((int)3e9, 2147483647); IS((int)-3e9, (int)0x80000000); IS((int)2147483648.0, 2147483647); IS((int)1e20, 2147483647); IS((uint)5e9, 0xffffffffu);
    IS((uint)-1.0, 0u); IS(Clamped, 2147483647); IS(Both.x, 0u); IS(Both.y, 0xffffffffu);
    IS((uint)((int64_t)1e30 >> 32), 0x7fffffffu);
    done();
}
