// `std::is_same` is in the language, in every version.
// RUN: %rtc -T ps_6_0 -E main %s -Fo %t.dxil
// RUN: %rtc -T ps_6_0 -E main -HV 2016 -D OLD %s -Fo %t.dxil
// RUN: %rtc -T ps_6_0 -E main -HV 202x -spirv %s -Fo %t.spv
// RUN: %rtc -T ps_6_0 -E main -D OWN %s -Fo %t.dxil
// RUN: not %rtc -T ps_6_0 -E main -D WRONG %s -fdiagnostics-format=short 2>&1 | FileCheck %s
// CHECK: error: static assertion failed: these differ
#ifdef OWN
namespace std { template<typename A, typename B> struct is_same { static const bool value = true; }; }
_Static_assert(std::is_same<int, float>::value, "the program's own");
#else
_Static_assert(std::is_same<int, int>::value, "");
_Static_assert(!std::is_same<int, float>::value && !::std::is_same<float, float1>::value, "");
typedef float3 Vec;
_Static_assert(std::is_same<Vec, vector<float, 3> >::value, "");
#endif
#ifdef WRONG
_Static_assert(std::is_same<Vec, float4>::value, "these differ");
#endif
#if !defined(OLD) && !defined(OWN)
template<typename A, typename B> struct Pair { static const bool same = std::is_same<A, B>::value; };
template<typename A, typename B> int both(A a, B b) { return std::is_same<A, B>::value ? 1 : 2; }
_Static_assert(Pair<int, int>::same && !Pair<int, uint>::same, "");
_Static_assert(std::is_same<float(int), float(int)>::value, "");
int chosen(int a, float b) { return both(a, a) + both(a, b); }
#else
int chosen(int a, float b) { return 1; }
#endif
float main(float x : X) : SV_Target { return (std::is_same<float2, __decltype(x.xx)>::value ? 1 : 0) + chosen(1, 2); }
