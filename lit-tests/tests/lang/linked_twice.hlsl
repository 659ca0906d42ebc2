// A library that is linked of libraries has no calls any more, but constants of vectors and variables with matrices in the code of its shaders: they are
// split when it becomes a shader, also if the code has no vector as a value, and whatever a structure begins with.
// RUN: cp %S/Inputs/linked_twice.toml %T/linked_twice.toml
// RUN: %rtc -T lib_6_6 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T lib_6_6 -validator-version 1.6 %t.b.dxil %t.a.dxil -Fo %t.both.dxil
// RUN: %rtc link -T cs_6_6 -E structures -validator-version 1.6 %t.both.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_twice.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc link -T cs_6_6 -E constants -validator-version 1.6 %t.both.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_twice.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json --check-prefix=CONSTANTS
// RUN: %rtc -T lib_6_3 -Od -Zi -Qembed_debug -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_3 -Od -Zi -Qembed_debug -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T lib_6_3 -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.both.dxil
// RUN: %rtc link -T cs_6_0 -E structures -validator-version 1.6 %t.both.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_twice.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_9 -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_9 -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T lib_6_9 %t.a.dxil %t.b.dxil -Fo %t.both.dxil
// RUN: %rtc link -T cs_6_8 -E structures %t.both.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_twice.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc link -T cs_6_9 -E constants %t.both.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_twice.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json --check-prefix=CONSTANTS
// CHECK: {{^\[?}}5,
// CHECK-NEXT: {{^\[?}}42,
// CHECK-NEXT: {{^\[?}}70,
// CONSTANTS: {{^\[?}}94,
struct S { uint n; float2x3 m; };
S made(uint k);
float2 constant();
RWStructuredBuffer<S> Items : register(u1);
RWByteAddressBuffer Out : register(u0);
#ifdef A
[shader("compute")] [numthreads(1, 1, 1)] void structures()
{
    uint k = Out.Load(60) + 1;
    S s = made(k);
    Out.Store(0, s.n);
    s.m[0][1] = 40;
    s.m[1][0] += 2;
    Items[k] = s;
    Out.Store(4, (uint)(s.m[0][1] + s.m[1][0]));
    S t = Items[0];
    Out.Store(8, (uint)(t.m[1][2] + s.m[1][2] * 10));
}
[shader("compute")] [numthreads(1, 1, 1)] void constants()
{
    uint k = Out.Load(60) + 1;
    float2 c = constant();
    Out.Store(0, (uint)(c.x + 10 * c.y) * k);
}
#else
export S made(uint k)
{
    S s = Items[k];
    s.n += 5;
    s.m[1][2] = s.n + 2;
    return s;
}
export float2 constant() { return float2(4, 9); }
#endif
