//! Building shader tables: resolves shader identifiers and local root arguments of records.

use super::attributes::CAPACITY;
use super::tables::{NO_RECORD, Record, Tables};
use crate::cpu::objects::Objects;
use crate::cpu::resources::bindings::{Bindings, Record as Arguments, SharedHandles};
use crate::cpu::resources::record_address::RecordAddress;
use crate::cpu::thread::context::Loaded;
use crate::device::{self, Argument, ShaderTables};
use crate::error::{ErrorKind, Result, RunError};
use crate::library::{Library, RawArgument};
use crate::state_object::Group;
use rtc_dxil_container::ShaderKind;

impl Tables {
    /// Builds the tables of a dispatch.
    ///
    /// # Errors
    /// A record refers to an unknown export, or one of the wrong type, or has the wrong arguments.
    pub fn new(library: &Library, loaded: &Loaded, tables: &ShaderTables, objects: &Objects) -> Result<Tables> {
        if let Some(s) = loaded.shaders.iter().find(|s| s.attributes > CAPACITY as u64) {
            let why = format!("`{}` has {} bytes of hit attributes, the maximum is {}", s.name, s.attributes, CAPACITY);
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

/// The arguments of all shader records, by record index.
///
/// # Errors
/// Out of memory for constants.
pub fn arguments(library: &Library, tables: &Tables, objects: &Objects, bindings: &Bindings) -> Result<Vec<Arguments>> {
    let layouts = &library.state.records.layouts;
    let mut handles = SharedHandles::default();
    let one = |r: &Record| {
        let Some(layout) = r.layout.and_then(|i| layouts.get(i as usize)) else { return Ok(Arguments::default()) };
        let record = Arguments::new(layout, &r.data, |address| objects.at(RecordAddress::decode(address)))?;
        Ok(handles.assign(record, bindings))
    };
    tables.records().map(one).collect()
}
