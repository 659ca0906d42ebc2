//! The formats of picture files, and what each can hold.

use super::{exr, has_png, png};
use crate::device::{Channel, Format};
use crate::error::{ErrorKind, Result, RunError};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The format of a picture file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileFormat {
    /// 8 bits for a channel, clamped to 0 to 1.
    Png,
    /// OpenEXR: floating point of 16 or 32 bits, or unsigned integers, as the image has them; linear, without loss.
    Exr,
    /// The texels, row by row, and a second file, `NAME.json`, that says what they are.
    Raw,
    /// The texels alone.
    Bin,
}

impl FileFormat {
    /// All of them.
    pub const ALL: [FileFormat; 4] = [FileFormat::Png, FileFormat::Exr, FileFormat::Raw, FileFormat::Bin];

    /// Its name, which is the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            FileFormat::Png => "png",
            FileFormat::Exr => "exr",
            FileFormat::Raw => "raw",
            FileFormat::Bin => "bin",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<FileFormat> {
        FileFormat::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The format that a file's name says.
    pub fn of(path: &Path) -> Option<FileFormat> {
        FileFormat::from_name(path.extension()?.to_str()?)
    }

    /// Why it cannot hold such texels.
    pub(crate) fn refuses(self, t: &Texels) -> Option<String> {
        let one = (t.depth, t.levels) == (1, 1);
        let (what, held) = match self {
            FileFormat::Png => ("a PNG", has_png(t.format)),
            FileFormat::Exr => ("an EXR", t.format.channel() != Channel::Sint32),
            FileFormat::Raw | FileFormat::Bin => return None,
        };
        match (held, one) {
            (false, _) => Some(format!("{what} cannot hold {}; save it as `.bin`", t.format.name())),
            (true, false) => Some(format!("{what} holds one level of one layer; save it as `.bin`")),
            (true, true) => None,
        }
    }
}

/// What texels are: rows, then layers, then levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Texels {
    pub format: Format,
    pub width: u32,
    pub height: u32,
    /// Slices or layers.
    pub depth: u32,
    pub levels: u32,
}

/// The files of a picture: what to add to its name, and bytes. A PNG of floats is encoded as sRGB if `srgb` is set.
///
/// # Errors
/// The format cannot hold it.
fn files(format: FileFormat, t: &Texels, bytes: &[u8], srgb: bool) -> Result<Vec<(&'static str, Vec<u8>)>> {
    if let Some(why) = format.refuses(t) {
        return Err(RunError::new(ErrorKind::Scene, why));
    }
    Ok(match format {
        FileFormat::Png => vec![("", png(t.format, t.width, t.height, bytes, srgb)?)],
        FileFormat::Exr => vec![("", exr::file(t, bytes)?)],
        FileFormat::Bin => vec![("", bytes.to_vec())],
        FileFormat::Raw => vec![("", bytes.to_vec()), (".json", sidecar(t))],
    })
}

/// The files of a picture, by their paths; `path` is that of the first one.
///
/// # Errors
/// As [`files`], with the path.
pub(crate) fn files_at(path: &Path, format: FileFormat, t: &Texels, bytes: &[u8], srgb: bool) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let made = files(format, t, bytes, srgb).map_err(|e| e.at(path.display()))?;
    let at = |suffix: &str| {
        let mut path = path.as_os_str().to_owned();
        path.push(suffix);
        path.into()
    };
    Ok(made.into_iter().map(|(suffix, bytes)| (at(suffix), bytes)).collect())
}

/// What raw texels are, as JSON.
fn sidecar(t: &Texels) -> Vec<u8> {
    let channel = match t.format.channel() {
        Channel::Unorm8 => "unorm8",
        Channel::Float16 => "float16",
        Channel::Float32 => "float32",
        Channel::Uint32 => "uint32",
        Channel::Sint32 => "sint32",
    };
    let text = json!({
        "format": t.format.name(), "channels": t.format.channels(), "channel": channel, "byte_order": "little",
        "width": t.width, "height": t.height, "layers": t.depth, "levels": t.levels,
        "order": "rows from the top, then layers, then levels, without gaps",
    });
    format!("{text:#}\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_can_hold() {
        let t = Texels { format: Format::Rgba32Float, width: 2, height: 1, depth: 1, levels: 1 };
        let with = |format, depth| FileFormat::ALL.map(|f| f.refuses(&Texels { format, depth, ..t }).is_none());
        assert_eq!(with(Format::Rgba32Float, 1), [true; 4]);
        assert_eq!(with(Format::R32Uint, 1), [false, true, true, true]);
        assert_eq!(with(Format::R32Sint, 1), [false, false, true, true]);
        assert_eq!(with(Format::Rgba8Unorm, 2), [false, false, true, true]);
        assert_eq!(FileFormat::of(Path::new("a/b.exr")), Some(FileFormat::Exr));
        assert_eq!(FileFormat::of(Path::new("png")), None);
    }

    #[test]
    fn raw_texels_say_what_they_are() {
        let t = Texels { format: Format::Rg32Float, width: 2, height: 1, depth: 1, levels: 1 };
        let made = files(FileFormat::Raw, &t, &[7; 16], false).unwrap();
        assert_eq!(made[0], ("", vec![7; 16]));
        let said: serde_json::Value = serde_json::from_slice(&made[1].1).unwrap();
        assert_eq!((made[1].0, &said["format"], &said["channels"]), (".json", &"rg32_float".into(), &2.into()));
    }
}
