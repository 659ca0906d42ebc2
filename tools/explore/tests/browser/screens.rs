//! Screenshots against references: where the page has ink, and which colours its areas have.
//!
//! Fonts differ between machines, so pixels and letters are not compared. A picture is cut into blocks of 20 x 20 pixels of the page, about a line of text
//! high. A block has *ink* if its brightness varies, as text does; a block whose ink has no counterpart in the same block or a neighbour of the
//! other picture is *off*. A tile of 25 x 3 blocks is another one if more than a third of its ink is off, or if a third of its blocks has
//! another colour: another font moves words by less than a block and columns of tables by a few, while a panel that is missing leaves no
//! ink at all. The test shows both: a page in other fonts passes, and one without a panel does not.

use image::codecs::png::{CompressionType, FilterType as PngFilter, PngEncoder};
use image::imageops::{FilterType, resize};
use image::{Rgb, RgbImage};
use std::path::{Path, PathBuf};

/// Size of a reference, of the page's 1500 x 900 pixels.
const SIZE: (u32, u32) = (600, 360);
/// Pixels of a reference in a block, and blocks in a tile.
const BLOCK: u32 = 8;
const TILE: (u32, u32) = (25, 3);
/// Standard deviation of brightness from which a block has ink; a flat area has 0, a line of text 25 and more.
const INK: f64 = 8.0;
/// Blocks that are off in any tile: a word of another length.
const FEW: u32 = 10;
/// How far a channel of a block's colour may be, of 255.
const COLOR: u8 = 40;
/// The most bytes of a reference.
const MAX_BYTES: usize = 60_000;

/// A picture as blocks: the colour of most of its pixels, and ink.
struct Blocks(Vec<([u8; 3], bool)>);

const COLUMNS: u32 = SIZE.0 / BLOCK;
const ROWS: u32 = SIZE.1 / BLOCK;

impl Blocks {
    fn of(picture: &RgbImage) -> Blocks {
        let block = |n: u32| {
            let (left, top) = (n % COLUMNS * BLOCK, n / COLUMNS * BLOCK);
            let mut texels: Vec<[u8; 3]> = (0..BLOCK * BLOCK).map(|i| picture.get_pixel(left + i % BLOCK, top + i / BLOCK).0).collect();
            let mean = |of: &dyn Fn(f64) -> f64| {
                let light = |c: &[u8; 3]| 0.3 * f64::from(c[0]) + 0.6 * f64::from(c[1]) + 0.1 * f64::from(c[2]);
                texels.iter().map(|c| of(light(c))).sum::<f64>() / f64::from(BLOCK * BLOCK)
            };
            let middle = mean(&|n| n);
            let deviation = mean(&|n| (n - middle).powi(2)).sqrt();
            texels.sort_unstable();
            let most = texels.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map_or([0; 3], |same| same[0]);
            (most, deviation > INK)
        };
        Blocks((0..COLUMNS * ROWS).map(block).collect())
    }

    fn at(&self, x: u32, y: u32) -> ([u8; 3], bool) {
        self.0[(y * COLUMNS + x) as usize]
    }

    /// Whether a block or a neighbour has ink.
    fn near(&self, x: u32, y: u32) -> bool {
        let around = |n: u32, end: u32| n.saturating_sub(1)..=(n + 1).min(end - 1);
        around(y, ROWS).any(|y| around(x, COLUMNS).any(|x| self.at(x, y).1))
    }
}

/// The first tile that another picture does not have, in words.
fn difference(reference: &RgbImage, shot: &RgbImage) -> Option<String> {
    let (a, b) = (Blocks::of(reference), Blocks::of(shot));
    for top in (0..ROWS).step_by(TILE.1 as usize) {
        for left in (0..COLUMNS).step_by(TILE.0 as usize) {
            let (mut ink, mut off, mut other, mut blocks) = (0, 0, 0, 0);
            for (x, y) in (top..(top + TILE.1).min(ROWS)).flat_map(|y| (left..(left + TILE.0).min(COLUMNS)).map(move |x| (x, y))) {
                let (one, two) = (a.at(x, y), b.at(x, y));
                blocks += 1;
                ink += u32::from(one.1 || two.1);
                off += u32::from(one.1 && !b.near(x, y) || two.1 && !a.near(x, y));
                other += u32::from(one.0.iter().zip(two.0).any(|(&m, n)| m.abs_diff(n) > COLOR));
            }
            if off > FEW.max(ink / 4) || other > blocks / 3 {
                let at = (left * 20, top * 20);
                return Some(format!("at pixel {at:?}: {off} of {ink} blocks with ink are off, {other} of {blocks} have another colour"));
            }
        }
    }
    None
}

/// A screenshot in the size of a reference. Few levels of each channel make small files.
fn small(path: &Path) -> RgbImage {
    let shot = image::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).to_rgb8();
    let mut out = resize(&shot, SIZE.0, SIZE.1, FilterType::Triangle);
    for Rgb(c) in out.pixels_mut() {
        *c = c.map(|n| (f32::from(n) / 17.0).round() as u8 * 17);
    }
    out
}

fn references() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/references")
}

/// Compares the screenshots with these names in a folder with their references; `RTC_BLESS=1` rewrites those.
pub fn check(folder: &Path, names: &[String]) {
    let mut wrong = Vec::new();
    for name in names {
        let file = references().join(format!("{name}.png"));
        let shot = small(&folder.join(format!("{name}.png")));
        if std::env::var_os("RTC_BLESS").is_some() {
            std::fs::create_dir_all(references()).expect("a folder");
            let file = std::io::BufWriter::new(std::fs::File::create(&file).expect("a file"));
            let encoder = PngEncoder::new_with_quality(file, CompressionType::Best, PngFilter::NoFilter);
            shot.write_with_encoder(encoder).expect("it is written");
        }
        let bytes = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}; RTC_BLESS=1 writes it", file.display()));
        assert!(bytes.len() < MAX_BYTES, "{} has {} bytes", file.display(), bytes.len());
        let reference = image::load_from_memory(&bytes).expect("a picture").to_rgb8();
        assert_eq!(reference.dimensions(), SIZE, "{}", file.display());
        if let Some(why) = difference(&reference, &shot) {
            wrong.push(format!("{name} {why}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}\nthe screenshots are in {}; look at them, and RTC_BLESS=1 accepts them", folder.display());
}

/// Whether the screenshot `name` shows the page of the reference `of`.
pub fn is_like(folder: &Path, name: &str, of: &str) -> Result<(), String> {
    let reference = image::open(references().join(format!("{of}.png"))).expect("a reference").to_rgb8();
    difference(&reference, &small(&folder.join(format!("{name}.png")))).map_or(Ok(()), Err)
}

#[test]
fn text_may_move_a_little_and_not_vanish() {
    let white = Rgb([255; 3]);
    // Lines of text: every other row of blocks has stripes.
    let text = |shift: u32, until: u32| {
        RgbImage::from_fn(SIZE.0, SIZE.1, |x, y| if y < until && (y + shift) % 16 < 7 && x % 8 < 2 { Rgb([0; 3]) } else { white })
    };
    let page = text(0, 320);
    assert_eq!(difference(&page, &page), None);
    assert_eq!(difference(&page, &text(5, 320)), None);
    // A quarter of the lines is missing, or there are some where there were none.
    assert!(difference(&page, &text(0, 240)).is_some());
    assert!(difference(&text(0, 240), &page).is_some());
    // Another theme.
    let mut dark = page.clone();
    image::imageops::invert(&mut dark);
    assert!(difference(&page, &dark).is_some());
}
