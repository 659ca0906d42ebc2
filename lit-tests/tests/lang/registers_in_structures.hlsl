// Resources of structures get their registers after all others, those that are used, as with the reference compiler.
// RUN: %rtc -T ps_6_0 -E main -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// CHECK: samp {{ *}}sampler {{.*}} s0 {{ *}}1
// CHECK: first.s {{ *}}sampler {{.*}} s1 {{ *}}1
// CHECK: third.0.s {{ *}}sampler {{.*}} s2 {{ *}}1
// CHECK: second {{ *}}texture {{.*}} t0 {{ *}}1
// CHECK: last {{ *}}texture {{.*}} t1 {{ *}}1
// CHECK: first.t {{ *}}texture {{.*}} t2 {{ *}}1
// CHECK: third.1.t {{ *}}texture {{.*}} t3 {{ *}}1
struct Pair { Texture2D t; SamplerState s; };
Pair first; Texture2D second; SamplerState samp; Pair third[2]; Texture2D last;
float4 main(float2 uv : UV) : SV_Target { return first.t.Sample(first.s, uv) + second.Sample(samp, uv) + third[1].t.Sample(third[0].s, uv) + last.Sample(samp, uv); }
