//! Attributes of statements, functions and variables.

use rtc_tables::attributes::{AttributeId, AttributeOn, attribute};
use rtc_tables::vk_attributes::On;

use super::context::Sema;
use super::errors::stmts as err;
use crate::hir::{Branch, LoopHint, Sides};
use crate::syntax::Ast;
use crate::syntax::ast::{self, StmtKind};

/// Larger counts of `[unroll(n)]` are clamped to this.
const MAX_UNROLLED: u32 = 1024;

/// Attributes of the nodes of work graphs, which are refused where their stage is said.
const NODE_ATTRIBUTES: &[&str] = &[
    "NodeLaunch",
    "NodeIsProgramEntry",
    "NodeID",
    "NodeLocalRootArgumentsTableIndex",
    "NodeShareInputOf",
    "NodeDispatchGrid",
    "NodeMaxDispatchGrid",
    "NodeMaxRecursionDepth",
    "NodeMaxInputRecordsPerGraphEntryRecord",
    "NodeTrackRWInputSharing",
    "MaxRecords",
    "MaxRecordsSharedWith",
    "AllowSparseNodes",
    "UnboundedSparseNodes",
    "NodeArraySize",
];

/// The hints in the attributes of a statement.
#[derive(Clone, Copy, Default)]
pub struct Hints {
    /// Of a loop.
    pub looped: LoopHint,
    /// Of an `if` or `switch`.
    pub branch: Branch,
}

impl Sema<'_> {
    /// Which attribute of the table it is; those with a namespace are none.
    pub fn attribute_id(&self, a: &ast::Attr) -> Option<AttributeId> {
        attribute(self.str(a.name.sym)).filter(|_| a.scope.is_none()).map(|r| r.id)
    }

    /// The attributes of a statement.
    pub fn statement_attrs(&mut self, attrs: ast::List<ast::Attr>, kind: &StmtKind) -> Hints {
        let mut out = Hints::default();
        if attrs.is_empty() {
            return out;
        }
        let is_loop = matches!(kind, StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Do { .. });
        let is_if = matches!(kind, StmtKind::If { .. });
        let is_switch = matches!(kind, StmtKind::Switch { .. });
        for a in self.ast.list(attrs).to_vec() {
            let name = self.str(a.name.sym).to_ascii_lowercase();
            if a.scope.is_some() {
                self.check_vk_attrs(&[a], On::STATEMENT);
                self.inline_statement(&[a]);
                continue;
            }
            let Some(id) = self.attribute_id(&a) else {
                self.unknown_attr(&a);
                continue;
            };
            let on = id.row().on;
            let looped = match id {
                AttributeId::Unroll => Some(LoopHint::Unroll(self.unroll_count(&a))),
                AttributeId::Loop => Some(LoopHint::Loop),
                AttributeId::FastOpt => Some(LoopHint::FastOpt),
                AttributeId::AllowUavCondition => Some(LoopHint::AllowUavCondition),
                _ => None,
            };
            if let Some(hint) = looped {
                if !is_loop {
                    self.report(err::idle_attribute(a.span, &name, on.what()));
                    continue;
                }
                let other = match (out.looped, hint) {
                    (LoopHint::Unroll(_), LoopHint::Loop) | (LoopHint::Loop, LoopHint::Unroll(_)) => Some("loop"),
                    (LoopHint::Unroll(_), LoopHint::FastOpt) | (LoopHint::FastOpt, LoopHint::Unroll(_)) => Some("fastopt"),
                    _ => None,
                };
                if let Some(other) = other {
                    self.report(err::contradicting_attributes(a.span, "unroll", other));
                    continue;
                }
                // Hints that say nothing to later steps do not replace those that do.
                if matches!(out.looped, LoopHint::None | LoopHint::AllowUavCondition)
                    || matches!(hint, LoopHint::Unroll(_) | LoopHint::Loop)
                {
                    out.looped = hint;
                }
                continue;
            }
            let fits = match on {
                AttributeOn::Branch => is_if || is_switch,
                AttributeOn::Switch => is_switch,
                AttributeOn::Function | AttributeOn::Loop | AttributeOn::Structure => false,
            };
            let branch = match id {
                AttributeId::Branch => Some(Some(Sides::Branch)),
                AttributeId::Flatten => Some(Some(Sides::Flatten)),
                AttributeId::Call => Some(Some(Sides::Call)),
                AttributeId::ForceCase => Some(None),
                _ => None,
            };
            match branch {
                Some(None) if fits => out.branch.force_case = true,
                Some(Some(hint)) if fits => {
                    if matches!((out.branch.sides, hint), (Sides::Branch, Sides::Flatten) | (Sides::Flatten, Sides::Branch)) {
                        self.report(err::contradicting_attributes(a.span, "branch", "flatten"));
                    }
                    // `[call]` is the weakest: there are no subroutines.
                    if hint != Sides::Call || out.branch.sides == Sides::Any {
                        out.branch.sides = hint;
                    }
                }
                Some(_) => self.report(err::idle_attribute(a.span, &name, on.what())),
                None => self.unknown_attr(&a),
            }
        }
        out
    }

    fn unroll_count(&mut self, a: &ast::Attr) -> Option<u32> {
        let args = self.ast.list(a.args).to_vec();
        match args[..] {
            [] => None,
            [n] => {
                let v = self.muted(|s| s.constant_int(n));
                match v {
                    // None is all of them.
                    Some(0) => None,
                    Some(v) if v > 0 => Some(v.min(i128::from(MAX_UNROLLED)) as u32),
                    _ => {
                        let span = self.ast.exprs[n].span;
                        let wanted = "a constant number of iterations";
                        self.report(err::idle_argument(span, AttributeId::Unroll.row().name, wanted));
                        None
                    }
                }
            }
            _ => {
                self.report(err::attribute_argument(a.span, AttributeId::Unroll.row().name, "at most one number"));
                None
            }
        }
    }

    /// Warns of the attributes of a global variable that do not apply to variables. Gives those that are
    /// specifiers in brackets: `[reordercoherent]`, a spelling that occurs in the specification.
    pub fn global_attrs(&mut self, attrs: ast::List<ast::Attr>) -> Vec<ast::Attr> {
        let mut coherence = Vec::new();
        for a in self.ast.list(attrs).to_vec() {
            if a.scope.is_some() {
                continue;
            }
            let name = self.str(a.name.sym).to_ascii_lowercase();
            match self.attribute_id(&a) {
                Some(id) => self.report(err::idle_attribute(a.span, &name, id.row().on.what())),
                None if matches!(name.as_str(), "reordercoherent" | "globallycoherent") => coherence.push(a),
                None => self.unknown_attr(&a),
            }
        }
        coherence
    }

    /// Warns of an unknown attribute.
    pub fn unknown_attr(&mut self, a: &ast::Attr) {
        let name = self.str(a.name.sym).to_string();
        // It is known, and the shader is refused as a whole.
        if a.scope.is_none() && NODE_ATTRIBUTES.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            return;
        }
        let name = match a.scope {
            Some(s) => format!("{}::{name}", self.str(s.sym)),
            None => name,
        };
        self.report(err::unknown_attribute(a.span, &name));
    }

    /// Warns of all attributes but those named.
    pub fn unknown_attrs(&mut self, attrs: ast::List<ast::Attr>, known: &[&str]) {
        for a in self.ast.list(attrs).to_vec() {
            let name = self.str(a.name.sym);
            if a.scope.is_none() && !known.contains(&name) {
                self.unknown_attr(&a);
            }
        }
    }

    /// The attribute `vk::name`.
    pub fn find_vk_attr(&self, attrs: &[ast::Attr], name: &str) -> Option<ast::Attr> {
        attrs.iter().find(|a| a.scope.is_some_and(|s| self.names.str(s.sym) == "vk") && self.names.str(a.name.sym) == name).copied()
    }
}

impl Ast {
    /// The text of the only argument.
    pub(crate) fn text_argument(&self, a: &ast::Attr) -> Option<rtc_base::Symbol> {
        match self.list(a.args) {
            &[e] => match self.exprs[e].kind {
                ast::ExprKind::Str(s) => Some(s),
                _ => None,
            },
            _ => None,
        }
    }
}
