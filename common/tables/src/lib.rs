//! The tables: every fact about the language and the targets that more than one crate uses, once, as const rows.
//!
//! Each row is one line of plain const Rust. What can be derived from rows is a function; what must agree between tables is
//! checked by the join tests in `tests/`.
//!
//! **The language.** [`intrinsics`] (signatures, stages, checks, lowering), [`types`] (names of built-in types), [`stages`] (shader
//! stages and the sets of stages that rules refer to), [`signature`] (semantics of stage inputs and outputs), [`vk_builtins`] (those that are
//! built-in variables of Vulkan), [`attributes`] and [`vk_attributes`] (what attributes are written on and what they say), [`subobjects`] (the values of
//! each type), [`ray_flags`], [`barriers`], [`limits`], [`foreign`] (names of other
//! languages, for suggestions), [`diagnostics`] (code, severity and group of every diagnostic).
//!
//! **The IR.** [`insts`]: opcodes with operand rules and effects. [`resources`]: resource kinds and flags. [`raytracing`]: the stages,
//! DXIL operation and SPIR-V instructions of each ray-tracing instruction. [`payload_access`]: stages and rules of payload access
//! qualifiers. [`hit_objects`]: defaults of nop and miss hit objects. [`linalg`]: matrices of shader model 6.10, and the rules of their operations.
//!
//! **The targets.** [`dxil_ops`] and [`llvm_insts`] (DXIL), [`features`] (SPIR-V capabilities and extensions with their Vulkan
//! features), [`misread_types`] (types that a driver gets wrong), [`validation`] (rules of the DXIL validator), [`hit_lowering`] (the layout of shader tables of lowered hit objects), [`wavefront`]
//! (how stages of ray generation shaders and the host that sorts rays meet), [`reorder_cost`] (what moving rays to other threads costs).
//!
//! To read the crate, begin with a table whose subject you know, such as [`stages`] or [`ray_flags`]; then [`insts`], the language of
//! all passes, and [`intrinsics`]. `facts/` has the lists of the reference compiler and of registries that tests compare rows with.
//!
//! # Example
//!
//! ```
//! use rtc_tables::intrinsics::{Scope, find};
//! use rtc_tables::stages::Stage;
//!
//! let trace = find(Scope::Free, "TraceRay").next().expect("the row exists");
//! assert!(trace.stages.has(Stage::RayGeneration) && !trace.stages.has(Stage::AnyHit));
//! assert_eq!(trace.shader_model, 3);
//! ```
//!
//! What is *not* here: algorithms. A pass or a back end decides; the tables tell it what is legal.

pub mod attributes;
pub mod barriers;
pub mod devices;
pub mod diagnostics;
pub mod dxil_ops;
pub mod features;
pub mod foreign;
pub mod hit_lowering;
pub mod hit_objects;
pub mod identifiers;
pub mod inline_spirv;
pub mod insts;
pub mod intrinsics;
pub mod limits;
pub mod linalg;
pub mod llvm_insts;
pub mod misread_types;
pub mod payload_access;
pub mod pipeline;
pub mod ray_flags;
pub mod raytracing;
pub mod reference;
pub mod reorder_cost;
pub mod resources;
pub mod signature;
pub mod spirv_debug;
pub mod stages;
pub mod subobjects;
pub mod tex_offset;
pub mod types;
pub mod validation;
pub mod vk_attributes;
pub mod vk_builtins;
pub mod wavefront;
