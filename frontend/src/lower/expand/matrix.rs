//! Expansion of matrix intrinsics: products and determinants. A matrix is the list of its rows.

use rtc_ir::{Opcode as O, Value};
use smallvec::SmallVec;

use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::{Rows, Val};

impl FnCx<'_, '_> {
    /// `mul` in its nine forms.
    pub(super) fn mul(&mut self, c: &Call) -> Val {
        use rtc_tables::intrinsics::{Pat, Shape as P};
        enum Kind {
            Scalar,
            Vector,
            Matrix,
        }
        // The row gives the shape of each factor; a vector may have one component.
        let kind = |n: usize| match c.row.params[n].pat {
            Pat::Num(P::Mat(..), _) => Kind::Matrix,
            Pat::Num(P::Vec(_), _) => Kind::Vector,
            _ => Kind::Scalar,
        };
        let (a, b) = (c.val(0), c.val(1));
        match (kind(0), kind(1)) {
            (Kind::Scalar, _) => self.scale(&b, a.one()),
            (_, Kind::Scalar) => self.scale(&a, b.one()),
            (Kind::Vector, Kind::Vector) => Val::One(self.dot(a.one(), b.one())),
            (Kind::Vector, Kind::Matrix) => Val::One(self.row_times_matrix(a.one(), &b.rows())),
            (Kind::Matrix, Kind::Vector) => {
                let v = self.comps(b.one());
                let rows = a.rows();
                let parts: SmallVec<[Value; 4]> = rows
                    .into_iter()
                    .map(|row| {
                        let row = self.comps(row);
                        self.sum_of_products(&row, &v)
                    })
                    .collect();
                Val::One(self.vector(&parts))
            }
            (Kind::Matrix, Kind::Matrix) => {
                let b = b.rows();
                let rows = a.rows();
                Val::Rows(rows.into_iter().map(|row| self.row_times_matrix(row, &b)).collect())
            }
        }
    }

    fn scale(&mut self, x: &Val, by: Value) -> Val {
        let op = if self.elem_of(by).is_float() { O::fmul } else { O::imul };
        self.map(x, |cx, v| {
            let n = cx.lanes(v);
            let by = cx.splat(by, n);
            cx.bin(op, v, by)
        })
    }

    /// The sum of the rows of the matrix, each times a component.
    fn row_times_matrix(&mut self, v: Value, rows: &Rows) -> Value {
        let n = self.lanes(rows[0]);
        let v = self.spread(v, n);
        self.sum_of_products(&v, rows)
    }

    pub(super) fn determinant(&mut self, c: &Call) -> Val {
        let rows: SmallVec<[SmallVec<[Value; 4]>; 4]> = c.val(0).rows().into_iter().map(|r| self.comps(r)).collect();
        let all: SmallVec<[usize; 4]> = (0..rows.len()).collect();
        Val::One(self.minor(&rows, &all))
    }

    /// The determinant of the last rows and the columns given, which are as many; by Laplace expansion along the first row.
    fn minor(&mut self, rows: &[SmallVec<[Value; 4]>], columns: &[usize]) -> Value {
        if let [only] = columns {
            return rows[0][*only];
        }
        let mut sum = None;
        for (n, &column) in columns.iter().enumerate() {
            let rest: SmallVec<[usize; 4]> = columns.iter().copied().filter(|&k| k != column).collect();
            let inner = self.minor(&rows[1..], &rest);
            let x = self.bin(O::fmul, rows[0][column], inner);
            sum = Some(match sum {
                None => x,
                Some(s) => self.bin(if n % 2 == 0 { O::fadd } else { O::fsub }, s, x),
            });
        }
        match sum {
            Some(s) => s,
            None => rtc_base::bug!("a matrix without columns"),
        }
    }
}
