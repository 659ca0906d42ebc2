//! Progress: one line for everything that takes longer than a second.
//!
//! On a terminal a [`Step`] is a spinner with the elapsed time and the last thing that the running program said. Elsewhere
//! (CI, a log file) it is one line when the step starts to be slow and one when it ends. Steps that finish within a
//! second stay silent unless they fail.

use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// From this age on a step is worth a line.
const SLOW: Duration = Duration::from_secs(1);

/// Lines of a failed program's output that the error repeats.
const TAIL: usize = 40;

/// One thing that is being done.
pub struct Step {
    label: String,
    start: Instant,
    bar: Option<ProgressBar>,
    announced: bool,
}

impl Step {
    /// Starts a step; `label` is what a person reads, as `Installing llvm-19`.
    pub fn new(label: impl Into<String>) -> Step {
        let label = label.into();
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} [{elapsed}] {wide_msg:.dim}") {
                bar.set_style(style);
            }
            bar.set_prefix(label.clone());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Step { label, start: Instant::now(), bar, announced: false }
    }

    /// Shows what is happening inside the step. Without a terminal the first call after a second prints the label.
    pub fn note(&mut self, text: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(text.trim().to_string()),
            None => self.tick(),
        }
    }

    /// Gives a step without a terminal the chance to say that it is slow.
    fn tick(&mut self) {
        if self.bar.is_none() && !self.announced && self.start.elapsed() >= SLOW {
            self.announced = true;
            eprintln!("   {} ...", self.label);
        }
    }

    /// Ends the step well. Prints one line when it took longer than a second.
    pub fn done(self) {
        let took = self.start.elapsed();
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if took >= SLOW {
            eprintln!("   {}: {:.1} s", self.label, took.as_secs_f64());
        }
    }

    /// Runs `command` to its end inside this step, showing the last line that it prints, and returns what it wrote on
    /// stdout.
    ///
    /// # Errors
    /// When the program cannot be started or its exit status is not zero; the error repeats the end of its output.
    pub fn run(&mut self, command: &mut Command) -> Result<String, String> {
        let shown = show(command);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot start `{shown}`: {e}"))?;
        let (send, receive) = mpsc::channel::<(bool, String)>();
        let pumps = [child.stdout.take().map(|s| pump(s, true, send.clone())), child.stderr.take().map(|s| pump(s, false, send))];
        let mut out = String::new();
        let mut all = Vec::new();
        loop {
            match receive.recv_timeout(Duration::from_millis(250)) {
                Ok((is_stdout, line)) => {
                    self.note(&line);
                    if is_stdout {
                        out.push_str(&line);
                        out.push('\n');
                    }
                    all.push(line);
                }
                Err(RecvTimeoutError::Timeout) => self.tick(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        for pump in pumps.into_iter().flatten() {
            let _ = pump.join();
        }
        let status = child.wait().map_err(|e| format!("cannot wait for `{shown}`: {e}"))?;
        if status.success() {
            return Ok(out);
        }
        let tail = all[all.len().saturating_sub(TAIL)..].join("\n    ");
        Err(format!("`{shown}` failed ({status})\n    {tail}"))
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Sends the lines of a stream, decoded leniently, until it ends.
fn pump(stream: impl Read + Send + 'static, is_stdout: bool, send: mpsc::Sender<(bool, String)>) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(n) if n > 0) {
            let text = String::from_utf8_lossy(&line).trim_end().to_string();
            line.clear();
            if send.send((is_stdout, text)).is_err() {
                break;
            }
        }
    })
}

/// A command as a person would type it.
pub fn show(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        let arg = arg.to_string_lossy();
        text.push(' ');
        if arg.is_empty() || arg.contains([' ', '\'', '"', '*', '$', '\n']) {
            text.push('\'');
            text.push_str(&arg);
            text.push('\'');
        } else {
            text.push_str(&arg);
        }
    }
    text
}
