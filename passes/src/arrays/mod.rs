//! `arrays`: an array that is a copy of constant memory, or of another variable that nothing writes meanwhile, is read where it comes from.
//!
//! An array of a function is a copy if one region stores to its elements, with constant indices, before anything reads it: whatever is read is what was
//! stored, in every iteration of a loop around the region too. If all that is stored are constants, the array becomes a table of the module. If it is
//! elements of a constant buffer whose rows are a sum of multiples of the indices, its loads become loads of the buffer, except in functions with
//! reorder points: a load of a buffer is an access with a place, one of a variable is not. `dce` removes the stores.
//!
//! Elements that nothing stores to are undefined: tables have zeros there.
//!
//! Long arrays are copied by loops: `elementwise` has these.

mod elementwise;
mod variables;

use rtc_base::Span;
use rtc_ir::analysis::{Event, Walk};
use rtc_ir::{
    Builder, Effects, Function, Global, GlobalData, GlobalKind, Inst, InstData, Local, Module, Opcode, Place, Region, Root, Scalar, Step,
    Type, TypeKind, Value, effects,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::util::each_function;
use crate::{Changed, PassCtx, PassError};

/// Larger arrays are left alone.
const MAX_SCALARS: u64 = 1 << 14;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

/// The accesses of a local array.
struct Array {
    local: Local,
    /// The only region that stores to it.
    region: Region,
    stores: Vec<Inst>,
    loads: Vec<(Region, Inst)>,
    /// Some load has an index that is computed.
    computed: bool,
}

fn function(m: &mut Module, f: &mut Function) -> bool {
    if f.locals.iter().next().is_none() {
        return false;
    }
    let mut reorders = false;
    f.for_each_inst(f.body, |_, i| reorders |= effects::of_inst(m, f, i).contains(Effects::REORDERS));
    let mut changed = elementwise::function(m, f, reorders);
    for array in copies(m, f) {
        if let Some(bits) = constants(m, f, &array) {
            let table = table(m, f, array.local, bits);
            for &(_, i) in &array.loads {
                if let InstData::Access { op, imm, place, args } = f.insts[i] {
                    let steps = f.places[place].steps.clone();
                    let place = f.place(Root::Global(table), &steps);
                    f.insts[i] = InstData::Access { op, imm, place, args };
                }
            }
            changed = true;
        } else if let Some(rows) = Rows::new(m, f, &array).filter(|_| !reorders)
            && rows.serve(f, &array)
        {
            array.loads.iter().for_each(|&(region, i)| rows.load(m, f, region, i));
            changed = true;
        } else if let Some(source) = variables::Source::of(m, f, &array) {
            source.serve(f, &array);
            changed = true;
        }
    }
    changed
}

/// The arrays of `f` that are copies and are read with computed indices.
fn copies(m: &Module, f: &Function) -> Vec<Array> {
    let mut arrays: FxHashMap<Local, Option<Array>> = FxHashMap::default();
    let mut order = Vec::new();
    let mut open = Vec::new();
    let mut walk = Walk::new(f.body);
    while let Some(event) = walk.next(f) {
        let (region, i) = match event {
            Event::Enter(r) => {
                open.push(r);
                continue;
            }
            Event::Leave(_) => {
                open.pop();
                continue;
            }
            Event::Inst(region, i) => (region, i),
            Event::End(..) => continue,
        };
        let refused: SmallVec<[Place; 2]> = match f.insts[i] {
            InstData::Access { op: Opcode::store | Opcode::load, place, .. } => {
                let Root::Local(local) = f.places[place].root else { continue };
                let dynamic = f.places[place].dyn_count() > 0;
                let array = arrays.entry(local).or_insert_with(|| {
                    order.push(local);
                    let data = &f.locals[local];
                    // What is passed by reference, the caller may have stored to, and reads.
                    let fits = data.param.is_none()
                        && matches!(m.types.kind(data.ty), TypeKind::Array(..))
                        && scalars(m, data.ty).is_some_and(|n| n <= MAX_SCALARS);
                    fits.then(|| Array { local, region, stores: Vec::new(), loads: Vec::new(), computed: false })
                });
                let Some(known) = array else { continue };
                let fine = match f.insts[i].op() {
                    Opcode::store => {
                        known.stores.push(i);
                        !dynamic && known.region == region && known.loads.is_empty()
                    }
                    _ => {
                        known.loads.push((region, i));
                        known.computed |= dynamic;
                        !known.stores.is_empty() && open.contains(&known.region)
                    }
                };
                if !fine {
                    *array = None;
                }
                continue;
            }
            InstData::Access { place, .. } => SmallVec::from_slice(&[place]),
            InstData::Copy { to, from, .. } => SmallVec::from_slice(&[to, from]),
            InstData::Call { refs, .. } => SmallVec::from_slice(f.get_places(refs)),
            _ => continue,
        };
        for place in refused {
            if let Root::Local(l) = f.places[place].root {
                arrays.insert(l, None);
            }
        }
    }
    let known = order.into_iter().filter_map(|local| arrays.remove(&local).flatten());
    known.filter(|a| a.computed).collect()
}

/// How many scalars an array, a vector or a number has.
fn scalars(m: &Module, t: Type) -> Option<u64> {
    match m.types.kind(t) {
        TypeKind::Array(e, n) => Some(scalars(m, e)?.saturating_mul(n.into())),
        TypeKind::Scalar(_) | TypeKind::Vector(..) => m.types.numeric(t).map(|n| n.1.into()),
        _ => None,
    }
}

/// The number of the first scalar that a path without computed indices leads to.
fn first_scalar(m: &Module, mut t: Type, steps: &[Step]) -> Option<usize> {
    let mut at = 0;
    for step in steps {
        let Step::At(n) = *step else { return None };
        t = m.part(t, Some(n))?;
        at += n as usize * usize::try_from(scalars(m, t)?).ok()?;
    }
    Some(at)
}

/// What a store stores, and where.
fn stored(f: &Function, i: Inst) -> Option<(&[Step], Value)> {
    let InstData::Access { place, args, .. } = f.insts[i] else { return None };
    Some((&f.places[place].steps, *f.get(args).last()?))
}

// Tables ------------------------------------------------------------------------------------------

/// The bits of all scalars of the array, if only constants are stored.
fn constants(m: &Module, f: &Function, array: &Array) -> Option<Vec<u64>> {
    let ty = f.locals[array.local].ty;
    let mut bits = vec![0; usize::try_from(scalars(m, ty)?).ok()?];
    for &i in &array.stores {
        let (steps, value) = stored(f, i)?;
        let parts = constant(m, f, value)?;
        let at = first_scalar(m, ty, steps)?;
        bits.get_mut(at..at + parts.len())?.copy_from_slice(&parts);
    }
    Some(bits)
}

/// The components of a value, if they are constants.
fn constant(m: &Module, f: &Function, v: Value) -> Option<SmallVec<[u64; 4]>> {
    let (_, lanes) = m.types.numeric(f.ty(v))?;
    if let Some(bits) = f.as_const(v) {
        return Some(SmallVec::from_elem(bits, lanes as usize));
    }
    let InstData::Many { op: Opcode::construct, args, .. } = f.insts[f.def_inst(v)?] else { return None };
    let mut all = SmallVec::new();
    for &part in f.get(args) {
        // Vectors may consist of vectors, but not of vectors of these.
        match f.as_const(part) {
            Some(bits) => all.extend(std::iter::repeat_n(bits, m.types.numeric(f.ty(part))?.1 as usize)),
            None => return None,
        }
    }
    (all.len() == lanes as usize).then_some(all)
}

/// The table with this content: one that is there, or a new one with the name of the variable.
fn table(m: &mut Module, f: &Function, local: Local, bits: Vec<u64>) -> Global {
    let data = &f.locals[local];
    let kind = GlobalKind::Table(data.ty, bits);
    if let Some((known, _)) = m.globals.iter().find(|(_, g)| g.kind == kind && !g.precise) {
        return known;
    }
    let stem = format!("{}.{}", f.name, data.name);
    let taken = |name: &str| m.globals.values().any(|g| g.symbol == name);
    let numbered = (1..).map(|n| format!("{stem}.{n}")).find(|name| !taken(name));
    let symbol = if taken(&stem) { numbered.unwrap_or_default() } else { stem };
    m.globals.push(GlobalData { name: symbol.clone(), symbol, kind, decorations: Vec::new(), span: Span::NONE, precise: false })
}

// Rows --------------------------------------------------------------------------------------------

/// The elements of an array as elements of a constant buffer, whole or by components: the part of indices `i` is in row
/// `base + sum of i[n] * strides[n]`. The rows of matrices in the order of columns have each component in another row.
struct Rows {
    handle: Value,
    /// The parts of an element: all of it, or each component.
    parts: SmallVec<[Part; 4]>,
    strides: SmallVec<[i64; 2]>,
    /// The elements' components.
    scalar: Scalar,
}

/// An element, or a component of it.
struct Part {
    /// One of the loads whose results are stored.
    read: Inst,
    /// The byte of the row.
    byte: u32,
    /// Which component of what is loaded it is; none: all of it.
    component: Option<u32>,
    /// The row of the element whose indices are zero.
    base: i64,
}

/// The rows of stored elements, by their indices.
type Offsets = FxHashMap<SmallVec<[u32; 2]>, i64>;

/// What the stores of an array have in common.
#[derive(Default)]
struct Reads {
    handle: Option<Value>,
    parts: SmallVec<[Part; 4]>,
    /// For each part.
    known: SmallVec<[Offsets; 4]>,
}

impl Reads {
    /// The rows of the parts of `value`, if it is read as the values of earlier stores are.
    fn add(&mut self, f: &Function, value: Value) -> Option<SmallVec<[Value; 4]>> {
        let (mut rows, first) = (SmallVec::new(), self.handle.is_none());
        let def = f.def_inst(value)?;
        let parts: SmallVec<[(Inst, Option<u32>); 4]> = match f.insts[def] {
            InstData::Many { op: Opcode::construct, args, .. } => f.get(args).iter().map(|&v| component(f, v)).collect::<Option<_>>()?,
            InstData::Many { op: Opcode::extract, .. } => SmallVec::from_slice(&[component(f, value)?]),
            _ => SmallVec::from_slice(&[(def, None)]),
        };
        for (n, &(read, component)) in parts.iter().enumerate() {
            let InstData::Many { op: Opcode::cbuf_load, imm: byte, args } = f.insts[read] else { return None };
            let &[handle, row] = f.get(args) else { return None };
            if first {
                self.parts.push(Part { read, byte, component, base: 0 });
                self.known.push(Offsets::default());
            }
            let part = self.parts.get(n)?;
            if *self.handle.get_or_insert(handle) != handle || (part.byte, part.component) != (byte, component) {
                return None;
            }
            rows.push(row);
        }
        (rows.len() == self.parts.len()).then_some(rows)
    }

    /// The rows, if elements are as far from each other in each part. `strides` has the dimensions' constant strides; dimensions
    /// without one have stores to their first two elements.
    fn rows(mut self, dims: &[u32], strides: &[Option<i64>], scalar: Scalar) -> Option<Rows> {
        let origin: SmallVec<[u32; 2]> = SmallVec::from_elem(0, dims.len());
        for (part, known) in self.parts.iter_mut().zip(&self.known) {
            part.base = *known.get(&origin)?;
        }
        let (first, base) = (self.known.first()?, self.parts.first()?.base);
        let mut all = SmallVec::<[i64; 2]>::new();
        for (d, &n) in dims.iter().enumerate() {
            all.push(match strides[d] {
                Some(stride) => stride,
                None if n == 1 => 0,
                None => {
                    let mut next = origin.clone();
                    next[d] = 1;
                    first.get(&next)? - base
                }
            });
        }
        let beyond = |at: &[u32]| at.iter().zip(&all).map(|(&n, s)| i64::from(n) * s).sum::<i64>();
        let fits = self.parts.iter().zip(&self.known).all(|(p, known)| known.iter().all(|(at, &row)| p.base + beyond(at) == row));
        fits.then_some(Rows { handle: self.handle?, parts: self.parts, strides: all, scalar })
    }
}

/// The load of a vector that `v` is a component of, and its number.
fn component(f: &Function, v: Value) -> Option<(Inst, Option<u32>)> {
    let InstData::Many { op: Opcode::extract, imm, args } = f.insts[f.def_inst(v)?] else { return None };
    Some((f.def_inst(f.get(args)[0])?, Some(imm)))
}

/// The numbers of elements of an array, and the elements' type.
fn dimensions(m: &Module, f: &Function, array: &Array) -> (SmallVec<[u32; 2]>, Type) {
    let (mut elem, mut dims) = (f.locals[array.local].ty, SmallVec::new());
    while let TypeKind::Array(e, n) = m.types.kind(elem) {
        dims.push(n);
        elem = e;
    }
    (dims, elem)
}

impl Rows {
    fn new(m: &Module, f: &Function, array: &Array) -> Option<Rows> {
        let (dims, elem) = dimensions(m, f, array);
        let (scalar, _) = m.types.numeric(elem)?;
        let mut reads = Reads::default();
        for &i in &array.stores {
            let (steps, value) = stored(f, i)?;
            let indices =
                steps.iter().map(|s| if let Step::At(n) = s { Some(*n) } else { None }).collect::<Option<SmallVec<[u32; 2]>>>()?;
            if f.ty(value) != elem || indices.len() != dims.len() {
                return None;
            }
            let rows = reads.add(f, value)?;
            for (known, row) in reads.known.iter_mut().zip(rows) {
                known.insert(indices.clone(), i64::from(f.as_const(row)? as u32));
            }
        }
        let whole = u64::try_from(reads.known.first()?.len()).ok()? == dims.iter().map(|&n| u64::from(n)).product::<u64>();
        reads.rows(&dims, &SmallVec::<[_; 2]>::from_elem(None, dims.len()), scalar).filter(|_| whole)
    }

    /// Whether all loads can be of the buffer: of elements, or of components with constant numbers.
    fn serve(&self, f: &Function, array: &Array) -> bool {
        array.loads.iter().all(|&(_, i)| {
            let InstData::Access { place, args, .. } = f.insts[i] else { return false };
            let (indices, component) = f.places[place].steps.split_at(self.strides.len().min(f.places[place].steps.len()));
            let words = f.get(args).iter().all(|&v| f.ty(v) == Type::I32);
            indices.len() == self.strides.len() && words && matches!(component, [] | [Step::At(_)])
        })
    }

    /// Makes load `i` one of the buffer.
    fn load(&self, m: &mut Module, f: &mut Function, region: Region, i: Inst) {
        let InstData::Access { place, args, .. } = f.insts[i] else { return };
        let steps = f.places[place].steps.clone();
        let mut computed = f.get(args).to_vec().into_iter();
        let at = f.regions[region].insts.iter().position(|&known| known == i).unwrap_or_default();
        let rest = f.regions[region].insts.split_off(at);
        let mut b = Builder::at(&mut m.types, f, region);
        b.span = b.func.spans[i];
        let (mut offset, mut sum) = (0, None);
        for (step, &stride) in steps.iter().zip(&self.strides) {
            let index = match step {
                Step::At(n) => {
                    offset += i64::from(*n) * stride;
                    continue;
                }
                Step::Dyn => computed.next(),
            };
            let Some(index) = index.filter(|_| stride != 0) else { continue };
            let term = if stride == 1 {
                index
            } else {
                let stride = number(&mut b, stride);
                b.binary(Opcode::imul, index, stride)
            };
            sum = Some(match sum {
                Some(sum) => b.binary(Opcode::iadd, sum, term),
                None => term,
            });
        }
        let component = steps.get(self.strides.len()).and_then(|s| if let Step::At(n) = *s { Some(n) } else { None });
        let at_row = Position { handle: self.handle, sum, offset };
        if let [Part { read, byte, component: None, base }] = self.parts[..] {
            let byte = byte + component.unwrap_or(0) * self.scalar.bits() / 8;
            let row = at_row.row(&mut b, base);
            let args = f.list(&[self.handle, row]);
            f.insts[i] = InstData::Many { op: Opcode::cbuf_load, imm: byte, args };
            // It follows the same reorder points as what was read first, since the function has none.
            f.inherit_own(i, read);
        } else if let Some(part) = self.parts.get(component.unwrap_or(0) as usize).filter(|_| component.is_some() || self.parts.len() == 1)
        {
            let read = at_row.load(&mut b, part);
            let args = f.list(&[read]);
            f.insts[i] = InstData::Many { op: Opcode::extract, imm: part.component.unwrap_or(0), args };
        } else {
            let mut all = SmallVec::<[Value; 4]>::new();
            for part in &self.parts {
                let read = at_row.load(&mut b, part);
                all.push(b.extract(read, part.component.unwrap_or(0)));
            }
            let args = f.list(&all);
            f.insts[i] = InstData::Many { op: Opcode::construct, imm: 0, args };
        }
        f.regions[region].insts.extend(rest);
    }
}

fn number(b: &mut Builder<'_>, n: i64) -> Value {
    b.func.const_bits(Type::I32, u64::from(n as u32))
}

/// An element of a constant buffer: `sum + offset` rows after the first.
struct Position {
    handle: Value,
    sum: Option<Value>,
    offset: i64,
}

impl Position {
    /// The number of the row, of which `base` is the first.
    fn row(&self, b: &mut Builder<'_>, base: i64) -> Value {
        let base = base + self.offset;
        let constant = number(b, base);
        match self.sum {
            Some(sum) if base == 0 => sum,
            Some(sum) => b.binary(Opcode::iadd, sum, constant),
            None => constant,
        }
    }

    /// Loads what a part is a component of.
    fn load(&self, b: &mut Builder<'_>, part: &Part) -> Value {
        let row = self.row(b, part.base);
        let ty = b.func.ty(b.func.result(part.read));
        let load = b.many(Opcode::cbuf_load, part.byte, &[self.handle, row], &[ty]);
        b.func.inherit_own(load, part.read);
        b.func.result(load)
    }
}
