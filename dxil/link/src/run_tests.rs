//! Differential tests: runs random programs before and after inlining, mem2reg and clean-up, and compares the results.

use rustc_hash::FxHashMap;

use super::tests::Random;
use super::{cse, inline, mem2reg};
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{BinOp, Block, Builder, CmpPred, Func, Inst, Module, Op, Value};

/// Runs a function of integers and pointers to them. None when it takes too long or reads what was never written.
struct Machine<'m> {
    m: &'m Module,
    memory: Vec<Option<i32>>,
    steps: u32,
}

impl Machine<'_> {
    fn call(&mut self, func: Func, args: &[i32]) -> Option<i32> {
        let body = self.m.funcs[func].body.as_ref()?;
        let mut values: FxHashMap<Inst, i32> = FxHashMap::default();
        let (mut block, mut from) = (Block::number(0), None);
        loop {
            let get = |values: &FxHashMap<Inst, i32>, v: Value| match v {
                Value::Arg(n) => args.get(n as usize).copied(),
                Value::Inst(i) => values.get(&i).copied(),
                v => self.m.int_of(v).map(|n| n as i32),
            };
            let mut next = None;
            // Phis are read all at once.
            let mut phis = Vec::new();
            for &i in &body.blocks[block] {
                if let Op::Phi(list) = body.insts[i].op {
                    let pair = body.values(list).chunks_exact(2).find(|p| Some(p[1]) == from.map(Value::Block))?;
                    phis.push((i, get(&values, pair[0])));
                }
            }
            for (i, v) in phis {
                if let Some(v) = v {
                    values.insert(i, v);
                } else {
                    values.remove(&i);
                }
            }
            for &i in &body.blocks[block] {
                self.steps = self.steps.checked_sub(1)?;
                let v = |v: Value| get(&values, v);
                let result = match body.insts[i].op {
                    Op::Phi(_) => continue,
                    Op::Ret(value) => return value.map_or(Some(0), v),
                    Op::Br(to) => {
                        next = Some(to);
                        continue;
                    }
                    Op::CondBr { cond, then, other } => {
                        next = Some(if v(cond)? != 0 { then } else { other });
                        continue;
                    }
                    Op::Binary { op, lhs, rhs, .. } => {
                        let (a, b) = (v(lhs)?, v(rhs)?);
                        match op {
                            BinOp::Add => a.wrapping_add(b),
                            BinOp::Sub => a.wrapping_sub(b),
                            BinOp::Mul => a.wrapping_mul(b),
                            _ => a ^ b,
                        }
                    }
                    Op::Cmp { lhs, rhs, .. } => i32::from(v(lhs)? < v(rhs)?),
                    Op::Alloca { .. } => {
                        let at = self.memory.len();
                        self.memory.extend([None, None]);
                        at as i32
                    }
                    Op::Gep { operands, .. } => {
                        let ops = body.values(operands);
                        v(ops[0])? + ops.get(2).map_or(Some(0), |&o| v(o))?
                    }
                    Op::Load { ptr, .. } => match self.memory[v(ptr)? as usize] {
                        Some(value) => value,
                        None => continue,
                    },
                    Op::Store { ptr, value, .. } => {
                        let at = v(ptr)? as usize;
                        self.memory[at] = v(value);
                        continue;
                    }
                    Op::Call { callee: Value::Func(f), args, .. } => {
                        let given: Option<Vec<i32>> = body.values(args).iter().map(|&a| v(a)).collect();
                        let given = given?;
                        self.call(f, &given)?
                    }
                    ref op => panic!("{op:?}"),
                };
                values.insert(i, result);
            }
            from = Some(block);
            block = next?;
        }
    }
}

/// Writes statements of a random program.
struct Writer<'r> {
    random: &'r mut Random,
    funcs: Vec<Func>,
    left: u32,
}

/// Where an integer is kept: a pointer, or a structure and a field of it.
#[derive(Clone, Copy)]
enum Address {
    Ptr(Value),
    Field(Value, i32),
}

impl Writer<'_> {
    fn ptr(&self, b: &mut Builder, address: Address) -> Value {
        match address {
            Address::Ptr(p) => p,
            Address::Field(s, n) => {
                let path = [b.module.i32(0), b.module.i32(n)];
                b.gep(true, s, &path)
            }
        }
    }

    fn some(&mut self, addresses: &[Address]) -> Address {
        addresses[self.random.below(addresses.len())]
    }

    fn read(&mut self, b: &mut Builder, addresses: &[Address]) -> Value {
        if self.random.below(4) == 0 {
            return b.module.i32(self.random.below(9) as i32);
        }
        let address = self.some(addresses);
        let ptr = self.ptr(b, address);
        b.load(ptr, 4)
    }

    fn write(&mut self, b: &mut Builder, addresses: &[Address], value: Value) {
        let address = self.some(addresses);
        let ptr = self.ptr(b, address);
        b.store(value, ptr, 4);
    }

    fn statements(&mut self, b: &mut Builder, addresses: &[Address], depth: u32) {
        for _ in 0..1 + self.random.below(4) {
            if self.left == 0 || b.is_terminated() {
                return;
            }
            self.left -= 1;
            match self.random.below(if depth < 3 { 9 } else { 5 }) {
                0..=2 => {
                    let (x, y) = (self.read(b, addresses), self.read(b, addresses));
                    let op = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Xor][self.random.below(4)];
                    let value = b.binary(op, x, y, 0);
                    self.write(b, addresses, value);
                }
                3 | 4 if !self.funcs.is_empty() => {
                    let f = self.funcs[self.random.below(self.funcs.len())];
                    let value = self.read(b, addresses);
                    let address = self.some(addresses);
                    let by_reference = self.ptr(b, address);
                    let result = b.call(f, &[value, by_reference]);
                    self.write(b, addresses, result);
                }
                5 | 6 => {
                    let (x, y) = (self.read(b, addresses), self.read(b, addresses));
                    let cond = b.cmp(CmpPred::ISlt, x, y, 0);
                    let (then, other, after) = (b.new_block(), b.new_block(), b.new_block());
                    b.cond_br(cond, then, other);
                    for block in [then, other] {
                        b.switch_to(block);
                        self.statements(b, addresses, depth + 1);
                        if !b.is_terminated() && self.random.below(8) == 0 {
                            let value = self.read(b, addresses);
                            b.ret(Some(value));
                        }
                        if !b.is_terminated() {
                            b.br(after);
                        }
                    }
                    b.switch_to(after);
                }
                7 => {
                    let (before, head, inside, after) = (b.block(), b.new_block(), b.new_block(), b.new_block());
                    let (zero, one, three) = (b.module.i32(0), b.module.i32(1), b.module.i32(3));
                    let ty = b.module.types.i32();
                    b.br(head);
                    b.switch_to(head);
                    let count = b.phi(ty, &[(zero, before)]);
                    let more = b.cmp(CmpPred::ISlt, Value::Inst(count), three, 0);
                    b.cond_br(more, inside, after);
                    b.switch_to(inside);
                    self.statements(b, addresses, depth + 1);
                    if !b.is_terminated() {
                        let next = b.binary(BinOp::Add, Value::Inst(count), one, 0);
                        let end = b.block();
                        b.br(head);
                        b.body().add_incoming(count, next, end);
                    }
                    b.switch_to(after);
                }
                _ => {}
            }
        }
    }
}

fn program(random: &mut Random) -> Module {
    let mut m = Module::new();
    let i32_ty = m.types.i32();
    let ptr = m.types.ptr(i32_ty);
    let pair = m.types.anon_struct(&[i32_ty, i32_ty]);
    let ty = m.types.function(i32_ty, &[i32_ty, ptr]);
    let mut funcs = Vec::new();
    for n in 0..2 + random.below(4) {
        let func = m.add_function(&format!("f{n}"), ty);
        let mut b = m.define(func);
        let (x, s) = (b.alloca(i32_ty, 4), b.alloca(pair, 4));
        let mut addresses = vec![Address::Ptr(x), Address::Field(s, 0), Address::Field(s, 1), Address::Ptr(Value::Arg(1))];
        let mut w = Writer { random, funcs: funcs.clone(), left: 40 };
        for &address in &addresses[..3] {
            let at = w.ptr(&mut b, address);
            b.store(Value::Arg(0), at, 4);
        }
        if w.random.below(2) == 0 {
            addresses.remove(2);
        }
        w.statements(&mut b, &addresses, 0);
        if !b.is_terminated() {
            let value = w.read(&mut b, &addresses);
            b.ret(Some(value));
        }
        funcs.push(func);
    }
    m
}

/// What every function returns and stores through its pointer, for some arguments.
fn results(m: &Module) -> Vec<Option<(i32, Option<i32>)>> {
    let mut out = Vec::new();
    for (func, _) in m.funcs.iter() {
        for x in [-3, 0, 1, 7] {
            let mut machine = Machine { m, memory: vec![Some(5), None], steps: 50_000 };
            let result = machine.call(func, &[x, 0]);
            out.push(result.map(|r| (r, machine.memory[0])));
        }
    }
    out
}

#[test]
fn random_programs_do_the_same() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut compared, mut loads) = (0, (0, 0));
    for n in 0..60 {
        let mut m = program(&mut random);
        let before = results(&m);
        let count = |m: &Module| {
            m.funcs
                .values()
                .filter_map(|f| f.body.as_ref())
                .flat_map(|b| b.blocks.values().flatten().map(|&i| b.insts[i].op).collect::<Vec<_>>())
                .filter(|o| matches!(o, Op::Load { .. }))
                .count()
        };
        inline::inline(&mut m, |_, _| true).unwrap_or_else(|e| panic!("{n}: {e:?}"));
        for f in m.funcs.values() {
            let body = f.body.as_ref().unwrap();
            assert!(inline::calls(&m, body).is_empty(), "{n}: a call is left");
        }
        assert_eq!(results(&m), before, "program {n} inlined");
        loads.0 += count(&m);
        let funcs: Vec<Func> = m.funcs.keys().collect();
        funcs.into_iter().for_each(|f| mem2reg::promote(&mut m, f));
        loads.1 += count(&m);
        assert_eq!(results(&m), before, "program {n} without memory");
        let funcs: Vec<Func> = m.funcs.keys().collect();
        funcs.into_iter().for_each(|f| cse::eliminate(&mut m, f));
        assert_eq!(results(&m), before, "program {n} tidied");
        let again = bitcode::read(&bitcode::write(&m)).unwrap_or_else(|e| panic!("{n}: {e}"));
        assert_eq!(results(&again), before, "program {n} written and read");
        compared += before.iter().filter(|r| r.is_some()).count();
    }
    assert!(compared > 400, "{compared}");
    assert!(loads.1 * 2 < loads.0, "{loads:?}: memory is left");
}
