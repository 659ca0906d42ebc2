//! The payload types of a runtime package: how each lies in the variable that goes from shader to shader, and which shaders
//! hand it to each other. Vulkan looks at none of this, so packages that are put into one pipeline can be compared only here.
//!
//! In `BMAP` these are three more tables, which only packages with payloads have: types, their fields, and uses.

use rtc_tables::payload_access::{ALL_TRANSITIONS, PaqStage, transitions_in};

use crate::table::{Kind, Reader, Writer, front, member};
use rtc_dxil_container::{Bytes, FormatError};

/// A payload type as the module has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PayloadType {
    /// Name of the structure in HLSL.
    pub name: String,
    /// Bytes of the structure as it is declared; also what RDAT says.
    pub declared_size: u32,
    /// Bytes that go from shader to shader.
    pub size: u32,
    /// Whether fields are where [`PayloadField::offset`] says, in an array of words; else the payload is the structure itself.
    pub packed: bool,
    /// The fields that have qualifiers of their own, in the order of the declaration.
    pub fields: Vec<PayloadField>,
}

/// A field of a payload type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PayloadField {
    /// Its name from the payload on: `color`, `base.seed`.
    pub name: String,
    /// Its type as HLSL spells it.
    pub ty: String,
    /// Its first bit; none: it is never alive and has no room.
    pub offset: Option<u32>,
    /// How many bits it has, those between its scalars counted.
    pub bits: u32,
    /// Stages that read it, a bit for each [`PaqStage`].
    pub read: u8,
    /// Stages that write it.
    pub write: u8,
    /// The transitions on which it is alive, a bit for each of [`rtc_tables::payload_access::TRANSITIONS`].
    pub alive: u16,
}

/// That a shader takes a payload, or traces with one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayloadUse {
    /// Which of the package's entry points.
    pub entry: u32,
    /// Which of its payload types.
    pub payload: u32,
    /// It hands the payload to other shaders; else it takes it.
    pub traces: bool,
}

/// The payload types of a package.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Payloads {
    /// The types.
    pub types: Vec<PayloadType>,
    /// Which export uses which type.
    pub uses: Vec<PayloadUse>,
}

impl PayloadField {
    /// The names of the stages before and after each transition on which it is alive.
    pub fn alive_on(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        transitions_in(self.alive).map(|(from, to)| (from.name(), to.name()))
    }
}

/// The names of the stages of a set.
pub fn stages(set: u8) -> impl Iterator<Item = &'static str> {
    PaqStage::members(set).map(PaqStage::name)
}

pub(super) const TYPES: Kind = Kind { id: 11, words: 5, name: "payload types" };
const FIELDS: Kind = Kind { id: 12, words: 6, name: "payload fields" };
const USES: Kind = Kind { id: 13, words: 3, name: "uses of payloads" };

const PACKED: u32 = 1;
const NONE: u32 = u32::MAX;

/// The tables; none without payload types.
pub(super) fn write<'a>(p: &'a Payloads, w: &mut Writer<'a>) -> Vec<(Kind, Vec<u32>)> {
    if p.types.is_empty() {
        return Vec::new();
    }
    let (mut types, mut fields) = (Vec::new(), Vec::new());
    for t in &p.types {
        let flags = if t.packed { PACKED } else { 0 };
        types.extend([w.string(&t.name), t.declared_size, t.size, flags, t.fields.len() as u32]);
        for f in &t.fields {
            let stages = u32::from(f.read) | u32::from(f.write) << 8;
            let (name, ty) = (w.string(&f.name), w.string(&f.ty));
            fields.extend([name, ty, f.offset.unwrap_or(NONE), f.bits, stages, f.alive.into()]);
        }
    }
    let uses = p.uses.iter().flat_map(|u| [u.entry, u.payload, u32::from(u.traces)]).collect();
    vec![(TYPES, types), (FIELDS, fields), (USES, uses)]
}

/// Reads the tables of a package with `entries` entry points.
pub(super) fn read(r: &mut Reader<'_>, entries: usize) -> Result<Payloads, FormatError> {
    let fields = r.rows(FIELDS, |r, row| {
        let stages = member(&row, 16, "set of stages", |n| (n & !0x0f0f == 0).then_some(n))?;
        Ok(PayloadField {
            name: r.string(&row, 0)?,
            ty: r.string(&row, 4)?,
            offset: Some(row.u32(8)?).filter(|&n| n != NONE),
            bits: row.u32(12)?,
            read: stages as u8,
            write: (stages >> 8) as u8,
            alive: member(&row, 20, "set of transitions", |n| u16::try_from(n).ok().filter(|n| n & !ALL_TRANSITIONS == 0))?,
        })
    })?;
    let mut fields = fields.into_iter();
    let types = r.rows(TYPES, |r, row| {
        let t = PayloadType {
            name: r.string(&row, 0)?,
            declared_size: row.u32(4)?,
            size: row.u32(8)?,
            packed: row.u32(12)? & PACKED != 0,
            fields: front(&mut fields, row.u32(16)?, &row, 16)?,
        };
        check(&t, &row)?;
        Ok(t)
    })?;
    let uses = r.rows(USES, |_, row| {
        let below = |count: usize| move |n: u32| ((n as usize) < count).then_some(n);
        Ok(PayloadUse {
            entry: member(&row, 0, "entry point", below(entries))?,
            payload: member(&row, 4, "payload type", below(types.len()))?,
            traces: row.u32(8)? != 0,
        })
    })?;
    Ok(Payloads { types, uses })
}

/// Checks that all fields are inside the payload.
fn check(t: &PayloadType, row: &Bytes<'_>) -> Result<(), FormatError> {
    let room = u64::from(t.size) * 8;
    let outside = |f: &&PayloadField| f.offset.is_some_and(|at| u64::from(at) + u64::from(f.bits) > room);
    match t.fields.iter().find(outside) {
        Some(f) => Err(row.error(8, format!("`{}` of `{}` is outside of its {} bytes", f.name, t.name, t.size))),
        None => Ok(()),
    }
}
