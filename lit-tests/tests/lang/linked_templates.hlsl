// With external linkage by default, libraries keep instances of templates and inline functions to themselves: each library that uses one has it, and both link.
// A specialisation is a function as any other.
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc -T lib_6_6 -default-linkage external -HV 2021 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -default-linkage external -HV 2021 -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc dis %t.b.dxil | FileCheck %s --check-prefix=LIB
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// LIB-NOT: define {{.*}}twice@I
// LIB-NOT: define {{.*}}halved
// LIB: define {{.*}}?made@
// LIB-NOT: define {{.*}}twice@I
// LIB: define {{.*}}twice@M
// LIB-NOT: define
// CHECK: {{^\[?}}25,
template<typename T> T twice(T x) { return x + x; }
inline uint halved(uint x) { return x / 2; }
struct Item { uint v; uint doubled() { return twice(v); } };
uint made(uint x);
#ifdef A
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(60) + 1;
    Item i;
    i.v = k + halved(4);
    Out.Store(0, i.doubled() + made(k));
}
#else
template<> float twice<float>(float x) { return x * 7; }
uint made(uint x)
{
    Item j;
    j.v = twice(x) + halved(8);
    return j.doubled() + (uint)twice((float)x);
}
#endif
