//! Measures forms: each is dispatched in turn, and the fastest is kept.
//!
//! 1. *Warming up.* First dispatches are slow: caches are cold, drivers finish their work late, and the clocks of a device that was idle rise over some
//!    tenths of a second. Each form is dispatched until two dispatches in a row agree ([`EQUAL_RATIO`]), [`WARM_UP`] times at most. They do not count.
//! 2. *Measuring.* Then forms run in iterations, from the first to the last and back, so that what changes meanwhile changes for all, and no form always
//!    follows the same one. There are [`ITERATIONS`] at least; they end when the last [`SAMPLES`] times of each form agree, after [`MAX_ITERATIONS`] in any case.
//!    A form that takes more than [`ABANDON_RATIO`] times as long as the best in two dispatches that agree is left out, but not before it ran [`SETTLED_DISPATCHES`]
//!    times: its own start may be that slow. Earlier it takes [`ABANDON_AT_START_RATIO`] times as long.
//! 3. *Choosing.* The form with the least median of its last times wins. The one that ran before stays unless another is faster by more than
//!    [`MARGIN`]: so what runs takes at most 1.05 times as long as the best, and two equal forms do not alternate.
//! 4. *Measuring again.* Scenes change. Once a dispatch takes [`DRIFT`] times as long as it was measured, or as short, over several dispatches, or
//!    when dispatches have taken [`MAX_PAUSE`] times as long as the last measuring, all forms are measured again. In the first case too at least
//!    [`MIN_PAUSE`] times as long has gone by, so that measuring takes at most a twentieth of the time. The first measuring is looked at again after
//!    [`MIN_PAUSE`] in any case: a start may have been slow for longer than it took.
//!
//! Times are compared by ray, because dispatches may differ in size. Every dispatch is one that the caller has to make anyway; nothing runs twice.

use rtc_package::Form;
use std::time::Duration;

/// Two times agree if their ratio is at most this.
const EQUAL_RATIO: f64 = 1.05;
/// Dispatches of a form to warm up, at most.
const WARM_UP: usize = 6;
/// Iterations that count, at least and at most.
const ITERATIONS: usize = 5;
const MAX_ITERATIONS: usize = 10;
/// The last times of a form, which agree when it is measured.
const SAMPLES: usize = 3;
/// A form is left out if it takes this many times as long as the best.
const ABANDON_RATIO: f64 = 2.0;
/// The ratio at which a form is left out before it ran [`SETTLED_DISPATCHES`] times.
const ABANDON_AT_START_RATIO: f64 = 16.0;
/// After so many dispatches a form is no longer slow because it is new.
const SETTLED_DISPATCHES: usize = 6;
/// Another form replaces the current one only if it is faster by this part of its time.
const MARGIN: f64 = 0.04;
/// All forms are measured again when the time of a ray has changed by this ratio.
const DRIFT: f64 = 1.3;
/// A change is taken from the median of so many dispatches.
const RECENT: usize = 5;
/// Dispatches take so many times as long as the last measuring before the next one starts in any case.
const MAX_PAUSE: f64 = 200.0;
/// The least such factor: when times have changed, and after the first measuring.
const MIN_PAUSE: f64 = 20.0;
/// Dispatches of a form whose times are still to come, as far as they are counted: a caller may not dispatch what `next` said.
const MAX_FLYING: usize = 8;
/// Times of a form that are kept while forms are measured: a caller may dispatch one form alone.
const MAX_TIMES: usize = WARM_UP + MAX_FLYING + 2 * MAX_ITERATIONS;

/// What was measured of a form.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The form.
    pub form: Form,
    /// Nanoseconds for a ray: the median of the last dispatches.
    pub nanoseconds: f64,
}

/// A dispatch of a measuring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The form.
    pub form: Form,
    /// Nanoseconds for a ray.
    pub nanoseconds: f64,
    /// Whether it was to warm up and does not count.
    pub warm_up: bool,
}

/// A form, and what is being measured of it.
#[derive(Clone, PartialEq, Debug)]
struct Candidate {
    form: Form,
    /// Nanoseconds for a ray, in the order of the dispatches.
    times: Vec<f64>,
    /// How many of them are to warm up.
    warm_up: usize,
    /// Dispatches whose times are still to come.
    flying: usize,
    /// Whether it is measured no further.
    left_out: bool,
}

/// Chooses among forms by measuring dispatches of one ray generation shader.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// The first is the one that runs where nothing is known.
    candidates: Vec<Candidate>,
    /// The form that runs when nothing is measured.
    current: Form,
    measuring: bool,
    /// Iterations that have ended; none: forms warm up.
    iterations: Option<usize>,
    /// The dispatches of the last measuring.
    samples: Vec<Sample>,
    /// What was measured last; the current form is among it.
    measured: Vec<Measured>,
    /// Whether that was the first measuring, of pipelines that had not run before.
    first: bool,
    /// Times of the current form since.
    recent: Vec<f64>,
    /// Nanoseconds of the last measuring, and of the dispatches since.
    cost: f64,
    since: f64,
}

impl Measure {
    /// Begins to measure; the first form is the one that stays if others are about as fast. Without forms it is [`Form::Lower`].
    pub fn new(forms: &[Form]) -> Measure {
        let mut out = Measure {
            candidates: Vec::new(),
            current: forms.first().copied().unwrap_or(Form::Lower),
            measuring: false,
            iterations: None,
            samples: Vec::new(),
            measured: Vec::new(),
            first: true,
            recent: Vec::new(),
            cost: 0.0,
            since: 0.0,
        };
        for &form in forms {
            if !out.candidates.iter().any(|c| c.form == form) {
                out.candidates.push(Candidate { form, times: Vec::new(), warm_up: 0, flying: 0, left_out: false });
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
            out.cost = measured.iter().map(|m| m.nanoseconds * 1e6 * (2 + ITERATIONS) as f64).sum();
            (out.measuring, out.first) = (false, false);
            out.measured = measured;
            out.choose();
        }
        out
    }

    /// The form to dispatch next. Each call is for one dispatch; with several frames in flight forms alternate before their times are recorded.
    #[expect(clippy::should_implement_trait, reason = "a measure is no iterator")]
    pub fn next(&mut self) -> Form {
        if !self.measuring {
            return self.current;
        }
        let warming_up = self.iterations.is_none();
        let is_open = |c: &Candidate| if warming_up { !c.is_warm() } else { !c.left_out && c.count() < MAX_ITERATIONS };
        let least = self.candidates.iter().filter(|c| is_open(c)).map(Candidate::turn).min().unwrap_or(0);
        let mut ready = self.candidates.iter_mut().filter(|c| is_open(c) && (warming_up || c.turn() == least));
        // From the first to the last, and back.
        let next = if warming_up || least.is_multiple_of(2) { ready.next() } else { ready.next_back() };
        next.map_or(self.current, |c| {
            c.flying = (c.flying + 1).min(MAX_FLYING);
            c.form
        })
    }

    /// Whether forms are being measured.
    pub fn is_measuring(&self) -> bool {
        self.measuring
    }

    /// What the last measuring found, in the order of the forms; nothing before its end. A form that was far slower than the best has the time of its
    /// last dispatches.
    pub fn measured(&self) -> &[Measured] {
        &self.measured
    }

    /// The dispatches of the last measuring, or of the one that goes on, in the order of their times.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The form that runs when nothing is measured.
    pub fn current(&self) -> Form {
        self.current
    }

    /// Records how long a dispatch of so many rays took on the device. With several frames in flight times may come late, and of forms in any
    /// order. True: a measuring has ended with it.
    pub fn record(&mut self, form: Form, time: Duration, rays: u64) -> bool {
        let candidate = self.candidates.iter_mut().find(|c| c.form == form);
        if let Some(c) = candidate {
            c.flying = c.flying.saturating_sub(1);
        }
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
                (c.warm_up, c.flying, c.left_out) = (0, 0, false);
            }
            // A measuring that was not finished is still the first.
            self.first &= self.measured.is_empty();
            (self.measuring, self.iterations) = (true, None);
            (self.cost, self.since) = (0.0, 0.0);
            self.samples.clear();
            self.recent.clear();
        }
    }

    fn is_due(&self) -> bool {
        let then = self.measured.iter().find(|m| m.form == self.current).map_or(0.0, |m| m.nanoseconds);
        let changed = self.recent.len() == RECENT && {
            let now = median(&self.recent);
            now > then * DRIFT || then > now * DRIFT
        };
        self.since > self.cost * if changed || self.first { MIN_PAUSE } else { MAX_PAUSE }
    }

    /// A dispatch while measuring; whether it was the last.
    fn sample(&mut self, form: Form, nanoseconds: f64) -> bool {
        let warming_up = self.iterations.is_none();
        let Some(c) = self.candidates.iter_mut().find(|c| c.form == form && c.times.len() < MAX_TIMES) else { return false };
        c.times.push(nanoseconds);
        self.samples.push(Sample { form, nanoseconds, warm_up: warming_up || c.times.len() <= c.warm_up });
        if warming_up {
            if !self.candidates.iter().all(Candidate::is_warm) {
                return false;
            }
            for c in &mut self.candidates {
                // What is under way has not had its turn in an iteration.
                c.warm_up = c.times.len() + c.flying;
            }
        }
        let counts = self.candidates.iter().filter(|c| !c.left_out).map(Candidate::count);
        let iterations = counts.min().unwrap_or(MAX_ITERATIONS);
        if self.iterations.replace(iterations) == Some(iterations) {
            return false;
        }
        self.leave_out();
        let settled = self.candidates.iter().filter(|c| !c.left_out).all(|c| c.agree(SAMPLES));
        if iterations < ITERATIONS || (!settled && iterations < MAX_ITERATIONS) {
            return false;
        }
        // Where times do not agree, more of them say more.
        let last = if settled { SAMPLES } else { ITERATIONS };
        self.measured = self.candidates.iter().map(|c| Measured { form: c.form, nanoseconds: median(c.last(last)) }).collect();
        self.measuring = false;
        self.choose();
        true
    }

    /// Leaves out what is far slower than the best, at the end of an iteration: all have run as often then.
    fn leave_out(&mut self) {
        let best = self.candidates.iter().map(|c| median(c.last(SAMPLES))).fold(f64::INFINITY, f64::min);
        for c in &mut self.candidates {
            let limit = if c.times.len() < SETTLED_DISPATCHES { ABANDON_AT_START_RATIO } else { ABANDON_RATIO };
            c.left_out |= c.agree(2) && c.last(2).iter().all(|&t| t > best * limit);
        }
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
    fn is_warm(&self) -> bool {
        self.agree(2) || self.times.len() >= WARM_UP
    }

    /// Times that count.
    fn count(&self) -> usize {
        self.times.len().saturating_sub(self.warm_up)
    }

    /// The same with those that are still to come.
    fn turn(&self) -> usize {
        (self.times.len() + self.flying).saturating_sub(self.warm_up)
    }

    /// The last `n` times, or as many as there are.
    fn last(&self, n: usize) -> &[f64] {
        &self.times[self.times.len().saturating_sub(n)..]
    }

    /// Whether the last `n` times differ little; no, if there are fewer.
    fn agree(&self, n: usize) -> bool {
        let last = self.last(n);
        let least = last.iter().copied().fold(f64::INFINITY, f64::min);
        last.len() == n && last.iter().all(|&t| t <= least * EQUAL_RATIO)
    }
}

/// The median; of an even number of times the lower one of both in the middle.
fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests;
