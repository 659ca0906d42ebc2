//! Data that `rtc_dxil_container::recompute` derives from a module equals the stored data byte for byte: RDAT, SFI0, shader flags, PSV0; for every sample and
//! every lit test, at several validator versions, and for the reference compiler's output of the samples. `rtc validate` accepts each of
//! these containers. `RTC_RECOMPUTED=name` selects files by name, `RTC_CONTAINERS=folder` adds every `.dxil` file of a folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rtc_dxil_container::recompute;
use rtc_dxil_container::{Container, FourCc, sfi0};
use rtc_oracles::selection::Filter;
use rtc_oracles::{Dxc, skip};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// Minor numbers of validator versions whose rules differ.
const VERSIONS: [u32; 7] = [3, 5, 6, 7, 8, 9, 10];
/// Files that are compiled for every one of them.
const TELLING: [&str; 4] = ["lang/stages_said.hlsl", "lang/typed_uav_loads.hlsl", "run/atomics_64.hlsl", "run/groupshared.hlsl"];

/// How samples are compiled besides what they say themselves.
const OPTION_SETS: &[&[&str]] = &[&[], &["-Od"], &["-Zi", "-Qembed_debug"], &["-Od", "-Zi", "-Qembed_debug"]];

/// Where recomputed and stored differ, or which rules a container breaks.
fn wrong_with(bytes: &[u8]) -> Option<String> {
    difference(bytes).or_else(|| {
        let report = rtc_dxil_validate::container(bytes);
        (!report.is_valid()).then(|| report.to_string())
    })
}

/// Where recomputed and stored differ.
fn difference(bytes: &[u8]) -> Option<String> {
    let container = match Container::parse(bytes) {
        Ok(c) => c,
        Err(e) => return Some(e.to_string()),
    };
    let again = match recompute::of_container(&container) {
        Ok(a) => a,
        Err(e) => return Some(e.to_string()),
    };
    let part = |cc| container.part(cc).map(|p| p.data.as_slice());
    let stored = part(FourCc::SFI0).and_then(|p| sfi0::read(p).ok());
    if stored != Some(again.features()) {
        return Some(format!("SFI0 {:x}, stored {stored:x?}", again.features()));
    }
    if again.flags != again.info.flags() {
        return Some(format!("flags {:#x}, stored {:#x}", again.flags, again.info.flags()));
    }
    if again.psv.as_ref().map(|p| p.write()).as_deref() != part(FourCc::PSV0) {
        return Some("PSV0".into());
    }
    if again.rdat_bytes().as_deref() != part(FourCc::RDAT) {
        let theirs = part(FourCc::RDAT).and_then(|p| rtc_dxil_container::rdat::Rdat::read(p).ok());
        let mine = again.rdat.unwrap_or_default();
        let theirs = theirs.unwrap_or_default();
        for (a, b) in mine.functions.iter().zip(&theirs.functions) {
            if a != b {
                return Some(format!("RDAT: {a:#?}\nstored {b:#?}"));
            }
        }
        return Some(format!("RDAT: {mine:#?}\nstored {theirs:#?}"));
    }
    None
}

fn hlsl_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            hlsl_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "hlsl") {
            out.push(path);
        }
    }
}

/// How a file is compiled to DXIL: the arguments of its `RUN` lines, or of the first line of a sample.
fn commands(file: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(file).expect("a source");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if let Some(line) = text.lines().next().and_then(|l| l.strip_prefix("// rtc ")) {
        return vec![words(line)];
    }
    let mut out = Vec::new();
    for line in text.lines().filter_map(|l| l.split_once("RUN: %rtc -").map(|p| format!("-{}", p.1))) {
        if !line.contains("-T ") || line.contains("-spirv") || line.contains("-P ") || line.contains('|') || line.contains('>') {
            continue;
        }
        let mut args = words(&line);
        args.retain(|w| w != "%s" && !w.contains("%t") && !w.contains('%') && w != "-Fo" && w != "-Fc");
        out.push(args);
    }
    out
}

/// The name of the file that a thread writes.
fn scratch(n: usize) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("recomputed");
    std::fs::create_dir_all(&dir).expect("a folder");
    dir.join(format!("{n}.dxil"))
}

#[test]
fn stored_is_recomputed() {
    let mut files = Vec::new();
    hlsl_files(&root().join("lit-tests/tests"), &mut files);
    hlsl_files(&root().join("samples"), &mut files);
    files.sort();
    let filter = Filter::new("RTC_RECOMPUTED");
    let mut jobs = Vec::new();
    for file in files.iter().filter(|f| filter.takes(&f.to_string_lossy())) {
        for args in commands(file) {
            let profile = args.iter().position(|a| a == "-T").and_then(|n| args.get(n + 1)).expect("a profile").clone();
            let minor: u32 = profile.rsplit('_').next().and_then(|m| m.parse().ok()).unwrap_or(0);
            let possible: Vec<u32> = VERSIONS.iter().copied().filter(|&v| v >= minor).collect();
            let count = possible.len().max(1);
            let mut versions = match possible.get(jobs.len() % possible.len().max(1)) {
                Some(&v) => vec![Some(v)],
                None => vec![None],
            };
            // All of them on demand, and where they once made a difference.
            if filter.is_set() || TELLING.iter().any(|t| file.ends_with(t)) {
                versions = possible.into_iter().map(Some).collect();
            }
            // Not optimised and with debug information, each every so often; samples in all option_sets.
            let n = jobs.len() / count;
            let option_sets = if file.starts_with(root().join("samples")) { OPTION_SETS } else { &OPTION_SETS[n % 3..][..1] };
            for way in option_sets {
                let args: Vec<String> = args.iter().cloned().chain(way.iter().map(|a| a.to_string())).collect();
                jobs.extend(versions.iter().map(|&v| (file.clone(), args.clone(), v)));
            }
        }
    }
    filter.must_have_matched();
    let least = if filter.is_set() { 1 } else { 300 };
    assert!(jobs.len() >= least, "{} compilations, at least {least} are expected", jobs.len());
    let (next, compared, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (next, compared, wrong, jobs) = (&next, &compared, &wrong, &jobs);
            scope.spawn(move || {
                let out = scratch(thread);
                while let Some((file, args, version)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut rtc = Command::new(env!("CARGO_BIN_EXE_rtc"));
                    rtc.args(args).arg("-Vd").arg("-no-warnings").arg(file).arg("-Fo").arg(&out);
                    if let Some(v) = version {
                        rtc.arg("-validator-version").arg(format!("1.{v}"));
                    }
                    // Some tests are about errors.
                    if !rtc.output().expect("rtc starts").status.success() {
                        continue;
                    }
                    compared.fetch_add(1, Ordering::Relaxed);
                    if let Some(why) = wrong_with(&std::fs::read(&out).expect("the object")) {
                        wrong.lock().expect("a lock").push(format!("{} {args:?} {version:?}: {why}", file.display()));
                    }
                }
            });
        }
    });
    let (wrong, compared) = (wrong.into_inner().expect("a lock"), compared.into_inner());
    println!("{compared} containers compared");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared >= least, "{compared} containers compared, at least {least} are expected");
}

/// The RDAT that the compiler writes of a file, in a container or in a package; none if it does not compile.
fn runtime_data(file: &Path, args: &[String], out: &Path) -> Option<Vec<u8>> {
    let mut rtc = Command::new(env!("CARGO_BIN_EXE_rtc"));
    rtc.args(args).arg("-no-warnings").arg(file).arg("-Fo").arg(out);
    if !rtc.output().expect("rtc starts").status.success() {
        return None;
    }
    let container = Container::parse(&std::fs::read(out).expect("the object")).expect("a container");
    Some(container.require(FourCc::RDAT).expect("a library").to_vec())
}

/// A package has no DXIL: its RDAT is computed from the IR, and is what a container of the same library has.
#[test]
fn a_package_has_the_runtime_data_of_a_container() {
    let (mut files, mut lit) = (Vec::new(), Vec::new());
    hlsl_files(&root().join("samples"), &mut files);
    hlsl_files(&root().join("lit-tests/tests"), &mut lit);
    lit.sort();
    let filter = Filter::new("RTC_RECOMPUTED");
    // The lit tests are many: each fifth, or those that are chosen, and one in which the payload of mesh shaders is copied.
    let (every, copies) = (if filter.is_set() { 1 } else { 5 }, Path::new("run/graphics/payload_copies.hlsl"));
    files.extend(lit.into_iter().enumerate().filter(|(n, f)| n % every == 0 || f.ends_with(copies)).map(|(_, f)| f));
    let (mut compared, mut wrong) = (0, Vec::new());
    // What only stores use that no other stage sees is not used in a package, where the compiler drops these: `run/payloads/ignored_stores*.hlsl`.
    let dropped = |f: &Path| f.file_name().is_some_and(|n| n.to_string_lossy().starts_with("ignored_stores"));
    // Push constants are global constants in DXIL.
    let pushed = |f: &Path| std::fs::read_to_string(f).is_ok_and(|text| text.contains("vk::push_constant"));
    // Functions without `[shader]` whose attributes make them shaders of a library of DXIL: in SPIR-V they are none, as with the reference.
    let by_attributes = |f: &Path| ["graphics/tessellation.hlsl", "lang/compute_unsaid.hlsl"].iter().any(|name| f.ends_with(name));
    let fits = |f: &Path| filter.takes(&f.to_string_lossy()) && !dropped(f) && !pushed(f) && !by_attributes(f);
    for file in files.iter().filter(|f| fits(f)) {
        let args: Vec<String> = ["-T", "lib_6_9", "-enable-16bit-types"].map(str::to_owned).to_vec();
        let Some(container) = runtime_data(file, &args, &scratch(10)) else { continue };
        let packed: Vec<String> = args.iter().cloned().chain(["-spirv".to_owned()]).collect();
        let Some(package) = runtime_data(file, &packed, &scratch(10).with_extension("rtp")) else { continue };
        compared += 1;
        if container != package {
            let read = |data: &[u8]| rtc_dxil_container::rdat::Rdat::read(data).expect("RDAT");
            wrong.push(format!("{}: {:#?}\nthe package has {:#?}", file.display(), read(&container), read(&package)));
        }
    }
    println!("{compared} packages compared");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(filter.is_set() || compared >= 30, "{compared} packages compared");
}

#[test]
fn of_containers_at_hand() {
    let Some(folder) = std::env::var_os("RTC_CONTAINERS") else {
        return skip::skip("RTC_CONTAINERS names no folder");
    };
    let (mut compared, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "dxil") {
            compared += 1;
            if let Some(why) = wrong_with(&std::fs::read(&path).expect("a container")) {
                wrong.push(format!("{}: {why}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty() && compared > 0, "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn of_the_reference_compiler_too() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let mut files = Vec::new();
    hlsl_files(&root().join("samples"), &mut files);
    let filter = Filter::new("RTC_RECOMPUTED");
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in files.iter().filter(|f| filter.takes(&f.to_string_lossy())) {
        let text = std::fs::read_to_string(file).expect("a source");
        for args in commands(file) {
            for profile in ["lib_6_3", "lib_6_6"] {
                let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
                let Some(at) = args.iter().position(|&a| a == "-T") else { continue };
                if args[at + 1].starts_with("lib") {
                    args[at + 1] = profile;
                }
                args.extend(["-validator-version", "1.6"]);
                let done = dxc.compile(&text, &file.to_string_lossy(), &args);
                let Some(object) = done.object else { continue };
                compared += 1;
                if let Some(why) = wrong_with(&object) {
                    wrong.push(format!("{} {args:?}: {why}", file.display()));
                }
            }
        }
    }
    println!("{compared} containers compared");
    if let Some(why) = filter.nothing() {
        return skip::skip(format!("{why}, only samples are compiled by the reference"));
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > if filter.is_set() { 0 } else { 8 }, "{compared} containers compared");
}
