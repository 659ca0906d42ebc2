// A local resource of another normalisation is the resource that it was assigned: its texels are those of the declaration.
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ps_6_0 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T ps_6_6 -validator-version 1.6 %s -Fo %t.6.dxil
// RUN: %rtc dis %t.6.dxil | FileCheck %s --check-prefix=PROPERTIES
// RUN: %rtc -T ps_6_0 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv

// CHECK: a {{ *}}texture {{ *}}snorm_f32
// CHECK: b {{ *}}texture {{ *}}unorm_f32
// PROPERTIES-DAG: AnnotateHandle(res,props)  resource: TypedBuffer<SNormF32>
// PROPERTIES-DAG: AnnotateHandle(res,props)  resource: TypedBuffer<UNormF32>
Buffer<snorm float> a;
Buffer<unorm float> b;
float get(Buffer<float> x, uint i) { return x[i]; }

float main(nointerpolation uint i : I) : SV_Target
{
    Buffer<unorm float> x = a;
    if (i > 3)
        x = b;
    return x[i] + get(a, i) + get(x, 1);
}
