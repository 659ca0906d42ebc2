//! `rtc-run`: runs a scene. What `rtc run` starts.
//!
//! The scene names a shader source; the program in the environment variable `RTC` (or `rtc` beside this program, or on
//! the PATH) compiles it into a runtime package first.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use rtc_runtime::run::{RunOptions, run_scene};
use rtc_runtime::scene::Scene;

const USAGE: &str = "usage: rtc run SCENE.toml [-o FOLDER] [--device NAME|INDEX]
       rtc run --list-devices

Runs the scene on a Vulkan device with ray tracing and writes the images and buffers that it saves.

  -o FOLDER              where the files go (default: the current folder)
  --device NAME|INDEX    which device: a part of its name, or its number in the list
  --list-devices         lists the devices, and why a device cannot be used";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(1)
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<(), String> {
    let mut options = RunOptions::default();
    let mut file = None;
    while let Some(a) = args.next() {
        let mut value = |what: &str| args.next().ok_or_else(|| format!("rtc run: error: option `{a}` wants {what}"));
        match a.as_str() {
            "-h" | "-help" | "--help" => {
                println!("{USAGE}");
                return Ok(());
            }
            "-o" => options.output = PathBuf::from(value("a folder")?),
            "--device" => options.device = Some(value("a device")?),
            "--list-devices" => {
                print!("{}", rtc_runtime::vulkan::list_devices().map_err(|e| e.to_string())?);
                return Ok(());
            }
            a if a.starts_with('-') => return Err(format!("rtc run: error: unknown option `{a}`\n{USAGE}")),
            _ if file.is_none() => file = Some(PathBuf::from(a)),
            _ => return Err(format!("rtc run: error: one scene at a time\n{USAGE}")),
        }
    }
    let Some(file) = file else { return Err(format!("rtc run: error: no scene given\n{USAGE}")) };
    let scene = Scene::read(&file).map_err(|e| e.to_string())?;
    let package = package(&scene)?;
    let report = run_scene(&scene, &package, &options).map_err(|e| e.to_string())?;
    for w in &report.warnings {
        eprintln!("rtc run: warning: {w}");
    }
    print!("{report}");
    Ok(())
}

/// The scene's package: read, or compiled from its source.
fn package(scene: &Scene) -> Result<Vec<u8>, String> {
    let folder = scene.path.parent().unwrap_or(Path::new(""));
    let read = |p: &Path| std::fs::read(p).map_err(|e| format!("rtc run: error: cannot read `{}`: {e}", p.display()));
    let Some(source) = &scene.shader.source else {
        let package = scene.shader.package.as_ref().expect("a scene has a source or a package");
        return read(&folder.join(package));
    };
    let beside = || std::env::current_exe().ok().map(|me| me.with_file_name(format!("rtc{}", std::env::consts::EXE_SUFFIX)));
    let compiler = std::env::var_os("RTC")
        .map(PathBuf::from)
        .or_else(|| beside().filter(|rtc| rtc.exists()))
        .unwrap_or_else(|| PathBuf::from("rtc"));
    let out = std::env::temp_dir().join(format!("rtc-run-{}.rtp", std::process::id()));
    let mut command = Command::new(&compiler);
    command.arg("-T").arg(&scene.shader.profile).arg("-spirv").arg("-Fo").arg(&out);
    for d in &scene.shader.defines {
        command.arg("-D").arg(d);
    }
    command.args(&scene.shader.args).arg(folder.join(source));
    let status = command.status().map_err(|e| format!("rtc run: error: cannot start `{}`: {e}", compiler.display()))?;
    if !status.success() {
        return Err(format!("rtc run: error: `{}` does not compile", folder.join(source).display()));
    }
    let bytes = read(&out);
    _ = std::fs::remove_file(&out);
    bytes
}
