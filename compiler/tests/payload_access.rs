//! Payload access qualifiers over whole programs: the examples of the specification give exactly the annotated warnings, and correct programs
//! give none.

use rtc::{NoIncludes, Options, Profile, Severity, Target};
use rtc_oracles::facts;

/// The warnings of a program: code, first and last line.
fn warnings(source: &str, profile: &str) -> Vec<(&'static str, u32, u32)> {
    let mut options = Options::new(Profile::parse(profile).unwrap());
    options.target = Target::Dxil;
    let done = rtc::compile("test.hlsl", source.as_bytes(), &mut NoIncludes, &options);
    assert!(!done.failed(), "{source}\n{:#?}", done.diagnostics);
    let line = |at: usize| source[..at].matches('\n').count() as u32 + 1;
    done.diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Warning)
        .map(|d| {
            let (_, at) = done.sources.range(done.sources.file_span(d.span())).expect("a place");
            (d.code.id, line(at.start), line(at.end))
        })
        .collect()
}

const WORLD: &str = "RaytracingAccelerationStructure scene; RWBuffer<float> values; \
    struct Attributes { float2 uv; }; \
    RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; } \
    #define TRACE(p) TraceRay(scene, 0, 255, 0, 1, 0, ray(), p)\n";

/// A program under the declarations that all share.
fn world(source: &str) -> String {
    WORLD.replace("#define", "\n#define") + source
}

/// An example of the specification as a whole program, with the line of the specification that its first line is. The
/// examples leave out what is not their point: attributes, the scene and the ray, what `condition` is.
fn example(text: &str) -> (String, u32) {
    let lines = text.lines().find_map(|l| l.strip_prefix("// lines: ")).expect("a place");
    let first: u32 = lines.split('-').next().unwrap().parse().unwrap();
    let (_, code) = text.split_once("// ---- snippet as is ----\n").expect("a snippet");
    let mut code = code.replace("TraceRay(", "TRACE(").replace("condition)", "condition())").replace("condition )", "condition() )");
    for stage in ["closesthit", "raygeneration"] {
        code = code.replace(&format!("[shader({stage})]"), &format!("[shader(\"{stage}\")]"));
    }
    for name in ["payload", "p"] {
        let from = format!("Payload {name})\n{{");
        let shader = code.rfind("[shader").unwrap();
        let (head, tail) = code.split_at(shader);
        code = head.to_string() + &tail.replacen(&from, &format!("Payload {name}, Attributes attributes)\n{{"), 1);
    }
    (code, first)
}

#[test]
fn examples_of_the_specification_give_the_warnings_that_it_annotates() {
    // The lines of the specification (DXR 1.31). Line 8985 is above the write at 8986 in a comment of three lines.
    let expected: &[(&str, &[(&str, u32)])] = &[
        (
            "000_paq_adv_recursive_traceray.hlsl",
            &[("W0710", 8913), ("W0710", 8914), ("W0712", 8919), ("W0712", 8921), ("W0713", 8924), ("W0713", 8925), ("W0711", 8932)],
        ),
        ("000_paq_adv_function_parameter.hlsl", &[]),
        ("000_paq_adv_forwarding.hlsl", &[("W0710", 8978), ("W0713", 8985), ("W0711", 8994)]),
        ("000_paq_adv_loop_pure_input.hlsl", &[("W0714", 9025)]),
        ("000_paq_adv_conditional_output.hlsl", &[("W0716", 9047)]),
    ];
    let examples = rtc_oracles::require!(facts::spec_examples());
    for (file, expected) in expected {
        let text = facts::read(&examples.join(file));
        let (code, first) = example(&text);
        let head = world("bool condition() { return DispatchRaysIndex().x > 3; }\n");
        let before = head.matches('\n').count() as u32;
        let mut found = warnings(&(head + &code), "lib_6_7");
        let to_spec = |line: u32| line - before + first - 1;
        for (code, line) in *expected {
            let at = found.iter().position(|(c, lo, hi)| c == code && (to_spec(*lo)..=to_spec(*hi)).contains(line));
            match at {
                Some(n) => _ = found.remove(n),
                None => panic!("{file}: no {code} at line {line}, but {found:?} (from line {first} on)"),
            }
        }
        assert!(found.is_empty(), "{file}: not annotated in the specification: {found:?}");
    }
}

/// Programs that are right, and what other compilers say of some of them.
const RIGHT: &[(&str, &str)] = &[
    (
        "a payload written before it goes to a wrapper",
        r#"
        struct [raypayload] P { float a : write(caller) : read(miss); float b : write(miss) : read(caller); };
        void inner(inout P p) { TRACE(p); }
        void wrapper(inout P p) { inner(p); }
        [shader("raygeneration")] void Main() { P p; p.a = 1; wrapper(p); values[0] = p.b; }"#,
    ),
    (
        "a payload filled in by a function",
        r#"
        struct [raypayload] P { float a : write(caller) : read(miss); float3 b : write(caller, miss) : read(caller); };
        P make(float x) { P p; p.a = x; p.b = 0; return p; }
        void fill(out P p) { p.a = 2; p.b = 1; }
        [shader("raygeneration")] void Main() { P p = make(3); TRACE(p); fill(p); TRACE(p); values[0] = p.b.x; }"#,
    ),
    (
        "initialised payloads and compound assignment",
        r#"
        struct [raypayload] P { float a : write(caller) : read(miss); float b : write(miss) : read(caller);
                                uint n : write(caller, miss) : read(caller, miss); };
        [shader("raygeneration")] void Main()
        {
            P p = (P)0;
            P q = { 1, 2, 3 };
            TRACE(p);
            TRACE(q);
            p.b += q.b;
            values[0] = p.b;
        }
        [shader("miss")] void Sky(inout P p) { p.n += 1; p.b = 1; p.b *= p.a; }"#,
    ),
    (
        "components, rows, elements and loops that write all of a field",
        r#"
        struct N { float x; float y[3]; };
        struct [raypayload] P
        {
            float4 v : write(miss) : read(caller); float3x3 m : write(miss) : read(caller);
            N n : write(miss) : read(caller); float many[100] : write(miss) : read(caller);
            float few[4] : write(miss) : read(caller);
        };
        [shader("miss")] void Sky(inout P p)
        {
            p.v.xy = 1; p.v.wz = 2;
            p.m[0] = 0; p.m[1] = 1; p.m._m20_m21_m22 = 2;
            p.n.x = 1; p.n.y[0] = 1; p.n.y[1] = 2; p.n.y[2] = 3;
            for (uint i = 0; i < 100; i++) p.many[i] = i;
            for (uint k = 0; k < 4; k++) p.few[k] = k;
        }"#,
    ),
    (
        "the same condition twice",
        r#"
        struct [raypayload] P { float a : write(miss) : read(caller); float b : write(caller) : read(miss); };
        [shader("miss")] void Sky(inout P p)
        {
            const bool up = WorldRayDirection().y > 0;
            if (up) p.a = 1;
            if (!up) p.a = p.b;
        }
        [shader("raygeneration")] void Main()
        {
            P p;
            uint mode = DispatchRaysIndex().x & 3;
            if (mode == 1) p.b = 1;
            if (mode == 2) p.b = 2;
            if (mode == 1 || mode == 2) TRACE(p);
        }"#,
    ),
    (
        "code that never runs",
        r#"
        struct [raypayload] P { float a : write(miss) : read(caller); };
        static const bool DEBUG = false;
        [shader("miss")] void Sky(inout P p)
        {
            if (DEBUG) { values[0] = p.a; return; }
            if (true) p.a = 1;
        }"#,
    ),
    (
        "early exits on which everything is written",
        r#"
        struct [raypayload] P { float a : write(anyhit) : read(anyhit, caller); uint n : write(closesthit) : read(caller); };
        [shader("anyhit")] void Alpha(inout P p, Attributes t)
        {
            p.a += 1;
            if (t.uv.x > 0.5) IgnoreHit();
            p.a += 1;
            AcceptHitAndEndSearch();
        }
        [shader("closesthit")] void Hit(inout P p, Attributes t)
        {
            if (t.uv.x > 0.5) { p.n = 1; return; }
            [loop] for (uint i = 0; ; i++) { if (values[i] > 0) { p.n = 2; break; } if (i > 9) { p.n = 3; return; } }
        }"#,
    ),
    (
        "a pure input set in each iteration",
        r#"
        struct [raypayload] P { float a : write(caller) : read(miss); float b : write(miss) : read(caller); };
        [shader("raygeneration")] void Main()
        {
            P p;
            for (uint i = 0; i < 4; i++) { p.a = i; TRACE(p); if (p.b > 1) break; }
        }"#,
    ),
    (
        "a copy keeps what the trace would lose",
        r#"
        struct [raypayload] P { float a : write(caller) : read(closesthit); float b : write(closesthit) : read(caller); };
        [shader("closesthit")] void Hit(inout P p, Attributes t)
        {
            P q = p;
            TRACE(q);
            p.b = p.a + q.b;
        }"#,
    ),
    (
        "two payload types in one shader",
        r#"
        struct [raypayload] P { float a : write(caller, closesthit) : read(caller, closesthit); };
        struct [raypayload] S { bool lit : write(caller, miss) : read(caller); };
        [shader("closesthit")] void Hit(inout P p, Attributes t)
        {
            S s; s.lit = false;
            TRACE(s);
            if (s.lit) p.a = 1;
        }
        [shader("miss")] void Shadow(inout S s) { s.lit = true; }"#,
    ),
    (
        "a payload inside of other structures, methods and members",
        r#"
        struct [raypayload] Base { float a : write(caller) : read(miss); void set(float x) { a = x; } float get() { return a; } };
        struct [raypayload] P { Base base; float b : write(miss) : read(caller); };
        struct Path { P p; float3 light; void trace() { TRACE(p); } };
        [shader("raygeneration")] void Main()
        {
            Path path;
            path.light = 1;
            path.p.base.set(3);
            path.trace();
            path.light *= path.p.b;
            values[0] = path.light.x;
        }
        [shader("miss")] void Sky(inout P p) { p.b = p.base.get(); }"#,
    ),
    (
        "bit fields are written one by one",
        r#"
        struct [raypayload] P { uint a : 4 : write(caller) : read(miss); uint b : 28 : write(caller) : read(miss); };
        [shader("raygeneration")] void Main() { P p; p.a = 1; p.b = 2; TRACE(p); }"#,
    ),
    (
        "hit objects: what the halves of a trace hand to each other",
        r#"
        struct [raypayload] P { float a : write(caller) : read(closesthit); float b : write(closesthit) : read(caller);
                                float c : write(anyhit) : read(closesthit, anyhit); };
        [shader("raygeneration")] void Main()
        {
            P p; p.a = 1;
            dx::HitObject hit = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray(), p);
            values[1] = p.a;
            dx::HitObject::Invoke(hit, p);
            values[0] = p.b;
        }"#,
    ),
    (
        "fields as arguments of their own",
        r#"
        struct [raypayload] P { float3 c : read(caller) : write(closesthit, miss); uint seed : read(miss, closesthit) : write(caller); uint n[2] : read(miss) : write(caller); };
        void begin(out uint seed) { seed = DispatchRaysIndex().x; }
        void color(out float3 c, uint s) { c = s; }
        [shader("raygeneration")] void Main() { P p; begin(p.seed); begin(p.n[0]); begin(p.n[1]); TRACE(p); values[0] = p.c.x; }
        [shader("closesthit")] void Hit(inout P p, Attributes t) { color(p.c, p.seed); }
        [shader("miss")] void Sky(inout P p) { color(p.c, p.n[1] + p.seed); }"#,
    ),
    (
        "what short circuits do not evaluate",
        r#"
        struct [raypayload] P { float b : read(miss) : write(caller); bool f : read(miss) : write(caller); float r : read(caller) : write(closesthit, miss); };
        [shader("closesthit")] void Hit(inout P p, Attributes t) { bool w = RayTMin() > 1; if (w) { p.b = 3; p.f = true; } p.r = w ? p.b : 0; if (w && p.f) p.r = 2; if (!w || p.f) p.r = 3; }
        [shader("miss")] void Sky(inout P p) { p.r = p.f ? p.b : 0; }"#,
    ),
    (
        "loops with a constant number of iterations",
        r#"
        struct [raypayload] P { float r : read(caller) : write(closesthit, miss); float arr[3] : read(caller) : write(closesthit, miss); };
        [shader("closesthit")] void Hit(inout P p, Attributes t)
        {
            for (uint i = 0; i < 2; ++i) { if (i == 1) p.r = 1; }
            uint k = 0;
            do { p.arr[k] = k; ++k; } while (k < 3);
        }
        [shader("miss")] void Sky(inout P p)
        {
            for (int i = 3; i > 0; i--) { switch (i) { case 1: p.r = i; break; default: p.arr[i - 1] = 2; } }
            uint k = 0;
            while (k < 1) { p.arr[k] = 1; k += 1; }
        }"#,
    ),
    (
        "elements that are chosen at run time, all of them in the end",
        r#"
        struct [raypayload] P { float arr[2] : read(caller) : write(closesthit); float one[1] : read(caller) : write(closesthit); float3 v : read(caller) : write(closesthit); };
        [shader("closesthit")] void Hit(inout P p, Attributes t)
        {
            p.one[PrimitiveIndex()] = 1;
            p.arr[PrimitiveIndex() & 1] = 1; p.arr[~PrimitiveIndex() & 1] = 1;
            p.v[PrimitiveIndex() % 3] = 1; p.v.xz = 2; p.v.y = 3;
        }"#,
    ),
    (
        "hit objects: what only the shaders of the invocation read",
        r#"
        struct [raypayload] P { float gi : read(closesthit) : write(caller); float3 c : read(caller) : write(closesthit, miss); };
        [shader("raygeneration")] void Main()
        {
            P p;
            dx::HitObject h = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray(), p);
            p.gi = 2;
            dx::HitObject::Invoke(h, p);
            values[0] = p.c.x;
            P q;
            dx::HitObject::Invoke(dx::HitObject::MakeMiss(0, 0, ray()), q);
            values[1] = q.c.x;
        }"#,
    ),
    (
        "hit objects: loops and conditions around them",
        r#"
        struct [raypayload] P { float3 c : read(caller) : write(closesthit, miss); };
        [shader("raygeneration")] void Main()
        {
            P p;
            for (uint i = 0; i < 3; ++i)
            {
                dx::HitObject h = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray(), p);
                if (h.IsHit()) dx::HitObject::Invoke(h, p); else p.c = 0;
                values[i] = p.c.x;
            }
        }"#,
    ),
    (
        "no warning without qualifiers",
        r#"
        struct P { float a; };
        [shader("miss")] void Sky(inout P p) { values[0] = p.a; }"#,
    ),
];

#[test]
fn right_programs_give_no_warning() {
    for (what, source) in RIGHT {
        let profile = match source {
            s if s.contains("HitObject") => "lib_6_9",
            s if s.contains("[raypayload]") => "lib_6_7",
            _ => "lib_6_5",
        };
        let found = warnings(&world(source), profile);
        assert!(found.is_empty(), "{what}: {found:?}\n{source}");
    }
}

#[test]
fn options_that_turn_qualifiers_off_turn_the_warnings_off() {
    let source = world(
        "struct [raypayload] P { float a : write(miss) : read(caller); };\n\
        [shader(\"miss\")] void Sky(inout P p) { p.a += 1; }",
    );
    let of = |on: Option<bool>, profile: &str, group: Option<&str>| {
        let mut options = Options::new(Profile::parse(profile).unwrap());
        options.target = Target::Check;
        options.payload_qualifiers = on;
        options.warnings.groups.extend(group.map(String::from));
        let done = rtc::compile("test.hlsl", source.as_bytes(), &mut NoIncludes, &options);
        done.diagnostics.iter().filter(|d| d.code.group == "payload-access-shader").count()
    };
    assert_eq!(of(None, "lib_6_7", None), 1);
    assert_eq!(of(None, "lib_6_6", None), 0);
    assert_eq!(of(Some(true), "lib_6_6", None), 1);
    assert_eq!(of(Some(false), "lib_6_8", None), 0);
    assert_eq!(of(None, "lib_6_7", Some("no-payload-access-shader")), 0);
    assert_eq!(of(None, "lib_6_7", Some("no-payload-access-qualifier")), 0);
    assert_eq!(of(None, "lib_6_7", Some("no-payload-access-trace")), 1);
}

/// What is wrong with programs: the warnings, each as often as it is given.
const WRONG: &[(&str, &[&str], &str)] = &[
    (
        "a field as an argument: read where it does not come in, and lost",
        &["W0710", "W0712"],
        r#"
        struct [raypayload] P { float c : read(caller) : write(closesthit); uint seed : read(miss) : write(caller); };
        uint rnd(inout uint s) { s = s * 3 + 1; return s >> 8; }
        [shader("closesthit")] void Hit(inout P p, Attributes t) { uint mine = 1; p.c = rnd(mine); p.c += rnd(p.seed); }"#,
    ),
    (
        "a component and an element as arguments, through two functions",
        &["W0710", "W0710"],
        r#"
        struct [raypayload] P { float c : read(caller) : write(closesthit); uint3 v : read(miss) : write(caller); uint e[2] : read(miss) : write(caller); };
        uint half_of(in uint s[2], inout uint x) { uint y = s[0]; return y; }
        uint inner(inout uint s) { uint y = s; return y; }
        uint outer(inout uint s) { return inner(s); }
        [shader("closesthit")] void Hit(inout P p, Attributes t) { p.c = outer(p.v.y); p.c += outer(p.e[1]); }"#,
    ),
    (
        "a field as an argument after a trace that does not return it",
        &["W0711"],
        r#"
        struct [raypayload] P { float c : read(caller) : write(miss); uint seed : read(miss) : write(caller); };
        uint rnd(inout uint s) { s = s * 3 + 1; return s >> 8; }
        [shader("raygeneration")] void Main() { P p; p.seed = 1; TRACE(p); values[0] = p.c + rnd(p.seed); }"#,
    ),
    (
        "an argument that the function need not write",
        &["W0716"],
        r#"
        struct [raypayload] P { float c : read(caller) : write(closesthit); };
        void put(out float c) { if (RayTMin() > 1) c = 2; }
        [shader("closesthit")] void Hit(inout P p, Attributes t) { put(p.c); }"#,
    ),
    (
        "a static variable",
        &["W0710"],
        r#"
        struct [raypayload] P { float b : read(miss) : write(caller); float r : read(caller) : write(closesthit); };
        static P kept; float get() { return kept.b; }
        [shader("closesthit")] void Hit(inout P p, Attributes t) { kept = p; p.r = get(); }"#,
    ),
    (
        "one element of several",
        &["W0716", "W0716", "W0716"],
        r#"
        struct [raypayload] P { float a[2] : read(caller) : write(closesthit); float3 v : read(caller) : write(closesthit); float2x2 m : read(caller) : write(closesthit); };
        [shader("closesthit")] void Hit(inout P p, Attributes t) { p.a[PrimitiveIndex() & 1] = 1; p.v[PrimitiveIndex() & 1] = 1; p.v.z = 2; p.m[PrimitiveIndex() & 1] = 1; }"#,
    ),
    (
        "a loop that leaves an element out",
        &["W0716", "W0716"],
        r#"
        struct [raypayload] P { float a[3] : read(caller) : write(closesthit); float r : read(caller) : write(closesthit); };
        [shader("closesthit")] void Hit(inout P p, Attributes t) { for (uint i = 0; i < 2; ++i) { p.a[i] = 1; if (i == 2) p.r = 1; } }"#,
    ),
    (
        "an operand that is evaluated where it was not written",
        &["W0710", "W0712"],
        r#"
        struct [raypayload] P { float b : read(miss) : write(caller); float r : read(caller) : write(closesthit); };
        [shader("closesthit")] void Hit(inout P p, Attributes t) { bool w = RayTMin() > 1; if (w) p.b = 3; p.r = w ? 0 : p.b; }"#,
    ),
    (
        "hit objects: a result before the invocation",
        &["W0711"],
        r#"
        struct [raypayload] P { float d : write(closesthit, miss) : read(caller); };
        [shader("raygeneration")] void Main()
        {
            P p;
            dx::HitObject h = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray(), p);
            values[0] = p.d;
            dx::HitObject::Invoke(h, p);
        }"#,
    ),
    (
        "hit objects: a result of a nop, and of a miss",
        &["W0711", "W0711", "W0860"],
        r#"
        struct [raypayload] P { float d : write(closesthit, miss) : read(caller); float e : write(closesthit) : read(caller); };
        [shader("raygeneration")] void Main()
        {
            P p; dx::HitObject h;
            dx::HitObject::Invoke(h, p);
            values[0] = p.d;
            dx::HitObject::Invoke(dx::HitObject::MakeMiss(0, 0, ray()), p);
            values[1] = p.d;
            values[2] = p.e;
        }"#,
    ),
    (
        "hit objects: the invocation's input is missing",
        &["W0715"],
        r#"
        struct [raypayload] P { float gi : read(closesthit) : write(caller); float c : read(caller) : write(closesthit, miss); };
        [shader("raygeneration")] void Main()
        {
            P p;
            dx::HitObject h = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray(), p);
            dx::HitObject::Invoke(h, p);
            values[0] = p.c;
        }"#,
    ),
];

#[test]
fn wrong_programs_give_their_warnings() {
    for (what, expected, source) in WRONG {
        let profile = if source.contains("HitObject") { "lib_6_9" } else { "lib_6_7" };
        let mut found: Vec<&str> = warnings(&world(source), profile).iter().map(|w| w.0).collect();
        found.sort_unstable();
        assert_eq!(&found[..], *expected, "{what}\n{source}");
    }
}

/// What is inferred for the fields of `P`: the stages that read and write them.
fn inferred(source: &str) -> Vec<String> {
    let options = Options::new(Profile::parse("lib_6_9").unwrap());
    let sources = [("test.hlsl".to_owned(), world(source).into_bytes())];
    let found = rtc::paq::infer(&sources, &mut NoIncludes, &options, rtc::paq::Assume::default());
    assert!(!found.failed(), "{source}");
    let text = rtc::paq::text(&found.payloads);
    text.lines().filter(|l| l.starts_with("    ")).map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn partial_writes_keep_the_rest() {
    let shader = |write: &str| {
        format!(
            "struct P {{ uint f : 5; uint g : 9; uint3 v; float2x2 m; uint3 a[2]; }}; void set(inout uint x) {{ x = 3; }} void put(out uint x) {{ x = 3; }}
            [shader(\"raygeneration\")] void Main() {{ P p = (P)0; TRACE(p); values[0] = p.f + p.g + p.v.x + p.m[0][1] + p.a[1].z; }}
            TriangleHitGroup G = {{ \"\", \"Hit\" }};
            [shader(\"miss\")] void Sky(inout P p) {{ }}
            [shader(\"closesthit\")] void Hit(inout P p, Attributes t) {{ uint i = InstanceID() % 2; {write} }}"
        )
    };
    // The field, and what writes a part of it or all of it.
    let cases = [
        ("uint f", "p.g = 7;", true),
        ("uint g", "p.f = 7;", true),
        ("uint3 v", "p.v[i] = 7;", true),
        ("uint3 v", "set(p.v[i]);", true),
        ("uint3 v", "put(p.v.y);", true),
        ("uint3 v", "p.v.xz = 7;", true),
        ("uint3 v", "p.v = 7;", false),
        ("uint3 v", "p.v[0] = 1; p.v.yz = 2;", false),
        ("uint3 v", "for (uint k = 0; k < 3; ++k) put(p.v[k]);", false),
        ("column_major float2x2 m", "p.m[1][i] = 7;", true),
        ("column_major float2x2 m", "p.m[i] = 7;", true),
        ("column_major float2x2 m", "p.m[0] = 7; p.m[1] = 8;", false),
        ("uint3[2] a", "p.a[1][i] = 7;", true),
        ("uint3[2] a", "p.a[i] = 7;", true),
        ("uint3[2] a", "put(p.a[i].y);", true),
        ("uint3[2] a", "for (uint k = 0; k < 2; ++k) p.a[k] = 7;", false),
    ];
    for (field, write, kept) in cases {
        let all = inferred(&shader(write));
        let line = all.iter().find(|l| l.starts_with(&format!("{field} :"))).unwrap_or_else(|| panic!("{field}: {all:?}"));
        let read = if kept { "read(caller, closesthit)" } else { "read(caller)" };
        assert!(line.contains(&format!("{read} : write(caller, closesthit)")), "{write}: {line}");
    }
}
