//! Sessions and their includes.

use std::ffi::{c_char, c_int, c_void};
use std::io;
use std::sync::Arc;

use rtc::{Disk, Files, Session};

use crate::boundary::{bytes, free, give, guarded, guarded_value, object};
use crate::types::rtc_status;

/// A session: files and tokens that compilations share.
pub struct rtc_session {
    pub(crate) session: Session,
    pub(crate) files: Arc<dyn Files>,
}

/// Receives the file that an include callback found.
pub struct rtc_include {
    found: Option<Vec<u8>>,
}

/// The answer of an include callback.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtc_include_answer {
    /// There is no such file.
    None = 0,
    /// `rtc_include_set` has the file.
    File = 1,
    /// There is one that cannot be read.
    Error = 2,
}

/// Finds the file at `path` and passes its bytes to `rtc_include_set`. It is called by the thread that compiles, so by several at once if
/// several compile. It must not unwind.
pub type rtc_include_callback = Option<unsafe extern "C" fn(user: *mut c_void, path: *const c_char, to: *mut rtc_include) -> c_int>;

/// Includes from a function of the caller.
struct CallbackFiles {
    callback: unsafe extern "C" fn(*mut c_void, *const c_char, *mut rtc_include) -> c_int,
    user: *mut c_void,
}

// SAFETY: `rtc_session_new` demands that the callback may be called with `user` by any thread.
unsafe impl Send for CallbackFiles {}
// SAFETY: likewise, by several at once.
unsafe impl Sync for CallbackFiles {}

impl Files for CallbackFiles {
    fn read(&self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        // A path with a zero byte names no file.
        let Ok(name) = std::ffi::CString::new(path) else { return Ok(None) };
        let mut to = rtc_include { found: None };
        // SAFETY: `rtc_session_new` demands a function of this type; path and receiver live until it returns.
        let answer = unsafe { (self.callback)(self.user, name.as_ptr(), &raw mut to) };
        match (answer, to.found) {
            (0, _) => Ok(None),
            (1, found) => Ok(Some(found.unwrap_or_default().into())),
            _ => Err(io::Error::other("the include callback failed")),
        }
    }
}

/// Files that a session and the readers of its arguments share.
struct SharedFiles(Arc<dyn Files>);

impl Files for SharedFiles {
    fn read(&self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        self.0.read(path)
    }
    fn same_but_case(&self, path: &str) -> Option<String> {
        self.0.same_but_case(path)
    }
    fn list(&self, dir: &str) -> Vec<String> {
        self.0.list(dir)
    }
    fn identity(&self, path: &str) -> String {
        self.0.identity(path)
    }
}

/// Passes the bytes of a file to the compiler, which copies them. For include callbacks only.
///
/// # Safety
/// `to` is the receiver of the callback that runs; `data` points to `size` readable bytes, or `size` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_include_set(to: *mut rtc_include, data: *const u8, size: usize) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        let data = unsafe { bytes(data, size) }?;
        // SAFETY: this function's contract; no other reference to it exists while the callback runs.
        let to = unsafe { to.as_mut() }.ok_or(rtc_status::InvalidArgument)?;
        to.found = Some(data.to_vec());
        Ok(rtc_status::Ok)
    })
}

/// Makes a session. Includes come from `callback`, called with `user`; without one, from the disk.
///
/// # Safety
/// `callback` may be called with `user` by any thread, by several at once, until the session and its clones are freed. `session` can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_session_new(callback: rtc_include_callback, user: *mut c_void, session: *mut *mut rtc_session) -> rtc_status {
    guarded(|| {
        let files: Arc<dyn Files> = match callback {
            Some(callback) => Arc::new(CallbackFiles { callback, user }),
            None => Arc::new(Disk),
        };
        let made = rtc_session { session: Session::of_process(SharedFiles(files.clone())), files };
        // SAFETY: this function's contract.
        unsafe { give(session, made) }?;
        Ok(rtc_status::Ok)
    })
}

/// Another handle of the same session.
///
/// # Safety
/// `session` is a session; `clone` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_session_clone(session: *const rtc_session, clone: *mut *mut rtc_session) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        let session = unsafe { object(session) }?;
        let made = rtc_session { session: session.session.clone(), files: session.files.clone() };
        // SAFETY: this function's contract.
        unsafe { give(clone, made) }?;
        Ok(rtc_status::Ok)
    })
}

/// Forgets the files that were read, because they may have changed.
///
/// # Safety
/// `session` is null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_session_forget_files(session: *const rtc_session) {
    // SAFETY: this function's contract.
    if let Ok(session) = unsafe { object(session) } {
        guarded_value((), || session.session.forget_files());
    }
}

/// Frees a session.
///
/// # Safety
/// `session` is null, or a session that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_session_free(session: *mut rtc_session) {
    // SAFETY: this function's contract.
    unsafe { free(session) };
}
