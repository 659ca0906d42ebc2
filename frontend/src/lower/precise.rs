//! `precise`: what is declared so is marked where it is stored; which instructions that makes exact, passes find.
//!
//! Members, variables and parameters have the mark in the IR ([`rtc_ir::Field::precise`]). What is no variable there (a buffer, an output of a mesh
//! shader, a result) gets its value through one that has it. As long as it is not decided which instructions are exact, all are.

use rtc_ir::{self as ir, InstData, LocalData, Opcode, Root};

use super::func::FnCx;
use super::operand::{Base, LValue, Val, Var};
use super::types::Shape;
use crate::hir::{self, ExprId, ExprKind};

/// Whether a program has something `precise`.
pub(super) fn is_requested(m: &hir::Module, outputs: &[String]) -> bool {
    !outputs.is_empty()
        || m.types.records.values().any(|r| r.fields.iter().any(|f| f.precise))
        || m.globals.values().any(|g| g.precise)
        || m.funcs.values().any(|f| f.precise || f.body.locals.values().any(|l| l.precise))
}

impl FnCx<'_, '_> {
    /// The value `x` by way of a variable that is `precise`.
    pub(super) fn exactly(&mut self, x: &Val, shape: Shape) -> Val {
        let through = self.temp(shape);
        if let LValue::Var(Var { base: Base::Root(Root::Local(l)), .. }) = through {
            self.func.locals[l].precise = true;
        }
        self.store(&through, x);
        self.load(&through)
    }

    /// The number `x` that goes to l-value `p`, which expression `to` denotes: exactly, if that is `precise` and no variable says so.
    pub(super) fn exactly_for(&mut self, to: ExprId, p: &LValue, x: Val) -> Val {
        let mut whole = p;
        while let LValue::Part(inner, ..) = whole {
            whole = inner;
        }
        let known = matches!(whole, LValue::Var(Var { base: Base::Root(Root::Local(_) | Root::Global(_)), .. }));
        if known || !self.precise || matches!(x, Val::Agg(_)) || !self.is_precise(to) {
            return x;
        }
        self.exactly(&x, p.shape())
    }

    /// Whether an l-value expression denotes something `precise`.
    fn is_precise(&self, mut e: ExprId) -> bool {
        loop {
            let precise = match self.body.exprs[e].kind {
                ExprKind::Local(l) => self.body.locals[l].precise,
                ExprKind::Global(g) => self.l.hir.globals[g].precise,
                ExprKind::Field(of, n) => self.record_of(of).is_some_and(|r| self.l.hir.types.records[r].fields[n as usize].precise),
                _ => false,
            };
            match self.body.whole_of(e) {
                Some(whole) if !precise => e = whole,
                _ => return precise,
            }
        }
    }
}

/// Makes outputs with these semantics `precise`.
pub(super) fn outputs(f: &mut ir::Function, semantics: &[String]) {
    let mut regions = Vec::new();
    f.for_each_region(f.body, |r| regions.push(r));
    for r in regions {
        for i in std::mem::take(&mut f.regions[r].insts) {
            if let InstData::Many { op: Opcode::store_output, imm, args } = f.insts[i]
                && let Some(e) = f.elements.values().nth(ir::ElementPart::from_imm(imm).element as usize)
                && semantics.iter().any(|s| names(s, e))
            {
                let (value, span) = (f.get(args)[1], f.spans[i]);
                let ty = f.ty(value);
                let through = f.locals.push(LocalData { precise: true, ..LocalData::new(ty, "") });
                let place = f.place(Root::Local(through), &[]);
                let args = f.list(&[value]);
                f.append(r, InstData::Access { op: Opcode::store, imm: 0, place, args }, &[], span);
                let load = InstData::Access { op: Opcode::load, imm: 0, place, args: ir::ValueList::EMPTY };
                let load = f.append(r, load, &[ty], span);
                let exact = f.result(load);
                f.own_operands(i);
                f.map_operands(i, |v| if v == value { exact } else { v });
            }
            f.regions[r].insts.push(i);
        }
    }
}

/// Whether `semantic`, with or without its index, is one of an element.
fn names(semantic: &str, e: &ir::ElementData) -> bool {
    let same = |s: &str| s.eq_ignore_ascii_case(&e.name);
    let name = semantic.trim_end_matches(|c: char| c.is_ascii_digit());
    let index = semantic[name.len()..].parse::<u32>().ok();
    same(semantic) || same(name) && index.is_some_and(|n| (e.index..e.index + e.registers().max(1)).contains(&n))
}
