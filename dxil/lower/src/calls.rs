//! Lowering of calls to functions that other libraries define.
//!
//! The callee fixes the memory layout of what it gets by pointer. A payload or parameter that came in by pointer is passed on; a
//! variable of the caller that is passed somewhere has that layout from the start ([`Writer::passed_variables`]). Anything else, a part
//! of a vector, or a matrix of the other orientation is copied into an alloca before the call and, if the callee may write it,
//! copied back after it.

use rtc_base::EntitySet;
use rtc_ir::{self as ir, Inst, InstData, Local, Param, PlaceList, RefMode, Root, ValueList};
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::frame::Memory;
use super::func::Writer;
use super::layout;
use super::live::ALL_LANES;
use super::signature::{PassedAs, is_by_value, shape};
use super::types::TypeCache;
use rtc_dxil_module::Value;

/// A place with the values of its indices.
type AccessPath = (ir::PlaceData, SmallVec<[Value; 4]>);

/// An argument that is copied: the place, the values of its indices, the memory that the callee gets, and the type.
struct Copied {
    place: ir::PlaceData,
    dynamic: SmallVec<[Value; 4]>,
    memory: Memory,
    ty: ir::Type,
}

impl Writer<'_, '_> {
    /// Gives variables that are passed to functions of other libraries the memory that those know.
    pub(super) fn passed_variables(&mut self, types: &mut TypeCache) {
        let (m, f) = (self.m, self.f);
        if self.declared.funcs.is_empty() {
            return;
        }
        let mut seen: EntitySet<Local> = EntitySet::new();
        let calls: Vec<Inst> = self.facts.live.iter().filter(|&i| matches!(f.insts[i], InstData::Call { .. })).collect();
        for i in calls {
            let InstData::Call { func, refs, .. } = f.insts[i] else { continue };
            let callee = &m.funcs[func];
            let params = callee.params.iter().filter_map(|p| match *p {
                Param::Ref(l) => Some(&callee.locals[l]),
                Param::Value(_) => None,
            });
            for (&place, param) in f.get_places(refs).iter().zip(params) {
                let place = &f.places[place];
                let Root::Local(l) = place.root else { continue };
                let data = &f.locals[l];
                // Only types that consist of numbers have a memory layout that others share.
                let mut numbers = true;
                m.leaves(data.ty, &mut |_, t| numbers &= m.types.numeric(t).is_some());
                if data.param.is_some() || !numbers || seen.contains(l) {
                    continue;
                }
                // By value it is copied anyway.
                if place.steps.is_empty() && is_by_value(m, param) {
                    continue;
                }
                // Where a part is passed, an array of arrays is none that a variable can be (DXIL, TYPES.NOMULTIDIM): the part is copied.
                let is_array = |t| matches!(m.types.kind(t), ir::TypeKind::Array(..));
                if !place.steps.is_empty() && matches!(m.types.kind(data.ty), ir::TypeKind::Array(e, _) if is_array(e)) {
                    continue;
                }
                let matrices = param.matrices.filter(|_| place.steps.is_empty());
                seen.insert(l);
                let ty = types.declared(m, self.e.out, data.ty, matrices);
                let memory = match matrices {
                    None => Memory::at(self.e.room(ty, layout::align(m, data.ty))),
                    Some(_) => self.room_by_reference(param, ty),
                };
                self.set_pointer(Root::Local(l), memory, true);
            }
        }
    }

    /// A call of a function that is declared only.
    pub(super) fn call_elsewhere(&mut self, i: Inst, func: ir::Func, args: ValueList, refs: PlaceList) -> EmitResult {
        let (m, f, declared) = (self.m, self.f, self.declared);
        let callee = &m.funcs[func];
        let Some((made, sig)) = declared.funcs.get(&func) else {
            return Err(EmitError::internal(format!("the call of `{}` was not inlined", callee.name)));
        };
        let values = callee.params.iter().filter(|p| matches!(p, Param::Value(_))).count();
        let (values, indices) = f.get(args).split_at(values);
        let mut places: SmallVec<[AccessPath; 4]> = SmallVec::new();
        let mut indices = indices.iter();
        for &p in f.get_places(refs) {
            let data = f.places[p].clone();
            let dynamic = indices.by_ref().take(data.dyn_count()).map(|&v| self.one(v)).collect();
            places.push((data, dynamic));
        }
        // The number of each parameter among the values or among the references.
        let (mut next, mut numbers) = ([0usize; 2], Vec::with_capacity(callee.params.len()));
        for p in &callee.params {
            let n = &mut next[usize::from(matches!(p, Param::Ref(_)))];
            numbers.push(*n);
            *n += 1;
        }
        let mut given: SmallVec<[Value; 8]> = SmallVec::new();
        let mut back: Vec<Copied> = Vec::new();
        for p in &sig.params {
            let Some(n) = p.param.map(|n| numbers[n]) else { return Err(EmitError::internal("missing parameter")) };
            given.push(match p.what {
                PassedAs::Value(_) => {
                    let parts = self.defined(values[n]);
                    self.e.vector(&parts)
                }
                PassedAs::Pointer(Root::Local(l)) => {
                    let data = &callee.locals[l];
                    let arg = places[n].clone();
                    match self.handed_on(data, &arg)? {
                        Some(pointer) => pointer,
                        None => {
                            let Some(ty) = self.e.out.types.pointee(p.ty) else { return Err(EmitError::internal("no pointer")) };
                            let room = self.room_by_reference(data, ty);
                            self.copied(data, arg, room, &mut back)?
                        }
                    }
                }
                PassedAs::Query(_) => {
                    let Some(class) = self.e.out.types.pointee(p.ty) else { return Err(EmitError::internal("no pointer")) };
                    let number = self.one(values[n]);
                    let room = self.e.alloca(class, 4);
                    let to = self.number_of_query(room);
                    self.e.b().store(number, to, 4);
                    room
                }
                PassedAs::Pointer(_) => return Err(EmitError::internal("a slot as a parameter of a function")),
                PassedAs::Matrix(l) => {
                    let data = &callee.locals[l];
                    let arg = places[n].clone();
                    let room = self.room_by_value(data, p.ty);
                    let room = self.copied(data, arg, room, &mut back)?;
                    self.e.b().load(room, layout::align(m, data.ty))
                }
            });
        }
        let result = self.e.b().call(*made, &given);
        if let (Some(t), &[v]) = (callee.ret, f.results(i)) {
            let lanes = m.types.numeric(t).map_or(1, |n| n.1);
            let parts: SmallVec<[Value; 4]> = (0..lanes).map(|c| self.lane(result, c, lanes)).collect();
            self.set(v, &parts);
        }
        if let Some((n, class)) = sig.result
            && let Param::Ref(l) = callee.params[n]
        {
            let data = &callee.locals[l];
            let room = self.room_by_value(data, class);
            let room = self.copied(data, places[numbers[n]].clone(), room, &mut back)?;
            self.e.b().store(result, room, layout::align(m, data.ty));
        }
        for c in back {
            self.copy_back(&c)?;
        }
        Ok(())
    }

    fn lane(&mut self, vector: Value, c: u32, lanes: u32) -> Value {
        if lanes == 1 {
            return vector;
        }
        let n = self.e.out.i32(c as i32);
        self.e.b().extract_element(vector, n)
    }

    /// The address of a place, if the callee may have that.
    fn handed_on(&mut self, param: &ir::LocalData, (place, dynamic): &AccessPath) -> EmitResult<Option<Value>> {
        let Some(memory) = self.frame.pointer(place.root) else { return Ok(None) };
        let root = self.root_type(place.root);
        let r = self.reach(memory, root, &place.steps, dynamic)?;
        // No address leads to an array of arrays, as no variable is one: such a part is copied.
        let nested = !place.steps.is_empty() && self.is_array_of_arrays(r.ty, r.matrix.is_some());
        let fits = r.steps == place.steps.len() && r.matrix == shape(self.m, param) && !r.component && !memory.by_value && !nested;
        Ok(fits.then(|| self.reached(&r)))
    }

    /// Whether a type is an array of arrays in DXIL, where a `matrix` is none.
    fn is_array_of_arrays(&self, t: ir::Type, matrix: bool) -> bool {
        let element = |t| match self.m.types.kind(t) {
            ir::TypeKind::Array(e, _) => Some(e),
            _ => None,
        };
        let inner = element(t).and_then(element);
        if matrix { inner.and_then(element).is_some() } else { inner.is_some() }
    }

    /// Room of its own for an argument, filled if the callee reads it.
    fn copied(&mut self, param: &ir::LocalData, (place, dynamic): AccessPath, memory: Memory, back: &mut Vec<Copied>) -> EmitResult<Value> {
        let copied = Copied { place, dynamic, memory, ty: param.ty };
        if param.param != Some(RefMode::Out) {
            self.each_leaf(&copied, |w, c, path| {
                let from = w.part_location(&c.place, &c.dynamic, path)?;
                let parts = w.load(&from, ALL_LANES);
                let to = w.leaf_of_copy(c, path)?;
                w.store_parts(&to, &parts)
            })?;
        }
        if param.param != Some(RefMode::In) {
            back.push(copied);
        }
        Ok(memory.pointer)
    }

    fn copy_back(&mut self, copied: &Copied) -> EmitResult {
        self.each_leaf(copied, |w, c, path| {
            let from = w.leaf_of_copy(c, path)?;
            let parts = w.load(&from, ALL_LANES);
            let to = w.part_location(&c.place, &c.dynamic, path)?;
            w.store_parts(&to, &parts)
        })
    }

    fn leaf_of_copy(&mut self, c: &Copied, path: &[u32]) -> EmitResult<super::frame::Location> {
        let steps: SmallVec<[ir::Step; 6]> = path.iter().map(|&n| ir::Step::At(n)).collect();
        self.pointed_in(c.memory, c.ty, &steps, &[])
    }

    fn each_leaf(&mut self, c: &Copied, mut f: impl FnMut(&mut Self, &Copied, &[u32]) -> EmitResult) -> EmitResult {
        let mut paths: Vec<Vec<u32>> = Vec::new();
        self.m.leaves(c.ty, &mut |path, _| paths.push(path.to_vec()));
        paths.iter().try_for_each(|path| f(self, c, path))
    }
}
