//! Which values are results of wave operations, or are computed from them and constants alone.

use rtc_ir::{Function, Inst, InstData, Module, Opcode, Region, Value, ValueDef, effects};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Whether `op` says something of the wave: its result means another thing after a reorder point.
pub fn is_wave(op: Opcode) -> bool {
    about_lanes(op) || about_data(op) || op == Opcode::read_clock
}

/// Whether `i` reads the clock of the subgroup, which is another one in another wave.
pub(super) fn is_clock(f: &Function, i: Inst) -> bool {
    const SUBGROUP: u32 = 3;
    matches!(f.insts[i], InstData::Many { op: Opcode::read_clock, imm: SUBGROUP, .. })
}

/// Whether the result says how the threads are placed.
pub(super) fn about_lanes(op: Opcode) -> bool {
    use Opcode as O;
    matches!(
        op,
        O::wave_is_first_lane
            | O::wave_lane_index
            | O::wave_ballot
            | O::wave_match
            | O::wave_prefix_bit_count
            | O::wave_all_bit_count
            | O::wave_multi_prefix_bit_count
            | O::get_group_wave_index
    )
}

/// Whether the result is made of data of other lanes.
fn about_data(op: Opcode) -> bool {
    use Opcode as O;
    matches!(
        op,
        O::wave_any_true
            | O::wave_all_true
            | O::wave_all_equal
            | O::wave_read_lane_at
            | O::wave_read_lane_first
            | O::wave_active_op
            | O::wave_prefix_op
            | O::wave_multi_prefix_op
    )
}

/// Whether the result of `i` is about the wave.
pub(super) fn is_source(f: &Function, i: Inst) -> bool {
    about_lanes(f.op(i)) || about_data(f.op(i)) || is_clock(f, i)
}

/// How deep expressions are searched.
const MAX_DEPTH: u32 = 32;
/// The most values that are looked at to find that one is a constant.
const MAX_VISITS: u32 = 256;

/// The wave operations that values depend on.
pub(super) struct Waves<'a> {
    m: &'a Module,
    f: &'a Function,
    /// Of each value, searched once.
    known: FxHashMap<Value, Option<Inst>>,
    /// The loads that give what a variable holds.
    loads: FxHashMap<Inst, Inst>,
    /// What flows into the parameters of regions of loops.
    feeds: FxHashMap<Value, Vec<Value>>,
}

impl<'a> Waves<'a> {
    pub fn new(m: &'a Module, f: &'a Function) -> Self {
        Waves { m, f, known: FxHashMap::default(), loads: FxHashMap::default(), feeds: feeds(f) }
    }

    /// Notes that load `i` gives a result of `wave`.
    pub fn loads(&mut self, i: Inst, wave: Inst) {
        if self.loads.insert(i, wave).is_none() {
            // What was searched before did not know that.
            self.known.retain(|_, found| found.is_some());
        }
    }

    /// The wave operation whose result `v` is, or from which and constants alone `v` is computed.
    pub fn source(&mut self, v: Value) -> Option<Inst> {
        self.search(v, MAX_DEPTH)
    }

    fn search(&mut self, v: Value, depth: u32) -> Option<Inst> {
        if let Some(&known) = self.known.get(&v) {
            return known;
        }
        let (m, f) = (self.m, self.f);
        let d = f.def_inst(v)?;
        if let Some(wave) = is_source(f, d).then_some(d).or(self.loads.get(&d).copied()) {
            self.known.insert(v, Some(wave));
            return Some(wave);
        }
        let mut found = None;
        if depth > 0 && !f.owns_regions(d) && effects::of_inst(m, f, d).is_pure() {
            let varies = |o: &Value| !self.is_constant(*o, &mut { MAX_VISITS }, &mut SmallVec::new());
            // Which component it is says nothing of what is in it.
            let index = match f.insts[d] {
                InstData::Ternary { op: Opcode::insert_dyn, args: [_, index, _] } => Some(index),
                InstData::Binary { op: Opcode::extract_dyn, args: [_, index] } => Some(index),
                _ => None,
            };
            let operands = f.operands(d).into_iter().filter(|&o| Some(o) != index);
            let varying: SmallVec<[Value; 4]> = operands.filter(varies).collect();
            let mut sources = varying.iter().map(|&o| self.search(o, depth - 1));
            found = sources.next().flatten();
            // All operands, or it is as much about something else.
            if !sources.all(|s| s.is_some()) {
                found = None;
            }
        }
        self.known.insert(v, found);
        found
    }

    /// Whether `v` is computed from constants alone: the counter of a loop, too. `open`: the parameters that are being looked at.
    fn is_constant(&self, v: Value, visits: &mut u32, open: &mut SmallVec<[Value; 4]>) -> bool {
        let f = self.f;
        *visits = visits.saturating_sub(1);
        match f.values[v].def {
            ValueDef::Const(_) | ValueDef::Undef => true,
            _ if *visits == 0 => false,
            ValueDef::Result(i, _) => {
                let pure = !f.owns_regions(i) && effects::of_inst(self.m, f, i).is_empty();
                let operands = f.operands(i);
                pure && !operands.is_empty() && operands.iter().all(|&o| self.is_constant(o, visits, open))
            }
            ValueDef::Param(..) if open.contains(&v) => true,
            ValueDef::Param(..) => {
                open.push(v);
                self.feeds.get(&v).is_some_and(|all| all.iter().all(|&o| self.is_constant(o, visits, open)))
            }
        }
    }
}

/// The operands that are passed to each parameter of a region of a loop.
fn feeds(f: &Function) -> FxHashMap<Value, Vec<Value>> {
    let mut all: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    let mut pass = |to: Region, values: &[Value]| {
        for (&p, &v) in f.regions[to].params.iter().zip(values) {
            all.entry(p).or_default().push(v);
        }
    };
    let loop_of = |r: Region| f.regions[r].owner.map(|o| f.insts[o]);
    f.for_each_inst(f.body, |r, i| match f.insts[i] {
        InstData::Loop { init, body, .. } => pass(body, f.get(init)),
        InstData::Exit { op, imm, target, args } => {
            let args = f.get(args);
            match (op, loop_of(target.expand().unwrap_or(r))) {
                (Opcode::continue_, Some(InstData::Loop { continuing, .. })) => pass(continuing, args),
                (Opcode::next, Some(InstData::Loop { body, .. })) => pass(body, args),
                (Opcode::next_if, Some(InstData::Loop { body, .. })) => pass(body, args.get(1..1 + imm as usize).unwrap_or_default()),
                _ => {}
            }
        }
        _ => {}
    });
    all
}
