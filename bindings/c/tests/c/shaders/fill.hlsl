// Compiled by the CMake project of the tests.
#include "value.hlsli"
RWByteAddressBuffer Out : register(u0);
[numthreads(1, 1, 1)] void main(uint n : SV_DispatchThreadID) { Out.Store(n * 4, VALUE); }
