//! What a part with pipeline information says of its own layout, whatever the validator version.

use rtc_dxil_container::{Bytes, FormatError, ShaderKind};

/// Bytes of the stage information by version.
pub(super) const INFO: [usize; 5] = [24, 36, 48, 52, 56];

/// Where the stage information has what, from its record 1 on.
mod at {
    pub const STAGE: usize = 4 + 24;
    pub const USES_VIEW: usize = 4 + 25;
    /// The vectors of patch constants or primitives, where a stage has them.
    pub const PATCH_VECTORS: usize = 4 + 26;
    /// Elements of the three signatures.
    pub const ELEMENTS: usize = 4 + 28;
    pub const INPUT_VECTORS: usize = 4 + 31;
    /// Of the four streams.
    pub const OUTPUT_VECTORS: usize = 4 + 32;
    /// Where the text with the entry point lies, since record 3.
    pub const ENTRY: usize = 4 + 48;
}

/// The layout.
pub(super) struct Shape<'a> {
    /// Bytes of the stage information.
    pub info: usize,
    /// Bytes of a resource record, if there are resources.
    pub stride: Option<usize>,
    /// Where the entry point's text lies in the texts.
    pub entry: usize,
    pub strings: &'a [u8],
    pub strings_at: usize,
    pub indices: Vec<u32>,
    /// Bytes of a signature element, if there are any.
    pub element: Option<usize>,
    pub elements: &'a [u8],
    pub elements_at: usize,
    /// Masks and tables: which outputs depend on the view and on which inputs.
    pub tables: &'a [u8],
    pub tables_at: usize,
}

impl Shape<'_> {
    /// Goes through the part.
    ///
    /// # Errors
    /// When something in it has no room, or something follows its end.
    pub fn read(data: &[u8]) -> Result<Shape<'_>, FormatError> {
        let b = Bytes::new("PSV0", data);
        let info = b.u32(0)? as usize;
        b.slice(4, info as u64)?;
        let mut at = 4 + info;
        let count = b.u32(at)?;
        at += 4;
        let mut stride = None;
        if count > 0 {
            let size = b.u32(at)? as usize;
            b.slice(at + 4, u64::from(count) * size as u64)?;
            at += 4 + count as usize * size;
            stride = Some(size);
        }
        let mut shape = Shape {
            info,
            stride,
            entry: 0,
            strings: &[],
            strings_at: at,
            indices: Vec::new(),
            element: None,
            elements: &[],
            elements_at: at,
            tables: &[],
            tables_at: at,
        };
        if info >= INFO[1] {
            at = shape.signatures(&b, data, at)?;
        }
        if at != data.len() {
            return Err(b.error(at, format!("has {} bytes after its end", data.len() - at)));
        }
        Ok(shape)
    }
}

impl<'a> Shape<'a> {
    /// Goes through texts, indices, elements and tables. Gives the end.
    fn signatures(&mut self, b: &Bytes<'_>, data: &'a [u8], mut at: usize) -> Result<usize, FormatError> {
        if self.info >= INFO[3] {
            self.entry = b.u32(at::ENTRY)? as usize;
        }
        let size = b.u32(at)?;
        if !size.is_multiple_of(4) {
            return Err(b.error(at, format!("has {size} bytes of texts, which is no multiple of four")));
        }
        self.strings_at = at + 4;
        b.slice(at + 4, size.into())?;
        self.strings = &data[at + 4..][..size as usize];
        at += 4 + size as usize;
        let count = b.u32(at)?;
        let words = b.slice(at + 4, u64::from(count) * 4)?;
        self.indices = words.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
        at += 4 + words.len();
        let elements: u64 = b.slice(at::ELEMENTS, 3)?.iter().map(|&n| u64::from(n)).sum();
        if elements > 0 {
            let size = b.u32(at)?;
            self.element = Some(size as usize);
            self.elements_at = at + 4;
            let len = b.slice(at + 4, elements * u64::from(size))?.len();
            self.elements = &data[at + 4..][..len];
            at += 4 + len;
        }
        self.tables_at = at;
        let len = b.slice(at, 4 * dependency_words(b)?)?.len();
        self.tables = &data[at..][..len];
        Ok(at + len)
    }
}

/// Words of the masks and tables.
fn dependency_words(b: &Bytes<'_>) -> Result<u64, FormatError> {
    let vectors = |at: usize| b.u8(at).map(u64::from);
    let mask = |outputs: u64| outputs.div_ceil(8);
    let table = |inputs: u64, outputs: u64| mask(outputs) * inputs * 4;
    let stage = ShaderKind::from_u32(b.u8(at::STAGE)?.into());
    let view = b.u8(at::USES_VIEW)? != 0;
    let (inputs, patch) = (vectors(at::INPUT_VECTORS)?, vectors(at::PATCH_VECTORS)?);
    let first = vectors(at::OUTPUT_VECTORS)?;
    let mut words = 0;
    for stream in 0..4 {
        let outputs = vectors(at::OUTPUT_VECTORS + stream)?;
        words += u64::from(view) * mask(outputs) + table(inputs, outputs);
    }
    match stage {
        Some(ShaderKind::Hull | ShaderKind::Mesh) => words += u64::from(view) * mask(patch) + table(inputs, patch),
        Some(ShaderKind::Domain) => words += table(patch, first),
        _ => {}
    }
    Ok(words)
}
