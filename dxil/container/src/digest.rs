//! Digests: MD5 (RFC 1321) for `HASH`, and the container digest, which runs the same block function
//! under a different ending.
//!
//! The container digest covers everything after itself (from byte 20). Its last block carries the bit
//! count *first* and a second word derived from the length *last*, where MD5 has a 64-bit bit count.

use super::HEADER_SIZE;

/// Which digest a writer puts into the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signing {
    /// The computed one: the container is valid for a released shader model.
    Digest,
    /// The computed one in the variant that marks debug builds of the signing tool.
    DebugDigest,
    /// Sixteen times 2: a shader model that is not released yet.
    Preview,
    /// Zeros: unsigned content (`-Vd`).
    Unsigned,
}

/// What a stored digest says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DigestState {
    /// It matches the content.
    Valid,
    /// It matches the content, in the variant that marks debug builds of the signing tool.
    ValidDebug,
    /// Sixteen times 2: a preview shader model, not checked.
    Preview,
    /// Zeros: unsigned.
    Unsigned,
    /// It belongs to different content.
    Mismatch,
}

/// First byte that the container digest covers.
const COVERED_FROM: usize = 20;

const INIT: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// Rotations, four for each of the four passes over a block.
const ROTATE: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// `floor(2^32 * |sin(i + 1)|)`.
#[rustfmt::skip]
const SINE: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

fn block(state: &mut [u32; 4], bytes: &[u8; 64]) {
    let mut words = [0u32; 16];
    for (w, b) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *w = u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    }
    let [mut a, mut b, mut c, mut d] = *state;
    // One loop for each pass, so that the compiler unrolls them and all indices are constants.
    macro_rules! pass {
        ($round:literal, $mix:expr, $word:expr) => {
            for i in 0..16 {
                let (mix, word): (u32, usize) = ($mix(b, c, d), $word(i));
                let sum = a.wrapping_add(mix).wrapping_add(SINE[16 * $round + i]).wrapping_add(words[word % 16]);
                (a, d, c) = (d, c, b);
                b = b.wrapping_add(sum.rotate_left(ROTATE[$round][i % 4]));
            }
        };
    }
    pass!(0, |b: u32, c: u32, d: u32| (b & c) | (!b & d), |i| i);
    pass!(1, |b: u32, c: u32, d: u32| (d & b) | (!d & c), |i| 5 * i + 1);
    pass!(2, |b: u32, c: u32, d: u32| b ^ c ^ d, |i| 3 * i + 5);
    pass!(3, |b: u32, c: u32, d: u32| c ^ (b | !d), |i| 7 * i);
    for (s, v) in state.iter_mut().zip([a, b, c, d]) {
        *s = s.wrapping_add(v);
    }
}

/// Runs all whole blocks; the rest comes back.
fn whole_blocks<'a>(state: &mut [u32; 4], data: &'a [u8]) -> &'a [u8] {
    let (blocks, tail) = data.as_chunks::<64>();
    for b in blocks {
        block(state, b);
    }
    tail
}

fn to_bytes(state: [u32; 4]) -> [u8; 16] {
    let mut out = [0; 16];
    for (o, s) in out.chunks_exact_mut(4).zip(state) {
        o.copy_from_slice(&s.to_le_bytes());
    }
    out
}

/// Plain MD5 of `data`.
pub fn md5(data: &[u8]) -> [u8; 16] {
    let mut state = INIT;
    let tail = whole_blocks(&mut state, data);
    let mut last = [0u8; 64];
    last[..tail.len()].copy_from_slice(tail);
    last[tail.len()] = 0x80;
    if tail.len() >= 56 {
        block(&mut state, &last);
        last = [0; 64];
    }
    last[56..].copy_from_slice(&(data.len() as u64).wrapping_mul(8).to_le_bytes());
    block(&mut state, &last);
    to_bytes(state)
}

/// The digest of what follows the digest in a container. Lengths are taken modulo 2^32, as there.
fn covered(data: &[u8], debug: bool) -> [u8; 16] {
    let n = data.len() as u32;
    let (first, second) = if debug { (n << 4 | 0xf, n << 2 | 0x1000_0000) } else { (n << 3, n << 1 | 1) };
    let mut state = INIT;
    let tail = whole_blocks(&mut state, data);
    let mut last = [0u8; 64];
    if tail.len() < 56 {
        last[4..4 + tail.len()].copy_from_slice(tail);
        last[4 + tail.len()] = 0x80;
    } else {
        last[..tail.len()].copy_from_slice(tail);
        last[tail.len()] = 0x80;
        block(&mut state, &last);
        last = [0; 64];
    }
    last[..4].copy_from_slice(&first.to_le_bytes());
    last[60..].copy_from_slice(&second.to_le_bytes());
    block(&mut state, &last);
    to_bytes(state)
}

/// The digest that belongs into the header of this container (whatever it holds now).
///
/// `container` shorter than a header yields the digest of nothing.
pub fn container_digest(container: &[u8]) -> [u8; 16] {
    covered(container.get(COVERED_FROM..).unwrap_or_default(), false)
}

/// Puts a digest into a container's header.
///
/// Does nothing to bytes that are shorter than a container header.
pub fn sign(container: &mut [u8], signing: Signing) {
    if container.len() < HEADER_SIZE {
        return;
    }
    let digest = match signing {
        Signing::Digest => container_digest(container),
        Signing::DebugDigest => covered(&container[COVERED_FROM..], true),
        Signing::Preview => [2; 16],
        Signing::Unsigned => [0; 16],
    };
    container[4..COVERED_FROM].copy_from_slice(&digest);
}

/// What the digest in a container's header says about its content.
pub fn state(container: &[u8]) -> DigestState {
    let Some(stored) = container.get(4..COVERED_FROM) else {
        return DigestState::Mismatch;
    };
    let content = &container[COVERED_FROM..];
    if stored == [0; 16] {
        DigestState::Unsigned
    } else if stored == [2; 16] {
        DigestState::Preview
    } else if stored == covered(content, false) {
        DigestState::Valid
    } else if stored == covered(content, true) {
        DigestState::ValidDebug
    } else {
        DigestState::Mismatch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(d: [u8; 16]) -> String {
        d.iter().map(|b| format!("{b:02x}")).collect()
    }

    #[test]
    fn md5_of_the_rfc_examples() {
        assert_eq!(hex(md5(b"")), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex(md5(b"abc")), "900150983cd24fb0d6963f7d28e17f72");
        let digits = "1234567890".repeat(8);
        assert_eq!(hex(md5(digits.as_bytes())), "57edf4a22be3c955ac49da2e2107b67a");
    }

    #[test]
    fn every_tail_length_has_its_own_digest() {
        let data = [0u8; 200];
        let mut seen = std::collections::HashSet::new();
        for n in 0..data.len() {
            assert!(seen.insert(covered(&data[..n], false)), "length {n}");
            assert!(seen.insert(covered(&data[..n], true)), "length {n}");
            assert!(seen.insert(md5(&data[..n])), "length {n}");
        }
    }
}
