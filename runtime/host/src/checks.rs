//! Reports of self-checking shaders: actual and expected values in a buffer that the host compares.
//!
//! A buffer of a scene with `checks = N` holds a report of N bytes for each thread, in rows of four words:
//!
//! | row | words |
//! |---|---|
//! | first | how many checks were made; [`FINISHED`] plus how many there must be, written last of all |
//! | others | twice the line of the source, plus 1 for floating-point numbers, which need only be close; what was found; what it must be |
//!
//! The shader only writes: which numbers are right is decided here, so that a wrong comparison on the device hides nothing. A
//! thread that did not write the end of its report, or made another number of checks than it says, fails; so the buffer has
//! as many reports as the dispatch has threads.

use std::fmt;

/// In the second word of a report that was finished.
pub const FINISHED: u32 = 0x4000_0000;
/// Failures that are put into words; more are counted.
const SHOWN: usize = 8;
/// How far floating-point numbers may be from what they must be, relative to 1 or to the larger one.
const CLOSE: f32 = 2e-5;

/// What the checks of a run found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Reports in the buffers: threads.
    pub threads: usize,
    /// Checks that were made, in all threads.
    pub made: usize,
    /// Things that are wrong.
    pub failed: usize,
    /// The first of them, in words.
    pub failures: Vec<String>,
}

impl Checks {
    /// Whether something was checked and everything was right.
    pub fn passed(&self) -> bool {
        self.failed == 0 && self.made != 0
    }

    /// Adds the reports in a buffer, each of `size` bytes.
    pub(crate) fn read(&mut self, bytes: &[u8], size: u32) {
        for (thread, report) in bytes.chunks_exact(size as usize).enumerate() {
            let words: Vec<u32> = report.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
            let (head, rows) = words.split_at(4);
            let (made, end) = (head[0], head[1]);
            self.threads += 1;
            self.made += made as usize;
            let room = rows.len() / 4;
            for row in rows.chunks_exact(4).take(made as usize) {
                if let Err(why) = compare(row[1], row[2], row[0] & 1 != 0) {
                    self.fail(format!("thread {thread}, line {}: {why}", row[0] >> 1));
                }
            }
            if made as usize > room {
                self.fail(format!("thread {thread}: {made} checks, but a report has room for {room}"));
            }
            if end & FINISHED == 0 {
                self.fail(format!("thread {thread}: did not finish, after {made} checks"));
            } else if end & !FINISHED != made {
                self.fail(format!("thread {thread}: {made} checks, expected {}", end & !FINISHED));
            }
        }
    }

    /// Counts a comparison that the host makes, and keeps why it failed.
    pub(crate) fn add(&mut self, result: Result<(), String>) {
        self.made += 1;
        if let Err(why) = result {
            self.fail(why);
        }
    }

    fn fail(&mut self, why: String) {
        self.failed += 1;
        if self.failures.len() < SHOWN {
            self.failures.push(why);
        }
    }
}

impl fmt::Display for Checks {
    /// What is wrong, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.made == 0 && self.failed == 0 {
            return write!(f, "nothing was checked");
        }
        write!(f, "{} of {} checks in {} threads failed", self.failed, self.made, self.threads)?;
        for line in &self.failures {
            write!(f, "\n  {line}")?;
        }
        Ok(())
    }
}

/// Nothing if a value is as expected; otherwise both, in words.
pub(crate) fn compare(actual: u32, expected: u32, floating: bool) -> Result<(), String> {
    if !floating {
        return if actual == expected { Ok(()) } else { Err(format!("found {actual} ({actual:#x}), expected {expected} ({expected:#x})")) };
    }
    let (x, y) = (f32::from_bits(actual), f32::from_bits(expected));
    let same = x == y || (x - y).abs() <= CLOSE * x.abs().max(y.abs()).max(1.0) || (x.is_nan() && y.is_nan());
    if same { Ok(()) } else { Err(format!("found {x}, expected {y}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(reports: &[&[[u32; 4]]]) -> Checks {
        let mut bytes = Vec::new();
        for r in reports {
            let mut one: Vec<u8> = r.as_flattened().iter().flat_map(|w| w.to_le_bytes()).collect();
            one.resize(64, 0);
            bytes.extend(one);
        }
        let mut out = Checks::default();
        out.read(&bytes, 64);
        out
    }

    #[test]
    fn right_reports_pass() {
        let one = 1.0f32.to_bits();
        let c = checks(&[&[[2, FINISHED | 2, 0, 0], [20, 7, 7, 0], [11, one + 3, one, 1]], &[[0, FINISHED, 0, 0]]]);
        assert!(c.passed(), "{c}");
        assert_eq!((c.threads, c.made), (2, 2));
    }

    #[test]
    fn wrong_reports_fail() {
        let fails = |report: &[[u32; 4]], word: &str| {
            let c = checks(&[report]);
            assert!(!c.passed() && c.to_string().contains(word), "{c}");
        };
        fails(&[], "did not finish");
        fails(&[[0, FINISHED, 0, 0]], "nothing was checked");
        fails(&[[1, FINISHED | 1, 0, 0], [20, 7, 8, 0]], "line 10: found 7 (0x7), expected 8");
        fails(&[[1, FINISHED | 1, 0, 0], [21, 1.0f32.to_bits(), 1.5f32.to_bits(), 0]], "found 1, expected 1.5");
        fails(&[[1, FINISHED | 1, 0, 0], [21, f32::NAN.to_bits(), 0, 0]], "found NaN, expected 0");
        fails(&[[1, 0, 0, 0], [20, 7, 7, 0]], "did not finish");
        fails(&[[1, FINISHED | 2, 0, 0], [20, 7, 7, 0]], "1 checks, expected 2");
        fails(&[[9, FINISHED | 9, 0, 0], [20, 7, 7, 0]], "room for 3");
    }
}
