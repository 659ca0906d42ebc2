//! `librtc` from C: the header is up to date; a program runs, under valgrind too; a CMake project is built and run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rtc_oracles::programs::find_program;
use rtc_oracles::skip;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for a test, empty.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

#[track_caller]
fn succeeds(command: &mut Command) -> String {
    let output = run(command);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    out
}

/// Installs the library into a folder.
fn installed(name: &str) -> PathBuf {
    let prefix = scratch(name);
    succeeds(Command::new(env!("CARGO_BIN_EXE_rtc-install")).arg(&prefix));
    prefix
}

/// `RTC_BLESS=1` writes it.
#[test]
fn the_header_is_that_of_the_source() {
    // The generator is a workspace of its own, so that its dependencies do not change how the others are built.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../header");
    let manifest = folder().join("header/Cargo.toml");
    let cargo = |rest: &[&str]| {
        let mut c = Command::new(env!("CARGO"));
        c.args(rest).arg("--manifest-path").arg(&manifest).arg("--target-dir").arg(&target).arg("--locked");
        c
    };
    let mut built = run(&mut cargo(&["build", "--quiet", "--offline"]));
    if !built.status.success() {
        built = run(&mut cargo(&["build", "--quiet"]));
    }
    if !built.status.success() {
        let why = String::from_utf8_lossy(&built.stderr).into_owned();
        return skip::skip(format!("the header generator cannot be built: {}", why.lines().next().unwrap_or("no reason given")));
    }
    let text = succeeds(Command::new(target.join("debug/rtc-header")).arg(folder()));
    let path = folder().join("include/rtc.h");
    if std::env::var_os("RTC_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the header is written");
    }
    let stored = std::fs::read_to_string(&path).expect("a header");
    assert!(stored == text, "include/rtc.h is not what the source says; RTC_BLESS=1 cargo test -p rtc-capi --test c writes it");
}

#[cfg(unix)]
#[test]
fn a_program_runs() {
    let Some(cc) = find_program("cc") else { return skip::skip("there is no C compiler named `cc`") };
    let prefix = installed("program");
    let program = prefix.join("example");
    let mut flags: Vec<String> = vec![format!("-I{}/include", prefix.display()), format!("-L{}/lib", prefix.display()), "-lrtc".into()];
    if let Some(pkg_config) = find_program("pkg-config") {
        let mut command = Command::new(pkg_config);
        command.args(["--cflags", "--libs", "rtc"]).env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        flags = succeeds(&mut command).split_whitespace().map(str::to_owned).collect();
    }
    let source = folder().join("tests/c/example.c");
    let warnings = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"];
    succeeds(Command::new(&cc).args(warnings).arg(&source).args(&flags).arg("-pthread").arg("-o").arg(&program));
    let out = succeeds(Command::new(&program).env("LD_LIBRARY_PATH", prefix.join("lib")));
    assert!(out.contains("all is well"), "{out}");
    // The header is C++ as well.
    if let Some(cxx) = find_program("c++") {
        let test = prefix.join("header.cpp");
        std::fs::write(&test, "#include \"rtc.h\"\nint main() { return rtc_abi_version() == RTC_ABI_VERSION ? 0 : 1; }\n").expect("a file");
        succeeds(
            Command::new(cxx).args(["-std=c++17", "-Wall", "-Wextra", "-Werror"]).arg(&test).args(&flags).arg("-o").arg(prefix.join("cpp")),
        );
        succeeds(Command::new(prefix.join("cpp")).env("LD_LIBRARY_PATH", prefix.join("lib")));
    }
    let Some(valgrind) = find_program("valgrind") else { return skip::skip("valgrind is not installed") };
    let mut command = Command::new(valgrind);
    command.args([
        "--quiet",
        "--error-exitcode=9",
        "--leak-check=full",
        "--show-leak-kinds=definite,indirect",
        "--errors-for-leak-kinds=definite,indirect",
    ]);
    // Work has stacks of its own.
    command.args(["--max-stackframe=33554432"]).arg(&program).env("LD_LIBRARY_PATH", prefix.join("lib"));
    succeeds(&mut command);
}

#[cfg(unix)]
#[test]
fn a_cmake_project_is_built_and_run() {
    let (Some(cmake), Some(_)) = (find_program("cmake"), find_program("cc")) else {
        return skip::skip("there is no CMake or no C compiler named `cc`");
    };
    let prefix = installed("cmake");
    if !prefix.join("bin/rtc").is_file() {
        return skip::skip("the command `rtc` was not built next to the library: cargo test --workspace builds it");
    }
    // A copy, whose header changes.
    let (source, build) = (prefix.join("source"), prefix.join("build"));
    std::fs::create_dir_all(source.join("shaders")).expect("a folder");
    for file in ["CMakeLists.txt", "example.c", "shaders/fill.hlsl", "shaders/value.hlsli"] {
        std::fs::copy(folder().join("tests/c").join(file), source.join(file)).expect("a copy");
    }
    let mut configure = Command::new(&cmake);
    configure.arg("-S").arg(&source).arg("-B").arg(&build).arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    succeeds(&mut configure);
    let compile = || succeeds(Command::new(&cmake).arg("--build").arg(&build));
    compile();
    for program in ["example", "example_static"] {
        let out = succeeds(Command::new(build.join(program)).env("LD_LIBRARY_PATH", prefix.join("lib")));
        assert!(out.contains("all is well"), "{program}: {out}");
    }
    let shader = || std::fs::read(build.join("shaders/fill.dxil")).expect("a shader");
    let before = shader();
    assert!(before.starts_with(b"DXBC"));
    assert!(std::fs::read(build.join("shaders_vulkan/fill.spv")).expect("a shader").starts_with(&[3, 2, 0x23, 7]));
    assert!(!compile().contains("Compiling"), "nothing has changed");
    // Dependencies come from the file that the compiler writes; time stamps may have whole seconds.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    std::fs::write(source.join("shaders/value.hlsli"), "#define VALUE 8\n").expect("a header");
    assert!(compile().contains("Compiling"), "a header has changed");
    assert_ne!(shader(), before);
}
