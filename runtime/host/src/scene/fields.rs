//! Readers of fields that several tables of a scene have.

use super::Target;
use super::reader::{Node, Table};
use crate::device::Slot;
use crate::error::{Result, list};
use crate::picture::{FileFormat, Texels};

/// Reads `bind`; without it the key itself is the slot.
pub(super) fn target(name: &str, node: &Node<'_>, t: &Table<'_>) -> Result<Target> {
    let words = match t.take("bind") {
        None => vec![name.to_string()],
        Some(n) => n.strings()?,
    };
    Ok(Target { name: name.to_string(), slots: slots_of(&words, node)?, location: node.location.clone() })
}

/// The slots that these words name.
pub(super) fn slots_of(words: &[String], node: &Node<'_>) -> Result<Vec<(Slot, u32)>> {
    words.iter().map(|w| slot(w, node)).collect()
}

/// Width, height and depth of something that runs; the last two may be left out.
pub(super) fn extent(n: &Node<'_>) -> Result<[u32; 3]> {
    let items = n.list()?;
    if items.is_empty() || items.len() > 3 {
        return Err(n.error("expected width, height and depth, the last two optional"));
    }
    let mut out = [1; 3];
    for (o, item) in out.iter_mut().zip(&items) {
        *o = item.u32()?;
        if *o == 0 {
            return Err(item.error("a dispatch of size 0 runs nothing"));
        }
    }
    Ok(out)
}

/// `Textures[3]` is element 3 of `Textures`.
fn slot(word: &str, node: &Node<'_>) -> Result<(Slot, u32)> {
    match word.strip_suffix(']').and_then(|w| w.split_once('[')) {
        None => Ok((Slot::parse(word), 0)),
        Some((base, element)) => {
            let element = element.parse().map_err(|_| node.error(format!("`{element}` is not an array index")))?;
            Ok((Slot::parse(base), element))
        }
    }
}

/// The extension of a file name; empty if it has none.
pub(super) fn extension<'a>(n: &Node<'a>) -> Result<&'a str> {
    Ok(n.str()?.rsplit_once('.').map_or("", |e| e.1))
}

/// Checks that a file of pictures can hold these texels.
pub(super) fn picture_file(n: &Node<'_>, what: &str, texels: &Texels) -> Result<()> {
    let formats = FileFormat::ALL.map(|f| format!(".{}", f.name()));
    let Some(format) = FileFormat::from_name(extension(n)?) else {
        return Err(n.error(format!("{what} are saved as {}", list(formats))));
    };
    format.refuses(texels).map_or(Ok(()), |why| Err(n.error(why)))
}

/// A number of at most 24 bits.
pub(super) fn bits24(n: &Node<'_>) -> Result<u32> {
    let i = n.u32()?;
    if i < 1 << 24 { Ok(i) } else { Err(n.error(format!("{i} has more than 24 bits"))) }
}

/// An axis-aligned box: `[[min], [max]]`.
pub(super) fn bounds(n: &Node<'_>) -> Result<[f32; 6]> {
    let ends = n.list()?;
    let [a, b] = ends.as_slice() else {
        return Err(n.error("expected two corners: [[min], [max]]"));
    };
    let (a, b) = (a.floats::<3>()?, b.floats::<3>()?);
    Ok([a[0], a[1], a[2], b[0], b[1], b[2]])
}

/// A list of vectors.
pub(super) fn rows<const N: usize>(n: &Node<'_>) -> Result<Vec<[f32; N]>> {
    n.list()?.iter().map(Node::floats).collect()
}
