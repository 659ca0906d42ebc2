//! What the tests of the libraries with a C interface do: generate the header anew, install the library, compile and run C programs, also
//! under valgrind.

use crate::programs::find_program;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A library under test.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Its name: `rtc` for `librtc`.
    pub name: &'static str,
    /// `CARGO_MANIFEST_DIR`.
    pub folder: &'static str,
    /// `CARGO_TARGET_TMPDIR`.
    pub scratch: &'static str,
    /// The program that installs it.
    pub install: &'static str,
}

/// Warnings with which C programs are compiled.
pub const C_FLAGS: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"];

/// Runs a command.
///
/// # Panics
/// It cannot be started.
pub fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

/// Runs a command and returns what it printed.
///
/// # Panics
/// It fails.
#[track_caller]
pub fn succeeds(command: &mut Command) -> String {
    let output = run(command);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    out
}

/// A program under valgrind, with more options of it, that fails if there is an invalid access, or memory that is lost; none: valgrind is not
/// installed.
pub fn under_valgrind(program: &Path, options: &[&str]) -> Option<Command> {
    let mut command = Command::new(find_program("valgrind")?);
    command.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite,indirect"]);
    // Work has stacks of its own.
    command.args(["--errors-for-leak-kinds=definite,indirect", "--max-stackframe=33554432"]).args(options).arg(program);
    Some(command)
}

impl Library {
    /// A folder for a test, empty.
    ///
    /// # Panics
    /// It cannot be made.
    pub fn scratch(&self, name: &str) -> PathBuf {
        let path = Path::new(self.scratch).join(name);
        _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        path
    }

    /// Installs the library into a folder.
    ///
    /// # Panics
    /// It cannot be installed.
    pub fn installed(&self, name: &str) -> PathBuf {
        let prefix = self.scratch(name);
        succeeds(Command::new(self.install).arg(&prefix));
        prefix
    }

    /// The flags for programs that use the installed library: those of `pkg-config`, where it is installed.
    ///
    /// # Panics
    /// `pkg-config` fails.
    pub fn flags(&self, prefix: &Path) -> Vec<String> {
        let shown = prefix.display();
        let Some(pkg_config) = find_program("pkg-config") else {
            return vec![format!("-I{shown}/include"), format!("-L{shown}/lib"), format!("-l{}", self.name)];
        };
        let mut command = Command::new(pkg_config);
        command.args(["--cflags", "--libs", self.name]).env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        succeeds(&mut command).split_whitespace().map(str::to_owned).collect()
    }

    /// The header that the source says, generated from `files`, and the stored one, which `RTC_BLESS=1` writes.
    ///
    /// # Errors
    /// The generator cannot be built; why.
    ///
    /// # Panics
    /// The generator fails.
    pub fn headers(&self, files: &[&str]) -> Result<[String; 2], String> {
        // The generator is a workspace of its own, so that its dependencies do not change how the others are built.
        let target = Path::new(self.scratch).join("../header");
        let manifest = crate::artefacts::workspace_root().join("bindings/c-header/Cargo.toml");
        let cargo = |rest: &[&str]| {
            let mut c = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            c.args(rest).arg("--manifest-path").arg(&manifest).arg("--target-dir").arg(&target).arg("--locked");
            c
        };
        let mut built = run(&mut cargo(&["build", "--quiet", "--offline"]));
        if !built.status.success() {
            built = run(&mut cargo(&["build", "--quiet"]));
        }
        if !built.status.success() {
            let why = String::from_utf8_lossy(&built.stderr).into_owned();
            return Err(format!("the header generator cannot be built: {}", why.lines().next().unwrap_or("no reason given")));
        }
        let text = succeeds(Command::new(target.join("debug/rtc-header")).arg(self.folder).args(files));
        let path = Path::new(self.folder).join("include").join(format!("{}.h", self.name));
        if std::env::var_os("RTC_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Ok([text, stored])
    }
}
