//! Interfaces as tables of functions: one declaration gives the table, the trait that a class implements, and the calls of a client.
#![allow(unsafe_code)] // The functions of the tables.

use std::ffi::c_void;

use super::guard::guard;
use super::guid::Guid;
use super::hresult::HResult;
use super::object::{Class, IUNKNOWN, This, add_ref, query, release};
pub use super::table::Interface;

/// The table that every interface begins with.
#[repr(C)]
#[allow(missing_docs)] // The methods of every COM interface.
pub struct IUnknown {
    pub query_interface: unsafe extern "system" fn(This, *const Guid, *mut *mut c_void) -> HResult,
    // Counts are 4 bytes in some headers and 8 in others: the whole register is written.
    pub add_ref: unsafe extern "system" fn(This) -> usize,
    pub release: unsafe extern "system" fn(This) -> usize,
}

impl IUnknown {
    /// The table of a class.
    pub const fn of<T: Class>() -> IUnknown {
        unsafe extern "system" fn query_interface<T: Class>(this: This, iid: *const Guid, out: *mut *mut c_void) -> HResult {
            // SAFETY: the client calls a method of a living object with arguments as the interface demands.
            guard(|| unsafe { query::<T>(this, iid, out) })
        }
        unsafe extern "system" fn increment<T: Class>(this: This) -> usize {
            // SAFETY: the client calls a method of a living object.
            guard(|| unsafe { add_ref::<T>(this) })
        }
        unsafe extern "system" fn decrement<T: Class>(this: This) -> usize {
            // SAFETY: the client gives up a reference that it owns.
            guard(|| unsafe { release::<T>(this) })
        }
        IUnknown { query_interface: query_interface::<T>, add_ref: increment::<T>, release: decrement::<T> }
    }
}

// SAFETY: three functions, in the order of COM.
unsafe impl Interface for IUnknown {
    const IID: Guid = IUNKNOWN;
    const NAME: &'static str = "IUnknown";
    const METHODS: &'static [&'static str] = &["QueryInterface", "AddRef", "Release"];
    const FUNCTIONS: &'static [&'static str] = &["query_interface", "add_ref", "release"];
}

/// The table that interfaces without a base begin with: nothing. Objects with such an interface are not counted by clients.
#[repr(C)]
pub struct NoBase;

impl NoBase {
    /// The table of a class.
    pub const fn of<T: Class>() -> NoBase {
        NoBase
    }
}

/// Declares interfaces. For each: the table, with a constructor for classes that implement the trait of its methods.
///
/// A method's arguments come from a client: pointers may be null, and those that are not null are what the interface says.
#[macro_export]
#[doc(hidden)]
macro_rules! interfaces {
    ($(
        $(#[$attribute:meta])*
        $name:ident, $methods:ident: $base:ident, $base_methods:ident = $iid:literal {
            $( $com:ident = $method:ident($($arg:ident: $ty:ty),*) -> $ret:ty; )*
        }
    )*) => { $(
        $(#[$attribute])*
        #[repr(C)]
        #[allow(missing_docs)] // What methods do is in the reference's documentation of the interface.
        pub struct $name {
            pub base: $base,
            $( pub $method: unsafe extern "system" fn($crate::base::object::This, $($ty),*) -> $ret, )*
        }

        #[doc = concat!("The methods of `", stringify!($name), "`.")]
        #[allow(missing_docs, clippy::missing_safety_doc)] // As above: pointers are null or what the interface says.
        pub trait $methods: $base_methods {
            $(
                #[allow(clippy::too_many_arguments)]
                unsafe fn $method(&self, $($arg: $ty),*) -> $ret;
            )*
        }

        impl $name {
            #[doc = concat!("The table of a class with the methods of `", stringify!($name), "`.")]
            pub const fn of<T: $methods>() -> $name {
                $(
                    #[allow(clippy::too_many_arguments)]
                    unsafe extern "system" fn $method<T: $methods>(this: $crate::base::object::This, $($arg: $ty),*) -> $ret {
                        // SAFETY: the client calls a method of a living object with arguments as the interface demands.
                        $crate::base::guard::guard(|| unsafe {
                            T::$method($crate::base::object::value_of::<T>(this), $($arg),*)
                        })
                    }
                )*
                $name { base: $base::of::<T>(), $( $method: $method::<T>, )* }
            }
        }

        impl std::ops::Deref for $name {
            type Target = $base;
            fn deref(&self) -> &$base {
                &self.base
            }
        }

        // SAFETY: the macro writes functions after the base's table, in `repr(C)`.
        unsafe impl $crate::base::interface::Interface for $name {
            const IID: $crate::base::guid::Guid = $crate::base::guid::Guid::new($iid);
            const NAME: &'static str = stringify!($name);
            const METHODS: &'static [&'static str] = &[$(stringify!($com)),*];
            const FUNCTIONS: &'static [&'static str] = &[$(stringify!($method)),*];
        }
    )*
        /// The interfaces of this file.
        pub const ALL: &[$crate::base::table::InterfaceInfo] = &[$($crate::base::table::InterfaceInfo::of::<$name>()),*];
    };
}
