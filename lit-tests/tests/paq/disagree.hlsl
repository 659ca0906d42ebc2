// Two libraries that declare one payload type with other qualifiers: said with both places; written they agree.
// RUN: %rtc paq -T lib_6_7 -fdiagnostics-format=short %s %S/Inputs/qualified.hlsl 2>&1 | FileCheck %s
// RUN: %rtc paq -T lib_6_7 -Wno-payload-access-qualifier -fdiagnostics-format=short %s %S/Inputs/qualified.hlsl 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: cp %s %t.hlsl
// RUN: cp %S/Inputs/qualified.hlsl %t.other.hlsl
// RUN: %rtc paq -T lib_6_7 -fix %t.hlsl %t.other.hlsl
// RUN: %rtc paq -T lib_6_7 %t.hlsl %t.other.hlsl 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: FileCheck --check-prefix=FIXED %s < %t.other.hlsl
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
struct [raypayload] P { float a : read(caller) : write(caller, closesthit); };
[shader("raygeneration")] void Rg()
{
    RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1;
    P p; p.a = 0;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, r, p);
    Out.Store(0, p.a);
}
// CHECK: warning: the payload `P` has other access qualifiers at {{.*}}qualified.hlsl:1:31 than at {{.*}}disagree.hlsl:11:31 [-Wpayload-access-qualifier] [W0702]
// CHECK: disagree.hlsl:11:31 has read(caller) : write(caller, closesthit); {{.*}}qualified.hlsl:1:31 has read(caller) : write(miss)
// CHECK: float a : read(caller) : write(caller, miss); // was read(caller) : write(caller, closesthit)
// OFF-NOT: W0702
// OFF: float a : read(caller) : write(caller, miss);
// FIXED: struct [raypayload] P { float a : read(caller) : write(caller, miss); };
