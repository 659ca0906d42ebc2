//! Memory at 64-bit addresses.
//!
//! An access is one instruction, which says the alignment that the program promises. Vulkan requires at least the size of a component; where
//! less is promised, components are assembled from words, and words from halves or bytes.

use rtc_ir::{Inst, Opcode, Scalar, Type};
use spirv::{Capability, MemoryAccess, Op, StorageClass};

use super::FuncEmitter;
use crate::words::{Id, Literal, TypeId, operands};

impl FuncEmitter<'_, '_> {
    /// A load or store at an address.
    pub(crate) fn address_inst(&mut self, i: Inst, op: Opcode, align: u32, args: &[rtc_ir::Value]) {
        let why = self.reason("memory at an address");
        self.e.w.physical = true;
        self.e.w.capability(Capability::PhysicalStorageBufferAddresses, || why.clone());
        self.e.w.extension("SPV_KHR_physical_storage_buffer", || why);
        let value = if op == Opcode::phys_load { self.f.result(i) } else { args[1] };
        let ty = self.f.ty(value);
        let s = self.m.types.elem(ty);
        let base = self.val(args[0]);
        let whole = align >= s.bytes();
        if op == Opcode::phys_load {
            let out = self.e.ty(ty);
            let id = match whole {
                true => {
                    self.narrow_access(s.bits());
                    let p = self.address_plus(base, 0, out);
                    self.op(Op::Load, out, &operands![p, MemoryAccess::ALIGNED, Literal(align)])
                }
                false => self.load_parts(base, ty, align),
            };
            self.set(value, id);
            return;
        }
        let id = self.val(value);
        match whole {
            true => {
                self.narrow_access(s.bits());
                let out = self.e.ty(ty);
                let p = self.address_plus(base, 0, out);
                self.stmt(Op::Store, &operands![p, id, MemoryAccess::ALIGNED, Literal(align)]);
            }
            false => self.store_parts(base, ty, id, align),
        }
    }

    /// What numbers of this many bits in memory require.
    fn narrow_access(&mut self, bits: u32) {
        let (capability, extension) = match bits {
            8 => (Capability::StorageBuffer8BitAccess, "SPV_KHR_8bit_storage"),
            16 => (Capability::StorageBuffer16BitAccess, "SPV_KHR_16bit_storage"),
            _ => return,
        };
        let why = self.reason("memory at an address");
        self.e.w.capability(capability, || why.clone());
        self.e.w.extension(extension, || why);
    }

    /// The pointer to what is some bytes after an address.
    fn address_plus(&mut self, base: Id, bytes: u32, target: TypeId) -> Id {
        let wide = self.e.scalar(Scalar::I64, false);
        let mut at = base;
        if bytes > 0 {
            let step = self.e.w.number(wide, &[bytes, 0]);
            at = self.op(Op::IAdd, wide, &[base, step]);
        }
        let pointer = self.e.w.pointer_ty(StorageClass::PhysicalStorageBuffer, target);
        self.op(Op::ConvertUToPtr, pointer, &[at])
    }

    /// The types of a value as words: of all words, and how many there are. Numbers of 16 bits have a word each.
    fn words_ty(&mut self, ty: Type) -> (TypeId, u32) {
        let (s, lanes) = self.m.types.numeric(ty).expect("memory holds numbers");
        let words = lanes * s.bytes().div_ceil(4);
        let word = self.e.w.u32_ty();
        (if words == 1 { word } else { self.e.w.vector_ty(word, words) }, words)
    }

    /// A value of which less than a component is aligned.
    fn load_parts(&mut self, base: Id, ty: Type, align: u32) -> Id {
        let s = self.m.types.elem(ty);
        let (words_ty, words) = self.words_ty(ty);
        let all = match align {
            4 => {
                let p = self.address_plus(base, 0, words_ty);
                self.op(Op::Load, words_ty, &operands![p, MemoryAccess::ALIGNED, Literal(align)])
            }
            _ => {
                let size = s.bytes().min(4);
                let parts: Vec<Id> = (0..words).map(|n| self.load_word_parts(base, n * size, size, align)).collect();
                if words == 1 { parts[0] } else { self.composite(words_ty, &parts) }
            }
        };
        self.words_to_value(all, ty)
    }

    /// The low bytes of a word, `size` of them, from parts of `align` bytes.
    fn load_word_parts(&mut self, base: Id, first: u32, size: u32, align: u32) -> Id {
        self.narrow_access(align * 8);
        let (word, narrow) = (self.e.w.u32_ty(), self.e.w.int_ty(align * 8, false));
        let mut all = None;
        for byte in (0..size).step_by(align as usize) {
            let p = self.address_plus(base, first + byte, narrow);
            let part = self.op(Op::Load, narrow, &operands![p, MemoryAccess::ALIGNED, Literal(align)]);
            let mut part = self.op(Op::UConvert, word, &[part]);
            if byte > 0 {
                let shift = self.e.w.u32(byte * 8);
                part = self.op(Op::ShiftLeftLogical, word, &[part, shift]);
            }
            all = Some(match all {
                Some(before) => self.op(Op::BitwiseOr, word, &[before, part]),
                None => part,
            });
        }
        all.expect("a number has bytes")
    }

    fn store_parts(&mut self, base: Id, ty: Type, id: Id, align: u32) {
        let s = self.m.types.elem(ty);
        let (words_ty, words) = self.words_ty(ty);
        let all = self.value_to_words(id, ty);
        if align == 4 {
            let p = self.address_plus(base, 0, words_ty);
            return self.stmt(Op::Store, &operands![p, all, MemoryAccess::ALIGNED, Literal(align)]);
        }
        self.narrow_access(align * 8);
        let (word, narrow) = (self.e.w.u32_ty(), self.e.w.int_ty(align * 8, false));
        let size = s.bytes().min(4);
        for n in 0..words {
            let one = if words == 1 { all } else { self.extract(word, all, &[n]) };
            for byte in (0..size).step_by(align as usize) {
                let mut part = one;
                if byte > 0 {
                    let shift = self.e.w.u32(byte * 8);
                    part = self.op(Op::ShiftRightLogical, word, &[one, shift]);
                }
                let part = self.op(Op::UConvert, narrow, &[part]);
                let p = self.address_plus(base, n * size + byte, narrow);
                self.stmt(Op::Store, &operands![p, part, MemoryAccess::ALIGNED, Literal(align)]);
            }
        }
    }

    /// Words as in [`Self::words_ty`] to the value.
    fn words_to_value(&mut self, words: Id, ty: Type) -> Id {
        let (s, lanes) = self.m.types.numeric(ty).expect("memory holds numbers");
        let out = self.e.ty(ty);
        if s == Scalar::I32 {
            return words;
        }
        if s.bits() > 16 {
            return self.op(Op::Bitcast, out, &[words]);
        }
        let shorts = self.shorts_ty(lanes);
        let id = self.op(Op::UConvert, shorts, &[words]);
        if s == Scalar::I16 { id } else { self.op(Op::Bitcast, out, &[id]) }
    }

    fn value_to_words(&mut self, id: Id, ty: Type) -> Id {
        let (s, lanes) = self.m.types.numeric(ty).expect("memory holds numbers");
        let (words_ty, _) = self.words_ty(ty);
        if s == Scalar::I32 {
            return id;
        }
        if s.bits() > 16 {
            return self.op(Op::Bitcast, words_ty, &[id]);
        }
        let shorts = self.shorts_ty(lanes);
        let bits = if s == Scalar::I16 { id } else { self.op(Op::Bitcast, shorts, &[id]) };
        self.op(Op::UConvert, words_ty, &[bits])
    }

    /// Integers of 16 bits.
    fn shorts_ty(&mut self, lanes: u32) -> TypeId {
        let half = self.e.scalar(Scalar::I16, false);
        if lanes == 1 { half } else { self.e.w.vector_ty(half, lanes) }
    }
}
