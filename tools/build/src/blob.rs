//! ShaderMake's blobs: `NVSP`, then for each permutation the lengths of its key and of its object (32 bits each), the key, the object.

/// The first bytes of a blob.
pub const SIGNATURE: &[u8; 4] = b"NVSP";

/// The blob of these permutations, in this order. `None` if a length does not fit, or an object is empty, which ends a blob for its reader.
pub fn blob<'a>(permutations: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Option<Vec<u8>> {
    let mut out = SIGNATURE.to_vec();
    for (key, object) in permutations {
        if object.is_empty() {
            return None;
        }
        out.extend(u32::try_from(key.len()).ok()?.to_le_bytes());
        out.extend(u32::try_from(object.len()).ok()?.to_le_bytes());
        out.extend(key.as_bytes());
        out.extend(object);
    }
    Some(out)
}

/// The permutations of a blob: keys with objects. Damage ends the list, as it does for ShaderMake's reader.
pub fn permutations(blob: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = blob.strip_prefix(SIGNATURE).unwrap_or_default();
    std::iter::from_fn(move || {
        let (key, tail) = rest.split_first_chunk::<4>()?;
        let (size, tail) = tail.split_first_chunk::<4>()?;
        let (key, tail) = tail.split_at_checked(u32::from_le_bytes(*key) as usize)?;
        let (object, tail) = tail.split_at_checked(u32::from_le_bytes(*size) as usize)?;
        rest = tail;
        (!object.is_empty()).then_some((key, object))
    })
}

/// A C header with an array of bytes; the first line has `comment` in braces, as in ShaderMake's headers.
pub fn header(variable: &str, comment: &str, bytes: &[u8]) -> String {
    let mut out = format!("// {{{}}}\nconst uint8_t {variable}[] = {{", comment.replace(['\n', '\r'], " "));
    for line in bytes.chunks(32) {
        out.push_str("\n    ");
        line.iter().for_each(|b| out.push_str(&format!("{b},")));
    }
    out.push_str("\n};\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read() {
        let b = blob([("A=1", &b"xy"[..]), ("A=2 B", b"z")]).expect("it is small");
        assert_eq!(&b[..17], b"NVSP\x03\0\0\0\x02\0\0\0A=1xy");
        let all: Vec<_> = permutations(&b).collect();
        assert_eq!(all, [(&b"A=1"[..], &b"xy"[..]), (b"A=2 B", b"z")]);
        assert!(blob([("", &b""[..])]).is_none());
        for cut in 0..b.len() {
            assert!(permutations(&b[..cut]).count() < 2);
        }
        assert_eq!(permutations(b"NVSP\xff\xff\xff\xff\xff\xff\xff\xff").count(), 0);
        assert_eq!(header("g_a", "A=1", b"\x01\xff"), "// {A=1}\nconst uint8_t g_a[] = {\n    1,255,\n};\n");
    }
}
