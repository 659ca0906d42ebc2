//! Remote execution: tasks are compiled by the workers of a build farm that speaks the Bazel Remote Execution API, version 2.
//!
//! A task becomes an action: the command `rtc build-task` ([`crate::entry`]) and a tree with this program and exactly the files that the
//! task reads. What comes back is an entry of the cache, checked by the digest of the API and by its own hash, which covers the key. What the
//! farm cannot do is done here: tasks with absolute paths, tasks that fail (for their diagnostics), everything when the server is gone, speaks
//! another version, or refuses. The first reason is reported, once.

mod address;
#[cfg(feature = "remote")]
mod grpc;
mod tree;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::breaker::{Breaker, Verdict};
use crate::cache::{Entry, Read};
use crate::entry::Order;
use crate::error::Error;
use crate::hash::Hash;
use crate::plan::Task;

pub use address::Address;
pub use tree::Tree;

/// How many tasks are at the farm at the same time by default.
pub const DEFAULT_LANES: usize = 64;

/// How long a task may take there by default.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(60);

/// How a farm is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteSettings {
    /// `grpc://HOST:PORT/INSTANCE`, or `grpcs://` with TLS.
    pub url: String,
    /// Where the bearer token is, if the server asks for one.
    pub token: Token,
    /// How many tasks are there at the same time.
    pub lanes: usize,
    /// How long a task may take there, until it is compiled here.
    pub time_limit: Duration,
    /// Platform properties, which select workers.
    pub properties: Vec<(String, String)>,
}

/// Where a bearer token is.
#[derive(Clone, PartialEq, Eq, Default)]
pub enum Token {
    /// There is none.
    #[default]
    None,
    /// This one.
    Text(String),
    /// In a file, which is read again when the server refuses the token: another program may have renewed it.
    File(String),
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::None => f.write_str("None"),
            Token::Text(_) => f.write_str("Text(..)"),
            Token::File(file) => f.debug_tuple("File").field(file).finish(),
        }
    }
}

impl RemoteSettings {
    /// Those of a URL, with the defaults.
    pub fn new(url: impl Into<String>) -> Self {
        let (lanes, time_limit) = (DEFAULT_LANES, DEFAULT_TIME_LIMIT);
        RemoteSettings { url: url.into(), token: Token::None, lanes, time_limit, properties: Vec::new() }
    }
}

/// What was moved and done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FarmTraffic {
    /// Tasks that workers compiled.
    pub executed: usize,
    /// Tasks whose outcome the farm had from before.
    pub known: usize,
    /// Tasks that were done here after all.
    pub fallbacks: usize,
    /// Bytes of blobs that were uploaded.
    pub bytes_up: u64,
    /// Bytes of blobs that were downloaded.
    pub bytes_down: u64,
}

/// A farm. Clones are the same one.
#[derive(Clone)]
pub struct Farm {
    name: String,
    lanes: usize,
    executor: Arc<dyn Executor>,
    state: Arc<Mutex<FarmState>>,
}

impl fmt::Debug for Farm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Farm").field("name", &self.name).finish_non_exhaustive()
    }
}

struct FarmState {
    breaker: Breaker,
    fallbacks: usize,
    problem: Option<String>,
    told: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file of an action.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its SHA-256.
    pub hash: Hash,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
}

/// What a farm is to do.
#[derive(Clone, Debug)]
pub struct Work {
    /// The words of the command.
    pub command: Vec<String>,
    /// The tree; its numbers are those of `inputs`.
    pub tree: Tree,
    /// The current folder.
    pub folder: String,
    /// The files.
    pub inputs: Vec<Input>,
    /// The file that is made.
    pub output: &'static str,
}

/// Why a farm did not do something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The farm is at fault: a sentence.
    Farm(String),
    /// The command fails; the same one may tell why here.
    Command,
}

/// Does work elsewhere.
pub trait Executor: Send + Sync {
    /// The bytes of the output. It ends within the time limit of the farm.
    ///
    /// # Errors
    /// The farm is at fault, or the command fails.
    fn execute(&self, work: &Work) -> Result<Vec<u8>, Failure>;

    /// What was done.
    fn traffic(&self) -> FarmTraffic;
}

impl Farm {
    /// Opens a farm. No request is made.
    ///
    /// # Errors
    /// The URL is wrong, a token would be sent without TLS, or this program was built without remote execution.
    pub fn open(settings: &RemoteSettings) -> Result<Self, Error> {
        let address = Address::parse(&settings.url).map_err(Error::Arguments)?;
        if settings.token != Token::None && !address.tls && !address.is_local() {
            return Err(Error::Arguments(format!("`{address}`: a token is sent over TLS alone; write `grpcs://`")));
        }
        let executor = open(&address, settings)?;
        Ok(Farm::with_executor(address.to_string(), settings.lanes, executor))
    }

    /// A farm that another client reaches; `name` is what messages call it.
    pub fn with_executor(name: impl Into<String>, lanes: usize, executor: Arc<dyn Executor>) -> Self {
        let state = FarmState { breaker: Breaker::new(Instant::now()), fallbacks: 0, problem: None, told: false };
        Farm { name: name.into(), lanes: lanes.max(1), executor, state: Arc::new(Mutex::new(state)) }
    }

    /// How many tasks are there at the same time.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// The entry of a task that a worker compiles, and the bytes of its file. `inputs` are the files that the task reads, and this program last.
    pub(crate) fn compile(&self, task: &Task, key: &Hash, compiler: &Hash, paths: &[&str], inputs: Vec<Input>) -> Option<(Entry, Vec<u8>)> {
        let done = self.try_compile(task, key, compiler, paths, inputs);
        if done.is_none() {
            lock(&self.state).fallbacks += 1;
        }
        done
    }

    fn try_compile(&self, task: &Task, key: &Hash, compiler: &Hash, paths: &[&str], inputs: Vec<Input>) -> Option<(Entry, Vec<u8>)> {
        if !lock(&self.state).breaker.allows(Instant::now()) {
            return None;
        }
        let Some(layout) = tree::layout(paths) else {
            self.tell(format!(
                "`{}` has absolute paths, which mean nothing to the farm `{}`; such tasks are compiled here",
                task.name(),
                self.name
            ));
            return None;
        };
        let order = Order {
            key: *key,
            compiler: *compiler,
            source: task.source.clone(),
            pdb: task.pdb.clone(),
            arguments: task.arguments.clone(),
            entry: tree::ENTRY.to_owned(),
        };
        let mut command = vec![layout.compiler];
        command.extend(order.to_arguments());
        let work = Work { command, tree: layout.root, folder: layout.folder, inputs, output: tree::ENTRY };
        let outcome = match self.executor.execute(&work) {
            Ok(bytes) => match Entry::decode(key, &bytes) {
                Read::Entry(entry) => Ok((entry, bytes)),
                _ => Err(Failure::Farm("what it made is no entry of the task".into())),
            },
            Err(failure) => Err(failure),
        };
        let now = Instant::now();
        match outcome {
            Ok(done) => {
                lock(&self.state).breaker.answered(now, Duration::ZERO, Duration::ZERO);
                Some(done)
            }
            Err(Failure::Command) => {
                lock(&self.state).breaker.answered(now, Duration::ZERO, Duration::ZERO);
                None
            }
            Err(Failure::Farm(why)) => {
                let verdict = lock(&self.state).breaker.failed(now, Duration::ZERO);
                let what = if verdict == Verdict::Closed { "a task is" } else { "tasks are" };
                self.tell(format!("{what} compiled here and not by the farm `{}`: {why}", self.name));
                None
            }
        }
    }

    fn tell(&self, text: String) {
        let mut state = lock(&self.state);
        if !std::mem::replace(&mut state.told, true) {
            state.problem = Some(text);
        }
    }

    /// What is wrong with the farm, if it was not told before.
    pub fn problem(&self) -> Option<String> {
        lock(&self.state).problem.take()
    }

    /// What was done since it was opened.
    pub fn traffic(&self) -> FarmTraffic {
        FarmTraffic { fallbacks: lock(&self.state).fallbacks, ..self.executor.traffic() }
    }
}

#[cfg(feature = "remote")]
fn open(address: &Address, settings: &RemoteSettings) -> Result<Arc<dyn Executor>, Error> {
    grpc::Client::open(address, settings).map(|client| Arc::new(client) as Arc<dyn Executor>).map_err(Error::Arguments)
}

#[cfg(not(feature = "remote"))]
fn open(address: &Address, _: &RemoteSettings) -> Result<Arc<dyn Executor>, Error> {
    Err(Error::Arguments(format!("`{address}`: this program is built without remote execution (the feature `remote`)")))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    struct Fake(AtomicUsize, Result<Vec<u8>, Failure>);

    impl Executor for Fake {
        fn execute(&self, work: &Work) -> Result<Vec<u8>, Failure> {
            assert_eq!((work.command[0].as_str(), work.command[1].as_str()), (".rtc/rtc", "build-task"));
            self.0.fetch_add(1, Ordering::Relaxed);
            self.1.clone()
        }

        fn traffic(&self) -> FarmTraffic {
            FarmTraffic::default()
        }
    }

    fn ask(answer: Result<Vec<u8>, Failure>, path: &str) -> (usize, bool, Option<String>, usize) {
        let fake = Arc::new(Fake(AtomicUsize::new(0), answer));
        let farm = Farm::with_executor("grpc://x", 1, fake.clone());
        let task = Task { shader: "s".into(), source: path.into(), ..Task::default() };
        let (key, compiler) = (Hash::of(b"k"), Hash::of(b"c"));
        let made = (0..10).filter(|_| farm.compile(&task, &key, &compiler, &[path], Vec::new()).is_some()).count();
        let problem = farm.problem();
        (fake.0.load(Ordering::Relaxed), made == 10, problem, farm.traffic().fallbacks)
    }

    #[test]
    fn farms_are_believed_if_the_entry_is_right() {
        let right = Entry { object: vec![1], ..Entry::default() }.encode(&Hash::of(b"k")).expect("it is small");
        assert_eq!(ask(Ok(right), "a.hlsl"), (10, true, None, 0));
        let other = Entry { object: vec![1], ..Entry::default() }.encode(&Hash::of(b"other")).expect("it is small");
        let (requests, _, told, fallbacks) = ask(Ok(other), "a.hlsl");
        assert_eq!((requests, fallbacks), (3, 10));
        assert_eq!(told.as_deref(), Some("a task is compiled here and not by the farm `grpc://x`: what it made is no entry of the task"));
        assert_eq!(ask(Err(Failure::Command), "a.hlsl"), (10, false, None, 10));
        assert_eq!(ask(Err(Failure::Farm("no".into())), "a.hlsl").0, 3);
        let (requests, _, told, _) = ask(Ok(Vec::new()), "/a.hlsl");
        assert!(requests == 0 && told.is_some_and(|t| t.starts_with("`s` has absolute paths")));
    }
}
