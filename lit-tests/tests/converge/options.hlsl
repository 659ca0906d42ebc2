// The option: what a package says to the runtime, what the report says of traces under divergent control flow, and what is refused.
// RUN: %rtc -spirv -fspv-converge-traces=on -T lib_6_3 -no-warnings %s -Fo %t.rtp
// RUN: %rtc dis %t.rtp | FileCheck --check-prefix=PACKAGE %s
// PACKAGE: ; all lanes of a wave trace: 1 miss record without a shader before those of the application
// RUN: %rtc -spirv -fspv-converge-traces=on -T lib_6_3 -no-warnings %s | FileCheck --check-prefix=ON %s
// The loop runs while any lane has work.
// ON: OpTraceRayKHR
// ON: OpGroupNonUniformAny
// ON-COUNT-3: OpTraceRayKHR
// ON-NOT: OpTraceRayKHR
// RUN: %rtc -spirv -T lib_6_3 -no-warnings %s | FileCheck --check-prefix=OFF %s
// OFF-COUNT-4: OpTraceRayKHR
// OFF-NOT: OpGroupNonUniformAny
// RUN: %rtc -spirv -T lib_6_3 -no-warnings %s -report reorder,%t.off.txt -Fo %t.spv
// RUN: FileCheck --check-prefix=REPORT --input-file=%t.off.txt %s
// REPORT: divergent: `if` in line 47 (`n & 1`); about {{[0-9]+}} instructions follow in a split wave
// REPORT-NEXT: all lanes could trace (-fspv-converge-traces)
// REPORT: divergent: `loop` in line 50 (`i < n`), `if` in line 52 (`i & n`); about
// REPORT-NEXT: all lanes could trace
// REPORT: divergent: `if` in line 62 (`p.depth < 3`); about
// REPORT-NEXT: stays divergent: a lane without work may be at the largest depth of recursion
// RUN: %rtc -spirv -fspv-converge-traces=on -T lib_6_3 -no-warnings %s -report reorder,%t.on.txt -Fo %t.on.spv
// RUN: FileCheck --check-prefix=DONE --input-file=%t.on.txt %s
// DONE: divergent: `if` in line 47
// DONE-NEXT: all lanes trace
// DONE: divergent: `if` in line 62
// DONE-NEXT: stays divergent
// RUN: not %rtc -spirv -fspv-converge-traces=sometimes -T lib_6_3 %s 2>&1 | FileCheck --check-prefix=WORD %s
// WORD: -fspv-converge-traces=sometimes: expected one of off, on, auto
// RUN: not %rtc -spirv -fspv-converge-traces=on -fspv-ser=wavefront -T lib_6_3 %s -Fo %t.rtp 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: -fspv-converge-traces keeps waves as they are
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
struct Payload { uint depth; uint found; };
void lane(inout Payload p)
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 10 };
    TraceRay(Scene, 0, 0xff, 0, 1, 0, r, p);
}

[shader("raygeneration")] void Main()
{
    uint n = Out.Load(DispatchRaysIndex().x * 4);
    Payload p = { 0, 0 };
    // Half of the lanes; then as many iterations as a lane has, of which some trace.

    if (n & 1) lane(p);

    uint sum = 0;
    [loop] for (uint i = 0; i < n; ++i)
    {
        if (i & n) lane(p);
        sum += p.found;
    }
    lane(p);
    Out.Store(DispatchRaysIndex().x * 4, sum + p.found);
}

[shader("closesthit")] void Closest(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    p.found += 1;
    if (p.depth < 3) { Payload q = { p.depth + 1, 0 }; lane(q); p.found += q.found; }
}
[shader("miss")] void Miss(inout Payload p) { p.found = 9; }
