//! Options: the arguments of dxc, parsed once and used often.

use std::ffi::c_char;
use std::io;
use std::sync::Arc;

use rtc::arguments::{ArgumentFiles, Invocation};
use rtc::{Define, Files, Options};

use crate::boundary::{free, give, guarded, object, put, text};
use crate::session::rtc_session;
use crate::types::{rtc_bytes, rtc_status};
use rtc_c_common::Text;

/// Parsed arguments.
pub struct rtc_options {
    pub(crate) invocation: Invocation,
}

/// Why arguments are not valid.
pub struct rtc_error {
    message: Text,
}

/// Files that arguments name come from the session.
struct SessionFiles(Arc<dyn Files>);

impl ArgumentFiles for SessionFiles {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)?.map(|b| b.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &str) -> bool {
        matches!(self.0.read(path), Ok(Some(_)))
    }
}

/// Parses `count` arguments of dxc, without the name of the program: `-T`, `lib_6_6`, `-Zi`. Files that they name are those of the session's
/// includes. With `-link` they are options of the linker. If they are not valid, the status is `RTC_STATUS_FAILED` and `error`, unless it is
/// null, is set to the reason.
///
/// # Safety
/// `session` is a session; `arguments` points to `count` texts; `options` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_options_parse(
    session: *const rtc_session,
    arguments: *const *const c_char,
    count: usize,
    options: *mut *mut rtc_options,
    error: *mut *mut rtc_error,
) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        let session = unsafe { object(session) }?;
        if arguments.is_null() && count != 0 || options.is_null() {
            return Err(rtc_status::InvalidArgument);
        }
        let mut list = Vec::new();
        for n in 0..count {
            // SAFETY: this function's contract: there are `count` of them, each a text.
            list.push(unsafe { text(*arguments.add(n)) }?);
        }
        match Options::parse_args_of("source.hlsl", list, &mut SessionFiles(session.files.clone())) {
            Ok(invocation) => {
                // SAFETY: this function's contract.
                unsafe { give(options, rtc_options { invocation }) }?;
                Ok(rtc_status::Ok)
            }
            Err(e) => {
                if !error.is_null() {
                    // SAFETY: this function's contract.
                    unsafe { give(error, rtc_error { message: Text::new(e.to_string()) }) }?;
                }
                Ok(rtc_status::Failed)
            }
        }
    })
}

/// Other options with one macro more: `NAME` or `NAME=VALUE`. For permutations of a source.
///
/// # Safety
/// `options` are options; `definition` is a text; `with` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_options_define(
    options: *const rtc_options,
    definition: *const c_char,
    with: *mut *mut rtc_options,
) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        let (options, definition) = unsafe { (object(options)?, text(definition)?) };
        let mut invocation = options.invocation.clone();
        let Invocation::Compile(request) = &mut invocation else { return Err(rtc_status::InvalidArgument) };
        request.options.defines.push(Define::parse(definition));
        // SAFETY: this function's contract.
        unsafe { give(with, rtc_options { invocation }) }?;
        Ok(rtc_status::Ok)
    })
}

/// Other options with another entry point.
///
/// # Safety
/// `options` are options; `entry` is a text; `with` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_options_entry(options: *const rtc_options, entry: *const c_char, with: *mut *mut rtc_options) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        let (options, entry) = unsafe { (object(options)?, text(entry)?) };
        let mut invocation = options.invocation.clone();
        let Invocation::Compile(request) = &mut invocation else { return Err(rtc_status::InvalidArgument) };
        entry.clone_into(&mut request.options.entry);
        // SAFETY: this function's contract.
        unsafe { give(with, rtc_options { invocation }) }?;
        Ok(rtc_status::Ok)
    })
}

/// The 32 bytes that identify options of the compiler, the same on every system: a key for caches.
///
/// # Safety
/// `options` are options; `fingerprint` points to 32 bytes that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_options_fingerprint(options: *const rtc_options, fingerprint: *mut u8) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        let options = unsafe { object(options) }?;
        let Invocation::Compile(request) = &options.invocation else { return Err(rtc_status::InvalidArgument) };
        // SAFETY: this function's contract; an array of bytes has no alignment.
        unsafe { put(fingerprint.cast::<[u8; 32]>(), request.options.fingerprint().0) }?;
        Ok(rtc_status::Ok)
    })
}

/// Frees options.
///
/// # Safety
/// `options` is null, or options that are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_options_free(options: *mut rtc_options) {
    // SAFETY: this function's contract.
    unsafe { free(options) };
}

/// The message of an error; empty for null.
///
/// # Safety
/// `error` is null or an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_error_message(error: *const rtc_error) -> rtc_bytes {
    // SAFETY: this function's contract.
    unsafe { object(error) }.map_or(rtc_bytes::EMPTY, |e| rtc_bytes::of(&e.message))
}

/// Frees an error.
///
/// # Safety
/// `error` is null, or an error that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_error_free(error: *mut rtc_error) {
    // SAFETY: this function's contract.
    unsafe { free(error) };
}
