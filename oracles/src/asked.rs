//! What the environment asks of tests: some of the names only, another number of rounds.
//!
//! A word that matches nothing, or a number that is none, fails the test: otherwise a slip of the pen looks like success.

use std::cell::Cell;

/// Names with a word in them, or all: what an environment variable asks for.
pub struct Filter {
    variable: &'static str,
    wanted: String,
    taken: Cell<usize>,
}

impl Filter {
    /// The word in an environment variable; everything, if that is not set or empty.
    pub fn new(variable: &'static str) -> Filter {
        Filter::of(variable, std::env::var(variable).unwrap_or_default())
    }

    fn of(variable: &'static str, wanted: String) -> Filter {
        Filter { variable, wanted, taken: Cell::new(0) }
    }

    /// Whether only some are wanted.
    pub fn is_set(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// Whether `name` is wanted.
    pub fn takes(&self, name: &str) -> bool {
        let takes = name.contains(&self.wanted);
        self.taken.set(self.taken.get() + usize::from(takes));
        takes
    }

    /// Why nothing was done, if nothing that was offered so far is wanted.
    pub fn nothing(&self) -> Option<String> {
        (self.is_set() && self.taken.get() == 0).then(|| format!("{}={} matches nothing here", self.variable, self.wanted))
    }

    /// Fails the test if nothing that was offered so far is wanted.
    #[track_caller]
    pub fn must_have_matched(&self) {
        if let Some(why) = self.nothing() {
            panic!("{why}");
        }
    }
}

/// The number in an environment variable, or another if it is not set.
#[track_caller]
pub fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`, no number")),
        Err(_) => default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_takes_names_with_it() {
        let f = Filter::of("RTC_X", "hell".into());
        assert!(!f.takes("cornell") && f.nothing().is_some());
        assert!(f.takes("hello") && f.nothing().is_none());
        f.must_have_matched();
    }

    #[test]
    fn no_word_takes_all() {
        let f = Filter::of("RTC_X", String::new());
        assert!(!f.is_set() && f.nothing().is_none());
        assert!(f.takes("anything") && f.nothing().is_none());
    }

    #[test]
    #[should_panic(expected = "RTC_X=nowhere matches nothing here")]
    fn a_word_that_matches_nothing_fails() {
        let f = Filter::of("RTC_X", "nowhere".into());
        _ = f.takes("hello");
        f.must_have_matched();
    }
}
