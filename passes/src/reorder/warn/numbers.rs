//! Numbers for what values are made of: values with the same number are the same, also in different functions of one dispatch.
//!
//! A value that is made without effects has a number for its instruction and the numbers of its operands; any other is only
//! like itself. That is needed here because warnings come before common subexpressions are shared, and because two shaders that
//! run for one thread compute the same place each for itself.

use rtc_base::SecondaryMap;
use rtc_ir::{Function, InstData, Module, Opcode, Value, ValueDef, effects};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Definitions nest deeper than this only in values that are then only like themselves.
const MAX_DEPTH: u32 = 48;

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Number {
    /// Equal for equal values.
    pub id: u32,
    /// The place in the text of the last thing that it is made of and that may differ from time to time; 0: none.
    pub latest: u32,
    /// The same in all shaders that run for one thread of the dispatch.
    pub of_dispatch: bool,
}

/// Numbers of a module.
#[derive(Default)]
pub(super) struct Numbers {
    known: FxHashMap<Key, u32>,
    next: u32,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Const(u32, u64),
    Inst(Opcode, u32, u32, u32, SmallVec<[u32; 4]>),
}

/// Numbers of one function's values.
pub(super) struct OfFunction<'a> {
    pub m: &'a Module,
    pub f: &'a Function,
    /// The place of each instruction in the text, from 1 on.
    pub at: SecondaryMap<rtc_ir::Inst, u32>,
    done: FxHashMap<Value, Number>,
}

impl<'a> OfFunction<'a> {
    pub fn new(m: &'a Module, f: &'a Function) -> Self {
        let mut at = SecondaryMap::new();
        at.resize(f.insts.len());
        let mut next = 1;
        f.for_each_inst(f.body, |_, i| {
            at[i] = next;
            next += 1;
        });
        OfFunction { m, f, at, done: FxHashMap::default() }
    }

    /// The number of `v`.
    pub fn of(&mut self, all: &mut Numbers, v: Value) -> Number {
        self.at_depth(all, v, 0)
    }

    fn at_depth(&mut self, all: &mut Numbers, v: Value, depth: u32) -> Number {
        if let Some(&n) = self.done.get(&v) {
            return n;
        }
        let f = self.f;
        let n = match f.values[v].def {
            ValueDef::Const(bits) => Number { id: all.number(Key::Const(f.ty(v).as_u32(), bits)), latest: 0, of_dispatch: true },
            ValueDef::Result(d, result) if depth < MAX_DEPTH => self.result(all, d, result, depth),
            ValueDef::Result(d, _) => Number { id: all.fresh(), latest: self.at[d], of_dispatch: false },
            ValueDef::Param(r, _) => {
                let latest = f.regions[r].owner.map_or(0, |o| self.at[o] + 1);
                Number { id: all.fresh(), latest, of_dispatch: false }
            }
            ValueDef::Undef => Number { id: all.fresh(), latest: 0, of_dispatch: false },
        };
        self.done.insert(v, n);
        n
    }

    fn result(&mut self, all: &mut Numbers, d: rtc_ir::Inst, result: u32, depth: u32) -> Number {
        let f = self.f;
        let only_itself = Number { latest: self.at[d], ..Number::default() };
        if f.owns_regions(d) || !effects::of_inst(self.m, f, d).is_pure() {
            return Number { id: all.fresh(), ..only_itself };
        }
        let (imm, of_dispatch) = match f.insts[d] {
            InstData::Resource { global, .. } => (global.as_u32(), true),
            InstData::Many { imm, .. } => (imm, true),
            // System values: of the dispatch, or of the hit at hand.
            InstData::Nullary { op } => (0, matches!(op, Opcode::dispatch_rays_index | Opcode::dispatch_rays_dim)),
            InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. } => (0, true),
            _ => return Number { id: all.fresh(), ..only_itself },
        };
        let mut out = Number { id: 0, latest: 0, of_dispatch };
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

impl Numbers {
    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
    fn number(&mut self, k: Key) -> u32 {
        let next = &mut self.next;
        *self.known.entry(k).or_insert_with(|| {
            *next += 1;
            *next
        })
    }
}
