//! Development commands: `cargo xtask COMMAND`.
//!
//! | command | what it does |
//! |---|---|
//! | `setup` | installs what is missing: system packages, oracle libraries |
//! | `demo` | sets up, builds, compiles the samples to DXIL and packages, renders them into `target/demo` |
//! | `test` | sets up with the oracles, builds, runs every test, then formatter, clippy and rustdoc; ends with one line of counts |
//! | `check` | formatter, clippy, rustdoc, the Python package, the VS Code extension, the page without a server, dependencies |
//! | `bench` | compiles the samples with rtc and with the reference compiler side by side, prints times and ratios |
//! | `dist` | builds the command `rtc` that is distributed, linked statically, optimised for what it does, and the archive that a person downloads |
//! | `capi` | installs the libraries with a C interface |
//! | `python` | builds the wheel of the Python package |
//! | `vscode` | builds the package of the VS Code extension |
//! | `web` | builds the page of `rtc explore` without a server |
//! | `fuzz` | runs the fuzz targets |
//! | `mutation` | counts the mutants of the compiler's sources that its tests kill |
//! | `sanitize` | runs the tests of the crates at the boundary to C under sanitizers |
//!
//! All of them work a second time without the network. This program stays light: it drives cargo and the built programs,
//! and depends on none of the product's crates. What it builds and runs is in [`plan`].

use std::process::ExitCode;

mod bench;
mod capi;
mod checks;
mod debian;
mod demo;
mod dist;
mod farm;
mod fetch;
mod fuzz;
mod mdbook;
mod mutation;
mod needs;
mod newest_mesa;
mod outcome;
mod plan;
mod progress;
mod python;
mod sanitize;
mod servers;
mod setup;
mod skips;
mod tests;
mod tool;
mod vscode;
mod web;
mod windows;

const USAGE: &str = "\
usage: cargo xtask COMMAND
  setup               install what is missing: system packages and the oracle libraries
  demo                set up, build, compile the samples and render them into target/demo
  test [FILTER]       set up, build, run every test, formatter, clippy and rustdoc (or the tests whose names contain FILTER)
  check [NAME]        what `test` does besides tests, or what of it has NAME in its name; `check windows` alone builds for Windows and runs
                      that under Wine
  bench [ITERATIONS]      compile the samples with rtc and with the reference compiler, print times and ratios
  bench scale [NAME]  what growing sources cost both: the mix and every extreme, or those whose names contain NAME
  bench instructions [NAME]  count the DXIL instructions that both make of samples and test shaders whose names contain NAME, and of the
                      command lines in the list that RTC_BENCH_LIST names
  bench rays [NAME]   rays per second: samples that trace in several ways, and the CPU device next to the Vulkan device; all, or
                      those whose names contain NAME
  bench gpu [OPTIONS] scenes in their forms (-Gis, -O1 to -O3, hit objects, the reference compiler) on this machine's GPU, with checked equal
                      results; --only NAME, --scale FACTOR, --turns N, --repeat N; and the scenes of the list that RTC_BENCH_GPU_LIST names
  bench gpu bundle FOLDER [OPTIONS]  the same as a folder for a machine with a GPU and without cargo
  bench permutations [COUNT [FOLDER]]  COUNT permutations (1,000) of a library with large headers: a process each, with the compile server, through the
                      interface of dxcompiler, and the reference in turns; with the programs of FOLDER if it is named
  bench shaders LIST [RTC]  the time that both need for each command line of dxc in LIST, to DXIL and SPIR-V; of the program RTC if it is named
  bench signatures [COUNT]  compare the signatures that are stored for COUNT random shaders (5,000) of the graphics pipeline
  bench reference-tests FOLDER [OPTIONS]  run the RUN lines of a checkout of the reference's tests with rtc; those that --reference DXC passes count;
                      --only TEXT chooses files, --compiler RTC is run instead of what is built here
  bench random [COUNT]  compile COUNT random programs (50,000) in all ways, execute and compare them
  bench mutate [COUNT]  damage COUNT sources (1,000,000) and as many containers, give them to the library in one process
  bench sources       write the sources of the scale benchmark into target/bench, for profilers
  dist [FOLDER]       build the command rtc that is distributed into FOLDER (target/dist), compare it with a plain build, and make the archive
                      that a person downloads: programs, libraries, headers, samples, book, extension, wheel, licences, checksums
  dist --target x86_64-pc-windows-gnu [FOLDER]  make the archive for Windows
  capi PREFIX         build librtc, librtcrt and the command rtc, install them with headers, pkg-config and CMake files into PREFIX
  python [FOLDER]     build the wheel of the Python package into FOLDER (target/python/wheels)
  vscode [FOLDER]     build the package of the VS Code extension into FOLDER (target/vscode)
  web [FOLDER]        build the page of rtc explore without a server, a static folder, into FOLDER (target/web)
  fuzz [TARGET] [S]   run one fuzz target, or all, for S seconds each (default 60)
  mutation [FOLDER]... [--minutes N] [--seed N] [--list]  mutate the sources of these folders and run the tests that reach each mutant
  sanitize [NAME]     run the tests of the crates at the boundary to C under a sanitizer, address or thread, or under both";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["setup"] => setup::setup(needs::Scope::Oracles).map(|()| println!("everything is in place")),
        ["demo"] => demo::run(),
        ["test"] => tests::run(None),
        ["test", filter] => tests::run(Some(filter)),
        ["check"] => tests::run_checks(""),
        ["check", name] => tests::run_checks(name),
        ["dist", "--target", windows::TARGET] => dist::windows(None),
        ["dist", "--target", windows::TARGET, folder] => dist::windows(Some(folder)),
        ["dist", "--target", other, ..] => Err(format!("no archive is made for `{other}`; there is one for {}", windows::TARGET)),
        ["dist"] => dist::run(None),
        ["dist", folder] => dist::run(Some(folder)),
        ["capi", prefix] => capi::install(prefix),
        ["sanitize"] => sanitize::run(None),
        ["sanitize", name] => sanitize::run(Some(name)),
        ["python"] => python::run(None),
        ["python", folder] => python::run(Some(folder)),
        ["vscode"] => vscode::run(None),
        ["vscode", folder] => vscode::run(Some(folder)),
        ["web"] => web::run(None),
        ["web", folder] => web::run(Some(folder)),
        ["bench"] => bench::run(bench::ITERATIONS),
        ["bench", "sources"] => bench::sources(),
        ["bench", "random"] => bench::run_random(bench::RANDOM_PROGRAMS),
        ["bench", "random", count] => number(count).and_then(bench::run_random),
        ["bench", "mutate"] => bench::run_mutants(bench::MUTANTS),
        ["bench", "mutate", count] => number(count).and_then(bench::run_mutants),
        ["bench", "signatures"] => bench::run_signatures(bench::RANDOM_SIGNATURES),
        ["bench", "signatures", count] => number(count).and_then(bench::run_signatures),
        ["bench", "shaders", list] => bench::run_shaders(list, None),
        ["bench", "shaders", list, rtc] => bench::run_shaders(list, Some(rtc)),
        ["bench", "gpu", "bundle", folder, ref options @ ..] => bench::gpu::run(Some(folder), options, true),
        ["bench", "gpu", ref options @ ..] => bench::gpu::run(None, options, false),
        ["bench", "reference-tests", folder, ref options @ ..] => bench::reference_tests::run(folder, options),
        ["bench", "permutations"] => bench::run_permutations(bench::PERMUTATIONS, None),
        ["bench", "permutations", count] => number(count).and_then(|n| bench::run_permutations(n as usize, None)),
        ["bench", "permutations", count, programs] => number(count).and_then(|n| bench::run_permutations(n as usize, Some(programs))),
        ["bench", "rays"] => bench::run_rays(""),
        ["bench", "rays", wanted] => bench::run_rays(wanted),
        ["bench", "instructions"] => bench::run_instructions(""),
        ["bench", "instructions", wanted] => bench::run_instructions(wanted),
        ["bench", "scale"] => bench::run_scale(""),
        ["bench", "scale", wanted] => bench::run_scale(wanted),
        ["bench", iterations] => match iterations.parse() {
            Ok(iterations) if iterations > 0 => bench::run(iterations),
            _ => Err(format!("`{iterations}` is not a number of iterations")),
        },
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["mutation", ref rest @ ..] => mutation::run(rest),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => Err(USAGE.to_string()),
        [unknown, ..] => Err(format!("cannot do `{unknown}` with these arguments\n{USAGE}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // A failed test run has said everything already.
            if !message.is_empty() {
                eprintln!("error: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

/// The number of programs that a command line asks for.
fn number(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("`{text}` is no number of programs"))
}
