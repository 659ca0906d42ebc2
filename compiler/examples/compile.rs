//! Compiles an HLSL file to a DXIL container and prints its diagnostics:
//! `cargo run -p rtc --example compile -- shader.hlsl lib_6_6 shader.dxil`.

use std::error::Error;

use rtc::{Disk, Options, Profile, Style};

/// The outcome of a compilation: the container, if there was no error, and the diagnostics as text.
pub struct Outcome {
    /// The DXIL container.
    pub container: Option<Vec<u8>>,
    /// The diagnostics, as the command prints them.
    pub messages: String,
}

/// Compiles `source` for a target profile. Includes are read from the disk.
///
/// # Errors
/// The profile is not valid.
pub fn compile(name: &str, source: &[u8], profile: &str) -> Result<Outcome, Box<dyn Error>> {
    let options = Options::new(Profile::parse(profile)?);
    let compilation = rtc::compile(name, source, &mut Disk, &options);
    let messages = compilation.diagnostics.iter().map(|d| rtc::render(&compilation.sources, d, Style::Rich)).collect();
    Ok(Outcome { container: compilation.product.map(rtc::Product::into_bytes), messages })
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, profile, output] = args.as_slice() else { return Err("usage: compile FILE PROFILE OUTPUT".into()) };
    let outcome = compile(input, &std::fs::read(input)?, profile)?;
    eprint!("{}", outcome.messages);
    let container = outcome.container.ok_or("compilation failed")?;
    std::fs::write(output, container)?;
    Ok(())
}
