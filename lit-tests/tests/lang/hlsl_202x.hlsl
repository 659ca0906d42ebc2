// HLSL 202x: unsuffixed literals are `float` and `int`, and `auto` is the type of the initialiser.
// RUN: %rtc -T cs_6_6 -HV 202x -no-warnings %s -emit-ir | FileCheck %s
// RUN: %rtc -T cs_6_6 -HV 202x -no-warnings %s -validator-version 1.6 -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -HV 202x -no-warnings -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -HV 2021 -no-warnings -DOLD %s -emit-ir | FileCheck %s --check-prefix=OLD
// RUN: not %rtc -T cs_6_6 -HV 2021 %s 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: warning: `auto` is an extension before HLSL 202x [-Whlsl-extension] [W0312]
// The double has the float's value.
// CHECK: const f64 5.570000171661377
// OLD: const f64 5.57{{$}}
RWByteAddressBuffer O;
int which(int x) { return 1; }
int which(float x) { return 2; }
int which(uint x) { return 3; }
int which(int64_t x) { return 4; }
int which(double x) { return 5; }
[numthreads(1, 1, 1)] void main()
{
    double d = 5.57;
    O.Store<double>(0, d);
#ifndef OLD
    _Static_assert(sizeof(1l) == 8 && sizeof(1ul) == 8 && sizeof(1u) == 4, "long integers have 64 bits, in 202x");
    auto a = 1.5;
    auto b = 7;
    auto c = O.Load<uint3>(16);
    static const auto k = 3000000000;
    auto h = 0xffffffff;
    // CHECK: const i32 23143
    O.Store(32, which(1.0) * 10000 + which(1) * 100 + which(a) * 1000 + which(b) + which(0xffffffffu) * 14 + which(k) * 250);
    for (auto i = 0; i < 3; ++i) O.Store(40 + 4 * i, c[i] + h);
#endif
}
