// -Qkeep_reflect_in_dxil: annotations say the sizes of vectors (tag 13) from validator version 1.8 on only.
// RUN: %rtc -T ps_6_0 -E main -Qkeep_reflect_in_dxil -validator-version 1.7 %s -Fc - | FileCheck %s --check-prefix=OLD
// RUN: %rtc -T ps_6_0 -E main -Qkeep_reflect_in_dxil -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -E main -Qkeep_reflect_in_dxil -validator-version 1.8 %s -Fc - | FileCheck %s --check-prefix=NEW
// OLD-DAG: !{i32 6, !"k", i32 3, i32 0, i32 7, i32 9}
// OLD-DAG: !{i32 6, !"tint", i32 3, i32 0, i32 7, i32 9}
// NEW-DAG: !{i32 6, !"k", i32 3, i32 0, i32 7, i32 9, i32 13, i32 4}
// NEW-DAG: !{i32 6, !"tint", i32 3, i32 0, i32 7, i32 9, i32 13, i32 3}
struct Item { float4 k; int2 j; };
StructuredBuffer<Item> items;
cbuffer C { float3 tint; }
float4 main(uint i : I) : SV_Target { return items[i].k + items[i].j.x + tint.x; }
