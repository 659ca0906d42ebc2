//! Reflection of shaders and libraries as Direct3D 12 has it.
//!
//! [`module`] reads a program part into plain data: [`types`], [`buffers`], [`bindings`], [`parameters`]. The objects that clients see
//! ([`nodes`], [`shader`], [`library`]) are views of that data, described by the structures of [`desc`].

pub mod bindings;
pub mod buffers;
pub mod desc;
pub mod interfaces;
pub mod library;
pub mod module;
pub mod nodes;
pub mod parameters;
pub mod shader;
pub mod types;

use std::ffi::c_void;

use crate::base::guid::Guid;
use crate::base::hresult::{E_NOINTERFACE, HResult};
use crate::base::interface::Interface;
use crate::base::object::IUNKNOWN;
use interfaces::{ID3D12LibraryReflection, ID3D12ShaderReflection};
use module::Reflected;

/// The reflection of a program part through an interface, as a reference that the caller owns.
///
/// # Errors
/// The part cannot be read, or the interface is not that of its kind.
pub fn create(program: &[u8], rdat: Option<&[u8]>, iid: Guid) -> Result<*mut c_void, HResult> {
    let reflected = Reflected::read(program, rdat)?;
    match (reflected.is_library, iid) {
        (false, ID3D12ShaderReflection::IID | IUNKNOWN) => Ok(shader::create(reflected)),
        (true, ID3D12LibraryReflection::IID | IUNKNOWN) => Ok(library::create(reflected)),
        _ => Err(E_NOINTERFACE),
    }
}
