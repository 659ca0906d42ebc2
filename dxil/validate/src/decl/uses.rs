//! Use lists of functions and variables. Uses in metadata do not count.

use rtc_base::SecondaryMap;
use rtc_dxil_module::{Const, ConstKind, Func, Global, Module, Op, Value};
use rustc_hash::FxHashSet;

/// Uses of one function or variable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// It is called.
    pub called: bool,
    /// An instruction uses it otherwise.
    pub by_instruction: bool,
    /// A constant or an initial value has it.
    pub by_constant: bool,
    /// It is in the list of what runs before shaders (`llvm.global_ctors`).
    pub runs_first: bool,
}

impl Use {
    /// Whether anything uses it.
    pub fn any(self) -> bool {
        self.called || self.by_instruction || self.by_constant || self.runs_first
    }
}

/// Uses of everything.
pub(crate) struct Uses {
    pub funcs: SecondaryMap<Func, Use>,
    pub globals: SecondaryMap<Global, Use>,
}

impl Uses {
    pub fn new(m: &Module) -> Uses {
        let mut uses = Uses { funcs: SecondaryMap::new(), globals: SecondaryMap::new() };
        let first = first(m);
        for value in first.iter().flat_map(|&c| m.consts[c].kind.operands()) {
            if let Value::Func(f) = *value {
                uses.funcs[f].runs_first = true;
            }
        }
        let constants = m.consts.iter().filter(|(c, _)| !first.contains(c));
        let constants = constants.flat_map(|(_, data)| data.kind.operands().iter().copied());
        for value in constants.chain(m.globals.values().filter_map(|g| g.init)) {
            match value {
                Value::Func(f) => uses.funcs[f].by_constant = true,
                Value::Global(g) => uses.globals[g].by_constant = true,
                _ => {}
            }
        }
        for body in m.funcs.values().filter_map(|f| f.body.as_ref()) {
            for &inst in body.blocks.values().flatten() {
                let callee = match body.insts[inst].op {
                    Op::Call { callee, .. } => Some(callee),
                    _ => None,
                };
                let mut args = 0;
                let last = operand_count(body, inst);
                body.operands(inst, |value| {
                    args += 1;
                    match value {
                        // The callee comes last.
                        Value::Func(f) if args == last && callee == Some(value) => uses.funcs[f].called = true,
                        Value::Func(f) => uses.funcs[f].by_instruction = true,
                        Value::Global(g) => uses.globals[g].by_instruction = true,
                        _ => {}
                    }
                });
            }
        }
        uses
    }
}

/// The entries of `llvm.global_ctors`: what sets up static variables in a library that was not optimised.
fn first(m: &Module) -> FxHashSet<Const> {
    let list = m.globals.values().find(|g| &*g.name == "llvm.global_ctors");
    let Some(Value::Const(list)) = list.and_then(|g| g.init) else { return FxHashSet::default() };
    let ConstKind::Aggregate(entries) = &m.consts[list].kind else { return FxHashSet::default() };
    let constant = |value: &Value| match *value {
        Value::Const(c) => Some(c),
        _ => None,
    };
    entries.iter().filter_map(constant).collect()
}

fn operand_count(body: &rtc_dxil_module::Body, inst: rtc_dxil_module::Inst) -> usize {
    match body.insts[inst].op {
        Op::Call { args, .. } => args.len() + 1,
        _ => 0,
    }
}
