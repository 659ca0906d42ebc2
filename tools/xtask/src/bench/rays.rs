//! Rays per second of samples that trace in more than one way: the forms side by side, on the device that this machine has.
//!
//! Such a sample counts its rays in a buffer that its scene saves as `rays.json`. A machine is faster and slower for minutes at a
//! time, so the forms alternate for several iterations and are compared within each iteration. The report has the median
//! and the spread between the slowest and the fastest. Of the dispatches of a turn the fastest counts: the first also compiles
//! shaders on some devices.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::plan::{self, Sample};
use crate::progress::Step;

/// A sample with several forms.
struct Forms {
    sample: &'static str,
    /// Whether `rtc paq -fix` writes the payloads' qualifiers first, into a copy.
    annotate: bool,
    /// The name of each form, and the options that make it.
    forms: &'static [(&'static str, &'static [&'static str])],
}

const FORMS: [Forms; 3] = [
    Forms { sample: "ser-pathtracer", annotate: false, forms: &[("TraceRay", &["-D", "TRACE_RAY"]), ("hit objects", &["-fspv-ser=auto"])] },
    Forms { sample: "divergent", annotate: false, forms: &[("TraceRay", &["-D", "TRACE_RAY"]), ("hit objects", &["-fspv-ser=auto"])] },
    Forms {
        sample: "wide-payload",
        annotate: true,
        forms: &[("declared", ANNOTATED), ("packed", &["-T", ANNOTATED[1], "-payload-layout=packed"])],
    },
];

/// The first profile in which payloads have qualifiers by default.
const ANNOTATED: &[&str] = &["-T", "lib_6_7"];

/// How often each form dispatches in a turn.
const REPEAT: u32 = 4;
/// How many turns each form has.
const ITERATIONS: usize = 5;

/// Nothing if there is something to measure whose name contains `wanted`.
///
/// # Errors
/// There is not; the message says what there is.
pub fn names(wanted: &str) -> Result<(), String> {
    let mut all: Vec<&str> = FORMS.iter().map(|f| f.sample).chain(DEVICES.iter().map(|d| d.0)).collect();
    all.sort_unstable();
    all.dedup();
    if all.iter().any(|name| name.contains(wanted)) {
        return Ok(());
    }
    Err(format!("no sample `{wanted}` counts its rays; the samples that do are {}", all.join(", ")))
}

/// Runs every form of every sample that has some, and whose name contains `wanted`, and prints a line for each.
///
/// # Errors
/// When a form does not run, or says nothing that can be read.
pub fn run(samples: &[Sample], wanted: &str, dir: &Path) -> Result<(), String> {
    let all: Vec<Forms> = FORMS.into_iter().filter(|f| f.sample.contains(wanted)).collect();
    if all.is_empty() {
        return Ok(());
    }
    println!("\nrays per second, in millions, the median (and spread) of {ITERATIONS} iterations in which forms alternate;");
    println!("ratio to the first form in the same iteration; payload: bytes of the largest in Vulkan");
    println!("{:<16} {:<12} {:>8} {:>10} {:>18} {:>18}  device", "sample", "form", "payload", "ms", "Mrays/s", "ratio");
    for Forms { sample: name, annotate, forms } in all {
        let sample = samples.iter().find(|s| s.name == name).ok_or_else(|| format!("there is no sample `{name}`"))?;
        let sample = if annotate { &annotated(sample, dir)? } else { sample };
        let mut runs: Vec<Vec<Run>> = forms.iter().map(|_| Vec::new()).collect();
        for iteration in 1..=ITERATIONS {
            for ((form, options), runs) in forms.iter().zip(&mut runs) {
                let step = Step::new(format!("Running {name} with {form}, iteration {iteration} of {ITERATIONS}"));
                let run = measure(sample, &["--device", "vulkan"], options, dir);
                step.done();
                runs.push(run.map_err(|e| format!("{name} with {form}: {e}"))?);
            }
        }
        for ((form, options), of_form) in forms.iter().zip(&runs) {
            let bytes = payload(sample, options, dir).map_err(|e| format!("{name} with {form}: {e}"))?;
            let ms = Spread::of(of_form.iter().map(|r| r.ms)).median;
            let speed = Spread::of(of_form.iter().map(Run::speed));
            let ratio = Spread::of(of_form.iter().zip(&runs[0]).map(|(a, b)| a.speed() / b.speed()));
            let device = &of_form[0].device;
            println!("{name:<16} {form:<12} {bytes:>8} {ms:>10.1} {:>18} {:>18}  {device}", speed.to_string(), ratio.to_string());
        }
    }
    Ok(())
}

/// The middle of some numbers, and how far they lie apart.
#[derive(Debug, PartialEq)]
struct Spread {
    median: f64,
    least: f64,
    most: f64,
}

impl Spread {
    /// Of at least one number.
    fn of(numbers: impl Iterator<Item = f64>) -> Spread {
        let mut all: Vec<f64> = numbers.collect();
        all.sort_by(f64::total_cmp);
        let middle = all.len() / 2;
        let median = if all.len() % 2 == 1 { all[middle] } else { (all[middle - 1] + all[middle]) / 2.0 };
        Spread { median, least: all[0], most: all[all.len() - 1] }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} ({:.2}-{:.2})", self.median, self.least, self.most)
    }
}

/// A copy of a sample whose payloads have the qualifiers that `rtc paq -fix` finds.
fn annotated(sample: &Sample, dir: &Path) -> Result<Sample, String> {
    let folder = sample.hlsl.parent().ok_or("it has no folder")?;
    for (from, name) in [(folder.to_path_buf(), sample.name.as_str()), (folder.with_file_name("common"), "common")] {
        let to = dir.join("annotated").join(name);
        let fails = |e| format!("cannot copy {} to {}: {e}", from.display(), to.display());
        fs::create_dir_all(&to).map_err(fails)?;
        for entry in fs::read_dir(&from).map_err(fails)? {
            let file = entry.map_err(fails)?;
            fs::copy(file.path(), to.join(file.file_name())).map_err(fails)?;
        }
    }
    let home = dir.join("annotated").join(&sample.name);
    let mut copy = sample.clone();
    copy.hlsl = home.join(format!("{}.hlsl", sample.name));
    copy.scene = sample.scene.as_ref().map(|_| home.join("scene.toml"));
    output(
        Command::new(plan::program("rtc", true)).arg("paq").args(ANNOTATED).args(&sample.args).args(["-fix", "-tightest"]).arg(&copy.hlsl),
    )?;
    Ok(copy)
}

/// Bytes of the largest payload in a form's package.
fn payload(sample: &Sample, options: &[&str], dir: &Path) -> Result<u32, String> {
    let rtc = plan::program("rtc", true);
    let package = dir.join(format!("{}.rays.rtp", sample.name));
    let mut compile = Command::new(&rtc);
    compile.args(["-T", &sample.profile, "-spirv"]).args(&sample.args).args(options).arg(&sample.hlsl).arg("-Fo").arg(&package);
    output(&mut compile)?;
    let text = output(Command::new(rtc).arg("reflect").arg(package))?;
    largest_payload(&text).ok_or_else(|| format!("cannot parse:\n{text}"))
}

/// The largest payload of the Vulkan entry points in a package's reflection.
fn largest_payload(reflection: &str) -> Option<u32> {
    let reflection: serde_json::Value = serde_json::from_str(reflection).ok()?;
    let entries = reflection["vulkan"]["entryPoints"].as_array()?;
    entries.iter().filter_map(|e| u32::try_from(e["payloadBytes"].as_u64()?).ok()).max()
}

/// What a command prints.
fn output(command: &mut Command) -> Result<String, String> {
    let done = command.output().map_err(|e| format!("cannot start {}: {e}", command.get_program().to_string_lossy()))?;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).trim().to_string());
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// What one form did.
struct Run {
    /// Of the fastest dispatch.
    ms: f64,
    /// Of one dispatch.
    rays: f64,
    device: String,
}

impl Run {
    /// Millions of rays per second.
    fn speed(&self) -> f64 {
        self.rays / self.ms / 1e3
    }
}

fn measure(sample: &Sample, device: &[&str], options: &[&str], dir: &Path) -> Result<Run, String> {
    let out = dispatched(sample, device, options, dir)?;
    let text = fs::read_to_string(dir.join("rays.json")).map_err(|e| format!("rays.json: {e}"))?;
    read(&out, &text).ok_or_else(|| format!("cannot parse:\n{out}{text}"))
}

/// What `rtc-run` prints of a sample's scene, each dispatch repeated.
fn dispatched(sample: &Sample, device: &[&str], options: &[&str], dir: &Path) -> Result<String, String> {
    let scene = sample.scene.as_deref().ok_or("it has no scene")?;
    let mut command = Command::new(plan::program("rtc-run", true));
    command.arg(scene).arg("-o").arg(dir).args(["--repeat", &REPEAT.to_string()]).args(device).arg("--").args(options);
    output(&mut command)
}

/// Samples that the CPU device and the machine's Vulkan device run side by side, and how their rays are counted: by the sample, or
/// one for each thread of the first dispatch.
const DEVICES: [(&str, bool, &str); 4] = [
    ("hello", false, "primary rays"),
    ("shapes", false, "primary and shadow rays, procedural boxes (threads)"),
    ("wide-payload", true, "path tracer"),
    ("ser-pathtracer", true, "path tracer with hit objects"),
];

/// Runs samples whose names contain `wanted` on both devices in turns and prints a line for each.
///
/// # Errors
/// When a sample does not run, or says nothing that can be read.
pub fn devices(samples: &[Sample], wanted: &str, dir: &Path) -> Result<(), String> {
    let all: Vec<_> = DEVICES.into_iter().filter(|d| d.0.contains(wanted)).collect();
    if all.is_empty() {
        return Ok(());
    }
    if !rtc_oracles::llvm::can_build_with() {
        println!("\nthe CPU device is not measured: LLVM 19 is not there to build it with");
        return Ok(());
    }
    println!(
        "\nthe CPU device and the machine's Vulkan device, million rays a second, the median (and spread) of {ITERATIONS} iterations that alternate"
    );
    println!("{:<16} {:>18} {:>18} {:>18}  what, on which device", "sample", "CPU", "Vulkan", "CPU / Vulkan");
    for (name, counted, what) in all {
        let sample = samples.iter().find(|s| s.name == name).ok_or_else(|| format!("there is no sample `{name}`"))?;
        let mut runs: [Vec<Run>; 2] = Default::default();
        for iteration in 1..=ITERATIONS {
            for (device, runs) in [["--device", "cpu"], ["--device", "vulkan"]].iter().zip(&mut runs) {
                let step = Step::new(format!("Running {name} on both devices, iteration {iteration} of {ITERATIONS}"));
                let run = match counted {
                    true => measure(sample, &device[..], &[], dir),
                    false => dispatched(sample, &device[..], &[], dir).and_then(|out| {
                        let rays = f64::from(REPEAT) * threads(&out).unwrap_or(0.0);
                        read(&out, &format!("{rays:.0}")).ok_or_else(|| format!("cannot parse:\n{out}"))
                    }),
                };
                step.done();
                runs.push(run.map_err(|e| format!("{name}: {e}"))?);
            }
        }
        let [cpu, vulkan] = &runs;
        let speed = |runs: &[Run]| Spread::of(runs.iter().map(Run::speed)).to_string();
        let ratio = Spread::of(cpu.iter().zip(vulkan).map(|(c, v)| c.speed() / v.speed()));
        println!("{name:<16} {:>18} {:>18} {:>18}  {what}, {}", speed(cpu), speed(vulkan), ratio.to_string(), vulkan[0].device);
    }
    Ok(())
}

/// How many threads the first dispatch had, by what `rtc-run` printed: `… for 320 x 240, 4 times`.
fn threads(out: &str) -> Option<f64> {
    let line = out.lines().find(|l| l.starts_with("dispatch"))?;
    let size = line.split(" for ").nth(1)?.split(',').next()?;
    size.split(" x ").map(|n| n.split_whitespace().next()?.parse::<f64>().ok()).product()
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
        assert_eq!(threads(out), Some(4.0));
        assert!(read("dispatch  80.00 ms\n", "[\n4000\n]\n").is_none());
        assert!(read(out, "[]").is_none());
    }

    #[test]
    fn names_choose() {
        assert!(names("").is_ok() && names("hel").is_ok() && names("wide").is_ok());
        assert!(names("nothing").is_err_and(|e| e.contains("`nothing`") && e.contains("hello")));
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0].into_iter()), Spread { median: 2.0, least: 1.0, most: 3.0 });
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0].into_iter()).to_string(), "2.50 (1.00-4.00)");
    }

    #[test]
    fn reads_the_largest_payload_in_vulkan() {
        let text = r#"{ "entryPoints": [{ "payloadBytes": 900 }], "vulkan": { "entryPoints": [{ "payloadBytes": 0 }, { "payloadBytes": 108 }, { "payloadBytes": 4 }] } }"#;
        assert_eq!(largest_payload(text), Some(108));
        assert_eq!(largest_payload(r#"{ "payloadBytes": 900 }"#), None);
    }
}
