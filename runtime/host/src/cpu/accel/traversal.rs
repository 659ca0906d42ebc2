//! Traversal of a top-level structure by a ray, which stops at each candidate. The contract is in [the parent module](super).
//!
//! One stack serves both levels: entering an instance records the stack height, and the instance is left when the stack is back
//! at that height. So the whole traversal state is plain data and it can be suspended anywhere. The stack has a fixed part,
//! sufficient for trees of millions of primitives, and spills into a vector.
//!
//! All work between two stops is one function, so that it can be compiled for several processors ([`super::multiversion`]).

use super::bottom::{Bottom, CLUSTER_ID_INVALID, CLUSTER_OPAQUE, CLUSTER_SHIFT, GEOMETRY_INDEX, Triangle};
use super::bvh::{Bvh, Child, WIDTH};
use super::hit::{Hit, Kind, NOTHING, Ray};
use super::lanes::Lanes;
use super::opacity::Rules;
use super::ray_space::RaySpace;
use super::top::{Top, TopInstance, into_object};
use rtc_tables::ray_flags as flag;

/// Stack entries without heap allocation.
const FIXED: usize = 64;

/// A subtree to visit and the ray's entry distance: bits of the distance above the child, so that one comparison orders entries.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct Entry(i64);

impl Entry {
    #[inline(always)]
    fn new(child: Child, enter: f32) -> Entry {
        Entry((u64::from(enter.to_bits()) << 32 | u64::from(child.0)) as i64)
    }
    #[inline(always)]
    fn child(self) -> Child {
        Child(self.0 as u32)
    }
    #[inline(always)]
    fn enter(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }
}

/// Subtrees to visit.
#[derive(Clone, Debug)]
struct Stack {
    fixed: [Entry; FIXED],
    len: usize,
    spill: Vec<Entry>,
}

impl Stack {
    const fn new() -> Stack {
        Stack { fixed: [Entry(0); FIXED], len: 0, spill: Vec::new() }
    }
    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        match self.fixed.get_mut(self.len) {
            Some(slot) => *slot = entry,
            None => self.spill.push(entry),
        }
        self.len += 1;
    }
    /// Pops the next entry above `base` whose entry distance is below `t`.
    #[inline(always)]
    fn pop(&mut self, base: usize, t: f32) -> Option<Child> {
        while self.len > base {
            self.len -= 1;
            let entry = match self.fixed.get(self.len) {
                Some(&slot) => slot,
                None => self.spill.pop()?,
            };
            if entry.enter() <= t {
                return Some(entry.child());
            }
        }
        None
    }
}

const NO_INSTANCE: u32 = u32::MAX;

/// The traversal state of a ray.
#[derive(Clone, Debug)]
pub struct Traversal {
    ray: Ray,
    flags: u32,
    mask: u8,
    started: bool,
    done: bool,
    /// The last result of `next` can be committed.
    offered: bool,
    has_hit: bool,
    /// Distance of the closest hit so far, initially `t_max`.
    t: f32,
    instance: u32,
    /// The first primitive of the current leaf, and which of them from there on remain, as bits.
    leaf: (u32, u32),
    /// Stack height when the instance was entered.
    base: usize,
    rules: Rules,
    world: RaySpace,
    object: RaySpace,
    candidate: Hit,
    hit: Hit,
    stack: Stack,
}

impl Traversal {
    /// A traversal that has not begun. Bits of `mask` above the eighth are ignored; of `pipeline_flags`, those that skip
    /// triangles or procedural primitives are added to `flags`.
    pub fn new(ray: Ray, flags: u32, mask: u32, pipeline_flags: u32) -> Traversal {
        let mut walk = Traversal {
            ray,
            flags: 0,
            mask: 0,
            started: false,
            done: true,
            offered: false,
            has_hit: false,
            t: 0.0,
            instance: NO_INSTANCE,
            leaf: (0, 0),
            base: 0,
            rules: Rules::default(),
            world: RaySpace::NONE,
            object: RaySpace::NONE,
            candidate: NOTHING,
            hit: NOTHING,
            stack: Stack::new(),
        };
        walk.restart(ray, flags, mask, pipeline_flags);
        walk
    }

    /// Restarts with another ray, as [`Traversal::new`] would, in less time: most of the state is written before it is read.
    #[inline]
    pub fn restart(&mut self, ray: Ray, flags: u32, mask: u32, pipeline_flags: u32) {
        let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin, ray.direction);
        // If one component is not finite, their sum is not; if their sum is not, each may still be.
        let valid =
            (ox + oy + oz + dx + dy + dz + ray.t_min).is_finite() || [ox, oy, oz, dx, dy, dz, ray.t_min].iter().all(|n| n.is_finite());
        self.ray = ray;
        self.flags = flags | pipeline_flags & (flag::SKIP_TRIANGLES | flag::SKIP_PROCEDURAL);
        self.mask = mask as u8;
        self.started = false;
        self.done = !valid || ray.t_max.is_nan();
        self.offered = false;
        self.has_hit = false;
        self.t = ray.t_max;
        self.instance = NO_INSTANCE;
        self.leaf = (0, 0);
        self.base = 0;
        self.stack.len = 0;
        self.stack.spill.clear();
    }

    /// The ray.
    pub fn ray(&self) -> &Ray {
        &self.ray
    }
    /// Its flags, including those of the pipeline.
    pub fn flags(&self) -> u32 {
        self.flags
    }
    /// Distance of the closest hit so far; `t_max` if there is none.
    pub fn t(&self) -> f32 {
        self.t
    }
    /// The closest hit so far.
    pub fn committed(&self) -> Option<&Hit> {
        self.has_hit.then_some(&self.hit)
    }
    /// The last result of [`Traversal::next`]; undefined before the first.
    pub fn candidate(&self) -> &Hit {
        &self.candidate
    }
    /// Whether a procedural hit at `t` is in range: not before `t_min`, not beyond the closest hit so far.
    pub fn takes(&self, t: f32) -> bool {
        t >= self.ray.t_min && t <= self.t
    }
    /// Whether traversal has ended.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Ends traversal; the committed hit stays.
    pub fn abort(&mut self) {
        self.done = true;
    }

    /// Commits the last returned triangle. Does nothing if that was no triangle, or is already committed.
    pub fn commit(&mut self) {
        if self.offered && self.candidate.kind == Kind::Triangle {
            self.offered = false;
            self.accept(self.candidate);
        }
    }

    /// Commits a hit of the last returned procedural primitive and returns true, if `t` is in range ([`Traversal::takes`]). May be
    /// called again with another distance.
    pub fn commit_procedural(&mut self, t: f32) -> bool {
        let counts = self.offered && self.candidate.kind == Kind::Procedural && self.takes(t);
        if counts {
            self.accept(Hit { t, ..self.candidate });
        }
        counts
    }

    #[inline(always)]
    fn accept(&mut self, hit: Hit) {
        self.t = hit.t;
        self.hit = hit;
        self.has_hit = true;
        if self.flags & flag::ACCEPT_FIRST_HIT != 0 {
            self.done = true;
        }
    }

    /// Advances to the next candidate, if there is one; [`super::multiversion`] wraps it as `next`.
    #[inline(always)]
    pub(super) fn advance(&mut self, top: &Top, lanes: impl Lanes) -> Option<Hit> {
        self.offered = false;
        if !self.started && !self.done {
            self.begin(top);
        }
        while !self.done {
            if self.instance != NO_INSTANCE {
                let instance = top.instances.get(self.instance as usize);
                if let Some((instance, bottom)) = instance.and_then(|i| Some((i, i.bottom.as_deref()?)))
                    && let Some(candidate) = self.inside(instance, bottom, lanes)
                {
                    self.candidate = candidate;
                    self.offered = true;
                    return Some(candidate);
                }
                self.instance = NO_INSTANCE;
            } else if let Some(number) = self.next_instance(top, lanes) {
                self.enter(number, top);
            } else {
                self.done = true;
            }
        }
        None
    }

    #[inline(always)]
    fn begin(&mut self, top: &Top) {
        self.started = true;
        // A tree of one leaf needs no traversal.
        if let [only] = top.order[..] {
            return self.enter(only, top);
        }
        let far = self.ray.origin.iter().fold(0.0, |m: f32, o| m.max(o.abs()));
        self.world = RaySpace::new(self.ray.origin, self.ray.direction, &top.bvh, far);
        if !top.bvh.nodes.is_empty() {
            self.stack.push(Entry::new(Child(0), self.ray.t_min));
        }
    }

    /// The next instance whose box the ray intersects.
    #[inline(always)]
    fn next_instance(&mut self, top: &Top, lanes: impl Lanes) -> Option<u32> {
        let space = self.world;
        let mut current = self.stack.pop(0, self.t);
        while let Some(child) = current {
            if let Some((leaf, _)) = child.primitives() {
                return top.order.get(leaf as usize).copied();
            }
            current = self.descend(child, &top.bvh, &[], &space, 0, lanes);
        }
        None
    }

    #[inline(always)]
    fn enter(&mut self, number: u32, top: &Top) {
        let Some(instance) = top.instances.get(number as usize) else {
            return;
        };
        let Some(bottom) = instance.bottom.as_deref() else {
            return;
        };
        let skip = if bottom.procedural { flag::SKIP_PROCEDURAL } else { flag::SKIP_TRIANGLES };
        if instance.mask & self.mask == 0 || self.flags & skip != 0 {
            return;
        }
        let (origin, direction) = into_object(&instance.to_object, self.ray.origin, self.ray.direction);
        self.instance = number;
        self.rules = Rules::new(self.flags, instance.flags);
        self.object = RaySpace::new(origin, direction, &bottom.bvh, 0.0);
        self.leaf = (0, 0);
        self.base = self.stack.len;
        if !bottom.bvh.nodes.is_empty() {
            self.stack.push(Entry::new(Child(0), self.ray.t_min));
        }
    }

    /// Returns the child that the ray enters first and pushes the others. `triangles` are what leaves of the tree have, if it is that.
    #[inline(always)]
    fn descend(
        &mut self,
        child: Child,
        tree: &Bvh,
        triangles: &[Triangle],
        space: &RaySpace,
        base: usize,
        lanes: impl Lanes,
    ) -> Option<Child> {
        let node = tree.nodes.get(child.0 as usize)?;
        let (enter, met) = lanes.boxes(space, node, self.ray.t_min, self.t);
        let count = met.count_ones() as usize;
        let mut rest = met;
        let mut next = || {
            let i = rest.trailing_zeros() as usize % WIDTH;
            rest &= rest.wrapping_sub(1);
            Entry::new(node.child[i], enter[i])
        };
        // What is visited later may be loaded until then.
        let load = |entry: Entry| match entry.child().primitives() {
            Some((first, _)) => lanes.load(triangles, first as usize),
            None => lanes.load(&tree.nodes, entry.child().0 as usize),
        };
        // Most nodes have one or two.
        match count {
            0 => return self.stack.pop(base, self.t),
            1 => return Some(next().child()),
            _ => {}
        }
        let (a, b) = (next(), next());
        let (near, far) = if a < b { (a, b) } else { (b, a) };
        if count == 2 {
            load(far);
            self.stack.push(far);
            return Some(near.child());
        }
        // Insertion sort by descending distance, so that the nearest is on top.
        let mut sorted = [Entry(0); WIDTH];
        (sorted[0], sorted[1]) = (far, near);
        for n in 2..count {
            let new = next();
            let mut at = n;
            while at > 0 && sorted[at - 1] < new {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = new;
        }
        load(sorted[count - 2]);
        for &entry in &sorted[..count - 1] {
            self.stack.push(entry);
        }
        Some(sorted[count - 1].child())
    }

    /// Traverses the current instance up to a candidate; `None` when it is finished.
    #[inline(always)]
    fn inside(&mut self, instance: &TopInstance, bottom: &Bottom, lanes: impl Lanes) -> Option<Hit> {
        let space = self.object;
        loop {
            while self.leaf.1 != 0 {
                let at = self.leaf.0 + self.leaf.1.trailing_zeros();
                self.leaf.1 &= self.leaf.1 - 1;
                let found =
                    if bottom.procedural { self.procedural(instance, bottom, at) } else { self.triangle(instance, bottom, at, &space) };
                if found.is_some() {
                    return found;
                }
                if self.done {
                    return None;
                }
            }
            let mut current = self.stack.pop(self.base, self.t);
            loop {
                let child = current?;
                if let Some((first, end)) = child.primitives() {
                    let all = || bottom.triangles.get(first as usize..end as usize).unwrap_or_default();
                    let met = if bottom.procedural { (1 << (end - first)) - 1 } else { lanes.leaf(&space, all()) };
                    self.leaf = (first, met);
                    break;
                }
                current = self.descend(child, &bottom.bvh, &bottom.triangles, &space, self.base, lanes);
            }
        }
    }

    #[inline(always)]
    fn triangle(&mut self, instance: &TopInstance, bottom: &Bottom, at: u32, space: &RaySpace) -> Option<Hit> {
        let triangle = bottom.triangles.get(at as usize)?;
        let m = space.triangle(&triangle.corners)?;
        if !(m.t > self.ray.t_min && m.t <= self.t) || m.t == self.t && !self.has_hit {
            return None;
        }
        let front_face = self.rules.facing(&m)?;
        let opaque = self.rules.opaque(bottom, triangle, &m)?;
        let geometry = triangle.geometry & GEOMETRY_INDEX;
        let (primitive, cluster) = if bottom.clustered {
            let id = bottom.source(triangle).map_or(CLUSTER_ID_INVALID, |s| s.cluster);
            (triangle.primitive & ((1 << CLUSTER_SHIFT) - 1), id)
        } else {
            (triangle.primitive, CLUSTER_ID_INVALID)
        };
        let hit = Hit {
            kind: Kind::Triangle,
            instance: self.instance,
            instance_id: instance.id,
            hit_group_offset: instance.hit_group_offset,
            geometry,
            primitive,
            cluster,
            t: m.t,
            barycentrics: m.barycentrics,
            front_face,
            opaque,
            leaf: at,
            number: triangle.primitive,
        };
        if m.t == self.t && (self.hit.kind != Kind::Triangle || hit.rank() >= self.hit.rank()) {
            return None;
        }
        if opaque {
            self.accept(hit);
            return None;
        }
        Some(hit)
    }

    #[inline(always)]
    fn procedural(&mut self, instance: &TopInstance, bottom: &Bottom, at: u32) -> Option<Hit> {
        let b = bottom.boxes.get(at as usize)?;
        if !self.object.meets(b.bounds.lo, b.bounds.hi, self.ray.t_min, self.t) {
            return None;
        }
        Some(Hit {
            kind: Kind::Procedural,
            instance: self.instance,
            instance_id: instance.id,
            hit_group_offset: instance.hit_group_offset,
            geometry: b.geometry & GEOMETRY_INDEX,
            primitive: b.primitive,
            t: self.t,
            opaque: self.rules.of(b.geometry & CLUSTER_OPAQUE != 0)?,
            leaf: at,
            number: b.primitive,
            ..NOTHING
        })
    }
}
