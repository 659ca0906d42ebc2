//! Bits: the stream that bitcode is made of, written and read.
//!
//! Values fill bytes from their low end. A block begins with its number, its abbreviation width and,
//! at a 32-bit boundary, its length in 32-bit words, which lets a reader skip it.

use super::error::ReadError;
use super::records::{BLOCKINFO, BLOCKS, BlockDecl, DEFINE_ABBREV, END_BLOCK, ENTER_SUBBLOCK, Enc, Record, SETBID, UNABBREV_RECORD, char6};

/// Writes a bit stream.
#[derive(Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are no whole 32-bit word yet, in the low end.
    pending: u64,
    pending_bits: u32,
    /// Bits of an abbreviation number in the current block.
    width: u32,
    /// Enclosing blocks: their width, and where the length of the inner one goes.
    open: Vec<(u32, usize)>,
}

impl BitWriter {
    /// An empty stream, outside all blocks.
    pub fn new() -> Self {
        Self { width: 2, ..Self::default() }
    }

    /// Appends the low `bits` bits of `value`; at most 32.
    pub fn fixed(&mut self, value: u64, bits: u32) {
        debug_assert!(bits <= 32 && value >> bits == 0);
        self.pending |= value << self.pending_bits;
        self.pending_bits += bits;
        if self.pending_bits >= 32 {
            self.bytes.extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.pending_bits -= 32;
        }
    }

    /// Appends `value` in groups of `bits` bits.
    #[inline]
    pub fn vbr(&mut self, value: u64, bits: u32) {
        match value >> (bits - 1) {
            0 => self.fixed(value, bits),
            _ => self.groups(value, bits),
        }
    }

    /// Appends `value`, which one group does not hold.
    fn groups(&mut self, mut value: u64, bits: u32) {
        let more = 1 << (bits - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, bits);
            value >>= bits - 1;
        }
        self.fixed(value, bits);
    }

    fn align32(&mut self) {
        if self.pending_bits > 0 {
            self.fixed(0, 32 - self.pending_bits);
        }
    }

    /// Begins a block.
    pub fn enter(&mut self, block: &BlockDecl) {
        self.enter_id(block.id, block.width);
    }

    fn enter_id(&mut self, id: u32, width: u32) {
        self.fixed(ENTER_SUBBLOCK.into(), self.width);
        self.vbr(id.into(), 8);
        self.vbr(width.into(), 4);
        self.align32();
        self.open.push((self.width, self.bytes.len()));
        self.bytes.extend([0; 4]);
        self.width = width;
    }

    /// Ends the current block.
    pub fn exit(&mut self) {
        self.fixed(END_BLOCK.into(), self.width);
        self.align32();
        self.close();
    }

    /// After the end of a block: says its length where it begins.
    fn close(&mut self) {
        if let Some((width, at)) = self.open.pop() {
            let words = ((self.bytes.len() - at - 4) / 4) as u32;
            self.bytes[at..at + 4].copy_from_slice(&words.to_le_bytes());
            self.width = width;
        }
    }

    /// Writes the block that defines the abbreviations of all others.
    pub fn blockinfo(&mut self) {
        self.enter_id(BLOCKINFO, ABBREVIATION_WIDTH);
        // Its contents begin at a boundary, so they are the same everywhere.
        self.bytes.extend(ABBREVIATIONS.iter().flat_map(|word| word.to_le_bytes()));
        self.close();
    }

    /// Writes a record with these fields.
    pub fn record(&mut self, record: &Record, values: &[u64]) {
        debug_assert!(values.len() >= record.fields.len(), "{} is short", record.name);
        let Some((number, encs)) = record.abbrev_for(values) else {
            return self.generic(record.code, values);
        };
        self.fixed((*number).into(), self.width);
        for (i, enc) in encs.iter().enumerate() {
            match enc {
                Enc::Array(elem) => {
                    let rest = &values[i..];
                    self.vbr(rest.len() as u64, 6);
                    rest.iter().for_each(|&v| self.scalar(elem, v));
                }
                _ => self.scalar(enc, values[i]),
            }
        }
    }

    fn scalar(&mut self, enc: &Enc, value: u64) {
        match *enc {
            Enc::Lit(_) | Enc::Array(_) => {}
            Enc::Fixed(bits) => self.fixed(value, bits),
            Enc::Vbr(bits) => self.vbr(value, bits),
            Enc::Char6 => self.fixed(char6(value as u8).unwrap_or(0), 6),
        }
    }

    /// Writes a record in the generic encoding.
    pub fn generic(&mut self, code: u32, values: &[u64]) {
        self.fixed(UNABBREV_RECORD.into(), self.width);
        self.vbr(code.into(), 6);
        self.vbr(values.len() as u64, 6);
        values.iter().for_each(|&v| self.vbr(v, 6));
    }

    /// The stream, filled up to 32 bits.
    pub fn finish(mut self) -> Vec<u8> {
        self.align32();
        self.bytes
    }
}

/// The contents of the block of abbreviations, its end included.
static ABBREVIATIONS: [u32; ABBREVIATION_WORDS] = abbreviations::<ABBREVIATION_WORDS>().words;
const ABBREVIATION_WORDS: usize = abbreviations::<0>().bits.div_ceil(32);

/// Bits of an abbreviation number in that block.
const ABBREVIATION_WIDTH: u32 = 2;

/// Bits that are written while the compiler is built; those after the last word are counted only.
struct Words<const N: usize> {
    words: [u32; N],
    bits: usize,
}

/// Writes the block of abbreviations.
const fn abbreviations<const N: usize>() -> Words<N> {
    let mut w = Words { words: [0; N], bits: 0 };
    let mut block = 0;
    while block < BLOCKS.len() {
        let (mut first, mut record) = (true, 0);
        while record < BLOCKS[block].records.len() {
            let decl = BLOCKS[block].records[record];
            let mut abbrev = 0;
            while abbrev < decl.abbrevs.len() {
                if first {
                    // In the generic encoding: the block that the next abbreviations are for.
                    w.fixed(UNABBREV_RECORD as u64, ABBREVIATION_WIDTH);
                    w.vbr(SETBID as u64, 6);
                    w.vbr(1, 6);
                    w.vbr(BLOCKS[block].id as u64, 6);
                    first = false;
                }
                w.define(decl.code, decl.abbrevs[abbrev].1);
                abbrev += 1;
            }
            record += 1;
        }
        block += 1;
    }
    w.fixed(END_BLOCK as u64, ABBREVIATION_WIDTH);
    w
}

impl<const N: usize> Words<N> {
    const fn fixed(&mut self, value: u64, bits: u32) {
        let mut n = 0;
        while n < bits {
            if self.bits / 32 < N {
                self.words[self.bits / 32] |= (value as u32 >> n & 1) << (self.bits % 32);
            }
            self.bits += 1;
            n += 1;
        }
    }

    const fn vbr(&mut self, mut value: u64, bits: u32) {
        let more = 1 << (bits - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, bits);
            value >>= bits - 1;
        }
        self.fixed(value, bits);
    }

    const fn define(&mut self, code: u32, encs: &[Enc]) {
        self.fixed(DEFINE_ABBREV as u64, ABBREVIATION_WIDTH);
        let array = !encs.is_empty() && matches!(encs[encs.len() - 1], Enc::Array(_));
        self.vbr(1 + encs.len() as u64 + array as u64, 5);
        self.field(&Enc::Lit(code as u64));
        let mut n = 0;
        while n < encs.len() {
            self.field(&encs[n]);
            if let Enc::Array(elem) = encs[n] {
                self.field(elem);
            }
            n += 1;
        }
    }

    const fn field(&mut self, enc: &Enc) {
        let (kind, bits) = match *enc {
            Enc::Lit(value) => {
                self.fixed(1, 1);
                self.vbr(value, 8);
                return;
            }
            Enc::Fixed(bits) => (1, Some(bits)),
            Enc::Vbr(bits) => (2, Some(bits)),
            Enc::Array(_) => (3, None),
            Enc::Char6 => (4, None),
        };
        self.fixed(0, 1);
        self.fixed(kind, 3);
        if let Some(bits) = bits {
            self.vbr(bits as u64, 5);
        }
    }
}

/// Reads bits of a byte slice.
#[derive(Clone)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// The next bit.
    pos: u64,
    /// One past the last bit.
    end: u64,
}

impl<'a> BitReader<'a> {
    /// Reads `bytes` from the start.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, pos: 0, end: bytes.len() as u64 * 8 }
    }

    /// The number of the next bit.
    pub fn pos(&self) -> u64 {
        self.pos
    }

    /// How many bits are left.
    pub fn left(&self) -> u64 {
        self.end - self.pos
    }

    /// An error at the current bit.
    pub fn error(&self, what: impl Into<String>) -> ReadError {
        ReadError::new(self.pos, what)
    }

    /// The next `bits` bits; at most 64.
    ///
    /// # Errors
    /// The data ends before.
    pub fn fixed(&mut self, bits: u32) -> Result<u64, ReadError> {
        if u64::from(bits) > self.left() {
            return Err(self.error("the bitcode ends in the middle"));
        }
        let at = (self.pos >> 3) as usize;
        let shift = (self.pos & 7) as u32;
        let value = match self.bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(word) if bits <= 56 => u64::from_le_bytes(*word) >> shift,
            _ => self.slow(at, shift),
        };
        self.pos += u64::from(bits);
        Ok(if bits == 64 { value } else { value & ((1 << bits) - 1) })
    }

    /// The 64 bits at bit `shift` of byte `at`, zeros after the end.
    #[cold]
    fn slow(&self, at: usize, shift: u32) -> u64 {
        let mut word = [0u8; 16];
        let rest = &self.bytes[at..];
        let len = rest.len().min(16);
        word[..len].copy_from_slice(&rest[..len]);
        (u128::from_le_bytes(word) >> shift) as u64
    }

    /// A value in groups of `bits` bits; 2 to 32.
    ///
    /// # Errors
    /// The data ends before, or the number is too large.
    pub fn vbr(&mut self, bits: u32) -> Result<u64, ReadError> {
        let more = 1u64 << (bits - 1);
        let first = self.fixed(bits)?;
        if first & more == 0 {
            return Ok(first);
        }
        let mut value = first & (more - 1);
        let mut shift = bits - 1;
        loop {
            let group = self.fixed(bits)?;
            let part = group & (more - 1);
            if shift >= 64 || part << shift >> shift != part {
                return Err(self.error("a number does not fit in 64 bits"));
            }
            value |= part << shift;
            if group & more == 0 {
                return Ok(value);
            }
            shift += bits - 1;
        }
    }

    /// A number of at most 32 bits in groups.
    ///
    /// # Errors
    /// The data ends before, or the number is too large.
    pub fn vbr32(&mut self, bits: u32) -> Result<u32, ReadError> {
        let value = self.vbr(bits)?;
        u32::try_from(value).map_err(|_| self.error("a number does not fit in 32 bits"))
    }

    /// Goes to the next 32-bit boundary.
    ///
    /// # Errors
    /// The data ends before.
    pub fn align32(&mut self) -> Result<(), ReadError> {
        let to = self.pos.div_ceil(32) * 32;
        if to > self.end {
            return Err(self.error("the bitcode ends in the middle"));
        }
        self.pos = to;
        Ok(())
    }

    /// Skips `bits` bits.
    ///
    /// # Errors
    /// The data ends before.
    pub fn skip(&mut self, bits: u64) -> Result<(), ReadError> {
        if bits > self.left() {
            return Err(self.error("a block is longer than the bitcode"));
        }
        self.pos += bits;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut w = BitWriter::new();
        let values = [0, 1, 31, 32, 33, 0xFFFF_FFFF, 1 << 40, u64::MAX];
        for v in values {
            w.vbr(v, 6);
            w.fixed(5, 3);
        }
        let bytes = w.finish();
        let mut r = BitReader::new(&bytes);
        for v in values {
            assert_eq!(r.vbr(6).unwrap(), v);
            assert_eq!(r.fixed(3).unwrap(), 5);
        }
    }

    #[test]
    fn a_number_too_long_is_refused() {
        let mut r = BitReader::new(&[0xFF; 64]);
        assert!(r.vbr(6).is_err());
        let mut r = BitReader::new(&[0xFF; 4]);
        assert!(r.vbr(6).unwrap_err().to_string().contains("ends"));
    }
}
