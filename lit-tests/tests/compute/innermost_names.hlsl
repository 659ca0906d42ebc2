// rtc -T cs_6_6 -E main -HV 2021
// The innermost declaration wins, also over built-in templates.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}14,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"
namespace t { struct RayQuery { uint n; }; uint use(RayQuery q) { return q.n; } typedef uint2 vector; vector pair(uint a) { return vector(a, a + 1); } }
namespace u { struct Buffer { int n; }; }
template<typename Texture3D> uint id(Texture3D b) { Texture3D c = b; return c; }
template<typename matrix> matrix twice(matrix b) { return b + b; }
struct Holder { struct StructuredBuffer { uint n; }; StructuredBuffer inner; uint get() { StructuredBuffer s = inner; return s.n; } };
uint local() { struct Texture2D { uint n; }; Texture2D t; t.n = 1; return t.n + sizeof(Texture2D); }
uint used() { using namespace u; Buffer b; b.n = 9; return b.n; }

[numthreads(1, 1, 1)] void main()
{
    { typedef uint2 vector; vector l = i(3) + 0x10000001u; IS(l.x, 0x10000004u); IS((uint)sizeof(vector), 8u); }
    t::RayQuery q; q.n = 3; IS(t::use(q), 3u); IS(t::pair(4).y, 5u); IS(id(3u), 3u); IS(twice(i(2)), 4);
    IS(local(), 5u); Holder h; h.inner.n = 6; IS(h.get(), 6u); IS(used(), 9u);
    { typedef row_major float2x3 matrix; matrix m = 1; IS(m[1][2], 1.0f); }
    // Without a declaration they are the built-in ones.
    vector v = f(2); IS(v.w, 2.0f); matrix m = f(2); IS(m[3][3], 2.0f); vector<uint, 2> w = i(7); IS(w.y, 7u);
    Holder g; g.inner.n = 1; Holder::StructuredBuffer s = g.inner; IS(s.n, 1u);
    done();
}
