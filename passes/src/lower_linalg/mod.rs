//! `lower_linalg`: linear algebra becomes plain arithmetic, for devices without matrices.
//!
//! | matrix | becomes |
//! |---|---|
//! | of a thread, loaded | a place: the buffer, the first byte, the bytes from row to row and from column to column |
//! | of a thread, a product of vectors | the two vectors |
//! | of a thread, with cooperative vectors | the same place, and the two vectors, which instructions of SPIR-V take ([`vectors`]) |
//! | of a wave | an array in each lane: lane `l` of `n` has columns `l`, `l + n`, …, one after the other |
//! | of a group | the same in each thread of the group; numbers of other threads come by groupshared memory |
//!
//! Numbers of less than 32 bits are `f32` or `i32` in these arrays, rounded to numbers of their type. Sums of products begin with the first product and go on
//! in order, each product and each sum rounded to 32 bits, so that every device gives the same. The pass runs before variables become values: a matrix that an
//! operation makes is a variable of its own, and one that is loaded from a variable is that variable, unless it changes before the last use.

mod code;
mod group;
mod numbers;
mod thread;
mod vectors;
mod wave;

use rtc_base::{Diagnostic, Span};
use rtc_ir::debug::Anchors;
use rtc_ir::linalg;
use rtc_ir::{
    Field, Function, Global, GlobalKind, Inst, InstData, Local, LocalData, Module, Opcode, Region, Root, Stage, Step, StructData, Type,
    TypeKind, Value, ValueDef,
};
use rtc_tables::diagnostics as codes;
use rtc_tables::insts::Family;
use rtc_tables::limits::WAVE_LANES;
use rtc_tables::linalg::numbers::{Encoding, encoding_of};
use rtc_tables::linalg::{MatrixType, SCOPE_GROUP, SCOPE_THREAD, SCOPE_WAVE, USE_ACCUMULATOR};
use rustc_hash::{FxHashMap, FxHashSet};

use self::code::{Arithmetic, Code};
use crate::util::all_regions;
use crate::{Changed, PassCtx, PassError};

/// The most numbers of a matrix that a lane holds.
const MAX_SLOTS: u32 = 1 << 12;

/// Whether a module has matrices.
pub fn uses_matrices(m: &Module) -> bool {
    m.types.iter().any(|(_, k)| matches!(k, TypeKind::Linalg(_)))
        || m.funcs.values().any(|f| f.insts.keys().any(|i| f.op(i).family() == Family::Linalg))
}

/// What operations on matrices of a thread become.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum By {
    /// Plain arithmetic.
    #[default]
    Arithmetic,
    /// Cooperative vectors.
    Vectors,
}

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    lowered(m, By::Arithmetic)
}

/// The same, with cooperative vectors for matrices of a thread.
pub(crate) fn run_with_vectors(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    lowered(m, By::Vectors)
}

fn lowered(m: &mut Module, by: By) -> Result<Changed, PassError> {
    if !uses_matrices(m) {
        return Ok(Changed::No);
    }
    let mut types = Types { by, lanes: fewest_lanes(m), threads: fewest_threads(m), handle: handle_type(m), ..Types::default() };
    let mut errors = Vec::new();
    for g in m.globals.keys() {
        if let GlobalKind::Private(ty, _) = m.globals[g].kind {
            let lowered = types.lowered(m, ty);
            if let GlobalKind::Private(ty, _) = &mut m.globals[g].kind {
                *ty = lowered;
            }
        }
    }
    let mut f = Function::new("", Stage::Library);
    for id in m.funcs.keys() {
        std::mem::swap(&mut f, &mut m.funcs[id]);
        function(m, &mut f, &mut types, &mut errors);
        f.settled = false;
        std::mem::swap(&mut f, &mut m.funcs[id]);
    }
    errors.extend(types.errors);
    if errors.is_empty() { Ok(Changed::Yes) } else { Err(PassError::Invalid(errors)) }
}

/// The fewest lanes that a wave has when it begins: the last one of a group may have fewer than the others.
fn fewest_lanes(m: &Module) -> u32 {
    let of = |f: &Function| {
        let least = f.wave_lanes().map_or(*WAVE_LANES.start(), |w| w.0.max(1));
        let threads: u32 = f.numthreads.map_or(1, |n| n.iter().product());
        let whole = 1 << threads.max(1).trailing_zeros().min(WAVE_LANES.end().trailing_zeros());
        least.min(whole)
    };
    m.funcs.values().filter(|f| f.stage == Stage::Compute).map(of).min().unwrap_or(1)
}

/// The fewest threads of a group.
fn fewest_threads(m: &Module) -> u32 {
    m.funcs.values().filter_map(|f| f.numthreads).map(|n| n.iter().product()).min().unwrap_or(1).max(1)
}

/// The type of the buffers that matrices of threads are loaded from.
fn handle_type(m: &Module) -> Option<Type> {
    m.funcs.values().find_map(|f| {
        let of_thread =
            |&i: &Inst| f.op(i) == Opcode::linalg_load && m.types.as_linalg(f.ty(f.result(i))).is_some_and(|t| t.scope == SCOPE_THREAD);
        let i = f.insts.keys().find(of_thread)?;
        Some(f.ty(*f.operands(i).first()?))
    })
}

/// What types of matrices become.
#[derive(Default)]
struct Types {
    by: By,
    lanes: u32,
    threads: u32,
    scratch: Option<Global>,
    handle: Option<Type>,
    known: FxHashMap<Type, Type>,
    errors: Vec<Diagnostic>,
}

impl Types {
    /// A type without matrices.
    fn lowered(&mut self, m: &mut Module, ty: Type) -> Type {
        if let Some(&known) = self.known.get(&ty) {
            return known;
        }
        let made = match m.types.kind(ty) {
            TypeKind::Linalg(t) => self.matrix(m, t),
            TypeKind::Array(elem, n) => {
                let elem = self.lowered(m, elem);
                m.types.array(elem, n)
            }
            TypeKind::Struct(s) => {
                let before: Vec<Type> = m.structs[s].fields.iter().map(|f| f.ty).collect();
                let after: Vec<Type> = before.iter().map(|&t| self.lowered(m, t)).collect();
                if before == after {
                    ty
                } else {
                    let mut data = m.structs[s].clone();
                    data.name.push_str(".lowered");
                    data.fields.iter_mut().zip(after).for_each(|(f, ty)| f.ty = ty);
                    let s = m.structs.push(data);
                    m.types.struct_(s)
                }
            }
            _ => ty,
        };
        self.known.insert(ty, made);
        made
    }

    fn matrix(&mut self, m: &mut Module, t: MatrixType) -> Type {
        let number = Arithmetic::of(&[encoding(t)]).ty();
        if t.scope != SCOPE_THREAD {
            return m.types.array(number, self.slots(t).clamp(1, MAX_SLOTS));
        }
        let vectors = self.by == By::Vectors;
        let number = if vectors { Type::F16 } else { number };
        let (row, column) = if vectors { ("stride", "layout") } else { ("row", "column") };
        let fields = match (t.use_, self.handle) {
            (USE_ACCUMULATOR, _) => {
                vec![("rows", m.types.array(number, t.rows.max(1))), ("columns", m.types.array(number, t.columns.max(1)))]
            }
            (_, handle) => vec![("buffer", handle.unwrap_or(Type::I32)), ("at", Type::I32), (row, Type::I32), (column, Type::I32)],
        };
        let field = |(name, ty): (&str, Type)| Field {
            name: name.to_owned(),
            ty,
            paq: None,
            offset: None,
            numbers: None,
            hlsl: String::new(),
            precise: false,
        };
        let data = StructData {
            name: format!("matrix.{}", t.mangled()),
            fields: fields.into_iter().map(field).collect(),
            base: None,
            raypayload: false,
        };
        let s = m.structs.push(data);
        m.types.struct_(s)
    }

    /// The groupshared memory by which threads of groups exchange numbers.
    fn scratch(&mut self, m: &mut Module) -> group::Scratch {
        let root = Root::Global(*self.scratch.get_or_insert_with(|| group::scratch(m)));
        group::Scratch { root }
    }

    /// How many blocks of as many columns as there are lanes, or threads of a group.
    fn blocks(&self, t: MatrixType) -> u32 {
        let each = if t.scope == SCOPE_GROUP { self.threads } else { self.lanes };
        t.columns.max(1).div_ceil(each.max(1))
    }

    /// How many numbers of a matrix of a wave or group a thread holds.
    fn slots(&self, t: MatrixType) -> u32 {
        self.blocks(t).saturating_mul(t.rows)
    }
}

/// How the numbers of a matrix are encoded. Component types that are none are refused before.
fn encoding(t: MatrixType) -> Encoding {
    encoding_of(t.component).unwrap_or(Encoding::Signed(32))
}

/// Where a matrix is.
#[derive(Clone)]
struct Bound {
    ty: MatrixType,
    root: Root,
    steps: Vec<Step>,
    indices: Vec<Value>,
}

impl Bound {
    /// A part with constant steps.
    fn part(&self, more: &[Step]) -> Vec<Step> {
        self.steps.iter().chain(more).copied().collect()
    }
    /// The steps and indices of a number of an array, which is reached by constant steps.
    fn at(&self, more: &[Step], n: Value) -> (Vec<Step>, Vec<Value>) {
        let steps = self.steps.iter().chain(more).copied().chain([Step::Dyn]).collect();
        (steps, self.indices.iter().copied().chain([n]).collect())
    }
}

/// The threads that share matrices: the lanes of a wave when the shader begins, or the threads of the group.
#[derive(Clone, Copy)]
struct Team {
    lane: Value,
    count: Value,
    /// What the threads of a group exchange numbers by. Lanes of a wave read each other's registers.
    scratch: Option<group::Scratch>,
}

/// The lowering of a function.
struct Lower<'a> {
    m: &'a mut Module,
    f: &'a mut Function,
    types: &'a mut Types,
    errors: &'a mut Vec<Diagnostic>,
    bound: FxHashMap<Value, Bound>,
    renamed: FxHashMap<Value, Value>,
    /// Variables that are written once, as a whole, with what.
    once: FxHashMap<Local, Value>,
    /// Whether all matrices of threads are loaded by columns, or by rows.
    by_columns: Option<bool>,
    wave: Option<Team>,
    group: Option<Team>,
    /// Types of matrices of operations that were refused.
    failed: FxHashSet<MatrixType>,
    region: Region,
    span: Span,
}

fn function(m: &mut Module, f: &mut Function, types: &mut Types, errors: &mut Vec<Diagnostic>) {
    let is_matrix = |t: Type| m.types.as_linalg(t).is_some();
    let passes = f.values.values().any(|v| is_matrix(v.ty) && matches!(v.def, ValueDef::Param(..)));
    if passes || f.ret.is_some_and(is_matrix) {
        errors.push(unsupported(f.span, "a matrix that a function takes or gives, or that control flow selects"));
        return;
    }
    for l in f.locals.keys() {
        f.locals[l].ty = types.lowered(m, f.locals[l].ty);
    }
    if !f.insts.keys().any(|i| f.op(i).family() == Family::Linalg || f.results(i).iter().any(|&v| m.types.as_linalg(f.ty(v)).is_some())) {
        return;
    }
    let anchors = Anchors::take(f);
    let (body, once) = (f.body, written_once(f));
    let mut lower = Lower {
        region: body,
        m,
        f,
        types,
        errors,
        bound: FxHashMap::default(),
        renamed: FxHashMap::default(),
        once,
        by_columns: None,
        wave: None,
        group: None,
        failed: FxHashSet::default(),
        span: Span::NONE,
    };
    lower.by_columns = lower.orientation();
    lower.body();
    let renamed = std::mem::take(&mut lower.renamed);
    for r in all_regions(f) {
        for i in f.regions[r].insts.clone() {
            f.map_operands(i, |v| renamed.get(&v).copied().unwrap_or(v));
        }
    }
    anchors.into_iter().for_each(|a| a.restore(f));
}

/// Variables with one store of all that they are, and nothing else that writes them.
fn written_once(f: &Function) -> FxHashMap<Local, Value> {
    let (mut once, mut other) = (FxHashMap::default(), FxHashSet::default());
    f.for_each_inst(f.body, |_, i| {
        let (place, whole) = match f.insts[i] {
            InstData::Access { op: Opcode::load, .. } => return,
            InstData::Access { op, place, args, .. } => {
                let whole = op == Opcode::store && f.places[place].steps.is_empty();
                (place, if whole { f.get(args).last().copied() } else { None })
            }
            InstData::Copy { to, .. } => (to, None),
            InstData::Call { refs, .. } => {
                other.extend(f.get_places(refs).iter().filter_map(|&p| if let Root::Local(l) = f.places[p].root { Some(l) } else { None }));
                return;
            }
            _ => return,
        };
        let Root::Local(l) = f.places[place].root else { return };
        if whole.is_none_or(|v| once.insert(l, v).is_some()) {
            other.insert(l);
        }
    });
    once.retain(|l, _| !other.contains(l) && f.locals[*l].param.is_none());
    once
}

/// What cannot be lowered.
fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&codes::E0904, span, format!("linear algebra: {what} is not supported yet in SPIR-V"))
}

impl Lower<'_> {
    fn code(&mut self) -> Code<'_> {
        Code { types: &mut self.m.types, f: self.f, region: self.region, span: self.span }
    }

    fn refuse(&mut self, what: &str) {
        self.errors.push(unsupported(self.span, what));
    }

    /// The constant that a value is, perhaps by way of variables that are written once.
    fn constant(&self, mut v: Value) -> Option<u64> {
        for _ in 0..8 {
            if let Some(bits) = self.f.as_const(v) {
                return Some(bits);
            }
            let InstData::Access { op: Opcode::load, place, .. } = self.f.insts[self.f.def_inst(v)?] else { return None };
            let place = &self.f.places[place];
            let Root::Local(l) = place.root else { return None };
            v = *self.once.get(&l).filter(|_| place.steps.is_empty())?;
        }
        None
    }

    /// Whether the matrices of threads are by columns or by rows in memory, if all are the same.
    fn orientation(&self) -> Option<bool> {
        let mut found = None;
        for i in self.f.insts.keys().filter(|&i| self.f.op(i) == Opcode::linalg_load) {
            let by_columns = rtc_tables::linalg::layouts::is_by_columns(self.constant(*self.f.operands(i).get(3)?)?);
            if found.is_some_and(|f| f != by_columns) {
                return None;
            }
            found = Some(by_columns);
        }
        found
    }

    fn body(&mut self) {
        let body = self.f.body;
        let has = |scope: u32| self.f.values.values().any(|v| self.m.types.as_linalg(v.ty).is_some_and(|t| t.scope == scope));
        let (of_wave, of_group) = (has(SCOPE_WAVE), has(SCOPE_GROUP));
        let before = std::mem::take(&mut self.f.regions[body].insts);
        self.region = body;
        if of_wave {
            // At the beginning all lanes that the wave has are there.
            let mut c = self.code();
            let yes = c.f.const_bool(true);
            let lane = c.b().nullary(Opcode::wave_lane_index);
            let count = c.b().unary(Opcode::wave_all_bit_count, yes);
            self.wave = Some(Team { lane, count, scratch: None });
        }
        if let (true, Some(threads)) = (of_group, self.f.numthreads) {
            let scratch = self.types.scratch(self.m);
            let mut c = self.code();
            let lane = c.b().nullary(Opcode::flattened_thread_id_in_group);
            let count = c.word(threads.iter().product());
            self.group = Some(Team { lane, count, scratch: Some(scratch) });
        }
        let first = std::mem::replace(&mut self.f.regions[body].insts, before);
        self.rewrite(body);
        self.f.regions[body].insts.splice(0..0, first);
    }

    /// The threads that share a matrix of this scope.
    fn team(&self, scope: u32) -> Option<Team> {
        if scope == SCOPE_GROUP { self.group } else { self.wave }
    }

    fn rewrite(&mut self, r: Region) {
        let insts = std::mem::take(&mut self.f.regions[r].insts);
        let mut skipped = None;
        for (n, &i) in insts.iter().enumerate() {
            if skipped == Some(n) {
                continue;
            }
            for inner in self.f.regions_of(i) {
                self.rewrite(inner);
            }
            self.region = r;
            self.span = self.f.spans[i];
            let result = self.f.results(i).first().copied();
            let matrix = result.and_then(|v| self.m.types.as_linalg(self.f.ty(v)));
            if self.f.op(i).family() == Family::Linalg {
                if self.checked(i, matrix) {
                    let to = self.target(&insts, n, result, matrix);
                    if to.is_some() {
                        skipped = Some(n + 1);
                    }
                    self.operation(i, result, matrix, to);
                }
                continue;
            }
            match (self.f.insts[i], result, matrix) {
                (InstData::Access { op: Opcode::load, place, args, .. }, Some(v), Some(ty)) => {
                    let data = &self.f.places[place];
                    let from = Bound { ty, root: data.root, steps: data.steps.to_vec(), indices: self.f.get(args).to_vec() };
                    let stays = self.stays(&insts[n + 1..], v, from.root);
                    let bound = if stays { from } else { self.copied(&from) };
                    self.bound.insert(v, bound);
                }
                (InstData::Access { op: Opcode::store, place, args, .. }, ..) if self.is_matrix(self.f.get(args).last().copied()) => {
                    let data = self.f.places[place].clone();
                    let all = self.f.get(args).to_vec();
                    let (Some((&v, indices)), root) = (all.split_last(), data.root) else { continue };
                    if let Some(from) = self.matrix(v) {
                        self.code().b().copy((root, &data.steps, indices), (from.root, &from.steps, &from.indices));
                    }
                }
                (_, _, Some(_)) => self.refuse("a matrix that control flow selects"),
                _ => self.f.regions[r].insts.push(i),
            }
        }
    }

    fn is_matrix(&self, v: Option<Value>) -> bool {
        v.is_some_and(|v| self.m.types.as_linalg(self.f.ty(v)).is_some())
    }

    /// Whether what a load gave is in its variable until its last use.
    fn stays(&self, rest: &[Inst], v: Value, root: Root) -> bool {
        let mut written = false;
        for &i in rest {
            let (mut here, mut inside) = (false, false);
            self.f.for_each_operand(i, |u| here |= u == v);
            for r in self.f.regions_of(i) {
                self.f.for_each_inst(r, |_, i| self.f.for_each_operand(i, |u| inside |= u == v));
            }
            if inside || here && written {
                return false;
            }
            // What is in regions is written there, perhaps.
            written |= self.f.owns_regions(i);
            written |= match self.f.insts[i] {
                InstData::Access { op: Opcode::store, place, .. } => self.f.places[place].root == root,
                InstData::Copy { to, .. } => self.f.places[to].root == root,
                _ => false,
            };
        }
        true
    }

    fn copied(&mut self, from: &Bound) -> Bound {
        let to = self.fresh(from.ty);
        self.code().b().copy((to.root, &to.steps, &to.indices), (from.root, &from.steps, &from.indices));
        to
    }

    /// A variable for a matrix.
    fn fresh(&mut self, ty: MatrixType) -> Bound {
        let matrix = self.m.types.linalg(ty);
        let lowered = self.types.lowered(self.m, matrix);
        let local = self.f.locals.push(LocalData::new(lowered, ""));
        Bound { ty, root: Root::Local(local), steps: Vec::new(), indices: Vec::new() }
    }

    /// Where a matrix that is an operand is.
    fn matrix(&mut self, v: Value) -> Option<Bound> {
        if let Some(b) = self.bound.get(&v) {
            return Some(b.clone());
        }
        let ty = self.m.types.as_linalg(self.f.ty(v))?;
        if self.f.is_undef(v) {
            return Some(self.fresh(ty));
        }
        if self.errors.is_empty() {
            self.refuse("a matrix that control flow selects");
        }
        None
    }

    /// The variable that the result of an operation is stored into at once, if no operand is there.
    fn target(&mut self, insts: &[Inst], n: usize, result: Option<Value>, matrix: Option<MatrixType>) -> Option<Bound> {
        let (v, ty) = (result?, matrix?);
        let next = *insts.get(n + 1)?;
        let InstData::Access { op: Opcode::store, place, args, .. } = self.f.insts[next] else { return None };
        let (&stored, indices) = self.f.get(args).split_last()?;
        let mut uses = 0;
        insts[n + 1..].iter().for_each(|&i| self.f.for_each_operand(i, |u| uses += usize::from(u == v)));
        for &i in &insts[n + 1..] {
            for r in self.f.regions_of(i) {
                self.f.for_each_inst(r, |_, i| self.f.for_each_operand(i, |u| uses += usize::from(u == v)));
            }
        }
        let root = self.f.places[place].root;
        let read = self.f.operands(insts[n]).iter().any(|o| self.bound.get(o).is_some_and(|b| b.root == root));
        let fits = stored == v && uses == 1 && !read;
        fits.then(|| Bound { ty, root, steps: self.f.places[place].steps.to_vec(), indices: indices.to_vec() })
    }

    /// Reports what an operation breaks, and what is not supported, once for each type. True: neither.
    fn checked(&mut self, i: Inst, matrix: Option<MatrixType>) -> bool {
        let operands = self.f.operands(i);
        let given = operands.iter().filter_map(|&v| self.m.types.as_linalg(self.f.ty(v)));
        let types: Vec<MatrixType> = matrix.into_iter().chain(given).collect();
        if types.iter().any(|t| self.failed.contains(t)) {
            return false;
        }
        let name = self.f.op(i).hlsl_name();
        let mut broken = linalg::broken(&self.m.types, self.f, i, &|v| self.constant(v));
        // Variables are not values yet, so a matrix that nothing sets looks like any other; here nothing can have set it.
        let is_loaded = |t: MatrixType| t.scope == SCOPE_THREAD && t.use_ != USE_ACCUMULATOR;
        let mut given = operands.iter().filter_map(|&v| self.m.types.as_linalg(self.f.ty(v)));
        if broken.is_empty() && self.types.handle.is_none() && given.any(is_loaded) {
            broken.push("its matrix has no value, since no matrix of a thread is loaded".to_owned());
        }
        let is_broken = !broken.is_empty();
        let errors = broken.into_iter().map(|b| Diagnostic::new(&codes::E0650, self.span, format!("invalid `{name}`: {b}")));
        self.errors.extend(errors);
        let lacking = types.iter().find_map(|&t| self.lacking(t));
        if let (Some(what), false) = (&lacking, is_broken) {
            self.refuse(what);
        }
        let good = !is_broken && lacking.is_none();
        if !good {
            self.failed.extend(types);
        }
        good
    }

    /// What is not supported of a matrix of this type.
    fn lacking(&self, t: MatrixType) -> Option<String> {
        let large = t.scope != SCOPE_THREAD && self.types.slots(t) > MAX_SLOTS;
        if t.scope == SCOPE_GROUP {
            let huge = large || t.rows.max(t.columns) > group::SCRATCH_WORDS / 2;
            return huge.then(|| format!("a matrix of {} in groups of {} threads", t.dimensions(), self.types.threads));
        }
        large.then(|| format!("a matrix of {} in waves that may have {} lanes", t.dimensions(), self.types.lanes))
    }

    /// The operands, without those of a place; constants where they are known to be such.
    fn operands(&mut self, i: Inst) -> Vec<Value> {
        let all: Vec<Value> = match self.f.insts[i] {
            InstData::Access { place, args, .. } => self.f.get(args)[self.f.places[place].dyn_count()..].to_vec(),
            _ => self.f.operands(i).to_vec(),
        };
        all.into_iter()
            .map(|v| match self.constant(v) {
                Some(bits) => self.f.const_bits(self.f.ty(v), bits),
                None => self.renamed.get(&v).copied().unwrap_or(v),
            })
            .collect()
    }

    fn operation(&mut self, i: Inst, result: Option<Value>, matrix: Option<MatrixType>, to: Option<Bound>) {
        let operands = self.operands(i);
        let to = match (matrix, to) {
            (Some(_), Some(to)) => Some(to),
            (Some(ty), None) => Some(self.fresh(ty)),
            _ => None,
        };
        if let (Some(v), Some(to)) = (result, &to) {
            self.bound.insert(v, to.clone());
        }
        let vectors = self.types.by == By::Vectors;
        let made = match (self.f.op(i), &to) {
            (Opcode::linalg_vector, _) if vectors => self.multiply_vector(&operands, result, false),
            (Opcode::linalg_vector_add, _) if vectors => self.multiply_vector(&operands, result, true),
            (Opcode::linalg_vector_add_to, _) if vectors => self.add_vector(&operands),
            (Opcode::linalg_outer, Some(to)) if vectors => self.outer_of_halves(to, &operands),
            (Opcode::linalg_load, Some(to)) if vectors && to.ty.scope == SCOPE_THREAD => self.load_for_vectors(to, &operands),
            (Opcode::linalg_add_to, _) if vectors && self.scope_of(&operands) == SCOPE_THREAD => self.add_outer(&operands),
            (Opcode::linalg_accumulator_layout, _) => Some(self.f.const_u32(rtc_tables::linalg::USE_A)),
            (Opcode::linalg_vector, _) => self.vector(&operands, result, false),
            (Opcode::linalg_vector_add, _) => self.vector(&operands, result, true),
            (Opcode::linalg_convert, _) => self.convert(&operands, result),
            (Opcode::linalg_vector_add_to, _) => self.vector_add_to(&operands),
            (Opcode::linalg_outer, Some(to)) => self.outer(to, &operands),
            (Opcode::linalg_load, Some(to)) if to.ty.scope == SCOPE_THREAD => self.load_of_thread(to, &operands),
            (Opcode::linalg_add_to, _) if self.scope_of(&operands) == SCOPE_THREAD => self.add_products_to(&operands),
            (op, to) => self.wave_operation(i, op, to.as_ref(), &operands, result),
        };
        if let (Some(v), Some(made)) = (result, made) {
            self.renamed.insert(v, made);
        }
    }

    fn scope_of(&self, operands: &[Value]) -> u32 {
        operands.first().and_then(|&v| self.m.types.as_linalg(self.f.ty(v))).map_or(SCOPE_THREAD, |t| t.scope)
    }
}
