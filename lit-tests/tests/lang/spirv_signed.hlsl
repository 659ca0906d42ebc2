// Signed operations have signed types in SPIR-V: translators to other languages take the sign from there. Memory of `int` needs no cast.
// RUN: %rtc -spirv -T cs_6_2 -enable-16bit-types -E main %s -Fo %t.spv -Fc %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T cs_6_2 -enable-16bit-types -E main -Od %s -Fo %t.od.spv -Fc %t.txt
// RUN: FileCheck %s --check-prefix=KINDS --input-file=%t.txt
// RUN: %spirv-val %t.od.spv
RWStructuredBuffer<int> o : register(u0);

[numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex)
{
    int a = o[0];
    o[0] = a / 3;
    o[1] = min(a, -4);
    o[2] = asint((float)a);
    o[3] = -a;
    int2 v = int2(a, i) >> 3;
    if (v.x < -2)
        o[4] = v.y;
    o[5] = WaveActiveMax(a);
    o[6] = (int)asfloat(a);
    int16_t s = (int16_t)a;
    o[7] = max(s, (int16_t)-3);
}
// CHECK: [[INT:%[0-9A-Za-z_]+]] = OpTypeInt 32 1
// CHECK: [[A:%[0-9A-Za-z_]+]] = OpLoad [[INT]]
// CHECK: [[D:%[0-9A-Za-z_]+]] = OpSDiv [[INT]] [[A]]
// CHECK: OpStore {{%[0-9A-Za-z_]+}} [[D]]
// CHECK: [[M:%[0-9A-Za-z_]+]] = OpExtInst [[INT]] {{%[0-9A-Za-z_]+}} SMin [[A]]
// CHECK: OpStore {{%[0-9A-Za-z_]+}} [[M]]
// CHECK: OpConvertSToF {{%[0-9A-Za-z_]+}} [[A]]
// CHECK: OpSNegate [[INT]] [[A]]
// KINDS-DAG: [[INT:%[0-9A-Za-z_]+]] = OpTypeInt 32 1
// KINDS-DAG: [[SHORT:%[0-9A-Za-z_]+]] = OpTypeInt 16 1
// KINDS-DAG: [[PAIR:%[0-9A-Za-z_]+]] = OpTypeVector [[INT]] 2
// KINDS-DAG: OpShiftRightArithmetic [[PAIR]]
// KINDS-DAG: OpGroupNonUniformSMax [[INT]]
// KINDS-DAG: OpConvertFToS [[INT]]
// KINDS-DAG: OpExtInst [[SHORT]] {{%[0-9A-Za-z_]+}} SMax
