//! The elements of live sets: components of values, and parts of variables.
//!
//! Only what can be live across some point has a number, so that sets stay small however large the function is: a value without a
//! point between its definition and its last use has none. A value of up to four components has one number for each; a variable
//! (local, payload, ray query) has one for each scalar or vector in it, where arrays of many elements count as one.

use rtc_base::SecondaryMap;
use rtc_ir::analysis::RegionTree;
use rtc_ir::{Function, Inst, InstData, Module, Opcode, Param, Root, SlotRole, Step, Type, TypeKind, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::points::ReorderingFuncs;

/// What one element is a part of.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Element {
    /// A component of a value (0 where it counts as a whole).
    Value(Value, u32),
    /// A part of a variable.
    Part(Part),
}

/// A part of a variable: a scalar, a vector, or an array of many elements.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Part {
    /// The variable.
    pub root: Root,
    /// The path to the part: fields and elements.
    pub path: SmallVec<[u32; 4]>,
    /// Its type.
    pub ty: Type,
}

/// Arrays of more leaves than this are one element.
const MAX_LEAVES: u32 = 64;

/// The region tree of a function, with the numbers of its reorder points in the order of the text.
pub(super) struct Text {
    pub tree: RegionTree,
    /// The numbers of the points.
    pub points: Vec<u32>,
}

impl Text {
    pub fn of(f: &Function, moving: &ReorderingFuncs) -> Text {
        let tree = RegionTree::of(f);
        let mut points = Vec::new();
        f.for_each_inst(f.body, |_, i| {
            if moving.is_point(f, i) {
                points.push(tree.number(i));
            }
        });
        Text { tree, points }
    }

    /// The number of `i`.
    pub fn at(&self, i: Inst) -> u32 {
        self.tree.number(i)
    }

    /// Whether there is a point between two numbers.
    pub fn point_between(&self, from: u32, to: u32) -> bool {
        let n = self.points.partition_point(|&p| p < from);
        self.points.get(n).is_some_and(|&p| p < to)
    }

    /// The end of the live range from `def` to `user`: extended to the end of loops that begin in between.
    fn reach(&self, f: &Function, def: u32, user: Inst) -> u32 {
        let mut to = self.at(user);
        let mut around = self.tree.loop_around(user);
        while let Some(l) = around {
            // A loop's own parameters are defined in it.
            if self.at(l) < def {
                break;
            }
            to = self.tree.end_of(f, l);
            around = self.tree.loop_around(l);
        }
        to
    }
}

/// The elements of one function.
pub(super) struct Elements {
    /// Each with its bytes.
    pub all: Vec<(Element, u32)>,
    /// Values that have numbers: the first.
    first: SecondaryMap<Value, Option<u32>>,
    /// Variables that have numbers: the first and how many.
    pub roots: FxHashMap<Root, (u32, u32)>,
    /// How many elements variables of the types of these, and of the types in them, have.
    leaves: FxHashMap<Type, u32>,
}

/// What a place names: the first element, how many, and whether exactly these.
pub(super) struct Range {
    pub first: u32,
    pub count: u32,
    pub exact: bool,
}

impl Elements {
    pub fn of(m: &Module, f: &Function, text: &Text) -> Elements {
        let mut e = Elements { all: Vec::new(), first: SecondaryMap::new(), roots: FxHashMap::default(), leaves: FxHashMap::default() };
        e.first.resize(f.values.len());
        e.values(m, f, text);
        e.variables(m, f);
        e
    }

    fn values(&mut self, m: &Module, f: &Function, text: &Text) {
        let mut defined: SecondaryMap<Value, u32> = SecondaryMap::new();
        defined.resize(f.values.len());
        f.for_each_region(f.body, |r| {
            // Parameters of a loop are there once its instruction has begun.
            let at = f.regions[r].owner.map_or(0, |o| text.at(o) + 1);
            for &v in &f.regions[r].params {
                defined[v] = at;
            }
        });
        let mut found = Vec::new();
        f.for_each_inst(f.body, |_, i| {
            f.for_each_operand(i, |v| {
                if self.first[v].is_some() || matches!(f.values[v].def, ValueDef::Const(_) | ValueDef::Undef) {
                    return;
                }
                // The results of a control instruction are available after it.
                let def = match f.values[v].def {
                    ValueDef::Result(d, _) if f.owns_regions(d) => text.tree.end_of(f, d),
                    ValueDef::Result(d, _) => text.at(d) + 1,
                    _ => defined[v],
                };
                if text.point_between(def, text.reach(f, def, i)) && is_state(m, f, v) {
                    self.first[v] = Some(u32::MAX);
                    found.push(v);
                }
            });
        });
        found.sort_unstable();
        for v in found {
            self.first[v] = Some(self.all.len() as u32);
            let (count, bytes) = match m.types.numeric(f.ty(v)) {
                Some((s, n @ 2..=4)) => (n, s.bytes()),
                Some((s, n)) => (1, s.bytes() * n),
                None => (1, if m.types.as_resource(f.ty(v)).is_some() { 4 } else { 0 }),
            };
            self.all.extend((0..count).map(|c| (Element::Value(v, c), bytes)));
        }
    }

    fn variables(&mut self, m: &Module, f: &Function) {
        let mut roots: Vec<Root> = Vec::new();
        for (s, data) in &f.slots {
            if data.role.is_incoming() {
                roots.push(Root::Slot(s));
            }
        }
        for p in &f.params {
            if let Param::Ref(l) = p {
                roots.push(Root::Local(*l));
            }
        }
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Slot { slot, .. } = f.insts[i] {
                roots.push(Root::Slot(slot));
            }
            f.for_each_place(i, |p| match f.places[p].root {
                Root::Global(_) => {}
                root => roots.push(root),
            });
        });
        for root in roots {
            if self.roots.contains_key(&root) {
                continue;
            }
            let ty = match root {
                Root::Local(l) => f.locals[l].ty,
                Root::Slot(s) => f.slots[s].ty,
                Root::Global(_) => continue,
            };
            let first = self.all.len() as u32;
            self.count(m, ty);
            let mut path = SmallVec::new();
            self.leaves_of(m, root, ty, &mut path);
            self.roots.insert(root, (first, self.all.len() as u32 - first));
        }
    }

    /// Adds the leaves of type `t` below `path`. Types are of bounded depth.
    fn leaves_of(&mut self, m: &Module, root: Root, t: Type, path: &mut SmallVec<[u32; 4]>) {
        let (n, elem) = match m.types.kind(t) {
            TypeKind::Struct(s) => (m.structs[s].fields.len() as u32, None),
            TypeKind::Array(e, n) if !self.is_one(m, t) => (n, Some(e)),
            _ => {
                let part = Part { root, path: path.clone(), ty: t };
                return self.all.push((Element::Part(part), bytes_of(m, t)));
            }
        };
        for i in 0..n {
            let Some(part) = elem.or_else(|| m.part(t, Some(i))) else { continue };
            path.push(i);
            self.leaves_of(m, root, part, path);
            path.pop();
        }
    }

    /// Whether arrays of type `t` are one element.
    fn is_one(&self, m: &Module, t: Type) -> bool {
        match m.types.kind(t) {
            TypeKind::Array(e, n) => self.counted(e).saturating_mul(n) > MAX_LEAVES,
            _ => false,
        }
    }

    /// How many elements a variable of type `t`, which is in one of the function's, has.
    fn counted(&self, t: Type) -> u32 {
        self.leaves.get(&t).copied().unwrap_or(1)
    }

    /// Counts the elements of a variable of type `t`.
    fn count(&mut self, m: &Module, t: Type) -> u32 {
        if let Some(&n) = self.leaves.get(&t) {
            return n;
        }
        let n = match m.types.kind(t) {
            TypeKind::Struct(s) => {
                let fields = m.structs[s].fields.iter();
                fields.fold(0, |n: u32, f| n.saturating_add(self.count(m, f.ty)))
            }
            TypeKind::Array(e, n) => match self.count(m, e).saturating_mul(n) {
                n if n > MAX_LEAVES => 1,
                n => n,
            },
            _ => 1,
        };
        self.leaves.insert(t, n);
        n
    }

    /// The elements that a place names.
    pub fn range(&self, m: &Module, f: &Function, root: Root, steps: &[Step]) -> Option<Range> {
        let &(mut first, count) = self.roots.get(&root)?;
        let mut t = match root {
            Root::Local(l) => f.locals[l].ty,
            Root::Slot(s) => f.slots[s].ty,
            Root::Global(_) => return None,
        };
        if steps.is_empty() {
            return Some(Range { first, count, exact: true });
        }
        for s in steps {
            match (m.types.kind(t), *s) {
                (TypeKind::Struct(id), Step::At(n)) => {
                    for field in m.structs[id].fields.iter().take(n as usize) {
                        first += self.counted(field.ty);
                    }
                    t = m.part(t, Some(n))?;
                }
                (TypeKind::Array(e, _), Step::At(n)) if !self.is_one(m, t) => {
                    first += n * self.counted(e);
                    t = e;
                }
                _ => {
                    let count = self.counted(t);
                    return Some(Range { first, count, exact: false });
                }
            }
        }
        let count = self.counted(t);
        Some(Range { first, count, exact: true })
    }

    /// The numbers of a value's components; none if it has no number.
    pub fn of_value(&self, m: &Module, f: &Function, v: Value) -> std::ops::Range<u32> {
        match self.first[v] {
            None => 0..0,
            Some(first) => match m.types.numeric(f.ty(v)) {
                Some((_, n @ 2..=4)) => first..first + n,
                _ => first..first + 1,
            },
        }
    }
}

/// Whether keeping `v` costs something: the handle of a resource that has a fixed place does not, and a ray query is
/// a variable.
fn is_state(m: &Module, f: &Function, v: Value) -> bool {
    match (m.types.kind(f.ty(v)), f.def_inst(v)) {
        (TypeKind::RayQuery(..) | TypeKind::Spirv(_), _) => false,
        (TypeKind::Resource(_), Some(i)) => match f.insts[i] {
            InstData::Resource { index, .. } => index.expand().is_some_and(|n| f.as_const(n).is_none()),
            InstData::Many { op: Opcode::heap_resource, args, .. } => f.get(args).iter().any(|&a| f.as_const(a).is_none()),
            _ => true,
        },
        _ => true,
    }
}

/// Bytes of a variable of type `t`. Opaque types (ray queries, matrices of linear algebra) have no defined size: 0.
pub(super) fn bytes_of(m: &Module, t: Type) -> u32 {
    match m.types.kind(t) {
        TypeKind::Scalar(s) => s.bytes(),
        TypeKind::Vector(s, n) => s.bytes() * n,
        TypeKind::Array(e, n) => bytes_of(m, e).saturating_mul(n),
        TypeKind::Struct(s) => {
            let fields = m.structs[s].fields.iter();
            fields.fold(0, |n: u32, f| n.saturating_add(bytes_of(m, f.ty)))
        }
        TypeKind::Resource(_) => 4,
        TypeKind::Spirv(s) => m.inline_types[s].size,
        TypeKind::HitObject | TypeKind::RayQuery(..) | TypeKind::Linalg(_) => 0,
    }
}

/// Whether slots of this role are copied back to the caller of the shader.
pub(super) fn goes_back(role: SlotRole) -> bool {
    matches!(role, SlotRole::PayloadIn | SlotRole::CallableIn)
}
