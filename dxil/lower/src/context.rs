//! What is shared while a module is written.

use rtc_ir as ir;

use super::facts::Facts;
use super::{LowerError, Profile};
use crate::debug::plan::Plan;
use rtc_dxil_module::Module;

/// The module that is read, the one that is made, and what went wrong.
pub struct Cx<'m> {
    /// The IR.
    pub m: &'m ir::Module,
    /// Its facts.
    pub facts: &'m Facts,
    /// What is made.
    pub out: Module,
    /// What is compiled.
    pub profile: Profile,
    /// Whether sums of products may be contracted: not without optimisation, nor where denormals are flushed after each operation.
    pub contract: bool,
    /// Whether components may be computed together: optimised code for a shader model with arithmetic on vectors.
    pub vectors: bool,
    /// What went wrong.
    pub errors: Vec<LowerError>,
    /// What is noted for debug information: of each function that is finished.
    pub plans: Vec<Plan>,
}

impl Cx<'_> {
    /// Whether a library is compiled.
    pub fn is_library(&self) -> bool {
        self.profile == Profile::Library
    }
}

/// The name of a function in the module: libraries keep the mangled one, and what is no entry point has no other.
pub fn symbol<'a>(cx: &Cx<'a>, f: &'a ir::Function) -> &'a str {
    if cx.is_library() || !f.is_started() { &f.symbol } else { &f.name }
}
