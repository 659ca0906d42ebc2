//! Inline fast paths for frequent operations: handles, constant buffer rows, raw loads, texel stores.
//!
//! ```text
//! handle ─► table, index ─► descriptor ─► a buffer's bytes? in bounds? ─► loads
//!                                               └─ else ─► call of the runtime (slow path)
//! ```
//! The same holds for stores of whole texels to 2D images in the formats of
//! [`layout::WRITTEN`](crate::cpu::resources::bindings::layout::WRITTEN).
//!
//! The handles of declared resources are stored in the thread ([`Thread::handles`]), as are the bases of the descriptor tables; a
//! descriptor has the address and size of a buffer's bytes ([`slot`]). Whatever bits a handle has, nothing else is read: an index
//! out of a table's range is replaced by 0, and that descriptor is then not used.
//!
//! [`Thread::handles`]: crate::cpu::thread::Thread

use crate::cpu::ops::RESIDENT;
use crate::cpu::resources::bindings::layout as slot;
use crate::cpu::resources::handle::{
    DESCRIPTOR_BITS, Handle, KIND_AT, MAX_KIND, MAX_STRIDE, MAX_TABLE, STRIDE_AT, TABLE_AT, Table, ViewDesc,
};
use crate::cpu::thread::layout as thread;
use crate::device::Channel;
use rtc_dxil_container::ResourceKind;
use rtc_dxil_module::{BinOp, Block, Builder, CastOp, CmpPred, Module, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{DxilOp, op};

/// The handle of the first element of a declared resource, by its index in the program.
pub fn handle(b: &mut Builder<'_>, resource: usize, view: ViewDesc) -> Value {
    let thread = base(b);
    let table = word_at(b, thread, thread::HANDLES as i64);
    let handle = word_at(b, table, 8 * resource as i64);
    // The handle already has this view; as a constant, its bits fold.
    with_view(b, handle, view)
}

/// [`Handle::with_view`] in compiled code.
pub fn with_view(b: &mut Builder<'_>, handle: Value, view: ViewDesc) -> Value {
    let place = and(b, handle, DESCRIPTOR_BITS as i64);
    let bits = b.module.const_int(64, view.bits() as i64);
    b.binary(BinOp::Or, place, bits, 0)
}

/// An unannotated handle of a heap's element.
pub fn in_heap(b: &mut Builder<'_>, index: Value, sampler: bool) -> Value {
    let table = if sampler { Table::Samplers } else { Table::Resources };
    let bits = Handle::new(table, 0, ViewDesc::annotated(0, 0)).0;
    let index = wide(b, index);
    let bits = b.module.const_int(64, bits as i64);
    b.binary(BinOp::Or, index, bits, 0)
}

/// The addressing of a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bytes {
    /// A row of 16 bytes.
    Row,
    /// A byte address, or an offset in an element.
    Raw,
}

/// A load with a fast path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    bytes: Bytes,
    /// The component type, of 4 or 8 bytes.
    scalar: Type,
    width: u32,
    /// Number of components loaded.
    count: u32,
    /// The result type: components, and for raw loads a status after them.
    result: Type,
}

/// The end of the fast path: its block, and the loaded components.
pub struct FastPath {
    block: Block,
    numbers: Vec<Value>,
}

impl Access {
    /// The load that an operation is, if it has a fast path. 16-bit components are left to the runtime.
    pub fn of(m: &Module, op: &DxilOp, args: &[Value], result: Type) -> Option<Access> {
        let scalar = *m.types.fields(result)?.types.first()?;
        let width = match m.types[scalar] {
            TypeKind::Float | TypeKind::Int(32) => 4,
            TypeKind::Double | TypeKind::Int(64) => 8,
            _ => return None,
        };
        let (bytes, count) = match op.opcode {
            op::CBUFFER_LOAD_LEGACY => (Bytes::Row, 16 / width),
            op::RAW_BUFFER_LOAD => {
                let mask = m.int_of(*args.get(3)?)? as u32 & 0xf;
                (Bytes::Raw, u32::BITS - mask.leading_zeros())
            }
            _ => return None,
        };
        (count > 0).then_some(Access { bytes, scalar, width, count, result })
    }

    /// Emits the check and the fast path. Returns the block of the slow path, in which the caller emits the call of the runtime.
    pub fn begin(&self, b: &mut Builder<'_>, handle: Value, args: &[Value]) -> (FastPath, Block) {
        let (valid, slot) = slot_of(b, handle);
        let (data, size) = (word_at(b, slot, slot::DATA as i64), word_at(b, slot, slot::BYTES as i64));
        let (at, good) = match self.bytes {
            Bytes::Row => {
                let row = wide(b, args[1]);
                let sixteen = b.module.const_int(64, 16);
                (b.binary(BinOp::Mul, row, sixteen, 0), valid)
            }
            Bytes::Raw => raw(b, handle, args, valid, size),
        };
        let bytes = b.module.const_int(64, (self.width * self.count).into());
        let end = b.binary(BinOp::Add, at, bytes, 0);
        let inside = b.cmp(CmpPred::IUle, end, size, 0);
        let good = b.binary(BinOp::And, good, inside, 0);
        let good = likely(b, good);
        let (fast, slow) = (b.new_block(), b.new_block());
        b.cond_br(good, fast, slow);
        b.switch_to(fast);
        let first = b.binary(BinOp::Add, data, at, 0);
        let to = b.module.types.ptr(self.scalar);
        let numbers = (0..self.count).map(|n| {
            let offset = b.module.const_int(64, (n * self.width).into());
            let at = b.binary(BinOp::Add, first, offset, 0);
            let at = b.cast(CastOp::IntToPtr, at, to);
            b.load(at, 4)
        });
        let numbers = numbers.collect();
        (FastPath { block: fast, numbers }, slow)
    }

    /// Emits the join of both paths: `b` is at the end of the slow path, whose result is `slow`. Returns the result and its block.
    pub fn join(&self, b: &mut Builder<'_>, fast: FastPath, slow: Value) -> (Value, Block) {
        let fields: Vec<Type> = b.module.types.fields(self.result).map_or(Vec::new(), |f| f.types.to_vec());
        let numbers = if self.bytes == Bytes::Row { fields.len() } else { fields.len() - 1 };
        let parts: Vec<Value> = (0..fields.len() as u32).map(|n| b.extract_value(slow, n)).collect();
        let (from, after) = (b.block(), b.new_block());
        b.br(after);
        b.switch_to(fast.block);
        b.br(after);
        b.switch_to(after);
        let mut both = Vec::with_capacity(fields.len());
        for (n, (&ty, part)) in fields.iter().zip(parts).enumerate() {
            let other = match fast.numbers.get(n) {
                Some(&v) => v,
                None if n < numbers => b.module.null(ty),
                // All memory is resident.
                None => b.module.i32(RESIDENT as i32),
            };
            both.push(b.phi(ty, &[(other, fast.block), (part, from)]));
        }
        let mut out = b.module.undef(self.result);
        for (n, part) in (0..).zip(both) {
            out = b.insert_value(out, Value::Inst(part), n);
        }
        (out, after)
    }
}

/// Whether a `textureStore` is one of four floats to a 2D image.
pub fn is_texel(m: &Module, func: rtc_dxil_module::Func, op: &DxilOp, args: &[Value]) -> bool {
    let four = |n: usize| args.get(n).and_then(|&v| m.int_of(v)).is_some_and(|mask| mask & 0xf == 0xf);
    let float = |n: usize| args.get(n).and_then(|&v| m.value_type(Some(func), v)).is_some_and(|ty| m.types[ty] == TypeKind::Float);
    op.opcode == op::TEXTURE_STORE && four(8) && float(4)
}

/// Emits the check and the fast path of a texel store. Returns the block of the slow path and the join.
pub fn store_texel(b: &mut Builder<'_>, handle: Value, args: &[Value]) -> (Block, Block) {
    let (valid, slot) = slot_of(b, handle);
    let kind = bits(b, handle, KIND_AT, MAX_KIND);
    let flat = b.module.const_int(64, ResourceKind::Texture2D.number().into());
    let mut good = b.cmp(CmpPred::IEq, kind, flat, 0);
    good = b.binary(BinOp::And, valid, good, 0);
    let width = int_at(b, slot, slot::EXTENT);
    let height = int_at(b, slot, slot::EXTENT + 4);
    for (at, size) in [(args[1], width), (args[2], height)] {
        let inside = b.cmp(CmpPred::IUlt, at, size, 0);
        good = b.binary(BinOp::And, good, inside, 0);
    }
    let good = likely(b, good);
    let (fast, slow, after) = (b.new_block(), b.new_block(), b.new_block());
    b.cond_br(good, fast, slow);
    b.switch_to(fast);
    let (x, y, width) = (wide(b, args[1]), wide(b, args[2]), wide(b, width));
    let row = b.binary(BinOp::Mul, y, width, 0);
    let number = b.binary(BinOp::Add, row, x, 0);
    let first = word_at(b, slot, slot::TEXELS as i64);
    let format = int_at(b, slot, slot::FORMAT);
    let paths = slot::WRITTEN.map(|format| (format, b.new_block()));
    let zero = b.module.i32(0);
    let is_first = b.cmp(CmpPred::IEq, format, zero, 0);
    b.cond_br(is_first, paths[0].1, paths[1].1);
    for (format, block) in paths {
        b.switch_to(block);
        let size = b.module.const_int(64, format.texel_size().into());
        let at = b.binary(BinOp::Mul, number, size, 0);
        let at = b.binary(BinOp::Add, first, at, 0);
        match format.channel() {
            Channel::Unorm8 => store_bytes(b, at, &args[4..8]),
            _ => {
                for (n, &value) in (0..).zip(&args[4..8]) {
                    store_at(b, at, 4 * n, value);
                }
            }
        }
        b.br(after);
    }
    (slow, after)
}

/// Stores four floats in [0, 1] as the bytes of a word: clamped, NaN becomes 0, rounded to nearest.
fn store_bytes(b: &mut Builder<'_>, at: Value, values: &[Value]) {
    let int = b.module.types.i32();
    let [none, one, scale, half] = [0.0, 1.0, 255.0, 0.5].map(|x| b.module.f32(x));
    let mut word = b.module.i32(0);
    for (n, &value) in (0..).zip(values) {
        let above = b.cmp(CmpPred::OGt, value, none, 0);
        let value = b.select(above, value, none);
        let below = b.cmp(CmpPred::OLt, value, one, 0);
        let value = b.select(below, value, one);
        let value = b.binary(BinOp::Mul, value, scale, 0);
        let value = b.binary(BinOp::Add, value, half, 0);
        let byte = b.cast(CastOp::FpToUi, value, int);
        let shift = b.module.i32(8 * n);
        let byte = b.binary(BinOp::Shl, byte, shift, 0);
        word = b.binary(BinOp::Or, word, byte, 0);
    }
    store_at(b, at, 0, word);
}

/// The byte offset of a raw or structured load, and whether the fast path applies.
fn raw(b: &mut Builder<'_>, handle: Value, args: &[Value], valid: Value, size: Value) -> (Value, Value) {
    let (zero, one) = (b.module.const_int(64, 0), b.module.const_int(64, 1));
    let kind = bits(b, handle, KIND_AT, MAX_KIND);
    let tbuffer = b.module.const_int(64, ResourceKind::TBuffer.number().into());
    let plain = b.cmp(CmpPred::INe, kind, tbuffer, 0);
    let stride = bits(b, handle, STRIDE_AT, MAX_STRIDE.into());
    let bytewise = b.cmp(CmpPred::IEq, stride, zero, 0);
    let (index, offset) = (wide(b, args[1]), wide(b, args[2]));
    let unit = b.select(bytewise, one, stride);
    let offset = b.select(bytewise, zero, offset);
    let element = b.binary(BinOp::Mul, index, unit, 0);
    let element_end = b.binary(BinOp::Add, element, stride, 0);
    let whole = b.cmp(CmpPred::IUle, element_end, size, 0);
    let at = b.binary(BinOp::Add, element, offset, 0);
    let odd = and(b, at, 3);
    let aligned = b.cmp(CmpPred::IEq, odd, zero, 0);
    let good = [plain, whole, aligned].into_iter().fold(valid, |all, v| b.binary(BinOp::And, all, v, 0));
    (at, good)
}

/// Whether a handle refers to a descriptor, and that descriptor's address.
fn slot_of(b: &mut Builder<'_>, handle: Value) -> (Value, Value) {
    let zero = b.module.const_int(64, 0);
    let thread = base(b);
    let table = bits(b, handle, TABLE_AT, MAX_TABLE);
    let size = b.module.const_int(64, slot::TABLE as i64);
    let table = b.binary(BinOp::Mul, table, size, 0);
    let table = b.binary(BinOp::Add, thread, table, 0);
    let first = word_at(b, table, (thread::TABLES + slot::FIRST) as i64);
    let count = word_at(b, table, (thread::TABLES + slot::COUNT) as i64);
    let index = and(b, handle, u32::MAX.into());
    let there = b.cmp(CmpPred::IUlt, index, count, 0);
    // The highest bit is set in valid handles.
    let something = b.cmp(CmpPred::ISlt, handle, zero, 0);
    let valid = b.binary(BinOp::And, there, something, 0);
    let index = b.select(there, index, zero);
    let step = b.module.const_int(64, slot::SIZE as i64);
    let index = b.binary(BinOp::Mul, index, step, 0);
    (valid, b.binary(BinOp::Add, first, index, 0))
}

/// Loads 32 bits at an address.
fn int_at(b: &mut Builder<'_>, address: Value, offset: usize) -> Value {
    let int = b.module.types.i32();
    let to = b.module.types.ptr(int);
    let offset = b.module.const_int(64, offset as i64);
    let at = b.binary(BinOp::Add, address, offset, 0);
    let at = b.cast(CastOp::IntToPtr, at, to);
    b.load(at, 4)
}

/// Stores 32 bits at an address.
fn store_at(b: &mut Builder<'_>, address: Value, offset: i64, value: Value) {
    let ty = b.type_of(value);
    let to = b.module.types.ptr(ty);
    let offset = b.module.const_int(64, offset);
    let at = b.binary(BinOp::Add, address, offset, 0);
    let at = b.cast(CastOp::IntToPtr, at, to);
    b.store(value, at, 4);
}

/// The thread's address.
fn base(b: &mut Builder<'_>) -> Value {
    let word = b.module.types.i64();
    b.cast(CastOp::PtrToInt, Value::Arg(0), word)
}

/// Loads 64 bits at an address.
fn word_at(b: &mut Builder<'_>, address: Value, offset: i64) -> Value {
    let word = b.module.types.i64();
    let to = b.module.types.ptr(word);
    let offset = b.module.const_int(64, offset);
    let at = b.binary(BinOp::Add, address, offset, 0);
    let at = b.cast(CastOp::IntToPtr, at, to);
    b.load(at, 8)
}

fn wide(b: &mut Builder<'_>, value: Value) -> Value {
    let word = b.module.types.i64();
    b.cast(CastOp::ZExt, value, word)
}

fn and(b: &mut Builder<'_>, value: Value, mask: i64) -> Value {
    let mask = b.module.const_int(64, mask);
    b.binary(BinOp::And, value, mask, 0)
}

/// A bit field of a handle.
fn bits(b: &mut Builder<'_>, handle: Value, from: u32, mask: u64) -> Value {
    let from = b.module.const_int(64, from.into());
    let moved = b.binary(BinOp::LShr, handle, from, 0);
    and(b, moved, mask as i64)
}

/// Marks a condition as likely true.
fn likely(b: &mut Builder<'_>, condition: Value) -> Value {
    const NAME: &str = "llvm.expect.i1";
    let callee = match b.module.find_function(NAME) {
        Some(f) => f,
        None => {
            let bit = b.module.types.i1();
            let ty = b.module.types.function(bit, &[bit, bit]);
            b.module.add_function(NAME, ty)
        }
    };
    let yes = b.module.const_int(1, 1);
    b.call(callee, &[condition, yes])
}
