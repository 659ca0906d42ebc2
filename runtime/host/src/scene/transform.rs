//! Affine transforms of a scene: twelve numbers, or `scale`, `rotate` and `translate`.

use super::reader::Node;
use crate::error::Result;

/// Three rows of four numbers, given as numbers or as `{ scale, rotate, translate }`, applied in this order.
pub(super) fn transform(n: &Node<'_>) -> Result<[[f32; 4]; 3]> {
    if n.is_array() {
        let mut out = [[0.0; 4]; 3];
        let items = n.list()?;
        if items.first().is_some_and(Node::is_array) {
            if items.len() != 3 {
                return Err(n.error(format!("expected 3 rows, found {}", items.len())));
            }
            for (row, item) in out.iter_mut().zip(&items) {
                *row = item.floats::<4>()?;
            }
        } else {
            out.as_flattened_mut().copy_from_slice(&n.floats::<12>()?);
        }
        return Ok(out);
    }
    let t = n.table()?;
    let scale = match t.take("scale") {
        None => [1.0; 3],
        Some(n) if n.is_array() => n.floats::<3>()?,
        Some(n) => [n.float()?; 3],
    };
    let mut rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    if let Some(n) = t.take("rotate") {
        let r = n.table()?;
        let axis_node = r.need("axis")?;
        let a = axis_node.floats::<3>()?;
        let degrees = r.need("degrees")?.float()?;
        r.finish()?;
        let length = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt();
        if length.is_nan() || length <= 0.0 {
            return Err(axis_node.error("the axis has length zero"));
        }
        rotation = rotate(a.map(|x| x / length), degrees.to_radians());
    }
    let translate = t.or("translate", |n| n.floats::<3>(), [0.0; 3])?;
    t.finish()?;
    let mut out = [[0.0; 4]; 3];
    for (r, row) in out.iter_mut().enumerate() {
        for c in 0..3 {
            row[c] = rotation[r][c] * scale[c];
        }
        row[3] = translate[r];
    }
    Ok(out)
}

/// The rotation about a unit axis.
fn rotate(a: [f32; 3], angle: f32) -> [[f32; 3]; 3] {
    let (s, c) = angle.sin_cos();
    let k = 1.0 - c;
    [
        [c + a[0] * a[0] * k, a[0] * a[1] * k - a[2] * s, a[0] * a[2] * k + a[1] * s],
        [a[1] * a[0] * k + a[2] * s, c + a[1] * a[1] * k, a[1] * a[2] * k - a[0] * s],
        [a[2] * a[0] * k - a[1] * s, a[2] * a[1] * k + a[0] * s, c + a[2] * a[2] * k],
    ]
}
