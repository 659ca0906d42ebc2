// Specialisation constants, push constants with offsets, the shader record: SPIR-V has them. In DXIL the host sets such constants in `$Globals`.
// RUN: %rtc -T lib_6_6 -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T lib_6_6 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T lib_6_6 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// CHECK-DAG: OpDecorate [[N:%[0-9A-Za-z_]+]] SpecId 3
// CHECK-DAG: OpDecorate [[B:%[0-9A-Za-z_]+]] SpecId 4
// CHECK-DAG: [[N]] = OpSpecConstant {{.*}} 5
// CHECK-DAG: [[B]] = OpSpecConstantTrue
// CHECK-DAG: OpVariable {{.*}} PushConstant
// CHECK-DAG: OpVariable {{.*}} ShaderRecordBufferKHR
[[vk::constant_id(3)]] const uint N = 5;
[[vk::constant_id(4)]] const bool B = true;
[[vk::constant_id(5)]] const float F = 1.5;
struct Pushed { [[vk::offset(16)]] float a; [[vk::offset(64)]] float4 b; float c[3]; };
[[vk::push_constant]] Pushed pc;
struct Record { float4 a; uint b[3]; };
[[vk::shader_record_ext]] ConstantBuffer<Record> rec;
struct P { float4 v; };
RWByteAddressBuffer o : register(u0);
float twice(Pushed p) { return p.c[1] * 2 + p.b.y; }
[shader("raygeneration")] void Main()
{
    if (B)
        o.Store(0, N);
    for (uint i = 0; i < N; ++i)
        o.Store(4 * i, asuint(F + pc.c[i] + pc.a));
    o.Store(64, asuint(twice(pc)));
}
[shader("miss")] void Miss(inout P p) { p.v = rec.a * rec.b[p.v.x > 0 ? 1 : 2]; }
