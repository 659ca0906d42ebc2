//! Lowering of the IR to DXIL: instruction selection, scalarisation, basic blocks, metadata, and the container around them.
//!
//! [`library::build`] does all of it, in this order:
//!
//! 1. [`facts`] computes what must be known before there is code (used resources, liveness, sizes).
//! 2. [`lower`] writes the code. Each function is written in one walk over its regions (`control`): vectors become lists of scalars
//!    (`values`), structures and arrays stay in memory (`memory`), and dead code is not written ([`live`]). [`select`] chooses the DXIL
//!    operation of each instruction. At the bottom is the `emitter`; above it are the parts of a function's state (`values`, `frame`,
//!    `flow`, `globals`), then `func`, then the files that write instructions, one for each group (`raytracing`, `buffer`, `texture`,
//!    `wave`, …).
//! 3. `jump_threading` and `dx_break` rewrite the CFG; [`mod@debug`] adds debug information in a copy of the module.
//! 4. [`library`] makes the parts of the container. Flags, RDAT and PSV0 are those of [`rtc_dxil_container::recompute`]. Only the
//!    RDAT of packages, which have no DXIL, is computed from the IR ([`library_rdat`]).
//!
//! The input IR has its functions inlined, no private globals and no `copy`, and a known declaration for every resource
//! handle. An instruction without a DXIL form is an error with a source location ([`LowerError`]).
//!
//! To read the crate, begin with [`library::build`], then [`select`] and `control`.
//!
//! # Example
//!
//! ```
//! use rtc_dxil_container::{Container, FourCc};
//! use rtc_dxil_lower::{DxilOptions, library};
//!
//! let module = rtc_ir::text::parse("module sm 6.3\nfn fn0 \"Main\" stage raygen {\nr0:\n return\n}\n").expect("the text is a module");
//! let built = library::build(&module, &DxilOptions::default(), None).expect("it has a DXIL form");
//! let container = Container::parse(&built.container().expect("it is small")).expect("a container");
//! assert!(container.part(FourCc::RDAT).is_some());
//! ```

mod arith;
mod atomics;
mod buffer;
mod buffer_uses;
mod calls;
mod context;
mod control;
pub mod debug;
mod debug_notes;
mod dx_break;
mod emitter;
mod entries;
pub mod facts;
mod flow;
mod frame;
pub(crate) mod func;
mod globals;
mod handles;
mod jump_threading;
pub mod layout;
pub mod library;
mod linalg;
pub mod live;
mod memory;
mod mesh;
pub(crate) mod metadata;
mod module;
mod packed;
mod parameters;
mod pointers;
mod raytracing;
mod rdat;
pub(crate) mod reflection;
mod requirements;
pub mod resources;
mod sample;
mod scalar_allocas;
mod scalars;
pub mod select;
mod signature;
mod stage;
mod task_payload;
#[cfg(test)]
mod tests;
mod texture;
mod types;
mod values;
mod wave;

pub use module::{Lowered, lower};
pub use rdat::{check_library, library_rdat, library_rdat_sharing};
pub use resources::bind_all;
pub use select::accesses_vectors;
pub(crate) use types::scalar as scalar_type;

use std::borrow::Cow;

use rtc_base::{Code, Span};
use rtc_dxil_container::Version;
use rtc_dxil_container::packing::Strategy;
use rtc_rootsig::RootVersion;
use rtc_tables::diagnostics::E0901;
use rtc_tables::stages::Stage;
use serde::{Deserialize, Serialize};

/// What is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Profile {
    /// A library: all entry points and exported functions.
    #[default]
    Library,
    /// One shader: the first entry point of this stage.
    Shader(Stage),
}

/// The options of DXIL: a field for each flag of the command line.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct Settings {
    /// Whose rules hold (`dx.valver`).
    pub validator: Version,
    /// Whether to sign the container; otherwise its digest is zero.
    pub sign: bool,
    /// Say in the flags that all resources are bound (`-all-resources-bound`).
    pub all_resources_bound: bool,
    /// Do not say in the flags that UAVs do not alias (`-res-may-alias`).
    pub resources_may_alias: bool,
    /// Leave out the reflection part (`-Qstrip_reflect`).
    pub strip_reflection: bool,
    /// Names and types of fields stay in the program too (`-Qkeep_reflect_in_dxil`).
    pub keep_reflection: bool,
    /// Leave out the root signature's part (`-Qstrip_rootsignature`).
    pub strip_root_signature: bool,
    /// The version that root signatures of subobjects have (`-force-rootsig-ver`).
    pub root_version: RootVersion,
    /// How elements of signatures get their registers (`-pack-optimized`).
    pub packing: Strategy,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            validator: Version::new(1, 8),
            sign: true,
            all_resources_bound: false,
            resources_may_alias: false,
            strip_reflection: false,
            keep_reflection: false,
            strip_root_signature: false,
            root_version: RootVersion::V1_1,
            packing: Strategy::PrefixStable,
        }
    }
}

/// What a module is made for: its settings, and what the compilation decides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DxilOptions<'a> {
    /// What is compiled.
    pub profile: Profile,
    /// Say in the flags that the code is not optimised (`-Od`).
    pub unoptimized: bool,
    /// Root signatures in binary form, by the places of their shaders' names. A compute shader's is a part of its own, those of
    /// a library's compute shaders are in their metadata.
    pub root_signatures: Vec<(Span, Vec<u8>)>,
    /// The rest.
    pub settings: Cow<'a, Settings>,
}

impl DxilOptions<'_> {
    /// The root signature of the shader whose name is at that location.
    pub fn root_signature(&self, shader: Span) -> Option<&[u8]> {
        self.root_signatures.iter().find(|r| r.0 == shader).map(|r| r.1.as_slice())
    }
}

/// Why a module has no DXIL.
#[derive(Clone, PartialEq, Debug)]
pub struct LowerError {
    /// The kind of diagnostic.
    pub code: &'static Code,
    /// Where in the source.
    pub span: Span,
    /// The calls that brought the code there into the shader, the innermost first, as far as debug information has them.
    pub calls: Vec<Span>,
    /// What, without a full stop.
    pub message: String,
}

impl LowerError {
    /// An error at `span`.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        LowerError { code, span, calls: Vec::new(), message: message.into() }
    }
    /// A mistake of the compiler, not of the program.
    pub fn internal(span: Span, message: impl std::fmt::Display) -> Self {
        LowerError::new(&E0901, span, format!("internal error: {message}"))
    }
}

impl std::fmt::Display for LowerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LowerError {}
