// What is next to mistakes and is none: derivatives in groups of whole quads and in dead code, labels of a switch after variables without initialisers or in
// blocks of their own, names of a `for` in inner blocks.
// RUN: %rtc -T lib_6_8 -WX %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_8 -WX -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E odd -validator-version 1.7 -WX %s -Fo %t.odd.dxil -DODD
// RUN: not %rtc -T cs_6_6 -E odd %s -DODD 2>&1 | FileCheck %s
// RUN: %rtc -T lib_6_8 -HV 2018 -DOLD -WX %s -Fo %t.old.dxil
// CHECK: error: `ddx_fine` needs quads of threads, and the groups of the compute shader `odd` have 3 x 3 x 1 [E0602]
RWByteAddressBuffer B;
#ifdef ODD
[numthreads(3, 3, 1)] void odd() { B.Store(0, ddx_fine(B.Load(4))); }
#endif
[shader("compute")] [numthreads(2, 6, 3)] void even() { B.Store(0, ddx((float)B.Load(4))); }
[shader("compute")] [numthreads(12, 1, 1)] void row() { B.Store(0, ddy((float)B.Load(4))); }
[shader("compute")] [numthreads(3, 1, 1)] void dead() { if (false) B.Store(0, ddy((float)B.Load(4))); B.Store(4, 1); }
int labels(int a)
{
    switch (a)
    {
        int z;
        case 0: int x; x = a; return x;
        case 1: { int y = 3; z = y; return z; }
        case 2: static const int k = 3; return k;
        case 3: for (int i = 0; i < 2; ++i) a += i; return a;
        default: int w = 5; return w;
    }
}
int loops(int a)
{
    for (int i = 0; i < 3; ++i) { { int i = 6; a += i; } a += i; }
#ifdef OLD
    for (int j = 0; j < 3; ++j) { int j = 4; a += j; }
#endif
    return a;
}
[shader("compute")] [numthreads(1, 1, 1)] void both() { B.Store(8, labels(B.Load(12)) + loops(B.Load(16))); }
