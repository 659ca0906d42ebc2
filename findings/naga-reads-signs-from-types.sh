#!/usr/bin/env bash
# naga takes the sign of SPIR-V's integer operations from the types of their operands.
#
# SPIR-V lets `OpSDiv`, `OpSLessThan`, `OpShiftRightArithmetic`, `OpConvertSToF` and `SMin` have operands of either signedness: the operation says how they
# are read. What one expects of a translator: a cast where type and operation differ. naga 30.0.0 writes unsigned division, `min`, shifts and
# conversions into WGSL, without an error or a warning, and casts for the comparison alone; the module is valid (and stays so after naga's validator).
#
# Guess written down first: "naga casts the operands of all of them to i32".
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir src
cat > Cargo.toml <<'T'
[package]
name = "signs"
version = "0.0.0"
edition = "2021"
[dependencies]
naga = { version = "=30.0.0", features = ["spv-in", "wgsl-out"] }
[profile.dev]
opt-level = 0
debug = false
T
cat > src/main.rs <<'T'
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// One instruction: opcode and operands.
fn put(out: &mut Vec<u32>, op: u32, operands: &[u32]) {
    out.push(((operands.len() as u32 + 1) << 16) | op);
    out.extend_from_slice(operands);
}

fn text(s: &str) -> Vec<u32> {
    let mut b = s.as_bytes().to_vec();
    b.push(0);
    b.resize(b.len().next_multiple_of(4), 0);
    b.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

fn main() {
    let [void, f, main, label, uint, array, block, ptr_block, data, ptr, zero, three, glsl, float, boolean, a] = std::array::from_fn(|n| n as u32 + 1);
    let ids: Vec<u32> = (17..60).collect();
    let mut w = vec![0x0723_0203, 0x0001_0300, 0, 60, 0];
    put(&mut w, 17, &[1]); // Shader
    put(&mut w, 11, &[&[glsl][..], &text("GLSL.std.450")].concat());
    put(&mut w, 14, &[0, 1]);
    put(&mut w, 15, &[&[5, main][..], &text("main")].concat());
    put(&mut w, 16, &[main, 17, 1, 1, 1]);
    put(&mut w, 71, &[array, 6, 4]); // ArrayStride
    put(&mut w, 71, &[block, 2]); // Block
    put(&mut w, 72, &[block, 0, 35, 0]); // Offset
    put(&mut w, 71, &[data, 34, 0]);
    put(&mut w, 71, &[data, 33, 0]);
    put(&mut w, 19, &[void]);
    put(&mut w, 33, &[f, void]);
    put(&mut w, 21, &[uint, 32, 0]);
    put(&mut w, 22, &[float, 32]);
    put(&mut w, 20, &[boolean]);
    put(&mut w, 29, &[array, uint]);
    put(&mut w, 30, &[block, array]);
    put(&mut w, 32, &[ptr_block, 12, block]);
    put(&mut w, 32, &[ptr, 12, uint]);
    put(&mut w, 59, &[ptr_block, data, 12]);
    put(&mut w, 43, &[uint, zero, 0]);
    put(&mut w, 43, &[uint, three, 3]);
    put(&mut w, 54, &[void, main, 0, f]);
    put(&mut w, 248, &[label]);
    let at = ids[0];
    put(&mut w, 65, &[ptr, at, data, zero, zero]);
    put(&mut w, 61, &[uint, a, at]);
    let [q, s, m, c, bits, less, chosen] = std::array::from_fn(|n| ids[n + 1]);
    put(&mut w, 135, &[uint, q, a, three]); // OpSDiv
    put(&mut w, 195, &[uint, s, a, three]); // OpShiftRightArithmetic
    put(&mut w, 12, &[uint, m, glsl, 39, a, three]); // SMin
    put(&mut w, 111, &[float, c, a]); // OpConvertSToF
    put(&mut w, 124, &[uint, bits, c]);
    put(&mut w, 177, &[boolean, less, a, three]); // OpSLessThan
    put(&mut w, 169, &[uint, chosen, less, a, three]);
    for x in [q, s, m, bits, chosen] {
        put(&mut w, 62, &[at, x]);
    }
    put(&mut w, 253, &[]);
    put(&mut w, 56, &[]);
    let bytes: Vec<u8> = w.iter().flat_map(|w| w.to_le_bytes()).collect();
    let module = naga::front::spv::parse_u8_slice(&bytes, &Default::default()).expect("naga reads it");
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).expect("naga accepts it");
    println!("{}", naga::back::wgsl::write_string(&module, &info, naga::back::wgsl::WriterFlags::empty()).expect("WGSL"));
}
T
cargo build -q 2>&1
target/debug/signs | tee out.wgsl
# Unsigned: no operand of these is an i32.
grep -qF '(_e5 / 3u)' out.wgsl
grep -qF '(_e5 >> bitcast<u32>(3u))' out.wgsl
grep -qF 'min(_e5, 3u)' out.wgsl
grep -qF 'f32(_e5)' out.wgsl
# Signed: the comparison.
grep -qF '(bitcast<i32>(_e5) < bitcast<i32>(3u))' out.wgsl
echo "naga 30.0.0: as described"
