//! Characters of identifiers beyond ASCII: those of C++11 (annex E), and which of them mislead a reader.

/// The characters that an identifier may have, as ranges in ascending order. The Greek question mark (U+037E) is left out: it is a
/// semicolon by its canonical decomposition.
#[rustfmt::skip]
const LETTERS: &[(u32, u32)] = &[
    (0xA8, 0xA8), (0xAA, 0xAA), (0xAD, 0xAD), (0xAF, 0xAF), (0xB2, 0xB5), (0xB7, 0xBA), (0xBC, 0xBE), (0xC0, 0xD6), (0xD8, 0xF6),
    (0xF8, 0x37D), (0x37F, 0x167F), (0x1681, 0x180D), (0x180F, 0x1FFF), (0x200B, 0x200D), (0x202A, 0x202E), (0x203F, 0x2040),
    (0x2054, 0x2054), (0x2060, 0x218F), (0x2460, 0x24FF), (0x2776, 0x2793), (0x2C00, 0x2DFF), (0x2E80, 0x2FFF), (0x3004, 0x3007),
    (0x3021, 0x302F), (0x3031, 0xD7FF), (0xF900, 0xFD3D), (0xFD40, 0xFDCF), (0xFDF0, 0xFE44), (0xFE47, 0xFFFD), (0x10000, 0x1FFFD),
    (0x20000, 0x2FFFD), (0x30000, 0x3FFFD), (0x40000, 0x4FFFD), (0x50000, 0x5FFFD), (0x60000, 0x6FFFD), (0x70000, 0x7FFFD),
    (0x80000, 0x8FFFD), (0x90000, 0x9FFFD), (0xA0000, 0xAFFFD), (0xB0000, 0xBFFFD), (0xC0000, 0xCFFFD), (0xD0000, 0xDFFFD),
    (0xE0000, 0xEFFFD),
];

/// Of those, marks that combine with the letter before them: an identifier cannot begin with one.
const MARKS: &[(u32, u32)] = &[(0x300, 0x36F), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)];

/// Of those, characters that are not seen: they join, divide or turn the text around them.
const UNSEEN: &[(u32, u32)] = &[
    (0xAD, 0xAD),
    (0x61C, 0x61C),
    (0x180B, 0x180D),
    (0x200B, 0x200D),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0xFE00, 0xFE0F),
    (0xE0000, 0xE0FFF),
];

/// Letters of other scripts that look like these Latin ones.
#[rustfmt::skip]
const LOOKALIKES: &[(&str, &str)] = &[
    // Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧνο", "ABEZHIKMNOPTYXvo"),
    // Cyrillic
    ("АВЕЅЗІЈКМНОРСТУХаеѕіјорсух", "ABES3IJKMHOPCTYXaesijopcyx"),
];

fn within(c: char, ranges: &[(u32, u32)]) -> bool {
    let c = u32::from(c);
    let at = ranges.partition_point(|r| r.1 < c);
    ranges.get(at).is_some_and(|r| r.0 <= c)
}

/// Whether a character beyond ASCII may be in an identifier.
pub fn may_continue(c: char) -> bool {
    !c.is_ascii() && within(c, LETTERS)
}

/// Whether a character beyond ASCII may begin an identifier.
pub fn may_begin(c: char) -> bool {
    may_continue(c) && !within(c, MARKS)
}

/// The first character of `name` that is not seen.
pub fn unseen(name: &str) -> Option<char> {
    name.chars().find(|&c| within(c, UNSEEN))
}

/// The first letter of `name` that looks like a Latin one next to letters of ASCII, and that one.
pub fn lookalike(name: &str) -> Option<(char, char)> {
    if !name.contains(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let latin = |c: char| LOOKALIKES.iter().find_map(|(own, latin)| latin.chars().nth(own.chars().position(|o| o == c)?));
    name.chars().filter(|c| !c.is_ascii()).find_map(|c| Some((c, latin(c)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_ascend_and_lists_correspond() {
        for ranges in [LETTERS, MARKS, UNSEEN] {
            assert!(ranges.windows(2).all(|w| w[0].1 < w[1].0) && ranges.iter().all(|r| r.0 <= r.1));
        }
        for (own, latin) in LOOKALIKES {
            assert_eq!(own.chars().count(), latin.chars().count());
            assert!(own.chars().all(may_begin) && latin.is_ascii());
        }
    }

    #[test]
    fn letters_marks_and_others() {
        assert!("αβéÄжλ中ℝ".chars().all(may_begin));
        assert!(may_continue('\u{301}') && !may_begin('\u{301}'));
        assert!("–‘’×÷≤\u{37e}a$_0".chars().all(|c| !may_continue(c)));
        assert_eq!(unseen("a\u{202e}b"), Some('\u{202e}'));
        assert_eq!(unseen("größe"), None);
        assert_eq!(lookalike("sсale"), Some(('с', 'c')));
        assert_eq!(lookalike("cosθ"), None);
        assert_eq!(lookalike("масса"), None);
    }
}
