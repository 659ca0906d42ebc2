// Parts of vectors of any length: hlsl::slice<first, count>(v), and hlsl::slice<count>(v) from the first component on.
#pragma once
#if __HLSL_VERSION >= 2021
#include <enable_if>

namespace hlsl {

template <int First, int Count, typename T, int N>
typename hlsl::enable_if<First + Count <= N, vector<T, Count> >::type slice(vector<T, N> v)
{
    vector<T, Count> part = (vector<T, Count>)0;
    [unroll] for (int i = 0; i < Count; ++i)
        part[i] = v[First + i];
    return part;
}

template <int Count, typename T, int N>
vector<T, Count> slice(vector<T, N> v)
{
    return slice<0, Count, T, N>(v);
}

}

#endif
