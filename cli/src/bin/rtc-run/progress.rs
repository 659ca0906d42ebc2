//! Progress over frames on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rtc_host::run::Observer;
use std::io::IsTerminal;

/// What shows the frames that are done, if there is a terminal to show them on.
pub fn observer(quiet: bool) -> Option<Observer> {
    if quiet || !std::io::stderr().is_terminal() {
        return None;
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("frame {pos} of {len} {wide_bar} {eta}") {
        bar.set_style(style);
    }
    Some(Observer::new(move |done, count| {
        // One frame is no progress.
        if count > 1 {
            bar.set_length(u64::from(count));
            bar.set_position(u64::from(done));
            if done == count {
                bar.finish_and_clear();
            }
        }
    }))
}
