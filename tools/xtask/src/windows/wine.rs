//! Wine with a folder of its own for its settings, so that nothing of a person's is read or changed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use rtc_oracles::programs::find_program;

use super::TARGET;

/// The compiler that links programs for Windows.
pub const GCC: &str = "x86_64-w64-mingw32-gcc";

/// Programs whose names Wine has had.
const PROGRAMS: [&str; 2] = ["wine", "wine64"];

/// The seconds that a program has. Nothing that is checked takes a tenth of it.
const SECONDS: &str = "300";

/// The first version with all libraries that Rust's standard library calls.
const COMPLETE: u32 = 9;

/// The name of another machine, which Wine looks for in the folder of its settings: `\\checked\share` is a folder of this one.
pub const SERVER: &str = "checked";

/// Wine, started.
pub struct Wine {
    program: PathBuf,
    /// The folder of its settings.
    prefix: PathBuf,
    /// What it says of itself.
    pub version: String,
    /// Where there is one, drivers of Vulkan are those of this system.
    display: Option<Display>,
}

impl Wine {
    /// The program, if there is one.
    pub fn program() -> Option<PathBuf> {
        PROGRAMS.iter().find_map(|name| find_program(name))
    }

    /// Makes its settings in `folder`, if they are not there, and starts it.
    ///
    /// # Errors
    /// When it does not start, or the library that it lacks cannot be built.
    pub fn start(folder: &Path) -> Result<Wine, String> {
        let program = Wine::program().ok_or("there is no wine")?;
        let said = Command::new(&program).arg("--version").output().map_err(|e| format!("cannot start wine: {e}"))?;
        let version = String::from_utf8_lossy(&said.stdout).trim().to_owned();
        let prefix = folder.join("wine");
        fs::create_dir_all(&prefix).map_err(|e| format!("cannot create {}: {e}", prefix.display()))?;
        let wine = Wine { program, prefix, version, display: Display::start() };
        let system = wine.prefix.join("drive_c/windows/system32");
        if !system.is_dir() {
            let mut boot = wine.command(Path::new("wineboot"));
            boot.arg("-i");
            wine.output(boot)?;
        }
        let random = system.join("bcryptprimitives.dll");
        if major(&wine.version) < COMPLETE && !random.is_file() {
            compile(&super::source("prng.c"), &random, &["-shared"], &["-ladvapi32"])?;
        }
        Ok(wine)
    }

    /// The environment of everything that runs in it.
    fn environment(&self) -> Vec<(&'static str, String)> {
        let display = self.display.as_ref().map(|d| ("DISPLAY", d.name.clone()));
        let fixed = [
            ("WINEPREFIX", self.prefix.to_string_lossy().into_owned()),
            ("WINEARCH", "win64".to_owned()),
            ("WINEDEBUG", "-all".to_owned()),
            // Nothing offers to install browsers, or writes menus.
            ("WINEDLLOVERRIDES", "mscoree=;mshtml=;winemenubuilder.exe=".to_owned()),
        ];
        fixed.into_iter().chain(display).collect()
    }

    /// A command that starts a program, with a limit of time.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-k", "5", SECONDS]).arg(&self.program).arg(program);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").envs(self.environment()).stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    /// When it does not start or takes too long.
    pub fn output(&self, mut command: Command) -> Result<Output, String> {
        let done = command.output().map_err(|e| format!("cannot start `{}`: {e}", crate::progress::show(&command)))?;
        match done.status.code() {
            Some(124 | 137) => Err(format!("`{}` did not end in {SECONDS} seconds", crate::progress::show(&command))),
            _ => Ok(done),
        }
    }

    /// Writes a script that starts a program in it, so that what starts programs of this system starts that one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn script(&self, program: &Path, at: &Path) -> Result<(), String> {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
        let set: String = self.environment().iter().map(|(name, value)| format!("export {name}={}\n", quoted(value))).collect();
        let text = format!(
            "#!/bin/sh\nunset DISPLAY\n{set}exec {} {} \"$@\"\n",
            quoted(&self.program.to_string_lossy()),
            quoted(&program.to_string_lossy())
        );
        fs::write(at, text).map_err(|e| format!("cannot write {}: {e}", at.display()))?;
        executable(at)
    }

    /// What cargo runs programs for Windows with, as environment variables.
    pub fn runner(&self) -> Vec<(String, String)> {
        let variable = format!("CARGO_TARGET_{}_RUNNER", TARGET.to_uppercase().replace('-', "_"));
        let own = self.environment().into_iter().map(|(name, value)| (name.to_owned(), value));
        own.chain([(variable, self.program.to_string_lossy().into_owned())]).collect()
    }

    /// Whether there is a display.
    pub fn has_display(&self) -> bool {
        self.display.is_some()
    }

    /// Makes `\\checked\share` the folder `at`.
    ///
    /// # Errors
    /// When the link cannot be made.
    pub fn share(&self, at: &Path) -> Result<(), String> {
        let server = self.prefix.join("dosdevices/unc").join(SERVER);
        let link = server.join("share");
        _ = fs::remove_file(&link);
        fs::create_dir_all(&server).and_then(|()| symlink(at, &link)).map_err(|e| format!("cannot make {}: {e}", link.display()))
    }
}

impl Drop for Wine {
    /// Ends the server of these settings, and no other.
    fn drop(&mut self) {
        if let Some(server) = find_program("wineserver") {
            _ = Command::new(server).arg("-k").envs(self.environment()).stdin(Stdio::null()).output();
        }
    }
}

/// The number before the first dot of a version: `wine-8.0 (Debian ...)`.
fn major(version: &str) -> u32 {
    let digits = version.trim_start_matches("wine-").split('.').next();
    digits.and_then(|d| d.parse().ok()).unwrap_or(0)
}

/// A display without a screen.
struct Display {
    name: String,
    server: Child,
}

impl Display {
    /// Starts one, if there is a program for it.
    fn start() -> Option<Display> {
        let mut command = Command::new(find_program("Xvfb")?);
        // It chooses a number, and writes it to standard output.
        command.args(["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().ok()?;
        let mut number = String::new();
        server.stdout.take().map(|out| BufReader::new(out).read_line(&mut number));
        Some(Display { name: format!(":{}", number.trim()), server })
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        _ = self.server.kill();
        _ = self.server.wait();
    }
}

/// A path of this system as Windows writes it there: its root is the drive `Z:`.
pub fn windows(path: &Path) -> String {
    format!("Z:{}", path.to_string_lossy().replace('/', "\\"))
}

/// Compiles a file of C for Windows.
///
/// # Errors
/// What the compiler says.
pub fn compile(source: &Path, out: &Path, before: &[&str], after: &[&str]) -> Result<(), String> {
    let mut command = Command::new(GCC);
    command.arg("-O1").args(before).arg(source).arg("-o").arg(out).args(after);
    let done = command.output().map_err(|e| format!("cannot start {GCC}: {e}"))?;
    if done.status.success() { Ok(()) } else { Err(format!("{GCC}: {}", String::from_utf8_lossy(&done.stderr))) }
}

#[cfg(unix)]
fn executable(at: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(at, fs::Permissions::from_mode(0o755)).map_err(|e| format!("cannot change {}: {e}", at.display()))
}

#[cfg(unix)]
fn symlink(to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn executable(_: &Path) -> Result<(), String> {
    Ok(())
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn paths_are_on_the_drive_of_the_root() {
        assert_eq!(windows(Path::new("/a/b c")), r"Z:\a\b c");
    }

    #[test]
    fn versions_are_read() {
        assert_eq!((major("wine-8.0 (Debian 8.0~repack-4)"), major("wine-10.3"), major("")), (8, 10, 0));
    }
}
