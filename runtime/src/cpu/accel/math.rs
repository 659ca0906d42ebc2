//! Points, boxes and 3 × 4 matrices, as far as acceleration structures need them.
//!
//! A matrix is three rows of four, as instances have it: the last column is the translation.

/// A point or a direction.
pub(crate) type V3 = [f32; 3];
/// Three rows of four.
pub(crate) type Matrix = [[f32; 4]; 3];

/// Coordinates beyond this are moved here where trees are built, so that areas stay finite.
const FAR: f32 = 1e18;

/// One for each axis: `array::map` where it is done once a ray.
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
/// The smaller one; `b` if `a` is not a number. One machine instruction.
#[inline(always)]
pub(crate) fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
/// The larger one; `b` if `a` is not a number. One machine instruction.
#[inline(always)]
pub(crate) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// A point in another space.
#[inline(always)]
pub(crate) fn point(m: &Matrix, p: V3) -> V3 {
    three(|i| m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2] + m[i][3])
}
/// A direction in another space.
#[inline(always)]
pub(crate) fn direction(m: &Matrix, d: V3) -> V3 {
    three(|i| m[i][0] * d[0] + m[i][1] * d[1] + m[i][2] * d[2])
}

/// The inverse; none if there is none or it has numbers that are not finite.
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
    /// Holds nothing; what is added to it is all of it.
    pub const EMPTY: Bounds = Bounds { lo: [f32::INFINITY; 3], hi: [f32::NEG_INFINITY; 3] };

    /// Of points; coordinates that are not numbers are left out.
    pub fn of(points: &[V3]) -> Bounds {
        let mut out = Bounds::EMPTY;
        for &p in points {
            out.lo = min3(p, out.lo);
            out.hi = max3(p, out.hi);
        }
        out
    }
    /// Both.
    pub fn union(&self, other: &Bounds) -> Bounds {
        Bounds { lo: min3(other.lo, self.lo), hi: max3(other.hi, self.hi) }
    }
    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|i| self.lo[i] > self.hi[i])
    }
    /// With finite coordinates; what is empty becomes a point.
    pub fn finite(&self) -> Bounds {
        let at = |x: f32| if x.is_nan() { 0.0 } else { x.clamp(-FAR, FAR) };
        let lo = self.lo.map(at);
        Bounds { lo, hi: max3(self.hi.map(at), lo) }
    }
    /// The box around it in another space, somewhat larger than rounding could make it.
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
        // What the sums may have lost: a few units in the last place of their largest term.
        for a in 0..3 {
            let terms = (0..3).map(|j| greater(self.lo[j].abs(), self.hi[j].abs()) * m[a][j].abs());
            let slack = (terms.sum::<f32>() + m[a][3].abs()) * 1e-6;
            out.lo[a] -= slack;
            out.hi[a] += slack;
        }
        out
    }
}
