//! What a ray tests together: the eight boxes of a node, and four triangles of a leaf. One implementation is for every processor, one for
//! AVX2. Both compute the same results: no operation is contracted or reordered.
//!
//! Triangles are tested twice. The first test is quick and has a margin for its rounding errors, so it never leaves out a triangle
//! that the exact test ([`RaySpace::triangle`]) takes.
//!
//! Soundness: a value of [`Avx2`] exists only where the processor has AVX2.
#![allow(unsafe_code)]

use super::bottom::Triangle;
use super::bvh::{Node, WIDTH};
use super::math::{greater, lesser};
use super::ray_space::{RaySpace, four};

/// Triangles of one quick test.
const TOGETHER: usize = 4;
/// Margin of an edge function, relative to the sum of its products' magnitudes: four times their rounding errors.
const MARGIN: f32 = 4.0 * f32::EPSILON;

/// A set of instructions.
pub(super) trait Lanes: Copy {
    /// Entry distances into the boxes of a node, and a bit mask of those that the ray intersects between `from` and `to`.
    fn boxes(self, space: &RaySpace, node: &Node, from: f32, to: f32) -> ([f32; WIDTH], u32);
    /// Which of four triangles the ray's line may intersect, as bits.
    fn four(self, space: &RaySpace, triangles: [&Triangle; TOGETHER]) -> u32;
    /// Begins to load what a slice has from an index on.
    fn load<T>(self, list: &[T], at: usize);

    /// Which of the triangles of a leaf the ray's line may intersect, as bits.
    #[inline(always)]
    fn leaf(self, space: &RaySpace, triangles: &[Triangle]) -> u32 {
        let Some(last) = triangles.len().checked_sub(1) else {
            return 0;
        };
        let mut met = 0;
        for from in (0..triangles.len()).step_by(TOGETHER) {
            let at = |i: usize| &triangles[(from + i).min(last)];
            met |= self.four(space, [at(0), at(1), at(2), at(3)]) << from;
        }
        met & ((1 << triangles.len()) - 1)
    }
}

/// The instructions that every processor has.
#[derive(Clone, Copy)]
pub(super) struct Baseline;

impl Lanes for Baseline {
    #[inline(always)]
    fn boxes(self, space: &RaySpace, node: &Node, from: f32, to: f32) -> ([f32; WIDTH], u32) {
        let mut enter = [from; WIDTH];
        let mut leave = [to; WIDTH];
        for a in 0..3 {
            let (first, last) = space.rows(a);
            let (near, far) = (&node.planes[first], &node.planes[last]);
            for i in 0..WIDTH {
                // A plane through the origin of a ray parallel to it gives NaN, which changes nothing.
                enter[i] = greater((near[i] - space.origins[0][a]) * space.inverse[0][a], enter[i]);
                leave[i] = lesser((far[i] - space.origins[1][a]) * space.inverse[1][a], leave[i]);
            }
        }
        let met = (0..WIDTH).fold(0, |m, i| m | u32::from(enter[i] <= leave[i]) << i);
        (enter, met & ((1u32 << node.len) - 1))
    }

    #[inline(always)]
    fn four(self, space: &RaySpace, triangles: [&Triangle; TOGETHER]) -> u32 {
        let [x, y, z] = space.axes;
        let (o, [sx, sy]) = (&space.origin, space.shear);
        let corner = |k: usize| {
            let p = |i: usize| &triangles[i].corners[k];
            let h = four(|i| p(i)[z] - o[z]);
            (four(|i| (p(i)[x] - o[x]) - sx * h[i]), four(|i| (p(i)[y] - o[y]) - sy * h[i]))
        };
        let (a, b, c) = (corner(0), corner(1), corner(2));
        let mut met = 0;
        for i in 0..TOGETHER {
            let edge = |p: &([f32; 4], [f32; 4]), q: &([f32; 4], [f32; 4])| {
                let (left, right) = (p.0[i] * q.1[i], p.1[i] * q.0[i]);
                let margin = (left.abs() + right.abs()) * MARGIN + f32::MIN_POSITIVE;
                (left - right > margin, left - right < -margin)
            };
            let (u, v, w) = (edge(&c, &b), edge(&a, &c), edge(&b, &a));
            let outside = (u.0 | v.0 | w.0) & (u.1 | v.1 | w.1);
            met |= u32::from(!outside) << i;
        }
        met
    }

    #[inline(always)]
    fn load<T>(self, _: &[T], _: usize) {}
}

/// The instructions of AVX2, and those before it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::*;
    use std::arch::x86_64::*;

    impl Avx2 {
        /// # Safety
        /// The processor has AVX2.
        pub const unsafe fn new() -> Avx2 {
            Avx2(())
        }
    }

    impl Lanes for Avx2 {
        #[inline(always)]
        fn boxes(self, space: &RaySpace, node: &Node, from: f32, to: f32) -> ([f32; WIDTH], u32) {
            // SAFETY: the processor has AVX2, and each load is of eight floats that an array has.
            unsafe {
                let mut enter = _mm256_set1_ps(from);
                let mut leave = _mm256_set1_ps(to);
                for a in 0..3 {
                    let (first, last) = space.rows(a);
                    let distance = |row: usize, side: usize| {
                        let from = _mm256_sub_ps(_mm256_loadu_ps(node.planes[row].as_ptr()), _mm256_set1_ps(space.origins[side][a]));
                        _mm256_mul_ps(from, _mm256_set1_ps(space.inverse[side][a]))
                    };
                    // The second operand is the result if the first is NaN.
                    enter = _mm256_max_ps(distance(first, 0), enter);
                    leave = _mm256_min_ps(distance(last, 1), leave);
                }
                let met = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(enter, leave)) as u32;
                let mut distances = [0.0; WIDTH];
                _mm256_storeu_ps(distances.as_mut_ptr(), enter);
                (distances, met & ((1u32 << node.len) - 1))
            }
        }

        #[inline(always)]
        fn four(self, space: &RaySpace, triangles: [&Triangle; TOGETHER]) -> u32 {
            const { assert!(size_of::<Triangle>() == 12 * size_of::<f32>()) }
            // SAFETY: the processor has SSE, and the three loads of a triangle are its twelve words.
            unsafe {
                let words = |i: usize, k: usize| _mm_loadu_ps((&raw const *triangles[i]).cast::<f32>().add(4 * k));
                // Rows of nine coordinates, each of four triangles; the last three words are not coordinates.
                let mut rows = [_mm_setzero_ps(); 12];
                for k in 0..3 {
                    let (mut a, mut b, mut c, mut d) = (words(0, k), words(1, k), words(2, k), words(3, k));
                    _MM_TRANSPOSE4_PS(&mut a, &mut b, &mut c, &mut d);
                    rows[4 * k..][..4].copy_from_slice(&[a, b, c, d]);
                }
                let [x, y, z] = space.axes;
                let origin = |a: usize| _mm_set1_ps(space.origin[a]);
                let (ox, oy, oz) = (origin(x), origin(y), origin(z));
                let (sx, sy) = (_mm_set1_ps(space.shear[0]), _mm_set1_ps(space.shear[1]));
                let corner = |k: usize| {
                    let h = _mm_sub_ps(rows[3 * k + z], oz);
                    let along = |row: __m128, o: __m128, s: __m128| _mm_sub_ps(_mm_sub_ps(row, o), _mm_mul_ps(s, h));
                    (along(rows[3 * k + x], ox, sx), along(rows[3 * k + y], oy, sy))
                };
                let (a, b, c) = (corner(0), corner(1), corner(2));
                let sign = _mm_set1_ps(-0.0);
                let (relative, least) = (_mm_set1_ps(MARGIN), _mm_set1_ps(f32::MIN_POSITIVE));
                let edge = |p: (__m128, __m128), q: (__m128, __m128)| {
                    let (left, right) = (_mm_mul_ps(p.0, q.1), _mm_mul_ps(p.1, q.0));
                    let sum = _mm_add_ps(_mm_andnot_ps(sign, left), _mm_andnot_ps(sign, right));
                    let margin = _mm_add_ps(_mm_mul_ps(sum, relative), least);
                    let difference = _mm_sub_ps(left, right);
                    (_mm_cmpgt_ps(difference, margin), _mm_cmplt_ps(difference, _mm_xor_ps(margin, sign)))
                };
                let (u, v, w) = (edge(c, b), edge(a, c), edge(b, a));
                let any = |a: __m128, b: __m128, c: __m128| _mm_or_ps(_mm_or_ps(a, b), c);
                let outside = _mm_and_ps(any(u.0, v.0, w.0), any(u.1, v.1, w.1));
                !(_mm_movemask_ps(outside) as u32) & 0b1111
            }
        }

        #[inline(always)]
        fn load<T>(self, list: &[T], at: usize) {
            let from = list.as_ptr().wrapping_add(at).cast::<i8>();
            for line in 0..4 {
                // SAFETY: the processor has SSE, and a prefetch of any address does no harm.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(64 * line)) };
            }
        }
    }
}
