//! Measuring of forms: each is dispatched in turn, the fastest stays, and a file keeps what was measured for a device and driver.

use crate::boundary::{Failure, Of, free, get, give, guarded, invalid, lock, object, put, slice, text};
use crate::device::rtcrt_device;
use crate::forms::{read_form, rtcrt_forms};
use crate::types::{rtcrt_bytes, rtcrt_error, rtcrt_status};
use rtc_c_common::Text;
use rtc_engine::forms::{Choices, Form, Measure};
use std::ffi::c_char;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// Chooses among forms by measuring dispatches of one ray generation shader.
pub struct rtcrt_measure {
    measure: Mutex<Measure>,
}

/// What was measured on a device, with its file.
pub struct rtcrt_choices {
    choices: Mutex<Choices>,
    note: Text,
}

/// Forms of the caller, of which the first stays if others are about as fast.
///
/// # Safety
/// `forms` points to `count` numbers.
unsafe fn read_forms(forms: *const u32, count: usize) -> Result<Vec<Form>, Failure> {
    // SAFETY: this function's contract.
    let list: &[u32] = unsafe { slice(forms, count) }.of("list")?;
    if list.is_empty() {
        return Err(invalid("`list` has no form"));
    }
    list.iter().map(|&n| read_form(n)).collect()
}

/// Begins to measure the forms (`rtcrt_form`) of a list. The first is the one that stays if others are about as fast: that of
/// `rtcrt_forms_choose`.
///
/// # Safety
/// `list` points to `count` numbers; `measure` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_measure_new(
    list: *const u32,
    count: usize,
    measure: *mut *mut rtcrt_measure,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || give(measure, rtcrt_measure { measure: Mutex::new(Measure::new(&read_forms(list, count)?)) }, "measure")) }
}

/// The form of the next dispatch. Each call is for one dispatch; with several frames in flight forms alternate before their times are recorded.
///
/// # Safety
/// `measure` is a measure; `form` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_measure_next(measure: *const rtcrt_measure, form: *mut u32, error: *mut *mut rtcrt_error) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || put(form, lock(&object(measure).of("measure")?.measure, "measure")?.next().as_u32(), "form")) }
}

/// Records how many nanoseconds a dispatch of so many rays took on the device; with frames in flight times may come late. First dispatches may be
/// slow: those of a form count when its times agree. `ended` may be null; it becomes 1 if a measuring has ended with this dispatch, else 0.
///
/// # Safety
/// `measure` is a measure; `ended` is null or can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_measure_record(
    measure: *mut rtcrt_measure,
    form: u32,
    nanoseconds: u64,
    rays: u64,
    ended: *mut u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let form = read_form(form)?;
            let last = lock(&object(measure).of("measure")?.measure, "measure")?.record(form, Duration::from_nanos(nanoseconds), rays);
            if ended.is_null() { Ok(()) } else { put(ended, last.into(), "ended") }
        })
    }
}

/// What the last measuring found of a form: nanoseconds for a ray; 0 before its end, and of a form that is not measured.
///
/// # Safety
/// `measure` is null or a measure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_measure_nanoseconds(measure: *const rtcrt_measure, form: u32) -> f64 {
    // SAFETY: this function's contract.
    unsafe {
        get(measure, 0.0, |m| {
            let Ok(m) = lock(&m.measure, "measure") else { return 0.0 };
            m.measured().iter().find(|x| x.form.as_u32() == form).map_or(0.0, |x| x.nanoseconds)
        })
    }
}

/// Measures all forms again, from the next dispatch on: for callers that know that the scene is another one.
///
/// # Safety
/// `measure` is a measure; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_measure_restart(measure: *mut rtcrt_measure, error: *mut *mut rtcrt_error) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            lock(&object(measure).of("measure")?.measure, "measure")?.restart();
            Ok(())
        })
    }
}

/// Frees a measure.
///
/// # Safety
/// `measure` is null, or a measure that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_measure_free(measure: *mut rtcrt_measure) {
    // SAFETY: this function's contract.
    unsafe { free(measure) };
}

/// Reads what was measured on a device from its file in a folder. A file that is damaged or of another version counts as empty, and
/// `rtcrt_choices_note` says so.
///
/// # Safety
/// `device` is a device; `folder` is a text; `choices` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_choices_open(
    device: *const rtcrt_device,
    folder: *const c_char,
    choices: *mut *mut rtcrt_choices,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (device, folder) = (object(device).of("device")?, text(folder).of("folder")?);
            let opened = rtc_engine::vulkan::choices(&device.device, Path::new(folder));
            let note = Text::new(opened.note().unwrap_or_default());
            give(choices, rtcrt_choices { choices: Mutex::new(opened), note }, "choices")
        })
    }
}

/// Why the file counts as empty: text that belongs to the choices; empty if it does not.
///
/// # Safety
/// `choices` is null or choices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_choices_note(choices: *const rtcrt_choices) -> rtcrt_bytes {
    // SAFETY: this function's contract.
    unsafe { get(choices, rtcrt_bytes::EMPTY, |c| rtcrt_bytes::of_text(&c.note)) }
}

/// As `rtcrt_measure_new`, for a ray generation shader of packages, beginning with what was measured before.
///
/// # Safety
/// `choices` are choices, `forms` are forms; `shader` is a text; `list` points to `count` numbers; `measure` can be written; `error` is null or
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_choices_measure(
    choices: *const rtcrt_choices,
    forms: *const rtcrt_forms,
    shader: *const c_char,
    list: *const u32,
    count: usize,
    measure: *mut *mut rtcrt_measure,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let choices = lock(&object(choices).of("choices")?.choices, "choices")?;
            let key = object(forms).of("forms")?.forms.key(text(shader).of("shader")?);
            let made = Measure::known(&read_forms(list, count)?, choices.get(&key));
            give(measure, rtcrt_measure { measure: Mutex::new(made) }, "measure")
        })
    }
}

/// Keeps what was measured of a ray generation shader of packages, and writes the file. An error means that it is not kept, and nothing
/// else.
///
/// # Safety
/// `choices` are choices, `forms` are forms, `measure` is a measure; `shader` is a text; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_choices_keep(
    choices: *mut rtcrt_choices,
    forms: *const rtcrt_forms,
    shader: *const c_char,
    measure: *const rtcrt_measure,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let mut choices = lock(&object(choices).of("choices")?.choices, "choices")?;
            let key = object(forms).of("forms")?.forms.key(text(shader).of("shader")?);
            let measure = lock(&object(measure).of("measure")?.measure, "measure")?;
            if measure.measured().is_empty() {
                return Err(invalid("`measure` has measured nothing yet"));
            }
            choices.set(&key, measure.measured());
            Ok(choices.save()?)
        })
    }
}

/// Frees choices.
///
/// # Safety
/// `choices` is null, or choices that are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_choices_free(choices: *mut rtcrt_choices) {
    // SAFETY: this function's contract.
    unsafe { free(choices) };
}
