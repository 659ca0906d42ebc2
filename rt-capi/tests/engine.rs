//! `librtcrt` from C: the header is up to date; the renderer of `examples/embed-c/` draws what that of `examples/embed-ash/` draws, with silent
//! validation, and under valgrind.

use rtc_embed_ash::{FALSE_REPORTS, package, reference};
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
const HEADER: [&str; 13] = [
    "types", "library", "state_object", "requirements", "device", "memory", "layout", "pipeline", "compilation", "dispatch", "tables", "accel",
    "serialized",
];

/// `RTC_BLESS=1` writes it.
#[test]
fn the_header_is_that_of_the_source() {
    match LIBRARY.headers(&HEADER) {
        Ok([text, stored]) => {
            let how = "RTC_BLESS=1 cargo test -p rtc-rt-capi --test engine the_header writes it";
            assert!(stored == text, "include/rtcrt.h is not what the source says; {how}");
        }
        Err(why) => skip::skip(why),
    }
}

/// A C program that was built with the installed library.
struct Program {
    folder: PathBuf,
    path: PathBuf,
}

/// Compiles files of C, which use `vulkan/vulkan.h`.
fn program(name: &str, files: &[&str]) -> Result<Program, String> {
    let cc = find_program("cc").ok_or("there is no C compiler named `cc`")?;
    if !vulkan::headers() {
        return Err("the headers of Vulkan (libvulkan-dev) are not installed".to_string());
    }
    let folder = LIBRARY.installed(name);
    let path = folder.join(name);
    let sources = files.iter().map(|f| Path::new(LIBRARY.folder).join("..").join(f));
    let include = format!("-I{}/../examples/embed-c/src", LIBRARY.folder);
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

/// The renderer, and the packages that it loads.
fn renderer(name: &str) -> Result<Program, String> {
    let files = ["main", "renderer", "scene", "gpu", "allocator"].map(|f| format!("examples/embed-c/src/{f}.c"));
    let program = program(name, &files.each_ref().map(String::as_str))?;
    for shader in ["base", "matte", "mirror"] {
        let package = package(&format!("{shader}.hlsl")).unwrap_or_else(|e| panic!("{shader}: {e}"));
        std::fs::write(program.folder.join(shader).with_extension("rtp"), package).expect("a package");
    }
    Ok(program)
}

const FILES: [&str; 4] = ["base.rtp", "matte.rtp", "mirror.rtp", "picture.ppm"];

/// What the validation layer said, without its false reports.
fn messages(out: &str) -> Vec<&str> {
    let said = out.lines().filter(|l| l.starts_with("validation: "));
    said.filter(|l| !FALSE_REPORTS.iter().any(|known| l.contains(known))).collect()
}

/// Pixels of a PPM file, with alpha.
fn pixels(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("a picture");
    let head = format!("P6\n{} {}\n255\n", reference::SIZE.0, reference::SIZE.1);
    let rest = bytes.strip_prefix(head.as_bytes()).expect("the header of a picture of this size");
    rest.chunks_exact(3).flat_map(|c| [c[0], c[1], c[2], 255]).collect()
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
