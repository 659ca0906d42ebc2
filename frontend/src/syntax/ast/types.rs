//! Syntax tree: types with their specifiers.

use rtc_base::Span;

use super::{Attr, DeclId, ExprId, List, Param, PathId, TypeId};

/// A type as written, with its specifiers. Declarators of one declaration share it.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// Its kind.
    pub kind: TypeKind,
    /// The specifiers written before or after it, those of the declaration (`static`, `in`) included.
    pub specs: Specs,
    /// The same specifiers with their spans, in source order, duplicates included.
    pub spec_list: List<Spec>,
    /// The type without its specifiers.
    pub span: Span,
}

/// The kind of a [`Type`].
#[derive(Clone, Copy, Debug)]
pub enum TypeKind {
    /// Could not be parsed; already reported.
    Error,
    /// By name: `float4`, `Texture2D<float4>`, `ns::Material`, `void`. Names of several words are given by their
    /// one-word synonym (`unsigned int` is the path `uint`).
    Named(PathId),
    /// A name with attributes after it: `__builtin_LinAlgMatrix [[__LinAlgMatrix_Attributes(…)]]`.
    Attributed(PathId, List<Attr>),
    /// `auto`; not in HLSL; sema reports it.
    Auto,
    /// `__decltype(e)`
    Of(ExprId),
    /// A definition (or elaborated name) in the position of a type: `struct { … } x`, `struct S s`, `enum E e`. The declaration is
    /// [`DeclKind::Record`](super::DeclKind::Record) or [`DeclKind::Enum`](super::DeclKind::Enum); one that defines something is also in the enclosing list of declarations, before its user.
    Inline(DeclId),
    /// `T[3][4]` in a cast, a template argument, a typedef or an alias. Declarators keep their own dimensions.
    Array(TypeId, List<ArrayDim>),
    /// `T(A, B)`, the type of functions, in a template argument, a typedef or an alias: result and parameters.
    Function(TypeId, List<Param>),
    /// `T*` (false) or `T&` (true): not in HLSL; sema reports it.
    Indirect(TypeId, bool),
}

/// One `[n]` of a declarator.
#[derive(Clone, Copy, Debug)]
pub struct ArrayDim {
    /// The size; `None` for `[]`.
    pub size: Option<ExprId>,
    /// With the brackets.
    pub span: Span,
}

bitflags::bitflags! {
    /// Specifiers of a declaration or a type, as a set.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
    pub struct Specs: u64 {
        /// `static`
        const STATIC = 1 << 0;
        /// `extern`
        const EXTERN = 1 << 1;
        /// `const`
        const CONST = 1 << 2;
        /// `volatile`
        const VOLATILE = 1 << 3;
        /// `uniform`
        const UNIFORM = 1 << 4;
        /// `shared`
        const SHARED = 1 << 5;
        /// `groupshared`
        const GROUPSHARED = 1 << 6;
        /// `precise`
        const PRECISE = 1 << 7;
        /// `inline`
        const INLINE = 1 << 8;
        /// `export`
        const EXPORT = 1 << 9;
        /// `in`; `inout` is `IN` and `OUT`, as is `in out`.
        const IN = 1 << 10;
        /// `out`
        const OUT = 1 << 11;
        /// `row_major`
        const ROW_MAJOR = 1 << 12;
        /// `column_major`
        const COLUMN_MAJOR = 1 << 13;
        /// `unorm`
        const UNORM = 1 << 14;
        /// `snorm`
        const SNORM = 1 << 15;
        /// `nointerpolation`
        const NOINTERPOLATION = 1 << 16;
        /// `linear`
        const LINEAR = 1 << 17;
        /// `centroid`
        const CENTROID = 1 << 18;
        /// `noperspective`
        const NOPERSPECTIVE = 1 << 19;
        /// `sample`
        const SAMPLE = 1 << 20;
        /// `globallycoherent`
        const GLOBALLYCOHERENT = 1 << 21;
        /// `reordercoherent`
        const REORDERCOHERENT = 1 << 22;
        /// `point`
        const POINT = 1 << 23;
        /// `line`
        const LINE = 1 << 24;
        /// `triangle`
        const TRIANGLE = 1 << 25;
        /// `lineadj`
        const LINEADJ = 1 << 26;
        /// `triangleadj`
        const TRIANGLEADJ = 1 << 27;
        /// `vertices`
        const VERTICES = 1 << 28;
        /// `primitives`
        const PRIMITIVES = 1 << 29;
        /// `indices`
        const INDICES = 1 << 30;
        /// `payload`
        const PAYLOAD = 1 << 31;
        /// `constexpr`
        const CONSTEXPR = 1 << 32;
        /// `virtual`
        const VIRTUAL = 1 << 33;
        /// `register` used as a storage class, as in C
        const C_REGISTER = 1 << 34;
        /// `center`
        const CENTER = 1 << 35;
        /// The last `#pragma pack_matrix` before this type is `row_major`. Weaker than `ROW_MAJOR` and `COLUMN_MAJOR`, stronger than the command line.
        const PRAGMA_ROW_MAJOR = 1 << 40;
        /// The last `#pragma pack_matrix` before this type is `column_major`.
        const PRAGMA_COLUMN_MAJOR = 1 << 41;

        /// Storage classes: they belong to the declaration, not to its type.
        const STORAGE = Self::STATIC.bits() | Self::EXTERN.bits() | Self::UNIFORM.bits() | Self::SHARED.bits()
            | Self::GROUPSHARED.bits() | Self::INLINE.bits() | Self::EXPORT.bits() | Self::CONSTEXPR.bits() | Self::VIRTUAL.bits() | Self::C_REGISTER.bits();
        /// How a parameter is passed.
        const PASSING = Self::IN.bits() | Self::OUT.bits();
        /// Interpolation modifiers.
        const INTERPOLATION = Self::NOINTERPOLATION.bits() | Self::LINEAR.bits() | Self::CENTROID.bits()
            | Self::NOPERSPECTIVE.bits() | Self::SAMPLE.bits()
            | Self::CENTER.bits();
        /// Geometry, mesh and amplification shader parameter modifiers.
        const PRIMITIVE = Self::POINT.bits() | Self::LINE.bits() | Self::TRIANGLE.bits() | Self::LINEADJ.bits() | Self::TRIANGLEADJ.bits()
            | Self::VERTICES.bits() | Self::PRIMITIVES.bits() | Self::INDICES.bits() | Self::PAYLOAD.bits();
        /// The specifiers of `#pragma pack_matrix`.
        const PRAGMA = Self::PRAGMA_ROW_MAJOR.bits() | Self::PRAGMA_COLUMN_MAJOR.bits();
    }
}

/// One occurrence of a specifier.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The specifier; `inout` has two bits set, all others one.
    pub what: Specs,
    /// Its span.
    pub span: Span,
}
