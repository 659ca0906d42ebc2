//! Shader tables: records by name with the arguments of their local root signatures, laid out for a device.
//!
//! D3D12 and Vulkan address tables alike: record `i` is at the start plus `i` strides, and the record of a hit is at
//! [`hit_index`]. They differ in alignments, which is why tables are made of names here and not of bytes.

mod hit_tables;
mod lay_out;

pub use lay_out::Rules;

use crate::error::{Error, ErrorKind, Result, list};
use crate::library::{Library, RawArgument};
use crate::slot::Slot;
use rtc_dxil_container::ShaderKind;
use rtc_tables::hit_lowering::{MISSED, RECORDER};

/// One record: its handle (none: all zero) and the bytes of its arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct RawRecord {
    /// Shader group handle.
    pub handle: Vec<u8>,
    /// Arguments of the local root signature.
    pub data: Vec<u8>,
}

/// The region of a table in its buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Region {
    /// First byte.
    pub offset: u64,
    /// From record to record.
    pub stride: u64,
    /// Bytes of all records.
    pub size: u64,
}

/// A record of a shader table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The export or hit group; none: the null shader identifier.
    pub export: Option<String>,
    /// Arguments of its local root signature.
    pub arguments: Vec<(Slot, RawArgument)>,
}

impl Record {
    /// A record without arguments.
    pub fn of(export: impl Into<String>) -> Record {
        Record { export: Some(export.into()), arguments: Vec::new() }
    }

    /// The record that runs no shader; its hits count as opaque.
    pub fn null() -> Record {
        Record::default()
    }

    /// With an argument more.
    pub fn with(mut self, slot: impl AsRef<str>, argument: RawArgument) -> Record {
        self.arguments.push((Slot::parse(slot.as_ref()), argument));
        self
    }
}

/// A kind of shader table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// Ray generation: one record.
    RayGeneration = 0,
    /// Miss.
    Miss = 1,
    /// Hit groups.
    Hit = 2,
    /// Callable.
    Callable = 3,
}

impl Table {
    /// In the order of their numbers.
    pub const ALL: [Table; 4] = [Table::RayGeneration, Table::Miss, Table::Hit, Table::Callable];

    /// The stage of its records; none: hit groups.
    pub fn stage(self) -> Option<ShaderKind> {
        match self {
            Table::RayGeneration => Some(ShaderKind::RayGeneration),
            Table::Miss => Some(ShaderKind::Miss),
            Table::Hit => None,
            Table::Callable => Some(ShaderKind::Callable),
        }
    }

    fn what(self) -> &'static str {
        self.stage().map_or("hit group", ShaderKind::name)
    }
}

/// The shader tables of a dispatch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShaderTables {
    /// The ray generation record.
    pub raygen: Record,
    /// Miss records, by miss index.
    pub miss: Vec<Record>,
    /// Hit group records, by [`hit_index`].
    pub hit: Vec<Record>,
    /// Callable records, by shader index.
    pub callable: Vec<Record>,
}

impl ShaderTables {
    /// The records of a table.
    pub fn records(&self, table: Table) -> &[Record] {
        match table {
            Table::RayGeneration => std::slice::from_ref(&self.raygen),
            Table::Miss => &self.miss,
            Table::Hit => &self.hit,
            Table::Callable => &self.callable,
        }
    }

    /// A record to replace.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: the table is shorter.
    pub fn record_mut(&mut self, table: Table, index: usize) -> Result<&mut Record> {
        let records = match table {
            Table::RayGeneration => std::slice::from_mut(&mut self.raygen),
            Table::Miss => &mut self.miss,
            Table::Hit => &mut self.hit,
            Table::Callable => &mut self.callable,
        };
        let count = records.len();
        records.get_mut(index).ok_or_else(|| too_short(table, count, index as u64))
    }

    /// Puts a record at an index of a table, with null records before it where there were none.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: the index is beyond what traces can name.
    pub fn put(&mut self, table: Table, index: u32, record: Record) -> Result<()> {
        const MAX_INDEX: u32 = 1 << 28;
        let records = match table {
            Table::RayGeneration if index == 0 => {
                self.raygen = record;
                return Ok(());
            }
            Table::RayGeneration => return Err(too_short(table, 1, index.into())),
            Table::Miss => &mut self.miss,
            Table::Hit => &mut self.hit,
            Table::Callable => &mut self.callable,
        };
        if index >= MAX_INDEX {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("record {index} of a {} table; no trace reaches record {MAX_INDEX}", table.what()),
            ));
        }
        let index = index as usize;
        if index >= records.len() {
            records.resize_with(index + 1, Record::null);
        }
        records[index] = record;
        Ok(())
    }

    /// Checks that the tables have every record that the traces and calls of a dispatch can reach.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: a table is shorter.
    pub fn check_reach(&self, reach: &Reach) -> Result<()> {
        let largest = [(Table::Miss, reach.miss), (Table::Hit, reach.largest_hit()), (Table::Callable, reach.callable)];
        for (table, index) in largest {
            let count = self.records(table).len();
            if let Some(index) = index.filter(|i| *i >= count as u64) {
                return Err(too_short(table, count, index));
            }
        }
        Ok(())
    }
}

fn too_short(table: Table, count: usize, index: u64) -> Error {
    Error::new(ErrorKind::Binding, format!("the {} table has {count} record(s), index {index} is not one of them", table.what()))
}

/// What the traces and calls of a dispatch name at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Largest `MissShaderIndex`.
    pub miss: Option<u64>,
    /// Largest `RayContributionToHitGroupIndex`, `MultiplierForGeometryContributionToHitGroupIndex`, geometry index and
    /// `InstanceContributionToHitGroupIndex`.
    pub hit: Option<[u32; 4]>,
    /// Largest index of a callable shader.
    pub callable: Option<u64>,
}

impl Reach {
    fn largest_hit(&self) -> Option<u64> {
        self.hit.map(|[ray, multiplier, geometry, instance]| hit_index(ray, multiplier, geometry, instance))
    }
}

/// The record of a hit. Contribution and multiplier of the ray count with 4 bits, the contribution of the instance with 24.
pub fn hit_index(ray_contribution: u32, multiplier: u32, geometry: u32, instance_contribution: u32) -> u64 {
    let (ray, multiplier) = (u64::from(ray_contribution & 15), u64::from(multiplier & 15));
    ray + multiplier * u64::from(geometry) + u64::from(instance_contribution & 0xff_ffff)
}

/// The name of the group with a closest-hit shader that is invoked as a miss shader, in libraries with lowered hit objects.
pub(crate) fn invoked(name: &str) -> String {
    format!("{name} as a miss shader")
}

/// Tables whose records are encoded, before they have an address.
#[derive(Clone, PartialEq, Debug)]
pub struct TableImage {
    records: [Vec<RawRecord>; 4],
    rules: Rules,
    lowering: Option<rtc_package::HitLowering>,
}

impl TableImage {
    /// Encodes tables. `library_of` finds the library that exports a name, `handle_of` its shader group handle.
    ///
    /// # Errors
    /// A name that is not exported or of another stage, arguments that do not fit.
    pub(crate) fn new<'l>(
        tables: &ShaderTables,
        rules: Rules,
        library_of: &dyn Fn(&str) -> Option<&'l Library>,
        handle_of: &dyn Fn(&str) -> Option<Vec<u8>>,
        main: &'l Library,
    ) -> Result<TableImage> {
        let none = || vec![0; rules.handle_size as usize];
        let mut raw: [Vec<RawRecord>; 4] = Default::default();
        for (out, table) in raw.iter_mut().zip(Table::ALL) {
            for record in tables.records(table) {
                out.push(encode(record, table, library_of, handle_of, main, rules)?);
            }
        }
        let handle = |name: &str| handle_of(name).unwrap_or_else(none);
        let lowering = main.package.map.lowering.clone();
        if lowering.as_ref().is_some_and(|l| !l.records()) {
            raw = hit_tables::after_missed(raw, handle(MISSED))?;
        }
        let lowering = lowering.filter(rtc_package::HitLowering::records);
        if let Some(lowering) = &lowering {
            let state = &main.state;
            let closest_hit = |r: &Record| {
                let group = state.groups.iter().find(|g| Some(&g.name) == r.export.as_ref())?;
                Some(handle(&invoked(&state.shaders[group.closest_hit?].name)))
            };
            let invoked = tables.hit.iter().map(|r| closest_hit(r).unwrap_or_else(none)).collect();
            raw = hit_tables::lay_out(raw, invoked, &handle(RECORDER), lowering)?;
        }
        // Last, so that it comes before generated shaders too.
        if main.package.map.null_misses == Some(1) {
            raw = hit_tables::after_null(raw, rules.handle_size)?;
        }
        let image = TableImage { records: raw, rules, lowering };
        lay_out::lay_out(&image.records, 0, rules)?;
        Ok(image)
    }

    /// Bytes that suffice at any address.
    pub fn size(&self) -> u64 {
        let end = lay_out::lay_out(&self.records, 0, self.rules).map_or(0, |(_, end)| end);
        end + 4 * self.rules.base_alignment
    }

    /// The bytes for a buffer that begins at a device address, and where in it the tables are.
    pub fn at(&self, address: u64) -> (Vec<u8>, [Region; 4]) {
        // Checked when the image was made.
        let Ok((regions, end)) = lay_out::lay_out(&self.records, address, self.rules) else {
            return (Vec::new(), [Region::default(); 4]);
        };
        let mut bytes = vec![0u8; end as usize];
        lay_out::write(&mut bytes, &self.records, &regions, self.rules);
        if let Some(lowering) = &self.lowering {
            hit_tables::write_tails(&mut bytes, &regions, address, self.rules.handle_size, lowering);
        }
        (bytes, regions)
    }
}

fn encode<'l>(
    record: &Record,
    table: Table,
    library_of: &dyn Fn(&str) -> Option<&'l Library>,
    handle_of: &dyn Fn(&str) -> Option<Vec<u8>>,
    main: &'l Library,
    rules: Rules,
) -> Result<RawRecord> {
    let Some(name) = &record.export else {
        if let Some((slot, _)) = record.arguments.first() {
            return Err(Error::new(ErrorKind::Binding, format!("a null record of a {} table has the argument `{slot}`", table.what())));
        }
        return Ok(RawRecord { handle: vec![0; rules.handle_size as usize], data: Vec::new() });
    };
    let library = library_of(name).unwrap_or(main);
    let shader = library.state.shaders.iter().find(|s| s.name == *name).map(|s| s.stage);
    let fits = match table.stage() {
        Some(stage) => shader == Some(stage),
        None => library.state.groups.iter().any(|g| g.name == *name),
    };
    if !fits {
        return Err(library.no_such(name, &format!("{} record", table.what())));
    }
    let handle =
        handle_of(name).ok_or_else(|| library.no_such(name, "record").note(format!("records: {}", list(library.record_names()))))?;
    Ok(RawRecord { handle, data: library.record_data(name, &record.arguments)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_a_hit() {
        for (ray, multiplier, geometry, instance, index) in [
            (0, 0, 9, 0, 0),
            (1, 2, 3, 10, 17),
            (15, 15, 1, 0, 30),
            (16, 0, 0, 5, 5),
            (1, 1, 0, 0x100_0001, 2),
            (0, 4, 1 << 30, 0xff_ffff, (4 << 30) + 0xff_ffff),
        ] {
            assert_eq!(hit_index(ray, multiplier, geometry, instance), index);
        }
    }

    #[test]
    fn tables_that_are_too_short() {
        let mut tables = ShaderTables::default();
        tables.put(Table::Miss, 2, Record::of("Sky")).unwrap();
        tables.put(Table::Hit, 4, Record::of("G")).unwrap();
        assert_eq!(tables.miss.len(), 3);
        assert_eq!(tables.miss[1], Record::null());
        let reach = |hit| Reach { miss: Some(2), hit: Some(hit), callable: None };
        tables.check_reach(&reach([0, 2, 1, 2])).unwrap();
        let e = tables.check_reach(&reach([1, 2, 1, 2])).unwrap_err();
        assert_eq!(e.kind, ErrorKind::Binding);
        assert_eq!(e.message, "the hit group table has 5 record(s), index 5 is not one of them");
        let e = tables.check_reach(&Reach { callable: Some(0), ..Reach::default() }).unwrap_err();
        assert_eq!(e.message, "the callable table has 0 record(s), index 0 is not one of them");
        assert!(tables.record_mut(Table::Miss, 3).is_err());
        assert!(tables.put(Table::RayGeneration, 1, Record::null()).is_err());
        assert_eq!(tables.put(Table::Hit, u32::MAX, Record::null()).unwrap_err().kind, ErrorKind::Limit);
    }
}
