//! Tests of `rtc run`: what it says about scenes with mistakes, and that both devices run the same scenes.
#![cfg(feature = "run")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("run/{name}"))
}

/// Runs a scene in a folder; the validation layer watches where it is installed.
fn run(folder: &Path, scene: &str, args: &[&str]) -> Output {
    std::fs::write(folder.join("scene.toml"), scene).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtc"));
    let watched = if rtc_oracles::vulkan::validation_layer() { "1" } else { "0" };
    command.env("RTC_VK_VALIDATION", watched);
    command.current_dir(folder).args(["run", "scene.toml"]).args(args).output().expect("rtc starts")
}

fn said(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

#[cfg(unix)]
#[test]
fn the_signal_that_ends_a_run_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("signal");
    let rtc = folder.join("rtc");
    std::fs::hard_link(env!("CARGO_BIN_EXE_rtc"), &rtc)
        .or_else(|_| std::fs::copy(env!("CARGO_BIN_EXE_rtc"), &rtc).map(|_| ()))
        .expect("a copy of rtc");
    let other = folder.join("rtc-run");
    std::fs::write(&other, "#!/bin/sh\nkill -SEGV $$\n").expect("a file");
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    let done = Command::new(&rtc).args(["run", "scene.toml"]).output().expect("rtc starts");
    assert_eq!(done.status.code(), Some(1));
    assert!(said(&done).contains("rtc-run` was terminated by signal: 11 (SIGSEGV)"), "{}", said(&done));
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children(of: u32) -> Vec<u32> {
    let list = std::fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|n| n.parse().ok()).collect()
}

/// Whether a process runs: one that has ended and that nothing has waited for does not.
#[cfg(target_os = "linux")]
fn runs(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Waits until something holds.
#[cfg(target_os = "linux")]
fn becomes(what: &str, holds: impl Fn() -> bool) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(120);
    while !holds() {
        assert!(std::time::Instant::now() < end, "{what}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_killed_leaves_nothing_running() {
    let folder = folder("killed");
    std::fs::write(folder.join("scene.toml"), "[shader]\nsource = 'none.hlsl'\n[dispatch]\nsize = [1]\n").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtc"));
    command.current_dir(&folder).args(["run", "scene.toml", "--watch"]).stderr(std::process::Stdio::piped());
    let mut rtc = command.spawn().expect("rtc starts");
    // By then it knows its parent.
    let mut errors = std::io::BufReader::new(rtc.stderr.take().expect("its messages"));
    let mut line = String::new();
    while !line.contains("waiting for changes") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut errors, &mut line).expect("text") > 0, "it waits for changes");
    }
    let all = children(rtc.id());
    assert!(!all.is_empty(), "rtc-run has started");
    assert!(all.iter().all(|&p| runs(p)), "it watches the scene");
    rtc.kill().expect("a signal");
    rtc.wait().expect("it ends");
    becomes("rtc-run ends", || all.iter().all(|&p| !runs(p)));
}

/// A triangle in a glTF file.
const TRIANGLE: &str = r#"{
  "asset": { "version": "2.0" },
  "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
  "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
  "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0] }],
  "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
  "buffers": [{ "byteLength": 36, "uri": "data:application/octet-stream;base64,AACAvwAAgL8AAAAAAAAAAAAAgD8AAAAAAACAPwAAgL8AAAAA" }]
}"#;

/// Every build reads glTF: what is missing in this scene is the package.
#[test]
fn gltf_is_read() {
    let folder = folder("gltf");
    std::fs::write(folder.join("triangle.gltf"), TRIANGLE).expect("a file");
    let scene = "[shader]\npackage = 'none.rtp'\n[dispatch]\nsize = [1]\n[meshes.m]\ngltf = 'triangle.gltf'\n";
    let done = run(&folder, scene, &[]);
    assert!(said(&done).contains("none.rtp") && !said(&done).contains("gltf"), "{}", said(&done));
    std::fs::write(folder.join("triangle.gltf"), TRIANGLE.replace("36", "37")).expect("a file");
    let done = run(&folder, scene, &[]);
    assert!(said(&done).contains("scene.toml:6: error: `meshes.m.gltf`"), "{}", said(&done));
}

#[cfg(feature = "cpu")]
mod devices {
    use super::*;

    /// The output of a scene on a device; none if there is no such device.
    fn result(folder: &Path, scene: &str, device: &str) -> Option<String> {
        let done = run(folder, scene, &["--device", device]);
        if device != "cpu" && done.status.code() == Some(3) {
            return None;
        }
        assert!(done.status.success(), "{device}: {}", said(&done));
        Some(std::fs::read_to_string(folder.join("out.json")).expect("a result"))
    }

    /// Both devices give the same numbers.
    #[track_caller]
    fn gives(name: &str, source: &str, scene: &str, numbers: &str) {
        let folder = folder(name);
        std::fs::write(folder.join("a.hlsl"), source).expect("a file");
        assert_eq!(result(&folder, scene, "cpu").as_deref(), Some(numbers));
        match result(&folder, scene, "vulkan") {
            Some(out) => assert_eq!(out, numbers, "Vulkan"),
            None => rtc_oracles::skip::skip("no Vulkan device traces rays"),
        }
    }

    /// Both devices fail, with all these words, and without numbers that stand for something else.
    #[track_caller]
    fn fails(name: &str, source: &str, scene: &str, words: &[&str]) {
        let folder = folder(name);
        std::fs::write(folder.join("a.hlsl"), source).expect("a file");
        for device in ["cpu", "vulkan"] {
            let done = run(&folder, scene, &["--device", device]);
            if device != "cpu" && done.status.code() == Some(3) {
                return rtc_oracles::skip::skip("no Vulkan device traces rays");
            }
            let said = said(&done);
            assert_eq!(done.status.code(), Some(1), "{device}: {said}");
            assert!(!said.contains("429496729"), "{device}: {said}");
            for word in words {
                assert!(said.contains(word), "{device}: no {word} in: {said}");
            }
        }
    }

    const TRACE: &str = "
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Output : register(u0);
struct P { uint v; };
RaytracingShaderConfig SC = { 4, 8 };
RaytracingPipelineConfig PC = { 1 };
[shader(\"raygeneration\")] void Main() {
    RayDesc r = { float3(0, 0, -5), 0, float3(0, 0, 1), 9 };
    P p = { 7 };
    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
    Output.Store(0, p.v);
}
[shader(\"miss\")] void Miss(inout P p) { p.v = 8; }
";
    const HEAD: &str = "[shader]\nsource = 'a.hlsl'\n[dispatch]\nsize = [1]\n[meshes.m]\ncube = {}\n";
    const OUT: &str = "[buffers.Output]\nsize = 4\nlayout = 'uint'\nsave = 'out.json'\n";

    #[test]
    fn names_that_the_library_does_not_know() {
        let buffer = format!("{HEAD}[accel.Scene]\ninstances = []\n[buffers.Outptu]\nsize = 4\n");
        fails("outptu", TRACE, &buffer, &["scene.toml:9: `buffers.Outptu`: the library has no resource `Outptu`"]);
        let accel = format!("{HEAD}[accel.Scen]\ninstances = []\n{OUT}");
        fails("scen", TRACE, &accel, &["scene.toml:7: `accel.Scen`: the library has no resource `Scen`"]);
    }

    #[test]
    fn mistakes_in_the_pipeline_have_a_line() {
        let scene = format!("{HEAD}[accel.Scene]\ninstances = []\n{OUT}");
        let without = TRACE.replace("RaytracingShaderConfig SC = { 4, 8 };", "");
        fails("config", &without, &scene, &["scene.toml:1: error: `", "has no RaytracingShaderConfig"]);
        let scene = format!("{scene}[pipeline]\nskip_triangles = true\nmax_recursion = 1\n");
        fails("pipeline", &without, &scene, &["scene.toml:13: error: `", "has no RaytracingShaderConfig"]);
        let scene = format!("{HEAD}[[hit_group]]\nname = 'G'\nclosest_hit = 'CX'\n");
        fails("group", TRACE, &scene, &["scene.toml:7: error: hit group `G` refers to `CX`, which is not exported"]);
    }

    /// The source associates a local root signature with a hit group that only the scene declares.
    #[test]
    fn local_root_signatures_of_groups_of_the_scene() {
        let source = format!(
            "{TRACE}
cbuffer Material : register(b0, space1) {{ uint color; }};
LocalRootSignature L = {{ \"RootConstants(num32BitConstants=1, b0, space=1)\" }};
SubobjectToExportsAssociation A = {{ \"L\", \"G\" }};
[shader(\"closesthit\")] void CH(inout P p, in BuiltInTriangleIntersectionAttributes a) {{ p.v = color; }}
"
        );
        let scene = "[shader]\nsource = 'a.hlsl'\n[dispatch]\nsize = [1]\nhit = [{ export = 'G', record = { Material = { color = { uint = 42 } } } }]\n\
            [[hit_group]]\nname = 'G'\nclosest_hit = 'CH'\n[meshes.m]\ncube = {}\n[accel.Scene]\ninstances = [{ mesh = 'm' }]\n";
        gives("local", &source, &format!("{scene}{OUT}"), "[\n42\n]\n");
    }

    const CONSTANTS: &str = "
struct Inner { uint one; float3 two; };
cbuffer Params : register(b0) { float a; float3 b; Inner inner; uint list[2]; row_major float2x2 m; bool on; };
RWByteAddressBuffer Output : register(u0);
[numthreads(1, 1, 1)] void main() {
    float sum = a + b.x * 10 + b.z * 100 + inner.one * 1000 + inner.two.y * 10000 + list[1] * 100000 + m[1][0] * 1000000 + (on ? 5000000 : 0);
    Output.Store(0, uint(sum));
}
";

    const CONSTANTS_HEAD: &str = "[shader]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\n[dispatch]\ngroups = [1]\n[constants.Params]\n";

    /// Members are found by their names, in any order; the layouts are those of the device's form.
    #[test]
    fn constants_have_the_names_of_their_members() {
        let values = "on = { bool = true }\nm = { float2x2 = [[0, 0], [7, 0]] }\nb = { float3 = [2, 0, 3] }\na = { float = 1 }\n";
        let scene = format!(
            "{CONSTANTS_HEAD}{values}'inner.one' = {{ uint = 4 }}\n'inner.two' = {{ float3 = [0, 5, 0] }}\nlist = {{ 'uint[2]' = [0, 6] }}\n{OUT}"
        );
        gives("members", CONSTANTS, &scene, "[\n12654321\n]\n");
    }

    #[test]
    fn a_wrong_name_or_type_of_a_constant_lists_what_there_is() {
        let scene = format!("{CONSTANTS_HEAD}lst = {{ 'uint[2]' = [0, 3] }}\n{OUT}");
        fails("member", CONSTANTS, &scene, &["scene.toml:7: error: ", "has no member `lst`; did you mean `list`?", "float a", "float3 b"]);
        let scene = format!("{CONSTANTS_HEAD}b = {{ float2 = [2, 0] }}\n{OUT}");
        fails("type", CONSTANTS, &scene, &["scene.toml:7: error: ", "`b`", "is a float3"]);
    }

    #[test]
    fn files_outside_of_the_output_folder_are_written_by_an_option_alone() {
        let parent = folder("outside");
        let inner = parent.join("in");
        std::fs::create_dir_all(&inner).expect("a folder");
        std::fs::write(inner.join("a.hlsl"), COMPUTE).expect("a file");
        for file in ["../escaped.bin", &parent.join("escaped.bin").to_string_lossy()] {
            let scene = format!(
                "[shader]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\n[dispatch]\ngroups = [1]\n[buffers.In]\nsize = 4\n[buffers.Out]\nsize = 4\nsave = '{file}'\n"
            );
            let done = run(&inner, &scene, &["--device", "cpu"]);
            let said = said(&done);
            assert_eq!(done.status.code(), Some(1), "{said}");
            assert!(said.contains("scene.toml:") && said.contains(": error: ") && said.contains("--allow-any-file"), "{said}");
            assert!(!parent.join("escaped.bin").exists());
        }
        let scene = std::fs::read_to_string(inner.join("scene.toml")).expect("it is there");
        let done = run(&inner, &scene, &["--device", "cpu", "--allow-any-file"]);
        assert!(done.status.success() && parent.join("escaped.bin").exists(), "{}", super::said(&done));
    }

    const COMPUTE: &str = "
ByteAddressBuffer In;
RWByteAddressBuffer Unused : register(u7);
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void main() { Out.Store(0, In.Load(0) + 1); }
";

    /// A resource without a register has the one that DXIL gives it, on both devices.
    #[test]
    fn registers_that_the_source_does_not_name() {
        let scene = "[shader]\nsource = 'a.hlsl'\nprofile = 'cs_6_0'\n[dispatch]\ngroups = [1]\n[buffers.t0]\nelements = [{ uint = 41 }]\n\
            [buffers.u0]\nsize = 4\nlayout = 'uint'\nsave = 'out.json'\n";
        gives("registers", COMPUTE, scene, "[\n42\n]\n");
        fails("unset", COMPUTE, &scene.replace("[buffers.u0]", "[buffers.u1]"), &["`Out` (u0", "the library has no resource `u1`"]);
    }

    #[test]
    fn resources_without_registers_are_named_alone() {
        let source = TRACE.replace(" : register(u0)", "");
        fails("alone", &source, &format!("{HEAD}[accel.Scene]\ninstances = []\n"), &["`Output`"]);
        let scene = format!("{HEAD}[accel.Scene]\ninstances = []\n{OUT}");
        gives("named", &source, &scene, "[\n8\n]\n");
    }

    /// Payloads are packed in SPIR-V only; the CPU device runs the same scene.
    #[test]
    fn packed_payloads() {
        let source = TRACE.replace("struct P { uint v; };", "struct [raypayload] P { uint v : read(caller) : write(caller, miss); };");
        let scene = format!("{HEAD}[accel.Scene]\ninstances = []\n{OUT}");
        let scene = scene.replace("source = 'a.hlsl'\n", "source = 'a.hlsl'\nprofile = 'lib_6_7'\nargs = ['-payload-layout=packed']\n");
        gives("packed", &source, &scene, "[\n8\n]\n");
    }

    #[test]
    fn a_file_that_is_shorter_than_an_element() {
        let folder = folder("short");
        std::fs::write(folder.join("a.hlsl"), TRACE).expect("a file");
        std::fs::write(folder.join("short.bin"), [0; 8]).expect("a file");
        let scene =
            format!("{HEAD}[accel.Scene]\ninstances = []\n[buffers.Output]\nfile = 'short.bin'\nlayout = 'uint4'\nsave = 'out.json'\n");
        let done = run(&folder, &scene, &["--device", "cpu"]);
        let wanted = "scene.toml:9: error: `buffers.Output`: an element of its layout has 16 bytes, but the buffer has 8";
        assert!(said(&done).contains(wanted), "{}", said(&done));
    }
}
