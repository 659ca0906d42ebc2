//! Functions, lexical blocks, inlined calls and variables as instructions.

use rtc_base::Span;
use rtc_ir::debug::VarData;
use rtc_ir::debug::program::{GlobalInfo, Sub};
use spirv::NonsemanticShaderDebuginfo100Op as Info;

use super::Writer;
use super::types::PUBLIC;
use crate::words::{AsOperand, Id, Operand, Words, operands};

/// Flags of a variable.
mod flag {
    pub const LOCAL: u32 = 1 << 2;
    pub const DEFINITION: u32 = 1 << 3;
    pub const ARTIFICIAL: u32 = 1 << 5;
    pub const OBJECT_POINTER: u32 = 1 << 8;
}

/// In names of variables of a function: a global one that only this function uses.
const GLOBAL: &str = "global.";

/// A mangled name without the mark that LLVM does not mangle it again.
fn linkage(symbol: &str) -> &str {
    symbol.trim_start_matches('\u{1}')
}

impl Writer<'_> {
    /// The id of a function; `code`: what it has become, if it was not only inlined.
    pub fn sub(&mut self, w: &mut Words, sub: Sub, code: Option<Id>) -> Id {
        if let Some(&known) = self.subs.get(&sub) {
            return known;
        }
        let info = &self.program.subs[sub];
        let ty = self.signature(w, &info.signature);
        let [source, line, column] = self.declared(w, info.span);
        let parent = match info.class {
            Some(c) => self.ty(w, c),
            None => self.unit(),
        };
        let (name, symbol, flags) = (self.string(w, &info.name), self.string(w, linkage(&info.symbol)), self.number(w, PUBLIC));
        // The body spans the whole definition; the line of its brace is not known apart from that of its name.
        let mut operands = operands![name, ty, source, line, column, parent, symbol, flags, line].to_vec();
        if !self.of_shaders() {
            operands.push(code.unwrap_or_else(|| self.none(w)).operand());
        }
        let id = self.inst(w, Info::DebugFunction, &operands);
        self.subs.insert(sub, id);
        id
    }

    /// The entry point that a function is, with the compiler and its options.
    pub fn entry(&mut self, w: &mut Words, function: Id) {
        if self.of_shaders() {
            let producer = self.string(w, rtc_dxil_container::vers::PRODUCER);
            let options = self.options();
            let options = self.string(w, &options);
            self.inst(w, Info::DebugEntryPoint, &operands![function, self.unit(), producer, options]);
        }
    }

    /// The id of the innermost block around a location in a function.
    pub fn scope(&mut self, w: &mut Words, sub: Sub, span: Span) -> Id {
        let function = self.sub(w, sub, None);
        let program = self.program;
        let mut chain = Vec::new();
        let mut at = self.lookup.block(sub, span);
        let mut parent = function;
        while let Some(s) = at {
            if let Some(&known) = self.blocks.get(&(sub, s)) {
                parent = known;
                break;
            }
            chain.push(s);
            at = program.subs[sub].scopes[s].parent.expand();
        }
        for s in chain.into_iter().rev() {
            let [source, line, column] = self.declared(w, program.subs[sub].scopes[s].span);
            parent = self.inst(w, Info::DebugLexicalBlock, &operands![source, line, column, parent]);
            self.blocks.insert((sub, s), parent);
        }
        parent
    }

    /// A call that was inlined: its location, in this scope; `outer`: the call that brought this call.
    pub fn inlined_at(&mut self, w: &mut Words, span: Span, scope: Id, outer: Option<Id>) -> Id {
        let line = self.at(w, span).map_or(0, |a| a.line);
        let mut operands = operands![self.number(w, line), scope].to_vec();
        operands.extend(outer.map(Operand::Id));
        self.inst(w, Info::DebugInlinedAt, &operands)
    }

    /// The scope and the id of a local variable of a function: one, however often the function was inlined.
    pub fn variable(&mut self, w: &mut Words, sub: Sub, data: &VarData) -> Option<(Id, Id)> {
        let ty = self.ty(w, data.debug_ty.expand()?);
        let (scope, name) = match data.name.strip_prefix(GLOBAL) {
            Some(name) => (self.sub(w, sub, None), name),
            None if data.name == "this" && data.arg == 1 => (self.sub(w, sub, None), "this"),
            None => (self.scope(w, sub, data.span), data.name.as_str()),
        };
        let mut flags = flag::LOCAL;
        if name == "this" && data.arg == 1 {
            flags |= flag::ARTIFICIAL | flag::OBJECT_POINTER;
        }
        let [source, line, column] = self.declared(w, data.span);
        let (name, flags) = (self.string(w, name), self.number(w, flags));
        let mut operands = operands![name, ty, source, line, column, scope, flags].to_vec();
        if data.arg > 0 {
            operands.push(self.number(w, data.arg));
        }
        Some((scope, self.same(w, Info::DebugLocalVariable, &operands)))
    }

    /// A global variable; `home`: the variable or constant that it has become.
    pub fn global(&mut self, w: &mut Words, g: &GlobalInfo, home: Option<Id>) {
        let ty = self.ty(w, g.ty);
        let [source, line, column] = self.declared(w, g.span);
        let home = match (home, g.value) {
            (Some(id), _) => id,
            (None, Some(n)) => w.u32(n as u32),
            (None, None) => self.none(w),
        };
        let (name, symbol, flags) = (self.string(w, &g.name), self.string(w, linkage(&g.symbol)), self.number(w, flag::DEFINITION));
        self.inst(w, Info::DebugGlobalVariable, &operands![name, ty, source, line, column, self.unit(), symbol, home, flags]);
    }
}
