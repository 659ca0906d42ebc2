//! A client of the interface, as programs are that load Microsoft's library: `com_permutations FOLDER`. For each number on standard input it makes a compiler and an
//! include handler, compiles that permutation of `FOLDER/library.hlsl`, and prints the nanoseconds of the call. `cargo xtask bench permutations` runs it.
#![allow(unsafe_code)] // Calls through tables.

#[path = "../tests/client/mod.rs"]
mod client;

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use client::{COMPILER, UTILS, create, get, wide};
use rtc_com::base::interface::Interface;
use rtc_com::call;
use rtc_com::interfaces::*;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: com_permutations FOLDER");
        return ExitCode::FAILURE;
    };
    match run(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("com_permutations: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path) -> Result<(), String> {
    let file = folder.join("library.hlsl");
    let source = std::fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    let name = file.to_string_lossy().into_owned();
    let utils = create::<IDxcUtils>(UTILS);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| format!("cannot read the input: {e}"))?;
        let number = line.trim().parse().map_err(|_| format!("`{line}` is no number"))?;
        let [a, b] = rtc_oracles::permutations::defines(number).map(|d| format!("-D{d}"));
        let strings = [name.as_str(), "-T", "lib_6_6", &a, &b].map(wide);
        let start = Instant::now();
        let compiler = create::<IDxcCompiler3>(COMPILER);
        // SAFETY: `utils` is an object of the library, and `out` is written once.
        let handler = get::<IDxcIncludeHandler>(|out| unsafe { call!(utils, create_include_handler(out)) });
        let handler = handler.ok().flatten().ok_or("there is no handler")?;
        let pointers = strings.each_ref().map(|s| s.as_ptr());
        let buffer = DxcBuffer { data: source.as_ptr().cast(), size: source.len(), encoding: 65001 };
        let count = pointers.len() as u32;
        // SAFETY: the buffer, the `count` strings with their zeros and the handler live to the end of the call, and `out` is written once.
        let done = get::<IDxcResult>(|out| unsafe {
            call!(compiler, compile(&buffer, pointers.as_ptr(), count, handler.raw(), &IDxcResult::IID, out))
        });
        let result = done.map_err(|code| format!("the call fails with {code:#x}"))?.ok_or("there is no result")?;
        let mut status = -1;
        // SAFETY: `result` is an object of the library, and `status` outlives the call.
        unsafe { (result.table().get_status)(result.this(), &mut status) };
        let took = start.elapsed();
        if status < 0 {
            return Err(format!("permutation {number} does not compile"));
        }
        // This fails when the reader has gone, which cannot be reported.
        if writeln!(out, "{}", took.as_nanos()).and_then(|()| out.flush()).is_err() {
            return Ok(());
        }
    }
    Ok(())
}
