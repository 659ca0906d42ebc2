//! Semantic analysis: from the syntax tree to the typed tree.
//!
//! One pass in source order, as the language demands: a name is visible from its declaration on, a function's body is
//! checked where it stands (methods at the end of their class, instances of templates after the file).
//! What is wrong is reported once and becomes the error type, about which everything else is silent, so one run reports
//! every independent mistake. After that the call graph is walked from each entry point: recursion, functions
//! without a body, and intrinsics that a stage does not have.
//!
//! Files: [`context`] (state), [`scope`] (names), [`types`], [`convert`], [`expr`] and the like
//! build expressions, [`decl`] and the like declarations, [`entry`] and [`reach`] check stages. Every diagnostic is
//! made by one function in [`errors`].

mod attrs;
mod block_names;
mod call;
mod checks;
mod coherence;
mod consteval;
mod context;
mod convert;
mod decl;
mod entry;
pub mod errors;
mod explain;
mod expr;
mod fold;
mod function;
mod init;
mod intrinsic;
mod literal;
mod local_static;
mod member;
mod older;
mod operators;
mod outside;
mod passing;
mod payload;
mod place;
mod rank;
mod rayflags;
mod reach;
mod record;
mod resource;
mod resource_struct;
mod scope;
mod stmt;
mod subobject;
mod suggest;
mod suspicious;
mod switch;
mod template;
mod types;
mod unify;
mod usage;

#[cfg(test)]
mod tests;

use rtc_base::{Diagnostic, Interner, SourceMap};

use crate::hir;
use crate::syntax::Ast;

/// What is compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// A library (`lib_6_x`): every function with a `[shader]` attribute is an entry point.
    #[default]
    Library,
    /// A compute shader (`cs_6_x`) with the entry point of this name.
    Compute(String),
}

/// Options of the language.
#[derive(Clone, Debug)]
pub struct SemaOptions {
    /// Minor number of shader model 6.
    pub shader_model: u8,
    /// Library or compute shader.
    pub target: Target,
    /// 2016, 2017, 2018, 2021; 2025 stands for 202x.
    pub hlsl_version: u32,
    /// `-enable-16bit-types`.
    pub native_16bit: bool,
    /// `-denorm ftz`: computing with 32-bit floats makes zeros of denormals.
    pub flush_denormals: bool,
    /// The output is SPIR-V.
    pub spirv: bool,
    /// `-Zpr`: matrices are row-major unless they say otherwise.
    pub row_major: bool,
    /// `-enable-payload-qualifiers` (`Some(true)`) or `-disable-payload-qualifiers`.
    pub payload_qualifiers: Option<bool>,
    /// `-default-linkage external`: functions that are neither `static` nor entry points are exported.
    pub export_all: bool,
    /// Names, with or without namespaces, of functions that are exported if they are not `static`.
    pub export_named: Vec<String>,
    /// `-auto-binding-space`: the register space of resources that name none.
    pub auto_space: Option<u32>,
}

impl Default for SemaOptions {
    fn default() -> Self {
        SemaOptions {
            shader_model: 6,
            target: Target::Library,
            hlsl_version: 2021,
            native_16bit: false,
            flush_denormals: false,
            spirv: false,
            row_major: false,
            payload_qualifiers: None,
            export_all: false,
            export_named: Vec::new(),
            auto_space: None,
        }
    }
}

impl SemaOptions {
    /// Whether payload access qualifiers mean something: from shader model 6.7 on, in 6.6 if asked for.
    pub fn payload_qualifiers_on(&self) -> bool {
        match self.payload_qualifiers {
            Some(on) => on && self.shader_model >= 6,
            None => self.shader_model >= 7,
        }
    }
    /// Whether `&&`, `||` and `?:` take scalars and evaluate their right side only when needed.
    pub fn short_circuit(&self) -> bool {
        self.hlsl_version >= 2021
    }
}

/// A type as people read it. (Names of types are kept as text, so the interner is not asked.)
pub fn show_type(types: &hir::Types, _names: &Interner, ty: hir::Ty) -> String {
    types::show(types, ty)
}

/// Checks `ast`. The module is complete if no diagnostic is an error; with errors it holds what could be made sense of.
pub fn check(ast: &Ast, sources: &SourceMap, names: &mut Interner, opts: &SemaOptions) -> (hir::Module, Vec<Diagnostic>) {
    let mut s = context::Sema::new(ast, sources, names, opts);
    s.file();
    s.finish_bodies();
    s.check_entries();
    s.check_reach();
    s.finish()
}
