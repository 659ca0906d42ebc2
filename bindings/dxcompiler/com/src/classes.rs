//! The classes of the libraries, by identifier.
#![allow(unsafe_code)] // Identifiers and places of clients.

use std::ffi::c_void;

use crate::arguments::CompilerArgs;
use crate::assembler::Assembler;
use crate::base::guard::guard;
use crate::base::guid::Guid;
use crate::base::hresult::{CLASS_NOT_REGISTERED, E_POINTER, HResult};
use crate::base::interface::IUnknown;
use crate::base::object::{Class, create as new};
use crate::base::reference::Ref;
use crate::compiler::Compiler;
use crate::container::{ContainerBuilder, ContainerReflection};
use crate::linker::Linker;
use crate::out::give_as;
use crate::pdb_utils::PdbUtils;
use crate::utils::Utils;
use crate::validator::Validator;
use crate::version::INTERNAL_VALIDATOR;

/// The library that a client has loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// `libdxcompiler.so`, which has every class.
    DXCOMPILER,
    /// `libdxil.so`, which has those of the validator.
    DXIL,
}

/// A class that clients can create.
pub struct ClassInfo {
    /// The identifier.
    pub id: Guid,
    /// The name.
    pub name: &'static str,
    /// Whether the validator's library has it too.
    pub in_dxil: bool,
    make: fn(Library) -> Ref<IUnknown>,
}

#[allow(unsafe_code)]
fn object<T: Class>(value: T) -> Ref<IUnknown> {
    // SAFETY: the new object's first face is an interface, of which the reference is owned.
    let object = unsafe { Ref::take(new(value).as_ptr().cast()) };
    object.expect("a new object is not null")
}

const fn class(id: &str, name: &'static str, in_dxil: bool, make: fn(Library) -> Ref<IUnknown>) -> ClassInfo {
    ClassInfo { id: Guid::new(id), name, in_dxil, make }
}

/// The classes.
#[rustfmt::skip]
pub const CLASSES: &[ClassInfo] = &[
    class("73e22d93-e6ce-47f3-b5bf-f0664f39c1b0", "DxcCompiler", false, |_| object(Compiler::new())),
    class("3e56ae82-224d-470f-a1a1-fe3016ee9f9d", "DxcCompilerArgs", false, |_| object(CompilerArgs::default())),
    class("6245d6af-66e0-48fd-80b4-4d271796748c", "DxcUtils", false, |_| object(Utils)),
    class("8ca3e215-f728-4cf3-8cdd-88af917587a1", "DxcValidator", true, |library| object(Validator { flags: match library {
        Library::DXCOMPILER => INTERNAL_VALIDATOR,
        Library::DXIL => 0,
    }})),
    class("d728db68-f903-4f80-94cd-dccf76ec7151", "DxcAssembler", false, |_| object(Assembler)),
    class("b9f54489-55b8-400c-ba3a-1675e4728b91", "DxcContainerReflection", false, |_| object(ContainerReflection::default())),
    class("ef6a8087-b0ea-4d56-9e45-d07e1a8b7806", "DxcLinker", false, |_| object(Linker::default())),
    class("54621dfb-f2ce-457e-ae8c-ec355faeec7c", "DxcPdbUtils", false, |_| object(PdbUtils::default())),
    class("94134294-411f-4574-b4d0-8741e25240d2", "DxcContainerBuilder", true, |_| object(ContainerBuilder::default())),
];

/// Classes of the reference that are not registered here, with the reason.
pub const ABSENT: &[(&str, &str)] = &[
    ("DxcOptimizer", "passes of LLVM by name: `rtc-opt` has those of rtc"),
    ("DxcRewriter", "writes HLSL from a tree that rtc does not have"),
    ("DxcIntelliSense", "the interface of libclang over the reference's tree"),
    ("DxcDiaDataSource", "the debug interface of Windows; `DxcPdbUtils` reads PDBs"),
];

/// Interfaces of the reference that no class here has, with the reason.
pub const ABSENT_INTERFACES: &[(&str, &str)] = &[
    ("IDxcLangExtensions, 2, 3", "intrinsics and semantics that clients register"),
    ("IDxcContainerEvent", "a callback with the finished container"),
    ("IDxcExtraOutputs", "no operation has such outputs; nor has one of the reference's compiler"),
    ("ID3D11ShaderReflection", "the layout of Direct3D 11, which cannot describe all of DXIL"),
    ("IDxcOptimizerPass, IDxcRewriter, 2, IDxcIntelliSense", "of classes that are not registered"),
];

/// Creates an object of a class of `library`.
///
/// # Safety
/// The identifiers are null or point to identifiers; `out` is null or a place for a pointer.
pub unsafe fn create(library: Library, class: *const Guid, interface: *const Guid, out: *mut *mut c_void) -> HResult {
    guard(|| {
        if out.is_null() {
            return E_POINTER;
        }
        // SAFETY: the place is not null.
        unsafe { out.write_unaligned(std::ptr::null_mut()) };
        if class.is_null() || interface.is_null() {
            return E_POINTER;
        }
        // SAFETY: the identifier is not null.
        let id = unsafe { class.read_unaligned() };
        let found = CLASSES.iter().find(|c| c.id == id && (c.in_dxil || library == Library::DXCOMPILER));
        match found {
            // SAFETY: the place and the identifier are not null.
            Some(class) => unsafe { give_as(interface, out, Ok((class.make)(library))) },
            None => CLASS_NOT_REGISTERED,
        }
    })
}
