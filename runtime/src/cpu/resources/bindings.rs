//! What is bound to the resources of a program.

use crate::cpu::machine::Loaded;
use crate::cpu::objects::Objects;
use crate::device::{Resource, Slot};
use crate::error::Result;
use crate::library::Library;
use rtc_dxil::container::package::Binding;
use rustc_hash::FxHashMap;

/// What is bound to the resources of a program.
#[derive(Default)]
pub struct Bindings {}

impl Bindings {
    /// What a dispatch sees. `bound` has what the host has set, by row of the library's binding map and element.
    ///
    /// # Errors
    /// A resource that does not exist any more.
    pub fn new(
        _library: &Library,
        _loaded: &Loaded,
        _bound: &FxHashMap<(usize, u32), Resource>,
        _objects: &Objects,
    ) -> Result<Bindings> {
        Ok(Bindings {})
    }

    /// Whether a resource may be put into a slot.
    ///
    /// # Errors
    /// It is of another kind; the message names both.
    pub fn check(_binding: &Binding, _slot: &Slot, _resource: Resource) -> Result<()> {
        Ok(())
    }
}
