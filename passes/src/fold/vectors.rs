//! Peephole rules for vectors: chains of `construct`, `extract` and `insert`.

use rtc_ir::{InstData, Opcode, Value};
use smallvec::SmallVec;

use super::{Fold, Folded};

/// How many `insert`s a search for a component goes through.
const MAX_CHAIN: usize = 32;

impl Fold<'_> {
    pub(super) fn vector_op(&mut self) -> Folded {
        let InstData::Many { op, imm, args } = self.f.insts[self.i] else {
            return Folded::No;
        };
        let args: SmallVec<[Value; 8]> = self.f.get(args).into();
        match op {
            Opcode::extract => match self.component(args[0], imm) {
                Some(v) => Folded::Value(v),
                None => self.extract_past(args[0], imm),
            },
            Opcode::insert => self.insert(args[0], imm, args[1]),
            Opcode::construct => self.construct(&args),
            _ => Folded::No,
        }
    }

    /// Component `n` of `v` as far as it can be seen.
    fn component(&mut self, v: Value, n: u32) -> Option<Value> {
        let mut v = v;
        for _ in 0..MAX_CHAIN {
            if self.f.is_undef(v) {
                let (s, _) = self.numeric(v)?;
                let scalar = self.m.types.scalar(s);
                return Some(self.f.undef(scalar));
            }
            if let Some(parts) = self.parts(v) {
                return parts.get(n as usize).copied();
            }
            match self.f.insts[self.f.def_inst(v)?] {
                InstData::Many { op: Opcode::insert, imm, args } => {
                    let args = self.f.get(args);
                    if imm == n {
                        return Some(args[1]);
                    }
                    v = args[0];
                }
                _ => return None,
            }
        }
        None
    }

    /// Looks through inserts of other components.
    fn extract_past(&mut self, v: Value, n: u32) -> Folded {
        let mut at = v;
        for _ in 0..MAX_CHAIN {
            let Some(i) = self.made_by(at, Opcode::insert) else {
                break;
            };
            match self.f.insts[i] {
                InstData::Many { imm, args, .. } if imm != n => at = self.f.get(args)[0],
                _ => break,
            }
        }
        if at == v {
            return Folded::No;
        }
        let args = self.f.list(&[at]);
        self.rewrite(InstData::Many { op: Opcode::extract, imm: n, args })
    }

    fn insert(&mut self, v: Value, n: u32, x: Value) -> Folded {
        // Putting back what was taken out.
        if let Some(i) = self.made_by(x, Opcode::extract)
            && let InstData::Many { imm, args, .. } = self.f.insts[i]
            && imm == n
            && self.f.get(args)[0] == v
        {
            return Folded::Value(v);
        }
        let Some((_, lanes)) = self.numeric(v) else {
            return Folded::No;
        };
        let mut parts: SmallVec<[Value; 4]> = SmallVec::new();
        for k in 0..lanes {
            let part = if k == n { Some(x) } else { self.component(v, k) };
            match part {
                Some(p) => parts.push(p),
                None => return Folded::No,
            }
        }
        let args = self.f.list(&parts);
        self.rewrite(InstData::Many { op: Opcode::construct, imm: 0, args })
    }

    /// All components of one vector in order are that vector.
    fn construct(&mut self, parts: &[Value]) -> Folded {
        let mut whole = None;
        for (n, &p) in parts.iter().enumerate() {
            let Some(i) = self.made_by(p, Opcode::extract) else {
                return Folded::No;
            };
            let InstData::Many { imm, args, .. } = self.f.insts[i] else {
                return Folded::No;
            };
            let from = self.f.get(args)[0];
            if imm as usize != n || whole.is_some_and(|w| w != from) {
                return Folded::No;
            }
            whole = Some(from);
        }
        match whole {
            Some(v) if self.ty(v) == self.ty(self.f.result(self.i)) => Folded::Value(v),
            _ => Folded::No,
        }
    }

    pub(super) fn extract_dyn(&mut self, v: Value, at: Value) -> Folded {
        let Some((s, lanes)) = self.numeric(v) else {
            return Folded::No;
        };
        match self.f.as_const(at) {
            Some(n) if n < u64::from(lanes) => {
                let args = self.f.list(&[v]);
                self.rewrite(InstData::Many { op: Opcode::extract, imm: n as u32, args })
            }
            Some(_) => {
                let scalar = self.m.types.scalar(s);
                Folded::Value(self.f.undef(scalar))
            }
            None => Folded::No,
        }
    }

    pub(super) fn insert_dyn(&mut self, v: Value, at: Value, x: Value) -> Folded {
        let lanes = self.numeric(v).map_or(0, |n| n.1);
        match self.f.as_const(at) {
            Some(n) if n < u64::from(lanes) => {
                let args = self.f.list(&[v, x]);
                self.rewrite(InstData::Many { op: Opcode::insert, imm: n as u32, args })
            }
            Some(_) => Folded::Value(v),
            None => Folded::No,
        }
    }
}
