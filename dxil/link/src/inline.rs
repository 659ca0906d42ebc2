//! Inlining: replaces calls by the bodies of the called functions.
//!
//! A body is written anew in one walk: what is not called away is copied, a call becomes the callee's blocks between two halves
//! of its block. Callees come first, so that a copy needs no further inlining. What a function keeps on its stack moves to the
//! caller's entry block. Where there is debug information, what was inlined remembers its call ([`super::positions`]).

use rtc_base::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::debug_info::{self, is_said};
use super::positions::Positions;
use rtc_dxil_module::{Block, Body, Func, Inst, InstData, MetaNode, Module, Op, Type, Value};

/// More instructions than this in one function are refused.
pub const MAX: usize = 4_000_000;

/// Why calls cannot be inlined.
#[derive(Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Functions that call each other in a circle, the first again at the end.
    Recursion(Vec<Func>),
    /// A function that gets too large.
    TooLarge(Func),
}

/// The functions with code, callees before callers.
///
/// # Errors
/// When functions call each other in a circle.
pub fn order(m: &Module) -> Result<Vec<Func>, Trouble> {
    let callees: SecondaryMap<Func, Vec<Func>> = {
        let mut all = SecondaryMap::new();
        for (func, f) in m.funcs.iter() {
            all[func] = f.body.as_ref().map(|b| calls(m, b)).unwrap_or_default();
        }
        all
    };
    #[derive(Clone, Copy, Default, PartialEq)]
    enum State {
        #[default]
        New,
        Open,
        Done,
    }
    let mut state: SecondaryMap<Func, State> = SecondaryMap::new();
    let mut out = Vec::new();
    for (root, f) in m.funcs.iter() {
        if f.body.is_none() || state[root] != State::New {
            continue;
        }
        let mut path = vec![(root, 0)];
        state[root] = State::Open;
        while let Some((func, at)) = path.last_mut() {
            let func = *func;
            let Some(&next) = callees[func].get(*at) else {
                state[func] = State::Done;
                out.push(func);
                path.pop();
                continue;
            };
            *at += 1;
            match state[next] {
                State::Done => {}
                State::New => {
                    state[next] = State::Open;
                    path.push((next, 0));
                }
                State::Open => {
                    let mut circle: Vec<Func> = path.iter().map(|p| p.0).skip_while(|&f| f != next).collect();
                    circle.push(next);
                    return Err(Trouble::Recursion(circle));
                }
            }
        }
    }
    Ok(out)
}

/// The functions with code that a body calls, each once.
pub fn calls(m: &Module, body: &Body) -> Vec<Func> {
    let mut seen = FxHashSet::default();
    let called = body.blocks.values().flatten().filter_map(|&i| match body.insts[i].op {
        Op::Call { callee: Value::Func(f), .. } if m.funcs[f].body.is_some() => Some(f),
        _ => None,
    });
    called.filter(|&f| seen.insert(f)).collect()
}

/// Inlines every call of a function with code for which `wanted` holds, in every function. Bodies are written anew even where
/// nothing is inlined, so that nothing unused stays in them.
///
/// Gives the functions that have changed.
///
/// # Errors
/// Recursion, and functions that grow beyond [`MAX`] instructions.
pub fn inline(m: &mut Module, wanted: impl Fn(&Module, Func) -> bool) -> Result<Vec<Func>, Trouble> {
    let mut changed = Vec::new();
    let scopes = debug_info::subprograms(m);
    for func in order(m)? {
        let Some(body) = m.funcs[func].body.take() else { continue };
        let mut results = FxHashMap::default();
        for callee in calls(m, &body) {
            if wanted(m, callee) && changed.last() != Some(&func) {
                changed.push(func);
            }
            if let Some((ret, ..)) = m.types.signature(m.funcs[callee].ty) {
                results.insert(callee, m.undef(ret));
            }
        }
        let void = m.types.void();
        let positions = Positions::new(m, scopes.get(&func).copied());
        let (new, nodes) = Copy::new(m, &body, &results, void, positions).run(&wanted);
        for node in nodes {
            m.meta.push(node);
        }
        if new.insts.len() > MAX {
            return Err(Trouble::TooLarge(func));
        }
        m.funcs[func].body = Some(new);
    }
    Ok(changed)
}

/// What a call gives.
enum Answer {
    /// Nothing that is ever used: it does not return.
    Undefined(Value),
    /// A value of the callee.
    Value(Value),
    /// A choice between several.
    Phi(Inst),
}

/// One copy of a body: the caller's, or that of a callee in place of one call.
struct Frame<'a> {
    body: &'a Body,
    /// Arguments, as values of the caller's old body.
    args: Vec<Value>,
    insts: SecondaryMap<Inst, Option<Inst>>,
    /// Where each block begins and ends.
    blocks: SecondaryMap<Block, Option<(Block, Block)>>,
    /// Where a callee returns to, and the choice of its results.
    leave: Option<(Block, Option<Inst>)>,
}

struct Copy<'a> {
    m: &'a Module,
    new: Body,
    frames: Vec<Frame<'a>>,
    answers: FxHashMap<Inst, (usize, Answer)>,
    undefined: &'a FxHashMap<Func, Value>,
    void: Type,
    stack: Vec<Inst>,
    positions: Positions<'a>,
}

impl<'a> Copy<'a> {
    fn new(m: &'a Module, body: &'a Body, undefined: &'a FxHashMap<Func, Value>, void: Type, positions: Positions<'a>) -> Self {
        let caller = Frame { body, args: Vec::new(), insts: SecondaryMap::new(), blocks: SecondaryMap::new(), leave: None };
        let (answers, stack) = (FxHashMap::default(), Vec::new());
        Copy { m, new: Body::default(), frames: vec![caller], answers, undefined, void, stack, positions }
    }

    fn run(mut self, wanted: &impl Fn(&Module, Func) -> bool) -> (Body, Vec<MetaNode>) {
        let body = self.frames[0].body;
        for (block, insts) in body.blocks.iter() {
            let start = self.new.new_block();
            let mut at = start;
            for &i in insts {
                match body.insts[i].op {
                    Op::Call { callee: Value::Func(f), args, .. } if self.m.funcs[f].body.is_some() && wanted(self.m, f) => {
                        at = self.splice(i, f, body.values(args).to_vec(), at);
                    }
                    _ => {
                        let made = self.place(body.insts[i], at);
                        let loc = self.positions.own(&mut self.new, body, i);
                        self.new.insts[made].loc = loc.into();
                        self.frames[0].insts[i] = Some(made);
                    }
                }
                if self.new.insts.len() > MAX {
                    return (self.new, Vec::new());
                }
            }
            self.frames[0].blocks[block] = Some((start, at));
        }
        self.fill();
        if !self.stack.is_empty()
            && let Some(entry) = self.new.blocks.values_mut().next()
        {
            entry.splice(0..0, self.stack.drain(..));
        }
        (self.new, self.positions.made)
    }

    /// An instruction whose operands are still those of the old body.
    fn place(&mut self, data: InstData, block: Block) -> Inst {
        let made = self.new.append(block, data.ty, data.op);
        self.new.insts[made].loc = None.into();
        made
    }

    /// Places the callee's blocks; gives the block that comes after them.
    fn splice(&mut self, call: Inst, callee: Func, args: Vec<Value>, before: Block) -> Block {
        let m = self.m;
        let Some(body) = &m.funcs[callee].body else { return before };
        let site = self.positions.site(self.frames[0].body, call);
        let mut frame = Frame { body, args, insts: SecondaryMap::new(), blocks: SecondaryMap::new(), leave: None };
        let mut returns = Vec::new();
        for (n, (block, insts)) in body.blocks.iter().enumerate() {
            let start = self.new.new_block();
            frame.blocks[block] = Some((start, start));
            for &i in insts {
                let data = body.insts[i];
                // Debug intrinsics of variables require a function with source locations.
                if site.is_none() && is_said(m, &data.op) {
                    continue;
                }
                if let Op::Ret(value) = data.op {
                    returns.push(value);
                }
                let made = self.place(data, start);
                let loc = site.and_then(|site| self.positions.inlined(&mut self.new, (self.frames[0].body, call), (body, i), site));
                self.new.insts[made].loc = loc.into();
                frame.insts[i] = Some(made);
                if n == 0 && matches!(data.op, Op::Alloca { count: Value::Const(_), .. }) {
                    self.new.blocks[start].pop();
                    self.stack.push(made);
                }
            }
            if n == 0 {
                self.new.append(before, self.void, Op::Br(start));
            }
        }
        let after = self.new.new_block();
        let ty = self.frames[0].body.insts[call].ty;
        let mut choice = None;
        let answer = match returns.as_slice() {
            [Some(value)] => Answer::Value(*value),
            [_, _, ..] if returns.iter().all(Option::is_some) => {
                let list = self.new.list(&[]);
                let phi = self.new.append(after, ty, Op::Phi(list));
                choice = Some(phi);
                Answer::Phi(phi)
            }
            _ => Answer::Undefined(self.undefined.get(&callee).copied().unwrap_or(Value::Inst(call))),
        };
        frame.leave = Some((after, choice));
        self.answers.insert(call, (self.frames.len(), answer));
        self.frames.push(frame);
        after
    }

    /// The new value for an old one.
    fn value(&self, frame: usize, value: Value) -> Value {
        let (mut frame, mut value) = (frame, value);
        // Round and round only in code that is never reached.
        for _ in 0..2 * self.frames.len() + 2 {
            match value {
                Value::Arg(n) if frame > 0 => {
                    value = match self.frames[frame].args.get(n as usize) {
                        Some(&v) => v,
                        None => return value,
                    };
                    frame = 0;
                }
                Value::Inst(i) => match self.answers.get(&i).filter(|_| frame == 0) {
                    Some((_, Answer::Undefined(v))) => return *v,
                    Some((_, Answer::Phi(phi))) => return Value::Inst(*phi),
                    Some(&(of, Answer::Value(v))) => (frame, value) = (of, v),
                    None => return self.frames[frame].insts[i].map_or(value, Value::Inst),
                },
                _ => return value,
            }
        }
        self.answers.values().find_map(|(_, a)| if let Answer::Undefined(v) = a { Some(*v) } else { None }).unwrap_or(value)
    }

    /// Replaces old operands by new ones everywhere.
    fn fill(&mut self) {
        for n in 0..self.frames.len() {
            let body = self.frames[n].body;
            for (block, insts) in body.blocks.iter() {
                for &i in insts {
                    let Some(made) = self.frames[n].insts[i] else { continue };
                    let op = self.op(n, body, body.insts[i].op, block);
                    self.new.insts[made].op = op;
                }
            }
            for &(inst, kind, node) in &body.attached {
                let scoped = n > 0 && self.m.meta.kinds.get(kind as usize).is_some_and(|k| matches!(&**k, "alias.scope" | "noalias"));
                if let Some(made) = self.frames[n].insts[inst]
                    && !scoped
                {
                    self.new.attach(made, kind, node);
                }
            }
        }
        let caller = &self.frames[0];
        self.new.attached_to_function.clone_from(&caller.body.attached_to_function);
        for (&value, name) in &caller.body.names {
            let there = match value {
                Value::Inst(i) => caller.insts[i].map(Value::Inst),
                Value::Block(b) => caller.blocks[b].map(|b| Value::Block(b.0)),
                v => Some(v),
            };
            if let Some(there) = there {
                self.new.names.insert(there, name.clone());
            }
        }
    }

    fn op(&mut self, n: usize, body: &Body, op: Op, block: Block) -> Op {
        let start = |this: &Self, b: Block| this.frames[n].blocks[b].map_or(b, |b| b.0);
        let v = |this: &Self, value: Value| this.value(n, value);
        match op {
            Op::Ret(value) => {
                let Some((after, choice)) = self.frames[n].leave else {
                    return Op::Ret(value.map(|x| v(self, x)));
                };
                if let (Some(phi), Some(value)) = (choice, value) {
                    let (value, from) = (v(self, value), start(self, block));
                    self.new.add_incoming(phi, value, from);
                }
                Op::Br(after)
            }
            Op::Br(to) => Op::Br(start(self, to)),
            Op::CondBr { cond, then, other } => Op::CondBr { cond: v(self, cond), then: start(self, then), other: start(self, other) },
            Op::Switch { value, default, cases } => {
                let map = |&x: &Value| if let Value::Block(b) = x { Value::Block(start(self, b)) } else { v(self, x) };
                let list: Vec<Value> = body.values(cases).iter().map(map).collect();
                Op::Switch { value: v(self, value), default: start(self, default), cases: self.new.list(&list) }
            }
            Op::Phi(list) => {
                let end = |b: Block| self.frames[n].blocks[b].map_or(b, |b| b.1);
                let map = |&x: &Value| if let Value::Block(b) = x { Value::Block(end(b)) } else { v(self, x) };
                let list: Vec<Value> = body.values(list).iter().map(map).collect();
                Op::Phi(self.new.list(&list))
            }
            Op::Gep { inbounds, source, operands } => {
                let list: Vec<Value> = body.values(operands).iter().map(|&x| v(self, x)).collect();
                Op::Gep { inbounds, source, operands: self.new.list(&list) }
            }
            Op::Call { callee, ty, attrs, args, cc, tail } => {
                let list = body.values(args).iter().map(|&x| match x {
                    Value::LocalMeta(at) => {
                        let now = body.local_meta.get(at as usize).map_or(x, |&inner| v(self, inner));
                        self.positions.as_metadata(&mut self.new, now)
                    }
                    x => v(self, x),
                });
                let list: Vec<Value> = list.collect();
                Op::Call { callee: v(self, callee), ty, attrs, args: self.new.list(&list), cc, tail }
            }
            Op::ExtractValue { value, path } => {
                let path = body.path(path).to_vec();
                Op::ExtractValue { value: v(self, value), path: self.new.indices(&path) }
            }
            Op::InsertValue { value, field, path } => {
                let path = body.path(path).to_vec();
                Op::InsertValue { value: v(self, value), field: v(self, field), path: self.new.indices(&path) }
            }
            Op::Unreachable => Op::Unreachable,
            Op::Fence { ordering, cross_thread } => Op::Fence { ordering, cross_thread },
            Op::Binary { op, flags, lhs, rhs } => Op::Binary { op, flags, lhs: v(self, lhs), rhs: v(self, rhs) },
            Op::Cast { op, value } => Op::Cast { op, value: v(self, value) },
            Op::Cmp { pred, flags, lhs, rhs } => Op::Cmp { pred, flags, lhs: v(self, lhs), rhs: v(self, rhs) },
            Op::Select { cond, then, other } => Op::Select { cond: v(self, cond), then: v(self, then), other: v(self, other) },
            Op::Alloca { allocated, count, align } => Op::Alloca { allocated, count: v(self, count), align },
            Op::Load { ptr, align, volatile } => Op::Load { ptr: v(self, ptr), align, volatile },
            Op::Store { ptr, value, align, volatile } => Op::Store { ptr: v(self, ptr), value: v(self, value), align, volatile },
            Op::ExtractElement { vector, index } => Op::ExtractElement { vector: v(self, vector), index: v(self, index) },
            Op::InsertElement { vector, value, index } => {
                Op::InsertElement { vector: v(self, vector), value: v(self, value), index: v(self, index) }
            }
            Op::ShuffleVector { lhs, rhs, mask } => Op::ShuffleVector { lhs: v(self, lhs), rhs: v(self, rhs), mask: v(self, mask) },
            Op::AtomicRmw { op, ptr, value, ordering, volatile, cross_thread } => {
                Op::AtomicRmw { op, ptr: v(self, ptr), value: v(self, value), ordering, volatile, cross_thread }
            }
            Op::CmpXchg { ptr, expected, new, success, failure, flags } => {
                Op::CmpXchg { ptr: v(self, ptr), expected: v(self, expected), new: v(self, new), success, failure, flags }
            }
        }
    }
}
