// Libraries that share a header: one says what shaders do, the other what callers do. Alone neither is enough.
// RUN: mkdir -p %t.dir/Inputs
// RUN: cp %S/Inputs/shared.hlsli %t.dir/Inputs/shared.hlsli
// RUN: cp %S/Inputs/hits.hlsl %t.dir/Inputs/hits.hlsl
// RUN: cp %s %t.dir/rays.hlsl
// RUN: not %rtc paq -T lib_6_6 -fix %t.dir/rays.hlsl 2>&1 | FileCheck --check-prefix=RAYS %s
// RUN: not %rtc paq -T lib_6_6 %t.dir/Inputs/hits.hlsl 2>&1 | FileCheck --check-prefix=HITS %s
// RUN: cmp %t.dir/Inputs/shared.hlsli %S/Inputs/shared.hlsli
// RUN: %rtc paq -T lib_6_6 -fix -no-empty-hit-groups %t.dir/rays.hlsl %t.dir/Inputs/hits.hlsl | FileCheck %s
// RUN: cmp %t.dir/rays.hlsl %s
// RUN: FileCheck --check-prefix=HEADER %s < %t.dir/Inputs/shared.hlsli
// RUN: %rtc -T lib_6_8 -WX %t.dir/rays.hlsl -Fo %t.dir/rays.dxil
// RUN: %rtc -T lib_6_8 -WX %t.dir/Inputs/hits.hlsl -Fo %t.dir/hits.dxil
#include "Inputs/shared.hlsli"
[shader("raygeneration")] void Rays()
{
    Shared p = (Shared)0;
    p.seed = 7;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, ray(), p);
    Shadow s;
    s.visible = 0;
    TraceRay(Scene, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 255, 0, 0, 1, ray(), s);
    if (p.hit) Out.Store3(0, asuint(p.color * s.visible));
}
// RAYS: the qualifiers of `Shared` cannot be inferred: no shader that receives it is in the libraries
// HITS: the qualifiers of `Shared` cannot be inferred: no trace with it is in the libraries
// CHECK: float3 color : read(caller) : write(closesthit, miss);
// CHECK: uint seed : read(anyhit, closesthit) : write(caller);
// CHECK: bool hit : read(caller) : write(closesthit, miss);
// CHECK: seed: read(anyhit): `Any in {{.*}}hits.hlsl` reads it
// CHECK: float visible : read(caller) : write(caller, miss); // was read(caller, miss) : write(caller, closesthit, miss)
// CHECK: visible: write(caller): {{.*}}, and it comes back where no shader runs
// HEADER: struct [raypayload] Shared { float3 color : read(caller) : write(closesthit, miss); uint seed : read(anyhit, closesthit) : write(caller); bool hit : read(caller) : write(closesthit, miss); };
// HEADER: struct [raypayload] Shadow { float visible : read(caller) : write(caller, miss); };
