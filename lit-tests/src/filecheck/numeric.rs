//! Numbers in patterns: `[[#...]]`.
//!
//! ```text
//! [[#]]            any number                    [[#N:]]          any number, called N from here on
//! [[#N]]           the number that N has         [[#N+1]]         and expressions of `+` and `-`
//! [[#%x,N:]]       hexadecimal                   [[#@LINE-1]]     counted from this line of the check file
//! [[#N:M+4]]       a definition that must have that value
//! ```
//! Formats are `%u` (default), `%d` with a sign, `%x` and `%X`; `%.8x` requires at least eight digits, `%#x` requires the
//! prefix `0x`. An expression takes the format of its first variable unless it names one.

use std::collections::HashMap;
use std::fmt::Write as _;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The base and case.
    pub radix: Radix,
    /// Least number of digits.
    pub digits: usize,
    /// `0x` in front.
    pub prefixed: bool,
}

/// Bases and cases of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    /// Decimal without a sign.
    Unsigned,
    /// Decimal, perhaps with a minus sign.
    Signed,
    /// Lower-case hexadecimal.
    Hex,
    /// Upper-case hexadecimal.
    HexUpper,
}

/// The format when nothing says otherwise.
pub const PLAIN: Format = Format { radix: Radix::Unsigned, digits: 0, prefixed: false };

/// One `[[#...]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numeric {
    format: Option<Format>,
    /// The variable that is defined.
    pub define: Option<String>,
    /// The value that is demanded: terms with their signs.
    expression: Vec<(bool, Operand)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Operand {
    Literal(i128),
    Variable(String),
    Line,
}

/// The values of numeric variables, with the format that each was found in.
pub type Values = HashMap<String, (i128, Format)>;

impl Format {
    /// A regular expression for every number in this format.
    pub fn wildcard(self) -> String {
        let (digit, lead) = match self.radix {
            Radix::Unsigned | Radix::Signed => ("[0-9]", "[1-9][0-9]*"),
            Radix::Hex => ("[0-9a-f]", "[1-9a-f][0-9a-f]*"),
            Radix::HexUpper => ("[0-9A-F]", "[1-9A-F][0-9A-F]*"),
        };
        let sign = if self.radix == Radix::Signed { "-?" } else { "" };
        let prefix = if self.prefixed { "0x" } else { "" };
        match self.digits {
            0 => format!("{sign}{prefix}{digit}+"),
            n => format!("{sign}{prefix}(?:{lead})?{digit}{{{n}}}"),
        }
    }

    /// The number as text, when this format can write it.
    fn write(self, value: i128) -> Option<String> {
        let negative = value < 0;
        if negative && self.radix != Radix::Signed {
            return None;
        }
        let size = value.unsigned_abs();
        let digits = match self.radix {
            Radix::Unsigned | Radix::Signed => format!("{size:0w$}", w = self.digits),
            Radix::Hex => format!("{size:0w$x}", w = self.digits),
            Radix::HexUpper => format!("{size:0w$X}", w = self.digits),
        };
        let mut text = String::new();
        let _ = write!(text, "{}{}{digits}", if negative { "-" } else { "" }, if self.prefixed { "0x" } else { "" });
        Some(text)
    }

    /// The number that a text in this format stands for, when it is not too large.
    pub fn read(self, text: &str) -> Option<i128> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |t| (true, t));
        let text = if self.prefixed { text.strip_prefix("0x")? } else { text };
        let radix = if matches!(self.radix, Radix::Hex | Radix::HexUpper) { 16 } else { 10 };
        let size = i128::from_str_radix(text, radix).ok()?;
        Some(if negative { -size } else { size })
    }
}

impl Numeric {
    /// Parses the text between `[[#` and `]]`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Numeric, String> {
        let mut rest = text.trim();
        let mut format = None;
        if let Some(after) = rest.strip_prefix('%') {
            let (spec, after) = after.split_once(',').map_or((after, ""), |(s, a)| (s, a.trim_start()));
            format = Some(parse_format(spec.trim())?);
            rest = after;
        }
        let mut define = None;
        if let Some((name, after)) = rest.split_once(':') {
            let name = name.trim();
            if !valid_name(name) {
                return Err(format!("`{name}` is not the name of a variable"));
            }
            define = Some(name.to_string());
            rest = after.trim_start();
        }
        rest = rest.strip_prefix("==").map_or(rest, str::trim_start);
        let expression = parse_expression(rest)?;
        Ok(Numeric { format, define, expression })
    }

    /// True when the expression reads this variable.
    pub fn uses(&self, name: &str) -> bool {
        self.expression.iter().any(|(_, o)| matches!(o, Operand::Variable(v) if v == name))
    }

    /// True when it says something about variables, which a label may not.
    pub fn has_variable(&self) -> bool {
        self.define.is_some() || self.expression.iter().any(|(_, o)| matches!(o, Operand::Variable(_)))
    }

    /// The format in which it matches, given the variables.
    pub fn format(&self, values: &Values) -> Format {
        let of_variable = self.expression.iter().find_map(|(_, operand)| match operand {
            Operand::Variable(name) => values.get(name).map(|(_, format)| *format),
            _ => None,
        });
        self.format.or(of_variable).unwrap_or(PLAIN)
    }

    /// The text that it must match, or `None` when any number will do.
    ///
    /// # Errors
    /// A variable without a value, an overflow, or a negative number in a format without a sign.
    pub fn expected(&self, values: &Values, line: usize) -> Result<Option<String>, String> {
        if self.expression.is_empty() {
            return Ok(None);
        }
        let mut sum = 0i128;
        for (negative, operand) in &self.expression {
            let value = match operand {
                Operand::Literal(value) => *value,
                Operand::Line => line as i128,
                Operand::Variable(name) => values.get(name).ok_or_else(|| format!("the variable `#{name}` has no value here"))?.0,
            };
            let next = if *negative { sum.checked_sub(value) } else { sum.checked_add(value) };
            sum = next.ok_or("the number is too large")?;
        }
        let text = self.format(values).write(sum);
        text.map(Some).ok_or_else(|| format!("{sum} cannot be written in a format without a sign"))
    }
}

fn parse_format(spec: &str) -> Result<Format, String> {
    let bad = || format!("`%{spec}` is not a format: %u, %d, %x, %X, with `#` or `.DIGITS` after the `%`");
    let (prefixed, rest) = spec.strip_prefix('#').map_or((false, spec), |r| (true, r));
    let (digits, letter) = match rest.strip_prefix('.') {
        Some(rest) => {
            let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(bad)?;
            // More digits than a number of this size can have would only make a regular expression explode.
            (rest[..end].parse::<usize>().ok().filter(|d| *d <= 64).ok_or_else(bad)?, &rest[end..])
        }
        None => (0, rest),
    };
    let radix = match letter {
        "u" => Radix::Unsigned,
        "d" => Radix::Signed,
        "x" => Radix::Hex,
        "X" => Radix::HexUpper,
        _ => return Err(bad()),
    };
    if prefixed && !matches!(radix, Radix::Hex | Radix::HexUpper) {
        return Err(bad());
    }
    Ok(Format { radix, digits, prefixed })
}

fn parse_expression(text: &str) -> Result<Vec<(bool, Operand)>, String> {
    let mut terms = Vec::new();
    let mut rest = text.trim();
    let mut negative = false;
    while !rest.is_empty() {
        let end = rest.find(['+', '-']).filter(|at| *at > 0).unwrap_or(rest.len());
        let word = rest[..end].trim();
        terms.push((negative, parse_operand(word)?));
        rest = rest[end..].trim_start();
        if let Some(sign) = rest.chars().next() {
            negative = sign == '-';
            rest = rest[1..].trim_start();
            if rest.is_empty() {
                return Err(format!("`{text}` ends with an operator"));
            }
        }
    }
    Ok(terms)
}

fn parse_operand(word: &str) -> Result<Operand, String> {
    if word == "@LINE" {
        return Ok(Operand::Line);
    }
    let (negative, size) = word.strip_prefix('-').map_or((false, word), |w| (true, w));
    let number = match size.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None if size.starts_with(|c: char| c.is_ascii_digit()) => size.parse().ok(),
        None => None,
    };
    match number {
        Some(value) => Ok(Operand::Literal(if negative { -value } else { value })),
        None if !negative && valid_name(word) => Ok(Operand::Variable(word.to_string())),
        None => Err(format!("`{word}` is neither a number nor a variable (functions are not supported)")),
    }
}

/// True for the name of a variable: a letter or `_`, then letters, digits and `_`; perhaps a `$` in front.
pub fn valid_name(name: &str) -> bool {
    let name = name.strip_prefix('$').unwrap_or(name);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
