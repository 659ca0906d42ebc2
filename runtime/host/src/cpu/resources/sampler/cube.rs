//! Cube maps: projection of directions onto faces, and adjacency of texels across edges.
//!
//! Faces are in the order +x, −x, +y, −y, +z, −z. Among equal components z has precedence over y over x.

/// A point on a cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OnCube {
    /// The face.
    pub face: u32,
    /// Coordinates on the face, across and down, from 0 to 1.
    pub uv: [f64; 2],
}

/// For each face: the components that run across, down and outwards, with their signs.
const AXES: [[(usize, f64); 3]; 6] = [
    [(2, -1.0), (1, -1.0), (0, 1.0)],
    [(2, 1.0), (1, -1.0), (0, -1.0)],
    [(0, 1.0), (2, 1.0), (1, 1.0)],
    [(0, 1.0), (2, -1.0), (1, -1.0)],
    [(0, 1.0), (1, -1.0), (2, 1.0)],
    [(0, -1.0), (1, -1.0), (2, -1.0)],
];

/// The face of a direction.
fn face(d: [f64; 3]) -> u32 {
    let [x, y, z] = d.map(f64::abs);
    let (axis, positive) = if z >= x && z >= y {
        (2, d[2] >= 0.0)
    } else if y >= x {
        (1, d[1] >= 0.0)
    } else {
        (0, d[0] >= 0.0)
    };
    2 * axis + u32::from(!positive)
}

/// The components across, down and outwards of a direction on a face.
fn on(face: u32, d: [f64; 3]) -> [f64; 3] {
    AXES[face as usize].map(|(axis, sign)| sign * d[axis])
}

/// Projects a direction onto the cube. The zero vector gives the centre of a face.
pub(super) fn project(d: [f64; 3]) -> OnCube {
    let face = face(d);
    let [s, t, out] = on(face, d);
    let uv = if out > 0.0 { [s, t].map(|x| 0.5 * (x / out + 1.0)) } else { [0.5; 2] };
    OnCube { face, uv }
}

/// The derivative of the projection, in units of the face, for a change of the direction.
pub(super) fn derivative(d: [f64; 3], change: [f64; 3]) -> [f64; 2] {
    let face = face(d);
    let ([s, t, out], [ds, dt, dout]) = (on(face, d), on(face, change));
    [(s, ds), (t, dt)].map(|(x, dx)| 0.5 * (dx * out - x * dout) / (out * out))
}

/// The face, column and row of the texel adjacent to a face of `size` × `size` texels, at a column or row just outside of it.
pub(super) fn neighbour(face: u32, [i, j]: [i64; 2], size: u32) -> (u32, [u32; 2]) {
    let n = f64::from(size);
    // The centre of the texel in the plane of the face, as a direction. It leaves the cube at the edge of the face, and its
    // projection is in the correct texel: at least 1 / (n + 1) of a texel from the texel's edges.
    let place = [i, j].map(|x| (2.0 * x as f64 + 1.0) / n - 1.0);
    let mut d = [0.0; 3];
    for (&(axis, sign), x) in AXES[face as usize].iter().zip([place[0], place[1], 1.0]) {
        d[axis] = sign * x;
    }
    let there = project(d);
    let texel = there.uv.map(|x| (x * n).floor().clamp(0.0, n - 1.0) as u32);
    (there.face, texel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_meet_the_middles_of_faces() {
        for face in 0..6 {
            let mut d = [0.0; 3];
            d[face as usize / 2] = if face % 2 == 0 { 2.0 } else { -2.0 };
            assert_eq!(project(d), OnCube { face, uv: [0.5; 2] });
        }
        assert!((0..6).contains(&project([0.0; 3]).face));
        assert_eq!(project([0.0; 3]).uv, [0.5; 2]);
        assert!((0..6).contains(&project([f64::NAN; 3]).face));
    }

    #[test]
    fn ties_go_to_z_then_y() {
        assert_eq!(project([1.0, 1.0, 1.0]).face, 4);
        assert_eq!(project([1.0, -1.0, -1.0]).face, 5);
        assert_eq!(project([-1.0, -1.0, 0.5]).face, 3);
        assert_eq!(project([-1.0, 0.9, 0.5]).face, 1);
    }

    #[test]
    fn directions_are_where_direct3d_draws_them() {
        // Viewed from inside of the cube: on +x, z runs to the left and y up; on +y, z runs down.
        assert_eq!(project([1.0, 0.5, 0.5]), OnCube { face: 0, uv: [0.25, 0.25] });
        assert_eq!(project([-1.0, 0.5, 0.5]), OnCube { face: 1, uv: [0.75, 0.25] });
        assert_eq!(project([0.5, 1.0, 0.5]), OnCube { face: 2, uv: [0.75, 0.75] });
        assert_eq!(project([0.5, -1.0, 0.5]), OnCube { face: 3, uv: [0.75, 0.25] });
        assert_eq!(project([0.5, 0.5, 1.0]), OnCube { face: 4, uv: [0.75, 0.25] });
        assert_eq!(project([0.5, 0.5, -1.0]), OnCube { face: 5, uv: [0.25, 0.25] });
    }

    /// The direction of the centre of a texel.
    fn direction(face: u32, at: [u32; 2], size: u32) -> [f64; 3] {
        let n = f64::from(size);
        let mut d = [0.0; 3];
        let place = at.map(|x| (2.0 * f64::from(x) + 1.0) / n - 1.0);
        for (&(axis, sign), x) in AXES[face as usize].iter().zip([place[0], place[1], 1.0]) {
            d[axis] = sign * x;
        }
        d
    }

    #[test]
    fn neighbours_are_the_texels_that_touch() {
        for size in [1u32, 2, 3, 7, 64, 1000, 16384] {
            let n = i64::from(size);
            let some: Vec<i64> = [0, 1, n / 3, n / 2, n - 2, n - 1].into_iter().filter(|k| (0..n).contains(k)).collect();
            for face in 0..6 {
                for &k in &some {
                    for (out, inside) in [([-1, k], [0, k]), ([n, k], [n - 1, k]), ([k, -1], [k, 0]), ([k, n], [k, n - 1])] {
                        let (other, at) = neighbour(face, out, size);
                        assert_ne!(other / 2, face / 2, "neither the same face nor the opposite one");
                        // Both centres are half a texel from the same point of the same edge.
                        let a = direction(face, inside.map(|x| x as u32), size);
                        let b = direction(other, at, size);
                        let apart = (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max);
                        assert!(apart <= 1.0 / f64::from(size) + 1e-9, "{size} {face} {out:?}: {apart}");
                        // The adjacency is symmetric.
                        let back = [[-1, 0], [1, 0], [0, -1], [0, 1]].into_iter().any(|[x, y]: [i64; 2]| {
                            let next = [i64::from(at[0]) + x, i64::from(at[1]) + y];
                            next.iter().any(|x| !(0..n).contains(x)) && neighbour(other, next, size) == (face, inside.map(|x| x as u32))
                        });
                        assert!(back, "{size} {face} {out:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn derivatives_are_differences() {
        let d = [0.3, -0.9, 0.4];
        let change = [1e-6, 2e-6, -3e-6];
        let (a, b) = (project(d), project(std::array::from_fn(|i| d[i] + change[i])));
        assert_eq!(a.face, b.face);
        let found = derivative(d, change);
        for i in 0..2 {
            assert!((found[i] - (b.uv[i] - a.uv[i])).abs() < 1e-11);
        }
    }
}
