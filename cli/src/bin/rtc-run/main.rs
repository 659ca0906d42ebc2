//! `rtc-run`, the program of `rtc run`: runs a scene, a shader that checks its own results, or a folder of those.
//!
//! The scene names a shader source, which is compiled into a runtime package first: by the program in the environment variable `RTC`, by `rtc` in
//! the folder of this program, or by `rtc` on the PATH.

mod folder;
mod shader;
mod spirv_options;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use rtc_runtime::run::{CPU, RunOptions, RunReport, extensions_to_name, is_cpu, run_scene};
use rtc_runtime::scene::Scene;
use rtc_runtime::{ErrorKind, RunError};

const USAGE: &str = "usage: rtc run SCENE.toml|SHADER.hlsl [-o FOLDER] [--device NAME|INDEX] [--repeat N] [--with FILE.rtp] [-- OPTIONS]
       rtc run --all FOLDER [--device NAME|INDEX, settings of the CPU device] [-- OPTIONS]
       rtc run --list-devices

Runs the scene on a Vulkan device with ray tracing and writes the images and buffers that it saves.
If no device can run the package, it is compiled again with -fspv-extension for the extensions of the device. If no Vulkan
device is suitable, the CPU device runs it from DXIL, unless a device is specified.
A shader has directives in its first lines: `// rtc -T lib_6_9` are compiler options, `// scene: PATH` is its scene.

  -o FOLDER              the output folder (default: the current folder)
  --device NAME|INDEX    the device: a part of its name, or its number in the list; `vulkan` is any of those; `cpu` runs
                         DXIL on the processor
  --profile FILE.png     CPU device: a table of the hit groups and hints per wave at each reorder point, without and with
                         reordering, and a heat map of the hit groups in each ray's wave
  --sanitize             CPU device: report undefined behaviour of shaders
  --budget N             CPU device: loop iterations after which a thread is stopped (default: 1000000000)
  --lanes N              CPU device: lanes of a wave, a power of two up to 128 (default: 32)
  --threads N            CPU device: threads (default: one for each core)
  --stack KIB            CPU device: stack of a thread in KiB (default: 16384)
  --list-devices         list the devices, and why a device cannot be used
  --repeat N             run each dispatch N times and print the fastest time
  --with FILE.rtp        add the shaders of another package to the pipeline; may be repeated
  --all FOLDER           run every shader of the folder, each in its own process, and print the results
  -- OPTIONS             further options for the compiler, after those of the scene and the shader

Exit status: 0 for success; 1 for failure, including checks of shaders; 3 if no device can run it.";

/// The exit status where no device can run a scene.
const NO_DEVICE: u8 = 3;

/// The note about the fallback from Vulkan to the CPU device.
const FALLS_BACK: &str = "so the CPU device runs it, from DXIL";

/// Why a run failed.
enum Failure {
    /// An error.
    Error(String),
    /// No device can run it, and why.
    NoDevice(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Error(message)
    }
}

impl From<RunError> for Failure {
    fn from(e: RunError) -> Self {
        match e.kind {
            ErrorKind::NoDevice => Failure::NoDevice(e.to_string()),
            _ => Failure::Error(e.to_string()),
        }
    }
}

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(code) => code,
        Err(Failure::Error(message)) => {
            eprintln!("{message}");
            ExitCode::from(1)
        }
        Err(Failure::NoDevice(message)) => {
            eprintln!("{message}");
            ExitCode::from(NO_DEVICE)
        }
    }
}

/// A number above zero.
#[cfg(feature = "cpu")]
fn number(text: String) -> Result<u32, String> {
    let n = text.parse().ok().filter(|n| *n > 0);
    n.ok_or_else(|| format!("rtc run: error: expected a number above zero, found `{text}`"))
}

fn run(args: impl Iterator<Item = String>) -> Result<ExitCode, Failure> {
    let words: Vec<String> = args.collect();
    let settings = folder::settings(&words);
    let mut args = words.into_iter();
    let mut options = RunOptions::default();
    let mut file = None;
    let mut all = None;
    let mut more = Vec::new();
    while let Some(a) = args.next() {
        let mut value = |what: &str| args.next().ok_or_else(|| format!("rtc run: error: option `{a}` requires {what}"));
        match a.as_str() {
            "-h" | "-help" | "--help" => {
                println!("{USAGE}");
                return Ok(ExitCode::SUCCESS);
            }
            "-o" => options.output = PathBuf::from(value("a folder")?),
            "--device" => options.device = Some(value("a device")?),
            "--repeat" => {
                let n = value("a number")?;
                let count = n.parse().ok().filter(|n| *n > 0);
                options.repeat = Some(count.ok_or_else(|| format!("rtc run: error: expected a number above zero, found `{n}`"))?);
            }
            #[cfg(feature = "cpu")]
            "--sanitize" => {
                options.cpu.lower.sanitize = true;
                more.push("-Zi".into());
                more.push("-Qembed_debug".into());
            }
            #[cfg(feature = "cpu")]
            "--profile" => {
                let file = PathBuf::from(value("a PNG file")?);
                if file.extension().is_none_or(|e| !e.eq_ignore_ascii_case("png")) {
                    return Err(format!("rtc run: error: expected the name of a PNG file, found `{}`", file.display()).into());
                }
                options.profile = Some(file);
                more.push("-Zi".into());
                more.push("-Qembed_debug".into());
            }
            #[cfg(feature = "cpu")]
            "--budget" => options.cpu.limits.budget = i64::from(number(value("a number of iterations")?)?),
            #[cfg(feature = "cpu")]
            "--lanes" => {
                let n = value("a number of lanes")?;
                let lanes = n.parse().ok().filter(|n: &u32| n.is_power_of_two() && (1..=128).contains(n));
                options.cpu.limits.lanes =
                    lanes.ok_or_else(|| format!("rtc run: error: expected a power of two from 1 to 128, found `{n}`"))?;
            }
            #[cfg(feature = "cpu")]
            "--threads" => options.cpu.threads = number(value("a number of threads")?)? as usize,
            #[cfg(feature = "cpu")]
            "--stack" => options.cpu.limits.stack = (number(value("a number of KiB")?)? as usize) << 10,
            #[cfg(not(feature = "cpu"))]
            "--sanitize" | "--profile" | "--budget" | "--lanes" | "--threads" | "--stack" => {
                return Err(
                    format!("rtc run: error: `{a}` requires the CPU device, which this build does not have (cargo feature `cpu`)").into()
                );
            }
            "--with" => {
                let name = value("a package")?;
                let bytes = std::fs::read(&name).map_err(|e| format!("rtc run: error: cannot read `{name}`: {e}"))?;
                options.additional.push((name, bytes));
            }
            "--all" => all = Some(PathBuf::from(value("a folder")?)),
            "--list-devices" => {
                match rtc_runtime::vulkan::list_devices() {
                    Ok(list) => print!("{list}"),
                    Err(e) => println!("{}", e.to_string().trim_end()),
                }
                println!(
                    "{CPU}: {}",
                    if cfg!(feature = "cpu") { "usable, runs DXIL" } else { "this build has none (cargo feature `cpu`)" }
                );
                return Ok(ExitCode::SUCCESS);
            }
            "--" => more.extend(args.by_ref()),
            a if a.starts_with('-') => return Err(format!("rtc run: error: unknown option `{a}`\n{USAGE}").into()),
            _ if file.is_none() => file = Some(PathBuf::from(a)),
            _ => return Err(format!("rtc run: error: more than one scene given\n{USAGE}").into()),
        }
    }
    #[cfg(feature = "cpu")]
    if options.profile.is_some() && all.is_some() {
        return Err("rtc run: error: `--profile` cannot be combined with `--all`".to_string().into());
    }
    let cpu = is_cpu(options.device.as_deref());
    #[cfg(feature = "cpu")]
    if let Some(name) = options.profile.as_ref().map(|_| "--profile").or(settings.first().map(String::as_str)).filter(|_| !cpu) {
        return Err(format!("rtc run: error: `{name}` requires `--device {CPU}`").into());
    }
    if let Some(folder) = all {
        return match file {
            None => folder::run(&folder, options.device.as_deref(), &settings, &more),
            Some(_) => Err(format!("rtc run: error: a scene or `--all`, not both\n{USAGE}").into()),
        };
    }
    let Some(file) = file else { return Err(format!("rtc run: error: no scene given\n{USAGE}").into()) };
    let scene = match file.extension().is_some_and(|e| e == "hlsl") {
        true => shader::scene(&file)?,
        false => Scene::read(&file)?,
    };
    let made = package(&scene, &more, cpu)?;
    let report = match run_scene(&scene, &made, &options) {
        Err(e) if e.kind == ErrorKind::NoDevice && !cpu => elsewhere(&scene, &made, e, more, options)?,
        done => done?,
    };
    for w in &report.warnings {
        eprintln!("rtc run: warning: {w}");
    }
    print!("{report}");
    if !report.findings.is_empty() {
        let found: Vec<String> = report.findings.iter().map(|f| format!("sanitizer: {f}")).collect();
        return Err(Failure::Error(found.join("\n")));
    }
    match report.checks {
        Some(checks) if !checks.passed() => Err(Failure::Error(checks.to_string())),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Runs a scene again whose package every Vulkan device `refused`: compiled for the one at hand, or else, if no device was
/// named, from DXIL on the CPU device.
fn elsewhere(scene: &Scene, made: &[u8], refused: RunError, mut more: Vec<String>, mut options: RunOptions) -> Result<RunReport, Failure> {
    let refused = match for_the_device(scene, made, more.clone(), options.device.as_deref()) {
        // Its extensions are not sufficient, which is why it cannot run this.
        Err(why) => refused.note(why),
        Ok(None) => refused,
        Ok(Some(other)) => match run_scene(scene, &other, &options) {
            Err(e) if e.kind == ErrorKind::NoDevice => e,
            done => return Ok(done?),
        },
    };
    // What is compiled already is SPIR-V, which the CPU device does not run.
    if options.device.is_some() || scene.shader.source.is_none() || !options.additional.is_empty() {
        return Err(refused.into());
    }
    if !cfg!(feature = "cpu") {
        return Err(refused.note("a build with the CPU device could run it from DXIL (cargo feature `cpu`)").into());
    }
    eprintln!("rtc run: note: {}", refused.note(FALLS_BACK));
    options.device = Some(CPU.into());
    // The first compilation printed them.
    more.push("-no-warnings".into());
    let container = package(scene, &more, true)?;
    Ok(run_scene(scene, &container, &options)?)
}

/// The scene's package compiled again, for the device at hand: `refused` asks for an extension that it lacks, and for some the
/// compiler has an answer without. None: it cannot be compiled otherwise, or the options say already what the device has.
fn for_the_device(scene: &Scene, refused: &[u8], mut more: Vec<String>, device: Option<&str>) -> Result<Option<Vec<u8>>, String> {
    let says = |o: &String| o.trim_start_matches('-').starts_with("fspv-extension");
    if scene.shader.source.is_none() || scene.shader.args.iter().chain(&more).any(says) {
        return Ok(None);
    }
    // Without a device there is nothing to compile for: the reason of the refusal says more than this error.
    let Ok(Some(has)) = extensions_to_name(refused, device) else { return Ok(None) };
    more.extend(has.iter().map(|name| format!("-fspv-extension={name}")));
    // The first compilation printed them.
    more.push("-no-warnings".into());
    package(scene, &more, false).map(Some)
}

/// The scene's package, or its DXIL for the CPU device: read, or compiled from its source with `more` options.
fn package(scene: &Scene, more: &[String], cpu: bool) -> Result<Vec<u8>, String> {
    let folder = scene.path.parent().unwrap_or(Path::new(""));
    let read = |p: &Path| std::fs::read(p).map_err(|e| format!("rtc run: error: cannot read `{}`: {e}", p.display()));
    let Some(source) = &scene.shader.source else {
        let package = scene.shader.package.as_ref().expect("a scene has a source or a package");
        return read(&folder.join(package));
    };
    let sibling = || std::env::current_exe().ok().map(|me| me.with_file_name(format!("rtc{}", std::env::consts::EXE_SUFFIX)));
    let compiler =
        std::env::var_os("RTC").map(PathBuf::from).or_else(|| sibling().filter(|rtc| rtc.exists())).unwrap_or_else(|| PathBuf::from("rtc"));
    let out = std::env::temp_dir().join(format!("rtc-run-{}.{}", std::process::id(), if cpu { "dxil" } else { "rtp" }));
    let mut command = Command::new(&compiler);
    command.arg("-T").arg(&scene.shader.profile).arg("-Fo").arg(&out);
    let mut own: Vec<String> = scene.shader.args.iter().chain(more).cloned().collect();
    if cpu {
        own = spirv_options::without(&own);
    } else {
        command.arg("-spirv");
        // The compiler does not see the scene; local root signatures may be associated with its hit groups.
        for g in &scene.overrides.hit_groups {
            command.arg(format!("-hit-group={}={},{},{}", g.name, g.closest_hit, g.any_hit, g.intersection));
        }
    }
    for d in &scene.shader.defines {
        command.arg("-D").arg(d);
    }
    command.args(own).arg(folder.join(source));
    let status = command.status().map_err(|e| format!("rtc run: error: cannot start `{}`: {e}", compiler.display()))?;
    if !status.success() {
        return Err(format!("rtc run: error: `{}` does not compile", folder.join(source).display()));
    }
    let bytes = read(&out);
    _ = std::fs::remove_file(&out);
    bytes
}
