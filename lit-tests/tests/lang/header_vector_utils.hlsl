// The headers that the compiler has inside: <vector_utils>, <type_traits>, <enable_if>; a file in quotes is none of them.
// RUN: %rtc -T ps_6_6 -enable-16bit-types -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_6 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include <vector_utils>
#include <type_traits>
#include <enable_if>

_Static_assert(hlsl::is_same<float, float>::value && !hlsl::is_same<float, int>::value, "same");
_Static_assert(hlsl::is_arithmetic<int64_t>::value && !hlsl::is_arithmetic<bool>::value, "arithmetic");
_Static_assert(hlsl::is_signed<int>::value && !hlsl::is_signed<uint>::value, "signed");
_Static_assert(hlsl::is_vector<float3>::value && !hlsl::is_vector<float>::value, "vector");
_Static_assert(hlsl::is_arithmetic_vector<int2>::value && !hlsl::is_arithmetic_vector<bool2>::value, "arithmetic vector");

template <typename T> typename hlsl::enable_if<hlsl::is_vector<T>::value, float>::type first(T v) { return v[0]; }

float4 main(float4 v : V) : SV_Target
{
    return float4(hlsl::slice<1, 2>(v), hlsl::slice<2>(v)) + first(v);
}
