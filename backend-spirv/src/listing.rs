//! Disassembly of SPIR-V.

use rspirv::binary::Disassemble;
use spirv::Op;

/// Operands of `OpHitObjectRecordFromQueryEXT` that the reader knows: revision 3 of the extension added the hit kind.
const KNOWN: u32 = 4;

/// The words are no SPIR-V module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListingError {
    /// What the reader of SPIR-V says.
    cause: String,
}

impl std::fmt::Display for ListingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "malformed SPIR-V: {}", self.cause)
    }
}

impl std::error::Error for ListingError {}

/// The listing of a module.
///
/// # Errors
/// The module is malformed.
pub fn listing(words: &[u32]) -> Result<String, ListingError> {
    let (words, kinds) = without_kinds(words);
    let mut loader = rspirv::dr::Loader::new();
    rspirv::binary::parse_words(&words, &mut loader).map_err(|e| ListingError { cause: format!("{e:?}") })?;
    let text = loader.module().disassemble();
    if kinds.is_empty() {
        return Ok(text);
    }
    let mut kinds = kinds.into_iter();
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(line);
        if line.starts_with("OpHitObjectRecordFromQueryEXT ")
            && let Some(Some(kind)) = kinds.next()
        {
            out.push_str(&format!(" %{kind}"));
        }
        out.push('\n');
    }
    out.pop();
    Ok(out)
}

/// The module without the hit kinds of those instructions, and what they are, in order.
fn without_kinds(words: &[u32]) -> (Vec<u32>, Vec<Option<u32>>) {
    let (mut out, mut kinds) = (Vec::with_capacity(words.len()), Vec::new());
    let header = words.len().min(5);
    out.extend_from_slice(&words[..header]);
    let mut rest = &words[header..];
    while let Some(&first) = rest.first() {
        let len = (first >> 16) as usize;
        if len == 0 || len > rest.len() {
            out.extend_from_slice(rest); // the reader says what is wrong
            break;
        }
        let (inst, after) = rest.split_at(len);
        rest = after;
        let is = first & 0xffff == Op::HitObjectRecordFromQueryEXT as u32;
        match inst.get(1 + KNOWN as usize) {
            Some(&kind) if is => {
                kinds.push(Some(kind));
                out.push((KNOWN + 1) << 16 | first & 0xffff);
                out.extend_from_slice(&inst[1..=KNOWN as usize]);
            }
            _ => {
                if is {
                    kinds.push(None);
                }
                out.extend_from_slice(inst);
            }
        }
    }
    (out, kinds)
}
