//! What pipeline information says of signatures is what the module says: elements, and which outputs depend on which inputs.
//! Where texts and indices lie in their tables is free, but something refers to each of them.

use super::shape::{INFO, Shape};
use super::{Cx, ELEMENT, Psv, says_nothing};
use rtc_dxil_container::metadata::signature::{SignatureElement, Signatures};
use rtc_tables::signature::Semantic;
use rtc_tables::validation::rule;
use rustc_hash::FxHashSet;

/// An element as the part has it.
struct Record<'a> {
    /// Where its name lies in the texts.
    name: usize,
    /// Where its indices begin.
    indices: usize,
    /// Rows, registers, types: compared as they are.
    rest: &'a [u8],
}

impl Record<'_> {
    fn read(bytes: &[u8]) -> Record<'_> {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize;
        Record { name: word(0), indices: word(4), rest: &bytes[8..] }
    }
    fn rows(&self) -> usize {
        self.rest[0].into()
    }
}

/// What is referred to.
struct Used {
    texts: FxHashSet<usize>,
    indices: Vec<bool>,
}

/// Compares elements and dependencies with those of the module, and looks for texts and indices that nothing refers to.
/// `made` is the part that follows from the module, `stored` the part that is checked.
pub(super) fn check(cx: &mut Cx<'_>, shape: &Shape<'_>, made: &[u8], signatures: &Signatures, stored: &Psv) {
    let mut used = Used { texts: FxHashSet::default(), indices: vec![false; shape.indices.len()] };
    if shape.info >= INFO[1] {
        let Ok(made) = Shape::read(made) else { return };
        let lists = [&signatures.inputs, &signatures.outputs, &signatures.patch];
        let counts = lists.map(|l| l.len() as u8);
        if stored.signature_counts[..3] != counts {
            return; // which has been reported
        }
        let elements = lists.into_iter().flatten();
        for (n, (element, bytes)) in elements.zip(shape.elements.chunks_exact(ELEMENT)).enumerate() {
            let record = Record::read(bytes);
            let at = shape.elements_at + n * ELEMENT;
            if used.mark(cx, shape, &record, at) {
                let same = made.elements.chunks_exact(ELEMENT).nth(n).map(Record::read);
                compare(cx, shape, &record, element, same.is_some_and(|r| r.rest == record.rest), at);
            }
        }
        let silent = vec![0; made.tables.len()];
        let expected = if says_nothing(cx) { &silent } else { made.tables };
        if shape.tables != expected {
            let at = shape.tables.iter().zip(expected).position(|(a, b)| a != b).unwrap_or_default();
            let text = "says of other outputs that they depend on an input or the view than the module";
            cx.part(rule::CONTENT_MATCHES, "PSV0", shape.tables_at + at, text);
        }
    }
    if shape.info >= INFO[3] {
        used.texts.insert(shape.entry);
    }
    used.unused(cx, shape);
}

/// Name, indices and all else of an element are those of the module.
fn compare(cx: &mut Cx<'_>, shape: &Shape<'_>, record: &Record<'_>, element: &SignatureElement, same: bool, at: usize) {
    let name = shape.strings[record.name..].split(|&b| b == 0).next().unwrap_or_default();
    let named = element.semantic != Semantic::Arbitrary || name == element.name.as_bytes();
    let indices = &shape.indices[record.indices..][..record.rows()];
    if !same || !named || indices != element.indices {
        let spelled = String::from_utf8_lossy(name).escape_debug().to_string();
        let text = format!("says of the element `{}` of a signature something else than the module (name `{spelled}`)", element.name);
        cx.part(rule::CONTENT_MATCHES, "PSV0", at, text);
    }
}

impl Used {
    /// Records what an element refers to. Reports what is not there.
    fn mark(&mut self, cx: &mut Cx<'_>, shape: &Shape<'_>, record: &Record<'_>, at: usize) -> bool {
        let mut there = true;
        if record.name < shape.strings.len() {
            self.texts.insert(record.name);
        } else {
            cx.part(rule::CONTENT_INVALID, "PSV0", at, "has an element whose name lies outside of the texts");
            there = false;
        }
        match self.indices.get_mut(record.indices..record.indices + record.rows()) {
            Some(all) if !shape.indices.is_empty() => all.fill(true),
            _ => {
                cx.part(rule::CONTENT_INVALID, "PSV0", at + 4, "has an element whose indices lie outside of their table");
                there = false;
            }
        }
        there
    }

    /// Reports texts and indices that nothing refers to. Zeros at the end fill up to four bytes; an empty text at the beginning is
    /// always there.
    fn unused(&self, cx: &mut Cx<'_>, shape: &Shape<'_>) {
        let texts = shape.strings;
        let zeros = texts.iter().rev().take(3).take_while(|&&b| b == 0).count();
        let mut at = 0;
        for text in texts.split_inclusive(|&b| b == 0) {
            let start = at;
            at += text.len();
            let text = &text[..text.len() - 1];
            let fills = text.is_empty() && (start == 0 || start >= texts.len() - zeros);
            if !fills && !self.texts.contains(&start) {
                let text = String::from_utf8_lossy(text).escape_debug().to_string();
                cx.part(rule::UNUSED_ITEM, "PSV0", shape.strings_at + start, format!("has the text `{text}`, which nothing uses"));
            }
        }
        let unused = self.indices.iter().filter(|&&u| !u).count();
        if unused > 0 {
            let at = shape.strings_at + texts.len();
            cx.part(rule::UNUSED_ITEM, "PSV0", at, format!("has {unused} semantic indices, which nothing uses"));
        }
    }
}
