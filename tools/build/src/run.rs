//! A build: finds the tasks that are not up to date, does them on several threads, and makes the bundles.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rtc::{CancelToken, NoIncludes, Session};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cache::{Cache, Entry};
use crate::compile::{Failure, prepare};
use crate::error::Error;
use crate::event::{Event, How, Observer, Outcome, Summary};
use crate::files::{FileCache, Recorder};
use crate::hash::Hash;
use crate::message::Message;
use crate::outputs;
use crate::plan::{Plan, Task};
use crate::remote::{Farm, Input};
use crate::shared::{LANES, SharedCache};
use crate::slots::Slots;
use crate::state::{BundleRecord, Program, Records, Stamp, State, Written};

/// How a build is done.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of threads; 0 is taken as 1.
    pub jobs: usize,
    /// Does tasks that are up to date too. The cache is used.
    pub force: bool,
    /// The cache.
    pub cache: Option<Cache>,
    /// The cache that machines share.
    pub shared: Option<SharedCache>,
    /// The farm that compiles.
    pub farm: Option<Farm>,
    /// Cancels the build: no further task begins.
    pub cancel: CancelToken,
}

impl Default for Settings {
    /// As many threads as there are processors, no caches, no farm.
    fn default() -> Self {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        Settings { jobs, force: false, cache: None, shared: None, farm: None, cancel: CancelToken::new() }
    }
}

/// The state is saved this often, so that a build that is killed loses little.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// How long the end of a build waits for uploads to the shared cache.
const UPLOADS: Duration = Duration::from_secs(10);

/// Builds a plan. Mistakes in shaders are messages of events, and counted in the summary.
///
/// # Errors
/// The folder of outputs cannot be written.
pub fn run(plan: &Plan, settings: &Settings, observer: &dyn Observer) -> Result<Summary, Error> {
    let begin = Instant::now();
    plan.check_sources()?;
    let out = Path::new(&plan.out);
    std::fs::create_dir_all(out).map_err(|e| Error::file(&*plan.out, e))?;
    let state = State::load(plan);
    let compiler = compiler(&state)?;
    let files = FileCache::default();
    let requests: Vec<(String, Hash)> = plan.tasks.iter().map(|t| (t.name(), request(t, &compiler.hash))).collect();
    let wanted: FxHashMap<&str, Hash> = requests.iter().map(|(name, request)| (name.as_str(), *request)).collect();
    // What is not in a part of a plan is neither done nor forgotten.
    let unchanged = state.unchanged(out, &files, |name, request| match wanted.get(name) {
        Some(&wanted) => wanted == request && !settings.force,
        None => plan.partial,
    });
    let outdated: Vec<usize> = (0..plan.tasks.len()).filter(|&t| !unchanged.contains_key(&requests[t].0)).collect();
    observer.event(Event::Begun { tasks: plan.tasks.len(), outdated: outdated.len() });
    let mut summary = Summary::default();
    for (task, (name, _)) in plan.tasks.iter().zip(&requests) {
        let Some((record, _)) = unchanged.get(name) else { continue };
        let outcome = Outcome { how: How::UpToDate, ok: true, messages: record.messages.clone(), size: record.size, time: Duration::ZERO };
        summary.count(&outcome);
        observer.event(Event::Task(task, &outcome));
    }
    let build = Build {
        plan,
        settings,
        observer,
        out,
        files: &files,
        session: Session::new(NoIncludes),
        compiler: &compiler,
        requests: &requests,
        bundled: plan.bundles.iter().flat_map(|b| b.tasks.iter().copied()).collect(),
        state: &state,
        groups: groups(plan, &outdated),
        next: AtomicUsize::new(0),
        processors: Slots::new(settings.jobs.max(1)),
        program: OnceLock::new(),
        done: Mutex::new(Done { records: unchanged, summary, saved: begin, warned: false }),
    };
    // Threads that wait for other machines leave the processors to others.
    let waiting = if settings.shared.is_some() { LANES } else { 0 }.max(settings.farm.as_ref().map_or(0, Farm::lanes));
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.saturating_add(waiting).clamp(1, outdated.len().max(1)) {
            scope.spawn(|| {
                build.work(&outdated);
                // The next build has other threads.
                rtc::memory::release();
            });
        }
    });
    let Done { records, mut summary, .. } = build.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.cancelled = plan.tasks.len()
        - summary.failed
        - summary.up_to_date
        - summary.compiled
        - summary.shared
        - summary.cached
        - summary.fetched
        - summary.remote;
    let mut bundles = make_bundles(plan, out, &records, &requests, &state.bundles, observer, &mut summary);
    if plan.partial {
        state.bundles.iter().for_each(|(file, record)| _ = bundles.entry(file.clone()).or_insert_with(|| record.clone()));
    }
    state.save(out, Some(&compiler), &records, &bundles, &files).map_err(|e| Error::file(&*plan.out, e))?;
    let others = state.others(out);
    if plan.whole && !plan.partial {
        summary.removed = outputs::remove(out, gone(plan, &state, &others).into_iter());
    }
    if let Some(text) = written_by_others(&records, &bundles, &others) {
        observer.event(Event::Warning(&text));
    }
    let kept: FxHashSet<Hash> = records.values().map(|r| r.0.object).chain(others.iter().flat_map(State::objects)).collect();
    outputs::tidy(out, plan, |hash| kept.contains(hash));
    if let Some(cache) = settings.cache.as_ref().filter(|_| summary.compiled + summary.fetched > 0)
        && let Err(e) = cache.gc()
    {
        observer.event(Event::Warning(&format!("the cache in `{}` cannot be cleaned: {e}", cache.folder().display())));
    }
    if let Some(shared) = &settings.shared {
        shared.finish(UPLOADS);
        if let Some(problem) = shared.problem() {
            observer.event(Event::Warning(&problem));
        }
        summary.traffic = Some(shared.traffic());
    }
    summary.farm = settings.farm.as_ref().map(Farm::traffic);
    summary.time = begin.elapsed();
    observer.event(Event::Ended(&summary));
    Ok(summary)
}

/// What an earlier build wrote for tasks that are no longer there, and that no other description writes.
fn gone<'a>(plan: &Plan, state: &'a State, others: &[State]) -> Vec<&'a Written> {
    let own = plan.tasks.iter().flat_map(Task::files).chain(plan.bundles.iter().map(|b| b.file.as_str()));
    let kept: FxHashSet<&str> = own.chain(others.iter().flat_map(State::written).map(|w| w.file.as_str())).collect();
    // Stored objects have rules of their own.
    let is_stored = |w: &Written| w.file.starts_with(crate::state::FOLDER);
    state.written().filter(|w| !kept.contains(w.file.as_str()) && !is_stored(w)).collect()
}

/// Removes everything that builds of a plan's description have written and that is as it was written, and the record of it. Returns how many files.
///
/// # Errors
/// The record cannot be removed.
pub fn clean(plan: &Plan) -> Result<usize, Error> {
    let out = Path::new(&plan.out);
    let state = State::load(plan);
    let others = state.others(out);
    let kept: FxHashSet<&str> = others.iter().flat_map(State::written).map(|w| w.file.as_str()).collect();
    let removed = outputs::remove(out, state.written().filter(|w| !kept.contains(w.file.as_str())));
    state.remove(out).map_err(|e| Error::file(&*plan.out, e))?;
    Ok(removed)
}

/// Says if another description that builds into the folder writes one of the files with other bytes: each build would undo the other.
fn written_by_others(records: &Records, bundles: &BTreeMap<String, BundleRecord>, others: &[State]) -> Option<String> {
    let own = records.values().flat_map(|r| &r.0.written).chain(bundles.values().map(|b| &b.written));
    let own: FxHashMap<&str, Hash> = own.map(|w| (w.file.as_str(), w.hash)).collect();
    let clash = |other: &State| {
        let differs = |w: &&Written| own.get(w.file.as_str()).is_some_and(|&hash| hash != w.hash);
        other.written().filter(differs).map(|w| w.file.clone()).min().map(|file| (file, other.description().to_owned()))
    };
    let (file, description) = others.iter().find_map(clash)?;
    Some(format!("`{file}` is written with other contents for the description `{description}`, which builds into the same folder"))
}

/// The request of a task, as a hash.
fn request(task: &Task, compiler: &Hash) -> Hash {
    let outputs = format!("{:?} {:?} {:?}", task.object, task.header, task.pdb);
    let fixed = [&compiler.0[..], task.source.as_bytes(), outputs.as_bytes()];
    Hash::of_list(fixed.into_iter().chain(task.arguments.iter().map(|a| a.as_bytes())))
}

/// This program, whose hash stands for the version of the compiler.
fn compiler(state: &State) -> Result<Program, Error> {
    let path = std::env::current_exe().map_err(|e| Error::file("the program itself", e))?;
    let name = path.to_string_lossy().into_owned();
    let stamp = Stamp::of(&path);
    if let Some(known) = state.compiler.as_ref().filter(|k| k.path == name && Some(k.stamp) == stamp) {
        return Ok(known.clone());
    }
    let bytes = std::fs::read(&path).map_err(|e| Error::file(&*name, e))?;
    Ok(Program { path: name, stamp: stamp.unwrap_or(Stamp { length: 0, time: 0 }), hash: Hash::of(&bytes) })
}

/// Tasks of a source, target and entry point, whose objects may be equal. Objects are kept until the last one is done.
#[derive(Default)]
struct Group {
    slots: FxHashMap<Hash, Slot>,
    remaining: usize,
}

/// A key that some task of the group has.
enum Slot {
    /// It is being compiled; these tasks wait for it, with the files that they read.
    Working(Vec<(usize, Vec<String>, Duration)>),
    /// Its outcome.
    Done(Arc<Result<Entry, Vec<Message>>>),
}

type Groups = FxHashMap<(String, String, String), Mutex<Group>>;

fn group_of(task: &Task) -> (String, String, String) {
    (task.source.clone(), task.target.clone(), task.entry.clone())
}

fn groups(plan: &Plan, outdated: &[usize]) -> Groups {
    let mut groups = Groups::default();
    for &t in outdated {
        let group = groups.entry(group_of(&plan.tasks[t])).or_default();
        group.get_mut().unwrap_or_else(PoisonError::into_inner).remaining += 1;
    }
    groups
}

/// What tasks that ended have left.
struct Done {
    records: Records,
    summary: Summary,
    saved: Instant,
    warned: bool,
}

struct Build<'a> {
    plan: &'a Plan,
    settings: &'a Settings,
    observer: &'a dyn Observer,
    out: &'a Path,
    files: &'a FileCache,
    session: Session,
    compiler: &'a Program,
    requests: &'a [(String, Hash)],
    bundled: FxHashSet<usize>,
    state: &'a State,
    groups: Groups,
    next: AtomicUsize,
    /// The processors: there may be more threads than these, which wait for other machines.
    processors: Slots,
    /// The bytes of this program, for the farm.
    program: OnceLock<Option<Arc<[u8]>>>,
    done: Mutex<Done>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Build<'_> {
    /// Does tasks until there is none left.
    fn work(&self, outdated: &[usize]) {
        while !self.settings.cancel.is_cancelled() {
            let Some(&task) = outdated.get(self.next.fetch_add(1, Ordering::Relaxed)) else { return };
            self.task(task);
        }
    }

    /// Does a task, unless an equal one is being compiled, which then ends both.
    fn task(&self, index: usize) {
        let processor = self.processors.take();
        let begin = Instant::now();
        let task = &self.plan.tasks[index];
        let Some(group) = self.groups.get(&group_of(task)) else { return };
        let mut files = Recorder::new(self.files);
        let prepared = prepare(task, &self.compiler.hash, &self.session, &self.settings.cancel, &mut files);
        let job = match prepared {
            Ok(job) => job,
            Err(Failure::Cancelled) => return,
            Err(Failure::Messages(messages)) => {
                return self.end(index, How::Compiled, &Err(messages), files.paths(), begin.elapsed(), group);
            }
        };
        let key = job.key;
        let paths = files.paths();
        let known = match lock(group).slots.entry(key) {
            std::collections::hash_map::Entry::Vacant(slot) => {
                slot.insert(Slot::Working(Vec::new()));
                None
            }
            std::collections::hash_map::Entry::Occupied(mut slot) => match slot.get_mut() {
                Slot::Working(waiting) => return waiting.push((index, paths, begin.elapsed())),
                Slot::Done(outcome) => Some(outcome.clone()),
            },
        };
        if let Some(outcome) = known {
            return self.end(index, How::Shared, &outcome, paths, begin.elapsed(), group);
        }
        let cached = self.settings.cache.as_ref().and_then(|cache| cache.get(&key)).map(|entry| (How::Cached, entry));
        let elsewhere = self.settings.shared.is_some() || self.settings.farm.is_some();
        let (processor, found) = match cached {
            None if elsewhere => {
                drop(processor);
                let found = self.fetch(&key).or_else(|| self.remote(task, &key, &paths));
                (self.processors.take(), found)
            }
            cached => (processor, cached),
        };
        let (how, outcome) = match found {
            Some((how, entry)) => (how, Ok(entry)),
            None => {
                let mut files = Recorder::new(self.files);
                let compiling = Instant::now();
                match job.compile(&self.session, &self.settings.cancel, &mut files) {
                    Ok(entry) => {
                        self.store(&key, &entry, compiling.elapsed());
                        (How::Compiled, Ok(entry))
                    }
                    Err(Failure::Cancelled) => return,
                    Err(Failure::Messages(messages)) => (How::Compiled, Err(messages)),
                }
            }
        };
        let outcome = Arc::new(outcome);
        let waiting = match lock(group).slots.insert(key, Slot::Done(outcome.clone())) {
            Some(Slot::Working(waiting)) => waiting,
            _ => Vec::new(),
        };
        self.end(index, how, &outcome, paths, begin.elapsed(), group);
        for (index, paths, time) in waiting {
            self.end(index, How::Shared, &outcome, paths, time, group);
        }
        drop(processor);
    }

    /// The entry of a key in the shared cache, which is put into the local one.
    fn fetch(&self, key: &Hash) -> Option<(How, Entry)> {
        let shared = self.settings.shared.as_ref()?;
        let found = shared.get(key, self.settings.jobs);
        if let Some(problem) = shared.problem() {
            self.observer.event(Event::Warning(&problem));
        }
        let (entry, bytes) = found?;
        self.store_locally(key, &bytes);
        Some((How::Fetched, entry))
    }

    /// The entry of a task that the farm compiles, which is put into the caches. `paths` are the files that the task read or looked for.
    fn remote(&self, task: &Task, key: &Hash, paths: &[String]) -> Option<(How, Entry)> {
        let farm = self.settings.farm.as_ref()?;
        let (mut names, mut inputs) = (Vec::new(), Vec::new());
        for path in paths {
            let facts = self.files.get(path).ok()?;
            if let (Some(hash), Some(bytes)) = (facts.hash, facts.bytes) {
                names.push(path.as_str());
                inputs.push(Input { hash, bytes });
            }
        }
        let program = self.program.get_or_init(|| std::fs::read(&self.compiler.path).ok().map(Arc::from)).clone()?;
        inputs.push(Input { hash: self.compiler.hash, bytes: program });
        let found = farm.compile(task, key, &self.compiler.hash, &names, inputs);
        if let Some(problem) = farm.problem() {
            self.observer.event(Event::Warning(&problem));
        }
        let (entry, bytes) = found?;
        self.store_locally(key, &bytes);
        if let Some(shared) = &self.settings.shared {
            shared.put(key, bytes);
        }
        Some((How::Remote, entry))
    }

    /// Puts an entry into the caches.
    fn store(&self, key: &Hash, entry: &Entry, time: Duration) {
        if self.settings.cache.is_none() && self.settings.shared.is_none() {
            return;
        }
        // What is too large for an entry is not cached.
        let Ok(bytes) = entry.encode(key) else { return };
        self.store_locally(key, &bytes);
        if let Some(shared) = &self.settings.shared {
            shared.compiled(time);
            shared.put(key, bytes);
        }
    }

    /// Puts the bytes of an entry into the local cache. One that cannot be written costs time only.
    fn store_locally(&self, key: &Hash, bytes: &[u8]) {
        let Some(cache) = &self.settings.cache else { return };
        if let Err(e) = cache.put_bytes(key, bytes) {
            let first = !std::mem::replace(&mut lock(&self.done).warned, true);
            if first {
                let text = format!("the cache in `{}` cannot be written: {}", cache.folder().display(), rtc::arguments::reason(&e));
                self.observer.event(Event::Warning(&text));
            }
        }
    }

    /// Writes the files of a task and tells its end.
    fn end(&self, index: usize, how: How, outcome: &Result<Entry, Vec<Message>>, paths: Vec<String>, time: Duration, group: &Mutex<Group>) {
        let task = &self.plan.tasks[index];
        let (name, request) = &self.requests[index];
        let written = match outcome {
            Ok(entry) => outputs::write_task(self.out, task, self.bundled.contains(&index), *request, entry, &paths).map_err(|e| {
                let mut messages = entry.messages.clone();
                messages.push(Message::error(if matches!(e, Error::OverSource { .. }) {
                    e.to_string()
                } else {
                    format!("cannot write {e}")
                }));
                messages
            }),
            Err(messages) => Err(messages.clone()),
        };
        let outcome = match &written {
            Ok(record) => Outcome { how, ok: true, messages: record.messages.clone(), size: record.size, time },
            Err(messages) => Outcome { how, ok: false, messages: messages.clone(), size: 0, time },
        };
        {
            let mut done = lock(&self.done);
            done.summary.count(&outcome);
            if let Ok(record) = written {
                done.records.insert(name.clone(), (record, paths));
            }
            if done.saved.elapsed() > SAVE_EVERY {
                // If it fails, the last save fails too, and tells.
                _ = self.state.save(self.out, Some(self.compiler), &done.records, &self.state.bundles, self.files);
                done.saved = Instant::now();
            }
        }
        self.observer.event(Event::Task(task, &outcome));
        let mut group = lock(group);
        group.remaining -= 1;
        if group.remaining == 0 {
            group.slots = FxHashMap::default();
        }
    }
}

/// Makes the bundles whose objects have changed.
fn make_bundles(
    plan: &Plan,
    out: &Path,
    records: &Records,
    requests: &[(String, Hash)],
    old: &BTreeMap<String, BundleRecord>,
    observer: &dyn Observer,
    summary: &mut Summary,
) -> BTreeMap<String, BundleRecord> {
    let mut bundles = BTreeMap::new();
    for bundle in &plan.bundles {
        let objects: Vec<Hash> = bundle.tasks.iter().filter_map(|&t| records.get(&requests[t].0)).map(|r| r.0.object).collect();
        let missing = bundle.tasks.len() - objects.len();
        if missing > 0 {
            summary.bundles_failed += 1;
            let text = format!("{missing} of its {} permutations are missing", bundle.tasks.len());
            observer.event(Event::BundleFailed(bundle, &text));
            continue;
        }
        let request = outputs::request_of(bundle, plan, &objects);
        if let Some(known) = old.get(&bundle.file).filter(|k| k.request == request && k.written.is_there(out)) {
            bundles.insert(bundle.file.clone(), known.clone());
            observer.event(Event::Bundle(bundle, How::UpToDate));
            continue;
        }
        match outputs::write_bundle(out, bundle, plan, &objects) {
            Ok(written) => {
                bundles.insert(bundle.file.clone(), BundleRecord { request, written });
                observer.event(Event::Bundle(bundle, How::Compiled));
            }
            Err(text) => {
                summary.bundles_failed += 1;
                observer.event(Event::BundleFailed(bundle, &text));
            }
        }
    }
    bundles
}
