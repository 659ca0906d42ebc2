//! The front end: HLSL source to IR.
//!
//! # Stages
//!
//! 1. [`preprocess`] expands macros and includes: files to one vector of [tokens](lex::Token). [`lex`] tokenises each file once.
//! 2. [`classify`] marks type names and template brackets, so that the grammar has no conflicts.
//! 3. [`syntax`] parses: the [syntax tree](syntax::ast), in arenas. [`parse`] runs stages 1 to 3.
//! 4. [`sema`] resolves names, checks types and selects overloads: the [typed tree](hir) (HIR), in which every conversion and
//!    default is explicit. Constant expressions are evaluated by [`rtc_ir::eval`]; intrinsics are rows of
//!    [`rtc_tables::intrinsics`].
//! 5. [`lower`] translates the typed tree to an [`rtc_ir::Module`]. Aggregates stay in variables; later passes make SSA of them.
//!
//! Compilations that begin with the same includes share stages 1 to 4 of these: [`preamble`].
//!
//! [`index`] says what each name of a source denotes, for editors; stage 4 fills it on request.
//!
//! Each stage returns its output together with diagnostics, and none stops at the first error. [`report`] limits their number;
//! [`token_text`] maps text inside of string literals (root signatures) back to the source.
//!
//! To read the crate, begin with [`parse`] and [`sema::check`], and follow one construct through the stages: its syntax in
//! `syntax/grammar.lalrpop`, its tree in [`syntax::ast`], its file in [`sema`], its node in [`hir`], its file in [`lower`].
//!
//! # Example
//!
//! ```
//! use rtc_base::{Interner, SourceMap};
//! use rtc_frontend::preprocess::{NoIncludes, PreprocessOptions};
//! use rtc_frontend::{lower, parse, sema};
//!
//! let (mut sources, mut names) = (SourceMap::new(), Interner::new());
//! let text = "RWByteAddressBuffer Out; [shader(\"raygeneration\")] void Main() { Out.Store(0, 1 + 2); }";
//! let main = sources.add_file("main.hlsl", text, None).expect("the file is small");
//! let parsed = parse(&mut sources, &mut names, main, &PreprocessOptions::default(), &mut NoIncludes);
//! let (typed, errors) = sema::check(&parsed.ast, &sources, &mut names, &sema::SemaOptions::default());
//! assert!(parsed.diagnostics.is_empty() && errors.is_empty());
//! let (module, unsupported) = lower::lower(&typed, &names, &lower::Options::default());
//! assert!(unsupported.is_empty());
//! assert!(rtc_ir::text::print(&module).contains("raygen"));
//! ```
//!
//! What is *not* here: optimisation (`rtc-passes`), code generation (`rtc-dxil-lower`, `rtc-spirv`), and the contents of root signatures,
//! which this crate passes on as text.

pub mod classify;
pub mod hir;
pub mod index;
pub mod lex;
pub mod lower;
pub mod preamble;
pub mod preprocess;
pub mod report;
pub mod sema;
pub mod syntax;
pub mod token_text;

pub use syntax::{Parsed, parse};
