//! Packages with several forms on a Vulkan device: the picture is the same in each, the rule chooses, and what was measured is kept.
#![cfg(feature = "run")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rtc_oracles::skip;
use serde_json::Value;

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("forms/{name}"))
}

fn words(args: &[&str]) -> Vec<String> {
    args.iter().map(|a| (*a).to_owned()).collect()
}

fn rtc_run(args: &[String]) -> Output {
    let watched = if rtc_oracles::vulkan::validation_layer() { "1" } else { "0" };
    Command::new(env!("CARGO_BIN_EXE_rtc-run")).env("RTC_VK_VALIDATION", watched).args(args).output().expect("rtc-run starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Compiles the shader of the tests to a package in a folder, next to its scene; the scene.
fn scene(folder: &Path, options: &[&str]) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms");
    let done = Command::new(env!("CARGO_BIN_EXE_rtc"))
        .args(["-T", "lib_6_9", "-spirv", "-no-warnings"])
        .args(options)
        .arg(own.join("picture.hlsl"))
        .arg("-Fo")
        .arg(folder.join("picture.rtp"))
        .output()
        .expect("rtc starts");
    assert!(done.status.success(), "{}", text(&done.stderr));
    let scene = folder.join("scene.toml");
    std::fs::copy(own.join("scene.toml"), &scene).expect("a copy");
    scene
}

/// Runs a scene; its first dispatch as JSON, and the warnings. None: no device.
fn run(scene: &Path, out: &Path, settings: &[&str]) -> Option<(Value, String)> {
    let mut args = words(&[scene.to_str().expect("a path"), "-o", out.to_str().expect("a path"), "--device", "vulkan", "--timings", "-"]);
    args.extend(words(settings));
    let done = rtc_run(&args);
    let said = text(&done.stderr);
    if done.status.code() == Some(3) {
        skip::skip(said.trim());
        return None;
    }
    assert!(done.status.success(), "{settings:?}: {said}");
    let report: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    Some((report["dispatches"][0].clone(), said))
}

#[test]
fn the_picture_is_the_same_in_each_form() {
    let folder = folder("picture");
    let scene = scene(&folder, &["-fspv-ser=auto"]);
    let mut first: Option<Vec<u8>> = None;
    // By the rule, both forms that every device runs, and all in turn.
    for (settings, forms) in [
        (&["--ser-form", "lowered"][..], &["lower"][..]),
        (&["--ser-form", "wavefront"], &["wavefront"]),
        (&["--ser-form", "wavefront", "--wavefront-memory", "8"], &["wavefront"]),
        (&["--ser-form", "measure", "--ser-cache", folder.to_str().expect("a path"), "--repeat", "30"], &["lower", "wavefront"]),
    ] {
        let Some((dispatch, _)) = run(&scene, &folder, settings) else { return };
        let form = &dispatch["form"];
        for f in forms {
            assert!(form["runs"][f].as_u64().is_some_and(|n| n > 0), "{settings:?}: {form}");
        }
        let picture = std::fs::read(folder.join("picture.bin")).expect("a picture");
        // Both materials, and the sky.
        let colors: std::collections::BTreeSet<&[u8]> = picture.chunks(4).collect();
        assert!(colors.len() >= 3, "{colors:?}");
        assert!(first.get_or_insert_with(|| picture.clone()) == &picture, "{settings:?}: another picture");
    }
}

#[test]
fn the_rule_needs_no_measuring() {
    let folder = folder("rule");
    let scene = scene(&folder, &["-fspv-ser=auto"]);
    let Some((dispatch, _)) = run(&scene, &folder, &[]) else { return };
    let form = &dispatch["form"];
    // A device that reorders threads runs its own hit objects.
    let expected = match form["why"].as_str() {
        Some("the device reorders threads") => ["ext", "nv"].as_slice(),
        Some("the device reorders no threads" | "the device has no form that reorders threads") => &["lower"],
        other => panic!("{other:?}"),
    };
    assert!(form["form"].as_str().is_some_and(|f| expected.contains(&f)), "{form}");
    assert_eq!(form["ns_per_ray"], serde_json::json!({}));
    // A package with one form says nothing about forms.
    let scene = self::scene(&folder, &["-fspv-ser=lower"]);
    let (dispatch, _) = run(&scene, &folder, &[]).expect("a device");
    assert_eq!(dispatch["form"], Value::Null);
}

#[test]
fn what_was_measured_is_kept_for_the_device_and_the_package() {
    let folder = folder("kept");
    let scene = scene(&folder, &["-fspv-ser=auto"]);
    let cache = folder.join("cache");
    let with = |more: &[&str]| {
        let all = [&["--ser-form", "measure", "--ser-cache", cache.to_str().expect("a path")], more].concat();
        run(&scene, &folder, &all)
    };
    // Too few dispatches: nothing is kept.
    let Some((few, _)) = with(&["--repeat", "2"]) else { return };
    assert_eq!(few["form"]["why"], "measuring has not ended: dispatch more often", "{few}");
    assert!(!cache.exists());
    let (measured, _) = with(&["--repeat", "70"]).expect("a device");
    let form = &measured["form"];
    assert_eq!(form["why"], "measured", "{form}");
    let times: Vec<f64> = form["ns_per_ray"].as_object().expect("times").values().filter_map(Value::as_f64).collect();
    assert!(times.len() >= 2 && times.iter().all(|t| *t > 0.0), "{form}");
    // Every dispatch that measured is known, those to warm up first, in the order of time.
    let samples = form["samples"].as_array().expect("samples");
    for name in form["ns_per_ray"].as_object().expect("times").keys() {
        let own = samples.iter().filter(|s| s["form"] == name.as_str() && s["ns_per_ray"].as_f64().is_some_and(|t| t > 0.0));
        assert!(own.clone().count() >= 2 && own.take(2).all(|s| s["warm_up"] == true), "{form:#}");
    }
    assert!(samples.is_sorted_by_key(|s| s["at_ms"].as_f64()) && samples.is_sorted_by_key(|s| s["warm_up"] == false), "{form:#}");
    assert!(samples.iter().any(|s| s["warm_up"] == false), "{form:#}");
    // A form that the device does not run has its reason.
    for name in ["ext", "nv"] {
        assert!(form["runs"][name].is_null() != form["refused"][name].is_null(), "{form}");
    }
    // What runs is at least 0.95 times as fast as the best.
    let own = form["ns_per_ray"][form["form"].as_str().expect("a form")].as_f64().expect("a time");
    assert!(own * 0.95 <= times.iter().copied().fold(f64::INFINITY, f64::min), "{form}");
    let files: Vec<_> = std::fs::read_dir(&cache).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    assert!(files.len() == 1 && files[0].extension().is_some_and(|e| e == "forms"), "{files:?}");
    // The next process knows it from its first dispatch on.
    let (again, said) = with(&[]).expect("a device");
    assert_eq!((&again["form"]["form"], &again["form"]["why"]), (&form["form"], &"measured".into()), "{again}");
    assert!(!said.contains("warning"), "{said}");
    // A damaged file is a note, and a file that cannot be written too.
    std::fs::write(&files[0], "something else").expect("written");
    let (fresh, said) = with(&[]).expect("a device");
    assert!(said.contains("does not begin with `rtc forms 1`; forms are measured again"), "{said}");
    assert_eq!(fresh["form"]["why"], "measuring has not ended: dispatch more often");
    std::fs::remove_dir_all(&cache).expect("removed");
    std::fs::write(&cache, "a file where the folder was").expect("written");
    let (fresh, said) = with(&["--repeat", "70"]).expect("a device");
    assert!(said.contains("what was measured of forms is not kept"), "{said}");
    assert_eq!(fresh["form"]["why"], "measured");
}

#[test]
fn trace_ray_has_a_plain_and_a_wavefront_form() {
    let folder = folder("traces");
    let scene = scene(&folder, &["-D", "TRACE_RAY", "-fspv-ser=auto", "-fspv-wavefront"]);
    let mut first: Option<Vec<u8>> = None;
    for form in ["lower", "wavefront"] {
        let Some((dispatch, _)) = run(&scene, &folder, &["--ser-form", form]) else { return };
        assert_eq!(dispatch["sorting"].is_null(), form == "lower", "{dispatch}");
        let picture = std::fs::read(folder.join("picture.bin")).expect("a picture");
        assert!(first.get_or_insert_with(|| picture.clone()) == &picture, "form {form}: another picture");
    }
    // Hit objects of an extension it has not.
    let args = words(&[scene.to_str().expect("a path"), "--device", "vulkan", "--ser-form", "nv"]);
    let done = rtc_run(&args);
    let said = text(&done.stderr);
    assert!(done.status.code() == Some(1) && said.contains("the package has no form `nv`"), "{said}");
    assert!(said.contains("forms: `lower`, `wavefront`"), "{said}");
}

#[test]
fn wrong_settings_are_named() {
    let shader = "x.toml";
    for (settings, why) in [
        (&["--ser-form", "fastest"][..], "expected rule, measure, lower, ext, nv, wavefront or converge, found `fastest`"),
        (&["--ser-form"], "option `--ser-form` requires a form"),
        (&["--ser-cache", "x"], "`--ser-cache` requires `--ser-form measure`"),
        (&["--ser-form", "lower", "--device", "cpu"], "`--ser-form` chooses among forms of packages, and `--device cpu` runs DXIL"),
    ] {
        let done = rtc_run(&words(&[&[shader], settings].concat()));
        let said = text(&done.stderr);
        assert!(done.status.code() == Some(1) && said.contains(why), "{said} instead of {why}");
    }
}
