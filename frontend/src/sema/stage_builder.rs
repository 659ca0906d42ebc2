//! The interface of an entry point under construction: what its declarations say, and the elements so far.

use rtc_base::{Span, Symbol};
use rtc_ir::inline::Decoration;
use rtc_ir::{ElementData, ElementRole};
use rtc_tables::signature::{Interpolation, Interpretation, SigPoint};

use crate::hir::{StageInterface, StageNode, StagePlace};

/// What a declaration says of itself, and inherits from those around it.
#[derive(Clone, Copy, Default)]
pub struct Declared {
    /// The semantic.
    pub semantic: Option<Symbol>,
    /// The interpolation mode; undefined if there is none.
    pub interpolation: Interpolation,
    /// What attributes say.
    pub place: StagePlace,
    /// The declaration.
    pub span: Span,
}

/// The semantic of a structure, with the index of the next member.
pub struct Outer {
    /// The name.
    pub name: String,
    /// The index.
    pub next: u32,
    /// Locations of the members so far.
    pub locations: u32,
    /// In how many arrays of structures it is.
    pub depth: u32,
}

/// An interface under construction.
pub struct Builder {
    /// The interface so far.
    pub out: StageInterface,
    /// The signature point of the next elements.
    pub point: SigPoint,
    /// The signature that they are in.
    pub role: ElementRole,
    /// The stream that they are in.
    pub stream: u32,
    /// How many members of arrays of structures each element is a part of; 1 outside of such arrays.
    pub members: u32,
    /// In how many arrays of structures the elements are.
    pub depth: u32,
}

impl Builder {
    /// A builder of the elements of a signature point.
    pub fn new(point: SigPoint, role: ElementRole) -> Builder {
        Builder { out: StageInterface::default(), point, role, stream: 0, members: 1, depth: 0 }
    }
    /// Makes one element of those of each member of an array of structures that has a semantic: the elements from number `first` on are
    /// those of the members so far, and `next` are those of the next one.
    pub fn join(&mut self, first: usize, next: &[ElementData]) {
        for (e, more) in self.out.elements[first..].iter_mut().zip(next) {
            if let (Some(spread), Some(own)) = (&mut e.spread, &more.spread) {
                spread.indices.extend(&own.indices);
                spread.locations.extend(&own.locations);
            }
            e.count += more.count;
        }
    }
    /// Ends an array of structures with a semantic, which began at element `first` and location `start` and has `size` locations: where
    /// elements are one after the other they are arrays like any other.
    pub fn end_array(&mut self, first: usize, start: u32, size: u32, place: StagePlace) {
        let follows = |list: &[u32], step: u32| list.windows(2).all(|w| w[1] == w[0] + step);
        let array = self.out.elements.iter().filter_map(|e| Some(e.spread.as_ref()?.array + 1)).max().unwrap_or(0);
        let plain = place.location.is_none()
            && self.out.elements[first..].iter().all(|e| {
                let spread = e.spread.as_deref();
                spread.is_none_or(|s| follows(&s.indices, 1) && follows(&s.locations, e.locations() / e.count))
            });
        for e in &mut self.out.elements[first..] {
            (e.location, e.blend_index) = (place.location, place.blend_index);
            match &mut e.spread {
                Some(s) if !plain => {
                    (s.array, s.size) = (array, size);
                    for at in &mut s.locations {
                        *at -= start;
                    }
                }
                spread => *spread = None,
            }
        }
    }
    /// The node with an element of its own for each render target. Several from `first` on that are one element are split: the last comes
    /// first.
    pub fn split_targets(&mut self, first: usize, node: &StageNode) -> StageNode {
        let target = |e: &ElementData| e.interpretation == Interpretation::Target && e.registers() > 1;
        let mut numbers: Vec<Option<Vec<u32>>> = Vec::new();
        let mut places = Vec::new();
        for e in self.out.elements.split_off(first) {
            let at = self.out.elements.len() as u32;
            places.push(at);
            if !target(&e) {
                self.out.elements.push(e);
                numbers.push(None);
                continue;
            }
            let indices = e.indices();
            let last = at + indices.len() as u32 - 1;
            for &index in indices.iter().rev() {
                self.out.elements.push(ElementData { index, numbered: true, count: 1, rows: 1, spread: None, ..e.clone() });
            }
            numbers.push(Some((0..indices.len() as u32).map(|n| last - n).collect()));
        }
        if numbers.iter().all(Option::is_none) {
            return node.clone();
        }
        fn split(node: &StageNode, first: usize, numbers: &[Option<Vec<u32>>], places: &[u32]) -> StageNode {
            match node {
                StageNode::Element(n) => match (*n as usize).checked_sub(first).and_then(|n| Some((numbers.get(n)?, places.get(n)?))) {
                    Some((Some(list), _)) => StageNode::Split(list.clone().into()),
                    Some((None, &at)) => StageNode::Element(at),
                    None => StageNode::Absent,
                },
                StageNode::Fields(list) => StageNode::Fields(list.iter().map(|n| split(n, first, numbers, places)).collect()),
                other => other.clone(),
            }
        }
        split(node, first, &numbers, &places)
    }
    /// Decorates the variables of the elements from number `first` on.
    pub fn decorate(&mut self, first: usize, decorations: &[Decoration]) {
        for e in &mut self.out.elements[first..] {
            e.decorations.extend_from_slice(decorations);
        }
    }
}

/// A semantic's name and its index: the digits at its end.
pub fn split(text: &str) -> (String, u32) {
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    match text[name.len()..].parse() {
        Ok(n) => (name.to_string(), n),
        Err(_) => (name.to_string(), 0),
    }
}
