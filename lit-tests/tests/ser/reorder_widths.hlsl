// Numbers of 64 bits, booleans, vectors, matrices and structures of them come out of a reorder point as they went in.
// rtc -T lib_6_9
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_9 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc -spirv -fspv-ser=wavefront -Zi -fspv-debug=vulkan-with-source -T lib_6_9 -no-warnings %s -Fo %t.zi.spv
// RUN: %spirv-val %t.zi.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=wavefront
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=wavefront -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

struct Mixed { bool flags[9]; uint64_t wide; double exact; float3x2 turned; uint2 pairs[2]; };

Mixed mixed(uint n)
{
    Mixed m;
    for (uint k = 0; k < 9; ++k) m.flags[k] = (n + Words.Load(4 * (k & 7))) % 3 == 0;
    m.wide = (uint64_t)(n + 1) * 0x123456789abcdefull;
    m.exact = n / 3.0L + 1e-9L;
    m.turned = float3x2(n, 1, 2, n * 0.5, 4, Words.Load(8));
    m.pairs[0] = uint2(n, ~n);
    m.pairs[1] = uint2(n * n, 7);
    return m;
}
uint low(uint64_t n) { return (uint)n; }
uint high(uint64_t n) { return (uint)(n >> 32); }

[shader("raygeneration")] void Main()
{
    Mixed m = mixed(thread());
    bool3 odd = bool3(thread() & 1, thread() & 2, thread() & 4);
    int64_t negative = -(int64_t)thread() - 5;
    float4 v = float4(thread(), 1, 2, 3);
    for (uint n = 0; n < 3; ++n)
    {
        dx::MaybeReorderThread(thread() >> n, 2);
        m.wide += n;
        m.flags[(thread() + n) % 9] = odd[n];
        v[n] += 1;
    }
    Mixed same = mixed(thread());
    for (uint k = 0; k < 3; ++k) same.flags[(thread() + k) % 9] = odd[k];
    uint found = 0, must = 0;
    for (uint f = 0; f < 9; ++f) { found |= (uint)m.flags[f] << f; must |= (uint)same.flags[f] << f; }
    IS(found, must); IS(low(m.wide), low(same.wide + 3)); IS(high(m.wide), high(same.wide + 3)); IS(m.exact == same.exact, 1);
    IS(low(negative), ~thread() - 4); IS(high(negative), ~0u);
    ISF(m.turned[1].y, thread() * 0.5); ISF(m.turned[2].y, 2); IS(m.pairs[thread() & 1].x, (thread() & 1) ? thread() * thread() : thread());
    IS(m.pairs[0].y, ~thread()); IS3(v.xyz, float3(thread() + 1, 2, 3)); ISF(v.w, 3);
    done(14);
}
