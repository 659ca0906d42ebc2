//! `rtc-run`, the program of `rtc run`: runs a scene, a shader that checks its own results, or a folder of those.
//!
//! The scene names a shader source, which is compiled into a runtime package first (`compile`).

mod arguments;
mod bench;
mod compile;
mod default_device;
mod folder;
#[cfg(feature = "cpu")]
mod live_state;
mod parent;
mod progress;
mod results;
mod spirv_options;
mod timings;
mod watch;
#[cfg(any(feature = "window", test))]
mod window;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use arguments::{Arguments, Request};
use default_device::Attempt;
use rtc_host::run::{CPU, RunReport, run_scene};
use rtc_host::scene::Scene;
use rtc_host::{ErrorKind, RunError};
#[cfg(feature = "window")]
use window::show as in_window;

/// The exit status where no device can run a scene.
const NO_DEVICE: u8 = 3;

/// The note about the fallback from Vulkan to the CPU device.
const FALLS_BACK: &str = "so the CPU device runs it, from DXIL";

/// Why a run failed.
#[derive(Clone)]
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
    match run(std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect()) {
        Ok(code) => code,
        Err(Failure::Error(message)) => {
            eprintln!("{}", labelled(&message, "error"));
            ExitCode::from(1)
        }
        Err(Failure::NoDevice(message)) => {
            eprintln!("{}", labelled(&message, "error"));
            ExitCode::from(NO_DEVICE)
        }
    }
}

/// A message with its severity: after its place, `scene.toml:4: error: ...`, or else after the name of the program.
fn labelled(message: &str, severity: &str) -> String {
    let label = format!("{severity}: ");
    if message.starts_with("rtc run: ") || message.starts_with("sanitizer: ") {
        return message.to_owned();
    }
    match place(message) {
        Some(end) if message[end..].starts_with(&label) => message.to_owned(),
        Some(end) => format!("{}{label}{}", &message[..end], &message[end..]),
        None => format!("rtc run: {label}{message}"),
    }
}

/// The length of the place at the start of a message: `FILE:LINE: ` or `FILE:LINE:COLUMN: `.
fn place(message: &str) -> Option<usize> {
    let line = message.lines().next()?;
    let end = line.find(": ")?;
    let numbers = line[..end].rsplit(':').take_while(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())).count();
    (numbers > 0).then_some(end + 2)
}

fn run(words: Vec<String>) -> Result<ExitCode, Failure> {
    parent::follow();
    let mut a = arguments::parse(words)?;
    if a.until_eof {
        std::thread::spawn(|| {
            // An error is an end, too.
            _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            std::process::exit(1);
        });
    }
    match &a.request {
        Request::Help => rtc_base::say!("{}", arguments::USAGE),
        Request::ListDevices => list_devices(),
        Request::DeviceInfo { json } => device_info(*json),
        Request::All(folder, settings) => return folder::run(folder, a.options.device.as_deref(), settings, &a.more),
        Request::Bench(b) => return bench::run(b, a.options.device.as_deref(), &a.options.output),
        Request::Run(file) => {
            let file = file.clone();
            if a.describe {
                return results::describe(&file, &a);
            }
            if a.window {
                return in_window(&file, &a);
            }
            a.options.progress = progress::observer(a.quiet);
            #[cfg(feature = "cpu")]
            let _report = live_state::request(&mut a);
            return match a.watch {
                true => watch::watch(&file, &a),
                false => once(&file, read(&file, &a), &a),
            };
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// There is no window in this build.
#[cfg(not(feature = "window"))]
fn in_window(_file: &Path, _a: &Arguments) -> Result<ExitCode, Failure> {
    let why = "`--window` requires a build with the cargo feature `window`: cargo build -p rtc-cli --features window";
    Err(Failure::Error(format!("rtc run: error: {why}")))
}

fn list_devices() {
    match rtc_host::vulkan::list_devices() {
        Ok(list) => rtc_base::stdout::put(format_args!("{list}")),
        Err(e) => rtc_base::say!("{}", e.to_string().trim_end()),
    }
    rtc_base::say!("{CPU}: {}", if cfg!(feature = "cpu") { "usable, runs DXIL" } else { "this build has none (cargo feature `cpu`)" });
}

fn device_info(json: bool) {
    let devices = rtc_host::capabilities::devices();
    if json {
        let list: Vec<serde_json::Value> = devices.iter().map(|d| d.json()).collect();
        rtc_base::say!("{:#}", serde_json::Value::from(list));
    } else {
        for d in devices {
            rtc_base::stdout::put(format_args!("{d}"));
        }
    }
}

/// The scene of a file: a scene, or a shader that has one.
fn read(file: &Path, a: &Arguments) -> Result<Scene, Failure> {
    if a.scene.is_some()
        && let Some(scene) = Scene::of_shader(file, a.scene.as_deref())?
    {
        return Ok(scene);
    }
    Ok(Scene::of(file)?)
}

/// Compiles and runs the scene of a file once, prints the report, and writes the results.
fn once(file: &Path, scene: Result<Scene, Failure>, a: &Arguments) -> Result<ExitCode, Failure> {
    let done = scene.as_ref().map_or_else(|e| Err(e.clone()), |scene| ran(scene, a));
    results::write(file, scene.as_ref().ok(), &done, a)?;
    verdict(&done?)
}

/// Compiles and runs a scene, and prints the report.
fn ran(scene: &Scene, a: &Arguments) -> Result<RunReport, Failure> {
    let cpu = a.cpu();
    let started = Instant::now();
    let why = match default_device::attempt(scene, a) {
        Attempt::None => None,
        Attempt::Ran(report) => return told(*report, a, Duration::ZERO),
        Attempt::No(why) => Some(why),
        Attempt::Failed(e) => return Err(e.into()),
    };
    let (made, only_dxil) = match compile::package(scene, &a.more, cpu) {
        Err(why) if !cpu => match compile::for_the_cpu(scene, &a.more, &a.options) {
            Some(container) => {
                eprintln!("rtc run: note: it does not compile for Vulkan, {FALLS_BACK}");
                (container, true)
            }
            None => return Err(why.into()),
        },
        made => (made?, false),
    };
    let compiled = started.elapsed();
    #[cfg(feature = "cpu")]
    let a = &live_state::read(a)?;
    let mut options = a.options.clone();
    if only_dxil {
        options.device = Some(rtc_host::run::CPU.into());
    }
    let report = match run_scene(scene, &made, &options) {
        Err(e) if e.kind == ErrorKind::NoDevice && !cpu => {
            compile::elsewhere(scene, &made, e, a.more.clone(), a.options.clone(), |package, options| run_scene(scene, package, options))?
        }
        done => done?,
    };
    if a.options.device.is_none() && report.device.software_driver {
        eprintln!("rtc run: note: {}", default_device::note(&report.device.name, why.as_deref()));
    }
    told(report, a, compiled)
}

/// Prints the report and what it warns of, and writes timings.
fn told(report: RunReport, a: &Arguments, compiled: Duration) -> Result<RunReport, Failure> {
    for w in &report.warnings {
        eprintln!("{}", labelled(w, "warning"));
    }
    if let Some(file) = &a.timings {
        timings::write(file, &report, compiled)?;
    }
    // The standard output is either for people or for programs.
    if a.timings.as_deref() != Some(Path::new("-")) {
        rtc_base::stdout::put(format_args!("{report}"));
    }
    Ok(report)
}

/// Whether what the shaders checked is right.
fn verdict(report: &RunReport) -> Result<ExitCode, Failure> {
    if !report.findings.is_empty() {
        let found: Vec<String> = report.findings.iter().map(|f| format!("sanitizer: {f}")).collect();
        return Err(Failure::Error(found.join("\n")));
    }
    match &report.checks {
        Some(checks) if !checks.passed() => Err(Failure::Error(checks.to_string())),
        _ => Ok(ExitCode::SUCCESS),
    }
}

#[cfg(test)]
mod tests {
    use super::labelled;

    #[test]
    fn every_message_has_its_severity() {
        let of = |message| labelled(message, "error");
        assert_eq!(of("a b.toml:42: `accel`: no"), "a b.toml:42: error: `accel`: no");
        assert_eq!(of("C:\\a.toml:4: no\n  note: x"), "C:\\a.toml:4: error: no\n  note: x");
        assert_eq!(of("a.hlsl:1:2: error: no"), "a.hlsl:1:2: error: no");
        assert_eq!(of("cannot read `a.toml`: no such file"), "rtc run: error: cannot read `a.toml`: no such file");
        assert_eq!(of("rtc run: error: no"), "rtc run: error: no");
    }
}
