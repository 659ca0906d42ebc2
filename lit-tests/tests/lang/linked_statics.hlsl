// Static variables in functions of another library: initial values, and what a function calls in its own library shares them.
// RUN: %rtc -T lib_6_3 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %dxil-val %t.a.dxil
// RUN: %rtc -T lib_6_3 -DB -WX -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %dxil-val %t.b.dxil
// RUN: %rtc link -T cs_6_0 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_9 -DA -Od -Zi -Qembed_debug %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_9 -DB -Od -Zi -Qembed_debug -WX %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_9 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// CHECK: 25
// CHECK: 9
// CHECK: 703
// CHECK: 11
// CHECK: 17
uint scaled(uint x);
uint picked(uint n);
uint counted(uint x);
uint twice(uint x);
uint own(uint x);
#ifdef A
RWByteAddressBuffer Out : register(u0);
static uint Base = 4;
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(60) + 1;
    Base += k;
    Out.Store(0, scaled(k * 10));
    Out.Store(4, picked(k));
    Out.Store(8, counted(k * 7));
    Out.Store(12, twice(k * 4));
    Out.Store(16, own(k));
}
export uint own(uint x) { return Base * 3 + x * 2; }
#else
static float Factor = 2.5;
static uint4 Table[2] = { uint4(1, 2, 3, 4), uint4(9, 8, 7, 6) };
static uint Count = 3;
export uint scaled(uint x) { return (uint)(x * Factor); }
export uint picked(uint n) { return Table[n].x; }
void add(uint x) { Count += x * 100; }
export uint counted(uint x) { add(x); return Count; }
export uint start(uint x) { Count = x; return Count; }
uint more() { return Count + 1; }
export uint now() { return more() + Count; }
export uint twice(uint x) { Count = x; start(x + 1); return now(); }
#endif
