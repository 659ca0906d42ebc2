//! System values: loads from the thread, of the dispatch ([`crate::cpu::thread::System`]), and of the ray and hit for which the
//! shader runs ([`RayState`]). Object-space values are computed from world-space ones with the instance's matrix.

use super::Refusal;
use crate::cpu::thread::layout as thread;
use crate::cpu::trace::RayState;
use rtc_dxil_module::{BinOp, Block, Builder, CastOp, Func, Module, Type, Value};
use rtc_tables::dxil_ops::{DxOp, DxilOp, op};
use std::mem::offset_of;

/// How a value is computed.
#[derive(Clone, Copy)]
enum Source {
    /// A field of the thread.
    Word(usize),
    /// One of three components; the only argument is the index.
    Component(usize),
    /// An element of a matrix that the thread points to; arguments are row and column.
    Matrix(usize),
    /// A component of the object-space ray origin.
    ObjectOrigin,
    /// A component of the object-space ray direction.
    ObjectDirection,
}

const fn view(offset: usize) -> usize {
    thread::VIEW + offset
}

/// Operations and how their values are computed.
const VALUES: &[(DxOp, Source)] = &[
    (op::DISPATCH_RAYS_INDEX, Source::Component(thread::SYSTEM)),
    (op::THREAD_ID, Source::Component(thread::SYSTEM)),
    (op::DISPATCH_RAYS_DIMENSIONS, Source::Component(thread::SYSTEM + 12)),
    (op::GROUP_ID, Source::Component(thread::SYSTEM + 24)),
    (op::THREAD_ID_IN_GROUP, Source::Component(thread::SYSTEM + 36)),
    (op::FLATTENED_THREAD_ID_IN_GROUP, Source::Word(thread::SYSTEM + 48)),
    (op::WORLD_RAY_ORIGIN, Source::Component(view(offset_of!(RayState<'static>, origin)))),
    (op::WORLD_RAY_DIRECTION, Source::Component(view(offset_of!(RayState<'static>, direction)))),
    (op::RAY_T_MIN, Source::Word(view(offset_of!(RayState<'static>, t_min)))),
    (op::RAY_T_CURRENT, Source::Word(view(offset_of!(RayState<'static>, t)))),
    (op::RAY_FLAGS, Source::Word(view(offset_of!(RayState<'static>, flags)))),
    (op::HIT_KIND, Source::Word(view(offset_of!(RayState<'static>, kind)))),
    (op::INSTANCE_INDEX, Source::Word(view(offset_of!(RayState<'static>, instance)))),
    (op::INSTANCE_ID, Source::Word(view(offset_of!(RayState<'static>, id)))),
    (op::GEOMETRY_INDEX, Source::Word(view(offset_of!(RayState<'static>, geometry)))),
    (op::PRIMITIVE_INDEX, Source::Word(view(offset_of!(RayState<'static>, primitive)))),
    (op::CLUSTER_ID, Source::Word(view(offset_of!(RayState<'static>, cluster)))),
    (op::OBJECT_TO_WORLD, Source::Matrix(TO_WORLD)),
    (op::WORLD_TO_OBJECT, Source::Matrix(TO_OBJECT)),
    (op::OBJECT_RAY_ORIGIN, Source::ObjectOrigin),
    (op::OBJECT_RAY_DIRECTION, Source::ObjectDirection),
];

const TO_WORLD: usize = view(offset_of!(RayState<'static>, to_world));
const TO_OBJECT: usize = view(offset_of!(RayState<'static>, to_object));

/// The value of an operation, if it is a system value. Matrix elements with dynamic indices are left to the runtime.
///
/// # Errors
/// An index that must be constant and is not.
pub fn value(m: &mut Module, func: Func, at: Block, op: &DxilOp, args: &[Value], ty: Type) -> Result<Option<Value>, Refusal> {
    let Some(&(_, way)) = VALUES.iter().find(|v| v.0 == op.opcode) else { return Ok(None) };
    let constant = |m: &Module, n: usize, below: i64| args.get(n).and_then(|&v| m.int_of(v)).filter(|c| (0..below).contains(c));
    let component = |m: &Module| {
        let found = constant(m, 0, 3).ok_or_else(|| format!("{} with a component index that is not a constant below 3", op.name));
        found.map(|c| c as usize)
    };
    let which = match way {
        Source::Component(_) | Source::ObjectOrigin | Source::ObjectDirection => component(m)?,
        _ => 0,
    };
    let element = match way {
        Source::Matrix(_) => match (constant(m, 0, 3), constant(m, 1, 4)) {
            (Some(row), Some(column)) => (row * 4 + column) as usize,
            _ => return Ok(None),
        },
        _ => 0,
    };
    let mut b = m.edit(func, at).ok_or("a function without code")?;
    Ok(Some(match way {
        Source::Word(offset) => load(&mut b, offset, ty),
        Source::Component(offset) => load(&mut b, offset + 4 * which, ty),
        Source::Matrix(offset) => {
            let matrix = pointer(&mut b, offset, ty);
            entry(&mut b, matrix, element)
        }
        Source::ObjectOrigin | Source::ObjectDirection => {
            let matrix = pointer(&mut b, TO_OBJECT, ty);
            let origin = matches!(way, Source::ObjectOrigin);
            let from = view(if origin { offset_of!(RayState<'static>, origin) } else { offset_of!(RayState<'static>, direction) });
            let mut sum = None;
            for i in 0..3 {
                let factor = entry(&mut b, matrix, 4 * which + i);
                let x = load(&mut b, from + 4 * i, ty);
                let product = b.binary(BinOp::Mul, factor, x, 0);
                sum = Some(sum.map_or(product, |s| b.binary(BinOp::Add, s, product, 0)));
            }
            let moved = entry(&mut b, matrix, 4 * which + 3);
            match sum {
                Some(s) if origin => b.binary(BinOp::Add, s, moved, 0),
                Some(s) => s,
                None => moved,
            }
        }
    }))
}

/// The address of a field of the thread, as a pointer to `ty`.
fn address(b: &mut Builder<'_>, offset: usize, ty: Type) -> Value {
    let to = b.module.types.ptr(ty);
    let n = b.module.i32(offset as i32);
    let at = b.gep(false, Value::Arg(0), &[n]);
    b.cast(CastOp::BitCast, at, to)
}

fn load(b: &mut Builder<'_>, offset: usize, ty: Type) -> Value {
    let at = address(b, offset, ty);
    b.load(at, 4)
}

/// Loads a pointer to floats from the thread.
fn pointer(b: &mut Builder<'_>, offset: usize, ty: Type) -> Value {
    let to = b.module.types.ptr(ty);
    let at = address(b, offset, to);
    b.load(at, 8)
}

/// Loads a float through a pointer, addressed in bytes as all memory of the runtime.
fn entry(b: &mut Builder<'_>, matrix: Value, n: usize) -> Value {
    let ty = b.type_of(matrix);
    let byte = b.module.types.i8();
    let bytes = b.module.types.ptr(byte);
    let at = b.cast(CastOp::BitCast, matrix, bytes);
    let n = b.module.i32(4 * n as i32);
    let at = b.gep(false, at, &[n]);
    let at = b.cast(CastOp::BitCast, at, ty);
    b.load(at, 4)
}
