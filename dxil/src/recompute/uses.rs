//! Who uses what: calls of DXIL operations and of functions, and the variables and declarations that functions name.
//!
//! A function names a variable when an instruction of it has the variable, or a constant made of it, as an operand. What a
//! callee names is not counted.

use rtc_base::SecondaryMap;
use rustc_hash::FxHashSet;

use crate::module::{Body, Const, Func, Global, Inst, Module, Op, Value};

/// What each function names.
pub struct Uses {
    /// Variables, in no order.
    pub globals: SecondaryMap<Func, FxHashSet<Global>>,
    /// Functions, in no order, each whether it is called or named otherwise.
    pub funcs: SecondaryMap<Func, FxHashSet<Func>>,
    /// Functions that call it.
    pub callers: SecondaryMap<Func, Vec<Func>>,
}

/// Variables and functions in a constant.
#[derive(Clone, Default)]
struct Named {
    globals: Vec<Global>,
    funcs: Vec<Func>,
}

impl Uses {
    /// Finds out.
    pub fn new(m: &Module) -> Uses {
        let mut in_consts: SecondaryMap<Const, Option<Named>> = SecondaryMap::new();
        let mut out = Uses { globals: SecondaryMap::new(), funcs: SecondaryMap::new(), callers: SecondaryMap::new() };
        for (func, f) in m.funcs.iter() {
            let Some(body) = &f.body else { continue };
            let (mut globals, mut funcs, mut calls) = (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
            for i in instructions(body) {
                body.operands(i, |v| match v {
                    Value::Global(g) => drop(globals.insert(g)),
                    Value::Func(f) => drop(funcs.insert(f)),
                    Value::Const(c) => {
                        let named = in_const(m, c, &mut in_consts);
                        globals.extend(&named.globals);
                        funcs.extend(&named.funcs);
                    }
                    _ => {}
                });
                if let Op::Call { callee: Value::Func(callee), .. } = body.insts[i].op {
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

/// What a constant names. Without recursion: constants can nest as deeply as a file has bytes.
fn in_const(m: &Module, c: Const, known: &mut SecondaryMap<Const, Option<Named>>) -> Named {
    if m.consts[c].kind.operands().is_empty() {
        return Named::default();
    }
    if let Some(named) = &known[c] {
        return named.clone();
    }
    let mut out = Named::default();
    let (mut work, mut seen) = (vec![c], FxHashSet::default());
    while let Some(c) = work.pop() {
        if !seen.insert(c) {
            continue;
        }
        for &v in m.consts[c].kind.operands() {
            match v {
                Value::Global(g) => out.globals.push(g),
                Value::Func(f) => out.funcs.push(f),
                Value::Const(inner) => work.push(inner),
                _ => {}
            }
        }
    }
    known[c] = Some(out.clone());
    out
}
