//! The boundary that no panic crosses: a method that panics gives the failure of its result type.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::hresult::E_FAIL;

/// What a method gives its caller if it panics.
pub trait Failure {
    /// The value.
    fn failure() -> Self;
}

impl Failure for i32 {
    fn failure() -> i32 {
        E_FAIL
    }
}

macro_rules! zero_is_failure {
    ($($ty:ty),*) => { $(impl Failure for $ty {
        fn failure() -> $ty {
            0
        }
    })* };
}
zero_is_failure!(u32, u64, usize);

impl Failure for () {
    fn failure() {}
}

impl<T> Failure for *mut T {
    fn failure() -> *mut T {
        std::ptr::null_mut()
    }
}

impl<T> Failure for *const T {
    fn failure() -> *const T {
        std::ptr::null()
    }
}

/// Runs the body of a method.
pub fn guard<R: Failure>(body: impl FnOnce() -> R) -> R {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result,
        Err(payload) => {
            // What is thrown may itself panic when it is dropped.
            if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                std::mem::forget(second);
            }
            R::failure()
        }
    }
}

/// A pointer to anything.
pub type Raw = *mut c_void;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure() {
        assert_eq!(guard(|| 3u32), 3);
        std::panic::set_hook(Box::new(|_| {}));
        assert_eq!(guard::<i32>(|| panic!("no")), E_FAIL);
        assert!(guard::<*mut u8>(|| std::panic::panic_any(String::from("no"))).is_null());
    }
}
