// What bounds a loop inside comes of a table or a `switch` by the variable of the outer one: no loop is left.
// RUN: %rtc -T cs_6_0 -validator-version 1.6 -WX %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_0 -spirv -WX %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s --check-prefix=SPV
// CHECK-NOT: phi
// CHECK-COUNT-20: call %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(
// CHECK-NOT: call %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(
// SPV-NOT: OpLoopMerge
static const int Counts[3] = { 2, 3, 1 };
static const int Rows[2][2] = { { 1, 2 }, { 2, 1 } };
RWStructuredBuffer<float> o;
StructuredBuffer<float> from;
[numthreads(1, 1, 1)] void main()
{
    float s = 0;
    [unroll] for (int a = 0; a < 3; ++a)
        [unroll] for (int b = 0; b < Counts[a]; ++b) s += from[a * 8 + b];
    [unroll] for (int c = 0; c < 3; ++c)
    {
        int n;
        switch (c) { case 0: n = 2; break; case 1: n = 1; break; default: n = 3; }
        [unroll] for (int d = 0; d < n; ++d) s += from[100 + c * 8 + d];
    }
    [unroll] for (int x = 0; x < 2; ++x)
        [unroll] for (int y = 0; y < 2; ++y)
            [unroll] for (int z = 0; z < Rows[x][y]; ++z) s += from[200 + x * 16 + y * 8 + z];
    [unroll] for (int p = 0; p < 2; ++p)
    {
        int m = p == 0 ? Counts[2] : Counts[p] - 2;
        [unroll] for (int q = 0; q < m; ++q) s += from[300 + p * 8 + q];
    }
    o[0] = s;
}
