//! The structures that stand for hit objects: the object itself, and what payloads carry of one.

use rtc_ir::{Field, Module, Paq, PaqStage, Step, StructData, Type};
use rustc_hash::FxHashMap;

use super::parts::{PARTS, Part, Parts};
use super::survey::Survey;

/// [`Fixed::State`] of a nop.
pub(super) const NOP: i32 = 0;
/// [`Fixed::State`] of a miss.
pub(super) const MISS: i32 = 1;
/// [`Fixed::State`] of a hit.
pub(super) const HIT: i32 = 2;

/// The fields that every hit object has, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fixed {
    /// Nop, miss or hit.
    State,
    /// Row in the application's miss or hit group table.
    Record,
    /// Where the ray ends.
    T,
    Flags,
    /// Whether it has a row.
    Bound,
    TMin,
    Origin,
    Direction,
}

const FIXED: [(Fixed, &str, Type); 8] = [
    (Fixed::State, "state", Type::I32),
    (Fixed::Record, "record", Type::I32),
    (Fixed::T, "t", Type::F32),
    (Fixed::Flags, "flags", Type::I32),
    (Fixed::Bound, "bound", Type::BOOL),
    (Fixed::TMin, "tmin", Type::F32),
    (Fixed::Origin, "origin", Type::F32X3),
    (Fixed::Direction, "direction", Type::F32X3),
];

impl Fixed {
    pub fn ty(self) -> Type {
        FIXED[self as usize].2
    }
    /// All of them.
    pub fn all() -> impl Iterator<Item = Fixed> {
        FIXED.iter().map(|f| f.0)
    }
}

/// A structure with parts: which field each is.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub ty: Type,
    pub parts: Parts,
    fixed: Vec<Fixed>,
    words: u32,
}

impl Record {
    /// `paq`: the qualifiers of a fixed field, or of parts.
    fn new(
        m: &mut Module,
        name: &str,
        fixed: Vec<Fixed>,
        parts: Parts,
        words: u32,
        paq: fn(Option<Fixed>) -> Option<Paq>,
    ) -> Option<Record> {
        let mut fields: Vec<Field> = fixed.iter().map(|&f| Field { paq: paq(Some(f)), ..field(FIXED[f as usize].1, f.ty()) }).collect();
        for part in parts.iter() {
            let info = part.info();
            let ty = match count(part, words) {
                1 => info.ty,
                n => m.types.array(info.ty, n),
            };
            fields.push(Field { paq: paq(None), ..field(info.name, ty) });
        }
        if fields.is_empty() {
            return None;
        }
        let ty = structure(m, name, fields);
        Some(Record { ty, parts, fixed, words })
    }

    /// The way to element `n` of a part that it has.
    pub fn step(&self, part: Part, n: u32) -> Vec<Step> {
        let before = self.parts.iter().take_while(|p| *p != part).count() as u32;
        let field = Step::At(self.fixed.len() as u32 + before);
        match count(part, self.words) {
            1 => vec![field],
            _ => vec![field, Step::At(n)],
        }
    }

    /// The way to a fixed field, if it has it.
    pub fn fixed(&self, which: Fixed) -> Option<Step> {
        self.fixed.iter().position(|f| *f == which).map(|n| Step::At(n as u32))
    }

    /// Every element of every part, with its type.
    pub fn elements(&self) -> impl Iterator<Item = (Part, u32, Type)> {
        let words = self.words;
        self.parts.iter().flat_map(move |p| (0..count(p, words)).map(move |n| (p, n, p.info().ty)))
    }
}

/// How many elements a part has.
fn count(part: Part, words: u32) -> u32 {
    match PARTS[part as usize].count {
        0 => words.max(2),
        n => n,
    }
}

/// What a recording trace takes from its caller, and what it gives back: between traces nothing else of a record has to be kept.
fn recorded(field: Option<Fixed>) -> Option<Paq> {
    let (caller, recorder) = (PaqStage::Caller.bit(), PaqStage::ClosestHit.bit());
    Some(match field {
        Some(Fixed::State) => Paq { read: caller, write: caller | recorder },
        Some(Fixed::Flags) => Paq { read: PaqStage::AnyHit.bit(), write: caller },
        _ => Paq { read: caller, write: recorder },
    })
}

fn field(name: &str, ty: Type) -> Field {
    Field { name: name.into(), ty, paq: None, offset: None, numbers: None, hlsl: String::new(), precise: false }
}

fn structure(m: &mut Module, name: &str, fields: Vec<Field>) -> Type {
    let raypayload = fields.iter().any(|f| f.paq.is_some());
    let s = m.structs.push(StructData { name: name.into(), fields, base: None, raypayload });
    m.types.struct_(s)
}

/// All structures of a module.
pub(super) struct Layout {
    /// A hit object.
    pub object: Record,
    /// What a trace records, the first field of [`Self::traced`].
    pub recorded: Record,
    /// What shaders that are invoked read, the first field of what they get; none: nothing.
    pub read: Option<Record>,
    /// The payload of all traces: what they record, and a payload for each kind of any-hit shader. One type, because
    /// it is not known which recorder a ray will reach.
    pub traced: Type,
    /// Which field of it a payload is.
    pub members: FxHashMap<Type, u32>,
    /// What invoked shaders with a payload get.
    invoked: FxHashMap<Type, Type>,
}

impl Layout {
    pub fn new(m: &mut Module, s: &Survey) -> Layout {
        let object = Record::new(m, "rtc.hit", Fixed::all().collect(), s.recorded, s.words, |_| None).expect("it has fixed fields");
        // The flags are those that the trace was called with, since the ray's own are others.
        let needed = [(Fixed::State, true), (Fixed::Record, s.asks_record), (Fixed::T, s.asks_t), (Fixed::Flags, s.any_hit_flags)];
        let fixed = needed.into_iter().filter(|f| f.1).map(|f| f.0).collect();
        let recorded = Record::new(m, "rtc.recorded", fixed, s.recorded, s.words, recorded).expect("it has fixed fields");
        let read = Record::new(m, "rtc.read", Vec::new(), s.read, s.words, |_| None);
        let mut members = FxHashMap::default();
        let mut fields = vec![field("hit", recorded.ty)];
        for &t in &s.any_hit_payloads {
            members.insert(t, fields.len() as u32);
            fields.push(field(&format!("payload{}", fields.len()), t));
        }
        let traced = structure(m, "rtc.traced", fields);
        Layout { object, recorded, read, traced, members, invoked: FxHashMap::default() }
    }

    /// The type of what a shader with payload `t` gets when it is invoked, and the way to the payload in it.
    pub fn invoked(&mut self, m: &mut Module, t: Type) -> (Type, Vec<Step>) {
        let Some(read) = &self.read else { return (t, Vec::new()) };
        let ty = match self.invoked.get(&t) {
            Some(&ty) => ty,
            None => {
                let fields = vec![field("hit", read.ty), field("payload", t)];
                let name = format!("rtc.invoked{}", self.invoked.len());
                let ty = structure(m, &name, fields);
                self.invoked.insert(t, ty);
                ty
            }
        };
        (ty, vec![Step::At(1)])
    }
}
