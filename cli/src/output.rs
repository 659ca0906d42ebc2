//! Files and the terminal: reading with readable errors, writing without ever leaving half a file.

use std::io::Write;
use std::path::Path;

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
