// Callers in another library give constant indices: an element of an array without bound has a constant address where functions are inlined, and what lies outside
// of any other array is no memory, as it is in one source: the result is valid, and what is inside is as always.
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc -T lib_6_6 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T lib_6_6 -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.both.dxil
// RUN: %dxil-val %t.both.dxil
// RUN: %rtc dis %t.both.dxil | FileCheck %s --check-prefix=LIB
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.both.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_x -Od -Zi -Qembed_debug -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_x -Od -Zi -Qembed_debug -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T lib_6_3 -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.both.dxil
// RUN: %dxil-val %t.both.dxil
// RUN: %rtc link -T cs_6_0 -E main -validator-version 1.6 %t.both.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_9 -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_9 -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_9 -E main %t.b.dxil %t.a.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// LIB: load %dx.types.Handle, %dx.types.Handle* getelementptr inbounds ([0 x %dx.types.Handle], [0 x %dx.types.Handle]* @{{.*}}, i32 0, i32 2)
// CHECK: {{^\[?}}3,
// CHECK-NEXT: {{^\[?}}20,
// CHECK-NEXT: {{^\[?}}5,
// CHECK-NEXT: {{^\[?}}9,
// CHECK-NEXT: {{^\[?}}0,
uint table(uint k);
uint kept(uint k);
void share(uint k, uint v);
uint shared_one(uint k);
uint of(uint a[3], uint k);
uint one(uint k);
uint exchanged(uint k);
#ifdef A
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(60) + 1;
    uint a[3] = { 1, 2, k + 8 };
    Out.Store(0, table(2));
    Out.Store(4, kept(k));
    share(1, 5);
    Out.Store(8, shared_one(k));
    Out.Store(12, of(a, 2));
    Out.Store(16, 0);
    if (k == 7)
    {
        share(11, 6);
        Out.Store(16, table(9) + kept(8) + shared_one(6) + of(a, 5) + one(2) + exchanged(4));
    }
}
#else
static const uint Table[4] = { 1, 2, 3, 4 };
static uint Kept[3] = { 10, 20, 30 };
groupshared uint Shared[4];
RWByteAddressBuffer Many[] : register(u0, space1);
export uint table(uint k) { return Table[k]; }
export uint kept(uint k) { return Kept[k]; }
export void share(uint k, uint v) { Shared[k] = v; }
export uint shared_one(uint k) { return Shared[k]; }
export uint of(uint a[3], uint k) { return a[k]; }
export uint one(uint k) { return Many[k].Load(0); }
export uint exchanged(uint k) { uint old; InterlockedAdd(Shared[k], 3, old); InterlockedCompareExchange(Shared[k], 1, 2, old); return old; }
#endif
