// Ray flags that hide things, and GetRayFlags.
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
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    static const uint FLAGS[6] = { RAY_FLAG_CULL_OPAQUE, RAY_FLAG_CULL_NON_OPAQUE, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, RAY_FLAG_CULL_FRONT_FACING_TRIANGLES, RAY_FLAG_SKIP_TRIANGLES, RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES };
    // Which of six instances each leaves.
    static const uint LEFT[6] = { 0x04, 0x3b, 0x1f, 0x28, 0x08, 0x37 };
    uint n = thread() % 6, flags = FLAGS[n], seen = 0, same = 1;
    [loop] for (uint i = 0; i < 6; ++i)
    {
        Payload p = fresh();
        dx::HitObject h = trace(to(i), p, flags);
        seen |= uint(h.IsHit()) << i;
        same &= h.GetRayFlags() == flags;
    }
    IS(seen, LEFT[n]); IS(same, 1);
    done(2);
}
