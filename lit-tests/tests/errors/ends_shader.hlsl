// An exported function cannot end the shader that calls it, which other functions can.
// RUN: not %rtc -T lib_6_3 %s -DEXPORT=export 2>&1 | FileCheck %s
// RUN: %rtc -T lib_6_3 %s -DEXPORT=static | FileCheck %s --check-prefix=INSIDE

// CHECK-DAG: ends_shader.hlsl:[[@LINE+6]]:{{.*}}: error: `IgnoreHit` cannot be used in the exported function `outer`
// CHECK-DAG: ends_shader.hlsl:[[@LINE+6]]:{{.*}}: error: `AcceptHitAndEndSearch` cannot be used in the exported function `outer`
// INSIDE: @dx.op.ignoreHit
struct P { float4 c; };
struct A { float2 b; };
RWBuffer<float> o;
void inner(float x) { if (x > o[0]) IgnoreHit(); }
EXPORT void outer(float x) { inner(x); if (x > o[1]) AcceptHitAndEndSearch(); o[0] = x; }
[shader("anyhit")] void hit(inout P p, A a) { outer(a.b.x); p.c = 1; }
