// The limit of a payload counts where an amplification shader sends it: functions that other entry points of the source use are no matter.
// RUN: %rtc -T as_6_5 -E small -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T ms_6_5 -E mesh -validator-version 1.6 %s -Fo %t.ms.dxil
// RUN: %dxil-val %t.ms.dxil
// RUN: %rtc -T as_6_5 -E small -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T as_6_5 -E large %s 2>&1 | FileCheck %s
// CHECK: the payload `Large` has 16388 bytes; 16384 is the limit [E0682]
struct Large { uint a[4097]; };
struct Small { uint a; };
groupshared Large L;
groupshared Small S;
void send() { DispatchMesh(1, 1, 1, L); }
[numthreads(1, 1, 1)] void large() { L.a[0] = 1; send(); }
[numthreads(1, 1, 1)] void small() { S.a = 1; DispatchMesh(1, 1, 1, S); }
struct V { float4 at : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("triangle")] void mesh(in payload Small s, out vertices V v[3], out indices uint3 t[1])
{
    SetMeshOutputCounts(3, 1);
    v[0].at = s.a; v[1].at = 1; v[2].at = 2;
    t[0] = uint3(0, 1, 2);
}
