//! Types and constants.

use rtc_ir::{Scalar, Type, TypeKind};
use rtc_tables::misread_types;
use spirv::{Capability, Op, StorageClass};

use super::Emitter;
use crate::words::{Id, NONE, TypeId};

impl Emitter<'_> {
    /// The SPIR-V type of a value or a local variable of IR type `t`.
    pub fn ty(&mut self, t: Type) -> TypeId {
        self.ty_in(t, false)
    }

    /// The type in variables that other shaders or the host see: `bool` is a 32-bit word there.
    pub fn interface_ty(&mut self, t: Type) -> TypeId {
        self.ty_in(t, true)
    }

    /// The type of a variable that holds an IR type `t` and is of this storage class: [`Self::interface_ty`] or (`words` is false) [`Self::ty`], or where drivers
    /// get that wrong a structure with it alone ([`Self::is_nested`]).
    pub(crate) fn variable_ty(&mut self, t: Type, class: StorageClass, words: bool) -> TypeId {
        let inner = self.ty_in(t, words);
        let TypeKind::Struct(s) = self.m.types.kind(t) else { return inner };
        if !self.is_nested(t, class) {
            return inner;
        }
        if let Some(&id) = self.nested_types.get(&inner) {
            return id;
        }
        let id = self.w.new_ty(Op::TypeStruct, &[inner]);
        self.w.name(id, &format!("{}.nested", self.m.structs[s].name));
        self.nested_types.insert(inner, id);
        id
    }

    /// Whether a variable of IR type `t` is the one member of a structure in this storage class.
    pub(crate) fn is_nested(&self, t: Type, class: StorageClass) -> bool {
        let TypeKind::Struct(s) = self.m.types.kind(t) else { return false };
        let fields = &self.m.structs[s].fields;
        let of_a_word = |t| matches!(self.m.types.kind(t), TypeKind::Scalar(s) if s == Scalar::Bool || s.bits() == 32);
        misread_types::is_misread(class as u32, fields.len()) && fields.iter().all(|f| of_a_word(f.ty))
    }

    /// The type of integers, vectors and arrays of them with a sign.
    pub(crate) fn signed_ty(&mut self, t: Type) -> TypeId {
        match self.m.types.kind(t) {
            TypeKind::Array(e, n) => {
                let e = self.signed_ty(e);
                let n = self.w.u32(n);
                self.w.array_ty(e, n)
            }
            TypeKind::Vector(s, n) => {
                let s = self.w.int_ty(s.bits(), true);
                self.w.vector_ty(s, n)
            }
            _ => self.w.int_ty(self.m.types.elem(t).bits(), true),
        }
    }

    fn ty_in(&mut self, t: Type, words: bool) -> TypeId {
        if let Some(&id) = self.plain_types.get(&(t, words)) {
            return id;
        }
        let id = match self.m.types.kind(t) {
            TypeKind::Scalar(s) => self.scalar(s, words),
            TypeKind::Vector(s, n) => {
                let s = self.scalar(s, words);
                self.w.vector_ty(s, n)
            }
            TypeKind::Array(e, n) => {
                let e = self.ty_in(e, words);
                let n = self.w.u32(n);
                self.w.array_ty(e, n)
            }
            TypeKind::Struct(s) => {
                let data = &self.m.structs[s];
                let fields: Vec<TypeId> = data.fields.iter().map(|f| self.ty_in(f.ty, words)).collect();
                let id = self.w.new_ty(Op::TypeStruct, &fields);
                self.w.name(id, &data.name);
                for (n, f) in data.fields.iter().enumerate() {
                    self.w.member_name(id, n as u32, &f.name);
                }
                self.inline_members(id, s);
                id
            }
            TypeKind::Spirv(s) => self.inline_ty(s),
            TypeKind::Linalg(t) => self.cooperative_ty(t),
            TypeKind::Resource(_) | TypeKind::HitObject | TypeKind::RayQuery(..) => {
                rtc_base::bug!("handles have no SPIR-V value type")
            }
        };
        self.plain_types.insert((t, words), id);
        id
    }

    /// The type of scalar `s`.
    pub fn scalar(&mut self, s: Scalar, words: bool) -> TypeId {
        let why = || format!("{} arithmetic", s.name());
        match s {
            Scalar::Bool if words => self.w.u32_ty(),
            Scalar::Bool => self.w.bool_ty(),
            Scalar::I32 => self.w.u32_ty(),
            Scalar::F32 => self.w.f32_ty(),
            Scalar::I16 => {
                self.w.capability(Capability::Int16, why);
                self.w.int_ty(16, false)
            }
            Scalar::I64 => {
                self.w.capability(Capability::Int64, why);
                self.w.int_ty(64, false)
            }
            Scalar::F16 => {
                self.w.capability(Capability::Float16, why);
                self.w.float_ty(16)
            }
            Scalar::F64 => {
                self.w.capability(Capability::Float64, why);
                self.w.float_ty(64)
            }
        }
    }

    /// The constant of scalar type `t` with these bits.
    pub fn constant(&mut self, t: Type, bits: u64) -> Id {
        let s = self.m.types.elem(t);
        let ty = self.ty(t);
        match s {
            Scalar::Bool if bits != 0 => self.w.constant(Op::ConstantTrue, ty, NONE),
            Scalar::Bool => self.w.constant(Op::ConstantFalse, ty, NONE),
            _ if s.bits() == 64 => self.w.number(ty, &[bits as u32, (bits >> 32) as u32]),
            // Its number is known from here on.
            Scalar::I32 => self.w.u32(bits as u32),
            _ => self.w.number(ty, &[bits as u32]),
        }
    }

    /// The scalar constant `x` repeated to the shape of `t` (scalar or vector).
    pub fn splat_constant(&mut self, t: Type, bits: u64) -> Id {
        let (s, n) = self.m.types.numeric(t).expect("a scalar or vector");
        let scalar = self.m.types.scalar(s);
        let one = self.constant(scalar, bits);
        if n == 1 {
            return one;
        }
        let ty = self.ty(t);
        self.w.composite(ty, &vec![one; n as usize])
    }
}
