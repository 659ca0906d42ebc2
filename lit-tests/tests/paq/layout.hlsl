// Layout files: made for libraries that declare a payload alike, by what their shaders do with it; refused, with the place, where they are
// damaged.
// RUN: %rtc paq -T lib_6_9 %s -layout=%t.toml
// RUN: FileCheck --check-prefix=ALONE %s < %t.toml
// RUN: %rtc paq -T lib_6_9 -D OBJECTS %s -layout=%t.objects.toml
// RUN: FileCheck --check-prefix=OBJECTS %s < %t.objects.toml
// RUN: %rtc -T lib_6_9 -spirv -fspv-ser=nv -D OBJECTS -payload-layout-file=%t.objects.toml %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T lib_6_9 -spirv -fspv-ser=nv -D OBJECTS -payload-layout-file=%t.toml %s -Fo %t.spv -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=NONE %s
// A library without any-hit shaders and hit objects: the field that only those read is gone, and two more share a word.
// RUN: %rtc -T lib_6_9 -spirv -payload-layout=packed %s -Fo %t.own.rtp
// RUN: %rtc dis %t.own.rtp | FileCheck --check-prefix=OWN %s
// RUN: %rtc -T lib_6_9 -spirv -payload-layout-file=%t.toml %s -Fo %t.rtp
// RUN: %rtc dis %t.rtp | FileCheck --check-prefix=LESS %s
// Two libraries that do not agree; wrong use.
// RUN: not %rtc paq -T lib_6_9 %s %S/Inputs/layout_other.hlsl -layout=%t.no.toml -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=DIFFER %s
// RUN: not %rtc paq -T lib_6_9 %s -layout -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=FILE %s
// RUN: not %rtc paq -T lib_6_9 %s -layout=%t.no.toml -fix -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: not %rtc -T lib_6_9 -payload-layout-file=%t.toml %s -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=DXIL %s
// RUN: not %rtc -T lib_6_9 -spirv -payload-layout=declared -payload-layout-file=%t.toml %s -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=CONTRA %s
// RUN: not %rtc -T lib_6_9 -spirv -payload-layout-file=%t.none.toml %s -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not %rtc -T lib_6_9 -spirv -payload-layout-file=%S/Inputs/layout_bad.toml %s -Fo %t.spv -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=BAD %s
// Payloads that are not packed are named.
// RUN: %rtc paq -T lib_6_9 -disable-payload-qualifiers %s -layout=%t.plain.toml -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=PLAIN %s
// ALONE: name = "P"
// ALONE-NEXT: declared = 16
// ALONE-NEXT: packed = 4
// ALONE-NEXT: stages = ["caller", "miss"]
// ALONE-NEXT: hit_objects = false
// OBJECTS: stages = ["caller", "miss"]
// OBJECTS-NEXT: hit_objects = true
// NONE: error[E0721]: the payload `P` does not match the layout file: this library uses it with hit objects, which the file excludes
// OWN: ; payload P: 16 bytes declared, 12 bytes packed
// LESS: ; payload P: 16 bytes declared, 4 bytes packed
// DIFFER: error[E0712]: the payload `P` has other members at {{.*}}layout_other.hlsl:1:21 than at {{.*}}layout.hlsl:{{[0-9]+}}:21
// DIFFER-NEXT: = `float from` at {{.*}}layout.hlsl:{{[0-9]+}}:21, `float more` at
// FILE: -layout requires a file
// BOTH: -layout cannot be combined with -fix or -json
// DXIL: -payload-layout-file is for SPIR-V: DXIL keeps the declared layout
// CONTRA: contradict each other
// MISSING: cannot read
// BAD: error[E0720]: invalid layout file: `from` and `tested` are alive at the same time and share bits
// BAD: layout_bad.toml:11:5
// PLAIN: warning[W0722]: the payload `P` keeps its declared layout: it has no payload access qualifiers
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
struct [raypayload] P
{
    float from : write(caller) : read(miss);
    float tested : write(caller) : read(anyhit);
    float tint : write(caller, anyhit) : read(closesthit);
    float out2 : write(miss) : read(caller);
};
[shader("raygeneration")] void Rg()
{
    P p;
    p.from = 1; p.tested = 2; p.tint = 3;
    RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1;
#ifdef OBJECTS
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
    dx::HitObject::Invoke(h, p);
#else
    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
#endif
    Out.Store(0, asuint(p.out2));
}
[shader("miss")] void Ms(inout P p) { p.out2 = p.from; }
