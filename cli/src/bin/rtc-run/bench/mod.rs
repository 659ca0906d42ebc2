//! `rtc run --bench MANIFEST`: measures the packages that a manifest lists, each scene in a process of its own, and reports ratios.
//!
//! The manifest and all that it names are files of one folder, the *bundle*, so that a machine without a compiler can measure
//! (`cargo xtask bench gpu` makes one). A scene has several *forms*: packages of the same shaders, made by different compilers or options. They must save
//! the same results, or their times say nothing; then they take turns, so that whatever else the machine does hits all of them.

mod job;
mod manifest;
mod report;

use crate::Failure;
use manifest::Manifest;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The arguments of a measurement.
#[derive(Clone, PartialEq, Debug)]
pub struct Bench {
    /// The manifest.
    pub manifest: PathBuf,
    /// Scenes whose names contain this; empty: all.
    pub only: String,
    /// Set in the process that measures one scene: its number in the manifest.
    pub job: Option<usize>,
}

/// The files that are written.
const FILES: [&str; 2] = ["gpu-bench.json", "gpu-bench.md"];

/// Measures, prints the table as Markdown, and writes both files into `output`. The exit status is a failure if some form fails, or has other
/// results than the first.
///
/// # Errors
/// The manifest is wrong, no scene has a name that contains [`Bench::only`], nothing could run, or a file cannot be written.
pub fn run(bench: &Bench, device: Option<&str>, output: &Path) -> Result<ExitCode, Failure> {
    let manifest = Manifest::read(&bench.manifest)?;
    if let Some(n) = bench.job {
        rtc_base::say!("{}", job::measure(&manifest, manifest.job(n)?, device));
        return Ok(ExitCode::SUCCESS);
    }
    let wanted: Vec<usize> = (0..manifest.jobs.len()).filter(|&n| manifest.jobs[n].name.contains(&bench.only)).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = manifest.jobs.iter().map(|j| j.name.as_str()).collect();
        return Err(error(format!("no scene `{}` in `{}`; there are {}", bench.only, bench.manifest.display(), names.join(", "))));
    }
    std::fs::create_dir_all(output).map_err(|e| error(format!("cannot create `{}`: {e}", output.display())))?;
    let mut jobs = Vec::new();
    for (at, &n) in wanted.iter().enumerate() {
        eprintln!("{} of {}: {}", at + 1, wanted.len(), manifest.jobs[n].name);
        jobs.push(apart(&bench.manifest, n, device).unwrap_or_else(|why| json!({ "name": manifest.jobs[n].name, "error": why })));
    }
    let all = json!({
        "turns": manifest.turns, "repeat": manifest.repeat, "scale": manifest.scale,
        "device": jobs.iter().find_map(|j| j.get("device")), "jobs": jobs, "means": report::means(&jobs),
    });
    let table = report::markdown(&all);
    rtc_base::stdout::put(format_args!("{table}"));
    for (name, text) in FILES.iter().zip([format!("{all:#}\n"), table]) {
        let file = output.join(name);
        rtc_host::run::write_atomically(&file, text.as_bytes())?;
        eprintln!("wrote {}", file.display());
    }
    let wrong = report::wrong(&all);
    if report::measured(&all) == 0 {
        return Err(Failure::NoDevice(format!("rtc run: error: nothing could be measured\n{}", wrong.join("\n"))));
    }
    match wrong.is_empty() {
        true => Ok(ExitCode::SUCCESS),
        false => Err(Failure::Error(wrong.join("\n"))),
    }
}

fn error(why: impl std::fmt::Display) -> Failure {
    Failure::Error(format!("rtc run: error: {why}"))
}

/// What a process of its own says of a scene: a driver that crashes takes no other scene along.
fn apart(manifest: &Path, n: usize, device: Option<&str>) -> Result<Value, String> {
    let me = std::env::current_exe().map_err(|e| format!("cannot find the path of this program: {e}"))?;
    let mut command = Command::new(me);
    command.arg("--bench").arg(manifest).args(["--bench-job", &n.to_string()]);
    if let Some(device) = device {
        command.args(["--device", device]);
    }
    let done = command.stdin(Stdio::null()).output().map_err(|e| format!("cannot start this program: {e}"))?;
    let messages = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() {
        let last = messages.trim().lines().last().unwrap_or_default().to_string();
        return Err(format!("its process ended with {} {last}", done.status).trim().to_string());
    }
    let text = String::from_utf8_lossy(&done.stdout);
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).map_err(|e| format!("its process printed no result ({e})"))
}
