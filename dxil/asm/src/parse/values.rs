//! Constants and other values, after their types.

use rtc_dxil_module::{BinOp, CastOp, CmpPred, ConstKind, MetaNode, Type, TypeKind, Value, flags};

use super::{MAX_DEPTH, Parser, Result};
use crate::lex::Token;

/// All operations on two operands.
pub(crate) const BINARY: [BinOp; 13] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::SDiv,
    BinOp::URem,
    BinOp::SRem,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
];

/// All conversions.
const CASTS: [CastOp; 13] = [
    CastOp::Trunc,
    CastOp::ZExt,
    CastOp::SExt,
    CastOp::FpToUi,
    CastOp::FpToSi,
    CastOp::UiToFp,
    CastOp::SiToFp,
    CastOp::FpTrunc,
    CastOp::FpExt,
    CastOp::PtrToInt,
    CastOp::IntToPtr,
    CastOp::BitCast,
    CastOp::AddrSpaceCast,
];

/// The conversion of this name.
pub(crate) fn cast_named(word: &str) -> Option<CastOp> {
    CASTS.into_iter().find(|c| c.text() == word)
}

/// The operation of this name.
pub(crate) fn binary_named(word: &str) -> Option<BinOp> {
    BINARY.into_iter().find(|b| b.text() == word || b.float_text() == Some(word))
}

impl Parser<'_> {
    /// A type and a value of it.
    pub(crate) fn typed(&mut self) -> Result<Value> {
        if self.eat_word("metadata") {
            return self.meta_value();
        }
        if self.eat_word("label") {
            return self.block_operand();
        }
        let ty = self.ty()?;
        self.value(ty)
    }

    /// Flags of an operation.
    pub(crate) fn op_flags(&mut self, float: bool) -> u8 {
        let mut bits = 0;
        let names: &[(&str, u8)] = if float {
            &[
                ("fast", flags::FAST),
                ("nnan", flags::NO_NANS),
                ("ninf", flags::NO_INFS),
                ("nsz", flags::NO_SIGNED_ZEROS),
                ("arcp", flags::ALLOW_RECIPROCAL),
            ]
        } else {
            &[("nuw", flags::NUW), ("nsw", flags::NSW), ("exact", flags::EXACT)]
        };
        while let Some((_, bit)) = names.iter().find(|(name, _)| self.eat_word(name)) {
            bits |= bit;
        }
        bits
    }

    /// The predicate of a comparison.
    pub(crate) fn predicate(&mut self, float: bool) -> Result<CmpPred> {
        let word = self.word()?;
        let found = (0..=41).filter_map(CmpPred::from_code).find(|p| p.is_float() == float && p.text() == word);
        found.map_or_else(|| self.wrong_at(self.at - 1, format!("`{word}` is no comparison")), Ok)
    }

    /// A value of a known type.
    pub(crate) fn value(&mut self, ty: Type) -> Result<Value> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.wrong("values are nested too deeply");
        }
        let value = self.any_value(ty)?;
        self.depth -= 1;
        Ok(value)
    }

    fn any_value(&mut self, ty: Type) -> Result<Value> {
        let at = self.at;
        let token = self.next()?;
        let constant = match token {
            Token::Local(name) => return self.local(&name, ty),
            Token::Global(name) => {
                return match self.values.get(&name) {
                    Some(&value) => Ok(value),
                    None => self.wrong_at(at, format!("there is no `@{name}`")),
                };
            }
            Token::Int(text) => self.integer(at, ty, &text)?,
            Token::Float(text) => self.float(at, ty, &text)?,
            Token::Bytes(bytes) => self.m.consts.bytes(&mut self.m.types, &bytes),
            Token::Punct("[") => return self.aggregate(ty, "]"),
            Token::Punct("{") => return self.aggregate(ty, "}"),
            Token::Punct("<") if self.eat("{") => {
                let value = self.aggregate(ty, "}")?;
                self.expect(">")?;
                return Ok(value);
            }
            Token::Punct("<") => return self.aggregate(ty, ">"),
            Token::Word(word) => match word.as_str() {
                "null" | "zeroinitializer" => return Ok(self.m.null(ty)),
                "undef" => return Ok(self.m.undef(ty)),
                "true" | "false" => self.m.consts.int(&self.m.types, ty, i64::from(word == "true")),
                _ => return self.expression(at, ty, &word),
            },
            other => return self.wrong_at(at, format!("`{other}` is no value")),
        };
        Ok(Value::Const(constant))
    }

    fn integer(&mut self, at: usize, ty: Type, text: &str) -> Result<rtc_dxil_module::Const> {
        match self.m.types[ty] {
            TypeKind::Int(bits) if bits <= 64 => {
                let value = text.parse::<i64>().ok().or_else(|| text.parse::<u64>().ok().map(|n| n as i64));
                match value {
                    Some(value) => Ok(self.m.consts.int(&self.m.types, ty, value)),
                    None => self.wrong_at(at, format!("`{text}` does not fit into an integer")),
                }
            }
            TypeKind::Half | TypeKind::Float | TypeKind::Double => self.float(at, ty, text),
            _ => self.wrong_at(at, format!("`{text}` is a number, its type is none")),
        }
    }

    /// A number with a point, or bits: those of a double also for `float`.
    fn float(&mut self, at: usize, ty: Type, text: &str) -> Result<rtc_dxil_module::Const> {
        let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
        let bits = if let Some(digits) = text.strip_prefix("0xH") {
            hex(digits).filter(|_| self.m.types[ty] == TypeKind::Half)
        } else if let Some(digits) = text.strip_prefix("u0x") {
            return match self.m.types[ty] {
                TypeKind::Int(_) => self.wide(at, ty, digits),
                _ => self.wrong_at(at, format!("`{text}` is an integer, its type is none")),
            };
        } else {
            let double = match text.strip_prefix("0x") {
                Some(digits) => hex(digits),
                None => text.parse::<f64>().ok().map(f64::to_bits),
            };
            match self.m.types[ty] {
                TypeKind::Double => double,
                TypeKind::Float => double.map(|bits| single(bits).into()),
                TypeKind::Half if !text.starts_with("0x") => double.map(|bits| u64::from(rtc_base::half::from_f64(f64::from_bits(bits)))),
                _ => None,
            }
        };
        match bits {
            Some(bits) => Ok(self.m.consts.float_bits(ty, bits)),
            None => self.wrong_at(at, format!("`{text}` is no number of its type")),
        }
    }

    fn wide(&mut self, at: usize, ty: Type, digits: &str) -> Result<rtc_dxil_module::Const> {
        let words: Option<Box<[u64]>> = digits
            .as_bytes()
            .rchunks(16)
            .map(|chunk| std::str::from_utf8(chunk).ok().and_then(|c| u64::from_str_radix(c, 16).ok()))
            .collect();
        match words {
            Some(words) => Ok(self.m.consts.intern(ty, ConstKind::WideInt(words))),
            None => self.wrong_at(at, "digits of a number are expected"),
        }
    }

    /// The elements of an aggregate up to its closing bracket.
    fn aggregate(&mut self, ty: Type, close: &str) -> Result<Value> {
        let at = self.at;
        let mut values = Vec::new();
        while !self.eat(close) {
            if !values.is_empty() {
                self.expect(",")?;
            }
            values.push(self.typed()?);
        }
        let fits = match &self.m.types[ty] {
            TypeKind::Array { len, .. } => close == "]" && values.len() as u64 == *len,
            TypeKind::Vector { len, .. } => close == ">" && values.len() as u64 == u64::from(*len),
            _ => close == "}" && self.m.types.fields(ty).is_some_and(|f| f.types.len() == values.len()),
        };
        let constant = values.iter().all(|v| matches!(v, Value::Const(_) | Value::Global(_) | Value::Func(_)));
        if !fits || !constant {
            return self.wrong_at(at, "these values are no constant of the type");
        }
        Ok(self.m.aggregate(ty, &values))
    }

    /// A constant that is computed: `bitcast (…)`.
    fn expression(&mut self, at: usize, ty: Type, word: &str) -> Result<Value> {
        let kind = if let Some(op) = cast_named(word) {
            self.expect("(")?;
            let value = self.typed()?;
            if !self.eat_word("to") {
                return self.wrong("expected `to`");
            }
            let to = self.ty()?;
            self.expect(")")?;
            if to != ty {
                return self.wrong_at(at, "the conversion is to another type");
            }
            ConstKind::Cast { op, value }
        } else if word == "getelementptr" {
            let inbounds = self.eat_word("inbounds");
            self.expect("(")?;
            let source = self.ty()?;
            let mut operands = Vec::new();
            while self.eat(",") {
                operands.push(self.typed()?);
            }
            self.expect(")")?;
            ConstKind::Gep { inbounds, source, operands: operands.into() }
        } else if word == "icmp" || word == "fcmp" {
            let pred = self.predicate(word == "fcmp")?;
            ConstKind::Compare { pred, operands: self.operands()? }
        } else if word == "select" {
            ConstKind::Select { operands: self.operands()? }
        } else if let Some(op) = binary_named(word) {
            let flags = self.op_flags(self.m.types.is_float(self.m.types.scalar(ty)));
            ConstKind::Binary { op, flags, operands: self.operands()? }
        } else {
            return self.wrong_at(at, format!("`{word}` is no value"));
        };
        let constant = kind.operands().iter().all(|v| matches!(v, Value::Const(_) | Value::Global(_) | Value::Func(_)));
        if !constant {
            return self.wrong_at(at, "a constant is computed of what is none");
        }
        Ok(Value::Const(self.m.consts.intern(ty, kind)))
    }

    fn operands<const N: usize>(&mut self) -> Result<[Value; N]> {
        let at = self.at;
        self.expect("(")?;
        let mut all = Vec::new();
        while !self.eat(")") {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(self.typed()?);
        }
        match all.try_into() {
            Ok(all) => Ok(all),
            Err(_) => self.wrong_at(at, format!("expected {N} operands")),
        }
    }

    /// Metadata as an operand, or a value wrapped as such.
    fn meta_value(&mut self) -> Result<Value> {
        match self.peek() {
            Some(Token::Meta(_) | Token::Bang) => match self.meta_operand()? {
                Some(meta) => Ok(Value::Meta(meta)),
                None => self.wrong("an operand is nothing"),
            },
            _ => {
                let value = self.typed()?;
                Ok(match value {
                    Value::Arg(_) | Value::Inst(_) => self.local_meta(value),
                    _ => Value::Meta(self.m.meta.intern_node(MetaNode::Value(value))),
                })
            }
        }
    }
}

/// A float from the bits of a double, which has the same value; of what is no number the upper bits are kept.
fn single(bits: u64) -> u32 {
    let value = f64::from_bits(bits);
    if value.is_nan() {
        let payload = (bits >> 29) as u32 & 0x7f_ffff;
        return ((bits >> 63) as u32) << 31 | 0x7f80_0000 | if payload == 0 { 1 } else { payload };
    }
    (value as f32).to_bits()
}
