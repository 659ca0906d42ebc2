//! The files that tasks read: their sources, and the headers that preprocessing opens.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rtc::{CancelToken, NoIncludes, Session, Style};

use crate::compile::{Failure, prepare};
use crate::error::Error;
use crate::files::{FileCache, Recorder};
use crate::hash::Hash;
use crate::message::Message;
use crate::plan::Plan;

/// For each task of the plan the files that it reads, sorted. Tasks are preprocessed on `jobs` threads.
///
/// # Errors
/// A source does not preprocess; the text has its first error.
pub fn inputs(plan: &Plan, jobs: usize) -> Result<Vec<Vec<String>>, Error> {
    let (files, session, cancel) = (FileCache::default(), Session::new(NoIncludes), CancelToken::new());
    let found: Vec<Mutex<Result<Vec<String>, Error>>> = plan.tasks.iter().map(|_| Mutex::new(Ok(Vec::new()))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = plan.tasks.get(n) else { return };
            let mut recorder = Recorder::new(&files);
            let prepared = prepare(task, &Hash::of(b""), &session, &cancel, &mut recorder);
            let read = match prepared {
                Ok(_) => Ok(recorder.paths().into_iter().filter(|path| files.get(path).is_ok_and(|f| f.hash.is_some())).collect()),
                Err(Failure::Messages(messages)) => {
                    let first = messages.into_iter().find(Message::is_error).map(|m| m.rendered(Style::Short)).unwrap_or_default();
                    Err(Error::Arguments(format!("the headers of `{}` are not known: {}", task.name(), first.trim_end())))
                }
                Err(Failure::Cancelled) => Err(Error::Arguments("the build is cancelled".into())),
            };
            *found[n].lock().unwrap_or_else(PoisonError::into_inner) = read;
        }
    };
    std::thread::scope(|scope| (0..jobs.clamp(1, plan.tasks.len().max(1))).for_each(|_| _ = scope.spawn(work)));
    found.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}
