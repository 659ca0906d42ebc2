//! A pinhole camera, and the view and projection constants that shaders read.
//!
//! Left-handed, as in D3D samples: x to the right, y up, z into the picture. Points are row vectors
//! multiplied from the left in the matrices' names (`world_to_view` takes world to view), and matrices are
//! given for HLSL's `mul(matrix, vector)` with column vectors, row by row.

use super::reader::Table;
use super::values::Type;
use crate::error::Result;
use std::cmp::Ordering;

/// A pinhole camera.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Camera {
    /// Where it is.
    pub eye: [f32; 3],
    /// What it looks at.
    pub look_at: [f32; 3],
    /// Which way is up, roughly.
    pub up: [f32; 3],
    /// Vertical field of view in degrees.
    pub fov_y: f32,
    /// Width over height of the picture.
    pub aspect: f32,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane.
    pub far: f32,
}

/// The values by name, with their types.
pub const CAMERA_VALUES: [(&str, &str); 12] = [
    ("eye", "float3"),
    ("right", "float3"),
    ("up", "float3"),
    ("forward", "float3"),
    ("tan_half_fov", "float"),
    ("aspect", "float"),
    ("view_to_world", "float4x4"),
    ("world_to_view", "float4x4"),
    ("view_to_clip", "float4x4"),
    ("clip_to_view", "float4x4"),
    ("world_to_clip", "float4x4"),
    ("clip_to_world", "float4x4"),
];

type Matrix = [[f32; 4]; 4];

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn normalize(a: [f32; 3]) -> [f32; 3] {
    let l = dot(a, a).sqrt();
    [a[0] / l, a[1] / l, a[2] / l]
}

fn multiply(a: Matrix, b: Matrix) -> Matrix {
    let mut out = [[0.0; 4]; 4];
    for (r, row) in out.iter_mut().enumerate() {
        for (c, x) in row.iter_mut().enumerate() {
            *x = (0..4).map(|k| a[r][k] * b[k][c]).sum();
        }
    }
    out
}

impl Camera {
    /// Reads `[camera]`; `aspect` is that of the dispatch unless the table says otherwise, and what a glTF file has, `given`, is the
    /// default of the rest.
    pub(super) fn read(t: &Table<'_>, aspect: f32, given: Option<Camera>) -> Result<Camera> {
        let default =
            given.unwrap_or(Camera { eye: [0.0; 3], look_at: [0.0; 3], up: [0.0, 1.0, 0.0], fov_y: 60.0, aspect, near: 0.1, far: 1000.0 });
        let eye = if given.is_some() { t.or("eye", |n| n.floats(), default.eye)? } else { t.need("eye")?.floats()? };
        Ok(Camera {
            eye,
            look_at: t.or("look_at", |n| n.floats(), default.look_at)?,
            up: t.or("up", |n| n.floats(), default.up)?,
            fov_y: t.or("fov_y", |n| n.float(), default.fov_y)?,
            aspect: t.or("aspect", |n| n.float(), aspect)?,
            near: t.or("near", |n| n.float(), default.near)?,
            far: t.or("far", |n| n.float(), default.far)?,
        })
    }

    /// Whether it sees something; if not, why.
    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        let forward = sub(self.look_at, self.eye);
        let zero = |v| dot(v, v).partial_cmp(&0.0) != Some(Ordering::Greater);
        if zero(forward) {
            return Err("`eye` and `look_at` are the same point".into());
        }
        let side = cross(self.up, forward);
        if zero(side) {
            return Err("the camera looks along its `up` direction".into());
        }
        if !(self.fov_y > 0.0 && self.fov_y < 180.0) {
            return Err(format!("`fov_y` is {} degrees: expected more than 0 and less than 180", self.fov_y));
        }
        if !(self.aspect > 0.0 && self.near > 0.0 && self.far > self.near) {
            return Err("expected 0 < aspect and 0 < near < far".into());
        }
        Ok(())
    }

    /// To the right, up, and forward, of length 1.
    pub fn axes(&self) -> [[f32; 3]; 3] {
        let forward = normalize(sub(self.look_at, self.eye));
        let right = normalize(cross(self.up, forward));
        [right, cross(forward, right), forward]
    }

    fn view_to_world(&self) -> Matrix {
        let [r, u, f] = self.axes();
        let e = self.eye;
        [[r[0], u[0], f[0], e[0]], [r[1], u[1], f[1], e[1]], [r[2], u[2], f[2], e[2]], [0.0, 0.0, 0.0, 1.0]]
    }

    fn world_to_view(&self) -> Matrix {
        let row = |a: [f32; 3]| [a[0], a[1], a[2], -dot(a, self.eye)];
        let [r, u, f] = self.axes();
        [row(r), row(u), row(f), [0.0, 0.0, 0.0, 1.0]]
    }

    fn tan_half_fov(&self) -> f32 {
        (self.fov_y.to_radians() * 0.5).tan()
    }

    /// D3D's clip space: depth from 0 at the near plane to 1 at the far one.
    fn view_to_clip(&self) -> Matrix {
        let y = 1.0 / self.tan_half_fov();
        let x = y / self.aspect;
        let a = self.far / (self.far - self.near);
        let b = -self.near * a;
        [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, a, b], [0.0, 0.0, 1.0, 0.0]]
    }

    fn clip_to_view(&self) -> Matrix {
        let y = self.tan_half_fov();
        let a = self.far / (self.far - self.near);
        let b = -self.near * a;
        [[y * self.aspect, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0 / b, -a / b]]
    }

    /// A value of [`CAMERA_VALUES`]: its type and its scalars, row by row.
    pub(super) fn value(&self, name: &str) -> Option<(Type, Vec<u32>)> {
        let [right, up, forward] = self.axes();
        let flat = |m: Matrix| m.as_flattened().to_vec();
        let values = match name {
            "eye" => self.eye.to_vec(),
            "right" => right.to_vec(),
            "up" => up.to_vec(),
            "forward" => forward.to_vec(),
            "tan_half_fov" => vec![self.tan_half_fov()],
            "aspect" => vec![self.aspect],
            "view_to_world" => flat(self.view_to_world()),
            "world_to_view" => flat(self.world_to_view()),
            "view_to_clip" => flat(self.view_to_clip()),
            "clip_to_view" => flat(self.clip_to_view()),
            "world_to_clip" => flat(multiply(self.view_to_clip(), self.world_to_view())),
            "clip_to_world" => flat(multiply(self.view_to_world(), self.clip_to_view())),
            _ => return None,
        };
        let ty = CAMERA_VALUES.iter().find(|v| v.0 == name).and_then(|v| Type::parse(v.1))?;
        Some((ty, values.into_iter().map(f32::to_bits).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAMERA: Camera =
        Camera { eye: [1.0, 2.0, -5.0], look_at: [0.0, 0.5, 3.0], up: [0.0, 1.0, 0.0], fov_y: 50.0, aspect: 1.5, near: 0.1, far: 100.0 };

    #[track_caller]
    fn identity(m: Matrix) {
        for (r, row) in m.iter().enumerate() {
            for (c, x) in row.iter().enumerate() {
                let expected = if r == c { 1.0 } else { 0.0 };
                assert!((x - expected).abs() < 1e-4, "{m:?}");
            }
        }
    }

    #[test]
    fn inverses() {
        identity(multiply(CAMERA.view_to_world(), CAMERA.world_to_view()));
        identity(multiply(CAMERA.view_to_clip(), CAMERA.clip_to_view()));
    }

    #[test]
    fn every_value_has_the_size_of_its_type() {
        for (name, _) in CAMERA_VALUES {
            let (ty, bits) = CAMERA.value(name).unwrap();
            assert_eq!(bits.len(), ty.components() as usize, "{name}");
        }
        assert!(CAMERA.value("soul").is_none());
    }

    #[test]
    fn the_axes_are_left_handed() {
        let camera = Camera { eye: [0.0, 0.0, -1.0], look_at: [0.0; 3], ..CAMERA };
        assert_eq!(camera.axes(), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    }
}
