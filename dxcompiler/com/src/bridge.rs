//! Runs the compiler on a thread with a deep stack, while the client's include handler is called on the client's thread.
//!
//! Clients call from threads of any size, and a handler may be called only on the thread that called us. The compiler's thread sends the
//! names of files, the client's thread answers; the compiler's thread ends before the call returns.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rtc::Includes;
use rtc::arguments::ArgumentFiles;

use crate::include::{Answer, ClientHandler, normal_path};

/// Enough for the deepest program that the compiler accepts.
const STACK: usize = 64 << 20;

/// A file that the compiler needs.
enum Question {
    /// Included, under this path.
    Included(String),
    /// Named by an option, exactly so.
    Named(String),
}

/// The compiler's end.
pub struct Bridge {
    ask: Sender<Question>,
    answers: Receiver<Answer>,
}

impl Bridge {
    fn ask(&self, question: Question) -> Answer {
        self.ask.send(question).ok()?;
        self.answers.recv().ok()?
    }
}

impl Includes for Bridge {
    fn read(&mut self, path: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.ask(Question::Included(path.to_owned())))
    }

    fn identity(&mut self, path: &str) -> String {
        normal_path(path)
    }
}

impl ArgumentFiles for Bridge {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        self.ask(Question::Named(path.to_owned())).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, _: &str) -> bool {
        false
    }
}

/// Why work has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failed {
    /// There is no thread.
    NoThread,
    /// It panicked, with this message.
    Panicked(String),
}

/// Runs `work` on a thread with a deep stack.
///
/// # Errors
/// It cannot be run, or it panics.
pub fn run<R: Send>(handler: &mut ClientHandler, work: impl FnOnce(&mut Bridge) -> R + Send) -> Result<R, Failed> {
    let (ask, questions) = channel();
    let (send, answers) = channel();
    let mut bridge = Bridge { ask, answers };
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
