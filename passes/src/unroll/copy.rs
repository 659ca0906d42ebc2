//! Copying the body of a loop for each iteration of the trip count.

use rtc_ir::{Function, Hint, Inst, InstData, Mapper, Module, Opcode, Region, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Values;
use super::count::{Iteration, compute};

struct Copier<'a> {
    m: &'a Module,
    f: &'a mut Function,
    /// The loop's body.
    body: Region,
    /// The block that contains all copies.
    whole: Region,
    /// The block of this iteration.
    iteration: Region,
    values: FxHashMap<Value, Value>,
    regions: FxHashMap<Region, Region>,
}

/// Makes loop `i` a block with a copy of each iteration.
pub(super) fn copy_iterations(m: &Module, f: &mut Function, i: Inst, iterations: &[Iteration]) {
    let InstData::Loop { init, body, continuing } = f.insts[i] else {
        return;
    };
    let span = f.spans[i];
    let whole = f.add_region();
    let mut carried: Values = f.get(init).into();
    let mut open = true;
    for (n, iteration) in iterations.iter().enumerate() {
        let inner = f.add_region();
        let mut c = Copier { m, f, body, whole, iteration: inner, values: FxHashMap::default(), regions: FxHashMap::default() };
        let params: Values = c.f.regions[body].params.as_slice().into();
        c.bind(&params, &carried, &iteration.body);
        c.regions.insert(body, inner);
        c.fill(body, inner);
        let params: Values = c.f.regions[continuing].params.as_slice().into();
        let types: SmallVec<[Type; 8]> = params.iter().map(|&v| c.f.ty(v)).collect();
        let block = c.f.append(whole, InstData::Block { body: inner }, &types, span);
        let results: Values = c.f.results(block).into();
        let last = n + 1 == iterations.len();
        if last && iteration.continuing.len() != params.len() {
            // Nothing comes out of the last iteration.
            break;
        }
        c.bind(&params, &results, &iteration.continuing);
        let insts = c.f.regions[continuing].insts.clone();
        for j in insts {
            let InstData::Exit { op, imm, args, .. } = c.f.insts[j] else {
                let copy = c.whole(j);
                c.f.regions[whole].insts.push(copy);
                continue;
            };
            let args: Values = c.f.get(args).iter().map(|&v| c.known(v)).collect();
            if op == Opcode::next {
                carried = args;
                continue;
            }
            let (again, results) = args[1..].split_at(imm as usize);
            if last {
                let list = c.f.list(results);
                let exit = InstData::Exit { op: Opcode::yield_, imm: 0, target: None.into(), args: list };
                c.f.append(whole, exit, &[], span);
                open = false;
                continue;
            }
            carried = again.into();
            c.leave_unless(args[0], results, span);
        }
    }
    if open {
        let exit = InstData::Exit { op: Opcode::unreachable, imm: 0, target: None.into(), args: Default::default() };
        f.append(whole, exit, &[], span);
    }
    f.insts[i] = InstData::Block { body: whole };
    f.hints[i] = Hint::None;
    f.regions[whole].owner = Some(i);
}

impl Mapper for Copier<'_> {
    fn source(&self) -> &Function {
        self.f
    }
    fn target(&mut self) -> &mut Function {
        self.f
    }
    fn value(&mut self, v: Value) -> Value {
        self.known(v)
    }
    fn region(&mut self, r: Region) -> Region {
        self.target_of(r)
    }
    fn left(&mut self, r: Region) -> Region {
        self.regions.get(&r).copied().unwrap_or(r)
    }
}

impl Copier<'_> {
    /// From now on the copies of `params` are `to`, or constants where they are known.
    fn bind(&mut self, params: &[Value], to: &[Value], known: &[Option<u64>]) {
        for (n, (&p, &v)) in params.iter().zip(to).enumerate() {
            let v = match known.get(n) {
                Some(&Some(bits)) => self.f.const_bits(self.f.ty(p), bits),
                _ => v,
            };
            self.f.transfer_name(p, v);
            self.values.insert(p, v);
        }
    }

    fn known(&self, v: Value) -> Value {
        self.values.get(&v).copied().unwrap_or(v)
    }

    /// `if cond { } else { break }`
    fn leave_unless(&mut self, cond: Value, results: &[Value], span: rtc_base::Span) {
        let (then_, else_) = (self.f.add_region(), self.f.add_region());
        let exit = |op, target: Option<Region>, args| InstData::Exit { op, imm: 0, target: target.into(), args };
        self.f.append(then_, exit(Opcode::yield_, None, Default::default()), &[], span);
        let list = self.f.list(results);
        self.f.append(else_, exit(Opcode::break_, Some(self.whole), list), &[], span);
        let data = InstData::If { cond, then_, else_ };
        self.f.append(self.whole, data, &[], span);
    }

    fn target_of(&mut self, r: Region) -> Region {
        if let Some(&new) = self.regions.get(&r) {
            return new;
        }
        let new = self.f.add_region();
        self.regions.insert(r, new);
        let params: Values = self.f.regions[r].params.as_slice().into();
        for p in params {
            let ty = self.f.ty(p);
            let v = self.f.add_param(new, ty);
            self.values.insert(p, v);
        }
        new
    }

    /// Fills `to` with a copy of what `from` has.
    fn fill(&mut self, from: Region, to: Region) {
        // Owners first: what a region uses is defined in itself or further out.
        let mut todo = vec![(from, to)];
        while let Some((from, to)) = todo.pop() {
            let insts = self.f.regions[from].insts.clone();
            let mut out = Vec::with_capacity(insts.len());
            for i in insts {
                let copy = self.inst(i);
                let (old, new) = (self.f.regions_of(i), self.f.regions_of(copy));
                todo.extend(old.into_iter().zip(new).rev());
                out.push(copy);
            }
            self.f.regions[to].insts = out;
        }
    }

    /// A copy of an instruction with all that is in its regions.
    fn whole(&mut self, i: Inst) -> Inst {
        let copy = self.inst(i);
        let (old, new) = (self.f.regions_of(i), self.f.regions_of(copy));
        for (from, to) in old.into_iter().zip(new) {
            self.fill(from, to);
        }
        copy
    }

    /// A copy of an instruction; its regions are empty.
    fn inst(&mut self, i: Inst) -> Inst {
        let mut data = self.copy(i);
        // What goes on with the next iteration, or ends the loop.
        if let (InstData::Exit { op, target, .. }, InstData::Exit { target: from, .. }) = (&mut data, self.f.insts[i])
            && from.expand() == Some(self.body)
        {
            match *op {
                Opcode::continue_ => (*op, *target) = (Opcode::break_, Some(self.iteration).into()),
                Opcode::break_ => *target = Some(self.whole).into(),
                _ => {}
            }
        }
        let results: Values = self.f.results(i).into();
        let types: SmallVec<[Type; 8]> = results.iter().map(|&v| self.f.ty(v)).collect();
        let span = self.f.spans[i];
        let copy = self.f.make(data, &types, span);
        self.f.inherit_own(copy, i);
        for (n, &v) in results.iter().enumerate() {
            let new = self.f.results(copy)[n];
            self.values.insert(v, new);
        }
        self.f.copy_names(i, copy);
        // The loops inside are counted from what is computed here.
        if let Some(bits) = compute(self.m, self.f, i, &|v| self.f.as_const(self.known(v))) {
            let constant = self.f.const_bits(types[0], bits);
            self.values.insert(results[0], constant);
        }
        if let Some(d) = &mut self.f.debug {
            d.copy_marks(i, copy, |v| self.values.get(&v).copied().unwrap_or(v));
        }
        copy
    }
}
