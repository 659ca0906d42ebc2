//! Writes the C header of `librtc` from its source to standard output: `cargo run -- CAPI_FOLDER`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: rtc-header CAPI_FOLDER");
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
    for file in ["types", "session", "options", "job", "result", "compile"] {
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
