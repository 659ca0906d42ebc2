//! Group-shared memory, as operations of the runtime access it: by address, and in bounds.
#![allow(unsafe_code)]

use crate::cpu::thread::Thread;

/// The offset of `bytes` at an address, if all of them are in the group's memory.
fn offset(thread: &Thread<'_>, address: u64, bytes: u32) -> Option<usize> {
    let at = usize::try_from(address.checked_sub(thread.shared as u64)?).ok()?;
    let end = at.checked_add(bytes as usize)?;
    (!thread.shared.is_null() && end <= thread.machine.program.shared_bytes).then_some(at)
}

/// A number of 1 to 8 bytes; none out of bounds.
pub fn read(thread: &Thread<'_>, address: u64, bytes: u32) -> Option<u64> {
    let at = offset(thread, address, bytes)?;
    let mut all = [0u8; 8];
    let count = (bytes as usize).min(8);
    // SAFETY: in bounds of the group's memory, which only threads of the group use, one after the other.
    unsafe { std::ptr::copy_nonoverlapping(thread.shared.add(at), all.as_mut_ptr(), count) };
    Some(u64::from_le_bytes(all))
}

/// Writes a number of 1 to 8 bytes. False: it is out of bounds.
pub fn write(thread: &Thread<'_>, address: u64, bytes: u32, bits: u64) -> bool {
    let Some(at) = offset(thread, address, bytes) else { return false };
    let count = (bytes as usize).min(8);
    // SAFETY: as above.
    unsafe { std::ptr::copy_nonoverlapping(bits.to_le_bytes().as_ptr(), thread.shared.add(at), count) };
    true
}
