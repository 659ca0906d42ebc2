// Parts of payload fields in all their forms, in a stage that may write some of the fields: what it stores into the others is seen nowhere else.
// rtc -T lib_6_7
// scene: Inputs/parts.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=packed
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=packed -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
RaytracingAccelerationStructure Scene : register(t0);
uint thread() { return 0; }
#include "../../ser/Inputs/report.hlsli"
GlobalRootSignature Globals = { "SRV(t0), UAV(u0)" };
RaytracingShaderConfig Sizes = { 256, 8 };
RaytracingPipelineConfig Pipeline = { 1 };
#define MISS [shader("miss")] void

// A number that the compiler does not know.
uint num(uint n) { return n + Report.Load(2044); }
RayDesc ray()
{
    RayDesc r;
    r.Origin = 0; r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 1;
    return r;
}

// Payloads in arrays in payloads.
struct [raypayload] L00 { float2 v : read(caller, miss) : write(caller, miss); uint keep : read(caller) : write(caller); };
struct [raypayload] L10 { L00 l[2]; uint m : read(caller) : write(miss); };
struct [raypayload] P0 { uint first : read(caller) : write(caller); L10 deep; };
MISS Sky0(inout P0 p) { p.first = 9; p.deep.l[1].v.y += 3; p.deep.l[0].keep = 8; p.deep.l[1].keep = 8; p.deep.m = uint(p.deep.l[0].v.x) + 10; }
void test0()
{
    P0 p; p.first = 1; p.deep.l[0].v = float2(1, 2); p.deep.l[1].v = float2(3, 4); p.deep.l[0].keep = 5; p.deep.l[1].keep = 6;
    TraceRay(Scene, 0, 0, 0, 0, 0, ray(), p);
    IS(p.first, 1); IS(p.deep.l[1].v.y, 7); IS(p.deep.l[1].v.x, 3); IS(p.deep.l[0].keep, 5); IS(p.deep.l[1].keep, 6); IS(p.deep.m, 11);
}

// Elements chosen at run time, and copied as wholes.
struct [raypayload] In1 { uint a : read(caller, miss) : write(caller, miss); uint k : read(caller, miss) : write(caller); };
struct [raypayload] P1 { In1 e[3]; uint i : read(miss) : write(caller); };
MISS Sky1(inout P1 p) { uint i = p.i; p.e[i].a += p.e[i].k; p.e[i].k = 100; In1 t = p.e[(i + 1) % 3]; t.a = 50; t.k = 60; p.e[(i + 1) % 3] = t; }
void test1()
{
    P1 p; for (uint i = 0; i < 3; ++i) { p.e[i].a = i; p.e[i].k = 10 * (i + 1); } p.i = num(1);
    TraceRay(Scene, 0, 0, 0, 0, 1, ray(), p);
    IS(p.e[0].a, 0); IS(p.e[1].a, 21); IS(p.e[2].a, 50); IS(p.e[0].k, 10); IS(p.e[1].k, 20); IS(p.e[2].k, 30);
}

// Inherited members and methods.
struct [raypayload] B2 { uint a : read(caller) : write(miss); uint k : read(caller, miss) : write(caller); void set(uint n) { a = n; k = n + 1; } };
struct [raypayload] P2 : B2 { uint c : read(caller, miss) : write(caller, miss); void bump() { c += k; set(c); } };
MISS Sky2(inout P2 p) { p.bump(); }
void test2()
{
    P2 p; p.k = 4; p.c = num(2);
    TraceRay(Scene, 0, 0, 0, 0, 2, ray(), p);
    IS(p.a, 6); IS(p.k, 4); IS(p.c, 6);
}

// Rows, columns and elements of matrices.
struct [raypayload] P3 { row_major float2x3 r : read(caller, miss) : write(caller); column_major float2x3 c : read(caller, miss) : write(caller, miss); float3x3 o : read(caller) : write(miss); };
MISS Sky3(inout P3 p) { p.c[1][2] += p.r[0][1]; p.c._11 = 8; p.r[1][2] = 100; p.r._m00 = 100; p.o = 0; p.o[1] = p.c[1]; p.r = 5; }
void test3()
{
    P3 p; p.r = float2x3(1, 2, 3, 4, 5, 6); p.c = float2x3(1, 2, 3, 4, 5, 6);
    TraceRay(Scene, 0, 0, 0, 0, 3, ray(), p);
    IS(p.r[1][2], 6); IS(p.r[0][0], 1); IS(p.c[1][2], 8); IS(p.c[0][0], 8); IS(p.c[0][1], 2); IS(p.o[1][2], 8); IS(p.o[0][2], 0);
}

// The same chosen at run time, and as `out` arguments.
struct [raypayload] P4 { float3x2 m : read(caller, miss) : write(caller, miss); float3x2 k : read(caller, miss) : write(caller); uint2 at : read(miss) : write(caller); };
void put4(out float x, float v) { x = v; }
MISS Sky4(inout P4 p) { p.m[p.at.x][p.at.y] = 70; p.k[p.at.x] = 71; put4(p.m[p.at.x][1 - p.at.y], 72); put4(p.k[2].y, 5); float2 row = p.m[0]; p.m[0] = row.yx; }
void test4()
{
    P4 p; p.m = float3x2(1, 2, 3, 4, 5, 6); p.k = float3x2(1, 2, 3, 4, 5, 6); p.at = uint2(num(1), num(0));
    TraceRay(Scene, 0, 0, 0, 0, 4, ray(), p);
    IS(p.m[0][0], 2); IS(p.m[0][1], 1); IS(p.m[1][0], 70); IS(p.m[1][1], 72); IS(p.m[2][0], 5); IS(p.k[1][0], 3); IS(p.k[2][1], 6);
}

// Components of elements.
struct E5 { uint2 v; uint w; };
struct [raypayload] P5 { E5 e[2] : read(caller, miss) : write(caller, miss); E5 k[2] : read(caller, miss) : write(caller); uint i : read(miss) : write(caller); };
MISS Sky5(inout P5 p) { p.e[p.i].v[1 - p.i] = 9; p.k[p.i].v.y = 9; p.k[1 - p.i] = p.e[0]; p.e[1 - p.i].w = p.k[p.i].v.y; }
void test5()
{
    P5 p; for (uint i = 0; i < 2; ++i) { p.e[i].v = uint2(1, 2) + i * 10; p.e[i].w = 5; p.k[i].v = uint2(30, 40); p.k[i].w = i; } p.i = num(1);
    TraceRay(Scene, 0, 0, 0, 0, 5, ray(), p);
    IS(p.e[1].v.x, 9); IS(p.e[1].v.y, 12); IS(p.e[0].w, 9); IS(p.e[0].v.y, 2); IS(p.k[1].v.y, 40); IS(p.k[0].v.x, 30); IS(p.k[0].w, 0); IS(p.k[1].w, 1);
}

// Swizzles as `inout` and `out` arguments.
void add6(inout float2 v, float2 by) { v += by; }
void setv6(out float3 v) { v = float3(7, 8, 9); }
struct [raypayload] P6 { float4 v : read(caller, miss) : write(caller, miss); float4 k : read(caller) : write(caller); };
MISS Sky6(inout P6 p) { add6(p.v.wy, float2(10, 20)); setv6(p.v.zxy); setv6(p.k.xyz); p.k.w = 6; }
void test6()
{
    P6 p; p.v = float4(1, 2, 3, 4); p.k = float4(1, 2, 3, 4);
    TraceRay(Scene, 0, 0, 0, 0, 6, ray(), p);
    IS(p.v.x, 8); IS(p.v.y, 9); IS(p.v.z, 7); IS(p.v.w, 14); IS(p.k.x, 1); IS(p.k.w, 4);
}

// Templates.
template<typename T> void put7(inout T x, T v) { x = x + v; }
template<typename T, int N> struct Ring7 { T e[N]; void push(uint i, T v) { e[i % N] = v; } T sum() { T s = (T)0; for (int i = 0; i < N; ++i) s += e[i]; return s; } };
struct [raypayload] P7 { Ring7<uint, 3> r : read(caller, miss) : write(caller, miss); Ring7<float, 2> k : read(caller, miss) : write(caller); float s : read(caller) : write(miss); };
MISS Sky7(inout P7 p) { p.r.push(4, 100); p.k.push(1, 9); put7(p.r.e[0], 5u); put7(p.k.e[0], 2.0f); p.s = p.k.sum(); }
void test7()
{
    P7 p; for (uint i = 0; i < 3; ++i) p.r.e[i] = i + num(1); p.k.e[0] = 1; p.k.e[1] = 2;
    TraceRay(Scene, 0, 0, 0, 0, 7, ray(), p);
    IS(p.r.e[0], 6); IS(p.r.e[1], 100); IS(p.r.e[2], 3); IS(p.k.e[0], 1); IS(p.k.e[1], 2); IS(p.s, 12);
}

// Types of other sizes.
enum class Mode8 : uint { Off, On = 5 };
struct [raypayload] P8 { bool b : read(caller, miss) : write(caller, miss); bool3 bk : read(caller, miss) : write(caller); Mode8 m : read(caller, miss) : write(caller, miss); int64_t w : read(caller, miss) : write(caller, miss); double d : read(caller, miss) : write(caller); min16uint s : read(caller, miss) : write(caller, miss); };
MISS Sky8(inout P8 p) { p.b = !p.b; p.bk = false; p.m = p.m == Mode8::Off ? Mode8::On : Mode8::Off; p.w += 1; p.d = 0; p.s += 2; }
void test8()
{
    P8 p; p.b = num(0) != 0; p.bk = bool3(true, false, true); p.m = Mode8::Off; p.w = 0xffffffffLL; p.d = 1.5; p.s = 3;
    TraceRay(Scene, 0, 0, 0, 0, 8, ray(), p);
    IS(p.b, 1); IS(p.bk.x, 1); IS(p.bk.z, 1); IS(p.m == Mode8::On, 1); IS(uint(p.w >> 32), 1); ISF(p.d, 1.5); IS(p.s, 5);
}

// Rows of arrays, by reference and copied.
struct [raypayload] P9 { uint a[2][3] : read(caller, miss) : write(caller, miss); float2 k[2][2] : read(caller, miss) : write(caller); uint i : read(miss) : write(caller); };
void row9(inout uint r[3]) { r[1] = 9; }
MISS Sky9(inout P9 p) { row9(p.a[p.i]); p.a[1 - p.i][2] = 8; float2 t[2] = p.k[0]; p.k[1] = t; p.k[p.i][1].y = 3; p.a[0][0] = uint(p.k[p.i][0].x); }
void test9()
{
    P9 p; for (uint i = 0; i < 2; ++i) for (uint j = 0; j < 3; ++j) { p.a[i][j] = i * 3 + j; if (j < 2) p.k[i][j] = float2(i, j) + 20; } p.i = num(1);
    TraceRay(Scene, 0, 0, 0, 0, 9, ray(), p);
    IS(p.a[1][1], 9); IS(p.a[1][0], 3); IS(p.a[0][2], 8); IS(p.a[0][0], 20); IS(p.k[1][1].y, 21); IS(p.k[1][0].x, 21);
}

// Whole payloads that a function makes.
struct [raypayload] P10 { uint a : read(caller) : write(miss); uint2 b : read(caller) : write(caller); uint c[3] : read(caller, miss) : write(caller); };
P10 make10(uint n) { P10 p; p.a = n; p.b = n; p.c[0] = p.c[1] = p.c[2] = n; return p; }
MISS Sky10(inout P10 p) { uint c = p.c[1]; p = make10(50); p.a += c; }
void test10()
{
    P10 p = make10(num(3));
    TraceRay(Scene, 0, 0, 0, 0, 10, ray(), p);
    IS(p.a, 53); IS(p.b.y, 3); IS(p.c[2], 3); p = (P10)0;
    TraceRay(Scene, 0, 0, 0, 0, 10, ray(), p);
    IS(p.a, 50); IS(p.b.x, 0);
}

[shader("raygeneration")] void Main()
{
    test0();
    test1();
    test2();
    test3();
    test4();
    test5();
    test6();
    test7();
    test8();
    test9();
    test10();
    done(67);
}
