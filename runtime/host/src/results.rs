//! Serialisation of results: images and buffers of a scene as the bytes of files.

use crate::device::{Channel, Format, TargetFormat};
use crate::scene::{BufferSource, Type};
use rtc_base::half;

/// The format of the texels that a device reads back from a target: a depth is a number of 32 bits.
pub(crate) fn color_of(format: TargetFormat) -> Format {
    match format {
        TargetFormat::Color(format) => format,
        TargetFormat::Depth(_) => Format::R32Float,
    }
}

/// The first channels of a texel as numbers.
pub(crate) fn channels(format: TargetFormat, texel: &[u8]) -> Vec<f64> {
    let words = |bytes: &[u8]| -> Vec<u32> { bytes.as_chunks::<4>().0.iter().map(|c| u32::from_le_bytes(*c)).collect() };
    let floats = |words: Vec<u32>| words.into_iter().map(|w| f64::from(f32::from_bits(w))).collect();
    match format {
        TargetFormat::Depth(_) => floats(words(texel)),
        TargetFormat::Color(format) => match format.channel() {
            Channel::Unorm8 | Channel::Float16 | Channel::Float32 => floats(texel_words(format, texel)),
            Channel::Uint32 => words(texel).into_iter().map(f64::from).collect(),
            Channel::Sint32 => words(texel).into_iter().map(|w| f64::from(w as i32)).collect(),
        },
    }
}

/// A buffer as a list of elements, one a line; an element of several members is a list itself.
pub(crate) fn buffer_json(b: &BufferSource, bytes: &[u8]) -> Vec<u8> {
    let layout: Vec<Type> = match (b.layout.as_slice(), b.format) {
        ([], Some(format)) => texel_type(format).into_iter().collect(),
        (layout, _) => layout.to_vec(),
    };
    let words: Vec<u32> = match b.format {
        Some(format) if b.layout.is_empty() => texel_words(format, bytes),
        _ => bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect(),
    };
    let per_element: usize = layout.iter().map(|t| t.stored_words()).sum();
    let mut out = String::from("[");
    for (n, element) in words.chunks_exact(per_element.max(1)).enumerate() {
        let mut at = 0;
        let members: Vec<serde_json::Value> = layout
            .iter()
            .map(|t| {
                let own = &element[at..at + t.stored_words()];
                at += t.stored_words();
                t.json(own)
            })
            .collect();
        out.push_str(if n == 0 { "\n" } else { ",\n" });
        match members.as_slice() {
            [one] => out.push_str(&one.to_string()),
            many => out.push_str(&serde_json::Value::from(many.to_vec()).to_string()),
        }
    }
    out.push_str("\n]\n");
    out.into_bytes()
}

/// The type that a texel is read as.
fn texel_type(format: Format) -> Option<Type> {
    let scalar = match format.channel() {
        Channel::Uint32 => "uint",
        Channel::Sint32 => "int",
        Channel::Unorm8 | Channel::Float16 | Channel::Float32 => "float",
    };
    Type::parse(&format!("{scalar}{}", format.channels()))
}

/// The channels of texels as 32-bit words.
fn texel_words(format: Format, bytes: &[u8]) -> Vec<u32> {
    match format.channel() {
        Channel::Unorm8 => bytes.iter().map(|b| (f32::from(*b) / 255.0).to_bits()).collect(),
        Channel::Float16 => bytes.chunks_exact(2).map(|c| half::to_f32(u16::from_le_bytes([c[0], c[1]])).to_bits()).collect(),
        Channel::Float32 | Channel::Uint32 | Channel::Sint32 => {
            bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
        }
    }
}
