//! Sessions: what compilations share does not change what they make; limits and cancellation; small stacks; callbacks that fail or panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use rtc::session::{Failure, Stopped};
use rtc::{Callback, CancelToken, Compilation, Define, NoIncludes, Options, Product, Profile, Session, Virtual};

const HEADER: &str = "
#pragma once
#ifdef DOUBLE
float scale(float x) { return 2 * x; }
#else
float scale(float x) { return x; }
#endif
";

const SOURCE: &[u8] = b"
#include \"lib/scale.hlsli\"
#include \"lib/scale.hlsli\"
RWByteAddressBuffer Out : register(u0);
[shader(\"compute\")] [numthreads(1, 1, 1)] void First(uint n : SV_DispatchThreadID) { Out.Store(0, asuint(scale(n))); }
[shader(\"compute\")] [numthreads(2, 1, 1)] void Second(uint n : SV_DispatchThreadID) { Out.Store(4, asuint(scale(N))); }
";

fn files() -> Virtual {
    Virtual::new([("lib/scale.hlsli", HEADER)])
}

fn options(profile: &str, defines: &[&str]) -> Options {
    let mut o = Options::new(Profile::parse(profile).expect("a profile"));
    o.entry = "First".into();
    o.defines = defines.iter().map(|d| Define::parse(d)).collect();
    o
}

fn bytes(c: Compilation) -> Vec<u8> {
    let messages: Vec<String> = c.diagnostics.iter().map(|d| rtc::render(&c.sources, d, rtc::Style::Short)).collect();
    c.product.map(Product::into_bytes).unwrap_or_else(|| panic!("{messages:?}"))
}

#[test]
fn a_session_for_one_job_keeps_no_tokens() {
    let o = options("cs_6_6", &["N=1"]);
    let session = Session::for_one_job(files());
    let made = bytes(session.compile("main.hlsl", SOURCE, &o).expect("it ends"));
    assert_eq!(made, bytes(Session::new(files()).compile("main.hlsl", SOURCE, &o).expect("it ends")));
    let s = session.statistics();
    assert_eq!((s.reads, s.lexed, s.lexed_saved, s.preambles_saved), (1, 0, 0, 0), "{s:?}");
}

#[test]
fn a_session_makes_what_single_compilations_make() {
    let session = Session::new(files());
    let mut made = Vec::new();
    for round in 0..2 {
        for defines in [&["N=1"][..], &["N=2", "DOUBLE"], &["N=3"]] {
            let o = options("cs_6_6", defines);
            let shared = bytes(session.compile("main.hlsl", SOURCE, &o).expect("it ends"));
            let alone = bytes(rtc::compile("main.hlsl", SOURCE, &mut files(), &o));
            assert_eq!(shared, alone, "round {round}, {defines:?}");
            made.push(shared);
        }
    }
    assert_ne!(made[0], made[1]);
    let s = session.statistics();
    assert_eq!((s.reads, s.lexed), (1, 2), "one header and one source: {s:?}");
    assert!(s.reads_saved >= 5 && s.lexed_saved >= 10, "{s:?}");
}

#[test]
fn clones_work_on_several_threads_at_once() {
    let session = Session::new(files());
    let want = bytes(rtc::compile("main.hlsl", SOURCE, &mut files(), &options("cs_6_6", &["N=1"])));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (session, want) = (session.clone(), &want);
            scope.spawn(move || {
                for _ in 0..4 {
                    assert_eq!(&bytes(session.compile("main.hlsl", SOURCE, &options("cs_6_6", &["N=1"])).expect("it ends")), want);
                }
            });
        }
    });
}

#[test]
fn entry_points_share_the_front_end() {
    let session = Session::new(files());
    let o = options("cs_6_6", &["N=7"]);
    let all = session.compile_entries("main.hlsl", SOURCE, &o, &["First", "Second", "Missing"]).expect("it ends");
    let [first, second, missing]: [Compilation; 3] = all.try_into().map_err(|_| "three").expect("one for each");
    assert!(missing.product.is_none() && missing.failed());
    for (c, entry) in [(first, "First"), (second, "Second")] {
        assert_eq!(c.includes.len(), 2);
        let alone = rtc::compile("main.hlsl", SOURCE, &mut files(), &Options { entry: entry.into(), ..o.clone() });
        assert_eq!(bytes(c), bytes(alone), "{entry}");
    }
    assert_eq!(session.statistics().lexed, 2);
    // A library has no single entry point: each is compiled as it is.
    let library = session.compile_entries("main.hlsl", SOURCE, &options("lib_6_6", &["N=7"]), &["First", "Second"]).expect("it ends");
    assert_eq!(library.len(), 2);
}

#[test]
fn files_are_read_again_when_they_are_forgotten() {
    let reads = Arc::new(AtomicU32::new(0));
    let count = reads.clone();
    let session = Session::new(Callback(move |path: &str| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok((path == "lib/scale.hlsli").then(|| HEADER.as_bytes().to_vec()))
    }));
    let o = options("cs_6_6", &["N=1"]);
    for _ in 0..3 {
        bytes(session.compile("main.hlsl", SOURCE, &o).expect("it ends"));
    }
    assert_eq!(reads.load(Ordering::Relaxed), 1);
    session.forget_files();
    bytes(session.compile("main.hlsl", SOURCE, &o).expect("it ends"));
    assert_eq!(reads.load(Ordering::Relaxed), 2);
    // Includes of a job are its own.
    let mut own = Virtual::new([("lib/scale.hlsli", "float scale(float x) { return x + 1; }\n#define scale 1 +")]);
    let c = session.job().includes(&mut own).compile("main.hlsl", SOURCE, &o).expect("it ends");
    assert!(c.includes.len() == 2 && reads.load(Ordering::Relaxed) == 2);
}

/// A source that takes a while: many functions that are not the same.
fn long_source() -> String {
    let one = |n: u32| format!("float f{n}(float x) {{ for (int i = 0; i < 9; ++i) x = sin(x * {n}) + cos(x + i); return x; }}\n");
    let call = |n: u32| format!("x += f{n}(x);\n");
    let all = 0..200;
    format!(
        "{}RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void First() {{ float x = Out.Load(0);\n{}Out.Store(0, asuint(x)); }}",
        all.clone().map(one).collect::<String>(),
        all.map(call).collect::<String>()
    )
}

#[test]
fn limits_stop_a_job_and_not_the_session() {
    let session = Session::new(NoIncludes);
    let (o, long) = (options("cs_6_6", &[]), long_source());
    let token = CancelToken::new();
    token.cancel();
    let stopped = session.job().cancelled_by(&token).compile("a.hlsl", long.as_bytes(), &o);
    assert!(matches!(stopped, Err(Stopped::Cancelled)));
    let stopped = session.job().cancelled_by(&token).disassemble(b"short work, too");
    assert!(matches!(stopped, Err(Failure::Stopped(Stopped::Cancelled))));
    let stopped = session.job().time_limit(Duration::from_millis(1)).compile("a.hlsl", long.as_bytes(), &o);
    assert!(matches!(stopped, Err(Stopped::TimeLimit(limit)) if limit.as_millis() == 1));
    thread_local! {
        static USED: std::cell::Cell<isize> = const { std::cell::Cell::new(0) };
    }
    // An allocator that says more at each look.
    let used = || {
        USED.set(USED.get() + 1000);
        USED.get()
    };
    let stopped = session.job().memory_limit(10_000, used).compile("a.hlsl", long.as_bytes(), &o);
    assert!(matches!(stopped, Err(Stopped::MemoryLimit(10_000))));
    // From another place while it runs.
    let (token, begun) = (CancelToken::new(), Arc::new(AtomicBool::new(false)));
    let (seen, inner) = (begun.clone(), token.clone());
    let job = session.job().cancelled_by(&token).progress(move |phase, _| {
        if phase == "passes" {
            seen.store(true, Ordering::Relaxed);
            inner.cancel();
        }
    });
    assert!(matches!(job.compile("a.hlsl", long.as_bytes(), &o), Err(Stopped::Cancelled)));
    assert!(begun.load(Ordering::Relaxed), "progress names the passes");
    let c = session.compile("main.hlsl", b"RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void First() { Out.Store(0, 1); }", &o);
    bytes(c.expect("the session goes on"));
}

#[test]
fn a_panic_in_a_callback_is_an_internal_error() {
    let session = Session::new(Callback(|path: &str| -> std::io::Result<Option<Vec<u8>>> {
        match path {
            "lib/scale.hlsli" => panic!("the callback is broken"),
            _ => Ok(None),
        }
    }));
    let o = options("cs_6_6", &["N=1"]);
    for _ in 0..2 {
        match session.compile("main.hlsl", SOURCE, &o) {
            Err(Stopped::Internal(e)) => {
                assert_eq!(e.message, "the callback is broken");
                assert!(e.to_string().contains("please report"), "{e}");
            }
            other => panic!("{:?}", other.map(|c| c.diagnostics)),
        }
    }
    bytes(session.job().includes(&mut files()).compile("main.hlsl", SOURCE, &o).expect("it ends"));
}

#[test]
fn other_operations_have_typed_errors() {
    let session = Session::new(files());
    let library = bytes(session.compile("main.hlsl", SOURCE, &options("lib_6_6", &["N=1"])).expect("it ends"));
    let reflection = session.reflect(&library).expect("it has one");
    assert_eq!(reflection.stage.as_deref(), Some("library"));
    assert_eq!(reflection.resources[0].name, "Out");
    assert!(session.disassemble(&library).expect("a container").contains("Out"));
    assert!(session.validate(&library).expect("a container").report.is_valid());
    assert!(matches!(session.reflect(b"nothing"), Err(Failure::Error(rtc::FileError::Damaged(_)))));
    assert!(matches!(session.disassemble(&library[..40]), Err(Failure::Error(_))));
    assert!(matches!(session.validate(b""), Err(Failure::Error(rtc::FileError::Unsupported(_)))));
    let options_of_link = rtc::link::LinkOptions::new(rtc::link::Target::parse("lib_6_6", "").expect("a target"));
    let Err(Failure::Error(errors)) = session.link(&[], &options_of_link) else { panic!("there is nothing to link") };
    assert_eq!(errors.0.len(), 1);
    let (text, c) = session.preprocess("main.hlsl", SOURCE, &options("cs_6_6", &["N=42"])).expect("it ends");
    assert!(!c.failed() && text.contains("42"));
    let inferred = session.run_paq(&[("a.hlsl".into(), b"float x;".to_vec())], &options("lib_6_6", &[]), Default::default());
    assert!(inferred.expect("it ends").payloads.is_empty());
}

/// Sources that nest as deep as the front end allows, and deeper.
fn nested() -> Vec<String> {
    let repeat = |n: usize, open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(n), close.repeat(n));
    let in_main =
        |body: String| format!("RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void First() {{ int x = 1; {body} Out.Store(0, x); }}");
    let mut all = Vec::new();
    for n in [50, 200, 1000, 20_000] {
        all.push(in_main(format!("x = {};", repeat(n, "(", "x", ")"))));
        all.push(in_main(format!("x = {};", repeat(n, "-", "x", ""))));
        all.push(in_main(format!("x = {};", repeat(n, "x + (", "x", ")"))));
        all.push(in_main(format!("x = {};", repeat(n, "x + ", "x", ""))));
        all.push(in_main(repeat(n, "{", "x = 2;", "}")));
        all.push(in_main(repeat(n, "if (x) ", "x = 2;", "")));
        all.push(in_main(repeat(n, "if (x) {} else ", "x = 2;", "")));
        all.push(in_main(repeat(n, "for (;x < 3;) ", "x++;", "")));
        all.push(repeat(n, "namespace a {", "", "}"));
        all.push(repeat(n, "struct s {", "int a;", "} b;"));
        all.push(repeat(n, "vector<", "int", ", 2>"));
        all.push(repeat(n, "#if 1\n", "", "#endif\n"));
    }
    all
}

#[test]
fn a_thread_with_a_small_stack_compiles() {
    let session = Session::new(NoIncludes);
    let sources = nested();
    let work = move || {
        for source in &sources {
            for profile in ["cs_6_6", "lib_6_6"] {
                let c = session.compile("a.hlsl", source.as_bytes(), &options(profile, &[])).expect("it ends");
                assert!(c.product.is_some() || c.failed());
            }
        }
        let long = long_source();
        bytes(session.compile("a.hlsl", long.as_bytes(), &options("cs_6_6", &[])).expect("it ends"));
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(work).expect("a thread");
    thread.join().expect("it does not overflow");
}
