//! Points, axis-aligned boxes and 3 × 4 matrices of acceleration structures.
//!
//! A matrix is three rows of four; the last column is the translation.

/// A point or a direction.
pub(crate) type V3 = [f32; 3];
/// Three rows of four.
pub(crate) type Matrix = [[f32; 4]; 3];

/// Coordinates beyond this are clamped to it for tree building, so that surface areas stay finite.
const FAR: f32 = 1e18;

/// `array::map` over the three axes, inlined for per-ray code.
#[inline(always)]
pub(crate) fn three<T>(f: impl Fn(usize) -> T) -> [T; 3] {
    [f(0), f(1), f(2)]
}
#[inline]
pub(crate) fn min3(a: V3, b: V3) -> V3 {
    three(|i| lesser(a[i], b[i]))
}
#[inline]
pub(crate) fn max3(a: V3, b: V3) -> V3 {
    three(|i| greater(a[i], b[i]))
}
/// The minimum; `b` if `a` is NaN. One machine instruction.
#[inline(always)]
pub(crate) fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
/// The maximum; `b` if `a` is NaN. One machine instruction.
#[inline(always)]
pub(crate) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Transforms a point.
#[inline(always)]
pub(crate) fn point(m: &Matrix, p: V3) -> V3 {
    three(|i| m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2] + m[i][3])
}
/// Transforms a direction.
#[inline(always)]
pub(crate) fn direction(m: &Matrix, d: V3) -> V3 {
    three(|i| m[i][0] * d[0] + m[i][1] * d[1] + m[i][2] * d[2])
}

/// The inverse; `None` if the matrix is singular or the inverse is not finite.
pub(crate) fn inverse(m: &Matrix) -> Option<Matrix> {
    let a: [[f64; 4]; 3] = m.map(|row| row.map(f64::from));
    let minor = |r0: usize, r1: usize, c0: usize, c1: usize| a[r0][c0] * a[r1][c1] - a[r0][c1] * a[r1][c0];
    let det = a[0][0] * minor(1, 2, 1, 2) - a[0][1] * minor(1, 2, 0, 2) + a[0][2] * minor(1, 2, 0, 1);
    if !(det.is_finite() && det != 0.0) {
        return None;
    }
    let mut out = [[0.0f64; 4]; 3];
    for (i, row) in out.iter_mut().enumerate() {
        let (r0, r1) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (c0, c1) = ((j + 1) % 3, (j + 2) % 3);
            // The cofactor of the transposed element.
            row[j] = (a[c0][r0] * a[c1][r1] - a[c0][r1] * a[c1][r0]) / det;
        }
        row[3] = -(row[0] * a[0][3] + row[1] * a[1][3] + row[2] * a[2][3]);
    }
    let out = out.map(|row| row.map(|x| x as f32));
    out.iter().flatten().all(|x| x.is_finite()).then_some(out)
}

/// An axis-aligned box.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bounds {
    pub lo: V3,
    pub hi: V3,
}

impl Bounds {
    /// The empty box: the identity of [`Bounds::union`].
    pub const EMPTY: Bounds = Bounds { lo: [f32::INFINITY; 3], hi: [f32::NEG_INFINITY; 3] };

    /// The bounds of points; NaN coordinates are skipped.
    pub fn of(points: &[V3]) -> Bounds {
        let mut out = Bounds::EMPTY;
        for &p in points {
            out.lo = min3(p, out.lo);
            out.hi = max3(p, out.hi);
        }
        out
    }
    /// The union.
    pub fn union(&self, other: &Bounds) -> Bounds {
        Bounds { lo: min3(other.lo, self.lo), hi: max3(other.hi, self.hi) }
    }
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|i| self.lo[i] > self.hi[i])
    }
    /// Clamped to finite coordinates; the empty box becomes a point.
    pub fn finite(&self) -> Bounds {
        let at = |x: f32| if x.is_nan() { 0.0 } else { x.clamp(-FAR, FAR) };
        let lo = self.lo.map(at);
        Bounds { lo, hi: max3(self.hi.map(at), lo) }
    }
    /// The bounds in another space, enlarged by more than the rounding error.
    pub fn transformed(&self, m: &Matrix) -> Bounds {
        if self.is_empty() {
            return Bounds::EMPTY;
        }
        let mut out = Bounds::EMPTY;
        for i in 0..8 {
            let corner = std::array::from_fn(|a| if i >> a & 1 == 0 { self.lo[a] } else { self.hi[a] });
            let p = point(m, corner);
            out.lo = min3(p, out.lo);
            out.hi = max3(p, out.hi);
        }
        // Upper bound of the rounding error of the sums: a few ulps of their largest term.
        for a in 0..3 {
            let terms = (0..3).map(|j| greater(self.lo[j].abs(), self.hi[j].abs()) * m[a][j].abs());
            let slack = (terms.sum::<f32>() + m[a][3].abs()) * 1e-6;
            out.lo[a] -= slack;
            out.hi[a] += slack;
        }
        out
    }
}
