//! `rtc run --device cpu --profile`: a scene of two materials in stripes, whose numbers are computed by hand.
//!
//! 32 x 4 rays, waves of 8 x 4. From left to right each four columns are material A, B, A, B, A, and then nothing.
#![cfg(feature = "run")]

#[cfg(feature = "cpu")]
const SHADER: &str = r#"
RaytracingAccelerationStructure Scene : register(t0);
struct [raypayload] Payload { uint n : read(caller, closesthit, miss) : write(caller, closesthit, miss); };
[shader("closesthit")] void ClosestA(inout Payload p, in BuiltInTriangleIntersectionAttributes a) { p.n += 1; }
[shader("closesthit")] void ClosestB(inout Payload p, in BuiltInTriangleIntersectionAttributes a) { p.n += 2; }
[shader("miss")] void Sky(inout Payload p) { p.n += 3; }
TriangleHitGroup A = { "", "ClosestA" };
TriangleHitGroup B = { "", "ClosestB" };
GlobalRootSignature Globals = { "SRV(t0)" };
RaytracingShaderConfig Sizes = { 4, 8 };
RaytracingPipelineConfig Pipeline = { 1 };
[shader("raygeneration")] void Main()
{
    uint2 at = DispatchRaysIndex().xy;
    RayDesc ray = { float3(at + 0.5, -1), 0, float3(0, 0, 1), 10 };
    Payload p;
    p.n = 0;
    for (uint i = 0; i < 1 + (at.x & 1); ++i)
        TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);                                            // line 19
    dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    dx::MaybeReorderThread(h, at.y | 0x80, 2);                                                            // line 21
    if (at.x < 20)
        dx::MaybeReorderThread(at.y, 1);                                                                  // line 23
    dx::HitObject::Invoke(h, p);                                                                          // line 24
}
"#;

#[cfg(feature = "cpu")]
const SCENE: &str = r#"
[shader]
source = "stripes.hlsl"
profile = "lib_6_9"
[dispatch]
size = [32, 4]
repeat = 2
raygen = "Main"
miss = [{ export = "Sky" }]
hit = [{ export = "A" }, { export = "B" }, { export = "A" }]
[meshes.stripe]
triangles = { positions = [[0, 0, 0], [0, 4, 0], [4, 4, 0], [0, 0, 0], [4, 4, 0], [4, 0, 0]] }
opaque = true
[accel.Scene]
instances = [
    { mesh = "stripe" },
    { mesh = "stripe", hit_group_offset = 1, transform = { translate = [4, 0, 0] } },
    { mesh = "stripe", transform = { translate = [8, 0, 0] } },
    { mesh = "stripe", hit_group_offset = 1, transform = { translate = [12, 0, 0] } },
    { mesh = "stripe", hit_group_offset = 2, transform = { translate = [16, 0, 0] } },
]
"#;

/// The words after a point's name: times, waves, hit groups before and after, hints, lanes in use, parts and lanes of those where waves are kept split.
#[cfg(feature = "cpu")]
fn numbers<'a>(table: &'a str, point: &str) -> Vec<&'a str> {
    let line = table.lines().find_map(|l| l.strip_prefix(point)).unwrap_or_else(|| panic!("no `{point}` in\n{table}"));
    line.split_whitespace().collect()
}

#[cfg(feature = "cpu")]
#[test]
fn stripes_have_the_numbers_that_hands_computed() {
    use std::path::Path;
    use std::process::Command;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("stripes.hlsl"), SHADER).expect("the shader");
    std::fs::write(folder.join("stripes.toml"), SCENE).expect("the scene");
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtc-run"));
        command.env("RTC", env!("CARGO_BIN_EXE_rtc")).current_dir(&folder).arg("stripes.toml").args(more);
        let out = command.output().expect("rtc-run starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (out.status.success(), text(&out.stdout), text(&out.stderr))
    };
    let (passed, said, errors) = run(&["--device", "cpu", "--profile", "heat.png", "--", "-no-warnings"]);
    assert!(passed, "{errors}");
    assert!(said.contains("coherence of 32 x 4 rays in waves of 32"), "{said}");
    // A device that keeps waves split has the odd columns apart from their second trace on; reordering splits nothing.
    assert!(said.contains("it is in 2.00 parts where the ray generation shader ends"), "{said}");
    // All rays trace, odd columns again. Sorted, the first iteration is sky, sky and A, A, B; the second sky and A, A and B.
    let trace = ["192", "8", "1.75", "1.50", "1.00", "1.00", "75%", "100%", "1.00", "75%"];
    assert_eq!(numbers(&said, "TraceRay in Main, stripes.hlsl:19"), trace, "{said}");
    // Sorted, the waves have the hints 0 to 2 (sky), all (sky and A), 1 to 3 (A), all (B).
    let hit = ["128", "4", "1.75", "1.25", "4.00", "3.50", "100%", "100%", "2.00", "50%"];
    assert_eq!(numbers(&said, "MaybeReorderThread in Main, stripes.hlsl:21"), hit, "{said}");
    // 80 rays in three waves, half of them with each hint.
    let hint = ["80", "3", "1.00", "1.00", "2.00", "1.33", "83%", "83%", "2.00", "42%"];
    assert_eq!(numbers(&said, "MaybeReorderThread in Main, stripes.hlsl:23"), hint, "{said}");
    let invoke = ["128", "4", "1.75", "1.25", "1.00", "1.00", "100%", "100%", "2.00", "50%"];
    assert_eq!(numbers(&said, "HitObject::Invoke in Main, stripes.hlsl:24"), invoke, "{said}");
    // Shaders of one addition are not worth moving a ray. What is live across the call is known; a hint alone runs no shader.
    let (_, verdicts) = said.split_once("whether reordering pays").unwrap_or_else(|| panic!("{said}"));
    let row = numbers(verdicts, "MaybeReorderThread in Main, stripes.hlsl:21");
    assert!(row[2].parse::<u32>().is_ok() && row[3].starts_with('-') && row[5..8] == ["does", "not", "pay:"], "{said}");
    assert!(row[0].parse::<f64>().expect("a number") > row[1].parse::<f64>().expect("a number"), "{said}");
    assert!(!verdicts.contains("stripes.hlsl:23"), "{said}");
    let heat = image::open(folder.join("heat.png")).expect("the heat map").to_rgb8();
    assert_eq!(heat.dimensions(), (32, 4));
    for (x, _, pixel) in heat.enumerate_pixels() {
        assert_eq!(pixel.0, if x < 24 { [255, 255, 190] } else { [0, 0, 0] }, "column {x}");
    }
    // Waves of one lane cannot diverge.
    let (passed, said, errors) = run(&["--device", "cpu", "--lanes", "1", "--profile", "heat.png", "--", "-no-warnings"]);
    assert!(passed, "{errors}");
    let hit = ["128", "128", "1.00", "1.00", "1.00", "1.00", "100%", "100%", "1.00", "100%"];
    assert_eq!(numbers(&said, "MaybeReorderThread in Main, stripes.hlsl:21"), hit, "{said}");
    // What makes no sense is an error.
    for (wrong, why) in [(&["--profile", "heat.png"][..], "`--device cpu`"), (&["--profile", "heat.txt"], "PNG"), (&["--profile"], "PNG")] {
        let (passed, _, errors) = run(wrong);
        assert!(!passed && errors.contains(why), "{errors}");
    }
}

/// Without the CPU device there is nothing to profile on.
#[cfg(not(feature = "cpu"))]
#[test]
fn stripes_have_the_numbers_that_hands_computed() {
    rtc_oracles::skip::skip("built without the CPU device: LLVM 19 was not there to build with");
}
