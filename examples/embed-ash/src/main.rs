//! Renders frames, writes the last, and prints what they cost:
//! `cargo run -p rtc-embed-ash -- [--frames N] [--size WIDTH HEIGHT] [--out FILE.png] [--validation]`.
//!
//! It fails when memory grows from frame to frame or anything is left in the end.

use rtc_embed_ash::{Error, Options, measure};

fn main() -> Result<(), Error> {
    let mut options = Options { validation: false, ..Options::default() };
    let mut file = "frame.png".to_string();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--frames" => options.frames = value()?.parse()?,
            "--size" => (options.width, options.height) = (value()?.parse()?, value()?.parse()?),
            "--out" => file = value()?,
            "--validation" => options.validation = true,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let measured = measure(&options)?;
    println!("{measured}");
    let picture = &measured.picture;
    image::save_buffer(&file, &picture.pixels, picture.width, picture.height, image::ExtendedColorType::Rgba8)?;
    println!("{file}");
    match measured.complaints() {
        none if none.is_empty() => Ok(()),
        some => Err(some.join("\n").into()),
    }
}
