// The names of descriptor heaps: free before shader model 6.6, and in namespaces, functions, structures and of types later.
// RUN: %rtc -T ps_6_5 -E before %s | FileCheck %s --check-prefix=BEFORE
// RUN: %rtc -T ps_6_6 -E later -DLATER %s | FileCheck %s --check-prefix=LATER
// RUN: %rtc -T ps_6_0 -E before -spirv %s | FileCheck %s --check-prefix=SPIRV

// BEFORE-NOT: createHandleFromHeap
// BEFORE: @before
// LATER: @later
// LATER: createHandleFromHeap
// SPIRV: OpName {{%[A-Za-z_0-9]+}} "ResourceDescriptorHeap"

#ifndef LATER
Texture2D<float4> ResourceDescriptorHeap[4] : register(t0);
float4 before(uint i : I) : SV_Target { return ResourceDescriptorHeap[2].Load(0); }
#else
struct SamplerDescriptorHeap { float4 ResourceDescriptorHeap; };
namespace N { static const float4 ResourceDescriptorHeap = 2; }
float4 later(float4 SamplerDescriptorHeap : A, uint i : I) : SV_Target {
  Texture2D<float4> t = ResourceDescriptorHeap[i];
  float4 ResourceDescriptorHeap = t.Load(0);
  return ResourceDescriptorHeap + SamplerDescriptorHeap + N::ResourceDescriptorHeap;
}
#endif
