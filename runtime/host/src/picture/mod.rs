//! Picture files: texels of any format to PNG, EXR or as they are, and files to texels. Files are written atomically.

mod exr;
mod format;

pub use format::FileFormat;
pub(crate) use format::{Texels, files_at};

use crate::device::{Channel, Format};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::half;
use rtc_base::replace::{Durability, replace};
use rtc_tables::limits::TEXTURE_SIDE;
use std::path::{Path, PathBuf};

/// Whether a PNG can show the format.
fn has_png(format: Format) -> bool {
    matches!(format.channel(), Channel::Unorm8 | Channel::Float16 | Channel::Float32)
}

/// The channels of texels, 8 bits each. Floats are clamped to 0…1 and rounded, after sRGB encoding if `srgb` is set.
///
/// # Errors
/// Integers are no colors.
fn channels_8(format: Format, texels: &[u8], srgb: bool) -> Result<Vec<u8>> {
    Ok(match format.channel() {
        Channel::Unorm8 => texels.to_vec(),
        Channel::Float16 => texels
            .chunks_exact(2)
            .enumerate()
            .map(|(i, c)| to_byte(half::to_f32(u16::from_le_bytes([c[0], c[1]])), srgb && color(format, i)))
            .collect(),
        Channel::Float32 => texels
            .chunks_exact(4)
            .enumerate()
            .map(|(i, c)| to_byte(f32::from_le_bytes([c[0], c[1], c[2], c[3]]), srgb && color(format, i)))
            .collect(),
        Channel::Uint32 | Channel::Sint32 => {
            return Err(RunError::new(ErrorKind::Scene, format!("{} has no colors to show", format.name())));
        }
    })
}

/// The colors of the first level of the first layer, as a PNG has them.
///
/// # Errors
/// Integers are no colors.
pub(crate) fn colors(t: &Texels, bytes: &[u8], srgb: bool) -> Result<Vec<[u8; 3]>> {
    let size = u64::from(t.width) * u64::from(t.height) * u64::from(t.format.texel_size());
    let first = usize::try_from(size).ok().and_then(|size| bytes.get(..size)).unwrap_or(bytes);
    let channels = channels_8(t.format, first, srgb)?;
    Ok(match t.format.channels() {
        1 => channels.into_iter().map(|c| [c; 3]).collect(),
        2 => channels.as_chunks().0.iter().map(|&[r, g]| [r, g, 0]).collect(),
        _ => channels.as_chunks().0.iter().map(|&[r, g, b, _]| [r, g, b]).collect(),
    })
}

/// A PNG of an image, with the channels of [`channels_8`].
///
/// # Errors
/// A format that a PNG cannot hold.
pub(crate) fn png(format: Format, width: u32, height: u32, texels: &[u8], srgb: bool) -> Result<Vec<u8>> {
    let bytes = channels_8(format, texels, srgb)?;
    // PNG has one, three or four channels (two mean gray and alpha).
    let (bytes, kind) = match format.channels() {
        1 => (bytes, image::ExtendedColorType::L8),
        2 => (bytes.chunks_exact(2).flat_map(|c| [c[0], c[1], 0]).collect(), image::ExtendedColorType::Rgb8),
        _ => (bytes, image::ExtendedColorType::Rgba8),
    };
    let mut out = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut out);
    image::ImageEncoder::write_image(encoder, &bytes, width, height, kind)
        .map_err(|e| RunError::new(ErrorKind::Io, format!("cannot make a PNG: {e}")))?;
    Ok(out)
}

/// Whether channel `i` of the texels is a color, not an alpha.
fn color(format: Format, i: usize) -> bool {
    format.channels() < 4 || i % 4 != 3
}

fn to_byte(x: f32, srgb: bool) -> u8 {
    // NaN stays what it is until the conversion to an integer makes it 0.
    let x = x.clamp(0.0, 1.0);
    let x = match srgb {
        false => x,
        true if x <= 0.003_130_8 => x * 12.92,
        true => 1.055 * x.powf(1.0 / 2.4) - 0.055,
    };
    (x * 255.0 + 0.5) as u8
}

/// A picture file as RGBA: width, height, texels.
///
/// # Errors
/// The file cannot be read, or is no picture.
pub(crate) fn load(path: &Path) -> Result<(u32, u32, Vec<u8>)> {
    let bytes = std::fs::read(path).map_err(|e| RunError::io("read", path, &e))?;
    decode(&bytes).map_err(|why| RunError::new(ErrorKind::Io, format!("{} is no picture that can be read: {why}", path.display())))
}

/// The picture in the bytes of a file as RGBA: width, height, texels. More than 8 bits for a channel are rounded.
///
/// # Errors
/// They are no picture, in words.
pub(crate) fn decode(bytes: &[u8]) -> std::result::Result<(u32, u32, Vec<u8>), String> {
    let mut reader = image::ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string())?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(TEXTURE_SIDE);
    limits.max_image_height = Some(TEXTURE_SIDE);
    reader.limits(limits);
    let picture = reader.decode().map_err(|e| e.to_string())?.into_rgba8();
    Ok((picture.width(), picture.height(), picture.into_raw()))
}

/// Writes a file completely or not at all.
///
/// # Errors
/// The file cannot be written; no partial file is left.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes, Durability::Lazy).map_err(|e| RunError::io("write", path, &e))
}

/// Writes files, each completely or not at all, and makes their folders.
///
/// # Errors
/// One of them cannot be written.
pub(crate) fn write_all(files: Vec<(PathBuf, Vec<u8>)>) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for (path, bytes) in files {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| RunError::io("make", folder, &e))?;
        }
        write_atomically(&path, &bytes)?;
        out.push(path);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colors_of_the_first_layer() {
        let texels = |format, depth| Texels { format, width: 2, height: 1, depth, levels: 1 };
        assert_eq!(colors(&texels(Format::R8Unorm, 2), &[1, 2, 3, 4], false).unwrap(), [[1; 3], [2; 3]]);
        let rgba = [1, 2, 3, 4, 5, 6, 7, 8];
        assert_eq!(colors(&texels(Format::Rgba8Unorm, 1), &rgba, false).unwrap(), [[1, 2, 3], [5, 6, 7]]);
        let floats: Vec<u8> = [0.5_f32, 1.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(colors(&texels(Format::R32Float, 1), &floats, true).unwrap(), [[188; 3], [255; 3]]);
        assert!(colors(&texels(Format::R32Uint, 1), &rgba, false).unwrap_err().message.contains("has no colors to show"));
    }

    #[test]
    fn floats_become_bytes() {
        assert_eq!([-1.0, 0.0, 0.5, 1.0, 7.0, f32::NAN].map(|x| to_byte(x, false)), [0, 0, 128, 255, 255, 0]);
        assert_eq!(to_byte(0.5, true), 188);
    }

    #[test]
    fn pictures_of_other_formats_are_rgba() {
        let encoded = |kind: image::ImageFormat, picture: image::DynamicImage| {
            let mut out = std::io::Cursor::new(Vec::new());
            picture.write_to(&mut out, kind).unwrap();
            decode(&out.into_inner())
        };
        let gray = image::DynamicImage::ImageLuma16(image::ImageBuffer::from_pixel(2, 1, image::Luma([0x8040])));
        assert_eq!(encoded(image::ImageFormat::Png, gray).unwrap(), (2, 1, [128, 128, 128, 255].repeat(2)));
        let flat = image::DynamicImage::ImageRgb8(image::RgbImage::from_pixel(8, 8, image::Rgb([200, 200, 200])));
        let (width, height, texels) = encoded(image::ImageFormat::Jpeg, flat).unwrap();
        assert!((width, height, texels[3]) == (8, 8, 255) && texels[0].abs_diff(200) < 4, "{texels:?}");
        for other in [&b"RIFF\x10\0\0\0WEBPVP8 "[..], b"\xabKTX 20\xbb\r\n\x1a\n", b"", b"\x89PNG\r\n\x1a\n"] {
            assert!(!decode(other).unwrap_err().is_empty());
        }
    }

    #[test]
    fn a_png_reads_back() {
        let dir = std::env::temp_dir().join(format!("rtc-picture-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let file = dir.join("a.png");
        let texels: Vec<u8> = (0..2 * 3 * 4).collect();
        write_atomically(&file, &png(Format::Rgba8Unorm, 2, 3, &texels, false).unwrap()).unwrap();
        assert_eq!(load(&file).unwrap(), (2, 3, texels));
        let left: Vec<_> = std::fs::read_dir(&dir).unwrap().collect();
        assert_eq!(left.len(), 1);
        std::fs::write(&file, b"not a picture").unwrap();
        assert!(load(&file).unwrap_err().message.contains("no picture"));
        assert!(write_atomically(&dir.join("no/such/folder.png"), b"").is_err());
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
