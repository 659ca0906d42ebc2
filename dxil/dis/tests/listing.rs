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

/// Listings of shaders of the graphics stages and of a library of them: every line is the same, comments about signatures, stage state and
/// dependencies among them.
#[test]
fn listings_of_graphics_stages_are_the_same_text() {
    let folder = require!(facts::reference_listings()).join("graphics");
    let (mut problems, mut compared) = (Vec::new(), 0);
    for path in common::files(&folder, "ll") {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let container = std::fs::read(path.with_extension("dxil")).unwrap_or_else(|e| panic!("{name}: {e}"));
        let expected = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let text = dis::listing(&container).unwrap_or_else(|e| panic!("{name}: {e}"));
        let differs = |(number, (ours, theirs)): (usize, (&str, &str))| {
            (ours != theirs).then(|| format!("{name}, line {}:\n  ours   {ours}\n  theirs {theirs}", number + 1))
        };
        let lines = text.trim_end().lines().zip(expected.trim_end().lines()).enumerate();
        problems.extend(lines.filter_map(differs).next());
        let (ours, theirs) = (text.trim_end().lines().count(), expected.trim_end().lines().count());
        if ours != theirs {
            problems.push(format!("{name} has {ours} lines, the reference's {theirs}"));
        }
        compared += 1;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(compared >= 33, "only {compared} listings to compare with");
}

/// Containers without a listing to compare with: other validator versions, unoptimised ones, ones with debug information.
#[test]
fn every_container_of_a_graphics_stage_can_be_listed() {
    let folder = require!(facts::reference_listings()).join("graphics");
    let mut listed = 0;
    for path in common::files(&folder, "dxil") {
        let container = std::fs::read(&path).expect("a container can be read");
        if path.to_string_lossy().ends_with(".rs.dxil") {
            // A root signature alone has no program.
            assert!(dis::listing(&container).is_err());
            continue;
        }
        let text = dis::listing(&container).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(!text.contains("<badref>"), "{}", path.display());
        listed += 1;
    }
    assert!(listed >= 80, "only {listed} containers");
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
