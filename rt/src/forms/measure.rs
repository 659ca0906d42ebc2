//! Measures forms: each is dispatched in turn, and the fastest is kept.
//!
//! 1. *Measuring.* Each form is dispatched [`WARM_UP`] times, and then [`SAMPLES`] times that count, in turns, so that a scene that changes meanwhile
//!    changes for all. A form that takes more than [`HOPELESS`] times as long as the best after its first sample is left out from then on.
//! 2. *Choosing.* The form with the least median of its samples wins. The one that ran before stays unless another is faster by more than
//!    [`MARGIN`]: so what runs takes at most 1.05 times as long as the best, and two equal forms do not alternate.
//! 3. *Measuring again.* Scenes change. Once a dispatch takes [`DRIFT`] times as long as it was measured, or as short, over several dispatches, or
//!    when dispatches have taken [`REST`] times as long as the last measuring, all forms are measured again. In the first case too at least
//!    [`SHORT_REST`] times as long has gone by, so that measuring takes at most a twentieth of the time.
//!
//! Times are compared by ray, because dispatches may differ in size. Every dispatch is one that the caller has to make anyway; nothing runs twice.

use rtc_package::Form;
use std::time::Duration;

/// Dispatches of a form that do not count when measuring begins: caches are cold, and drivers compile late.
const WARM_UP: usize = 1;
/// Dispatches of a form that count.
const SAMPLES: usize = 3;
/// How many times as long as the best a form takes that is not measured further.
const HOPELESS: f64 = 2.0;
/// By what part of its time another form must be faster than the one that ran before.
const MARGIN: f64 = 0.04;
/// What the time of a ray may change by until all forms are measured again.
const DRIFT: f64 = 1.3;
/// Dispatches whose median shows a change.
const RECENT: usize = 5;
/// How many times as long as the last measuring dispatches take before the next.
const REST: f64 = 200.0;
/// The same when times have changed.
const SHORT_REST: f64 = 20.0;

/// What was measured of a form.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The form.
    pub form: Form,
    /// Nanoseconds for a ray: the median of the samples.
    pub nanoseconds: f64,
}

/// A form, and what is being measured of it.
#[derive(Clone, PartialEq, Debug)]
struct Candidate {
    form: Form,
    /// Nanoseconds for a ray, in the order of the dispatches.
    times: Vec<f64>,
    /// Whether it is measured no further.
    hopeless: bool,
}

/// Chooses among forms by measuring dispatches of one ray generation shader.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// The first is the one that runs where nothing is known.
    candidates: Vec<Candidate>,
    /// The form that runs when nothing is measured.
    current: Form,
    measuring: bool,
    /// What was measured last; the current form is among it.
    measured: Vec<Measured>,
    /// Times of the current form since.
    recent: Vec<f64>,
    /// Nanoseconds of the last measuring, and of the dispatches since.
    cost: f64,
    since: f64,
}

impl Measure {
    /// Begins to measure; the first form is the one that stays if others are about as fast. Without forms it is [`Form::Lower`].
    pub fn new(forms: &[Form]) -> Measure {
        let current = forms.first().copied().unwrap_or(Form::Lower);
        let mut out =
            Measure { candidates: Vec::new(), current, measuring: false, measured: Vec::new(), recent: Vec::new(), cost: 0.0, since: 0.0 };
        for &form in forms {
            if !out.candidates.iter().any(|c| c.form == form) {
                out.candidates.push(Candidate { form, times: Vec::new(), hopeless: false });
            }
        }
        out.measuring = out.candidates.len() > 1;
        out
    }

    /// Goes on from what was measured before ([`Measure::measured`]); times of other forms do not count. If a form has none, all are measured.
    pub fn known(forms: &[Form], before: &[Measured]) -> Measure {
        let mut out = Measure::new(forms);
        let of = |form| before.iter().find(|m| m.form == form && m.nanoseconds.is_finite() && m.nanoseconds > 0.0);
        let measured: Option<Vec<Measured>> = out.candidates.iter().map(|c| of(c.form).copied()).collect();
        if let Some(measured) = measured.filter(|_| out.measuring) {
            // What that took is not known; as long as it would take for a dispatch of a million rays.
            out.cost = measured.iter().map(|m| m.nanoseconds * 1e6 * (WARM_UP + SAMPLES) as f64).sum();
            out.measuring = false;
            out.measured = measured;
            out.choose();
        }
        out
    }

    /// The form to dispatch next. The same one again until its time is recorded.
    pub fn next(&self) -> Form {
        if !self.measuring {
            return self.current;
        }
        let open = self.candidates.iter().filter(|c| !c.is_done());
        open.min_by_key(|c| c.times.len()).map_or(self.current, |c| c.form)
    }

    /// Whether forms are being measured.
    pub fn is_measuring(&self) -> bool {
        self.measuring
    }

    /// What the last measuring found, in the order of the forms; nothing before its end. A form that was far slower than the best has the time of its
    /// few dispatches.
    pub fn measured(&self) -> &[Measured] {
        &self.measured
    }

    /// The form that runs when nothing is measured.
    pub fn current(&self) -> Form {
        self.current
    }

    /// Records how long a dispatch of so many rays took on the device. With several frames in flight times may come late, and of forms in any
    /// order. True: a measuring has ended with it.
    pub fn record(&mut self, form: Form, time: Duration, rays: u64) -> bool {
        let total = time.as_nanos() as f64;
        if rays == 0 || total <= 0.0 {
            return false;
        }
        let time = total / rays as f64;
        if self.measuring {
            self.cost += total;
            return self.sample(form, time);
        }
        self.since += total;
        if form == self.current && self.candidates.len() > 1 {
            if self.recent.len() == RECENT {
                self.recent.remove(0);
            }
            self.recent.push(time);
            if self.is_due() {
                self.restart();
            }
        }
        false
    }

    /// Measures all forms again, from the next dispatch on.
    pub fn restart(&mut self) {
        if self.candidates.len() > 1 {
            for c in &mut self.candidates {
                c.times.clear();
                c.hopeless = false;
            }
            self.measuring = true;
            (self.cost, self.since) = (0.0, 0.0);
            self.recent.clear();
        }
    }

    fn is_due(&self) -> bool {
        let then = self.measured.iter().find(|m| m.form == self.current).map_or(0.0, |m| m.nanoseconds);
        let changed = self.recent.len() == RECENT && {
            let now = median(&self.recent);
            now > then * DRIFT || then > now * DRIFT
        };
        self.since > self.cost * if changed { SHORT_REST } else { REST }
    }

    /// A dispatch while measuring; whether it was the last.
    fn sample(&mut self, form: Form, time: f64) -> bool {
        let Some(c) = self.candidates.iter_mut().find(|c| c.form == form && !c.is_done()) else { return false };
        c.times.push(time);
        let best = self.candidates.iter().filter_map(Candidate::least).fold(f64::INFINITY, f64::min);
        for c in &mut self.candidates {
            c.hopeless |= c.least().is_some_and(|t| t > best * HOPELESS);
        }
        if !self.candidates.iter().all(Candidate::is_done) {
            return false;
        }
        self.measured = self.candidates.iter().map(|c| Measured { form: c.form, nanoseconds: median(&c.times[WARM_UP..]) }).collect();
        self.measuring = false;
        self.choose();
        true
    }

    /// The fastest of what was measured runs from now on, unless the current form is about as fast.
    fn choose(&mut self) {
        let best = self.measured.iter().min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        let current = self.measured.iter().find(|m| m.form == self.current);
        if let (Some(best), Some(current)) = (best, current)
            && best.nanoseconds < current.nanoseconds * (1.0 - MARGIN)
        {
            self.current = best.form;
        }
    }
}

impl Candidate {
    fn is_done(&self) -> bool {
        self.hopeless || self.times.len() >= WARM_UP + SAMPLES
    }

    /// The least time that counts.
    fn least(&self) -> Option<f64> {
        self.times.get(WARM_UP..)?.iter().copied().reduce(f64::min)
    }
}

/// The median; of an even number of times the lower one of both in the middle.
fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Form::{Lower, Nv, Wavefront};

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

    #[test]
    fn each_runs_in_turn_and_the_fastest_stays() {
        let mut m = Measure::new(&[Lower, Wavefront]);
        let time = |f| if f == Lower { 100 } else { 60 };
        let ran = run(&mut m, 8, time);
        assert_eq!(ran, [Lower, Wavefront, Lower, Wavefront, Lower, Wavefront, Lower, Wavefront]);
        assert!(!m.is_measuring());
        assert_eq!(run(&mut m, 50, time), [Wavefront; 50]);
        assert_eq!(m.measured(), [Measured { form: Lower, nanoseconds: 100.0 }, Measured { form: Wavefront, nanoseconds: 60.0 }]);
    }

    #[test]
    fn about_equal_forms_do_not_alternate() {
        for (other, stays) in [(97, true), (99, true), (101, true), (95, false)] {
            let mut m = Measure::new(&[Lower, Nv]);
            run(&mut m, 8, |f| if f == Lower { 100 } else { other });
            assert_eq!(m.current() == Lower, stays, "{other}");
            // What runs is at most 1.05 times the best.
            let best = other.min(100) as f64;
            let own = if m.current() == Lower { 100.0 } else { other as f64 };
            assert!(own <= best * 1.05);
        }
    }

    #[test]
    fn a_far_slower_form_is_left_out_early() {
        let mut m = Measure::new(&[Lower, Wavefront, Nv]);
        let ran = run(&mut m, 10, |f| if f == Wavefront { 500 } else { 100 });
        assert_eq!(ran.iter().filter(|f| **f == Wavefront).count(), 2);
        assert!(!m.is_measuring());
        assert_eq!(m.current(), Lower);
    }

    #[test]
    fn the_first_dispatch_of_a_form_does_not_count() {
        let mut m = Measure::new(&[Lower, Wavefront]);
        for n in 0..8 {
            let form = m.next();
            let nanoseconds = if n < 2 {
                9000
            } else if form == Lower {
                100
            } else {
                50
            };
            m.record(form, Duration::from_nanos(nanoseconds * 10), 10);
        }
        assert_eq!((m.is_measuring(), m.current()), (false, Wavefront));
    }

    #[test]
    fn changes_are_measured_again_and_cost_little() {
        let mut m = Measure::new(&[Lower, Wavefront]);
        run(&mut m, 8, |f| if f == Lower { 100 } else { 60 });
        // The scene changes: what was fast is slow.
        let now = |f| if f == Lower { 100 } else { 300 };
        let ran = run(&mut m, 2000, now);
        assert_eq!(m.current(), Lower);
        let wrong = ran.iter().filter(|f| **f == Wavefront).count();
        assert!(wrong < 100, "{wrong}");
        // Without any change, measuring takes a two-hundredth of the time, and a twentieth if times change all the time.
        for (most, step) in [(0.02, 0), (0.08, 37)] {
            let mut m = Measure::new(&[Lower, Wavefront]);
            let (mut measuring, mut all) = (0, 0);
            for n in 0..20_000u64 {
                all += 1;
                measuring += u64::from(m.is_measuring());
                let form = m.next();
                let base = if step > 0 && n / step % 2 == 1 { 400 } else { 100 };
                m.record(form, Duration::from_nanos(base * if form == Lower { 100 } else { 150 }), 100);
            }
            assert!((measuring as f64) < most * all as f64, "{measuring} of {all}");
        }
    }

    #[test]
    fn times_may_come_late_and_of_any_form() {
        let mut m = Measure::new(&[Lower, Wavefront]);
        // Three frames in flight: the form of a dispatch is known before the times of those before it.
        let mut flying = std::collections::VecDeque::new();
        for _ in 0..40 {
            flying.push_back(m.next());
            if flying.len() == 3 {
                let form = flying.pop_front().unwrap();
                m.record(form, Duration::from_micros(if form == Lower { 9 } else { 3 }), 1000);
            }
        }
        assert_eq!((m.is_measuring(), m.current()), (false, Wavefront));
        // What is no time counts for nothing.
        assert!(!m.record(Lower, Duration::ZERO, 10) && !m.record(Lower, Duration::from_secs(1), 0));
        assert!(!m.record(Nv, Duration::from_secs(1), 1));
    }

    #[test]
    fn what_was_measured_before_is_used_if_it_is_whole() {
        let both = [Measured { form: Lower, nanoseconds: 9.0 }, Measured { form: Wavefront, nanoseconds: 3.0 }];
        let m = Measure::known(&[Lower, Wavefront], &both);
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
            assert!(m.measured().is_empty());
        }
    }
}
