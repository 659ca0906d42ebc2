//! `rtc-differential gpu-bundle`: makes the bundle of the GPU benchmark with the programs in the folder of this one.

use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_differential::gpu_bench::{Bundle, Compile, listed, own, projects, remove_projects};
use rtc_oracles::artefacts::workspace_root;

/// Its arguments.
pub const USAGE: &str = "gpu-bundle FOLDER [--scale FACTOR] [--turns N] [--repeat N] [--only NAME] [--list FILE] [--kernels] [--projects LIST --checkouts FOLDER]";

/// Parses the arguments and makes the bundle.
///
/// # Errors
/// An argument is wrong, no scene has the name of `--only`, or the bundle cannot be made.
pub fn run(args: &[String]) -> Result<(), String> {
    let (folder, rest) = args.split_first().filter(|a| !a.0.starts_with('-')).ok_or(format!("usage: rtc-differential {USAGE}"))?;
    let (mut scale, mut turns, mut repeat, mut only, mut list, mut kernels) = (1.0, 5, 3, String::new(), None, false);
    let (mut public, mut checkouts) = (None, None);
    let mut rest = rest.iter();
    while let Some(option) = rest.next() {
        if option == "--kernels" {
            kernels = true;
            continue;
        }
        let value = rest.next().ok_or_else(|| format!("`{option}` requires a value"))?;
        let wrong = || format!("`{value}` is no value of `{option}`");
        let count = || value.parse::<u32>().ok().filter(|n| *n > 0).ok_or_else(wrong);
        match option.as_str() {
            "--scale" => scale = value.parse().ok().filter(|x| *x > 0.0 && *x <= 1024.0).ok_or_else(wrong)?,
            "--turns" => turns = count()?,
            "--repeat" => repeat = count()?,
            "--only" => only.clone_from(value),
            "--list" => list = Some(PathBuf::from(value)),
            "--projects" => public = Some(PathBuf::from(value)),
            "--checkouts" => checkouts = Some(PathBuf::from(value)),
            _ => return Err(format!("unknown option `{option}`\nusage: rtc-differential {USAGE}")),
        }
    }
    let mut sources = match kernels {
        true => rtc_differential::gpu_bench::kernels(&workspace_root(), Path::new(folder))?,
        false => own(&workspace_root())?,
    };
    if let Some(list) = list {
        sources.extend(listed(&list)?);
    }
    match (public, checkouts) {
        (Some(list), Some(checkouts)) => sources.extend(projects(&list, &checkouts, Path::new(folder))?),
        (None, None) => {}
        _ => return Err("`--projects` and `--checkouts` go together".into()),
    }
    let names: Vec<String> = sources.iter().map(|s| s.name.clone()).collect();
    sources.retain(|s| s.name.contains(&only));
    if sources.is_empty() {
        return Err(format!("no scene `{only}`; there are {}", names.join(", ")));
    }
    let rtc = |args: &[String], source: &Path, out: &Path| compile(&[program("rtc")], args, source, out);
    let theirs = |args: &[String], source: &Path, out: &Path| compile(&[program("rtc-oracle"), "compile".into()], args, source, out);
    let reference: Result<&Compile<'_>, String> = match rtc_oracles::Dxc::load() {
        Ok(_) => Ok(&theirs),
        Err(missing) => Err(missing.to_string()),
    };
    let bundle = Bundle { rtc: &rtc, reference, scale, turns, repeat, two_forms: kernels };
    let manifest = bundle.make(&sources, Path::new(folder), |name| eprintln!("compiling {name}"));
    remove_projects(Path::new(folder));
    let manifest = manifest?;
    println!("{}", manifest.display());
    Ok(())
}

/// A program in the folder of this one.
fn program(name: &str) -> PathBuf {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::current_exe().map_or_else(|_| PathBuf::from(&file), |me| me.with_file_name(&file))
}

/// Compiles in a process of its own, which may crash.
fn compile(program: &[PathBuf], args: &[String], source: &Path, out: &Path) -> Result<Vec<u8>, String> {
    let done = Command::new(&program[0]).args(&program[1..]).args(args).arg(source).arg("-Fo").arg(out).output();
    let done = done.map_err(|e| format!("cannot start {}: {e}", program[0].display()))?;
    if !done.status.success() {
        let messages = String::from_utf8_lossy(&done.stderr).trim().to_string();
        return Err(if messages.is_empty() { format!("the compiler ends with {}", done.status) } else { messages });
    }
    std::fs::read(out).map_err(|e| format!("cannot read {}: {e}", out.display()))
}
