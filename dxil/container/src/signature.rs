//! `ISG1`, `OSG1`, `PSG1`: inputs and outputs of a stage. Compute shaders have empty ones.

use super::bytes::pad4;
use super::{Bytes, FormatError, put_u32};

/// One element.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Element {
    /// Output stream.
    pub stream: u32,
    /// Semantic name.
    pub name: String,
    /// Semantic index.
    pub index: u32,
    /// System value, 0 for none.
    pub system_value: u32,
    /// Component type.
    pub component: u32,
    /// Register.
    pub register: u32,
    /// Components that it has.
    pub mask: u8,
    /// Components that are always read, or never written.
    pub usage: u8,
    /// Minimum precision.
    pub min_precision: u32,
}

const HEADER: usize = 8;
const ELEMENT: usize = 32;

/// Reads such a part; `part` names it in errors.
///
/// # Errors
/// When a count or a name does not fit.
pub fn read(part: &'static str, data: &[u8]) -> Result<Vec<Element>, FormatError> {
    let b = Bytes::new(part, data);
    let (count, start) = (b.u32(0)?, b.u32(4)? as usize);
    b.slice(start, u64::from(count) * ELEMENT as u64)?;
    let mut out = Vec::with_capacity(count as usize);
    for i in 0..count as usize {
        let at = start + i * ELEMENT;
        let name = b.text(b.u32(at + 4)? as usize)?;
        // Names are shared; a real one is short.
        if name.len() > 4096 {
            return Err(b.error(at + 4, format!("semantic name of {} bytes", name.len())));
        }
        out.push(Element {
            stream: b.u32(at)?,
            name: name.to_owned(),
            index: b.u32(at + 8)?,
            system_value: b.u32(at + 12)?,
            component: b.u32(at + 16)?,
            register: b.u32(at + 20)?,
            mask: b.u8(at + 24)?,
            usage: b.u8(at + 25)?,
            min_precision: b.u32(at + 28)?,
        });
    }
    Ok(out)
}

/// The part's data; equal names are stored once.
pub fn write(elements: &[Element]) -> Vec<u8> {
    let mut out = Vec::new();
    put_u32(&mut out, elements.len() as u32);
    put_u32(&mut out, HEADER as u32);
    let mut names: Vec<u8> = Vec::new();
    let mut known: Vec<(&str, u32)> = Vec::new();
    let names_at = HEADER + elements.len() * ELEMENT;
    for e in elements {
        let at = match known.iter().find(|(n, _)| *n == e.name) {
            Some(&(_, at)) => at,
            None => {
                let at = (names_at + names.len()) as u32;
                names.extend_from_slice(e.name.as_bytes());
                names.push(0);
                known.push((&e.name, at));
                at
            }
        };
        for word in [e.stream, at, e.index, e.system_value, e.component, e.register] {
            put_u32(&mut out, word);
        }
        put_u32(&mut out, u32::from(e.mask) | u32::from(e.usage) << 8);
        put_u32(&mut out, e.min_precision);
    }
    out.extend_from_slice(&names);
    pad4(&mut out);
    out
}
