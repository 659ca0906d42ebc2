//! Control-flow state of one function while it is written: jumps that wait for their target, headers of open loops, and facts about its
//! regions (reorder points, wave operations, conditions with a single use).

use rtc_base::{EntitySet, SecondaryMap};
use rtc_ir::analysis::forward_slice;
use rtc_ir::{self as ir, Effects, Function, Inst, InstData, Region, effects};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use rtc_dxil_module::{self, Block, Meta, Value};

/// The target of a forward jump.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum To {
    /// The code after a construct.
    After(Inst),
    /// The continuing region of a loop.
    Continuing(Inst),
}

/// How a waiting jump ends its block.
#[derive(Clone, Copy)]
pub enum How {
    /// Always.
    Always,
    /// If the condition has this value; else to the block.
    When(Value, bool, Block),
}

/// A waiting jump.
pub struct Jump {
    /// Its block.
    pub from: Block,
    /// How it ends the block.
    pub how: How,
    /// Metadata attached to the branch.
    pub mark: Option<Mark>,
    /// What it carries.
    pub values: SmallVec<[ir::Value; 4]>,
    /// What jumps.
    pub origin: Option<Inst>,
}

/// Attached metadata: its kind and the node.
pub type Mark = (u32, Meta);

/// The phi of a component of a loop's state: which parameter of the body, which component.
pub type StatePhi = (u32, u32, rtc_dxil_module::Inst);

/// The state of control flow.
pub struct Flow {
    /// Forward jumps to blocks that do not exist yet.
    waiting: FxHashMap<To, Vec<Jump>>,
    /// Header and phis of the loops that are being written.
    headers: FxHashMap<Inst, (Block, Vec<StatePhi>)>,
    /// Conditions whose only use is the `if` after the construct that computes them.
    single_use_conditions: EntitySet<ir::Value>,
    /// Control instructions with reorder points inside.
    reordering: EntitySet<Inst>,
    /// Regions that contain a wave operation, directly or in inner regions.
    with_wave_operations: EntitySet<Region>,
    /// For each loop with wave operations, the regions in it where something depends on these operations.
    lane_dependent: FxHashMap<Inst, EntitySet<Region>>,
    /// The region of each control instruction.
    parents: SecondaryMap<Inst, Option<Region>>,
    /// The condition of [`super::dx_break`], which always holds, once it is emitted.
    holds: Option<Value>,
}

impl Flow {
    /// That of `f`, of which nothing is written yet.
    pub fn new(m: &ir::Module, f: &Function) -> Flow {
        let mut flow = Flow {
            waiting: FxHashMap::default(),
            headers: FxHashMap::default(),
            single_use_conditions: single_use_conditions(f),
            reordering: EntitySet::new(),
            with_wave_operations: EntitySet::new(),
            lane_dependent: FxHashMap::default(),
            parents: SecondaryMap::new(),
            holds: None,
        };
        flow.regions(m, f);
        flow
    }

    /// Finds the regions with reorder points and with wave operations.
    fn regions(&mut self, m: &ir::Module, f: &Function) {
        let (mut reorders, mut waves, mut loops) = (Vec::new(), Vec::new(), Vec::new());
        f.for_each_inst(f.body, |r, i| {
            if f.owns_regions(i) {
                self.parents[i] = Some(r);
                if matches!(f.insts[i], InstData::Loop { .. }) {
                    loops.push(i);
                }
                return;
            }
            let effects = effects::of_inst(m, f, i);
            if effects.contains(Effects::REORDERS) {
                reorders.push(r);
            }
            if effects.contains(Effects::CONVERGENT) {
                waves.push(r);
            }
        });
        for r in reorders {
            let mut owner = f.regions[r].owner;
            while let Some(o) = owner.filter(|&o| self.reordering.insert(o)) {
                owner = self.parents[o].and_then(|r| f.regions[r].owner);
            }
        }
        for mut r in waves {
            while self.with_wave_operations.insert(r)
                && let Some(outer) = f.regions[r].owner.and_then(|o| self.parents[o])
            {
                r = outer;
            }
        }
        for l in loops {
            if f.regions_of(l).into_iter().any(|r| self.with_wave_operations.contains(r)) {
                let regions = self.dependent_regions(m, f, l);
                self.lane_dependent.insert(l, regions);
            }
        }
    }

    /// The regions in loop `l` where an instruction has an operand that comes from a wave operation of the loop, or is an access that runs under a condition
    /// which does; with those around them.
    fn dependent_regions(&self, m: &ir::Module, f: &Function, l: Inst) -> EntitySet<Region> {
        let mut waves = EntitySet::new();
        for r in f.regions_of(l) {
            f.for_each_inst(r, |_, i| {
                // Not barriers and derivatives, which tell nothing about the other lanes.
                if !f.owns_regions(i) && effects::of_inst(m, f, i).contains(Effects::CONVERGENT | Effects::READS_HELPERS) {
                    waves.insert(i);
                }
            });
        }
        let values = forward_slice(f, |i| waves.contains(i), |_| true);
        let mut regions = EntitySet::new();
        let mut guarded = EntitySet::new();
        for body in f.regions_of(l) {
            f.for_each_inst(body, |r, i| {
                if f.owns_regions(i) {
                    let condition = match f.insts[i] {
                        InstData::If { cond: on, .. } | InstData::Switch { on, .. } => values.contains(on),
                        _ => false,
                    };
                    if condition || guarded.contains(r) {
                        guarded.extend(f.regions_of(i));
                    }
                    return;
                }
                if matches!(f.insts[i], InstData::Exit { .. }) {
                    return;
                }
                let mut depends = guarded.contains(r) && !effects::of_inst(m, f, i).is_pure();
                f.for_each_operand(i, |v| depends |= values.contains(v));
                let mut at = r;
                while depends
                    && regions.insert(at)
                    && let Some(outer) = f.regions[at].owner.filter(|&o| o != l).and_then(|o| self.parents[o])
                {
                    at = outer;
                }
            });
        }
        regions
    }

    /// Takes the jumps that wait for `to`.
    pub fn take(&mut self, to: To) -> Vec<Jump> {
        self.waiting.remove(&to).unwrap_or_default()
    }

    /// Adds a jump that waits for `to`.
    pub fn wait(&mut self, to: To, jump: Jump) {
        self.waiting.entry(to).or_default().push(jump);
    }

    /// Header and phis of a loop that is being written.
    pub fn header(&self, i: Inst) -> Option<(Block, Vec<StatePhi>)> {
        self.headers.get(&i).cloned()
    }

    /// Begins a loop.
    pub fn enter_loop(&mut self, i: Inst, header: Block, phis: Vec<StatePhi>) {
        self.headers.insert(i, (header, phis));
    }

    /// Ends a loop: no more back edges come.
    pub fn leave_loop(&mut self, i: Inst) {
        self.headers.remove(&i);
    }

    /// Whether a control instruction has reorder points inside.
    pub fn reorders(&self, i: Inst) -> bool {
        self.reordering.contains(i)
    }

    /// Whether a condition has no other use than the `if` after the construct that computes it.
    pub fn has_single_use(&self, condition: ir::Value) -> bool {
        self.single_use_conditions.contains(condition)
    }

    /// Whether a region contains a wave operation.
    pub fn has_wave_operations(&self, r: Region) -> bool {
        self.with_wave_operations.contains(r)
    }

    /// Whether something in a region depends on wave operations of loop `l`, directly or in inner regions.
    pub fn depends_on_lanes(&self, l: Inst, r: Region) -> bool {
        self.lane_dependent.get(&l).is_some_and(|regions| regions.contains(r))
    }

    /// The region of a control instruction.
    pub fn parent(&self, i: Inst) -> Option<Region> {
        self.parents[i]
    }

    /// The condition that always holds, once it is emitted.
    pub fn holds(&self) -> Option<Value> {
        self.holds
    }

    /// Says what the condition is that always holds.
    pub fn set_holds(&mut self, condition: Value) {
        self.holds = Some(condition);
    }
}

/// The results of constructs whose single use is the condition of an `if`.
fn single_use_conditions(f: &Function) -> EntitySet<ir::Value> {
    let mut conditions = EntitySet::new();
    let mut any = false;
    f.for_each_inst(f.body, |_, i| {
        if let InstData::If { cond, .. } = f.insts[i]
            && f.def_inst(cond).is_some_and(|d| f.owns_regions(d) && f.results(d) == [cond])
        {
            any = true;
            conditions.insert(cond);
        }
    });
    if any {
        let mut seen = EntitySet::new();
        f.for_each_inst(f.body, |_, i| {
            f.for_each_operand(i, |v| {
                if conditions.contains(v) && !seen.insert(v) {
                    conditions.remove(v);
                }
            });
        });
    }
    conditions
}
