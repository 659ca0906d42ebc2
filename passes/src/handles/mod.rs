//! `handles`: resolution of resource handles, so that every use names its resource.
//!
//! HLSL lets control flow select resources (`cond ? a : b`, assignments in branches and loops, arrays of
//! resources in variables); neither target has phis of handles. Values and variables
//! between which handles flow form a *family* (an equivalence class, by union-find) with its possible *sources*: declared resources and the descriptor
//! heap. Such a handle becomes two numbers: the source (if there are several) and the index in it (if it is an
//! array). Its users are duplicated into branches over the sources, each with a handle of its own; with one source there is
//! no branch. So `cond ? t[0] : t[1]` becomes a select of an index.
//!
//! Ray queries are handles of the same kind.
//!
//! Instructions that depend on which lanes are active (sampling with derivatives) must not be in a branch: they are executed for
//! every source, and one of the results is selected.

use rtc_base::{Diagnostic, Span};
use rtc_ir::analysis::{Exits, results_start};
use rtc_ir::debug::Anchors;
use rtc_ir::{Builder, Function, Global, Inst, InstData, Local, Module, Opcode, Region, Root, Slot, Type, TypeKind, Value};
use rtc_tables::insts::{HEAP_ALIGN, HEAP_NONUNIFORM};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

mod numbers;
mod uses;

use crate::util::{Rename, all_insts, all_regions, each_function};
use crate::{Changed, PassCtx, PassError, dce};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let mut errors = Vec::new();
    let changed = each_function(m, |m, f| function(m, f, &mut errors));
    if !errors.is_empty() {
        return Err(PassError::Invalid(errors));
    }
    if changed == Changed::Yes {
        // Handles that are no longer used are still passed along control flow.
        let anchors: Vec<_> = m.funcs.values().map(Anchors::take).collect();
        dce::run(m, cx)?;
        for (f, a) in m.funcs.values_mut().zip(anchors) {
            a.into_iter().for_each(|a| a.restore(f));
        }
    }
    Ok(changed)
}

/// Where a handle comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    /// A declared resource or array of them.
    Global(Global),
    /// The heap for descriptors of the handle's type; the logarithm of the alignment of what is in it.
    Heap(u32),
    /// A ray query.
    Query(Slot),
}

/// Values and variables between which handles flow: an equivalence class.
#[derive(Clone, Default, Debug)]
struct Family {
    sources: SmallVec<[Source; 4]>,
    /// A source is an array.
    indexed: bool,
    /// The first index, and whether there are others.
    index: Option<Option<Value>>,
    nonuniform: bool,
    /// A parameter of the function is in it.
    opaque: bool,
}

/// What remains of a handle.
#[derive(Clone, Copy, Default, Debug)]
struct Parts {
    which: Option<Value>,
    index: Option<Value>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Value(Value),
    Local(Local),
}

struct Handles<'a> {
    m: &'a mut Module,
    f: &'a mut Function,
    wrong: &'a mut Vec<Diagnostic>,
    nodes: FxHashMap<Node, u32>,
    /// The tree of each node's family.
    up: Vec<u32>,
    families: Vec<Family>,
    parts: FxHashMap<Value, Parts>,
    /// The variables for which and index.
    locals: FxHashMap<Local, (Option<Local>, Option<Local>)>,
    rename: Rename,
    /// The ray queries that branches need, allocated at the start of the function.
    queries: FxHashMap<Slot, Value>,
    span: Span,
}

fn is_handle(m: &Module, t: Type) -> bool {
    matches!(m.types.kind(t), TypeKind::Resource(_) | TypeKind::RayQuery(..))
}

/// Whether variables of the type hold handles (and nothing else, once they are split).
fn holds_handles(m: &Module, t: Type) -> bool {
    match m.types.kind(t) {
        TypeKind::Resource(_) | TypeKind::RayQuery(..) => true,
        TypeKind::Array(e, _) => holds_handles(m, e),
        _ => false,
    }
}

fn function(m: &mut Module, f: &mut Function, wrong: &mut Vec<Diagnostic>) -> bool {
    let mut h = Handles {
        m,
        f,
        wrong,
        nodes: FxHashMap::default(),
        up: Vec::new(),
        families: Vec::new(),
        parts: FxHashMap::default(),
        locals: FxHashMap::default(),
        rename: Rename::new(),
        queries: FxHashMap::default(),
        span: Span::NONE,
    };
    h.find_nodes();
    if h.nodes.is_empty() && !h.unset_handles() {
        return false;
    }
    let exits = Exits::of(h.f);
    h.link_all(&exits);
    h.add_numbers(&exits);
    let anchors = Anchors::take(h.f);
    for r in all_regions(h.f) {
        h.region(r);
    }
    h.allocate_queries();
    let mut rename = std::mem::take(&mut h.rename);
    rename.apply(f);
    if let Some(a) = anchors {
        a.restore(f);
    }
    f.compact();
    true
}

impl Handles<'_> {
    // Families -------------------------------------------------------------------------------------------

    fn node(&mut self, n: Node) -> u32 {
        let next = self.up.len() as u32;
        let id = *self.nodes.entry(n).or_insert(next);
        if id == next {
            self.up.push(next);
            self.families.push(Family::default());
        }
        id
    }

    fn find(&mut self, mut n: u32) -> u32 {
        while self.up[n as usize] != n {
            self.up[n as usize] = self.up[self.up[n as usize] as usize];
            n = self.up[n as usize];
        }
        n
    }

    fn family(&mut self, n: Node) -> &mut Family {
        let id = self.node(n);
        let top = self.find(id);
        &mut self.families[top as usize]
    }

    /// The values that are no plain handles, and the variables of handles.
    fn find_nodes(&mut self) {
        for l in self.f.locals.keys() {
            if self.f.locals[l].param.is_none() && holds_handles(self.m, self.f.locals[l].ty) {
                self.node(Node::Local(l));
            }
        }
        let (m, f) = (&*self.m, &*self.f);
        let mut found: Vec<Value> = Vec::new();
        f.for_each_inst(f.body, |_, i| {
            if !is_source(f, i) {
                found.extend(f.results(i).iter().filter(|v| is_handle(m, f.ty(**v))));
            }
            if let InstData::Loop { body, continuing, .. } = f.insts[i] {
                for r in [body, continuing] {
                    let params = f.regions[r].params.iter();
                    found.extend(params.filter(|v| is_handle(m, f.ty(**v))));
                }
            }
        });
        for v in found {
            self.node(Node::Value(v));
        }
    }

    /// Whether an undefined handle is used.
    fn unset_handles(&self) -> bool {
        let (m, f) = (&*self.m, &*self.f);
        let mut any = false;
        f.for_each_inst(f.body, |_, i| {
            f.for_each_operand(i, |v| any |= f.is_undef(v) && is_handle(m, f.ty(v)));
        });
        any
    }

    /// The handle `from` flows to `to`.
    fn flows(&mut self, to: Node, from: Value) {
        if self.nodes.contains_key(&Node::Value(from)) {
            let (a, b) = (self.node(to), self.node(Node::Value(from)));
            let (a, b) = (self.find(a), self.find(b));
            if a != b {
                let other = std::mem::take(&mut self.families[b as usize]);
                self.up[b as usize] = a;
                let mine = &mut self.families[a as usize];
                for s in other.sources {
                    if !mine.sources.contains(&s) {
                        mine.sources.push(s);
                    }
                }
                mine.indexed |= other.indexed;
                mine.nonuniform |= other.nonuniform;
                mine.opaque |= other.opaque;
                mine.index = match (mine.index, other.index) {
                    (None, x) | (x, None) => x,
                    (x, y) if x == y => x,
                    _ => Some(None),
                };
            }
            return;
        }
        let Some((source, index, nonuniform)) = self.source_of(from) else {
            if !self.f.is_undef(from) {
                self.family(to).opaque = true;
            }
            return;
        };
        let family = self.family(to);
        if !family.sources.contains(&source) {
            family.sources.push(source);
        }
        if let Some(i) = index {
            family.indexed = true;
            family.index = match family.index {
                None => Some(Some(i)),
                Some(Some(j)) if i == j => Some(Some(i)),
                _ => Some(None),
            };
        }
        family.nonuniform |= nonuniform;
    }

    /// The source of a plain handle, its index, and whether that may differ between lanes.
    fn source_of(&self, v: Value) -> Option<(Source, Option<Value>, bool)> {
        match self.f.insts[self.f.def_inst(v)?] {
            InstData::Resource { global, index, nonuniform } => Some((Source::Global(global), index.expand(), nonuniform)),
            InstData::Many { op: Opcode::heap_resource, imm, args } => {
                Some((Source::Heap(imm >> HEAP_ALIGN), Some(self.f.get(args)[0]), imm & HEAP_NONUNIFORM != 0))
            }
            InstData::Slot { op: Opcode::allocate_ray_query, slot, .. } => Some((Source::Query(slot), None, false)),
            _ => None,
        }
    }

    /// The ray query, where every use sees it. It is allocated once: other allocations become this one.
    fn query(&mut self, slot: Slot) -> Value {
        if let Some(&v) = self.queries.get(&slot) {
            return v;
        }
        let body = self.f.body;
        let v = Builder::at(&mut self.m.types, self.f, body).allocate_ray_query(slot);
        // It is moved to the start of the function when all are known.
        self.f.regions[body].insts.pop();
        self.queries.insert(slot, v);
        v
    }

    /// Puts the allocations that branches need to the start, in the place of those that were there.
    fn allocate_queries(&mut self) {
        if self.queries.is_empty() {
            return;
        }
        for i in all_insts(self.f) {
            if let InstData::Slot { op: Opcode::allocate_ray_query, slot, .. } = self.f.insts[i]
                && let Some(&v) = self.queries.get(&slot)
            {
                self.rename.set(self.f.result(i), v);
            }
        }
        let mut all: Vec<Inst> = self.queries.values().filter_map(|&v| self.f.def_inst(v)).collect();
        all.sort_unstable();
        let body = self.f.body;
        self.f.regions[body].insts.splice(0..0, all);
    }

    fn link_all(&mut self, exits: &Exits) {
        for i in all_insts(self.f) {
            let results: SmallVec<[Value; 4]> = self.f.results(i).into();
            match self.f.insts[i] {
                InstData::Ternary { op: Opcode::select, args: [_, a, b] } if self.is_node(results[0]) => {
                    self.flows(Node::Value(results[0]), a);
                    self.flows(Node::Value(results[0]), b);
                }
                InstData::Access { op, place, args, .. } => {
                    let local = match self.f.places[place].root {
                        Root::Local(l) if self.nodes.contains_key(&Node::Local(l)) => Some(l),
                        _ => None,
                    };
                    let Some(l) = local else {
                        // A reference parameter of an exported function.
                        if results.first().is_some_and(|&v| self.is_node(v)) {
                            self.family(Node::Value(results[0])).opaque = true;
                        }
                        continue;
                    };
                    match (op, self.f.get(args).last()) {
                        (Opcode::store, Some(&v)) => self.flows(Node::Local(l), v),
                        _ => self.flows(Node::Local(l), results[0]),
                    }
                }
                InstData::Loop { init, body, continuing } => {
                    let init: Vec<Value> = self.f.get(init).to_vec();
                    self.link_params(body, &init);
                    for &c in &exits.continues[i] {
                        let given = self.f.operands(c);
                        self.link_params(continuing, &given);
                    }
                    for &n in &exits.nexts[i] {
                        let given = self.f.operands(n);
                        let start = usize::from(self.f.op(n) == Opcode::next_if);
                        self.link_params(body, &given[start..]);
                    }
                }
                _ => {}
            }
            for &e in &exits.leave[i] {
                let given = self.f.operands(e);
                let start = results_start(self.f, e);
                for (&to, &from) in results.iter().zip(&given[start..]) {
                    if self.is_node(to) {
                        self.flows(Node::Value(to), from);
                    }
                }
            }
        }
    }

    fn link_params(&mut self, r: Region, given: &[Value]) {
        let params = self.f.regions[r].params.clone();
        for (&to, &from) in params.iter().zip(given) {
            if self.is_node(to) {
                self.flows(Node::Value(to), from);
            }
        }
    }

    fn is_node(&self, v: Value) -> bool {
        self.nodes.contains_key(&Node::Value(v))
    }
}

/// Whether `i` gives a plain handle.
fn is_source(f: &Function, i: Inst) -> bool {
    matches!(f.op(i), Opcode::resource | Opcode::heap_resource | Opcode::allocate_ray_query)
}
