// What is inherited is a structure of its own in front, with its padding, as the reference compiler lays it out: in payloads, where
// libraries of both compilers meet, and in structured buffers. Constant buffers pad nothing. A base without members takes no room.
// RUN: %rtc -T lib_6_7 %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc reflect %t.dxil | FileCheck --check-prefix=SIZE %s
// RUN: %rtc -T lib_6_7 -enable-16bit-types %s -Fo %t.16.dxil
// RUN: %rtc reflect %t.16.dxil | FileCheck --check-prefix=SIZE %s
// RUN: %rtc -T lib_6_6 -no-warnings -validator-version 1.6 %s -Fo %t.66.dxil
// RUN: %dxil-val %t.66.dxil
// RUN: %rtc -T lib_6_7 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_7 -spirv -payload-layout=packed %s -Fo %t.packed.spv
// RUN: %spirv-val %t.packed.spv
// RUN: %rtc -T lib_6_7 -Od -emit-ir %s | FileCheck --check-prefix=IR %s
struct [raypayload] Half { float3 a : read(caller) : write(miss); half h : read(caller) : write(miss); };
struct [raypayload] FromHalf : Half { float x : read(caller) : write(miss); };
struct [raypayload] Wide { double a : read(caller) : write(miss); float h : read(caller) : write(miss); };
struct [raypayload] FromWide : Wide { float x : read(caller) : write(miss); };
struct [raypayload] Third : FromWide { float y : read(caller) : write(miss); };
struct Empty {};
struct AlsoEmpty : Empty {};
struct [raypayload] FromEmpty : AlsoEmpty { double y : read(caller) : write(miss); float z : read(caller) : write(miss); };
struct [raypayload] FromFromEmpty : FromEmpty { float w : read(caller) : write(miss); };
template<typename T> struct [raypayload] Made { T a : read(caller) : write(miss); int b : read(caller) : write(miss); };
struct [raypayload] FromMade : Made<double> { int c : read(caller) : write(miss); };
struct [raypayload] Min { float a : read(caller) : write(miss); min16float h : read(caller) : write(miss); };
struct [raypayload] FromMin : Min { min16float x : read(caller) : write(miss); };
struct Plain { double d; int i; };
struct FromPlain : Plain { int j; };
struct [raypayload] Holds { FromPlain p : read(caller) : write(miss); int k : read(caller) : write(miss); };
struct [raypayload] HoldsPayload { FromWide p; int k : read(caller) : write(miss); };
namespace N { struct [raypayload] Inner { double a : read(caller) : write(miss); bool f : read(caller) : write(miss); }; }
struct [raypayload] FromInner : N::Inner { uint u : read(caller) : write(miss); };
struct [raypayload] Nothing : FromInner {};

// IR: struct {{.*}} "FromWide" base "Wide" raypayload {
// IR-NEXT: "" : s{{[0-9]+}} hlsl "Wide" offset 0
// IR-NEXT: "x" : f32 hlsl "float" read(caller) write(miss) offset 16

// CHECK: struct struct.FromPlain
// CHECK: struct struct.Plain
// CHECK: double d; ; Offset: 0
// CHECK: int i; ; Offset: 8
// CHECK: } Plain; ; Offset: 0
// CHECK: int j; ; Offset: 16
// CHECK: } $Element; ; Offset: 0 Size: 24
RWStructuredBuffer<FromPlain> Buffer : register(u0);

void write(inout Wide w) { w.a = 2; w.h = 1; }

[shader("miss")] void M01(inout FromHalf p) { p.x = 1; p.a = 0; p.h = 0; }
[shader("miss")] void M02(inout FromWide p) { p.x = 1; write(p); }
[shader("miss")] void M03(inout Third p) { p.x = 1; p.y = 2; write(p); }
[shader("miss")] void M04(inout FromEmpty p) { p.y = 1; p.z = 0; }
[shader("miss")] void M05(inout FromFromEmpty p) { p.y = 1; p.z = 0; p.w = 2; }
[shader("miss")] void M06(inout FromMade p) { p.c = 1; p.a = 0; p.b = 0; }
[shader("miss")] void M07(inout FromMin p) { p.x = 1; p.a = 0; p.h = 0; }
[shader("miss")] void M08(inout Holds p) { p.k = 1; p.p = Buffer[1]; }
[shader("miss")] void M09(inout HoldsPayload p) { p.k = 1; write(p.p); p.p.x = 0; }
[shader("miss")] void M10(inout FromInner p) { p.u = 1; p.a = 0; p.f = true; }
[shader("miss")] void M11(inout Nothing p) { p.u = 1; p.a = 0; p.f = true; }

// CHECK-DAG: %struct.FromHalf = type { %struct.Half, float }
// CHECK-DAG: %struct.Half = type { <3 x float>, float }
// CHECK-DAG: %struct.Third = type { %struct.FromWide, float }
// CHECK-DAG: %struct.FromWide = type { %struct.Wide, float }
// CHECK-DAG: %struct.Wide = type { double, float }
// CHECK-DAG: %struct.FromEmpty = type { double, float }
// CHECK-DAG: %struct.FromMade = type { %"struct.Made<double>", i32 }
// CHECK-DAG: %struct.HoldsPayload = type { %struct.FromWide, i32 }
// CHECK-DAG: %struct.FromInner = type { %"struct.N::Inner", i32 }
// CHECK-DAG: %struct.Nothing = type { %struct.FromInner }
// CHECK: !dx.dxrPayloadAnnotations = !{![[ALL:[0-9]+]]}
// CHECK: ![[ALL]] = !{i32 0, %struct.FromHalf undef, ![[FROM:[0-9]+]], %struct.Half undef, ![[TWO:[0-9]+]], %struct.FromWide undef, ![[FROM]], %struct.Wide undef, ![[TWO]], %struct.Third undef, ![[FROM]]
// CHECK: ![[FROM]] = !{![[NONE:[0-9]+]], ![[OUT:[0-9]+]]}
// CHECK: ![[NONE]] = !{i32 0, i32 0}
// CHECK: ![[OUT]] = !{i32 0, i32 513}
// CHECK: ![[TWO]] = !{![[OUT]], ![[OUT]]}

// SIZE: "name": "M01"
// SIZE-NEXT: "payloadBytes": 20,
// SIZE: "name": "M02"
// SIZE-NEXT: "payloadBytes": 24,
// SIZE: "name": "M03"
// SIZE-NEXT: "payloadBytes": 32,
// SIZE: "name": "M04"
// SIZE-NEXT: "payloadBytes": 16,
// SIZE: "name": "M05"
// SIZE-NEXT: "payloadBytes": 24,
// SIZE: "name": "M06"
// SIZE-NEXT: "payloadBytes": 24,
// SIZE: "name": "M07"
// SIZE-NEXT: "payloadBytes": 12,
// SIZE: "name": "M08"
// SIZE-NEXT: "payloadBytes": 32,
// SIZE: "name": "M09"
// SIZE-NEXT: "payloadBytes": 32,
// SIZE: "name": "M10"
// SIZE-NEXT: "payloadBytes": 24,
// SIZE: "name": "M11"
// SIZE-NEXT: "payloadBytes": 24,
