//! Random programs with variables of structures, arrays and vectors do the same when these are split.
//!
//! A program is one block: it stores and loads parts of variables at constant and computed places, whole ones too, and seen as arrays or vectors of as many
//! numbers. It runs in an interpreter whose memory has a cell for each scalar, before and after.

use super::Random;
use crate::{cse, mem2reg, memory, scalars};
use rtc_dxil_module::{BinOp, Builder, CastOp, CmpPred, ConstKind, Func, Inst, Module, Op, Type, TypeKind, Value};
use rustc_hash::FxHashMap;

/// A value: its scalars.
type Cells = Vec<i64>;

/// How many scalars a type has.
fn cells(m: &Module, ty: Type) -> usize {
    match m.types[ty] {
        TypeKind::Vector { elem, len } => len as usize * cells(m, elem),
        TypeKind::Array { elem, len } => len as usize * cells(m, elem),
        TypeKind::Named { .. } | TypeKind::Struct(_) => m.types.fields(ty).map_or(0, |f| f.types.iter().map(|&f| cells(m, f)).sum()),
        _ => 1,
    }
}

/// The first scalar of element `n`, and the type of the element.
fn element(m: &Module, ty: Type, n: i64) -> (usize, Type) {
    let elem = m.types.element(ty, n as u64).expect("an aggregate");
    let before = match m.types.fields(ty) {
        Some(f) => f.types[..n as usize].iter().map(|&f| cells(m, f)).sum(),
        None => n as usize * cells(m, elem),
    };
    (before, elem)
}

fn constant(m: &Module, v: Value) -> Cells {
    let Value::Const(c) = v else { panic!("{v:?} is no constant") };
    let ty = m.consts[c].ty;
    match &m.consts[c].kind {
        ConstKind::Int(n) if m.types[ty] == TypeKind::Int(1) => vec![n & 1],
        ConstKind::Int(n) => vec![*n],
        ConstKind::Undef | ConstKind::Null => vec![0; cells(m, ty)],
        ConstKind::Aggregate(all) => all.iter().flat_map(|&v| constant(m, v)).collect(),
        ConstKind::Data(bits) => bits.iter().map(|&b| i64::from(b as u32 as i32)).collect(),
        kind => panic!("{kind:?}"),
    }
}

/// What a function of one block returns.
pub fn run(m: &Module, func: Func, args: &[i64]) -> i64 {
    let body = m.funcs[func].body.as_ref().expect("it has code");
    let (mut memory, mut values): (Cells, FxHashMap<Inst, Cells>) = Default::default();
    for &i in body.blocks.values().flatten() {
        let ty = body.insts[i].ty;
        let get = |v: Value| match v {
            Value::Arg(n) => vec![args[n as usize]],
            Value::Inst(i) => values[&i].clone(),
            v => constant(m, v),
        };
        let one = |v: Value| get(v)[0];
        // The scalars that a path leads to.
        let at = |v: Value, path: &[u32]| {
            let (mut from, mut ty) = (
                0,
                match v {
                    Value::Inst(i) => body.insts[i].ty,
                    v => m.value_type(None, v).expect("a constant"),
                },
            );
            for &n in path {
                let (before, elem) = element(m, ty, n.into());
                (from, ty) = (from + before, elem);
            }
            from..from + cells(m, ty)
        };
        let result = match body.insts[i].op {
            Op::Ret(v) => return one(v.expect("a result")),
            Op::Alloca { allocated, .. } => {
                let at = memory.len();
                memory.resize(at + cells(m, allocated), 0);
                vec![at as i64]
            }
            Op::Gep { source, operands, .. } => {
                let operands: Vec<i64> = body.values(operands).iter().map(|&v| one(v)).collect();
                let (mut at, mut ty) = (operands[0] + operands[1] * cells(m, source) as i64, source);
                for &n in &operands[2..] {
                    let (before, elem) = element(m, ty, n);
                    (at, ty) = (at + before as i64, elem);
                }
                vec![at]
            }
            Op::Load { ptr, .. } => {
                let at = one(ptr) as usize;
                let loaded = memory[at..at + cells(m, ty)].to_vec();
                if m.types[ty] == TypeKind::Int(1) { vec![i64::from(loaded[0] != 0)] } else { loaded }
            }
            Op::Store { ptr, value, .. } => {
                let (at, value) = (one(ptr) as usize, get(value));
                memory[at..at + value.len()].copy_from_slice(&value);
                continue;
            }
            Op::Binary { op, lhs, rhs, .. } => {
                let (a, b) = (one(lhs) as i32, one(rhs) as i32);
                vec![i64::from(match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Mul => a.wrapping_mul(b),
                    _ => a ^ b,
                })]
            }
            Op::Cmp { pred: CmpPred::INe, lhs, rhs, .. } => vec![i64::from(one(lhs) != one(rhs))],
            Op::Cmp { lhs, rhs, .. } => vec![i64::from(one(lhs) < one(rhs))],
            Op::Cast { value, .. } => get(value),
            Op::ExtractElement { vector, index } => vec![get(vector)[one(index) as usize]],
            Op::InsertElement { vector, value, index } => {
                let (mut all, n) = (get(vector), one(index) as usize);
                all[n] = one(value);
                all
            }
            Op::ExtractValue { value, path } => get(value)[at(value, body.path(path))].to_vec(),
            Op::InsertValue { value, field, path } => {
                let mut all = get(value);
                all[at(value, body.path(path))].copy_from_slice(&get(field));
                all
            }
            ref op => panic!("{op:?}"),
        };
        values.insert(i, result);
    }
    panic!("the block has no end")
}

struct Writer<'r, 'b> {
    random: &'r mut Random,
    b: Builder<'b>,
    /// What is returned: a number that every loaded scalar changes.
    sum: Value,
}

fn random_type(random: &mut Random, m: &mut Module, depth: u32) -> Type {
    match random.below(if depth == 0 { 3 } else { 8 }) {
        0 => m.types.i32(),
        1 | 2 => {
            let int = m.types.i32();
            m.types.vector(int, 2 + random.below(3) as u32)
        }
        3 | 4 => {
            let elem = random_type(random, m, depth - 1);
            m.types.array(elem, 1 + random.below(3) as u64)
        }
        5 => m.types.i1(),
        _ => {
            let fields: Vec<Type> = (0..1 + random.below(3)).map(|_| random_type(random, m, depth - 1)).collect();
            let name = format!("struct.S{}", m.types.len());
            m.types.named_struct(&name, &fields)
        }
    }
}

/// Whether all scalars of a type are 32-bit integers.
fn plain(m: &Module, ty: Type) -> bool {
    match m.types[ty] {
        TypeKind::Int(bits) => bits == 32,
        TypeKind::Vector { .. } => true,
        TypeKind::Array { elem, .. } => plain(m, elem),
        _ => m.types.fields(ty).is_some_and(|f| f.types.iter().all(|&f| plain(m, f))),
    }
}

/// Whether all scalars of a type are of one.
fn uniform(m: &Module, ty: Type) -> bool {
    fn add(m: &Module, ty: Type, all: &mut Vec<Type>) {
        match (&m.types[ty], m.types.fields(ty)) {
            (TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. }, _) => add(m, *elem, all),
            (_, Some(fields)) => fields.types.iter().for_each(|&f| add(m, f, all)),
            _ => all.push(ty),
        }
    }
    let mut all = Vec::new();
    add(m, ty, &mut all);
    all.windows(2).all(|w| w[0] == w[1])
}

impl Writer<'_, '_> {
    /// An index below `len`: arguments are zero or one.
    fn index(&mut self, len: u64, constant: bool) -> Value {
        if constant || len < 2 || self.random.below(3) > 0 {
            return self.b.module.i32(self.random.below(len as usize) as i32);
        }
        let argument = Value::Arg(self.random.below(2) as u32);
        match self.random.below(len as usize - 1) {
            0 => argument,
            n => {
                let n = self.b.module.i32(n as i32);
                self.b.binary(BinOp::Add, argument, n, 0)
            }
        }
    }

    /// The address of a part of what `ptr`, to something of type `ty`, points to; the type of the part. At a computed place it has one type of scalars:
    /// no compiler loads or stores other structures whole there.
    fn part(&mut self, ptr: Value, ty: Type) -> (Value, Type) {
        let (mut ptr, mut ty, mut computed) = (ptr, ty, false);
        while computed && !uniform(self.b.module, ty) || self.random.below(5) > 0 {
            if plain(self.b.module, ty) && self.random.below(6) == 0 {
                let (int, count) = (self.b.module.types.i32(), cells(self.b.module, ty));
                let other = if self.random.below(2) == 0 && count > 1 {
                    self.b.module.types.vector(int, count as u32)
                } else {
                    self.b.module.types.array(int, count as u64)
                };
                let to = self.b.module.types.ptr(other);
                (ptr, ty) = (self.b.cast(CastOp::BitCast, ptr, to), other);
            }
            let mut path = vec![self.b.module.i32(0)];
            for _ in 0..1 + self.random.below(3) {
                let (len, constant) = match self.b.module.types[ty] {
                    TypeKind::Array { len, .. } => (len, false),
                    TypeKind::Vector { len, .. } => (len.into(), false),
                    _ => match self.b.module.types.fields(ty) {
                        Some(f) => (f.types.len() as u64, true),
                        None => break,
                    },
                };
                let index = self.index(len, constant);
                let n = self.b.module.int_of(index);
                computed |= n.is_none();
                let n = n.unwrap_or(0);
                ty = self.b.module.types.element(ty, n as u64).expect("an aggregate");
                path.push(index);
            }
            if path.len() == 1 {
                break;
            }
            ptr = self.b.gep(true, ptr, &path);
        }
        (ptr, ty)
    }

    fn number(&mut self) -> Value {
        let n = self.b.module.i32(1 + self.random.below(90) as i32);
        match self.random.below(3) {
            0 => n,
            1 => self.b.binary(BinOp::Add, Value::Arg(self.random.below(2) as u32), n, 0),
            _ => self.b.binary(BinOp::Mul, self.sum, n, 0),
        }
    }

    /// A value of a type, made of others or a constant.
    fn value(&mut self, ty: Type) -> Value {
        let vector = match self.b.module.types[ty] {
            TypeKind::Int(1) => {
                let (x, y) = (self.number(), self.number());
                return self.b.cmp(CmpPred::ISlt, x, y, 0);
            }
            TypeKind::Int(_) => return self.number(),
            TypeKind::Vector { .. } => true,
            _ => false,
        };
        let mut out = if self.random.below(4) == 0 { self.b.module.null(ty) } else { self.b.module.undef(ty) };
        for n in 0.. {
            let count = match self.b.module.types[ty] {
                TypeKind::Array { len, .. } => len,
                TypeKind::Vector { len, .. } => len.into(),
                _ => self.b.module.types.fields(ty).map_or(0, |f| f.types.len() as u64),
            };
            if n >= count {
                break;
            }
            let elem = self.b.module.types.element(ty, n).expect("an aggregate");
            let part = self.value(elem);
            out = if vector {
                let n = self.b.module.i32(n as i32);
                self.b.insert_element(out, part, n)
            } else {
                self.b.insert_value(out, part, n as u32)
            };
        }
        out
    }

    /// Adds the scalars of a value to the sum.
    fn add(&mut self, value: Value, ty: Type) {
        let count = match self.b.module.types[ty] {
            TypeKind::Int(bits) => {
                let int = self.b.module.types.i32();
                let value = if bits == 1 { self.b.cast(CastOp::ZExt, value, int) } else { value };
                let factor = self.b.module.i32(31);
                let product = self.b.binary(BinOp::Mul, self.sum, factor, 0);
                self.sum = self.b.binary(BinOp::Add, product, value, 0);
                return;
            }
            TypeKind::Array { len, .. } => len,
            TypeKind::Vector { len, .. } => len.into(),
            _ => self.b.module.types.fields(ty).map_or(0, |f| f.types.len() as u64),
        };
        for n in 0..count {
            let elem = self.b.module.types.element(ty, n).expect("an aggregate");
            let part = if matches!(self.b.module.types[ty], TypeKind::Vector { .. }) {
                let n = self.b.module.i32(n as i32);
                self.b.extract_element(value, n)
            } else {
                self.b.extract_value(value, n as u32)
            };
            self.add(part, elem);
        }
    }
}

fn program(random: &mut Random) -> (Module, Func) {
    let mut m = Module::new();
    let int = m.types.i32();
    let types: Vec<Type> = (0..3).map(|_| random_type(random, &mut m, 3)).collect();
    let ty = m.types.function(int, &[int, int]);
    let func = m.add_function("f", ty);
    let mut b = m.define(func);
    let variables: Vec<(Value, Type)> = types.iter().map(|&ty| (b.alloca(ty, 4), ty)).collect();
    let mut w = Writer { random, b, sum: Value::Arg(0) };
    for _ in 0..14 {
        let (variable, ty) = variables[w.random.below(3)];
        let (ptr, ty) = w.part(variable, ty);
        if w.random.below(2) == 0 {
            let value = w.value(ty);
            w.b.store(value, ptr, 4);
        } else {
            let value = w.b.load(ptr, 4);
            w.add(value, ty);
            // A copy to another place of that type.
            if let Some(&(other, _)) = variables.iter().find(|v| v.1 == ty && v.0 != ptr) {
                w.b.store(value, other, 4);
            }
        }
    }
    for &(ptr, ty) in &variables {
        let value = w.b.load(ptr, 4);
        w.add(value, ty);
    }
    let sum = w.sum;
    w.b.ret(Some(sum));
    (m, func)
}

#[test]
fn random_aggregates_do_the_same_when_they_are_split() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut whole, mut arrays) = (0, 0);
    for n in 0..400 {
        let (mut m, func) = program(&mut random);
        let vectors = random.below(2) == 0;
        let arguments = [[0, 0], [0, 1], [1, 0], [1, 1]];
        let expected = arguments.map(|a| run(&m, func, &a));
        memory::flatten(&mut m, func, vectors);
        assert_eq!(arguments.map(|a| run(&m, func, &a)), expected, "program {n}, {vectors}: variables");
        let body = m.funcs[func].body.as_ref().expect("it has code");
        for &i in body.blocks.values().flatten() {
            if let Op::Load { align, .. } | Op::Store { align, .. } | Op::Alloca { align, .. } = body.insts[i].op {
                assert_eq!(align, 4, "program {n}: all numbers have 32 bits");
            }
        }
        mem2reg::promote(&mut m, func);
        assert_eq!(arguments.map(|a| run(&m, func, &a)), expected, "program {n}, {vectors}: values");
        scalars::values(&mut m, func, vectors);
        assert_eq!(arguments.map(|a| run(&m, func, &a)), expected, "program {n}, {vectors}: scalars");
        let count = |m: &Module, what: &dyn Fn(&Module, &Op, Type) -> bool| {
            let body = m.funcs[func].body.as_ref().expect("it has code");
            body.blocks.values().flatten().map(|&i| &body.insts[i]).filter(|d| what(m, &d.op, d.ty)).count()
        };
        let vector = |m: &Module, _: &Op, ty: Type| matches!(m.types[ty], TypeKind::Vector { .. });
        whole += count(&m, &vector);
        assert!(vectors || count(&m, &vector) == 0, "program {n}");
        cse::eliminate(&mut m, func);
        assert_eq!(arguments.map(|a| run(&m, func, &a)), expected, "program {n}, {vectors}: once");
        assert!(!scalars::concerns(&m, func, vectors), "program {n}: something is left that a shader has not");
        arrays += count(&m, &|_, op, _| matches!(op, Op::Alloca { .. }));
    }
    // What is computed is looked up in memory; where vectors may be values they are some.
    assert!(arrays > 100 && whole > 100, "{arrays} arrays, {whole} vectors are left");
}

/// What is stored after the end of a variable, seen as something larger, is nowhere, and zero is loaded from there.
#[test]
fn there_is_nothing_after_the_end_of_a_variable() {
    let mut m = Module::new();
    let int = m.types.i32();
    let (two, three) = (m.types.array(int, 2), m.types.array(int, 3));
    let ty = m.types.function(int, &[int, int]);
    let func = m.add_function("f", ty);
    let mut b = m.define(func);
    let variable = b.alloca(two, 4);
    let to = b.module.types.ptr(three);
    let larger = b.cast(CastOp::BitCast, variable, to);
    let numbers = [1, 20, 300].map(|n| b.module.i32(n));
    let value = b.module.aggregate(three, &numbers);
    b.store(value, larger, 4);
    let loaded = b.load(larger, 4);
    let parts = [0, 1, 2].map(|n| b.extract_value(loaded, n));
    let sum = b.binary(BinOp::Add, parts[0], parts[1], 0);
    let sum = b.binary(BinOp::Add, sum, parts[2], 0);
    b.ret(Some(sum));
    memory::flatten(&mut m, func, false);
    assert_eq!(run(&m, func, &[0, 0]), 21);
}
