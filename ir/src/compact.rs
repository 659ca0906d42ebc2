//! Compaction: closes the gaps that passes leave in a function's numbering and frees what nothing uses.
//!
//! After it, regions and instructions are numbered in the order of the text; used constants come first
//! among the values, the rest follows in the order of the text; unused locals and outgoing slots are gone.
//! The meaning does not change, and parsing the printed function gives exactly this function.

use rtc_base::{EntityRef, EntitySet, PackedOption, PrimaryMap, ReservedValue, SecondaryMap};
use smallvec::SmallVec;

use crate::analysis::{Event, Walk};
use crate::debug::Debug;
use crate::inst::Root;
use crate::{Function, Inst, InstData, Local, Mapper, Module, Param, Place, Region, Slot, SlotRole, Value, ValueData, ValueDef, ValueList};

impl Module {
    /// Compacts every function.
    pub fn compact(&mut self) {
        self.funcs.values_mut().for_each(Function::compact);
    }
}

impl SlotRole {
    /// Whether the slot is part of what the function is called with (as opposed to a variable of it).
    pub fn is_incoming(self) -> bool {
        matches!(self, SlotRole::PayloadIn | SlotRole::CallableIn | SlotRole::AttrIn | SlotRole::MeshIn)
    }
}

/// New numbers of one kind of entity.
struct Renumber<E: EntityRef + ReservedValue> {
    new: SecondaryMap<E, PackedOption<E>>,
    count: usize,
    /// Whether each entity so far keeps its number.
    same: bool,
    /// How many entities there are.
    len: usize,
}

impl<E: EntityRef + ReservedValue> Renumber<E> {
    /// For entities numbered below `len`.
    fn new(len: usize) -> Self {
        let mut new = SecondaryMap::new();
        new.resize(len);
        Renumber { new, count: 0, same: true, len }
    }
    /// Whether all entities keep their numbers.
    fn is_identity(&self) -> bool {
        self.same && self.count == self.len
    }
    fn add(&mut self, old: E) {
        self.same &= old.index() == self.count;
        self.new[old] = Some(E::new(self.count)).into();
        self.count += 1;
    }
    fn get(&self, old: E) -> E {
        match self.new[old].expand() {
            Some(e) => e,
            None => rtc_base::bug!("an entity is used and not there: verify before compacting"),
        }
    }
}

impl Function {
    /// Closes gaps in the numbering and frees what is not used. The function must be well formed.
    pub fn compact(&mut self) {
        let order = self.text_order();
        let mut regions = Renumber::new(self.regions.len());
        let mut insts = Renumber::new(self.insts.len());
        let mut used: EntitySet<Value> = EntitySet::with_capacity(self.values.len());
        let (mut locals, mut slots) = (EntitySet::<Local>::new(), EntitySet::<Slot>::new());
        let (mut named, mut tables) = (InOrder::default(), InOrder::default());
        for step in &order {
            match *step {
                Step::Region(r) => regions.add(r),
                Step::Inst(i) => {
                    insts.add(i);
                    self.for_each_operand(i, |v| {
                        used.insert(v);
                    });
                    match self.insts[i] {
                        InstData::Slot { slot, .. } => {
                            slots.insert(slot);
                        }
                        InstData::Switch { cases, .. } => tables.see(cases),
                        _ => {}
                    }
                    self.for_each_place(i, |p| {
                        named.see(p);
                        match self.places[p].root {
                            Root::Local(l) => {
                                locals.insert(l);
                            }
                            Root::Slot(s) => {
                                slots.insert(s);
                            }
                            Root::Global(_) => {}
                        }
                    });
                }
            }
        }
        for p in &self.params {
            if let Param::Ref(l) = p {
                locals.insert(*l);
            }
        }
        let values = self.number_values(&order, &used);
        let kept_locals = renumber(self.locals.len(), self.locals.keys().filter(|l| locals.contains(*l)));
        let incoming = |s: &Slot| self.slots[*s].role.is_incoming();
        let kept_slots = renumber(self.slots.len(), self.slots.keys().filter(|s| slots.contains(*s) || incoming(s)));
        let same =
            regions.is_identity() && insts.is_identity() && values.is_identity() && kept_locals.is_identity() && kept_slots.is_identity();
        if same && named.are_all(self.places.len()) && tables.are_all(self.cases.len()) {
            // It is compact.
            self.merged.clear();
            return;
        }
        let mut places = SecondaryMap::new();
        places.resize(self.places.len());
        Rebuild { regions, insts, values, locals: kept_locals, slots: kept_slots, places }.run(self, &order);
    }

    /// Calls `f` with each place that `inst` names.
    pub fn for_each_place(&self, inst: Inst, mut f: impl FnMut(Place)) {
        match self.insts[inst] {
            InstData::Access { place, .. } => f(place),
            InstData::Copy { to, from, .. } => {
                f(to);
                f(from);
            }
            InstData::Call { refs, .. } => self.get_places(refs).iter().copied().for_each(f),
            _ => {}
        }
    }

    fn text_order(&self) -> Vec<Step> {
        let mut order = Vec::with_capacity(self.insts.len() + self.regions.len());
        let mut walk = Walk::new(self.body);
        while let Some(event) = walk.next(self) {
            match event {
                Event::Enter(r) => order.push(Step::Region(r)),
                Event::Inst(_, i) => order.push(Step::Inst(i)),
                Event::Leave(_) | Event::End(..) => {}
            }
        }
        order
    }

    fn number_values(&self, order: &[Step], used: &EntitySet<Value>) -> Renumber<Value> {
        let mut values = Renumber::new(self.values.len());
        for (v, data) in &self.values {
            if matches!(data.def, ValueDef::Const(_) | ValueDef::Undef) && used.contains(v) {
                values.add(v);
            }
        }
        for step in order {
            let defined: &[Value] = match *step {
                Step::Region(r) => &self.regions[r].params,
                Step::Inst(i) => self.results(i),
            };
            defined.iter().for_each(|&v| values.add(v));
        }
        values
    }
}

enum Step {
    Region(Region),
    Inst(Inst),
}

/// Entities that are seen; whether they come in the order of their numbers, each for the first time after the one before it.
struct InOrder {
    next: usize,
    sorted: bool,
}

impl Default for InOrder {
    fn default() -> Self {
        InOrder { next: 0, sorted: true }
    }
}

impl InOrder {
    fn see(&mut self, e: impl EntityRef) {
        self.sorted &= e.index() <= self.next;
        self.next = self.next.max(e.index() + 1);
    }

    /// Whether each of so many was seen, in order.
    fn are_all(&self, count: usize) -> bool {
        self.sorted && self.next == count
    }
}

fn renumber<E: EntityRef + ReservedValue>(len: usize, kept: impl Iterator<Item = E>) -> Renumber<E> {
    let mut r = Renumber::new(len);
    kept.for_each(|e| r.add(e));
    r
}

struct Rebuild {
    regions: Renumber<Region>,
    insts: Renumber<Inst>,
    values: Renumber<Value>,
    locals: Renumber<Local>,
    slots: Renumber<Slot>,
    /// The new places of those that were found so far.
    places: SecondaryMap<Place, PackedOption<Place>>,
}

impl Rebuild {
    fn run(mut self, f: &mut Function, order: &[Step]) {
        let mut new = Function::new(std::mem::take(&mut f.name), f.stage);
        new.symbol = std::mem::take(&mut f.symbol);
        (new.exported, new.numthreads) = (f.exported, f.numthreads);
        (new.declared, new.wave_size, new.groupshared_limit) = (f.declared, f.wave_size, f.groupshared_limit);
        new.inline = f.inline.take();
        new.elements = std::mem::take(&mut f.elements);
        new.state = f.state;
        (new.early_depth_stencil, new.helper_lanes) = (f.early_depth_stencil, f.helper_lanes);
        new.attributes = std::mem::take(&mut f.attributes);
        (new.ret, new.span) = (f.ret, f.span);
        new.params = f
            .params
            .iter()
            .map(|p| match *p {
                Param::Value(v) => Param::Value(self.values.get(v)),
                Param::Ref(l) => Param::Ref(self.locals.get(l)),
            })
            .collect();
        new.misplaced = std::mem::take(&mut f.misplaced);
        new.settled = f.settled;
        new.regions.clear();
        new.regions.reserve(self.regions.count);
        new.insts.reserve(self.insts.count);
        new.spans.reserve(self.insts.count);
        new.results.reserve(self.insts.count);
        new.pool.reserve(self.values.count * 2);
        new.body = self.regions.get(f.body);
        new.values = self.reorder_values(f);
        new.consts.reserve(f.consts.len());
        for (v, data) in &new.values {
            let bits = match data.def {
                ValueDef::Const(bits) => Some(bits),
                ValueDef::Undef => None,
                // They come first.
                _ => break,
            };
            new.consts.insert((data.ty, bits), v);
        }
        for (l, data) in std::mem::take(&mut f.locals) {
            if self.locals.new[l].is_some() {
                new.locals.push(data);
            }
        }
        for (s, data) in std::mem::take(&mut f.slots) {
            if self.slots.new[s].is_some() {
                new.slots.push(data);
            }
        }
        // Hints, origins and `precise` are rare.
        let inherits = f.has_attributes();
        for step in order {
            match *step {
                Step::Region(r) => {
                    let mut data = std::mem::take(&mut f.regions[r]);
                    data.params.iter_mut().for_each(|v| *v = self.values.get(*v));
                    data.insts.iter_mut().for_each(|i| *i = self.insts.get(*i));
                    data.owner = data.owner.map(|i| self.insts.get(i));
                    new.regions.push(data);
                }
                Step::Inst(i) => {
                    let data = Renumbering { rebuild: &mut self, old: f, new: &mut new }.copy(i);
                    let n = new.insts.push(data);
                    new.spans.push(f.spans[i]);
                    if inherits {
                        new.inherit(n, f, i);
                    }
                    let results = self.list(f, &mut new, f.results[i]);
                    new.results.push(results);
                }
            }
        }
        new.debug = f.debug.take().map(|d| Box::new(self.debug(f, *d)));
        *f = new;
    }

    /// The names of what is left.
    fn debug(&self, f: &Function, old: Debug) -> Debug {
        let mut new = Debug {
            vars: old.vars,
            sites: old.sites,
            marked: old.marked,
            unnamed: old.unnamed,
            sub: old.sub,
            aliases: old.aliases,
            ..Debug::default()
        };
        for (i, mut marks) in old.marks {
            let Some(n) = self.insts.new.get(i).and_then(|n| n.expand()) else { continue };
            marks.retain_mut(|m| f.renumber_mark(m, &|v| self.values.new.get(v).and_then(|n| n.expand())));
            new.marks.insert(n, marks);
        }
        for (l, named) in old.locals.iter() {
            if let (Some(n), true) = (self.locals.new.get(l).and_then(|n| n.expand()), named.is_some()) {
                new.locals[n] = named.clone();
            }
        }
        for (s, named) in old.slots.iter() {
            if let (Some(n), true) = (self.slots.new.get(s).and_then(|n| n.expand()), named.is_some()) {
                new.slots[n] = named.clone();
            }
        }
        for (v, names) in old.values {
            if let Some(n) = self.values.new.get(v).and_then(|n| n.expand()) {
                new.values.insert(n, names);
            }
        }
        for (i, site) in old.inlined.iter() {
            if let (Some(n), true) = (self.insts.new.get(i).and_then(|n| n.expand()), site.is_some()) {
                new.inlined[n] = *site;
            }
        }
        new
    }

    fn reorder_values(&self, f: &Function) -> PrimaryMap<Value, ValueData> {
        let filler = ValueData { ty: crate::Type::BOOL, def: ValueDef::Undef };
        let mut out: PrimaryMap<Value, ValueData> = std::iter::repeat_n(filler, self.values.count).collect();
        for (v, data) in &f.values {
            let Some(n) = self.values.new[v].expand() else {
                continue;
            };
            let def = match data.def {
                ValueDef::Result(i, at) => ValueDef::Result(self.insts.get(i), at),
                ValueDef::Param(r, at) => ValueDef::Param(self.regions.get(r), at),
                other => other,
            };
            out[n] = ValueData { ty: data.ty, def };
        }
        out
    }

    fn list(&self, f: &Function, new: &mut Function, l: ValueList) -> ValueList {
        match *f.get(l) {
            [] => ValueList::EMPTY,
            [one] => new.list(&[self.values.get(one)]),
            ref all => new.list_of(all.iter().map(|&v| self.values.get(v))),
        }
    }

    fn place(&mut self, f: &Function, new: &mut Function, p: Place) -> Place {
        if let Some(place) = self.places[p].expand() {
            return place;
        }
        let old = &f.places[p];
        let root = match old.root {
            Root::Local(l) => Root::Local(self.locals.get(l)),
            Root::Slot(s) => Root::Slot(self.slots.get(s)),
            Root::Global(g) => Root::Global(g),
        };
        let place = new.place(root, &old.steps);
        self.places[p] = Some(place).into();
        place
    }
}

/// Instructions of the old function become those of the new one.
struct Renumbering<'c, 'f> {
    rebuild: &'c mut Rebuild,
    old: &'f Function,
    new: &'f mut Function,
}

impl Mapper for Renumbering<'_, '_> {
    fn source(&self) -> &Function {
        self.old
    }
    fn target(&mut self) -> &mut Function {
        self.new
    }
    fn value(&mut self, v: Value) -> Value {
        self.rebuild.values.get(v)
    }
    fn region(&mut self, r: Region) -> Region {
        self.rebuild.regions.get(r)
    }
    fn slot(&mut self, s: Slot) -> Slot {
        self.rebuild.slots.get(s)
    }
    fn place(&mut self, p: Place) -> (Place, SmallVec<[Value; 4]>) {
        (self.rebuild.place(self.old, self.new, p), SmallVec::new())
    }
    fn list(&mut self, l: ValueList) -> ValueList {
        self.rebuild.list(self.old, self.new, l)
    }
}
