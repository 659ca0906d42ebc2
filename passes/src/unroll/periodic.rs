//! Loop strip-mining by the period of indices: a loop of a number of iterations that is not known chooses elements of what another shader passes in turn.
//!
//! Drivers keep payloads, parameters of callable shaders and hit attributes in registers only while each access names its element ([`super::small`]). Where a loop
//! of any number of iterations accesses element `i % N`, `(i + 1) & 7` or `i` of an array, each N-th iteration accesses the same one:
//!
//! ```text
//!  loop i := 0 {                            loop i := 0 {
//!    if !(i < n) break                        i = loop i := i, j := 0 {
//!    p.a[i % 4] = …                 →           if !(i < n) break both
//!  } continuing i { next i + 1 }                p.a[j % 4] = …
//!                                             } continuing i, j { next i + 1, j + 1 if j + 1 < 4, else leave with i + 1 }
//!                                           } continuing i { next i }
//! ```
//!
//! The inner loop has a number of iterations that is known, and is unrolled. An index that is not bounded by a remainder is inside of the array in the first period alone; what later ones
//! access is undefined in the source. A remainder by a number that is no power of two has a period as long as the induction variable does not wrap, which is for 2^32 iterations.

use rtc_ir::analysis::{Exits, RegionTree};
use rtc_ir::{Function, Hint, Inst, InstData, Module, Opcode, PlaceData, Region, Root, Slot, Step, Type, TypeKind, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::copy::copy_iterations;
use super::cost::{MAX_INTERFACE_COPIES, MAX_INTERFACE_ITERATIONS, MAX_STEPS, is_passed, size};
use super::count::count;
use super::size_of;
use crate::util::all_regions;

/// How many additions an index is followed through.
const MAX_ADDITIONS: u32 = 8;

/// An index that repeats: `(p + offset) % modulus`, or without a remainder.
#[derive(Clone, Copy)]
struct Index {
    offset: u32,
    remainder: Option<(Opcode, u32)>,
}

/// An access of a loop: its operands that choose elements, and what they are.
struct Access {
    inst: Inst,
    indices: SmallVec<[(usize, Index); 2]>,
}

/// A loop that is divided.
struct Periodic {
    inst: Inst,
    start: u32,
    step: u32,
    period: u32,
    accesses: Vec<Access>,
}

/// An array of what another shader passes: the variable, and the constant path to the array.
type Array = (Slot, SmallVec<[u32; 4]>);

/// Divides and unrolls such loops of `f`, unless something else chooses from the same arrays. At most `budget` instructions are made; returns how many.
pub(super) fn function(m: &mut Module, f: &mut Function, budget: usize) -> usize {
    let mut all: FxHashMap<Array, usize> = FxHashMap::default();
    f.for_each_inst(f.body, |_, i| {
        if let Some(array) = chosen_from(f, i) {
            *all.entry(array).or_default() += 1;
        }
    });
    if all.is_empty() {
        return 0;
    }
    let exits = Exits::of(f);
    let mut found: Vec<Periodic> = Vec::new();
    for r in all_regions(f) {
        for &i in &f.regions[r].insts {
            if matches!(f.insts[i], InstData::Loop { .. }) && f.hints[i] == Hint::None {
                found.extend(periodic(m, f, &exits, i));
            }
        }
    }
    // An array from which something else chooses gets a copy anyway. A loop that stays may be that for another one.
    loop {
        let mut left = all.clone();
        for array in found.iter().flat_map(|p| &p.accesses).filter_map(|a| chosen_from(f, a.inst)) {
            left.entry(array).and_modify(|n| *n -= 1);
        }
        let before = found.len();
        found.retain(|p| p.accesses.iter().all(|a| chosen_from(f, a.inst).is_some_and(|array| left[&array] == 0)));
        if found.len() == before {
            break;
        }
    }
    let made: usize = found.iter().map(|p| size_of(f, p.inst).saturating_mul(p.period as usize)).sum();
    if made > budget {
        return 0;
    }
    for p in found {
        let inner = divide(m, f, &p);
        if let Some(counted) = count(m, f, inner, MAX_INTERFACE_ITERATIONS, MAX_STEPS) {
            copy_iterations(m, f, inner, &counted.iterations);
        }
    }
    made
}

/// The array of what another shader passes from which access `i` chooses an element at run time.
fn chosen_from(f: &Function, i: Inst) -> Option<Array> {
    let InstData::Access { place, .. } = f.insts[i] else { return None };
    let PlaceData { root: Root::Slot(slot), steps } = &f.places[place] else { return None };
    let path: SmallVec<[u32; 4]> = steps.iter().map_while(|s| if let Step::At(n) = *s { Some(n) } else { None }).collect();
    (is_passed(f.slots[*slot].role) && path.len() < steps.len()).then_some((*slot, path))
}

/// What is periodic in loop `i`, if all elements that it chooses are.
fn periodic(m: &Module, f: &Function, exits: &Exits, i: Inst) -> Option<Periodic> {
    let InstData::Loop { init, body, continuing } = f.insts[i] else { return None };
    size(m, f, i)?;
    let &[next] = &exits.nexts[i] else { return None };
    if f.terminator(continuing) != Some(next) || exits.continues[i].is_empty() {
        return None;
    }
    let again = f.operands(next)[usize::from(f.op(next) == Opcode::next_if)..].to_vec();
    (0..f.regions[body].params.len()).find_map(|n| {
        let (p, q) = (f.regions[body].params[n], f.regions[continuing].params.iter());
        let start = f.as_const(*f.get(init).get(n)?).filter(|_| f.ty(p) == Type::I32)? as u32;
        // What the next iteration has more: one continuing parameter leads to it.
        let step = q.enumerate().find_map(|(k, &q)| {
            let more = offset(f, *again.get(n)?, q)?;
            let mut given = exits.continues[i].iter().map(|&e| f.operands(e).get(k).and_then(|&v| offset(f, v, p)));
            let first = given.next()??;
            given.all(|o| o == Some(first)).then_some(first.wrapping_add(more))
        })?;
        let accesses = accesses(f, body, continuing, p, start)?;
        let period = period(m, f, start, step, &accesses)?;
        let within = size_of(f, i).saturating_mul(period as usize) <= MAX_INTERFACE_COPIES;
        within.then_some(Periodic { inst: i, start, step, period, accesses })
    })
}

/// What `v` is more than `base`.
fn offset(f: &Function, mut v: Value, base: Value) -> Option<u32> {
    let mut sum = 0u32;
    for _ in 0..MAX_ADDITIONS {
        if v == base {
            return Some(sum);
        }
        let InstData::Binary { op, args: [a, b] } = f.insts[f.def_inst(v)?] else { return None };
        let constant = |x: Value| f.as_const(x).map(|bits| bits as u32);
        (v, sum) = match (op, constant(a), constant(b)) {
            (Opcode::iadd, None, Some(k)) => (a, sum.wrapping_add(k)),
            (Opcode::iadd, Some(k), None) => (b, sum.wrapping_add(k)),
            (Opcode::isub, None, Some(k)) => (a, sum.wrapping_sub(k)),
            _ => return None,
        };
    }
    None
}

/// The accesses of a loop that choose elements, all by `p`; `None` if one does otherwise, or there are none.
fn accesses(f: &Function, body: Region, continuing: Region, p: Value, start: u32) -> Option<Vec<Access>> {
    let mut out = Vec::new();
    let mut all = true;
    f.for_each_inst(body, |_, i| {
        let InstData::Access { place, args, .. } = f.insts[i] else { return };
        if chosen_from(f, i).is_none() {
            return;
        }
        let chosen = f.get(args)[..f.places[place].dyn_count()].iter().enumerate().filter(|(_, v)| f.as_const(**v).is_none());
        let indices: Option<SmallVec<_>> = chosen.map(|(n, &v)| Some((n, index(f, v, p, start)?))).collect();
        all &= indices.is_some();
        out.extend(indices.map(|indices| Access { inst: i, indices }));
    });
    f.for_each_inst(continuing, |_, i| all &= chosen_from(f, i).is_none());
    (all && !out.is_empty()).then_some(out)
}

/// `v` as an index that repeats with `p`, which is `start` at first.
fn index(f: &Function, v: Value, p: Value, start: u32) -> Option<Index> {
    if let Some(offset) = offset(f, v, p) {
        return Some(Index { offset, remainder: None });
    }
    let InstData::Binary { op: op @ (Opcode::urem | Opcode::srem | Opcode::and), args: [a, b] } = f.insts[f.def_inst(v)?] else {
        return None;
    };
    let n = f.as_const(b)? as u32;
    let offset = offset(f, a, p)?;
    // Below 0 a remainder does not go on as it begins.
    let natural = (start as i32) >= 0 && start.wrapping_add(offset) as i32 >= 0;
    let repeats = match op {
        Opcode::and => n.wrapping_add(1).is_power_of_two(),
        _ => n > 0 && n <= MAX_INTERFACE_ITERATIONS && natural,
    };
    repeats.then_some(Index { offset, remainder: Some((op, n)) })
}

/// After how many iterations all indices repeat, or are outside of what they choose from.
fn period(m: &Module, f: &Function, start: u32, step: u32, accesses: &[Access]) -> Option<u32> {
    fn gcd(a: u32, b: u32) -> u32 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    if step == 0 || step > MAX_INTERFACE_ITERATIONS {
        return None;
    }
    let (mut repeats, mut inside) = (1u32, 1u32);
    for a in accesses {
        let InstData::Access { place, .. } = f.insts[a.inst] else { return None };
        for &(n, index) in &a.indices {
            match index.remainder {
                Some((op, n)) => {
                    let n = if op == Opcode::and { n.wrapping_add(1) } else { n };
                    let own = if n == 0 { return None } else { n / gcd(n, step) };
                    repeats = repeats.checked_mul(own / gcd(own, repeats))?;
                }
                None => {
                    let first = i64::from(start.wrapping_add(index.offset) as i32);
                    let left = i64::from(length(m, f, &f.places[place], n)?) - first;
                    inside = inside.max(u32::try_from(left.max(1)).ok()?.div_ceil(step));
                }
            }
        }
    }
    let period = repeats.checked_mul(inside.div_ceil(repeats))?;
    (period > 1 && period <= MAX_INTERFACE_ITERATIONS).then_some(period)
}

/// How many elements the `n`th step of a place that takes an index chooses from.
fn length(m: &Module, f: &Function, place: &PlaceData, n: usize) -> Option<u32> {
    let Root::Slot(slot) = place.root else { return None };
    let (mut ty, mut seen) = (f.slots[slot].ty, 0);
    for step in &place.steps {
        if *step == Step::Dyn {
            if seen == n {
                return match m.types.kind(ty) {
                    TypeKind::Array(_, len) | TypeKind::Vector(_, len) => Some(len),
                    _ => None,
                };
            }
            seen += 1;
        }
        ty = m.part(ty, if let Step::At(n) = *step { Some(n) } else { None })?;
    }
    None
}

/// Makes the loop one of periods, and returns the loop inside of it.
fn divide(m: &mut Module, f: &mut Function, p: &Periodic) -> Inst {
    let InstData::Loop { init, body, continuing } = f.insts[p.inst] else { rtc_base::bug!("a loop is divided") };
    let (tree, exits, span) = (RegionTree::of(f), Exits::of(f), f.spans[p.inst]);
    let [outer, between] = [f.add_region(), f.add_region()];
    let state: Vec<Type> = f.regions[body].params.iter().map(|&v| f.ty(v)).collect();
    let (at_start, at_next): (Vec<Value>, Vec<Value>) = state.iter().map(|&t| (f.add_param(outer, t), f.add_param(between, t))).unzip();
    // What left the loop leaves both.
    for &e in &exits.leave[p.inst] {
        if let InstData::Exit { op: Opcode::break_, target, .. } = &mut f.insts[e] {
            *target = Some(outer).into();
        }
    }
    let (count, passed) = (f.add_param(body, Type::I32), f.add_param(continuing, Type::I32));
    for &e in &exits.continues[p.inst] {
        let mut args = f.operands(e).to_vec();
        args.push(count);
        let list = f.list(&args);
        if let InstData::Exit { args, .. } = &mut f.insts[e] {
            *args = list;
        }
    }
    let next = exits.nexts[p.inst][0];
    let args = f.operands(next).to_vec();
    f.regions[continuing].insts.pop();
    let mut b = rtc_ir::Builder::at(&mut m.types, f, continuing);
    b.span = span;
    let again = if b.func.op(next) == Opcode::next_if {
        let (stay, leave) = (b.func.add_region(), b.func.add_region());
        b.if_(args[0], stay, leave, &[]);
        b.region = stay;
        b.exit(Opcode::yield_, &[]);
        b.region = leave;
        b.exit_to(Opcode::break_, outer, &args[1 + state.len()..]);
        b.region = continuing;
        args[1..=state.len()].to_vec()
    } else {
        args
    };
    let (one, period) = (b.func.const_u32(1), b.func.const_u32(p.period));
    let more = b.binary(Opcode::iadd, passed, one);
    let goes_on = b.binary(Opcode::ult, more, period);
    let all: Vec<Value> = again.iter().copied().chain([more]).collect();
    b.next_if(goes_on, &all, &again);
    // Indices follow from the number of the iteration in its period.
    for a in &p.accesses {
        let Some(r) = tree.region(a.inst) else { continue };
        let at = b.func.regions[r].insts.iter().position(|&i| i == a.inst).unwrap_or(0);
        let following = b.func.regions[r].insts.split_off(at);
        b.region = r;
        b.span = b.func.spans[a.inst];
        let mut args = b.func.operands(a.inst).to_vec();
        for &(n, index) in &a.indices {
            let (step, first) = (b.func.const_u32(p.step), b.func.const_u32(p.start.wrapping_add(index.offset)));
            let steps = b.binary(Opcode::imul, count, step);
            let sum = b.binary(Opcode::iadd, steps, first);
            args[n] = match index.remainder {
                Some((op, n)) => {
                    let n = b.func.const_u32(n);
                    b.binary(op, sum, n)
                }
                None => sum,
            };
        }
        let list = b.func.list(&args);
        if let InstData::Access { args, .. } = &mut b.func.insts[a.inst] {
            *args = list;
        }
        b.func.regions[r].insts.extend(following);
    }
    // The loop around it.
    b.span = span;
    b.region = outer;
    let zero = b.func.const_u32(0);
    let begin: Vec<Value> = at_start.iter().copied().chain([zero]).collect();
    let inner = b.loop_(&begin, body, continuing, &state);
    let results = b.func.results(inner).to_vec();
    b.exit_to(Opcode::continue_, outer, &results);
    b.region = between;
    b.exit(Opcode::next, &at_next);
    f.insts[p.inst] = InstData::Loop { init, body: outer, continuing: between };
    for r in [outer, between] {
        f.regions[r].owner = Some(p.inst);
    }
    for r in [body, continuing] {
        f.regions[r].owner = Some(inner);
    }
    inner
}
