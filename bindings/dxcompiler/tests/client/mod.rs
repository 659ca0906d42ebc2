//! A client of the built library: loads it as programs do, and calls through its tables.
// Every block calls through the table of an object that the library gave, with arguments that outlive the call; not every test file uses everything.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks, dead_code)]

use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::OnceLock;

use rtc_com::base::interface::Interface;
use rtc_com::base::reference::Ref;
use rtc_com::interfaces::*;
use rtc_com::wide::{WChar, encode};
use rtc_com::{Guid, HResult, call};

pub type CreateInstance = unsafe extern "system" fn(*const Guid, *const Guid, *mut *mut c_void) -> HResult;
pub type CreateInstance2 = unsafe extern "system" fn(*mut c_void, *const Guid, *const Guid, *mut *mut c_void) -> HResult;

pub const UTILS: &str = "6245d6af-66e0-48fd-80b4-4d271796748c";
pub const COMPILER: &str = "73e22d93-e6ce-47f3-b5bf-f0664f39c1b0";
pub const ARGS: &str = "3e56ae82-224d-470f-a1a1-fe3016ee9f9d";
pub const VALIDATOR: &str = "8ca3e215-f728-4cf3-8cdd-88af917587a1";
pub const CONTAINER_REFLECTION: &str = "b9f54489-55b8-400c-ba3a-1675e4728b91";
pub const CONTAINER_BUILDER: &str = "94134294-411f-4574-b4d0-8741e25240d2";
pub const LINKER: &str = "ef6a8087-b0ea-4d56-9e45-d07e1a8b7806";
pub const PDB_UTILS: &str = "54621dfb-f2ce-457e-ae8c-ec355faeec7c";
pub const ASSEMBLER: &str = "d728db68-f903-4f80-94cd-dccf76ec7151";

/// The built library of this name.
pub fn path(name: &str) -> PathBuf {
    let exe = std::env::current_exe().expect("the test has a path");
    let file = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folders = [exe.parent(), exe.parent().and_then(|p| p.parent())];
    let found = folders.into_iter().flatten().map(|f| f.join(&file)).find(|p| p.exists());
    found.unwrap_or_else(|| panic!("{file} is built with the tests"))
}

/// The function that creates objects, of the compiler's library.
pub fn create_instance() -> CreateInstance {
    static LIBRARY: OnceLock<libloading::Library> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| unsafe { libloading::Library::new(path("dxcompiler")) }.expect("it loads"));
    unsafe { *library.get::<CreateInstance>(b"DxcCreateInstance\0").expect("it is exported") }
}

/// A new object.
pub fn create<I: Interface>(class: &str) -> Ref<I> {
    make(create_instance(), class).expect("the class has the interface")
}

/// A new object of any library.
pub fn make<I: Interface>(create: CreateInstance, class: &str) -> Result<Ref<I>, HResult> {
    let mut out = std::ptr::null_mut();
    let done = unsafe { create(&Guid::new(class), &I::IID, &mut out) };
    if done < 0 { Err(done) } else { Ok(unsafe { Ref::take(out) }.expect("success is not null")) }
}

/// The object that a method gives.
pub fn get<I: Interface>(call: impl FnOnce(*mut *mut c_void) -> HResult) -> Result<Option<Ref<I>>, HResult> {
    let mut out = std::ptr::null_mut();
    let done = call(&mut out);
    let object = unsafe { Ref::take(out) };
    if done < 0 { Err(done) } else { Ok(object) }
}

/// The bytes of a blob.
pub fn bytes(blob: &Ref<IDxcBlob>) -> Vec<u8> {
    let (data, size) = unsafe { (call!(blob, get_buffer_pointer()), call!(blob, get_buffer_size())) };
    if size == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) }.to_vec() }
}

/// A blob with a copy of bytes.
pub fn blob_of(data: &[u8], page: u32) -> Ref<IDxcBlobEncoding> {
    let utils = create::<IDxcUtils>(UTILS);
    let made = get(|out| unsafe { call!(utils, create_blob(data.as_ptr().cast(), data.len() as u32, page, out)) });
    made.expect("a blob").expect("not null")
}

/// The blob as its base.
pub fn as_blob<I: Interface>(blob: &Ref<I>) -> Ref<IDxcBlob> {
    blob.query().expect("it is a blob")
}

/// A path as the platform writes it.
pub fn native(path: &str) -> String {
    path.replace('/', std::path::MAIN_SEPARATOR_STR)
}

/// A wide string.
pub fn wide(text: &str) -> Vec<WChar> {
    encode(text).into_iter().chain([0]).collect()
}

/// The text of wide characters without the NUL.
pub fn narrow(bytes: &[u8]) -> String {
    let units: Vec<WChar> = bytes.chunks_exact(size_of::<WChar>()).map(|c| WChar::from_ne_bytes(c.try_into().expect("whole"))).collect();
    rtc_com::wide::decode(&units).trim_end_matches('\0').to_owned()
}

/// The count of references after one more and one less.
pub fn references<I: Interface>(object: &Ref<I>) -> usize {
    let unknown = object.query::<rtc_com::base::interface::IUnknown>().expect("every object has it");
    unsafe {
        let more = call!(unknown, add_ref());
        assert_eq!(call!(unknown, release()), more - 1);
        more - 2
    }
}
