// An access to an unbound resource names it, with its register and element, and the operation; querying its size is
// no mistake.
// rtc -T lib_6_6
// scene: Inputs/some.toml
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -DCASE=1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -DCASE=2 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -DCASE=3 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -DCASE=4 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -DCASE=5 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -DCASE=6 -Zi 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -DCASE=7 2>&1 | FileCheck %s --check-prefix=SEVEN
// RUN: not %rtc-run-cpu %s -o %T -- -no-warnings -DCASE=8 2>&1 | FileCheck %s --check-prefix=EIGHT
#include "Inputs/resources.hlsli"

ByteAddressBuffer Nothing : register(t7, space2);
ByteAddressBuffer Array[3] : register(t1);
Texture2D<float4> NoPicture : register(t8);
SamplerState NoSampler : register(s3);
Texture2D<float4> Picture : register(t9);

[shader("raygeneration")] void Main()
{
    if (thread() > 0) { done(0); return; }
    uint n = one(), bytes, w, h;
    Nothing.GetDimensions(bytes); IS(bytes, 0);
    NoPicture.GetDimensions(w, h); IS(w + h, 0);
    IS(Array[2 * n].Load(0), 102);
    ByteAddressBuffer there = ResourceDescriptorHeap[3 * n]; IS(there.Load(4), 34);
#if CASE == 1
    // ONE: `Main`, thread (0, 0, 0): `Nothing` (t7,space2) is accessed, but not bound
    // ONE-NEXT: in RawBufferLoad
    IS(Nothing.Load(4), 0);
#elif CASE == 2
    // TWO: `Main`, thread (0, 0, 0): element 1 of `Array` (t1) is accessed, but not bound
    IS(Array[n].Load(0), 0);
#elif CASE == 3
    // THREE: `Main`, thread (0, 0, 0): an element out of range of the 3 of `Array` (t1) is accessed, but not bound
    IS(Array[NonUniformResourceIndex(70 * n)].Load(0), 0);
#elif CASE == 4
    // FOUR: `Main`, thread (0, 0, 0): element 4 of `ResourceDescriptorHeap` is accessed, but not bound
    // FOUR-NEXT: in RawBufferStore
    RWByteAddressBuffer away = ResourceDescriptorHeap[4 * n]; away.Store(0, 1);
#elif CASE == 5
    // FIVE: `Main`, thread (0, 0, 0): element 2 of `SamplerDescriptorHeap` is accessed, but not bound
    // FIVE-NEXT: in SampleLevel
    SamplerState s = SamplerDescriptorHeap[2 * n];
    ISF(Picture.SampleLevel(s, 0, 0).x, 0);
#elif CASE == 6
    // SIX: `Main`, thread (0, 0, 0): `NoPicture` (t8) is accessed, but not bound
    // SIX-NEXT: in TextureLoad at {{.*}}unbound.hlsl:[[@LINE+1]]
    ISF(NoPicture.Load(int3(n, 0, 0)).x, 0);
#elif CASE == 7
    // SEVEN: `Main`, thread (0, 0, 0): element 3 of `ResourceDescriptorHeap` is a buffer, expected a Texture2D
    Texture2D<float4> t = ResourceDescriptorHeap[3 * n]; ISF(t.Load(int3(n, 0, 0)).x, 0);
#elif CASE == 8
    // EIGHT: `Main`, thread (0, 0, 0): `NoSampler` (s3) is accessed, but not bound
    ISF(Picture.SampleLevel(NoSampler, n, 0).x, 0);
#endif
    done(4);
}
