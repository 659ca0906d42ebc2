//! The immutable state of a dispatch: the program, its bindings, its shader tables, the limits.

use super::ShaderFn;
use crate::cpu::jit::Code;
use crate::cpu::program::{Shader, Site};
use rtc_dxil_container::metadata;

/// A loaded program.
pub struct Loaded {
    /// Owns the machine code that `functions` point into.
    pub codes: Vec<Code>,
    /// The entry points of the shaders.
    pub functions: Vec<ShaderFn>,
    /// Its shaders.
    pub shaders: Vec<Shader>,
    /// Its resources; [`crate::cpu::lower`] refers to them by index.
    pub resources: Vec<metadata::Resource>,
    /// Call sites of the runtime.
    pub sites: Vec<Site>,
    /// Bytes of group-shared memory.
    pub shared_bytes: usize,
}

impl Loaded {
    /// The index of the shader with that name.
    pub fn shader(&self, name: &str) -> Option<usize> {
        self.shaders.iter().position(|s| s.name == name)
    }
}

/// Stack bytes reserved for the runtime itself, in addition to those of shaders.
pub const RESERVE: usize = 1 << 20;

/// Execution limits of shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Loop iterations of one thread.
    pub budget: i64,
    /// Stack bytes of one thread.
    pub stack: usize,
    /// Lanes of a wave.
    pub lanes: u32,
}

impl Default for Limits {
    /// 1e9 iterations, 16 MiB, 32 lanes.
    fn default() -> Self {
        Limits { budget: 1_000_000_000, stack: 16 << 20, lanes: 32 }
    }
}

/// The state of a dispatch that its threads share.
pub struct DispatchContext<'m> {
    /// The program.
    pub program: &'m Loaded,
    /// Its library.
    pub library: &'m crate::library::Library,
    /// The resource bindings.
    pub bindings: &'m crate::cpu::resources::Bindings,
    /// The objects of the device.
    pub objects: &'m crate::cpu::objects::Objects,
    /// The handles of the first elements of its resources, for shaders whose record has no arguments.
    pub handles: &'m [crate::cpu::resources::Handle],
    /// The arguments of shader records, by record index.
    pub records: &'m [crate::cpu::resources::Record],
    /// The shader tables; empty for compute shaders.
    pub tables: &'m crate::cpu::trace::Tables,
    /// Execution limits.
    pub limits: Limits,
    /// The sanitizer, if enabled.
    pub sanitizer: Option<&'m crate::cpu::sanitize::Sanitizer>,
    /// The coherence profile, if enabled.
    pub profile: Option<&'m crate::cpu::profile::Profile>,
}
