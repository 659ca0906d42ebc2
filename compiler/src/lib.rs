//! rtc as a library: compiles ray-tracing HLSL to DXIL containers, SPIR-V modules and runtime packages.
//!
//! # Compiling
//!
//! [`compile`] takes the text of a source and [`Options`] and returns a [`Compilation`]: the product, the diagnostics, and
//! whatever else the options request.
//!
//! ```
//! use rtc::{NoIncludes, Options, Profile, Target};
//!
//! let source = r#"
//!     struct Payload { float3 color; };
//!     [shader("miss")] void Sky(inout Payload p) { p.color = WorldRayDirection(); }
//! "#;
//! let mut options = Options::new(Profile::parse("lib_6_3")?);
//! options.target = Target::Dxil;
//! let compilation = rtc::compile("sky.hlsl", source.as_bytes(), &mut NoIncludes, &options);
//! let container = compilation.product.expect("it compiles").into_bytes();
//! assert_eq!(&container[..4], b"DXBC");
//! # Ok::<(), rtc::OptionError>(())
//! ```
//!
//! [`compile`] is a pure function of its arguments and may be called from several threads at once. Invalid input gives diagnostics,
//! never a panic.
//!
//! # Diagnostics
//!
//! A [`Diagnostic`] has a stable code, a severity, a message, labelled spans, notes and fixes. [`render`] formats it in one of three
//! [`Style`]s: with source excerpts, in one line as dxc, or as JSON. `-W` options are in [`Options::warnings`].
//!
//! ```
//! use rtc::{NoIncludes, Options, Profile, Style};
//!
//! let options = Options::new(Profile::parse("lib_6_6")?);
//! let compilation = rtc::compile("a.hlsl", b"float f() { return b; }", &mut NoIncludes, &options);
//! assert!(compilation.failed());
//! let text = rtc::render(&compilation.sources, &compilation.diagnostics[0], Style::Short);
//! assert!(text.starts_with("a.hlsl:1:20: error: use of undeclared identifier `b`"));
//! # Ok::<(), rtc::OptionError>(())
//! ```
//!
//! # Includes
//!
//! Files come through the trait [`Includes`]: from the [`Disk`], from memory ([`Virtual`]), from a [`Callback`], from two of them in
//! order ([`Both`]), or not at all ([`NoIncludes`]).
//!
//! # Targets
//!
//! [`Target`] selects the product. [`Target::Package`] is SPIR-V with the runtime data of a DXIL library and the Vulkan bindings;
//! [`reflect::reflect`] shows it as JSON, like the runtime data of DXIL libraries of any compiler.
//!
//! ```
//! use rtc::{NoIncludes, Options, Profile, Target};
//!
//! let source = r#"[shader("raygeneration")] void Start() {}"#;
//! let mut options = Options::new(Profile::parse("lib_6_6")?);
//! options.target = Target::Package;
//! let package = rtc::compile("a.hlsl", source.as_bytes(), &mut NoIncludes, &options).product.expect("it compiles");
//! let json = rtc::reflect::reflect(&package.into_bytes()).expect("a valid package");
//! assert!(json.contains("\"name\": \"Start\""));
//! # Ok::<(), rtc::OptionError>(())
//! ```
//!
//! # Other operations
//!
//! | module | operation |
//! |---|---|
//! | [`arguments`] | reads the command line of dxc: [`Options::parse_args`] |
//! | [`link`] | links DXIL libraries |
//! | [`dis`] | disassembles containers, PDBs, packages and SPIR-V |
//! | [`assemble`] | makes containers of modules in text or bitcode |
//! | [`container`] | lists, extracts and replaces parts of containers |
//! | [`validate`] | validates DXIL containers |
//! | [`rootsig`] | reads and checks root signatures |
//! | [`paq`] | infers payload access qualifiers and writes them into sources |
//! | [`report`] | reorder points and payload liveness as text, JSON, HTML |
//! | [`intrinsics`] | the list of intrinsics |
//!
//! The folder `examples/` has complete programs.

pub mod arguments;
pub mod assemble;
mod binding_table;
mod compilation;
pub mod container;
mod dependencies;
pub mod dis;
pub mod error;
pub mod exports;
mod front_end;
pub mod intrinsics;
pub mod link;
pub mod options;
pub mod output_files;
pub mod outputs;
pub mod paq;
mod payloads;
mod pipeline;
mod preprocess;
pub mod reflect;
mod reflect_spirv;
mod reflect_stage;
pub mod report;
mod root_signatures;
pub mod rootsig;
mod run_passes;
mod targets;
pub mod times;
pub mod validate;
pub mod warnings;

pub use compilation::{Compilation, DebugOutput, Product, SpirvModule, SpirvRequirement};
pub use error::{FileError, OptionError};
pub use options::{
    Argument, DescriptorBinding, HostHitGroup, OptLevel, Options, PayloadLayout, Profile, ProfileKind, Ser, Target, Warnings,
};
pub use pipeline::compile;
pub use preprocess::preprocess;
pub use rtc_base::render::{Style, render};
pub use rtc_base::{Diagnostic, Severity, SourceMap};
pub use rtc_dxil_container::Version;
pub use rtc_dxil_container::debug_module::{DebugKind, DebugOptions, NamedBy, SourceInfo};
pub use rtc_frontend::lex::decode;
pub use rtc_frontend::lower::BufferLayout;
pub use rtc_frontend::preprocess::{Both, Callback, Define, Disk, Includes, NoIncludes, Virtual};
pub use rtc_ir::{self as ir, Denormals};
pub use rtc_passes as passes;
pub use rtc_rootsig::RootVersion;
pub use rtc_spirv::{Content as SpirvDebug, Environment, RegisterBinding, Shifts};
pub use rtc_tables::flags;
pub use rtc_tables::resources::ResourceClass;
