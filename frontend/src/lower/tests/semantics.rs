//! Results of programs. Each test writes words to the byte-address buffer `Out`.

use super::module;
use super::run::Machine;

/// An expected word.
#[derive(Clone, Copy, PartialEq)]
enum W {
    I(i64),
    F(f32),
}
use W::{F, I};

/// Runs `body` as a ray generation shader after `globals` and compares the contents of `Out`.
#[track_caller]
fn check_with(globals: &str, body: &str, fill: impl FnOnce(&mut Machine), wanted: &[W]) {
    let text = format!("RWByteAddressBuffer Out;\n{globals}\n[shader(\"raygeneration\")] void Main() {{\nuint at_ = 0;\n{body}\n}}\n")
        .replace("PUT(", "PUT_(");
    let text = format!("#define PUT_(x) Out.Store(at_, asuint(x)), at_ += 4\n#define PUTI(x) Out.Store(at_, (uint)(x)), at_ += 4\n{text}");
    let m = module("test", &text);
    let mut machine = Machine::new(&m);
    fill(&mut machine);
    machine.run("Main");
    let bytes = machine.buffers.get(&("Out".into(), 0)).cloned().unwrap_or_default();
    let words: Vec<u32> = bytes.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let same = |(&w, &x): (&u32, &W)| match x {
        I(n) => w == n as u32,
        F(f) => (f32::from_bits(w) - f).abs() <= f.abs() * 1e-5 + 1e-6,
    };
    if words.len() != wanted.len() || !words.iter().zip(wanted).all(same) {
        let show = |w: &u32| format!("{} ({})", *w as i32, f32::from_bits(*w));
        let got: Vec<_> = words.iter().map(show).collect();
        let want: Vec<_> = wanted
            .iter()
            .map(|w| match w {
                I(n) => n.to_string(),
                F(f) => f.to_string(),
            })
            .collect();
        let text = match std::env::var_os("RTC_SHOW") {
            Some(_) => rtc_ir::text::print(&m),
            None => String::new(),
        };
        panic!("wrote {got:?}\nexpected {want:?}\n{text}");
    }
}

#[track_caller]
fn check(globals: &str, body: &str, wanted: &[W]) {
    check_with(globals, body, |_| {}, wanted);
}

#[test]
fn arithmetic() {
    check(
        "",
        "int a = 7, b = -2; uint u = 0x80000000u; float f = 7.5;
         PUTI(a / b); PUTI(a % b); PUTI(u >> 31); PUTI(-8 >> 1); PUTI(a << 33); PUTI(~a); PUTI(!a);
         PUT(f / 2); PUT(-f); PUT(f % 2); PUTI((int)f); PUTI(f > 7 && a < 8); PUTI(b < 1); PUTI(u < 1u); PUT((float)b); PUT((float)u);",
        &[I(-3), I(1), I(1), I(-4), I(14), I(-8), I(0), F(3.75), F(-7.5), F(1.5), I(7), I(1), I(1), I(0), F(-2.0), F(2147483648.0)],
    );
}

#[test]
fn conversions() {
    check(
        "enum E { A = 3, B };",
        "float f = -1.75; bool t = true; uint u = 4000000000u; int i = -1; float3 v = float3(1.5, -2.5, 0);
         PUTI((int)f); PUT((float)t); PUT((float)u); PUT((float)i); PUTI((bool)f); PUTI((int3)v.y); PUTI((bool3(v)).z); PUTI(E::B);
         PUTI((float)(E)4 + 0.5); uint64_t w = 5000000000; PUTI(w >> 32); PUTI((uint)w); double d = f; PUT((float)(d * 2));
         PUTI((uint)t + t); PUTI(int(true) - 2); min16float h = 1.5; PUT((float)(h * h)); half k = 2; PUT((float)k);",
        &[I(-1), F(1.0), F(4e9), F(-1.0), I(1), I(-2), I(0), I(4), I(4), I(1), I(705032704), F(-3.5), I(2), I(-1), F(2.25), F(2.0)],
    );
}

#[test]
fn evaluation_order_and_side_effects() {
    check(
        "int next(inout int n) { n = n + 1; return n; }",
        "int i = 0; int a[4]; for (int k = 0; k < 4; k++) a[k] = 10 * k;
         a[i++] = a[i] + 5; PUTI(i); PUTI(a[0]); PUTI(a[1]);
         int n = 0; int s = next(n) * 100 + next(n) * 10 + next(n); PUTI(s); PUTI(n);
         int x = 3; x += x++ * 2; PUTI(x); x = 1; PUTI(x++); PUTI(++x); PUTI(x--); PUTI(--x);
         int c = (x = 7, x + 1); PUTI(c); int p, q; p = q = 9; PUTI(p + q);
         bool b = false && next(n) > 0; PUTI(n); b = true || next(n) > 0; PUTI(n); b = true && next(n) > 0; PUTI(n);
         int z = b ? next(n) : next(n) + 100; PUTI(z); PUTI(n);",
        &[I(1), I(5), I(10), I(123), I(3), I(10), I(1), I(3), I(3), I(1), I(8), I(18), I(3), I(3), I(4), I(5), I(5)],
    );
}

#[test]
fn parameters_are_copied_in_and_out() {
    check(
        "struct S { int a; float2 v; int arr[3]; };
         void both(inout int x, inout int y) { x += 10; y += 1; }
         void put(out float f) { f = 2.5; }
         void swz(inout float2 v) { v = v.yx * 2; }
         void change(S s, inout int r) { s.a = 99; s.arr[1] = 99; r = s.a + s.arr[0]; }
         int sum(S s) { return s.a + s.arr[0] + s.arr[1] + s.arr[2]; }
         void outer(inout S s) { both(s.a, s.arr[2]); s.v = float2(1, 2); swz(s.v); }
         void toInt(inout int n) { n = n * 2 + 1; }
         void two(S s, inout S t) { t.a = s.a + 1; t.a = s.a + 1; }
         S make(int n) { S s; s.a = n; s.v = n; for (int i = 0; i < 3; ++i) s.arr[i] = n + i; return s; }
         void rec(inout float4 m[2]) { m[1].z = 7; swz(m[0].wy); }",
        "int x = 1; both(x, x); PUTI(x);
         S s = make(5); int r = 0; change(s, r); PUTI(r); PUTI(s.a); PUTI(s.arr[1]); PUTI(sum(s));
         outer(s); PUTI(s.a); PUTI(s.arr[2]); PUT(s.v.x); PUT(s.v.y);
         float4 f = 0; put(f.z); swz(f.zw); PUT(f.z); PUT(f.w);
         float n = 3.7; toInt(n); PUT(n); int i = 1; put(s.v[i]); PUT(s.v.y);
         two(s, s); PUTI(s.a);
         S t = s; t.a = 1; two(t, s); PUTI(s.a); PUTI(sum(make(1)));
         float4 m[2]; m[0] = float4(1, 2, 3, 4); m[1] = 0; rec(m); PUT(m[1].z); PUT(m[0].w); PUT(m[0].y);",
        &[
            I(2),
            I(104),
            I(5),
            I(6),
            I(23),
            I(15),
            I(8),
            F(4.0),
            F(2.0),
            F(0.0),
            F(5.0),
            F(7.0),
            F(2.5),
            I(16),
            I(2),
            I(7),
            F(7.0),
            F(4.0),
            F(8.0),
        ],
    );
}

#[test]
fn swizzles_and_vectors() {
    check(
        "",
        "float4 v = float4(1, 2, 3, 4); v.zx = v.xy; PUT(v.x); PUT(v.y); PUT(v.z); PUT(v.w);
         v.wzyx.xy = float2(8, 9); PUT(v.w); PUT(v.z); int i = 2; v[i] = 5; PUT(v.z); PUT(v[i + 1]); PUT(v.xyz[i]);
         v.wz[1] = 6; PUT(v.z); v.xy += v.zw; PUT(v.x); PUT(v.y); float s = 2; PUT(s.xxx.z); float2 t = s.xx * v.wz; PUT(t.x);
         int3 k = int3(1, 2, 3); k.yz++; PUTI(k.x); PUTI(k.y); PUTI(k.z); bool3 b = k > 2; PUTI(b.x); PUTI(b.y); PUTI(any(b)); PUTI(all(b));
         float3 u = float3(v.xy, 1); PUT(u.y); u = 4; PUT(u.z); float1 o = 3; PUT(o.x); PUT(dot(o, o));
         v.wz[i - 1] += 1; PUT(v.z);",
        &[
            F(2.0),
            F(2.0),
            F(1.0),
            F(4.0),
            F(8.0),
            F(9.0),
            F(5.0),
            F(8.0),
            F(5.0),
            F(6.0),
            F(8.0),
            F(10.0),
            F(2.0),
            F(16.0),
            I(1),
            I(3),
            I(4),
            I(0),
            I(1),
            I(1),
            I(0),
            F(10.0),
            F(4.0),
            F(3.0),
            F(9.0),
            F(7.0),
        ],
    );
}

#[test]
fn matrices() {
    check(
        "float3x2 twice(float3x2 m) { m *= 2; return m; }
         void bump(inout float2x2 m) { m._m01 += 1; m[1].x = 9; }",
        "float2x3 m = { 1, 2, 3, 4, 5, 6 }; PUT(m[1][0]); PUT(m._m02); PUT(m._21); float3x2 t = transpose(m); PUT(t[2].y);
         float2x2 p = mul(m, t); PUT(p._11); PUT(p._12); PUT(p._21); PUT(p._22);
         float2 a = mul(m, float3(1, 0, 2)); PUT(a.x); PUT(a.y); float3 b = mul(float2(1, 2), m); PUT(b.x); PUT(b.z);
         t = twice(t); PUT(t[1].x); bump(p); PUT(p._12); PUT(p._21); int i = 1; PUT(m[i].z); m[i] = 0; PUT(m[1].y); m[0][i] = 8; PUT(m._12);
         m._m00_m12 = float2(3, 4); PUT(m[0].x); PUT(m[1].z); PUT(determinant(float3x3(2, 0, 1, 1, 3, 0, 0, 1, 4)));
         float4x4 id = float4x4(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1); PUT(determinant(id * 2)); float3x3 cut = (float3x3)id; PUT(cut[2][2]);
         float2x2 q = 5; PUT(q[1].x); q = p + q; PUT(q._22); q = -q; PUT(q._22); int2x2 k = int2x2(1, 2, 3, 4); k = k << 1; PUTI(k[1][1]); PUTI(mul(k, int2(1, 1)).y);
         bool2x2 c = k > 4; PUTI(c[1][0]); PUTI(any(c)); PUTI(all(c)); row_major float2x2 rm = float2x2(1, 2, 3, 4); PUT(rm[0].y); PUT(mul(2.0, rm)[1].x);
         float2x1 col = float2x1(3, 4); PUT(col[1][0]); float1x2 row = float1x2(3, 4); PUT(row[0][1]); PUT(mul(row, col));",
        &[
            F(4.0), F(3.0), F(4.0), F(6.0), F(14.0), F(32.0), F(32.0), F(77.0), F(7.0), F(16.0), F(9.0), F(15.0),
            F(4.0), F(33.0), F(9.0), F(6.0), F(0.0), F(8.0), F(3.0), F(4.0), F(25.0), F(16.0), F(1.0), F(5.0), F(82.0),
            F(-82.0), I(8), I(14), I(1), I(1), I(0), F(2.0), F(6.0), F(4.0), F(4.0), F(25.0),
        ],
    );
}

#[test]
fn loops() {
    check(
        "int find(int n) { for (int i = 0; ; i++) { for (int j = 0; j < 10; j++) { if (i * j == n) return i * 100 + j; } if (i > 50) return -1; } }
         int early(int x) { while (true) { if (x > 5) return x; x++; } }
         int both(int x) { if (x > 0) { return 1; } else { return 2; } }",
        "int n = 0; for (int i = 0; i < 10; ++i) { if (i == 3) continue; if (i == 7) break; n += i; } PUTI(n);
         int k = 0; do { k++; if (k == 2) continue; n += 10; } while (k < 4); PUTI(n); PUTI(k);
         while (n > 5) { n -= 20; } PUTI(n); PUTI(find(12)); PUTI(find(1000)); PUTI(early(2)); PUTI(both(1) * 10 + both(0));
         int t = 0; for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) { if (b > a) break; t += 10 * a + b; } PUTI(t);
         for (int u = 0, v = 5; u < v; u++, v--) t++; PUTI(t); do t = 5; while (false); PUTI(t);
         int d = 0; do { d++; } while (d < 5 && d != 3); PUTI(d); [unroll] for (int z = 0; z < 2; z++) { int w; w = z; d += w; } PUTI(d);",
        &[I(18), I(48), I(4), I(-12), I(206), I(-1), I(6), I(12), I(84), I(87), I(5), I(3), I(4)],
    );
}

#[test]
fn switches() {
    check(
        "int s(int x) { int n = 0; switch (x) { case 1: n += 1; case 2: n += 10; break; case 3: case 4: n += 100; default: n += 1000; case 5: n += 10000; break; case -6: return 7; } return n; }
         int l(int x) { int n = 0; for (int i = 0; i < 4; i++) { switch (i + x) { case 1: continue; case 2: n += 100; break; case 3: return n + 5; } n += 1; } return n; }
         int e(uint x) { switch (x) { default: return 1; case 0xffffffffu: return 2; case 3: if (x > 2) break; return 4; } return 3; }
         int only(int x) { switch (x) { default: x++; } return x; }
         int inner(int x) { switch (x) { case 0: switch (x + 1) { case 1: x = 5; break; default: x = 6; } x++; break; case 1: { x = 9; } } return x; }",
        "PUTI(s(1)); PUTI(s(2)); PUTI(s(3)); PUTI(s(4)); PUTI(s(5)); PUTI(s(-6)); PUTI(s(77)); PUTI(l(0)); PUTI(l(1)); PUTI(l(5));
         PUTI(e(0)); PUTI(e(0xffffffffu)); PUTI(e(3)); PUTI(only(2)); PUTI(inner(0)); PUTI(inner(1)); PUTI(inner(2));",
        &[
            I(11), I(10), I(11100), I(11100), I(10000), I(7), I(11000), I(107), I(106), I(4), I(1), I(2), I(3), I(3), I(6),
            I(9), I(2),
        ],
    );
}

#[test]
fn structures_and_methods() {
    check(
        "struct Base { int a; int get() { return a; } void set(int n) { a = n; } };
         struct Derived : Base { float2 v; Base inner; int total() { return get() + inner.get(); } };
         Derived twice(Derived d) { d.a *= 2; return d; }
         struct Arr { Derived items[3]; int n; void push(Derived d) { items[n] = d; n++; } static int k() { return 42; } };
         void byBase(inout Base b) { b.a += 1000; }
         int sumBase(Base b) { return b.a; }",
        "Derived d; d.a = 1; d.v = 2; d.inner.a = 3; d.set(5); d.inner.set(7); PUTI(d.total()); PUTI(twice(d).a); PUTI(d.a);
         Arr arr = (Arr)0; arr.push(d); arr.push(twice(d)); PUTI(arr.n); PUTI(arr.items[1].a); PUTI(arr.items[0].total()); PUTI(Arr::k());
         int i = 1; arr.items[i].set(6); arr.items[i].inner = arr.items[0].inner; PUTI(arr.items[1].total()); byBase(d); PUTI(d.a); PUTI(sumBase(d));
         Derived c = { 1, 2, 3, 4 }; PUTI(c.inner.a); PUT(c.v.y); Arr copy = arr; copy.items[0] = c; PUTI(copy.items[0].inner.a); PUTI(arr.items[0].a);
         Base b = (Base)c; PUTI(b.a); c.inner = b; PUTI(c.inner.a);",
        &[
            I(12), I(10), I(5), I(2), I(10), I(12), I(42), I(13), I(1005), I(1005), I(4), F(3.0), I(4), I(5), I(1), I(1),
        ],
    );
}

#[test]
fn static_variables() {
    check(
        "static int counter = 10; static float3 zero; static const float table[5] = { 1, 2, 4, 8, 16 };
         struct P { int k; float2 f; }; static const P ps[2] = { { 1, { 2, 3 } }, { 4, { 5, 6 } } };
         static const float2x2 rot = { 0, 1, -1, 0 }; static int2 derived = int2(counter + 1, 2); static uint many[100];
         int tick() { static int local = 5; local++; counter++; return local; }
         float at(int i) { return table[i]; } static const int N = 3; float sum(const float t[5]) { return t[0] + t[4]; }",
        "PUTI(tick()); PUTI(tick()); PUTI(counter); PUT(zero.y); PUT(at(3)); PUT(table[2]); int i = 1; PUTI(ps[i].k); PUT(ps[i].f.y); PUT(ps[0].f.x); PUT(rot[1].x); PUT(mul(rot, float2(2, 3)).y);
         PUTI(derived.x); PUTI(many[i + 50]); many[i] = 4; PUTI(many[1]); PUTI(N); PUT(sum(table)); P p = ps[i]; PUTI(p.k);",
        &[
            I(6), I(7), I(12), F(0.0), F(8.0), F(4.0), I(4), F(6.0), F(2.0), F(-1.0), F(-2.0), I(11), I(0), I(4), I(3), F(17.0),
            I(4),
        ],
    );
}

fn words(w: impl IntoIterator<Item = f32>) -> Vec<u8> {
    w.into_iter().flat_map(|x| x.to_bits().to_le_bytes()).collect()
}

#[test]
fn constant_buffers() {
    // Byte n/4 holds n/4 as a float.
    check_with(
        "struct In { float a; float3x2 m; bool b; }; struct Arr { float2 v[2]; In s[2]; float tail; };
         cbuffer C { float x; float2 y; float3 z; float4x4 cm; row_major float3x4 rm; float arr[3]; Arr s; float last; row_major float3x3 r3; float after; };
         struct K { float2 p; uint q; }; ConstantBuffer<K> k[4] : register(b3);
         float total(Arr a) { return a.tail + a.s[1].m[2].y; }",
        "PUT(x); PUT(y.y); PUT(z.x); PUT(cm[1][2]); PUT(rm[2].w); int i = 2; PUT(cm[i].y); PUT(rm[i][i - 1]); PUT(arr[2]); PUT(arr[i]); PUT(s.v[1].y); PUT(s.s[1].m[0].y); PUT(s.s[i - 1].m[i].x);
         PUTI(s.s[0].b); PUT(s.tail); PUT(last); PUT(r3[2].z); PUT(after); PUT(k[i].p.y); Arr whole = s; PUT(whole.v[0].y); PUT(total(s)); PUT(mul(float4(1, 0, 0, 0), cm).w); PUT(z[i]); PUT(cm._m21_m12.y); PUT(cm[i][i]); PUT(r3[i].y);",
        |m| {
            m.buffers.insert(("C".into(), 0), words((0..200).map(|n| n as f32)));
            m.buffers.insert(("k".into(), 2), words((500..520).map(|n| n as f32)));
        },
        &[
            F(0.0), F(2.0), F(4.0), F(17.0), F(35.0), F(14.0), F(33.0), F(44.0), F(44.0), F(53.0), F(76.0), F(74.0), I(1), F(80.0),
            F(81.0), F(94.0), F(95.0), F(501.0), F(49.0), F(158.0), F(20.0), F(6.0), F(17.0), F(18.0), F(93.0),
        ],
    );
}

#[test]
fn structured_and_raw_buffers() {
    check_with(
        "struct In { float3 v; bool b; column_major float2x3 m; int arr[2]; double d; min16float h; };
         RWStructuredBuffer<In> S; StructuredBuffer<In> R; RWStructuredBuffer<uint> U; ByteAddressBuffer B; RWByteAddressBuffer RB; RWStructuredBuffer<row_major float2x2> M;
         void bump(inout float x, inout int y) { x += 1; y += 1; } void all(inout In s) { s.v = 5; } int first(In s) { return s.arr[0]; } struct T { float a; uint2 b; };",
        "In s = (In)0; s.v = float3(1, 2, 3); s.b = true; s.m = float2x3(1, 2, 3, 4, 5, 6); s.arr[1] = 8; s.d = 0.5; s.h = 1.5; S[2] = s; uint k = 2;
         PUT(S[k].v.z); PUTI(S[2].b); PUT(S[2].m[0][2]); PUT(S[2].m[1].y); PUTI(S[2].arr[1]); PUT((float)S[2].d); PUT((float)S[k].h);
         S[k].v[k - 1] = 9; S[2].v.xz = float2(7, 8); S[2].m[1] = 0; PUT(S[2].v.x); PUT(S[2].v.y); PUT(S[2].v.z); PUT(S[2].m._m12); PUT(S[2].m._m02); S[k].m._m00_m11 = float2(11, 12); PUT(S[2].m[1][k - 1]); PUT(S[2].m[k - 2].x);
         U[3] = 4; U[3] += 5; U[3]++; PUTI(U[3]); bump(S[2].v.y, S[2].arr[k - 1]); PUT(S[2].v.y); PUTI(S[2].arr[1]); all(S[2]); PUT(S[2].v.x); PUTI(first(S[2]));
         PUT(R[1].v.y); PUT(R.Load(1).v.y); In r = R[1]; PUT(r.v.y); PUTI(B.Load(8)); PUTI(B.Load3(4).z); PUT(B.Load<float2>(8).y); T t = B.Load<T>(4); PUTI(t.b.y);
         RB.Store<T>(16, t); RB.Store2(0, uint2(5, 6)); PUTI(RB.Load(4)); PUTI(RB.Load(24)); uint n, st; S.GetDimensions(n, st); PUTI(st); B.GetDimensions(n); PUTI(n);
         M[0] = float2x2(1, 2, 3, 4); PUT(M[0][1].x); PUT(mul(M[0], float2(1, 1)).y); uint old; InterlockedAdd(U[3], 7, old); PUTI(old); PUTI(U[3]); InterlockedMax(S[2].arr[0], -3); InterlockedMin(S[2].arr[0], -3); PUTI(S[2].arr[0]);
         RB.InterlockedExchange(4, 77, old); PUTI(old); PUTI(RB.Load(4)); InterlockedCompareExchange(U[3], 17, 1, old); PUTI(U[3]); InterlockedCompareStore(U[3], 17, 2); PUTI(U[3]); PUTI(S.IncrementCounter()); PUTI(S.IncrementCounter()); PUTI(S.DecrementCounter());",
        |m| {
            m.buffers.insert(("R".into(), 0), words((0..100).map(|n| n as f32)));
            m.buffers.insert(("B".into(), 0), (0..25u32).flat_map(|n| (n * 10).to_le_bytes()).collect());
        },
        &[
            F(3.0), I(1), F(3.0), F(5.0), I(8), F(0.5), F(1.5), F(7.0), F(9.0), F(8.0), F(0.0), F(3.0), F(12.0), F(11.0), I(10), F(10.0), I(9),
            F(5.0), I(0), F(17.0), F(17.0), F(17.0), I(20), I(30), F(30.0 * f32::from_bits(1)), I(30), I(6), I(30), I(64), I(100), F(3.0), F(7.0), I(10), I(17), I(-3),
            I(6), I(77), I(1), I(1), I(0), I(1), I(1),
        ],
    );
}

#[test]
fn textures() {
    check(
        "RWTexture2D<float4> T; RWTexture2D<uint> U; RWTexture3D<float2> V; Texture2D<float4> S; Texture2DArray<float> A; SamplerState s; RWBuffer<int2> B; Texture2D<uint4> list[4]; Texture2DMS<float4> MS;
         void inc(inout float4 x) { x.y += 10; } void one(out float x) { x = 3; }",
        "uint2 p = uint2(1, 2); T[p] = float4(1, 2, 3, 4); T[p].y = 8; T[p] *= 2; T[p].zw += 1; PUT(T[p].x); PUT(T[p].y); PUT(T[p].z); PUT(T[p].w); inc(T[p]); PUT(T[p].y); one(T[p].x); PUT(T[p].x);
         U[p] = 3; U[p]++; U[p] |= 8; PUTI(U[p]); uint o; InterlockedAdd(U[p], 2, o); PUTI(o); PUTI(U[p]); V[uint3(p, 0)].y = 4; PUT(V[uint3(1, 2, 0)].y); int i = 1; T[p][i] = 6; PUT(T[p][i]); PUT(T.Load(p).y); B[4] = int2(7, 8); B[4].x--; PUTI(B[4].x); PUTI(B.Load(4).y);
         uint w, h, l; S.GetDimensions(w, h); PUTI(w * 100 + h); S.GetDimensions(1, w, h, l); PUTI(l); float fw, fh, fe; A.GetDimensions(fw, fh, fe); PUT(fe);
         PUT(S.SampleLevel(s, float2(0, 0), 0).y); PUT(S.Load(int3(p, 0)).x); PUT(S[p].x); PUT(S.mips[1][p].x); PUTI(list[i][p].x); PUT(A.SampleLevel(s, float3(0, 0, 0), 0, int2(1, 1))); PUT(S.GatherRed(s, float2(0, 0)).x); PUT(MS.Load(p, 2).x); uint st; PUT(S.Load(int3(p, 0), int2(1, 1), st).x); PUTI(CheckAccessFullyMapped(st));",
        &[
            F(2.0), F(16.0), F(7.0), F(9.0), F(26.0), F(3.0), I(12), I(12), I(14), F(4.0), F(6.0), F(6.0), I(6), I(8), I(6432), I(7), F(16.0), F(1.0), F(0.0),
            F(0.0), F(0.0), I(0), F(10.0), F(0.0), F(0.0), F(0.0), I(1),
        ],
    );
}

#[test]
fn tracing_copies_in_and_out() {
    check(
        "struct P { float4 c; uint n; float2x2 m; }; struct C { int k; }; RaytracingAccelerationStructure S; RWStructuredBuffer<P> Store;
         void go(inout P p, RayDesc r) { p.n = 40; TraceRay(S, 0, 255, 0, 1, 0, r, p); }",
        "RayDesc r = { float3(0, 0, 0), 0.1, float3(0, 0, 1), 100 }; P p = (P)0; p.m[1].x = 4; TraceRay(S, 0, 255, 0, 1, 0, r, p); PUT(p.c.w); PUTI(p.n); PUT(p.m[1].x); go(p, r); PUTI(p.n); PUT(p.c.x);
         P a[2]; a[0] = p; a[1] = p; int i = 1; TraceRay(S, 0, 255, 0, 1, 0, r, a[i++]); PUTI(i); PUTI(a[1].n); PUTI(a[0].n); C c = { 6 }; CallShader(2, c); PUTI(c.k); Store[0] = p; TraceRay(S, 0, 255, 0, 1, 0, r, Store[0]); PUTI(Store[0].n);",
        &[F(1.0), I(1), F(5.0), I(41), F(2.0), I(2), I(42), I(41), I(7), I(42)],
    );
}

#[test]
fn bit_fields_and_small_types() {
    check(
        "struct B { uint a : 4; uint b : 8; int c : 5; uint d; int e : 20; int f : 20; }; RWStructuredBuffer<B> S; uint get(B b) { return b.b; } void set(inout uint x) { x = 300; }",
        "B b = (B)0; b.a = 18; b.b = 0xff; b.c = -3; b.d = 7; b.e = -1; b.f = 5; PUTI(b.a); PUTI(b.b); PUTI(b.c); PUTI(b.d); PUTI(b.e); b.b++; PUTI(b.b); PUTI(b.a); S[1] = b; PUTI(S[1].c); S[1].a = 9; PUTI(S[1].a); PUTI(S[1].c); B c = S[1]; PUTI(c.a); PUTI(get(c)); PUTI(c.f); set(c.b); PUTI(c.b); B d = { 1, 2, 3, 4, 5, 6 }; PUTI(d.a + d.b * 10); PUTI(d.c);",
        &[I(2), I(255), I(-3), I(7), I(-1), I(0), I(2), I(-3), I(9), I(-3), I(9), I(0), I(5), I(44), I(21), I(3)],
    );
}

#[test]
fn intrinsics() {
    check(
        "",
        "PUTI(abs(-3)); PUT(abs(-2.5)); PUT(atan2(1, -1)); PUT(atan2(-1, 0)); PUT(clamp(5.0, 1, 3)); PUTI(clamp(-5, -3, 3)); PUT(cross(float3(1, 0, 0), float3(0, 1, 0)).z); PUT(degrees(3.14159265)); PUT(distance(float2(0, 3), float2(4, 0)));
         PUTI(dot(int3(1, 2, 3), int3(4, 5, 6))); PUT(exp(1)); PUT(faceforward(float3(0, 0, 1), float3(0, 0, 1), float3(0, 0, 1)).z); PUTI(firstbithigh(16)); PUTI(firstbithigh(-17)); PUTI(firstbitlow(24u)); PUT(fmod(-5.5, 2));
         float e; float m = frexp(-12.0, e); PUT(m); PUT(e); PUT(ldexp(3, 4)); PUT(length(float2(3, 4))); PUT(lerp(1, 3, 0.25)); PUT(lit(0.5, 0.25, 2).z); PUT(log(exp(2))); PUT(log10(1000)); float ip; PUT(modf(-2.25, ip)); PUT(ip);
         PUT(normalize(float3(0, 3, 4)).z); PUT(pow(2, 5)); PUT(rcp(4)); PUT(reflect(float2(1, -1), float2(0, 1)).y); PUT(refract(float2(0, -1), float2(0, 1), 0.5).y); PUTI(sign(-4.5)); PUTI(sign(3)); PUTI(sign(0)); float sn, cs; sincos(0.5, sn, cs); PUT(sn * sn + cs * cs);
         PUT(smoothstep(0, 2, 1)); PUT(step(2, 1.5)); PUT(step(2, 2)); PUTI(countbits(7u)); PUTI(reversebits(1u)); PUT(asfloat(0x40000000)); PUTI(asint(1.0f)); PUT(f16tof32(0x3c00)); PUTI(f32tof16(2.0)); PUT(saturate(1.5)); PUT(mad(2.0, 3, 4)); PUTI(mad(2, 3, 4));
         PUTI(msad4(0x04030201, uint2(0x05040302, 0x09080706), uint4(0, 0, 0, 100)).x); PUTI(msad4(0x00000201, uint2(0x05040302, 0x09080706), uint4(0, 0, 0, 100)).w); PUTI(AddUint64(uint2(0xffffffff, 1), uint2(2, 3)).y); PUTI(select(true, 1, 2)); PUTI(and(true, false)); uint lo, hi; asuint(asdouble(5u, 6u), lo, hi); PUTI(lo * 10 + hi);
         PUT(round(2.5)); PUT(frac(-0.25)); PUT(min(1.0, 2)); PUTI(max(-1, 1)); PUTI(max(1u, 0xffffffffu)); PUT(dst(float4(1, 2, 3, 4), float4(5, 6, 7, 8)).y); PUTI(isnan(sqrt(-1.0f))); PUT(radians(180)); PUTI(D3DCOLORtoUBYTE4(float4(1, 0, 0, 0)).z); PUTI(select(bool2(true, false), int2(1, 2), int2(3, 4)).y); PUTI(any(int2(0, 2))); PUTI(all(float2(1, 0))); PUT(trunc(-1.5)); PUT(sqrt(9.0)); PUT(tan(0.0));",
        &[
            I(3), F(2.5), F(2.3561945), F(-1.5707964), F(3.0), I(-3), F(1.0), F(180.0), F(5.0), I(32), F(std::f32::consts::E), F(-1.0), I(4), I(4), I(3), F(-1.5), F(0.75),
            F(4.0), F(48.0), F(5.0), F(1.5), F(0.0625), F(2.0), F(3.0), F(-0.25), F(-2.0), F(0.8), F(32.0), F(0.25), F(1.0), F(-1.0), I(-1), I(1), I(0), F(1.0), F(0.5), F(0.0), F(1.0),
            I(3), I(0x8000_0000), F(2.0), I(0x3f80_0000), F(1.0), I(0x4000), F(1.0), F(10.0), I(10), I(4), I(108), I(5), I(1), I(0), I(56), F(2.0), F(0.75), F(1.0), I(1), I(-1), F(12.0),
            I(1), F(std::f32::consts::PI), I(255), I(4), I(1), I(0), F(-1.0), F(3.0), F(0.0),
        ],
    );
}

#[test]
fn aggregates_as_values() {
    check(
        "struct In { int a[3]; float2 f; int get(int i) { return a[i]; } void put(int i, int v) { a[i] = v; } }; struct Out2 { In x; In y; float2x2 m; };
         In mk(int n) { In r; r.a[0] = n; r.a[1] = n + 1; r.a[2] = n + 2; r.f = n; return r; } static int calls; In count(In v) { calls++; return v; } static int hits; In hit() { hits++; return mk(hits); }
         int change(inout Out2 o) { o.x.a[0] = 50; return 1; } int sum(In v, int k) { return v.a[0] + k; } int def(int a, int b = 7) { return a * 10 + b; }
         void arr(inout int a[2][2], int i) { a[i][1 - i] = 9; a[1][1] += a[0][1]; } typedef int Row[2]; float2x2 mm(float2x2 m) { m[0][1] = 8; return m; }
         struct Nest { Out2 o[2]; }; void deep(inout Nest n, int i) { n.o[i].y.put(2, 33); n.o[i].m[1][i] = 4; }",
        "int i = 2; PUTI(mk(5).a[i]); PUT(mk(3).f.y); PUTI(mk(6).get(1)); Out2 o; o.x = mk(1); o.y = o.x; o.m = 0; PUTI((o.x = mk(20)).a[1]); PUTI(o.x.a[0]); PUTI(o.y.a[0]);
         bool c = i == 2; In t = c ? o.y : o.x; PUTI(t.a[2]); PUTI((c ? mk(7) : mk(8)).a[0]); In u = c ? hit() : hit(); PUTI(hits); PUTI(u.a[0]);
         PUTI(sum(o.x, change(o))); PUTI(o.x.a[0]); PUTI(def(1)); PUTI(def(1, 2)); int a[2][2] = { 1, 2, 3, 4 }; arr(a, 0); PUTI(a[0][1]); PUTI(a[1][1]); Row r = a[1]; r[0] = 5; PUTI(a[1][0]); PUTI(r[0]);
         float2x2 m = float2x2(1, 2, 3, 4); PUT(mm(m)[0].y); PUT(m[0].y); m = mm(m); PUT(m._12); Nest n = (Nest)0; deep(n, 1); PUTI(n.o[1].y.get(2)); PUT(n.o[1].m[1].y); PUTI(n.o[0].y.a[2]);
         Nest q = n; q.o[0] = q.o[1]; PUTI(q.o[0].y.a[2]); n.o[i - 1].x = mk(40); PUTI(n.o[1].x.a[1]); In arr3[3] = { mk(1), mk(2), mk(3) }; PUTI(arr3[i].a[0]); arr3[0] = arr3[i]; PUTI(arr3[0].a[1]); In s3 = { 1, 2, 3, float2(4, 5) }; PUTI(s3.a[2]); PUT(s3.f.y);
         float4 sel = float4(1, 2, 3, 4); float4 z = select(sel > 2, sel, -sel); PUT(z.x); PUT(z.w); float2x2 b = select(m > 3, m, (float2x2)0); PUT(b._11); PUT(b._22); In cut = mk(9); PUT(float2(cut).y); Out2 pair = { mk(1), mk(5), m }; PUTI(pair.y.a[1]); PUT(pair.m[1].x);",
        &[
            I(7), F(3.0), I(7), I(21), I(20), I(1), I(3), I(7), I(1), I(1), I(21), I(50), I(17), I(12), I(9), I(13), I(3), I(5), F(8.0), F(2.0), F(8.0), I(33), F(4.0), I(0),
            I(33), I(41), I(3), I(4), I(3), F(5.0), F(-1.0), F(4.0), F(0.0), F(4.0), F(10.0), I(6), F(3.0),
        ],
    );
}

#[test]
fn out_arguments_in_strange_places() {
    check(
        "struct M { column_major float2x3 c; row_major float2x3 r; int2 k[2]; }; RWStructuredBuffer<M> B; RWTexture2D<float4> T;
         void set(out float f, float v) { f = v; } void swap(inout float a, inout float b) { float t = a; a = b; b = t; } void row(out float3 r) { r = float3(7, 8, 9); } void vec(inout float2 v) { v *= 10; } void ints(inout int n) { n += 5; }
         void two(out int a, out int b) { a = 1; b = 2; } int inc(inout int n) { return ++n; } void mat(inout float2x3 m) { m[1][2] = 77; } void chain(inout float2 v) { swap(v.x, v.y); vec(v); }",
        "float2x3 m = { 1, 2, 3, 4, 5, 6 }; int i = 1, j = 2; set(m[i][j], 60); set(m._m00, 10); PUT(m[1][2]); PUT(m[0][0]); swap(m[0][1], m[1][0]); PUT(m._12); PUT(m._21); row(m[i]); PUT(m[1][1]); vec(m._m00_m12); PUT(m[0][0]); PUT(m[1][2]);
         M x; x.c = m; x.r = m; x.k[0] = 1; x.k[1] = 2; B[3] = x; set(B[3].c[i][j], 5); set(B[i + 2].r[1][0], 6); row(B[3].c[0]); vec(B[3].r[0].zx); PUT(B[3].c[1].z); PUT(B[3].r[1].x); PUT(B[3].c[0].y); PUT(B[3].r[0].x); PUT(B[3].r[0].z); mat(B[3].c); PUT(B[3].c._23); ints(B[3].k[i].y); PUTI(B[3].k[1].y); PUTI(B[3].k[1].x);
         T[uint2(0, 0)] = 1; set(T[uint2(0, 0)][j], 4); vec(T[uint2(0, 0)].zy); PUT(T[uint2(0, 0)].z); PUT(T[uint2(0, 0)].y); PUT(T[uint2(0, 0)].x); float f = 2.5; ints(f); PUT(f); uint u = 3; ints(u); PUTI(u); bool b = false; ints(b); PUTI(b); float3 v = 0; ints(v.y); PUT(v.y);
         int k = 0; two(k, k); PUTI(k); int a[3] = { 0, 0, 0 }; k = 0; two(a[inc(k)], a[inc(k)]); PUTI(a[1] * 10 + a[2]); chain(v.zy); PUT(v.z); PUT(v.y); float4 w = float4(1, 2, 3, 4); swap(w.x, w.x); swap(w[i], w[j]); PUT(w.y); swap(w.x, w[0]); PUT(w.x); min16float h = 1; set(h, 3); PUT((float)h); set(v[inc(k) - 1], 6); PUT(v.z);",
        &[
            F(60.0), F(10.0), F(4.0), F(2.0), F(8.0), F(100.0), F(90.0), F(5.0), F(6.0), F(8.0), F(1000.0), F(30.0), F(77.0), I(7), I(2), F(40.0), F(10.0), F(1.0), F(7.0), I(8), I(1), F(5.0),
            I(2), I(12), F(50.0), F(0.0), F(3.0), F(1.0), F(3.0), F(6.0),
        ],
    );
}

#[test]
fn constant_values() {
    check(
        "static const int2 pairs[3] = { int2(1, 2), int2(3, 4), int2(5, 6) }; struct S { float4 c; int n[2]; }; static const S s = { float4(1, 2, 3, 4), { 5, 6 } }; static const bool flags[2] = { true, false }; static const float4x4 id = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }; namespace ns { static const uint k = 0xffffffff; static float v = k; }
         int get(const S x, int i) { return x.n[i]; } static const float3 dirs[2][2] = { float3(1, 0, 0), float3(0, 1, 0), float3(0, 0, 1), float3(2, 2, 2) };",
        "int i = 1; static const float local[3] = { 1, 2, 3 }; PUTI(pairs[i].y); PUTI(pairs[2][i]); PUTI(pairs[2].x); PUT(s.c[i]); PUT(s.c.zw.y); PUTI(s.n[i]); PUTI(get(s, i)); PUTI(flags[i]); PUTI(flags[0]); PUT(id[i][i]); PUT(id[i].x); PUT(mul(id, s.c).z); PUT(local[i + 1]); PUT(ns::v); PUT(dirs[i][i].y); PUT(dirs[0][1].y); float3 d[2] = dirs[1]; PUT(d[0].z); const int n = 3; int v[n]; v[n - 1] = 4; PUTI(v[2]);",
        &[
            I(4), I(6), I(5), F(2.0), F(4.0), I(6), I(6), I(0), I(1), F(1.0), F(0.0), F(3.0), F(3.0), F(4294967296.0), F(2.0), F(1.0), F(1.0), I(4),
        ],
    );
}

#[test]
fn large_arrays_are_copied_in_loops() {
    check_with(
        "cbuffer C { float4 big[200]; }; struct W { float x[40]; }; RWStructuredBuffer<W> B; float total(float4 a[200]) { float s = 0; for (int i = 0; i < 200; i++) s += a[i].x; return s; } static float zeros[300];",
        "PUT(total(big)); float4 copy[200] = big; PUT(copy[199].w); W w = (W)2; w.x[39] = 1; B[1] = w; PUT(B[1].x[0]); PUT(B[1].x[39]); W r = B[1]; PUT(r.x[5]); zeros[7] = 1; PUT(zeros[6]); PUT(zeros[7]); float4 more[200]; more = copy; PUT(more[100].y);",
        |m| _ = m.buffers.insert(("C".into(), 0), words((0..800).map(|n| n as f32))),
        &[F(79600.0), F(799.0), F(2.0), F(1.0), F(2.0), F(0.0), F(1.0), F(401.0)],
    );
}

/// The diagnostics of an invalid source.
#[track_caller]
fn refused(text: &str, why: &str) {
    match super::compile("test", text) {
        Ok(_) => panic!("nothing is wrong"),
        Err(e) => assert!(e.contains(why), "{e}"),
    }
}

#[test]
fn unsupported_constructs_are_reported() {
    let main = |body: &str| format!("RWByteAddressBuffer Out;\n[shader(\"raygeneration\")] void Main() {{ {body} }}");
    refused(&main("int x = 0; InterlockedAdd(x, 1); Out.Store(0, x);"), "requires a groupshared variable");
}
