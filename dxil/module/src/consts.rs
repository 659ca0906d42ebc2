//! Constants: interned together with their type.
//!
//! There is one spelling of every constant: an integer or float zero is an [`ConstKind::Int`] or
//! [`ConstKind::Float`], every other zero is [`ConstKind::Null`]; a vector or array of plain numbers
//! other than halves, which bitcode of LLVM 3.7 has no data record for, is [`ConstKind::Data`],
//! everything else with elements an [`ConstKind::Aggregate`]. The constructors see to that.

use super::Value;
use super::inst::{BinOp, CastOp, CmpPred};
use super::types::{Type, TypeKind, Types};
use rtc_base::Unique;
use rtc_base::entity::{PackedOption, PrimaryMap};

rtc_base::entity! {
    /// A constant of a module.
    pub struct Const = "c";
}

/// A constant and its type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ConstData {
    /// The type.
    pub ty: Type,
    /// The value.
    pub kind: ConstKind,
}

/// What a constant is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ConstKind {
    /// All zero: a null pointer or an aggregate of zeros.
    Null,
    /// Any value.
    Undef,
    /// An integer of at most 64 bits, sign-extended from its width.
    Int(i64),
    /// An integer of more than 64 bits, low word first.
    WideInt(Box<[u64]>),
    /// A float: its bits, in the low end.
    Float(u64),
    /// A vector or array of numbers of at most 64 bits: the bits of each, zero-extended.
    Data(Box<[u64]>),
    /// A vector, array or structure of constants, globals or functions.
    Aggregate(Box<[Value]>),
    /// A converted constant.
    Cast {
        /// How.
        op: CastOp,
        /// What.
        value: Value,
    },
    /// An address inside a global.
    Gep {
        /// Whether it promises to stay inside the object.
        inbounds: bool,
        /// The type that the base points to.
        source: Type,
        /// The base, then the indices.
        operands: Box<[Value]>,
    },
    /// An operation on two constants.
    Binary {
        /// Which.
        op: BinOp,
        /// Wrapping flags, as in instructions.
        flags: u8,
        /// Left and right.
        operands: [Value; 2],
    },
    /// A comparison of two constants.
    Compare {
        /// Which.
        pred: CmpPred,
        /// Left and right.
        operands: [Value; 2],
    },
    /// A choice between two constants.
    Select {
        /// Condition, value if true, value if false.
        operands: [Value; 3],
    },
}

impl ConstKind {
    /// The values that it is made of.
    pub fn operands(&self) -> &[Value] {
        match self {
            ConstKind::Aggregate(values) => values,
            ConstKind::Gep { operands, .. } => operands,
            ConstKind::Cast { value, .. } => std::slice::from_ref(value),
            ConstKind::Binary { operands, .. } | ConstKind::Compare { operands, .. } => operands,
            ConstKind::Select { operands } => operands,
            ConstKind::Null | ConstKind::Undef | ConstKind::Int(_) | ConstKind::WideInt(_) | ConstKind::Float(_) | ConstKind::Data(_) => {
                &[]
            }
        }
    }
}

/// The numbers below this are in [`Consts::small`].
const SMALL: usize = 256;

/// The constants of one module.
#[derive(Debug, Clone, Default)]
pub struct Consts {
    data: PrimaryMap<Const, ConstData>,
    interned: Unique<Const>,
    /// The first few numbers of 32 bits, which are needed again and again.
    small: Vec<PackedOption<Const>>,
}

impl PartialEq for Consts {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data
    }
}

impl std::ops::Index<Const> for Consts {
    type Output = ConstData;
    fn index(&self, c: Const) -> &ConstData {
        &self.data[c]
    }
}

impl Consts {
    /// How many constants there are.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there is no constant yet.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Every constant, in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (Const, &ConstData)> {
        self.data.iter()
    }

    /// The constant with exactly this data. Prefer the constructors, which keep to the one spelling.
    pub fn intern(&mut self, ty: Type, kind: ConstKind) -> Const {
        self.interned.find_or_push(&mut self.data, ConstData { ty, kind })
    }

    /// The integer `value` of type `ty`, cut to the width of the type.
    pub fn int(&mut self, types: &Types, ty: Type, value: i64) -> Const {
        let bits = match types[ty] {
            TypeKind::Int(bits) => bits,
            _ => 64,
        };
        if bits == 32 && (0..SMALL as i64).contains(&value) {
            if self.small.is_empty() {
                self.small.resize(SMALL, None.into());
            }
            if let Some(c) = self.small[value as usize].expand() {
                return c;
            }
            let c = self.intern(ty, ConstKind::Int(value));
            self.small[value as usize] = Some(c).into();
            return c;
        }
        self.intern(ty, ConstKind::Int(sign_extend(value, bits)))
    }

    /// The float with these bits: 16 for `half`, 32 for `float`, 64 for `double`.
    pub fn float_bits(&mut self, ty: Type, bits: u64) -> Const {
        self.intern(ty, ConstKind::Float(bits))
    }

    /// The zero of any type.
    pub fn null(&mut self, types: &Types, ty: Type) -> Const {
        self.intern(ty, zero(types, ty))
    }

    /// The undefined value of any type.
    pub fn undef(&mut self, ty: Type) -> Const {
        self.intern(ty, ConstKind::Undef)
    }

    /// A vector or array of numbers given by their bits, each cut to the width of the element.
    pub fn data(&mut self, ty: Type, mut bits: Vec<u64>, width: u32) -> Const {
        for b in &mut bits {
            *b = cut(*b, width);
        }
        if bits.iter().all(|&b| b == 0) {
            return self.intern(ty, ConstKind::Null);
        }
        self.intern(ty, ConstKind::Data(bits.into()))
    }

    /// The array of bytes `text`, without a terminator of its own.
    pub fn bytes(&mut self, types: &mut Types, text: &[u8]) -> Const {
        let i8 = types.i8();
        let ty = types.array(i8, text.len() as u64);
        self.data(ty, text.iter().map(|&b| u64::from(b)).collect(), 8)
    }

    /// The array of these words.
    pub fn words(&mut self, types: &mut Types, words: &[u32]) -> Const {
        let i32 = types.i32();
        let ty = types.array(i32, words.len() as u64);
        self.data(ty, words.iter().map(|&w| u64::from(w)).collect(), 32)
    }

    /// A vector, array or structure of `values`, in the one spelling it has.
    pub fn aggregate(&mut self, types: &Types, ty: Type, values: &[Value]) -> Const {
        let all = |test: &dyn Fn(&ConstData) -> bool| values.iter().all(|v| matches!(*v, Value::Const(c) if test(&self.data[c])));
        if all(&|c| c.kind == ConstKind::Undef) && !values.is_empty() {
            return self.undef(ty);
        }
        if all(&|c| c.kind == zero(types, c.ty)) {
            return self.intern(ty, ConstKind::Null);
        }
        let sequence = matches!(types[ty], TypeKind::Vector { .. } | TypeKind::Array { .. });
        let number = |c: &ConstData| matches!(c.kind, ConstKind::Int(_) | ConstKind::Float(_));
        let width = types.element(ty, 0).and_then(|e| data_width(types, e));
        if let Some(width) = width.filter(|_| sequence && all(&number)) {
            let bits = values.iter().map(|&v| match v {
                Value::Const(c) => match self.data[c].kind {
                    ConstKind::Int(i) => i as u64,
                    ConstKind::Float(f) => f,
                    _ => 0,
                },
                _ => 0,
            });
            let bits = bits.collect();
            return self.data(ty, bits, width);
        }
        self.intern(ty, ConstKind::Aggregate(values.into()))
    }
}

/// How the zero of a type is spelled.
pub fn zero(types: &Types, ty: Type) -> ConstKind {
    match types[ty] {
        TypeKind::Int(bits) if bits <= 64 => ConstKind::Int(0),
        TypeKind::Half | TypeKind::Float | TypeKind::Double => ConstKind::Float(0),
        _ => ConstKind::Null,
    }
}

/// The width in bits of an element that [`ConstKind::Data`] can hold: one of the types that LLVM 3.7 reads data records of.
pub fn data_width(types: &Types, ty: Type) -> Option<u32> {
    number_width(types, ty).filter(|w| matches!(w, 8 | 16 | 32 | 64) && types[ty] != TypeKind::Half)
}

/// The width in bits of an integer of at most 64 bits or a float.
pub fn number_width(types: &Types, ty: Type) -> Option<u32> {
    match types[ty] {
        TypeKind::Int(bits) if bits <= 64 => Some(bits),
        TypeKind::Half => Some(16),
        TypeKind::Float => Some(32),
        TypeKind::Double => Some(64),
        _ => None,
    }
}

/// The low `bits` bits of `value`.
pub fn cut(value: u64, bits: u32) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

/// `value` as a two's complement number of `bits` bits.
pub fn sign_extend(value: i64, bits: u32) -> i64 {
    if bits == 0 || bits >= 64 { value } else { value << (64 - bits) >> (64 - bits) }
}
