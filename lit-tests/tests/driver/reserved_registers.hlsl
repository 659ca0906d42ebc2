// -flegacy-resource-reservation: registers of resources that nothing uses are not given to others, class by class and space by space.
// RUN: %rtc -T ps_6_0 -E main %s | FileCheck %s --check-prefix=FREE
// RUN: %rtc -T ps_6_0 -E main -flegacy-resource-reservation %s | FileCheck %s --check-prefix=RESERVED
// RUN: not %rtc -T ps_6_0 -E main -flegacy-resource-reservation -DUNSIZED %s 2>&1 | FileCheck %s --check-prefix=UNSIZED

// FREE-DAG: !{i32 0, [2 x %"class.Texture2D<vector<float, 4> >"]* undef, !"", i32 0, i32 0, i32 2,
// FREE-DAG: !{i32 0, %struct.SamplerState* undef, !"", i32 0, i32 0, i32 1,
// FREE-DAG: !{i32 1, %"class.Texture2D<vector<float, 4> >"* undef, !"", i32 0, i32 2, i32 1,
// RESERVED-DAG: !{i32 0, [2 x %"class.Texture2D<vector<float, 4> >"]* undef, !"", i32 0, i32 3, i32 2,
// RESERVED-DAG: !{i32 0, %struct.SamplerState* undef, !"", i32 0, i32 2, i32 1,
// RESERVED-DAG: !{i32 1, %"class.Texture2D<vector<float, 4> >"* undef, !"", i32 0, i32 0, i32 1,
// UNSIZED: error: `Endless` has no size, so its registers cannot be reserved

Texture2D Unused[2] : register(t1);
Texture2D Elsewhere[9] : register(t0, space1);
SamplerState UnusedSamplers[2] : register(s0);
Texture2D Two[2];
Texture2D One;
SamplerState S;
#ifdef UNSIZED
Texture2D Endless[] : register(t0, space2);
#endif
float4 main() : SV_Target { return Two[1].Sample(S, 0.5) + One.Sample(S, 0.5); }
