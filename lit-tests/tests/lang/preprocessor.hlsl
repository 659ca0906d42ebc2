#define F(a, b) (a + b)
#define EMPTY
#define CALL(x) F x
#define NAME(x) x##_ray
#define DECLARE(type, ...) type NAME(payload) __VA_ARGS__
#define REPEAT4(m) m(0) m(1) m(2) m(3)
#define FIELD(i) float f##i;
#define XSTR(x) STR(x)
#define STR(x) #x
#define COUNT_ARGS_(_1,_2,_3,_4,N,...) N
#define COUNT_ARGS(...) COUNT_ARGS_(__VA_ARGS__, 4, 3, 2, 1)
#define CONCAT3(a,b,c) a##b##c
#define SWITCH_ON 1
#define IS_ON(x) (x == 1)
#if IS_ON(SWITCH_ON) && !defined(OFF) && (COUNT_ARGS(a,b,c) == 3)
struct P { REPEAT4(FIELD) };
#else
#error no
#endif
RWStructuredBuffer<float> O;
static const float4x4 M0 = 0;
#pragma pack_matrix(row_major)
cbuffer A { float4x3 m; float after; }
#pragma pack_matrix(column_major)
cbuffer B { float4x3 n; float after2; }
/* multi
line */ #define AFTER_COMMENT 7
[numthreads(1,1,1)] void main() {
  float x = F(
#ifdef SWITCH_ON
   1,
#else
   2,
#endif
   3);
  x += CALL((4, 5));
  x += CONCAT3(1, ., 5);
  x += COUNT_ARGS(p, q);
  x += AFTER_COMMENT;
  DECLARE(P, = (P)0;)
  O[0] = x + payload_ray.f3 + m[1][2] + n[1][2] + after + after2;
  #define LOCAL(x) { float t = x; \
     O[1] = t; } // comment
  LOCAL(2.0f)
  // trailing backslash in a comment \
  this is still comment
  O[2] = __LINE__;
  O[3] = 1 EMPTY + EMPTY 2;
  O[4] = -F(1,-2) - -1;
  O[5] = 0x1p3 + 1.e2 + .5f + 1e-3 + 100u + 0xFFu + 010;
}
// Macros as production code has them: counting arguments, lists of fields, directives in arguments, pasting of numbers, packing by pragma.
// The values are the reference compiler's.
// RUN: %rtc -T cs_6_0 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | count 0
// RUN: %rtc -T cs_6_0 %s | FileCheck %s
// RUN: %rtc -P %s -Fi %t.i
// RUN: %rtc -T cs_6_0 %t.i | FileCheck %s
// RUN: %rtc -spirv -T cs_6_0 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %{{[0-9]+}}, i32 1)
// CHECK: cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %{{[0-9]+}}, i32 2)
// CHECK: bufferStore.f32({{.*}}, i32 1, i32 0, float 2.000000e+00,
// CHECK: bufferStore.f32({{.*}}, i32 2, i32 0, float 4.700000e+01,
// CHECK: bufferStore.f32({{.*}}, i32 3, i32 0, float 3.000000e+00,
// CHECK: bufferStore.f32({{.*}}, i32 4, i32 0, float 2.000000e+00,
// CHECK: bufferStore.f32({{.*}}, i32 5, i32 0, float 0x407D780420000000,
