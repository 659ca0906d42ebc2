//! Compiles an HLSL library to a runtime package (SPIR-V, runtime data and bindings) and prints its reflection as JSON:
//! `cargo run -p rtc --example reflect_package -- library.hlsl`.

use std::error::Error;

use rtc::{Disk, Environment, Options, Profile, Style, Target};

/// Compiles `source` to a package and returns its reflection: entry points, resources, Vulkan bindings, shader records.
///
/// # Errors
/// The source has errors; the message has the diagnostics.
pub fn reflect_package(name: &str, source: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut options = Options::new(Profile::parse("lib_6_9")?);
    options.target = Target::Package;
    options.spirv.environment = Environment::named("vulkan1.3");
    let compilation = rtc::compile(name, source, &mut Disk, &options);
    let Some(product) = compilation.product else {
        let messages: String = compilation.diagnostics.iter().map(|d| rtc::render(&compilation.sources, d, Style::Short)).collect();
        return Err(messages.into());
    };
    Ok(rtc::reflect::reflect(&product.into_bytes())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let input = std::env::args().nth(1).ok_or("usage: reflect_package FILE")?;
    print!("{}", reflect_package(&input, &std::fs::read(&input)?)?);
    Ok(())
}
