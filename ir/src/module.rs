//! A module: one compiled library (or compute shader) with its types, resources, functions and
//! subobjects.

use rtc_base::{PrimaryMap, Span};
use rtc_tables::resources::ImageFormat;
use serde::{Deserialize, Serialize};

use crate::host_layout::{HostBlock, HostTypes};
use crate::{Func, Function, Global, Numbers, Struct, Type, TypeKind, TypeTable};

pub use rtc_tables::payload_access::{Paq, PaqStage};

bitflags::bitflags! {
    /// What a module promises about its form. Passes require, establish and break these; the verifier
    /// checks exactly what is claimed.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
    pub struct Props: u16 {
        /// No `call` but of functions that are declared only; besides those, only entry points and exported functions remain.
        const INLINED = 1;
        /// No local that a value could replace: every local left is indexed dynamically or an
        /// aggregate that must stay in memory.
        const NO_LOCALS = 2;
        /// No vector instructions but those that feed memory and ray-tracing operands.
        const SCALAR_ONLY = 4;
        /// No private globals (`static` variables): they are locals of the entry points.
        const NO_PRIVATES = 8;
        /// Every handle that is used names its resource: no choices between handles.
        const DIRECT_HANDLES = 16;
    }
}

impl Props {
    /// All properties with their names in text.
    pub const NAMES: &[(Props, &str)] = &[
        (Props::INLINED, "inlined"),
        (Props::NO_LOCALS, "no_locals"),
        (Props::SCALAR_ONLY, "scalar_only"),
        (Props::NO_PRIVATES, "no_privates"),
        (Props::DIRECT_HANDLES, "direct_handles"),
    ];
}

/// A member of a structure.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its name. That of the structure which this one inherits from, always the first field, is empty.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Payload access qualifiers, if it has any.
    pub paq: Option<Paq>,
    /// Byte offset where the structure is laid out for a buffer.
    pub offset: Option<u32>,
    /// What HLSL says about its numbers and `ty` does not.
    pub numbers: Option<Numbers>,
    /// The type as HLSL spells it (`column_major float4x4`), for listings and layout files. It decides nothing.
    pub hlsl: String,
    /// What is stored there is `precise`; nothing is any more once passes have decided which instructions are ([`Module::has_undecided_precision`]).
    pub precise: bool,
}

/// A structure type.
#[derive(Clone, PartialEq, Debug)]
pub struct StructData {
    /// The HLSL name, unique in the module.
    pub name: String,
    /// The members; the base, if there is one with members, is the first.
    pub fields: Vec<Field>,
    /// The name of the base, if the first field is one: reflection calls the field so.
    pub base: Option<String>,
    /// Declared `[raypayload]`.
    pub raypayload: bool,
}

/// Where a resource is bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Binding {
    /// Register number; `None` if the source names none.
    pub register: Option<u32>,
    /// A texture whose register is written `s#`, or a sampler whose register is written `t#`: in Vulkan, it has the shift of that letter.
    pub other_letter: bool,
    /// Register space.
    pub space: u32,
    /// `[[vk::binding(binding, set)]]`: binding and set.
    pub vk: Option<(u32, u32)>,
    /// `[[vk::counter_binding(n)]]`: the binding of the hidden counter.
    pub counter: Option<u32>,
    /// An element of an array whose elements are bound separately: its number, and how many there are. They have consecutive bindings.
    pub element: Option<(u32, u32)>,
    /// `[[vk::image_format("…")]]`
    pub format: Option<ImageFormat>,
    /// `[[vk::combinedImageSampler]]`: the texture's descriptor holds the sampler that it is used with, too.
    pub combined: bool,
    /// What it is bound to.
    pub place: BindPlace,
}

/// What a resource is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BindPlace {
    /// Registers; descriptors in Vulkan.
    #[default]
    Registers,
    /// Vulkan's push constants.
    Push,
    /// The shader record, all of it.
    Record,
    /// The data after the local root arguments in the shader records of a library with lowered hit objects:
    /// [`rtc_tables::hit_lowering`].
    Tail,
}

/// What declares a resource, where that decides how it is bound or laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeclKind {
    /// A variable of a resource type.
    #[default]
    Variable,
    /// A `cbuffer` or `tbuffer`: its members are variables of their own.
    Block,
    /// The block of all numbers outside of cbuffers, `$Globals`.
    Loose,
    /// A variable of type `AppendStructuredBuffer`.
    Append,
    /// A variable of type `ConsumeStructuredBuffer`.
    Consume,
}

impl DeclKind {
    /// All with their words in text.
    pub const NAMES: [(DeclKind, &'static str); 5] = [
        (DeclKind::Variable, ""),
        (DeclKind::Block, "block"),
        (DeclKind::Loose, "loose"),
        (DeclKind::Append, "append"),
        (DeclKind::Consume, "consume"),
    ];

    /// Whether its members are variables of their own.
    pub fn is_block(self) -> bool {
        matches!(self, DeclKind::Block | DeclKind::Loose)
    }
    /// Whether it has a counter that the type says, used or not.
    pub fn is_append_or_consume(self) -> bool {
        matches!(self, DeclKind::Append | DeclKind::Consume)
    }
}

/// A declared resource.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceDecl {
    /// Its type (always [`TypeKind::Resource`]).
    pub ty: Type,
    /// How many: 1, or the (flattened) size of the array; `None` for an unbounded array.
    pub count: Option<u32>,
    /// Declared as an array (of any size).
    pub array: bool,
    /// Where it is bound.
    pub binding: Binding,
    /// What declares it.
    pub kind: DeclKind,
    /// The HLSL type of what is inside: the structure of a constant buffer, the element of a structured
    /// buffer. For reflection.
    pub layout: Option<Type>,
    /// What HLSL says about the numbers of `layout` and that does not.
    pub element: Option<Numbers>,
    /// The HLSL type as written (`RWTexture2D<float4>`), for listings and reflection of SPIR-V. It decides nothing.
    pub hlsl: String,
    /// The type that a host sees, for targets that declare it.
    pub host: Option<HostBlock>,
}

/// What a global is.
#[derive(Clone, PartialEq, Debug)]
pub enum GlobalKind {
    /// A resource.
    Resource(ResourceDecl),
    /// A variable that the thread group shares.
    GroupShared(Type),
    /// A variable of each thread (`static`). Its initialiser is code of the entry points. One that functions for other libraries change
    /// has initial bits too, depth first: it is memory wherever more than one function of a linked shader may see it.
    Private(Type, Option<Vec<u64>>),
    /// A constant table: the bits of its scalars, depth first.
    Table(Type, Vec<u64>),
    /// A variable of inline SPIR-V: of a storage class, perhaps a built-in one.
    Inline(crate::inline::InlineVariable),
}

/// How the symbols of copied payloads begin. No mangled name of a source begins like this.
pub const COPIED_PAYLOAD: &str = "payload.";

/// A resource or variable of the module.
#[derive(Clone, PartialEq, Debug)]
pub struct GlobalData {
    /// The HLSL name (with namespaces).
    pub name: String,
    /// The symbol: the mangled name.
    pub symbol: String,
    /// What it is.
    pub kind: GlobalKind,
    /// Decorations of its variable in SPIR-V that the source asks for.
    pub decorations: Vec<crate::inline::Decoration>,
    /// Where it was declared.
    pub span: Span,
    /// What is stored there is `precise`, as of a [`Field`].
    pub precise: bool,
}

impl GlobalData {
    /// The declaration if it is a resource.
    pub fn resource(&self) -> Option<&ResourceDecl> {
        match &self.kind {
            GlobalKind::Resource(r) => Some(r),
            _ => None,
        }
    }
    /// Whether it is the copy of a payload, which `dispatch_mesh` alone reads.
    pub fn is_copied_payload(&self) -> bool {
        matches!(self.kind, GlobalKind::GroupShared(_)) && self.symbol.starts_with(COPIED_PAYLOAD)
    }
    /// The type of the variable or of (one element of) the resource.
    pub fn ty(&self) -> Type {
        match &self.kind {
            GlobalKind::Resource(r) => r.ty,
            GlobalKind::GroupShared(t) | GlobalKind::Private(t, _) | GlobalKind::Table(t, _) => *t,
            GlobalKind::Inline(v) => v.ty,
        }
    }
}

/// A subobject of the state object, as HLSL declares it (DXR specification, subobject definitions).
#[derive(Clone, PartialEq, Debug)]
pub enum SubobjectKind {
    /// `StateObjectConfig`: flags.
    StateObjectConfig(u32),
    /// `GlobalRootSignature`: its text.
    GlobalRootSignature(String),
    /// `LocalRootSignature`: its text.
    LocalRootSignature(String),
    /// `SubobjectToExportsAssociation`: the subobject and the exports.
    Association(String, Vec<String>),
    /// `RaytracingShaderConfig`: largest payload and attributes in bytes.
    ShaderConfig(u32, u32),
    /// `RaytracingPipelineConfig`: largest recursion depth.
    PipelineConfig(u32),
    /// `RaytracingPipelineConfig1`: largest recursion depth, flags.
    PipelineConfig1(u32, u32),
    /// `TriangleHitGroup`: any-hit, closest-hit; empty if none.
    TriangleHitGroup(String, String),
    /// `ProceduralPrimitiveHitGroup`: any-hit, closest-hit, intersection.
    ProceduralHitGroup(String, String, String),
}

/// A named subobject.
#[derive(Clone, PartialEq, Debug)]
pub struct Subobject {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SubobjectKind,
    /// Where it was declared.
    pub span: Span,
}

/// What becomes of denormal 32-bit floats that instructions compute with (`-denorm`); moving a value is no computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum Denormals {
    /// Either of the others.
    Any,
    /// They are kept.
    Preserve,
    /// They are zero, with their sign.
    Flush,
}

impl Denormals {
    /// All with the names that command lines, DXIL and text have for them.
    pub const NAMES: &[(Denormals, &str)] = &[(Denormals::Any, "any"), (Denormals::Preserve, "preserve"), (Denormals::Flush, "ftz")];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

impl Module {
    /// The denormal mode that holds for constants: before shader model 6.2 there is no choice, and they are flushed.
    pub fn denormal_mode(&self) -> Option<Denormals> {
        self.denormals.or((self.shader_model < DENORMAL_MODES).then_some(Denormals::Flush))
    }
}

/// The first minor shader model that can say what becomes of denormals.
pub const DENORMAL_MODES: u32 = 2;

/// One compiled library or compute shader.
#[derive(Clone, Default)]
pub struct Module {
    /// Minor number of shader model 6.
    pub shader_model: u32,
    /// 16-bit types are native (`-enable-16bit-types`), not minimum precision.
    pub native_16bit: bool,
    /// The denormal mode; none: not specified, which is the same as [`Denormals::Any`].
    pub denormals: Option<Denormals>,
    /// What the module promises.
    pub props: Props,
    /// Types.
    pub types: TypeTable,
    /// Structures.
    pub structs: PrimaryMap<Struct, StructData>,
    /// Resources and variables, in source order.
    pub globals: PrimaryMap<Global, GlobalData>,
    /// Functions, in source order.
    pub funcs: PrimaryMap<Func, Function>,
    /// Subobjects, in source order.
    pub subobjects: Vec<Subobject>,
    /// The names of the constants that a host may replace, by their numbers.
    pub spec_names: std::collections::BTreeMap<u32, String>,
    /// The types that hosts see in buffers, for targets that declare them.
    pub host_types: HostTypes,
    /// Types made of an instruction of SPIR-V.
    pub inline_types: PrimaryMap<crate::SpirvType, crate::inline::InlineType>,
    /// Decorations of members of structures that the source asks for: by structure and number of the member.
    pub member_decorations: std::collections::BTreeMap<(Struct, u32), Vec<crate::inline::Decoration>>,
    /// The bit-fields that share a member of a structure, from the lowest bit on, with their widths: by structure and number of the member. They do not
    /// change what a program computes, so like host layouts they are not in the text form.
    pub bit_fields: std::collections::BTreeMap<(Struct, u32), Vec<(String, u32)>>,
    /// What inline SPIR-V requires.
    pub requirements: crate::inline::Requirements,
    /// Debug information of the program, if requested.
    pub debug: Option<Box<crate::debug::Program>>,
}

impl Module {
    /// The type of field or element `n` of aggregate or vector `t`; `None` if there is no such part.
    pub fn part(&self, t: Type, n: Option<u32>) -> Option<Type> {
        match self.types.kind(t) {
            TypeKind::Struct(s) => self.structs[s].fields.get(n? as usize).map(|f| f.ty),
            TypeKind::Array(e, len) => n.is_none_or(|n| n < len).then_some(e),
            TypeKind::Vector(s, len) => n.is_none_or(|n| n < len).then(|| self.types.scalar(s)),
            _ => None,
        }
    }

    /// Calls `f` with the constant path to, and type of, every leaf (scalar, vector, handle) of `t`, in
    /// memory order.
    pub fn leaves(&self, t: Type, f: &mut dyn FnMut(&[u32], Type)) {
        fn go(m: &Module, t: Type, path: &mut Vec<u32>, f: &mut dyn FnMut(&[u32], Type)) {
            let (n, elem) = match m.types.kind(t) {
                TypeKind::Struct(s) => (m.structs[s].fields.len() as u32, None),
                TypeKind::Array(e, n) => (n, Some(e)),
                _ => return f(path, t),
            };
            for i in 0..n {
                let part = elem.or_else(|| m.part(t, Some(i))).expect("counted parts exist");
                path.push(i);
                go(m, part, path, f);
                path.pop();
            }
        }
        go(self, t, &mut Vec::new(), f);
    }

    /// Whether some variable or member is `precise` and it is not decided yet which instructions that makes exact. Until then every instruction on floats is
    /// marked so, and no pass may drop a store to such a place.
    pub fn has_undecided_precision(&self) -> bool {
        self.structs.values().any(|s| s.fields.iter().any(|f| f.precise))
            || self.globals.values().any(|g| g.precise)
            || self.funcs.values().any(|f| f.locals.values().any(|l| l.precise))
    }

    /// Says that it is decided which instructions are exact: those that are marked.
    pub fn decide_precision(&mut self) {
        self.structs.values_mut().flat_map(|s| &mut s.fields).for_each(|f| f.precise = false);
        self.globals.values_mut().for_each(|g| g.precise = false);
        self.funcs.values_mut().flat_map(|f| f.locals.values_mut()).for_each(|l| l.precise = false);
    }

    /// Functions that runtimes start or link against: entry points and exports.
    pub fn roots(&self) -> impl Iterator<Item = (Func, &Function)> {
        self.funcs.iter().filter(|(_, f)| f.is_entry() || f.exported)
    }
}
