//! Compilation of what a scene names: by the program in the environment variable `RTC`, by `rtc` in the folder of this program, or by `rtc`
//! on the PATH; and again for what a device lacks.

use crate::arguments::Arguments;
use crate::{FALLS_BACK, Failure, spirv_options};
use rtc_host::run::{CPU, FormOption, RunOptions, extensions_to_name};
use rtc_host::scene::Scene;
use rtc_host::{ErrorKind, RunError};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs a scene again whose package every Vulkan device `refused`: compiled for the one at hand, or else, if no device was
/// named, from DXIL on the CPU device. What runs a package is `run`.
pub fn elsewhere<R>(
    scene: &Scene,
    made: &[u8],
    refused: RunError,
    mut more: Vec<String>,
    mut options: RunOptions,
    mut run: impl FnMut(&[u8], &RunOptions) -> Result<R, RunError>,
) -> Result<R, Failure> {
    let refused = match for_the_device(scene, made, more.clone(), options.device.as_deref()) {
        // Its extensions are not sufficient, which is why it cannot run this.
        Err(why) => refused.note(why),
        Ok(None) => refused,
        Ok(Some(other)) => match run(&other, &options) {
            Err(e) if e.kind == ErrorKind::NoDevice => e,
            done => return Ok(done?),
        },
    };
    // What is compiled already is SPIR-V, which the CPU device does not run, and a form is one of SPIR-V.
    if options.device.is_some() || scene.shader.source.is_none() || !options.additional.is_empty() || options.form != FormOption::Rule {
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
    Ok(run(&container, &options)?)
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
    // The first compilation printed the others; this one chooses among the forms of hit objects.
    more.extend(["-Wno-everything".into(), "-Wpackage-forms".into()]);
    package(scene, &more, false).map(Some)
}

/// The scene's package, or its DXIL for the CPU device: read, or compiled from its source with `more` options.
pub fn package(scene: &Scene, more: &[String], cpu: bool) -> Result<Vec<u8>, String> {
    let folder = scene.path.parent().unwrap_or(Path::new(""));
    let read = |p: &Path| std::fs::read(p).map_err(|e| format!("rtc run: error: cannot read `{}`: {e}", p.display()));
    let Some(source) = &scene.shader.source else {
        let package = scene.shader.package.as_ref().expect("a scene has a source or a package");
        return read(&folder.join(package));
    };
    compiled(scene, &folder.join(source), more, cpu, Stdio::inherit())
}

/// The scene's DXIL for the CPU device where its source has no package: SPIR-V has limits that DXIL has not. None: it does not compile either, or
/// the options name a device or a form.
pub fn for_the_cpu(scene: &Scene, more: &[String], options: &RunOptions) -> Option<Vec<u8>> {
    let requested = options.device.is_some() || options.form != FormOption::Rule || !options.additional.is_empty();
    let source = scene.shader.source.as_ref().filter(|_| !requested && cfg!(feature = "cpu"))?;
    compiled(scene, &scene.dir().join(source), more, true, Stdio::null()).ok()
}

/// The scene's DXIL, with the compiler's messages printed only if it compiles; none otherwise.
pub fn quietly(scene: &Scene, more: &[String]) -> Option<Vec<u8>> {
    let source = scene.shader.source.as_ref()?;
    let said = std::env::temp_dir().join(format!("rtc-run-{}.said", std::process::id()));
    let file = std::fs::File::create(&said).ok()?;
    let made = compiled(scene, &scene.dir().join(source), more, true, Stdio::from(file)).ok();
    let text = std::fs::read_to_string(&said).unwrap_or_default();
    _ = std::fs::remove_file(&said);
    if made.is_some() {
        eprint!("{text}");
    }
    made
}

/// Compiles a source of a scene.
fn compiled(scene: &Scene, source: &Path, more: &[String], cpu: bool, errors: Stdio) -> Result<Vec<u8>, String> {
    let read = |p: &Path| std::fs::read(p).map_err(|e| format!("rtc run: error: cannot read `{}`: {e}", p.display()));
    let out = std::env::temp_dir().join(format!("rtc-run-{}.{}", std::process::id(), if cpu { "dxil" } else { "rtp" }));
    let compiler = compiler();
    let mut command = Command::new(&compiler);
    arguments(&mut command, scene, more, cpu);
    // The last one counts.
    command.arg("-Fo").arg(&out).arg(source).stderr(errors);
    let status = command.status().map_err(|e| format!("rtc run: error: cannot start `{}`: {e}", compiler.display()))?;
    if !status.success() {
        return Err(format!("rtc run: error: `{}` does not compile", source.display()));
    }
    let bytes = read(&out);
    _ = std::fs::remove_file(&out);
    bytes
}

/// The program that compiles.
fn compiler() -> PathBuf {
    let sibling = || std::env::current_exe().ok().map(|me| me.with_file_name(format!("rtc{}", std::env::consts::EXE_SUFFIX)));
    std::env::var_os("RTC").map(PathBuf::from).or_else(|| sibling().filter(|rtc| rtc.exists())).unwrap_or_else(|| PathBuf::from("rtc"))
}

/// The options of a scene's source that the scene states.
pub fn options(scene: &Scene) -> Vec<String> {
    let defines = scene.shader.defines.iter().flat_map(|d| ["-D".to_owned(), d.clone()]);
    ["-T".to_owned(), scene.shader.profile.clone()].into_iter().chain(defines).chain(scene.shader.args.iter().cloned()).collect()
}

/// Adds the options with which a scene's source is compiled.
fn arguments(command: &mut Command, scene: &Scene, more: &[String], cpu: bool) {
    let mut own: Vec<String> = options(scene).iter().chain(more).cloned().collect();
    if cpu {
        own = spirv_options::without(&own);
    } else {
        command.arg("-spirv");
        // The compiler does not see the scene; local root signatures may be associated with its hit groups.
        for g in &scene.overrides.hit_groups {
            command.arg(format!("-hit-group={}={},{},{}", g.name, g.closest_hit, g.any_hit, g.intersection));
        }
    }
    command.args(own);
}

/// The files that a scene's source includes, and itself, as the compiler names them in a make rule; none if it fails.
pub fn includes(scene: &Scene, a: &Arguments) -> Option<Vec<PathBuf>> {
    let Some(source) = &scene.shader.source else { return Some(Vec::new()) };
    let source = scene.dir().join(source);
    let mut command = Command::new(compiler());
    arguments(&mut command, scene, &a.more, a.cpu());
    let done = command.arg("-M").arg(&source).stderr(Stdio::null()).output().ok()?;
    done.status.success().then(|| depends(&String::from_utf8_lossy(&done.stdout)))
}

/// The files after the colon of a make rule: `\\` before a line's end goes on, `\\ ` is a space of a name.
fn depends(rule: &str) -> Vec<PathBuf> {
    let rule = rule.replace("\\\r\n", " ").replace("\\\n", " ");
    let list = rule.split_once(": ").map_or("", |(_, list)| list).replace("\\ ", "\0");
    list.split_whitespace().map(|word| PathBuf::from(word.replace('\0', " "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn make_rules() {
        let files = |rule: &str| depends(rule).iter().map(|p| p.display().to_string()).collect::<Vec<_>>();
        assert_eq!(files("a.o: a.hlsl b\\ c.hlsli \\\n  d.hlsli\n"), ["a.hlsl", "b c.hlsli", "d.hlsli"]);
        assert_eq!(files("nothing"), [""; 0]);
    }
}
