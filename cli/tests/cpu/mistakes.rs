//! Planted errors: the sanitizer finds each at its line and nothing else; without it the same shader runs or stops.

use crate::shader::{compile, device, run};

/// An error: name, profile, expected message, source. The line with `// HERE` is the expected location.
struct Mistake {
    name: &'static str,
    profile: &'static str,
    says: &'static str,
    source: &'static str,
}

const HIT: &str = "
TriangleHitGroup Group = { \"\", \"Hit\" };
[shader(\"miss\")] void Miss(inout P p) { p.b = 1; }
";

/// A library whose payload `P` has fields `a` and `b`, with a closest-hit shader of this body and a caller of that one.
fn traced(payload: &str, hit: &str, main: &str) -> String {
    format!(
        "{payload}{HIT}[shader(\"closesthit\")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes at) {{\n{hit}\n}}\n[shader(\"raygeneration\")] void Main() {{\n{main}\n}}\n"
    )
}

const PLAIN: &str = "struct P { float a; float b; };";
const TRACE: &str = "TraceRay(Scene, 0, 255, 0, 0, 0, to(0), p);";

/// Mistakes that only the sanitizer sees: everything is computed all the same.
#[rustfmt::skip]
const SILENT: &[Mistake] = &[
    Mistake { name: "local", profile: "lib_6_3", says: "uninitialised", source: "
[shader(\"raygeneration\")] void Main() {
    float list[8];
    for (uint i = 0; i < DispatchRaysIndex().x + 3; ++i) list[i] = i;
    Out.Store(0, asuint(list[Out.Load(4) + 6])); // HERE
}" },
    Mistake { name: "raw_read", profile: "lib_6_3", says: "bounds", source: "
[shader(\"raygeneration\")] void Main() {
    Out.Store(0, Out.Load(DispatchRaysIndex().x * 4 + 256)); // HERE
}" },
    Mistake { name: "raw_write", profile: "lib_6_3", says: "bounds", source: "
[shader(\"raygeneration\")] void Main() {
    Out.Store2(252, uint2(1, 2)); // HERE
}" },
    Mistake { name: "element", profile: "lib_6_3", says: "bounds", source: "
[shader(\"raygeneration\")] void Main() {
    Out.Store(0, asuint(In[DispatchRaysIndex().x + 3].v.x)); // HERE
}" },
    Mistake { name: "texel", profile: "lib_6_3", says: "bounds", source: "
[shader(\"raygeneration\")] void Main() {
    Out.Store(0, asuint(Texels[DispatchRaysIndex().x + 3])); // HERE
}" },
    Mistake { name: "image", profile: "lib_6_3", says: "bounds", source: "
[shader(\"raygeneration\")] void Main() {
    Image[uint2(1, DispatchRaysIndex().x + 3)] = 1; // HERE
}" },
    Mistake { name: "image_read", profile: "lib_6_3", says: "bounds", source: "
[shader(\"raygeneration\")] void Main() {
    Out.Store(0, asuint(Image[int2(-1, 0)])); // HERE
}" },
    Mistake { name: "atomic", profile: "lib_6_3", says: "bounds", source: "
[shader(\"raygeneration\")] void Main() {
    uint was;
    Out.InterlockedAdd(DispatchRaysIndex().x + 256, 1u, was); // HERE
}" },
    Mistake { name: "flags", profile: "lib_6_3", says: "ray flags", source: "
struct P { float a; };
[shader(\"miss\")] void Miss(inout P p) { p.a = 1; }
[shader(\"raygeneration\")] void Main() {
    P p = { 0 };
    uint flags = Out.Load(4) + RAY_FLAG_CULL_BACK_FACING_TRIANGLES;
    if (flags != 1234) flags |= Out.Load(8) + RAY_FLAG_CULL_FRONT_FACING_TRIANGLES;
    TraceRay(Scene, flags, 255, 0, 0, 0, to(9), p); // HERE
}" },
    Mistake { name: "query_flags", profile: "lib_6_5", says: "ray flags", source: "
[shader(\"raygeneration\")] void Main() {
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
    q.TraceRayInline(Scene, Out.Load(4) + RAY_FLAG_CULL_OPAQUE, 255, to(0)); // HERE
    q.Proceed();
    Out.Store(0, q.CommittedStatus());
}" },
    Mistake { name: "query_skip", profile: "lib_6_5", says: "ray flags", source: "
[shader(\"raygeneration\")] void Main() {
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
    q.TraceRayInline(Scene, Out.Load(4) + RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 255, to(0)); // HERE
    q.Proceed();
    Out.Store(0, q.CommittedStatus());
}" },
    Mistake { name: "query_committed", profile: "lib_6_5", says: "ray query", source: "
[shader(\"raygeneration\")] void Main() {
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 255, to(9));
    q.Proceed();
    Out.Store(0, q.CommittedInstanceIndex()); // HERE
}" },
    Mistake { name: "query_candidate", profile: "lib_6_5", says: "ray query", source: "
[shader(\"raygeneration\")] void Main() {
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 255, to(20));
    if (q.Proceed()) {
        Out.Store(0, asuint(q.CandidateTriangleRayT())); // HERE
    }
}" },
    Mistake { name: "query_commit", profile: "lib_6_5", says: "ray query", source: "
[shader(\"raygeneration\")] void Main() {
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 255, to(20));
    if (q.Proceed())
        q.CommitNonOpaqueTriangleHit(); // HERE
    Out.Store(0, q.CommittedStatus());
}" },
    Mistake { name: "query_unused", profile: "lib_6_5", says: "ray query", source: "
[shader(\"raygeneration\")] void Main() {
    RayQuery<RAY_FLAG_NONE> q;
    if (Out.Load(4) == 77)
        q.TraceRayInline(Scene, 0, 255, to(0));
    Out.Store(0, q.Proceed()); // HERE
}" },
];

/// Errors that stop the thread with and without the sanitizer.
#[rustfmt::skip]
const FATAL: &[Mistake] = &[
    Mistake { name: "miss_index", profile: "lib_6_3", says: "miss", source: "
struct P { float a; };
[shader(\"miss\")] void Miss(inout P p) { p.a = 1; }
[shader(\"raygeneration\")] void Main() {
    P p = { 0 };
    TraceRay(Scene, 0, 255, 0, 0, Out.Load(4) + 5, to(9), p); // HERE
}" },
    Mistake { name: "hit_index", profile: "lib_6_3", says: "hit", source: "
struct P { float a; };
[shader(\"miss\")] void Miss(inout P p) { p.a = 1; }
[shader(\"raygeneration\")] void Main() {
    P p = { 0 };
    TraceRay(Scene, 0, 255, Out.Load(4) + 7, 0, 0, to(0), p); // HERE
}" },
    Mistake { name: "callable_index", profile: "lib_6_3", says: "callable", source: "
struct C { float a; };
[shader(\"callable\")] void Call(inout C c) { c.a = 1; }
[shader(\"raygeneration\")] void Main() {
    C c = { 0 };
    CallShader(Out.Load(4) + 3, c); // HERE
}" },
    Mistake { name: "endless", profile: "lib_6_3", says: "--budget", source: "
[shader(\"raygeneration\")] void Main() {
    uint n = Out.Load(4);
    while (Out.Load(8) == 0) n += Out.Load(12) + 1;
    Out.Store(0, n);
}" },
    Mistake { name: "recursion", profile: "lib_6_3", says: "recursion", source: "
struct P { float a; };
[shader(\"miss\")] void Miss(inout P p) {
    p.a += 1;
    TraceRay(Scene, 0, 255, 0, 0, 0, to(9), p); // HERE
}
[shader(\"raygeneration\")] void Main() {
    P p = { 0 };
    TraceRay(Scene, 0, 255, 0, 0, 0, to(9), p);
    Out.Store(0, asuint(p.a));
}" },
];

/// Errors with payloads, which are longer: name, profile, expected message, source.
fn payloads() -> Vec<(&'static str, &'static str, &'static str, String)> {
    let qualified = |a: &str, b: &str| format!("struct [raypayload] P {{ float a : {a}; float b : {b}; }};");
    let all = "read(caller, closesthit, miss) : write(caller, closesthit, miss)";
    let out = "Out.Store(0, asuint(p.a + p.b));";
    vec![
        (
            "payload_unwritten",
            "lib_6_3",
            "uninitialised",
            traced(PLAIN, "p.b += p.a; // HERE", &format!("P p; p.b = 1; {TRACE} Out.Store(0, asuint(p.b));")),
        ),
        (
            "not_read_by_stage",
            "lib_6_7",
            "payload",
            traced(&qualified("read(caller) : write(caller)", all), "p.b += p.a; // HERE", &format!("P p = {{ 1, 2 }}; {TRACE} {out}")),
        ),
        (
            "not_for_caller",
            "lib_6_7",
            "payload",
            traced(
                &qualified("read(closesthit) : write(caller)", all),
                "p.b += p.a;",
                &format!("P p = {{ 1, 2 }}; {TRACE}\n{out} // HERE"),
            ),
        ),
        (
            "not_by_caller",
            "lib_6_7",
            "uninitialised",
            traced(
                &qualified("read(closesthit, caller) : write(anyhit)", all),
                "p.b += p.a; // HERE",
                &format!("P p = {{ 1, 2 }}; {TRACE} Out.Store(0, asuint(p.b));"),
            ),
        ),
        (
            "not_written_by_stage",
            "lib_6_7",
            "payload",
            traced(
                &qualified("read(caller, closesthit) : write(caller)", all),
                "p.a += 5; p.b = p.a;",
                &format!("P p = {{ 1, 2 }}; {TRACE}\n{out} // HERE"),
            ),
        ),
        (
            "write_only_unwritten",
            "lib_6_7",
            "uninitialised",
            traced(
                &qualified("read(caller) : write(caller, closesthit)", all),
                "p.b += 5; if (Out.Load(4) == 9) p.a = 1;",
                &format!("P p = {{ 1, 2 }}; {TRACE}\n{out} // HERE"),
            ),
        ),
    ]
}

fn line_of(source: &str) -> Option<usize> {
    source.lines().position(|l| l.contains("// HERE")).map(|n| n + 1)
}

fn findings(name: &str, profile: &str, source: &str, sanitize: bool) -> (Vec<String>, Option<String>) {
    let made = compile(name, source, profile);
    let mut device = device(|o| {
        o.lower.sanitize = sanitize;
        o.limits.budget = 100_000;
    });
    let done = run(&mut device, &made);
    (device.take_findings().iter().map(ToString::to_string).collect(), done.err().map(|e| e.to_string()))
}

fn wrong(name: &str, profile: &str, says: &str, source: &str, fatal: bool) -> Option<String> {
    let (found, error) = findings(name, profile, source, true);
    let line = line_of(source).map(|n| format!(".hlsl:{n}:"));
    let named = |text: &str| text.contains(says) && line.as_ref().is_none_or(|l| text.contains(l.as_str()));
    let told = match fatal {
        true => error.as_deref().is_some_and(named),
        false => error.is_none() && found.len() == 1 && named(&found[0]),
    };
    if !told {
        return Some(format!("{name}: expected `{says}` at {line:?}, found {found:?}, error {error:?}"));
    }
    let (found, error) = findings(name, profile, source, false);
    let quiet = found.is_empty() && error.is_some() == fatal;
    (!quiet).then(|| format!("{name}: without the sanitizer: found {found:?}, error {error:?}"))
}

#[test]
fn the_sanitizer_finds_each_planted_mistake() {
    let mut all = Vec::new();
    let mut count = 0;
    for (list, fatal) in [(SILENT, false), (FATAL, true)] {
        for m in list {
            count += 1;
            all.extend(wrong(m.name, m.profile, m.says, m.source, fatal));
        }
    }
    for (name, profile, says, source) in payloads() {
        count += 1;
        all.extend(wrong(name, profile, says, &source, false));
    }
    assert!(count >= 20, "{count} mistakes");
    assert!(all.is_empty(), "{} of {count} are not found\n{}", all.len(), all.join("\n"));
}

/// What is no mistake is not called one: the conformance sets run without a word.
#[test]
fn the_sanitizer_is_silent_on_the_conformance_sets() {
    for folder in ["ser", "run/dxr"] {
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_rtc-run"))
            .arg("--all")
            .arg(crate::shared::samples::root().join("lit-tests/tests").join(folder))
            .args(["--device", "cpu", "--sanitize", "-o"])
            .arg(crate::shader::scratch("sanitized"))
            .env("RTC", env!("CARGO_BIN_EXE_rtc"))
            .output()
            .expect("rtc-run starts");
        let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{folder}: {said}");
        assert!(said.contains("passed"), "{folder}: {said}");
    }
}
