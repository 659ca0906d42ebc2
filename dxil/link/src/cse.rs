//! Common subexpression elimination after inlining, over the dominator tree, followed by dead code elimination.
//!
//! An instruction whose result depends on its operands alone is replaced by an equal instruction that dominates it; an
//! `extractelement` of a vector that `insertelement` built is replaced by the scalar. No value is reused across a reorder point,
//! since the thread would have to keep it live there. Loads of resource variables are constant during a launch and count as pure.

use rtc_tables::dxil_ops::{DxOp, DxilOp, OpAttr};
use rtc_tables::insts::{Effects, Opcode};
use rtc_tables::raytracing::RAYTRACING;
use rustc_hash::{FxHashMap, FxHashSet};

use super::dce::drop_unused;
use super::variables;
use rtc_dxil_module::cfg::Cfg;
use rtc_dxil_module::{Block, Body, Func, Inst, Module, Op, Value, ValueNumbers, is_computation};

/// Eliminates common subexpressions and dead instructions of a function.
pub fn eliminate(m: &mut Module, func: Func) {
    let Some(mut body) = m.funcs[func].body.take() else { return };
    eliminate_common(m, &mut body);
    drop_unused(&mut body, |body, op| is_silent(m, body, op));
    m.funcs[func].body = Some(body);
    variables::forget_lost(m, func);
}

/// The DXIL operation that is called.
fn operation(m: &Module, body: &Body, op: &Op) -> Option<&'static DxilOp> {
    let Op::Call { callee: Value::Func(f), args, .. } = *op else { return None };
    let first = body.values(args).first().filter(|_| m.is_dx_op(f))?;
    DxOp::from_u32(u32::try_from(m.int_of(*first)?).ok()?).map(DxOp::row)
}

/// Whether this is a load of a resource variable, which is constant.
fn is_resource(m: &Module, op: &Op) -> bool {
    let Op::Load { ptr, volatile: false, .. } = *op else { return false };
    let root = match ptr {
        Value::Const(c) => m.consts[c].kind.operands().first().copied(),
        v => Some(v),
    };
    matches!(root, Some(Value::Global(g)) if m.globals[g].init.is_none() && m.globals[g].space == 0)
}

/// Whether the thread may be moved at this instruction (a reorder point). Calls of external functions may contain one.
fn is_point(m: &Module, op: &Op, dx: Option<&DxilOp>) -> bool {
    match dx {
        Some(dx) => RAYTRACING.iter().any(|r| r.dxil == dx.opcode && Opcode::effects(r.op).contains(Effects::REORDERS)),
        None => matches!(op, Op::Call { callee: Value::Func(f), .. } if !m.funcs[*f].name.starts_with("llvm.")),
    }
}

fn eliminate_common(m: &Module, body: &mut Body) {
    let cfg = Cfg::new(body);
    let mut children: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    let mut todo = Vec::new();
    enum Work {
        Enter(Block),
        Leave(rtc_dxil_module::Mark),
    }
    for (block, parent) in cfg.tree() {
        match parent {
            Some(parent) => children.entry(parent).or_default().push(block),
            None => todo.push(Work::Enter(block)),
        }
    }
    let marked: FxHashSet<Inst> = body.attached.iter().map(|a| a.0).collect();
    let mut numbers = ValueNumbers::default();
    let mut becomes: FxHashMap<Inst, Value> = FxHashMap::default();
    while let Some(work) = todo.pop() {
        let block = match work {
            Work::Leave(mark) => {
                numbers.leave(mark);
                continue;
            }
            Work::Enter(block) => block,
        };
        todo.push(Work::Leave(numbers.mark()));
        for inst in body.blocks[block].clone() {
            body.map_operands(inst, |v| resolved(&becomes, v));
            let op = body.insts[inst].op;
            if let Op::ExtractElement { vector, index } = op
                && let Some(v) = component(m, body, vector, index)
            {
                becomes.insert(inst, resolved(&becomes, v));
                continue;
            }
            let dx = operation(m, body, &op);
            if !marked.contains(&inst) && (is_computation(&op) || is_resource(m, &op) || dx.is_some_and(DxilOp::is_pure)) {
                let first = numbers.first_of(body, inst);
                if first != inst {
                    becomes.insert(inst, Value::Inst(first));
                }
            } else if is_point(m, &op, dx) {
                numbers.forget();
            }
        }
        todo.extend(children.remove(&block).unwrap_or_default().into_iter().map(Work::Enter));
    }
    if becomes.is_empty() {
        return;
    }
    // Phis use values of later blocks.
    body.map_values(|v| resolved(&becomes, v));
    body.local_meta.iter_mut().for_each(|v| *v = resolved(&becomes, *v));
    let names = std::mem::take(&mut body.names);
    body.names = names.into_iter().filter(|(v, _)| !matches!(v, Value::Inst(i) if becomes.contains_key(i))).collect();
    for insts in body.blocks.values_mut() {
        insts.retain(|i| !becomes.contains_key(i));
    }
}

fn resolved(becomes: &FxHashMap<Inst, Value>, value: Value) -> Value {
    match value {
        Value::Inst(i) => becomes.get(&i).copied().unwrap_or(value),
        v => v,
    }
}

/// The scalar that `insertelement` wrote to a component of a vector.
fn component(m: &Module, body: &Body, mut vector: Value, index: Value) -> Option<Value> {
    let n = m.int_of(index)?;
    while let Value::Inst(i) = vector {
        let Op::InsertElement { vector: before, value, index } = body.insts[i].op else { return None };
        if m.int_of(index)? == n {
            return Some(value);
        }
        vector = before;
    }
    None
}

/// Whether the instruction has no side effect.
fn is_silent(m: &Module, body: &Body, op: &Op) -> bool {
    is_computation(op)
        || matches!(op, Op::Load { volatile: false, .. } | Op::Phi(_))
        || operation(m, body, op).is_some_and(|dx| matches!(dx.attr, OpAttr::ReadNone | OpAttr::ReadOnly))
}
