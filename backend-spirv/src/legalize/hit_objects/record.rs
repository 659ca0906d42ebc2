//! Rewrites instructions that return hit objects, and those that change the table index of one.

use rtc_ir::{Function, Inst, InstData, Opcode as O, Region, Root, Slot, Step, Type, Value};
use smallvec::smallvec;

use super::Ser;
use super::families::elements;
use super::liveness::is_nop;
use super::parts::{Part, Rewriter, Source, Values, index_of};
use super::states::{HIT, MISS, NOP};
use rtc_tables::hit_objects::CLUSTER_ID_INVALID;

/// The hit kinds of triangles: front and back.
const FRONT: u32 = 0xfe;
const BACK: u32 = 0xff;
/// Bits of table indices that count: of hits and of misses.
const HIT_BITS: u32 = 0x0fff_ffff;
const MISS_BITS: u32 = 0xffff;

/// The query that value `q` is.
pub(super) fn query_slot(f: &Function, q: Value) -> Option<Slot> {
    match f.insts[f.def_inst(q)?] {
        InstData::Slot { op: O::allocate_ray_query, slot, .. } => Some(slot),
        _ => None,
    }
}

impl Rewriter<'_> {
    /// An instruction that gives a hit object.
    pub fn record(&mut self, r: Region, i: Inst) {
        let v = self.f.result(i);
        let n = self.family(v);
        if is_nop(self.f, v) {
            return self.nop(r, v, n);
        }
        let op = self.f.op(i);
        self.fixed_parts(r, i, v);
        let pool = self.families.list[n].pool as usize;
        let storage = self.storage[n].clone();
        let (read_record, read_cluster) = match op {
            O::hit_trace => {
                let nv = self.ser == Ser::Nv;
                (self.has(n, Part::Record), nv && self.has(n, Part::Cluster))
            }
            _ => (false, false),
        };
        let results = vec![Type::I32; usize::from(read_record) + usize::from(read_cluster)];
        let one = |this: &mut Self, r: Region, s: Slot| {
            this.record_into(r, i, s);
            let mut out = Values::new();
            if read_record {
                out.push(this.get(r, s, O::hit_get_shader_table_index, 0, Type::I32));
            }
            if read_cluster {
                out.push(this.cluster_in(r, s, HIT | MISS));
            }
            out
        };
        let given = if pool == 0 {
            one(self, r, storage[0])
        } else {
            let free = self.free(r, i, n);
            self.set_part(r, v, Part::Slot, free);
            self.choose(r, free, pool, &results, |this, r, k| one(this, r, storage[k]))
        };
        let mut given = given.into_iter();
        for (p, read) in [(Part::Record, read_record), (Part::Cluster, read_cluster)] {
            if read && let Some(x) = given.next() {
                self.set_part(r, v, p, x);
            }
        }
    }

    fn nop(&mut self, r: Region, v: Value, family: usize) {
        let pool = self.families.list[family].pool;
        if pool == 0 {
            let s = self.storage[family][0];
            self.record_nop(r, s);
        }
        let (slot, zero) = (self.f.const_u32(pool), self.f.const_u32(0));
        let (yes, none) = (self.f.const_bool(true), self.f.const_u32(CLUSTER_ID_INVALID));
        self.set_part(r, v, Part::Slot, slot);
        for p in [Part::Record, Part::Flags, Part::Scene, Part::SceneIndex] {
            self.set_part(r, v, p, zero);
        }
        self.set_part(r, v, Part::Bound, yes);
        self.set_part(r, v, Part::Cluster, none);
        self.vertices(r, v, None);
    }

    pub fn record_nop(&mut self, r: Region, s: Slot) {
        let n = self.b(r).nullary(O::hit_make_nop);
        self.keep(r, s, n);
    }

    /// The parts that are always recorded.
    fn fixed_parts(&mut self, r: Region, i: Inst, v: Value) {
        let args = self.f.operands(i);
        let (zero, none) = (self.f.const_u32(0), self.f.const_u32(CLUSTER_ID_INVALID));
        let n = self.family(v);
        let bound = !matches!(self.f.op(i), O::hit_from_query | O::hit_from_query_attrs);
        let b = self.f.const_bool(bound);
        self.set_part(r, v, Part::Bound, b);
        let (mut record, mut flags, mut cluster) = (Some(zero), zero, none);
        match self.f.op(i) {
            O::hit_trace => {
                flags = args[1];
                record = None;
                let (which, index) = self.source_of(args[0]);
                self.set_part(r, v, Part::Scene, which);
                self.set_part(r, v, Part::SceneIndex, index.unwrap_or(zero));
            }
            O::hit_make_miss => {
                flags = args[0];
                let mask = self.f.const_u32(MISS_BITS);
                record = Some(self.b(r).binary(O::and, args[1], mask));
            }
            _ => {
                if self.has(n, Part::Flags) {
                    // A nop has none.
                    let some = self.status_is(r, args[0], O::ine, 0);
                    let given = self.b(r).many_value(O::ray_query_ray_flags, 0, &args[..1], Type::I32);
                    flags = self.b(r).select(some, given, zero);
                }
                if self.has(n, Part::Cluster) {
                    let q = args[0];
                    let triangle = self.status_is(r, q, O::ieq, 1);
                    let got = self.branch(
                        r,
                        triangle,
                        &[Type::I32],
                        |this, r| smallvec![this.b(r).many_value(O::ray_query_committed_cluster_id, 0, &[q], Type::I32)],
                        |_, _| smallvec![none],
                    );
                    cluster = got[0];
                }
                for p in [Part::Scene, Part::SceneIndex] {
                    if let Some(x) = self.query_part(r, args[0], p) {
                        self.set_part(r, v, p, x);
                    }
                }
            }
        }
        if let Some(x) = record {
            self.set_part(r, v, Part::Record, x);
        }
        self.vertices(r, v, (!bound).then(|| args[0]));
        self.set_part(r, v, Part::Flags, flags);
        self.set_part(r, v, Part::Cluster, cluster);
    }

    /// Does what `i` does, and keeps the hit object in `s`.
    fn record_into(&mut self, r: Region, i: Inst, s: Slot) {
        let args = self.f.operands(i);
        match self.f.op(i) {
            O::hit_from_query | O::hit_from_query_attrs => {
                let some = self.status_is(r, args[0], O::ine, 0);
                self.branch(
                    r,
                    some,
                    &[],
                    |this, r| {
                        match this.ser {
                            Ser::Ext => this.record_query_ext(r, i, s),
                            Ser::Nv => this.record_query_nv(r, i, s),
                        }
                        smallvec![]
                    },
                    |this, r| {
                        this.record_nop(r, s);
                        smallvec![]
                    },
                );
            }
            O::hit_make_miss => {
                let mut args = args;
                args[1] = self.masked(r, args[1], MISS_BITS);
                let v = self.b(r).many_value(O::hit_make_miss, 0, &args, Type::HIT_OBJECT);
                self.keep(r, s, v);
            }
            _ => {
                let copy = self.f.append(r, self.f.insts[i], &[Type::HIT_OBJECT], self.span);
                let v = self.f.result(copy);
                self.keep(r, s, v);
            }
        }
    }

    pub fn status_is(&mut self, r: Region, q: Value, op: O, n: u32) -> Value {
        let n = self.f.const_u32(n);
        let status = self.b(r).many_value(O::ray_query_committed_status, 0, &[q], Type::I32);
        self.b(r).binary(op, status, n)
    }

    /// The slot with attributes and the kind of what `i` takes from a query.
    fn given_attributes(&mut self, i: Inst) -> (Slot, Value) {
        match self.f.insts[i] {
            InstData::Slot { slot, args, .. } => (slot, self.f.get(args)[1]),
            _ => (self.triangle_slot(), self.f.const_u32(0)),
        }
    }

    fn record_query_ext(&mut self, r: Region, i: Inst, s: Slot) {
        let q = self.f.operands(i)[0];
        let (slot, kind) = self.given_attributes(i);
        let new = self.b(r).slot(O::hit_from_query_attrs, slot, &[q, kind]);
        let v = self.f.result(new);
        self.keep(r, s, v);
    }

    /// Records what the query's getters say.
    fn record_query_nv(&mut self, r: Region, i: Inst, s: Slot) {
        let q = self.f.operands(i)[0];
        let (slot, kind) = self.given_attributes(i);
        let triangle = self.status_is(r, q, O::ieq, 1);
        let own = self.triangle_slot();
        let kinds = self.branch(
            r,
            triangle,
            &[Type::I32],
            |this, r| {
                let at = this.b(r).many_value(O::ray_query_committed_triangle_barycentrics, 0, &[q], Type::F32X2);
                this.b(r).store(Root::Slot(own), &[Step::At(0)], &[], at);
                let front = this.b(r).many_value(O::ray_query_committed_triangle_front_face, 0, &[q], Type::BOOL);
                let (a, b) = (this.f.const_u32(FRONT), this.f.const_u32(BACK));
                smallvec![this.b(r).select(front, a, b)]
            },
            |_, _| smallvec![kind],
        );
        let get = |this: &mut Self, op: O, ty: Type| this.b(r).many_value(op, 0, &[q], ty);
        let zero = self.f.const_u32(0);
        let details = [
            get(self, O::ray_query_committed_instance_index, Type::I32),
            get(self, O::ray_query_committed_primitive_index, Type::I32),
            get(self, O::ray_query_committed_geometry_index, Type::I32),
            kinds[0],
            zero,
            get(self, O::ray_query_world_ray_origin, Type::F32X3),
            get(self, O::ray_query_ray_tmin, Type::F32),
            get(self, O::ray_query_world_ray_direction, Type::F32X3),
            get(self, O::ray_query_committed_ray_t, Type::F32),
        ];
        let which = self.query_part(r, q, Part::Scene);
        let index = self.query_part(r, q, Part::SceneIndex);
        let of_kind = |this: &mut Self, r: Region, slot: Slot| {
            this.record_hit(r, s, which, index, slot, &details);
            smallvec![]
        };
        self.branch(r, triangle, &[], |this, r| of_kind(this, r, own), |this, r| of_kind(this, r, slot));
    }

    /// Records a hit in the scene, with the slot's attributes.
    fn record_hit(&mut self, r: Region, s: Slot, which: Option<Value>, index: Option<Value>, slot: Slot, details: &[Value]) {
        let count = self.sources.len();
        if count == 0 {
            self.errors.push(crate::Error::new(self.span, "it is not known in which scene this was hit"));
            return;
        }
        let zero = self.f.const_u32(0);
        self.choose(r, which.unwrap_or(zero), count, &[], |this, r, n| {
            let Source { mut data, ty } = this.sources[n];
            match &mut data {
                InstData::Resource { index: at, .. } if at.expand().is_some() => *at = Some(index.unwrap_or(zero)).into(),
                InstData::Many { args, .. } => *args = this.f.list(&[index.unwrap_or(zero)]),
                _ => {}
            }
            let h = this.f.append(r, data, &[ty], this.span);
            let mut args = vec![this.f.result(h)];
            args.extend_from_slice(details);
            let new = this.b(r).slot(O::hit_record, slot, &args);
            let v = this.f.result(new);
            this.keep(r, s, v);
            smallvec![]
        });
    }

    /// The number of the scene that handle `v` is, and its index.
    pub fn source_of(&mut self, v: Value) -> (Value, Option<Value>) {
        let found = self.f.def_inst(v).map(|d| self.f.insts[d]);
        let which = found.and_then(|d| self.sources.iter().position(|s| same_source(&s.data, &d)));
        let index = found.and_then(|d| index_of(&d, self.f));
        (self.f.const_u32(which.unwrap_or(0) as u32), index)
    }

    fn query_part(&mut self, r: Region, q: Value, p: Part) -> Option<Value> {
        let slot = query_slot(self.f, q)?;
        let l = *self.queries.get(&(slot, p))?;
        Some(self.b(r).load(Root::Local(l), &[], &[], Type::I32))
    }

    /// A variable of the pool of family `n` that no live value is in.
    fn free(&mut self, r: Region, i: Inst, n: usize) -> Value {
        let mut named = Vec::new();
        for v in self.families.live.get(&i).cloned().unwrap_or_default() {
            named.extend(self.part(r, v, Part::Slot));
        }
        for l in self.families.list[n].arrays.clone() {
            let a = self.array(l, Part::Slot);
            for steps in self.all_elements(l) {
                named.push(self.b(r).load(Root::Local(a), &steps, &[], Type::I32));
            }
        }
        let (mut taken, one) = (self.f.const_u32(0), self.f.const_u32(1));
        if named.is_empty() {
            return taken;
        }
        for slot in named {
            let bit = self.b(r).binary(O::shl, one, slot);
            taken = self.b(r).binary(O::or, taken, bit);
        }
        let mut b = self.b(r);
        let open = b.unary(O::not, taken);
        b.unary(O::firstbit_lo, open)
    }

    /// The steps to each element of an array of hit objects: few, or there was an error.
    pub fn all_elements(&self, l: rtc_ir::Local) -> Vec<Vec<Step>> {
        let mut out = vec![(Vec::new(), self.f.locals[l].ty)];
        if elements(self.types, self.f.locals[l].ty) > super::families::MAX {
            return Vec::new();
        }
        loop {
            let mut next = Vec::new();
            let mut deeper = false;
            for (steps, t) in out {
                match self.types.kind(t) {
                    rtc_ir::TypeKind::Array(e, n) => {
                        deeper = true;
                        for k in 0..n {
                            let mut steps: Vec<Step> = steps.clone();
                            steps.push(Step::At(k));
                            next.push((steps, e));
                        }
                    }
                    _ => next.push((steps, t)),
                }
            }
            out = next;
            if !deeper {
                return out.into_iter().map(|e| e.0).collect();
            }
        }
    }

    fn masked(&mut self, r: Region, v: Value, mask: u32) -> Value {
        match self.f.as_const(v) {
            Some(n) => self.f.const_u32(n as u32 & mask),
            None => {
                let mask = self.f.const_u32(mask);
                self.b(r).binary(O::and, v, mask)
            }
        }
    }

    /// `hit_set_shader_table_index`: ignored by nops, 28 bits of hits, 16 of misses.
    pub fn set_index(&mut self, r: Region, i: Inst) {
        let (args, to) = (self.f.operands(i), self.f.result(i));
        let (from, index) = (args[0], args[1]);
        for p in Part::ALL.into_iter().filter(|p| !matches!(p, Part::Record | Part::Bound)) {
            if let Some(x) = self.part(r, from, p) {
                self.set_part(r, to, p, x);
            }
        }
        let yes = self.f.const_bool(true);
        self.set_part(r, to, Part::Bound, yes);
        let lazy = self.families.list[self.family(from)].lazy;
        let now = self.in_storage(r, from, if lazy { &[Type::I32] } else { &[] }, |this, r, s, may| {
            let set = |this: &mut Self, r: Region, bits: u32| -> Values {
                let index = this.masked(r, index, bits);
                if lazy {
                    return smallvec![index];
                }
                this.set_in(r, s, index, from, if bits == HIT_BITS { HIT } else { MISS });
                smallvec![]
            };
            let results: &[Type] = if lazy { &[Type::I32] } else { &[] };
            let zero = this.f.const_u32(0);
            let unless_miss = |this: &mut Self, r: Region| -> Values {
                match may & !HIT {
                    0 => set(this, r, HIT_BITS),
                    MISS => set(this, r, MISS_BITS),
                    NOP => {
                        if lazy {
                            smallvec![zero]
                        } else {
                            smallvec![]
                        }
                    }
                    _ => {
                        let miss = this.get(r, s, O::hit_is_miss, 0, Type::BOOL);
                        this.branch(
                            r,
                            miss,
                            results,
                            |this, r| set(this, r, MISS_BITS),
                            |_, _| {
                                if lazy { smallvec![zero] } else { smallvec![] }
                            },
                        )
                    }
                }
            };
            if may == HIT || may & HIT == 0 {
                return unless_miss(this, r);
            }
            let hit = this.get(r, s, O::hit_is_hit, 0, Type::BOOL);
            this.branch(r, hit, results, |this, r| set(this, r, HIT_BITS), unless_miss)
        });
        if let Some(&x) = now.first() {
            self.set_part(r, to, Part::Record, x);
        }
    }

    /// The object in `s`, a hit or a miss, gets this record.
    fn set_in(&mut self, r: Region, s: Slot, index: Value, v: Value, is: u8) {
        if self.ser == Ser::Ext {
            let old = self.object(r, s);
            let new = self.b(r).many_value(O::hit_set_shader_table_index, 0, &[old, index], Type::HIT_OBJECT);
            return self.keep(r, s, new);
        }
        let get = |this: &mut Self, op: O, ty: Type| this.get(r, s, op, 0, ty);
        let origin = get(self, O::hit_get_world_ray_origin, Type::F32X3);
        let tmin = get(self, O::hit_get_ray_tmin, Type::F32);
        let direction = get(self, O::hit_get_world_ray_direction, Type::F32X3);
        let t = get(self, O::hit_get_ray_tcurrent, Type::F32);
        if is == MISS {
            let zero = self.f.const_u32(0);
            let args = [zero, index, origin, tmin, direction, t];
            let new = self.b(r).many_value(O::hit_make_miss, 0, &args, Type::HIT_OBJECT);
            return self.keep(r, s, new);
        }
        let kind = get(self, O::hit_get_kind, Type::I32);
        let details = [
            get(self, O::hit_get_instance_index, Type::I32),
            get(self, O::hit_get_primitive_index, Type::I32),
            get(self, O::hit_get_geometry_index, Type::I32),
            kind,
            index,
            origin,
            tmin,
            direction,
            t,
        ];
        let which = self.part(r, v, Part::Scene);
        let at = self.part(r, v, Part::SceneIndex);
        let own = self.triangle_slot();
        let of_kind = |this: &mut Self, r: Region, slot: Slot| -> Values {
            let old = this.object(r, s);
            this.b(r).slot(O::hit_attributes, slot, &[old]);
            this.record_hit(r, s, which, at, slot, &details);
            smallvec![]
        };
        let other = match self.largest {
            Some(ty) if ty != self.f.slots[own].ty => self.f.add_slot(rtc_ir::SlotRole::AttrHit, ty, "attributes"),
            _ => {
                of_kind(self, r, own);
                return;
            }
        };
        let front = self.f.const_u32(FRONT);
        let triangle = self.b(r).binary(O::uge, kind, front);
        self.branch(r, triangle, &[], |this, r| of_kind(this, r, own), |this, r| of_kind(this, r, other));
    }

    /// Where values that name one object may differ in their record: gives the object in `s` that of `v`.
    pub fn sync(&mut self, r: Region, s: Slot, v: Value, may: u8) {
        let Some(record) = self.part(r, v, Part::Record) else { return };
        let check = |this: &mut Self, r: Region, is: u8| -> Values {
            let now = this.get(r, s, O::hit_get_shader_table_index, 0, Type::I32);
            let differs = this.b(r).binary(O::ine, now, record);
            this.branch(
                r,
                differs,
                &[],
                |this, r| {
                    this.set_in(r, s, record, v, is);
                    smallvec![]
                },
                |_, _| smallvec![],
            )
        };
        if may & HIT != 0 {
            let hit = self.get(r, s, O::hit_is_hit, 0, Type::BOOL);
            self.branch(r, hit, &[], |this, r| check(this, r, HIT), |_, _| smallvec![]);
        }
        if may & MISS != 0 {
            let miss = self.get(r, s, O::hit_is_miss, 0, Type::BOOL);
            self.branch(r, miss, &[], |this, r| check(this, r, MISS), |_, _| smallvec![]);
        }
    }
}

/// Whether two handles are of the same declaration, whatever the index.
pub(super) fn same_source(a: &InstData, b: &InstData) -> bool {
    match (a, b) {
        (InstData::Resource { global: a, .. }, InstData::Resource { global: b, .. }) => a == b,
        (InstData::Many { op: O::heap_resource, .. }, InstData::Many { op: O::heap_resource, .. }) => true,
        _ => false,
    }
}
