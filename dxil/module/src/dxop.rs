//! Declarations of DXIL operations, made from the rows of the table: name, types and attributes
//! follow from the row and the overload.

use super::attrs::AttrKind;
use super::{Func, GROUPSHARED, Module, Op, Type, TypeKind, Value};
use rtc_base::{EntitySet, PackedOption, PrimaryMap, SecondaryMap};
use rtc_tables::dxil_ops::{DxOp, OpAttr, OpTy, Overload, kind};
use rtc_tables::linalg::{DXIL_TYPE, MatrixType};
use std::fmt::{self, Write};

/// Why an operation cannot be declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DxOpError {
    /// The operation does not have this overload.
    Overload {
        /// Its name.
        name: &'static str,
        /// The requested overload.
        overload: String,
    },
}

impl fmt::Display for DxOpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DxOpError::Overload { name, overload } => {
                write!(f, "DXIL operation {name} has no overload `{overload}`")
            }
        }
    }
}

impl std::error::Error for DxOpError {}

impl Module {
    /// The declaration of a DXIL operation, made on first sight.
    ///
    /// `overload` holds one type per overloaded dimension and is empty for an operation that has no
    /// overload: a scalar, a vector, for a user-defined structure or an object the structure type
    /// itself, or the pointer to it that the operation takes, where that is not one to private memory.
    /// Structures are declared by their name, so they need one.
    ///
    /// # Errors
    /// The operation has no such overload.
    pub fn dx_op(&mut self, opcode: DxOp, overload: &[Type]) -> Result<Func, DxOpError> {
        let op = opcode.row();
        let by_pointer = op.overloads.first().is_some_and(|o| o.scalar & kind::UDT != 0);
        let pointed: Vec<Type>;
        let (overload, space) = match overload {
            &[ty] if by_pointer => match self.types[ty] {
                TypeKind::Pointer { pointee, space } => {
                    pointed = vec![pointee];
                    (&pointed[..], space)
                }
                _ => (overload, 0),
            },
            _ => (overload, 0),
        };
        let mut name = String::with_capacity(40);
        name.push_str("dx.op.");
        name.push_str(op.function);
        let mut fits = op.is_plain() && overload.is_empty();
        if !op.is_plain() && overload.len() == op.overloads.len() {
            fits = true;
            for (&ty, allowed) in overload.iter().zip(op.overloads) {
                name.push('.');
                fits &= self.fits(ty, *allowed);
                self.overload_name(ty, &mut name);
            }
        }
        if !fits {
            return Err(DxOpError::Overload { name: op.name, overload: name });
        }
        if let Some(func) = self.find_function(&name) {
            return Ok(func);
        }
        let mut ret = self.op_type(op.result, overload);
        let mut params = Vec::with_capacity(op.params.len() + 1);
        params.push(self.types.i32());
        for &(_, ty) in op.params {
            params.push(self.op_type(ty, overload));
        }
        if let (&[overloaded], true) = (overload, by_pointer) {
            // A structure is passed by a pointer.
            let pointer = self.types.ptr_in(overloaded, space);
            let by_pointer = |ty: &mut Type, declared: OpTy| {
                if declared == OpTy::O {
                    *ty = pointer;
                }
            };
            by_pointer(&mut ret, op.result);
            for (ty, &(_, declared)) in params.iter_mut().skip(1).zip(op.params) {
                by_pointer(ty, declared);
            }
        }
        let ty = self.types.function(ret, &params);
        let func = self.add_function(&name, ty);
        let attrs: &[AttrKind] = match op.attr {
            OpAttr::Nothing => &[AttrKind::NoUnwind],
            OpAttr::ReadNone => &[AttrKind::NoUnwind, AttrKind::ReadNone],
            OpAttr::ReadOnly => &[AttrKind::NoUnwind, AttrKind::ReadOnly],
            OpAttr::ArgMemOnly => &[AttrKind::ArgMemOnly, AttrKind::NoUnwind],
            OpAttr::NoDuplicate => &[AttrKind::NoDuplicate, AttrKind::NoUnwind],
            OpAttr::NoReturn => &[AttrKind::NoReturn, AttrKind::NoUnwind],
        };
        self.funcs[func].attrs = self.attrs.function(attrs).into();
        Ok(func)
    }

    /// Removes the declarations of operations that nothing calls any more. For a module whose operations were declared last and are
    /// only called, so that no other function changes its number and nothing but the code names those that do.
    pub fn remove_unused_operations(&mut self) {
        let mut used: EntitySet<Func> = EntitySet::with_capacity(self.funcs.len());
        for body in self.funcs.values().filter_map(|f| f.body.as_ref()) {
            for &i in body.blocks.values().flatten() {
                if let Op::Call { callee: Value::Func(callee), .. } = body.insts[i].op {
                    used.insert(callee);
                }
            }
        }
        let stays = |m: &Module, f: Func| used.contains(f) || !m.is_dx_op(f) || m.funcs[f].body.is_some();
        let all: Vec<Func> = self.funcs.keys().collect();
        let Some(first) = all.iter().position(|&f| !stays(self, f)) else { return };
        if !all[first..].iter().all(|&f| self.is_dx_op(f)) {
            return;
        }
        let kept: Vec<bool> = all.iter().map(|&f| stays(self, f)).collect();
        let mut now: SecondaryMap<Func, PackedOption<Func>> = SecondaryMap::new();
        now.resize(all.len());
        let mut funcs: PrimaryMap<Func, _> = PrimaryMap::new();
        for ((id, f), keep) in std::mem::take(&mut self.funcs).into_iter().zip(kept) {
            if keep {
                now[id] = funcs.push(f).into();
            }
        }
        self.funcs = funcs;
        self.func_names.retain(|_, f| now[*f].is_some());
        for f in self.func_names.values_mut() {
            *f = now[*f].expand().unwrap_or(*f);
        }
        for body in self.funcs.values_mut().filter_map(|f| f.body.as_mut()) {
            for data in body.insts.values_mut() {
                if let Op::Call { callee: Value::Func(callee), .. } = &mut data.op
                    && let Some(new) = now[*callee].expand()
                {
                    *callee = new;
                }
            }
        }
    }

    /// Whether a function is the declaration of DXIL operations; the opcode argument of a call tells
    /// which of those that share it is meant.
    pub fn is_dx_op(&self, func: Func) -> bool {
        self.funcs[func].name.starts_with("dx.op.")
    }

    /// Whether an overloaded dimension takes a type.
    pub fn fits(&self, ty: Type, allowed: Overload) -> bool {
        match self.types[ty] {
            TypeKind::Vector { elem, .. } => allowed.vector & self.kind_bit(elem) != 0,
            _ => allowed.scalar & self.kind_bit(ty) != 0,
        }
    }

    fn kind_bit(&self, ty: Type) -> u16 {
        match self.types[ty] {
            TypeKind::Half => kind::F16,
            TypeKind::Float => kind::F32,
            TypeKind::Double => kind::F64,
            TypeKind::Int(1) => kind::I1,
            TypeKind::Int(8) => kind::I8,
            TypeKind::Int(16) => kind::I16,
            TypeKind::Int(32) => kind::I32,
            TypeKind::Int(64) => kind::I64,
            TypeKind::Named { name: Some(_), .. } => kind::UDT | kind::OBJECT,
            _ => 0,
        }
    }

    /// Appends how the name of an operation's function spells a type.
    pub fn overload_name(&self, ty: Type, out: &mut String) {
        match &self.types[ty] {
            TypeKind::Half => out.push_str("f16"),
            TypeKind::Float => out.push_str("f32"),
            TypeKind::Double => out.push_str("f64"),
            TypeKind::Int(bits) => {
                let _ = write!(out, "i{bits}");
            }
            TypeKind::Vector { elem, len } => {
                let _ = write!(out, "v{len}");
                self.overload_name(*elem, out);
            }
            // A matrix object is known by the mangled part of its name alone.
            TypeKind::Named { name: Some(name), .. } => match name.strip_prefix(DXIL_TYPE) {
                Some(mangled) => {
                    out.push('m');
                    out.push_str(mangled);
                }
                None => out.push_str(name),
            },
            _ => out.push('?'),
        }
    }

    /// A structure `%dx.types.<name>` with these fields.
    fn dx_struct(&mut self, name: &str, fields: &[Type]) -> Type {
        let full = format!("dx.types.{name}");
        self.types.named_struct(&full, fields)
    }

    /// `%dx.types.Handle`, a resource.
    pub fn handle_type(&mut self) -> Type {
        self.opaque_pointer("Handle")
    }

    /// `%dx.types.HitObject`.
    pub fn hit_object_type(&mut self) -> Type {
        self.opaque_pointer("HitObject")
    }

    /// `%dx.types.LinAlgMatrix<mangled>`.
    pub fn linalg_type(&mut self, t: MatrixType) -> Type {
        self.opaque_pointer(&format!("LinAlgMatrix{}", t.mangled()))
    }

    /// `%dx.types.ResourceProperties`.
    pub fn resource_properties_type(&mut self) -> Type {
        let i32 = self.types.i32();
        self.dx_struct("ResourceProperties", &[i32, i32])
    }

    /// `%dx.types.ResBind`.
    pub fn res_bind_type(&mut self) -> Type {
        let (i32, i8) = (self.types.i32(), self.types.i8());
        self.dx_struct("ResBind", &[i32, i32, i32, i8])
    }

    /// `%dx.types.ResRet.<O>`: what a resource load of `overload` gives.
    pub fn res_ret_type(&mut self, overload: Type) -> Type {
        let i32 = self.types.i32();
        let mut name = String::from("ResRet.");
        self.overload_name(overload, &mut name);
        match self.types[overload] {
            TypeKind::Vector { .. } => self.dx_struct(&name, &[overload, i32]),
            _ => self.dx_struct(&name, &[overload, overload, overload, overload, i32]),
        }
    }

    /// `%dx.types.CBufRet.<O>`: 16 bytes of constant buffer as `overload`s. Real 16-bit types fill
    /// them with eight, minimum-precision ones with four.
    pub fn cbuf_ret_type(&mut self, overload: Type) -> Type {
        let mut name = String::from("CBufRet.");
        self.overload_name(overload, &mut name);
        let count = match self.types[overload] {
            TypeKind::Double | TypeKind::Int(64) => 2,
            TypeKind::Half | TypeKind::Int(16) if &*self.data_layout == super::LAYOUT_NATIVE_16BIT => {
                name.push_str(".8");
                8
            }
            _ => 4,
        };
        self.dx_struct(&name, &vec![overload; count])
    }

    fn opaque_pointer(&mut self, name: &str) -> Type {
        let i8 = self.types.i8();
        let ptr = self.types.ptr(i8);
        self.dx_struct(name, &[ptr])
    }

    fn op_type(&mut self, ty: OpTy, overload: &[Type]) -> Type {
        let at = |n: usize| overload.get(n).copied();
        let void = self.types.void();
        let o = at(0).unwrap_or(void);
        let i32 = self.types.i32();
        match ty {
            OpTy::Void => void,
            OpTy::I1 => self.types.i1(),
            OpTy::I8 | OpTy::U8 => self.types.i8(),
            OpTy::I16 => self.types.i16(),
            OpTy::I32 | OpTy::U32 => i32,
            OpTy::I64 => self.types.i64(),
            OpTy::Half => self.types.half(),
            OpTy::Float => self.types.float(),
            OpTy::Double => self.types.double(),
            OpTy::FloatPtr => {
                let float = self.types.float();
                self.types.ptr(float)
            }
            OpTy::O | OpTy::Object => o,
            OpTy::OI1 => {
                let i1 = self.types.i1();
                self.types.reshape(o, i1)
            }
            OpTy::OI32 => self.types.reshape(o, i32),
            OpTy::OElem => self.types.scalar(o),
            OpTy::OVec2 => self.types.vector(o, 2),
            // Called a vector, and a structure: `fouri32`, `fouri16`.
            OpTy::OVec4 => {
                let name = if o == i32 { "fouri32" } else { "fouri16" };
                self.dx_struct(name, &[o; 4])
            }
            OpTy::OVec9 => self.types.vector(o, 9),
            OpTy::UdtPtr => self.types.ptr(o),
            OpTy::X(n) => at(n.into()).unwrap_or(void),
            OpTy::Gs(n) => self.types.ptr_in(at(n.into()).unwrap_or(void), GROUPSHARED),
            OpTy::Int2 => self.types.vector(i32, 2),
            OpTy::Handle => self.handle_type(),
            OpTy::HitObject => self.hit_object_type(),
            OpTy::NodeHandle => self.opaque_pointer("NodeHandle"),
            OpTy::NodeRecordHandle => self.opaque_pointer("NodeRecordHandle"),
            OpTy::ResRet => self.res_ret_type(o),
            OpTy::CBufRet => self.cbuf_ret_type(o),
            OpTy::Dimensions => self.dx_struct("Dimensions", &[i32; 4]),
            OpTy::SplitDouble => self.dx_struct("splitdouble", &[i32; 2]),
            OpTy::I32c => {
                let i1 = self.types.i1();
                self.dx_struct("i32c", &[i32, i1])
            }
            OpTy::TwoI32 => self.dx_struct("twoi32", &[i32; 2]),
            OpTy::FourI32 => self.dx_struct("fouri32", &[i32; 4]),
            OpTy::SamplePos => {
                let float = self.types.float();
                self.dx_struct("SamplePos", &[float; 2])
            }
            OpTy::ResourceProperties => self.resource_properties_type(),
            OpTy::ResBind => self.res_bind_type(),
            OpTy::NodeInfo => self.dx_struct("NodeInfo", &[i32; 2]),
            OpTy::NodeRecordInfo => self.dx_struct("NodeRecordInfo", &[i32; 2]),
        }
    }
}
