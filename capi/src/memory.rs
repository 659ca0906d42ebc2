//! The allocator of the library: that of the system, counting what each thread has allocated, so that jobs can have a limit of memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    // No destructor and no lazy initialisation: an allocator may use it at any time.
    static USED: Cell<isize> = const { Cell::new(0) };
}

/// The bytes that this thread has allocated and not freed.
pub(crate) fn used() -> isize {
    USED.try_with(Cell::get).unwrap_or(0)
}

fn count(bytes: isize) {
    // A thread that ends may have no variables any more.
    _ = USED.try_with(|used| used.set(used.get().wrapping_add(bytes)));
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the allocator of the system as it is; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(ptr, layout) };
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as isize - layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}
