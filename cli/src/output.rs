//! Files and the terminal: reading with readable errors, writing without ever leaving half a file.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Reads a file; `-` is standard input.
///
/// # Errors
/// A sentence with the file's name.
pub fn read(path: &str) -> Result<Vec<u8>, String> {
    if path == "-" {
        let mut bytes = Vec::new();
        return match std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes) {
            Ok(_) => Ok(bytes),
            Err(e) => Err(format!("cannot read standard input: {e}")),
        };
    }
    std::fs::read(path).map_err(|e| format!("cannot read `{path}`: {}", reason(&e)))
}

/// Writes a file under a temporary name beside it, then renames it; `-` is standard output. What is no regular
/// file (`/dev/null`) is written in place.
///
/// # Errors
/// A sentence with the file's name.
pub fn write(path: &str, bytes: &[u8]) -> Result<(), String> {
    if path == "-" {
        return print(bytes);
    }
    let fail = |e: std::io::Error| format!("cannot write `{path}`: {}", reason(&e));
    let target = Path::new(path);
    if target.exists() && !target.is_file() {
        return std::fs::write(target, bytes).map_err(fail);
    }
    let name = target.file_name().ok_or_else(|| format!("cannot write `{path}`: it names no file"))?;
    let temporary = target.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
    let done = std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, target));
    done.map_err(|e| {
        _ = std::fs::remove_file(&temporary);
        fail(e)
    })
}

/// Writes several files, all or none: each under a temporary name first, then all are renamed; if one cannot be, those before get
/// their old contents back, or go again if they are new. Permissions stay, links are followed. `-` and what is no regular file is
/// written when all else is there.
///
/// # Errors
/// A sentence with the name of the file that could not be written.
pub fn write_all(files: &[(String, Vec<u8>)]) -> Result<(), String> {
    let direct = |path: &str| path == "-" || (Path::new(path).exists() && !Path::new(path).is_file() && !Path::new(path).is_dir());
    let mut made: Vec<(PathBuf, PathBuf)> = Vec::new();
    let prepared = files.iter().filter(|f| !direct(&f.0)).try_for_each(|(path, bytes)| {
        let fail = |e: std::io::Error| format!("cannot write `{path}`: {}", reason(&e));
        let target = target(path)?;
        let permissions = std::fs::metadata(&target).ok().map(|m| m.permissions());
        if permissions.as_ref().is_some_and(std::fs::Permissions::readonly) {
            return Err(format!("cannot write `{path}`: it is read-only"));
        }
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let temporary = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
        if made.iter().any(|m| m.1 == target) {
            // Another name of a file that is written already.
            let same = std::fs::read(&temporary).is_ok_and(|b| b == *bytes);
            return if same { Ok(()) } else { Err(format!("cannot write `{path}`: another name of it is written with other contents")) };
        }
        made.push((temporary.clone(), target));
        std::fs::write(&temporary, bytes).map_err(fail)?;
        permissions.map_or(Ok(()), |p| std::fs::set_permissions(&temporary, p)).map_err(fail)
    });
    let mut done: Vec<(&Path, Option<Vec<u8>>)> = Vec::new();
    let renamed = prepared.and_then(|()| {
        made.iter().try_for_each(|(temporary, target)| {
            let fail = |e: std::io::Error| format!("cannot write `{}`: {}", target.display(), reason(&e));
            let old = if target.exists() { Some(std::fs::read(target).map_err(fail)?) } else { None };
            std::fs::rename(temporary, target).map_err(fail)?;
            done.push((target, old));
            Ok(())
        })
    });
    if renamed.is_err() {
        made.iter().for_each(|(temporary, _)| _ = std::fs::remove_file(temporary));
        for (target, old) in &done {
            _ = match old {
                Some(old) => std::fs::write(target, old),
                None => std::fs::remove_file(target),
            };
        }
    }
    renamed?;
    files.iter().filter(|f| direct(&f.0)).try_for_each(|(path, bytes)| write(path, bytes))
}

/// The file that a path leads to; it need not be there yet, but its folder must be.
fn target(path: &str) -> Result<PathBuf, String> {
    let fail = |e: std::io::Error| format!("cannot write `{path}`: {}", reason(&e));
    match std::fs::canonicalize(path) {
        Ok(target) if target.is_dir() => Err(format!("cannot write `{path}`: it is a directory")),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            let file = Path::new(path);
            let name = file.file_name().ok_or_else(|| format!("cannot write `{path}`: it names no file"))?;
            let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Ok(std::fs::canonicalize(folder).map_err(fail)?.join(name))
        }
        other => other.map_err(fail),
    }
}

/// Prints to standard output; a reader that went away is no error.
///
/// # Errors
/// When the output cannot be written for another reason.
pub fn print(bytes: &[u8]) -> Result<(), String> {
    match std::io::stdout().write_all(bytes) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write to standard output: {e}")),
        _ => Ok(()),
    }
}

fn reason(e: &std::io::Error) -> String {
    match e.kind() {
        std::io::ErrorKind::NotFound => "there is no such file or directory".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        std::io::ErrorKind::IsADirectory => "it is a directory".into(),
        _ => e.to_string(),
    }
}
