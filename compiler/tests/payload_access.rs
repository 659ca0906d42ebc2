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
