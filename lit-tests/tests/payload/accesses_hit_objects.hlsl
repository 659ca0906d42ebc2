// The halves of a trace in loops and under conditions: with the inferred qualifiers, declared and packed, every value is that of the declared layout.
// rtc -T lib_6_9
// scene: ../run/dxr/Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower -I %S/Inputs
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -disable-payload-qualifiers -I %S/Inputs
// RUN: cp %S/Inputs/accesses_hit_objects.hlsli %T/accesses_hit_objects.hlsli
// RUN: %rtc paq -T lib_6_9 -fix -I %T %s | FileCheck %s
// RUN: %rtc-run %s -o %T -- -WX -Werror=payload-access-trace -fspv-ser=lower -I %T
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -I %T -payload-layout=packed
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -I %T -payload-layout=packed -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -I %T
// CHECK-DAG: uint gi {{ *}}: read(closesthit, miss) : write(caller);
// CHECK-DAG: uint c {{ *}}: read(caller) : write(closesthit, miss);
// CHECK-DAG: uint seen {{ *}}: read(caller, anyhit) : write(caller, anyhit);
// CHECK-DAG: uint kept {{ *}}: read(caller) : write(caller);
#include "../run/dxr/Inputs/dxr.hlsli"
#include "accesses_hit_objects.hlsli"

void count(inout uint n) { n += 1; }
[shader("anyhit")] void Any(inout Payload p, in Triangle t) { count(p.seen); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle t) { p.c = p.gi * 10; }
[shader("miss")] void Miss(inout Payload p) { p.c = p.gi + 5; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p;
    p.seen = 0; p.kept = thread() + 3;
    uint sum = 0;
    for (uint i = 0; i < number(3); ++i)
    {
        // Opaque, not opaque, and a miss.
        dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 0, 0, to(i == 2 ? 20 : i), p);
        dx::MaybeReorderThread(h);
        p.gi = i + 1;
        if (!h.IsNop()) { dx::HitObject::Invoke(h, p); sum += p.c; }
    }
    IS(sum, 10 + 20 + 8); IS(p.seen, 1); IS(p.kept, thread() + 3);
    done(3);
}
