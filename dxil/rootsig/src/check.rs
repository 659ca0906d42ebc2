//! Validation of one root signature: overlapping registers, ranges past the last register, conflicting
//! flags, values out of range, total size of the arguments.

use super::layout::record_layout;
use super::words::{self, Comparison, FlagWord, Visibility};
use super::{APPEND, LOCAL_ROOT_SIGNATURE, Range, RootParamKind, RootSignature, RootVersion, UNBOUNDED};
use rtc_dxil_container::ResourceClass;

/// The part of a root signature that a problem is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// A root parameter, by index.
    Param(usize),
    /// A static sampler, by index.
    Sampler(usize),
    /// The flags, or everything together.
    Whole,
}

/// A contradiction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where.
    pub place: Location,
    /// What, without a full stop.
    pub message: String,
}

/// Register spaces from here on belong to the system.
const RESERVED_SPACES: u32 = 0xffff_fff0;
/// 32-bit words that a root signature outside of shader records may take.
pub const MAX_WORDS: u64 = 64;
const MIP_LOD_BIAS: std::ops::RangeInclusive<f32> = -16.0..=15.99;
const MAX_ANISOTROPY: u32 = 16;
/// `DATA_VOLATILE`, `DATA_STATIC_WHILE_SET_AT_EXECUTE`, `DATA_STATIC`.
const DATA_FLAGS: u32 = 0xe;
const DATA_STATIC: u32 = 0x8;
const DESCRIPTORS_VOLATILE: u32 = 0x1;
/// Root flags that a local root signature may carry besides its own: the heap flags.
const FLAGS_BESIDE_LOCAL: u32 = LOCAL_ROOT_SIGNATURE | 0xc00;

/// Finds every contradiction; an empty list means that the signature is sound.
pub fn check(signature: &RootSignature) -> Vec<Problem> {
    let mut c = Checker { problems: Vec::new(), registers: Vec::new() };
    c.flags(signature);
    for (i, param) in signature.params.iter().enumerate() {
        let place = Location::Param(i);
        let one = |class, register, space| Registers { class, space, first: register, last: register, visibility: param.visibility, place };
        match &param.kind {
            RootParamKind::Table(ranges) => c.table(ranges, param.visibility, place, signature.version),
            RootParamKind::Constants { register, space, .. } => {
                c.register(one(ResourceClass::Cbv, *register, *space));
            }
            RootParamKind::Cbv(d) | RootParamKind::Srv(d) | RootParamKind::Uav(d) => {
                c.flag_bits(place, "root descriptor", words::DESCRIPTOR_FLAGS, d.flags, signature.version >= RootVersion::V1_1);
                c.one_data_flag(place, d.flags);
                let class = match param.kind {
                    RootParamKind::Srv(_) => ResourceClass::Srv,
                    RootParamKind::Uav(_) => ResourceClass::Uav,
                    _ => ResourceClass::Cbv,
                };
                c.register(one(class, d.register, d.space));
            }
        }
    }
    c.samplers(signature);
    c.overlaps();
    c.size(signature);
    c.problems
}

/// Finds what a signature may say although no device takes it: the limit of the root arguments is one of Direct3D, not of the language.
pub fn remarks(signature: &RootSignature) -> Vec<Problem> {
    let words = signature.words();
    if signature.is_local() || words <= MAX_WORDS {
        return Vec::new();
    }
    let message = format!("the root arguments take {words} words of 32 bits, the limit is {MAX_WORDS}");
    vec![Problem { place: Location::Whole, message }]
}

/// Registers that something binds.
#[derive(Clone, Copy)]
struct Registers {
    class: ResourceClass,
    space: u32,
    first: u32,
    last: u32,
    visibility: Visibility,
    place: Location,
}

struct Checker {
    problems: Vec<Problem>,
    registers: Vec<Registers>,
}

impl Checker {
    fn add(&mut self, place: Location, message: String) {
        self.problems.push(Problem { place, message });
    }

    fn flags(&mut self, signature: &RootSignature) {
        let flags = signature.flags;
        let unknown = flags & !words::mask(words::ROOT_FLAGS);
        if unknown != 0 {
            self.add(Location::Whole, format!("unknown root signature flags {unknown:#x}"));
        }
        if signature.is_local() && flags & !unknown & !FLAGS_BESIDE_LOCAL != 0 {
            self.add(
                Location::Whole,
                "LOCAL_ROOT_SIGNATURE excludes the flags for input layout, stream output and denied stages".to_owned(),
            );
        }
    }

    fn flag_bits(&mut self, place: Location, of: &str, words: &[FlagWord], flags: u32, allowed: bool) {
        let unknown = flags & !words::mask(words);
        if unknown != 0 {
            self.add(place, format!("unknown {of} flags {unknown:#x}"));
        } else if flags != 0 && !allowed {
            self.add(place, format!("{of} flags {flags:#x} do not exist in this root signature version"));
        }
    }

    fn one_data_flag(&mut self, place: Location, flags: u32) {
        if (flags & DATA_FLAGS).count_ones() > 1 {
            self.add(place, "more than one DATA_* flag".to_owned());
        }
    }

    fn table(&mut self, ranges: &[Range], visibility: Visibility, place: Location, version: RootVersion) {
        let samplers = ranges.iter().filter(|r| r.class == ResourceClass::Sampler).count();
        if samplers != 0 && samplers != ranges.len() {
            self.add(place, "samplers and other descriptors cannot share a table".to_owned());
        }
        // Index of the next appended descriptor; `None` after a range without bound.
        let mut next = Some(0u64);
        for (i, r) in ranges.iter().enumerate() {
            self.flag_bits(place, "descriptor range", words::RANGE_FLAGS, r.flags, version >= RootVersion::V1_1);
            if r.class == ResourceClass::Sampler {
                if r.flags & DATA_FLAGS != 0 {
                    self.add(place, format!("range {i}: samplers have no data, DATA_* flags do not apply"));
                }
            } else {
                self.one_data_flag(place, r.flags);
                if r.flags & DATA_STATIC != 0 && r.flags & DESCRIPTORS_VOLATILE != 0 {
                    self.add(place, format!("range {i}: DATA_STATIC excludes DESCRIPTORS_VOLATILE"));
                }
            }
            let start = if r.offset == APPEND { next } else { Some(u64::from(r.offset)) };
            let Some(start) = start else {
                self.add(place, format!("range {i}: appended to a range without bound"));
                continue;
            };
            if start > u64::from(u32::MAX) {
                self.add(place, format!("range {i}: the first descriptor index does not fit in 32 bits"));
            }
            if r.count == UNBOUNDED {
                next = None;
                self.register(Registers { class: r.class, space: r.space, first: r.register, last: u32::MAX, visibility, place });
                continue;
            }
            next = Some(start + u64::from(r.count));
            let Some(more) = r.count.checked_sub(1) else {
                self.add(place, format!("range {i}: numDescriptors is 0"));
                continue;
            };
            if start <= u64::from(u32::MAX) && start + u64::from(more) > u64::from(u32::MAX) {
                self.add(place, format!("range {i}: the last descriptor index does not fit in 32 bits"));
            }
            let Some(last) = r.register.checked_add(more) else {
                self.add(place, format!("range {i}: the last register does not fit in 32 bits"));
                continue;
            };
            self.register(Registers { class: r.class, space: r.space, first: r.register, last, visibility, place });
        }
    }

    fn samplers(&mut self, signature: &RootSignature) {
        for (i, s) in signature.samplers.iter().enumerate() {
            let place = Location::Sampler(i);
            if s.filter.name().is_none() {
                self.add(place, format!("unknown filter {:#x}", s.filter.0));
            }
            if s.filter.is_comparison() && s.comparison == Comparison::None {
                self.add(place, "a comparison filter needs a comparison other than COMPARISON_NONE".to_owned());
            }
            if !MIP_LOD_BIAS.contains(&s.mip_lod_bias) {
                let (low, high) = (MIP_LOD_BIAS.start(), MIP_LOD_BIAS.end());
                self.add(place, format!("mipLODBias {} is not between {low} and {high}", s.mip_lod_bias));
            }
            if s.max_anisotropy > MAX_ANISOTROPY {
                self.add(place, format!("maxAnisotropy {} is above {MAX_ANISOTROPY}", s.max_anisotropy));
            }
            if s.min_lod.is_nan() || s.max_lod.is_nan() {
                self.add(place, "minLOD and maxLOD must be numbers".to_owned());
            }
            self.flag_bits(place, "static sampler", words::SAMPLER_FLAGS, s.flags, signature.version >= RootVersion::V1_2);
            self.register(Registers {
                class: ResourceClass::Sampler,
                space: s.space,
                first: s.register,
                last: s.register,
                visibility: s.visibility,
                place,
            });
        }
    }

    fn register(&mut self, r: Registers) {
        if r.space >= RESERVED_SPACES {
            self.add(r.place, format!("register space {:#x} is reserved for the system", r.space));
        }
        self.registers.push(r);
    }

    /// Sweeps the registers of each class and space upwards and remembers, for each visibility, the
    /// one that reaches furthest.
    fn overlaps(&mut self) {
        let mut all = std::mem::take(&mut self.registers);
        all.sort_by_key(|r| (r.class, r.space, r.first));
        let mut reach: [Option<Registers>; Visibility::ALL.len()] = [None; Visibility::ALL.len()];
        let mut group = None;
        for r in all {
            if group != Some((r.class, r.space)) {
                group = Some((r.class, r.space));
                reach = [None; Visibility::ALL.len()];
            }
            let meets = |v: &Visibility| r.visibility == Visibility::All || *v == Visibility::All || *v == r.visibility;
            let hit = Visibility::ALL.iter().filter(|v| meets(v)).filter_map(|v| reach[*v as usize]).find(|other| other.last >= r.first);
            if let Some(other) = hit {
                let letter = r.class.letter();
                let what = format!(
                    "registers {letter}{}-{letter}{} of space {} are bound twice (also by {})",
                    r.first,
                    r.last.min(other.last),
                    r.space,
                    match other.place {
                        Location::Param(i) => format!("parameter {i}"),
                        Location::Sampler(i) => format!("static sampler {i}"),
                        Location::Whole => "the signature".to_owned(),
                    }
                );
                self.add(r.place, what);
            }
            let slot = &mut reach[r.visibility as usize];
            if slot.is_none_or(|s| s.last < r.last) {
                *slot = Some(r);
            }
        }
    }

    fn size(&mut self, signature: &RootSignature) {
        if signature.is_local()
            && let Err(e) = record_layout(signature)
            && !self.problems.iter().any(|p| p.place != Location::Whole)
        {
            self.add(Location::Whole, e.reason);
        }
    }
}
