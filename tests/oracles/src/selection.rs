//! Selection of test cases by environment variables: part of the names, or another number of iterations.
//!
//! A word that matches nothing, or an invalid number, fails the test: otherwise a typing error would look like success.

use std::cell::Cell;

/// A filter of names by an environment variable: names that contain its word, or all; after `!`, all but the names that follow, with commas.
pub struct Filter {
    variable: &'static str,
    wanted: String,
    matched: Cell<usize>,
}

impl Filter {
    /// The word in an environment variable; everything, if that is not set or empty.
    pub fn new(variable: &'static str) -> Filter {
        Filter::of(variable, std::env::var(variable).unwrap_or_default())
    }

    fn of(variable: &'static str, wanted: String) -> Filter {
        Filter { variable, wanted, matched: Cell::new(0) }
    }

    /// Whether the variable is set.
    pub fn is_set(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// Whether `name` is selected.
    pub fn takes(&self, name: &str) -> bool {
        let without = self.wanted.strip_prefix('!');
        let matches = without.map_or_else(|| name.contains(&self.wanted), |names| names.split(',').any(|n| n == name));
        self.matched.set(self.matched.get() + usize::from(matches));
        matches != without.is_some()
    }

    /// The reason for a skip, if the word is in no name so far, or no name is one of those to leave out.
    pub fn nothing(&self) -> Option<String> {
        (self.is_set() && self.matched.get() == 0).then(|| format!("{}={} matches nothing here", self.variable, self.wanted))
    }

    /// Fails the test in the case of [`Filter::nothing`].
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
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}: expected a number, found `{text}`")),
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
    fn names_are_left_out() {
        let f = Filter::of("RTC_X", "!mesh,hello".into());
        assert!(f.takes("mesh_lines") && f.nothing().is_some());
        assert!(!f.takes("mesh") && !f.takes("hello") && f.nothing().is_none());
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
