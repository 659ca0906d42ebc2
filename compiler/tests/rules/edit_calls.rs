//! Edits of calls: arguments, and the properties of the resource of a handle.

use super::edit::Edit;
use rtc_dxil_module::{ConstKind, Func, Inst, Op, Type, Value};
use rtc_tables::dxil_ops::DxilOp;

impl Edit {
    /// Argument `n` of the first call of an operation.
    pub fn arg(&mut self, op: &str, n: usize) -> Value {
        let (func, inst) = self.call(op);
        let Op::Call { args, .. } = *self.op((func, inst)) else { panic!("no call") };
        self.body(func).values(args)[n]
    }

    /// Gives argument `n` of the first call of an operation another value.
    pub fn give(&mut self, op: &str, n: usize, value: Value) {
        let at = self.call(op);
        self.set_arg(at, n, value);
    }

    /// Makes argument `n` of the first call of an operation undefined.
    pub fn undefine(&mut self, op: &str, n: usize) {
        let old = self.arg(op, n);
        let func = self.call(op).0;
        let ty = self.m.value_type(Some(func), old).expect("a typed argument");
        let undef = self.m.undef(ty);
        self.give(op, n, undef);
    }

    /// Makes argument `n` of the first call of an operation an `i32`.
    pub fn give_i32(&mut self, op: &str, n: usize, value: i32) {
        let value = self.m.i32(value);
        self.give(op, n, value);
    }

    /// Makes argument `n` of the first call of an operation an `i8`.
    pub fn give_i8(&mut self, op: &str, n: usize, value: i8) {
        let value = self.m.i8(value);
        self.give(op, n, value);
    }

    /// Makes argument `n` of the first call of an operation a `float`.
    pub fn give_f32(&mut self, op: &str, n: usize, value: f32) {
        let value = self.m.f32(value);
        self.give(op, n, value);
    }

    /// Changes the two words of properties of the handle that is argument `n` of the first call of an operation.
    pub fn properties(&mut self, op: &str, n: usize, change: impl Fn([i64; 2]) -> [i64; 2]) {
        let func = self.call(op).0;
        let Value::Inst(handle) = self.arg(op, n) else { panic!("no handle") };
        let Op::Call { args, .. } = *self.op((func, handle)) else { panic!("no call") };
        let old = self.body(func).values(args)[2];
        let Value::Const(c) = old else { panic!("no properties") };
        let ty = self.m.consts[c].ty;
        let ConstKind::Aggregate(words) = &self.m.consts[c].kind else { panic!("no properties") };
        let word = |v: Value| match v {
            Value::Const(c) => match self.m.consts[c].kind {
                ConstKind::Int(n) => n,
                _ => panic!("no number"),
            },
            _ => panic!("no constant"),
        };
        let new = change([word(words[0]), word(words[1])]);
        let words = new.map(|n| self.m.i32(n as i32));
        let new = self.m.aggregate(ty, &words);
        self.set_arg((func, handle), 2, new);
    }

    /// Changes the kind of the resource whose handle is argument `n` of the first call of an operation.
    pub fn kind(&mut self, op: &str, n: usize, kind: i64) {
        self.properties(op, n, |[basic, detail]| [basic & !0xFF | kind, detail]);
    }

    /// Flips bits of the first word of properties of argument `n` of the first call of an operation.
    pub fn flip(&mut self, op: &str, n: usize, bits: i64) {
        self.properties(op, n, |[basic, detail]| [basic ^ bits, detail]);
    }

    /// Calls an operation by a function with this name and these types, at the end of the entry.
    pub fn insert_call(&mut self, op: &str, name: &str, result: Type, args: &[Value]) -> (Func, Inst) {
        let func = self.main();
        let opcode = self.m.i32(DxilOp::by_name(op).expect("an operation").opcode.number() as i32);
        let all: Vec<Value> = [opcode].into_iter().chain(args.iter().copied()).collect();
        let params: Vec<Type> = all.iter().map(|&v| self.m.value_type(Some(func), v).expect("a type")).collect();
        let ty = self.m.types.function(result, &params);
        let callee = self.m.find_function(name).unwrap_or_else(|| self.m.add_function(name, ty));
        let args = self.body(func).list(&all);
        let call = Op::Call { callee: Value::Func(callee), ty, attrs: None.into(), args, cc: 0, tail: Default::default() };
        (func, self.insert(func, result, call))
    }
}
