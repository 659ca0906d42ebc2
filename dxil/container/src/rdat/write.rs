//! Serialisation of RDAT, in the reference compiler's order.
//!
//! Three pools fill up while the tables are made: strings, index arrays, raw bytes. What is requested
//! again is found again.

use rustc_hash::FxHashMap;

use super::{
    COMPUTE_STRIDE, FUNCTION_STRIDE_V1, FUNCTION_STRIDE_V2, Function, NULL, RDAT_VERSION, RESOURCE_STRIDE, Rdat, Resource,
    SUBOBJECT_STRIDE, Subobject, SubobjectValue, part,
};
use crate::bytes::pad4;
use crate::{Version, put_u16, put_u32};

/// Validators before this one know neither subobjects nor raw bytes.
const SUBOBJECTS_SINCE: Version = Version::new(1, 4);
/// Validators since this one have identical records of a table only once.
const SHARED_RECORDS_SINCE: Version = Version::new(1, 7);
/// Validators since this one have the long function record.
const FUNCTION_V2_SINCE: Version = Version::new(1, 8);

impl Rdat {
    /// The part's bytes for modules of this validator version (`dx.valver`; major 0 means the newest).
    ///
    /// Subobjects are left out below 1.4, [`super::FunctionV2`] below 1.8, [`Rdat::other_tables`] always. Whether
    /// [`super::ComputeInfo`] belongs in depends on the shader model too, so the caller decides that.
    pub fn write(&self, validator: Version) -> Vec<u8> {
        let since = |v: Version| validator.major == 0 || validator >= v;
        let function_stride = if since(FUNCTION_V2_SINCE) { FUNCTION_STRIDE_V2 } else { FUNCTION_STRIDE_V1 };
        let share = since(SHARED_RECORDS_SINCE);
        let mut pools = Pools::new();
        let mut resources = Table::new(RESOURCE_STRIDE, share);
        let mut functions = Table::new(function_stride, share);
        let mut subobjects = Table::new(SUBOBJECT_STRIDE, share);
        let mut compute = Table::new(COMPUTE_STRIDE, share);

        for r in &self.resources {
            resources.record(|out| resource(out, r, &mut pools));
        }
        for name in &self.externals {
            pools.string(name);
        }
        for f in &self.functions {
            functions.record(|out| function(out, f, &mut pools, function_stride, &mut compute));
        }
        if since(SUBOBJECTS_SINCE) {
            for s in &self.subobjects {
                subobjects.record(|out| subobject(out, s, &mut pools));
            }
        }

        let index_bytes: Vec<u8> = pools.indices.iter().flat_map(|w| w.to_le_bytes()).collect();
        let parts = [
            (part::STRINGS, pools.strings),
            (part::RESOURCES, resources.finish()),
            (part::FUNCTIONS, functions.finish()),
            (part::INDEX_ARRAYS, index_bytes),
            (part::RAW_BYTES, pools.raw),
            (part::SUBOBJECTS, subobjects.finish()),
            (part::COMPUTE, compute.finish()),
        ];
        assemble(&parts)
    }
}

/// Header, offsets, and every part that is not empty.
fn assemble(parts: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let used = || parts.iter().filter(|(_, data)| !data.is_empty());
    let count = used().count();
    let mut out = Vec::new();
    put_u32(&mut out, RDAT_VERSION);
    put_u32(&mut out, count as u32);
    let mut at = 8 + 4 * count;
    for (_, data) in used() {
        put_u32(&mut out, at as u32);
        at += 8 + data.len().next_multiple_of(4);
    }
    for (ty, data) in used() {
        put_u32(&mut out, *ty);
        put_u32(&mut out, data.len().next_multiple_of(4) as u32);
        out.extend_from_slice(data);
        pad4(&mut out);
    }
    out
}

struct Pools<'a> {
    strings: Vec<u8>,
    string_at: FxHashMap<&'a str, u32>,
    indices: Vec<u32>,
    array_at: FxHashMap<Box<[u32]>, u32>,
    raw: Vec<u8>,
    raw_at: FxHashMap<&'a [u8], u32>,
}

impl<'a> Pools<'a> {
    fn new() -> Self {
        let mut pools = Pools {
            strings: Vec::new(),
            string_at: FxHashMap::default(),
            indices: Vec::new(),
            array_at: FxHashMap::default(),
            raw: Vec::new(),
            raw_at: FxHashMap::default(),
        };
        pools.string("");
        pools
    }

    fn string(&mut self, text: &'a str) -> u32 {
        let end = self.strings.len() as u32;
        let at = *self.string_at.entry(text).or_insert(end);
        if at == end {
            self.strings.extend_from_slice(text.as_bytes());
            self.strings.push(0);
        }
        at
    }

    fn array(&mut self, values: Vec<u32>) -> u32 {
        let end = self.indices.len() as u32;
        if let Some(&at) = self.array_at.get(values.as_slice()) {
            return at;
        }
        self.indices.push(values.len() as u32);
        self.indices.extend_from_slice(&values);
        self.array_at.insert(values.into(), end);
        end
    }

    /// A list of which nothing means no reference at all.
    fn array_or_null(&mut self, values: Vec<u32>) -> u32 {
        if values.is_empty() { NULL } else { self.array(values) }
    }

    fn strings(&mut self, texts: &'a [String]) -> Vec<u32> {
        texts.iter().map(|t| self.string(t)).collect()
    }

    fn bytes(&mut self, data: &'a [u8]) -> u32 {
        let end = self.raw.len() as u32;
        let at = *self.raw_at.entry(data).or_insert(end);
        if at == end {
            self.raw.extend_from_slice(data);
        }
        at
    }
}

struct Table {
    stride: usize,
    count: u32,
    rows: Vec<u8>,
    share: bool,
    seen: FxHashMap<Box<[u8]>, u32>,
}

impl Table {
    fn new(stride: usize, share: bool) -> Self {
        Table { stride, count: 0, rows: Vec::new(), share, seen: FxHashMap::default() }
    }

    /// Adds a record, or finds it if records are shared. Its row.
    fn record(&mut self, fill: impl FnOnce(&mut Vec<u8>)) -> u32 {
        let start = self.rows.len();
        fill(&mut self.rows);
        debug_assert_eq!(self.rows.len() - start, self.stride);
        if self.share {
            let row = *self.seen.entry(self.rows[start..].into()).or_insert(self.count);
            if row != self.count {
                self.rows.truncate(start);
                return row;
            }
        }
        self.count += 1;
        self.count - 1
    }

    fn finish(self) -> Vec<u8> {
        if self.count == 0 {
            return Vec::new();
        }
        let mut out = Vec::with_capacity(8 + self.rows.len());
        put_u32(&mut out, self.count);
        put_u32(&mut out, self.stride as u32);
        out.extend_from_slice(&self.rows);
        out
    }
}

fn put_all(out: &mut Vec<u8>, words: &[u32]) {
    for &w in words {
        put_u32(out, w);
    }
}

fn resource<'a>(out: &mut Vec<u8>, r: &'a Resource, pools: &mut Pools<'a>) {
    let name = pools.string(&r.name);
    put_all(out, &[r.class.number(), r.kind.number(), r.id, r.space, r.lower, r.upper, name, r.flags]);
}

fn function<'a>(out: &mut Vec<u8>, f: &'a Function, pools: &mut Pools<'a>, stride: usize, compute: &mut Table) {
    let name = pools.string(&f.name);
    let unmangled = pools.string(&f.unmangled);
    let resources = pools.array_or_null(f.resources.clone());
    let dependencies = pools.strings(&f.dependencies);
    let dependencies = pools.array_or_null(dependencies);
    put_all(
        out,
        &[
            name,
            unmangled,
            resources,
            dependencies,
            f.kind.as_u32(),
            f.payload_size,
            f.attribute_size,
            f.features as u32,
            (f.features >> 32) as u32,
            f.stage_mask,
            f.min_target.pack(),
        ],
    );
    if stride == FUNCTION_STRIDE_V2 {
        out.push(f.v2.min_wave_lanes);
        out.push(f.v2.max_wave_lanes);
        put_u16(out, f.v2.flags);
        let row = f.v2.compute.map(|c| {
            let threads = pools.array(c.threads.into());
            compute.record(|out| put_all(out, &[threads, c.groupshared]))
        });
        put_u32(out, row.or(f.v2.stage_info).unwrap_or(NULL));
    }
}

fn subobject<'a>(out: &mut Vec<u8>, s: &'a Subobject, pools: &mut Pools<'a>) {
    let name = pools.string(&s.name);
    let words = match &s.value {
        SubobjectValue::StateObjectConfig { flags } => [*flags, 0, 0, 0],
        SubobjectValue::GlobalRootSignature { data } | SubobjectValue::LocalRootSignature { data } => {
            [pools.bytes(data), data.len() as u32, 0, 0]
        }
        SubobjectValue::Association { subobject, exports } => {
            let subobject = pools.string(subobject);
            let exports = pools.strings(exports);
            [subobject, pools.array(exports), 0, 0]
        }
        SubobjectValue::ShaderConfig { max_payload, max_attributes } => [*max_payload, *max_attributes, 0, 0],
        SubobjectValue::PipelineConfig { max_recursion } => [*max_recursion, 0, 0, 0],
        SubobjectValue::PipelineConfig1 { max_recursion, flags } => [*max_recursion, *flags, 0, 0],
        SubobjectValue::HitGroup { ty, any_hit, closest_hit, intersection } => {
            [ty.as_u32(), pools.string(any_hit), pools.string(closest_hit), pools.string(intersection)]
        }
    };
    put_u32(out, s.value.kind().as_u32());
    put_u32(out, name);
    put_all(out, &words);
}
