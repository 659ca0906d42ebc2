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

/// What is edited: a session with the document open, its name and text, and the positions where statements can be added.
struct Edited {
    client: Client,
    name: String,
    at: Vec<(u32, u32)>,
}

impl Edited {
    /// The generated source.
    fn generated(lines: usize) -> Edited {
        let text = source(lines);
        let at =
            text.lines().enumerate().filter(|(_, l)| l.starts_with("  l.radius = ")).map(|(i, l)| (i as u32, l.len() as u32)).collect();
        let mut client = Client::start("latency", settings(false));
        client.open("a.hlsl", &text);
        assert_eq!(client.diagnostics("a.hlsl"), [""; 0]);
        Edited { client, name: "a.hlsl".into(), at }
    }

    /// A file of the disk with what it includes, and the arguments of its compilation. Statements are added after those of functions.
    fn file(path: &str, arguments: &str) -> Edited {
        let path = std::path::Path::new(path).canonicalize().expect("RTC_LSP_FILE is a file");
        let (folder, name) = (path.parent().expect("a folder"), path.file_name().expect("a name").to_string_lossy().into_owned());
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        let mut depth = 0_i32;
        let mut at = Vec::new();
        for (i, line) in text.lines().enumerate() {
            if depth > 0 && line.starts_with([' ', '\t']) && line.ends_with(';') {
                at.push((i as u32, line.encode_utf16().count() as u32));
            }
            depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        }
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let settings = serde_json::json!({ "compile": false, "arguments": arguments });
        let mut client = Client::start_in(folder.to_owned(), settings, serde_json::json!({}));
        client.open(&name, &text);
        println!("{name}: {} lines, at first {:?}", text.lines().count(), client.diagnostics(&name));
        Edited { client, name, at }
    }

    /// Types and deletes letters in all parts of a source, and measures how long each version's diagnostics take.
    fn measure(mut self, edits: usize) -> Vec<Duration> {
        let c = &mut self.client;
        let mut times = Vec::with_capacity(edits);
        for n in 0..edits {
            // A statement is written and removed, letter by letter: most versions are wrong.
            let word = " { float edit = 2; }";
            let (line, column) = self.at[(n / (2 * word.len()) * 37) % self.at.len()];
            let step = n % (2 * word.len());
            let start = Instant::now();
            if step < word.len() {
                let at = column + step as u32;
                c.change(&self.name, &[((line, at, line, at), &word[step..=step])]);
            } else {
                let at = column + (2 * word.len() - 1 - step) as u32;
                c.change(&self.name, &[((line, at, line, at + 1), "")]);
            }
            c.diagnostics(&self.name);
            times.push(start.elapsed());
            c.inbox.clear();
        }
        assert_eq!(c.ask_of("textDocument/foldingRange", &self.name).as_array().map(|a| a.is_empty()), Some(false));
        self.client.end();
        times.sort();
        times
    }
}

/// An edit that takes time in the square of the lines is far above the limit. Else it is generous: tests run unoptimised, on machines that do other things.
#[test]
fn an_edit_of_2000_lines_is_quick() {
    let times = Edited::generated(2000).measure(40);
    let median = times[times.len() / 2];
    println!("2,000 lines: median {median:?}, longest {:?}", times[times.len() - 1]);
    assert!(median < Duration::from_secs(10), "the median of 40 edits is {median:?}");
}

/// The server gives a request up after 20 seconds: an unoptimised one gets less, so that it is far from that on a busy machine.
const LONG: usize = if cfg!(debug_assertions) { 15_000 } else { 50_000 };

/// Completion and hover at the end of a very long source, which is edited before each.
#[test]
fn requests_in_very_long_sources_are_answered() {
    let text = source(LONG);
    let mut c = Client::start("large", settings(false));
    c.open("a.hlsl", &text);
    assert_eq!(c.diagnostics("a.hlsl"), [""; 0]);
    let last = text.matches('\n').count() as u32;
    for (piece, label) in
        [("Texture2D<float4> T : register(", "t0"), ("[[vk::binding(", "0"), ("void f() { Light_7 l; l.", "radius"), ("[", "shader")]
    {
        c.change("a.hlsl", &[((last, 0, last, 0), piece)]);
        let list = c.ask_at("textDocument/completion", "a.hlsl", (last, piece.len() as u32));
        let labels: Vec<&str> = list["items"].as_array().expect("items").iter().filter_map(|i| i["label"].as_str()).collect();
        assert!(labels.contains(&label), "`{label}` is in {labels:?} at `{piece}`");
        let length = piece.len() as u32;
        assert!(c.ask_at("textDocument/hover", "a.hlsl", (last - 4, 14))["contents"]["value"].is_string());
        c.change("a.hlsl", &[((last, 0, last, length), "")]);
    }
    c.end();
}

/// The processor time of this process so far, in seconds; `None` where the system does not say.
fn processor_time() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    // User and system time in hundredths of a second, which every Linux has.
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// `RTC_LSP_EDITS=10000 RTC_LSP_LINES=5000 cargo test --release -p rtc-lsp --test sessions histogram -- --ignored --nocapture` prints the histogram.
/// `RTC_LSP_FILE` names a file in place of the generated source, `RTC_LSP_ARGUMENTS` its options.
#[test]
#[ignore = "a measurement of some minutes"]
fn histogram() {
    let number = |name: &str, default| std::env::var(name).ok().map_or(default, |n| n.parse().expect("it is a number"));
    let (lines, edits) = (number("RTC_LSP_LINES", 5000), number("RTC_LSP_EDITS", 10_000));
    let edited = match std::env::var("RTC_LSP_FILE") {
        Ok(path) => Edited::file(&path, &std::env::var("RTC_LSP_ARGUMENTS").unwrap_or_else(|_| "-T lib_6_9".into())),
        Err(_) => Edited::generated(lines),
    };
    let before = processor_time();
    let times = edited.measure(edits);
    if let (Some(before), Some(after)) = (before, processor_time()) {
        println!(
            "processor time of an edit, with everything that the server and the test do: {:.2} ms",
            (after - before) * 1e3 / edits as f64
        );
    }
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{edits} edits");
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
