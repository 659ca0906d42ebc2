//! Shader tables: shader records with their shaders and local root arguments.
//!
//! ```text
//! hit group = RayContribution[3:0] + Multiplier[3:0] * GeometryIndex + InstanceContribution[23:0]
//! miss      = MissShaderIndex[15:0]         callable = ShaderIndex
//! ```
//! (DXR, Addressing calculations within shader tables.) Direct3D leaves an index beyond a table undefined; here it stops the
//! thread with a message.

use crate::cpu::machine::Loaded;
use crate::cpu::objects::Objects;
use crate::cpu::thread::Thread;
use crate::device::{self, Accel, Argument, Buffer, ShaderTables};
use crate::error::{ErrorKind, Result, RunError};
use crate::library::{Library, RawArgument};
use crate::state_object::Group;
use rtc_base::EntityRef;
use rtc_dxil_container::ShaderKind;

/// A shader record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its index among all records ([`Tables::records`]).
    pub number: usize,
    /// The export of its shader identifier; empty for the null identifier.
    pub name: String,
    /// The ray generation, miss or callable shader, or the closest-hit shader of a hit group.
    pub shader: Option<usize>,
    /// The any-hit shader of a hit group.
    pub any_hit: Option<usize>,
    /// The intersection shader of a hit group, which makes it procedural.
    pub intersection: Option<usize>,
    /// The layout of its arguments in the library ([`crate::state_object::StateObject::records`]), if it has any.
    pub layout: Option<u32>,
    /// The local root arguments: the bytes after the identifier.
    pub data: Vec<u8>,
}

/// The record of threads without one.
pub(in crate::cpu) static NO_RECORD: Record =
    Record { number: 0, name: String::new(), shader: None, any_hit: None, intersection: None, layout: None, data: Vec::new() };

/// A shader table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// Miss records.
    Miss,
    /// Hit group records.
    Hit,
    /// Callable records.
    Callable,
}

impl Table {
    fn name(self) -> &'static str {
        match self {
            Table::Miss => "miss",
            Table::Hit => "hit group",
            Table::Callable => "callable",
        }
    }
}

/// Shader tables of a dispatch.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Tables {
    /// Ray generation, miss, hit groups, callable.
    pub(super) tables: [Vec<Record>; 4],
    /// Maximum recursion depth.
    pub max_recursion: u32,
    /// Flags of the pipeline configuration.
    pub flags: u32,
}

/// An address in a shader record, decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordAddress {
    /// A null address.
    Nothing,
    /// A buffer from a byte offset on.
    Buffer(Buffer, u64),
    /// An acceleration structure.
    Accel(Accel),
}

/// Bits of an address below the buffer's index.
const OFFSET_BITS: u32 = 40;
const IS_ACCEL: u64 = 1 << 63;

impl RecordAddress {
    /// Encodes the address.
    ///
    /// # Errors
    /// The offset exceeds the address bits.
    pub fn encode(self) -> Result<u64> {
        let at = |n: usize| (n as u64 + 1) << OFFSET_BITS;
        match self {
            RecordAddress::Nothing => Ok(0),
            RecordAddress::Accel(a) => Ok(IS_ACCEL | at(a.index())),
            RecordAddress::Buffer(b, offset) if offset >> OFFSET_BITS == 0 => Ok(at(b.index()) | offset),
            RecordAddress::Buffer(b, offset) => Err(RunError::new(ErrorKind::Binding, format!("byte {offset} of {b} is not addressable"))),
        }
    }

    /// Decodes an address.
    pub fn decode(address: u64) -> RecordAddress {
        let Some(n) = ((address & !IS_ACCEL) >> OFFSET_BITS).checked_sub(1) else { return RecordAddress::Nothing };
        match address & IS_ACCEL {
            0 => RecordAddress::Buffer(Buffer::new(n as usize), address & ((1 << OFFSET_BITS) - 1)),
            _ => RecordAddress::Accel(Accel::new(n as usize)),
        }
    }
}

impl Tables {
    /// Builds the tables of a dispatch.
    ///
    /// # Errors
    /// A record refers to an unknown export, or one of the wrong type, or has the wrong arguments.
    pub fn new(library: &Library, loaded: &Loaded, tables: &ShaderTables, objects: &Objects) -> Result<Tables> {
        if let Some(s) = loaded.shaders.iter().find(|s| s.attributes > super::attributes::CAPACITY as u64) {
            let why = format!("`{}` has {} bytes of hit attributes, the maximum is {}", s.name, s.attributes, super::attributes::CAPACITY);
            return Err(RunError::new(ErrorKind::Limit, why));
        }
        let config = library.state.pipeline_config;
        let mut out = Tables { tables: Default::default(), max_recursion: config.max_recursion, flags: config.flags };
        let raygen = std::slice::from_ref(&tables.raygen);
        let stages = [ShaderKind::RayGeneration, ShaderKind::Miss, ShaderKind::ClosestHit, ShaderKind::Callable];
        let mut number = 0;
        for (i, from) in [raygen, &tables.miss, &tables.hit, &tables.callable].into_iter().enumerate() {
            for record in from {
                out.tables[i].push(one(library, loaded, record, objects, stages[i], number)?);
                number += 1;
            }
        }
        Ok(out)
    }

    /// Tables of these records: ray generation, miss, hit groups, callable. For tests.
    #[cfg(test)]
    pub(in crate::cpu) fn of_records(tables: [Vec<Record>; 4]) -> Tables {
        Tables { tables, ..Tables::default() }
    }

    /// The ray generation shader.
    ///
    /// # Errors
    /// There is none.
    pub fn raygen(&self) -> Result<usize> {
        let record = self.tables[0].first();
        record.and_then(|r| r.shader).ok_or_else(|| RunError::new(ErrorKind::Binding, "the ray generation record is null"))
    }

    /// Resets a thread to the start of the ray generation shader: its record, no ray.
    pub fn start<'m>(&'m self, thread: &mut Thread<'m>) {
        thread.set_record(self.tables[0].first().unwrap_or(&NO_RECORD));
        thread.rays.depth = 0;
        thread.view = super::RayState::NONE;
    }

    /// All records, by index.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.tables.iter().flatten()
    }

    /// A record; `None` out of range.
    pub fn get(&self, table: Table, index: u32) -> Option<&Record> {
        self.of(table).get(index as usize)
    }

    fn of(&self, table: Table) -> &[Record] {
        match table {
            Table::Miss => &self.tables[1],
            Table::Hit => &self.tables[2],
            Table::Callable => &self.tables[3],
        }
    }

    /// The message for an index out of range.
    pub fn beyond(&self, table: Table, index: u32) -> String {
        let len = self.of(table).len();
        format!("index {index} is out of range of the {} table, which has {len} records", table.name())
    }
}

/// The index of a hit group record.
#[inline]
pub fn hit_index(ray_contribution: u32, multiplier: u32, geometry: u32, instance_contribution: u32) -> u32 {
    // 4 + 28 + 24 bits: no wrapping for values that structures can have.
    (ray_contribution & 0xf).wrapping_add((multiplier & 0xf).wrapping_mul(geometry)).wrapping_add(instance_contribution & 0xff_ffff)
}

/// The index of a miss record.
#[inline]
pub fn miss_index(index: u32) -> u32 {
    index & 0xffff
}

fn one(library: &Library, loaded: &Loaded, record: &device::Record, objects: &Objects, stage: ShaderKind, number: usize) -> Result<Record> {
    let Some(name) = &record.export else { return Ok(Record { number, ..NO_RECORD.clone() }) };
    let mut out = Record { number, name: name.clone(), ..NO_RECORD.clone() };
    let loaded_as = |name: &str| {
        let wrong = || RunError::new(ErrorKind::Package, format!("the export `{name}` has no code"));
        loaded.shader(name).ok_or_else(wrong)
    };
    if stage == ShaderKind::ClosestHit {
        let group = library.state.groups.iter().find(|g| g.name == *name).ok_or_else(|| library.no_such(name, "hit group"))?;
        let Group { any_hit, closest_hit, intersection, .. } = *group;
        let find = |i: Option<usize>| i.map(|i| loaded_as(&library.state.shaders[i].name)).transpose();
        (out.any_hit, out.shader, out.intersection) = (find(any_hit)?, find(closest_hit)?, find(intersection)?);
    } else {
        let known = library.state.shaders.iter().any(|s| s.name == *name && s.stage == stage);
        if !known {
            return Err(library.no_such(name, &format!("{stage} shader")));
        }
        let shader = loaded_as(name)?;
        if stage == ShaderKind::RayGeneration && loaded.shaders[shader].payload > 0 {
            return Err(RunError::new(ErrorKind::Package, format!("the ray generation shader `{name}` has a parameter")));
        }
        out.shader = Some(shader);
    }
    out.layout = library.state.records.of(name);
    let mut arguments = Vec::with_capacity(record.arguments.len());
    for (slot, argument) in &record.arguments {
        let raw = match argument {
            Argument::Constants(bytes) => RawArgument::Constants(bytes.clone()),
            Argument::Index(index) => RawArgument::Index(*index),
            Argument::Address(buffer, offset) => {
                objects.buffer(*buffer)?;
                RawArgument::Address(RecordAddress::Buffer(*buffer, *offset).encode()?)
            }
            Argument::Accel(accel) => {
                objects.accel(*accel)?;
                RawArgument::Address(RecordAddress::Accel(*accel).encode()?)
            }
        };
        arguments.push((slot.clone(), raw));
    }
    out.data = library.record_data(name, &arguments)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_groups_are_found_by_the_bits_that_count() {
        assert_eq!(hit_index(0, 1, 0, 0), 0);
        assert_eq!(hit_index(3, 2, 5, 100), 113);
        assert_eq!(hit_index(0x13, 0x22, 5, 0x0100_0064), 113);
        assert_eq!(hit_index(15, 15, 0xff_ffff, 0xff_ffff), 15 + 16 * 0xff_ffff);
        assert_eq!(miss_index(0x0001_0002), 2);
    }

    #[test]
    fn addresses_round_trip() {
        let buffer = Buffer::new(7);
        for place in [
            RecordAddress::Nothing,
            RecordAddress::Buffer(buffer, 0),
            RecordAddress::Buffer(buffer, 12345),
            RecordAddress::Accel(Accel::new(0)),
        ] {
            assert_eq!(RecordAddress::decode(place.encode().expect("an address")), place);
        }
        assert!(RecordAddress::Buffer(buffer, 1 << 40).encode().is_err());
        assert_eq!(RecordAddress::decode(99), RecordAddress::Nothing);
    }
}
