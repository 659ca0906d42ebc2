//! Mutation fuzzing of the whole compiler: damaged sources cause no panic and no hang, and accepted ones compile with both back ends.
//!
//! Sources of the samples and lit tests are split into words; a mutation drops, doubles, swaps or replaces some, or puts in a
//! run of words of another source. The number of a mutation determines it completely, so a failure can be
//! reproduced: `RTC_MUTATION=1234 cargo test -p rtc --test mutations`. Most mutants are invalid programs; those
//! that compile are compiled to DXIL and SPIR-V, and some are checked by the outside validators.
//!
//! A plain run does [`MUTATIONS`]; `RTC_FUZZ_SECONDS` continues with further numbers for that time.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rtc::report::{Format, ReportKind};
use rtc::{OptLevel, Options, Product, Profile, ProfileKind, Target, Version, Virtual};
use rtc_oracles::selection::number;
use rtc_oracles::{Dxc, SpirvVal};

/// Mutations in a plain run.
const MUTATIONS: u64 = 10_000;

/// One mutation in so many is gentle: a name for a name, a number for a number.
const GENTLE: usize = 40;

/// One compiled mutant in so many is validated.
const VALIDATED: u64 = 2;

/// No mutant may take more of the processor. (Builds with assertions verify, print and read the module after every pass.)
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 });

/// What this thread has had of the processor, where the system tells; else the time that has passed.
fn spent(start: Instant) -> Duration {
    let own = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = own.and_then(|s| s.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        // SplitMix64's finaliser: neighbouring seeds give unlike sequences.
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Random((z ^ (z >> 31)) | 1)
    }
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

/// The words and signs of a source, each with the white space after it.
fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut start = 0;
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            0
        } else if c.is_whitespace() {
            1
        } else {
            2
        }
    };
    let mut last = 3;
    for (i, c) in text.char_indices() {
        let now = class(c);
        if i > start && (now == 2 || (now != last && now != 1)) {
            out.push(text[start..i].to_owned());
            start = i;
        }
        last = now;
    }
    out.push(text[start..].to_owned());
    out
}

/// A source: its name, its words, whether it is one compute shader, and whether it compiles.
struct Source {
    name: String,
    words: Vec<String>,
    compute: bool,
    right: bool,
}

/// What sort of word this is: a mutant in which a name stands for a name and a number for a number often compiles.
fn sort(word: &str) -> u32 {
    match word.trim_end().chars().next() {
        Some(c) if c.is_ascii_digit() => 0,
        Some(c) if c.is_alphabetic() || c == '_' => 1,
        Some('+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<' | '>') => 2,
        Some(c) => c as u32,
        None => u32::MAX,
    }
}

/// The sources of the samples and lit tests that are small enough to be mutated often, and the headers that they include.
fn sources() -> (Vec<Source>, Vec<(String, String)>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut all = Vec::new();
    let mut headers = Vec::new();
    let mut folders = vec![root.join("samples"), root.join("lit-tests/tests"), root.join("compiler/tests/wrong")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            match path.extension().and_then(|e| e.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("hlsl" | "hlsli") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    for path in files {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if name.ends_with(".hlsli") {
            let short = name.rsplit_once("/Inputs/").map_or(name.as_str(), |n| n.1);
            headers.push((format!("Inputs/{short}"), text));
            continue;
        }
        // The pinned validator knows one stream, and refuses others.
        if name.ends_with("graphics/geometry_streams.hlsl") {
            continue;
        }
        // The checks are comments; a case of the corpus of wrong programs is a source of its own.
        let code: String =
            text.lines().filter(|l| !l.starts_with("// RUN") && !l.starts_with("// CHECK")).map(|l| format!("{l}\n")).collect();
        for (i, part) in code.split("// CASE ").enumerate() {
            if part.len() < 12_000 && part.contains('{') {
                let compute = text.contains("-T cs_6") && part.contains("numthreads");
                let right = !name.contains("/wrong/") && !name.contains("/errors/");
                all.push(Source { name: format!("{name}#{i}"), words: words(part), compute, right });
            }
        }
    }
    assert!(all.len() > 100, "only {} sources", all.len());
    (all, headers)
}

/// The mutant of this number.
fn mutant(number: u64, all: &[Source]) -> (usize, String, Options) {
    let mut r = Random::new(number);
    let mut which = r.below(all.len());
    // What compiles takes a hundred times as long as what does not.
    let gentle = r.below(GENTLE) == 0;
    while gentle && !all[which].right {
        which = (which + 1) % all.len();
    }
    let mut words = all[which].words.clone();
    for _ in 0..1 + r.below(3) {
        let (a, b) = (r.below(words.len()), r.below(words.len()));
        if gentle {
            let kind = sort(&words[a]);
            let like: Vec<usize> = (0..words.len()).filter(|&i| sort(&words[i]) == kind).collect();
            words[a] = words[like[r.below(like.len())]].clone();
            continue;
        }
        match r.below(6) {
            _ if words.is_empty() => break,
            0 => _ = words.remove(a),
            1 => words.insert(a, words[b].clone()),
            2 => words.swap(a, b),
            3 => words[a] = words[b].clone(),
            4 => {
                let end = (a + 1 + r.below(8)).min(words.len());
                _ = words.drain(a..end);
            }
            _ => {
                let other = &all[r.below(all.len())].words;
                let from = r.below(other.len());
                let end = (from + 1 + r.below(12)).min(other.len());
                words.splice(a..a, other[from..end].iter().cloned());
            }
        }
    }
    let profile = if all[which].compute { "cs_6_6" } else { "lib_6_6" };
    let mut options = Options::new(Profile::parse(profile).expect("a profile"));
    options.level = if r.below(2) == 0 { OptLevel::O0 } else { OptLevel::O3 };
    options.native_16bit = r.below(4) == 0;
    if r.below(4) == 0 {
        options.reports.push(ReportKind::Reorder);
    }
    // The newest version that the outside validator knows.
    options.validator = Version::new(1, 6);
    (which, words.concat(), options)
}

/// The outside validators of this machine.
struct Judges {
    dxc: Option<Dxc>,
    spirv: Option<SpirvVal>,
}

/// Compiles a mutant for both targets and says what is wrong with the compiler.
fn check(number: u64, text: &str, options: &Options, headers: &[(String, String)], judges: &Judges) -> Result<bool, String> {
    let mut compiled = false;
    for target in [Target::Dxil, Target::Spirv] {
        let options = Options { target, ..options.clone() };
        let start = Instant::now();
        let before = spent(start);
        let mut includes = Virtual::new(headers.iter().map(|(n, t)| (n.as_str(), t.as_str())));
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let done = rtc::compile("mutant.hlsl", text.as_bytes(), &mut includes, &options);
            for r in &done.reports {
                let _ = [Format::Text, Format::Json, Format::Html].map(|f| r.render(f));
            }
            done
        }));
        let Ok(done) = done else { return Err("the compiler panics".into()) };
        let took = spent(start).saturating_sub(before);
        if took > LIMIT {
            return Err(format!("{took:?}: too slow"));
        }
        for d in &done.diagnostics {
            // Every diagnostic can be shown, whatever its place.
            let shown = rtc::render(&done.sources, d, rtc::Style::Rich);
            if d.message.contains("internal error") || shown.is_empty() {
                return Err(d.message.clone());
            }
        }
        let Some(product) = done.product else {
            match done.failed() {
                true => return Ok(compiled),
                false => return Err("nothing made and nothing said".into()),
            }
        };
        compiled = true;
        if !number.is_multiple_of(VALIDATED) {
            continue;
        }
        match (product, &judges.dxc, &judges.spirv) {
            (Product::Dxil(bytes), Some(dxc), _) => {
                // This validator refuses what reads control points in the hull shaders of every library, the reference's own too.
                let known = |e: &str| {
                    let mut rules = e.lines().filter(|l| l.contains("error:"));
                    options.profile.kind == ProfileKind::Library && rules.all(|l| l.contains("'LoadOutputControlPoint'"))
                };
                match dxc.validate(&bytes) {
                    Err(e) if !known(&e.to_string()) => return Err(format!("the DXIL validator refuses: {e}")),
                    _ => {}
                }
            }
            (Product::Spirv(rtc::SpirvModule { words, .. }), _, Some(spirv)) if !spirv.accepts(&words) => {
                return Err("the SPIR-V validator refuses".into());
            }
            _ => {}
        }
    }
    infer_payloads(text, options, headers)?;
    Ok(compiled)
}

/// Infers the payload access qualifiers of a mutant that compiles, writes them into it, and looks once more.
fn infer_payloads(text: &str, options: &Options, headers: &[(String, String)]) -> Result<(), String> {
    let mut includes = Virtual::new(headers.iter().map(|(n, t)| (n.as_str(), t.as_str())));
    let sources = [("mutant.hlsl".to_owned(), text.as_bytes().to_vec())];
    let start = Instant::now();
    let before = spent(start);
    let again = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let found = rtc::paq::infer(&sources, &mut includes, options, rtc::paq::Assume::default());
        _ = rtc::paq::text(&found.payloads);
        let new = rtc::paq::rewrite(&found, &sources, &mut includes, options);
        let main: Vec<(String, Vec<u8>)> = new.files.into_iter().filter(|f| f.0 == "mutant.hlsl").collect();
        let refused = new.diagnostics.iter().any(|d| d.message.contains("would not compile"));
        (refused, rtc::paq::infer(&main, &mut includes, options, rtc::paq::Assume::default()).failed())
    }));
    let took = spent(start).saturating_sub(before);
    match again {
        Err(_) => Err("inference panics".into()),
        Ok((true, _)) => Err("inferred qualifiers do not compile".into()),
        Ok(_) if took > LIMIT => Err(format!("inference takes {took:?}")),
        Ok(_) => Ok(()),
    }
}

#[test]
fn mutated_sources_never_panic() {
    let (all, headers) = sources();
    let say = |what: &str, why: String| eprintln!("not validated by {what}: {why}");
    let judges = || Judges {
        dxc: Dxc::load().map_err(|e| say("the DXIL validator", e.to_string())).ok(),
        spirv: SpirvVal::load().map_err(|e| say("the SPIR-V validator", e.to_string())).ok(),
    };
    if let Ok(number) = std::env::var("RTC_MUTATION") {
        let number: u64 = number.parse().expect("RTC_MUTATION is a number");
        let (which, text, options) = mutant(number, &all);
        println!("// of {}\n{text}", all[which].name);
        let judges = judges();
        let aside = number - number % VALIDATED;
        if let Err(why) = check(aside, &text, &options, &headers, &judges) {
            panic!("mutation {number}: {why}");
        }
        return;
    }
    let seconds = number("RTC_FUZZ_SECONDS", 0);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (next, compiled) = (AtomicU64::new(0), AtomicU64::new(0));
    let failures = std::sync::Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(8));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || {
                let judges = judges();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= MUTATIONS && Instant::now() >= end {
                        return;
                    }
                    let (which, text, options) = mutant(number, &all);
                    match check(number, &text, &options, &headers, &judges) {
                        Ok(yes) => _ = compiled.fetch_add(u64::from(yes), Ordering::Relaxed),
                        Err(why) => {
                            let report = format!("mutation {number} of {}: {why}", all[which].name);
                            eprintln!("{report}");
                            failures.lock().expect("no panic while it is held").push(report);
                        }
                    }
                }
            };
            // The depth that the compiler allows itself must fit the stack of a plain thread.
            std::thread::Builder::new().spawn_scoped(scope, work).expect("a thread");
        }
    });
    let failures = failures.into_inner().expect("no panic");
    assert!(failures.is_empty(), "{} failures; the first: {}", failures.len(), failures[0]);
    let compiled = compiled.into_inner();
    eprintln!("{compiled} of {} mutants compile", next.into_inner());
    assert!(compiled > 50, "only {compiled} mutants compile: the mutations are too wild to test the back ends");
}
