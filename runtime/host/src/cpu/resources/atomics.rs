//! Atomic read-modify-write operations on 32 and 64 bits.
//!
//! 32-bit operations are those of the processor. Memory has no 64-bit words, so a 64-bit operation takes one of a fixed set of
//! locks, selected by its address: two operations on the same address exclude each other, and a plain 32-bit access sees either
//! half before or after. HLSL guarantees no more: non-atomic accesses may tear.

use super::memory::Memory;
use rtc_tables::resources::AtomicOp;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A prime number of locks, so that the strides of structures are distributed over all of them.
static LOCKS: [Mutex<()>; 61] = [const { Mutex::new(()) }; 61];

/// The new value for `old` and `operand`. Compare-exchange has two operands and is separate.
fn apply_u32(op: AtomicOp, old: u32, operand: u32) -> u32 {
    match op {
        AtomicOp::Add => old.wrapping_add(operand),
        AtomicOp::And => old & operand,
        AtomicOp::Or => old | operand,
        AtomicOp::Xor => old ^ operand,
        AtomicOp::SMin => (old as i32).min(operand as i32) as u32,
        AtomicOp::SMax => (old as i32).max(operand as i32) as u32,
        AtomicOp::UMin => old.min(operand),
        AtomicOp::UMax => old.max(operand),
        AtomicOp::Exchange | AtomicOp::CompareExchange => operand,
    }
}

/// [`apply_u32`] for 64 bits.
fn apply_u64(op: AtomicOp, old: u64, operand: u64) -> u64 {
    match op {
        AtomicOp::Add => old.wrapping_add(operand),
        AtomicOp::And => old & operand,
        AtomicOp::Or => old | operand,
        AtomicOp::Xor => old ^ operand,
        AtomicOp::SMin => (old as i64).min(operand as i64) as u64,
        AtomicOp::SMax => (old as i64).max(operand as i64) as u64,
        AtomicOp::UMin => old.min(operand),
        AtomicOp::UMax => old.max(operand),
        AtomicOp::Exchange | AtomicOp::CompareExchange => operand,
    }
}

/// An atomic operation on a word; returns the old value.
pub fn word(word: &AtomicU32, op: AtomicOp, operand: u32) -> u32 {
    match op {
        AtomicOp::Add => word.fetch_add(operand, Relaxed),
        AtomicOp::And => word.fetch_and(operand, Relaxed),
        AtomicOp::Or => word.fetch_or(operand, Relaxed),
        AtomicOp::Xor => word.fetch_xor(operand, Relaxed),
        AtomicOp::UMin => word.fetch_min(operand, Relaxed),
        AtomicOp::UMax => word.fetch_max(operand, Relaxed),
        AtomicOp::Exchange => word.swap(operand, Relaxed),
        AtomicOp::SMin | AtomicOp::SMax | AtomicOp::CompareExchange => {
            let done = word.fetch_update(Relaxed, Relaxed, |old| Some(apply_u32(op, old, operand)));
            done.unwrap_or_else(|old| old)
        }
    }
}

impl Memory {
    /// Applies an operation to the four bytes at `offset`, a multiple of four; returns the old value, or `None` out of bounds.
    pub fn atomic_u32(&self, offset: u64, op: AtomicOp, operand: u32) -> Option<u32> {
        Some(word(self.word(offset)?, op, operand))
    }

    /// Replaces the four bytes at `offset`, a multiple of four, by `new` if they equal `compare`, bitwise also for floats;
    /// returns the old value, or `None` out of bounds.
    pub fn compare_exchange_u32(&self, offset: u64, compare: u32, new: u32) -> Option<u32> {
        let done = self.word(offset)?.compare_exchange(compare, new, Relaxed, Relaxed);
        Some(done.unwrap_or_else(|old| old))
    }

    /// Applies `change` to the 64-bit number at `offset`, if it returns a value; returns the old value.
    fn update_u64(&self, offset: u64, change: impl FnOnce(u64) -> Option<u64>) -> Option<u64> {
        let (low, high) = (self.word(offset)?, self.word(offset.checked_add(4)?)?);
        // No panic is possible while a lock is held, and it protects no data that could be inconsistent.
        let lock = LOCKS[(offset / 4 % LOCKS.len() as u64) as usize].lock();
        let _held = lock.unwrap_or_else(PoisonError::into_inner);
        let old = u64::from(low.load(Relaxed)) | u64::from(high.load(Relaxed)) << 32;
        if let Some(new) = change(old) {
            low.store(new as u32, Relaxed);
            high.store((new >> 32) as u32, Relaxed);
        }
        Some(old)
    }

    /// Changes a number of `bytes` (1, 2, 4 or 8); `None` if it is not aligned.
    pub fn update(&self, offset: u64, bytes: u32, change: impl Fn(u64) -> u64) -> Option<()> {
        if bytes == 8 {
            return self.update_u64(offset, |old| Some(change(old))).map(drop);
        }
        if !offset.is_multiple_of(bytes.max(1).into()) {
            return None;
        }
        let (shift, mask) = ((offset % 4) as u32 * 8, u32::MAX >> (32 - bytes.clamp(1, 4) * 8));
        let word = self.word(offset & !3)?;
        let changed = |old: u32| {
            let new = change((old >> shift & mask).into()) as u32 & mask;
            Some(old & !(mask << shift) | new << shift)
        };
        word.fetch_update(Relaxed, Relaxed, changed).ok().map(drop)
    }

    /// [`Memory::atomic_u32`] for eight bytes.
    pub fn atomic_u64(&self, offset: u64, op: AtomicOp, operand: u64) -> Option<u64> {
        self.update_u64(offset, |old| Some(apply_u64(op, old, operand)))
    }

    /// [`Memory::compare_exchange_u32`] for eight bytes.
    pub fn compare_exchange_u64(&self, offset: u64, compare: u64, new: u64) -> Option<u64> {
        self.update_u64(offset, |old| (old == compare).then_some(new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    const OPS: [(AtomicOp, u64, u64, u64); 9] = [
        (AtomicOp::Add, u32::MAX as u64, 3, 0x1_0000_0002),
        (AtomicOp::And, 0xff00_ff00_0ff0, 0x0f00_0000_00ff, 0x0f00_0000_00f0),
        (AtomicOp::Or, 0x1_0000_0001, 2, 0x1_0000_0003),
        (AtomicOp::Xor, 0x1_0000_0003, 0x2_0000_0001, 0x3_0000_0002),
        (AtomicOp::SMin, 5, u64::MAX, u64::MAX),
        (AtomicOp::SMax, u64::MAX, 5, 5),
        (AtomicOp::UMin, u64::MAX, 5, 5),
        (AtomicOp::UMax, 5, u64::MAX, u64::MAX),
        (AtomicOp::Exchange, 7, 9, 9),
    ];

    #[test]
    fn every_operation_returns_the_old_value_and_stores_the_new() {
        for (op, old, operand, new) in OPS {
            let memory = Memory::filled(16, &[[0; 8], old.to_le_bytes()].concat()).expect("memory");
            assert_eq!(memory.atomic_u64(8, op, operand), Some(old), "{op:?}");
            assert_eq!(memory.bits(8, 8), Some(new), "{op:?}");
            let memory = Memory::filled(8, &(old as u32).to_le_bytes()).expect("memory");
            assert_eq!(memory.atomic_u32(0, op, operand as u32), Some(old as u32), "{op:?}");
            let narrow = memory.bits(0, 4).expect("inside") as u32;
            assert_eq!(narrow, apply_u32(op, old as u32, operand as u32), "{op:?}");
        }
    }

    #[test]
    fn exchange_compares_bits() {
        let memory = Memory::filled(8, &(-0.0f32).to_le_bytes()).expect("memory");
        // Equal as floats, but with different bits.
        assert_eq!(memory.compare_exchange_u32(0, 0, 1), Some(0x8000_0000));
        assert_eq!(memory.compare_exchange_u32(0, 0x8000_0000, 1), Some(0x8000_0000));
        assert_eq!(memory.u32(0), Some(1));
        assert_eq!(memory.compare_exchange_u64(0, 1, 2 << 32), Some(1));
        assert_eq!(memory.compare_exchange_u64(0, 1, 5), Some(2 << 32));
    }

    #[test]
    fn out_of_bounds_and_unaligned_accesses_do_nothing() {
        let memory = Memory::zeroed(10).expect("memory");
        assert_eq!(memory.atomic_u32(8, AtomicOp::Add, 1), None, "half of it is out of bounds");
        assert_eq!(memory.atomic_u32(2, AtomicOp::Add, 1), None);
        assert_eq!(memory.atomic_u64(4, AtomicOp::Add, 1), None);
        assert_eq!(memory.compare_exchange_u64(u64::MAX - 3, 0, 1), None);
        assert!(memory.to_vec().iter().all(|&b| b == 0));
    }

    #[test]
    fn small_numbers_change_and_their_neighbours_stay() {
        let memory = Memory::filled(8, &[1, 2, 3, 4, 5, 6, 7, 8]).expect("memory");
        assert_eq!(memory.update(1, 1, |old| old + 0x1fe), Some(()));
        assert_eq!(memory.update(6, 2, |old| old + 1), Some(()));
        assert_eq!((memory.update(3, 2, |_| 0), memory.update(2, 4, |_| 0)), (None, None));
        assert_eq!(memory.to_vec(), [1, 0, 3, 4, 5, 6, 8, 8]);
        assert_eq!(memory.update(0, 8, |old| old + 1), Some(()));
        assert_eq!(memory.to_vec(), [2, 0, 3, 4, 5, 6, 8, 8]);
    }

    #[test]
    fn nothing_is_lost_between_threads() {
        let memory = Memory::zeroed(64).expect("memory");
        (0..20_000u64).into_par_iter().for_each(|i| {
            memory.atomic_u32(0, AtomicOp::Add, 1);
            memory.atomic_u64(8, AtomicOp::Add, u64::from(u32::MAX));
            memory.atomic_u64(16, AtomicOp::UMax, i << 20);
            memory.atomic_u32(24, AtomicOp::SMin, (i as u32).wrapping_neg());
            loop {
                // A float sum, as shaders implement it.
                let old = memory.u32(28).expect("inside");
                let new = (f32::from_bits(old) + 1.0).to_bits();
                if memory.compare_exchange_u32(28, old, new) == Some(old) {
                    break;
                }
            }
        });
        assert_eq!(memory.u32(0), Some(20_000));
        assert_eq!(memory.bits(8, 8), Some(20_000 * u64::from(u32::MAX)));
        assert_eq!(memory.bits(16, 8), Some(19_999 << 20));
        assert_eq!(memory.u32(24), Some(19_999u32.wrapping_neg()));
        assert_eq!(memory.u32(28).map(f32::from_bits), Some(20_000.0));
    }
}
