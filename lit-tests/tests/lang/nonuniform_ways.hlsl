// NonUniformResourceIndex stays with its value through parameters, methods, statics, members, arrays, loops, selections and arithmetic, for every kind of
// resource and for heaps; an index next to it stays uniform.
// RUN: %rtc -T ps_6_6 -E main -validator-version 1.6 %s -Fo %t.dxil -Fc %t.txt
// RUN: %dxil-val %t.dxil
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %rtc -T ps_6_6 -E main -Od -validator-version 1.6 %s -Fo %t.od.dxil -Fc %t.od.txt
// RUN: FileCheck %s --input-file=%t.od.txt
// RUN: %rtc -T ps_6_6 -E main -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.spv -Fc %t.spv.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=SPIRV --input-file=%t.spv.txt
// RUN: %rtc -T ps_6_6 -E main -D UNIFORM %s -Fo %t.u.dxil -Fc %t.u.txt
// RUN: FileCheck %s --check-prefix=UNIFORM --input-file=%t.u.txt
// RUN: %rtc -T ps_6_6 -E main -D UNIFORM -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.u.spv -Fc %t.u.spv.txt
// RUN: FileCheck %s --check-prefix=SPIRV-UNIFORM --input-file=%t.u.spv.txt
// CHECK: define void @main
// CHECK-NOT: i1 false) ; CreateHandleFrom
// CHECK: i1 true) ; CreateHandleFrom
// CHECK-NOT: i1 false) ; CreateHandleFrom
// CHECK: ret void
// SPIRV: OpCapability ShaderNonUniform
// SPIRV-DAG: OpCapability SampledImageArrayNonUniformIndexing
// SPIRV-DAG: OpCapability StorageBufferArrayNonUniformIndexing
// SPIRV-DAG: OpCapability StorageImageArrayNonUniformIndexing
// SPIRV-DAG: OpCapability UniformBufferArrayNonUniformIndexing
// UNIFORM-NOT: i1 true) ; CreateHandleFrom
// SPIRV-UNIFORM-NOT: NonUniform
#ifdef UNIFORM
#define NonUniformResourceIndex(x) (x)
#endif
Texture2D<float4> T[] : register(t0, space1);
StructuredBuffer<float4> S[] : register(t0, space2);
ByteAddressBuffer B[] : register(t0, space3);
RWTexture2D<float4> W[] : register(u0, space4);
struct Constants { float4 c; };
ConstantBuffer<Constants> C[] : register(b0, space5);
SamplerState Samplers[] : register(s0, space6);

void pick(uint x, out uint y) { y = NonUniformResourceIndex(x); }
void mark(inout uint y) { y = NonUniformResourceIndex(y); }
struct Picker { uint i; uint pad; void set(uint x) { i = NonUniformResourceIndex(x); } uint get() { return i; } };
struct Derived : Picker { uint more; };
static uint G;
void keep(uint x) { G = NonUniformResourceIndex(x); }
template<typename V> void through(V x, out V y) { y = x; }

float4 main(nointerpolation uint id : ID, nointerpolation uint n : N) : SV_Target
{
    float4 sum = 0;
    uint y; pick(id, y); sum += T[y].Load(int3(0, 0, 0));
    uint z = id; mark(z); sum += S[z][0];
    Derived p; p.pad = 0; p.more = 0; p.set(id); sum += asfloat(B[p.get()].Load4(0)); W[p.i][uint2(0, 0)] = 1;
    keep(id); sum += C[G].c;
    uint a[4]; a[id & 3] = NonUniformResourceIndex(id); a[n & 3] = 1; sum += T[a[(id + 1) & 3]].Load(int3(0, 0, 0));
    uint l = 0; for (uint i = 0; i < n; ++i) { if (i == 3) { l = NonUniformResourceIndex(i + id); break; } } sum += S[l][0];
    uint s = n > 3 ? NonUniformResourceIndex(id) : 2; sum += T[s * 2 + 1].Sample(Samplers[s + 1], float2(0, 0));
    uint v; through<uint>(NonUniformResourceIndex(id), v); uint2 pair = uint2(v, 1); sum += S[pair.x][1];
    Texture2D<float4> heap = ResourceDescriptorHeap[y + 1]; SamplerState sampler_ = SamplerDescriptorHeap[z];
    sum += heap.Sample(sampler_, float2(0, 0));
    return sum;
}
