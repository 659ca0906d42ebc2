//! Libraries: packages that were read, with the state object that they make.

use crate::boundary::{Failure, HasSize, Of, bytes, free, get, give, guarded, object, optional_text, slice, structure, text};
use crate::constants::Constants;
use crate::hit_group::rtcrt_hit_group;
use crate::types::{rtcrt_bytes, rtcrt_error, rtcrt_status, rtcrt_texts};
use rtc_c_common::Text;
use rtc_engine::library::{Library, RawArgument};
use rtc_engine::slot::Slot;
use rtc_engine::state_object::{Overrides, PipelineConfig, ShaderConfig};
use std::ffi::{c_char, c_void};
use std::sync::{Arc, OnceLock};

/// A library: what `D3D12` calls the state object before it is compiled.
pub struct rtcrt_library {
    pub(crate) library: Arc<Library>,
    constants: OnceLock<Constants>,
}

impl rtcrt_library {
    pub(crate) fn new(library: Library) -> rtcrt_library {
        rtcrt_library { library: Arc::new(library), constants: OnceLock::new() }
    }

    pub(crate) fn constants(&self) -> &Constants {
        self.constants.get_or_init(|| Constants::of(&self.library))
    }
}

/// A package.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_package {
    /// Its name in messages; null for none.
    pub name: *const c_char,
    /// Its bytes.
    pub data: *const u8,
    /// How many.
    pub size: usize,
}

/// What replaces the configurations of packages. Set all members to zero and `size` to `sizeof(rtcrt_overrides)` first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_overrides {
    /// `sizeof(rtcrt_overrides)`.
    pub size: usize,
    /// Not 0: `max_recursion` and `pipeline_flags` are for the whole pipeline.
    pub has_pipeline: u32,
    /// Deepest nesting of traced rays.
    pub max_recursion: u32,
    /// `D3D12_RAYTRACING_PIPELINE_FLAG_*`.
    pub pipeline_flags: u32,
    /// Not 0: `max_payload` and `max_attribute` are for the whole pipeline.
    pub has_shader: u32,
    /// Largest payload in bytes.
    pub max_payload: u32,
    /// Largest hit attributes in bytes.
    pub max_attribute: u32,
    /// More hit groups.
    pub hit_groups: *const rtcrt_hit_group,
    /// How many.
    pub hit_group_count: usize,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_overrides {}

/// Overrides of the caller; null is none.
///
/// # Safety
/// `at` is null or points to overrides, whose pointers are valid.
pub(crate) unsafe fn read_overrides(at: *const rtcrt_overrides) -> Result<Overrides, Failure> {
    let mut out = Overrides::default();
    if at.is_null() {
        return Ok(out);
    }
    // SAFETY: this function's contract.
    unsafe {
        let o = structure(at, "overrides")?;
        out.pipeline = (o.has_pipeline != 0).then_some(PipelineConfig { max_recursion: o.max_recursion, flags: o.pipeline_flags });
        out.shader = (o.has_shader != 0).then_some(ShaderConfig { max_payload: o.max_payload, max_attribute: o.max_attribute });
        for group in slice(o.hit_groups, o.hit_group_count).of("hit_groups")? {
            out.hit_groups.push(group.read()?);
        }
    }
    Ok(out)
}

/// Packages of the caller with their names; at least one.
///
/// # Safety
/// `packages` points to `count` packages with valid pointers.
pub(crate) unsafe fn read_packages<'a>(packages: *const rtcrt_package, count: usize) -> Result<Vec<(&'a str, &'a [u8])>, Failure> {
    let mut all = Vec::with_capacity(count.min(64));
    // SAFETY: this function's contract.
    unsafe {
        for p in slice(packages, count).of("packages")? {
            let name = optional_text(p.name, "name")?.unwrap_or("the package");
            all.push((name, bytes(p.data, p.size).of("data")?));
        }
    }
    match all.is_empty() {
        true => Err(crate::boundary::invalid("`packages` are none")),
        false => Ok(all),
    }
}

/// Reads packages and makes one library of them; of packages with several forms the lowered ones (`rtcrt_forms_read` has the others). The bytes are
/// copied. `overrides` may be null.
///
/// # Safety
/// `packages` points to `count` packages with valid pointers; `overrides` is null or points to overrides; `library` can be written; `error`
/// is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_library_read(
    packages: *const rtcrt_package,
    count: usize,
    overrides: *const rtcrt_overrides,
    library: *mut *mut rtcrt_library,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let all = read_packages(packages, count)?;
            give(library, rtcrt_library::new(Library::read_all(&all, &read_overrides(overrides)?)?), "library")
        })
    }
}

/// Names of everything that a shader record may hold: ray generation, miss and callable shaders, and hit groups.
///
/// # Safety
/// `library` is a library; `names` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_library_names(
    library: *const rtcrt_library,
    names: *mut *mut rtcrt_texts,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || give(names, rtcrt_texts::new(object(library).of("library")?.library.record_names()), "names")) }
}

/// What the packages said that is not an error.
///
/// # Safety
/// As `rtcrt_library_names`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_library_warnings(
    library: *const rtcrt_library,
    warnings: *mut *mut rtcrt_texts,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || give(warnings, rtcrt_texts::new(&object(library).of("library")?.library.state.warnings), "warnings")) }
}

/// Frees a library. What was made from it stays valid.
///
/// # Safety
/// `library` is null, or a library that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_library_free(library: *mut rtcrt_library) {
    // SAFETY: this function's contract.
    unsafe { free(library) };
}

/// The kinds of arguments of a shader record.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_argument_kind {
    /// Root constants: `data` and `data_size`.
    Constants = 0,
    /// A root descriptor: the device address `value`.
    Address = 1,
    /// A descriptor table: the index `value` in the descriptor heap.
    Index = 2,
}

/// An argument of a shader record.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_argument {
    /// The resource: its name in HLSL, or its register as `b0` or `b0,space1`.
    pub slot: *const c_char,
    /// `rtcrt_argument_kind`.
    pub kind: u32,
    /// Bytes of constants.
    pub data: *const c_void,
    /// How many.
    pub data_size: usize,
    /// A device address, or an index.
    pub value: u64,
}

/// The arguments of a record.
///
/// # Safety
/// `list` is null or points to `count` arguments with valid pointers.
pub(crate) unsafe fn read_arguments(list: *const rtcrt_argument, count: usize) -> Result<Vec<(Slot, RawArgument)>, Failure> {
    use rtcrt_argument_kind::{Address, Constants, Index};
    let mut out = Vec::new();
    // SAFETY: this function's contract.
    unsafe {
        for a in slice(list, count).of("arguments")? {
            let slot = Slot::parse(text(a.slot).of("slot")?);
            let argument = match crate::boundary::variant(&[Constants, Address, Index], a.kind, |k| k as u32, "kind")? {
                Constants => RawArgument::Constants(bytes(a.data.cast(), a.data_size).of("data")?.to_vec()),
                Address => RawArgument::Address(a.value),
                Index => RawArgument::Index(
                    u32::try_from(a.value).map_err(|_| crate::boundary::invalid(format!("`value` is the index {:#x}", a.value)))?,
                ),
            };
            out.push((slot, argument));
        }
    }
    Ok(out)
}

/// Bytes that the caller owns.
pub struct rtcrt_blob {
    bytes: Text,
}

impl rtcrt_blob {
    pub(crate) fn new(bytes: impl Into<Vec<u8>>) -> rtcrt_blob {
        rtcrt_blob { bytes: Text::new(bytes) }
    }
}

/// The bytes of a blob.
///
/// # Safety
/// `blob` is null or a blob.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_blob_bytes(blob: *const rtcrt_blob) -> rtcrt_bytes {
    // SAFETY: this function's contract.
    unsafe { get(blob, rtcrt_bytes::EMPTY, |b| rtcrt_bytes::of_text(&b.bytes)) }
}

/// Frees a blob.
///
/// # Safety
/// `blob` is null, or a blob that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_blob_free(blob: *mut rtcrt_blob) {
    // SAFETY: this function's contract.
    unsafe { free(blob) };
}

/// The bytes of a shader record after its identifier, for callers that write tables themselves.
///
/// # Safety
/// `library` is a library; `name` is a text; `arguments` points to `count` arguments with valid pointers; `record` can be written; `error`
/// is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_library_record(
    library: *const rtcrt_library,
    name: *const c_char,
    arguments: *const rtcrt_argument,
    count: usize,
    record: *mut *mut rtcrt_blob,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let library = object(library).of("library")?;
            let data = library.library.record_data(text(name).of("name")?, &read_arguments(arguments, count)?)?;
            give(record, rtcrt_blob::new(data), "record")
        })
    }
}
