//! Opacity micromaps: states of micro-triangles, and the lookup of the micro-triangle at a point of a triangle.
//!
//! A triangle is subdivided 4^level times along a space-filling curve that visits the corner at the first vertex, the middle, the
//! corner at the second vertex and the corner at the third, and subdivides each of them in the same manner (DXR, Opacity micromap
//! encoding). [`index`] computes the position on that curve with bit operations instead of recursion: the bits in which the
//! quantised weights of the three vertices differ give the direction of each step.

use super::encoding::{Kind, Reader, Writer, damaged};
use crate::device::{MICROMAP_MAX_LEVEL, MicromapArrayDesc, MicromapEntry, MicromapFormat};
use crate::error::{ErrorKind, Result, RunError};

/// The opacity state of a micro-triangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Transparent.
    Transparent,
    /// Opaque.
    Opaque,
    /// Unknown, two-state mode transparent: the any-hit shader decides.
    UnknownTransparent,
    /// Unknown, two-state mode opaque: the any-hit shader decides.
    UnknownOpaque,
}

impl State {
    /// The state with these bits.
    #[inline]
    pub fn from_bits(bits: u8) -> State {
        match bits & 3 {
            0 => State::Transparent,
            1 => State::Opaque,
            2 => State::UnknownTransparent,
            _ => State::UnknownOpaque,
        }
    }
    /// The two-state value (`RAY_FLAG_FORCE_OMM_2_STATE`).
    #[inline]
    pub fn two_state(self) -> State {
        match self {
            State::Transparent | State::UnknownTransparent => State::Transparent,
            State::Opaque | State::UnknownOpaque => State::Opaque,
        }
    }
}

/// The micro-triangle that contains a point at a subdivision level, as its index on the curve. `u` and `v` are the weights of the
/// second and third vertex.
pub fn index(u: f32, v: f32, level: u32) -> u32 {
    let level = level.min(MICROMAP_MAX_LEVEL);
    let n = 1u32 << level;
    let scaled = |x: f32| if x > 0.0 { x.min(1.0) * n as f32 } else { 0.0 };
    let (fu, fv) = (scaled(u), scaled(v));
    let (mut iu, mut iv) = ((fu as u32).min(n - 1), (fv as u32).min(n - 1));
    let (du, dv) = (fu - iu as f32, fv - iv as f32);
    // Rounding may leave the triangle: clamp to its last row.
    let outside = iu + iv >= n;
    if outside {
        let over = iu + iv - (n - 1);
        let from_u = over.min(iu);
        iu -= from_u;
        iv -= over - from_u;
    }
    // In a square of the grid, the micro-triangle at the far corner is inverted; the last row has none.
    let flipped = !outside && du + dv >= 1.0 && iu + iv < n - 1;
    let iw = n - 1 - iu - iv - u32::from(flipped);
    curve(iu, iv, iw, n - 1)
}

/// The curve index of the micro-triangle with these quantised weights; `mask` has a bit for each level.
fn curve(iu: u32, iv: u32, iw: u32, mask: u32) -> u32 {
    // The middle and the third corner: where the first and second weight agree.
    let low = !(iu ^ iw) & mask;
    let third = (iu ^ iv) & low;
    // Each step into a third corner mirrors all later ones, so the prefix parity from the top bit decides.
    let mut parity = third;
    for shift in [1, 2, 4, 8] {
        parity ^= parity >> shift;
    }
    let high = ((parity ^ iu) & !low & mask) | third;
    spread(low) | spread(high) << 1
}

/// Interleaves the bits of a number with zeros.
fn spread(n: u32) -> u32 {
    let n = (n | n << 8) & 0x00ff_00ff;
    let n = (n | n << 4) & 0x0f0f_0f0f;
    let n = (n | n << 2) & 0x3333_3333;
    (n | n << 1) & 0x5555_5555
}

/// A built micromap array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MicromapArray {
    data: Vec<u8>,
    entries: Vec<MicromapEntry>,
}

impl MicromapArray {
    /// Builds an array.
    ///
    /// # Errors
    /// A subdivision level above 12, data that is too short.
    pub fn build(desc: &MicromapArrayDesc) -> Result<MicromapArray> {
        let array = MicromapArray { data: desc.data.clone(), entries: desc.entries.clone() };
        array.check().map_err(|why| RunError::new(ErrorKind::Binding, format!("an array of micromaps: {why}")))?;
        Ok(array)
    }

    fn check(&self) -> std::result::Result<(), String> {
        for (i, e) in self.entries.iter().enumerate() {
            if e.level > MICROMAP_MAX_LEVEL {
                return Err(format!("micromap {i} has subdivision level {}, at most {MICROMAP_MAX_LEVEL} is possible", e.level));
            }
            let end = e.offset as usize + e.format.bytes(e.level);
            if end > self.data.len() {
                return Err(format!("micromap {i} ends at byte {end}, but there are {} bytes", self.data.len()));
            }
        }
        Ok(())
    }

    /// The build description.
    pub fn desc(&self) -> MicromapArrayDesc {
        MicromapArrayDesc { data: self.data.clone(), entries: self.entries.clone() }
    }
    /// Number of micromaps.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// The state of micromap `entry` at the point with these weights of the second and third vertex. Transparent if there is no
    /// such micromap.
    pub fn state(&self, entry: usize, barycentrics: [f32; 2]) -> State {
        let Some(e) = self.entries.get(entry) else {
            return State::Transparent;
        };
        let at = index(barycentrics[0], barycentrics[1], e.level) as usize;
        let bits = e.format as usize;
        let per_byte = 8 / bits;
        let byte = self.data.get(e.offset as usize + at / per_byte).copied().unwrap_or(0);
        State::from_bits(byte >> (at % per_byte * bits) & ((1 << bits) - 1))
    }
    /// Size in bytes.
    pub fn size(&self) -> u64 {
        (self.data.capacity() + self.entries.capacity() * size_of::<MicromapEntry>()) as u64
    }

    /// Serialises the array.
    pub fn serialize(&self) -> Vec<u8> {
        let mut out = Writer::new(Kind::Micromaps);
        self.write(&mut out);
        out.finish()
    }
    /// Deserialises an array.
    ///
    /// # Errors
    /// Truncated or damaged bytes, another version, invalid contents.
    pub fn deserialize(bytes: &[u8]) -> Result<MicromapArray> {
        let mut r = Reader::new(Kind::Micromaps, bytes)?;
        let array = MicromapArray::read(&mut r)?;
        r.end()?;
        Ok(array)
    }
    pub(crate) fn write(&self, out: &mut Writer) {
        out.bytes(&self.data);
        out.u64(self.entries.len() as u64);
        for e in &self.entries {
            out.u32(e.offset);
            out.u32(e.level | (e.format as u32) << 16);
        }
    }
    pub(crate) fn read(r: &mut Reader) -> Result<MicromapArray> {
        let data = r.bytes()?.to_vec();
        let entries = (0..r.count(8)?)
            .map(|_| {
                let (offset, bits) = (r.u32()?, r.u32()?);
                let format = match bits >> 16 {
                    1 => MicromapFormat::TwoState,
                    2 => MicromapFormat::FourState,
                    n => return Err(damaged(format!("no micromap has format {n}"))),
                };
                Ok(MicromapEntry { offset, level: bits & 0xffff, format })
            })
            .collect::<Result<_>>()?;
        let array = MicromapArray { data, entries };
        array.check().map_err(damaged)?;
        Ok(array)
    }
}
