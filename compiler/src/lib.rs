//! rtc as a library: ray-tracing HLSL to DXIL containers, SPIR-V and runtime packages.
//!
//! ```
//! use rtc::{Options, Profile, Target};
//!
//! let source = r#"
//!     struct Payload { float3 color; };
//!     [shader("miss")] void Sky(inout Payload p) { p.color = WorldRayDirection(); }
//! "#;
//! let mut options = Options::new(Profile::parse("lib_6_3")?);
//! options.target = Target::Dxil;
//! let done = rtc::compile("sky.hlsl", source.as_bytes(), &mut rtc::NoIncludes, &options);
//! let container = done.product.expect("it compiles").into_bytes();
//! assert_eq!(&container[..4], b"DXBC");
//! # Ok::<(), String>(())
//! ```
//!
//! [`compile`] is a pure function of its arguments (files come through [`Includes`]); it may be called from many threads at
//! once. Bad input gives diagnostics, never a panic.

pub mod container;
pub mod dis;
pub mod error;
pub mod exports;
pub mod intrinsics;
pub mod link;
pub mod options;
pub mod outputs;
pub mod paq;
mod payloads;
mod pipeline;
pub mod reflect;
pub mod report;
pub mod rootsig;
pub mod validate;
pub mod warnings;

pub use error::{FileError, OptionError};
pub use options::{Argument, DescriptorBinding, OptLevel, Options, PayloadLayout, Profile, ProfileKind, Ser, Target, Warnings};
pub use pipeline::{Compilation, DebugOutput, Product, compile, preprocess};
pub use rtc_base::render::{Style, render};
pub use rtc_base::{Diagnostic, Severity, SourceMap};
pub use rtc_dxil_container::Version;
pub use rtc_dxil_container::debug_module::{DebugKind, DebugOptions, NamedBy, SourceInfo};
pub use rtc_frontend::lower::BufferLayout;
pub use rtc_frontend::preprocess::{Both, Callback, Define, Disk, Includes, NoIncludes, Virtual};
pub use rtc_ir::{self as ir, Denormals};
pub use rtc_passes as passes;
pub use rtc_rootsig::RootVersion;
pub use rtc_spirv::{RegisterBinding, Shifts};
pub use rtc_tables::resources::ResourceClass;
