//! `--results`: what came of a run as JSON, for programs that show it; and `--describe`, what would be run.
//!
//! | member | what |
//! |---|---|
//! | `scene` | the scene's file; null: the shader has none |
//! | `inputs` | the scene's file and the files that it reads |
//! | `error` | why it failed; null: it did not |
//! | `no_device` | whether it failed because no device can run it |
//! | `warnings`, `outputs` | warnings, and the files that were written |
//! | `findings` | undefined behaviour that the sanitizer found ([`rtc_host::Finding::json`]) |
//! | `profiles` | a coherence profile for each dispatch of rays |
//! | `checks` | how many checks shaders and the scene `made`, how many `failed`, the first `failures`; null: none |

use crate::arguments::Arguments;
use crate::{Failure, compile};
use rtc_host::RunReport;
use rtc_host::scene::Scene;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `--describe`: prints `scene` and `arguments`, the options of the shader that the scene states; null if the shader has no scene.
///
/// # Errors
/// The scene is wrong.
pub fn describe(file: &Path, a: &Arguments) -> Result<ExitCode, Failure> {
    let scene = match file.extension().is_some_and(|e| e == "hlsl") {
        true => Scene::of_shader(file, a.scene.as_deref())?,
        false => Some(Scene::of(file)?),
    };
    let out = json!({ "scene": scene.as_ref().map(|s| &s.path), "arguments": scene.as_ref().map(compile::options) });
    rtc_base::say!("{out:#}");
    Ok(ExitCode::SUCCESS)
}

/// Writes the results, if the arguments ask for them.
///
/// # Errors
/// The file cannot be written.
pub fn write(shader: &Path, scene: Option<&Scene>, done: &Result<RunReport, Failure>, a: &Arguments) -> Result<(), Failure> {
    let Some(file) = &a.results else { return Ok(()) };
    let (error, no_device) = match done {
        Ok(_) => (None, false),
        Err(Failure::Error(why)) => (Some(why), false),
        Err(Failure::NoDevice(why)) => (Some(why), true),
    };
    let report = done.as_ref().ok();
    let checks = report.and_then(|r| r.checks.as_ref());
    let inputs: Vec<PathBuf> = scene.iter().flat_map(|s| std::iter::once(s.path.clone()).chain(s.files())).collect();
    let out = json!({
        "scene": path(shader, scene, a),
        "inputs": inputs,
        "error": error,
        "no_device": no_device,
        "warnings": report.map_or(&[][..], |r| &r.warnings),
        "outputs": report.map_or(&[][..], |r| &r.files),
        "findings": report.map_or(Vec::new(), |r| r.findings.iter().map(rtc_host::Finding::json).collect::<Vec<Value>>()),
        "profiles": report.map_or(&[][..], |r| &r.coherence),
        "checks": checks.map(|c| json!({ "made": c.made, "failed": c.failed, "failures": c.failures })),
    });
    rtc_host::run::write_atomically(file, format!("{out:#}\n").as_bytes()).map_err(Failure::from)
}

/// The file of the scene; of one that cannot be read, the file that names it.
fn path(shader: &Path, scene: Option<&Scene>, a: &Arguments) -> Option<PathBuf> {
    match scene {
        Some(scene) => Some(scene.path.clone()),
        None => match Scene::of_shader(shader, a.scene.as_deref()) {
            Ok(None) => None,
            _ => Some(a.scene.clone().unwrap_or_else(|| shader.to_path_buf())),
        },
    }
}
