//! Ray–box and ray–triangle intersection: per-ray constants in one coordinate space, computed once.
//!
//! **Boxes are conservative.** The triangle test uses coordinates relative to the origin, sheared along the ray; each carries a
//! rounding error of a few ulps of the largest of them. So that a box test never hides a triangle that the triangle test would
//! hit, the planes are moved apart by that much (by moving the origin the opposite way), and distances are compared with some
//! slack.
//!
//! **Triangles are watertight** (after Woop, Benthin and Wald): vertices are projected along the ray onto a plane, where three
//! edge functions give the side of each edge on which the ray is. Each is a difference of two products of 32-bit floats, so
//! 64-bit arithmetic gives its exact sign: the decision is exact in the projection, which is the same for all triangles that
//! share a vertex. A ray through an edge or a vertex belongs to exactly one triangle by the top-left rule: an edge that ascends,
//! or is horizontal and runs left, belongs to the triangle.

use super::bvh::Bvh;
use super::math::{V3, greater, lesser, three};

/// Bound of the rounding error of a projection, relative to the largest coordinate, in units of half an ulp, with margin.
const ERROR: f32 = 16.0 / 16_777_216.0;
/// Relative slack of distances to planes.
const SLACK: f32 = 1.0 + 8.0 / 16_777_216.0;

/// A ray in one coordinate space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaySpace {
    pub(super) origin: V3,
    /// 1 / direction, for near planes and, with slack, for far planes.
    pub(super) inverse: [[f32; 4]; 2],
    /// Axes along which the ray goes backwards: it comes to the maximum first.
    backwards: [bool; 3],
    /// The origin for near and far planes.
    pub(super) origins: [[f32; 4]; 2],
    /// Axes of the projection; the last is the longest axis of the direction.
    pub(super) axes: [usize; 3],
    /// Shear of the projection along x and y per unit of z.
    pub(super) shear: [f32; 2],
    /// 1 / direction along the longest axis.
    per_z: f64,
}

/// A four-component vector from a function of the index.
#[inline(always)]
pub(super) fn four(f: impl Fn(usize) -> f32) -> [f32; 4] {
    [f(0), f(1), f(2), f(3)]
}

/// A ray–triangle intersection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intersection {
    /// Distance in lengths of the direction.
    pub t: f32,
    /// Weights of the second and third vertex.
    pub barycentrics: [f32; 2],
    /// The vertices appear clockwise from the origin (x right, y up, z away).
    pub clockwise: bool,
}

impl RaySpace {
    /// No ray.
    pub const NONE: RaySpace = RaySpace {
        origin: [0.0; 3],
        inverse: [[0.0; 4]; 2],
        backwards: [false; 3],
        origins: [[0.0; 4]; 2],
        axes: [0, 1, 2],
        shear: [0.0; 2],
        per_z: 0.0,
    };

    /// A ray in the space of a tree. `slop` is an existing error bound of the origin.
    #[inline(always)]
    pub fn new(origin: V3, direction: V3, tree: &Bvh, slop: f32) -> RaySpace {
        let error = (tree.reach(origin) + slop) * ERROR + f32::MIN_POSITIVE;
        let size = three(|a| direction[a].abs());
        let z = if size[0] > size[1] {
            if size[0] > size[2] { 0 } else { 2 }
        } else if size[1] > size[2] {
            1
        } else {
            2
        };
        // Preserves the winding: for a ray along a negative axis the other two are swapped.
        const AXES: [[[usize; 3]; 2]; 3] = [[[1, 2, 0], [2, 1, 0]], [[2, 0, 1], [0, 2, 1]], [[0, 1, 2], [1, 0, 2]]];
        let axes = AXES[z][usize::from(direction[z] < 0.0)];
        let per_z = 1.0 / f64::from(direction[z]);
        let shear = |a: usize| (f64::from(direction[a]) * per_z) as f32;
        // Three axes, as vectors of four.
        let (o, d) = ([origin[0], origin[1], origin[2], 0.0], [direction[0], direction[1], direction[2], 1.0]);
        let inverse = four(|a| 1.0 / d[a]);
        let late = four(|a| inverse[a] * SLACK);
        // The origin is moved by at least one ulp, whatever its magnitude; backwards where the ray goes forward.
        let moved = four(|a| greater(error, o[a].abs() * f32::EPSILON).copysign(d[a]));
        let (first, last) = (four(|a| o[a] + moved[a]), four(|a| o[a] - moved[a]));
        RaySpace {
            origin,
            inverse: [inverse, late],
            backwards: three(|a| d[a].is_sign_negative()),
            origins: [first, last],
            axes,
            shear: [shear(axes[0]), shear(axes[1])],
            per_z,
        }
    }

    /// Rows of [`Node::planes`](super::bvh::Node::planes) along an axis: of the near planes, and of the far planes.
    #[inline(always)]
    pub fn rows(&self, axis: usize) -> (usize, usize) {
        let back = self.backwards[axis];
        (axis + 3 * usize::from(back), axis + 3 * usize::from(!back))
    }

    /// Whether the ray intersects a box between `from` and `to`.
    #[inline(always)]
    pub fn meets(&self, lo: V3, hi: V3, from: f32, to: f32) -> bool {
        let planes = [lo, hi];
        let (mut enter, mut leave) = (from, to);
        for a in 0..3 {
            let plane = |side: usize| planes[usize::from(self.backwards[a] == (side == 0))][a] - self.origins[side][a];
            enter = greater(plane(0) * self.inverse[0][a], enter);
            leave = lesser(plane(1) * self.inverse[1][a], leave);
        }
        enter <= leave
    }

    /// The intersection of the ray's line with a triangle.
    #[inline(always)]
    pub fn triangle(&self, v: &[V3; 3]) -> Option<Intersection> {
        let [x, y, z] = self.axes;
        let o = &self.origin;
        let [sx, sy] = self.shear;
        let project = |p: &V3| {
            let h = p[z] - o[z];
            let px = (p[x] - o[x]) - sx * h;
            let py = (p[y] - o[y]) - sy * h;
            (f64::from(px), f64::from(py), h)
        };
        let (ax, ay, az) = project(&v[0]);
        let (bx, by, bz) = project(&v[1]);
        let (cx, cy, cz) = project(&v[2]);
        // Products of 32-bit floats are exact here, so the signs are.
        let u = cx * by - cy * bx;
        let v = ax * cy - ay * cx;
        let w = bx * ay - by * ax;
        if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
            return None;
        }
        let det = u + v + w;
        if det == 0.0 || det.is_nan() {
            return None; // edge-on
        }
        if u == 0.0 || v == 0.0 || w == 0.0 {
            // On an edge: inside if the edge, traversed with the triangle on its left, is an own edge (top-left rule).
            let own = |dx: f64, dy: f64| {
                let (dx, dy) = if det > 0.0 { (-dx, -dy) } else { (dx, dy) };
                dy > 0.0 || (dy == 0.0 && dx < 0.0)
            };
            let out = |e: f64, dx: f64, dy: f64| e == 0.0 && !own(dx, dy);
            if out(u, cx - bx, cy - by) || out(v, ax - cx, ay - cy) || out(w, bx - ax, by - ay) {
                return None;
            }
        }
        let scale = 1.0 / det;
        let (u, v, w) = (u * scale, v * scale, w * scale);
        let z = u * f64::from(az) + v * f64::from(bz) + w * f64::from(cz);
        let t = (z * self.per_z) as f32;
        Some(Intersection { t, barycentrics: [v as f32, w as f32], clockwise: det > 0.0 })
    }
}
