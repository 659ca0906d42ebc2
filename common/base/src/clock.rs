//! The clock that limits and timings look at: the system's, or one that never moves where a program has none.
//!
//! WebAssembly without a system interface has no clock, and asking the standard library for the time panics there.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use still::Instant;

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod still {
    use std::time::Duration;

    /// A time of a clock that never moves: what [`std::time::Instant`] is elsewhere. Time limits have no effect, and all times are zero.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// The time, which is always the same.
        pub fn now() -> Instant {
            Instant(Duration::ZERO)
        }

        /// The time since then: none.
        pub fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        /// A later time.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::still::Instant;
    use std::time::Duration;

    #[test]
    fn a_limit_is_never_reached() {
        let deadline = Instant::now().checked_add(Duration::from_nanos(1)).expect("a time");
        assert!(Instant::now() < deadline);
        assert_eq!(deadline.checked_add(Duration::MAX), None);
        assert_eq!(Instant::now().elapsed(), Duration::ZERO);
    }
}
