//! What is known of a thread's memory: pieces that nobody has written, and pieces of a payload that a stage may not read.
//!
//! Pieces are 16 bits, as much as the smallest number has.
#![allow(unsafe_code)]

use crate::cpu::thread::Thread;
use rustc_hash::FxHashMap;

/// The name under which compiled code knows [`watch`].
pub const WATCH: &str = "rtc.watch";

/// What compiled code does with memory and marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum What {
    /// A variable begins.
    Fresh,
    /// It is read: gives the mark of what is read.
    Read,
    /// It is written with a value of that mark.
    Stored,
    /// A value of that mark is used.
    Used,
}

impl What {
    /// With size and place, as one number.
    pub fn pack(self, size: u64, site: u32) -> u64 {
        self as u64 | size.min(0xFF_FFFF) << 8 | u64::from(site) << 32
    }
}

/// Why a piece has no value to rely on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Unknown {
    /// Nobody wrote it.
    Unwritten = 1,
    /// It is part of a payload field that the stage at hand does not read, by its qualifiers.
    NotReadable = 2,
    /// It is part of a payload field whose last writer was not allowed to write it.
    NotWritable = 4,
    /// It is part of a payload field that the caller does not get back, by its qualifiers.
    NotForCaller = 8,
}

impl Unknown {
    /// Of a mark: the first that is in it, for marks of several values are put together. None: everything is known.
    pub fn of_mark(mark: u64) -> Option<Unknown> {
        let all = [Unknown::Unwritten, Unknown::NotReadable, Unknown::NotWritable, Unknown::NotForCaller];
        all.into_iter().find(|&u| mark & u as u64 != 0)
    }
    /// Kind of mistake and the sentence about it.
    pub fn said(self) -> (&'static str, &'static str) {
        match self {
            Unknown::Unwritten => ("uninitialised", "uses what nothing has written"),
            Unknown::NotReadable => ("payload", "uses a payload field that its qualifiers do not let this stage read"),
            Unknown::NotWritable => {
                ("payload", "uses a payload field that was last written by a stage whose writes its qualifiers do not keep")
            }
            Unknown::NotForCaller => ("payload", "uses a payload field that its qualifiers do not hand back to the caller"),
        }
    }
}

/// Bytes of a piece.
const PIECE: usize = 2;

/// The pieces of a thread's memory that are not known.
#[derive(Default)]
pub struct Shadow {
    pieces: FxHashMap<usize, Unknown>,
}

fn pieces(at: usize, size: u64) -> std::ops::Range<usize> {
    at / PIECE..(at + size as usize).div_ceil(PIECE)
}

impl Shadow {
    /// Says that nothing is known of memory.
    pub fn forget(&mut self, at: usize, size: u64, why: Unknown) {
        for w in pieces(at, size) {
            self.pieces.insert(w, why);
        }
    }
    /// Says that memory is known.
    pub fn learn(&mut self, at: usize, size: u64) {
        for w in pieces(at, size) {
            self.pieces.remove(&w);
        }
    }
    /// Why memory is not known, if it is not.
    pub fn unknown(&self, at: usize, size: u64) -> Option<Unknown> {
        pieces(at, size).find_map(|w| self.pieces.get(&w).copied())
    }
    /// What is known of memory, to be put back later with [`Shadow::restore`].
    pub fn save(&self, at: usize, size: u64) -> Vec<Option<Unknown>> {
        pieces(at, size).map(|w| self.pieces.get(&w).copied()).collect()
    }
    /// Puts back what was saved.
    pub fn restore(&mut self, at: usize, saved: &[Option<Unknown>]) {
        for (n, why) in saved.iter().enumerate() {
            match why {
                Some(why) => drop(self.pieces.insert(at / PIECE + n, *why)),
                None => drop(self.pieces.remove(&(at / PIECE + n))),
            }
        }
    }
    /// Forgets everything: a new thread begins.
    pub fn clear(&mut self) {
        self.pieces.clear();
    }
}

/// What compiled code calls; gives a mark.
///
/// # Safety
/// `thread` is what the shader was given. The address is not followed.
pub unsafe extern "C" fn watch(thread: *mut Thread<'_>, at: *const u8, mark: u64, packed: u64) -> u64 {
    // Sound as in [`crate::cpu::args::enter`].
    let thread = unsafe { &mut *thread };
    let (size, site) = (packed >> 8 & 0xFF_FFFF, (packed >> 32) as u32);
    let at = at as usize;
    let shadow = &mut thread.shadow;
    match packed as u8 {
        n if n == What::Fresh as u8 => shadow.forget(at, size, Unknown::Unwritten),
        n if n == What::Read as u8 => return shadow.unknown(at, size).map_or(0, |u| u as u64),
        n if n == What::Stored as u8 => match Unknown::of_mark(mark) {
            None => shadow.learn(at, size),
            Some(why) => shadow.forget(at, size, why),
        },
        _ => {
            if let Some(why) = Unknown::of_mark(mark) {
                let (kind, message) = why.said();
                thread.misuse(kind, site, || message.to_string());
            }
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_pieces() {
        let mut s = Shadow::default();
        s.forget(1000, 16, Unknown::Unwritten);
        s.learn(1004, 4);
        assert_eq!((s.unknown(1000, 4), s.unknown(1004, 4)), (Some(Unknown::Unwritten), None));
        let saved = s.save(1000, 16);
        s.learn(1000, 16);
        assert_eq!(s.unknown(1000, 16), None);
        s.restore(1000, &saved);
        assert_eq!((s.unknown(1004, 4), s.unknown(1008, 8)), (None, Some(Unknown::Unwritten)));
        // Two numbers of 16 bits in one word.
        s.forget(2000, 2, Unknown::NotForCaller);
        assert_eq!((s.unknown(2000, 2), s.unknown(2002, 2)), (Some(Unknown::NotForCaller), None));
    }
}
