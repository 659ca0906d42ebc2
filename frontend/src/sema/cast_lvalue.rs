//! Casts as l-values: `((B)a).u = 1` writes to `a`, where the scalars of `B` are the first scalars of `a`.
//!
//! A cast is a value, since most are only read. Where an l-value is required, the casts in the expression become views of their
//! operands.

use super::context::Sema;
use crate::hir::{ExprId, ExprKind, Ty, TyKind, Types};

/// Types of more scalars and objects are not compared one by one.
const MAX_LEAVES: u64 = 1 << 12;

impl Sema<'_> {
    /// Makes l-values of the casts that `e` is or is a part of, where they can be.
    pub fn see_casts_as_lvalues(&mut self, e: ExprId) {
        let mut path = Vec::new();
        let mut at = e;
        while !self.e(at).category.is_lvalue() {
            let Some(inner) = self.f.casts.get(&at).copied().or_else(|| self.body.whole_of(at)) else {
                return;
            };
            path.push((at, inner));
            at = inner;
        }
        for (outer, inner) in path.into_iter().rev() {
            if self.f.casts.contains_key(&outer) {
                if !self.m.types.can_be_seen_as(self.ty(inner), self.ty(outer)) {
                    return;
                }
                self.body.exprs[outer].kind = ExprKind::View(inner);
            }
            self.body.exprs[outer].category = self.e(inner).category;
        }
    }
}

impl Types {
    /// Whether the scalars and objects of `to` are the first of `from`; of numbers, whether `to` is a part of `from`.
    fn can_be_seen_as(&self, from: Ty, to: Ty) -> bool {
        let matrix = |t| matches!(self.kind(t), TyKind::Matrix { .. });
        if let (Some((fr, fc)), Some((tr, tc))) = (self.shape(from), self.shape(to)) {
            let enumeration = |t| matches!(self.kind(t), TyKind::Enum(_));
            let same = self.elem(from) == self.elem(to) && !enumeration(from) && !enumeration(to);
            return same && matrix(from) == matrix(to) && tr <= fr && tc <= fc;
        }
        let (n, m) = (self.leaf_count(from), self.leaf_count(to));
        let (mut all, mut first) = (Vec::new(), Vec::new());
        m <= n && n <= MAX_LEAVES && self.cast_leaves(from, &mut all) && self.cast_leaves(to, &mut first) && all.starts_with(&first)
    }

    /// Whether `from` has numbers and objects where `to` has, of the same types if they are objects.
    pub(crate) fn objects_match(&self, from: Ty, to: Ty) -> bool {
        let (n, m) = (self.leaf_count(from), self.leaf_count(to));
        let (mut have, mut need) = (Vec::new(), Vec::new());
        let copied = |t| matches!(self.kind(t), TyKind::Resource(_) | TyKind::HitObject | TyKind::Linalg(_));
        let numbers = |a, b| self.elem(a).is_some() && self.elem(b).is_some();
        m <= n
            && n <= MAX_LEAVES
            && self.cast_leaves(from, &mut have)
            && self.cast_leaves(to, &mut need)
            && have.iter().zip(&need).all(|(&a, &b)| numbers(a, b) || (a == b && copied(a)))
    }

    /// Appends the types of the scalars and objects of a type, depth first; false if it has parts that are no l-values of their own: bits.
    fn cast_leaves(&self, t: Ty, out: &mut Vec<Ty>) -> bool {
        match self.kind(t) {
            TyKind::Array(elem, Some(n)) => (0..n).all(|_| self.cast_leaves(elem, out)),
            TyKind::Array(_, None) => false,
            TyKind::Record(r) => self.records[r].fields.iter().all(|f| f.bits.is_none() && self.cast_leaves(f.ty, out)),
            TyKind::Vector(s, _) | TyKind::Matrix { scalar: s, .. } => {
                let n = self.components(t).unwrap_or(1);
                out.extend((0..n).map(|_| Ty::scalar(s)));
                true
            }
            _ => {
                out.push(t);
                true
            }
        }
    }
}
