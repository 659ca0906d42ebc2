//! Descriptions of state objects, built step by step: packages with exports to take, subobjects, associations, collections.

use crate::boundary::{Failure, Of, bytes, free, give, guarded, lock, object, optional_text, slice, text, texts};
use crate::hit_group::rtcrt_hit_group;
use crate::library::{rtcrt_library, rtcrt_package};
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_dxil_container::HitGroupType;
use rtc_dxil_container::rdat::{Subobject, SubobjectValue};
use rtc_engine::library::{Library, LibraryDesc, StateObjectDesc};
use rtc_engine::state_object::ExportDesc;
use std::ffi::c_char;
use std::sync::Mutex;

/// An export to take: `D3D12_EXPORT_DESC`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_export {
    /// Its name in the state object.
    pub name: *const c_char,
    /// Its name in the package, if that is another; else null.
    pub renamed: *const c_char,
}

/// A package of a description.
#[derive(Clone, Debug)]
struct Taken {
    name: String,
    package: Vec<u8>,
    exports: Vec<ExportDesc>,
}

/// A description that owns what it describes.
#[derive(Clone, Debug, Default)]
struct Described {
    packages: Vec<Taken>,
    subobjects: Vec<Subobject>,
    collections: Vec<Described>,
}

impl Described {
    fn desc(&self) -> StateObjectDesc<'_> {
        StateObjectDesc {
            libraries: self.packages.iter().map(|t| LibraryDesc { name: &t.name, package: &t.package, exports: &t.exports }).collect(),
            subobjects: self.subobjects.clone(),
            collections: self.collections.iter().map(Described::desc).collect(),
        }
    }
}

/// A description of a state object: `D3D12_STATE_OBJECT_DESC`.
pub struct rtcrt_state_object {
    described: Mutex<Described>,
}

/// Makes an empty description.
///
/// # Safety
/// `state_object` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_new(state_object: *mut *mut rtcrt_state_object, error: *mut *mut rtcrt_error) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || give(state_object, rtcrt_state_object { described: Mutex::default() }, "state_object")) }
}

/// Changes a description.
///
/// # Safety
/// `state_object` is a description; `error` is null or can be written.
unsafe fn change(
    state_object: *mut rtcrt_state_object,
    error: *mut *mut rtcrt_error,
    f: impl FnOnce(&mut Described) -> Result<(), Failure>,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || f(&mut *lock(&object(state_object).of("state_object")?.described, "state_object")?)) }
}

/// Adds a subobject.
///
/// # Safety
/// As [`change`]; `name` is null or a text.
unsafe fn subobject(
    state_object: *mut rtcrt_state_object,
    name: *const c_char,
    error: *mut *mut rtcrt_error,
    value: impl FnOnce() -> Result<SubobjectValue, Failure>,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        change(state_object, error, |d| {
            let name = text(name).of("name")?.to_owned();
            d.subobjects.push(Subobject { name, value: value()? });
            Ok(())
        })
    }
}

/// Adds a package, of which the state object takes `exports`; none: all. The bytes are copied.
///
/// # Safety
/// `state_object` is a description; `package` points to a package with valid pointers; `exports` points to `count` exports with valid
/// pointers; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_add_package(
    state_object: *mut rtcrt_state_object,
    package: *const rtcrt_package,
    exports: *const rtcrt_export,
    count: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        change(state_object, error, |d| {
            let p = object(package).of("package")?;
            let name = optional_text(p.name, "name")?.unwrap_or("the package").to_owned();
            let package = bytes(p.data, p.size).of("data")?.to_vec();
            let mut taken = Vec::new();
            for e in slice(exports, count).of("exports")? {
                let renamed = optional_text(e.renamed, "renamed")?.map(str::to_owned);
                taken.push(ExportDesc { name: text(e.name).of("name")?.to_owned(), renamed });
            }
            d.packages.push(Taken { name, package, exports: taken });
            Ok(())
        })
    }
}

/// Adds a `D3D12_STATE_OBJECT_CONFIG` with `D3D12_STATE_OBJECT_FLAG_*`.
///
/// # Safety
/// `state_object` is a description; `name` is a text; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_add_config(
    state_object: *mut rtcrt_state_object,
    name: *const c_char,
    flags: u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { subobject(state_object, name, error, || Ok(SubobjectValue::StateObjectConfig { flags })) }
}

/// Adds a shader configuration: the largest payload and hit attributes in bytes.
///
/// # Safety
/// As `rtcrt_state_object_add_config`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_add_shader_config(
    state_object: *mut rtcrt_state_object,
    name: *const c_char,
    max_payload: u32,
    max_attributes: u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { subobject(state_object, name, error, || Ok(SubobjectValue::ShaderConfig { max_payload, max_attributes })) }
}

/// Adds a pipeline configuration: the deepest nesting of traced rays, and `D3D12_RAYTRACING_PIPELINE_FLAG_*`.
///
/// # Safety
/// As `rtcrt_state_object_add_config`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_add_pipeline_config(
    state_object: *mut rtcrt_state_object,
    name: *const c_char,
    max_recursion: u32,
    flags: u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { subobject(state_object, name, error, || Ok(SubobjectValue::PipelineConfig1 { max_recursion, flags })) }
}

/// Adds a root signature in its binary form, local or global. The bytes are copied.
///
/// # Safety
/// As `rtcrt_state_object_add_config`; `data` points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_add_root_signature(
    state_object: *mut rtcrt_state_object,
    name: *const c_char,
    local: bool,
    data: *const u8,
    size: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        subobject(state_object, name, error, || {
            let data = bytes(data, size).of("data")?.to_vec();
            Ok(if local { SubobjectValue::LocalRootSignature { data } } else { SubobjectValue::GlobalRootSignature { data } })
        })
    }
}

/// Adds a hit group.
///
/// # Safety
/// `state_object` is a description; `group` points to a hit group with valid pointers; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_add_hit_group(
    state_object: *mut rtcrt_state_object,
    group: *const rtcrt_hit_group,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        change(state_object, error, |d| {
            let g = object(group).of("group")?.read()?;
            let ty = if g.procedural { HitGroupType::Procedural } else { HitGroupType::Triangle };
            let value = SubobjectValue::HitGroup { ty, any_hit: g.any_hit, closest_hit: g.closest_hit, intersection: g.intersection };
            d.subobjects.push(Subobject { name: g.name, value });
            Ok(())
        })
    }
}

/// Associates a subobject of any scope, by its name, with exports; with none: it is the default for all that have no other of its kind.
///
/// # Safety
/// `state_object` is a description; `name` is a text; `exports` points to `count` texts; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_associate(
    state_object: *mut rtcrt_state_object,
    name: *const c_char,
    exports: *const *const c_char,
    count: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        change(state_object, error, |d| {
            let subobject = text(name).of("name")?.to_owned();
            let exports = texts(exports, count, "exports")?.into_iter().map(str::to_owned).collect();
            let name = format!("(association {} of the state object)", d.subobjects.len());
            d.subobjects.push(Subobject { name, value: SubobjectValue::Association { subobject, exports } });
            Ok(())
        })
    }
}

/// Adds a copy of a description as a collection.
///
/// # Safety
/// Both are descriptions; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_add_collection(
    state_object: *mut rtcrt_state_object,
    collection: *const rtcrt_state_object,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        change(state_object, error, |d| {
            let collection = object(collection).of("collection")?;
            d.collections.push(lock(&collection.described, "collection")?.clone());
            Ok(())
        })
    }
}

/// Makes a library of a description, by the rules of association over scopes. The description can be used again.
///
/// # Safety
/// `state_object` is a description; `library` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_library(
    state_object: *const rtcrt_state_object,
    library: *mut *mut rtcrt_library,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let described = lock(&object(state_object).of("state_object")?.described, "state_object")?;
            give(library, rtcrt_library::new(Library::of_state_object(&described.desc())?), "library")
        })
    }
}

/// Frees a description.
///
/// # Safety
/// `state_object` is null, or a description that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_state_object_free(state_object: *mut rtcrt_state_object) {
    // SAFETY: this function's contract.
    unsafe { free(state_object) };
}
