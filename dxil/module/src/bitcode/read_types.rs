//! The reader of types.
//!
//! A type may refer to one with a higher number only if that is a named structure, which therefore
//! can be made before its turn. Types are limited in how much text they make when spelled out, so
//! that code which walks one needs no limits of its own; a named structure counts by its name.

use super::error::ReadError;
use super::read::Reader;
use super::records::types;
use crate::{Fields, Type, TypeKind};

/// Most parts that a type may have when spelled out.
const MAX_WEIGHT: u32 = 1 << 16;
/// Deepest a type may be; that of a named structure counts as 1.
const MAX_DEPTH: u32 = 128;
/// Most parameters of a function.
const MAX_PARAMS: usize = 1024;

/// Weight in the low bits, depth in the high ones.
const fn pack(weight: u32, depth: u32) -> u32 {
    depth << 24 | weight
}

impl Reader<'_> {
    pub(super) fn read_types(&mut self) -> Result<(), ReadError> {
        if !self.types.is_empty() {
            return Err(self.error("a second table of types"));
        }
        // Numbers given out ahead of their turn: opaque structures until then.
        let mut ahead: Vec<Option<Type>> = Vec::new();
        let mut name: Option<Box<str>> = None;
        while let Some(code) = self.s.next_record()? {
            if code == types::NUMENTRY.code {
                let count = self.field(0)?;
                // A type takes at least its abbreviation number.
                if count > self.s.left() {
                    return Err(self.error(format!("a table of {count} types")));
                }
                ahead.resize(count as usize, None);
                continue;
            }
            if code == types::STRUCT_NAME.code {
                name = Some(self.text(0)?);
                continue;
            }
            let at = self.types.len();
            let mine = ahead.get(at).copied().flatten();
            let structure = code == types::STRUCT_NAMED.code || code == types::OPAQUE.code;
            let ty = if structure {
                let ty = mine.unwrap_or_else(|| self.m.types.new_unnamed());
                self.weigh(ty, pack(1, 1));
                if let Some(name) = name.take()
                    && !name.is_empty()
                    && !self.m.types.set_name(ty, &name)
                {
                    return Err(self.error(format!("a second type named {name}")));
                }
                if code == types::STRUCT_NAMED.code {
                    let fields = self.struct_fields(&mut ahead)?;
                    self.m.types.set_body(ty, fields);
                }
                ty
            } else {
                let kind = self.type_kind(code, &mut ahead)?;
                if ahead.get(at).is_some_and(Option::is_some) {
                    return Err(self.error(format!("type {at} is used before its turn")));
                }
                let weight = self.weight_of(&kind)?;
                let ty = self.m.types.intern(kind);
                self.weigh(ty, weight);
                ty
            };
            self.types.push(ty);
        }
        if ahead.iter().skip(self.types.len()).any(Option::is_some) {
            return Err(self.error("a type that is used is not there"));
        }
        Ok(())
    }

    /// The pointer to `ty`.
    pub(super) fn pointer(&mut self, ty: Type, space: u32) -> Type {
        let ptr = self.m.types.ptr_in(ty, space);
        let of = self.type_weights.get(ty.as_u32() as usize).copied().unwrap_or(pack(1, 1));
        self.weigh(ptr, of + pack(1, 1));
        ptr
    }

    fn weigh(&mut self, ty: Type, weight: u32) {
        let at = ty.as_u32() as usize;
        if self.type_weights.len() <= at {
            self.type_weights.resize(at + 1, pack(1, 1));
        }
        self.type_weights[at] = weight;
    }

    fn weight_of(&self, kind: &TypeKind) -> Result<u32, ReadError> {
        let (mut weight, mut depth) = (1u32, 0u32);
        let mut add = |ty: Type| {
            let packed = self.type_weights.get(ty.as_u32() as usize).copied().unwrap_or(pack(1, 1));
            weight = weight.saturating_add(packed & 0xFF_FFFF);
            depth = depth.max(packed >> 24);
        };
        match kind {
            TypeKind::Pointer { pointee: part, .. } | TypeKind::Array { elem: part, .. } | TypeKind::Vector { elem: part, .. } => {
                add(*part)
            }
            TypeKind::Struct(fields) => fields.types.iter().copied().for_each(add),
            TypeKind::Function { ret, params, .. } => {
                add(*ret);
                params.iter().copied().for_each(add);
            }
            _ => {}
        }
        if weight > MAX_WEIGHT || depth >= MAX_DEPTH {
            return Err(self.error("a type is nested too deeply"));
        }
        Ok(pack(weight, depth + 1))
    }

    /// The type with number `id`, made as an opaque structure if it is still to come.
    fn type_or_ahead(&mut self, id: u64, ahead: &mut [Option<Type>]) -> Result<Type, ReadError> {
        let at = usize::try_from(id).unwrap_or(usize::MAX);
        if let Some(&ty) = self.types.get(at) {
            return Ok(ty);
        }
        match ahead.get_mut(at) {
            Some(Some(ty)) => Ok(*ty),
            Some(slot) => Ok(*slot.insert(self.m.types.new_unnamed())),
            None => Err(self.error(format!("there is no type {id}"))),
        }
    }

    fn list(&mut self, from: usize, ahead: &mut [Option<Type>]) -> Result<Box<[Type]>, ReadError> {
        let mut list = Vec::with_capacity(self.s.fields.len().saturating_sub(from));
        for at in from..self.s.fields.len() {
            let ty = self.type_or_ahead(self.s.fields[at], ahead)?;
            list.push(ty);
        }
        Ok(list.into())
    }

    fn struct_fields(&mut self, ahead: &mut [Option<Type>]) -> Result<Fields, ReadError> {
        let packed = self.field(0)? != 0;
        let types = self.list(1, ahead)?;
        for &ty in &types {
            self.is_memory(ty)?;
        }
        Ok(Fields { types, packed })
    }

    /// Complains about a type that no memory can hold.
    pub(super) fn is_memory(&self, ty: Type) -> Result<(), ReadError> {
        match self.m.types[ty] {
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Function { .. } => {
                Err(self.error("memory for a type that has no size"))
            }
            _ => Ok(()),
        }
    }

    fn type_kind(&mut self, code: u32, ahead: &mut [Option<Type>]) -> Result<TypeKind, ReadError> {
        Ok(match code {
            _ if code == types::VOID.code => TypeKind::Void,
            _ if code == types::HALF.code => TypeKind::Half,
            _ if code == types::FLOAT.code => TypeKind::Float,
            _ if code == types::DOUBLE.code => TypeKind::Double,
            _ if code == types::LABEL.code => TypeKind::Label,
            _ if code == types::METADATA.code => TypeKind::Metadata,
            _ if code == types::INTEGER.code => match self.field(0)? {
                bits @ 1..=0x7F_FFFF => TypeKind::Int(bits as u32),
                bits => return Err(self.error(format!("an integer of {bits} bits"))),
            },
            _ if code == types::POINTER.code => {
                let pointee = self.type_or_ahead(self.field(0)?, ahead)?;
                let space = self.space(self.s.fields.get(1).copied().unwrap_or(0))?;
                let bad = [TypeKind::Void, TypeKind::Label, TypeKind::Metadata];
                if bad.contains(&self.m.types[pointee]) {
                    return Err(self.error("a pointer to nothing"));
                }
                TypeKind::Pointer { pointee, space }
            }
            _ if code == types::ARRAY.code => {
                let elem = self.type_or_ahead(self.field(1)?, ahead)?;
                self.is_memory(elem)?;
                TypeKind::Array { elem, len: self.field(0)? }
            }
            _ if code == types::VECTOR.code => {
                let elem = self.type_or_ahead(self.field(1)?, ahead)?;
                let len = self.field32(0)?;
                let scalar = self.m.types.is_int(elem) || self.m.types.is_float(elem) || self.m.types.pointee(elem).is_some();
                if !scalar || len == 0 {
                    return Err(self.error("a vector of something that is no number"));
                }
                TypeKind::Vector { elem, len }
            }
            _ if code == types::STRUCT_ANON.code => TypeKind::Struct(self.struct_fields(ahead)?),
            _ if code == types::FUNCTION.code || code == types::FUNCTION_OLD.code => {
                let ret_at = if code == types::FUNCTION.code { 1 } else { 2 };
                let vararg = self.field(0)? != 0;
                let ret = self.type_or_ahead(self.field(ret_at)?, ahead)?;
                let params = self.list(ret_at + 1, ahead)?;
                if params.len() > MAX_PARAMS {
                    return Err(self.error("a function with too many parameters"));
                }
                if matches!(self.m.types[ret], TypeKind::Function { .. } | TypeKind::Label) {
                    return Err(self.error("a function that gives a function"));
                }
                for &param in &params {
                    if self.m.types[param] != TypeKind::Metadata {
                        self.is_memory(param)?;
                    }
                }
                TypeKind::Function { ret, params, vararg }
            }
            _ => return Err(self.error(format!("type record {code} has no place in DXIL"))),
        })
    }
}
