//! The whole compiler on damaged sources: no panic, no hang, and what it accepts goes through both back ends.
//!
//! One second in a plain run; `RTC_FUZZ_SECONDS` makes it longer.

use std::time::{Duration, Instant};

use rtc::{NoIncludes, Options, OptLevel, Profile, Target};

/// A small generator of numbers, seeded so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

const SOURCES: [&str; 3] = [
    include_str!("../../samples/shapes/shapes.hlsl"),
    include_str!("../../samples/callable/callable.hlsl"),
    include_str!("../../lit-tests/tests/lang/structs.hlsl"),
];

/// The words and signs of a source, each with the white space behind it.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let class = |c: char| if c.is_alphanumeric() || c == '_' { 0 } else if c.is_whitespace() { 1 } else { 2 };
    let mut last = 3;
    for (i, c) in text.char_indices() {
        let now = class(c);
        if i > start && (now == 2 || (now != last && now != 1)) {
            out.push(&text[start..i]);
            start = i;
        }
        last = now;
    }
    out.push(&text[start..]);
    out
}

#[test]
fn mutated_sources_never_panic() {
    let seconds = std::env::var("RTC_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut options = Options::new(Profile::parse("lib_6_3").expect("a profile"));
    let mut rounds = 0;
    while Instant::now() < end {
        let mut words = tokens(SOURCES[random.below(SOURCES.len())]);
        for _ in 0..1 + random.below(3) {
            let (a, b) = (random.below(words.len()), random.below(words.len()));
            match random.below(4) {
                0 => _ = words.remove(a),
                1 => words.insert(a, words[b]),
                2 => words.swap(a, b),
                _ => words[a] = words[b],
            }
        }
        let text = words.concat();
        options.target = if random.below(2) == 0 { Target::Dxil } else { Target::Package };
        options.level = if random.below(2) == 0 { OptLevel::None } else { OptLevel::Most };
        let start = Instant::now();
        let done = std::panic::catch_unwind(|| rtc::compile("mutated.hlsl", text.as_bytes(), &mut NoIncludes, &options));
        let Ok(done) = done else { panic!("this source makes the compiler panic:\n{text}") };
        for d in &done.diagnostics {
            assert!(!d.message.contains("internal error"), "{}\n{text}", d.message);
        }
        assert!(done.product.is_some() || done.failed(), "nothing made and nothing said:\n{text}");
        assert!(start.elapsed() < Duration::from_secs(10), "slow:\n{text}");
        rounds += 1;
    }
    assert!(rounds > 10, "{rounds} rounds");
}
