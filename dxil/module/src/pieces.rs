//! Values split: a value of a vector or an aggregate becomes several values, its *pieces*.
//!
//! What stays one value is a [`Rule`] of the caller: scalars alone for shader models without vectors, short vectors where a processor has
//! no longer ones. Operations on vectors are done on each piece, phis are divided, elements are found in their pieces; where a whole
//! value is needed (a call, what a function returns) it is put together again. The time is linear in the number of pieces.

use super::cfg::Cfg;
use super::{BinOp, Block, Body, CastOp, CmpPred, ConstKind, Func, Inst, InstData, Loc, Module, Op, Type, TypeKind, Value, sign_extend};
use rtc_base::entity::PackedOption;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is split.
pub trait Rule {
    /// The components of the longest vector that stays one value; 1: there are no vectors.
    fn width(&self) -> u32;

    /// Whether structures and arrays become their fields, and not only those that hold a vector that is split.
    fn aggregates(&self, m: &Module, ty: Type) -> bool;

    /// Whether vectors in memory are packed, and read and written piece by piece.
    fn memory(&self) -> bool;

    /// The function that does for `components` components what `callee` does for vectors, if it does it component by component.
    fn component_wise(&mut self, m: &mut Module, callee: Func, args: &[Value], components: u32) -> Option<Func>;
}

/// A value with more pieces than this stays whole.
const MAX: usize = 1 << 16;
/// Aggregates that are nested deeper than this stay whole.
const DEPTH: usize = 64;

/// The pieces of the instructions that are no longer there.
pub type Pieces = FxHashMap<Inst, Rc<[Value]>>;

/// Where a piece is in its value.
#[derive(Debug, Clone)]
struct Piece {
    /// The fields that lead to it.
    path: Vec<u32>,
    /// Its first component, if it is a part of a vector.
    first: Option<u32>,
    ty: Type,
}

/// Takes the values of a function apart.
pub fn take_apart(m: &mut Module, func: Func, rule: &mut dyn Rule) -> Pieces {
    let params: Vec<Type> = m.types.signature(m.funcs[func].ty).map_or(Vec::new(), |s| s.1.to_vec());
    let Some(body) = m.funcs[func].body.take() else { return Pieces::default() };
    let mut work = Splitter {
        m,
        rule,
        body,
        params,
        layouts: FxHashMap::default(),
        pieces: FxHashMap::default(),
        rebuilt: FxHashMap::default(),
        kept: FxHashSet::default(),
        replaced: FxHashMap::default(),
        made: Vec::new(),
        start: Vec::new(),
        out: Vec::new(),
        loc: None.into(),
    };
    work.run();
    let Splitter { body, pieces, .. } = work;
    m.funcs[func].body = Some(body);
    pieces.into_iter().filter_map(|(v, p)| if let Value::Inst(i) = v { Some((i, p)) } else { None }).collect()
}

struct Splitter<'a> {
    m: &'a mut Module,
    rule: &'a mut dyn Rule,
    body: Body,
    params: Vec<Type>,
    /// The pieces of each type; none where it stays whole.
    layouts: FxHashMap<Type, Option<Rc<[Piece]>>>,
    pieces: FxHashMap<Value, Rc<[Value]>>,
    /// Values that are put together again in the block at hand.
    rebuilt: FxHashMap<Value, Value>,
    /// Instructions that are still there.
    kept: FxHashSet<Inst>,
    /// What stands for instructions that gave one component or field.
    replaced: FxHashMap<Inst, Value>,
    /// New instructions with those in whose place they are.
    made: Vec<(Inst, Inst)>,
    /// Instructions that begin the function.
    start: Vec<Inst>,
    /// The block at hand.
    out: Vec<Inst>,
    loc: PackedOption<Loc>,
}

impl Splitter<'_> {
    fn run(&mut self) {
        let cfg = Cfg::new(&self.body);
        let mut order: Vec<Block> = cfg.tree().map(|(block, _)| block).collect();
        order.extend(self.body.blocks.keys().filter(|&b| !cfg.is_reachable(b)));
        let mut phis: Vec<(Inst, Rc<[Value]>)> = Vec::new();
        for block in order {
            self.rebuilt.clear();
            for inst in std::mem::take(&mut self.body.blocks[block]) {
                self.loc = self.body.insts[inst].loc;
                let from = self.body.insts.len();
                if !self.concerns(inst) {
                    self.keep(inst);
                } else if matches!(self.body.insts[inst].op, Op::Phi(_)) {
                    let list = self.layout(self.body.insts[inst].ty).unwrap_or_default();
                    let new: Vec<Value> = list
                        .iter()
                        .map(|p| {
                            let list = self.body.list(&[]);
                            self.inst(p.ty, Op::Phi(list))
                        })
                        .collect();
                    let new: Rc<[Value]> = new.into();
                    phis.push((inst, new.clone()));
                    self.pieces.insert(Value::Inst(inst), new);
                } else if let Some(new) = self.divided(inst) {
                    self.pieces.insert(Value::Inst(inst), new.into());
                }
                let to = self.body.insts.len();
                self.made.extend((from..to).map(|n| (Inst::from_u32(n as u32), inst)));
            }
            self.body.blocks[block] = std::mem::take(&mut self.out);
        }
        for (old, new) in phis {
            let Op::Phi(list) = self.body.insts[old].op else { continue };
            for pair in self.body.values(list).to_vec().chunks_exact(2) {
                let Value::Block(from) = pair[1] else { continue };
                let pieces = self.take(pair[0]);
                for (phi, &value) in new.iter().zip(pieces.iter()) {
                    if let &Value::Inst(phi) = phi {
                        self.body.add_incoming(phi, value, from);
                    }
                }
            }
        }
        let start = std::mem::take(&mut self.start);
        if let Some(entry) = self.body.blocks.values_mut().next() {
            entry.splice(0..0, start);
        }
        let now = |mut value: Value| {
            while let Value::Inst(i) = value
                && let Some(&by) = self.replaced.get(&i)
            {
                value = by;
            }
            value
        };
        self.body.map_values(now);
        self.body.local_meta.iter_mut().for_each(|v| *v = now(*v));
        for pieces in self.pieces.values_mut() {
            *pieces = pieces.iter().map(|&v| now(v)).collect();
        }
        self.tidy();
    }

    /// Leaves nothing of instructions that are no longer there, and attaches to the others what was attached to those.
    fn tidy(&mut self) {
        let gone = |i: Inst| self.pieces.contains_key(&Value::Inst(i)) && !self.kept.contains(&i);
        let mut by: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
        let like = |op: &Op, ty: Type, of: &InstData| {
            std::mem::discriminant(op) == std::mem::discriminant(&of.op) && self.m.types.scalar(ty) == self.m.types.scalar(of.ty)
        };
        for &(new, old) in &self.made {
            let InstData { op, ty, .. } = self.body.insts[new];
            if gone(old) && like(&op, ty, &self.body.insts[old]) {
                by.entry(old).or_default().push(new);
            }
        }
        let mut attached = Vec::new();
        for &(inst, kind, node) in &self.body.attached {
            match by.get(&inst) {
                Some(new) => attached.extend(new.iter().map(|&new| (new, kind, node))),
                None if gone(inst) => {}
                None => attached.push((inst, kind, node)),
            }
        }
        let lost: Vec<Inst> = self.pieces.keys().filter_map(|v| if let &Value::Inst(i) = v { Some(i) } else { None }).collect();
        let lost: Vec<Inst> = lost.into_iter().filter(|&i| gone(i)).collect();
        self.body.attached = attached;
        for inst in lost {
            self.body.names.remove(&Value::Inst(inst));
            self.body.insts[inst].op = Op::Unreachable;
        }
    }

    // Types ---------------------------------------------------------------------------------------

    /// The pieces of a type, if it is split.
    fn layout(&mut self, ty: Type) -> Option<Rc<[Piece]>> {
        if let Some(known) = self.layouts.get(&ty) {
            return known.clone();
        }
        let mut out = Vec::new();
        let all = self.splits(ty, DEPTH) && self.collect(ty, &mut Vec::new(), &mut out);
        let found: Option<Rc<[Piece]>> = all.then(|| out.into());
        self.layouts.insert(ty, found.clone());
        found
    }

    fn splits(&self, ty: Type, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let m = &*self.m;
        match &m.types[ty] {
            TypeKind::Vector { len, .. } => *len > self.rule.width() || self.rule.width() == 1,
            TypeKind::Array { elem, .. } => self.rule.aggregates(m, ty) || self.splits(*elem, depth),
            TypeKind::Struct(fields) | TypeKind::Named { body: Some(fields), .. } => {
                self.rule.aggregates(m, ty) || fields.types.iter().any(|&f| self.splits(f, depth))
            }
            _ => false,
        }
    }

    fn collect(&mut self, ty: Type, path: &mut Vec<u32>, out: &mut Vec<Piece>) -> bool {
        if out.len() > MAX || path.len() > DEPTH {
            return false;
        }
        if !self.splits(ty, DEPTH) {
            out.push(Piece { path: path.clone(), first: None, ty });
            return true;
        }
        let count = match self.m.types[ty] {
            TypeKind::Vector { elem, len } => {
                let width = self.rule.width();
                for first in (0..len).step_by(width as usize) {
                    let part = (len - first).min(width);
                    let ty = if part == 1 { elem } else { self.m.types.vector(elem, part) };
                    out.push(Piece { path: path.clone(), first: Some(first), ty });
                }
                return true;
            }
            TypeKind::Array { len, .. } => len,
            _ => self.m.types.fields(ty).map_or(0, |f| f.types.len() as u64),
        };
        if count > MAX as u64 {
            return false;
        }
        (0..count).all(|n| {
            let Some(field) = self.m.types.element(ty, n) else { return false };
            path.push(n as u32);
            let done = self.collect(field, path, out);
            path.pop();
            done
        })
    }

    fn type_of(&self, value: Value) -> Option<Type> {
        match value {
            Value::Inst(i) => Some(self.body.insts[i].ty),
            Value::Arg(n) => self.params.get(n as usize).copied(),
            v => self.m.value_type(None, v),
        }
    }

    fn layout_of(&mut self, value: Value) -> Option<Rc<[Piece]>> {
        let ty = self.type_of(value)?;
        self.layout(ty)
    }

    /// The components of a vector.
    fn len(&self, ty: Type) -> u32 {
        if let TypeKind::Vector { len, .. } = self.m.types[ty] { len } else { 1 }
    }

    // Values --------------------------------------------------------------------------------------

    /// Whether an instruction takes or gives something that is split.
    fn concerns(&mut self, inst: Inst) -> bool {
        if self.layout(self.body.insts[inst].ty).is_some() {
            return true;
        }
        let mut operands = Vec::new();
        self.body.operands(inst, |v| operands.push(v));
        operands.into_iter().any(|v| self.layout_of(v).is_some())
    }

    fn inst(&mut self, ty: Type, op: Op) -> Value {
        let inst = self.body.insts.push(InstData { op, ty, loc: self.loc });
        self.out.push(inst);
        Value::Inst(inst)
    }

    fn keep(&mut self, inst: Inst) {
        self.kept.insert(inst);
        self.out.push(inst);
    }

    /// The pieces of a value that is split.
    fn take(&mut self, value: Value) -> Rc<[Value]> {
        if let Some(known) = self.pieces.get(&value) {
            return known.clone();
        }
        let (Some(ty), Some(layout)) = (self.type_of(value), self.layout_of(value)) else { return [value].into() };
        let found: Vec<Value> = match value {
            Value::Const(_) | Value::Arg(_) => {
                // They are there from the start.
                let out = std::mem::take(&mut self.out);
                let found = layout.iter().map(|p| self.piece(value, ty, p)).collect();
                let first = std::mem::replace(&mut self.out, out);
                self.start.extend(first);
                found
            }
            // Code that is never reached.
            _ => layout.iter().map(|p| self.m.undef(p.ty)).collect(),
        };
        let found: Rc<[Value]> = found.into();
        self.pieces.insert(value, found.clone());
        found
    }

    /// One piece of a whole value.
    fn piece(&mut self, value: Value, ty: Type, piece: &Piece) -> Value {
        let (mut at, mut ty) = (value, ty);
        for &n in &piece.path {
            let Some(field) = self.m.types.element(ty, n.into()) else { return self.m.undef(piece.ty) };
            at = match constant_element(self.m, at, field, n) {
                Some(v) => v,
                None => {
                    let path = self.body.indices(&[n]);
                    self.inst(field, Op::ExtractValue { value: at, path })
                }
            };
            ty = field;
        }
        let Some(first) = piece.first else { return at };
        let parts: Vec<Value> = (first..first + self.len(piece.ty)).map(|n| self.component(at, ty, n)).collect();
        self.vector(piece.ty, &parts)
    }

    /// Component `n` of a vector that is one value.
    fn component(&mut self, vector: Value, ty: Type, n: u32) -> Value {
        let elem = self.m.types.scalar(ty);
        if elem == ty {
            return vector;
        }
        match constant_element(self.m, vector, elem, n) {
            Some(v) => v,
            None => {
                let index = self.m.i32(n as i32);
                self.inst(elem, Op::ExtractElement { vector, index })
            }
        }
    }

    /// A vector, or a scalar, of components.
    fn vector(&mut self, ty: Type, parts: &[Value]) -> Value {
        if self.len(ty) == 1 && self.m.types.scalar(ty) == ty {
            return parts.first().copied().unwrap_or_else(|| self.m.undef(ty));
        }
        if parts.iter().all(|v| matches!(v, Value::Const(_))) {
            return self.m.aggregate(ty, parts);
        }
        let mut vector = self.m.undef(ty);
        for (n, &value) in parts.iter().enumerate() {
            let index = self.m.i32(n as i32);
            vector = self.inst(ty, Op::InsertElement { vector, value, index });
        }
        vector
    }

    /// The value as one, where that is needed.
    fn whole(&mut self, value: Value) -> Value {
        let there = match value {
            Value::Inst(i) => self.kept.contains(&i),
            _ => true,
        };
        let Some(ty) = self.type_of(value).filter(|&ty| !there && self.layout(ty).is_some()) else { return value };
        if let Some(&known) = self.rebuilt.get(&value) {
            return known;
        }
        let pieces = self.take(value);
        let mut next = 0;
        let made = self.together(ty, &pieces, &mut next);
        self.rebuilt.insert(value, made);
        made
    }

    fn together(&mut self, ty: Type, pieces: &[Value], next: &mut usize) -> Value {
        if !self.splits(ty, DEPTH) {
            *next += 1;
            return pieces.get(*next - 1).copied().unwrap_or_else(|| self.m.undef(ty));
        }
        let count = match self.m.types[ty] {
            TypeKind::Vector { elem, len } => {
                let mut parts = Vec::with_capacity(len as usize);
                while parts.len() < len as usize {
                    let Some(&piece) = pieces.get(*next) else { break };
                    *next += 1;
                    let of = self.type_of(piece).unwrap_or(elem);
                    let count = self.len(of);
                    parts.extend((0..count).map(|n| self.component(piece, of, n)));
                }
                return self.vector(ty, &parts);
            }
            TypeKind::Array { len, .. } => len,
            _ => self.m.types.fields(ty).map_or(0, |f| f.types.len() as u64),
        };
        let mut out = self.m.undef(ty);
        for n in 0..count {
            let Some(field) = self.m.types.element(ty, n) else { continue };
            let field = self.together(field, pieces, next);
            let path = self.body.indices(&[n as u32]);
            out = self.inst(ty, Op::InsertValue { value: out, field, path });
        }
        out
    }

    /// Component `n` of a vector, whole or not.
    fn element(&mut self, vector: Value, n: u32) -> Value {
        let Some(ty) = self.type_of(vector) else { return vector };
        if self.layout(ty).is_none() {
            return self.component(vector, ty, n);
        }
        let pieces = self.take(vector);
        let width = self.rule.width();
        match pieces.get((n / width) as usize) {
            Some(&piece) if n < self.len(ty) => {
                let of = self.type_of(piece).unwrap_or(ty);
                self.component(piece, of, n % width)
            }
            _ => {
                let elem = self.m.types.scalar(ty);
                self.m.undef(elem)
            }
        }
    }

    // Instructions --------------------------------------------------------------------------------

    /// Divides an instruction: its pieces, none if it gives nothing that is split.
    fn divided(&mut self, inst: Inst) -> Option<Vec<Value>> {
        let InstData { op, ty, .. } = self.body.insts[inst];
        let layout = self.layout(ty);
        match op {
            Op::Binary { op, flags, lhs, rhs } if layout.is_some() => {
                let (lhs, rhs) = (self.take(lhs), self.take(rhs));
                Some(self.each(&layout?, |n, ty| (ty, Op::Binary { op, flags, lhs: lhs[n], rhs: rhs[n] })))
            }
            Op::Cmp { pred, flags, lhs, rhs } if layout.is_some() && self.layout_of(lhs).is_some() => {
                let (lhs, rhs) = (self.take(lhs), self.take(rhs));
                Some(self.each(&layout?, |n, ty| (ty, Op::Cmp { pred, flags, lhs: lhs[n], rhs: rhs[n] })))
            }
            Op::Cast { op, value } if layout.is_some() && self.alike(value, ty) => {
                let value = self.take(value);
                Some(self.each(&layout?, |n, ty| (ty, Op::Cast { op, value: value[n] })))
            }
            Op::Select { cond, then, other } if layout.is_some() => {
                let (then, other) = (self.take(then), self.take(other));
                let conds = self.layout_of(cond).is_some().then(|| self.take(cond));
                Some(self.each(&layout?, |n, ty| {
                    let cond = conds.as_ref().map_or(cond, |c| c[n]);
                    (ty, Op::Select { cond, then: then[n], other: other[n] })
                }))
            }
            Op::InsertElement { vector, value, index } if layout.is_some() => {
                let pieces = self.take(vector).to_vec();
                Some(self.inserted(pieces, value, index))
            }
            Op::ExtractElement { vector, index } if self.layout_of(vector).is_some() => {
                let value = match self.m.int_of(index) {
                    Some(n) => self.element(vector, n.clamp(0, u32::MAX.into()) as u32),
                    None => self.chosen(vector, index, ty),
                };
                self.becomes(inst, value);
                None
            }
            Op::ShuffleVector { lhs, rhs, mask } => self.shuffled(inst, [lhs, rhs], mask),
            Op::ExtractValue { value, path } if self.layout_of(value).is_some() => {
                let path = self.body.path(path).to_vec();
                let (pieces, range) = (self.take(value), self.range(value, &path));
                let own = pieces.get(range).unwrap_or_default().to_vec();
                match (layout, own.first()) {
                    (Some(_), _) => Some(own),
                    (None, Some(&value)) => {
                        self.becomes(inst, value);
                        None
                    }
                    (None, None) => self.as_it_is(inst, None),
                }
            }
            Op::InsertValue { value, field, path } if layout.is_some() => {
                let path = self.body.path(path).to_vec();
                let (mut pieces, range) = (self.take(value).to_vec(), self.range(value, &path));
                let new = if self.layout_of(field).is_some() { self.take(field) } else { [field].into() };
                for (old, &new) in pieces.get_mut(range).unwrap_or_default().iter_mut().zip(new.iter()) {
                    *old = new;
                }
                Some(pieces)
            }
            Op::Load { ptr, align, volatile } if self.rule.memory() && self.is_plain(ty) => {
                let layout = layout?;
                let ptrs: Vec<Value> = layout.iter().map(|p| self.inside(ptr, p)).collect();
                Some(self.each(&layout, |n, ty| (ty, Op::Load { ptr: ptrs[n], align, volatile })))
            }
            Op::Store { ptr, value, align, volatile } if self.rule.memory() && self.type_of(value).is_some_and(|t| self.is_plain(t)) => {
                let (layout, values, void) = (self.layout_of(value)?, self.take(value), self.m.types.void());
                for (piece, &value) in layout.iter().zip(values.iter()) {
                    let ptr = self.inside(ptr, piece);
                    self.inst(void, Op::Store { ptr, value, align, volatile });
                }
                None
            }
            Op::Call { callee: Value::Func(callee), .. } => self.called(inst, callee),
            _ => self.as_it_is(inst, layout),
        }
    }

    /// Divides a choice of elements of two vectors.
    fn shuffled(&mut self, inst: Inst, [lhs, rhs]: [Value; 2], mask: Value) -> Option<Vec<Value>> {
        let ty = self.body.insts[inst].ty;
        let layout = self.layout(ty);
        let first = self.type_of(lhs).map_or(0, |t| self.len(t));
        let elem = self.m.types.scalar(ty);
        let indices = self.m.types.i32();
        let parts: Vec<Value> = (0..self.len(ty))
            .map(|n| match constant_element(self.m, mask, indices, n).and_then(|v| self.m.int_of(v)) {
                Some(n) if (0..i64::from(first)).contains(&n) => self.element(lhs, n as u32),
                Some(n) if n >= i64::from(first) => self.element(rhs, (n - i64::from(first)) as u32),
                _ => self.m.undef(elem),
            })
            .collect();
        let Some(layout) = layout else {
            let value = self.vector(ty, &parts);
            self.becomes(inst, value);
            return None;
        };
        let mut parts = parts.as_slice();
        let mut out = Vec::with_capacity(layout.len());
        for piece in layout.iter() {
            let (own, rest) = parts.split_at(self.len(piece.ty) as usize);
            parts = rest;
            out.push(self.vector(piece.ty, own));
        }
        Some(out)
    }

    /// Divides a call of what works component by component.
    fn called(&mut self, inst: Inst, callee: Func) -> Option<Vec<Value>> {
        let InstData { op: Op::Call { attrs, args, cc, tail, .. }, ty, .. } = self.body.insts[inst] else { return None };
        let layout = self.layout(ty);
        let args = self.body.values(args).to_vec();
        let Some(layout) = layout else { return self.as_it_is(inst, None) };
        let mut taken: Vec<Option<Rc<[Value]>>> = Vec::new();
        for &v in &args {
            let divided = self.layout_of(v).is_some();
            taken.push(divided.then(|| self.take(v)));
        }
        let mut out = Vec::with_capacity(layout.len());
        for (n, piece) in layout.iter().enumerate() {
            let components = self.len(piece.ty);
            let fits = taken.iter().flatten().all(|t| t.len() == layout.len());
            let own = if fits { self.rule.component_wise(self.m, callee, &args, components) } else { None };
            let Some(own) = own else { return self.as_it_is(inst, Some(layout)) };
            let args: Vec<Value> = args.iter().zip(&taken).map(|(&v, t)| t.as_ref().map_or(v, |t| t[n])).collect();
            let (args, ty) = (self.body.list(&args), self.m.funcs[own].ty);
            out.push(self.inst(piece.ty, Op::Call { callee: Value::Func(own), ty, attrs, args, cc, tail }));
        }
        Some(out)
    }

    fn each(&mut self, layout: &[Piece], op: impl Fn(usize, Type) -> (Type, Op)) -> Vec<Value> {
        let all = layout.iter().enumerate().map(|(n, p)| {
            let (ty, op) = op(n, p.ty);
            self.inst(ty, op)
        });
        all.collect()
    }

    /// Keeps an instruction, with whole operands; gives the pieces of its result.
    fn as_it_is(&mut self, inst: Inst, layout: Option<Rc<[Piece]>>) -> Option<Vec<Value>> {
        let mut operands = Vec::new();
        self.body.operands(inst, |v| operands.push(v));
        let now: FxHashMap<Value, Value> = operands.into_iter().map(|v| (v, self.whole(v))).collect();
        self.body.map_operands(inst, |v| now.get(&v).copied().unwrap_or(v));
        self.keep(inst);
        let ty = self.body.insts[inst].ty;
        Some(layout?.iter().map(|p| self.piece(Value::Inst(inst), ty, p)).collect())
    }

    /// Replaces the result of an instruction by another value.
    fn becomes(&mut self, inst: Inst, value: Value) {
        self.pieces.insert(Value::Inst(inst), [value].into());
        self.replaced.insert(inst, value);
    }

    /// Whether a cast goes from component to component.
    fn alike(&mut self, value: Value, ty: Type) -> bool {
        let from = self.type_of(value);
        self.layout_of(value).is_some() && from.is_some_and(|from| self.len(from) == self.len(ty))
    }

    /// Whether it is a vector, and not an aggregate of such.
    fn is_plain(&mut self, ty: Type) -> bool {
        self.layout(ty).is_some() && matches!(self.m.types[ty], TypeKind::Vector { .. })
    }

    /// The address of a piece of a vector in memory.
    fn inside(&mut self, ptr: Value, piece: &Piece) -> Value {
        let space = match self.type_of(ptr).map(|t| &self.m.types[t]) {
            Some(&TypeKind::Pointer { space, .. }) => space,
            _ => 0,
        };
        let elem = self.m.types.scalar(piece.ty);
        let (one, own) = (self.m.types.ptr_in(elem, space), self.m.types.ptr_in(piece.ty, space));
        let first = self.inst(one, Op::Cast { op: CastOp::BitCast, value: ptr });
        let n = self.m.i32(piece.first.unwrap_or(0) as i32);
        let operands = self.body.list(&[first, n]);
        let at = self.inst(one, Op::Gep { inbounds: false, source: elem, operands });
        if own == one { at } else { self.inst(own, Op::Cast { op: CastOp::BitCast, value: at }) }
    }

    /// The pieces of a field among those of an aggregate.
    fn range(&mut self, value: Value, path: &[u32]) -> std::ops::Range<usize> {
        let layout = self.layout_of(value).unwrap_or_default();
        let from = layout.partition_point(|p| p.path.as_slice() < path);
        let count = layout[from..].iter().take_while(|p| p.path.starts_with(path)).count();
        from..from + count
    }

    /// The pieces with `value` as the component `index`, which may be computed.
    fn inserted(&mut self, mut pieces: Vec<Value>, value: Value, index: Value) -> Vec<Value> {
        let width = self.rule.width();
        if let Some(n) = self.m.int_of(index) {
            let Ok(n) = u32::try_from(n) else { return pieces };
            let (k, inside) = ((n / width) as usize, n % width);
            let Some(&vector) = pieces.get(k) else { return pieces };
            let Some(ty) = self.type_of(vector) else { return pieces };
            pieces[k] = match self.m.types[ty] {
                TypeKind::Vector { len, .. } if inside < len => {
                    let index = self.m.i32(inside as i32);
                    self.inst(ty, Op::InsertElement { vector, value, index })
                }
                TypeKind::Vector { .. } => vector,
                _ => value,
            };
            return pieces;
        }
        for (k, piece) in pieces.iter_mut().enumerate() {
            let Some(ty) = self.type_of(*piece) else { continue };
            let (here, inside) = self.local_index(index, k, ty);
            let new = match self.m.types[ty] {
                TypeKind::Vector { .. } => self.inst(ty, Op::InsertElement { vector: *piece, value, index: inside }),
                _ => value,
            };
            // An undefined component may be the new one as well; as an operand it is not valid.
            let unset = matches!(*piece, Value::Const(c) if self.m.consts[c].kind == ConstKind::Undef);
            *piece = if unset { new } else { self.inst(ty, Op::Select { cond: here, then: new, other: *piece }) };
        }
        pieces
    }

    /// The component `index`, which is computed, of a vector.
    fn chosen(&mut self, vector: Value, index: Value, elem: Type) -> Value {
        let pieces = self.take(vector);
        let mut out: Option<Value> = None;
        for (k, &piece) in pieces.iter().enumerate() {
            let Some(ty) = self.type_of(piece) else { continue };
            let (here, inside) = self.local_index(index, k, ty);
            let own = match self.m.types[ty] {
                TypeKind::Vector { .. } => self.inst(elem, Op::ExtractElement { vector: piece, index: inside }),
                _ => piece,
            };
            out = Some(match out {
                None => own,
                Some(other) => self.inst(elem, Op::Select { cond: here, then: own, other }),
            });
        }
        out.unwrap_or_else(|| self.m.undef(elem))
    }

    /// Whether a computed index is in piece `k`, and where.
    fn local_index(&mut self, index: Value, k: usize, piece: Type) -> (Value, Value) {
        let width = self.rule.width();
        let ty = self.type_of(index).unwrap_or_else(|| self.m.types.i32());
        let TypeKind::Int(bits) = self.m.types[ty] else { return (self.m.i1(false), index) };
        let first = self.m.const_int(bits, i64::from(width) * k as i64);
        let i1 = self.m.types.i1();
        if !matches!(self.m.types[piece], TypeKind::Vector { .. }) {
            return (self.inst(i1, Op::Cmp { pred: CmpPred::IEq, flags: 0, lhs: index, rhs: first }), index);
        }
        let inside = self.inst(ty, Op::Binary { op: BinOp::Sub, flags: 0, lhs: index, rhs: first });
        let len = self.m.const_int(bits, self.len(piece).into());
        let here = self.inst(i1, Op::Cmp { pred: CmpPred::IUlt, flags: 0, lhs: inside, rhs: len });
        // Where it is not in this piece, any component will do.
        let zero = self.m.const_int(bits, 0);
        (here, self.inst(ty, Op::Select { cond: here, then: inside, other: zero }))
    }
}

/// Element `n`, of type `elem`, of a constant; none of an expression, and of what is no constant.
pub fn constant_element(m: &mut Module, value: Value, elem: Type, n: u32) -> Option<Value> {
    let Value::Const(c) = value else { return None };
    let bits = match &m.consts[c].kind {
        ConstKind::Undef => return Some(m.undef(elem)),
        ConstKind::Null => return Some(m.null(elem)),
        ConstKind::Aggregate(values) => return values.get(n as usize).copied(),
        ConstKind::Data(all) => *all.get(n as usize)?,
        _ => return None,
    };
    Some(match m.types[elem] {
        TypeKind::Int(width) => m.const_int(width, sign_extend(bits as i64, width)),
        _ => Value::Const(m.consts.float_bits(elem, bits)),
    })
}
