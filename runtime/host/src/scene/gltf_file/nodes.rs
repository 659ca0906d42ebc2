//! The nodes of a glTF file: where meshes and cameras are at a time.

use super::super::path::hermite;

/// Column-major, as glTF stores matrices.
pub(super) type Matrix = [[f32; 4]; 4];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// The nodes of a file, parents before children.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Nodes {
    pub(super) list: Vec<PlacedNode>,
    pub(super) channels: Vec<Channel>,
    /// Whether the animation begins again when it has ended.
    pub(super) repeat: bool,
}

/// A node.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PlacedNode {
    /// Its number in the file.
    pub index: usize,
    pub name: Option<String>,
    /// Among the nodes of the list.
    pub parent: Option<usize>,
    pub local: Local,
    pub mesh: Option<usize>,
    /// Vertical field of view in degrees, near, far.
    pub camera: Option<(f32, f32, Option<f32>)>,
}

/// A node's transform.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Local {
    Matrix(Matrix),
    Parts { translation: [f32; 3], rotation: [f32; 4], scale: [f32; 3] },
}

/// A property of a node that an animation changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Property {
    Translation,
    Rotation,
    Scale,
}

/// What is between keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Between {
    Step,
    Linear,
    Cubic,
}

/// A property over time.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Channel {
    /// Among the nodes of the list.
    pub node: usize,
    pub property: Property,
    pub between: Between,
    /// Seconds, increasing; at least one.
    pub times: Vec<f32>,
    /// A value of each key; for cubic ones slope before, value, slope after.
    pub values: Vec<[f32; 4]>,
}

impl Channel {
    fn at(&self, time: f32) -> [f32; 4] {
        let value = |key: usize| self.values[if self.between == Between::Cubic { 3 * key + 1 } else { key }];
        let after = self.times.partition_point(|t| *t <= time);
        if after == 0 {
            return value(0);
        }
        if after == self.times.len() {
            return value(after - 1);
        }
        let (from, to) = (value(after - 1), value(after));
        let length = self.times[after] - self.times[after - 1];
        let s = (time - self.times[after - 1]) / length;
        let mut out = from;
        match self.between {
            Between::Step => {}
            Between::Linear if self.property == Property::Rotation => out = slerp(from, to, s),
            Between::Linear => (0..4).for_each(|i| out[i] = from[i] + (to[i] - from[i]) * s),
            Between::Cubic => {
                let (leaves, arrives) = (self.values[3 * (after - 1) + 2], self.values[3 * after]);
                (0..4).for_each(|i| out[i] = hermite(from[i], leaves[i] * length, to[i], arrives[i] * length, s));
            }
        }
        if self.property == Property::Rotation { normalized(out) } else { out }
    }
}

fn normalized(q: [f32; 4]) -> [f32; 4] {
    let length = q.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 { q.map(|x| x / length) } else { [0.0, 0.0, 0.0, 1.0] }
}

/// Along the shorter arc between two unit quaternions.
fn slerp(a: [f32; 4], b: [f32; 4], s: f32) -> [f32; 4] {
    let cosine: f32 = (0..4).map(|i| a[i] * b[i]).sum();
    let (b, cosine) = if cosine < 0.0 { (b.map(|x| -x), -cosine) } else { (b, cosine) };
    let (from, to) = if cosine > 0.9995 {
        (1.0 - s, s)
    } else {
        let angle = cosine.acos();
        (((1.0 - s) * angle).sin() / angle.sin(), (s * angle).sin() / angle.sin())
    };
    [0, 1, 2, 3].map(|i| a[i] * from + b[i] * to)
}

impl Local {
    fn matrix(&self) -> Matrix {
        match self {
            Local::Matrix(m) => *m,
            Local::Parts { translation: t, rotation, scale } => {
                let [x, y, z, w] = normalized(*rotation);
                let columns = [
                    [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
                    [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
                    [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
                ];
                let [a, b, c] = [0, 1, 2].map(|i| {
                    let [p, q, r] = columns[i].map(|v| v * scale[i]);
                    [p, q, r, 0.0]
                });
                [a, b, c, [t[0], t[1], t[2], 1.0]]
            }
        }
    }
}

/// Column-major product.
pub(super) fn multiply(a: Matrix, b: Matrix) -> Matrix {
    let mut out = [[0.0; 4]; 4];
    for (c, column) in out.iter_mut().enumerate() {
        for (r, x) in column.iter_mut().enumerate() {
            *x = (0..4).map(|k| a[k][r] * b[c][k]).sum();
        }
    }
    out
}

/// Three rows of four in a left-handed world: z is negated before and after.
fn left_handed(m: &Matrix) -> [[f32; 4]; 3] {
    let sign = |i: usize| if i == 2 { -1.0 } else { 1.0 };
    [0, 1, 2].map(|r| [0, 1, 2, 3].map(|c| m[c][r] * sign(r) * sign(c)))
}

/// Eye, a point that it looks at, and the direction up.
type View = ([f32; 3], [f32; 3], [f32; 3]);

impl Nodes {
    /// Whether something moves.
    pub fn is_animated(&self) -> bool {
        !self.channels.is_empty()
    }

    /// The world matrix of each node at a time, before z is negated.
    pub(super) fn worlds(&self, time: f32) -> Vec<Matrix> {
        let end = self.channels.iter().filter_map(|c| c.times.last()).fold(0.0_f32, |a, b| a.max(*b));
        let time = if self.repeat && end > 0.0 { time.rem_euclid(end) } else { time };
        let mut locals: Vec<Local> = self.list.iter().map(|n| n.local).collect();
        for c in &self.channels {
            let Local::Parts { translation, rotation, scale } = &mut locals[c.node] else { continue };
            let [x, y, z, w] = c.at(time);
            match c.property {
                Property::Translation => *translation = [x, y, z],
                Property::Rotation => *rotation = [x, y, z, w],
                Property::Scale => *scale = [x, y, z],
            }
        }
        let mut out: Vec<Matrix> = Vec::with_capacity(self.list.len());
        for (node, local) in self.list.iter().zip(&locals) {
            let parent = node.parent.map_or(IDENTITY, |p| out[p]);
            out.push(multiply(parent, local.matrix()));
        }
        out
    }

    /// The mesh of each node that has one, and where it is, for a left-handed world.
    pub fn instances(&self, time: f32) -> Vec<(usize, [[f32; 4]; 3])> {
        let worlds = self.worlds(time);
        self.list.iter().zip(&worlds).filter_map(|(n, m)| Some((n.mesh?, left_handed(m)))).collect()
    }

    /// What a camera at a node sees at a time.
    pub(super) fn view(&self, node: usize, time: f32) -> View {
        let m = left_handed(&self.worlds(time)[node]);
        let column = |c: usize| [m[0][c], m[1][c], m[2][c]];
        let (eye, up, forward) = (column(3), column(1), column(2));
        let length = forward.iter().map(|x| x * x).sum::<f32>().sqrt();
        (eye, [0, 1, 2].map(|i| eye[i] + forward[i] / length), up)
    }

    /// The first node with a camera, or the one of that name.
    pub(in crate::scene) fn camera(&self, name: Option<&str>) -> Option<usize> {
        self.list.iter().position(|n| n.camera.is_some() && name.is_none_or(|name| n.name.as_deref() == Some(name)))
    }

    /// The camera of a node, at the time 0.
    pub(in crate::scene) fn lens(&self, node: usize, aspect: f32) -> crate::scene::Camera {
        let (eye, look_at, up) = self.view(node, 0.0);
        let (fov_y, near, far) = self.list[node].camera.unwrap_or((60.0, 0.1, None));
        crate::scene::Camera { eye, look_at, up, fov_y, aspect, near, far: far.unwrap_or(near.max(1.0) * 1000.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(between: Between, property: Property, values: &[[f32; 4]]) -> Channel {
        Channel { node: 0, property, between, times: vec![1.0, 2.0], values: values.to_vec() }
    }

    #[test]
    fn between_keys() {
        let (a, b) = ([0.0; 4], [2.0, 4.0, 0.0, 0.0]);
        let x = |c: &Channel| [0.0, 1.0, 1.5, 2.0, 3.0].map(|t| c.at(t)[0]);
        assert_eq!(x(&channel(Between::Step, Property::Scale, &[a, b])), [0.0, 0.0, 0.0, 2.0, 2.0]);
        assert_eq!(x(&channel(Between::Linear, Property::Scale, &[a, b])), [0.0, 0.0, 1.0, 2.0, 2.0]);
        let slope = [4.0, 0.0, 0.0, 0.0];
        let cubic = channel(Between::Cubic, Property::Translation, &[[9.0; 4], a, slope, a, b, [9.0; 4]]);
        assert_eq!(x(&cubic), [0.0, 0.0, 1.5, 2.0, 2.0]);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let turn = channel(Between::Linear, Property::Rotation, &[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half, half]]);
        let eighth = turn.at(1.5);
        assert!((eighth[2] - 22.5_f32.to_radians().sin()).abs() < 1e-6 && (eighth[3] - 22.5_f32.to_radians().cos()).abs() < 1e-6);
    }

    #[test]
    fn children_follow_their_parents() {
        let parts = |translation, rotation| Local::Parts { translation, rotation, scale: [2.0; 3] };
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let node = |parent, local| PlacedNode { index: 0, name: None, parent, local, mesh: Some(7), camera: None };
        // A quarter turn around y: x goes to -z.
        let nodes = Nodes {
            list: vec![
                node(None, parts([1.0, 0.0, 0.0], [0.0, half, 0.0, half])),
                node(Some(0), parts([3.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])),
            ],
            ..Nodes::default()
        };
        let made = nodes.instances(0.0);
        assert_eq!(made[1].0, 7);
        let [x, y, z] = [0, 1, 2].map(|r| made[1].1[r][3]);
        assert!((x - 1.0).abs() < 1e-5 && y.abs() < 1e-5 && (z - 6.0).abs() < 1e-5, "{x} {y} {z}");
        assert!((made[1].1[1][1] - 4.0).abs() < 1e-5);
        assert!(!nodes.is_animated());
    }
}
