//! Samples on the CPU device: the pictures that they have on Vulkan, from our DXIL and from the reference compiler's, and nothing
//! for the sanitizer to say.

use crate::shader::{root, scratch};
use std::path::Path;
use std::process::Command;

use rtc_oracles::{Dxc, skip};

/// Channels may differ by this.
const NEAR: u8 = 2;

/// Pixels that may differ more, of a thousand: rays at edges of triangles, which fall to one side or the other by the last bit of a
/// product. By sample; two of a thousand where nothing is said.
const FAR: &[(&str, usize, &str)] = &[
    ("gbuffer", 12, "the software device decodes sRGB texels with an approximation, up to 3 of 255 off"),
];

/// Samples whose DXIL the pinned reference compiler gets wrong, and how.
const WITHOUT_REFERENCE: &[(&str, &str)] = &[("probe-gi", "it drops a Proceed() whose result is not used, so that no query meets anything")];

fn samples() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root().join("samples"))
        .expect("the samples")
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.join("scene.toml").is_file())
        .filter_map(|p| Some(p.file_name()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    let wanted = std::env::var("RTC_SAMPLES").unwrap_or_default();
    names.retain(|n| n.contains(&wanted));
    assert!(!names.is_empty(), "RTC_SAMPLES={wanted} matches no sample");
    names
}

fn compare(name: &str, made: &Path) -> Option<String> {
    let reference = root().join("samples").join(name).join("reference.png");
    let read = |p: &Path| image::open(p).unwrap_or_else(|e| panic!("{}: {e}", p.display())).to_rgba8();
    let (a, b) = (read(made), read(&reference));
    if a.dimensions() != b.dimensions() {
        return Some(format!("{name}: {:?} and {:?}", a.dimensions(), b.dimensions()));
    }
    let far = a.pixels().zip(b.pixels()).filter(|(x, y)| x.0.iter().zip(y.0).any(|(x, y)| x.abs_diff(y) > NEAR)).count();
    let all = (a.width() * a.height()) as usize;
    let most = FAR.iter().find(|f| f.0 == name).map_or(2, |f| f.1);
    println!("{name}: {far} of {all} pixels differ by more than {NEAR}");
    (far * 1000 > most * all).then(|| format!("{name}: {far} of {all} pixels differ by more than {NEAR} of 255"))
}

fn draw(name: &str, folder: &str, more: &[&str]) -> Result<std::path::PathBuf, String> {
    let out = scratch(folder);
    let done = Command::new(env!("CARGO_BIN_EXE_rtc-run"))
        .arg(root().join("samples").join(name).join("scene.toml"))
        .arg("-o")
        .arg(&out)
        .args(["--device", "cpu"])
        .args(more)
        .env("RTC", env!("CARGO_BIN_EXE_rtc"))
        .env("RTC_CPU_CACHE", "")
        .output()
        .expect("rtc-run starts");
    match done.status.success() {
        true => Ok(out.join(format!("{name}.png"))),
        false => Err(format!("{name}: {}", String::from_utf8_lossy(&done.stderr))),
    }
}

#[test]
fn samples_make_their_pictures_from_dxil() {
    let wrong: Vec<String> = samples().iter().filter_map(|name| match draw(name, "pictures", &[]) {
        Ok(made) => compare(name, &made),
        Err(e) => Some(e),
    }).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn samples_make_their_pictures_from_the_reference_compilers_dxil() {
    let dxc = match Dxc::load() {
        Ok(dxc) => dxc,
        Err(missing) => return skip::skip(missing),
    };
    let (mut wrong, mut ran) = (Vec::new(), 0);
    for name in samples() {
        let folder = root().join("samples").join(&name);
        let scene = rtc_runtime::scene::Scene::read(&folder.join("scene.toml")).expect("the scene");
        let minor = scene.shader.profile.rsplit('_').next().and_then(|m| m.parse::<u32>().ok());
        if minor.is_none_or(|m| m > 6) {
            println!("{name}: shader model {} is newer than the pinned reference compiler", scene.shader.profile);
            continue;
        }
        let source = folder.join(scene.shader.source.as_ref().expect("a source"));
        let text = std::fs::read_to_string(&source).expect("the source");
        if let Some((_, why)) = WITHOUT_REFERENCE.iter().find(|w| w.0 == name) {
            println!("{name}: {why}");
            continue;
        }
        let mut args = vec!["-T".to_string(), scene.shader.profile.clone()];
        // Its usual language is an older one than ours.
        if !scene.shader.args.iter().any(|a| a == "-HV") {
            args.extend(["-HV", "2021"].map(str::to_string));
        }
        args.extend(scene.shader.defines.iter().map(|d| format!("-D{d}")));
        args.extend(scene.shader.args.iter().filter(|a| !a.starts_with("-fspv") && !a.starts_with("-fvk")).cloned());
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        let made = dxc.compile(&text, &source.to_string_lossy(), &words);
        let Some(container) = made.object else {
            wrong.push(format!("{name}: {}", made.diagnostics));
            continue;
        };
        let mut options = rtc_runtime::RunOptions { output: scratch("reference"), device: Some("cpu".into()), ..Default::default() };
        options.cpu.cache = rtc_runtime::cpu::jit::Cache::Off;
        match rtc_runtime::run_scene(&scene, &container, &options) {
            Ok(_) => wrong.extend(compare(&name, &options.output.join(format!("{name}.png")))),
            Err(e) => wrong.push(format!("{name}: {e}")),
        }
        ran += 1;
    }
    assert!(ran > 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_sanitizer_is_silent_on_samples() {
    let wrong: Vec<String> = samples().iter().filter_map(|name| draw(name, "sanitized", &["--sanitize"]).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
