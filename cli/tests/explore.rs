//! `rtc explore`: exports, the server as a process, and what it says about wrong arguments.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

const SOURCE: &str = "// rtc -T cs_6_6 -DN=3\n#include \"half.hlsli\"\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, half_of(N * 4)); }\n";
const INCLUDED: &str = "uint half_of(uint x) { return x * x / 2; }\n";

fn folder(name: &str) -> PathBuf {
    let path = rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("explore-command/{name}"));
    std::fs::write(path.join("a.hlsl"), SOURCE).expect("a file");
    std::fs::write(path.join("half.hlsli"), INCLUDED).expect("a file");
    path
}

fn explore(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtc")).current_dir(folder).arg("explore").args(arguments).output().expect("rtc starts")
}

fn said(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

#[test]
fn pages_and_models_are_exported() {
    let folder = folder("export");
    let done = explore(&folder, &["a.hlsl", "--export", "a.html"]);
    assert!(done.status.success(), "{}", said(&done));
    let page = std::fs::read_to_string(folder.join("a.html")).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("id=\"live\">null"));
    let done = explore(&folder, &["-T", "cs_6_2", "a.hlsl", "-D", "N=8", "--export=a.json"]);
    assert!(done.status.success(), "{}", said(&done));
    let model: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("a.json")).expect("a model")).expect("JSON");
    assert_eq!((model["profile"].as_str(), model["entry"].as_str()), (Some("cs_6_2"), Some("main")));
    let names: Vec<&str> = model["files"].as_array().expect("files").iter().filter_map(|f| f["name"].as_str()).collect();
    assert_eq!(names.len(), 2);
    assert!(names[0] == "a.hlsl" && names[1].ends_with("half.hlsli"), "{names:?}");
    // 32 * 32 / 2, of the options and not of the first line.
    assert!(model.to_string().contains("i32 512"));
    // A source with errors has a page, which shows them.
    std::fs::write(folder.join("half.hlsli"), "uint half_of(uint x) { return y; }\n").expect("a file");
    let done = explore(&folder, &["a.hlsl", "--export", "b.html"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(said(&done).contains("half.hlsli:1: error: use of undeclared identifier `y`"), "{}", said(&done));
    assert!(folder.join("b.html").is_file());
}

#[test]
fn wrong_arguments_are_named() {
    let folder = folder("wrong");
    for (arguments, words) in [
        (&[][..], "no source file given"),
        (&["a.hlsl", "half.hlsli"], "more than one source file given: `half.hlsli` too"),
        (&["none.hlsl"], "cannot read `none.hlsl`"),
        (&["-"], "not standard input"),
        (&["a.hlsl", "--port", "x"], "`x` is not a port from 0 to 65535"),
        (&["a.hlsl", "--port", "70000"], "`70000` is not a port"),
        (&["a.hlsl", "--port"], "option `--port` requires a number"),
        (&["a.hlsl", "--export"], "option `--export` requires a file"),
        (&["a.hlsl", "--scene"], "option `--scene` requires a scene"),
        (&["a.hlsl", "--scene", "none.toml"], "cannot read `none.toml`"),
        (&["a.hlsl", "--frames", "0"], "`0` is not a number above zero"),
        (&["a.hlsl", "--scene", "s.toml", "--no-scene"], "`--scene` and `--no-scene` exclude each other"),
        (&["a.hlsl", "--export", "no/such/folder/a.html"], "cannot write `no/such/folder/a.html`"),
        (&["a.hlsl", "-nonsense"], "nonsense"),
    ] {
        let done = explore(&folder, arguments);
        assert_eq!(done.status.code(), Some(1), "{arguments:?}: {}", said(&done));
        assert!(said(&done).contains(words), "{arguments:?}: {}", said(&done));
    }
    let help = explore(&folder, &["--help"]);
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("usage: rtc explore"));
}

/// A server; it is ended with this.
struct Served {
    process: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

impl Served {
    fn new(folder: &Path, file: &str) -> Served {
        let mut process = Command::new(env!("CARGO_BIN_EXE_rtc"))
            .current_dir(folder)
            .args(["explore", file])
            .stdout(Stdio::piped())
            .spawn()
            .expect("rtc starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix(&format!("{file} is at http://")).and_then(|l| l.strip_suffix('/')).expect("an address");
        Served { process, address: address.to_owned() }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", self.address).expect("it is sent");
        let mut out = Vec::new();
        stream.read_to_end(&mut out).expect("an answer");
        String::from_utf8_lossy(&out).split_once("\r\n\r\n").expect("a body").1.to_owned()
    }
}

#[test]
fn a_change_of_an_included_file_is_another_version() {
    let folder = folder("served");
    let server = Served::new(&folder, "a.hlsl");
    let get = |path: &str| server.get(path);
    assert!(get("/").contains("i32 72"));
    let version = get("/version");
    assert_eq!(get("/version"), version);
    std::fs::write(folder.join("half.hlsli"), "uint half_of(uint x) { return x * x * x / 2; }\n").expect("a file");
    assert_ne!(get("/version"), version);
    assert!(get("/model.json").contains("i32 864"));
}

#[test]
fn permutations_are_those_of_the_description_around_the_source() {
    let folder = folder("permutations");
    let inner = folder.join("inner");
    std::fs::create_dir_all(&inner).expect("a folder");
    let source = "RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void Go() { Out.Store(0, N * 3); }\n";
    std::fs::write(inner.join("p.hlsl"), source).expect("a file");
    // The nearest description does not name the source.
    std::fs::write(inner.join("rtc.toml"), "[shader.q]\nsource = \"q.hlsl\"\nprofile = \"cs_6_6\"\n").expect("a file");
    let values: Vec<String> = (1..=3000).map(|n| n.to_string()).collect();
    let description = format!(
        "[target.dxil]\n[target.spirv]\noptions = [\"-spirv\"]\n[shader.p]\nsource = \"inner/p.hlsl\"\nprofile = \"cs_6_2\"\nentry = \"Go\"\nmatrix = {{ N = [{}] }}\n",
        values.join(", ")
    );
    std::fs::write(folder.join("rtc.toml"), description).expect("a file");
    let model = |arguments: &[&str]| -> serde_json::Value {
        let done = explore(&folder, &[&["inner/p.hlsl", "--export", "p.json"], arguments].concat());
        assert!(done.status.success(), "{}", said(&done));
        serde_json::from_slice(&std::fs::read(folder.join("p.json")).expect("a model")).expect("JSON")
    };
    // Without options it is the first one.
    let first = model(&[]);
    let permutations = &first["permutations"];
    assert_eq!((permutations["description"].as_str(), permutations["count"].as_u64()), (Some("rtc.toml"), Some(6000)));
    assert_eq!(permutations["chosen"], serde_json::json!(["p:Go [dxil] N=1", "p:Go [spirv] N=1"]));
    assert_eq!((first["profile"].as_str(), first["entry"].as_str()), (Some("cs_6_2"), Some("Go")));
    assert!(first.to_string().contains("i32 3,"), "{first}");
    // Options are those that are given.
    let other = model(&["-T", "cs_6_6", "-E", "Go", "-D", "N=7"]);
    assert_eq!((other["permutations"]["chosen"].as_array().map(Vec::len), other["profile"].as_str()), (Some(0), Some("cs_6_6")));
    // What is wrong with a description is in the page, and hides no other one.
    std::fs::write(inner.join("rtc.toml"), "[shader\n").expect("a file");
    let wrong = model(&[]);
    assert_eq!(wrong["permutations"]["count"].as_u64(), Some(6000));
    let problem = wrong["permutations"]["problems"][0].as_str().expect("a problem");
    assert!(problem.contains("inner/rtc.toml"), "{problem}");
}

#[test]
fn a_source_without_a_scene_says_so() {
    let folder = folder("no-scene");
    for arguments in [&["a.hlsl", "--export", "a.json"][..], &["a.hlsl", "--export", "a.json", "--no-scene"]] {
        let done = explore(&folder, arguments);
        assert!(done.status.success(), "{}", said(&done));
        let model: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("a.json")).expect("a model")).expect("JSON");
        assert_eq!(model["scene"]["state"], "absent", "{}", model["scene"]);
    }
}

/// A shader that writes beyond its buffer in one thread of two, in waves of two materials, and its scene.
#[cfg(feature = "run")]
const TRACED: &str = r#"// rtc -T lib_6_9
RaytracingAccelerationStructure World : register(t0);
RWTexture2D<float4> Output : register(u0);
RWStructuredBuffer<uint> Counts : register(u1);
struct [raypayload] Payload { float3 color : read(caller) : write(closesthit, miss); };
TriangleHitGroup Left = { "", "Red" }; RaytracingShaderConfig Sizes = { 12, 8 }; RaytracingPipelineConfig Pipeline = { 1 };
TriangleHitGroup Right = { "", "Green" };
[shader("closesthit")] void Red(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.color = float3(1, 0, 0); }
[shader("closesthit")] void Green(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.color = float3(0, 1, 0); }
[shader("miss")] void Sky(inout Payload p) { p.color = float3(0, 0, 1); }
[shader("raygeneration")] void Main()
{
    uint2 at = DispatchRaysIndex().xy;
    RayDesc ray = { float3(at + 0.5, -1), 0, float3(0, 0, 1), 10 };
    Payload p;
    TraceRay(World, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    Counts[at.x] = 1;
    Output[at] = float4(p.color, 1);
}
"#;

#[cfg(feature = "run")]
const SCENE: &str = r#"
[shader]
source = "traced.hlsl"
profile = "lib_6_9"
[dispatch]
miss = ["Sky"]
hit = ["Left", "Right"]
[buffers.Counts]
size = 64
[images.Output]
size = [32, 8]
format = "rgba8_unorm"
save = "traced.png"
[meshes.stripe]
triangles = { positions = [[0, 0, 0], [0, 8, 0], [4, 8, 0], [0, 0, 0], [4, 8, 0], [4, 0, 0]] }
opaque = true
[accel.World]
instances = [
    { mesh = "stripe" },
    { mesh = "stripe", hit_group_offset = 1, transform = { translate = [4, 0, 0] } },
]
"#;

/// The model of `traced.hlsl` with a scene in its folder.
#[cfg(feature = "run")]
fn traced(folder: &Path, arguments: &[&str]) -> (Output, serde_json::Value) {
    let done = explore(folder, &[&["traced.hlsl", "--export", "traced.json"], arguments].concat());
    let model = std::fs::read(folder.join("traced.json")).expect("a model");
    (done, serde_json::from_slice(&model).expect("JSON"))
}

#[cfg(feature = "cpu")]
#[test]
fn the_scene_in_the_folder_of_a_source_is_rendered() {
    let folder = folder("scene");
    std::fs::write(folder.join("traced.hlsl"), TRACED).expect("a file");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a file");
    let (done, model) = traced(&folder, &[]);
    assert!(done.status.success(), "{}", said(&done));
    let scene = &model["scene"];
    assert_eq!((scene["state"].as_str(), scene["name"].as_str()), (Some("done"), Some("scene.toml")), "{scene}");
    let picture = &scene["pictures"][0];
    assert_eq!((picture["name"].as_str(), &picture["size"]), (Some("traced.png"), &serde_json::json!([32, 8])));
    assert!(picture["data"].as_str().is_some_and(|d| d.starts_with("data:image/png;base64,iVBOR")));
    // The trace of line 16: waves of 8 x 4 rays, of which the first has two materials, the others the sky alone.
    let point = &scene["profiles"][0]["points"][0];
    assert_eq!((point["op"].as_str(), &point["at"], point["times"].as_u64()), (Some("TraceRay"), &serde_json::json!([0, 16]), Some(256)));
    assert_eq!(point["groups"], serde_json::json!([1.25, 1.0]), "{scene}");
    assert_eq!(scene["profiles"][0]["map"]["size"], serde_json::json!([32, 8]));
    // 16 of 32 columns are beyond the buffer, in 8 rows.
    let finding = &scene["findings"][0];
    assert_eq!((&finding["at"], finding["times"].as_u64()), (&serde_json::json!([0, 17]), Some(128)), "{scene}");
    assert_eq!(finding["thread"], serde_json::json!([16, 0, 0]));
    // Options that nothing else states are those of the scene.
    let plain = TRACED.replace("// rtc -T lib_6_9\n", "").replace("1, 0, 0)", "COLOR)");
    let defined = SCENE.replace("lib_6_9\"", "lib_6_8\"\ndefines = [\"COLOR=float3(1, 1, 0)\"]");
    std::fs::write(folder.join("traced.hlsl"), plain).expect("a file");
    std::fs::write(folder.join("scene.toml"), defined).expect("a file");
    let (done, model) = traced(&folder, &[]);
    assert!(done.status.success(), "{}", said(&done));
    assert_eq!((model["profile"].as_str(), model["scene"]["state"].as_str()), (Some("lib_6_8"), Some("done")));
    std::fs::write(folder.join("traced.hlsl"), TRACED).expect("a file");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a file");
    // Options that write files write none, for the picture neither.
    let (done, model) = traced(&folder, &["-T", "lib_6_9", "-Fo", "written.dxil", "-Fc", "written.txt"]);
    assert!(done.status.success() && model["scene"]["state"] == "done", "{}", said(&done));
    assert!(!folder.join("written.dxil").exists() && !folder.join("written.txt").exists());
    // The same of another folder: places are found in the files of the page.
    std::fs::create_dir_all(folder.join("other")).expect("a folder");
    std::fs::rename(folder.join("scene.toml"), folder.join("other/s.toml")).expect("it is moved");
    let (done, model) = traced(&folder, &["--scene", "other/s.toml"]);
    assert!(done.status.success(), "{}", said(&done));
    assert_eq!(
        (&model["scene"]["findings"][0]["at"], model["scene"]["name"].as_str()),
        (&serde_json::json!([0, 17]), Some("other/s.toml"))
    );
    // Its page carries the picture.
    let page = explore(&folder, &["traced.hlsl", "--scene", "other/s.toml", "--export", "p.html"]);
    assert!(
        page.status.success() && std::fs::read_to_string(folder.join("p.html")).expect("a page").contains("data:image/png;base64,iVBOR")
    );
}

#[cfg(feature = "cpu")]
#[test]
fn a_served_scene_follows_its_files() {
    let folder = folder("scene-served");
    std::fs::write(folder.join("traced.hlsl"), TRACED).expect("a file");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a file");
    let server = Served::new(&folder, "traced.hlsl");
    // The scene when it is as expected; the page does not wait for it.
    let scene = |state: &str, is: &dyn Fn(&serde_json::Value) -> bool| -> serde_json::Value {
        let begin = std::time::Instant::now();
        while begin.elapsed() < std::time::Duration::from_secs(120) {
            let scene: serde_json::Value = serde_json::from_str(&server.get("/scene.json")).expect("JSON");
            if scene["state"] == state && is(&scene) {
                return scene;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        panic!("the scene is not {state}: {}", server.get("/scene.json"));
    };
    let model = |options: &str| -> serde_json::Value { serde_json::from_str(&server.get(&format!("/model.json{options}"))).expect("JSON") };
    assert_eq!(model("")["model"]["scene"]["state"], "running");
    let first = scene("done", &|_| true);
    let seen = first["number"].as_u64().expect("a number");
    assert_eq!(server.get(&format!("/scene.json?seen={seen}")), "null");
    // The same model is rendered once.
    assert_eq!(model("")["model"]["scene"]["number"].as_u64(), Some(seen));
    // A file of the scene changes.
    std::fs::write(folder.join("scene.toml"), SCENE.replace("[32, 8]", "[24, 8]")).expect("a file");
    scene("done", &|s| s["pictures"][0]["size"] == serde_json::json!([24, 8]));
    std::fs::write(folder.join("scene.toml"), SCENE.replace("\"Sky\"", "\"Moon\"")).expect("a file");
    let failed = scene("failed", &|_| true);
    assert!(failed["why"].as_str().is_some_and(|why| why.contains("Moon")), "{failed}");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a file");
    scene("done", &|_| true);
    // The source changes twice: what was begun for the first one is not shown.
    for n in [2, 3] {
        std::fs::write(folder.join("traced.hlsl"), TRACED.replace("Counts[at.x] = 1;", &"Counts[at.x] = 1;\n".repeat(n))).expect("a file");
        assert_eq!(model("")["model"]["scene"]["state"], "running");
    }
    let last = scene("done", &|_| true);
    assert_eq!(last["findings"].as_array().map(Vec::len), Some(3), "{last}");
    // Other options are another picture; those of no compilation are none.
    assert_eq!(model("?options=-T+lib_6_9+-Od")["model"]["scene"]["state"], "running");
    assert_eq!(model("?options=-T+nonsense")["model"]["scene"]["state"], "waiting");
    scene("waiting", &|_| true);
}

#[cfg(feature = "cpu")]
#[test]
fn a_scene_that_fails_says_why_and_where() {
    let folder = folder("scene-fails");
    std::fs::write(folder.join("traced.hlsl"), TRACED).expect("a file");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a file");
    // A scene that names what the shader does not have.
    std::fs::write(folder.join("wrong.toml"), SCENE.replace("\"Sky\"", "\"Moon\"")).expect("a file");
    std::fs::write(folder.join("broken.toml"), "[shader\n").expect("a file");
    for (scene, words) in [("wrong.toml", "Moon"), ("broken.toml", "broken.toml")] {
        let (done, model) = traced(&folder, &["--scene", scene]);
        assert_eq!(done.status.code(), Some(1), "{scene}");
        assert_eq!(model["scene"]["state"], "failed", "{scene}: {}", model["scene"]);
        assert!(model["scene"]["why"].as_str().is_some_and(|why| why.contains(words)), "{scene}: {}", model["scene"]);
        assert!(said(&done).contains(words), "{scene}: {}", said(&done));
    }
    // An error of the source keeps it from being rendered.
    std::fs::write(folder.join("traced.hlsl"), TRACED.replace("Payload p;", "Payload q;")).expect("a file");
    let (done, model) = traced(&folder, &[]);
    assert_eq!((done.status.code(), model["scene"]["state"].as_str()), (Some(1), Some("waiting")));
}

/// Without the CPU device the page says what is missing.
#[cfg(all(feature = "run", not(feature = "cpu")))]
#[test]
fn a_scene_needs_the_cpu_device() {
    let folder = folder("no-cpu");
    std::fs::write(folder.join("traced.hlsl"), TRACED).expect("a file");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a file");
    let (done, model) = traced(&folder, &[]);
    assert!(done.status.success(), "{}", said(&done));
    assert_eq!(model["scene"]["state"], "absent");
    assert!(model["scene"]["why"].as_str().is_some_and(|why| why.contains("cargo feature `cpu`")), "{}", model["scene"]);
}

/// What renders a scene for a page ends with the program that started it, and leaves no picture.
#[cfg(feature = "cpu")]
#[test]
fn a_rendering_ends_with_its_page() {
    let folder = folder("scene-ends");
    // Every thread runs until its budget is used up.
    let endless = TRACED.replace("Counts[at.x] = 1;", "for (uint n = 1; n != 0; n += 2) Counts[n & 15] = n;");
    std::fs::write(folder.join("traced.hlsl"), endless).expect("a file");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a file");
    let mut process = Command::new(env!("CARGO_BIN_EXE_rtc-run"))
        .current_dir(&folder)
        .env("RTC", env!("CARGO_BIN_EXE_rtc"))
        .args(["traced.hlsl", "--device", "cpu", "--until-eof", "-o", "out"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("rtc-run starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(process.try_wait().expect("a process").is_none(), "it runs until its input ends");
    drop(process.stdin.take());
    let begin = std::time::Instant::now();
    while begin.elapsed() < std::time::Duration::from_secs(120) {
        if let Some(status) = process.try_wait().expect("a process") {
            assert_eq!(status.code(), Some(1));
            assert!(!folder.join("out/traced.png").exists());
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    process.kill().expect("it is ended");
    panic!("it runs on");
}

/// A folder with `rtc` alone: its page says what is missing to render a scene, and shows the rest.
#[cfg(feature = "run")]
#[test]
fn a_scene_needs_the_program_that_runs_it() {
    let folder = folder("no-runner");
    let rtc = folder.join(format!("rtc{}", std::env::consts::EXE_SUFFIX));
    if std::fs::hard_link(env!("CARGO_BIN_EXE_rtc"), &rtc).is_err() {
        std::fs::copy(env!("CARGO_BIN_EXE_rtc"), &rtc).expect("a copy of rtc");
    }
    std::fs::write(folder.join("traced.hlsl"), TRACED).expect("a file");
    std::fs::write(folder.join("scene.toml"), SCENE).expect("a file");
    for (arguments, passes) in [(&[][..], true), (&["--scene", "scene.toml"], false)] {
        let done = Command::new(&rtc)
            .current_dir(&folder)
            .env("PATH", &folder)
            .args([&["explore", "traced.hlsl", "--export", "traced.json"], arguments].concat())
            .output()
            .expect("rtc starts");
        assert_eq!(done.status.success(), passes, "{}", said(&done));
        let model: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("traced.json")).expect("a model")).expect("JSON");
        assert_eq!((model["scene"]["state"].as_str(), model["profile"].as_str()), (Some("absent"), Some("lib_6_9")));
        assert!(model["scene"]["why"].as_str().is_some_and(|why| why.contains("rtc-run")), "{}", model["scene"]);
    }
}
