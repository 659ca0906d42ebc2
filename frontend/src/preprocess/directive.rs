//! Preprocessing directives: conditionals, `#include`, `#line`, `#error` and so on.

use rtc_base::{Diagnostic, Pos, Span};
use rtc_tables::diagnostics as codes;

use super::{Condition, Evaluated, NO_MACRO, Outcome, Preprocessor, token_at};
use crate::lex::{Flags, Kind, Token, parse_string};

/// The end of a skipped group.
enum SkipEnd {
    Else,
    Elif(Elif),
    Endif,
    File,
}

#[derive(Clone, Copy)]
enum Elif {
    If,
    Def(bool),
}

impl Preprocessor<'_> {
    /// The tokens up to the end of the line, into a fresh vector.
    pub(super) fn line(&mut self) -> Vec<Token> {
        let mut line = self.spare.pop().unwrap_or_default();
        let Some(frame) = self.frames.last_mut() else {
            return line;
        };
        let (start, raw) = (frame.start, &frame.raw.tokens);
        let from = frame.at;
        let rest = raw[from..].iter().take_while(|t| !t.flags.contains(Flags::BOL) && t.kind != Kind::Eof);
        line.extend(rest.map(|&r| token_at(start, r)));
        frame.at += line.len();
        line
    }

    /// A directive whose `#` was just read.
    pub(super) fn directive(&mut self) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let hash = token_at(frame.start, frame.raw.tokens[frame.at - 1]).span;
        let raw = frame.raw.tokens[frame.at];
        if raw.kind == Kind::Eof || raw.flags.contains(Flags::BOL) {
            return; // a lone `#`
        }
        let line = self.line();
        let name = line[0];
        let rest = &line[1..];
        let span = hash.to(name.span);
        let text = if name.kind == Kind::Ident { self.interner.str(name.sym) } else { "" };
        match text {
            "define" => self.define(rest, span),
            "undef" => self.undef(rest, span),
            "include" => self.include(rest, span),
            "if" => {
                let yes = self.condition(rest, span);
                self.open(span, yes);
            }
            "ifdef" | "ifndef" => {
                let negate = text == "ifndef";
                let yes = self.is_defined(rest, span) != negate;
                self.open(span, yes);
            }
            "elif" | "elifdef" | "elifndef" => {
                let text = text.to_string();
                if self.conditional("elif", &text, span) {
                    self.skip_to_end();
                }
            }
            "else" => {
                self.nothing_after(rest, "else");
                if self.conditional("else", "else", span) {
                    self.skip_to_end();
                }
            }
            "endif" => {
                self.nothing_after(rest, "endif");
                if self.conditional("endif", "endif", span) {
                    self.conditions.pop();
                }
            }
            "pragma" => self.pragma(rest, span),
            "line" => self.line_directive(rest, span),
            "error" | "warning" => {
                let message = self.text_after(name.span, &line);
                let (code, word) = if text == "error" { (&codes::E0123, "#error") } else { (&codes::W0104, "#warning") };
                let all = span.to(line.last().map_or(span, |t| t.span));
                let message = if message.is_empty() { word.to_string() } else { message };
                self.report.emit(code, all, message);
            }
            _ if name.kind == Kind::Number => self.line_directive(&line, span),
            _ => {
                let message = format!("invalid preprocessing directive `#{}`", self.spelling(name));
                self.report.emit(&codes::E0120, name.span, message);
            }
        }
        self.recycle(line);
    }

    /// The text of the line after `from`, white space trimmed.
    fn text_after(&self, from: Span, line: &[Token]) -> String {
        match line.last() {
            Some(last) if line.len() > 1 => {
                let all = self.sources.snippet(Span::new(from.hi, last.span.hi)).trim();
                all.chars().take(500).collect()
            }
            _ => String::new(),
        }
    }

    fn nothing_after(&mut self, rest: &[Token], name: &str) {
        if let Some(t) = rest.first() {
            let message = format!("extra tokens after `#{name}` are ignored");
            self.report.emit(&codes::W0105, t.span, message);
        }
    }

    fn is_defined(&mut self, rest: &[Token], span: Span) -> bool {
        match rest.first() {
            Some(t) if t.kind == Kind::Ident => {
                if let Some(extra) = rest.get(1) {
                    self.report.emit(&codes::W0105, extra.span, "tokens after the macro's name are ignored");
                }
                let yes = self.macro_named(t.sym).is_some() || self.is_has_operator(t.sym);
                self.evaluated.push(Evaluated { span: span.to(t.span), outcome: Outcome::Defined(yes) });
                yes
            }
            _ => {
                self.report.emit(&codes::E0120, span, "the name of a macro is missing");
                false
            }
        }
    }

    fn undef(&mut self, rest: &[Token], span: Span) {
        match rest.first() {
            Some(t) if t.kind == Kind::Ident => {
                if let Some(id) = self.macro_named(t.sym) {
                    if self.macros[id as usize].builtin && self.in_main {
                        let message = format!("predefined macro `{}` is undefined", self.interner.str(t.sym));
                        self.report.emit(&codes::W0107, t.span, message);
                    }
                    self.set_macro(t.sym, NO_MACRO);
                }
                if let Some(extra) = rest.get(1) {
                    self.report.emit(&codes::W0105, extra.span, "tokens after the macro's name are ignored");
                }
            }
            _ => self.report.emit(&codes::E0120, span, "the name of a macro is missing"),
        }
    }

    // ------------------------------------------------------------ conditionals

    /// Opens a conditional whose condition is `yes`.
    fn open(&mut self, span: Span, yes: bool) {
        self.conditions.push(Condition { span, taken: yes, has_else: None });
        if !yes {
            self.skip();
        }
    }

    /// Checks `#elif`, `#else` or `#endif` against the conditional that is open in this file.
    fn conditional(&mut self, what: &str, spelled: &str, span: Span) -> bool {
        let base = self.frames.last().map_or(0, |f| f.conditions);
        if self.conditions.len() <= base {
            self.report.emit(&codes::E0121, span, format!("`#{spelled}` without `#if`"));
            return false;
        }
        let Some(c) = self.conditions.last_mut() else {
            return false;
        };
        if what != "endif" {
            if let Some(at) = c.has_else {
                let d = Diagnostic::new(&codes::E0121, span, format!("`#{spelled}` after `#else`")).label(at, "the `#else`");
                self.report.add(d);
            } else if what == "else" {
                c.has_else = Some(span);
            }
        }
        true
    }

    /// After a taken group: skips the others.
    fn skip_to_end(&mut self) {
        if let Some(c) = self.conditions.last_mut() {
            c.taken = true;
        }
        self.skip();
    }

    /// Skips groups until one is taken or the conditional ends.
    fn skip(&mut self) {
        loop {
            let (end, span) = self.skip_group();
            match end {
                SkipEnd::File => return,
                SkipEnd::Endif => {
                    let rest = self.line();
                    self.nothing_after(&rest, "endif");
                    self.recycle(rest);
                    self.conditions.pop();
                    return;
                }
                SkipEnd::Else => {
                    let rest = self.line();
                    self.nothing_after(&rest, "else");
                    self.recycle(rest);
                    self.conditional("else", "else", span);
                    if self.take_group(|_, _| true, span) {
                        return;
                    }
                }
                SkipEnd::Elif(kind) => {
                    self.conditional("elif", "elif", span);
                    let taken = match kind {
                        Elif::If => self.take_group(|p, line| p.condition(line, span), span),
                        Elif::Def(want) => self.take_group(|p, line| p.is_defined(line, span) == want, span),
                    };
                    if taken {
                        return;
                    }
                }
            }
        }
    }

    /// Decides whether to take the group that starts on this line; the condition is evaluated only if none was taken before.
    fn take_group(&mut self, test: impl FnOnce(&mut Self, &[Token]) -> bool, _span: Span) -> bool {
        let line = self.line();
        let before = self.conditions.last().is_none_or(|c| c.taken);
        let yes = !before && test(self, &line);
        if yes && let Some(c) = self.conditions.last_mut() {
            c.taken = true;
        }
        self.recycle(line);
        yes
    }

    /// Advances past the name of the directive that ends the current group.
    fn skip_group(&mut self) -> (SkipEnd, Span) {
        let Some(frame) = self.frames.last_mut() else {
            return (SkipEnd::File, Span::NONE);
        };
        let mut depth = 0u32;
        let raw = frame.raw.clone();
        while raw.tokens[frame.at].kind != Kind::Eof {
            let t = raw.tokens[frame.at];
            frame.at += 1;
            let name = raw.tokens[frame.at];
            let is_directive =
                t.kind == Kind::Hash && t.flags.contains(Flags::BOL) && name.kind == Kind::Ident && !name.flags.contains(Flags::BOL);
            if !is_directive {
                continue;
            }
            let end = match self.interner.str(name.sym) {
                "if" | "ifdef" | "ifndef" => {
                    depth += 1;
                    continue;
                }
                "endif" if depth > 0 => {
                    depth -= 1;
                    continue;
                }
                "endif" => SkipEnd::Endif,
                "else" if depth == 0 => SkipEnd::Else,
                "elif" if depth == 0 => SkipEnd::Elif(Elif::If),
                "elifdef" if depth == 0 => SkipEnd::Elif(Elif::Def(true)),
                "elifndef" if depth == 0 => SkipEnd::Elif(Elif::Def(false)),
                _ => continue,
            };
            frame.at += 1;
            let span = token_at(frame.start, t).span.to(token_at(frame.start, name).span);
            return (end, span);
        }
        (SkipEnd::File, Span::NONE)
    }

    // ------------------------------------------------------------ #line

    fn line_directive(&mut self, rest: &[Token], span: Span) {
        // `# 12 "file"` starts with the number.
        let tokens = match rest.first() {
            Some(t) if t.kind == Kind::Number => rest.to_vec(),
            _ => self.expand_list(rest, false),
        };
        let number = tokens.first().filter(|t| t.kind == Kind::Number);
        let number = number.and_then(|t| self.interner.str(t.sym).parse::<u32>().ok());
        let name = match tokens.get(1) {
            None => None,
            Some(t) if t.kind == Kind::Str => {
                let mut name = String::new();
                parse_string(self.interner.str(t.sym), &mut name);
                Some(name)
            }
            Some(t) => {
                return self.report.emit(&codes::E0130, t.span, "`#line` takes a number and a file name in quotes");
            }
        };
        let Some(number) = number.filter(|&n| n <= i32::MAX as u32) else {
            return self.report.emit(&codes::E0130, span, "`#line` needs a line number");
        };
        let Some(frame) = self.frames.last() else {
            return;
        };
        let file = self.sources.file(frame.file);
        let from = frame.raw.tokens[frame.at.saturating_sub(1)].hi as usize;
        let next = file.text[from..].find('\n').map_or(file.text.len(), |i| from + i + 1);
        if self.options.ignore_line {
            return;
        }
        self.sources.add_line_mark(frame.file, next as u32, number, name);
    }

    /// The position where the line after the directive starts.
    pub(super) fn here(&self) -> Pos {
        match self.frames.last() {
            Some(f) => Pos(f.start + f.raw.tokens[f.at.saturating_sub(1)].hi),
            None => Pos(0),
        }
    }
}
