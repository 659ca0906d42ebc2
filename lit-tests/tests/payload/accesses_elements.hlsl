// Elements of arrays of payloads, and of structures in payloads, that are chosen at run time: a trace with such an element reads none of its fields,
// and what one field of an element is used for is no use of the others. The inferred qualifiers give the values of the declared layout, without a warning.
// rtc -T lib_6_7
// scene: ../run/dxr/Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -I %S/Inputs
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -disable-payload-qualifiers -I %S/Inputs
// RUN: cp %S/Inputs/accesses_elements.hlsli %T/accesses_elements.hlsli
// RUN: %rtc paq -T lib_6_7 -fix -I %T %s | FileCheck %s
// RUN: %rtc-run %s -o %T -- -WX -Werror=payload-access-trace -Werror=payload-access-shader -I %T
// RUN: %rtc-run %s -o %T -- -no-warnings -I %T -payload-layout=packed
// RUN: %rtc-run %s -o %T -- -no-warnings -I %T -payload-layout=packed -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -I %T
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -I %T -Od
// CHECK-DAG: uint gi {{ *}}: read(closesthit, miss) : write(caller);
// CHECK-DAG: uint c {{ *}}: read(caller) : write(closesthit, miss);
// CHECK-DAG: uint seen {{ *}}: read(caller, anyhit) : write(caller, anyhit);
// CHECK-DAG: Part[2] parts {{ *}}: read(caller, closesthit) : write(caller, closesthit);
#define DEPTH 1
#include "../run/dxr/Inputs/dxr.hlsli"
#include "accesses_elements.hlsli"

[shader("anyhit")] void Any(inout Payload p, in Triangle t) { p.seen++; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle t)
{
    uint n = number(PrimitiveIndex());
    p.parts[n].given = p.parts[1 - n].kept;
    p.c = p.gi * 10;
}
[shader("miss")] void Miss(inout Payload p) { p.c = p.gi + 5; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p[3];
    for (uint i = 0; i < 3; ++i)
    {
        p[i].gi = i + 1; p[i].seen = i;
        for (uint k = 0; k < 2; ++k) { p[i].parts[k].kept = 10 * i + k; p[i].parts[k].given = 100 + k; }
    }
    uint n = number(thread() % 3), m = number((thread() + 1) % 3);
    // One that is not opaque, an opaque one, and a miss with a copy.
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1), p[n]);
    IS(p[n].c, 10 * (n + 1)); IS(p[n].seen, n + 1); IS(p[n].parts[0].given, 10 * n + 1); IS(p[n].parts[1].given, 101);
    for (uint j = 0; j < 3; ++j) p[j].gi = 7 + j;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p[m]);
    IS(p[m].c, 10 * (m + 7)); IS(p[m].seen, m); IS(p[m].parts[0].given, 10 * m + 1); IS(p[m].parts[1].kept, 10 * m + 1);
    Payload q = p[n];
    q.gi = 8;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), q);
    IS(q.c, 13); IS(q.seen, n + 1); IS(q.parts[number(1)].given, 101);
    p[m] = q;
    IS(p[m].c, 13); IS(p[n].c, 10 * (n + 1));
    done(13);
}
