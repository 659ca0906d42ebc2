//! Installs `librtc`: `rtc-install PREFIX` copies the library that was built with this program, the header, and the files for
//! `pkg-config` and CMake, and the command `rtc` if it was built too. `cargo xtask capi PREFIX` builds all of it first.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HEADER: &str = include_str!("../../include/rtc.h");
const CONFIG: &str = include_str!("../../cmake/rtc-config.cmake");

fn main() -> ExitCode {
    let Some(prefix) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: rtc-install PREFIX");
        return ExitCode::from(2);
    };
    match install(&prefix) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("rtc-install: error: {e}");
            ExitCode::FAILURE
        }
    }
}

fn install(prefix: &Path) -> io::Result<()> {
    fs::create_dir_all(prefix)?;
    let prefix = prefix.canonicalize()?;
    let built = std::env::current_exe()?;
    let built = built.parent().unwrap_or(Path::new("."));
    let lib = prefix.join("lib");
    for folder in ["lib/pkgconfig", "lib/cmake/rtc", "include", "bin"] {
        fs::create_dir_all(prefix.join(folder))?;
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
    let copy = |from: &Path, to: &Path| {
        fs::copy(from, to).map(|_| ()).map_err(|e| io::Error::new(e.kind(), format!("{} to {}: {e}", from.display(), to.display())))
    };
    let version = rtc_capi::RTC_ABI_VERSION;
    let (shared, named) = match std::env::consts::OS {
        "windows" => ("rtc_capi.dll", "rtc.dll".to_owned()),
        "macos" => ("librtc_capi.dylib", format!("librtc.{version}.dylib")),
        _ => ("librtc_capi.so", format!("librtc.so.{version}")),
    };
    copy(&library(shared)?, &lib.join(&named))?;
    if std::env::consts::OS == "windows" {
        copy(&library("rtc_capi.dll.lib")?, &lib.join("rtc.lib"))?;
    } else {
        copy(&library("librtc_capi.a")?, &lib.join("librtc.a"))?;
        link(&named, &lib.join(format!("librtc{}", std::env::consts::DLL_SUFFIX)))?;
    }
    let command = built.join(format!("rtc{}", std::env::consts::EXE_SUFFIX));
    if command.is_file() {
        copy(&command, &prefix.join("bin").join(command.file_name().unwrap_or_default()))?;
    }
    fs::write(prefix.join("include/rtc.h"), HEADER)?;
    fs::write(lib.join("cmake/rtc/rtc-config.cmake"), CONFIG)?;
    fs::write(lib.join("cmake/rtc/rtc-config-version.cmake"), config_version())?;
    fs::write(lib.join("pkgconfig/rtc.pc"), pkg_config())
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

/// The folder of the file decides where the rest is, so that the installed tree can be moved.
fn pkg_config() -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\nName: rtc\n\
         Description: HLSL compiler for DXIL and SPIR-V\nVersion: {}\nLibs: -L${{libdir}} -lrtc\nLibs.private: -lpthread -ldl -lm\n\
         Cflags: -I${{includedir}}\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Versions before 1.0 are compatible if their second number is equal.
fn config_version() -> String {
    let (version, minor) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_VERSION_MINOR"));
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
