//! Variables: function locals, payload and attribute slots, groupshared memory, constant tables.

use rtc_ir::{
    Function, Global, GlobalKind, Inst, InstData, Local, Module, Opcode, Place, Root, Scalar, Slot, SlotRole, Step, Type, TypeKind, Value,
};
use rtc_tables::inline_spirv;
use rtc_tables::resources::AtomicOp;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Op, StorageClass};

use super::FuncEmitter;
use crate::words::{Id, TypeId, put_result};

/// A pointer to a place.
struct Pointer {
    id: Id,
    /// IR type of what it points to.
    ty: Type,
    /// `bool` is a word in memory.
    words: bool,
    /// Integers there have the signed type.
    signed: bool,
}

/// Groupshared integers on which signed atomic operations work. The type of such an operation is that of the variable, and translators of SPIR-V take
/// the sign from it, so these variables have the signed type. Structures, and variables that are copied as a whole or passed on, keep the type of others.
pub(crate) fn signed_globals(m: &Module) -> FxHashSet<Global> {
    let integers = |g: Global| match m.globals[g].kind {
        GlobalKind::GroupShared(t) => {
            let mut t = t;
            while let TypeKind::Array(e, _) = m.types.kind(t) {
                t = e;
            }
            matches!(m.types.kind(t), TypeKind::Scalar(s) | TypeKind::Vector(s, _) if s == Scalar::I32 || s == Scalar::I64)
        }
        _ => false,
    };
    let (mut signed, mut copied) = (FxHashSet::default(), FxHashSet::default());
    for f in m.funcs.values() {
        let global = |p: Place| match f.places[p].root {
            Root::Global(g) => Some(g),
            _ => None,
        };
        f.for_each_inst(f.body, |_, i| match f.insts[i] {
            InstData::Access { op: Opcode::load | Opcode::store, .. } => {}
            InstData::Access { op: Opcode::var_atomic, imm, place, .. } => {
                if let Some(AtomicOp::SMin | AtomicOp::SMax) = AtomicOp::from_number(imm) {
                    signed.extend(global(place));
                }
            }
            _ => f.for_each_place(i, |p| copied.extend(global(p))),
        });
    }
    signed.retain(|&g| integers(g) && !copied.contains(&g));
    signed
}

/// Variables of a function whose booleans are words: an element of booleans in them is chosen at run time, or they are copied from or to such a variable.
/// NVIDIA 580.159 loses what is stored to a component so when its vector is read and stored as a whole as well.
pub(crate) fn word_locals(m: &Module, f: &Function) -> FxHashSet<Local> {
    let (mut chosen, mut other) = (Vec::new(), FxHashSet::default());
    // Variables that are copied to each other.
    let mut copied: FxHashMap<Local, Vec<Local>> = FxHashMap::default();
    f.for_each_inst(f.body, |_, i| match f.insts[i] {
        InstData::Access { op: Opcode::load | Opcode::store, place, .. } => {
            let Some((l, ty)) = local_part(m, f, place) else { return };
            if m.types.numeric(ty).is_some_and(|n| n.0 == Scalar::Bool) && f.places[place].dyn_count() > 0 {
                chosen.push(l);
            }
        }
        InstData::Copy { to, from, .. } => match (local_part(m, f, to), local_part(m, f, from)) {
            (Some((a, ty)), Some((b, _))) if holds_words(m, ty) => {
                copied.entry(a).or_default().push(b);
                copied.entry(b).or_default().push(a);
            }
            (Some((l, ty)), None) | (None, Some((l, ty))) if holds_words(m, ty) => _ = other.insert(l),
            _ => {}
        },
        _ => f.for_each_place(i, |p| other.extend(local_part(m, f, p).map(|l| l.0))),
    });
    // Each group of variables that are copied to each other is looked at once.
    let (mut words, mut known) = (FxHashSet::default(), FxHashSet::default());
    for l in chosen {
        let (mut group, mut todo) = (Vec::new(), vec![l]);
        while let Some(l) = todo.pop() {
            if known.insert(l) {
                group.push(l);
                todo.extend(copied.get(&l).into_iter().flatten());
            }
        }
        if group.iter().all(|l| !other.contains(l)) {
            words.extend(group);
        }
    }
    words
}

/// The local variable that a place is in, and the type of what is there.
fn local_part(m: &Module, f: &Function, p: Place) -> Option<(Local, Type)> {
    let data = &f.places[p];
    let Root::Local(l) = data.root else { return None };
    let step = |ty, step: &Step| m.part(ty, if let Step::At(n) = *step { Some(n) } else { None });
    Some((l, data.steps.iter().try_fold(f.locals[l].ty, step)?))
}

/// Whether the type of a variable differs if its booleans are words: booleans, and structures, of which there is one for each way.
fn holds_words(m: &Module, t: Type) -> bool {
    match m.types.kind(t) {
        TypeKind::Array(e, _) => holds_words(m, e),
        TypeKind::Scalar(s) | TypeKind::Vector(s, _) => s == Scalar::Bool,
        _ => true,
    }
}

impl FuncEmitter<'_, '_> {
    pub(crate) fn slot_class(&self, role: SlotRole) -> StorageClass {
        match role {
            SlotRole::PayloadIn => StorageClass::IncomingRayPayloadKHR,
            SlotRole::PayloadOut => StorageClass::RayPayloadKHR,
            SlotRole::CallableIn => StorageClass::IncomingCallableDataKHR,
            SlotRole::CallableOut => StorageClass::CallableDataKHR,
            SlotRole::AttrIn => StorageClass::HitAttributeKHR,
            SlotRole::AttrHit => self.hit_attribute_class(),
            SlotRole::MeshIn => StorageClass::TaskPayloadWorkgroupEXT,
            SlotRole::AttrOut | SlotRole::RayQuery | SlotRole::HitObject => StorageClass::Function,
        }
    }

    /// Declares the slots: one variable each.
    pub(crate) fn declare_slots(&mut self) {
        let f = self.f;
        let (mut location, mut attribute) = (0, 0);
        for (slot, data) in &f.slots {
            if data.role == SlotRole::RayQuery {
                self.declare_query(slot);
                continue;
            }
            if data.role == SlotRole::HitObject {
                self.declare_hit(slot);
                continue;
            }
            if data.role == SlotRole::AttrOut {
                self.declare_reported(slot);
                continue;
            }
            if data.role == SlotRole::AttrHit {
                self.need_ser("attributes of a hit object");
            }
            let class = self.slot_class(data.role);
            let ty = self.e.variable_ty(data.ty, class, true);
            let var = self.e.w.variable(class, ty, None);
            self.e.w.name(var, &data.name);
            if matches!(data.role, SlotRole::PayloadOut | SlotRole::CallableOut) {
                self.e.w.decorate(var, spirv::Decoration::Location, &[location]);
                location += 1;
            }
            if data.role == SlotRole::AttrHit {
                self.e.w.decorate(var, spirv::Decoration::Location, &[attribute]);
                attribute += 1;
            }
            self.interface.insert(var);
            self.slots[slot] = Some(var);
        }
    }

    pub(crate) fn slot_var(&self, slot: Slot) -> Id {
        self.slots[slot].unwrap_or_else(|| rtc_base::bug!("slots are declared first"))
    }

    /// The pointer to the structure in a slot, and whether it is not the slot's variable.
    pub(crate) fn slot_pointer(&mut self, slot: Slot) -> (Id, bool) {
        let data = &self.f.slots[slot];
        let class = self.slot_class(data.role);
        if !self.e.is_nested(data.ty, class) {
            return (self.slot_var(slot), false);
        }
        let inner = self.e.interface_ty(data.ty);
        let (pointer, first) = (self.e.w.pointer_ty(class, inner), self.e.w.u32(0));
        (self.op(Op::AccessChain, pointer, &[self.slot_var(slot), first]), true)
    }

    fn local_var(&mut self, l: Local) -> Id {
        if let Some(known) = self.locals[l] {
            return known;
        }
        let data = &self.f.locals[l];
        let ty = if self.word_locals.contains(&l) { self.e.interface_ty(data.ty) } else { self.e.ty(data.ty) };
        let id = self.function_variable(ty, &data.name);
        self.locals[l] = Some(id);
        id
    }

    /// A variable of the function.
    pub(crate) fn function_variable(&mut self, ty: TypeId, name: &str) -> Id {
        let pointer = self.e.w.pointer_ty(StorageClass::Function, ty);
        let id = self.e.w.id();
        put_result(&mut self.vars, Op::Variable, pointer, id, &[StorageClass::Function]);
        self.e.w.name(id, name);
        id
    }

    /// The pointer to `place`, whose index values are the first of `indices`; gives how many it took.
    fn pointer(&mut self, place: Place, indices: &[Value]) -> (Pointer, usize) {
        let f = self.f;
        let data = &f.places[place];
        let (var, class, mut ty, words) = match data.root {
            Root::Local(l) => (self.local_var(l), StorageClass::Function, f.locals[l].ty, self.word_locals.contains(&l)),
            Root::Slot(s) => (self.slot_var(s), self.slot_class(f.slots[s].role), f.slots[s].ty, true),
            Root::Global(g) if self.is_payload(g) => {
                (self.payload_var(g), StorageClass::TaskPayloadWorkgroupEXT, self.m.globals[g].ty(), true)
            }
            Root::Global(g) => {
                let class = match &self.m.globals[g].kind {
                    GlobalKind::GroupShared(_) => StorageClass::Workgroup,
                    GlobalKind::Inline(v) => StorageClass::from_u32(v.class).unwrap_or(StorageClass::Private),
                    _ => StorageClass::Private,
                };
                (self.global_var(g), class, self.m.globals[g].ty(), false)
            }
        };
        let signed = matches!(data.root, Root::Global(g) if self.e.signed_globals.contains(&g));
        let mut chain = vec![var];
        if self.e.is_nested(ty, class) {
            chain.push(self.e.w.u32(0));
        }
        let mut used = 0;
        for step in &data.steps {
            let (id, n) = match *step {
                Step::At(n) => (self.e.w.step(n), Some(n)),
                Step::Dyn => {
                    used += 1;
                    (self.val(indices[used - 1]), None)
                }
            };
            chain.push(id);
            ty = self.m.part(ty, n).expect("verified places lead somewhere");
        }
        let id = if chain.len() == 1 {
            var
        } else {
            let target = match signed {
                true => self.e.signed_ty(ty),
                false if words => self.e.interface_ty(ty),
                false => self.e.ty(ty),
            };
            let pointer = self.e.w.pointer_ty(class, target);
            self.op(Op::AccessChain, pointer, &chain)
        };
        (Pointer { id, ty, words, signed }, used)
    }

    /// The pointer to `place`, the type of what is there, and how many index values it took.
    pub(crate) fn place_pointer(&mut self, place: Place, indices: &[Value]) -> (Id, Type, usize) {
        let (p, used) = self.pointer(place, indices);
        (p.id, p.ty, used)
    }

    /// The variable that is all of `place`, as instructions take it that pass a payload or a parameter to other shaders.
    pub(crate) fn whole_variable(&mut self, place: Place) -> Option<Id> {
        let data = &self.f.places[place];
        match data.root {
            _ if !data.steps.is_empty() => None,
            Root::Slot(s) => Some(self.slot_var(s)),
            Root::Global(g) => Some(self.global_var(g)),
            Root::Local(_) => None,
        }
    }

    pub(crate) fn variable_inst(&mut self, i: Inst) {
        match self.f.insts[i] {
            InstData::Access { op, imm, place, args } => {
                let args: Vec<Value> = self.f.get(args).to_vec();
                if let (rtc_ir::Opcode::dispatch_mesh, Root::Global(g)) = (op, self.f.places[place].root) {
                    return self.dispatch_mesh(g, &args);
                }
                let (p, used) = self.pointer(place, &args);
                let rest = &args[used..];
                match op {
                    rtc_ir::Opcode::load => {
                        let id = self.load_from(&p);
                        let v = self.f.result(i);
                        self.set(v, id);
                    }
                    rtc_ir::Opcode::store => self.store_to(&p, rest[0]),
                    _ => {
                        let ids = self.vals(rest);
                        let scope = self.e.w.u32(spirv::Scope::Workgroup as u32);
                        let v = self.f.result(i);
                        let ty = self.ty_of(v);
                        if self.m.types.elem(self.f.ty(v)).bits() == 64 {
                            let why = self.reason("a 64-bit atomic operation on groupshared memory");
                            self.e.w.capability(spirv::Capability::Int64Atomics, || why.clone());
                            self.e.w.feature("shaderSharedInt64Atomics", || why);
                        }
                        let id = match p.signed {
                            true => {
                                let signed = self.e.signed_ty(p.ty);
                                let ids: Vec<Id> = ids.iter().map(|&id| self.op(Op::Bitcast, signed, &[id])).collect();
                                let old = self.atomic(imm, signed, p.id, scope, &ids);
                                self.op(Op::Bitcast, ty, &[old])
                            }
                            false => self.atomic(imm, ty, p.id, scope, &ids),
                        };
                        self.set(v, id);
                    }
                }
            }
            InstData::Copy { to, from, args } => {
                let args: Vec<Value> = self.f.get(args).to_vec();
                let (to, used) = self.pointer(to, &args);
                let (from, _) = self.pointer(from, &args[used..]);
                if to.words == from.words {
                    return self.stmt(Op::CopyMemory, &[to.id, from.id]);
                }
                let ty = self.e.ty(from.ty);
                if ty != self.e.interface_ty(from.ty) {
                    rtc_base::bug!("copies of booleans between slots and locals are expanded before");
                }
                let whole = self.op(Op::Load, ty, &[from.id]);
                self.stmt(Op::Store, &[to.id, whole]);
            }
            _ => rtc_base::bug!("not a variable access"),
        }
    }

    fn is_bool(&self, t: Type) -> bool {
        matches!(self.m.types.kind(t), TypeKind::Scalar(Scalar::Bool) | TypeKind::Vector(Scalar::Bool, _))
    }

    fn load_from(&mut self, p: &Pointer) -> Id {
        if p.words && self.is_bool(p.ty) {
            let words = self.e.interface_ty(p.ty);
            let raw = self.op(Op::Load, words, &[p.id]);
            return self.word_to_bool(raw, p.ty);
        }
        let ty = self.e.ty(p.ty);
        if p.signed {
            let signed = self.e.signed_ty(p.ty);
            let id = self.op(Op::Load, signed, &[p.id]);
            return self.op(Op::Bitcast, ty, &[id]);
        }
        self.op(Op::Load, ty, &[p.id])
    }

    /// Words to booleans: not zero.
    pub(crate) fn word_to_bool(&mut self, raw: Id, ty: Type) -> Id {
        let words = self.e.interface_ty(ty);
        let lanes = self.m.types.lanes(ty);
        let mut zero = self.e.w.u32(0);
        if lanes > 1 {
            zero = self.e.w.composite(words, &vec![zero; lanes as usize]);
        }
        let b = self.e.ty(ty);
        self.op(Op::INotEqual, b, &[raw, zero])
    }

    /// Booleans to words: 1 or 0.
    pub(crate) fn bool_to_word(&mut self, id: Id, ty: Type) -> Id {
        let words = self.e.interface_ty(ty);
        let lanes = self.m.types.lanes(ty);
        let (mut zero, mut one) = (self.e.w.u32(0), self.e.w.u32(1));
        if lanes > 1 {
            zero = self.e.w.composite(words, &vec![zero; lanes as usize]);
            one = self.e.w.composite(words, &vec![one; lanes as usize]);
        }
        self.op(Op::Select, words, &[id, one, zero])
    }

    fn store_to(&mut self, p: &Pointer, v: Value) {
        let mut id = self.val(v);
        if p.words && self.is_bool(p.ty) {
            id = self.bool_to_word(id, p.ty);
        }
        if p.signed {
            let signed = self.e.signed_ty(p.ty);
            id = self.op(Op::Bitcast, signed, &[id]);
        }
        self.stmt(Op::Store, &[p.id, id]);
    }

    /// A read-modify-write; gives the old value.
    pub(crate) fn atomic(&mut self, op: u32, ty: TypeId, pointer: Id, scope: Id, args: &[Id]) -> Id {
        let relaxed = self.e.w.u32(0);
        let op = AtomicOp::from_number(op).expect("a verified atomic operation");
        let inst = Op::from_u32(inline_spirv::atomic(op)).expect("an instruction of the grammar");
        if op == AtomicOp::CompareExchange {
            return self.op(inst, ty, &[pointer, scope, relaxed, relaxed, args[1], args[0]]);
        }
        self.op(inst, ty, &[pointer, scope, relaxed, args[0]])
    }

    /// The variable of a global, in this function's interface.
    pub(crate) fn global_var(&mut self, g: rtc_ir::Global) -> Id {
        let var = match self.e.globals.get(&g) {
            Some(&v) => v,
            None => {
                let v = self.e.declare_global(g);
                self.e.globals.insert(g, v);
                v
            }
        };
        self.interface.insert(var);
        var
    }
}
