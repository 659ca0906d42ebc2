//! Verifier, phase 2: types. Operands and results follow the rules of the instruction table, access paths fit their variables.
//! Control instructions and terminators are in [`super::control`].

use rtc_tables::barriers::{memory, semantics};
use rtc_tables::insts::{Arg, Family, HEAP_ALIGN, HEAP_NONUNIFORM};
use rtc_tables::limits::GEOMETRY_STREAMS;
use rtc_tables::resources::{AtomicOp, ResourceClass, ResourceFlags, ResourceKind, WaveOp};
use rtc_tables::signature::SigPoint;

use super::inst::InstCx;
use super::{Errors, control};
use crate::analysis::RegionTree;
use crate::inst::{Root, Step};
use crate::{
    ElementPart, ElementRole, Func, GlobalKind, InstData, Opcode, Param, Place, PlaceList, RefMode, Scalar, SlotRole, Stage, StageState,
    Type, TypeKind, Value,
};

pub(super) fn check(e: &mut Errors) {
    for id in e.m.funcs.keys() {
        let f = &e.m.funcs[id];
        let tree = RegionTree::of(f);
        let mut all = Vec::with_capacity(f.insts.len());
        f.for_each_inst(f.body, |_, i| all.push(i));
        for i in all {
            let mut cx = InstCx { e, id, f, i };
            match f.insts[i] {
                InstData::If { .. } | InstData::Switch { .. } | InstData::Loop { .. } | InstData::Block { .. } | InstData::Exit { .. } => {
                    control::check(&mut cx, &tree)
                }
                _ => cx.plain(),
            }
        }
    }
}

impl<'m> InstCx<'_, 'm> {
    fn plain(&mut self) {
        let (f, i) = (self.f, self.i);
        let results = self.types_of(f.results(i));
        match f.insts[i] {
            InstData::Copy { to, from, args } => {
                let mut rest = f.get(args);
                let (a, b) = (self.place(to, &mut rest), self.place(from, &mut rest));
                self.spare(rest);
                if let (Some(a), Some(b)) = (a, b)
                    && a != b
                {
                    self.same("copied places", &[b], &[a]);
                }
                self.same("results", &results, &[]);
                self.writable(to);
            }
            InstData::Access { op, imm, place, args } => self.access(op, imm, place, f.get(args), &results),
            InstData::Resource { global, index, .. } => {
                let kind = &self.m().globals[global].kind;
                let GlobalKind::Resource(r) = kind else {
                    return self.err(format!("expected a resource, found {global}"));
                };
                self.same("results", &results, &[r.ty]);
                if r.array != index.is_some() {
                    self.err("an index is expected for arrays of resources only");
                }
                if let Some(v) = index.expand() {
                    self.same("index", &[f.ty(v)], &[Type::I32]);
                }
            }
            InstData::Call { func, args, refs } => self.call(func, f.get(args), refs, &results),
            InstData::Slot { op, slot, .. } => {
                self.table(op, &results);
                let role = f.slots[slot].role;
                use SlotRole as R;
                let fits = match op {
                    Opcode::trace_ray | Opcode::hit_trace | Opcode::hit_invoke => {
                        matches!(role, R::PayloadIn | R::PayloadOut)
                    }
                    Opcode::hit_attributes | Opcode::hit_from_query_attrs | Opcode::hit_record => role == R::AttrHit,
                    Opcode::call_shader => matches!(role, R::CallableIn | R::CallableOut),
                    Opcode::allocate_ray_query => {
                        self.same("results", &results, &[f.slots[slot].ty]);
                        role == R::RayQuery
                    }
                    _ => role == R::AttrOut,
                };
                if !fits {
                    self.err(format!("{slot} has a role that does not match the instruction"));
                }
            }
            data => {
                let op = data.op();
                if self.table(op, &results) {
                    self.special(op, &results);
                }
            }
        }
    }

    /// Checks the operands and the result against the instruction's row. Whether they follow it.
    fn table(&mut self, op: Opcode, results: &[Type]) -> bool {
        let before = self.e.list.len();
        let info = op.info();
        let args = self.types_of(&self.f.operands(self.i));
        let rest = info.operands.last() == Some(&Arg::Rest);
        let fixed = op.fixed_operands();
        if args.len() < fixed || (args.len() > fixed && !rest) {
            self.err(format!("expected {fixed} operands, found {}", args.len()));
            return false;
        }
        for (n, (&rule, &t)) in info.operands.iter().zip(&args).enumerate() {
            if rule != Arg::Rest && !self.follows(rule, t, &args) {
                let t = self.name(t);
                self.err(format!("type mismatch in operand {}: expected {rule:?}, found {t}", n + 1));
            }
        }
        if before != self.e.list.len() {
            return false;
        }
        let status = match self.f.insts[self.i] {
            InstData::Many { op, imm, .. } => op.gives_status(imm),
            _ => false,
        };
        let expected = usize::from(info.result.is_some()) + usize::from(status);
        if results.len() != expected {
            self.err(format!("expected {expected} results, found {}", results.len()));
        } else if let Some(rule) = info.result
            && !self.follows(rule, results[0], &args)
        {
            let t = self.name(results[0]);
            self.err(format!("type mismatch in result: expected {rule:?}, found {t}"));
        } else if status && results[1] != Type::I32 {
            self.err("type mismatch: expected i32 for the status");
        }
        before == self.e.list.len()
    }

    fn follows(&self, rule: Arg, t: Type, args: &[Type]) -> bool {
        let types = &self.m().types;
        let numeric = types.numeric(t);
        let is = |f: fn(Scalar) -> bool| numeric.is_some_and(|(s, _)| f(s));
        let like = |s: Scalar| {
            let lanes = args.first().and_then(|&a| types.numeric(a)).map(|n| n.1);
            numeric.is_some_and(|n| n.0 == s && Some(n.1) == lanes)
        };
        let resource = types.as_resource(t);
        match rule {
            Arg::Float => is(Scalar::is_float),
            Arg::Int => is(Scalar::is_int),
            Arg::Num => numeric.is_some(),
            Arg::Bits => is(|s| !s.is_float()),
            Arg::Bool => is(|s| s == Scalar::Bool),
            Arg::Any => types.is_value(t),
            Arg::Same => args.first() == Some(&t),
            Arg::Same1 => args.get(1) == Some(&t),
            Arg::BoolLike => like(Scalar::Bool),
            Arg::I32Like => like(Scalar::I32),
            Arg::F32Like => like(Scalar::F32),
            Arg::Elem => {
                let elem = args.first().and_then(|&a| types.numeric(a)).map(|n| n.0);
                numeric.is_some_and(|n| n.1 == 1 && Some(n.0) == elem)
            }
            Arg::Vector => numeric.is_some_and(|n| n.1 > 1),
            Arg::B1 => t == Type::BOOL,
            Arg::I32 => t == Type::I32,
            Arg::I32x2 => t == Type::I32X2,
            Arg::I32x3 => t == Type::I32X3,
            Arg::I32x4 => t == Type::I32X4,
            Arg::F32 => t == Type::F32,
            Arg::F32x2 => t == Type::F32X2,
            Arg::F32x3 => t == Type::F32X3,
            Arg::F32x4 => t == Type::F32X4,
            Arg::I32xN => is(|s| s == Scalar::I32),
            Arg::F32xN => is(|s| s == Scalar::F32),
            Arg::Handle => resource.is_some(),
            Arg::Accel => resource.is_some_and(|r| r.kind == ResourceKind::AccelerationStructure),
            // A texture with its own sampler is both.
            Arg::Sampler => resource.is_some_and(|r| r.class == ResourceClass::Sampler || r.flags.contains(ResourceFlags::SAMPLED)),
            Arg::Query => types.is_ray_query(t),
            Arg::Hit => t == Type::HIT_OBJECT,
            Arg::Matrix => types.as_linalg(t).is_some(),
            Arg::Rest => true,
        }
    }

    /// Rules that a row cannot say. The row is followed.
    fn special(&mut self, op: Opcode, results: &[Type]) {
        use Opcode as O;
        let (m, f) = (self.m(), self.f);
        let args = f.operands(self.i);
        let ty = |n: usize| f.ty(args[n]);
        let num = |t: Type| m.types.numeric(t).unwrap_or((Scalar::Bool, 0));
        let imm = match f.insts[self.i] {
            InstData::Many { imm, .. } => imm,
            _ => 0,
        };
        match op {
            O::fconv | O::ftos | O::ftou | O::stof | O::utof | O::sext | O::zext | O::itrunc | O::bitcast => {
                let ((a, n), (b, k)) = (num(ty(0)), num(results[0]));
                let widths = match op {
                    O::sext | O::zext => b.bits() > a.bits(),
                    O::itrunc => b.bits() < a.bits(),
                    O::bitcast => b.bits() == a.bits(),
                    _ => true,
                };
                if n != k || !widths {
                    self.err("invalid conversion");
                }
            }
            O::f32tof16 => self.lanes_of(Scalar::F32, ty(0), Scalar::I32, results[0]),
            O::f16tof32 => self.lanes_of(Scalar::I32, ty(0), Scalar::F32, results[0]),
            O::dot2add if num(ty(0)) != (Scalar::F16, 2) => self.err("type mismatch: expected f16x2"),
            O::dot2add => {}
            O::pack4x8 | O::unpack4x8 => {
                let (wide, top) = if op == O::pack4x8 { (ty(0), 2) } else { (results[0], 1) };
                if num(wide).1 != 4 || num(wide).0 == Scalar::I64 || imm > top {
                    self.err("expected four components of 16 or 32 bits, and a valid mode");
                }
            }
            O::make_double => self.same("results", results, &[Type::F64]),
            O::split_double => self.same("operand", &[ty(0)], &[Type::F64]),
            O::select => {
                let (c, n) = (num(ty(0)).1, num(ty(1)).1);
                if c != 1 && c != n {
                    self.err("expected a scalar condition, or one for each component");
                }
            }
            O::construct => {
                let (s, n) = num(results[0]);
                let wanted = vec![m.types.scalar(s); n as usize];
                self.same("components", &self.types_of(&args), &wanted);
            }
            O::extract | O::insert if imm >= num(ty(0)).1 => {
                self.err(format!("component index {imm} out of range"));
            }
            O::insert => self.same("component", &[ty(1)], &[m.types.scalar(num(ty(0)).0)]),
            O::insert_dyn => self.same("component", &[ty(2)], &[m.types.scalar(num(ty(0)).0)]),
            O::phys_load | O::phys_store if ty(0) != Type::I64 => {
                self.err("type mismatch: expected an i64 address");
            }
            O::phys_load | O::phys_store if !imm.is_power_of_two() => {
                self.err("the alignment is no power of two");
            }
            O::read_clock if results != [Type::I64] => self.err("type mismatch: expected an i64 result"),
            O::read_clock if imm != 1 && imm != 3 => self.err("invalid clock scope"),
            O::heap_resource if imm & !(HEAP_NONUNIFORM | 0xf << HEAP_ALIGN) != 0 => {
                self.err("unknown flags");
            }
            O::cbuf_load => {
                let (s, n) = num(results[0]);
                self.handle(0, &[ResourceKind::CBuffer, ResourceKind::TBuffer]);
                if n == 0 || imm + s.bytes() * n > 16 {
                    self.err("the load crosses a 16-byte row");
                }
            }
            O::load_input | O::eval_snapped | O::eval_sample_index | O::eval_centroid | O::attribute_at_vertex => {
                self.element(true, ElementPart::from_imm(imm), num(results[0]));
            }
            O::store_output => self.element(false, ElementPart::from_imm(imm), num(ty(1))),
            O::emit_stream | O::cut_stream if imm as usize >= GEOMETRY_STREAMS => self.err("no such stream"),
            O::buf_load | O::buf_store => self.handle(0, &[ResourceKind::StructuredBuffer]),
            // Constant buffers are read by bytes where their layout has no rows.
            O::raw_load => {
                use ResourceKind::{CBuffer, RawBuffer, TBuffer};
                self.handle(0, &[RawBuffer, CBuffer, TBuffer]);
            }
            O::raw_store => self.handle(0, &[ResourceKind::RawBuffer]),
            O::counter_add => {
                self.handle(0, &[ResourceKind::StructuredBuffer]);
                if imm != 1 && imm != u32::MAX {
                    self.err("expected a counter step of 1 or -1");
                }
            }
            O::buf_atomic => {
                self.handle(0, &[ResourceKind::StructuredBuffer]);
                self.atomic(imm, &args[3..], results[0]);
            }
            O::raw_atomic => {
                self.handle(0, &[ResourceKind::RawBuffer]);
                self.atomic(imm, &args[2..], results[0]);
            }
            O::tex_atomic => {
                self.atomic(imm, &args[2..], results[0]);
                self.texels(1);
            }
            O::tex_load | O::tex_store => self.texels(1),
            O::sample
            | O::sample_bias
            | O::sample_level
            | O::sample_grad
            | O::sample_cmp
            | O::sample_cmp_level
            | O::sample_cmp_bias
            | O::sample_cmp_grad
            | O::gather
            | O::gather_cmp
            | O::gather_raw => self.texels(2),
            O::feedback | O::feedback_bias | O::feedback_level | O::feedback_grad => {
                let maps = [ResourceKind::FeedbackTexture2D, ResourceKind::FeedbackTexture2DArray];
                self.handle(0, &maps);
                self.texels(3);
            }
            O::sample_pos => {
                self.handle(0, &[ResourceKind::Texture2DMS, ResourceKind::Texture2DMSArray]);
            }
            O::wave_active_op | O::wave_prefix_op | O::wave_multi_prefix_op => {
                let s = num(ty(0)).0;
                let known = WaveOp::from_number(imm);
                if s == Scalar::Bool || known.is_none_or(|w| w.is_integer() && !s.is_int()) {
                    self.err("invalid wave operation for this type");
                }
            }
            O::memory_barrier if imm & !(memory::ALL | semantics::ALL << 8) != 0 => self.err("unknown barrier flags"),
            O::handle_barrier if imm & !semantics::ALL != 0 => self.err("unknown barrier flags"),
            O::quad_op if imm > 2 => self.err("quad lane out of range: a quad has three other lanes"),
            O::object_to_world
            | O::world_to_object
            | O::ray_query_candidate_object_to_world
            | O::ray_query_candidate_world_to_object
            | O::ray_query_committed_object_to_world
            | O::ray_query_committed_world_to_object
                if imm > 2 =>
            {
                self.err("row out of range: the matrix has three rows");
            }
            O::triangle_object_position
            | O::ray_query_candidate_triangle_object_position
            | O::ray_query_committed_triangle_object_position
                if imm > 2 =>
            {
                self.err("vertex out of range: a triangle has three vertices");
            }
            _ => {}
        }
        if matches!(op, O::buf_store | O::raw_store | O::tex_store | O::buf_atomic | O::raw_atomic | O::tex_atomic | O::counter_add)
            && m.types.as_resource(ty(0)).is_some_and(|r| r.class != ResourceClass::Uav)
        {
            self.err("expected a UAV to write to");
        }
        if op == O::barrier && !results.is_empty() {
            self.err("unexpected result");
        }
    }

    /// An instruction that loads or stores a signature element, and whose value has these components.
    fn element(&mut self, loads: bool, part: ElementPart, value: (Scalar, u32)) {
        let f = self.f;
        let Some(e) = f.elements.values().nth(part.element as usize) else {
            return self.err("unknown signature element");
        };
        let patch_constants = f.state == StageState::PatchConstants || f.stage == Stage::Library;
        let legal = match (e.role, loads) {
            (ElementRole::Input, loads) => loads,
            // A patch constant function reads the control points.
            (ElementRole::Output, true) => e.point == SigPoint::HsCpOut && patch_constants,
            (ElementRole::Output, false) => f.state != StageState::PatchConstants,
            (ElementRole::Patch, loads) => loads == (e.point == SigPoint::DsIn),
        };
        let whole = part.column == 0 && value.1 == e.columns;
        let one = !loads && value.1 == 1 && part.column < e.columns;
        if !legal || part.row >= e.rows || value.0 != e.scalar() || !(whole || one) {
            self.err("the signature element does not match the instruction");
        }
    }

    fn lanes_of(&mut self, a: Scalar, ta: Type, b: Scalar, tb: Type) {
        let (na, nb) = (self.m().types.numeric(ta), self.m().types.numeric(tb));
        let ok = matches!((na, nb), (Some((sa, n)), Some((sb, k))) if sa == a && sb == b && n == k);
        if !ok {
            self.err("invalid conversion");
        }
    }

    fn handle(&mut self, n: usize, kinds: &[ResourceKind]) {
        let t = self.f.ty(self.f.operands(self.i)[n]);
        let kind = self.m().types.as_resource(t).map(|r| r.kind);
        if !kind.is_some_and(|k| kinds.contains(&k)) {
            let t = self.name(t);
            self.err(format!("type mismatch in handle: expected {}, found {t}", kinds[0].name()));
        }
    }

    /// Coordinates (operand `at`) fit the shape of the resource.
    fn texels(&mut self, at: usize) {
        let args = self.f.operands(self.i);
        let types = &self.m().types;
        let Some(r) = types.as_resource(self.f.ty(args[0])) else {
            return;
        };
        let lanes = types.numeric(self.f.ty(args[at])).map_or(0, |n| n.1);
        if r.kind.coords() == 0 || lanes != r.kind.coords() {
            self.err(format!("expected {} coordinates for {}, found {lanes}", r.kind.coords(), r.kind.name()));
        }
    }

    /// The operands of an atomic operation: one value, for compare-exchange two.
    fn atomic(&mut self, imm: u32, values: &[Value], result: Type) {
        let Some(op) = AtomicOp::from_number(imm) else {
            return self.err(format!("unknown atomic operation {imm}"));
        };
        let n = 1 + usize::from(op == AtomicOp::CompareExchange);
        self.same("operands", &self.types_of(values), &vec![result; n]);
        let int = self.m().types.numeric(result).is_some_and(|(s, n)| n == 1 && (s.is_int() || (s.is_float() && op >= AtomicOp::Exchange)));
        if !int {
            self.err("invalid type for an atomic operation");
        }
    }

    // Places --------------------------------------------------------------------------------------

    fn access(&mut self, op: Opcode, imm: u32, place: Place, args: &[Value], results: &[Type]) {
        let mut rest = args;
        let Some(t) = self.place(place, &mut rest) else {
            return;
        };
        if op == Opcode::dispatch_mesh {
            let shared =
                matches!(self.f.places[place].root, Root::Global(g) if matches!(self.m().globals[g].kind, GlobalKind::GroupShared(_)));
            if !shared {
                self.err("expected a groupshared variable");
            }
            let given = self.types_of(rest);
            self.same("operands", &given, &[Type::I32; 3]);
            return self.same("results", results, &[]);
        }
        if op.family() == Family::Linalg {
            return self.shared_array(op, place, t, rest, results);
        }
        if !self.m().types.is_value(t) {
            let t = self.name(t);
            return self.err(format!("expected a place of value type, found {t}"));
        }
        let given = self.types_of(rest);
        match op {
            Opcode::load => {
                self.same("operands", &given, &[]);
                self.same("results", results, &[t]);
            }
            Opcode::store => {
                self.same("operands", &given, &[t]);
                self.same("results", results, &[]);
                self.writable(place);
            }
            _ => {
                self.same("results", results, &[t]);
                self.atomic(imm, rest, t);
                let shared = match self.f.places[place].root {
                    Root::Global(g) => {
                        matches!(self.m().globals[g].kind, GlobalKind::GroupShared(_))
                    }
                    _ => false,
                };
                if !shared {
                    self.err("expected a groupshared variable");
                }
            }
        }
    }

    /// An operation on matrices in a groupshared array of numbers, of which the place is the whole.
    fn shared_array(&mut self, op: Opcode, place: Place, t: Type, given: &[Value], results: &[Type]) {
        let types = &self.m().types;
        let numbers = matches!(types.kind(t), TypeKind::Array(e, _) if types.numeric(e).is_some());
        let root = self.f.places[place].root;
        if !numbers || !matches!(root, Root::Global(g) if matches!(self.m().globals[g].kind, GlobalKind::GroupShared(_))) {
            self.err("expected a groupshared array of numbers");
        }
        let given = self.types_of(given);
        let operands = op.info().operands;
        if given.len() != operands.len() || !operands.iter().zip(&given).all(|(&rule, &t)| self.follows(rule, t, &[])) {
            return self.err(format!("the operands are not those of {op}"));
        }
        let expected = usize::from(op.info().result.is_some());
        if results.len() != expected || !results.iter().all(|&t| self.follows(Arg::Matrix, t, &[])) {
            self.err(format!("the results are not those of {op}"));
        }
    }

    fn spare(&mut self, rest: &[Value]) {
        if !rest.is_empty() {
            self.err("more index values than the places take");
        }
    }

    /// Complains if `place` lies in what cannot be written.
    fn writable(&mut self, place: Place) {
        let constant = match self.f.places[place].root {
            Root::Global(g) => matches!(self.m().globals[g].kind, GlobalKind::Table(..)),
            Root::Slot(s) => matches!(self.f.slots[s].role, SlotRole::AttrIn | SlotRole::MeshIn),
            Root::Local(l) => self.f.locals[l].param == Some(RefMode::In),
        };
        if constant {
            self.err("store to a read-only variable");
        }
    }

    /// The type of `place`, whose index values are taken from the front of `indices`.
    fn place(&mut self, place: Place, indices: &mut &[Value]) -> Option<Type> {
        let (m, f) = (self.m(), self.f);
        let data = &f.places[place];
        let mut t = match data.root {
            Root::Local(l) => f.locals[l].ty,
            Root::Slot(s) => f.slots[s].ty,
            Root::Global(g) if m.globals[g].resource().is_some() => {
                self.err(format!("expected a variable, found resource {g}"));
                return None;
            }
            Root::Global(g) => m.globals[g].ty(),
        };
        for &step in &data.steps {
            let part = match step {
                Step::At(n) => m.part(t, Some(n)),
                Step::Dyn => {
                    let Some((&v, rest)) = indices.split_first() else {
                        self.err("fewer index values than the places take");
                        return None;
                    };
                    *indices = rest;
                    self.same("index", &[f.ty(v)], &[Type::I32]);
                    match m.types.kind(t) {
                        TypeKind::Struct(_) => None,
                        _ => m.part(t, None),
                    }
                }
            };
            match part {
                Some(p) => t = p,
                None => {
                    let t = self.name(t);
                    self.err(format!("step into {t} is out of range"));
                    return None;
                }
            }
        }
        Some(t)
    }

    fn call(&mut self, func: Func, args: &[Value], refs: PlaceList, results: &[Type]) {
        let callee = &self.m().funcs[func];
        if callee.is_entry() {
            self.err("call of an entry point");
        }
        let (mut values, mut ref_types) = (Vec::new(), Vec::new());
        for p in &callee.params {
            match *p {
                Param::Value(v) => values.push(callee.ty(v)),
                Param::Ref(l) => ref_types.push((callee.locals[l].ty, callee.locals[l].param)),
            }
        }
        let places = self.f.get_places(refs);
        let dynamic: usize = places.iter().map(|&p| self.f.places[p].dyn_count()).sum();
        let Some(count) = args.len().checked_sub(dynamic) else {
            return self.err("fewer index values than the places take");
        };
        let (given, mut indices) = args.split_at(count);
        self.same("arguments", &self.types_of(given), &values);
        let wanted: Vec<_> = callee.ret.into_iter().collect();
        self.same("results", results, &wanted);
        if places.len() != ref_types.len() {
            self.err(format!("expected {} places, found {}", ref_types.len(), places.len()));
            return;
        }
        for (&p, (t, mode)) in places.iter().zip(ref_types) {
            if let Some(given) = self.place(p, &mut indices) {
                self.same("place", &[given], &[t]);
            }
            if mode != Some(RefMode::In) {
                self.writable(p);
            }
        }
    }
}
