//! The command line of `rtc-run`.

use crate::bench::Bench;
use crate::{Failure, folder};
use rtc_host::run::{CPU, FileFormat, FormOption, RunOptions, is_cpu};
use std::path::PathBuf;

pub const USAGE: &str =
    "usage: rtc run SCENE.toml|SHADER.hlsl [--scene SCENE.toml] [-o FOLDER] [--device NAME|INDEX] [options] [-- OPTIONS]
       rtc run --all FOLDER [--device NAME|INDEX, settings of the CPU device] [-- OPTIONS]
       rtc run --bench MANIFEST.json [--only NAME] [-o FOLDER] [--device NAME|INDEX]
       rtc run --device list [--json]
       rtc run --list-devices

Runs the scene and writes the images and buffers that it saves; docs/scenes.md describes scenes.
If no device is specified, a GPU runs the scene, else the CPU device, from DXIL; a Vulkan driver on the processor runs what that does not, and
a note says so. If no device can run the package, it is compiled again with -fspv-extension for the extensions of the device.
A shader has directives in its first lines: `// rtc -T lib_6_9` are compiler options, `// scene: PATH` is its scene. Without, a `scene.toml`
in its folder whose source it is counts.

  --scene SCENE.toml     the scene of the shader, with the shader as its source
  -o FOLDER              the output folder (default: the current folder)
  --allow-any-file       write files outside of the output folder too, if the scene says so
  --device NAME|INDEX    the device: a part of its name, or its number in the list; `vulkan` is any of those; `cpu` runs
                         DXIL on the processor
  --device list          what each device can do, by operation of Direct3D 12, and what is missing; with --json as JSON (also
                         `rtc device-info`)
  --list-devices         list the devices, and why a device cannot be used

  --format FORMAT        write pictures as `png`, `exr`, `raw` (texels, and FILE.raw.json that says what they are) or `bin`
                         (texels alone), whatever the names in the scene end with
  --frames N             run N frames (default: what the scene says, else 1); `%04d` in a file's name is the frame's number, and
                         a file without one is written after the last frame
  --first-frame N        the number of the first frame
  --accumulate           write the average of all frames so far instead of each frame's picture
  --timings FILE         write how long everything took as JSON; `-` is the standard output
  --results FILE         write what came of it as JSON: pictures, findings of the sanitizer, the profile, or the error
  --describe             print the file of the scene, and the options with which its shader is compiled, as JSON, and run nothing
  --until-eof            end when the standard input ends: with the program that started this one
  --watch                run again whenever a shader, a file that it includes, or a file of the scene changes; an error is
                         shown, and the last pictures stay
  --window               show the picture in a window, frame after frame as fast as they come; files are not written. W A S D Q E move
                         the camera, the mouse turns it while its left button is held, shift is faster; R goes back to the begin,
                         space stops the time, P writes the picture, Escape closes. With --accumulate, the average begins again
                         when the camera moves (a build with the cargo feature `window`)
  --show NAME            show this image or render target in the window (default: the first that is saved, else the first)
  --quiet                no progress on the terminal
  --repeat N             run each dispatch N times and print the fastest time
  --with FILE.rtp        add the shaders of another package to the pipeline; may be repeated

  --ser-form FORM             which form of a package of -fspv-ser=auto runs: lower, ext, nv, wavefront, converge; rule (default: hit objects of an
                              extension where the device reorders threads, else lower); measure (each dispatch runs in the form
                              whose turn it is, the fastest stays: use --repeat or --frames)
  --ser-cache FOLDER          where measured choices are kept, a file for each device and driver (default: rtc/forms in the
                              user's folder for caches)
  --wavefront-memory KIB      the most memory for the rays of shaders that -fspv-ser=wavefront divides (default: an eighth
                              of the device's, from 65536 to 1048576); larger dispatches are divided into tiles
  --wavefront-iterations N    sort the rays of such shaders N times and let those that are left run to their end (default: sort
                              until no ray is left)

  --profile FILE.png     CPU device: a table of the hit groups and hints per wave at each reorder point, without and with
                         reordering, whether reordering pays, and a heat map of the hit groups in each ray's wave
  --sanitize             CPU device: report undefined behaviour of shaders
  --budget N             CPU device: loop iterations after which a thread is stopped (default: 1000000000)
  --lanes N              CPU device: lanes of a wave, a power of two up to 128 (default: 32)
  --threads N            CPU device: threads (default: one for each core)
  --stack KIB            CPU device: stack of a thread in KiB (default: 16384)

  --all FOLDER           run every shader of the folder, each in its own process, and print the results
  --bench MANIFEST.json  measure the packages that the manifest lists for each scene, those with the same results in turns; print the
                         table and write gpu-bench.md and gpu-bench.json (`cargo xtask bench gpu` makes manifests)
  --only NAME            measure the scenes with that in their names
  -- OPTIONS             further options for the compiler, after those of the scene and the shader

Exit status: 0 for success; 1 for failure, including checks of shaders; 3 if no device can run it.";

/// What to do.
#[derive(Clone)]
pub enum Request {
    /// Print the usage.
    Help,
    /// Print the devices, and why one cannot be used.
    ListDevices,
    /// Print what each device can do.
    DeviceInfo {
        /// As JSON.
        json: bool,
    },
    /// Run every shader of a folder: it, and settings for each.
    All(PathBuf, Vec<String>),
    /// Measure.
    Bench(Bench),
    /// Run a scene or a shader.
    Run(PathBuf),
}

/// The command line.
#[derive(Clone)]
pub struct Arguments {
    /// What to do.
    pub request: Request,
    /// How to run.
    pub options: RunOptions,
    /// More options for the compiler.
    pub more: Vec<String>,
    /// The scene of the shader.
    pub scene: Option<PathBuf>,
    /// Where timings go.
    pub timings: Option<PathBuf>,
    /// Whether to end with the standard input.
    pub until_eof: bool,
    /// Whether to describe the scene instead.
    pub describe: bool,
    /// Where the results go as data.
    pub results: Option<PathBuf>,
    /// Whether to run again after changes.
    pub watch: bool,
    /// Whether to show frames in a window.
    pub window: bool,
    /// The image or render target that the window shows.
    #[cfg_attr(not(feature = "window"), allow(dead_code))]
    pub show: Option<String>,
    /// Whether to show no progress.
    pub quiet: bool,
}

impl Arguments {
    /// Whether the CPU device runs it.
    pub fn cpu(&self) -> bool {
        is_cpu(self.options.device.as_deref())
    }
}

/// The message about an option that there is not. The options are those of the usage.
fn unknown(option: &str) -> String {
    let known =
        USAGE.split_whitespace().map(|w| w.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '-')).filter(|w| w.starts_with("--"));
    let near = rtc_base::similar::nearest(option, known).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
    format!("unknown option `{option}`{near} (rtc run --help lists the options)")
}

fn error(why: impl std::fmt::Display) -> Failure {
    Failure::Error(format!("rtc run: error: {why}"))
}

/// A number that is not zero.
fn number(text: &str) -> Result<u32, Failure> {
    let n = text.parse().ok().filter(|n| *n > 0);
    n.ok_or_else(|| error(format!("expected a whole number from 1 to {}, found `{text}`", u32::MAX)))
}

/// Parses the words of a command line.
///
/// # Errors
/// It is wrong.
pub fn parse(words: Vec<String>) -> Result<Arguments, Failure> {
    let settings = folder::settings(&words, &folder::CPU);
    let divided = folder::settings(&words, &folder::WAVEFRONT);
    let mut out = Arguments {
        request: Request::Help,
        options: RunOptions::default(),
        more: Vec::new(),
        scene: None,
        timings: None,
        until_eof: false,
        describe: false,
        results: None,
        watch: false,
        window: false,
        show: None,
        quiet: false,
    };
    let (mut file, mut all, mut json) = (None, None, false);
    let (mut bench, mut only, mut job) = (None, None, None);
    let mut args = words.into_iter();
    while let Some(a) = args.next() {
        let mut value = |what: &str| args.next().ok_or_else(|| error(format!("option `{a}` requires {what}")));
        match a.as_str() {
            "-h" | "-help" | "--help" => return Ok(out),
            "--list-devices" => {
                out.request = Request::ListDevices;
                return Ok(out);
            }
            "-o" => out.options.output = PathBuf::from(value("a folder")?),
            "--allow-any-file" => out.options.any_file = true,
            "--device" => out.options.device = Some(value("a device")?),
            "--json" => json = true,
            "--format" => {
                let name = value("a format")?;
                let names = FileFormat::ALL.map(FileFormat::name).join("`, `");
                let format = FileFormat::from_name(&name);
                out.options.format = Some(format.ok_or_else(|| error(format!("`{name}` is not one of `{names}`")))?);
            }
            "--frames" => out.options.frames = Some(number(&value("a number of frames")?)?),
            "--first-frame" => {
                let n = value("a number")?;
                out.options.first_frame = Some(n.parse().map_err(|_| error(format!("expected a number, found `{n}`")))?);
            }
            "--accumulate" => out.options.accumulate = true,
            "--timings" => out.timings = Some(PathBuf::from(value("a file")?)),
            "--results" => out.results = Some(PathBuf::from(value("a file")?)),
            "--scene" => out.scene = Some(PathBuf::from(value("a scene")?)),
            "--describe" => out.describe = true,
            "--until-eof" => out.until_eof = true,
            "--watch" => out.watch = true,
            "--window" => out.window = true,
            "--show" => out.show = Some(value("an image")?),
            "--quiet" => out.quiet = true,
            "--repeat" => out.options.repeat = Some(number(&value("a number")?)?),
            "--with" => {
                let name = value("a package")?;
                let bytes = std::fs::read(&name).map_err(|e| error(format!("cannot read `{name}`: {e}")))?;
                out.options.additional.push((name, bytes));
            }
            "--ser-form" => {
                let name = value("a form")?;
                let form = FormOption::named(&name);
                out.options.form = form.ok_or_else(|| error(format!("expected {}, found `{name}`", FormOption::NAMES)))?;
            }
            "--ser-cache" => out.options.form_cache = Some(PathBuf::from(value("a folder")?)),
            "--wavefront-memory" => {
                out.options.wavefront.memory = Some(u64::from(number(&value("a number of KiB")?)?) << 10);
            }
            "--wavefront-iterations" => {
                let n = value("a number")?;
                let most = rtc_host::device::WavefrontOptions::MAX_ITERATIONS;
                let number = n.parse().ok().filter(|n| *n <= most);
                let number = number.ok_or_else(|| error(format!("expected a number up to {most}, found `{n}`")))?;
                out.options.wavefront.iterations = Some(number);
            }
            "--bench" => bench = Some(PathBuf::from(value("a manifest")?)),
            "--only" => only = Some(value("a part of a name")?),
            // How `--bench` starts itself for each scene.
            "--bench-job" => {
                let n = value("a number")?;
                job = Some(n.parse().map_err(|_| error(format!("expected a number, found `{n}`")))?);
            }
            "--all" => all = Some(PathBuf::from(value("a folder")?)),
            "--sanitize" | "--profile" | "--budget" | "--lanes" | "--threads" | "--stack" => of_the_cpu_device(&a, &mut value, &mut out)?,
            "--" => out.more.extend(args.by_ref()),
            a if a.starts_with('-') => return Err(error(unknown(a))),
            _ if file.is_none() => file = Some(PathBuf::from(a)),
            _ => return Err(error(format!("more than one scene given: `{a}` too (rtc run --help lists the options)"))),
        }
    }
    if let Some(manifest) = bench {
        if file.is_some() || all.is_some() || out.watch || out.window || out.cpu() {
            return Err(error(
                "`--bench` measures packages on a Vulkan device: it takes no scene, no `--all`, `--watch` or `--window`, and not the CPU device",
            ));
        }
        out.request = Request::Bench(Bench { manifest, only: only.unwrap_or_default(), job });
        return Ok(out);
    }
    if only.is_some() || job.is_some() {
        return Err(error("`--only` requires `--bench`"));
    }
    let list = out.options.device.as_deref() == Some("list");
    if json && !list {
        return Err(error("`--json` requires `--device list`"));
    }
    if list {
        if file.is_some() || all.is_some() {
            return Err(error("`--device list` runs nothing: give no scene"));
        }
        out.request = Request::DeviceInfo { json };
        return Ok(out);
    }
    #[cfg(feature = "cpu")]
    {
        if out.options.profile.is_some() && all.is_some() {
            return Err(error("`--profile` cannot be combined with `--all`"));
        }
        let profile = out.options.profile.as_ref().map(|_| "--profile");
        if let Some(name) = profile.or(settings.first().map(String::as_str)).filter(|_| !out.cpu()) {
            return Err(error(format!("`{name}` requires `--device {CPU}`")));
        }
    }
    if out.options.form != FormOption::Rule && out.cpu() {
        return Err(error(format!("`--ser-form` chooses among forms of packages, and `--device {CPU}` runs DXIL")));
    }
    if out.options.form_cache.is_some() && out.options.form != FormOption::Measure {
        return Err(error("`--ser-cache` requires `--ser-form measure`"));
    }
    if out.show.is_some() && !out.window {
        return Err(error("`--show` requires `--window`"));
    }
    if out.window
        && let Some(other) = without_end(&out, all.is_some(), &settings)
    {
        return Err(error(format!("`{other}` cannot be combined with `--window`, whose frames have no end")));
    }
    if out.scene.is_some() && file.as_ref().is_none_or(|f| f.extension().is_none_or(|e| e != "hlsl")) {
        return Err(error("`--scene` requires a shader, a file that ends in `.hlsl`"));
    }
    out.request = match (all, file) {
        (Some(_), Some(_)) => return Err(error("a scene or `--all`, not both (rtc run --help lists the options)")),
        (Some(_), None) if out.watch || out.describe || out.timings.is_some() || out.results.is_some() => {
            return Err(error("`--watch`, `--describe`, `--timings` and `--results` require a scene"));
        }
        (Some(folder), None) => Request::All(folder, [settings, divided].concat()),
        (None, Some(file)) => Request::Run(file),
        (None, None) => {
            return Err(error("no scene given: rtc run SCENE.toml, or a shader that names one (rtc run --help lists the options)"));
        }
    };
    Ok(out)
}

/// The option that requires an end of frames, if there is one.
fn without_end(a: &Arguments, all: bool, settings: &[String]) -> Option<&'static str> {
    let set = |name: &str| settings.iter().any(|s| s == name);
    let given = [
        ("--all", all),
        ("--timings", a.timings.is_some()),
        ("--results", a.results.is_some()),
        #[cfg(feature = "cpu")]
        ("--profile", a.options.profile.is_some()),
        ("--sanitize", set("--sanitize")),
    ];
    given.into_iter().find(|g| g.1).map(|g| g.0)
}

/// Options of the CPU device.
#[cfg(feature = "cpu")]
fn of_the_cpu_device(a: &str, value: &mut dyn FnMut(&str) -> Result<String, Failure>, out: &mut Arguments) -> Result<(), Failure> {
    let mut debug = || out.more.extend(["-Zi".into(), "-Qembed_debug".into()]);
    let cpu = &mut out.options.cpu;
    match a {
        "--sanitize" => {
            cpu.lower.sanitize = true;
            debug();
        }
        "--profile" => {
            let file = PathBuf::from(value("a PNG file")?);
            if file.extension().is_none_or(|e| !e.eq_ignore_ascii_case("png")) {
                return Err(error(format!("expected the name of a PNG file, found `{}`", file.display())));
            }
            out.options.profile = Some(file);
            debug();
        }
        "--budget" => cpu.limits.budget = i64::from(number(&value("a number of iterations")?)?),
        "--lanes" => {
            let n = value("a number of lanes")?;
            let lanes = n.parse().ok().filter(|n: &u32| n.is_power_of_two() && (1..=128).contains(n));
            cpu.limits.lanes = lanes.ok_or_else(|| error(format!("expected a power of two from 1 to 128, found `{n}`")))?;
        }
        "--threads" => cpu.threads = number(&value("a number of threads")?)? as usize,
        _ => cpu.limits.stack = (number(&value("a number of KiB")?)? as usize) << 10,
    }
    Ok(())
}

/// Options of the CPU device, which this build does not have.
#[cfg(not(feature = "cpu"))]
fn of_the_cpu_device(a: &str, _value: &mut dyn FnMut(&str) -> Result<String, Failure>, _out: &mut Arguments) -> Result<(), Failure> {
    Err(Failure::NoDevice(format!("rtc run: error: `{a}` requires the CPU device, which this build does not have (cargo feature `cpu`)")))
}
