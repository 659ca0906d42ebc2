//! Tests of the lexer.

use super::*;
use crate::syntax::ast::{FloatSuffix, IntSuffix};

fn spell(text: &str) -> String {
    let mut interner = Interner::new();
    let file = lex_file(text, &mut interner);
    let mut out = String::new();
    for t in &file.tokens {
        if t.kind == Kind::Eof {
            break;
        }
        if t.flags.contains(Flags::BOL) && !out.is_empty() {
            out.push('|');
        } else if !out.is_empty() {
            out.push(' ');
        }
        if t.kind.is_bad() {
            out.push_str(&format!("{:?}:", t.kind));
        }
        out.push_str(if t.kind.has_spelling() { interner.str(t.sym) } else { t.kind.text() });
    }
    out
}

#[test]
fn tokens() {
    for (text, want) in [
        ("a+++b", "a ++ + b"),
        ("x<<=y>>=z>>w", "x <<= y >>= z >> w"),
        ("a.b->c::d...", "a . b -> c :: d ..."),
        ("1.5f .5 1. 0x1Fu 1e-3h 0b11 1.#INF", "1.5f .5 1. 0x1Fu 1e-3h 0b11 1.#INF"),
        ("1.xxx 0.rr 2.0.xx 1.f.xxxx 1.0x v.x", "1 . xxx 0 . rr 2.0 . xx 1.f . xxxx 1.0x v . x"),
        ("0x1F.xx", "0x1F . xx"),
        ("1.xx.y 0.1.xyz 1.5f.rr.r.x 1..x", "1 . xx . y 0.1 . xyz 1.5f . rr . r . x 1. . x"),
        ("1.2.3 1.yy", "1.2.3 1.yy"),
        ("0xE+1", "0xE + 1"),
        ("0x1.8p-1f+1", "0x1.8p-1f + 1"),
        ("a/*x*/b // c\n d", "a b|d"),
        ("a /* no end", "a OpenComment:/* no end"),
        ("\"a\\\"b\" 'c' '\\n'", "\"a\\\"b\" 'c' '\\n'"),
        ("\"open\nb", "OpenStr:\"open|b"),
        ("don't\nb", "don OpenChar:'t|b"),
        ("a '' b", "a OpenChar:'' b"),
        ("[\u{201c}miss\u{201d}]", "[ SmartStr:\u{201c}miss\u{201d} ]"),
        ("a \0 b", "a b"),
        ("a \u{1} b", "a Unknown:\u{1} b"),
        ("a \u{e9}b $\u{e9}$1", "a \u{e9}b $\u{e9}$1"),
        ("a \u{d7}b", "a Unknown:\u{d7} b"),
        ("ab\\\ncd \\\r\n ef", "abcd ef"),
        ("// c \\\n still\nx", "x"),
        ("\u{feff}x", "x"),
        ("#define A \\\n  b\nc", "# define A b|c"),
        ("a\r\nb\rc", "a|b|c"),
        ("\"back\\", "OpenStr:\"back\\"),
        ("", ""),
    ] {
        assert_eq!(spell(text), want, "{text:?}");
    }
}

#[test]
fn offsets_after_splices_are_those_of_the_file() {
    let mut i = Interner::new();
    let text = "\u{feff}a\\\n\\\nb c\\\n d";
    let f = lex_file(text, &mut i);
    let got: Vec<_> = f.tokens.iter().map(|t| &text[t.lo as usize..t.hi as usize]).collect();
    assert_eq!(got[..2], ["a\\\n\\\nb", "c"]);
    assert_eq!(got[2], "d");
}

#[test]
fn guards() {
    let guard = |text: &str| {
        let mut i = Interner::new();
        lex_file(text, &mut i).guard.map(|s| i.str(s).to_string())
    };
    assert_eq!(guard("// c\n#ifndef G\n#define G\n#if X\n#else\n#endif\nint x;\n#endif // G\n").as_deref(), Some("G"));
    assert_eq!(guard("#if !defined(G)\n#endif").as_deref(), Some("G"));
    assert_eq!(guard("#ifndef G\n#endif\nint x;"), None);
    assert_eq!(guard("#ifndef G\n#else\n#endif"), None);
    assert_eq!(guard("int x;\n#ifndef G\n#endif"), None);
    assert_eq!(guard("#ifndef G\n"), None);
}

#[test]
fn numbers() {
    use Number::*;
    for (text, want) in [
        ("0", Int(0, IntSuffix::None)),
        ("17", Int(17, IntSuffix::None)),
        ("017", Int(15, IntSuffix::None)),
        ("0x7fU", Int(127, IntSuffix::U)),
        ("0b101", Int(5, IntSuffix::None)),
        ("5ull", Int(5, IntSuffix::ULL)),
        ("5LU", Int(5, IntSuffix::UL)),
        ("18446744073709551615", Int(u64::MAX, IntSuffix::None)),
        ("18446744073709551616", TooLarge),
        ("1.", Float(1.0, FloatSuffix::None)),
        (".5f", Float(0.5, FloatSuffix::F)),
        ("1e3L", Float(1000.0, FloatSuffix::L)),
        ("1f", Float(1.0, FloatSuffix::F)),
        ("2h", Float(2.0, FloatSuffix::H)),
        ("09.5", Float(9.5, FloatSuffix::None)),
        ("0x", Bad),
        ("08", Bad),
        ("1.5ff", Bad),
        ("12abc", Bad),
        ("1.2.3", Bad),
        ("1e", Bad),
        ("1.#INF", Float(f64::INFINITY, FloatSuffix::None)),
        ("0x1Fh", Bad),
        ("0x1.0p-24f", Float(5.960464477539063e-8, FloatSuffix::F)),
        ("0x1.fffffffffffffp-1", Float(0.9999999999999999, FloatSuffix::None)),
        ("0x.8P1", Float(1.0, FloatSuffix::None)),
        ("0xAp0", Float(10.0, FloatSuffix::None)),
        ("0x.p1", Bad),
        ("0x1p1q", Bad),
        ("0x1p99999", Float(f64::INFINITY, FloatSuffix::None)),
        ("0x0p99999", Float(0.0, FloatSuffix::None)),
    ] {
        assert_eq!(parse_number(text), want, "{text}");
    }
    assert!(matches!(parse_number("1.#QNANf"), Float(v, FloatSuffix::F) if v.is_nan()));
    // With a suffix, a number is rounded to the narrower type once: these are just next to the middle of two of its numbers.
    let single = |text| match parse_number(text) {
        Float(v, FloatSuffix::F) => (v as f32).to_bits(),
        other => panic!("{text} is {other:?}"),
    };
    assert_eq!(single("1.00000005960464484f"), 0x3f80_0001);
    assert_eq!(single("1.000000059604644775390625f"), 0x3f80_0000);
    assert_eq!(single("100000005960464477539062500000000001e-35f"), 0x3f80_0001);
    assert_eq!(single("0.00000100000017881393432617187499999999999999e6f"), 0x3f80_0001);
    assert_eq!(single("0x1.00000100000000000001p0f"), 0x3f80_0001);
    assert_eq!(single("0x1.000001p0f"), 0x3f80_0000);
    let half = |text| match parse_number(text) {
        Float(v, FloatSuffix::H) => rtc_base::half::from_f64(v),
        other => panic!("{text} is {other:?}"),
    };
    assert_eq!(half("1.00048828125h"), 0x3c00);
    assert_eq!(half("1.000488281250000000000000000000000001h"), 0x3c01);
}

#[test]
fn strings_and_characters() {
    let mut s = String::new();
    assert_eq!(parse_string(r#""a\tb\x41\101\\""#, &mut s), Escapes::Right);
    assert_eq!(s, "a\tbAA\\");
    assert_eq!(parse_string(r#""\q""#, &mut String::new()), Escapes::Unknown);
    assert_eq!(parse_string(r#""\q\x""#, &mut String::new()), Escapes::Invalid);
    assert_eq!(parse_char(r"'\n'"), (10, Escapes::Right));
    assert_eq!(parse_char(r"'\e'"), (27, Escapes::Right));
    assert_eq!(parse_char(r"'\c'"), (99, Escapes::Unknown));
    assert_eq!(parse_char("'ab'").1, Escapes::Invalid);
}

#[test]
fn encodings() {
    assert_eq!(decode(b"abc").text, "abc");
    assert_eq!(decode(b"\xff\xfea\0b\0").text, "ab");
    assert_eq!(decode(b"\xfe\xff\0a\0b").text, "ab");
    let d = decode(b"a\xe9b");
    assert_eq!((d.text.as_ref(), d.lossy), ("a\u{e9}b", true));
}
