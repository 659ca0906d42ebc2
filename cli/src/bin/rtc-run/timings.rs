//! `--timings`: the report of a run as JSON, with the time that the compiler took.

use crate::Failure;
use rtc_host::RunReport;
use std::path::Path;
use std::time::Duration;

/// Writes the timings to a file, or to the standard output if it is `-`.
///
/// # Errors
/// The file cannot be written.
pub fn write(file: &Path, report: &RunReport, compiled: Duration) -> Result<(), Failure> {
    let mut json = report.timings();
    if let Some(steps) = json.get_mut("steps").and_then(serde_json::Value::as_array_mut) {
        steps.insert(0, serde_json::json!({ "name": "compile", "ms": compiled.as_secs_f64() * 1e3 }));
    }
    let text = format!("{json:#}\n");
    if file == Path::new("-") {
        rtc_base::stdout::put(format_args!("{text}"));
        return Ok(());
    }
    rtc_host::run::write_atomically(file, text.as_bytes()).map_err(Failure::from)
}
