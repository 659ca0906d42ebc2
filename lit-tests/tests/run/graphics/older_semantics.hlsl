// With -Gec, semantics of Direct3D 9 stand for system values: the position, where a pixel is, its colour and depth.
// rtc -T lib_6_3 -Gec
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T ps_6_0 -E Ps -Gec %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=DXIL
// RUN: not %rtc -T ps_6_0 -E Ps %s 2>&1 | FileCheck %s --check-prefix=NONE
// WARN: warning: `VPOS` is a semantic of Direct3D 9: with -Gec it stands for `SV_Position` [-Wdeprecated-declarations] [W0682]
// WARN: warning: `CoLoR` is a semantic of Direct3D 9: with -Gec it stands for `SV_Target`
// DXIL: SV_Position {{ *}}0 {{ *}}xyzw
// DXIL: SV_Target {{ *}}1 {{ *}}xyzw
// DXIL: SV_Depth {{ *}}0
// NONE: error: `CoLoR` cannot be a pixel shader's output
// reference: no, newer versions refuse -Gec with -spirv
//> [targets.First]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ is = [9, 9, 9, 9] }]
//> [targets.Second]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [1, 2], is = [1.5, 2.5, 3, 0.25] }, { at = [3, 0], is = [3.5, 0.5, 3, 0.25] }]
//> [targets.Depth]
//> size = [4, 4]
//> format = "d32_float"
//> clear = 1
//> expect = [{ is = 0.75 }]
//> [[draw]]
//> count = 3
//> targets = ["First", "Second"]
//> depth = "Depth"
struct Out { float4 first : COLOR0; float4 c : CoLoR1; float d : DEPTH; };
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : POSITION { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] Out Ps(float4 at : VPOS) { Out o; o.first = 9; o.c = float4(at.xy, 3, 0.25); o.d = 0.75; return o; }
