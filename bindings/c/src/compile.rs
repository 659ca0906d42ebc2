//! The operations: compile, preprocess, link, disassemble, reflect, validate.
//!
//! Each returns the status of its result, which the caller frees. It is null if an argument is not valid.

use std::ffi::c_char;
use std::fmt::Display;

use rtc::arguments::{CompileRequest, Invocation};
use rtc::link::Input;
use rtc::outputs::AuxiliaryFiles;
use rtc::session::{Failure, Job, Stopped};

use crate::boundary::{bytes, give, guarded, object, put, text};
use crate::job::{rtc_job, start};
use crate::options::rtc_options;
use crate::result::{rtc_output, rtc_result};
use crate::session::rtc_session;
use crate::types::rtc_status;

/// A library to link.
#[repr(C)]
pub struct rtc_input {
    /// Its name, for messages.
    pub name: *const c_char,
    /// Its bytes.
    pub data: *const u8,
    /// How many.
    pub size: usize,
}

/// The status of work that stopped.
fn stopped(e: &Stopped) -> rtc_result {
    let status = match e {
        Stopped::Cancelled => rtc_status::Cancelled,
        Stopped::TimeLimit(_) => rtc_status::TimeLimit,
        Stopped::MemoryLimit(_) | Stopped::NoStack(_) => rtc_status::MemoryLimit,
        _ => rtc_status::Internal,
    };
    rtc_result::new(status, e.to_string())
}

fn failed<E: Display>(e: &Failure<E>) -> rtc_result {
    match e {
        Failure::Stopped(e) => stopped(e),
        Failure::Error(e) => rtc_result::new(rtc_status::Failed, e.to_string()),
    }
}

/// No result yet.
///
/// # Safety
/// `to` is null or can be written.
unsafe fn clear(to: *mut *mut rtc_result) -> Result<(), rtc_c_common::Invalid> {
    // SAFETY: this function's contract.
    unsafe { put(to, std::ptr::null_mut()) }
}

/// Gives a result to the caller, and its status.
///
/// # Safety
/// `to` is null or can be written.
unsafe fn give_result(to: *mut *mut rtc_result, result: rtc_result) -> Result<rtc_status, rtc_status> {
    let status = result.status();
    // SAFETY: this function's contract.
    unsafe { give(to, result) }?;
    Ok(status)
}

/// The arguments of compilation and preprocessing.
struct Source<'a> {
    job: Job<'a>,
    request: &'a CompileRequest,
    name: &'a str,
    bytes: &'a [u8],
}

/// # Safety
/// As [`rtc_compile`].
unsafe fn source<'a>(
    session: *const rtc_session,
    options: *const rtc_options,
    name: *const c_char,
    data: *const u8,
    size: usize,
    job: *const rtc_job,
) -> Result<Source<'a>, rtc_status> {
    // SAFETY: this function's contract.
    let (session, options, data) = unsafe { (object(session)?, object(options)?, bytes(data, size)?) };
    let Invocation::Compile(request) = &options.invocation else { return Err(rtc_status::InvalidArgument) };
    // SAFETY: this function's contract.
    let name = if name.is_null() { request.source.as_str() } else { unsafe { text(name) }? };
    // SAFETY: this function's contract.
    let job = unsafe { start(session, job) }?.limits(&request.limits);
    Ok(Source { job, request, name, bytes: data })
}

/// Compiles a source of `size` bytes. Its name is for messages and for includes next to it; if it is null, it is the file that the arguments
/// name, or `source.hlsl`.
///
/// # Safety
/// `session` is a session, `options` are options, `name` is null or a text, `data` points to `size` bytes, `job` is null or a job with its
/// members; none is freed or changed before the function returns. `result` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_compile(
    session: *const rtc_session,
    options: *const rtc_options,
    name: *const c_char,
    data: *const u8,
    size: usize,
    job: *const rtc_job,
    result: *mut *mut rtc_result,
) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        unsafe { clear(result) }?;
        // SAFETY: this function's contract.
        let Source { job, request, name, bytes } = unsafe { source(session, options, name, data, size, job) }?;
        let made = match job.compile(name, bytes, &request.options) {
            Ok(c) => rtc_result::of(c),
            Err(e) => stopped(&e),
        };
        // SAFETY: this function's contract.
        unsafe { give_result(result, made) }
    })
}

/// Preprocesses a source; the output is `RTC_OUTPUT_TEXT`.
///
/// # Safety
/// As `rtc_compile`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_preprocess(
    session: *const rtc_session,
    options: *const rtc_options,
    name: *const c_char,
    data: *const u8,
    size: usize,
    job: *const rtc_job,
    result: *mut *mut rtc_result,
) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        unsafe { clear(result) }?;
        // SAFETY: this function's contract.
        let Source { job, request, name, bytes } = unsafe { source(session, options, name, data, size, job) }?;
        let made = match job.preprocess(name, bytes, &request.options) {
            Ok((text, c)) => {
                let mut made = rtc_result::of(c);
                made.put(rtc_output::Text, text);
                made
            }
            Err(e) => stopped(&e),
        };
        // SAFETY: this function's contract.
        unsafe { give_result(result, made) }
    })
}

/// Links `count` DXIL libraries with options that were parsed with `-link`. Files that the arguments name are not read.
///
/// # Safety
/// `session` is a session, `options` are options, `inputs` points to `count` libraries with their members, `job` is null or a job with its
/// members; none is freed or changed before the function returns. `result` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_link(
    session: *const rtc_session,
    options: *const rtc_options,
    inputs: *const rtc_input,
    count: usize,
    job: *const rtc_job,
    result: *mut *mut rtc_result,
) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        unsafe { clear(result) }?;
        // SAFETY: this function's contract.
        let (session, options) = unsafe { (object(session)?, object(options)?) };
        let Invocation::Link(request) = &options.invocation else { return Err(rtc_status::InvalidArgument) };
        if inputs.is_null() && count != 0 {
            return Err(rtc_status::InvalidArgument);
        }
        let mut list = Vec::new();
        for n in 0..count {
            // SAFETY: this function's contract: there are `count` of them.
            let input = unsafe { object(inputs.add(n)) }?;
            // SAFETY: this function's contract.
            list.push(unsafe { Input { name: text(input.name)?, bytes: bytes(input.data, input.size)? } });
        }
        // SAFETY: this function's contract.
        let job = unsafe { start(session, job) }?.limits(&request.limits);
        let made = match job.link(&list, &request.options) {
            Ok(linked) => match AuxiliaryFiles::linked(&linked) {
                Ok(auxiliary) => {
                    let mut made =
                        rtc_result::new(rtc_status::Ok, linked.warnings.iter().map(|w| format!("warning: {w}\n")).collect::<String>());
                    made.put_object(linked.bytes, Some(auxiliary));
                    made
                }
                Err(e) => rtc_result::new(rtc_status::Failed, e.to_string()),
            },
            Err(e) => failed(&e),
        };
        // SAFETY: this function's contract.
        unsafe { give_result(result, made) }
    })
}

/// # Safety
/// As [`rtc_disassemble`].
unsafe fn on_file(
    session: *const rtc_session,
    data: *const u8,
    size: usize,
    job: *const rtc_job,
    result: *mut *mut rtc_result,
    work: impl FnOnce(Job<'_>, &[u8]) -> rtc_result,
) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        unsafe { clear(result) }?;
        // SAFETY: this function's contract.
        let (session, data) = unsafe { (object(session)?, bytes(data, size)?) };
        // SAFETY: this function's contract.
        let job = unsafe { start(session, job) }?;
        // SAFETY: this function's contract.
        unsafe { give_result(result, work(job, data)) }
    })
}

/// The listing of a container, a PDB, a package or a SPIR-V module, as `RTC_OUTPUT_TEXT`.
///
/// # Safety
/// `session` is a session, `data` points to `size` bytes, `job` is null or a job with its members; none is freed or changed before the
/// function returns. `result` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_disassemble(
    session: *const rtc_session,
    data: *const u8,
    size: usize,
    job: *const rtc_job,
    result: *mut *mut rtc_result,
) -> rtc_status {
    let work = |job: Job<'_>, data: &[u8]| job.disassemble(data).map_or_else(|e| failed(&e), rtc_result::of_text);
    // SAFETY: this function's contract.
    unsafe { on_file(session, data, size, job, result, work) }
}

/// The reflection of a container, a PDB, a package or a SPIR-V module, as JSON in `RTC_OUTPUT_TEXT`.
///
/// # Safety
/// As `rtc_disassemble`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_reflect(
    session: *const rtc_session,
    data: *const u8,
    size: usize,
    job: *const rtc_job,
    result: *mut *mut rtc_result,
) -> rtc_status {
    let work = |job: Job<'_>, data: &[u8]| match job.run(|| rtc::reflect::reflect(data)) {
        Ok(Ok(text)) => rtc_result::of_text(text),
        Ok(Err(e)) => rtc_result::new(rtc_status::Failed, e.to_string()),
        Err(e) => stopped(&e),
    };
    // SAFETY: this function's contract.
    unsafe { on_file(session, data, size, job, result, work) }
}

/// Validates a DXIL container. `RTC_STATUS_FAILED` if a rule is violated or the digest is that of other content; `RTC_OUTPUT_TEXT` says what.
///
/// # Safety
/// As `rtc_disassemble`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_validate(
    session: *const rtc_session,
    data: *const u8,
    size: usize,
    job: *const rtc_job,
    result: *mut *mut rtc_result,
) -> rtc_status {
    let work = |job: Job<'_>, data: &[u8]| match job.validate(data) {
        Ok(v) => {
            let status = if v.is_valid() { rtc_status::Ok } else { rtc_status::Failed };
            let mut made = rtc_result::new(status, v.notes.join("\n"));
            let errors: String = v.errors.iter().map(|e| format!("{e}\n")).collect();
            made.put(rtc_output::Text, format!("{errors}{}", v.report));
            made
        }
        Err(e) => failed(&e),
    };
    // SAFETY: this function's contract.
    unsafe { on_file(session, data, size, job, result, work) }
}
