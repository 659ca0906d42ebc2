//! Helpers for tests of the samples: their list, options, rendering, and comparison of images.
//!
//! Images are equal if every channel of every pixel is, within [`NEAR`]. No share of pixels may differ: samples avoid results that
//! depend on rounding (CONTRIBUTING.md).
#![allow(dead_code)] // Each test program uses a part.

use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::selection::Filter;

/// How far channels of the same picture may be apart, of 255.
pub const NEAR: u8 = 2;

/// Arguments of `rtc-run` for the CPU device.
pub const CPU: [&str; 2] = ["--device", "cpu"];
/// Arguments of `rtc-run` for Vulkan, which must not fall back to the CPU device.
pub const VULKAN: [&str; 2] = ["--device", "vulkan"];

/// The workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// A folder or file for one test program.
pub fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("samples");
    std::fs::create_dir_all(&dir).expect("a folder");
    dir.join(name)
}

/// Names of the samples: each folder with a source of its own name. `RTC_SAMPLES=name` takes those with that in their names.
pub fn samples() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root().join("samples"))
        .expect("the folder of samples")
        .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|n| source(n).is_file())
        .collect();
    names.sort();
    assert!(names.len() >= 3, "{names:?}");
    let filter = Filter::new("RTC_SAMPLES");
    names.retain(|n| filter.takes(n));
    filter.must_have_matched();
    names
}

/// Those of [`samples`] that draw, which Vulkan devices do, or those that do not.
pub fn samples_that(draw: bool) -> Vec<String> {
    let draws = |name: &String| std::fs::read_to_string(folder(name).join("scene.toml")).expect("the scene").contains("\n[[draw]]");
    samples().into_iter().filter(|name| draws(name) == draw).collect()
}

/// The folder of a sample.
pub fn folder(name: &str) -> PathBuf {
    root().join("samples").join(name)
}

/// The source of a sample.
pub fn source(name: &str) -> PathBuf {
    folder(name).join(format!("{name}.hlsl"))
}

/// The picture that a sample makes.
pub fn reference(name: &str) -> PathBuf {
    folder(name).join("reference.png")
}

/// The arguments that the first line of a sample asks for, as `// rtc -T lib_6_5 -HV 2021`: the profile, and the rest.
pub fn compile_options(name: &str) -> (String, Vec<String>) {
    let text = std::fs::read_to_string(source(name)).expect("the source");
    let first = text.lines().next().unwrap_or_default();
    let mut words = first.strip_prefix("// rtc -T ").unwrap_or("lib_6_3").split_whitespace().map(str::to_string);
    (words.next().expect("a profile"), words.collect())
}

/// Samples with a form that the pinned reference compiler knows: the options that make it.
pub const OLDER_FORMS: [(&str, &[&str]); 2] = [("divergent", TRACE_RAY), ("ser-pathtracer", TRACE_RAY)];
/// The options of forms without hit objects.
const TRACE_RAY: &[&str] = &["-D", "TRACE_RAY", "-enable-payload-qualifiers"];

/// What the pinned reference compiler takes instead of a sample's profile, where that is too new for it: a form of the same
/// sample that needs less.
pub fn known_to_the_reference(name: &str) -> (String, Vec<String>) {
    let (profile, mut rest) = compile_options(name);
    if profile.as_str() <= "lib_6_7" {
        return (profile, rest);
    }
    let (_, options) = OLDER_FORMS.iter().find(|f| f.0 == name).unwrap_or_else(|| panic!("{name} has no older form"));
    rest.extend(options.iter().map(|o| o.to_string()));
    ("lib_6_6".to_string(), rest)
}

/// Draws a sample: `run` are arguments of `rtc-run`, `compile` more of the compiler. The picture's file, in a folder of that name, or
/// the messages.
#[cfg(feature = "run")]
pub fn draw(name: &str, into: &str, run: &[&str], compile: &[&str]) -> Result<PathBuf, String> {
    let out = scratch(into);
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtc-run"));
    command.arg(folder(name).join("scene.toml")).arg("-o").arg(&out).args(run);
    if !compile.is_empty() {
        command.arg("--").args(compile);
    }
    let done = command.env("RTC", env!("CARGO_BIN_EXE_rtc")).env("RTC_CPU_CACHE", "").output().expect("rtc-run starts");
    match done.status.success() {
        true => Ok(out.join(format!("{name}.png"))),
        false => Err(format!("{name} {run:?} {compile:?}: {}", String::from_utf8_lossy(&done.stderr))),
    }
}

/// The pixels of two pictures of one size that differ by more than `near`, with what they are in each, and how many there are in all.
pub fn far(a: &Path, b: &Path, near: u8) -> (Vec<Far>, usize) {
    let read = |p: &Path| image::open(p).unwrap_or_else(|e| panic!("{}: {e}", p.display())).to_rgba8();
    let (a, b) = (read(a), read(b));
    assert_eq!(a.dimensions(), b.dimensions(), "the sizes of pictures");
    let apart = |x: [u8; 4], y: [u8; 4]| x.iter().zip(y).any(|(x, y)| x.abs_diff(y) > near);
    let pixels = a.enumerate_pixels().zip(b.pixels()).map(|((x, y, first), second)| ([x, y], first.0, second.0));
    (pixels.filter(|&(_, x, y)| apart(x, y)).collect(), a.len() / 4)
}

/// Where, and what is there in both pictures.
pub type Far = ([u32; 2], [u8; 4], [u8; 4]);

/// How two pictures differ by more than `near`; nothing if they do not. `what` says which they are.
pub fn difference(what: &str, a: &Path, b: &Path, near: u8) -> Option<String> {
    let (far, all) = far(a, b, near);
    let (at, first, second) = far.first()?;
    Some(format!("{what}: {} of {all} pixels differ by more than {near}, the first at {at:?}: {first:?} and {second:?}", far.len()))
}
