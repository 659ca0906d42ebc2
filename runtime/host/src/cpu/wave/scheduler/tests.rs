//! Lanes driven by closures, with positions as the compiler assigns them.

use super::*;
use crate::cpu::args::{Scalar, Shape};
use crate::cpu::program::ConvergencePoint;
use crate::cpu::wave::lane_ops::{self, WaveOp};
use rtc_dxil_container::ShaderKind;
use std::sync::Mutex;

const STACK: usize = 64 << 10;

fn shape(scalar: Scalar, slots: usize) -> Shape {
    Shape { scalar, lanes: 0, slots: slots as u16, site: 7 }
}

/// A lane of a test.
struct Test {
    convergence: Convergence,
    why: Option<String>,
    over: bool,
}

impl Test {
    /// It reaches an operation: numbers of the loops around it and its own, the iterations of the loops.
    fn stop(&mut self, numbers: &[u32], iterations: &[u64], slots: &mut [u64], reason: SuspendReason) {
        self.convergence.at(&ConvergencePoint { numbers: numbers.into(), iterations: 0 }, iterations);
        if !self.convergence.stop(shape(Scalar::I32, slots.len()), slots, reason, &mut self.why) {
            self.over = true;
        }
    }
    fn act(&mut self, numbers: &[u32], iterations: &[u64], slots: &mut [u64], op: WaveOp) -> u64 {
        self.stop(numbers, iterations, slots, SuspendReason::WaveOp(op));
        slots[0]
    }
    /// Which lanes are at this position.
    fn here(&mut self, numbers: &[u32], iterations: &[u64]) -> u64 {
        self.act(numbers, iterations, &mut [1, 0, 0, 0], lane_ops::ballot)
    }
    fn wait(&mut self, numbers: &[u32]) {
        self.stop(numbers, &[], &mut [], SuspendReason::Barrier);
    }
}

/// The failures of lanes, and the results of each.
fn lanes(count: u32, width: u32, body: impl Fn(u32, &mut Test) -> Vec<u64>) -> (Vec<String>, Vec<Vec<u64>>) {
    let given = Mutex::new(vec![Vec::new(); count as usize]);
    let run = run(Lanes { count, width, observer: None }, &mut Stacks::new(STACK), |n, meet| {
        let mut test = Test { convergence: meet, why: None, over: false };
        let out = body(n, &mut test);
        given.lock().unwrap()[n as usize] = out;
        test.why
    });
    (run.unwrap(), given.into_inner().unwrap())
}

#[test]
fn waves_are_independent_and_the_last_one_may_be_partial() {
    let (failed, given) = lanes(10, 4, |n, t| {
        let own = u64::from(n);
        let sum = t.act(&[0], &[], &mut [own, 0, 0], lane_ops::active);
        vec![sum, t.convergence.index().into(), t.convergence.wave().into(), t.convergence.waves().into()]
    });
    assert!(failed.is_empty());
    assert_eq!(given[0], [6, 0, 0, 3]);
    assert_eq!(given[5], [22, 1, 1, 3]);
    assert_eq!(given[9], [17, 1, 2, 3]);
}

#[test]
fn branches_diverge_and_reconverge() {
    let (_, given) = lanes(8, 8, |n, t| {
        let arm = if n % 2 == 0 { t.here(&[0], &[]) } else { t.here(&[1], &[]) };
        if n == 7 {
            return vec![arm];
        }
        vec![arm, t.here(&[2], &[])]
    });
    assert_eq!((&given[0], &given[3]), (&vec![0x55, 0x7F], &vec![0xAA, 0x7F]));
    assert_eq!(given[7], [0xAA]);
}

#[test]
fn lanes_that_break_and_continue_reconverge_by_iteration() {
    // for (i = 0; i <= lane; i++) { if (i % 2 == lane % 2) continue; here }  here
    let (_, given) = lanes(4, 4, |n, t| {
        let mut out = Vec::new();
        for i in 0..=u64::from(n) {
            if i % 2 != u64::from(n) % 2 {
                out.push(t.here(&[0, 1], &[i]));
            }
        }
        out.push(t.here(&[2], &[]));
        out
    });
    // Iteration 0: lanes 1 and 3; iteration 1: lane 2; iteration 2: lane 3.
    assert_eq!(given[0], [15]);
    assert_eq!(given[1], [0b1010, 15]);
    assert_eq!(given[2], [0b100, 15]);
    assert_eq!(given[3], [0b1010, 0b1000, 15]);
}

#[test]
fn inner_iterations_begin_anew_in_each_outer_round() {
    let (_, given) = lanes(3, 3, |n, t| {
        let mut out = Vec::new();
        for i in 0..3u64 {
            for j in 0..(u64::from(n) + i) % 3 {
                out.push(t.here(&[0, 1, 2], &[i, j]));
            }
            out.push(t.here(&[0, 3], &[i]));
        }
        out
    });
    let want = |n: u64| {
        let mut out = Vec::new();
        for i in 0..3 {
            for j in 0..(n + i) % 3 {
                out.push((0..3).filter(|m| j < (m + i) % 3).fold(0, |b, m| b | 1 << m));
            }
            out.push(7);
        }
        out
    };
    for n in 0..3 {
        assert_eq!(given[n as usize], want(n), "lane {n}");
    }
}

#[test]
fn a_barrier_orders_what_lanes_do() {
    let memory = Mutex::new(vec![0u32; 64]);
    let (failed, given) = lanes(64, 16, |n, t| {
        memory.lock().unwrap()[n as usize] = n * n;
        t.wait(&[0]);
        let other = memory.lock().unwrap()[(63 - n) as usize];
        t.wait(&[1]);
        memory.lock().unwrap()[n as usize] = 0;
        vec![other.into()]
    });
    assert!(failed.is_empty());
    assert!((0..64u64).all(|n| given[n as usize] == [(63 - n) * (63 - n)]));
}

#[test]
fn barriers_do_not_wait_for_returned_lanes() {
    for body in [
        |n, t: &mut Test| {
            if n < 5 {
                t.wait(&[0])
            }
        },
        |n, t: &mut Test| {
            if n < 4 {
                t.wait(&[3])
            }
        },
    ] {
        let (failed, given) = lanes(8, 4, |n, t| {
            body(n, t);
            vec![u64::from(t.convergence.gone())]
        });
        assert!(failed.is_empty(), "{failed:?}");
        assert!([3, 4].contains(&given[0][0]) && given[7] == [0], "{given:?}");
    }
}

#[test]
fn lanes_at_different_barriers_end_the_group() {
    type Body = fn(u32, &mut Test);
    let cases: [(Body, &str); 3] = [
        (
            |n, t| if n < 5 { t.wait(&[0]) } else { t.wait(&[1]) },
            "of 8 threads of the group 5 wait here, 3 wait elsewhere, 0 have returned",
        ),
        (
            |n, t| {
                if n < 6 {
                    t.wait(&[0])
                } else if n == 6 {
                    t.wait(&[1])
                }
            },
            "of 8 threads of the group 6 wait here, 1 wait elsewhere, 1 have returned",
        ),
        (
            |n, t| {
                if n == 0 {
                    t.wait(&[0])
                } else {
                    t.here(&[1], &[]);
                }
            },
            "1 wait here, ",
        ),
    ];
    for (body, message) in cases {
        let (failed, _) = lanes(8, 4, |n, t| {
            body(n, t);
            Vec::new()
        });
        assert_eq!(failed.len(), 1, "{failed:?}");
        assert!(failed[0].starts_with("a barrier in divergent control flow") && failed[0].contains(message), "{failed:?}");
    }
    // A barrier after an operation that the other lanes take part in is valid.
    let (failed, _) = lanes(8, 4, |n, t| {
        if n % 2 == 0 {
            t.here(&[0], &[]);
        }
        t.wait(&[1]);
        Vec::new()
    });
    assert!(failed.is_empty());
}

#[test]
fn a_lane_that_fails_ends_the_others() {
    let (failed, given) = lanes(6, 4, |n, t| {
        if n == 2 {
            t.why = Some("broken".into());
            return Vec::new();
        }
        let mut iterations = 0;
        // As in compiled loops: they end when the group does.
        while !t.over {
            t.here(&[0, 1], &[iterations]);
            iterations += 1;
        }
        vec![iterations, t.convergence.is_quiet().into()]
    });
    assert_eq!(failed, ["broken"]);
    assert!(given[2].is_empty());
    // Suspended lanes end; later ones never start.
    assert_eq!((&given[0], &given[5]), (&vec![1, 1], &vec![]));
}

#[test]
fn shaders_called_from_one_operation_converge_by_shader() {
    // All lanes trace; even ones meet any-hit shader 3 once or twice; then closest hit 4, except lane 5 that misses into 6.
    let (_, given) = lanes(6, 6, |n, t| {
        t.convergence.at(&ConvergencePoint { numbers: [4].into(), iterations: 0 }, &[]);
        let mut out = Vec::new();
        for _ in 0..if n % 2 == 0 { 1 + n / 4 } else { 0 } {
            let mark = t.convergence.descend(3, ShaderKind::AnyHit);
            out.push(t.here(&[9], &[]));
            t.convergence.ascend(mark);
        }
        let (shader, kind) = if n == 5 { (6, ShaderKind::Miss) } else { (4, ShaderKind::ClosestHit) };
        let mark = t.convergence.descend(shader, kind);
        out.push(t.here(&[1], &[]));
        t.convergence.ascend(mark);
        out.push(t.here(&[5], &[]));
        out
    });
    assert_eq!(given[0], [0b10101, 0b11111, 63]);
    assert_eq!(given[4], [0b10101, 0b10000, 0b11111, 63]);
    assert_eq!((&given[1], &given[5]), (&vec![0b11111, 63], &vec![0b100000, 63]));
}

#[test]
fn observed_lanes_are_reported() {
    type Seen = (u32, u32, u32, Vec<(u32, u64)>);
    #[derive(Default)]
    struct Watch(Mutex<Vec<Seen>>, Mutex<Vec<u32>>);
    impl Observe for Watch {
        fn point(&self, o: &Observation<'_>) {
            let shown = o.lanes.iter().map(|l| (l.lane, l.get(0))).collect();
            self.0.lock().unwrap().push((o.site, o.width, o.parts, shown));
        }
        fn end(&self, parts: u32) {
            self.1.lock().unwrap().push(parts);
        }
    }
    let seen = Watch::default();
    let lanes = Lanes { count: 3, width: 4, observer: Some(&seen) };
    let failed = run(lanes, &mut Stacks::new(STACK), |n, meet| {
        let mut t = Test { convergence: meet, why: None, over: false };
        if n != 1 {
            t.stop(&[0], &[], &mut [u64::from(n) * 10], SuspendReason::Observe { shader: 0, splits: true });
        }
        t.stop(&[1], &[], &mut [7], SuspendReason::Observe { shader: 0, splits: true });
        t.convergence.at_end();
        t.convergence.stop(shape(Scalar::Void, 0), &mut [], SuspendReason::End, &mut t.why);
        t.why
    });
    assert!(failed.unwrap().is_empty());
    assert_eq!(*seen.0.lock().unwrap(), [(7, 4, 1, vec![(0, 0), (2, 20)]), (7, 4, 2, vec![(0, 7), (1, 7), (2, 7)])]);
    assert_eq!(*seen.1.lock().unwrap(), [2]);
}

#[test]
fn stacks_are_reused_and_too_large_ones_are_an_error() {
    let mut stacks = Stacks::new(STACK);
    for _ in 0..3 {
        run(Lanes { count: 5, width: 2, observer: None }, &mut stacks, |_, _| None::<()>).unwrap();
        assert_eq!(stacks.free.len(), 5);
    }
    let e = run(Lanes { count: 2, width: 2, observer: None }, &mut Stacks::new(1 << 60), |_, _| None::<()>).unwrap_err();
    assert!(e.starts_with("cannot allocate 2 stacks"), "{e}");
}

#[test]
fn no_lanes_and_a_wave_of_no_lanes() {
    assert!(run(Lanes { count: 0, width: 0, observer: None }, &mut Stacks::new(STACK), |_, _| None::<()>).unwrap().is_empty());
    let (_, given) = lanes(2, 0, |_, t| vec![t.here(&[0], &[])]);
    assert_eq!(given, [[1], [1]]);
}

#[test]
fn a_thread_that_is_no_lane_is_its_own_wave() {
    let mut t = Test { convergence: Convergence::default(), why: None, over: false };
    assert_eq!(t.act(&[0], &[], &mut [5, 0, 0], lane_ops::active), 5);
    assert_eq!(t.here(&[1], &[]), 1);
    t.wait(&[2]);
    assert!(!t.over);
}
