//! Memory coherence across reorder points: a thread reads after a point what it wrote before.
//!
//! A value that a thread wrote to a UAV before a point, and reads after it without an atomic operation, may come from another cache.
//! The UAV has to be `reordercoherent` (or `globallycoherent`), and a barrier with reorder (or device) scope has to be between the
//! write and the point (DXR 1.31, reorder points: memory coherence and visibility). That holds within a shader and between shaders
//! of one thread: a hit shader that writes what the shader that traced reads.
//!
//! Only what is certain is reported: both accesses have the same address, because their value numbers are equal
//! ([`super::value_numbering`]). Two shaders are compared where the address consists of constants and the index in the dispatch. A
//! forward dataflow analysis keeps, for each address that is written, whether a barrier and a point came since; loops are repeated
//! until a fixpoint.

use rtc_base::{Diagnostic, PackedOption, Span};
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Region, Stage};
use rtc_tables::resources::ResourceFlags;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::coherence::{across, attributes, between_shaders};
use super::held::ends_with;
use super::uav::{Access, Address, CROSSED, Conflicts, GOOD, LATE, OTHER, SAFE, Shared, Uav, WRITTEN, access, barrier};
use super::value_numbering::{FunctionNumbering, ValueTable};

/// Functions that write to more addresses than this are looked at for these only.
const MAX_ADDRESSES: usize = 64;
/// Regions that nest deeper are not followed.
const MAX_DEPTH: u32 = 120;
/// The most instructions that are walked over in one function, repetitions included.
const MAX_STEPS: u32 = 1 << 20;

/// What is wrong in `m`.
pub(super) fn find(m: &Module, out: &mut Vec<Diagnostic>) {
    let mut found = Conflicts::default();
    let mut numbers = ValueTable::default();
    for (n, f) in m.funcs.values().enumerate() {
        function(m, f, n, &mut numbers, &mut found);
    }
    between_shaders(m, &mut found);
    attributes(m, &mut found);
    out.append(&mut found.all);
}

/// What has happened since an address was written. Several may be so, by different ways.
#[derive(Clone, Copy, Default, PartialEq)]
struct Cell {
    state: u8,
    write: PackedOption<Inst>,
    point: PackedOption<Inst>,
}

#[derive(Clone, PartialEq)]
struct State {
    cells: Vec<Cell>,
    /// The last point at which other shaders ran, if there is one.
    shaders: PackedOption<Inst>,
}

impl State {
    fn join(&mut self, o: &State) {
        for (a, b) in self.cells.iter_mut().zip(&o.cells) {
            a.state |= b.state;
            a.write = a.write.expand().or(b.write.expand()).into();
            a.point = a.point.expand().or(b.point.expand()).into();
        }
        self.shaders = self.shaders.expand().or(o.shaders.expand()).into();
    }
}

fn joined(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.join(&b);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

struct Walk<'a, 'n> {
    m: &'a Module,
    f: &'a Function,
    function: usize,
    numbers: &'n mut ValueTable,
    of: FunctionNumbering<'a>,
    /// The number of each address, and the last place in the text that it depends on.
    cells: FxHashMap<Address, usize>,
    latest: Vec<u32>,
    /// Of each address: whether it is the same in all shaders of the thread.
    of_dispatch: Vec<bool>,
    uavs: Vec<Uav>,
    /// The state that terminators pass to the end of each construct and to the continuing region of each loop.
    leaves: FxHashMap<Inst, State>,
    continues: FxHashMap<Inst, State>,
    found: &'n mut Conflicts,
    steps: u32,
}

fn function(m: &Module, f: &Function, n: usize, numbers: &mut ValueTable, found: &mut Conflicts) {
    let mut w = Walk {
        m,
        f,
        function: n,
        numbers,
        of: FunctionNumbering::new(m, f),
        cells: FxHashMap::default(),
        latest: Vec::new(),
        of_dispatch: Vec::new(),
        uavs: Vec::new(),
        leaves: FxHashMap::default(),
        continues: FxHashMap::default(),
        found,
        steps: 0,
    };
    let mut accesses = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if let Some((what, ..)) = access(m, f, i) {
            accesses.push((i, matches!(what, Access::Read)));
        }
        if let Some((_, reorder)) = barrier(f, i) {
            w.found.any_barrier = true;
            if reorder {
                w.found.reorder_barrier.get_or_insert(f.spans[i]);
            }
        }
    });
    for &(i, _) in &accesses {
        w.address(i);
    }
    if w.cells.is_empty() {
        return;
    }
    let empty = Cell { state: OTHER, ..Cell::default() };
    let start = State { cells: vec![empty; w.latest.len()], shaders: None.into() };
    w.region(f.body, start, 0);
}

impl Walk<'_, '_> {
    /// The number of the address that `i` accesses.
    fn address(&mut self, i: Inst) -> Option<usize> {
        let (_, handle, at, ty) = access(self.m, self.f, i)?;
        let h = self.of.of(self.numbers, handle);
        let (mut latest, mut of_dispatch) = (h.latest, h.of_dispatch);
        let mut address = Address { handle: h.id, at: SmallVec::new() };
        for v in at {
            let n = self.of.of(self.numbers, v);
            latest = latest.max(n.latest);
            of_dispatch &= n.of_dispatch;
            address.at.push(n.id);
        }
        if let Some(&n) = self.cells.get(&address) {
            return Some(n);
        }
        let n = self.latest.len();
        if n == MAX_ADDRESSES {
            return None;
        }
        let global = match self.f.def_inst(handle).map(|d| self.f.insts[d]) {
            Some(InstData::Resource { global, .. }) => Some(global),
            _ => None,
        };
        let coherent = ty.flags.intersects(ResourceFlags::COHERENT | ResourceFlags::REORDER_COHERENT);
        self.cells.insert(address, n);
        self.latest.push(latest);
        self.of_dispatch.push(of_dispatch);
        self.uavs.push(Uav { global: global.into(), coherent });
        Some(n)
    }

    /// Walks region `r`. What holds where it ends normally, if it does.
    fn region(&mut self, r: Region, mut s: State, depth: u32) -> Option<State> {
        let f = self.f;
        if depth > MAX_DEPTH {
            return None;
        }
        for &i in &f.regions[r].insts {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return None;
            }
            match f.insts[i] {
                InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } => {
                    let mut after = None;
                    for arm in f.regions_of(i) {
                        let end = self.region(arm, s.clone(), depth + 1);
                        after = joined(after, end);
                    }
                    after = joined(after, self.leaves.remove(&i));
                    s = after?;
                }
                InstData::Loop { body, continuing, .. } => s = self.repeat(i, body, continuing, s, depth)?,
                InstData::Exit { op, target, .. } => return self.exit(op, target.expand(), s),
                _ => self.inst(i, &mut s),
            }
        }
        None
    }

    fn repeat(&mut self, i: Inst, body: Region, continuing: Region, start: State, depth: u32) -> Option<State> {
        let mut head = start;
        loop {
            let end = self.region(body, head.clone(), depth + 1);
            debug_assert!(end.is_none(), "a body does not fall off its end");
            let next = self.continues.remove(&i);
            let back = next.and_then(|next| self.region(continuing, next, depth + 1));
            // The last iteration may end at its end.
            let last = back.clone().filter(|_| ends_with(self.f, continuing, Opcode::next_if));
            let mut again = head.clone();
            if let Some(mut back) = back {
                // An address that the loop computes anew is a different one in the next iteration.
                let begin = self.of.at[i];
                for (cell, &latest) in back.cells.iter_mut().zip(&self.latest) {
                    if latest > begin {
                        *cell = Cell { state: OTHER, ..Cell::default() };
                    }
                }
                again.join(&back);
            }
            if again == head || self.steps > MAX_STEPS {
                return joined(self.leaves.remove(&i), last);
            }
            head = again;
        }
    }

    fn exit(&mut self, op: Opcode, target: Option<Region>, s: State) -> Option<State> {
        let owner = target.and_then(|r| self.f.regions[r].owner);
        match (op, owner) {
            (Opcode::yield_ | Opcode::next, _) => return Some(s),
            (Opcode::next_if, _) => return Some(s),
            (Opcode::break_, Some(o)) => {
                let old = self.leaves.remove(&o);
                self.leaves.extend(joined(old, Some(s)).map(|s| (o, s)));
            }
            (Opcode::continue_, Some(o)) => {
                let old = self.continues.remove(&o);
                self.continues.extend(joined(old, Some(s)).map(|s| (o, s)));
            }
            (Opcode::unreachable, _) => {}
            _ => self.ends(&s),
        }
        None
    }

    /// The function ends: what it wrote others of the thread may read.
    fn ends(&mut self, s: &State) {
        if self.f.stage == Stage::RayGeneration || self.f.stage == Stage::Library {
            return;
        }
        for n in 0..s.cells.len() {
            let c = s.cells[n];
            if let (Some(w), true) = (c.write.expand(), c.state & (WRITTEN | SAFE | CROSSED | LATE | GOOD) != 0) {
                self.share(n, w, None, c.state & (WRITTEN | CROSSED) == 0);
            }
        }
    }

    fn share(&mut self, n: usize, write: Inst, point: Option<Span>, barrier: bool) {
        let Some(address) = self.shared_address(n) else { return };
        let shared = Shared { address, function: self.function, span: self.f.spans[write], point, uav: self.uavs[n], barrier };
        self.found.writes.push(shared);
    }

    fn shared_address(&self, n: usize) -> Option<Address> {
        if !self.of_dispatch[n] {
            return None;
        }
        self.cells.iter().find(|(_, k)| **k == n).map(|(a, _)| a.clone())
    }

    fn inst(&mut self, i: Inst, s: &mut State) {
        let f = self.f;
        if let Some((handle, _)) = barrier(f, i) {
            let only = handle.map(|h| self.of.of(self.numbers, h).id);
            let of_handle: Vec<usize> = self.cells.iter().filter(|(a, _)| only.is_none_or(|o| a.handle == o)).map(|(_, n)| *n).collect();
            for n in of_handle {
                let c = &mut s.cells[n];
                c.state = (c.state & (SAFE | LATE | GOOD | OTHER))
                    | if c.state & WRITTEN != 0 { SAFE } else { 0 }
                    | if c.state & CROSSED != 0 { LATE } else { 0 };
            }
            return;
        }
        if f.op(i) == Opcode::call {
            // A function of another library may read, write, wait and reorder: nothing is certain after it.
            s.cells.fill(Cell { state: OTHER, ..Cell::default() });
            s.shaders = None.into();
            return;
        }
        let e = f.op(i).effects();
        if e.contains(Effects::REORDERS) {
            for n in 0..s.cells.len() {
                let c = s.cells[n];
                if e.contains(Effects::RUNS_SHADERS)
                    && let (Some(w), true) = (c.write.expand(), c.state & (WRITTEN | SAFE) != 0)
                {
                    self.share(n, w, Some(f.spans[i]), c.state & WRITTEN == 0);
                }
                let c = &mut s.cells[n];
                if c.state & (WRITTEN | SAFE) != 0 {
                    c.point = Some(i).into();
                }
                c.state = (c.state & (CROSSED | LATE | GOOD | OTHER))
                    | if c.state & WRITTEN != 0 { CROSSED } else { 0 }
                    | if c.state & SAFE != 0 { GOOD } else { 0 };
            }
            if e.contains(Effects::RUNS_SHADERS) {
                s.shaders = Some(i).into();
            }
            return;
        }
        let Some((what, ..)) = access(self.m, f, i) else { return };
        let Some(n) = self.address(i) else { return };
        match what {
            Access::Write | Access::Atomic => {
                s.cells[n] = Cell { state: WRITTEN, write: Some(i).into(), point: None.into() };
            }
            Access::Read => self.read(n, i, s),
        }
    }

    fn read(&mut self, n: usize, i: Inst, s: &State) {
        let (f, c) = (self.f, s.cells[n]);
        if let (Some(w), Some(p)) = (c.write.expand(), c.point.expand()) {
            let d = across(self.m, self.uavs[n], c.state, f.spans[w], f.spans[p], f.spans[i]);
            self.found.all.extend(d);
        }
        // What another shader of the thread wrote: one that ran meanwhile, or the one that started this one.
        let own = c.state & OTHER == 0;
        let started = !matches!(f.stage, Stage::RayGeneration | Stage::Library);
        if !own
            && (s.shaders.is_some() || started)
            && let Some(address) = self.shared_address(n)
        {
            let point = s.shaders.expand().map(|p| f.spans[p]);
            self.found.reads.push(Shared { address, function: self.function, span: f.spans[i], point, uav: self.uavs[n], barrier: false });
        }
    }
}
