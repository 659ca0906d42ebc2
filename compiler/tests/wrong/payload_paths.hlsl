// Payload access qualifiers, where paths, loops and parts decide: conditions and counters with values, which components and elements are meant, and
// what a warning says of its cause.

// CASE flags_say_where_it_was_written -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    int state = 0;
    if (RayTMin() > 1) { p.a = 1; state = 2; }
    else if (RayTMin() > 0) { p.a = 2; state = 2; }
    if (state == 2) o[0] = p.a;
    if (2 == state) o[1] = p.a;
    if (!(state != 2)) o[2] = p.a;
    if (state == 0) o[3] = p.a;
//                         ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 6:9: note: when this does not hold
// = 7:14: note: when this does not hold
// = 11:9: note: when this holds
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 3;
}
// CASE flags_after_a_loop -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    bool found = false;
    for (uint i = 0; i < (uint)o[8]; i++)
    {
        if (o[i] > 3) { p.a = o[i]; found = true; }
        else if (found) o[i] = p.a;
    }
    if (found) o[0] = p.a;
    else o[1] = p.a;
//              ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 6:22: note: when this does not hold
// = 9:18: note: when this does not hold
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 3;
}
// CASE loops_with_a_number_of_iterations -T lib_6_7
struct [raypayload] P { float a[3] : write(miss) : read(caller); float b : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    for (int i = 0; i < 3; i++) p.a[i] = i;
    o[0] = p.a[0] + p.a[1] + p.a[2] + p.b;
//                                    ^^^ W0710 `p.b` is undefined when it is read
// = here: it was not written since the shader began
// = note: `b` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    for (int j = 0; j < 2; j++)
    {
        if (j == 1) o[1] = p.b;
        p.b = j;
    }
    for (int k = 4; k > 1; k -= 2) o[2] = p.b;
}
// CASE loops_that_write_too_few_elements -T lib_6_7
struct [raypayload] P { float a[4] : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
//                    ^^^^ W0716 `a` is undefined when `Main` ends: this path does not write all of it
// = note: write it on every path
// = note: `a` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
{
    for (int i = 0; i < 3; i++) p.a[i] = i;
    o[0] = p.a[2];
    o[1] = p.a[3];
//         ^^^^^^ W0710 `p.a[3]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE first_iteration_reads_before_it_writes -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    uint n = (uint)o[9] + 1;
    for (uint i = 0; i < n; i++)
    {
        if (i > 0) o[i] = p.a;
        if (i < 1) o[i] = p.a;
//                        ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 6:22: note: when this holds
// = 8:13: note: when this does not hold
// = 9:13: note: when this holds
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
        p.a = i;
    }
    p.a = 1;
}
// CASE conditions_of_several_parts -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    bool x = RayTMin() > 1, y = RayTCurrent() > 2;
    if (x && y) p.a = 1;
    if (x || y) p.b = 1;
    if (y && x) o[0] = p.a;
    if (x) o[1] = p.b;
    if (x ? y : false) o[2] = p.a;
    o[3] = x && y ? p.a : 0;
    if (!x && !y) p.b = 2;
    o[4] = p.b;
    if (x) o[5] = p.a;
//                ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 8:9: note: when this does not hold
// = 9:9: note: when this holds
// = 12:9: note: when this does not hold
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 2;
}
// CASE masks_are_conditions_and_complements_are_not_their_opposite -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    uint flags = RayFlags();
    if ((flags & 4) != 0) p.a = 1;
    if ((flags & 4) != 0) o[0] = p.a;
    if (~flags != 0) o[1] = p.a;
//                          ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    if (flags & 8) o[2] = p.a;
//                        ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 2;
}
// CASE components_are_fields_of_their_own -T lib_6_7
struct [raypayload] P { float4 v : write(miss) : read(caller); float2x2 m : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    p.v.xz = 1;
    o[0] = p.v.x + p.v.z;
    o[1] = p.v.w;
//         ^^^ W0710 `p.v` is undefined when it is read
// = here: it was not written since the shader began
// = note: `v` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.v.w = 3;
    o[2] = p.v.zxw.z;
    o[3] = p.v[1];
//         ^^^ W0710 `p.v` is undefined when it is read
// = here: it was not written since the shader began
// = note: `v` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.m[1][0] = 4;
    o[4] = p.m[1][0] + p.m._m10;
    o[5] = p.m[1][1];
//         ^^^^^^ W0710 `p.m[1]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `m` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.v = 0;
    p.m = 0;
}
// CASE last_component_is_never_written -T lib_6_7
struct [raypayload] P { float4 v : write(miss) : read(caller); float3 w : write(miss) : read(caller); };
[shader("miss")] void Main(inout P p)
{
    p.v.xyz = 1;
    p.w.x = 1; p.w.y = 2;
    if (RayTMin() > 0) { p.v.w = 3; p.w.z = 3; }
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0716 `v` is undefined when `Main` ends: this path does not write all of it
// = 6:9: note: when this does not hold
// = note: write it on every path
// = note: `v` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0716 `w` is undefined when `Main` ends: this path does not write all of it
// = 6:9: note: when this does not hold
// = note: write it on every path
// = note: `w` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE references_to_parts_that_are_assigned -T lib_6_7
struct [raypayload] P { float3 v : write(miss) : read(caller); float a[2] : write(caller) : read(miss); float b : write(caller) : read(miss); };
RWBuffer<float> o;
void give(out float x) { x = 1; }
void add(inout float x) { x += 1; }
float take(in float x) { return x; }
[shader("miss")] void Main(inout P p)
{
    give(p.v.y);
    o[0] = p.v.y;
    add(p.v.z);
//  ^^^^^^^^^^ W0710 `p.v.z` is undefined when it is read
// = here: it was not written since the shader began
// = note: `v` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    give(p.a[1]);
//  ^^^^^^^^^^^^ W0712 the value written to `p.a[1]` is lost when `Main` ends
// = 6:23: note: the shader ends here
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
    add(p.b);
//  ^^^^^^^^ W0712 the value written to `p.b` is lost when `Main` ends
// = 6:23: note: the shader ends here
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
    o[1] = take(p.v.x);
//              ^^^ W0710 `p.v` is undefined when it is read
// = here: it was not written since the shader began
// = note: `v` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.v = 0;
}
// CASE out_parameters_that_are_not_given -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(caller) : read(miss, caller); };
RWBuffer<float> o;
void perhaps(out float x) { if (o[0] > 1) x = 1; }
void whole(out P p) { p.a = 1; }
[shader("miss")] void Main(inout P p)
{
    o[1] = p.b;
    P q = p;
    perhaps(q.b);
    whole(p);
    p.a = q.a;
//        ^^^ W0710 `q.a` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE elements_of_nested_payloads -T lib_6_7
struct [raypayload] In { float x : write(miss) : read(caller); float2 y : write(caller) : read(miss); };
struct [raypayload] P { In in_one; In list[2]; };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
//                    ^^^^ W0716 `list[1].x` is undefined when `Main` ends: it is never written
// = note: write it, or remove miss from its writers
// = note: `list[1].x` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
{
    p.in_one.x = p.in_one.y.x + p.list[1].y.y;
    p.list[0].x = 1;
    p.list[1].y.x = 2;
//  ^^^^^^^^^^^^^^^^^ W0712 the value written to `p.list[1].y.x` is lost when `Main` ends
// = 4:23: note: the shader ends here
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
    o[0] = p.list[1].x;
//         ^^^^^^^^^^^ W0710 `p.list[1].x` is undefined when it is read
// = here: it was not written since the shader began
// = note: `list[1].x` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE long_arrays_are_one_element -T lib_6_7
struct [raypayload] P { float a[100] : write(miss) : read(caller); float b[100] : write(caller) : read(miss); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    o[0] = p.a[(uint)o[1] % 100];
//         ^^^^^^^^^^^^^^^^^^^^^ W0710 `p.a[…]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a[7] = 1;
    p.b[(uint)o[2] % 100] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ W0712 the value written to `p.b[…]` is lost when `Main` ends
// = 3:23: note: the shader ends here
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE computed_components_and_elements -T lib_6_7
struct [raypayload] P { float4 v : write(miss) : read(caller); float a[3][2] : write(caller) : read(miss); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
//                    ^^^^ W0716 `v` is undefined when `Main` ends: this path does not write all of it
// = note: write it on every path
// = note: `v` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
{
    uint n = (uint)o[0];
    o[1] = p.v[n & 3];
//         ^^^ W0710 `p.v` is undefined when it is read
// = here: it was not written since the shader began
// = note: `v` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.v[n & 3] = 2;
    p.a[n % 3][1] = 3;
//  ^^^^^^^^^^^^^^^^^ W0712 the value written to `p.a[…][1]` is lost when `Main` ends
// = 3:23: note: the shader ends here
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a[2][n & 1] = 4;
//  ^^^^^^^^^^^^^^^^^ W0712 the value written to `p.a[2][…]` is lost when `Main` ends
// = 3:23: note: the shader ends here
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
}
// CASE more_conditions_than_are_shown -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
float f5(inout P p) { return p.a; }
//                           ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 11:13: note: when this holds
// = 12:17: note: when this holds
// = 13:21: note: when this holds
// = 4:30: note: in `f5`, called here
// = 5:30: note: in `f4`, called here
// = 6:30: note: in `f3`, called here
// = 7:30: note: in `f2`, called here
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: in the entry point `Main`
// = note: rule: DXR, payload access qualifiers, detailed semantics
float f4(inout P p) { return f5(p); }
float f3(inout P p) { return f4(p); }
float f2(inout P p) { return f3(p); }
float f1(inout P p) { return f2(p); }
[shader("miss")] void Main(inout P p)
{
    if (o[0] > 1)
        if (o[1] > 2)
            if (o[2] > 3)
                if (o[3] > 4)
                    o[4] = f1(p);
    p.a = 1;
}
// CASE causes_of_what_a_trace_loses -T lib_6_7
struct [raypayload] P { float a : write(closesthit) : read(caller); float b : write(miss) : read(caller); float c : write(caller) : read(miss); float d : write(caller, miss) : read(miss, caller); };
RaytracingAccelerationStructure s; RWBuffer<float> o;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p; p.c = 1; p.d = 2;
    TraceRay(s, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES, 255, 0, 1, 0, ray(), p);
    o[0] = p.a;
//         ^^^ W0711 `p.a` is undefined when it is read
// = here: undefined since the trace before
// = 7:5: note: the previous value is lost here
// = note: `a` is `write(closesthit) : read(caller)`: TraceRay runs anyhit and miss shaders only, which do not write it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    o[1] = p.b;
    o[2] = p.c;
//         ^^^ W0711 `p.c` is undefined when it is read
// = here: undefined since the trace before
// = 7:5: note: the previous value is lost here
// = note: `c` is `write(caller) : read(miss)`: TraceRay does not return it to its caller
// = note: rule: DXR, payload access qualifiers, detailed semantics
    o[3] = p.d;
}
// CASE causes_of_what_an_invocation_loses -T lib_6_9
struct [raypayload] P { float a : write(closesthit) : read(caller); float b : write(miss) : read(caller); float c : write(caller) : read(miss, closesthit); float d : write(caller, anyhit) : read(anyhit, caller); };
RaytracingAccelerationStructure s; RWBuffer<float> o;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p; p.c = 1; p.d = 2;
    dx::HitObject missed = dx::HitObject::MakeMiss(0, 1, ray());
    dx::HitObject::Invoke(missed, p);
    o[0] = p.a;
//         ^^^ W0711 `p.a` is undefined when it is read
// = here: undefined since the trace before
// = 8:5: note: the previous value is lost here
// = note: `a` is `write(closesthit) : read(caller)`: HitObject::Invoke runs miss shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    o[1] = p.b;
    o[2] = p.c;
//         ^^^ W0711 `p.c` is undefined when it is read
// = here: undefined since the trace before
// = 8:5: note: the previous value is lost here
// = note: `c` is `write(caller) : read(closesthit, miss)`: HitObject::Invoke does not return it to its caller
// = note: rule: DXR, hit object interaction with payload access qualifiers
    o[3] = p.d;
    P q; q.c = 1; q.d = 2;
    dx::HitObject none = dx::HitObject::MakeNop();
    dx::HitObject::Invoke(none, q);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0860 a hit object that is a nop has no shader to invoke: this does nothing
// = 14:26: note: the nop
// = note: operations on a nop do nothing and give zeros (DXR 1.31, HitObject)
    o[4] = q.a;
//         ^^^ W0711 `q.a` is undefined when it is read
// = here: undefined since the trace before
// = 15:5: note: the previous value is lost here
// = note: `a` is `write(closesthit) : read(caller)`: HitObject::Invoke runs no shader, since its hit object names none
// = note: rule: DXR, hit object interaction with payload access qualifiers
    o[5] = q.b;
//         ^^^ W0711 `q.b` is undefined when it is read
// = here: undefined since the trace before
// = 15:5: note: the previous value is lost here
// = note: `b` is `write(miss) : read(caller)`: HitObject::Invoke runs no shader, since its hit object names none
// = note: rule: DXR, hit object interaction with payload access qualifiers
    o[6] = q.d;
    P r; r.c = 1; r.d = 2;
    dx::HitObject traced = dx::HitObject::TraceRay(s, 0, 255, 0, 1, 0, ray(), r);
    if (traced.IsMiss()) { dx::HitObject::Invoke(traced, r); o[7] = r.b; o[8] = r.a; }
//                                                                              ^^^ W0711 `r.a` is undefined when it is read
// = here: undefined since the trace before
// = 21:28: note: the previous value is lost here
// = 21:9: note: when this holds
// = note: `a` is `write(closesthit) : read(caller)`: HitObject::Invoke runs miss shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    else if (traced.IsHit()) { dx::HitObject::Invoke(traced, r); o[9] = r.a; o[10] = r.b; }
//                                                                                   ^^^ W0711 `r.b` is undefined when it is read
// = here: undefined since the trace before
// = 22:32: note: the previous value is lost here
// = 21:9: note: when this does not hold
// = 22:14: note: when this holds
// = note: `b` is `write(miss) : read(caller)`: HitObject::Invoke runs closesthit shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    else { dx::HitObject::Invoke(traced, r); o[11] = r.a; }
}
// CASE what_is_to_be_done_about_outputs -T lib_6_7
struct [raypayload] P
{
    float a : write(miss) : read(caller);
    float b : write(caller, miss) : read(caller);
    float c : write(caller, miss) : read(miss, caller);
    float d[2] : write(caller, miss) : read(caller);
};
RWBuffer<float> o;
void none(out float x) { }
//                  ^ W0306 the `out` parameter `x` is never written
[shader("miss")] void Main(inout P p)
//                    ^^^^ W0716 `c` is undefined when `Main` ends: it is never written
// = note: it was received, but overwritten by an undefined value: an `out` parameter or an uninitialised variable
// = note: `c` is `write(caller, miss) : read(caller, miss)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
//                    ^^^^ W0716 `d` is undefined when `Main` ends: this path does not write all of it
// = note: write it on every path, or add miss to its readers, which keeps its value
// = note: `d` is `write(caller, miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
{
    if (o[0] > 1) { p.b = 1; p.a = 2; }
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0716 `a` is undefined when `Main` ends: this path does not write it
// = 12:9: note: when this does not hold
// = note: write it on every path
// = note: `a` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0716 `b` is undefined when `Main` ends: this path does not write it
// = 12:9: note: when this does not hold
// = note: write it on every path, or add miss to its readers, which keeps its value
// = note: `b` is `write(caller, miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
    o[1] = p.c;
    none(p.c);
    p.d[1] = 3;
}
// CASE what_is_never_written -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(caller, miss) : read(caller); };
[shader("miss")] void Main(inout P p) { }
//                    ^^^^ W0716 `a` is undefined when `Main` ends: it is never written
// = note: write it, or remove miss from its writers
// = note: `a` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
//                    ^^^^ W0716 `b` is undefined when `Main` ends: it is never written
// = note: add miss to its readers, which keeps its value, or remove it from its writers
// = note: `b` is `write(caller, miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
// CASE passed_without_a_value -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(miss); float b : write(caller) : read(miss); float3 c : write(caller) : read(closesthit); };
RaytracingAccelerationStructure s; RWBuffer<float> o;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p;
    if (o[0] > 1) p.a = 1;
    p.c.x = 1; p.c.z = 2;
    TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0715 `a` is passed to this trace uninitialised
// = 7:9: note: when this does not hold
// = note: `a` is `write(caller) : read(miss)`: the caller must initialise it
// = note: rule: DXR, payload access qualifiers, detailed semantics
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0715 `b` is passed to this trace uninitialised
// = note: `b` is `write(caller) : read(miss)`: the caller must initialise it
// = note: rule: DXR, payload access qualifiers, detailed semantics
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0715 `c` is passed to this trace uninitialised
// = note: `c` is `write(caller) : read(closesthit)`: the caller must initialise it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 1; p.c = 2;
    for (int i = 0; i < (int)o[1]; i++)
    {
        p.b = i;
        TraceRay(s, 0, 255, 0, 1, 0, ray(), p);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0714 `a` is undefined when it is passed to this trace in the next iteration
// = here: the previous iteration loses it here
// = 11:21: note: when this holds
// = note: assign it in each iteration, or add caller to its readers
// = note: `a` is `write(caller) : read(miss)`: TraceRay does not return it to its caller
// = note: rule: DXR, payload access qualifiers, detailed semantics
        if (o[2] > 3) p.a = 3;
        p.c = 4;
    }
}
// CASE switches_and_ends_of_shaders -T lib_6_7
struct [raypayload] P { float a : write(anyhit) : read(caller); float b : write(caller) : read(anyhit); };
RWBuffer<float> o;
[shader("anyhit")] void Main(inout P p, BuiltInTriangleIntersectionAttributes t)
{
    switch ((int)o[0])
    {
        case 0: p.a = 1; break;
        case 1: IgnoreHit(); break;
        case 2: p.b = 2; AcceptHitAndEndSearch(); break;
//              ^^^^^^^ W0712 the value written to `p.b` is lost when `Main` ends
// = 9:26: note: the shader ends here
// = 5:13: note: when this holds
// = note: its qualifiers do not have `write(anyhit)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
//                       ^^^^^^^^^^^^^^^^^^^^^^^ W0716 `a` is undefined when `Main` ends: this path does not write it
// = 5:13: note: when this holds
// = note: write it on every path, or add anyhit to its readers, which keeps its value
// = note: `a` is `write(anyhit) : read(caller)`: each anyhit shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
        case 3: p.a = 3;
        case 4: o[1] = p.a; p.a = 2; break;
//                     ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 5:13: note: when this holds
// = 9:26: note: when this does not hold
// = note: `a` is `write(anyhit) : read(caller)`: anyhit shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
        default: p.a = p.b; return;
    }
    o[2] = p.a;
}
// CASE constants_through_operators -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    int k = 5;
    uint u = 12;
    bool c = true;
    o[7] = p.b;
//         ^^^ W0710 `p.b` is undefined when it is read
// = here: it was not written since the shader began
// = note: `b` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    if (~k == -6) if (-k == -5) if (k * 2 - 1 == 9) if ((k << 1) + k % 3 == 12) if (k > 4) p.a = 1;
    o[0] = p.a;
    if (u / 5 == 2) if ((u >> 2) == 3) if ((u ^ 5) == 9) if (!c == false) if ((float)u < 12.5) if (countbits(u) == 2) p.b = 1;
    o[1] = p.b;
    P q = p;
    k = (int)u - 13;
    if (k >= 0 || !c) o[2] = q.a; else q.a = 2;
    p.a = 1;
    if (u == 12 ? k < 0 : c) return;
    o[3] = q.b;
    p.b = o[4];
    if (o[5] > 1) return;
    P r;
    r = p;
    o[6] = r.a;
}
// CASE several_flags_in_one_loop -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(miss) : read(caller); float c : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    bool a = false, b = false;
    int mode = 1;
    for (uint i = 0; i < (uint)o[9] + 1; i++)
    {
        if (o[i] > 3) { p.a = 1; a = true; }
        if (o[i] > 4) { p.b = 2; b = true; mode = 2; }
    }
    if (a) o[0] = p.a;
    if (b) o[1] = p.b;
    if (b) o[2] = p.c;
//                ^^^ W0710 `p.c` is undefined when it is read
// = here: it was not written since the shader began
// = 7:22: note: when this does not hold
// = 13:9: note: when this holds
// = 15:9: note: when this holds
// = note: `c` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    if (mode == 2) o[3] = p.b;
    if (mode == 3) o[4] = p.b;
    if (mode == 4) o[5] = p.c;
    switch (mode) { case 1: break; case 2: o[6] = p.b; break; default: o[7] = p.a; break; }
    p.a = 1; p.b = 1; p.c = 1;
}
// CASE functions_that_say_whether_they_wrote -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(miss) : read(caller); };
RWBuffer<float> o;
bool tried(inout P p, uint i) { if (o[i] > 1) { p.a = 1; return true; } return false; }
bool tried_twice(inout P p) { if (tried(p, 1)) return true; for (uint i = 2; i < 4; i++) if (tried(p, i)) return true; return false; }
//                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0716 `b` is undefined when `Main` ends: this path does not write it
// = 4:94: note: when this does not hold
// = 4:94: note: when this does not hold
// = 8:9: note: when this holds
// = note: write it on every path
// = note: `b` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
void both(inout float x, out float y, bool c) { if (c) { x = 1; y = x; return; } y = 3; }
[shader("miss")] void Main(inout P p)
{
    if (tried(p, 0)) o[0] = p.a;
    else if (tried_twice(p)) o[1] = p.a;
    else o[2] = p.a;
//              ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 4:94: note: when this does not hold
// = 8:9: note: when this does not hold
// = 9:14: note: when this does not hold
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    if (!tried_twice(p)) return;
    o[3] = p.a;
    both(p.a, p.b, o[5] > 1);
    o[4] = p.a + p.b;
}
// CASE hit_objects_of_several_paths -T lib_6_9
struct [raypayload] P { float a : write(closesthit) : read(caller); float b : write(miss) : read(caller); float c : write(caller) : read(miss); };
RaytracingAccelerationStructure s; RWBuffer<float> o;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
dx::HitObject missed(uint n) { return dx::HitObject::MakeMiss(0, n, ray()); }
dx::HitObject chosen(bool c) { if (c) return missed(1); return missed(2); }
void changed(inout dx::HitObject h, bool c) { if (c) h = missed(3); }
[shader("raygeneration")] void Main()
{
    P p; p.c = 1;
    dx::HitObject h = chosen(o[0] > 1);
    changed(h, o[1] > 2);
    dx::HitObject::Invoke(h, p);
    o[2] = p.b;
    o[3] = p.a;
//         ^^^ W0711 `p.a` is undefined when it is read
// = here: undefined since the trace before
// = 12:5: note: the previous value is lost here
// = note: `a` is `write(closesthit) : read(caller)`: HitObject::Invoke runs miss shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    dx::HitObject list[2];
    list[0] = missed(4);
    list[1] = dx::HitObject::MakeNop();
    P q; q.c = 2;
    dx::HitObject::Invoke(list[0], q);
    o[4] = q.b;
    o[5] = q.a;
//         ^^^ W0711 `q.a` is undefined when it is read
// = here: undefined since the trace before
// = 19:5: note: the previous value is lost here
// = note: `a` is `write(closesthit) : read(caller)`: HitObject::Invoke runs miss shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    P r; r.c = 3;
    dx::HitObject t = dx::HitObject::TraceRay(s, 0, 255, 0, 1, 0, ray(), r);
    r.c = 4;
    for (uint i = 0; i < (uint)o[6]; i++) if (t.IsHit()) t = missed(i);
    if (!t.IsNop() && !t.IsHit()) { dx::HitObject::Invoke(t, r); o[7] = r.b; o[8] = r.a; }
//                                                                                  ^^^ W0711 `r.a` is undefined when it is read
// = here: undefined since the trace before
// = 26:37: note: the previous value is lost here
// = 25:22: note: when this does not hold
// = note: `a` is `write(closesthit) : read(caller)`: HitObject::Invoke runs miss shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    P u; u.c = 5;
    bool hit = t.IsHit();
    if (!hit) return;
    dx::HitObject::Invoke(t, u);
    o[9] = u.a;
    o[10] = u.b;
}
// CASE written_in_part_on_one_path -T lib_6_7
struct [raypayload] P { float3 v : write(miss) : read(caller); float2 w : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    p.w = 1;
    if (o[0] > 1)
        p.v.x = 1;
//      ^^^^^^^^^^ W0716 `v` is undefined when `Main` ends: this path does not write all of it
// = 6:9: note: when this holds
// = note: write it on every path
// = note: `v` is `write(miss) : read(caller)`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
    else
        p.v = 2;
}
// CASE a_read_on_another_path_than_the_write -T lib_6_7
struct [raypayload] P { float x : write(caller) : read(caller); float y : write(miss, caller) : read(caller, miss); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    bool c = o[0] > 1;
    if (c)
        p.x = 3;
//      ^^^^^^^ W0712 the value written to `p.x` is lost when `Main` ends
// = 3:23: note: the shader ends here
// = 6:9: note: when this holds
// = note: its qualifiers do not have `write(miss)`, and it is not read before
// = note: rule: DXR, payload access qualifiers, detailed semantics
    else
        p.x = 1;
    if (!c)
        o[1] = p.x;
    p.y = 2;
}
