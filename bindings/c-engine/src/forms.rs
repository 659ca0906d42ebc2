//! Packages with several forms: in which of them they are one pipeline, and which one a device runs without measuring.

use crate::boundary::{Failure, Of, free, get, give, guarded, invalid, object, put, variant};
use crate::device::rtcrt_device;
use crate::library::{read_overrides, read_packages, rtcrt_blob, rtcrt_library, rtcrt_overrides, rtcrt_package};
use crate::types::{rtcrt_error, rtcrt_status, rtcrt_texts};
use rtc_engine::forms::{Form, Forms};

/// A form of a package: how it translates hit objects and reorder points.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_form {
    /// Lowered to what every device with ray tracing has; of a library without hit objects the library as it is.
    Lower = 0,
    /// With `SPV_EXT_shader_invocation_reorder`.
    Ext = 1,
    /// With `SPV_NV_shader_invocation_reorder`.
    Nv = 2,
    /// Lowered and divided at reorder points, between which `rtcrt_wavefront_dispatch_rays` sorts rays.
    Wavefront = 3,
    /// Lowered, and all lanes of a wave execute the traces that some of them have.
    Converge = 4,
}

/// The form with a number.
pub(crate) fn read_form(number: u32) -> Result<Form, Failure> {
    variant(Form::ALL, number, Form::as_u32, "form")
}

/// The forms in which packages are one pipeline. All have the same exports, descriptor slots and shader records; each has identifiers of its
/// own.
pub struct rtcrt_forms {
    pub(crate) forms: Forms,
}

/// Reads packages, each of which may have several forms (`-fspv-ser=auto`). The bytes are copied. `overrides` may be null.
///
/// # Safety
/// As `rtcrt_library_read`; `forms` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_forms_read(
    packages: *const rtcrt_package,
    count: usize,
    overrides: *const rtcrt_overrides,
    forms: *mut *mut rtcrt_forms,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let read = Forms::read(&read_packages(packages, count)?, &read_overrides(overrides)?)?;
            give(forms, rtcrt_forms { forms: read }, "forms")
        })
    }
}

/// The forms that are possible: bit n is set for the form with number n (`rtcrt_form`).
///
/// # Safety
/// `forms` is null or forms.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_forms_possible(forms: *const rtcrt_forms) -> u32 {
    // SAFETY: this function's contract.
    unsafe { get(forms, 0, |f| f.forms.possible.iter().map(|p| 1 << p.form.as_u32()).sum()) }
}

/// Why other forms that a package has are not possible, a text for each.
///
/// # Safety
/// `forms` are forms; `reasons` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_forms_impossible(
    forms: *const rtcrt_forms,
    reasons: *mut *mut rtcrt_texts,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let forms = &object(forms).of("forms")?.forms;
            let texts = forms.impossible.iter().map(|(form, e)| format!("form `{form}`: {}", e.message));
            give(reasons, rtcrt_texts::new(texts), "reasons")
        })
    }
}

/// The library that the packages make in a form (`rtcrt_form`).
///
/// # Safety
/// `forms` are forms; `library` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_forms_library(
    forms: *const rtcrt_forms,
    form: u32,
    library: *mut *mut rtcrt_library,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let found = object(forms).of("forms")?.forms.get(read_form(form)?)?;
            give(library, rtcrt_library::new(found.library.clone()), "library")
        })
    }
}

/// Package `index` in a form alone, for descriptions of state objects.
///
/// # Safety
/// `forms` are forms; `package` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_forms_package(
    forms: *const rtcrt_forms,
    form: u32,
    index: usize,
    package: *mut *mut rtcrt_blob,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let found = object(forms).of("forms")?.forms.get(read_form(form)?)?;
            let count = found.packages.len();
            let one = found.packages.get(index).ok_or_else(|| invalid(format!("`index` is {index}, there are {count} packages")))?;
            give(package, rtcrt_blob::new(one.1.clone()), "package")
        })
    }
}

/// The form for a device without measuring: hit objects of an extension where the device reorders threads, else lowered, and with
/// traces by all lanes of a wave where it is known to leave waves split. The device must have
/// what the form needs switched on.
///
/// # Safety
/// `forms` are forms, `device` is a device; `form` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_forms_choose(
    forms: *const rtcrt_forms,
    device: *const rtcrt_device,
    form: *mut u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (forms, device) = (object(forms).of("forms")?, &object(device).of("device")?.device);
            let refusals = |_, library: &_| match device.check_library(library) {
                Ok(()) => Vec::new(),
                Err(e) if e.notes.is_empty() => vec![e.message],
                Err(e) => e.notes,
            };
            put(form, forms.forms.by_rule(device.wave_traits(), refusals)?.form.as_u32(), "form")
        })
    }
}

/// Not 0: the device reorders threads at reorder points of hit objects, by an extension that is on.
///
/// # Safety
/// `device` is null or a device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_device_reorders(device: *const rtcrt_device) -> u32 {
    // SAFETY: this function's contract.
    unsafe { get(device, 0, |d| d.device.reorders().into()) }
}

/// Frees forms. Libraries that were made from them stay valid.
///
/// # Safety
/// `forms` is null, or forms that are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_forms_free(forms: *mut rtcrt_forms) {
    // SAFETY: this function's contract.
    unsafe { free(forms) };
}
