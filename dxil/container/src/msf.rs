//! The multi-stream file that a PDB is: a small file system of blocks.
//!
//! Block 0 starts with the superblock, which says how large blocks are and where the list of the directory's blocks lies; the
//! directory has the size of each stream and the numbers of its blocks. What the writer makes is what the reference compiler
//! makes: blocks of 512 bytes, two empty maps of free blocks, block list, directory, streams, in that order.

use super::{Bytes, FormatError, put_u32};

/// The first bytes of every such file.
pub const MAGIC: &[u8; 32] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";
/// Bytes of a block that the writer makes.
const BLOCK: usize = 512;
/// Size of a stream that does not exist.
const NO_STREAM: u32 = u32::MAX;
/// Superblock and the two maps of free blocks.
const FIRST_BLOCKS: usize = 3;

/// The streams of a file.
///
/// # Errors
/// When the file has no superblock, or a block, a size or a count lies outside of the file. A block that two streams share is an
/// error too, so streams together are never larger than the file.
pub fn read(data: &[u8]) -> Result<Vec<Vec<u8>>, FormatError> {
    let b = Bytes::new("PDB", data);
    if b.slice(0, MAGIC.len() as u64)? != MAGIC {
        return Err(b.error(0, "does not start as a multi-stream file"));
    }
    let block = b.u32(32)?;
    if !block.is_power_of_two() || !(64..=65536).contains(&block) {
        return Err(b.error(32, format!("blocks of {block} bytes are not known")));
    }
    let size = block as usize;
    let directory_bytes = b.u32(44)?;
    let list_at = b.u32(52)?;
    let mut file = File { b, size, used: vec![false; data.len() / size + 1] };
    let list = directory_bytes.div_ceil(block);
    let mut directory = Vec::new();
    for i in 0..list {
        let at = list_at as usize * size + 4 * i as usize;
        let number = file.b.u32(at)?;
        file.append(number, at, &mut directory)?;
    }
    directory.truncate(directory_bytes as usize);
    let d = Bytes::new("PDB directory", &directory);
    let count = d.u32(0)?;
    d.slice(4, u64::from(count) * 4)?;
    let mut next = 4 + 4 * count as usize;
    let mut streams = Vec::with_capacity(count as usize);
    for i in 0..count as usize {
        let bytes = match d.u32(4 + 4 * i)? {
            NO_STREAM => 0,
            n => n,
        };
        let blocks = bytes.div_ceil(block);
        d.slice(next, u64::from(blocks) * 4)?;
        let mut stream = Vec::new();
        for _ in 0..blocks {
            let number = d.u32(next)?;
            file.append(number, next, &mut stream)?;
            next += 4;
        }
        stream.truncate(bytes as usize);
        streams.push(stream);
    }
    Ok(streams)
}

struct File<'a> {
    b: Bytes<'a>,
    size: usize,
    /// By block: something was read from it.
    used: Vec<bool>,
}

impl File<'_> {
    /// Adds a block, whose number is stored at `named_at`. The last block of a file may be cut off.
    fn append(&mut self, number: u32, named_at: usize, out: &mut Vec<u8>) -> Result<(), FormatError> {
        let start = u64::from(number) * self.size as u64;
        let end = (start + self.size as u64).min(self.b.len() as u64);
        let free = usize::try_from(number).ok().and_then(|n| self.used.get_mut(n));
        let Some(used) = free.filter(|_| start < end) else {
            return Err(self.b.error(named_at, format!("block {number} lies outside of the file")));
        };
        if std::mem::replace(used, true) {
            return Err(self.b.error(named_at, format!("block {number} is used twice")));
        }
        out.extend_from_slice(self.b.slice(start as usize, end - start)?);
        Ok(())
    }
}

/// A file with these streams.
///
/// # Errors
/// When it would be larger than four GiB.
pub fn write(streams: &[&[u8]]) -> Result<Vec<u8>, FormatError> {
    let blocks = |bytes: usize| bytes.div_ceil(BLOCK);
    let of_streams: usize = streams.iter().map(|s| blocks(s.len())).sum();
    let directory_bytes = 4 + 4 * streams.len() + 4 * of_streams;
    let of_directory = blocks(directory_bytes);
    let of_list = blocks(4 * of_directory);
    let directory_at = FIRST_BLOCKS + of_list;
    let streams_at = directory_at + of_directory;
    let all = streams_at + of_streams;
    if all * BLOCK > u32::MAX as usize {
        return Err(FormatError::new("PDB", 0, format!("would have {} bytes, the limit are four GiB", all * BLOCK)));
    }
    let mut out = Vec::with_capacity(all * BLOCK);
    out.extend_from_slice(MAGIC);
    // The reference compiler does not count the block list, and neither do readers that check the count.
    let counted = FIRST_BLOCKS + of_streams + of_directory;
    for word in [BLOCK, 1, counted, directory_bytes, 0, FIRST_BLOCKS] {
        put_u32(&mut out, word as u32);
    }
    out.resize(FIRST_BLOCKS * BLOCK, 0);
    for i in 0..of_directory {
        put_u32(&mut out, (directory_at + i) as u32);
    }
    out.resize(directory_at * BLOCK, 0);
    put_u32(&mut out, streams.len() as u32);
    for s in streams {
        put_u32(&mut out, s.len() as u32);
    }
    for i in 0..of_streams {
        put_u32(&mut out, (streams_at + i) as u32);
    }
    out.resize(streams_at * BLOCK, 0);
    for s in streams {
        out.extend_from_slice(s);
        out.resize(out.len().next_multiple_of(BLOCK), 0);
    }
    Ok(out)
}
