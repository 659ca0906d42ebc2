// Discarding in SPIR-V: the thread ends, or goes on as a helper where the environment, an option or the shader asks for that.
// RUN: %rtc -spirv -T ps_6_0 -E plain %s | FileCheck %s --check-prefix=ENDS
// RUN: %rtc -spirv -T ps_6_0 -E plain %s -fspv-target-env=vulkan1.2 | FileCheck %s --check-prefix=ENDS
// RUN: %rtc -spirv -T ps_6_0 -E plain %s -fspv-extension=SPV_EXT_demote_to_helper_invocation | FileCheck %s --check-prefix=EXTENSION
// RUN: %rtc -spirv -T ps_6_0 -E plain %s -fspv-extension=SPV_EXT_demote_to_helper_invocation -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T ps_6_0 -E plain %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefix=CORE
// RUN: %rtc -spirv -T ps_6_0 -E asks %s | FileCheck %s --check-prefixes=EXTENSION,ASKS
// RUN: %rtc -spirv -T ps_6_0 -E asks %s -Fo %t.asks.spv
// RUN: %spirv-val %t.asks.spv
// RUN: %rtc -spirv -T ps_6_0 -E asks %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefixes=CORE,VOLATILE
// RUN: %rtc -spirv -T ps_6_0 -E builtin %s | FileCheck %s --check-prefixes=EXTENSION,ASKS
// RUN: %rtc -spirv -T ps_6_0 -E builtin %s -Fo %t.builtin.spv
// RUN: %spirv-val %t.builtin.spv
// RUN: %rtc -spirv -T vs_6_0 -E vertex %s | FileCheck %s --check-prefix=VERTEX

// ENDS-NOT: DemoteToHelperInvocation
// ENDS: OpKill
// EXTENSION: OpCapability DemoteToHelperInvocation
// EXTENSION: OpExtension "SPV_EXT_demote_to_helper_invocation"
// ASKS-NOT: BuiltIn HelperInvocation
// EXTENSION: OpDemoteToHelperInvocation
// EXTENSION-NOT: OpKill
// CORE: OpCapability DemoteToHelperInvocation
// CORE-NOT: SPV_EXT_demote_to_helper_invocation
// VOLATILE: BuiltIn HelperInvocation
// CORE: OpDemoteToHelperInvocation
// CORE-NOT: OpKill
// VERTEX-NOT: HelperInvocation
// The derivative is that of a quad whose helpers live on.
float4 plain(float f : F) : SV_Target { if (f < 1) discard; clip(f - 2); return ddx(f); }
// VOLATILE: OpLoad {{.*}} Volatile
float4 asks(float f : F) : SV_Target { clip(f); return IsHelperLane() ? 0 : ddx(f); }
float4 builtin([[vk::builtin("HelperInvocation")]] bool helper : H, float f : F) : SV_Target { clip(f); return helper ? 0 : ddx(f); }
float4 vertex() : SV_Position { return IsHelperLane(); }
