//! Render targets of a scene: format, size, clear value, and what is to be in them when everything is drawn.

use super::Target;
use super::fields::{extension, picture_file, slots_of};
use super::reader::{Node, SourceLocation, Table};
use crate::device::{Channel, Clear, DepthFormat, Format, TargetDesc, TargetFormat};
use crate::error::{Result, list};
use crate::picture::Texels;
use std::path::PathBuf;

/// A render target.
#[derive(Clone, PartialEq, Debug)]
pub struct TargetSource {
    /// The slots that it is bound to as a texture.
    pub target: Target,
    /// Its size and format.
    pub desc: TargetDesc,
    /// File to write afterwards.
    pub save: Option<PathBuf>,
    /// Whether a PNG of floats is sRGB-encoded.
    pub encode_srgb: bool,
    /// What must be in it afterwards.
    pub expect: Vec<TexelExpectation>,
}

/// What texels of a target must be.
#[derive(Clone, PartialEq, Debug)]
pub struct TexelExpectation {
    /// The texels: left, top, width, height.
    pub rect: [u32; 4],
    /// The layer.
    pub layer: u32,
    /// The first channels.
    pub channels: Vec<f64>,
    /// How far each may be from that.
    pub within: f64,
    /// Its location in the scene file.
    pub location: SourceLocation,
}

/// Formats in scenes, with their names.
fn format(n: &Node<'_>) -> Result<TargetFormat> {
    let word = n.str()?;
    let depth = DepthFormat::ALL.iter().find(|row| row.0 == word).map(|row| TargetFormat::Depth(row.1));
    depth.or_else(|| Format::from_name(word).map(TargetFormat::Color)).ok_or_else(|| {
        let names = Format::ALL.iter().map(|row| row.1).chain(DepthFormat::ALL.iter().map(|row| row.0));
        n.error(format!("`{word}` is not one of {}", list(names)))
    })
}

/// A number, or up to four of them.
fn numbers(n: &Node<'_>) -> Result<Vec<f64>> {
    let out: Vec<f64> = if n.is_array() { n.list()?.iter().map(Node::number).collect::<Result<_>>()? } else { vec![n.number()?] };
    if (1..=4).contains(&out.len()) { Ok(out) } else { Err(n.error(format!("expected 1 to 4 numbers, found {}", out.len()))) }
}

fn clear(t: &Table<'_>, format: TargetFormat) -> Result<Clear> {
    let value = t.take("clear");
    let stencil = t.take("stencil");
    match format {
        TargetFormat::Depth(depth) => {
            let stencil = match &stencil {
                Some(n) if !depth.has_stencil() => return Err(n.error(format!("{format} has no stencil values"))),
                Some(n) => n.u32()?,
                None => 0,
            };
            let depth = value.map_or(Ok(1.0), |n| match n.float()? {
                d if (0.0..=1.0).contains(&d) => Ok(d),
                d => Err(n.error(format!("{d} is not between 0 and 1"))),
            })?;
            Ok(Clear::Depth(depth, stencil))
        }
        TargetFormat::Color(color) => {
            if let Some(n) = stencil {
                return Err(n.error(format!("{format} has no stencil values")));
            }
            let mut values = value.as_ref().map_or(Ok(Vec::new()), numbers)?;
            values.resize(4, 0.0);
            Ok(match color.channel() {
                Channel::Uint32 => Clear::Uint([0, 1, 2, 3].map(|i| values[i] as u32)),
                Channel::Sint32 => Clear::Uint([0, 1, 2, 3].map(|i| values[i] as i32 as u32)),
                Channel::Unorm8 | Channel::Float16 | Channel::Float32 => Clear::Float([0, 1, 2, 3].map(|i| values[i] as f32)),
            })
        }
    }
}

/// Reads one table of `[targets]`.
pub(super) fn target(name: &str, n: &Node<'_>) -> Result<TargetSource> {
    let t = n.table()?;
    let size_node = t.need("size")?;
    let [width, height] = match size_node.list()?.as_slice() {
        [w, h] => [w.u32()?, h.u32()?],
        other => return Err(size_node.error(format!("expected width and height, found {} numbers", other.len()))),
    };
    let format = t.or("format", format, TargetFormat::Color(Format::Rgba8Unorm))?;
    let desc = TargetDesc {
        width,
        height,
        layers: t.or("layers", Node::u32, 1)?,
        samples: t.or("samples", Node::u32, 1)?,
        format,
        clear: clear(&t, format)?,
    };
    let slots = t.take("bind").map_or(Ok(Vec::new()), |b| slots_of(&b.strings()?, n))?;
    let save = t.take("save");
    if let Some(n) = &save {
        if matches!(format, TargetFormat::Depth(_)) && extension(n)? == "png" {
            return Err(n.error(format!("a PNG cannot hold {format}; save it as `.bin`")));
        }
        let texels =
            Texels { format: crate::results::color_of(format), width: desc.width, height: desc.height, depth: desc.layers, levels: 1 };
        picture_file(n, "targets", &texels)?;
    }
    let encode_srgb = t.or("encode", |n| n.word(&[("linear", false), ("srgb", true)]), false)?;
    let expect = t.take("expect").map_or(Ok(Vec::new()), |n| n.list()?.iter().map(|e| expectation(e, &desc)).collect())?;
    t.finish()?;
    Ok(TargetSource {
        target: Target { name: name.to_string(), slots, location: n.location.clone() },
        desc,
        save: save.map(|n| n.str().map(PathBuf::from)).transpose()?,
        encode_srgb,
        expect,
    })
}

/// `{ at = [x, y], is = [r, g, b, a] }`; without `at` all texels.
fn expectation(n: &Node<'_>, desc: &TargetDesc) -> Result<TexelExpectation> {
    let t = n.table()?;
    let pair = |n: &Node<'_>| match n.list()?.as_slice() {
        [x, y] => Ok([x.u32()?, y.u32()?]),
        other => Err(n.error(format!("expected 2 numbers, found {}", other.len()))),
    };
    let (at, size) = (t.take("at"), t.take("size"));
    let [x, y] = at.as_ref().map_or(Ok([0, 0]), pair)?;
    let whole = if at.is_some() { [1, 1] } else { [desc.width, desc.height] };
    let [width, height] = size.as_ref().map_or(Ok(whole), pair)?;
    let inside = |at: u32, size: u32, all: u32| size > 0 && at.checked_add(size).is_some_and(|end| end <= all);
    if !inside(x, width, desc.width) || !inside(y, height, desc.height) {
        return Err(n.error(format!("these texels are not inside of a target of {} x {}", desc.width, desc.height)));
    }
    let layer = t.or("layer", Node::u32, 0)?;
    if layer >= desc.layers {
        return Err(n.error(format!("layer {layer} of a target of {} layers", desc.layers)));
    }
    let is = t.need("is")?;
    let channels = numbers(&is)?;
    let (has, close) = match desc.format {
        TargetFormat::Depth(_) => (1, 1e-4),
        TargetFormat::Color(f) => match f.channel() {
            Channel::Uint32 | Channel::Sint32 => (f.channels(), 0.0),
            Channel::Unorm8 => (f.channels(), 0.6 / 255.0),
            Channel::Float16 => (f.channels(), 1e-3),
            Channel::Float32 => (f.channels(), 1e-4),
        },
    };
    if channels.len() > has as usize {
        return Err(is.error(format!("{} has {has} channels, {} are given", desc.format, channels.len())));
    }
    let within = t.or("within", Node::number, close)?;
    t.finish()?;
    Ok(TexelExpectation { rect: [x, y, width, height], layer, channels, within, location: n.location.clone() })
}
