//! Identifiers of classes and interfaces, written as text and compared by value.

/// A globally unique identifier in the layout of the interfaces.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guid(pub u32, pub u16, pub u16, pub [u8; 8]);

impl Guid {
    /// Reads `8ba5fb08-5195-40e2-ac58-0d989c3a0102`, at compile time.
    pub const fn new(text: &str) -> Guid {
        let b = text.as_bytes();
        assert!(b.len() == 36, "the length of an identifier");
        let mut digits = [0u8; 32];
        let (mut at, mut n) = (0, 0);
        while at < 36 {
            if matches!(at, 8 | 13 | 18 | 23) {
                assert!(b[at] == b'-', "groups are separated by dashes");
            } else {
                digits[n] = match b[at] {
                    c @ b'0'..=b'9' => c - b'0',
                    c @ b'a'..=b'f' => c - b'a' + 10,
                    _ => panic!("a lower-case hexadecimal digit"),
                };
                n += 1;
            }
            at += 1;
        }
        let mut bytes = [0u8; 16];
        let mut i = 0;
        while i < 16 {
            bytes[i] = digits[2 * i] << 4 | digits[2 * i + 1];
            i += 1;
        }
        let first = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let second = u16::from_be_bytes([bytes[4], bytes[5]]);
        let third = u16::from_be_bytes([bytes[6], bytes[7]]);
        Guid(first, second, third, [bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]])
    }
}

impl std::fmt::Display for Guid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x}-{:04x}-{:04x}-{:02x}{:02x}-", self.0, self.1, self.2, self.3[0], self.3[1])?;
        self.3[2..].iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_value_are_the_same() {
        let text = "8ba5fb08-5195-40e2-ac58-0d989c3a0102";
        let guid = Guid::new(text);
        assert_eq!(guid, Guid(0x8ba5_fb08, 0x5195, 0x40e2, [0xac, 0x58, 0x0d, 0x98, 0x9c, 0x3a, 0x01, 0x02]));
        assert_eq!(guid.to_string(), text);
    }
}
