//! Text on standard output, whose reader may go away before all is written, as `head` does: that is no error. `println!` panics there.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _, stdout};

/// Prints a line like `println!`; see [`put`].
#[macro_export]
macro_rules! say {
    ($($arg:tt)*) => { $crate::stdout::put(format_args!("{}\n", format_args!($($arg)*))) };
}

/// Prints text. What fails, other than a closed pipe, is reported on standard error and ends the program with status 1.
pub fn put(text: Arguments<'_>) {
    let mut out = stdout().lock();
    match out.write_fmt(text).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write to standard output: {e}");
            std::process::exit(1);
        }
        _ => {}
    }
}
