//! `ISG1`, `OSG1`, `PSG1`: inputs and outputs of a stage. Compute shaders have empty ones. Records are read one by one; they are
//! written from the elements in metadata.

use rtc_tables::pipeline::Domain;
use rtc_tables::resources::CompType;
use rtc_tables::signature::Semantic;

use super::bytes::pad4;
use super::{Bytes, FormatError, Version, put_u32};
use crate::metadata::signature::SignatureElement;

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

/// What the form of the part depends on.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The validator version.
    pub validator: Version,
    /// 16-bit types are native.
    pub native_16bit: bool,
    /// The masks say which components are read, not which are never written.
    pub input: bool,
    /// The domain of the patches, of hull and domain shaders.
    pub domain: Option<Domain>,
}

impl Form {
    fn since(self, minor: u32) -> bool {
        self.validator.major == 0 || self.validator >= Version::new(1, minor)
    }
}

/// The data of an empty part.
pub fn empty() -> Vec<u8> {
    let mut out = Vec::new();
    put_u32(&mut out, 0);
    put_u32(&mut out, HEADER as u32);
    out
}

/// The part's data: a record for each row, by stream, register and place of the name. Names are in the order of the elements. Equal names
/// are stored once since validator version 1.7, those of system values always.
pub fn write(elements: &[SignatureElement], form: Form) -> Vec<u8> {
    let rows: usize = elements.iter().map(|e| e.indices.len()).sum();
    let names_at = HEADER + rows * ELEMENT;
    let mut names: Vec<u8> = Vec::new();
    let mut known: Vec<(&str, u32)> = Vec::new();
    let mut records: Vec<([u32; 3], [u32; 8])> = Vec::with_capacity(rows);
    for e in elements {
        let shares = form.since(7) || e.semantic != Semantic::Arbitrary;
        let shared = known.iter().find(|(n, _)| *n == e.name && shares);
        let name = match shared {
            Some(&(_, at)) => at,
            None => {
                let at = (names_at + names.len()) as u32;
                names.extend_from_slice(e.name.as_bytes());
                names.push(0);
                known.push((&e.name, at));
                at
            }
        };
        let used = u32::from(e.usage) << if e.row.is_some() { e.column } else { 0 };
        let second = match (form.since(5), form.input) {
            (true, true) => used & 0xff,
            (true, false) => !used & 0xf,
            (false, true) => 0,
            (false, false) => !u32::from(e.mask()) & 0xff,
        };
        for (n, &index) in e.indices.iter().enumerate() {
            // With spare indices all records say the first register.
            let register = e.row.map_or(u32::MAX, |r| if e.spare_indices == 0 { r + n as u32 } else { r });
            let masks = u32::from(e.mask()) | second << 8;
            let precision = if form.native_16bit { 0 } else { min_precision(e.component) };
            let system_value = e.semantic.system_value(form.domain, index);
            let fields = [e.stream, name, index, system_value, component(e.component, form.since(5)), register, masks, precision];
            records.push(([e.stream, register, name], fields));
        }
    }
    sort(&mut records);
    let mut out = Vec::new();
    put_u32(&mut out, records.len() as u32);
    put_u32(&mut out, HEADER as u32);
    for word in records.iter().flat_map(|r| r.1) {
        put_u32(&mut out, word);
    }
    out.extend_from_slice(&names);
    if form.since(7) {
        pad4(&mut out);
    }
    out
}

/// The data with records that the order of the part does not distinguish in an order of their own. A compiler leaves them as the sort of
/// its C++ library does; there is more than one.
pub fn settled(data: &[u8]) -> Vec<u8> {
    const WORD: usize = 4;
    let mut out = data.to_vec();
    let word = |at: usize| data.get(at..at + WORD);
    let count = word(0).map_or(0, |w| w.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b)));
    let Some(end) = count.checked_mul(ELEMENT).map(|bytes| bytes + HEADER).filter(|&end| end <= data.len()) else { return out };
    // Stream, name and register.
    let key = |n: usize| [0, 4, 20].map(|at| word(HEADER + n * ELEMENT + at));
    let mut first = 0;
    while first < count {
        let alike = (first..count).take_while(|&n| key(n) == key(first)).count();
        let mut records: Vec<&[u8]> = data[HEADER..end].chunks_exact(ELEMENT).skip(first).take(alike).collect();
        records.sort_unstable();
        let at = HEADER + first * ELEMENT;
        out[at..at + alike * ELEMENT].copy_from_slice(&records.concat());
        first += alike;
    }
    out
}

/// The number of a component type in records.
pub fn component(c: CompType, newer: bool) -> u32 {
    match c {
        CompType::I1 => u32::from(newer),
        CompType::U32 => 1,
        CompType::I32 => 2,
        CompType::F32 => 3,
        CompType::U16 => 4,
        CompType::I16 => 5,
        CompType::F16 => 6,
        _ => 0,
    }
}

/// The name of a component type in listings, by its number in records.
pub fn component_name(number: u32) -> &'static str {
    ["unknown", "uint", "int", "float", "uint16", "int16", "fp16"].get(number as usize).copied().unwrap_or("unknown")
}

fn min_precision(c: CompType) -> u32 {
    match c {
        CompType::F16 => 1,
        CompType::I16 => 4,
        CompType::U16 => 5,
        _ => 0,
    }
}

/// Up to so many records are sorted by insertion.
const INSERTION: usize = 16;

/// Sorts as the C++ library of the reference does, which leaves equal records in an order of its own: introsort down to small ranges,
/// then insertion.
fn sort<T: Copy>(r: &mut [([u32; 3], T)]) {
    // Ranges that are still to be partitioned: the right part of each is done first.
    let mut todo = vec![(0, r.len())];
    while let Some((first, mut last)) = todo.pop() {
        while last - first > INSERTION {
            let cut = partition(r, first, last);
            todo.push((cut, last));
            last = cut;
        }
    }
    for i in 1..r.len() {
        let moving = r[i];
        let mut at = i;
        while at > 0 && moving.0 < r[at - 1].0 {
            r[at] = r[at - 1];
            at -= 1;
        }
        r[at] = moving;
    }
}

/// Moves the median of three to the front and partitions what comes after it; gives where the second part begins.
fn partition<T: Copy>(r: &mut [([u32; 3], T)], first: usize, last: usize) -> usize {
    let (a, b, c) = (first + 1, first + (last - first) / 2, last - 1);
    let less = |r: &[([u32; 3], T)], x: usize, y: usize| r[x].0 < r[y].0;
    let median = match (less(r, a, b), less(r, b, c), less(r, a, c)) {
        (true, true, _) => b,
        (true, false, true) => c,
        (true, false, false) => a,
        (false, _, true) => a,
        (false, true, false) => c,
        (false, false, false) => b,
    };
    r.swap(first, median);
    let pivot = r[first].0;
    let (mut low, mut high) = (first + 1, last);
    loop {
        while r[low].0 < pivot {
            low += 1;
        }
        high -= 1;
        while pivot < r[high].0 {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        r.swap(low, high);
        low += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_records_are_sorted() {
        let mut seed = 1u32;
        for len in [0, 1, 16, 17, 40, 200] {
            let mut records: Vec<([u32; 3], u32)> = (0..len)
                .map(|n| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ([0, seed >> 28, 0], n)
                })
                .collect();
            let mut all: Vec<u32> = records.iter().map(|r| r.1).collect();
            sort(&mut records);
            assert!(records.windows(2).all(|w| w[0].0 <= w[1].0));
            let mut found: Vec<u32> = records.iter().map(|r| r.1).collect();
            found.sort_unstable();
            all.sort_unstable();
            assert_eq!(found, all);
        }
    }
}
