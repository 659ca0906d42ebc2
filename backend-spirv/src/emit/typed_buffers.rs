//! Accesses of buffers that are declared with the types of the source, by members and indices.
//!
//! [`Accesses`] finds the path of each access before a function is emitted. The arithmetic that computes byte addresses is not needed
//! then, and goes away with other unused code ([`super::unused`]). An access without a path, as of atomic operations on floating-point members, goes through the words of
//! the buffer, a second variable with the same binding.

use rtc_ir::host_layout::HostScalar;
use rtc_ir::{BindPlace, Function, Global, Inst, InstData, Module, Opcode, Scalar, Type, Value};
use rtc_tables::resources::ResourceKind;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::{Capability, Op, StorageClass};

use super::{Emitter, FuncEmitter, Handle};
use crate::access_path::{Leaf, Path, Step, Sum, find};
use crate::bindings::Home;
use crate::words::{Id, TypeId};

/// The accesses of a function by path.
#[derive(Default)]
pub struct Accesses {
    /// The path of each access that has one.
    paths: FxHashMap<Inst, Path>,
    /// The loads of constants of which only components are read whose numbers are known at run time.
    pub(crate) component_loads: FxHashSet<Inst>,
}

/// The buffer that an instruction accesses, if it is declared with its own type and the access may have a path.
fn accessed(e: &Emitter<'_>, f: &Function, i: Inst) -> Option<Global> {
    let InstData::Many { op, args, .. } = f.insts[i] else { return None };
    if !matches!(op, Opcode::cbuf_load | Opcode::raw_load | Opcode::buf_load | Opcode::buf_store | Opcode::buf_atomic) {
        return None;
    }
    let InstData::Resource { global, .. } = f.insts[f.def_inst(*f.get(args).first()?)?] else { return None };
    let home = e.bindings.home(global, f, e.m);
    matches!(home, Home::Descriptor { .. } | Home::Push | Home::Record).then_some(global)
}

/// The path of an access.
fn path(m: &Module, f: &Function, i: Inst, global: Global) -> Option<Path> {
    let InstData::Many { op, args, .. } = f.insts[i] else { return None };
    let ty = match op {
        Opcode::buf_store => f.ty(*f.get(args).last()?),
        _ => f.ty(*f.results(i).first()?),
    };
    path_of(m, f, i, global, ty, None)
}

/// The path of an access to a value of type `ty`, so many components further on.
fn path_of(m: &Module, f: &Function, i: Inst, global: Global, ty: Type, component: Option<Value>) -> Option<Path> {
    let InstData::Many { op, imm, args } = f.insts[i] else { return None };
    let args = f.get(args);
    let block = m.globals[global].resource()?.host.as_ref()?;
    let (s, lanes) = m.types.numeric(ty)?;
    if s == Scalar::Bool {
        return None;
    }
    let mut at = Sum::default();
    match op {
        Opcode::cbuf_load => {
            at.constant = imm;
            at.add(f, args[1], 16);
        }
        Opcode::raw_load => at.add(f, args[1], 1),
        _ => at.add(f, args[2], 1),
    }
    if let Some(n) = component {
        at.add(f, n, s.bytes() as i32);
    }
    let path = find(&m.host_types, block.ty, at, lanes, s.bytes())?;
    // Atomic operations are on integers.
    let float = match &path.leaf {
        Leaf::Scalar(h) | Leaf::Vector(h, ..) | Leaf::Matrix { scalar: h, .. } => h.scalar.is_float(),
    };
    (op != Opcode::buf_atomic || !float).then_some(path)
}

/// The load of constants of which `i` extracts a component whose number is known at run time, and that number.
pub(crate) fn component_of(f: &Function, i: Inst) -> Option<(Inst, Value)> {
    let InstData::Binary { op: Opcode::extract_dyn, args: [vector, component] } = f.insts[i] else { return None };
    let load = f.def_inst(vector)?;
    let InstData::Many { op: Opcode::cbuf_load, .. } = f.insts[load] else { return None };
    Some((load, component))
}

/// The loads of constants of which only such components are read. Constants do not change: the component is read where it is extracted, and the load
/// is none. Drivers then load one number, and do not choose among four.
fn component_loads(e: &Emitter<'_>, f: &Function) -> FxHashSet<Inst> {
    let (mut out, mut others) = (FxHashSet::default(), FxHashSet::default());
    if e.debug.is_some() {
        return out;
    }
    f.for_each_inst(f.body, |_, i| match component_of(f, i) {
        Some((load, component)) if e.m.types.elem(f.ty(f.result(load))).bits() == 32 => {
            out.insert(load);
            others.extend(f.def_inst(component));
        }
        _ => others.extend(f.operands(i).into_iter().filter_map(|v| f.def_inst(v))),
    });
    out.retain(|load| !others.contains(load));
    out
}

/// Push constants and shader records that are accessed without a path somewhere: Vulkan allows one variable of them, so it is words.
pub(crate) fn words_only(e: &Emitter<'_>) -> FxHashSet<Global> {
    let mut out = FxHashSet::default();
    let single = |g: Global| {
        let place = e.m.globals[g].resource().map(|r| r.binding.place);
        matches!(place, Some(BindPlace::Push | BindPlace::Record))
    };
    if !e.m.globals.keys().any(single) {
        return out;
    }
    for f in e.m.funcs.values().filter(|f| f.is_entry()) {
        f.for_each_inst(f.body, |_, i| {
            if let Some(g) = accessed(e, f, i).filter(|&g| single(g))
                && path(e.m, f, i, g).is_none()
            {
                out.insert(g);
            }
        });
    }
    out
}

impl Accesses {
    /// The accesses of `f`.
    pub(crate) fn of(e: &Emitter<'_>, f: &Function) -> Accesses {
        let mut out = Accesses { component_loads: component_loads(e, f), ..Accesses::default() };
        if !e.m.globals.keys().any(|g| e.host_block(g).is_some()) {
            return out;
        }
        f.for_each_inst(f.body, |_, i| {
            if let Some(g) = accessed(e, f, i).filter(|&g| e.host_block(g).is_some())
                && let Some(path) = path(e.m, f, i, g)
            {
                out.paths.insert(i, path);
            }
            // The path of a component goes on from that of its vector.
            if let Some((load, component)) = component_of(f, i)
                && out.component_loads.contains(&load)
                && let Some(g) = accessed(e, f, load).filter(|&g| e.host_block(g).is_some())
                && let Some(path) = path_of(e.m, f, load, g, f.ty(f.result(i)), Some(component))
            {
                out.paths.insert(i, path);
            }
        });
        out
    }
}

/// Where a path starts: a pointer to a block, and the ids of the indices so far.
struct Base {
    class: StorageClass,
    chain: SmallVec<[Id; 8]>,
    nonuniform: bool,
    /// Nothing writes to it while the shader runs.
    read_only: bool,
}

impl FuncEmitter<'_, '_> {
    /// Emits an access by its path; says whether it has one.
    pub(crate) fn typed_access(&mut self, i: Inst, op: Opcode, imm: u32, args: &[Value], h: &Handle) -> bool {
        let Some(path) = self.accesses.paths.get(&i).cloned() else { return false };
        let Some(block) = h.global.and_then(|g| self.e.host_block(g)) else { return false };
        let ty = self.e.host_block_ty(block, &h.ty);
        let class = self.e.block_class(h);
        let mut base = Base {
            class,
            chain: SmallVec::from_slice(&[self.descriptor(h, class, ty)]),
            nonuniform: h.nonuniform,
            read_only: h.ty.class != rtc_tables::resources::ResourceClass::Uav,
        };
        if h.ty.kind == ResourceKind::StructuredBuffer {
            let (contents, index) = (self.e.w.step(0), self.val(args[1]));
            base.chain.extend([contents, index]);
        }
        for step in &path.steps {
            let id = match step {
                Step::Member(n) => self.e.w.step(*n),
                Step::Element(sum) => self.sum(sum),
            };
            base.chain.push(id);
        }
        let scalar = match &path.leaf {
            Leaf::Scalar(h) | Leaf::Vector(h, ..) | Leaf::Matrix { scalar: h, .. } => *h,
        };
        if scalar.scalar.bits() == 16 {
            let why = self.reason("16-bit numbers in a buffer");
            self.e.narrow_storage(class, || why.clone());
        }
        match op {
            Opcode::buf_store => self.typed_store(&base, &path.leaf, args[args.len() - 1]),
            Opcode::buf_atomic => self.typed_atomic(i, &base, &path.leaf, imm, &args[3..]),
            _ => {
                let result = self.f.result(i);
                let id = self.typed_load(&base, &path.leaf, self.f.ty(result));
                self.set(result, id);
            }
        }
        true
    }

    /// The id of a sum.
    fn sum(&mut self, sum: &Sum) -> Id {
        let word = self.e.w.u32_ty();
        let mut total: Option<Id> = None;
        for &(v, factor) in &sum.terms {
            let mut id = self.val(v);
            if factor != 1 {
                let factor = self.e.w.u32(factor as u32);
                id = self.op(Op::IMul, word, &[id, factor]);
            }
            total = Some(match total {
                Some(t) => self.op(Op::IAdd, word, &[t, id]),
                None => id,
            });
        }
        match total {
            Some(t) => self.add(t, sum.constant),
            None => self.e.w.step(sum.constant),
        }
    }

    /// The pointer to something of type `ty`, further indices on.
    fn typed_pointer(&mut self, base: &Base, ty: TypeId, further: &[Id]) -> Id {
        let mut chain = base.chain.clone();
        chain.extend_from_slice(further);
        if chain.len() == 1 {
            return chain[0];
        }
        let pointer = self.e.w.pointer_ty(base.class, ty);
        let p = self.op(Op::AccessChain, pointer, &chain);
        if base.nonuniform {
            self.nonuniform(p);
        }
        p
    }

    fn load_typed(&mut self, base: &Base, ty: TypeId, further: &[Id]) -> Id {
        let p = self.typed_pointer(base, ty, further);
        let id = self.op(Op::Load, ty, &[p]);
        if base.nonuniform {
            self.nonuniform(id);
        }
        id
    }

    /// A value of IR type `ty`.
    fn typed_load(&mut self, base: &Base, leaf: &Leaf, ty: Type) -> Id {
        let lanes = self.m.types.lanes(ty);
        match leaf {
            Leaf::Scalar(h) => {
                let t = self.e.host_scalar(*h);
                let id = self.load_typed(base, t, &[]);
                self.host_to_value(id, *h, ty)
            }
            Leaf::Vector(h, _, first) if lanes == 1 => {
                let t = self.e.host_scalar(*h);
                let at = self.sum(first);
                let id = self.load_typed(base, t, &[at]);
                self.host_to_value(id, *h, ty)
            }
            Leaf::Vector(h, n, first) => {
                let t = self.e.host_vector(*h, *n);
                let mut id = self.load_typed(base, t, &[]);
                if lanes < *n {
                    let part = self.e.host_vector(*h, lanes);
                    let components: SmallVec<[u32; 4]> = (0..lanes).map(|k| first.constant + k).collect();
                    id = self.shuffle(part, [id, id], &components);
                }
                self.host_to_value(id, *h, ty)
            }
            Leaf::Matrix { scalar, rows, cols, row, col, along_row } => {
                if row.terms.is_empty() && col.terms.is_empty() && base.read_only {
                    let matrix = self.matrix(base, *scalar, *rows, *cols);
                    return self.part_of_matrix(matrix, *scalar, *cols, [row.constant, col.constant], *along_row, ty);
                }
                if *along_row && lanes == *cols {
                    let t = self.e.host_vector(*scalar, *cols);
                    let row = self.sum(row);
                    let id = self.load_typed(base, t, &[row]);
                    return self.host_to_value(id, *scalar, ty);
                }
                let t = self.e.host_scalar(*scalar);
                let parts: SmallVec<[Id; 4]> = (0..lanes)
                    .map(|k| {
                        let at = self.matrix_element(row, col, *along_row, k);
                        self.load_typed(base, t, &at)
                    })
                    .collect();
                let out = self.e.ty(ty);
                if lanes == 1 { parts[0] } else { self.composite(out, &parts) }
            }
        }
    }

    /// The indices of component `k` of a part of a matrix.
    fn matrix_element(&mut self, row: &Sum, col: &Sum, along_row: bool, k: u32) -> [Id; 2] {
        let (row, col) = (self.sum(row), self.sum(col));
        if along_row { [row, self.add_index(col, k)] } else { [self.add_index(row, k), col] }
    }

    /// An index and a constant, folded if the index is one.
    fn add_index(&mut self, id: Id, k: u32) -> Id {
        match self.e.w.as_u32(id) {
            Some(n) => self.e.w.step(n + k),
            None => self.add(id, k),
        }
    }

    /// A whole matrix of memory that nothing writes to, loaded once in each block.
    fn matrix(&mut self, base: &Base, scalar: HostScalar, rows: u32, cols: u32) -> Id {
        if self.matrices.0 != self.block {
            self.matrices = (self.block, FxHashMap::default());
        }
        if let Some(&id) = self.matrices.1.get(&base.chain) {
            return id;
        }
        let row = self.e.host_vector(scalar, cols);
        let ty = self.e.w.matrix_ty(row, rows);
        let id = self.load_typed(base, ty, &[]);
        self.matrices.1.insert(base.chain.clone(), id);
        id
    }

    fn part_of_matrix(&mut self, m: Id, scalar: HostScalar, cols: u32, [row, col]: [u32; 2], along_row: bool, ty: Type) -> Id {
        let lanes = self.m.types.lanes(ty);
        if along_row && lanes == cols {
            let t = self.e.host_vector(scalar, cols);
            let id = self.extract(t, m, &[row]);
            return self.host_to_value(id, scalar, ty);
        }
        let t = self.e.host_scalar(scalar);
        let at = |k| if along_row { [row, col + k] } else { [row + k, col] };
        let parts: SmallVec<[Id; 4]> = (0..lanes)
            .map(|k| {
                let [r, c] = at(k);
                self.extract(t, m, &[r, c])
            })
            .collect();
        let out = self.e.ty(ty);
        if lanes == 1 { parts[0] } else { self.composite(out, &parts) }
    }

    /// A value from memory as one of the IR: integers have no sign there.
    fn host_to_value(&mut self, id: Id, h: HostScalar, ty: Type) -> Id {
        if !h.signed && h.scalar == self.m.types.elem(ty) {
            return id;
        }
        let out = self.e.ty(ty);
        self.op(Op::Bitcast, out, &[id])
    }

    /// The reverse, of `lanes` components.
    fn value_to_host(&mut self, id: Id, h: HostScalar, from: Scalar, lanes: u32) -> Id {
        if !h.signed && h.scalar == from {
            return id;
        }
        let out = self.e.host_vector(h, lanes);
        self.op(Op::Bitcast, out, &[id])
    }

    fn typed_store(&mut self, base: &Base, leaf: &Leaf, value: Value) {
        let (s, lanes) = self.m.types.numeric(self.f.ty(value)).expect("buffers hold numbers");
        let id = self.val(value);
        let (h, whole, further): (HostScalar, bool, SmallVec<[Id; 2]>) = match leaf {
            Leaf::Scalar(h) => (*h, true, SmallVec::new()),
            Leaf::Vector(h, _, first) if lanes == 1 => (*h, true, SmallVec::from_slice(&[self.sum(first)])),
            Leaf::Vector(h, n, _) => (*h, lanes == *n, SmallVec::new()),
            Leaf::Matrix { scalar, row, col, .. } if lanes == 1 => (*scalar, true, SmallVec::from_slice(&[self.sum(row), self.sum(col)])),
            Leaf::Matrix { scalar, cols, row, along_row, .. } => {
                (*scalar, *along_row && lanes == *cols, SmallVec::from_slice(&[self.sum(row)]))
            }
        };
        if whole {
            let t = self.e.host_vector(h, lanes);
            let p = self.typed_pointer(base, t, &further);
            let id = self.value_to_host(id, h, s, lanes);
            return self.stmt(Op::Store, &[p, id]);
        }
        let (t, from) = (self.e.host_scalar(h), self.e.scalar(s, false));
        for k in 0..lanes {
            let part = self.extract(from, id, &[k]);
            let part = self.value_to_host(part, h, s, 1);
            let at: SmallVec<[Id; 2]> = match leaf {
                Leaf::Matrix { row, col, along_row, .. } => self.matrix_element(row, col, *along_row, k).into(),
                Leaf::Vector(_, _, first) => SmallVec::from_slice(&[self.e.w.u32(first.constant + k)]),
                Leaf::Scalar(_) => SmallVec::new(),
            };
            let p = self.typed_pointer(base, t, &at);
            self.stmt(Op::Store, &[p, part]);
        }
    }

    fn typed_atomic(&mut self, i: Inst, base: &Base, leaf: &Leaf, imm: u32, operands: &[Value]) {
        let result = self.f.result(i);
        let rty = self.f.ty(result);
        let s = self.m.types.elem(rty);
        let (h, further): (HostScalar, SmallVec<[Id; 2]>) = match leaf {
            Leaf::Scalar(h) => (*h, SmallVec::new()),
            Leaf::Vector(h, _, first) => (*h, SmallVec::from_slice(&[self.sum(first)])),
            Leaf::Matrix { scalar, row, col, .. } => (*scalar, SmallVec::from_slice(&[self.sum(row), self.sum(col)])),
        };
        if s.bits() == 64 {
            let why = self.reason("a 64-bit atomic operation in a buffer");
            self.e.w.capability(Capability::Int64Atomics, || why.clone());
            self.e.w.feature("shaderBufferInt64Atomics", || why);
        }
        let t = self.e.host_scalar(h);
        let p = self.typed_pointer(base, t, &further);
        let mut ids = self.vals(operands);
        for id in &mut ids {
            *id = self.value_to_host(*id, h, s, 1);
        }
        let scope = self.e.w.u32(spirv::Scope::Device as u32);
        let id = self.atomic(imm, t, p, scope, &ids);
        let id = self.host_to_value(id, h, rty);
        self.set(result, id);
    }
}
