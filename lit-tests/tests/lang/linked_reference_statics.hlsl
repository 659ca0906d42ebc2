// Static variables of a library that the reference compiler made: memory with initial values, and a function that sets up the rest.
// RUN: %dxc -T lib_6_3 -DB %s -Fo %t.b.dxil
// RUN: %rtc -T lib_6_3 -DA %s -Fo %t.a.dxil
// RUN: %rtc link -validator-version 1.6 -T cs_6_3 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// A library keeps them, with the list of what sets them up.
// RUN: %rtc link -validator-version 1.6 -T lib_6_3 %t.a.dxil %t.b.dxil -Fo %t.both.dxil
// RUN: %rtc dis %t.both.dxil | FileCheck %s --check-prefix=LIST
// RUN: %rtc link -validator-version 1.6 -T cs_6_3 -E main %t.both.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// LIST: @llvm.global_ctors = appending global [1 x
// CHECK: {{^\[?}}463,
// CHECK-NEXT: {{^\[?}}1375,
// CHECK-NEXT: {{^\[?}}8,
// CHECK-NEXT: {{^\[?}}9,
uint next(uint i);
uint late();
RWByteAddressBuffer Out : register(u0);
#ifdef A
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    Out.Store(0, next(1));
    Out.Store(4, next(1));
    Out.Store(8, late());
    Out.Store(12, late());
}
#else
static uint State = 1;
static float4 V[2] = { float4(1, 2, 3, 4), float4(0, 5, 0, 0) };
static uint Late = Out.Load(60) * 3 + 7;
export uint next(uint i) { State = State * 3 + 1; V[i].y += 1; V[0].x += 2; return State * 100 + V[i].y * 10 + V[0].x; }
export uint late() { Late += 1; return Late; }
#endif
