//! Random HLSL programs, compiled in several ways, executed and compared.
//!
//! [`generate`] makes a program of a sequence of [`choices`]; every sequence gives a well-defined program. [`run`] compiles it with rtc
//! (with and without optimisation, DXIL and SPIR-V) and with the reference compiler, executes all of it on the CPU device and on Vulkan, and
//! compares the words that it writes. [`reduce`] makes a program smaller whose results differ. [`signatures`] compares what both compilers store
//! for random inputs and outputs of graphics stages. [`payloads`] compares ray-tracing libraries with a model of the specification's rules. [`gpu_bench`] puts scenes, our packages and the reference's modules together for the benchmark on GPUs.

pub mod choices;
pub mod compile;
pub mod devices;
pub mod generate;
pub mod gpu_bench;
pub mod interfaces;
pub mod payloads;
pub mod rebind;
pub mod reduce;
pub mod run;
pub mod signatures;
