// Arithmetic and conversions of scalars, vectors and cooperative matrices by the component type: which instruction of SPIR-V does it.
#pragma once

template <typename ResultType> [[vk::ext_instruction(83)]] ResultType __builtin_spv_CopyObject(ResultType a);
template <typename ResultType> [[vk::ext_instruction(126)]] ResultType __builtin_spv_SNegate(ResultType a);
template <typename ResultType> [[vk::ext_instruction(127)]] ResultType __builtin_spv_FNegate(ResultType a);

template <typename ResultType, typename OperandType> [[vk::ext_instruction(109)]] ResultType __builtin_spv_ConvertFtoU(OperandType a);
template <typename ResultType, typename OperandType> [[vk::ext_instruction(110)]] ResultType __builtin_spv_ConvertFtoS(OperandType a);
template <typename ResultType, typename OperandType> [[vk::ext_instruction(111)]] ResultType __builtin_spv_ConvertSToF(OperandType a);
template <typename ResultType, typename OperandType> [[vk::ext_instruction(112)]] ResultType __builtin_spv_ConvertUToF(OperandType a);
template <typename ResultType, typename OperandType> [[vk::ext_instruction(113)]] ResultType __builtin_spv_UConvert(OperandType a);
template <typename ResultType, typename OperandType> [[vk::ext_instruction(114)]] ResultType __builtin_spv_SConvert(OperandType a);
template <typename ResultType, typename OperandType> [[vk::ext_instruction(115)]] ResultType __builtin_spv_FConvert(OperandType a);
template <typename ResultType, typename OperandType> [[vk::ext_instruction(124)]] ResultType __builtin_spv_Bitcast(OperandType a);

template <typename ResultType> [[vk::ext_instruction(128)]] ResultType __builtin_spv_IAdd(ResultType a, ResultType b);
template <typename ResultType> [[vk::ext_instruction(129)]] ResultType __builtin_spv_FAdd(ResultType a, ResultType b);
template <typename ResultType> [[vk::ext_instruction(130)]] ResultType __builtin_spv_ISub(ResultType a, ResultType b);
template <typename ResultType> [[vk::ext_instruction(131)]] ResultType __builtin_spv_FSub(ResultType a, ResultType b);
template <typename ResultType> [[vk::ext_instruction(132)]] ResultType __builtin_spv_IMul(ResultType a, ResultType b);
template <typename ResultType> [[vk::ext_instruction(133)]] ResultType __builtin_spv_FMul(ResultType a, ResultType b);
template <typename ResultType> [[vk::ext_instruction(134)]] ResultType __builtin_spv_UDiv(ResultType a, ResultType b);
template <typename ResultType> [[vk::ext_instruction(135)]] ResultType __builtin_spv_SDiv(ResultType a, ResultType b);
template <typename ResultType> [[vk::ext_instruction(136)]] ResultType __builtin_spv_FDiv(ResultType a, ResultType b);

namespace vk {
namespace util {

// What a component type is: 0 floating point, 1 signed, 2 unsigned integer.
template <typename T> struct ComponentKind;
template <> struct ComponentKind<half> { static const uint value = 0; };
template <> struct ComponentKind<float> { static const uint value = 0; };
template <> struct ComponentKind<double> { static const uint value = 0; };
template <> struct ComponentKind<int32_t> { static const uint value = 1; };
template <> struct ComponentKind<int64_t> { static const uint value = 1; };
template <> struct ComponentKind<uint32_t> { static const uint value = 2; };
template <> struct ComponentKind<uint64_t> { static const uint value = 2; };
#if __HLSL_ENABLE_16_BIT
template <> struct ComponentKind<int16_t> { static const uint value = 1; };
template <> struct ComponentKind<uint16_t> { static const uint value = 2; };
#endif

// The operations of each kind.
template <uint kind> struct ArithmeticOfKind
{
    template <class T> static T Negate(T a) { return __builtin_spv_SNegate(a); }
    template <class T> static T Add(T a, T b) { return __builtin_spv_IAdd(a, b); }
    template <class T> static T Sub(T a, T b) { return __builtin_spv_ISub(a, b); }
    template <class T> static T Mul(T a, T b) { return __builtin_spv_IMul(a, b); }
    template <class T> static T Div(T a, T b) { return __builtin_spv_SDiv(a, b); }
};
template <> struct ArithmeticOfKind<0>
{
    template <class T> static T Negate(T a) { return __builtin_spv_FNegate(a); }
    template <class T> static T Add(T a, T b) { return __builtin_spv_FAdd(a, b); }
    template <class T> static T Sub(T a, T b) { return __builtin_spv_FSub(a, b); }
    template <class T> static T Mul(T a, T b) { return __builtin_spv_FMul(a, b); }
    template <class T> static T Div(T a, T b) { return __builtin_spv_FDiv(a, b); }
};
template <> struct ArithmeticOfKind<2>
{
    template <class T> static T Negate(T a) { return __builtin_spv_SNegate(a); }
    template <class T> static T Add(T a, T b) { return __builtin_spv_IAdd(a, b); }
    template <class T> static T Sub(T a, T b) { return __builtin_spv_ISub(a, b); }
    template <class T> static T Mul(T a, T b) { return __builtin_spv_IMul(a, b); }
    template <class T> static T Div(T a, T b) { return __builtin_spv_UDiv(a, b); }
};

// The conversions, by the kinds of source and target, and by whether they have the same size.
template <uint from, uint to, bool same> struct ConversionOfKinds;
template <> struct ConversionOfKinds<0, 0, true> { template <class T, class S> static T Convert(S a) { return __builtin_spv_CopyObject<T>(a); } };
template <> struct ConversionOfKinds<0, 0, false> { template <class T, class S> static T Convert(S a) { return __builtin_spv_FConvert<T>(a); } };
template <> struct ConversionOfKinds<0, 1, true> { template <class T, class S> static T Convert(S a) { return __builtin_spv_ConvertFtoS<T>(a); } };
template <> struct ConversionOfKinds<0, 1, false> { template <class T, class S> static T Convert(S a) { return __builtin_spv_ConvertFtoS<T>(a); } };
template <> struct ConversionOfKinds<0, 2, true> { template <class T, class S> static T Convert(S a) { return __builtin_spv_ConvertFtoU<T>(a); } };
template <> struct ConversionOfKinds<0, 2, false> { template <class T, class S> static T Convert(S a) { return __builtin_spv_ConvertFtoU<T>(a); } };
template <> struct ConversionOfKinds<1, 0, true> { template <class T, class S> static T Convert(S a) { return __builtin_spv_ConvertSToF<T>(a); } };
template <> struct ConversionOfKinds<1, 0, false> { template <class T, class S> static T Convert(S a) { return __builtin_spv_ConvertSToF<T>(a); } };
template <> struct ConversionOfKinds<1, 1, true> { template <class T, class S> static T Convert(S a) { return __builtin_spv_CopyObject<T>(a); } };
template <> struct ConversionOfKinds<1, 1, false> { template <class T, class S> static T Convert(S a) { return __builtin_spv_SConvert<T>(a); } };
template <> struct ConversionOfKinds<1, 2, true> { template <class T, class S> static T Convert(S a) { return __builtin_spv_Bitcast<T>(a); } };
template <> struct ConversionOfKinds<1, 2, false> { template <class T, class S> static T Convert(S a) { return __builtin_spv_UConvert<T>(a); } };
template <> struct ConversionOfKinds<2, 0, true> { template <class T, class S> static T Convert(S a) { return __builtin_spv_ConvertUToF<T>(a); } };
template <> struct ConversionOfKinds<2, 0, false> { template <class T, class S> static T Convert(S a) { return __builtin_spv_ConvertUToF<T>(a); } };
template <> struct ConversionOfKinds<2, 1, true> { template <class T, class S> static T Convert(S a) { return __builtin_spv_Bitcast<T>(a); } };
template <> struct ConversionOfKinds<2, 1, false> { template <class T, class S> static T Convert(S a) { return __builtin_spv_SConvert<T>(a); } };
template <> struct ConversionOfKinds<2, 2, true> { template <class T, class S> static T Convert(S a) { return __builtin_spv_CopyObject<T>(a); } };
template <> struct ConversionOfKinds<2, 2, false> { template <class T, class S> static T Convert(S a) { return __builtin_spv_UConvert<T>(a); } };

// Operations on a scalar, vector or cooperative matrix whose components are of this type.
template <class ComponentType> class ArithmeticSelector : ArithmeticOfKind<ComponentKind<ComponentType>::value>
{
};

// Conversions of a scalar, vector or cooperative matrix of components of one type to the same of another.
template <class SourceType, class TargetType> class ConversionSelector
    : ConversionOfKinds<ComponentKind<SourceType>::value, ComponentKind<TargetType>::value, sizeof(SourceType) == sizeof(TargetType)>
{
};

}
}
