// Constant indices beyond arrays and matrices are refused in every version of the language; the reference takes them in arrays before HLSL 2017,
// and in matrices.
// RUN: not %rtc -T ps_6_0 -E main -HV 2016 -DINDEX=array[2] -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: not %rtc -T ps_6_0 -E main -HV 2021 -DINDEX=array[2] -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: not %rtc -T ps_6_0 -E main -HV 2016 -DINDEX=own[2] -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: not %rtc -T ps_6_0 -E main -DINDEX=m[2].xyxy -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: not %rtc -T ps_6_0 -E main -DINDEX=m[1][2] -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: not %rtc -T ps_6_0 -E main -spirv -DINDEX=m[2].xyxy -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: %rtc -T ps_6_0 -E main -HV 2016 -DINDEX=array[1] %s
// RUN: %rtc -T ps_6_0 -E main -DINDEX=m[1][1] %s

// CHECK: error: index 2 is out of range: valid indices are 0 to 1 [E0320]

cbuffer C { float4 array[2]; float2x2 m; };
float4 main(float4 a : A) : SV_Target { float4 own[2] = { a, a }; return own[0] + INDEX; }
