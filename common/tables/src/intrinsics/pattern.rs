//! Patterns of parameter and result types of intrinsics.
//!
//! A numeric pattern has two independent parts: the [`Class`] of its components and its [`Shape`]. Either can be
//! tied to another parameter ([`Class::Like`], [`Shape::Like`], or both with [`Pat::Same`]); tied
//! parameters are resolved together: `max(int, float3)` gives both the type `float3`. Dimensions with a name
//! ([`Dim::C`] and so on) are equal wherever the name occurs in one signature.

use std::fmt;

use super::objects::Object;

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Read only.
    In,
    /// Written only.
    Out,
    /// Copied in and out.
    InOut,
    /// By reference: the destination of an atomic operation.
    Ref,
}

impl Mode {
    /// As written before the type.
    pub fn prefix(self) -> &'static str {
        match self {
            Mode::In => "",
            Mode::Out => "out ",
            Mode::InOut | Mode::Ref => "inout ",
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// How it is passed.
    pub mode: Mode,
    /// Its type pattern.
    pub pat: Pat,
}

/// `in pat`
pub const fn i(pat: Pat) -> Param {
    Param { mode: Mode::In, pat }
}
/// `out pat`
pub const fn o(pat: Pat) -> Param {
    Param { mode: Mode::Out, pat }
}
/// `inout pat`
pub const fn io(pat: Pat) -> Param {
    Param { mode: Mode::InOut, pat }
}
/// A reference parameter.
pub const fn r(pat: Pat) -> Param {
    Param { mode: Mode::Ref, pat }
}

/// The type pattern of a parameter or a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pat {
    /// No result.
    Void,
    /// A number, vector or matrix.
    Num(Shape, Class),
    /// The type of parameter n, resolved together with it.
    Same(u8),
    /// The template argument of the object: `T` of `Texture2D<T>`.
    Elem,
    /// The template argument of the call, `uint` without: `Load<T>(…)`. For a parameter: the type of the argument.
    FuncT,
    /// A structure (payload, attributes, callable parameters).
    Udt,
    /// The structure that is the template argument of the call: `GetAttributes<T>()`.
    UdtT,
    /// `RayDesc`.
    RayDesc,
    /// `BuiltInTrianglePositions`.
    TrianglePositions,
    /// An object of this type.
    Object(Object),
    /// A sampler of either kind.
    AnySampler,
    /// A writable resource of any kind.
    AnyUav,
    /// A matrix of linear algebra.
    Linalg,
    /// A groupshared array of numbers or vectors.
    SharedArray,
    /// A string literal.
    Str,
    /// Any further arguments; only last.
    Variadic,
}

/// The shape of a numeric pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A scalar.
    Scalar,
    /// A scalar, vector or matrix.
    Any,
    /// A vector.
    Vec(Dim),
    /// A matrix: rows, columns.
    Mat(Dim, Dim),
    /// The shape of parameter n.
    Like(u8),
}

/// A dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dim {
    /// Fixed.
    N(u8),
    /// Named `c`.
    C,
    /// Named `r`.
    R,
    /// Named `c2`.
    C2,
    /// Named `r2`.
    R2,
}

/// Component types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `uint`
    Uint,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `float16_t`
    Half,
    /// `int16_t`
    Int16,
    /// `uint16_t`
    Uint16,
    /// `int64_t`
    Int64,
    /// `uint64_t`
    Uint64,
    /// `half`, `float` and the minimum-precision floats.
    FloatLike,
    /// `FloatLike` and `double`.
    AnyFloat,
    /// Integers of every width and sign.
    AnyInt,
    /// 32-bit integers.
    AnyInt32,
    /// 64-bit integers.
    AnyInt64,
    /// 16- and 32-bit integers.
    AnyInt16Or32,
    /// Signed 16- and 32-bit integers.
    SInt16Or32,
    /// Integers and floats of every width.
    Numeric,
    /// 32-bit integers and floats.
    Numeric32,
    /// 16-bit integers and floats.
    Numeric16,
    /// `Numeric` and `bool`.
    Any,
    /// What vectors that are multiplied by matrices of linear algebra have: integers and floats of 16 bits and more, and packed bytes.
    Linalg,
    /// `uint` itself: an argument of another type does not match.
    UintOnly,
    /// Unsigned integers of every width: an argument of another type does not match.
    UnsignedOnly,
    /// `double` itself.
    DoubleOnly,
    /// `float` itself: the parameter is a reference.
    Float32Only,
    /// `int` or `uint` itself: the parameter is a reference.
    Int32Only,
    /// `int64_t` or `uint64_t` itself: the parameter is a reference.
    Int64Only,
    /// `int8_t4_packed`
    Int8x4,
    /// `uint8_t4_packed`
    Uint8x4,
    /// The component type of parameter n, resolved together with it.
    Like(u8),
    /// The component type of the object's template argument: `float` of `Texture2D<float4>`.
    Elem,
}

/// `void`
pub const VOID: Pat = Pat::Void;
/// The type of parameter 0.
pub const T0: Pat = Pat::Same(0);
/// The type of parameter 1.
pub const T1: Pat = Pat::Same(1);
/// The component type of parameter 0.
pub const ELEM0: Pat = Pat::Num(Shape::Scalar, Class::Like(0));
/// `float_like<>`
pub const FLOATS: Pat = Pat::Num(Shape::Any, Class::FloatLike);
/// `numeric<>`
pub const NUMERIC: Pat = Pat::Num(Shape::Any, Class::Numeric);
/// `any<>`
pub const ANY: Pat = Pat::Num(Shape::Any, Class::Any);
/// `any_int<>`
pub const INTS: Pat = Pat::Num(Shape::Any, Class::AnyInt);
/// `float_like<c>`
pub const FLOAT_VEC: Pat = Pat::Num(Shape::Vec(Dim::C), Class::FloatLike);
/// `bool`
pub const BOOL: Pat = Pat::Num(Shape::Scalar, Class::Bool);
/// `int`
pub const INT: Pat = Pat::Num(Shape::Scalar, Class::Int);
/// `uint`
pub const UINT: Pat = Pat::Num(Shape::Scalar, Class::Uint);
/// `float`
pub const FLOAT: Pat = Pat::Num(Shape::Scalar, Class::Float);
/// Any structure.
pub const UDT: Pat = Pat::Udt;

/// A vector of `n`.
pub const fn vec(n: u8, class: Class) -> Pat {
    Pat::Num(Shape::Vec(Dim::N(n)), class)
}
/// A matrix of fixed size.
pub const fn mat(rows: u8, cols: u8, class: Class) -> Pat {
    Pat::Num(Shape::Mat(Dim::N(rows), Dim::N(cols)), class)
}
/// The shape of parameter `n` with components of `class`.
pub const fn like(n: u8, class: Class) -> Pat {
    Pat::Num(Shape::Like(n), class)
}

impl Pat {
    /// The parameters that this pattern refers to.
    pub fn refers_to(self) -> impl Iterator<Item = u8> {
        let (a, b) = match self {
            Pat::Same(n) => (Some(n), None),
            Pat::Num(s, c) => (if let Shape::Like(n) = s { Some(n) } else { None }, if let Class::Like(n) = c { Some(n) } else { None }),
            _ => (None, None),
        };
        a.into_iter().chain(b)
    }
}

impl Class {
    /// As in signatures.
    pub fn name(self) -> &'static str {
        match self {
            Class::Bool => "bool",
            Class::Int => "int",
            Class::Uint => "uint",
            Class::Float => "float",
            Class::Double => "double",
            Class::Half => "float16_t",
            Class::Int16 => "int16_t",
            Class::Uint16 => "uint16_t",
            Class::Int64 => "int64_t",
            Class::Uint64 => "uint64_t",
            Class::FloatLike => "float_like",
            Class::AnyFloat => "any_float",
            Class::AnyInt => "any_int",
            Class::AnyInt32 => "any_int32",
            Class::AnyInt64 => "any_int64",
            Class::AnyInt16Or32 => "any_int16or32",
            Class::SInt16Or32 => "sint16or32",
            Class::Numeric => "numeric",
            Class::Numeric32 => "numeric32",
            Class::Numeric16 => "numeric16",
            Class::Any => "any",
            Class::Linalg => "linalg",
            Class::UintOnly => "uint",
            Class::UnsignedOnly => "any_uint",
            Class::DoubleOnly => "double",
            Class::Float32Only => "float",
            Class::Int32Only => "int32",
            Class::Int64Only => "int64",
            Class::Int8x4 => "int8_t4_packed",
            Class::Uint8x4 => "uint8_t4_packed",
            Class::Like(_) => "same",
            Class::Elem => "component",
        }
    }
}

impl Class {
    /// The name in diagnostics.
    pub fn readable(self) -> &'static str {
        match self {
            Class::FloatLike | Class::AnyFloat => "float",
            Class::AnyInt | Class::SInt16Or32 | Class::AnyInt16Or32 => "int",
            Class::AnyInt32 | Class::Int32Only => "int",
            Class::AnyInt64 | Class::Int64Only => "int64_t",
            Class::UnsignedOnly => "uint",
            Class::Numeric | Class::Numeric32 | Class::Numeric16 | Class::Linalg => "number",
            c => c.name(),
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::N(n) => write!(f, "{n}"),
            Dim::C => f.write_str("c"),
            Dim::R => f.write_str("r"),
            Dim::C2 => f.write_str("c2"),
            Dim::R2 => f.write_str("r2"),
        }
    }
}

impl fmt::Display for Pat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Pat::Void => f.write_str("void"),
            Pat::Num(shape, class) => {
                if let Class::Like(n) = class {
                    write!(f, "component{}", n + 1)?;
                } else {
                    f.write_str(class.name())?;
                }
                match shape {
                    Shape::Scalar => Ok(()),
                    Shape::Any => f.write_str("<>"),
                    Shape::Vec(d) => write!(f, "<{d}>"),
                    Shape::Mat(r, c) => write!(f, "<{r}, {c}>"),
                    Shape::Like(n) => write!(f, "<shape{}>", n + 1),
                }
            }
            Pat::Same(n) => write!(f, "type{}", n + 1),
            Pat::Elem | Pat::FuncT | Pat::UdtT => f.write_str("T"),
            Pat::Udt => f.write_str("struct"),
            Pat::RayDesc => f.write_str("RayDesc"),
            Pat::TrianglePositions => f.write_str("BuiltInTrianglePositions"),
            Pat::Object(o) => f.write_str(o.info().name),
            Pat::AnySampler => f.write_str("sampler"),
            Pat::AnyUav => f.write_str("UAV"),
            Pat::Linalg => f.write_str("LinAlgMatrix"),
            Pat::SharedArray => f.write_str("groupshared linalg<>[]"),
            Pat::Str => f.write_str("string"),
            Pat::Variadic => f.write_str("..."),
        }
    }
}
