//! Source locations of instructions, in modules of any producer.
//!
//! The part `DXIL` has no debug locations. The debug module (part `ILDB`, or that of a PDB file) has the same functions with the
//! same instructions and calls of `llvm.dbg.*` between them. So the n-th instruction of a function has the location of the n-th
//! instruction of the debug module's function of the same name, without those calls. If the numbers of instructions differ, the
//! function has no locations.

use rustc_hash::FxHashMap;

use crate::metadata::debug_nodes;
use rtc_dxil_module::{Body, DebugLoc, DebugNode, Func, Inst, Meta, MetaNode, Module, Op, Value};

/// A source location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLocation {
    /// The file, as it was named to the compiler.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// The function of the language.
    pub function: String,
}

/// The source locations of a module's instructions.
pub struct Lookup<'m> {
    debug: &'m Module,
    locs: FxHashMap<(Func, Inst), DebugLoc>,
}

/// Maximum length of a chain of scopes; a longer one is a cycle.
const MAX_STEPS: usize = 256;

impl<'m> Lookup<'m> {
    /// The source locations of `code`, from its debug module `debug` (or `code` itself).
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

    /// The source location of instruction `inst` of function `func`.
    pub fn place(&self, func: Func, inst: Inst) -> Option<SourceLocation> {
        self.at(self.locs.get(&(func, inst))?)
    }

    /// The same, followed by the locations of the calls that it was inlined at, innermost first.
    pub fn chain(&self, func: Func, inst: Inst) -> Vec<SourceLocation> {
        let mut out = Vec::new();
        let mut loc = self.locs.get(&(func, inst)).copied();
        while let Some(l) = loc
            && out.len() < MAX_STEPS
        {
            out.extend(self.at(&l));
            // The location of a call is a distinct node, others are not: skip the flag.
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

    fn at(&self, loc: &DebugLoc) -> Option<SourceLocation> {
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
        Some(SourceLocation { file: file?, line: loc.line, column: loc.column, function })
    }
}

/// The instructions of a body in order, without calls of debug intrinsics.
fn code_of(m: &Module, body: &Body) -> Vec<Inst> {
    let is_debug = |i: Inst| match body.insts[i].op {
        Op::Call { callee: Value::Func(f), .. } => m.funcs[f].name.starts_with("llvm.dbg."),
        _ => false,
    };
    body.blocks.values().flatten().copied().filter(|&i| !is_debug(i)).collect()
}
