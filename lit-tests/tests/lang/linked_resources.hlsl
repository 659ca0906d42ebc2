// Resources that two libraries share, in all forms of libraries: structures with truth values are `hostlayout.` in one library and plain in another;
// libraries for linking only have handles in variables, and one handle may serve several accesses.
// RUN: %rtc -T lib_6_3 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_3 -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T lib_6_3 -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_6 -DA -validator-version 1.6 %s -Fo %t.a.66.dxil
// RUN: %rtc -T lib_6_6 -DB -validator-version 1.6 %s -Fo %t.b.66.dxil
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.b.66.dxil %t.a.66.dxil -Fo %t.66.dxil
// RUN: %dxil-val %t.66.dxil
// RUN: %rtc -T lib_6_x -DA -Od %s -Fo %t.a.x.dxil
// RUN: %rtc -T lib_6_x -DB %s -Fo %t.b.x.dxil
// RUN: %rtc link -T lib_6_5 -validator-version 1.6 %t.a.x.dxil %t.b.x.dxil -Fo %t.x.dxil
// RUN: %dxil-val %t.x.dxil
// RUN: %rtc dis %t.x.dxil | FileCheck %s
// RUN: %rtc link -T cs_6_0 -E main -validator-version 1.6 %t.a.x.dxil %t.b.x.dxil -Fo %t.60.dxil
// RUN: %dxil-val %t.60.dxil
// CHECK: call %dx.types.Handle @dx.op.createHandleForLib.C(i32 160, %C
// CHECK-NOT: annotateHandle
// CHECK-NOT: createHandleForLib.dx.types.Handle
struct Pair { bool first; uint second; };
struct S { float a; bool b; Pair pairs[2]; };
cbuffer C : register(b1) { S one; bool two; float three; };
ConstantBuffer<Pair> K : register(b2);
RWByteAddressBuffer Out : register(u0);
uint chosen(uint n, S s);
#ifdef A
[shader("compute")] [numthreads(8, 1, 1)] void main(uint g : SV_GroupIndex)
{
    S copy = one;
    copy.pairs[1].second += K.second;
    Out.Store(g * 4, chosen(g, copy) + (uint)three);
    if (two) Out.Store(g * 4 + 32, one.pairs[g & 1].second);
}
#endif
#ifdef B
export uint chosen(uint n, S s) { return two || K.first ? n : one.pairs[n & 1].first ? s.pairs[1].second : Out.Load(n * 4); }
#endif
