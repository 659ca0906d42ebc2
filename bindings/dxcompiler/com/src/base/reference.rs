//! Pointers to objects of clients and to our own: owned references, and calls through their tables.
#![allow(unsafe_code)] // Calls of functions of clients.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use super::interface::{IUnknown, Interface};
use super::object::{Class, Face, This, create};

/// A reference to an object, seen through interface `I`.
pub struct Ref<I: Interface> {
    raw: NonNull<Face>,
    interface: PhantomData<I>,
}

// SAFETY: counts are atomic, and objects are used from one thread at a time, which clients of the interfaces rely on as well.
unsafe impl<I: Interface> Send for Ref<I> {}
// SAFETY: as above; what is shared between threads here are blobs, which do not change.
unsafe impl<I: Interface> Sync for Ref<I> {}

impl<I: Interface> Ref<I> {
    /// A new object. `I` is the interface of its first face, or a base of that.
    pub fn new<T: Class>(value: T) -> Ref<I> {
        debug_assert!(T::FACES[0].iids.contains(&I::IID));
        Ref { raw: create(value), interface: PhantomData }
    }

    /// Takes over a reference.
    ///
    /// # Safety
    /// `raw` is null, or an object seen through `I` of which the caller owns a reference.
    pub unsafe fn take(raw: *mut c_void) -> Option<Ref<I>> {
        NonNull::new(raw.cast()).map(|raw| Ref { raw, interface: PhantomData })
    }

    /// Sees an object that a caller owns.
    ///
    /// # Safety
    /// `raw` is null, or an object seen through `I` that lives as long as the result is used.
    pub unsafe fn borrow(raw: *mut c_void) -> Option<ManuallyDrop<Ref<I>>> {
        // SAFETY: the reference is not given up, so it need not be owned.
        unsafe { Ref::take(raw) }.map(ManuallyDrop::new)
    }

    /// The table of functions.
    pub fn table(&self) -> &I {
        // SAFETY: an object begins with the pointer to its table, which lives as long as it.
        unsafe { &**self.raw.as_ptr().cast::<*const I>() }
    }

    /// The pointer, for methods that borrow it.
    pub fn raw(&self) -> *mut c_void {
        self.raw.as_ptr().cast()
    }

    /// The pointer as the first argument of a method.
    pub fn this(&self) -> This {
        self.raw.as_ptr()
    }

    /// Gives the reference to a client.
    pub fn give(self) -> *mut c_void {
        ManuallyDrop::new(self).raw()
    }

    fn unknown(&self) -> &IUnknown {
        // SAFETY: the table of every interface begins with that of IUnknown.
        unsafe { &*std::ptr::from_ref(self.table()).cast() }
    }

    /// The object through another interface, if it has it.
    pub fn query<J: Interface>(&self) -> Option<Ref<J>> {
        let mut out = std::ptr::null_mut();
        let iid = J::IID;
        // SAFETY: the object lives; identifier and place are valid. On success the place has a reference that is now ours.
        unsafe {
            if (self.unknown().query_interface)(self.this(), &iid, &mut out) < 0 {
                return None;
            }
            Ref::take(out)
        }
    }
}

impl<I: Interface> Clone for Ref<I> {
    fn clone(&self) -> Self {
        // SAFETY: the object lives, and the new reference is owned by the result.
        unsafe { (self.unknown().add_ref)(self.this()) };
        Ref { raw: self.raw, interface: PhantomData }
    }
}

impl<I: Interface> Drop for Ref<I> {
    fn drop(&mut self) {
        // SAFETY: this value owns the reference that it gives up.
        unsafe { (self.unknown().release)(self.this()) };
    }
}

/// Calls a method of a [`Ref`]: `call!(blob, get_buffer_size())`.
#[macro_export]
#[doc(hidden)]
macro_rules! call {
    ($object:expr, $method:ident($($arg:expr),*)) => {
        ($object.table().$method)($object.this(), $($arg),*)
    };
}
