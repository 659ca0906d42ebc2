//! A hit object in a local variable: how its fields are read, and how each kind of object is made.

use rtc_ir::{Builder, Inst, Local, Opcode, Root, Slot, Step, Type, Value};
use rtc_tables::hit_lowering as tables;
use rtc_tables::hit_objects::Answer;

use super::attributes::{self, Leaf};
use super::layout::{Fixed, HIT, Layout, MISS, NOP, Record};
use super::parts::Part;

/// The ray of a hit object. `t` is where it ends if it is no hit.
pub(super) struct Ray {
    pub flags: Value,
    pub origin: Value,
    pub tmin: Value,
    pub direction: Value,
    pub t: Value,
}

/// A hit object in a variable.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    pub record: &'a Record,
    pub at: Local,
}

impl Object<'_> {
    pub fn fixed(&self, b: &mut Builder, which: Fixed) -> Value {
        b.load(Root::Local(self.at), self.record.fixed(which).as_slice(), &[], which.ty())
    }
    pub fn set(&self, b: &mut Builder, which: Fixed, v: Value) {
        b.store(Root::Local(self.at), self.record.fixed(which).as_slice(), &[], v);
    }
    pub fn part(&self, b: &mut Builder, part: Part, n: u32) -> Value {
        b.load(Root::Local(self.at), &self.record.step(part, n), &[], part.info().ty)
    }
    pub fn set_part(&self, b: &mut Builder, part: Part, n: u32, v: Value) {
        b.store(Root::Local(self.at), &self.record.step(part, n), &[], v);
    }
    /// Whether it is in this state.
    pub fn is(&self, b: &mut Builder, state: i32) -> Value {
        let found = self.fixed(b, Fixed::State);
        let wanted = b.func.const_i32(state);
        b.binary(Opcode::ieq, found, wanted)
    }

    /// The row of its shader in the miss table of this library, in which closest-hit shaders are too ([`rtc_tables::hit_lowering`]); 0 of a nop.
    pub fn table_row(&self, b: &mut Builder) -> Value {
        let row = self.fixed(b, Fixed::Record);
        let (one, two, zero) = (b.func.const_u32(tables::miss_row(0)), b.func.const_u32(tables::hit_row(0)), b.func.const_u32(0));
        let by = b.func.const_u32(tables::hit_row(1) - tables::hit_row(0));
        let twice = b.binary(Opcode::imul, row, by);
        let (hit, nop) = (self.is(b, HIT), self.is(b, NOP));
        let first = b.select(hit, two, one);
        let row = b.binary(Opcode::iadd, twice, first);
        b.select(nop, zero, row)
    }

    /// Makes it a nop.
    pub fn make_nop(&self, b: &mut Builder) {
        for which in Fixed::all() {
            let zero = match which {
                Fixed::State => b.func.const_i32(NOP),
                Fixed::Origin | Fixed::Direction => zeros(b, which.ty()),
                _ => b.func.const_zero(which.ty()),
            };
            self.set(b, which, zero);
        }
        for (part, n, _) in self.record.elements() {
            let v = otherwise(b, part, n, None);
            self.set_part(b, part, n, v);
        }
    }

    /// Makes it a miss of row `record` in the miss table.
    pub fn make_miss(&self, b: &mut Builder, record: Value, ray: &Ray) {
        let (miss, yes) = (b.func.const_i32(MISS), b.func.const_bool(true));
        self.set(b, Fixed::State, miss);
        self.set(b, Fixed::Bound, yes);
        self.set(b, Fixed::T, ray.t);
        let record = low_bits(b, record, 16);
        self.set(b, Fixed::Record, record);
        self.set_ray(b, ray);
        for (part, n, _) in self.record.elements() {
            let v = otherwise(b, part, n, Some(ray));
            self.set_part(b, part, n, v);
        }
    }

    fn set_ray(&self, b: &mut Builder, ray: &Ray) {
        self.set(b, Fixed::Flags, ray.flags);
        self.set(b, Fixed::TMin, ray.tmin);
        self.set(b, Fixed::Origin, ray.origin);
        self.set(b, Fixed::Direction, ray.direction);
    }

    /// Makes it what a trace of `ray` left in payload `slot`; `miss` is the row in the miss table if that is a miss.
    pub fn take_recorded(&self, b: &mut Builder, layout: &Layout, slot: Slot, miss: Value, ray: &Ray) {
        let root = Root::Slot(slot);
        let recorded = |b: &mut Builder, which: Fixed| {
            let step = layout.recorded.fixed(which)?;
            Some(b.load(root, &[Step::At(0), step], &[], which.ty()))
        };
        let (wanted, unknown) = (b.func.const_i32(HIT), b.func.const_i32(MISS));
        let state = recorded(b, Fixed::State).unwrap_or(unknown);
        let hit = b.binary(Opcode::ieq, state, wanted);
        self.set(b, Fixed::State, state);
        let miss = low_bits(b, miss, 16);
        // What nothing asks for is not recorded.
        for (which, of_miss) in [(Fixed::Record, miss), (Fixed::T, ray.t)] {
            let v = match recorded(b, which) {
                Some(found) => b.select(hit, found, of_miss),
                None => of_miss,
            };
            self.set(b, which, v);
        }
        let yes = b.func.const_bool(true);
        self.set(b, Fixed::Bound, yes);
        self.set_ray(b, ray);
        for (part, n, ty) in self.record.elements() {
            let mut steps = vec![Step::At(0)];
            steps.extend(layout.recorded.step(part, n));
            let found = b.load(root, &steps, &[], ty);
            let none = otherwise(b, part, n, Some(ray));
            let v = b.select(hit, found, none);
            self.set_part(b, part, n, v);
        }
    }

    /// Makes it what a ray query has committed. `kind` and `words` are those of a procedural hit. Gives the instruction
    /// that does it.
    pub fn take_query(&self, b: &mut Builder, q: Value, kind: Value, words: &[Value]) -> Inst {
        let ask = |b: &mut Builder, op: Opcode, n: u32, ty: Type| b.many_value(op, n, &[q], ty);
        let status = ask(b, Opcode::ray_query_committed_status, 0, Type::I32);
        let (none, triangle) = (b.func.const_i32(0), b.func.const_i32(1));
        let some = b.binary(Opcode::ine, status, none);
        let (then_, else_) = (b.func.add_region(), b.func.add_region());
        let owner = b.if_(some, then_, else_, &[]);
        let span = b.span;
        let inside = |b: &mut Builder, r| {
            b.region = r;
            b.span = span;
        };
        let outer = b.region;
        inside(b, else_);
        self.make_nop(b);
        b.exit(Opcode::yield_, &[]);
        inside(b, then_);
        self.make_nop(b);
        let hit = b.func.const_i32(HIT);
        self.set(b, Fixed::State, hit);
        let ray = Ray {
            flags: ask(b, Opcode::ray_query_ray_flags, 0, Type::I32),
            origin: ask(b, Opcode::ray_query_world_ray_origin, 0, Type::F32X3),
            tmin: ask(b, Opcode::ray_query_ray_tmin, 0, Type::F32),
            direction: ask(b, Opcode::ray_query_world_ray_direction, 0, Type::F32X3),
            t: ask(b, Opcode::ray_query_committed_ray_t, 0, Type::F32),
        };
        self.set(b, Fixed::T, ray.t);
        self.set_ray(b, &ray);
        let of = |triangles: bool| {
            let read = self.record.elements().filter(move |(p, ..)| p.info().triangles == triangles);
            read.filter_map(|(p, n, ty)| Some((p, n, ty, p.info().query?))).collect::<Vec<_>>()
        };
        for (part, n, ty, op) in of(false) {
            let v = ask(b, op, n, ty);
            self.set_part(b, part, n, v);
        }
        let is_triangle = b.binary(Opcode::ieq, status, triangle);
        let (yes, no) = (b.func.add_region(), b.func.add_region());
        b.if_(is_triangle, yes, no, &[]);
        b.exit(Opcode::yield_, &[]);
        inside(b, yes);
        for (part, n, ty, op) in of(true) {
            let v = ask(b, op, n, ty);
            self.set_part(b, part, n, v);
        }
        if self.record.parts.has(Part::Kind) {
            let front = ask(b, Opcode::ray_query_committed_triangle_front_face, 0, Type::BOOL);
            let (f, back) = (b.func.const_i32(254), b.func.const_i32(255));
            let v = b.select(front, f, back);
            self.set_part(b, Part::Kind, 0, v);
        }
        if self.record.parts.has(Part::Attributes) {
            let v = ask(b, Opcode::ray_query_committed_triangle_barycentrics, 0, Type::F32X2);
            for n in 0..2 {
                let x = b.extract(v, n);
                let x = b.convert(Opcode::bitcast, x, Type::I32);
                self.set_part(b, Part::Attributes, n, x);
            }
        }
        b.exit(Opcode::yield_, &[]);
        inside(b, no);
        if self.record.parts.has(Part::Kind) {
            self.set_part(b, Part::Kind, 0, kind);
        }
        if self.record.parts.has(Part::Attributes) {
            for (n, &word) in words.iter().enumerate() {
                self.set_part(b, Part::Attributes, n as u32, word);
            }
        }
        b.exit(Opcode::yield_, &[]);
        inside(b, outer);
        owner
    }

    /// Gives it row `row` of its table, unless it is a nop.
    pub fn set_row(&self, b: &mut Builder, row: Value) {
        let (hit, nop) = (self.is(b, HIT), self.is(b, NOP));
        let (of_hits, of_misses) = (low_bits(b, row, 28), low_bits(b, row, 16));
        let row = b.select(hit, of_hits, of_misses);
        let old = self.fixed(b, Fixed::Record);
        let row = b.select(nop, old, row);
        self.set(b, Fixed::Record, row);
        let bound = self.fixed(b, Fixed::Bound);
        let has = b.unary(Opcode::not, nop);
        let bound = b.binary(Opcode::or, bound, has);
        self.set(b, Fixed::Bound, bound);
    }

    /// Writes its attributes to a variable.
    pub fn attributes(&self, b: &mut Builder, leaves: &[Leaf], to: Root) {
        attributes::unpack(b, leaves, to, |b, n| self.part(b, Part::Attributes, n));
    }
}

/// The low `n` bits.
fn low_bits(b: &mut Builder, v: Value, n: u32) -> Value {
    let mask = b.func.const_u32((1 << n) - 1);
    b.binary(Opcode::and, v, mask)
}

fn zeros(b: &mut Builder, ty: Type) -> Value {
    let (s, lanes) = b.types.numeric(ty).expect("parts are numbers");
    let scalar = b.types.scalar(s);
    let zero = b.func.const_zero(scalar);
    b.splat(zero, lanes)
}

/// What element `n` of a part is for a miss (with its ray) or for a NOP, which differ in the ray alone.
fn otherwise(b: &mut Builder, part: Part, n: u32, ray: Option<&Ray>) -> Value {
    let info = part.info();
    match (part.of_miss(), ray) {
        (Answer::SameAs(Opcode::hit_get_world_ray_origin), Some(ray)) => ray.origin,
        (Answer::SameAs(Opcode::hit_get_world_ray_direction), Some(ray)) => ray.direction,
        (Answer::IdentityRow, _) => {
            let (zero, one) = (b.func.const_f32(0.0), b.func.const_f32(1.0));
            let row: Vec<Value> = (0..4).map(|c| if c == n { one } else { zero }).collect();
            b.construct(&row)
        }
        (Answer::Bits(x), _) if info.ty == Type::I32 => b.func.const_u32(x),
        _ => zeros(b, info.ty),
    }
}
