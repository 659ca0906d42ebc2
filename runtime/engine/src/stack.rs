//! The stack of a pipeline: the default size of the specification, and names of shaders as D3D12 asks for their sizes.

/// Stack bytes that the hungriest shader of each stage needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StageStacks {
    /// Ray generation.
    pub raygen: u64,
    /// Closest hit.
    pub closest_hit: u64,
    /// Miss.
    pub miss: u64,
    /// Intersection.
    pub intersection: u64,
    /// Any hit.
    pub any_hit: u64,
    /// Callable.
    pub callable: u64,
}

/// How deep calls of callable shaders may nest with the default size.
pub const DEFAULT_CALL_DEPTH: u64 = 2;

impl StageStacks {
    /// The size that a pipeline has unless another is set: enough for rays as deep as `max_recursion` and two nested calls at the
    /// deepest point.
    ///
    /// The deepest ray may end in a closest-hit or miss shader, or be in an any-hit shader of an intersection shader; the rays before it
    /// are in closest-hit or miss shaders.
    pub fn default_size(&self, max_recursion: u32) -> u64 {
        let depth = u64::from(max_recursion);
        let ends = self.closest_hit.max(self.miss);
        let deepest = ends.max(self.intersection.saturating_add(self.any_hit));
        let rays = deepest.saturating_mul(depth.min(1)).saturating_add(ends.saturating_mul(depth.saturating_sub(1)));
        self.raygen.saturating_add(rays).saturating_add(self.callable.saturating_mul(DEFAULT_CALL_DEPTH))
    }
}

/// The shader whose stack size is queried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member {
    /// A ray generation, miss or callable shader.
    General,
    /// The closest-hit shader of a hit group.
    ClosestHit,
    /// Its any-hit shader.
    AnyHit,
    /// Its intersection shader.
    Intersection,
}

/// Reads `Name` or `Group::closesthit`, `Group::anyhit`, `Group::intersection`; case matters.
pub fn parse_name(name: &str) -> Option<(&str, Member)> {
    match name.rsplit_once("::") {
        None => Some((name, Member::General)),
        Some((group, "closesthit")) => Some((group, Member::ClosestHit)),
        Some((group, "anyhit")) => Some((group, Member::AnyHit)),
        Some((group, "intersection")) => Some((group, Member::Intersection)),
        // An export may be in a namespace.
        Some(_) => Some((name, Member::General)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand from the formula of the specification.
    #[test]
    fn worked_examples() {
        let s = |raygen, closest_hit, miss, intersection, any_hit, callable| StageStacks {
            raygen,
            closest_hit,
            miss,
            intersection,
            any_hit,
            callable,
        };
        #[rustfmt::skip]
        let rows = [
            // Nothing is traced: what rays need does not count.
            (s(100, 50, 40, 30, 20, 0), 0, 100),
            (s(100, 50, 40, 30, 20, 10), 0, 120),
            // One level: the largest of closest hit, miss, and any hit inside of intersection.
            (s(100, 50, 40, 30, 10, 0), 1, 150),
            (s(100, 50, 60, 30, 10, 0), 1, 160),
            (s(100, 50, 40, 30, 25, 0), 1, 155),
            (s(100, 50, 40, 30, 20, 0), 1, 150),
            // Deeper: only closest hit and miss trace on.
            (s(100, 50, 40, 30, 25, 0), 2, 205),
            (s(100, 50, 70, 30, 25, 0), 3, 310),
            (s(100, 50, 40, 200, 100, 8), 31, 100 + 300 + 30 * 50 + 16),
            // Nothing but callables.
            (s(0, 0, 0, 0, 0, 64), 5, 128),
            // Sizes that no address has do not wrap around.
            (s(u64::MAX, 1, 0, 0, 0, 1), 4, u64::MAX),
        ];
        for (stacks, depth, size) in rows {
            assert_eq!(stacks.default_size(depth), size, "{stacks:?} at depth {depth}");
        }
    }

    #[test]
    fn names_of_members() {
        assert_eq!(parse_name("Gen"), Some(("Gen", Member::General)));
        assert_eq!(parse_name("G::closesthit"), Some(("G", Member::ClosestHit)));
        assert_eq!(parse_name("a::G::anyhit"), Some(("a::G", Member::AnyHit)));
        assert_eq!(parse_name("G::intersection"), Some(("G", Member::Intersection)));
        assert_eq!(parse_name("G::AnyHit"), Some(("G::AnyHit", Member::General)));
    }
}
