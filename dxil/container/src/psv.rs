//! `PSV0`, pipeline state validation: shader properties that a pipeline needs without reading the bitcode. Libraries have none.
//!
//! The record grew with the validator: 24 bytes of stage information at first, then 36, 48, 52, 56.
//! What compute shaders have is modelled; the signature tables of graphics stages are carried as
//! bytes.

use super::bytes::pad4;
use super::{Bytes, FormatError, ShaderKind, Version, put_u32};

/// Stage information and resources of one shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Psv {
    /// Which record: 0 to 4.
    pub version: u8,
    /// Words that depend on the stage; zero for compute.
    pub stage_words: [u32; 4],
    /// Fewest lanes of a wave, 0 if not said.
    pub min_wave_lanes: u32,
    /// Most lanes of a wave, `u32::MAX` if not said.
    pub max_wave_lanes: u32,
    /// Stage (record 1 and up).
    pub stage: ShaderKind,
    /// Whether it uses the view id.
    pub uses_view_id: bool,
    /// Two bytes that depend on the stage.
    pub stage_half: u16,
    /// Elements of input, output and patch signatures, input vectors, output vectors a stream: eight
    /// bytes, zero for compute.
    pub signature_counts: [u8; 8],
    /// Threads of a group (record 2 and up).
    pub threads: [u32; 3],
    /// Entry point (record 3 and up).
    pub entry: String,
    /// Bytes of group-shared memory (record 4).
    pub groupshared: u32,
    /// Resources: constant buffers, samplers, SRVs, UAVs.
    pub resources: Vec<PsvResource>,
    /// Everything after the resources (record 1 and up) when there are signature elements: strings,
    /// semantic indices, elements, dependency tables. Empty for compute, whose strings are `entry`.
    pub signature_data: Vec<u8>,
}

/// One resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PsvResource {
    /// Type; see [`resource_type`].
    pub ty: u32,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower: u32,
    /// Last register, inclusive.
    pub upper: u32,
    /// Kind, as in RDAT (record 2 and up).
    pub kind: u32,
    /// 1 when 64-bit atomics are used on it (record 2 and up).
    pub flags: u32,
}

/// Values of [`PsvResource::ty`].
pub mod resource_type {
    use crate::{ResourceClass, ResourceKind};

    /// Sampler.
    pub const SAMPLER: u32 = 1;
    /// Constant buffer.
    pub const CBV: u32 = 2;
    /// Typed SRV.
    pub const SRV_TYPED: u32 = 3;
    /// Raw SRV; also acceleration structures.
    pub const SRV_RAW: u32 = 4;
    /// Structured SRV.
    pub const SRV_STRUCTURED: u32 = 5;
    /// Typed UAV.
    pub const UAV_TYPED: u32 = 6;
    /// Raw UAV.
    pub const UAV_RAW: u32 = 7;
    /// Structured UAV.
    pub const UAV_STRUCTURED: u32 = 8;
    /// Structured UAV with a counter.
    pub const UAV_STRUCTURED_COUNTER: u32 = 9;

    /// The one of a resource, which may have a hidden counter.
    pub fn of(class: ResourceClass, kind: ResourceKind, counter: bool) -> u32 {
        use ResourceClass as C;
        use ResourceKind as K;
        match (class, kind) {
            (C::Cbv, _) => CBV,
            (C::Sampler, _) => SAMPLER,
            (C::Srv, K::RawBuffer | K::AccelerationStructure) => SRV_RAW,
            (C::Srv, K::StructuredBuffer) => SRV_STRUCTURED,
            (C::Srv, _) => SRV_TYPED,
            (C::Uav, K::RawBuffer) => UAV_RAW,
            (C::Uav, K::StructuredBuffer) if counter => UAV_STRUCTURED_COUNTER,
            (C::Uav, K::StructuredBuffer) => UAV_STRUCTURED,
            (C::Uav, _) => UAV_TYPED,
        }
    }
}

/// Bytes of the stage information, by record.
const INFO_SIZE: [usize; 5] = [24, 36, 48, 52, 56];

fn resource_size(version: u8) -> usize {
    if version >= 2 { 24 } else { 16 }
}

impl Psv {
    /// The record that belongs to a validator version (major 0 means the newest).
    pub fn record_for(validator: Version) -> u8 {
        let since = |minor| validator.major == 0 || validator >= Version::new(1, minor);
        [1, 6, 8, 10].into_iter().filter(|&minor| since(minor)).count() as u8
    }

    /// The information of a compute shader, without resources.
    pub fn compute(validator: Version, entry: &str, threads: [u32; 3]) -> Self {
        Psv {
            version: Psv::record_for(validator),
            stage_words: [0; 4],
            min_wave_lanes: 0,
            max_wave_lanes: u32::MAX,
            stage: ShaderKind::Compute,
            uses_view_id: false,
            stage_half: 0,
            signature_counts: [0; 8],
            threads,
            entry: entry.to_owned(),
            groupshared: 0,
            resources: Vec::new(),
            signature_data: Vec::new(),
        }
    }

    /// Reads the part.
    ///
    /// # Errors
    /// When a size does not fit or the stage is unknown.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let b = Bytes::new("PSV0", data);
        let info_size = b.u32(0)? as usize;
        let Some(version) = INFO_SIZE.iter().rposition(|&s| info_size >= s) else {
            return Err(b.error(0, format!("stage information of {info_size} bytes is too short")));
        };
        let info = b.window(4, info_size as u64)?;
        let version = version as u8;
        let word = |i: usize| info.u32(4 * i);
        let mut psv = Psv::compute(Version::new(1, 0), "", [0; 3]);
        psv.version = version;
        psv.stage_words = [word(0)?, word(1)?, word(2)?, word(3)?];
        psv.min_wave_lanes = word(4)?;
        psv.max_wave_lanes = word(5)?;
        if version >= 1 {
            let stage = info.u8(24)?;
            psv.stage = ShaderKind::from_u32(u32::from(stage)).ok_or_else(|| info.error(24, format!("unknown shader kind {stage}")))?;
            psv.uses_view_id = info.u8(25)? != 0;
            psv.stage_half = info.u16(26)?;
            psv.signature_counts.copy_from_slice(info.slice(28, 8)?);
        }
        if version >= 2 {
            psv.threads = [word(9)?, word(10)?, word(11)?];
        }
        let entry_at = if version >= 3 { word(12)? as usize } else { 0 };
        if version >= 4 {
            psv.groupshared = word(13)?;
        }
        let mut at = 4 + info_size;
        let count = b.u32(at)?;
        at += 4;
        if count > 0 {
            let stride = b.u32(at)? as usize;
            at += 4;
            if stride < resource_size(version) {
                return Err(b.error(at - 4, format!("resource records of {stride} bytes are too short")));
            }
            let table = b.window(at, u64::from(count) * stride as u64)?;
            for i in 0..count as usize {
                psv.resources.push(resource(&table, i * stride, version)?);
            }
            at += table.len();
        }
        if version == 0 {
            return Ok(psv);
        }
        let strings = b.window(at + 4, u64::from(b.u32(at)?))?;
        if version >= 3 {
            psv.entry = strings.text(entry_at)?.to_owned();
        }
        let indices_at = at + 4 + strings.len();
        let indices = b.u32(indices_at)?;
        let end = b.window(indices_at + 4, u64::from(indices) * 4)?.len() + indices_at + 4;
        if psv.signature_counts != [0; 8] || end != data.len() {
            psv.signature_data = b.slice(at, (data.len() - at) as u64)?.to_vec();
        }
        Ok(psv)
    }

    /// The part's data.
    pub fn write(&self) -> Vec<u8> {
        let version = self.version.min(4);
        let mut out = Vec::new();
        put_u32(&mut out, INFO_SIZE[usize::from(version)] as u32);
        for word in self.stage_words {
            put_u32(&mut out, word);
        }
        put_u32(&mut out, self.min_wave_lanes);
        put_u32(&mut out, self.max_wave_lanes);
        if version >= 1 {
            let head = self.stage.as_u32() | u32::from(self.uses_view_id) << 8;
            put_u32(&mut out, head | u32::from(self.stage_half) << 16);
            out.extend_from_slice(&self.signature_counts);
        }
        if version >= 2 {
            for n in self.threads {
                put_u32(&mut out, n);
            }
        }
        let mut strings = vec![0];
        if version >= 3 {
            put_u32(&mut out, self.entry_offset());
            strings.extend_from_slice(self.entry.as_bytes());
            strings.push(0);
        }
        if version >= 4 {
            put_u32(&mut out, self.groupshared);
        }
        put_u32(&mut out, self.resources.len() as u32);
        if !self.resources.is_empty() {
            put_u32(&mut out, resource_size(version) as u32);
        }
        for r in &self.resources {
            for word in [r.ty, r.space, r.lower, r.upper] {
                put_u32(&mut out, word);
            }
            if version >= 2 {
                put_u32(&mut out, r.kind);
                put_u32(&mut out, r.flags);
            }
        }
        if version >= 1 {
            if self.signature_data.is_empty() {
                pad4(&mut strings);
                put_u32(&mut out, strings.len() as u32);
                out.extend_from_slice(&strings);
                put_u32(&mut out, 0);
            } else {
                out.extend_from_slice(&self.signature_data);
            }
        }
        out
    }

    /// The same in an older record, as a compiler writes it that knows no newer one.
    #[must_use]
    pub fn in_record(&self, version: u8) -> Psv {
        let mut older = self.clone();
        older.version = self.version.min(version);
        // The name of the entry point is the last text, until there is none.
        let data = &self.signature_data;
        if self.version >= 3
            && older.version < 3
            && let Some((len, rest)) = data.split_first_chunk()
            && let Some((texts, rest)) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)
            && let Some(texts) = texts.get(..self.entry_offset() as usize)
        {
            let mut texts = texts.to_vec();
            pad4(&mut texts);
            older.signature_data.clear();
            put_u32(&mut older.signature_data, texts.len() as u32);
            older.signature_data.extend_from_slice(&texts);
            older.signature_data.extend_from_slice(rest);
        }
        older
    }

    /// Where the entry point's name lies in the strings: it is the last one.
    fn entry_offset(&self) -> u32 {
        let Some(strings) = self.signature_data.get(4..) else {
            return 1;
        };
        let len = self.signature_data.first_chunk().map_or(0, |b| u32::from_le_bytes(*b)) as usize;
        let (mut at, mut found) = (0, 0);
        for text in strings[..len.min(strings.len())].split(|&b| b == 0) {
            if text == self.entry.as_bytes() {
                found = at;
            }
            at += text.len() as u32 + 1;
        }
        found
    }
}

fn resource(table: &Bytes<'_>, at: usize, version: u8) -> Result<PsvResource, FormatError> {
    let long = version >= 2;
    Ok(PsvResource {
        ty: table.u32(at)?,
        space: table.u32(at + 4)?,
        lower: table.u32(at + 8)?,
        upper: table.u32(at + 12)?,
        kind: if long { table.u32(at + 16)? } else { 0 },
        flags: if long { table.u32(at + 20)? } else { 0 },
    })
}
