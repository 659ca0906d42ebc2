// The header that chooses instructions of SPIR-V by component types is executed: arithmetic and conversions of scalars and vectors.
// RUN: %rtc-run %S/Inputs/opcode_selector.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include <vk/opcode_selector.h>
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<int> Out : register(u1);

template <typename T> T combine(T a, T b)
{
    using Op = vk::util::ArithmeticSelector<T>;
    return Op::Sub(Op::Add(Op::Mul(a, b), Op::Div(a, b)), Op::Negate(b));
}

// CHECK: 26
// CHECK: 26
// CHECK: 52
// CHECK: -20
// CHECK: 26
// CHECK: -7
// CHECK: 7
// CHECK: 2
// CHECK: 14
// CHECK: 17
// CHECK: 1
[numthreads(1, 1, 1)]
void main()
{
    uint a = In[0], b = In[1];
    Out[0] = combine<uint>(a, b);
    Out[1] = combine<int>(int(a), int(b));
    Out[2] = int(2 * combine<float>(a, b));
    Out[3] = combine<int>(-int(a), int(b));
    Out[4] = int(combine<uint64_t>(a, b));
    Out[5] = vk::util::ConversionSelector<uint, int>::Convert<int>(0u - a);
    Out[6] = vk::util::ConversionSelector<float, uint>::Convert<uint>(float(a) + 0.5);
    Out[7] = int(vk::util::ConversionSelector<int, float>::Convert<float>(int(a)) / 3.0);
    float2 v = vk::util::ConversionSelector<uint, float>::Convert<float2>(uint2(a, 2 * a));
    Out[8] = int(v.y);
    // The components of a vector are divided with their signs.
    int2 w = vk::util::ArithmeticSelector<int>::Div(int2(-51, 10), int2(-3, 3));
    Out[9] = w.x;
    Out[10] = int(vk::util::ConversionSelector<uint64_t, uint>::Convert<uint>((uint64_t(1) << 32) + 1));
}
