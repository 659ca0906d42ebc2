//! Every fact about the language and the targets, once, as const rows.
//!
//! One row, one line, plain const Rust. What can be derived is derived by a function; what must agree
//! is checked by the join tests in `tests/`.

pub mod barriers;
pub mod diagnostics;
pub mod dxil_ops;
pub mod features;
pub mod foreign;
pub mod hit_lowering;
pub mod hit_objects;
pub mod insts;
pub mod intrinsics;
pub mod limits;
pub mod llvm_insts;
pub mod payload_access;
pub mod ray_flags;
pub mod raytracing;
pub mod resources;
pub mod stages;
pub mod types;
pub mod validation;
