//! The skips that the repository allows: what a test may say that it lacks, and whether this machine has it.
//!
//! A test that is skipped for something that is in place is a failure: an oracle that no longer loads would otherwise switch its tests off in silence.
//! A machine that lacks an oracle runs the other tests. The summary marks reasons without a row.

use std::sync::{LazyLock, OnceLock};

use rtc_oracles::programs::find_program;
use rtc_oracles::{Dxc, Dxv, SpirvVal, facts, llvm, vulkan};

use crate::python;

/// What tests may lack.
pub struct Lacks {
    /// What reasons of skipped tests say of it.
    pub says: &'static str,
    /// Whether this machine has it; none for what is no part of the set-up, with the reason.
    pub present: Result<fn() -> bool, &'static str>,
}

const fn lacks(says: &'static str, present: fn() -> bool) -> Lacks {
    Lacks { says, present: Ok(present) }
}

const fn outside(says: &'static str, why: &'static str) -> Lacks {
    Lacks { says, present: Err(why) }
}

/// All rows. A reason may have the words of several.
#[rustfmt::skip]
pub const SKIPS: &[Lacks] = &[
    lacks("the reference HLSL compiler and DXIL validator is missing", || Dxc::load().is_ok()),
    lacks("the SPIR-V validator is missing", || SpirvVal::load().is_ok()),
    lacks("a newer DXIL validator (dxv) is missing", || Dxv::find().is_ok()),
    lacks("LLVM 19 is missing", || llvm::find_tool("opt").is_some()),
    lacks("a Vulkan device with ray tracing is missing", || vulkan::available().is_ok()),
    lacks("the validation layer is not installed", vulkan::validation_layer),
    lacks("the examples of the specifications is missing", || facts::spec_examples().is_ok()),
    lacks("the listings of the reference compiler is missing", || facts::reference_listings().is_ok()),
    lacks("the folder of reference material is missing", || facts::shared_dir().is_ok()),
    lacks("built without the CPU device", llvm::can_build_with),
    lacks("there is no C compiler", || find_program("cc").is_some()),
    lacks("there is no C++ compiler", || find_program("c++").is_some()),
    lacks("there is no CMake", || find_program("cmake").is_some() && find_program("cc").is_some() && vulkan::headers()),
    lacks("there is no `cmake`", || find_program("cmake").is_some()),
    lacks("there is no ninja", || find_program("ninja").is_some()),
    lacks("there is no `ninja`", || find_program("ninja").is_some()),
    lacks("there is no `bazel`", || find_program("bazel").is_some()),
    lacks("there is no `mdbook`", || find_program("mdbook").is_some()),
    lacks("valgrind is not installed", || find_program("valgrind").is_some()),
    lacks("`Xvfb` is not installed", || find_program("Xvfb").is_some()),
    lacks("`xdotool` is not installed", || find_program("xdotool").is_some()),
    lacks("python3:", python::present),
    outside("a newer reference compiler", "the newest reference is named by hand"),
    outside("only `cargo xtask check newest-mesa` runs it", "older drivers get it wrong"),
    outside("RTC_CONTAINERS names no folder", "containers of other projects are named by hand"),
    outside("that RTC_SAMPLES names", "samples were chosen by hand"),
    outside("without the feature `remote`", "farms are tested by name: `cargo xtask check farm`"),
    outside("`bazel` does not start here", "it requires a Java that is old enough"),
    outside("the driver of NVIDIA", "a fault of that driver"),
    outside("the CPU device alone", "shaders were chosen by hand"),
    outside("no Vulkan device", "what devices lack depends on them"),
    outside("the device has", "what devices lack depends on them"),
    outside("the device lacks", "what devices lack depends on them"),
    outside("the page needs", "the page says what it lacks"),
    outside("is missing: run `rustup component add", "a component of the toolchain"),
    outside("cargo-deny is not installed", "a tool of the toolchain"),
    outside("was not built next to", "a part of the workspace was tested alone"),
    outside("the packages are not all here", "the network may be away"),
    outside("only samples are compiled by the reference", "sources of the specifications may be away"),
    outside("the reference compiles none of these", "shaders were chosen by hand"),
    outside("not compared with Vulkan", "the reason follows"),
    outside("there is no `", "a program of Debian that a package is tried with"),
];

/// What becomes of a skip.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This machine lacks something.
    Allowed,
    /// What the row says is in place.
    InPlace(&'static str),
    /// It is in no row.
    Unlisted,
}

/// Whether this machine has what each row is about, once it was looked for.
static PRESENT: LazyLock<Vec<OnceLock<bool>>> = LazyLock::new(|| SKIPS.iter().map(|_| OnceLock::new()).collect());

/// The verdict on a reason, which may name several things: none of them may be in place.
pub fn verdict(why: &str) -> Verdict {
    let mut verdict = Verdict::Unlisted;
    for (row, found) in SKIPS.iter().zip(PRESENT.iter()).filter(|(row, _)| why.contains(row.says)) {
        verdict = Verdict::Allowed;
        if let Ok(present) = row.present
            && *found.get_or_init(present)
        {
            return Verdict::InPlace(row.says);
        }
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_for_what_is_in_place_is_no_skip() {
        // Tests are built with a compiler for C, or Rust would not link.
        assert_eq!(verdict("there is no C compiler named `cc`"), Verdict::InPlace("there is no C compiler"));
        assert_eq!(verdict("rtc is built without the feature `remote`"), Verdict::Allowed);
        assert_eq!(verdict("the moon is full"), Verdict::Unlisted);
    }

    #[test]
    fn rows_say_different_things_and_give_reasons() {
        for (n, row) in SKIPS.iter().enumerate() {
            assert!(SKIPS[..n].iter().all(|other| !row.says.contains(other.says)), "{}: another row comes first", row.says);
            assert!(!row.present.is_err_and(str::is_empty), "{}", row.says);
        }
    }

    /// The literal reasons in the sources of all tests are listed.
    #[test]
    fn reasons_that_tests_give_are_rows() {
        let root = rtc_oracles::artefacts::workspace_root();
        let mut unlisted = Vec::new();
        let mut todo = vec![root];
        let mut calls = 0;
        while let Some(path) = todo.pop() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                todo.extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|e| e.path()));
            } else if name.ends_with(".rs") && path != std::path::Path::new(file!()) {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                for call in ["skip(\"", "skip(format!(\""] {
                    let reasons = text.split(call).skip(1).filter(|rest| !rest.starts_with(['\\', '"']));
                    for reason in reasons.filter_map(|rest| rest.split_once("\")").or(rest.split_once('"'))) {
                        calls += 1;
                        if verdict(reason.0) == Verdict::Unlisted {
                            unlisted.push(format!("{}: {}", path.display(), reason.0));
                        }
                    }
                }
            }
        }
        assert!(calls > 20, "{calls}");
        assert_eq!(unlisted, [""; 0]);
    }
}
