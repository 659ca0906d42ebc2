//! The parts that run what this system runs too: command lines, projects, lit tests, programs in C, tests of cargo.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::artefacts::workspace_root;
use rtc_oracles::skip::SKIP_LOG;

use super::{Finding, Setup, TARGET, arguments, wine};
use crate::dist::training;
use crate::plan;
use crate::progress::Step;

/// The number of reasons for skipped tests that are shown.
const SHOWN: usize = 12;

/// The lit tests that Windows rightly does not pass, and why.
const OTHERWISE: &[(&str, &str)] =
    &[("driver/preprocess.hlsl", "letter case does not count there, so that the warning about it is not given")];

/// The tests of cargo that run there: package, and its programs of tests; none are those inside of the library.
const TESTS: &[(&str, &[&str])] = &[
    ("rtc-base", &[]),
    ("rtc-memory", &[]),
    ("rtc-build", &[]),
    ("rtc-lsp", &[]),
    ("rtc-com", &[]),
    ("rtc-dxcompiler", &["compiler", "validator"]),
    ("rtc-cli", &["build_command", "bad_input", "link"]),
];

/// Every command line of the training writes the same bytes.
pub fn bytes(s: &Setup) -> Result<Finding, String> {
    let script = script(s)?;
    let lines = training::lines(&workspace_root())?;
    let passed = training::compare([&plan::program("rtc", false), &script.join("rtc")], &lines, &s.folder)?;
    Ok(Finding { passed, skipped: Vec::new() })
}

/// A folder with scripts that have the names of the programs.
fn script(s: &Setup) -> Result<PathBuf, String> {
    let bin = s.folder.join("bin");
    fs::create_dir_all(&bin).map_err(|e| format!("cannot create {}: {e}", bin.display()))?;
    for name in ["rtc", "rtc-opt", "rtc-run"] {
        s.wine.script(&s.built.join(format!("{name}.exe")), &bin.join(name))?;
    }
    Ok(bin)
}

/// The lit tests; there is no driver, so that tests that require a device are skipped.
pub fn lit(s: &Setup) -> Result<Finding, String> {
    let bin = script(s)?;
    let log = s.folder.join("lit-skipped.txt");
    _ = fs::remove_file(&log);
    let mut command = plan::cargo();
    command.args(["test", "--workspace", "--test", "lit", "--features", &plan::test_features()]).args(plan::lock_flags());
    command.arg("--").args(OTHERWISE.iter().flat_map(|(name, _)| ["--skip", name]));
    command.env("VK_DRIVER_FILES", "/none").env("RTC_BIN_DIR", &bin).env("RTC_LIT_TIMEOUT", "300").env(SKIP_LOG, &log);
    let mut step = Step::new("Running the lit tests under Wine");
    let said = step.run(&mut command)?;
    step.done();
    let mut skipped = reasons(&fs::read_to_string(&log).unwrap_or_default());
    skipped.extend(OTHERWISE.iter().map(|(name, why)| format!("{name}: {why}")));
    Ok(Finding { passed: passed(&said), skipped })
}

/// The number of tests that passed, in the output of test programs.
fn passed(said: &str) -> usize {
    let counts = said.lines().filter_map(|l| l.strip_prefix("test result:")?.split(". ").nth(1)?.split(' ').next()?.parse::<usize>().ok());
    counts.sum()
}

/// The reasons in a log of skipped tests, with how many tests have each.
fn reasons(log: &str) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    log.lines().filter_map(|l| l.rsplit('\t').next()).for_each(|why| *counts.entry(why).or_default() += 1);
    let mut all: Vec<(&str, usize)> = counts.into_iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest: usize = all.iter().skip(SHOWN).map(|a| a.1).sum();
    let mut lines: Vec<String> = all.iter().take(SHOWN).map(|(why, count)| format!("{count}: {why}")).collect();
    lines.extend((rest > 0).then(|| format!("{rest}: other reasons")));
    lines
}

/// A project of `rtc.toml` with every kind of output, and a configuration of ShaderMake, built by both programs.
pub fn projects(s: &Setup) -> Result<Finding, String> {
    let mut found = Finding::default();
    let build = |program: &mut Command, folder: &Path, arguments: &[String]| {
        program.args(arguments).current_dir(folder).env("RTC_CACHE_DIR", folder.join("cache")).env_remove("RTC_CACHE_URL");
        let done = s.wine.output(std::mem::replace(program, Command::new("true")))?;
        if done.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
    };
    let shadermake = |platform: &str| {
        let line = format!("build shadermake -p {platform} -c shaders.cfg -o out -b -h -B -H -m 6_6 -I include");
        line.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let kinds =
        [("rtc.toml", vec!["build".to_owned()]), ("shadermake DXIL", shadermake("DXIL")), ("shadermake SPIRV", shadermake("SPIRV"))];
    for (kind, arguments) in kinds {
        let mut made = Vec::new();
        for (system, program) in [("here", Command::new(plan::program("rtc", false))), ("there", s.wine.command(&s.built.join("rtc.exe")))]
        {
            let folder = s.folder.join("project").join(system);
            write_project(&folder)?;
            let mut program = program;
            build(&mut program, &folder, &arguments)?;
            let mut files = BTreeMap::new();
            read_all(&folder.join("out"), "", &mut files)?;
            made.push(files);
        }
        let [here, there] = &made[..] else { return Err("two systems".to_owned()) };
        let names = here.keys().chain(there.keys());
        let differ: Vec<&String> = names.filter(|n| here.get(*n) != there.get(*n)).collect();
        if !differ.is_empty() || here.len() < 4 {
            return Err(format!("{kind}: {} files, of which these differ: {differ:?}", here.len()));
        }
        found.passed += here.len();
    }
    Ok(found)
}

/// The project, in an empty folder: folders in names, permutations, headers in folders of includes, ends of lines of Windows in one file.
fn write_project(folder: &Path) -> Result<(), String> {
    _ = fs::remove_dir_all(folder);
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        made.map_err(|e| format!("cannot write {}: {e}", path.display()))
    };
    write("include/shared/value.hlsli", "#pragma once\r\n#define VALUE \\\r\n    (N + 1)\r\n")?;
    write(
        "passes/blur.hlsl",
        "#include \"shared\\value.hlsli\"\n#include \"../include/shared/value.hlsli\"\nRWByteAddressBuffer Out : register(u0);\n[numthreads(8, 1, 1)] void main(uint i : SV_DispatchThreadID) { Out.Store(i * 4, VALUE); }\n",
    )?;
    write(
        "passes/deep/rays.hlsl",
        "RWByteAddressBuffer Out : register(u0);\nstruct [raypayload] P { float a : read(caller) : write(miss, caller); };\n[shader(\"miss\")] void Sky(inout P p) { p.a = 1; }\n",
    )?;
    write(
        "shaders.cfg",
        "passes/blur.hlsl -T cs -D N={0,1,2}\npasses/deep/rays.hlsl -T lib -s _sky\n#ifdef NOT\nnone.hlsl -T cs\n#endif\n",
    )?;
    write(
        "rtc.toml",
        "out = 'out'\n[defaults]\ninclude_dirs = ['include']\n[target.dx]\n[target.vk]\noptions = ['-spirv', '-fspv-target-env=vulkan1.2']\n\
         [shader.'passes/blur']\nsource = 'passes/blur.hlsl'\nprofile = 'cs_6_6'\nmatrix = { N = [0, 1, 2] }\noptions = ['-Zi', '-Qembed_debug']\noutputs = ['object', 'header', 'blob', 'blob-header']\narchive = 'all'\n\
         [shader.rays]\nsource = 'passes/deep/rays.hlsl'\nprofile = 'lib_6_7'\narchive = 'all'\n[shader.pdb]\nsource = 'passes/blur.hlsl'\nprofile = 'cs_6_6'\ndefines = { N = 7 }\ntargets = ['dx']\noptions = ['-Zi']\noutputs = ['object', 'pdb']\n",
    )
}

/// All files of a folder by name, but for the state of builds.
fn read_all(folder: &Path, name: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?.flatten() {
        let own = entry.file_name().to_string_lossy().into_owned();
        let (path, name) = (entry.path(), format!("{name}/{own}"));
        match path.is_dir() {
            true if own == ".rtc" => {}
            true => read_all(&path, &name, files)?,
            false => _ = files.insert(name, fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?),
        }
    }
    Ok(())
}

/// The example of the C interface, with the import library and with the library loaded.
pub fn libraries(s: &Setup) -> Result<Finding, String> {
    let folder = s.folder.join("libraries");
    fs::create_dir_all(&folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
    let mut found = Finding::default();
    for (package, program) in plan::CAPI {
        let mut install = Command::new(plan::program(program, false));
        Step::new(format!("Installing {package}")).run(install.arg(&folder).arg(&s.built).arg(TARGET))?;
    }
    let bin = folder.join("bin");
    for library in ["dxcompiler.dll", "dxil.dll"] {
        fs::copy(s.built.join(library), bin.join(library)).map_err(|e| format!("cannot copy {library}: {e}"))?;
    }
    let text = |p: PathBuf| p.to_string_lossy().into_owned();
    let include = format!("-I{}", text(folder.join("include")));
    let example = workspace_root().join("bindings/c/tests/c/example.c");
    let import = text(folder.join("lib/librtc.dll.a"));
    // The example of the C interface uses threads of POSIX, which are a static library there.
    let programs = [(example, vec![import.as_str(), "-static", "-lpthread"]), (super::source("loads.c"), vec!["-lole32"])];
    for (file, after) in programs {
        let program = bin.join(file.file_stem().unwrap_or_default()).with_extension("exe");
        wine::compile(&file, &program, &["-Wall", "-Werror", &include], &after)?;
        let file = file.display();
        let mut command = s.wine.command(&program);
        command.current_dir(&bin);
        let done = s.wine.output(command)?;
        let said = String::from_utf8_lossy(&done.stdout).trim().to_owned();
        if !done.status.success() {
            return Err(format!("{file}: {}: {said}\n{}", done.status, String::from_utf8_lossy(&done.stderr)));
        }
        found.passed += 1;
    }
    Ok(found)
}

/// Tests of cargo, built for Windows.
pub fn tests(s: &Setup) -> Result<Finding, String> {
    let target = s.built.parent().and_then(Path::parent).unwrap_or(&s.built).to_owned();
    let mut found = Finding::default();
    for (package, programs) in TESTS {
        let mut command = plan::cargo();
        arguments(command.arg("test"), &target, "dev").args(["-p", package, "--no-fail-fast"]).envs(s.wine.runner());
        match programs {
            [] => _ = command.arg("--lib"),
            programs => programs.iter().for_each(|p| _ = command.args(["--test", p])),
        }
        let mut step = Step::new(format!("Testing {package} for {TARGET} under Wine"));
        let said = step.run(&mut command).map_err(|e| format!("{package}: {e}"))?;
        step.done();
        found.passed += passed(&said);
    }
    Ok(found)
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn results_of_tests_are_counted() {
        let said = "running 3 tests\ntest result: ok. 3 passed; 0 failed; 1 ignored\n\ntest result: ok. 40 passed; 0 failed\n";
        assert_eq!(passed(said), 43);
        let log = "a\tno GPU\nb\tno GPU\nc\tno LLVM\n";
        assert_eq!(reasons(log), ["2: no GPU", "1: no LLVM"]);
    }
}
