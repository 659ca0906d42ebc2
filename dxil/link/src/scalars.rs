//! Values of shaders: what a shader model has no values of is split.
//!
//! Functions of libraries take and return vectors, matrices and structures. No shader has aggregates as values, and before shader model 6.9
//! none has vectors. Operations on vectors, which libraries for linking only have, become operations on components.

use super::variables::Variables;
use rtc_dxil_module::pieces::{Rule, take_apart};
use rtc_dxil_module::{BinOp, Block, Builder, Func, Inst, Module, Op, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{DxOp, OpTy, op};
use rustc_hash::FxHashMap;

/// Takes the values of a function apart; vectors too, unless the shader model has `vectors`.
pub fn values(m: &mut Module, func: Func, vectors: bool) {
    if !vectors {
        operations(m, func);
    }
    let pieces = take_apart(m, func, &mut Shader { vectors });
    let Some(mut body) = m.funcs[func].body.take() else { return };
    Variables::divide(m, &mut body, &pieces);
    m.funcs[func].body = Some(body);
}

/// Whether a function has values that a shader has not.
pub fn concerns(m: &Module, func: Func, vectors: bool) -> bool {
    let Some(body) = &m.funcs[func].body else { return false };
    let rule = Shader { vectors };
    let is_missing = |ty: Type| match m.types[ty] {
        TypeKind::Vector { .. } => !vectors,
        _ => rule.aggregates(m, ty),
    };
    body.blocks.values().flatten().any(|&i| {
        let mut any = is_missing(body.insts[i].ty);
        // Constants are operands only.
        body.operands(i, |v| any |= m.value_type(Some(func), v).is_some_and(is_missing));
        any || matches!(body.insts[i].op, Op::Alloca { allocated, .. } if !is_plain(m, allocated))
    })
}

/// Whether a variable is a number, or an array or a structure of numbers.
fn is_plain(m: &Module, ty: Type) -> bool {
    let is_number = |ty: Type| matches!(m.types[ty], TypeKind::Half | TypeKind::Float | TypeKind::Double | TypeKind::Int(_));
    match &m.types[ty] {
        TypeKind::Array { elem, .. } => is_number(*elem),
        TypeKind::Named { body: Some(fields), .. } => fields.types.iter().all(|&f| is_number(f)),
        _ => is_number(ty),
    }
}

struct Shader {
    vectors: bool,
}

impl Rule for Shader {
    fn width(&self) -> u32 {
        if self.vectors { u32::MAX } else { 1 }
    }

    fn aggregates(&self, m: &Module, ty: Type) -> bool {
        match m.types[ty] {
            TypeKind::Array { .. } => true,
            TypeKind::Named { .. } => !m.types.struct_name(ty).is_some_and(|name| name.starts_with("dx.types.")),
            _ => false,
        }
    }

    fn memory(&self) -> bool {
        false
    }

    fn component_wise(&mut self, m: &mut Module, callee: Func, args: &[Value], components: u32) -> Option<Func> {
        let row = opcode(m, callee, args)?.row();
        let alike = matches!(row.result, OpTy::O | OpTy::OI1 | OpTy::OI32)
            && row.params.iter().all(|p| matches!(p.1, OpTy::O | OpTy::I1 | OpTy::I8 | OpTy::U8 | OpTy::I32 | OpTy::U32));
        let (_, params, _) = m.types.signature(m.funcs[callee].ty)?;
        let vector = params.iter().copied().find(|&p| matches!(m.types[p], TypeKind::Vector { .. }))?;
        let scalar = m.types.scalar(vector);
        (alike && components == 1).then(|| m.dx_op(row.opcode, &[scalar]).ok()).flatten()
    }
}

/// The operation that a call is.
fn opcode(m: &Module, callee: Func, args: &[Value]) -> Option<DxOp> {
    let number = args.first().filter(|_| m.is_dx_op(callee)).and_then(|&v| m.int_of(v))?;
    DxOp::from_u32(u32::try_from(number).ok()?)
}

/// Replaces the operations that make one number of vectors, or move vectors from and to buffers.
fn operations(m: &mut Module, func: Func) {
    let Some(body) = &m.funcs[func].body else { return };
    let blocks: Vec<Block> = body.blocks.keys().collect();
    let mut fields: FxHashMap<Inst, [Value; 2]> = FxHashMap::default();
    let mut becomes: FxHashMap<Inst, Value> = FxHashMap::default();
    for block in blocks {
        let Some(body) = m.funcs[func].body.as_mut() else { return };
        for inst in std::mem::take(&mut body.blocks[block]) {
            let Some(mut b) = m.edit(func, block) else { return };
            let place = b.body().insts[inst].loc.expand().map(|l| b.body().locs[l]);
            let (code, args) = match b.body().insts[inst].op {
                Op::Call { callee: Value::Func(f), args, .. } => {
                    let args = b.body().values(args).to_vec();
                    let code = opcode(b.module, f, &args);
                    // The operands of other calls may have no type: debug information has metadata.
                    (code, if code.is_some() { args } else { Vec::new() })
                }
                Op::ExtractValue { value: Value::Inst(of), path } if fields.contains_key(&of) => {
                    let n = b.body().path(path).first().copied().unwrap_or(0);
                    becomes.insert(inst, fields[&of][usize::from(n != 0)]);
                    continue;
                }
                _ => (None, Vec::new()),
            };
            let vector = |b: &Builder<'_>, n: usize| {
                let ty = args.get(n).map(|&v| b.type_of(v))?;
                if let TypeKind::Vector { elem, len } = b.module.types[ty] { Some((elem, len)) } else { None }
            };
            if code.is_some() {
                b.set_loc(place);
            }
            match (code, vector(&b, 1), vector(&b, 4)) {
                (Some(op::FDOT), Some((elem, len)), _) => _ = becomes.insert(inst, dot(&mut b, (elem, len), &args)),
                (Some(code @ (op::VECTOR_REDUCE_AND | op::VECTOR_REDUCE_OR)), Some((_, len)), _) => {
                    let combine = if code == op::VECTOR_REDUCE_AND { BinOp::And } else { BinOp::Or };
                    becomes.insert(inst, reduce(&mut b, combine, len, args[1]));
                }
                (Some(op::RAW_BUFFER_VECTOR_LOAD), ..) => {
                    let ty = b.body().insts[inst].ty;
                    let whole = b.module.types.element(ty, 0).unwrap_or(ty);
                    match b.module.types[whole] {
                        TypeKind::Vector { elem, len } => _ = fields.insert(inst, load(&mut b, whole, (elem, len), &args)),
                        _ => b.body().blocks[block].push(inst),
                    }
                }
                (Some(op::RAW_BUFFER_VECTOR_STORE), _, Some((elem, len))) => store(&mut b, (elem, len), &args),
                _ => b.body().blocks[block].push(inst),
            }
        }
    }
    replace(m, func, &becomes);
}

/// The dot product of two vectors of `len` components, which are operands 1 and 2.
fn dot(b: &mut Builder<'_>, (elem, len): (Type, u32), args: &[Value]) -> Value {
    let mut parts = [Vec::new(), Vec::new()];
    for n in 0..len {
        let n = b.module.i32(n as i32);
        parts[0].push(b.extract_element(args[1], n));
        parts[1].push(b.extract_element(args[2], n));
    }
    let dots = [op::DOT2, op::DOT3, op::DOT4];
    if let Some(&dot) = dots.get((len as usize).wrapping_sub(2)) {
        return b.dx_call(dot, &[elem], &parts.concat());
    }
    let mut sum = b.binary(BinOp::Mul, parts[0][0], parts[1][0], 0);
    for (&x, &y) in parts[0].iter().zip(&parts[1]).skip(1) {
        sum = b.dx_call(op::FMAD, &[elem], &[x, y, sum]);
    }
    sum
}

/// All components of `vector` combined.
fn reduce(b: &mut Builder<'_>, combine: BinOp, len: u32, vector: Value) -> Value {
    let zero = b.module.i32(0);
    let mut all = b.extract_element(vector, zero);
    for n in 1..len {
        let n = b.module.i32(n as i32);
        let next = b.extract_element(vector, n);
        all = b.binary(combine, all, next, 0);
    }
    all
}

/// A vector of type `whole` from a buffer, in loads of at most four components, with the status of the first.
fn load(b: &mut Builder<'_>, whole: Type, (elem, len): (Type, u32), args: &[Value]) -> [Value; 2] {
    let bytes = size(b.module, elem);
    let (mut vector, mut status) = (b.module.undef(whole), None);
    for first in (0..len).step_by(4) {
        let count = (len - first).min(4);
        let [index, offset] = moved(b, [args[2], args[3]], first * bytes);
        let mask = b.module.i8(((1 << count) - 1) as i8);
        let loaded = b.dx_call(op::RAW_BUFFER_LOAD, &[elem], &[args[1], index, offset, mask, args[4]]);
        for n in 0..count {
            let (value, index) = (b.extract_value(loaded, n), b.module.i32((first + n) as i32));
            vector = b.insert_element(vector, value, index);
        }
        if status.is_none() {
            status = Some(b.extract_value(loaded, 4));
        }
    }
    let status = status.unwrap_or_else(|| b.module.i32(0));
    [vector, status]
}

/// Stores a vector into a buffer, in stores of at most four components.
fn store(b: &mut Builder<'_>, (elem, len): (Type, u32), args: &[Value]) {
    let (undef, bytes) = (b.module.undef(elem), size(b.module, elem));
    for first in (0..len).step_by(4) {
        let count = (len - first).min(4);
        let [index, offset] = moved(b, [args[2], args[3]], first * bytes);
        let mut all = vec![args[1], index, offset];
        for n in 0..count {
            let n = b.module.i32((first + n) as i32);
            all.push(b.extract_element(args[4], n));
        }
        all.resize(7, undef);
        all.extend([b.module.i8(((1 << count) - 1) as i8), args[5]]);
        b.dx_call(op::RAW_BUFFER_STORE, &[elem], &all);
    }
}

/// Bytes of a component.
pub fn size(m: &Module, elem: Type) -> u32 {
    rtc_dxil_module::number_width(&m.types, elem).map_or(4, |bits| (bits / 8).max(1))
}

/// The index and offset of a raw or structured buffer, so many bytes further.
pub fn moved(b: &mut Builder<'_>, [index, offset]: [Value; 2], bytes: u32) -> [Value; 2] {
    if bytes == 0 {
        return [index, offset];
    }
    let undef = b.module.types.i32();
    let raw = offset == b.module.undef(undef);
    let more = b.module.i32(bytes as i32);
    let mut add = |v| match b.module.int_of(v) {
        Some(n) => b.module.i32((n as i32).wrapping_add(bytes as i32)),
        None => b.binary(BinOp::Add, v, more, 0),
    };
    if raw { [add(index), offset] } else { [index, add(offset)] }
}

/// Other values stand for instructions that are no longer there.
pub fn replace(m: &mut Module, func: Func, becomes: &FxHashMap<Inst, Value>) {
    let Some(body) = m.funcs[func].body.as_mut().filter(|_| !becomes.is_empty()) else { return };
    let now = |mut value: Value| {
        while let Value::Inst(i) = value
            && let Some(&by) = becomes.get(&i)
        {
            value = by;
        }
        value
    };
    body.map_values(now);
    body.local_meta.iter_mut().for_each(|v| *v = now(*v));
    body.attached.retain(|a| !becomes.contains_key(&a.0));
    body.names.retain(|v, _| !matches!(v, Value::Inst(i) if becomes.contains_key(i)));
}
