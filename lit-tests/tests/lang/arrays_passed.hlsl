// Long arrays that are copies of a constant buffer, as when a function takes one by value, are read where they come from: no variable is left, no loop.
// RUN: %rtc -T ps_6_0 -E One %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck --check-prefix=ONE %s
// RUN: %rtc -T ps_6_0 -E Chain %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck --check-prefix=CHAIN %s
// RUN: %rtc -T ps_6_0 -E Table %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck --check-prefix=TABLE %s
// RUN: %rtc -T ps_6_0 -E Changed %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck --check-prefix=CHANGED %s
// RUN: %rtc -T ps_6_0 -E One -spirv %s -Fo %t.spv
// RUN: %rtc dis %t.spv | FileCheck --check-prefix=SPIRV %s
// RUN: %rtc -T ps_6_0 -E Columns %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck --check-prefix=COLUMNS %s
// RUN: %rtc -T ps_6_0 -E Columns -spirv %s -Fo %t.spv
// RUN: %rtc dis %t.spv | FileCheck --check-prefix=SPIRV %s
cbuffer C { float4 a[40]; float4 b[20]; float4x4 c[30]; }
static const float4 Weights[48] = {
#define R(n) float4(n, n + 1, n + 2, n + 3),
#define S(n) R(n) R(n * 2) R(n * 3) R(n * 4) R(n * 5) R(n * 6) R(n * 7) R(n * 8) R(n * 9) R(n * 10) R(n * 11) R(n * 12)
    S(1) S(2) S(3) S(4)
};
float4 at(float4 v[40], int i) { return v[i]; }
float4 weight(float4 v[48], int i) { return v[i]; }
float4 inner(float4 v[20], int i) { return v[i] + at(a, i + 1); }
float4 outer(float4 v[20], int i) { float4 own[20] = v; return inner(own, i) + own[i + 2]; }

// ONE-NOT: alloca
// ONE: call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32
// ONE-NOT: cbufferLoadLegacy.f32(i32 59
// ONE: ret void
float4 One(int i : I) : SV_Target { return at(a, i); }

// CHAIN-NOT: alloca
// CHAIN-NOT: phi
// CHAIN: ret void
float4 Chain(int i : I) : SV_Target { return outer(b, i); }

// TABLE-NOT: alloca
// TABLE-NOT: phi
// TABLE: ret void
float4 Table(int i : I) : SV_Target { return weight(Weights, i); }

// An array that is written is a variable.
// CHANGED: alloca
float4 Changed(int i : I) : SV_Target { float4 v[40] = a; v[i] = 1; return v[i + 1]; }

// Rows of matrices in the order of columns have each component in another row of the buffer.
float4 product(float4x4 m[30], int i, float4 v) { return mul(m[i], v); }
// COLUMNS-NOT: alloca
// COLUMNS-NOT: phi
// COLUMNS-COUNT-4: @dx.op.cbufferLoadLegacy.f32
// COLUMNS-NOT: cbufferLoadLegacy.f32(
// COLUMNS: ret void
float4 Columns(int i : I, float4 v : V) : SV_Target { return product(c, i, v); }

// SPIRV: OpEntryPoint Fragment
// SPIRV-NOT: OpVariable %{{.*}} Function
// SPIRV: OpFunctionEnd
