//! Parser of RDAT from any producer.
//!
//! First the parts are found, then the tables are read with the pools at hand. References are checked
//! where they are followed. Index arrays may be shared, so what all records together pull out of them
//! is bounded apart: a small file cannot ask for a large model.

use super::{
    COMPUTE_STRIDE, ComputeInfo, FUNCTION_STRIDE_V1, FUNCTION_STRIDE_V2, Function, FunctionV2, MinTarget, NULL, OtherTable, RDAT_VERSION,
    RESOURCE_STRIDE, Rdat, Resource, SUBOBJECT_STRIDE, Subobject, SubobjectValue, part,
};
use crate::{Bytes, FormatError, HitGroupType, ResourceClass, ResourceKind, ShaderKind, SubobjectKind, Version};

/// How much larger than the part its expanded strings and arrays may be: a factor and a base.
const MAX_EXPANSION: (usize, usize) = (64, 16 << 20);

impl Rdat {
    /// Reads the data of an `RDAT` part.
    ///
    /// Records may be longer than known (a newer producer's): the rest of a record is skipped.
    ///
    /// # Errors
    /// When a size, a reference or a number makes no sense.
    pub fn read(data: &[u8]) -> Result<Rdat, FormatError> {
        let b = Bytes::new("RDAT", data);
        let version = b.u32(0)?;
        if version != RDAT_VERSION {
            return Err(b.error(0, format!("version is {version:#x}, known is {RDAT_VERSION:#x}")));
        }
        let count = b.u32(4)?;
        b.slice(8, u64::from(count) * 4)?;
        let mut reader = Reader::new(b);
        let mut tables: [Option<Table<'_>>; 4] = [None; 4];
        let mut rdat = Rdat::default();
        let mut seen = Vec::new();
        let mut end = 8 + 4 * count as usize;
        for i in 0..count as usize {
            let at = b.u32(8 + 4 * i)? as usize;
            if at < end {
                return Err(b.error(8 + 4 * i, format!("part {i} at {at:#x} overlaps what is before it")));
            }
            let (ty, size) = (b.u32(at)?, b.u32(at + 4)?);
            if size % 4 != 0 {
                return Err(b.error(at + 4, format!("part {i} has size {size}, no multiple of 4")));
            }
            let body = b.window(at + 8, u64::from(size))?;
            end = at + 8 + size as usize;
            if seen.contains(&ty) {
                return Err(b.error(at, format!("part type {ty} occurs twice")));
            }
            if seen.len() < 64 {
                seen.push(ty);
            }
            match ty {
                part::STRINGS => reader.strings = body,
                part::INDEX_ARRAYS => reader.indices = body,
                part::RAW_BYTES => reader.raw = body,
                part::RESOURCES => tables[0] = Some(Table::open(body, RESOURCE_STRIDE)?),
                part::FUNCTIONS => tables[1] = Some(Table::open(body, FUNCTION_STRIDE_V1)?),
                part::SUBOBJECTS => tables[2] = Some(Table::open(body, SUBOBJECT_STRIDE)?),
                part::COMPUTE => tables[3] = Some(Table::open(body, COMPUTE_STRIDE)?),
                _ => {
                    let data = body.slice(0, u64::from(size))?.to_vec();
                    rdat.other_tables.push(OtherTable { part_type: ty, data });
                }
            }
        }
        let [resources, functions, subobjects, compute] = tables;
        if let Some(t) = resources {
            rdat.resources = t.read(|r| reader.resource(r))?;
        }
        if let Some(t) = functions {
            let rows = rdat.resources.len();
            rdat.functions = t.read(|r| reader.function(r, rows, t.stride, compute))?;
        }
        if let Some(t) = subobjects {
            rdat.subobjects = t.read(|r| reader.subobject(r))?;
        }
        rdat.externals = reader.externals();
        Ok(rdat)
    }
}

/// A table: records of one stride.
#[derive(Clone, Copy)]
struct Table<'a> {
    bytes: Bytes<'a>,
    count: usize,
    stride: usize,
}

impl<'a> Table<'a> {
    fn open(bytes: Bytes<'a>, at_least: usize) -> Result<Self, FormatError> {
        let (count, stride) = (bytes.u32(0)? as usize, bytes.u32(4)? as usize);
        if stride < at_least || stride % 4 != 0 {
            return Err(bytes.error(4, format!("record stride is {stride}, needed are {at_least}")));
        }
        bytes.slice(8, count as u64 * stride as u64)?;
        Ok(Table { bytes, count, stride })
    }

    fn read<T>(&self, mut record: impl FnMut(Bytes<'a>) -> Result<T, FormatError>) -> Result<Vec<T>, FormatError> {
        let mut out = Vec::with_capacity(self.count);
        for i in 0..self.count {
            out.push(record(self.bytes.window(8 + i * self.stride, self.stride as u64)?)?);
        }
        Ok(out)
    }
}

struct Reader<'a> {
    strings: Bytes<'a>,
    indices: Bytes<'a>,
    raw: Bytes<'a>,
    /// Bytes of model that may still be made.
    left: usize,
    /// Offsets of dependency names.
    dependencies: Vec<u32>,
}

impl<'a> Reader<'a> {
    fn new(part: Bytes<'a>) -> Self {
        let empty = Bytes::new("RDAT", &[]);
        Reader {
            strings: empty,
            indices: empty,
            raw: empty,
            left: part.len().saturating_mul(MAX_EXPANSION.0).saturating_add(MAX_EXPANSION.1),
            dependencies: Vec::new(),
        }
    }

    fn spend(&mut self, r: &Bytes<'_>, at: usize, amount: usize) -> Result<(), FormatError> {
        match self.left.checked_sub(amount) {
            Some(rest) => {
                self.left = rest;
                Ok(())
            }
            None => Err(r.error(at, "records refer to far more data than the part has")),
        }
    }

    /// The string that the word at `at` refers to; a null reference is the empty string.
    fn string(&mut self, r: &Bytes<'_>, at: usize) -> Result<String, FormatError> {
        let offset = r.u32(at)?;
        self.string_at(r, at, offset)
    }

    fn string_at(&mut self, r: &Bytes<'_>, at: usize, offset: u32) -> Result<String, FormatError> {
        if offset == NULL {
            return Ok(String::new());
        }
        if offset as usize >= self.strings.len() {
            let why = format!("refers to a string at {offset}, the strings have {} bytes", self.strings.len());
            return Err(r.error(at, why));
        }
        let text = self.strings.text(offset as usize)?;
        self.spend(r, at, text.len())?;
        Ok(text.to_owned())
    }

    /// The index array that the word at `at` refers to; a null reference is the empty one.
    fn array(&mut self, r: &Bytes<'_>, at: usize) -> Result<Vec<u32>, FormatError> {
        let word = r.u32(at)?;
        if word == NULL {
            return Ok(Vec::new());
        }
        let start = word as usize * 4;
        if start >= self.indices.len() {
            let why = format!("refers to an array at word {word}, there are {}", self.indices.len() / 4);
            return Err(r.error(at, why));
        }
        let count = self.indices.u32(start)?;
        let values = self.indices.slice(start + 4, u64::from(count) * 4)?;
        self.spend(r, at, values.len())?;
        let (words, _) = values.as_chunks::<4>();
        Ok(words.iter().map(|w| u32::from_le_bytes(*w)).collect())
    }

    fn names(&mut self, r: &Bytes<'_>, at: usize) -> Result<Vec<String>, FormatError> {
        let offsets = self.array(r, at)?;
        offsets.into_iter().map(|o| self.string_at(r, at, o)).collect()
    }

    fn resource(&mut self, r: Bytes<'_>) -> Result<Resource, FormatError> {
        let resource = Resource {
            class: member(&r, 0, "resource class", ResourceClass::from_number)?,
            kind: member(&r, 4, "resource kind", ResourceKind::from_number)?,
            id: r.u32(8)?,
            space: r.u32(12)?,
            lower: r.u32(16)?,
            upper: r.u32(20)?,
            name: self.string(&r, 24)?,
            flags: r.u32(28)?,
        };
        // A resource without register has its lower bound at the end, and an upper one that wraps around.
        if resource.upper < resource.lower && resource.lower != u32::MAX {
            return Err(r.error(20, format!("last register {} is before the first, {}", resource.upper, resource.lower)));
        }
        Ok(resource)
    }

    fn function(&mut self, r: Bytes<'_>, rows: usize, stride: usize, compute: Option<Table<'_>>) -> Result<Function, FormatError> {
        let resources = self.array(&r, 8)?;
        if let Some(row) = resources.iter().find(|&&row| row as usize >= rows) {
            return Err(r.error(8, format!("refers to resource {row} of {rows}")));
        }
        for offset in self.array(&r, 12)? {
            self.dependencies.push(offset);
        }
        let target = r.u32(40)?;
        let min_target = MinTarget {
            kind: ShaderKind::from_u32(target >> 16).ok_or_else(|| r.error(40, format!("unknown shader kind {}", target >> 16)))?,
            model: Version::new(target >> 4 & 0xfff, target & 0xf),
        };
        let kind = member(&r, 16, "shader kind", ShaderKind::from_u32)?;
        let v2 = if stride >= FUNCTION_STRIDE_V2 {
            let info = r.u32(48)?;
            let compute = match compute {
                Some(t) if kind == ShaderKind::Compute && info != NULL => Some(self.compute(&r, info, t)?),
                _ => None,
            };
            FunctionV2 {
                min_wave_lanes: r.u8(44)?,
                max_wave_lanes: r.u8(45)?,
                flags: r.u16(46)?,
                stage_info: (info != NULL && compute.is_none()).then_some(info),
                compute,
            }
        } else {
            FunctionV2::default()
        };
        Ok(Function {
            name: self.string(&r, 0)?,
            unmangled: self.string(&r, 4)?,
            resources,
            dependencies: self.names(&r, 12)?,
            kind,
            payload_size: r.u32(20)?,
            attribute_size: r.u32(24)?,
            features: r.u64(28)?,
            stage_mask: r.u32(36)?,
            min_target,
            v2,
        })
    }

    /// The row of a compute shader's table that a function record refers to.
    fn compute(&mut self, function: &Bytes<'_>, row: u32, t: Table<'_>) -> Result<ComputeInfo, FormatError> {
        if row as usize >= t.count {
            return Err(function.error(48, format!("refers to compute shader {row} of {}", t.count)));
        }
        let r = t.bytes.window(8 + row as usize * t.stride, t.stride as u64)?;
        let mut threads = [1; 3];
        // Dimensions that are not there have one thread.
        for (n, said) in threads.iter_mut().zip(self.array(&r, 0)?) {
            *n = said;
        }
        Ok(ComputeInfo { threads, groupshared: r.u32(4)? })
    }

    fn subobject(&mut self, r: Bytes<'_>) -> Result<Subobject, FormatError> {
        let kind = member(&r, 0, "subobject kind", SubobjectKind::from_u32)?;
        let name = self.string(&r, 4)?;
        let value = match kind {
            SubobjectKind::StateObjectConfig => SubobjectValue::StateObjectConfig { flags: r.u32(8)? },
            SubobjectKind::GlobalRootSignature => SubobjectValue::GlobalRootSignature { data: self.bytes(&r)? },
            SubobjectKind::LocalRootSignature => SubobjectValue::LocalRootSignature { data: self.bytes(&r)? },
            SubobjectKind::SubobjectToExportsAssociation => {
                SubobjectValue::Association { subobject: self.string(&r, 8)?, exports: self.names(&r, 12)? }
            }
            SubobjectKind::RaytracingShaderConfig => SubobjectValue::ShaderConfig { max_payload: r.u32(8)?, max_attributes: r.u32(12)? },
            SubobjectKind::RaytracingPipelineConfig => SubobjectValue::PipelineConfig { max_recursion: r.u32(8)? },
            SubobjectKind::RaytracingPipelineConfig1 => SubobjectValue::PipelineConfig1 { max_recursion: r.u32(8)?, flags: r.u32(12)? },
            SubobjectKind::HitGroup => SubobjectValue::HitGroup {
                ty: member(&r, 8, "hit group type", HitGroupType::from_u32)?,
                any_hit: self.string(&r, 12)?,
                closest_hit: self.string(&r, 16)?,
                intersection: self.string(&r, 20)?,
            },
        };
        Ok(Subobject { name, value })
    }

    fn bytes(&mut self, r: &Bytes<'_>) -> Result<Vec<u8>, FormatError> {
        let (offset, size) = (r.u32(8)?, r.u32(12)?);
        if size == 0 {
            return Ok(Vec::new());
        }
        let Ok(data) = self.raw.slice(offset as usize, u64::from(size)) else {
            let why = format!("refers to {size} raw bytes at {offset}, there are {}", self.raw.len());
            return Err(r.error(8, why));
        };
        self.spend(r, 8, data.len())?;
        Ok(data.to_vec())
    }

    /// Names of external functions in the order in which the strings were first used.
    fn externals(&mut self) -> Vec<String> {
        let mut offsets = std::mem::take(&mut self.dependencies);
        offsets.sort_unstable();
        offsets.dedup();
        offsets.iter().filter_map(|&o| self.strings.text(o as usize).ok()).map(str::to_owned).collect()
    }
}

fn member<T>(r: &Bytes<'_>, at: usize, what: &str, from: impl Fn(u32) -> Option<T>) -> Result<T, FormatError> {
    let n = r.u32(at)?;
    from(n).ok_or_else(|| r.error(at, format!("unknown {what} {n}")))
}
