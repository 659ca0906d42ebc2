//! Shader tables: shader records with their shaders and local root arguments.
//!
//! ```text
//! hit group = RayContribution[3:0] + Multiplier[3:0] * GeometryIndex + InstanceContribution[23:0]
//! miss      = MissShaderIndex[15:0]         callable = ShaderIndex
//! ```
//! (DXR, Addressing calculations within shader tables.) Direct3D leaves an index beyond a table undefined; here it stops the
//! thread with a message.

use crate::error::{ErrorKind, Result, RunError};

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

impl Tables {
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

    /// The record of the ray generation shader.
    pub fn raygen_record(&self) -> &Record {
        self.tables[0].first().unwrap_or(&NO_RECORD)
    }

    /// All records, by index.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.tables.iter().flatten()
    }

    /// A record; `None` out of range.
    pub fn get(&self, table: Table, index: u32) -> Option<&Record> {
        self.of(table).get(index as usize)
    }

    /// The records of a table.
    pub fn of(&self, table: Table) -> &[Record] {
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
}
