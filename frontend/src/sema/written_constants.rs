//! HLSL up to 2016 lets a program assign to constants outside of functions: each shader has a copy of its own, which begins as the host set it.
//!
//! Such constants are l-values. A member of a buffer that something writes becomes a static variable whose initialiser is that member; all
//! accesses in functions are to the variable.

use rustc_hash::FxHashMap;

use super::SemaOptions;
use super::context::Sema;
use crate::hir::{Category, ExprId, ExprKind, Global, GlobalId, GlobalKind, Ty};

impl Sema<'_> {
    /// Notes that `e`, which may be part of a constant, is written.
    pub fn note_write(&mut self, mut e: ExprId) {
        if !self.opts.writes_constants() {
            return;
        }
        loop {
            if let Some((g, n)) = constant_of(&self.body.exprs, e) {
                self.globals.note_write(g, n);
                return;
            }
            match self.body.whole_of(e) {
                Some(whole) => e = whole,
                None => return,
            }
        }
    }

    /// Replaces the members that are written.
    pub fn replace_written_constants(&mut self) {
        let written = self.globals.take_written();
        let mut copies: FxHashMap<(GlobalId, u32), GlobalId> = FxHashMap::default();
        for (block, n) in written {
            let Some(record) = self.m.types.as_resource(self.m.globals[block].ty).and_then(|r| self.m.types.as_record(r.elem?)) else {
                continue;
            };
            let field = self.m.types.records[record].fields[n as usize].clone();
            let inits = std::mem::take(&mut self.m.inits);
            let body = std::mem::replace(&mut self.body, inits);
            let whole = self.push(ExprKind::Global(block), self.m.globals[block].ty, Category::Constant, field.span);
            let inside = self.contents(whole);
            let init = self.field(inside, n, field.span);
            self.m.inits = std::mem::replace(&mut self.body, body);
            let name = self.str(field.name).to_string();
            copies.insert(
                (block, n),
                self.m.globals.push(Global {
                    name: field.name,
                    qualified: name.clone(),
                    symbol: format!("{name}.copy"),
                    ty: field.ty,
                    kind: GlobalKind::Static { is_const: false, init: Some(init), value: None },
                    is_block: false,
                    spec: None,
                    inline: None,
                    precise: false,
                    used: true,
                    span: field.span,
                }),
            );
        }
        if copies.is_empty() {
            return;
        }
        for f in self.m.funcs.values_mut() {
            for e in f.body.exprs.keys().collect::<Vec<_>>() {
                if let Some(&copy) = constant_of(&f.body.exprs, e).and_then(|at| copies.get(&at)) {
                    f.body.exprs[e].kind = ExprKind::Global(copy);
                }
            }
        }
    }
}

impl SemaOptions {
    /// Whether members of constant buffers may be assigned to.
    pub(crate) fn writes_constants(&self) -> bool {
        self.hlsl_version <= 2016
    }
}

/// The cbuffer and member that `e` is, if it is one.
fn constant_of(exprs: &rtc_base::PrimaryMap<ExprId, crate::hir::Expr>, e: ExprId) -> Option<(GlobalId, u32)> {
    let ExprKind::Field(inside, n) = exprs[e].kind else { return None };
    let ExprKind::Contents(whole) = exprs[inside].kind else { return None };
    let ExprKind::Global(block) = exprs[whole].kind else { return None };
    (exprs[whole].ty != Ty::ERROR).then_some((block, n))
}
