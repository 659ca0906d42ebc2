//! Constant, structured and byte-address buffers.
//!
//! A constant buffer is an array of four-word rows, every other buffer an array of words; values are assembled
//! from words. So offsets are exactly those that the front end computed, in any layout, and the same
//! code reads descriptors, shader record constants and buffers given by address.

use rtc_ir::{Inst, InstData, Opcode, Scalar, Type, Value};
use rtc_tables::resources::{ResourceClass, ResourceFlags, ResourceKind};
use smallvec::SmallVec;
use spirv::{Capability, Decoration, MemoryAccess, Op, StorageClass};

use super::forms::Form;
use super::{Emitter, FuncEmitter, Handle};
use crate::bindings::Home;
use crate::words::{Id, Literal, TypeId, operands};

/// The block types that buffers have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockKind {
    /// A constant buffer of this many rows.
    Rows(u32),
    /// Words that are only read.
    Words,
    /// Words that are written too.
    WordsRw,
    /// Rows of four words that are only read: structures of whole rows, so that a vector of a row is one load.
    Quads,
    /// Rows of four words that are written too.
    QuadsRw,
    /// The same bytes as pairs of words, for atomic operations of 64 bits.
    Pairs,
    /// The same bytes as halves of words, for stores of 16 bits.
    Halves,
    /// Words of the shader record or of push constants.
    Record(u32),
}

impl Emitter<'_> {
    /// The structure type of a block.
    pub(crate) fn block_ty(&mut self, kind: BlockKind) -> TypeId {
        if let Some(&t) = self.block_types.get(&kind) {
            return t;
        }
        let word = self.w.u32_ty();
        let (elem, stride, len, name) = match kind {
            BlockKind::Rows(n) => (self.w.vector_ty(word, 4), 16, Some(n), "Constants"),
            BlockKind::Record(n) => (word, 4, Some(n), "ShaderRecord"),
            BlockKind::Pairs => (self.scalar(Scalar::I64, false), 8, None, "Pairs"),
            BlockKind::Halves => (self.scalar(Scalar::I16, false), 2, None, "Halves"),
            BlockKind::Words => (word, 4, None, "type.ByteAddressBuffer"),
            BlockKind::WordsRw => (word, 4, None, "type.RWByteAddressBuffer"),
            BlockKind::Quads => (self.w.vector_ty(word, 4), 16, None, "type.StructuredBuffer"),
            BlockKind::QuadsRw => (self.w.vector_ty(word, 4), 16, None, "type.RWStructuredBuffer"),
        };
        let array = match len {
            Some(n) => {
                let n = self.w.u32(n.max(1));
                self.w.new_ty(Op::TypeArray, &operands![elem, n])
            }
            None => self.w.new_ty(Op::TypeRuntimeArray, &[elem]),
        };
        self.w.decorate(array, Decoration::ArrayStride, &[stride]);
        let block = self.w.new_ty(Op::TypeStruct, &[array]);
        let buffer = !matches!(kind, BlockKind::Rows(_) | BlockKind::Record(_));
        self.decorate_block(block, buffer);
        self.w.decorate_member(block, 0, Decoration::Offset, &[0]);
        if matches!(kind, BlockKind::Words | BlockKind::Quads) {
            self.w.decorate_member(block, 0, Decoration::NonWritable, &[]);
        }
        self.w.name(block, name);
        self.block_types.insert(kind, block);
        self.block_arrays.insert(kind, array);
        block
    }

    /// Decorates the structure type of a block. `buffer`: of a storage buffer, which before SPIR-V 1.4 is a kind of uniform block.
    pub(crate) fn decorate_block(&mut self, block: TypeId, buffer: bool) {
        let decoration = if buffer && self.uniform_buffers { Decoration::BufferBlock } else { Decoration::Block };
        self.w.decorate(block, decoration, &[]);
    }

    /// The storage class of storage buffers.
    pub(crate) fn buffer_class(&self) -> StorageClass {
        if self.uniform_buffers { StorageClass::Uniform } else { StorageClass::StorageBuffer }
    }

    /// The variable of the hidden counter of a resource, in `slot`.
    pub(crate) fn counter_var(&mut self, g: rtc_ir::Global, slot: (u32, u32)) -> Id {
        if let Some(&v) = self.counters.get(&g) {
            return v;
        }
        let block = self.counter_block();
        let m = self.m;
        let decl = m.globals[g].resource().expect("counters are of resources");
        let v = self.array_of_blocks(g, decl, self.buffer_class(), block);
        self.w.name(v, &format!("counter.var.{}", m.globals[g].name));
        self.w.bind(v, slot);
        self.counters.insert(g, v);
        v
    }

    /// The structure type of hidden counters.
    fn counter_block(&mut self) -> TypeId {
        if let Some(block) = self.counter_block {
            return block;
        }
        let int = self.w.int_ty(32, true);
        let block = self.w.new_ty(Op::TypeStruct, &[int]);
        self.decorate_block(block, true);
        self.w.decorate_member(block, 0, Decoration::Offset, &[0]);
        self.w.name(block, "type.ACSBuffer.counter");
        self.w.member_name(block, 0, "counter");
        self.counter_block = Some(block);
        block
    }

    /// The storage class of the block that a handle refers to.
    pub(crate) fn block_class(&self, h: &Handle) -> StorageClass {
        match h.home {
            Home::Push => StorageClass::PushConstant,
            Home::Record => StorageClass::ShaderRecordBufferKHR,
            _ if h.ty.class == ResourceClass::Cbv => StorageClass::Uniform,
            _ => self.buffer_class(),
        }
    }

    /// The block kind of a buffer resource.
    pub(crate) fn block_kind(&self, ty: &rtc_ir::ResourceType) -> BlockKind {
        match ty.class {
            ResourceClass::Cbv if ty.flags.contains(ResourceFlags::PUSH) => BlockKind::Record(ty.stride.div_ceil(4)),
            ResourceClass::Cbv => BlockKind::Rows(ty.stride.div_ceil(16)),
            class => {
                match (
                    class == ResourceClass::Srv,
                    ty.kind == ResourceKind::StructuredBuffer && ty.stride >= ROW && ty.stride.is_multiple_of(ROW),
                ) {
                    (true, true) => BlockKind::Quads,
                    (false, true) => BlockKind::QuadsRw,
                    (true, false) => BlockKind::Words,
                    (false, false) => BlockKind::WordsRw,
                }
            }
        }
    }
}

/// Bytes of a row of four words.
const ROW: u32 = 16;

impl BlockKind {
    /// Whether the elements are rows of four words.
    fn has_rows(self) -> bool {
        matches!(self, BlockKind::Rows(_) | BlockKind::Quads | BlockKind::QuadsRw)
    }
}

/// Words of a buffer from some word on.
#[derive(Clone, Copy)]
struct Words {
    /// Pointer to the structure with the array of words or rows.
    base: Id,
    class: StorageClass,
    /// Rows of four words instead of words: the row's number, else the word's.
    first: Id,
    /// Constant number of words to add to `first`, or the first word in the row.
    plus: u32,
    rows: bool,
    /// Rows of four words, but `first` is the word's number.
    split: bool,
    physical: bool,
    nonuniform: bool,
}

impl FuncEmitter<'_, '_> {
    /// The shader record's variable.
    fn record_var(&mut self) -> Id {
        if let Some(v) = self.record {
            return v;
        }
        let words = self.e.bindings.record_size(self.f).div_ceil(4);
        let block = self.e.block_ty(BlockKind::Record(words));
        let v = self.e.w.variable(StorageClass::ShaderRecordBufferKHR, block, None);
        self.e.w.name(v, &format!("{}.record", self.f.name));
        self.interface.insert(v);
        self.record = Some(v);
        v
    }

    /// The word at a byte of the shader record.
    pub(crate) fn record_word(&mut self, offset: u32) -> Id {
        let var = self.record_var();
        let word = self.e.w.u32_ty();
        let pointer = self.e.w.pointer_ty(StorageClass::ShaderRecordBufferKHR, word);
        let (zero, n) = (self.e.w.u32(0), self.e.w.u32(offset / 4));
        let p = self.op(Op::AccessChain, pointer, &[var, zero, n]);
        self.op(Op::Load, word, &[p])
    }

    /// The 64-bit address at a byte of the shader record, as two words.
    pub(crate) fn record_address(&mut self, offset: u32) -> Id {
        let (lo, hi) = (self.record_word(offset), self.record_word(offset + 4));
        let word = self.e.w.u32_ty();
        let pair = self.e.w.vector_ty(word, 2);
        self.composite(pair, &[lo, hi])
    }

    /// The structure of words that a handle refers to.
    fn words(&mut self, h: &Handle, first: Id, plus: u32) -> Words {
        self.words_from(h, first, plus, true)
    }

    /// The structure of words that a handle refers to, from a word or, of a constant buffer, from a row.
    fn words_from(&mut self, h: &Handle, first: Id, plus: u32, by_words: bool) -> Words {
        let kind = self.e.block_kind(&h.ty);
        let rows = kind.has_rows();
        let block = self.e.block_ty(kind);
        let nonuniform = h.nonuniform;
        let mut first = first;
        if !by_words && (!rows || matches!(h.home, Home::RecordConstants { .. })) {
            // A row is four words of what has no rows.
            let word = self.e.w.u32_ty();
            let four = self.e.w.u32(4);
            first = self.op(Op::IMul, word, &[first, four]);
        }
        let split = by_words;
        match h.home {
            Home::RecordConstants { offset } => {
                let base = self.record_var();
                let class = StorageClass::ShaderRecordBufferKHR;
                Words { base, class, first, plus: plus + offset / 4, rows: false, split: false, physical: false, nonuniform }
            }
            Home::RecordAddress { offset } => {
                let address = self.record_address(offset);
                let why = self.reason("a buffer address in the shader record");
                self.need_addresses(why);
                let class = StorageClass::PhysicalStorageBuffer;
                let pointer = self.e.w.pointer_ty(class, block);
                let base = self.op(Op::Bitcast, pointer, &[address]);
                Words { base, class, first, plus, rows, split, physical: true, nonuniform }
            }
            Home::Push | Home::Record => {
                let class = if h.home == Home::Push { StorageClass::PushConstant } else { StorageClass::ShaderRecordBufferKHR };
                let base = self.descriptor(h, class, block);
                Words { base, class, first, plus, rows: false, split: false, physical: false, nonuniform }
            }
            Home::Descriptor { .. } | Home::Heap { .. } | Home::RecordTable { .. } => {
                let class = if matches!(kind, BlockKind::Rows(_)) { StorageClass::Uniform } else { self.e.buffer_class() };
                let base = self.descriptor(h, class, block);
                Words { base, class, first, plus, rows, split, physical: false, nonuniform }
            }
        }
    }

    /// The pointer to the words of a byte-address buffer, all of them.
    pub(crate) fn whole_buffer(&mut self, handle: Value) -> Option<Id> {
        let h = self.handle(handle)?;
        let zero = self.e.w.u32(0);
        let words = self.words(&h, zero, 0);
        let array = self.e.block_arrays[&self.e.block_kind(&h.ty)];
        let pointer = self.e.w.pointer_ty(words.class, array);
        let p = self.op(Op::AccessChain, pointer, &[words.base, zero]);
        if words.nonuniform {
            self.nonuniform(p);
        }
        Some(p)
    }

    /// The pointer to word number `n` after the first.
    fn word_pointer(&mut self, w: &Words, n: u32) -> Id {
        let word = self.e.w.u32_ty();
        let pointer = self.e.w.pointer_ty(w.class, word);
        let zero = self.e.w.u32(0);
        let at = w.plus + n;
        let p = if w.rows && w.split {
            let (row, component) = if w.first == self.e.w.u32(0) {
                (self.e.w.u32(at / 4), self.e.w.u32(at % 4))
            } else {
                let index = self.add(w.first, at);
                let (two, three) = (self.e.w.u32(2), self.e.w.u32(3));
                (self.op(Op::ShiftRightLogical, word, &[index, two]), self.op(Op::BitwiseAnd, word, &[index, three]))
            };
            self.op(Op::AccessChain, pointer, &[w.base, zero, row, component])
        } else if w.rows {
            let component = self.e.w.u32(at % 4);
            let row = self.add(w.first, at / 4);
            self.op(Op::AccessChain, pointer, &[w.base, zero, row, component])
        } else {
            let index = self.add(w.first, at);
            self.op(Op::AccessChain, pointer, &[w.base, zero, index])
        };
        if w.nonuniform {
            self.nonuniform(p);
        }
        p
    }

    /// `id + n`, folded where possible.
    pub(crate) fn add(&mut self, id: Id, n: u32) -> Id {
        if n == 0 {
            return id;
        }
        if let Some(k) = self.e.w.as_u32(id) {
            return self.e.w.u32(k.wrapping_add(n));
        }
        let (word, n) = (self.e.w.u32_ty(), self.e.w.u32(n));
        self.op(Op::IAdd, word, &[id, n])
    }

    fn load_word(&mut self, w: &Words, n: u32) -> Id {
        let p = self.word_pointer(w, n);
        self.load_pointer(w, p)
    }

    fn load_pointer(&mut self, w: &Words, p: Id) -> Id {
        let word = self.e.w.u32_ty();
        self.load_as(w, word, p)
    }

    /// Loads a word, or a row of words, that a pointer leads to.
    fn load_as(&mut self, w: &Words, ty: TypeId, p: Id) -> Id {
        let id =
            if w.physical { self.op(Op::Load, ty, &operands![p, MemoryAccess::ALIGNED, Literal(4)]) } else { self.op(Op::Load, ty, &[p]) };
        if w.nonuniform {
            self.nonuniform(id);
        }
        id
    }

    fn store_word(&mut self, w: &Words, n: u32, id: Id) {
        let p = self.word_pointer(w, n);
        self.store_pointer(w, p, id);
    }

    fn store_pointer(&mut self, w: &Words, p: Id, id: Id) {
        if w.physical { self.stmt(Op::Store, &operands![p, id, MemoryAccess::ALIGNED, Literal(4)]) } else { self.stmt(Op::Store, &[p, id]) }
    }

    /// A value of type `ty` from the words on; `half` is the id of 0 or 1 that picks the half of the first
    /// word where a 16-bit value starts (`None`: the lower one).
    fn load_value(&mut self, w: &Words, ty: Type, half: Option<Id>) -> Id {
        let (s, lanes) = self.m.types.numeric(ty).expect("buffers hold numbers");
        let word = self.e.w.u32_ty();
        if let Some(p) = self.row_pointer(w, s, lanes) {
            let (row, out) = (self.e.w.vector_ty(word, 4), self.e.ty(ty));
            let id = self.load_as(w, row, p);
            return if row == out { id } else { self.op(Op::Bitcast, out, &[id]) };
        }
        let scalar = self.e.scalar(s, false);
        let parts: Vec<Id> = match s.bits() {
            16 => (0..lanes).map(|n| self.load_half(w, n, half, s)).collect(),
            64 => (0..lanes)
                .map(|n| {
                    let (lo, hi) = (self.load_word(w, 2 * n), self.load_word(w, 2 * n + 1));
                    let pair = self.e.w.vector_ty(word, 2);
                    let both = self.composite(pair, &[lo, hi]);
                    self.op(Op::Bitcast, scalar, &[both])
                })
                .collect(),
            _ => (0..lanes)
                .map(|n| {
                    let id = self.load_word(w, n);
                    match s {
                        Scalar::Bool => self.word_to_bool(id, Type::BOOL),
                        Scalar::F32 => self.op(Op::Bitcast, scalar, &[id]),
                        _ => id,
                    }
                })
                .collect(),
        };
        let out = self.e.ty(ty);
        if lanes == 1 { parts[0] } else { self.composite(out, &parts) }
    }

    /// Component `n` of 16 bits.
    fn load_half(&mut self, w: &Words, n: u32, half: Option<Id>, s: Scalar) -> Id {
        let word = self.e.w.u32_ty();
        let bits = match half {
            None => {
                let id = self.load_word(w, n / 2);
                let shift = self.e.w.u32(n % 2 * 16);
                self.op(Op::ShiftRightLogical, word, &[id, shift])
            }
            Some(h) => {
                // The word is (h + n) / 2 further on, the half (h + n) mod 2.
                let at = self.add(h, n);
                let one = self.e.w.u32(1);
                let further = self.op(Op::ShiftRightLogical, word, &[at, one]);
                let first = self.op(Op::IAdd, word, &[w.first, further]);
                let id = self.load_word(&Words { first, ..*w }, 0);
                let odd = self.op(Op::BitwiseAnd, word, &[at, one]);
                let four = self.e.w.u32(4);
                let shift = self.op(Op::ShiftLeftLogical, word, &[odd, four]);
                self.op(Op::ShiftRightLogical, word, &[id, shift])
            }
        };
        let i16 = self.e.scalar(Scalar::I16, false);
        let low = self.op(Op::UConvert, i16, &[bits]);
        if s == Scalar::I16 {
            return low;
        }
        let ty = self.e.scalar(s, false);
        self.op(Op::Bitcast, ty, &[low])
    }

    /// Stores a value whose components have 32 or 64 bits.
    fn store_value(&mut self, w: &Words, v: Value) {
        let ty = self.f.ty(v);
        let (s, lanes) = self.m.types.numeric(ty).expect("buffers hold numbers");
        let id = self.val(v);
        let scalar = self.e.scalar(s, false);
        let word = self.e.w.u32_ty();
        if let Some(p) = self.row_pointer(w, s, lanes) {
            let row = self.e.w.vector_ty(word, 4);
            let id = if row == self.e.ty(ty) { id } else { self.op(Op::Bitcast, row, &[id]) };
            return self.store_pointer(w, p, id);
        }
        for n in 0..lanes {
            let part = if lanes == 1 { id } else { self.extract(scalar, id, &[n]) };
            match s {
                Scalar::Bool => {
                    let x = self.bool_to_word(part, Type::BOOL);
                    self.store_word(w, n, x);
                }
                Scalar::F32 => {
                    let x = self.op(Op::Bitcast, word, &[part]);
                    self.store_word(w, n, x);
                }
                Scalar::I32 => self.store_word(w, n, part),
                Scalar::I64 | Scalar::F64 => {
                    let pair = self.e.w.vector_ty(word, 2);
                    let both = self.op(Op::Bitcast, pair, &[part]);
                    for k in 0..2 {
                        let x = self.extract(word, both, &[k]);
                        self.store_word(w, 2 * n + k, x);
                    }
                }
                Scalar::I16 | Scalar::F16 => rtc_base::bug!("values of 16 bits are stored by halves"),
            }
        }
    }

    /// Stores a value of 16-bit components. The other half of a word may belong to another thread, so the buffer is declared once more as an
    /// array of halves: two atomic operations on the word would take many times as long, and let others see a zero in between.
    fn store_halves(&mut self, op: Opcode, h: &Handle, args: &[Value], v: Value) {
        let (s, lanes) = self.m.types.numeric(self.f.ty(v)).expect("buffers hold numbers");
        let why = self.reason("a store of 16 bits in a buffer");
        let (base, class) = self.seen_as(h, BlockKind::Halves);
        self.e.narrow_storage(class, || why.clone());
        let first = self.half_number(op, h, args);
        let (id, scalar, i16) = (self.val(v), self.e.scalar(s, false), self.e.scalar(Scalar::I16, false));
        let (pointer, zero) = (self.e.w.pointer_ty(class, i16), self.e.w.u32(0));
        for n in 0..lanes {
            let part = if lanes == 1 { id } else { self.extract(scalar, id, &[n]) };
            let bits = if s == Scalar::I16 { part } else { self.op(Op::Bitcast, i16, &[part]) };
            let index = self.add(first, n);
            let p = self.op(Op::AccessChain, pointer, &[base, zero, index]);
            if h.nonuniform {
                self.nonuniform(p);
            }
            match class {
                StorageClass::PhysicalStorageBuffer => self.stmt(Op::Store, &operands![p, bits, MemoryAccess::ALIGNED, Literal(2)]),
                _ => self.stmt(Op::Store, &[p, bits]),
            }
        }
    }

    /// The number of the half that an access begins with.
    fn half_number(&mut self, op: Opcode, h: &Handle, args: &[Value]) -> Id {
        let (word, one) = (self.e.w.u32_ty(), self.e.w.u32(1));
        let address = match op {
            Opcode::raw_store => match self.f.as_const(args[1]) {
                Some(n) => return self.e.w.u32(n as u32 / 2),
                None => self.val(args[1]),
            },
            _ => {
                let (stride, index) = (h.ty.stride, self.val(args[1]));
                if let (Some(offset), 0) = (self.f.as_const(args[2]), stride % 2) {
                    let elements = self.e.w.u32(stride / 2);
                    let element = self.op(Op::IMul, word, &[index, elements]);
                    return self.add(element, offset as u32 / 2);
                }
                let (stride, offset) = (self.e.w.u32(stride), self.val(args[2]));
                let element = self.op(Op::IMul, word, &[index, stride]);
                self.op(Op::IAdd, word, &[element, offset])
            }
        };
        self.op(Op::ShiftRightLogical, word, &[address, one])
    }

    /// The word index, and the half if 16-bit values may start in the middle, of a byte address.
    fn byte_address(&mut self, address: Value, small: bool) -> (Id, u32, Option<Id>) {
        if let Some(n) = self.f.as_const(address) {
            let n = n as u32;
            let half = small.then(|| self.e.w.u32(n / 2 % 2));
            return (self.e.w.u32(0), n / 4, half);
        }
        let id = self.val(address);
        let (word, one, two) = (self.e.w.u32_ty(), self.e.w.u32(1), self.e.w.u32(2));
        let index = self.op(Op::ShiftRightLogical, word, &[id, two]);
        let half = small.then(|| {
            let pairs = self.op(Op::ShiftRightLogical, word, &[id, one]);
            self.op(Op::BitwiseAnd, word, &[pairs, one])
        });
        (index, 0, half)
    }

    /// The word where byte `offset` of element `index` is.
    fn element_address(&mut self, h: &Handle, index: Value, offset: Value, small: bool) -> (Id, u32, Option<Id>) {
        let word = self.e.w.u32_ty();
        let stride = h.ty.stride;
        let index = self.val(index);
        if let (Some(o), 0) = (self.f.as_const(offset), stride % 4) {
            let o = o as u32;
            let words = self.e.w.u32(stride / 4);
            let first = self.op(Op::IMul, word, &[index, words]);
            let half = small.then(|| self.e.w.u32(o / 2 % 2));
            return (first, o / 4, half);
        }
        let stride = self.e.w.u32(stride);
        let start = self.op(Op::IMul, word, &[index, stride]);
        let offset = self.val(offset);
        let bytes = self.op(Op::IAdd, word, &[start, offset]);
        let (one, two) = (self.e.w.u32(1), self.e.w.u32(2));
        let first = self.op(Op::ShiftRightLogical, word, &[bytes, two]);
        let half = small.then(|| {
            let pairs = self.op(Op::ShiftRightLogical, word, &[bytes, one]);
            self.op(Op::BitwiseAnd, word, &[pairs, one])
        });
        (first, 0, half)
    }

    /// The words that an access begins with, and the half that 16-bit values do. In structures of whole rows it is known which
    /// part of a row an offset means.
    fn words_at(&mut self, op: Opcode, h: &Handle, args: &[Value], ty: Type) -> (Words, Option<Id>) {
        let offset = self.f.as_const(args[args.len().min(3) - 1]).map(|o| o as u32);
        if let (Opcode::buf_load | Opcode::buf_store | Opcode::buf_atomic, Some(offset), true) =
            (op, offset, self.e.block_kind(&h.ty).has_rows())
        {
            let (word, index) = (self.e.w.u32_ty(), self.val(args[1]));
            let rows = self.e.w.u32(h.ty.stride / ROW);
            let first = if h.ty.stride == ROW { index } else { self.op(Op::IMul, word, &[index, rows]) };
            let half = self.is_small(ty).then(|| self.e.w.u32(offset / 2 % 2));
            return (self.words_from(h, first, offset / 4, false), half);
        }
        let (first, plus, half) = self.address(op, h, args, ty);
        (self.words(h, first, plus), half)
    }

    /// The pointer to a row that a vector of four words fills, if it does.
    fn row_pointer(&mut self, w: &Words, s: Scalar, lanes: u32) -> Option<Id> {
        if !w.rows || w.split || !w.plus.is_multiple_of(4) || lanes != 4 || !matches!(s, Scalar::I32 | Scalar::F32) {
            return None;
        }
        let (word, zero) = (self.e.w.u32_ty(), self.e.w.u32(0));
        let row_ty = self.e.w.vector_ty(word, 4);
        let pointer = self.e.w.pointer_ty(w.class, row_ty);
        let row = self.add(w.first, w.plus / 4);
        let p = self.op(Op::AccessChain, pointer, &[w.base, zero, row]);
        if w.nonuniform {
            self.nonuniform(p);
        }
        Some(p)
    }

    fn is_small(&self, ty: Type) -> bool {
        self.m.types.elem(ty).bits() == 16
    }

    pub(crate) fn buffer_inst(&mut self, i: Inst, op: Opcode, imm: u32, args: &[Value]) {
        if self.accesses.component_loads.contains(&i) {
            return;
        }
        let Some(h) = self.handle(args[0]) else { return self.undefined(i) };
        if op.gives_status(imm) {
            self.error("Vulkan has no residency status of structured and raw buffers");
            return self.undefined(i);
        }
        if self.typed_access(i, op, imm, args, &h) {
            return;
        }
        match op {
            Opcode::cbuf_load => {
                let result = self.f.result(i);
                let ty = self.f.ty(result);
                let row = self.val(args[1]);
                let w = self.words_from(&h, row, imm / 4, false);
                let half = (self.is_small(ty) && imm / 2 % 2 == 1).then(|| self.e.w.u32(1));
                let id = if half.is_some() && w.rows { self.load_odd_halves(&w, ty) } else { self.load_value(&w, ty, half) };
                self.set(result, id);
            }
            Opcode::buf_load | Opcode::raw_load => {
                let result = self.f.result(i);
                let ty = self.f.ty(result);
                let (w, half) = self.words_at(op, &h, args, ty);
                let odd = half.is_some_and(|half| self.e.w.as_u32(half) == Some(1));
                let id = match half {
                    Some(_) if w.rows && !w.split && odd => self.load_odd_halves(&w, ty),
                    Some(_) if w.rows && !w.split => self.load_value(&w, ty, None),
                    _ => self.load_value(&w, ty, half),
                };
                self.set(result, id);
            }
            Opcode::buf_store | Opcode::raw_store => {
                let value = args[args.len() - 1];
                let ty = self.f.ty(value);
                if self.is_small(ty) {
                    return self.store_halves(op, &h, args, value);
                }
                let (w, _) = self.words_at(op, &h, args, ty);
                self.store_value(&w, value);
            }
            Opcode::buf_atomic | Opcode::raw_atomic => self.buffer_atomic(i, op, imm, &h, args),
            Opcode::buf_size => self.buffer_size(i, &h),
            Opcode::counter_add => self.counter_add(i, &h, imm),
            _ => self.error(format!("`{op}` has no SPIR-V form yet")),
        }
    }

    /// Reads a component of constants by its number at run time; says whether `i` does that.
    pub(crate) fn chosen_constant(&mut self, i: Inst) -> bool {
        let Some(&Form::ConstantComponent(load, component)) = self.forms.get(&i) else { return false };
        let InstData::Many { op, imm, args } = self.f.insts[load] else { return false };
        let args: SmallVec<[Value; 4]> = self.f.get(args).into();
        let Some(h) = self.handle(args[0]) else {
            self.undefined(i);
            return true;
        };
        if self.typed_access(i, op, imm, &args, &h) {
            return true;
        }
        let (row, component) = (self.val(args[1]), self.val(component));
        let mut w = self.words_from(&h, row, imm / 4, false);
        let word = self.e.w.u32_ty();
        let mut id = if w.rows {
            let pointer = self.e.w.pointer_ty(w.class, word);
            let (zero, component) = (self.e.w.u32(0), self.add(component, w.plus));
            let p = self.op(Op::AccessChain, pointer, &[w.base, zero, w.first, component]);
            if w.nonuniform {
                self.nonuniform(p);
            }
            self.load_pointer(&w, p)
        } else {
            w.first = self.op(Op::IAdd, word, &[w.first, component]);
            self.load_word(&w, 0)
        };
        let result = self.f.result(i);
        let ty = self.ty_of(result);
        if ty != word {
            id = self.op(Op::Bitcast, ty, &[id]);
        }
        self.set(result, id);
        true
    }

    /// The hidden counter, a word of a buffer of its own, goes up (giving what it was) or down (giving what it is).
    fn counter_add(&mut self, i: Inst, h: &Handle, imm: u32) {
        let own = h.global.filter(|_| !matches!(h.home, Home::Heap { .. }));
        let var = match (own, own.and_then(|g| self.e.bindings.counter(g))) {
            (Some(g), Some(slot)) => {
                let var = self.e.counter_var(g, slot);
                self.global_var(g);
                var
            }
            _ if self.e.heap_counters && matches!(h.home, Home::Heap { .. }) => self.heap_counters(),
            _ => {
                self.error("buffers of the descriptor heap have no hidden counters in a package");
                return self.undefined(i);
            }
        };
        self.interface.insert(var);
        let word = self.e.w.u32_ty();
        let int = self.e.w.int_ty(32, true);
        let pointer = self.e.w.pointer_ty(self.e.buffer_class(), int);
        let zero = self.e.w.u32(0);
        let chain: Vec<Id> = std::iter::once(var).chain(h.index).chain([zero]).collect();
        if h.index.is_some() {
            self.array_capability(h);
        }
        let p = self.op(Op::AccessChain, pointer, &chain);
        if h.nonuniform {
            self.nonuniform(p);
        }
        let (scope, one) = (self.e.w.u32(spirv::Scope::Device as u32), self.e.w.u32(1));
        let step = self.e.w.number(int, &[1]);
        let up = imm == 1;
        let op = if up { Op::AtomicIAdd } else { Op::AtomicISub };
        let before = self.op(op, int, &[p, scope, zero, step]);
        let mut id = self.op(Op::Bitcast, word, &[before]);
        if !up {
            id = self.op(Op::ISub, word, &[id, one]);
        }
        let result = self.f.result(i);
        self.set(result, id);
    }

    /// The variable of the hidden counters of the heap's buffers.
    fn heap_counters(&mut self) -> Id {
        let block = self.e.counter_block();
        let (class, slot) = (self.e.buffer_class(), self.e.bindings.counter_heap());
        self.e.heap_array("counter.var.ResourceDescriptorHeap", class, block, false, slot)
    }

    /// 16-bit values that start in the upper half of a word of a constant buffer row.
    fn load_odd_halves(&mut self, w: &Words, ty: Type) -> Id {
        let (s, lanes) = self.m.types.numeric(ty).expect("a number");
        let (word, i16) = (self.e.w.u32_ty(), self.e.scalar(Scalar::I16, false));
        let scalar = self.e.scalar(s, false);
        let parts: Vec<Id> = (0..lanes)
            .map(|n| {
                let id = self.load_word(w, n.div_ceil(2));
                let shift = self.e.w.u32((n + 1) % 2 * 16);
                let bits = self.op(Op::ShiftRightLogical, word, &[id, shift]);
                let low = self.op(Op::UConvert, i16, &[bits]);
                if s == Scalar::I16 { low } else { self.op(Op::Bitcast, scalar, &[low]) }
            })
            .collect();
        let out = self.e.ty(ty);
        if lanes == 1 { parts[0] } else { self.composite(out, &parts) }
    }

    /// A read-modify-write in a buffer.
    fn buffer_atomic(&mut self, i: Inst, op: Opcode, imm: u32, h: &Handle, args: &[Value]) {
        let result = self.f.result(i);
        let rty = self.f.ty(result);
        let ty = self.e.ty(rty);
        let s = self.m.types.elem(rty);
        let (p, bits) = if s.bits() == 64 {
            let (first, plus, _) = self.address(op, h, args, rty);
            (self.pair_pointer(h, first, plus), self.e.scalar(Scalar::I64, false))
        } else {
            let (w, _) = self.words_at(op, h, args, rty);
            (self.word_pointer(&w, 0), self.e.w.u32_ty())
        };
        let skip = if op == Opcode::buf_atomic { 3 } else { 2 };
        let mut ids = self.vals(&args[skip..]);
        if s.is_float() {
            ids = ids.iter().map(|&x| self.op(Op::Bitcast, bits, &[x])).collect();
        }
        let scope = self.e.w.u32(spirv::Scope::Device as u32);
        let mut id = self.atomic(imm, bits, p, scope, &ids);
        if s.is_float() {
            id = self.op(Op::Bitcast, ty, &[id]);
        }
        self.set(result, id);
    }

    /// A buffer declared once more, with other elements: the pointer to its structure and the storage class.
    fn seen_as(&mut self, h: &Handle, kind: BlockKind) -> (Id, StorageClass) {
        let block = self.e.block_ty(kind);
        let Home::RecordAddress { offset } = h.home else {
            let class = self.e.buffer_class();
            return (self.descriptor(h, class, block), class);
        };
        let address = self.record_address(offset);
        let why = self.reason("a buffer address in the shader record");
        self.need_addresses(why);
        let class = StorageClass::PhysicalStorageBuffer;
        let pointer = self.e.w.pointer_ty(class, block);
        (self.op(Op::Bitcast, pointer, &[address]), class)
    }

    /// What pointers made of addresses require.
    fn need_addresses(&mut self, why: String) {
        self.e.w.physical = true;
        self.e.w.capability(Capability::PhysicalStorageBufferAddresses, || why.clone());
        self.e.w.extension("SPV_KHR_physical_storage_buffer", || why);
    }

    /// The pointer to two words of a buffer as one number.
    fn pair_pointer(&mut self, h: &Handle, first: Id, plus: u32) -> Id {
        let why = self.reason("a 64-bit atomic operation in a buffer");
        self.e.w.capability(Capability::Int64Atomics, || why.clone());
        self.e.w.feature("shaderBufferInt64Atomics", || why);
        let (base, class) = self.seen_as(h, BlockKind::Pairs);
        let word = self.e.w.u32_ty();
        let at = self.add(first, plus);
        let one = self.e.w.u32(1);
        let index = self.op(Op::ShiftRightLogical, word, &[at, one]);
        let zero = self.e.w.u32(0);
        let pair = self.e.scalar(Scalar::I64, false);
        let pointer = self.e.w.pointer_ty(class, pair);
        let p = self.op(Op::AccessChain, pointer, &[base, zero, index]);
        if h.nonuniform {
            self.nonuniform(p);
        }
        p
    }

    fn address(&mut self, op: Opcode, h: &Handle, args: &[Value], ty: Type) -> (Id, u32, Option<Id>) {
        let small = self.is_small(ty);
        match op {
            Opcode::buf_load | Opcode::buf_store | Opcode::buf_atomic => self.element_address(h, args[1], args[2], small),
            _ => self.byte_address(args[1], small),
        }
    }

    fn buffer_size(&mut self, i: Inst, h: &Handle) {
        let result = self.f.result(i);
        if h.ty.kind == ResourceKind::TypedBuffer {
            let id = self.image_size(h, None);
            self.set(result, id);
            return;
        }
        let (Home::Descriptor { .. } | Home::Heap { .. }) = h.home else {
            self.error("a buffer given by its address has no size");
            return;
        };
        let word = self.e.w.u32_ty();
        let class = self.e.buffer_class();
        let typed = h.global.filter(|_| matches!(h.home, Home::Descriptor { .. })).and_then(|g| self.e.host_block(g));
        if let Some(block) = typed {
            let ty = self.e.host_block_ty(block, &h.ty);
            let p = self.descriptor(h, class, ty);
            let id = self.op(Op::ArrayLength, word, &operands![p, Literal(0)]);
            return self.set(result, id);
        }
        let kind = self.e.block_kind(&h.ty);
        let block = self.e.block_ty(kind);
        let p = self.descriptor(h, class, block);
        let elements = self.op(Op::ArrayLength, word, &operands![p, Literal(0)]);
        let size = self.e.w.u32(if kind.has_rows() { ROW } else { 4 });
        let bytes = self.op(Op::IMul, word, &[elements, size]);
        let id = if h.ty.kind == ResourceKind::StructuredBuffer {
            let stride = self.e.w.u32(h.ty.stride.max(1));
            self.op(Op::UDiv, word, &[bytes, stride])
        } else {
            bytes
        };
        self.set(result, id);
    }
}
