//! A thread: the state of one invocation of a ray generation or compute shader, including that of shaders called from it.
//!
//! Compiled code accesses the first fields at fixed offsets ([`layout`]); only the runtime accesses the rest.

pub mod context;
mod invoke;

use super::resources::Handle;
use super::resources::bindings::Slots;
use super::resources::handle::Table;
use super::trace::Record;
use context::DispatchContext;

pub use invoke::{EnterFn, ShaderFn, WatchFn};

/// Byte offsets of the fields of a [`Thread`] for compiled code.
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

/// System values of the dispatch.
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
    /// Remaining loop iterations; compiled code decrements it and leaves its loops below zero.
    pub budget: i64,
    /// Base address of group-shared memory.
    pub shared: *mut u8,
    /// System values.
    pub system: System,
    /// Handles of the first elements of the program's resources, as bound by the record of the running shader.
    handles: *const Handle,
    /// The descriptors of each [`Table`].
    tables: [Slots; 4],
    /// Ray and hit system values of the running shader.
    pub view: super::trace::RayState<'m>,
    /// The immutable state of the dispatch.
    pub machine: &'m DispatchContext<'m>,
    /// The running shader: an index into the program's shaders.
    pub shader: usize,
    /// Shadow memory, for the sanitizer.
    pub shadow: super::sanitize::shadow::Shadow,
    /// The first error.
    pub failure: Option<Failure>,
    /// The state of ray-tracing operations.
    pub rays: super::trace::Rays<'m>,
    /// Its state as a lane of a wave and group.
    pub convergence: super::wave::Convergence,
    /// The matrices of linear algebra that it has made.
    pub matrices: super::matrices::Matrices<'m>,
}

/// The error that stopped a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The call site, as an index into the program's sites; `u32::MAX` if the error belongs to no call.
    pub site: u32,
    /// The shader.
    pub shader: usize,
    /// The thread.
    pub index: [u32; 3],
    /// The message, without full stop.
    pub message: String,
}

impl<'m> Thread<'m> {
    /// A new thread of a dispatch.
    pub fn new(machine: &'m DispatchContext<'m>, system: System) -> Self {
        Thread {
            budget: machine.limits.budget,
            shared: std::ptr::null_mut(),
            system,
            handles: machine.handles.as_ptr(),
            tables: Table::ALL.map(|t| machine.bindings.descriptors(t)),
            view: super::trace::RayState::NONE,
            machine,
            shader: 0,
            shadow: Default::default(),
            failure: None,
            rays: Default::default(),
            convergence: Default::default(),
            matrices: Default::default(),
        }
    }

    /// Restarts it as the thread of ray `index`, with a full budget.
    pub fn begin(&mut self, index: [u32; 3]) {
        self.system.index = index;
        self.budget = self.machine.limits.budget;
        self.failure = None;
        self.shadow.clear();
        self.matrices.clear();
    }

    /// Switches to the record of the next shader to run.
    #[inline]
    pub fn set_record(&mut self, record: &'m Record) {
        let before = std::mem::replace(&mut self.rays.record, record);
        // Most records have no arguments.
        if before.layout.is_some() || record.layout.is_some() {
            self.bind_arguments(record);
        }
    }

    fn bind_arguments(&mut self, record: &'m Record) {
        let local = record.layout.and_then(|_| self.machine.records.get(record.number));
        (self.handles, self.tables[Table::Records as usize]) = match local {
            None => (self.machine.handles.as_ptr(), Slots::none()),
            Some(record) => (record.handles().as_ptr(), record.descriptors()),
        };
    }

    /// Records the first error and lets the thread run out: loops end, calls do nothing.
    pub fn fail(&mut self, site: u32, message: String) {
        self.budget = -1;
        if self.failure.is_none() {
            self.failure = Some(Failure { site, shader: self.shader, index: self.system.index, message });
        }
    }

    /// Reports undefined behaviour to the sanitizer, if enabled. `kind` is a short category: `bounds`, `ray flags`.
    pub fn misuse(&self, kind: &'static str, site: u32, message: impl FnOnce() -> String) {
        if let Some(sanitizer) = self.machine.sanitizer {
            sanitizer.note(kind, site, self.shader, self.system.index, message);
        }
    }

    /// Whether the sanitizer is enabled, for checks with a cost.
    pub fn is_sanitized(&self) -> bool {
        self.machine.sanitizer.is_some()
    }

    /// Whether the thread has failed.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_offsets_match_the_layout() {
        assert_eq!(std::mem::offset_of!(Thread<'static>, budget), layout::BUDGET);
        assert_eq!(std::mem::offset_of!(Thread<'static>, shared), layout::SHARED);
        assert_eq!(std::mem::offset_of!(Thread<'static>, system), layout::SYSTEM);
    }
}
