// Structures of one name with other members in two libraries: the linker says what they consist of.
// RUN: %rtc -T lib_6_6 -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: not %rtc link -T cs_6_6 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK: `made` with other types than
// CHECK-SAME: `void (%struct.S*, i32)`, and `void (%struct.S*, i32)`, where `%struct.Inner` is `{ [2 x float] }`, and `{ [2 x float], i32 }`
#ifdef A
struct Inner { float x[2]; };
struct S { Inner inner; uint y; };
S made(uint k);
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(1, 1, 1)] void main() { Out.Store(0, made(3).y); }
#endif
#ifdef B
struct Inner { float x[2]; uint more; };
struct S { Inner inner; uint y; };
S made(uint k) { S s = (S)0; s.y = k; return s; }
#endif
