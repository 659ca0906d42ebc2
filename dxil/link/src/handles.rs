//! Lowers resource handles to the form of the result's shader model.
//!
//! Libraries name a resource by a variable. Before shader model 6.6 the variable has the type of the resource and loads give
//! that to `CreateHandleForLib`; from 6.6 on it is a handle, and the handle is annotated. A single shader has no variables but
//! ranges of registers: `CreateHandle` before 6.6, `CreateHandleFromBinding` from then on. Resources that have matrices are variables of
//! their own type in all libraries of the reference compiler.

use rustc_hash::{FxHashMap, FxHashSet};

use super::dce::drop_unused;
use rtc_dxil_container::metadata::Resource;
use rtc_dxil_container::{ResourceClass, ResourceKind};
use rtc_dxil_module::{BinOp, Body, ConstKind, Func, Global, Inst, InstData, Module, Op, Tail, Type, TypeKind, Value};
use rtc_tables::dxil_ops::op;

/// The first minor shader model whose libraries have handles in variables.
pub const HANDLES: u32 = 6;
/// Metadata of indices that differ between threads.
const NON_UNIFORM: &str = "dx.nonuniform";

/// A call that makes a handle of a resource variable.
struct HandleCall {
    call: Inst,
    load: Inst,
    global: Global,
    /// The path of indices into an array of resources, outermost first; each with the length of what it picks from.
    indices: Vec<(Value, u64)>,
    non_uniform: bool,
}

/// A function that takes its resource from somewhere else than a variable.
pub struct Untraceable(pub Func);

/// The shape of a variable with handles in place of resources.
fn handle_shape(m: &mut Module, ty: Type) -> Type {
    let mut lens = Vec::new();
    let mut at = ty;
    while let TypeKind::Array { elem, len } = m.types[at] {
        lens.push(len);
        at = elem;
    }
    let handle = m.handle_type();
    lens.into_iter().rev().fold(handle, |t, len| m.types.array(t, len))
}

/// The functions with code.
fn with_code(m: &Module) -> Vec<Func> {
    m.funcs.iter().filter(|(_, f)| f.body.is_some()).map(|(func, _)| func).collect()
}

/// Finds every call in a function that makes a handle of a variable.
fn find(m: &Module, func: Func, known: &FxHashMap<Global, usize>) -> Result<Vec<HandleCall>, ()> {
    let mut out = Vec::new();
    let Some(body) = &m.funcs[func].body else { return Ok(out) };
    let kind = m.meta.find_kind(NON_UNIFORM);
    let marks: FxHashSet<Inst> = body.attached.iter().filter(|a| Some(a.1) == kind).map(|a| a.0).collect();
    for &i in body.blocks.values().flatten() {
        let Op::Call { callee: Value::Func(f), args, .. } = body.insts[i].op else { continue };
        let args = body.values(args);
        if !m.is_dx_op(f) || args.first().and_then(|&v| m.int_of(v)) != Some(op::CREATE_HANDLE_FOR_LIB.number().into()) {
            continue;
        }
        let Some(&Value::Inst(load)) = args.get(1) else { return Err(()) };
        let Op::Load { ptr, .. } = body.insts[load].op else { return Err(()) };
        let marked = |i: Inst| marks.contains(&i);
        let (global, path, non_uniform) = match ptr {
            Value::Global(g) => (g, Vec::new(), false),
            Value::Inst(gep) => match body.insts[gep].op {
                Op::Gep { operands, .. } => match body.values(operands) {
                    [Value::Global(g), path @ ..] => (*g, path.to_vec(), marked(gep) || marked(load)),
                    _ => return Err(()),
                },
                _ => return Err(()),
            },
            Value::Const(c) => match &m.consts[c].kind {
                ConstKind::Gep { operands, .. } => match &operands[..] {
                    [Value::Global(g), path @ ..] => (*g, path.to_vec(), false),
                    _ => return Err(()),
                },
                _ => return Err(()),
            },
            _ => return Err(()),
        };
        if !known.contains_key(&global) {
            return Err(());
        }
        let mut indices = Vec::new();
        let mut at = m.globals[global].ty;
        for &index in path.get(1..).unwrap_or_default() {
            let TypeKind::Array { elem, len } = m.types[at] else { return Err(()) };
            indices.push((index, len));
            at = elem;
        }
        out.push(HandleCall { call: i, load, global, indices, non_uniform });
    }
    Ok(out)
}

/// The variables of the records, by their row.
fn rows(records: &[Resource]) -> FxHashMap<Global, usize> {
    records.iter().enumerate().filter_map(|(n, r)| Some((r.global?, n))).collect()
}

/// What is picked from an array of resources, or the resource.
fn element(m: &Module, mut ty: Type) -> Type {
    while let TypeKind::Array { elem, .. } = m.types[ty] {
        ty = elem;
    }
    ty
}

/// The type of what is given to `CreateHandleForLib`.
fn loaded(m: &Module, func: Func, made: &HandleCall) -> Option<Type> {
    m.funcs[func].body.as_ref().map(|b| b.insts[made.load].ty)
}

/// Makes a handle of a variable that is, or will be, of type `shape`.
fn retype(m: &mut Module, func: Func, made: &HandleCall, shape: Type) {
    let one = element(m, shape);
    let Ok(create) = m.dx_op(op::CREATE_HANDLE_FOR_LIB, &[one]) else { return };
    let (create_ty, elem_ptr) = (m.funcs[create].ty, m.types.ptr(one));
    // A constant address has other types now.
    let constant = match m.funcs[func].body.as_ref().map(|b| b.insts[made.load].op) {
        Some(Op::Load { ptr: Value::Const(c), .. }) => match m.consts[c].kind.clone() {
            ConstKind::Gep { inbounds, operands, .. } => {
                Some(Value::Const(m.consts.intern(elem_ptr, ConstKind::Gep { inbounds, source: shape, operands })))
            }
            _ => None,
        },
        _ => None,
    };
    let Some(body) = &mut m.funcs[func].body else { return };
    if let Op::Load { ptr, .. } = &mut body.insts[made.load].op {
        if let Some(c) = constant {
            *ptr = c;
        }
        if let &mut Value::Inst(gep) = ptr {
            body.insts[gep].ty = elem_ptr;
            if let Op::Gep { source, .. } = &mut body.insts[gep].op {
                *source = shape;
            }
        }
    }
    body.insts[made.load].ty = one;
    if let Op::Call { callee, ty, .. } = &mut body.insts[made.call].op {
        (*callee, *ty) = (Value::Func(create), create_ty);
    }
}

/// Gives a library of a shader model before 6.6 the form of later ones, or (`annotated`) one of a later model whose resources with
/// matrices are no handles, as the reference compiler makes them, that of others.
///
/// # Errors
/// A function that creates a handle from something other than a variable.
pub fn annotate(m: &mut Module, records: &[Resource], annotated: bool) -> Result<(), Untraceable> {
    let rows = rows(records);
    let mut shapes: FxHashMap<Global, Type> = FxHashMap::default();
    let handle = m.handle_type();
    for func in with_code(m) {
        let mut made = match find(m, func, &rows) {
            // Libraries for linking only take handles from parameters too.
            Err(()) if annotated => continue,
            found => found.map_err(|()| Untraceable(func))?,
        };
        made.retain(|made| loaded(m, func, made) != Some(handle));
        if made.is_empty() {
            continue;
        }
        let Ok(annotate) = m.dx_op(op::ANNOTATE_HANDLE, &[]) else { continue };
        let annotate_ty = m.funcs[annotate].ty;
        let opcode = m.i32(op::ANNOTATE_HANDLE.number() as i32);
        let mut notes = Vec::new();
        for made in made {
            let shape = match shapes.get(&made.global) {
                Some(&s) => s,
                None => {
                    let shape = handle_shape(m, m.globals[made.global].ty);
                    shapes.insert(made.global, shape);
                    shape
                }
            };
            let props = properties(m, &records[rows[&made.global]]);
            notes.push((made.call, props));
            retype(m, func, &made, shape);
        }
        if let Some(body) = m.funcs[func].body.as_mut().filter(|_| !annotated) {
            append_annotations(body, &notes, (annotate, annotate_ty), handle, opcode);
        }
    }
    for (global, shape) in shapes {
        let ptr = m.types.ptr_in(shape, m.globals[global].space);
        (m.globals[global].ty, m.globals[global].ptr_ty) = (shape, ptr);
    }
    Ok(())
}

/// Gives variables whose resources are handles, as libraries from 6.6 on have them, the types of their resources.
///
/// # Errors
/// A function that creates a handle from something other than a variable.
pub fn declare(m: &mut Module, records: &[Resource]) -> Result<(), Untraceable> {
    let rows = rows(records);
    for func in with_code(m) {
        let found = find(m, func, &rows).map_err(|()| Untraceable(func))?;
        // One load may serve several.
        let differs = |made: HandleCall| {
            let ty = records[rows[&made.global]].ty?;
            (loaded(m, func, &made) != Some(element(m, ty))).then_some((made, ty))
        };
        let found: Vec<(HandleCall, Type)> = found.into_iter().filter_map(differs).collect();
        for (made, ty) in found {
            retype(m, func, &made, ty);
        }
    }
    let handle = m.handle_type();
    for record in records {
        if let (Some(global), Some(ty)) = (record.global, record.ty)
            && element(m, m.globals[global].ty) == handle
        {
            let ptr = m.types.ptr_in(ty, m.globals[global].space);
            (m.globals[global].ty, m.globals[global].ptr_ty) = (ty, ptr);
        }
    }
    Ok(())
}

/// Lets functions of all libraries know resources by the types of their variables: compilers do not agree on what resources with
/// matrices are called.
pub fn agree(m: &mut Module, records: &[Resource]) {
    let rows = rows(records);
    for func in with_code(m) {
        let mut found = find(m, func, &rows).unwrap_or_default();
        // One load may serve several.
        found.retain(|made| loaded(m, func, made) != Some(element(m, m.globals[made.global].ty)));
        for made in found {
            retype(m, func, &made, m.globals[made.global].ty);
        }
    }
}

/// Annotates the handles that calls make: each is followed by its annotation, which everyone else uses from now on.
fn append_annotations(body: &mut Body, made: &[(Inst, Value)], annotate: (Func, Type), handle: Type, opcode: Value) {
    let mut notes: FxHashMap<Inst, Inst> = FxHashMap::default();
    for &(call, _) in made {
        let loc = body.insts[call].loc;
        notes.insert(call, body.insts.push(InstData { op: Op::Unreachable, ty: handle, loc }));
    }
    body.map_values(|v| match v {
        Value::Inst(i) => Value::Inst(notes.get(&i).copied().unwrap_or(i)),
        v => v,
    });
    for &(call, props) in made {
        let args = body.list(&[opcode, Value::Inst(call), props]);
        let (callee, ty) = (Value::Func(annotate.0), annotate.1);
        body.insts[notes[&call]].op = Op::Call { callee, ty, attrs: None.into(), args, cc: 0, tail: Tail::No };
    }
    for insts in body.blocks.values_mut() {
        let with_note = |&i: &Inst| [Some(i), notes.get(&i).copied()].into_iter().flatten();
        *insts = insts.iter().flat_map(with_note).collect();
    }
}

/// The properties by which a handle is annotated.
fn properties(m: &mut Module, r: &Resource) -> Value {
    let uav = r.class == ResourceClass::Uav;
    let align = if r.kind == ResourceKind::StructuredBuffer { r.alignment(m) } else { 0 };
    let bits = [
        (uav, 12),
        (uav && r.rov, 13),
        (uav && r.coherent, 14),
        (uav && r.counter || r.class == ResourceClass::Sampler && r.sampler == 1, 15),
        (uav && r.reorder_coherent, 16),
    ];
    let basic = bits.iter().filter(|b| b.0).fold(r.kind.number() | align << 8, |all, b| all | 1 << b.1);
    let detail = match r.kind {
        ResourceKind::CBuffer => r.size,
        ResourceKind::StructuredBuffer => r.size,
        ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => r.feedback.unwrap_or(0),
        k if k.is_typed() => {
            let samples = if k.is_multisampled() { r.samples } else { 0 };
            r.component.number() & 0xff | r.components(m) << 8 | samples << 16
        }
        _ => 0,
    };
    let i32_ty = m.types.i32();
    let ty = m.types.named_struct("dx.types.ResourceProperties", &[i32_ty, i32_ty]);
    let words = [m.i32(basic as i32), m.i32(detail as i32)];
    m.aggregate(ty, &words)
}

/// Gives a module the form of a single shader of shader model 6.`minor`: handles by register.
///
/// # Errors
/// A function that creates a handle from something other than a variable.
pub fn bind(m: &mut Module, records: &[Resource], minor: u32) -> Result<(), Untraceable> {
    let rows = rows(records);
    for func in with_code(m) {
        let found = find(m, func, &rows).map_err(|()| Untraceable(func))?;
        let mut calls = FxHashMap::default();
        for made in found {
            let r = &records[rows[&made.global]];
            let code = create(m, r, &made, minor);
            calls.insert(made.call, code);
        }
        let Some(mut body) = m.funcs[func].body.take() else { continue };
        rewrite(&mut body, &calls);
        m.funcs[func].body = Some(body);
    }
    Ok(())
}

/// How a handle is made by register: the index, and the call with a hole for it.
struct Create {
    callee: Func,
    callee_ty: Type,
    index_ty: Type,
    /// Steps of the index: times a length, plus a value.
    steps: Vec<(Value, Value)>,
    lower: Value,
    zero: Value,
    /// Arguments; none where the index belongs.
    args: Vec<Option<Value>>,
}

fn create(m: &mut Module, r: &Resource, made: &HandleCall, minor: u32) -> Create {
    let class = match r.class {
        ResourceClass::Srv => 0,
        ResourceClass::Uav => 1,
        ResourceClass::Cbv => 2,
        ResourceClass::Sampler => 3,
    };
    let mut steps = Vec::new();
    for (index, len) in &made.indices {
        steps.push((m.i32(*len as i32), *index));
    }
    let non_uniform = m.i1(made.non_uniform);
    let (opcode, args) = if minor >= HANDLES {
        let (i32_ty, i8_ty) = (m.types.i32(), m.types.i8());
        let ty = m.types.named_struct("dx.types.ResBind", &[i32_ty, i32_ty, i32_ty, i8_ty]);
        let words = [m.i32(r.lower as i32), m.i32(r.upper() as i32), m.i32(r.space as i32), m.i8(class)];
        let bind = m.aggregate(ty, &words);
        (op::CREATE_HANDLE_FROM_BINDING, vec![Some(bind), None, Some(non_uniform)])
    } else {
        (op::CREATE_HANDLE, vec![Some(m.i8(class)), Some(m.i32(r.id as i32)), None, Some(non_uniform)])
    };
    let callee = match m.dx_op(opcode, &[]) {
        Ok(f) => f,
        Err(e) => rtc_base::bug!("{e}"),
    };
    let mut all = vec![Some(m.i32(opcode.number() as i32))];
    all.extend(args);
    Create {
        callee,
        callee_ty: m.funcs[callee].ty,
        index_ty: m.types.i32(),
        steps,
        lower: m.i32(r.lower as i32),
        zero: m.i32(0),
        args: all,
    }
}

/// Replaces the calls; the loads before them are used by nothing then, and go.
fn rewrite(body: &mut Body, calls: &FxHashMap<Inst, Create>) {
    let blocks: Vec<_> = body.blocks.keys().collect();
    for block in blocks {
        let old = std::mem::take(&mut body.blocks[block]);
        for i in old {
            let Some(c) = calls.get(&i) else {
                body.blocks[block].push(i);
                continue;
            };
            let mut index = c.zero;
            let loc = body.insts[i].loc;
            let add = |body: &mut Body, op, lhs, rhs| {
                let made = body.append(block, c.index_ty, Op::Binary { op, flags: 0, lhs, rhs });
                body.insts[made].loc = loc;
                Value::Inst(made)
            };
            for (n, &(len, step)) in c.steps.iter().enumerate() {
                if n > 0 {
                    index = add(body, BinOp::Mul, index, len);
                }
                index = if index == c.zero { step } else { add(body, BinOp::Add, index, step) };
            }
            index = match (index == c.zero, c.lower == c.zero) {
                (true, _) => c.lower,
                (_, true) => index,
                _ => add(body, BinOp::Add, index, c.lower),
            };
            let args: Vec<Value> = c.args.iter().map(|a| a.unwrap_or(index)).collect();
            let args = body.list(&args);
            let attrs = None.into();
            body.insts[i].op = Op::Call { callee: Value::Func(c.callee), ty: c.callee_ty, attrs, args, cc: 0, tail: Tail::No };
            body.blocks[block].push(i);
        }
    }
}

/// Removes loads and addresses that nothing uses.
pub fn drop_unused_loads(body: &mut Body) {
    drop_unused(body, |_, op| matches!(op, Op::Load { volatile: false, .. } | Op::Gep { .. }));
}
