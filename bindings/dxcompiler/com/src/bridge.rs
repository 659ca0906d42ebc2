//! Calls of clients' include handlers from the compiler, on the client's thread and its stack.
//!
//! Work of the compiler has a stack of its own ([`rtc::Session`]), whatever the client's is. A handler may be called only on the thread that
//! called us, and runtimes of other languages measure the stack of that thread; so with a handler the compiler works on a thread of its own:
//! it sends the names of files, the client's thread answers, and it ends before the call returns. Without a handler there is no such thread.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rtc::arguments::ArgumentFiles;
use rtc::{Includes, Session, Stopped};

use crate::base::hresult::{E_FAIL, E_OUTOFMEMORY, HResult};
use crate::include::{Answer, ClientHandler, normal_path};

/// Enough for reading arguments; the compiler's stack is that of its session.
const STACK: usize = 1 << 20;

/// A file that the compiler needs.
enum Question {
    /// Included, under this path.
    Included(String),
    /// Named by an option, exactly so.
    Named(String),
}

/// The compiler's end; without a client's handler there are no files.
pub struct Bridge {
    client: Option<(Sender<Question>, Receiver<Answer>)>,
}

impl Bridge {
    fn ask(&self, question: Question) -> Answer {
        let (ask, answers) = self.client.as_ref()?;
        ask.send(question).ok()?;
        answers.recv().ok()?
    }
}

impl Includes for Bridge {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        Ok(self.ask(Question::Included(path.to_owned())))
    }

    fn identity(&mut self, path: &str) -> String {
        normal_path(path)
    }
}

impl ArgumentFiles for Bridge {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        self.ask(Question::Named(path.to_owned())).map(|bytes| bytes.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, _: &str) -> bool {
        false
    }
}

/// Why work has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failed {
    /// There is no thread, or no stack.
    NoThread,
    /// It panicked, with this message.
    Panicked(String),
}

impl Failed {
    /// The text of errors; the status itself where there is no memory for a text either.
    ///
    /// # Errors
    /// There is no thread.
    pub fn text(self) -> Result<String, HResult> {
        match self {
            Failed::NoThread => Err(E_OUTOFMEMORY),
            Failed::Panicked(message) => Ok(internal(&message)),
        }
    }
}

fn internal(message: &str) -> String {
    format!("Internal Compiler error: {message}\n")
}

/// The status and the text of errors of work that stopped before its end.
pub fn stopped(e: &Stopped) -> (HResult, String) {
    match e {
        Stopped::Internal(e) => (E_FAIL, internal(&e.message)),
        Stopped::MemoryLimit(_) | Stopped::NoStack(_) => (E_OUTOFMEMORY, format!("error: {e}\n")),
        _ => (E_FAIL, format!("error: {e}\n")),
    }
}

/// Runs `work`, which may ask the handler of a client for files.
///
/// # Errors
/// It cannot be run, or it panics.
pub fn run<R: Send>(session: &Session, handler: &mut ClientHandler, work: impl FnOnce(&mut Bridge) -> R + Send) -> Result<R, Failed> {
    if handler.is_none() {
        return session.job().run(|| work(&mut Bridge { client: None })).map_err(|e| match e {
            Stopped::Internal(e) => Failed::Panicked(e.message),
            _ => Failed::NoThread,
        });
    }
    let (ask, questions) = channel();
    let (send, answers) = channel();
    let mut bridge = Bridge { client: Some((ask, answers)) };
    thread::scope(|scope| {
        let worker = thread::Builder::new().name("dxcompiler".into()).stack_size(STACK).spawn_scoped(scope, move || work(&mut bridge));
        let Ok(worker) = worker else { return Err(Failed::NoThread) };
        // The bridge goes with the work, which ends the loop.
        while let Ok(question) = questions.recv() {
            let answer = match &question {
                Question::Included(path) => handler.ask(path),
                Question::Named(name) => handler.ask_exactly(name),
            };
            if send.send(answer).is_err() {
                break;
            }
        }
        worker.join().map_err(|payload| Failed::Panicked(message(payload.as_ref())))
    })
}

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
