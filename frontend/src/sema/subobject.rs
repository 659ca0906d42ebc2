//! Subobjects of the state object: global variables of certain types whose initialisers are plain data.

use rtc_base::Span;

use rtc_tables::subobjects::{self, Expected, subobject};

use super::context::Sema;
use super::errors::stages as err;
use super::scope::Binding;
use crate::hir::{ExprKind, RootSignature, RootSignatureOf, Scalar, Subobject, SubobjectKind, SubobjectType, TyKind};
use crate::syntax::ast;
use crate::token_text::Text;

/// The expected value of a position in an initialiser.
#[derive(Clone, Copy, PartialEq)]
enum Slot {
    Text,
    /// A number with the bits that it may have and the largest value.
    Number(u32),
    Flags(u32),
}

/// An argument.
enum Value {
    Text(String),
    Number(u32),
}

/// The names and kinds of the values of a subobject.
fn slots(t: SubobjectType) -> Vec<(&'static str, Slot)> {
    let row = subobject(&format!("{t:?}"));
    let slot = |s: &subobjects::Slot| match s.expected {
        Expected::Number(most) => Slot::Number(most),
        Expected::Flags(_, bits) => Slot::Flags(bits),
        Expected::RootSignature(_) | Expected::Subobject | Expected::Exports | Expected::Shader(_) => Slot::Text,
    };
    row.map(|r| r.slots.iter().map(|s| (s.name, slot(s))).collect()).unwrap_or_default()
}

impl Sema<'_> {
    /// `TriangleHitGroup name = { … };`
    pub fn subobject(&mut self, t: SubobjectType, v: &ast::Var, name: ast::Name) {
        let ty = self.m.types.intern(TyKind::Subobject(t));
        self.declare(name, Binding::Subobject(ty));
        let Some(init) = v.init else {
            self.report(err::subobject_without_values(name.span, &format!("{t:?}")));
            return;
        };
        let span = self.ast.exprs[init].span;
        let items: Vec<ast::ExprId> = match self.ast.exprs[init].kind {
            ast::ExprKind::InitList(list) => self.ast.list(list).to_vec(),
            _ => return self.report(err::subobject_without_braces(span, &format!("{t:?}"))),
        };
        let slots = slots(t);
        if items.len() != slots.len() {
            let wanted: Vec<&str> = slots.iter().map(|s| s.0).collect();
            let joined = items.iter().any(|&e| self.is_joined_literal(e));
            self.report(err::subobject_count(span, &format!("{t:?}"), &wanted, items.len(), joined));
            return;
        }
        let mut values = Vec::new();
        for (&e, (what, slot)) in items.iter().zip(slots) {
            match self.subobject_value(e, what, slot) {
                Some(v) => values.push(v),
                None => return,
            }
        }
        let Some(kind) = self.make_subobject(t, &values, &items) else {
            return;
        };
        self.m.subobjects.push(Subobject { name: name.sym, kind, span: name.span });
    }

    /// Whether a string literal was written as two: probably a missing comma.
    fn is_joined_literal(&self, e: ast::ExprId) -> bool {
        let expr = self.ast.exprs[e];
        matches!(expr.kind, ast::ExprKind::Str(_)) && self.sources.snippet(expr.span).matches('"').count() > 2
    }

    fn subobject_value(&mut self, e: ast::ExprId, what: &str, slot: Slot) -> Option<Value> {
        let span = self.ast.exprs[e].span;
        // Outside of functions, in the body of initialisers.
        let body = std::mem::take(&mut self.body);
        let x = self.expr(e);
        let value = match (self.e(x).kind, slot) {
            _ if self.is_error(x) => None,
            (ExprKind::Str(s), Slot::Text) => Some(Value::Text(self.str(s).to_string())),
            (ExprKind::Str(_), _) => {
                self.report(err::subobject_value(span, what, "a number"));
                None
            }
            (_, Slot::Text) => {
                self.report(err::subobject_value(span, what, "a string literal"));
                None
            }
            (_, Slot::Number(max) | Slot::Flags(max)) => {
                let n = self.constant_int_of(x);
                match n.map(|n| crate::hir::Const::int(Scalar::Uint, n).bits as u32) {
                    None => None,
                    Some(n) if matches!(slot, Slot::Flags(_)) && n & !max != 0 => {
                        self.report(err::subobject_flags(span, n & !max));
                        None
                    }
                    Some(n) if matches!(slot, Slot::Number(_)) && n > max => {
                        self.report(err::subobject_range(span, what, n, max));
                        Some(Value::Number(n))
                    }
                    Some(n) => Some(Value::Number(n)),
                }
            }
        };
        self.body = body;
        value
    }

    /// Stores the text of a root signature, which a later stage parses.
    pub(super) fn root_signature(&mut self, text: String, span: Span, of: RootSignatureOf) {
        let pieces = self.ast.literals.get(&span).cloned().unwrap_or_default();
        self.m.root_signatures.push(RootSignature { text: Text { text, pieces }, of, span });
    }

    fn make_subobject(&mut self, t: SubobjectType, values: &[Value], items: &[ast::ExprId]) -> Option<SubobjectKind> {
        let text = |i: usize| match values.get(i) {
            Some(Value::Text(s)) => s.clone(),
            _ => String::new(),
        };
        let number = |i: usize| match values.get(i) {
            Some(Value::Number(n)) => *n,
            _ => 0,
        };
        let span_of = |s: &Self, i: usize| items.get(i).map_or(Span::NONE, |&e| s.ast.exprs[e].span);
        Some(match t {
            SubobjectType::StateObjectConfig => SubobjectKind::StateObjectConfig(number(0)),
            SubobjectType::GlobalRootSignature | SubobjectType::LocalRootSignature => {
                let s = text(0);
                let span = span_of(self, 0);
                let global = t == SubobjectType::GlobalRootSignature;
                let of = if global { RootSignatureOf::Global } else { RootSignatureOf::Local };
                self.root_signature(s.clone(), span, of);
                if global { SubobjectKind::GlobalRootSignature(s) } else { SubobjectKind::LocalRootSignature(s) }
            }
            SubobjectType::SubobjectToExportsAssociation => {
                let exports = text(1).split(';').map(|s| s.trim().to_string()).filter(|s| !s.is_empty()).collect();
                SubobjectKind::Association(text(0), exports)
            }
            SubobjectType::RaytracingShaderConfig => SubobjectKind::ShaderConfig(number(0), number(1)),
            SubobjectType::RaytracingPipelineConfig => SubobjectKind::PipelineConfig(number(0)),
            SubobjectType::RaytracingPipelineConfig1 => {
                self.check_pipeline_flags(number(1), span_of(self, 1));
                SubobjectKind::PipelineConfig1(number(0), number(1))
            }
            SubobjectType::TriangleHitGroup => SubobjectKind::TriangleHitGroup(text(0), text(1)),
            SubobjectType::ProceduralPrimitiveHitGroup => {
                if text(2).is_empty() {
                    let span = span_of(self, 2);
                    self.report(err::no_intersection_shader(span));
                    return None;
                }
                SubobjectKind::ProceduralHitGroup(text(0), text(1), text(2))
            }
        })
    }

    /// Checks that the shaders of hit groups have the required stages, if the library defines them.
    pub fn check_hit_groups(&mut self) {
        use rtc_tables::stages::Stage;
        for i in 0..self.m.subobjects.len() {
            let s = self.m.subobjects[i].clone();
            let named: Vec<(&str, Stage)> = match &s.kind {
                SubobjectKind::TriangleHitGroup(a, c) => {
                    vec![(a, Stage::AnyHit), (c, Stage::ClosestHit)]
                }
                SubobjectKind::ProceduralHitGroup(a, c, n) => {
                    vec![(a, Stage::AnyHit), (c, Stage::ClosestHit), (n, Stage::Intersection)]
                }
                _ => continue,
            };
            for (name, stage) in named {
                if name.is_empty() {
                    continue;
                }
                let found = self.m.funcs.iter().find(|(_, f)| f.qualified == name && f.is_entry());
                if let Some((_, f)) = found
                    && f.stage != stage
                {
                    let d = err::hit_group_stage(s.span, name, f.stage.info().attribute, stage.info().attribute, f.span);
                    self.report(d);
                }
            }
        }
    }
}
