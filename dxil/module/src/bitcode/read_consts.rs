//! The reader of constants.
//!
//! Constants of one block may refer to each other in any order. So the block is read as a whole,
//! then each constant is made after those it is made of; one that is made of itself is refused, and
//! so is one that would be too large when spelled out.

use super::error::ReadError;
use super::read::Reader;
use super::records::constants;
use crate::{BinOp, CastOp, CmpPred, Const, ConstKind, Type, TypeKind, Value, cut, data_width, number_width, sign_extend, zero};

/// Most constants that a constant may consist of when spelled out.
const MAX_WEIGHT: u32 = 1 << 20;
/// Deepest a constant may be nested.
const MAX_DEPTH: u32 = 128;

/// A constant of the block at hand.
struct Raw {
    ty: Type,
    /// Its final form, but with numbers in place of the operands.
    kind: RawKind,
    bit: ReadError,
}

enum RawKind {
    Simple(ConstKind),
    /// Made from others: the record's code, its other fields, and the value numbers of the operands.
    Record {
        code: u32,
        extra: [u64; 2],
        source: Option<Type>,
        operands: Box<[u64]>,
    },
    Done(Const),
}

impl Reader<'_> {
    /// Reads a block of constants and appends them to `values`.
    pub(super) fn read_constants(&mut self, values: &mut Vec<Value>) -> Result<(), ReadError> {
        let mut ty = self.m.types.i32();
        let mut raws: Vec<Raw> = Vec::new();
        while let Some(code) = self.s.next_record()? {
            if code == constants::SETTYPE.code {
                ty = self.ty(self.field(0)?)?;
                if matches!(self.m.types[ty], TypeKind::Void | TypeKind::Function { .. }) {
                    return Err(self.error("a constant of a type that has no values"));
                }
                continue;
            }
            let kind = self.raw_const(code, ty)?;
            raws.push(Raw { ty, kind, bit: self.error("") });
        }
        let first = values.len();
        for at in 0..raws.len() {
            self.make(&mut raws, at, first, values)?;
        }
        for raw in &raws {
            match raw.kind {
                RawKind::Done(c) => values.push(Value::Const(c)),
                _ => return Err(self.error("a constant that was not made")),
            }
        }
        Ok(())
    }

    fn raw_const(&mut self, code: u32, ty: Type) -> Result<RawKind, ReadError> {
        let types = &self.m.types;
        let simple = |kind| Ok(RawKind::Simple(kind));
        let made = |extra, source, operands: &[u64]| Ok(RawKind::Record { code, extra, source, operands: operands.into() });
        match code {
            _ if code == constants::NULL.code => simple(zero(types, ty)),
            _ if code == constants::UNDEF.code => simple(ConstKind::Undef),
            _ if code == constants::INTEGER.code => match types[ty] {
                TypeKind::Int(bits) if bits <= 64 => simple(ConstKind::Int(sign_extend(unsigned(self.field(0)?), bits))),
                _ => Err(self.error("an integer of a type that is none")),
            },
            _ if code == constants::WIDE_INTEGER.code => match types[ty] {
                TypeKind::Int(bits) if bits > 64 => {
                    let words = self.s.fields.iter().map(|&f| unsigned(f) as u64);
                    simple(ConstKind::WideInt(words.collect()))
                }
                _ => Err(self.error("a wide integer of a type that is none")),
            },
            _ if code == constants::FLOAT.code => match number_width(types, ty) {
                Some(bits) if types.is_float(ty) => simple(ConstKind::Float(cut(self.field(0)?, bits))),
                _ => Err(self.error("a float of a type that is none")),
            },
            _ if code == constants::AGGREGATE.code => {
                let len = match &types[ty] {
                    TypeKind::Array { len, .. } => *len,
                    TypeKind::Vector { len, .. } => u64::from(*len),
                    _ => match types.fields(ty) {
                        Some(fields) => fields.types.len() as u64,
                        None => return Err(self.error("elements for a type that has none")),
                    },
                };
                if len != self.s.fields.len() as u64 {
                    return Err(self.error("a constant with the wrong number of elements"));
                }
                made([0; 2], None, &self.s.fields)
            }
            _ if code == constants::STRING.code || code == constants::CSTRING.code => {
                let mut bytes: Vec<u64> = self.bytes(0)?.into_iter().map(u64::from).collect();
                if code == constants::CSTRING.code {
                    bytes.push(0);
                }
                self.data(ty, bytes, true)
            }
            _ if code == constants::DATA.code => self.data(ty, self.s.fields.clone(), false),
            _ if code == constants::CE_BINOP.code => {
                let flags = self.s.fields.get(3).copied().unwrap_or(0);
                made([self.field(0)?, flags], None, &[self.field(1)?, self.field(2)?])
            }
            _ if code == constants::CE_CAST.code => made([self.field(0)?, 0], None, &[self.field(2)?]),
            _ if code == constants::CE_SELECT.code => made([0; 2], None, &[self.field(0)?, self.field(1)?, self.field(2)?]),
            _ if code == constants::CE_CMP.code => made([self.field(3)?, 0], None, &[self.field(1)?, self.field(2)?]),
            _ if code == constants::CE_GEP.code || code == constants::CE_INBOUNDS_GEP.code => {
                let odd = self.s.fields.len() % 2;
                let source = if odd == 1 { Some(self.ty(self.field(0)?)?) } else { None };
                let operands: Vec<u64> = self.s.fields[odd..].chunks_exact(2).map(|pair| pair[1]).collect();
                if operands.is_empty() {
                    return Err(self.error("an address of nothing"));
                }
                made([0; 2], source, &operands)
            }
            _ => Err(self.error(format!("constant record {code} has no place in DXIL"))),
        }
    }

    fn data(&self, ty: Type, mut bits: Vec<u64>, text: bool) -> Result<RawKind, ReadError> {
        let (elem, len) = match self.m.types[ty] {
            TypeKind::Array { elem, len } => (elem, len),
            TypeKind::Vector { elem, len } => (elem, len.into()),
            _ => return Err(self.error("elements for a type that has none")),
        };
        let width = data_width(&self.m.types, elem).filter(|&w| !text || w == 8);
        let Some(width) = width.filter(|_| len == bits.len() as u64) else {
            return Err(self.error("a constant with the wrong elements"));
        };
        bits.iter_mut().for_each(|b| *b = cut(*b, width));
        Ok(RawKind::Simple(if bits.iter().all(|&b| b == 0) { ConstKind::Null } else { ConstKind::Data(bits.into()) }))
    }

    /// Makes constant `at` of the block after all that it is made of.
    fn make(&mut self, raws: &mut [Raw], at: usize, first: usize, values: &[Value]) -> Result<(), ReadError> {
        // The constants being made, each with how many of its operands were looked at.
        let mut stack = vec![(at, 0usize)];
        while let Some(&mut (at, ref mut seen)) = stack.last_mut() {
            let raw = &raws[at];
            let next = match &raw.kind {
                RawKind::Record { operands, .. } => operands.get(*seen).copied(),
                _ => None,
            };
            *seen += 1;
            let Some(operand) = next else {
                stack.pop();
                if !matches!(raws[at].kind, RawKind::Done(_)) {
                    let c = self.finish(&raws[at], raws, first, values)?;
                    raws[at].kind = RawKind::Done(c);
                }
                continue;
            };
            let Some(ahead) = usize::try_from(operand).ok().and_then(|o| o.checked_sub(first)) else {
                continue;
            };
            match raws.get(ahead).map(|r| &r.kind) {
                Some(RawKind::Done(_)) => {}
                Some(_) if stack.len() >= MAX_DEPTH as usize || stack.iter().any(|s| s.0 == ahead) => {
                    let bit = raws[at].bit.bit();
                    return Err(ReadError::new(bit, "a constant is nested too deeply"));
                }
                Some(_) => stack.push((ahead, 0)),
                None => {
                    let bit = raws[at].bit.bit();
                    return Err(ReadError::new(bit, format!("there is no constant {operand}")));
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, raw: &Raw, raws: &[Raw], first: usize, values: &[Value]) -> Result<Const, ReadError> {
        let error = |what: &str| ReadError::new(raw.bit.bit(), what);
        let (code, extra, source, operands) = match &raw.kind {
            RawKind::Simple(kind) => return Ok(self.m.consts.intern(raw.ty, kind.clone())),
            RawKind::Done(c) => return Ok(*c),
            RawKind::Record { code, extra, source, operands } => (*code, *extra, *source, operands),
        };
        let (mut weight, mut depth) = (1u32, 0u32);
        let mut made = Vec::with_capacity(operands.len());
        for &id in operands {
            let id = usize::try_from(id).unwrap_or(usize::MAX);
            let value = match values.get(id) {
                Some(&value) => value,
                None => match raws.get(id.wrapping_sub(first)).map(|r| &r.kind) {
                    Some(RawKind::Done(c)) => Value::Const(*c),
                    _ => return Err(error("a constant made of something that is not there")),
                },
            };
            if let Value::Const(c) = value {
                let (w, d) = self.const_weights.get(&c).copied().unwrap_or((1, 1));
                weight = weight.saturating_add(w);
                depth = depth.max(d);
            } else if !matches!(value, Value::Global(_) | Value::Func(_)) {
                return Err(error("a constant made of something that is none"));
            }
            made.push(value);
        }
        if weight > MAX_WEIGHT || depth >= MAX_DEPTH {
            return Err(error("a constant is too large or nested too deeply"));
        }
        let kind = match code {
            _ if code == constants::AGGREGATE.code => ConstKind::Aggregate(made.into()),
            _ if code == constants::CE_BINOP.code => ConstKind::Binary {
                op: BinOp::from_code(extra[0]).ok_or_else(|| error("an unknown operation"))?,
                flags: u8::try_from(extra[1]).map_err(|_| error("unknown flags"))?,
                operands: [made[0], made[1]],
            },
            _ if code == constants::CE_CAST.code => {
                ConstKind::Cast { op: CastOp::from_code(extra[0]).ok_or_else(|| error("an unknown conversion"))?, value: made[0] }
            }
            _ if code == constants::CE_SELECT.code => ConstKind::Select { operands: [made[0], made[1], made[2]] },
            _ if code == constants::CE_CMP.code => ConstKind::Compare {
                pred: CmpPred::from_code(extra[0]).ok_or_else(|| error("an unknown comparison"))?,
                operands: [made[0], made[1]],
            },
            _ => {
                let base = self.m.value_type(None, made[0]);
                let base = base.and_then(|ty| self.m.types.pointee(ty));
                let Some(source) = source.or(base) else {
                    return Err(error("an address computed from something that is no pointer"));
                };
                let inbounds = code == constants::CE_INBOUNDS_GEP.code;
                ConstKind::Gep { inbounds, source, operands: made.into() }
            }
        };
        let c = self.m.consts.intern(raw.ty, kind);
        self.const_weights.insert(c, (weight, depth + 1));
        Ok(c)
    }
}

/// An integer from its form with the sign in the low bit.
pub fn unsigned(value: u64) -> i64 {
    match (value & 1, value >> 1) {
        (0, magnitude) => magnitude as i64,
        (_, 0) => i64::MIN,
        (_, magnitude) => (magnitude as i64).wrapping_neg(),
    }
}
