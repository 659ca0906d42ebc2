// Texel buffers that are chosen at run time need an extension before SPIR-V 1.5, whether or not the index is uniform.
// RUN: %rtc -T ps_6_0 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T ps_6_0 -E main -spirv %s | FileCheck %s
// CHECK-DAG: OpCapability UniformTexelBufferArrayDynamicIndexing
// CHECK-DAG: OpCapability StorageTexelBufferArrayDynamicIndexing
// CHECK-DAG: OpExtension "SPV_EXT_descriptor_indexing"
Buffer<float4> Read[4];
RWBuffer<float4> Written[4];
float4 main(uint i : I) : SV_Target { Written[i][0] = 1; return Read[i][0]; }
