//! What C programs cannot see: the counting of memory. Everything else is tested from C (`tests/c.rs`).

use crate::types::{RTC_ABI_VERSION, rtc_bytes};
use rtc::memory::used;
use rtc_c_common::Text;

#[test]
fn memory_of_the_thread_is_counted() {
    let before = used();
    let some = vec![0_u8; 100_000];
    assert!(used() - before >= 100_000);
    drop(some);
    assert!((used() - before).abs() < 1000);
    let mut grows = Vec::with_capacity(10);
    let start = used();
    grows.resize(100_000, 1_u8);
    assert!(used() - start >= 99_000);
}

#[test]
fn text_ends_with_a_zero_that_is_not_counted() {
    let text = Text::new("abc");
    assert_eq!(rtc_bytes::of(&text).size, 3);
    assert_eq!(rtc_bytes::of(&Text::new("")).size, 0);
    assert_eq!(rtc_bytes::EMPTY.size, 0);
}

#[test]
fn the_name_of_the_library_has_the_number_of_the_interface() {
    let script = include_str!("../build.rs");
    assert!(script.contains(&format!("librtc.so.{RTC_ABI_VERSION}\"")));
    assert!(script.contains(&format!("librtc.{RTC_ABI_VERSION}.dylib")));
}
