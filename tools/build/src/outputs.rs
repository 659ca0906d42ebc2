//! The files of tasks and bundles in the folder of outputs.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustc_hash::FxHashSet;

use crate::abandoned::{is_abandoned, is_old};
use crate::archive;
use crate::blob;
use crate::cache::Entry;
use crate::error::Error;
use crate::hash::Hash;
use crate::plan::{Bundle, BundleKind, Plan, Task, is_same_file};
use crate::state::{FOLDER, Stamp, TaskRecord, Written};
use crate::write::write;

/// Writes a file unless it has these bytes, so that what depends on it is not built again.
fn put(out: &Path, file: &str, bytes: &[u8]) -> io::Result<Written> {
    let path = out.join(file);
    let same = std::fs::metadata(&path).is_ok_and(|m| m.len() == bytes.len() as u64) && std::fs::read(&path).is_ok_and(|old| old == bytes);
    if !same {
        write(&path, bytes)?;
    }
    Ok(Written { file: file.to_owned(), hash: Hash::of(bytes), stamp: Stamp::of(&path) })
}

/// Makes a stored object, if it is there, as young as one that was just written: other builds, which do not know its users, leave it there.
fn renew(path: &Path) {
    _ = std::fs::File::options().append(true).open(path).and_then(|f| f.set_modified(SystemTime::now()));
}

/// The file of an object that bundles are made of.
fn stored(hash: &Hash) -> String {
    format!("{FOLDER}/objects/{hash}")
}

/// Writes the files of a task, which `read` those files. `bundled`: a bundle has its object.
///
/// # Errors
/// A file cannot be written.
pub fn write_task(out: &Path, task: &Task, bundled: bool, request: Hash, entry: &Entry, read: &[String]) -> Result<TaskRecord, Error> {
    for file in task.files() {
        let path = out.join(file);
        let same = |other: &&String| Path::new(other).file_name() == path.file_name() && is_same_file(&path, Path::new(other));
        if let Some(source) = read.iter().find(same) {
            return Err(Error::OverSource { file: path.to_string_lossy().into_owned(), source: source.clone() });
        }
    }
    let fail = |file: &str| {
        let path = out.join(file).to_string_lossy().into_owned();
        move |e| Error::file(path, e)
    };
    let object = Hash::of(&entry.object);
    let mut written = Vec::new();
    let mut add = |file: &str, bytes: &[u8]| {
        written.push(put(out, file, bytes).map_err(fail(file))?);
        Ok::<_, Error>(())
    };
    if let Some(file) = &task.object {
        add(file, &entry.object)?;
    }
    if bundled {
        renew(&out.join(stored(&object)));
        add(&stored(&object), &entry.object)?;
    }
    if let Some(header) = &task.header {
        let text = match header.listed {
            true => rtc::output_files::c_header(&header.variable, &entry.object, &listing(&entry.object)),
            false => blob::header(&header.variable, &task.permutation.key(), &entry.object),
        };
        add(&header.file, text.as_bytes())?;
    }
    if let (Some(file), Some(pdb)) = (&task.pdb, &entry.pdb) {
        add(file, pdb)?;
    }
    Ok(TaskRecord { request, object, size: entry.object.len() as u64, written, messages: entry.messages.clone() })
}

/// The listing of an object that was just made.
fn listing(object: &[u8]) -> String {
    rtc::dis::disassemble(object).unwrap_or_else(|e| format!("the object cannot be listed: {e}"))
}

/// The hash of what a bundle is made of.
pub fn request_of(bundle: &Bundle, plan: &Plan, objects: &[Hash]) -> Hash {
    let kind = format!("{:?}", bundle.kind);
    let names = bundle.tasks.iter().map(|&t| plan.tasks[t].name_in_archive()).collect::<Vec<_>>();
    let parts = names.iter().zip(objects).flat_map(|(name, object)| [name.as_bytes(), &object.0[..]]);
    Hash::of_list(std::iter::once(kind.as_bytes()).chain(parts))
}

/// Writes a bundle of stored objects.
///
/// # Errors
/// An object cannot be read, the bundle is too large for its format, or cannot be written; the text says which.
pub fn write_bundle(out: &Path, bundle: &Bundle, plan: &Plan, objects: &[Hash]) -> Result<Written, String> {
    let read = |hash: &Hash| {
        let path = out.join(stored(hash));
        std::fs::read(&path).map_err(|e| Error::file(path.to_string_lossy(), e).to_string())
    };
    let objects = objects.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let tasks = || bundle.tasks.iter().map(|&t| &plan.tasks[t]);
    let bytes = match &bundle.kind {
        BundleKind::Archive => {
            let names: Vec<String> = tasks().map(Task::name_in_archive).collect();
            let parts: Vec<(&str, &[u8])> = names.iter().zip(&objects).map(|(n, o)| (n.as_str(), o.as_slice())).collect();
            archive::archive(&parts).map_err(|e| e.to_string())?
        }
        BundleKind::Blob | BundleKind::BlobHeader(_) => {
            let keys: Vec<String> = tasks().map(|t| t.permutation.key()).collect();
            let parts = keys.iter().zip(&objects).map(|(k, o)| (k.as_str(), o.as_slice()));
            let blob = blob::blob(parts).ok_or("the objects are too large for a blob")?;
            match &bundle.kind {
                BundleKind::BlobHeader(variable) => blob::header(variable, "", &blob).into_bytes(),
                _ => blob,
            }
        }
    };
    put(out, &bundle.file, &bytes).map_err(|e| Error::file(out.join(&bundle.file).to_string_lossy(), e).to_string())
}

/// Removes files that were `written` and are as they were. Returns how many.
pub fn remove<'a>(out: &Path, written: impl Iterator<Item = &'a Written>) -> usize {
    let mut removed = 0;
    for file in written.filter(|w| w.is_there(out)) {
        let path = out.join(&file.file);
        if std::fs::remove_file(&path).is_ok() {
            removed += 1;
            // Folders that are empty now go, too.
            let folders = path.ancestors().skip(1).take_while(|f| *f != out && f.starts_with(out));
            for folder in folders {
                if std::fs::remove_dir(folder).is_err() {
                    break;
                }
            }
        }
    }
    removed
}

/// Removes stored objects that no task has any more, and temporary files that killed processes left in the folders of outputs. Other builds may be
/// at work in the folder, so that what is young stays.
pub fn tidy(out: &Path, plan: &Plan, used: impl Fn(&Hash) -> bool) {
    let files = plan.tasks.iter().flat_map(Task::files).chain(plan.bundles.iter().map(|b| b.file.as_str()));
    let folders: FxHashSet<&Path> = files.filter_map(|f| Path::new(f).parent()).collect();
    for file in folders.into_iter().filter_map(|f| std::fs::read_dir(out.join(f)).ok()).flatten().flatten() {
        if is_abandoned(&file) {
            _ = std::fs::remove_file(file.path());
        }
    }
    let folder: PathBuf = out.join(FOLDER).join("objects");
    let Ok(files) = std::fs::read_dir(folder) else { return };
    for file in files.flatten() {
        let used = Hash::parse(&file.file_name().to_string_lossy()).is_some_and(|hash| used(&hash));
        if !used && is_old(&file) {
            _ = std::fs::remove_file(file.path());
        }
    }
}
