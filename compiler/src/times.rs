//! How long a compilation took, phase by phase: a table for people and a trace for tools (Chrome's trace event format, which Perfetto
//! opens).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

pub use rtc_base::timing::{Interval, record};
use serde_json::json;

/// One line of the table.
#[derive(Default)]
struct Row {
    total: Duration,
    own: Duration,
    count: u32,
}

/// The table: for each phase and what it was about how long it took, without and with the phases inside of it, and how often it ran; the
/// longest first.
pub fn report(intervals: &[Interval]) -> String {
    let mut rows: BTreeMap<(&str, &str), Row> = BTreeMap::new();
    for (n, i) in intervals.iter().enumerate() {
        let after = intervals[n + 1..].iter().take_while(|j| j.depth > i.depth);
        let inside: Duration = after.filter(|j| j.depth == i.depth + 1).map(|j| j.length).sum();
        let row = rows.entry((i.phase, &i.detail)).or_default();
        row.total += i.length;
        row.own += i.length.saturating_sub(inside);
        row.count += 1;
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by(|a, b| b.1.own.cmp(&a.1.own).then(a.0.cmp(&b.0)));
    let all: Duration = intervals.iter().filter(|i| i.depth == 0).map(|i| i.length).sum();
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    let share = |d: Duration| if all.is_zero() { 0.0 } else { 100.0 * d.as_secs_f64() / all.as_secs_f64() };
    let mut out =
        format!("time of the compiler: {:.3} ms\n{:>10} {:>6} {:>10} {:>6}  phase\n", ms(all), "own ms", "own %", "total ms", "times");
    for ((phase, detail), row) in rows {
        let name = format!("{phase} {detail}");
        // Writing to a string does not fail.
        let _ =
            writeln!(out, "{:>10.3} {:>6.1} {:>10.3} {:>6}  {}", ms(row.own), share(row.own), ms(row.total), row.count, name.trim_end());
    }
    out
}

/// The trace as JSON; phases shorter than `least` are left out.
pub fn trace(intervals: &[Interval], least: Duration) -> String {
    let micros = |d: Duration| d.as_nanos() as f64 / 1e3;
    let kept = intervals.iter().filter(|i| i.length >= least);
    let events: Vec<_> = kept
        .map(|i| {
            let name = if i.detail.is_empty() { i.phase.to_string() } else { format!("{} {}", i.phase, i.detail) };
            let (start, length) = (micros(i.start), micros(i.length));
            json!({ "ph": "X", "pid": 1, "tid": 1, "name": name, "cat": i.phase, "ts": start, "dur": length, "args": { "detail": i.detail } })
        })
        .collect();
    let mut text = json!({ "traceEvents": events, "displayTimeUnit": "ms" }).to_string();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Vec<Interval> {
        let interval = |phase, detail: &'static str, start, length, depth| Interval {
            phase,
            detail: detail.into(),
            start: Duration::from_micros(start),
            length: Duration::from_micros(length),
            depth,
        };
        vec![
            interval("parse", "", 0, 2000, 0),
            interval("passes", "", 2000, 8000, 0),
            interval("pass", "licm", 2000, 5000, 1),
            interval("pass", "dce", 7000, 500, 1),
            interval("pass", "dce", 8000, 500, 1),
        ]
    }

    #[test]
    fn the_table_has_own_and_total_times() {
        let text = report(&example());
        let lines: Vec<Vec<&str>> = text.lines().skip(2).map(|l| l.split_whitespace().collect()).collect();
        assert!(text.starts_with("time of the compiler: 10.000 ms\n"), "{text}");
        assert_eq!(lines[0], ["5.000", "50.0", "5.000", "1", "pass", "licm"]);
        assert_eq!(lines[1], ["2.000", "20.0", "2.000", "1", "parse"]);
        assert_eq!(lines[2], ["2.000", "20.0", "8.000", "1", "passes"]);
        assert_eq!(lines[3], ["1.000", "10.0", "1.000", "2", "pass", "dce"]);
        assert!(report(&[]).starts_with("time of the compiler: 0.000 ms"));
    }

    #[test]
    fn the_trace_is_of_complete_events() {
        let text = trace(&example(), Duration::from_millis(1));
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let events = value["traceEvents"].as_array().expect("a list");
        assert_eq!(events.len(), 3);
        assert_eq!((&events[2]["name"], &events[2]["ts"], &events[2]["dur"]), (&json!("pass licm"), &json!(2000.0), &json!(5000.0)));
    }
}
