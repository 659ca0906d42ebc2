// What a `precise` value is computed from is exact, whatever holds the value and however it came there: every shader here computes nothing else.
// RUN: %rtc -T lib_6_6 -validator-version 1.6 %s -Fo %t.dxil -Fc %t.txt
// RUN: %dxil-val %t.dxil
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %rtc -T lib_6_6 -validator-version 1.6 -Od %s -Fo %t.od.dxil -Fc %t.od.txt
// RUN: %dxil-val %t.od.dxil
// RUN: FileCheck %s --input-file=%t.od.txt
// RUN: %rtc -T lib_6_6 -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.spv -Fc %t.spv.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=SPIRV --input-file=%t.spv.txt
// CHECK-NOT: fast
// CHECK: !dx.precise
// CHECK-NOT: fast
// SPIRV: OpExecutionMode {{.*}} SignedZeroInfNanPreserve 32
// SPIRV-COUNT-64: NoContraction
RWStructuredBuffer<float> o : register(u0);

struct Base { precise float b; };
struct Member : Base { precise float p; int other; };
struct Nested { Member m[2]; };
struct Store { precise float kept; float other; };
RWStructuredBuffer<Store> stores : register(u1);

[shader("raygeneration")] void LocalStructure() { Member m; m.p = o[1] * o[2] + o[3]; m.b = o[1] * o[2] - o[3]; o[0] = m.p; o[4] = m.b; }
[shader("raygeneration")] void ArrayOfStructures()
{
    Nested n;
    n.m[0].p = o[1] * o[2] + o[3];
    n.m[1].p = o[2] * o[3] + o[4];
    o[0] = n.m[(uint)o[9] & 1].p;
}
Member made(float x, float y) { Member m = (Member)0; m.p = x * y + o[3]; return m; }
[shader("raygeneration")] void ReturnedStructure() { Member m = made(o[1], o[2]); o[0] = m.p; }
[shader("raygeneration")] void CopiedStructure() { Member a; a.b = 0; a.other = 0; a.p = o[1] * o[2] + o[3]; Member b = a; Nested n; n.m[0] = b; n.m[1] = b; o[0] = n.m[(uint)o[5] & 1].p; }
[shader("raygeneration")] void InABuffer() { stores[0].kept = o[1] * o[2] + o[3]; stores[1].kept *= o[4]; }
struct Method { precise float v; void set(float x, float y) { v = x * y + o[3]; } float twice() { return v; } };
[shader("raygeneration")] void Methods() { Method m; m.set(o[1], o[2]); o[0] = m.twice(); }

static precise float Static;
static float Plain;
groupshared precise float Shared;
void statics(float x) { Static = x * o[2] + o[3]; Plain = x * o[3] + o[4]; }
[shader("raygeneration")] void Statics() { statics(o[1]); precise float p = Plain; o[0] = Static; o[1] = p; }
void local_static(float x) { static precise float kept = 0; kept = kept * x + o[4]; o[0] = kept; }
[shader("raygeneration")] void LocalStatic() { local_static(o[1]); }

float called(float x, float y, float z) { return x * y + z; }
void given(out float r, float x) { r = x * o[2] + o[3]; }
void changed(inout float r, float x) { r = r * x + o[3]; }
template<typename T> T generic(T x, T y) { return x * y + x; }
[shader("raygeneration")] void Calls()
{
    precise float a = called(o[1], o[2], o[3]);
    precise float b;
    given(b, o[4]);
    precise float c = o[5];
    changed(c, o[6]);
    precise float d = generic<float>(o[1], o[2]);
    o[0] = a; o[1] = b; o[2] = c; o[3] = d;
}
precise float result(float x, float y) { return x * y + o[3]; }
precise Member whole(float x, float y) { Member m = (Member)0; m.p = x * y + o[3]; return m; }
void parameters(precise float x, out precise float y, inout precise float z) { y = x * o[1] + o[2]; z = z * x + o[3]; o[0] = x; }
[shader("raygeneration")] void ResultsAndParameters()
{
    o[0] = result(o[1], o[2]);
    Member m = whole(o[1], o[4]);
    o[1] = m.p;
    float y, z = o[4] * o[5];
    parameters(o[6] * o[7] + o[8], y, z);
    o[2] = y; o[3] = z;
}
[shader("raygeneration")] void Flow()
{
    float sum = o[1];
    for (uint i = 0; i < (uint)o[30]; ++i) { sum = sum * o[i] + o[i + 1]; if (sum == 5) break; }
    precise float r = sum;
    float t;
    switch ((uint)o[2]) { case 0: t = o[3] * o[4] + 1; break; case 1: t = o[4] * o[5] + 2; break; default: t = 0; break; }
    precise float s = asfloat(asuint(t) & 0xfffffff0);
    float a[4];
    a[(uint)o[5] & 3] = o[6] * o[7] + o[8];
    a[(uint)o[6] & 3] = o[7] * o[8] + o[9];
    precise float v = a[(uint)o[7] & 3];
    o[0] = r; o[1] = s; o[2] = v;
}
[shader("raygeneration")] void Vectors()
{
    precise float4 p = mul(float4x4(o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8], o[9], o[10], o[11], o[12], o[13], o[14], o[15]), float4(o[16], o[17], o[18], 1));
    precise float d = dot(float3(o[1], o[2], o[3]), float3(o[4], o[5], o[6])) + length(float2(o[7], o[8])) + mad(o[1], o[2], o[3]);
    o[0] = p.x; o[1] = p.y; o[2] = p.z; o[3] = p.w; o[4] = d;
}
