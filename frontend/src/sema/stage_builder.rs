//! The interface of an entry point under construction: what its declarations say, and the elements so far.

use rtc_base::{Span, Symbol};
use rtc_ir::ElementRole;
use rtc_ir::inline::Decoration;
use rtc_tables::signature::{Interpolation, SigPoint};

use crate::hir::StageInterface;

/// What a declaration says of itself, and inherits from those around it.
#[derive(Clone, Copy, Default)]
pub struct Declared {
    /// The semantic.
    pub semantic: Option<Symbol>,
    /// The interpolation mode; undefined if there is none.
    pub interpolation: Interpolation,
    /// `[[vk::location(n)]]`
    pub location: Option<u32>,
    /// `[[vk::index(n)]]`
    pub blend_index: Option<u32>,
    /// The declaration.
    pub span: Span,
}

/// The semantic of a structure, with the index of the next member.
pub struct Outer {
    /// The name.
    pub name: String,
    /// The index.
    pub next: u32,
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
}

impl Builder {
    /// Decorates the variables of the elements from number `first` on.
    pub fn decorate(&mut self, first: usize, decorations: &[Decoration]) {
        for e in &mut self.out.elements[first..] {
            e.decorations.extend_from_slice(decorations);
        }
    }
}
