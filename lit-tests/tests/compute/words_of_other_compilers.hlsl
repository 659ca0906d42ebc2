// rtc -T cs_6_6 -E main -HV 2021 -enable-16bit-types
// Suffixes of numbers that say their size, and `unsigned` before integer types of any size.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -enable-16bit-types -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -enable-16bit-types -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}15,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

[numthreads(1, 1, 1)] void main()
{
    float a = 1.5f32; IS(a * f(2), 3.0f); IS(0x1.8p1f32 * f(1), 3.0f); IS(2.f32 + 1e1f32 * f(1), 12.0f);
    half h = 1.25f16; IS((float)h * f(4), 5.0f);
    double d = 1.1f64; IS((uint)(d * 1e10f64 == 1.1L * 1e10L), 1u); IS((uint)(d == (double)1.1f32), 0u);
    IS(1.5F32 * f(2), 3.0f); IS((float)1.25F16 * f(4), 5.0f); IS((uint)(1.1F64 == 1.1L), 1u);
    unsigned min16uint4 v = (uint)i(3); IS((uint)v.w, 3u);
    unsigned uint2 u = (uint)i(4); IS(u.y, 4u); unsigned uint64_t w = (uint)i(5); IS((uint)w, 5u); unsigned min16int m = (uint)i(2); IS((uint)m, 2u);
    const unsigned int4 q = (uint)i(1); IS(q.z, 1u); IS((uint)((unsigned)i(10) > 5), 1u);
    done();
}
