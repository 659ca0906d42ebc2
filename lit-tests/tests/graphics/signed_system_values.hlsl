// System values may be declared with a sign: in the signature they have none.
// RUN: %rtc -T vs_6_0 -E Vertex %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=VS
// RUN: %rtc -T ps_6_0 -E Pixel %s -Fo %t.ps.dxil
// RUN: %dxv %t.ps.dxil
// RUN: %rtc validate %t.ps.dxil

// VS: !{i32 0, !"SV_VertexID", i8 5, i8 1,
float4 Vertex(int id : SV_VertexID, int instance : SV_InstanceID) : SV_Position
{
    return id * -2 + instance;
}

float4 Pixel(int front : SV_IsFrontFace, int primitive : SV_PrimitiveID, out int mask : SV_Coverage) : SV_Target
{
    mask = front ? 3 : primitive;
    return 1;
}
