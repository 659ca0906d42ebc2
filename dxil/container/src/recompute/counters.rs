//! Instruction counts of a module, which reflection reports (`dx.counters` in the part `STAT`).
//!
//! The counts are static: each instruction counts once. Arrays are looked at by what an address begins at: a
//! variable of a function, a static one, a groupshared one.

use rtc_tables::dxil_ops::counters::{self, Counter, NAMES};
use rustc_hash::FxHashMap;

use crate::recompute::layout::Sizes;
use rtc_dxil_module::{BinOp, Body, CastOp, Const, ConstKind, GROUPSHARED, Global, Inst, Linkage, Meta, Module, Op, Type, TypeKind, Value};

/// Where an array lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Room {
    Local,
    Static,
    Shared,
}

impl Room {
    fn bytes(self) -> Counter {
        [Counter::ArrayLocalBytes, Counter::ArrayStaticBytes, Counter::ArraySharedBytes][self as usize]
    }

    fn accesses(self) -> Counter {
        [Counter::ArrayLocalAccesses, Counter::ArrayStaticAccesses, Counter::ArraySharedAccesses][self as usize]
    }
}

struct Counters<'m> {
    m: &'m Module,
    counts: [u32; NAMES.len()],
    sizes: Sizes,
    consts: FxHashMap<Const, Option<Room>>,
}

/// Addresses of addresses: how far to look for a variable.
const FAR: u32 = 64;

impl Counters<'_> {
    fn add(&mut self, counter: Counter, n: u64) {
        let sum = &mut self.counts[counter as usize];
        *sum = sum.wrapping_add(n as u32);
    }

    fn is_array(&self, ty: Type) -> bool {
        matches!(self.m.types[ty], TypeKind::Array { .. })
    }

    fn variable(&self, global: Global) -> Option<Room> {
        let g = &self.m.globals[global];
        match (g.space, g.linkage) {
            _ if !self.is_array(g.ty) => None,
            (GROUPSHARED, _) => Some(Room::Shared),
            (0, Linkage::Internal) if !g.constant => Some(Room::Static),
            _ => None,
        }
    }

    /// The array that an address leads into.
    fn room(&mut self, body: &Body, address: Value) -> Option<Room> {
        let (mut at, mut passed) = (address, Vec::new());
        let mut found = None;
        for _ in 0..FAR {
            let next = match at {
                Value::Global(g) => {
                    found = self.variable(g);
                    None
                }
                Value::Const(c) => match self.consts.get(&c) {
                    Some(&known) => {
                        found = known;
                        None
                    }
                    None => {
                        passed.push(c);
                        match &self.m.consts[c].kind {
                            ConstKind::Gep { operands, .. } => operands.first().copied(),
                            ConstKind::Cast { op: CastOp::BitCast, value } => Some(*value),
                            _ => None,
                        }
                    }
                },
                Value::Inst(i) => match body.insts[i].op {
                    Op::Alloca { allocated, .. } => {
                        found = self.is_array(allocated).then_some(Room::Local);
                        None
                    }
                    Op::Gep { operands, .. } => body.values(operands).first().copied(),
                    Op::Cast { op: CastOp::BitCast | CastOp::AddrSpaceCast, value } => Some(value),
                    _ => None,
                },
                _ => None,
            };
            let Some(next) = next else { break };
            at = next;
        }
        self.consts.extend(passed.into_iter().map(|c| (c, found)));
        found
    }

    fn instruction(&mut self, body: &Body, inst: Inst) {
        self.add(Counter::Insts, 1);
        match body.insts[inst].op {
            Op::Alloca { allocated, .. } if self.is_array(allocated) => {
                let size = self.sizes.of(self.m, allocated).unwrap_or(0);
                self.add(Room::Local.bytes(), size);
            }
            Op::Call { callee: Value::Func(callee), args, .. } if self.m.is_dx_op(callee) => {
                let opcode = body.values(args).first().and_then(|&v| self.m.int_of(v));
                let mut set = opcode.map_or(0, |n| counters::of_operation(n as u32));
                while set != 0 {
                    let sum = &mut self.counts[set.trailing_zeros() as usize];
                    *sum = sum.wrapping_add(1);
                    set &= set - 1;
                }
            }
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => {
                if let Some(room) = self.room(body, ptr) {
                    self.add(room.accesses(), 1);
                }
            }
            Op::CondBr { .. } => self.add(Counter::Branches, 1),
            Op::AtomicRmw { .. } | Op::CmpXchg { .. } => self.add(Counter::Atomic, 1),
            Op::Fence { .. } => self.add(Counter::Fence, 1),
            Op::Cmp { pred, .. } => self.add(if pred.is_float() { Counter::Floats } else { Counter::Ints }, 1),
            Op::Binary { op, .. } => {
                use BinOp::*;
                let floats = self.m.types.is_float(self.m.types.scalar(body.insts[inst].ty));
                self.add(
                    match op {
                        _ if floats => Counter::Floats,
                        Add | Sub | Mul | SDiv | SRem | AShr => Counter::Ints,
                        UDiv | URem | Shl | LShr | And | Or | Xor => Counter::Uints,
                    },
                    1,
                );
            }
            Op::Cast { op, .. } => {
                use CastOp::*;
                match op {
                    FpToUi | FpToSi | UiToFp | SiToFp | FpTrunc | FpExt => self.add(Counter::Floats, 1),
                    Trunc | SExt => self.add(Counter::Ints, 1),
                    ZExt => self.add(Counter::Uints, 1),
                    PtrToInt | IntToPtr | BitCast | AddrSpaceCast => {}
                }
            }
            _ => {}
        }
    }
}

/// Counts: names and numbers, those that are not zero, in the order of the names.
pub fn count(m: &Module) -> impl Iterator<Item = (&'static str, u32)> {
    let (counts, sizes, consts) = ([0; NAMES.len()], Sizes::default(), FxHashMap::default());
    let mut all = Counters { m, counts, sizes, consts };
    for (global, g) in m.globals.iter() {
        if let Some(room) = all.variable(global) {
            let size = all.sizes.of(m, g.ty).unwrap_or(0);
            all.add(room.bytes(), size);
        }
    }
    for body in m.funcs.values().filter_map(|f| f.body.as_ref()) {
        for &inst in body.blocks.values().flatten() {
            all.instruction(body, inst);
        }
    }
    NAMES.into_iter().zip(all.counts).filter(|c| c.1 != 0)
}

/// Writes what [`count`] found into the metadata of a module.
pub fn write(m: &mut Module, counts: impl Iterator<Item = (&'static str, u32)>) {
    let list: Vec<Option<Meta>> = counts.flat_map(|(name, n)| [Some(m.meta.string(name)), Some(m.meta_i32(n as i32))]).collect();
    if !list.is_empty() {
        let node = m.meta.node(&list);
        m.meta.add_named("dx.counters", node);
    }
}

#[cfg(test)]
mod tests {
    use crate::program::Program;
    use crate::{Container, FourCc};
    use rtc_dxil_module::bitcode;
    use rtc_dxil_module::{Meta, Module};
    use rtc_dxil_testing::corpus;

    fn module(container: &Container, name: FourCc) -> Option<Module> {
        let program = Program::read("a program", &container.part(name)?.data).ok()?;
        bitcode::read(program.bitcode).ok()
    }

    /// What reflection says.
    fn said(m: &Module) -> Vec<(String, i64)> {
        let Some(&node) = m.meta.named("dx.counters").first() else { return Vec::new() };
        let text = |n: Meta| String::from_utf8_lossy(m.meta.bytes(n).unwrap_or_default()).into_owned();
        let pairs = m.meta.elems(node).chunks_exact(2);
        pairs.map(|p| (text(p[0].expect("a name")), m.meta_int(p[1].expect("a number")).expect("a number"))).collect()
    }

    /// In containers of any compiler, reflection says what is counted in the code.
    #[test]
    fn counters_are_those_of_the_code() {
        let more: Vec<Vec<u8>> = match std::env::var_os("RTC_CONTAINERS") {
            Some(folder) => {
                let files = std::fs::read_dir(folder).expect("a folder").map(|f| f.expect("an entry").path());
                files.filter(|f| f.extension().is_some_and(|e| e == "dxil")).map(|f| std::fs::read(f).expect("a file")).collect()
            }
            None => Vec::new(),
        };
        let (mut compared, mut wrong) = (0, String::new());
        for bytes in corpus::ALL.iter().map(|c| c.1).chain(more.iter().map(Vec::as_slice)) {
            let Ok(container) = Container::parse(bytes) else { continue };
            let (Some(code), Some(stat)) = (module(&container, FourCc::DXIL), module(&container, FourCc::STAT)) else { continue };
            let said = said(&stat);
            // With debug information the reference counts the debug intrinsics of variables too.
            if said.is_empty() || container.part(FourCc::ILDB).is_some() {
                continue;
            }
            compared += 1;
            let made: Vec<(String, i64)> = super::count(&code).map(|(name, n)| (name.to_owned(), n.into())).collect();
            if made != said {
                wrong += &format!("{said:?}\n{made:?}\n\n");
            }
        }
        assert!(wrong.is_empty() && compared > 5, "{compared}\n{wrong}");
    }
}
