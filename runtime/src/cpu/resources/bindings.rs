//! What is bound to the resources of a program.

/// What is bound to the resources of a program.
#[derive(Default)]
pub struct Bindings {}
