//! Objects with a reference count and one or more interfaces.
//!
//! An object is a heap allocation that begins with its *faces*. The pointer that a client holds points to a face; a face begins with the
//! pointer to its table of functions, as the interfaces demand, and knows the object that it belongs to. All faces share the count:
//!
//! ```text
//! client ──► face 0 { table, object }      Object<T> { faces, references, value: T }
//! client ──► face 1 { table, object }
//! ```
#![allow(unsafe_code)] // The conversion between pointers of clients and objects.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use super::guid::Guid;
use super::hresult::{E_NOINTERFACE, E_POINTER, HResult, S_OK};
use super::table::Interface;

/// The identifier of the interface that all others begin with.
pub const IUNKNOWN: Guid = Guid::new("00000000-0000-0000-c000-000000000046");
/// Objects may be used from any apartment, so no proxies are needed.
pub const INOMARSHAL: Guid = Guid::new("ecc8691b-c1db-4dc0-855e-65f6c551af49");

/// The most faces that an object has.
const MAX_FACES: usize = 4;

/// What a client's pointer points to.
#[repr(C)]
pub struct Face {
    /// The table of functions.
    table: *const c_void,
    /// The allocation that the face is in.
    object: *const c_void,
}

/// The pointer that a method gets.
pub type This = *mut Face;

/// A face of a class: its table, and the identifiers that lead to it.
pub struct FaceInfo {
    pub(super) table: *const c_void,
    pub(super) iids: &'static [Guid],
}

impl FaceInfo {
    /// The face with the table of an interface, found by `iids`: those of the interface and of its bases.
    pub const fn new<I: Interface>(table: &'static I, iids: &'static [Guid]) -> FaceInfo {
        FaceInfo { table: std::ptr::from_ref(table).cast(), iids }
    }
}

/// A class of objects. Clients call from any thread, so state that changes has a lock.
pub trait Class: Sized + Send + Sync + 'static {
    /// The faces, at least one and at most four; the first is the object's identity.
    const FACES: &'static [FaceInfo];

    /// Whether this object answers `iid`, which is among those of the face with this number.
    fn answers(&self, face: usize, iid: &Guid) -> bool {
        let _ = (face, iid);
        true
    }
}

#[repr(C)]
struct Object<T> {
    faces: [Face; MAX_FACES],
    references: AtomicUsize,
    value: T,
}

/// The number of objects that are alive, for tests.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

/// The number of objects that are alive in this process.
pub fn alive() -> usize {
    ALIVE.load(Ordering::SeqCst)
}

/// Makes an object; the result owns its only reference and is its first face.
pub fn create<T: Class>(value: T) -> NonNull<Face> {
    const { assert!(!T::FACES.is_empty() && T::FACES.len() <= MAX_FACES) };
    let faces = [const { Face { table: std::ptr::null(), object: std::ptr::null() } }; MAX_FACES];
    let object = Box::into_raw(Box::new(Object { faces, references: AtomicUsize::new(1), value }));
    ALIVE.fetch_add(1, Ordering::SeqCst);
    for (n, info) in T::FACES.iter().enumerate() {
        // SAFETY: the allocation is new, so nothing else refers to it.
        unsafe { (*object).faces[n] = Face { table: info.table, object: object.cast_const().cast() } };
    }
    // SAFETY: the pointer comes from a box; the first face is at its start.
    unsafe { NonNull::new_unchecked(object.cast()) }
}

/// The object of a face.
///
/// # Safety
/// `this` is a face of a living object of class `T`.
unsafe fn object<'a, T: Class>(this: This) -> &'a Object<T> {
    // SAFETY: `create` stored the pointer to the object of this class, and the object lives.
    unsafe { &*(*this).object.cast::<Object<T>>() }
}

/// The value of a face's object.
///
/// # Safety
/// `this` is a face of an object of class `T` that lives as long as the result is used.
pub unsafe fn value_of<'a, T: Class>(this: This) -> &'a T {
    // SAFETY: the caller's contract.
    unsafe { &object::<T>(this).value }
}

/// QueryInterface.
///
/// # Safety
/// `this` is a face of a living object of class `T`; `iid` is null or an identifier; `out` is null or a place for a pointer.
pub unsafe fn query<T: Class>(this: This, iid: *const Guid, out: *mut *mut c_void) -> HResult {
    if out.is_null() || iid.is_null() {
        return E_POINTER;
    }
    // SAFETY: the identifier is not null, so it is one; the object lives.
    let (iid, object) = unsafe { (iid.read_unaligned(), self::object::<T>(this)) };
    let found = match iid {
        IUNKNOWN | INOMARSHAL => Some(0),
        _ => T::FACES.iter().enumerate().position(|(n, f)| f.iids.contains(&iid) && object.value.answers(n, &iid)),
    };
    // The place keeps what it has if there is no such interface, as in the reference.
    let Some(found) = found else { return E_NOINTERFACE };
    object.references.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the place is not null. The face is reached from the allocation's own pointer, so that later releases may free it.
    unsafe { out.write_unaligned((*this).object.cast_mut().cast::<Face>().add(found).cast()) };
    S_OK
}

/// AddRef.
///
/// # Safety
/// `this` is a face of a living object of class `T`.
pub unsafe fn add_ref<T: Class>(this: This) -> usize {
    // SAFETY: the caller's contract.
    unsafe { object::<T>(this) }.references.fetch_add(1, Ordering::Relaxed) + 1
}

/// Release.
///
/// # Safety
/// `this` is a face of a living object of class `T`, and the caller owns a reference that it gives up.
pub unsafe fn release<T: Class>(this: This) -> usize {
    // SAFETY: the caller's contract; the reference to the object ends before it is freed.
    let left = unsafe { object::<T>(this) }.references.fetch_sub(1, Ordering::Release) - 1;
    if left == 0 {
        fence(Ordering::Acquire);
        // SAFETY: this was the last reference, and `create` made the allocation as a box of this type.
        drop(unsafe { Box::from_raw((*this).object.cast_mut().cast::<Object<T>>()) });
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
    left
}

/// An object that clients see but do not count: it lives as long as its owner.
pub struct Owned<T: Class> {
    raw: NonNull<Face>,
    class: std::marker::PhantomData<T>,
}

// SAFETY: a class may be used and dropped in any thread.
unsafe impl<T: Class> Send for Owned<T> {}
// SAFETY: as above.
unsafe impl<T: Class> Sync for Owned<T> {}

impl<T: Class> Owned<T> {
    /// Makes an object.
    pub fn new(value: T) -> Owned<T> {
        Owned { raw: create(value), class: std::marker::PhantomData }
    }

    /// The pointer for clients.
    pub fn raw(&self) -> *mut c_void {
        self.raw.as_ptr().cast()
    }
}

impl<T: Class> std::ops::Deref for Owned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the object lives as long as this value.
        unsafe { value_of(self.raw.as_ptr()) }
    }
}

impl<T: Class> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: this value owns the only reference.
        unsafe { release::<T>(self.raw.as_ptr()) };
    }
}
