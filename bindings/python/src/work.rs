//! Work on a thread of its own, while the thread of the caller serves it.
//!
//! Python code runs on the thread that called, and on that thread's stack, because the interpreter measures the stack that it is on; the
//! compiler works on stacks of its own. So the two talk through a channel: the worker asks for a file or tells its progress, the caller
//! answers. Between questions the caller looks for signals.

use std::cell::RefCell;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use rtc::memory;
use rtc::session::{Job, Session, Stopped};

/// How often signals are looked for.
const SIGNALS: Duration = Duration::from_millis(50);

/// Stops compilations from any thread. It stays cancelled.
#[pyclass(frozen, module = "rtc")]
pub struct CancelToken {
    token: rtc::CancelToken,
}

#[pymethods]
impl CancelToken {
    #[new]
    fn new() -> Self {
        CancelToken { token: rtc::CancelToken::new() }
    }

    /// Stops the work that has this token, at its next phase.
    fn cancel(&self) {
        self.token.cancel();
    }

    /// Whether it is cancelled.
    #[getter]
    fn cancelled(&self) -> bool {
        self.token.is_cancelled()
    }
}

/// What work is subject to, as the caller gives it.
#[derive(FromPyObject)]
pub struct Limits {
    cancel: Option<Py<CancelToken>>,
    time_limit: Option<f64>,
    memory_limit: Option<u64>,
    progress: Option<Py<PyAny>>,
}

/// What a worker asks of its caller.
enum Request {
    /// The file at a path, from a function of the program.
    File(Arc<Py<PyAny>>, String, Sender<io::Result<Option<Vec<u8>>>>),
    /// To tell that a phase begins.
    Phase(&'static str, String),
}

thread_local! {
    /// The way from a worker to its caller.
    static CALLER: RefCell<Option<Sender<Request>>> = const { RefCell::new(None) };
}

/// Asks the caller of this worker for a file from a function of the program.
pub fn ask(function: &Arc<Py<PyAny>>, path: &str) -> io::Result<Option<Vec<u8>>> {
    let gone = || io::Error::other("the caller has gone");
    let caller = CALLER.with_borrow(Clone::clone).ok_or_else(gone)?;
    let (answer, answered) = channel();
    caller.send(Request::File(function.clone(), path.to_owned(), answer)).map_err(|_| gone())?;
    answered.recv().map_err(|_| gone())?
}

/// Why there is no result: an exception of the program, or what stopped the work.
pub enum Broken {
    Exception(PyErr),
    Stopped(Stopped),
    NoThread(io::Error),
}

/// Runs `work` as a job of `session` on a thread of its own, and serves it until it ends.
pub fn run<T: Send>(
    py: Python<'_>,
    session: &Session,
    limits: &Limits,
    work: impl FnOnce(Job<'_>) -> Result<T, Stopped> + Send,
) -> Result<T, Broken> {
    // A token of the caller's is for several jobs; what stops this one must not stop those.
    let outer = limits.cancel.as_ref().map(|c| c.get().token.clone());
    let own = rtc::CancelToken::new();
    if outer.as_ref().is_some_and(rtc::CancelToken::is_cancelled) {
        own.cancel();
    }
    let (to_caller, mut requests) = channel();
    let progress = limits.progress.as_ref().map(|_| to_caller.clone());
    let (time, bytes) = (limits.time_limit, limits.memory_limit);
    let token = own.clone();
    let worker = move || {
        CALLER.set(Some(to_caller));
        let mut job = session.job().cancelled_by(&token);
        if let Some(seconds) = time {
            // What is no duration is longer than any.
            job = job.time_limit(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX));
        }
        if let Some(bytes) = bytes {
            job = job.memory_limit(usize::try_from(bytes).unwrap_or(usize::MAX), memory::used);
        }
        if let Some(caller) = progress {
            let caller = std::sync::Mutex::new(caller);
            job = job.progress(move |phase, detail| {
                let caller = caller.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                // A caller that has gone needs no progress.
                _ = caller.send(Request::Phase(phase, detail.to_owned()));
            });
        }
        let result = work(job);
        // The end of all senders is the end of the work.
        CALLER.set(None);
        result
    };
    let mut exception = None;
    let result = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("rtc".into()).spawn_scoped(scope, worker).map_err(Broken::NoThread)?;
        loop {
            if outer.as_ref().is_some_and(rtc::CancelToken::is_cancelled) {
                own.cancel();
            }
            let (back, next) = py.detach(move || {
                let next = requests.recv_timeout(SIGNALS);
                (requests, next)
            });
            requests = back;
            match next {
                Ok(request) => {
                    if let Err(e) = serve(py, request, limits, exception.is_some()) {
                        exception = Some(e);
                        own.cancel();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(e) = py.check_signals() {
                        exception.get_or_insert(e);
                        own.cancel();
                    }
                }
            }
        }
        // It is at its end; a panic of the job has become an error already.
        match py.detach(|| thread.join()) {
            Ok(result) => result.map_err(Broken::Stopped),
            Err(_) => Err(Broken::NoThread(io::Error::other("the thread of the compiler panicked"))),
        }
    });
    match exception {
        Some(e) => Err(Broken::Exception(e)),
        None => result,
    }
}

/// Answers a worker. After an exception nothing of the program is called any more.
fn serve(py: Python<'_>, request: Request, limits: &Limits, over: bool) -> PyResult<()> {
    match request {
        Request::File(function, path, answer) => {
            // Errors are not remembered by the session; that there is no such file would be.
            let (reply, raised) = if over {
                (Err(io::Error::other("an exception ended the work")), Ok(()))
            } else {
                match call(py, &function, &path) {
                    Ok(found) => (Ok(found), Ok(())),
                    Err(e) => (Err(io::Error::other(e.to_string())), Err(e)),
                }
            };
            // A worker that has gone needs no answer.
            _ = answer.send(reply);
            raised
        }
        Request::Phase(phase, detail) => match &limits.progress {
            Some(progress) if !over => progress.call1(py, (phase, detail)).map(|_| ()),
            _ => Ok(()),
        },
    }
}

/// The file that a function of the program finds: text, bytes, or nothing.
fn call(py: Python<'_>, function: &Py<PyAny>, path: &str) -> PyResult<Option<Vec<u8>>> {
    let found = function.call1(py, (path,))?.into_bound(py);
    if found.is_none() {
        return Ok(None);
    }
    if let Ok(text) = found.cast::<PyString>() {
        return Ok(Some(text.to_cow()?.as_bytes().to_vec()));
    }
    if let Ok(bytes) = found.cast::<PyBytes>() {
        return Ok(Some(bytes.as_bytes().to_vec()));
    }
    let kind = found.get_type().name()?.to_string();
    Err(pyo3::exceptions::PyTypeError::new_err(format!("includes({path:?}) must return str, bytes or None, not {kind}")))
}
