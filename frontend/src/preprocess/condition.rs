//! Evaluation of `#if` conditions: 64-bit integer arithmetic, signed unless an operand is unsigned.

use rtc_base::{Span, Symbol};
use rtc_tables::attributes::attribute;
use rtc_tables::diagnostics as codes;

use super::{Evaluated, Outcome, Preprocessor};
use crate::lex::{Kind, Number, Token, parse_char, parse_number};
use crate::syntax::ast::IntSuffix;

/// A value with its signedness.
#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn int(v: i64) -> Value {
        Value { bits: v as u64, unsigned: false }
    }
    fn truth(v: bool) -> Value {
        Value::int(i64::from(v))
    }
    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// An error with its span.
type ConditionError = (Span, String);

struct Eval<'a, 'b> {
    p: &'b mut Preprocessor<'a>,
    tokens: &'b [Token],
    at: usize,
    end: Span,
    depth: u32,
}

/// The nesting limit of parentheses and operators.
const DEEPEST: u32 = 200;

impl Preprocessor<'_> {
    /// Whether the condition on the rest of a directive's line holds.
    pub(super) fn condition(&mut self, line: &[Token], directive: Span) -> bool {
        if line.is_empty() {
            self.report.emit(&codes::E0122, directive, "the condition is missing");
            return false;
        }
        let tokens = self.expand_list(line, true);
        let end = line.last().map_or(directive, |t| t.span);
        let mut eval = Eval { p: self, tokens: &tokens, at: 0, end: Span::new(end.hi, end.hi), depth: 0 };
        let result = eval.conditional(true).and_then(|v| match eval.peek() {
            None => Ok(v),
            Some(t) => {
                let text = eval.p.spelling(t);
                let hint = if t.kind == Kind::Assign { "; equality is `==`" } else { "" };
                Err((t.span, format!("expected an operator in the condition, found `{text}`{hint}")))
            }
        });
        match result {
            Ok(v) => {
                self.evaluated.push(Evaluated { span: directive.to(end), outcome: Outcome::Value(v.bits, v.unsigned) });
                v.is_true()
            }
            Err((span, message)) => {
                self.report.emit(&codes::E0122, span, message);
                false
            }
        }
    }

    /// Whether `name` is an operator like `__has_include`, of conditions and of the text.
    pub(super) fn is_has_operator(&self, name: Symbol) -> bool {
        self.names.has.contains(&name)
    }

    /// `__has_include(…)` and its like, whose name was just read: the number that it gives.
    pub(super) fn has_operator(&mut self, t: Token) -> Token {
        let open = self.next();
        let mut inside = Vec::new();
        let mut depth = 1u32;
        if open.kind == Kind::LParen {
            loop {
                let t = self.next();
                match t.kind {
                    Kind::LParen => depth += 1,
                    Kind::RParen => depth -= 1,
                    _ => {}
                }
                if depth == 0 || t.kind == Kind::Eof {
                    break;
                }
                inside.push(t);
            }
        }
        if open.kind != Kind::LParen || depth > 0 || inside.is_empty() {
            let name = self.interner.str(t.sym).to_string();
            let message = format!("`{name}` takes an argument in parentheses");
            self.report.emit(&codes::E0122, t.span, message);
        }
        let yes = match self.interner.str(t.sym) {
            "__has_include" | "__has_include_next" => self.header_name(&inside).is_some_and(|(name, angled)| self.exists(&name, angled)),
            "__has_attribute" | "__has_cpp_attribute" => {
                inside.last().is_some_and(|t| t.kind == Kind::Ident && attribute(self.interner.str(t.sym)).is_some())
            }
            "__has_feature" if inside.iter().any(|t| self.interner.str(t.sym) == "hlsl_vk_buffer_pointer") => {
                let spirv = self.interner.intern("__spirv__");
                self.macro_named(spirv).is_some()
            }
            "__is_identifier" => matches!(&inside[..], [t] if t.kind == Kind::Ident),
            // Other features, extensions and builtins of clang: HLSL has none of them.
            _ => false,
        };
        let sym = self.interner.intern(if yes { "1" } else { "0" });
        Token { kind: Kind::Number, sym, ..t }
    }
}

/// The feature-test operators.
#[rustfmt::skip]
pub(super) const HAS_OPERATORS: &[&str] = &[
    "__has_include", "__has_include_next", "__has_attribute", "__has_cpp_attribute", "__has_declspec_attribute", "__has_feature",
    "__has_extension", "__has_builtin", "__has_warning", "__is_identifier",
];

impl Eval<'_, '_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let yes = self.peek().is_some_and(|t| t.kind == kind);
        self.at += usize::from(yes);
        yes
    }

    fn here(&self) -> Span {
        self.peek().map_or(self.end, |t| t.span)
    }

    /// `live` is false in operands that are not evaluated, like the right one of `0 && x`.
    fn conditional(&mut self, live: bool) -> Result<Value, ConditionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((self.here(), "this condition is nested too deeply".into()));
        }
        let cond = self.binary(0, live)?;
        let value = if self.eat(Kind::Question) {
            let then = self.conditional(live && cond.is_true())?;
            if !self.eat(Kind::Colon) {
                return Err((self.here(), "expected `:` after `?`".into()));
            }
            let other = self.conditional(live && !cond.is_true())?;
            let unsigned = then.unsigned || other.unsigned;
            Value { unsigned, ..if cond.is_true() { then } else { other } }
        } else {
            cond
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8, live: bool) -> Result<Value, ConditionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((self.here(), "this condition is nested too deeply".into()));
        }
        let mut lhs = self.unary(live)?;
        while let Some(op) = self.peek() {
            let level = precedence(op.kind);
            if level == 0 || level <= least {
                break;
            }
            self.at += 1;
            let right_live = match op.kind {
                Kind::AndAnd => live && lhs.is_true(),
                Kind::OrOr => live && !lhs.is_true(),
                _ => live,
            };
            let rhs = self.binary(level, right_live)?;
            lhs = match apply(op.kind, lhs, rhs) {
                Some(v) => v,
                None if !live => Value::int(0),
                None => return Err((op.span, "division by zero in a condition".into())),
            };
        }
        self.depth -= 1;
        Ok(lhs)
    }

    fn unary(&mut self, live: bool) -> Result<Value, ConditionError> {
        // Prefix operators are collected first: a long sequence of them must not recurse.
        let start = self.at;
        while self.peek().is_some_and(|t| matches!(t.kind, Kind::Not | Kind::Minus | Kind::Plus | Kind::Tilde)) {
            self.at += 1;
        }
        let end = self.at;
        let mut v = self.primary(live)?;
        for t in self.tokens[start..end].iter().rev() {
            v = match t.kind {
                Kind::Not => Value::truth(!v.is_true()),
                Kind::Minus => Value { bits: v.bits.wrapping_neg(), ..v },
                Kind::Tilde => Value { bits: !v.bits, ..v },
                _ => v,
            };
        }
        Ok(v)
    }

    fn primary(&mut self, live: bool) -> Result<Value, ConditionError> {
        let Some(t) = self.peek() else {
            return Err((self.end, "the condition ends where a value is needed".into()));
        };
        self.at += 1;
        match t.kind {
            Kind::LParen => {
                let v = self.conditional(live)?;
                if !self.eat(Kind::RParen) {
                    return Err((self.here(), "expected `)` in the condition".into()));
                }
                Ok(v)
            }
            Kind::Number => match parse_number(self.p.interner.str(t.sym)) {
                Number::Int(bits, suffix) => {
                    let unsigned = matches!(suffix, IntSuffix::U | IntSuffix::UL | IntSuffix::ULL) || bits > i64::MAX as u64;
                    Ok(Value { bits, unsigned })
                }
                Number::Float(..) => Err((t.span, "a condition cannot use floating point numbers".into())),
                Number::TooLarge => Err((t.span, "this number does not fit 64 bits".into())),
                Number::Bad => Err((t.span, "invalid number".into())),
            },
            Kind::Char => Ok(Value::int(i64::from(parse_char(self.p.interner.str(t.sym)).0))),
            Kind::Ident => {
                let name = self.p.interner.str(t.sym);
                match name {
                    "true" => return Ok(Value::int(1)),
                    "false" => return Ok(Value::int(0)),
                    _ => {}
                }
                if self.peek().is_some_and(|n| n.kind == Kind::LParen) {
                    return Err((t.span, format!("function-like macro `{name}` is not defined")));
                }
                if live && self.p.options.report_undefined {
                    let message = format!("`{name}` is not defined and evaluates to 0");
                    self.p.report.emit(&codes::W0106, t.span, message);
                }
                Ok(Value::int(0))
            }
            _ => {
                let text = self.p.spelling(t);
                Err((t.span, format!("`{text}` is not allowed in a condition")))
            }
        }
    }
}

fn precedence(k: Kind) -> u8 {
    use Kind::*;
    match k {
        OrOr => 1,
        AndAnd => 2,
        Pipe => 3,
        Caret => 4,
        Amp => 5,
        EqEq | NotEq => 6,
        Lt | Gt | Le | Ge => 7,
        Shl | Shr => 8,
        Plus | Minus => 9,
        Star | Slash | Percent => 10,
        _ => 0,
    }
}

fn apply(op: Kind, a: Value, b: Value) -> Option<Value> {
    use Kind::*;
    let unsigned = a.unsigned || b.unsigned;
    let (x, y) = (a.bits, b.bits);
    let (sx, sy) = (x as i64, y as i64);
    let val = |bits: u64| Value { bits, unsigned };
    let less = if unsigned { x < y } else { sx < sy };
    Some(match op {
        OrOr => Value::truth(a.is_true() || b.is_true()),
        AndAnd => Value::truth(a.is_true() && b.is_true()),
        Pipe => val(x | y),
        Caret => val(x ^ y),
        Amp => val(x & y),
        EqEq => Value::truth(x == y),
        NotEq => Value::truth(x != y),
        Lt => Value::truth(less),
        Ge => Value::truth(!less),
        Gt => Value::truth(x != y && !less),
        Le => Value::truth(x == y || less),
        Shl => Value { bits: x.wrapping_shl(y as u32 & 63), unsigned: a.unsigned },
        Shr if a.unsigned => Value { bits: x.wrapping_shr(y as u32 & 63), unsigned: true },
        Shr => Value::int(sx.wrapping_shr(y as u32 & 63)),
        Plus => val(x.wrapping_add(y)),
        Minus => val(x.wrapping_sub(y)),
        Star => val(x.wrapping_mul(y)),
        Slash | Percent if y == 0 => return None,
        Slash => val(if unsigned { x / y } else { sx.wrapping_div(sy) as u64 }),
        Percent => val(if unsigned { x % y } else { sx.wrapping_rem(sy) as u64 }),
        _ => return None,
    })
}
