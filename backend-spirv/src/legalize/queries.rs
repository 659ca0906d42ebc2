//! Legalisation of ray queries: defines what SPIR-V leaves undefined and HLSL does not.
//!
//! HLSL lets a query proceed after its traversal has ended (there is no further candidate), be aborted at any time after
//! it was started, and report its distance before anything is committed (the ray's end). [`walk`] computes the possible states of each query at each
//! point, and only queries that are used outside of what SPIR-V defines get variables for the state of traversal and the end of the ray. The usual
//! loop, `while (q.Proceed())`, needs neither.

use rtc_base::{SecondaryMap, Span};
use rtc_ir::{Builder, Function, Inst, InstData, Local, Opcode as O, Region, Root, Slot, SlotRole, Type, TypeTable, Value};
use rtc_passes::queries::{Committed, Traversal, query_of, walk};

/// What a query needs to remember.
#[derive(Clone, Copy, Default)]
struct Needs {
    traversal: bool,
    end: bool,
}

/// Gives the ray queries of `f` the meaning that HLSL gives them.
pub fn run(types: &mut TypeTable, f: &mut Function) {
    if !f.slots.values().any(|s| s.role == SlotRole::RayQuery) {
        return;
    }
    let mut needs: SecondaryMap<Slot, Needs> = SecondaryMap::with_default(Needs::default());
    needs.resize(f.slots.len());
    walk(types, f, None, &mut |i, slot, known| {
        let (n, at) = (&mut needs[slot], known.traversal);
        match f.op(i) {
            O::ray_query_proceed => n.traversal |= at.contains(Traversal::OVER),
            O::ray_query_abort => n.traversal |= at.intersects(Traversal::STARTED | Traversal::OVER | Traversal::ENDED),
            O::ray_query_committed_ray_t => n.end |= known.committed.contains(Committed::NOTHING),
            _ => {}
        }
    });
    let slots: Vec<Slot> = f.slots.keys().filter(|&s| needs[s].traversal || needs[s].end).collect();
    if !slots.is_empty() {
        rewrite(types, f, &slots, &needs);
    }
}

/// The variables of a query.
#[derive(Clone, Copy)]
struct Memory {
    /// 0: started, 1: there is a candidate, 2: over.
    traversal: Option<Local>,
    end: Option<Local>,
}

fn rewrite(types: &mut TypeTable, f: &mut Function, slots: &[Slot], needs: &SecondaryMap<Slot, Needs>) {
    let mut memory: SecondaryMap<Slot, Option<Memory>> = SecondaryMap::new();
    for &slot in slots {
        let need = needs[slot];
        let traversal = need.traversal.then(|| f.add_local(Type::I32, "traversal"));
        let end = need.end.then(|| f.add_local(Type::F32, "ray end"));
        memory[slot] = Some(Memory { traversal, end });
    }
    let mut regions = Vec::new();
    f.for_each_region(f.body, |r| regions.push(r));
    for r in regions {
        let old = std::mem::take(&mut f.regions[r].insts);
        for i in old {
            let known = query_of(f, i).and_then(|slot| memory[slot]);
            match known {
                Some(m) => inst(types, f, r, i, m),
                None => f.regions[r].insts.push(i),
            }
        }
    }
}

fn inst(types: &mut TypeTable, f: &mut Function, r: Region, i: Inst, m: Memory) {
    let span = f.spans[i];
    match (f.op(i), m) {
        (O::ray_query_trace_ray_inline, _) => {
            let end = f.operands(i).last().copied();
            let zero = f.const_u32(0);
            f.regions[r].insts.push(i);
            if let Some(l) = m.traversal {
                at(types, f, r, span).store(Root::Local(l), &[], &[], zero);
            }
            if let (Some(l), Some(end)) = (m.end, end) {
                at(types, f, r, span).store(Root::Local(l), &[], &[], end);
            }
        }
        (O::ray_query_proceed, Memory { traversal: Some(l), .. }) => {
            let v = f.result(i);
            let (one, two, no) = (f.const_u32(1), f.const_u32(2), f.const_bool(false));
            let over = is(types, f, r, span, l, two);
            let (stop, step) = (f.add_region(), f.add_region());
            at(types, f, stop, span).exit(O::yield_, &[no]);
            let copy = f.append(step, f.insts[i], &[Type::BOOL], span);
            let more = f.result(copy);
            let mut b = at(types, f, step, span);
            let now = b.select(more, one, two);
            b.store(Root::Local(l), &[], &[], now);
            b.exit(O::yield_, &[more]);
            // The old instruction becomes the choice, so that its result keeps its number.
            f.insts[i] = InstData::If { cond: over, then_: stop, else_: step };
            for inner in [stop, step] {
                f.regions[inner].owner = Some(i);
            }
            debug_assert_eq!(f.result(i), v);
            f.regions[r].insts.push(i);
        }
        (O::ray_query_abort, Memory { traversal: Some(l), .. }) => {
            let (one, two) = (f.const_u32(1), f.const_u32(2));
            let candidate = is(types, f, r, span, l, one);
            let (end, leave) = (f.add_region(), f.add_region());
            f.regions[end].insts.push(i);
            at(types, f, end, span).exit(O::yield_, &[]);
            at(types, f, leave, span).exit(O::yield_, &[]);
            let mut b = at(types, f, r, span);
            b.if_(candidate, end, leave, &[]);
            b.store(Root::Local(l), &[], &[], two);
        }
        (O::ray_query_committed_ray_t, Memory { end: Some(l), .. }) => {
            let query = f.operands(i)[0];
            let zero = f.const_u32(0);
            let mut b = at(types, f, r, span);
            let status = b.many_value(O::ray_query_committed_status, 0, &[query], Type::I32);
            let some = b.binary(O::ine, status, zero);
            let (hit, miss) = (f.add_region(), f.add_region());
            let copy = f.append(hit, f.insts[i], &[Type::F32], span);
            let t = f.result(copy);
            at(types, f, hit, span).exit(O::yield_, &[t]);
            let mut b = at(types, f, miss, span);
            let end = b.load(Root::Local(l), &[], &[], Type::F32);
            b.exit(O::yield_, &[end]);
            f.insts[i] = InstData::If { cond: some, then_: hit, else_: miss };
            for inner in [hit, miss] {
                f.regions[inner].owner = Some(i);
            }
            f.regions[r].insts.push(i);
        }
        _ => f.regions[r].insts.push(i),
    }
}

fn at<'a>(types: &'a mut TypeTable, f: &'a mut Function, r: Region, span: Span) -> Builder<'a> {
    let mut b = Builder::at(types, f, r);
    b.span = span;
    b
}

/// Whether the variable is `value`.
fn is(types: &mut TypeTable, f: &mut Function, r: Region, span: Span, l: Local, value: Value) -> Value {
    let mut b = at(types, f, r, span);
    let now = b.load(Root::Local(l), &[], &[], Type::I32);
    b.binary(O::ieq, now, value)
}
