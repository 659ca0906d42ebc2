//! Linear algebra: matrices of a thread, a wave or a group.
//!
//! Each thread of a wave or group has its own copy of a matrix, and computes with it what all others compute. Threads meet at operations that read or write
//! memory, and where components are exchanged. One of them writes. Component `n` of a thread's part is `n * threads + index` by rows.

use super::OpFn;
use super::resources::bytes_at;
use crate::cpu::args::{Args, Scalar, Shape};
use crate::cpu::matrices::{Arithmetic, Matrix, Operands, encoding};
use crate::cpu::resources::buffer::BufferView;
use crate::cpu::thread::Thread;
use crate::cpu::wave::lane_ops::ActiveLanes;
use crate::cpu::wave::{act_with, exchange_in_group, shared};
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::linalg::layouts::{Steps, steps};
use rtc_tables::linalg::numbers::{Encoding, Number, encoding_of};
use rtc_tables::linalg::rules::Part;
use rtc_tables::linalg::{MatrixType, SCOPE_GROUP, SCOPE_THREAD, USE_A};
use std::sync::Arc;

/// The family.
#[rustfmt::skip]
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::LIN_ALG_FILL_MATRIX, fill),
    (op::LIN_ALG_COPY_CONVERT_MATRIX, copy),
    (op::LIN_ALG_MATRIX_LOAD_FROM_DESCRIPTOR, load),
    (op::LIN_ALG_MATRIX_LOAD_FROM_MEMORY, load_shared),
    (op::LIN_ALG_MATRIX_LENGTH, length),
    (op::LIN_ALG_MATRIX_GET_COORDINATE, coordinate),
    (op::LIN_ALG_MATRIX_GET_ELEMENT, get),
    (op::LIN_ALG_MATRIX_SET_ELEMENT, set),
    (op::LIN_ALG_MATRIX_STORE_TO_DESCRIPTOR, store),
    (op::LIN_ALG_MATRIX_STORE_TO_MEMORY, store_shared),
    (op::LIN_ALG_MATRIX_QUERY_ACCUMULATOR_LAYOUT, |_, a| a.ret_u32(0, USE_A)),
    (op::LIN_ALG_MATRIX_MULTIPLY, |t, a| multiply(t, a, false)),
    (op::LIN_ALG_MATRIX_MULTIPLY_ACCUMULATE, |t, a| multiply(t, a, true)),
    (op::LIN_ALG_MATRIX_ACCUMULATE, accumulate),
    (op::LIN_ALG_MAT_VEC_MUL, |t, a| vector(t, a, false)),
    (op::LIN_ALG_MAT_VEC_MUL_ADD, |t, a| vector(t, a, true)),
    (op::LIN_ALG_MATRIX_ACCUMULATE_TO_DESCRIPTOR, add_to),
    (op::LIN_ALG_MATRIX_ACCUMULATE_TO_MEMORY, add_to_shared),
    (op::LIN_ALG_MATRIX_OUTER_PRODUCT, outer),
    (op::LIN_ALG_CONVERT, convert),
    (op::LIN_ALG_VECTOR_ACCUMULATE_TO_DESCRIPTOR, vector_add_to),
];

/// The operation is at fault, not the shader: its types are not those of its row.
const ODD: &str = "an operation on matrices whose types are not those of its declaration";

/// A call with its types.
struct Typed {
    operands: Arc<Operands>,
}

impl Typed {
    fn of(thread: &mut Thread<'_>, args: &mut Args<'_>) -> Option<Typed> {
        let site = thread.machine.program.sites.get(args.shape.site as usize);
        let operands = site.and_then(|s| s.operands.clone());
        if operands.is_none() {
            thread.fail(args.shape.site, ODD.to_string());
            args.slots().fill(0);
        }
        operands.map(|operands| Typed { operands })
    }
    /// The first slot of a parameter.
    fn slot(&self, param: usize) -> usize {
        self.operands.params.get(param).map_or(usize::MAX, |p| p.1.into())
    }
    fn u32(&self, args: &Args<'_>, param: usize) -> u32 {
        args.u32(self.slot(param))
    }
    /// The matrix type of the result.
    fn matrix(&self) -> Option<MatrixType> {
        if let Part::Matrix(t) = self.operands.result { Some(t) } else { None }
    }
    /// A matrix that is an argument. One without a value is full of zeros, and a finding of the sanitizer.
    fn given<'m>(&self, thread: &Thread<'m>, args: &Args<'_>, param: usize) -> Option<Matrix<'m>> {
        let Some(&(Part::Matrix(ty), slot)) = self.operands.params.get(param) else { return None };
        if let Some(m) = thread.matrices.get(args.bits(slot.into())).filter(|m| m.ty == ty) {
            return Some(m.clone());
        }
        thread.misuse("matrix", args.shape.site, || "a matrix that has no value".to_string());
        Some(Matrix::of(ty, vec![0; ty.rows as usize * ty.columns as usize]))
    }
    /// The numbers of a vector or scalar that is an argument, which holds `count` numbers of a component type.
    fn numbers(&self, args: &Args<'_>, param: usize, component: u32, count: u32) -> Vec<Number> {
        let Some(&(Part::Vector(lanes, scalar, is_float), first)) = self.operands.params.get(param) else { return Vec::new() };
        let (packed, first) = (per_scalar(component), usize::from(first));
        let Some(component) = encoding_of(component) else { return Vec::new() };
        let own = of_scalar(scalar, is_float, component.is_signed());
        let of = |n: u32| {
            let bits = args.bits(first + (n / packed) as usize) >> (n % packed * component.bits());
            let whole = packed == 1 && (own.bits() != component.bits() || own.is_float() != component.is_float());
            if whole { component.decode(component.encode(own.decode(bits))) } else { component.decode(bits) }
        };
        (0..count.min(lanes * packed)).map(of).collect()
    }
    /// How many numbers of a component type a vector that is an argument holds.
    fn count(&self, param: usize, component: u32) -> u32 {
        let Some(&(Part::Vector(lanes, ..), _)) = self.operands.params.get(param) else { return 0 };
        lanes * per_scalar(component)
    }
}

fn per_scalar(component: u32) -> u32 {
    rtc_tables::linalg::component_of(component).and_then(|c| c.stored).map_or(1, |s| s.per_scalar())
}

/// How a type of DXIL encodes numbers.
fn of_scalar(name: &str, is_float: bool, signed: bool) -> Encoding {
    let number = match (name, is_float) {
        ("half" | "f16", _) => 8,
        ("double" | "f64", _) => 10,
        (_, true) => 9,
        (n, _) => {
            let base = if n.ends_with("16") {
                2
            } else if n.ends_with("64") {
                6
            } else {
                4
            };
            base + u32::from(!signed)
        }
    };
    encoding_of(number).unwrap_or(Encoding::Unsigned(32))
}

/// Gives a new matrix as the result.
fn give<'m>(thread: &mut Thread<'m>, args: &mut Args<'_>, matrix: Matrix<'m>) {
    match thread.matrices.add(matrix) {
        Ok(value) => args.ret(0, value),
        Err(why) => {
            thread.fail(args.shape.site, why);
            args.ret(0, 0);
        }
    }
}

/// The threads of the scope: how many, and the index of this one.
fn threads(thread: &Thread<'_>, scope: u32) -> (u32, u32) {
    let c = &thread.convergence;
    if scope == SCOPE_GROUP { (c.group_lanes(), c.index_in_group()) } else { (c.wave_lanes(), c.index()) }
}

/// Values of all threads of the scope, which meet here: `each` values of every thread, in order.
fn exchange(thread: &mut Thread<'_>, shape: Shape, scope: u32, own: &[u64]) -> Vec<(u32, Vec<u64>)> {
    let (count, _) = threads(thread, scope);
    let mut slots = vec![0; 1 + count as usize * (own.len() + 1)];
    slots[1..=own.len()].copy_from_slice(own);
    slots[0] = own.len() as u64;
    let shape = Shape { slots: slots.len().min(65535) as u16, ..shape };
    match scope {
        SCOPE_GROUP => exchange_in_group(thread, shape, &mut slots, gather),
        _ => act_with(thread, shape, &mut slots, gather),
    }
    let here = slots[0] as usize;
    let each = own.len() + 1;
    slots[1..].chunks(each).take(here).map(|c| (c[0] as u32, c[1..].to_vec())).collect()
}

/// Each lane gets the values of all: their number, then lane and values of each.
fn gather(set: &mut ActiveLanes<'_>) {
    let all: Vec<u64> = set
        .lanes
        .iter()
        .flat_map(|l| {
            let each = l.get(0) as usize;
            std::iter::once(u64::from(l.lane)).chain((0..each).map(move |n| l.get(1 + n))).collect::<Vec<u64>>()
        })
        .collect();
    let count = set.lanes.len() as u64;
    for lane in set.lanes.iter_mut() {
        lane.set(0, count);
        all.iter().enumerate().for_each(|(n, &bits)| lane.set(1 + n, bits));
    }
}

/// The threads of a scope meet. True in one of them.
fn meet(thread: &mut Thread<'_>, args: &Args<'_>, scope: u32) -> bool {
    if scope == SCOPE_THREAD {
        return true;
    }
    let (_, own) = threads(thread, scope);
    let here = exchange(thread, args.shape, scope, &[]);
    let all = threads(thread, scope).0 as usize;
    if here.len() < all && !thread.failed() {
        let missing = all - here.len();
        thread.misuse("matrix", args.shape.site, || {
            format!("{missing} threads that share the matrix are not here: all of its wave or group must call the operation together")
        });
    }
    here.first().is_some_and(|f| f.0 == own)
}

/// `value`
fn fill(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(ty) = call.matrix() else { return };
    let Some(&(Part::Vector(_, scalar, is_float), slot)) = call.operands.params.first() else { return };
    // The value is that of the first thread, as the proposal says of splats.
    let own = args.bits(slot.into());
    let all = exchange(thread, args.shape, ty.scope, &[own]);
    let bits = all.first().and_then(|f| f.1.first().copied()).unwrap_or(own);
    let to = encoding(ty);
    let n = of_scalar(scalar, is_float, to.is_signed()).decode(bits);
    give(thread, args, Matrix::of(ty, vec![to.encode(n); ty.rows as usize * ty.columns as usize]));
}

/// A matrix of components that a function gives.
fn made<'m>(ty: MatrixType, of: impl Fn(u32, u32) -> Number) -> Matrix<'m> {
    let to = encoding(ty);
    Matrix::of(ty, (0..ty.rows).flat_map(|r| (0..ty.columns).map(move |c| (r, c))).map(|(r, c)| to.encode(of(r, c))).collect())
}

/// Source, whether it is transposed.
fn copy(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let (Some(ty), Some(from)) = (call.matrix(), call.given(thread, args, 0)) else { return };
    let transposed = args.bool(call.slot(1));
    give(thread, args, made(ty, |r, c| if transposed { from.number(c, r) } else { from.number(r, c) }));
}

/// The steps of a matrix in a buffer: stride and layout are parameters from `param` on.
fn steps_at(call: &Typed, args: &Args<'_>, param: usize, ty: MatrixType) -> Steps {
    let (stride, layout) = (call.u32(args, param), call.u32(args, param + 1));
    steps(layout.into(), stride.into(), ty.rows, ty.columns, encoding(ty).bytes())
}

/// The sanitizer is told of a matrix that is not inside of a buffer.
fn check(thread: &Thread<'_>, args: &Args<'_>, view: &BufferView<'_>, offset: u32, steps: Steps, ty: MatrixType) {
    if !thread.is_sanitized() || ty.rows == 0 || ty.columns == 0 {
        return;
    }
    let last = u64::from(ty.rows - 1) * steps.row + u64::from(ty.columns - 1) * steps.column;
    let end = u64::from(offset) + last + u64::from(encoding(ty).bytes());
    if end > view.size {
        let (size, dimensions) = (view.size, ty.dimensions());
        thread.misuse("bounds", args.shape.site, || {
            format!("a {dimensions} matrix at {offset} that ends at {end} of a buffer of {size} bytes")
        });
    }
}

/// Handle, offset, stride, layout, alignment.
fn load(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(ty) = call.matrix() else { return };
    let (offset, steps) = (call.u32(args, 1), steps_at(&call, args, 2, ty));
    let Some(view) = bytes_at(thread, args, call.slot(0)) else { return args.ret(0, 0) };
    check(thread, args, &view, offset, steps, ty);
    let matrix = Matrix::in_memory(ty, view, offset, steps);
    if ty.scope == SCOPE_THREAD {
        return give(thread, args, matrix);
    }
    meet(thread, args, ty.scope);
    let values = matrix.values();
    meet(thread, args, ty.scope);
    give(thread, args, Matrix::of(ty, values));
}

/// Memory, offset, stride, layout: a matrix in group-shared memory, in bytes from an address.
fn places(call: &Typed, args: &Args<'_>, first: usize, encoding: Encoding, ty: MatrixType) -> impl Fn(u32, u32) -> u64 + use<> {
    let each = u64::from(encoding.bytes());
    let (address, offset) = (args.bits(call.slot(first)), u64::from(call.u32(args, args_after(first))));
    let (stride, layout) = (u64::from(call.u32(args, args_after(first) + 1)), call.u32(args, args_after(first) + 2));
    let steps = steps(layout.into(), stride * each, ty.rows, ty.columns, encoding.bytes());
    move |r, c| address.wrapping_add(offset * each + u64::from(r) * steps.row + u64::from(c) * steps.column)
}

/// The parameter of the offset that follows memory.
fn args_after(memory: usize) -> usize {
    memory + 1
}

fn load_shared(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(ty) = call.matrix() else { return };
    let to = encoding(ty);
    let place = places(&call, args, 0, to, ty);
    meet(thread, args, ty.scope);
    let mut values = Vec::with_capacity(ty.rows as usize * ty.columns as usize);
    for (r, c) in (0..ty.rows).flat_map(|r| (0..ty.columns).map(move |c| (r, c))) {
        let bits = shared::read(thread, place(r, c), to.bytes());
        if bits.is_none() {
            outside_of_group(thread, args);
        }
        values.push(bits.unwrap_or(0));
    }
    meet(thread, args, ty.scope);
    give(thread, args, Matrix::of(ty, values));
}

fn outside_of_group(thread: &Thread<'_>, args: &Args<'_>) {
    thread.misuse("bounds", args.shape.site, || "a matrix that is not inside of groupshared memory".to_string());
}

/// Matrix, buffer, offset, stride, layout, alignment.
fn store(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(from) = call.given(thread, args, 0) else { return };
    let (offset, steps) = (call.u32(args, 2), steps_at(&call, args, 3, from.ty));
    let Some(view) = bytes_at(thread, args, call.slot(1)) else { return };
    if !meet(thread, args, from.ty.scope) {
        return;
    }
    check(thread, args, &view, offset, steps, from.ty);
    for (r, c, at) in all(from.ty, offset, steps) {
        view.set_bits(at, from.encoding().bytes(), from.bits(r, c));
    }
}

/// Rows, columns and addresses of the components of a matrix in a buffer.
fn all(ty: MatrixType, offset: u32, steps: Steps) -> impl Iterator<Item = (u32, u32, u64)> {
    (0..ty.rows)
        .flat_map(move |r| (0..ty.columns).map(move |c| (r, c)))
        .map(move |(r, c)| (r, c, u64::from(offset) + u64::from(r) * steps.row + u64::from(c) * steps.column))
}

/// Matrix, memory, offset, stride, layout.
fn store_shared(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(from) = call.given(thread, args, 0) else { return };
    let place = places(&call, args, 1, from.encoding(), from.ty);
    if !meet(thread, args, from.ty.scope) {
        return;
    }
    for (r, c) in (0..from.ty.rows).flat_map(|r| (0..from.ty.columns).map(move |c| (r, c))) {
        if !shared::write(thread, place(r, c), from.encoding().bytes(), from.bits(r, c)) {
            outside_of_group(thread, args);
        }
    }
}

/// The row and column of a component of this thread's part.
fn component(thread: &Thread<'_>, ty: MatrixType, index: u32) -> Option<(u32, u32)> {
    let (count, own) = threads(thread, ty.scope);
    let n = u64::from(index) * u64::from(count) + u64::from(own);
    let columns = u64::from(ty.columns.max(1));
    (n < u64::from(ty.rows) * columns).then(|| ((n / columns) as u32, (n % columns) as u32))
}

/// Matrix.
fn length(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(&(Part::Matrix(ty), _)) = call.operands.params.first() else { return };
    let (count, own) = threads(thread, ty.scope);
    args.ret_u32(0, (ty.rows * ty.columns + count - 1 - own) / count.max(1));
}

/// Matrix, index.
fn coordinate(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(&(Part::Matrix(ty), _)) = call.operands.params.first() else { return };
    let index = call.u32(args, 1);
    let (r, c) = component(thread, ty, index).unwrap_or((u32::MAX, u32::MAX));
    args.ret_u32(0, r);
    args.ret_u32(1, c);
}

/// Matrix, index.
fn get(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(from) = call.given(thread, args, 0) else { return };
    let index = call.u32(args, 1);
    args.ret(0, component(thread, from.ty, index).map_or(0, |(r, c)| from.bits(r, c)));
}

/// Matrix, index, value.
fn set(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(from) = call.given(thread, args, 0) else { return };
    let (index, value) = (call.u32(args, 1), args.bits(call.slot(2)));
    let place = component(thread, from.ty, index).map_or(u64::MAX, |(r, c)| u64::from(r * from.ty.columns + c));
    let mut values = from.values();
    for (_, changed) in exchange(thread, args.shape, from.ty.scope, &[place, value]) {
        if let Some(v) = usize::try_from(changed[0]).ok().and_then(|n| values.get_mut(n)) {
            *v = changed[1];
        }
    }
    give(thread, args, Matrix::of(from.ty, values));
}

/// Matrices A, B and, if `add`, C.
fn multiply(thread: &mut Thread<'_>, args: &mut Args<'_>, add: bool) {
    let Some(call) = Typed::of(thread, args) else { return };
    let (Some(ty), Some(a), Some(b)) = (call.matrix(), call.given(thread, args, 0), call.given(thread, args, 1)) else { return };
    let c = if add { call.given(thread, args, 2) } else { None };
    let arithmetic = Arithmetic::of(&[Some(a.encoding()), Some(b.encoding()), Some(encoding(ty)), c.as_ref().map(|c| c.encoding())], &[]);
    let matrix = made(ty, |row, column| {
        let sum = arithmetic.dot(a.ty.columns, |k| (a.number(row, k), b.number(k, column)));
        c.as_ref().map_or(sum, |c| arithmetic.sum(sum, c.number(row, column)))
    });
    give(thread, args, matrix);
}

/// Two matrices, of which the first has the type of the result.
fn accumulate(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let (Some(ty), Some(a), Some(b)) = (call.matrix(), call.given(thread, args, 0), call.given(thread, args, 1)) else { return };
    let arithmetic = Arithmetic::of(&[Some(a.encoding()), Some(b.encoding())], &[]);
    give(thread, args, made(ty, |row, column| arithmetic.sum(a.number(row, column), b.number(row, column))));
}

/// Matrix, whether the result has a sign, vector, what its numbers are, and, if `add`, a vector that is added.
fn vector(thread: &mut Thread<'_>, args: &mut Args<'_>, add: bool) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(m) = call.given(thread, args, 0) else { return };
    let (signed, component) = (args.bool(call.slot(1)), call.u32(args, 3));
    let x = call.numbers(args, 2, component, m.ty.columns);
    let Part::Vector(lanes, scalar, is_float) = call.operands.result else { return };
    let out = of_scalar(scalar, is_float, signed);
    let bias: Option<Vec<Number>> = add.then(|| {
        let first = call.slot(4);
        (0..lanes as usize).map(|n| out.decode(args.bits(first + n))).collect()
    });
    let arithmetic = Arithmetic::of(&[Some(m.encoding()), encoding_of(component), Some(out)], &[]);
    let zero = Number::Int(0);
    for row in 0..lanes {
        let sum = arithmetic.dot(m.ty.columns, |k| (m.number(row, k), x.get(k as usize).copied().unwrap_or(zero)));
        let sum = bias.as_ref().map_or(sum, |b| arithmetic.sum(sum, b[row as usize]));
        args.ret(row as usize, out.encode(sum));
    }
}

/// Adds to a number of a buffer, atomically.
fn add_atomically(view: &BufferView<'_>, at: u64, to: Encoding, n: Number) {
    let arithmetic = Arithmetic::of(&[Some(to)], &[]);
    view.update(at, to.bytes(), |old| added(arithmetic, to, old, n));
}

/// A number of memory with another one added.
fn added(arithmetic: Arithmetic, to: Encoding, old: u64, n: Number) -> u64 {
    match arithmetic.sum(to.decode(old), n) {
        // Integers wrap around, as those of other atomic operations do.
        Number::Int(sum) => sum as u64 & (u64::MAX >> (64 - to.bits())),
        sum => to.encode(sum),
    }
}

/// Matrix, buffer, offset, stride, layout, alignment.
fn add_to(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(from) = call.given(thread, args, 0) else { return };
    let (offset, steps) = (call.u32(args, 2), steps_at(&call, args, 3, from.ty));
    let Some(view) = bytes_at(thread, args, call.slot(1)) else { return };
    if !meet(thread, args, from.ty.scope) {
        return;
    }
    check(thread, args, &view, offset, steps, from.ty);
    for (r, c, at) in all(from.ty, offset, steps) {
        add_atomically(&view, at, from.encoding(), from.number(r, c));
    }
}

/// Matrix, memory, what its numbers are, offset, stride, layout.
fn add_to_shared(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(from) = call.given(thread, args, 0) else { return };
    let to = encoding_of(call.u32(args, 2)).unwrap_or(from.encoding());
    let each = u64::from(to.bytes());
    let (address, offset) = (args.bits(call.slot(1)), u64::from(call.u32(args, 3)));
    let (stride, layout) = (u64::from(call.u32(args, 4)), call.u32(args, 5));
    let steps = steps(layout.into(), stride * each, from.ty.rows, from.ty.columns, to.bytes());
    if !meet(thread, args, from.ty.scope) {
        return;
    }
    let arithmetic = Arithmetic::of(&[Some(to)], &[]);
    for (r, c, at) in all(from.ty, 0, steps) {
        let at = address.wrapping_add(offset * each + at);
        let n = to.decode(to.encode(from.number(r, c)));
        let old = shared::read(thread, at, to.bytes());
        if !old.is_some_and(|old| shared::write(thread, at, to.bytes(), added(arithmetic, to, old, n))) {
            outside_of_group(thread, args);
        }
    }
}

/// Two vectors.
fn outer(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(ty) = call.matrix() else { return };
    let of = |param: usize, count: u32| {
        let Some(&(Part::Vector(lanes, scalar, is_float), _)) = call.operands.params.get(param) else { return Vec::new() };
        if lanes < count {
            return call.numbers(args, param, ty.component, count);
        }
        // Numbers of the vectors' own type.
        let own = of_scalar(scalar, is_float, encoding(ty).is_signed());
        let first = call.slot(param);
        (0..count as usize).map(|n| own.decode(args.bits(first + n))).collect()
    };
    let (a, b) = (of(0, ty.rows), of(1, ty.columns));
    give(thread, args, Matrix::products(ty, a, b));
}

/// Vector, what its numbers are, what those of the result are.
fn convert(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let (from, to) = (call.u32(args, 1), call.u32(args, 2));
    let (Some(encoding), Part::Vector(lanes, ..)) = (encoding_of(to), call.operands.result) else { return };
    let numbers = call.numbers(args, 0, from, call.count(0, from));
    let each = per_scalar(to);
    for n in 0..lanes {
        let own = numbers.iter().skip((n * each) as usize).take(each as usize);
        let bits = own.enumerate().fold(0, |word, (i, &x)| word | encoding.encode(x) << (i as u32 * encoding.bits()));
        args.ret(n as usize, bits);
    }
}

/// Buffer, offset, alignment, vector.
fn vector_add_to(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let Some(call) = Typed::of(thread, args) else { return };
    let Some(&(Part::Vector(lanes, scalar, is_float), first)) = call.operands.params.get(3) else { return };
    let own = of_scalar(scalar, is_float, true);
    let offset = call.u32(args, 1);
    let Some(view) = bytes_at(thread, args, call.slot(0)) else { return };
    check(thread, args, &view, offset, Steps { row: 0, column: own.bytes().into() }, row_of(own, lanes));
    for n in 0..lanes {
        let at = u64::from(offset) + u64::from(n * own.bytes());
        add_atomically(&view, at, own, own.decode(args.bits(usize::from(first) + n as usize)));
    }
}

/// A vector as a matrix of one row.
fn row_of(encoding: Encoding, columns: u32) -> MatrixType {
    let component = (0..24).find(|&n| encoding_of(n) == Some(encoding)).unwrap_or(9);
    MatrixType { component, rows: 1, columns, use_: USE_A, scope: SCOPE_THREAD }
}

/// The types of a call, as parts of [`rtc_tables::linalg::rules`]: a type of DXIL with its name.
pub fn part(scalar: Scalar, lanes: u16) -> Part {
    let (name, is_float) = match scalar {
        Scalar::F16 => ("f16", true),
        Scalar::F32 => ("f32", true),
        Scalar::F64 => ("f64", true),
        Scalar::I16 => ("i16", false),
        Scalar::I64 => ("i64", false),
        Scalar::I1 => ("i1", false),
        _ => ("i32", false),
    };
    Part::Vector(u32::from(lanes).max(1), name, is_float)
}
