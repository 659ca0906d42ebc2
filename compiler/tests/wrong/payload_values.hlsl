// Payload access qualifiers where values decide: choices of choices, operands that are not evaluated, parts of variables and of arrays, long rows of
// branches and calls, hit objects along loops.

// CASE operands_that_are_not_evaluated -T lib_6_7 -HV 2018
struct [raypayload] P { float a : write(miss) : read(caller); bool f : write(miss) : read(caller); float2 v : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    bool c = o[0] > 1, d = o[1] > 1;
    if (c) { p.a = 1; p.f = true; p.v.y = 2; }
    o[2] = c ? p.a : 2;
    o[3] = !c ? 2 : p.a;
    o[4] = c && p.f;
    o[5] = !c || p.f;
    o[6] = c ? sqrt(p.a) + 1 : 2;
    o[7] = c ? d ? p.a : 3 : 4;
    o[8] = (c ? p.v.y : 1) + 1;
    o[9] = d && p.f;
//              ^^^ W0710 `p.f` is undefined when it is read
// = here: it was not written since the shader began
// = 6:9: note: when this does not hold
// = 12:16: note: when this holds
// = note: `f` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    o[10] = c || p.f;
//               ^^^ W0710 `p.f` is undefined when it is read
// = here: it was not written since the shader began
// = 6:9: note: when this does not hold
// = note: `f` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    o[11] = c ? p.v.x : 1;
//              ^^^ W0710 `p.v` is undefined when it is read
// = here: it was not written since the shader began
// = 6:9: note: when this holds
// = note: `v` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 0; p.f = false; p.v = 0;
}
// CASE operands_on_both_sides -T lib_6_7 -HV 2018
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    bool c = o[0] > 1;
    if (c) p.a = 1; else p.b = 1;
    o[2] = c ? p.a : p.b;
    o[3] = c ? p.b : p.a;
//             ^^^ W0710 `p.b` is undefined when it is read
// = here: it was not written since the shader began
// = 6:9: note: when this holds
// = note: `b` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
//                   ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 6:9: note: when this does not hold
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 0; p.b = 0;
}
// CASE long_rows_of_branches_and_calls -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); float b : write(caller) : read(miss); };
RWBuffer<float> o;
#define FOUR(x) x x x x
#define MANY(x) FOUR(FOUR(FOUR(FOUR(x))))
bool large(float x) { if (x > 1) return true; return false; }
void put(inout P p) { o[1] = p.b; }
[shader("miss")] void Main(inout P p)
{
    int n = 0;
    MANY(if (o[n] > 1) o[n] = p.b;)
    MANY(put(p);)
    MANY(if (large(o[n])) n++;)
    o[0] = p.a;
//         ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 3;
}
// CASE what_functions_return -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
bool both(bool x, bool y) { if (!x) return false; if (!y) return false; return true; }
int number(bool x, bool y) { if (x) { if (y) return 3; return 2; } else return 1; }
bool other(bool x) { int n = 2; if (x) n = 5; return n == 5; }
[shader("miss")] void Main(inout P p)
{
    bool x = o[0] > 1, y = o[1] > 1;
    if (x && y) p.a = 1;
    if (both(x, y)) o[0] = p.a;
    if (number(x, y) == 3) o[1] = p.a;
    if (other(x) && other(y)) o[2] = p.a;
    if (number(x, y) >= 2) o[3] = p.a;
//                                ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 9:9: note: when this does not hold
// = 10:9: note: when this does not hold
// = 13:9: note: when this holds
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 1;
}
// CASE what_a_function_returns_at_any_time -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
bool early(bool x) { for (int i = 0; i < 3; i++) if (o[i] > 1) return x; return !x; }
[shader("miss")] void Main(inout P p)
{
    bool x = o[0] > 1;
    if (x) p.a = 1;
    if (early(x)) o[0] = p.a;
//                       ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 7:9: note: when this does not hold
// = 8:9: note: when this holds
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 1;
}
// CASE elements_that_are_not_known -T lib_6_7
struct Q { float x, y; };
struct [raypayload] P { Q a[4] : write(miss) : read(caller); float2x2 m : write(miss) : read(caller); float4 v[2] : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    uint n = (uint)o[0];
    p.a[n].x = 1;
    o[1] = p.a[n].x;
    o[2] = p.a[1].x;
    o[3] = p.a[n].y;
//         ^^^^^^^^ W0710 `p.a[…].y` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.m[n][1] = 2;
    o[4] = p.m[0][0];
//         ^^^^^^ W0710 `p.m[0]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `m` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    o[5] = p.m[n][n];
    p.v[n].z = 2;
    o[6] = p.v[n].z + p.v[1].z;
    o[7] = p.v[n].x;
//         ^^^^^^ W0710 `p.v[…]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `v` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.v[1][n] = 2;
    o[8] = p.v[1].x;
    o[9] = p.v[0].x;
//         ^^^^^^ W0710 `p.v[0]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `v` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a[0].x = 1; p.a[1].x = 1; p.a[2].x = 1; p.a[3].x = 1;
    p.m = 0; p.v[0] = 0; p.v[1] = 0;
    for (uint i = 0; i < 4; i++) p.a[i].y = i;
}
// CASE constant_elements_by_values -T lib_6_7
struct [raypayload] P { float a[6] : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    int n = 2;
    p.a[n] = 1;
    n += 3;
    p.a[n] = 2;
    o[0] = p.a[2] + p.a[5];
    o[1] = p.a[4];
//         ^^^^^^ W0710 `p.a[4]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a[0] = p.a[1] = p.a[3] = p.a[4] = 0;
}
// CASE large_arrays_are_one_element -T lib_6_7
struct [raypayload] P { float a[100] : write(miss) : read(caller); float2 b[40] : write(miss) : read(caller); float c[64] : write(miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    o[0] = p.a[3];
//         ^^^^^^ W0710 `p.a[3]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a[7] = 1;
    o[1] = p.a[3];
    o[2] = p.b[3].x;
//         ^^^^^^ W0710 `p.b[3]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `b` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.b[2].y = 1;
    o[3] = p.b[9].x;
//         ^^^^^^ W0710 `p.b[9]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `b` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.c[63] = 1;
    o[4] = p.c[63];
    o[5] = p.c[62];
//         ^^^^^^^ W0710 `p.c[62]` is undefined when it is read
// = here: it was not written since the shader began
// = note: `c` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.b[0].x = 2;
    for (int i = 0; i < 64; i++) p.c[i] = i;
}
// CASE payloads_that_are_copied_in_part -T lib_6_7
struct Q { float x, y; };
struct [raypayload] P { Q a : write(miss) : read(caller); Q b : write(closesthit, miss) : read(caller); };
RWBuffer<float> o;
[shader("miss")] void Main(inout P p)
{
    P q = p;
    q.a.x = 1;
    o[0] = q.a.x;
    o[1] = q.a.y;
//         ^^^^^ W0710 `q.a.y` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    Q r = q.a;
    o[2] = r.x;
    o[3] = r.y;
//         ^^^ W0710 `r.y` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.b = q.a;
    o[4] = p.b.x;
    o[5] = p.b.y;
//         ^^^^^ W0710 `p.b.y` is undefined when it is read
// = here: it was not written since the shader began
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = r;
    p.a.y = 2;
    p.b.y = 3;
}
// CASE hit_objects_that_change_in_loops -T lib_6_9
struct [raypayload] P { float a : write(closesthit) : read(caller); float b : write(miss) : read(caller); };
RaytracingAccelerationStructure s;
RWBuffer<float> o;
[shader("raygeneration")] void Main()
{
    RayDesc r; r.Origin = 0; r.Direction = 1; r.TMin = 0; r.TMax = 9;
    P p;
    dx::HitObject h = dx::HitObject::MakeMiss(0, 0, r);
    for (int i = 0; i < (int)o[0]; i++)
    {
        dx::HitObject::Invoke(h, p);
        o[1] = p.a;
        o[2] = p.b;
        if (o[3] > 1) h = dx::HitObject::TraceRay(s, 0, 255, 0, 1, 0, r, p);
    }
    if (h.IsMiss()) { dx::HitObject::Invoke(h, p); o[4] = p.b; o[5] = p.a; }
//                                                                    ^^^ W0711 `p.a` is undefined when it is read
// = here: undefined since the trace before
// = 16:23: note: the previous value is lost here
// = 9:21: note: when this does not hold
// = 16:9: note: when this holds
// = note: `a` is `write(closesthit) : read(caller)`: HitObject::Invoke runs miss shaders only, which do not write it
// = note: rule: DXR, hit object interaction with payload access qualifiers
    dx::HitObject k = dx::HitObject::TraceRay(s, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 255, 0, 1, 0, r, p);
    dx::HitObject::Invoke(k, p);
    o[6] = p.a;
    if (k.IsHit()) { dx::HitObject::Invoke(k, p); o[7] = p.a; }
    dx::HitObject n;
    if (n.IsNop()) { dx::HitObject::Invoke(n, p); o[8] = p.b; }
//                                                       ^^^ W0711 `p.b` is undefined when it is read
// = here: undefined since the trace before
// = 22:22: note: the previous value is lost here
// = 9:21: note: when this does not hold
// = 22:9: note: when this holds
// = note: `b` is `write(miss) : read(caller)`: HitObject::Invoke runs no shader, since its hit object names none
// = note: rule: DXR, hit object interaction with payload access qualifiers
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0860 a hit object that is a nop has no shader to invoke: this does nothing
// = 21:5: note: the nop
// = note: operations on a nop do nothing and give zeros (DXR 1.31, HitObject)
}
// CASE choices_of_choices -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
#define SWAP(c, d) if (c) x = y; if (d) y = x;
#define SWAPS SWAP(c0, c1) SWAP(c2, c3) SWAP(c4, c5) SWAP(c1, c2) SWAP(c3, c4) SWAP(c5, c0)
[shader("miss")] void Main(inout P p)
{
    bool c0 = o[0] > 1, c1 = o[1] > 1, c2 = o[2] > 1, c3 = o[3] > 1, c4 = o[4] > 1, c5 = o[5] > 1;
    bool x = o[6] > 1, y = o[7] > 1;
    SWAPS SWAPS SWAPS SWAPS
    if (x) o[0] = p.a;
//                ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 10:9: note: when this holds
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 3;
}
// CASE numbers_of_choices -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
#define SWAP(c, d) x = o[c] > 1 ? x : y; y = o[d] > 1 ? y : x;
[shader("miss")] void Main(inout P p)
{
    int x = 0, y = 1;
    SWAP(0, 1) SWAP(2, 3) SWAP(4, 5) SWAP(6, 7) SWAP(8, 9) SWAP(10, 11) SWAP(12, 13) SWAP(14, 15) SWAP(16, 17) SWAP(18, 19)
    SWAP(20, 21) SWAP(22, 23) SWAP(24, 25) SWAP(26, 27) SWAP(28, 29) SWAP(30, 31) SWAP(32, 33) SWAP(34, 35) SWAP(36, 37)
    if (x == 1) o[0] = p.a;
//                     ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 9:9: note: when this holds
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 3;
}
