//! Writes the C header of a library from its source to standard output: `cargo run -- FOLDER FILE...`, where the files are those of `src/`
//! with what is in the header, in this order and without their extension, and `cbindgen.toml` says the rest.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), files) = (arguments.next().map(PathBuf::from), arguments.collect::<Vec<_>>()) else {
        eprintln!("usage: rtc-header FOLDER FILE...");
        return ExitCode::from(2);
    };
    let config = match cbindgen::Config::from_file(folder.join("cbindgen.toml")) {
        Ok(config) => config,
        Err(e) => {
            eprintln!("cbindgen.toml: {e}");
            return ExitCode::FAILURE;
        }
    };
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in files {
        builder = builder.with_src(folder.join("src").join(file).with_extension("rs"));
    }
    match builder.generate() {
        Ok(bindings) => {
            bindings.write(std::io::stdout());
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
