//! Types, interned: two types are equal exactly when their indices are.
//!
//! Integers have no sign (instructions do). There is no matrix: a matrix is an array of its rows. There is
//! no pointer: variables are reached through places.

use rtc_base::PrimaryMap;
use rtc_tables::linalg::MatrixType;
use rtc_tables::resources::{CompType, ResourceClass, ResourceFlags, ResourceKind};
use rustc_hash::FxHashMap;

use crate::{SpirvType, Struct, Type};

/// Scalar types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// Boolean. In variables' memory it has 32 bits.
    Bool,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// Half.
    F16,
    /// Float.
    F32,
    /// Double.
    F64,
}

impl Scalar {
    /// All scalars with their names in text.
    pub const ALL: [(Scalar, &'static str); 7] = [
        (Scalar::Bool, "bool"),
        (Scalar::I16, "i16"),
        (Scalar::I32, "i32"),
        (Scalar::I64, "i64"),
        (Scalar::F16, "f16"),
        (Scalar::F32, "f32"),
        (Scalar::F64, "f64"),
    ];
    /// The name in text.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
    /// Width in bits; 1 for `bool`.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::I16 | Scalar::F16 => 16,
            Scalar::I32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::F64 => 64,
        }
    }
    /// Bytes in memory (`bool`: 4).
    pub fn bytes(self) -> u32 {
        if self == Scalar::Bool { 4 } else { self.bits() / 8 }
    }
    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        self >= Scalar::F16
    }
    /// Whether it is an integer (not `bool`).
    pub fn is_int(self) -> bool {
        matches!(self, Scalar::I16 | Scalar::I32 | Scalar::I64)
    }
    /// The integer of `bits` bits.
    pub fn int(bits: u32) -> Option<Scalar> {
        [Scalar::I16, Scalar::I32, Scalar::I64].into_iter().find(|s| s.bits() == bits)
    }
}

/// A resource's type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResourceType {
    /// Register class.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// What a load gives: the texel as scalar or vector. `None` for what is not typed.
    pub elem: Option<Type>,
    /// The component type of typed resources, with sign and normalisation.
    pub comp: CompType,
    /// Structured buffers: bytes of an element. Constant buffers: bytes in all. Else 0.
    pub stride: u32,
    /// Samples of multisampled textures if declared, else 0; the kind of map of sampler feedback.
    pub samples: u32,
    /// Further properties.
    pub flags: ResourceFlags,
}

/// What a type is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// A scalar.
    Scalar(Scalar),
    /// A vector of 2 or more components (1-component vectors are scalars).
    Vector(Scalar, u32),
    /// An array; never of length 0.
    Array(Type, u32),
    /// A structure.
    Struct(Struct),
    /// A resource handle.
    Resource(ResourceType),
    /// A hit object.
    HitObject,
    /// A ray query, by reference: its ray flags and its query flags.
    RayQuery(u32, u32),
    /// A type made of an instruction of SPIR-V.
    Spirv(SpirvType),
    /// A matrix of linear algebra, which threads may share.
    Linalg(MatrixType),
}

/// The module's types.
#[derive(Clone)]
pub struct TypeTable {
    kinds: PrimaryMap<Type, TypeKind>,
    ids: FxHashMap<TypeKind, Type>,
}

/// Types that every table has, at fixed indices.
impl Type {
    /// `bool`
    pub const BOOL: Type = ty(0);
    /// `i16`
    pub const I16: Type = ty(1);
    /// `i32`
    pub const I32: Type = ty(2);
    /// `i64`
    pub const I64: Type = ty(3);
    /// `f16`
    pub const F16: Type = ty(4);
    /// `f32`
    pub const F32: Type = ty(5);
    /// `f64`
    pub const F64: Type = ty(6);
    /// `i32x2`
    pub const I32X2: Type = ty(7);
    /// `i32x3`
    pub const I32X3: Type = ty(8);
    /// `i32x4`
    pub const I32X4: Type = ty(9);
    /// `f32x2`
    pub const F32X2: Type = ty(10);
    /// `f32x3`
    pub const F32X3: Type = ty(11);
    /// `f32x4`
    pub const F32X4: Type = ty(12);
    /// `hitobj`
    pub const HIT_OBJECT: Type = ty(13);
}

const fn ty(n: u32) -> Type {
    Type::number(n)
}

impl Default for TypeTable {
    fn default() -> Self {
        let mut t = TypeTable { kinds: PrimaryMap::new(), ids: FxHashMap::default() };
        for (s, _) in Scalar::ALL {
            t.intern(TypeKind::Scalar(s));
        }
        for s in [Scalar::I32, Scalar::F32] {
            for n in 2..=4 {
                t.intern(TypeKind::Vector(s, n));
            }
        }
        t.intern(TypeKind::HitObject);
        debug_assert_eq!(t.hit_object(), Type::HIT_OBJECT);
        t
    }
}

impl TypeTable {
    fn intern(&mut self, kind: TypeKind) -> Type {
        if let Some(&t) = self.ids.get(&kind) {
            return t;
        }
        let t = self.kinds.push(kind);
        self.ids.insert(kind, t);
        t
    }
    /// What `t` is.
    pub fn kind(&self, t: Type) -> TypeKind {
        self.kinds[t]
    }
    /// Whether `t` is a type of this table.
    pub fn is_valid(&self, t: Type) -> bool {
        self.kinds.is_valid(t)
    }
    /// All types in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Type, TypeKind)> + '_ {
        self.kinds.iter().map(|(t, k)| (t, *k))
    }
    /// The scalar type `s`.
    pub fn scalar(&self, s: Scalar) -> Type {
        Type::from_u32(s as u32)
    }
    /// The vector of `n` components, or the scalar when `n` is 1.
    pub fn vector(&mut self, s: Scalar, n: u32) -> Type {
        assert!(n > 0, "a vector has components");
        if n == 1 { self.scalar(s) } else { self.intern(TypeKind::Vector(s, n)) }
    }
    /// The array of `n` elements.
    pub fn array(&mut self, elem: Type, n: u32) -> Type {
        self.intern(TypeKind::Array(elem, n))
    }
    /// The structure type `s`.
    pub fn struct_(&mut self, s: Struct) -> Type {
        self.intern(TypeKind::Struct(s))
    }
    /// The resource type `r`.
    pub fn resource(&mut self, r: ResourceType) -> Type {
        self.intern(TypeKind::Resource(r))
    }
    /// A type made of an instruction of SPIR-V.
    pub fn spirv(&mut self, s: SpirvType) -> Type {
        self.intern(TypeKind::Spirv(s))
    }
    /// A matrix of linear algebra.
    pub fn linalg(&mut self, t: MatrixType) -> Type {
        self.intern(TypeKind::Linalg(t))
    }
    /// The matrix of linear algebra that `t` is, if it is one.
    pub fn as_linalg(&self, t: Type) -> Option<MatrixType> {
        match self.kind(t) {
            TypeKind::Linalg(m) => Some(m),
            _ => None,
        }
    }
    /// The hit object type.
    pub fn hit_object(&self) -> Type {
        Type::HIT_OBJECT
    }
    /// The ray query with these ray flags and query flags.
    pub fn ray_query(&mut self, flags: u32, query_flags: u32) -> Type {
        self.intern(TypeKind::RayQuery(flags, query_flags))
    }
    /// Whether `t` is a ray query.
    pub fn is_ray_query(&self, t: Type) -> bool {
        matches!(self.kind(t), TypeKind::RayQuery(..))
    }
    /// Component scalar and count of a scalar or vector.
    pub fn numeric(&self, t: Type) -> Option<(Scalar, u32)> {
        match self.kind(t) {
            TypeKind::Scalar(s) => Some((s, 1)),
            TypeKind::Vector(s, n) => Some((s, n)),
            _ => None,
        }
    }
    /// Component scalar of a scalar or vector. Must be one.
    pub fn elem(&self, t: Type) -> Scalar {
        self.numeric(t).expect("a scalar or vector").0
    }
    /// Component count of a scalar or vector. Must be one.
    pub fn lanes(&self, t: Type) -> u32 {
        self.numeric(t).expect("a scalar or vector").1
    }
    /// Same component count as `t`, components `s`.
    pub fn with_elem(&mut self, t: Type, s: Scalar) -> Type {
        let n = self.lanes(t);
        self.vector(s, n)
    }
    /// The resource type of handle type `t`.
    pub fn as_resource(&self, t: Type) -> Option<ResourceType> {
        match self.kind(t) {
            TypeKind::Resource(r) => Some(r),
            _ => None,
        }
    }
    /// Whether these are typed resources that differ in normalisation alone. A variable may hold either: the texels are those of the resource.
    pub fn differ_in_normalisation(&self, a: Type, b: Type) -> bool {
        match (self.as_resource(a), self.as_resource(b)) {
            (Some(a), Some(b)) => ResourceType { comp: a.comp.plain(), ..a } == ResourceType { comp: b.comp.plain(), ..b },
            _ => false,
        }
    }
    /// Whether values of the type can be SSA values: everything but arrays and structures.
    pub fn is_value(&self, t: Type) -> bool {
        !matches!(self.kind(t), TypeKind::Array(..) | TypeKind::Struct(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn fixed_types_are_what_they_say() {
        let t = TypeTable::default();
        assert_eq!(t.kind(Type::F64), TypeKind::Scalar(Scalar::F64));
        assert_eq!(t.kind(Type::I32X3), TypeKind::Vector(Scalar::I32, 3));
        assert_eq!(t.kind(Type::F32X4), TypeKind::Vector(Scalar::F32, 4));
        assert_eq!(t.kind(Type::HIT_OBJECT), TypeKind::HitObject);
    }
}
