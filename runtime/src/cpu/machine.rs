//! What does not change while a dispatch runs: the program, what is bound to it, its shader tables, the limits.

use super::jit::{Code, ShaderFn};
use super::lower;
use super::thread::Thread;
use rtc_dxil_container::metadata;

/// A program as it is loaded.
pub struct Loaded {
    /// Its code, which must live as long as it runs.
    pub codes: Vec<Code>,
    /// The code of each shader.
    pub functions: Vec<ShaderFn>,
    /// Its shaders.
    pub shaders: Vec<lower::Shader>,
    /// Its resources; [`super::lower`] names them by their number here.
    pub resources: Vec<metadata::Resource>,
    /// Places of calls of the runtime.
    pub sites: Vec<lower::Site>,
    /// Bytes of group-shared memory.
    pub shared_bytes: usize,
}

impl Loaded {
    /// Runs shader `n`, which nobody calls, on a thread, if its stack is large enough for that; else the thread fails.
    pub fn start(&self, n: usize, thread: &mut Thread<'_>) {
        if thread.rays.floor == 0 {
            super::trace::call::begin_stack(thread);
        }
        if super::trace::call::has_room(thread, n) {
            self.run(n, thread, std::ptr::null_mut(), std::ptr::null_mut());
        }
    }

    /// Runs shader `n` on a thread, which has stack for it; other shaders that it calls run on the same thread.
    #[allow(unsafe_code)]
    pub fn run(&self, n: usize, thread: &mut Thread<'_>, payload: *mut u8, attributes: *mut u8) {
        let before = std::mem::replace(&mut thread.shader, n);
        let kept = thread.rays.enter();
        let mark = thread.meet.descend(n, self.shaders[n].kind);
        // Sound because lowered code stays inside what its pointers point to, and whoever calls has seen that they point
        // to as much as the shader declares: see `super::lower`.
        unsafe { (self.functions[n])(thread, payload, attributes) }
        thread.meet.ascend(mark);
        thread.rays.leave(kept);
        thread.shader = before;
    }

    /// The number of the shader of that name.
    pub fn shader(&self, name: &str) -> Option<usize> {
        self.shaders.iter().position(|s| s.name == name)
    }
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
    /// Its library.
    pub library: &'m crate::library::Library,
    /// What is bound.
    pub bindings: &'m super::resources::Bindings,
    /// What the host has made.
    pub objects: &'m super::objects::Objects,
    /// The handles of the first elements of its resources, for shaders whose record has no arguments.
    pub handles: &'m [super::resources::Handle],
    /// Arguments in the records of the shader tables, by number.
    pub records: &'m [super::resources::Record],
    /// The shader tables; empty for compute shaders.
    pub tables: &'m super::trace::Tables,
    /// How far shaders may go.
    pub limits: Limits,
    /// Who looks for mistakes, if somebody does.
    pub sanitizer: Option<&'m super::sanitize::Sanitizer>,
    /// Who counts how coherent waves are, if somebody does.
    pub profile: Option<&'m super::profile::Profile>,
}
