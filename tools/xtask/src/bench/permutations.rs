//! The permutation benchmark: a ray-tracing library of 500 lines with headers of 3,000, compiled many times with other macros, as builds do it.
//!
//! * a process for each permutation: alone, with the compile server, and the reference's program;
//! * a call for each, through the interface of Microsoft's library, with a compiler and an include handler for each call: our library and the reference's.
//!
//! All take turns in one run. What is printed is the median of the turns, as the time of one permutation. Where there is no newer program of the reference (`RTC_DXC`) the pinned
//! library takes its place, in a process that loads it. Processes run on all processors, calls on one.
//!
//! Then many projects are compiled with one server, whose memory is printed, with the peak of a client's.

use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rtc_oracles::permutations::{defines, header_files, library};
use rtc_oracles::{Dxc, DxcProgram, measure};

use super::{Measured, median};
use crate::plan;
use crate::progress::Step;

/// Permutations unless the command line says otherwise.
pub const COUNT: usize = 1000;

/// How many turns they are divided into.
const TURNS: usize = 5;

/// The reference compiles one in so many.
const REFERENCE_PART: usize = 20;

/// What the memory of the server is measured with.
const PROJECTS: usize = 20;
const COMPILATIONS: usize = 10_000;

/// The programs that are measured.
struct Programs {
    rtc: PathBuf,
    client: PathBuf,
    reference: Vec<PathBuf>,
}

impl Programs {
    /// Those that are built here, or those in a folder.
    fn find(folder: Option<&Path>) -> Result<Programs, String> {
        let name = |name: &str| format!("{name}{}", std::env::consts::EXE_SUFFIX);
        let program = |n: &str| folder.map_or_else(|| plan::program(n, true), |f| f.join(name(n)));
        let reference = match DxcProgram::find() {
            Ok(program) => vec![PathBuf::from(program.command().get_program())],
            Err(_) => vec![program("rtc-oracle"), "compile".into()],
        };
        let client = program("rtc").with_file_name("examples").join(name("com_permutations"));
        Ok(Programs { rtc: program("rtc"), client, reference })
    }
}

/// Runs the benchmark with the programs of a folder, or with those that are built here.
///
/// # Errors
/// When a file cannot be written, or rtc does not compile a permutation.
pub fn run(count: usize, programs: Option<&Path>, dir: &Path) -> Result<(), String> {
    let programs = Programs::find(programs)?;
    let (folder, sockets) = (dir.join("permutations"), dir.join("permutations-server"));
    project(&folder, 0)?;
    let bench = Bench { programs: &programs, folder: &folder, sockets: &sockets };
    let done = bench.processes(count).and_then(|()| bench.calls(count)).and_then(|()| bench.memory(dir));
    _ = bench.rtc(&["server", "stop"]).status();
    done
}

/// Writes a project; those of other numbers have other texts.
fn project(folder: &Path, number: usize) -> Result<(), String> {
    let at = |e: std::io::Error| format!("cannot write to {}: {e}", folder.display());
    std::fs::create_dir_all(folder).map_err(at)?;
    for (name, text) in header_files() {
        std::fs::write(folder.join(name), format!("// Project {number}.\n{text}")).map_err(at)?;
    }
    std::fs::write(folder.join("library.hlsl"), format!("// Project {number}.\n{}", library())).map_err(at)
}

struct Bench<'a> {
    programs: &'a Programs,
    folder: &'a Path,
    sockets: &'a Path,
}

impl Bench<'_> {
    fn rtc(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.programs.rtc);
        command.args(arguments).env("RTC_SERVER_DIR", self.sockets);
        command
    }

    /// The command for a permutation, in the project's folder.
    fn command(&self, mut command: Command, folder: &Path, permutation: usize) -> Command {
        let [a, b] = defines(permutation).map(|d| format!("-D{d}"));
        let out = format!("{permutation}.out");
        command.args(["-T", "lib_6_6", &a, &b, "library.hlsl", "-Fo", &out]).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn plain(&self, permutation: usize) -> Command {
        self.command(self.rtc(&[]), self.folder, permutation)
    }

    fn served(&self, permutation: usize) -> Command {
        self.command(self.rtc(&["--server"]), self.folder, permutation)
    }

    fn reference(&self, permutation: usize) -> Command {
        let mut words = self.programs.reference.iter();
        let mut command = Command::new(words.next().map_or(Path::new("dxc"), |p| p));
        command.args(words);
        self.command(command, self.folder, permutation)
    }

    /// The time of one of some permutations, a process each, on all processors.
    fn turn(&self, numbers: std::ops::Range<usize>, command: impl Fn(usize) -> Command + Sync) -> Measured {
        let count = numbers.len().max(1) as u32;
        let (next, failed) = (AtomicUsize::new(numbers.start), AtomicBool::new(false));
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
                scope.spawn(|| {
                    loop {
                        let n = next.fetch_add(1, Ordering::Relaxed);
                        if !numbers.contains(&n) {
                            break;
                        }
                        if !command(n).status().is_ok_and(|s| s.success()) {
                            failed.store(true, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let took = start.elapsed() / count;
        if failed.into_inner() { Err("a permutation does not compile".into()) } else { Ok(took) }
    }

    fn status(&self) -> String {
        self.rtc(&["server", "status"]).output().map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).unwrap_or_default()
    }

    /// A server that is there before the first turn.
    fn start(&self) -> Result<(), String> {
        for _ in 0..200 {
            _ = self.served(0).status();
            if !self.status().is_empty() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err("no server starts".into())
    }

    fn processes(&self, count: usize) -> Result<(), String> {
        let reference = self.programs.reference.first().map(|p| p.display().to_string()).unwrap_or_default();
        println!(
            "{count} permutations of 500 lines with 3,000 lines of headers, a process each; the reference ({reference}) compiles one in {REFERENCE_PART}"
        );
        self.start()?;
        let mut times: [Vec<Duration>; 3] = Default::default();
        let (each, mut step, mut absent) = (count.div_ceil(TURNS), Step::new("Compiling permutations".to_string()), None);
        for turn in 0..TURNS {
            step.note(&format!("turn {}", turn + 1));
            let begin = turn * each;
            times[0].push(self.turn(begin..begin + each, |n| self.plain(n))?);
            times[1].push(self.turn(begin..begin + each, |n| self.served(n))?);
            match self.turn(begin..begin + each.div_ceil(REFERENCE_PART), |n| self.reference(n)) {
                Ok(time) => times[2].push(time),
                Err(e) => absent = Some(e),
            }
        }
        step.done();
        // Both have the same bytes.
        for n in (0..count).step_by(97) {
            let bytes =
                |command: &mut Command| command.status().ok().and_then(|_| std::fs::read(self.folder.join(format!("{n}.out"))).ok());
            let (a, b) = (bytes(&mut self.plain(n)), bytes(&mut self.served(n)));
            if a.is_none() || a != b {
                return Err(format!("permutation {n} differs with the server"));
            }
        }
        let [plain, served, theirs] = times.map(median);
        row("a process", plain, theirs);
        row("a process with --server", served, theirs);
        row("the reference's program", theirs, theirs);
        println!("{:<28} {:>9.1} times", "--server against a process", ratio(plain, served));
        if let Some(e) = absent {
            println!("the reference: {e}");
        }
        println!("{}", self.status());
        Ok(())
    }

    fn calls(&self, count: usize) -> Result<(), String> {
        println!("\nthe same through the interface of dxcompiler, one thread");
        let mut client = Client::start(&self.programs.client, self.folder)?;
        let reference = Dxc::load();
        let file = self.folder.join("library.hlsl").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&file).map_err(|e| format!("cannot read {file}: {e}"))?;
        let mut times: [Vec<Duration>; 2] = Default::default();
        let (each, mut step) = (count.div_ceil(TURNS), Step::new("Calling libraries".to_string()));
        for turn in 0..TURNS {
            step.note(&format!("turn {}", turn + 1));
            let numbers = turn * each..(turn + 1) * each;
            let sum = numbers.clone().map(|n| client.once(n)).sum::<Result<Duration, String>>()?;
            times[0].push(sum / each as u32);
            if let Ok(dxc) = &reference {
                let part = each.div_ceil(REFERENCE_PART);
                let start = Instant::now();
                for n in numbers.take(part) {
                    let [a, b] = defines(n).map(|d| format!("-D{d}"));
                    if !dxc.compile(&source, &file, &["-T", "lib_6_6", &a, &b]).ok {
                        return Err("the reference does not compile a permutation".into());
                    }
                }
                times[1].push(start.elapsed() / part as u32);
            }
        }
        step.done();
        let [ours, theirs] = times.map(median);
        row("libdxcompiler of rtc", ours, theirs);
        row("the reference's library", theirs, theirs);
        if let Err(missing) = reference {
            println!("the reference: {missing}");
        }
        Ok(())
    }

    fn memory(&self, dir: &Path) -> Result<(), String> {
        println!("\n{COMPILATIONS} compilations of {PROJECTS} projects with one server");
        let folders: Vec<PathBuf> = (0..PROJECTS).map(|n| dir.join(format!("permutations-{n}"))).collect();
        for (n, folder) in folders.iter().enumerate() {
            project(folder, n + 1)?;
        }
        _ = self.rtc(&["server", "stop"]).status();
        self.start()?;
        let mut step = Step::new("Compiling projects".to_string());
        let part = COMPILATIONS / 10;
        for tenth in 0..10 {
            step.note(&format!("{tenth} of 10"));
            let command = |n: usize| self.command(self.rtc(&["--server"]), folders.get(n % PROJECTS).map_or(self.folder, |f| f), n);
            self.turn(tenth * part..(tenth + 1) * part, command)?;
        }
        step.done();
        println!("{}", self.status());
        let peak = |mut command: Command| measure::run(&mut command).map(|c| c.peak as f64 / f64::from(1 << 20)).map_err(|e| e.to_string());
        println!("peak of a client: {:.1} MiB; of a process without a server: {:.1} MiB", peak(self.served(1))?, peak(self.plain(1))?);
        folders.iter().for_each(|f| _ = std::fs::remove_dir_all(f));
        Ok(())
    }
}

fn ratio(of: Duration, through: Duration) -> f64 {
    of.as_secs_f64() / through.as_secs_f64().max(1e-9)
}

fn row(name: &str, time: Duration, reference: Duration) {
    let times = if reference.is_zero() { "-".to_string() } else { format!("{:.1}", ratio(reference, time)) };
    println!("{name:<28} {:>9.2} ms {times:>9} times", time.as_secs_f64() * 1e3);
}

/// The program that calls our library; it ends when its input does.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn start(program: &Path, folder: &Path) -> Result<Client, String> {
        let mut command = Command::new(program);
        command.arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot start {}: {e}", program.display()))?;
        let streams = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = streams else { return Err("the program has no streams".to_string()) };
        Ok(Client { child, input, output: BufReader::new(output) })
    }

    /// The time of the call for a permutation.
    fn once(&mut self, permutation: usize) -> Measured {
        let mut answer = String::new();
        let sent = self.input.write_all(format!("{permutation}\n").as_bytes()).and_then(|()| self.input.flush());
        let read = sent.and_then(|()| self.output.read_line(&mut answer));
        match (read, answer.trim().parse()) {
            (Ok(_), Ok(nanoseconds)) => Ok(Duration::from_nanos(nanoseconds)),
            (Ok(_), Err(_)) => Err(format!("the client answers `{}`", answer.trim())),
            (Err(e), _) => Err(format!("the client does not answer: {e}")),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
