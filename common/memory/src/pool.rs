//! An allocator for programs that live for milliseconds: size classes without headers, memory that is made ready in steps.
//!
//! A freed block goes to the list of its class in the thread that freed it, and the next allocation of the class takes it from there. A block has no
//! header: the size comes with the request to free it. Where the list is empty, the block is cut from the end of what the thread has. This is what most of a
//! compilation does, so neighbours in memory were allocated one after the other.
//!
//! The first touch of a page costs a page fault, which is more than what a small shader does with the page. So pages are requested in steps,
//! before they are used: that takes half of the time.
//!
//! A list that becomes long goes to a list that all threads share, so that a thread which only frees keeps little. A block keeps its class for ever, so
//! a program that lives for days needs of each class what it needed at one time at most. Large blocks are the system's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use crate::{count, made};

/// Blocks are multiples of this, and aligned to it.
const GRAIN: usize = 16;

/// Up to this size there is a class for each multiple of [`GRAIN`].
const FINE: usize = 1024;

/// Up to this size there are classes, four for each doubling. Larger blocks are the system's.
const MAX: usize = 1 << 20;

const FINE_CLASSES: usize = FINE / GRAIN;
const CLASSES: usize = FINE_CLASSES + 4 * (MAX / FINE).ilog2() as usize;

/// What is requested of the system at once. It commits only what is touched.
const CHUNK: usize = 4 << 20;

/// The least and the most that is made ready at once.
const STEP: (usize, usize) = (64 << 10, 512 << 10);

/// The size of pages, or a part of it.
const PAGE: usize = 4096;

/// A list of this many bytes, and of at least one block, goes to the shared ones.
const LONG: usize = 256 << 10;

/// The class of a size that is at most [`MAX`].
const fn class(size: usize) -> usize {
    if size <= FINE {
        return size.saturating_sub(1) / GRAIN;
    }
    // Four classes in each doubling: the two bits after the highest one of `size - 1` say which.
    let last = size - 1;
    let doubling = last.ilog2() as usize;
    FINE_CLASSES + 4 * (doubling - FINE.ilog2() as usize) + ((last >> (doubling - 2)) & 3)
}

/// The size of the blocks of a class.
const fn size_of(class: usize) -> usize {
    if class < FINE_CLASSES {
        return (class + 1) * GRAIN;
    }
    let (doubling, quarter) = ((class - FINE_CLASSES) / 4, (class - FINE_CLASSES) % 4);
    (FINE << doubling) / 4 * (5 + quarter)
}

/// How many blocks of a class are a long list.
const LONG_COUNT: [u32; CLASSES] = {
    let mut counts = [0; CLASSES];
    let mut class = 0;
    while class < CLASSES {
        let blocks = (LONG / size_of(class)) as u32;
        counts[class] = if blocks == 0 { 1 } else { blocks };
        class += 1;
    }
    counts
};

/// A free block.
struct Block {
    next: *mut Block,
    /// In the first block of a shared list: the list after it.
    list: *mut Block,
}

/// Free blocks of a class.
#[derive(Clone, Copy)]
struct List {
    first: *mut Block,
    /// At least as many as there are.
    count: u32,
}

/// What a thread has.
struct Heap {
    /// The memory that is ready and not cut into blocks.
    next: *mut u8,
    ready: *mut u8,
    /// The end of the chunk.
    end: *mut u8,
    /// The bytes that were made ready so far.
    total: usize,
    free: [List; CLASSES],
}

thread_local! {
    // No destructor and no lazy initialisation: an allocator may use it at any time.
    static HEAP: UnsafeCell<Heap> = const {
        UnsafeCell::new(Heap { next: null_mut(), ready: null_mut(), end: null_mut(), total: 0, free: [List { first: null_mut(), count: 0 }; CLASSES] })
    };
}

/// Lists that threads passed on, by class. A thread changes them while it has locked them.
struct Shared {
    locked: AtomicBool,
    lists: [AtomicPtr<Block>; CLASSES],
}

static SHARED: Shared = Shared { locked: AtomicBool::new(false), lists: [const { AtomicPtr::new(null_mut()) }; CLASSES] };

impl Shared {
    /// Gives the first list of a class to `change`.
    fn with<T>(&self, class: usize, change: impl FnOnce(&mut *mut Block) -> T) -> T {
        while self.locked.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
        let mut first = self.lists[class].load(Ordering::Relaxed);
        let result = change(&mut first);
        self.lists[class].store(first, Ordering::Relaxed);
        self.locked.store(false, Ordering::Release);
        result
    }

    /// Takes a list; null if there is none.
    fn take(&self, class: usize) -> *mut Block {
        // What another thread gives at this moment serves the next one.
        if self.lists[class].load(Ordering::Relaxed).is_null() {
            return null_mut();
        }
        self.with(class, |lists| {
            let first = *lists;
            if !first.is_null() {
                // SAFETY: the lists here are of free blocks, which are in no list of a thread.
                *lists = unsafe { (*first).list };
            }
            first
        })
    }

    /// Adds a list that is not empty.
    fn give(&self, class: usize, first: *mut Block) {
        self.with(class, |lists| {
            // SAFETY: a free block, which is in no other list.
            unsafe { (*first).list = *lists };
            *lists = first;
        });
    }
}

#[cfg(target_os = "linux")]
fn make_ready(at: *mut u8, bytes: usize) {
    unsafe extern "C" {
        fn madvise(at: *mut std::ffi::c_void, bytes: usize, advice: std::ffi::c_int) -> std::ffi::c_int;
    }
    const POPULATE_WRITE: std::ffi::c_int = 23;
    // SAFETY: the range is this thread's alone and lies in one chunk. Older systems know no such advice: then pages are there when they are touched.
    unsafe { madvise(at.cast(), bytes, POPULATE_WRITE) };
}

#[cfg(not(target_os = "linux"))]
fn make_ready(_: *mut u8, _: usize) {}

impl Heap {
    /// Pushes a block to the list of its class.
    ///
    /// # Safety
    /// The block is free, at least as large as those of the class, and in no other list.
    unsafe fn push(&mut self, block: *mut u8, class: usize) {
        let block = block.cast::<Block>();
        let list = &mut self.free[class];
        // SAFETY: the block is free, and large enough and aligned for a `Block`.
        unsafe { (*block).next = list.first };
        list.first = block;
        list.count += 1;
        if list.count > LONG_COUNT[class] {
            let first = std::mem::replace(list, List { first: null_mut(), count: 0 }).first;
            SHARED.give(class, first);
        }
    }

    /// A block of a class; null if the system has no memory.
    fn pop(&mut self, class: usize) -> *mut u8 {
        let list = &mut self.free[class];
        let block = list.first;
        if block.is_null() {
            return self.cut(class);
        }
        // SAFETY: blocks in lists are free, and their links valid.
        list.first = unsafe { (*block).next };
        list.count = list.count.wrapping_sub(1);
        block.cast()
    }

    /// Slow path of an allocation: the free list of the class is empty. Takes a shared list, or cuts a block from the chunk.
    fn cut(&mut self, class: usize) -> *mut u8 {
        let size = size_of(class);
        self.free[class].count = 0;
        let first = SHARED.take(class);
        if !first.is_null() {
            // SAFETY: the list was taken, so its blocks are this thread's.
            self.free[class] = List { first: unsafe { (*first).next }, count: LONG_COUNT[class] };
            return first.cast();
        }
        if size > self.left() && !self.extend(size) {
            return null_mut();
        }
        let block = self.next;
        self.next = block.wrapping_add(size);
        block
    }

    /// The bytes that are ready.
    fn left(&self) -> usize {
        self.ready as usize - self.next as usize
    }

    /// Makes at least `size` bytes ready. Whether there is memory.
    #[cold]
    fn extend(&mut self, size: usize) -> bool {
        if size > self.end as usize - self.next as usize {
            self.keep_rest();
            // SAFETY: the layout is not empty.
            let chunk = unsafe { System.alloc(Layout::from_size_align_unchecked(CHUNK, GRAIN)) };
            if chunk.is_null() {
                return false;
            }
            (self.next, self.ready, self.end) = (chunk, chunk, chunk.wrapping_add(CHUNK));
        }
        let (from, end) = (self.ready as usize, self.end as usize);
        let wanted = (self.next as usize + size).max(from + (self.total / 4).clamp(STEP.0, STEP.1));
        let ready = wanted.next_multiple_of(PAGE).min(end);
        // Of a large block only a part may be used.
        if ready - from <= 2 * STEP.1 {
            make_ready(self.ready.wrapping_sub(from % PAGE), (ready / PAGE * PAGE).saturating_sub(from / PAGE * PAGE));
        }
        self.ready = self.ready.wrapping_add(ready - from);
        self.total += ready - from;
        true
    }

    /// What is left of a chunk becomes free blocks.
    fn keep_rest(&mut self) {
        let (at, bytes) = (self.next, self.end as usize - self.next as usize);
        self.next = self.end;
        self.ready = self.end;
        // SAFETY: the rest of the chunk, which is in no list.
        unsafe { self.split(at, bytes) };
    }

    /// Makes free blocks of memory.
    ///
    /// # Safety
    /// The memory is free and in no list, and its size is a multiple of [`GRAIN`].
    unsafe fn split(&mut self, mut at: *mut u8, mut bytes: usize) {
        while bytes >= GRAIN {
            let size = bytes.min(MAX);
            // The largest class whose blocks are not larger.
            let class = if size_of(class(size)) > size { class(size) - 1 } else { class(size) };
            // SAFETY: the caller's promise; the block is a part of the memory.
            unsafe { self.push(at, class) };
            at = at.wrapping_add(size_of(class));
            bytes -= size_of(class);
        }
    }
}

/// An allocator that is fast for short programs and counts like [`Counting`](crate::Counting).
#[derive(Clone, Copy, Debug, Default)]
pub struct Pool;

/// Whether a block is of a class, and not the system's.
fn is_small(layout: &Layout) -> bool {
    layout.size() <= MAX && layout.align() <= GRAIN
}

/// Runs `work` with the heap of this thread; none while the thread's variables are gone.
fn with_heap<T>(work: impl FnOnce(&mut Heap) -> T) -> Option<T> {
    // SAFETY: the heap is the thread's own, and nothing in `work` allocates with this allocator.
    HEAP.try_with(|heap| work(unsafe { &mut *heap.get() })).ok()
}

/// Passes on what this thread has freed, for other threads: the last thing that a thread does which others follow.
pub fn release() {
    with_heap(|heap| {
        heap.keep_rest();
        for class in 0..CLASSES {
            let first = std::mem::replace(&mut heap.free[class], List { first: null_mut(), count: 0 }).first;
            if !first.is_null() {
                SHARED.give(class, first);
            }
        }
    });
}

// SAFETY: small blocks are cut from memory of the system or were freed by their owner; each belongs to one list or one owner. Large ones are the system's.
// Whether a block is small follows from the layout alone, which is the same when it is freed.
unsafe impl GlobalAlloc for Pool {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let pointer = if is_small(&layout) {
            with_heap(|heap| heap.pop(class(layout.size()))).unwrap_or(null_mut())
        } else {
            // SAFETY: the caller's promise.
            unsafe { System.alloc(layout) }
        };
        made(pointer, layout.size() as isize)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_small(&layout) {
            // SAFETY: the caller's promise.
            return made(unsafe { System.alloc_zeroed(layout) }, layout.size() as isize);
        }
        // SAFETY: the caller's promise.
        let pointer = unsafe { self.alloc(layout) };
        if !pointer.is_null() {
            // SAFETY: the block is new and this large.
            unsafe { pointer.write_bytes(0, layout.size()) };
        }
        pointer
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        if is_small(&layout) {
            // SAFETY: the caller gives the block up, whose size is that of its class.
            with_heap(|heap| unsafe { heap.push(pointer, class(layout.size())) });
        } else {
            // SAFETY: the caller's promise; the layout says that the block is the system's.
            unsafe { System.dealloc(pointer, layout) };
        }
    }

    // Optimisers know that an allocation has the size which was requested, and that a reallocation is another one. Where they see that both are the same
    // pointer, they take accesses beyond the old size for out of bounds and drop them; profiles make them inline this. So the pointer is hidden.
    #[inline(never)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promise: the new size is not too large for the alignment.
        let new = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        match (is_small(&layout), is_small(&new)) {
            // SAFETY: the caller's promise; the layout says that the block is the system's.
            (false, false) => made(unsafe { System.realloc(pointer, layout, new_size) }, new_size as isize - layout.size() as isize),
            // SAFETY: the block is of the class of its size.
            (true, true) if with_heap(|heap| unsafe { heap.resize(pointer, class(layout.size()), class(new_size)) }) == Some(true) => {
                count(new_size as isize - layout.size() as isize);
                std::hint::black_box(pointer)
            }
            _ => {
                // SAFETY: the new block is another one; both are as large as what is copied. The old one is given up.
                unsafe {
                    let moved = self.alloc(new);
                    if !moved.is_null() {
                        moved.copy_from_nonoverlapping(pointer, layout.size().min(new_size));
                        self.dealloc(pointer, layout);
                    }
                    moved
                }
            }
        }
    }
}

impl Heap {
    /// Changes the class of a block in place, if that is possible.
    ///
    /// # Safety
    /// The block is of the class `old`, and the caller's.
    unsafe fn resize(&mut self, block: *mut u8, old: usize, new: usize) -> bool {
        if old == new {
            return true;
        }
        let (old_size, new_size) = (size_of(old), size_of(new));
        // The last block that was cut. A free block of the class is better than more of the chunk.
        if block.wrapping_add(old_size) == self.next && new_size <= old_size + self.left() && (new < old || self.free[new].first.is_null())
        {
            self.next = block.wrapping_add(new_size);
            return true;
        }
        // A smaller block would leave a rest of other classes. Growing again takes another block of this class, which after many times there would be none of.
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_has_the_least_class_that_holds_it() {
        for size in 1..=MAX {
            let c = class(size);
            assert!(c < CLASSES && size_of(c) >= size && size_of(c).is_multiple_of(GRAIN), "{size}");
            assert!(c == 0 || size_of(c - 1) < size, "{size}");
        }
    }

    /// A small generator of pseudo-random numbers (xorshift).
    fn next(state: &mut u64) -> usize {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state as usize
    }

    /// Allocates, resizes and frees at random; every block keeps what was written to it.
    fn churn(seed: u64, iterations: usize) -> Vec<(usize, Layout, u8)> {
        let mut state = seed;
        let mut blocks: Vec<(usize, Layout, u8)> = Vec::new();
        // SAFETY: all blocks are as large as what is written and read, and belong to this test.
        unsafe {
            let check = |b: &(usize, Layout, u8), len: usize| {
                assert!(std::slice::from_raw_parts(b.0 as *const u8, len).iter().all(|&x| x == b.2), "a block was overwritten");
            };
            for _ in 0..iterations {
                let size = match next(&mut state) % 16 {
                    0 if next(&mut state).is_multiple_of(16) => 1 + next(&mut state) % (2 * MAX),
                    0 => 1 + next(&mut state) % 100_000,
                    1..4 => 1 + next(&mut state) % 4000,
                    _ => 1 + next(&mut state) % 200,
                };
                let tag = next(&mut state) as u8;
                match next(&mut state) % 4 {
                    0 | 1 => {
                        let layout = Layout::from_size_align(size, 1 << (next(&mut state) % 6)).expect("a layout");
                        let p = if tag & 1 == 0 { Pool.alloc(layout) } else { Pool.alloc_zeroed(layout) };
                        assert!(!p.is_null() && (p as usize).is_multiple_of(layout.align()));
                        if tag & 1 == 1 {
                            check(&(p as usize, layout, 0), size);
                        }
                        p.write_bytes(tag, size);
                        blocks.push((p as usize, layout, tag));
                    }
                    2 if !blocks.is_empty() => {
                        let b = blocks.swap_remove(next(&mut state) % blocks.len());
                        check(&b, b.1.size());
                        Pool.dealloc(b.0 as *mut u8, b.1);
                    }
                    _ if !blocks.is_empty() => {
                        let at = next(&mut state) % blocks.len();
                        let b = &mut blocks[at];
                        let p = Pool.realloc(b.0 as *mut u8, b.1, size);
                        assert!(!p.is_null());
                        let kept = b.1.size().min(size);
                        *b = (p as usize, Layout::from_size_align(size, b.1.align()).expect("a layout"), b.2);
                        check(b, kept);
                        p.write_bytes(b.2, size);
                    }
                    _ => {}
                }
            }
            for b in &blocks {
                check(b, b.1.size());
            }
        }
        blocks
    }

    /// Frees blocks that still have their contents.
    fn free(blocks: Vec<(usize, Layout, u8)>) {
        for (p, layout, tag) in blocks {
            // SAFETY: the block is as large as its layout says, and given up once.
            unsafe {
                assert!(std::slice::from_raw_parts(p as *const u8, layout.size()).iter().all(|&x| x == tag));
                Pool.dealloc(p as *mut u8, layout);
            }
        }
    }

    #[test]
    fn blocks_keep_their_contents() {
        let before = crate::used();
        let blocks = churn(0x9e37_79b9_7f4a_7c15, 60_000);
        let sum: usize = blocks.iter().map(|b| b.1.size()).sum();
        // The list of blocks is of another allocator, which this test does not count.
        assert!(crate::used() - before >= sum as isize);
        free(blocks);
    }

    /// Blocks of all sizes, which grow and shrink, as a server makes them: after the first times no more memory of the system is needed.
    #[test]
    fn the_same_work_needs_the_same_memory() {
        let total = || with_heap(|heap| heap.total).expect("the thread lives");
        let round = |seed: u64| {
            let mut state = seed;
            let mut blocks = Vec::new();
            for _ in 0..400 {
                let mut size = 16 + next(&mut state) % 64;
                let largest = 100 << (next(&mut state) % 12);
                let mut layout = Layout::from_size_align(size, 8).expect("a layout");
                // SAFETY: blocks are resized and freed with the layouts that they have.
                unsafe {
                    let mut p = Pool.alloc(layout);
                    while size < largest {
                        size *= 2;
                        p = Pool.realloc(p, layout, size);
                        layout = Layout::from_size_align(size, 8).expect("a layout");
                    }
                    let fitting = size / 2 + next(&mut state) % (size / 2);
                    p = Pool.realloc(p, layout, fitting);
                    blocks.push((p, Layout::from_size_align(fitting, 8).expect("a layout")));
                }
            }
            // Another thread frees a half of them, as one that shows what others made.
            let (mine, theirs) = blocks.split_at(blocks.len() / 2);
            let theirs: Vec<(usize, Layout)> = theirs.iter().map(|b| (b.0 as usize, b.1)).collect();
            let free = |p: *mut u8, layout: Layout| {
                // SAFETY: the block has this layout and is freed once.
                unsafe { Pool.dealloc(p, layout) }
            };
            mine.iter().for_each(|b| free(b.0, b.1));
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    theirs.iter().for_each(|b| free(b.0 as *mut u8, b.1));
                    release();
                });
            });
        };
        (0..20).for_each(&round);
        let early = total();
        (20..220).for_each(&round);
        assert!(total() <= 2 * early, "{early} bytes after 20 times, {} after 220", total());
    }

    #[test]
    fn blocks_go_from_thread_to_thread() {
        std::thread::scope(|scope| {
            for n in 0..4 {
                let made = scope.spawn(move || {
                    let blocks = churn(n + 1, 20_000);
                    release();
                    blocks
                });
                let blocks = made.join().expect("no block is overwritten");
                scope.spawn(move || {
                    free(blocks);
                    release();
                });
            }
        });
        free(churn(77, 20_000));
    }
}
