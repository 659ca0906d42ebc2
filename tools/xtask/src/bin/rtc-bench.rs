//! Measures the compiler as a library: `rtc-bench -T PROFILE [-Vd] FILE`.
//!
//! For every line on standard input it compiles the file once and prints the nanoseconds that the call took. So
//! `cargo xtask bench` can let it take turns with the reference compiler.

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::Instant;

use rtc::{Disk, Options, Profile, Severity};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("rtc-bench: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<(), String> {
    let (file, options) = arguments(args)?;
    let source = std::fs::read(&file).map_err(|e| format!("cannot read {file}: {e}"))?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        line.map_err(|e| format!("cannot read the input: {e}"))?;
        let start = Instant::now();
        let done = rtc::compile(&file, &source, &mut Disk, &options);
        let took = start.elapsed();
        if done.failed() {
            let errors = done.diagnostics.iter().filter(|d| d.severity == Severity::Error);
            let errors: Vec<&str> = errors.map(|d| d.message.as_str()).collect();
            return Err(format!("{file} does not compile: {}", errors.join("; ")));
        }
        // This fails when the reader has gone, which cannot be reported.
        if writeln!(out, "{}", took.as_nanos()).and_then(|()| out.flush()).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// The file and the options that the arguments name.
fn arguments(args: &[String]) -> Result<(String, Options), String> {
    let (mut file, mut profile, mut sign, mut version, mut precise) = (None, None, true, None, false);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "-T" => profile = Some(Profile::parse(rest.next().ok_or("-T needs a profile")?).map_err(|e| e.to_string())?),
            "-Vd" => sign = false,
            "-Gis" => precise = true,
            "-HV" => {
                let text = rest.next().ok_or("-HV needs a version")?;
                version = Some(text.parse().map_err(|_| format!("`{text}` is no version"))?);
            }
            flag if flag.starts_with('-') => return Err(format!("unknown flag `{flag}`")),
            _ => file = Some(arg.clone()),
        }
    }
    let mut options = Options::new(profile.ok_or("no profile (-T) is given")?);
    options.dxil.sign = sign;
    options.precise = precise;
    options.hlsl_version = version.unwrap_or(options.hlsl_version);
    Ok((file.ok_or("no file is given")?, options))
}
