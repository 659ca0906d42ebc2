//! `rtc run --all FOLDER`: runs every shader of a folder that names a scene, each in its own process: a driver that fails does not
//! affect the others, and some drivers allow one device per process.

use crate::Failure;
use rtc_host::scene::Directives;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::time::Instant;

/// An option for every shader, and whether a value follows.
type Setting = (&'static str, bool);

/// Options of forms and of divided shaders.
pub const WAVEFRONT: [Setting; 4] =
    [("--ser-form", true), ("--ser-cache", true), ("--wavefront-memory", true), ("--wavefront-iterations", true)];

/// Options of the CPU device.
pub const CPU: [Setting; 5] = [("--sanitize", false), ("--budget", true), ("--lanes", true), ("--threads", true), ("--stack", true)];

/// Those of `all` among the words of a command line, with their values.
pub fn settings(words: &[String], all: &[Setting]) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = words.iter().take_while(|w| *w != "--");
    while let Some(word) = words.next() {
        if let Some((_, value)) = all.iter().find(|(name, _)| name == word) {
            out.push(word.clone());
            out.extend(value.then(|| words.next().cloned()).flatten());
        }
    }
    out
}

/// Runs them and prints a line for each, then how many passed, failed and were skipped. It is a failure if one failed, or
/// none could run.
///
/// # Errors
/// The folder cannot be read, or has no such shader.
pub fn run(folder: &Path, device: Option<&str>, settings: &[String], options: &[String]) -> Result<ExitCode, Failure> {
    let shaders = shaders(folder).map_err(|e| format!("rtc run: error: cannot read `{}`: {e}", folder.display()))?;
    if shaders.is_empty() {
        return Err(format!("rtc run: error: no shader in `{}` has a line `// scene: …`", folder.display()).into());
    }
    let me = std::env::current_exe().map_err(|e| format!("rtc run: error: cannot find the path of this program: {e}"))?;
    let (mut passed, mut failed, mut skipped, mut checks) = (0, Vec::new(), 0, 0);
    let started = Instant::now();
    for path in &shaders {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut command = Command::new(&me);
        command.arg(path).arg("-o").arg(std::env::temp_dir());
        if let Some(device) = device {
            command.args(["--device", device]);
        }
        command.args(settings).arg("--").args(options);
        let begun = Instant::now();
        let done = command.output().map_err(|e| format!("rtc run: error: cannot start `{}`: {e}", me.display()))?;
        let ms = begun.elapsed().as_millis();
        match done.status.code() {
            Some(0) => {
                let check_count = check_count(&done);
                rtc_base::say!("pass  {name} ({check_count} checks, {ms} ms{})", if fell_back(&done) { ", on the CPU device" } else { "" });
                passed += 1;
                checks += check_count;
            }
            Some(code) if code == i32::from(crate::NO_DEVICE) => {
                rtc_base::say!("skip  {name}: {}", messages(&done).replace('\n', "\n        "));
                skipped += 1;
            }
            code => {
                let how = code.map_or_else(|| done.status.to_string(), |c| format!("status {c}"));
                rtc_base::say!("FAIL  {name} ({how}, {ms} ms)\n        {}", messages(&done).replace('\n', "\n        "));
                failed.push(name.into_owned());
            }
        }
    }
    rtc_base::say!(
        "{} shaders: {passed} passed with {checks} checks, {} failed, {skipped} skipped, in {:.1} s",
        shaders.len(),
        failed.len(),
        started.elapsed().as_secs_f64()
    );
    if !failed.is_empty() {
        rtc_base::say!("failed: {}", failed.join(" "));
    }
    Ok(if failed.is_empty() && passed != 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The shaders of a folder that name a scene, sorted.
fn shaders(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "hlsl") && Directives::of(&std::fs::read_to_string(&path)?).scene.is_some() {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

/// The error messages of a run.
fn messages(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).trim().to_string()
}

/// Whether a run fell back to the CPU device.
fn fell_back(done: &Output) -> bool {
    String::from_utf8_lossy(&done.stderr).contains(crate::FALLS_BACK)
}

/// The number of checks of a run.
fn check_count(done: &Output) -> usize {
    let out = String::from_utf8_lossy(&done.stdout);
    let line = out.lines().find_map(|l| l.strip_prefix("checks "));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{CPU, WAVEFRONT, settings};

    #[test]
    fn settings_are_passed_on() {
        let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        assert_eq!(settings(&words("--all x --lanes 8 --device cpu --sanitize -- --stack 3"), &CPU), ["--lanes", "8", "--sanitize"]);
        assert_eq!(settings(&words("--all x --budget"), &CPU), ["--budget"]);
        let both = words("--wavefront-memory 4 --all x --lanes 8 --wavefront-iterations 2");
        assert_eq!(settings(&both, &WAVEFRONT), ["--wavefront-memory", "4", "--wavefront-iterations", "2"]);
        assert_eq!(settings(&both, &CPU), ["--lanes", "8"]);
    }
}
