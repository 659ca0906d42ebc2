// Shader models before 6.2 flush 32-bit denormals, operands and results, with their sign; later ones keep them on request.
// RUN: %rtc-run-cpu %S/Inputs/denormals_60.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %S/Inputs/denormals_60.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %S/Inputs/denormals_62.toml -o %T -- -denorm preserve
// RUN: FileCheck %s --input-file=%T/out.json
// Constants that a device flushes are left to it.
// RUN: %rtc -T cs_6_1 -validator-version 1.6 %s -Fo %t.dxil -Fc %t.txt
// RUN: %dxil-val %t.dxil
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=FOLDED
// FOLDED: fmul {{.*}}0x3810000000000000
// FOLDED-NOT: fp32-denorm-mode
RWStructuredBuffer<uint> In : register(u0);
RWStructuredBuffer<uint> Out : register(u1);
static uint Passed = 0, Failed = 0;
void IS(uint found, uint flushed, uint kept)
{
#ifdef KEPT
    flushed = kept;
#endif
    if (found == flushed) ++Passed; else { Out[2 + Failed % 13] = Passed + Failed + 1; ++Failed; }
}
float f(uint n) { return asfloat(In[n]); }

[numthreads(1, 1, 1)] void main()
{
    float x = f(0), y = f(1), one = f(2), least = f(3), half_ = f(4);
    IS(asuint(floor(x)), 0x80000000, 0xbf800000);
    IS(asuint(ceil(y)), 0, 0x3f800000);
    IS(asuint(sqrt(x)), 0x80000000, 0xffc00000);
    IS(asuint(frac(x)), 0, 0x3f800000);
    IS(asuint(log2(y)), 0xff800000, 0xc2fe0000);
    IS(asuint(x + x), 0x80000000, 0x80800000);
    IS(asuint(y + y), 0, 0x00800000);
    IS(asuint(least * half_), 0, 0x00400000);
    IS(asuint(-least * half_), 0x80000000, 0x80400000);
    IS(asuint(mad(y, one, y)), 0, 0x00800000);
    IS(asuint(max(y, 0)), 0, 0x00400000);
    IS(asuint(saturate(y)), 0, 0x00400000);
    IS(y > 0, 0, 1);
    IS(y == 0, 1, 0);
    IS(asuint(dot(float2(y, y), float2(one, one))), 0, 0x00800000);
    // Moving is no arithmetic.
    IS(asuint(y), 0x00400000, 0x00400000);
    IS(asuint(abs(x)), 0x00400000, 0x00400000);
    IS(In[2] ? asuint(y) : 0, 0x00400000, 0x00400000);
    // Folded.
    const float small = 1.17549435e-38f;
    IS(asuint(small * 0.5f), 0, 0x00400000);
    float folded = small; [unroll] for (int i = 0; i < 3; ++i) folded *= 0.5f;
    IS(asuint(folded), 0, 0x00100000);
    Out[0] = Passed;
    Out[1] = Failed;
}
// CHECK: [
// CHECK-NEXT: 20,
// CHECK-NEXT: 0,
