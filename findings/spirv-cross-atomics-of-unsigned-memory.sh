#!/usr/bin/env bash
# SPIRV-Cross takes the sign of atomic minima and maxima from the type of the memory, but for Metal.
#
# `OpAtomicSMin` on memory of an unsigned type is valid SPIR-V: the operation says that the numbers are signed. SPIRV-Cross (with the crate spirv-cross2
# 0.7.2) casts the operands of a signed division of unsigned numbers everywhere. Of the atomic minimum the Metal back end casts the address to
# `atomic_int`; the GLSL and HLSL back ends write the unsigned minimum, with no error and no warning.
#
# Guess written down first: "as for `OpSDiv` all back ends cast, or they report what they cannot say".
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir src
cat > Cargo.toml <<'T'
[package]
name = "atomics"
version = "0.0.0"
edition = "2021"
[dependencies]
spirv-cross2 = { version = "=0.7.2", features = ["full"] }
[profile.dev]
debug = false
T
cat > src/main.rs <<'T'
use spirv_cross2::{compile::CompilableTarget, targets, Compiler, Module};

/// One instruction: opcode and operands.
fn put(out: &mut Vec<u32>, op: u32, operands: &[u32]) {
    out.push(((operands.len() as u32 + 1) << 16) | op);
    out.extend_from_slice(operands);
}

fn show<T: CompilableTarget>(name: &str, words: &[u32]) {
    let compiler = Compiler::<T>::new(Module::from_words(words)).expect("it is read");
    println!("== {name}\n{}", compiler.compile(&T::options()).expect("it is translated"));
}

fn main() {
    let [void, f, main, label, uint, array, block, ptr_block, data, ptr, zero, three, a, at, q, old, one] = std::array::from_fn(|n| n as u32 + 1);
    let mut w = vec![0x0723_0203, 0x0001_0300, 0, 40, 0];
    put(&mut w, 17, &[1]); // Shader
    put(&mut w, 14, &[0, 1]);
    put(&mut w, 15, &[5, main, u32::from_le_bytes(*b"main"), 0]);
    put(&mut w, 16, &[main, 17, 1, 1, 1]);
    put(&mut w, 71, &[array, 6, 4]); // ArrayStride
    put(&mut w, 71, &[block, 2]); // Block
    put(&mut w, 72, &[block, 0, 35, 0]); // Offset
    put(&mut w, 71, &[data, 34, 0]);
    put(&mut w, 71, &[data, 33, 0]);
    put(&mut w, 19, &[void]);
    put(&mut w, 33, &[f, void]);
    put(&mut w, 21, &[uint, 32, 0]);
    put(&mut w, 29, &[array, uint]);
    put(&mut w, 30, &[block, array]);
    put(&mut w, 32, &[ptr_block, 12, block]);
    put(&mut w, 32, &[ptr, 12, uint]);
    put(&mut w, 59, &[ptr_block, data, 12]);
    put(&mut w, 43, &[uint, zero, 0]);
    put(&mut w, 43, &[uint, three, 3]);
    put(&mut w, 43, &[uint, one, 1]);
    put(&mut w, 54, &[void, main, 0, f]);
    put(&mut w, 248, &[label]);
    put(&mut w, 65, &[ptr, at, data, zero, zero]);
    put(&mut w, 61, &[uint, a, at]);
    put(&mut w, 135, &[uint, q, a, three]); // OpSDiv
    put(&mut w, 236, &[uint, old, at, one, zero, q]); // OpAtomicSMin
    put(&mut w, 253, &[]);
    put(&mut w, 56, &[]);
    show::<targets::Glsl>("GLSL", &w);
    show::<targets::Hlsl>("HLSL", &w);
    show::<targets::Msl>("Metal", &w);
}
T
cargo build -q 2>&1
target/debug/atomics | tee out.txt
# The operand of the division is signed everywhere.
[ "$(grep -c 'uint(int(.*) / int(3u))' out.txt)" = 3 ]
# Unsigned minima: memory and operand are uint.
grep -q 'uint _16 = atomicMin(_9._m0\[0u\], uint(' out.txt
grep -q '_9.InterlockedMin(0, uint(' out.txt
# A signed one.
grep -q 'atomic_fetch_min_explicit((device atomic_int\*)' out.txt
echo "SPIRV-Cross of spirv-cross2 0.7.2: as described"
