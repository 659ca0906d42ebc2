//! Closing what a background process inherited: a pipe that it keeps open would be one that never ends for the program which reads it.
#![allow(unsafe_code)] // A descriptor is closed by its number. That is sound where no object of this process has one of these numbers.

use std::ffi::c_int;

/// Closes all descriptors but the standard streams.
///
/// # Safety
/// No object of this process owns or borrows one: it is the first thing that the program does.
pub unsafe fn close_inherited() {
    unsafe extern "C" {
        fn close(descriptor: c_int) -> c_int;
    }
    let folder = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    let number = |e: std::fs::DirEntry| e.file_name().to_str()?.parse::<c_int>().ok();
    let open: Vec<c_int> = std::fs::read_dir(folder).into_iter().flatten().flatten().filter_map(number).filter(|d| *d > 2).collect();
    for descriptor in open {
        // SAFETY: the caller's promise. The number of the folder itself is closed already, which is an error that changes nothing.
        unsafe { close(descriptor) };
    }
}
