//! The pictures that a renderer of this scene must draw, whichever language it is written in.

use crate::Error;
use std::path::PathBuf;

/// Width and height of the pictures.
pub const SIZE: (u32, u32) = (96, 72);

/// The file of a reference: `last.png` has 30 frames whose third package is added at frame 10, `before.png` is the last without it, of 14.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Compares the red, green, blue and alpha of pixels with a reference: all but one in two hundred are within 2 of 255, because drivers decide
/// edges differently.
///
/// # Errors
/// There is no reference, or the picture is another.
pub fn compare(pixels: &[u8], name: &str) -> Result<(), Error> {
    let reference = image::open(path(name))?.to_rgba8();
    let all = (SIZE.0 * SIZE.1) as usize;
    if reference.dimensions() != SIZE || pixels.len() != all * 4 {
        return Err(format!("{name}: {} bytes, the reference has {:?} pixels", pixels.len(), reference.dimensions()).into());
    }
    let far = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 2);
    let wrong = pixels.chunks_exact(4).zip(reference.as_raw().chunks_exact(4)).filter(|p| far(*p)).count();
    if wrong > all / 200 {
        return Err(format!("{name}: {wrong} of {all} pixels differ").into());
    }
    Ok(())
}
