//! Instructions on hit objects, and what shaders of a hit ask for.

use rtc_base::Span;
use rtc_ir::{Builder, Inst, InstData, Local, Opcode, Region, Root, Slot, SlotRole, Stage, Step, Type, Value};
use rtc_tables::hit_lowering as tables;
use rtc_tables::ray_flags::{FORCE_OPAQUE, SKIP_CLOSEST_HIT};

use super::attributes;
use super::layout::{Fixed, HIT, MISS, NOP};
use super::object::Ray;
use super::parts::Part;
use super::survey::Scene;
use super::values::Lowering;

impl Lowering<'_> {
    /// Puts what stands for instruction `i` into region `r`; false: it stays.
    pub(super) fn lower(&mut self, r: Region, i: Inst) -> bool {
        let (op, span, args) = (self.f.op(i), self.f.spans[i], self.f.operands(i));
        if let (Some(slot), Some(part)) = (self.hit_shader, Part::of_system(op)) {
            self.system_value(r, i, slot, part);
            return true;
        }
        if let (Some(slot), Opcode::ray_flags, Some(flags)) = (self.any_hit, op, self.layout.recorded.fixed(Fixed::Flags)) {
            let way = [Step::At(0), flags];
            let new = self.at(r, span).load(Root::Slot(slot), &way, &[], Type::I32);
            let old = self.f.result(i);
            self.rename.set(old, new);
            return true;
        }
        if self.lower_slot_or_access(r, i, &args) {
            return true;
        }
        match op {
            Opcode::reorder => self.reorder(r, span, &args),
            Opcode::select if self.is_object(args[1]) => self.select(r, i),
            Opcode::hit_make_nop => {
                let at = self.result_object(r, i);
                let (mut b, object) = self.with(r, span, at);
                object.make_nop(&mut b);
            }
            Opcode::hit_make_miss => {
                let at = self.result_object(r, i);
                let (mut b, object) = self.with(r, span, at);
                let ray = Ray { flags: args[0], origin: args[2], tmin: args[3], direction: args[4], t: args[5] };
                object.make_miss(&mut b, args[1], &ray);
            }
            Opcode::hit_from_query => {
                let at = self.result_object(r, i);
                let (mut b, object) = self.with(r, span, at);
                let none = b.func.const_i32(0);
                object.take_query(&mut b, args[0], none, &[]);
            }
            Opcode::hit_set_shader_table_index => {
                let (from, to) = (self.object(r, args[0]), self.result_object(r, i));
                self.copy_object(r, span, (Root::Local(to), &[], &[]), (Root::Local(from), &[], &[]));
                let (mut b, object) = self.with(r, span, to);
                object.set_row(&mut b, args[1]);
            }
            Opcode::hit_load_root_constant => self.load_root(r, i, &args),
            _ => return self.getter(r, i, op, &args),
        }
        true
    }

    /// Does that for instructions that name slots or places.
    fn lower_slot_or_access(&mut self, r: Region, i: Inst, args: &[Value]) -> bool {
        let span = self.f.spans[i];
        match self.f.insts[i] {
            InstData::Slot { op: Opcode::trace_ray, slot, .. } if self.tail.is_some() && self.runs_miss_alone(args) => {
                self.trace_to_miss(r, span, slot, args);
            }
            InstData::Slot { op: Opcode::trace_ray, slot, .. } if self.tail.is_some() => {
                let at = self.f.add_local(self.layout.object.ty, "");
                self.trace(r, span, slot, args, at);
                let (mut b, object) = self.with(r, span, at);
                let skip = b.func.const_u32(SKIP_CLOSEST_HIT);
                let (bits, zero) = (b.binary(Opcode::and, args[1], skip), b.func.const_i32(0));
                let (runs, miss) = (b.binary(Opcode::ieq, bits, zero), object.is(&mut b, MISS));
                let wanted = b.binary(Opcode::or, runs, miss);
                self.invoke(r, span, slot, at, Some(wanted));
            }
            InstData::Slot { op: Opcode::hit_trace, slot, .. } => {
                let at = self.result_object(r, i);
                self.trace(r, span, slot, args, at);
            }
            InstData::Slot { op: Opcode::hit_invoke, slot, .. } => {
                let at = self.object(r, args[0]);
                self.invoke(r, span, slot, at, None);
            }
            InstData::Slot { op: Opcode::hit_attributes, slot, .. } => {
                let (to, _, ty) = self.homes[&slot].clone();
                let (leaves, _) = attributes::leaves(self.m, ty);
                let at = self.object(r, args[0]);
                let (mut b, object) = self.with(r, span, at);
                object.attributes(&mut b, &leaves, to);
            }
            InstData::Slot { op: Opcode::hit_from_query_attrs, slot, .. } => {
                let (from, _, ty) = self.homes[&slot].clone();
                let (leaves, _) = attributes::leaves(self.m, ty);
                let at = self.result_object(r, i);
                let (mut b, object) = self.with(r, span, at);
                let words = match object.record.parts.has(Part::Attributes) {
                    true => attributes::pack(&mut b, &leaves, from),
                    false => Vec::new(),
                };
                object.take_query(&mut b, args[0], args[1], &words);
            }
            InstData::Access { op: Opcode::load, place, .. } if self.is_object(self.f.result(i)) => {
                let (root, steps) = (self.f.places[place].root, self.f.places[place].steps.clone());
                let to = self.result_object(r, i);
                self.copy_object(r, span, (Root::Local(to), &[], &[]), (root, &steps, args));
            }
            InstData::Access { op: Opcode::store, place, .. } if args.last().is_some_and(|&v| self.is_object(v)) => {
                let (root, steps) = (self.f.places[place].root, self.f.places[place].steps.clone());
                let (&v, indices) = args.split_last().expect("a store stores");
                let from = self.object(r, v);
                self.copy_object(r, span, (root, &steps, indices), (Root::Local(from), &[], &[]));
            }
            _ => return false,
        }
        true
    }

    fn result_object(&mut self, r: Region, i: Inst) -> Local {
        let v = self.f.result(i);
        self.object(r, v)
    }

    /// In a ray generation shader a point of software reordering, in the others nothing.
    fn reorder(&mut self, r: Region, span: Span, args: &[Value]) {
        if self.f.stage != Stage::RayGeneration {
            return;
        }
        let zero = self.f.const_u32(0);
        let nop = self.f.is_undef(args[0]) || self.f.def_inst(args[0]).is_some_and(|i| self.f.op(i) == Opcode::hit_make_nop);
        let row = match nop {
            true => zero,
            false => {
                let at = self.object(r, args[0]);
                let (mut b, object) = self.with(r, span, at);
                object.table_row(&mut b)
            }
        };
        self.at(r, span).many(Opcode::reorder_by, 0, &[row, args[1], args[2]], &[]);
    }

    /// What asks for one thing of a hit object.
    fn getter(&mut self, r: Region, i: Inst, op: Opcode, args: &[Value]) -> bool {
        let fixed = match op {
            Opcode::hit_get_ray_flags => Fixed::Flags,
            Opcode::hit_get_ray_tmin => Fixed::TMin,
            Opcode::hit_get_ray_tcurrent => Fixed::T,
            Opcode::hit_get_world_ray_origin => Fixed::Origin,
            Opcode::hit_get_world_ray_direction => Fixed::Direction,
            Opcode::hit_get_shader_table_index => Fixed::Record,
            _ => Fixed::State,
        };
        let state = match op {
            Opcode::hit_is_miss => Some(MISS),
            Opcode::hit_is_hit => Some(HIT),
            Opcode::hit_is_nop => Some(NOP),
            _ => None,
        };
        let part = Part::of_getter(op);
        if fixed == Fixed::State && state.is_none() && part.is_none() {
            return false;
        }
        let imm = match self.f.insts[i] {
            InstData::Many { imm, .. } => imm,
            _ => 0,
        };
        let (old, span) = (self.f.result(i), self.f.spans[i]);
        let at = self.object(r, args[0]);
        let (mut b, object) = self.with(r, span, at);
        let new = match (state, part) {
            (Some(state), _) => object.is(&mut b, state),
            (_, Some(part)) => object.part(&mut b, part, imm),
            _ => object.fixed(&mut b, fixed),
        };
        self.rename.set(old, new);
        true
    }

    /// What a shader of a hit asks for, out of what it was invoked with.
    fn system_value(&mut self, r: Region, i: Inst, slot: Slot, part: Part) {
        let imm = match self.f.insts[i] {
            InstData::Many { imm, .. } => imm,
            _ => 0,
        };
        let read = self.layout.read.as_ref().expect("the survey found this instruction");
        let mut steps = vec![Step::At(0)];
        steps.extend(read.step(part, imm));
        let (old, span) = (self.f.result(i), self.f.spans[i]);
        let new = self.at(r, span).load(Root::Slot(slot), &steps, &[], part.info().ty);
        self.rename.set(old, new);
    }

    fn select(&mut self, r: Region, i: Inst) {
        let (args, span) = (self.f.operands(i), self.f.spans[i]);
        let to = self.result_object(r, i);
        let (yes, no) = (self.object(r, args[1]), self.object(r, args[2]));
        let (then_, else_) = (self.f.add_region(), self.f.add_region());
        for (region, from) in [(then_, yes), (else_, no)] {
            let mut b = self.at(region, span);
            b.copy((Root::Local(to), &[], &[]), (Root::Local(from), &[], &[]));
            b.exit(Opcode::yield_, &[]);
        }
        self.at(r, span).if_(args[0], then_, else_, &[]);
    }

    // Traces -------------------------------------------------------------------------------------

    /// Traces with the operands `args` of a trace, and puts what is found into variable `at`.
    fn trace(&mut self, r: Region, span: Span, slot: Slot, args: &[Value], at: Local) {
        let traced = match self.traced {
            Some(s) => s,
            None => {
                let s = self.f.add_slot(SlotRole::PayloadOut, self.layout.traced, "traced");
                *self.traced.insert(s)
            }
        };
        let (root, steps, ty) = self.homes[&slot].clone();
        // Without any-hit shaders the payload stays what it is, and need not travel.
        let opaque = self.f.as_const(args[1]).is_some_and(|n| n as u32 & FORCE_OPAQUE != 0);
        let member = self.layout.members.get(&ty).filter(|_| !opaque).map(|&n| [Step::At(n)]);
        let layout = &*self.layout;
        let mut b = Builder::at(&mut self.m.types, self.f, r);
        b.span = span;
        let whole = Root::Slot(traced);
        if let Some(member) = &member {
            b.copy((whole, member, &[]), (root, &steps, &[]));
        }
        // Nothing is recorded if nothing is hit.
        let miss = b.func.const_i32(MISS);
        for (which, v) in [(Fixed::State, miss), (Fixed::Flags, args[1])] {
            if let Some(step) = layout.recorded.fixed(which) {
                b.store(whole, &[Step::At(0), step], &[], v);
            }
        }
        // The recorder runs even if no shader of a hit is to run later.
        let records = b.func.const_u32(!SKIP_CLOSEST_HIT);
        let flags = b.binary(Opcode::and, args[1], records);
        let row = b.func.const_u32(tables::RECORDING_ROW);
        let mut all = args.to_vec();
        (all[1], all[5]) = (flags, row);
        b.slot(Opcode::trace_ray, traced, &all);
        if let Some(member) = &member {
            b.copy((root, &steps, &[]), (whole, member, &[]));
        }
        let ray = Ray { flags: args[1], origin: args[6], tmin: args[7], direction: args[8], t: args[9] };
        let object = super::object::Object { record: &layout.object, at };
        object.take_recorded(&mut b, layout, traced, args[5], &ray);
    }

    /// Whether a plain trace runs a miss shader or nothing, as far as payloads know: it skips closest-hit shaders, and no any-hit shader takes
    /// the payload of recording traces.
    fn runs_miss_alone(&self, args: &[Value]) -> bool {
        let flags = self.f.as_const(args[1]).map_or(0, |n| n as u32);
        flags & SKIP_CLOSEST_HIT != 0 && (flags & FORCE_OPAQUE != 0 || self.s.any_hit_payloads.is_empty())
    }

    /// Traces with the operands `args` of a trace that runs a miss shader at most: there is nothing to record.
    fn trace_to_miss(&mut self, r: Region, span: Span, slot: Slot, args: &[Value]) {
        let (root, steps, ty) = self.homes[&slot].clone();
        let (given, way) = self.layout.invoked(self.m, ty);
        let invoked = self.invoked_slot(given);
        let mut b = Builder::at(&mut self.m.types, self.f, r);
        b.span = span;
        b.copy((Root::Slot(invoked), &way, &[]), (root, &steps, &[]));
        // A trace takes 16 bits of the row.
        let (mask, never) = (b.func.const_u32(0xffff), b.func.const_bool(false));
        let row = b.binary(Opcode::and, args[5], mask);
        let mut all = args.to_vec();
        all[5] = table_row(&mut b, never, row);
        b.slot(Opcode::trace_ray, invoked, &all);
        b.copy((root, &steps, &[]), (Root::Slot(invoked), &way, &[]));
    }

    /// The payload variable of shaders that get a `given`.
    fn invoked_slot(&mut self, given: Type) -> Slot {
        *self.invoked.entry(given).or_insert_with(|| self.f.add_slot(SlotRole::PayloadOut, given, "invoked"))
    }

    /// Runs the shader of the hit object in variable `at`, if it has one (and `wanted` holds).
    fn invoke(&mut self, r: Region, span: Span, slot: Slot, at: Local, wanted: Option<Value>) {
        let Some(scene) = self.scene else { return };
        let (root, steps, ty) = self.homes[&slot].clone();
        let (given, way) = self.layout.invoked(self.m, ty);
        let invoked = self.invoked_slot(given);
        let read = self.layout.read.clone();
        let (then_, else_) = (self.f.add_region(), self.f.add_region());
        let (mut b, object) = self.with(r, span, at);
        let mut runs = object.fixed(&mut b, Fixed::Bound);
        if let Some(wanted) = wanted {
            runs = b.binary(Opcode::and, runs, wanted);
        }
        b.if_(runs, then_, else_, &[]);
        b.region = else_;
        b.exit(Opcode::yield_, &[]);
        b.region = then_;
        let whole = Root::Slot(invoked);
        b.copy((whole, &way, &[]), (root, &steps, &[]));
        if let Some(read) = &read {
            for (part, n, _) in read.elements() {
                let mut to = vec![Step::At(0)];
                to.extend(read.step(part, n));
                let v = object.part(&mut b, part, n);
                b.store(whole, &to, &[], v);
            }
        }
        let (hit, record) = (object.is(&mut b, HIT), object.fixed(&mut b, Fixed::Record));
        let row = table_row(&mut b, hit, record);
        let zero = b.func.const_i32(0);
        let handle = handle_of(&mut b, scene);
        let ray = [Fixed::Origin, Fixed::TMin, Fixed::Direction, Fixed::T].map(|w| object.fixed(&mut b, w));
        let flags = object.fixed(&mut b, Fixed::Flags);
        let all = [handle, flags, zero, zero, zero, row, ray[0], ray[1], ray[2], ray[3]];
        b.slot(Opcode::trace_ray, invoked, &all);
        b.copy((root, &steps, &[]), (whole, &way, &[]));
        b.exit(Opcode::yield_, &[]);
    }

    /// A word of the local root arguments of a hit object's record: zero without one.
    fn load_root(&mut self, r: Region, i: Inst, args: &[Value]) {
        let (Some(tail), old, span) = (self.tail, self.f.result(i), self.f.spans[i]) else { return };
        let ty = self.m.globals[tail].ty();
        let at = self.object(r, args[0]);
        let (then_, else_) = (self.f.add_region(), self.f.add_region());
        let (mut b, object) = self.with(r, span, at);
        let bound = object.fixed(&mut b, Fixed::Bound);
        let new = b.if_(bound, then_, else_, &[Type::I32]);
        let new = b.func.result(new);
        b.region = else_;
        let zero = b.func.const_i32(0);
        b.exit(Opcode::yield_, &[zero]);
        b.region = then_;
        let handle = b.resource(tail, None, false, ty);
        let (hit, record) = (object.is(&mut b, HIT), object.fixed(&mut b, Fixed::Record));
        let word = |b: &mut Builder, of_hits: u32, of_misses: u32| {
            let [x, y] = [of_hits, of_misses].map(|at| {
                let row = b.func.const_u32(at / 16);
                b.many_value(Opcode::cbuf_load, at % 16, &[handle, row], Type::I32)
            });
            b.select(hit, x, y)
        };
        let stride = word(&mut b, tables::TAIL_HIT_STRIDE, tables::TAIL_MISS_STRIDE);
        let low = word(&mut b, tables::TAIL_HIT_ADDRESS, tables::TAIL_MISS_ADDRESS);
        let high = word(&mut b, tables::TAIL_HIT_ADDRESS + 4, tables::TAIL_MISS_ADDRESS + 4);
        let first = attributes::join_words(&mut b, low, high);
        let [record, stride, byte] = [record, stride, args[1]].map(|v| b.convert(Opcode::zext, v, Type::I64));
        let before = b.binary(Opcode::imul, record, stride);
        let address = b.binary(Opcode::iadd, first, before);
        let address = b.binary(Opcode::iadd, address, byte);
        let found = b.many_value(Opcode::phys_load, 4, &[address], Type::I32);
        b.exit(Opcode::yield_, &[found]);
        self.rename.set(old, new);
    }
}

/// The row of the miss table in which the shader of row `record` of its own table is.
fn table_row(b: &mut Builder, hit: Value, record: Value) -> Value {
    let (one, of_hits, of_misses) = (b.func.const_u32(1), b.func.const_u32(tables::hit_row(0)), b.func.const_u32(tables::miss_row(0)));
    let twice = b.binary(Opcode::shl, record, one);
    let first = b.select(hit, of_hits, of_misses);
    b.binary(Opcode::iadd, twice, first)
}

/// A handle of an acceleration structure for traces that meet nothing.
fn handle_of(b: &mut Builder, scene: Scene) -> Value {
    match scene {
        Scene::Declared(g, index, ty) => {
            let index = index.map(|n| b.func.const_u32(n));
            b.resource(g, index, false, ty)
        }
        Scene::Heap(ty, imm, n) => {
            let index = b.func.const_u32(n);
            b.many_value(Opcode::heap_resource, imm, &[index], ty)
        }
    }
}
