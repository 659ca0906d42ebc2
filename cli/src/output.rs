//! Input and output of files: errors name the file, and a file is written completely or not at all.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rtc::Disk;
use rtc::arguments::{ArgumentFiles, reason};
use rtc::output_files::Files;
use rtc_base::path::opens_device;
use rtc_base::replace::{Durability, rename, replace, temporary};

use crate::error::{CommandError, Result};

/// Files that arguments name; `-` is standard input. It remembers what it read.
#[derive(Default)]
pub struct Named {
    /// The files that were read.
    pub read: Vec<String>,
}

impl ArgumentFiles for Named {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        if path != "-" {
            let bytes = Disk.read(path)?;
            self.read.push(path.to_owned());
            return Ok(bytes);
        }
        match INPUT.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(bytes) => Ok(bytes),
            None => input(),
        }
    }

    fn exists(&self, path: &str) -> bool {
        Disk.exists(path)
    }
}

/// Standard input that was read for a server, which then did not do the job.
static INPUT: Mutex<Option<Vec<u8>>> = Mutex::new(None);

fn input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).map(|_| bytes)
}

/// Reads standard input, and keeps it for a job of this process.
///
/// # Errors
/// It cannot be read.
pub fn keep_input() -> io::Result<Vec<u8>> {
    let bytes = input()?;
    *INPUT.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes.clone());
    Ok(bytes)
}

/// Reads a file; `-` is standard input.
///
/// # Errors
/// The file cannot be read; the message has its name.
pub fn read(path: &str) -> Result<Vec<u8>> {
    let name = if path == "-" { "standard input".to_owned() } else { format!("`{path}`") };
    Named::default().read(path).map_err(|e| format!("cannot read {name}: {}", reason(&e)).into())
}

/// Refuses to write over what is read: `outputs` are files with the options that name them, `-Fo` and so on. Relative paths begin in `folder`.
///
/// # Errors
/// An output is one of the inputs, under whatever path.
pub fn refuse_inputs<'a>(outputs: impl IntoIterator<Item = (&'a str, &'a str)>, inputs: &[&str], folder: &Path) -> Result<()> {
    for (option, output) in outputs {
        // What is not there yet, or is a device, is no input.
        let Some(file) = std::fs::canonicalize(folder.join(output)).ok().filter(|f| f.is_file()) else { continue };
        let same = |input: &&&str| **input == output || std::fs::canonicalize(folder.join(input)).is_ok_and(|f| f == file);
        if let Some(input) = inputs.iter().find(same) {
            let also = if *input == output { String::new() } else { format!(", which is the file `{input}`") };
            return Err(format!("`{option} {output}` would write over what is read{also}; name another file").into());
        }
    }
    Ok(())
}

/// Whether what is written to a path goes into no file: standard output (`-`), a device (`/dev/null`, `NUL`).
fn is_direct(path: &str) -> bool {
    let device = || opens_device(path).is_some_and(|name| path.ends_with(name));
    path == "-" || device() || std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Writes a file under a temporary name in the same folder, then renames it; `-` is standard output. Files that are not regular
/// (`/dev/null`) are written in place.
///
/// # Errors
/// The file cannot be written; the message has its name.
pub fn write(path: &str, bytes: &[u8]) -> Result<()> {
    if path == "-" {
        return print(bytes);
    }
    let fail = |e: std::io::Error| CommandError::from(format!("cannot write `{path}`: {}", reason(&e)));
    let target = Path::new(path);
    if is_direct(path) {
        // Devices are neither made nor cut.
        return File::options().write(true).open(target).and_then(|mut file| file.write_all(bytes)).map_err(fail);
    }
    if target.is_dir() {
        return Err(fail(io::ErrorKind::IsADirectory.into()));
    }
    replace(target, bytes, Durability::Lazy).map_err(fail)
}

/// Writes several files, all or none: each under a temporary name first, then all are renamed. If a rename fails, the files before it
/// get their old contents back, and new ones are removed. Permissions are kept, links are followed. `-` and files that are not regular
/// are written last.
///
/// # Errors
/// A file cannot be written; the message has its name.
pub fn write_all(files: &[(String, Vec<u8>)]) -> Result<()> {
    let (direct, renamed): (Vec<_>, Vec<_>) = files.iter().partition(|f| is_direct(&f.0));
    let mut temporaries: Vec<(PathBuf, PathBuf, &str)> = Vec::new();
    let prepared = renamed.into_iter().try_for_each(|(path, bytes)| {
        let fail = |e: std::io::Error| CommandError::from(format!("cannot write `{path}`: {}", reason(&e)));
        let target = target(path)?;
        let permissions = std::fs::metadata(&target).ok().map(|m| m.permissions());
        if permissions.as_ref().is_some_and(std::fs::Permissions::readonly) {
            return Err(format!("cannot write `{path}`: it is read-only").into());
        }
        if let Some((known, ..)) = temporaries.iter().find(|m| m.1 == target) {
            // Another path to a file of the list.
            let same = std::fs::read(known).is_ok_and(|b| b == *bytes);
            return if same {
                Ok(())
            } else {
                Err(format!("cannot write `{path}`: another path to the same file is written with different contents").into())
            };
        }
        let temporary = temporary(&target).map_err(fail)?;
        temporaries.push((temporary.clone(), target, path));
        std::fs::write(&temporary, bytes).map_err(fail)?;
        permissions.map_or(Ok(()), |p| std::fs::set_permissions(&temporary, p)).map_err(fail)
    });
    let mut done: Vec<(&Path, Option<Vec<u8>>)> = Vec::new();
    let renamed = prepared.and_then(|()| {
        temporaries.iter().enumerate().try_for_each(|(n, (temporary, target, path))| {
            let fail = |e: std::io::Error| CommandError::from(format!("cannot write `{path}`: {}", reason(&e)));
            // Nothing fails after the last one.
            let last = n + 1 == temporaries.len();
            let old = if !last && target.exists() { Some(std::fs::read(target).map_err(fail)?) } else { None };
            rename(temporary, target).map_err(fail)?;
            done.push((target, old));
            Ok(())
        })
    });
    if renamed.is_err() {
        temporaries.iter().for_each(|(temporary, ..)| _ = std::fs::remove_file(temporary));
        for (target, old) in &done {
            _ = match old {
                Some(old) => std::fs::write(target, old),
                None => std::fs::remove_file(target),
            };
        }
    }
    renamed?;
    direct.into_iter().try_for_each(|(path, bytes)| write(path, bytes))
}

/// Writes the requested files, all or none, after the listing.
///
/// # Errors
/// A file cannot be written; the message has its name.
pub fn write_files(files: &Files) -> Result<()> {
    if let Some(missing) = files.missing {
        eprintln!("rtc: warning: {missing}");
    }
    if let Some(listing) = &files.listing {
        print(listing.as_bytes())?;
    }
    write_all(&files.files)
}

/// The file at a path, with links resolved. The file need not exist, but its folder must.
fn target(path: &str) -> Result<PathBuf> {
    let fail = |e: std::io::Error| CommandError::from(format!("cannot write `{path}`: {}", reason(&e)));
    if let Some(name) = opens_device(path) {
        return Err(format!("cannot write `{path}`: `{name}` is the name of a device on Windows").into());
    }
    match resolved(Path::new(path)) {
        Ok(target) if target.is_dir() => Err(format!("cannot write `{path}`: it is a directory").into()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            let file = Path::new(path);
            let name = file.file_name().ok_or_else(|| format!("cannot write `{path}`: the path has no file name"))?;
            let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Ok(resolved(folder).map_err(fail)?.join(name))
        }
        other => other.map_err(fail),
    }
}

/// The path of what is there, with links resolved. Some drives of Windows do not answer what their paths are: those that programs make, as of memory.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    match std::fs::canonicalize(path) {
        Err(_) if cfg!(windows) && path.exists() => std::path::absolute(path),
        other => other,
    }
}

/// Prints to standard output; a closed pipe is no error.
///
/// # Errors
/// The output cannot be written for another reason.
pub fn print(bytes: &[u8]) -> Result<()> {
    match std::io::stdout().write_all(bytes) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write to standard output: {e}").into()),
        _ => Ok(()),
    }
}
