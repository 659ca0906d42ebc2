//! Lookup: which place of the source an instruction comes from, in modules of any producer.
//!
//! The part `DXIL` says nothing of places, the debug module (part `ILDB`, or a PDB file's) has the same functions with the same instructions, and
//! calls that speak of variables between them. So the n-th instruction of a function comes from where the n-th of the debug
//! module's function of that name does, those calls not counted. If the functions differ otherwise, nothing is known.

use rustc_hash::FxHashMap;

use crate::metadata::debug_nodes;
use rtc_dxil_module::{Body, DebugLoc, DebugNode, Func, Inst, Meta, MetaNode, Module, Op, Value};

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as it was named to the compiler.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// The function of the language.
    pub function: String,
}

/// The places of a module's instructions.
pub struct Lookup<'m> {
    debug: &'m Module,
    locs: FxHashMap<(Func, Inst), DebugLoc>,
}

/// More steps than this from a node to what is around it: the nodes go in circles.
const MAX_STEPS: usize = 256;

impl<'m> Lookup<'m> {
    /// The places of `code`, which `debug` knows: its debug module, or itself.
    pub fn new(code: &Module, debug: &'m Module) -> Self {
        let mut locs = FxHashMap::default();
        for (func, function) in &code.funcs {
            let Some(body) = &function.body else { continue };
            let known = debug.find_function(&function.name).and_then(|f| debug.funcs[f].body.as_ref());
            let Some(known) = known else { continue };
            let (own, theirs) = (code_of(code, body), code_of(debug, known));
            if own.len() != theirs.len() {
                continue;
            }
            for (i, j) in own.into_iter().zip(theirs) {
                if let Some(loc) = known.insts[j].loc.expand() {
                    locs.insert((func, i), known.locs[loc]);
                }
            }
        }
        Lookup { debug, locs }
    }

    /// Where instruction `inst` of function `func` comes from.
    pub fn place(&self, func: Func, inst: Inst) -> Option<Place> {
        self.at(self.locs.get(&(func, inst))?)
    }

    /// The same, and behind it the calls by which it came there, innermost first.
    pub fn chain(&self, func: Func, inst: Inst) -> Vec<Place> {
        let mut out = Vec::new();
        let mut loc = self.locs.get(&(func, inst)).copied();
        while let Some(l) = loc
            && out.len() < MAX_STEPS
        {
            out.extend(self.at(&l));
            // The position of a call is one of a kind, others are not.
            loc = l.inlined_at.and_then(|at| self.node(at)).and_then(|(code, fields)| match fields {
                [_, rest @ ..] if code == debug_nodes::LOCATION => debug_nodes::location(&[&[0], rest].concat()),
                _ => None,
            });
        }
        out
    }

    fn node(&self, meta: Meta) -> Option<(u32, &'m [u64])> {
        if meta.as_u32() as usize >= self.debug.meta.len() {
            return None;
        }
        match &self.debug.meta[meta] {
            MetaNode::Debug { code, fields } => Some((*code, fields)),
            _ => None,
        }
    }

    fn reference(&self, node: Meta, label: &str) -> Option<Meta> {
        let (code, fields) = self.node(node)?;
        debug_nodes::reference(code, fields, label).filter(|to| (to.as_u32() as usize) < self.debug.meta.len())
    }

    fn text(&self, node: Meta, label: &str) -> Option<String> {
        let bytes = self.debug.meta.bytes(self.reference(node, label)?)?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    fn at(&self, loc: &DebugLoc) -> Option<Place> {
        let (mut file, mut function) = (None, String::new());
        let mut scope = loc.scope;
        for _ in 0..MAX_STEPS {
            let Some(at) = scope else { break };
            file = file.or_else(|| self.text(self.reference(at, "file")?, "filename"));
            const SUBPROGRAM: u32 = DebugNode::Subprogram as u32;
            if self.node(at).is_some_and(|n| n.0 == SUBPROGRAM) {
                function = self.text(at, "name").unwrap_or_default();
                break;
            }
            scope = self.reference(at, "scope");
        }
        Some(Place { file: file?, line: loc.line, column: loc.column, function })
    }
}

/// The instructions of a body in order, without those that speak of variables.
fn code_of(m: &Module, body: &Body) -> Vec<Inst> {
    let speaks = |i: Inst| match body.insts[i].op {
        Op::Call { callee: Value::Func(f), .. } => m.funcs[f].name.starts_with("llvm.dbg."),
        _ => false,
    };
    body.blocks.values().flatten().copied().filter(|&i| !speaks(i)).collect()
}
