//! Tests of `rtc run`: devices and what they can do, files of pictures, frames, averages, camera paths, timings, and `--watch`.
#![cfg(feature = "run")]

#[path = "shared/runs.rs"]
mod runs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    runs::folder("frames", name)
}

fn rtc(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtc")).current_dir(folder).args(args).output().expect("rtc starts")
}

fn said(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

fn printed(done: &Output) -> String {
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[test]
fn devices_have_records() {
    let folder = folder("devices");
    let text = printed(&rtc(&folder, &["run", "--device", "list"]));
    let cpu = text.lines().find(|l| l.starts_with("cpu: CPU: ")).expect("the CPU device");
    assert_eq!(cpu.ends_with(": usable"), cfg!(feature = "cpu"), "{text}");
    assert!(text.contains("M22 copies: decode for visualization: the CPU device has no such call"), "{text}");
    let json = printed(&rtc(&folder, &["device-info", "--json"]));
    let list: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let list = list.as_array().expect("a list");
    assert_eq!(list.last().expect("a device")["id"], "cpu");
    let records = list.iter().filter(|d| !d["capabilities"].as_array().expect("a list").is_empty());
    for device in records {
        let rows = device["capabilities"].as_array().expect("a list");
        assert_eq!(rows.len(), 29, "{device:#}");
        // A device that is usable traces rays, and one that is not says why.
        let traces = rows.iter().any(|r| r["row"] == "M01" && r["supported"] == true);
        assert!(device["usable"] != true || traces, "{device:#}");
        assert_eq!(device["usable"] == true, device["reasons"].as_array().expect("a list").is_empty());
        for row in rows.iter().filter(|r| r["supported"] == false) {
            assert!(row["missing"].as_str().is_some_and(|why| !why.is_empty()), "{row}");
        }
    }
    assert!(said(&rtc(&folder, &["run", "--json", "x.toml"])).contains("`--json` requires `--device list`"));
    assert!(said(&rtc(&folder, &["run", "--device", "list", "x.toml"])).contains("give no scene"));
}

#[test]
fn windows_have_no_end() {
    let folder = folder("windows");
    let says = |args: &[&str], what: &str| {
        let done = rtc(&folder, &[&["run", "scene.toml"], args].concat());
        assert!(!done.status.success() && said(&done).contains(what), "{}", said(&done));
    };
    says(&["--show", "Output"], "`--show` requires `--window`");
    says(&["--window", "--timings", "-"], "`--timings` cannot be combined with `--window`, whose frames have no end");
    #[cfg(not(feature = "window"))]
    says(&["--window"], "`--window` requires a build with the cargo feature `window`: cargo build -p rtc-cli --features window");
}

#[cfg(feature = "cpu")]
mod pictures {
    use super::runs::devices;
    use super::*;
    use std::process::{Child, Stdio};
    use std::time::{Duration, Instant};

    /// Writes what constants say: the frame's number, the number of frames, the time, where the camera is.
    const SOURCE: &str = "
cbuffer Frame : register(b0) { uint index; uint count; float time; float padding; float3 eye; };
RWTexture2D<float4> Output : register(u0);
[numthreads(4, 2, 1)] void main(uint3 id : SV_DispatchThreadID) { Output[id.xy] = float4(index, time, eye.x, VALUE + id.x); }
";
    const SCENE: &str = "
[shader]
source = 'a.hlsl'
profile = 'cs_6_0'
defines = ['VALUE=0']
[dispatch]
groups = [1]
[camera]
eye = [0, 0, -2]
interpolation = 'linear'
path = [{ time = 0 }, { time = 1, eye = [4, 0, -2] }]
[frames]
rate = 4
[constants.Frame]
index = { frame = 'index' }
count = { frame = 'count' }
time = { frame = 'time' }
padding = { float = 0 }
eye = { camera = 'eye' }
[images.Output]
size = [4, 2]
format = 'rgba32_float'
save = 'out.bin'
";

    fn write(folder: &Path, scene: &str) {
        std::fs::write(folder.join("a.hlsl"), SOURCE).expect("a file");
        std::fs::write(folder.join("scene.toml"), scene).expect("a file");
    }

    #[track_caller]
    fn runs(folder: &Path, device: &str, args: &[&str]) -> String {
        let done = rtc(folder, &[&["run", "scene.toml", "--device", device][..], args].concat());
        assert!(done.status.success(), "{device}: {}", said(&done));
        printed(&done)
    }

    /// The first texel of a file of 32-bit floats.
    #[track_caller]
    fn texel(file: &Path) -> [f32; 4] {
        let bytes = std::fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        [0, 1, 2, 3].map(|i| f32::from_le_bytes(bytes[i * 4..i * 4 + 4].try_into().expect("4 bytes")))
    }

    #[test]
    fn constants_follow_frames_and_paths() {
        for device in devices() {
            let folder = folder(&format!("frames-{device}"));
            write(&folder, &SCENE.replace("out.bin", "out%03d.bin"));
            let text = runs(&folder, device, &["--frames", "3", "--first-frame", "1"]);
            assert!(text.contains("frames    3: "), "{text}");
            assert_eq!(texel(&folder.join("out001.bin")), [1.0, 0.25, 1.0, 0.0], "{device}");
            assert_eq!(texel(&folder.join("out003.bin")), [3.0, 0.75, 3.0, 0.0], "{device}");
            assert!(!folder.join("out000.bin").exists());
            // Without a number in its name, the last frame's.
            write(&folder, SCENE);
            runs(&folder, device, &["--frames", "3"]);
            assert_eq!(texel(&folder.join("out.bin")), [2.0, 0.5, 2.0, 0.0], "{device}");
        }
    }

    #[test]
    fn frames_are_averaged() {
        for device in devices() {
            let folder = folder(&format!("average-{device}"));
            write(&folder, &SCENE.replace("out.bin", "out%d.bin"));
            runs(&folder, device, &["--frames", "4", "--accumulate"]);
            let index = [0, 1, 2, 3].map(|n| texel(&folder.join(format!("out{n}.bin")))[0]);
            assert_eq!(index, [0.0, 0.5, 1.0, 1.5], "{device}");
            // The scene may say so as well.
            write(&folder, &SCENE.replace("rate = 4", "rate = 4\ncount = 3\naccumulate = true"));
            runs(&folder, device, &[]);
            assert_eq!(texel(&folder.join("out.bin"))[0], 1.0);
        }
    }

    #[test]
    fn frames_on_demand() {
        use rtc_host::run::{Average, FileFormat, with_session};
        for device in devices() {
            let folder = folder(&format!("session-{device}"));
            write(&folder, SCENE);
            let (made, target) = if device == "cpu" { ("a.dxil", &[][..]) } else { ("a.rtp", &["-spirv"][..]) };
            let done = rtc(&folder, &[&["-T", "cs_6_0", "-D", "VALUE=0", "a.hlsl", "-Fo", made], target].concat());
            assert!(done.status.success(), "{}", said(&done));
            let package = std::fs::read(folder.join(made)).expect("a package");
            let scene = rtc_host::Scene::read(&folder.join("scene.toml")).expect("a scene");
            let options = rtc_host::RunOptions { device: Some(device.into()), ..Default::default() };
            let seen = with_session(&scene, &package, &options, |session| {
                let mut seen = Vec::new();
                let mut average = Average::default();
                let camera = scene.camera.map(|c| rtc_host::scene::Camera { eye: [7.0, 1.0, -3.0], ..c });
                for (index, camera) in [(2, None), (4, camera.as_ref()), (2, None)] {
                    session.frame(&scene.frames.frame(index, 9), camera)?;
                    let picture = session.picture(None)?;
                    assert_eq!((picture.name.as_str(), picture.size()), ("Output", [4, 2]));
                    let files = picture.clone().averaged(&mut average).write(&folder.join("average.bin"), FileFormat::Bin)?;
                    picture.write(&folder.join("one.bin"), FileFormat::Bin)?;
                    seen.push((texel(&folder.join("one.bin")), texel(&files[0])[2]));
                }
                assert_eq!(average.count(), 3);
                assert_eq!(session.picture(Some("Output"))?.colors()?[..2], [[255, 128, 255], [255, 128, 255]]);
                let missing = session.picture(Some("Input")).expect_err("there is none").to_string();
                assert!(missing.ends_with("no image or render target `Input`\n  note: there are `Output`"), "{missing}");
                let blind = scene.camera.map(|c| rtc_host::scene::Camera { look_at: c.eye, ..c });
                let blind = session.frame(&scene.frames.frame(0, 9), blind.as_ref()).expect_err("it sees nothing");
                assert_eq!(blind.message, "the camera: `eye` and `look_at` are the same point");
                Ok(seen)
            });
            // From where the path is at that time, from another camera, and from there again; with the averages of where it was.
            let expected = [([2.0, 0.5, 2.0, 0.0], 2.0), ([4.0, 1.0, 7.0, 0.0], 4.5), ([2.0, 0.5, 2.0, 0.0], 11.0 / 3.0)];
            assert_eq!(seen.expect("frames"), expected, "{device}");
        }
    }

    #[test]
    fn every_format_of_files() {
        for device in devices() {
            let folder = folder(&format!("formats-{device}"));
            write(&folder, &SCENE.replace("out.bin", "out.exr"));
            runs(&folder, device, &["--first-frame", "2"]);
            assert_eq!(exr_texel(&folder.join("out.exr")), [2.0, 0.5, 2.0, 0.0], "{device}");
            for format in ["raw", "bin", "png"] {
                runs(&folder, device, &["--first-frame", "2", "--format", format]);
            }
            assert_eq!(texel(&folder.join("out.bin")), [2.0, 0.5, 2.0, 0.0]);
            assert_eq!(texel(&folder.join("out.raw")), [2.0, 0.5, 2.0, 0.0]);
            let said: serde_json::Value =
                serde_json::from_slice(&std::fs::read(folder.join("out.raw.json")).expect("a file")).expect("JSON");
            assert_eq!((&said["format"], &said["width"], &said["height"]), (&"rgba32_float".into(), &4.into(), &2.into()));
            let png = image::open(folder.join("out.png")).expect("a picture").into_rgba8();
            assert_eq!(png.get_pixel(0, 0).0, [255, 128, 255, 0]);
            let left: Vec<_> = std::fs::read_dir(&folder).expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
            assert!(left.iter().all(|name| !name.to_string_lossy().contains("tmp")), "{left:?}");
        }
    }

    /// The first texel of an OpenEXR file.
    fn exr_texel(file: &Path) -> [f32; 4] {
        let image = exr::prelude::read_first_flat_layer_from_file(file).expect("an EXR");
        let first = |name: &str| {
            let channel = image.layer_data.channel_data.list.iter().find(|c| c.name.to_string() == name).expect("a channel");
            channel.sample_data.values_as_f32().next().expect("a sample")
        };
        ["R", "G", "B", "A"].map(first)
    }

    #[test]
    fn wrong_options() {
        let folder = folder("options");
        write(&folder, SCENE);
        for (args, why) in [
            (&["--format", "gif"][..], "`gif` is not one of `png`, `exr`, `raw`, `bin`"),
            (&["--frames", "0"], "expected a whole number from 1 to 4294967295, found `0`"),
            (&["--frames"], "option `--frames` requires a number of frames"),
            (&["--first-frame", "x"], "expected a number, found `x`"),
        ] {
            let done = rtc(&folder, &[&["run", "scene.toml"][..], args].concat());
            assert_eq!(done.status.code(), Some(1));
            assert!(said(&done).contains(why), "{}", said(&done));
        }
        let integers = SCENE.replace("rgba32_float", "rgba32_sint").replace("out.bin", "out.exr");
        write(&folder, &integers);
        let done = rtc(&folder, &["run", "scene.toml", "--device", "cpu"]);
        assert!(said(&done).contains("`images.Output.save`: an EXR cannot hold rgba32_sint; save it as `.bin`"), "{}", said(&done));
    }

    #[test]
    fn timings_are_json() {
        for device in devices() {
            let folder = folder(&format!("timings-{device}"));
            write(&folder, SCENE);
            let text = runs(&folder, device, &["--frames", "5", "--timings", "-"]);
            let json: serde_json::Value = serde_json::from_str(&text).expect("nothing but JSON");
            let steps: Vec<&str> = json["steps"].as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
            assert_eq!(steps, ["compile", "open", "load", "resources", "structures", "results"], "{device}");
            assert_eq!(json["frames"].as_array().expect("a list").len(), 5);
            assert_eq!(json["dispatches"][0]["times"], 5);
            let at = |p: &str| json["percentiles_ms"]["frame"][p].as_f64().expect("a number");
            assert!(0.0 < at("min") && at("min") <= at("p50") && at("p50") <= at("p99") && at("p99") <= at("max"), "{text}");
            runs(&folder, device, &["--timings", "t.json"]);
            assert!(std::fs::read_to_string(folder.join("t.json")).expect("a file").contains("rays_per_second"));
        }
    }

    /// A program that is ended with its test.
    struct Running(Child);

    impl Drop for Running {
        fn drop(&mut self) {
            // It may have ended by itself.
            _ = self.0.kill();
            _ = self.0.wait();
        }
    }

    /// Waits until something is so.
    #[track_caller]
    fn until(what: &str, is: impl Fn() -> bool) {
        let started = Instant::now();
        while !is() {
            assert!(started.elapsed() < Duration::from_secs(120), "{what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn changes_are_watched() {
        let folder = folder("watch");
        write(&folder, SCENE);
        std::fs::write(folder.join("a.hlsl"), format!("#include \"value.hlsli\"\n{}", SOURCE.replace("VALUE", "GIVEN"))).expect("a file");
        let value = |text: &str| std::fs::write(folder.join("value.hlsli"), text).expect("a file");
        value("#define GIVEN 3\n");
        let log = std::fs::File::create(folder.join("log")).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtc-run"));
        command.current_dir(&folder).env("RTC", env!("CARGO_BIN_EXE_rtc")).args(["scene.toml", "--device", "cpu", "--watch"]);
        let mut running = Running(command.stdout(Stdio::null()).stderr(log).spawn().expect("rtc-run starts"));
        let said = || std::fs::read_to_string(folder.join("log")).expect("a file");
        let waits = || said().matches("waiting for changes of").count();
        let alpha = || texel(&folder.join("out.bin"))[3];
        until("the first picture", || waits() == 1);
        assert_eq!(alpha(), 3.0);
        value("#define GIVEN 10\n");
        until("a picture after a change of an include", || waits() == 2);
        assert_eq!(alpha(), 10.0);
        // An error is shown, and the picture stays.
        value("#define GIVEN )\n");
        until("an error", || waits() == 3);
        assert!(said().contains("does not compile"), "{}", said());
        assert_eq!(alpha(), 10.0);
        value("#define GIVEN 12345\n");
        until("a picture after the error", || waits() == 4);
        assert_eq!(alpha(), 12345.0);
        write(&folder, &SCENE.replace("size = [4, 2]", "size = [4"));
        until("an error of the scene", || waits() == 5);
        write(&folder, &SCENE.replace("VALUE=0", "VALUE=77"));
        until("a picture after the scene has changed", || waits() >= 6);
        assert_eq!(alpha(), 77.0);
        assert!(running.0.try_wait().expect("a process").is_none());
    }
}
