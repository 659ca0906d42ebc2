// Arguments are copied in before a call and out after it, in order.
// reference: no (its SPIR-V passes pointers, so that parameters alias)
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

static int G = 4;
static int Arr[4] = { 1, 2, 3, 4 };
struct S { int a; int b[2]; };
static S Rec = { 1, { 2, 3 } };
void two(inout int x, inout int y) { x += 1; y *= 10; x += 100; }
void outs(out int x, out int y) { x = 5; y = 7; }
void global(inout int x) { x += 1; G += 10; x += 1; }
void array(inout int a[4]) { Arr[0] = 50; a[1] += a[0]; Arr[1] = 60; }
void rec(inout S s, int copy) { Rec.a = 9; s.b[1] += s.a + copy; Rec.b[0] = 8; }
int element(inout int e) { G = 2; e += 5; return e; }
void swap(inout int x, inout int y) { int t = x; x = y; y = t; }
void vec(inout int2 v, inout int s) { v += 1; s += 10; v.x += s; }
void in_only(int x[4], out int r) { x[0] = 100; r = x[0] + x[1]; }
void deep(inout int x) { two(x, x); global(x); }
[shader("raygeneration")]
void Main()
{
    int n = inS(0), m = n;
    two(m, m);
    expect(m, n * 10);
    outs(m, m);
    expect(m, 7);
    global(G);
    expect(G, 6);
    array(Arr);
    expect(Arr[0], 1); expect(Arr[1], 3); expect(Arr[3], 4);
    rec(Rec, 100);
    expect(Rec.a, 1); expect(Rec.b[0], 2); expect(Rec.b[1], 104);
    G = 1;
    int r = element(Arr[G]);
    expect(r, 8); expect(Arr[1], 8); expect(Arr[2], 3); expect(G, 2);
    int a[2] = { 3, 4 };
    swap(a[0], a[0]);
    expect(a[0], 3);
    swap(a[0], a[1]);
    expect(a[0], 4); expect(a[1], 3);
    int2 v = int2(1, 2);
    vec(v, v.x);
    expect(v.x, 11); expect(v.y, 3);
    int q;
    in_only(Arr, q);
    expect(q, 108); expect(Arr[0], 1);
    int d = 1;
    G = 0;
    deep(d);
    expect(d, 12); expect(G, 10);
    int i = 0;
    element(Arr[i++]);
    expect(i, 1); expect(Arr[0], 6);
}
