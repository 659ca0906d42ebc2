// Names of instances have their arguments as they are written: boolean ones and enumerators, too.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// CHECK: S<true, 2, vector<float, 3> >
// CHECK: S<false, 1, S<true, 1, int> >
// CHECK: S<true, 1, int>
// CHECK: struct struct.E<Kind::Second>
template<bool B, int N, typename T> struct S { T x[N]; float b; };
enum Kind { First, Second };
template<Kind K> struct E { float e; };
cbuffer C : register(b0) { S<true, 2, float3> s; S<false, 1, S<true, 1, int> > t; E<Second> e; }
float4 main() : SV_Target { return s.x[1].xyzx + t.b + e.e; }
