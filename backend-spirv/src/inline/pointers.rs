//! Operands of inline SPIR-V in memory: pointers to variables, to numbers in buffers and at addresses; matrices, which are arrays of
//! rows everywhere else.

use rtc_ir::{Place, Scalar, Type, TypeKind, Value};
use rtc_tables::resources::ResourceClass;
use spirv::{Capability, Decoration, Op, StorageClass};

use crate::bindings::Home;
use crate::emit::FuncEmitter;
use crate::words::{Id, TypeId};

impl FuncEmitter<'_, '_> {
    /// The pointer to a place, and the type of what is there. Its index values are taken from `indices`.
    pub(super) fn inline_place(&mut self, place: Place, indices: &mut &[Value]) -> (Id, Type) {
        let (id, ty, used) = self.place_pointer(place, indices);
        *indices = &indices[used..];
        (id, ty)
    }

    /// The pointer to a number in a buffer. The buffer is declared once more, as an array of such numbers.
    pub(super) fn element_pointer(&mut self, ty: Type, handle: Value, index: Value, byte: Value) -> Id {
        let Some(h) = self.handle(handle) else { return self.e.w.u32(0) };
        let (s, lanes) = self.m.types.numeric(ty).expect("verified: a number");
        let size = s.bytes() * lanes;
        let stride = h.ty.stride;
        let offset = self.f.as_const(byte);
        let misplaced = stride % size != 0 || offset.is_some_and(|o| o % u64::from(size) != 0);
        if lanes == 3 || misplaced || !matches!(h.home, Home::Descriptor { .. } | Home::Heap { .. }) {
            self.error("this number in a buffer has no pointer: its address is no multiple of its size");
            return self.e.w.u32(0);
        }
        let why = self.reason("a reference into a buffer");
        match s.bits() {
            16 => {
                self.e.w.capability(Capability::StorageBuffer16BitAccess, || why.clone());
                self.e.w.extension("SPV_KHR_16bit_storage", || why);
            }
            1 => {
                self.error("booleans in buffers have no pointers");
                return self.e.w.u32(0);
            }
            _ => {}
        }
        let elem = self.e.ty(ty);
        let block = self.element_block(elem, size, h.ty.class == ResourceClass::Srv);
        let class = self.e.buffer_class();
        let base = self.descriptor(&h, class, block);
        let word = self.e.w.u32_ty();
        let mut at = self.val(index);
        if stride > size {
            let per = self.e.w.u32(stride / size);
            at = self.op(Op::IMul, word, &[at, per]);
        }
        let more = match offset {
            Some(0) => None,
            Some(n) => Some(self.e.w.u32(n as u32 / size)),
            None => {
                let (bytes, size) = (self.val(byte), self.e.w.u32(size));
                Some(self.op(Op::UDiv, word, &[bytes, size]))
            }
        };
        if let Some(more) = more {
            at = self.op(Op::IAdd, word, &[at, more]);
        }
        let pointer = self.e.w.pointer_ty(class, elem);
        let zero = self.e.w.u32(0);
        let p = self.op(Op::AccessChain, pointer, &[base, zero, at]);
        if h.nonuniform {
            self.nonuniform(p);
        }
        p
    }

    /// The structure with an array of `elem` in it.
    fn element_block(&mut self, elem: TypeId, size: u32, read_only: bool) -> TypeId {
        if let Some(&t) = self.e.element_blocks.get(&(elem, read_only)) {
            return t;
        }
        let w = &mut self.e.w;
        let array = w.new_ty(Op::TypeRuntimeArray, &[elem]);
        w.decorate(array, Decoration::ArrayStride, &[size]);
        let block = w.new_ty(Op::TypeStruct, &[array]);
        self.e.decorate_block(block, true);
        let w = &mut self.e.w;
        w.decorate_member(block, 0, Decoration::Offset, &[0]);
        if read_only {
            w.decorate_member(block, 0, Decoration::NonWritable, &[]);
        }
        w.name(block, "Elements");
        self.e.element_blocks.insert((elem, read_only), block);
        block
    }

    /// The pointer to a number at an address.
    pub(super) fn address_pointer(&mut self, ty: Type, address: Value) -> Id {
        let why = self.reason("memory at an address");
        self.e.w.physical = true;
        self.e.w.capability(Capability::PhysicalStorageBufferAddresses, || why.clone());
        self.e.w.extension("SPV_KHR_physical_storage_buffer", || why);
        let elem = self.e.interface_ty(ty);
        let pointer = self.e.w.pointer_ty(StorageClass::PhysicalStorageBuffer, elem);
        let id = self.val(address);
        self.op(Op::ConvertUToPtr, pointer, &[id])
    }

    /// Type of the matrix, type of a row, number of rows, of an array of rows that is a matrix.
    pub(super) fn matrix_types(&mut self, ty: Type) -> Option<(TypeId, TypeId, u32)> {
        let TypeKind::Array(row, n) = self.m.types.kind(ty) else { return None };
        let (s, lanes) = self.m.types.numeric(row)?;
        if !(2..=4).contains(&n) || !(2..=4).contains(&lanes) || !matches!(s, Scalar::F16 | Scalar::F32 | Scalar::F64) {
            return None;
        }
        let row = self.e.ty(row);
        Some((self.e.w.matrix_ty(row, n), row, n))
    }

    /// The matrix whose columns are the rows in an array: what HLSL calls a row is a column of SPIR-V, as in the reference compiler.
    pub(super) fn load_matrix(&mut self, pointer: Id, ty: Type) -> Id {
        let array = self.e.ty(ty);
        let all = self.op(Op::Load, array, &[pointer]);
        let Some((matrix, row, n)) = self.matrix_types(ty) else { return all };
        let rows: Vec<Id> = (0..n).map(|i| self.extract(row, all, &[i])).collect();
        self.composite(matrix, &rows)
    }

    /// Puts a matrix into an array of rows.
    pub(super) fn store_matrix(&mut self, pointer: Id, ty: Type, id: Id) {
        let array = self.e.ty(ty);
        let all = match self.matrix_types(ty) {
            Some((_, row, n)) => {
                let rows: Vec<Id> = (0..n).map(|i| self.extract(row, id, &[i])).collect();
                self.composite(array, &rows)
            }
            None => id,
        };
        self.stmt(Op::Store, &[pointer, all]);
    }
}
