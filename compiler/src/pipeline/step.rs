//! A step of a compilation, and what the steps work on.

use std::fmt;

use rtc_base::Diagnostic;
use rtc_frontend::preprocess::Pragmas;
use rtc_ir::Module;
use rtc_passes::{AuditState, PipelineError};

use crate::compilation::{Compilation, Product};
use crate::front_end::Front;
use crate::options::Options;
use crate::payloads::{self, Packing, Recorded};
use crate::run_passes::checked;
use crate::snapshots;

/// Passes for an unoptimised program that is invalid, or that a target cannot express, only because of code that never runs.
pub const FOLDED: &[&str] = &["optimize", "constant_operands", "handles", "dce"];

/// A step of a compilation.
pub(crate) struct Step {
    /// What is done, as `-v` prints it.
    name: &'static str,
    /// The phase of `-ftime-report` that it is part of.
    pub phase: Option<&'static str>,
    /// How it is done.
    pub work: Work,
    /// What must hold of the program, in words and as a function.
    pub condition: Option<(&'static str, Holds)>,
}

/// Whether something holds of the program.
pub(crate) type Holds = fn(&State<'_>) -> bool;

/// How a step is done.
pub(crate) enum Work {
    /// By a function; `None` after an error.
    Do(fn(&mut State<'_>) -> Option<()>),
    /// By passes.
    Passes(&'static [&'static str]),
    /// By passes; where they find the program invalid, by these others in their place.
    PassesOr(&'static [&'static str], &'static [&'static str]),
}

impl Step {
    /// A step that a function takes.
    pub fn does(name: &'static str, work: fn(&mut State<'_>) -> Option<()>) -> Self {
        Step { name, phase: Some("passes"), work: Work::Do(work), condition: None }
    }

    /// A step that passes take.
    pub fn passes(name: &'static str, passes: &'static [&'static str]) -> Self {
        Step { work: Work::Passes(passes), ..Step::does(name, |_| Some(())) }
    }

    /// The same, done in another way.
    pub fn by(self, work: Work) -> Self {
        Step { work, ..self }
    }

    /// The same in another phase.
    pub fn of_phase(self, phase: Option<&'static str>) -> Self {
        Step { phase, ..self }
    }

    /// The same under a condition.
    pub fn provided(self, what: &'static str, holds: Holds) -> Self {
        Step { condition: Some((what, holds)), ..self }
    }
}

/// `inline: tidy, inline`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        match self.work {
            Work::Passes(passes) => write!(f, ": {}", passes.join(", "))?,
            Work::PassesOr(passes, others) => {
                write!(f, ": {}; if they find the program invalid: {}", passes.join(", "), others.join(", "))?;
            }
            Work::Do(_) => {}
        }
        self.condition.map_or(Ok(()), |(what, _)| write!(f, " (if {what})"))
    }
}

/// What the steps of a compilation work on.
pub(crate) struct State<'a> {
    pub name: &'a str,
    pub o: &'a Options,
    pub pragmas: &'a Pragmas,
    pub c: &'a mut Compilation,
    pub front: Front,
    pub packing: Packing,
    /// What the shaders of a library do with payloads, where that decides their layout.
    pub whole: Option<payloads::whole::Whole>,
    pub recorded: Recorded,
    /// The accesses between reorder points. Steps that change the module other than by passes begin anew.
    pub audit: AuditState,
    /// The program before optimisation, for the report about reorder points.
    pub unoptimised: Option<Module>,
    /// Warnings that are shown if optimisation succeeds.
    pub warnings: Vec<Diagnostic>,
    pub product: Option<Product>,
}

impl<'a> State<'a> {
    pub fn new(name: &'a str, front: Front, o: &'a Options, pragmas: &'a Pragmas, c: &'a mut Compilation) -> Self {
        State {
            name,
            o,
            pragmas,
            c,
            front,
            packing: Packing::Declared,
            whole: None,
            recorded: Recorded::default(),
            audit: AuditState::default(),
            unoptimised: None,
            warnings: Vec::new(),
            product: None,
        }
    }

    /// Takes a step; `None` after an error.
    pub fn take(&mut self, step: &Step) -> Option<()> {
        if step.condition.is_some_and(|(_, holds)| !holds(self)) {
            return Some(());
        }
        match step.work {
            Work::Do(work) => work(self),
            Work::Passes(passes) => {
                let done = self.run(passes);
                checked(done, self.c)
            }
            Work::PassesOr(passes, others) => {
                let before = self.front.module.clone();
                let mut done = self.run(passes);
                if let Err(PipelineError::Invalid(_)) = done {
                    self.front.module = before;
                    self.audit = AuditState::default();
                    done = self.run(others);
                }
                checked(done, self.c)
            }
        }
    }

    fn run(&mut self, passes: &[&'static str]) -> Result<rtc_passes::Changed, PipelineError> {
        snapshots::run(&mut self.front.module, passes, &mut self.audit, self.o, self.c)
    }

    /// What was made.
    pub fn product(self) -> Option<Product> {
        self.product
    }
}
