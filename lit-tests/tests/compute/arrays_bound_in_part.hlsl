// What is not bound of an array is null on devices with null descriptors: reads give zero. The CPU device says which element is missing.
// RUN: %rtc-run-cpu %S/Inputs/arrays_bound_in_part.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: not %rtc-run-cpu %S/Inputs/arrays_bound_in_part.toml -o %T -- -D MISSING 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: %rtc-run %S/Inputs/arrays_bound_in_part.toml -o %T -- -D VULKAN
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^\[?}}7,
// CHECK-NEXT: {{^\[?}}9,
// CHECK-NEXT: {{^\[?}}12,
// CHECK-NEXT: {{^\[?}}0,
// CHECK-NEXT: {{^\[?}}0,
// CHECK-NEXT: {{^\[?}}0,
// MISSING: element 2 of `Pictures` (t0) is accessed, but not bound
Texture2D<uint> Pictures[3] : register(t0);
StructuredBuffer<uint> Items[3] : register(t10);
Buffer<uint> Texels[3] : register(t20);
RWByteAddressBuffer Out : register(u0);

[numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(28);
    Out.Store(0, Pictures[k + 1][uint2(0, 0)]);
    Out.Store(4, Items[k + 2][1]);
    Out.Store(8, Texels[k][1]);
#ifdef VULKAN
    Out.Store(12, Pictures[k + 2][uint2(0, 0)]);
    Out.Store(16, Items[k][1]);
    Out.Store(20, Texels[k + 1][1]);
#endif
#ifdef MISSING
    Out.Store(12, Pictures[k + 2][uint2(0, 0)]);
#endif
}
