//! `librtc` from C: the header is up to date; a program runs, under valgrind too; a CMake project is built and run.

use std::process::Command;

use rtc_oracles::c_library::{C_FLAGS, Library, succeeds, under_valgrind};
use rtc_oracles::programs::find_program;
use rtc_oracles::skip;
use std::path::Path;

const LIBRARY: Library = Library {
    name: "rtc",
    folder: env!("CARGO_MANIFEST_DIR"),
    scratch: env!("CARGO_TARGET_TMPDIR"),
    install: env!("CARGO_BIN_EXE_rtc-install"),
};

fn folder() -> &'static Path {
    Path::new(LIBRARY.folder)
}

/// `RTC_BLESS=1` writes it.
#[test]
fn the_header_is_that_of_the_source() {
    match LIBRARY.headers(&["types", "session", "options", "job", "result", "compile"]) {
        Ok([text, stored]) => {
            assert!(stored == text, "include/rtc.h is not what the source says; RTC_BLESS=1 cargo test -p rtc-c --test c writes it");
        }
        Err(why) => skip::skip(why),
    }
}

#[cfg(unix)]
#[test]
fn a_program_runs() {
    let Some(cc) = find_program("cc") else { return skip::skip("there is no C compiler named `cc`") };
    let prefix = LIBRARY.installed("program");
    let program = prefix.join("example");
    let flags = LIBRARY.flags(&prefix);
    let source = folder().join("tests/c/example.c");
    succeeds(Command::new(&cc).args(C_FLAGS).arg(&source).args(&flags).arg("-pthread").arg("-o").arg(&program));
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
    let Some(mut command) = under_valgrind(&program, &[]) else { return skip::skip("valgrind is not installed") };
    command.env("LD_LIBRARY_PATH", prefix.join("lib"));
    succeeds(&mut command);
}

#[cfg(unix)]
#[test]
fn a_cmake_project_is_built_and_run() {
    let (Some(cmake), Some(_)) = (find_program("cmake"), find_program("cc")) else {
        return skip::skip("there is no CMake or no C compiler named `cc`");
    };
    let prefix = LIBRARY.installed("cmake");
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
