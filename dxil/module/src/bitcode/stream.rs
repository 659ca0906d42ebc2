//! The stream of blocks and records inside bitcode, with abbreviations undone.
//!
//! Everything is checked against what is left of the input before it is allocated, and every step
//! consumes at least one bit, so that time and memory stay linear in the input.

use super::bits::BitReader;
use super::error::ReadError;
use super::records::{BLOCKINFO, DEFINE_ABBREV, END_BLOCK, ENTER_SUBBLOCK, FIRST_ABBREV, SETBID, UNABBREV_RECORD, USELIST, from_char6};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most fields that an abbreviation may define; LLVM's have ten at most.
const MAX_ABBREV_FIELDS: u64 = 64;
/// Most nested blocks; a module needs three.
const MAX_DEPTH: usize = 16;

#[derive(Debug, Clone, Copy)]
enum Scalar {
    Lit(u64),
    Fixed(u32),
    Vbr(u32),
    Char6,
}

#[derive(Debug, Default)]
struct Abbrev {
    head: Vec<Scalar>,
    /// What follows `head`, if anything.
    tail: Option<Tail>,
}

#[derive(Debug, Clone, Copy)]
enum Tail {
    Array(Scalar),
    Blob,
}

/// What comes next in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A block with this number begins: enter or skip it.
    Block(u32),
    /// A record with this code; its fields are in [`Stream::fields`].
    Record(u32),
    /// The block ended.
    End,
}

struct Open {
    /// Bits of an abbreviation number.
    width: u32,
    /// The block as a whole ends here.
    end: u64,
    id: u32,
    /// Those defined in this block itself; the ones from the block of abbreviations come first.
    local: Vec<Rc<Abbrev>>,
    shared: Rc<Vec<Rc<Abbrev>>>,
}

/// Reads blocks and records.
pub struct Stream<'a> {
    bits: BitReader<'a>,
    open: Vec<Open>,
    info: FxHashMap<u32, Rc<Vec<Rc<Abbrev>>>>,
    /// The fields of the last record.
    pub fields: Vec<u64>,
    /// Where the last entry began.
    start: u64,
    /// The first block that was skipped because it is unknown.
    pub skipped: Option<ReadError>,
}

impl<'a> Stream<'a> {
    /// Reads from `bits`, outside all blocks.
    pub fn new(bits: BitReader<'a>) -> Self {
        Self { bits, open: Vec::new(), info: FxHashMap::default(), fields: Vec::new(), start: 0, skipped: None }
    }

    /// An error at the last entry.
    pub fn error(&self, what: impl Into<String>) -> ReadError {
        ReadError::new(self.start, what)
    }

    /// How many bits are left.
    pub fn left(&self) -> u64 {
        self.bits.left()
    }

    /// Whether only zeros are left, fewer than 32 of them.
    pub fn at_end(&self) -> bool {
        self.bits.left() < 32
    }

    /// The next block or record. The block of abbreviations is taken in silently.
    ///
    /// # Errors
    /// The data ends before, or an abbreviation is unknown or malformed.
    pub fn next(&mut self) -> Result<Entry, ReadError> {
        loop {
            self.start = self.bits.pos();
            let width = self.open.last().map_or(2, |b| b.width);
            match self.bits.fixed(width)? as u32 {
                END_BLOCK => {
                    let Some(block) = self.open.pop() else {
                        return Err(self.error("the end of a block outside all blocks"));
                    };
                    self.bits.align32()?;
                    if self.bits.pos() != block.end {
                        return Err(self.error("a block does not end where it said it would"));
                    }
                    return Ok(Entry::End);
                }
                ENTER_SUBBLOCK => {
                    let id = self.bits.vbr32(8)?;
                    if id != BLOCKINFO {
                        return Ok(Entry::Block(id));
                    }
                    self.enter(id)?;
                    self.blockinfo()?;
                }
                DEFINE_ABBREV => {
                    let abbrev = self.abbrev()?;
                    match self.open.last_mut() {
                        Some(block) => block.local.push(abbrev.into()),
                        None => return Err(self.error("an abbreviation outside all blocks")),
                    }
                }
                UNABBREV_RECORD => return self.generic().map(Entry::Record),
                number => return self.abbreviated(number).map(Entry::Record),
            }
        }
    }

    /// The next record of the current block; blocks in between are skipped. None at its end.
    ///
    /// # Errors
    /// As [`Self::next`].
    pub fn next_record(&mut self) -> Result<Option<u32>, ReadError> {
        loop {
            match self.next()? {
                Entry::Record(code) => return Ok(Some(code)),
                Entry::End => return Ok(None),
                Entry::Block(id) => self.skip(id)?,
            }
        }
    }

    /// Enters the block that [`Entry::Block`] announced.
    ///
    /// # Errors
    /// The data ends before, or the header is malformed.
    pub fn enter(&mut self, id: u32) -> Result<(), ReadError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.error("blocks are nested too deeply"));
        }
        let (width, end) = self.header()?;
        if !(2..=32).contains(&width) {
            return Err(self.error(format!("abbreviation numbers of {width} bits")));
        }
        let shared = self.info.get(&id).cloned().unwrap_or_default();
        self.open.push(Open { width, end, id, local: Vec::new(), shared });
        Ok(())
    }

    /// Skips the block that [`Entry::Block`] announced.
    ///
    /// # Errors
    /// The data ends before.
    pub fn skip(&mut self, id: u32) -> Result<(), ReadError> {
        let (_, end) = self.header()?;
        if id != USELIST && self.skipped.is_none() {
            self.skipped = Some(self.error(format!("unknown block id {id}")));
        }
        self.bits.skip(end - self.bits.pos())
    }

    fn header(&mut self) -> Result<(u32, u64), ReadError> {
        let width = self.bits.vbr32(4)?;
        self.bits.align32()?;
        let words = self.bits.fixed(32)?;
        let end = self.bits.pos() + words * 32;
        if words * 32 > self.bits.left() || self.open.last().is_some_and(|b| end > b.end) {
            return Err(self.error("a block is longer than what it is in"));
        }
        Ok((width, end))
    }

    fn blockinfo(&mut self) -> Result<(), ReadError> {
        let mut target: Option<u32> = None;
        loop {
            self.start = self.bits.pos();
            let width = self.open.last().map_or(2, |b| b.width);
            match self.bits.fixed(width)? as u32 {
                END_BLOCK => {
                    self.bits.align32()?;
                    let block = self.open.pop();
                    if block.is_none_or(|b| b.end != self.bits.pos()) {
                        return Err(self.error("a block does not end where it said it would"));
                    }
                    return Ok(());
                }
                DEFINE_ABBREV => {
                    let abbrev = Rc::new(self.abbrev()?);
                    let Some(id) = target else {
                        return Err(self.error("an abbreviation for no block"));
                    };
                    Rc::make_mut(self.info.entry(id).or_default()).push(abbrev);
                }
                UNABBREV_RECORD => {
                    if self.generic()? == SETBID {
                        let id = self.fields.first().and_then(|&id| u32::try_from(id).ok());
                        target = Some(id.ok_or_else(|| self.error("an impossible block number"))?);
                    }
                }
                _ => return Err(self.error("the block of abbreviations holds something else")),
            }
        }
    }

    fn generic(&mut self) -> Result<u32, ReadError> {
        let code = self.bits.vbr32(6)?;
        let count = self.count(6)?;
        self.fields.clear();
        self.fields.reserve(count);
        for _ in 0..count {
            self.fields.push(self.bits.vbr(6)?);
        }
        Ok(code)
    }

    /// A number of fields, of which each will take at least `bits` bits.
    fn count(&mut self, bits: u32) -> Result<usize, ReadError> {
        let count = self.bits.vbr(6)?;
        if count > self.bits.left() / u64::from(bits) {
            return Err(self.error("a record is longer than the bitcode"));
        }
        Ok(count as usize)
    }

    fn abbreviated(&mut self, number: u32) -> Result<u32, ReadError> {
        let at = (number - FIRST_ABBREV) as usize;
        let abbrev = self.open.last().and_then(|block| {
            let shared = block.shared.len();
            if at < shared { block.shared.get(at) } else { block.local.get(at - shared) }
        });
        let Some(abbrev) = abbrev.cloned() else {
            let id = self.open.last().map_or(0, |b| b.id);
            return Err(self.error(format!("block {id} has no abbreviation {number}")));
        };
        self.fields.clear();
        // The code is the first of all fields, however the others are encoded.
        let mut head = abbrev.head.iter();
        let Some(&code) = head.next() else {
            return Err(self.error("a record without a code"));
        };
        let code = self.scalar(code)?;
        for &field in head {
            let value = self.scalar(field)?;
            self.fields.push(value);
        }
        match abbrev.tail {
            None => {}
            Some(Tail::Array(elem)) => {
                let bits = match elem {
                    Scalar::Fixed(bits) | Scalar::Vbr(bits) => bits,
                    _ => 6,
                };
                let count = self.count(bits)?;
                self.fields.reserve(count);
                for _ in 0..count {
                    let value = self.scalar(elem)?;
                    self.fields.push(value);
                }
            }
            Some(Tail::Blob) => {
                let count = self.bits.vbr(6)?;
                self.bits.align32()?;
                if count > self.bits.left() / 8 {
                    return Err(self.error("a record is longer than the bitcode"));
                }
                for _ in 0..count {
                    let byte = self.bits.fixed(8)?;
                    self.fields.push(byte);
                }
                self.bits.align32()?;
            }
        }
        u32::try_from(code).map_err(|_| self.error("an impossible record code"))
    }

    fn scalar(&mut self, field: Scalar) -> Result<u64, ReadError> {
        match field {
            Scalar::Lit(value) => Ok(value),
            Scalar::Fixed(bits) => self.bits.fixed(bits),
            Scalar::Vbr(bits) => self.bits.vbr(bits),
            Scalar::Char6 => Ok(from_char6(self.bits.fixed(6)?).into()),
        }
    }

    fn abbrev(&mut self) -> Result<Abbrev, ReadError> {
        let mut left = self.bits.vbr(5)?;
        if left == 0 || left > MAX_ABBREV_FIELDS {
            return Err(self.error(format!("an abbreviation with {left} fields")));
        }
        let mut abbrev = Abbrev::default();
        while left > 0 {
            left -= 1;
            if self.bits.fixed(1)? == 1 {
                abbrev.head.push(Scalar::Lit(self.bits.vbr(8)?));
                continue;
            }
            match self.bits.fixed(3)? {
                kind @ (1 | 2 | 4) => {
                    let field = self.encoding(kind)?;
                    abbrev.head.push(field);
                }
                3 if left == 1 => {
                    if self.bits.fixed(1)? == 1 {
                        return Err(self.error("an array of nothing"));
                    }
                    let kind = self.bits.fixed(3)?;
                    let elem = self.encoding(kind)?;
                    if matches!(elem, Scalar::Lit(_)) {
                        return Err(self.error("an array of nothing"));
                    }
                    abbrev.tail = Some(Tail::Array(elem));
                    left = 0;
                }
                5 if left == 0 => abbrev.tail = Some(Tail::Blob),
                kind => return Err(self.error(format!("a misplaced field encoding {kind}"))),
            }
        }
        Ok(abbrev)
    }

    fn encoding(&mut self, kind: u64) -> Result<Scalar, ReadError> {
        match kind {
            1 | 2 => {
                let bits = self.bits.vbr(5)?;
                match (kind, bits) {
                    // No bits at all: always zero.
                    (_, 0) => Ok(Scalar::Lit(0)),
                    (1, 1..=64) => Ok(Scalar::Fixed(bits as u32)),
                    (2, 2..=32) => Ok(Scalar::Vbr(bits as u32)),
                    _ => Err(self.error(format!("a field of {bits} bits"))),
                }
            }
            4 => Ok(Scalar::Char6),
            _ => Err(self.error(format!("a misplaced field encoding {kind}"))),
        }
    }
}
