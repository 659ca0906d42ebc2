// What a type is, as constants for templates: hlsl::is_same, is_arithmetic, is_signed, is_vector, is_arithmetic_vector; and
// hlsl::strip_vector_type<T>::type, the type of the components of a vector.
#pragma once
#if __HLSL_VERSION >= 2021

namespace hlsl {

template <typename A, typename B>
struct is_same {
    static const bool value = false;
};
template <typename A>
struct is_same<A, A> {
    static const bool value = true;
};

template <typename T>
struct is_arithmetic {
    static const bool value = false;
};
template <> struct is_arithmetic<int> { static const bool value = true; };
template <> struct is_arithmetic<uint> { static const bool value = true; };
template <> struct is_arithmetic<int64_t> { static const bool value = true; };
template <> struct is_arithmetic<uint64_t> { static const bool value = true; };
template <> struct is_arithmetic<half> { static const bool value = true; };
template <> struct is_arithmetic<float> { static const bool value = true; };
template <> struct is_arithmetic<double> { static const bool value = true; };
#if __HLSL_ENABLE_16_BIT
template <> struct is_arithmetic<int16_t> { static const bool value = true; };
template <> struct is_arithmetic<uint16_t> { static const bool value = true; };
#endif

template <typename T>
struct is_signed {
    static const bool value = true;
};
template <> struct is_signed<uint> { static const bool value = false; };
template <> struct is_signed<uint64_t> { static const bool value = false; };
#if __HLSL_ENABLE_16_BIT
template <> struct is_signed<uint16_t> { static const bool value = false; };
#endif

template <typename T>
struct is_vector {
    static const bool value = false;
};
template <typename T, uint N>
struct is_vector<vector<T, N> > {
    static const bool value = true;
};

template <typename T>
struct strip_vector_type {
    using type = T;
};
template <typename T, int N>
struct strip_vector_type<vector<T, N> > {
    using type = T;
};

template <typename T>
struct is_arithmetic_vector {
    static const bool value = is_arithmetic<typename strip_vector_type<T>::type>::value;
};

}

#endif
