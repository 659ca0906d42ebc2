//! What pays: instructions that are saved against insertions, shuffles and extractions.
//!
//! Everything is chosen at first. Then what costs more than it saves, given the rest, is dropped, to a fixpoint. What remains is connected by
//! vectors that go from one to the next; at the end a connected component that saves nothing as a whole is dropped, too.

use rtc_base::{EntitySet, SecondaryMap};
use rtc_dxil_module::{Inst, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::{Code, Form, Kind, Node, Operand, Second, Source};

/// The most iterations.
const MAX_ITERATIONS: usize = 8;

/// Instructions are counted in these parts: a list that several need is paid by each of them in part.
const UNIT: i64 = 60;

/// Chooses what becomes a vector; `None`: nothing. `all`: whether it pays or not.
pub(super) fn choose(c: &mut Code<'_>, all: bool) -> Option<State> {
    for _ in 0..MAX_ITERATIONS {
        let state = State::of(c);
        let pays = |n: usize| if all { !state.stays(&c.found.nodes[n]) } else { state.gain(c, n) > 0 };
        let drop: Vec<usize> = (0..c.found.nodes.len()).filter(|&n| c.found.nodes[n].active && !pays(n)).collect();
        if drop.is_empty() {
            break;
        }
        for n in drop {
            c.found.nodes[n].active = false;
        }
    }
    for _ in 0..MAX_ITERATIONS {
        if !drop_components(c, all) {
            return c.found.nodes.iter().any(|n| n.active).then(|| State::of(c));
        }
    }
    None
}

/// What follows from a choice.
pub(super) struct State {
    /// The form of each list that is needed.
    pub forms: Vec<Option<Form>>,
    /// How many chosen nodes need a list.
    users: Vec<u32>,
    /// How often each component is an operand of what is chosen.
    vector_uses: SecondaryMap<Inst, u32>,
    /// Components that are inserted somewhere.
    inserted: EntitySet<Inst>,
    /// The lists that are a group as it is.
    wholes: FxHashMap<u32, Vec<u32>>,
}

impl State {
    pub fn of(c: &Code<'_>) -> State {
        let found = &c.found;
        let mut s = State {
            forms: Vec::with_capacity(found.lists.len()),
            users: Vec::with_capacity(found.lists.len()),
            vector_uses: SecondaryMap::new(),
            inserted: EntitySet::new(),
            wholes: FxHashMap::default(),
        };
        for (number, list) in (0..).zip(&found.lists) {
            let users = list.users.iter().filter(|&&n| found.nodes[n as usize].active);
            let built = |n: &u32| matches!(found.nodes[*n as usize].kind, Kind::Built);
            let form = c.form(list);
            let from_vector = !matches!(form, Form::Inserted | Form::Splat);
            // A built vector whose components are no vector stays what it is.
            let count = users.filter(|n| from_vector || !built(n)).count() as u32;
            s.users.push(count);
            if count == 0 {
                s.forms.push(None);
                continue;
            }
            if let Form::Whole(Source::Group(n)) = form {
                s.wholes.entry(n).or_default().push(number);
            }
            if !from_vector {
                list.lanes.iter().filter_map(inst).for_each(|i| _ = s.inserted.insert(i));
            }
            s.forms.push(Some(form));
        }
        for node in found.nodes.iter().filter(|n| n.active) {
            for o in &node.operands {
                if let Operand::List(l) = *o
                    && !(matches!(node.kind, Kind::Built) && s.is_inserted(l))
                {
                    for i in found.lists[l as usize].lanes.iter().filter_map(inst) {
                        s.vector_uses[i] += 1;
                    }
                }
            }
        }
        s
    }

    /// Whether a list is not made of one vector.
    pub fn is_inserted(&self, list: u32) -> bool {
        matches!(self.forms[list as usize], None | Some(Form::Inserted | Form::Splat))
    }

    /// Whether something needs a component by itself.
    pub fn is_needed(&self, c: &Code<'_>, i: Inst) -> bool {
        self.inserted.contains(i) || c.uses[i] > self.vector_uses[i]
    }

    /// Whether a node is a built vector whose components are no vector.
    fn stays(&self, node: &Node) -> bool {
        matches!(node.kind, Kind::Built) && node.operands.iter().any(|o| matches!(*o, Operand::List(l) if self.is_inserted(l)))
    }

    /// What choosing node `n` saves, given the rest.
    fn gain(&self, c: &Code<'_>, n: usize) -> i64 {
        let node = &c.found.nodes[n];
        let mut gain = 0;
        for o in &node.operands {
            let Operand::List(l) = *o else { continue };
            let (list, Some(form)) = (&c.found.lists[l as usize], &self.forms[l as usize]) else { continue };
            let users = i64::from(self.users[l as usize].max(1));
            gain -= i64::from(c.cost(list, form)) * UNIT / users;
            if let Form::Whole(_) | Form::Shuffled(..) = form {
                // Without this node, components would be extracted for it.
                for i in list.lanes.iter().filter_map(inst).filter(|&i| !self.is_needed(c, i)) {
                    gain += UNIT / i64::from(self.vector_uses[i].max(1));
                }
            }
        }
        if self.stays(node) {
            return 0;
        }
        gain += saved(node) * UNIT;
        if !node.kind.is_vector() {
            return gain;
        }
        gain -= UNIT * node.lanes.iter().filter(|&&i| self.is_needed(c, i)).count() as i64;
        // Without this node, those that take it as it is would insert its components, or be scalar, too.
        for &l in self.wholes.get(&(n as u32)).map_or(&[][..], Vec::as_slice) {
            let list = &c.found.lists[l as usize];
            let scalar = list.users.iter().map(|&u| &c.found.nodes[u as usize]).filter(|u| u.active).map(saved).sum::<i64>();
            gain += UNIT * scalar.min(list.lanes.len() as i64);
        }
        gain
    }
}

/// How many instructions a node saves by itself.
fn saved(node: &Node) -> i64 {
    let lanes = node.lanes.len() as i64;
    match node.kind {
        Kind::Group | Kind::Phis(_) => lanes - 1,
        Kind::Built => lanes,
        Kind::Dot => 0,
    }
}

fn inst(v: &Value) -> Option<Inst> {
    if let Value::Inst(i) = *v { Some(i) } else { None }
}

/// Drops connected components that save nothing as a whole, unless `all` are requested. Whether there were any.
fn drop_components(c: &mut Code<'_>, all: bool) -> bool {
    let s = State::of(c);
    let nodes = c.found.nodes.len();
    let mut parent: Vec<usize> = (0..nodes).collect();
    let sources = |l: u32| {
        let (first, second) = match &s.forms[l as usize] {
            Some(Form::Whole(from)) => (Some(*from), None),
            Some(Form::Shuffled(from, Second::Vector(other), _)) => (Some(*from), Some(*other)),
            Some(Form::Shuffled(from, ..)) => (Some(*from), None),
            _ => (None, None),
        };
        let group = |s: Source| if let Source::Group(g) = s { Some(g as usize) } else { None };
        first.into_iter().chain(second).filter_map(group)
    };
    for (n, node) in c.found.nodes.iter().enumerate().filter(|(_, node)| node.active) {
        for o in &node.operands {
            let Operand::List(l) = *o else { continue };
            // Those that share a list belong together, too.
            let first = c.found.lists[l as usize].users.iter().map(|&u| u as usize).find(|&u| c.found.nodes[u].active);
            for other in sources(l).chain(first) {
                let (a, b) = (root(&mut parent, n), root(&mut parent, other));
                parent[a] = b;
            }
        }
    }
    let mut gains: Vec<i64> = vec![0; nodes];
    let mut paid: FxHashSet<u32> = FxHashSet::default();
    let mut freed: EntitySet<Inst> = EntitySet::new();
    for n in 0..nodes {
        let node = &c.found.nodes[n];
        if !node.active {
            continue;
        }
        let r = root(&mut parent, n);
        let stays = s.stays(node);
        for o in &node.operands {
            let Operand::List(l) = *o else { continue };
            if stays {
                continue;
            }
            let (list, Some(form)) = (&c.found.lists[l as usize], &s.forms[l as usize]) else { continue };
            if paid.insert(l) {
                gains[r] -= i64::from(c.cost(list, form));
            }
            // Extractions from vectors that were there before.
            for i in list.lanes.iter().filter_map(inst) {
                let is_active = c.found.lane_of[i].is_some_and(|(g, _)| c.found.nodes[g as usize].active);
                if !is_active && !s.is_needed(c, i) && freed.insert(i) {
                    gains[r] += 1;
                }
            }
        }
        if !stays {
            gains[r] += saved(node);
        }
        if node.kind.is_vector() {
            gains[r] -= node.lanes.iter().filter(|&&i| s.is_needed(c, i)).count() as i64;
        }
    }
    let mut any = false;
    for n in 0..nodes {
        let stays = s.stays(&c.found.nodes[n]);
        let r = root(&mut parent, n);
        if c.found.nodes[n].active && (gains[r] <= 0 && !all || stays) {
            c.found.nodes[n].active = false;
            any = true;
        }
    }
    any
}

/// The representative of the set of `n`.
fn root(parent: &mut [usize], mut n: usize) -> usize {
    while parent[n] != n {
        parent[n] = parent[parent[n]];
        n = parent[n];
    }
    n
}
