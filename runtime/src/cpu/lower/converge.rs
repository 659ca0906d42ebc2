//! Where lanes meet: a number for each operation at which they do, in program order, and a counter for each loop around.
//!
//! Lanes that wait at an operation act together if they are at the same dynamic place. A place is a list of numbers that
//! grows along every way through the shader (compared from the front): for each loop around the operation the loop's
//! number and which round it is in, then the operation's number. Numbers go through the blocks in reverse post-order with
//! each loop in one piece. So what comes before another thing on any way is smaller, and:
//!
//! | lanes | wait for each other at |
//! |---|---|
//! | of both arms of an `if` | what follows it: its number is above those of both arms |
//! | that `continue` | the next round: what they left out has a smaller round |
//! | that `break` | what follows the loop: its number is above the loop's |
//! | that fall from one case of a `switch` into the next | the next case |
//! | that `return` | nothing |
//!
//! The round of a loop is a variable of the shader; its values are passed behind the arguments of the operation. LLVM may
//! copy or merge calls as it likes: the place is in what they are given, not in where they are.

use super::nest::Nest;
use rtc_base::EntityRef;
use rtc_dxil_module::{BinOp, Block, Body, Func, Inst, InstData, Module, Op, Value};
use rtc_tables::dxil_ops::{DxilOp, flag, op};
use rustc_hash::FxHashMap;

/// Operations in which other shaders run, so that their place is part of the place of what those do.
const NESTS: &[u32] = &[op::TRACE_RAY, op::CALL_SHADER, op::REPORT_HIT, op::HIT_OBJECT_TRACE_RAY, op::HIT_OBJECT_INVOKE];

/// Operations at which lanes stand together if somebody wants to look at them.
const STANDS: &[u32] = &[op::MAYBE_REORDER_THREAD];

/// Operations that need quads, beside those with derivatives.
const QUADS: &[u32] = &[op::QUAD_READ_LANE_AT, op::QUAD_OP, op::QUAD_VOTE];

/// Operations that are a barrier, and which argument says by its lowest bit that threads wait.
const BARRIERS: &[(u32, usize)] = &[(op::BARRIER, 0), (op::BARRIER_BY_MEMORY_TYPE, 1), (op::BARRIER_BY_MEMORY_HANDLE, 1)];

/// The place of an operation, as far as it is known before the shader runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Numbers of the loops around it, from the outermost on, and then its own.
    pub numbers: Box<[u32]>,
    /// The slot from which on the rounds of these loops lie, one for each.
    pub rounds: u16,
}

/// What is known of a shader.
#[derive(Default)]
pub struct Plan {
    /// Whether its threads meet.
    pub meets: bool,
    /// Whether they do in quads.
    pub quads: bool,
    /// Where operations pass their arguments, once operations are lowered.
    pub slots: Option<Inst>,
    places: FxHashMap<Inst, Place>,
    loops: Vec<Loop>,
}

struct Place {
    numbers: Box<[u32]>,
    loops: Vec<usize>,
}

/// A loop around operations of interest.
struct Loop {
    header: Block,
    outer: Option<usize>,
    counter: Inst,
}

/// The operation that an instruction calls, and its arguments without the opcode.
fn operation<'b>(m: &Module, body: &'b Body, inst: Inst) -> Option<(&'static DxilOp, &'b [Value])> {
    let Op::Call { callee: Value::Func(f), args, .. } = body.insts[inst].op else { return None };
    let (&code, args) = body.values(args).split_first()?;
    let op = m.is_dx_op(f).then(|| m.int_of(code))?.and_then(|code| DxilOp::by_opcode(code as u32))?;
    Some((op, args))
}

/// Whether threads wait for each other at an operation.
fn is_meeting(m: &Module, op: &DxilOp, args: &[Value]) -> bool {
    if let Some((_, semantics)) = BARRIERS.iter().find(|b| b.0 == op.opcode) {
        return args.get(*semantics).and_then(|&v| m.int_of(v)).is_none_or(|bits| bits & 1 != 0);
    }
    op.flags & (flag::WAVE | flag::GRADIENT | flag::DERIV) != 0
}

impl Plan {
    /// The plan of a shader; makes the counters, which [`Plan::place`] puts in.
    pub fn new(m: &mut Module, func: Func) -> Plan {
        let mut plan = Plan::default();
        let Some(body) = &m.funcs[func].body else { return plan };
        let mut found: FxHashMap<Block, Vec<Inst>> = FxHashMap::default();
        for (block, insts) in body.blocks.iter() {
            for &inst in insts {
                let Some((op, args)) = operation(m, body, inst) else { continue };
                let meets = is_meeting(m, op, args);
                plan.meets |= meets;
                plan.quads |= op.flags & (flag::GRADIENT | flag::DERIV) != 0 || QUADS.contains(&op.opcode);
                if meets || NESTS.contains(&op.opcode) || STANDS.contains(&op.opcode) {
                    found.entry(block).or_default().push(inst);
                }
            }
        }
        if found.is_empty() {
            return plan;
        }
        let nest = Nest::new(body);
        // Loops with something in them, in the order in which they are met.
        let mut known: FxHashMap<usize, (usize, u32)> = FxHashMap::default();
        let mut kept: Vec<(Block, Option<usize>)> = Vec::new();
        let mut number = 0;
        for block in nest.order(body) {
            let Some(insts) = found.get(&block) else { continue };
            let around = nest.around(block);
            let (mut numbers, mut loops, mut outer) = (Vec::new(), Vec::new(), None);
            for l in around {
                let (at, n) = *known.entry(l).or_insert_with(|| {
                    kept.push((Block::new(nest.headers[l]), outer));
                    number += 1;
                    (kept.len() - 1, number - 1)
                });
                numbers.push(n);
                loops.push(at);
                outer = Some(at);
            }
            for &inst in insts {
                let numbers = numbers.iter().copied().chain([number]).collect();
                plan.places.insert(inst, Place { numbers, loops: loops.clone() });
                number += 1;
            }
        }
        let (i64_ty, count) = (m.types.i64(), m.i32(1));
        let ty = m.types.ptr(i64_ty);
        let body = m.funcs[func].body.get_or_insert_default();
        for (header, outer) in kept {
            let op = Op::Alloca { allocated: i64_ty, count, align: 8 };
            let counter = body.insts.push(InstData { op, ty, loc: None.into() });
            plan.loops.push(Loop { header, outer, counter });
        }
        plan
    }

    /// What a call must be given for its place: the numbers, and addresses of the counters.
    pub fn of(&self, inst: Inst) -> Option<(Box<[u32]>, Vec<Value>)> {
        let place = self.places.get(&inst)?;
        Some((place.numbers.clone(), place.loops.iter().map(|&l| Value::Inst(self.loops[l].counter)).collect()))
    }

    /// What lowering itself keeps on the stack, which is no variable of the shader: slots and counters.
    pub fn own(&self) -> impl Iterator<Item = Inst> {
        self.slots.into_iter().chain(self.loops.iter().map(|l| l.counter))
    }

    /// Puts the counters into the code: each round of a loop counts its own up and sets those of loops right inside to 0.
    pub fn place(&self, m: &mut Module, func: Func) {
        let (zero, one) = (m.const_int(64, 0), m.const_int(64, 1));
        let mut inside: Vec<Vec<Inst>> = vec![Vec::new(); self.loops.len()];
        for l in &self.loops {
            if let Some(outer) = l.outer {
                inside[outer].push(l.counter);
            }
        }
        for (l, inside) in self.loops.iter().zip(inside) {
            let body = m.funcs[func].body.get_or_insert_default();
            let insts = &mut body.blocks[l.header];
            let phis = insts.iter().take_while(|&&i| matches!(body.insts[i].op, Op::Phi(_))).count();
            let rest = insts.split_off(phis);
            if let Some(mut b) = m.edit(func, l.header) {
                let counter = Value::Inst(l.counter);
                let round = b.load(counter, 8);
                let next = b.binary(BinOp::Add, round, one, 0);
                b.store(next, counter, 8);
                for inner in inside {
                    b.store(zero, Value::Inst(inner), 8);
                }
            }
            m.funcs[func].body.get_or_insert_default().blocks[l.header].extend(rest);
        }
        // They begin at 0, and say so: what watches variables knows nothing of those that are cleared when they are made.
        let body = m.funcs[func].body.get_or_insert_default();
        let Some(entry) = body.blocks.keys().next() else { return };
        let rest = std::mem::take(&mut body.blocks[entry]);
        body.blocks[entry].extend(self.loops.iter().map(|l| l.counter));
        if let Some(mut b) = m.edit(func, entry) {
            for l in &self.loops {
                b.store(zero, Value::Inst(l.counter), 8);
            }
        }
        m.funcs[func].body.get_or_insert_default().blocks[entry].extend(rest);
    }
}
