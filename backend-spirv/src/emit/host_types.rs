//! The types of buffers as hosts see them: structures with member names, offsets, strides and the order of matrices.

use rtc_ir::host_layout::{HostBlock, HostKind, HostScalar, HostType};
use rtc_ir::{Global, ResourceType};
use rtc_tables::resources::{ResourceClass, ResourceKind};
use spirv::{Capability, Decoration, Op, StorageClass};

use super::Emitter;
use crate::words::{TypeId, operands};

impl<'a> Emitter<'a> {
    /// The block type of a buffer that is declared with the type of the source.
    pub(crate) fn host_block(&self, g: Global) -> Option<&'a HostBlock> {
        let decl = self.m.globals[g].resource()?;
        decl.host.as_ref().filter(|_| !self.words_only.contains(&g))
    }

    /// The structure type of a block.
    pub(crate) fn host_block_ty(&mut self, block: &'a HostBlock, ty: &ResourceType) -> TypeId {
        let key = (block.ty, block.name.as_str());
        if let Some(&id) = self.host_blocks.get(&key) {
            return id;
        }
        let constants = ty.class == ResourceClass::Cbv;
        let id = if ty.kind == ResourceKind::StructuredBuffer {
            let elem = self.host_ty(block.ty);
            let array = self.w.new_ty(Op::TypeRuntimeArray, &[elem]);
            self.w.decorate(array, Decoration::ArrayStride, &[ty.stride]);
            let id = self.w.new_ty(Op::TypeStruct, &[array]);
            self.w.name(id, &block.name);
            self.w.decorate_member(id, 0, Decoration::Offset, &[0]);
            self.decorate_matrix(id, 0, block.ty);
            id
        } else {
            self.host_ty(block.ty)
        };
        if !constants && ty.class == ResourceClass::Srv {
            let members = match self.m.host_types.kind(block.ty) {
                HostKind::Struct { members, .. } if ty.kind != ResourceKind::StructuredBuffer => members.len() as u32,
                _ => 1,
            };
            (0..members).for_each(|n| self.w.decorate_member(id, n, Decoration::NonWritable, &[]));
        }
        self.decorate_block(id, !constants);
        self.host_blocks.insert(key, id);
        id
    }

    /// The type of a scalar in memory.
    pub(crate) fn host_scalar(&mut self, s: HostScalar) -> TypeId {
        let plain = self.scalar(s.scalar, true);
        if s.signed { self.w.int_ty(s.scalar.bits(), true) } else { plain }
    }

    /// The type of a vector in memory.
    pub(crate) fn host_vector(&mut self, s: HostScalar, n: u32) -> TypeId {
        let scalar = self.host_scalar(s);
        self.w.vector_ty(scalar, n)
    }

    /// The SPIR-V type of a host type.
    pub(crate) fn host_ty(&mut self, t: HostType) -> TypeId {
        if let Some(&id) = self.host_types.get(&t) {
            return id;
        }
        let m = self.m;
        let id = match *m.host_types.kind(t) {
            HostKind::Scalar(s) => self.host_scalar(s),
            HostKind::Vector(s, n) => self.host_vector(s, n),
            HostKind::Matrix { scalar, rows, cols, .. } => {
                let row = self.host_vector(scalar, cols);
                self.w.matrix_ty(row, rows)
            }
            HostKind::Array { elem, count, stride } => {
                let elem = self.host_ty(elem);
                let count = self.w.u32(count);
                let id = self.w.new_ty(Op::TypeArray, &operands![elem, count]);
                self.w.decorate(id, Decoration::ArrayStride, &[stride]);
                id
            }
            HostKind::Struct { ref name, ref members } => {
                let types: Vec<TypeId> = members.iter().map(|m| self.host_ty(m.ty)).collect();
                let id = self.w.new_ty(Op::TypeStruct, &types);
                self.w.name(id, name);
                for (n, member) in members.iter().enumerate() {
                    let n = n as u32;
                    self.w.member_name(id, n, &member.name);
                    self.w.decorate_member(id, n, Decoration::Offset, &[member.offset]);
                    self.decorate_matrix(id, n, member.ty);
                    self.inline_member(id, n, &member.decorations);
                }
                id
            }
        };
        self.host_types.insert(t, id);
        id
    }

    /// Decorates a member with the memory layout of its matrices. What HLSL calls a row SPIR-V calls a column.
    fn decorate_matrix(&mut self, id: TypeId, member: u32, ty: HostType) {
        let mut t = ty;
        while let HostKind::Array { elem, .. } = *self.m.host_types.kind(t) {
            t = elem;
        }
        if let HostKind::Matrix { row_major, stride, .. } = *self.m.host_types.kind(t) {
            let order = if row_major { Decoration::ColMajor } else { Decoration::RowMajor };
            self.w.decorate_member(id, member, Decoration::MatrixStride, &[stride]);
            self.w.decorate_member(id, member, order, &[]);
        }
    }

    /// What 16-bit members of a block need.
    pub(crate) fn narrow_storage(&mut self, class: StorageClass, why: impl Fn() -> String) {
        let capability = match class {
            StorageClass::PushConstant => Capability::StoragePushConstant16,
            StorageClass::Uniform => Capability::UniformAndStorageBuffer16BitAccess,
            _ => Capability::StorageBuffer16BitAccess,
        };
        self.w.capability(capability, &why);
        self.w.extension("SPV_KHR_16bit_storage", &why);
    }
}
