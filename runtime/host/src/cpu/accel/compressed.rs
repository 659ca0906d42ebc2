//! The vertex position format COMPRESSED1 (raytracing2, Compressed1 position encoding): integers of a few bits relative to an
//! anchor, times a power of two.
//!
//! A header of three words: exponent (8 bits, bias 127) and x anchor (24, signed); bits of x and of y minus one (4 each) and y
//! anchor; bits of z minus one (4), four unused, z anchor. Then the bits of x, y, z of each vertex, least significant first.

use crate::device::Compressed1Template;

const HEADER: usize = 12;
/// Maximum exponent.
const MAX_EXPONENT: u32 = 232;

/// The decoded header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub exponent: u32,
    pub bits: [u32; 3],
    pub anchor: [i32; 3],
}

/// Why positions cannot be encoded or decoded: a sentence without full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodingError {
    why: String,
}

impl std::fmt::Display for EncodingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for EncodingError {}

impl From<String> for EncodingError {
    fn from(why: String) -> Self {
        EncodingError { why }
    }
}

type Result<T> = std::result::Result<T, EncodingError>;

fn scale(exponent: u32) -> f64 {
    2f64.powi(exponent as i32 - 127)
}

fn checked(exponent: u32) -> Result<u32> {
    match exponent {
        1..=MAX_EXPONENT => Ok(exponent),
        e => Err(format!("exponent {e} is not between 1 and {MAX_EXPONENT}").into()),
    }
}

/// Decodes the header of compressed positions.
pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let word = |i: usize| bytes.get(4 * i..4 * i + 4).and_then(|b| Some(u32::from_le_bytes(b.try_into().ok()?)));
    let (Some(a), Some(b), Some(c)) = (word(0), word(1), word(2)) else {
        return Err(format!("compressed positions of {} bytes have no header", bytes.len()).into());
    };
    Ok(Header {
        exponent: checked(a & 0xff)?,
        bits: [(b & 15) + 1, (b >> 4 & 15) + 1, (c & 15) + 1],
        anchor: [a, b, c].map(|w| w as i32 >> 8),
    })
}

/// Decodes the positions of `count` vertices.
pub(crate) fn decode(bytes: &[u8], count: u32) -> Result<Vec<[f32; 3]>> {
    let h = header(bytes)?;
    let data = &bytes[HEADER..];
    let bits: usize = h.bits.iter().map(|&b| b as usize).sum();
    if (data.len() as u64) * 8 < bits as u64 * u64::from(count) {
        return Err(format!("{} bytes do not hold {count} compressed positions", bytes.len()).into());
    }
    let mut at = 0usize;
    let mut take = |n: u32| {
        let value = (0..n as usize).fold(0u32, |v, i| v | u32::from(data[(at + i) / 8] >> ((at + i) % 8) & 1) << i);
        at += n as usize;
        value
    };
    let scale = scale(h.exponent) as f32;
    let vertices = 0..count;
    Ok(vertices.map(|_| std::array::from_fn(|a| (h.anchor[a] + take(h.bits[a]) as i32) as f32 * scale)).collect())
}

/// Positions rounded to the precision of a template's format: encoded and decoded again.
pub(crate) fn rounded(positions: &[[f32; 3]], t: &Compressed1Template) -> Result<Vec<[f32; 3]>> {
    decode(&encode(positions, t)?, positions.len() as u32)
}

/// Encodes positions in the format of a template.
pub(crate) fn encode(positions: &[[f32; 3]], t: &Compressed1Template) -> Result<Vec<u8>> {
    let exponent = checked(u32::from(t.exponent))?;
    if let Some(b) = t.bits.iter().find(|b| !(1..=16).contains(*b)) {
        return Err(format!("{b} bits are not between 1 and 16").into());
    }
    let scale = scale(exponent);
    let whole = |x: f32| (f64::from(x) / scale + 0.5).floor();
    let mut anchor = [0i32; 3];
    for (a, out) in anchor.iter_mut().enumerate() {
        let least = positions.iter().map(|p| whole(p[a])).fold(f64::INFINITY, f64::min);
        let least = if positions.is_empty() { 0.0 } else { least };
        if !(-8_388_608.0..8_388_608.0).contains(&least) {
            return Err(format!("anchor {least} does not fit into 24 bits").into());
        }
        *out = least as i32;
    }
    let [x, y, z] = anchor.map(|a| (a as u32) << 8);
    let [bx, by, bz] = t.bits.map(|b| u32::from(b) - 1);
    let mut out: Vec<u8> = [exponent | x, bx | by << 4 | y, bz | z].iter().flat_map(|w| w.to_le_bytes()).collect();
    let (mut pending, mut filled) = (0u64, 0u32);
    for p in positions {
        for a in 0..3 {
            let offset = whole(p[a]) - f64::from(anchor[a]);
            let bits = u32::from(t.bits[a]);
            if !(offset >= 0.0 && offset < f64::from(1u32 << bits)) {
                return Err(format!("{} is too far from the smallest coordinate for {bits} bits", p[a]).into());
            }
            pending |= (offset as u64) << filled;
            filled += bits;
            while filled >= 8 {
                out.push(pending as u8);
                pending >>= 8;
                filled -= 8;
            }
        }
    }
    if filled > 0 {
        out.push(pending as u8);
    }
    Ok(out)
}
