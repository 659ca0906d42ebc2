//! What an earlier build did: for each task its request, the files that it read or looked for, and those that it wrote.
//!
//! The state is a file in the folder `.rtc` of the folder of outputs: one for each description that builds into it, so that builds of several
//! descriptions, at the same time too, keep what each of them knows. A task is up to date if its request and all of its files are the same. A
//! file is the same if its length and time are, or else if its bytes are.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub use crate::files::Stamp;
use crate::files::{FileCache, FileFacts};
use crate::hash::Hash;
use crate::message::Message;
use crate::plan::Plan;

/// The version of the file.
const VERSION: u32 = 3;

/// The folder of the state and of objects for bundles, in the folder of outputs.
pub const FOLDER: &str = ".rtc";

/// What an earlier build did.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct State {
    version: u32,
    /// The description, relative to the folder of outputs where possible; empty if there is none.
    description: String,
    /// The program that compiled, for its hash.
    pub compiler: Option<Program>,
    files: Vec<FileRecord>,
    /// Sets of files, as indices; many tasks have the same.
    sets: Vec<Vec<u32>>,
    tasks: BTreeMap<String, StoredTask>,
    /// Bundles by file.
    pub bundles: BTreeMap<String, BundleRecord>,
}

/// A program with its hash, which is valid as long as the stamp is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// Its file.
    pub path: String,
    /// The stamp of the file.
    pub stamp: Stamp,
    /// The hash of the file.
    pub hash: Hash,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct FileRecord {
    path: String,
    /// `None` if there was no file.
    hash: Option<Hash>,
    stamp: Option<Stamp>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredTask {
    set: u32,
    #[serde(flatten)]
    record: TaskRecord,
}

/// What a task did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TaskRecord {
    /// The hash of its request.
    pub request: Hash,
    /// The hash of its object.
    pub object: Hash,
    /// The length of its object.
    pub size: u64,
    /// What it wrote.
    pub written: Vec<Written>,
    /// Its diagnostics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
}

/// A file that was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Written {
    /// The file, in the folder of outputs.
    pub file: String,
    /// The hash of its bytes.
    pub hash: Hash,
    /// Its stamp.
    pub stamp: Option<Stamp>,
}

/// A bundle that was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BundleRecord {
    /// The hash of its kind, keys and objects.
    pub request: Hash,
    /// The file.
    pub written: Written,
}

impl Written {
    /// Whether the file in the folder `out` is as it was written.
    pub fn is_there(&self, out: &Path) -> bool {
        let path = out.join(&self.file);
        match Stamp::of(&path) {
            None => false,
            stamp if stamp == self.stamp => true,
            _ => std::fs::read(&path).is_ok_and(|bytes| Hash::of(&bytes) == self.hash),
        }
    }
}

/// The records of the tasks that are done, from which the next state is made.
pub type Records = FxHashMap<String, (TaskRecord, Vec<String>)>;

/// The description of a plan as its state names it: relative to the folder of outputs, so that both may be moved together.
fn description(plan: &Plan) -> String {
    let Some(file) = plan.descriptions.first() else { return String::new() };
    let absolute = |path: &Path| std::fs::canonicalize(path).ok();
    match (absolute(Path::new(file)), absolute(Path::new(&plan.out))) {
        (Some(file), Some(out)) => relative(&file, &out).to_string_lossy().into_owned(),
        _ => file.clone(),
    }
}

/// The path of `file` from the folder `base`; both are absolute.
fn relative(file: &Path, base: &Path) -> PathBuf {
    let common = file.components().zip(base.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return file.to_owned();
    }
    let up = base.components().skip(common).map(|_| std::path::Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

fn file_of(out: &Path, description: &str) -> PathBuf {
    let name = match description {
        "" => "state.json".to_owned(),
        _ => format!("state-{}.json", &Hash::of(description.as_bytes()).to_string()[..16]),
    };
    out.join(FOLDER).join(name)
}

impl State {
    /// The state of a plan's description in the folder of outputs; an empty one if there is none, or none that this version reads.
    pub fn load(plan: &Plan) -> Self {
        let description = description(plan);
        let known = Self::read(&file_of(Path::new(&plan.out), &description)).filter(|s| s.description == description);
        known.unwrap_or_else(|| State { description, ..State::default() })
    }

    fn read(file: &Path) -> Option<Self> {
        let state = serde_json::from_slice::<State>(&std::fs::read(file).ok()?).ok()?;
        let files = state.files.len();
        let sound = state.version == VERSION
            && state.sets.iter().flatten().all(|&f| (f as usize) < files)
            && state.tasks.values().all(|t| (t.set as usize) < state.sets.len());
        sound.then_some(state)
    }

    /// The states of other descriptions in the same folder. One whose description is gone is removed.
    pub fn others(&self, out: &Path) -> Vec<State> {
        let own = file_of(out, &self.description);
        let files = std::fs::read_dir(out.join(FOLDER)).into_iter().flatten().flatten().map(|f| f.path());
        let is_state = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            *file != own && name.starts_with("state") && name.ends_with(".json")
        };
        let mut others = Vec::new();
        for file in files.filter(is_state) {
            let Some(state) = Self::read(&file) else { continue };
            if state.description.is_empty() || out.join(&state.description).exists() {
                others.push(state);
            } else {
                _ = std::fs::remove_file(&file);
            }
        }
        others
    }

    /// Removes its file, and the folders that are empty then.
    ///
    /// # Errors
    /// The file is there and cannot be removed.
    pub fn remove(&self, out: &Path) -> io::Result<()> {
        match std::fs::remove_file(file_of(out, &self.description)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        for folder in [out.join(FOLDER).join("objects"), out.join(FOLDER), out.to_owned()] {
            _ = std::fs::remove_dir(folder);
        }
        Ok(())
    }

    /// The objects of its tasks.
    pub fn objects(&self) -> impl Iterator<Item = Hash> {
        self.tasks.values().map(|t| t.record.object)
    }

    /// The files that it says are written.
    pub fn written(&self) -> impl Iterator<Item = &Written> {
        self.tasks.values().flat_map(|t| &t.record.written).chain(self.bundles.values().map(|b| &b.written))
    }

    /// The name of its description.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Makes the state of `records`, and writes it in place of this one.
    pub fn save(
        &self,
        out: &Path,
        compiler: Option<&Program>,
        records: &Records,
        bundles: &BTreeMap<String, BundleRecord>,
        files: &FileCache,
    ) -> io::Result<()> {
        let description = self.description.clone();
        let mut state = State { version: VERSION, description, compiler: compiler.cloned(), bundles: bundles.clone(), ..State::default() };
        let mut indices: FxHashMap<&str, u32> = FxHashMap::default();
        let mut sets: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        // In the order of names, so that equal builds have equal states.
        let sorted: BTreeMap<&String, &(TaskRecord, Vec<String>)> = records.iter().collect();
        for (name, (record, paths)) in sorted {
            let mut set = Vec::with_capacity(paths.len());
            for path in paths {
                if !indices.contains_key(path.as_str()) {
                    let FileFacts { hash, stamp, .. } = files.summary(path)?;
                    indices.insert(path, state.files.len() as u32);
                    state.files.push(FileRecord { path: path.clone(), hash, stamp });
                }
                set.push(indices[path.as_str()]);
            }
            let next = sets.len() as u32;
            let set = *sets.entry(set).or_insert_with_key(|set| {
                state.sets.push(set.clone());
                next
            });
            state.tasks.insert(name.clone(), StoredTask { set, record: record.clone() });
        }
        crate::write::write_synced(&file_of(out, &state.description), &serde_json::to_vec(&state).map_err(io::Error::other)?)
    }

    /// The requested tasks of this state, by name and request, whose inputs and outputs are unchanged, with the files that they read.
    pub fn unchanged(&self, out: &Path, files: &FileCache, wanted: impl Fn(&str, Hash) -> bool) -> Records {
        let mut same: Vec<Option<bool>> = vec![None; self.files.len()];
        let mut same_file = |i: u32| *same[i as usize].get_or_insert_with(|| is_same(&self.files[i as usize], files));
        let sets: Vec<bool> = self.sets.iter().map(|set| set.iter().all(|&i| same_file(i))).collect();
        let unchanged = |(name, task): (&String, &StoredTask)| {
            let ok = sets[task.set as usize] && wanted(name, task.record.request) && task.record.written.iter().all(|w| w.is_there(out));
            let paths = || self.sets[task.set as usize].iter().map(|&i| self.files[i as usize].path.clone()).collect();
            ok.then(|| (name.clone(), (task.record.clone(), paths())))
        };
        self.tasks.iter().filter_map(unchanged).collect()
    }

    /// The paths of all files that tasks read or looked for.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|f| f.path.as_str())
    }
}

/// Whether the file is as it was, or is still missing.
fn is_same(record: &FileRecord, files: &FileCache) -> bool {
    let now = Stamp::of(Path::new(&record.path));
    match (record.hash, now) {
        (None, None) => !Path::new(&record.path).is_file(),
        (Some(_), Some(now)) if record.stamp == Some(now) => {
            files.assume(&record.path, FileFacts { bytes: None, hash: record.hash, stamp: record.stamp });
            true
        }
        _ => files.get(&record.path).is_ok_and(|known| known.hash == record.hash),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_between_folders() {
        let r = |file: &str, base: &str| relative(Path::new(file), Path::new(base)).to_string_lossy().into_owned();
        assert_eq!(r("/a/b/rtc.toml", "/a/b/out"), "../rtc.toml");
        assert_eq!(r("/a/rtc.toml", "/a/b/out"), "../../rtc.toml");
        assert_eq!(r("/a/out/x/rtc.toml", "/a/out"), "x/rtc.toml");
    }
}
