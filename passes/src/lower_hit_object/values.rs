//! One function: each value that is a hit object becomes a variable of its own.
//!
//! Where control flow hands values on (results of constructs, parameters of loops), the exit copies one variable to
//! another. A variable is written where its value was defined, which is before every use, so nothing else is needed.

use rtc_base::Span;
use rtc_ir::analysis::{results_start, target_construct};
use rtc_ir::{
    Builder, Function, Global, Inst, InstData, Local, Module, Opcode, Region, Root, Slot, SlotRole, Stage, Step, Type, Value, ValueList,
};
use rustc_hash::FxHashMap;

use super::layout::Layout;
use super::object::Object;
use super::survey::{Scene, Survey, own_scene, uses_root};
use super::{attributes, object_type};
use crate::util::{Rename, all_regions, set_args};

/// Where the contents of a slot are now: a variable and the way into it; and their type.
pub(super) type Home = (Root, Vec<Step>, Type);

/// The work on one function.
pub(super) struct Lowering<'a> {
    pub m: &'a mut Module,
    pub s: &'a Survey,
    pub layout: &'a mut Layout,
    pub tail: Option<Global>,
    pub f: &'a mut Function,
    pub homes: FxHashMap<Slot, Home>,
    pub rename: Rename,
    pub traced: Option<Slot>,
    pub invoked: FxHashMap<Type, Slot>,
    /// The acceleration structure of traces that meet nothing.
    pub scene: Option<Scene>,
    /// It was a closest-hit shader; the slot with its payload.
    pub hit_shader: Option<Slot>,
    /// It is an any-hit shader; the slot with its payload.
    pub any_hit: Option<Slot>,
    /// The attributes that it was given.
    attributes: Option<(Local, Type)>,
    objects: FxHashMap<Value, Local>,
}

impl<'a> Lowering<'a> {
    pub fn new(m: &'a mut Module, s: &'a Survey, layout: &'a mut Layout, tail: Option<Global>, f: &'a mut Function) -> Self {
        Lowering {
            m,
            s,
            layout,
            tail,
            f,
            homes: FxHashMap::default(),
            rename: Rename::new(),
            traced: None,
            invoked: FxHashMap::default(),
            scene: None,
            hit_shader: None,
            any_hit: None,
            attributes: None,
            objects: FxHashMap::default(),
        }
    }

    /// Lowers the function.
    pub fn run(mut self) {
        self.slots();
        for l in self.f.locals.keys() {
            self.f.locals[l].ty = object_type(self.m, self.layout.object.ty, self.f.locals[l].ty);
        }
        if self.tail.is_some() {
            let shared = self.s.scene.map(|g| Scene::Declared(g, None, self.m.globals[g].ty()));
            self.scene = own_scene(self.m, self.f).or(shared);
        }
        for r in all_regions(self.f) {
            let old = std::mem::take(&mut self.f.regions[r].insts);
            if r == self.f.body {
                self.prologue(r);
            }
            for i in old {
                self.inst(r, i);
            }
        }
        self.drop_objects();
        self.rename.apply(self.f);
    }

    /// A builder at the end of a region.
    pub fn at(&mut self, r: Region, span: Span) -> Builder<'_> {
        let mut b = Builder::at(&mut self.m.types, self.f, r);
        b.span = span;
        b
    }

    /// A builder at the end of a region, and the object in a variable.
    pub fn with(&mut self, r: Region, span: Span, at: Local) -> (Builder<'_>, Object<'_>) {
        let mut b = Builder::at(&mut self.m.types, self.f, r);
        b.span = span;
        (b, Object { record: &self.layout.object, at })
    }

    // Slots --------------------------------------------------------------------------------------

    /// Payloads and attributes of hit objects become locals; incoming payloads parts of what recorders, traces and
    /// invocations agree on.
    fn slots(&mut self) {
        let (hit, any_hit) = (self.f.stage == Stage::ClosestHit, self.f.stage == Stage::AnyHit);
        for slot in self.f.slots.keys() {
            let data = self.f.slots[slot].clone();
            let tables = self.tail.is_some();
            let home = match data.role {
                SlotRole::AttrHit => Some(self.local_home(&data.name, data.ty)),
                SlotRole::PayloadOut if tables => Some(self.local_home(&data.name, data.ty)),
                SlotRole::AttrIn if tables && hit => {
                    let home = self.local_home(&data.name, data.ty);
                    if let (Root::Local(l), true) = (home.0, uses_root(self.f, Root::Slot(slot))) {
                        self.attributes = Some((l, data.ty));
                    }
                    // Nothing is in it any more: an outgoing slot without uses goes away.
                    self.f.slots[slot].role = SlotRole::AttrHit;
                    Some(home)
                }
                SlotRole::PayloadIn if tables => {
                    let (ty, steps) = match any_hit {
                        true => (self.layout.traced, vec![Step::At(self.layout.members[&data.ty])]),
                        false => self.layout.invoked(self.m, data.ty),
                    };
                    self.f.slots[slot].ty = ty;
                    if hit {
                        self.hit_shader = Some(slot);
                    }
                    if any_hit {
                        self.any_hit = Some(slot);
                    }
                    Some((Root::Slot(slot), steps, data.ty))
                }
                _ => None,
            };
            if let Some(home) = home {
                self.homes.insert(slot, home);
            }
        }
        if hit && self.tail.is_some() {
            self.f.stage = Stage::Miss;
        }
        let homes = &self.homes;
        self.f.map_places(|_, place| {
            let Root::Slot(slot) = place.root else { return };
            if let Some((root, steps, _)) = homes.get(&slot) {
                place.root = *root;
                place.steps.insert_from_slice(0, steps);
            }
        });
    }

    fn local_home(&mut self, name: &str, ty: Type) -> Home {
        (Root::Local(self.f.add_local(ty, name)), Vec::new(), ty)
    }

    /// What a function does before anything else.
    fn prologue(&mut self, body: Region) {
        let span = self.f.span;
        if let (Some((l, ty)), Some(slot), Some(read)) = (self.attributes, self.hit_shader, self.layout.read.clone()) {
            let (leaves, _) = attributes::leaves(self.m, ty);
            let mut b = self.at(body, span);
            attributes::unpack(&mut b, &leaves, Root::Local(l), |b, n| {
                let mut steps = vec![Step::At(0)];
                steps.extend(read.step(super::parts::Part::Attributes, n));
                b.load(Root::Slot(slot), &steps, &[], Type::I32)
            });
        }
    }

    // Values -------------------------------------------------------------------------------------

    pub fn is_object(&self, v: Value) -> bool {
        self.f.ty(v) == Type::HIT_OBJECT
    }

    /// The variable of a value; that of an undefined one is a nop.
    pub fn object(&mut self, r: Region, v: Value) -> Local {
        if self.f.is_undef(v) {
            let l = self.f.add_local(self.layout.object.ty, "");
            let (mut b, object) = self.with(r, Span::NONE, l);
            object.make_nop(&mut b);
            return l;
        }
        if let Some(&l) = self.objects.get(&v) {
            return l;
        }
        let l = self.f.add_local(self.layout.object.ty, "");
        self.objects.insert(v, l);
        l
    }

    /// `to := from`, whole objects.
    pub fn copy_object(&mut self, r: Region, span: Span, to: (Root, &[Step], &[Value]), from: (Root, &[Step], &[Value])) {
        self.at(r, span).copy(to, from);
    }

    /// The copies by which instruction `i`, an exit or the beginning of a loop, hands hit objects on: all at once.
    fn hand_on(&mut self, r: Region, i: Inst) {
        let args = self.f.operands(i);
        if !args.iter().any(|&v| self.is_object(v)) {
            return;
        }
        let mut pairs: Vec<(Value, Value)> = Vec::new();
        let body_params = |f: &Function, owner: Inst| match f.insts[owner] {
            InstData::Loop { body, .. } => f.regions[body].params.clone(),
            _ => Vec::new(),
        };
        match self.f.insts[i] {
            InstData::Loop { body, .. } => {
                pairs.extend(self.f.regions[body].params.iter().copied().zip(args.iter().copied()));
            }
            InstData::Exit { op, .. } => {
                let Some(owner) = target_construct(self.f, r, i) else { return };
                let params = match (op, self.f.insts[owner]) {
                    (Opcode::continue_, InstData::Loop { continuing, .. }) => self.f.regions[continuing].params.clone(),
                    (Opcode::next | Opcode::next_if, _) => body_params(self.f, owner),
                    _ => Vec::new(),
                };
                let first = usize::from(op == Opcode::next_if);
                pairs.extend(params.into_iter().zip(args[first..].iter().copied()));
                if matches!(op, Opcode::yield_ | Opcode::break_ | Opcode::next_if) {
                    let from = results_start(self.f, i);
                    pairs.extend(self.f.results(owner).iter().copied().zip(args[from..].iter().copied()));
                }
            }
            _ => {}
        }
        pairs.retain(|p| self.is_object(p.1));
        let span = self.f.spans[i];
        let mut copies = Vec::new();
        for (to, from) in pairs {
            let from = self.object(r, from);
            let between = self.f.add_local(self.layout.object.ty, "");
            self.copy_object(r, span, (Root::Local(between), &[], &[]), (Root::Local(from), &[], &[]));
            copies.push((to, between));
        }
        for (to, between) in copies {
            let to = self.object(r, to);
            self.copy_object(r, span, (Root::Local(to), &[], &[]), (Root::Local(between), &[], &[]));
        }
    }

    /// Puts instruction `i` into region `r`, or what stands for it.
    fn inst(&mut self, r: Region, i: Inst) {
        if self.lower(r, i) {
            return;
        }
        self.hand_on(r, i);
        self.f.regions[r].insts.push(i);
    }

    /// Takes hit objects out of everything that hands values on.
    fn drop_objects(&mut self) {
        for r in all_regions(self.f) {
            let params = &self.f.regions[r].params;
            if params.iter().any(|&v| self.is_object(v)) {
                let mut params = std::mem::take(&mut self.f.regions[r].params);
                params.retain(|&v| !self.is_object(v));
                self.f.regions[r].params = params;
                self.f.renumber_params(r);
            }
            for i in self.f.regions[r].insts.clone() {
                self.drop_of(i);
            }
        }
    }

    fn drop_of(&mut self, i: Inst) {
        if self.f.owns_regions(i) && self.f.results(i).iter().any(|&v| self.is_object(v)) {
            let kept: Vec<Value> = self.f.results(i).iter().copied().filter(|&v| !self.is_object(v)).collect();
            self.f.set_results(i, &kept);
        }
        let hands_on = matches!(self.f.insts[i], InstData::Loop { .. } | InstData::Exit { .. });
        let args = self.f.operands(i);
        if hands_on && args.iter().any(|&v| self.is_object(v)) {
            let again = match self.f.insts[i] {
                InstData::Exit { op: Opcode::next_if, imm, .. } => {
                    args[1..=imm as usize].iter().filter(|&&v| !self.is_object(v)).count() as u32
                }
                _ => 0,
            };
            let kept: Vec<Value> = args.into_iter().filter(|&v| !self.is_object(v)).collect();
            match kept.is_empty() {
                true => self.no_args(i),
                false => set_args(self.f, i, &kept, again),
            }
        }
    }

    fn no_args(&mut self, i: Inst) {
        match &mut self.f.insts[i] {
            InstData::Exit { args, .. } => *args = ValueList::EMPTY,
            InstData::Loop { init, .. } => *init = ValueList::EMPTY,
            _ => {}
        }
    }
}
