// As many coordinates as the resource has between brackets, as in the reference; `Load` drops those that are too many, with a warning.
// RUN: %rtc -T ps_6_0 -DAT=T[c.xy] -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: not %rtc -T ps_6_0 -DAT=T[c] -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %rtc -T ps_6_0 -DAT=T.mips[0][c.xyz] -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %rtc -T ps_6_0 -DAT=W[c] -spirv -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %rtc -T ps_6_0 -DAT=T[c.x] -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %rtc -T ps_6_0 -DAT=W[0] -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %rtc -T ps_6_0 -DAT=T.mips[0][c.x] -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %rtc -T ps_6_0 -validator-version 1.6 "-DAT=T.Load(c.x)" %s -Fo %t.one.dxil
// RUN: %dxil-val %t.one.dxil
// RUN: not %rtc -T ps_6_0 -DAT=A[c] -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not %rtc -T ps_6_0 -DAT=B[c.xy] -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %rtc -T ps_6_0 -validator-version 1.6 "-DAT=B.Load(c.yz)" -fdiagnostics-format=short %s -Fo %t.load.dxil 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %dxil-val %t.load.dxil
// RUN: %rtc dis %t.load.dxil | FileCheck %s --check-prefix=LOAD
// RUN: %rtc -T ps_6_0 -spirv "-DAT=B.Load(c.yz)" -no-warnings %s -Fo %t.load.spv
// RUN: %spirv-val %t.load.spv
// RUN: not %rtc -T ps_6_0 "-DAT=R.Load(c.yz)" -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// ONE: error: expected 1 texel coordinates, found 2 [E0320]
// TWO: error: expected 2 texel coordinates, found {{[134]}} [E0320]
// THREE: error: expected 3 texel coordinates, found 4 [E0320]
// WARN: warning: {{.*}}drops components [-Wconversion] [W0301]
// LOAD: [[ROW:%[0-9]+]] = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32
// LOAD: [[Y:%[0-9]+]] = extractvalue %dx.types.CBufRet.i32 [[ROW]], 1
// LOAD: @dx.op.bufferLoad.f32(i32 68, %dx.types.Handle %{{[0-9]+}}, i32 [[Y]], i32 undef)
// REFUSED: error: {{.*}} [E0313]
Texture2D T;
Texture2DArray A;
RWTexture2D<float4> W;
Buffer<float4> B;
RWBuffer<float4> R;
int4 c;
float4 main() : SV_Target { return AT; }
