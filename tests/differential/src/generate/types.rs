//! Types of generated programs, and how exact their values are.

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// `int`
    Int,
    /// `uint`
    Uint,
    /// `float`
    Float,
    /// `bool`
    Bool,
    /// `int16_t`
    I16,
    /// `uint16_t`
    U16,
    /// `float16_t`
    F16,
    /// `int64_t`
    I64,
    /// `uint64_t`
    U64,
    /// `double`
    F64,
    /// `min16int`
    MinInt,
    /// `min16uint`
    MinUint,
    /// `min16float`
    MinFloat,
}

/// The bits of a value's magnitude and of its fraction: a multiple of `2^-fraction` whose absolute value is at most `2^magnitude`.
/// As long as their sum is no more than the bits of the type, arithmetic is exact, whatever the order and precision in which a compiler computes
/// it. Integers that wrap have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// Bits of the magnitude.
    pub magnitude: i32,
    /// Bits of the fraction.
    pub fraction: i32,
}

impl Bits {
    /// Both together.
    pub fn total(self) -> i32 {
        self.magnitude + self.fraction
    }
    /// Those of a value that may be either.
    pub fn either(self, other: Bits) -> Bits {
        Bits { magnitude: self.magnitude.max(other.magnitude), fraction: self.fraction.max(other.fraction) }
    }
    /// Those of a sum.
    pub fn sum(self, other: Bits) -> Bits {
        let both = self.either(other);
        Bits { magnitude: both.magnitude + 1, ..both }
    }
    /// Those of a product.
    pub fn product(self, other: Bits) -> Bits {
        Bits { magnitude: self.magnitude + other.magnitude, fraction: self.fraction + other.fraction }
    }
}

impl Scalar {
    /// The name in HLSL.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Int => "int",
            Scalar::Uint => "uint",
            Scalar::Float => "float",
            Scalar::Bool => "bool",
            Scalar::I16 => "int16_t",
            Scalar::U16 => "uint16_t",
            Scalar::F16 => "float16_t",
            Scalar::I64 => "int64_t",
            Scalar::U64 => "uint64_t",
            Scalar::F64 => "double",
            Scalar::MinInt => "min16int",
            Scalar::MinUint => "min16uint",
            Scalar::MinFloat => "min16float",
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Float | Scalar::F16 | Scalar::F64 | Scalar::MinFloat)
    }

    /// Whether it is one of the types of at least 16 bits, whose overflow is not defined.
    pub fn is_min(self) -> bool {
        matches!(self, Scalar::MinInt | Scalar::MinUint | Scalar::MinFloat)
    }

    /// Whether it is an integer without a sign.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Scalar::Uint | Scalar::U16 | Scalar::U64 | Scalar::MinUint)
    }

    /// Whether arithmetic on it must stay within some number of bits.
    pub fn is_bounded(self) -> bool {
        self.is_float() || self.is_min()
    }

    /// The bits of a wrapping integer.
    pub fn width(self) -> u32 {
        match self {
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 16,
            _ => 32,
        }
    }

    /// The bits that a value in a variable has at most; `bound` of the generated program brings a value into them. A product of two such
    /// values is exact.
    pub fn stored(self) -> Bits {
        let (magnitude, fraction) = match self {
            Scalar::Float => (7, 4),
            Scalar::F16 | Scalar::MinFloat => (3, 2),
            Scalar::F64 => (12, 8),
            Scalar::MinInt | Scalar::MinUint => (7, 0),
            _ => (0, 0),
        };
        Bits { magnitude, fraction }
    }

    /// The bits that the type represents exactly.
    pub fn capacity(self) -> i32 {
        match self {
            Scalar::Float => 24,
            Scalar::F16 | Scalar::MinFloat => 11,
            Scalar::F64 => 52,
            Scalar::MinInt | Scalar::MinUint => 15,
            _ => i32::MAX,
        }
    }
}

/// A scalar, a vector (one row) or a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numeric {
    /// Of its components.
    pub scalar: Scalar,
    /// Rows.
    pub rows: u32,
    /// Columns.
    pub columns: u32,
}

impl Numeric {
    /// A scalar.
    pub const fn scalar(scalar: Scalar) -> Numeric {
        Numeric { scalar, rows: 1, columns: 1 }
    }
    /// A vector; a scalar if `n` is one.
    pub const fn vector(scalar: Scalar, n: u32) -> Numeric {
        Numeric { scalar, rows: 1, columns: n }
    }
    /// The same shape of another scalar.
    pub fn of(self, scalar: Scalar) -> Numeric {
        Numeric { scalar, ..self }
    }
    /// Whether it has rows.
    pub fn is_matrix(self) -> bool {
        self.rows > 1
    }
    /// Whether it has neither rows nor columns.
    pub fn is_scalar(self) -> bool {
        self.rows == 1 && self.columns == 1
    }
    /// Number of components.
    pub fn count(self) -> u32 {
        self.rows * self.columns
    }
    /// A row of a matrix; a component of a vector.
    pub fn row(self) -> Numeric {
        if self.is_matrix() { Numeric::vector(self.scalar, self.columns) } else { Numeric::scalar(self.scalar) }
    }
    /// The name in HLSL.
    pub fn name(self) -> String {
        let scalar = self.scalar.name();
        match (self.rows, self.columns) {
            (1, 1) => scalar.to_string(),
            (1, n) => format!("{scalar}{n}"),
            (r, c) => format!("{scalar}{r}x{c}"),
        }
    }
}

/// The type of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// A scalar, vector or matrix.
    Numeric(Numeric),
    /// Elements of one type.
    Array(Box<Type>, u32),
    /// The structure of a number.
    Struct(usize),
}

/// A member of a structure.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// `row_major ` or `column_major `, or nothing.
    pub packing: &'static str,
}

/// A structure.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name; an instance of a template has arguments.
    pub name: String,
    /// What it inherits from.
    pub base: Option<usize>,
    /// Its own members.
    pub fields: Vec<Field>,
    /// About how many bytes it has, padding included.
    pub bytes: u32,
    /// Whether it may be in buffers: no types whose size is not defined.
    pub in_memory: bool,
    /// Whether all of it are integers of 32 bits and more.
    pub operators: bool,
}
