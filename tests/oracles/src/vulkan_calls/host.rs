//! `VkAllocationCallbacks` that count blocks and bytes, and refuse on demand.

use std::alloc::Layout;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

/// `VkAllocationCallbacks`, to be cast to the type of a binding. It must not move while it is in use.
#[repr(C)]
pub struct Callbacks {
    user: *const Counts,
    allocate: unsafe extern "system" fn(*mut c_void, usize, usize, i32) -> *mut c_void,
    reallocate: unsafe extern "system" fn(*mut c_void, *mut c_void, usize, usize, i32) -> *mut c_void,
    free: unsafe extern "system" fn(*mut c_void, *mut c_void),
    internal: [Option<unsafe extern "system" fn()>; 2],
}

/// What was allocated.
#[derive(Debug)]
pub struct Counts {
    blocks: AtomicI64,
    bytes: AtomicI64,
    all: AtomicI64,
    budget: AtomicI64,
    within: Mutex<&'static str>,
}

impl Default for Counts {
    fn default() -> Counts {
        let zero = || AtomicI64::new(0);
        Counts { blocks: zero(), bytes: zero(), all: zero(), budget: AtomicI64::new(i64::MAX), within: Mutex::new("") }
    }
}

impl Counts {
    /// The callbacks that count here. `self` must outlive their use.
    pub fn callbacks(&self) -> Callbacks {
        Callbacks { user: self, allocate, reallocate, free, internal: [None; 2] }
    }

    /// Blocks that live.
    pub fn blocks(&self) -> i64 {
        self.blocks.load(Ordering::SeqCst)
    }

    /// Bytes that live.
    pub fn bytes(&self) -> i64 {
        self.bytes.load(Ordering::SeqCst)
    }

    /// Blocks that ever lived.
    pub fn all(&self) -> i64 {
        self.all.load(Ordering::SeqCst)
    }

    /// Lets so many allocations succeed that the driver makes within a function ([`super::inside`]), and refuses the next one alone.
    pub fn refuse_after(&self, allocations: i64, within: &'static str) {
        *self.within.lock().unwrap_or_else(|e| e.into_inner()) = within;
        self.budget.store(allocations, Ordering::SeqCst);
    }

    /// Refuses nothing more; whether the allocation that was to be refused has been.
    pub fn refused(&self) -> bool {
        self.budget.swap(i64::MAX, Ordering::SeqCst) == i64::MAX
    }

    fn refuses(&self) -> bool {
        if self.budget.load(Ordering::SeqCst) == i64::MAX || super::inside() != *self.within.lock().unwrap_or_else(|e| e.into_inner()) {
            return false;
        }
        let now = self.budget.fetch_sub(1, Ordering::SeqCst) <= 0;
        if now {
            self.budget.store(i64::MAX, Ordering::SeqCst);
        }
        now
    }
}

/// Each block begins with its size and alignment, in front of what the driver sees.
const HEAD: usize = 64;

unsafe extern "system" fn allocate(user: *mut c_void, size: usize, align: usize, _: i32) -> *mut c_void {
    // SAFETY: `user` is the counter.
    let counts = unsafe { &*user.cast::<Counts>() };
    if counts.refuses() {
        return std::ptr::null_mut();
    }
    let align = align.max(HEAD);
    let Some(layout) = size.checked_add(align).and_then(|n| Layout::from_size_align(n, align).ok()) else {
        return std::ptr::null_mut();
    };
    // SAFETY: the block has room for the two numbers before what is returned.
    unsafe {
        let block = std::alloc::alloc(layout);
        if block.is_null() {
            return std::ptr::null_mut();
        }
        counts.blocks.fetch_add(1, Ordering::SeqCst);
        counts.bytes.fetch_add(size as i64, Ordering::SeqCst);
        counts.all.fetch_add(1, Ordering::SeqCst);
        let at = block.add(align);
        at.sub(16).cast::<usize>().write(size);
        at.sub(8).cast::<usize>().write(align);
        at.cast()
    }
}

unsafe extern "system" fn free(user: *mut c_void, at: *mut c_void) {
    if at.is_null() {
        return;
    }
    // SAFETY: it is what `allocate` returned, with the layout that it had there.
    unsafe {
        let counts = &*user.cast::<Counts>();
        let at = at.cast::<u8>();
        let (size, align) = (at.sub(16).cast::<usize>().read(), at.sub(8).cast::<usize>().read());
        counts.blocks.fetch_sub(1, Ordering::SeqCst);
        counts.bytes.fetch_sub(size as i64, Ordering::SeqCst);
        std::alloc::dealloc(at.sub(align), Layout::from_size_align_unchecked(size + align, align));
    }
}

unsafe extern "system" fn reallocate(user: *mut c_void, old: *mut c_void, size: usize, align: usize, scope: i32) -> *mut c_void {
    // SAFETY: as Vulkan prescribes it: a null block is allocated, a size of zero frees, and a refusal leaves the old block as it is.
    unsafe {
        if size == 0 {
            free(user, old);
            return std::ptr::null_mut();
        }
        let new = allocate(user, size, align, scope);
        if !old.is_null() && !new.is_null() {
            let had = old.cast::<u8>().sub(16).cast::<usize>().read();
            std::ptr::copy_nonoverlapping(old.cast::<u8>(), new.cast::<u8>(), had.min(size));
            free(user, old);
        }
        new
    }
}
