// NaN, infinities and the sign of zero under `precise`: on Vulkan as on the CPU device. Numbers come from a buffer.
// Vulkan runs packages, which ask no device to keep these numbers: not every device can.
// RUN: %rtc-run-cpu %S/Inputs/special_numbers.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=KEEPS --input-file=%t.txt
// RUN: %rtc -T cs_6_6 -spirv -fspv-target-env=vulkan1.2 -Od %s -Fo %t.od.spv -Fc %t.od.txt
// RUN: %spirv-val %t.od.spv
// RUN: FileCheck %s --check-prefix=NEWER --input-file=%t.od.txt
// RUN: %rtc -T cs_6_6 -spirv -Gis -D LOOSE %s -Fo %t.gis.spv -Fc %t.gis.txt
// RUN: %spirv-val %t.gis.spv
// RUN: FileCheck %s --check-prefix=KEEPS --input-file=%t.gis.txt
// RUN: %rtc -T cs_6_6 -spirv -D LOOSE %s -Fo %t.loose.spv -Fc %t.loose.txt
// RUN: FileCheck %s --check-prefix=LOOSE --input-file=%t.loose.txt
// KEEPS: OpCapability SignedZeroInfNanPreserve
// KEEPS: OpExtension "SPV_KHR_float_controls"
// KEEPS: OpExecutionMode {{.*}} SignedZeroInfNanPreserve 32
// NEWER: OpCapability SignedZeroInfNanPreserve
// NEWER: OpExecutionMode {{.*}} SignedZeroInfNanPreserve 32
// LOOSE-NOT: SignedZeroInfNanPreserve
ByteAddressBuffer In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

float f(uint n) { return asfloat(In.Load(4 * n)); }
#ifdef LOOSE
#define precise
#endif

static uint Passed = 0, Failed = 0;
void IS(bool yes)
{
    if (yes) { ++Passed; return; }
    Out[2 + min(Failed, 29)] = Passed + Failed;
    ++Failed;
}
// By the bits: arithmetic cannot tell whether a number is NaN where it may assume that it is none.
bool nan(float x) { return (asuint(x) & 0x7fffffff) > 0x7f800000; }

[numthreads(1, 1, 1)] void main()
{
    float inf = f(0), nun = f(1), zero = f(2), one = f(3);
    precise float a = inf * 0.0; IS(nan(a));
    precise float b = nun * 0.0; IS(nan(b));
    precise float c = inf - inf; IS(nan(c));
    precise float d = nun / nun; IS(nan(d));
    precise float e = zero / zero; IS(nan(e));
    precise float g = nun - nun; IS(nan(g));
    precise float h = min(nun, one); IS(h == 1);
    precise float i = dot(float2(inf, one), float2(0, 1)); IS(nan(i));
    precise float j = mad(inf, 0.0, one); IS(nan(j));
    precise float3 k = normalize(float3(zero, zero, zero)); IS(nan(k.x));
    precise float l = -zero + 0.0; IS(asuint(l) == 0);
    precise float m = -(zero * one); IS(asuint(m) == 0x80000000);
    precise float n = inf + one; IS(asuint(n) == 0x7f800000);
    precise bool o = nun == nun; IS(!o);
    precise bool p = isnan(inf * 0.0); IS(p);
    precise float q = zero * -one + 0.0; IS(asuint(q) == 0);
    Out[0] = Passed;
    Out[1] = Failed;
}
// CHECK: [
// CHECK-NEXT: 16,
// CHECK-NEXT: 0,
