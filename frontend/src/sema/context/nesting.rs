//! The constructs around the current position of the source, as far as they decide what is allowed or said there.

use crate::hir::EnumId;

/// The nesting limit of statements, expressions, types and initialisers together; the parser's limit for each is lower.
pub const MAX_NESTING: u32 = 600;

/// What encloses the current position.
#[derive(Clone, Default)]
pub struct Nesting {
    /// The number of statements, expressions, types and initialisers.
    depth: u32,
    /// The number of classes.
    pub classes: u32,
    /// The members of a cbuffer are being declared.
    pub in_block: bool,
    /// The arguments of `uint2(…)` are being converted, which names the type that they become.
    pub in_constructor: bool,
    /// The enumeration whose enumerators are being checked: its constants are numbers there.
    pub open_enum: Option<EnumId>,
}

/// What [`Nesting::enter_body`] hides.
pub struct SavedNesting {
    depth: u32,
    classes: u32,
}

impl Nesting {
    /// Enters a construct, and says whether that is within the limit. [`Nesting::leave`] follows in any case.
    pub fn enter(&mut self) -> bool {
        self.depth += 1;
        self.depth <= MAX_NESTING
    }

    /// Leaves a construct.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Whether there is space for `more` constructs in each other.
    pub fn has_space(&self, more: u32) -> bool {
        self.depth + more <= MAX_NESTING
    }

    /// Enters the body of a function, which may stand anywhere else.
    pub fn enter_body(&mut self) -> SavedNesting {
        SavedNesting { depth: std::mem::take(&mut self.depth), classes: std::mem::take(&mut self.classes) }
    }

    /// Leaves what [`Nesting::enter_body`] entered.
    pub fn leave_body(&mut self, outer: SavedNesting) {
        (self.depth, self.classes) = (outer.depth, outer.classes);
    }

    /// Enters a class by itself. The result is the number of classes around it before.
    pub fn enter_class(&mut self) -> u32 {
        std::mem::replace(&mut self.classes, 1)
    }
}
