//! Reduces a program that is wrong: fewer and smaller choices that still give something wrong of the same kind.

use std::borrow::Cow;

use crate::choices::Choices;
use crate::generate::{Program, generate};

/// What is made of choices.
pub trait Generated: Sized {
    /// The one of some choices.
    fn of(choices: Choices) -> Self;
    /// Its text.
    fn source(&self) -> Cow<'_, str>;
    /// What it was made of.
    fn choices(&self) -> &[u32];
}

impl Generated for Program {
    fn of(choices: Choices) -> Program {
        generate(choices)
    }

    fn source(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.source)
    }

    fn choices(&self) -> &[u32] {
        &self.choices
    }
}

/// Reduces a program as long as `is_wrong` says that the smaller one is still wrong. At most `tries` programs are tried.
pub fn reduce<P: Generated>(program: P, tries: usize, mut is_wrong: impl FnMut(&P) -> bool) -> P {
    let mut best = program;
    let mut left = tries;
    // Takes the choices if their program is smaller and still wrong.
    let mut attempt = |best: &mut P, choices: Vec<u32>, left: &mut usize| -> bool {
        if *left == 0 {
            return false;
        }
        let candidate = P::of(Choices::replay(choices));
        let size = |p: &P| (p.source().len(), p.choices().len(), p.choices().iter().map(|&c| u64::from(c)).sum::<u64>());
        if candidate.source() == best.source() || size(&candidate) >= size(best) {
            return false;
        }
        *left -= 1;
        if !is_wrong(&candidate) {
            return false;
        }
        *best = candidate;
        true
    };
    loop {
        let before = best.choices().to_vec();
        // Parts of the sequence, long ones first, are removed or made zero.
        let mut length = best.choices().len().next_power_of_two() / 2;
        while length > 0 {
            let mut at = 0;
            while at < best.choices().len() {
                let end = (at + length).min(best.choices().len());
                let mut removed = best.choices().to_vec();
                removed.drain(at..end);
                if attempt(&mut best, removed, &mut left) {
                    continue;
                }
                let mut zero = best.choices().to_vec();
                zero[at..end].fill(0);
                attempt(&mut best, zero, &mut left);
                at = end;
            }
            length /= 2;
        }
        // Single numbers become smaller.
        for at in 0..best.choices().len() {
            while at < best.choices().len() && best.choices()[at] > 0 {
                let mut smaller = best.choices().to_vec();
                smaller[at] /= 2;
                if !attempt(&mut best, smaller, &mut left) {
                    break;
                }
            }
        }
        if left == 0 || best.choices() == before {
            return best;
        }
    }
}
