//! Renders frames with the example and compares the last with its reference; the validation layer must be silent.

use rtc_embed_ash::reference::{SIZE, compare, path};
use rtc_embed_ash::{Options, measure, render};
use std::sync::Mutex;

/// Objects are counted for the whole process.
static ONE: Mutex<()> = Mutex::new(());

#[test]
fn the_last_frame() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let options = Options { frames: 30, add_at: 10, width: SIZE.0, height: SIZE.1, validation: true };
    let picture = match render(&options) {
        Ok(picture) => picture,
        Err(e) => return rtc_oracles::skip::skip(e),
    };
    assert!(picture.messages.is_empty(), "{:#?}", picture.messages);
    assert_eq!(picture.grown_at, Some(14));
    check(&picture.pixels, "last.png");

    // Without the third package no octahedron is a mirror.
    let before = render(&Options { frames: 14, ..options }).expect("the same device");
    assert!(before.messages.is_empty(), "{:#?}", before.messages);
    assert_eq!(before.grown_at, None);
    check(&before.pixels, "before.png");
}

/// The picture is that of the reference, which `RTC_BLESS=1` writes, and not empty.
fn check(pixels: &[u8], name: &str) {
    if std::env::var_os("RTC_BLESS").is_some_and(|v| v == "1") {
        image::save_buffer(path(name), pixels, SIZE.0, SIZE.1, image::ExtendedColorType::Rgba8).expect("a PNG file");
    }
    compare(pixels, name).unwrap_or_else(|e| panic!("{e}; RTC_BLESS=1 writes the reference"));
    let mut colors: Vec<&[u8]> = pixels.chunks_exact(4).collect();
    colors.sort();
    colors.dedup();
    assert!(colors.len() > 40, "{} colours", colors.len());
}

/// Three hundred frames with rebuilds and table updates: nothing is left, and memory stays as it is.
#[test]
fn many_frames() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let options = Options { frames: 300, add_at: 10, width: 32, height: 24, validation: false };
    let measured = match measure(&options) {
        Ok(measured) => measured,
        Err(e) => return rtc_oracles::skip::skip(e),
    };
    println!("{measured}");
    assert_eq!(measured.complaints(), [""; 0]);
    assert_eq!(measured.times.len(), 300);
    assert!(measured.held[0].device_bytes > 0 && measured.held[0].host_bytes > 0 && measured.held[0].objects["Pipeline"] >= 3);
    assert!(measured.percentile(50.0) <= measured.percentile(100.0));
}
