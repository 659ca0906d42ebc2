// rtc -T cs_6_6 -E main -HV 2021 -enable-16bit-types
// A parameter that is both constant and `inout` gives back what it was given; enumerators of `uint` may be negative.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}9,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct Large { int a[4]; int last() { return a[3]; } };
enum Id : uint { First, Second, None = -1 };
enum Short : int16_t { Least = -32768, Most = 32767 };
enum class Wide : uint64_t { None = -1 };

int sum(const inout Large l) { int s = 0; for (int k = 0; k < 4; ++k) s += l.a[k]; return s + l.last(); }
int part(const inout int a, inout int b) { b += a; return a; }
float half_of(const inout float x) { return x / 2; }
bool is_none(Id id) { return id == None; }

[numthreads(1, 1, 1)] void main()
{
    Large l = { 1, 2, 3, i(4) };
    IS(sum(l), 14); IS(l.a[3], 4);
    int n = i(3);
    IS(part(l.a[i(1)], n), 2); IS(n, 5); IS(l.a[1], 2);
    IS(half_of(n), 2.5f); IS(n, 5);
    IS((uint)None, 0xffffffffu);
    IS(is_none((Id)i(10)) && !is_none(Second) && (uint)((uint64_t)Wide::None >> 32) == 0xffffffff ? 1u : 0u, 1u);
    done();
}
