//! The time from an edit to its diagnostics.

use std::time::{Duration, Instant};

use crate::client::{Client, settings};

/// A source of about `lines` lines: structures, functions that call each other, an entry point.
fn source(lines: usize) -> String {
    let mut text =
        String::from("RaytracingAccelerationStructure Scene;\nRWTexture2D<float4> Out;\nstruct Payload { float3 color; uint depth; };\n");
    let mut n = 0;
    while text.matches('\n').count() + 8 < lines {
        let called = if n == 0 { "saturate".to_owned() } else { format!("shade_{}", n - 1) };
        text += &format!(
            "struct Light_{n} {{ float3 position; float3 color; float radius; }};\n\
             float3 falloff_{n}(Light_{n} l, float3 at) {{ return l.color / max(dot(l.position - at, l.position - at), 1e-4); }}\n\
             float3 shade_{n}(float3 x) {{\n  Light_{n} l;\n  l.position = x.zxy * {n}.5;\n  l.color = normalize(x + {n});\n  l.radius = length(x);\n  \
             float3 sum = 0;\n  for (uint i = 0; i < 4; i++) {{\n    if (l.radius > i)\n      sum += falloff_{n}(l, x + i) * lerp(0.25, 0.75, saturate(l.radius));\n  }}\n  \
             return sum + {called}(x * 0.5).xyz;\n}}\n"
        );
        n += 1;
    }
    text += &format!(
        "[shader(\"raygeneration\")]\nvoid Start() {{\n  uint2 at = DispatchRaysIndex().xy;\n  float3 value = shade_{}(float3(at, 1));\n  Out[at] = float4(value, 1);\n}}\n",
        n - 1
    );
    text
}

/// Types and deletes letters in all parts of a source, and measures how long each version's diagnostics take.
fn measure(lines: usize, edits: usize) -> Vec<Duration> {
    let text = source(lines);
    let bodies: Vec<u32> = text.lines().enumerate().filter(|(_, l)| l.starts_with("  l.radius = ")).map(|(i, _)| i as u32).collect();
    let mut c = Client::start("latency", settings(false));
    c.open("a.hlsl", &text);
    assert_eq!(c.diagnostics("a.hlsl"), [""; 0]);
    let mut times = Vec::with_capacity(edits);
    for n in 0..edits {
        // A statement is written and removed, letter by letter: most versions are wrong.
        let word = " l.radius *= 2;";
        let line = bodies[(n / (2 * word.len()) * 37) % bodies.len()];
        let step = n % (2 * word.len());
        let start = Instant::now();
        if step < word.len() {
            let at = 23 + step as u32;
            c.change("a.hlsl", &[((line, at, line, at), &word[step..=step])]);
        } else {
            let at = 23 + (2 * word.len() - 1 - step) as u32;
            c.change("a.hlsl", &[((line, at, line, at + 1), "")]);
        }
        c.diagnostics("a.hlsl");
        times.push(start.elapsed());
        c.inbox.clear();
    }
    assert_eq!(c.ask_of("textDocument/foldingRange", "a.hlsl").as_array().map(|a| a.is_empty()), Some(false));
    c.end();
    times.sort();
    times
}

/// A generous limit: tests run unoptimised, on machines that do other things.
#[test]
fn an_edit_of_2000_lines_is_quick() {
    let times = measure(2000, 40);
    let median = times[times.len() / 2];
    println!("2,000 lines: median {median:?}, longest {:?}", times[times.len() - 1]);
    assert!(median < Duration::from_millis(1000), "the median of 40 edits is {median:?}");
}

/// `RTC_LSP_EDITS=10000 RTC_LSP_LINES=5000 cargo test --release -p rtc-lsp --test sessions histogram -- --ignored --nocapture` prints the histogram.
#[test]
#[ignore = "a measurement of some minutes"]
fn histogram() {
    let number = |name: &str, default| std::env::var(name).ok().map_or(default, |n| n.parse().expect("it is a number"));
    let (lines, edits) = (number("RTC_LSP_LINES", 5000), number("RTC_LSP_EDITS", 10_000));
    let times = measure(lines, edits);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{edits} edits of {lines} lines");
    for (name, share) in [("least", 0.0), ("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("99.9 %", 0.999), ("most", 1.0)] {
        println!("{name:>8} {:>8.2} ms", at(share).as_secs_f64() * 1e3);
    }
    let mut limit = 1.0;
    let mut from = 0;
    while from < times.len() {
        let to = times.partition_point(|t| t.as_secs_f64() * 1e3 < limit);
        if to > from {
            println!("below {limit:>6} ms {:>6} {}", to - from, "#".repeat((to - from) * 60 / times.len()));
        }
        (from, limit) = (to, limit * 2.0);
    }
}
