//! Debug information of functions and variables, if [`super::Options::debug`] requests it. [`super::debug_types`] has the
//! types, [`rtc_ir::debug`] the representation in the IR.

use rtc_base::{PackedOption, PrimaryMap, Span};
use rtc_ir::ValueDef;
use rtc_ir::debug::program::{GlobalInfo, Scope, ScopeData, Sub, SubInfo, Wrap};
use rtc_ir::debug::{ANY_ELEMENT, Mark, Named};
use rustc_hash::FxHashMap;

use super::Lowerer;
use super::debug_types::split_name;
use crate::hir::{self, Body, FuncId, GlobalKind, Pass, StmtId, StmtKind, Ty, TyKind};

impl Lowerer<'_> {
    /// Describes function `id`.
    pub fn debug_sub(&mut self, id: FuncId) -> Sub {
        let hir = self.hir;
        let f = &hir.funcs[id];
        let (mut namespaces, name) = split_name(&f.qualified);
        let mut signature = vec![(f.ret != Ty::VOID).then(|| self.debug_ty(f.ret))];
        let mut class = None;
        if let Some(m) = f.method
            && let Some(t) = hir.types.find(TyKind::Record(m.record))
        {
            let of = self.debug_ty(t);
            class = Some(of);
            namespaces.clear();
            if !m.is_static {
                signature.push(Some(self.debug_wrap(Wrap::This, of)));
            }
        }
        for p in &f.params {
            let mut ty = self.debug_ty(p.ty);
            if p.pass != Pass::In {
                if hir.types.is_numeric(p.ty) {
                    ty = self.debug_wrap(Wrap::Reference, ty);
                }
                ty = self.debug_wrap(Wrap::Restrict, ty);
            }
            signature.push(Some(ty));
        }
        let mut scopes = PrimaryMap::new();
        if let Some(root) = f.body.root {
            let StmtKind::Block(list) = f.body.stmts[root].kind else { rtc_base::bug!("a body that is not a block") };
            for &s in f.body.list(list) {
                blocks(&f.body, s, &mut scopes);
            }
        }
        self.debug.program.subs.push(SubInfo {
            name,
            symbol: f.symbol.clone(),
            namespaces,
            class,
            signature,
            arguments: Vec::new(),
            span: f.span,
            body: f.body.root.map_or(f.span, |r| f.span.to(f.body.stmts[r].span)),
            scopes,
        })
    }

    /// Describes resources, and the global variables that are used.
    pub fn debug_globals(&mut self) {
        let hir = self.hir;
        for (id, g) in &hir.globals {
            if !(g.used || self.facts.uses_global(id) || matches!(g.kind, GlobalKind::Resource(_))) {
                continue;
            }
            if g.is_block {
                self.debug_block(g);
                continue;
            }
            let (namespaces, name) = split_name(&g.qualified);
            let (is_local, is_const, value) = match &g.kind {
                GlobalKind::Static { is_const, value, .. } => {
                    let one = value.as_ref().filter(|v| v.len() == 1 && !hir.types.elem(g.ty).is_some_and(hir::Scalar::is_float));
                    (true, *is_const, one.filter(|_| *is_const).map(|v| v[0].bits as i64))
                }
                _ => (false, false, None),
            };
            let mut ty = self.debug_ty(g.ty);
            if is_const {
                ty = self.debug_wrap(Wrap::Const, ty);
            }
            let symbol = g.symbol.clone();
            self.debug.program.globals.push(GlobalInfo { name, symbol, namespaces, ty, is_local, value, span: g.span });
        }
    }

    /// The members of a constant buffer are variables of their own.
    fn debug_block(&mut self, g: &hir::Global) {
        let hir = self.hir;
        let record = hir.types.as_resource(g.ty).and_then(|r| r.elem).and_then(|e| hir.types.as_record(e));
        let Some(record) = record else { return };
        let namespaces = split_name(&g.qualified).0;
        for field in &hir.types.records[record].fields {
            let of = self.debug_ty(field.ty);
            let (own, name) = split_name(self.names.str(field.name));
            // Those of a loose variable are its own.
            let namespaces = if own.is_empty() { namespaces.clone() } else { own };
            let mut path = vec![name.clone(), self.names.str(g.name).to_string()];
            path.extend(namespaces.iter().rev().cloned());
            let symbol = hir::mangle::variable(&hir.types, &path, field.ty, true);
            let ty = self.debug_wrap(Wrap::Const, of);
            let info = GlobalInfo { name, symbol, namespaces, ty, is_local: false, value: None, span: field.span };
            self.debug.program.globals.push(info);
        }
    }
}

/// Marks where the value of each by-value parameter and of each part of a stage input begins: at the start of the body, or after the instruction
/// that computes it. `names`: those of values are kept, too.
pub fn mark_parameters(f: &mut rtc_ir::Function, names: bool) {
    let Some(mut d) = f.debug.take() else { return };
    let mut named: Vec<_> = d.values.iter().flat_map(|(&v, names)| names.iter().map(move |n| (v, n.clone()))).collect();
    named.sort_by_key(|(v, n): &(_, Named)| (*v, n.var));
    let mut places = FxHashMap::default();
    f.for_each_region(f.body, |r| places.extend(f.regions[r].insts.iter().enumerate().map(|(n, &i)| (i, (r, n)))));
    for (v, what) in named {
        let at = match f.values[v].def {
            ValueDef::Result(i, _) => places.get(&i).map(|&(r, n)| (r, n + 1)),
            ValueDef::Param(r, _) if r == f.body => Some((r, 0)),
            _ => None,
        };
        let next = at.and_then(|(r, n)| f.regions[r].insts.get(n).copied());
        if let Some(i) = next.filter(|_| !what.path.contains(&ANY_ELEMENT)) {
            d.mark(i, Mark::new(what, v));
        }
    }
    if !names {
        d.values.clear();
        d.unnamed = true;
    }
    f.debug = Some(d);
}

/// Appends the blocks in and below statement `s`, outer ones first.
fn blocks(body: &Body, s: StmtId, out: &mut PrimaryMap<Scope, ScopeData>) {
    let mut todo: Vec<(StmtId, PackedOption<Scope>)> = vec![(s, None.into())];
    while let Some((s, parent)) = todo.pop() {
        let stmt = &body.stmts[s];
        let mut open = |span: Span| -> PackedOption<Scope> {
            let around = parent.expand().map(|p: Scope| out[p].span);
            if around == Some(span) { parent } else { Some(out.push(ScopeData { span, parent })).into() }
        };
        let first = todo.len();
        match stmt.kind {
            StmtKind::Block(list) => {
                let here = open(stmt.span);
                todo.extend(body.list(list).iter().map(|&s| (s, here)));
            }
            StmtKind::If { then, other, .. } => {
                let here = open(stmt.span);
                todo.push((then, here));
                todo.extend(other.map(|s| (s, here)));
            }
            StmtKind::Loop { body: inner, .. } => {
                let here = open(stmt.span);
                todo.push((inner, here));
            }
            StmtKind::Switch { arms, .. } => {
                let here = open(stmt.span);
                todo.extend(body.list(arms).iter().map(|a| (a.body, here)));
            }
            _ => {}
        }
        todo[first..].reverse();
    }
}
