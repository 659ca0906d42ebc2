//! Global value numbering: values with the same number are equal, also in different functions of one dispatch.
//!
//! A value whose definition has no effect is numbered by its instruction and the numbers of its operands; any other gets a number of
//! its own. It is needed here because warnings come before `cse`, and because two shaders that run for one thread compute the same
//! address each for itself.

use rtc_base::SecondaryMap;
use rtc_ir::{Function, InstData, Module, Opcode, Value, ValueDef, effects};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Use-def chains longer than this are cut: the value gets a number of its own.
const MAX_DEPTH: u32 = 48;

/// The number of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ValueNumber {
    /// Equal for equal values.
    pub id: u32,
    /// The position in the text of the last operand, over the whole expression, that may differ between executions; 0: none.
    pub latest: u32,
    /// The same in all shaders that run for one thread of the dispatch.
    pub of_dispatch: bool,
}

/// The value numbers of a module, by expression.
#[derive(Default)]
pub(super) struct ValueTable {
    expressions: FxHashMap<Key, u32>,
    next: u32,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Const(u32, u64),
    Inst(Opcode, u32, u32, u32, SmallVec<[u32; 4]>),
}

/// The value numbers of one function.
pub(super) struct FunctionNumbering<'a> {
    pub m: &'a Module,
    pub f: &'a Function,
    /// The position of each instruction in the text, from 1 on.
    pub at: SecondaryMap<rtc_ir::Inst, u32>,
    done: FxHashMap<Value, ValueNumber>,
}

impl<'a> FunctionNumbering<'a> {
    pub fn new(m: &'a Module, f: &'a Function) -> Self {
        let mut at = SecondaryMap::new();
        at.resize(f.insts.len());
        let mut next = 1;
        f.for_each_inst(f.body, |_, i| {
            at[i] = next;
            next += 1;
        });
        FunctionNumbering { m, f, at, done: FxHashMap::default() }
    }

    /// The number of `v`.
    pub fn of(&mut self, all: &mut ValueTable, v: Value) -> ValueNumber {
        self.at_depth(all, v, 0)
    }

    fn at_depth(&mut self, all: &mut ValueTable, v: Value, depth: u32) -> ValueNumber {
        if let Some(&n) = self.done.get(&v) {
            return n;
        }
        let f = self.f;
        let n = match f.values[v].def {
            ValueDef::Const(bits) => ValueNumber { id: all.number(Key::Const(f.ty(v).as_u32(), bits)), latest: 0, of_dispatch: true },
            ValueDef::Result(d, result) if depth < MAX_DEPTH => self.result(all, d, result, depth),
            ValueDef::Result(d, _) => ValueNumber { id: all.fresh(), latest: self.at[d], of_dispatch: false },
            ValueDef::Param(r, _) => {
                let latest = f.regions[r].owner.map_or(0, |o| self.at[o] + 1);
                ValueNumber { id: all.fresh(), latest, of_dispatch: false }
            }
            ValueDef::Undef => ValueNumber { id: all.fresh(), latest: 0, of_dispatch: false },
        };
        self.done.insert(v, n);
        n
    }

    fn result(&mut self, all: &mut ValueTable, d: rtc_ir::Inst, result: u32, depth: u32) -> ValueNumber {
        let f = self.f;
        let only_itself = ValueNumber { latest: self.at[d], ..ValueNumber::default() };
        if f.owns_regions(d) || !effects::of_inst(self.m, f, d).is_pure() {
            return ValueNumber { id: all.fresh(), ..only_itself };
        }
        let (imm, of_dispatch) = match f.insts[d] {
            InstData::Resource { global, .. } => (global.as_u32(), true),
            InstData::Many { imm, .. } => (imm, true),
            // System values: of the dispatch, or of the hit at hand.
            InstData::Nullary { op } => (0, matches!(op, Opcode::dispatch_rays_index | Opcode::dispatch_rays_dim)),
            InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. } => (0, true),
            _ => return ValueNumber { id: all.fresh(), ..only_itself },
        };
        let mut out = ValueNumber { id: 0, latest: 0, of_dispatch };
        let mut operands = SmallVec::new();
        for o in f.operands(d) {
            let n = self.at_depth(all, o, depth + 1);
            operands.push(n.id);
            out.latest = out.latest.max(n.latest);
            out.of_dispatch &= n.of_dispatch;
        }
        let ty = f.results(d).get(result as usize).map_or(0, |&v| f.ty(v).as_u32());
        out.id = all.number(Key::Inst(f.op(d), imm, ty, result, operands));
        out
    }
}

impl ValueTable {
    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
    fn number(&mut self, k: Key) -> u32 {
        let next = &mut self.next;
        *self.expressions.entry(k).or_insert_with(|| {
            *next += 1;
            *next
        })
    }
}
