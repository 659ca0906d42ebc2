//! Tests of the CPU device through its public API: findings of the sanitizer, rejected programs, DXIL of other compilers, thread groups, images,
//! acceleration structures that shaders write, sampler feedback.
//!
//! Without the cargo feature `cpu` every test is skipped and reported as such.

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
