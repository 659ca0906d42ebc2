//! A minimal container reader that finds parts and bitcode.
//!
//! Written apart from the product's reader on purpose: an oracle that shares the reader's mistakes is none.

/// The data of the first part with this four-character code, or `None` when there is none or the container is broken.
pub fn part<'a>(container: &'a [u8], code: &[u8; 4]) -> Option<&'a [u8]> {
    if container.get(..4)? != b"DXBC" {
        return None;
    }
    let count = u32_at(container, 28)?;
    for index in 0..count {
        let offset = u32_at(container, 32usize.checked_add(index.checked_mul(4)?)?)?;
        let size = u32_at(container, offset.checked_add(4)?)?;
        let data = offset.checked_add(8)?;
        if container.get(offset..offset + 4)? == code {
            return container.get(data..data.checked_add(size)?);
        }
    }
    None
}

/// The bitcode of a container's DXIL part.
pub fn bitcode(container: &[u8]) -> Option<&[u8]> {
    let program = part(container, b"DXIL")?;
    let start = u32_at(program, 16)?.checked_add(8)?;
    let size = u32_at(program, 20)?;
    program.get(start..start.checked_add(size)?)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A container with one part, cut at every length: found when whole, `None` otherwise.
    #[test]
    fn finds_a_part_and_survives_truncation() {
        let mut bytes = b"DXBC".to_vec();
        bytes.extend([0; 16]);
        bytes.extend([1, 0, 0, 0]);
        bytes.extend(48u32.to_le_bytes());
        bytes.extend(1u32.to_le_bytes());
        bytes.extend(36u32.to_le_bytes());
        bytes.extend(b"RDAT");
        bytes.extend(4u32.to_le_bytes());
        bytes.extend([1, 2, 3, 4]);
        assert_eq!(part(&bytes, b"RDAT"), Some(&[1u8, 2, 3, 4][..]));
        assert_eq!(part(&bytes, b"DXIL"), None);
        for len in 0..bytes.len() {
            assert_eq!(part(&bytes[..len], b"RDAT"), None, "length {len}");
        }
    }
}
