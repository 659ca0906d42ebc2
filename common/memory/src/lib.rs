//! Allocators that count what each thread has allocated, so that jobs can have a limit of memory.
//!
//! A program installs [`Counting`] or, if it lives as long as a compilation, [`Pool`] as its global allocator; then [`used`] says what the current thread has allocated and not freed. It is what
//! `Job::memory_limit` of the crate `rtc` asks for. Every allocation of [`Counting`] goes to the allocator of the system, and counting costs an
//! addition to a variable of the thread.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: rtc_memory::Counting = rtc_memory::Counting;
//!
//! let before = rtc_memory::used();
//! let bytes = vec![1u8; 1000];
//! assert_eq!(rtc_memory::used() - before, 1000);
//! drop(bytes);
//! assert_eq!(rtc_memory::used(), before);
//! assert!(rtc_memory::is_counting());
//! ```

mod bytes;
mod pool;

pub use pool::{Pool, release};

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The allocator of the system, counting what each thread has allocated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

thread_local! {
    // No destructor and no lazy initialisation: an allocator may use it at any time.
    static USED: Cell<isize> = const { Cell::new(0) };
}

/// The bytes that this thread has allocated and not freed. It is negative if the thread freed what others allocated, and stays zero in a program
/// that has another allocator.
pub fn used() -> isize {
    USED.try_with(Cell::get).unwrap_or(0)
}

/// Whether an allocator of this crate is that of this program, so that a limit of memory has an effect.
pub fn is_counting() -> bool {
    let before = used();
    let probe = std::hint::black_box(Box::new(1u64));
    let after = used();
    drop(probe);
    after != before
}

fn count(bytes: isize) {
    // A thread that ends may have no variables any more.
    _ = USED.try_with(|used| used.set(used.get().wrapping_add(bytes)));
}

/// The size of an allocation that was made: a null pointer is none.
fn made(pointer: *mut u8, bytes: isize) -> *mut u8 {
    if !pointer.is_null() {
        count(bytes);
    }
    pointer
}

// SAFETY: every call goes to the allocator of the system as it is; counting allocates nothing. No layout is larger than `isize::MAX`.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        made(unsafe { System.alloc(layout) }, layout.size() as isize)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        made(unsafe { System.alloc_zeroed(layout) }, layout.size() as isize)
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(ptr, layout) };
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        made(unsafe { System.realloc(ptr, layout, new_size) }, new_size as isize - layout.size() as isize)
    }
}
