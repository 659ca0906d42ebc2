//! Who uses functions and variables. Metadata uses nothing.

use crate::module::{Func, Global, Module, Op, Value};
use rtc_base::SecondaryMap;

/// Uses of one function or variable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Use {
    /// It is called.
    pub called: bool,
    /// An instruction uses it otherwise.
    pub by_instruction: bool,
    /// A constant or an initial value has it.
    pub by_constant: bool,
}

impl Use {
    /// Whether anything uses it.
    pub fn any(self) -> bool {
        self.called || self.by_instruction || self.by_constant
    }
}

/// Uses of everything.
pub(super) struct Uses {
    pub funcs: SecondaryMap<Func, Use>,
    pub globals: SecondaryMap<Global, Use>,
}

impl Uses {
    pub fn new(m: &Module) -> Uses {
        let mut uses = Uses { funcs: SecondaryMap::new(), globals: SecondaryMap::new() };
        let constants = m.consts.iter().flat_map(|(_, data)| data.kind.operands().iter().copied());
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

fn operand_count(body: &crate::module::Body, inst: crate::module::Inst) -> usize {
    match body.insts[inst].op {
        Op::Call { args, .. } => args.len() + 1,
        _ => 0,
    }
}
