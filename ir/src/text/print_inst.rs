//! The printer of instructions, places and lists.

use rtc_base::PackedOption;
use rtc_tables::resources::{AtomicOp, WaveOp};

use super::print::{Printer, imm_is_atomic, imm_is_wave_op, put};
use crate::inst::{Hint, PlaceData, Root, Sides, Step};
use crate::{Function, Inst, InstData, Opcode, Place, Region, Value};

impl Printer<'_> {
    pub fn value_ty(&mut self, f: &Function, v: Value) {
        match f.values.get(v) {
            Some(d) => self.ty(d.ty),
            None => self.out.push_str("no_such_value"),
        }
    }

    fn list(&mut self, values: &[Value]) {
        for (i, v) in values.iter().enumerate() {
            put!(self, "{}{v}", if i > 0 { ", " } else { "" });
        }
    }

    /// Prints `place` with the index values that it takes from the front of `indices`.
    fn place(&mut self, f: &Function, place: Place, indices: &mut &[Value]) {
        let Some(PlaceData { root, steps }) = f.places.get(place) else {
            put!(self, "{place}");
            return;
        };
        match root {
            Root::Local(l) => put!(self, "{l}"),
            Root::Slot(s) => put!(self, "{s}"),
            Root::Global(g) => put!(self, "{g}"),
        }
        for s in steps {
            match (s, indices.split_first()) {
                (Step::At(n), _) => put!(self, ".{n}"),
                (Step::Dyn, Some((v, rest))) => {
                    put!(self, "[{v}]");
                    *indices = rest;
                }
                (Step::Dyn, None) => self.out.push_str("[]"),
            }
        }
    }

    /// Prints one instruction without its regions.
    pub fn inst(&mut self, f: &Function, i: Inst) {
        let data = &f.insts[i];
        let results = f.results(i);
        if !results.is_empty() {
            self.list(results);
            self.out.push_str(" = ");
        }
        match f.hints[i] {
            Hint::None => {}
            Hint::Unroll(n @ 1..) => put!(self, "unroll({n}) "),
            Hint::ForceCase(Sides::Branch) => self.out.push_str("forcecase branch "),
            Hint::ForceCase(Sides::Flatten) => self.out.push_str("forcecase flatten "),
            h => put!(self, "{} ", h.word()),
        }
        if f.is_precise(i) {
            self.out.push_str("precise ");
        }
        let op = data.op();
        self.out.push_str(op.name());
        let mut typed = true;
        match *data {
            InstData::Nullary { .. } | InstData::Block { .. } => {}
            InstData::Unary { arg, .. } => put!(self, " {arg}"),
            InstData::Binary { args, .. } => {
                self.out.push(' ');
                self.list(&args);
            }
            InstData::Ternary { args, .. } => {
                self.out.push(' ');
                self.list(&args);
            }
            InstData::Many { op, imm, args } => {
                self.imm(op, imm);
                let args = f.get(args);
                self.out.push_str(if args.is_empty() { "" } else { " " });
                self.list(args);
            }
            InstData::Access { op, imm, place, args } => {
                self.imm(op, imm);
                self.out.push(' ');
                let mut rest = f.get(args);
                self.place(f, place, &mut rest);
                self.more(rest);
            }
            InstData::Copy { to, from, args } => {
                self.out.push(' ');
                let mut rest = f.get(args);
                self.place(f, to, &mut rest);
                self.out.push_str(", ");
                self.place(f, from, &mut rest);
                self.more(rest);
            }
            InstData::Slot { slot, args, .. } => {
                put!(self, " {slot}");
                self.more(f.get(args));
            }
            InstData::Resource { global, index, nonuniform } => {
                put!(self, "{} {global}", if nonuniform { " nonuniform" } else { "" });
                if let Some(v) = index.expand() {
                    put!(self, "[{v}]");
                }
                let declared = self.m.globals.get(global).map(|g| g.ty());
                let actual = results.first().and_then(|&v| f.values.get(v)).map(|v| v.ty);
                typed = results.len() != 1 || declared != actual;
            }
            InstData::If { cond, .. } => put!(self, " {cond}"),
            InstData::Switch { on, .. } => put!(self, " {on}"),
            InstData::Loop { init, .. } => {
                self.out.push_str(" (");
                self.list(f.get(init));
                self.out.push(')');
            }
            InstData::Call { func, args, refs } => {
                let refs = f.get_places(refs);
                let dynamic = |p: &Place| f.places.get(*p).map_or(0, PlaceData::dyn_count);
                let indices = refs.iter().map(dynamic).sum::<usize>();
                let all = f.get(args);
                let (values, mut rest) = all.split_at(all.len().saturating_sub(indices));
                put!(self, " {func}(");
                self.list(values);
                self.out.push(')');
                if !refs.is_empty() {
                    self.out.push_str(" refs(");
                    for (n, &p) in refs.iter().enumerate() {
                        self.out.push_str(if n > 0 { ", " } else { "" });
                        self.place(f, p, &mut rest);
                    }
                    self.out.push(')');
                }
            }
            InstData::Exit { op, imm, target, args } => self.exit(op, imm as usize, target, f.get(args)),
        }
        if typed && !results.is_empty() {
            self.out.push_str(" : ");
            for (n, &v) in results.iter().enumerate() {
                self.out.push_str(if n > 0 { ", " } else { "" });
                self.value_ty(f, v);
            }
        }
        if !f.regions_of(i).is_empty() {
            self.out.push_str(" {");
        }
    }

    fn exit(&mut self, op: Opcode, imm: usize, target: PackedOption<Region>, args: &[Value]) {
        if let Some(r) = target.expand() {
            put!(self, " {r}");
        }
        if op == Opcode::next_if && !args.is_empty() {
            let (cond, rest) = (args[0], &args[1..]);
            let (again, results) = rest.split_at(imm.min(rest.len()));
            put!(self, " {cond} next(");
            self.list(again);
            self.out.push_str(") break(");
            self.list(results);
            self.out.push(')');
        } else if !args.is_empty() {
            self.out.push_str(if target.is_some() { "(" } else { " " });
            self.list(args);
            self.out.push_str(if target.is_some() { ")" } else { "" });
        }
    }

    fn more(&mut self, values: &[Value]) {
        for v in values {
            put!(self, ", {v}");
        }
    }

    fn imm(&mut self, op: Opcode, imm: u32) {
        let atomic = AtomicOp::from_number(imm).filter(|_| imm_is_atomic(op));
        let wave = WaveOp::from_number(imm).filter(|_| imm_is_wave_op(op));
        match atomic.map(AtomicOp::name).or(wave.map(WaveOp::name)) {
            Some(name) => put!(self, " #{name}"),
            None if imm != 0 => put!(self, " #{imm}"),
            None => {}
        }
    }
}
