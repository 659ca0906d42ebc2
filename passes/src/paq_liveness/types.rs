//! Payload types, their fields, and the *cells* that the analyses follow.
//!
//! A field is what carries qualifiers: a member of the payload, or of a payload inside of it. A cell is a scalar of a
//! variable: a field has as many as it has components. Long arrays are one cell for each scalar of an element, written
//! weakly: a write to one element does not define the others.

use rtc_ir::{Function, Global, GlobalKind, Module, Paq, Place, Root, SlotRole, Step, Struct, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::flags::flags;

/// Arrays of more scalars than this are followed as one element.
const EXPANDED: u32 = 64;
/// Variables of more cells than this are not followed.
pub(super) const MAX_CELLS: u32 = 2048;

/// A field of a payload type, as qualifiers see it.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its name from the payload on: `color`, `base.seed`.
    pub name: String,
    /// The numbers of the members that lead to it.
    pub path: Vec<u32>,
    /// Its type.
    pub ty: Type,
    /// Its qualifiers, if it has any.
    pub paq: Option<Paq>,
    /// Its first cell in a variable of the payload type.
    pub(super) start: u32,
    /// How many cells it has.
    pub(super) len: u32,
}

/// Fields as they are found.
#[derive(Default)]
struct FieldList {
    path: Vec<u32>,
    /// The first cell of the next one.
    at: u32,
    out: Vec<Field>,
    /// The fields of each element of an array of payloads are fields of their own.
    of_elements: bool,
}

/// Some cells of a variable: a place, or if an index is not known one of several places at equal distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// The first cell of the first place.
    pub start: u32,
    /// The cells of a place.
    pub len: u32,
    /// From one place to the next.
    pub stride: u32,
    /// How many places it may be.
    pub times: u32,
    pub ty: Type,
    /// Which place it is is not known: one of several, or of an array that is followed as one element.
    pub weak: bool,
}

impl Part {
    /// A place that is known.
    pub fn one(start: u32, len: u32, ty: Type) -> Part {
        Part { start, len, stride: len, times: 1, ty, weak: false }
    }
    /// The cells of all places that it may be.
    pub fn cells(self) -> impl Iterator<Item = usize> + Clone {
        (0..self.times).flat_map(move |n| self.place(n).range())
    }
    /// From the first cell of all of them to the last one.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + (self.times - 1) * self.stride + self.len) as usize
    }
    /// One of the places that it may be.
    pub fn place(self, n: u32) -> Part {
        Part { start: self.start + n * self.stride, stride: self.len, times: 1, ..self }
    }
    /// One of `n` elements of so many cells in each place, which is not known.
    pub fn elements(self, n: u32, len: u32, ty: Type) -> Part {
        let at_last = (self.times - 1) * self.stride + (n - 1) * len;
        // Where places are not at equal distances it may be what is between them, too.
        let stride = if self.times == 1 || self.stride.is_multiple_of(len) { len.max(1) } else { 1 };
        Part { len, stride, times: at_last / stride + 1, ty, weak: true, ..self }
    }
    pub fn fill<T: Copy>(self, states: &mut [T], x: T) {
        self.cells().for_each(|c| states[c] = x);
    }
    pub fn overlaps(self, other: Part) -> bool {
        let (a, b) = (self.range(), other.range());
        a.start < b.end && b.start < a.end
    }
}

/// A member of a structure.
pub(super) type Member = (Struct, u32);

/// Numbers of cells of types, and which types are followed.
pub(super) struct Cells<'m> {
    pub m: &'m Module,
    counts: FxHashMap<Type, u32>,
    /// Payload structures: declared so, or the type of a payload slot.
    pub payloads: Vec<Struct>,
    followed: FxHashMap<Type, bool>,
    /// Structures nested in payloads, and those of flags, which methods get in locals.
    inner: FxHashSet<Struct>,
    /// Static variables that are flags.
    flags: FxHashSet<Global>,
}

impl<'m> Cells<'m> {
    pub fn new(m: &'m Module) -> Self {
        let mut payloads: Vec<Struct> = Vec::new();
        for f in m.funcs.values() {
            for s in f.slots.values() {
                if let (SlotRole::PayloadIn | SlotRole::PayloadOut, TypeKind::Struct(s)) = (s.role, m.types.kind(s.ty)) {
                    payloads.push(s);
                }
            }
        }
        payloads.extend(m.structs.iter().filter(|(_, s)| s.raypayload).map(|(s, _)| s));
        payloads.sort();
        payloads.dedup();
        let mut inner = FxHashSet::default();
        let mut todo = payloads.clone();
        while let Some(s) = todo.pop() {
            for f in &m.structs[s].fields {
                if let TypeKind::Struct(s) = m.types.kind(strip(m, f.ty))
                    && inner.insert(s)
                {
                    todo.push(s);
                }
            }
        }
        let flags = flags(m);
        inner.extend(flags.iter().filter_map(|&g| match m.types.kind(m.globals[g].ty()) {
            TypeKind::Struct(s) => Some(s),
            _ => None,
        }));
        Cells { m, counts: FxHashMap::default(), payloads, followed: FxHashMap::default(), inner, flags }
    }

    /// How many cells a variable of the type has.
    pub fn count(&mut self, t: Type) -> u32 {
        if let Some(&n) = self.counts.get(&t) {
            return n;
        }
        let n = match self.m.types.kind(t) {
            TypeKind::Vector(_, n) => n,
            TypeKind::Array(e, n) => {
                let one = self.count(e);
                if one.saturating_mul(n) <= EXPANDED { one * n } else { one }
            }
            TypeKind::Struct(s) => {
                let m = self.m;
                let parts = m.structs[s].fields.iter().map(|f| self.count(f.ty));
                parts.fold(0, u32::saturating_add)
            }
            _ => 1,
        };
        self.counts.insert(t, n);
        n
    }

    /// The scalar type of each cell of a variable of the type, and which member of a structure it is or is in, innermost.
    pub fn scalars(&mut self, t: Type, of: Option<Member>, out: &mut Vec<(Type, Option<Member>)>) {
        let m = self.m;
        match m.types.kind(t) {
            TypeKind::Vector(s, n) => out.extend(std::iter::repeat_n((m.types.scalar(s), of), n as usize)),
            TypeKind::Array(e, n) => {
                let elements = if self.count(e).saturating_mul(n) <= EXPANDED { n } else { 1 };
                (0..elements).for_each(|_| self.scalars(e, of, out));
            }
            TypeKind::Struct(s) => {
                for (n, f) in m.structs[s].fields.iter().enumerate() {
                    self.scalars(f.ty, Some((s, n as u32)), out);
                }
            }
            _ => out.push((t, of)),
        }
    }

    /// The member of a structure that a place is or is in, innermost.
    pub fn member(&self, f: &Function, p: Place) -> Option<Member> {
        let m = self.m;
        let data = &f.places[p];
        let mut t = match data.root {
            Root::Local(l) => f.locals[l].ty,
            Root::Slot(s) => f.slots[s].ty,
            Root::Global(g) => m.globals[g].ty(),
        };
        let mut found = None;
        for step in &data.steps {
            let n = match *step {
                Step::At(n) => Some(n),
                Step::Dyn => None,
            };
            if let (TypeKind::Struct(s), Some(n)) = (m.types.kind(t), n) {
                found = Some((s, n));
            }
            t = m.part(t, n)?;
        }
        found
    }

    /// Whether variables of the type are followed: structures that payloads consist of, hit objects, and what holds either.
    pub fn follows(&mut self, t: Type) -> bool {
        if let Some(&yes) = self.followed.get(&t) {
            return yes;
        }
        let yes = self.holds(t) && (1..=MAX_CELLS).contains(&self.count(t));
        self.followed.insert(t, yes);
        yes
    }

    fn holds(&mut self, t: Type) -> bool {
        match self.m.types.kind(t) {
            TypeKind::HitObject => true,
            TypeKind::Struct(s) => {
                self.inner.contains(&s)
                    || self.payloads.binary_search(&s).is_ok()
                    || self.m.structs[s].fields.iter().any(|f| self.follows(f.ty))
            }
            TypeKind::Array(e, _) => self.follows(e),
            _ => false,
        }
    }

    /// The part of `whole` that `steps` lead to.
    pub fn part(&mut self, whole: Part, steps: &[Step]) -> Part {
        let mut p = whole;
        // Of what has other cells than its type only the types go on.
        let vague = self.count(p.ty) != p.len;
        for step in steps {
            let (ty, at, weak) = match (self.m.types.kind(p.ty), *step) {
                (TypeKind::Struct(s), Step::At(n)) => {
                    let fields = &self.m.structs[s].fields;
                    let m = self.m;
                    let Some(f) = m.structs[s].fields.get(n as usize) else {
                        return p;
                    };
                    let at = fields[..n as usize].iter().map(|f| self.count(f.ty)).sum::<u32>();
                    (f.ty, at, false)
                }
                (TypeKind::Array(e, n), step) => {
                    let one = self.count(e);
                    let whole = one.saturating_mul(n) > EXPANDED;
                    match step {
                        _ if n == 1 => (e, 0, false),
                        _ if whole => (e, 0, true),
                        Step::At(i) if i < n => (e, one * i, false),
                        _ => {
                            if !vague {
                                p = p.elements(n, one, e);
                            }
                            (p.weak, p.ty) = (true, e);
                            continue;
                        }
                    }
                }
                (TypeKind::Vector(s, n), step) => {
                    let e = self.m.types.scalar(s);
                    match step {
                        Step::At(i) if i < n => (e, i, false),
                        _ => {
                            if !vague {
                                p = p.elements(n, 1, e);
                            }
                            (p.weak, p.ty) = (true, e);
                            continue;
                        }
                    }
                }
                _ => return p,
            };
            p.weak |= weak;
            p.ty = ty;
            if !vague {
                p.start += at;
                p.len = self.count(ty);
            }
        }
        p
    }

    /// The fields of a payload structure.
    pub fn fields(&mut self, s: Struct) -> Vec<Field> {
        let mut list = FieldList::default();
        self.add_fields(s, "", &mut list);
        list.out
    }

    /// The same with the fields of each element where a field is an array of payloads, whose qualifiers are its own.
    pub fn fields_of_elements(&mut self, s: Struct) -> Vec<Field> {
        let mut list = FieldList { of_elements: true, ..FieldList::default() };
        self.add_fields(s, "", &mut list);
        list.out
    }

    fn add_fields(&mut self, s: Struct, name: &str, list: &mut FieldList) {
        let m = self.m;
        for (n, f) in m.structs[s].fields.iter().enumerate() {
            list.path.push(n as u32);
            let full = match (name, f.name.as_str()) {
                ("", own) => own.to_owned(),
                (outer, "") => outer.to_owned(),
                (outer, own) => format!("{outer}.{own}"),
            };
            match m.types.kind(f.ty) {
                TypeKind::Struct(inner) if f.name.is_empty() => self.add_fields(inner, &full, list),
                _ => self.add_field(f.ty, f.paq, full, list),
            }
            list.path.pop();
        }
    }

    fn add_field(&mut self, ty: Type, paq: Option<Paq>, name: String, list: &mut FieldList) {
        let m = self.m;
        match m.types.kind(ty) {
            TypeKind::Struct(inner) if m.structs[inner].raypayload && paq.is_none() => self.add_fields(inner, &name, list),
            TypeKind::Array(e, n) if list.of_elements && paq.is_none() && self.payload_of_elements(ty).is_some() => {
                // Those of a long array are followed as one element.
                let apart = self.count(e).saturating_mul(n) <= EXPANDED;
                for k in 0..if apart { n } else { 1 } {
                    list.path.push(k);
                    let name = if apart { format!("{name}[{k}]") } else { format!("{name}[…]") };
                    self.add_field(e, None, name, list);
                    list.path.pop();
                }
            }
            _ => {
                let len = self.count(ty);
                list.out.push(Field { name, path: list.path.clone(), ty, paq, start: list.at, len });
                list.at += len;
            }
        }
    }

    /// The payload structure that an array, however deep, consists of.
    fn payload_of_elements(&self, t: Type) -> Option<Struct> {
        match self.m.types.kind(strip(self.m, t)) {
            TypeKind::Struct(s) if self.m.structs[s].raypayload => Some(s),
            _ => None,
        }
    }

    /// Whether a function has variables that are followed.
    pub fn concerns(&mut self, f: &Function) -> bool {
        let payload = |r| matches!(r, SlotRole::PayloadIn | SlotRole::PayloadOut);
        f.slots.values().any(|s| payload(s.role))
            || f.ret == Some(Type::HIT_OBJECT)
            || f.locals.values().any(|l| self.follows(l.ty))
            || f.places.values().any(|p| match p.root {
                Root::Global(g) => self.holds_payload(g),
                _ => false,
            })
    }

    /// Whether a function uses a static variable that is a flag.
    pub fn uses_flags(&self, f: &Function) -> bool {
        f.places.values().any(|p| matches!(p.root, Root::Global(g) if self.flags.contains(&g)))
    }

    /// Whether a global variable is one of the shader, and holds what payloads consist of.
    fn holds_payload(&mut self, g: Global) -> bool {
        match self.m.globals[g].kind {
            GlobalKind::Private(t, _) => self.follows(t),
            _ => false,
        }
    }

    /// Whether a global variable is one of the shader, and followed.
    pub fn follows_global(&mut self, g: Global) -> bool {
        self.flags.contains(&g) || self.holds_payload(g)
    }
}

/// Whether what has this type is a part of a field and not a structure or an array of structures.
pub(super) fn is_plain(m: &Module, t: Type) -> bool {
    !matches!(m.types.kind(strip(m, t)), TypeKind::Struct(_))
}

/// The element type of arrays, however deep.
fn strip(m: &Module, mut t: Type) -> Type {
    while let TypeKind::Array(e, _) = m.types.kind(t) {
        t = e;
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(p: Part) -> Vec<usize> {
        p.cells().collect()
    }

    #[test]
    fn an_element_that_is_not_known_is_one_of_all() {
        let array = Part::one(10, 12, Type::F32);
        // Three elements of four scalars, and one scalar of each.
        let element = array.elements(3, 4, Type::F32);
        assert_eq!((element.len, element.stride, element.times, element.weak), (4, 4, 3, true));
        assert_eq!(cells(element), (10..22).collect::<Vec<_>>());
        assert_eq!(element.range(), 10..22);
        assert_eq!(cells(element.place(1)), [14, 15, 16, 17]);
        let first = Part { len: 1, ..element };
        assert_eq!((cells(first), first.range()), (vec![10, 14, 18], 10..19));
        // One of two scalars in one of three elements: where they are at equal distances they alone, or else what is between, too.
        let even = Part { len: 2, ..element }.elements(2, 2, Type::F32);
        assert_eq!(cells(even), [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21]);
        let odd = Part { len: 3, ..element }.elements(1, 3, Type::F32);
        assert_eq!((odd.stride, odd.range()), (1, 10..21));
        assert_eq!(array.elements(1, 12, Type::F32).times, 1);
    }

    #[test]
    fn parts_overlap_that_share_a_cell() {
        let part = |start, len| Part::one(start, len, Type::F32);
        for (a, b, shared) in [((0, 2), (2, 2), false), ((0, 3), (2, 2), true), ((2, 1), (0, 4), true), ((4, 1), (0, 4), false)] {
            let (a, b) = (part(a.0, a.1), part(b.0, b.1));
            assert_eq!((a.overlaps(b), b.overlaps(a)), (shared, shared), "{a:?} {b:?}");
        }
        let mut states = [0; 6];
        part(1, 4).elements(2, 2, Type::F32).fill(&mut states, 7);
        assert_eq!(states, [0, 7, 7, 7, 7, 0]);
    }
}
