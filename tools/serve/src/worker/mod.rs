//! Bazel's persistent workers: a process that reads requests on standard input and answers on standard output until its input ends.
//!
//! The protocol is protobuf or JSON (`wire`). Which one is seen at the first request, or stated. A request with a number runs at the same time as others
//! (multiplex), one without after the one before. Files are written by this process, in the working folder or in the sandbox that a request names. A
//! request that is cancelled is answered as such and writes nothing.

mod wire;

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError, mpsc};

use rtc::CancelToken;

use crate::{Effect, Job, Outcome, Reply, Work};
pub use wire::Protocol;
use wire::{Request, Response};

/// What performs effects and does the jobs that [`Work`] declines.
pub trait Host: Sync {
    /// Writes the files of effects that are no text, relative to `folder`. Texts are in the response.
    ///
    /// # Errors
    /// A file cannot be written; the text is the message of the command.
    fn write(&self, folder: &Path, effect: &Effect) -> Result<(), String>;

    /// The outcome of a job that was declined, in a process of its own: the exit code and what it printed.
    fn alone(&self, folder: &Path, arguments: &[String]) -> (i32, String);
}

/// What workers take from the thread that reads.
struct Task {
    request: Request,
    cancel: CancelToken,
}

/// Serves until `input` ends. `first` are arguments of each request, before its own.
///
/// # Errors
/// The input is no request, or the output cannot be written.
pub fn run(
    mut input: impl BufRead,
    output: impl Write + Send,
    protocol: Option<Protocol>,
    first: &[String],
    work: &dyn Work,
    host: &dyn Host,
) -> io::Result<()> {
    let folder = std::env::current_dir()?;
    let Some(protocol) = protocol.map_or_else(|| Protocol::of(&mut input), |p| Ok(Some(p)))? else { return Ok(()) };
    let output = Mutex::new(output);
    let running: Mutex<HashMap<i32, CancelToken>> = Mutex::default();
    let (send, receive) = mpsc::channel::<Task>();
    let receive = Mutex::new(receive);
    let respond = |response: &Response| {
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(&protocol.write(response)).and_then(|()| output.flush())
    };
    let serve = |task: &Task| {
        let Task { request, cancel } = task;
        let folder = if request.sandbox_dir.is_empty() { folder.clone() } else { folder.join(&request.sandbox_dir) };
        let done = one(&folder, first, request, cancel, work, host);
        let cancelled = cancel.is_cancelled();
        running.lock().unwrap_or_else(PoisonError::into_inner).remove(&request.request_id);
        let (exit_code, output) = if cancelled { (0, String::new()) } else { done };
        respond(&Response { exit_code, output, request_id: request.request_id, was_cancelled: cancelled })
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, || {
                loop {
                    let next = receive.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    // A host that does not read has ended.
                    let Ok(task) = next else { return };
                    _ = serve(&task);
                }
            })?;
        }
        let mut read = || -> io::Result<()> {
            while let Some(request) = protocol.read(&mut input)? {
                if request.cancel {
                    if let Some(cancel) = running.lock().unwrap_or_else(PoisonError::into_inner).get(&request.request_id) {
                        cancel.cancel();
                    }
                    continue;
                }
                let task = Task { cancel: CancelToken::new(), request };
                if task.request.request_id == 0 {
                    serve(&task)?;
                    continue;
                }
                running.lock().unwrap_or_else(PoisonError::into_inner).insert(task.request.request_id, task.cancel.clone());
                _ = send.send(task);
            }
            Ok(())
        };
        let ended = read();
        // The workers end with what is in the channel.
        drop(send);
        ended
    })
}

/// Does a request: the exit code and what it prints.
fn one(folder: &Path, first: &[String], request: &Request, cancel: &CancelToken, work: &dyn Work, host: &dyn Host) -> (i32, String) {
    let arguments: Vec<String> = first.iter().chain(&request.arguments).cloned().collect();
    let job = Job { arguments, input: Some(Vec::new()), ..Job::default() };
    let reply = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work.run(&job, folder, cancel)));
    let outcome = match reply {
        Ok(Reply::Done(outcome)) => outcome,
        _ if cancel.is_cancelled() => return (0, String::new()),
        _ => return host.alone(folder, &job.arguments),
    };
    if cancel.is_cancelled() {
        return (0, String::new());
    }
    perform(folder, &outcome, host)
}

fn perform(folder: &Path, outcome: &Outcome, host: &dyn Host) -> (i32, String) {
    let mut output = String::new();
    for effect in &outcome.effects {
        match effect {
            Effect::Out(bytes) => output.push_str(&String::from_utf8_lossy(bytes)),
            Effect::Err(text) => output.push_str(text),
            Effect::File(..) | Effect::Files(_) => {
                let effect = without_output(effect, &mut output);
                if let Err(e) = host.write(folder, &effect) {
                    output.push_str(&e);
                    return (1, output);
                }
            }
        }
    }
    (i32::from(!outcome.success), output)
}

/// The effect without files of the name `-`, which are standard output: that belongs to the protocol.
fn without_output(effect: &Effect, output: &mut String) -> Effect {
    let Effect::Files(files) = effect else { return effect.clone() };
    let (printed, written): (Vec<_>, Vec<_>) = files.iter().cloned().partition(|f| f.0 == "-");
    printed.iter().for_each(|f| output.push_str(&String::from_utf8_lossy(&f.1)));
    Effect::Files(written)
}
