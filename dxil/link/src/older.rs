//! The form of older shader models: raw buffers before 6.2, 64-bit numbers in them before 6.3, handles before 6.6.

use rustc_hash::FxHashMap;

use super::scalars::{moved, replace, size};
use rtc_dxil_module::{Attr, BinOp, Block, Builder, CastOp, FUNCTION_INDEX, Func, Inst, Module, Op, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{DxOp, op};

/// The first minor shader model with operations of raw buffers, and that with 64-bit numbers in them.
const RAW_BUFFER_MODEL: u32 = 2;
const WIDE_RAW_BUFFER_MODEL: u32 = 3;
/// The first minor shader model whose functions say what becomes of denormals.
const DENORMAL_MODES: u32 = 2;
/// How they say it.
const DENORMAL_MODE: &str = "fp32-denorm-mode";

/// Gives a module the form of shader model 6.`minor`, which is before 6.6, as far as functions alone decide.
pub fn lower(m: &mut Module, minor: u32) {
    let with_code: Vec<Func> = m.funcs.iter().filter(|(_, f)| f.body.is_some()).map(|(func, _)| func).collect();
    for func in with_code {
        without_annotations(m, func);
        if minor < WIDE_RAW_BUFFER_MODEL {
            buffers(m, func, minor);
        }
    }
    if minor < DENORMAL_MODES {
        without_modes(m);
    }
}

/// Handles are not annotated before 6.6.
fn without_annotations(m: &mut Module, func: Func) {
    let Some(body) = &m.funcs[func].body else { return };
    let mut becomes: FxHashMap<Inst, Value> = FxHashMap::default();
    for &i in body.blocks.values().flatten() {
        if let Op::Call { callee: Value::Func(f), args, .. } = body.insts[i].op
            && let &[code, handle, _] = body.values(args)
            && m.is_dx_op(f)
            && m.int_of(code) == Some(op::ANNOTATE_HANDLE.number().into())
        {
            becomes.insert(i, handle);
        }
    }
    if let Some(body) = m.funcs[func].body.as_mut() {
        body.blocks.values_mut().for_each(|b| b.retain(|i| !becomes.contains_key(i)));
    }
    replace(m, func, &becomes);
}

/// Before 6.2 functions do not say what becomes of denormals: they are flushed.
fn without_modes(m: &mut Module) {
    let is_mode = |a: &Attr| matches!(a, Attr::Text(key, _) if &**key == DENORMAL_MODE);
    let funcs: Vec<Func> = m.funcs.keys().collect();
    for func in funcs {
        let Some(list) = m.funcs[func].attrs.expand() else { continue };
        let groups = m.attrs.groups_of(list).to_vec();
        let mut kept = Vec::new();
        for group in groups {
            let data = m.attrs.group_data(group).clone();
            if data.place != FUNCTION_INDEX || !data.attrs.iter().any(is_mode) {
                kept.push(group);
                continue;
            }
            let others: Vec<Attr> = data.attrs.iter().filter(|a| !is_mode(a)).cloned().collect();
            if !others.is_empty() {
                kept.push(m.attrs.group(data.place, &others));
            }
        }
        m.funcs[func].attrs = if kept.is_empty() { None.into() } else { Some(m.attrs.list(&kept)).into() };
    }
}

/// Accesses of raw and structured buffers.
fn buffers(m: &mut Module, func: Func, minor: u32) {
    let Some(body) = &m.funcs[func].body else { return };
    let blocks: Vec<Block> = body.blocks.keys().collect();
    let mut fields: FxHashMap<Inst, Vec<Value>> = FxHashMap::default();
    let mut becomes: FxHashMap<Inst, Value> = FxHashMap::default();
    for block in blocks {
        let Some(body) = m.funcs[func].body.as_mut() else { return };
        for inst in std::mem::take(&mut body.blocks[block]) {
            let Some(mut b) = m.edit(func, block) else { return };
            let place = b.body().insts[inst].loc.expand().map(|l| b.body().locs[l]);
            b.set_loc(place);
            let op = b.body().insts[inst].op;
            match op {
                Op::Call { callee: Value::Func(f), args, .. } if b.module.is_dx_op(f) => {
                    let args = b.body().values(args).to_vec();
                    let code = args.first().and_then(|&v| b.module.int_of(v)).and_then(|n| DxOp::from_u32(n as u32));
                    let made = match code {
                        Some(op::RAW_BUFFER_LOAD) => load(&mut b, inst, &args, minor, &mut becomes),
                        Some(op::RAW_BUFFER_STORE) => store(&mut b, &args, minor).then(Vec::new),
                        _ => None,
                    };
                    match made {
                        Some(values) => drop(fields.insert(inst, values)),
                        None => b.body().blocks[block].push(inst),
                    }
                }
                Op::ExtractValue { value: Value::Inst(of), path } if fields.get(&of).is_some_and(|f| !f.is_empty()) => {
                    let n = b.body().path(path).first().copied().unwrap_or(0) as usize;
                    let ty = b.body().insts[inst].ty;
                    let value = fields[&of].get(n).copied().unwrap_or_else(|| b.module.undef(ty));
                    becomes.insert(inst, value);
                }
                _ => b.body().blocks[block].push(inst),
            }
        }
    }
    replace(m, func, &becomes);
}

fn is_wide(m: &Module, ty: Type) -> bool {
    size(m, ty) == 8
}

/// One load of 32-bit or smaller components.
fn narrow_load(b: &mut Builder<'_>, ty: Type, [handle, index, offset, mask, align]: [Value; 5], minor: u32) -> Value {
    if minor < RAW_BUFFER_MODEL {
        b.dx_call(op::BUFFER_LOAD, &[ty], &[handle, index, offset])
    } else {
        b.dx_call(op::RAW_BUFFER_LOAD, &[ty], &[handle, index, offset, mask, align])
    }
}

/// The fields of a load that the shader model has not; none if it has it, or if another load is what it was.
fn load(b: &mut Builder<'_>, inst: Inst, args: &[Value], minor: u32, becomes: &mut FxHashMap<Inst, Value>) -> Option<Vec<Value>> {
    let &[_, handle, index, offset, mask, align] = args else { return None };
    let result = b.body().insts[inst].ty;
    let ty = b.module.types.element(result, 0)?;
    if !is_wide(b.module, ty) {
        if minor >= RAW_BUFFER_MODEL {
            return None;
        }
        let loaded = narrow_load(b, ty, [handle, index, offset, mask, align], minor);
        becomes.insert(inst, loaded);
        return Some(Vec::new());
    }
    let count = 32 - (b.module.int_of(mask)? as u32 & 0xf).leading_zeros();
    let (int, long) = (b.module.types.i32(), b.module.types.i64());
    let double = b.module.types[ty] == TypeKind::Double;
    let (mut out, mut status) = (Vec::new(), None);
    for first in (0..count).step_by(2) {
        let words = (count - first).min(2) * 2;
        let [index, offset] = moved(b, [index, offset], first * 8);
        let mask = b.module.i8(((1 << words) - 1) as i8);
        let loaded = narrow_load(b, int, [handle, index, offset, mask, align], minor);
        for n in (0..words).step_by(2) {
            let (low, high) = (b.extract_value(loaded, n), b.extract_value(loaded, n + 1));
            out.push(if double {
                b.dx_call(op::MAKE_DOUBLE, &[ty], &[low, high])
            } else {
                let (low, high) = (b.cast(CastOp::ZExt, low, long), b.cast(CastOp::ZExt, high, long));
                let by = b.module.const_int(64, 32);
                let high = b.binary(BinOp::Shl, high, by, 0);
                b.binary(BinOp::Or, low, high, 0)
            });
        }
        if status.is_none() {
            status = Some(b.extract_value(loaded, 4));
        }
    }
    let undef = b.module.undef(ty);
    out.resize(4, undef);
    out.extend(status);
    Some(out)
}

/// Replaces a store that the shader model has not; whether it did.
fn store(b: &mut Builder<'_>, args: &[Value], minor: u32) -> bool {
    let &[_, handle, index, offset, x, y, z, w, mask, align] = args else { return false };
    let ty = b.type_of(x);
    let one = |b: &mut Builder<'_>, ty: Type, place: [Value; 2], values: [Value; 4], mask: Value| {
        let mut all = vec![handle, place[0], place[1]];
        all.extend(values);
        all.push(mask);
        if minor < RAW_BUFFER_MODEL {
            b.dx_call(op::BUFFER_STORE, &[ty], &all);
        } else {
            all.push(align);
            b.dx_call(op::RAW_BUFFER_STORE, &[ty], &all);
        }
    };
    if !is_wide(b.module, ty) {
        if minor < RAW_BUFFER_MODEL {
            one(b, ty, [index, offset], [x, y, z, w], mask);
        }
        return minor < RAW_BUFFER_MODEL;
    }
    let Some(bits) = b.module.int_of(mask) else { return false };
    let int = b.module.types.i32();
    let undef = b.module.undef(int);
    for (first, pair) in [(0, [x, y]), (2, [z, w])] {
        let count = 32 - ((bits as u32 & 0xf) >> first & 3).leading_zeros();
        if count == 0 {
            continue;
        }
        let mut words = [undef; 4];
        for (n, &value) in pair.iter().enumerate().take(count as usize) {
            if b.module.types[ty] == TypeKind::Double {
                let both = b.dx_call(op::SPLIT_DOUBLE, &[ty], &[value]);
                (words[2 * n], words[2 * n + 1]) = (b.extract_value(both, 0), b.extract_value(both, 1));
            } else {
                let by = b.module.const_int(64, 32);
                let high = b.binary(BinOp::LShr, value, by, 0);
                (words[2 * n], words[2 * n + 1]) = (b.cast(CastOp::Trunc, value, int), b.cast(CastOp::Trunc, high, int));
            }
        }
        let place = moved(b, [index, offset], first * 8);
        let mask = b.module.i8(((1 << (2 * count)) - 1) as i8);
        one(b, int, place, words, mask);
    }
    true
}
