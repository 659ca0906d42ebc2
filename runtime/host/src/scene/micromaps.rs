//! Opacity micromaps of a mesh: states of micro-triangles as digits, and an index for each triangle.
//!
//! `micromaps = { maps = ["0111", "1"], indices = [0, -1, 1], base = 0, format = "two_state" }`: each map has a digit for each of its
//! 4^level micro-triangles in the order of the specification's curve (0 transparent, 1 opaque, 2 unknown and rather
//! transparent, 3 unknown and rather opaque). `indices` has one for each triangle of the geometry, left out: their order.

use super::reader::Node;
use crate::device::{MICROMAP_MAX_LEVEL, MicromapArrayDesc, MicromapEntry, MicromapFormat};
use crate::error::Result;

/// Micromaps of a geometry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MicromapSource {
    /// The array to build; none: indices that need no micromap are all there is.
    pub array: Option<MicromapArrayDesc>,
    /// See [`GeometryMicromaps`](crate::device::GeometryMicromaps).
    pub indices: Option<Vec<i32>>,
    /// Added to what is not a special index.
    pub base: u32,
}

/// Reads the table.
pub(super) fn read(n: &Node<'_>) -> Result<MicromapSource> {
    let t = n.table()?;
    let format = |n: &Node<'_>| n.word(&[("two_state", MicromapFormat::TwoState), ("four_state", MicromapFormat::FourState)]);
    let format = t.or("format", format, MicromapFormat::FourState)?;
    let mut array = MicromapArrayDesc::default();
    if let Some(maps) = t.take("maps") {
        for map in maps.list()? {
            append(&mut array, &map, format)?;
        }
    }
    let index = |n: &Node<'_>| {
        let i = n.integer()?;
        i32::try_from(i).map_err(|_| n.error(format!("{i} is not a micromap index")))
    };
    let indices = t.take("indices").map(|n| n.list()?.iter().map(index).collect::<Result<_>>()).transpose()?;
    let base = t.or("base", Node::u32, 0)?;
    t.finish()?;
    Ok(MicromapSource { array: (!array.entries.is_empty()).then_some(array), indices, base })
}

/// Appends one micromap, whose digits are the text of a node.
fn append(array: &mut MicromapArrayDesc, n: &Node<'_>, format: MicromapFormat) -> Result<()> {
    let digits = n.str()?.as_bytes();
    let level = digits.len().max(1).ilog2() / 2;
    if digits.len() != 1 << (2 * level) || level > MICROMAP_MAX_LEVEL {
        return Err(n.error(format!("expected 1, 4, 16, 64, … digits, found {}", digits.len())));
    }
    let bits = format as usize;
    let begin = array.data.len();
    array.data.resize(begin + format.bytes(level), 0);
    for (i, digit) in digits.iter().enumerate() {
        let state = digit.wrapping_sub(b'0');
        if state >= 1 << bits {
            return Err(n.error(format!("expected digits from 0 to {}", (1 << bits) - 1)));
        }
        array.data[begin + i * bits / 8] |= state << (i * bits % 8);
    }
    let offset = u32::try_from(begin).map_err(|_| n.error("the micromaps are too large"))?;
    array.entries.push(MicromapEntry { offset, level, format });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micromaps(text: &str) -> MicromapSource {
        let mesh = format!("[meshes.m]\ntriangles = {{ positions = [[0, 0, 0], [0, 1, 0], [1, 0, 0]] }}\nmicromaps = {text}\n");
        super::super::tests::meshes(&mesh)[0].parts[0].micromaps.clone().expect("micromaps")
    }

    #[test]
    fn digits_become_bits() {
        let m = micromaps(r#"{ maps = ["0123", "3"], indices = [0] }"#);
        let array = m.array.expect("an array");
        assert_eq!(array.data, [0b1110_0100, 0b11]);
        let entry = |offset, level| MicromapEntry { offset, level, format: MicromapFormat::FourState };
        assert_eq!(array.entries, [entry(0, 1), entry(1, 0)]);
        assert_eq!((m.indices, m.base), (Some(vec![0]), 0));
        let two = micromaps(r#"{ maps = ["1000000000000001"], format = "two_state", base = 3 }"#);
        assert_eq!((two.array.expect("an array").data, two.base), (vec![1, 0x80], 3));
        assert_eq!(micromaps("{ indices = [-2] }").array, None);
    }

    #[test]
    fn mistakes_are_named() {
        let fails = |map: &str, why: &str| {
            let mesh = format!("[meshes.m]\ntriangles = {{ positions = [] }}\nmicromaps = {map}\n");
            super::super::tests::fails(&mesh, &format!("dir/scene.toml:7: `meshes.m.micromaps.{why}"));
        };
        fails(r#"{ maps = ["01"] }"#, "maps[0]`: expected 1, 4, 16, 64, … digits, found 2");
        fails(r#"{ maps = ["0", ""] }"#, "maps[1]`: expected 1, 4, 16, 64, … digits, found 0");
        fails(r#"{ maps = ["4"] }"#, "maps[0]`: expected digits from 0 to 3");
        fails(r#"{ maps = ["2"], format = "two_state" }"#, "maps[0]`: expected digits from 0 to 1");
        fails(r#"{ maps = ["x"] }"#, "maps[0]`: expected digits from 0 to 3");
        fails("{ indices = [5000000000] }", "indices[0]`: 5000000000 is not a micromap index");
        let boxes = "[meshes.m]\nboxes = [[[0, 0, 0], [1, 1, 1]]]\nmicromaps = {}\n";
        super::super::tests::fails(boxes, "dir/scene.toml:7: `meshes.m.micromaps`: boxes cannot have micromaps");
    }
}
