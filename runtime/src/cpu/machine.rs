//! The immutable state of a dispatch: the program, its bindings, its shader tables, the limits.

use super::jit::{Code, ShaderFn};
use super::lower;
use super::thread::Thread;
use rtc_dxil_container::metadata;

/// A loaded program.
pub struct Loaded {
    /// Owns the machine code that `functions` point into.
    pub codes: Vec<Code>,
    /// The entry points of the shaders.
    pub functions: Vec<ShaderFn>,
    /// Its shaders.
    pub shaders: Vec<lower::Shader>,
    /// Its resources; [`super::lower`] refers to them by index.
    pub resources: Vec<metadata::Resource>,
    /// Call sites of the runtime.
    pub sites: Vec<lower::Site>,
    /// Bytes of group-shared memory.
    pub shared_bytes: usize,
}

impl Loaded {
    /// Runs shader `n` as the outermost shader of a thread, if the stack is large enough; else the thread fails.
    pub fn start(&self, n: usize, thread: &mut Thread<'_>) {
        if thread.rays.floor == 0 {
            super::trace::call::begin_stack(thread);
        }
        if super::trace::call::has_room(thread, n) {
            self.run(n, thread, std::ptr::null_mut(), std::ptr::null_mut());
        }
    }

    /// Runs shader `n` on a thread whose stack suffices; shaders that it calls run on the same thread.
    #[allow(unsafe_code)]
    pub fn run(&self, n: usize, thread: &mut Thread<'_>, payload: *mut u8, attributes: *mut u8) {
        let before = std::mem::replace(&mut thread.shader, n);
        let kept = thread.rays.enter();
        let mark = thread.convergence.descend(n, self.shaders[n].kind);
        // Sound because lowered code stays inside the objects of its pointers, and the caller has checked that they are at least
        // as large as the shader declares: see `super::lower`.
        unsafe { (self.functions[n])(thread, payload, attributes) }
        thread.convergence.ascend(mark);
        thread.rays.leave(kept);
        thread.shader = before;
    }

    /// The index of the shader with that name.
    pub fn shader(&self, name: &str) -> Option<usize> {
        self.shaders.iter().position(|s| s.name == name)
    }
}

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
pub struct Machine<'m> {
    /// The program.
    pub program: &'m Loaded,
    /// Its library.
    pub library: &'m crate::library::Library,
    /// The resource bindings.
    pub bindings: &'m super::resources::Bindings,
    /// The objects of the device.
    pub objects: &'m super::objects::Objects,
    /// The handles of the first elements of its resources, for shaders whose record has no arguments.
    pub handles: &'m [super::resources::Handle],
    /// The arguments of shader records, by record index.
    pub records: &'m [super::resources::Record],
    /// The shader tables; empty for compute shaders.
    pub tables: &'m super::trace::Tables,
    /// Execution limits.
    pub limits: Limits,
    /// The sanitizer, if enabled.
    pub sanitizer: Option<&'m super::sanitize::Sanitizer>,
    /// The coherence profile, if enabled.
    pub profile: Option<&'m super::profile::Profile>,
}
