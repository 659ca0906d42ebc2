//! Ids of functions, blocks, instructions and debug locations, and slices of operand pools.

rtc_base::entity! {
    /// A function of a module.
    pub struct Func = "fn";
    /// A basic block of a function.
    pub struct Block = "bb";
    /// An instruction of a function.
    pub struct Inst = "i";
    /// A source position of a function's instructions.
    pub struct Loc = "loc";
}

/// Operands: a slice of [`Body::values`](super::Body::values).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct List {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// Constant indices: a slice of [`Body::indices`](super::Body::indices).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Indices {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl List {
    /// How many operands.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}
