//! Runs a scene with a compiled package on the Vulkan device, or with a DXIL container on the CPU device.
//!
//! `cargo run -p rtc-host --features vulkan --example run_scene -- SCENE.toml PACKAGE.rtp [DEVICE]`
//! `cargo run -p rtc-host --features cpu --example run_scene -- SCENE.toml CONTAINER.dxil cpu`
//!
//! Files that the scene saves are written to the current folder.

use std::path::Path;
use std::process::ExitCode;

use rtc_host::{Result, RunError, RunOptions, Scene, run_scene};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (scene, package, device) = match &args[..] {
        [scene, package] => (scene, package, None),
        [scene, package, device] => (scene, package, Some(device.clone())),
        _ => {
            eprintln!("usage: run_scene SCENE PACKAGE [DEVICE]");
            return ExitCode::from(2);
        }
    };
    match run(Path::new(scene), Path::new(package), device) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(scene: &Path, package: &Path, device: Option<String>) -> Result<()> {
    let scene = Scene::read(scene)?;
    let bytes = std::fs::read(package).map_err(|e| RunError::io("read", package, &e))?;
    let report = run_scene(&scene, &bytes, &RunOptions { device, ..RunOptions::default() })?;
    for warning in &report.warnings {
        eprintln!("warning: {warning}");
    }
    print!("{report}");
    Ok(())
}
