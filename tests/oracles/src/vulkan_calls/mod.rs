//! Vulkan functions that are between a program and its driver: they count objects, and fail calls on demand.
//!
//! A program that takes `vkGetInstanceProcAddr` as a pointer gets [`wrap`]'s in place of the loader's. Objects that are made through it are
//! known by kind and handle until they are destroyed; what is destroyed and not known is a mistake of the program. Any call that may fail
//! can be made to: [`fail_from`] says which. [`host`] has `VkAllocationCallbacks` that do the same for host memory.
//!
//! Functions of Vulkan take no pointer of the program, so all of this is one state of the process: tests that use it take turns.

mod functions;
pub mod host;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard};

/// `vkGetInstanceProcAddr` and `vkGetDeviceProcAddr`.
type Get = unsafe extern "system" fn(*mut c_void, *const c_char) -> *const c_void;

/// How calls fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// One call: `VK_ERROR_OUT_OF_DEVICE_MEMORY`.
    Memory,
    /// One call and all later ones: `VK_ERROR_DEVICE_LOST`.
    Lost,
}

/// Objects that live, and mistakes.
struct State {
    live: BTreeMap<(&'static str, u64), u64>,
    mistakes: Vec<String>,
    failure: Failure,
    failed: Vec<&'static str>,
    /// Pipelines that a deferred operation will make: where its handles will be.
    deferred: Vec<(u64, usize, u32)>,
}

static STATE: Mutex<State> =
    Mutex::new(State { live: BTreeMap::new(), mistakes: Vec::new(), failure: Failure::Memory, failed: Vec::new(), deferred: Vec::new() });
/// How many calls succeed before one fails.
static BUDGET: AtomicI64 = AtomicI64::new(i64::MAX);
/// Calls that may fail since [`fail_from`].
static CALLS: AtomicI64 = AtomicI64::new(0);
static GET: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static GET_DEVICE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    /// The function of the driver that runs on this thread.
    static INSIDE: Cell<&'static str> = const { Cell::new("") };
}

/// The function of the driver that runs on this thread; empty: none of those that are counted.
pub fn inside() -> &'static str {
    INSIDE.try_with(Cell::get).unwrap_or("")
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(|e| e.into_inner())
}

/// The function to use in place of the loader's `vkGetInstanceProcAddr`.
///
/// # Safety
/// The pointer is that function, and stays valid until the process ends or another one is wrapped.
pub unsafe fn wrap(get_instance_proc_addr: *const c_void) -> *const c_void {
    GET.store(get_instance_proc_addr.cast_mut(), Ordering::SeqCst);
    get_instance as *const c_void
}

/// Lets `calls` calls succeed from now on, then fails.
pub fn fail_from(calls: u64, failure: Failure) {
    let mut state = state();
    state.failure = failure;
    state.failed.clear();
    CALLS.store(0, Ordering::SeqCst);
    BUDGET.store(i64::try_from(calls).unwrap_or(i64::MAX), Ordering::SeqCst);
}

/// Lets all calls succeed; the names of those that were made to fail since [`fail_from`], and how many calls there were.
pub fn succeed() -> (Vec<&'static str>, u64) {
    BUDGET.store(i64::MAX, Ordering::SeqCst);
    (std::mem::take(&mut state().failed), CALLS.load(Ordering::SeqCst).unsigned_abs())
}

/// How many objects of each kind live.
pub fn live() -> BTreeMap<&'static str, u64> {
    let mut out = BTreeMap::new();
    for ((kind, _), n) in &state().live {
        *out.entry(*kind).or_default() += n;
    }
    out
}

/// Objects that were destroyed and did not live, since the last question.
pub fn mistakes() -> Vec<String> {
    std::mem::take(&mut state().mistakes)
}

/// Forgets what lives, after a test that failed.
pub fn forget() {
    let mut state = state();
    state.live.clear();
    state.mistakes.clear();
    BUDGET.store(i64::MAX, Ordering::SeqCst);
}

/// The error that a call must return, if it is its turn.
fn refused(name: &'static str) -> Option<i32> {
    CALLS.fetch_add(1, Ordering::SeqCst);
    if BUDGET.load(Ordering::SeqCst) == i64::MAX || BUDGET.fetch_sub(1, Ordering::SeqCst) > 0 {
        return None;
    }
    let mut state = state();
    let (code, once) = match state.failure {
        Failure::Memory => (-2, true),
        Failure::Lost => (-4, false),
    };
    if once {
        BUDGET.store(i64::MAX, Ordering::SeqCst);
    }
    state.failed.push(name);
    Some(code)
}

fn born(kind: &'static str, handle: u64) {
    if handle != 0 {
        *state().live.entry((kind, handle)).or_default() += 1;
    }
}

fn died(kind: &'static str, handle: u64) {
    if handle == 0 {
        return;
    }
    let mut state = state();
    match state.live.get_mut(&(kind, handle)) {
        Some(n) if *n > 1 => *n -= 1,
        Some(_) => {
            state.live.remove(&(kind, handle));
        }
        None => state.mistakes.push(format!("a {kind} is destroyed that does not live ({handle:#x})")),
    }
}

/// Pipelines that the deferred operation has made by now.
fn deferred(operation: u64) {
    let mut made = Vec::new();
    state().deferred.retain(|(op, at, count)| {
        if *op == operation {
            // SAFETY: Vulkan demands that the place of the handles lives until the operation ends.
            made.extend((0..*count as usize).map(|i| unsafe { (*at as *const u64).add(i).read() }));
        }
        *op != operation
    });
    made.into_iter().for_each(|handle| born("Pipeline", handle));
}

/// What replaces a function, if anything does.
///
/// # Safety
/// `name` is a C string, `real` the function of that name.
unsafe fn replacement(name: *const c_char, real: *const c_void) -> *const c_void {
    if name.is_null() || real.is_null() {
        return real;
    }
    // SAFETY: by the caller's promise.
    let name = unsafe { CStr::from_ptr(name) };
    match name.to_bytes() {
        b"vkGetInstanceProcAddr" => get_instance as *const c_void,
        b"vkGetDeviceProcAddr" => {
            GET_DEVICE.store(real.cast_mut(), Ordering::SeqCst);
            get_device as *const c_void
        }
        name => match functions::find(name) {
            Some((own, slot)) => {
                slot.store(real.cast_mut(), Ordering::SeqCst);
                own
            }
            None => real,
        },
    }
}

unsafe extern "system" fn get_instance(instance: *mut c_void, name: *const c_char) -> *const c_void {
    // SAFETY: `wrap` was called with this function before this one was handed out.
    unsafe {
        let get = std::mem::transmute::<*mut c_void, Get>(GET.load(Ordering::SeqCst));
        replacement(name, get(instance, name))
    }
}

unsafe extern "system" fn get_device(device: *mut c_void, name: *const c_char) -> *const c_void {
    // SAFETY: `replacement` has the function from the loader.
    unsafe {
        let get = std::mem::transmute::<*mut c_void, Get>(GET_DEVICE.load(Ordering::SeqCst));
        replacement(name, get(device, name))
    }
}
