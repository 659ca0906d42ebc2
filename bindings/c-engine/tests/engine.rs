//! `librtcrt` from C: the header is up to date; every function is called, with wrong arguments too; the renderer of `examples/embed-c/` draws what
//! that of `examples/embed-ash/` draws, with silent validation, under valgrind, and built with CMake.

use rtc_embed_ash::{package, reference};
use rtc_oracles::c_library::{C_FLAGS, Library, run, succeeds, under_valgrind};
use rtc_oracles::programs::find_program;
use rtc_oracles::{skip, vulkan};
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: Library = Library {
    name: "rtcrt",
    folder: env!("CARGO_MANIFEST_DIR"),
    scratch: env!("CARGO_TARGET_TMPDIR"),
    install: env!("CARGO_BIN_EXE_rtcrt-install"),
};

/// The status of a program that finds no device.
const NO_DEVICE: i32 = 77;

/// The files with what is in the header, in its order.
#[rustfmt::skip]
const HEADER: [&str; 30] = [
    "types", "status", "library", "constants", "specialisation", "hit_group", "state_object", "requirements", "device", "memory", "layout",
    "descriptor_buffer", "pipeline", "compilation", "cache", "dispatch", "execute_indirect", "tables", "forms", "measure", "wavefront",
    "accel", "builds", "serialized",
    "micromap_linkage", "micromaps", "micromap_bytes", "d3d12", "operations", "operation_arguments",
];

/// `RTC_BLESS=1` writes it.
#[test]
fn the_header_is_that_of_the_source() {
    match LIBRARY.headers(&HEADER) {
        Ok([text, stored]) => {
            let how = "RTC_BLESS=1 cargo test -p rtc-c-engine --test engine the_header writes it";
            assert!(stored == text, "include/rtcrt.h is not what the source says; {how}");
        }
        Err(why) => skip::skip(why),
    }
}

/// The package of the tests of forms, in all of them.
fn package_in_all_forms() -> Vec<u8> {
    let mut options = rtc::Options::new(rtc::Profile::parse("lib_6_9").expect("a profile"));
    (options.target, options.vulkan.ser) = (rtc::Target::Package, rtc::Ser::Auto);
    let source = include_bytes!("c/forms.hlsl");
    let made = rtc::compile("forms.hlsl", source, &mut rtc::NoIncludes, &options);
    let said: String = made.diagnostics.iter().map(|d| rtc::render(&made.sources, d, rtc::Style::Short)).collect();
    made.product.unwrap_or_else(|| panic!("{said}")).into_bytes()
}

/// A C program that was built with the installed library.
struct Program {
    folder: PathBuf,
    path: PathBuf,
}

/// Compiles files of C, which use `vulkan/vulkan.h`.
fn program(name: &str, files: &[String]) -> Result<Program, String> {
    let cc = find_program("cc").ok_or("there is no C compiler named `cc`")?;
    if !vulkan::headers() {
        return Err("the headers of Vulkan (libvulkan-dev) are not installed".to_string());
    }
    let folder = LIBRARY.installed(name);
    let path = folder.join(name);
    let sources = files.iter().map(|f| Path::new(LIBRARY.folder).join("../..").join(f));
    let include = format!("-I{}/../../examples/embed-c/src", LIBRARY.folder);
    let mut command = Command::new(cc);
    command.args(C_FLAGS).args(["-g", "-D_POSIX_C_SOURCE=200809L", &include]).args(sources);
    succeeds(command.args(LIBRARY.flags(&folder)).args(["-lvulkan", "-lm", "-pthread", "-o"]).arg(&path));
    Ok(Program { folder, path })
}

impl Program {
    fn command(&self) -> Command {
        self.with_library(Command::new(&self.path))
    }

    fn with_library(&self, mut command: Command) -> Command {
        command.env("LD_LIBRARY_PATH", self.folder.join("lib")).current_dir(&self.folder);
        command
    }
}

/// A program with files of the renderer and of the tests, and the packages that it loads.
fn with_packages(name: &str, of_renderer: &[&str], of_tests: &[&str]) -> Result<Program, String> {
    let renderer = of_renderer.iter().map(|f| format!("examples/embed-c/src/{f}.c"));
    let files: Vec<String> = renderer.chain(of_tests.iter().map(|f| format!("bindings/c-engine/tests/c/{f}.c"))).collect();
    let program = program(name, &files)?;
    for shader in ["base", "matte", "mirror"] {
        let package = package(&format!("{shader}.hlsl")).unwrap_or_else(|e| panic!("{shader}: {e}"));
        std::fs::write(program.folder.join(shader).with_extension("rtp"), package).expect("a package");
    }
    Ok(program)
}

fn renderer(name: &str) -> Result<Program, String> {
    with_packages(name, &["main", "renderer", "scene", "gpu", "allocator"], &[])
}

const FILES: [&str; 4] = ["base.rtp", "matte.rtp", "mirror.rtp", "picture.ppm"];

/// What the validation layer said, without its false reports.
fn messages(out: &str) -> Vec<&str> {
    let said = out.lines().filter(|l| l.starts_with("validation: "));
    said.filter(|l| !rtc_engine::vulkan::is_false_report(l)).collect()
}

/// Pixels of a PPM file, with alpha.
fn pixels(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("a picture");
    let head = format!("P6\n{} {}\n255\n", reference::SIZE.0, reference::SIZE.1);
    let rest = bytes.strip_prefix(head.as_bytes()).expect("the header of a picture of this size");
    rest.chunks_exact(3).flat_map(|c| [c[0], c[1], c[2], 255]).collect()
}

/// The files of the program that calls every function.
#[rustfmt::skip]
const EVERYTHING: [&str; 19] = [
    "everything", "stage", "mistakes", "descriptions", "libraries", "pipelines", "dispatches", "specialisation", "forms", "structures", "indirect",
    "descriptor_buffers", "on_host", "newer", "mock", "on_mock", "memory", "host_memory", "strangers",
];

/// Without a device under valgrind; with one, and with the validation layer.
#[test]
fn every_function_is_called() {
    let program = match with_packages("everything", &["scene", "gpu", "allocator"], &EVERYTHING) {
        Ok(program) => program,
        Err(why) => return skip::skip(why),
    };
    let constants = package("../../../bindings/c-engine/tests/c/constants.hlsl").unwrap_or_else(|e| panic!("constants: {e}"));
    std::fs::write(program.folder.join("constants.rtp"), constants).expect("a package");
    std::fs::write(program.folder.join("forms.rtp"), package_in_all_forms()).expect("a package");
    _ = std::fs::remove_dir_all(program.folder.join("forms-cache"));
    let mut quick = under_valgrind(&program.path, &[SUPPRESSIONS]).map_or_else(|| program.command(), |c| program.with_library(c));
    assert!(succeeds(quick.arg("mistakes")).contains("all is well"));
    for how in ["alone", "watched"] {
        let output = run(program.command().arg(how));
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.code() == Some(NO_DEVICE) {
            return skip::skip(out);
        }
        assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
        assert!(out.contains("all is well") && messages(&out).is_empty(), "{out}");
    }
}

/// The sources of the program above have every function of the header.
#[test]
fn no_function_is_forgotten() {
    let header = std::fs::read_to_string(Path::new(LIBRARY.folder).join("include/rtcrt.h")).expect("a header");
    let read = |f: &&str| std::fs::read_to_string(Path::new(LIBRARY.folder).join("tests/c").join(f).with_extension("c"));
    let mut source = EVERYTHING.iter().map(|f| read(f).expect("a source")).collect::<String>();
    for file in ["gpu", "allocator", "scene"] {
        let path = Path::new(LIBRARY.folder).join("../../examples/embed-c/src").join(file).with_extension("c");
        source += &std::fs::read_to_string(path).expect("a source");
    }
    let code = header.lines().filter(|l| !l.trim_start().starts_with("//") && !l.starts_with(' '));
    let functions: Vec<&str> =
        code.filter_map(|l| l.split_once('(')).filter_map(|(before, _)| before.split([' ', '*']).next_back()).collect();
    assert!(functions.len() > 100, "{functions:?}");
    let forgotten: Vec<_> = functions.iter().filter(|f| f.starts_with("rtcrt_") && !source.contains(&format!("{f}("))).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}

/// C++ reads the header, and a program that has no Vulkan loader is linked.
#[test]
fn the_header_is_cpp_too() {
    let Some(cxx) = find_program("c++") else { return skip::skip("there is no C++ compiler named `c++`") };
    let prefix = LIBRARY.installed("cpp");
    let (source, path) = (prefix.join("header.cpp"), prefix.join("header"));
    std::fs::write(&source, "#include \"rtcrt.h\"\nint main() { return rtcrt_abi_version() == RTCRT_ABI_VERSION ? 0 : 1; }\n")
        .expect("a file");
    let mut command = Command::new(cxx);
    command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror"]).arg(&source).args(LIBRARY.flags(&prefix)).arg("-o").arg(&path);
    succeeds(&mut command);
    succeeds(Command::new(&path).env("LD_LIBRARY_PATH", prefix.join("lib")));
}

/// The project of the example finds both libraries, compiles its shaders, and draws, linked in both ways.
#[test]
fn the_renderer_with_cmake() {
    let (Some(cmake), Some(_), true) = (find_program("cmake"), find_program("cc"), vulkan::headers()) else {
        return skip::skip("there is no CMake, no C compiler named `cc`, or no header of Vulkan (libvulkan-dev)");
    };
    let prefix = LIBRARY.installed("cmake_renderer");
    let compiler = Path::new(LIBRARY.install).with_file_name("rtc-install");
    if !compiler.is_file() {
        return skip::skip("`librtc` was not built next to `librtcrt`: cargo test --workspace builds it");
    }
    succeeds(Command::new(compiler).arg(&prefix));
    if !prefix.join("bin/rtc").is_file() {
        return skip::skip("the command `rtc` was not built next to the library: cargo test --workspace builds it");
    }
    let build = prefix.join("build");
    let source = Path::new(LIBRARY.folder).join("../../examples/embed-c");
    let mut configure = Command::new(&cmake);
    configure.arg("-S").arg(source).arg("-B").arg(&build).arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    succeeds(&mut configure);
    succeeds(Command::new(&cmake).arg("--build").arg(&build));
    succeeds(Command::new(&cmake).arg("--build").arg(&build).args(["--target", "embed-c-static"]));
    let size = [reference::SIZE.0.to_string(), reference::SIZE.1.to_string()];
    for program in ["embed-c", "embed-c-static"] {
        let mut command = Command::new(build.join(program));
        command.env("LD_LIBRARY_PATH", prefix.join("lib")).current_dir(build.join("shaders"));
        let output = run(command.args(["--frames", "14", "--add-at", "10", "--size"]).args(&size).args(FILES));
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.code() == Some(NO_DEVICE) {
            return skip::skip(out);
        }
        assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
        reference::compare(&pixels(&build.join("shaders/picture.ppm")), "before.png").unwrap_or_else(|e| panic!("{program}: {e}"));
    }
}

#[test]
fn the_renderer_in_c() {
    let renderer = match renderer("renderer") {
        Ok(renderer) => renderer,
        Err(why) => return skip::skip(why),
    };
    let size = [reference::SIZE.0.to_string(), reference::SIZE.1.to_string()];
    for (frames, name) in [("30", "last.png"), ("14", "before.png")] {
        let mut command = renderer.command();
        command.args(["--frames", frames, "--add-at", "10", "--size"]).args(&size).args(FILES);
        let output = run(&mut command);
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.code() == Some(NO_DEVICE) {
            return skip::skip(out);
        }
        assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
        assert!(messages(&out).is_empty(), "{out}");
        assert!(out.contains("not freed: 0"), "{out}");
        assert_eq!(out.contains("grown at: 14"), name == "last.png", "{out}");
        reference::compare(&pixels(&renderer.folder.join("picture.ppm")), name).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// What others do wrong, or keep until the program ends.
const SUPPRESSIONS: &str = concat!("--suppressions=", env!("CARGO_MANIFEST_DIR"), "/tests/valgrind.supp");

/// A few small frames, in the last of which the third package is used.
#[test]
fn the_renderer_in_c_under_valgrind() {
    let renderer = match renderer("renderer_valgrind") {
        Ok(renderer) => renderer,
        Err(why) => return skip::skip(why),
    };
    let Some(command) = under_valgrind(&renderer.path, &[SUPPRESSIONS]) else { return skip::skip("valgrind is not installed") };
    let mut command = renderer.with_library(command);
    command.args(["--frames", "5", "--add-at", "0", "--size", "8", "6", "--no-validation"]).args(FILES);
    let output = run(&mut command);
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.code() == Some(NO_DEVICE) {
        return skip::skip(out);
    }
    assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("grown at: 4") && out.contains("not freed: 0"), "{out}");
}
