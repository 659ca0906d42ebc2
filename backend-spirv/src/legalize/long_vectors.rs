//! Legalisation of vectors of more than four components, which SPIR-V does not have: values are scalarised, variables
//! become arrays.
//!
//! The results and parameters of control instructions are split first, then instructions in regions, owners
//! before the regions that they own, so that the components of an operand always exist.

use rtc_ir::debug::{Anchors, Part};
use rtc_ir::{
    Builder, Function, GlobalKind, Inst, InstData, Module, Opcode, Region, Root, Scalar, Step, Type, TypeKind, TypeTable, Value, ValueData,
    ValueDef,
};
use rtc_tables::insts::{Arg, Format};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::Error;

/// The components that a SPIR-V vector can have.
const MAX: u32 = 4;

/// Splits the long vectors of all entry points and of the variables that they share.
pub fn run(m: &mut Module, errors: &mut Vec<Error>) {
    let is_long = |(t, _)| long(&m.types, t).is_some();
    if !m.types.iter().any(is_long) {
        return;
    }
    for s in m.structs.values_mut() {
        for field in &mut s.fields {
            field.ty = in_memory(&mut m.types, field.ty);
        }
    }
    for g in m.globals.values_mut() {
        if let GlobalKind::GroupShared(t) | GlobalKind::Private(t, _) | GlobalKind::Table(t, _) = &mut g.kind {
            *t = in_memory(&mut m.types, *t);
        }
    }
    for f in m.funcs.values_mut().filter(|f| f.is_entry()) {
        for local in f.locals.values_mut() {
            local.ty = in_memory(&mut m.types, local.ty);
        }
        for slot in f.slots.values_mut() {
            slot.ty = in_memory(&mut m.types, slot.ty);
        }
        if f.values.values().any(|v| long(&m.types, v.ty).is_some()) {
            let parts = FxHashMap::default();
            let renamed = FxHashMap::default();
            Splitter { types: &mut m.types, f, parts, renamed, errors }.function();
        }
    }
}

/// Component type and count of a long vector.
fn long(types: &TypeTable, t: Type) -> Option<(Scalar, u32)> {
    types.numeric(t).filter(|(_, n)| *n > MAX)
}

/// The type of a variable whose type was `t`. Structures keep theirs: their fields change.
fn in_memory(types: &mut TypeTable, t: Type) -> Type {
    match types.kind(t) {
        TypeKind::Vector(s, n) if n > MAX => {
            let elem = types.scalar(s);
            types.array(elem, n)
        }
        TypeKind::Array(e, n) => {
            let elem = in_memory(types, e);
            types.array(elem, n)
        }
        _ => t,
    }
}

/// The operands of an access, whose last one is a number of bytes, so many bytes further on.
fn moved(b: &mut Builder<'_>, place: &[Value], bytes: u32) -> SmallVec<[Value; 4]> {
    let mut out = SmallVec::from_slice(place);
    if let (Some(last), 1..) = (out.last_mut(), bytes) {
        *last = match b.func.as_const(*last) {
            Some(n) => b.func.const_u32((n as u32).wrapping_add(bytes)),
            None => {
                let more = b.func.const_u32(bytes);
                b.binary(Opcode::iadd, *last, more)
            }
        };
    }
    out
}

struct Splitter<'a> {
    types: &'a mut TypeTable,
    f: &'a mut Function,
    /// The components of each long vector.
    parts: FxHashMap<Value, Vec<Value>>,
    /// What stands for a value that was no long vector but came from one.
    renamed: FxHashMap<Value, Value>,
    errors: &'a mut Vec<Error>,
}

impl Splitter<'_> {
    fn function(&mut self) {
        let anchors = Anchors::take(self.f);
        let mut regions: Vec<Region> = Vec::new();
        self.f.for_each_region(self.f.body, |r| regions.push(r));
        for &r in &regions {
            let params = std::mem::take(&mut self.f.regions[r].params);
            self.f.regions[r].params = self.fresh(&params);
            self.f.renumber_params(r);
            for n in 0..self.f.regions[r].insts.len() {
                let i = self.f.regions[r].insts[n];
                if self.f.owns_regions(i) {
                    let results = self.f.results(i).to_vec();
                    let results = self.fresh(&results);
                    self.f.set_results(i, &results);
                }
            }
        }
        for r in regions {
            for i in std::mem::take(&mut self.f.regions[r].insts) {
                let renamed = &self.renamed;
                self.f.map_operands(i, |v| renamed.get(&v).copied().unwrap_or(v));
                if self.has_long(i) {
                    self.split(r, i);
                } else {
                    self.f.regions[r].insts.push(i);
                }
            }
        }
        if let Some(d) = &mut self.f.debug {
            // A vector that is no longer one value is its components.
            let now = |p: &Part| match *p {
                Part::Value(v) => match self.parts.get(&v) {
                    Some(parts) => parts.iter().copied().map(Part::Value).collect(),
                    None => vec![Part::Value(self.renamed.get(&v).copied().unwrap_or(v))],
                },
                constant => vec![constant],
            };
            for mark in d.marks.values_mut().flatten() {
                mark.value = mark.value.iter().flat_map(now).collect();
            }
        }
        if let Some(anchors) = anchors {
            anchors.restore(self.f);
        }
        self.f.compact();
    }

    /// `values` with new components in the place of long vectors.
    fn fresh(&mut self, values: &[Value]) -> Vec<Value> {
        let mut out = Vec::with_capacity(values.len());
        for &v in values {
            let Some((s, n)) = long(self.types, self.f.ty(v)) else {
                out.push(v);
                continue;
            };
            let data = ValueData { ty: self.types.scalar(s), def: ValueDef::Undef };
            let parts: Vec<Value> = (0..n).map(|_| self.f.values.push(data)).collect();
            out.extend(&parts);
            self.parts.insert(v, parts);
        }
        out
    }

    fn is_long(&self, v: Value) -> bool {
        long(self.types, self.f.ty(v)).is_some()
    }

    fn has_long(&self, i: Inst) -> bool {
        let mut any = self.f.results(i).iter().any(|&v| self.is_long(v));
        self.f.for_each_operand(i, |v| any |= self.is_long(v));
        any
    }

    /// The components of a long vector.
    fn of(&mut self, v: Value) -> Vec<Value> {
        if let Some(parts) = self.parts.get(&v) {
            return parts.clone();
        }
        let Some((s, n)) = long(self.types, self.f.ty(v)).filter(|_| self.f.is_undef(v)) else {
            rtc_base::bug!("{v} is no long vector that was seen");
        };
        let any = self.f.undef(self.types.scalar(s));
        vec![any; n as usize]
    }

    /// Long vectors in a list of operands become their components.
    fn flat(&mut self, values: &[Value]) -> Vec<Value> {
        let mut out = Vec::with_capacity(values.len());
        for &v in values {
            match self.is_long(v) {
                true => out.extend(self.of(v)),
                false => out.push(v),
            }
        }
        out
    }

    /// A load from a buffer becomes loads of up to four components, and no more than 16 bytes.
    fn load(&mut self, r: Region, i: Inst, imm: u32, args: &[Value]) {
        let op = self.f.op(i);
        let Some((s, n)) = long(self.types, self.f.ty(self.f.result(i))) else { return };
        let mut parts = Vec::with_capacity(n as usize);
        while (parts.len() as u32) < n {
            let at = parts.len() as u32;
            let count = (n - at).min(MAX).min(16 / s.bytes());
            let ty = if count == 1 { self.types.scalar(s) } else { self.types.vector(s, count) };
            let mut b = self.at(r, i);
            let address = moved(&mut b, args, at * s.bytes());
            let v = b.many_value(op, imm, &address, ty);
            match count {
                1 => parts.push(v),
                _ => parts.extend((0..count).map(|c| b.extract(v, c))),
            }
        }
        self.define(i, parts);
    }

    /// So does a store.
    fn store(&mut self, r: Region, i: Inst, imm: u32, args: &[Value]) {
        let op = self.f.op(i);
        let Some((&value, place)) = args.split_last() else { return };
        let Some((s, n)) = long(self.types, self.f.ty(value)) else { return };
        let parts = self.of(value);
        let mut at = 0;
        while at < n {
            let count = (n - at).min(MAX).min(16 / s.bytes());
            let ty = self.types.vector(s, count.max(2));
            let some = &parts[at as usize..(at + count) as usize];
            let mut b = self.at(r, i);
            let mut address = moved(&mut b, place, at * s.bytes());
            address.push(if let [one] = *some { one } else { b.many_value(Opcode::construct, 0, some, ty) });
            b.many(op, imm, &address, &[]);
            at += count;
        }
    }

    fn at(&mut self, r: Region, i: Inst) -> Builder<'_> {
        let mut b = Builder::at(self.types, self.f, r);
        b.span = b.func.spans[i];
        b.precise = b.func.is_precise(i);
        b
    }

    /// Appends to region `r` what stands for `i`.
    fn split(&mut self, r: Region, i: Inst) {
        use Opcode as O;
        let (op, args) = (self.f.op(i), self.f.operands(i));
        match self.f.insts[i] {
            InstData::Loop { .. } | InstData::Exit { .. } => self.passed_on(r, i),
            InstData::Access { op: O::load | O::store, .. } => self.access(r, i),
            InstData::Many { op: O::construct, .. } => self.define(i, args.to_vec()),
            InstData::Many { op: O::extract, imm, .. } => {
                let part = self.of(args[0])[imm as usize];
                self.renamed.insert(self.f.result(i), part);
            }
            InstData::Many { op: O::insert, imm, .. } => {
                let mut parts = self.of(args[0]);
                parts[imm as usize] = args[1];
                self.define(i, parts);
            }
            InstData::Binary { op: O::extract_dyn, .. } => {
                let parts = self.of(args[0]);
                let part = chosen(&mut self.at(r, i), parts, args[1]);
                self.renamed.insert(self.f.result(i), part);
            }
            InstData::Ternary { op: O::insert_dyn, .. } => {
                let mut parts = self.of(args[0]);
                let mut b = self.at(r, i);
                for (n, part) in parts.iter_mut().enumerate() {
                    let number = b.func.const_u32(n as u32);
                    let this = b.binary(O::ieq, args[1], number);
                    *part = b.select(this, args[2], *part);
                }
                self.define(i, parts);
            }
            InstData::Binary { op: O::dot, .. } => {
                let (x, y) = (self.of(args[0]), self.of(args[1]));
                let mut b = self.at(r, i);
                let mut sum = b.binary(O::fmul, x[0], y[0]);
                for (&x, &y) in x.iter().zip(&y).skip(1) {
                    sum = b.ternary(O::fmad, x, y, sum);
                }
                self.renamed.insert(self.f.result(i), sum);
            }
            InstData::Unary { op: O::wave_match, .. } => {
                let parts = self.of(args[0]);
                let mut b = self.at(r, i);
                let mut lanes = b.unary(O::wave_match, parts[0]);
                for &part in &parts[1..] {
                    let same = b.unary(O::wave_match, part);
                    lanes = b.binary(O::and, lanes, same);
                }
                self.renamed.insert(self.f.result(i), lanes);
            }
            InstData::Many { op: O::raw_load | O::buf_load, imm, .. } => self.load(r, i, imm, &args),
            InstData::Many { op: O::raw_store | O::buf_store, imm, .. } => self.store(r, i, imm, &args),
            _ if by_component(op) => self.each(r, i),
            _ => {
                let message = format!("`{op}` of a vector of more than four components has no SPIR-V form");
                let span = self.f.spans[i];
                self.errors.push(Error::new(span, message));
                for v in self.f.results(i).to_vec() {
                    let ty = self.f.ty(v);
                    let any = self.f.undef(ty);
                    match self.is_long(v) {
                        true => {
                            _ = {
                                let parts = self.of(any);
                                self.parts.insert(v, parts)
                            }
                        }
                        false => _ = self.renamed.insert(v, any),
                    }
                }
            }
        }
    }

    fn define(&mut self, i: Inst, parts: Vec<Value>) {
        self.parts.insert(self.f.result(i), parts);
    }

    /// A loop's first values, or the operands of an exit.
    fn passed_on(&mut self, r: Region, i: Inst) {
        let args = self.f.operands(i);
        let list = self.flat(&args);
        let again = match self.f.insts[i] {
            InstData::Exit { op: Opcode::next_if, imm, .. } => self.flat(&args[1..=imm as usize]).len() as u32,
            InstData::Exit { imm, .. } => imm,
            _ => 0,
        };
        let list = self.f.list(&list);
        match &mut self.f.insts[i] {
            InstData::Exit { imm, args, .. } => (*imm, *args) = (again, list),
            InstData::Loop { init, .. } => *init = list,
            _ => {}
        }
        self.f.regions[r].insts.push(i);
    }

    /// A load or store: one of each component.
    fn access(&mut self, r: Region, i: Inst) {
        let InstData::Access { op, place, args, .. } = self.f.insts[i] else {
            return;
        };
        let data = &self.f.places[place];
        let (root, mut steps): (Root, SmallVec<[Step; 4]>) = (data.root, data.steps.clone());
        let indices: SmallVec<[Value; 8]> = self.f.get(args)[..data.dyn_count()].into();
        if op == Opcode::store {
            let value = self.f.get(args)[indices.len()];
            let parts = self.of(value);
            let mut b = self.at(r, i);
            for (n, &part) in parts.iter().enumerate() {
                steps.push(Step::At(n as u32));
                b.store(root, &steps, &indices, part);
                steps.pop();
            }
            return;
        }
        let (elem, count) = self.types.numeric(self.f.ty(self.f.result(i))).expect("a vector");
        let elem = self.types.scalar(elem);
        let mut b = self.at(r, i);
        let mut parts = Vec::with_capacity(count as usize);
        for n in 0..count {
            steps.push(Step::At(n));
            parts.push(b.load(root, &steps, &indices, elem));
            steps.pop();
        }
        self.define(i, parts);
    }

    /// What works component by component: once for each. Operands that are no vectors are the same each time.
    fn each(&mut self, r: Region, i: Inst) {
        let result = self.f.result(i);
        let (elem, count) = self.types.numeric(self.f.ty(result)).expect("a vector");
        let ty = self.types.scalar(elem);
        let args = self.f.operands(i);
        let split: SmallVec<[Option<Vec<Value>>; 3]> = args.iter().map(|&v| self.is_long(v).then(|| self.of(v))).collect();
        let old = self.f.insts[i];
        let mut b = self.at(r, i);
        let mut parts = Vec::with_capacity(count as usize);
        for n in 0..count as usize {
            let operand = |k: usize| split[k].as_ref().map_or(args[k], |parts| parts[n]);
            let data = match old {
                InstData::Unary { op, .. } => InstData::Unary { op, arg: operand(0) },
                InstData::Binary { op, .. } => InstData::Binary { op, args: [operand(0), operand(1)] },
                InstData::Ternary { op, .. } => InstData::Ternary { op, args: [operand(0), operand(1), operand(2)] },
                InstData::Many { op, imm, .. } => {
                    let all: SmallVec<[Value; 4]> = (0..args.len()).map(operand).collect();
                    InstData::Many { op, imm, args: b.func.list(&all) }
                }
                _ => rtc_base::bug!("{i} does not work by component"),
            };
            let made = b.push(data, &[ty]);
            parts.push(b.func.result(made));
        }
        self.define(i, parts);
    }
}

/// Whether each component of the result comes from the same component of the operands alone, as the table says it.
fn by_component(op: Opcode) -> bool {
    let info = op.info();
    let values = matches!(info.format, Format::Unary | Format::Binary | Format::Ternary | Format::Many);
    let first = info.operands.first();
    let wide = matches!(first, Some(Arg::Float | Arg::Int | Arg::Num | Arg::Bits | Arg::Bool));
    let same = match info.result {
        Some(Arg::Same | Arg::Same1 | Arg::BoolLike | Arg::I32Like | Arg::F32Like) => true,
        // Conversions.
        Some(Arg::Float | Arg::Int | Arg::Num) => info.format == Format::Unary,
        _ => false,
    };
    values && wide && same
}

/// The one of `parts` with this number, by the bits of the number; any of them if there is none.
fn chosen(b: &mut Builder, mut parts: Vec<Value>, number: Value) -> Value {
    let zero = b.func.const_u32(0);
    let mut bit = 1;
    while parts.len() > 1 {
        let mask = b.func.const_u32(bit);
        let set = b.binary(Opcode::and, number, mask);
        let odd = b.binary(Opcode::ine, set, zero);
        parts = parts
            .chunks(2)
            .map(|two| match *two {
                [even, second] => b.select(odd, second, even),
                _ => two[0],
            })
            .collect();
        bit <<= 1;
    }
    parts[0]
}
