//! Hit objects: what a ray found, as a value (DXR, HitObject).
//!
//! In compiled code a hit object is a number: 0 for a NOP, which undefined ones are too, else where it lies in the thread's
//! [`Arena`]. They are never changed: what HLSL changes is a new one. They go with the invocation that made them, since no
//! other can have seen them.

use super::search::{Call, Found, closest_hit, miss, search};
use super::tables::miss_index;
use super::view::{Matrix, View};
use super::{Attributes, Memory, call};
use crate::cpu::accel::{Kind, Top};
use crate::cpu::profile;
use crate::cpu::sanitize::payload as sanitize;
use crate::cpu::thread::Thread;

/// How many hit objects one invocation may make.
pub const MAX: usize = 1 << 20;

/// Bits of the index of a hit group record that [`Thread::set_table_index`] looks at.
const HIT_INDEX: u32 = 0x0FFF_FFFF;

/// What was found.
#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    Miss,
    /// A triangle, at these weights of its second and third vertex.
    Triangle([f32; 2]),
    /// A procedural primitive; its attributes lie in the arena.
    Procedural(u32),
}

/// A hit object that is no NOP.
#[derive(Clone, Copy, Debug)]
pub struct HitObject<'m> {
    /// What a shader sees that runs for it.
    pub view: View<'m>,
    what: What,
    /// The record that it is bound to.
    index: Option<u32>,
}

impl HitObject<'_> {
    /// Whether it is a miss.
    pub fn is_miss(&self) -> bool {
        self.what == What::Miss
    }
    /// Whether it is a hit of a triangle.
    pub fn is_triangle(&self) -> bool {
        matches!(self.what, What::Triangle(_))
    }
    /// The index of its record; none if it was made from a query and never got one.
    pub fn index(&self) -> Option<u32> {
        self.index
    }
    /// The component of the ray's origin in object space; a miss is in the world's.
    pub fn object_origin(&self, i: usize) -> f32 {
        if self.is_miss() { self.view.origin.get(i).copied().unwrap_or(0.0) } else { self.view.object_origin(i) }
    }
    /// The component of its direction.
    pub fn object_direction(&self, i: usize) -> f32 {
        if self.is_miss() { self.view.direction.get(i).copied().unwrap_or(0.0) } else { self.view.object_direction(i) }
    }
}

impl View<'_> {
    /// A component of `ObjectRayOrigin()`, computed as compiled shaders do.
    pub fn object_origin(&self, i: usize) -> f32 {
        self.to_object.get(i).map_or(0.0, |row| turned(row, self.origin) + row[3])
    }
    /// A component of `ObjectRayDirection()`.
    pub fn object_direction(&self, i: usize) -> f32 {
        self.to_object.get(i).map_or(0.0, |row| turned(row, self.direction))
    }
}

fn turned(row: &[f32; 4], v: [f32; 3]) -> f32 {
    row[0] * v[0] + row[1] * v[1] + row[2] * v[2]
}

/// An element of a matrix; zero beyond it.
pub fn element(matrix: &Matrix, row: usize, column: usize) -> f32 {
    matrix.get(row).and_then(|r| r.get(column)).copied().unwrap_or(0.0)
}

/// The hit objects of a thread.
#[derive(Default)]
pub struct Arena<'m> {
    objects: Vec<HitObject<'m>>,
    attributes: Vec<Attributes>,
    /// How many of them belong to shaders further out.
    base: Mark,
}

/// What an arena holds.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Mark {
    objects: usize,
    attributes: usize,
}

impl<'m> Arena<'m> {
    /// The hit object of a handle; none: a NOP.
    pub fn get(&self, handle: u64) -> Option<&HitObject<'m>> {
        let number = usize::try_from(handle).ok()?.checked_sub(1).filter(|&n| n >= self.base.objects)?;
        self.objects.get(number)
    }

    /// Attributes of a hit object; zero for a miss.
    pub fn attributes(&self, object: &HitObject<'_>) -> Attributes {
        match object.what {
            What::Miss => Attributes::ZERO,
            What::Triangle(barycentrics) => Attributes::triangle(barycentrics),
            What::Procedural(n) => self.attributes.get(n as usize).copied().unwrap_or(Attributes::ZERO),
        }
    }

    /// Whether there is room for another.
    fn has_room(&self) -> bool {
        self.objects.len() - self.base.objects < MAX
    }

    fn add(&mut self, object: HitObject<'m>) -> u64 {
        self.objects.push(object);
        self.objects.len() as u64
    }

    /// A shader begins. Gives what [`Arena::leave`] wants when it ends.
    #[inline]
    pub fn enter(&mut self) -> Mark {
        let here = Mark { objects: self.objects.len(), attributes: self.attributes.len() };
        std::mem::replace(&mut self.base, here)
    }

    /// It ends, and its hit objects with it.
    #[inline]
    pub fn leave(&mut self, before: Mark) {
        self.objects.truncate(self.base.objects);
        self.attributes.truncate(self.base.attributes);
        self.base = before;
    }
}

/// Keeps a hit object and gives its handle; a NOP if the invocation has made too many, and it fails.
fn keep<'m>(thread: &mut Thread<'m>, site: u32, object: HitObject<'m>) -> u64 {
    if thread.rays.objects.has_room() {
        return thread.rays.objects.add(object);
    }
    thread.fail(site, format!("one invocation of the shader makes more than {MAX} hit objects, which is all that this device keeps"));
    0
}

fn keep_hit<'m>(thread: &mut Thread<'m>, site: u32, view: View<'m>, kind: Kind, attributes: &Attributes, index: Option<u32>) -> u64 {
    let what = match kind {
        Kind::Triangle => What::Triangle(attributes.barycentrics()),
        Kind::Procedural => {
            let all = &mut thread.rays.objects.attributes;
            // As few as hit objects.
            all.push(*attributes);
            What::Procedural(all.len() as u32 - 1)
        }
    };
    keep(thread, site, HitObject { view, what, index })
}

/// `HitObject::TraceRay`: any-hit and intersection shaders run, the closest-hit or miss shader does not.
pub fn trace<'m>(thread: &mut Thread<'m>, site: u32, top: Option<&'m Top>, call: &Call, payload: Memory) -> u64 {
    if !call::descend(thread, site) {
        return 0;
    }
    if thread.watched() {
        sanitize::begin(thread, site, payload);
    }
    let found = search(thread, site, top, call, payload);
    if thread.watched() {
        sanitize::end(thread, site, payload, true);
    }
    thread.rays.depth -= 1;
    match found {
        _ if thread.failed() => 0,
        Some(found) => keep_hit(thread, site, found.view, found.kind, &found.attributes, Some(found.index)),
        None => missed(thread, site, View::of_ray(&call.ray, call.flags), call.miss),
    }
}

/// A miss, traced or `HitObject::MakeMiss`.
pub fn missed<'m>(thread: &mut Thread<'m>, site: u32, view: View<'m>, index: u32) -> u64 {
    keep(thread, site, HitObject { view, what: What::Miss, index: Some(miss_index(index)) })
}

/// `HitObject::FromRayQuery`: the hit that a query has committed, with the hit kind and attributes for procedural ones. A NOP if
/// it has none.
pub fn from_query(thread: &mut Thread<'_>, site: u32, query: u32, kind: u32, attributes: Attributes) -> u64 {
    let Some(query) = thread.rays.queries.get(query) else { return 0 };
    match query.seen(kind, attributes) {
        Some((view, kind, attributes)) => keep_hit(thread, site, view, kind, &attributes, None),
        None => 0,
    }
}

/// `SetShaderTableIndex`: the same hit object with another record. NOPs have none.
pub fn with_index(thread: &mut Thread<'_>, site: u32, handle: u64, index: u32) -> u64 {
    let Some(&object) = thread.rays.objects.get(handle) else { return 0 };
    let index = Some(if object.is_miss() { miss_index(index) } else { index & HIT_INDEX });
    match object.index == index {
        true => handle,
        false => keep(thread, site, HitObject { index, ..object }),
    }
}

/// `Invoke`: the closest-hit or miss shader of the record that the hit object is bound to. NOPs, and what is bound to none, run
/// nothing.
pub fn invoke(thread: &mut Thread<'_>, site: u32, handle: u64, payload: Memory) {
    profile::point(thread, site, 0, |p, t| p.object(t.machine.tables, t.rays.objects.get(handle)));
    let object = thread.rays.objects.get(handle).copied();
    let Some((object, index)) = object.and_then(|o| Some((o, o.index?))) else {
        let (depth, most) = (thread.rays.depth, thread.machine.tables.max_recursion);
        if depth >= most {
            let what = || format!("a hit object is invoked at recursion depth {most}, which is the deepest that the pipeline declares");
            thread.misuse("recursion", site, what);
        }
        return;
    };
    if !call::descend(thread, site) {
        return;
    }
    if thread.watched() {
        sanitize::begin(thread, site, payload);
    }
    let kind = if object.is_triangle() { Kind::Triangle } else { Kind::Procedural };
    if object.is_miss() {
        miss(thread, site, &object.view, index, payload);
    } else {
        let attributes = thread.rays.objects.attributes(&object);
        closest_hit(thread, site, &mut Found { view: object.view, attributes, index, kind }, payload);
    }
    if thread.watched() {
        sanitize::end(thread, site, payload, false);
    }
    thread.rays.depth -= 1;
}
