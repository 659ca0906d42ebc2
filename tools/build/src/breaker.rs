//! A circuit breaker: after failures in a row, or when requests cost more time than they save, no more are made for a while.

use std::time::{Duration, Instant};

/// So many failures in a row open the breaker.
const FAILURES: u32 = 3;

/// A breaker that is open lets one request through after this time, and after twice as long each time that it fails.
const RETRY: Duration = Duration::from_secs(30);

/// Requests may cost this much more than they save, ...
const ALLOWANCE: Duration = Duration::from_secs(5);

/// ... and this part of the time that has passed.
const ALLOWED_PART: f64 = 0.1;

/// Decides whether requests are made. Times are given, so that it can be tested.
#[derive(Clone, Debug)]
pub struct Breaker {
    begun: Instant,
    /// Failures since the last answer.
    failures: u32,
    /// When it opened.
    opened: Option<Instant>,
    /// How often it opened since the last answer.
    times: u32,
    /// Seconds that requests cost, less those that they saved.
    cost: f64,
}

/// What a breaker does after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Further requests are made.
    Closed,
    /// None are made for a while: this many failed in a row.
    Failing(u32),
    /// None are made for a while: they cost more than they save.
    Slow,
}

impl Breaker {
    /// A closed one.
    pub fn new(now: Instant) -> Self {
        Breaker { begun: now, failures: 0, opened: None, times: 0, cost: 0.0 }
    }

    /// Whether a request is made now.
    pub fn allows(&mut self, now: Instant) -> bool {
        let Some(opened) = self.opened else { return true };
        let wait = RETRY.saturating_mul(1 << self.times.saturating_sub(1).min(10));
        let probe = now.saturating_duration_since(opened) >= wait;
        if probe {
            // One request is tried; others wait for its outcome.
            self.opened = Some(now);
        }
        probe
    }

    /// A request was answered. `cost` and `worth` are what it cost and saved of the time of the build.
    pub fn answered(&mut self, now: Instant, cost: Duration, worth: Duration) -> Verdict {
        if self.opened.take().is_some() {
            // What was slow gets a new chance.
            (self.cost, self.begun) = (0.0, now);
        }
        (self.failures, self.times) = (0, 0);
        self.cost += cost.as_secs_f64() - worth.as_secs_f64();
        self.too_slow(now)
    }

    /// A request failed, or its answer was of no use.
    pub fn failed(&mut self, now: Instant, cost: Duration) -> Verdict {
        self.failures += 1;
        self.cost += cost.as_secs_f64();
        if self.failures >= FAILURES {
            self.open(now);
            return Verdict::Failing(self.failures);
        }
        self.too_slow(now)
    }

    fn too_slow(&mut self, now: Instant) -> Verdict {
        let passed = now.saturating_duration_since(self.begun).as_secs_f64();
        // What was saved is not kept to be spent later.
        self.cost = self.cost.max(-ALLOWANCE.as_secs_f64());
        if self.cost <= ALLOWANCE.as_secs_f64() + ALLOWED_PART * passed {
            return Verdict::Closed;
        }
        self.open(now);
        Verdict::Slow
    }

    fn open(&mut self, now: Instant) {
        self.opened = Some(now);
        self.times += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn failures_in_a_row_open_it_and_an_answer_closes_it() {
        let start = Instant::now();
        let mut b = Breaker::new(start);
        let none = Duration::ZERO;
        assert_eq!((b.failed(start, none), b.failed(start, none)), (Verdict::Closed, Verdict::Closed));
        assert_eq!(b.answered(start, none, none), Verdict::Closed);
        assert_eq!((b.failed(start, none), b.failed(start, none)), (Verdict::Closed, Verdict::Closed));
        assert!(b.allows(start));
        assert_eq!(b.failed(start, none), Verdict::Failing(3));
        assert!(!b.allows(start + 29 * SECOND));
        // One request is tried. It fails: the next one comes after twice the time.
        assert!(b.allows(start + 30 * SECOND) && !b.allows(start + 31 * SECOND));
        assert_eq!(b.failed(start + 31 * SECOND, none), Verdict::Failing(4));
        assert!(!b.allows(start + 90 * SECOND) && b.allows(start + 91 * SECOND));
        assert_eq!(b.answered(start + 92 * SECOND, none, none), Verdict::Closed);
        assert!(b.allows(start + 92 * SECOND) && b.allows(start + 92 * SECOND));
    }

    #[test]
    fn requests_that_only_cost_end() {
        let start = Instant::now();
        let mut b = Breaker::new(start);
        // A tenth of a second each, of which nothing is saved: they end after 5 seconds and a tenth of what passed.
        let n = (1..1000u32).find(|&n| b.answered(start + n * SECOND / 10, SECOND / 10, Duration::ZERO) == Verdict::Slow);
        assert_eq!(n, Some(56));
        assert!(!b.allows(start + 6 * SECOND));
        // If they save as much, they never end.
        let mut b = Breaker::new(start);
        assert!((1..1000u32).all(|n| b.answered(start + n * SECOND / 10, SECOND / 10, SECOND / 10) == Verdict::Closed));
        // What is saved first is not spent without end.
        let mut b = Breaker::new(start);
        assert!((0..1000).all(|_| b.answered(start, Duration::ZERO, SECOND) == Verdict::Closed));
        let n = (1..1000).find(|_| b.answered(start, SECOND, Duration::ZERO) == Verdict::Slow);
        assert_eq!(n, Some(11));
    }
}
