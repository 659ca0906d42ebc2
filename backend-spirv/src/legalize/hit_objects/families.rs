//! Storage allocation for hit objects: which of them share variables.
//!
//! Values between which hit objects flow (results and parameters of constructs, elements of arrays, the object before
//! and after its table index changed) form a *family*, as phi congruence classes do when SSA is destructed. If no other value of a family is live
//! whenever one is recorded, all of them are one object at a time, and one variable holds it: copies are names. Otherwise
//! the family has a *pool* of variables, and a value is the number of the variable that holds it: copies copy the
//! number, and a new object is recorded into a variable that no live value names.

use rtc_ir::{Function, Inst, InstData, Local, Opcode as O, Root, Type, TypeKind, TypeTable, Value};
use rustc_hash::FxHashMap;

use super::liveness::{is_hit, live_after, moves, records};

/// So many hit objects of a family may be alive at once: a word has a bit for each, and one is free.
pub(super) const MAX: u64 = 31;

/// Values that share storage.
#[derive(Clone, Debug, Default)]
pub(super) struct Family {
    /// How many variables; 0: one, without a pool.
    pub pool: u32,
    /// One more that is always a nop.
    pub nop: bool,
    /// The table index of a value changes while other values name the same object.
    pub lazy: bool,
    /// Some table index is changed.
    pub sets: bool,
    /// Some value comes from a query.
    pub query: bool,
    /// Some value comes from a trace.
    pub trace: bool,
    /// Ray flags or the cluster are read.
    pub flags: bool,
    pub cluster: bool,
    /// The positions of the triangle are read.
    pub positions: bool,
    /// The arrays of hit objects.
    pub arrays: Vec<Local>,
    /// Where more than [`MAX`] are alive at once.
    pub too_many: Option<Inst>,
}

/// The families of a function.
#[derive(Default)]
pub(super) struct Families {
    pub list: Vec<Family>,
    pub of_value: FxHashMap<Value, usize>,
    pub of_local: FxHashMap<Local, usize>,
    /// The other live values of the same family after what records one.
    pub live: FxHashMap<Inst, Vec<Value>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Value(Value),
    Local(Local),
}

/// Sets that are joined.
#[derive(Default)]
struct Sets {
    number: FxHashMap<Node, usize>,
    nodes: Vec<Node>,
    parent: Vec<usize>,
}

impl Sets {
    fn add(&mut self, n: Node) -> usize {
        let next = self.parent.len();
        let at = *self.number.entry(n).or_insert(next);
        if at == next {
            self.parent.push(next);
            self.nodes.push(n);
        }
        at
    }
    fn root(&mut self, mut n: usize) -> usize {
        while self.parent[n] != n {
            self.parent[n] = self.parent[self.parent[n]];
            n = self.parent[n];
        }
        n
    }
    fn join(&mut self, a: Node, b: Node) {
        let (a, b) = (self.add(a), self.add(b));
        let (a, b) = (self.root(a), self.root(b));
        // The earlier one stays, so that numbers follow the text.
        self.parent[a.max(b)] = a.min(b);
    }
}

/// How many hit objects a local of type `t` holds.
pub(super) fn elements(types: &TypeTable, t: Type) -> u64 {
    match types.kind(t) {
        TypeKind::HitObject => 1,
        TypeKind::Array(e, n) => elements(types, e).saturating_mul(n.into()),
        _ => 0,
    }
}

/// Whether hit objects are somewhere in `t`.
fn holds(types: &TypeTable, f: &Function, l: Local) -> bool {
    elements(types, f.locals[l].ty) > 0
}

impl Families {
    /// Finds the families of `f`.
    pub fn of(types: &TypeTable, f: &Function) -> Families {
        let mut sets = Sets::default();
        let local = |p: rtc_ir::Place| match f.places[p].root {
            Root::Local(l) if holds(types, f, l) => Some(Node::Local(l)),
            _ => None,
        };
        f.for_each_inst(f.body, |r, i| {
            for &v in f.results(i) {
                if is_hit(f, v) {
                    sets.add(Node::Value(v));
                }
            }
            match f.insts[i] {
                InstData::Access { place, args, .. } => {
                    if let Some(l) = local(place) {
                        let values = f.get(args).iter().chain(f.results(i)).filter(|v| is_hit(f, **v));
                        values.for_each(|&v| sets.join(l, Node::Value(v)));
                    }
                }
                InstData::Copy { to, from, .. } => {
                    if let (Some(a), Some(b)) = (local(to), local(from)) {
                        sets.join(a, b);
                    }
                }
                InstData::Many { op: O::hit_set_shader_table_index, args, .. } => {
                    sets.join(Node::Value(f.get(args)[0]), Node::Value(f.result(i)));
                }
                _ => {
                    for (from, to) in moves(f, r, i) {
                        sets.join(Node::Value(from), Node::Value(to));
                    }
                }
            }
        });
        let mut out = Families::default();
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for n in 0..sets.nodes.len() {
            let root = sets.root(n);
            let family = *numbers.entry(root).or_insert_with(|| {
                out.list.push(Family::default());
                out.list.len() - 1
            });
            match sets.nodes[n] {
                Node::Value(v) => _ = out.of_value.insert(v, family),
                Node::Local(l) => {
                    out.of_local.insert(l, family);
                    out.list[family].arrays.push(l);
                }
            }
        }
        out.look(types, f);
        out
    }

    /// The family of what `i` gives or works on.
    fn at(&self, f: &Function, i: Inst) -> Option<usize> {
        let given = f.results(i).iter().copied().chain(f.operands(i));
        given.filter(|&v| is_hit(f, v)).find_map(|v| self.of_value.get(&v).copied())
    }

    fn look(&mut self, types: &TypeTable, f: &Function) {
        let mut recorded = vec![0u32; self.list.len()];
        let mut points = Vec::new();
        f.for_each_inst(f.body, |_, i| {
            let op = f.op(i);
            let Some(n) = self.at(f, i) else { return };
            let family = &mut self.list[n];
            match op {
                O::hit_from_query | O::hit_from_query_attrs => family.query = true,
                O::hit_trace => family.trace = true,
                O::hit_make_nop => family.nop = true,
                O::hit_set_shader_table_index => family.sets = true,
                O::hit_get_ray_flags => family.flags = true,
                O::hit_get_cluster_id => family.cluster = true,
                O::hit_triangle_object_position => family.positions = true,
                _ => {}
            }
            if records(op) || op == O::hit_set_shader_table_index {
                recorded[n] += 1;
                points.push((i, n));
            }
        });
        // One object that is never changed has nothing to share its variable with.
        let several = |n: usize| recorded[n] > 1 || !self.list[n].arrays.is_empty();
        let mut wanted: Vec<Value> = self.of_value.iter().filter(|p| several(*p.1)).map(|p| *p.0).collect();
        wanted.sort_unstable();
        let live = if wanted.is_empty() { FxHashMap::default() } else { live_after(f, &wanted) };
        let mut most = vec![0u64; self.list.len()];
        // The table index is changed, or a NOP recorded, while another value is live.
        let (mut shared, mut overlapping) = (vec![false; self.list.len()], vec![false; self.list.len()]);
        for &(i, n) in &points {
            let of_family = |v: &&Value| self.of_value.get(*v) == Some(&n);
            let others: Vec<Value> = live.get(&i).into_iter().flatten().filter(of_family).copied().collect();
            let family = &mut self.list[n];
            match f.op(i) {
                O::hit_set_shader_table_index => shared[n] |= !others.is_empty(),
                // In a pool nops have a variable of their own.
                O::hit_make_nop => overlapping[n] |= !others.is_empty(),
                _ => {
                    let inside: u64 = family.arrays.iter().map(|&l| elements(types, f.locals[l].ty)).sum();
                    let all = inside + others.len() as u64;
                    if all >= MAX && family.too_many.is_none() {
                        family.too_many = Some(i);
                    }
                    most[n] = most[n].max(all);
                }
            }
            self.live.insert(i, others);
        }
        for (n, family) in self.list.iter_mut().enumerate() {
            if most[n] > 0 || overlapping[n] || !family.arrays.is_empty() {
                family.pool = (most[n] + 1).min(MAX) as u32;
            }
            family.lazy = family.sets && (family.pool > 0 || shared[n]);
        }
    }
}
