//! Every record that we write or understand, as declarations.
//!
//! A block has a number and a width for its abbreviation numbers; a record has a code, the names of
//! its fields, and possibly abbreviated encodings. The writer tries those in order and takes the
//! first that fits the values at hand, otherwise the generic encoding: what a record looks like in
//! bits is decided here and nowhere else. The reader takes the codes and, for its complaints, the
//! names.

/// How an abbreviation encodes one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enc {
    /// Not at all: the field always has this value.
    Lit(u64),
    /// So many bits.
    Fixed(u32),
    /// Groups of so many bits, the top one of each saying whether another follows.
    Vbr(u32),
    /// Six bits: a letter, digit, `.` or `_`.
    Char6,
    /// All remaining fields, each in the same way; their number comes first.
    Array(&'static Enc),
}

/// A record.
#[derive(Debug)]
pub struct Record {
    /// Its code.
    pub code: u32,
    /// Its name.
    pub name: &'static str,
    /// The names of its leading fields; what follows them is optional or a list.
    pub fields: &'static [&'static str],
    /// The numbers of its abbreviations and the encodings of all fields.
    pub abbrevs: &'static [(u32, &'static [Enc])],
}

/// A block.
#[derive(Debug)]
pub struct BlockDecl {
    /// Its number.
    pub id: u32,
    /// Bits of an abbreviation number inside it.
    pub width: u32,
    /// Its records.
    pub records: &'static [&'static Record],
}

macro_rules! blocks {
    ($($(#[$meta:meta])* $block:ident = $id:literal width $width:literal {
        $($rec:ident = $code:literal ($($field:ident),*) $([$abbrev:literal: $($enc:expr),*])*;)*
    })*) => {
        $($(#[$meta])* pub mod $block {
            #[allow(unused_imports)]
            use super::{BlockDecl, Enc::*, Record};
            /// The block.
            pub static BLOCK: BlockDecl =
                BlockDecl { id: $id, width: $width, records: &[$(&$rec,)*] };
            $(
                #[doc = concat!("Record ", stringify!($code), ": ", $(stringify!($field), " ",)*)]
                pub static $rec: Record = Record {
                    code: $code,
                    name: stringify!($rec),
                    fields: &[$(stringify!($field),)*],
                    abbrevs: &[$(($abbrev, &[$($enc),*]),)*],
                };
            )*
        })*

        /// Every block that has records of its own.
        pub static BLOCKS: &[&BlockDecl] = &[$(&$block::BLOCK,)*];
    };
}

/// The block of abbreviations for other blocks.
pub const BLOCKINFO: u32 = 0;
/// In [`BLOCKINFO`]: what follows is for this block.
pub const SETBID: u32 = 1;
/// Abbreviation number: the block ends.
pub const END_BLOCK: u32 = 0;
/// Abbreviation number: a block begins.
pub const ENTER_SUBBLOCK: u32 = 1;
/// Abbreviation number: an abbreviation is defined.
pub const DEFINE_ABBREV: u32 = 2;
/// Abbreviation number: a record in the generic encoding.
pub const UNABBREV_RECORD: u32 = 3;
/// The first abbreviation number that is free.
pub const FIRST_ABBREV: u32 = 4;
/// The order of values inside use lists. Not a part of what a module means; read past.
pub const USELIST: u32 = 18;

blocks! {
    /// The module itself.
    module = 8 width 3 {
        VERSION = 1 (version);
        TRIPLE = 2 ();
        DATALAYOUT = 3 ();
        ASM = 4 ();
        SECTIONNAME = 5 ();
        DEPLIB = 6 ();
        GLOBALVAR = 7 (value_type, flags, init, linkage, align, section);
        FUNCTION = 8 (function_type, cc, is_declaration, linkage, attributes, align, section, visibility);
        ALIAS_OLD = 9 ();
        GCNAME = 11 ();
        COMDAT = 12 ();
        ALIAS = 14 ();
    }
    /// Lists of attribute groups.
    paramattr = 9 width 3 {
        ENTRY_OLD = 1 ();
        ENTRY = 2 ();
    }
    /// Attribute groups.
    paramattr_group = 10 width 3 {
        ENTRY = 3 (group, place);
    }
    /// Constants, of the module or of a function.
    constants = 11 width 4 {
        SETTYPE = 1 (ty) [4: Vbr(6)];
        NULL = 2 ();
        UNDEF = 3 ();
        INTEGER = 4 (value) [5: Vbr(8)];
        WIDE_INTEGER = 5 ();
        FLOAT = 6 (bits) [6: Fixed(32)];
        AGGREGATE = 7 () [7: Array(&Vbr(6))];
        STRING = 8 () [8: Array(&Fixed(8))];
        CSTRING = 9 () [9: Array(&Fixed(7))] [10: Array(&Fixed(8))];
        CE_BINOP = 10 (op, lhs, rhs);
        CE_CAST = 11 (op, from, value);
        CE_GEP = 12 ();
        CE_SELECT = 13 (cond, then, other);
        CE_CMP = 17 (ty, lhs, rhs, pred);
        CE_INBOUNDS_GEP = 20 ();
        DATA = 22 ();
    }
    /// The body of a function. A value is given relative to the next one that will be defined.
    function = 12 width 4 {
        DECLAREBLOCKS = 1 (count);
        BINOP = 2 (lhs, rhs, op) [4: Vbr(6), Vbr(6), Fixed(4)] [5: Vbr(6), Vbr(6), Fixed(4), Fixed(7)];
        CAST = 3 (value, ty, op) [6: Vbr(6), Vbr(6), Fixed(4)];
        EXTRACTELT = 6 (vector, index) [7: Vbr(6), Vbr(6)];
        INSERTELT = 7 (vector, value, index);
        SHUFFLEVEC = 8 (lhs, rhs, mask);
        RET = 10 ();
        BR = 11 (then);
        SWITCH = 12 (ty, value, default);
        UNREACHABLE = 15 () [8: ];
        PHI = 16 (ty);
        ALLOCA = 19 (ty, count_type, count, align);
        LOAD = 20 (ptr, ty, align, volatile) [9: Vbr(6), Vbr(6), Fixed(4), Lit(0)];
        STORE_OLD = 24 ();
        EXTRACTVAL = 26 (value) [10: Vbr(6), Vbr(6)];
        INSERTVAL = 27 (value, field);
        CMP2 = 28 (lhs, rhs, pred) [11: Vbr(6), Vbr(6), Fixed(6)] [12: Vbr(6), Vbr(6), Fixed(6), Fixed(7)];
        VSELECT = 29 (then, other, cond);
        DEBUG_LOC_AGAIN = 33 ();
        CALL = 34 (attributes, cc, ty, callee) [13: Vbr(6), Lit(1 << 15), Vbr(6), Array(&Vbr(6))];
        DEBUG_LOC = 35 (line, column, scope, inlined_at);
        FENCE = 36 (ordering, scope);
        ATOMICRMW = 38 (ptr, value, op, volatile, ordering, scope);
        GEP = 43 (inbounds, source, base) [14: Fixed(1), Vbr(6), Array(&Vbr(6))];
        STORE = 44 (ptr, value, align, volatile);
        CMPXCHG = 46 (ptr, expected, new, volatile, success, scope, failure, weak);
    }
    /// Names of values and blocks.
    symtab = 14 width 4 {
        ENTRY = 1 (value)
            [4: Vbr(8), Array(&Char6)] [5: Vbr(8), Array(&Fixed(7))] [6: Vbr(8), Array(&Fixed(8))];
        BBENTRY = 2 (block)
            [7: Vbr(8), Array(&Char6)] [8: Vbr(8), Array(&Fixed(8))];
    }
    /// Metadata. The codes from 12 on are debug information. Text here is always of 8-bit characters:
    /// the validator's reader takes an array of 7-bit ones for bytes and loses its place.
    metadata = 15 width 4 {
        STRING = 1 () [4: Array(&Fixed(8))];
        VALUE = 2 (ty, value) [5: Vbr(6), Vbr(6)];
        NODE = 3 () [6: Array(&Vbr(6))];
        NAME = 4 () [7: Array(&Fixed(8))];
        DISTINCT_NODE = 5 ();
        KIND = 6 (kind) [8: Vbr(6), Array(&Fixed(8))];
        LOCATION = 7 (distinct, line, column, scope, inlined_at);
        OLD_NODE = 8 ();
        OLD_FN_NODE = 9 ();
        NAMED_NODE = 10 () [9: Array(&Vbr(6))];
        GENERIC_DEBUG = 12 ();
        IMPORTED_ENTITY = 31 ();
    }
    /// Metadata attached to instructions.
    attachment = 16 width 3 {
        ATTACHMENT = 11 () [4: Array(&Vbr(6))];
    }
    /// Types.
    types = 17 width 4 {
        NUMENTRY = 1 (count);
        VOID = 2 ();
        FLOAT = 3 ();
        DOUBLE = 4 ();
        LABEL = 5 ();
        OPAQUE = 6 ();
        INTEGER = 7 (bits);
        POINTER = 8 (pointee, space) [4: Vbr(6), Lit(0)];
        FUNCTION_OLD = 9 ();
        HALF = 10 ();
        ARRAY = 11 (len, elem);
        VECTOR = 12 (len, elem);
        METADATA = 16 ();
        STRUCT_ANON = 18 (packed);
        STRUCT_NAME = 19 () [5: Array(&Char6)] [6: Array(&Fixed(8))];
        STRUCT_NAMED = 20 (packed) [7: Lit(0), Array(&Vbr(6))];
        FUNCTION = 21 (vararg, ret) [8: Lit(0), Array(&Vbr(6))];
    }
}

impl Enc {
    /// Whether `value` can be encoded so.
    pub fn fits(&self, value: u64) -> bool {
        match *self {
            Enc::Lit(v) => value == v,
            Enc::Fixed(bits) => bits >= 64 || value >> bits == 0,
            Enc::Vbr(_) => true,
            Enc::Char6 => u8::try_from(value).is_ok_and(|b| char6(b).is_some()),
            Enc::Array(_) => false,
        }
    }
}

impl Record {
    /// The first abbreviation that can encode these fields.
    pub fn abbrev_for(&self, values: &[u64]) -> Option<&'static (u32, &'static [Enc])> {
        self.abbrevs.iter().find(|(_, encs)| match encs.split_last() {
            Some((Enc::Array(elem), head)) => {
                values.len() >= head.len()
                    && head.iter().zip(values).all(|(e, &v)| e.fits(v))
                    && values[head.len()..].iter().all(|&v| elem.fits(v))
            }
            _ => encs.len() == values.len() && encs.iter().zip(values).all(|(e, &v)| e.fits(v)),
        })
    }
}

/// The six-bit code of a character.
pub fn char6(byte: u8) -> Option<u64> {
    Some(
        match byte {
            b'a'..=b'z' => byte - b'a',
            b'A'..=b'Z' => byte - b'A' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'.' => 62,
            b'_' => 63,
            _ => return None,
        }
        .into(),
    )
}

/// The character of a six-bit code.
pub fn from_char6(code: u64) -> u8 {
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"[code as usize & 63]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader numbers abbreviations as it meets their definitions.
    #[test]
    fn abbreviations_are_numbered_in_order() {
        for block in BLOCKS {
            let mut next = FIRST_ABBREV;
            for record in block.records {
                for (number, encs) in record.abbrevs {
                    assert_eq!(*number, next, "{}", record.name);
                    assert!(encs.len() < 2 || !encs[..encs.len() - 1].iter().any(|e| matches!(e, Enc::Array(_))));
                    next += 1;
                }
            }
            assert!(next <= 1 << block.width, "block {} has too many", block.id);
        }
    }

    #[test]
    fn six_bit_characters() {
        for code in 0..64 {
            assert_eq!(char6(from_char6(code)), Some(code));
        }
        assert_eq!(char6(b'@'), None);
    }
}
