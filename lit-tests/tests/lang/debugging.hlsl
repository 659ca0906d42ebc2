// What a shader says to a debugger: shader model 6.10 and SPIR-V.
// RUN: %rtc -T cs_6_10 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// CHECK: call i1 @dx.op.isDebuggingEnabled(i32 -2147483614)
// CHECK: call i1 @dx.op.isDebuggingEnabled(i32 -2147483614)
// CHECK: call void @dx.op.debugBreak(i32 -2147483615)
// RUN: %rtc -T cs_6_10 -DBREAK_ONLY -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s --check-prefix=SPIRV
// SPIRV: OpExtension "SPV_KHR_non_semantic_info"
// SPIRV: %[[SET:[0-9A-Za-z_]+]] = OpExtInstImport "NonSemantic.DebugBreak"
// SPIRV: OpExtInst  %{{[0-9A-Za-z_]+}}  %[[SET]]
// RUN: not %rtc -T cs_6_9 -DBREAK_ONLY %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: `DebugBreak` requires shader model 6.10
RWStructuredBuffer<uint> Output : register(u0);
[numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID)
{
#ifndef BREAK_ONLY
    bool first = dx::IsDebuggingEnabled(), second = dx::IsDebuggingEnabled();
    Output[id.x] = (uint)first | (uint)second << 1;
#endif
    if (id.x == 0) DebugBreak();
}
