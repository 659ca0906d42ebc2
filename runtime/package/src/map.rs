//! Serialisation of binding maps and modules of a package.
//!
//! `BMAP` is a list of tables (number, offset, record count, record size), each an array of 32-bit
//! words; strings are offsets into one string table, lists are consecutive rows of a child table, so
//! that nothing is referred to twice and a reader needs no more memory than the file suggests. Readers
//! skip tables and record tails that they do not know.

use crate::payloads;
use crate::table::{Kind, Reader, Writer, front, member};
use crate::wavefront;
use crate::{
    Binding, BindingMap, DescriptorKind, EntryPoint, HitLowering, InterfaceElement, RecordLayout, Requirement, RequirementKind, TargetEnv,
};
use rtc_dxil_container::bytes::pad4;
use rtc_dxil_container::{Bytes, ComponentType, FormatError, ResourceClass, ResourceKind, ShaderKind, Version, put_u32};
use rtc_rootsig::{RecordBinding, RecordParam, RecordParamKind, Visibility};

const SPIRV_MAGIC: u32 = 0x0723_0203;
/// Words before the first instruction of a SPIR-V module.
const SPIRV_HEADER: usize = 5;
const NULL: u32 = u32::MAX;

#[rustfmt::skip]
mod tables {
    use super::Kind;
    pub const TARGET: Kind = Kind { id: 1, words: 4, name: "target" };
    pub const STRINGS: Kind = Kind { id: 2, words: 1, name: "strings" };
    pub const BINDINGS: Kind = Kind { id: 3, words: 16, name: "bindings" };
    pub const ENTRIES: Kind = Kind { id: 4, words: 6, name: "entry points" };
    pub const RECORDS: Kind = Kind { id: 5, words: 3, name: "record layouts" };
    pub const PARAMS: Kind = Kind { id: 6, words: 5, name: "record parameters" };
    pub const BINDS: Kind = Kind { id: 7, words: 5, name: "record bindings" };
    pub const REQUIREMENTS: Kind = Kind { id: 8, words: 4, name: "requirements" };
    // Only packages with lowered hit objects have the next three, only those with payloads or divided shaders those of `payloads` or `wavefront`.
    pub const LOWERING: Kind = Kind { id: 9, words: 2, name: "lowered hit objects" };
    pub const RECORDERS: Kind = Kind { id: 10, words: 2, name: "recorders" };
    pub const MISSED: Kind = Kind { id: 15, words: 1, name: "first miss shader" };
    // Only packages whose traces are executed by all lanes of a wave have this one.
    pub const NULL_MISSES: Kind = Kind { id: 18, words: 1, name: "miss records without a shader" };
    // Only packages with shaders of the graphics pipeline have this one.
    pub const ELEMENTS: Kind = Kind { id: 14, words: 8, name: "stage inputs and outputs" };
}
use tables::*;

const WRITABLE: u32 = 1;
const COHERENT: u32 = 2;
const NON_UNIFORM: u32 = 4;
const COUNTER: u32 = 8;
const HEAP: u32 = 16;

const OUTPUT: u32 = 1;
const USED: u32 = 2;

pub(super) fn read_spirv(data: &[u8]) -> Result<Vec<u32>, FormatError> {
    let (words, rest) = data.as_chunks::<4>();
    let spirv: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
    if !rest.is_empty() || spirv.len() < SPIRV_HEADER || spirv[0] != SPIRV_MAGIC {
        return Err(FormatError::new("SPRV", 0, "is not a SPIR-V module"));
    }
    Ok(spirv)
}

pub(super) fn write_map(map: &BindingMap) -> Vec<u8> {
    let mut w = Writer::default();
    let (t, mut records, mut params, mut binds) = (map.target, Vec::new(), Vec::new(), Vec::new());
    let target = vec![t.spirv.major, t.spirv.minor, t.vulkan.major, t.vulkan.minor];
    let bindings: Vec<u32> = map.bindings.iter().flat_map(|b| binding_words(b, &mut w)).collect();
    let entries: Vec<u32> = map
        .entries
        .iter()
        .flat_map(|e| {
            let (export, name) = (w.string(&e.export), w.string(&e.spirv_name));
            let record = e.record.unwrap_or(NULL);
            [export, name, e.stage.as_u32(), record, e.payload_size, e.attribute_size]
        })
        .collect();
    for r in &map.records {
        records.extend([w.string(&r.root_signature), r.params.len() as u32, r.size]);
        for p in &r.params {
            let count = p.binds.len() as u32;
            params.extend([p.kind.as_u32(), p.offset, p.size, p.visibility.as_u32(), count]);
            for b in &p.binds {
                binds.extend([b.class.number(), b.register, b.space, b.count, b.table_offset]);
            }
        }
    }
    let requirements: Vec<u32> =
        map.requirements.iter().flat_map(|r| [r.kind.as_u32(), w.string(&r.name), w.string(&r.extension), w.string(&r.reason)]).collect();
    let lowering = map.lowering.as_ref().map(|l| {
        let rows = l.recorders.iter().flat_map(|(by, name)| [w.string(by), w.string(name)]);
        let rows = rows.collect::<Vec<u32>>();
        (vec![l.tail_offset, l.tail_size], rows, l.missed.iter().map(|name| w.string(name)).collect::<Vec<u32>>())
    });
    let payloads = payloads::write(&map.payloads, &mut w);
    let divided = wavefront::write(&map.wavefront, &mut w);
    let numbered = map.entries.iter().enumerate();
    let elements: Vec<u32> =
        numbered.flat_map(|(n, e)| e.elements.iter().map(move |x| (n, x))).flat_map(|(n, x)| element_words(n as u32, x, &mut w)).collect();
    pad4(&mut w.strings);
    let (words, _) = w.strings.as_chunks::<4>();
    let strings: Vec<u32> = words.iter().map(|c| u32::from_le_bytes(*c)).collect();
    let mut tables = vec![
        (TARGET, target),
        (STRINGS, strings),
        (BINDINGS, bindings),
        (ENTRIES, entries),
        (RECORDS, records),
        (PARAMS, params),
        (BINDS, binds),
        (REQUIREMENTS, requirements),
    ];
    if let Some((lowering, recorders, missed)) = lowering {
        tables.extend([(LOWERING, lowering), (RECORDERS, recorders)]);
        if !missed.is_empty() {
            tables.push((MISSED, missed));
        }
    }
    if let Some(count) = map.null_misses {
        tables.push((NULL_MISSES, vec![count]));
    }
    tables.extend(payloads);
    tables.extend(divided);
    if !elements.is_empty() {
        tables.push((ELEMENTS, elements));
    }
    let mut out = Vec::new();
    put_u32(&mut out, tables.len() as u32);
    let mut at = 4 + 16 * tables.len();
    for (kind, rows) in &tables {
        put_u32(&mut out, kind.id);
        put_u32(&mut out, at as u32);
        put_u32(&mut out, (rows.len() / kind.words) as u32);
        put_u32(&mut out, 4 * kind.words as u32);
        at += 4 * rows.len();
    }
    for word in tables.iter().flat_map(|(_, rows)| rows) {
        put_u32(&mut out, *word);
    }
    out
}

#[rustfmt::skip]
fn binding_words<'a>(b: &'a Binding, w: &mut Writer<'a>) -> [u32; BINDINGS.words] {
    let flags = [(b.writable, WRITABLE), (b.coherent, COHERENT), (b.non_uniform, NON_UNIFORM), (b.counter.is_some(), COUNTER), (b.heap, HEAP)]
        .iter()
        .fold(0, |all, &(set, bit)| if set { all | bit } else { all });
    let (counter_set, counter_binding) = b.counter.unwrap_or_default();
    [
        w.string(&b.name), b.class.number(), b.kind.number(), b.space, b.register, b.count, b.set, b.binding,
        b.descriptor.as_u32(), b.stride_or_size, b.component.number(), u32::from(b.components), flags,
        counter_set, counter_binding, b.stages,
    ]
}

fn element_words<'a>(entry: u32, x: &'a InterfaceElement, w: &mut Writer<'a>) -> [u32; ELEMENTS.words] {
    let flags = [(x.output, OUTPUT), (x.used, USED)].iter().fold(0, |all, &(set, bit)| if set { all | bit } else { all });
    [entry, flags, w.string(&x.semantic), x.index, x.location, x.locations, x.component.number(), u32::from(x.components)]
}

pub(super) fn read_map(data: &[u8]) -> Result<BindingMap, FormatError> {
    let map = Bytes::new("BMAP", data);
    let mut r = Reader { map, strings: map, left: data.len().saturating_mul(16) };
    r.strings = r.table(STRINGS)?.bytes;
    let targets = r.rows(TARGET, |_, row| {
        Ok(TargetEnv { spirv: Version::new(row.u32(0)?, row.u32(4)?), vulkan: Version::new(row.u32(8)?, row.u32(12)?) })
    })?;
    let Some(&target) = targets.first() else {
        return Err(map.error(0, "the table of targets is empty"));
    };
    let mut binds = r.rows(BINDS, |_, row| read_bind(row))?.into_iter();
    let params = r.rows(PARAMS, |_, row| {
        Ok(RecordParam {
            kind: member(&row, 0, "record parameter kind", RecordParamKind::from_u32)?,
            offset: row.u32(4)?,
            size: row.u32(8)?,
            visibility: member(&row, 12, "shader visibility", Visibility::from_u32)?,
            binds: front(&mut binds, row.u32(16)?, &row, 16)?,
        })
    })?;
    let mut params = params.into_iter();
    let records = r.rows(RECORDS, |r, row| {
        Ok(RecordLayout { root_signature: r.string(&row, 0)?, params: front(&mut params, row.u32(4)?, &row, 4)?, size: row.u32(8)? })
    })?;
    let mut entries = r.rows(ENTRIES, |r, row| {
        let record = row.u32(12)?;
        if record != NULL && record as usize >= records.len() {
            return Err(row.error(12, format!("there is no record layout {record}")));
        }
        Ok(EntryPoint {
            export: r.string(&row, 0)?,
            spirv_name: r.string(&row, 4)?,
            stage: member(&row, 8, "shader kind", ShaderKind::from_u32)?,
            record: (record != NULL).then_some(record),
            payload_size: row.u32(16)?,
            attribute_size: row.u32(20)?,
            elements: Vec::new(),
        })
    })?;
    if r.has(ELEMENTS)? {
        let count = entries.len();
        let elements = r.rows(ELEMENTS, |r, row| read_element(r, row, count))?;
        for (entry, element) in elements {
            entries[entry].elements.push(element);
        }
    }
    let requirements = r.rows(REQUIREMENTS, |r, row| {
        Ok(Requirement {
            kind: member(&row, 0, "kind of requirement", RequirementKind::from_u32)?,
            name: r.string(&row, 4)?,
            extension: r.string(&row, 8)?,
            reason: r.string(&row, 12)?,
        })
    })?;
    let bindings = r.rows(BINDINGS, |r, row| read_binding(r, row))?;
    let lowering = match r.has(LOWERING)? {
        true => read_lowering(&mut r)?,
        false => None,
    };
    let null_misses = match r.has(NULL_MISSES)? {
        true => r.rows(NULL_MISSES, |_, row| member(&row, 0, "number of miss records without a shader", |n| (n <= 1).then_some(n)))?.pop(),
        false => None,
    };
    let payloads = match r.has(payloads::TYPES)? {
        true => payloads::read(&mut r, entries.len())?,
        false => payloads::Payloads::default(),
    };
    let wavefront = match r.has(wavefront::SHADERS)? {
        true => wavefront::read(&mut r, &entries)?,
        false => Vec::new(),
    };
    Ok(BindingMap { target, bindings, entries, records, requirements, lowering, null_misses, payloads, wavefront })
}

fn read_lowering(r: &mut Reader<'_>) -> Result<Option<HitLowering>, FormatError> {
    let recorders = r.rows(RECORDERS, |r, row| Ok((r.string(&row, 0)?, r.string(&row, 4)?)))?;
    let missed = match r.has(MISSED)? {
        true => r.rows(MISSED, |r, row| r.string(&row, 0))?.pop(),
        false => None,
    };
    let rows = r.rows(LOWERING, |_, row| Ok((row.u32(0)?, row.u32(4)?)))?;
    Ok(rows.first().map(|&(tail_offset, tail_size)| HitLowering { tail_offset, tail_size, recorders, missed }))
}

/// A stage input or output, with the entry point that it belongs to.
fn read_element(r: &mut Reader<'_>, row: Bytes<'_>, entries: usize) -> Result<(usize, InterfaceElement), FormatError> {
    let flags = row.u32(4)?;
    let element = InterfaceElement {
        output: flags & OUTPUT != 0,
        used: flags & USED != 0,
        semantic: r.string(&row, 8)?,
        index: row.u32(12)?,
        location: row.u32(16)?,
        locations: row.u32(20)?,
        component: member(&row, 24, "component type", ComponentType::from_number)?,
        components: member(&row, 28, "number of components", |n| u8::try_from(n).ok().filter(|n| (1..=4).contains(n)))?,
    };
    Ok((member(&row, 0, "entry point", |n| Some(n as usize).filter(|&n| n < entries))?, element))
}

fn read_bind(row: Bytes<'_>) -> Result<RecordBinding, FormatError> {
    Ok(RecordBinding {
        class: member(&row, 0, "resource class", ResourceClass::from_number)?,
        register: row.u32(4)?,
        space: row.u32(8)?,
        count: row.u32(12)?,
        table_offset: row.u32(16)?,
    })
}

fn read_binding(r: &mut Reader<'_>, row: Bytes<'_>) -> Result<Binding, FormatError> {
    let flags = row.u32(48)?;
    Ok(Binding {
        name: r.string(&row, 0)?,
        class: member(&row, 4, "resource class", ResourceClass::from_number)?,
        kind: member(&row, 8, "resource kind", ResourceKind::from_number)?,
        space: row.u32(12)?,
        register: row.u32(16)?,
        count: row.u32(20)?,
        set: row.u32(24)?,
        binding: row.u32(28)?,
        descriptor: member(&row, 32, "descriptor kind", DescriptorKind::from_u32)?,
        stride_or_size: row.u32(36)?,
        component: member(&row, 40, "component type", ComponentType::from_number)?,
        components: member(&row, 44, "number of components", |n| u8::try_from(n).ok().filter(|&n| n <= 4))?,
        writable: flags & WRITABLE != 0,
        coherent: flags & COHERENT != 0,
        non_uniform: flags & NON_UNIFORM != 0,
        counter: if flags & COUNTER != 0 { Some((row.u32(52)?, row.u32(56)?)) } else { None },
        heap: flags & HEAP != 0,
        stages: row.u32(60)?,
    })
}
