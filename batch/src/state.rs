//! What an earlier build did: for each task its request, the files that it read or looked for, and those that it wrote.
//!
//! The state is the file `.rtc/state.json` in the folder of outputs. A task is up to date if its request and all of its files are the same. A file is
//! the same if its length and time are, or else if its bytes are.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub use crate::files::Stamp;
use crate::files::{FileCache, FileFacts};
use crate::hash::Hash;
use crate::message::Message;

/// The version of the file.
const VERSION: u32 = 1;

/// The folder of the state and of objects for bundles, in the folder of outputs.
pub const FOLDER: &str = ".rtc";

/// What an earlier build did.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct State {
    version: u32,
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

fn file_of(out: &Path) -> PathBuf {
    out.join(FOLDER).join("state.json")
}

impl State {
    /// The state in the folder of outputs; an empty one if there is none, or none that this version reads.
    pub fn load(out: &Path) -> Self {
        let read = || serde_json::from_slice::<State>(&std::fs::read(file_of(out)).ok()?).ok();
        let sound = |s: &State| {
            let files = s.files.len();
            s.version == VERSION
                && s.sets.iter().flatten().all(|&f| (f as usize) < files)
                && s.tasks.values().all(|t| (t.set as usize) < s.sets.len())
        };
        read().filter(sound).unwrap_or_default()
    }

    /// Makes the state of `records`, and writes it.
    pub fn save(
        out: &Path,
        compiler: Option<&Program>,
        records: &Records,
        bundles: &BTreeMap<String, BundleRecord>,
        files: &FileCache,
    ) -> io::Result<()> {
        let mut state = State { version: VERSION, compiler: compiler.cloned(), bundles: bundles.clone(), ..State::default() };
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
        crate::write::write_synced(&file_of(out), &serde_json::to_vec(&state).map_err(io::Error::other)?)
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
