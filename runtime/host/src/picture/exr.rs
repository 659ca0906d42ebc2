//! OpenEXR files: the channels of an image as they are, in scan lines without loss.

use super::Texels;
use crate::device::Channel;
use crate::error::{ErrorKind, Result, RunError};
use exr::prelude::{AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, Vec2, WritableImage, f16};

/// The names of channels by number.
const NAMES: [&str; 4] = ["R", "G", "B", "A"];

/// The file of an image. 8-bit numbers become floating point of 32 bits, 0 to 1; the rest stays as it is.
///
/// # Errors
/// Signed integers, which the format does not have.
pub(super) fn file(t: &Texels, bytes: &[u8]) -> Result<Vec<u8>> {
    let bad = |why: String| RunError::new(ErrorKind::Io, format!("cannot make an EXR: {why}"));
    let count = t.format.channels() as usize;
    let each = (t.format.texel_size() as usize / count).max(1);
    let channel = |n: usize| -> Result<FlatSamples> {
        let parts = bytes.chunks_exact(each).skip(n).step_by(count);
        let word = |c: &[u8]| c.try_into().map(u32::from_le_bytes).unwrap_or_default();
        Ok(match t.format.channel() {
            Channel::Unorm8 => FlatSamples::F32(parts.map(|c| f32::from(c[0]) / 255.0).collect()),
            Channel::Float16 => FlatSamples::F16(parts.map(|c| f16::from_bits(u16::from_le_bytes([c[0], c[1]]))).collect()),
            Channel::Float32 => FlatSamples::F32(parts.map(|c| f32::from_bits(word(c))).collect()),
            Channel::Uint32 => FlatSamples::U32(parts.map(word).collect()),
            Channel::Sint32 => return Err(bad("it has no signed integers".into())),
        })
    };
    let channels = (0..count).map(|n| Ok(AnyChannel::new(NAMES[n], channel(n)?))).collect::<Result<_>>()?;
    let size = Vec2(t.width as usize, t.height as usize);
    let layer = Layer::new(size, LayerAttributes::default(), Encoding::FAST_LOSSLESS, AnyChannels::sort(channels));
    let mut out = std::io::Cursor::new(Vec::new());
    Image::from_layer(layer).write().non_parallel().to_buffered(&mut out).map_err(|e| bad(e.to_string()))?;
    Ok(out.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Format;
    use exr::prelude::read_first_flat_layer_from_file;

    /// What another reader finds: names with the samples.
    fn read_back(format: Format, bytes: &[u8]) -> Vec<(String, Vec<f32>)> {
        let t = Texels { format, width: 2, height: 1, depth: 1, levels: 1 };
        let path = std::env::temp_dir().join(format!("rtc-exr-{}-{}.exr", std::process::id(), format.name()));
        std::fs::write(&path, file(&t, bytes).unwrap()).unwrap();
        let image = read_first_flat_layer_from_file(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let list = &image.layer_data.channel_data.list;
        list.iter().map(|c| (c.name.to_string(), c.sample_data.values_as_f32().collect())).collect()
    }

    #[test]
    fn channels_read_back() {
        let floats: Vec<u8> = [1.5_f32, -2.0, 3e8, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(read_back(Format::Rg32Float, &floats), [("G".into(), vec![-2.0, 0.0]), ("R".into(), vec![1.5, 3e8])]);
        let float16: Vec<u8> = [0x3c00_u16, 0xc000].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(read_back(Format::R16Float, &float16), [("R".into(), vec![1.0, -2.0])]);
        let names: Vec<String> = read_back(Format::Rgba8Unorm, &[255; 8]).into_iter().map(|c| c.0).collect();
        assert_eq!(names, ["A", "B", "G", "R"]);
        assert_eq!(read_back(Format::R32Uint, &[7, 0, 0, 0, 9, 0, 0, 0])[0].1, [7.0, 9.0]);
    }

    #[test]
    fn signed_integers_are_refused() {
        let t = Texels { format: Format::R32Sint, width: 1, height: 1, depth: 1, levels: 1 };
        assert!(file(&t, &[0; 4]).unwrap_err().to_string().contains("no signed integers"));
    }
}
