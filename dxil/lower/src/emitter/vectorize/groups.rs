//! What may be combined: groups of instructions of one kind, and vectors that are built from components.
//!
//! A *group* is what the components of an IR value have become, if these are instructions of one block that differ in their operands alone. It would be
//! computed where its last component is, so nothing may use an earlier one before. An operand of a group is a *list* of components, or a scalar that all
//! components share, as the condition of a choice. A *built* vector is a chain of insertions into an undefined one or constants; it is a list, too.
//! A dot product of components is one of two lists.

use rtc_base::{PackedOption, SecondaryMap};
use rtc_dxil_module::{Block, Body, ConstKind, Func, Inst, Meta, Module, Op, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{OpAttr, OpTy, op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Lanes, operation};
use crate::values::Values;

/// What is combined.
pub(super) enum Kind {
    /// Computations.
    Group,
    /// Phis; the predecessors, one for each list.
    Phis(Vec<Block>),
    /// A chain of insertions; the lanes are these, the last one is the vector.
    Built,
    /// A dot product, whose result is a scalar.
    Dot,
}

impl Kind {
    /// Whether all components of a value are computed by it.
    pub fn is_vector(&self) -> bool {
        matches!(self, Kind::Group | Kind::Phis(_))
    }
}

/// Something that may become a vector.
pub(super) struct Node {
    pub kind: Kind,
    /// The instructions that it would replace; those of a group in the order of the components.
    pub lanes: SmallVec<[Inst; 4]>,
    /// The operands, each a list or a scalar.
    pub operands: SmallVec<[Operand; 3]>,
    /// Whether it is chosen.
    pub active: bool,
}

/// An operand of a group.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    /// The number of a list.
    List(u32),
    /// The same for all components.
    Scalar(Value),
}

/// Components that are needed as a vector.
pub(super) struct List {
    pub lanes: Lanes,
    /// Between which reorder points it is needed.
    interval: u32,
    /// Whether it is needed at the end of the block, for phis of a successor.
    pub at_end: bool,
    /// The groups that need it.
    pub users: SmallVec<[u32; 2]>,
    /// The type of a component.
    pub elem: Type,
}

/// Where the components of a list come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// They are constants.
    Constant,
    /// A group or a vector as it is.
    Whole(Source),
    /// Components of a vector in any order, and of a second operand after these.
    Shuffled(Source, Second, SmallVec<[u32; 4]>),
    /// They are one scalar.
    Splat,
    /// They are inserted one by one.
    Inserted,
}

/// The second operand of a shuffle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Second {
    /// There is none.
    None,
    /// A vector of the same type.
    Vector(Source),
    /// Constants.
    Constants(Lanes),
}

/// A vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A group.
    Group(u32),
    /// A value of the module.
    Value(Value),
}

/// The function and what was found in it.
pub(super) struct Code<'a> {
    pub m: &'a mut Module,
    func: Func,
    body: &'a Body,
    reorders: &'a [u32],
    pub found: Candidates,
    block: SecondaryMap<Inst, PackedOption<Block>>,
    /// Positions in blocks.
    at: SecondaryMap<Inst, u32>,
    /// How many operands each instruction is.
    pub uses: SecondaryMap<Inst, u32>,
    /// The position of the first user in the same block, except for phis.
    first_use: SecondaryMap<Inst, u32>,
    interned: FxHashMap<(Block, u32, bool, Lanes), u32>,
}

/// What may be combined.
#[derive(Default)]
pub(super) struct Candidates {
    pub nodes: Vec<Node>,
    pub lists: Vec<List>,
    /// The group of each instruction in one, and which component it is.
    pub lane_of: SecondaryMap<Inst, Option<(u32, u32)>>,
    /// Metadata of instructions.
    pub attached: FxHashMap<Inst, SmallVec<[(u32, Meta); 1]>>,
}

impl<'a> Code<'a> {
    pub fn new(m: &'a mut Module, func: Func, body: &'a Body, reorders: &'a [u32]) -> Self {
        let mut c = Code {
            m,
            func,
            body,
            reorders,
            found: Candidates::default(),
            block: SecondaryMap::new(),
            at: SecondaryMap::new(),
            uses: SecondaryMap::new(),
            first_use: SecondaryMap::with_default(u32::MAX),
            interned: FxHashMap::default(),
        };
        let n = body.insts.len();
        c.block.resize(n);
        c.at.resize(n);
        c.uses.resize(n);
        c.first_use.resize(n);
        c.found.lane_of.resize(n);
        for (b, insts) in body.blocks.iter() {
            for (at, &i) in (0..).zip(insts) {
                c.block[i] = b.into();
                c.at[i] = at;
            }
        }
        for (b, insts) in body.blocks.iter() {
            for (at, &i) in (0..).zip(insts) {
                let is_phi = matches!(body.insts[i].op, Op::Phi(_));
                body.operands(i, |v| {
                    if let Value::Inst(used) = v {
                        c.uses[used] += 1;
                        if !is_phi && c.block[used] == b.into() {
                            c.first_use[used] = c.first_use[used].min(at);
                        }
                    }
                });
            }
        }
        for &(i, kind, node) in &body.attached {
            c.found.attached.entry(i).or_default().push((kind, node));
        }
        c
    }

    /// Finds groups, built vectors and dot products.
    pub fn find(&mut self, values: &Values) {
        for parts in values.vectors() {
            self.group(parts);
        }
        for insts in self.body.blocks.values() {
            for &i in insts {
                self.built(i);
                self.dot(i);
            }
        }
    }

    /// The type of a value.
    pub fn type_of(&self, v: Value) -> Option<Type> {
        match v {
            Value::Inst(i) => Some(self.body.insts[i].ty),
            v => self.m.value_type(Some(self.func), v),
        }
    }

    /// Between which reorder points an instruction is.
    fn interval(&self, i: Inst) -> u32 {
        self.reorders.partition_point(|&n| n <= i.as_u32()) as u32
    }

    /// Adds the group that `parts` are, if it may become a vector.
    fn group(&mut self, parts: &[Value]) {
        let mut lanes: SmallVec<[Inst; 4]> = SmallVec::new();
        for &p in parts {
            match p {
                Value::Inst(i) if self.block[i].is_some() && self.found.lane_of[i].is_none() => lanes.push(i),
                // What nothing needs was not written.
                Value::Const(_) => {}
                _ => return,
            }
        }
        let mut sorted = lanes.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return;
        }
        let Some((&first, rest)) = lanes.split_first() else { return };
        if rest.is_empty() {
            return;
        }
        let data = self.body.insts[first];
        let alike = |&i: &Inst| {
            let other = self.body.insts[i];
            other.ty == data.ty
                && self.block[i] == self.block[first]
                && self.interval(i) == self.interval(first)
                && self.found.attached.get(&i) == self.found.attached.get(&first)
                && alike(&data.op, &other.op)
        };
        if !is_number(&self.m.types[data.ty]) || !rest.iter().all(alike) {
            return;
        }
        let is_phi = matches!(data.op, Op::Phi(_));
        let last = lanes.iter().map(|&i| self.at[i]).max().unwrap_or(0);
        if !is_phi && lanes.iter().any(|&i| self.first_use[i] <= last) {
            return;
        }
        let number = self.found.nodes.len() as u32;
        let Some((kind, operands)) = self.operands(&lanes, &data.op, number) else { return };
        for (n, &i) in (0..).zip(&lanes) {
            self.found.lane_of[i] = Some((number, n));
        }
        self.found.nodes.push(Node { kind, lanes, operands, active: true });
    }

    /// The operands of a group of instructions like `op`; `None` if it cannot be a vector.
    fn operands(&mut self, lanes: &[Inst], op: &Op, number: u32) -> Option<(Kind, SmallVec<[Operand; 3]>)> {
        let body = self.body;
        let all = |at: usize| -> Option<Lanes> { lanes.iter().map(|&i| nth(body, &body.insts[i].op, at)).collect() };
        let here = self.block[lanes[0]].expand()?;
        let interval = self.interval(lanes[0]);
        let mut out = SmallVec::new();
        let count = match *op {
            Op::Binary { .. } | Op::Cmp { .. } => 2,
            Op::Cast { .. } => 1,
            Op::Select { cond, .. } => {
                let conds = all(0)?;
                if conds.iter().all(|&c| c == cond) {
                    out.push(Operand::Scalar(cond));
                }
                3
            }
            Op::Call { .. } => {
                let row = operation(self.m, body, op)?.row();
                let [overload] = row.overloads else { return None };
                let vectors = row.params.iter().all(|p| p.1 == OpTy::O) && matches!(row.result, OpTy::O | OpTy::OI1 | OpTy::OI32);
                let elem = self.type_of(nth(body, op, 1)?)?;
                let ty = self.m.types.vector(elem, lanes.len() as u32);
                if row.attr != OpAttr::ReadNone || !vectors || !self.m.fits(ty, *overload) {
                    return None;
                }
                out.push(Operand::Scalar(nth(body, op, 0)?));
                row.params.len() + 1
            }
            Op::Phi(list) => {
                let mut froms = Vec::new();
                let mut lists = Vec::new();
                for at in (0..body.values(list).len()).step_by(2) {
                    let from = all(at + 1)?;
                    let (Value::Block(block), true) = (from[0], from.iter().all(|&f| f == from[0])) else { return None };
                    froms.push(block);
                    lists.push((all(at)?, block));
                }
                for (values, _) in &lists {
                    self.elem(values)?;
                }
                for (values, block) in lists {
                    out.push(Operand::List(self.list(values, block, 0, true, number)?));
                }
                return Some((Kind::Phis(froms), out));
            }
            _ => return None,
        };
        let lists: Option<SmallVec<[Lanes; 3]>> = (out.len()..count).map(all).collect();
        let lists = lists?;
        for values in &lists {
            self.elem(values)?;
        }
        for values in lists {
            out.push(Operand::List(self.list(values, here, interval, false, number)?));
        }
        Some((Kind::Group, out))
    }

    /// The type of the components of a list; `None` if it cannot be a vector. What is converted or compared to one type may be of several.
    fn elem(&self, lanes: &Lanes) -> Option<Type> {
        let (&first, rest) = lanes.split_first()?;
        let elem = self.type_of(first)?;
        if rest.iter().any(|&v| self.type_of(v) != Some(elem)) {
            return None;
        }
        let undefined = |v: &Value| matches!(v, Value::Const(c) if self.m.consts[*c].kind == ConstKind::Undef);
        (is_number(&self.m.types[elem]) && !lanes.iter().any(undefined)).then_some(elem)
    }

    /// The number of a list that `user` needs; `None` if it cannot be a vector.
    fn list(&mut self, lanes: Lanes, block: Block, interval: u32, at_end: bool, user: u32) -> Option<u32> {
        let elem = self.elem(&lanes)?;
        let next = self.found.lists.len() as u32;
        let n = *self.interned.entry((block, interval, at_end, lanes.clone())).or_insert(next);
        if n == next {
            self.found.lists.push(List { lanes, interval, at_end, users: SmallVec::new(), elem });
        }
        let users = &mut self.found.lists[n as usize].users;
        if users.last() != Some(&user) {
            users.push(user);
        }
        Some(n)
    }

    /// Adds the vector that `last` completes, if each component is inserted once and nothing else uses what is between.
    fn built(&mut self, last: Inst) -> Option<()> {
        let Op::InsertElement { .. } = self.body.insts[last].op else { return None };
        let TypeKind::Vector { len, .. } = self.m.types[self.body.insts[last].ty] else { return None };
        let mut lanes: SmallVec<[Option<Value>; 4]> = SmallVec::from_elem(None, len as usize);
        let mut chain: SmallVec<[Inst; 4]> = SmallVec::new();
        let mut at = Value::Inst(last);
        loop {
            match at {
                Value::Inst(i) if i == last || self.uses[i] == 1 && self.block[i] == self.block[last] => {
                    let Op::InsertElement { vector, value, index } = self.body.insts[i].op else { return None };
                    let lane = lanes.get_mut(usize::try_from(self.m.int_of(index)?).ok()?)?;
                    lane.get_or_insert(value);
                    chain.push(i);
                    at = vector;
                }
                Value::Const(c) => {
                    match &self.m.consts[c].kind {
                        ConstKind::Undef => {}
                        ConstKind::Aggregate(values) => {
                            for (lane, &v) in lanes.iter_mut().zip(values) {
                                lane.get_or_insert(v);
                            }
                        }
                        _ => return None,
                    }
                    break;
                }
                _ => return None,
            }
        }
        let lanes: Lanes = lanes.into_iter().collect::<Option<_>>()?;
        let number = self.found.nodes.len() as u32;
        let list = self.list(lanes, self.block[last].expand()?, self.interval(last), false, number)?;
        chain.reverse();
        self.found.nodes.push(Node {
            kind: Kind::Built,
            lanes: chain,
            operands: [Operand::List(list)].into_iter().collect(),
            active: true,
        });
        Some(())
    }

    /// Adds the dot product that `i` is.
    fn dot(&mut self, i: Inst) -> Option<()> {
        let op = self.body.insts[i].op;
        let dot = operation(self.m, self.body, &op).filter(|o| matches!(*o, op::DOT2 | op::DOT3 | op::DOT4))?;
        let count = dot.row().params.len() / 2;
        let side = |at: usize| -> Option<Lanes> { (at..at + count).map(|n| nth(self.body, &op, n)).collect() };
        // The first argument says which operation it is.
        let (a, b) = (side(1)?, side(1 + count)?);
        self.elem(&a)?;
        self.elem(&b)?;
        let (block, interval, number) = (self.block[i].expand()?, self.interval(i), self.found.nodes.len() as u32);
        let a = self.list(a, block, interval, false, number)?;
        let b = self.list(b, block, interval, false, number)?;
        let operands = [Operand::List(a), Operand::List(b)].into_iter().collect();
        self.found.nodes.push(Node { kind: Kind::Dot, lanes: [i].into_iter().collect(), operands, active: true });
        Some(())
    }

    /// The vector that `v` is a component of, and which one.
    fn source(&self, v: Value) -> Option<(Source, u32)> {
        let Value::Inst(i) = v else { return None };
        if let Some((node, lane)) = self.found.lane_of[i] {
            return self.found.nodes[node as usize].active.then_some((Source::Group(node), lane));
        }
        let Op::ExtractElement { vector, index } = self.body.insts[i].op else { return None };
        Some((Source::Value(vector), u32::try_from(self.m.int_of(index)?).ok()?))
    }

    /// Where the components of a list come from, given what is chosen.
    pub fn form(&self, list: &List) -> Form {
        let inserted = || if list.lanes.iter().all(|v| *v == list.lanes[0]) { Form::Splat } else { Form::Inserted };
        if list.lanes.iter().all(|v| matches!(v, Value::Const(_))) {
            return Form::Constant;
        }
        let mut from: Option<Source> = None;
        let mut second = Second::None;
        let mut mask: SmallVec<[(bool, u32); 4]> = SmallVec::new();
        for &v in &list.lanes {
            if matches!(v, Value::Const(_)) {
                if second == Second::None {
                    second = Second::Constants(Lanes::new());
                }
                let Second::Constants(all) = &mut second else { return inserted() };
                let at = all.iter().position(|c| *c == v).unwrap_or(all.len());
                if at == all.len() {
                    all.push(v);
                }
                mask.push((true, at as u32));
                continue;
            }
            let Some((s, n)) = self.source(v) else { return inserted() };
            if s == *from.get_or_insert(s) {
                mask.push((false, n));
                continue;
            }
            if second == Second::None {
                second = Second::Vector(s);
            }
            if second != Second::Vector(s) {
                return inserted();
            }
            mask.push((true, n));
        }
        let Some(from) = from else { return inserted() };
        let Some((width, mut near)) = self.width(from, list) else { return inserted() };
        match &second {
            Second::None if mask.len() as u32 == width && (0..).zip(&mask).all(|(n, m)| *m == (false, n)) => return Form::Whole(from),
            Second::None => {}
            Second::Constants(all) if all.len() as u32 <= width => {}
            Second::Constants(_) => return inserted(),
            Second::Vector(other) => match self.width(*other, list) {
                Some((w, n)) if w == width => near &= n,
                _ => return inserted(),
            },
        }
        if !near {
            return inserted();
        }
        let mask = mask.into_iter().map(|(second, n)| if second { width + n } else { n }).collect();
        Form::Shuffled(from, second, mask)
    }

    /// How many components a vector has, and whether no reorder point is between it and a list: across one, the whole vector would be live for
    /// some of its components.
    fn width(&self, from: Source, list: &List) -> Option<(u32, bool)> {
        let (width, interval) = match from {
            Source::Group(n) => {
                let node = &self.found.nodes[n as usize];
                (node.lanes.len() as u32, self.interval(node.lanes[0]))
            }
            Source::Value(v) => {
                let TypeKind::Vector { len, .. } = self.m.types[self.type_of(v)?] else { return None };
                (len, if let Value::Inst(i) = v { self.interval(i) } else { 0 })
            }
        };
        Some((width, self.reorders.is_empty() || !list.at_end && interval == list.interval))
    }

    /// How many instructions a list costs in this form.
    pub fn cost(&self, list: &List, form: &Form) -> u32 {
        let n = list.lanes.len() as u32;
        match form {
            Form::Constant | Form::Whole(_) => 0,
            Form::Shuffled(..) => 1,
            Form::Splat => n.min(2),
            Form::Inserted => list.lanes.iter().filter(|v| !matches!(v, Value::Const(_))).count() as u32,
        }
    }
}

/// Operand `at` of an instruction.
fn nth(body: &Body, op: &Op, at: usize) -> Option<Value> {
    let mut n = 0;
    let mut found = None;
    body.op_operands(op, |v| {
        if n == at {
            found = Some(v);
        }
        n += 1;
    });
    found
}

/// Whether two instructions differ in operands alone.
fn alike(a: &Op, b: &Op) -> bool {
    match (*a, *b) {
        (Op::Binary { op: a, flags: f, .. }, Op::Binary { op: b, flags: g, .. }) => a == b && f == g,
        (Op::Cast { op: a, .. }, Op::Cast { op: b, .. }) => a == b,
        (Op::Cmp { pred: a, flags: f, .. }, Op::Cmp { pred: b, flags: g, .. }) => a == b && f == g,
        (Op::Select { .. }, Op::Select { .. }) => true,
        (Op::Phi(a), Op::Phi(b)) => a.len() == b.len(),
        (Op::Call { callee: a, attrs: x, .. }, Op::Call { callee: b, attrs: y, .. }) => a == b && x == y,
        _ => false,
    }
}

/// Whether a type is that of a component of a vector.
fn is_number(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::Half | TypeKind::Float | TypeKind::Double | TypeKind::Int(1 | 16 | 32 | 64))
}
