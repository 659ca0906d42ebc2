//! The serialised form of root signatures, as in `RTS0`, in RDAT and in API blobs.
//!
//! A header (version, parameters, static samplers, flags), one 12-byte record a parameter (type,
//! visibility, offset), then each parameter's own data in order, then the samplers. Offsets count from
//! the start. Version 1.1 adds a flags word to ranges and root descriptors, 1.2 one to samplers.

use super::words::{AddressMode, BorderColor, Comparison, Filter, Visibility};
use super::{Range, RootDescriptor, RootParam, RootParamKind, RootSignature, RootVersion, StaticSampler};
use rtc_dxil_container::{Bytes, FormatError, ResourceClass, put_u32};

const HEADER: usize = 24;
const PARAM: usize = 12;

fn range_size(version: RootVersion) -> usize {
    if version >= RootVersion::V1_1 { 24 } else { 20 }
}

fn descriptor_size(version: RootVersion) -> usize {
    if version >= RootVersion::V1_1 { 12 } else { 8 }
}

fn sampler_size(version: RootVersion) -> usize {
    if version >= RootVersion::V1_2 { 56 } else { 52 }
}

/// Bytes of a parameter's own data.
fn payload_size(kind: &RootParamKind, version: RootVersion) -> usize {
    match kind {
        RootParamKind::Table(ranges) => 8 + ranges.len() * range_size(version),
        RootParamKind::Constants { .. } => 12,
        _ => descriptor_size(version),
    }
}

fn param_type(kind: &RootParamKind) -> u32 {
    match kind {
        RootParamKind::Table(_) => 0,
        RootParamKind::Constants { .. } => 1,
        RootParamKind::Cbv(_) => 2,
        RootParamKind::Srv(_) => 3,
        RootParamKind::Uav(_) => 4,
    }
}

/// The binary form. Flags that the version does not have are left out.
pub fn write(signature: &RootSignature) -> Vec<u8> {
    let version = signature.version;
    let params_end = HEADER + PARAM * signature.params.len();
    let payload: usize = signature.params.iter().map(|p| payload_size(&p.kind, version)).sum();
    let samplers_at = params_end + payload;
    let mut out = Vec::with_capacity(samplers_at + signature.samplers.len() * sampler_size(version));
    for word in
        [version as u32, signature.params.len() as u32, HEADER as u32, signature.samplers.len() as u32, samplers_at as u32, signature.flags]
    {
        put_u32(&mut out, word);
    }
    let mut at = params_end;
    for p in &signature.params {
        put_u32(&mut out, param_type(&p.kind));
        put_u32(&mut out, p.visibility.as_u32());
        put_u32(&mut out, at as u32);
        at += payload_size(&p.kind, version);
    }
    for p in &signature.params {
        match &p.kind {
            RootParamKind::Table(ranges) => write_table(&mut out, ranges, version),
            RootParamKind::Constants { register, space, count } => {
                for word in [*register, *space, *count] {
                    put_u32(&mut out, word);
                }
            }
            RootParamKind::Cbv(d) | RootParamKind::Srv(d) | RootParamKind::Uav(d) => {
                put_u32(&mut out, d.register);
                put_u32(&mut out, d.space);
                if version >= RootVersion::V1_1 {
                    put_u32(&mut out, d.flags);
                }
            }
        }
    }
    for s in &signature.samplers {
        write_sampler(&mut out, s, version);
    }
    out
}

fn write_table(out: &mut Vec<u8>, ranges: &[Range], version: RootVersion) {
    put_u32(out, ranges.len() as u32);
    put_u32(out, out.len() as u32 + 4);
    for r in ranges {
        for word in [r.class.number(), r.count, r.register, r.space] {
            put_u32(out, word);
        }
        if version >= RootVersion::V1_1 {
            put_u32(out, r.flags);
        }
        put_u32(out, r.offset);
    }
}

#[rustfmt::skip]
fn write_sampler(out: &mut Vec<u8>, s: &StaticSampler, version: RootVersion) {
    let [u, v, w] = s.address;
    for word in [
        s.filter.0, u.as_u32(), v.as_u32(), w.as_u32(), s.mip_lod_bias.to_bits(), s.max_anisotropy,
        s.comparison.as_u32(), s.border.as_u32(), s.min_lod.to_bits(), s.max_lod.to_bits(),
        s.register, s.space, s.visibility.as_u32(),
    ] {
        put_u32(out, word);
    }
    if version >= RootVersion::V1_2 {
        put_u32(out, s.flags);
    }
}

/// Reads the binary form.
///
/// # Errors
/// When an offset or a count does not fit, or a number is none that the form knows. Whether the
/// content makes sense is [`super::check()`]'s business.
pub fn read(data: &[u8]) -> Result<RootSignature, FormatError> {
    let b = Bytes::new("root signature", data);
    let version = match b.u32(0)? {
        1 => RootVersion::V1_0,
        2 => RootVersion::V1_1,
        3 => RootVersion::V1_2,
        n => return Err(b.error(0, format!("unknown root signature version number {n}"))),
    };
    let (param_count, params_at) = (b.u32(4)?, b.u32(8)? as usize);
    let (sampler_count, samplers_at) = (b.u32(12)?, b.u32(16)? as usize);
    let flags = b.u32(20)?;
    b.slice(params_at, u64::from(param_count) * PARAM as u64)?;
    // Records may share their data, so what they add up to is bounded apart.
    let mut ranges_left = data.len() / range_size(version);
    let mut params = Vec::with_capacity(param_count as usize);
    for i in 0..param_count as usize {
        let at = params_at + i * PARAM;
        let ty = b.u32(at)?;
        let visibility = member(&b, at + 4, "shader visibility", Visibility::from_u32)?;
        let payload = b.u32(at + 8)? as usize;
        let kind = match ty {
            0 => RootParamKind::Table(read_table(&b, payload, version, &mut ranges_left)?),
            1 => RootParamKind::Constants { register: b.u32(payload)?, space: b.u32(payload + 4)?, count: b.u32(payload + 8)? },
            2 => RootParamKind::Cbv(read_descriptor(&b, payload, version)?),
            3 => RootParamKind::Srv(read_descriptor(&b, payload, version)?),
            4 => RootParamKind::Uav(read_descriptor(&b, payload, version)?),
            n => return Err(b.error(at, format!("unknown root parameter type {n}"))),
        };
        params.push(RootParam { visibility, kind });
    }
    let size = sampler_size(version);
    b.slice(samplers_at, u64::from(sampler_count) * size as u64)?;
    let mut samplers = Vec::with_capacity(sampler_count as usize);
    for i in 0..sampler_count as usize {
        samplers.push(read_sampler(&b, samplers_at + i * size, version)?);
    }
    Ok(RootSignature { version, flags, params, samplers })
}

fn member<T>(b: &Bytes<'_>, at: usize, what: &str, from: impl Fn(u32) -> Option<T>) -> Result<T, FormatError> {
    let n = b.u32(at)?;
    from(n).ok_or_else(|| b.error(at, format!("unknown {what} {n}")))
}

fn read_table(b: &Bytes<'_>, at: usize, version: RootVersion, left: &mut usize) -> Result<Vec<Range>, FormatError> {
    let count = b.u32(at)? as usize;
    let ranges_at = b.u32(at + 4)? as usize;
    let size = range_size(version);
    b.slice(ranges_at, count as u64 * size as u64)?;
    let Some(rest) = left.checked_sub(count) else {
        return Err(b.error(at, "tables have more ranges together than the data has room for"));
    };
    *left = rest;
    let mut ranges = Vec::with_capacity(count);
    for i in 0..count {
        let at = ranges_at + i * size;
        let new = version >= RootVersion::V1_1;
        ranges.push(Range {
            class: member(b, at, "descriptor range type", ResourceClass::from_number)?,
            count: b.u32(at + 4)?,
            register: b.u32(at + 8)?,
            space: b.u32(at + 12)?,
            flags: if new { b.u32(at + 16)? } else { 0 },
            offset: b.u32(if new { at + 20 } else { at + 16 })?,
        });
    }
    Ok(ranges)
}

fn read_descriptor(b: &Bytes<'_>, at: usize, version: RootVersion) -> Result<RootDescriptor, FormatError> {
    Ok(RootDescriptor { register: b.u32(at)?, space: b.u32(at + 4)?, flags: if version >= RootVersion::V1_1 { b.u32(at + 8)? } else { 0 } })
}

fn read_sampler(b: &Bytes<'_>, at: usize, version: RootVersion) -> Result<StaticSampler, FormatError> {
    let address = |i: usize| member(b, at + 4 + 4 * i, "texture address mode", AddressMode::from_u32);
    Ok(StaticSampler {
        filter: Filter(b.u32(at)?),
        address: [address(0)?, address(1)?, address(2)?],
        mip_lod_bias: f32::from_bits(b.u32(at + 16)?),
        max_anisotropy: b.u32(at + 20)?,
        comparison: member(b, at + 24, "comparison", Comparison::from_u32)?,
        border: member(b, at + 28, "border colour", BorderColor::from_u32)?,
        min_lod: f32::from_bits(b.u32(at + 32)?),
        max_lod: f32::from_bits(b.u32(at + 36)?),
        register: b.u32(at + 40)?,
        space: b.u32(at + 44)?,
        visibility: member(b, at + 48, "shader visibility", Visibility::from_u32)?,
        flags: if version >= RootVersion::V1_2 { b.u32(at + 52)? } else { 0 },
    })
}
