//! Inactive and inverted primitives, which D3D12 defines and Vulkan does not: input data that both take for the same.
//!
//! A build reads its inputs on the device, where this crate does not look at them. A caller that writes inputs on the host calls these
//! functions first; a shader that writes them does what they do.

use crate::error::{Error, ErrorKind, Result};

/// Bytes of a `D3D12_RAYTRACING_AABB` and of a `VkAabbPositionsKHR`, which are the same.
pub const BOX_SIZE: usize = 24;

/// Makes points of inverted boxes, as D3D12 takes them: each is replaced by its centre. A box whose minimum x is not a number is inactive in
/// both. `stride` is from box to box, at least [`BOX_SIZE`]; bytes between boxes stay.
///
/// # Errors
/// [`ErrorKind::Binding`]: the stride is too small, or there is a part of a box.
pub fn upright_boxes(bytes: &mut [u8], stride: usize) -> Result<()> {
    let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
    if stride < BOX_SIZE {
        return wrong(format!("a stride of {stride} bytes between boxes of {BOX_SIZE}"));
    }
    let len = bytes.len();
    for place in bytes.chunks_mut(stride) {
        let Some(place) = place.first_chunk_mut::<BOX_SIZE>() else {
            return wrong(format!("{len} bytes end in a part of a box"));
        };
        let read = |i: usize| f32::from_le_bytes(std::array::from_fn(|k| place[4 * i + k]));
        let upright = upright(std::array::from_fn(read));
        for (to, from) in place.chunks_exact_mut(4).zip(upright) {
            to.copy_from_slice(&from.to_le_bytes());
        }
    }
    Ok(())
}

/// A box as [`upright_boxes`] leaves it: minimum x, y, z, maximum x, y, z.
pub fn upright(b: [f32; 6]) -> [f32; 6] {
    let mut out = b;
    if (0..3).any(|i| b[i] > b[i + 3]) {
        for i in 0..3 {
            let middle = b[i] * 0.5 + b[i + 3] * 0.5;
            out[i] = middle;
            out[i + 3] = middle;
        }
    }
    out
}

/// D3D12 calls a triangle inactive when any of its vertices has an x that is not a number, Vulkan when all have (or, in newer texts, the
/// first): such triangles get three such vertices, of which one is added if there are indices. Indices out of range are left alone.
pub fn deactivate_triangles(positions: &mut Vec<[f32; 3]>, indices: &mut Option<Vec<u32>>) {
    if !positions.iter().any(|p| p[0].is_nan()) {
        return;
    }
    const NOWHERE: [f32; 3] = [f32::NAN; 3];
    match indices {
        None => {
            for triangle in positions.chunks_exact_mut(3) {
                if triangle.iter().any(|p| p[0].is_nan()) {
                    triangle.fill(NOWHERE);
                }
            }
        }
        Some(indices) => {
            let nowhere = positions.len() as u32;
            positions.push(NOWHERE);
            for triangle in indices.chunks_exact_mut(3) {
                if triangle.iter().any(|&i| positions.get(i as usize).is_some_and(|p| p[0].is_nan())) {
                    triangle.fill(nowhere);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_nan_vertex_makes_a_triangle_inactive() {
        let nan = [f32::NAN, 0.0, 0.0];
        let mut positions = vec![[0.0; 3], nan, [1.0; 3], [2.0; 3], [3.0; 3], [4.0; 3]];
        let mut indexed = (positions.clone(), Some(vec![0, 2, 3, 3, 4, 1]));
        deactivate_triangles(&mut positions, &mut None);
        assert!(positions[..3].iter().all(|p| p[0].is_nan()));
        assert_eq!(positions[3..], [[2.0; 3], [3.0; 3], [4.0; 3]]);
        deactivate_triangles(&mut indexed.0, &mut indexed.1);
        assert_eq!(indexed.1, Some(vec![0, 2, 3, 6, 6, 6]));
        assert!(indexed.0[6][0].is_nan());
    }

    #[test]
    fn inverted_boxes_become_points() {
        assert_eq!(upright([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert_eq!(upright([0.0, 4.0, 0.0, 1.0, 2.0, 1.0]), [0.5, 3.0, 0.5, 0.5, 3.0, 0.5]);
        assert!(upright([f32::NAN, 0.0, 0.0, 1.0, 1.0, 1.0])[0].is_nan());
        let of = |b: [f32; 6]| b.map(f32::to_le_bytes).concat();
        let mut bytes = of([0.0, 4.0, 0.0, 1.0, 2.0, 1.0]);
        bytes.extend([7; 8]);
        bytes.extend(of([f32::NAN, 4.0, 0.0, 1.0, 2.0, 1.0]));
        upright_boxes(&mut bytes, 32).unwrap();
        assert_eq!((&bytes[..24], &bytes[24..32]), (&*of([0.5, 3.0, 0.5, 0.5, 3.0, 0.5]), &[7u8; 8][..]));
        assert!(f32::from_le_bytes([bytes[32], bytes[33], bytes[34], bytes[35]]).is_nan(), "still inactive");
        assert!(upright_boxes(&mut bytes, 20).unwrap_err().message.contains("a stride of 20"));
        assert!(upright_boxes(&mut bytes[..50], 32).unwrap_err().message.contains("50 bytes end in a part of a box"));
        upright_boxes(&mut [], 24).unwrap();
    }
}
