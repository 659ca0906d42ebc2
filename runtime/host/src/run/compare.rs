//! What a scene saves, as numbers, and how far the results of two programs are apart.
//!
//! Compilers may round differently, and a path of light magnifies that: single pixels then differ although both programs are right. So results
//! are compared pixel by pixel and, where pixels differ, by the means of the channels, which such paths leave alone.

use crate::device::{Channel, Format};
use rtc_base::half;

/// An object of a scene that is saved, with its contents.
#[derive(Clone, PartialEq, Debug)]
pub struct Saved {
    /// Its name in the scene.
    pub name: String,
    /// The format of its texels; none: a buffer of words.
    pub format: Option<Format>,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// How far 8-bit channels of the same picture may be apart, of 255; other channels as far, relative to the larger one if that is above 1.
const NEAR: f64 = 2.0 / 255.0;
/// How far words of buffers may be apart, relative to the larger: counters of rays, where some paths end elsewhere.
const NEAR_WORD: f64 = 1e-3;
/// One of so many pixels may differ in equal pictures, as in the samples' tests.
const FEW: usize = 2000;
/// One of so many pixels may differ in pictures that rounding alone has made different.
const SOME: usize = 4;
/// How far their means may be apart.
const NEAR_MEAN: f64 = 0.5 / 255.0;
/// How far their pixels may be apart on average.
const NEAR_PIXELS: f64 = 2.0 / 255.0;

/// How two results compare.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Comparison {
    /// Pixels, or texels, that differ.
    pub far: usize,
    /// All of them.
    pub pixels: usize,
    /// The largest difference between means of a channel, where 1 is white.
    pub mean: f64,
    /// The mean of the differences of a channel, the largest of all channels.
    pub apart: f64,
    /// Whether objects, sizes, or words of buffers differ.
    pub other: bool,
}

/// What a comparison says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The same, but for one pixel in 2000.
    Equal,
    /// One pixel in four differs at most, little on average, and the means are the same: what rounding does to paths.
    Rounded,
    /// Another picture.
    Different,
}

impl Verdict {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Rounded => "rounded",
            Verdict::Different => "different",
        }
    }
}

impl Comparison {
    /// What it says.
    pub fn verdict(&self) -> Verdict {
        if self.other {
            Verdict::Different
        } else if self.far * FEW <= self.pixels {
            Verdict::Equal
        } else if self.far * SOME <= self.pixels && self.mean <= NEAR_MEAN && self.apart <= NEAR_PIXELS {
            Verdict::Rounded
        } else {
            Verdict::Different
        }
    }
}

/// Compares the results of two runs of a scene.
pub fn compare(a: &[Saved], b: &[Saved]) -> Comparison {
    let mut out = Comparison { other: a.len() != b.len(), ..Comparison::default() };
    for (a, b) in a.iter().zip(b) {
        if (&a.name, a.format, a.bytes.len()) != (&b.name, b.format, b.bytes.len()) {
            out.other = true;
            continue;
        }
        match a.format {
            Some(format) => pictures(format, &a.bytes, &b.bytes, &mut out),
            None => out.other |= words(&a.bytes).zip(words(&b.bytes)).any(|(x, y)| apart(x, y) > NEAR_WORD),
        }
    }
    out
}

fn pictures(format: Format, a: &[u8], b: &[u8], out: &mut Comparison) {
    let (a, b) = (channels(format, a), channels(format, b));
    let per_texel = format.channels() as usize;
    // Of both pictures, and of what differs.
    let mut sums = vec![[0.0_f64; 3]; per_texel];
    for (x, y) in a.chunks_exact(per_texel).zip(b.chunks_exact(per_texel)) {
        out.pixels += 1;
        // Not a number is far from all but itself.
        let far = |(x, y): (&f64, &f64)| !((x - y).abs() <= NEAR * x.abs().max(y.abs()).max(1.0) + 1e-9 || x.is_nan() && y.is_nan());
        out.far += usize::from(x.iter().zip(y).any(far));
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum = [sum[0] + x, sum[1] + y, sum[2] + (x - y).abs()];
        }
    }
    let texels = (a.len() / per_texel).max(1) as f64;
    for [x, y, apart] in sums.iter().map(|s| s.map(|sum: f64| sum / texels)) {
        let scale = x.abs().max(y.abs()).max(1.0);
        out.mean = out.mean.max((x - y).abs() / scale);
        out.apart = out.apart.max(apart / scale);
    }
}

/// The channels as numbers; 1 is white where a channel is a color.
fn channels(format: Format, bytes: &[u8]) -> Vec<f64> {
    match format.channel() {
        Channel::Unorm8 => bytes.iter().map(|b| f64::from(*b) / 255.0).collect(),
        Channel::Float16 => bytes.chunks_exact(2).map(|c| f64::from(half::to_f32(u16::from_le_bytes([c[0], c[1]])))).collect(),
        Channel::Float32 => words(bytes).map(|w| f64::from(f32::from_bits(w))).collect(),
        Channel::Uint32 => words(bytes).map(f64::from).collect(),
        Channel::Sint32 => words(bytes).map(|w| f64::from(w as i32)).collect(),
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks::<4>().0.iter().map(|c| u32::from_le_bytes(*c))
}

/// How far words are apart, relative to the larger. Floats that are near have words that are near.
fn apart(x: u32, y: u32) -> f64 {
    f64::from(x.abs_diff(y)) / f64::from(x.max(y).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: Vec<u8>) -> Vec<Saved> {
        vec![Saved { name: "Out".into(), format: Some(Format::R8Unorm), bytes }]
    }

    #[test]
    fn few_pixels_may_differ() {
        let plain = vec![100; 4000];
        let with = |n: usize, by: i16| {
            let mut bytes = plain.clone();
            for (k, b) in bytes.iter_mut().take(n).enumerate() {
                *b = (100 + if k % 2 == 0 { by } else { -by }) as u8;
            }
            compare(&picture(plain.clone()), &picture(bytes)).verdict()
        };
        assert_eq!(with(4000, 2), Verdict::Equal);
        assert_eq!(with(2, 90), Verdict::Equal);
        assert_eq!(with(3, 90), Verdict::Rounded);
        assert_eq!(with(80, 90), Verdict::Rounded);
        assert_eq!(with(100, 90), Verdict::Different);
        assert_eq!(with(1000, 6), Verdict::Rounded);
        assert_eq!(with(1002, 6), Verdict::Different);
        // All to one side: the mean moves.
        let mut darker = plain.clone();
        darker[..150].fill(20);
        assert_eq!(compare(&picture(plain), &picture(darker)).verdict(), Verdict::Different);
    }

    #[test]
    fn buffers_and_shapes() {
        let count = |n: u32| vec![Saved { name: "Rays".into(), format: None, bytes: n.to_le_bytes().into() }];
        assert_eq!(compare(&count(100_000), &count(100_050)).verdict(), Verdict::Equal);
        assert_eq!(compare(&count(100_000), &count(101_000)).verdict(), Verdict::Different);
        assert_eq!(compare(&count(1), &[]).verdict(), Verdict::Different);
        assert_eq!(compare(&count(1), &picture(vec![1, 0, 0, 0])).verdict(), Verdict::Different);
        let nan = |n: f32| vec![Saved { name: "Out".into(), format: Some(Format::R32Float), bytes: n.to_le_bytes().into() }];
        assert_eq!(compare(&nan(f32::NAN), &nan(1.0)).verdict(), Verdict::Different);
        assert_eq!(compare(&nan(f32::NAN), &nan(f32::NAN)).far, 0);
    }
}
