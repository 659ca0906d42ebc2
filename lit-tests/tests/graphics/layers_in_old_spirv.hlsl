// Layers and viewports before the rasteriser: capabilities since SPIR-V 1.5, one of an extension before. Libraries say the feature of each function.
// RUN: %rtc -T vs_6_0 -E Vs -spirv -fspv-target-env=vulkan1.0 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T vs_6_0 -E Vs -spirv -fspv-target-env=vulkan1.0 %s | FileCheck %s --check-prefix=OLD
// RUN: %rtc -T vs_6_0 -E Vs -spirv -fspv-target-env=vulkan1.2 %s | FileCheck %s --check-prefix=NEW
// RUN: %rtc -T lib_6_3 %s -validator-version 1.6 -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// OLD: OpCapability ShaderViewportIndexLayerEXT
// OLD: OpExtension "SPV_EXT_shader_viewport_index_layer"
// NEW-DAG: OpCapability ShaderLayer
// NEW-DAG: OpCapability ShaderViewportIndex
struct V { float4 at : SV_Position; uint layer : SV_RenderTargetArrayIndex; uint port : SV_ViewportArrayIndex; };
[shader("vertex")] V Vs(uint i : SV_VertexID) { V v; v.at = i; v.layer = i & 1; v.port = i & 2; return v; }
