//! rtc as a library: compiles HLSL to DXIL containers, SPIR-V modules and runtime packages.
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
//! # Many compilations
//!
//! A [`Session`] shares what compilations have in common: each included file is read once, and each text is lexed once. Sessions are cheap
//! to clone and work on several threads at once. A [`Job`] of a session has limits, can be cancelled and tells its progress; a panic of the
//! compiler does not leave it ([`Stopped`]). [`Options::fingerprint`] and the inclusions of a [`Compilation`] are the key of a cache of compiled
//! shaders.
//!
//! ```
//! use rtc::{Define, Options, Profile, Session, Virtual};
//! use std::time::Duration;
//!
//! let session = Session::new(Virtual::new([("half.hlsli", "float half_of(float x) { return x / 2; }")]));
//! let source = r#"
//!     #include "half.hlsli"
//!     RWByteAddressBuffer Out;
//!     [numthreads(1, 1, 1)] void main() { Out.Store(0, asuint(half_of(QUALITY))); }
//! "#;
//! let mut options = Options::new(Profile::parse("cs_6_6")?);
//! for quality in ["QUALITY=1", "QUALITY=2", "QUALITY=3"] {
//!     options.defines = vec![Define::parse(quality)];
//!     let job = session.job().time_limit(Duration::from_secs(60));
//!     let compilation = job.compile("main.hlsl", source.as_bytes(), &options)?;
//!     assert_eq!(compilation.includes[0].path, "half.hlsli");
//! }
//! assert_eq!(session.statistics().reads, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`compile_entries`] and [`Session::compile_entries`] compile several entry points of one source, which is parsed once.
//!
//! # Includes
//!
//! Files come through the trait [`Includes`], or [`Files`] where several threads read: from the [`Disk`], from memory ([`Virtual`]), from a
//! [`Callback`], from two of them in order ([`Both`]), or not at all ([`NoIncludes`]).
//!
//! # Targets and reflection
//!
//! [`Target`] selects the product. [`Target::Package`] is SPIR-V with the runtime data of a DXIL library and the Vulkan bindings.
//! [`reflect::reflection`] gives the [`Reflection`](reflection::Reflection) of a product, and of compiled files of any compiler, as typed
//! structures, which serde makes JSON of.
//!
//! ```
//! use rtc::{NoIncludes, Options, Profile, Target};
//!
//! let source = r#"RWByteAddressBuffer Out : register(u3); [shader("raygeneration")] void Start() { Out.Store(0, 1); }"#;
//! let mut options = Options::new(Profile::parse("lib_6_6")?);
//! options.target = Target::Package;
//! let package = rtc::compile("a.hlsl", source.as_bytes(), &mut NoIncludes, &options).product.expect("it compiles");
//! let reflection = rtc::reflect::reflection(&package.into_bytes())?;
//! assert_eq!(reflection.functions[0].name, "Start");
//! assert_eq!((reflection.resources[0].name.as_str(), reflection.resources[0].register), ("Out", 3));
//! assert_eq!(reflection.vulkan.expect("it is a package").bindings.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The command line
//!
//! [`Options::parse_args`] reads arguments of dxc and says what they ask for; the command `rtc` prints what this library answers.
//!
//! ```
//! use rtc::arguments::Invocation;
//! use rtc::{NoIncludes, Options};
//!
//! let arguments = ["-T", "cs_6_6", "-E", "Fill", "-D", "N=4", "-Fo", "fill.dxil", "-Fc", "fill.txt", "fill.hlsl"];
//! let Invocation::Compile(request) = Options::parse_args(arguments, &mut NoIncludes)? else { unreachable!("a source is compiled") };
//! let source = "RWByteAddressBuffer Out; [numthreads(N, 1, 1)] void Fill(uint n : SV_GroupIndex) { Out.Store(n * 4, n); }";
//! let c = rtc::compile(&request.source, source.as_bytes(), &mut NoIncludes, &request.options);
//! let made = request.outputs.of_product(c.product.expect("it compiles"), c.outputs.as_ref(), None)?;
//! let names: Vec<&str> = made.files.iter().map(|f| f.0.as_str()).collect();
//! assert_eq!(names, ["fill.dxil", "fill.txt"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Other operations
//!
//! | module | operation |
//! |---|---|
//! | [`arguments`] | reads the command line of dxc: [`Options::parse_args`] |
//! | [`session`] | many compilations, limits, cancellation |
//! | [`analysis`] | trees, types and the index of names of a source, correct or not, for editors |
//! | [`memory`] | an allocator that counts, for limits of memory |
//! | [`link`] | links DXIL libraries |
//! | [`dis`] | disassembles containers, PDBs, packages and SPIR-V |
//! | [`assemble`] | makes containers of modules in text or bitcode |
//! | [`container`] | lists, extracts and replaces parts of containers |
//! | [`validate`] | validates DXIL containers |
//! | [`rootsig`] | reads and checks root signatures |
//! | [`paq`] | infers payload access qualifiers and writes them into sources |
//! | [`report`] | reorder points and payload liveness as text, JSON, HTML |
//! | [`intrinsics`] | the list of intrinsics |
//! | [`words`] | the words of a source by kind, for pages that colour it |
//!
//! The folder `examples/` has complete programs. `bindings/c/` has the same with a C interface.

pub mod analysis;
pub mod arguments;
pub mod assemble;
mod binding_table;
mod compilation;
pub mod container;
mod dependencies;
pub mod dis;
pub mod error;
pub mod exports;
mod fingerprint;
mod front_end;
pub mod intrinsics;
mod language;
mod late_rules;
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
pub mod reflect_text;
pub mod reflection;
pub mod report;
mod resource_indices;
mod root_signatures;
pub mod rootsig;
mod run_passes;
pub mod session;
mod snapshots;
mod targets;
pub mod times;
pub mod validate;
pub mod warnings;
pub mod words;

pub use arguments::flags;
pub use compilation::{Compilation, DebugOutput, Product, Snapshot, SpirvModule, SpirvRequirement};
pub use error::{FileError, OptionError};
pub use fingerprint::Fingerprint;
pub use options::{
    Argument, ConvergeTraces, Flow, HostHitGroup, LinearAlgebra, OptLevel, Options, PayloadLayout, Profile, ProfileKind, Ser, Target,
    VulkanOptions, Warnings,
};
pub use pipeline::{compile, compile_entries};
pub use preprocess::preprocess;
pub use rtc_base::render::{Resolved, Style, plain_json, render, render_coloured, resolve};
pub use rtc_base::{Diagnostic, Loc, Severity, SourceMap};
pub use rtc_dxil_container::Version;
pub use rtc_dxil_container::debug_module::{DebugKind, DebugOptions, NamedBy, SourceInfo};
pub use rtc_dxil_lower::Settings as DxilSettings;
pub use rtc_frontend::lex::decode;
pub use rtc_frontend::lower::BufferLayout;
pub use rtc_frontend::preprocess::{Both, Callback, Define, Disk, Files, Includes, NoIncludes, Virtual};
pub use rtc_ir::{self as ir, Denormals};
pub use rtc_memory as memory;
pub use rtc_passes as passes;
pub use rtc_rootsig::RootVersion;
pub use rtc_spirv::{Content as SpirvDebug, DescriptorBinding, Environment, Options as SpirvOptions, RegisterBinding, Shifts};
pub use rtc_tables::reference;
pub use rtc_tables::resources::ResourceClass;
pub use session::{CancelToken, Failure, Job, Session, Stopped};
