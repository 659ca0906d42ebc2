//! `TraceRay`: traversal with any-hit and intersection shaders, then the closest-hit or the miss shader.
//!
//! ```text
//! walk ─► non-opaque triangle ─► any-hit ─► ignored │ committed
//!      ─► box ─► intersection ─► ReportHit ─► any-hit if not opaque ─► ignored │ committed
//!      ─► end of traversal, or ended ─► closest-hit of the committed hit, else miss
//! ```
//! (DXR, TraceRay control flow.) Neither any-hit nor intersection shaders can trace rays, so a thread has at most one active
//! search, whose state is stored in the thread.
//!
//! A null record runs nothing: its triangles are committed, its procedural primitives are never hit. Triangles with a procedural
//! hit group, and procedural primitives with a triangle hit group, are treated in the same way.

use super::attributes::{Attributes, Memory};
use super::ray_state::RayState;
use super::tables::{Record, Table, hit_index, miss_index};
use super::{call, tables};
use crate::cpu::accel::{Hit, Kind, Ray, Top, Traversal};
use crate::cpu::profile::{self, Next};
use crate::cpu::sanitize::payload as sanitize;
use crate::cpu::thread::Thread;
use rtc_tables::ray_flags as flag;

/// The arguments of `TraceRay` other than the structure and the payload.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Call {
    /// The ray.
    pub ray: Ray,
    /// Ray flags.
    pub flags: u32,
    /// `InstanceInclusionMask`.
    pub mask: u32,
    /// `RayContributionToHitGroupIndex`.
    pub contribution: u32,
    /// `MultiplierForGeometryContributionToHitGroupIndex`.
    pub multiplier: u32,
    /// `MissShaderIndex`.
    pub miss: u32,
}

/// The result of a search: the inputs of the closest-hit shader.
#[derive(Clone, Copy, Debug)]
pub struct ClosestHit<'m> {
    /// Ray and hit system values.
    pub view: RayState<'m>,
    /// Hit attributes.
    pub attributes: Attributes,
    /// The index of the hit group record.
    pub index: u32,
    /// Triangle or procedural.
    pub kind: Kind,
}

/// The decision of an any-hit shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Accepted,
    Ignored,
    Ended,
}

/// The active search.
pub struct Search<'m> {
    walk: Traversal,
    payload: Memory,
    /// The hit group of the candidate.
    record: &'m Record,
    /// An intersection shader runs, and no any-hit shader that it caused.
    reporting: bool,
    /// An any-hit shader runs.
    judging: bool,
    verdict: Verdict,
    /// Attributes and hit kind of the last committed procedural hit.
    committed: Attributes,
    kind: u32,
}

impl Default for Search<'_> {
    fn default() -> Self {
        let nowhere = Ray { origin: [0.0; 3], t_min: 0.0, direction: [0.0; 3], t_max: 0.0 };
        Search {
            walk: Traversal::new(nowhere, 0, 0, 0),
            payload: Memory::NONE,
            record: &tables::NO_RECORD,
            reporting: false,
            judging: false,
            verdict: Verdict::Accepted,
            committed: Attributes::ZERO,
            kind: 0,
        }
    }
}

impl<'m> RayState<'m> {
    /// The system values of a ray without a hit.
    #[inline]
    pub fn of_ray(ray: &Ray, flags: u32) -> RayState<'m> {
        let Ray { origin, t_min, direction, t_max } = *ray;
        RayState { origin, t_min, direction, t: t_max, flags: flags & flag::ALL, ..RayState::NONE }
    }

    /// The system values with a hit or candidate.
    #[inline]
    pub(super) fn with_hit(mut self, top: &'m Top, hit: &Hit, kind: u32) -> RayState<'m> {
        if let Some(instance) = top.instances().get(hit.instance as usize) {
            (self.to_world, self.to_object) = (&instance.to_world, &instance.to_object);
        }
        self.t = hit.t;
        self.kind = kind;
        self.instance = hit.instance;
        self.id = hit.instance_id;
        self.geometry = hit.geometry;
        self.primitive = hit.primitive;
        self.cluster = hit.cluster;
        self.leaf = hit.leaf();
        self.top = Some(top);
        self
    }
}

impl Call {
    /// The index of the hit group record of a hit.
    #[inline]
    fn index(&self, hit: &Hit) -> u32 {
        hit_index(self.contribution, self.multiplier, hit.geometry, hit.hit_group_offset)
    }
}

/// `TraceRay`. Without a structure, the ray misses.
pub fn trace_ray<'m>(thread: &mut Thread<'m>, site: u32, top: Option<&'m Top>, call: &Call, payload: Memory) {
    if !call::descend(thread, site) {
        return;
    }
    if thread.is_sanitized() {
        sanitize::begin(thread, site, payload);
    }
    let found = search(thread, site, top, call, payload);
    let skip = call.flags & flag::SKIP_CLOSEST_HIT != 0;
    profile::point(thread, site, |p, t| match &found {
        Some(_) if skip => Next::NOP,
        Some(found) => p.record(t.machine.tables, Table::Hit, found.index),
        None => p.record(t.machine.tables, Table::Miss, miss_index(call.miss)),
    });
    match found {
        _ if thread.failed() => {}
        Some(_) if skip => {}
        Some(mut found) => closest_hit(thread, site, &mut found, payload),
        None => miss(thread, site, &RayState::of_ray(&call.ray, call.flags), call.miss, payload),
    }
    if thread.is_sanitized() {
        sanitize::end(thread, site, payload, false);
    }
    thread.rays.depth -= 1;
}

/// Runs the closest-hit shader of a hit, if it has one.
pub fn closest_hit<'m>(thread: &mut Thread<'m>, site: u32, found: &mut ClosestHit<'m>, payload: Memory) {
    let tables = thread.machine.tables;
    let Some(record) = tables.get(Table::Hit, found.index) else {
        return thread.fail(site, tables.beyond(Table::Hit, found.index));
    };
    let mismatch = found.kind == Kind::Triangle && record.intersection.is_some();
    if let Some(shader) = record.shader.filter(|_| !mismatch) {
        call::run(thread, site, shader, record, &found.view, payload, &mut found.attributes);
    }
}

/// Runs a miss shader, if the record has one.
pub fn miss<'m>(thread: &mut Thread<'m>, site: u32, view: &RayState<'m>, index: u32, payload: Memory) {
    let (tables, index) = (thread.machine.tables, miss_index(index));
    let Some(record) = tables.get(Table::Miss, index) else {
        return thread.fail(site, tables.beyond(Table::Miss, index));
    };
    if let Some(shader) = record.shader {
        let mut none = Attributes::ZERO;
        call::run(thread, site, shader, record, view, payload, &mut none);
    }
}

/// Runs the traversal with any-hit and intersection shaders. `None`: a miss, or the thread failed.
#[inline]
pub fn search<'m>(thread: &mut Thread<'m>, site: u32, top: Option<&'m Top>, call: &Call, payload: Memory) -> Option<ClosestHit<'m>> {
    let top = top?;
    if thread.rays.search.reporting || thread.rays.search.judging {
        thread.fail(site, "a ray is traced while an any-hit or intersection shader runs".into());
        return None;
    }
    let tables = thread.machine.tables;
    thread.rays.search.walk.restart(call.ray, call.flags, call.mask, tables.flags);
    thread.rays.search.payload = payload;
    while let Some(candidate) = thread.rays.search.walk.next(top) {
        let index = call.index(&candidate);
        let Some(record) = tables.get(Table::Hit, index) else {
            thread.fail(site, tables.beyond(Table::Hit, index));
            return None;
        };
        match (candidate.kind, record.intersection) {
            (Kind::Triangle, None) => triangle(thread, site, record, &candidate, RayState::of_ray(&call.ray, call.flags), top),
            (Kind::Triangle, Some(_)) => thread.rays.search.walk.commit(),
            (Kind::Procedural, Some(shader)) => {
                let seen = RayState::of_ray(&call.ray, call.flags).with_hit(top, &candidate, 0);
                procedural(thread, site, record, shader, &seen);
            }
            (Kind::Procedural, None) => {}
        }
        if thread.failed() {
            return None;
        }
    }
    let search = &thread.rays.search;
    let hit = search.walk.committed()?;
    let (attributes, kind) = match hit.kind {
        Kind::Triangle => (Attributes::triangle(hit.barycentrics), hit.triangle_hit_kind()),
        Kind::Procedural => (search.committed, search.kind),
    };
    let view = RayState::of_ray(&call.ray, call.flags).with_hit(top, hit, kind);
    Some(ClosestHit { view, attributes, index: call.index(hit), kind: hit.kind })
}

/// Handles a non-opaque triangle.
fn triangle<'m>(thread: &mut Thread<'m>, site: u32, record: &'m Record, candidate: &Hit, view: RayState<'m>, top: &'m Top) {
    let Some(shader) = record.any_hit else { return thread.rays.search.walk.commit() };
    let view = view.with_hit(top, candidate, candidate.triangle_hit_kind());
    let verdict = run_any_hit(thread, site, record, shader, &view, Attributes::triangle(candidate.barycentrics));
    let walk = &mut thread.rays.search.walk;
    if verdict != Verdict::Ignored {
        walk.commit();
    }
    if verdict == Verdict::Ended {
        walk.abort();
    }
}

/// Runs an any-hit shader.
fn run_any_hit<'m>(
    thread: &mut Thread<'m>,
    site: u32,
    record: &'m Record,
    shader: usize,
    view: &RayState<'m>,
    mut attributes: Attributes,
) -> Verdict {
    let search = &mut thread.rays.search;
    search.verdict = Verdict::Accepted;
    search.judging = true;
    let payload = search.payload;
    call::run(thread, site, shader, record, view, payload, &mut attributes);
    thread.rays.search.judging = false;
    if thread.failed() { Verdict::Ignored } else { thread.rays.search.verdict }
}

/// Runs the intersection shader of a box that the ray intersects.
fn procedural<'m>(thread: &mut Thread<'m>, site: u32, record: &'m Record, shader: usize, view: &RayState<'m>) {
    let search = &mut thread.rays.search;
    (search.record, search.reporting) = (record, true);
    let mut none = Attributes::ZERO;
    call::run(thread, site, shader, record, view, Memory::NONE, &mut none);
    thread.rays.search.reporting = false;
}

/// The result of `ReportHit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Reported {
    /// False: rejected.
    Rejected = 0,
    /// True: accepted.
    Accepted = 1,
    /// Accepted, and the shader ends.
    Ended = 2,
}

/// `ReportHit`, in the running intersection shader.
pub fn report(thread: &mut Thread<'_>, site: u32, t: f32, kind: u32, attributes: Memory) -> Reported {
    if thread.failed() {
        return Reported::Ended;
    }
    let search = &mut thread.rays.search;
    if !search.reporting || search.judging {
        thread.fail(site, "a hit is reported while no intersection shader runs".into());
        return Reported::Ended;
    }
    if !search.walk.takes(t) {
        return Reported::Rejected;
    }
    let opaque = search.walk.candidate().opaque;
    let record = search.record;
    let attributes = Attributes::copied(attributes);
    let mut ended = false;
    if let Some(shader) = record.any_hit.filter(|_| !opaque) {
        let view = RayState { t, kind, ..thread.view };
        match run_any_hit(thread, site, record, shader, &view, attributes) {
            Verdict::Ignored if thread.failed() => return Reported::Ended,
            Verdict::Ignored => return Reported::Rejected,
            verdict => ended = verdict == Verdict::Ended,
        }
    }
    let search = &mut thread.rays.search;
    search.walk.commit_procedural(t);
    (search.committed, search.kind) = (attributes, kind);
    if ended {
        search.walk.abort();
    }
    let done = search.walk.is_done();
    thread.view.t = t;
    if done { Reported::Ended } else { Reported::Accepted }
}

/// `IgnoreHit`, in an any-hit shader.
pub fn ignore(thread: &mut Thread<'_>) {
    thread.rays.search.verdict = Verdict::Ignored;
}

/// `AcceptHitAndEndSearch`, in an any-hit shader.
pub fn accept_and_end(thread: &mut Thread<'_>) {
    thread.rays.search.verdict = Verdict::Ended;
}
