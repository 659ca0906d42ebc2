//! The page in headless Chromium, driven by Playwright: `browser.py` is what a person does. Screenshots are in `target/tmp/explore/`; those of
//! some states are compared with references.
#![cfg(feature = "server")]

mod screens;

use rtc::{NoIncludes, compile};
use rtc_explore::{
    Explored, Listed, Model, Permutation, Permutations, Request, ResultFiles, Scene, SceneState, Server, listed, model, page,
};
use rtc_oracles::skip;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const TRACES: &str = include_str!("../traces.hlsl");

fn explore(name: &str, source: &str, arguments: Vec<String>) -> Model {
    let request = Request { name: name.into(), source: source.into(), arguments };
    model(&request, &mut NoIncludes, &mut |o| Ok(compile(name, source.as_bytes(), &mut NoIncludes, o)))
}

fn folder(name: &str) -> PathBuf {
    rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("explore/{name}"))
}

/// The size of the pictures of the scene.
const SIZE: [u32; 2] = [160, 120];

/// Results of a scene, whose files are drawn here.
struct Drawn;

impl ResultFiles for Drawn {
    fn place(&mut self, file: &str, line: u32) -> Option<[u32; 2]> {
        (file == "traces.hlsl").then_some([0, line])
    }

    fn read(&mut self, file: &str) -> Result<Vec<u8>, String> {
        let heat = file.contains("heat");
        let pixel = |x: u32, y: u32| {
            let inside = (x as i32 - 80).pow(2) + (y as i32 - 60).pow(2) < 40 * 40;
            image::Rgb(match (inside, heat) {
                (true, false) => [240, 120, (x + y) as u8],
                (false, false) => [60, 120, 255 - y as u8],
                (true, true) => [255, 255, 190],
                (false, true) => [80, 20, 120],
            })
        };
        let mut out = std::io::Cursor::new(Vec::new());
        image::RgbImage::from_fn(SIZE[0], SIZE[1], pixel).write_to(&mut out, image::ImageFormat::Png).map_err(|e| e.to_string())?;
        Ok(out.into_inner())
    }
}

/// A scene that was rendered: `number` of its lines diverges.
fn scene(number: u64, findings: bool) -> Scene {
    let point = |line: u32, groups: f64| {
        serde_json::json!({
            "op": if line == 15 { "TraceRay" } else { "CallShader" }, "shader": "Start", "file": "traces.hlsl", "line": line, "times": 19200, "lanes": 32,
            "before": { "groups": groups, "hints": 1.0, "occupancy": 0.75 }, "after": { "groups": 1.02, "hints": 1.0, "occupancy": 1.0 },
            "verdict": "pays on hardware that reorders alone",
        })
    };
    let found = serde_json::json!({
        "kind": "bounds", "file": "traces.hlsl", "line": 16, "shader": "Start", "op": "textureStore", "thread": [159, 0, 0], "times": 120,
        "message": "a write to texel (160, 0) of Output, which has 160 x 120",
    });
    let results = serde_json::json!({
        "scene": "scene.toml", "error": null, "outputs": ["out/picture.png", "heat.png"],
        "profiles": [{ "size": [160, 120, 1], "max": 4.0, "map": "heat.png", "points": [point(15, 3.37), point(8, 1.5)] }],
        "findings": if findings { vec![found] } else { Vec::new() },
    });
    Scene { number, seconds: 0.4, ..Scene::of_results(&results, &mut Drawn) }
}

/// The permutations of the source.
fn permutations() -> Vec<Permutation> {
    let of = |n: usize| {
        let (target, option) = if n.is_multiple_of(2) { ("dxil", None) } else { ("spirv", Some("-spirv")) };
        let kind = format!("KIND={}", n / 2);
        let arguments = ["-T", "lib_6_9", "-D", &kind].into_iter().chain(option).map(str::to_owned).collect();
        Permutation { name: format!("traces [{target}] {kind}"), arguments }
    };
    (0..4000).map(of).collect()
}

/// Runs the script; skips the test if there is no browser. Returns whether it ran.
fn browse(arguments: &[&str]) -> bool {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser.py");
    // `cargo xtask setup` makes an environment with Playwright.
    let own = rtc_oracles::artefacts::oracle_dir().join("servers/bin/python");
    let python = if own.is_file() { own } else { PathBuf::from("python3") };
    let done = match Command::new(python).arg(script).args(arguments).output() {
        Ok(done) => done,
        Err(e) => {
            skip::skip(format!("python3: {e}"));
            return false;
        }
    };
    let said = String::from_utf8_lossy(&done.stdout);
    match done.status.code() {
        Some(77) => skip::skip(format!("the page needs {}", said.trim())),
        _ => assert!(done.status.success(), "{said}\n{}", String::from_utf8_lossy(&done.stderr)),
    }
    done.status.success()
}

#[test]
fn the_page_stands_alone() {
    let folder = folder("alone");
    let file = folder.join("page.html");
    let mut model = explore("traces.hlsl", TRACES, Vec::new());
    model.scene = Some(scene(1, true));
    model.permutations = Some(Permutations::of(Some("rtc.toml".into()), &permutations(), &model.arguments, Vec::new()));
    std::fs::write(&file, page(&model, None)).expect("a file");
    if !browse(&["alone", &file.to_string_lossy(), &folder.to_string_lossy()]) {
        return;
    }
    let states = ["linked", "payloads", "scene", "findings"];
    let names: Vec<String> = ["light", "dark"].iter().flat_map(|theme| states.map(|state| format!("{theme}-{state}"))).collect();
    screens::check(&folder, &names);
    // Other fonts are the same page, one without a panel is not.
    for theme in ["light", "dark"] {
        let of = format!("{theme}-scene");
        screens::is_like(&folder, &format!("{theme}-fonts"), &of).unwrap_or_else(|why| panic!("{theme}, other fonts: {why}"));
        for panel in ["source", "first", "second", "scene", "header"] {
            let found = screens::is_like(&folder, &format!("{theme}-without-{panel}"), &of);
            assert!(found.is_err(), "{theme}: a page without {panel} is like the reference");
        }
    }
}

/// A source that is read anew for each model, with a scene that is rendered when it has been requested a few times.
struct Edited {
    path: PathBuf,
    scene: Scene,
    requests: u32,
    permutations: Vec<Permutation>,
}

impl Explored for Edited {
    fn model(&mut self, options: Option<Vec<String>>) -> Model {
        match std::fs::read_to_string(&self.path) {
            Ok(text) => {
                let mut model = explore("traces.hlsl", &text, options.unwrap_or_default());
                let number = self.scene.number + 1;
                // A source that fails is one whose scene fails.
                self.scene = match text.contains("7.25") {
                    true => {
                        Scene::new(SceneState::Running, None).failed("cannot go on\n  note: in TraceRay at traces.hlsl:15:5", &mut Drawn)
                    }
                    false => Scene::new(SceneState::Running, None),
                };
                self.scene.number = number;
                self.requests = 0;
                model.scene = Some(self.scene.clone());
                model.permutations = Some(Permutations::of(Some("rtc.toml".into()), &self.permutations, &model.arguments, Vec::new()));
                model
            }
            Err(e) => {
                let request = Request { name: "traces.hlsl".into(), source: String::new(), arguments: Vec::new() };
                model(&request, &mut NoIncludes, &mut |_| Err(format!("cannot read: {e}")))
            }
        }
    }

    fn version(&mut self) -> String {
        format!("{:?}", std::fs::metadata(&self.path).ok().and_then(|m| Some((m.len(), m.modified().ok()?))))
    }

    fn scene(&mut self) -> Option<&Scene> {
        self.requests += 1;
        if self.requests > 2 && self.scene.state == SceneState::Running {
            self.scene = scene(self.scene.number + 1, false);
        }
        Some(&self.scene)
    }

    fn permutations(&mut self, filter: &str) -> Listed<'_> {
        listed(&self.permutations, filter)
    }
}

#[test]
fn the_page_follows_its_source() {
    let folder = folder("served");
    let source = folder.join("traces.hlsl");
    std::fs::write(&source, TRACES).expect("a file");
    let server = Arc::new(Server::new(0).expect("a port"));
    let thread = std::thread::spawn({
        let (server, source) = (server.clone(), source.clone());
        let scene = Scene::new(SceneState::Running, None);
        let mut edited = Edited { path: source, scene, requests: 0, permutations: permutations() };
        move || server.serve(&mut edited).expect("it serves")
    });
    browse(&["served", &server.url(), &source.to_string_lossy(), &folder.to_string_lossy()]);
    server.stop();
    thread.join().expect("it ends");
}
