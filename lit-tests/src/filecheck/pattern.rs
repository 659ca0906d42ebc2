//! Patterns: the right-hand side of a directive, compiled to a regular expression.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use fancy_regex::{Regex, RegexBuilder};

use super::numeric::{Numeric, PLAIN, Values, valid_name};
use super::options::Options;
use super::text::canonical;

/// What a directive demands of its pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Occurs later, this often in a row.
    Plain(u32),
    /// Occurs on the next line.
    Next,
    /// Occurs on the same line.
    Same,
    /// Does not occur.
    Not,
    /// Occurs, in any order among its neighbours.
    Dag,
    /// Occurs, and cuts the input.
    Label,
    /// The next line is empty.
    Empty,
    /// The end of the input: what checks the last [`Kind::Not`] and [`Kind::Dag`] patterns.
    End,
}

/// A piece of a pattern.
#[derive(Clone, Debug)]
enum Piece {
    Literal(String),
    Regex(String),
    Define(String, String),
    Use(String),
    Number(Numeric),
}

/// One directive.
#[derive(Debug)]
pub struct Pattern {
    /// What is demanded.
    pub kind: Kind,
    /// The directive as it is written, as `CHECK-NEXT`.
    pub directive: String,
    /// The pattern's range in the check file, or in the flag's value when it came from the command line.
    pub range: Range<usize>,
    /// The line of the check file, counted from 1; 0 for a pattern from the command line.
    pub line: usize,
    pieces: Vec<Piece>,
    full_line: bool,
    ignore_case: bool,
    /// The last regular expression that was built, so that a pattern without variables is compiled once.
    compiled: RefCell<Option<(String, Regex)>>,
}

/// The values of all variables.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// Text variables.
    pub texts: HashMap<String, String>,
    /// Numeric variables.
    pub numbers: Values,
}

impl Variables {
    /// Forgets all variables whose names do not begin with `$`.
    pub fn end_scope(&mut self) {
        self.texts.retain(|name, _| name.starts_with('$'));
        self.numbers.retain(|name, _| name.starts_with('$'));
    }
}

/// The location of a pattern and its directive.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The demand.
    pub kind: Kind,
    /// The directive as it is written.
    pub directive: String,
    /// The range in the check file.
    pub range: Range<usize>,
    /// The line, counted from 1.
    pub line: usize,
    /// The `{LITERAL}` modifier was given.
    pub literal: bool,
}

impl Pattern {
    /// Reads the text of a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn parse(text: &str, origin: Origin, options: &Options) -> Result<Pattern, String> {
        let Origin { kind, directive, range, line, literal } = origin;
        let keep_blanks = options.strict_whitespace && options.match_full_lines;
        let text = if keep_blanks { text } else { text.trim_matches([' ', '\t']) };
        let text = if options.strict_whitespace { text.to_string() } else { canonical(text) };
        match kind {
            Kind::Empty if !text.is_empty() => return Err(format!("{directive} takes no pattern")),
            Kind::Empty | Kind::End => {}
            _ if text.is_empty() => return Err(format!("{directive} has an empty pattern")),
            _ => {}
        }
        let pieces = if literal { vec![Piece::Literal(text)] } else { split(&text)? };
        let pattern = Pattern {
            kind,
            directive,
            range,
            line,
            pieces,
            full_line: options.match_full_lines && kind != Kind::Not,
            ignore_case: options.ignore_case,
            compiled: RefCell::new(None),
        };
        if kind == Kind::Label && pattern.has_variable() {
            return Err(format!("{} may not define or use variables", pattern.directive));
        }
        Ok(pattern)
    }

    fn has_variable(&self) -> bool {
        self.pieces.iter().any(|p| match p {
            Piece::Define(..) | Piece::Use(_) => true,
            Piece::Number(number) => number.has_variable(),
            Piece::Literal(_) | Piece::Regex(_) => false,
        })
    }

    /// Looks for the first match inside `range` of `text` and gives the variables in it their values.
    ///
    /// # Errors
    /// A variable without a value, or a regular expression that takes too long.
    pub fn find(&self, text: &str, range: Range<usize>, variables: &mut Variables) -> Result<Option<Range<usize>>, String> {
        match self.kind {
            Kind::End => return Ok(Some(range.end..range.end)),
            Kind::Empty => return Ok(find_empty_line(text, range)),
            _ => {}
        }
        if let ([Piece::Literal(literal)], false, false) = (&self.pieces[..], self.full_line, self.ignore_case) {
            let found = text[range.clone()].find(literal.as_str());
            return Ok(found.map(|at| range.start + at..range.start + at + literal.len()));
        }
        let source = self.regex(variables)?;
        let mut compiled = self.compiled.borrow_mut();
        if compiled.as_ref().is_none_or(|(of, _)| *of != source) {
            let regex = build(&source, self.ignore_case)?;
            *compiled = Some((source, regex));
        }
        let Some((_, regex)) = compiled.as_ref() else {
            return Ok(None);
        };
        let captures = regex.captures_from_pos(&text[..range.end], range.start);
        let captures = captures.map_err(|e| format!("the regular expression gives up: {e}"))?;
        let Some(captures) = captures else {
            return Ok(None);
        };
        for (index, piece) in self.pieces.iter().enumerate() {
            let value = captures.name(&group(index)).map_or("", |m| m.as_str());
            match piece {
                Piece::Define(name, _) => {
                    variables.texts.insert(name.clone(), value.to_string());
                }
                Piece::Number(number) => {
                    let format = number.format(&variables.numbers);
                    if let Some(name) = &number.define {
                        let number = format.read(value).ok_or_else(|| format!("the number {value} is too large"))?;
                        variables.numbers.insert(name.clone(), (number, format));
                    }
                }
                _ => {}
            }
        }
        Ok(captures.get(0).map(|m| m.start()..m.end()))
    }

    /// The whole pattern as a regular expression, with the variables' present values in it.
    fn regex(&self, variables: &Variables) -> Result<String, String> {
        let mut out = String::new();
        if self.full_line {
            out.push_str("^ *");
        }
        let mut defined: Vec<(&str, usize)> = Vec::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            match piece {
                Piece::Literal(text) => out.push_str(&fancy_regex::escape(text)),
                Piece::Regex(regex) => {
                    let _ = write!(out, "(?:{regex})");
                }
                Piece::Define(name, regex) => {
                    let _ = write!(out, "(?<{}>{regex})", group(index));
                    defined.push((name, index));
                }
                Piece::Use(name) => match defined.iter().rev().find(|(n, _)| n == name) {
                    Some((_, index)) => {
                        let _ = write!(out, "\\k<{}>", group(*index));
                    }
                    None => {
                        let value = variables.texts.get(name);
                        let value = value.ok_or_else(|| format!("the variable `{name}` has no value here"))?;
                        out.push_str(&fancy_regex::escape(value));
                    }
                },
                Piece::Number(number) => {
                    let body = match number.expected(&variables.numbers, self.line)? {
                        Some(text) => fancy_regex::escape(&text).into_owned(),
                        None => number.format(&variables.numbers).wildcard(),
                    };
                    let _ = write!(out, "(?<{}>{body})", group(index));
                }
            }
        }
        if self.full_line {
            out.push_str(" *$");
        }
        Ok(out)
    }

    /// The variables that the pattern reads, with their values, for messages.
    pub fn used_values(&self, variables: &Variables) -> Vec<(String, String)> {
        let mut used = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Use(name) => used.extend(variables.texts.get(name).map(|v| (name.clone(), v.clone()))),
                Piece::Number(number) => {
                    let mut names: Vec<&String> = variables.numbers.keys().filter(|n| number.uses(n)).collect();
                    names.sort();
                    used.extend(names.iter().map(|n| (format!("#{n}"), variables.numbers[*n].0.to_string())));
                }
                _ => {}
            }
        }
        used
    }

    /// The literal text of the pattern, which is what a near miss is compared with.
    pub fn literal_text(&self) -> String {
        let literal = |p: &Piece| {
            if let Piece::Literal(text) = p { Some(text.clone()) } else { None }
        };
        self.pieces.iter().filter_map(literal).collect()
    }
}

/// The name of a piece's capture group.
fn group(index: usize) -> String {
    format!("rtc{index}")
}

/// Compiles a regular expression with this tool's rules.
fn build(source: &str, ignore_case: bool) -> Result<Regex, String> {
    let mut builder = RegexBuilder::new(source);
    builder.multi_line(true).case_insensitive(ignore_case).leftmost_longest(true);
    builder.build().map_err(|e| format!("`{source}` is not a regular expression: {e}"))
}

/// The first empty line that begins inside the range: what matches is the empty text after a line's end. The match of a
/// [`Kind::Next`] is after the line end too, so both count line ends alike.
fn find_empty_line(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let region = &text[range.clone()];
    let mut ends = region.match_indices('\n').map(|(at, _)| at);
    let at = ends.find(|at| matches!(region.as_bytes().get(at + 1), None | Some(b'\n')))?;
    Some(range.start + at + 1..range.start + at + 1)
}

/// Cuts a pattern into pieces.
fn split(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let piece = if let Some(after) = rest.strip_prefix("{{") {
            let end = after.find("}}").ok_or("`{{` without `}}`")?;
            // `{{a{2}}}`: the expression takes the brace that is one too many.
            let end = end + after[end + 2..].bytes().take_while(|b| *b == b'}').count();
            rest = &after[end + 2..];
            Piece::Regex(regex_of(&after[..end])?)
        } else if let Some(after) = rest.strip_prefix("[[") {
            let end = variable_end(after).ok_or("`[[` without `]]`")?;
            rest = &after[end + 2..];
            variable(&after[..end], &pieces)?
        } else {
            let end = ["{{", "[["].iter().filter_map(|open| rest.find(open)).min().unwrap_or(rest.len());
            literal.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        };
        if !literal.is_empty() {
            pieces.push(Piece::Literal(std::mem::take(&mut literal)));
        }
        pieces.push(piece);
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal));
    }
    Ok(pieces)
}

/// Where `]]` ends a variable, with brackets inside its expression balanced.
fn variable_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => depth += 1,
            b']' if depth == 0 => return (bytes.get(at + 1) == Some(&b']')).then_some(at),
            b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Parses the text between `[[` and `]]`.
fn variable(text: &str, before: &[Piece]) -> Result<Piece, String> {
    if let Some(number) = text.strip_prefix('#') {
        let number = Numeric::parse(number)?;
        for piece in before {
            if let Piece::Number(Numeric { define: Some(name), .. }) = piece
                && number.uses(name)
            {
                return Err(format!("`#{name}` is used in the directive that defines it"));
            }
        }
        return Ok(Piece::Number(number));
    }
    if text.starts_with("@LINE") {
        return Numeric::parse(text).map(Piece::Number);
    }
    match text.split_once(':') {
        Some((name, regex)) if valid_name(name) => Ok(Piece::Define(name.to_string(), regex_of(regex)?)),
        None if valid_name(text) => Ok(Piece::Use(text.to_string())),
        _ => Err(format!("`[[{text}]]` is not a variable (write two literal brackets as {{{{\\[\\[}}}})")),
    }
}

/// A regular expression as the check file has it, made fit for this tool's rules: negated classes exclude the line's end,
/// brackets in classes and braces that count nothing are literal.
fn regex_of(source: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = source.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' => {
                out.push(c);
                out.extend(rest.next().map(|(_, c)| c));
            }
            '{' if !source[at + 1..].starts_with(|c: char| c.is_ascii_digit()) => out.push_str("\\{"),
            '[' => {
                let (class, length) = class_of(&source[at + 1..])?;
                out.push_str(&class);
                while rest.peek().is_some_and(|(next, _)| *next < at + 1 + length) {
                    rest.next();
                }
            }
            _ => out.push(c),
        }
    }
    build(&out, false)?;
    Ok(out)
}

/// A bracket expression from the text after its `[`; with the number of bytes consumed, the closing bracket included.
fn class_of(text: &str) -> Result<(String, usize), String> {
    let mut out = "[".to_string();
    let mut chars = text.char_indices().peekable();
    let negated = chars.next_if(|(_, c)| *c == '^').is_some();
    if negated {
        out.push('^');
    }
    let mut first = true;
    while let Some((at, c)) = chars.next() {
        match c {
            ']' if !first => {
                if negated {
                    out.push_str("\\n");
                }
                out.push(']');
                return Ok((out, at + 1));
            }
            '[' if text[at..].starts_with("[:") => match text[at..].find(":]") {
                Some(end) => {
                    out.push_str(&text[at..at + end + 2]);
                    while chars.peek().is_some_and(|(next, _)| *next < at + end + 2) {
                        chars.next();
                    }
                }
                None => out.push_str("\\["),
            },
            '\\' => {
                out.push(c);
                out.extend(chars.next().map(|(_, c)| c));
            }
            '[' | ']' | '&' | '~' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
        first = false;
    }
    Err(format!("`[{text}` has no closing bracket"))
}

/// A pattern from the command line that may not occur between matches.
///
/// # Errors
/// What is wrong with it.
pub fn implicit_not(text: &str, options: &Options) -> Result<Pattern, String> {
    let origin = Origin { kind: Kind::Not, directive: "--implicit-check-not".to_string(), range: 0..0, line: 0, literal: false };
    Pattern::parse(text, origin, options)
}

/// Variables that the command line defines.
///
/// # Errors
/// A name that is none or a numeric value that is none.
pub fn command_line_variables(options: &Options) -> Result<Variables, String> {
    let mut variables = Variables::default();
    for (name, value) in &options.defines {
        if !valid_name(name) {
            return Err(format!("`{name}` is not the name of a variable"));
        }
        variables.texts.insert(name.clone(), value.clone());
    }
    for (name, value) in &options.numeric_defines {
        let number = value.parse::<i128>().ok().filter(|_| valid_name(name));
        let number = number.ok_or_else(|| format!("`-D#{name}={value}` does not define a number"))?;
        variables.numbers.insert(name.clone(), (number, PLAIN));
    }
    Ok(variables)
}
