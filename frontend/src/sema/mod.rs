//! Semantic analysis: name lookup, type checking and overload resolution, from the syntax tree to the typed tree.
//!
//! One pass in source order, as the language requires: a name is visible from its declaration on, a function's body is
//! checked at its definition (methods at the end of their class, instances of templates after the file if something uses them).
//! An invalid construct is reported once and gets the error type, which suppresses further reports, so one run reports
//! every independent mistake. After that the call graph is walked from each entry point: recursion, functions
//! without a body, and intrinsics that a stage does not have.
//!
//! Files: [`context`] (state, a file for each question), [`scope`] and [`lookup`] (names), [`instance`], [`template`] and [`late`] (templates), [`types`], [`conversion`], [`expr`] and the like
//! build expressions, [`decl`] and the like declarations, [`entry`] and [`call_graph`] check stages. Every diagnostic has
//! one function in [`errors`].

mod anonymous;
mod associated;
mod attrs;
mod block_names;
mod build_call;
mod call;
mod call_graph;
mod cast_lvalue;
mod checks;
mod clip_planes;
mod coherence;
mod consteval;
mod context;
mod conversion;
mod conversion_rank;
mod decl;
mod deduction;
mod deduction_notes;
mod deprecated;
mod early_names;
mod empty_arrays;
mod entry;
pub mod errors;
mod expr;
mod fold;
mod function;
mod function_type;
mod geometry;
mod init;
mod instance;
mod interfaces;
mod intrinsic;
mod late;
mod linalg;
mod lint;
mod literal;
mod literal_calls;
mod local_static;
mod lookup;
mod lvalue;
mod member;
mod mesh;
mod modifiers;
mod names_index;
mod operators;
mod out_of_line;
mod partial_order;
mod parts;
mod payload;
mod ray_flags;
mod reached;
mod record;
mod resource;
mod resource_struct;
mod scope;
mod signature;
mod stage_builder;
mod stmt;
mod subobject;
mod suggest;
mod switch;
mod switch_branch;
mod template;
mod template_rules;
mod tessellation;
mod types;
mod uninitialised;
mod untyped;
mod variable_template;

#[cfg(test)]
mod tests;
mod vk_attributes;
mod vk_inline;
mod vk_types;
mod written_constants;

use rtc_base::{Diagnostic, Interner, SourceMap, Symbol};

use rtc_tables::stages::Stage;

use crate::hir;
use crate::index::Index;
use crate::syntax::Ast;
use crate::syntax::ast::DeclId;

/// The compilation target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// A library (`lib_6_x`): every function with a `[shader]` attribute is an entry point.
    #[default]
    Library,
    /// One shader of a stage (`cs_6_x`, `ps_6_x`) with the entry point of this name.
    Shader(Stage, String),
}

/// Options of the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SemaOptions {
    /// Minor number of shader model 6.
    pub shader_model: u8,
    /// Library, or one shader.
    pub target: Target,
    /// 2016, 2017, 2018, 2021; 2025 for 202x.
    pub hlsl_version: u32,
    /// `-Gec`: semantics of Direct3D 9 stand for system values.
    pub older_semantics: bool,
    /// `-enable-16bit-types`.
    pub native_16bit: bool,
    /// `-denorm ftz`, or a shader model before 6.2: computing with 32-bit floats flushes denormals to zero.
    pub flush_denormals: bool,
    /// The output is SPIR-V.
    pub spirv: bool,
    /// Entry points of different stages may have one name, as in a SPIR-V module.
    pub entries_by_stage: bool,
    /// `-Zpr`: matrices are row-major by default.
    pub row_major: bool,
    /// `-enable-payload-qualifiers` (`Some(true)`) or `-disable-payload-qualifiers`.
    pub payload_qualifiers: Option<bool>,
    /// `-default-linkage external`: functions that are neither `static` nor entry points are exported.
    pub export_all: bool,
    /// Names, with or without namespaces, of functions that are exported if they are not `static`.
    pub export_named: Vec<String>,
    /// `-auto-binding-space`: the register space of resources that name none.
    pub auto_space: Option<u32>,
    /// `-fspv-flatten-resource-arrays`: the elements of an array of resources are resources of their own.
    pub flatten_arrays: bool,
    /// Whether the [index of names](crate::index) is made.
    pub index: bool,
}

impl Default for SemaOptions {
    fn default() -> Self {
        SemaOptions {
            shader_model: 6,
            target: Target::Library,
            hlsl_version: 2021,
            older_semantics: false,
            native_16bit: false,
            flush_denormals: false,
            spirv: false,
            entries_by_stage: false,
            row_major: false,
            payload_qualifiers: None,
            export_all: false,
            export_named: Vec::new(),
            auto_space: None,
            flatten_arrays: false,
            index: false,
        }
    }
}

impl SemaOptions {
    /// Whether payload access qualifiers are in force: from shader model 6.7 on, in 6.6 by option.
    pub fn payload_qualifiers_on(&self) -> bool {
        match self.payload_qualifiers {
            Some(on) => on && self.shader_model >= 6,
            None => self.shader_model >= 7,
        }
    }
    /// The shader model whose features programs may use. SPIR-V has capabilities in its place.
    pub fn available_model(&self) -> u8 {
        if self.spirv { self.shader_model.max(9) } else { self.shader_model }
    }
    /// HLSL 202x: literals have the types of C, `auto` stands for the type of an initialiser.
    pub fn is_202x(&self) -> bool {
        self.hlsl_version > 2021
    }
    /// Whether `&&`, `||` and `?:` take scalars and short-circuit.
    pub fn short_circuit(&self) -> bool {
        self.hlsl_version >= 2021
    }
}

/// Checks `ast`. The module is complete if no diagnostic is an error; with errors it has the valid parts.
pub fn check(ast: &Ast, sources: &SourceMap, names: &mut Interner, opts: &SemaOptions) -> (hir::Module, Vec<Diagnostic>) {
    let state = context::State::new(names, opts);
    check_rest(ast, sources, names, opts, Checked { state, items: 0 })
}

/// The analysis of the first declarations of a file.
#[derive(Clone)]
pub struct Checked {
    state: context::State,
    /// How many they are.
    items: usize,
}

/// Checks the declarations `items`, which are the first ones of a file. `None` if there is an error.
pub(crate) fn check_first(ast: &Ast, items: &[DeclId], sources: &SourceMap, names: &mut Interner, opts: &SemaOptions) -> Option<Checked> {
    let state = context::State::new(names, opts);
    let mut s = context::Sema::resume(ast, sources, names, opts, state);
    s.items(items);
    let wrong = s.reports.has_errors();
    (!wrong).then(|| Checked { state: s.suspend(), items: items.len() })
}

/// Checks what comes after the declarations of `first`, as [`check`].
pub fn check_rest(
    ast: &Ast,
    sources: &SourceMap,
    names: &mut Interner,
    opts: &SemaOptions,
    first: Checked,
) -> (hir::Module, Vec<Diagnostic>) {
    let mut s = context::Sema::resume(ast, sources, names, opts, first.state);
    s.rest(first.items);
    s.finish()
}

/// Checks as [`check`], or as [`check_rest`] after `first`, and makes the index of names; [`SemaOptions::index`] must be set. `probe` is the
/// name of the index's [probe](crate::index).
pub fn check_with_index(
    ast: &Ast,
    sources: &SourceMap,
    names: &mut Interner,
    opts: &SemaOptions,
    first: Option<Checked>,
    probe: Option<Symbol>,
) -> (hir::Module, Vec<Diagnostic>, Index) {
    let first = first.unwrap_or_else(|| Checked { state: context::State::new(names, opts), items: 0 });
    let mut s = context::Sema::resume(ast, sources, names, opts, first.state);
    if let Some(index) = &mut s.index {
        index.probe = probe;
    }
    s.rest(first.items);
    let index = s.finish_index();
    let (module, diagnostics) = s.finish();
    (module, diagnostics, index)
}

impl context::Sema<'_> {
    /// The declarations from number `from` on, and what is checked at the end of a file.
    fn rest(&mut self, from: usize) {
        let ast = self.ast;
        self.items(&ast.list(ast.items)[from..]);
        self.finish_bodies();
        self.check_unused_parts();
        self.finish_bodies();
        self.replace_written_constants();
        self.check_combined_samplers();
        self.check_loose_overlaps();
        self.check_incomplete_statics();
        self.check_entries();
        self.check_call_graph();
    }
}
