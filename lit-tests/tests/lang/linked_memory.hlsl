// Arrays of structures of arrays, matrices, vectors and truth values in the variables of libraries: copied whole, by parts and by elements that are chosen
// at run time, as parameters and as static variables with and without initial values. What is linked writes what the whole writes.
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc -T cs_6_6 -E main -Od -DA -DB %s -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T/whole
// RUN: FileCheck %s --input-file %T/whole/out.json
// RUN: %rtc -T lib_6_6 -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: cmp %T/out.json %T/whole/out.json
// RUN: %rtc link -T cs_6_9 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: cmp %T/out.json %T/whole/out.json
// RUN: %rtc link -T lib_6_6 %t.a.dxil %t.b.dxil -Fo %t.both.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.both.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: cmp %T/out.json %T/whole/out.json
// RUN: %rtc -T lib_6_6 -Od -Zi -Qembed_debug -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -Od -Zi -Qembed_debug -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: cmp %T/out.json %T/whole/out.json
// RUN: %rtc -T lib_6_x -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_x -Od -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.b.dxil %t.a.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: cmp %T/out.json %T/whole/out.json
// CHECK: {{^\[?}}4,
// CHECK: {{^\[?}}90604,
struct Leaf { uint2 v; bool b; uint a[3]; };
struct Node { Leaf one; Leaf many[2]; uint2x2 m; };
RWByteAddressBuffer Out : register(u0);
uint sum(Node n, uint at);
void swap(inout Node a[2], uint i, out Leaf old);
Node made(uint x, uint at);
uint counted(uint by);
Leaf last();
struct Grid { Leaf l[2][3]; };
uint walk(inout Grid g, uint i, uint j);
static uint of(Leaf l) { return l.v.x + 10 * l.v.y + (l.b ? 100 : 0) + 1000 * (l.a[0] + 2 * l.a[1] + 3 * l.a[2]); }
#ifdef A
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(60) + 1;
    Node a[2] = { made(1, k), made(2, k - 1) };
    Out.Store(0, a[0].one.v.x + a[1].many[k].v.y);
    Leaf old;
    swap(a, k, old);
    Out.Store(4, of(old) % 977 + a[k].m[1][k] + a[0].many[k - 1].a[k + 1]);
    Out.Store(8, sum(a[k - 1], k) + 3 * sum(a[k], k + 1));
    Out.Store(12, counted(k) + counted(2) * 100 + counted(3) * 10000);
    Out.Store(16, of(last()));
    Grid g;
    for (uint i = 0; i < 2; i++)
        for (uint j = 0; j < 3; j++) { g.l[i][j] = a[i].many[j & 1]; g.l[i][j].v += uint2(i, j) * k; }
    Out.Store(20, walk(g, k, k + 1) + walk(g, 0, k) * 7);
    Out.Store(24, of(g.l[k][2]) + of(g.l[k - 1][k]));
    Node copy = a[k];
    copy.many[k - 1] = copy.one;
    copy.m[k] = uint2(5, 6);
    copy.many[1].b = !copy.many[0].b;
    Out.Store(28, sum(copy, k) + sum(a[k], k));
    Node none = (Node)0;
    none.many[k].a[k] = 4;
    a[k - 1] = none;
    Out.Store(32, sum(a[0], 0) + sum(a[1], 1));
}
#endif
#ifdef B
static uint total = 3;
static const uint weights[2][3] = { { 1, 2, 3 }, { 10, 20, 30 } };
static Leaf kept = { uint2(8, 9), true, { 1, 2, 3 } };
static Leaf history[2];
export uint sum(Node n, uint at)
{
    uint s = of(n.one) + n.m[at & 1][1] * 5;
    for (uint i = 0; i < 2; i++) s += of(n.many[i]) * weights[i][at] + n.many[i].a[at] * weights[1][i];
    return s;
}
export void swap(inout Node a[2], uint i, out Leaf old)
{
    Node n = a[i];
    old = n.many[1];
    a[i] = a[1 - i];
    a[1 - i] = n;
    a[i].one = old;
    a[1 - i].m = transpose(n.m);
    kept = old;
    history[i] = n.one;
}
export Node made(uint x, uint at)
{
    Node n;
    n.one.v = uint2(x, x + 1); n.one.b = x > 1;
    for (uint i = 0; i < 3; i++) n.one.a[i] = i * x;
    n.many[0] = n.one;
    n.many[1] = n.one;
    n.many[at].v = uint2(x * 10, x * 5);
    n.many[at].a[at] = 77;
    n.m = uint2x2(x, 2, 3, x * 4);
    return n;
}
export uint counted(uint by) { total += by; return total; }
export Leaf last() { Leaf l = kept; l.a[1] += history[1].a[2]; return l; }
export uint walk(inout Grid g, uint i, uint j)
{
    Leaf t = g.l[i][j];
    g.l[i][j] = g.l[1 - i][j - 1];
    g.l[1 - i][j - 1] = t;
    g.l[i][2 - j].a[j] += t.v.y;
    uint s = 0;
    for (uint n = 0; n < 6; n++) s = s * 3 + g.l[n / 3][n % 3].v.x + g.l[n / 3][n % 3].a[n / 2];
    return s;
}
#endif
