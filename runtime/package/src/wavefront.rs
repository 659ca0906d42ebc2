//! Divided ray generation shaders of a runtime package: which entry point resumes the rays of each reorder point, and what they save.
//!
//! How such shaders and the host that sorts rays between them meet is [`rtc_tables::wavefront`]. In `BMAP` these are two more tables, which only
//! packages with divided shaders have: shaders, and their points.

use rtc_dxil_container::kinds::ShaderKind;
use rtc_dxil_container::{Bytes, FormatError};
use rtc_tables::wavefront::{KEY_BITS, MAX_HINT_BITS, MAX_POINTS};

use crate::EntryPoint;
use crate::table::{Kind, Reader, Writer, front};

/// A ray generation shader that is divided at its reorder points.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WavefrontShader {
    /// Its export, which starts the rays.
    pub shader: String,
    /// Words of a record of the state buffer, in which what each point saves has room ([`rtc_tables::wavefront::record`]).
    pub words: u32,
    /// Whether other shaders read the index of its rays, so that the host writes which rays each launch resumes
    /// ([`rtc_tables::wavefront::CONTROL_LAUNCH`]).
    pub index_read: bool,
    /// Its reorder points, at least one.
    pub points: Vec<WavefrontPoint>,
}

/// A reorder point of a divided shader.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WavefrontPoint {
    /// The export that resumes its rays.
    pub resume: String,
    /// Words that a ray saves here.
    pub words: u32,
    /// Bits of its keys that are the row of the hit object; 0 if rays are not sorted by it.
    pub row_bits: u32,
    /// Bits of its keys below the row that are the hint.
    pub hint_bits: u32,
}

impl WavefrontShader {
    /// Bits of a sort key that may differ between rays at one point, from the lowest.
    pub fn key_bits(&self) -> u32 {
        self.points.iter().map(|p| p.row_bits + p.hint_bits).max().unwrap_or(0)
    }
}

pub(super) const SHADERS: Kind = Kind { id: 16, words: 4, name: "divided shaders" };
const POINTS: Kind = Kind { id: 17, words: 4, name: "reorder points" };

/// The tables; none without divided shaders.
pub(super) fn write<'a>(shaders: &'a [WavefrontShader], w: &mut Writer<'a>) -> Vec<(Kind, Vec<u32>)> {
    if shaders.is_empty() {
        return Vec::new();
    }
    let (mut rows, mut points) = (Vec::new(), Vec::new());
    for s in shaders {
        rows.extend([w.string(&s.shader), s.words, s.points.len() as u32, s.index_read.into()]);
        for p in &s.points {
            points.extend([w.string(&p.resume), p.words, p.row_bits, p.hint_bits]);
        }
    }
    vec![(SHADERS, rows), (POINTS, points)]
}

/// Reads the tables of a package with these entry points.
pub(super) fn read(r: &mut Reader<'_>, entries: &[EntryPoint]) -> Result<Vec<WavefrontShader>, FormatError> {
    let points = r.rows(POINTS, |r, row| {
        let p = WavefrontPoint { resume: r.string(&row, 0)?, words: row.u32(4)?, row_bits: row.u32(8)?, hint_bits: row.u32(12)? };
        ray_generation(&p.resume, entries, &row)?;
        if p.hint_bits > MAX_HINT_BITS || p.row_bits > KEY_BITS - p.hint_bits {
            return Err(row.error(8, format!("keys of {} and {} bits, the most are {KEY_BITS}", p.row_bits, p.hint_bits)));
        }
        Ok(p)
    })?;
    let mut points = points.into_iter();
    let shaders = r.rows(SHADERS, |r, row| {
        let (words, count) = (row.u32(4)?, row.u32(8)?);
        let index_read = match row.u32(12)? {
            n @ (0 | 1) => n == 1,
            n => return Err(row.error(12, format!("flags {n:#x} of a divided shader, 1 is the only one"))),
        };
        let s = WavefrontShader { shader: r.string(&row, 0)?, words, index_read, points: front(&mut points, count, &row, 8)? };
        ray_generation(&s.shader, entries, &row)?;
        if s.points.is_empty() || s.points.len() > MAX_POINTS as usize {
            return Err(row.error(8, format!("`{}` has {} reorder points, expected 1 to {MAX_POINTS}", s.shader, s.points.len())));
        }
        if let Some(p) = s.points.iter().find(|p| p.words > s.words) {
            return Err(row.error(4, format!("`{}` saves {} words, the most are {}", p.resume, p.words, s.words)));
        }
        Ok(s)
    })?;
    match points.next() {
        Some(p) => Err(r.map.error(0, format!("`{}` belongs to no divided shader", p.resume))),
        None => Ok(shaders),
    }
}

/// Checks that `name` is the export of a ray generation shader.
fn ray_generation(name: &str, entries: &[EntryPoint], row: &Bytes<'_>) -> Result<(), FormatError> {
    match entries.iter().any(|e| e.export == name && e.stage == ShaderKind::RayGeneration) {
        true => Ok(()),
        false => Err(row.error(0, format!("there is no ray generation shader `{name}`"))),
    }
}
