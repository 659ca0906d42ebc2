//! Lowering of aggregate construction: constructors, initialiser lists, splats, truncations.
//!
//! The parts of a list are flattened to scalars, which the constructed value consumes in order. A part that has exactly the
//! type of the next member is consumed whole.

use std::collections::VecDeque;

use rtc_ir::Value;
use smallvec::SmallVec;

use super::func::FnCx;
use super::operand::{Index, LValue, Val};
use super::types::Shape;
use crate::hir::{ExprId, Scalar, TyKind};

/// A part that is not consumed.
enum Item {
    /// A number or handle.
    Val(Val, Shape),
    /// An aggregate in an l-value.
    LValue(LValue),
}

/// The parts that are not consumed yet.
struct ScalarStream {
    items: VecDeque<Item>,
    /// Scalars of a part that was split; objects have no type here.
    scalars: VecDeque<(Value, Option<Scalar>)>,
}

impl FnCx<'_, '_> {
    fn feed(&mut self, parts: &[ExprId]) -> ScalarStream {
        let mut items = VecDeque::with_capacity(parts.len());
        // Without aggregates later parts cannot change earlier ones.
        for (n, &e) in parts.iter().enumerate() {
            let x = match self.shape_of(e) {
                Shape::Other(_) => self.expr_before(e, &parts[n + 1..]),
                _ => self.expr(e),
            };
            items.push_back(match x {
                Val::Agg(p) => Item::LValue(p),
                x => Item::Val(x, self.shape_of(e)),
            });
        }
        ScalarStream { items, scalars: VecDeque::new() }
    }

    /// A number of parts.
    pub fn construct(&mut self, shape: Shape, parts: &[ExprId]) -> Val {
        let mut feed = self.feed(parts);
        self.take_number(&mut feed, shape)
    }

    /// Initialises an l-value that the parts do not refer to.
    pub fn construct_into(&mut self, to: &LValue, parts: &[ExprId]) {
        let mut feed = self.feed(parts);
        self.fill_from(&mut feed, to);
    }

    fn fill_from(&mut self, feed: &mut ScalarStream, to: &LValue) {
        let Shape::Other(t) = to.shape() else {
            let x = self.take_number(feed, to.shape());
            return self.store(to, &x);
        };
        if feed.scalars.is_empty()
            && let Some(Item::LValue(p)) = feed.items.front()
            && p.shape() == to.shape()
        {
            let p = p.clone();
            feed.items.pop_front();
            return self.copy(to, &p);
        }
        match self.l.hir.types.kind(t) {
            TyKind::Record(r) => {
                for n in 0..self.l.hir.types.records[r].fields.len() as u32 {
                    let field = self.field(to, r, n);
                    self.fill_from(feed, &field);
                }
            }
            TyKind::Array(e, n) => {
                for i in 0..n.unwrap_or(0) {
                    let element = self.element(to, Index::At(i), e);
                    self.fill_from(feed, &element);
                }
            }
            _ => {
                if let Some((v, None)) = self.take_scalar(feed) {
                    self.store(to, &Val::One(v));
                }
            }
        }
    }

    /// The next number of this shape.
    fn take_number(&mut self, feed: &mut ScalarStream, shape: Shape) -> Val {
        let (to, rows, cols) = match shape {
            Shape::Vec(s, n) => (s, 1, n),
            Shape::Mat { scalar, rows, cols, .. } => (scalar, rows, cols),
            Shape::Other(_) => rtc_base::bug!("no number is {shape:?}"),
        };
        let size = |s: Shape| match s {
            Shape::Vec(_, n) => (false, 1, n),
            Shape::Mat { rows, cols, .. } => (true, rows, cols),
            Shape::Other(_) => (false, 0, 0),
        };
        let fits = match feed.items.front() {
            Some(Item::Val(_, s)) => size(*s) == size(shape),
            Some(Item::LValue(p)) => size(p.shape()) == size(shape),
            None => false,
        };
        if fits && feed.scalars.is_empty() {
            let (x, s) = match feed.items.pop_front() {
                Some(Item::Val(x, s)) => (x, s),
                Some(Item::LValue(p)) => (self.load(&p), p.shape()),
                None => rtc_base::bug!("a part was there"),
            };
            let from = match s {
                Shape::Vec(s, _) | Shape::Mat { scalar: s, .. } => s,
                Shape::Other(_) => to,
            };
            return self.map(&x, |cx, v| cx.convert(v, from, to));
        }
        let mut all = SmallVec::new();
        for _ in 0..rows {
            let parts: SmallVec<[Value; 4]> = (0..cols).map(|_| self.take_component(feed, to)).collect();
            all.push(self.vector(&parts));
        }
        match shape {
            Shape::Mat { .. } => Val::Rows(all),
            _ => Val::One(all[0]),
        }
    }

    fn take_component(&mut self, feed: &mut ScalarStream, to: Scalar) -> Value {
        match self.take_scalar(feed) {
            Some((v, Some(from))) => self.convert(v, from, to),
            _ => self.constant(to, 0),
        }
    }

    fn take_scalar(&mut self, feed: &mut ScalarStream) -> Option<(Value, Option<Scalar>)> {
        loop {
            if let Some(x) = feed.scalars.pop_front() {
                return Some(x);
            }
            let (x, shape) = match feed.items.pop_front()? {
                Item::Val(x, s) => (x, s),
                Item::LValue(p) => match self.inside(&p) {
                    Some(parts) => {
                        parts.into_iter().rev().for_each(|p| feed.items.push_front(Item::LValue(p)));
                        continue;
                    }
                    None => (self.load(&p), p.shape()),
                },
            };
            let scalar = match shape {
                Shape::Vec(s, _) | Shape::Mat { scalar: s, .. } => Some(s),
                Shape::Other(_) => None,
            };
            for row in x.rows() {
                let parts = if scalar.is_some() { self.comps(row) } else { SmallVec::from_slice(&[row]) };
                feed.scalars.extend(parts.into_iter().map(|v| (v, scalar)));
            }
        }
    }

    /// The l-values of an aggregate's members; `None` if it is not an aggregate.
    fn inside(&mut self, p: &LValue) -> Option<Vec<LValue>> {
        let Shape::Other(t) = p.shape() else {
            return None;
        };
        match self.l.hir.types.kind(t) {
            TyKind::Record(r) => {
                let n = self.l.hir.types.records[r].fields.len() as u32;
                Some((0..n).map(|n| self.field(p, r, n)).collect())
            }
            TyKind::Array(e, n) => Some((0..n.unwrap_or(0)).map(|i| self.element(p, Index::At(i), e)).collect()),
            _ => None,
        }
    }

    /// The scalar in every component, or in every scalar of an aggregate.
    pub fn splat_to(&mut self, v: Value, s: Scalar, shape: Shape) -> Val {
        let v = self.comp(v, 0);
        match shape {
            Shape::Vec(to, n) => {
                let v = self.convert(v, s, to);
                Val::One(self.splat(v, n))
            }
            Shape::Mat { scalar, rows, cols, .. } => {
                let v = self.convert(v, s, scalar);
                let row = self.splat(v, cols);
                Val::Rows(SmallVec::from_elem(row, rows as usize))
            }
            Shape::Other(_) => {
                let to = self.temp(shape);
                self.splat_into(&to, v, s);
                Val::Agg(to)
            }
        }
    }

    fn splat_into(&mut self, to: &LValue, v: Value, s: Scalar) {
        let Shape::Other(t) = to.shape() else {
            let x = self.splat_to(v, s, to.shape());
            return self.store(to, &x);
        };
        match self.l.hir.types.kind(t) {
            TyKind::Record(r) => {
                for n in 0..self.l.hir.types.records[r].fields.len() as u32 {
                    let field = self.field(to, r, n);
                    self.splat_into(&field, v, s);
                }
            }
            TyKind::Array(e, Some(n)) if n > 16 => self.count_to(n, |cx, i| {
                let element = cx.element(to, Index::By(i), e);
                cx.splat_into(&element, v, s);
            }),
            TyKind::Array(e, n) => {
                for i in 0..n.unwrap_or(0) {
                    let element = self.element(to, Index::At(i), e);
                    self.splat_into(&element, v, s);
                }
            }
            _ => {}
        }
    }

    /// The first components; of an aggregate the first scalars.
    pub fn truncate(&mut self, x: &Val, shape: Shape) -> Val {
        if let Val::Agg(p) = x {
            let mut feed = ScalarStream { items: VecDeque::from([Item::LValue(p.clone())]), scalars: VecDeque::new() };
            if !matches!(shape, Shape::Other(_)) {
                return self.take_number(&mut feed, shape);
            }
            let to = self.temp(shape);
            self.fill_from(&mut feed, &to);
            return Val::Agg(to);
        }
        let rows = x.rows();
        let mut cut = |row: Value, n: u32| {
            let which: SmallVec<[u8; 4]> = (0..n as u8).collect();
            self.shuffle(row, &which)
        };
        match shape {
            Shape::Mat { rows: r, cols, .. } => Val::Rows(rows.iter().take(r as usize).map(|&row| cut(row, cols)).collect()),
            Shape::Vec(_, n) => Val::One(cut(rows[0], n)),
            Shape::Other(_) => x.clone(),
        }
    }
}
