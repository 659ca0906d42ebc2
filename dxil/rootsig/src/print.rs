//! Printer of root signatures: [`super::parse()`] reads the text back to an equal signature. Arguments that
//! have their default are left out.

use std::fmt::{self, Display, Formatter, Write};

use super::words::{self, FlagWord, Visibility};
use super::{APPEND, Range, RootDescriptor, RootParam, RootParamKind, RootSignature, StaticSampler, UNBOUNDED};

impl Display for RootSignature {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let mut comma = |f: &mut Formatter<'_>| {
            if std::mem::take(&mut first) { Ok(()) } else { f.write_str(", ") }
        };
        if self.flags != 0 {
            comma(f)?;
            write!(f, "RootFlags({})", Flags(words::ROOT_FLAGS, self.flags))?;
        }
        for p in &self.params {
            comma(f)?;
            param(f, p)?;
        }
        for s in &self.samplers {
            comma(f)?;
            sampler(f, s)?;
        }
        Ok(())
    }
}

struct Flags(&'static [FlagWord], u32);

impl Display for Flags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut bar = "";
        for (name, bit) in self.0 {
            if self.1 & bit != 0 {
                write!(f, "{bar}{name}")?;
                bar = " | ";
            }
        }
        if bar.is_empty() { f.write_char('0') } else { Ok(()) }
    }
}

fn param(f: &mut Formatter<'_>, p: &RootParam) -> fmt::Result {
    match &p.kind {
        RootParamKind::Table(ranges) => {
            f.write_str("DescriptorTable(")?;
            for (i, r) in ranges.iter().enumerate() {
                if i > 0 {
                    f.write_str(", ")?;
                }
                range(f, r)?;
            }
        }
        RootParamKind::Constants { register, space: s, count } => {
            write!(f, "RootConstants(num32BitConstants={count}, b{register}")?;
            space(f, *s)?;
        }
        RootParamKind::Cbv(d) => descriptor(f, "CBV", 'b', d)?,
        RootParamKind::Srv(d) => descriptor(f, "SRV", 't', d)?,
        RootParamKind::Uav(d) => descriptor(f, "UAV", 'u', d)?,
    }
    visibility(f, p.visibility)?;
    f.write_char(')')
}

fn space(f: &mut Formatter<'_>, space: u32) -> fmt::Result {
    if space == 0 { Ok(()) } else { write!(f, ", space={space}") }
}

fn visibility(f: &mut Formatter<'_>, v: Visibility) -> fmt::Result {
    if v == Visibility::All { Ok(()) } else { write!(f, ", visibility={v}") }
}

fn descriptor(f: &mut Formatter<'_>, word: &str, letter: char, d: &RootDescriptor) -> fmt::Result {
    write!(f, "{word}({letter}{}", d.register)?;
    space(f, d.space)?;
    if d.flags != 0 {
        write!(f, ", flags={}", Flags(words::DESCRIPTOR_FLAGS, d.flags))?;
    }
    Ok(())
}

fn range(f: &mut Formatter<'_>, r: &Range) -> fmt::Result {
    write!(f, "{}({}{}", r.class, r.class.letter(), r.register)?;
    match r.count {
        1 => {}
        UNBOUNDED => f.write_str(", numDescriptors=unbounded")?,
        n => write!(f, ", numDescriptors={n}")?,
    }
    space(f, r.space)?;
    if r.flags != 0 {
        write!(f, ", flags={}", Flags(words::RANGE_FLAGS, r.flags))?;
    }
    if r.offset != APPEND {
        write!(f, ", offset={}", r.offset)?;
    }
    f.write_char(')')
}

fn sampler(f: &mut Formatter<'_>, s: &StaticSampler) -> fmt::Result {
    let usual = StaticSampler::default();
    write!(f, "StaticSampler(s{}", s.register)?;
    if s.filter != usual.filter
        && let Some(name) = s.filter.name()
    {
        write!(f, ", filter={name}")?;
    }
    for (axis, mode) in ['U', 'V', 'W'].into_iter().zip(s.address) {
        if mode != usual.address[0] {
            write!(f, ", address{axis}={mode}")?;
        }
    }
    if s.mip_lod_bias != usual.mip_lod_bias {
        write!(f, ", mipLODBias={:?}", s.mip_lod_bias)?;
    }
    if s.max_anisotropy != usual.max_anisotropy {
        write!(f, ", maxAnisotropy={}", s.max_anisotropy)?;
    }
    if s.comparison != usual.comparison {
        write!(f, ", comparisonFunc={}", s.comparison)?;
    }
    if s.border != usual.border {
        write!(f, ", borderColor={}", s.border)?;
    }
    if s.min_lod != usual.min_lod {
        write!(f, ", minLOD={:?}", s.min_lod)?;
    }
    if s.max_lod != usual.max_lod {
        write!(f, ", maxLOD={:?}", s.max_lod)?;
    }
    space(f, s.space)?;
    visibility(f, s.visibility)?;
    if s.flags != 0 {
        write!(f, ", flags={}", Flags(words::SAMPLER_FLAGS, s.flags))?;
    }
    f.write_char(')')
}
