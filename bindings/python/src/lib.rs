//! The native half of the Python package `rtc`: sessions whose work runs on threads of its own, with plain values as results.
//!
//! `rtc/__init__.py` makes the types of the package of them. A caller waits without the lock of the interpreter, serves what the compiler asks
//! Python for (includes), and looks for signals, so that an interrupt from the keyboard stops the work ([`work`]).
#![cfg(feature = "module")]

mod files;
mod results;
mod session;
mod work;

use pyo3::prelude::*;

/// Counts, so that the memory of a job can have a limit.
#[global_allocator]
static ALLOCATOR: rtc::memory::Counting = rtc::memory::Counting;

/// The compiler, without the types of the package `rtc`.
#[pymodule]
mod _rtc {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::session::Session;
    #[pymodule_export]
    use super::work::CancelToken;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
