//! Layouts of constant buffers as the source declares them, so that a host writes members by name: the part `LAYS`.
//!
//! | words | what |
//! |---|---|
//! | 0, 1 | version of the part (1), number of buffers |
//! | for each buffer | its name, its bytes, the number of its members |
//! | for each member | its name, 9 words: offset, class and bits of its scalars, rows and columns, flags (1: row-major), bytes between its vectors, elements (0: no array), bytes between them |
//!
//! A name is its length in bytes and its text, padded to a word. Structures are split: their members are called `light.color`, elements of arrays of
//! structures `lights[2].color`.

use std::fmt;

use rtc_dxil_container::{Bytes, FormatError, put_u32};

/// Version of the part.
const VERSION: u32 = 1;

/// The most members of a buffer that are listed; of larger ones there is no layout.
pub const MAX_MEMBERS: usize = 4096;

/// The layout of a constant buffer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BufferLayout {
    /// Its name in HLSL.
    pub name: String,
    /// Bytes up to the end of its last member.
    pub bytes: u32,
    /// Its members, those of structures one by one.
    pub members: Vec<MemberLayout>,
}

/// A member that is a number, a vector, a matrix, or an array of these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberLayout {
    /// Its name: `exposure`, `lights[2].color`.
    pub name: String,
    /// Bytes from the start of the buffer.
    pub offset: u32,
    /// Its type.
    pub ty: MemberType,
}

/// The class of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarClass {
    /// Floating-point.
    Float,
    /// Signed integer.
    Int,
    /// Unsigned integer, and `bool`.
    Uint,
}

/// The type of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemberType {
    /// The class of its scalars.
    pub class: ScalarClass,
    /// Their bits.
    pub bits: u32,
    /// Rows of a matrix; 0 for scalars and vectors.
    pub rows: u32,
    /// Columns of a matrix, components of a vector, 1 for a scalar.
    pub columns: u32,
    /// Whether rows of a matrix are contiguous, not columns.
    pub row_major: bool,
    /// Bytes between the rows or columns of a matrix.
    pub vector_stride: u32,
    /// Elements of an array; 0: it is none.
    pub elements: u32,
    /// Bytes between them.
    pub stride: u32,
}

impl MemberType {
    /// The vectors that an element is stored as: how many, and components of each.
    pub fn vectors(&self) -> (u32, u32) {
        match (self.rows, self.row_major) {
            (0, _) => (1, self.columns),
            (rows, true) => (rows, self.columns),
            (rows, false) => (self.columns, rows),
        }
    }

    /// Bytes of the whole.
    pub fn size(&self) -> u32 {
        let (n, len) = self.vectors();
        let element = (n - 1).saturating_mul(self.vector_stride).saturating_add(len * self.bits / 8);
        self.elements.saturating_sub(1).saturating_mul(self.stride).saturating_add(element)
    }
}

impl fmt::Display for MemberType {
    /// As in HLSL: `float3`, `row_major float4x4`, `uint2[3]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows > 0 && self.row_major {
            f.write_str("row_major ")?;
        }
        f.write_str(match (self.class, self.bits) {
            (ScalarClass::Float, 16) => "half",
            (ScalarClass::Float, 64) => "double",
            (ScalarClass::Float, _) => "float",
            (ScalarClass::Int, 16) => "int16_t",
            (ScalarClass::Int, 64) => "int64_t",
            (ScalarClass::Int, _) => "int",
            (ScalarClass::Uint, 16) => "uint16_t",
            (ScalarClass::Uint, 64) => "uint64_t",
            (ScalarClass::Uint, _) => "uint",
        })?;
        match (self.rows, self.columns) {
            (0, 1) => {}
            (0, n) => write!(f, "{n}")?,
            (rows, columns) => write!(f, "{rows}x{columns}")?,
        }
        if self.elements > 0 { write!(f, "[{}]", self.elements) } else { Ok(()) }
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_u32(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
    out.resize(out.len().next_multiple_of(4), 0);
}

/// The bytes of the part.
pub(crate) fn write(layouts: &[BufferLayout]) -> Vec<u8> {
    let mut out = Vec::new();
    put_u32(&mut out, VERSION);
    put_u32(&mut out, layouts.len() as u32);
    for layout in layouts {
        put_text(&mut out, &layout.name);
        put_u32(&mut out, layout.bytes);
        put_u32(&mut out, layout.members.len() as u32);
        for m in &layout.members {
            put_text(&mut out, &m.name);
            let t = m.ty;
            let class = match t.class {
                ScalarClass::Float => 0,
                ScalarClass::Int => 1,
                ScalarClass::Uint => 2,
            };
            let words = [m.offset, class, t.bits, t.rows, t.columns, t.row_major.into(), t.vector_stride, t.elements, t.stride];
            words.into_iter().for_each(|w| put_u32(&mut out, w));
        }
    }
    out
}

/// Reads the part. One of a newer version says nothing here.
///
/// # Errors
/// It is damaged.
pub(crate) fn read(data: &[u8]) -> Result<Vec<BufferLayout>, FormatError> {
    let bytes = Bytes::new("LAYS", data);
    let mut at = 0;
    let mut word = || {
        at += 4;
        bytes.u32(at - 4)
    };
    if word()? != VERSION {
        return Ok(Vec::new());
    }
    let count = word()?;
    let mut reader = Reader { bytes: &bytes, at: 8 };
    // Each takes more than three words, so that no number of a damaged file asks for memory.
    let mut out = Vec::with_capacity((count as usize).min(data.len() / 12));
    for _ in 0..count {
        let (name, size, members) = (reader.text()?, reader.word()?, reader.word()?);
        let mut layout = BufferLayout { name, bytes: size, members: Vec::with_capacity((members as usize).min(data.len() / 40)) };
        for _ in 0..members {
            layout.members.push(reader.member()?);
        }
        out.push(layout);
    }
    Ok(out)
}

struct Reader<'a> {
    bytes: &'a Bytes<'a>,
    at: usize,
}

impl Reader<'_> {
    fn word(&mut self) -> Result<u32, FormatError> {
        let word = self.bytes.u32(self.at)?;
        self.at += 4;
        Ok(word)
    }

    fn text(&mut self) -> Result<String, FormatError> {
        let length = self.word()?;
        let slice = self.bytes.slice(self.at, length.into())?;
        let text = std::str::from_utf8(slice).map_err(|_| self.bytes.error(self.at, "a name is not UTF-8"))?.to_owned();
        self.at += (length as usize).next_multiple_of(4);
        Ok(text)
    }

    fn member(&mut self) -> Result<MemberLayout, FormatError> {
        let (name, begin) = (self.text()?, self.at);
        let mut w = [0; 9];
        for slot in &mut w {
            *slot = self.word()?;
        }
        let class = match w[1] {
            0 => ScalarClass::Float,
            1 => ScalarClass::Int,
            2 => ScalarClass::Uint,
            other => return Err(self.bytes.error(begin + 4, format!("there is no class of scalars {other}"))),
        };
        let ty = MemberType {
            class,
            bits: w[2],
            rows: w[3],
            columns: w[4],
            row_major: w[5] & 1 != 0,
            vector_stride: w[6],
            elements: w[7],
            stride: w[8],
        };
        if !matches!(ty.bits, 16 | 32 | 64) || ty.rows > 4 || !(1..=4).contains(&ty.columns) {
            return Err(self.bytes.error(begin, format!("the type of `{name}` cannot be")));
        }
        Ok(MemberLayout { name, offset: w[0], ty })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layouts() -> Vec<BufferLayout> {
        let float3 = MemberType {
            class: ScalarClass::Float,
            bits: 32,
            rows: 0,
            columns: 3,
            row_major: false,
            vector_stride: 0,
            elements: 0,
            stride: 0,
        };
        let matrix = MemberType { rows: 3, columns: 4, vector_stride: 16, elements: 2, stride: 64, ..float3 };
        let members = [("a", 0, float3), ("lights[1].to_world", 16, matrix)];
        let members = members.map(|(name, offset, ty)| MemberLayout { name: name.into(), offset, ty }).to_vec();
        vec![BufferLayout { name: "P".into(), bytes: 140, members }, BufferLayout::default()]
    }

    #[test]
    fn what_is_written_is_read() {
        let all = layouts();
        let bytes = write(&all);
        assert_eq!(read(&bytes), Ok(all.clone()));
        let shown: Vec<String> = all[0].members.iter().map(|m| format!("{} {}", m.ty, m.ty.size())).collect();
        assert_eq!(shown, ["float3 12", "float3x4[2] 124"]);
        // Damage is an error or other layouts, never more.
        for n in 0..bytes.len() {
            _ = read(&bytes[..n]);
            for flip in [1, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[n] ^= flip;
                _ = read(&damaged);
            }
        }
        assert!(read(&bytes[..bytes.len() - 4]).is_err());
    }
}
