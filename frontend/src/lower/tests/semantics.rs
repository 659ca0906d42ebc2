//! What programs compute. Each test writes words to the byte-address buffer `Out`.

use super::module;
use super::run::Machine;

/// An expected word.
#[derive(Clone, Copy, PartialEq)]
enum W {
    I(i64),
    F(f32),
}
use W::{F, I};

/// Runs `body` as a ray generation shader after `globals` and compares what it puts into `Out`.
#[track_caller]
fn check_with(globals: &str, body: &str, fill: impl FnOnce(&mut Machine), wanted: &[W]) {
    let text = format!(
        "RWByteAddressBuffer Out;\n{globals}\n[shader(\"raygeneration\")] void Main() {{\nuint at = 0;\n{body}\n}}\n"
    )
    .replace("PUT(", "PUT_(");
    let text = format!(
        "#define PUT_(x) Out.Store(at, asuint(x)), at += 4\n#define PUTI(x) Out.Store(at, (uint)(x)), at += 4\n{text}"
    );
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
        panic!("wrote {got:?}\nwanted {want:?}\n{}", rtc_ir::text::print(&m));
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
        &[
            I(-3), I(1), I(1), I(-4), I(14), I(-8), I(0), F(3.75), F(-7.5), F(1.5), I(7), I(1), I(1), I(0), F(-2.0),
            F(2147483648.0),
        ],
    );
}

#[test]
fn conversions() {
    check(
        "enum E { A = 3, B };",
        "float f = -1.75; bool t = true; uint u = 4000000000u; int i = -1; float3 v = float3(1.5, -2.5, 0);
         PUTI(f); PUT((float)t); PUT((float)u); PUT((float)i); PUTI((bool)f); PUTI((int3)v.y); PUTI((bool3(v)).z); PUTI(E::B);
         PUTI((float)(E)4 + 0.5); uint64_t w = 5000000000; PUTI(w >> 32); PUTI((uint)w); double d = f; PUT((float)(d * 2));
         PUTI((uint)t + t); PUTI(int(true) - 2); min16float h = 1.5; PUT((float)(h * h)); half k = 2; PUT((float)k);",
        &[
            I(-1), F(1.0), F(4e9), F(-1.0), I(1), I(-2), I(0), I(4), I(4), I(1), I(705032704), F(-3.5), I(2), I(-1),
            F(2.25), F(2.0),
        ],
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
        &[
            I(1), I(5), I(10), I(123), I(3), I(10), I(1), I(3), I(3), I(1), I(8), I(18), I(3), I(3), I(4), I(5), I(5),
        ],
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
            I(2), I(104), I(5), I(6), I(23), I(15), I(8), F(4.0), F(2.0), F(0.0), F(5.0), F(7.0), F(2.5), I(16), I(2),
            I(7), F(7.0), F(4.0), F(8.0),
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
            F(2.0), F(2.0), F(1.0), F(4.0), F(8.0), F(9.0), F(5.0), F(8.0), F(5.0), F(6.0), F(8.0), F(10.0), F(2.0),
            F(16.0), I(1), I(3), I(4), I(0), I(1), I(1), I(0), F(10.0), F(4.0), F(3.0), F(9.0), F(7.0),
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
        &[I(15), I(45), I(4), I(5), I(206), I(-1), I(6), I(12), I(64), I(67), I(5), I(3), I(4)],
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
         struct Derived : Base { float2 v; Base inner; int total() { return get() + inner.get(); } Derived twice() { Derived d = this; d.a *= 2; return d; } };
         struct Arr { Derived items[3]; int n; void push(Derived d) { items[n] = d; n++; } static int k() { return 42; } };
         void byBase(inout Base b) { b.a += 1000; }
         int sumBase(Base b) { return b.a; }",
        "Derived d; d.a = 1; d.v = 2; d.inner.a = 3; d.set(5); d.inner.set(7); PUTI(d.total()); PUTI(d.twice().a); PUTI(d.a);
         Arr arr = (Arr)0; arr.push(d); arr.push(d.twice()); PUTI(arr.n); PUTI(arr.items[1].a); PUTI(arr.items[0].total()); PUTI(Arr::k());
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
            F(0.0), F(2.0), F(4.0), F(17.0), F(35.0), F(14.0), F(33.0), F(44.0), F(44.0), F(53.0), F(76.0), F(74.0), I(1), F(79.0),
            F(80.0), F(94.0), F(95.0), F(501.0), F(49.0), F(157.0), F(20.0), F(6.0), F(17.0), F(18.0), F(93.0),
        ],
    );
}
