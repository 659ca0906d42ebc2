// Cooperative matrices of SPV_KHR_cooperative_matrix: a class whose operations are instructions of SPIR-V.
#pragma once

#if __SPIRV_MAJOR_VERSION__ == 1 && __SPIRV_MINOR_VERSION__ < 6
#error "cooperative matrices require SPIR-V 1.6: use -fspv-target-env=vulkan1.3"
#endif

#include <vk/spirv.h>
#include <vk/opcode_selector.h>

template <typename ResultType, typename ComponentType>
[[vk::ext_instruction(/* OpMatrixTimesScalar */ 143)]] ResultType __builtin_spv_MatrixTimesScalar(ResultType a, ComponentType b);

template <typename CoopMatrixType, typename ComponentType>
[[vk::ext_instruction(/* OpCompositeConstruct */ 80)]] CoopMatrixType __builtin_spv_ConstructCooperativeMatrix(ComponentType value);

template <class ResultPointerType, class BaseType>
[[vk::ext_instruction(/* OpAccessChain */ 65)]] ResultPointerType
__builtin_spv_AccessChain([[vk::ext_reference]] BaseType base, uint32_t index);

template <class ObjectType, class PointerType>
[[vk::ext_instruction(/* OpLoad */ 61)]] ObjectType __builtin_spv_LoadPointer(PointerType base);

template <class PointerType, class ObjectType>
[[vk::ext_instruction(/* OpStore */ 62)]] void __builtin_spv_StorePointer(PointerType base, ObjectType object);

template <typename ResultType, typename PointerType>
[[vk::ext_instruction(/* OpCooperativeMatrixLoadKHR */ 4457)]] ResultType __builtin_spv_CooperativeMatrixLoadKHR(
    [[vk::ext_reference]] PointerType pointer, vk::CooperativeMatrixLayout memory_layout, uint stride,
    [[vk::ext_literal]] uint32_t memory_operand);
template <typename ResultType, typename PointerType>
[[vk::ext_instruction(/* OpCooperativeMatrixLoadKHR */ 4457)]] ResultType __builtin_spv_CooperativeMatrixLoadKHR(
    [[vk::ext_reference]] PointerType pointer, vk::CooperativeMatrixLayout memory_layout, uint stride,
    [[vk::ext_literal]] uint32_t memory_operand, vk::Scope scope);
template <typename ResultType, typename PointerType>
[[vk::ext_instruction(/* OpCooperativeMatrixLoadKHR */ 4457)]] ResultType __builtin_spv_CooperativeMatrixWorkgroupLoadKHR(
    vk::WorkgroupSpirvPointer<PointerType> pointer, vk::CooperativeMatrixLayout memory_layout, uint stride,
    [[vk::ext_literal]] uint32_t memory_operand, vk::Scope scope);

template <typename ObjectType, typename PointerType>
[[vk::ext_instruction(/* OpCooperativeMatrixStoreKHR */ 4458)]] void __builtin_spv_CooperativeMatrixStoreKHR(
    [[vk::ext_reference]] PointerType pointer, ObjectType object, vk::CooperativeMatrixLayout memory_layout, uint stride,
    [[vk::ext_literal]] uint32_t memory_operand);
template <typename ObjectType, typename PointerType>
[[vk::ext_instruction(/* OpCooperativeMatrixStoreKHR */ 4458)]] void __builtin_spv_CooperativeMatrixStoreKHR(
    [[vk::ext_reference]] PointerType pointer, ObjectType object, vk::CooperativeMatrixLayout memory_layout, uint stride,
    [[vk::ext_literal]] uint32_t memory_operand, vk::Scope scope);
template <typename ObjectType, typename PointerType>
[[vk::ext_instruction(/* OpCooperativeMatrixStoreKHR */ 4458)]] void __builtin_spv_CooperativeMatrixWorkgroupStoreKHR(
    vk::WorkgroupSpirvPointer<PointerType> pointer, ObjectType object, vk::CooperativeMatrixLayout memory_layout, uint stride,
    [[vk::ext_literal]] uint32_t memory_operand, vk::Scope scope);

// The operand of the instruction is the type of this one.
template <class MatrixType>
[[vk::ext_instruction(/* OpCooperativeMatrixLengthKHR */ 4460)]] uint __builtin_spv_LengthOfCooperativeMatrix(MatrixType of);

template <class MatrixType> uint __builtin_spv_CooperativeMatrixLengthKHR()
{
    MatrixType of;
    return __builtin_spv_LengthOfCooperativeMatrix(of);
}

template <typename ResultType, typename MatrixTypeA, typename MatrixTypeB, typename MatrixTypeC>
[[vk::ext_instruction(/* OpCooperativeMatrixMulAddKHR */ 4459)]] ResultType
__builtin_spv_CooperativeMatrixMulAddKHR(MatrixTypeA a, MatrixTypeB b, MatrixTypeC c, [[vk::ext_literal]] int operands);

namespace vk {
namespace khr {

template <typename ComponentType, Scope scope, uint rows, uint columns, CooperativeMatrixUse use>
class CooperativeMatrix
{
    // The operands of OpTypeCooperativeMatrixKHR.
    using SpirvMatrixType = vk::SpirvOpaqueType<4456, ComponentType, vk::integral_constant<uint, scope>, vk::integral_constant<uint, rows>,
        vk::integral_constant<uint, columns>, vk::integral_constant<uint, use> >;

    [[vk::ext_extension("SPV_KHR_cooperative_matrix")]]
    [[vk::ext_capability(/* CooperativeMatrixKHR */ 6022)]]
    [[vk::ext_capability(/* VulkanMemoryModel */ 5345)]]
    SpirvMatrixType _matrix;

    static const bool hasSignedIntegerComponentType = (ComponentType(0) - ComponentType(1) < ComponentType(0));

    static CooperativeMatrix from(SpirvMatrixType matrix)
    {
        CooperativeMatrix result;
        result._matrix = matrix;
        return result;
    }

    // Component by component ----------------------------------------------------------------------

    template <class NewComponentType> CooperativeMatrix<NewComponentType, scope, rows, columns, use> cast()
    {
        CooperativeMatrix<NewComponentType, scope, rows, columns, use> result;
        result._matrix = vk::util::ConversionSelector<ComponentType, NewComponentType>::template
            Convert<typename CooperativeMatrix<NewComponentType, scope, rows, columns, use>::SpirvMatrixType>(_matrix);
        return result;
    }
    CooperativeMatrix negate() { return from(vk::util::ArithmeticSelector<ComponentType>::Negate(_matrix)); }
    CooperativeMatrix operator+(CooperativeMatrix other)
    {
        return from(vk::util::ArithmeticSelector<ComponentType>::Add(_matrix, other._matrix));
    }
    CooperativeMatrix operator-(CooperativeMatrix other)
    {
        return from(vk::util::ArithmeticSelector<ComponentType>::Sub(_matrix, other._matrix));
    }
    CooperativeMatrix operator*(CooperativeMatrix other)
    {
        return from(vk::util::ArithmeticSelector<ComponentType>::Mul(_matrix, other._matrix));
    }
    CooperativeMatrix operator/(CooperativeMatrix other)
    {
        return from(vk::util::ArithmeticSelector<ComponentType>::Div(_matrix, other._matrix));
    }
    CooperativeMatrix operator*(ComponentType scalar) { return from(__builtin_spv_MatrixTimesScalar(_matrix, scalar)); }

    // All components are v, which is the same in the whole scope.
    static CooperativeMatrix Splat(ComponentType v) { return from(__builtin_spv_ConstructCooperativeMatrix<SpirvMatrixType>(v)); }

    // The components that this invocation holds.
    static uint32_t GetLength() { return __builtin_spv_CooperativeMatrixLengthKHR<SpirvMatrixType>(); }
    ComponentType Get(uint32_t index)
    {
        using Pointer = vk::SpirvOpaqueType</* OpTypePointer */ 32, vk::Literal<vk::integral_constant<uint, /* Function */ 7> >, ComponentType>;
        Pointer at = __builtin_spv_AccessChain<Pointer>(_matrix, index);
        return __builtin_spv_LoadPointer<ComponentType>(at);
    }
    void Set(ComponentType value, uint32_t index)
    {
        using Pointer = vk::SpirvOpaqueType</* OpTypePointer */ 32, vk::Literal<vk::integral_constant<uint, /* Function */ 7> >, ComponentType>;
        Pointer at = __builtin_spv_AccessChain<Pointer>(_matrix, index);
        __builtin_spv_StorePointer(at, value);
    }

    // Memory --------------------------------------------------------------------------------------
    // Layout, stride and memory operands go to the instruction as they are; accesses to group-shared and to coherent memory are made
    // available and visible in its scope.

    template <uint32_t memoryAccessOperands, CooperativeMatrixLayout layout, class Type>
    void Store(WorkgroupSpirvPointer<Type> data, uint32_t stride)
    {
        __builtin_spv_CooperativeMatrixWorkgroupStoreKHR(data, _matrix, layout, stride,
            memoryAccessOperands | MemoryAccessNonPrivatePointerMask | MemoryAccessMakePointerAvailableMask, ScopeWorkgroup);
    }
    template <CooperativeMatrixLayout layout, class Type> void Store(WorkgroupSpirvPointer<Type> data, uint32_t stride)
    {
        Store<MemoryAccessMaskNone, layout>(data, stride);
    }
    template <uint32_t memoryAccessOperands, CooperativeMatrixLayout layout, class Type>
    void Store(RWStructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        __builtin_spv_CooperativeMatrixStoreKHR(data[index], _matrix, layout, stride, memoryAccessOperands);
    }
    template <CooperativeMatrixLayout layout, class Type> void Store(RWStructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        Store<MemoryAccessMaskNone, layout>(data, index, stride);
    }
    template <uint32_t memoryAccessOperands, CooperativeMatrixLayout layout, class Type>
    void CoherentStore(globallycoherent RWStructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        __builtin_spv_CooperativeMatrixStoreKHR(data[index], _matrix, layout, stride,
            memoryAccessOperands | MemoryAccessNonPrivatePointerMask | MemoryAccessMakePointerAvailableMask, ScopeQueueFamily);
    }
    template <CooperativeMatrixLayout layout, class Type> void CoherentStore(globallycoherent RWStructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        CoherentStore<MemoryAccessMaskNone, layout>(data, index, stride);
    }

    template <uint32_t memoryAccessOperands, CooperativeMatrixLayout layout, class Type>
    static CooperativeMatrix Load(WorkgroupSpirvPointer<Type> data, uint32_t stride)
    {
        return from(__builtin_spv_CooperativeMatrixWorkgroupLoadKHR<SpirvMatrixType>(data, layout, stride,
            memoryAccessOperands | MemoryAccessNonPrivatePointerMask | MemoryAccessMakePointerVisibleMask, ScopeWorkgroup));
    }
    template <CooperativeMatrixLayout layout, class Type> static CooperativeMatrix Load(WorkgroupSpirvPointer<Type> data, uint32_t stride)
    {
        return Load<MemoryAccessMaskNone, layout>(data, stride);
    }
    template <uint32_t memoryAccessOperands, CooperativeMatrixLayout layout, class Type>
    static CooperativeMatrix Load(RWStructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        return from(__builtin_spv_CooperativeMatrixLoadKHR<SpirvMatrixType>(data[index], layout, stride, memoryAccessOperands));
    }
    template <CooperativeMatrixLayout layout, class Type> static CooperativeMatrix Load(RWStructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        return Load<MemoryAccessMaskNone, layout>(data, index, stride);
    }
    template <uint32_t memoryAccessOperands, CooperativeMatrixLayout layout, class Type>
    static CooperativeMatrix Load(StructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        return from(__builtin_spv_CooperativeMatrixLoadKHR<SpirvMatrixType>(data[index], layout, stride, memoryAccessOperands));
    }
    template <CooperativeMatrixLayout layout, class Type> static CooperativeMatrix Load(StructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        return Load<MemoryAccessMaskNone, layout>(data, index, stride);
    }
    template <uint32_t memoryAccessOperands, CooperativeMatrixLayout layout, class Type>
    static CooperativeMatrix CoherentLoad(globallycoherent RWStructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        return from(__builtin_spv_CooperativeMatrixLoadKHR<SpirvMatrixType>(data[index], layout, stride,
            memoryAccessOperands | MemoryAccessNonPrivatePointerMask | MemoryAccessMakePointerVisibleMask, ScopeQueueFamily));
    }
    template <CooperativeMatrixLayout layout, class Type> static CooperativeMatrix CoherentLoad(globallycoherent RWStructuredBuffer<Type> data, uint32_t index, uint32_t stride)
    {
        return CoherentLoad<MemoryAccessMaskNone, layout>(data, index, stride);
    }
};

// The matrices of a product r = a * b + c.
template <typename ComponentType, Scope scope, uint rows, uint columns>
using CooperativeMatrixA = CooperativeMatrix<ComponentType, scope, rows, columns, CooperativeMatrixUseMatrixAKHR>;
template <typename ComponentType, Scope scope, uint rows, uint columns>
using CooperativeMatrixB = CooperativeMatrix<ComponentType, scope, rows, columns, CooperativeMatrixUseMatrixBKHR>;
template <typename ComponentType, Scope scope, uint rows, uint columns>
using CooperativeMatrixAccumulator = CooperativeMatrix<ComponentType, scope, rows, columns, CooperativeMatrixUseMatrixAccumulatorKHR>;

// The operands of the product: all matrices have one component type, so all are signed or none is.
template <bool isSigned> struct MultiplyAddOperands { static const int value = 0; };
template <> struct MultiplyAddOperands<true>
{
    static const int value = CooperativeMatrixOperandsMatrixASignedComponentsKHRMask | CooperativeMatrixOperandsMatrixBSignedComponentsKHRMask |
        CooperativeMatrixOperandsMatrixCSignedComponentsKHRMask | CooperativeMatrixOperandsMatrixResultSignedComponentsKHRMask;
};

template <typename ComponentType, Scope scope, uint rows, uint columns, uint K>
CooperativeMatrix<ComponentType, scope, rows, columns, CooperativeMatrixUseMatrixAccumulatorKHR> cooperativeMatrixMultiplyAdd(
    CooperativeMatrix<ComponentType, scope, rows, K, CooperativeMatrixUseMatrixAKHR> a,
    CooperativeMatrix<ComponentType, scope, K, columns, CooperativeMatrixUseMatrixBKHR> b,
    CooperativeMatrix<ComponentType, scope, rows, columns, CooperativeMatrixUseMatrixAccumulatorKHR> c)
{
    using Result = CooperativeMatrix<ComponentType, scope, rows, columns, CooperativeMatrixUseMatrixAccumulatorKHR>;
    return Result::from(__builtin_spv_CooperativeMatrixMulAddKHR<typename Result::SpirvMatrixType>(
        a._matrix, b._matrix, c._matrix, MultiplyAddOperands<Result::hasSignedIntegerComponentType>::value));
}

template <typename ComponentType, Scope scope, uint rows, uint columns, uint K>
CooperativeMatrix<ComponentType, scope, rows, columns, CooperativeMatrixUseMatrixAccumulatorKHR> cooperativeMatrixSaturatingMultiplyAdd(
    CooperativeMatrix<ComponentType, scope, rows, K, CooperativeMatrixUseMatrixAKHR> a,
    CooperativeMatrix<ComponentType, scope, K, columns, CooperativeMatrixUseMatrixBKHR> b,
    CooperativeMatrix<ComponentType, scope, rows, columns, CooperativeMatrixUseMatrixAccumulatorKHR> c)
{
    using Result = CooperativeMatrix<ComponentType, scope, rows, columns, CooperativeMatrixUseMatrixAccumulatorKHR>;
    return Result::from(__builtin_spv_CooperativeMatrixMulAddKHR<typename Result::SpirvMatrixType>(
        a._matrix, b._matrix, c._matrix, MultiplyAddOperands<Result::hasSignedIntegerComponentType>::value | CooperativeMatrixOperandsSaturatingAccumulationKHRMask));
}

}
}
