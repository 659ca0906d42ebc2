// `printf` is debug output on Vulkan; Direct3D has none.
// RUN: %rtc -T cs_6_0 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s
// RUN: %rtc -T cs_6_0 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T lib_6_3 -spirv -DRAYS %s -Fo %t.rays.spv
// RUN: %spirv-val %t.rays.spv
// RUN: not %rtc -T cs_6_0 %s -fdiagnostics-format=short 2>&1 | FileCheck --check-prefix=DXIL %s
// DXIL: error: `printf` is an instruction of SPIR-V: it cannot be compiled to DXIL
// CHECK: OpExtension "SPV_KHR_non_semantic_info"
// CHECK: %[[SET:[0-9A-Za-z_]+]] = OpExtInstImport "NonSemantic.DebugPrintf"
// CHECK-DAG: %[[FIRST:[0-9A-Za-z_]+]] = OpString "id %u of %v4f\n"
// CHECK-DAG: %[[SECOND:[0-9A-Za-z_]+]] = OpString "done"
// CHECK-DAG: %[[THIRD:[0-9A-Za-z_]+]] = OpString "number %u"
// CHECK-DAG: %[[FOURTH:[0-9A-Za-z_]+]] = OpString "last"
// CHECK: OpExtInst  %{{[0-9A-Za-z_]+}}  %[[SET]] DebugPrintf %[[FIRST]] %{{[0-9A-Za-z_]+}} %{{[0-9A-Za-z_]+}}
// CHECK: OpExtInst  %{{[0-9A-Za-z_]+}}  %[[SET]] DebugPrintf %[[SECOND]]
// CHECK: OpExtInst  %{{[0-9A-Za-z_]+}}  %[[SET]] DebugPrintf %[[THIRD]] %{{[0-9A-Za-z_]+}}
// CHECK: OpExtInst  %{{[0-9A-Za-z_]+}}  %[[SET]] DebugPrintf %[[FOURTH]]
StructuredBuffer<float4> In;
string Text = "number %u";
static const string Last = "last";
#ifdef RAYS
struct P { float4 c; };
[shader("miss")] void m(inout P p) { printf("missed %f", p.c.x); p.c = 0; }
#else
void report(uint i) { if (i < 4) printf("id %u of %v4f\n", i, In[i]); }
[numthreads(64, 1, 1)] void main(uint i : SV_DispatchThreadID)
{
    report(i);
    printf("done");
    printf(Text, i);
    printf(Last);
}
#endif
