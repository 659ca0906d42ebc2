// Syntax of the effects framework means nothing to a shader: techniques, its objects, state blocks and annotations are ignored, with warnings.
// RUN: %rtc -T ps_6_0 -fdiagnostics-format=short %s -validator-version 1.6 -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -Wno-effects-syntax -WX %s -Fo %t.quiet.dxil
// RUN: not %rtc -T ps_6_0 -Wno-effects-syntax -DWRONG -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=WRONG
// CHECK: effects.hlsl:[[#@LINE+1]]:30: warning: annotations of the effects framework are ignored [-Weffects-syntax] [W0201]
Texture2D tex : register(t1) < int foo = 1; string name = "a > b;"; >
// CHECK: effects.hlsl:[[#@LINE+1]]:1: warning: state blocks of the effects framework are ignored
{
    Texture = tex;
    Filter = MIN_MAG_MIP_LINEAR;
}, many[3] < string Name = "many"; int ArraySize = 3; >;
// CHECK: effects.hlsl:[[#@LINE+1]]:23: warning: annotations
string fill_mode_text < > = "WIREFRAME";
SamplerState linearly : register(s7) < bool foo = 1 > 2; > { AddressU = Wrap; };
// CHECK: effects.hlsl:[[#@LINE+1]]:1: warning: objects of the effects framework are ignored
texture old < int foo = 1; > { state = foo; };
static const PixelShader compiled { state = foo; };
// CHECK: effects.hlsl:[[#@LINE+1]]:1: warning: objects
BlendState A;
BlendState B = A, C[2] { AlphaToCoverageEnable = FALSE; BlendEnable[0] = FALSE; };
// A type of the source is one.
struct RenderTargetView { float4 a; };
static RenderTargetView view = { { 1, 2, 3, 4 } };
float less(float a, float b) { int c = a < b; bool d = c < a, e = b > a; return d; }
// CHECK: effects.hlsl:[[#@LINE+1]]:1: warning: techniques of the effects framework are ignored
technique10 T10 < bool fast = true; > { pass P0 { SetPixelShader(CompileShader(ps_4_0, main())); } }
Technique { pass { } }
int pass;
// CHECK: effects.hlsl:[[#@LINE+1]]:22: warning: annotations
float scaled(float a < int b = 1; >, float c[2] < string n = "c"; >) { return a * c[1] * (a < c[0]); }
// CHECK: effects.hlsl:[[#@LINE+1]]:26: warning: annotations
float4 main(float4 a : A < float b = 2; >) : SV_TARGET
{
    // CHECK: effects.hlsl:[[#@LINE+1]]:5: warning: objects
    DepthStencilState local { state = foo; };
    DepthStencilState other = local;
    Texture2D here { state = foo; };
    here = tex;
#ifdef WRONG
    // WRONG: effects.hlsl:[[#@LINE+1]]:16: error: use of undeclared identifier `local`
    float4 u = local;
#endif
    return view.a + here.Sample(linearly, a.xy) + less(a.x, pass) + many[1].Load(int3(0, 0, 0)) + scaled(a.x, (float[2])a.xy);
}
