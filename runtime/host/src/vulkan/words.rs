//! Reads the instructions of SPIR-V modules, as far as the runtime looks into them.

use spirv::Op;

/// The words before the first instruction of a module.
pub(super) const HEADER: usize = 5;

/// The instructions of a module that the package's reader has accepted, with their operands. One that is cut off ends them.
pub(super) fn instructions(module: &[u32]) -> impl Iterator<Item = (Op, &[u32])> {
    let mut rest = module.get(HEADER..).unwrap_or_default();
    let next = move || {
        let first = *rest.first()?;
        let (words, after) = rest.split_at_checked(((first >> 16) as usize).max(1))?;
        rest = after;
        Some((Op::from_u32(first & 0xffff), &words[1..]))
    };
    std::iter::from_fn(next).filter_map(|(op, words)| Some((op?, words)))
}

/// A literal string and how many words it takes.
pub(super) fn string(words: &[u32]) -> (Vec<u8>, usize) {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    (bytes[..end].to_vec(), end / 4 + 1)
}
