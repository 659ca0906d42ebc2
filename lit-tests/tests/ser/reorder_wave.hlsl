// Wave operations before and after a reorder point agree with the wave that they are in.
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
    uint before = WaveActiveCountBits(true), sum = WaveActiveSum(thread());
    Payload p = fresh();
    dx::HitObject h = trace(to(thread() % 9), p);
    dx::MaybeReorderThread(h);
    uint after = WaveActiveCountBits(true), hits = WaveActiveCountBits(h.IsHit()), misses = WaveActiveCountBits(h.IsMiss());
    IS(before >= 1 && before <= WaveGetLaneCount(), 1); IS(sum <= 120, 1); IS(after >= 1 && after <= WaveGetLaneCount(), 1); IS(hits + misses, after);
    uint rank = WavePrefixCountBits(true), first = WaveReadLaneFirst(thread());
    IS(rank < after, 1); IS(first < 16, 1); IS(WaveActiveAnyTrue(first == thread()), 1); IS(WaveActiveMax(thread()) >= thread(), 1);
    dx::HitObject::Invoke(h, p);
    IS(p.tag, TOLD[thread() % 9]);
    done(9);
}
