// Static variables that functions of other libraries change keep their values from call to call, in one invocation of a shader.
// RUN: %rtc -T lib_6_3 -DA -validator-version 1.6 -enable-16bit-types %s -Fo %t.a.dxil
// RUN: %dxil-val %t.a.dxil
// RUN: %rtc -T lib_6_3 -DB -WX -validator-version 1.6 -enable-16bit-types %s -Fo %t.b.dxil
// RUN: %dxil-val %t.b.dxil
// RUN: %rtc dis %t.b.dxil | FileCheck %s --check-prefix=MEMORY
// RUN: %rtc link -T cs_6_2 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc dis %T/linked.dxil | FileCheck %s --check-prefix=SHADER
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// In two steps.
// RUN: %rtc link -T lib_6_3 -validator-version 1.6 %t.a.dxil -Fo %t.a2.dxil
// RUN: %rtc link -T lib_6_3 -validator-version 1.6 %t.a2.dxil %t.b.dxil -Fo %t.both.dxil
// RUN: %dxil-val %t.both.dxil
// RUN: %rtc link -T cs_6_2 -E main -validator-version 1.6 %t.both.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_9 -DA -Od -Zi -Qembed_debug -enable-16bit-types %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_9 -DB -WX -Od -Zi -Qembed_debug -enable-16bit-types %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_9 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// MEMORY: internal {{.*}}global i32 3
// SHADER-NOT: global
// CHECK: {{^\[?}}4,
// CHECK-NEXT: {{^\[?}}5,
// CHECK-NEXT: {{^\[?}}17,
// CHECK-NEXT: {{^\[?}}25,
// CHECK-NEXT: {{^\[?}}33,
// CHECK-NEXT: {{^\[?}}9,
// CHECK-NEXT: {{^\[?}}10,
// CHECK-NEXT: {{^\[?}}77,
// CHECK-NEXT: {{^\[?}}21,
// CHECK-NEXT: {{^\[?}}21,
// CHECK-NEXT: {{^\[?}}8,
// CHECK-NEXT: {{^\[?}}107,
// CHECK-NEXT: {{^\[?}}6,
// CHECK-NEXT: {{^\[?}}9,
uint count();
uint filled(uint at, uint x);
uint turned(uint x);
uint fields(uint x);
uint late();
uint back(uint x);
uint mine();
uint halves(uint x);
#ifdef A
RWByteAddressBuffer Out : register(u0);
static uint Mine = 20;
// The same name as a variable of the other library.
static uint Count = 100;
export uint step(uint x) { Mine += x; return Mine; }
export uint mine() { return ++Count + 6; }
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(60) + 1;
    Out.Store(0, count());
    Out.Store(4, count());
    filled(k, 5);
    Out.Store(8, filled(k + 1, 7));
    turned(k * 10);
    Out.Store(12, turned(k * 5));
    fields(k * 3);
    Out.Store(16, fields(k));
    Out.Store(20, late());
    Out.Store(24, late());
    // A value that the other library changes while this shader runs.
    Out.Store(28, 56 + back(k));
    Out.Store(32, Mine);
    Out.Store(36, Mine + step(k) - Mine);
    if (k == 1)
        Out.Store(40, count() + 2);
    Out.Store(44, mine());
    halves(k * 4);
    Out.Store(48, halves(0));
    uint last = 0;
    for (uint i = 0; i < k * 2; i++)
        last = count();
    Out.Store(52, last + 1);
}
#else
struct Bits { uint low : 3; uint high : 29; bool on; };
uint step(uint x);
RWByteAddressBuffer Out : register(u0);
static uint Count = 3;
static uint4 Table[2][2] = { { uint4(0, 0, 0, 0), uint4(1, 1, 1, 1) }, { uint4(2, 2, 2, 2), uint4(3, 3, 3, 3) } };
static row_major float2x3 Turned = { 1, 2, 3, 4, 5, 6 };
static Bits Fields = { 2, 30, false };
static uint Late = Out.Load(60) + 8;
static float16_t2 Half = { 1.5, 0.5 };
static double Wide = 2;
export uint count() { return ++Count; }
export uint filled(uint at, uint x) { Table[at & 1][at >> 1].y += x; return Table[1][0].y + Table[0][1].y - 3 + x - at; }
export uint turned(uint x) { Turned[1][x & 1] += x; Wide += 1; return (uint)(Turned[1].x + Turned[1].y + Wide - 3); }
export uint fields(uint x) { if (Fields.on) return Fields.low + Fields.high; Fields.low = x; Fields.on = true; return 0; }
export uint late() { return ++Late; }
export uint back(uint x) { uint y = step(x); return y; }
export uint halves(uint x) { Half.x += (float16_t)x; return (uint)(Half.x + Half.y); }
#endif
