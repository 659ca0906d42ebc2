//! Reading and writing the tables of `BMAP`: records of 32-bit words, with strings in one string table.

use rtc_dxil_container::{Bytes, FormatError};
use rustc_hash::FxHashMap;

/// A kind of table: its id and the number of words of a record.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub id: u32,
    pub words: usize,
    pub name: &'static str,
}

#[derive(Default)]
pub(crate) struct Writer<'a> {
    pub strings: Vec<u8>,
    string_at: FxHashMap<&'a str, u32>,
}

impl<'a> Writer<'a> {
    pub fn string(&mut self, text: &'a str) -> u32 {
        let end = self.strings.len() as u32;
        let at = *self.string_at.entry(text).or_insert(end);
        if at == end {
            // A NUL inside would end the string early; names have none.
            self.strings.extend(text.bytes().filter(|&b| b != 0));
            self.strings.push(0);
        }
        at
    }
}

/// A table of `BMAP`.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    pub bytes: Bytes<'a>,
    count: usize,
    stride: usize,
}

impl<'a> Table<'a> {
    fn row(&self, i: usize) -> Result<Bytes<'a>, FormatError> {
        self.bytes.window(i * self.stride, self.stride as u64)
    }
}

pub(crate) struct Reader<'a> {
    pub map: Bytes<'a>,
    pub strings: Bytes<'a>,
    /// Bytes of strings that may still be allocated.
    pub left: usize,
}

impl<'a> Reader<'a> {
    /// Whether the part has such a table.
    ///
    /// # Errors
    /// The table of contents is malformed.
    pub fn has(&self, kind: Kind) -> Result<bool, FormatError> {
        for i in 0..self.map.u32(0)? as usize {
            if self.map.u32(4 + 16 * i)? == kind.id {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The table of that kind.
    ///
    /// # Errors
    /// It is missing or malformed.
    pub fn table(&self, kind: Kind) -> Result<Table<'a>, FormatError> {
        let count = self.map.u32(0)?;
        for i in 0..count as usize {
            let at = 4 + 16 * i;
            if self.map.u32(at)? != kind.id {
                continue;
            }
            let (offset, rows) = (self.map.u32(at + 4)? as usize, self.map.u32(at + 8)?);
            let stride = self.map.u32(at + 12)? as usize;
            if stride < 4 * kind.words {
                let why = format!("{}: record size is {stride} bytes, expected at least {}", kind.name, 4 * kind.words);
                return Err(self.map.error(at + 12, why));
            }
            let bytes = self.map.window(offset, u64::from(rows) * stride as u64)?;
            return Ok(Table { bytes, count: rows as usize, stride });
        }
        Err(self.map.error(0, format!("missing table: {}", kind.name)))
    }

    /// The rows of a table, as `read` decodes them.
    ///
    /// # Errors
    /// The table is missing or malformed, or `read` fails.
    pub fn rows<T>(
        &mut self,
        kind: Kind,
        mut read: impl FnMut(&mut Self, Bytes<'a>) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        let table = self.table(kind)?;
        let mut out = Vec::with_capacity(table.count);
        for i in 0..table.count {
            out.push(read(self, table.row(i)?)?);
        }
        Ok(out)
    }

    /// The string that the word at `at` of a row refers to.
    ///
    /// # Errors
    /// The string is not in the pool, or is not UTF-8.
    pub fn string(&mut self, row: &Bytes<'_>, at: usize) -> Result<String, FormatError> {
        let text = self.strings.text(row.u32(at)? as usize)?;
        match self.left.checked_sub(text.len()) {
            Some(rest) => self.left = rest,
            None => return Err(row.error(at, "total size of strings exceeds the limit")),
        }
        Ok(text.to_owned())
    }
}

pub(crate) fn member<T>(row: &Bytes<'_>, at: usize, what: &str, from: impl Fn(u32) -> Option<T>) -> Result<T, FormatError> {
    let n = row.u32(at)?;
    from(n).ok_or_else(|| row.error(at, format!("unknown {what} {n}")))
}

/// Takes `count` from the front of `rows`.
pub(crate) fn front<T>(rows: &mut std::vec::IntoIter<T>, count: u32, row: &Bytes<'_>, at: usize) -> Result<Vec<T>, FormatError> {
    if count as usize > rows.len() {
        return Err(row.error(at, format!("expected {count} rows, found {}", rows.len())));
    }
    Ok(rows.take(count as usize).collect())
}
