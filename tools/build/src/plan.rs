//! What a build does: tasks, each of which compiles one permutation, and bundles of their objects.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use rtc_base::path::System;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Error;
use crate::matrix::Permutation;
use crate::shared::SharedSettings;

/// A build: its tasks in the order of the description, and the files that are made of their objects.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The folder of the outputs, relative to the current folder or absolute.
    pub out: String,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The files that hold the objects of several tasks.
    pub bundles: Vec<Bundle>,
    /// Whether it is a part of what the description says: earlier records of the rest stay.
    pub partial: bool,
    /// Whether it is all that is ever built of the description: files of tasks that are no longer there go.
    pub whole: bool,
    /// The files that the description was read from.
    pub descriptions: Vec<String>,
    /// The folders in which patterns looked for sources: a new file there may be another task.
    pub folders: Vec<String>,
    /// The shared cache that the description names.
    pub shared: Option<SharedSettings>,
}

/// A compilation: one permutation of one entry point for one target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Task {
    /// The shader's name in the description.
    pub shader: String,
    /// The target's name.
    pub target: String,
    /// The entry point; empty for a library.
    pub entry: String,
    /// The permutation.
    pub permutation: Permutation,
    /// The path of the source, relative to the current folder or absolute.
    pub source: String,
    /// The arguments in the dialect of dxc, without source and output files.
    pub arguments: Vec<String>,
    /// The file of the object in the folder of outputs.
    pub object: Option<String>,
    /// The file of a C header with the object there.
    pub header: Option<Header>,
    /// The file of the PDB there.
    pub pdb: Option<String>,
}

/// A C header with an array of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The file in the folder of outputs.
    pub file: String,
    /// The name of the array.
    pub variable: String,
    /// Whether it is as `-Fh` writes it, with the listing; otherwise as ShaderMake writes it.
    pub listed: bool,
}

/// The kind of a bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BundleKind {
    /// A blob of ShaderMake: the objects by the key of their permutation.
    Blob,
    /// A C header with such a blob, in an array of this name.
    BlobHeader(String),
    /// An [archive](crate::archive): objects by [`Task::name_in_archive`].
    Archive,
}

/// A file that holds the objects of several tasks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// Its kind.
    pub kind: BundleKind,
    /// Its file in the folder of outputs.
    pub file: String,
    /// Its tasks, as indices of [`Plan::tasks`].
    pub tasks: Vec<usize>,
}

impl Task {
    /// What identifies the task in a plan, as a person reads it: `blur:main [spirv] A B=1`.
    pub fn name(&self) -> String {
        let mut name = self.shader.clone();
        if !self.entry.is_empty() {
            name = format!("{name}:{}", self.entry);
        }
        if !self.target.is_empty() {
            name = format!("{name} [{}]", self.target);
        }
        if self.permutation.is_empty() { name } else { format!("{name} {}", self.permutation.key()) }
    }

    /// The key of its object in an archive: shader, entry point if it has one, permutation: `blur:main A B=1`.
    pub fn name_in_archive(&self) -> String {
        let name = if self.entry.is_empty() { self.shader.clone() } else { format!("{}:{}", self.shader, self.entry) };
        if self.permutation.is_empty() { name } else { format!("{name} {}", self.permutation.key()) }
    }

    /// The files that it writes, in the folder of outputs.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.object.iter().chain(self.header.iter().map(|h| &h.file)).chain(&self.pdb).map(String::as_str)
    }
}

/// Whether two paths lead to one file that exists.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((std::fs::canonicalize(a), std::fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

impl Plan {
    /// Checks that every file is written once, that this system has files of such names, and that no permutation is there twice.
    ///
    /// # Errors
    /// [`Error::SameOutput`], [`Error::NoSuchName`], [`Error::Twice`].
    pub fn check(&self) -> Result<(), Error> {
        self.check_for(System::HERE)
    }

    /// The same, by the rules of a system for names.
    fn check_for(&self, system: System) -> Result<(), Error> {
        self.check_names()?;
        let mut files: FxHashMap<String, String> = FxHashMap::default();
        let tasks = self.tasks.iter().flat_map(|t| t.files().map(|f| (f, format!("`{}`", t.name()))));
        let bundles = self.bundles.iter().map(|b| (b.file.as_str(), "a bundle of permutations".to_owned()));
        for (file, writer) in tasks.chain(bundles) {
            let named = Path::new(file).components().filter(|c| *c != Component::CurDir);
            let plain: PathBuf = named.collect();
            if let Some(why) = system.refuses(file) {
                return Err(Error::NoSuchName { file: file.to_owned(), task: writer, why });
            }
            if let Some(other) = files.insert(system.key(&plain.to_string_lossy()), writer.clone()) {
                return Err(Error::SameOutput { file: file.to_owned(), tasks: [other, writer] });
            }
        }
        Ok(())
    }

    /// Checks that no output is the source of a task.
    ///
    /// # Errors
    /// [`Error::OverSource`].
    pub fn check_sources(&self) -> Result<(), Error> {
        // Most files have no name of a source.
        let mut sources: FxHashMap<&OsStr, Vec<&str>> = FxHashMap::default();
        for source in self.tasks.iter().map(|t| t.source.as_str()) {
            let all = sources.entry(Path::new(source).file_name().unwrap_or_default()).or_default();
            if !all.contains(&source) {
                all.push(source);
            }
        }
        let files = self.tasks.iter().flat_map(Task::files).chain(self.bundles.iter().map(|b| b.file.as_str()));
        for file in files {
            let path = Path::new(&self.out).join(file);
            let same = sources.get(path.file_name().unwrap_or_default()).into_iter().flatten().find(|s| is_same_file(&path, Path::new(s)));
            if let Some(source) = same {
                return Err(Error::OverSource { file: path.to_string_lossy().into_owned(), source: (*source).to_owned() });
            }
        }
        Ok(())
    }

    /// Checks that no permutation is there twice.
    pub(crate) fn check_names(&self) -> Result<(), Error> {
        let mut names = FxHashSet::default();
        let twice = self.tasks.iter().map(Task::name).find(|name| !names.insert(name.clone()));
        twice.map_or(Ok(()), |name| Err(Error::Twice(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_outputs_are_those_of_the_system() {
        let check = |files: &[&str], system| {
            let task = |file: &&str| Task { shader: (*file).to_owned(), object: Some((*file).to_owned()), ..Task::default() };
            let plan = Plan { tasks: files.iter().map(task).collect(), ..Plan::default() };
            plan.check_for(system).map_err(|e| e.to_string())
        };
        let case = ["vk/Blur.dxil", "vk/blur.dxil"];
        assert_eq!(check(&case, System::Unix), Ok(()));
        let error = check(&case, System::Windows).expect_err("they are one file there");
        assert!(error.contains("`vk/blur.dxil` would be written by `vk/Blur.dxil` and by `vk/blur.dxil`"), "{error}");
        assert_eq!(check(&["aux.dxil"], System::Unix), Ok(()));
        let error = check(&["aux.dxil"], System::Windows).expect_err("it is a device there");
        assert_eq!(error, "`aux.dxil` of `aux.dxil` cannot be written: `aux` is the name of a device on Windows; give it another name");
    }
}
