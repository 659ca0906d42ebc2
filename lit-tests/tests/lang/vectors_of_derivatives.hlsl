// Shader model 6.9: derivatives of a vector are one operation, and a variable that is a loaded vector keeps its name in debug information.
// RUN: %rtc -T lib_6_9 -no-warnings -Zi -Qembed_debug %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_9 -no-warnings -Zi -Qembed_debug %s -Fc - | FileCheck %s
// RUN: %rtc -T cs_6_9 -E main -no-warnings %s -Fc - | FileCheck %s --check-prefix=CODE
RWByteAddressBuffer b : register(u0);
// CHECK: llvm.dbg.value(metadata <4 x float> {{.*}} var:"loaded"
export float4 load()
{
    float4 loaded = b.Load<float4>(0);
    return loaded;
}
// CODE: @dx.op.unary.v7f32(i32 83,
// CODE-NOT: extractelement
// CODE: @dx.op.unary.v7f32(i32 86,
// CODE-NOT: extractelement
// CODE: @dx.op.rawBufferVectorStore.v7f32
[shader("compute")]
[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    vector<float, 7> x = b.Load<vector<float, 7> >(i * 32);
    b.Store<vector<float, 7> >(1024 + i * 32, ddx(x) + ddy_fine(x));
}
