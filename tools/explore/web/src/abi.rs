//! What the WebAssembly module exports: memory for a request, the call, the address of its answer.
//!
//! A caller gets memory from [`rtc_request`], writes the request there, and calls [`rtc_answer`], which returns the number of bytes of the answer; it lies at
//! [`rtc_answer_at`] until the next request or [`rtc_clear`]. A panic of the compiler calls the imported `rtc.panicked` with its message, and traps; an allocation
//! that finds no memory calls `rtc.memory_ended`, and traps if the compiler cannot do without. After a trap an instance is of no use any more.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::sync::Once;

/// The buffers that lie in the memory which the caller reads and writes.
struct Buffers {
    request: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = const { RefCell::new(Buffers { request: Vec::new(), answer: Vec::new() }) };
}

#[link(wasm_import_module = "rtc")]
unsafe extern "C" {
    /// Tells the caller the message of a panic, in UTF-8.
    #[link_name = "panicked"]
    safe fn panicked(text: *const u8, length: usize);
    /// Tells the caller that an allocation found no memory.
    #[link_name = "memory_ended"]
    safe fn memory_ended();
}

/// The allocator of the target, which tells the caller when it finds no memory: the standard library would trap without a word.
struct Reporting;

#[global_allocator]
static ALLOCATOR: Reporting = Reporting;

fn report(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        memory_ended();
    }
    pointer
}

// SAFETY: every call goes to the allocator of the target as it came.
unsafe impl GlobalAlloc for Reporting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise, passed on.
        report(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise, passed on.
        report(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise, passed on.
        report(unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Memory for a request of `length` bytes; what was there of the last request is gone.
#[unsafe(no_mangle)]
pub extern "C" fn rtc_request(length: usize) -> *mut u8 {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let text = info.to_string();
            panicked(text.as_ptr(), text.len());
        }));
    });
    BUFFERS.with_borrow_mut(|b| {
        *b = Buffers { request: vec![0; length], answer: Vec::new() };
        b.request.as_mut_ptr()
    })
}

/// Answers the request ([`crate::answer`]); returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn rtc_answer() -> usize {
    let request = BUFFERS.with_borrow_mut(|b| std::mem::take(&mut b.request));
    let answer = crate::answer(&request);
    BUFFERS.with_borrow_mut(|b| {
        b.answer = answer;
        b.answer.len()
    })
}

/// Where the answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn rtc_answer_at() -> *const u8 {
    BUFFERS.with_borrow(|b| b.answer.as_ptr())
}

/// Frees the request and the answer.
#[unsafe(no_mangle)]
pub extern "C" fn rtc_clear() {
    BUFFERS.with_borrow_mut(|b| *b = Buffers { request: Vec::new(), answer: Vec::new() });
}
