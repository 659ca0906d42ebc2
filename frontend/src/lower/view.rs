//! L-values that are seen as another type, for casts that are written to.
//!
//! What is seen is a run of the scalars and objects of an l-value, depth first. A part of a view is the same run, or a shorter one, of a
//! part of the l-value; where some part of the l-value has just the shape that is required, it is used itself. So only numbers
//! and structures that lie across parts stay views, and those are read and written part by part.

use rtc_ir::{Opcode, Value};
use smallvec::SmallVec;

use super::func::FnCx;
use super::operand::{Index, LValue, Rows, Val, View};
use super::types::Shape;
use crate::hir::{RecordId, TyKind};

impl FnCx<'_, '_> {
    /// An l-value as one of another type.
    pub fn seen_as(&mut self, p: &LValue, shape: Shape) -> LValue {
        match (p, p.shape(), shape) {
            (_, Shape::Mat { rows, cols, .. }, Shape::Mat { rows: r, cols: c, .. }) if (rows, cols) != (r, c) => {
                LValue::View(Box::new(View { of: p.clone(), skip: 0, upper_left: true, shape }))
            }
            (LValue::Chosen(i, all), ..) => self.of_each(*i, all, |cx, p| cx.seen_as(p, shape)),
            (LValue::View(v), ..) if !v.upper_left => self.view(&v.of, v.skip, shape),
            _ => self.view(p, 0, shape),
        }
    }

    /// The scalars and objects of `of` after `skip`, as an l-value of this shape.
    pub fn view(&mut self, of: &LValue, skip: u64, shape: Shape) -> LValue {
        let (mut of, mut skip) = (of.clone(), skip);
        let n = self.leaves(shape);
        loop {
            if skip == 0 && same_contents(of.shape(), shape) {
                return of;
            }
            match (of.shape(), shape) {
                (Shape::Vec(..), Shape::Vec(_, n)) if n > 1 => {
                    let first = skip as u8;
                    let which: SmallVec<[u8; 4]> = (first..first + n as u8).collect();
                    return self.swizzle(&of, &which);
                }
                _ => {}
            }
            match self.part_with(&of, skip, n) {
                Some((part, before)) => {
                    of = part;
                    skip -= before;
                }
                None => return LValue::View(Box::new(View { of, skip, upper_left: false, shape })),
            }
        }
    }

    /// The member, element, row or component of an l-value that has all of the `n` scalars after `skip`, and how many are before it.
    fn part_with(&mut self, of: &LValue, skip: u64, n: u64) -> Option<(LValue, u64)> {
        let hir = self.l.hir;
        let types = &hir.types;
        let at = |size: u64, count: u64| {
            let i = skip / size.max(1);
            (i < count && skip + n <= (i + 1) * size).then_some((i as u32, i * size))
        };
        match of.shape() {
            Shape::Vec(_, 1) => None,
            Shape::Vec(_, count) => {
                let (i, before) = at(1, count.into())?;
                Some((self.component(of, Index::At(i)), before))
            }
            Shape::Mat { rows, cols, .. } => {
                let (i, before) = at(cols.into(), rows.into())?;
                Some((self.row(of, Index::At(i)), before))
            }
            Shape::Other(t) => match types.kind(t) {
                TyKind::Array(elem, count) => {
                    let (i, before) = at(types.leaf_count(elem), count.unwrap_or(0).into())?;
                    Some((self.element(of, Index::At(i), elem), before))
                }
                TyKind::Record(r) => {
                    let mut before = 0;
                    for (i, f) in types.records[r].fields.iter().enumerate() {
                        let size = types.leaf_count(f.ty);
                        if skip < before + size {
                            return (skip + n <= before + size).then(|| (self.field(of, r, i as u32), before));
                        }
                        before += size;
                    }
                    None
                }
                _ => None,
            },
        }
    }

    /// How many scalars and objects a shape has.
    fn leaves(&self, shape: Shape) -> u64 {
        match shape {
            Shape::Vec(_, n) => n.into(),
            Shape::Mat { rows, cols, .. } => u64::from(rows) * u64::from(cols),
            Shape::Other(t) => self.l.hir.types.leaf_count(t),
        }
    }

    /// Member `n` of a record.
    pub fn field_of_view(&mut self, v: &View, record: RecordId, n: u32, shape: Shape) -> LValue {
        let hir = self.l.hir;
        let types = &hir.types;
        let before: u64 = types.records[record].fields[..n as usize].iter().map(|f| types.leaf_count(f.ty)).sum();
        self.view(&v.of, v.skip + before, shape)
    }

    /// An element of an array, or a component of a vector.
    pub fn element_of_view(&mut self, v: &View, index: Index, shape: Shape) -> LValue {
        let size = self.leaves(shape);
        let last = (self.leaves(v.shape) / size.max(1)).saturating_sub(1);
        match index {
            // One out of range, which no program relies on, stays inside.
            Index::At(i) => self.view(&v.of, v.skip + u64::from(i).min(last) * size, shape),
            Index::By(i) => self.run_of_view(v, i, size, shape),
        }
    }

    /// A row of a matrix.
    pub fn row_of_view(&mut self, v: &View, index: Index, shape: Shape) -> LValue {
        if v.upper_left {
            let row = self.row(&v.of, index);
            return self.view(&row, 0, shape);
        }
        self.element_of_view(v, index, shape)
    }

    /// Run number `i` of those of `size` scalars that a view consists of.
    fn run_of_view(&mut self, v: &View, i: Value, size: u64, shape: Shape) -> LValue {
        // The l-value may consist of such runs itself.
        let types = &self.l.hir.types;
        let (own, elem) = match v.of.shape() {
            Shape::Vec(_, n) if n > 1 => (1, None),
            Shape::Mat { cols, .. } => (cols.into(), None),
            Shape::Other(t) => match types.kind(t) {
                TyKind::Array(e, _) => (types.leaf_count(e), Some(e)),
                _ => (0, None),
            },
            Shape::Vec(..) => (0, None),
        };
        if own == size && v.skip.is_multiple_of(size) {
            let first = self.int((v.skip / size) as u32);
            let i = self.bin(Opcode::iadd, i, first);
            let run = match (v.of.shape(), elem) {
                (_, Some(elem)) => self.element(&v.of, Index::By(i), elem),
                (Shape::Mat { .. }, _) => self.row(&v.of, Index::By(i)),
                _ => self.component(&v.of, Index::By(i)),
            };
            return self.view(&run, 0, shape);
        }
        let count = self.leaves(v.shape) / size.max(1);
        let all = (0..count).map(|i| self.view(&v.of, v.skip + i * size, shape)).collect();
        LValue::Chosen(i, all)
    }

    /// A part of the chosen l-value.
    pub fn of_each(&mut self, i: Value, all: &[LValue], mut part: impl FnMut(&mut Self, &LValue) -> LValue) -> LValue {
        LValue::Chosen(i, all.iter().map(|p| part(self, p)).collect())
    }

    /// Does something to the l-value that is chosen.
    pub fn each_if_chosen(&mut self, i: Value, all: &[LValue], mut to: impl FnMut(&mut Self, &LValue)) {
        for (n, p) in all.iter().enumerate() {
            let n = self.int(n as u32);
            let is_it = self.bin(Opcode::ieq, i, n);
            self.if_then(is_it, |cx| to(cx, p), |_| {});
        }
    }

    /// The value of the l-value that is chosen.
    pub fn load_chosen(&mut self, i: Value, all: &[LValue]) -> Val {
        let out = self.temp(all[0].shape());
        self.each_if_chosen(i, all, |cx, p| cx.copy(&out, p));
        self.load(&out)
    }

    /// The value of a view.
    pub fn load_view(&mut self, p: &LValue) -> Val {
        match p.shape() {
            Shape::Vec(_, n) => {
                let parts: SmallVec<[Value; 4]> = (0..n)
                    .map(|i| {
                        let part = self.component(p, Index::At(i));
                        self.load(&part).one()
                    })
                    .collect();
                Val::One(self.vector(&parts))
            }
            Shape::Mat { rows, .. } => {
                let rows: Rows = (0..rows)
                    .map(|i| {
                        let row = self.row(p, Index::At(i));
                        self.load(&row).one()
                    })
                    .collect();
                Val::Rows(rows)
            }
            Shape::Other(_) => {
                let to = self.temp(p.shape());
                self.copy(&to, p);
                Val::Agg(to)
            }
        }
    }

    /// Stores a value to a view.
    pub fn store_view(&mut self, p: &LValue, x: &Val) {
        match (p.shape(), x) {
            (_, Val::Agg(from)) => self.copy(p, from),
            (Shape::Mat { .. }, _) => {
                for (i, &row) in x.rows().iter().enumerate() {
                    let to = self.row(p, Index::At(i as u32));
                    self.store(&to, &Val::One(row));
                }
            }
            (Shape::Vec(_, n), _) => {
                for i in 0..n {
                    let part = self.comp(x.one(), i);
                    let to = self.component(p, Index::At(i));
                    self.store(&to, &Val::One(part));
                }
            }
            (Shape::Other(_), _) => rtc_base::bug!("an object is a whole l-value"),
        }
    }
}

/// Whether l-values of these shapes have the same contents: the packing of matrices is that of the memory.
fn same_contents(a: Shape, b: Shape) -> bool {
    match (a, b) {
        (Shape::Mat { scalar, rows, cols, .. }, Shape::Mat { scalar: s, rows: r, cols: c, .. }) => (scalar, rows, cols) == (s, r, c),
        _ => a == b,
    }
}
