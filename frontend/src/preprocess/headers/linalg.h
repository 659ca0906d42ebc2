// Linear algebra of shader model 6.10 (proposal 0035 of HLSL): matrices of a thread, a wave or a thread group, and products of a thread's matrix
// with vectors. A matrix is opaque; the functions are instructions of the device.
#pragma once
#include <enable_if>
#include <type_traits>

#if __HLSL_VERSION >= 2021 && (__SHADER_TARGET_MAJOR > 6 || __SHADER_TARGET_MAJOR == 6 && __SHADER_TARGET_MINOR >= 10)

#pragma dxc diagnostic push
#pragma dxc diagnostic ignored "-Whlsl-groupshared-202x"

// What numbers are, as DXIL counts them.
namespace dxil {

enum class ComponentType : uint32_t {
    Invalid, I1, I16, U16, I32, U32, I64, U64, F16, F32, F64,
    SNormF16, UNormF16, SNormF32, UNormF32, SNormF64, UNormF64, PackedS8x32, PackedU8x32,
    I8, U8, F8_E4M3FN, F8_E5M2, BFloat16,
    LastEntry
};

}

namespace dx {
namespace linalg {

// The numbers that matrices consist of: a part of the list above, with the same values.
struct ComponentType {
    enum ComponentEnum {
        I16 = 2, U16 = 3, I32 = 4, U32 = 5, I64 = 6, U64 = 7,
        F16 = 8, F32 = 9, F64 = 10,
        I8 = 19, U8 = 20,
        F8_E4M3FN = 21, F8_E5M2 = 22, BFloat16 = 23
    };
};
using ComponentEnum = ComponentType::ComponentEnum;

// What a matrix is in a product: its left side, its right side, or what it is added to.
struct MatrixUse {
    enum MatrixUseEnum { A, B, Accumulator };
};
using MatrixUseEnum = MatrixUse::MatrixUseEnum;

// Who has the same matrix.
struct MatrixScope {
    enum MatrixScopeEnum { Thread, Wave, ThreadGroup };
};
using MatrixScopeEnum = MatrixScope::MatrixScopeEnum;

// How a matrix is in memory: by rows or columns with a stride, or as the device likes it best.
struct MatrixLayout {
    enum MatrixLayoutEnum { RowMajor, ColMajor, MulOptimal, MulOptimalTranspose, OuterProductOptimal, OuterProductOptimalTranspose };
};
using MatrixLayoutEnum = MatrixLayout::MatrixLayoutEnum;

namespace __detail {

// How numbers are in vectors and arrays: each is one of HLSL, or several are in a word.
template <ComponentEnum Component> struct ComponentTypeTraits {
    using Type = uint;
    static const bool IsNativeScalar = false;
    static const uint ElementsPerScalar = 4;
};
template <> struct ComponentTypeTraits<ComponentType::BFloat16> {
    using Type = uint;
    static const bool IsNativeScalar = false;
    static const uint ElementsPerScalar = 2;
};

// Which numbers a type of HLSL holds.
template <typename T> struct TypeTraits { static const ComponentEnum CompType = (ComponentEnum)0; };

#define __RTC_NATIVE(COMPONENT, TYPE) \
    template <> struct ComponentTypeTraits<COMPONENT> { \
        using Type = TYPE; \
        static const bool IsNativeScalar = true; \
        static const uint ElementsPerScalar = 1; \
    }; \
    template <> struct TypeTraits<TYPE> { static const ComponentEnum CompType = COMPONENT; };
#if __HLSL_ENABLE_16_BIT
__RTC_NATIVE(ComponentType::I16, int16_t)
__RTC_NATIVE(ComponentType::U16, uint16_t)
__RTC_NATIVE(ComponentType::F16, float16_t)
#endif
__RTC_NATIVE(ComponentType::I32, int32_t)
__RTC_NATIVE(ComponentType::U32, uint32_t)
__RTC_NATIVE(ComponentType::I64, int64_t)
__RTC_NATIVE(ComponentType::U64, uint64_t)
__RTC_NATIVE(ComponentType::F32, float)
__RTC_NATIVE(ComponentType::F64, double)
#undef __RTC_NATIVE

// How many components hold so many numbers; the last one may have room left.
template <ComponentEnum Component, int Count> struct ScalarCountFromPackedComponents {
    static const int ElementsPerScalar = ComponentTypeTraits<Component>::ElementsPerScalar;
    static const int Value = (Count + ElementsPerScalar - 1) / ElementsPerScalar;
};
// How many components of To hold the numbers in Count components of From.
template <ComponentEnum To, ComponentEnum From, int Count> struct DstN {
    static const int Value = ScalarCountFromPackedComponents<To, Count * ComponentTypeTraits<From>::ElementsPerScalar>::Value;
};

// Rows and columns, exchanged or not.
template <int Rows, int Columns, bool Exchanged> struct DimMN {
    static const int M = Rows;
    static const int N = Columns;
};
template <int Rows, int Columns> struct DimMN<Rows, Columns, true> {
    static const int M = Columns;
    static const int N = Rows;
};

// Whether an array of T can hold a matrix whose numbers are of type Own: as such numbers, or as words of any.
template <typename T, typename Own> struct Holds {
    using Number = typename hlsl::strip_vector_type<T>::type;
    static const bool value = hlsl::is_same<Number, Own>::value || hlsl::is_same<Number, uint8_t4_packed>::value
        || hlsl::is_same<Number, int8_t4_packed>::value || hlsl::is_same<Number, uint>::value || hlsl::is_same<Number, int>::value;
};
template <typename T> struct IsPacked {
    static const bool value = hlsl::is_same<typename hlsl::strip_vector_type<T>::type, uint8_t4_packed>::value;
};

}

// A vector in a buffer.
template <ComponentEnum ElementType, uint DimA> struct VectorRef {
    ByteAddressBuffer Buf;
    uint Offset;
};

// A vector whose components hold numbers of another type.
template <typename T, int N, ComponentEnum DT> struct InterpretedVector {
    vector<T, N> Data;
    static const ComponentEnum Interpretation = DT;
    static const int Size = __detail::ComponentTypeTraits<DT>::ElementsPerScalar * N;
};

template <ComponentEnum DT, typename T, int N> InterpretedVector<T, N, DT> MakeInterpretedVector(vector<T, N> Vec)
{
    InterpretedVector<T, N, DT> result = { Vec };
    return result;
}

// The same numbers as another type: saturated, rounded to the nearest even one.
template <ComponentEnum DestTy, ComponentEnum OriginTy, typename T, int N>
typename hlsl::enable_if<DestTy != OriginTy,
    InterpretedVector<typename __detail::ComponentTypeTraits<DestTy>::Type, __detail::DstN<DestTy, OriginTy, N>::Value, DestTy> >::type
Convert(vector<T, N> Vec)
{
    vector<typename __detail::ComponentTypeTraits<DestTy>::Type, __detail::DstN<DestTy, OriginTy, N>::Value> converted;
    __builtin_LinAlg_Convert(converted, Vec, OriginTy, DestTy);
    return MakeInterpretedVector<DestTy>(converted);
}
template <ComponentEnum DestTy, ComponentEnum OriginTy, typename T, int N>
typename hlsl::enable_if<DestTy == OriginTy, InterpretedVector<T, N, DestTy> >::type Convert(vector<T, N> Vec)
{
    return MakeInterpretedVector<DestTy>(Vec);
}

// A matrix of a wave or group: all of its threads call each function together.
template <ComponentEnum ComponentTy, int M, int N, MatrixUseEnum Use, MatrixScopeEnum Scope> class Matrix {
    using ElementType = typename __detail::ComponentTypeTraits<ComponentTy>::Type;
    static const uint ElementsPerScalar = __detail::ComponentTypeTraits<ComponentTy>::ElementsPerScalar;
    static const bool IsNativeScalar = __detail::ComponentTypeTraits<ComponentTy>::IsNativeScalar;

    using HandleT = __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(ComponentTy, M, N, Use, Scope)]];
    HandleT __handle;

    template <ComponentEnum NewCompTy, MatrixUseEnum NewUse = Use, bool Transpose = false>
    [[nodiscard]] Matrix<NewCompTy, __detail::DimMN<M, N, Transpose>::M, __detail::DimMN<M, N, Transpose>::N, NewUse, Scope> Cast()
    {
        Matrix<NewCompTy, __detail::DimMN<M, N, Transpose>::M, __detail::DimMN<M, N, Transpose>::N, NewUse, Scope> result;
        __builtin_LinAlg_CopyConvertMatrix(result.__handle, __handle, Transpose);
        return result;
    }

    template <typename T> [[nodiscard]] static typename hlsl::enable_if<hlsl::is_arithmetic<T>::value, Matrix>::type Splat(T Val)
    {
        Matrix result;
        __builtin_LinAlg_FillMatrix(result.__handle, Val);
        return result;
    }

    // From and to buffers: offset and stride in bytes.
    template <uint Align = 128>
    [[nodiscard]] static Matrix Load(ByteAddressBuffer Res, uint StartOffset, uint Stride, MatrixLayoutEnum Layout)
    {
        Matrix result;
        __builtin_LinAlg_MatrixLoadFromDescriptor(result.__handle, Res, StartOffset, Stride, Layout, Align);
        return result;
    }
    template <uint Align = 128>
    [[nodiscard]] static Matrix Load(RWByteAddressBuffer Res, uint StartOffset, uint Stride, MatrixLayoutEnum Layout)
    {
        Matrix result;
        __builtin_LinAlg_MatrixLoadFromDescriptor(result.__handle, Res, StartOffset, Stride, Layout, Align);
        return result;
    }
    template <uint Align = 128> void Store(RWByteAddressBuffer Res, uint StartOffset, uint Stride, MatrixLayoutEnum Layout)
    {
        __builtin_LinAlg_MatrixStoreToDescriptor(__handle, Res, StartOffset, Stride, Layout, Align);
    }

    // From and to groupshared arrays: offset and stride in numbers of the matrix.
    template <typename T, int Size>
    [[nodiscard]] static typename hlsl::enable_if<__detail::Holds<T, ElementType>::value, Matrix>::type Load(
        groupshared T Arr[Size], uint StartIdx, uint Stride, MatrixLayoutEnum Layout)
    {
        Matrix result;
        __builtin_LinAlg_MatrixLoadFromMemory(result.__handle, Arr, StartIdx, Stride, Layout);
        return result;
    }
    template <typename T, int Size>
    typename hlsl::enable_if<__detail::Holds<T, ElementType>::value, void>::type Store(
        groupshared T Arr[Size], uint StartIdx, uint Stride, MatrixLayoutEnum Layout)
    {
        __builtin_LinAlg_MatrixStoreToMemory(__handle, Arr, StartIdx, Stride, Layout);
    }

    // The components that this thread holds.
    template <ComponentEnum LocalComp = ComponentTy>
    typename hlsl::enable_if<LocalComp == ComponentTy && IsNativeScalar, uint>::type Length()
    {
        return __builtin_LinAlg_MatrixLength(__handle);
    }
    template <ComponentEnum LocalComp = ComponentTy>
    typename hlsl::enable_if<LocalComp == ComponentTy && IsNativeScalar, uint2>::type GetCoordinate(uint Index)
    {
        return __builtin_LinAlg_MatrixGetCoordinate(__handle, Index);
    }
    template <ComponentEnum LocalComp = ComponentTy>
    typename hlsl::enable_if<LocalComp == ComponentTy && IsNativeScalar, ElementType>::type Get(uint Index)
    {
        ElementType result;
        __builtin_LinAlg_MatrixGetElement(result, __handle, Index);
        return result;
    }
    template <ComponentEnum LocalComp = ComponentTy>
    typename hlsl::enable_if<LocalComp == ComponentTy && IsNativeScalar, void>::type Set(uint Index, ElementType Value)
    {
        __builtin_LinAlg_MatrixSetElement(__handle, __handle, Index, Value);
    }

    // Atomic sums in memory.
    template <uint Align = 128, MatrixUseEnum UseLocal = Use>
    typename hlsl::enable_if<Use == MatrixUse::Accumulator && UseLocal == Use, void>::type InterlockedAccumulate(
        RWByteAddressBuffer Res, uint StartOffset, uint Stride, MatrixLayoutEnum Layout)
    {
        __builtin_LinAlg_MatrixAccumulateToDescriptor(__handle, Res, StartOffset, Stride, Layout, Align);
    }
    template <typename T, MatrixUseEnum UseLocal = Use, MatrixScopeEnum ScopeLocal = Scope, int Size>
    typename hlsl::enable_if<hlsl::is_arithmetic_vector<T>::value && Use == MatrixUse::Accumulator && UseLocal == Use
            && Scope == MatrixScope::Wave && ScopeLocal == Scope, void>::type
    InterlockedAccumulate(groupshared T Arr[Size], uint StartIdx, uint Stride, MatrixLayoutEnum Layout)
    {
        __builtin_LinAlg_MatrixAccumulateToMemory(__handle, Arr, ComponentTy, StartIdx, Stride, Layout);
    }
    template <ComponentEnum TargetCompTy = ComponentTy, typename T, MatrixUseEnum UseLocal = Use, MatrixScopeEnum ScopeLocal = Scope, int Size>
    typename hlsl::enable_if<__detail::IsPacked<T>::value && Use == MatrixUse::Accumulator && UseLocal == Use
            && Scope == MatrixScope::Wave && ScopeLocal == Scope, void>::type
    InterlockedAccumulate(groupshared T Arr[Size], uint StartIdx, uint Stride, MatrixLayoutEnum Layout)
    {
        __builtin_LinAlg_MatrixAccumulateToMemory(__handle, Arr, TargetCompTy, StartIdx, Stride, Layout);
    }

    // Sums with another matrix, and with a product.
    template <ComponentEnum CompTy, MatrixUseEnum UseLocal = Use>
    typename hlsl::enable_if<Use == MatrixUse::Accumulator && UseLocal == Use, void>::type Accumulate(
        const Matrix<CompTy, M, N, MatrixUse::A, Scope> MatrixA)
    {
        __builtin_LinAlg_MatrixAccumulate(__handle, __handle, MatrixA.__handle);
    }
    template <ComponentEnum CompTy, MatrixUseEnum UseLocal = Use>
    typename hlsl::enable_if<Use == MatrixUse::Accumulator && UseLocal == Use, void>::type Accumulate(
        const Matrix<CompTy, M, N, MatrixUse::B, Scope> MatrixB)
    {
        __builtin_LinAlg_MatrixAccumulate(__handle, __handle, MatrixB.__handle);
    }
    template <ComponentEnum LHSTy, ComponentEnum RHSTy, int K, MatrixUseEnum UseLocal = Use>
    typename hlsl::enable_if<Use == MatrixUse::Accumulator && UseLocal == Use, void>::type MultiplyAccumulate(
        const Matrix<LHSTy, M, K, MatrixUse::A, Scope> MatrixA, const Matrix<RHSTy, K, N, MatrixUse::B, Scope> MatrixB)
    {
        __builtin_LinAlg_MatrixMatrixMultiplyAccumulate(__handle, MatrixA.__handle, MatrixB.__handle, __handle);
    }
};

// A matrix of a thread: the left side of products with vectors, or an outer product.
template <ComponentEnum ComponentTy, int M, int N, MatrixUseEnum Use> class Matrix<ComponentTy, M, N, Use, MatrixScope::Thread> {
    using ElementType = typename __detail::ComponentTypeTraits<ComponentTy>::Type;

    using HandleT = __builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(ComponentTy, M, N, Use, MatrixScope::Thread)]];
    HandleT __handle;

    template <MatrixLayoutEnum Layout, uint Align = 128, MatrixUseEnum UseLocal = Use>
    [[nodiscard]] static typename hlsl::enable_if<Use == MatrixUse::A && UseLocal == Use, Matrix>::type Load(
        ByteAddressBuffer Res, uint StartOffset, uint Stride)
    {
        Matrix result;
        __builtin_LinAlg_MatrixLoadFromDescriptor(result.__handle, Res, StartOffset, Stride, Layout, Align);
        return result;
    }
    template <uint Align = 128, MatrixUseEnum UseLocal = Use>
    typename hlsl::enable_if<Use == MatrixUse::Accumulator && UseLocal == Use, void>::type InterlockedAccumulate(
        RWByteAddressBuffer Res, uint StartOffset)
    {
        __builtin_LinAlg_MatrixAccumulateToDescriptor(__handle, Res, StartOffset, 0, MatrixLayout::OuterProductOptimal, Align);
    }
};

// The use whose layout accumulators have on the device: A or B. It is a template so that only programs that call it have it.
template <int Unused = 0> MatrixUseEnum AccumulatorLayout()
{
    return (MatrixUseEnum)__builtin_LinAlg_MatrixQueryAccumulatorLayout();
}

// Products of matrices. The numbers of the result are those of both sides, or given first.
#define __RTC_PRODUCTS(SCOPE) \
    template <ComponentEnum OutTy, ComponentEnum ATy, ComponentEnum BTy, int M, int N, int K> \
    [[nodiscard]] Matrix<OutTy, M, N, MatrixUse::Accumulator, SCOPE> Multiply( \
        const Matrix<ATy, M, K, MatrixUse::A, SCOPE> MatrixA, const Matrix<BTy, K, N, MatrixUse::B, SCOPE> MatrixB) \
    { \
        Matrix<OutTy, M, N, MatrixUse::Accumulator, SCOPE> result; \
        __builtin_LinAlg_MatrixMatrixMultiply(result.__handle, MatrixA.__handle, MatrixB.__handle); \
        return result; \
    } \
    template <ComponentEnum CompTy, int M, int N, int K> \
    [[nodiscard]] Matrix<CompTy, M, N, MatrixUse::Accumulator, SCOPE> Multiply( \
        const Matrix<CompTy, M, K, MatrixUse::A, SCOPE> MatrixA, const Matrix<CompTy, K, N, MatrixUse::B, SCOPE> MatrixB) \
    { \
        Matrix<CompTy, M, N, MatrixUse::Accumulator, SCOPE> result; \
        __builtin_LinAlg_MatrixMatrixMultiply(result.__handle, MatrixA.__handle, MatrixB.__handle); \
        return result; \
    }
__RTC_PRODUCTS(MatrixScope::Wave)
__RTC_PRODUCTS(MatrixScope::ThreadGroup)
#undef __RTC_PRODUCTS

// Products of a matrix and a vector.
template <typename OutputElTy, typename InputElTy, int M, int K, ComponentEnum MatrixDT>
typename hlsl::enable_if<hlsl::is_arithmetic<InputElTy>::value, vector<OutputElTy, M> >::type Multiply(
    Matrix<MatrixDT, M, K, MatrixUse::A, MatrixScope::Thread> MatrixA, vector<InputElTy, K> Vec)
{
    vector<OutputElTy, M> result;
    __builtin_LinAlg_MatrixVectorMultiply(
        result, MatrixA.__handle, hlsl::is_signed<OutputElTy>::value, Vec, __detail::TypeTraits<InputElTy>::CompType);
    return result;
}
template <typename OutputElTy, typename InputElTy, ComponentEnum InputInterp, int M, int K, int VecK, ComponentEnum MatrixDT>
typename hlsl::enable_if<VecK == __detail::ScalarCountFromPackedComponents<InputInterp, K>::Value, vector<OutputElTy, M> >::type Multiply(
    Matrix<MatrixDT, M, K, MatrixUse::A, MatrixScope::Thread> MatrixA, InterpretedVector<InputElTy, VecK, InputInterp> InterpVec)
{
    vector<OutputElTy, M> result;
    __builtin_LinAlg_MatrixVectorMultiply(
        result, MatrixA.__handle, hlsl::is_signed<OutputElTy>::value, InterpVec.Data, InterpVec.Interpretation);
    return result;
}

namespace __detail {

// A vector that is added, as the numbers of the result.
template <typename To, typename From, int M> vector<To, M> Bias(vector<From, M> Vec)
{
    return Convert<TypeTraits<To>::CompType, TypeTraits<From>::CompType>(Vec).Data;
}
// The same of one in memory, where the last word may have room left.
template <typename To, ComponentEnum From, int M> vector<To, M> LoadBias(VectorRef<From, M> Ref)
{
    using Stored = vector<typename ComponentTypeTraits<From>::Type, ScalarCountFromPackedComponents<From, M>::Value>;
    Stored stored = Ref.Buf.template Load<Stored>(Ref.Offset);
    return (vector<To, M>)Convert<TypeTraits<To>::CompType, From>(stored).Data;
}

}

// Products of a matrix and a vector, plus a vector.
template <typename OutputElTy, typename InputElTy, typename BiasElTy, int M, int K, ComponentEnum MatrixDT>
typename hlsl::enable_if<hlsl::is_arithmetic<InputElTy>::value && hlsl::is_arithmetic<BiasElTy>::value, vector<OutputElTy, M> >::type
MultiplyAdd(Matrix<MatrixDT, M, K, MatrixUse::A, MatrixScope::Thread> MatrixA, vector<InputElTy, K> Vec, vector<BiasElTy, M> Bias)
{
    vector<OutputElTy, M> bias = __detail::Bias<OutputElTy>(Bias), result;
    __builtin_LinAlg_MatrixVectorMultiplyAdd(
        result, MatrixA.__handle, hlsl::is_signed<OutputElTy>::value, Vec, __detail::TypeTraits<InputElTy>::CompType, bias);
    return result;
}
template <typename OutputElTy, typename InputElTy, ComponentEnum InputInterp, typename BiasElTy, int M, int K, int VecK, ComponentEnum MatrixDT>
typename hlsl::enable_if<VecK == __detail::ScalarCountFromPackedComponents<InputInterp, K>::Value && hlsl::is_arithmetic<BiasElTy>::value,
    vector<OutputElTy, M> >::type
MultiplyAdd(Matrix<MatrixDT, M, K, MatrixUse::A, MatrixScope::Thread> MatrixA, InterpretedVector<InputElTy, VecK, InputInterp> InterpVec,
    vector<BiasElTy, M> Bias)
{
    vector<OutputElTy, M> bias = __detail::Bias<OutputElTy>(Bias), result;
    __builtin_LinAlg_MatrixVectorMultiplyAdd(
        result, MatrixA.__handle, hlsl::is_signed<OutputElTy>::value, InterpVec.Data, InterpVec.Interpretation, bias);
    return result;
}
template <typename OutputElTy, typename InputElTy, ComponentEnum BiasElTy, int M, int K, ComponentEnum MatrixDT>
typename hlsl::enable_if<hlsl::is_arithmetic<InputElTy>::value, vector<OutputElTy, M> >::type MultiplyAdd(
    Matrix<MatrixDT, M, K, MatrixUse::A, MatrixScope::Thread> MatrixA, vector<InputElTy, K> Vec, VectorRef<BiasElTy, M> BiasRef)
{
    vector<OutputElTy, M> bias = __detail::LoadBias<OutputElTy>(BiasRef), result;
    __builtin_LinAlg_MatrixVectorMultiplyAdd(
        result, MatrixA.__handle, hlsl::is_signed<OutputElTy>::value, Vec, __detail::TypeTraits<InputElTy>::CompType, bias);
    return result;
}
template <typename OutputElTy, typename InputElTy, ComponentEnum InputInterp, ComponentEnum BiasElTy, int M, int K, int VecK,
    ComponentEnum MatrixDT>
typename hlsl::enable_if<VecK == __detail::ScalarCountFromPackedComponents<InputInterp, K>::Value, vector<OutputElTy, M> >::type MultiplyAdd(
    Matrix<MatrixDT, M, K, MatrixUse::A, MatrixScope::Thread> MatrixA, InterpretedVector<InputElTy, VecK, InputInterp> InterpVec,
    VectorRef<BiasElTy, M> BiasRef)
{
    vector<OutputElTy, M> bias = __detail::LoadBias<OutputElTy>(BiasRef), result;
    __builtin_LinAlg_MatrixVectorMultiplyAdd(
        result, MatrixA.__handle, hlsl::is_signed<OutputElTy>::value, InterpVec.Data, InterpVec.Interpretation, bias);
    return result;
}

// The matrix of all products of two vectors' components.
template <ComponentEnum OutTy, typename InputElTy, int M, int N>
[[nodiscard]] typename hlsl::enable_if<hlsl::is_arithmetic<InputElTy>::value,
    Matrix<OutTy, M, N, MatrixUse::Accumulator, MatrixScope::Thread> >::type
OuterProduct(vector<InputElTy, M> VecA, vector<InputElTy, N> VecB)
{
    Matrix<OutTy, M, N, MatrixUse::Accumulator, MatrixScope::Thread> result;
    __builtin_LinAlg_MatrixOuterProduct(result.__handle, VecA, VecB);
    return result;
}

// An atomic sum of a vector in a buffer.
template <uint Align = 64, typename InputElTy, int M>
typename hlsl::enable_if<hlsl::is_arithmetic<InputElTy>::value, void>::type InterlockedAccumulate(
    RWByteAddressBuffer Res, uint StartOffset, vector<InputElTy, M> Vec)
{
    __builtin_LinAlg_VectorAccumulateToDescriptor(Res, StartOffset, Align, Vec);
}

}
}

#pragma dxc diagnostic pop

#endif
