//! Types: interned, so that two [`Type`]s are equal exactly when the types are.
//!
//! The exception is the named structure, which is itself and nothing else: it is found by its name,
//! its fields may be set later, and it may contain pointers to itself. Pointers are typed and carry
//! an address space ([`GROUPSHARED`] and others), as in LLVM 3.7.

use rtc_base::Unique;
use rtc_base::entity::{PackedOption, PrimaryMap};
use rustc_hash::FxHashMap;

rtc_base::entity! {
    /// A type of a module.
    pub struct Type = "ty";
}

/// The address space of groupshared memory.
pub const GROUPSHARED: u32 = 3;

/// What a type is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// `void`.
    Void,
    /// `half`.
    Half,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// The type of a basic block.
    Label,
    /// The type of metadata used as an operand.
    Metadata,
    /// `iN`, N in bits.
    Int(u32),
    /// A pointer.
    Pointer {
        /// What it points to.
        pointee: Type,
        /// The address space.
        space: u32,
    },
    /// An array.
    Array {
        /// The type of each element.
        elem: Type,
        /// How many elements.
        len: u64,
    },
    /// A vector of scalars.
    Vector {
        /// The type of each component.
        elem: Type,
        /// How many components.
        len: u32,
    },
    /// A structure without a name; equal to every other one with these fields.
    Struct(Fields),
    /// A structure with an identity of its own.
    Named {
        /// Its name without `%`; none for one that listings number.
        name: Option<Box<str>>,
        /// Its fields; none while it is opaque.
        body: Option<Fields>,
    },
    /// A function.
    Function {
        /// The result type.
        ret: Type,
        /// The parameter types.
        params: Box<[Type]>,
        /// Whether more arguments may follow.
        vararg: bool,
    },
}

/// The fields of a structure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fields {
    /// The field types.
    pub types: Box<[Type]>,
    /// Whether the fields lie without padding.
    pub packed: bool,
}

/// How many kinds [`simple`] numbers.
const SIMPLE: usize = 11;

/// The number of a kind without parts.
#[inline]
fn simple(kind: &TypeKind) -> Option<usize> {
    Some(match kind {
        TypeKind::Void => 0,
        TypeKind::Half => 1,
        TypeKind::Float => 2,
        TypeKind::Double => 3,
        TypeKind::Label => 4,
        TypeKind::Metadata => 5,
        TypeKind::Int(1) => 6,
        TypeKind::Int(8) => 7,
        TypeKind::Int(16) => 8,
        TypeKind::Int(32) => 9,
        TypeKind::Int(64) => 10,
        _ => return None,
    })
}

/// The types of one module.
#[derive(Debug, Clone, Default)]
pub struct Types {
    kinds: PrimaryMap<Type, TypeKind>,
    interned: Unique<Type>,
    /// Those of [`simple`] kinds, which are needed again and again.
    simple: [PackedOption<Type>; SIMPLE],
    by_name: FxHashMap<Box<str>, Type>,
}

impl PartialEq for Types {
    fn eq(&self, other: &Self) -> bool {
        self.kinds == other.kinds
    }
}

impl std::ops::Index<Type> for Types {
    type Output = TypeKind;
    fn index(&self, ty: Type) -> &TypeKind {
        &self.kinds[ty]
    }
}

impl Types {
    /// How many types there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no type yet.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Every type, in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (Type, &TypeKind)> {
        self.kinds.iter()
    }

    /// The type of this kind, made on first sight. For a named structure use [`Types::named`].
    pub fn intern(&mut self, kind: TypeKind) -> Type {
        debug_assert!(!matches!(kind, TypeKind::Named { .. }));
        if let Some(at) = simple(&kind) {
            if let Some(ty) = self.simple[at].expand() {
                return ty;
            }
            let ty = self.kinds.push(kind);
            self.simple[at] = Some(ty).into();
            return ty;
        }
        self.interned.find_or_push(&mut self.kinds, kind)
    }

    /// `void`.
    pub fn void(&mut self) -> Type {
        self.intern(TypeKind::Void)
    }

    /// `half`.
    pub fn half(&mut self) -> Type {
        self.intern(TypeKind::Half)
    }

    /// `float`.
    pub fn float(&mut self) -> Type {
        self.intern(TypeKind::Float)
    }

    /// `double`.
    pub fn double(&mut self) -> Type {
        self.intern(TypeKind::Double)
    }

    /// The type of basic blocks.
    pub fn label(&mut self) -> Type {
        self.intern(TypeKind::Label)
    }

    /// The type of metadata operands.
    pub fn metadata(&mut self) -> Type {
        self.intern(TypeKind::Metadata)
    }

    /// The integer of `bits` bits.
    pub fn int(&mut self, bits: u32) -> Type {
        self.intern(TypeKind::Int(bits))
    }

    /// `i1`.
    pub fn i1(&mut self) -> Type {
        self.int(1)
    }

    /// `i8`.
    pub fn i8(&mut self) -> Type {
        self.int(8)
    }

    /// `i16`.
    pub fn i16(&mut self) -> Type {
        self.int(16)
    }

    /// `i32`.
    pub fn i32(&mut self) -> Type {
        self.int(32)
    }

    /// `i64`.
    pub fn i64(&mut self) -> Type {
        self.int(64)
    }

    /// A pointer in the default address space.
    pub fn ptr(&mut self, pointee: Type) -> Type {
        self.ptr_in(pointee, 0)
    }

    /// A pointer in address space `space`.
    pub fn ptr_in(&mut self, pointee: Type, space: u32) -> Type {
        self.intern(TypeKind::Pointer { pointee, space })
    }

    /// `[len x elem]`.
    pub fn array(&mut self, elem: Type, len: u64) -> Type {
        self.intern(TypeKind::Array { elem, len })
    }

    /// `<len x elem>`.
    pub fn vector(&mut self, elem: Type, len: u32) -> Type {
        self.intern(TypeKind::Vector { elem, len })
    }

    /// A structure without a name.
    pub fn anon_struct(&mut self, types: &[Type]) -> Type {
        self.intern(TypeKind::Struct(Fields { types: types.into(), packed: false }))
    }

    /// The function type without variable arguments.
    pub fn function(&mut self, ret: Type, params: &[Type]) -> Type {
        self.intern(TypeKind::Function { ret, params: params.into(), vararg: false })
    }

    /// The structure of this name; made, and opaque, on first sight.
    pub fn named(&mut self, name: &str) -> Type {
        if let Some(&ty) = self.by_name.get(name) {
            return ty;
        }
        let ty = self.kinds.push(TypeKind::Named { name: Some(name.into()), body: None });
        self.by_name.insert(name.into(), ty);
        ty
    }

    /// The structure of this name with these fields, which are set if it was opaque. One that has
    /// fields already keeps them.
    pub fn named_struct(&mut self, name: &str, fields: &[Type]) -> Type {
        let ty = self.named(name);
        if let TypeKind::Named { body: body @ None, .. } = &mut self.kinds[ty] {
            *body = Some(Fields { types: fields.into(), packed: false });
        }
        ty
    }

    /// The structure of this name, if there is one.
    pub fn find_named(&self, name: &str) -> Option<Type> {
        self.by_name.get(name).copied()
    }

    /// A new opaque structure that has an identity but no name.
    pub fn new_unnamed(&mut self) -> Type {
        self.kinds.push(TypeKind::Named { name: None, body: None })
    }

    /// Names a structure that has none. Does nothing and gives false when the name is taken or `ty`
    /// is no structure without name.
    pub fn set_name(&mut self, ty: Type, new: &str) -> bool {
        if self.by_name.contains_key(new) {
            return false;
        }
        match &mut self.kinds[ty] {
            TypeKind::Named { name: name @ None, .. } => *name = Some(new.into()),
            _ => return false,
        }
        self.by_name.insert(new.into(), ty);
        true
    }

    /// Sets the fields of an opaque structure. Does nothing and gives false for any other type.
    pub fn set_body(&mut self, ty: Type, fields: Fields) -> bool {
        match &mut self.kinds[ty] {
            TypeKind::Named { body: body @ None, .. } => {
                *body = Some(fields);
                true
            }
            _ => false,
        }
    }

    /// The fields of a structure, named or not.
    pub fn fields(&self, ty: Type) -> Option<&Fields> {
        match &self.kinds[ty] {
            TypeKind::Struct(fields) => Some(fields),
            TypeKind::Named { body, .. } => body.as_ref(),
            _ => None,
        }
    }

    /// The name of a named structure.
    pub fn struct_name(&self, ty: Type) -> Option<&str> {
        match &self.kinds[ty] {
            TypeKind::Named { name, .. } => name.as_deref(),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: Type) -> Option<Type> {
        match self.kinds[ty] {
            TypeKind::Pointer { pointee, .. } => Some(pointee),
            _ => None,
        }
    }

    /// The type at `index` inside a structure, array, vector or pointer.
    pub fn element(&self, ty: Type, index: u64) -> Option<Type> {
        match &self.kinds[ty] {
            TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => Some(*elem),
            TypeKind::Pointer { pointee, .. } => Some(*pointee),
            _ => self.fields(ty)?.types.get(usize::try_from(index).ok()?).copied(),
        }
    }

    /// The component type of a vector, otherwise the type itself.
    pub fn scalar(&self, ty: Type) -> Type {
        match self.kinds[ty] {
            TypeKind::Vector { elem, .. } => elem,
            _ => ty,
        }
    }

    /// Whether it is a scalar floating-point type.
    pub fn is_float(&self, ty: Type) -> bool {
        matches!(self.kinds[ty], TypeKind::Half | TypeKind::Float | TypeKind::Double)
    }

    /// Whether it is an integer.
    pub fn is_int(&self, ty: Type) -> bool {
        matches!(self.kinds[ty], TypeKind::Int(_))
    }

    /// The result, parameters and variadicity of a function type.
    pub fn signature(&self, ty: Type) -> Option<(Type, &[Type], bool)> {
        match &self.kinds[ty] {
            TypeKind::Function { ret, params, vararg } => Some((*ret, params, *vararg)),
            _ => None,
        }
    }

    /// `like`, a scalar or vector, with its component type replaced by `elem`.
    pub fn reshape(&mut self, like: Type, elem: Type) -> Type {
        match self.kinds[like] {
            TypeKind::Vector { len, .. } => self.vector(elem, len),
            _ => elem,
        }
    }
}
