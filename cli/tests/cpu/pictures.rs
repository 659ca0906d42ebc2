//! Samples on the CPU device, all but those that draw: images equal those of Vulkan, from our DXIL and from the reference compiler's, without findings of the sanitizer.

use crate::shared::samples::*;
use rtc_oracles::{Dxc, skip};
use std::path::PathBuf;

/// All samples that do not draw; none, and said so, if `RTC_SAMPLES` names only others.
fn samples_for_this_device() -> Option<Vec<String>> {
    let names = samples_that(false);
    if names.is_empty() {
        skip::skip("the CPU device does not draw, and every sample that RTC_SAMPLES names does");
    }
    Some(names).filter(|n| !n.is_empty())
}

/// From DXIL on the CPU device and from SPIR-V on a Vulkan device, side by side, each sample makes one picture, which is the one that
/// is stored next to it.
#[test]
fn samples_make_the_same_picture_on_both_devices() {
    let Some(names) = samples_for_this_device() else { return };
    let no_vulkan = rtc_oracles::vulkan::available().err();
    let mut wrong = Vec::new();
    let mut compare = |what: String, a: &PathBuf, b: &PathBuf| wrong.extend(difference(&what, a, b, NEAR));
    for name in names {
        let cpu = draw(&name, "cpu", &CPU, &[]).unwrap_or_else(|e| panic!("{e}"));
        compare(format!("{name}: CPU device and reference.png"), &cpu, &reference(&name));
        // What a compiler leaves to the device, it may leave otherwise where it optimises nothing.
        let plain = draw(&name, "cpu-plain", &CPU, &["-Od"]).unwrap_or_else(|e| panic!("{e}"));
        compare(format!("{name}: CPU device, -O3 and -Od"), &cpu, &plain);
        if no_vulkan.is_none() {
            let vulkan = draw(&name, "vulkan", &VULKAN, &[]).unwrap_or_else(|e| panic!("{e}"));
            compare(format!("{name}: CPU device and Vulkan"), &cpu, &vulkan);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if let Some(m) = no_vulkan {
        skip::skip(format!("the images of the CPU device are right; not compared with Vulkan: {m}"));
    }
}

#[test]
fn samples_make_their_pictures_from_the_reference_compilers_dxil() {
    let dxc = match Dxc::load() {
        Ok(dxc) => dxc,
        Err(missing) => return skip::skip(missing),
    };
    let Some(names) = samples_for_this_device() else { return };
    let mut wrong = Vec::new();
    for name in names {
        let (profile, rest) = known_to_the_reference(&name);
        let text = std::fs::read_to_string(source(&name)).expect("the source");
        // Its usual language is an older one than ours, and what it says by itself of version 1.7 of the validator is not what that says.
        let args =
            [&["-T", &profile, "-HV", "2021", "-validator-version", "1.6"], &rest.iter().map(String::as_str).collect::<Vec<_>>()[..]]
                .concat();
        let made = dxc.compile(&text, &source(&name).to_string_lossy(), &args);
        let Some(container) = made.object else {
            wrong.push(format!("{name}: {}", made.diagnostics));
            continue;
        };
        let scene = rtc_host::scene::Scene::read(&folder(&name).join("scene.toml")).expect("the scene");
        let mut options = rtc_host::RunOptions { output: scratch("cpu-reference"), device: Some("cpu".into()), ..Default::default() };
        options.cpu.cache = rtc_host::cpu::jit::Cache::Off;
        match rtc_host::run_scene(&scene, &container, &options) {
            Ok(_) => wrong.extend(difference(&name, &options.output.join(format!("{name}.png")), &reference(&name), NEAR)),
            Err(e) => wrong.push(format!("{name}: {e}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_sanitizer_is_silent_on_samples() {
    let Some(names) = samples_for_this_device() else { return };
    let wrong: Vec<String> =
        names.iter().filter_map(|name| draw(name, "sanitized", &[&CPU[..], &["--sanitize"]].concat(), &[]).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
