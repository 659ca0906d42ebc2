//! Mutation fuzzing: on any mutated source the frontend returns without a panic and within a time limit.
//!
//! Mutations are deterministic: a failure names its seed. `RTC_MUTATIONS` sets how many are tried for each source.

use rtc_base::{Interner, SourceMap};
use rtc_frontend::lex::{Kind, lex_file};
use rtc_frontend::preprocess::{NoIncludes, PreprocessOptions};
use rtc_oracles::measure::spent;
use rtc_test_support::Random;

/// Sources with many constructs.
const SOURCES: &[&str] = &[include_str!("sources/language.hlsl"), include_str!("sources/raytracing.hlsl")];

fn parse(text: &str) -> usize {
    let mut sources = SourceMap::new();
    let mut interner = Interner::new();
    let main = sources.add_file("m.hlsl", text, None).unwrap();
    let parsed = rtc_frontend::parse(&mut sources, &mut interner, main, &PreprocessOptions::default(), &mut NoIncludes);
    // The tree is well-formed, and the spans of diagnostics are valid.
    let shown = rtc_frontend::syntax::print(&parsed.ast, &interner);
    for d in &parsed.diagnostics {
        rtc_base::render::render(&sources, d, rtc_base::render::Style::Short);
    }
    std::hint::black_box(shown.len());
    parsed.diagnostics.len()
}

fn count() -> usize {
    std::env::var("RTC_MUTATIONS").map_or(300, |s| s.parse().expect("RTC_MUTATIONS is a number"))
}

#[track_caller]
fn survives(text: &str, what: &str) {
    let before = spent();
    let owned = text.to_string();
    let result = std::panic::catch_unwind(move || parse(&owned));
    assert!(result.is_ok(), "{what} panics on:\n{text}");
    let took = spent() - before;
    assert!(took.as_secs() < 5, "{what} takes {took:?} on:\n{text}");
}

#[test]
fn sources_are_right() {
    for s in SOURCES {
        assert_eq!(parse(s), 0);
    }
}

#[test]
fn mutated_tokens() {
    for (n, source) in SOURCES.iter().enumerate() {
        let mut interner = Interner::new();
        let raw = lex_file(source, &mut interner);
        // Each token with the preceding white space.
        let mut pieces: Vec<&str> = Vec::new();
        let mut from = 0;
        for t in raw.tokens.iter().filter(|t| t.kind != Kind::Eof) {
            pieces.push(&source[from..t.hi as usize]);
            from = t.hi as usize;
        }
        for seed in 0..count() {
            let mut r = Random(seed as u64 * 7919 + n as u64 * 104_729 + 12_345);
            let mut p = pieces.clone();
            for _ in 0..=r.below(3) {
                let (i, j) = (r.below(p.len()), r.below(p.len()));
                match r.below(5) {
                    0 => drop(p.remove(i)),
                    1 => p.insert(j, p[i]),
                    2 => p.swap(i, j),
                    3 => p.truncate(i.max(1)),
                    _ => drop(p.drain(i.min(j)..i.max(j).min(i.min(j) + 8))),
                }
                if p.is_empty() {
                    break;
                }
            }
            survives(&p.concat(), &format!("source {n}, seed {seed}"));
        }
    }
}

#[test]
fn random_tokens() {
    let words: Vec<&str> =
        "( ) { } [ ] < > >> , ; : :: . = + - * & ? # ## \\\n \n struct enum template typename using namespace operator if else for \
        while do switch case default return const static in out cbuffer register read float4 Texture2D vector a b S 1 2.0 \"s\" 'c' \
        #define #if #else #endif #include /* // typedef this sizeof [[ ]] ... -> ++ += \u{201c} \u{0}"
            .split(' ')
            .collect();
    for seed in 0..count() * 2 {
        let mut r = Random(seed as u64 * 6_700_417 + 99);
        let mut text = String::new();
        for _ in 0..r.below(200) {
            text.push_str(words[r.below(words.len())]);
            text.push(if r.below(8) == 0 { '\n' } else { ' ' });
        }
        survives(&text, &format!("seed {seed}"));
    }
}

#[test]
fn random_bytes() {
    for seed in 0..count() {
        let mut r = Random(seed as u64 * 31 + 7);
        let len = r.below(600);
        let bytes: Vec<u8> =
            (0..len).map(|_| if r.below(3) == 0 { r.bits() as u8 } else { b" \n\"'#\\(){}<>;/*ab1"[r.below(18)] }).collect();
        let text = rtc_frontend::lex::decode(&bytes).text;
        survives(&text, &format!("seed {seed}"));
    }
}
