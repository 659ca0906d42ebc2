//! The farm of `rtc build`, and `rtc build-task`, which its workers run.

use rtc_build::entry::{Order, OrderError};
use rtc_build::remote::{Farm, RemoteSettings, Token};

use super::arguments::Arguments;
use crate::error::Result;
use crate::output;

/// The token of the farm if no file has it.
const TOKEN: &str = "RTC_REMOTE_TOKEN";

/// The farm that the arguments ask for.
pub fn open(a: &Arguments) -> Result<Option<Farm>> {
    let Some(url) = &a.remote else { return Ok(None) };
    let mut settings = RemoteSettings::new(url);
    let environment = || std::env::var(TOKEN).ok().filter(|t| !t.is_empty()).map(Token::Text);
    settings.token = a.remote_token_file.clone().map(Token::File).or_else(environment).unwrap_or_default();
    settings.lanes = a.remote_jobs.map_or(settings.lanes, usize::from);
    settings.time_limit = a.remote_timeout.unwrap_or(settings.time_limit);
    settings.properties.clone_from(&a.remote_property);
    Ok(Some(Farm::open(&settings)?))
}

/// `rtc build-task`: compiles the task of another machine, and writes the entry.
///
/// # Errors
/// The arguments are no order, files are other ones here, or the entry cannot be written.
pub fn task(arguments: &[String]) -> Result<bool> {
    let order = Order::parse(arguments).map_err(|e| e.to_string())?;
    match order.compile() {
        Ok(bytes) => output::write(&order.entry, &bytes).map(|()| true),
        Err(e @ OrderError::Messages(_)) => {
            eprint!("{e}");
            Ok(false)
        }
        // Another exit code than that of a task with mistakes: the farm is at fault.
        Err(e) => {
            eprintln!("rtc: error: {e}");
            std::process::exit(2)
        }
    }
}
