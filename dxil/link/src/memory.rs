//! SROA by components: variables become scalars, and arrays of scalars where an index is computed.
//!
//! Libraries pass vectors, matrices, arrays and structures of them, and look at one variable as different types: a matrix is a structure
//! of rows here and one long vector there. So an address is followed to the components that it means. A field of a structure in an array is
//! an array of its own. Vectors that are only read and written as a whole may stay.

use rustc_hash::{FxHashMap, FxHashSet};

use super::mem2reg::{forget, marks, users};
use super::variables::Variables;
use rtc_dxil_container::recompute::layout::{Sizes, size_of};
use rtc_dxil_module::pieces::constant_element;
use rtc_dxil_module::{BinOp, Body, CastOp, CmpPred, Func, Inst, InstData, Module, Op, Type, TypeKind, Value, number_width};

/// A variable with more components than this stays whole.
const MAX: u64 = 1 << 16;

/// An address in a variable.
#[derive(Clone)]
struct Address {
    /// The structures' fields that lead there.
    fields: Vec<u32>,
    /// The index in what they lead to: `fixed`, and computed ones with the number of components that they step over.
    fixed: u64,
    dynamic: Vec<(Value, u64)>,
    /// What is there.
    ty: Type,
    /// Whether it is among components of one type.
    inside: bool,
}

/// A scalar in a variable.
struct Leaf {
    fields: Vec<u32>,
    fixed: u64,
    ty: Type,
}

/// The load or store of an address.
struct Access {
    leaves: Vec<Leaf>,
    dynamic: Vec<(Value, u64)>,
    ty: Type,
}

/// What a variable becomes.
#[derive(Default)]
struct Split {
    /// Scalars by field and index; arrays have no index.
    slots: FxHashMap<(Vec<u32>, Option<u64>), Inst>,
    /// The component type of each field, and their number.
    totals: FxHashMap<Vec<u32>, (Type, u64)>,
    arrays: FxHashSet<Vec<u32>>,
}

/// Takes the variables of a function apart; with `vectors`, those that are one vector only where that is necessary.
pub fn flatten(m: &mut Module, func: Func, vectors: bool) {
    let Some(body) = m.funcs[func].body.take() else { return };
    let mut work = Flattener { m, body, out: Vec::new(), at: None };
    work.run(vectors);
    m.funcs[func].body = Some(work.body);
}

struct Flattener<'a> {
    m: &'a mut Module,
    body: Body,
    /// New instructions.
    out: Vec<Inst>,
    /// In place of which one.
    at: Option<Inst>,
}

impl Flattener<'_> {
    fn run(&mut self, vectors: bool) {
        let users = users(&self.body);
        let all: Vec<(Inst, Type)> = super::mem2reg::allocas(self.m, &self.body);
        let mut accesses: FxHashMap<Inst, (Inst, Access)> = FxHashMap::default();
        let mut splits: FxHashMap<Inst, Split> = FxHashMap::default();
        let mut gone: FxHashSet<Inst> = FxHashSet::default();
        for (alloca, ty) in all {
            let mut found = Uses::default();
            let plain = matches!(self.m.types[ty], TypeKind::Vector { .. });
            let start = Address { fields: Vec::new(), fixed: 0, dynamic: Vec::new(), ty, inside: false };
            let scalar = region(self.m, ty).is_some_and(|(t, n)| n == 1 && t == ty);
            if scalar
                || region(self.m, ty).is_none() && self.m.types.fields(ty).is_none() && !matches!(self.m.types[ty], TypeKind::Array { .. })
            {
                continue;
            }
            if !self.follow(&users, alloca, &start, &mut found) || vectors && plain && found.accesses.iter().all(|a| a.1.ty == ty) {
                continue;
            }
            let mut split = Split::default();
            for (_, access) in &found.accesses {
                for leaf in &access.leaves {
                    if !split.totals.contains_key(&leaf.fields)
                        && let Some(total) = total(self.m, ty, &leaf.fields)
                    {
                        split.totals.insert(leaf.fields.clone(), total);
                    }
                    if !access.dynamic.is_empty() {
                        split.arrays.insert(leaf.fields.clone());
                    }
                }
            }
            gone.extend(found.gone);
            gone.insert(alloca);
            accesses.extend(found.accesses.into_iter().map(|(inst, access)| (inst, (alloca, access))));
            splits.insert(alloca, split);
        }
        if splits.is_empty() {
            return;
        }
        let mut becomes: FxHashMap<Inst, Value> = FxHashMap::default();
        let blocks: Vec<_> = self.body.blocks.keys().collect();
        for &block in &blocks {
            for inst in std::mem::take(&mut self.body.blocks[block]) {
                let Some((alloca, access)) = accesses.remove(&inst) else {
                    self.out.push(inst);
                    continue;
                };
                let Some(split) = splits.get_mut(&alloca) else { continue };
                self.at = Some(inst);
                if let Some(value) = self.access(inst, &access, split) {
                    becomes.insert(inst, value);
                }
                gone.insert(inst);
            }
            self.body.blocks[block] = std::mem::take(&mut self.out);
        }
        let now = |mut value: Value| {
            while let Value::Inst(i) = value
                && let Some(&by) = becomes.get(&i)
            {
                value = by;
            }
            value
        };
        self.body.map_values(now);
        self.body.local_meta.iter_mut().for_each(|v| *v = now(*v));
        let mut variables = Variables::new(self.m, &self.body);
        for block in blocks {
            let mut list = Vec::new();
            for inst in std::mem::take(&mut self.body.blocks[block]) {
                if let (Some(split), Op::Alloca { allocated, .. }) = (splits.get(&inst), self.body.insts[inst].op) {
                    let mut slots: Vec<_> = split.slots.iter().collect();
                    slots.sort_by(|a, b| a.0.cmp(b.0));
                    for (place, &slot) in slots {
                        list.push(slot);
                        self.declare(&mut variables, split, (inst, allocated), place, slot);
                    }
                }
                if !gone.contains(&inst) {
                    list.push(inst);
                }
            }
            self.body.blocks[block] = list;
        }
        variables.place(&mut self.body);
        forget(&mut self.body, &gone);
    }

    /// Debug information of a part of a variable.
    fn declare(&mut self, variables: &mut Variables, split: &Split, whole: (Inst, Type), place: &(Vec<u32>, Option<u64>), slot: Inst) {
        let Some(&(elem, count)) = split.totals.get(&place.0) else { return };
        let Some((at, spread)) = bytes(self.m, whole.1, &place.0, place.1.unwrap_or(0)) else { return };
        let count = if place.1.is_some() { 1 } else { count };
        // The parts of an array of structures are not next to each other.
        if count == 1 || !spread {
            variables.part(self.m, &mut self.body, whole.0, (at, size_of(self.m, elem).saturating_mul(count)), slot);
        }
    }

    // Where addresses lead --------------------------------------------------------------------------

    /// Follows an address to everything that reads or writes there. False if something else is done with it.
    fn follow(&self, users: &FxHashMap<Inst, Vec<Inst>>, ptr: Inst, at: &Address, found: &mut Uses) -> bool {
        for &user in users.get(&ptr).map(Vec::as_slice).unwrap_or_default() {
            if let Some(marks) = marks(self.m, &self.body, users, user) {
                found.gone.extend(marks);
                continue;
            }
            let next = match self.body.insts[user].op {
                Op::Gep { operands, .. } => {
                    let operands = self.body.values(operands);
                    let own = operands.first() == Some(&Value::Inst(ptr)) && !operands[1..].contains(&Value::Inst(ptr));
                    if own { step(self.m, at, &operands[1..]) } else { None }
                }
                Op::Cast { op: CastOp::BitCast, .. } => {
                    self.m.types.pointee(self.body.insts[user].ty).and_then(|ty| seen_as(self.m, at, ty))
                }
                Op::Load { volatile: false, .. } => match self.all_of(at, self.body.insts[user].ty) {
                    Some(access) => {
                        found.accesses.push((user, access));
                        continue;
                    }
                    None => None,
                },
                Op::Store { value, volatile: false, .. } if value != Value::Inst(ptr) => match self.all_of(at, at.ty) {
                    Some(access) => {
                        found.accesses.push((user, access));
                        continue;
                    }
                    None => None,
                },
                _ => None,
            };
            match next {
                Some(next) if found.gone.len() < MAX as usize && self.follow(users, user, &next, found) => found.gone.push(user),
                _ => return false,
            }
        }
        true
    }

    /// Every component of what is at an address.
    fn all_of(&self, at: &Address, ty: Type) -> Option<Access> {
        if at.ty != ty {
            return None;
        }
        let (mut leaves, mut dynamic) = (Vec::new(), None);
        leaves_of(self.m, at.clone(), &mut leaves, &mut dynamic).then(|| Access { leaves, dynamic: dynamic.unwrap_or_default(), ty })
    }

    // Code --------------------------------------------------------------------------------------------

    fn inst(&mut self, ty: Type, op: Op) -> Value {
        let loc = self.at.map_or(None.into(), |at| self.body.insts[at].loc);
        let inst = self.body.insts.push(InstData { op, ty, loc });
        self.out.push(inst);
        Value::Inst(inst)
    }

    /// The code of an access: the value that a load gives.
    fn access(&mut self, inst: Inst, access: &Access, split: &mut Split) -> Option<Value> {
        let index = self.index(&access.dynamic);
        match self.body.insts[inst].op {
            Op::Store { value, .. } => {
                let mut parts = Vec::with_capacity(access.leaves.len());
                self.parts(value, access.ty, &mut parts);
                let void = self.m.types.void();
                for (leaf, value) in access.leaves.iter().zip(parts) {
                    let Some((ptr, stored)) = self.slot(leaf, index, access, split) else { continue };
                    let value = self.converted(value, leaf.ty, stored, true);
                    self.inst(void, Op::Store { ptr, value, align: align(self.m, stored), volatile: false });
                }
                None
            }
            _ => {
                let mut parts = Vec::with_capacity(access.leaves.len());
                for leaf in &access.leaves {
                    parts.push(match self.slot(leaf, index, access, split) {
                        Some((ptr, stored)) => {
                            let value = self.inst(stored, Op::Load { ptr, align: align(self.m, stored), volatile: false });
                            self.converted(value, leaf.ty, stored, false)
                        }
                        // It is no part of the variable.
                        None => self.m.null(leaf.ty),
                    });
                }
                Some(self.together(access.ty, &mut parts.into_iter()))
            }
        }
    }

    /// The computed part of an index.
    fn index(&mut self, dynamic: &[(Value, u64)]) -> Option<Value> {
        let int = self.m.types.i32();
        let mut sum = None;
        for &(value, by) in dynamic {
            let wide = match value {
                Value::Inst(i) => self.body.insts[i].ty != int,
                _ => false,
            };
            let mut value = if wide { self.inst(int, Op::Cast { op: CastOp::Trunc, value }) } else { value };
            if by != 1 {
                let rhs = self.m.i32(by as i32);
                value = self.inst(int, Op::Binary { op: BinOp::Mul, flags: 0, lhs: value, rhs });
            }
            sum = Some(match sum {
                Some(lhs) => self.inst(int, Op::Binary { op: BinOp::Add, flags: 0, lhs, rhs: value }),
                None => value,
            });
        }
        sum
    }

    /// The address of a component, and the type that it has there. None if the variable has no such one.
    fn slot(&mut self, leaf: &Leaf, index: Option<Value>, access: &Access, split: &mut Split) -> Option<(Value, Type)> {
        let &(stored, count) = split.totals.get(&leaf.fields)?;
        let ptr_ty = self.m.types.ptr(stored);
        let is_array = split.arrays.contains(&leaf.fields) && count > 1;
        let number = if count == 1 && !access.dynamic.is_empty() { 0 } else { leaf.fixed };
        if number >= count {
            return None;
        }
        let key = (leaf.fields.clone(), (!is_array).then_some(number));
        let slot = match split.slots.get(&key) {
            Some(&slot) => slot,
            None => {
                let allocated = if is_array { self.m.types.array(stored, count) } else { stored };
                let (ty, count) = (self.m.types.ptr(allocated), self.m.i32(1));
                let op = Op::Alloca { allocated, count, align: align(self.m, stored) };
                let slot = self.body.insts.push(InstData { op, ty, loc: None.into() });
                split.slots.insert(key, slot);
                slot
            }
        };
        if !is_array {
            return Some((Value::Inst(slot), stored));
        }
        let int = self.m.types.i32();
        let fixed = self.m.i32(number as i32);
        let index = match index.filter(|_| !access.dynamic.is_empty()) {
            None => fixed,
            Some(index) if number == 0 => index,
            Some(lhs) => self.inst(int, Op::Binary { op: BinOp::Add, flags: 0, lhs, rhs: fixed }),
        };
        let zero = self.m.i32(0);
        let operands = self.body.list(&[Value::Inst(slot), zero, index]);
        let source = self.m.types.array(stored, count);
        Some((self.inst(ptr_ty, Op::Gep { inbounds: true, source, operands }), stored))
    }

    /// A component as it is in memory (`to_memory`), or as it is seen. Booleans are numbers in memory.
    fn converted(&mut self, value: Value, seen: Type, stored: Type, to_memory: bool) -> Value {
        if seen == stored {
            return value;
        }
        let i1 = self.m.types.i1();
        match (seen == i1, to_memory) {
            (true, true) => self.inst(stored, Op::Cast { op: CastOp::ZExt, value }),
            (true, false) => {
                let rhs = self.m.null(stored);
                self.inst(i1, Op::Cmp { pred: CmpPred::INe, flags: 0, lhs: value, rhs })
            }
            (false, true) => self.inst(stored, Op::Cast { op: CastOp::BitCast, value }),
            (false, false) => self.inst(seen, Op::Cast { op: CastOp::BitCast, value }),
        }
    }

    /// The components of a value.
    fn parts(&mut self, value: Value, ty: Type, out: &mut Vec<Value>) {
        let (count, vector) = match self.m.types[ty] {
            TypeKind::Vector { len, .. } => (len.into(), true),
            TypeKind::Array { len, .. } => (len, false),
            TypeKind::Struct(_) | TypeKind::Named { .. } => (self.m.types.fields(ty).map_or(0, |f| f.types.len() as u64), false),
            _ => return out.push(value),
        };
        for n in 0..count {
            let Some(elem) = self.m.types.element(ty, n) else { continue };
            let part = match constant_element(self.m, value, elem, n as u32) {
                Some(part) => part,
                None if vector => {
                    let index = self.m.i32(n as i32);
                    self.inst(elem, Op::ExtractElement { vector: value, index })
                }
                None => {
                    let path = self.body.indices(&[n as u32]);
                    self.inst(elem, Op::ExtractValue { value, path })
                }
            };
            self.parts(part, elem, out);
        }
    }

    /// The value that consists of components.
    fn together(&mut self, ty: Type, parts: &mut impl Iterator<Item = Value>) -> Value {
        let (count, is_vector) = match self.m.types[ty] {
            TypeKind::Vector { len, .. } => (len.into(), true),
            TypeKind::Array { len, .. } => (len, false),
            TypeKind::Struct(_) | TypeKind::Named { .. } => (self.m.types.fields(ty).map_or(0, |f| f.types.len() as u64), false),
            _ => return parts.next().unwrap_or_else(|| self.m.undef(ty)),
        };
        let mut out = self.m.undef(ty);
        for n in 0..count {
            let Some(elem) = self.m.types.element(ty, n) else { continue };
            let part = self.together(elem, parts);
            out = if is_vector {
                let index = self.m.i32(n as i32);
                self.inst(ty, Op::InsertElement { vector: out, value: part, index })
            } else {
                let path = self.body.indices(&[n as u32]);
                self.inst(ty, Op::InsertValue { value: out, field: part, path })
            };
        }
        out
    }
}

/// What is done with a variable.
#[derive(Default)]
struct Uses {
    accesses: Vec<(Inst, Access)>,
    /// Instructions that go with it.
    gone: Vec<Inst>,
}

/// The type and number of the components of a type that has one type of components.
fn region(m: &Module, ty: Type) -> Option<(Type, u64)> {
    region_within(m, ty, 32)
}

fn region_within(m: &Module, ty: Type, depth: u32) -> Option<(Type, u64)> {
    let depth = depth.checked_sub(1)?;
    let found = match m.types[ty] {
        TypeKind::Half | TypeKind::Float | TypeKind::Double | TypeKind::Int(_) => (ty, 1),
        TypeKind::Vector { elem, len } => (elem, len.into()),
        TypeKind::Array { elem, len } => {
            let (scalar, count) = region_within(m, elem, depth)?;
            (scalar, count.checked_mul(len)?)
        }
        _ => {
            let fields = m.types.fields(ty)?;
            let mut all = fields.types.iter().map(|&f| region_within(m, f, depth));
            let (scalar, mut count) = all.next()??;
            for field in all {
                let (other, more) = field?;
                if other != scalar {
                    return None;
                }
                count = count.checked_add(more)?;
            }
            (scalar, count)
        }
    };
    (found.1 <= MAX).then_some(found)
}

/// The type that a component has in memory.
fn stored(m: &mut Module, scalar: Type) -> Type {
    if m.types[scalar] == TypeKind::Int(1) { m.types.i32() } else { scalar }
}

/// Type, as stored, and number of the components of a field in all elements of the arrays around it.
fn total(m: &mut Module, mut ty: Type, fields: &[u32]) -> Option<(Type, u64)> {
    let (mut count, mut fields) = (1u64, fields.iter());
    loop {
        if let Some((scalar, own)) = region(m, ty) {
            let all = count.checked_mul(own).filter(|&n| n <= MAX)?;
            return Some((stored(m, scalar), all));
        }
        ty = match m.types[ty] {
            TypeKind::Array { elem, len } => {
                count = count.checked_mul(len)?;
                elem
            }
            _ => *m.types.fields(ty)?.types.get(*fields.next()? as usize)?,
        };
    }
}

/// Where component `index` of a field is, in bytes, and whether the field is in an array of structures.
fn bytes(m: &Module, ty: Type, fields: &[u32], index: u64) -> Option<(u64, bool)> {
    let (mut sizes, mut lens, mut at, mut now) = (Sizes::default(), Vec::new(), 0, ty);
    let mut fields = fields.iter();
    let (scalar, own) = loop {
        if let Some(found) = region(m, now) {
            break found;
        }
        now = match m.types[now] {
            TypeKind::Array { elem, len } => {
                lens.push((len, sizes.of(m, elem)?));
                elem
            }
            _ => {
                let n = *fields.next()? as usize;
                at += sizes.field(m, now, n)?;
                *m.types.fields(now)?.types.get(n)?
            }
        };
    };
    at += index % own * sizes.of(m, scalar)?;
    let mut rest = index / own;
    for &(len, size) in lens.iter().rev() {
        at += rest % len * size;
        rest /= len;
    }
    (at <= u64::from(u32::MAX)).then_some((at, !lens.is_empty()))
}

fn align(m: &Module, ty: Type) -> u32 {
    number_width(&m.types, ty).map_or(4, |bits| (bits / 8).clamp(1, 8))
}

impl Address {
    /// Counts in parts of which what is counted so far has `by` each.
    fn scale(&mut self, by: u64) {
        self.fixed = self.fixed.saturating_mul(by);
        self.dynamic.iter_mut().for_each(|d| d.1 = d.1.saturating_mul(by));
    }

    /// Counts components from now on.
    fn enter(&mut self, m: &Module) -> Option<()> {
        if !self.inside {
            let (_, count) = region(m, self.ty)?;
            self.scale(count);
            self.inside = true;
        }
        Some(())
    }

    /// One of `len` elements, each of `size` of what is counted.
    fn choose(&mut self, m: &Module, index: Value, len: u64, size: u64) -> Option<()> {
        match m.int_of(index) {
            Some(n) => {
                let n = u64::try_from(n).ok().filter(|&n| n < len)?;
                self.fixed = self.fixed.checked_add(n.checked_mul(size)?)?;
            }
            None => self.dynamic.push((index, size)),
        }
        Some(())
    }
}

/// The address that indices lead to.
fn step(m: &Module, at: &Address, indices: &[Value]) -> Option<Address> {
    let mut at = at.clone();
    let (&first, rest) = indices.split_first()?;
    if m.int_of(first) != Some(0) {
        if !at.inside {
            return None;
        }
        let (_, count) = region(m, at.ty)?;
        at.choose(m, first, MAX, count)?;
    }
    for &index in rest {
        if region(m, at.ty).is_some() {
            at.enter(m)?;
        }
        match m.types[at.ty] {
            TypeKind::Array { elem, len } if !at.inside => {
                at.scale(len);
                at.choose(m, index, len, 1)?;
                at.ty = elem;
            }
            TypeKind::Array { elem, len } => {
                let (_, size) = region(m, elem)?;
                at.choose(m, index, len, size)?;
                at.ty = elem;
            }
            TypeKind::Vector { elem, len } => {
                at.choose(m, index, len.into(), 1)?;
                at.ty = elem;
            }
            _ => {
                let n = usize::try_from(m.int_of(index)?).ok()?;
                let fields = m.types.fields(at.ty)?;
                let field = *fields.types.get(n)?;
                if at.inside {
                    for &before in &fields.types[..n] {
                        at.fixed = at.fixed.checked_add(region(m, before)?.1)?;
                    }
                } else {
                    at.fields.push(n as u32);
                }
                at.ty = field;
            }
        }
    }
    Some(at)
}

/// The type of the elements of an array, of arrays of arrays too, and their number; of another type itself.
fn elements(m: &Module, mut ty: Type) -> Option<(Type, u64)> {
    let mut count = 1u64;
    while let TypeKind::Array { elem, len } = m.types[ty] {
        (ty, count) = (elem, count.checked_mul(len)?);
    }
    Some((ty, count))
}

/// The same address, seen as that of something of another type whose components are as large.
fn seen_as(m: &Module, at: &Address, ty: Type) -> Option<Address> {
    let mut at = at.clone();
    // An array of arrays of structures, which is a variable as one array of them.
    if !at.inside && elements(m, at.ty)? == elements(m, ty)? {
        at.ty = ty;
        return Some(at);
    }
    let ((from, _), (to, _)) = (region(m, at.ty)?, region(m, ty)?);
    let bits = |scalar| match m.types[scalar] {
        TypeKind::Int(1) => Some(32),
        _ => number_width(&m.types, scalar),
    };
    at.enter(m)?;
    at.ty = ty;
    (bits(from).is_some() && bits(from) == bits(to)).then_some(at)
}

/// Every component of what is at an address.
fn leaves_of(m: &Module, mut at: Address, out: &mut Vec<Leaf>, dynamic: &mut Option<Vec<(Value, u64)>>) -> bool {
    if out.len() > MAX as usize {
        return false;
    }
    if let Some((scalar, count)) = region(m, at.ty) {
        if at.enter(m).is_none() {
            return false;
        }
        // One sum serves all components.
        match dynamic {
            Some(known) if *known != at.dynamic => return false,
            _ => *dynamic = Some(at.dynamic),
        }
        out.extend((0..count).map(|n| Leaf { fields: at.fields.clone(), fixed: at.fixed.saturating_add(n), ty: scalar }));
        return true;
    }
    match m.types[at.ty] {
        TypeKind::Array { elem, len } => (0..len.min(MAX + 1)).all(|n| {
            let mut one = at.clone();
            one.scale(len);
            one.fixed = one.fixed.saturating_add(n);
            one.ty = elem;
            leaves_of(m, one, out, dynamic)
        }),
        _ => {
            let Some(fields) = m.types.fields(at.ty) else { return false };
            fields.types.iter().enumerate().all(|(n, &field)| {
                let mut one = at.clone();
                one.fields.push(n as u32);
                one.ty = field;
                leaves_of(m, one, out, dynamic)
            })
        }
    }
}
