//! `rtc-opt`: reads IR text, runs passes and prints the IR, for tests and for inspection of single passes.
//!
//! `rtc-opt [-p PASS[,PASS…]] [-O0 | -O1 | -O2 | -O3] [--verify] [--list] [FILE | -]`

use std::io::Read;
use std::process::ExitCode;

use rtc::passes::{PASSES, PassCtx, pipeline, run_passes};

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned())) {
        Ok(text) => {
            rtc_base::stdout::put(format_args!("{text}"));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("rtc-opt: error: {message}");
            ExitCode::from(1)
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<String, String> {
    let mut names: Vec<String> = Vec::new();
    let (mut file, mut only_verify) = (None, false);
    while let Some(a) = args.next() {
        match a.as_str() {
            "-p" => {
                let list = args.next().ok_or("option `-p` requires names of passes")?;
                names.extend(list.split(',').map(str::to_owned));
            }
            "-Od" | "-O0" | "-O1" | "-O2" | "-O3" => {
                let level = match a.as_str() {
                    "-O1" => rtc::OptLevel::O1,
                    "-O2" => rtc::OptLevel::O2,
                    "-O3" => rtc::OptLevel::O3,
                    _ => rtc::OptLevel::O0,
                };
                names.extend(pipeline(level).passes().iter().map(|n| n.to_string()));
            }
            "--verify" => only_verify = true,
            "--list" => {
                return Ok(PASSES.iter().map(|p| format!("{:<12} {}\n", p.name, p.doc)).collect());
            }
            "-h" | "--help" => {
                return Ok("usage: rtc-opt [-p PASS,…] [-O0…-O3] [--verify] [--list] [FILE | -]\n".into());
            }
            a if a.starts_with('-') && a != "-" => return Err(format!("unknown option `{a}`")),
            _ if file.is_none() => file = Some(a),
            _ => return Err("more than one input file".into()),
        }
    }
    let text = match file.as_deref() {
        None | Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|e| format!("standard input: {e}"))?;
            text
        }
        Some(path) => std::fs::read_to_string(path).map_err(|e| format!("cannot read `{path}`: {e}"))?,
    };
    let file = file.unwrap_or_else(|| "-".into());
    let mut module = rtc::ir::text::parse(&text).map_err(|e| format!("{file}:{e}"))?;
    if let Err(errors) = rtc::ir::verify::verify(&module) {
        return Err(format!("the module is not well formed:\n{}", rtc::ir::verify::print_with_errors(&module, &errors)));
    }
    if !only_verify {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        run_passes(&mut module, &names, &PassCtx { check: true }).map_err(|e| e.to_string())?;
    }
    Ok(rtc::ir::text::print(&module))
}
