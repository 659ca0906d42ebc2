// Geometry shaders that run for patches: the control points are inputs like vertices, of any number up to 32; Vulkan has no such shaders.
// RUN: %rtc -T gs_6_0 -E main %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T gs_6_0 -E main %s -Od -validator-version 1.6 -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc dis %t.od.dxil | FileCheck %s
// RUN: %rtc reflect %t.dxil | FileCheck %s --check-prefix=REFLECT
// RUN: %rtc -T gs_6_0 -E most %s -validator-version 1.6 -Fo %t.most.dxil
// RUN: %dxil-val %t.most.dxil
// RUN: %rtc dis %t.most.dxil | FileCheck %s --check-prefix=MOST
// RUN: %rtc -T gs_6_0 -E one %s -validator-version 1.6 -Fo %t.one.dxil
// RUN: %dxil-val %t.one.dxil
// RUN: %rtc dis %t.one.dxil | FileCheck %s --check-prefix=ONE
// RUN: %rtc -T lib_6_3 %s -validator-version 1.6 -Fo %t.lib.dxil
// RUN: %dxil-val %t.lib.dxil
// RUN: %rtc link -T gs_6_3 -E main %t.lib.dxil -Fo %t.linked.dxil
// RUN: %rtc dis %t.linked.dxil | FileCheck %s
// RUN: not %rtc -spirv -T gs_6_0 -E main %s 2>&1 | FileCheck %s --check-prefix=VULKAN
// VULKAN: E0691

struct V { float4 at : SV_Position; float2 uv[2] : UV; };
struct O { float4 at : SV_Position; };

float4 point_of(InputPatch<V, 4> v, uint n) { return v[n].at + v[n].uv[1].xyxy; }

// CHECK: InputPrimitive=patch4
// CHECK: OutputTopology=triangle
// CHECK: define void @main()
// The control point is a number like any other.
// CHECK: loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 %
// CHECK-DAG: !{i32 11, i32 4, i32 1, i32 5, i32 2}
// REFLECT: "inputPrimitive": "patch4"
[shader("geometry")] [instance(2)] [maxvertexcount(4)]
void main(InputPatch<V, 4> v, uint id : SV_PrimitiveID, inout TriangleStream<O> s)
{
    for (uint n = 0; n < 4; ++n)
    {
        O o;
        o.at = point_of(v, (n + id) & 3);
        s.Append(o);
    }
}

// MOST: InputPrimitive=patch32
// MOST: OutputTopology=line
[shader("geometry")] [maxvertexcount(2)]
void most(const InputPatch<O, 32> v, inout LineStream<O> s)
{
    s.Append(v[0]);
    s.Append(v[31]);
}

// ONE: InputPrimitive=patch1
// ONE: OutputTopology=point
[shader("geometry")] [maxvertexcount(1)]
void one(InputPatch<O, 1> v, inout PointStream<O> s) { s.Append(v[0]); }
