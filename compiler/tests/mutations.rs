//! Mutation fuzzing of the whole compiler: damaged sources cause no panic and no hang, and accepted ones compile with both back ends.
//!
//! The mutants are those of [`rtc_oracles::mutants`]. The number of a mutation determines it completely, so a failure can be reproduced:
//! `RTC_MUTATION=1234 cargo test -p rtc --test mutations`. Most mutants are invalid programs; those that compile are compiled to DXIL and
//! SPIR-V, and some are checked by the outside validators. `cargo xtask bench mutate` does a million, of containers too.
//!
//! A plain run does [`MUTATIONS`]; `RTC_FUZZ_SECONDS` continues with further numbers for that time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rtc::report::{Format, ReportKind};
use rtc::{OptLevel, Options, Product, Profile, ProfileKind, Target, Version, Virtual};
use rtc_oracles::measure::spent;
use rtc_oracles::mutants::{Random, Source, mutant, sources};
use rtc_oracles::selection::number;
use rtc_oracles::{Dxc, SpirvVal};

/// Mutations in a plain run.
const MUTATIONS: u64 = 10_000;

/// One compiled mutant in so many is validated.
const VALIDATED: u64 = 2;

/// No mutant may take more of the processor. (Builds with assertions verify the module after every pass.)
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 });

/// The mutant of this number.
fn mutant_of(number: u64, all: &[Source]) -> (usize, String, Options) {
    let mut r = Random::new(number);
    let (which, words) = mutant(&mut r, all);
    let profile = if all[which].compute { "cs_6_6" } else { "lib_6_6" };
    let mut options = Options::new(Profile::parse(profile).expect("a profile"));
    options.level = if r.below(2) == 0 { OptLevel::O0 } else { OptLevel::O3 };
    options.native_16bit = r.below(4) == 0;
    if r.below(4) == 0 {
        options.reports.push(ReportKind::Reorder);
    }
    // The newest version that the outside validator knows.
    options.dxil.validator = Version::new(1, 6);
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
        let before = spent();
        let mut includes = Virtual::new(headers.iter().map(|(n, t)| (n.as_str(), t.as_str())));
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let done = rtc::compile("mutant.hlsl", text.as_bytes(), &mut includes, &options);
            for r in &done.reports {
                let _ = [Format::Text, Format::Json, Format::Html].map(|f| r.render(f));
            }
            done
        }));
        let Ok(done) = done else { return Err("the compiler panics".into()) };
        let took = spent().saturating_sub(before);
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
                // Nor does it know the second stream of geometry shaders there, whose elements it finds in the places of the first.
                let known = |e: &str| {
                    let mut rules = e.lines().filter(|l| l.contains("error:"));
                    let streams = e.contains("Stream index (1) must between 0 and 0");
                    options.profile.kind == ProfileKind::Library && (streams || rules.all(|l| l.contains("'LoadOutputControlPoint'")))
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
    let before = spent();
    let again = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let found = rtc::paq::infer(&sources, &mut includes, options, rtc::paq::Assume::default());
        _ = rtc::paq::text(&found.payloads);
        let new = rtc::paq::rewrite(&found, &sources, &mut includes, options);
        let main: Vec<(String, Vec<u8>)> = new.files.into_iter().filter(|f| f.0 == "mutant.hlsl").collect();
        // What is not inferred keeps its own qualifiers, which may be wrong.
        let all = found.payloads.iter().all(|p| p.refused.is_empty());
        let refused = all && new.diagnostics.iter().any(|d| d.message.contains("would not compile"));
        (refused, rtc::paq::infer(&main, &mut includes, options, rtc::paq::Assume::default()).failed())
    }));
    let took = spent().saturating_sub(before);
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
        let (which, text, options) = mutant_of(number, &all);
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
                    let (which, text, options) = mutant_of(number, &all);
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
