//! Debug information: files, sources and lines as instructions of SPIR-V; or types, variables, scopes and inlined calls too, as
//! instructions of `NonSemantic.Shader.DebugInfo.100` or `OpenCL.DebugInfo.100`.
//!
//! A [`Writer`] makes what is outside of functions, when code refers to it for the first time: [`sources`] are files, [`types`] types,
//! [`scopes`] functions, lexical blocks and variables. All of it goes to a section of its own after the types and variables of the module.
//! What is in functions is made by [`crate::emit::debug`], next to the code. Everything comes from the tables of the IR that the debug
//! information of DXIL comes from ([`rtc_ir::debug`]); without a request the words of a module are what they are without this module.

pub mod scopes;
pub mod sources;
pub mod types;

use rtc_base::SourceMap;
use rtc_dxil_container::debug_module::SourceInfo;
use rtc_ir::debug::Lookup;
use rtc_ir::debug::program::{DebugType, Program, Scope, Sub};
use rtc_tables::spirv_debug::{DebugSet, MAX_SOURCE_WORDS, SPIRV_DEBUG_VALUES};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use spirv::{NonsemanticShaderDebuginfo100Op as Info, Op};

use crate::words::{AsOperand, Id, NONE, Operand, Words, operands, put, put_number, with_text};
use sources::File;

/// What is requested. The default is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct Content {
    /// The names of files.
    pub file: bool,
    /// Their text.
    pub source: bool,
    /// The line of every instruction.
    pub line: bool,
    /// The compiler and its options.
    pub tool: bool,
    /// Types, variables, scopes and inlined calls, as instructions of a set.
    pub set: Option<DebugSet>,
    /// Most words of one piece of a text; 0: as many as an instruction takes.
    pub piece: u32,
}

impl Content {
    /// What `-Zi` requests.
    pub const LINES: Content = Content { file: true, source: true, line: true, tool: true, set: None, piece: 0 };

    /// What these values of `-fspv-debug` request together.
    ///
    /// # Errors
    /// An unknown value, or values of two instruction sets.
    pub fn of<'v>(values: impl IntoIterator<Item = &'v str>) -> Result<Content, String> {
        let mut out = Content::default();
        let mut first: Option<&str> = None;
        for value in values {
            let Some(row) = SPIRV_DEBUG_VALUES.iter().find(|row| row.name == value) else {
                let names: Vec<&str> = SPIRV_DEBUG_VALUES.iter().map(|row| row.name).filter(|n| !n.ends_with("-test")).collect();
                return Err(format!("-fspv-debug={value}: expected one of {}", names.join(", ")));
            };
            if let (Some(set), Some(other), Some(first)) = (row.set, out.set, first)
                && set != other
            {
                return Err(format!(
                    "-fspv-debug={first} and -fspv-debug={value} contradict each other: the debug information of a module is of one \
                     instruction set, {} or {}",
                    other.name(),
                    set.name()
                ));
            }
            if row.set.is_some() {
                first = first.or(Some(value));
            }
            out = Content {
                file: out.file | row.file,
                source: row.source.unwrap_or(out.source),
                line: out.line | row.line,
                tool: out.tool | row.tool,
                set: out.set.or(row.set),
                piece: if row.piece == 0 { out.piece } else { row.piece },
            };
        }
        Ok(out)
    }
}

/// What a compilation needs for debug information.
pub struct DebugInput<'a> {
    /// What is requested.
    pub content: Content,
    /// Where positions are.
    pub places: &'a SourceMap,
    /// The texts.
    pub sources: &'a SourceInfo,
    /// The version of the language, as `OpSource` has it: 660 for shader model 6.6.
    pub version: u32,
}

/// Debug information that is being made.
pub struct Writer<'a> {
    input: &'a DebugInput<'a>,
    /// The types, functions and variables of the program.
    pub program: &'a Program,
    /// Functions and blocks by location.
    pub lookup: Lookup<'a>,
    /// The instruction set and its id.
    set: Option<(DebugSet, Id)>,
    strings: FxHashMap<String, Id>,
    files: Vec<File>,
    by_name: FxHashMap<String, usize>,
    /// The compilation unit.
    unit: Option<Id>,
    /// Instructions that are the same if their operands are.
    shared: FxHashMap<(Info, SmallVec<[Operand; 12]>), Id>,
    types: FxHashMap<DebugType, Id>,
    subs: FxHashMap<Sub, Id>,
    blocks: FxHashMap<(Sub, Scope), Id>,
}

impl<'a> Writer<'a> {
    /// Begins the debug information of a program: sources, compiler, compilation unit. `minor`: the module's minor version of SPIR-V 1.
    pub fn new(w: &mut Words, input: &'a DebugInput<'a>, program: &'a Program, minor: u32) -> Self {
        let set = input.content.set.map(|set| {
            let id = w.id();
            put(&mut w.imports, Op::ExtInstImport, &with_text(operands![id], set.name()));
            if set == DebugSet::Shader && minor < 6 {
                w.extension("SPV_KHR_non_semantic_info", || "debug information (-fspv-debug)".into());
            }
            (set, id)
        });
        let mut out = Writer {
            input,
            program,
            lookup: Lookup::new(input.places, program),
            set,
            strings: FxHashMap::default(),
            files: Vec::new(),
            by_name: FxHashMap::default(),
            unit: None,
            shared: FxHashMap::default(),
            types: FxHashMap::default(),
            subs: FxHashMap::default(),
            blocks: FxHashMap::default(),
        };
        out.begin(w, minor);
        out
    }

    /// The id of the instruction set.
    pub fn set_id(&self) -> Option<Id> {
        self.set.map(|s| s.1)
    }

    /// Whether there is more than lines.
    pub fn is_rich(&self) -> bool {
        self.set.is_some()
    }

    /// Whether the instruction set is that of shaders, whose numbers are constants.
    pub fn of_shaders(&self) -> bool {
        matches!(self.set, Some((DebugSet::Shader, _)))
    }

    /// Whether instructions have lines.
    pub fn has_lines(&self) -> bool {
        self.input.content.line
    }

    /// The id of a string.
    pub fn string(&mut self, w: &mut Words, text: &str) -> Id {
        if let Some(&id) = self.strings.get(text) {
            return id;
        }
        let id = w.id();
        // A longer one does not fit into an instruction.
        let piece = sources::pieces(text, MAX_SOURCE_WORDS).next().unwrap_or_default();
        put(&mut w.strings, Op::String, &with_text(operands![id], piece));
        self.strings.insert(text.to_owned(), id);
        id
    }

    /// A number as an operand.
    pub fn number(&self, w: &mut Words, n: u32) -> Operand {
        if self.of_shaders() { w.u32(n).operand() } else { Operand::Literal(n) }
    }

    /// The compilation unit. Only called where there is a set.
    fn unit(&self) -> Id {
        self.unit.unwrap_or_else(|| rtc_base::bug!("a set has a compilation unit"))
    }

    /// What an instruction of the set with result `id` begins with.
    pub fn first_operands(&self, w: &mut Words, id: Id, op: Info) -> [Operand; 4] {
        let Some((_, set)) = self.set else { rtc_base::bug!("debug instructions need a set") };
        operands![w.void_ty(), id, set, op]
    }

    /// An instruction outside of functions, with result `id`.
    fn put(&self, w: &mut Words, id: Id, op: Info, operands: &[impl AsOperand]) {
        let first = self.first_operands(w, id, op);
        put_number(&mut w.debug, Op::ExtInst as u32, &first, operands);
    }

    /// A new instruction outside of functions.
    fn inst(&self, w: &mut Words, op: Info, operands: &[impl AsOperand]) -> Id {
        let id = w.id();
        self.put(w, id, op, operands);
        id
    }

    /// An instruction outside of functions; the same one for the same operands.
    fn same(&mut self, w: &mut Words, op: Info, operands: &[impl AsOperand]) -> Id {
        let key = (op, operands.iter().map(|o| o.operand()).collect());
        if let Some(&id) = self.shared.get(&key) {
            return id;
        }
        let id = self.inst(w, op, operands);
        self.shared.insert(key, id);
        id
    }

    /// Nothing, where something is expected.
    pub fn none(&mut self, w: &mut Words) -> Id {
        self.same(w, Info::DebugInfoNone, NONE)
    }

    /// The expression of all of a variable.
    pub fn whole(&mut self, w: &mut Words) -> Id {
        self.same(w, Info::DebugExpression, NONE)
    }

    /// The expression of what a pointer points to.
    pub fn dereferenced(&mut self, w: &mut Words) -> Id {
        const DEREF: u32 = 0;
        let code = self.number(w, DEREF);
        let operation = self.same(w, Info::DebugOperation, &[code]);
        self.same(w, Info::DebugExpression, &operands![operation])
    }

    /// The expression of some bits of a variable.
    pub fn fragment(&mut self, w: &mut Words, offset: u32, bits: u32) -> Id {
        const FRAGMENT: u32 = 9;
        let operands = [FRAGMENT, offset, bits].map(|n| self.number(w, n));
        let operation = self.same(w, Info::DebugOperation, &operands);
        self.same(w, Info::DebugExpression, &operands![operation])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_add_up() {
        assert_eq!(Content::of(["file", "source", "line", "tool"]), Ok(Content::LINES));
        assert_eq!(Content::of(["line", "tool"]), Ok(Content::LINES));
        let rich = Content::of(["rich"]).expect("known");
        assert_eq!((rich.file, rich.source, rich.line, rich.set), (true, false, true, Some(DebugSet::OpenCl)));
        // The order counts, as in the reference compiler.
        assert!(!Content::of(["source", "vulkan"]).expect("known").source);
        assert!(Content::of(["vulkan", "source"]).expect("known").source);
        assert_eq!(Content::of([]), Ok(Content::default()));
    }

    #[test]
    fn other_values_and_two_sets_are_refused() {
        assert!(Content::of(["lines"]).is_err_and(|e| e.contains("vulkan-with-source") && !e.contains("-test")));
        assert!(Content::of([""]).is_err());
        assert!(Content::of(["rich", "tool", "vulkan"]).is_err_and(|e| e.contains("=rich and -fspv-debug=vulkan contradict")));
        assert!(Content::of(["vulkan", "vulkan-with-source"]).is_ok());
    }
}
