// `__has_feature` and its like are 1 or 0 in the text too, as they are in directives.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=SPIRV < %t.txt
// RUN: %rtc -T cs_6_6 -E main -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -P %s -Fi %t.i
// RUN: FileCheck %s --check-prefix=TEXT < %t.i
// TEXT: static const uint Pointers = 0
// TEXT-NOT: __has
// SPIRV: OpConstant {{%[0-9A-Za-z_]+}} 11010100
RWStructuredBuffer<uint> Out : register(u1);
#define HAS(f) __has_feature(f)
#define ASK __has_feature
#define ID(x) x
static const uint Pointers = HAS(hlsl_vk_buffer_pointer), Other = ID(__has_extension(c_atomic));
[numthreads(1, 1, 1)] void main()
{
    uint n = 0;
    if (__has_feature(hlsl_vk_buffer_pointer)) n += 10000000 * ASK(hlsl_vk_buffer_pointer);
    n += 1000000 * __has_attribute(unroll) + 100000 * __has_attribute(nothing) + 10000 * __has_include(__FILE__) + 1000 * __has_include("none.h");
    n += 100 * __has_cpp_attribute(branch) + 10 * Other + __has_feature(modules) + __has_builtin(__builtin_trap);
    Out[0] = n;
}
