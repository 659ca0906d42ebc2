// Wave operations in ray generation shaders: what holds however threads are packed into waves.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    uint n = thread(), lanes = WaveGetLaneCount(), lane = WaveGetLaneIndex();
    uint active = WaveActiveCountBits(true), before = WavePrefixCountBits(true);
    IS(lane < lanes, 1); IS(active >= 1 && active <= lanes, 1); IS(before < active, 1);
    // One first lane, which reads itself; a sum of ones; prefix and whole agree.
    IS(WaveActiveCountBits(WaveIsFirstLane()), 1); IS(WaveIsFirstLane(), before == 0);
    IS(WaveActiveSum(1u), active); IS(WavePrefixSum(1u), before); IS(WaveActiveSum(n) - WavePrefixSum(n) >= n, 1);
    IS(WaveActiveMin(n) <= n && n <= WaveActiveMax(n), 1); IS(WaveActiveAllEqual(number(7)), 1); IS(WaveActiveAllTrue(n < 16), 1); IS(WaveActiveAnyTrue(n == 99), 0);
    IS(countbits(WaveActiveBallot(true).x) + countbits(WaveActiveBallot(true).y) + countbits(WaveActiveBallot(true).z) + countbits(WaveActiveBallot(true).w), active);
    IS(WaveReadLaneAt(n, lane), n); IS(WaveActiveBitOr(1u << n) >> n & 1, 1); IS(WaveActiveBitAnd(~(1u << n)) >> n & 1, 0);
    done(16);
}
