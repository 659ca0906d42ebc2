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

/// A smaller choice: what happens to the choices of a program.
#[derive(Clone, Copy)]
enum Edit {
    /// These are removed.
    Remove(usize, usize),
    /// These become zero.
    Zero(usize, usize),
    /// This number becomes smaller by half.
    Halve(usize),
}

impl Edit {
    fn apply(self, choices: &[u32]) -> Vec<u32> {
        let mut out = choices.to_vec();
        match self {
            Edit::Remove(from, to) => drop(out.drain(from..to)),
            Edit::Zero(from, to) => out[from..to].fill(0),
            Edit::Halve(at) => out[at] /= 2,
        }
        out
    }
}

/// The edits of a list of choices: of parts of this length, or of single numbers for the length zero.
fn edits(choices: &[u32], length: usize) -> impl Iterator<Item = Edit> {
    let n = choices.len();
    let parts = (0..n).step_by(length.max(1)).flat_map(move |at| {
        let to = (at + length).min(n);
        if length == 0 { [Some(Edit::Halve(at)), None] } else { [Some(Edit::Remove(at, to)), Some(Edit::Zero(at, to))] }
    });
    parts.flatten()
}

/// Reduces a program: of up to `together` smaller ones at a time `first_wrong` gives the first that is still wrong. At most `tries` programs are tried.
pub fn reduce<P: Generated>(program: P, tries: usize, together: usize, mut first_wrong: impl FnMut(&[P]) -> Option<usize>) -> P {
    let size = |p: &P| (p.source().len(), p.choices().len(), p.choices().iter().map(|&c| u64::from(c)).sum::<u64>());
    let (mut best, mut left) = (program, tries);
    loop {
        let before = best.choices().to_vec();
        // Parts of the sequence, long ones first, are removed or made zero; then single numbers become smaller.
        let mut length = best.choices().len().next_power_of_two() / 2;
        loop {
            let mut from = 0;
            while left > 0 {
                let (mut tried, mut programs) = (Vec::new(), Vec::new());
                for (place, edit) in edits(best.choices(), length).enumerate().skip(from) {
                    let candidate = P::of(Choices::replay(edit.apply(best.choices())));
                    if candidate.source() != best.source() && size(&candidate) < size(&best) {
                        tried.push((place, edit));
                        programs.push(candidate);
                    }
                    if programs.len() == together.clamp(1, left) {
                        break;
                    }
                }
                let Some(&(last, _)) = tried.last() else { break };
                left -= programs.len();
                from = match first_wrong(&programs) {
                    Some(i) => {
                        best = programs.swap_remove(i);
                        // What was zero once stays as it is; elsewhere the same may be done again.
                        tried[i].0 + usize::from(matches!(tried[i].1, Edit::Zero(..)))
                    }
                    None => last + 1,
                };
            }
            if length == 0 {
                break;
            }
            length /= 2;
        }
        if left == 0 || best.choices() == before {
            return best;
        }
    }
}
