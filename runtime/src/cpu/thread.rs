//! A thread: one invocation of a ray generation or compute shader, with everything that shaders called from it see.
//!
//! The first fields lie where compiled code expects them ([`layout`]); the rest is the runtime's.

use super::machine::Machine;
use super::resources::Handle;
use super::resources::bindings::Slots;
use super::resources::handle::Table;
use super::trace::Record;

/// Where compiled code finds the fields of a [`Thread`], in bytes.
pub mod layout {
    /// [`super::Thread::budget`].
    pub const BUDGET: usize = 0;
    /// [`super::Thread::shared`].
    pub const SHARED: usize = 8;
    /// [`super::Thread::system`].
    pub const SYSTEM: usize = 16;
    /// [`super::Thread::handles`].
    pub const HANDLES: usize = std::mem::offset_of!(super::Thread<'static>, handles);
    /// [`super::Thread::tables`].
    pub const TABLES: usize = std::mem::offset_of!(super::Thread<'static>, tables);
    /// [`super::Thread::view`].
    pub const VIEW: usize = std::mem::offset_of!(super::Thread<'static>, view);
}

/// What system value intrinsics of the dispatch give.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct System {
    /// `DispatchRaysIndex()`, or `SV_DispatchThreadID`.
    pub index: [u32; 3],
    /// `DispatchRaysDimensions()`.
    pub dimensions: [u32; 3],
    /// `SV_GroupID`.
    pub group: [u32; 3],
    /// `SV_GroupThreadID`.
    pub in_group: [u32; 3],
    /// `SV_GroupIndex`.
    pub flat: u32,
}

/// One invocation.
#[repr(C)]
pub struct Thread<'m> {
    /// How many more rounds of loops it may run; compiled code counts down and leaves its loops below zero.
    pub budget: i64,
    /// Where group-shared memory begins.
    pub shared: *mut u8,
    /// System values.
    pub system: System,
    /// The handles of the first elements of the program's resources, as the record says with which the shader runs.
    handles: *const Handle,
    /// The descriptors of each [`Table`].
    tables: [Slots; 4],
    /// What the shader that runs sees of its ray and its hit.
    pub view: super::trace::View<'m>,
    /// Everything that does not change during a dispatch.
    pub machine: &'m Machine<'m>,
    /// Which shader runs: an index into the program's shaders.
    pub shader: usize,
    /// What is known of its memory, for the sanitizer.
    pub shadow: super::sanitize::shadow::Shadow,
    /// What went wrong first, if something did.
    pub failure: Option<Failure>,
    /// What the ray-tracing operations keep.
    pub rays: super::trace::Rays<'m>,
    /// How it meets the other lanes of its wave and group.
    pub meet: super::wave::Meet,
}

/// What stopped a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The call, as an index into the program's places; none for what is not one call's fault.
    pub site: u32,
    /// The shader.
    pub shader: usize,
    /// The thread.
    pub index: [u32; 3],
    /// What happened, a sentence without full stop.
    pub message: String,
}

impl<'m> Thread<'m> {
    /// A thread of a dispatch.
    pub fn new(machine: &'m Machine<'m>, system: System) -> Self {
        Thread {
            budget: machine.limits.budget,
            shared: std::ptr::null_mut(),
            system,
            handles: machine.handles.as_ptr(),
            tables: Table::ALL.map(|t| machine.bindings.descriptors(t)),
            view: super::trace::View::NONE,
            machine,
            shader: 0,
            shadow: Default::default(),
            failure: None,
            rays: Default::default(),
            meet: Default::default(),
        }
    }

    /// Makes it the thread of ray `index`, with a new budget.
    pub fn begin(&mut self, index: [u32; 3]) {
        self.system.index = index;
        self.budget = self.machine.limits.budget;
        self.failure = None;
        self.shadow.clear();
    }

    /// From now on a shader runs with this record.
    #[inline]
    pub fn run_with(&mut self, record: &'m Record) {
        let before = std::mem::replace(&mut self.rays.record, record);
        // Most have no arguments.
        if before.layout.is_some() || record.layout.is_some() {
            self.take_arguments(record);
        }
    }

    fn take_arguments(&mut self, record: &'m Record) {
        let local = record.layout.and_then(|_| self.machine.records.get(record.number));
        (self.handles, self.tables[Table::Records as usize]) = match local {
            None => (self.machine.handles.as_ptr(), Slots::none()),
            Some(record) => (record.handles().as_ptr(), record.descriptors()),
        };
    }

    /// Notes what went wrong, if it is the first thing, and lets the thread run out: loops end, calls do nothing.
    pub fn fail(&mut self, site: u32, message: String) {
        self.budget = -1;
        if self.failure.is_none() {
            self.failure = Some(Failure { site, shader: self.shader, index: self.system.index, message });
        }
    }

    /// Notes a mistake that has no defined result, if somebody looks for those. `kind` is a word or two: `bounds`, `ray flags`.
    pub fn misuse(&self, kind: &'static str, site: u32, message: impl FnOnce() -> String) {
        if let Some(sanitizer) = self.machine.sanitizer {
            sanitizer.note(kind, site, self.shader, self.system.index, message);
        }
    }

    /// Whether mistakes are looked for, for checks that cost something.
    pub fn watched(&self) -> bool {
        self.machine.sanitizer.is_some()
    }

    /// Whether it is running out.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_compiled_code_looks() {
        assert_eq!(std::mem::offset_of!(Thread<'static>, budget), layout::BUDGET);
        assert_eq!(std::mem::offset_of!(Thread<'static>, shared), layout::SHARED);
        assert_eq!(std::mem::offset_of!(Thread<'static>, system), layout::SYSTEM);
    }
}
