//! What jobs are subject to: limits, cancellation, progress.

use std::ffi::{c_char, c_void};
use std::time::Duration;

use rtc::{CancelToken, Job, memory};

use crate::boundary::{free, give, guarded, object};
use crate::session::rtc_session;
use crate::types::rtc_status;

/// Cancels jobs from any thread.
pub struct rtc_cancel {
    token: CancelToken,
}

/// Called with each phase of a job that begins, and the function or pass that it is about; it must not unwind.
pub type rtc_progress_callback = Option<unsafe extern "C" fn(user: *mut c_void, phase: *const c_char, detail: *const c_char)>;

/// Limits of a job. Zero means none. Set all members to zero and `size` to `sizeof(rtc_job)` first.
#[repr(C)]
pub struct rtc_job {
    /// `sizeof(rtc_job)`.
    pub size: usize,
    /// The job stops when it is cancelled; null for never.
    pub cancel: *const rtc_cancel,
    /// The job stops after this time.
    pub time_limit_ms: u64,
    /// The job stops when it has allocated this much.
    pub memory_limit_bytes: u64,
    /// Called by the thread that works; null for no progress.
    pub progress: rtc_progress_callback,
    /// The first argument of `progress`.
    pub user: *mut c_void,
}

/// A callback of the caller with its argument.
struct Progress {
    callback: unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char),
    user: *mut c_void,
}

// SAFETY: it is called by the thread only that called the function of the job, and dropped before that returns.
unsafe impl Send for Progress {}
// SAFETY: likewise.
unsafe impl Sync for Progress {}

impl Progress {
    fn tell(&self, phase: &str, detail: &str) {
        let text = |s: &str| std::ffi::CString::new(s.replace('\0', "")).unwrap_or_default();
        let (phase, detail) = (text(phase), text(detail));
        // SAFETY: the contract of `rtc_job`; both texts live until it returns.
        unsafe { (self.callback)(self.user, phase.as_ptr(), detail.as_ptr()) };
    }
}

/// A job of a session with the limits of `job`.
///
/// # Safety
/// `job` is null, or points to an `rtc_job` with its members valid until the job is over.
pub(crate) unsafe fn start<'a>(session: &'a rtc_session, job: *const rtc_job) -> Result<Job<'a>, rtc_status> {
    let mut out = session.session.job();
    // SAFETY: this function's contract.
    let Some(job) = (unsafe { job.as_ref() }) else { return Ok(out) };
    if job.size != size_of::<rtc_job>() {
        return Err(rtc_status::InvalidArgument);
    }
    // SAFETY: this function's contract.
    if let Some(cancel) = unsafe { job.cancel.as_ref() } {
        out = out.cancelled_by(&cancel.token);
    }
    if job.time_limit_ms != 0 {
        out = out.time_limit(Duration::from_millis(job.time_limit_ms));
    }
    if job.memory_limit_bytes != 0 {
        out = out.memory_limit(usize::try_from(job.memory_limit_bytes).unwrap_or(usize::MAX), memory::used);
    }
    if let Some(callback) = job.progress {
        let progress = Progress { callback, user: job.user };
        out = out.progress(move |phase, detail| progress.tell(phase, detail));
    }
    Ok(out)
}

/// Makes a token that cancels jobs.
///
/// # Safety
/// `cancel` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_cancel_new(cancel: *mut *mut rtc_cancel) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        unsafe { give(cancel, rtc_cancel { token: CancelToken::new() }) }?;
        Ok(rtc_status::Ok)
    })
}

/// Stops the jobs that have this token, at their next phase. It stays cancelled. Any thread may call.
///
/// # Safety
/// `cancel` is null or a token.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_cancel_now(cancel: *const rtc_cancel) {
    // SAFETY: this function's contract.
    if let Ok(cancel) = unsafe { object(cancel) } {
        cancel.token.cancel();
    }
}

/// Frees a token.
///
/// # Safety
/// `cancel` is null, or a token that is not used again, nor by a job that runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_cancel_free(cancel: *mut rtc_cancel) {
    // SAFETY: this function's contract.
    unsafe { free(cancel) };
}
