//! Facts about a hit object that its variable does not hold, as numbers in variables of their own.

use rtc_base::{PrimaryMap, Span};
use rtc_ir::{
    Builder, CaseTable, Function, Inst, InstData, Local, Opcode as O, Place, Region, Root, Slot, SlotRole, Step, Struct, StructData, Type,
    TypeKind, TypeTable, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::Ser;
use super::families::Families;
use super::states::{NOP, ObjectStates};
use crate::Error;

/// Values that a piece of code gives.
pub(super) type Values = SmallVec<[Value; 4]>;

/// A number that goes with a hit object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    /// Which variable of the pool it is in.
    Slot,
    /// The index of its shader record, which its variable may not have.
    Record,
    /// Whether it has a shader record.
    Bound,
    /// The ray's flags.
    Flags,
    /// Which scene it was found in, and the index of that if it is an array.
    Scene,
    SceneIndex,
    /// The number of its cluster.
    Cluster,
    /// A vertex of its triangle.
    Vertex(u8),
}

impl Part {
    pub(super) const ALL: [Part; 10] = [
        Part::Slot,
        Part::Record,
        Part::Bound,
        Part::Flags,
        Part::Scene,
        Part::SceneIndex,
        Part::Cluster,
        Part::Vertex(0),
        Part::Vertex(1),
        Part::Vertex(2),
    ];

    fn ty(self) -> Type {
        match self {
            Part::Bound => Type::BOOL,
            Part::Vertex(_) => Type::F32X3,
            _ => Type::I32,
        }
    }
}

/// A declared scene, an array of them, or the heap.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Source {
    /// `resource` or `heap_resource`, with some index.
    pub data: InstData,
    pub ty: Type,
}

/// A function on its way.
pub(super) struct Rewriter<'a> {
    pub types: &'a mut TypeTable,
    pub structs: &'a mut PrimaryMap<Struct, StructData>,
    pub f: &'a mut Function,
    pub ser: Ser,
    pub families: Families,
    pub states: ObjectStates,
    /// Constructs that something breaks out of.
    pub broken: FxHashSet<Inst>,
    /// The variables of each family, those of the pool first, then that of nops.
    pub storage: Vec<Vec<Slot>>,
    pub rename: FxHashMap<Value, Value>,
    pub sources: Vec<Source>,
    pub errors: &'a mut Vec<Error>,
    pub warnings: &'a mut Vec<Error>,
    pub span: Span,
    /// A slot for the attributes of triangles, and the largest attributes in the module.
    pub triangle: Option<Slot>,
    pub largest: Option<Type>,
    pub vars: FxHashMap<(Value, Part), Local>,
    pub arrays: FxHashMap<(Local, Part), Local>,
    pub queries: FxHashMap<(Slot, Part), Local>,
}

impl Rewriter<'_> {
    /// A builder at the end of `r`.
    pub fn b(&mut self, r: Region) -> Builder<'_> {
        let mut b = Builder::at(self.types, self.f, r);
        b.span = self.span;
        b
    }

    /// Whether the hit objects of a family have this part.
    pub fn has(&self, family: usize, p: Part) -> bool {
        let f = &self.families.list[family];
        let nv = self.ser == Ser::Nv;
        match p {
            Part::Slot => f.pool > 0,
            Part::Record => f.lazy,
            Part::Bound => f.query,
            Part::Flags => nv && f.flags,
            Part::Scene => nv && f.sets && self.sources.len() > 1,
            Part::SceneIndex => nv && f.sets && self.sources.iter().any(|s| index_of(&s.data, self.f).is_some()),
            Part::Cluster => f.cluster && (!nv || f.query || f.sets),
            Part::Vertex(_) => nv && f.positions && f.query,
        }
    }

    /// The family of a hit object.
    pub fn family(&self, v: Value) -> usize {
        match self.families.of_value.get(&v) {
            Some(&n) => n,
            None => rtc_base::bug!("every hit object has a family"),
        }
    }

    fn var(&mut self, v: Value, p: Part) -> Local {
        match self.vars.get(&(v, p)) {
            Some(&l) => l,
            None => {
                let l = self.f.add_local(p.ty(), "");
                self.vars.insert((v, p), l);
                l
            }
        }
    }

    /// Part `p` of `v`, if its family has it.
    pub fn part(&mut self, r: Region, v: Value, p: Part) -> Option<Value> {
        if !self.has(self.family(v), p) {
            return None;
        }
        let l = self.var(v, p);
        Some(self.b(r).load(Root::Local(l), &[], &[], p.ty()))
    }

    /// Sets part `p` of `v`, if its family has it.
    pub fn set_part(&mut self, r: Region, v: Value, p: Part, x: Value) {
        if self.has(self.family(v), p) {
            let l = self.var(v, p);
            self.b(r).store(Root::Local(l), &[], &[], x);
        }
    }

    /// The array of part `p` that goes with an array of hit objects.
    pub fn array(&mut self, l: Local, p: Part) -> Local {
        if let Some(&a) = self.arrays.get(&(l, p)) {
            return a;
        }
        let ty = self.part_array(self.f.locals[l].ty, p);
        let name = self.f.locals[l].name.clone();
        let a = self.f.add_local(ty, name);
        self.arrays.insert((l, p), a);
        a
    }

    fn part_array(&mut self, t: Type, p: Part) -> Type {
        match self.types.kind(t) {
            TypeKind::Array(e, n) => {
                let e = self.part_array(e, p);
                self.types.array(e, n)
            }
            _ => p.ty(),
        }
    }

    /// The place in the array of a part that stands for `place` in an array of hit objects.
    pub fn array_place(&mut self, place: Place, p: Part) -> Option<(Local, SmallVec<[Step; 4]>)> {
        let data = self.f.places[place].clone();
        match data.root {
            Root::Local(l) if self.families.of_local.contains_key(&l) => Some((self.array(l, p), data.steps)),
            _ => None,
        }
    }

    /// `if cond { a } else { b }` at the end of `r`.
    pub fn branch(
        &mut self,
        r: Region,
        cond: Value,
        results: &[Type],
        a: impl FnOnce(&mut Self, Region) -> Values,
        b: impl FnOnce(&mut Self, Region) -> Values,
    ) -> Values {
        let (yes, no) = (self.f.add_region(), self.f.add_region());
        let given = a(self, yes);
        self.b(yes).exit(O::yield_, &given);
        let given = b(self, no);
        self.b(no).exit(O::yield_, &given);
        let i = self.b(r).if_(cond, yes, no, results);
        self.f.results(i).into()
    }

    /// What `each` gives for number `on` of `0..count`.
    pub fn choose(
        &mut self,
        r: Region,
        on: Value,
        count: usize,
        results: &[Type],
        mut each: impl FnMut(&mut Self, Region, usize) -> Values,
    ) -> Values {
        if count == 1 {
            return each(self, r, 0);
        }
        let mut regions = Vec::with_capacity(count);
        for n in 0..count {
            let arm = self.f.add_region();
            let given = each(self, arm, n);
            self.b(arm).exit(O::yield_, &given);
            regions.push(arm);
        }
        let Some(default) = regions.pop() else { return smallvec![] };
        if let [one] = regions[..] {
            let zero = self.f.const_u32(0);
            let first = self.b(r).binary(O::ieq, on, zero);
            let i = self.b(r).if_(first, one, default, results);
            return self.f.results(i).into();
        }
        let arms = regions.into_iter().enumerate().map(|(n, r)| (vec![n as i32], r)).collect();
        let i = self.b(r).switch(on, CaseTable { arms, default }, results);
        self.f.results(i).into()
    }

    /// What `each` gives for the variable that `v` is in, and what it may be if it is in that.
    pub fn in_storage(
        &mut self,
        r: Region,
        v: Value,
        results: &[Type],
        mut each: impl FnMut(&mut Self, Region, Slot, u8) -> Values,
    ) -> Values {
        let n = self.family(v);
        let all = self.storage[n].clone();
        let may = self.states.may(v);
        let Some(slot) = self.part(r, v, Part::Slot) else { return each(self, r, all[0], may) };
        let (pool, query) = (self.families.list[n].pool as usize, self.families.list[n].query);
        self.choose(r, slot, all.len(), results, |this, r, k| {
            let here = match k < pool {
                true if query => may,
                true => may & !NOP,
                false => NOP,
            };
            // Without a possible state the code is unreachable.
            each(this, r, all[k], if here == 0 { may } else { here })
        })
    }

    /// The hit object in variable `s`.
    pub fn object(&mut self, r: Region, s: Slot) -> Value {
        self.b(r).load(Root::Slot(s), &[], &[], Type::HIT_OBJECT)
    }

    /// Hit object `v` goes to variable `s`.
    pub fn keep(&mut self, r: Region, s: Slot, v: Value) {
        self.b(r).store(Root::Slot(s), &[], &[], v);
    }

    /// What instruction `op` says of the hit object in variable `s`.
    pub fn get(&mut self, r: Region, s: Slot, op: O, imm: u32, ty: Type) -> Value {
        let v = self.object(r, s);
        match op.format() {
            rtc_ir::Format::Many => self.b(r).many_value(op, imm, &[v], ty),
            _ => self.b(r).convert(op, v, ty),
        }
    }

    /// Zero of a scalar or vector type.
    pub fn zero(&mut self, r: Region, ty: Type) -> Value {
        let Some((s, n)) = self.types.numeric(ty) else { return self.f.undef(ty) };
        let scalar = self.types.scalar(s);
        let zero = self.f.const_zero(scalar);
        self.b(r).splat(zero, n)
    }

    /// A slot for the attributes of triangles.
    pub fn triangle_slot(&mut self) -> Slot {
        if let Some(s) = self.triangle {
            return s;
        }
        let ty = triangle_attributes(self.types, self.structs);
        let s = self.f.add_slot(SlotRole::AttrHit, ty, "barycentrics");
        self.triangle = Some(s);
        s
    }
}

/// The index that a resource is taken with.
pub(super) fn index_of(data: &InstData, f: &Function) -> Option<Value> {
    match *data {
        InstData::Resource { index, .. } => index.expand(),
        InstData::Many { args, .. } => f.get(args).first().copied(),
        _ => None,
    }
}

/// The structure of a triangle's attributes.
fn triangle_attributes(types: &mut TypeTable, structs: &mut PrimaryMap<Struct, StructData>) -> Type {
    let is = |s: &StructData| matches!(&s.fields[..], [one] if one.ty == Type::F32X2);
    if let Some((id, _)) = structs.iter().find(|(_, s)| is(s) && !s.raypayload) {
        return types.struct_(id);
    }
    let field = rtc_ir::Field {
        name: "barycentrics".into(),
        ty: Type::F32X2,
        paq: None,
        offset: None,
        numbers: None,
        hlsl: "float2".into(),
        precise: false,
    };
    let mut name = String::from("BuiltInTriangleIntersectionAttributes");
    while structs.values().any(|s| s.name == name) {
        name.push('_');
    }
    let id = structs.push(StructData { name, fields: vec![field], base: None, raypayload: false });
    types.struct_(id)
}
