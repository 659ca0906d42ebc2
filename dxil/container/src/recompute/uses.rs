//! Use lists: calls of DXIL operations and of functions, and references of functions to variables and declarations.
//!
//! A function names a variable when an instruction of it has the variable, or a constant expression of it, as an operand. What a
//! callee names is not counted.

use rtc_base::{EntitySet, SecondaryMap};
use rustc_hash::FxHashSet;

use rtc_dxil_module::{Body, Const, Func, Global, Inst, Module, Op, Value};

/// What each function names.
pub struct Uses {
    /// Variables, in no order.
    pub globals: SecondaryMap<Func, FxHashSet<Global>>,
    /// Functions, in no order, each whether it is called or named otherwise.
    pub funcs: SecondaryMap<Func, FxHashSet<Func>>,
    /// Functions that call it.
    pub callers: SecondaryMap<Func, Vec<Func>>,
}

impl Uses {
    /// Finds out.
    pub fn new(m: &Module) -> Uses {
        let mut out = Uses { globals: SecondaryMap::new(), funcs: SecondaryMap::new(), callers: SecondaryMap::new() };
        // The last function by which a constant was seen: within a function none is looked into twice.
        let mut seen: SecondaryMap<Const, Option<Func>> = SecondaryMap::new();
        seen.resize(m.consts.len());
        let mut work = Vec::new();
        for (func, f) in m.funcs.iter() {
            let Some(body) = &f.body else { continue };
            let (mut globals, mut funcs, mut calls) = (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
            // Most instructions name a function that an earlier one names.
            let (mut known, mut called) = (EntitySet::<Func>::new(), EntitySet::<Func>::new());
            for i in instructions(body) {
                body.operands(i, |v| work.push(v));
                // Without recursion: constants can nest as deeply as a file has bytes.
                while let Some(v) = work.pop() {
                    match v {
                        Value::Global(g) => drop(globals.insert(g)),
                        Value::Func(f) if known.insert(f) => drop(funcs.insert(f)),
                        Value::Const(c) if seen[c] != Some(func) => {
                            seen[c] = Some(func);
                            work.extend_from_slice(m.consts[c].kind.operands());
                        }
                        _ => {}
                    }
                }
                if let Op::Call { callee: Value::Func(callee), .. } = body.insts[i].op
                    && called.insert(callee)
                {
                    calls.insert(callee);
                }
            }
            for callee in calls {
                out.callers[callee].push(func);
            }
            out.globals[func] = globals;
            out.funcs[func] = funcs;
        }
        out
    }
}

/// The instructions of a body, block after block.
pub fn instructions(body: &Body) -> impl Iterator<Item = Inst> + '_ {
    body.blocks.values().flatten().copied()
}
