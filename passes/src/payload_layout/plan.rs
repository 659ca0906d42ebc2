//! The packed layout of a payload type: its fields, as qualifiers divide them, each with a bit range in the payload's words.
//!
//! What follows from the declaration alone is the same in every library that has the declaration. If all libraries are known
//! ([`ShaderFacts`]), more follows: a stage without shaders carries nothing, and splitting traces matters only if hit objects are used.

use rtc_ir::{Module, Paq, PaqStage, Scalar, Step, Struct, Type, TypeKind};

use rtc_tables::payload_access::{ALL_STAGES, Transitions, transitions_where};

use super::coding::Coding;
use super::contents::Contents;
use super::{Interval, MAX_SCALARS, alive, pack, size_align, split};

/// Facts about all shaders that a payload type goes through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShaderFacts {
    /// Stages that have shaders with it, a bit for each [`PaqStage`].
    pub stages: u8,
    /// Some traces are split into `HitObject::TraceRay` and `HitObject::Invoke`.
    pub hit_objects: bool,
}

impl Default for ShaderFacts {
    /// No facts: any stage may have shaders, and any trace may be split.
    fn default() -> Self {
        ShaderFacts { stages: ALL_STAGES, hit_objects: true }
    }
}

impl ShaderFacts {
    /// The transitions on which a field is alive, given these facts.
    pub fn alive(self, q: Paq) -> Transitions {
        // The caller is not counted: without one no payload exists.
        let stages = self.stages | PaqStage::Caller.bit();
        let all = match self.hit_objects {
            true => split(q, stages),
            false => alive(Paq { read: q.read & stages, write: q.write & stages }),
        };
        all & transitions_where(|from, to| from.is_in(stages) && to.is_in(stages))
    }
}

/// A scalar of a payload: its access path from the payload, its type, and its first bit in its field.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// Its access path.
    pub path: Vec<Step>,
    /// Its type.
    pub scalar: Scalar,
    /// Bits from the first of the field.
    pub at: u32,
    /// How it is kept.
    pub coding: Coding,
}

/// A field with its bit range.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedField {
    /// Its access path from the payload: `color`, `base.seed`.
    pub name: String,
    /// Its type as HLSL spells it; of a structure with its members. Where numbers are kept in fewer bits than their type has, also how.
    pub hlsl: String,
    /// Its qualifiers.
    pub paq: Paq,
    /// The transitions on which it is alive.
    pub alive: Transitions,
    /// First bit; none: it is never alive and has no storage.
    pub at: Option<u32>,
    /// How many bits it has; none if each reader knows the number.
    pub bits: u32,
    /// Its scalars.
    pub pieces: Vec<Piece>,
}

/// The layout of a payload type.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Its fields in the order of the declaration.
    pub fields: Vec<PlannedField>,
    /// Its size in bytes: whole words, at least one, since a payload has a member even if nothing is ever alive.
    pub bytes: u32,
}

/// Why a payload type keeps its declared layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unpacked {
    /// It is not declared `[raypayload]`, or qualifiers are not in force.
    Plain,
    /// A field has no qualifiers: its name.
    Unqualified(String),
    /// A field is not numeric: its name.
    Object(String),
    /// It has more than [`MAX_SCALARS`] scalars.
    TooLarge,
    /// Not all that happens to it is in the library: why.
    Open(String),
}

impl std::fmt::Display for Unpacked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unpacked::Plain => f.write_str("it has no payload access qualifiers"),
            Unpacked::Unqualified(name) => write!(f, "`{name}` has no payload access qualifiers"),
            Unpacked::Object(name) => write!(f, "`{name}` is not numeric"),
            Unpacked::Open(why) => write!(f, "it is not known what other libraries do with it: {why}"),
            Unpacked::TooLarge => write!(f, "it has more than {MAX_SCALARS} scalars"),
        }
    }
}

/// A layout that several libraries share, made when all of them were known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shared {
    /// Name of the payload type.
    pub name: String,
    /// The facts about its shaders from which it was made.
    pub facts: ShaderFacts,
    /// First bit of each field, in the order of the declaration; none: it has no storage.
    pub at: Vec<Option<u32>>,
    /// Its size in bytes.
    pub bytes: u32,
}

/// The packed layout of a payload type.
///
/// # Errors
/// The reason why the type keeps its declared layout.
pub fn plan(m: &Module, s: Struct, facts: ShaderFacts) -> Result<Plan, Unpacked> {
    let (fields, intervals) = fields(m, qualified(m, s)?, facts)?;
    Ok(with_storage(fields, &intervals))
}

/// The packed layout that a payload type would have with other qualifiers: those of its fields in the order of the declaration.
///
/// # Errors
/// The reason why it could not be packed with them either.
pub fn plan_with(m: &Module, s: Struct, facts: ShaderFacts, paqs: &[Paq]) -> Result<Plan, Unpacked> {
    let mut leaves = leaves(m, s);
    if leaves.len() != paqs.len() {
        return Err(Unpacked::Plain);
    }
    leaves.iter_mut().zip(paqs).for_each(|(l, &q)| l.paq = Some(q));
    let (fields, intervals) = fields(m, leaves, facts)?;
    Ok(with_storage(fields, &intervals))
}

/// The packed layout of a payload type where the library is all that there is: each scalar is a field of its own, in as few bits as what is stored into it
/// allows. `paqs` are the qualifiers of its fields in the order of the declaration; none: those that are declared.
///
/// # Errors
/// The reason why the type keeps its declared layout.
pub fn plan_whole(m: &Module, s: Struct, facts: ShaderFacts, paqs: Option<&[Paq]>, contents: &Contents) -> Result<Plan, Unpacked> {
    let leaves = match paqs {
        None => qualified(m, s)?,
        Some(paqs) => {
            let mut all = leaves(m, s);
            if all.len() != paqs.len() {
                return Err(Unpacked::Plain);
            }
            all.iter_mut().zip(paqs).for_each(|(l, &q)| l.paq = Some(q));
            all
        }
    };
    let (mut scalars, mut intervals) = (Vec::new(), Vec::new());
    for f in fields(m, leaves, facts)?.0 {
        let alone = f.pieces.len() == 1;
        for piece in f.pieces {
            let coding = contents.at(s, &piece.path).map_or(Coding::Plain, |c| Coding::of(piece.scalar, c));
            let bits = coding.bits(m.native_16bit, piece.scalar);
            let (name, ty) = match alone {
                true => (f.name.clone(), f.hlsl.clone()),
                false => (scalar_name(m, s, &piece.path), scalar_type(m, piece.scalar).to_owned()),
            };
            let hlsl = coding.text(piece.scalar).map_or_else(|| ty.clone(), |how| format!("{ty} ({how})"));
            // What starts at a multiple of the next power of two crosses no word.
            let align = bits.next_power_of_two().min(32);
            intervals.push(Interval { bits, align, alive: if bits == 0 { 0 } else { f.alive } });
            let pieces = vec![Piece { at: 0, coding, ..piece }];
            scalars.push(PlannedField { name, hlsl, paq: f.paq, alive: f.alive, at: None, bits, pieces });
        }
    }
    let mut plan = with_storage(scalars, &intervals);
    plan.fields.iter_mut().filter(|f| f.bits == 0 && f.alive != 0).for_each(|f| f.at = Some(0));
    Ok(plan)
}

/// The access path of a scalar as HLSL spells it.
fn scalar_name(m: &Module, s: Struct, path: &[Step]) -> String {
    let mut out = String::new();
    let mut kind = TypeKind::Struct(s);
    for step in path {
        let Step::At(n) = *step else { break };
        let inner = match kind {
            TypeKind::Struct(s) => {
                let f = &m.structs[s].fields[n as usize];
                if !f.name.is_empty() {
                    let dot = if out.is_empty() { "" } else { "." };
                    out += &format!("{dot}{}", f.name);
                }
                f.ty
            }
            TypeKind::Array(e, _) => {
                out += &format!("[{n}]");
                e
            }
            _ => {
                out += &["x", "y", "z", "w"].get(n as usize).map_or_else(|| format!("[{n}]"), |c| format!(".{c}"));
                break;
            }
        };
        kind = m.types.kind(inner);
    }
    out
}

fn scalar_type(m: &Module, s: Scalar) -> &'static str {
    match s {
        Scalar::Bool => "bool",
        Scalar::I16 if m.native_16bit => "int16_t",
        Scalar::F16 if m.native_16bit => "half",
        Scalar::I16 => "min16int",
        Scalar::F16 => "min16float",
        Scalar::I32 => "int",
        Scalar::F32 => "float",
        Scalar::I64 => "int64_t",
        Scalar::F64 => "double",
    }
}

fn with_storage(mut fields: Vec<PlannedField>, intervals: &[Interval]) -> Plan {
    let layout = pack(intervals);
    for (f, at) in fields.iter_mut().zip(&layout.offsets) {
        f.at = *at;
    }
    Plan { fields, bytes: layout.size.max(4) }
}

/// The layout of a shared file.
///
/// # Errors
/// The reason why the type is not packed; if the number of fields differs from the declaration's, [`Unpacked::Plain`] (the reader of
/// layout files compares them before).
pub fn take_shared(m: &Module, s: Struct, shared: &Shared) -> Result<Plan, Unpacked> {
    let (mut fields, _) = fields(m, qualified(m, s)?, shared.facts)?;
    if fields.len() != shared.at.len() {
        return Err(Unpacked::Plain);
    }
    for (f, at) in fields.iter_mut().zip(&shared.at) {
        f.at = *at;
    }
    Ok(Plan { fields, bytes: shared.bytes })
}

/// The declared layout of any payload type: byte by byte as in memory. A field without qualifiers is always alive.
pub fn declared(m: &Module, s: Struct) -> Plan {
    let mut out = Plan { fields: Vec::new(), bytes: 0 };
    for l in leaves(m, s) {
        let paq = l.paq.unwrap_or(Paq { read: ALL_STAGES, write: ALL_STAGES });
        let bits = size_align(m, l.ty).0.saturating_mul(8);
        let at = l.at.saturating_mul(8);
        let alive = ShaderFacts::default().alive(paq);
        let (name, hlsl) = (l.name, l.hlsl);
        out.fields.push(PlannedField { name, hlsl, paq, alive, at: Some(at), bits, pieces: Vec::new() });
    }
    let whole = m.types.iter().find(|(_, k)| *k == TypeKind::Struct(s));
    out.bytes = whole.map_or(0, |(t, _)| size_align(m, t).0);
    out
}

/// A field as declared.
struct Leaf {
    name: String,
    hlsl: String,
    path: Vec<u32>,
    ty: Type,
    paq: Option<Paq>,
    /// Its byte offset as declared.
    at: u32,
}

fn leaves(m: &Module, s: Struct) -> Vec<Leaf> {
    let mut out = Vec::new();
    collect(m, s, ("", 0), &mut Vec::new(), &mut out);
    out
}

/// The ways to the fields of a payload type that have qualifiers, with these.
pub fn qualified_paths(m: &Module, s: Struct) -> Vec<(Vec<u32>, Paq)> {
    leaves(m, s).into_iter().filter_map(|l| Some((l.path, l.paq?))).collect()
}

/// The fields of a payload type that has qualifiers.
fn qualified(m: &Module, s: Struct) -> Result<Vec<Leaf>, Unpacked> {
    let all = leaves(m, s);
    match m.structs[s].raypayload && all.iter().any(|l| l.paq.is_some()) {
        true => Ok(all),
        false => Err(Unpacked::Plain),
    }
}

/// Collects the fields of a structure that is located at byte `start` of the payload under the name `name`.
fn collect(m: &Module, s: Struct, (name, start): (&str, u32), path: &mut Vec<u32>, out: &mut Vec<Leaf>) {
    let mut end = start;
    for (n, f) in m.structs[s].fields.iter().enumerate() {
        path.push(n as u32);
        let (size, align) = size_align(m, f.ty);
        let at = end.checked_next_multiple_of(align).unwrap_or(u32::MAX);
        end = at.saturating_add(size);
        let full = match (name, f.name.as_str()) {
            ("", own) => own.to_owned(),
            (outer, "") => outer.to_owned(),
            (outer, own) => format!("{outer}.{own}"),
        };
        match (f.paq, m.types.kind(f.ty)) {
            (None, TypeKind::Struct(inner)) if f.name.is_empty() || m.structs[inner].raypayload => {
                collect(m, inner, (&full, at), path, out);
            }
            (paq, _) => out.push(Leaf { name: full, hlsl: spelled(m, f.ty, &f.hlsl), path: path.clone(), ty: f.ty, paq, at }),
        }
        path.pop();
    }
}

/// The type as HLSL spells it. A structure is followed by its members, since libraries may declare it differently; a long list of them
/// by its hash.
fn spelled(m: &Module, mut t: Type, hlsl: &str) -> String {
    while let TypeKind::Array(e, _) = m.types.kind(t) {
        t = e;
    }
    let TypeKind::Struct(s) = m.types.kind(t) else { return hlsl.to_owned() };
    let inside = m.structs[s].fields.iter().map(|f| format!("{} {};", spelled(m, f.ty, &f.hlsl), f.name));
    let inside = inside.collect::<Vec<_>>().join(" ");
    if inside.len() <= 200 {
        return format!("{hlsl} {{ {inside} }}");
    }
    // FNV-1a
    let hash = inside.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    format!("{hlsl} {{ {hash:016x} }}")
}

/// Bits of a scalar in a packed payload.
pub fn piece_bits(m: &Module, s: Scalar) -> u32 {
    crate::words::scalar_bits(m.native_16bit, s)
}

/// The fields with the storage that they require.
fn fields(m: &Module, leaves: Vec<Leaf>, facts: ShaderFacts) -> Result<(Vec<PlannedField>, Vec<Interval>), Unpacked> {
    let (mut out, mut intervals, mut count) = (Vec::new(), Vec::new(), 0);
    for l in leaves {
        let Some(paq) = l.paq else { return Err(Unpacked::Unqualified(l.name)) };
        count += scalars(m, l.ty);
        if count > MAX_SCALARS as u64 {
            return Err(Unpacked::TooLarge);
        }
        let mut parts = Vec::new();
        m.leaves(l.ty, &mut |p, t| parts.push((p.to_vec(), t)));
        let (mut pieces, mut size, mut align) = (Vec::new(), 0u32, 1);
        for (rest, t) in parts {
            let Some((scalar, n)) = m.types.numeric(t) else { return Err(Unpacked::Object(l.name)) };
            let b = piece_bits(m, scalar);
            align = align.max(b.min(32));
            for c in 0..n {
                let mut path: Vec<Step> = l.path.iter().chain(&rest).map(|&n| Step::At(n)).collect();
                if n > 1 {
                    path.push(Step::At(c));
                }
                size = size.next_multiple_of(b.min(32));
                pieces.push(Piece { path, scalar, at: size, coding: Coding::Plain });
                size += b;
            }
        }
        let alive = facts.alive(paq);
        intervals.push(Interval { bits: size, align, alive });
        out.push(PlannedField { name: l.name, hlsl: l.hlsl, paq, alive, at: None, bits: size, pieces });
    }
    Ok((out, intervals))
}

/// How many scalars a type has.
fn scalars(m: &Module, t: Type) -> u64 {
    match m.types.kind(t) {
        TypeKind::Vector(_, n) => n.into(),
        TypeKind::Array(e, n) => scalars(m, e).saturating_mul(n.into()),
        TypeKind::Struct(s) => m.structs[s].fields.iter().fold(0u64, |all, f| all.saturating_add(scalars(m, f.ty))),
        _ => 1,
    }
}
