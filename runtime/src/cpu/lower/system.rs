//! System values are loads from the thread: of the dispatch ([`crate::cpu::thread::System`]), and of the ray and the hit that the
//! shader was called for ([`View`]). What is in object space is computed from the world's with the instance's matrix.

use super::Refusal;
use crate::cpu::thread::layout as thread;
use crate::cpu::trace::View;
use rtc_dxil_module::{BinOp, Block, Builder, CastOp, Func, Module, Type, Value};
use rtc_tables::dxil_ops::{DxilOp, op};
use std::mem::offset_of;

/// How to come by a value.
#[derive(Clone, Copy)]
enum Way {
    /// It lies in the thread.
    Word(usize),
    /// One of three, which the only argument says.
    Component(usize),
    /// An element of a matrix that the thread points to: arguments row and column.
    Matrix(usize),
    /// A component of the ray's origin in object space.
    ObjectOrigin,
    /// A component of its direction.
    ObjectDirection,
}

const fn view(offset: usize) -> usize {
    thread::VIEW + offset
}

/// Operations and how to come by their values.
const VALUES: &[(u32, Way)] = &[
    (op::DISPATCH_RAYS_INDEX, Way::Component(thread::SYSTEM)),
    (op::THREAD_ID, Way::Component(thread::SYSTEM)),
    (op::DISPATCH_RAYS_DIMENSIONS, Way::Component(thread::SYSTEM + 12)),
    (op::GROUP_ID, Way::Component(thread::SYSTEM + 24)),
    (op::THREAD_ID_IN_GROUP, Way::Component(thread::SYSTEM + 36)),
    (op::FLATTENED_THREAD_ID_IN_GROUP, Way::Word(thread::SYSTEM + 48)),
    (op::WORLD_RAY_ORIGIN, Way::Component(view(offset_of!(View<'static>, origin)))),
    (op::WORLD_RAY_DIRECTION, Way::Component(view(offset_of!(View<'static>, direction)))),
    (op::RAY_T_MIN, Way::Word(view(offset_of!(View<'static>, t_min)))),
    (op::RAY_T_CURRENT, Way::Word(view(offset_of!(View<'static>, t)))),
    (op::RAY_FLAGS, Way::Word(view(offset_of!(View<'static>, flags)))),
    (op::HIT_KIND, Way::Word(view(offset_of!(View<'static>, kind)))),
    (op::INSTANCE_INDEX, Way::Word(view(offset_of!(View<'static>, instance)))),
    (op::INSTANCE_ID, Way::Word(view(offset_of!(View<'static>, id)))),
    (op::GEOMETRY_INDEX, Way::Word(view(offset_of!(View<'static>, geometry)))),
    (op::PRIMITIVE_INDEX, Way::Word(view(offset_of!(View<'static>, primitive)))),
    (op::CLUSTER_ID, Way::Word(view(offset_of!(View<'static>, cluster)))),
    (op::OBJECT_TO_WORLD, Way::Matrix(TO_WORLD)),
    (op::WORLD_TO_OBJECT, Way::Matrix(TO_OBJECT)),
    (op::OBJECT_RAY_ORIGIN, Way::ObjectOrigin),
    (op::OBJECT_RAY_DIRECTION, Way::ObjectDirection),
];

const TO_WORLD: usize = view(offset_of!(View<'static>, to_world));
const TO_OBJECT: usize = view(offset_of!(View<'static>, to_object));

/// The value of an operation, if it is one of these. Elements of matrices that are not constants are left to the runtime.
pub fn value(m: &mut Module, func: Func, at: Block, op: &DxilOp, args: &[Value], ty: Type) -> Result<Option<Value>, Refusal> {
    let Some(&(_, way)) = VALUES.iter().find(|v| v.0 == op.opcode) else { return Ok(None) };
    let constant = |m: &Module, n: usize, below: i64| args.get(n).and_then(|&v| m.int_of(v)).filter(|c| (0..below).contains(c));
    let component = |m: &Module| {
        let found = constant(m, 0, 3).ok_or_else(|| format!("{} of a component that is no constant below 3", op.name));
        found.map(|c| c as usize)
    };
    let which = match way {
        Way::Component(_) | Way::ObjectOrigin | Way::ObjectDirection => component(m)?,
        _ => 0,
    };
    let element = match way {
        Way::Matrix(_) => match (constant(m, 0, 3), constant(m, 1, 4)) {
            (Some(row), Some(column)) => (row * 4 + column) as usize,
            _ => return Ok(None),
        },
        _ => 0,
    };
    let mut b = m.edit(func, at).ok_or("a function without code")?;
    Ok(Some(match way {
        Way::Word(offset) => load(&mut b, offset, ty),
        Way::Component(offset) => load(&mut b, offset + 4 * which, ty),
        Way::Matrix(offset) => {
            let matrix = pointer(&mut b, offset, ty);
            entry(&mut b, matrix, element)
        }
        Way::ObjectOrigin | Way::ObjectDirection => {
            let matrix = pointer(&mut b, TO_OBJECT, ty);
            let origin = matches!(way, Way::ObjectOrigin);
            let from = view(if origin { offset_of!(View<'static>, origin) } else { offset_of!(View<'static>, direction) });
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

/// The address of bytes of the thread, as one of something.
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

/// A pointer to numbers in the thread.
fn pointer(b: &mut Builder<'_>, offset: usize, ty: Type) -> Value {
    let to = b.module.types.ptr(ty);
    let at = address(b, offset, to);
    b.load(at, 8)
}

/// A number behind a pointer. It is addressed in bytes, as all that is the runtime's.
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
