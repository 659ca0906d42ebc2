// The smallest and the largest at an address: numbers without a type are those of the memory, `uint`, and negative ones are `int`; a type that is written decides.
// rtc -T lib_6_6
// scene: Inputs/some.toml
// RUN: %rtc -T lib_6_6 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_6 -HV 202x -no-warnings %s -Fc %t.202x
// RUN: FileCheck %s --input-file %t.202x
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// From 202x on such numbers are of `int`.
// CHECK: @dx.op.atomicBinOp.i32(i32 78, {{.*}}, i32 4, {{.*}}, i32 100)
#include "Inputs/resources.hlsli"
RWByteAddressBuffer RawWritten : register(u1);

[shader("raygeneration")] void Main()
{
    if (thread() > 0) { done(0); return; }
    uint was, at = 0 * one();
    int before;
    RawWritten.Store(at, 0xffffffff);
    RawWritten.InterlockedMin(at, 100);
    IS(RawWritten.Load(at), 100);
    RawWritten.InterlockedMax(at, -2, was);
    IS(was, 100); IS(RawWritten.Load(at), 100);
    RawWritten.InterlockedMin(at, -2);
    IS(RawWritten.Load(at), 0xfffffffe);
    RawWritten.InterlockedMax(at, 3 * 1, before);
    IS(before, -2); IS(RawWritten.Load(at), 0xfffffffe);
    RawWritten.InterlockedMax(at, one() ? 3 : 4);
    IS(RawWritten.Load(at), 0xfffffffe);
    RawWritten.InterlockedMin(at, 5u);
    IS(RawWritten.Load(at), 5);
    RawWritten.InterlockedMin(at, int(-1), was);
    IS(was, 5); IS(RawWritten.Load(at), 0xffffffff);
    RawWritten.InterlockedMax(at, int(one()));
    IS(RawWritten.Load(at), 1);
    RawWritten.Store<uint64_t>(8, ~0ull);
    RawWritten.InterlockedMax64(8, int64_t(7));
    IS(RawWritten.Load(8), 7); IS(RawWritten.Load(12), 0);
    done(13);
}
