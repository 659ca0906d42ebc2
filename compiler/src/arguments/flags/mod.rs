//! The options of the command line: how each takes its value, the field that it sets, and what becomes of those of dxc that do nothing here.
//!
//! Arguments are parsed by this table ([`super::syntax`]), `--help` prints it, and `docs/flags.md` is generated from it. Every
//! spelling of dxc's own table is a row: it has its effect, or is accepted without one, or is refused with the reason. Most rows set a
//! field of [`Options`] themselves ([`Effect`]); those that name files, say what is done with the source or mean something together
//! with others only are read elsewhere in `arguments/`.

mod given;
mod rows;

pub use rows::FLAGS;

use super::error::Result;
use crate::options::Options;
pub(super) use given::{Given, version};

/// How an option takes its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// No value.
    Nothing,
    /// `-Dx` or `-D x`.
    JoinedOrSeparate,
    /// `-Wx` only.
    Joined,
    /// `-exports x` only.
    Separate,
    /// `-fspv-target-env=x`; the name in the table ends before `=`.
    Equals,
    /// `-ftime-trace` or `-ftime-trace=x`.
    OptionalEquals,
    /// `-fvk-t-shift 10 0`: two values.
    Two,
    /// `-fvk-bind-register t3 0 1 2`: four values.
    Four,
}

/// The support of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// The option has its effect.
    Full,
    /// Accepted without effect, for this reason; `-v` prints it.
    NoEffect(&'static str),
    /// An error, for this reason.
    Refused(&'static str),
}

/// What an option does.
#[derive(Clone, Copy, Debug)]
pub(in crate::arguments) enum Effect {
    /// Another file of `arguments/` reads it.
    Read,
    /// It sets a field.
    Set(fn(&mut Options)),
    /// It sets a field to its value. Where an option is given more than once, each sets it.
    Value(fn(&mut Options, &Given<'_>) -> Result<()>),
}

/// One option.
#[derive(Debug)]
pub struct Flag {
    /// The name without dash.
    pub name: &'static str,
    /// How it takes its value.
    pub takes: Takes,
    /// Its support.
    pub support: Support,
    /// True for an option that dxc does not have.
    pub own: bool,
    /// The name of the value in the help.
    pub value: &'static str,
    /// Its line in the help; empty for some options that are refused.
    pub help: &'static str,
    /// What it does.
    pub(in crate::arguments) effect: Effect,
    /// It is about compiling, so that `-dumpbin` contradicts it.
    pub(in crate::arguments) compiling: bool,
    /// It does not change the output, so that a PDB does not record it.
    pub(in crate::arguments) unrecorded: bool,
    /// It concerns SPIR-V, though its name does not say so.
    spirv: bool,
}

/// Columns that few rows have.
impl Flag {
    const fn new(name: &'static str, takes: Takes, support: Support, value: &'static str, help: &'static str) -> Self {
        let (own, compiling, unrecorded, spirv) = (false, false, false, false);
        Flag { name, takes, support, own, value, help, effect: Effect::Read, compiling, unrecorded, spirv }
    }

    const fn set(self, set: fn(&mut Options)) -> Self {
        Flag { effect: Effect::Set(set), ..self }
    }

    const fn given(self, set: fn(&mut Options, &Given<'_>) -> Result<()>) -> Self {
        Flag { effect: Effect::Value(set), ..self }
    }

    const fn compiling(self) -> Self {
        Flag { compiling: true, ..self }
    }

    const fn unrecorded(self) -> Self {
        Flag { unrecorded: true, ..self }
    }

    const fn spirv(self) -> Self {
        Flag { spirv: true, ..self }
    }
}

impl Takes {
    /// The values of an option, as words of their own unless it joins the value to its name.
    pub fn values(self) -> usize {
        match self {
            Takes::Nothing => 0,
            Takes::JoinedOrSeparate | Takes::Joined | Takes::Separate | Takes::Equals | Takes::OptionalEquals => 1,
            Takes::Two => 2,
            Takes::Four => 4,
        }
    }

    /// Whether the values are never words of their own.
    pub fn joins(self) -> bool {
        matches!(self, Takes::Joined | Takes::Equals | Takes::OptionalEquals)
    }
}

impl Flag {
    /// Whether it concerns SPIR-V alone: it has no meaning for DXIL.
    pub fn is_spirv(&self) -> bool {
        self.name.starts_with("fspv-") || self.name.starts_with("fvk-") || self.spirv
    }

    /// The option as it is written, with its values: `-fvk-t-shift N SPACE`.
    pub fn spelling(&self) -> String {
        match self.takes {
            Takes::Nothing => format!("-{}", self.name),
            Takes::Joined => format!("-{}{}", self.name, self.value),
            Takes::Equals => format!("-{}={}", self.name, self.value),
            Takes::OptionalEquals => format!("-{}[={}]", self.name, self.value),
            Takes::JoinedOrSeparate | Takes::Separate | Takes::Two | Takes::Four => format!("-{} {}", self.name, self.value),
        }
    }
}

/// The page `docs/flags.md`.
pub fn page() -> String {
    let mut out = String::from(
        "# Options\n\nGenerated from `compiler/src/arguments/flags/rows.rs`; `UPDATE=1 cargo test -p rtc --test flags` writes it. Options are written with `-` or, as in \
         dxc, with `/`; `@FILE` reads more arguments from a file.\n",
    );
    let mut section = |title: &str, text: &str, chosen: &dyn Fn(&Flag) -> bool, columns: (&str, &str)| {
        out.push_str(&format!(
            "\n## {title}\n\n{text}\n\n| option | {} |{}\n|---|---|{}\n",
            columns.0,
            columns.1,
            if columns.1.is_empty() { "" } else { "---|" }
        ));
        for f in FLAGS.iter().filter(|f| chosen(f)) {
            let escape = |s: &str| s.replace('|', "\\|");
            let why = match f.support {
                Support::Full => String::new(),
                Support::NoEffect(why) | Support::Refused(why) => format!(" {} |", escape(why)),
            };
            out.push_str(&format!("| `{}` | {} |{why}\n", escape(&f.spelling()), escape(f.help)));
        }
    };
    section("Of dxc", "They have the effect that they have there.", &|f| f.support == Support::Full && !f.own, ("effect", ""));
    section("Of rtc", "dxc does not have them.", &|f| f.own, ("effect", ""));
    section(
        "Without effect",
        "Accepted, because builds pass them; `-v` prints a note for each.",
        &|f| matches!(f.support, Support::NoEffect(_)),
        ("meaning in dxc", " reason |"),
    );
    section("Refused", "An error with the reason.", &|f| matches!(f.support, Support::Refused(_)), ("meaning in dxc", " reason |"));
    out
}
