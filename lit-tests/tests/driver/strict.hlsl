// IEEE strictness: everything is `precise`, so nothing is computed in another order; minimum precision cannot be.
// RUN: %rtc -T lib_6_3 -Gis %s -Fo %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_3 %s -Fo %t.loose.dxil
// RUN: %rtc dis %t.loose.dxil | FileCheck --check-prefix=LOOSE %s
// RUN: %rtc -T lib_6_3 -Gis -spirv %s -Fo %t.spv
// RUN: %rtc dis %t.spv | FileCheck --check-prefix=SPIRV %s
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.loose.spv
// RUN: %rtc dis %t.loose.spv | FileCheck --check-prefix=LOOSE-SPIRV %s
// CHECK-NOT: fast
// CHECK: fmul float %{{[0-9]+}}, 3.000000e+00
// CHECK: fmul float %{{[0-9]+}}, 5.000000e+00
// CHECK: @dx.op.dot3.f32({{.*}}), !dx.precise
// CHECK: fmul half
// CHECK: @dx.op.unary.f16(i32 24, half %{{[0-9]+}}) ; Sqrt
// LOOSE-NOT: dx.precise
// LOOSE: fmul fast float
// SPIRV-COUNT-4: NoContraction
// LOOSE-SPIRV-NOT: NoContraction
RWByteAddressBuffer Out : register(u0);
[shader("raygeneration")]
void Main()
{
    float a = asfloat(Out.Load(0)), b = asfloat(Out.Load(4));
    Out.Store(0, asuint(a * 3 * 5 + dot(float3(a, b, 2), float3(b, 3, a))));
    min16float h = (min16float)a;
    Out.Store(4, asuint((float)(h * h + sqrt(h))));
}
