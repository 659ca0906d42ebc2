//! Renders some frames and writes the last: `cargo run -p rtc-embed-ash -- [FRAMES] [FILE.png]`.

use rtc_embed_ash::{Error, Options, render};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let frames = arguments.next().map_or(Ok(60), |n| n.parse())?;
    let file = arguments.next().unwrap_or_else(|| "frame.png".to_string());
    let picture = render(&Options { frames, ..Options::default() })?;
    println!("{frames} frames on {}, {:.2} ms each", picture.device, picture.seconds * 1000.0 / f64::from(frames.max(1)));
    image::save_buffer(&file, &picture.pixels, picture.width, picture.height, image::ExtendedColorType::Rgba8)?;
    println!("{file}");
    Ok(())
}
