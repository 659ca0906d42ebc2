//! Hit objects: the result of a ray as a value (DXR, HitObject).
//!
//! In compiled code a hit object is a handle: 0 for a NOP (and for an undefined one), else an index into the thread's [`Arena`].
//! Hit objects are immutable: HLSL's setters create a new one. They are freed when the invocation that created them ends, since
//! no other invocation can refer to them.

use super::ray_state::{Matrix, RayState};
use super::tables::{Table, Tables, miss_index};
use super::trace_ray::{Call, ClosestHit, closest_hit, miss, search};
use super::{Attributes, Memory, call};
use crate::cpu::accel::{Kind, Top};
use crate::cpu::profile::{self, Next, Profile};
use crate::cpu::sanitize::payload as sanitize;
use crate::cpu::thread::Thread;

/// Maximum number of hit objects of one invocation.
pub const MAX_OBJECTS: usize = 1 << 20;

/// Bits of a hit group record index that [`with_index`] uses.
const HIT_INDEX: u32 = 0x0FFF_FFFF;

/// The type of a result.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Outcome {
    Miss,
    /// A triangle, with the weights of its second and third vertex.
    Triangle([f32; 2]),
    /// A procedural primitive; its attributes are in the arena.
    Procedural(u32),
}

/// A hit object other than a NOP.
#[derive(Clone, Copy, Debug)]
pub struct HitObject<'m> {
    /// The ray state for shaders that it invokes.
    pub view: RayState<'m>,
    what: Outcome,
    /// Its shader record.
    index: Option<u32>,
}

impl HitObject<'_> {
    /// Whether it is a miss.
    pub fn is_miss(&self) -> bool {
        self.what == Outcome::Miss
    }
    /// Whether it is a hit of a triangle.
    pub fn is_triangle(&self) -> bool {
        matches!(self.what, Outcome::Triangle(_))
    }
    /// The index of its record; `None` if it was created from a query and never assigned one.
    pub fn index(&self) -> Option<u32> {
        self.index
    }
    /// A component of the object-space ray origin; for a miss, the world-space one.
    pub fn object_origin(&self, i: usize) -> f32 {
        if self.is_miss() { self.view.origin.get(i).copied().unwrap_or(0.0) } else { self.view.object_origin(i) }
    }
    /// A component of the object-space ray direction.
    pub fn object_direction(&self, i: usize) -> f32 {
        if self.is_miss() { self.view.direction.get(i).copied().unwrap_or(0.0) } else { self.view.object_direction(i) }
    }
}

/// The target of a hit object in a coherence profile.
pub fn target(object: Option<&HitObject<'_>>, profile: &Profile, tables: &Tables) -> Next {
    match object.map(|o| (o.is_miss(), o.index())) {
        None => Next::NOP,
        Some((_, None)) => Next::UNBOUND,
        Some((true, Some(index))) => profile.record(tables, Table::Miss, index),
        Some((false, Some(index))) => profile.record(tables, Table::Hit, index),
    }
}

impl RayState<'_> {
    /// A component of `ObjectRayOrigin()`, computed as in compiled shaders.
    pub fn object_origin(&self, i: usize) -> f32 {
        self.to_object.get(i).map_or(0.0, |row| rotate(row, self.origin) + row[3])
    }
    /// A component of `ObjectRayDirection()`.
    pub fn object_direction(&self, i: usize) -> f32 {
        self.to_object.get(i).map_or(0.0, |row| rotate(row, self.direction))
    }
}

fn rotate(row: &[f32; 4], v: [f32; 3]) -> f32 {
    row[0] * v[0] + row[1] * v[1] + row[2] * v[2]
}

/// An element of a matrix; zero out of range.
pub fn element(matrix: &Matrix, row: usize, column: usize) -> f32 {
    matrix.get(row).and_then(|r| r.get(column)).copied().unwrap_or(0.0)
}

/// The hit objects of a thread.
#[derive(Default)]
pub struct Arena<'m> {
    objects: Vec<HitObject<'m>>,
    attributes: Vec<Attributes>,
    /// Number of objects of outer shaders.
    base: Mark,
}

/// The state of an arena.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Mark {
    objects: usize,
    attributes: usize,
}

impl<'m> Arena<'m> {
    /// The hit object of a handle; `None` for a NOP.
    pub fn get(&self, handle: u64) -> Option<&HitObject<'m>> {
        let number = usize::try_from(handle).ok()?.checked_sub(1).filter(|&n| n >= self.base.objects)?;
        self.objects.get(number)
    }

    /// The attributes of a hit object; zero for a miss.
    pub fn attributes(&self, object: &HitObject<'_>) -> Attributes {
        match object.what {
            Outcome::Miss => Attributes::ZERO,
            Outcome::Triangle(barycentrics) => Attributes::triangle(barycentrics),
            Outcome::Procedural(n) => self.attributes.get(n as usize).copied().unwrap_or(Attributes::ZERO),
        }
    }

    /// Whether there is room for another object.
    fn has_room(&self) -> bool {
        self.objects.len() - self.base.objects < MAX_OBJECTS
    }

    fn add(&mut self, object: HitObject<'m>) -> u64 {
        self.objects.push(object);
        self.objects.len() as u64
    }

    /// A shader begins. Returns the state for [`Arena::leave`].
    #[inline]
    pub fn enter(&mut self) -> Mark {
        let here = Mark { objects: self.objects.len(), attributes: self.attributes.len() };
        std::mem::replace(&mut self.base, here)
    }

    /// The shader ends; its hit objects are freed.
    #[inline]
    pub fn leave(&mut self, before: Mark) {
        self.objects.truncate(self.base.objects);
        self.attributes.truncate(self.base.attributes);
        self.base = before;
    }
}

/// Adds a hit object and returns its handle; a NOP, and the thread fails, if the invocation has created too many.
fn keep<'m>(thread: &mut Thread<'m>, site: u32, object: HitObject<'m>) -> u64 {
    if thread.rays.objects.has_room() {
        return thread.rays.objects.add(object);
    }
    thread.fail(site, format!("an invocation created more than {MAX_OBJECTS} hit objects, the maximum of this device"));
    0
}

fn keep_hit<'m>(thread: &mut Thread<'m>, site: u32, view: RayState<'m>, kind: Kind, attributes: &Attributes, index: Option<u32>) -> u64 {
    let what = match kind {
        Kind::Triangle => Outcome::Triangle(attributes.barycentrics()),
        Kind::Procedural => {
            let all = &mut thread.rays.objects.attributes;
            // There are at most as many as hit objects.
            all.push(*attributes);
            Outcome::Procedural(all.len() as u32 - 1)
        }
    };
    keep(thread, site, HitObject { view, what, index })
}

/// `HitObject::TraceRay`: runs any-hit and intersection shaders, but not the closest-hit or miss shader.
pub fn trace<'m>(thread: &mut Thread<'m>, site: u32, top: Option<&'m Top>, call: &Call, payload: Memory) -> u64 {
    if !call::descend(thread, site) {
        return 0;
    }
    if thread.is_sanitized() {
        sanitize::begin(thread, site, payload);
    }
    let found = search(thread, site, top, call, payload);
    if thread.is_sanitized() {
        sanitize::end(thread, site, payload, true);
    }
    thread.rays.depth -= 1;
    match found {
        _ if thread.failed() => 0,
        Some(found) => keep_hit(thread, site, found.view, found.kind, &found.attributes, Some(found.index)),
        None => missed(thread, site, RayState::of_ray(&call.ray, call.flags), call.miss),
    }
}

/// A miss, traced or from `HitObject::MakeMiss`.
pub fn missed<'m>(thread: &mut Thread<'m>, site: u32, view: RayState<'m>, index: u32) -> u64 {
    keep(thread, site, HitObject { view, what: Outcome::Miss, index: Some(miss_index(index)) })
}

/// `HitObject::FromRayQuery`: the committed hit of a query, with the hit kind and attributes for a procedural one. A NOP if it
/// has none.
pub fn from_query(thread: &mut Thread<'_>, site: u32, query: u32, kind: u32, attributes: Attributes) -> u64 {
    let Some(query) = thread.rays.queries.get(query) else { return 0 };
    match query.seen(kind, attributes) {
        Some((view, kind, attributes)) => keep_hit(thread, site, view, kind, &attributes, None),
        None => 0,
    }
}

/// `SetShaderTableIndex`: the same hit object with another record. NOPs have no record.
pub fn with_index(thread: &mut Thread<'_>, site: u32, handle: u64, index: u32) -> u64 {
    let Some(&object) = thread.rays.objects.get(handle) else { return 0 };
    let index = Some(if object.is_miss() { miss_index(index) } else { index & HIT_INDEX });
    match object.index == index {
        true => handle,
        false => keep(thread, site, HitObject { index, ..object }),
    }
}

/// `Invoke`: runs the closest-hit or miss shader of the hit object's record. NOPs and objects without a record run nothing.
pub fn invoke(thread: &mut Thread<'_>, site: u32, handle: u64, payload: Memory) {
    profile::point(thread, site, |p, t| target(t.rays.objects.get(handle), p, t.machine.tables));
    let object = thread.rays.objects.get(handle).copied();
    let Some((object, index)) = object.and_then(|o| Some((o, o.index?))) else {
        let (depth, most) = (thread.rays.depth, thread.machine.tables.max_recursion);
        if depth >= most {
            let what = || format!("a hit object is invoked at recursion depth {most}, the maximum that the pipeline declares");
            thread.misuse("recursion", site, what);
        }
        return;
    };
    if !call::descend(thread, site) {
        return;
    }
    if thread.is_sanitized() {
        sanitize::begin(thread, site, payload);
    }
    let kind = if object.is_triangle() { Kind::Triangle } else { Kind::Procedural };
    if object.is_miss() {
        miss(thread, site, &object.view, index, payload);
    } else {
        let attributes = thread.rays.objects.attributes(&object);
        closest_hit(thread, site, &mut ClosestHit { view: object.view, attributes, index, kind }, payload);
    }
    if thread.is_sanitized() {
        sanitize::end(thread, site, payload, false);
    }
    thread.rays.depth -= 1;
}
