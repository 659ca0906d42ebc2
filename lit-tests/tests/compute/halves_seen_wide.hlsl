// `(float)(half)x` is rounded, whatever lies between the conversions: drivers drop the pair. Numbers come from a buffer, on Vulkan and on the CPU device.
// RUN: %rtc-run %S/Inputs/halves_seen_wide.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %S/Inputs/halves_seen_wide.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -enable-16bit-types -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -enable-16bit-types -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -enable-16bit-types -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T cs_6_6 -enable-16bit-types -spirv -D STAYS %s -Fo %t.stays.spv -Fc %t.stays.txt
// RUN: FileCheck %s --check-prefix=STAYS --input-file=%t.stays.txt
// What goes on as a half, or comes from memory, is converted by the instruction.
// STAYS-NOT: UnpackHalf2x16
// STAYS-COUNT-3: OpFConvert
// STAYS-NOT: UnpackHalf2x16
ByteAddressBuffer In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<half> Halves : register(u1);

float f(uint n) { return asfloat(In.Load(4 * n)); }

#ifdef STAYS
StructuredBuffer<half> Read : register(t1);
[numthreads(1, 1, 1)] void main() { half h = (half)f(0); Halves[0] = h + (half)f(1); Out[0] = asuint((float)Read[1]); }
#else
static uint Passed = 0, Failed = 0;
void IS(float found, float must)
{
    if (asuint(found) == asuint(must)) { ++Passed; return; }
    Out[2 + min(Failed, 29)] = Passed + Failed;
    ++Failed;
}
struct S { half h; half2 v; };
groupshared half shared_;
half chosen(bool c, float x) { half h = (half)x; return c ? h : -h; }

[numthreads(1, 1, 1)] void main()
{
    // 1 + 2^-11; 70000; the least denormal; 1e-9; -2^-15 (1 + 2^-10); 65519; infinite; 2049.
    IS((float)(half)f(0), 1); IS((float)(half)f(1), asfloat(0x7f800000)); IS((float)(half)f(2), 5.9604644775390625e-8); IS((float)(half)f(3), 0);
    IS((float)(half)f(4), -3.0517578125e-5); IS((float)(half)f(5), 65504); IS((float)(half)f(6), asfloat(0x7f800000)); IS((float)(half)f(7), 2048);
    IS(f16tof32(f32tof16(f(0))), 1); IS(f16tof32(f32tof16(f(7)) | 0xffff0000), 2048); IS(f16tof32(f32tof16(f(2))), 5.9604644775390625e-8);
    float2 v = (float2)(half2)float2(f(0), f(7)); IS(v.x, 1); IS(v.y, 2048);
    float2x2 m = (float2x2)(half2x2)float2x2(f(0), f(7), f(1), f(3)); IS(m[0][0], 1); IS(m[1][1], 0); IS(m[1][0], asfloat(0x7f800000));
    S s; s.h = (half)f(7); s.v = half2((half)f(0), s.h); IS((float)s.h, 2048); IS((float)s.v.x, 1);
    IS((float)chosen(f(0) > 0, f(7)), 2048); IS((float)chosen(f(0) < 0, f(7)), -2048);
    half a[3]; a[(uint)f(8)] = (half)f(0); a[(uint)f(8) + 1] = (half)f(7); IS((float)a[(uint)f(8) + 1], 2048);
    half l = 0; for (uint i = 0; i < (uint)f(8); ++i) l = (half)f(7); IS((float)l, 2048);
    shared_ = (half)f(7); IS((float)shared_, 2048);
    IS((float)((half)f(7) * 1.0h), 2048); IS((float)max((half)f(7), (half)f(0)), 2048); IS((float)abs(-(half)f(7)), 2048);
    IS((float)(double)(half)f(7), 2048); IS((float)asfloat16(asuint16((half)f(7))), 2048); IS((float)(half)1.00048828125f, 1);
    IS((float)((half)f(7) + (half)f(9)), 2052);
    Halves[0] = (half)f(7); IS((float)Halves[0], 2048);
    // Some are known, others are not.
    float4 q = (float4)(half4)float4(3, f(0), f(7), f(2)); IS(q.x, 3); IS(q.y, 1); IS(q.z, 2048); IS(q.w, 5.9604644775390625e-8);
    float3 t = f16tof32(f32tof16(float3(f(0), f(4), f(1)))); IS(t.x, 1); IS(t.y, -3.0517578125e-5); IS(t.z, asfloat(0x7f800000));
    double2 d = (double2)(half2)float2(f(7), f(3)); IS((float)d.x, 2048); IS((float)d.y, 0);
    Out[0] = Passed;
    Out[1] = Failed;
}
#endif
// CHECK: [
// CHECK-NEXT: 40,
// CHECK-NEXT: 0,
