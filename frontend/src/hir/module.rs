//! A checked translation unit: types, functions, variables, subobjects.

use rtc_base::{Diagnostic, Pos, PrimaryMap, Span, Symbol};
use rtc_ir::inline::Requirements;
use rtc_tables::resources::ImageFormat;
use rtc_tables::stages::Stage;

use super::inline::{InlineFunction, InlineGlobal};
use super::{Body, Const, ExprId, FuncId, GlobalId, LocalId, Pass, RecordId, Ty, Types};

pub use rtc_ir::SubobjectKind;

/// A subobject, its arguments evaluated.
#[derive(Clone, PartialEq, Debug)]
pub struct Subobject {
    /// Its name.
    pub name: Symbol,
    /// What it is.
    pub kind: SubobjectKind,
    /// Where it is declared.
    pub span: Span,
}

/// Where a resource is bound, as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Binding {
    /// Register number; `None`: allocated later.
    pub register: Option<u32>,
    /// Register space.
    pub space: u32,
    /// Whether the space was written.
    pub space_written: bool,
    /// `[[vk::binding(binding, set)]]`
    pub vk: Option<(u32, u32)>,
    /// `[[vk::counter_binding(n)]]`
    pub counter: Option<u32>,
    /// A texture whose register is written `s`, or a sampler whose register is written `t`.
    pub other_letter: bool,
    /// An element of an array whose elements are bound separately: its number, and how many there are.
    pub element: Option<(u32, u32)>,
    /// `[[vk::push_constant]]`
    pub push_constant: bool,
    /// `[[vk::shader_record_ext]]` and its older spellings.
    pub shader_record: bool,
    /// `[[vk::image_format("…")]]`
    pub image_format: Option<ImageFormat>,
    /// Where `[[vk::combinedImageSampler]]` is: one descriptor holds this texture and the sampler with the same binding.
    pub combined: Option<Span>,
}

/// What kind of variable a global is.
#[derive(Clone, Debug)]
pub enum GlobalKind {
    /// A resource or (multi-dimensional) array of resources; a cbuffer too, whose type is a constant buffer of a record
    /// of its members. `$Globals` is such a cbuffer.
    Resource(Binding),
    /// Shared by the thread group.
    GroupShared,
    /// One for each thread, initialised before the entry point runs.
    Static {
        /// Declared `const`.
        is_const: bool,
        /// The initialiser in [`Module::inits`]; `None`: `value`, or zero.
        init: Option<ExprId>,
        /// The initial value if it is a constant: its scalars, depth first. Without `init`: zeroes are not listed.
        value: Option<Vec<Const>>,
    },
}

/// A variable outside functions, or a `static` one inside.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: Symbol,
    /// With namespaces and records.
    pub qualified: String,
    /// The mangled name.
    pub symbol: String,
    /// Its type.
    pub ty: Ty,
    /// What kind of variable it is.
    pub kind: GlobalKind,
    /// A `cbuffer` or `tbuffer` block (or `$Globals`) rather than a declared variable.
    pub is_block: bool,
    /// `[[vk::constant_id(n)]]`: a constant whose value the host may replace. Of SPIR-V only.
    pub spec: Option<u32>,
    /// Attributes of inline SPIR-V. Of SPIR-V only.
    pub inline: Option<Box<InlineGlobal>>,
    /// `precise`
    pub precise: bool,
    /// Used in the body of some function.
    pub used: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A system value that an entry point takes as a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum SystemValue {
    DispatchThreadId,
    GroupId,
    GroupThreadId,
    GroupIndex,
}

impl SystemValue {
    /// The system value that a semantic names, and how many components it has.
    pub fn named(semantic: &str) -> Option<(SystemValue, u32)> {
        const ROWS: &[(&str, SystemValue, u32)] = &[
            ("SV_DispatchThreadID", SystemValue::DispatchThreadId, 3),
            ("SV_GroupID", SystemValue::GroupId, 3),
            ("SV_GroupThreadID", SystemValue::GroupThreadId, 3),
            ("SV_GroupIndex", SystemValue::GroupIndex, 1),
        ];
        let row = ROWS.iter().find(|r| r.0.eq_ignore_ascii_case(semantic))?;
        Some((row.1, row.2))
    }
}

/// What the parameter of an entry point is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// A parameter of an ordinary function.
    Plain,
    /// The ray payload.
    Payload,
    /// The attributes of the hit.
    Attributes,
    /// The parameter of a callable shader.
    Callable,
    /// A system value of a compute shader.
    System(SystemValue),
    /// A structure of system values: the semantics of its fields tell which.
    Systems,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its variable in the body; functions without a body have one too, in an otherwise empty body.
    pub local: LocalId,
    /// Its type.
    pub ty: Ty,
    /// How it is passed.
    pub pass: Pass,
    /// What it is in an entry point.
    pub role: Role,
    /// Its semantic.
    pub semantic: Option<Symbol>,
    /// Its source location.
    pub span: Span,
}

/// What makes a function a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// Of which record.
    pub record: RecordId,
    /// Without `this`.
    pub is_static: bool,
    /// Does not change `this`.
    pub is_const: bool,
}

/// Attributes of an entry point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// `[numthreads(x, y, z)]`
    pub numthreads: Option<[u32; 3]>,
    /// `[WaveSize(min, max, preferred)]`; zeroes where not given.
    pub wave_size: Option<[u32; 3]>,
    /// `[GroupSharedLimit(bytes)]`
    pub groupshared_limit: Option<u32>,
    /// `[earlydepthstencil]`
    pub early_depth_stencil: bool,
    /// `[WaveOpsIncludeHelperLanes]`
    pub helper_lanes: bool,
}

/// A function or one instance of a function template.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name (`operator+` for operators).
    pub name: Symbol,
    /// With namespaces, records and template arguments.
    pub qualified: String,
    /// The mangled name.
    pub symbol: String,
    /// The location of its name.
    pub span: Span,
    /// The type of the result.
    pub ret: Ty,
    /// Semantic of the result.
    pub ret_semantic: Option<Symbol>,
    /// Parameters.
    pub params: Vec<Param>,
    /// Set for methods.
    pub method: Option<Method>,
    /// Its stage; [`Stage::Library`] if it is not an entry point.
    pub stage: Stage,
    /// Visible to linkers: declared `export`, or not `static` in a library that exports everything.
    pub exported: bool,
    /// Attributes of entry points.
    pub entry: Entry,
    /// Inputs and outputs of an entry point of the graphics pipeline.
    pub interface: Option<std::sync::Arc<super::StageInterface>>,
    /// `precise`: of the result.
    pub precise: bool,
    /// `[[vk::ext_instruction(…)]]`: it has no body, its calls are an instruction of SPIR-V.
    pub inline: Option<Box<InlineFunction>>,
    /// `[[vk::spvexecutionmode(n)]]` of an entry point.
    pub execution_modes: Vec<u32>,
    /// How the hull shader that reaches it divides edges, if it has intrinsics that depend on that.
    pub partitioning: Option<rtc_tables::pipeline::Partitioning>,
    /// What `[[vk::ext_capability(…)]]` and `[[vk::ext_extension(…)]]` at the function or in it ask for.
    pub requirements: Requirements,
    /// `[noinline]` and `[experimental("…", "…")]`.
    pub attributes: rtc_ir::FunctionAttributes,
    /// The body; its `root` is `None` if the function is only declared.
    pub body: Body,
}

impl Function {
    /// Whether it has a body.
    pub fn is_defined(&self) -> bool {
        self.body.root.is_some()
    }
    /// Whether it is an entry point.
    pub fn is_entry(&self) -> bool {
        self.stage != Stage::Library
    }
}

/// The text of a root signature, not parsed yet.
#[derive(Clone, Debug)]
pub struct RootSignature {
    /// The text with its source location.
    pub text: crate::token_text::Text,
    /// What it belongs to.
    pub of: RootSignatureOf,
    /// The string, or the attribute.
    pub span: Span,
}

/// The owner of a root signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootSignatureOf {
    /// A subobject `GlobalRootSignature`.
    Global,
    /// A subobject `LocalRootSignature`.
    Local,
    /// The entry point with this attribute `RootSignature`.
    Entry(Span),
}

/// A rule of stages or shader models that the source breaks, and that counts only if the broken code is left once dead code is gone: what an
/// entry point of the stage does at the place of the diagnostic.
#[derive(Clone, Debug)]
pub struct LateRule {
    /// The stage of the entry point.
    pub stage: Stage,
    /// The diagnostic.
    pub broken: Diagnostic,
    /// It is a rule of DXIL since this minor version of the validator.
    pub validator: u8,
}

/// A checked translation unit.
#[derive(Clone, Default)]
pub struct Module {
    /// Types.
    pub types: Types,
    /// Functions in source order; instances of templates where they are first used. Every function that is
    /// not a template is here, called or not.
    pub funcs: PrimaryMap<FuncId, Function>,
    /// Variables in source order.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// The cbuffers that have resources among their members, and the last of those: the buffer comes after it.
    pub blocks_after: rustc_hash::FxHashMap<GlobalId, GlobalId>,
    /// Subobjects in source order.
    pub subobjects: Vec<Subobject>,
    /// Texts of root signatures, in source order.
    pub root_signatures: Vec<RootSignature>,
    /// The expressions of initialisers of static globals.
    pub inits: Body,
    /// What the source requires of a SPIR-V module wherever it is compiled.
    pub requirements: Requirements,
    /// Broken rules that are checked on what is left.
    pub late: Vec<LateRule>,
    /// Where the headers are that the compiler has inside: what happens in them is said at the line of the program that calls them.
    pub built_in: Vec<(Pos, Pos)>,
}

impl Module {
    /// Whether something is in a header that the compiler has inside.
    pub fn is_built_in(&self, span: Span) -> bool {
        self.built_in.iter().any(|&(from, to)| (from..=to).contains(&span.lo))
    }
    /// The functions that run for entry points, with those: each one itself, and the patch constant functions of hull shaders.
    pub fn shader_functions(&self) -> impl Iterator<Item = (FuncId, FuncId)> {
        self.entries().flat_map(|(id, f)| {
            let patch = f.interface.as_ref().and_then(|i| i.patch_constants.as_ref());
            std::iter::once((id, id)).chain(patch.map(|p| (p.func, id)))
        })
    }
    /// The entry points in source order.
    pub fn entries(&self) -> impl Iterator<Item = (FuncId, &Function)> {
        self.funcs.iter().filter(|(_, f)| f.is_entry())
    }
}
