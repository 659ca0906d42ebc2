//! Which members of constant and texture buffers the code reads, as reflection tells it.
//!
//! A load of a buffer is a row of 16 bytes, of which components are taken. The row may be computed: what is added to it is counted as
//! far as it is constant, so that an element of an array counts as a use of the array. Only buffers with several members are of
//! interest; a buffer of one member is used if it is there.

use std::collections::BTreeMap;

use rtc_dxil_module::{BinOp, Body, Inst, Module, Op, TypeKind, Value};
use rtc_tables::dxil_ops::op;
use rustc_hash::{FxHashMap, FxHashSet};

use super::accesses::operation;
use super::flags::words;
use super::layout::Sizes;
use super::uses::instructions;
use crate::metadata::{Info, Layout, Resource, annotations};
use crate::{ComponentType, ResourceClass, ResourceKind};
use rtc_dxil_module::Type;

/// How far values are followed.
const FAR: u32 = 64;

/// The members of a structure that code reads, in the order of its fields, by the structure that is the buffer's type.
pub fn used_members(m: &Module, info: &Info, native_16bit: bool) -> FxHashMap<Type, Vec<bool>> {
    let notes = annotations(m);
    used_of(m, info, native_16bit, |ty| notes.get(&ty).cloned())
}

/// The same where the annotations are not in the module yet.
pub fn used_of(m: &Module, info: &Info, native_16bit: bool, layout: impl Fn(Type) -> Option<Layout>) -> FxHashMap<Type, Vec<bool>> {
    let mut all = FxHashMap::default();
    let mut buffers = FxHashMap::default();
    let mut sizes = Sizes::default();
    for (n, r) in info.resources.iter().enumerate().filter(|(_, r)| matches!(r.kind, ResourceKind::CBuffer | ResourceKind::TBuffer)) {
        let Some(ty) = r.element(m) else { continue };
        let Some(layout) = layout(ty).filter(|l| l.fields.len() > 1) else { continue };
        let rows = layout.fields.iter().enumerate().map(|(n, f)| (f.offset, n)).collect();
        let places = (0..layout.fields.len()).filter_map(|n| Some((sizes.field(m, ty, n)? as u32, n))).collect();
        let short = layout.fields.iter().map(|f| f.component.is_some_and(is_short)).collect();
        all.insert(ty, vec![false; layout.fields.len()]);
        buffers.insert(n, Members { ty, rows, places, short });
    }
    if buffers.is_empty() {
        return all;
    }
    for body in m.funcs.values().filter_map(|f| f.body.as_ref()) {
        Reader { m, info, body, native_16bit, takers: takers(body), buffers: &buffers, used: &mut all }.run();
    }
    all
}

fn is_short(c: ComponentType) -> bool {
    use ComponentType::{F16, I16, SNormF16, U16, UNormF16};
    matches!(c, F16 | I16 | U16 | SNormF16 | UNormF16)
}

/// The members of a buffer.
struct Members {
    ty: Type,
    /// By their offset in the buffer.
    rows: BTreeMap<u32, usize>,
    /// By their offset in memory, which the newer load counts in.
    places: BTreeMap<u32, usize>,
    /// Those of 16 bits.
    short: Vec<bool>,
}

/// What takes the result of an instruction apart or passes it on.
fn takers(body: &Body) -> FxHashMap<Inst, Vec<Inst>> {
    let mut all: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
    for inst in instructions(body) {
        match &body.insts[inst].op {
            Op::ExtractValue { value: Value::Inst(of), .. } => all.entry(*of).or_default().push(inst),
            Op::Phi(list) => {
                for pair in body.values(*list).chunks_exact(2) {
                    if let Value::Inst(of) = pair[0] {
                        all.entry(of).or_default().push(inst);
                    }
                }
            }
            _ => {}
        }
    }
    all
}

struct Reader<'a> {
    m: &'a Module,
    info: &'a Info,
    body: &'a Body,
    native_16bit: bool,
    takers: FxHashMap<Inst, Vec<Inst>>,
    buffers: &'a FxHashMap<usize, Members>,
    used: &'a mut FxHashMap<Type, Vec<bool>>,
}

impl Reader<'_> {
    fn run(&mut self) {
        for inst in instructions(self.body) {
            let Some((code, args)) = operation(self.m, self.body, inst) else { continue };
            if ![op::CBUFFER_LOAD_LEGACY, op::CBUFFER_LOAD, op::BUFFER_LOAD].contains(&code) {
                continue;
            }
            let [_, handle, index, ..] = *args else { continue };
            let Some(buffer) = self.resource(handle, FAR).and_then(|n| self.buffers.get(&n)) else { continue };
            let index = self.constant_part(index, FAR);
            if code == op::CBUFFER_LOAD {
                self.mark(buffer, &buffer.places, index);
            } else {
                let mut seen = FxHashSet::default();
                self.components(buffer, inst, index.wrapping_shl(4), &mut seen);
            }
        }
    }

    /// Marks what is taken of a row at `offset`.
    fn components(&mut self, buffer: &Members, inst: Inst, offset: u32, seen: &mut FxHashSet<Inst>) {
        let mut work = vec![inst];
        while let Some(at) = work.pop() {
            for &taker in self.takers.get(&at).map_or(&[][..], Vec::as_slice).to_vec().iter() {
                match &self.body.insts[taker].op {
                    Op::ExtractValue { path, .. } => {
                        let component = self.body.path(*path).first().copied().unwrap_or(0);
                        let (size, whole) = match self.m.types[self.body.insts[taker].ty] {
                            TypeKind::Double | TypeKind::Int(64) => (8, false),
                            TypeKind::Half | TypeKind::Int(16) if self.native_16bit => (2, false),
                            TypeKind::Float | TypeKind::Int(32) => (4, true),
                            _ => (4, false),
                        };
                        let place = offset.wrapping_add(component.wrapping_mul(size));
                        // A word of a texture buffer can hold two members of 16 bits.
                        if self.mark(buffer, &buffer.rows, place) && whole {
                            self.mark(buffer, &buffer.rows, place.wrapping_add(2));
                        }
                    }
                    Op::Phi(_) if seen.insert(taker) => work.push(taker),
                    _ => {}
                }
            }
        }
    }

    /// Marks the member at a place; whether it has 16 bits.
    fn mark(&mut self, buffer: &Members, members: &BTreeMap<u32, usize>, place: u32) -> bool {
        let Some((_, &member)) = members.range(..=place).next_back() else { return false };
        if let Some(used) = self.used.get_mut(&buffer.ty) {
            used[member] = true;
        }
        buffer.short[member]
    }

    /// The number of the resource that a handle is of.
    fn resource(&self, handle: Value, far: u32) -> Option<usize> {
        let Value::Inst(inst) = handle else { return None };
        let far = far.checked_sub(1)?;
        let (code, args) = operation(self.m, self.body, inst)?;
        let position = |of: &dyn Fn(&Resource) -> bool| self.info.resources.iter().position(of);
        match code {
            op::ANNOTATE_HANDLE => self.resource(*args.get(1)?, far),
            op::CREATE_HANDLE => {
                let class = ResourceClass::from_number(self.m.int_of(*args.get(1)?)? as u32)?;
                let id = self.m.int_of(*args.get(2)?)? as u32;
                position(&|r| r.class == class && r.id == id)
            }
            op::CREATE_HANDLE_FROM_BINDING => {
                let &[lower, _, space, class] = words(self.m, *args.get(1)?)?.as_slice() else { return None };
                position(&|r| r.class.number() == class & 0xff && r.space == space && r.lower == lower)
            }
            op::CREATE_HANDLE_FOR_LIB => {
                let Value::Inst(load) = *args.get(1)? else { return None };
                let Op::Load { ptr, .. } = self.body.insts[load].op else { return None };
                let global = self.variable(ptr, far)?;
                position(&|r| r.global == Some(global))
            }
            _ => None,
        }
    }

    /// The variable that an address is in.
    fn variable(&self, address: Value, far: u32) -> Option<rtc_dxil_module::Global> {
        let far = far.checked_sub(1)?;
        match address {
            Value::Global(global) => Some(global),
            Value::Const(c) => self.variable(*self.m.consts[c].kind.operands().first()?, far),
            Value::Inst(inst) => match &self.body.insts[inst].op {
                Op::Gep { operands, .. } => self.variable(*self.body.values(*operands).first()?, far),
                _ => None,
            },
            _ => None,
        }
    }

    /// What is constant in a sum.
    fn constant_part(&self, value: Value, far: u32) -> u32 {
        if let Some(n) = self.m.int_of(value) {
            return n as u32;
        }
        let (Value::Inst(inst), Some(far)) = (value, far.checked_sub(1)) else { return 0 };
        match &self.body.insts[inst].op {
            Op::Binary { op: BinOp::Add, lhs, rhs, .. } => self.constant_part(*lhs, far).wrapping_add(self.constant_part(*rhs, far)),
            Op::Binary { op: BinOp::Or, lhs, rhs, .. } => self.constant_part(*lhs, far) | self.constant_part(*rhs, far),
            Op::Select { then, other, .. } => self.constant_part(*then, far).min(self.constant_part(*other, far)),
            // The least of all; one that comes round again counts nothing.
            Op::Phi(list) => {
                let values = self.body.values(*list).chunks_exact(2);
                values.map(|pair| self.constant_part(pair[0], far.min(8))).min().unwrap_or(0)
            }
            _ => 0,
        }
    }
}
