//! Wave operations on constructed lanes.

use super::*;

fn run(scalar: Scalar, lanes: u16, values: &[(u32, &[u64])], op: WaveOp) -> Vec<Vec<u64>> {
    let mut arrived: Vec<ActiveLane> = values.iter().map(|v| ActiveLane { lane: v.0, slots: v.1.to_vec() }).collect();
    let slots = arrived.first().map_or(0, |a| a.slots.len() as u16);
    let shape = Shape { scalar, lanes, slots, site: 0 };
    op(&mut ActiveLanes { shape, width: 32, lanes: &mut arrived });
    arrived.into_iter().map(|a| a.slots).collect()
}

/// The first result of each lane; each passes one argument, followed by constants.
fn one(scalar: Scalar, values: &[u64], more: &[u64], op: WaveOp) -> Vec<u64> {
    let all: Vec<Vec<u64>> = values.iter().map(|&v| std::iter::once(v).chain(more.iter().copied()).collect()).collect();
    let lanes: Vec<(u32, &[u64])> = all.iter().enumerate().map(|(n, v)| (n as u32, v.as_slice())).collect();
    run(scalar, 0, &lanes, op).into_iter().map(|s| s[0]).collect()
}

fn f(v: f32) -> u64 {
    v.to_bits().into()
}

#[test]
fn votes() {
    assert_eq!(one(Scalar::Void, &[0, 1, 0], &[], any), [1, 1, 1]);
    assert_eq!(one(Scalar::Void, &[0, 0], &[], any), [0, 0]);
    assert_eq!(one(Scalar::Void, &[1, 1], &[], every), [1, 1]);
    assert_eq!(one(Scalar::Void, &[0, 1], &[], every), [0, 0]);
    let ballot = run(Scalar::Void, 0, &[(1, &[1, 0, 0, 0]), (40, &[1, 0, 0, 0]), (127, &[1, 0, 0, 0]), (5, &[0; 4])], ballot);
    assert_eq!(ballot[0], [2, 1 << 8, 0, 1 << 31]);
    assert_eq!(ballot[3], ballot[0]);
    assert_eq!(one(Scalar::Void, &[1, 0, 1, 1], &[], count), [3; 4]);
    assert_eq!(one(Scalar::Void, &[1, 0, 1, 1], &[], prefix_count), [0, 1, 1, 2]);
    let first = run(Scalar::Void, 0, &[(3, &[9]), (4, &[9])], is_first);
    assert_eq!(first, [[1], [0]]);
}

#[test]
fn equality() {
    assert_eq!(one(Scalar::I64, &[1 << 40, 1 << 40], &[], all_equal), [1, 1]);
    assert_eq!(one(Scalar::I64, &[1 << 40, 0], &[], all_equal), [0, 0]);
    assert_eq!(one(Scalar::F32, &[f(0.0), f(-0.0)], &[], all_equal), [1, 1]);
    let vectors = run(Scalar::I32, 2, &[(0, &[1, 2]), (1, &[1, 3])], all_equal);
    assert_eq!(vectors, [[1, 0], [1, 0]]);
    let matches = run(Scalar::I32, 0, &[(0, &[7, 0, 0, 0]), (33, &[8, 0, 0, 0]), (64, &[7, 0, 0, 0])], matching);
    assert_eq!((&matches[0][..], &matches[1][..]), (&[1, 0, 1, 0][..], &[0, 2, 0, 0][..]));
    let nan = run(Scalar::F32, 0, &[(0, &[f(f32::NAN), 0, 0, 0]), (1, &[f(f32::NAN), 0, 0, 0])], matching);
    assert_eq!((nan[0][0], nan[1][0]), (3, 3));
}

#[test]
fn reads() {
    assert_eq!(one(Scalar::I32, &[5, 6, 7], &[2], read_at), [7, 7, 7]);
    assert_eq!(one(Scalar::I32, &[5, 6, 7], &[3], read_at), [0, 0, 0]);
    let each = run(Scalar::F16, 2, &[(0, &[1, 2, 4]), (4, &[3, 4, 0])], read_at);
    assert_eq!((&each[0][..2], &each[1][..2]), (&[3, 4][..], &[1, 2][..]));
    assert_eq!(one(Scalar::I1, &[0, 1, 1], &[], read_first), [0, 0, 0]);
}

#[test]
fn reductions() {
    assert_eq!(one(Scalar::I32, &[1, 2, u32::MAX.into()], &[0, 0], active), [2, 2, 2]);
    assert_eq!(one(Scalar::F32, &[f(1.5), f(2.0)], &[1, 0], active), [f(3.0), f(3.0)]);
    assert_eq!(one(Scalar::I16, &[0xFFFF, 3], &[2, 0], active), [0xFFFF, 0xFFFF]);
    assert_eq!(one(Scalar::I16, &[0xFFFF, 3], &[2, 1], active), [3, 3]);
    assert_eq!(one(Scalar::F64, &[1.5f64.to_bits(), 9f64.to_bits()], &[3, 0], active), [9f64.to_bits(); 2]);
    assert_eq!(one(Scalar::I64, &[0b1100, 0b1010], &[0], active_bit), [0b1000; 2]);
    assert_eq!(one(Scalar::I32, &[0b1100, 0b1010], &[2], active_bit), [0b0110; 2]);
    let vectors = run(Scalar::I32, 3, &[(0, &[1, 2, 3, 0, 0]), (9, &[10, 20, 30, 0, 0])], active);
    assert_eq!(vectors[1][..3], [11, 22, 33]);
}

#[test]
fn prefixes() {
    assert_eq!(one(Scalar::I32, &[3, 4, 5], &[0, 0], prefix), [0, 3, 7]);
    assert_eq!(one(Scalar::F32, &[f(3.0), f(4.0), f(5.0)], &[1, 0], prefix), [f(1.0), f(3.0), f(12.0)]);
    // Masks: even lanes, odd lanes.
    let lane = |n: u64| -> [u64; 7] { [n + 1, if n.is_multiple_of(2) { 0x5 } else { 0xA }, 0, 0, 0, 0, 1] };
    let all: Vec<[u64; 7]> = (0..4).map(lane).collect();
    let values: Vec<(u32, &[u64])> = all.iter().enumerate().map(|(n, v)| (n as u32, &v[..])).collect();
    let sums: Vec<u64> = run(Scalar::I32, 0, &values, multi_prefix).into_iter().map(|s| s[0]).collect();
    assert_eq!(sums, [0, 0, 1, 2]);
    assert_eq!(one(Scalar::Void, &[1, 1, 0, 1], &[0b1011, 0, 0, 0], multi_prefix_count), [0, 1, 2, 2]);
}

#[test]
fn quads() {
    assert_eq!(one(Scalar::I32, &[0, 1, 2, 3, 4, 5], &[1], quad_read), [1, 1, 1, 1, 5, 5]);
    assert_eq!(one(Scalar::I32, &[0, 1, 2, 3], &[0], quad_across), [1, 0, 3, 2]);
    assert_eq!(one(Scalar::I32, &[0, 1, 2, 3], &[1], quad_across), [2, 3, 0, 1]);
    assert_eq!(one(Scalar::I32, &[0, 1, 2, 3], &[2], quad_across), [3, 2, 1, 0]);
    assert_eq!(one(Scalar::I1, &[0, 1, 0, 0, 1, 1, 1, 1, 0], &[0], quad_vote), [1, 1, 1, 1, 1, 1, 1, 1, 0]);
    assert_eq!(one(Scalar::I1, &[0, 1, 0, 0, 1, 1, 1, 1, 0], &[1], quad_vote), [0, 0, 0, 0, 1, 1, 1, 1, 0]);
}

#[test]
fn differences_inside_quads() {
    let values = [f(1.0), f(3.0), f(11.0), f(17.0), f(5.0)];
    let of = |op: WaveOp| one(Scalar::F32, &values, &[], op).into_iter().map(|b| f32::from_bits(b as u32)).collect::<Vec<_>>();
    assert_eq!(of(derivative::<false, false>), [2.0, 2.0, 2.0, 2.0, 0.0]);
    assert_eq!(of(derivative::<true, false>), [2.0, 2.0, 6.0, 6.0, 0.0]);
    assert_eq!(of(derivative::<false, true>), [10.0, 10.0, 10.0, 10.0, 0.0]);
    assert_eq!(of(derivative::<true, true>), [10.0, 14.0, 10.0, 14.0, 0.0]);
    // Lane 0 is inactive: the other row is used.
    let there = run(Scalar::F32, 0, &[(1, &[f(3.0)]), (2, &[f(11.0)]), (3, &[f(17.0)])], derivative::<false, false>);
    assert_eq!(there, [[f(6.0)], [f(6.0)], [f(6.0)]]);
    let slots = |u: f32, v: f32| [f(u), f(v), 0, 0, 0, 0];
    let lanes = [slots(0.0, 0.0), slots(0.5, 0.0), slots(0.0, 0.25), slots(0.5, 0.25)];
    let lanes: Vec<(u32, &[u64])> = lanes.iter().enumerate().map(|(n, s)| (n as u32, &s[..])).collect();
    assert_eq!(run(Scalar::F32, 0, &lanes, gradient)[3], [f(0.5), 0, 0, 0, f(0.25), 0]);
}
