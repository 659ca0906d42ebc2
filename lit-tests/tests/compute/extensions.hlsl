// rtc -T cs_6_6 -E main -HV 2021
// What other compilers of HLSL refuse means what it means in C++; `auto` in older versions means what it means in 202x.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -HV 2021 %s -WX -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not %rtc -T cs_6_6 -E main -HV 2021 %s -Werror=hlsl-extension -Fo %t.dxil
// WARN: warning: operators that convert are an extension: other compilers of HLSL refuse them [-Whlsl-extension] [W0312]
// WARN: warning: operators outside of structures are an extension
// WARN: warning: types that the result of a function defines are an extension
// WARN: warning: `auto` is an extension before HLSL 202x
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}9,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct Angle { float degrees; operator float() { return degrees * 2; } };
Angle operator*(float k, Angle a) { a.degrees *= k; return a; }
template<typename T> struct Box { typedef T Value; T value; template<int N> struct Array { T values[N]; }; };
template<typename T> T last(T first) { typename Box<T>::Array<2> a; a.values[0] = first; a.values[1] = first + 1; return a.values[1]; }
struct Pair { int a; int b; } pair(int x) { Pair p = { x, x + 1 }; return p; }

[numthreads(1, 1, 1)] void main()
{
    Angle a; a.degrees = f(3);
    IS((float)a, 6.0f); IS((float)(2.0f * a), 12.0f); IS(pair(i(4)).b, 5);
    auto whole = i(7); auto half_of = whole / 2; auto exact = f(7) / 2; auto vec = float3(f(1), 2, 3);
    IS(half_of, 3); IS(exact, 3.5f); IS(vec.z + vec.x, 4.0f); IS(dot(vec, vec), 14.0f);
    Box<Box<int>> box; box.value.value = i(8); Box<int>::Value number = box.value.value; IS(number, 8); IS(last(i(5)), 6);
    done();
}
