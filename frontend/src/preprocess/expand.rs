//! Macro expansion: arguments, substitution, `#` and `##`.

use std::sync::Arc;

use logos::Logos;
use rtc_base::source::Expansion;
use rtc_base::{Diagnostic, Span, Symbol};
use rtc_tables::diagnostics as codes;

use super::macros::{Magic, NO_PARAM, close_of};
use super::{Context, DEEPEST_ARGUMENTS, Preprocessor};
use crate::lex::{Flags, Kind, Token};

/// A call of a macro whose body is being copied.
struct Call<'a> {
    body: Arc<[Token]>,
    param_of: Arc<[u16]>,
    /// Function-like: `#` is an operator.
    function: bool,
    /// The parameter that takes all further arguments, if there is one.
    rest: usize,
    args: &'a [Vec<Token>],
    expansion: Expansion,
}

impl Preprocessor<'_> {
    /// Processes the identifier `t`: if it is a macro to expand, its expansion is prepended to the input and the result is
    /// `None`; otherwise the result is the token, painted if it must never be expanded.
    pub(super) fn expand(&mut self, mut t: Token) -> Option<Token> {
        let Some(id) = self.macro_named(t.sym) else {
            return Some(if self.is_has_operator(t.sym) { self.has_operator(t) } else { t });
        };
        if t.flags.contains(Flags::PAINTED) {
            return Some(t);
        }
        let m = &self.macros[id as usize];
        if m.disabled {
            t.flags |= Flags::PAINTED;
            return Some(t);
        }
        if m.magic != Magic::No {
            return Some(self.magic_token(m.magic, t));
        }
        let mut call = t.span;
        let mut tokens = self.spare.pop().unwrap_or_default();
        if m.params.is_none() {
            let expansion = self.start_expansion(id, call);
            self.substitute(id, &[], expansion, &mut tokens);
        } else {
            if !self.next_is_paren() {
                self.recycle(tokens);
                return Some(t);
            }
            let Some((args, end)) = self.arguments(id, t) else {
                self.recycle(tokens);
                return Some(Token { flags: t.flags | Flags::PAINTED, ..t });
            };
            call = call.to(end);
            let expansion = self.start_expansion(id, call);
            self.substitute(id, &args, expansion, &mut tokens);
            args.into_iter().for_each(|a| self.recycle(a));
        }
        if let Some(first) = tokens.first_mut() {
            let own = Flags::BOL | Flags::SPACE;
            first.flags = (first.flags - own) | (t.flags & own);
        }
        self.push_context(tokens, id, call);
        None
    }

    fn start_expansion(&mut self, id: u32, call: Span) -> Expansion {
        let m = &mut self.macros[id as usize];
        let name = *m.expanded_name.get_or_insert_with(|| self.sources.add_macro_name(self.interner.str(m.name)));
        self.sources.add_expansion(name, call)
    }

    /// Prepends the expansion of macro `id` to the input, unless the limit is reached.
    fn push_context(&mut self, tokens: Vec<Token>, id: u32, at: Span) {
        if !self.charge(tokens.len(), at) {
            return;
        }
        self.macros[id as usize].disabled = true;
        self.contexts.push(Context { tokens, at: 0, of: Some(id), barrier: false });
    }

    /// Subtracts `tokens` from the limit on expansion; false if it is reached.
    fn charge(&mut self, tokens: usize, at: Span) -> bool {
        match self.budget.checked_sub(tokens as u32 + 1) {
            Some(rest) => self.budget = rest,
            None if self.budget > 0 => {
                self.report.fatal(Diagnostic::new(&codes::E0128, at, "macro expansion produces too many tokens"));
                self.budget = 0;
            }
            None => {}
        }
        self.budget > 0
    }

    pub(super) fn pop_context(&mut self) {
        if let Some(c) = self.contexts.pop() {
            if let Some(id) = c.of {
                self.macros[id as usize].disabled = false;
            }
            self.recycle(c.tokens);
        }
    }

    /// Whether the next token is `(`: contexts at their end are left for it.
    fn next_is_paren(&mut self) -> bool {
        while let Some(c) = self.contexts.last() {
            if let Some(t) = c.tokens.get(c.at) {
                return t.kind == Kind::LParen;
            }
            if c.barrier {
                return false;
            }
            self.pop_context();
        }
        self.frames.last().is_some_and(|f| f.raw.tokens[f.at].kind == Kind::LParen)
    }

    /// The arguments of a call of macro `id`, and the closing parenthesis. `None` when there is none.
    fn arguments(&mut self, id: u32, name: Token) -> Option<(Vec<Vec<Token>>, Span)> {
        let open = self.next();
        // A call without end has read the rest of the file; what follows the name is then read again.
        let back = match self.contexts.is_empty() {
            true => self.frames.last().map(|f| (self.frames.len(), f.file, f.at)),
            false => None,
        };
        let (count, variadic) = {
            let m = &self.macros[id as usize];
            (m.params.as_ref().map_or(0, |p| p.len()), m.variadic)
        };
        let mut args: Vec<Vec<Token>> = vec![self.spare.pop().unwrap_or_default()];
        let mut depth = 0u32;
        let end = loop {
            let mut t = self.next();
            match t.kind {
                Kind::Eof => {
                    let message = format!("unterminated argument list of macro `{}`", self.interner.str(name.sym));
                    let d = Diagnostic::new(&codes::E0127, name.span, message).label(open.span, "opened here");
                    self.report.add(d);
                    if let Some((depth, file, at)) = back
                        && let Some(f) = self.frames.last_mut()
                        && f.file == file
                        && self.frames.len() == depth
                    {
                        self.frames[depth - 1].at = at - 1;
                    }
                    return None;
                }
                Kind::LParen => depth += 1,
                Kind::RParen if depth == 0 => break t.span,
                Kind::RParen => depth -= 1,
                Kind::Comma if depth == 0 && !(variadic && args.len() == count) => {
                    args.push(Vec::new());
                    continue;
                }
                // The name of a disabled macro is painted when it is read, even as part of an argument.
                Kind::Ident => {
                    if let Some(m) = self.macro_named(t.sym)
                        && self.macros[m as usize].disabled
                    {
                        t.flags |= Flags::PAINTED;
                    }
                }
                _ => {}
            }
            if t.flags.contains(Flags::BOL) {
                t.flags = (t.flags - Flags::BOL) | Flags::SPACE;
            }
            if let Some(last) = args.last_mut() {
                last.push(t);
            }
        };
        if count == 0 && args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        let few = args.len() < count && !(variadic && args.len() + 1 == count);
        if few || args.len() > count {
            let m = &self.macros[id as usize];
            let name_text = self.interner.str(name.sym);
            let plural = if count == 1 { "" } else { "s" };
            let least = if variadic { "at least " } else { "" };
            let want = count - usize::from(variadic && count > 0);
            let message = format!(
                "macro `{name_text}` expects {least}{} argument{plural}, found {}",
                if variadic { want } else { count },
                args.len()
            );
            let d = Diagnostic::new(&codes::E0127, name.span.to(end), message).label(m.span, "defined here");
            self.report.add(d);
        }
        args.resize_with(count, Vec::new);
        Some((args, end))
    }

    /// `tokens` fully expanded, on their own.
    pub(super) fn expand_list(&mut self, tokens: &[Token], condition: bool) -> Vec<Token> {
        let mut out = self.spare.pop().unwrap_or_default();
        if tokens.iter().all(|t| t.kind != Kind::Ident || self.macro_named(t.sym).is_none()) && !condition {
            out.extend_from_slice(tokens);
            return out;
        }
        let at = tokens.first().map_or(Span::NONE, |t| t.span);
        if self.nesting >= DEEPEST_ARGUMENTS {
            self.report.fatal(Diagnostic::new(&codes::E0128, at, "macro calls are nested too deeply in arguments"));
            self.budget = 0;
        }
        if !self.charge(tokens.len(), at) {
            out.extend_from_slice(tokens);
            return out;
        }
        self.nesting += 1;
        self.contexts.push(Context { tokens: tokens.to_vec(), at: 0, of: None, barrier: true });
        let base = self.contexts.len();
        loop {
            let t = self.next();
            match t.kind {
                Kind::Eof => break,
                Kind::Ident if condition && t.sym == self.names.defined => self.defined_operator(t, &mut out),
                Kind::Ident if condition && self.is_has_operator(t.sym) => {
                    let number = self.has_operator(t);
                    out.push(number);
                }
                Kind::Ident => out.extend(self.expand(t)),
                _ => out.push(t),
            }
        }
        while self.contexts.len() >= base {
            self.pop_context();
        }
        self.nesting -= 1;
        out
    }

    /// `defined NAME` or `defined(NAME)` in a condition: the name is not expanded.
    fn defined_operator(&mut self, t: Token, out: &mut Vec<Token>) {
        let mut next = self.next();
        let paren = next.kind == Kind::LParen;
        if paren {
            next = self.next();
        }
        let close_ok = !paren || next.kind == Kind::Ident && self.next().kind == Kind::RParen;
        if next.kind != Kind::Ident || !close_ok {
            self.report.emit(&codes::E0122, t.span, "`defined` must be followed by a name or a name in parentheses");
        }
        let yes = self.macro_named(next.sym).is_some() || self.is_has_operator(next.sym);
        out.push(Token { kind: Kind::Number, sym: self.interner.intern(if yes { "1" } else { "0" }), ..t });
    }

    /// The body of macro `id` with `args` substituted, appended to `out`.
    fn substitute(&mut self, id: u32, args: &[Vec<Token>], expansion: Expansion, out: &mut Vec<Token>) {
        let m = &self.macros[id as usize];
        let call = Call {
            body: m.body.clone(),
            param_of: m.param_of.clone(),
            function: m.params.is_some(),
            rest: match m.variadic {
                true => args.len().wrapping_sub(1),
                false => usize::MAX,
            },
            args,
            expansion,
        };
        let mut expanded: Vec<Option<Vec<Token>>> = Vec::new();
        expanded.resize_with(args.len(), || None);
        self.substitute_range(&call, 0..call.body.len(), &mut expanded, out);
        expanded.into_iter().flatten().for_each(|list| self.recycle(list));
    }

    /// The tokens `range` of a body with arguments substituted: the whole body, or the contents of a `__VA_OPT__`. Whether the last operand
    /// produced a token.
    fn substitute_range(
        &mut self,
        call: &Call<'_>,
        range: std::ops::Range<usize>,
        expanded: &mut [Option<Vec<Token>>],
        out: &mut Vec<Token>,
    ) -> bool {
        let Call { body, args, .. } = call;
        let is_paste = |i: usize| i < range.end && body[i].kind == Kind::HashHash;
        // Whether the operands on the left of a `##` produced a token.
        let mut left = false;
        let mut paste = false;
        let mut i = range.start;
        while i < range.end {
            let t = body[i];
            if t.kind == Kind::HashHash && i > range.start {
                paste = true;
                i += 1;
                continue;
            }
            let start = out.len();
            let space = t.flags & Flags::SPACE;
            let mut width = 1;
            // Whether the last operand inside of a `__VA_OPT__` produced a token: the next token may be pasted to it.
            let mut ended = true;
            if call.function && t.kind == Kind::Hash {
                let (text, tokens) = match usize::from(call.param_of[i + 1]) {
                    p if p < args.len() => (self.stringify(&args[p]), 1),
                    _ => {
                        let end = close_of(body, i + 2);
                        let mut inside = Vec::new();
                        self.optional(call, i + 3..end, expanded, &mut inside);
                        (self.stringify(&inside), end - i)
                    }
                };
                width = 1 + tokens;
                let span = self.sources.expanded(t.span, call.expansion);
                out.push(Token { kind: Kind::Str, flags: space | Flags::EXPANDED, sym: text, span });
            } else if call.rest != usize::MAX && self.is_va_opt(t) {
                let end = close_of(body, i + 1);
                ended = self.optional(call, i + 2..end, expanded, out);
                width = end + 1 - i;
                if let Some(first) = out.get_mut(start) {
                    first.flags = (first.flags - Flags::SPACE) | space;
                }
            } else if call.param_of[i] != NO_PARAM {
                let p = usize::from(call.param_of[i]);
                let raw = paste || is_paste(i + 1);
                if paste && p == call.rest && left && out.last().is_some_and(|t| t.kind == Kind::Comma) {
                    // GNU's `, ## __VA_ARGS__`: the comma is removed if there are no arguments, and is not pasted.
                    if args[p].is_empty() {
                        out.pop();
                    }
                    paste = false;
                }
                if raw {
                    out.extend_from_slice(&args[p]);
                } else {
                    out.extend_from_slice(self.expanded_argument(call, p, expanded));
                }
                if let Some(first) = out.get_mut(start) {
                    first.flags = (first.flags - Flags::SPACE) | space;
                }
                for t in out.iter_mut().skip(start) {
                    t.flags |= Flags::EXPANDED;
                }
            } else {
                let span = self.sources.expanded(t.span, call.expansion);
                out.push(Token { span, flags: t.flags | Flags::EXPANDED, ..t });
            }
            let right = out.len() > start;
            if paste && left && right {
                let joined = self.paste(out[start - 1], out[start]);
                if let Some(joined) = joined {
                    out[start - 1] = joined;
                    out.remove(start);
                }
            }
            left = ended && (right || paste && left);
            paste = false;
            i += width;
        }
        left
    }

    /// Argument `p` fully expanded, once.
    fn expanded_argument<'e>(&mut self, call: &Call<'_>, p: usize, expanded: &'e mut [Option<Vec<Token>>]) -> &'e [Token] {
        if expanded[p].is_none() {
            expanded[p] = Some(self.expand_list(&call.args[p], false));
        }
        expanded[p].as_deref().unwrap_or(&[])
    }

    /// The expansion of `__VA_OPT__( range )`: empty if there are no variable arguments.
    fn optional(
        &mut self,
        call: &Call<'_>,
        range: std::ops::Range<usize>,
        expanded: &mut [Option<Vec<Token>>],
        out: &mut Vec<Token>,
    ) -> bool {
        if self.expanded_argument(call, call.rest, expanded).is_empty() {
            return true;
        }
        self.substitute_range(call, range, expanded, out)
    }

    /// Whether `t` is `__VA_OPT__`.
    pub(super) fn is_va_opt(&self, t: Token) -> bool {
        t.kind == Kind::Ident && t.sym == self.names.va_opt
    }

    /// `a ## b`: the token, or `None` after a report when there is none.
    fn paste(&mut self, a: Token, b: Token) -> Option<Token> {
        let text = format!("{}{}", self.spelling(a), self.spelling(b));
        let mut lexer = Kind::lexer(&text);
        let kind = lexer.next().and_then(Result::ok).filter(|_| lexer.span().end == text.len());
        let odd = [Kind::Blank, Kind::Newline, Kind::LineComment, Kind::BlockComment];
        match kind.filter(|k| !k.is_bad() && !odd.contains(k)) {
            Some(kind) => {
                let sym = if kind.has_spelling() { self.interner.intern(&text) } else { self.names.empty };
                Some(Token { kind, sym, flags: (a.flags & (Flags::SPACE | Flags::BOL)) | Flags::EXPANDED, span: a.span })
            }
            None => {
                let message =
                    format!("`##` pastes `{}` and `{}` to `{text}`, which is not a valid token", self.spelling(a), self.spelling(b));
                self.report.emit(&codes::E0129, a.span, message);
                None
            }
        }
    }

    /// `#arg`: its spelling as a string literal.
    fn stringify(&mut self, arg: &[Token]) -> Symbol {
        let mut text = String::from("\"");
        for (i, &t) in arg.iter().enumerate() {
            if i > 0 && t.flags.intersects(Flags::SPACE | Flags::BOL) {
                text.push(' ');
            }
            let spelling = self.spelling(t);
            if matches!(t.kind, Kind::Str | Kind::Char) {
                for c in spelling.chars() {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            } else {
                text.push_str(spelling);
            }
        }
        text.push('"');
        self.interner.intern(&text)
    }
}
