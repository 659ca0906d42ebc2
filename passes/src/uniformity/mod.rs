//! Uniformity (divergence) analysis: which values are provably the same for all threads that may be in one wave.
//!
//! A value is *uniform* if, whenever an instruction uses it, it is the same for all threads that the hardware may have put into one
//! wave by then. As reorder points may regroup any threads of the dispatch, that is more than being the same in a wave: the result
//! of a wave operation is not uniform, nor is the iteration that a loop is in, if there is a reorder point in the loop. Uniform
//! are
//!
//! * constants, specialisation constants, the size of the dispatch;
//! * declared resources, and elements of arrays of them at uniform indices, in the stages where all threads have the
//!   same bindings ([`effects::shares_bindings`]);
//! * loads from memory that no shader writes, through a uniform handle at a uniform address;
//! * results of instructions without effects on uniform operands;
//! * results of control flow that selects among uniform values by uniform conditions, or has only one value to select;
//! * parameters of a loop with uniform initial and repeated values, if all threads of the function enter it and there is no
//!   reorder point in it.
//!
//! That is what transformations need: a value that is called uniform is uniform. A warning needs the opposite: [`Uniformity::in_waves`] calls a
//! value varying where it is known what makes it differ among the lanes of a wave (`in_waves`), and follows that by the same rules of control flow.
//!
//! It is an optimistic forward dataflow analysis over the two-point lattice uniform < varying: every value starts as uniform, and
//! the transfer functions are applied in the order of the text until a fixpoint. A branch on a varying value makes threads diverge:
//! where its arms leave a construct further out, the results of that construct vary too.

mod in_waves;

pub(crate) use in_waves::is_reduction;

use rtc_base::{EntitySet, SecondaryMap};
use rtc_ir::analysis::{Exits, parents, results_start, target_construct};
use rtc_ir::{Effects, Function, Global, Inst, InstData, Local, Module, Opcode, Region, Value, ValueDef, effects};
use rtc_tables::insts::HEAP_NONUNIFORM;

use crate::shape::Shape;

/// The most traversals; if there is no fixpoint by then, nothing is uniform.
const MAX_SWEEPS: usize = 24;

/// How deep computations are compared.
const MAX_DEPTH: u32 = 8;

/// The varying values of one function.
pub struct Uniformity {
    varying: EntitySet<Value>,
    /// Constructs with divergent exits: threads may leave them by different exits, or in different iterations.
    divergent: EntitySet<Inst>,
    /// There was no fixpoint within the limit.
    gave_up: bool,
    /// Values that are not known vary, or are uniform.
    unknown_varies: bool,
}

impl Uniformity {
    /// Analyses `f`.
    pub fn of(m: &Module, f: &Function) -> Uniformity {
        let mut s = Solver::new(m, f);
        s.find_loops_with_points();
        s.solve()
    }

    /// The same for devices that put no other threads into a wave at reorder points: lanes that enter a loop together are in the same iteration of it.
    pub fn in_step(m: &Module, f: &Function) -> Uniformity {
        Solver::new(m, f).solve()
    }

    /// What certainly differs among the lanes of a wave, for warnings: everything else counts as uniform. Results of wave operations are uniform
    /// where they are computed; whether a reorder point lies before their use is for the caller to see. `local` are the resources that shader records
    /// bind.
    pub fn in_waves(m: &Module, f: &Function, local: &EntitySet<Global>) -> Uniformity {
        let mut s = Solver::new(m, f);
        s.in_waves = Some(local);
        s.result.unknown_varies = false;
        s.find_loops_with_points();
        s.solve()
    }

    /// Whether `v` is uniform.
    pub fn is_uniform(&self, f: &Function, v: Value) -> bool {
        match f.values[v].def {
            ValueDef::Const(_) => true,
            ValueDef::Undef => !self.unknown_varies,
            _ if self.gave_up => !self.unknown_varies,
            _ => !self.varying.contains(v),
        }
    }

    /// Whether threads of a wave may part in construct `c`: enter different regions of it, leave it by different exits, or in different iterations.
    /// No construct is one where the analysis gave up.
    pub fn diverges(&self, f: &Function, c: Inst) -> bool {
        let by_condition = match f.insts[c] {
            InstData::If { cond, .. } => !self.is_uniform(f, cond),
            InstData::Switch { on, .. } => !self.is_uniform(f, on),
            _ => false,
        };
        !self.gave_up && (by_condition || self.divergent.contains(c))
    }

    /// The effects of `inst`, as [`effects::of_inst`] has them, but an access that is provably uniform does not
    /// read placement: all threads get the same, wherever they are.
    pub fn effects(&self, m: &Module, f: &Function, inst: Inst) -> Effects {
        let e = effects::of_inst(m, f, inst);
        if e != Effects::READS_PLACEMENT || !effects::shares_bindings(f.stage) {
            return e;
        }
        let InstData::Many { args, .. } = f.insts[inst] else {
            return e;
        };
        let args = f.get(args);
        let on_resource = args.first().is_some_and(|&v| m.types.as_resource(f.ty(v)).is_some());
        if on_resource && args.iter().all(|&v| self.is_uniform(f, v)) { Effects::PURE } else { e }
    }
}

struct Solver<'a> {
    m: &'a Module,
    f: &'a Function,
    result: Uniformity,
    exits: Exits,
    /// The region of each instruction.
    parents: SecondaryMap<Inst, Region>,
    /// Loops with reorder points.
    with_points: EntitySet<Inst>,
    /// How deep each region is, and how deep the innermost divergent construct around it is (0: none).
    depth: SecondaryMap<Region, (u32, u32)>,
    /// Values vary if it is known why; the resources that shader records bind.
    in_waves: Option<&'a EntitySet<Global>>,
    /// Variables with contents that vary, where that is followed.
    varying_locals: EntitySet<Local>,
    changed: bool,
}

impl<'a> Solver<'a> {
    fn new(m: &'a Module, f: &'a Function) -> Self {
        let mut s = Solver {
            m,
            f,
            result: Uniformity {
                varying: EntitySet::with_capacity(f.values.len()),
                divergent: EntitySet::new(),
                gave_up: false,
                unknown_varies: true,
            },
            exits: Exits::of(f),
            parents: parents(f),
            with_points: EntitySet::new(),
            depth: SecondaryMap::new(),
            in_waves: None,
            varying_locals: EntitySet::new(),
            changed: false,
        };
        s.depth.resize(f.regions.len());
        s
    }

    fn solve(mut self) -> Uniformity {
        if self.in_waves.is_none() {
            self.result.varying.extend(self.f.regions[self.f.body].params.iter().copied());
        }
        let mut sweeps = 0;
        while self.sweep() {
            sweeps += 1;
            if sweeps == MAX_SWEEPS {
                self.result.gave_up = true;
                break;
            }
        }
        self.result
    }

    fn find_loops_with_points(&mut self) {
        let f = self.f;
        let mut full: EntitySet<Region> = EntitySet::new();
        f.for_each_inst(f.body, |r, i| {
            if !f.owns_regions(i) && f.op(i).effects().contains(Effects::REORDERS) {
                let mut at = Some(r);
                while let Some(r) = at
                    && full.insert(r)
                {
                    let owner = f.regions[r].owner;
                    if let Some(owner) = owner {
                        self.with_points.insert(owner);
                    }
                    at = owner.map(|o| self.parents[o]);
                }
            }
        });
    }

    /// Applies all transfer functions once; whether some value changed.
    fn sweep(&mut self) -> bool {
        self.changed = false;
        let f = self.f;
        f.for_each_inst(f.body, |r, i| match f.insts[i] {
            InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } | InstData::Loop { .. } => self.enter(r, i),
            InstData::Exit { .. } => self.exit(r, i),
            InstData::Access { .. } | InstData::Copy { .. } if self.in_waves.is_some() && f.results(i).is_empty() => self.write(i),
            _ if self.varies(i) => self.vary(f.results(i)),
            _ => {}
        });
        self.changed
    }

    fn vary(&mut self, values: &[Value]) {
        for &v in values {
            self.changed |= self.result.varying.insert(v);
        }
    }

    fn uniform(&self, v: Value) -> bool {
        self.result.is_uniform(self.f, v)
    }

    /// The transfer function of `i`, which owns no regions: whether its results vary.
    fn varies(&self, i: Inst) -> bool {
        let f = self.f;
        // There is no result, or it is at the top of the lattice.
        if f.results(i).iter().all(|&v| self.result.varying.contains(v)) {
            return false;
        }
        if let Some(local) = self.in_waves {
            return self.varies_in_wave(i, local);
        }
        if !self.result.effects(self.m, f, i).is_pure() {
            return true;
        }
        match f.insts[i] {
            InstData::Nullary { op } => op != Opcode::dispatch_rays_dim,
            InstData::Resource { global, index, nonuniform } => {
                nonuniform
                    || index.expand().is_some_and(|v| !self.uniform(v))
                    || !effects::shares_bindings(f.stage)
                    || !effects::is_bound_once(self.m, global)
            }
            InstData::Many { op: Opcode::heap_resource, imm, .. } if imm & HEAP_NONUNIFORM != 0 => true,
            InstData::Unary { op: Opcode::nonuniform, .. } => true,
            InstData::Many { args, .. } if args.is_empty() => true,
            InstData::Slot { .. } | InstData::Call { .. } => true,
            // Constant tables are left of those.
            _ => {
                let mut any = false;
                f.for_each_operand(i, |v| any = any || !self.uniform(v));
                any
            }
        }
    }

    /// Before the regions of construct `i` in `r`.
    fn enter(&mut self, r: Region, i: Inst) {
        let f = self.f;
        let (depth, divergent) = self.depth[r];
        let by_condition = match f.insts[i] {
            InstData::If { cond, .. } => !self.uniform(cond),
            InstData::Switch { on, .. } => !self.uniform(on),
            _ => false,
        };
        let diverges = by_condition || self.result.divergent.contains(i);
        let inner = (depth + 1, if diverges { depth + 1 } else { divergent });
        for c in f.regions_of(i) {
            self.depth[c] = inner;
        }
        if let InstData::Loop { init, body, .. } = f.insts[i] {
            let params = &f.regions[body].params;
            // Lanes of a wave that are in a loop together are in the same iteration, whoever else is not in it.
            if self.with_points.contains(i) || divergent != 0 && self.in_waves.is_none() {
                self.vary(params);
            }
            for (&p, &v) in params.iter().zip(f.get(init)) {
                if !self.uniform(v) {
                    self.vary(&[p]);
                }
            }
        }
        if diverges {
            for n in 0..f.results(i).len() {
                if !self.agree(i, n) {
                    self.vary(&[f.results(i)[n]]);
                }
            }
        }
    }

    /// Whether all exits of `c` give the same for result `n`, in whichever iteration of a loop.
    fn agree(&self, c: Inst, n: usize) -> bool {
        let f = self.f;
        let mut one = None;
        self.exits.leave[c].iter().all(|&e| {
            let v = f.operands(e)[results_start(f, e) + n];
            self.is_fixed(c, v, MAX_DEPTH) && self.is_same(*one.get_or_insert(v), v, MAX_DEPTH)
        })
    }

    /// Whether `v` is the same in all iterations of the loops that control is in while it is in `c`: no loop recomputes it, or only from such values.
    fn is_fixed(&self, c: Inst, v: Value, depth: u32) -> bool {
        let f = self.f;
        if self.is_outside_loops(c, v) {
            return true;
        }
        let Some(i) = f.def_inst(v).filter(|_| depth > 0) else { return false };
        self.shape(i).is_some() && f.operands(i).into_iter().all(|o| self.is_fixed(c, o, depth - 1))
    }

    /// Whether no loop recomputes `v` while control is in `c`.
    fn is_outside_loops(&self, c: Inst, v: Value) -> bool {
        let f = self.f;
        let mut r = match f.values[v].def {
            ValueDef::Result(i, _) => self.parents[i],
            ValueDef::Param(r, _) => r,
            _ => return true,
        };
        let mut in_loop = false;
        while let Some(owner) = f.regions[r].owner {
            in_loop |= matches!(f.insts[owner], InstData::Loop { .. });
            if owner == c {
                return !in_loop;
            }
            r = self.parents[owner];
        }
        true
    }

    /// What `i` computes from its operands, if it is a pure computation of one value.
    fn shape(&self, i: Inst) -> Option<Shape> {
        let (m, f) = (self.m, self.f);
        Shape::of(m, f, i).filter(|_| f.results(i).len() == 1 && self.result.effects(m, f, i).is_pure())
    }

    /// Whether two values are equal, as copies of one computation are: `reorder_motion` makes such.
    fn is_same(&self, a: Value, b: Value, depth: u32) -> bool {
        let f = self.f;
        let (Some(i), Some(j)) = (f.def_inst(a), f.def_inst(b)) else { return a == b };
        if a == b || depth == 0 {
            return a == b;
        }
        let (x, y) = (f.operands(i), f.operands(j));
        self.shape(i).is_some_and(|of| Some(of) == self.shape(j))
            && f.ty(a) == f.ty(b)
            && x.len() == y.len()
            && x.iter().zip(&y).all(|(&x, &y)| self.is_same(x, y, depth - 1))
    }

    fn exit(&mut self, r: Region, e: Inst) {
        let f = self.f;
        let Some(c) = target_construct(f, r, e) else {
            return;
        };
        let InstData::Exit { op, imm, .. } = f.insts[e] else {
            return;
        };
        let given = f.operands(e);
        let from = results_start(f, e);
        // How deep the regions of `c` are.
        let target = self.depth[f.regions_of(c)[0]].0;
        let (_, divergent) = self.depth[r];
        let partial = divergent > target;
        if op == Opcode::continue_ {
            if let InstData::Loop { continuing, .. } = f.insts[c] {
                self.give(&f.regions[continuing].params, &given);
                // A lane that continues earlier than others may bring another value, unless there is one.
                for (n, &p) in f.regions[continuing].params.iter().enumerate().filter(|_| partial) {
                    if self.exits.continues[c].iter().any(|&e| f.operands(e)[n] != given[n]) {
                        self.vary(&[p]);
                    }
                }
            }
            return;
        }
        if let (Opcode::next | Opcode::next_if, InstData::Loop { body, .. }) = (op, f.insts[c]) {
            let again = match op {
                Opcode::next => &given[..],
                _ => &given[1..1 + imm as usize],
            };
            self.give(&f.regions[body].params, again);
        }
        if op == Opcode::next {
            return;
        }
        let by_condition = op == Opcode::next_if && !self.uniform(given[0]);
        if partial || by_condition {
            self.changed |= self.result.divergent.insert(c);
        }
        self.give(f.results(c), &given[from..]);
    }

    fn give(&mut self, to: &[Value], given: &[Value]) {
        for (&p, &v) in to.iter().zip(given) {
            if !self.uniform(v) {
                self.vary(&[p]);
            }
        }
    }
}
