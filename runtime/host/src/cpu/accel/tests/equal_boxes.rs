//! Builds of degenerate sets of boxes take time in proportion to their number.

use rtc_oracles::measure::spent;

use super::super::build::{Effort, build};
use super::super::math::Bounds;
use super::Random;

/// The builder joins neighbours whose union is small, and must not be slow where all unions are equal: it was quadratic there.
#[test]
fn equal_boxes_are_built_as_fast_as_others() {
    const COUNT: usize = 40_000;
    let boxes = |at: &mut dyn FnMut(usize) -> [f32; 3], size: f32| -> Vec<Bounds> {
        (0..COUNT).map(at).map(|lo| Bounds { lo, hi: lo.map(|x| x + size) }).collect()
    };
    let mut random = Random(7);
    let scattered = boxes(&mut |_| random.point(1000.0), 1.0);
    let cases = [
        ("coincident boxes", boxes(&mut |_| [5.0, -3.0, 1e6], 2.0)),
        ("one point", boxes(&mut |_| [5.0, -3.0, 1e6], 0.0)),
        ("the empty box", vec![Bounds::EMPTY; COUNT]),
        ("infinite boxes", vec![Bounds { lo: [f32::NEG_INFINITY; 3], hi: [f32::INFINITY; 3] }; COUNT]),
        ("a row of boxes", boxes(&mut |i| [i as f32, 0.0, 0.0], 1.0)),
        ("points of a line", boxes(&mut |i| [0.0, i as f32, 0.0], 0.0)),
        ("two heaps", boxes(&mut |i| [(i % 2) as f32 * 1e9, 0.0, 0.0], 1e-6)),
        ("a grid", boxes(&mut |i| [(i % 200) as f32, (i / 200) as f32, 0.0], 1.0)),
    ];
    for effort in [Effort::Fast, Effort::Good] {
        // The shortest of three times of this thread's processor: other work of this machine makes none shorter.
        let time = |boxes: &[Bounds]| {
            let once = || {
                let before = spent();
                let (bvh, order) = build(boxes, 4, effort);
                let took = spent() - before;
                bvh.check(order.len()).expect("a well-formed tree");
                let mut seen = vec![false; boxes.len()];
                order.iter().for_each(|&i| assert!(!std::mem::replace(&mut seen[i as usize], true), "box {i} is there twice"));
                assert_eq!(order.len(), boxes.len());
                took
            };
            (0..3).map(|_| once()).min().expect("three times")
        };
        let usual = time(&scattered);
        for (name, boxes) in &cases {
            let took = time(boxes);
            println!("{name}, {effort:?}: {took:?}, scattered boxes {usual:?}");
            // It was 200 times as long.
            assert!(took < usual * 20, "{name}, {effort:?}: {took:?}, and scattered boxes take {usual:?}");
        }
    }
}
