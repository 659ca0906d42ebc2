// hlsl::enable_if<condition, T>::type is T where the condition holds, and does not exist elsewhere: so a template takes part in
// overload resolution only where its parameters suit.
#pragma once
#if __HLSL_VERSION >= 2021

namespace hlsl {

template <bool Condition, typename T>
struct enable_if {};

template <typename T>
struct enable_if<true, T> {
    using type = T;
};

}

#endif
