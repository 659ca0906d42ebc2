// Components of vectors in constant buffers whose number is known after folding only: beyond the end they are an error in DXIL, except where
// they are never read. Vulkan leaves the value open. Elements of arrays run on into the next one, as in the reference.
// RUN: not %rtc -T ps_6_0 -E main -DBEYOND -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not %rtc -T ps_6_0 -E main -DBEYOND -Od -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: %rtc -T ps_6_0 -E main -DBEYOND -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T ps_6_0 -E main -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -E main -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil

// BEYOND: constant_components.hlsl:{{[0-9]+}}:{{[0-9]+}}: error: index 3 is out of range: valid indices are 0 to 2 [E0320]

cbuffer C { float4 array[2]; float3 v; };

float4 main(uint i : I) : SV_Target
{
    int k = 3;
#ifdef BEYOND
    return v[k] + v.x;
#else
    float never = v[k];
    if (k < 3) return v[k];
    int last = k - 1;
    return v[last] + array[last] + v[i];
#endif
}
