//! Instructions: an [`Op`] per shape of operands, and the small enumerations inside.
//!
//! Discriminants are the numbers in bitcode, texts the spelling in listings.

use super::Value;
use super::attrs::Attrs;
use super::entities::{Block, Indices, List};
use super::types::Type;

macro_rules! codes {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $code:literal $text:literal;)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`.")] $variant = $code,)*
        }

        impl $name {
            /// The one with this number.
            pub fn from_code(code: u64) -> Option<Self> {
                match code { $($code => Some($name::$variant),)* _ => None }
            }

            /// The number in bitcode.
            pub fn code(self) -> u64 {
                self as u64
            }

            /// The spelling in listings.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

codes! {
    /// Operations on two numbers. Integer and float flavours are distinguished by the type of the
    /// operands, in memory as in bitcode: `Add` on floats is `fadd`.
    BinOp {
        Add = 0 "add";
        Sub = 1 "sub";
        Mul = 2 "mul";
        UDiv = 3 "udiv";
        SDiv = 4 "sdiv";
        URem = 5 "urem";
        SRem = 6 "srem";
        Shl = 7 "shl";
        LShr = 8 "lshr";
        AShr = 9 "ashr";
        And = 10 "and";
        Or = 11 "or";
        Xor = 12 "xor";
    }
}

impl BinOp {
    /// The spelling in listings on floats; none when there is no such operation. `SDiv` and `SRem`
    /// are the float division and remainder.
    pub fn float_text(self) -> Option<&'static str> {
        match self {
            BinOp::Add => Some("fadd"),
            BinOp::Sub => Some("fsub"),
            BinOp::Mul => Some("fmul"),
            BinOp::SDiv => Some("fdiv"),
            BinOp::SRem => Some("frem"),
            _ => None,
        }
    }
}

codes! {
    /// Conversions.
    CastOp {
        Trunc = 0 "trunc";
        ZExt = 1 "zext";
        SExt = 2 "sext";
        FpToUi = 3 "fptoui";
        FpToSi = 4 "fptosi";
        UiToFp = 5 "uitofp";
        SiToFp = 6 "sitofp";
        FpTrunc = 7 "fptrunc";
        FpExt = 8 "fpext";
        PtrToInt = 9 "ptrtoint";
        IntToPtr = 10 "inttoptr";
        BitCast = 11 "bitcast";
        AddrSpaceCast = 12 "addrspacecast";
    }
}

codes! {
    /// Comparisons: floats first (`O` ordered, `U` unordered or), then integers (`I`).
    CmpPred {
        FFalse = 0 "false";
        OEq = 1 "oeq";
        OGt = 2 "ogt";
        OGe = 3 "oge";
        OLt = 4 "olt";
        OLe = 5 "ole";
        ONe = 6 "one";
        Ord = 7 "ord";
        Uno = 8 "uno";
        UEq = 9 "ueq";
        UGt = 10 "ugt";
        UGe = 11 "uge";
        ULt = 12 "ult";
        ULe = 13 "ule";
        UNe = 14 "une";
        FTrue = 15 "true";
        IEq = 32 "eq";
        INe = 33 "ne";
        IUgt = 34 "ugt";
        IUge = 35 "uge";
        IUlt = 36 "ult";
        IUle = 37 "ule";
        ISgt = 38 "sgt";
        ISge = 39 "sge";
        ISlt = 40 "slt";
        ISle = 41 "sle";
    }
}

impl CmpPred {
    /// Whether it compares floats.
    pub fn is_float(self) -> bool {
        self.code() < 32
    }
}

codes! {
    /// What an atomic read-modify-write does.
    RmwOp {
        Xchg = 0 "xchg";
        Add = 1 "add";
        Sub = 2 "sub";
        And = 3 "and";
        Nand = 4 "nand";
        Or = 5 "or";
        Xor = 6 "xor";
        Max = 7 "max";
        Min = 8 "min";
        UMax = 9 "umax";
        UMin = 10 "umin";
    }
}

codes! {
    /// How an atomic access is ordered.
    Ordering {
        Unordered = 1 "unordered";
        Monotonic = 2 "monotonic";
        Acquire = 3 "acquire";
        Release = 4 "release";
        AcqRel = 5 "acq_rel";
        SeqCst = 6 "seq_cst";
    }
}

/// The flags of operations and comparisons on numbers; which bits mean what depends on the operation.
pub mod flags {
    /// `add`, `sub`, `mul`, `shl`: no unsigned wrap.
    pub const NUW: u8 = 1;
    /// `add`, `sub`, `mul`, `shl`: no signed wrap.
    pub const NSW: u8 = 2;
    /// Integer division and right shift: no remainder.
    pub const EXACT: u8 = 1;
    /// Floats: any algebra is fine. Implies the other float flags.
    pub const UNSAFE_ALGEBRA: u8 = 1;
    /// Floats: no NaNs.
    pub const NO_NANS: u8 = 2;
    /// Floats: no infinities.
    pub const NO_INFS: u8 = 4;
    /// Floats: the sign of zero does not matter.
    pub const NO_SIGNED_ZEROS: u8 = 8;
    /// Floats: a reciprocal may stand for a division.
    pub const ALLOW_RECIPROCAL: u8 = 16;
    /// Floats: all of it, what listings call `fast`.
    pub const FAST: u8 = 31;
}

/// How a call may be turned into a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tail {
    /// Not said.
    #[default]
    No,
    /// It may.
    Tail,
    /// It must.
    Must,
}

/// An instruction without its result type and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Leaves the function.
    Ret(Option<Value>),
    /// Jumps.
    Br(Block),
    /// Jumps one way or the other.
    CondBr {
        /// An `i1`.
        cond: Value,
        /// Where to if true.
        then: Block,
        /// Where to if false.
        other: Block,
    },
    /// Jumps by the value of an integer.
    Switch {
        /// The integer.
        value: Value,
        /// Where to if no case fits.
        default: Block,
        /// Constant, block, constant, block …
        cases: List,
    },
    /// Control never gets here.
    Unreachable,
    /// An operation on two numbers or vectors of numbers.
    Binary {
        /// Which.
        op: BinOp,
        /// See [`flags`].
        flags: u8,
        /// Left.
        lhs: Value,
        /// Right.
        rhs: Value,
    },
    /// A conversion to the result type.
    Cast {
        /// Which.
        op: CastOp,
        /// Of what.
        value: Value,
    },
    /// A comparison.
    Cmp {
        /// Which.
        pred: CmpPred,
        /// See [`flags`]; of floats only.
        flags: u8,
        /// Left.
        lhs: Value,
        /// Right.
        rhs: Value,
    },
    /// A choice between two values.
    Select {
        /// An `i1` or a vector of them.
        cond: Value,
        /// The result if true.
        then: Value,
        /// The result if false.
        other: Value,
    },
    /// The value that belongs to the block control came from: value, block, value, block …
    Phi(List),
    /// Room on the stack.
    Alloca {
        /// For what.
        allocated: Type,
        /// How many; a constant `i32 1` as a rule.
        count: Value,
        /// Alignment in bytes, 0 if not said.
        align: u32,
    },
    /// Reads memory.
    Load {
        /// From where.
        ptr: Value,
        /// Alignment in bytes, 0 if not said.
        align: u32,
        /// Whether it may not be moved or removed.
        volatile: bool,
    },
    /// Writes memory.
    Store {
        /// To where.
        ptr: Value,
        /// What.
        value: Value,
        /// Alignment in bytes, 0 if not said.
        align: u32,
        /// Whether it may not be moved or removed.
        volatile: bool,
    },
    /// The address of an element.
    Gep {
        /// Whether it promises to stay inside the object.
        inbounds: bool,
        /// The type that the base points to.
        source: Type,
        /// The base, then the indices.
        operands: List,
    },
    /// Calls a function.
    Call {
        /// The function.
        callee: Value,
        /// Its type.
        ty: Type,
        /// Attributes of this call.
        attrs: Attrs,
        /// The arguments.
        args: List,
        /// Calling convention.
        cc: u16,
        /// Whether it may become a jump.
        tail: Tail,
    },
    /// A field of a structure or array value.
    ExtractValue {
        /// The structure or array.
        value: Value,
        /// The path to the field.
        path: Indices,
    },
    /// A structure or array value with one field replaced.
    InsertValue {
        /// The structure or array.
        value: Value,
        /// The new field.
        field: Value,
        /// The path to the field.
        path: Indices,
    },
    /// A component of a vector.
    ExtractElement {
        /// The vector.
        vector: Value,
        /// Which component.
        index: Value,
    },
    /// A vector with one component replaced.
    InsertElement {
        /// The vector.
        vector: Value,
        /// The new component.
        value: Value,
        /// Which component.
        index: Value,
    },
    /// Components picked from two vectors.
    ShuffleVector {
        /// The first.
        lhs: Value,
        /// The second.
        rhs: Value,
        /// A constant vector of component numbers.
        mask: Value,
    },
    /// Changes memory atomically and gives what was there.
    AtomicRmw {
        /// How.
        op: RmwOp,
        /// Where.
        ptr: Value,
        /// With what.
        value: Value,
        /// The ordering.
        ordering: Ordering,
        /// Whether it may not be moved or removed.
        volatile: bool,
        /// Whether all threads see it, not only this one.
        cross_thread: bool,
    },
    /// Stores if memory holds an expected value; gives what was there and whether it stored.
    CmpXchg {
        /// Where.
        ptr: Value,
        /// The expected value.
        expected: Value,
        /// The new value.
        new: Value,
        /// The ordering if it stored.
        success: Ordering,
        /// The ordering if it did not.
        failure: Ordering,
        /// Volatile (1), cross-thread (2), weak (4): see [`cmpxchg`].
        flags: u8,
    },
    /// Orders memory accesses.
    Fence {
        /// How.
        ordering: Ordering,
        /// Among all threads, not only in this one.
        cross_thread: bool,
    },
}

/// The flags of [`Op::CmpXchg`].
pub mod cmpxchg {
    /// It may not be moved or removed.
    pub const VOLATILE: u8 = 1;
    /// All threads see it, not only this one.
    pub const CROSS_THREAD: u8 = 2;
    /// It may fail although memory held the expected value.
    pub const WEAK: u8 = 4;
}

const _: () = assert!(std::mem::size_of::<Op>() <= 36);

impl Op {
    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(self, Op::Ret(_) | Op::Br(_) | Op::CondBr { .. } | Op::Switch { .. } | Op::Unreachable)
    }
}
