// Structures without a name are numbered in the order of the variables that have them, used or not, the outer one first.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// CHECK: cbuffer $Globals
// CHECK: struct struct.anon{{$}}
// CHECK: } unused;
// CHECK: struct struct.anon.5
// CHECK: } loose;
// CHECK: cbuffer C
// CHECK: struct struct.anon.2
// CHECK: struct struct.anon.3
// CHECK: } a;
// CHECK: struct struct.P
// CHECK: struct struct.anon.4
// CHECK: struct struct.O
// CHECK: struct struct.anon.6
struct { float4 x; } unused;
static struct { float4 x; } unused_static;
RWStructuredBuffer<int> q;
cbuffer D : register(b1) { struct { float w; } never; }
struct P { struct { float m; } inner; float w; };
cbuffer C : register(b0) { struct { float4 x; struct { float deep; } e; } a; P p; }
struct O { struct { float m; } inner; float w; };
struct { float4 g; } loose;
RWStructuredBuffer<O> o;
float4 main(uint i : I) : SV_Target { return a.x + o[i].inner.m + loose.g + a.e.deep + p.inner.m; }
