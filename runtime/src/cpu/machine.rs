//! What does not change while a dispatch runs: the program, what is bound to it, its shader tables, the limits.

use super::jit::Code;
use super::lower;
use rtc_dxil::metadata;

/// A program as it is loaded.
pub struct Loaded {
    /// Its code.
    pub code: Code,
    /// Its shaders, in the order of [`Code::shader`].
    pub shaders: Vec<lower::Shader>,
    /// Its resources; [`super::lower`] names them by their number here.
    pub resources: Vec<metadata::Resource>,
    /// Places of calls of the runtime.
    pub sites: Vec<lower::Site>,
    /// Bytes of group-shared memory.
    pub shared_bytes: usize,
}

/// How far shaders may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rounds of loops of one thread.
    pub budget: i64,
    /// Bytes of stack of one thread.
    pub stack: usize,
    /// Lanes of a wave.
    pub lanes: u32,
}

impl Default for Limits {
    /// A thousand million rounds, 16 MiB, 32 lanes.
    fn default() -> Self {
        Limits { budget: 1_000_000_000, stack: 16 << 20, lanes: 32 }
    }
}

/// What a dispatch works with.
pub struct Machine<'m> {
    /// The program.
    pub program: &'m Loaded,
    /// What is bound.
    pub bindings: &'m super::resources::Bindings,
    /// The shader tables; empty for compute shaders.
    pub tables: &'m super::trace::Tables,
    /// How far shaders may go.
    pub limits: Limits,
}
