//! Differential test of the graphics pipeline: every scene of `lit-tests/tests/run/graphics/` is drawn with our modules, without and with full
//! optimisation, and with those of the reference compiler, and all targets, images and buffers must hold the same bytes.
//!
//! The reference compiles each entry point alone, since its libraries are for ray tracing; the runtime merges the modules. Its resources
//! are where its shifts of registers put them. What the scenes expect is checked in every run.
//!
//! A line `// reference: no, …` says why a shader is not compared, `// reference: newest, …` why the newest reference compiler is
//! needed (`RTC_DXC`), and `// reference within N, …` is a tolerance for 32-bit floats. `// reference options: …` are further options.
//! `RTC_DIFFERENTIAL=name` runs the shaders with that in their names only.
#![cfg(feature = "run")]

#[path = "shared/compilers.rs"]
mod compilers;

use compilers::{Compiler, compile};
use rtc_differential::rebind::{SHIFTS, by_shifted_registers};
use rtc_dxil_container::ShaderKind;
use rtc_host::ErrorKind;
use rtc_host::device::TargetFormat;
use rtc_host::run::{RunOptions, run_scene};
use rtc_host::scene::Scene;
use rtc_oracles::selection::Filter;
use rtc_oracles::{DxcProgram, skip};
use rtc_package::Package;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The newest shader model that the pinned reference compiles.
const PINNED_MODEL: u32 = 7;

/// Not a test of its own: the process that the test below starts.
#[test]
fn reference_compiler_process() {
    compilers::be_the_reference();
}

/// An empty folder for what a shader makes.
fn scratch(name: &str) -> PathBuf {
    rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("draws/{name}"))
}

/// A shader with its scene.
struct Shader {
    name: String,
    path: PathBuf,
    text: String,
    scene: Scene,
}

impl Shader {
    /// The rest of a line of the source that begins with `// WHAT`.
    fn line(&self, what: &str) -> Option<&str> {
        self.text.lines().find_map(|l| l.strip_prefix("// ")?.strip_prefix(what))
    }

    /// How far floats may differ from the reference's.
    fn tolerance(&self) -> f32 {
        self.line("reference within ").and_then(|l| l.split(',').next()?.trim().parse().ok()).unwrap_or(0.0)
    }

    /// The minor version of its shader model.
    fn model(&self) -> u32 {
        self.scene.shader.profile.rsplit('_').next().and_then(|m| m.parse().ok()).unwrap_or(0)
    }
}

fn shaders() -> Vec<Shader> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("lit-tests/tests/run/graphics");
    let wanted = Filter::new("RTC_DIFFERENTIAL");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of shaders") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.extension().is_none_or(|e| e != "hlsl") || !wanted.takes(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a shader");
        let mut scene = Scene::of(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        save_everything(&mut scene);
        all.push(Shader { name, path, text, scene });
    }
    wanted.must_have_matched();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// Everything that shaders can have written goes to a file.
fn save_everything(scene: &mut Scene) {
    for t in &mut scene.targets {
        // The samples of depth targets cannot be read back.
        let can = t.desc.samples == 1 || matches!(t.desc.format, TargetFormat::Color(_));
        t.save = can.then(|| format!("{}.target.bin", t.target.name).into());
    }
    for b in &mut scene.buffers {
        b.save = Some(format!("{}.buffer.bin", b.target.name).into());
    }
    for i in &mut scene.images {
        i.save = Some(format!("{}.image.bin", i.target.name).into());
    }
}

/// Our package of a shader at a level.
fn ours(s: &Shader, folder: &Path, level: &str) -> Result<Package, String> {
    let mut args: Vec<String> = ["-T", &s.scene.shader.profile, "-spirv", level, "-no-warnings"].map(str::to_string).to_vec();
    args.extend(s.scene.shader.args.iter().cloned());
    let bytes = compile(Compiler::Rtc, &args, &s.path, &folder.join(format!("{level}.rtp"))).map_err(|e| format!("rtc {level}: {e}"))?;
    Package::read(&bytes).map_err(|e| format!("{e:?}"))
}

/// How profiles spell a stage.
fn prefix(stage: ShaderKind) -> Option<&'static str> {
    Some(match stage {
        ShaderKind::Vertex => "vs",
        ShaderKind::Hull => "hs",
        ShaderKind::Domain => "ds",
        ShaderKind::Geometry => "gs",
        ShaderKind::Pixel => "ps",
        ShaderKind::Amplification => "as",
        ShaderKind::Mesh => "ms",
        ShaderKind::Compute => "cs",
        _ => return None,
    })
}

/// The same package in parts, one for each entry point, with the reference compiler's modules in them.
fn theirs(s: &Shader, folder: &Path, like: &Package, compiler: Compiler) -> Result<Vec<Package>, String> {
    let mut out = Vec::new();
    for entry in &like.map.entries {
        let stage = prefix(entry.stage).ok_or_else(|| format!("`{}` is no shader of the graphics pipeline", entry.export))?;
        let profile = format!("{stage}_6_{}", s.model());
        let given = ["-T", &profile, "-E", &entry.export, "-spirv", "-fspv-target-env=vulkan1.2", "-Vd", "-fvk-use-dx-layout"];
        let mut args = given.map(str::to_string).to_vec();
        for (class, shift) in SHIFTS {
            args.extend([format!("-fvk-{}-shift", class.letter()), shift.to_string(), "all".into()]);
        }
        args.extend(s.scene.shader.args.iter().cloned());
        if !args.iter().any(|a| a == "-HV") {
            args.extend(["-HV", "2021"].map(str::to_string));
        }
        args.extend(s.line("reference options: ").into_iter().flat_map(str::split_whitespace).map(str::to_string));
        let file = folder.join(format!("{}.spv", entry.export));
        let bytes = compile(compiler, &args, &s.path, &file).map_err(|e| format!("reference, `{}`: {e}", entry.export))?;
        let words = bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        let mut part = by_shifted_registers(like, words);
        part.map.entries.retain(|e| e.export == entry.export);
        part.rdat.functions.retain(|f| f.unmangled == entry.export);
        part.map.bindings.retain(|b| b.stages & 1 << entry.stage.as_u32() != 0);
        out.push(part);
    }
    Ok(out)
}

/// What a run gives: files by name.
type Results = BTreeMap<String, Vec<u8>>;

/// Why there are no results.
enum Failure {
    /// A device or a reference is missing.
    Missing(String),
    /// It failed.
    Error(String),
}

/// Draws the scene with packages. The validation layer watches our modules; about those of the reference it says things that are true.
fn run(s: &Shader, packages: &[Package], folder: &Path, ours: bool) -> Result<Results, Failure> {
    let wrong = |e: String| Failure::Error(e);
    let mut written = Vec::new();
    for p in packages {
        written.push(p.write().map_err(|e| wrong(format!("{e:?}")))?);
    }
    let mut parts = written.into_iter();
    let first = parts.next().ok_or_else(|| wrong("no entry point".into()))?;
    let additional = parts.enumerate().map(|(n, bytes)| (format!("part {n}"), bytes)).collect();
    let validation = if ours { None } else { Some(false) };
    let options = RunOptions { device: Some("vulkan".into()), output: folder.to_path_buf(), additional, validation, ..Default::default() };
    let report = run_scene(&s.scene, &first, &options).map_err(|e| match e.kind {
        ErrorKind::NoDevice => Failure::Missing(e.to_string()),
        _ => Failure::Error(e.to_string()),
    })?;
    if let Some(checks) = report.checks.filter(|c| !c.passed()) {
        return Err(wrong(checks.to_string()));
    }
    let mut out = Results::new();
    for file in report.files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        out.insert(name, std::fs::read(&file).map_err(|e| wrong(e.to_string()))?);
    }
    Ok(out)
}

/// Where two results differ; empty when they do not. Words may differ by `within` as floats.
fn difference(a: &Results, b: &Results, within: f32) -> String {
    let mut out = String::new();
    if !a.keys().eq(b.keys()) {
        return format!("other files: {:?} and {:?}", a.keys(), b.keys());
    }
    for (name, x) in a {
        let y = &b[name];
        if x.len() != y.len() {
            out += &format!("\n    {name}: {} and {} bytes", x.len(), y.len());
            continue;
        }
        let near = |a: u32, b: u32| (f32::from_bits(a) - f32::from_bits(b)).abs() <= within;
        let word = |c: &[u8]| c.iter().rev().fold(0u32, |n, b| n << 8 | u32::from(*b));
        let pairs = x.chunks(4).map(word).zip(y.chunks(4).map(word)).enumerate();
        let wrong: Vec<_> = pairs.filter(|(_, (a, b))| a != b && !(within > 0.0 && near(*a, *b))).collect();
        if let Some(&(at, (a, b))) = wrong.first() {
            let (f, g) = (f32::from_bits(a), f32::from_bits(b));
            out += &format!("\n    {name}: {} words differ, the first is word {at}: {a:#x} and {b:#x} ({f} and {g})", wrong.len());
        }
    }
    out
}

/// What the test has counted.
#[derive(Default)]
struct Counts {
    shaders: usize,
    entries: usize,
    draws: usize,
    compared: usize,
}

/// Compiles, runs and compares one shader. The error is what is wrong, or why it could not run.
fn one(s: &Shader, no_reference: Option<&str>, counts: &mut Counts) -> Result<(), Failure> {
    let folder = scratch(&s.name);
    let wrong = Failure::Error;
    let plain = ours(s, &folder, "-Od").map_err(wrong)?;
    let best = ours(s, &folder, "-O3").map_err(wrong)?;
    let said = |what: &str, e: Failure| match e {
        Failure::Error(e) => Failure::Error(format!("{what}: {e}")),
        other => other,
    };
    let entries = best.map.entries.len();
    let reference = match s.line("reference: ") {
        Some(why) if why.starts_with("no, ") => None,
        Some(why) if why.starts_with("newest, ") => match DxcProgram::find() {
            Ok(_) => Some(Ok(Compiler::Newest)),
            Err(e) => Some(Err(e.to_string())),
        },
        Some(other) => return Err(Failure::Error(format!("`reference: {other}` is neither `no, …` nor `newest, …`"))),
        None if s.model() > PINNED_MODEL => return Err(Failure::Error("its shader model needs a line `// reference: newest, …`".into())),
        None => Some(no_reference.map_or(Ok(Compiler::Reference), |why| Err(why.to_string()))),
    };
    let a = run(s, std::slice::from_ref(&plain), &folder.join("Od"), true).map_err(|e| said("-Od", e))?;
    let b = run(s, std::slice::from_ref(&best), &folder.join("O3"), true).map_err(|e| said("-O3", e))?;
    counts.shaders += 1;
    counts.entries += entries;
    counts.draws += s.scene.draws.len();
    let same = |what: &str, x: &Results, y: &Results, within: f32| match difference(x, y, within) {
        d if d.is_empty() => Ok(()),
        d => Err(Failure::Error(format!("{what}: {d}"))),
    };
    same("-Od and -O3", &a, &b, s.tolerance())?;
    let Some(compiler) = reference else { return Ok(()) };
    let compiler = compiler.map_err(Failure::Missing)?;
    let parts = theirs(s, &folder, &best, compiler).map_err(Failure::Error)?;
    let r = run(s, &parts, &folder.join("reference"), false).map_err(|e| match e {
        Failure::Missing(e) | Failure::Error(e) => Failure::Error(format!("reference: {e}")),
    })?;
    same("-O3 and the reference", &b, &r, s.tolerance())?;
    counts.compared += entries;
    Ok(())
}

#[test]
fn draws_give_what_the_reference_gives() {
    if let Err(missing) = rtc_oracles::vulkan::available() {
        return skip::skip(missing);
    }
    let no_reference = rtc_oracles::Dxc::load().err().map(|e| e.to_string());
    let (mut wrong, mut missing) = (Vec::new(), Vec::new());
    let mut counts = Counts::default();
    let all = shaders();
    for s in &all {
        match one(s, no_reference.as_deref(), &mut counts) {
            Ok(()) => {}
            Err(Failure::Error(why)) => wrong.push(format!("{}: {why}", s.name)),
            Err(Failure::Missing(why)) => missing.push(format!("{}: {why}", s.name)),
        }
    }
    let Counts { shaders, entries, draws, compared } = counts;
    println!("{entries} entry points of {shaders} shaders in {draws} draws, {compared} of them by the reference compiler as well");
    assert!(wrong.is_empty(), "{} of {} shaders\n{}", wrong.len(), all.len(), wrong.join("\n"));
    if !missing.is_empty() {
        skip::skip(missing.join("; "));
    }
}
