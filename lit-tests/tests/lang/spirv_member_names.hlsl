// Members of payloads, attributes and callable parameters have their names in SPIR-V, nested ones and those of bases too.
// RUN: %rtc -T lib_6_3 -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// CHECK-DAG: OpName [[SHADE:%[0-9A-Za-z_]+]] "Shade"
// CHECK-DAG: OpMemberName [[SHADE]] 0 "colour"
// CHECK-DAG: OpMemberName [[SHADE]] 1 "depth"
// CHECK-DAG: OpMemberName [[SHADE]] 2 "inner"
// CHECK-DAG: OpMemberName {{%[0-9A-Za-z_]+}} 0 "flag"
// CHECK-DAG: OpName [[AT:%[0-9A-Za-z_]+]] "Attributes"
// CHECK-DAG: OpMemberName [[AT]] 0 "at"
// CHECK-DAG: OpName [[CALL:%[0-9A-Za-z_]+]] "Call"
// CHECK-DAG: OpMemberName [[CALL]] 1 "more"
struct Inner { bool flag; };
struct Shade { float3 colour; uint depth; Inner inner; };
struct Attributes { float2 at; };
struct Base { float base; };
struct Call : Base { float more; };
[shader("closesthit")] void Hit(inout Shade s, in Attributes a)
{
    Call c; c.base = a.at.x; c.more = 3;
    CallShader(0, c);
    s.colour = a.at.xyx; s.depth += 1 + c.more; s.inner.flag = c.base > 1;
}
[shader("intersection")] void I() { Attributes a; a.at = 3; ReportHit(1, 0, a); }
[shader("callable")] void C(inout Call c) { c.more += c.base; }
