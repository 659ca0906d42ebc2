// Constant indices beyond arrays are errors since HLSL 2017 and a warning before, as in the reference; beyond matrices they are refused in every version.
// RUN: %rtc -T ps_6_0 -E main -HV 2016 -DINDEX=array[2] -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not %rtc -T ps_6_0 -E main -HV 2017 -DINDEX=array[2] -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: not %rtc -T ps_6_0 -E main -HV 2021 -DINDEX=array[2] -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: %rtc -T ps_6_0 -E main -HV 2016 -DINDEX=own[2] -validator-version 1.6 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -E main -HV 2016 -Od -DINDEX=own[-1] -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T ps_6_0 -E main -HV 2016 -spirv -DINDEX=own[2] -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T ps_6_0 -E main -DINDEX=m[2].xyxy -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: not %rtc -T ps_6_0 -E main -DINDEX=m[1][2] -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: not %rtc -T ps_6_0 -E main -spirv -DINDEX=m[2].xyxy -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: %rtc -T ps_6_0 -E main -HV 2016 -DINDEX=array[1] %s
// RUN: %rtc -T ps_6_0 -E main -DINDEX=m[1][1] %s

// WARN: warning: index 2 is out of range: valid indices are 0 to 1 [-Warray-bounds] [W0321]
// CHECK: error: index 2 is out of range: valid indices are 0 to 1 [E0320]

cbuffer C { float4 array[2]; float2x2 m; };
float4 main(float4 a : A) : SV_Target { float4 own[2] = { a, a }; return own[0] + INDEX; }
