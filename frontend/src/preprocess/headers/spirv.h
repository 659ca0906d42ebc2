// Numbers of SPIR-V by name, and pointers to group-shared memory, for inline SPIR-V.
#pragma once

namespace vk {

enum CooperativeMatrixUse {
    CooperativeMatrixUseMatrixAKHR = 0,
    CooperativeMatrixUseMatrixBKHR = 1,
    CooperativeMatrixUseMatrixAccumulatorKHR = 2,
    CooperativeMatrixUseMax = 0x7fffffff
};

enum CooperativeMatrixLayout {
    CooperativeMatrixLayoutRowMajorKHR = 0,
    CooperativeMatrixLayoutColumnMajorKHR = 1,
    CooperativeMatrixLayoutRowBlockedInterleavedARM = 4202,
    CooperativeMatrixLayoutColumnBlockedInterleavedARM = 4203,
    CooperativeMatrixLayoutMax = 0x7fffffff
};

enum CooperativeMatrixOperandsMask {
    CooperativeMatrixOperandsMaskNone = 0,
    CooperativeMatrixOperandsMatrixASignedComponentsKHRMask = 1,
    CooperativeMatrixOperandsMatrixBSignedComponentsKHRMask = 2,
    CooperativeMatrixOperandsMatrixCSignedComponentsKHRMask = 4,
    CooperativeMatrixOperandsMatrixResultSignedComponentsKHRMask = 8,
    CooperativeMatrixOperandsSaturatingAccumulationKHRMask = 16
};

enum MemoryAccessMask {
    MemoryAccessMaskNone = 0,
    MemoryAccessVolatileMask = 0x1,
    MemoryAccessAlignedMask = 0x2,
    MemoryAccessNontemporalMask = 0x4,
    MemoryAccessMakePointerAvailableMask = 0x8,
    MemoryAccessMakePointerAvailableKHRMask = 0x8,
    MemoryAccessMakePointerVisibleMask = 0x10,
    MemoryAccessMakePointerVisibleKHRMask = 0x10,
    MemoryAccessNonPrivatePointerMask = 0x20,
    MemoryAccessNonPrivatePointerKHRMask = 0x20,
    MemoryAccessAliasScopeINTELMaskMask = 0x10000,
    MemoryAccessNoAliasINTELMaskMask = 0x20000
};

enum Scope {
    ScopeCrossDevice = 0,
    ScopeDevice = 1,
    ScopeWorkgroup = 2,
    ScopeSubgroup = 3,
    ScopeInvocation = 4,
    ScopeQueueFamily = 5,
    ScopeQueueFamilyKHR = 5,
    ScopeShaderCallKHR = 6,
    ScopeMax = 0x7fffffff
};

enum StorageClass {
    StorageClassWorkgroup = 4
};

// A pointer to group-shared memory: OpTypePointer.
template <typename PointeeType>
using WorkgroupSpirvPointer = const vk::SpirvOpaqueType<32, vk::Literal<vk::integral_constant<uint, StorageClassWorkgroup> >, PointeeType>;

// The pointer to a group-shared variable or a part of one: OpCopyObject.
template <typename T>
[[vk::ext_instruction(83)]]
WorkgroupSpirvPointer<T> GetGroupSharedAddress([[vk::ext_reference]] T v);

}
