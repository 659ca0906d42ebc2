//! Rays per second of samples that trace in more than one way: the forms side by side, on the device that this machine has.
//!
//! Such a sample counts its rays in a buffer that its scene saves as `rays.json`. Each form runs several times, and the
//! fastest counts: the first also compiles shaders on some devices.

use std::path::Path;
use std::process::Command;

use crate::plan::{self, Sample};
use crate::progress::Step;

/// Samples with several forms: each has a name and the options that make it.
const FORMS: [(&str, &[(&str, &[&str])]); 1] =
    [("ser-pathtracer", &[("TraceRay", &["-D", "TRACE_RAY"]), ("hit objects", &["-fspv-ser=auto"])])];

/// How often each form runs.
const REPEAT: u32 = 4;

/// Runs every form of every sample that has some and prints a line for each.
///
/// # Errors
/// When a form does not run, or says nothing that can be read.
pub fn run(samples: &[Sample], dir: &Path) -> Result<(), String> {
    println!("\nrays per second, in millions, the fastest of {REPEAT} dispatches");
    println!("{:<16} {:<12} {:>10} {:>10} {:>8}  device", "sample", "form", "ms", "Mrays/s", "ratio");
    for (name, forms) in FORMS {
        let sample = samples.iter().find(|s| s.name == name).ok_or_else(|| format!("there is no sample `{name}`"))?;
        let mut first = None;
        for (form, options) in forms {
            let step = Step::new(format!("Running {name} with {form}"));
            let done = measure(sample, options, dir).map_err(|e| format!("{name} with {form}: {e}"));
            step.done();
            let Run { ms, rays, device } = done?;
            let speed = rays / ms / 1e3;
            let ratio = speed / *first.get_or_insert(speed);
            println!("{name:<16} {form:<12} {ms:>10.1} {speed:>10.2} {ratio:>8.2}  {device}");
        }
    }
    Ok(())
}

/// What one form did.
struct Run {
    /// Of the fastest dispatch.
    ms: f64,
    /// Of one dispatch.
    rays: f64,
    device: String,
}

fn measure(sample: &Sample, options: &[&str], dir: &Path) -> Result<Run, String> {
    let scene = sample.scene.as_deref().ok_or("it has no scene")?;
    let mut command = Command::new(plan::program("rtc-run", true));
    command.arg(scene).arg("-o").arg(dir).args(["--repeat", &REPEAT.to_string()]).arg("--").args(options);
    let done = command.output().map_err(|e| format!("cannot start rtc-run: {e}"))?;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).trim().to_string());
    }
    let out = String::from_utf8_lossy(&done.stdout).into_owned();
    let text = std::fs::read_to_string(dir.join("rays.json")).map_err(|e| format!("rays.json: {e}"))?;
    read(&out, &text).ok_or_else(|| format!("nobody understands:\n{out}{text}"))
}

/// Reads what `rtc-run` printed and the saved count.
fn read(out: &str, count: &str) -> Option<Run> {
    let fastest = out.lines().find(|l| l.starts_with("dispatch"))?.rsplit_once("the fastest ")?.1;
    let ms: f64 = fastest.trim().strip_suffix(" ms")?.parse().ok()?;
    let rays: f64 = count.split(|c: char| !c.is_ascii_digit()).find(|w| !w.is_empty())?.parse().ok()?;
    let device = out.lines().find_map(|l| l.strip_prefix("device "))?.trim();
    // The counter wraps at 32 bits, which no sample comes near.
    (ms > 0.0).then(|| Run { ms, rays: rays / f64::from(REPEAT), device: device.split(" (").next().unwrap_or(device).to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_runs_print() {
        let out = "device    llvmpipe (LLVM 15) (Vulkan 1.4)\ndispatch  80.00 ms for 2 x 2, 4 times (79.00 ms on the device), the fastest 12.50 ms\n";
        let run = read(out, "[\n4000\n]\n").expect("a run");
        assert_eq!((run.ms, run.rays, run.device.as_str()), (12.5, 1000.0, "llvmpipe"));
        assert!(read("dispatch  80.00 ms\n", "[\n4000\n]\n").is_none());
        assert!(read(out, "[]").is_none());
    }
}
