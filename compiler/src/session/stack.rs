//! Stacks for work: nested sources need stack, and a thread that calls may have little.
//!
//! The memory of a stack is reserved, and committed as it is used. Stacks are kept for the next job. In WebAssembly, where a program has one
//! stack, work runs on that.

#[cfg(not(target_family = "wasm"))]
use std::sync::{Mutex, PoisonError};

#[cfg(not(target_family = "wasm"))]
use corosensei::on_stack;
#[cfg(not(target_family = "wasm"))]
use corosensei::stack::DefaultStack;

/// The size of a stack. What nests is limited by the front end to what fits into a fraction of it.
#[cfg(not(target_family = "wasm"))]
const SIZE: usize = 16 << 20;

/// How many are kept.
#[cfg(not(target_family = "wasm"))]
const KEPT: usize = 16;

#[derive(Default)]
pub(super) struct Stacks {
    #[cfg(not(target_family = "wasm"))]
    free: Mutex<Vec<DefaultStack>>,
}

impl Stacks {
    /// Runs `work` on a stack of its own, on this thread. A panic passes.
    ///
    /// # Errors
    /// The system has no memory for a stack.
    #[cfg(not(target_family = "wasm"))]
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> std::io::Result<T> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut stack = match free {
            Some(stack) => stack,
            None => DefaultStack::new(SIZE)?,
        };
        let result = on_stack(&mut stack, work);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < KEPT {
            free.push(stack);
        }
        Ok(result)
    }

    /// Runs `work` on the stack of the program.
    ///
    /// # Errors
    /// None.
    #[cfg(target_family = "wasm")]
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> std::io::Result<T> {
        Ok(work())
    }
}
