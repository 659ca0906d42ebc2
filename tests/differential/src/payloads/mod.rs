//! What payloads hold, by the specification's text: random ray-tracing libraries against a model of the rules.
//!
//! [`generate`] makes a [`program`] of choices, [`mod@print`] writes it as HLSL, [`model`] says what each word must be, as far as that is defined, and
//! [`forms`] compiles it in all the ways that must do that: DXIL on the CPU device, SPIR-V with each payload layout, with inferred qualifiers,
//! with sorted rays, in one file, in two that are given together, and linked. [`shared`] lets the CPU device execute what the passes make of payloads
//! for SPIR-V. [`coverage`] lists the rows of the specification's tables and counts those that were met.

pub mod coverage;
pub mod execute;
pub mod forms;
pub mod generate;
pub mod model;
pub mod print;
pub mod program;
pub mod shared;

use std::borrow::Cow;

use crate::choices::Choices;
use crate::devices::Devices;
use crate::reduce::Generated;
use crate::run::Mismatch;

use coverage::Coverage;
use forms::{FORMS, Failure, Form};
use program::{Program, WORDS};

impl Generated for Program {
    fn of(choices: Choices) -> Program {
        generate::generate(choices)
    }

    fn source(&self) -> Cow<'_, str> {
        Cow::Owned(print::parts(self).join("// next file\n"))
    }

    fn choices(&self) -> &[u32] {
        &self.choices
    }
}

/// What was found with a program.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Builds that were executed.
    pub executed: usize,
    /// What is wrong: the kind, and the form with details.
    pub wrong: Vec<(Mismatch, String)>,
}

/// One of so many programs has its rays sorted.
const SORTED: u64 = 64;

/// Which forms a program is checked in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// All that it has.
    All,
    /// All that the CPU device executes.
    Cpu,
    /// DXIL and a few others, which take turns.
    Turn(u64),
}

/// The forms that a program is checked in.
pub fn forms_of(p: &Program, chosen: Chosen) -> Vec<Form> {
    let all: Vec<Form> = FORMS.into_iter().filter(|f| f.fits(p)).collect();
    let turn = match chosen {
        Chosen::All => return all,
        Chosen::Cpu => return all.into_iter().filter(Form::is_on_cpu).collect(),
        Chosen::Turn(turn) => turn,
    };
    let sorted = turn.is_multiple_of(SORTED);
    let packages: Vec<&Form> = all.iter().filter(|f| !f.is_on_cpu() && f.is_sorted() == sorted).collect();
    let package = packages.get((turn / if sorted { SORTED } else { 1 }) as usize % packages.len().max(1)).map(|f| f.name);
    let kept = |f: &&Form| f.name == package.unwrap_or_default() || (f.is_on_cpu() && (!f.is_unoptimised() || turn.is_multiple_of(4)));
    all.iter().filter(kept).copied().collect()
}

/// Compiles and executes a program in forms, and compares what it stores with what the model says.
pub fn check(p: &Program, devices: &mut Devices, forms: &[Form]) -> Findings {
    let mut found = Findings::default();
    let Ok(expected) = model::run(p, &mut Coverage::default()) else { return found };
    for form in forms {
        let wrong = match form.build(p) {
            Err(Failure::Refused(e)) => Some((Mismatch::Refused, e)),
            Err(Failure::NotInferred(e)) => Some((Mismatch::Refused, format!("not inferred: {e}"))),
            Err(Failure::Panicked) => Some((Mismatch::Crash, "a panic".into())),
            Ok(files) => {
                let done = if form.is_on_cpu() {
                    devices.on_cpu(|d| execute::execute(d, &files, p))
                } else {
                    devices.on_vulkan(&files[0], |d| execute::execute(d, &files, p))
                };
                match done {
                    None => None,
                    Some(Err(e)) => Some((Mismatch::Device, e)),
                    Some(Ok(words)) => {
                        found.executed += 1;
                        difference(&expected, &words).map(|d| (Mismatch::Ours, d))
                    }
                }
            }
        };
        found.wrong.extend(wrong.map(|(kind, text)| (kind, format!("{}: {text}", form.name))));
    }
    found
}

/// The first words that are not what they must be.
fn difference(expected: &[Option<u32>], words: &[u32]) -> Option<String> {
    let all: Vec<usize> = (0..expected.len()).filter(|&i| expected[i].is_some_and(|e| words.get(i) != Some(&e))).collect();
    if all.is_empty() {
        return None;
    }
    let one = |&i: &usize| {
        let (thread, word) = (i / WORDS as usize, i % WORDS as usize);
        format!("thread {thread} word {word} is {:?}, not {:?}", words.get(i).copied().unwrap_or(0), expected[i].unwrap_or(0))
    };
    let some: Vec<String> = all.iter().take(4).map(one).collect();
    Some(format!("{} words are wrong: {}", all.len(), some.join("; ")))
}

/// Seeds of a range whose programs, of those with the right rows, together meet all rows that these meet: each is the one that adds the most, for what
/// it costs.
pub fn covering(seeds: std::ops::Range<u64>, wanted: impl Fn(&Program) -> bool) -> Vec<u64> {
    let mut all = Vec::new();
    for seed in seeds {
        let program = generate::random(seed);
        if !wanted(&program) {
            continue;
        }
        let mut met = Coverage::default();
        model::run(&program, &mut met).ok();
        let cost = program.source().len().max(1);
        all.push((seed, cost, met.met_rows().map(|(row, _)| row.to_string()).collect::<Vec<_>>()));
    }
    let (mut met, mut chosen) = (std::collections::BTreeSet::new(), Vec::new());
    loop {
        let gain = |rows: &[String]| rows.iter().filter(|row| !met.contains(*row)).count();
        let best = all.iter().max_by_key(|(seed, cost, rows)| (gain(rows) * 1_000_000 / (cost + 4000), std::cmp::Reverse(*seed)));
        match best {
            Some((seed, _, rows)) if gain(rows) > 0 => {
                chosen.push(*seed);
                met.extend(rows.iter().cloned());
            }
            _ => return chosen,
        }
    }
}
