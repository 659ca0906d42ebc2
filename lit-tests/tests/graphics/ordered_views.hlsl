// Rasteriser-ordered views: in SPIR-V one critical section around all accesses, which threads enter and leave once at most.
// RUN: %rtc -T ps_6_0 -E main %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc -spirv -T ps_6_0 -E main %s -fspv-target-env=vulkan1.3 -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T ps_6_0 -E main %s -fspv-target-env=vulkan1.3 | FileCheck %s
// RUN: %rtc -spirv -T ps_6_0 -E in_branch %s -fspv-target-env=vulkan1.3 -Fo %t.branch.spv
// RUN: %spirv-val %t.branch.spv
// RUN: %rtc -spirv -T ps_6_0 -E in_branch %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefix=BRANCH
// RUN: %rtc -spirv -T ps_6_0 -E in_loop %s -fspv-target-env=vulkan1.3 -Fo %t.loop.spv
// RUN: %spirv-val %t.loop.spv
// RUN: %rtc -spirv -T ps_6_0 -E in_loop %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefix=LOOP
// RUN: %rtc -spirv -T ps_6_0 -E leaves_early %s -fspv-target-env=vulkan1.3 -Fo %t.early.spv
// RUN: %spirv-val %t.early.spv
// RUN: %rtc -spirv -T ps_6_0 -E leaves_early %s -Od -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefix=EARLY
// RUN: %rtc -spirv -T ps_6_0 -E by_sample %s | FileCheck %s --check-prefix=SAMPLE
// RUN: %rtc -spirv -T ps_6_0 -E only_size %s | FileCheck %s --check-prefix=SIZE
// RUN: %rtc -spirv -T ps_6_6 -E from_heap %s -fspv-target-env=vulkan1.3 -Fo %t.heap.spv
// RUN: %spirv-val %t.heap.spv
// RUN: %rtc -spirv -T ps_6_6 -E from_heap %s -fspv-target-env=vulkan1.3 | FileCheck %s --check-prefix=HEAP

RasterizerOrderedTexture2D<float4> Acc : register(u0);
RasterizerOrderedStructuredBuffer<uint> List : register(u1);
RasterizerOrderedByteAddressBuffer Bytes[2] : register(u2);
RasterizerOrderedBuffer<uint> Typed : register(u5);
RWByteAddressBuffer Plain : register(u4);

void add(inout float4 sum, float4 x) { sum += x; }

float4 main(float4 at : SV_Position, float4 colour : COLOR, nointerpolation uint k : K) : SV_Target
{
    Plain.InterlockedAdd(0, 1);
    add(Acc[at.xy], colour);
    if (k > 2)
        List[k] += k;
    uint old;
    Bytes[k & 1].InterlockedAdd(4 * k, 7, old);
    Typed[k] = old;
    Plain.InterlockedAdd(4, 1);
    return old;
}

// CHECK: OpCapability FragmentShaderPixelInterlockEXT
// CHECK: OpExtension "SPV_EXT_fragment_shader_interlock"
// CHECK: OpExecutionMode {{%[0-9A-Za-z_]+}} PixelInterlockOrderedEXT
// CHECK: OpDecorate {{%[0-9A-Za-z_]+}} Coherent
// CHECK: OpFunction
// CHECK: OpAtomicIAdd
// CHECK: OpBeginInvocationInterlockEXT
// CHECK: OpImageRead
// CHECK: OpImageWrite
// CHECK: OpBranchConditional
// CHECK: OpStore
// CHECK: OpAtomicIAdd
// CHECK: OpImageWrite
// CHECK-NEXT: OpEndInvocationInterlockEXT
// CHECK: OpAtomicIAdd
// CHECK-NOT: InvocationInterlockEXT
// CHECK: OpFunctionEnd

// Other threads do not wait.
void in_branch(nointerpolation uint k : K)
{
    [branch] if (k > 2) {
        Plain.InterlockedAdd(0, 1);
        List[k] += 1;
    }
}

// BRANCH: OpBranchConditional
// BRANCH: OpAtomicIAdd
// BRANCH: OpBeginInvocationInterlockEXT
// BRANCH: OpLoad
// BRANCH: OpStore
// BRANCH-NEXT: OpEndInvocationInterlockEXT
// BRANCH-NOT: InvocationInterlockEXT

void in_loop(nointerpolation uint k : K)
{
    [loop] for (uint i = 0; i < k; ++i) {
        if (Plain.Load(i) == 7)
            break;
        if (i & 1)
            List[i] += 1;
    }
    Plain.Store(0, 1);
}

// LOOP: OpBeginInvocationInterlockEXT
// LOOP: OpLoopMerge
// LOOP: OpStore
// LOOP: OpEndInvocationInterlockEXT
// LOOP-NEXT: OpAccessChain
// LOOP-NEXT: OpStore
// LOOP-NOT: InvocationInterlockEXT

float4 leaves_early(nointerpolation uint k : K) : SV_Target
{
    List[0] = 1;
    [branch] if (k == 5) {
        Plain.Store(0, 1);
        return 1;
    }
    List[1] = 2;
    return 0;
}

// EARLY: OpBeginInvocationInterlockEXT
// EARLY: OpEndInvocationInterlockEXT
// EARLY: OpEndInvocationInterlockEXT
// EARLY-NOT: InvocationInterlockEXT

void by_sample(nointerpolation uint k : K, uint sample : SV_SampleIndex)
{
    List[k] += sample;
}

// SAMPLE: OpCapability FragmentShaderSampleInterlockEXT
// SAMPLE: SampleInterlockOrderedEXT

// The size of a view is no access.
uint2 only_size() : SV_Target
{
    uint2 size;
    Acc.GetDimensions(size.x, size.y);
    return size;
}

// SIZE-NOT: InterlockOrderedEXT
// SIZE-NOT: OpBeginInvocationInterlockEXT

#if __SHADER_TARGET_MINOR >= 6
void from_heap(nointerpolation uint k : K)
{
    RasterizerOrderedTexture2D<uint> t = ResourceDescriptorHeap[k];
    t[uint2(k, 1)] += 1;
}
#endif

// HEAP: PixelInterlockOrderedEXT
// HEAP: OpBeginInvocationInterlockEXT
// HEAP: OpImageRead
// HEAP: OpImageWrite
// HEAP-NEXT: OpEndInvocationInterlockEXT
