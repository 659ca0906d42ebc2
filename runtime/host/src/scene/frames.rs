//! Frames of a scene: how many, at which times, and the values that constants have of them.

use super::reader::{Node, SourceLocation, Table};
use super::values::{Packing, Type};
use super::{Camera, Constants};
use crate::error::Result;

/// `[frames]`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frames {
    /// How many.
    pub count: u32,
    /// The number of the first one.
    pub first: u32,
    /// Frames in a second of the scene's time.
    pub rate: f32,
    /// Whether pictures are averages of all frames so far.
    pub accumulate: bool,
}

/// One frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// Its number.
    pub index: u32,
    /// How many there are.
    pub count: u32,
    /// Its time in seconds.
    pub time: f32,
}

/// The values of a frame by name, with their types.
pub const FRAME_VALUES: [(&str, &str); 3] = [("index", "uint"), ("count", "uint"), ("time", "float")];

impl Default for Frames {
    /// One frame, at the time 0.
    fn default() -> Self {
        Frames { count: 1, first: 0, rate: 24.0, accumulate: false }
    }
}

impl Frames {
    /// Reads `[frames]`.
    pub(super) fn read(t: &Table<'_>) -> Result<Frames> {
        let default = Frames::default();
        let above_zero = |n: &Node<'_>| match n.u32()? {
            0 => Err(n.error("expected a number above zero")),
            count => Ok(count),
        };
        let rate = |n: &Node<'_>| match n.float()? {
            rate if rate > 0.0 && rate.is_finite() => Ok(rate),
            rate => Err(n.error(format!("{rate} frames in a second: expected more than 0"))),
        };
        let out = Frames {
            count: t.or("count", above_zero, default.count)?,
            first: t.or("first", Node::u32, default.first)?,
            rate: t.or("rate", rate, default.rate)?,
            accumulate: t.or("accumulate", Node::bool, default.accumulate)?,
        };
        t.finish()?;
        Ok(out)
    }

    /// The frame of a number.
    pub fn frame(&self, index: u32, count: u32) -> Frame {
        Frame { index, count, time: (f64::from(index) / f64::from(self.rate)) as f32 }
    }
}

impl Frame {
    /// A value of [`FRAME_VALUES`].
    fn value(&self, name: &str) -> Option<(Type, Vec<u32>)> {
        let bits = match name {
            "index" => self.index,
            "count" => self.count,
            "time" => self.time.to_bits(),
            _ => return None,
        };
        let ty = FRAME_VALUES.iter().find(|v| v.0 == name).and_then(|v| Type::parse(v.1))?;
        Some((ty, vec![bits]))
    }
}

/// A member of a constant buffer, with its name.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedMember {
    /// Its name in HLSL.
    pub name: String,
    /// Words at a byte offset instead of a member: the key is `@16`.
    pub offset: Option<u32>,
    /// Its value.
    pub value: Member,
    /// Where the scene says it.
    pub location: SourceLocation,
}

/// The value of a member of a constant buffer.
#[derive(Clone, PartialEq, Debug)]
pub enum Member {
    /// These words.
    Fixed(Type, Vec<u32>),
    /// A value of the camera.
    Camera(String),
    /// A value of the frame.
    Frame(String),
}

impl Member {
    /// Its type and words, of a camera and a frame that have the value.
    pub(super) fn value(&self, camera: Option<&Camera>, frame: &Frame) -> Option<(Type, Vec<u32>)> {
        match self {
            Member::Fixed(ty, bits) => Some((*ty, bits.clone())),
            Member::Camera(name) => camera?.value(name),
            Member::Frame(name) => frame.value(name),
        }
    }
}

/// Members one after the other, with HLSL's packing.
pub(crate) fn pack(members: &[NamedMember], camera: Option<&Camera>, frame: &Frame) -> Vec<u8> {
    let mut out = Vec::new();
    // The scene was checked: every value is there.
    for (m, (ty, bits)) in members.iter().filter_map(|m| Some((m, m.value.value(camera, frame)?))) {
        match m.offset {
            Some(at) => put_words(at, &bits, &mut out),
            None => ty.append(&bits, Packing::Constants, &mut out),
        }
    }
    out
}

/// Puts words at a byte offset, whatever is there.
pub(super) fn put_words(at: u32, words: &[u32], out: &mut Vec<u8>) {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let (begin, end) = (at as usize, at as usize + bytes.len());
    if out.len() < end {
        out.resize(end, 0);
    }
    out[begin..end].copy_from_slice(&bytes);
}

impl Constants {
    /// Whether it follows the frame or the camera.
    pub fn follows(&self) -> bool {
        self.members.iter().any(|m| !matches!(m.value, Member::Fixed(..)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fails, scene};
    use super::*;

    #[test]
    fn constants_follow_frames() {
        let s = scene(
            "[frames]\ncount = 3\nrate = 2\nfirst = 4\naccumulate = true\n[constants.C]\ni = { frame = 'index' }\nn = { frame = 'count' }\nt = { frame = 'time' }\n[constants.D]\nx = { uint = 1 }\n",
        );
        assert_eq!(s.frames, Frames { count: 3, first: 4, rate: 2.0, accumulate: true });
        let (c, d) = (&s.constants[0], &s.constants[1]);
        assert!(c.follows() && !d.follows());
        let frame = s.frames.frame(5, 3);
        let words: Vec<u32> = pack(&c.members, None, &frame).as_chunks::<4>().0.iter().map(|c| u32::from_le_bytes(*c)).collect();
        assert_eq!(words, [5, 3, 2.5_f32.to_bits()]);
        assert_eq!(c.bytes.len(), 12);
        assert_eq!(pack(&d.members, None, &frame), [1, 0, 0, 0]);
    }

    #[test]
    fn mistakes() {
        fails("[frames]\ncount = 0\n", "dir/scene.toml:6: `frames.count`: expected a number above zero");
        fails("[frames]\nrate = 0\n", "dir/scene.toml:6: `frames.rate`: 0 frames in a second: expected more than 0");
        let unknown = "dir/scene.toml:6: `constants.C.x.frame`: unknown frame value `day`\n  note: it has `index`, `count`, `time`";
        fails("[constants.C]\nx = { frame = 'day' }\n", unknown);
        let fixed = "dir/scene.toml:6: `buffers.B.elements[0].frame`: only members under `[constants]` follow the frame";
        fails("[buffers.B]\nelements = [{ frame = 'index' }]\n", fixed);
    }
}
