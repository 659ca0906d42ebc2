//! Findings of the validator: the violated rule, the location and the cause.

use rtc_dxil_container::metadata::debug_lookup::Lookup;
use rtc_dxil_dis as dis;
use rtc_dxil_module::{Func, Inst, Module};
use rtc_tables::validation::Rule;
use std::fmt;

/// Maximum number of findings in a report; further ones are only counted.
const MAX: usize = 200;

/// The location of a rule violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// In the module or the container as a whole.
    Module,
    /// In a part of the container.
    Part {
        /// Its name, or `container` for the frame.
        name: String,
        /// Bytes into its data.
        offset: usize,
    },
    /// In the declaration of a function, or a function as a whole.
    Function(String),
    /// At an instruction.
    Inst {
        /// The function.
        function: String,
        /// The instruction, as listings print it.
        text: String,
        /// File, line and column of the source, if there is debug information.
        source: Option<(String, u32, u32)>,
    },
}

/// A rule violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// The location.
    pub location: Location,
    /// What exactly is wrong, without a full stop.
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Location::Inst { source: Some((file, line, column)), .. } = &self.location {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        match &self.location {
            Location::Module => {}
            Location::Part { name, offset } => write!(f, "{name} at byte {offset:#x}: ")?,
            Location::Function(name) | Location::Inst { function: name, .. } => {
                write!(f, "function '{}': ", name.escape_debug())?;
            }
        }
        write!(f, "{} [{}]", self.detail, self.rule.id)?;
        if let Location::Inst { text, .. } = &self.location {
            write!(f, "\n  {text}")?;
        }
        Ok(())
    }
}

/// The result of a validation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The findings, in the order in which rules ran.
    pub findings: Vec<Finding>,
    /// How many more there were.
    pub more: usize,
    /// What was not validated, and why.
    pub left_out: Vec<String>,
}

impl Report {
    /// Whether there are no findings.
    pub fn is_valid(&self) -> bool {
        self.findings.is_empty()
    }

    pub(super) fn of(rule: &'static Rule, location: Location, detail: String) -> Report {
        Report { findings: vec![Finding { rule, location, detail }], ..Report::default() }
    }

    pub(super) fn is_full(&self) -> bool {
        self.findings.len() >= MAX
    }

    pub(super) fn count(&mut self) {
        self.more += 1;
    }

    pub(super) fn add(&mut self, finding: Finding) {
        if self.is_full() {
            self.more += 1;
        } else if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{finding}")?;
        }
        if self.more > 0 {
            writeln!(f, "and {} more", self.more)?;
        }
        Ok(())
    }
}

/// The location of an instruction.
pub(super) fn at_inst(m: &Module, lines: Option<&Lookup<'_>>, func: Func, inst: Inst) -> Location {
    let source = lines.and_then(|l| l.place(func, inst)).map(|p| (p.file, p.line, p.column));
    Location::Inst { function: m.funcs[func].name.to_string(), text: dis::inst_text(m, func, inst), source }
}
