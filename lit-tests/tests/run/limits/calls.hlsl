// What Direct3D leaves undefined or ends with a lost device when shaders call shaders: the CPU device reports the error, its location and the shader.
// rtc -T lib_6_3
// scene: ../dxr/Inputs/yard.toml
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -D DEEP 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -Od -Zi -Qembed_debug -D DEEP 2>&1 | FileCheck %s --check-prefix=DEEP --check-prefix=LINE
// DEEP: `Closest`, thread ({{.*}}): a ray is traced at recursion depth 1, the maximum that the pipeline declares
// LINE: in TraceRay at {{.*}}calls.hlsl:{{[0-9]+}}:
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -D STACK 2>&1 | FileCheck %s --check-prefix=STACK
// RUN: not %rtc-run-cpu %s -o %T --stack 512 -- -no-warnings -Od -D STACK 2>&1 | FileCheck %s --check-prefix=STACK
// STACK: `Call0` needs more stack than the {{16777216|524288}} bytes that are configured (--stack), at recursion depth 0
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -D SIZE 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: `Main`, thread ({{.*}}): `Call1` declares a parameter of 36 bytes but is called with one of 4
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -D BEYOND 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: `Main`, thread (3, 0, 0): index 7 is out of range of the callable table, which has 3 records
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -D BEYOND_MISS 2>&1 | FileCheck %s --check-prefix=BEYOND_MISS
// BEYOND_MISS: `Main`, thread ({{.*}}): index 65535 is out of range of the miss table, which has
#include "../dxr/Inputs/dxr.hlsli"

struct Parameter { uint depth; uint words[600]; };
struct Large { uint words[9]; };
struct Small { uint word; };
[shader("callable")] void Call0(inout Parameter c)
{
    uint keep[300];
    for (uint i = 0; i < 300; ++i) keep[i] = c.words[i] + c.depth;
    ++c.depth;
    CallShader(0, c);
    for (uint j = 0; j < 300; ++j) c.words[j] += keep[(j + c.depth) % 300];
}
[shader("callable")] void Call1(inout Large c) { c.words[8] = 5; }
[shader("callable")] void Call2(inout Small c) { }
struct Payload { uint word; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p); }
[shader("miss")] void Miss(inout Payload p) { }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { thread() };
    Small small = { 0 };
#if defined(DEEP)
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
#elif defined(STACK)
    Parameter c;
    c.depth = 0;
    for (uint i = 0; i < 600; ++i) c.words[i] = thread();
    CallShader(0, c);
    small.word = c.words[3];
#elif defined(SIZE)
    CallShader(1, small);
#elif defined(BEYOND)
    CallShader(thread() == 3 ? 7 : 2, small);
#else
    TraceRay(Scene, 0, 0, 0, 0, 0xffff, to(0), p);
#endif
    IS(p.word + small.word, 77);
    done(1);
}
