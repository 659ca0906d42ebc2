// What is next to something `precise` stays fast: other members, other uses of a function, other components, what was stored before.
// RUN: %rtc -T lib_6_6 -validator-version 1.6 %s -Fo %t.dxil -Fc %t.txt
// RUN: %dxil-val %t.dxil
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %rtc -T lib_6_6 -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.spv -Fc %t.spv.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=SPIRV --input-file=%t.spv.txt
RWStructuredBuffer<float> o : register(u0);
struct Member { precise float p; float q; };
// Three products and sums are exact.
// SPIRV-COUNT-6: NoContraction
// SPIRV-NOT: NoContraction

// CHECK-LABEL: define void @"\01?OtherMember@@YAXXZ"()
// CHECK: fmul float
// CHECK: fadd float
// CHECK: FMad
// CHECK-NOT: precise
// CHECK: ret void
[shader("raygeneration")] void OtherMember() { Member m; m.p = o[1] * o[2] + o[3]; m.q = o[4] * o[5] + o[6]; o[0] = m.p; o[1] = m.q; }

// CHECK-LABEL: define void @"\01?OtherCall@@YAXXZ"()
// CHECK-NOT: !dx.precise
// CHECK: fmul float
// CHECK: fadd float
// CHECK-NOT: !dx.precise
// CHECK: FMad
// CHECK-NOT: !dx.precise
// CHECK: ret void
float called(float x, float y, float z) { return x * y + z; }
[shader("raygeneration")] void OtherCall() { precise float a = called(o[1], o[2], o[3]); float b = called(o[4], o[5], o[6]); o[0] = a; o[1] = b; }

// CHECK-LABEL: define void @"\01?OtherComponent@@YAXXZ"()
// CHECK: fmul float
// CHECK: fadd float
// CHECK: FMad
// CHECK-NOT: !dx.precise
// CHECK: ret void
[shader("raygeneration")] void OtherComponent()
{
    float2 both = float2(o[1] * o[2] + o[3], o[4] * o[5] + o[6]);
    precise float a = both.x;
    float early = o[7];
    o[0] = a; o[1] = both.y; o[2] = early;
}

// CHECK-LABEL: define void @"\01?Used@@YAXXZ"()
// CHECK-NOT: fast
// CHECK: fmul fast float
// CHECK: ret void
[shader("raygeneration")] void Used() { precise float a = o[1]; o[0] = a * 3.5; }
