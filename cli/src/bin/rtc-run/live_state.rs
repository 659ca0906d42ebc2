//! What is live across reorder points, for the verdicts of `--profile`: the compiler's report on them, in a file that is removed afterwards.

use crate::Failure;
use crate::arguments::Arguments;
use rtc_host::cpu::profile::LiveState;
use serde_json::Value;
use std::borrow::Cow;
use std::path::PathBuf;

/// The file of a report; it is removed with this.
pub struct Report(PathBuf);

impl Drop for Report {
    fn drop(&mut self) {
        _ = std::fs::remove_file(&self.0);
    }
}

/// The value of the option `-report`, up to the file.
const VALUE: &str = "reorder=json,";

/// Adds the option that makes the compiler write the report, if a profile is taken.
pub fn request(a: &mut Arguments) -> Option<Report> {
    a.options.profile.as_ref()?;
    let file = std::env::temp_dir().join(format!("rtc-run-{}.live.json", std::process::id()));
    a.more.extend(["-report".to_string(), format!("{VALUE}{}", file.display())]);
    Some(Report(file))
}

/// The arguments with what the report says. A scene whose shaders were compiled before has none.
///
/// # Errors
/// The report cannot be understood.
pub fn read(a: &Arguments) -> Result<Cow<'_, Arguments>, Failure> {
    let file = a.more.iter().rev().find_map(|o| o.strip_prefix(VALUE));
    let Some(text) = file.filter(|_| a.options.profile.is_some()).and_then(|f| std::fs::read_to_string(f).ok()) else {
        return Ok(Cow::Borrowed(a));
    };
    let report: Value =
        serde_json::from_str(&text).map_err(|e| Failure::Error(format!("rtc run: error: the report on reorder points: {e}")))?;
    let mut with = a.clone();
    with.options.live = points(&report);
    Ok(Cow::Owned(with))
}

/// The points with a place.
fn points(report: &Value) -> Vec<LiveState> {
    let list = |v: &Value, key: &str| v[key].as_array().cloned().unwrap_or_default();
    let points = list(report, "functions").into_iter().flat_map(|f| list(&f, "points"));
    let state = |p: Value| {
        let number = |v: &Value| v.as_u64().and_then(|n| u32::try_from(n).ok());
        Some(LiveState {
            file: p["place"]["file"].as_str()?.to_string(),
            line: number(&p["place"]["line"])?,
            bytes: number(&p["after"]["bytes"])?,
        })
    };
    points.filter_map(state).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_without_a_place_are_left_out() {
        let report = serde_json::json!({ "functions": [{ "points": [
            { "place": { "file": "a.hlsl", "line": 7 }, "after": { "bytes": 36 } },
            { "place": null, "after": { "bytes": 4 } },
        ] }, {}] });
        assert_eq!(points(&report), [LiveState { file: "a.hlsl".into(), line: 7, bytes: 36 }]);
        assert_eq!(points(&Value::Null), []);
    }
}
