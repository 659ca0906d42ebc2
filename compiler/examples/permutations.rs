//! Measures a session: permutations of a ray-tracing library of 500 lines, with headers of 3,000 lines, on several threads, compared with the
//! same without a session: `cargo run --release -p rtc --example permutations -- [PERMUTATIONS [THREADS]]`. With `reference` after both numbers
//! the pinned reference library compiles a fortieth of them in this process, from a folder, on as many threads. Its calls wait for one another,
//! so give it one thread.

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rtc::{Define, Options, Profile, Session, Virtual};
pub use rtc_oracles::permutations::{defines, header_files, library};

/// The headers, in memory.
pub fn headers() -> Virtual {
    let files = header_files();
    Virtual::new(files.iter().map(|(n, t)| (n.as_str(), t.as_str())))
}

/// The options of a permutation.
///
/// # Errors
/// The profile is not valid.
pub fn options(permutation: usize) -> Result<Options, rtc::OptionError> {
    let mut o = Options::new(Profile::parse("lib_6_6")?);
    o.defines = defines(permutation).iter().map(|d| Define::parse(d)).collect();
    Ok(o)
}

/// Compiles the permutations on threads with `compile`, which returns whether there is a product.
///
/// # Errors
/// A permutation does not compile.
pub fn measure(count: usize, threads: usize, compile: impl Fn(usize) -> bool + Sync) -> Result<Duration, String> {
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= count {
                        break;
                    }
                    if !compile(n) {
                        failed.store(n, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    match failed.into_inner() {
        usize::MAX => Ok(start.elapsed()),
        n => Err(format!("permutation {n} does not compile")),
    }
}

/// Compiles with a session and without, and says how long both take.
///
/// # Errors
/// A permutation does not compile.
pub fn compare(count: usize, threads: usize) -> Result<String, Box<dyn Error>> {
    let (source, session) = (library(), Session::new(headers()));
    options(0)?;
    let with = measure(count, threads, |n| {
        options(n).is_ok_and(|o| session.compile("library.hlsl", source.as_bytes(), &o).is_ok_and(|c| c.product.is_some()))
    })?;
    let files = headers();
    let without = measure(count, threads, |n| {
        options(n).is_ok_and(|o| rtc::compile("library.hlsl", source.as_bytes(), &mut files.clone(), &o).product.is_some())
    })?;
    let each = |d: Duration| 1e3 * d.as_secs_f64() / count.max(1) as f64;
    Ok(format!(
        "{count} permutations on {threads} threads: {:.3} ms each with a session, {:.3} ms without\n{:?}\n",
        each(with),
        each(without),
        session.statistics()
    ))
}

/// Compiles with the reference library in this process, and says how long that takes.
///
/// # Errors
/// The library is not there, the headers cannot be written, or a permutation does not compile.
pub fn reference(count: usize, threads: usize) -> Result<String, Box<dyn Error>> {
    let dxc = rtc_oracles::Dxc::load()?;
    let folder = std::env::temp_dir().join(format!("rtc-permutations-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    for (name, text) in header_files() {
        std::fs::write(folder.join(name), text)?;
    }
    let (source, name) = (library(), folder.join("library.hlsl").to_string_lossy().into_owned());
    let took = measure(count, threads, |n| {
        let [a, b] = defines(n).map(|d| format!("-D{d}"));
        dxc.compile(&source, &name, &["-T", "lib_6_6", &a, &b]).ok
    });
    std::fs::remove_dir_all(&folder)?;
    Ok(format!("the reference, {count} permutations: {:.3} ms each\n", 1e3 * took?.as_secs_f64() / count.max(1) as f64))
}

fn main() -> Result<(), Box<dyn Error>> {
    let number = |n: usize, default: usize| std::env::args().nth(n).map_or(Ok(default), |a| a.parse());
    let (count, threads) = (number(1, 1000)?, number(2, 2)?);
    print!("{}", compare(count, threads)?);
    if std::env::args().nth(3).is_some_and(|a| a == "reference") {
        print!("{}", reference(count.div_ceil(40), threads)?);
    }
    // Where the time goes.
    let session = Session::new(headers());
    for n in 0..3 {
        session.compile("library.hlsl", library().as_bytes(), &options(n)?)?;
    }
    let mut o = options(63)?;
    o.times = true;
    let compilation = session.compile("library.hlsl", library().as_bytes(), &o)?;
    print!("{}", rtc::times::report(&compilation.times).lines().take(20).map(|l| format!("{l}\n")).collect::<String>());
    Ok(())
}
