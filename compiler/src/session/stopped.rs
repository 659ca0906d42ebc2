//! Why work stopped before its end, and the boundary that no panic crosses.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rtc_base::control::Interrupt;
use rtc_dxil_link::LinkError;

/// Why a job stopped before its end. A job that has an answer, if only diagnostics, did not stop.
#[derive(Debug)]
#[non_exhaustive]
pub enum Stopped {
    /// Its token was cancelled.
    Cancelled,
    /// It took longer than its limit.
    TimeLimit(Duration),
    /// It took more memory than its limit, in bytes.
    MemoryLimit(usize),
    /// There is no memory for its stack.
    NoStack(io::Error),
    /// A mistake of the compiler.
    Internal(InternalError),
}

/// A mistake of the compiler: it panicked. The session can be used further.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InternalError {
    /// What the panic said.
    pub message: String,
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "internal error of rtc {}: {}. This is a mistake of the compiler, not of the source; please report it with this message, the \
             source with all files that it includes (`-P` makes one file of them), and the options",
            env!("CARGO_PKG_VERSION"),
            self.message
        )
    }
}

impl std::error::Error for InternalError {}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Cancelled => f.write_str("cancelled"),
            Stopped::TimeLimit(limit) => write!(f, "not finished within the time limit of {} ms", limit.as_millis()),
            Stopped::MemoryLimit(bytes) => write!(f, "the memory limit of {bytes} bytes does not suffice"),
            Stopped::NoStack(e) => write!(f, "there is no memory for a stack: {e}"),
            Stopped::Internal(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for Stopped {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Stopped::NoStack(e) => Some(e),
            Stopped::Internal(e) => Some(e),
            _ => None,
        }
    }
}

/// Why an operation has no result: it stopped, or its input is wrong.
#[derive(Debug)]
pub enum Failure<E> {
    /// It stopped before its end.
    Stopped(Stopped),
    /// The input is wrong.
    Error(E),
}

impl<E> From<Stopped> for Failure<E> {
    fn from(e: Stopped) -> Self {
        Failure::Stopped(e)
    }
}

impl<E: fmt::Display> fmt::Display for Failure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped(e) => e.fmt(f),
            Failure::Error(e) => e.fmt(f),
        }
    }
}

impl<E: fmt::Display + fmt::Debug> std::error::Error for Failure<E> {}

/// Why libraries cannot be linked: all mistakes that were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkErrors(pub Vec<LinkError>);

impl fmt::Display for LinkErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if n == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for LinkErrors {}

/// The result of work under limits; a panic becomes an error. What a job that panics has is its own: it has no lock of a cache then.
pub(super) fn catch<T>(
    time: Option<Duration>,
    memory: Option<usize>,
    work: impl FnOnce() -> io::Result<Result<T, Interrupt>>,
) -> Result<T, Stopped> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(Ok(value))) => Ok(value),
        Ok(Ok(Err(Interrupt::Cancelled))) => Err(Stopped::Cancelled),
        Ok(Ok(Err(Interrupt::Time))) => Err(Stopped::TimeLimit(time.unwrap_or_default())),
        Ok(Ok(Err(Interrupt::Memory))) => Err(Stopped::MemoryLimit(memory.unwrap_or_default())),
        Ok(Err(e)) => Err(Stopped::NoStack(e)),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(Stopped::Internal(InternalError { message: text.unwrap_or_else(|| "a panic without a message".into()) }))
        }
    }
}
