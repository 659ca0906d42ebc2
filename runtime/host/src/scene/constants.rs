//! Values in a scene: those with a type, of the camera, and of the frame; constant buffers, whose members they are.

use super::fields::target;
use super::frames::{self, FRAME_VALUES, Frames, Member, NamedMember};
use super::reader::Node;
use super::values::{Type, scalars};
use super::{CAMERA_VALUES, Camera, Constants};
use crate::error::{Result, list};

/// The members of a constant buffer, in order; each may follow the frame.
fn following<'a>(entries: impl Iterator<Item = (&'a str, Node<'a>)>, camera: Option<&Camera>) -> Result<Vec<NamedMember>> {
    let mut out = Vec::new();
    for (name, node) in entries {
        // A value of the camera is checked, and looked up again in each frame.
        let value = match only_entry(&node) {
            Some(("frame", value)) => {
                let name = value.str()?;
                if !FRAME_VALUES.iter().any(|v| v.0 == name) {
                    let known = list(FRAME_VALUES.map(|v| v.0));
                    return Err(value.error(format!("unknown frame value `{name}`")).note(format!("it has {known}")));
                }
                Member::Frame(name.to_string())
            }
            Some(("camera", value)) => {
                typed(&node, camera)?;
                Member::Camera(value.text()?)
            }
            _ => {
                let (ty, bits) = typed(&node, camera)?;
                Member::Fixed(ty, bits)
            }
        };
        out.push(NamedMember { name: name.to_string(), offset: offset(name, &node)?, value, location: node.location.clone() });
    }
    Ok(out)
}

/// The key and value of a table that has one.
fn only_entry<'a>(node: &Node<'a>) -> Option<(&'a str, Node<'a>)> {
    let table = node.is_table().then(|| node.table().ok())??;
    let mut entries = table.iter();
    let first = entries.next()?;
    entries.next().is_none().then_some(first)
}

/// The largest offset: a constant buffer has 65,536 bytes.
const LAST_OFFSET: u32 = 65_532;

/// The byte offset of a key like `@16`, which no member is called.
fn offset(key: &str, node: &Node<'_>) -> Result<Option<u32>> {
    let Some(digits) = key.strip_prefix('@') else { return Ok(None) };
    let at =
        digits.parse::<u32>().ok().filter(|at| digits.bytes().all(|b| b.is_ascii_digit()) && at.is_multiple_of(4) && *at <= LAST_OFFSET);
    at.map(Some).ok_or_else(|| node.error(format!("`{key}` is not an offset: a multiple of 4 up to {LAST_OFFSET}, for example `@16`")))
}

/// The members of a constant buffer that does not follow the frame.
pub(super) fn members<'a>(entries: impl Iterator<Item = (&'a str, Node<'a>)>, camera: Option<&Camera>) -> Result<Vec<NamedMember>> {
    let member = |(name, node): (&str, Node<'_>)| {
        let (ty, bits) = typed(&node, camera)?;
        let offset = offset(name, &node)?;
        Ok(NamedMember { name: name.to_string(), offset, value: Member::Fixed(ty, bits), location: node.location.clone() })
    };
    entries.map(member).collect()
}

/// `{ float3 = [0, 1, 0] }` or `{ camera = "eye" }`.
pub(super) fn typed(node: &Node<'_>, camera: Option<&Camera>) -> Result<(Type, Vec<u32>)> {
    let shape = "expected `{ <type> = <value> }`, for example `{ float3 = [0, 1, 0] }`";
    if !node.is_table() {
        return Err(node.error(shape));
    }
    let t = node.table()?;
    let mut entries = t.iter();
    let (Some((name, value)), None) = (entries.next(), entries.next()) else {
        return Err(node.error(shape));
    };
    if name == "camera" {
        let Some(camera) = camera else {
            return Err(value.error("the scene has no `[camera]`"));
        };
        let wanted = value.str()?;
        return camera.value(wanted).ok_or_else(|| {
            value.error(format!("unknown camera value `{wanted}`")).note(format!("it has {}", list(CAMERA_VALUES.map(|v| v.0))))
        });
    }
    if name == "frame" {
        return Err(value.error("only members under `[constants]` follow the frame"));
    }
    let Some(ty) = Type::parse(name) else {
        return Err(value.error(format!("unknown type `{name}`")).note(
            "types: float, int, uint, bool; vectors like float3; matrices like float3x4 and row_major_float3x4; arrays like float4[2]",
        ));
    };
    let bits = scalars(&value, ty)?;
    Ok((ty, bits))
}

pub(super) fn constants(name: &str, n: &Node<'_>, camera: Option<&Camera>) -> Result<Constants> {
    let t = n.table()?;
    let target = target(name, n, &t)?;
    let members = following(t.iter().filter(|(key, v)| *key != "bind" || v.is_table()), camera)?;
    let bytes = frames::pack(&members, camera, &Frames::default().frame(0, 1));
    Ok(Constants { target, bytes, members })
}
