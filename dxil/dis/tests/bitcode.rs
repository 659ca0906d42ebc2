//! Bitcode against the reference compiler's: everything it writes is read, written again and read
//! again as the same; and damaged bitcode is refused, never worse.

mod common;

use rtc_dxil_dis as dis;
use rtc_dxil_module::Module;
use rtc_dxil_module::bitcode;
use rtc_tables::dxil_ops::op;

const PARTS: [&[u8; 4]; 3] = [b"DXIL", b"ILDB", b"STAT"];

/// Calls `f` with the name and the bitcode of each part of the containers that has some.
fn each(containers: &[(String, Vec<u8>)], mut f: impl FnMut(&str, &[u8])) {
    for (name, container) in containers {
        for part in PARTS {
            if let Some(bytes) = common::bitcode(container, part) {
                f(&format!("{name} {}", String::from_utf8_lossy(part)), bytes);
            }
        }
    }
}

#[test]
fn what_the_reference_compiler_wrote_comes_back() {
    each(&common::containers(), |name, bytes| {
        let first = bitcode::read(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        let written = bitcode::write(&first);
        let second = bitcode::read(&written).unwrap_or_else(|e| panic!("{name}, ours: {e}"));
        assert_eq!(bitcode::write(&second), written, "{name}: written twice, two results");
        assert_eq!(dis::module_text(&first), dis::module_text(&second), "{name}");
        assert!(written.len() <= bytes.len(), "{name}: larger than the reference");
        assert_eq!(written.len() % 4, 0, "{name}");
    });
}

/// Reads, and on success prints and, if requested, writes: none of it may panic.
fn survives(bytes: &[u8], use_it: bool) -> bool {
    match bitcode::read(bytes) {
        Ok(module) => {
            if use_it {
                dis::module_text(&module);
                bitcode::write(&module);
            }
            true
        }
        Err(error) => {
            assert!(error.bit() <= bytes.len() as u64 * 8 + 64, "{error}");
            false
        }
    }
}

#[test]
fn cut_off_anywhere_it_is_an_error() {
    let mut module = Module::new();
    let void = module.types.void();
    let ty = module.types.function(void, &[]);
    let func = module.add_function("main", ty);
    let mut b = module.define(func);
    b.dx_call(op::IGNORE_HIT, &[], &[]);
    b.unreachable();
    let bytes = bitcode::write(&module);
    for len in 0..bytes.len() {
        assert!(!survives(&bytes[..len], true), "{len} of {} bytes are enough", bytes.len());
    }
    assert!(survives(&bytes, true));
}

#[test]
fn damaged_bits_never_panic() {
    let mut inputs = Vec::new();
    each(&common::containers(), |_, bytes| inputs.push(bytes.to_vec()));
    inputs.sort_by_key(Vec::len);
    inputs.truncate(6);
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut fine = 0;
    for round in 0..20_000 {
        let at = random(inputs.len());
        let mut bytes = inputs[at].clone();
        for _ in 0..1 + round % 3 {
            let bit = random(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        fine += usize::from(survives(&bytes, round % 4 == 0));
    }
    // Many bits are text or numbers, where any value will do.
    assert!(fine > 100, "only {fine} of the damaged modules could be read");
}

#[test]
fn no_bitcode_is_said_to_be_none() {
    for bytes in [&b""[..], b"BC", b"not bitcode at all", &[0; 64]] {
        let error = bitcode::read(bytes).expect_err("it is none").to_string();
        assert!(error.contains("no bitcode"), "{error}");
    }
    let error = bitcode::read(&bitcode::MAGIC).expect_err("it is empty");
    assert!(error.what().contains("no module"), "{error}");
}
