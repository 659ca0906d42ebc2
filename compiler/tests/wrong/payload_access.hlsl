// Payload access qualifiers: what happens to fields along the paths of shaders.

// CASE read_before_write -T lib_6_7
struct [raypayload] P { float a : write(closesthit) : read(caller); float b : write(caller) : read(closesthit); };
[shader("closesthit")] void Main(inout P p, BuiltInTriangleIntersectionAttributes t)
{
    p.a = p.a + p.b;
//        ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(closesthit) : read(caller)`: closesthit shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE read_of_one_component -T lib_6_7
struct [raypayload] P { float3 a : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    p.a.x = 1;
    o[0] = p.a.x;
    o[1] = p.a.y;
//         ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 0;
}
// CASE read_in_one_arm -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    bool high = WorldRayDirection().y > 0;
    if (high) p.a = 1;
    if (high) o[0] = p.a;
    if (RayTMin() > 1) o[1] = p.a;
//                            ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 6:9: note: when this does not hold
// = 8:9: note: when this holds
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 2;
}
// CASE read_in_a_helper -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
float get(inout P p) { return p.a; }
//                            ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 3:37: note: in `get`, called here
// = 6:11: note: in `twice`, called here
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: in the entry point `Main`
// = note: rule: DXR, payload access qualifiers, detailed semantics
float twice(inout P p) { return 2 * get(p); }
[shader("miss")] void Main(inout P p)
{
    p.a = twice(p);
}
// CASE read_after_trace -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(miss); };
RaytracingAccelerationStructure s; RWBuffer<float> o;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p; p.a = 1;
    TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
    o[0] = p.a;
//         ^^^ W0711 `p.a` is undefined when it is read
// = here: undefined since the trace before
// = 7:5: note: the previous value is lost here
// = note: `a` is `write(caller) : read(miss)`: TraceRay does not return it to its caller
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE read_after_trace_in_a_wrapper -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(miss); };
RaytracingAccelerationStructure s; RWBuffer<float> o;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
void shoot(inout P p) { TraceRay(s, 0, 255, 0, 1, 0, ray(), p); }
[shader("raygeneration")] void Main()
{
    P p; p.a = 1;
    shoot(p);
    P q = p;
    o[0] = q.a;
//         ^^^ W0711 `q.a` is undefined when it is read
// = here: undefined since the trace before
// = 4:25: note: the previous value is lost here
// = note: `a` is `write(caller) : read(miss)`: TraceRay does not return it to its caller
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE write_lost_at_the_end -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(miss); float b : write(miss) : read(caller); };
[shader("miss")] void Main(inout P p)
{
    p.b = p.a;
    p.a = 1;
//  ^^^^^^^ W0712 the value written to `p.a` is lost when `Main` ends
// = 2:23: note: the shader ends here
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE write_lost_when_the_hit_is_ignored -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(anyhit, caller); };
[shader("anyhit")] void Main(inout P p, BuiltInTriangleIntersectionAttributes t)
{
    if (p.a > 1)
    {
        p.a = 2;
//      ^^^^^^^ W0712 the value written to `p.a` is lost when `Main` ends
// = 7:9: note: the shader ends here
// = 4:9: note: when this holds
// = note: its qualifiers do not have `write(anyhit)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
        IgnoreHit();
    }
}
// CASE write_lost_in_a_helper -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(miss); float b : write(miss) : read(caller); };
void set(inout P p) { p.a = 1; p.b = 2; }
//                    ^^^^^^^ W0712 the value written to `p.a` is lost when `Main` ends
// = 3:23: note: the shader ends here
// = 5:5: note: in `set`, called here
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: in the entry point `Main`
// = note: rule: DXR, payload access qualifiers, detailed semantics
[shader("miss")] void Main(inout P p)
{
    set(p);
}
// CASE write_lost_in_a_trace -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RaytracingAccelerationStructure s;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p;
    p.a = 1;
//  ^^^^^^^ W0713 the value written to `p.a` is lost in TraceRay
// = 8:5: note: it is not passed to the trace, and is undefined afterwards
// = note: its qualifiers do not have `write(caller)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
    TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
}
// CASE pure_input_in_a_loop -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(miss); };
RaytracingAccelerationStructure s;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p;
    p.a = 1;
    for (int i = 0; i < 4; i++)
        TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0714 `a` is undefined when it is passed to this trace in the next iteration
// = here: the previous iteration loses it here
// = note: assign it in each iteration, or add caller to its readers
// = note: `a` is `write(caller) : read(miss)`: TraceRay does not return it to its caller
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE lost_in_the_trace_before -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(miss); };
RaytracingAccelerationStructure s;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p;
    p.a = 1;
    TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
    TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0714 `a` is undefined when it is passed to this trace
// = 8:5: note: the previous value is lost here
// = note: `a` is `write(caller) : read(miss)`: TraceRay does not return it to its caller
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE handed_on_without_coming_in -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(anyhit); };
RaytracingAccelerationStructure s;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("miss")] void Main(inout P p)
{
    TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0714 `a` is undefined when it is passed to this trace
// = note: `a` is `write(caller) : read(anyhit)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE nothing_goes_in -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(miss); float b : write(caller) : read(miss); };
RaytracingAccelerationStructure s;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p;
    p.a = 1;
    TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0715 `b` is passed to this trace uninitialised
// = note: `b` is `write(caller) : read(miss)`: the caller must initialise it
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE output_on_one_path -T lib_6_7
struct [raypayload] P { float a : write(closesthit) : read(caller); };
[shader("closesthit")] void Main(inout P p, BuiltInTriangleIntersectionAttributes t)
{
    if (t.barycentrics.x > 0.5)
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0716 `a` is undefined when `Main` ends: this path does not write it
// = 4:9: note: when this does not hold
// = note: write it on every path
// = note: `a` is `write(closesthit) : read(caller)`: each closesthit shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
        p.a = 1;
}
// CASE output_after_an_early_return -T lib_6_7
struct [raypayload] P { float a : write(closesthit) : read(caller); };
[shader("closesthit")] void Main(inout P p, BuiltInTriangleIntersectionAttributes t)
{
    if (t.barycentrics.x > 0.5) return;
//                              ^^^^^^^ W0716 `a` is undefined when `Main` ends: this path does not write it
// = 4:9: note: when this holds
// = note: write it on every path
// = note: `a` is `write(closesthit) : read(caller)`: each closesthit shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 1;
}
// CASE output_when_the_hit_is_ignored -T lib_6_7
struct [raypayload] P { float a : write(anyhit) : read(closesthit); };
[shader("anyhit")] void Main(inout P p, BuiltInTriangleIntersectionAttributes t)
{
    if (t.barycentrics.x > 0.5) IgnoreHit();
//                              ^^^^^^^^^^^ W0716 `a` is undefined when `Main` ends: this path does not write it
// = 4:9: note: when this holds
// = note: write it on every path, or add anyhit to its readers, which keeps its value
// = note: `a` is `write(anyhit) : read(closesthit)`: each anyhit shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 1;
}
// CASE output_in_one_case -T lib_6_7
struct [raypayload] P { float a : write(closesthit) : read(caller); };
[shader("closesthit")] void Main(inout P p, BuiltInTriangleIntersectionAttributes t)
{
    switch (HitKind())
    {
        case 254: p.a = 1; break;
        case 255: p.a = 2; break;
        default: break;
//               ^^^^^^ W0716 `a` is undefined when `Main` ends: this path does not write it
// = note: write it on every path
// = note: `a` is `write(closesthit) : read(caller)`: each closesthit shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
    }
}
// CASE output_never_written -T lib_6_7
struct [raypayload] P { float a : write(closesthit) : read(caller); };
[shader("closesthit")] void Main(inout P p, BuiltInTriangleIntersectionAttributes t)
//                          ^^^^ W0716 `a` is undefined when `Main` ends: it is never written
// = note: write it, or remove closesthit from its writers
// = note: `a` is `write(closesthit) : read(caller)`: each closesthit shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
{
}
// CASE output_by_components -T lib_6_7
struct [raypayload] P { float3 a : write(miss) : read(caller); };
[shader("miss")] void Main(inout P p)
//                    ^^^^ W0716 `a` is undefined when `Main` ends: this path does not write all of it
// = note: write it on every path
// = note: `a` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
{
    p.a.xy = 1;
}
// CASE lost_across_a_recursive_trace -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(closesthit); float b : write(closesthit) : read(caller); };
RaytracingAccelerationStructure s;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("closesthit")] void Main(inout P p, BuiltInTriangleIntersectionAttributes t)
{
    if (p.a > 0)
    {
        P q = p;
        TraceRay(s, 0, 255, 0, 1, 0, ray(), q);
        p = q;
    }
    p.b = p.a;
//        ^^^ W0711 `p.a` is undefined when it is read
// = here: undefined since the trace before
// = 9:9: note: the previous value is lost here
// = 6:9: note: when this holds
// = note: `a` is `write(caller) : read(closesthit)`: TraceRay does not return it to its caller
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE undefined_payload_taken_over -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(miss) : read(caller); };
[shader("miss")] void Main(inout P p)
//                    ^^^^ W0716 `b` is undefined when `Main` ends: this path does not write it
// = note: write it on every path
// = note: `b` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
{
    P q;
    q.a = 1;
    p = q;
}
// CASE read_after_the_hit_object_was_invoked -T lib_6_9
struct [raypayload] P { float a : write(caller) : read(closesthit); float b : write(closesthit) : read(caller); };
RaytracingAccelerationStructure s; RWBuffer<float> o;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p; p.a = 1;
    dx::HitObject hit = dx::HitObject::TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
    o[0] = p.a;
    dx::HitObject::Invoke(hit, p);
    o[1] = p.a + p.b;
//         ^^^ W0711 `p.a` is undefined when it is read
// = here: undefined since the trace before
// = 9:5: note: the previous value is lost here
// = note: `a` is `write(caller) : read(closesthit)`: HitObject::Invoke does not return it to its caller
// = note: rule: DXR, hit object interaction with payload access qualifiers
}
// CASE write_lost_when_the_hit_object_traces -T lib_6_9
struct [raypayload] P { float a : write(anyhit, caller) : read(closesthit, anyhit); float b : write(closesthit) : read(caller); };
RaytracingAccelerationStructure s; RWBuffer<float> o;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p; p.a = 1;
    p.b = 2;
//  ^^^^^^^ W0713 the value written to `p.b` is lost in HitObject::TraceRay
// = 8:25: note: it is not passed to the trace, and is undefined afterwards
// = note: its qualifiers do not have `write(caller)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
    dx::HitObject hit = dx::HitObject::TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
    dx::HitObject::Invoke(hit, p);
    o[1] = p.b;
}
// CASE write_lost_in_two_entry_points -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(miss); float b : write(miss) : read(caller); };
void set(inout P p) { p.b = p.a; p.a = 1; }
//                               ^^^^^^^ W0712 the value written to `p.a` is lost when `First` ends
// = 3:23: note: the shader ends here
// = 3:42: note: in `set`, called here
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: in the entry point `First`
// = note: rule: DXR, payload access qualifiers, detailed semantics
[shader("miss")] void First(inout P p) { set(p); }
[shader("miss")] void Second(inout P p) { set(p); }
// CASE elements_at_computed_places -T lib_6_7
struct [raypayload] P { float a[3] : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    uint k = RayFlags() & 1;
    o[0] = p.a[0];
//         ^^^^^^ W0710 `p.a[0]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    if (RayTMin() > 1) p.a[k] = 1;
    o[1] = p.a[1];
//         ^^^^^^ W0710 `p.a[1]` is undefined when it is read
// = here: it was not written since the shader began
// = 7:9: note: when this does not hold
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a[k] = 2;
    o[2] = p.a[0];
    p.a[0] = p.a[1] = p.a[2] = 1;
}
// CASE component_of_a_condition_twice -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    if (WorldRayDirection().y > 0) { p.a = 1; p.b = 2; }
    if (WorldRayDirection().y > 0) o[0] = p.a;
    if (WorldRayDirection().x > 0) o[1] = p.b;
//                                        ^^^ W0710 `p.b` is undefined when it is read
// = here: it was not written since the shader began
// = 5:9: note: when this does not hold
// = 7:9: note: when this holds
// = note: `b` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = p.b = 3;
}
// CASE conditions_that_are_known -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(miss) : read(caller); float c : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    bool done = false;
    if (!done) p.a = 1;
    o[0] = p.a;
    int2 k = 1;
    k.x = RayFlags();
    k.y = 0;
    if (k.x == 1) p.b = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^ W0716 `b` is undefined when `Main` ends: this path does not write it
// = 11:9: note: when this does not hold
// = note: write it on every path
// = note: `b` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
    o[1] = p.b;
//         ^^^ W0710 `p.b` is undefined when it is read
// = here: it was not written since the shader began
// = 11:9: note: when this does not hold
// = note: `b` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    for (int n = 0; n < 2; ++n) { if (n == 1) o[2] = p.c; p.c = 2; }
}
// CASE shader_that_ran_does_not_write -T lib_6_9
struct [raypayload] P { float c : read(caller) : write(closesthit); float m : read(caller) : write(miss); float b : read(caller) : write(closesthit, miss); };
RaytracingAccelerationStructure Scene; RWBuffer<float> o; RayDesc ray;
[shader("closesthit")] void Close(inout P p, BuiltInTriangleIntersectionAttributes t) { p.c = 1; p.b = 2; }
[shader("miss")] void Sky(inout P p) { p.m = 1; p.b = 3; }
[shader("raygeneration")] void Wrong()
{
    P p;
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, p);
    bool hit = h.IsHit();
    dx::HitObject::Invoke(h, p);
    if (h.IsMiss())
        o[0] = p.c;
//             ^^^ W0711 `p.c` is undefined when it is read
// = here: undefined since the trace before
// = 10:5: note: the previous value is lost here
// = 11:9: note: when this holds
// = note: `c` is `write(closesthit) : read(caller)`: HitObject::Invoke runs miss shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    if (hit)
        o[1] = p.m;
//             ^^^ W0711 `p.m` is undefined when it is read
// = here: undefined since the trace before
// = 10:5: note: the previous value is lost here
// = 11:9: note: when this does not hold
// = 13:9: note: when this holds
// = note: `m` is `write(miss) : read(caller)`: HitObject::Invoke runs closesthit shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    o[2] = p.b;
    for (uint i = 0; i < 2; ++i)
    {
        P q;
        dx::HitObject g = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, q);
        dx::HitObject::Invoke(g, q);
        if (!g.IsHit())
            o[3] = q.c;
//                 ^^^ W0711 `q.c` is undefined when it is read
// = here: undefined since the trace before
// = 20:9: note: the previous value is lost here
// = note: `c` is `write(closesthit) : read(caller)`: HitObject::Invoke runs miss shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    }
}
[shader("raygeneration")] void Right()
{
    P p;
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, p);
    bool before = h.IsHit();
    dx::HitObject::Invoke(h, p);
    o[0] = h.IsHit() ? p.c : p.m;
    o[1] = p.b;
    h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, p);
    dx::HitObject::Invoke(h, p);
    if (before)
        o[2] = p.m;
    if (h.IsMiss())
        o[3] = p.m;
}
