//! `merge_loads`: load vectorisation. Loads of neighbouring components of a raw or structured buffer become one wide load.
//!
//! Loads of a region belong together if they read components of one type from one handle, one element and one sum of addresses, at
//! constant offsets. A run of them that leaves no gap and fits into the components of one operation is loaded where its first load was,
//! and its values are extracted from the result. So the others move up to the first: between them is nothing that may write what they
//! read (effects say), no reorder point, no shader that runs (the values would be live across it), no loop, and nothing that may leave
//! the region: they are executed whenever the first is. Buffers that other threads may write at any time (`globallycoherent`,
//! `reordercoherent`, rasteriser-ordered) stay as they are, and loads with a residency status.
//!
//! What is out of bounds gives the same values, because no component leaves the range in which it is checked:
//!
//! * A structured buffer is checked by its index: an element is inside as a whole or gives zeros (Direct3D 11.3 functional specification,
//!   `ld_structured`). An offset beyond the stride gives something undefined, so only constant offsets are merged, and within the stride.
//! * A raw buffer is checked for each word (the same, `ld_raw`). But the sum of an address wraps and the components of one load are not
//!   said to: after bytes -4 to -1, which are out of bounds, byte 0 is inside. So the run must not wrap, which its alignment shows (16
//!   bytes at a multiple of 16), or the range of its address.
//!
//! This is for DXIL: in SPIR-V, a load that spans several members of a structure has no access path.

use rtc_base::{EntitySet, SecondaryMap, Span};
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Region, Scalar, Value, effects};
use rtc_tables::resources::{LOAD_STATUS, ResourceFlags};
use smallvec::SmallVec;

use crate::ranges::Ranges;
use crate::util::{Rename, all_regions, each_function};
use crate::{Changed, PassCtx, PassError, reorder_audit};

/// The components of one load in DXIL.
const MAX_LANES: u32 = 4;
/// How many groups of loads are open at a time: more are as good as never in one region.
const MAX_GROUPS: usize = 64;
/// How many instructions are looked at to see of what an address is the sum.
const MAX_SUMMANDS: u32 = 12;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

fn function(m: &mut Module, f: &mut Function) -> bool {
    let loads = f.insts.values().filter(|d| matches!(d.op(), Opcode::buf_load | Opcode::raw_load));
    if loads.take(2).count() < 2 {
        return false;
    }
    let mut finder = Finder { m, f, inside: SecondaryMap::new(), groups: Vec::new(), ranges: None, runs: Vec::new() };
    for r in all_regions(f).into_iter().rev() {
        finder.region(r);
    }
    let runs = finder.runs;
    if runs.is_empty() {
        return false;
    }
    rewrite(m, f, runs);
    true
}

/// What loads have in common that may be merged.
#[derive(PartialEq, Eq)]
struct Key {
    handle: Value,
    /// The element of a structured buffer.
    element: Option<Value>,
    /// What is added to the constant in the address in a raw buffer.
    terms: Terms,
    scalar: Scalar,
}

/// Values times constants.
type Terms = SmallVec<[(Value, u32); 2]>;

#[derive(Clone, Copy)]
struct Load {
    inst: Inst,
    /// Its number in its region.
    at: usize,
    /// The constant part of its address. It is negative if that is nearer.
    offset: i64,
    lanes: u32,
}

/// Loads with one key between which nothing writes.
struct Group {
    key: Key,
    loads: SmallVec<[Load; 4]>,
    /// The buffer may be written.
    mutable: bool,
}

/// Loads that become one, in the order of their offsets.
struct Run {
    region: Region,
    /// The number in the region of the first that is executed.
    at: usize,
    loads: SmallVec<[Load; 4]>,
    scalar: Scalar,
    /// The bytes of a component.
    bytes: i64,
    /// The components of all.
    lanes: u32,
}

struct Finder<'a> {
    m: &'a Module,
    f: &'a Function,
    /// The effects of what each region has inside. What may leave a construct in it counts as leaving the region.
    inside: SecondaryMap<Region, Effects>,
    /// The open groups.
    groups: Vec<Group>,
    /// Computed where it is needed.
    ranges: Option<Ranges>,
    runs: Vec<Run>,
}

impl Finder<'_> {
    /// Finds the runs of a region. Those inside come first.
    fn region(&mut self, r: Region) {
        let (m, f) = (self.m, self.f);
        let mut inside = Effects::empty();
        for (at, &i) in f.regions[r].insts.iter().enumerate() {
            let mut e = effects::of_inst(m, f, i);
            if matches!(f.op(i), Opcode::yield_ | Opcode::next | Opcode::next_if) {
                e -= Effects::TERMINATES;
            }
            f.regions_of(i).iter().for_each(|&r| e |= self.inside[r]);
            inside |= e;
            if !self.groups.is_empty() {
                let ends = Effects::TERMINATES | Effects::REORDERS | Effects::RUNS_SHADERS;
                if e.intersects(ends) || matches!(f.insts[i], InstData::Loop { .. }) {
                    self.close(r, |_| true);
                } else if e.intersects(Effects::WRITES_MEM) {
                    self.close(r, |g| g.mutable);
                }
            }
            if let Some((key, load)) = self.load(i, at) {
                self.add(r, key, load, e.intersects(Effects::READS_MEM));
            }
        }
        self.close(r, |_| true);
        if !inside.is_empty() {
            self.inside[r] = inside;
        }
    }

    /// A load that may be merged with others.
    fn load(&self, i: Inst, at: usize) -> Option<(Key, Load)> {
        let f = self.f;
        let InstData::Many { op: op @ (Opcode::buf_load | Opcode::raw_load), imm, args } = f.insts[i] else {
            return None;
        };
        let args = f.get(args);
        let resource = self.m.types.as_resource(f.ty(args[0]))?;
        let shared = ResourceFlags::COHERENT | ResourceFlags::REORDER_COHERENT | ResourceFlags::ROV;
        if imm & LOAD_STATUS != 0 || resource.flags.intersects(shared) {
            return None;
        }
        let (scalar, lanes) = self.m.types.numeric(f.ty(f.result(i)))?;
        if lanes > MAX_LANES {
            return None;
        }
        let mut key = Key { handle: args[0], element: None, terms: Terms::new(), scalar };
        let offset = if op == Opcode::buf_load {
            key.element = Some(args[1]);
            let offset = f.as_const(args[2])? as u32;
            let end = u64::from(offset) + u64::from(lanes * self.bytes(scalar));
            (end <= u64::from(resource.stride)).then_some(offset.into())?
        } else {
            let mut sum = Sum { f, terms: Terms::new(), constant: 0, budget: MAX_SUMMANDS };
            sum.add(args[1], 1);
            sum.terms.retain(|t| t.1 != 0);
            sum.terms.sort_unstable();
            key.terms = sum.terms;
            if key.terms.is_empty() { sum.constant.into() } else { (sum.constant as i32).into() }
        };
        Some((key, Load { inst: i, at, offset, lanes }))
    }

    /// How many bytes of a buffer a component takes.
    fn bytes(&self, s: Scalar) -> u32 {
        match s {
            Scalar::Bool => 4,
            Scalar::F16 | Scalar::I16 if !self.m.native_16bit => 4,
            s => s.bytes(),
        }
    }

    fn add(&mut self, r: Region, key: Key, load: Load, mutable: bool) {
        if let Some(g) = self.groups.iter_mut().rev().find(|g| g.key == key) {
            return g.loads.push(load);
        }
        if self.groups.len() == MAX_GROUPS {
            let oldest = self.groups.remove(0);
            self.divide(r, oldest);
        }
        self.groups.push(Group { key, loads: SmallVec::from_slice(&[load]), mutable });
    }

    /// Closes groups: what follows is not merged with what they have.
    fn close(&mut self, r: Region, which: impl Fn(&Group) -> bool) {
        for g in self.groups.extract_if(.., |g| which(g)).collect::<SmallVec<[Group; 4]>>() {
            self.divide(r, g);
        }
    }

    /// Divides a group into runs.
    fn divide(&mut self, region: Region, g: Group) {
        let Group { key, mut loads, .. } = g;
        if loads.len() < 2 {
            return;
        }
        let bytes = i64::from(self.bytes(key.scalar));
        loads.sort_unstable_by_key(|l| (l.offset, l.at));
        let mut rest = &loads[..];
        while let [first, others @ ..] = rest {
            let start = first.offset;
            let mut end = start + bytes * i64::from(first.lanes);
            let mut count = 1;
            for l in others {
                let longer = end.max(l.offset + bytes * i64::from(l.lanes));
                let joins = l.offset <= end && (l.offset - start) % bytes == 0 && longer - start <= bytes * i64::from(MAX_LANES);
                if !joins || longer > end && !self.stays(&key, first, longer) {
                    break;
                }
                end = longer;
                count += 1;
            }
            let (run, after) = rest.split_at(count);
            rest = after;
            if let Some(at) = run.iter().map(|l| l.at).min().filter(|_| count > 1) {
                let lanes = ((end - start) / bytes) as u32;
                self.runs.push(Run { region, at, loads: SmallVec::from_slice(run), scalar: key.scalar, bytes, lanes });
            }
        }
    }

    /// Whether the addresses from that of `first` to offset `end` do not wrap. Those in a structured buffer are inside of its stride.
    fn stays(&mut self, key: &Key, first: &Load, end: i64) -> bool {
        let beyond = 1 << 32;
        if key.terms.is_empty() {
            return end <= beyond;
        }
        let zeros = key.terms.iter().map(|&(v, by)| by.trailing_zeros() + trailing_zeros(self.f, v)).min();
        let aligned = 1i64 << zeros.unwrap_or(0).min(32);
        if first.offset.rem_euclid(aligned) + (end - first.offset) <= aligned {
            return true;
        }
        let (m, f) = (self.m, self.f);
        let ranges = self.ranges.get_or_insert_with(|| Ranges::of(&m.types, f));
        let range = ranges.at(f.operands(first.inst)[1], first.inst);
        !range.is_empty() && i64::from(range.umax) + (end - first.offset) <= beyond
    }
}

/// The bits at the low end of `v` that are 0, as far as the instruction says that computes it.
fn trailing_zeros(f: &Function, v: Value) -> u32 {
    match f.def_inst(v).map(|i| f.insts[i]) {
        Some(InstData::Binary { op: Opcode::and, args: [_, mask] }) => f.as_const(mask).map_or(0, |c| (c as u32).trailing_zeros()),
        _ => 0,
    }
}

/// An address as a sum.
struct Sum<'a> {
    f: &'a Function,
    terms: Terms,
    constant: u32,
    budget: u32,
}

impl Sum<'_> {
    /// Adds `v` times `by`, split as far as it consists of sums and of products with constants.
    fn add(&mut self, v: Value, by: u32) {
        let f = self.f;
        if let Some(c) = f.as_const(v) {
            self.constant = self.constant.wrapping_add((c as u32).wrapping_mul(by));
            return;
        }
        if let (Some(InstData::Binary { op, args: [a, b] }), Some(left)) = (f.def_inst(v).map(|i| f.insts[i]), self.budget.checked_sub(1)) {
            self.budget = left;
            let c = f.as_const(b).map(|c| c as u32);
            match (op, c) {
                (Opcode::iadd, _) => {
                    self.add(a, by);
                    return self.add(b, by);
                }
                (Opcode::isub, _) => {
                    self.add(a, by);
                    return self.add(b, by.wrapping_neg());
                }
                (Opcode::imul, Some(c)) => return self.add(a, by.wrapping_mul(c)),
                (Opcode::shl, Some(c)) if c < 32 => return self.add(a, by << c),
                _ => {}
            }
        }
        match self.terms.iter_mut().find(|t| t.0 == v) {
            Some(t) => t.1 = t.1.wrapping_add(by),
            None => self.terms.push((v, by)),
        }
    }
}

/// Replaces each run by a wide load.
fn rewrite(m: &mut Module, f: &mut Function, mut runs: Vec<Run>) {
    runs.sort_by_key(|r| (r.region, r.at));
    let mut rename = Rename::new();
    let mut replaced: EntitySet<Inst> = EntitySet::new();
    let of_regions = || runs.chunk_by(|a, b| a.region == b.region);
    for all in of_regions() {
        let old = std::mem::take(&mut f.regions[all[0].region].insts);
        let mut new = Vec::with_capacity(old.len() + 4 * all.len());
        let mut done = 0;
        for run in all {
            new.extend_from_slice(&old[done..run.at]);
            done = run.at;
            widen(m, f, run, &mut new, &mut rename);
            replaced.extend(run.loads.iter().map(|l| l.inst));
        }
        new.extend_from_slice(&old[done..]);
        f.regions[all[0].region].insts = new;
    }
    rename.apply(f);
    // The audit compares places, so the replaced loads are in theirs until then.
    reorder_audit::check_merges(m, f);
    for all in of_regions() {
        f.regions[all[0].region].insts.retain(|&i| !replaced.contains(i));
    }
}

/// Appends a wide load and what is extracted from it to `out`.
fn widen(m: &mut Module, f: &mut Function, run: &Run, out: &mut Vec<Inst>, rename: &mut Rename) {
    let Some(first) = run.loads.iter().min_by_key(|l| l.at) else { return };
    let (lowest, span) = (run.loads[0], f.spans[first.inst]);
    let InstData::Many { op, args, .. } = f.insts[first.inst] else { return };
    let InstData::Many { imm, .. } = f.insts[lowest.inst] else { return };
    let mut args: SmallVec<[Value; 4]> = SmallVec::from_slice(f.get(args));
    if let (Some(address), true) = (args.last_mut(), first.offset != lowest.offset) {
        *address = moved(f, *address, (lowest.offset - first.offset) as u32, span, out);
    }
    let ty = if run.lanes == 1 { m.types.scalar(run.scalar) } else { m.types.vector(run.scalar, run.lanes) };
    let args = f.list(&args);
    let wide = f.make(InstData::Many { op, imm, args }, &[ty], span);
    f.inherit_own(wide, first.inst);
    out.push(wide);
    let all = f.result(wide);
    let elem = m.types.scalar(run.scalar);
    let mut parts: [Option<Value>; MAX_LANES as usize] = [None; MAX_LANES as usize];
    for l in &run.loads {
        let from = ((l.offset - lowest.offset) / run.bytes) as u32;
        let mut part = |f: &mut Function, out: &mut Vec<Inst>, n: u32| {
            *parts[n as usize].get_or_insert_with(|| {
                let args = f.list(&[all]);
                let i = f.make(InstData::Many { op: Opcode::extract, imm: n, args }, &[elem], span);
                out.push(i);
                f.result(i)
            })
        };
        let value = if l.lanes == run.lanes {
            all
        } else if l.lanes == 1 {
            part(f, out, from)
        } else {
            let lanes: SmallVec<[Value; 4]> = (from..from + l.lanes).map(|n| part(f, out, n)).collect();
            let args = f.list(&lanes);
            let ty = f.ty(f.result(l.inst));
            let i = f.make(InstData::Many { op: Opcode::construct, imm: 0, args }, &[ty], span);
            out.push(i);
            f.result(i)
        };
        f.note_merged(l.inst, wide);
        rename.set(f.result(l.inst), value);
    }
}

/// The address `by` bytes after `address`; what computes it is appended to `out`.
fn moved(f: &mut Function, address: Value, by: u32, span: Span, out: &mut Vec<Inst>) -> Value {
    if let Some(c) = f.as_const(address) {
        return f.const_u32((c as u32).wrapping_add(by));
    }
    let (base, by) = match f.def_inst(address).map(|i| f.insts[i]) {
        Some(InstData::Binary { op: Opcode::iadd, args: [a, b] }) if f.as_const(b).is_some() => {
            (a, by.wrapping_add(f.as_const(b).unwrap_or(0) as u32))
        }
        _ => (address, by),
    };
    if by == 0 {
        return base;
    }
    let by = f.const_u32(by);
    let ty = f.ty(base);
    let i = f.make(InstData::Binary { op: Opcode::iadd, args: [base, by] }, &[ty], span);
    out.push(i);
    f.result(i)
}
