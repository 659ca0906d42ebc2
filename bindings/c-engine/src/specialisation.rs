//! Specialisation: values for constants that packages leave to the host, in HLSL `[[vk::constant_id(N)]]`.

use crate::boundary::{Failure, HasSize, Of, get, give, guarded, object, optional_text, put, slice, structure, variant};
use crate::constants::{rtcrt_constant, rtcrt_constant_kind};
use crate::library::rtcrt_library;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::library::{ConstantName, ConstantValue, Specialisation};
use std::ffi::c_char;

/// The constants of a library in the order of their numbers; the list belongs to the library.
///
/// # Safety
/// `library` is null or a library; `count` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_library_constants(library: *const rtcrt_library, count: *mut usize) -> *const rtcrt_constant {
    // SAFETY: this function's contract.
    unsafe {
        let found = get(library, &[][..], |l: &'static rtcrt_library| &l.constants().list);
        match put(count, found.len(), "count") {
            Ok(()) => found.as_ptr(),
            Err(_) => std::ptr::null(),
        }
    }
}

/// A value for a constant. Set all members to zero and `size` to `sizeof(rtcrt_specialisation)` first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_specialisation {
    /// `sizeof(rtcrt_specialisation)`.
    pub size: usize,
    /// The export whose shader gets the value; null: all that have no value of their own.
    pub export_name: *const c_char,
    /// The constant's name in HLSL; null: `id` counts.
    pub name: *const c_char,
    /// The constant's number.
    pub id: u32,
    /// `rtcrt_constant_kind`, which must be the constant's.
    pub kind: u32,
    /// The bits of the value, from the lowest one.
    pub bits: u64,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_specialisation {}

impl rtcrt_specialisation {
    /// # Safety
    /// Its pointers are valid.
    unsafe fn read(&self) -> Result<Specialisation, Failure> {
        use rtcrt_constant_kind::{Bool, Float16, Float32, Float64, Int16, Int32, Int64, Other};
        let bits = self.bits;
        let value = match variant(&[Bool, Int16, Int32, Int64, Float16, Float32, Float64], self.kind, |k| k as u32, "kind")? {
            Bool | Other => ConstantValue::Bool(bits != 0),
            Int16 => ConstantValue::U16(bits as u16),
            Int32 => ConstantValue::U32(bits as u32),
            Int64 => ConstantValue::U64(bits),
            Float16 => ConstantValue::F16(bits as u16),
            Float32 => ConstantValue::F32(f32::from_bits(bits as u32)),
            Float64 => ConstantValue::F64(f64::from_bits(bits)),
        };
        // SAFETY: this function's contract.
        let (export, name) = unsafe { (optional_text(self.export_name, "export_name")?, optional_text(self.name, "name")?) };
        let constant = name.map_or(ConstantName::Id(self.id), |name| ConstantName::Name(name.into()));
        Ok(Specialisation { export: export.map(str::to_string), constant, value })
    }
}

/// A library with values for constants, and those that it already has.
///
/// # Safety
/// `library` is a library; `values` points to `count` values with valid pointers; `specialised` can be written; `error` is null or can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_library_specialise(
    library: *const rtcrt_library,
    values: *const rtcrt_specialisation,
    count: usize,
    specialised: *mut *mut rtcrt_library,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let library = object(library).of("library")?;
            let mut all = Vec::new();
            for (i, value) in slice(values, count).of("values")?.iter().enumerate() {
                all.push(structure(value, &format!("values[{i}]"))?.read()?);
            }
            give(specialised, rtcrt_library::new(library.library.specialise(&all)?), "specialised")
        })
    }
}
