//! Listings against those of the reference compiler: the same text.

mod common;

use rtc_dxil_dis as dis;
use rtc_oracles::{facts, require};

#[test]
fn listings_are_the_same_text() {
    let folder = require!(facts::reference_listings());
    let mut compared = 0;
    for (name, container) in common::containers() {
        let path = folder.join(format!("{name}.listing.txt"));
        let Ok(expected) = std::fs::read_to_string(&path) else {
            continue;
        };
        let text = dis::listing(&container).unwrap_or_else(|e| panic!("{name}: {e}"));
        for (number, (ours, theirs)) in text.lines().zip(expected.lines()).enumerate() {
            assert_eq!(ours, theirs, "{name}, line {}", number + 1);
        }
        // The only liberty: empty lines at the end.
        assert_eq!(text.trim_end(), expected.trim_end(), "{name}");
        compared += 1;
    }
    assert!(compared >= 6, "only {compared} listings to compare with");
}

#[test]
fn every_reference_container_can_be_listed() {
    for (name, container) in common::containers() {
        let text = dis::listing(&container).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!text.contains("<badref>"), "{name}");
    }
}

#[test]
fn what_is_no_container_is_said_to_be_none() {
    let error = dis::listing(b"DXBC").expect_err("it is none");
    assert!(error.to_string().contains("too few"), "{error}");
}
