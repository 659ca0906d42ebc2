//! `docs/devices.md` ends with the rows of the table of devices.

use std::fmt::Write as _;
use std::fs;

use rtc_tables::devices::DEVICES;

use crate::pages::folder;

/// A line for each fact, a column for each driver.
fn table() -> String {
    let columns: Vec<_> = DEVICES.iter().map(|d| (d.name, d.lines())).collect();
    let mut out = String::from("|");
    for (name, _) in &columns {
        _ = write!(out, " | {name}");
    }
    _ = writeln!(out, " |\n|---{}|", "|---".repeat(columns.len()));
    for (n, (about, _)) in columns[0].1.iter().enumerate() {
        _ = write!(out, "| {about}");
        for (_, lines) in &columns {
            assert_eq!(lines[n].0, *about);
            _ = write!(out, " | {}", lines[n].1);
        }
        out += " |\n";
    }
    out
}

#[test]
fn the_page_of_devices_has_their_rows() {
    let path = folder().join("../devices.md");
    let text = fs::read_to_string(&path).expect("the page");
    let (before, _) = text.split_once("## Facts\n").expect("the heading");
    let expected = format!("{before}## Facts\n\n{}", table());
    if std::env::var("RTC_BLESS").is_ok_and(|v| v == "1") {
        fs::write(&path, expected).expect("the page can be written");
    } else {
        assert_eq!(text, expected, "RTC_BLESS=1 writes it");
    }
}
