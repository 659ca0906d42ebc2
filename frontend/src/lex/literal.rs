//! Parsing of literals: the values of numbers, strings and characters.

use std::cmp::Ordering;

use rtc_base::half;

use crate::syntax::ast::{FloatSuffix, IntSuffix};

/// The value of a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer.
    Int(u64, IntSuffix),
    /// A floating point number.
    Float(f64, FloatSuffix),
    /// An integer that does not fit 64 bits.
    TooLarge,
    /// Not a number.
    Bad,
}

/// Where the members of a number start: at its second dot, or at one before `x` or `r`, as in `1.xxx`, `0.rrr`, `2.0.xx.y`, `1.f.x`. What follows must be
/// names, else it is no number.
pub fn members_of(spelling: &str) -> Option<usize> {
    let mut dots = spelling.match_indices('.').map(|(at, _)| at);
    let first = dots.next()?;
    let at = if matches!(spelling.as_bytes().get(first + 1), Some(b'x' | b'r')) { first } else { dots.next()? };
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    (at > 0 && spelling[at + 1..].split('.').all(is_name)).then_some(at)
}

/// The value of a number token.
pub fn parse_number(spelling: &str) -> Number {
    if let Some(at) = spelling.find(".#") {
        let name = &spelling.as_bytes()[at + 2..];
        let value = if name.starts_with(b"INF") { f64::INFINITY } else { f64::NAN };
        let special = ["INF", "IND", "QNAN", "SNAN"].iter().find_map(|n| spelling[at + 2..].strip_prefix(n));
        return match special.map(float_suffix) {
            // The digit before it says nothing, and is always the same.
            Some(Some(s)) if &spelling[..at] == "1" => Number::Float(value, s),
            _ => Number::Bad,
        };
    }
    let b = spelling.as_bytes();
    let radix = match b {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'b' | b'B', ..] => 2,
        _ => 10,
    };
    if radix == 16 && b.iter().any(|&c| matches!(c, b'p' | b'P')) {
        return hexadecimal_float(&spelling[2..]);
    }
    if radix != 10 {
        return integer(&spelling[2..], radix);
    }
    let is_float = b.iter().any(|&c| matches!(c, b'.' | b'e' | b'E')) || matches!(b.last(), Some(b'f' | b'F' | b'h' | b'H')) && b.len() > 1;
    if is_float {
        return float(spelling);
    }
    if b.len() > 1 && b[0] == b'0' && b[1].is_ascii_digit() {
        return integer(&spelling[1..], 8);
    }
    integer(spelling, 10)
}

/// The suffixes that say how many bits a number has.
pub const SIZED_SUFFIXES: [&str; 6] = ["f16", "F16", "f32", "F32", "f64", "F64"];

/// A number and its suffix.
fn split_float_suffix(spelling: &str) -> (&str, &str) {
    let sized = SIZED_SUFFIXES.iter().find(|s| spelling.ends_with(*s)).map_or(0, |s| s.len());
    let end = match sized {
        0 => spelling.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len(),
        n => spelling.len() - n,
    };
    spelling.split_at(end)
}

fn float(spelling: &str) -> Number {
    let (digits, suffix) = split_float_suffix(spelling);
    let Some(suffix) = float_suffix(suffix) else {
        return Number::Bad;
    };
    // Rust reads `1.`, `.5` and `1e5` as C does, and would also read words like `inf`, which no number token starts with.
    match digits.parse::<f64>() {
        Ok(v) if is_narrow(suffix) => Number::Float(to_narrow(v, |v| order(digits, v)), suffix),
        Ok(v) => Number::Float(v, suffix),
        Err(_) => Number::Bad,
    }
}

/// Whether the number is rounded to a type that is narrower than the one that holds it here.
fn is_narrow(suffix: FloatSuffix) -> bool {
    matches!(suffix, FloatSuffix::F | FloatSuffix::H)
}

/// A number that rounds to narrower types as the exact one does, which compares with `rounded`, the nearest number, as `order` says.
fn to_narrow(rounded: f64, order: impl Fn(f64) -> Ordering) -> f64 {
    let narrow = |x: f64| ((x as f32).to_bits(), half::from_f64(x));
    let same = |exact| narrow(to_odd(rounded, exact)) == narrow(rounded);
    if same(Ordering::Less) && same(Ordering::Greater) { rounded } else { to_odd(rounded, order(rounded)) }
}

/// `rounded`, the number nearest to one that compares with it as `exact`, rounded to odd instead: rounding that again to a narrower type is as rounding the
/// exact number once.
fn to_odd(rounded: f64, exact: Ordering) -> f64 {
    let bits = rounded.to_bits();
    match exact {
        _ if !rounded.is_finite() || bits & 1 != 0 => rounded,
        Ordering::Equal => rounded,
        Ordering::Greater => f64::from_bits(bits + 1),
        Ordering::Less if bits == 0 => rounded,
        Ordering::Less => f64::from_bits(bits - 1),
    }
}

/// How the decimal number `digits` compares with `near`, which is not negative.
fn order(digits: &str, near: f64) -> Ordering {
    // The digits without zeros at either end, and the power of ten of the first one.
    let scientific = |text: &str| {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let point = mantissa.find('.').unwrap_or(mantissa.len());
        let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let zeros = all.len() - all.trim_start_matches('0').len();
        let first = exponent.parse::<i64>().unwrap_or(0).saturating_add(point as i64 - zeros as i64);
        (first, all.trim_matches('0').to_string())
    };
    // Every digit of the number: it has at most 767.
    let (a, b) = (scientific(digits), scientific(&format!("{near:.767e}")));
    match (a.1.is_empty(), b.1.is_empty()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => a.cmp(&b),
    }
}

/// `1.8p3`: hexadecimal digits times a power of two.
fn hexadecimal_float(s: &str) -> Number {
    let Some((digits, rest)) = s.split_once(['p', 'P']) else {
        return Number::Bad;
    };
    let (power, suffix) = split_float_suffix(rest);
    let (Ok(power), Some(suffix)) = (power.parse::<i64>(), float_suffix(suffix)) else {
        return Number::Bad;
    };
    let (mut mantissa, mut exponent) = (0u64, power.clamp(-100_000, 100_000));
    let (mut any, mut after_point) = (false, false);
    for c in digits.chars() {
        let Some(d) = c.to_digit(16) else {
            after_point = true;
            continue;
        };
        any = true;
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | u64::from(d);
            exponent -= if after_point { 4 } else { 0 };
        } else {
            // Too long to keep: the dropped digits still decide the rounding.
            mantissa |= u64::from(d != 0);
            exponent += if after_point { 0 } else { 4 };
        }
    }
    // In two steps, since 2^exponent alone may leave the range of f64 where the product does not.
    let half = exponent / 2;
    let scale = |e: i64| 2f64.powi(e.clamp(-20_000, 20_000) as i32);
    let mut rounded = mantissa as f64;
    if is_narrow(suffix) {
        rounded = to_odd(rounded, u128::from(mantissa).cmp(&(rounded as u128)));
    }
    let value = rounded * scale(half) * scale(exponent - half);
    let value = if mantissa == 0 { 0.0 } else { value };
    if any { Number::Float(value, suffix) } else { Number::Bad }
}

fn float_suffix(s: &str) -> Option<FloatSuffix> {
    match s {
        "" => Some(FloatSuffix::None),
        "f" | "F" | "f32" | "F32" => Some(FloatSuffix::F),
        "h" | "H" | "f16" | "F16" => Some(FloatSuffix::H),
        "l" | "L" | "f64" | "F64" => Some(FloatSuffix::L),
        _ => None,
    }
}

fn integer(s: &str, radix: u32) -> Number {
    let end = s.bytes().position(|c| !(c as char).is_digit(radix)).unwrap_or(s.len());
    let (digits, suffix) = s.split_at(end);
    let suffix = match suffix.to_ascii_lowercase().as_str() {
        "" => IntSuffix::None,
        "u" => IntSuffix::U,
        "l" => IntSuffix::L,
        "ul" | "lu" => IntSuffix::UL,
        "ll" => IntSuffix::LL,
        "ull" | "llu" => IntSuffix::ULL,
        _ => return Number::Bad,
    };
    if digits.is_empty() {
        return Number::Bad;
    }
    match u64::from_str_radix(digits, radix) {
        Ok(v) => Number::Int(v, suffix),
        Err(_) => Number::TooLarge,
    }
}

/// What the escapes of a literal are, the worst of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Escapes {
    /// All have a meaning.
    Right,
    /// One has none: it is the character after the backslash.
    Unknown,
    /// One is incomplete or too large.
    Invalid,
}

/// The contents of a string token: quotes removed (plain or typographic), escapes replaced.
pub fn parse_string(spelling: &str, out: &mut String) -> Escapes {
    let quote = |c: char| matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}');
    let body = spelling.strip_prefix(quote).unwrap_or(spelling);
    let body = body.strip_suffix(quote).unwrap_or(body);
    unescape(body, out)
}

/// The value of a character token; invalid if it is not one character.
pub fn parse_char(spelling: &str) -> (u32, Escapes) {
    let body = spelling.strip_prefix('\'').unwrap_or(spelling);
    let body = body.strip_suffix('\'').unwrap_or(body);
    let mut text = String::new();
    let escapes = unescape(body, &mut text);
    let mut chars = text.chars();
    let value = chars.next().map_or(0, u32::from);
    (value, if chars.next().is_none() { escapes } else { Escapes::Invalid })
}

fn unescape(body: &str, out: &mut String) -> Escapes {
    let (mut bad, mut unknown) = (false, false);
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('a') => out.push('\x07'),
            Some('b') => out.push('\x08'),
            Some('f') => out.push('\x0c'),
            Some('v') => out.push('\x0b'),
            Some('e' | 'E') => out.push('\x1b'),
            Some(c @ ('\\' | '"' | '\'' | '?')) => out.push(c),
            Some('x') => {
                let mut value = 0u32;
                let mut any = false;
                while let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.saturating_mul(16).saturating_add(d);
                    any = true;
                    chars.next();
                }
                bad |= !any || value > 255;
                out.push(char::from(value as u8));
            }
            Some(d @ '0'..='7') => {
                let mut value = d as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(d) = chars.peek().and_then(|c| c.to_digit(8)) else {
                        break;
                    };
                    value = value * 8 + d;
                    chars.next();
                }
                bad |= value > 255;
                out.push(char::from(value as u8));
            }
            Some(c) => {
                unknown = true;
                out.push(c);
            }
            None => bad = true,
        }
    }
    match (bad, unknown) {
        (true, _) => Escapes::Invalid,
        (_, true) => Escapes::Unknown,
        _ => Escapes::Right,
    }
}

/// `text` as a string literal, quotes included.
pub fn escape_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
