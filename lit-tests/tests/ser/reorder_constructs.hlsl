// Reorder points in branches, switches and nested loops that threads leave at different times change nothing: with them a function gives what it gives without.
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
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

#define POINT(hint, bits) dx::MaybeReorderThread(hint, bits)
#define NONE(hint, bits)
#define WALK(NAME, AT) \
    uint NAME(uint n) \
    { \
        uint sum = n, list[5]; \
        for (uint k = 0; k < 5; ++k) list[k] = n * k + Words.Load(4 * k); \
        if (n & 1) { sum += 3; AT(n, 3); sum *= 5; } else sum += 7; \
        [loop] for (uint i = 0; i < n % 4 + 1; ++i) \
        { \
            [loop] for (uint j = 0; j < 3; ++j) \
            { \
                if ((j ^ n) == 2) break; \
                AT(i + j, 4); \
                list[(i + j) % 5] += sum; \
                if (list[j] % 3 == 0) continue; \
                sum = sum * 3 + list[(i * j) % 5]; \
            } \
            switch (sum % 4) \
            { \
                case 0: AT(1, 1); sum += 2; break; \
                case 1: sum ^= 5; break; \
                case 2: if (i == 2) return sum; AT(sum, 2); sum += list[i]; break; \
                default: sum -= i; break; \
            } \
        } \
        uint left = n % 5; \
        [loop] do { AT(left, 16); sum += list[left]; } while (left-- > 2); \
        return sum + list[(sum >> 2) % 5]; \
    }
WALK(with_points, POINT)
WALK(without, NONE)

[shader("raygeneration")] void Main()
{
    uint a = without(thread());
    [loop] for (uint t = 0; t < 3; ++t)
    {
        uint n = t == 0 ? thread() : t == 1 ? a % 100 : ~thread();
        IS(with_points(n), without(n));
        if (t == 1 && thread() % 5 == 2)
        {
            dx::MaybeReorderThread(a, 16);
            done(2);
            return;
        }
    }
    done(3);
}
