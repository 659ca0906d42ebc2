//! Execution of a test's commands.
//!
//! Commands of one pipeline run one after another, each with the whole output of the one before as its input: what a test
//! does is then independent of timing. A pipeline fails when any of its commands does. A command that dies of a signal, or
//! of a panic, is a *crash*, which `not` does not take for an expected failure.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::builtins;
use super::context::{Output, Shell};
use super::script::Script;
use super::shell::{Command, Joiner, Pipeline, Redirect};
use super::skipped::Skipped;
use super::tools::{NO_DEVICE, Unusable, WHERE_POSSIBLE};

/// The most that is taken of one command's output.
const MAX_OUTPUT: u64 = 256 << 20;

/// The most of an output that a failure report repeats.
const SHOWN: usize = 6000;

/// The exit status of a Rust program that panics.
const PANIC_STATUS: i32 = 101;

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All commands succeeded.
    Passed,
    /// A command failed, or the test is invalid: the report.
    Failed(String),
    /// Something that the test requires is missing.
    Skipped(String),
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Code(i32),
    /// By a signal or a panic.
    Crash,
    /// Not in time.
    Timeout,
}

/// Where a stream of a command goes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sink {
    /// To the next command, or to the report.
    Next,
    /// To the report.
    Report,
    File(PathBuf, bool),
}

/// A command with its words substituted.
struct Ready {
    words: Vec<String>,
    redirects: Vec<Redirect>,
    /// The device need not have what the shader needs.
    where_possible: bool,
}

impl Shell<'_> {
    /// Runs a script to its end or to the first command that fails or cannot run; lines that only check outputs may be skipped alone.
    pub fn run(&mut self, script: &Script) -> Outcome {
        let mut skipped = Skipped::default();
        for run in &script.runs {
            if skipped.follows(run) {
                continue;
            }
            let prepare = |(joiner, pipeline): &(Joiner, Pipeline)| Ok((*joiner, self.prepare(pipeline)?));
            let ready: Vec<(Joiner, Vec<Ready>)> = match run.commands.iter().map(prepare).collect() {
                Ok(ready) => ready,
                Err(Unusable::Missing(why)) => match skipped.missing(run, why) {
                    true => continue,
                    false => break,
                },
                Err(Unusable::Invalid(what)) => {
                    return Outcome::Failed(format!("line {}: {what}\n    {}", run.line, run.text));
                }
            };
            let mut report = String::new();
            let mut ok = true;
            for (joiner, commands) in ready {
                let wanted = match joiner {
                    Joiner::And => ok,
                    Joiner::Or => !ok,
                    Joiner::Always => true,
                };
                if wanted {
                    ok = match self.run_pipeline(&commands, &mut report) {
                        Ok(ok) => ok,
                        Err(fatal) => {
                            return Outcome::Failed(format!("line {}: {}\n{report}{fatal}", run.line, run.text));
                        }
                    };
                }
            }
            match self.refused.take() {
                Some(why) if !ok => match skipped.missing(run, why) {
                    true => continue,
                    false => break,
                },
                _ if !ok => return Outcome::Failed(format!("line {}: {}\n{report}", run.line, run.text)),
                _ => {}
            }
        }
        if skipped.is_empty() { Outcome::Passed } else { Outcome::Skipped(skipped.to_string()) }
    }

    /// Substitutes in all words of a pipeline.
    fn prepare(&self, pipeline: &Pipeline) -> Result<Vec<Ready>, Unusable> {
        let file = |name: &String| self.tools.substitute(name, self.paths).map(|words| words.join(" "));
        let redirect = |redirect: &Redirect| {
            Ok(match redirect {
                Redirect::In(name) => Redirect::In(file(name)?),
                Redirect::Out { file: name, append } => Redirect::Out { file: file(name)?, append: *append },
                Redirect::Err { file: name, append } => Redirect::Err { file: file(name)?, append: *append },
                Redirect::ErrToOut => Redirect::ErrToOut,
                Redirect::OutToErr => Redirect::OutToErr,
            })
        };
        let command = |command: &Command| {
            let mut words = Vec::new();
            for word in &command.words {
                words.extend(self.tools.substitute(word, self.paths)?);
            }
            let redirects = command.redirects.iter().map(redirect).collect::<Result<_, Unusable>>()?;
            let where_possible = command.words.first().is_some_and(|w| w == WHERE_POSSIBLE);
            Ok(Ready { words, redirects, where_possible })
        };
        pipeline.commands.iter().map(command).collect()
    }

    /// Runs the commands of a pipeline; whether all succeeded. `Err` ends the test at once.
    fn run_pipeline(&mut self, commands: &[Ready], report: &mut String) -> Result<bool, String> {
        let mut input: Option<Vec<u8>> = None;
        let mut all_ok = true;
        for (index, command) in commands.iter().enumerate() {
            let last = index + 1 == commands.len();
            let (ok, passed_on) = self.run_redirected(command, input.take(), last, report)?;
            all_ok &= ok;
            input = Some(passed_on);
        }
        Ok(all_ok)
    }

    /// Runs one command and sends its output where the redirections say; what is left is for the next command.
    fn run_redirected(
        &mut self,
        command: &Ready,
        input: Option<Vec<u8>>,
        last: bool,
        report: &mut String,
    ) -> Result<(bool, Vec<u8>), String> {
        let mut input = input;
        let (mut out, mut err) = (Sink::Next, Sink::Report);
        for redirect in &command.redirects {
            match redirect {
                Redirect::In(file) => {
                    let path = self.path(file);
                    input = Some(fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?);
                }
                Redirect::Out { file, append } => out = Sink::File(self.path(file), *append),
                Redirect::Err { file, append } => err = Sink::File(self.path(file), *append),
                Redirect::ErrToOut => err = out.clone(),
                Redirect::OutToErr => out = err.clone(),
            }
        }
        let merged = out == err;
        let (exit, negated, output) = self.run_command(&command.words, input, merged)?;
        let ok = match (exit, negated) {
            (Exit::Timeout, _) => false,
            (Exit::Code(code), None) => code == 0,
            (Exit::Crash, None) => false,
            (Exit::Code(code), Some(Expect::Failure)) => code != 0,
            (Exit::Crash, Some(expect)) => expect == Expect::Crash,
            (Exit::Code(_), Some(Expect::Crash)) => false,
            (Exit::Code(code), Some(Expect::Success)) => code == 0,
        };
        if command.where_possible && exit == Exit::Code(NO_DEVICE) {
            let why = String::from_utf8_lossy(&output.err);
            self.refused = Some(why.lines().map(str::trim).collect::<Vec<_>>().join("; "));
        }
        if !ok {
            report.push_str(&format!("\n`{}` {}\n", command.words.join(" "), describe(exit, negated)));
        }
        let mut passed_on = Vec::new();
        let streams = [(out, output.out, "stdout"), (err, output.err, "stderr")];
        for (sink, bytes, name) in streams {
            match sink {
                Sink::Next => {
                    if last {
                        show(report, name, &bytes);
                    }
                    passed_on.extend(bytes);
                }
                Sink::Report => show(report, name, &bytes),
                Sink::File(path, append) => {
                    // A stream that was merged into the other one has nothing left to write.
                    if !(merged && name == "stderr") {
                        write(&path, append, &bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
                    }
                }
            }
        }
        if exit == Exit::Timeout {
            return Err("the test's time is over (RTC_LIT_TIMEOUT sets it, in seconds)".to_string());
        }
        Ok((ok, passed_on))
    }

    /// Runs one command with the words in front of it that change how it runs.
    fn run_command(&mut self, words: &[String], input: Option<Vec<u8>>, merged: bool) -> Result<(Exit, Option<Expect>, Output), String> {
        let mut words = words;
        let mut expect = None;
        let mut environment: Vec<(String, Option<String>)> = Vec::new();
        loop {
            match words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
                Some(("not" | "!", rest)) => {
                    words = rest;
                    expect = Some(match expect {
                        None | Some(Expect::Success) => Expect::Failure,
                        Some(_) => Expect::Success,
                    });
                    if let Some(("--crash", rest)) = words.split_first().map(|(w, r)| (w.as_str(), r)) {
                        words = rest;
                        expect = Some(Expect::Crash);
                    }
                }
                Some(("env", rest)) => {
                    words = rest;
                    while let Some((word, rest)) = words.split_first() {
                        if word == "-u" {
                            let (name, rest) = rest.split_first().ok_or("`env -u` needs a name")?;
                            environment.push((name.clone(), None));
                            words = rest;
                        } else if let Some((name, value)) = word.split_once('=') {
                            environment.push((name.to_string(), Some(value.to_string())));
                            words = rest;
                        } else {
                            break;
                        }
                    }
                }
                Some((name, rest)) => {
                    // A snapshot that is expected to differ is not to be rewritten.
                    let bless = self.bless;
                    self.bless = bless && expect.is_none();
                    let done = builtins::run(self, name, rest, input.as_deref().unwrap_or_default());
                    self.bless = bless;
                    if let Some(done) = done {
                        let (code, mut output) = done?;
                        if merged {
                            output.out.append(&mut output.err);
                        }
                        return Ok((Exit::Code(code), expect, output));
                    }
                    if !name.contains('/') && !name.contains('\\') {
                        return Err(format!(
                            "there is no command `{name}`: the product's programs are %rtc, %rtc-opt, %rtc-run, %rtc-run-where-possible, %rtc-run-cpu; built in are {}",
                            builtins::NAMES.join(" ")
                        ));
                    }
                    let (exit, output) = self.run_program(name, rest, &environment, input, merged)?;
                    return Ok((exit, expect, output));
                }
                None => return Err("a command is missing".to_string()),
            }
        }
    }

    /// Runs an outside program until it ends or the test's time does.
    fn run_program(
        &self,
        program: &str,
        args: &[String],
        environment: &[(String, Option<String>)],
        input: Option<Vec<u8>>,
        merged: bool,
    ) -> Result<(Exit, Output), String> {
        let failed = |e: io::Error| format!("cannot start {program}: {e}");
        let mut process = Process::new(program);
        process.args(args).current_dir(&self.cwd);
        super::watched::watch(program, &mut process);
        for (name, value) in environment {
            match value {
                Some(value) => process.env(name, value),
                None => process.env_remove(name),
            };
        }
        process.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut readers: Vec<mpsc::Receiver<Vec<u8>>> = Vec::new();
        if merged {
            let (reader, writer) = io::pipe().map_err(failed)?;
            process.stderr(writer.try_clone().map_err(failed)?).stdout(writer);
            readers.push(collect(reader));
        } else {
            process.stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        let mut child = process.spawn().map_err(failed)?;
        // The command holds write ends of the pipe; as long as it lives the reader would wait.
        drop(process);
        readers.extend(child.stdout.take().map(collect));
        readers.extend(child.stderr.take().map(collect));
        if let (Some(bytes), Some(mut stdin)) = (input, child.stdin.take()) {
            // A program need not read all of its input.
            std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        }
        let exit = wait(&mut child, self.deadline).map_err(failed)?;
        let mut streams = readers.iter().map(|reader| {
            // After a timeout a grandchild may still hold the stream open.
            let patience = if exit == Exit::Timeout { Duration::from_millis(200) } else { self.left() };
            reader.recv_timeout(patience).unwrap_or_default()
        });
        let output = Output { out: streams.next().unwrap_or_default(), err: streams.next().unwrap_or_default() };
        drop(streams);
        let panicked = exit == Exit::Code(PANIC_STATUS)
            && [&output.out, &output.err].iter().any(|s| String::from_utf8_lossy(s).contains("panicked at"));
        Ok((if panicked { Exit::Crash } else { exit }, output))
    }

    /// The time that is left, and a moment more for what is already done.
    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now()) + Duration::from_secs(1)
    }
}

/// What `not` expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Success,
    Failure,
    Crash,
}

/// Waits for a child; kills it at the deadline.
fn wait(child: &mut Child, deadline: Instant) -> io::Result<Exit> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().map_or(Exit::Crash, Exit::Code));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(Exit::Timeout);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Reads a stream to its end in the background.
fn collect(stream: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.take(MAX_OUTPUT).read_to_end(&mut bytes);
        let _ = send.send(bytes);
    });
    receive
}

fn write(path: &Path, append: bool, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).write(true).append(append).truncate(!append);
    options.open(path)?.write_all(bytes)
}

/// How a command ended, for a report.
fn describe(exit: Exit, expect: Option<Expect>) -> String {
    let ended = match exit {
        Exit::Code(code) => format!("ended with status {code}"),
        Exit::Crash => "crashed".to_string(),
        Exit::Timeout => "did not end in time".to_string(),
    };
    match expect {
        Some(Expect::Failure) if exit == Exit::Code(0) => format!("{ended}, and should fail"),
        Some(Expect::Failure) => format!("{ended}, and should fail by itself"),
        Some(Expect::Crash) => format!("{ended}, and should crash"),
        _ => ended,
    }
}

/// Adds an output to a report, cut to a readable size.
fn show(report: &mut String, name: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_end();
    if text.is_empty() {
        return;
    }
    let end = (0..=SHOWN.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let cut = if end < text.len() { format!("\n... {} more bytes", text.len() - end) } else { String::new() };
    report.push_str(&format!("--- {name}\n{}{cut}\n", &text[..end]));
}
