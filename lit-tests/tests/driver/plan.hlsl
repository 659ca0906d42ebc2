// -v prints the steps of a compilation, which follow from its options.
// RUN: %rtc -T cs_6_0 -v %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=DXIL %s
// RUN: %rtc -T cs_6_0 -v -Od -no-warnings %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=UNOPTIMISED %s
// RUN: %rtc -T cs_6_0 -v -spirv -auto-binding-space 1 %s -Fo %t.spv 2>&1 | FileCheck --check-prefix=VULKAN %s
// DXIL: note: plan: check payloads
// DXIL: note: plan: inline: tidy, inline
// DXIL-NEXT: note: plan: audit reorder points
// DXIL-NOT: payload qualifiers
// DXIL: note: plan: simplify: optimize
// DXIL-NOT: find the program invalid
// DXIL: note: plan: merge loads: merge_loads
// DXIL: note: plan: generate code{{$}}
// UNOPTIMISED-NOT: plan: check payloads
// UNOPTIMISED: note: plan: simplify: unroll_alone, constant_operands, handles, dce; if they find the program invalid: optimize
// UNOPTIMISED-NOT: plan: optimise
// UNOPTIMISED: note: plan: generate code, or where the target cannot express it, fold and generate code
// VULKAN: note: plan: inline: tidy, inline (if there are no matrices)
// VULKAN: note: plan: inline: inline (if there are matrices)
// VULKAN: note: plan: lower linear algebra: lower_linalg (if there are matrices)
// VULKAN: note: plan: keep payload qualifiers: payload_outputs
// VULKAN: note: plan: shrink payloads: payload_inputs (if there are no hit objects)
// VULKAN-NOT: merge loads
// VULKAN-NOT: assign registers
// VULKAN: note: plan: generate code
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void main() { Out.Store(0, 1); }
