// An access to a field is an access however the field is reached: as an argument of its own, an element or a component that is chosen at run time, one of
// several bit-fields, through methods, templates and copies. All layouts and the inferred qualifiers give the values that the declared layout gives.
// rtc -T lib_6_6
// scene: ../run/dxr/Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -I %S/Inputs
// RUN: %rtc-run %s -o %T -- -no-warnings -I %S/Inputs -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -I %S/Inputs -payload-layout=whole
// RUN: %rtc-run %s -o %T -- -no-warnings -I %S/Inputs -payload-layout=whole -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -I %S/Inputs
// RUN: cp %S/Inputs/accesses.hlsli %T/accesses.hlsli
// RUN: %rtc paq -T lib_6_6 -fix -I %T %s | FileCheck %s
// RUN: %rtc-run %s -o %T -- -WX -enable-payload-qualifiers -I %T -payload-layout=packed
// RUN: %rtc-run %s -o %T -- -no-warnings -enable-payload-qualifiers -I %T -payload-layout=packed -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -enable-payload-qualifiers -I %T
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -enable-payload-qualifiers -I %T
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -enable-payload-qualifiers -I %T -Od
// CHECK-DAG: uint seed {{ *}}: read(caller, closesthit, miss) : write(caller, closesthit, miss);
// CHECK-DAG: uint4 a {{ *}}: read(caller, closesthit) : write(caller, closesthit);
// CHECK-DAG: uint[4] b {{ *}}: read(caller, closesthit) : write(caller, closesthit);
// CHECK-DAG: uint2[2] c {{ *}}: read(caller, closesthit) : write(caller, closesthit);
// CHECK-DAG: uint3 v {{ *}}: read(caller, closesthit) : write(caller, closesthit);
// CHECK-DAG: uint f {{ *}}: read(caller, closesthit) : write(caller, closesthit);
// CHECK-DAG: uint g {{ *}}: read(caller, closesthit) : write(caller, closesthit);
// CHECK-DAG: Inner inner {{ *}}: read(caller, closesthit) : write(caller, closesthit);
// CHECK-DAG: uint result {{ *}}: read(caller) : write(closesthit, miss);
#define PAYLOAD_BYTES 128
#include "../run/dxr/Inputs/dxr.hlsli"
#include "accesses.hlsli"

uint next(inout uint s) { s = s * 1664525u + 1013904223u; return s >> 8; }
void put(out uint to, uint x) { to = x; }
template<typename T> void add(inout T x, T y) { x = x + y; }
void all(inout uint x[3]) { x[1] += 1; x[2] = 5; }

[shader("closesthit")] void Closest(inout Payload p, in Triangle t)
{
    p.result = next(p.seed);
    next(p.a.y);
    put(p.b[1], 5);
    next(p.b[number(2)]);
    p.c[number(1)][number(0)] = 9;
    p.m[1][number(1)] = 3;
    p.v[number(1)] = 77;
    p.g = 7;
    add(p.h[0], 3u);
    p.inner.grow(4);
    Payload q = p;
    all(q.moved);
    p.moved = q.moved;
    p.chosen = number(3) == 3 ? next(p.chosen) : p.chosen;
}
[shader("miss")] void Miss(inout Payload p) { put(p.result, next(p.seed)); }
TriangleHitGroup Group = { "", "Closest" };

uint step(uint s) { return s * 1664525u + 1013904223u; }

[shader("raygeneration")] void Main()
{
    uint n = thread();
    Payload p;
    p.seed = n; p.a = uint4(1, 2, 3, 4) + n; p.v = uint3(10, 20, 30) + n; p.f = n; p.g = n + 100;
    for (uint i = 0; i < 4; ++i) p.b[i] = n + i;
    p.c[0] = uint2(1, 2); p.c[1] = uint2(3, 4);
    p.m = float2x2(1, 2, 3, 4);
    p.h[0] = n; p.h[1] = 8;
    p.inner.x = n; p.inner.y = 6;
    p.moved[0] = n; p.moved[1] = 2; p.moved[2] = 3;
    p.chosen = n;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.result, step(n) >> 8); IS(p.seed, step(n));
    IS(p.a.x, 1 + n); IS(p.a.y, step(2 + n)); IS(p.a.w, 4 + n);
    IS(p.b[0], n); IS(p.b[1], 5); IS(p.b[2], step(n + 2)); IS(p.b[3], n + 3);
    IS(p.c[0].x, 1); IS(p.c[0].y, 2); IS(p.c[1].x, 9); IS(p.c[1].y, 4);
    IS(p.m[0][0], 1); IS(p.m[0][1], 2); IS(p.m[1][0], 3); IS(p.m[1][1], 3);
    IS(p.v.x, 10 + n); IS(p.v.y, 77); IS(p.v.z, 30 + n);
    IS(p.f, n); IS(p.g, 7);
    IS(p.h[0], n + 3); IS(p.h[1], 8);
    IS(p.inner.x, n + 4); IS(p.inner.y, 6);
    IS(p.moved[0], n); IS(p.moved[1], 3); IS(p.moved[2], 5);
    IS(p.chosen, step(n) >> 8);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), p);
    IS(p.result, step(step(n)) >> 8); IS(p.seed, step(step(n)));
    done(32);
}
