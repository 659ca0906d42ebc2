// Arrays of arrays cross libraries by themselves: by value, as `out` and `inout`, as results, parts of them, of numbers, vectors, matrices, truth values and
// structures, in up to three dimensions; by the values that the linked shader stores.
// RUN: %rtc -T lib_6_3 -default-linkage external -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %dxil-val %t.a.dxil
// RUN: %rtc -T lib_6_3 -default-linkage external -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %dxil-val %t.b.dxil
// RUN: %rtc link -T cs_6_0 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_6 -default-linkage external -DA -Od -Zi -Qembed_debug %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -default-linkage external -DB -Od -Zi -Qembed_debug %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_9 -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_9 -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_9 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_x -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_x -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// CHECK: {{^\[?}}21,
// CHECK-NEXT: {{^\[?}}40,
// CHECK-NEXT: {{^\[?}}6,
// CHECK-NEXT: {{^\[?}}77,
// CHECK-NEXT: {{^\[?}}35,
// CHECK-NEXT: {{^\[?}}123,
// CHECK-NEXT: {{^\[?}}5,
// CHECK-NEXT: {{^\[?}}17,
// CHECK-NEXT: {{^\[?}}110,
// CHECK-NEXT: {{^\[?}}9,
struct S { uint a; float2 b; };
struct Both { uint n; uint t[2][2]; };
typedef uint Grid[2][3];
uint total(uint t[2][3]);
void twice(inout uint t[2][3], uint k);
void fill(out float3 v[3][2], uint k);
float of_matrices(row_major float2x3 m[2][2], uint k);
uint of_structures(inout S s[2][2], uint k);
uint truths(bool b[2][2], uint k);
Grid grid(uint k);
uint deep(uint t[2][2][2], uint k);
uint plane(uint t[2][2], uint k);
#ifdef A
// What it passes on is a part of a parameter, and of a variable where it is called here.
uint deep(uint t[2][2][2], uint k) { uint all = 0; for (uint i = 0; i < 2; ++i) all += plane(t[i], k) + t[k][1][i]; return all + t[0][1][1] + 0 * k + 6; }
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(60) + 1;
    uint t[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    Out.Store(0, total(t));
    twice(t, k);
    Out.Store(4, total(t));
    float3 v[3][2];
    fill(v, k);
    Out.Store(8, uint(v[2][k].y));
    row_major float2x3 m[2][2];
    for (uint i = 0; i < 4; ++i) m[i >> 1][i & 1] = (float2x3)i;
    m[1][0]._m12 = 75;
    Out.Store(12, uint(of_matrices(m, k)));
    S s[2][2] = (S[2][2])0;
    s[1][1].a = 30;
    s[0][k].b = float2(2, 3);
    Out.Store(16, of_structures(s, k));
    Out.Store(20, uint(s[1][0].b.y) + s[k][1].a);
    bool b[2][2] = { { true, false }, { k == 1, false } };
    Out.Store(24, truths(b, k));
    uint g[2][3] = grid(k);
    Out.Store(28, g[0][2] + g[k][1]);
    uint d[2][2][2];
    for (uint j = 0; j < 8; ++j) d[j >> 2][j >> 1 & 1][j & 1] = j + 10;
    Out.Store(32, deep(d, k));
    Both both = { 7, { { 1, 2 }, { 3, 4 } } };
    Out.Store(36, plane(both.t, k) + 2);
}
#endif
#ifdef B
uint total(uint t[2][3]) { uint all = 0; for (uint i = 0; i < 2; ++i) for (uint j = 0; j < 3; ++j) all += t[i][j]; return all; }
void twice(inout uint t[2][3], uint k) { for (uint i = 0; i < 2; ++i) for (uint j = 0; j < 3; ++j) t[i][j] *= 2; t[k][k] -= 2; }
void fill(out float3 v[3][2], uint k) { for (uint i = 0; i < 3; ++i) { v[i][0] = i; v[i][k] = float3(i, i * 3, k); } }
float of_matrices(row_major float2x3 m[2][2], uint k) { return m[k][0]._m12 + m[1][0]._m00; }
uint of_structures(inout S s[2][2], uint k) { uint all = s[k][k].a + uint(s[0][1].b.x + s[0][k].b.y); s[k][0].b.y = 100; s[1][k].a = 23; return all; }
uint truths(bool b[2][2], uint k) { return (b[0][0] ? 1 : 0) + (b[0][k] ? 2 : 0) + (b[k][0] ? 4 : 0) + (b[1][1] ? 8 : 0); }
Grid grid(uint k) { Grid g; for (uint i = 0; i < 2; ++i) for (uint j = 0; j < 3; ++j) g[i][j] = i * 10 + j * k; g[0][2] = 6; return g; }
uint plane(uint t[2][2], uint k) { return t[1][k] + t[k][0] + t[0][0] - t[0][0]; }
#endif
