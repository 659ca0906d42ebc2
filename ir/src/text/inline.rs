//! Printer and parser of inline SPIR-V: types, requirements, decorations, and the instructions that declared functions are.

use rtc_base::Span;

use super::parse::{Parser, Res};
use super::print::{Printer, put};
use crate::inline::{
    Decoration, DecorationOperands, InlineAction, InlineInst, InlineOperand, InlineType, InlineTypeOperand, InlineVariable,
};
use crate::{GlobalKind, Type};

impl Printer<'_> {
    /// The types, which structures may have as members.
    pub fn inline_types(&mut self) {
        let m = self.m;
        for (n, t) in &m.inline_types {
            put!(self, "spirv {n} = type {} (", t.opcode);
            for (i, o) in t.operands.iter().enumerate() {
                self.out.push_str(if i > 0 { ", " } else { "" });
                match *o {
                    InlineTypeOperand::Literal(w) => put!(self, "#{w}"),
                    InlineTypeOperand::Type(t) => self.ty(t),
                    InlineTypeOperand::Constant(t, bits) => {
                        put!(self, "const {bits:#x} ");
                        self.ty(t);
                    }
                }
            }
            put!(self, ") size {} align {}\n", t.size, t.align);
        }
    }

    pub fn inline_module(&mut self) {
        let m = self.m;
        for ((s, n), all) in &m.member_decorations {
            put!(self, "spirv member {s} {n}");
            self.decorations(all);
            self.out.push('\n');
        }
        for c in m.requirements.capabilities.keys() {
            put!(self, "spirv capability {c}\n");
        }
        for e in &m.requirements.extensions {
            self.out.push_str("spirv extension ");
            self.quoted(e);
            self.out.push('\n');
        }
    }

    pub fn decorations(&mut self, all: &[Decoration]) {
        for d in all {
            let word = match d.operands {
                DecorationOperands::Words(_) => "decorate",
                DecorationOperands::Ids(_) => "decorate_id",
                DecorationOperands::Texts(_) => "decorate_string",
            };
            put!(self, " {word} {} (", d.number);
            match &d.operands {
                DecorationOperands::Words(ws) | DecorationOperands::Ids(ws) => {
                    for (i, w) in ws.iter().enumerate() {
                        put!(self, "{}{w}", if i > 0 { ", " } else { "" });
                    }
                }
                DecorationOperands::Texts(ts) => {
                    for (i, t) in ts.iter().enumerate() {
                        self.out.push_str(if i > 0 { ", " } else { "" });
                        self.quoted(t);
                    }
                }
            }
            self.out.push(')');
        }
    }

    pub fn inline_inst(&mut self, inst: &InlineInst) {
        match &inst.action {
            InlineAction::Core(op) => put!(self, " spirv core {op} "),
            InlineAction::Extended(set, n) => {
                put!(self, " spirv extended {n} ");
                self.quoted(set);
                self.out.push(' ');
            }
            InlineAction::Print(format) => {
                self.out.push_str(" spirv print ");
                self.quoted(format);
                self.out.push(' ');
            }
            InlineAction::ExecutionMode(mode, ids) => put!(self, " spirv {} {mode} ", if *ids { "mode_id" } else { "mode" }),
        }
        self.out.push_str(if inst.matrix_result { "matrix_result (" } else { "(" });
        for (i, o) in inst.operands.iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            match *o {
                InlineOperand::Value => self.out.push_str("value"),
                InlineOperand::Place => self.out.push_str("place"),
                InlineOperand::Loaded => self.out.push_str("loaded"),
                InlineOperand::Matrix => self.out.push_str("matrix"),
                InlineOperand::Descriptor => self.out.push_str("descriptor"),
                InlineOperand::Literal(w) => put!(self, "#{w}"),
                InlineOperand::Address(t) => {
                    self.out.push_str("address ");
                    self.ty(t);
                }
                InlineOperand::Element(t) => {
                    self.out.push_str("element ");
                    self.ty(t);
                }
            }
        }
        self.out.push(')');
    }
}

impl Parser<'_> {
    /// A type or a requirement; `spirv` was eaten.
    pub(super) fn inline_module(&mut self) -> Res<()> {
        if self.eat_word("capability") {
            let c = self.u32()?;
            self.m.requirements.capabilities.insert(c, Span::NONE);
            return Ok(());
        }
        if self.eat_word("extension") {
            let e = self.string()?;
            self.m.requirements.extensions.insert(e);
            return Ok(());
        }
        if self.eat_word("member") {
            let mark = self.mark();
            let s = super::parse::index(self.entity("s", "a structure")?);
            if !self.m.structs.is_valid(s) {
                return self.fail_at(mark, format!("unknown {s}"));
            }
            let n = self.u32()?;
            let all = self.decorations()?;
            self.m.member_decorations.insert((s, n), all);
            return Ok(());
        }
        self.declared("sv", self.m.inline_types.len())?;
        self.need(b'=')?;
        self.need_word("type")?;
        let opcode = self.u32()?;
        let mut operands = Vec::new();
        self.need(b'(')?;
        self.rest_of_list(|p| {
            operands.push(if p.eat(b'#') {
                InlineTypeOperand::Literal(p.u32()?)
            } else if p.eat_word("const") {
                let bits = p.literal(Some(crate::Scalar::I64))?;
                InlineTypeOperand::Constant(p.ty()?, bits)
            } else {
                InlineTypeOperand::Type(p.ty()?)
            });
            Ok(())
        })?;
        self.need_word("size")?;
        let size = self.u32()?;
        self.need_word("align")?;
        let align = self.u32()?;
        self.m.inline_types.push(InlineType { opcode, operands, size, align, span: Span::NONE });
        Ok(())
    }

    /// What follows the type of a variable of inline SPIR-V.
    pub(super) fn inline_variable(&mut self, ty: Type) -> Res<GlobalKind> {
        self.need_word("class")?;
        Ok(GlobalKind::Inline(InlineVariable { ty, class: self.u32()? }))
    }

    pub(super) fn decorations(&mut self) -> Res<Vec<Decoration>> {
        let mut all = Vec::new();
        loop {
            let kind = match () {
                () if self.eat_word("decorate") => 0,
                () if self.eat_word("decorate_id") => 1,
                () if self.eat_word("decorate_string") => 2,
                () => return Ok(all),
            };
            let number = self.u32()?;
            let (mut words, mut texts) = (Vec::new(), Vec::new());
            self.need(b'(')?;
            self.rest_of_list(|p| {
                match kind {
                    2 => texts.push(p.string()?),
                    _ => words.push(p.u32()?),
                }
                Ok(())
            })?;
            let operands = match kind {
                0 => DecorationOperands::Words(words),
                1 => DecorationOperands::Ids(words),
                _ => DecorationOperands::Texts(texts),
            };
            all.push(Decoration { span: Span::NONE, number, operands });
        }
    }

    /// The instruction that a declared function is, if it is one.
    pub(super) fn inline_inst(&mut self) -> Res<Option<Box<InlineInst>>> {
        if !self.eat_word("spirv") {
            return Ok(None);
        }
        let action = if self.eat_word("core") {
            InlineAction::Core(self.u32()?)
        } else if self.eat_word("extended") {
            let n = self.u32()?;
            InlineAction::Extended(self.string()?, n)
        } else if self.eat_word("print") {
            InlineAction::Print(self.string()?)
        } else if self.eat_word("mode") {
            InlineAction::ExecutionMode(self.u32()?, false)
        } else {
            self.need_word("mode_id")?;
            InlineAction::ExecutionMode(self.u32()?, true)
        };
        let matrix_result = self.eat_word("matrix_result");
        let mut operands = Vec::new();
        self.need(b'(')?;
        self.rest_of_list(|p| {
            operands.push(if p.eat(b'#') {
                InlineOperand::Literal(p.u32()?)
            } else if p.eat_word("element") {
                InlineOperand::Element(p.ty()?)
            } else if p.eat_word("address") {
                InlineOperand::Address(p.ty()?)
            } else {
                p.word("an operand of inline SPIR-V", |w| match w {
                    "value" => Some(InlineOperand::Value),
                    "place" => Some(InlineOperand::Place),
                    "loaded" => Some(InlineOperand::Loaded),
                    "matrix" => Some(InlineOperand::Matrix),
                    "descriptor" => Some(InlineOperand::Descriptor),
                    _ => None,
                })?
            });
            Ok(())
        })?;
        Ok(Some(Box::new(InlineInst { action, operands, matrix_result })))
    }
}
