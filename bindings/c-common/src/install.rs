//! Installs a library with a C interface: the library that was built with the program that calls this, its header, and the files for
//! `pkg-config` and CMake.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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

/// The program that installs: its only argument is the folder.
pub fn main(library: &Library) -> ExitCode {
    let program = format!("{}-install", library.name);
    let Some(prefix) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: {program} PREFIX");
        return ExitCode::from(2);
    };
    match library.install(&prefix) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{program}: error: {e}");
            ExitCode::FAILURE
        }
    }
}

impl Library {
    fn install(&self, prefix: &Path) -> io::Result<()> {
        let Library { name, built: stem, abi, .. } = self;
        fs::create_dir_all(prefix)?;
        let prefix = prefix.canonicalize()?;
        let built = std::env::current_exe()?;
        let built = built.parent().unwrap_or(Path::new("."));
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
        let (shared, named) = match std::env::consts::OS {
            "windows" => (format!("{stem}.dll"), format!("{name}.dll")),
            "macos" => (format!("lib{stem}.dylib"), format!("lib{name}.{abi}.dylib")),
            _ => (format!("lib{stem}.so"), format!("lib{name}.so.{abi}")),
        };
        copy(&library(&shared)?, &lib.join(&named))?;
        if std::env::consts::OS == "windows" {
            copy(&library(&format!("{stem}.dll.lib"))?, &lib.join(format!("{name}.lib")))?;
        } else {
            copy(&library(&format!("lib{stem}.a"))?, &lib.join(format!("lib{name}.a")))?;
            link(&named, &lib.join(format!("lib{name}{}", std::env::consts::DLL_SUFFIX)))?;
        }
        for program in self.programs {
            let program = built.join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
            if program.is_file() {
                copy(&program, &prefix.join("bin").join(program.file_name().unwrap_or_default()))?;
            }
        }
        fs::write(prefix.join("include").join(format!("{name}.h")), self.header)?;
        fs::write(cmake.join(format!("{name}-config.cmake")), self.cmake)?;
        fs::write(cmake.join(format!("{name}-config-version.cmake")), self.config_version())?;
        fs::write(lib.join("pkgconfig").join(format!("{name}.pc")), self.pkg_config())
    }

    /// The folder of the file decides where the rest is, so that the installed tree can be moved.
    fn pkg_config(&self) -> String {
        let Library { name, description, version: (version, _), .. } = self;
        format!(
            "prefix=${{pcfiledir}}/../..\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\nName: {name}\n\
             Description: {description}\nVersion: {version}\nLibs: -L${{libdir}} -l{name}\nLibs.private: -lpthread -ldl -lm\n\
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
