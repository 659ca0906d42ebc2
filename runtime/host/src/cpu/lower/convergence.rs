//! Convergence analysis: gives each operation at which lanes reconverge a static position in program order, and each loop around
//! it an iteration counter.
//!
//! Lanes that wait at an operation execute it together if they are at the same dynamic position. A position is a list of numbers
//! that increases lexicographically along every path through the shader: for each loop around the operation the loop's number and
//! the current iteration, then the operation's number. Blocks are numbered in reverse post-order with each loop contiguous
//! ([`super::loop_nest`]). So whatever precedes something on every path has a smaller position, and:
//!
//! | lanes | reconverge at |
//! |---|---|
//! | of both arms of an `if` | the join: its number is above those of both arms |
//! | that `continue` | the next iteration: what they skipped has a smaller iteration |
//! | that `break` | the loop exit: its number is above the loop's |
//! | that fall through from one `switch` case into the next | the next case |
//! | that `return` | nothing |
//!
//! The iteration of a loop is a stack variable of the shader; its value is passed after the arguments of the operation. LLVM may
//! duplicate or merge calls: the position is in their arguments, not in the code location.

use super::loop_nest::LoopNest;
use super::matrices;
use rtc_base::EntityRef;
use rtc_dxil_module::{BinOp, Block, Body, Func, Inst, InstData, Module, Op, Value};
use rtc_tables::dxil_ops::{DxOp, DxilOp, flag, op};
use rtc_tables::linalg::rules::is_operation as is_linear_algebra;
use rustc_hash::{FxHashMap, FxHashSet};

/// Operations that run other shaders, whose positions extend the position of the call.
const CALLS: &[DxOp] = &[op::TRACE_RAY, op::CALL_SHADER, op::REPORT_HIT, op::HIT_OBJECT_TRACE_RAY, op::HIT_OBJECT_INVOKE];

/// Operations at which lanes stop only for an observer.
const OBSERVED: &[DxOp] = &[op::MAYBE_REORDER_THREAD];

/// Operations that require quads, in addition to those with derivatives.
const QUADS: &[DxOp] = &[op::QUAD_READ_LANE_AT, op::QUAD_OP, op::QUAD_VOTE];

/// Barriers, and the argument whose lowest bit tells that threads wait.
const BARRIERS: &[(DxOp, usize)] = &[(op::BARRIER, 0), (op::BARRIER_BY_MEMORY_TYPE, 1), (op::BARRIER_BY_MEMORY_HANDLE, 1)];

/// The convergence points and loop counters of a shader.
#[derive(Default)]
pub struct Plan {
    /// Whether its threads communicate.
    pub meets: bool,
    /// Whether they do so in quads.
    pub quads: bool,
    /// Handles whose lanes are compared where they are used: the sanitizer asks for it.
    pub compared: FxHashSet<Inst>,
    /// The slot array of runtime calls, once operations are lowered.
    pub slots: Option<Inst>,
    positions: FxHashMap<Inst, Position>,
    loops: Vec<Loop>,
}

struct Position {
    numbers: Box<[u32]>,
    loops: Vec<usize>,
}

/// A loop that contains convergence points.
struct Loop {
    header: Block,
    outer: Option<usize>,
    counter: Inst,
}

/// The DXIL operation of a call, and its arguments without the opcode.
fn operation<'b>(m: &Module, body: &'b Body, inst: Inst) -> Option<(&'static DxilOp, &'b [Value])> {
    let Op::Call { callee: Value::Func(f), args, .. } = body.insts[inst].op else { return None };
    let (&code, args) = body.values(args).split_first()?;
    let op = m.is_dx_op(f).then(|| m.int_of(code))?.and_then(|code| DxOp::from_u32(code as u32))?.row();
    Some((op, args))
}

/// Whether threads wait for each other at an operation.
fn is_convergent(m: &Module, op: &DxilOp, args: &[Value]) -> bool {
    if let Some((_, semantics)) = BARRIERS.iter().find(|b| b.0 == op.opcode) {
        return args.get(*semantics).and_then(|&v| m.int_of(v)).is_none_or(|bits| bits & 1 != 0);
    }
    op.flags & (flag::WAVE | flag::GRADIENT | flag::DERIV) != 0
}

impl Plan {
    /// Analyses a shader; creates the counters, which [`Plan::insert_counters`] inserts. Lanes meet where handles of `compared` are used, too.
    pub fn new(m: &mut Module, func: Func, compared: FxHashSet<Inst>) -> Plan {
        let mut plan = Plan { compared, ..Plan::default() };
        let Some(body) = &m.funcs[func].body else { return plan };
        let mut found: FxHashMap<Block, Vec<Inst>> = FxHashMap::default();
        for (block, insts) in body.blocks.iter() {
            for &inst in insts {
                let Some((op, args)) = operation(m, body, inst) else { continue };
                let shared = is_linear_algebra(op.opcode) && matrices::are_shared(m, func, args, body.insts[inst].ty);
                let meets =
                    shared || is_convergent(m, op, args) || op.opcode != op::ANNOTATE_HANDLE && args.iter().any(|&v| plan.compares(v));
                plan.meets |= meets;
                plan.quads |= op.flags & (flag::GRADIENT | flag::DERIV) != 0 || QUADS.contains(&op.opcode);
                if meets || CALLS.contains(&op.opcode) || OBSERVED.contains(&op.opcode) {
                    found.entry(block).or_default().push(inst);
                }
            }
        }
        if found.is_empty() {
            return plan;
        }
        let nest = LoopNest::new(body);
        // Loops with convergence points, in block order.
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
                plan.positions.insert(inst, Position { numbers, loops: loops.clone() });
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

    /// Whether a value is a handle that lanes compare.
    pub fn compares(&self, v: Value) -> bool {
        matches!(v, Value::Inst(i) if self.compared.contains(&i))
    }

    /// The position of a call: static numbers, and the addresses of the loop counters.
    pub fn position(&self, inst: Inst) -> Option<(Box<[u32]>, Vec<Value>)> {
        let position = self.positions.get(&inst)?;
        Some((position.numbers.clone(), position.loops.iter().map(|&l| Value::Inst(self.loops[l].counter)).collect()))
    }

    /// Stack slots that belong to the lowering, not to the shader: argument slots and counters.
    pub fn stack_slots(&self) -> impl Iterator<Item = Inst> {
        self.slots.into_iter().chain(self.loops.iter().map(|l| l.counter))
    }

    /// Inserts the counters: each iteration of a loop increments its own and resets those of directly nested loops.
    pub fn insert_counters(&self, m: &mut Module, func: Func) {
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
                let iteration = b.load(counter, 8);
                let next = b.binary(BinOp::Add, iteration, one, 0);
                b.store(next, counter, 8);
                for inner in inside {
                    b.store(zero, Value::Inst(inner), 8);
                }
            }
            m.funcs[func].body.get_or_insert_default().blocks[l.header].extend(rest);
        }
        // Explicit initialisation to 0: the instrumentation does not see the implicit clearing of stack variables.
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
