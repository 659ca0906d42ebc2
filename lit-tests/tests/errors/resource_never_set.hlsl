// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: not %rtc -T lib_6_3 -Od -fdiagnostics-format=short %s 2>&1 | FileCheck %s
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main()
{
    RWByteAddressBuffer b;
    // CHECK: resource_never_set.hlsl:8:5: error: this resource is used, but nothing was ever assigned to it [E0640]
    b.Store(0, 1);
}
