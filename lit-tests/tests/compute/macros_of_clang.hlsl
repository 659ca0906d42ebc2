// rtc -T cs_6_6 -E main -HV 2021
// Macros that the reference compiler has of the Clang that it is made of.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}7,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

#if defined(__clang__) && __clang_major__ == 3 && __clang_minor__ == 7 && defined(__llvm__) && __GNUC__ >= 4 && defined(__VERSION__)
#define COMPILER 1
#else
#define COMPILER 3
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(__SIZEOF_INT__) && !defined(__cplusplus) && __is_identifier(clang) && !__has_declspec_attribute(align)
#define ORDER 1
#else
#define ORDER 2
#endif
[numthreads(1, 1, 1)] void main()
{
    IS((uint)COMPILER * i(1), 1u); IS((uint)ORDER * i(1), 1u);
    IS(__FLT_MAX__ * f(1), 3.40282347e+38f); IS(asuint(__FLT_EPSILON__), 0x34000000u); IS((uint)(__DBL_MAX__ > 1e300L), 1u);
    IS((uint)__FLT_MANT_DIG__, 24u); IS((int)__FLT_MIN_EXP__, -125);
    done();
}
