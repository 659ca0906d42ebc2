//! Reduces a program that is wrong: fewer and smaller choices that still give something wrong of the same kind.

use crate::choices::Choices;
use crate::generate::{Program, generate};

/// Reduces a program as long as `is_wrong` says that the smaller one is still wrong. At most `tries` programs are tried.
pub fn reduce(program: Program, tries: usize, mut is_wrong: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program;
    let mut left = tries;
    // Takes the choices if their program is smaller and still wrong.
    let mut attempt = |best: &mut Program, choices: Vec<u32>, left: &mut usize| -> bool {
        if *left == 0 {
            return false;
        }
        let candidate = generate(Choices::replay(choices));
        let size = |p: &Program| (p.source.len(), p.choices.len(), p.choices.iter().map(|&c| u64::from(c)).sum::<u64>());
        if candidate.source == best.source || size(&candidate) >= size(best) {
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
        let before = best.choices.clone();
        // Parts of the sequence, long ones first, are removed or made zero.
        let mut length = best.choices.len().next_power_of_two() / 2;
        while length > 0 {
            let mut at = 0;
            while at < best.choices.len() {
                let end = (at + length).min(best.choices.len());
                let mut removed = best.choices.clone();
                removed.drain(at..end);
                if attempt(&mut best, removed, &mut left) {
                    continue;
                }
                let mut zero = best.choices.clone();
                zero[at..end].fill(0);
                attempt(&mut best, zero, &mut left);
                at = end;
            }
            length /= 2;
        }
        // Single numbers become smaller.
        for at in 0..best.choices.len() {
            while at < best.choices.len() && best.choices[at] > 0 {
                let mut smaller = best.choices.clone();
                smaller[at] /= 2;
                if !attempt(&mut best, smaller, &mut left) {
                    break;
                }
            }
        }
        if left == 0 || best.choices == before {
            return best;
        }
    }
}
