//! The packed layout of a payload type: its fields, as qualifiers see them, with the bits that each has in the payload's words.
//!
//! What follows from the declaration alone is the same in every library that has the declaration. Who knows all libraries can say more
//! ([`Knowledge`]): a stage without shaders carries nothing, and what comes between the halves of a trace matters only if there are halves.

use rtc_ir::{Module, Paq, PaqStage, Scalar, Step, Struct, Type, TypeKind};

use super::{Room, Ways, alive, alive_in_halves, pack, size_align};

/// Payloads of more scalars keep the declared layout: every scalar is copied wherever a shader begins, traces or ends, which is work that grows
/// with their number, and code, too.
pub const MAX_SCALARS: usize = 4096;

/// What is known of all shaders that a payload type goes through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knowledge {
    /// Stages that have shaders with it, a bit for each [`PaqStage`].
    pub stages: u8,
    /// Some are traces in two halves: `HitObject::TraceRay` and `HitObject::Invoke`.
    pub halves: bool,
}

impl Default for Knowledge {
    /// Nothing: any stage may have shaders, any trace may come in two halves.
    fn default() -> Self {
        Knowledge { stages: PaqStage::ALL.iter().fold(0, |all, s| all | s.0.bit()), halves: true }
    }
}

impl Knowledge {
    /// The ways on which a field is alive, by what is known.
    pub fn alive(self, q: Paq) -> Ways {
        // Who traces is not counted: without a caller nothing happens at all.
        let stages = self.stages | PaqStage::Caller.bit();
        let q = Paq { read: q.read & stages, write: q.write & stages };
        let all = if self.halves { alive_in_halves(q) } else { alive(q) };
        let there = |s: PaqStage| stages & s.bit() != 0;
        let gone = super::WAYS.iter().enumerate().filter(|(_, w)| !there(w.0) || !there(w.1));
        gone.fold(all, |set, (n, _)| set & !(1 << n))
    }
}

/// A scalar of a payload: the way to it from the payload on, what it is, and its first bit in its field.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// The way to it.
    pub path: Vec<Step>,
    /// What it is.
    pub scalar: Scalar,
    /// Bits from the field's first.
    pub at: u32,
}

/// A field with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedField {
    /// Its name from the payload on: `color`, `base.seed`.
    pub name: String,
    /// Its type as HLSL spells it; of a structure with what is in it.
    pub hlsl: String,
    /// Its qualifiers.
    pub paq: Paq,
    /// When it is alive.
    pub alive: Ways,
    /// First bit; none: it is never alive and has no room.
    pub at: Option<u32>,
    /// How many bits it has.
    pub bits: u32,
    /// Its scalars.
    pub pieces: Vec<Piece>,
}

/// The layout of a payload type.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Its fields in the order of the declaration.
    pub fields: Vec<PlannedField>,
    /// Bytes in all; whole words, at least one: a payload has a member, also where nothing is ever alive.
    pub bytes: u32,
}

/// Why a payload type keeps its declared layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unpacked {
    /// It is not declared `[raypayload]`, or qualifiers are not in force.
    Plain,
    /// A field has no qualifiers: its name.
    Unqualified(String),
    /// A field is no number: its name.
    Object(String),
    /// It has more than [`MAX_SCALARS`] scalars.
    TooLarge,
}

impl std::fmt::Display for Unpacked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unpacked::Plain => f.write_str("it has no payload access qualifiers"),
            Unpacked::Unqualified(name) => write!(f, "`{name}` has no payload access qualifiers"),
            Unpacked::Object(name) => write!(f, "`{name}` is no number"),
            Unpacked::TooLarge => write!(f, "it has more than {MAX_SCALARS} scalars"),
        }
    }
}

/// A layout that libraries share: who made it decided where fields are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shared {
    /// Name of the payload type.
    pub name: String,
    /// What was known of its shaders.
    pub known: Knowledge,
    /// First bit of each field, in the order of the declaration; none: it has no room.
    pub at: Vec<Option<u32>>,
    /// Bytes in all.
    pub bytes: u32,
}

/// The packed layout of a payload type.
///
/// # Errors
/// Why it keeps the declared one.
pub fn plan(m: &Module, s: Struct, known: Knowledge) -> Result<Plan, Unpacked> {
    let (fields, rooms) = fields(m, qualified(m, s)?, known)?;
    Ok(placed(fields, &rooms))
}

/// The packed layout that a payload type would have with other qualifiers: those of its fields in the order of the declaration.
///
/// # Errors
/// Why it could not be packed with them, either.
pub fn plan_with(m: &Module, s: Struct, known: Knowledge, paqs: &[Paq]) -> Result<Plan, Unpacked> {
    let mut leaves = leaves(m, s);
    if leaves.len() != paqs.len() {
        return Err(Unpacked::Plain);
    }
    leaves.iter_mut().zip(paqs).for_each(|(l, &q)| l.paq = Some(q));
    let (fields, rooms) = fields(m, leaves, known)?;
    Ok(placed(fields, &rooms))
}

fn placed(mut fields: Vec<PlannedField>, rooms: &[Room]) -> Plan {
    let layout = pack(rooms);
    for (f, at) in fields.iter_mut().zip(&layout.offsets) {
        f.at = *at;
    }
    Plan { fields, bytes: layout.size.max(4) }
}

/// The layout that `shared` says.
///
/// # Errors
/// Why there can be none; fields that are not those of the declaration are [`Unpacked::Plain`] (who reads layouts compares
/// them before).
pub fn take_shared(m: &Module, s: Struct, shared: &Shared) -> Result<Plan, Unpacked> {
    let (mut fields, _) = fields(m, qualified(m, s)?, shared.known)?;
    if fields.len() != shared.at.len() {
        return Err(Unpacked::Plain);
    }
    for (f, at) in fields.iter_mut().zip(&shared.at) {
        f.at = *at;
    }
    Ok(Plan { fields, bytes: shared.bytes })
}

/// The declared layout of any payload type: byte by byte as it lies in memory, all of it alive always where nothing says otherwise.
pub fn declared(m: &Module, s: Struct) -> Plan {
    let mut out = Plan { fields: Vec::new(), bytes: 0 };
    for l in leaves(m, s) {
        let paq = l.paq.unwrap_or(Paq { read: 0b1111, write: 0b1111 });
        let bits = size_align(m, l.ty).0.saturating_mul(8);
        let at = l.at.saturating_mul(8);
        let alive = Knowledge::default().alive(paq);
        let (name, hlsl) = (l.name, l.hlsl);
        out.fields.push(PlannedField { name, hlsl, paq, alive, at: Some(at), bits, pieces: Vec::new() });
    }
    let whole = m.types.iter().find(|(_, k)| *k == TypeKind::Struct(s));
    out.bytes = whole.map_or(0, |(t, _)| size_align(m, t).0);
    out
}

/// A field of the declaration.
struct Leaf {
    name: String,
    hlsl: String,
    path: Vec<u32>,
    ty: Type,
    paq: Option<Paq>,
    /// Its first byte as declared.
    at: u32,
}

fn leaves(m: &Module, s: Struct) -> Vec<Leaf> {
    let mut out = Vec::new();
    collect(m, s, ("", 0), &mut Vec::new(), &mut out);
    out
}

/// The fields of a payload type that has qualifiers.
fn qualified(m: &Module, s: Struct) -> Result<Vec<Leaf>, Unpacked> {
    let all = leaves(m, s);
    match m.structs[s].raypayload && all.iter().any(|l| l.paq.is_some()) {
        true => Ok(all),
        false => Err(Unpacked::Plain),
    }
}

/// The fields of a structure that stands at a byte of the payload and has a name there.
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

/// The type as HLSL spells it. A structure is named by what is in it, too, as libraries may declare it in two ways; a long list by a
/// number made of it.
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

/// Bits of a scalar in a packed payload. Minimum precision has 32, as nobody says that less would do.
pub fn piece_bits(m: &Module, s: Scalar) -> u32 {
    match s {
        Scalar::Bool => 1,
        Scalar::I16 | Scalar::F16 if m.native_16bit => 16,
        Scalar::I64 | Scalar::F64 => 64,
        _ => 32,
    }
}

/// The fields with the rooms that they need.
fn fields(m: &Module, leaves: Vec<Leaf>, known: Knowledge) -> Result<(Vec<PlannedField>, Vec<Room>), Unpacked> {
    let (mut out, mut rooms, mut count) = (Vec::new(), Vec::new(), 0);
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
                pieces.push(Piece { path, scalar, at: size });
                size += b;
            }
        }
        let alive = known.alive(paq);
        rooms.push(Room { bits: size, align, alive });
        out.push(PlannedField { name: l.name, hlsl: l.hlsl, paq, alive, at: None, bits: size, pieces });
    }
    Ok((out, rooms))
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
