// Functions that another library defines: declared under the reference's names, with its parameters; calls of them stay, helpers around them
// are inlined. RDAT lists the dependencies.
// RUN: %rtc -T lib_6_3 %s -Fo %t.dxil -Fc %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: %dxv %t.dxil
// RUN: %rtc -T lib_6_9 -O0 -Zi -Qembed_debug %s -Fo %t.o0.dxil
// RUN: %dxv %t.o0.dxil
// RUN: %rtc -T lib_6_x %s | FileCheck %s
// RUN: not %rtc -T lib_6_5 -spirv -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=SPIRV
struct S { float3 a; bool b; float2x3 m; };
RWBuffer<float> Out : register(u0);
static const float Table[3] = { 1, 2, 3 };
namespace math { float scale(float x, float by = 2); }
float over(int x);
float over(float2 x);
S make(S s, inout S t, float a[3], out bool2 b);
float2x3 turn(float2x3 m, inout float3x3 n, out row_major float2x2 o);
float unused(float x);
float twice(float x[3]) { return math::scale(x[0]) + math::scale(x[1], 3); }
// CHECK: %struct.S = type { <3 x float>, i32, %class.matrix.float.2.3 }
// CHECK: define void @"\01?Main@@YAXXZ"()
[shader("raygeneration")] void Main()
{
    uint i = DispatchRaysIndex().x;
    S s = (S)0, t = (S)1;
    bool2 b;
    // CHECK: call void @"\01?make@@YA?AUS@@U1@U1@Y02MAIAV?$vector@_N$01@@@Z"(%struct.S* [[RES:%[0-9]+]], %struct.S* %{{[0-9]+}}, %struct.S* %{{[0-9]+}}, [3 x float]* %{{[0-9]+}}, <2 x i32>* %{{[0-9]+}})
    S u = make(s, t, Table, b);
    float3x3 n = i;
    float2x2 o;
    // A matrix by value is its class, row after row; by reference it lies as it is declared.
    // CHECK: [[M:%[0-9]+]] = load %class.matrix.float.2.3, %class.matrix.float.2.3* %{{[0-9]+}}
    // CHECK: call %class.matrix.float.2.3 @"\01?turn@@YA?AV?$matrix@M$01$02@@V1@AIAV?$matrix@M$02$02@@AIAV?$matrix@M$01$01@@@Z"(%class.matrix.float.2.3 [[M]], %class.matrix.float.3.3* %{{[0-9]+}}, %class.matrix.float.2.2* %{{[0-9]+}})
    float2x3 m = turn(u.m, n, o);
    // CHECK: call float @"\01?over@@YAMH@Z"(i32
    // CHECK: call float @"\01?over@@YAMV?$vector@M$01@@@Z"(<2 x float>
    // CHECK: call float @"\01?scale@math@@YAMMM@Z"(float %{{[0-9]+}}, float 2.000000e+00)
    // CHECK: call float @"\01?scale@math@@YAMMM@Z"(float %{{[0-9]+}}, float 3.000000e+00)
    float3 w = m[1] + n[2];
    float a[3] = { w.x, w.y, o[0][1] };
    Out[i] = over((int)i) + over(w.xy) + twice(a) + (b.y ? u.a.x : t.a.y);
    // SPIRV: error: `make` is declared but never defined [E0609]
    // SPIRV: note: SPIR-V modules for Vulkan are not linked; DXIL libraries are, with `rtc link`
}
// CHECK: declare void @"\01?make@@YA?AUS@@U1@U1@Y02MAIAV?$vector@_N$01@@@Z"(%struct.S* sret, %struct.S*, %struct.S*, [3 x float]*, <2 x i32>* dereferenceable(8))
// CHECK: declare %class.matrix.float.2.3 @"\01?turn{{.*}}(%class.matrix.float.2.3, %class.matrix.float.3.3* dereferenceable(36), %class.matrix.float.2.2* dereferenceable(16))
// CHECK-NOT: unused
