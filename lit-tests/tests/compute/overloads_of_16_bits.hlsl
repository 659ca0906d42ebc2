// rtc -T cs_6_6 -E main -HV 2021 -enable-16bit-types
// With native 16-bit types the minimum-precision types are computed as those, but stay types of their own in overloads and templates.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -enable-16bit-types
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -enable-16bit-types -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -enable-16bit-types
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -enable-16bit-types -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}55,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"
uint p(half) { return 1; } uint p(min16float) { return 2; } uint p(min10float) { return 3; } uint p(float) { return 4; } uint p(double) { return 5; }
uint q(int16_t) { return 1; } uint q(min16int) { return 2; } uint q(min12int) { return 3; } uint q(int) { return 4;
} uint q(int64_t) { return 5; } uint q(uint16_t) { return 6; } uint q(min16uint) { return 7; } uint q(uint) { return 8; }
uint v(half2) { return 1; } uint v(min16float2) { return 2; } uint v(float2) { return 3; } 
uint m(half2x2) { return 1; } uint m(min16float2x2) { return 2; }
template<typename A, typename B> struct Same { static const uint v = 0; };
template<typename A> struct Same<A, A> { static const uint v = 1; };
template<typename T> struct N { static const uint v = 0; };
template<> struct N<half> { static const uint v = 1; };
template<> struct N<min16float> { static const uint v = 2; };
template<> struct N<min16int> { static const uint v = 3; };
template<> struct N<int16_t> { static const uint v = 4; };
template<typename T> T twice(T x) { return x + x; }
struct St { min16float a; half b; min16uint c; min12int d; float e; };
groupshared min16int gs[4];
[numthreads(1, 1, 1)] void main()
{
    IS(p((half)f(1)), 1u); IS(p((min16float)f(1)), 2u); IS(p((min10float)f(1)), 3u); IS(p(f(1)), 4u); IS(p((double)f(1)), 5u);
    IS(p((float16_t)f(1)), 1u); IS(p(1.0h), 1u);
    IS(q((int16_t)i(1)), 1u); IS(q((min16int)i(1)), 2u); IS(q((min12int)i(1)), 3u); IS(q(i(1)), 4u); IS(q((uint16_t)i(1)), 6u);
    IS(q((min16uint)i(1)), 7u); IS(q((uint)i(1)), 8u); IS(q((int64_t)i(1)), 5u);
    IS(v((half2)f(1)), 1u); IS(v((min16float2)f(1)), 2u); IS(v((float2)f(1)), 3u); IS(m((half2x2)f(1)), 1u); IS(m((min16float2x2)f(1)), 2u);
    IS(Same<half, min16float>::v, 0u); IS(Same<half, float16_t>::v, 1u); IS(Same<min16float, min10float>::v, 0u); IS(Same<min16int, int16_t>::v, 0u);
    IS(N<half>::v, 1u); IS(N<min16float>::v, 2u); IS(N<min16int>::v, 3u); IS(N<int16_t>::v, 4u); IS(N<float>::v, 0u);
    min16float a = (min16float)f(3); half b = (half)f(2); IS((float)(a * b), 6.0f); IS(p(a * b), 1u); IS(p(a * a), 2u);
    IS(p(a * (min10float)a), 2u); IS((float)twice(a), 6.0f); IS(p(a + f(1)), 4u); IS(p(a * i(1)), 2u);
    min16int c = (min16int)i(12); IS((int)(c * c), 9); IS(q(c * (int16_t)c), 1u); IS(q(c + i(1)), 4u); IS((int)(c >> 1), -2);
    IS((int)abs(c), 3); IS((float)c, -3.0f); IS((int)max(c, (min16int)2), 2);
    min16uint u = (min16uint)70000; IS((uint)u, 4464u); IS((uint)(u << 4), 5888u);
    St s; s.a = a; s.b = b; s.c = u; s.d = (min12int)c; s.e = 5; IS(sizeof(St), 12u); IS(sizeof(min16float3), 6u);
    gs[i(1)] = c; IS((int)gs[i(1)], -3);
    min16float4 w = min16float4(1, 2, 3, 4); IS((float)dot(w, w), 30.0f); IS((float)w.wzyx.x, 4.0f);
    IS((float)frac((min16float)1.5), 0.5f); IS((float)mul((min16float2x2)w, (min16float2)2).y, 14.0f);
    min16float z = 1.5; z += 2; z++; IS((float)z, 4.5f); bool bb = (bool)z; IS(bb ? 1u : 0u, 1u); IS((float)(bb ? z : (min16float)0), 4.5f);
    done();
}
