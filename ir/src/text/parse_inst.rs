//! The parser of instructions and their operands.

use rtc_base::Span;
use rtc_tables::resources::{AtomicOp, WaveOp};

use super::lex::Tok;
use super::parse::{Res, index};
use super::parse_func::{Frame, FuncParser, Open};
use super::print::{imm_is_atomic, imm_is_wave_op};
use crate::inst::{CaseTable, Hint, Root, Sides, Step};
use crate::{Format, Inst, InstData, Local, Opcode, Place, Region, Slot, Type, Value, ValueData, ValueDef};

impl FuncParser<'_, '_> {
    /// Reads an instruction into `region`; a control instruction only up to its first label.
    pub fn inst(&mut self, region: Region) -> Res<Option<Frame>> {
        let mut results: Vec<(Value, usize)> = Vec::new();
        while self.p.is_entity("v") {
            let mark = self.p.mark();
            results.push((index(self.p.entity("v", "a value")?), mark));
            if !self.p.eat(b',') {
                break;
            }
        }
        if !results.is_empty() {
            self.p.need(b'=')?;
        }
        let hint = self.hint()?;
        let precise = self.p.eat_word("precise");
        let mark = self.p.mark();
        let op = self.p.word("an instruction", Opcode::from_name)?;
        let placeholder = InstData::Nullary { op: Opcode::unreachable };
        // Numbered before what it owns.
        let inst = self.f.make(placeholder, &[], Span::NONE);
        self.f.regions[region].insts.push(inst);
        if hint != Hint::None {
            self.f.hints[inst] = hint;
        }
        if precise {
            self.f.precise.insert(inst);
        }
        let mut open = None;
        if op.format() == Format::Control {
            open = Some(self.control(op)?);
        } else {
            self.f.insts[inst] = self.operands(op)?;
        }
        let types = self.result_types(inst, results.len())?;
        if types.len() != results.len() {
            let (r, t) = (results.len(), types.len());
            return self.p.fail_at(mark, format!("expected {r} result types, found {t}"));
        }
        for (n, (&(v, mark), &ty)) in results.iter().zip(&types).enumerate() {
            let def = ValueDef::Result(inst, n as u32);
            self.define(v, ValueData { ty, def }, mark)?;
        }
        let values: Vec<_> = results.iter().map(|r| r.0).collect();
        self.f.set_results(inst, &values);
        let Some(mut open) = open else {
            return Ok(None);
        };
        self.p.need(b'{')?;
        if let Open::Switch { values, .. } = &mut open {
            *values = self.arm()?;
        }
        let region = self.label()?;
        Ok(Some(Frame { inst, region, open }))
    }

    fn hint(&mut self) -> Res<Hint> {
        for h in [Hint::Branch, Hint::Flatten, Hint::Rolled] {
            if self.p.eat_word(h.word()) {
                return Ok(h);
            }
        }
        if self.p.eat_word(Hint::ForceCase(Sides::Any).word()) {
            let sides = [Hint::Branch, Hint::Flatten].into_iter().find(|h| self.p.eat_word(h.word()));
            return Ok(Hint::ForceCase(sides.unwrap_or_default().sides()));
        }
        if !self.p.eat_word(Hint::Unroll(0).word()) {
            return Ok(Hint::None);
        }
        let mut iterations = 0;
        if self.p.eat(b'(') {
            iterations = self.p.u32()?;
            self.p.need(b')')?;
        }
        Ok(Hint::Unroll(iterations))
    }

    fn result_types(&mut self, inst: Inst, count: usize) -> Res<Vec<Type>> {
        let mut types = Vec::new();
        if self.p.eat(b':') {
            loop {
                types.push(self.p.ty()?);
                if !self.p.eat(b',') {
                    break;
                }
            }
        } else if let InstData::Resource { global, .. } = self.f.insts[inst]
            && count == 1
        {
            match self.p.m.globals.get(global) {
                Some(g) => types.push(g.ty()),
                None => return self.p.expected("the type of a resource declared later"),
            }
        }
        Ok(types)
    }

    fn control(&mut self, op: Opcode) -> Res<Open> {
        Ok(match op {
            Opcode::if_ => Open::Then(self.value()?),
            Opcode::loop_ => Open::LoopBody(self.list()?),
            Opcode::block => Open::Block,
            _ => Open::Switch {
                on: self.value()?,
                cases: self.f.cases.push(CaseTable { arms: Vec::new(), default: index(0) }),
                arms: Vec::new(),
                values: None,
            },
        })
    }

    fn imm(&mut self, op: Opcode) -> Res<u32> {
        if !self.p.eat(b'#') {
            return Ok(0);
        }
        if imm_is_atomic(op) && self.p.tok() == Tok::Word {
            let atomic = self.p.word("an atomic operation", AtomicOp::from_name)?;
            return Ok(atomic as u32);
        }
        if imm_is_wave_op(op) && self.p.tok() == Tok::Word {
            let how = self.p.word("a way to combine lanes", WaveOp::from_name)?;
            return Ok(how as u32);
        }
        self.p.u32()
    }

    /// A place; its index values go to `indices`.
    fn place(&mut self, indices: &mut Vec<Value>) -> Res<Place> {
        let root = if self.p.is_entity("l") {
            Root::Local(self.local()?)
        } else if self.p.is_entity("pl") {
            Root::Slot(self.slot()?)
        } else if self.p.is_entity("g") {
            Root::Global(self.p.global_name()?)
        } else {
            return self.p.expected("a local, a slot or a global");
        };
        let mut steps = Vec::new();
        loop {
            if self.p.eat(b'.') {
                steps.push(Step::At(self.p.u32()?));
            } else if self.p.eat(b'[') {
                indices.push(self.value()?);
                self.p.need(b']')?;
                steps.push(Step::Dyn);
            } else {
                return Ok(self.f.place(root, &steps));
            }
        }
    }

    fn local(&mut self) -> Res<Local> {
        let mark = self.p.mark();
        let l = index(self.p.entity("l", "a local")?);
        match self.f.locals.is_valid(l) {
            true => Ok(l),
            false => self.p.fail_at(mark, format!("unknown local `{l}`")),
        }
    }

    fn slot(&mut self) -> Res<Slot> {
        let mark = self.p.mark();
        let s = index(self.p.entity("pl", "a slot")?);
        match self.f.slots.is_valid(s) {
            true => Ok(s),
            false => self.p.fail_at(mark, format!("unknown slot `{s}`")),
        }
    }

    fn operands(&mut self, op: Opcode) -> Res<InstData> {
        Ok(match op.format() {
            Format::Nullary => InstData::Nullary { op },
            Format::Unary => InstData::Unary { op, arg: self.value()? },
            Format::Binary => {
                let args = self.exactly()?;
                InstData::Binary { op, args }
            }
            Format::Ternary => {
                let args = self.exactly()?;
                InstData::Ternary { op, args }
            }
            Format::Many => {
                let imm = self.imm(op)?;
                let args = self.values_on_line()?;
                let args = self.f.list(&args);
                InstData::Many { op, imm, args }
            }
            Format::Access => {
                let imm = self.imm(op)?;
                let mut args = Vec::new();
                let place = self.place(&mut args)?;
                self.more_values(&mut args)?;
                InstData::Access { op, imm, place, args: self.f.list(&args) }
            }
            Format::Copy => {
                let mut args = Vec::new();
                let to = self.place(&mut args)?;
                self.p.need(b',')?;
                let from = self.place(&mut args)?;
                InstData::Copy { to, from, args: self.f.list(&args) }
            }
            Format::Slot => {
                let slot = self.slot()?;
                let mut args = Vec::new();
                self.more_values(&mut args)?;
                let args = self.f.list(&args);
                InstData::Slot { op, slot, args }
            }
            Format::Resource => {
                let nonuniform = self.p.eat_word("nonuniform");
                let global = self.p.global_name()?;
                let index = match self.p.eat(b'[') {
                    true => {
                        let v = self.value()?;
                        self.p.need(b']')?;
                        Some(v).into()
                    }
                    false => None.into(),
                };
                InstData::Resource { global, index, nonuniform }
            }
            Format::Call => {
                let func = self.p.func()?;
                let mut args = self.list()?;
                let mut refs = Vec::new();
                if self.p.eat_word("refs") {
                    self.p.need(b'(')?;
                    while !self.p.eat(b')') {
                        if !refs.is_empty() {
                            self.p.need(b',')?;
                        }
                        refs.push(self.place(&mut args)?);
                    }
                }
                InstData::Call { func, args: self.f.list(&args), refs: self.f.place_list(&refs) }
            }
            Format::Exit => self.exit(op)?,
            Format::Control => unreachable!("read by `control`"),
        })
    }

    fn exactly<const N: usize>(&mut self) -> Res<[Value; N]> {
        let mark = self.p.mark();
        let values = self.values()?;
        match values.try_into() {
            Ok(args) => Ok(args),
            Err(_) => self.p.fail_at(mark, format!("expected {N} values")),
        }
    }

    fn exit(&mut self, op: Opcode) -> Res<InstData> {
        let (mut imm, mut target) = (0, None);
        let args = match op {
            Opcode::break_ | Opcode::continue_ => {
                let mark = self.p.mark();
                let r = index(self.p.entity("r", "a region")?);
                self.targets.push((r, mark));
                target = Some(r);
                match self.p.is(b'(') {
                    true => self.list()?,
                    false => Vec::new(),
                }
            }
            Opcode::next_if => {
                let mut args = vec![self.value()?];
                self.p.need_word("next")?;
                let again = self.list()?;
                imm = again.len() as u32;
                args.extend(again);
                self.p.need_word("break")?;
                args.extend(self.list()?);
                args
            }
            _ => self.values_on_line()?,
        };
        Ok(InstData::Exit { op, imm, target: target.into(), args: self.f.list(&args) })
    }
}
