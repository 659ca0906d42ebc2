//! Memory lowering: addresses become byte offsets from the start of a variable, and every access is proven or clamped in bounds.
//!
//! DXIL addresses memory by types, with its own type layout ([`super::layout`]): code reads a matrix through an address that was
//! cast to that of a long vector, and a vector is no larger than its components. So
//! | what | becomes |
//! | DXIL | lowered to |
//! | a variable | words, in the entry block however often its place is passed |
//! | a variable | an array of words, allocated in the entry block even if the alloca is in a loop |
//! | an address inside of a variable | a byte offset from its start; an array index out of bounds is clamped to the last element |
//! | an access to a vector with padding, a structure or an array | one access per component |
//! | an access to a boolean | an access to a 32-bit number |
//! | an initialised constant | bytes, read like variables |
//! An address cast may claim more memory than there is. The number of bytes that are accessible through each address follows from
//! its definition ([`Reach`]); code that exceeds it is rejected.

use super::{Refusal, arithmetic, layout};
use rtc_dxil_container::metadata::Info;
use rtc_dxil_module::{
    BinOp, Block, Body, Builder, CastOp, CmpPred, ConstKind, Func, Global, Inst, InstData, Module, Op, Type, TypeKind, Value,
};
use rustc_hash::FxHashMap;

/// Maximum number of components of an aggregate that is loaded or stored as one value.
const MAX_PARTS: usize = 1 << 12;

/// Lowers the memory accesses of a shader. `sizes` are the sizes of its pointer arguments, from the second on; `constants`
/// replace variables that never change.
///
/// # Errors
/// An address that may leave its variable, an unsupported type, too many bytes of variables.
pub fn confine(m: &mut Module, func: Func, info: &Info, sizes: [u64; 2], constants: &FxHashMap<Global, Value>) -> Result<(), Refusal> {
    check(m, func, info, sizes)?;
    name_constants(m, func, info, constants)?;
    let body = m.funcs[func].body.get_or_insert_default();
    let blocks: Vec<Block> = body.blocks.keys().collect();
    let (mut variables, mut replaced) = (Vec::new(), FxHashMap::default());
    for block in blocks {
        let body = m.funcs[func].body.get_or_insert_default();
        for inst in std::mem::take(&mut body.blocks[block]) {
            let mut b = m.edit(func, block).ok_or("a function without code")?;
            let InstData { op, ty, .. } = b.body().insts[inst];
            match op {
                Op::Alloca { allocated, count, .. } => {
                    let words = variable(&mut b, allocated, count)?;
                    variables.push(words);
                    b.body().insts[inst].op = Op::Cast { op: CastOp::BitCast, value: Value::Inst(words) };
                }
                Op::Gep { source, operands, .. } => {
                    let values = b.body().values(operands).to_vec();
                    if !is_resource(b.module, func, info, values[0]) {
                        let at = address(&mut b, source, &values)?;
                        b.body().insts[inst].op = Op::Cast { op: CastOp::BitCast, value: at };
                    }
                }
                Op::Load { ptr, volatile, .. } if !is_resource(b.module, func, info, ptr) => {
                    let align = layout::of(b.module, ty).1.clamp(1, 4) as u32;
                    if is_plain(b.module, ty) {
                        b.body().insts[inst].op = Op::Load { ptr, align, volatile };
                    } else {
                        let value = read(&mut b, ptr, ty)?;
                        replaced.insert(inst, value);
                        continue;
                    }
                }
                Op::Store { ptr, value, volatile, .. } => {
                    let ty = b.type_of(value);
                    let align = layout::of(b.module, ty).1.clamp(1, 4) as u32;
                    if !is_plain(b.module, ty) {
                        write(&mut b, ptr, value)?;
                        continue;
                    }
                    b.body().insts[inst].op = Op::Store { ptr, value, align, volatile };
                }
                _ => {}
            }
            b.body().blocks[block].push(inst);
        }
    }
    let body = m.funcs[func].body.get_or_insert_default();
    if let Some(entry) = body.blocks.values_mut().next() {
        entry.splice(0..0, variables);
    }
    body.map_values(|v| match v {
        Value::Inst(i) => replaced.get(&i).copied().unwrap_or(v),
        v => v,
    });
    Ok(())
}

/// The words of a variable; they are inserted into the entry block later.
fn variable(b: &mut Builder<'_>, allocated: Type, count: Value) -> Result<Inst, Refusal> {
    let n = b.module.int_of(count).filter(|n| (0..1 << 24).contains(n)).ok_or("a variable of a size that is not constant")?;
    let size = layout::size(b.module, allocated).saturating_mul(n as u64);
    Ok(words(b, size)?.0)
}

/// The alloca of so many bytes, which is in no block yet, and the type of its result.
///
/// # Errors
/// Too many bytes.
pub fn words(b: &mut Builder<'_>, bytes: u64) -> Result<(Inst, Type), Refusal> {
    if bytes > 1 << 26 {
        return Err(format!("a variable of {bytes} bytes, which exceeds the stack").into());
    }
    let word = b.module.types.i64();
    let ty = b.module.types.ptr(word);
    let count = b.module.i32(bytes.div_ceil(8).max(1) as i32);
    let op = Op::Alloca { allocated: word, count, align: 16 };
    Ok((b.body().insts.push(InstData { op, ty, loc: None.into() }), ty))
}

/// Whether an address is that of a resource, which is not memory.
fn is_resource(m: &Module, func: Func, info: &Info, ptr: Value) -> bool {
    let Some(body) = &m.funcs[func].body else { return false };
    super::handles::base(m, body, ptr).is_some_and(|g| resource(info, g))
}

fn resource(info: &Info, global: Global) -> bool {
    info.resources.iter().any(|r| r.global == Some(global))
}

/// A dynamic index of an address: the index, the stride, the number of elements.
struct Step {
    index: Value,
    stride: u64,
    len: u64,
}

/// Decomposes the indices of an address into a constant offset and dynamic steps.
fn offset(m: &Module, source: Type, values: &[Value]) -> Result<(u64, Vec<Step>), Refusal> {
    let (mut sum, mut steps, mut ty) = (0u64, Vec::new(), source);
    for (n, &index) in values.iter().enumerate().skip(1) {
        let constant = m.int_of(index);
        if n == 1 {
            // The first index counts whole objects.
            let count = constant.and_then(|i| u64::try_from(i).ok()).ok_or("an address computation that leaves its variable")?;
            sum = sum.saturating_add(count.saturating_mul(layout::size(m, source)));
            continue;
        }
        let inside = |i: u64| m.types.element(ty, i).ok_or("an index into a type without elements");
        let len = match m.types[ty] {
            TypeKind::Array { len, .. } => Some(len),
            TypeKind::Vector { len, .. } => Some(len.into()),
            _ => None,
        };
        match len {
            Some(len) => {
                let elem = inside(0)?;
                let stride = layout::size(m, elem);
                match constant {
                    Some(i) => {
                        let last = len.saturating_sub(1);
                        let i = u64::try_from(i).map_or(last, |i| i.min(last));
                        sum = sum.saturating_add(i.saturating_mul(stride));
                    }
                    None => steps.push(Step { index, stride, len }),
                }
                ty = elem;
            }
            None => {
                let i = constant.and_then(|i| u64::try_from(i).ok()).ok_or("an index into a type without elements")?;
                let at = layout::field(m, ty, i as usize).ok_or("an index into a type without elements")?;
                sum = sum.saturating_add(at);
                ty = inside(i)?;
            }
        }
    }
    Ok((sum, steps))
}

/// The first and the last byte offset that an address computation may add.
///
/// # Errors
/// It leaves its variable.
pub fn farthest(m: &Module, source: Type, values: &[Value]) -> Result<(u64, u64), Refusal> {
    let (known, steps) = offset(m, source, values)?;
    let most = |s: &Step| s.stride.saturating_mul(s.len.saturating_sub(1));
    Ok((known, steps.iter().map(most).fold(known, u64::saturating_add)))
}

/// The address as `i8*`.
fn address(b: &mut Builder<'_>, source: Type, values: &[Value]) -> Result<Value, Refusal> {
    let (known, steps) = offset(b.module, source, values)?;
    let i64_ty = b.module.types.i64();
    let mut sum = b.module.const_int(64, known as i64);
    for Step { index, stride, len } in steps {
        let ty = b.type_of(index);
        let last = arithmetic::whole(b, ty, len.saturating_sub(1) as i64);
        let inside = b.cmp(CmpPred::IUlt, index, last, 0);
        let index = b.select(inside, index, last);
        let index = if ty == i64_ty { index } else { b.cast(CastOp::ZExt, index, i64_ty) };
        let stride = b.module.const_int(64, stride as i64);
        let bytes = b.binary(BinOp::Mul, index, stride, 0);
        sum = b.binary(BinOp::Add, sum, bytes, 0);
    }
    let base = bytes(b, values[0]);
    Ok(if b.module.int_of(sum) == Some(0) { base } else { b.gep(false, base, &[sum]) })
}

/// Casts an address to `i8*`.
fn bytes(b: &mut Builder<'_>, ptr: Value) -> Value {
    let byte = b.module.types.i8();
    at(b, ptr, 0, byte)
}

/// The address `offset` bytes further, as a pointer to `ty`.
fn at(b: &mut Builder<'_>, ptr: Value, offset: u64, ty: Type) -> Value {
    let from = b.type_of(ptr);
    let space = if let TypeKind::Pointer { space, .. } = b.module.types[from] { space } else { 0 };
    let byte = b.module.types.i8();
    let (byte, to) = (b.module.types.ptr_in(byte, space), b.module.types.ptr_in(ty, space));
    let mut ptr = ptr;
    if offset != 0 {
        ptr = b.cast(CastOp::BitCast, ptr, byte);
        let offset = b.module.const_int(64, offset as i64);
        ptr = b.gep(false, ptr, &[offset]);
    }
    if b.type_of(ptr) == to { ptr } else { b.cast(CastOp::BitCast, ptr, to) }
}

/// Whether the layout of a type agrees with LLVM's.
fn is_plain(m: &Module, ty: Type) -> bool {
    match m.types[ty] {
        TypeKind::Half | TypeKind::Float | TypeKind::Double | TypeKind::Pointer { .. } => true,
        TypeKind::Int(bits) => bits >= 8 && bits.is_power_of_two(),
        TypeKind::Vector { elem, .. } => {
            let bits = match m.types[elem] {
                TypeKind::Int(bits) if bits >= 8 => u64::from(bits),
                TypeKind::Half => 16,
                TypeKind::Float => 32,
                TypeKind::Double => 64,
                _ => return false,
            };
            layout::size(m, elem) * 8 == bits
        }
        _ => false,
    }
}

/// The scalar parts of a type, which are accessed separately: offset, and index path in a value.
fn parts(m: &Module, ty: Type, from: u64, path: &mut Vec<u32>, out: &mut Vec<(u64, Vec<u32>, Type)>) -> Result<(), Refusal> {
    if out.len() > MAX_PARTS {
        return Err(format!("an access to a value of more than {MAX_PARTS} components").into());
    }
    let (len, stride) = match m.types[ty] {
        TypeKind::Vector { elem, len } => (u64::from(len), Some(layout::size(m, elem))),
        TypeKind::Array { elem, len } => (len, Some(layout::size(m, elem))),
        TypeKind::Struct(_) | TypeKind::Named { body: Some(_), .. } => (m.types.fields(ty).map_or(0, |f| f.types.len() as u64), None),
        _ => {
            out.push((from, path.clone(), ty));
            return Ok(());
        }
    };
    for n in 0..len {
        let offset = stride.map_or_else(|| layout::field(m, ty, n as usize).unwrap_or(0), |s| s.saturating_mul(n));
        let part = m.types.element(ty, n).ok_or("unsupported type in memory")?;
        path.push(n as u32);
        parts(m, part, from.saturating_add(offset), path, out)?;
        path.pop();
    }
    Ok(())
}

/// Loads a value part by part.
fn read(b: &mut Builder<'_>, ptr: Value, ty: Type) -> Result<Value, Refusal> {
    let mut all = Vec::new();
    parts(b.module, ty, 0, &mut Vec::new(), &mut all)?;
    let mut out = b.module.undef(ty);
    for (offset, path, part) in all {
        let value = read_part(b, ptr, offset, part)?;
        out = put(b, out, value, &path);
    }
    Ok(out)
}

fn read_part(b: &mut Builder<'_>, ptr: Value, offset: u64, ty: Type) -> Result<Value, Refusal> {
    let align = layout::of(b.module, ty).1.clamp(1, 4) as u32;
    if b.module.types[ty] == TypeKind::Int(1) {
        let int = b.module.types.i32();
        let from = at(b, ptr, offset, int);
        let (word, zero) = (b.load(from, align), b.module.i32(0));
        return Ok(b.cmp(CmpPred::INe, word, zero, 0));
    }
    if !is_plain(b.module, ty) {
        return Err("unsupported type in memory".into());
    }
    let from = at(b, ptr, offset, ty);
    Ok(b.load(from, align))
}

/// Stores a value part by part.
fn write(b: &mut Builder<'_>, ptr: Value, value: Value) -> Result<(), Refusal> {
    let ty = b.type_of(value);
    let mut all = Vec::new();
    parts(b.module, ty, 0, &mut Vec::new(), &mut all)?;
    for (offset, path, part) in all {
        let value = get(b, value, &path);
        let align = layout::of(b.module, part).1.clamp(1, 4) as u32;
        let (value, part) = match b.module.types[part] {
            TypeKind::Int(1) => {
                let int = b.module.types.i32();
                (b.cast(CastOp::ZExt, value, int), int)
            }
            _ if is_plain(b.module, part) => (value, part),
            _ => return Err("unsupported type in memory".into()),
        };
        let to = at(b, ptr, offset, part);
        b.store(value, to, align);
    }
    Ok(())
}

/// Extracts a part of a value.
fn get(b: &mut Builder<'_>, value: Value, path: &[u32]) -> Value {
    path.iter().fold(value, |v, &n| {
        let ty = b.type_of(v);
        if matches!(b.module.types[ty], TypeKind::Vector { .. }) {
            let n = b.module.i32(n as i32);
            b.extract_element(v, n)
        } else {
            b.extract_value(v, n)
        }
    })
}

/// Inserts a part into a value.
fn put(b: &mut Builder<'_>, value: Value, part: Value, path: &[u32]) -> Value {
    let Some((&n, rest)) = path.split_first() else { return part };
    let inner = get(b, value, &[n]);
    let part = put(b, inner, part, rest);
    let ty = b.type_of(value);
    if matches!(b.module.types[ty], TypeKind::Vector { .. }) {
        let n = b.module.i32(n as i32);
        b.insert_element(value, part, n)
    } else {
        b.insert_value(value, part, n)
    }
}

/// The global variable and byte offset of a constant address.
fn constant_address(m: &Module, value: Value) -> Result<Option<(Global, u64)>, Refusal> {
    let (mut value, mut sum) = (value, 0u64);
    // A bound on the nesting of address computations.
    for _ in 0..64 {
        value = match value {
            Value::Global(g) => return Ok(Some((g, sum))),
            Value::Const(c) => match &m.consts[c].kind {
                ConstKind::Cast { op: CastOp::BitCast | CastOp::AddrSpaceCast, value } => *value,
                ConstKind::Gep { source, operands, .. } => {
                    sum = sum.saturating_add(offset(m, *source, operands)?.0);
                    operands[0]
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
    }
    Ok(None)
}

/// Rewrites constant addresses as byte offsets.
fn name_constants(m: &mut Module, func: Func, info: &Info, constants: &FxHashMap<Global, Value>) -> Result<(), Refusal> {
    let mut used: Vec<Value> = Vec::new();
    let mut seen: rustc_hash::FxHashSet<Value> = Default::default();
    let Some(body) = &m.funcs[func].body else { return Ok(()) };
    for &i in body.blocks.values().flatten() {
        body.operands(i, |v| {
            if matches!(v, Value::Global(_) | Value::Const(_)) && seen.insert(v) {
                used.push(v);
            }
        });
    }
    let mut by = FxHashMap::default();
    for value in used {
        let Some((global, offset)) = constant_address(m, value)? else { continue };
        let Some(ty) = m.value_type(None, value) else { continue };
        if resource(info, global) {
            continue;
        }
        let base = constants.get(&global).copied().unwrap_or(Value::Global(global));
        let byte = m.types.i8();
        let bytes = m.types.ptr_in(byte, m.globals[global].space);
        let mut at = m.const_cast(CastOp::BitCast, base, bytes);
        if offset != 0 {
            let operands = [at, m.const_int(64, offset as i64)].into();
            at = Value::Const(m.consts.intern(bytes, ConstKind::Gep { inbounds: false, source: byte, operands }));
        }
        let space = |ty| if let TypeKind::Pointer { space, .. } = m.types[ty] { space } else { 0 };
        let op = if space(ty) == space(bytes) { CastOp::BitCast } else { CastOp::AddrSpaceCast };
        let now = m.const_cast(op, at, ty);
        by.insert(value, now);
    }
    m.funcs[func].body.get_or_insert_default().map_values(|v| by.get(&v).copied().unwrap_or(v));
    Ok(())
}

/// Lower bound of the number of bytes accessible through an address.
struct Reach<'a> {
    m: &'a Module,
    body: &'a Body,
    sizes: [u64; 2],
    known: FxHashMap<Inst, Option<u64>>,
}

impl Reach<'_> {
    fn of(&mut self, ptr: Value, depth: u32) -> Result<u64, Refusal> {
        let m = self.m;
        let (mut way, mut value) = (Vec::new(), ptr);
        let mut left = loop {
            value = match value {
                Value::Arg(n) => break self.sizes.get((n as usize).wrapping_sub(1)).copied().unwrap_or(0),
                Value::Global(_) | Value::Const(_) => {
                    break match constant_address(m, value)? {
                        Some((g, offset)) => layout::size(m, m.globals[g].ty).saturating_sub(offset),
                        None => 0,
                    };
                }
                Value::Inst(i) => {
                    if let Some(&known) = self.known.get(&i) {
                        break known.ok_or("an address that advances in a loop")?;
                    }
                    match self.body.insts[i].op {
                        Op::Gep { source, operands, .. } => {
                            let values = self.body.values(operands);
                            way.push((i, farthest(m, source, values)?.1));
                            values[0]
                        }
                        Op::Cast { op: CastOp::BitCast | CastOp::AddrSpaceCast, value } => {
                            way.push((i, 0));
                            value
                        }
                        Op::Alloca { allocated, count, .. } => {
                            let n = m.int_of(count).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
                            break layout::size(m, allocated).saturating_mul(n);
                        }
                        Op::Phi(_) | Op::Select { .. } if depth > 32 => return Err("addresses selected through too many phis".into()),
                        Op::Phi(list) => {
                            self.known.insert(i, None);
                            let all: Vec<Value> = self.body.values(list).iter().copied().step_by(2).collect();
                            break self.least(i, &all, depth)?;
                        }
                        Op::Select { then, other, .. } => break self.least(i, &[then, other], depth)?,
                        _ => return Err("an address from an integer".into()),
                    }
                }
                _ => return Err("an access through a value that is not an address".into()),
            };
        };
        for (i, offset) in way.into_iter().rev() {
            left = left.saturating_sub(offset);
            self.known.insert(i, Some(left));
        }
        Ok(left)
    }

    fn least(&mut self, inst: Inst, all: &[Value], depth: u32) -> Result<u64, Refusal> {
        let mut least = u64::MAX;
        for &v in all.iter().filter(|v| **v != Value::Inst(inst)) {
            least = least.min(self.of(v, depth + 1)?);
        }
        self.known.insert(inst, Some(least));
        Ok(least)
    }
}

/// Checks that every access is in bounds.
fn check(m: &Module, func: Func, info: &Info, sizes: [u64; 2]) -> Result<(), Refusal> {
    let Some(body) = &m.funcs[func].body else { return Ok(()) };
    let mut reach = Reach { m, body, sizes, known: FxHashMap::default() };
    let size_of = |v| m.value_type(Some(func), v).map_or(0, |ty| layout::size(m, ty));
    let pointee = |v| m.value_type(Some(func), v).and_then(|ty| m.types.pointee(ty));
    for &i in body.blocks.values().flatten() {
        let mut wanted: Vec<(Value, u64)> = Vec::new();
        match body.insts[i].op {
            Op::Load { ptr, .. } => wanted.push((ptr, layout::size(m, body.insts[i].ty))),
            Op::Store { ptr, value, .. } | Op::AtomicRmw { ptr, value, .. } => wanted.push((ptr, size_of(value))),
            Op::CmpXchg { ptr, new, .. } => wanted.push((ptr, size_of(new))),
            Op::Call { callee: Value::Func(f), args, .. } if m.is_dx_op(f) => {
                let args = body.values(args).iter();
                wanted.extend(args.filter_map(|&v| Some((v, layout::size(m, pointee(v)?)))));
            }
            _ => {}
        }
        for (ptr, size) in wanted {
            if super::handles::base(m, body, ptr).is_some_and(|g| resource(info, g)) {
                continue;
            }
            let there = reach.of(ptr, 0)?;
            if size > there {
                return Err(format!("an access of {size} bytes where {there} bytes are accessible").into());
            }
        }
    }
    Ok(())
}
