//! Measuring with devices that are simulated: slow starts, clocks that rise, outliers, times that come late.

use super::*;
use Form::{Ext, Lower, Nv, Wavefront};
use std::collections::VecDeque;

/// Dispatches `n` times, where a ray of a form takes so many nanoseconds; the forms that ran.
fn run(m: &mut Measure, n: usize, time: impl Fn(Form) -> u64) -> Vec<Form> {
    let mut out = Vec::new();
    for _ in 0..n {
        let form = m.next();
        m.record(form, Duration::from_nanos(time(form) * 1000), 1000);
        out.push(form);
    }
    out
}

/// A device: how long a ray of each form takes, and what disturbs it.
#[derive(Clone, Default)]
struct Simulated {
    forms: Vec<(Form, f64)>,
    /// Forms whose first dispatches take so many times as long.
    slow_starts: Vec<(Form, usize, f64)>,
    /// Forms that take so many times as long until so much time has passed, as if a driver improved their code meanwhile.
    improved: Option<(Form, f64, f64)>,
    /// How many times as long everything takes at first, until the clock rises, in steps or steadily over so much time.
    clock: Option<(f64, f64, bool)>,
    /// A dispatch of all that takes so many times as long.
    outlier: Option<(usize, f64)>,
    /// Differences of times, as a part of them.
    noise: f64,
    /// Dispatches whose times are not known yet when the next is chosen.
    in_flight: usize,

    /// Dispatches so far, of each form.
    ran: [usize; 4],
    passed: f64,
    random: u64,
}

impl Simulated {
    fn of(forms: &[(Form, f64)]) -> Simulated {
        Simulated { forms: forms.to_vec(), ..Simulated::default() }
    }

    fn names(&self) -> Vec<Form> {
        self.forms.iter().map(|f| f.0).collect()
    }

    fn time(&self, form: Form) -> f64 {
        self.forms.iter().find(|f| f.0 == form).unwrap().1
    }

    /// Nanoseconds for a ray of a dispatch.
    fn dispatch(&mut self, form: Form) -> f64 {
        let (before, all) = (self.ran[form as usize], self.ran.iter().sum::<usize>());
        let mut time = self.time(form);
        for &(_, n, factor) in self.slow_starts.iter().filter(|s| s.0 == form) {
            time *= if before < n { factor } else { 1.0 };
        }
        if let Some((_, after, factor)) = self.improved.filter(|i| i.0 == form) {
            time *= if self.passed < after { factor } else { 1.0 };
        }
        if let Some((factor, after, steadily)) = self.clock {
            let left = (1.0 - self.passed / after).max(0.0);
            time *= match steadily {
                true => 1.0 + (factor - 1.0) * left,
                false if left > 0.0 => factor,
                false => 1.0,
            };
        }
        if let Some((_, factor)) = self.outlier.filter(|o| o.0 == all) {
            time *= factor;
        }
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        time *= 1.0 + self.noise * ((self.random >> 33) as f64 / 2f64.powi(30) - 1.0);
        self.ran[form as usize] += 1;
        self.passed += time;
        time
    }

    /// Dispatches until measuring has ended so often; the state, and how many dispatches that took.
    fn measure(&mut self, times: usize) -> (Measure, usize) {
        let mut m = Measure::new(&self.names());
        let mut flying = VecDeque::new();
        let (mut ended, mut measuring) = (0, 0);
        for _ in 0..20_000 {
            measuring += usize::from(m.is_measuring());
            let form = m.next();
            flying.push_back((form, self.dispatch(form)));
            if flying.len() > self.in_flight {
                let (form, time) = flying.pop_front().unwrap();
                ended += usize::from(m.record(form, Duration::from_nanos((time * 1e4) as u64), 10_000));
                if ended == times {
                    return (m, measuring);
                }
            }
        }
        panic!("measuring has ended {ended} times: {m:?}");
    }

    /// Measures `times` times; what is kept takes at most 1.05 times as long as the best.
    fn keeps_the_best(mut self, times: usize) {
        let start = self.clone();
        let (m, dispatches) = self.measure(times);
        let best = self.forms.iter().map(|f| f.1).fold(f64::INFINITY, f64::min);
        let shown = (&start.forms, &start.slow_starts, start.clock, start.outlier, start.noise, start.in_flight);
        assert!(self.time(m.current()) <= best * 1.05, "{} of {shown:?}: {:?}", m.current(), m.samples());
        let most = self.forms.len() * (WARM_UP + MAX_ITERATIONS + self.in_flight) * times;
        assert!(dispatches <= most, "{dispatches} dispatches for {shown:?}");
    }
}

/// Devices with two to four forms, of which each is the best, in every order.
fn devices() -> Vec<Simulated> {
    let mut out = Vec::new();
    let sets: [&[f64]; 5] = [&[100.0, 70.0], &[100.0, 99.0, 146.0], &[6.58, 6.96, 9.68], &[17.0, 60.0, 100.0], &[30.0, 31.0, 45.0, 90.0]];
    for set in sets {
        for first in 0..set.len() {
            for reversed in [false, true] {
                let mut times = set.to_vec();
                times.rotate_left(first);
                if reversed {
                    times.reverse();
                }
                out.push(Simulated::of(&[Lower, Ext, Nv, Wavefront].into_iter().zip(times).collect::<Vec<_>>()));
            }
        }
    }
    out
}

#[test]
fn slow_starts_do_not_count() {
    for device in devices() {
        let names = device.names();
        // Of each form alone, and of all.
        let of_all = names.iter().map(|f| vec![*f]).chain([names.clone()]);
        for slow in of_all {
            for n in [1, 2, 3, 4, 5] {
                for factor in [1.2, 1.9, 3.8, 10.0, 1000.0] {
                    // Starts that are a thousand times as slow are those that make something first.
                    if factor > ABANDON_AT_START_RATIO && n > 1 {
                        continue;
                    }
                    for in_flight in 0..4 {
                        let slow_starts = slow.iter().map(|f| (*f, n, factor)).collect();
                        Simulated { slow_starts, in_flight, ..device.clone() }.keeps_the_best(1);
                    }
                }
            }
        }
    }
}

#[test]
fn starts_that_get_faster_step_by_step_do_not_count() {
    for device in devices() {
        for &(form, _) in &device.forms {
            // 1.5 x 1.5 x 1.5 x 1.5 times as slow at first.
            let slow_starts = (1..5).map(|n| (form, n, 1.5)).collect();
            Simulated { slow_starts, ..device.clone() }.keeps_the_best(1);
        }
    }
}

#[test]
fn longer_starts_are_found_when_it_is_looked_again() {
    for device in devices() {
        for &(form, _) in &device.forms {
            for n in [6, 7, 8] {
                let slow_starts = vec![(form, n, 3.8)];
                Simulated { slow_starts, ..device.clone() }.keeps_the_best(2);
            }
            let sum: f64 = device.forms.iter().map(|f| f.1).sum();
            for dispatches in [3.0, 10.0, 20.0, 100.0] {
                let improved = Some((form, sum * dispatches, 3.8));
                Simulated { improved, ..device.clone() }.keeps_the_best(2);
            }
        }
    }
}

#[test]
fn a_clock_that_rises_does_no_harm() {
    for device in devices() {
        let sum: f64 = device.forms.iter().map(|f| f.1).sum();
        for dispatches in 0..60 {
            for factor in [1.3, 3.8, 6.0] {
                for in_flight in 0..4 {
                    // One step, somewhere while forms are measured.
                    let after = sum / device.forms.len() as f64 * factor * f64::from(dispatches) * 0.7 + 0.1;
                    Simulated { clock: Some((factor, after, false)), in_flight, ..device.clone() }.keeps_the_best(1);
                }
            }
        }
        // Over several dispatches; at the second look it is over.
        for dispatches in [1.0, 4.0, 15.0, 50.0] {
            Simulated { clock: Some((3.8, sum * dispatches, true)), ..device.clone() }.keeps_the_best(2);
        }
    }
}

#[test]
fn one_outlier_does_no_harm() {
    for device in devices() {
        for at in 0..60 {
            for factor in [0.2, 0.6, 1.5, 3.8, 50.0] {
                for in_flight in [0, 2] {
                    Simulated { outlier: Some((at, factor)), in_flight, ..device.clone() }.keeps_the_best(1);
                }
            }
        }
    }
}

#[test]
fn no_form_is_left_out_for_one_dispatch() {
    let forms = [(Lower, 100.0), (Nv, 120.0), (Wavefront, 90.0)];
    for at in 0..30 {
        let outlier = Some((at, 50.0));
        let (m, _) = Simulated { outlier, ..Simulated::of(&forms) }.measure(1);
        for (form, _) in forms {
            let ran = m.samples().iter().filter(|s| s.form == form).count();
            assert!(ran >= 2 + ITERATIONS, "{form} ran {ran} times with an outlier at {at}: {:?}", m.samples());
        }
    }
}

#[test]
fn everything_at_once() {
    for device in devices() {
        let names = device.names();
        for (n, &form) in names.iter().enumerate() {
            let mut d = device.clone();
            d.slow_starts = names.iter().map(|f| (*f, 1, 2.5)).chain([(form, 2, 2.0)]).collect();
            d.clock = Some((3.8, d.forms.iter().map(|f| f.1).sum::<f64>() * 12.0, false));
            d.outlier = Some((9 + 2 * n, 3.0));
            d.noise = 0.003;
            d.keeps_the_best(1);
        }
    }
}

/// Devices of any kind: of 2000 nearly all are right after the first measuring, and all after the second.
#[test]
fn random_devices() {
    let mut state = 12345u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / 2f64.powi(31)
    };
    let mut wrong = [0, 0];
    for _ in 0..2000 {
        let count = 2 + (random() * 3.0) as usize;
        let forms: Vec<_> = [Lower, Ext, Nv, Wavefront].into_iter().take(count).map(|f| (f, 50.0 + 200.0 * random() * random())).collect();
        let mut device = Simulated { noise: 0.01, in_flight: (random() * 4.0) as usize, ..Simulated::of(&forms) };
        for (form, _) in forms {
            if random() < 0.5 {
                device.slow_starts.push((form, 1 + (random() * 5.0) as usize, 1.0 + random() * 5.0));
            }
        }
        device.clock = (random() < 0.5).then(|| (1.0 + random() * 4.0, random() * 6000.0, random() < 0.5));
        device.outlier = (random() < 0.5).then(|| ((random() * 40.0) as usize, if random() < 0.5 { 0.3 } else { 5.0 }));
        let best = device.forms.iter().map(|f| f.1).fold(f64::INFINITY, f64::min);
        for (n, wrong) in wrong.iter_mut().enumerate() {
            let (m, _) = device.clone().measure(n + 1);
            *wrong += usize::from(device.time(m.current()) * 0.95 > best);
        }
    }
    assert!(wrong[0] < 10 && wrong[1] == 0, "{wrong:?}");
}

/// What was seen on an NVIDIA H100: the first form was measured while the clock rose, and was left out for that.
#[test]
fn the_form_that_is_measured_first_is_not_left_out_for_it() {
    let mut device = Simulated::of(&[(Lower, 6.58), (Nv, 6.96), (Wavefront, 9.68)]);
    device.clock = Some((3.8, 100.0, false));
    let (m, _) = device.measure(1);
    let of = |form| m.measured().iter().find(|x| x.form == form).unwrap().nanoseconds;
    assert!((of(Lower) - 6.58).abs() < 0.1 && (of(Nv) - 6.96).abs() < 0.1, "{m:?}");
    assert_eq!(m.current(), Lower);
}

#[test]
fn each_warms_up_and_then_runs_in_iterations_and_the_fastest_stays() {
    let mut m = Measure::new(&[Lower, Wavefront]);
    let time = |f| if f == Lower { 100 } else { 60 };
    let ran = run(&mut m, 14, time);
    let (l, w) = (Lower, Wavefront);
    assert_eq!(ran, [l, l, w, w, l, w, w, l, l, w, w, l, l, w]);
    assert!(!m.is_measuring());
    assert_eq!(run(&mut m, 50, time), [Wavefront; 50]);
    assert_eq!(m.measured(), [Measured { form: Lower, nanoseconds: 100.0 }, Measured { form: Wavefront, nanoseconds: 60.0 }]);
    // Each dispatch of it is known.
    let samples: Vec<_> = m.samples().iter().map(|s| (s.form, s.nanoseconds as u64)).collect();
    assert_eq!(samples, ran.iter().map(|f| (*f, time(*f))).collect::<Vec<_>>());
    assert_eq!(m.samples().iter().filter(|s| s.warm_up).count(), 4);
}

#[test]
fn about_equal_forms_do_not_alternate() {
    for (other, stays) in [(97, true), (99, true), (101, true), (95, false)] {
        let mut m = Measure::new(&[Lower, Nv]);
        run(&mut m, 14, |f| if f == Lower { 100 } else { other });
        assert!(!m.is_measuring());
        assert_eq!(m.current() == Lower, stays, "{other}");
        // What runs is at most 1.05 times the best.
        let best = other.min(100) as f64;
        let own = if m.current() == Lower { 100.0 } else { other as f64 };
        assert!(own <= best * 1.05);
    }
}

#[test]
fn slower_forms_are_left_out_when_they_are_known() {
    for (slow, runs) in [(150, 2 + ITERATIONS), (300, SETTLED_DISPATCHES), (2000, 2)] {
        let mut m = Measure::new(&[Lower, Wavefront, Nv]);
        let ran = run(&mut m, 21, |f| if f == Wavefront { slow } else { 100 });
        assert_eq!(ran.iter().filter(|f| **f == Wavefront).count(), runs, "{slow}");
        assert_eq!((m.is_measuring(), m.current()), (false, Lower));
        assert_eq!(m.measured()[1], Measured { form: Wavefront, nanoseconds: slow as f64 });
    }
}

#[test]
fn times_that_never_agree_are_measured_for_a_bounded_time() {
    for noise in [0.02, 0.05, 0.2, 0.5] {
        for random in 0..50 {
            let mut device = Simulated { noise, random, ..Simulated::of(&[(Lower, 100.0), (Nv, 40.0), (Wavefront, 90.0)]) };
            let (m, dispatches) = device.measure(1);
            assert!(m.current() == Nv && dispatches <= 3 * (WARM_UP + MAX_ITERATIONS), "{dispatches}: {m:?}");
        }
    }
}

#[test]
fn changes_are_measured_again_and_cost_little() {
    let mut m = Measure::new(&[Lower, Wavefront]);
    run(&mut m, 14, |f| if f == Lower { 100 } else { 60 });
    // The scene changes: what was fast is slow.
    let now = |f| if f == Lower { 100 } else { 300 };
    let ran = run(&mut m, 2000, now);
    assert_eq!(m.current(), Lower);
    let wrong = ran.iter().filter(|f| **f == Wavefront).count();
    assert!(wrong < 120, "{wrong}");
    // Without any change, measuring takes a two-hundredth of the time, and a twentieth if times change all the time.
    for (most, step) in [(0.007, 0), (0.05, 37)] {
        let mut m = Measure::new(&[Lower, Wavefront]);
        let (mut measuring, mut all) = (0.0, 0.0);
        for n in 0..20_000u64 {
            let form = m.next();
            let base = if step > 0 && n / step % 2 == 1 { 400 } else { 100 };
            let time = base * if form == Lower { 100 } else { 150 };
            all += time as f64;
            measuring += if m.is_measuring() { time as f64 } else { 0.0 };
            m.record(form, Duration::from_nanos(time), 100);
        }
        assert!(measuring < most * all, "{measuring} of {all}");
    }
}

#[test]
fn the_first_measuring_is_soon_looked_at_again() {
    // The better form is slow for longer than measuring takes.
    let device = Simulated { improved: Some((Nv, 1e4, 4.0)), ..Simulated::of(&[(Lower, 100.0), (Nv, 50.0)]) };
    let kept = |times| {
        let mut device = device.clone();
        let (m, _) = device.measure(times);
        (m.current(), device.ran.iter().sum::<usize>())
    };
    assert_eq!(kept(1), (Lower, 14));
    let (form, ran) = kept(2);
    assert!(form == Nv && (200..500).contains(&ran), "{form} after {ran}");
    // Then less often.
    assert!((4000..6000).contains(&kept(3).1), "{:?}", kept(3));
}

#[test]
fn forms_alternate_with_frames_in_flight() {
    for in_flight in 1..5 {
        let mut device = Simulated { in_flight, ..Simulated::of(&[(Lower, 100.0), (Nv, 90.0), (Wavefront, 80.0)]) };
        let (m, _) = device.measure(1);
        assert_eq!(m.current(), Wavefront);
        let counted: Vec<Form> = m.samples().iter().filter(|s| !s.warm_up).map(|s| s.form).collect();
        let longest = counted.chunk_by(|a, b| a == b).map(<[Form]>::len).max();
        assert!(longest <= Some(2), "{in_flight}: {counted:?}");
    }
}

#[test]
fn a_caller_that_does_what_it_likes_comes_to_an_end() {
    let time = |form| Duration::from_micros(if form == Lower { 9 } else { 3 });
    // It asks twice for each dispatch, forgets every third time, and repeats others.
    let mut m = Measure::new(&[Lower, Nv, Wavefront]);
    for n in 0..400 {
        let (_, form) = (m.next(), m.next());
        if n % 3 != 0 {
            m.record(form, time(form), 1000);
        }
        if n % 5 == 0 {
            m.record(form, time(form), 1000);
        }
    }
    assert_eq!((m.is_measuring(), m.current()), (false, Nv));
    // One that dispatches another form than `next` says measures nothing, and keeps nothing but a few times.
    let mut m = Measure::new(&[Lower, Wavefront]);
    for _ in 0..1000 {
        m.next();
        m.record(Lower, time(Lower), 1000);
    }
    assert!(m.is_measuring() && m.samples().len() < 40);
    // What is no time counts for nothing.
    assert!(!m.record(Lower, Duration::ZERO, 10) && !m.record(Lower, Duration::from_secs(1), 0));
    assert!(!m.record(Nv, Duration::from_secs(1), 1));
}

#[test]
fn what_was_measured_before_is_used_if_it_is_whole() {
    let both = [Measured { form: Lower, nanoseconds: 9.0 }, Measured { form: Wavefront, nanoseconds: 3.0 }];
    let mut m = Measure::known(&[Lower, Wavefront], &both);
    assert_eq!((m.is_measuring(), m.next()), (false, Wavefront));
    for bad in [&both[..1], &[], &[both[0], Measured { form: Wavefront, nanoseconds: f64::NAN }]] {
        assert!(Measure::known(&[Lower, Wavefront], bad).is_measuring(), "{bad:?}");
    }
    assert!(!Measure::known(&[Lower], &both).is_measuring());
}

#[test]
fn one_form_is_not_measured() {
    for forms in [&[][..], &[Wavefront], &[Wavefront, Wavefront]] {
        let mut m = Measure::new(forms);
        m.restart();
        let expected = forms.first().copied().unwrap_or(Lower);
        assert_eq!((m.is_measuring(), m.next()), (false, expected));
        m.record(expected, Duration::from_secs(1), 1);
        assert!(m.measured().is_empty() && m.samples().is_empty());
    }
}
