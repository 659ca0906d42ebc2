//! Installs a library with a C interface: the library that was built with the program that calls this, its header, and the files for
//! `pkg-config` and CMake.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// What is installed.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Its name: `rtc` for `librtc`.
    pub name: &'static str,
    /// The file name that cargo gives it, without `lib` and extension: `rtc_c`.
    pub built: &'static str,
    /// One line about it.
    pub description: &'static str,
    /// The number of its binary interface.
    pub abi: u32,
    /// Version of the project, and its second number.
    pub version: (&'static str, &'static str),
    /// Its header.
    pub header: &'static str,
    /// What CMake's `find_package` reads.
    pub cmake: &'static str,
    /// Programs that are installed with it if they were built too.
    pub programs: &'static [&'static str],
}

/// The systems that libraries are installed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Platform {
    /// Windows, with the linker of GNU or with Microsoft's.
    Windows {
        /// The linker of GNU.
        gnu: bool,
    },
    /// macOS.
    MacOs,
    /// Linux, and what is like it.
    Other,
}

impl Platform {
    /// That of the name of a platform, as the Rust compiler has it.
    fn of(target: &str) -> Platform {
        match target {
            t if t.contains("windows") => Platform::Windows { gnu: t.contains("gnu") },
            t if t.contains("apple") => Platform::MacOs,
            _ => Platform::Other,
        }
    }

    /// The one that this program runs on.
    fn here() -> Platform {
        match std::env::consts::OS {
            "windows" => Platform::Windows { gnu: cfg!(target_env = "gnu") },
            "macos" => Platform::MacOs,
            _ => Platform::Other,
        }
    }
}

/// The program that installs: its first argument is the folder. Two more are for libraries of another platform: the folder that has them, and the
/// platform's name.
pub fn main(library: &Library) -> ExitCode {
    let program = format!("{}-install", library.name);
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let done = match &arguments[..] {
        [prefix] => {
            std::env::current_exe().and_then(|built| library.install(prefix, built.parent().unwrap_or(Path::new(".")), Platform::here()))
        }
        [prefix, built, platform] => library.install(prefix, built, Platform::of(&platform.to_string_lossy())),
        _ => {
            eprintln!("usage: {program} PREFIX [BUILT PLATFORM]");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{program}: error: {e}");
            ExitCode::FAILURE
        }
    }
}

impl Library {
    fn install(&self, prefix: &Path, built: &Path, platform: Platform) -> io::Result<()> {
        let Library { name, built: stem, abi, .. } = self;
        fs::create_dir_all(prefix)?;
        let prefix = prefix.canonicalize()?;
        let lib = prefix.join("lib");
        let cmake = lib.join("cmake").join(name);
        for folder in [&lib.join("pkgconfig"), &cmake, &prefix.join("include"), &prefix.join("bin")] {
            fs::create_dir_all(folder)?;
        }
        // cargo leaves libraries next to its programs, or, for tests, in the folder of dependencies.
        let library = |name: &str| {
            let places = [built.join(name), built.join("deps").join(name)];
            let age = |p: &PathBuf| fs::metadata(p).and_then(|m| m.modified()).ok();
            places
                .into_iter()
                .filter(|p| age(p).is_some())
                .max_by_key(age)
                .ok_or_else(|| io::Error::other(format!("there is no {name} in {}", built.display())))
        };
        let windows = matches!(platform, Platform::Windows { .. });
        let (shared, named, suffix) = match platform {
            Platform::Windows { .. } => (format!("{stem}.dll"), format!("{name}.dll"), ".dll"),
            Platform::MacOs => (format!("lib{stem}.dylib"), format!("lib{name}.{abi}.dylib"), ".dylib"),
            Platform::Other => (format!("lib{stem}.so"), format!("lib{name}.so.{abi}"), ".so"),
        };
        if let Platform::Windows { gnu } = platform {
            // Programs find libraries in their own folder and on the path.
            copy(&library(&shared)?, &prefix.join("bin").join(&named))?;
            self.import_libraries(&lib, gnu)?;
        } else {
            copy(&library(&shared)?, &lib.join(&named))?;
            copy(&library(&format!("lib{stem}.a"))?, &lib.join(format!("lib{name}.a")))?;
            link(&named, &lib.join(format!("lib{name}{suffix}")))?;
        }
        for program in self.programs {
            let program = built.join(format!("{program}{}", if windows { ".exe" } else { "" }));
            if program.is_file() {
                copy(&program, &prefix.join("bin").join(program.file_name().unwrap_or_default()))?;
            }
        }
        fs::write(prefix.join("include").join(format!("{name}.h")), self.header)?;
        fs::write(cmake.join(format!("{name}-config.cmake")), self.cmake)?;
        fs::write(cmake.join(format!("{name}-config-version.cmake")), self.config_version())?;
        fs::write(lib.join("pkgconfig").join(format!("{name}.pc")), self.pkg_config(windows))
    }

    /// Writes what linkers of Windows read instead of a library. What cargo made says the name that cargo gave the library, by which the system would look for
    /// it, so that it is made again of the functions of the header. The library for the linker that was not built with is made if its tool is there.
    fn import_libraries(&self, lib: &Path, gnu: bool) -> io::Result<()> {
        let name = self.name;
        let functions: String = functions(self.header, name).iter().map(|f| format!("    {f}\n")).collect();
        let definition = lib.join(format!("{name}.def"));
        fs::write(&definition, format!("LIBRARY {name}.dll\nEXPORTS\n{functions}"))?;
        let (of_gnu, of_microsoft) = (lib.join(format!("lib{name}.dll.a")), lib.join(format!("{name}.lib")));
        let path = |p: &Path| p.to_string_lossy().into_owned();
        let of_gnu = ["-d".to_owned(), path(&definition), "-l".to_owned(), path(&of_gnu)];
        let of_microsoft = [format!("/def:{}", path(&definition)), format!("/out:{}", path(&of_microsoft)), "/machine:x64".to_owned()];
        let made = (run(&DLLTOOLS, &of_gnu), run(&LIBS, &of_microsoft));
        match (gnu, made) {
            (true, (Err(e), _)) | (false, (_, Err(e))) => Err(e),
            _ => Ok(()),
        }
    }

    /// The folder of the file decides where the rest is, so that the installed tree can be moved.
    fn pkg_config(&self, windows: bool) -> String {
        let Library { name, description, version: (version, _), .. } = self;
        // There is no static library for Windows.
        let private = if windows { "" } else { "Libs.private: -lpthread -ldl -lm\n" };
        format!(
            "prefix=${{pcfiledir}}/../..\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\nName: {name}\n\
             Description: {description}\nVersion: {version}\nLibs: -L${{libdir}} -l{name}\n{private}\
             Cflags: -I${{includedir}}\n"
        )
    }

    /// Versions before 1.0 are compatible if their second number is equal.
    fn config_version(&self) -> String {
        let (version, minor) = self.version;
        format!(
            "set(PACKAGE_VERSION {version})\n\
             set(PACKAGE_VERSION_COMPATIBLE FALSE)\n\
             if(NOT PACKAGE_FIND_VERSION_COUNT)\n  \
               set(PACKAGE_VERSION_COMPATIBLE TRUE)\n\
             elseif(PACKAGE_FIND_VERSION_MAJOR EQUAL 0 AND PACKAGE_FIND_VERSION_MINOR EQUAL {minor}\n       \
             AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)\n  \
               set(PACKAGE_VERSION_COMPATIBLE TRUE)\n\
             endif()\n\
             if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)\n  \
               set(PACKAGE_VERSION_EXACT TRUE)\n\
             endif()\n"
        )
    }
}

/// Programs that make import libraries for the linker of GNU, and for Microsoft's.
const DLLTOOLS: [&str; 3] = ["x86_64-w64-mingw32-dlltool", "dlltool", "llvm-dlltool"];
const LIBS: [&str; 3] = ["lib", "llvm-lib-19", "llvm-lib"];

/// Runs the first of some programs that is there and does it: older versions cannot.
fn run(programs: &[&str], arguments: &[String]) -> io::Result<()> {
    let mut failed = format!("none of these is there to make an import library: {}", programs.join(", "));
    for program in programs {
        match Command::new(program).args(arguments).stdin(Stdio::null()).output() {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(e),
            Ok(done) if done.status.success() => return Ok(()),
            Ok(done) => failed = format!("{program}: {}", String::from_utf8_lossy(&done.stderr).trim()),
        }
    }
    Err(io::Error::other(failed))
}

/// The functions that a header declares: names with the library's prefix before a parenthesis, outside of comments and types.
fn functions<'a>(header: &'a str, name: &str) -> Vec<&'a str> {
    let prefix = format!("{name}_");
    let mut all: Vec<&str> = Vec::new();
    for line in header.lines().filter(|l| !l.starts_with([' ', '/', '#', '}']) && !l.starts_with("typedef")) {
        let Some((before, _)) = line.split_once('(') else { continue };
        let word = before.rsplit([' ', '*']).next().unwrap_or_default();
        all.extend(Some(word).filter(|w| w.starts_with(&prefix)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to).map(|_| ()).map_err(|e| io::Error::new(e.kind(), format!("{} to {}: {e}", from.display(), to.display())))
}

/// A symbolic link by which the linker finds the library.
#[cfg(unix)]
fn link(to: &str, at: &Path) -> io::Result<()> {
    if at.symlink_metadata().is_ok() {
        fs::remove_file(at)?;
    }
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_a_header() {
        let header = "// rtc_no(x) in a comment\ntypedef int (*rtc_callback)(void *user,\n    int rtc_argument(int));\n#define rtc_macro(x) x\nuint32_t rtc_abi_version(void);\n\
                      const char *rtc_version(void);\nenum rtc_status rtc_include_set(struct rtc_include *to,\n                                int x);\n";
        assert_eq!(functions(header, "rtc"), ["rtc_abi_version", "rtc_include_set", "rtc_version"]);
    }

    #[test]
    fn platforms_by_name() {
        assert_eq!(Platform::of("x86_64-pc-windows-gnu"), Platform::Windows { gnu: true });
        assert_eq!(Platform::of("x86_64-pc-windows-msvc"), Platform::Windows { gnu: false });
        assert_eq!((Platform::of("aarch64-apple-darwin"), Platform::of("x86_64-unknown-linux-gnu")), (Platform::MacOs, Platform::Other));
    }
}
