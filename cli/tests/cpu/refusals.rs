//! Programs that the CPU device rejects, and the error messages.

use crate::shader::{PRELUDE, compile, device, run};
use rtc_host::device::{Device, ProgramOptions, Record, ShaderTables};

fn refused(container: &[u8]) -> String {
    let mut device = device(|_| {});
    match device.load(container, &ProgramOptions::default()) {
        Ok(_) => panic!("it is loaded"),
        Err(e) => e.to_string(),
    }
}

const STORE: &str = "
[shader(\"raygeneration\")] void Main() { Out.Store(DispatchRaysIndex().x * 4, 7); }
";

#[test]
fn files_that_are_no_containers() {
    assert!(refused(&[]).contains("empty"));
    assert!(refused(b"DXBC").contains("damaged"), "{}", refused(b"DXBC"));
    let good = compile("refused", STORE, "lib_6_3");
    for end in (0..good.len()).step_by(97) {
        refused(&good[..end]);
    }
}

#[test]
fn containers_that_break_rules() {
    let good = compile("broken", STORE, "lib_6_3");
    // A feature that the code does not have makes the part and the module differ.
    let at = good.windows(4).position(|w| w == b"SFI0").expect("a part SFI0") + 8;
    let mut bad = good.clone();
    bad[at] ^= 1;
    let said = refused(&bad);
    assert!(said.contains("violates the rules") && said.contains("note:"), "{said}");
}

#[test]
fn debug_information_that_is_damaged() {
    let mut bad = compile("damaged_debug", STORE, "lib_6_3");
    let at = bad.windows(4).rposition(|w| w == b"ILDB").expect("a part ILDB");
    bad[at + 8 + 24..at + 8 + 64].fill(0xff);
    let said = refused(&bad);
    assert!(said.contains("ILDB"), "{said}");
}

#[test]
fn a_resource_that_is_not_bound() {
    let made = compile(
        "unbound",
        "RWByteAddressBuffer Other : register(u9, space3);
[shader(\"raygeneration\")] void Main() { Out.Store(0, Other.Load(0)); }",
        "lib_6_3",
    );
    let error = run(&mut device(|_| {}), &made).expect_err("nothing is bound").to_string();
    assert!(error.contains("`Other`") && error.contains("u9") && error.contains("space3"), "{error}");
}

#[test]
fn an_export_that_is_not_there() {
    let made = compile("missing", STORE, "lib_6_3");
    let mut device = device(|_| {});
    let program = device.load(&made, &ProgramOptions::default()).expect("it loads");
    let tables = ShaderTables { raygen: Record::of("Maine"), ..Default::default() };
    let error = device.set_tables(program, &tables).expect_err("no such export").to_string();
    assert!(error.contains("`Maine`") && error.contains("Main"), "{error}");
}

#[test]
fn more_stack_than_is_configured() {
    let source = "struct P { float a[64]; };
[shader(\"miss\")] void Miss(inout P p) { float list[2000]; for (uint i = 0; i < 2000; ++i) list[i] = p.a[i & 63]; p.a[0] = list[Out.Load(4) + 1999]; }
[shader(\"raygeneration\")] void Main() { P p = (P)0; TraceRay(Scene, 0, 255, 0, 0, 0, to(9), p); Out.Store(0, asuint(p.a[0])); }";
    let made = compile("stack", source, "lib_6_3");
    assert!(run(&mut device(|_| {}), &made).is_ok());
    let error = run(&mut device(|o| o.limits.stack = 72 << 10), &made).expect_err("no room").to_string();
    assert!(error.contains("stack") && error.contains("`Miss`") && error.contains("--stack"), "{error}");
}

/// A shader that declares more than it is handed does not run; both are named, and the line of the call.
#[test]
fn payloads_and_parameters_that_are_too_small() {
    let of = |call: &str| {
        format!(
            "struct P {{ float v; }}; struct Q {{ float a[8]; }}; struct A {{ float v; }};
[shader(\"callable\")] void Call(inout Q q) {{ q.a[7] = 1; }}
[shader(\"miss\")] void Miss(inout Q q) {{ q.a[7] = 1; }}
[shader(\"closesthit\")] void Closest(inout Q q, in A a) {{ q.a[7] = 1; }}
[shader(\"intersection\")] void Box() {{ A a = {{ 1 }}; ReportHit(RayTCurrent() / 2, 0, a); }}
ProceduralPrimitiveHitGroup Group = {{ \"\", \"Closest\", \"Box\" }};
[shader(\"raygeneration\")] void Main() {{ P p = {{ 1 }};
{call}
    Out.Store(0, asuint(p.v)); }}"
        )
    };
    for (name, what, call) in [
        ("Call", "parameter", "CallShader(0, p);"),
        ("Miss", "payload", "TraceRay(Scene, 0, 255, 0, 0, 0, to(9), p);"),
        ("Closest", "payload", "TraceRay(Scene, RAY_FLAG_SKIP_TRIANGLES, 255, 0, 0, 0, to(20), p);"),
    ] {
        let made = compile(&format!("small_{name}"), &of(call), "lib_6_3");
        let error = run(&mut device(|_| {}), &made).expect_err(name).to_string();
        let wanted = format!("`Main`, thread (0, 0, 0): `{name}` declares a {what} of 32 bytes but is called with one of 4");
        assert!(error.contains(&wanted) && error.contains(&format!("small_{name}.hlsl:8:")), "{error}");
    }
}

/// Attributes that a shader declares beyond those that were reported are zero.
#[test]
fn attributes_that_are_too_small() {
    let source = "struct P { float v; float w; }; struct A { float v; }; struct B { float a[2]; };
[shader(\"anyhit\")] void Any(inout P p, in B b) { p.v += b.a[0]; p.w += b.a[1] == 0; }
[shader(\"closesthit\")] void Closest(inout P p, in B b) { p.v += b.a[0]; p.w += b.a[1] == 0; }
[shader(\"intersection\")] void Box() { A a = { 3 }; ReportHit(RayTCurrent() / 2, 0, a); }
[shader(\"miss\")] void Miss(inout P p) { p.v = -1; }
ProceduralPrimitiveHitGroup Group = { \"Any\", \"Closest\", \"Box\" };
[shader(\"raygeneration\")] void Main() { P p = (P)0; TraceRay(Scene, RAY_FLAG_SKIP_TRIANGLES, 255, 0, 0, 0, to(20), p); Out.Store2(0, asuint(float2(p.v, p.w))); }";
    let made = compile("small_attributes", source, "lib_6_3");
    let out = run(&mut device(|_| {}), &made).expect("it runs");
    assert_eq!(out[..2], [6.0f32, 2.0].map(f32::to_bits));
}

/// A variable that is larger than the stack gives no access to other memory: the error names the shader and the option to set.
#[test]
fn variables_that_are_larger_than_the_stack() {
    let list = "float list[100000]; for (uint i = 0; i < 100000; i += 999) list[i] = Out.Load(4); v = list[Out.Load(8) + 99999] + 1;";
    let none = "";
    let of = |stage: &str| {
        let own = |name: &str| if name == stage { list } else { none };
        let (raygen, miss, closest, any, meet, call) = (own("Main"), own("Miss"), own("Closest"), own("Any"), own("Box"), own("Call"));
        format!(
            "struct P {{ float v; }}; struct A {{ float v; }};
[shader(\"callable\")] void Call(inout P p) {{ float v = 0; {call} p.v += v; }}
[shader(\"miss\")] void Miss(inout P p) {{ float v = 0; {miss} p.v += v; }}
[shader(\"closesthit\")] void Closest(inout P p, in A a) {{ float v = 0; {closest} p.v += v; }}
[shader(\"anyhit\")] void Any(inout P p, in A a) {{ float v = 0; {any} p.v += v; }}
[shader(\"intersection\")] void Box() {{ float v = 0; {meet} A a = {{ v }}; ReportHit(RayTCurrent() / 2, 0, a); }}
ProceduralPrimitiveHitGroup Group = {{ \"Any\", \"Closest\", \"Box\" }};
[shader(\"raygeneration\")] void Main() {{
    float v = 0; {raygen} P p = {{ v }};
    TraceRay(Scene, 0, 255, 0, 0, 0, to(9), p); TraceRay(Scene, RAY_FLAG_SKIP_TRIANGLES, 255, 0, 0, 0, to(20), p); CallShader(0, p);
    Out.Store(0, asuint(p.v));
}}"
        )
    };
    for stage in ["Main", "Miss", "Closest", "Any", "Box", "Call"] {
        let made = compile(&format!("large_{stage}"), &of(stage), "lib_6_3");
        run(&mut device(|_| {}), &made).expect("there is room");
        for stack in [1, 64 << 10, 300 << 10] {
            let error = run(&mut device(|o| o.limits.stack = stack), &made).expect_err(stage).to_string();
            let named = stack < 100 << 10 || error.contains(&format!("`{stage}` needs more stack than the {stack} bytes"));
            assert!(named && error.contains("--stack"), "{stage}: {error}");
        }
    }
    for (name, barrier) in [("large_alone", ""), ("large_together", "GroupMemoryBarrierWithGroupSync();")] {
        let source = format!(
            "[shader(\"compute\")] [numthreads(8, 1, 1)] void Main(uint n : SV_GroupIndex) {{ float v = 0; {list} {barrier} Out.Store(n * 4, asuint(v)); }}"
        );
        let made = compile(name, &source, "lib_6_3");
        run(&mut device(|_| {}), &made).expect("there is room");
        let error = run(&mut device(|o| o.limits.stack = 300 << 10), &made).expect_err(name).to_string();
        assert!(error.contains("`Main` needs more stack than the 307200 bytes") && error.contains("--stack"), "{error}");
    }
}

/// What each shader of a chain of calls has adds up.
#[test]
fn variables_of_callers_and_callees() {
    let source = "struct P { uint depth; float v; };
[shader(\"callable\")] void Call(inout P p) {
    float list[20000]; for (uint i = 0; i < 20000; i += 99) list[i] = p.v + i;
    if (p.depth < 5) { p.depth++; CallShader(0, p); }
    p.v += list[Out.Load(8) + 19998];
}
[shader(\"raygeneration\")] void Main() { P p = (P)0; CallShader(0, p); Out.Store(0, p.depth); }";
    let made = compile("chain", source, "lib_6_3");
    assert_eq!(run(&mut device(|_| {}), &made).expect("there is room")[0], 5);
    let error = run(&mut device(|o| o.limits.stack = 400 << 10), &made).expect_err("no room").to_string();
    assert!(error.contains("`Call` needs more stack than the 409600 bytes"), "{error}");
}

#[test]
fn variables_that_no_stack_has_room_for() {
    let source = |count: u32| {
        format!("static float list[{count}];
[shader(\"raygeneration\")] void Main() {{ for (uint i = 0; i < 100; ++i) list[Out.Load(i)] = i; Out.Store(0, asuint(list[Out.Load(100)])); }}")
    };
    let error = run(&mut device(|_| {}), &compile("beyond", &source(6_000_000), "lib_6_3")).expect_err("24 MB").to_string();
    assert!(error.contains("`Main` needs more stack than the 16777216 bytes that are configured (--stack)"), "{error}");
    let error = refused(&compile("far_beyond", &source(20_000_000), "lib_6_3"));
    assert!(error.contains("a variable of 80000000 bytes"), "{error}");
}

/// What processors do not define does no harm: division by zero, conversions of what does not fit, indices beyond arrays.
#[test]
fn what_processors_do_not_define() {
    let source = "
[shader(\"raygeneration\")] void Main() {
    uint zero = Out.Load(4); int least = int(Out.Load(8)) - 2147483647 - 1; int minus = int(Out.Load(12)) - 1;
    float big = asfloat(Out.Load(16) + 0x7f000000u), nan = asfloat(Out.Load(20) + 0x7fc00000u);
    uint list[4] = { 1, 2, 3, 4 };
    list[zero + 1000000] = 9;
    Out.Store(64, 7 / zero); Out.Store(68, 7 % zero); Out.Store(72, uint(least / minus)); Out.Store(76, uint(least % minus));
    Out.Store(80, uint(big)); Out.Store(84, uint(int(-big))); Out.Store(88, uint(nan)); Out.Store(92, uint(int(nan)));
    Out.Store(96, list[zero] + list[zero + 1]);
    Out.Store(100, uint(7 / int(zero)));
}";
    let out = run(&mut device(|_| {}), &compile("undefined", source, "lib_6_3")).expect("it runs");
    assert_eq!(out[16..18], [u32::MAX; 2]);
    assert_eq!(out[18..20], [0x8000_0000, 0]);
    assert_eq!(out[20..24], [u32::MAX, 0x8000_0000, 0, 0]);
    assert_eq!(out[24], 3);
}

#[test]
fn the_prelude_is_one_line() {
    assert!(!PRELUDE.replace('\n', " ").contains('\n'));
}
