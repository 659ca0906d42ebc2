//! The CPU device from outside: what its sanitizer finds, what it refuses, DXIL as other compilers write it, what ends groups, what it draws,
//! what structures shaders have a part in, what sampling leaves behind.
//!
//! Without the cargo feature `cpu` every test here is skipped, and said to be.

#[cfg(feature = "cpu")]
mod feedback;
#[cfg(feature = "cpu")]
mod groups;
#[cfg(feature = "cpu")]
mod mistakes;
#[cfg(feature = "cpu")]
mod modules;
#[cfg(feature = "cpu")]
mod pictures;
#[cfg(feature = "cpu")]
mod refusals;
#[cfg(feature = "cpu")]
mod shader;
#[cfg(feature = "cpu")]
#[path = "../shared/mod.rs"]
mod shared;
#[cfg(feature = "cpu")]
mod structures;

#[cfg(not(feature = "cpu"))]
#[test]
fn the_cpu_device() {
    rtc_oracles::skip::skip("built without the CPU device: LLVM 19 was not there to build with");
}
