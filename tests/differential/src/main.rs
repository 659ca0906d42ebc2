//! `rtc-differential`: runs random programs, prints what is wrong with them, and reduces those.
//!
//! * `run FIRST COUNT [--jobs N] [--dxil | --few | --both-dxil | --converged]` checks the programs of seeds. Each worker is a process of its own, which may crash. With
//!   `--dxil` what rtc compiles and links to DXIL is all that is looked at, with `--few` the -O3 build and another one of these, with `--both-dxil` all and what the reference compiles, with `--converged`
//!   packages whose traces under divergent control flow all lanes execute, next to DXIL. The reference
//!   and its validator are the newer ones where `RTC_DXC` and `RTC_DXV` name them, else the pinned library.
//! * `run FIRST COUNT [--jobs N] --matrices` checks programs of linear algebra, `matrices SEED [TRIES]` prints one and what is wrong with it, and with a number of
//!   tries a smaller one.
//! * `signatures FIRST COUNT` compares the stored signatures of shaders of seeds, `signature SEED` prints one of these shaders.
//! * `payloads FIRST COUNT [--jobs N] [--cpu]` compares random libraries with the model of payloads, with `--cpu` in all forms that the CPU device
//!   executes and in no other; `payload SEED [FORM]` prints one (of a seed, or of a file of choices, as the next prints them) and what is wrong with it in any form or the one of this number, `reduce-payload SEED [TRIES] [--jobs N] [--form N]` makes it smaller,
//!   `payload-rows FIRST COUNT` lists the rows of the specification that programs meet.
//! * `gpu-bundle FOLDER` makes what `rtc run --bench` measures.
//! * `show SEED` prints a program, `libraries SEED` the same as sources that are linked, `check SEED [FILE]` checks it, or the text of a file with its resources, `reduce SEED [TRIES]` prints a smaller one.

mod bundle;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write as _};
use std::ops::Range;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rtc_differential::choices::Choices;
use rtc_differential::compile::{Builds, Tools};
use rtc_differential::devices::Devices;
use rtc_differential::generate::{Program, generate, matrices, random};
use rtc_differential::payloads::coverage::Coverage;
use rtc_differential::payloads::{self, Chosen};
use rtc_differential::reduce::{Generated, reduce};
use rtc_differential::run::{Mismatch, Scope, check};
use rtc_differential::signatures;

/// Programs that a process checks before another one takes over: devices keep what was loaded.
const BATCH: u64 = 64;
/// Programs that a reduction tries.
const TRIES: usize = 2500;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args.get(i).and_then(|a| a.parse::<u64>().ok());
    match (args.first().map(String::as_str), number(1), number(2)) {
        (Some("show"), Some(seed), _) => print!("{}", random(seed).source),
        (Some("libraries"), Some(seed), _) => print!("{}", random(seed).libraries.join("// next library\n")),
        (Some("check"), Some(seed), _) => {
            let mut program = random(seed);
            if let Some(file) = args.get(2) {
                match std::fs::read_to_string(file) {
                    Ok(text) => program.source = text,
                    Err(e) => return failure(&format!("cannot read {file}: {e}")),
                }
            }
            return check_one(&program);
        }
        (Some("reduce"), Some(seed), tries) => reduce_one(seed, tries.map_or(TRIES, |t| t as usize)),
        (Some("worker"), Some(first), Some(count)) => worker(first, count, Scope::ALL),
        (Some("dxil-worker"), Some(first), Some(count)) => worker(first, count, Scope::DXIL),
        (Some("few-worker"), Some(first), Some(count)) => worker(first, count, Scope::FEW),
        (Some("both-dxil-worker"), Some(first), Some(count)) => worker(first, count, Scope::BOTH_DXIL),
        (Some("converged-worker"), Some(first), Some(count)) => worker(first, count, Scope::CONVERGED),
        (Some("matrices-worker"), Some(first), Some(count)) => {
            let (tools, mut devices) = (Tools::find(), Devices::default());
            for seed in first..first.saturating_add(count) {
                if !report_on(seed, &matrices::random(seed), &tools, &mut devices, Scope::MATRICES) {
                    break;
                }
            }
        }
        (Some("matrices"), Some(seed), tries) => print_matrices(seed, tries),
        (Some("signature"), Some(seed), _) => {
            let shader = signatures::generate::random(seed);
            print!("// {}\n{}", shader.profile, shader.source);
        }
        (Some("signature-worker"), Some(first), Some(count)) => match signatures::Reference::find() {
            Ok(reference) => signatures::worker(first..first.saturating_add(count), &reference),
            Err(missing) => return failure(&missing.to_string()),
        },
        (Some("signatures"), Some(first), Some(count)) => match signatures::Reference::find() {
            Ok(_) => match signatures::run(first..first.saturating_add(count)) {
                Ok(0) => {}
                Ok(_) => return ExitCode::FAILURE,
                Err(e) => return failure(&e),
            },
            Err(missing) => return failure(&missing.to_string()),
        },
        (Some("payload"), _, form) if args.len() > 1 => {
            let Some(program) = library(&args[1]) else { return ExitCode::FAILURE };
            return payload(&program, form);
        }
        (Some("reduce-payload"), _, tries) if args.len() > 1 => {
            let Some(program) = library(&args[1]) else { return ExitCode::FAILURE };
            let option = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1)?.parse::<usize>().ok());
            reduce_payload(program, tries.map_or(TRIES, |t| t as usize), option("--jobs").unwrap_or(1), option("--form"));
        }
        (Some("payload-worker"), Some(first), Some(count)) => payload_worker(first, count, args.iter().any(|a| a == CPU)),
        (Some("payload-rows"), Some(first), Some(count)) => payload_rows(first..first.saturating_add(count)),
        (Some("payloads"), Some(first), Some(count)) if jobs(&without_cpu(&args[3..])).is_some() => {
            let (seeds, rest) = (first..first.saturating_add(count), without_cpu(&args[3..]));
            let flags: &[&str] = if rest.len() == args.len() - 3 { &[] } else { &[CPU] };
            let done = run(seeds.clone(), jobs(&rest).unwrap_or(2), "payload-worker", flags);
            print_missing_rows(&coverage(seeds));
            return done;
        }
        (Some("gpu-bundle"), ..) => match bundle::run(&args[1..]) {
            Ok(()) => {}
            Err(e) => return failure(&e),
        },
        (Some("replay"), ..) if args.len() > 1 => return replay(&args[1..args.len() - 1], &args[args.len() - 1]),
        (Some("payload-form"), ..) if args.len() == 3 => return payload_form(&args[1], &args[2]),
        (Some("run"), Some(first), Some(count)) if jobs(without_scope(&args[3..]).0).is_some() => {
            let Some(end) = first.checked_add(count) else {
                eprintln!("error: the seeds from {first} on are fewer than {count}: a seed has 64 bits");
                return ExitCode::FAILURE;
            };
            let (rest, worker) = without_scope(&args[3..]);
            return run(first..end, jobs(rest).unwrap_or(2), worker, &[]);
        }
        _ => {
            eprintln!(
                "usage: rtc-differential run FIRST COUNT [--jobs N] [--dxil | --few | --both-dxil | --converged | --matrices] | matrices SEED [TRIES] | show SEED | libraries SEED | check SEED [FILE] | reduce SEED [TRIES] | signatures FIRST COUNT | signature SEED | payloads FIRST COUNT [--jobs N] [--cpu] | payload SEED [FORM] | reduce-payload SEED [TRIES] [--jobs N] [--form N] | payload-rows FIRST COUNT | {}",
                bundle::USAGE
            );
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The option for forms that the CPU device executes.
const CPU: &str = "--cpu";

fn without_cpu(args: &[String]) -> Vec<String> {
    args.iter().filter(|a| *a != CPU).cloned().collect()
}

fn failure(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}

/// The rest of the command line of `run` without the last word, if that says what is looked at, and the worker that does so.
fn without_scope(rest: &[String]) -> (&[String], &'static str) {
    match rest {
        [before @ .., last] if last == "--dxil" => (before, "dxil-worker"),
        [before @ .., last] if last == "--few" => (before, "few-worker"),
        [before @ .., last] if last == "--both-dxil" => (before, "both-dxil-worker"),
        [before @ .., last] if last == "--converged" => (before, "converged-worker"),
        [before @ .., last] if last == "--matrices" => (before, "matrices-worker"),
        _ => (rest, "worker"),
    }
}

/// The number of workers: two, or what `--jobs` says. `None` if the rest of the command line is something else.
fn jobs(rest: &[String]) -> Option<usize> {
    match rest {
        [] => Some(2),
        [option, n] if option == "--jobs" => n.parse().ok().filter(|n| *n > 0),
        _ => None,
    }
}

fn check_one(program: &Program) -> ExitCode {
    let verdict = check(program, &Tools::find(), &mut Devices::default(), Scope::ALL, || {});
    for (kind, text) in &verdict.wrong {
        println!("{}: {text}", kind.name());
    }
    println!("{}; {} builds executed", program.profile(), verdict.executed);
    if verdict.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a program of linear algebra with what is wrong with it, made smaller with so many tries.
fn print_matrices(seed: u64, tries: Option<u64>) {
    let (tools, mut devices) = (Tools::find(), Devices::default());
    let mut wrong = |p: &Program| check(p, &tools, &mut devices, Scope::MATRICES, || {}).wrong;
    let mut program = matrices::random(seed);
    let worst = wrong(&program).iter().map(|w| w.0).min();
    if let (Some(tries), Some(worst)) = (tries, worst) {
        let small =
            reduce(matrices::Reducible(program), tries as usize, 1, |all| wrong(&all[0].0).iter().any(|w| w.0 == worst).then_some(0));
        program = small.0;
    }
    for (kind, text) in wrong(&program) {
        println!("// {}: {}", kind.name(), text.trim_end());
    }
    print!("{}", program.source);
}

fn reduce_one(seed: u64, tries: usize) {
    let (tools, program) = (Tools::find(), random(seed));
    let mut devices = Devices::default();
    let found = apart(&program, Scope::ALL);
    let Some(worst) = found.iter().map(|w| w.0).min() else {
        println!("// nothing is wrong");
        return;
    };
    let mut used = 0;
    let of_dxil = |text: &str| {
        text.split(": ").next().unwrap_or(text).split(" and ").all(|name| name.starts_with("DXIL") || name.starts_with("linked"))
    };
    let packages = !found.iter().any(|(kind, text)| *kind == worst && of_dxil(text));
    let scope = Scope { packages, ..Scope::of(worst) };
    let linked = found.iter().any(|(kind, text)| *kind == worst && text.contains("linked"));
    let small = reduce(program, tries, 1, |programs| {
        let p = &programs[0];
        if scope.reference || worst == Mismatch::Crash {
            return apart(p, scope).iter().any(|w| w.0 == worst).then_some(0);
        }
        used += 1;
        if used % 100 == 0 {
            devices = Devices::default();
        }
        check(p, &tools, &mut devices, scope, || {}).wrong.iter().any(|w| w.0 == worst).then_some(0)
    });
    for (kind, text) in apart(&small, Scope::ALL) {
        println!("// {}: {}", kind.name(), text.trim_end().replace(" | ", "\n//   "));
    }
    println!(
        "// {} {}{}",
        small.profile(),
        if small.native_16bit { "-enable-16bit-types " } else { "" },
        if small.row_major { "-Zpr" } else { "" }
    );
    print!("{}", small.source);
    if linked {
        print!("// the same as libraries\n{}", small.libraries.join("// next library\n"));
    }
}

/// What is wrong with a program, checked by a process of its own, which may crash.
fn apart(program: &Program, scope: Scope) -> Vec<(Mismatch, String)> {
    let mut found = Vec::new();
    let flags = [scope.ours, scope.execute, scope.reference, scope.packages].map(|b| if b { "1" } else { "0" });
    apart_from(&program.choices, &["replay", flags[0], flags[1], flags[2], flags[3]], |kind, text| found.push((kind, text)));
    found
}

/// Starts this program with these words and a file of choices, and tells what is wrong with the program or library that they choose.
fn apart_from(choices: &[u32], words: &[&str], mut on: impl FnMut(Mismatch, String)) {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let name = format!("rtc-differential-{}-{}.choices", std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    let text: Vec<String> = choices.iter().map(u32::to_string).collect();
    if std::fs::write(&path, text.join(" ")).is_err() {
        return;
    }
    let name = path.to_string_lossy();
    let ended = follow(&[words, &[&*name]].concat(), |event| {
        if let Event::Mismatch(kind, text) = event
            && let Some(kind) = Mismatch::ALL.into_iter().find(|w| w.name() == kind)
        {
            on(kind, text.to_string());
        }
    });
    if let Some((_, kind, status)) = ended.crash {
        on(kind, status);
    }
    std::fs::remove_file(&path).ok();
}

/// The choices in a file; says why if there are none.
fn choices_of(path: &str) -> Option<Vec<u32>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) => {
            eprintln!("error: cannot read {path}: {e}");
            return None;
        }
    };
    let choices = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok();
    if choices.is_none() {
        eprintln!("error: {path} is not a list of choices, which are numbers of 32 bits");
    }
    choices
}

/// Checks the program of the choices in a file, as a worker.
fn replay(flags: &[String], path: &str) -> ExitCode {
    let flag = |i: usize| flags.get(i).is_none_or(|f| f != "0");
    let scope = Scope { ours: flag(0), execute: flag(1), reference: flag(2), packages: flag(3), builds: Builds::All };
    let Some(choices) = choices_of(path) else { return ExitCode::FAILURE };
    report_on(0, &generate(Choices::replay(choices)), &Tools::find(), &mut Devices::default(), scope);
    ExitCode::SUCCESS
}

/// Checks a program and prints what a worker says of it. Whether the process can go on.
fn report_on(seed: u64, program: &Program, tools: &Tools, devices: &mut Devices, scope: Scope) -> bool {
    let say = |text: String| {
        println!("{text}");
        std::io::stdout().flush().ok();
    };
    say(format!("@begin {seed}"));
    let verdict = check(program, tools, devices, scope, || say("@reference".into()));
    for (kind, text) in &verdict.wrong {
        say(format!("@wrong {} {}", kind.name(), text.trim_end().replace('\n', " | ")));
    }
    say(format!("@end {seed} {} {}", verdict.executed, u32::from(verdict.with_reference)));
    // After an internal error the reference compiler may crash later, and a lost device executes nothing more.
    !verdict
        .wrong
        .iter()
        .any(|(kind, text)| matches!(kind, Mismatch::Device | Mismatch::ReferenceDevice) || text.contains("Internal Compiler error"))
}

/// What a worker says.
enum Event<'a> {
    /// Something is wrong with the current program: the name of the kind, and details.
    Mismatch(&'a str, &'a str),
    /// The current program is done: builds that were executed, and whether the reference's was among them.
    End(u64, u64),
}

/// How a worker ended.
struct Ended {
    /// The last seed that was done.
    done: Option<u64>,
    /// The seed at which it crashed, the kind of crash, and the exit status.
    crash: Option<(u64, Mismatch, String)>,
}

/// Starts this program as a worker and follows what it says.
fn follow(args: &[&str], mut on: impl FnMut(Event)) -> Ended {
    let program = std::env::current_exe().expect("this program has a path");
    let mut child = Command::new(&program).args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a worker starts");
    let (mut current, mut in_reference, mut done) = (None, false, None);
    for line in BufReader::new(child.stdout.take().expect("its output")).lines().map_while(Result::ok) {
        let mut words = line.splitn(3, ' ');
        match (words.next(), words.next(), words.next()) {
            (Some("@begin"), Some(seed), _) => (current, in_reference) = (seed.parse::<u64>().ok(), false),
            (Some("@reference"), ..) => in_reference = true,
            (Some("@wrong"), Some(kind), text) => on(Event::Mismatch(kind, text.unwrap_or(""))),
            (Some("@end"), Some(_), Some(rest)) => {
                let mut numbers = rest.split(' ').map(|n| n.parse::<u64>().unwrap_or(0));
                on(Event::End(numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)));
                done = current.take();
            }
            _ => {}
        }
    }
    let status = child.wait();
    let kind = if in_reference { Mismatch::ReferenceRefused } else { Mismatch::Crash };
    Ended { done, crash: current.map(|seed| (seed, kind, format!("{status:?}"))) }
}

/// Checks the programs of seeds.
fn worker(first: u64, count: u64, scope: Scope) {
    let (tools, mut devices) = (Tools::find(), Devices::default());
    for seed in first..first.saturating_add(count) {
        if !report_on(seed, &random(seed), &tools, &mut devices, scope) {
            return;
        }
    }
}

/// Checks the libraries of seeds against the model of payloads.
fn payload_worker(first: u64, count: u64, cpu: bool) {
    let mut devices = Devices::default();
    let say = |text: String| {
        println!("{text}");
        std::io::stdout().flush().ok();
    };
    for seed in first..first.saturating_add(count) {
        say(format!("@begin {seed}"));
        let program = payloads::generate::random(seed);
        let found =
            payloads::check(&program, &mut devices, &payloads::forms_of(&program, if cpu { Chosen::Cpu } else { Chosen::Turn(seed) }));
        for (kind, text) in &found.wrong {
            say(format!("@wrong {} {}", kind.name(), text.trim_end().replace('\n', " | ")));
        }
        say(format!("@end {seed} {} 0", found.executed));
        if found.wrong.iter().any(|w| w.0 == Mismatch::Device) {
            devices = Devices::default();
        }
    }
}

/// The library of a seed, or of the choices in a file.
fn library(named: &str) -> Option<payloads::program::Program> {
    match named.parse() {
        Ok(seed) => Some(payloads::generate::random(seed)),
        Err(_) => Some(Generated::of(Choices::replay(choices_of(named)?))),
    }
}

/// Prints a library, what it must store, and what is wrong with it in any form, or in the form of this number.
fn payload(program: &payloads::program::Program, form: Option<u64>) -> ExitCode {
    print!("{}", program.source());
    let mut forms = payloads::forms_of(program, Chosen::All);
    if let Some(n) = form {
        forms = forms.into_iter().skip(usize::try_from(n).unwrap_or(usize::MAX)).take(1).collect();
    }
    for f in &forms {
        println!("// {}", f.name);
    }
    let found = payloads::check(program, &mut Devices::default(), &forms);
    for (kind, text) in &found.wrong {
        println!("// {}: {}", kind.name(), text.trim_end().replace('\n', "\n//   "));
    }
    println!("// {} builds executed", found.executed);
    if found.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes a library smaller in whose first wrong form something of the same kind is still wrong. Each is checked by a process of its own, since drivers crash.
/// `form` is the number of the form that is looked at, else it is the first that is wrong; `jobs` libraries are checked at a time. Each smaller one is printed
/// at once, so that what was found is there if the time ends.
fn reduce_payload(program: payloads::program::Program, tries: usize, jobs: usize, form: Option<usize>) {
    let names: Vec<&'static str> = payloads::forms_of(&program, Chosen::All).iter().map(|f| f.name).collect();
    let chosen = names.iter().enumerate().filter(|(i, _)| form.is_none_or(|f| f == *i));
    let Some((form, kind)) = chosen.map(|(_, name)| name).find_map(|form| payload_apart(&program, form).map(|kind| (*form, kind))) else {
        println!("// nothing is wrong");
        return;
    };
    let small = reduce(program, tries, jobs, |programs| {
        let wrong: Vec<bool> = std::thread::scope(|scope| {
            let each: Vec<_> = programs.iter().map(|p| scope.spawn(move || payload_apart(p, form) == Some(kind))).collect();
            each.into_iter().map(|t| t.join().unwrap_or(false)).collect()
        });
        let first = wrong.iter().position(|w| *w)?;
        let choices: Vec<String> = programs[first].choices().iter().map(u32::to_string).collect();
        println!("// {} bytes\n{}", programs[first].source().len(), choices.join(" "));
        Some(first)
    });
    println!("// {form}: {}", kind.name());
    if kind == Mismatch::Crash {
        print!("{}", small.source());
    } else {
        payload(&small, None);
    }
}

/// What is wrong with a library in a form.
fn payload_apart(program: &payloads::program::Program, form: &str) -> Option<Mismatch> {
    let mut found = None;
    apart_from(program.choices(), &["payload-form", form], |kind, _| found = found.or(Some(kind)));
    found
}

/// Checks the library of the choices in a file in one form, as a worker.
fn payload_form(form: &str, path: &str) -> ExitCode {
    let Some(choices) = choices_of(path) else { return ExitCode::FAILURE };
    let program: payloads::program::Program = Generated::of(Choices::replay(choices));
    println!("@begin 0");
    let forms: Vec<_> = payloads::forms_of(&program, Chosen::All).into_iter().filter(|f| f.name == form).collect();
    let found = payloads::check(&program, &mut Devices::default(), &forms);
    for (kind, text) in &found.wrong {
        println!("@wrong {} {}", kind.name(), text.trim_end().replace('\n', " | "));
    }
    println!("@end 0 {} 0", found.executed);
    ExitCode::SUCCESS
}

/// Lists the rows of the specification that the libraries of seeds meet, and those that they do not.
fn payload_rows(seeds: Range<u64>) {
    let all = coverage(seeds);
    for (row, n) in all.met_rows() {
        println!("{n:8} {row}");
    }
    print_missing_rows(&all);
}

/// The rows that the libraries of seeds meet.
fn coverage(seeds: Range<u64>) -> Coverage {
    let mut all = Coverage::default();
    for seed in seeds {
        payloads::model::run(&payloads::generate::random(seed), &mut all).ok();
    }
    all
}

fn print_missing_rows(met: &Coverage) {
    let missing = met.missing();
    for row in &missing {
        println!(" missing {row}");
    }
    println!("{} of {} rows of the specification are not met", missing.len(), payloads::coverage::all().len());
}

/// What all workers found.
#[derive(Default)]
struct Total {
    programs: u64,
    executed: u64,
    with_reference: u64,
    wrong: BTreeMap<String, u64>,
}

/// Checks the programs of seeds with so many workers at a time.
fn run(seeds: Range<u64>, jobs: usize, worker: &str, flags: &[&str]) -> ExitCode {
    let rest = Mutex::new(seeds);
    let next_batch = || {
        let mut rest = lock(&rest);
        let batch = rest.start..rest.end.min(rest.start.saturating_add(BATCH));
        rest.start = batch.end;
        (!batch.is_empty()).then_some(batch)
    };
    let total = Mutex::new(Total::default());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(seeds) = next_batch() {
                    batch(seeds, worker, flags, &total);
                }
            });
        }
    });
    let total = total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    println!(
        "{} programs, {} builds executed, {} programs compared with the reference",
        total.programs, total.executed, total.with_reference
    );
    for (kind, n) in &total.wrong {
        println!("{n} {kind}");
    }
    let ours = |kind: &String| Mismatch::ALL.iter().any(|w| w.name() == kind && !w.is_the_references());
    if total.wrong.keys().any(ours) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Runs workers until all seeds of a range are checked; a seed whose worker ends is a crash.
fn batch(seeds: Range<u64>, worker: &str, flags: &[&str], total: &Mutex<Total>) {
    let Range { start: mut from, end } = seeds;
    while from < end {
        let mut seed = from;
        let (first, count) = (from.to_string(), (end - from).to_string());
        let ended = follow(&[&[worker, &first, &count], flags].concat(), |event| match event {
            Event::Mismatch(kind, text) => report(total, seed, kind, text),
            Event::End(executed, with_reference) => {
                let mut total = lock(total);
                total.programs += 1;
                total.executed += executed;
                total.with_reference += with_reference;
                seed += 1;
            }
        });
        match (ended.crash, ended.done) {
            (Some((seed, kind, status)), _) => {
                report(total, seed, kind.name(), &status);
                from = seed + 1;
            }
            (None, Some(done)) => from = done + 1,
            (None, None) => {
                report(total, from, Mismatch::Crash.name(), "the worker does not begin");
                return;
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn report(total: &Mutex<Total>, seed: u64, kind: &str, text: &str) {
    let mut total = lock(total);
    *total.wrong.entry(kind.to_string()).or_default() += 1;
    println!("{seed} {kind} {text}");
    std::io::stdout().flush().ok();
}
