//! Arrays of which each element that is stored comes from the element of the same number of constant memory: a constant buffer or a table. Copies of
//! long arrays are loops, which no pass unrolls.
//!
//! That memory never changes, and an element that nothing stores to is undefined. So neither the order of stores and loads matters nor what
//! control flow is around them: whatever is read is what the memory has.

use rtc_ir::analysis::{Event, Walk};
use rtc_ir::{Function, GlobalKind, Inst, InstData, Local, Module, Opcode, Place, Region, Root, Step, Type, TypeKind, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Array, MAX_SCALARS, Reads, Rows, dimensions, scalars};

/// Copies of copies are followed as far.
const SWEEPS: usize = 8;
/// No row is a sum of more terms.
const MAX_TERMS: usize = 16;

/// Makes the loads of such arrays loads of the memory. `reorders`: the function has reorder points, and keeps its loads of buffers where they are.
pub(super) fn function(m: &mut Module, f: &mut Function, reorders: bool) -> bool {
    (0..SWEEPS).take_while(|_| sweep(m, f, reorders)).count() > 0
}

fn sweep(m: &mut Module, f: &mut Function, reorders: bool) -> bool {
    let mut changed = false;
    for array in arrays(m, f) {
        if let Some(table) = Table::of(m, f, &array) {
            array.loads.iter().for_each(|&(_, i)| table.serve(f, i));
            changed = true;
        } else if !reorders
            && let Some(rows) = rows(m, f, &array)
            && rows.serve(f, &array)
            && reaches(f, rows.handle, &array.loads)
        {
            array.loads.iter().for_each(|&(region, i)| rows.load(m, f, region, i));
            changed = true;
        }
    }
    changed
}

/// The arrays that only stores and loads access, some with a computed index.
fn arrays(m: &Module, f: &Function) -> Vec<Array> {
    let mut arrays: FxHashMap<Local, Option<Array>> = FxHashMap::default();
    let mut order = Vec::new();
    f.for_each_inst(f.body, |region, i| {
        let refused: SmallVec<[Place; 2]> = match f.insts[i] {
            InstData::Access { op: op @ (Opcode::store | Opcode::load), place, .. } => {
                let Root::Local(local) = f.places[place].root else { return };
                let array = arrays.entry(local).or_insert_with(|| {
                    order.push(local);
                    let data = &f.locals[local];
                    let fits = data.param.is_none()
                        && matches!(m.types.kind(data.ty), TypeKind::Array(..))
                        && scalars(m, data.ty).is_some_and(|n| n <= MAX_SCALARS);
                    fits.then(|| Array { local, region, stores: Vec::new(), loads: Vec::new(), computed: false })
                });
                let Some(known) = array else { return };
                known.computed |= f.places[place].dyn_count() > 0;
                match op {
                    Opcode::store => known.stores.push(i),
                    _ => known.loads.push((region, i)),
                }
                return;
            }
            InstData::Access { place, .. } => SmallVec::from_slice(&[place]),
            InstData::Copy { to, from, .. } => SmallVec::from_slice(&[to, from]),
            InstData::Call { refs, .. } => SmallVec::from_slice(f.get_places(refs)),
            _ => return,
        };
        for place in refused {
            if let Root::Local(l) = f.places[place].root {
                arrays.insert(l, None);
            }
        }
    });
    let known = order.into_iter().filter_map(|local| arrays.remove(&local).flatten());
    known.filter(|a| a.computed && !a.stores.is_empty() && !a.loads.is_empty()).collect()
}

/// An index: a number, or a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Index {
    Constant(u32),
    Computed(Value),
}

/// The indices of an access, and what is stored.
fn indices(f: &Function, i: Inst) -> Option<(SmallVec<[Index; 4]>, Option<Value>)> {
    let InstData::Access { place, args, .. } = f.insts[i] else { return None };
    let mut args = f.get(args).iter().copied();
    let mut out = SmallVec::new();
    for step in &f.places[place].steps {
        out.push(match *step {
            Step::At(n) => Index::Constant(n),
            Step::Dyn => Index::Computed(args.next()?),
        });
    }
    Some((out, args.next()))
}

// Tables ------------------------------------------------------------------------------------------

/// The array is a copy of this part of a table.
struct Table {
    root: Root,
    steps: SmallVec<[Step; 4]>,
}

impl Table {
    fn of(m: &Module, f: &Function, array: &Array) -> Option<Table> {
        let mut table: Option<Table> = None;
        for &i in &array.stores {
            let (to, value) = indices(f, i)?;
            let read = f.def_inst(value?)?;
            let InstData::Access { op: Opcode::load, place, .. } = f.insts[read] else { return None };
            let Root::Global(g) = f.places[place].root else { return None };
            if !matches!(m.globals[g].kind, GlobalKind::Table(..)) {
                return None;
            }
            let (from, _) = indices(f, read)?;
            let prefix = from.strip_suffix(&to[..])?;
            let steps: SmallVec<[Step; 4]> =
                prefix.iter().map(|x| if let Index::Constant(n) = *x { Some(Step::At(n)) } else { None }).collect::<Option<_>>()?;
            match &table {
                Some(t) if t.root == Root::Global(g) && t.steps == steps => {}
                Some(_) => return None,
                None => table = Some(Table { root: Root::Global(g), steps }),
            }
        }
        let table = table?;
        let same = crate::sroa::place_type(m, f, table.root, &table.steps) == Some(f.locals[array.local].ty);
        same.then_some(table)
    }

    fn serve(&self, f: &mut Function, i: Inst) {
        if let InstData::Access { op, imm, place, args } = f.insts[i] {
            let steps: Vec<Step> = self.steps.iter().chain(&f.places[place].steps).copied().collect();
            let place = f.place(self.root, &steps);
            f.insts[i] = InstData::Access { op, imm, place, args };
        }
    }
}

// Rows --------------------------------------------------------------------------------------------

/// A sum of multiples of values, and a number.
#[derive(Default)]
struct Sum {
    terms: SmallVec<[(Value, i64); 4]>,
    number: i64,
}

impl Sum {
    fn add(&mut self, f: &Function, v: Value, times: i64) -> Option<()> {
        if let Some(n) = f.as_const(v) {
            self.number += i64::from(n as u32 as i32) * times;
            return Some(());
        }
        if self.terms.len() > MAX_TERMS || times.unsigned_abs() > 1 << 20 {
            return None;
        }
        if let Some(d) = f.def_inst(v)
            && let InstData::Binary { op, args: [a, b] } = f.insts[d]
        {
            match (op, f.as_const(a), f.as_const(b)) {
                (Opcode::iadd, ..) => {
                    self.add(f, a, times)?;
                    return self.add(f, b, times);
                }
                (Opcode::imul, Some(n), _) => return self.add(f, b, times * i64::from(n as u32 as i32)),
                (Opcode::imul, _, Some(n)) => return self.add(f, a, times * i64::from(n as u32 as i32)),
                (Opcode::shl, _, Some(n)) if n < 16 => return self.add(f, a, times << n),
                _ => {}
            }
        }
        match self.terms.iter_mut().find(|t| t.0 == v) {
            Some(t) => t.1 += times,
            None => self.terms.push((v, times)),
        }
        Some(())
    }
}

/// The rows that the array is a copy of. A dimension has computed indices in each store, or in none.
fn rows(m: &Module, f: &Function, array: &Array) -> Option<Rows> {
    let (dims, elem) = dimensions(m, f, array);
    let (scalar, _) = m.types.numeric(elem)?;
    let mut reads = Reads::default();
    let mut strides: Option<SmallVec<[Option<i64>; 2]>> = None;
    for &i in &array.stores {
        let (to, value) = indices(f, i)?;
        let value = value.filter(|&v| f.ty(v) == elem && to.len() == dims.len())?;
        for (n, row) in reads.add(f, value)?.into_iter().enumerate() {
            let (at, number, own) = row_of(f, row, &to)?;
            // What is left is the same in each store.
            if *strides.get_or_insert_with(|| own.clone()) != own
                || reads.known[n].insert(at, number).is_some_and(|before| before != number)
            {
                return None;
            }
        }
    }
    reads.rows(&dims, &strides?, scalar)
}

/// A row as a sum of multiples of the indices of a store: the indices that are numbers, with zeros for the others, the row of an element with zeros
/// for these, and for each computed index by how much it is multiplied.
#[allow(clippy::type_complexity)]
fn row_of(f: &Function, row: Value, to: &[Index]) -> Option<(SmallVec<[u32; 2]>, i64, SmallVec<[Option<i64>; 2]>)> {
    let mut sum = Sum::default();
    sum.add(f, row, 1)?;
    let (mut at, mut strides) = (SmallVec::new(), SmallVec::new());
    for index in to {
        let Index::Computed(v) = *index else {
            at.push(if let Index::Constant(n) = *index { n } else { 0 });
            strides.push(None);
            continue;
        };
        at.push(0);
        let mut own = Sum::default();
        own.add(f, v, 1)?;
        let &[(x, 1)] = &own.terms[..] else { return None };
        let term = sum.terms.iter().position(|t| t.0 == x)?;
        let stride = sum.terms.swap_remove(term).1;
        sum.number -= stride * own.number;
        strides.push(Some(stride));
    }
    sum.terms.is_empty().then_some((at, sum.number, strides))
}

/// Whether the handle is there at each of the loads.
fn reaches(f: &Function, handle: Value, loads: &[(Region, Inst)]) -> bool {
    let Some(def) = f.def_inst(handle) else { return false };
    let (mut open, mut at): (Vec<Region>, Option<Region>) = (Vec::new(), None);
    let mut left: FxHashMap<Inst, ()> = loads.iter().map(|l| (l.1, ())).collect();
    let mut walk = Walk::new(f.body);
    while let Some(event) = walk.next(f) {
        match event {
            Event::Enter(r) => open.push(r),
            Event::Leave(_) => {
                open.pop();
            }
            Event::Inst(region, i) if i == def => at = Some(region),
            Event::Inst(_, i) => {
                if left.remove(&i).is_some() && !at.is_some_and(|r| open.contains(&r)) {
                    return false;
                }
            }
            Event::End(..) => {}
        }
    }
    left.is_empty() && f.ty(handle) != Type::I32
}
